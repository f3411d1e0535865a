"""Compare the compiled package with the reference: every fact about an input, the first differences as text."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice, product
from typing import Any

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.reference.indexes import INDEXES
from tests.reference.oracle import Span, State, StreamingDecoder
from tests.reference.processing import Error

_SHOWN = 10


def report(differences: Iterator[str]) -> None:
    """Raise AssertionError with the first differences if there are any."""
    first = list(islice(differences, _SHOWN))
    assert not first, "\n" + "\n".join(first)


_as_wide = ctypes.pythonapi.PyUnicode_AsWideCharString
_as_wide.argtypes = [ctypes.py_object, ctypes.POINTER(ctypes.c_ssize_t)]
_as_wide.restype = ctypes.c_void_p
_free_wide = ctypes.pythonapi.PyMem_Free
_free_wide.argtypes = [ctypes.c_void_p]
_free_wide.restype = None
_WIDE_CODEC = f"utf-{8 * ctypes.sizeof(ctypes.c_wchar)}-{'le' if sys.byteorder == 'little' else 'be'}"

#: CPython allocates blocks of up to 512 bytes from its own arenas. The address of a larger object is that of a block of
#: the C library, whose size malloc_usable_size returns, unless a debug hook or a sanitizer intervenes.
_ARENA_LIMIT = 512
_usable_size = None
if sys.platform == "linux" and not (
    hasattr(sys, "gettotalrefcount")
    or sys.flags.dev_mode
    or "PYTHONMALLOC" in os.environ
    or "WHATWG_ENCODING_INSTRUMENTED" in os.environ
    or not getattr(sys, "_is_gil_enabled", lambda: True)()
):
    _usable_size = ctypes.CDLL(None).malloc_usable_size
    _usable_size.argtypes = [ctypes.c_void_p]
    _usable_size.restype = ctypes.c_size_t


def wide_form(text: str) -> bytes:
    """Return the wchar_t units that CPython passes to the C library for `text`."""
    count = ctypes.c_ssize_t()
    units = _as_wide(text, ctypes.byref(count))
    try:
        return ctypes.string_at(units, count.value * ctypes.sizeof(ctypes.c_wchar))
    finally:
        _free_wide(units)


def held_memory(result: str | bytes) -> int | None:
    """Return the bytes that the allocator holds for `result`, or None where it cannot be asked.

    `sys.getsizeof` computes its result from the length of an object, and so misses an oversized block.
    """
    if _usable_size is None or sys.getsizeof(result) <= _ARENA_LIMIT:
        return None
    return _usable_size(id(result))


def holds_no_more_than_it_needs(result: str | bytes) -> bool:
    """Return whether the allocator holds at most 1/16 more than `result` needs, besides the C library's rounding."""
    if (held := held_memory(result)) is None:
        return True
    needed = sys.getsizeof(result) if isinstance(result, bytes) else smallest_size(result)
    return held <= needed + needed // 16 + (32 if needed < 100_000 else 4096)


def is_same_text(text: str, expected: str) -> bool:
    """Return whether two texts are equal, hash equally, and have the same wide form and memory size.

    A str in too wide a kind compares unequal, and one whose header does not fit its content has another wide form.
    """
    return (
        text == expected
        and hash(text) == hash(expected)
        # Python shares a single character up to U+00FF with other code, which may leave its UTF-8 with it.
        and (sys.getsizeof(text) == smallest_size(expected) or (len(text) == 1 and text <= "\xff"))
        and wide_form(text) == expected.encode(_WIDE_CODEC, "surrogatepass")
        and holds_no_more_than_it_needs(text)
    )


@lru_cache(maxsize=1)  # asked for the same text several times in a row
def smallest_size(text: str) -> int:
    """Return the memory size of a str like `text` in its smallest kind.

    This differs from the size of `text` itself if it is one of Python's shared single-character strings whose UTF-8
    form is cached.
    """
    return sys.getsizeof(text * 2) - smallest_width(text) * len(text)


def smallest_width(text: str) -> int:
    """Return the bytes per code point of the smallest kind of str for `text`."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        is_within_plane = len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text)
        return 2 if is_within_plane else 4
    return 1


def view_of(error: UnicodeError) -> tuple[str, object, Span]:
    """Return the standard's view of an error. Its reason is for people and only has to be present."""
    assert isinstance(error, UnicodeDecodeError | UnicodeEncodeError)
    assert error.reason
    return error.encoding, error.object, (error.start, error.end)


