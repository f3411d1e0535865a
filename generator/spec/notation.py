"""The pin of the algorithms, data/algorithms.toml: digests of their texts, and their statements in a notation.

A line of the notation has the number of a step and a statement in Python's syntax, of which `read` accepts just what
`lines` writes. So a difference between two pins is one between two programs, and the reference, the tables and
the checks of templates are made from the pin alone, without a network.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator.model import DATA, STANDARD
from generator.spec import program as ir
from generator.spec.errors import SpecError
from generator.steps import compressed, expand

FILE = "algorithms.toml"


@dataclass(frozen=True)
class Unread:
    """A section of the source that is not understood. Its program, if one was known before, stays as it was."""

    anchor: str
    faults: tuple[str, ...]
    pinned: ir.Algorithm | None
    steps: frozenset[str] = frozenset()
    """The numbers of the steps whose sentences are not understood."""


@dataclass(frozen=True)
class Algorithms:
    """The algorithms of the standard as of a date: programs, and digests of the texts that are transcribed by hand."""

    origin: str
    date: str
    """The ISO 8601 date of the source, empty if it is not known."""
    programs: ir.Programs
    transcribed: Mapping[str, str]
    unread: tuple[Unread, ...] = ()
    """The sections that are not understood; none of a pin."""

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of each text, compiled or transcribed, by anchor."""
        return MappingProxyType({**{a: p.digest for a, p in self.programs.items()}, **self.transcribed})


@dataclass(frozen=True, slots=True)
class Line:
    """A line of statements: the number of its step, its indentation, and its text."""

    step: str
    depth: int
    text: str


# -- Expressions -------------------------------------------------------------------------------------------------------

_TIGHTNESS = {"|": 1, "&": 2, "<<": 3, ">>": 3, "+": 4, "-": 4, "*": 5, "//": 5, "%": 5}

TABLE = "TABLE"
"""The name of an algorithm's table; it has at most one."""


def expression(node: ir.Node) -> str:
    """Return an expression, a condition, a result or a simple statement as Python."""
    match node:
        case ir.Number(value, is_hexadecimal):
            return f"0x{value:02X}" if is_hexadecimal else str(value)
        case ir.Constant(value):
            return str(value)
        case ir.Signal(name):
            return name.upper()
        case ir.Error(None):
            return "Error()"
        case ir.Items(items):
            return f"[{', '.join(map(expression, items))}]"
        case ir.Arithmetic(operator, left, right):
            return f"{_operand(left, operator, 0)} {operator} {_operand(right, operator, 1)}"
        case ir.Compare(operator, left, right):
            return _compared(operator, left, right)
        case ir.Not(ir.Compare("==", left, right)):
            return _compared("!=", left, right)
        case ir.Not(condition):
            return f"not {_part(condition)}"
        case ir.Junction(operator, conditions):
            return f" {operator} ".join(map(_part, conditions))
        case ir.Assign(targets, ir.LastRange() as value):
            return f"{', '.join(map(expression, targets))} = {expression(value)}"
        case ir.Assign(targets, value):
            return " = ".join([*map(expression, targets), _outer(value)])
        case ir.Return(value):
            return f"return {_outer(value)}"
    if not node.form:
        raise TypeError(f"{node} is not in the notation")
    parts = {name: part for name, part in vars(node).items() if f"{{{name}}}" in node.form}
    return node.form.format_map(
        {name: piece if isinstance(piece, str) else expression(piece) for name, piece in parts.items()}
    )


def _operand(node: ir.Node, operator: str, side: int) -> str:
    text = expression(node)
    is_loose = isinstance(node, ir.Arithmetic) and _TIGHTNESS[node.operator] < _TIGHTNESS[operator] + side
    return f"({text})" if is_loose else text


def _compared(operator: str, left: ir.Node, right: ir.Node) -> str:
    if isinstance(right, ir.Constant | ir.EndOfQueue):
        operator = {"==": "is", "!=": "is not"}[operator]
    return f"{expression(left)} {operator} {expression(right)}"


def _part(node: ir.Node) -> str:
    return f"({expression(node)})" if isinstance(node, ir.Junction) else expression(node)


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
                yield Line(statement.step, depth, expression(statement))
    if not body:
        yield Line("", depth, "pass")


def _outer(node: ir.Node) -> str:
    """Return an expression that nothing surrounds, so that it needs no parentheses."""
    text = expression(node)
    return text[1:-1] if isinstance(node, ir.Choice) else text


