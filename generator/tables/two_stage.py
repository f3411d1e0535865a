"""Two-stage tables: the first array maps each block of keys to its block in the second; equal blocks are shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.tables.dense import Array


@dataclass(frozen=True)
class TwoStage:
    """``stage2[stage1[key >> shift] << shift | key & mask]``, 0 for a key without an entry. Block 0 is all zeros."""

    symbol: str
    c_type: str
    stage1_type: str
    shift: int
    stage1: tuple[int, ...]
    stage2: tuple[int, ...]
    meaning: str
    formula: str
    nulls: bool = True
    """Whether 0 represents null; otherwise it is an ordinary value."""
    kernels: str = ""
    """The kernels that contain the lookup; if there are none, a lookup function is emitted."""

    @classmethod
    def build(
        cls,
        symbol: str,
        entries: Mapping[int, int],
        *,
        keys: int,
        shift: int,
        c_type: str,
        meaning: str,
        formula: str,
        nulls: bool = True,
        kernels: str = "",
    ) -> TwoStage:
        """Return the table of these entries for keys 0 to ``keys`` - 1.

        Raise a ValueError for a key out of range, and for an entry that is 0 unless ``nulls`` is false.
        """
        size = 1 << shift
        values = [0] * (-(-keys // size) * size)
        for key, value in entries.items():
            if not 0 <= key < keys:
                raise ValueError(f"{symbol}: key {key:#x} is outside its {keys:#x} keys")
            if nulls and value == 0:
                raise ValueError(f"{symbol}: the entry of key {key:#x} is 0, which represents null")
            values[key] = value
        blocks: dict[tuple[int, ...], int] = {(0,) * size: 0}
        stage1 = []
        for start in range(0, keys, size):
            stage1.append(blocks.setdefault(tuple(values[start : start + size]), len(blocks)))
        stage1_type = "uint8_t" if len(blocks) <= 0x100 else "uint16_t"
        stage2 = tuple(value for block in blocks for value in block)
        table = cls(symbol, c_type, stage1_type, shift, tuple(stage1), stage2, meaning, formula, nulls, kernels)
        if table.values() != values:
            raise AssertionError(f"{symbol} does not have its entries")
        return table

    def lookup(self, key: int) -> int:
        """Return the entry of ``key``, as the C lookup does."""
        block = self.stage1[key >> self.shift]
        return self.stage2[block << self.shift | key & self.mask]

    def values(self) -> list[int]:
        """Return the entries of all keys, looked up a block at a time."""
        return [value for block in self.stage1 for value in self.stage2[block << self.shift : block + 1 << self.shift]]

    @property
    def keys(self) -> int:
        """The number of keys: 0 to ``keys`` - 1 are valid."""
        return len(self.stage1) << self.shift

    @property
    def mask(self) -> int:
        """The bits of a key that select an entry of a block."""
        return (1 << self.shift) - 1

    def arrays(self) -> tuple[Array, ...]:
        return (
            Array(f"{self.symbol}_stage1", self.stage1_type, len(self.stage1), _sparse(self.stage1)),
            Array(f"{self.symbol}_stage2", self.c_type, len(self.stage2), _sparse(self.stage2)),
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


def _sparse(values: tuple[int, ...]) -> dict[int, int]:
    return {index: value for index, value in enumerate(values) if value}