def refusal(call: Callable[..., object], *arguments: object) -> tuple[str, object, Span]:
    """Return the standard's view of the error that a call raises."""
    with pytest.raises(UnicodeError) as caught:
        call(*arguments)
    return view_of(caught.value)


def outcome(call: Callable[..., object], *arguments: object) -> Any:
    """Return what a call returns, or the standard's view of its error."""
    try:
        return call(*arguments)
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        return view_of(error)


def compare_decoder(name: str, data_items: Iterable[bytes]) -> None:
    """Compare each of `data_items` in both error modes, whole and incremental: text, memory, span, counts, UTF-8."""
    encoding = we.ENCODINGS[name]
    for data in data_items:
        text, spans = oracle.decode(name, data)
        decoder = encoding.new_decoder()
        assert is_same_text(encoding.decode(data), text), data
        assert is_same_text(decoder.decode(data, True), text), data
        assert decoder.error_count == len(spans), data
        assert encoding.valid_up_to(data) == (spans[0][0] if spans else len(data)), data
        assert encoding.decode_to_utf8(data) == text.encode(), data
        error = (name, data, spans[0]) if spans else None
        assert outcome(encoding.decode, data, "fatal") == (error or text), data
        assert outcome(encoding.decode_to_utf8, data, "fatal") == (error or text.encode()), data


def compare_encoder(name: str, texts: Iterable[str]) -> None:
    """Compare each of `texts` in both error modes: bytes, error span, encoded_length."""
    encoding = we.ENCODINGS[name]
    for text in texts:
        output, _, span = oracle.encode(name, text)
        assert encoding.encode(text) == output, text
        assert encoding.encoded_length(text) == len(output), text
        error = (name, text, span) if span else None
        assert outcome(encoding.encode, text, "fatal") == (error or output), text
        assert outcome(encoding.encoded_length, text, "fatal") == (error or len(output)), text


def compare_texts(label: str, data: bytes, text: str, expected: str) -> None:
    """Raise AssertionError with the first difference if `text`, decoded from `data`, is not `expected`."""
    if not is_same_text(text, expected):
        position = next((i for i, (a, b) in enumerate(zip(text, expected, strict=False)) if a != b), -1)
        around = slice(max(position - 4, 0), position + 8)
        raise AssertionError(
            f"{label}: {len(data)} bytes {data[:64].hex(' ')}… give {len(text)} code points, not {len(expected)}; at "
            f"{position} {text[around]!a}, not {expected[around]!a}; {sys.getsizeof(text)} bytes of memory, not "
            f"{sys.getsizeof(expected)}"
        )


def _run(state: State, data: bytes) -> tuple[str, State]:
    """Return the text that `data` adds, without end-of-queue, and the state after it."""
    decoder = StreamingDecoder(state)
    return decoder.decode(data), decoder.state


_tails: dict[object, list[str]] = {}


def _tails_after(state: State, after: bytes, ground: State) -> list[str]:
    """Return the text of each third byte followed by `after`, in a decoder's state."""
    key = (state.variables, after)
    if key not in _tails:
        row: list[str] = []
        for third in range(256):
            text, last = _run(state, bytes([third]) + after)
            assert last.variables == ground.variables, (
                f"{third:02X} {after.hex(' ')} does not lead back from {state.variables}"
            )
            row.append(text)
        _tails[key] = row
    return _tails[key]


def compare_every_three_bytes(
    name: str, *, start: bytes = b"", before: bytes = b"", after: bytes, seconds: Iterable[int] = range(256)
) -> None:
    """Compare every three bytes (second byte: `seconds`) between `before` and `after`, 65,536 inputs per call.

    `after` has to return the decoder to the state that `start` left. The reference need not run 16,777,216 times: the
    result for three bytes is that for two, followed by that for the third in the resulting state. It runs for every two
    bytes, and for every third byte in every state that these leave.
    """
    encoding = we.ENCODINGS[name]
    start_text, ground = _run(StreamingDecoder.of(name).state, start)
    seconds = bytes(seconds)
    width = len(before) + 3 + len(after)
    data = bytearray((before + bytes(3) + after) * (256 * len(seconds)))
    data[len(before) + 1 :: width] = b"".join(bytes([second]) * 256 for second in seconds)
    data[len(before) + 2 :: width] = bytes(range(256)) * len(seconds)
    for first in range(256):
        data[len(before) :: width] = bytes([first]) * (256 * len(seconds))
        expected = [start_text]
        for second in seconds:
            head, state = _run(ground, before + bytes([first, second]))
            expected.extend((head, head.join(_tails_after(state, after, ground))))
        compare_texts(f"{name} {first:02X}", start + data, encoding.decode(start + data), "".join(expected))