def table(algorithm: ir.Algorithm) -> ir.Rows | None:
    """Return the table of an algorithm, None if it has none."""
    tables = {node for node in ir.walk(algorithm.body) if isinstance(node, ir.Rows)}
    if len(tables) > 1:
        raise NotImplementedError(f"#{algorithm.anchor} has {len(tables)} tables, but the notation has one name")
    return next(iter(tables), None)


@cache
def text(algorithm: ir.Algorithm) -> str:
    """Return the statements of an algorithm, one a line, without the numbers of steps."""
    return "\n".join(f"{'    ' * line.depth}{line.text}" for line in lines(algorithm.body))


# -- Writing a pin -----------------------------------------------------------------------------------------------------


def to_toml(algorithms: Algorithms) -> str:
    """Return the text of algorithms.toml."""
    lines = [
        "# The algorithms of the Encoding Standard: the SHA-256 of each text, and what it says, in our notation.",
        f"# Names of programs are anchors: {STANDARD}#shift_jis-decoder. Written by",
        "# `python -m generator generate` and `pin`; generator/spec/notation.py describes the notation.",
        "",
        f"origin = {toml_string(algorithms.origin)}",
        f"date = {toml_string(algorithms.date)}",
        "",
        "# Texts that are transcribed by hand: I/O queues, hooks, the API. Whatever does so cites their anchors.",
        "[transcribed]",
        *(f"{toml_string(anchor)} = {toml_string(digest)}" for anchor, digest in algorithms.transcribed.items()),
    ]
    for algorithm in algorithms.programs.values():
        lines += ["", *_entry(algorithm)]
    return "\n".join(lines) + "\n"


_TEXTS = ("digest", "kind", "encoding", "base")


def _entry(algorithm: ir.Algorithm) -> Iterator[str]:
    yield f"[programs.{toml_string(algorithm.anchor)}]"
    for key in _TEXTS:
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
    if algorithm.names:
        yield "# What templates call the steps; the numbers are moved with them."
        yield f"[programs.{toml_string(algorithm.anchor)}.names]"
        yield from (f"{name} = {toml_string(numbers)}" for name, numbers in algorithm.names)


def toml_string(text: str) -> str:
    """Return a TOML string. JSON's escapes are valid in TOML; U+007F, which only TOML forbids, is escaped here."""
    return json.dumps(text).replace("\x7f", "\\u007f")


# -- Reading -----------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Algorithms | None:
    """Return the algorithms that a folder pins, None if it pins none. Raise a SpecError if the pin is malformed."""
    path = folder / FILE
    return from_toml(path.read_text(encoding="utf-8")) if path.exists() else None


def known(folder: Path) -> Algorithms:
    """Return the algorithms that a folder pins, or else the project's. Raise a SpecError if there are none."""
    algorithms = load(folder) or load(DATA)
    if algorithms is None:
        raise SpecError(f"{FILE}: is missing from {folder}")
    return algorithms


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


_KEYS = {*_TEXTS, "parameters", "members", "table", "steps", "names"}


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
    texts = {key: entry[key] for key in _TEXTS if key in entry}
    algorithm = ir.Algorithm(
        anchor, parameters=tuple(entry.get("parameters", ())), members=tuple(members), body=body,
        names=tuple(_names(entry.get("names", {}))), **texts,
    )  # fmt: skip
    ir.check(algorithm)
    return algorithm


