"""``decode_array``: each row equals the reference, for every encoding, type and error mode."""

from __future__ import annotations

import itertools
import random
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from whatwg_encoding import arrow
from whatwg_encoding._native.arrow import convert

TYPES = {"z": pa.binary(), "Z": pa.large_binary(), "vz": pa.binary_view()}
TEXTS = {"string": pa.string(), "large_string": pa.large_string(), "string_view": pa.string_view()}
NAMED = {"z": "string", "Z": "large_string", "vz": "string_view"}
MARKS = {b"\xef\xbb\xbf": "UTF-8", b"\xfe\xff": "UTF-16BE", b"\xff\xfe": "UTF-16LE"}


def taken(column: object) -> Any:
    array = pa.chunked_array(column)
    array.validate(full=True)
    return array


@cache
def rows_of(name: str) -> list[bytes | None]:
    """Return the vectors and random inputs for an encoding as rows, split anywhere, with byte order marks and nulls."""
    source = random.Random(name)
    joined = b"".join([*inputs.vectors(name), *inputs.random_inputs(name, 60)])
    rows: list[bytes | None] = [b"", b"\x80", b"\xff" * 20, None, joined, b"ASCII alone", b"a" * 70]
    position = 0
    while position < len(joined):
        length = source.choice((0, 1, 2, 3, 5, 8, 13, 30, 64, 200))
        rows.append(joined[position : position + length])
        position += length
        if source.random() < 0.05:
            rows.append(None)
    for mark in MARKS:
        rows += [mark, mark[:-1], mark + b"a\x00", mark + b"\xe3\x81\x82", mark * 2]
    return rows


class Expected:
    """The results of the reference for a row: encoding, text, errors, and the span of the first error."""

    def __init__(self, name: str, row: bytes, bom: str) -> None:
        skip = 0
        self.encoding = name
        if bom == "sniff":
            for mark, marked in MARKS.items():
                if row.startswith(mark):
                    self.encoding, skip = marked, len(mark)
        self.text, spans = oracle.decode(self.encoding, row[skip:])
        self.errors = len(spans)
        self.first = (spans[0][0] + skip, spans[0][1] + skip) if spans else None
        before = oracle.decode(self.encoding, row[skip : self.first[0]]).text if self.first else ""
        self.place = (before.count("\n") + 1, len(before) - before.rfind("\n")) if spans else (None, None)


@cache
def expected_rows(name: str, bom: str) -> list[Expected | None]:
    return [None if row is None else Expected(name, row, bom) for row in rows_of(name)]


@pytest.mark.parametrize("bom", ["keep", "sniff"])
@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_every_vector_as_rows(name: str, bom: Any) -> None:
    rows = rows_of(name)
    expected = expected_rows(name, bom)
    texts = [None if row is None else row.text for row in expected]
    valid = [None if row is None or row.errors else row.text for row in expected]
    for kind, type_ in TYPES.items():
        column = pa.array(rows, type_)
        result = taken(arrow.decode_array(column, name, bom=bom))
        assert result.type == TEXTS[NAMED[kind]]
        assert result.to_pylist() == texts
        assert taken(arrow.decode_array(column, name, bom=bom, errors="null")).to_pylist() == valid
        info = taken(arrow.decode_array_with_info(column, name, bom=bom)).to_pylist()
        assert [tuple(row.values()) for row in info] == [
            (None, None, 0, None, None, None)
            if row is None
            else (row.text, row.encoding, row.errors, row.first and row.first[0], *row.place)
            for row in expected
        ]
        nulled = taken(arrow.decode_array_with_info(column, name, bom=bom, errors="null")).to_pylist()
        assert [row["text"] for row in nulled] == valid
        assert [{**row, "text": 0} for row in nulled] == [{**row, "text": 0} for row in info]
    first = next((i for i, row in enumerate(expected) if row is not None and row.errors), None)
    column = pa.chunked_array([rows[:3], rows[3:7], rows[7:]], pa.binary())
    if first is None:
        assert taken(arrow.decode_array(column, name, bom=bom, errors="fatal")).to_pylist() == texts
        return
    with pytest.raises(arrow.RowDecodeError, match=f"^row {first}: ") as caught:
        arrow.decode_array(column, name, bom=bom, errors="fatal")
    error, item = caught.value, expected[first]
    assert item is not None
    assert (error.row, error.encoding, error.object) == (first, item.encoding, rows[first])
    assert (error.start, error.end) == item.first


