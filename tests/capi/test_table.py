"""The table's members for encodings, compared with the Python API and the reference through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import whatwg_encoding as we
from tests.capi.table import API, BOM_SNIFF, FATAL, SIZE, SIZE_MAX, STATE, ErrorSpan, Table
from tests.machines.core import OTHERS, fail_unless_passed
from tests.reference import inputs, oracle
from tests.standard.comparison import report


def for_label(label: bytes) -> str | None:
    """Look up a label from memory that ends with the label, and return the encoding's name."""
    exact = (ctypes.c_char * max(len(label), 1)).from_buffer_copy(label or b"\0")
    encoding = API.for_label(ctypes.addressof(exact), len(label))
    return API.name(encoding).decode() if encoding else None


def test_the_table_tells_its_version_and_size() -> None:
    assert API.abi == 1
    assert API.size == ctypes.sizeof(Table)


def test_encodings_in_order() -> None:
    listed = [API.by_index(index) for index in range(len(inputs.ALL_NAMES) + 2)]
    assert listed[-2:] == [None, None]
    assert API.by_index(SIZE_MAX) is None
    assert tuple(API.name(encoding).decode() for encoding in listed[:-2]) == inputs.ALL_NAMES
    assert len(set(listed[:-2])) == len(inputs.ALL_NAMES)


def test_every_label() -> None:
    for label, encoding in we.LABELS.items():
        for form in (label, label.upper(), label.title(), f" \t\n\f\r{label}\r\f\n\t "):
            assert for_label(form.encode()) == encoding.name, form
        assert for_label(label.encode()) == API.name(API.for_label(label.encode() + b"x", len(label))).decode()


def test_the_labels_of_each_encoding() -> None:
    for name in inputs.ALL_NAMES:
        encoding = API.for_label(name.encode(), len(name))
        expected = sorted(label.encode() for label in we.lookup(name).labels)
        labels = [API.label(encoding, index) for index in range(len(expected) + 2)]
        assert labels == [*expected, None, None]
        assert API.label(encoding, SIZE_MAX) is None


@pytest.mark.parametrize(
    "label",
    [b"", b" ", b"klingon", b"utf-8\0", b"\0utf-8", b"utf\0-8", b"utf-8\x0b", b"\xa0utf-8", "\u212aoi8-r".encode(),
     b"utf_8", b"u" * 31, b"u" * 32, b"u" * 33, b" " * 1000, b"utf-8" + b" " * 1000 + b"x", b"\xff" * 40],
)  # fmt: skip
def test_what_is_no_label(label: bytes) -> None:
    assert for_label(label) is None


def test_a_label_in_much_white_space() -> None:
    assert for_label(b" " * 1000 + b"SJIS" + b"\n" * 1000) == "Shift_JIS"


def test_output_encodings() -> None:
    for name in inputs.ALL_NAMES:
        encoding = API.for_label(name.encode(), len(name))
        expected = "UTF-8" if name in ("replacement", "UTF-16BE", "UTF-16LE") else name
        assert API.name(API.output_encoding(encoding)).decode() == expected
        state = STATE()
        assert API.encoder_init(state, encoding, 0) == (0 if name in inputs.ENCODER_NAMES else -1)
        API.decoder_init(state, encoding, 0)
        assert API.decoder_encoding(state) == encoding


@pytest.mark.parametrize(
    ("data", "name", "length"),
    [
        (b"\xef\xbb\xbf", "UTF-8", 3), (b"\xef\xbb\xbfabc", "UTF-8", 3), (b"\xfe\xff", "UTF-16BE", 2),
        (b"\xff\xfe\0\0", "UTF-16LE", 2), (b"", None, 0), (b"\xef", None, 0), (b"\xef\xbb", None, 0),
        (b"\xfe", None, 0), (b"a\xfe\xff", None, 0), (b"\x2b\x2f\x76\x38", None, 0),
    ],
)  # fmt: skip
def test_byte_order_marks(data: bytes, name: str | None, length: int) -> None:
    mark_length = SIZE(77)
    encoding = API.for_bom(data, len(data), mark_length)
    assert (API.name(encoding).decode() if encoding else None, mark_length.value) == (name, length)


