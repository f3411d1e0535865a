"""Columns of libwhatwg_encoding: the same arrays as whatwg_encoding.arrow, and errors that say what is wrong."""

from __future__ import annotations

import ctypes
import errno
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import whatwg_encoding as we
from tests.arrow.producers import Array, Schema
from tests.capi.library import library
from tests.capi.table import Table
from tests.reference import inputs

REPLACE, FATAL, NULL = range(3)
SAME, OFFSETS_32, OFFSETS_64, VIEWS = range(4)
BOM_SNIFF, INFO, UNKNOWN_NULL = 1, 2, 4


class Options(ctypes.Structure):
    """``whatwg_column_options``."""

    _fields_ = (
        ("size", ctypes.c_size_t), ("encoding", ctypes.c_void_p), ("label_schema", ctypes.c_void_p),
        ("labels", ctypes.c_void_p), ("unknown", ctypes.c_void_p), ("on_error", ctypes.c_int), ("layout", ctypes.c_int),
        ("flags", ctypes.c_uint32),
    )  # fmt: skip


class Error(ctypes.Structure):
    """``whatwg_column_error``."""

    _fields_ = (("row", ctypes.c_int64), ("message", ctypes.c_char * 256))


class ColumnError(Exception):
    """The status of a call, its message and its row."""


