"""Two-stage tables: the first array maps each block of keys to its block in the second; equal blocks are shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from generator.tables.dense import Array


@dataclass(frozen=True)
class TwoStage:
    """``stage2[stage1[key >> shift] << shift | key & mask]``, 0 for a key without an entry. Block 0 is all zeros.

    Raise a ValueError for a key that is not below ``length``, and for an entry that is 0 unless ``nulls`` is false.
    """

    symbol: str
    entries: Mapping[int, int]
    length: int
    c_type: str
    shift: int
    meaning: str
    formula: str
    nulls: bool = True
    """Whether 0 represents null; otherwise it is an ordinary value."""
    kernels: str = ""
    """The kernels that contain the lookup; if there are none, a lookup function is emitted."""

    def __post_init__(self) -> None:
        for key, value in self.entries.items():
            if not 0 <= key < self.length:
                raise ValueError(f"{self.symbol}: key {key:#x} is outside its {self.length:#x} keys")
            if self.nulls and value == 0:
                raise ValueError(f"{self.symbol}: the entry of key {key:#x} is 0, which represents null")
        # Looked up a block at a time.
        found = [each for block in self.stage1 for each in self.stage2[block << self.shift : block + 1 << self.shift]]
        if found != self._values:
            raise AssertionError(f"{self.symbol} does not have its entries")

    @cached_property
    def _values(self) -> list[int]:
        """The entries of all keys, in whole blocks."""
        values = [0] * (-(-self.length >> self.shift) << self.shift)
        for key, value in self.entries.items():
            values[key] = value
        return values

    @cached_property
    def _stages(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        size = 1 << self.shift
        blocks: dict[tuple[int, ...], int] = {(0,) * size: 0}
        stage1 = [
            blocks.setdefault(tuple(self._values[start : start + size]), len(blocks))
            for start in range(0, len(self._values), size)
        ]
        return tuple(stage1), tuple(value for block in blocks for value in block)

    @property
    def stage1(self) -> tuple[int, ...]:
        """The number of each block of keys in the second stage."""
        return self._stages[0]

    @property
    def stage2(self) -> tuple[int, ...]:
        """The entries of each distinct block."""
        return self._stages[1]

    def lookup(self, key: int) -> int:
        """Return the entry of ``key``, as the C lookup does."""
        block = self.stage1[key >> self.shift]
        return self.stage2[block << self.shift | key & self.mask]

    @property
    def keys(self) -> int:
        """The number of keys: 0 to ``keys`` - 1 are valid."""
        return len(self.stage1) << self.shift

    @property
    def mask(self) -> int:
        """The bits of a key that select an entry of a block."""
        return (1 << self.shift) - 1

    def arrays(self) -> tuple[Array, ...]:
        stage1_type = "uint8_t" if max(self.stage1) <= 0xFF else "uint16_t"
        return (
            _array(f"{self.symbol}_stage1", self.stage1, stage1_type),
            _array(f"{self.symbol}_stage2", self.stage2, self.c_type),
        )

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays())

    def describe(self) -> str:
        """Return a one-line description: meaning, size, and the number of distinct blocks."""
        size, distinct = 1 << self.shift, len(self.stage2) >> self.shift
        return f"{self.meaning}; {len(self.stage1)} blocks of {size} keys, {distinct} distinct, {self.nbytes} bytes"

    def look_up(self) -> str:
        """Return the C expression of a lookup."""
        block = f"{self.symbol}_stage1[key >> {self.shift}]"
        return f"{self.symbol}_stage2[{block} << {self.shift} | key & 0x{self.mask:02X}]"


def _array(symbol: str, values: tuple[int, ...], c_type: str) -> Array:
    return Array(symbol, {index: value for index, value in enumerate(values) if value}, len(values), c_type)
