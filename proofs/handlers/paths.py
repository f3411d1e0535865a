"""Every way through a program over symbolic values: its conditions, decided by z3 or by all values of the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import Any

import numpy as np
import z3

from generator.model import GeneratorError
from proofs.handlers.values import Array, Values

Model = Mapping[str, int]
"""The value of each input."""

QUICK, PATIENT = 50, 60_000
"""Milliseconds that z3 is given where there is another way to decide, and where there is none."""

MOST_BRANCHES = 400
"""More branches than any item takes: a loop that takes more has no end."""


class UnprovableError(GeneratorError):
    """A program uses more than can be proved here."""


class RefutedError(Exception):
    """What was to be shown does not hold for an input, `model`."""

    def __init__(self, claim: str, model: Model) -> None:
        super().__init__(claim)
        self.claim, self.model = claim, model


class _Infeasible(Exception):
    """No input takes this way."""


@dataclass(slots=True)
class _Decision:
    condition: z3.BoolRef
    taken: bool
    is_open: bool
    """Whether the other side is to be taken, too."""
    holds: z3.BoolRef
    """The condition, or its opposite where that is taken."""


@dataclass
class Path:
    """One way through a program: what holds for the inputs that take it."""

    arrays: dict[str, Array] = field(default_factory=dict)
    """The tables by name."""
    assumed: list[z3.BoolRef] = field(default_factory=list)
    _decisions: list[_Decision] = field(default_factory=list)
    _at: int = 0

    def __post_init__(self) -> None:
        self._solver = _solver(QUICK)
        self._inputs = Inputs(self.arrays)

    def each(self, run: Callable[[], None], *assumed: z3.BoolRef) -> int:
        """Run a program along every way whose inputs satisfy what is assumed. Return how many ways there are."""
        self._decisions.clear()
        self._solver.reset()
        self.assumed = list(assumed)
        self._solver.add(*assumed)
        if self._solver.check() == z3.unsat:
            return 0
        count = 0
        while True:
            self._at = 0
            try:
                run()
                count += 1
            except _Infeasible:
                pass
            if not self._next():
                return count

    def _next(self) -> bool:
        while self._decisions:
            last = self._decisions.pop()
            self._solver.pop()
            if last.is_open:
                self._take(last.condition, not last.taken, is_open=False)
                return True
        return False

    def _take(self, condition: z3.BoolRef, taken: bool, *, is_open: bool) -> None:
        holds = condition if taken else z3.Not(condition)
        self._decisions.append(_Decision(condition, taken, is_open, holds))
        self._solver.push()
        self._solver.add(holds)

    def branch(self, condition: z3.BoolRef | bool) -> bool:
        """Return whether a condition holds; both ways are taken, one after the other, where it may and may not."""
        if isinstance(condition, bool):
            return condition
        condition = z3.simplify(condition)
        if z3.is_true(condition) or z3.is_false(condition):
            return bool(z3.is_true(condition))
        if self._at == len(self._decisions):
            if self._at >= MOST_BRANCHES:
                raise UnprovableError("a loop has no end")
            may_hold, may_fail = self._may_hold(condition), self._may_hold(z3.Not(condition))
            if not may_hold and not may_fail:
                raise _Infeasible
            self._take(condition, may_hold, is_open=may_hold and may_fail)
        decision = self._decisions[self._at]
        self._at += 1
        return decision.taken

    def _may_hold(self, condition: z3.BoolRef) -> bool:
        """Return whether a condition may hold. Only where it depends on a table itself is this exact.

        For the solver tables have any entries. A way that no input takes is found where something is claimed of it.
        """
        return self.find(condition) is not None if _uses(condition)[1] else self._solver.check(condition) != z3.unsat

    @property
    def conditions(self) -> list[z3.BoolRef]:
        """What holds of the inputs that come this way."""
        return [*self.assumed, *(one.holds for one in self._decisions[: self._at])]

    def find(self, *conditions: z3.BoolRef) -> Model | None:
        """Return an input that comes this way and satisfies conditions, None if there is none."""
        return self._inputs.find([*self.conditions, *conditions])

    def claim(self, what: str, condition: z3.BoolRef | bool) -> None:
        """Show that a condition holds for all inputs that come this way; raise a RefutedError for one that doesn't."""
        if isinstance(condition, bool):
            condition = z3.BoolVal(condition)
        if (model := self.find(z3.Not(condition))) is not None:
            raise RefutedError(what, model)


# -- Decisions ---------------------------------------------------------------------------------------------------------

INPUTS: Mapping[str, int] = {"code_point": 0x110000}
"""How many values an input of that name has; a byte, ``byte_0`` and on, has 256."""

MOST_VALUES = 1 << 24
"""The largest number of inputs that are tried one by one."""

_TABLED = {z3.Z3_OP_SELECT, z3.Z3_OP_BUDIV, z3.Z3_OP_BUREM, z3.Z3_OP_BUDIV_I, z3.Z3_OP_BUREM_I}
"""Of what z3 knows little, or what it takes long for."""


