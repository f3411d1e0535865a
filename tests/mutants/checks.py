"""What is compared for each algorithm: the inputs of tests in tests/standard, and what the package makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import whatwg_encoding as we
from generator.model import SINGLE_BYTE_HEADING
from generator.spec.machine import CONTINUE, END_OF_QUEUE, FINISHED, Error, Handler, Machine
from tests.pinned import PINNED
from tests.reference import inputs, oracle


@dataclass(frozen=True)
class Check:
    """A test, and inputs of it, in an encoding."""

    test: str
    """Its module in tests/standard and its name."""
    name: str
    kind: str
    given: Callable[[], Iterable[Any]]


@cache
def cases(check: Check) -> tuple[tuple[tuple[int, ...], list[int]], ...]:
    """Return the items of each input, and what the package decodes or encodes them to."""
    encoding = we.ENCODINGS[check.name]
    if check.kind == "decoder":
        return tuple((tuple(data), list(map(ord, encoding.decode(data)))) for data in check.given())
    texts = ((text, tuple(each.value for each in oracle.scalar_values(text))) for text in check.given())
    return tuple((items, list(encoding.encode(text))) for text, items in texts)


FAILURES = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)
"""What a program without one of its statements may raise, which differs, too."""


def differs(check: Check, machine: Machine) -> bool:
    """Return whether the standard, as a machine runs it, differs from the package for an input of a check."""
    try:
        handler = machine.handler(ENCODINGS[check.name], check.kind, _index(check.name))
        if handler is None:
            return True
        return any(outcome(handler, items) != expected for items, expected in cases(check))
    except FAILURES:
        return True


def outcome(handler: Handler, items: Sequence[int]) -> list[int] | None:
    """Return the code points or bytes of an input, errors replaced; None if the handler does not come to an end."""
    handler.state = handler.initial
    found: list[int] = []
    left = list(reversed(items))
    for _ in range(16 * len(items) + 64):
        result, restored = handler.handle(left.pop() if left else END_OF_QUEUE)
        if restored:
            left.extend(reversed(restored))
        if result is FINISHED:
            return found
        if isinstance(result, Error):
            found += [0xFFFD] if result.code_point is None else b"&#%d;" % result.code_point
        elif result is not CONTINUE:
            found += result
    return None


ENCODINGS = {encoding.name: encoding for encoding in PINNED.encodings}


def _index(name: str) -> str:
    return name.lower() if ENCODINGS[name].heading == SINGLE_BYTE_HEADING else ""


# -- The tests ---------------------------------------------------------------------------------------------------------


def _decoder(module: str, test: str, name: str, given: Callable[[], Iterable[bytes]]) -> Check:
    return Check(f"{module}::{test}", name, "decoder", given)


def _decoders(name: str, module: str = "", **more: Callable[[], Iterable[bytes]]) -> list[Check]:
    """Return the checks of a decoder, those first that find most: vectors, boundary bytes, then all bytes.

    ``more`` are tests of the chapter's module.
    """
    found = [
        _decoder(_HANDLERS, "test_random_inputs", name, lambda: inputs.random_inputs(name, 300)),
        _decoder(_HANDLERS, "test_every_one_and_two_bytes", name, inputs.one_and_two_bytes),
    ]
    found += [_decoder(module, test, name, given) for test, given in more.items()]
    if name in inputs.BOUNDARY_BYTES:
        three = (_HANDLERS, "test_three_bytes_at_end_of_queue")
        if "UTF-16" in name:
            three = (_OTHER, "test_three_to_five_bytes_at_end_of_queue")
        found.append(_decoder(*three, name, lambda: inputs.boundary_inputs(name, 3)))
    return found


def _encoders(name: str, module: str = "", **more: Callable[[], Iterable[str]]) -> list[Check]:
    def every() -> Iterator[str]:
        some = (*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x110000, 256), 0x10FFFF)
        yield from map(chr, some)

    texts = Check(f"{_HANDLERS}::test_texts", name, "encoder", lambda: inputs.random_texts(name, 300))
    found = [texts]
    if not more:
        single = f"{_HANDLERS}::test_every_scalar_value"
        if name == "UTF-8":
            single = f"{_UTF_8_CHECKS}::test_every_scalar_value_against_cpython"
        found.append(Check(single, name, "encoder", every))
    return found + [Check(f"{module}::{test}", name, "encoder", given) for test, given in more.items()]


_ESCAPES = (b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B")


def _after_escapes() -> Iterator[bytes]:
    for escape in _ESCAPES:
        yield from (escape + data for data in inputs.one_and_two_bytes())


def _four_after_escapes() -> Iterator[bytes]:
    few = bytes.fromhex("0E 1B 21 24 28 40 42 49 4A 5C 7E 80")
    yield from (escape + bytes(data) for escape in _ESCAPES for data in product(few, repeat=4))


def _escapes() -> Iterator[bytes]:
    pieces = [*_ESCAPES, b"\x1b$@", b"\x1b", b"\x1b$", b"\x1b(", b"\x1b(H", b"$", b'$"', b"a", b"\n", b"\x80"]
    yield from (b"".join(sequence) for sequence in product(pieces, repeat=3))


def _in_every_state() -> Iterator[str]:
    some = (*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x110000, 4096))
    yield from (before + chr(code_point) for before in ("", "a", "\xa5", "\u3042") for code_point in some)


def _transitions() -> Iterator[str]:
    yield from map("".join, product("a\\~\x0e\x1b\xa5\u203e\uff71\u3042\u20ac", repeat=4))


def _utf_8() -> Iterator[bytes]:
    firsts = bytes.fromhex("41 7F 80 BF C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FF")
    seconds = bytes.fromhex("41 7F 80 8F 90 9F A0 BF C0 C2 E0 F0 FF")
    others = bytes.fromhex("41 7F 80 BF C0 E0 FF")
    yield from (bytes(sequence) for sequence in product(firsts, seconds, others, others))


def _gb18030_four() -> Iterator[bytes]:
    few = bytes.fromhex("30 39 41 7F 80 81 FE FF")
    yield from map(bytes, product(few, repeat=4))
    yield from map(bytes, product(few, repeat=5))


def _gb18030_pointers() -> Iterator[bytes]:
    """Yield four bytes for each pointer below U+10000's, and for those around the ends of the others."""
    for pointer in (*range(39600), *range(188900, 189100), *range(1237400, 1237700)):
        first, second, third, fourth = pointer // 12600, pointer // 1260 % 10, pointer // 10 % 126, pointer % 10
        yield bytes((first + 0x81, second + 0x30, third + 0x81, fourth + 0x30))


