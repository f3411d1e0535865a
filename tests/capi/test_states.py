"""What a decoder or an encoder tells between calls, encoders after an unmappable code point, and refused flags."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator

import pytest

from tests.capi.conftest import FORMS
from tests.capi.table import (
    API,
    BOM_REMOVE,
    BOM_SNIFF,
    DECODE,
    ENCODE,
    FATAL,
    INPUT_EMPTY,
    INVALID,
    MARKS,
    SIZE,
    SIZE_MAX,
    STATE,
    UNMAPPABLE,
    expected_with_mark,
)
from tests.reference import inputs, oracle
from tests.standard.comparison import report

every = pytest.mark.parametrize("name", inputs.ALL_NAMES)
every_encoder = pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
#: Code points that take the most bytes in an encoding, or change its state each time.
COSTLY = ("\ufffd", "\uffff", "\U0010ffff", "あ", "あ\uffff", "あ\U0010ffff", "あa", "¥あ", "¥\uffff", "\ue5e5", "\x1b")


def encoding_of(name: str) -> int:
    encoding: int = API.for_label(name.encode(), len(name))
    return encoding


def decoder(name: str, flags: int = 0) -> ctypes.Array[ctypes.c_uint64]:
    state = STATE()
    API.decoder_init(state, encoding_of(name), flags)
    return state


def encoder(name: str, flags: int = 0) -> ctypes.Array[ctypes.c_uint64]:
    state = STATE()
    assert API.encoder_init(state, encoding_of(name), flags) == 0
    return state


def encode(state: object, unit_size: int, source: bytes, capacity: int, last: bool) -> tuple[int, int, bytes]:
    """Return the result of one call, the units that it read, and its output."""
    target = ctypes.create_string_buffer(capacity)
    read, written = SIZE(len(source) // unit_size), SIZE(capacity)
    result = ENCODE[unit_size](state, source, read, target, written, last)
    return result, read.value, target.raw[: written.value]


# --- Decoders ---------------------------------------------------------------------------------------------------------


@every
def test_pending_length(name: str) -> None:
    """After each chunk, the bytes of the incomplete sequence at its end are pending, as in the reference."""

    def differences() -> Iterator[str]:
        for data in [*inputs.vectors(name), *inputs.random_inputs(name, 40)]:
            for step in (1, 2, 3, len(data) + 1):
                state, reference = decoder(name), oracle.StreamingDecoder.of(name)
                for start in range(0, len(data), step):
                    chunk = data[start : start + step]
                    target = ctypes.create_string_buffer(64 + 3 * len(chunk))
                    written = SIZE(len(target))
                    assert API.decode_to_utf8(state, chunk, SIZE(len(chunk)), target, written, 0) == INPUT_EMPTY
                    reference.decode(chunk)
                    pending = API.pending_length(state)
                    if pending != len(reference.pending):
                        yield f"{data[: start + step].hex(' ')} by {step}: {pending}, not {len(reference.pending)}"
                assert API.decode_to_utf8(state, None, SIZE(0), target, SIZE(len(target)), 1) == INPUT_EMPTY
                assert API.pending_length(state) == 0

    report(differences())


@pytest.mark.parametrize(
    ("name", "flags", "data", "pending"),
    [
        ("windows-1252", BOM_SNIFF, b"\xef", 1), ("windows-1252", BOM_SNIFF, b"\xef\xbb", 2),
        ("windows-1252", BOM_SNIFF, b"\xef\xbb\xbf", 0), ("windows-1252", BOM_SNIFF, b"\xff", 1),
        ("windows-1252", BOM_SNIFF, b"\xff\xfe\x00", 1), ("UTF-8", BOM_REMOVE, b"\xef\xbb", 2),
        ("UTF-8", BOM_REMOVE, b"\xff", 0), ("windows-1252", 0, b"\xef\xbb", 0),
    ],
)  # fmt: skip
def test_what_may_be_a_byte_order_mark_is_pending(name: str, flags: int, data: bytes, pending: int) -> None:
    state, target = decoder(name, flags), ctypes.create_string_buffer(64)
    assert API.decode_to_utf8(state, data, SIZE(len(data)), target, SIZE(64), 0) == INPUT_EMPTY
    assert API.pending_length(state) == pending


@pytest.mark.parametrize("flags", [BOM_SNIFF, BOM_REMOVE, BOM_SNIFF | BOM_REMOVE])
@pytest.mark.parametrize("name", ["windows-1252", "UTF-8", "UTF-16BE", "UTF-16LE", "ISO-2022-JP", "replacement"])
def test_a_second_stream_forgets_the_mark_of_the_first(name: str, flags: int) -> None:
    streams = [b"", b"ab", b"\xe9", *MARKS.values(), *(mark + b"a\0" for mark in MARKS.values()), b"\xef\xbb", b"\xff"]
    for data in itertools.product(streams, repeat=2):
        for is_split in (False, True):
            state = decoder(name, flags)
            for stream in data:
                text, final = expected_with_mark(name, stream, flags)
                output = b""
                chunks = [stream[:1], stream[1:], b""] if is_split else [stream]
                for number, chunk in enumerate(chunks):
                    target, written = ctypes.create_string_buffer(64), SIZE(64)
                    last = number == len(chunks) - 1
                    assert API.decode_to_utf8(state, chunk, SIZE(len(chunk)), target, written, last) == INPUT_EMPTY
                    output += target.raw[: written.value]
                assert output == text.text.encode(), (data, stream)
                assert API.name(API.decoder_encoding(state)).decode() == final, (data, stream)
                assert API.error_count(state) == len(text.spans)


@pytest.mark.parametrize("flags", [8, 0x80, 0x100, 0x80000000, FATAL | 8, 0x100 | BOM_SNIFF, 0xFFFFFFFF])
def test_a_decoder_refuses_unknown_flags(flags: int) -> None:
    """It has no encoding, and neither reads nor writes; the same memory can be initialized again."""
    state = decoder("Shift_JIS", flags)
    assert API.decoder_encoding(state) is None
    assert (API.max_utf8_length(state, 9), API.max_utf16_length(state, 9), API.max_utf32_length(state, 9)) == (0, 0, 0)
    assert (API.error_count(state), API.pending_length(state)) == (0, 0)
    for call in DECODE.values():
        for last in (0, 1):
            target = ctypes.create_string_buffer(b"\xaa" * 64, 64)
            read, written = SIZE(3), SIZE(16)
            assert call(state, b"abc", read, target, written, last) == INVALID
            assert (read.value, written.value, target.raw) == (0, 0, b"\xaa" * 64)
    API.decoder_init(state, encoding_of("Shift_JIS"), FATAL | BOM_SNIFF | BOM_REMOVE)
    assert API.decoder_encoding(state) == encoding_of("Shift_JIS")


# --- Encoders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "flags"),
    [("Shift_JIS", flags) for flags in (2, 4, 8, 0x100, FATAL | 8, 0xFFFFFFFF)]
    + [(name, 0) for name in ("replacement", "UTF-16BE", "UTF-16LE")],
)
def test_an_encoder_refuses_unknown_flags_and_encodings_without_encoder(name: str, flags: int) -> None:
    state = STATE(*[0x5A5A5A5A5A5A5A5A] * 8)
    assert API.encoder_init(state, encoding_of(name), flags) == -1
    for unit_size in ENCODE:
        assert encode(state, unit_size, b"abcd", 16, True) == (INVALID, 0, b"")
        assert API.max_encoded_length(state, 9, unit_size) == 0
        assert API.max_encoded_length_with_references(state, 9, unit_size) == 0
    assert (API.reference_count(state), API.unmappable(state)) == (0, 0)


@every_encoder
def test_reference_count(name: str) -> None:
    """It counts since the start of the stream, is kept at its end, and starts at 0 again with the next stream."""
    state = encoder(name)
    for text in ("a\uffff\ue5e5b", "あ\U0010ffff", "\x1b", "abc", "\ud800"):
        total = 0
        for unit in text + text:
            source = unit.encode(FORMS[2], "surrogatepass")
            assert encode(state, 2, source, 32, False)[0] == INPUT_EMPTY
            total += len(source) // 2 if unit == "\ud800" else 0
        assert encode(state, 2, b"", 32, True)[0] == INPUT_EMPTY
        expected = len(oracle.encode(name, text + text).spans)
        assert API.reference_count(state) == expected, text
        assert API.reference_count(STATE(*state)) == expected
    assert encode(state, 2, b"", 0, False) == (INPUT_EMPTY, 0, b"")
    assert API.reference_count(state) == 0


@every_encoder
def test_the_upper_bound_with_references_suffices_for_one_call(name: str) -> None:
    """Text that takes the most bytes, after any state that an earlier call may have left."""

    def differences() -> Iterator[str]:
        for costly in COSTLY:
            for unit_size, form in FORMS.items():
                units = costly.encode(form)
                for start in ("", "あ", "¥", "\ud83d"):
                    if start == "\ud83d" and unit_size != 2:
                        continue
                    for count in (0, 1, 2, 3, 40, 700):
                        state = encoder(name)
                        encode(state, unit_size, start.encode(form, "surrogatepass"), 32, False)
                        length = len(units) // unit_size * count
                        capacity = API.max_encoded_length_with_references(state, length, unit_size)
                        result, read, _ = encode(state, unit_size, units * count, capacity, True)
                        if (result, read) != (INPUT_EMPTY, length):
                            yield f"{start!r} {costly!r} × {count} unit {unit_size}: {result}, read {read}"

    report(differences())


@every_encoder
def test_malformed_utf_8_within_the_upper_bound(name: str) -> None:
    for source in (b"\xff", b"\xe3\x81", b"\xf0\x9f\x92", b"\xe3\x81\x82\xff", b"\xc2"):
        for count in (1, 2, 50):
            state = encoder(name)
            assert encode(state, 1, b"\xf0\x9f\x92", 0, False)[:2] == (INPUT_EMPTY, 3)
            capacity = API.max_encoded_length_with_references(state, len(source) * count, 1)
            assert encode(state, 1, source * count, capacity, True)[:2] == (INPUT_EMPTY, len(source) * count)


def test_upper_bounds_with_references_that_no_size_t_holds() -> None:
    for name in inputs.ENCODER_NAMES:
        state = encoder(name)
        for unit_size, per_unit in ((1, 8), (2, 8), (4, 10)):
            bound = API.max_encoded_length_with_references
            assert bound(state, SIZE_MAX, unit_size) == SIZE_MAX
            if name != "UTF-8":
                assert bound(state, SIZE_MAX // per_unit, unit_size) == SIZE_MAX
                assert bound(state, 1000, unit_size) <= 1000 * per_unit + 8
            else:
                assert bound(state, 1000, unit_size) == API.max_encoded_length(state, 1000, unit_size)


@every_encoder
@pytest.mark.parametrize("own", ["?", "[U+1234]", "&#x1234;"])
def test_the_state_after_unmappable(name: str, own: str) -> None:
    """A caller's replacement, appended to the output so far, decodes as itself. Only INPUT_EMPTY ends a stream."""
    texts = ["\uffff", "あ\uffff", "¥\uffff¥あ\uffff\uffff", "あ\ue5e5\x1bあ\x0e", "\uffff" * 3 + "‾\U0010ffff"]
    for text in [*texts, *inputs.random_texts(name, 10)]:
        errors = oracle.encode(name, text).spans
        expected = text
        for start, end in reversed(errors):
            expected = expected[:start] + own + expected[end:]
        scalar_values = "".join(chr(value.value) for value in oracle.scalar_values(expected))
        for unit_size, form in FORMS.items():
            source = "".join(chr(value.value) for value in oracle.scalar_values(text)).encode(form)
            state, output, count, result = encoder(name, FATAL), b"", 0, UNMAPPABLE
            while result == UNMAPPABLE:
                result, read, written = encode(state, unit_size, source, 4096, True)
                source = source[read * unit_size :]
                output += written
                if result == UNMAPPABLE:
                    output += own.encode("ascii")
                    count += 1
            assert (result, source, count) == (INPUT_EMPTY, b"", len(errors))
            assert output == oracle.encode(name, scalar_values).output


