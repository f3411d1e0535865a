"""Two-stage tables: the first array maps each block of keys to its block in the second; equal blocks are shared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from generator.tables.direct import Array, Described


@dataclass(frozen=True)
class TwoStage(Described):
    """``stage2[stage1[key >> shift] << shift | key & mask]``, 0 for a key without an entry. Block 0 is all zeros.

    If it names no kernels, a lookup function is emitted.
    """

    shift: int

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
        stages = {"stage1": (self.stage1, stage1_type), "stage2": (self.stage2, self.c_type)}
        return tuple(
            Array(f"{self.symbol}_{name}", {at: value for at, value in enumerate(values) if value}, len(values), c_type)
            for name, (values, c_type) in stages.items()
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
