"""Tables of one array, indexed directly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from generator.model import SnapshotError

#: Bytes of each C type of table entries.
SIZES: Mapping[str, int] = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4}

ROW = 16


@dataclass(frozen=True)
class Array:
    """A C array as the templates render it. Indexes that are not in ``entries`` are 0."""

    symbol: str
    entries: Mapping[int, int]
    length: int
    c_type: str

    def __post_init__(self) -> None:
        limit = 1 << 8 * SIZES[self.c_type]
        for index, value in self.entries.items():
            if not 0 <= index < self.length:
                raise SnapshotError(f"{self.symbol}[{index:#x}] is outside its {self.length:#x} entries")
            if not 0 <= value < limit:
                raise SnapshotError(f"{self.symbol}[{index:#x}] = {value:#x} does not fit {self.c_type}")

    @classmethod
    def of(cls, symbol: str, values: Sequence[int], c_type: str) -> Self:
        """Return the array of values."""
        return cls(symbol, dict(enumerate(values)), len(values), c_type)

    @property
    def nbytes(self) -> int:
        return self.length * SIZES[self.c_type]

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield label and values of each row of 16 entries. Rows of zeros are omitted: C initializes them to 0."""
        index_digits = len(f"{self.length - 1:X}")
        cell = f"0x%0{2 * SIZES[self.c_type]}X"
        values = [0] * self.length
        for index, value in self.entries.items():
            values[index] = value
        for start in range(0, self.length, ROW):
            row = tuple(values[start : start + ROW])
            if any(row):
                yield f"0x{start:0{index_digits}X}", ", ".join([cell] * len(row)) % row


@dataclass(frozen=True)
class Described(Array):
    """The entries of a table, with what comments and diagnostics say of them."""

    meaning: str
    formula: str
    nulls: bool = field(default=True, kw_only=True)
    """Whether 0 represents null, so that no entry may be 0; otherwise it is an ordinary value."""
    kernels: str = field(default="", kw_only=True)
    """The kernels that contain the lookup, if it is more than indexing an array."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for index, value in self.entries.items():
            if self.nulls and value == 0:
                raise SnapshotError(f"{self.symbol}[{index:#x}] is 0, which represents null")


class Direct(Described):
    """A table that is one array, indexed directly by loops and kernels."""

    def lookup(self, index: int) -> int:
        """Return the entry at ``index``, as the C lookup does."""
        if not 0 <= index < self.length:
            raise IndexError(f"{self.symbol} has no entry {index:#x}")
        return self.entries.get(index, 0)

    def arrays(self) -> tuple[Array, ...]:
        return (self,)

    def describe(self) -> str:
        """Return a one-line description: meaning, size, and the number of entries that are not null."""
        return f"{self.meaning}; {self.length} entries, {len(self.entries)} not null, {self.nbytes} bytes"

    def look_up(self) -> str:
        """Return the C expression of a lookup."""
        return f"{self.symbol}[key]"