@pytest.mark.shapes
@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_valid_up_to_and_errors(name: str) -> None:
    """All errors are counted, the first ones with the reference's spans, in inputs longer than every block."""
    encoding = API.for_label(name.encode(), len(name))

    def differences() -> Iterator[str]:
        data = [*inputs.vectors(name), *inputs.random_inputs(name, 30), b""]
        data += [vector[:1] * 1500 + vector for vector in data[:8]] + [b"ab" * 1100 + vector for vector in data[:12]]
        for vector in data:
            expected = oracle.decode(name, vector).spans
            exact = (ctypes.c_char * max(len(vector), 1)).from_buffer_copy(vector or b"\0")
            source = ctypes.cast(exact, ctypes.c_char_p)
            first = API.valid_up_to(encoding, source, len(vector))
            if first != (expected[0][0] if expected else len(vector)):
                yield f"{name} {vector[-40:]!r} of {len(vector)}: the first error is at {first}, not {expected[:1]}"
            for capacity in (0, 1, 5, 5000):
                spans = (ErrorSpan * capacity)()
                count = API.errors(encoding, source, len(vector), spans, capacity)
                ranges = [(span.offset, span.offset + span.length) for span in spans[:count]]
                if (count, ranges) != (len(expected), list(expected[:capacity])):
                    yield f"{name} {vector[-40:]!r} of {len(vector)}: {count} {ranges[:3]}, not {expected[:3]}"

    report(differences())


def test_capacities_that_no_size_t_holds() -> None:
    state = STATE()
    for name in inputs.ALL_NAMES:
        encoding = API.for_label(name.encode(), len(name))
        for flags in (0, FATAL, BOM_SNIFF):
            API.decoder_init(state, encoding, flags)
            for length in (SIZE_MAX, SIZE_MAX - 1, SIZE_MAX // 2, SIZE_MAX // 3, SIZE_MAX // 3 + 1):
                units = API.max_utf16_length(state, length)
                assert units == API.max_utf32_length(state, length)
                assert units >= length // 4096
                assert API.max_utf8_length(state, length) == min(units * 3, SIZE_MAX)
        if API.encoder_init(state, encoding, 0) == 0:
            for unit_size in (1, 2, 4):
                for length in (SIZE_MAX, SIZE_MAX - 1, SIZE_MAX // 2, SIZE_MAX // 5):
                    assert API.max_encoded_length(state, length, unit_size) >= length


def test_threads() -> None:
    """Concurrent calls through ctypes, which release the GIL, return what a single call returns."""

    def work(name: str) -> None:
        data = b"".join(inputs.vectors(name)) * 50
        expected = oracle.decode(name, data).text.encode()
        encoding = API.for_label(name.encode(), len(name))
        for _ in range(20):
            state, target = STATE(), ctypes.create_string_buffer(len(data) * 3)
            API.decoder_init(state, encoding, 0)
            read, written = SIZE(len(data)), SIZE(len(target))
            API.decode_to_utf8(state, data, read, target, written, 1)
            assert target.raw[: written.value] == expected, name

    with ThreadPoolExecutor(len(inputs.MULTI_BYTE_NAMES)) as pool:
        list(pool.map(work, inputs.MULTI_BYTE_NAMES))


BLOCKS = ("decode[UTF-8]", "decode[UTF-16LE]", "decode[windows-1252]", "decode[gb18030]", "encode[UTF-8]",
          "encode[ISO-2022-JP]")  # fmt: skip
AGAIN = [f"tests/capi/test_vectors.py::test_{test.replace('[', '_beyond_every_block[')}" for test in BLOCKS]
AGAIN.append("tests/capi/test_vectors.py::test_decode_every_split_and_capacity[Shift_JIS]")


@pytest.mark.parametrize("simd", OTHERS)
@pytest.mark.repeated
def test_instruction_set(simd: str) -> None:
    fail_unless_passed(AGAIN, simd)