def _gb18030_third_and_fourth() -> Iterator[bytes]:
    yield from (bytes((0x81, 0x30, third, fourth, 0x0A)) for third in (0x30, 0x81, 0xFE) for fourth in range(0x100))


def _euc_jp_four() -> Iterator[bytes]:
    yield from map(bytes, product(bytes.fromhex("41 7F 8E 8F A0 A1 B0 DF E0 FE FF"), repeat=4))


def _jis0212() -> Iterator[bytes]:
    yield from (b"\x8f" + bytes(pair) for pair in product(range(0x8E, 0x100), repeat=2))


def _surrogates() -> Iterator[bytes]:
    ends = (0, 0x41, 0xD7FF, 0xD800, 0xD801, 0xDBFE, 0xDBFF, 0xDC00, 0xDC01, 0xDFFE, 0xDFFF, 0xE000, 0xFFFD, 0xFFFF)
    yield from (b"".join(unit.to_bytes(2) for unit in units) for units in product(ends, repeat=3))
    yield from (surrogate.to_bytes(2) + b"\0A" for surrogate in range(0xD800, 0xE000))


def _replacement() -> Iterator[bytes]:
    yield from inputs.one_and_two_bytes()
    yield from (b"", b"a" * 1000)


_UTF_8_CHECKS = "test_08_utf_8.py"
_SIMPLIFIED, _JAPANESE = "test_10_chinese_simplified.py", "test_12_japanese.py"
_OTHER, _SINGLE, _HANDLERS = "test_14_miscellaneous.py", "test_09_single_byte.py", "test_handlers.py"
_SINGLE_NAMES = ("windows-1252", "windows-1253", "KOI8-U", "ISO-8859-8")