@pytest.mark.parametrize("type_", TYPES.values(), ids=str)
def test_a_column_of_labels(type_: Any) -> None:
    source = random.Random(0)
    rows: list[bytes | None] = []
    labels: list[str | None] = []
    texts: list[str | None] = []
    names: list[str | None] = []
    for name in inputs.ALL_NAMES:
        encoding = we.lookup(name)
        for row, item in source.sample(list(zip(rows_of(name), expected_rows(name, "keep"), strict=True)), 12):
            label = source.choice([*encoding.labels, f"\t{encoding.labels[0].upper()} ", None])
            rows.append(row)
            labels.append(label)
            texts.append(None if item is None or label is None else item.text)
            names.append(None if item is None or label is None else name)
    order = source.sample(range(len(rows)), len(rows))
    rows, labels, texts, names = ([values[i] for i in order] for values in (rows, labels, texts, names))
    column = pa.array(rows, type_)
    for label_column in (
        pa.array(labels, pa.string()),
        pa.array(labels, pa.large_string()),
        pa.array(labels, pa.string_view()),
        pa.array(labels).dictionary_encode(),
        pa.array([None if label is None else label.encode() for label in labels]),
        pa.chunked_array([labels[:7], [], labels[7:100], labels[100:]], pa.string()),
    ):
        assert taken(arrow.decode_array(column, label_column)).to_pylist() == texts
        info = taken(arrow.decode_array_with_info(column, label_column)).to_pylist()
        assert [(row["text"], row["encoding"]) for row in info] == list(zip(texts, names, strict=True))


def test_labels_and_values_in_other_chunks() -> None:
    values = pa.chunked_array([[b"\x83n"], [], [b"a", b"\xe9", b"b"], [b"\xe3\x81\x82"]], pa.binary())
    labels = pa.chunked_array([["sjis", "sjis"], ["latin1"], [], ["sjis", "utf-8"]])
    result = taken(arrow.decode_array(values, labels))
    assert result.to_pylist() == ["ハ", "a", "é", "b", "あ"]
    assert [len(chunk) for chunk in result.chunks] == [1, 0, 3, 1]
    for other in (labels.slice(1), pa.chunked_array([*labels.chunks, pa.array(["utf-8"])])):
        with pytest.raises(ValueError, match=r"^encoding: a column of "):
            arrow.decode_array(values, other)


