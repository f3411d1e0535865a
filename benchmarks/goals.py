"""The floors of the conversions: minimum ratios to peers in the same run, and maximum times."""

from __future__ import annotations

import whatwg_encoding as we
from benchmarks.corpus import Style
from benchmarks.measure import Goal
from benchmarks.peers import CPYTHON, Direction, same_semantics

LATIN = frozenset(["cs", "cy", "de", "en", "eo", "fr", "is", "lt", "lv", "ro", "tr", "vi"])
TWO_BYTE = frozenset({"Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK", "gb18030"})
CPYTHON_ONLY = frozenset({CPYTHON})

#: Whether the instruction set in use has vectors of 32 bytes or more; the floors of 128-bit vectors are lower.
_WIDE = we.cpu_features()["simd"] in ("avx2", "avx512")

#: Sizes of input that the floors apply to.
PAGE_SIZES = ("64 KiB", "1 MiB")
#: Maximum time of a call on 20 bytes, in seconds.
SMALL_CALL = 150e-9


def one_shot(encoding: we.Encoding, direction: Direction, language: str, style: Style, size: str) -> Goal | None:
    """Return the goal of one call on valid text, or None if there is none."""
    if size == "20 B":
        at_most = SMALL_CALL if direction == "decode" else None
        return Goal(f"20-byte {direction}", 1.0, same_semantics(encoding, direction), at_most)
    if size not in PAGE_SIZES or encoding.name in ("x-user-defined", "replacement"):
        return None
    return (_decode if direction == "decode" else _encode)(encoding.name, language in LATIN, style == "plain text")


def _decode(name: str, latin: bool, plain: bool) -> Goal:
    if name == "UTF-8" and latin:
        return Goal("UTF-8 decode, ASCII and Latin", 2.0, CPYTHON_ONLY)
    if name == "UTF-8":
        return Goal("UTF-8 decode, non-Latin", 2.5 if _WIDE else 1.5 if plain else 1.8, CPYTHON_ONLY)
    if name.startswith("UTF-16"):
        return Goal("UTF-16LE/BE decode", 1.5, CPYTHON_ONLY)
    if name == "ISO-2022-JP":
        return Goal("ISO-2022-JP decode", 4.0)
    if name in TWO_BYTE:
        return Goal("Two-byte decode", 5.0 if plain else 3.5 if _WIDE else 3.0)
    if latin:
        return Goal("Latin single-byte decode", 3.0)
    # Below AVX2 the lookup is scalar: 128-bit vectors need as many shuffles for half as many bytes.
    return Goal("Other single-byte decode", 3.0 if _WIDE else 1.2)


def _encode(name: str, latin: bool, plain: bool) -> Goal | None:
    if name == "UTF-8":
        return None if latin else Goal("UTF-8 encode, non-Latin", 1.5 if plain or _WIDE else 2.5, CPYTHON_ONLY)
    if name in TWO_BYTE or name == "ISO-2022-JP":
        return Goal("CJK encode", 1.6 if plain else 4.0, CPYTHON_ONLY)
    return Goal("Single-byte encode", 3.0, frozenset({CPYTHON, "endec"}))


def instructions(direction: str, name: str, language: str, style: str) -> float | None:
    """Return the minimum ratio of CPython's instructions on AArch64 to ours, or None if there is no floor."""
    decode, plain = direction == "decode", style == "plain text"
    if name == "UTF-8" and language in LATIN:
        return 2.0 if decode else 5.0
    if name == "UTF-8":
        return (2.0 if plain else 1.8) if decode else (2.5 if plain else 4.0)
    if name.startswith("UTF-16"):
        return 3.5
    if name not in TWO_BYTE:
        return None
    if decode:
        return {"Shift_JIS": 8.0, "EUC-KR": 6.0}.get(name, 7.0) if plain else 14.0
    return {"Shift_JIS": 6.5, "EUC-KR": 4.0}.get(name, 5.0) if plain else 8.0
