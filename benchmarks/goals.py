"""The floors of the conversions: minimum ratios to peers in the same run."""

from __future__ import annotations

import whatwg_encoding as we
from benchmarks import ROWS
from benchmarks.corpus import LATIN, STYLES, Style
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
    found = ROWS["floors"][direction].get(kind_of(f"{encoding.name} {language}"), {})
    if size not in PAGE_SIZES or "wide" not in found:
        return None
    is_wide = we.cpu_features()["simd"] in ("avx2", "avx512")
    pair = found["wide"] if is_wide else found.get("narrow", found["wide"])
    against = frozenset(found["against"]) if "against" in found else None
    return Goal(found["target"], pair[STYLES.index(style)], against)
