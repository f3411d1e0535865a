"""The pin of the algorithms, data/algorithms.toml: digests of their texts, and their statements in a notation.

A line of the notation has the number of a step and a statement in Python's syntax, of which `read` accepts just what
`lines` writes. So a difference between two pins is one between two programs, and the reference, the tables and
the checks of templates are made from the pin alone, without a network.
"""

from __future__ import annotations

import ast
import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator.model import STANDARD
from generator.spec import program as ir
from generator.spec.errors import SpecError

FILE = "algorithms.toml"


@dataclass(frozen=True)
class Algorithms:
    """The algorithms of the standard as of a date: programs, and digests of the texts that are transcribed by hand."""

    origin: str
    date: str
    """The ISO 8601 date of the source, empty if it is not known."""
    programs: ir.Programs
    transcribed: Mapping[str, str]

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of each text, compiled or transcribed, by anchor."""
        return MappingProxyType({**{a: p.digest for a, p in self.programs.items()}, **self.transcribed})

    def identify(self, old: Algorithms | None) -> str:
        """Identify the change from old algorithms to these: 16 hexadecimal digits that depend on every text."""
        sides = [sorted(side.digests.items()) if side else [] for side in (old, self)]
        return hashlib.sha256(repr(sides).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of statements: the number of its step, its indentation, and its text."""

    step: str
    depth: int
    text: str


# -- Expressions and conditions ----------------------------------------------------------------------------------------

_TIGHTNESS = {"|": 1, "&": 2, "<<": 3, ">>": 3, "+": 4, "-": 4, "*": 5, "//": 5, "%": 5}

TABLE = "TABLE"
"""The name of an algorithm's table; it has at most one."""


def expression(node: ir.Node) -> str:
    """Return an expression, a condition or a result as Python."""
    match node:
        case ir.Number(value, is_hexadecimal):
            return f"0x{value:02X}" if is_hexadecimal else str(value)
        case ir.Constant(value):
            return str(value)
        case ir.Local(name):
            return name
        case ir.Member(name):
            return f"self.{name}"
        case ir.Symbol(name):
            return f'"{name}"'
        case ir.EndOfQueue():
            return "END_OF_QUEUE"
        case ir.Arithmetic(operator, left, right):
            return f"{_operand(left, operator, 0)} {operator} {_operand(right, operator, 1)}"
        case ir.Choice(condition, then, otherwise):
            return f"({expression(then)} if {expression(condition)} else {expression(otherwise)})"
        case ir.Items(items):
            return f"[{', '.join(map(expression, items))}]"
        case ir.Index(name):
            return f'INDEXES["{name}"]'
        case ir.IndexSingleByte():
            return "self.index_single_byte"
        case ir.Excluding(index, condition):
            return f"{expression(index)}.excluding(lambda pointer: {expression(condition)})"
        case ir.Lookup(what, index, key):
            return f"{expression(index)}.{what}({expression(key)})"
        case ir.LastRange(what, index, key):
            return f'{expression(index)}.last_range("{what}", {expression(key)})'
        case ir.Operation(name, argument):
            return f"{name}({expression(argument)})"
        case ir.Surrogates(leading, trailing):
            return f"scalar_value_from_surrogates({expression(leading)}, {expression(trailing)})"
        case ir.Row(_, key):
            return f"{TABLE}[{expression(key)}]"
        case ir.Signal(name):
            return name.upper()
        case ir.Error(None):
            return "Error()"
        case ir.Error(code_point) if code_point is not None:
            return f"Error({expression(code_point)})"
    return condition_(node)


def _operand(node: ir.Node, operator: str, side: int) -> str:
    text = expression(node)
    is_loose = isinstance(node, ir.Arithmetic) and _TIGHTNESS[node.operator] < _TIGHTNESS[operator] + side
    return f"({text})" if is_loose else text


def condition_(node: ir.Node) -> str:
    """Return a condition as Python."""
    match node:
        case ir.Compare(operator, left, right):
            return _compared(operator, left, right)
        case ir.Not(ir.Compare("==", left, right)):
            return _compared("!=", left, right)
        case ir.InRange(value, first, last):
            return f"in_range({expression(value)}, {expression(first)}, {expression(last)})"
        case ir.InTable(key, _):
            return f"{expression(key)} in {TABLE}"
        case ir.Not(condition):
            return f"not {_part(condition)}"
        case ir.All(conditions):
            return " and ".join(map(_part, conditions))
        case ir.Any_(conditions):
            return " or ".join(map(_part, conditions))
    raise TypeError(f"{node} is no expression")


