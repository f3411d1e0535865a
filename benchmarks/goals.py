"""The goals of the benchmarks: minimum ratios to peers in the same run, and maximum times."""

from __future__ import annotations

import whatwg_encoding as we
from benchmarks.corpus import Style
from benchmarks.measure import Goal
from benchmarks.peers import CPYTHON, Direction, same_semantics

LATIN = frozenset(["cs", "cy", "de", "en", "eo", "fr", "is", "lt", "lv", "ro", "tr", "vi"])
TWO_BYTE = frozenset({"Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK", "gb18030"})
_CPYTHON_ONLY = frozenset({CPYTHON})

#: Whether the instruction set in use has vectors of 32 bytes or more; the floors of 128-bit vectors are lower.
_WIDE = we.cpu_features()["simd"] in ("avx2", "avx512")

#: Sizes of input that the floors apply to.
PAGE_SIZES = ("64 KiB", "1 MiB")
#: Maximum time of a call on 20 bytes, in seconds.
SMALL_CALL = 150e-9
#: Maximum time of a call of an incremental decoder, in seconds.
STREAMING_CALL = 200e-9


def one_shot(encoding: we.Encoding, direction: Direction, language: str, style: Style, size: str) -> Goal | None:
    """Return the goal of one call on valid text, or None if there is none."""
    if size == "20 B":
        at_most = SMALL_CALL if direction == "decode" else None
        return Goal(f"20-byte {direction}", 1.0, same_semantics(encoding, direction), at_most)
    if size not in PAGE_SIZES:
        return None
    return _decode(encoding, language, style) if direction == "decode" else _encode(encoding, language, style)


def _decode(encoding: we.Encoding, language: str, style: Style) -> Goal | None:
    name = encoding.name
    if name == "UTF-8":
        if language in LATIN:
            return Goal("UTF-8 decode, ASCII and Latin", 2.0, _CPYTHON_ONLY)
        narrow = 1.5 if style == "dense" else 1.8
        return Goal("UTF-8 decode, non-Latin", 2.5 if _WIDE else narrow, _CPYTHON_ONLY)
    if name.startswith("UTF-16"):
        return Goal("UTF-16LE/BE decode", 1.5, _CPYTHON_ONLY)
    if name == "ISO-2022-JP":
        return Goal("ISO-2022-JP decode", 4.0)
    if name in TWO_BYTE:
        return Goal("Two-byte decode", 5.0 if style == "dense" else 3.5 if _WIDE else 3.0)
    if not encoding.is_single_byte or name == "x-user-defined":
        return None
    if language in LATIN:
        return Goal("Latin single-byte decode", 3.0)
    # Below AVX2 the lookup is scalar: 128-bit vectors need as many shuffles for half as many bytes.
    return Goal("Other single-byte decode", 3.0 if _WIDE else 1.2)


def _encode(encoding: we.Encoding, language: str, style: Style) -> Goal | None:
    name = encoding.name
    if name == "UTF-8":
        at_least = 2.5 if style != "dense" and not _WIDE else 1.5
        return None if language in LATIN else Goal("UTF-8 encode, non-Latin", at_least, _CPYTHON_ONLY)
    if name in TWO_BYTE or name == "ISO-2022-JP":
        return Goal("CJK encode", 1.6 if style == "dense" else 4.0, _CPYTHON_ONLY)
    if not encoding.is_single_byte or name == "x-user-defined":
        return None
    return Goal("Single-byte encode", 3.0, frozenset({CPYTHON, "endec"}))


def malformed(style: str, size: str) -> Goal | None:
    """Return the goal of decoding malformed input; only the share of 1 % has one."""
    return Goal("Malformed input, 1 % errors", 2.0) if style == "1 % errors" and size in PAGE_SIZES else None


def lookup() -> Goal:
    """Return the goal of looking up a known label."""
    return Goal("Lookup of a known label", at_most=SMALL_CALL)


def sniffing(page: str) -> Goal | None:
    """Return the goal of sniffing a page, or None if there is none."""
    seconds = {"meta in the first 300 bytes": 5e-6, "1024 bytes without declaration": 15e-6}.get(page)
    return None if seconds is None else Goal(f"Sniffing, {page}", at_most=seconds)


def streaming(direction: Direction, use: str) -> Goal | None:
    """Return the goal of decoding chunks of 4 KiB: the speed of CPython's incremental decoder, for every use."""
    return Goal(f"Streaming {direction}, {use}", 1.0, _CPYTHON_ONLY) if direction == "decode" else None


def streaming_call() -> Goal:
    """Return the goal of one call of an incremental decoder."""
    return Goal("Streaming, a call", at_most=STREAMING_CALL)


def threads() -> Goal:
    """Return the goal of two threads, relative to one thread that does the same work."""
    return Goal("Two threads on 1 MiB", 1.8, frozenset({"one thread"}))


def installed_size(what: str) -> Goal:
    """Return the goal of the size on disk in bytes, of the ``"package"`` or of a compiled ``"module"``."""
    return Goal(f"Installed size, {what}", at_most={"package": 4e6, "module": 1e6}[what])
