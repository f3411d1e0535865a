"""What a run of functions is in the middle of: their variables, memory, and what was decided on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import z3

from proofs.kernels import terms
from proofs.kernels.ir import Function
from proofs.kernels.terms import Number


class Pointer(NamedTuple):
    """An address within an object: an offset in bytes, and symbolic numbers times a size each."""

    object: int
    offset: int = 0
    terms: tuple[tuple[int, z3.BitVecRef], ...] = ()

    @property
    def address(self) -> Number:
        found: Number = (self.object << 32) + self.offset
        for size, number in self.terms:
            found = terms.calculated("add", found, terms.calculated("mul", number, size, 64), 64)
        return found


class Fork(Exception):
    def __init__(self, condition: z3.BoolRef, models: Mapping[bool, z3.ModelRef]) -> None:
        self.condition, self.models = condition, models


@dataclass
class Frame:
    function: Function
    block: str
    at: int = 0
    before: str = ""
    result: str = ""
    values: dict[str, Any] = field(default_factory=dict)


@dataclass
class Object:
    name: str
    size: int
    cells: list[Any] | None
    """A byte each: a number, or a number, which of its bytes, and how many it has. None for any array."""


class State:
    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.objects: dict[int, Object] = {}
        self.inputs: list[tuple[str, list[z3.BitVecRef]]] = []
        self.decided: dict[int, tuple[z3.BoolRef, bool]] = {}
        self.learned: dict[int, z3.BoolRef] = {}
        self.model: z3.ModelRef | None = None
        self.is_left_out = False
        """Whether something is assumed that does not hold on this way."""

    def copy(self) -> State:
        other = State()
        other.frames = [
            Frame(each.function, each.block, each.at, each.before, each.result, dict(each.values))
            for each in self.frames
        ]
        other.objects = {
            number: each if each.cells is None or number < 0 else Object(each.name, each.size, list(each.cells))
            for number, each in self.objects.items()
        }
        other.inputs = list(self.inputs)
        other.decided = dict(self.decided)
        other.learned = dict(self.learned)
        other.model = self.model
        return other
