"""Where a pointer lies: the byte sequences of an encoding that an index, or a formula, gives code points to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

Ranges = tuple[range, ...]


@dataclass(frozen=True)
class Pointers:
    """Byte sequences in order, one for each pointer from 0 on: a prefix, then for each position a byte of its ranges.

    The last position counts fastest. https://encoding.spec.whatwg.org/#indexes
    """

    positions: tuple[Ranges, ...]
    prefix: bytes = b""

    @property
    def leads(self) -> Ranges:
        """The ranges of the first byte behind the prefix."""
        return self.positions[0]

    def __len__(self) -> int:
        """Return how many sequences there are."""
        return prod(map(len, self._bytes))

    @cached_property
    def _bytes(self) -> tuple[bytes, ...]:
        """The bytes of each position, in order."""
        return tuple(bytes(byte for range_ in ranges for byte in range_) for ranges in self.positions)

    def sequence(self, pointer: int) -> bytes:
        """Return the bytes of a pointer; an IndexError if it has none."""
        if not 0 <= pointer < len(self):
            raise IndexError(f"pointer {pointer} has no bytes: there are {len(self)}")
        found = []
        for choices in reversed(self._bytes):
            pointer, position = divmod(pointer, len(choices))
            found.append(choices[position])
        return self.prefix + bytes(reversed(found))

    def pair(self, pointer: int) -> tuple[int, int]:
        """Return lead and trail of a pointer in an encoding of two bytes."""
        lead, trail = self.sequence(pointer)
        return lead, trail