def _compared(operator: str, left: ir.Node, right: ir.Node) -> str:
    if isinstance(right, ir.Constant | ir.EndOfQueue):
        operator = {"==": "is", "!=": "is not"}[operator]
    return f"{expression(left)} {operator} {expression(right)}"


def _part(node: ir.Node) -> str:
    return f"({condition_(node)})" if isinstance(node, ir.All | ir.Any_) else condition_(node)


# -- Statements --------------------------------------------------------------------------------------------------------


def lines(body: Sequence[ir.Statement], depth: int = 0) -> Iterator[Line]:
    """Yield the lines of statements."""
    for statement in body:
        match statement:
            case ir.If(cases):
                word = "if"
                for case in cases:
                    head = "else:" if case.condition is None else f"{word} {expression(case.condition)}:"
                    yield Line(case.step, depth, head)
                    yield from lines(case.body, depth + 1)
                    word = "elif"
            case ir.While(condition, inner):
                yield Line(statement.step, depth, f"while {expression(condition)}:")
                yield from lines(inner, depth + 1)
            case _:
                yield Line(statement.step, depth, _simple(statement))
    if not body:
        yield Line("", depth, "pass")


def _simple(statement: ir.Statement) -> str:
    match statement:
        case ir.Assign(targets, ir.LastRange() as value):
            return f"{', '.join(map(expression, targets))} = {expression(value)}"
        case ir.Assign(targets, value):
            return " = ".join([*map(expression, targets), _outer(value)])
        case ir.Append(target, value):
            return f"{expression(target)}.append({expression(value)})"
        case ir.Restore(queue, value):
            return f"restore({expression(queue)}, {expression(value)})"
        case ir.Return(value):
            return f"return {_outer(value)}"
    raise TypeError(f"{statement} is no statement")


def _outer(node: ir.Node) -> str:
    """Return an expression that nothing surrounds, so that it needs no parentheses."""
    text = expression(node)
    return text[1:-1] if isinstance(node, ir.Choice) else text


def table(algorithm: ir.Algorithm) -> ir.Rows | None:
    """Return the table of an algorithm, None if it has none."""
    found = {node for node in ir.walk(algorithm.body) if isinstance(node, ir.Rows)}
    if len(found) > 1:
        raise NotImplementedError(f"#{algorithm.anchor} has {len(found)} tables, but the notation has one name")
    return next(iter(found), None)


@cache
def text(algorithm: ir.Algorithm) -> str:
    """Return the statements of an algorithm, one a line, without the numbers of steps."""
    return "\n".join(f"{'    ' * line.depth}{line.text}" for line in lines(algorithm.body))


# -- Writing a pin -----------------------------------------------------------------------------------------------------


def to_toml(algorithms: Algorithms) -> str:
    """Return the text of algorithms.toml."""
    found = [
        "# The algorithms of the Encoding Standard: the SHA-256 of each text, and what it says, in our notation.",
        f"# Names of programs are anchors: {STANDARD}#shift_jis-decoder. Written by",
        "# `python -m generator spec --pin`; generator/spec/notation.py describes the notation.",
        "",
        f"origin = {toml_string(algorithms.origin)}",
        f"date = {toml_string(algorithms.date)}",
        "",
        "# Texts that are transcribed by hand: I/O queues, hooks, the API.",
        "[transcribed]",
        *(f"{toml_string(anchor)} = {toml_string(digest)}" for anchor, digest in algorithms.transcribed.items()),
    ]
    for algorithm in algorithms.programs.values():
        found += ["", *_entry(algorithm)]
    return "\n".join(found) + "\n"


def _entry(algorithm: ir.Algorithm) -> Iterator[str]:
    yield f"[programs.{toml_string(algorithm.anchor)}]"
    for key in ("digest", "chapter", "kind", "encoding", "base"):
        if getattr(algorithm, key):
            yield f"{key} = {toml_string(getattr(algorithm, key))}"
    if algorithm.parameters:
        yield f"parameters = [{', '.join(map(toml_string, algorithm.parameters))}]"
    if algorithm.members:
        members = (f"'{name} = {expression(value)}'" for name, value in algorithm.members)
        yield f"members = [{', '.join(members)}]"
    rows = table(algorithm)
    if rows is not None:
        yield "table = ["
        for row, items in rows.entries:
            yield f"    [0x{row:04X}, {', '.join(f'0x{item:02X}' for item in items)}],"
        yield "]"
    if algorithm.body:
        written = list(lines(algorithm.body))
        width = max(len(line.step) for line in written)
        yield "steps = '''"
        yield from (f"{line.step:<{width}} | {'    ' * line.depth}{line.text}" for line in written)
        yield "'''"


