"""Programs with one statement changed: what a test has to notice.

A statement is left out, comes after its neighbour, or moves into a sibling branch or out of its own; a number is one
more or less; a comparison, a condition, an operator, a constant or a result is another one. Each change is made alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from difflib import unified_diff
from typing import Any

from generator.spec import notation
from generator.spec import program as ir


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A change of an algorithm or a file."""

    anchor: str
    """The algorithm's anchor or the file's name."""
    step: str
    """Where in it: the number of a step or the name of a function."""
    change: str
    """The lines that differ, without indentation: ``- old + new``."""
    operator: str
    """The kind of the change."""

    @property
    def name(self) -> str:
        return f"{self.anchor} {self.step}: {self.change}"

    @property
    def key(self) -> str:
        """What a list of equivalent mutants calls it, which an edit of a line does not change."""
        return f"{self.anchor} {self.step}: {self.operator}"


@dataclass(frozen=True, slots=True, eq=False)
class Mutant(Change):
    """An algorithm with one change."""

    algorithm: ir.Algorithm


def mutants(algorithm: ir.Algorithm) -> Iterator[Mutant]:
    """Yield each program that differs from an algorithm by one change, once, in the order of its steps."""
    symbols = sorted(
        {node.name for node in ir.walk((algorithm.body, algorithm.members)) if isinstance(node, ir.Symbol)}
    )
    before = _lines(algorithm)
    seen = {tuple(before)}
    for step, operator, changed in _all(algorithm, symbols):
        after = _lines(changed)
        if tuple(after) not in seen:
            seen.add(tuple(after))
            different = (line for line in unified_diff(before, after, n=0, lineterm="") if line[:1] in "-+")
            change = " ".join(f"{line[0]} {line[1:].strip()}" for line in different if line[:3] not in ("---", "+++"))
            yield Mutant(algorithm.anchor, step, change, operator, changed)


def _lines(algorithm: ir.Algorithm) -> list[str]:
    """Return everything that distinguishes an algorithm from another, a line each."""
    members = [f"initially {name} = {notation.expression(value)}" for name, value in algorithm.members]
    rows = [f"row {key:#x}: {items}" for node in _tables(algorithm) for key, items in node.entries]
    return [*members, *rows, *notation.text(algorithm).splitlines()]


def _tables(algorithm: ir.Algorithm) -> list[ir.Rows]:
    return [node for node in ir.walk(algorithm.body) if isinstance(node, ir.Rows)][:1]


Changed = tuple[str, str, Any]
"""The step that is changed, the operator, and what is changed."""


def _all(algorithm: ir.Algorithm, symbols: list[str]) -> Iterator[Changed]:
    for place, (name, value) in enumerate(algorithm.members):
        for other in _other(value, symbols):
            members = (*algorithm.members[:place], (name, other), *algorithm.members[place + 1 :])
            yield "initially", _operator(value), replace(algorithm, members=members)
    for table in _tables(algorithm):
        for other_table in _other(table, symbols):
            yield "table", _operator(table), replace(algorithm, body=ir.put(algorithm.body, table, other_table))
    for step, operator, body in _changed(algorithm.body, symbols, ""):
        yield step, operator, replace(algorithm, body=body)


def _changed(tree: Any, symbols: list[str], step: str) -> Iterator[Changed]:
    """Yield a tree with each change in it."""
    if isinstance(tree, tuple):
        if tree and isinstance(tree[0], ir.Statement):
            yield from _blocks(tree)
        for place, item in enumerate(tree):
            for where, operator, other in _changed(item, symbols, step):
                yield where, operator, (*tree[:place], other, *tree[place + 1 :])
    elif isinstance(tree, ir.Node) and not isinstance(tree, ir.Rows):
        step = getattr(tree, "step", "") or step
        for other in _other(tree, symbols):
            yield step, _operator(tree), other
        for each in fields(tree):  # type: ignore[arg-type]
            if each.name == "targets":
                continue
            for where, operator, other in _changed(getattr(tree, each.name), symbols, step):
                yield where, operator, replace(tree, **{each.name: other})  # type: ignore[type-var]


# -- Statements --------------------------------------------------------------------------------------------------------


def _step(statement: ir.Statement) -> str:
    """Return the number of a statement's step, which a condition has in its cases."""
    return statement.step or next((case.step for case in getattr(statement, "cases", ()) if case.step), "")


