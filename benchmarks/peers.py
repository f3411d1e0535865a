"""The names of contenders, and what Python's codecs have in common with the standard's encodings."""

from __future__ import annotations

import contextlib
from functools import cache

import whatwg_encoding as we
from benchmarks import CODECS

OURS = "whatwg-encoding"
CPYTHON = "CPython"


def codec_of(name: str) -> str:
    """Return Python's closest codec to the encoding of this name, nothing if there is none."""
    codec: str = CODECS.get(name, name.lower().replace("windows-", "cp"))
    return codec


@cache
def representable(encoding: we.Encoding, characters: str) -> frozenset[str]:
    """Return those of ``characters`` that round-trip equally in ``encoding`` and in CPython's codec."""
    codec = codec_of(encoding.name) or "utf-8"
    kept = set()
    for character in characters:
        with contextlib.suppress(UnicodeError):
            data = character.encode(codec)
            is_equal = not encoding.has_encoder or encoding.encode(character, "fatal") == data
            if is_equal and encoding.decode(data) == data.decode(codec) == character:
                kept.add(character)
    return frozenset(kept)