def test_unknown_labels() -> None:
    values = pa.array([b"a", b"\xe9", b"\x83n", b"\xe9"])
    labels = pa.array(["utf-8", "nonsense", "CP932 ", "nonsense"])
    with pytest.raises(we.UnknownLabelError, match=r"^row 1: unknown encoding label 'nonsense'"):
        arrow.decode_array(values, labels)
    assert taken(arrow.decode_array(values, labels, unknown="null")).to_pylist() == ["a", None, None, None]
    assert taken(arrow.decode_array(values, labels, unknown="latin1")).to_pylist() == ["a", "é", "ƒn", "é"]
    assert taken(arrow.decode_array(values, labels, unknown=we.WINDOWS_1252)).to_pylist() == ["a", "é", "ƒn", "é"]
    mapping = {"nonsense": None, "cp932": "sjis"}
    assert taken(arrow.decode_array(values, labels, unknown=mapping)).to_pylist() == ["a", None, "ハ", None]
    with pytest.raises(we.UnknownLabelError, match=r"^row 2: .*CP932"):
        arrow.decode_array(values, labels, unknown={"nonsense": we.UTF_8})
    asked = []

    def answer(label: str) -> we.Encoding | None:
        asked.append(label)
        return we.SHIFT_JIS if label.startswith("CP") else None

    for column in (labels, labels.dictionary_encode(), pa.chunked_array([labels, labels])):
        asked.clear()
        repeated = pa.chunked_array([values] * (len(column) // 4))
        result = taken(arrow.decode_array(repeated, column, unknown=answer))
        assert result.to_pylist() == ["a", None, "ハ", None] * (len(column) // 4)
        assert asked == ["nonsense", "CP932 "]
    # A single label acts like a column of it; the label of a null row is not looked up.
    assert taken(arrow.decode_array(values, "nonsense", unknown="null")).null_count == 4
    assert taken(arrow.decode_array(values, "cp932", unknown=mapping)).to_pylist()[2] == "ハ"
    assert taken(arrow.decode_array(pa.nulls(4), labels)).null_count == 4
    with pytest.raises(we.UnknownLabelError, match=r"nonsense"):
        arrow.decode_array(values, "nonsense")
    with pytest.raises(ZeroDivisionError):
        arrow.decode_array(values, labels, unknown=lambda label: 1 / 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match=r"^unknown must return an Encoding, a label or None for .nonsense., not int$"):
        arrow.decode_array(values, labels, unknown=lambda label: 3)  # type: ignore[arg-type, return-value]


def test_more_distinct_labels_than_are_kept() -> None:
    labels = [f"x-{i}" for i in range(3000)] + ["sjis"] * 3 + ["x" * 100]
    values = pa.array([b"\x83n"] * len(labels))
    result = taken(arrow.decode_array(values, pa.array(labels), unknown="null"))
    assert result.to_pylist() == [None] * 3000 + ["ハ"] * 3 + [None]


def test_other_values() -> None:
    assert taken(arrow.decode_array(pa.nulls(3), "utf-8")).to_pylist() == [None] * 3
    fixed = pa.array([b"\x83n", None, b"ab"], pa.binary(2))
    assert taken(arrow.decode_array(fixed, "sjis")).to_pylist() == ["ハ", None, "ab"]
    assert taken(arrow.decode_array(pa.array(["é", None]), "latin1")).to_pylist() == ["Ã©", None]
    batch = pa.record_batch({"body": [b"\x83n", None]})
    assert taken(arrow.decode_array(batch, "sjis")).to_pylist() == ["ハ", None]
    assert taken(arrow.decode_array(batch.slice(1), "sjis")).to_pylist() == [None]
    assert taken(arrow.decode_array(pa.chunked_array([], pa.binary()), "sjis")).to_pylist() == []
    assert pa.array(arrow.decode_array(pa.chunked_array([], pa.binary()), "sjis")).to_pylist() == []
    with pytest.raises(ValueError, match=r"a struct of 2 columns"):
        arrow.decode_array(pa.record_batch({"a": [b""], "b": [b""]}), "sjis")
    with pytest.raises(ValueError, match=r"'l' is neither bytes nor text"):
        arrow.decode_array(pa.array([1]), "sjis")
    with pytest.raises(TypeError, match=r"exports Arrow data .* not list"):
        arrow.decode_array([b"a"], "sjis")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"not int"):
        arrow.decode_array(fixed, 3)  # type: ignore[arg-type]
    for wrong in ({"errors": "strict"}, {"bom": "x"}, {"type": "binary"}):
        with pytest.raises(ValueError, match=r"must be .* not "):
            arrow.decode_array(fixed, "sjis", **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"unknown must be"):
        arrow.decode_array(fixed, "sjis", unknown=3)  # type: ignore[arg-type]


def test_slices_of_rows_of_a_fixed_length() -> None:
    rows = [b"ab", None, b"\x83n", b"\xe9t", b"\xff\xfe", None, b"\x82\xa0", b"\x81a"] * 9
    texts = [None if row is None else oracle.decode("Shift_JIS", row).text for row in rows]
    column = pa.array(rows, pa.binary(2))
    for start, end in ((0, 72), (1, 72), (2, 3), (7, 20), (8, 64), (9, 9), (70, 72)):
        sliced = column.slice(start, end - start)
        assert taken(arrow.decode_array(sliced, "sjis")).to_pylist() == texts[start:end]
        assert (
            taken(arrow.decode_array(pa.chunked_array([sliced, column]), "sjis")).to_pylist()
            == texts[start:end] + texts
        )


def test_a_mark_in_a_later_row() -> None:
    """Rows that equal their text share the buffers of the column, which a row with a mark does not allow."""
    for start, mark in itertools.product((0, 1, 2, 63, 64, 65), MARKS):
        rows = [b"abcd"] * start + [(mark + b"ab")[:4]] + [b"efgh"] * 3
        for name in ("UTF-8", "windows-1252", "Shift_JIS", "UTF-16LE"):
            texts = [Expected(name, row, "sniff").text for row in rows]
            for type_ in (*TYPES.values(), pa.binary(4)):
                column = pa.array([b"\xff\xfexy", *rows], type_).slice(1)
                assert taken(arrow.decode_array(column, name, bom="sniff")).to_pylist() == texts


def test_dictionaries() -> None:
    rows = [b"\x83n", None, b"\x81", b"ok", b"\x83n", b"ok"]
    texts = ["ハ", None, "\ufffd", "ok", "ハ", "ok"]
    for index in (pa.int8(), pa.uint16(), pa.int64(), pa.uint32()):
        for type_ in TYPES.values():
            plain = pa.array(rows, type_)
            encoded = pa.DictionaryArray.from_arrays(
                pa.array([0, None, 1, 2, 0, 2], index), pa.array([b"\x83n", b"\x81", b"ok", b"\xff"], type_)
            )
            result = taken(arrow.decode_array(encoded, "sjis"))
            assert (result.type.index_type, result.to_pylist()) == (index, texts)
            assert taken(arrow.decode_array(encoded[1:], "sjis")).to_pylist() == texts[1:]
            nulled = taken(arrow.decode_array(encoded, "sjis", errors="null"))
            assert nulled.to_pylist() == ["ハ", None, None, "ok", "ハ", "ok"]
            assert nulled.null_count == 2
            # An error in a value to which no row refers is ignored.
            assert taken(arrow.decode_array(encoded[3:], "sjis", errors="fatal")).to_pylist() == texts[3:]
            with pytest.raises(arrow.RowDecodeError) as caught:
                arrow.decode_array(encoded, "sjis", errors="fatal")
            assert (caught.value.row, caught.value.object, caught.value.start) == (2, b"\x81", 0)
            assert (caught.value.offset, caught.value.line, caught.value.column) == (0, 1, 1)
            assert taken(arrow.decode_array(encoded, "sjis", type="large_string")).type == pa.large_string()
            labels = pa.array(["sjis", "sjis", "latin1", None, "utf-8", "utf-8"])
            for column in (encoded, plain):
                labelled = taken(arrow.decode_array(column, labels)).to_pylist()
                assert labelled == ["ハ", None, "\x81", None, "\ufffdn", "ok"]
            infos = [taken(arrow.decode_array_with_info(values, "sjis")).to_pylist() for values in (encoded, plain)]
            assert infos[0] == infos[1]
    null_in_dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([None, b"\x83n"], pa.binary()))
    for errors in ("replacement", "fatal", "null"):
        assert taken(arrow.decode_array(null_in_dictionary, "sjis", errors=errors)).to_pylist() == [None, "ハ"]
    chunks = pa.chunked_array([encoded, encoded[2:]])
    assert taken(arrow.decode_array(chunks, "sjis")).to_pylist() == texts + texts[2:]


def test_where_offsets_overflow() -> None:
    """With a small limit of offsets, a stream is split and an array raises; the rows are the same."""

    def decode(values: Any, limit: int, **options: Any) -> Any:
        given = {"errors": "replacement", "bom": "keep", "unknown": "fatal", "type": None, "with_info": False}
        return convert(values, "windows-1252", encodes=False, limit=limit, **{**given, **options})

    rows = [b"\xe9" * (7 * i % 30) if i % 5 else None for i in range(100)]
    expected = pa.array([None if row is None else "é" * len(row) for row in rows])
    for type_ in (pa.binary(), pa.large_binary()):
        values = pa.array(rows, type_)
        for options in ({"type": "string"}, {"type": "string", "with_info": True}):
            with pytest.raises(OverflowError, match=r"large_string"):
                decode(values, 100, **options)
            result = taken(decode(pa.chunked_array([values]), 100, **options))
            texts = [row["text"] for row in result.to_pylist()] if "with_info" in options else result.to_pylist()
            assert texts == expected.to_pylist()
            assert result.num_chunks > 20
            for chunk in result.chunks:
                text = chunk.field(0) if "with_info" in options else chunk
                assert sum(len(t.encode()) for t in text.to_pylist() if t) <= 100
    assert taken(decode(pa.array(rows), 100, type="large_string")).num_chunks == 1
    # Views may have any number of buffers.
    views = pa.array(decode(pa.array(rows, pa.binary_view()), 100))
    views.validate(full=True)
    assert views.to_pylist() == expected.to_pylist()
    assert len(views.buffers()) > 20
    # Valid text, shared in another layout.
    plain = pa.array([b"a" * (7 * i % 30) for i in range(100)], pa.large_binary())
    texts = [row.decode() for row in plain.to_pylist()]
    assert taken(decode(plain, 100, type="string_view")).to_pylist() == texts
    assert taken(decode(pa.chunked_array([plain]), 100, type="string")).to_pylist() == texts
    with pytest.raises(OverflowError, match=r"large_string"):
        decode(plain, 100, type="string")
    for stream in (pa.array([b"\xe9" * 60]), pa.chunked_array([[b"\xe9" * 60]])):
        for type_name in ("string", "string_view"):
            with pytest.raises(OverflowError, match=r"row 0 alone .*large_string"):
                decode(stream, 100, type=type_name)
        assert taken(decode(stream, 100, type="large_string")).to_pylist() == ["é" * 60]


def test_the_place_of_an_error_within_its_row() -> None:
    rows = pa.array([b"fine", b"\xef\xbb\xbf" + "é\nab".encode() + b"\xff"])
    for bom, column in (("keep", 3), ("sniff", 3)):
        with pytest.raises(arrow.RowDecodeError) as caught:
            arrow.decode_array(rows, "utf-8", errors="fatal", bom=bom)  # type: ignore[arg-type]
        error = caught.value
        assert (error.row, error.offset, error.line, error.column) == (1, 8, 2, column)
        assert (error.start, error.end) == (8, 9)
    with pytest.raises(arrow.RowDecodeError) as caught:
        arrow.decode_array(pa.array([b"\xef\xbb\xbfa\xff"]), "sjis", errors="fatal", bom="sniff")
    assert (caught.value.offset, caught.value.line, caught.value.column) == (4, 1, 2)