def _one_byte(name: str) -> list[Check]:
    every_byte = _decoder(_SINGLE, "test_every_byte", name, lambda: (bytes([byte]) for byte in range(256)))
    return [every_byte, _decoder(_HANDLERS, "test_random_inputs", name, lambda: inputs.random_inputs(name, 200))]


_RANGES = [_decoder("test_05_indexes.py", "test_index_gb18030_ranges", "gb18030", _gb18030_pointers)]
_GB18030 = [
    *_decoders(
        "gb18030",
        _SIMPLIFIED,
        test_every_third_and_fourth_byte=_gb18030_third_and_fourth,
        test_four_to_six_bytes_at_end_of_queue=_gb18030_four,
    ),
    *_RANGES,
]
_GB18030_ENCODERS = [*_encoders("gb18030"), *_encoders("GBK")]
_UTF_16BE = _decoders("UTF-16BE", _OTHER, test_every_surrogate_shape=_surrogates)

CHECKS: dict[str, list[Check]] = {
    "index-gb18030-ranges-code-point": _GB18030,
    "index-gb18030-ranges-pointer": _GB18030_ENCODERS,
    "index-shift_jis-pointer": _encoders("Shift_JIS"),
    "index-big5-pointer": _encoders("Big5"),
    "utf-8-decoder": _decoders("UTF-8", _UTF_8_CHECKS, test_four_bytes_at_end_of_queue=_utf_8),
    "utf-8-encoder": _encoders("UTF-8"),
    "single-byte-decoder": [check for name in _SINGLE_NAMES for check in _one_byte(name)],
    "single-byte-encoder": [check for name in _SINGLE_NAMES for check in _encoders(name)],
    "gbk-encoder": _encoders("GBK"),
    "gb18030-decoder": _GB18030,
    "gb18030-encoder": _GB18030_ENCODERS,
    "big5-decoder": _decoders("Big5"),
    "big5-encoder": _encoders("Big5"),
    "euc-jp-decoder": _decoders(
        "EUC-JP",
        _JAPANESE,
        test_euc_jp_four_bytes_at_end_of_queue=_euc_jp_four,
        test_euc_jp_every_three_bytes_of_jis0212_at_end_of_queue=_jis0212,
    ),
    "euc-jp-encoder": _encoders("EUC-JP"),
    "iso-2022-jp-decoder": _decoders(
        "ISO-2022-JP",
        _JAPANESE,
        test_iso_2022_jp_sequences_of_escapes=_escapes,
        test_iso_2022_jp_four_bytes=_four_after_escapes,
        test_iso_2022_jp_every_two_bytes=_after_escapes,
    ),
    "iso-2022-jp-encoder": _encoders(
        "ISO-2022-JP",
        _JAPANESE,
        test_iso_2022_jp_transitions=_transitions,
        test_iso_2022_jp_every_scalar_value=_in_every_state,
    ),
    "shift_jis-decoder": _decoders("Shift_JIS"),
    "shift_jis-encoder": _encoders("Shift_JIS"),
    "euc-kr-decoder": _decoders("EUC-KR"),
    "euc-kr-encoder": _encoders("EUC-KR"),
    "replacement-decoder": [
        _decoder(_OTHER, "test_replacement_is_one_error_for_whatever_there_is", "replacement", _replacement)
    ],
    "shared-utf-16-decoder": [*_UTF_16BE, *_decoders("UTF-16LE")],
    "utf-16be-decoder": _UTF_16BE,
    "x-user-defined-decoder": _one_byte("x-user-defined"),
    "x-user-defined-encoder": _encoders("x-user-defined"),
}
"""The checks of each algorithm that has statements, in order."""