class Columns:
    """The two functions of a library."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        loaded.whatwg_encoding_get.restype = ctypes.c_void_p
        self._library = loaded
        self.table = Table.from_address(loaded.whatwg_encoding_get())

    def call(self, member: Any, array: pa.Array, encoding: str | pa.Array | None, *, unknown: str | None = None,
             size: int = ctypes.sizeof(Options), **given: int) -> pa.Array:  # fmt: skip
        source, schema, result, result_schema = Array(), Schema(), Array(), Schema()
        labels, label_schema = Array(), Schema()
        array._export_to_c(ctypes.addressof(source), ctypes.addressof(schema))
        options = Options(size, **given)
        if isinstance(encoding, str):
            options.encoding = self.table.for_label(encoding.encode(), len(encoding))
        elif encoding is not None:
            encoding._export_to_c(ctypes.addressof(labels), ctypes.addressof(label_schema))
            options.labels, options.label_schema = ctypes.addressof(labels), ctypes.addressof(label_schema)
        if unknown is not None:
            options.unknown = self.table.for_label(unknown.encode(), len(unknown))
        error = Error()
        status = member(*map(ctypes.byref, (schema, source, options, result_schema, result, error)))
        assert not source.release
        assert schema.release
        for structure in (schema, labels, label_schema):
            if structure.release:
                structure.release(structure)
        if status != 0:
            assert not result.release
            assert not result_schema.release
            raise ColumnError(status, error.message.decode(), error.row)
        assert error.message == b""
        column = pa.Array._import_from_c(ctypes.addressof(result), ctypes.addressof(result_schema))
        column.validate(full=True)
        return column

    def decode(self, array: pa.Array, encoding: str | pa.Array | None, **options: Any) -> pa.Array:
        return self.call(self._library.whatwg_encoding_decode_column, array, encoding, **options)

    def encode(self, array: pa.Array, encoding: str | pa.Array | None, **options: Any) -> pa.Array:
        return self.call(self._library.whatwg_encoding_encode_column, array, encoding, **options)


@pytest.fixture(scope="module")
def columns() -> Columns:
    return Columns(ctypes.CDLL(str(library() / "lib" / "libwhatwg_encoding.so")))


def rows(name: str) -> list[bytes | None]:
    return [*inputs.vectors(name)[:300], *inputs.random_inputs(name, 30), b"", None, b"plain", b"\xef\xbb\xbf\xe9"]


def arrays(values: list[Any], *types: pa.DataType) -> list[pa.Array]:
    """Return the same rows in several layouts, sliced and dictionary-encoded, too."""
    of_types = [pa.array(values, type) for type in types]
    return [*of_types, of_types[0][3:], of_types[0].dictionary_encode()]


def plain(array: pa.Array) -> pa.Array:
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_decode(name: str, columns: Columns) -> None:
    modes = {"replacement": REPLACE, "null": NULL}
    types = {None: SAME, "string": OFFSETS_32, "large_string": OFFSETS_64, "string_view": VIEWS}
    for array in arrays(rows(name), pa.binary(), pa.large_binary(), pa.binary_view()):
        how: dict[str, Any]
        for errors, on_error in modes.items():
            for bom, flags in (("keep", 0), ("sniff", BOM_SNIFF)):
                for type, layout in types.items():
                    how = {"errors": errors, "bom": bom, "type": type}
                    decoded = columns.decode(array, name, on_error=on_error, layout=layout, flags=flags)
                    assert decoded.equals(plain(pa.array(we.arrow.decode_array(array, name, **how))))
                decoded = columns.decode(array, name, on_error=on_error, flags=flags | INFO)
                how = {"errors": errors, "bom": bom}
                expected = pa.array(we.arrow.decode_array_with_info(array, name, **how))
                assert decoded.equals(expected)


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encode(name: str, columns: Columns) -> None:
    texts = [*inputs.random_texts(name, 60), "", None, "plain", "☃"]
    texts = [text if text is None else text.encode("utf-8", "replace").decode() for text in texts]
    for array in arrays(texts, pa.string(), pa.large_string(), pa.string_view()):
        for errors, on_error in {"html": REPLACE, "null": NULL}.items():
            expected = plain(pa.array(we.arrow.encode_array(array, name, errors=errors)))  # type: ignore[arg-type]
            assert columns.encode(array, name, on_error=on_error).equals(expected)


def test_a_label_for_each_row(columns: Columns) -> None:
    labels = pa.array([" SJIS", "gbk", None, "klingon", "x" * 99, "utf-16", "sjis"])
    values = pa.array([b"\x83n", b"\xba\xba", b"a", b"b", b"c", b"a\0", None])
    expected = we.arrow.decode_array_with_info(values, labels, unknown="null")
    assert columns.decode(values, labels, flags=INFO | UNKNOWN_NULL).equals(pa.array(expected))
    assert columns.decode(values, labels, unknown="sjis").to_pylist() == ["ハ", "汉", None, "b", "c", "a", None]
    with pytest.raises(ColumnError) as raised:
        columns.decode(values, labels)
    assert raised.value.args == (errno.EINVAL, "labels: the label of row 3 names no encoding", 3)
    with pytest.raises(ColumnError) as raised:
        columns.encode(pa.array(["a", "b"]), pa.array(["gbk", "utf-16"]))
    assert raised.value.args == (errno.EINVAL, "UTF-16LE has no encoder", 1)


BYTES, TEXT = pa.array([b"a", b"\xff"]), pa.array(["a", "☃"])


@pytest.mark.parametrize(
    ("call", "status", "message", "row"),
    [
        (lambda c: c.decode(BYTES, "sjis", on_error=FATAL), errno.EILSEQ,
         "values: row 1 is malformed in Shift_JIS", 1),
        (lambda c: c.encode(TEXT, "sjis", on_error=FATAL), errno.EILSEQ,
         "text: row 1 has what Shift_JIS cannot encode", 1),
        (lambda c: c.encode(TEXT, "utf-16"), errno.EINVAL, "UTF-16LE has no encoder", -1),
        (lambda c: c.encode(BYTES, "sjis"), errno.EINVAL, "text: a column of bytes", -1),
        (lambda c: c.encode(TEXT, "sjis", flags=INFO), errno.EINVAL, "an option is not valid", -1),
        (lambda c: c.decode(BYTES, "sjis", on_error=3), errno.EINVAL, "an option is not valid", -1),
        (lambda c: c.decode(BYTES, "sjis", layout=-1), errno.EINVAL, "an option is not valid", -1),
        (lambda c: c.decode(BYTES, "sjis", flags=8), errno.EINVAL, "an option is not valid", -1),
        (lambda c: c.decode(BYTES, None), errno.EINVAL, "the options must have either an encoding or labels", -1),
        (lambda c: c.decode(BYTES, "sjis", size=8), errno.EINVAL,
         "the options must have either an encoding or labels", -1),
        (lambda c: c.decode(BYTES, pa.array(["a"])), errno.EINVAL,
         "labels: a column of 1 rows, but the other has 2", -1),
        (lambda c: c.decode(pa.array([1]), "sjis"), errno.EINVAL, "values: Arrow format 'l'", -1),
    ],
)  # fmt: skip
def test_errors(call: Callable[[Columns], object], status: int, message: str, row: int, columns: Columns) -> None:
    with pytest.raises(ColumnError) as raised:
        call(columns)
    assert raised.value.args[::2] == (status, row)
    assert message in raised.value.args[1]


def test_columns_that_lie(columns: Columns) -> None:
    offsets = pa.array([0, 5, 1], pa.int32()).buffers()[1]
    wrong = pa.Array.from_buffers(pa.binary(), 2, [None, offsets, pa.py_buffer(b"a")])
    with pytest.raises(ColumnError, match="the offsets descend"):
        columns.decode(wrong, "sjis")