@cache
def _every_two_bytes(before: bytes, after: bytes) -> bytes:
    return b"".join(before + bytes(pair) + after for pair in product(range(256), repeat=2))


def compare_every_two_bytes(name: str, *, start: bytes, before: bytes = b"", after: bytes) -> None:
    """Compare every two bytes, each between `before` and `after`, all after `start`, in one call: text and UTF-8.

    `after` has to return the decoder to the state that `start` left.
    """
    start_text, ground = _run(StreamingDecoder.of(name).state, start)
    expected = [start_text]
    for first in range(256):
        head, state = _run(ground, before + bytes([first]))
        expected.extend((head, head.join(_tails_after(state, after, ground))))
    text = "".join(expected)
    data = start + _every_two_bytes(before, after)
    encoding = we.ENCODINGS[name]
    compare_texts(name, data, encoding.decode(data), text)
    assert encoding.decode_to_utf8(data) == text.encode()


@cache
def every_scalar_value() -> str:
    """Return every scalar value in order."""
    return "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))


@cache
def _numeric_references() -> tuple[bytes, ...]:
    """Return the output in error mode "html" for each of `every_scalar_value`."""
    return tuple(b"&#%d;" % ord(c) for c in every_scalar_value())


def _last_code_point(name: str) -> int:
    """Return a code point beyond which an encoding has none, by what its bytes decode to or by its indexes."""
    if name in inputs.ONE_BYTE_NAMES:
        return max(map(ord, oracle.decode(name, bytes(range(256))).text))
    used = {"Big5": "big5", "EUC-JP": "jis0208 jis0212", "EUC-KR": "euc-kr", "GBK": "gb18030", "Shift_JIS": "jis0208"}
    indexes = map(INDEXES.__getitem__, used.get(name, "").split())
    return max((code_point for index in indexes for _, code_point in index.entries), default=0x10FFFF)


def compare_every_scalar_value(name: str) -> None:
    """Compare each scalar value through a stateless encoder in both error modes; the reference encodes each alone.

    Mode "html": all in one call, and those of each kind of string in one. Mode "fatal": those that have bytes in one
    call; the others one by one up to U+FFFF, and beyond it, where no step of these encoders distinguishes errors, the
    first and last of each 4,096.
    """
    text = every_scalar_value()
    beyond = text.index("\U00010000")
    alone = (*range(beyond), *range(beyond, len(text), 4096), *range(beyond + 4095, len(text), 4096))
    # Beyond the last code point that has bytes the handler need not be run for each.
    positions = dict.fromkeys((*range(beyond), *range(beyond, _last_code_point(name) + 1 - 0x800), *alone))
    results = dict(zip(positions, oracle.encode_each(name, (ord(text[i]) for i in positions)).values(), strict=True))
    outputs = {i: bytes(result) for i, result in results.items() if isinstance(result, list)}
    errors = [i for i in alone if i not in outputs]
    assert all(results[i] == Error(ord(text[i])) for i in errors)

    html = list(_numeric_references())
    for i, output in outputs.items():
        html[i] = output
    encoding = we.ENCODINGS[name]
    for end in (0x100, beyond, len(text)):  # strings of one, two and four bytes per code point
        expected = b"".join(html[:end])
        if encoding.encode(text[:end]) != expected:
            for c, item in zip(text[:end], html, strict=False):
                assert encoding.encode(c) == item, c
            pytest.fail(f"{name}: each scalar value alone passes, but not all up to {text[end - 1]!a} in one call")
        assert encoding.encoded_length(text[:end]) == len(expected)

    encodable = "".join(text[i] for i in outputs)
    expected = b"".join(outputs.values())
    assert encoding.encode(encodable, "fatal") == expected
    assert encoding.encoded_length(encodable, "fatal") == len(expected)

    for c in (text[i] for i in errors):
        assert outcome(encoding.encode, "ab" + c, "fatal") == (name, "ab" + c, (2, 3)), c
