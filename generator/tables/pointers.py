"""The byte sequences of pointers, to which an index or a formula of an encoding assigns code points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

Ranges = tuple[range, ...]


@dataclass(frozen=True)
class Pointers:
    """Byte sequences in order, one per pointer from 0: a prefix, then for each position a byte of its ranges.

    The last position varies fastest. https://encoding.spec.whatwg.org/#indexes
    """

    positions: tuple[Ranges, ...]
    prefix: bytes = b""

    @property
    def leads(self) -> Ranges:
        """The ranges of the first byte after the prefix."""
        return self.positions[0]

    def __len__(self) -> int:
        """Return the number of sequences."""
        return self._length

    @cached_property
    def _length(self) -> int:
        return prod(map(len, self._bytes))

    @cached_property
    def _bytes(self) -> tuple[bytes, ...]:
        """The bytes of each position, in order."""
        return tuple(bytes(byte for range_ in ranges for byte in range_) for ranges in self.positions)

    def sequence(self, pointer: int) -> bytes:
        """Return the bytes of a pointer; raise an IndexError if it has none."""
        if not 0 <= pointer < self._length:
            raise IndexError(f"pointer {pointer} is out of range: there are {len(self)} pointers")
        found = []
        for choices in reversed(self._bytes):
            pointer, position = divmod(pointer, len(choices))
            found.append(choices[position])
        return self.prefix + bytes(reversed(found))

    def pair(self, pointer: int) -> tuple[int, int]:
        """Return the lead and trail bytes of a pointer in a double-byte encoding."""
        lead, trail = self.sequence(pointer)
        return lead, trail