def toml_string(text: str) -> str:
    """Return a TOML string. JSON's escapes are valid in TOML; U+007F, which only TOML forbids, is escaped here."""
    return json.dumps(text).replace("\x7f", "\\u007f")


# -- Reading -----------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Algorithms | None:
    """Return the algorithms that a folder pins, None if it pins none. Raise a SpecError if the pin is malformed."""
    path = folder / FILE
    return from_toml(path.read_text(encoding="utf-8")) if path.exists() else None


@cache
def from_toml(text: str) -> Algorithms:
    """Return the algorithms of the text of algorithms.toml; raise a SpecError that says what is malformed."""
    try:
        value = tomllib.loads(text)
        if value["date"]:
            date.fromisoformat(value["date"])
        transcribed = {str(anchor): str(digest) for anchor, digest in value["transcribed"].items()}
        entries = dict(value["programs"])
        origin, day = str(value["origin"]), str(value["date"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SpecError(f"{FILE}: is not a pin of the standard's algorithms: {error!r}"[:200]) from error
    programs = {}
    for anchor, entry in entries.items():
        try:
            programs[anchor] = _algorithm(anchor, entry)
        except (ValueError, KeyError, TypeError, AttributeError, SyntaxError) as error:
            raise SpecError(f"{FILE}: #{anchor}: {error}"[:300]) from error
    return Algorithms(origin, day, MappingProxyType(programs), MappingProxyType(transcribed))


_KEYS = {"digest", "chapter", "kind", "encoding", "base", "parameters", "members", "table", "steps"}


def _algorithm(anchor: str, entry: Mapping[str, Any]) -> ir.Algorithm:
    if not entry.keys() <= _KEYS or entry["kind"] not in ("decoder", "encoder", "operation"):
        raise ValueError(f"has unknown keys or no known kind: {', '.join(entry)}")
    rows = ir.Rows(tuple((key, tuple(items)) for key, *items in entry.get("table", ())))
    written = [line.partition("| ") for line in entry.get("steps", "").splitlines()]
    reader = _Reader([step.strip() for step, _, _ in written], rows)
    body = reader.body(ast.parse("\n".join(text for _, _, text in written)).body)
    members = []
    for member in entry.get("members", ()):
        (assigned,) = ast.parse(member).body
        if not (isinstance(assigned, ast.Assign) and isinstance(assigned.targets[0], ast.Name)):
            raise ValueError(f"is no member: {member}")
        members.append((assigned.targets[0].id, reader.value(assigned.value)))
    algorithm = ir.Algorithm(
        anchor,
        entry["digest"],
        entry["chapter"],
        entry["kind"],
        entry.get("encoding", ""),
        tuple(entry.get("parameters", ())),
        tuple(members),
        entry.get("base", ""),
        body,
    )
    ir.check(algorithm)
    return algorithm


_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.BitOr: "|", ast.BitAnd: "&", ast.LShift: "<<", ast.RShift: ">>", ast.Add: "+", ast.Sub: "-",
    ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
_COMPARISONS: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">="}
_LOOKUPS = ("code_point", "pointer", "last_pointer")


class _Reader:
    """Convert Python's syntax trees to programs; whatever `expression` and `lines` do not write is a ValueError."""

    def __init__(self, steps: Sequence[str], rows: ir.Rows) -> None:
        self.steps = steps
        self.rows = rows

    def body(self, statements: Iterable[ast.stmt]) -> tuple[ir.Statement, ...]:
        return tuple(self.statement(one) for one in statements if not isinstance(one, ast.Pass))

    def step(self, line: int) -> str:
        return self.steps[line - 1]

    def statement(self, node: ast.stmt) -> ir.Statement:
        step = self.step(node.lineno)
        match node:
            case ast.If():
                return ir.If(tuple(self.cases(node)), step=step)
            case ast.While(test, body, []):
                return ir.While(self.condition(test), self.body(body), step=step)
            case ast.Return(value) if value is not None:
                return ir.Return(self.value(value), step=step)
            case ast.Assign([ast.Tuple(targets)], value) | ast.Assign(targets, value):
                return ir.Assign(tuple(map(self.value, targets)), self.value(value), step=step)
            case ast.Expr(ast.Call(ast.Name("restore"), [queue, value])):
                return ir.Restore(self.value(queue), self.value(value), step=step)
            case ast.Expr(ast.Call(ast.Attribute(target, "append"), [value])):
                return ir.Append(self.value(target), self.value(value), step=step)
        raise ValueError(f"is no statement of the notation: {ast.unparse(node)}")

    def cases(self, node: ast.If) -> Iterator[ir.Case]:
        yield ir.Case(self.condition(node.test), self.body(node.body), step=self.step(node.lineno))
        match node.orelse:
            case []:
                return
            case [ast.If() as other] if other.col_offset == node.col_offset:
                yield from self.cases(other)
            case otherwise:
                yield ir.Case(None, self.body(otherwise), step=self.step(self._else(node)))

    def _else(self, node: ast.If) -> int:
        """Return the line of the ``else`` of a statement: the one above its first statement, which is on a line."""
        return node.orelse[0].lineno - 1

    def value(self, node: ast.expr) -> ir.Node:
        match node:
            case ast.Constant(bool() | None as constant):
                return ir.Constant(constant)
            case ast.Constant(int() as number):
                return ir.Number(number, is_hexadecimal=self._is_hexadecimal(node))
            case ast.Constant(str() as name):
                return ir.Symbol(name)
            case ast.Name("END_OF_QUEUE"):
                return ir.EndOfQueue()
            case ast.Name("FINISHED" | "CONTINUE" as name):
                return ir.Signal(name.lower())
            case ast.Name(name):
                return ir.Local(name)
            case ast.Attribute(ast.Name("self"), "index_single_byte"):
                return ir.IndexSingleByte()
            case ast.Attribute(ast.Name("self"), name):
                return ir.Member(name)
            case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
                return ir.Arithmetic(_OPERATORS[type(operator)], self.value(left), self.value(right))
            case ast.IfExp(test, then, otherwise):
                return ir.Choice(self.condition(test), self.value(then), self.value(otherwise))
            case ast.List(items):
                return ir.Items(tuple(map(self.value, items)))
            case ast.Subscript(ast.Name("INDEXES"), ast.Constant(str() as name)):
                return ir.Index(name)
            case ast.Subscript(ast.Name(name), key) if name == TABLE:
                return ir.Row(self.rows, self.value(key))
            case ast.Call(function, arguments, []):
                return self.call(function, arguments)
        raise ValueError(f"is no expression of the notation: {ast.unparse(node)}")

    def _is_hexadecimal(self, node: ast.Constant) -> bool:
        """Return whether a number is written with more characters than its decimal digits, as hexadecimal ones are."""
        return node.end_col_offset is not None and node.end_col_offset - node.col_offset > len(str(node.value))

    def call(self, function: ast.expr, arguments: Sequence[ast.expr]) -> ir.Node:
        match function, arguments:
            case ast.Name("Error"), []:
                return ir.Error()
            case ast.Name("Error"), [code_point]:
                return ir.Error(self.value(code_point))
            case ast.Name("scalar_value_from_surrogates"), [leading, trailing]:
                return ir.Surrogates(self.value(leading), self.value(trailing))
            case ast.Name(name), [argument] if name.startswith("index_"):
                return ir.Operation(name, self.value(argument))
            case ast.Attribute(index, "excluding"), [ast.Lambda(_, body)]:
                return ir.Excluding(self.value(index), self.condition(body))
            case ast.Attribute(index, "last_range"), [ast.Constant(str() as what), key]:
                return ir.LastRange(what, self.value(index), self.value(key))
            case ast.Attribute(index, what), [key] if what in _LOOKUPS:
                return ir.Lookup(what, self.value(index), self.value(key))
        raise ValueError(f"is no operation of the notation: {ast.unparse(function)}")

    def condition(self, node: ast.expr) -> ir.Node:
        match node:
            case ast.BoolOp(ast.And(), values):
                return ir.All(tuple(map(self.condition, values)))
            case ast.BoolOp(ast.Or(), values):
                return ir.Any_(tuple(map(self.condition, values)))
            case ast.UnaryOp(ast.Not(), operand):
                return ir.Not(self.condition(operand))
            case ast.Call(ast.Name("in_range"), [value, first, last]):
                return ir.InRange(self.value(value), self.value(first), self.value(last))
            case ast.Compare(left, [ast.In()], [ast.Name(name)]) if name == TABLE:
                return ir.InTable(self.value(left), self.rows)
            case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
                return ir.Compare("==", self.value(left), self.value(right))
            case ast.Compare(left, [ast.NotEq() | ast.IsNot()], [right]):
                return ir.Not(ir.Compare("==", self.value(left), self.value(right)))
            case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARISONS:
                return ir.Compare(_COMPARISONS[type(operator)], self.value(left), self.value(right))
        raise ValueError(f"is no condition of the notation: {ast.unparse(node)}")
