"""The C API's table through ctypes, and streams in heap blocks of exactly the size that the API is given."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import whatwg_encoding as we
from tests.reference import oracle

SIZE = ctypes.c_size_t
SIZE_MAX = (1 << 8 * ctypes.sizeof(SIZE)) - 1
POINTER = ctypes.c_void_p
OUT = ctypes.POINTER(SIZE)
CONVERT = ctypes.CFUNCTYPE(ctypes.c_int, POINTER, POINTER, OUT, POINTER, OUT, ctypes.c_int)
FATAL, BOM_SNIFF, BOM_REMOVE = 1, 2, 4
INVALID, INPUT_EMPTY, OUTPUT_FULL, MALFORMED, UNMAPPABLE = range(-1, 4)


class Guess(ctypes.Structure):
    """``whatwg_guess``."""

    _fields_ = (("encoding", POINTER), ("bits", ctypes.c_int64))


class ErrorSpan(ctypes.Structure):
    """``whatwg_error_span``."""

    _fields_ = (("offset", SIZE), ("length", SIZE))


class DetectOptions(ctypes.Structure):
    """``whatwg_detect_options``."""

    _fields_ = (
        ("size", SIZE), ("limit", SIZE), ("candidates", ctypes.POINTER(POINTER)), ("candidate_count", SIZE),
        ("declared", ctypes.POINTER(POINTER)), ("declared_count", SIZE),
    )  # fmt: skip


F, TEXT, FLAGS = ctypes.CFUNCTYPE, ctypes.c_char_p, ctypes.c_uint32
LENGTH = F(SIZE, POINTER, SIZE)
ENCODED_LENGTH = F(SIZE, POINTER, SIZE, ctypes.c_int)


class Table(ctypes.Structure):
    """``whatwg_encoding_api``, as the header declares it."""

    _fields_ = (
        ("abi", ctypes.c_uint32), ("size", ctypes.c_uint32),
        ("for_label", F(POINTER, POINTER, SIZE)), ("for_bom", F(POINTER, TEXT, SIZE, OUT)),
        ("by_index", F(POINTER, SIZE)), ("name", F(TEXT, POINTER)), ("output_encoding", F(POINTER, POINTER)),
        ("decoder_init", F(None, POINTER, POINTER, FLAGS)), ("decoder_encoding", F(POINTER, POINTER)),
        ("decode_to_utf8", CONVERT), ("decode_to_utf16", CONVERT), ("decode_to_utf32", CONVERT),
        ("max_utf8_length", LENGTH), ("max_utf16_length", LENGTH), ("max_utf32_length", LENGTH),
        ("malformed", F(None, POINTER, OUT, OUT)), ("error_count", F(ctypes.c_uint64, POINTER)),
        ("valid_up_to", F(SIZE, POINTER, TEXT, SIZE)), ("encoder_init", F(ctypes.c_int, POINTER, POINTER, FLAGS)),
        ("encode_from_utf8", CONVERT), ("encode_from_utf16", CONVERT), ("encode_from_utf32", CONVERT),
        ("max_encoded_length", ENCODED_LENGTH), ("unmappable", F(ctypes.c_uint32, POINTER)),
        ("pending_length", F(SIZE, POINTER)), ("reference_count", F(ctypes.c_uint64, POINTER)),
        ("max_encoded_length_with_references", ENCODED_LENGTH), ("is_ascii_compatible", F(ctypes.c_int, POINTER)),
        ("is_single_byte", F(ctypes.c_int, POINTER)), ("label", F(TEXT, POINTER, SIZE)),
        ("detect", F(SIZE, TEXT, SIZE, ctypes.POINTER(DetectOptions), ctypes.POINTER(Guess), SIZE)),
        ("errors", F(SIZE, POINTER, TEXT, SIZE, ctypes.POINTER(ErrorSpan), SIZE)),
    )  # fmt: skip


def api_address() -> int:
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
    address: int = get_pointer(we._C_API, b"whatwg_encoding._C_API")
    return address


API = Table.from_address(api_address())
STATE = ctypes.c_uint64 * 8


DECODE = {1: API.decode_to_utf8, 2: API.decode_to_utf16, 4: API.decode_to_utf32}
ENCODE = {1: API.encode_from_utf8, 2: API.encode_from_utf16, 4: API.encode_from_utf32}


class Stream(NamedTuple):
    """The result of a stream: its output, the errors that were returned, and how many errors were replaced.

    An error is its end position in units of the source and, for a decoder, its length or, for an encoder, its code
    point. In the output it appears as U+FFFD or as a character reference.
    """

    output: bytes
    errors: list[tuple[int, int]]
    replaced: int
    name: str


def _block(data: bytes) -> object:
    return (ctypes.c_char * len(data)).from_buffer_copy(data) if data else None


def run_stream(name: str, unit_size: int, flags: int, chunks: Sequence[bytes], capacities: Iterator[int], *,
               decodes: bool) -> Stream:  # fmt: skip
    """Decode or encode the chunks with the given capacities, one per call; the state is moved before each call."""
    encoding = API.for_label(name.encode(), len(name))
    state = STATE()
    if decodes:
        API.decoder_init(state, encoding, flags)
    else:
        assert API.encoder_init(state, encoding, flags) == 0
    source_unit, target_unit = (1, unit_size) if decodes else (unit_size, 1)
    call = (DECODE if decodes else ENCODE)[unit_size]
    output, errors, total = bytearray(), [], 0
    for number, chunk in enumerate(chunks):
        last, result, more = number == len(chunks) - 1, OUTPUT_FULL, 0
        while result != INPUT_EMPTY:
            capacity = next(capacities) + more
            state = STATE(*state)
            source, target = _block(chunk), _block(bytes(capacity * target_unit))
            read, written = SIZE(len(chunk) // source_unit), SIZE(capacity)
            result = call(state, source, read, target, written, last)
            assert written.value <= capacity
            assert read.value * source_unit <= len(chunk)
            if target is not None:
                output += bytes(target)[: written.value * target_unit]  # type: ignore[call-overload]
            chunk = chunk[read.value * source_unit :]
            total += read.value
            more = more + 1 if result == OUTPUT_FULL and not read.value and not written.value else 0
            assert more < 14, "no progress"
            if result == MALFORMED:
                length, after = SIZE(), SIZE()
                API.malformed(state, length, after)
                errors.append((total - after.value, length.value))
                output += {1: b"\xef\xbf\xbd", 2: b"\xfd\xff", 4: b"\xfd\xff\0\0"}[unit_size]
            elif result == UNMAPPABLE:
                errors.append((total, API.unmappable(state)))
                output += f"&#{API.unmappable(state)};".encode()
        assert chunk == b""
    final = API.name(API.decoder_encoding(state)).decode() if decodes else name
    return Stream(bytes(output), errors, API.error_count(state) if decodes else 0, final)


MARKS = {"UTF-8": b"\xef\xbb\xbf", "UTF-16BE": b"\xfe\xff", "UTF-16LE": b"\xff\xfe"}


def expected_with_mark(name: str, data: bytes, flags: int) -> tuple[oracle.Decoded, str]:
    """Return the result of decoding with BOM handling, and the name of the encoding that was used."""
    final, length = name, 0
    for encoding, mark in MARKS.items():
        if data.startswith(mark) and (flags & BOM_SNIFF or encoding == name):
            final, length = encoding, len(mark)
    text, spans = oracle.decode(final, data[length:])
    return oracle.Decoded(text, tuple((start + length, end + length) for start, end in spans)), final
