"""What to reach, as ratios to peers in one run: the floor below which a row loses."""

from __future__ import annotations

import whatwg_encoding as we
from benchmarks.corpus import Style
from benchmarks.measure import Goal
from benchmarks.peers import CPYTHON, Direction, same_semantics

LATIN = frozenset(["cs", "cy", "de", "en", "eo", "fr", "is", "lt", "lv", "ro", "tr", "vi"])
TWO_BYTE = frozenset({"Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK", "gb18030"})
_CPYTHON_ONLY = frozenset({CPYTHON})

#: Whether the level in use has vectors of 32 bytes or more. The floors of levels of 128 bits are lower.
_WIDE = we.cpu_features()["simd"] in ("avx2", "avx512")

#: The sizes of pages, which the floors of whole texts hold for.
PAGE_SIZES = ("64 KiB", "1 MiB")
#: What a call on 20 bytes may take, in seconds.
SMALL_CALL = 150e-9
#: What a call of an incremental decoder may take beside its loop, in seconds.
STREAMING_CALL = 200e-9


def one_shot(encoding: we.Encoding, direction: Direction, language: str, style: Style, size: str) -> Goal | None:
    """The goal of one call on valid text; None where none was set."""
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
    # Below AVX2 a table of 128 code points takes as many shuffles for half as many bytes, and scalar code serves.
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
    """The goal where decoding meets errors: set for one in a hundred."""
    return Goal("Malformed input, 1 % errors", 2.0) if style == "1 % errors" and size in PAGE_SIZES else None


def lookup() -> Goal:
    """The goal of finding an encoding by a label that is known."""
    return Goal("Lookup of a known label", at_most=SMALL_CALL)


def sniffing(page: str) -> Goal | None:
    """The goal of finding a page's encoding; None where none was set."""
    seconds = {"meta in the first 300 bytes": 5e-6, "1024 bytes without declaration": 15e-6}.get(page)
    return None if seconds is None else Goal(f"Sniffing, {page}", at_most=seconds)


def streaming(direction: Direction, use: str) -> Goal | None:
    """The goal of chunks of 4 KiB: ahead of CPython's incremental decoder, whatever is done with the results."""
    return Goal(f"Streaming {direction}, {use}", 1.0, _CPYTHON_ONLY) if direction == "decode" else None


def streaming_call() -> Goal:
    """The goal of a call of an incremental decoder, above the time of its loop."""
    return Goal("Streaming, a call", at_most=STREAMING_CALL)


def threads() -> Goal:
    """The goal of two threads, against one that does the work of both."""
    return Goal("Two threads on 1 MiB", 1.8, frozenset({"one thread"}))


def installed_size(what: str) -> Goal:
    """The goal of the bytes on disk: of the ``"package"``, or of a compiled ``"module"``."""
    return Goal(f"Installed size, {what}", at_most={"package": 4e6, "module": 1e6}[what])
