"""What a fuzz target takes from the bytes that it is given."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")

# The maximum length of inputs. The reference is slow; vectors have up to 64 bytes and the driver's stages up to 1024.
_LENGTHS = (150, 150, 150, 300, 300, 1500)


class Choices:
    """Choices taken from the end of some bytes, zero after the last one. ``rest`` is what was not taken."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def number(self, limit: int) -> int:
        """Return a number below ``limit``, which is at most 256."""
        if not self.rest:
            return 0
        last = self.rest[-1]
        self.rest = self.rest[:-1]
        return last % limit

    def of(self, items: Sequence[T]) -> T:
        return items[self.number(len(items))]

    def content(self) -> bytes:
        """Return the rest as it is, or shifted, repeated or both so that it reaches the vector loops."""
        filler = self.of((b"", b"a", b"\xc3\xa4", b"\x82\xa0", b"\x00a", b"\xe3\x81\x82"))
        before, times, after = self.number(96), self.of((1, 1, 1, 2, 9, 40)), self.number(96)
        length = self.of(_LENGTHS)
        return (filler * before + self.rest * times + filler * after)[:length]

    def text(self) -> str:
        """Return the rest as code points, which may be surrogates."""
        form = self.number(4)
        data = self.content()
        if form == 0:
            return data.decode("latin-1")
        if form == 1:
            return data[: len(data) // 2 * 2].decode("utf-16-le", "surrogatepass")
        if form == 2:  # the Basic Multilingual Plane, code unit by code unit
            return "".join(chr(data[i] << 8 | data[i + 1]) for i in range(0, len(data) - 1, 2))
        return "".join(
            chr((data[i] << 16 | data[i + 1] << 8 | data[i + 2]) % 0x110000) for i in range(0, len(data) - 2, 3)
        )

    def cuts(self, length: int) -> list[int]:
        """Return up to six offsets in ascending order."""
        return sorted(self.number(256) * 256 % (length + 1) if length > 255 else self.number(256) % (length + 1)
                      for _ in range(self.number(7)))  # fmt: skip


def pieces(items: Sequence[T], cuts: Sequence[int]) -> list[Sequence[T]]:
    edges = [0, *cuts, len(items)]
    return [items[start:end] for start, end in pairwise(edges)]
