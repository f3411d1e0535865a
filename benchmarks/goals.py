"""The floors of the conversions: minimum ratios to peers in the same run, in time and, on AArch64, in instructions."""

from __future__ import annotations

from typing import NamedTuple

import whatwg_encoding as we
from benchmarks.corpus import LATIN, Style
from benchmarks.measure import Goal
from benchmarks.peers import CPYTHON, Direction, same_semantics

TWO_BYTE = frozenset({"Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK", "gb18030"})
CPYTHON_ONLY = frozenset({CPYTHON})
#: The kinds of encoding, in the order of the table of levels.
KINDS = ("UTF-8, Latin", "UTF-8, other", "UTF-16", "two-byte", "ISO-2022-JP", "single-byte, Latin",
         "single-byte, other", "x-user-defined")  # fmt: skip

#: Sizes of input that the floors apply to.
PAGE_SIZES = ("64 KiB", "1 MiB")
#: Maximum time of a call on 20 bytes, in seconds.
SMALL_CALL = 150e-9


class Floors(NamedTuple):
    """The floors of a kind of encoding; in each pair, that of plain text is before that of markup."""

    target: str
    wide: tuple[float, float] | None
    """With vectors of 32 bytes or more."""
    narrow: tuple[float, float] | None = None
    """With vectors of 16 bytes, if it is another."""
    instructions: tuple[float, float] | None = None
    against: frozenset[str] | None = CPYTHON_ONLY


_SINGLE = Floors("Single-byte encode", (3, 3), against=frozenset({CPYTHON, "endec"}))
FLOORS = {
    ("decode", "UTF-8, Latin"): Floors("UTF-8 decode, ASCII and Latin", (2, 2), instructions=(2, 2)),
    ("decode", "UTF-8, other"): Floors("UTF-8 decode, non-Latin", (2.5, 2.5), (1.5, 1.8), (2, 1.8)),
    ("decode", "UTF-16"): Floors("UTF-16LE/BE decode", (1.5, 1.5), instructions=(3.5, 3.5)),
    ("decode", "two-byte"): Floors("Two-byte decode", (5, 3.5), (5, 3), (7, 14), None),
    ("decode", "ISO-2022-JP"): Floors("ISO-2022-JP decode", (4, 4), against=None),
    ("decode", "single-byte, Latin"): Floors("Latin single-byte decode", (3, 3), against=None),
    # Below AVX2 the lookup is scalar: 128-bit vectors need as many shuffles for half as many bytes.
    ("decode", "single-byte, other"): Floors("Other single-byte decode", (3, 3), (1.2, 1.2), against=None),
    ("encode", "UTF-8, Latin"): Floors("", None, instructions=(5, 5)),
    ("encode", "UTF-8, other"): Floors("UTF-8 encode, non-Latin", (1.5, 1.5), (1.5, 2.5), (2.5, 4)),
    ("encode", "two-byte"): Floors("CJK encode", (1.6, 4), instructions=(5, 8)),
    ("encode", "ISO-2022-JP"): Floors("CJK encode", (1.6, 4)),
    ("encode", "single-byte, Latin"): _SINGLE,
    ("encode", "single-byte, other"): _SINGLE,
}
#: The floors of single encodings in instructions, on plain text.
_OF_ONE = {("decode", "Shift_JIS"): 8, ("decode", "EUC-KR"): 6, ("encode", "Shift_JIS"): 6.5, ("encode", "EUC-KR"): 4}


def kind_of(name: str) -> str | None:
    """Return the kind of the row ``name``, an encoding and a language; None for an encoding that converts nothing."""
    encoding, language = name.split(" ")
    if encoding in ("replacement", "ISO-2022-JP", "x-user-defined"):
        return None if encoding == "replacement" else encoding
    if encoding in TWO_BYTE or encoding.startswith("UTF-16"):
        return "two-byte" if encoding in TWO_BYTE else "UTF-16"
    return f"{'UTF-8' if encoding == 'UTF-8' else 'single-byte'}, {'Latin' if language in LATIN else 'other'}"


def one_shot(encoding: we.Encoding, direction: Direction, language: str, style: Style, size: str) -> Goal | None:
    """Return the goal of one call on valid text, or None if there is none."""
    if size == "20 B":
        at_most = SMALL_CALL if direction == "decode" else None
        return Goal(f"20-byte {direction}", 1.0, same_semantics(encoding, direction), at_most)
    found = FLOORS.get((direction, kind_of(f"{encoding.name} {language}") or ""))
    if size not in PAGE_SIZES or found is None or found.wide is None:
        return None
    is_wide = we.cpu_features()["simd"] in ("avx2", "avx512")
    pair = found.wide if is_wide or found.narrow is None else found.narrow
    return Goal(found.target, pair[style == "markup"], found.against)


def instructions(direction: str, name: str, style: str) -> Goal | None:
    """Return the goal of the row ``name`` in CPython's instructions on AArch64, or None if there is none."""
    found = FLOORS.get((direction, kind_of(name) or ""))
    if found is None or found.instructions is None:
        return None
    if style == "plain text" and (least := _OF_ONE.get((direction, name.split(" ")[0]))):
        return Goal("instructions", least)
    return Goal("instructions", found.instructions[style == "markup"])
