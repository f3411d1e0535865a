"""Input shared by several streaming tests."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.reference import inputs, oracle


def pad(name: str, length: int) -> bytes:
    """Return ASCII of a given length, at most fifty characters."""
    text = ("ASCII \n" * 10)[:length]
    return text.encode(name.lower() if name in ("UTF-16BE", "UTF-16LE") else "ascii")


@cache
def chunks_of_all_kinds(name: str) -> list[bytes]:
    """Return chunks longer than every internal buffer with text of each kind of string, at any offset in a chunk.

    Each chunk leaves the decoder in the state in which it found it.
    """
    by_kind: dict[int, list[bytes]] = {}
    for vector in inputs.vectors(name):
        text = oracle.decode(name, vector).text
        if oracle.decode(name, vector * 2).text == text * 2:
            largest = max(map(ord, text), default=0)
            by_kind.setdefault(sum(largest > bound for bound in (0x7F, 0xFF, 0xFFFF)), []).append(vector)
    random = Random(name)
    filler = pad(name, 50)
    chunks = [filler * 6]
    for vectors in by_kind.values():
        for before, after in ((0, 6), (6, 0), (30, 30), (1, 40)):
            chunks.append(filler * before + random.choice(vectors) + filler * after)
        chunks.append(b"".join(random.choice(vectors) for _ in range(400)))
    return [chunk for chunk in chunks if oracle.decode(name, chunk * 2).text == oracle.decode(name, chunk).text * 2]