def test_an_unmappable_code_point_that_is_left_out_of_iso_2022_jp() -> None:
    """Two escape sequences in a row are an error for decoders, as the header warns."""
    state, source = encoder("ISO-2022-JP", FATAL), "あ\uffffあ".encode(FORMS[2])
    result, read, start = encode(state, 2, source, 64, True)
    assert (result, read) == (UNMAPPABLE, 2)
    result, read, end = encode(state, 2, source[4:], 64, True)
    assert (result, read) == (INPUT_EMPTY, 1)
    assert start + end == b'\x1b$B$"\x1b(B\x1b$B$"\x1b(B'
    assert oracle.decode("ISO-2022-JP", start + end).text == "あ\ufffdあ"


# --- Encodings --------------------------------------------------------------------------------------------------------


@every
def test_properties(name: str) -> None:
    """https://encoding.spec.whatwg.org/#legacy-single-byte-encodings and #ascii-compatible decide."""
    encoding = encoding_of(name)
    assert API.is_single_byte(encoding) == int(name in inputs.ONE_BYTE_NAMES)
    ascii_bytes = bytes(range(0x80))
    keeps_ascii = oracle.decode(name, ascii_bytes).text == ascii_bytes.decode("ascii")
    assert API.is_ascii_compatible(encoding) == int(keeps_ascii and name not in ("ISO-2022-JP",))