class Inputs:
    """The inputs that satisfy conditions."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._arrays = arrays
        self._latest: dict[str, list[tuple[z3.BoolRef, Any]]] = {}
        """For an input, the latest conditions on it alone, and after each the values that satisfy it and those before.

        One way through a program begins with conditions of the one before.
        """

    def find(self, conditions: Sequence[z3.BoolRef]) -> Model | None:
        """Return an input that satisfies all conditions, None if there is none.

        Without tables and divisions z3 decides. Conditions with any are evaluated for all values of the bytes, or of
        the code point, that they depend on, as far as these satisfy what else is said of them; z3 decides the rest.
        """
        every = [one for condition in conditions for one in _parts(condition)]
        if any(map(z3.is_false, every)):
            return None
        wanted = frozenset[str]().union(*(names for names, is_tabled in map(_uses, every) if is_tabled))
        if not wanted:
            return _solve(every)
        if _solver(QUICK, every).check() == z3.unsat:
            return None
        found = self._values(sorted(wanted), [one for one in every if _uses(one)[0] <= wanted])
        return next(_together(found, [one for one in every if not _uses(one)[0] <= wanted]), None)

    def _values(self, names: Sequence[str], conditions: Sequence[z3.BoolRef]) -> Mapping[str, Any]:
        """Return the values of some inputs that satisfy conditions, as one array for each."""
        columns = [self._of_one(name, [one for one in conditions if _uses(one)[0] == {name}]) for name in names]
        if len(names) == 1:
            return {names[0]: columns[0]}
        if (total := prod(map(len, columns))) > MOST_VALUES:
            raise UnprovableError(f"a table or a division depends on {total} inputs")
        found = dict(zip(names, (part.ravel() for part in np.meshgrid(*columns, indexing="ij")), strict=True))
        # First what is quickly evaluated, so that less is left for the rest.
        for one in sorted((one for one in conditions if len(_uses(one)[0]) > 1), key=lambda one: _uses(one)[1]):
            found = self._satisfying(found, one)
        return found

    def _of_one(self, name: str, conditions: Sequence[z3.BoolRef]) -> Any:
        """Return the values of an input that satisfy conditions on it alone."""
        if not (name in INPUTS or name.startswith("byte_")):
            raise UnprovableError(f"a table or a division depends on {name}")
        known = self._latest.setdefault(name, [])
        same = 0
        while same < min(len(known), len(conditions)) and known[same][0].eq(conditions[same]):
            same += 1
        del known[same:]
        values = known[-1][1] if known else np.arange(INPUTS.get(name, 256), dtype=np.uint64)
        for one in conditions[same:]:
            values = self._satisfying({name: values}, one)[name]
            known.append((one, values))
        return values

    def _satisfying(self, inputs: Mapping[str, Any], condition: z3.BoolRef) -> dict[str, Any]:
        is_kept = Values(inputs, self._arrays).of(condition)
        return {name: values[is_kept] for name, values in inputs.items()}


def _together(found: Mapping[str, Any], rest: Sequence[z3.BoolRef]) -> Iterator[Model]:
    """Yield an input for each of the values that are found, where the rest of the conditions allows one."""
    for at in range(len(next(iter(found.values())))):
        if at >= 1000:
            raise UnprovableError("no decision after a thousand inputs")
        values = {name: int(column[at]) for name, column in found.items()}
        fixed = [z3.BitVec(name, 32 if name in INPUTS else 8) == value for name, value in values.items()]
        model = _solve([*rest, *fixed]) if rest else {}
        if model is not None:
            yield {**model, **values}


def _solve(conditions: Sequence[z3.BoolRef]) -> Model | None:
    solver = _solver(PATIENT, conditions)
    result = solver.check()
    if result == z3.unsat:
        return None
    if result != z3.sat:
        raise UnprovableError(f"z3 does not decide: {solver.reason_unknown()}")
    model = solver.model()
    return {
        one.name(): int(value.as_long()) if z3.is_bv_value(value) else int(z3.is_true(value))
        for one in model.decls()
        if one.arity() == 0 and (z3.is_bv_value(value := model[one]) or z3.is_bool(value))
    }


def _solver(timeout: int, conditions: Sequence[z3.BoolRef] = ()) -> z3.Solver:
    solver = z3.SolverFor("QF_ABV")
    solver.set("timeout", timeout)
    solver.add(*conditions)
    return solver


_PARTS: dict[int, tuple[z3.BoolRef, tuple[z3.BoolRef, ...]]] = {}
"""What was found of conditions, by their numbers. They are kept so that no other ones have these."""


def _parts(condition: z3.BoolRef) -> tuple[z3.BoolRef, ...]:
    """Return the conditions that a condition is made of, all of which hold."""
    if (known := _PARTS.get(condition.get_id())) is None:
        known = _PARTS[condition.get_id()] = condition, tuple(_flat(z3.simplify(condition)))
    return known[1]


def _flat(condition: z3.BoolRef) -> Iterator[z3.BoolRef]:
    if z3.is_and(condition):
        for child in condition.children():
            yield from _flat(child)
    elif not z3.is_true(condition):
        yield condition


_USES: dict[int, tuple[z3.ExprRef, frozenset[str], bool]] = {}


def _uses(term: z3.ExprRef) -> tuple[frozenset[str], bool]:
    """Return the names of the inputs in a term, and whether it has a table or a division."""
    if (known := _USES.get(term.get_id())) is None:
        kind = term.decl().kind()
        children = term.children()
        if kind == z3.Z3_OP_SELECT:
            children = children[1:]
        found = [_uses(child) for child in children]
        names = frozenset().union(*(names for names, _ in found))
        if kind == z3.Z3_OP_UNINTERPRETED:
            names |= {term.decl().name()}
        known = term, names, kind in _TABLED or any(is_tabled for _, is_tabled in found)
        _USES[term.get_id()] = known
    return known[1:]


@cache
def byte(at: int) -> z3.BitVecRef:
    """Return the byte of a source at an index."""
    return z3.BitVec(f"byte_{at}", 8)