def _names(entries: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names of steps with their numbers."""
    for name, numbers in entries.items():
        if not name.isidentifier() or compressed(expand(numbers)) != numbers:
            raise ValueError(f"{name!a} is no name, or {numbers!a} are no numbers of steps")
        yield name, numbers


_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.BitOr: "|", ast.BitAnd: "&", ast.LShift: "<<", ast.RShift: ">>", ast.Add: "+", ast.Sub: "-",
    ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.Is: "==", ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=",
}  # fmt: skip


def _forms() -> Iterator[tuple[type[ir.Node], ast.AST]]:
    """Yield the kinds of nodes with a form and its syntax tree, in which ``_name`` is a field; specific ones first."""
    for kind in sorted(vars(ir).values(), key=lambda kind: getattr(kind, "form", "").count("{")):
        if form := getattr(kind, "form", ""):
            (tree,) = ast.parse(re.sub(r"\{(\w+)\}", r"_\1", form)).body
            yield kind, tree if issubclass(kind, ir.Statement) else tree.value  # type: ignore[attr-defined]


_FORMS = tuple(_forms())


def _fits(form: Any, tree: Any, parts: dict[str, Any]) -> bool:
    """Return whether a syntax tree has a form, and note the parts of the tree that are fields."""
    match form:
        case ast.Name("_name"):  # an identifier, not any node
            return isinstance(tree, ast.Name) and _fits("_name", tree.id, parts)
        case ast.Name(name) if name.startswith("_"):
            parts[name[1:]] = tree
            return True
        case str() if form.startswith("_"):
            parts[form[1:]] = tree
            return isinstance(tree, str)
        case ast.expr_context():  # a variable is written as it is read
            return True
        case ast.AST():
            return type(form) is type(tree) and all(
                _fits(getattr(form, name), getattr(tree, name), parts) for name in form._fields
            )
        case list():
            return len(form) == len(tree) and all(_fits(*pair, parts) for pair in zip(form, tree, strict=True))
    return bool(form == tree)


class _Reader:
    """Convert Python's syntax trees to programs; whatever `expression` and `lines` do not write is a ValueError."""

    def __init__(self, steps: Sequence[str], rows: ir.Rows) -> None:
        self.steps = steps
        self.rows = rows

    def body(self, statements: Iterable[ast.stmt]) -> tuple[ir.Statement, ...]:
        return tuple(self.statement(statement) for statement in statements if not isinstance(statement, ast.Pass))

    def step(self, line: int) -> str:
        return self.steps[line - 1]

    def statement(self, node: ast.stmt) -> ir.Statement:
        step = self.step(node.lineno)
        match node:
            case ast.If():
                return ir.If(tuple(self.cases(node)), step=step)
            case ast.While(test, body, []):
                return ir.While(self.condition(test), self.body(body), step=step)
            case ast.Assign([ast.Tuple(targets)], value) | ast.Assign(targets, value):
                return ir.Assign(tuple(map(self.value, targets)), self.value(value), step=step)
        statement: ir.Statement = self.formed(node, step=step)
        return statement

    def cases(self, node: ast.If) -> Iterator[ir.Case]:
        yield ir.Case(self.condition(node.test), self.body(node.body), step=self.step(node.lineno))
        match node.orelse:
            case []:
                return
            case [ast.If() as following] if following.col_offset == node.col_offset:
                yield from self.cases(following)
            case otherwise:
                # The line of the ``else`` is the one above its first statement, which is on a line.
                yield ir.Case(None, self.body(otherwise), step=self.step(otherwise[0].lineno - 1))

    def value(self, node: ast.expr) -> ir.Node:
        """Return what is no condition."""
        if isinstance(value := self.expression(node), ir.Condition):
            raise ValueError(f"is a condition instead of a value: {ast.unparse(node)}")
        return value

    def condition(self, node: ast.expr) -> ir.Node:
        if not isinstance(condition := self.expression(node), ir.Condition):
            raise ValueError(f"is no condition of the notation: {ast.unparse(node)}")
        return condition

    def expression(self, node: ast.expr) -> ir.Node:
        match node:
            case ast.Constant(bool() | None as constant):
                return ir.Constant(constant)
            case ast.Constant(int() as number):
                # A hexadecimal number has more characters than decimal digits.
                width = (node.end_col_offset or 0) - node.col_offset
                return ir.Number(number, is_hexadecimal=width > len(str(number)))
            case ast.Name("FINISHED" | "CONTINUE" as name):
                return ir.Signal(name.lower())
            case ast.Call(ast.Name("Error"), [], []):
                return ir.Error()
            case ast.List(items):
                return ir.Items(tuple(map(self.value, items)))
            case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
                return ir.Arithmetic(_OPERATORS[type(operator)], self.value(left), self.value(right))
            case ast.BoolOp(operator, values):
                word = "and" if isinstance(operator, ast.And) else "or"
                return ir.Junction(word, tuple(map(self.condition, values)))
            case ast.UnaryOp(ast.Not(), operand):
                return ir.Not(self.condition(operand))
            case ast.Compare(left, [ast.NotEq() | ast.IsNot()], [right]):
                return ir.Not(ir.Compare("==", self.value(left), self.value(right)))
            case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARISONS:
                return ir.Compare(_COMPARISONS[type(operator)], self.value(left), self.value(right))
        expression: ir.Node = self.formed(node)
        return expression

    def formed(self, tree: ast.AST, **more: str) -> Any:
        """Return the node whose form a syntax tree has."""
        for kind, form in _FORMS:
            parts: dict[str, Any] = {}
            if _fits(form, tree, parts):
                own = [member for member in fields(kind) if member.name not in more]  # type: ignore[arg-type]
                return kind(**{member.name: self.field(member, parts.get(member.name)) for member in own}, **more)
        raise ValueError(f"is not in the notation: {ast.unparse(tree)}")

    def field(self, field: Field[Any], part: Any) -> Any:
        if field.type == "Rows":
            return self.rows
        if field.type == "str":
            return part
        return self.condition(part) if field.name == "condition" else self.value(part)
