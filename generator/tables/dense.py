"""One array, indexed directly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

#: C types of table entries: name → bytes.
SIZES: Mapping[str, int] = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4}

ROW = 16


@dataclass(frozen=True)
class Array:
    """One C array: what the templates write. Entries that are not in ``entries`` are 0, the null sentinel."""

    symbol: str
    c_type: str
    length: int
    entries: Mapping[int, int]

    def __post_init__(self) -> None:
        limit = 1 << 8 * SIZES[self.c_type]
        for index, value in self.entries.items():
            if not 0 <= index < self.length:
                raise ValueError(f"{self.symbol}[{index:#x}] lies outside its {self.length:#x} entries")
            if not 0 <= value < limit:
                raise ValueError(f"{self.symbol}[{index:#x}] = {value:#x} does not fit {self.c_type}")

    @property
    def nbytes(self) -> int:
        return self.length * SIZES[self.c_type]

    def rows(self) -> Iterator[tuple[str, str]]:
        """Pairs of label and values, 16 entries each, rows of nulls left out: the compiler fills them in."""
        index_digits = len(f"{self.length - 1:X}")
        digits = 2 * SIZES[self.c_type]
        for start in sorted({index - index % ROW for index in self.entries if self.entries[index]}):
            values = (self.entries.get(index, 0) for index in range(start, min(start + ROW, self.length)))
            yield f"0x{start:0{index_digits}X}", ", ".join(f"0x{value:0{digits}X}" for value in values)


@dataclass(frozen=True)
class Dense:
    """A table of ``length`` entries, indexed directly; 0 where there is nothing."""

    symbol: str
    c_type: str
    length: int
    entries: Mapping[int, int]
    meaning: str
    formula: str

    @classmethod
    def build(
        cls, symbol: str, entries: Mapping[int, int], *, length: int, c_type: str, meaning: str, formula: str
    ) -> Dense:
        """The table of these entries. A ValueError names an entry that is out of range, too wide or 0."""
        for index, value in entries.items():
            if value == 0:
                raise ValueError(f"{symbol}[{index:#x}] is 0, which stands for no entry")
        return cls(symbol, c_type, length, dict(entries), meaning, formula)

    def lookup(self, index: int) -> int:
        """The entry at ``index``, as the C array has it."""
        if not 0 <= index < self.length:
            raise IndexError(f"{self.symbol} has no entry {index:#x}")
        return self.entries.get(index, 0)

    def arrays(self) -> tuple[Array, ...]:
        return (Array(self.symbol, self.c_type, self.length, self.entries),)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays())

    def describe(self) -> str:
        """One line: what it is for, how large, how full."""
        return f"{self.meaning}; {self.length} entries, {len(self.entries)} used, {self.nbytes} bytes"