def _blocks(block: tuple[ir.Statement, ...]) -> Iterator[Changed]:
    """Yield a block without each statement, with it after the next one, in a branch next to it, and out of its own."""
    for place, statement in enumerate(block):
        before, after = block[:place], block[place + 1 :]
        yield _step(statement), "statement", before + after
        if after:
            yield _step(statement), "order", (*before, after[0], statement, *after[1:])
        if place and isinstance(branch := block[place - 1], ir.If):
            inner = _into(branch, statement)
            yield _step(statement), "branch", (*block[: place - 1], inner, *after)
        if isinstance(statement, ir.If):
            for number, case in enumerate(statement.cases):
                if case.body:
                    last = case.body[-1]
                    without = _case(statement, number, replace(case, body=case.body[:-1]))
                    yield last.step or case.step, "branch", (*before, without, last, *after)
                    if number + 1 < len(statement.cases):
                        next_ = statement.cases[number + 1]
                        moved = _case(without, number + 1, replace(next_, body=(last, *next_.body)))
                        yield last.step or case.step, "branch", (*before, moved, *after)
        elif isinstance(statement, ir.While):
            last = statement.body[-1]
            yield last.step, "branch", (*before, replace(statement, body=statement.body[:-1]), last, *after)


def _into(branch: ir.If, statement: ir.Statement) -> ir.If:
    """Return a condition with a statement at the start of its last case."""
    last = branch.cases[-1]
    return replace(branch, cases=(*branch.cases[:-1], replace(last, body=(statement, *last.body))))


def _case(branch: ir.If, number: int, case: ir.Case) -> ir.If:
    return replace(branch, cases=(*branch.cases[:number], case, *branch.cases[number + 1 :]))


# -- Values ------------------------------------------------------------------------------------------------------------

_COMPARISONS = {"==": ("<=",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
_OPERATORS = {"+": "-", "-": "+", "*": "+", "//": "%", "%": "//", "<<": ">>", ">>": "<<", "|": "&", "&": "|"}
_LOOKUPS = {"pointer": "last_pointer", "last_pointer": "pointer"}


def _operator(node: ir.Node) -> str:
    """Return what a list calls a change of a node."""
    return type(node).__name__.lower()


def _other(node: ir.Node, symbols: list[str]) -> Iterator[ir.Node]:
    """Yield what could stand in place of a node."""
    match node:
        case ir.Number(value):
            yield from (replace(node, value=other) for other in (value - 1, value + 1) if 0 <= other <= ir.LARGEST)
        case ir.Constant(bool() as value):
            yield ir.Constant(not value)
        case ir.Symbol(name):
            yield from (ir.Symbol(other) for other in symbols if other != name)
        case ir.Arithmetic(operator):
            yield replace(node, operator=_OPERATORS[operator])
            yield node.left
        case ir.Choice(condition, then, otherwise):
            yield ir.Choice(condition, otherwise, then)
            yield then
            yield otherwise
        case ir.Items(items) if len(items) > 1:
            yield ir.Items((items[1], items[0], *items[2:]))
            yield ir.Items(items[1:])
            yield ir.Items(items[:-1])
        case ir.Lookup(what) if what in _LOOKUPS:
            yield replace(node, what=_LOOKUPS[what])
        case ir.Compare(operator, _, right):
            if not isinstance(node.left, ir.Member | ir.Symbol) and isinstance(right, ir.Number):
                yield from (replace(node, operator=other) for other in _COMPARISONS[operator])
            yield ir.Not(node)
        case ir.Not(condition):
            yield condition
        case ir.InRange():
            yield ir.Not(node)
        case ir.Junction(operator, conditions):
            yield ir.Junction("or" if operator == "and" else "and", conditions)
            for place in range(len(conditions)):
                rest = conditions[:place] + conditions[place + 1 :]
                yield replace(node, conditions=rest) if len(rest) > 1 else rest[0]
        case ir.Return(ir.Signal(name)):
            yield replace(node, value=ir.Signal("continue" if name == "finished" else "finished"))
            yield replace(node, value=ir.Error())
        case ir.Return(ir.Error(code_point)):
            yield replace(node, value=ir.Signal("continue"))
            if code_point is not None:
                yield replace(node, value=ir.Error())
        case ir.Return(ir.Items()):
            yield replace(node, value=ir.Error())
        case ir.If(cases):
            for place in range(len(cases)):
                if len(cases) > 1:
                    yield replace(node, cases=cases[:place] + cases[place + 1 :])
        case ir.Rows():
            yield from _other_rows(node)


def _other_rows(table: ir.Rows) -> Iterator[ir.Rows]:
    """Yield a table without each row, with another key for it, and with another item in it."""
    for place, (key, items) in enumerate(table.entries):
        before, after = table.entries[:place], table.entries[place + 1 :]
        yield ir.Rows(before + after)
        yield ir.Rows((*before, (key + 1, items), *after))
        for number, item in enumerate(items):
            yield ir.Rows((*before, (key, (*items[:number], item ^ 1, *items[number + 1 :])), *after))
