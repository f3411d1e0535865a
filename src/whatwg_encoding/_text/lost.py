"""What a character may have been of whose bytes some are gone."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_DROPPED = (*range(0x80, 0xA1), 0xAD)  # bytes whose characters programs drop: controls, spaces, hyphens


@lru_cache(256)
def characters(sequence: bytes, is_dropped: bool) -> str:
    """Return the characters that a sequence may have been, of which bytes are 0; "" if too many may."""
    length = 2 if sequence[0] < 0xE0 else 3 if sequence[0] < 0xF0 else 4
    known = [byte for byte in sequence[:length] if byte]
    if len(known) + 1 < length:
        return ""
    places = range(1, length) if is_dropped else [sequence.index(0)]
    candidates = {
        character
        for place in places
        for byte in (_DROPPED if is_dropped else range(0x80, 0xC0))
        for character in bytes([*known[:place], byte, *known[place:]]).decode("utf-8", "ignore")
        if unicodedata.category(character) not in ("Cc", "Cf", "Cn", "Co", "Cs", "Zs")
    }
    return "".join(sorted(candidates))
