"""The pin of the algorithms, data/algorithms.toml: digests of their texts, and their statements in a notation.

A line of the notation has the number of a step and a statement in Python's syntax, of which `read` accepts just what
`python.lines` writes. So a difference between two pins is one between two programs, and the reference, the tables and
the checks of templates are made from the pin alone, without a network.
"""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator.model import STANDARD
from generator.spec.errors import SpecError
from generator.spec.program import (
    Algorithm,
    All,
    Any_,
    Append,
    Arithmetic,
    Assign,
    Case,
    Choice,
    Compare,
    Constant,
    EndOfQueue,
    Error,
    Excluding,
    If,
    Index,
    IndexSingleByte,
    InRange,
    InTable,
    Items,
    LastRange,
    Local,
    Lookup,
    Member,
    Node,
    Not,
    Number,
    Operation,
    Programs,
    Restore,
    Return,
    Row,
    Rows,
    Signal,
    Statement,
    Surrogates,
    Symbol,
    While,
    check,
)
from generator.spec.python import TABLE, expression, lines, table

FILE = "algorithms.toml"


@dataclass(frozen=True)
class Algorithms:
    """The algorithms of the standard as of a date: programs, and digests of the texts that are transcribed by hand."""

    origin: str
    date: str
    """The ISO 8601 date of the source, empty if it is not known."""
    programs: Programs
    transcribed: Mapping[str, str]

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of each text, compiled or transcribed, by anchor."""
        return MappingProxyType({**{a: p.digest for a, p in self.programs.items()}, **self.transcribed})

    def identify(self, old: Algorithms | None) -> str:
        """Identify the change from old algorithms to these: 16 hexadecimal digits that depend on every text."""
        sides = [sorted(side.digests.items()) if side else [] for side in (old, self)]
        return hashlib.sha256(repr(sides).encode()).hexdigest()[:16]


# -- Writing -----------------------------------------------------------------------------------------------------------


def to_toml(algorithms: Algorithms) -> str:
    """Return the text of algorithms.toml."""
    found = [
        "# The algorithms of the Encoding Standard: the SHA-256 of each text, and what it says, in our notation.",
        f"# Names of programs are anchors: {STANDARD}#shift_jis-decoder. Written by",
        "# `python -m generator spec --pin`; generator/spec/notation.py describes the notation.",
        "",
        f"origin = {_string(algorithms.origin)}",
        f"date = {_string(algorithms.date)}",
        "",
        "# Texts that are transcribed by hand: I/O queues, hooks, the API.",
        "[transcribed]",
        *(f"{_string(anchor)} = {_string(digest)}" for anchor, digest in algorithms.transcribed.items()),
    ]
    for algorithm in algorithms.programs.values():
        found += ["", *_entry(algorithm)]
    return "\n".join(found) + "\n"


def _entry(algorithm: Algorithm) -> Iterator[str]:
    yield f"[programs.{_string(algorithm.anchor)}]"
    for key in ("digest", "chapter", "kind", "encoding", "base"):
        if getattr(algorithm, key):
            yield f"{key} = {_string(getattr(algorithm, key))}"
    if algorithm.parameters:
        yield f"parameters = [{', '.join(map(_string, algorithm.parameters))}]"
    if algorithm.members:
        members = (f"{name} = {expression(value)}" for name, value in algorithm.members)
        yield f"members = [{', '.join(map(_literal, members))}]"
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


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _literal(text: str) -> str:
    return f"'{text}'"


# -- Reading -----------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Algorithms | None:
    """Return the algorithms that a folder pins, None if it pins none. Raise a SpecError if the pin is malformed."""
    path = folder / FILE
    return from_toml(path.read_text(encoding="utf-8")) if path.exists() else None


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


def _algorithm(anchor: str, entry: Mapping[str, Any]) -> Algorithm:
    if not entry.keys() <= _KEYS or entry["kind"] not in ("decoder", "encoder", "operation"):
        raise ValueError(f"has unknown keys or no known kind: {', '.join(entry)}")
    rows = Rows(tuple((key, tuple(items)) for key, *items in entry.get("table", ())))
    written = [line.partition("| ") for line in entry.get("steps", "").splitlines()]
    reader = _Reader([step.strip() for step, _, _ in written], rows)
    body = reader.body(ast.parse("\n".join(text for _, _, text in written)).body)
    members = []
    for member in entry.get("members", ()):
        (assigned,) = ast.parse(member).body
        if not (isinstance(assigned, ast.Assign) and isinstance(assigned.targets[0], ast.Name)):
            raise ValueError(f"is no member: {member}")
        members.append((assigned.targets[0].id, reader.value(assigned.value)))
    algorithm = Algorithm(
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
    check(algorithm)
    return algorithm


_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.BitOr: "|", ast.BitAnd: "&", ast.LShift: "<<", ast.RShift: ">>", ast.Add: "+", ast.Sub: "-",
    ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
_COMPARISONS: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">="}
_LOOKUPS = ("code_point", "pointer", "last_pointer")


class _Reader:
    """Convert Python's syntax trees to programs; whatever `python` does not write is a ValueError."""

    def __init__(self, steps: Sequence[str], rows: Rows) -> None:
        self.steps = steps
        self.rows = rows

    def body(self, statements: Iterable[ast.stmt]) -> tuple[Statement, ...]:
        return tuple(self.statement(one) for one in statements if not isinstance(one, ast.Pass))

    def step(self, line: int) -> str:
        return self.steps[line - 1]

    def statement(self, node: ast.stmt) -> Statement:
        step = self.step(node.lineno)
        match node:
            case ast.If():
                return If(tuple(self.cases(node)), step=step)
            case ast.While(test, body, []):
                return While(self.condition(test), self.body(body), step=step)
            case ast.Return(value) if value is not None:
                return Return(self.value(value), step=step)
            case ast.Assign([ast.Tuple(targets)], value) | ast.Assign(targets, value):
                return Assign(tuple(map(self.value, targets)), self.value(value), step=step)
            case ast.Expr(ast.Call(ast.Name("restore"), [queue, value])):
                return Restore(self.value(queue), self.value(value), step=step)
            case ast.Expr(ast.Call(ast.Attribute(target, "append"), [value])):
                return Append(self.value(target), self.value(value), step=step)
        raise ValueError(f"is no statement of the notation: {ast.unparse(node)}")

    def cases(self, node: ast.If) -> Iterator[Case]:
        yield Case(self.condition(node.test), self.body(node.body), step=self.step(node.lineno))
        match node.orelse:
            case []:
                return
            case [ast.If() as other] if other.col_offset == node.col_offset:
                yield from self.cases(other)
            case otherwise:
                yield Case(None, self.body(otherwise), step=self.step(self._else(node)))

    def _else(self, node: ast.If) -> int:
        """Return the line of the ``else`` of a statement: the one above its first statement, which is on a line."""
        return node.orelse[0].lineno - 1

    def value(self, node: ast.expr) -> Node:
        match node:
            case ast.Constant(bool() | None as constant):
                return Constant(constant)
            case ast.Constant(int() as number):
                return Number(number, is_hexadecimal=self._is_hexadecimal(node))
            case ast.Constant(str() as name):
                return Symbol(name)
            case ast.Name("END_OF_QUEUE"):
                return EndOfQueue()
            case ast.Name("FINISHED" | "CONTINUE" as name):
                return Signal(name.lower())
            case ast.Name(name):
                return Local(name)
            case ast.Attribute(ast.Name("self"), "index_single_byte"):
                return IndexSingleByte()
            case ast.Attribute(ast.Name("self"), name):
                return Member(name)
            case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
                return Arithmetic(_OPERATORS[type(operator)], self.value(left), self.value(right))
            case ast.IfExp(test, then, otherwise):
                return Choice(self.condition(test), self.value(then), self.value(otherwise))
            case ast.List(items):
                return Items(tuple(map(self.value, items)))
            case ast.Subscript(ast.Name("INDEXES"), ast.Constant(str() as name)):
                return Index(name)
            case ast.Subscript(ast.Name(name), key) if name == TABLE:
                return Row(self.rows, self.value(key))
            case ast.Call(function, arguments, []):
                return self.call(function, arguments)
        raise ValueError(f"is no expression of the notation: {ast.unparse(node)}")

    def _is_hexadecimal(self, node: ast.Constant) -> bool:
        """Return whether a number is written with more characters than its decimal digits, as hexadecimal ones are."""
        return node.end_col_offset is not None and node.end_col_offset - node.col_offset > len(str(node.value))

    def call(self, function: ast.expr, arguments: Sequence[ast.expr]) -> Node:
        match function, arguments:
            case ast.Name("Error"), []:
                return Error()
            case ast.Name("Error"), [code_point]:
                return Error(self.value(code_point))
            case ast.Name("scalar_value_from_surrogates"), [leading, trailing]:
                return Surrogates(self.value(leading), self.value(trailing))
            case ast.Name(name), [argument] if name.startswith("index_"):
                return Operation(name, self.value(argument))
            case ast.Attribute(index, "excluding"), [ast.Lambda(_, body)]:
                return Excluding(self.value(index), self.condition(body))
            case ast.Attribute(index, "last_range"), [ast.Constant(str() as what), key]:
                return LastRange(what, self.value(index), self.value(key))
            case ast.Attribute(index, what), [key] if what in _LOOKUPS:
                return Lookup(what, self.value(index), self.value(key))
        raise ValueError(f"is no operation of the notation: {ast.unparse(function)}")

    def condition(self, node: ast.expr) -> Node:
        match node:
            case ast.BoolOp(ast.And(), values):
                return All(tuple(map(self.condition, values)))
            case ast.BoolOp(ast.Or(), values):
                return Any_(tuple(map(self.condition, values)))
            case ast.UnaryOp(ast.Not(), operand):
                return Not(self.condition(operand))
            case ast.Call(ast.Name("in_range"), [value, first, last]):
                return InRange(self.value(value), self.value(first), self.value(last))
            case ast.Compare(left, [ast.In()], [ast.Name(name)]) if name == TABLE:
                return InTable(self.value(left), self.rows)
            case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
                return Compare("==", self.value(left), self.value(right))
            case ast.Compare(left, [ast.NotEq() | ast.IsNot()], [right]):
                return Not(Compare("==", self.value(left), self.value(right)))
            case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARISONS:
                return Compare(_COMPARISONS[type(operator)], self.value(left), self.value(right))
        raise ValueError(f"is no condition of the notation: {ast.unparse(node)}")
