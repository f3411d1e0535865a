"""Run emitted handlers without a compiler: the functions of a generated module, read as Python.

They are a small part of Cython: declarations, casts and pointers are all that Python does not have. Whatever else a
template uses is an error. Tables are those of the snapshot, and no read outside of one, or of the source, is possible.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

from generator.model import GeneratorError
from generator.spec import of_c
from generator.steps import CITATION, expand
from generator.tables import Table, TwoStage
from generator.tables.direct import Array

ERROR, INCOMPLETE, NONE, NO_ERROR = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
END_OF_QUEUE = 0xFFFFFFFE


class UnreadableError(GeneratorError):
    """An emitted function uses more of Cython than is read here."""


# -- What emitted functions use of C: src/native: codec.h, error_policy.h, double_byte/scalar.h, single_byte/scalar.h


class Memory:
    """An array of which only what is in it can be read."""

    def __init__(self, name: str, values: Sequence[int]) -> None:
        self.name = name
        self.values = values

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < len(self.values):
            raise IndexError(f"{self.name}[{index}] is read, which has {len(self.values)} entries")
        return self.values[index]


@dataclass(slots=True)
class Target:
    """The bytes that an encoder writes."""

    written: dict[int, int] = field(default_factory=dict)
    start: int = 0

    def __setitem__(self, index: int, value: int) -> None:
        self.written[self.start + index] = value & 0xFF

    def __add__(self, count: int) -> Target:
        return Target(self.written, self.start + count)

    def first(self, count: int) -> bytes:
        """Return the first bytes. Raise an IndexError if one of them was not written."""
        if missing := [index for index in range(count) if index not in self.written]:
            raise IndexError(f"byte {missing[0]} of {count} is not written")
        return bytes(self.written[index] for index in range(count))


_C: Mapping[str, Any] = {
    "WE_ITEM_ERROR": ERROR,
    "WE_ITEM_INCOMPLETE": INCOMPLETE,
    "WE_ITEM_NONE": NONE,
    "WE_END_OF_QUEUE": END_OF_QUEUE,
    "WE_ISO_2022_JP_ASCII": 0,
    "WE_ISO_2022_JP_ROMAN": 1,
    "WE_ISO_2022_JP_KATAKANA": 2,
    "WE_ISO_2022_JP_LEADING_BYTE": 3,
    "WE_ISO_2022_JP_JIS0208": 3,
    "we_store_pair": of_c.store_pair,
    "we_put_utf8": of_c.put_utf8,
    "we_is_surrogate": of_c.is_surrogate,
    "uint8": lambda value: value & 0xFF,
}

# -- From Cython to Python ---------------------------------------------------------------------------------------------

_FUNCTION = re.compile(r'cdef inline (\w+) (\w+)(?: "\w+")?\(([^()]*)\) noexcept nogil:')
_PARAMETER = re.compile(r"(?:const )?(\w+) (\*?)(\w+)")
_DECLARATION = re.compile(r"^( +)cdef (\w+) (.*)$", re.M)
_END = "# -- Registry"


def _python(text: str) -> str:
    """Return the functions of a generated module as Python, each statement in its line; types are annotations."""
    text = text[: text.index(_END)]
    text = "\n" * text[: text.index("cdef inline")].count("\n") + text[text.index("cdef inline") :]
    text = _FUNCTION.sub(_definition, text)
    text = _DECLARATION.sub(_assignments, text)
    text = re.sub(r"<uint8_t> \(", "uint8(", text)
    text = re.sub(r"<uint8_t> (\w+)", r"uint8(\1)", text)
    return text.replace("<const we_single_byte_tables *> ", "").replace("(&(", "((")


def _definition(match: re.Match[str]) -> str:
    parameters = _PARAMETER.sub(lambda one: one[3] if one[2] else f"{one[3]}: {one[1]}", match[3])
    return f"def {match[2]}({parameters}) -> {match[1]}:"


def _assignments(match: re.Match[str]) -> str:
    """Return the variables of a declaration as annotations, with their initial values if they have any."""
    call = ast.parse(f"_({match[3].replace(' = ', ' := ')})", mode="eval").body
    found = []
    for one in getattr(call, "args", ()):
        value = f" = {ast.unparse(one.value)}" if isinstance(one, ast.NamedExpr) else ""
        found.append(f"{ast.unparse(one.target if value else one)}: {match[2]}{value}")
    return match[1] + "; ".join(found)


class _Recorder(ast.NodeTransformer):
    """Make functions record which steps are cited where they branch and where they return.

    A branch is cited by the comments directly above it. Where it has none, and for a `return`, these are all comments
    since the `return` before, since the lines between prepare what it returns.
    """

    def __init__(self, text: str) -> None:
        self.cited: list[frozenset[str]] = []
        self._lines = [line.strip() for line in text.splitlines()]
        self._functions: set[str] = set()
        self._returns: list[int] = []

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self._functions = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._returns = [node.lineno, *sorted(one.lineno for one in ast.walk(node) if isinstance(one, ast.Return))]
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        is_elif = (
            len(node.orelse) == 1
            and isinstance(node.orelse[0], ast.If)
            and self._lines[node.orelse[0].lineno - 1].startswith("elif ")
        )
        entered = self._branch(node.lineno)
        otherwise = self._branch(node.orelse[0].lineno) if node.orelse and not is_elif else None
        self.generic_visit(node)
        node.body.insert(0, entered)
        if otherwise is not None:
            node.orelse.insert(0, otherwise)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(ast.Call(ast.Name("repeated", ast.Load()), [], [])))
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        value = node.value or ast.Constant(None)
        is_tail = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self._functions
        found = self.generic_visit(value) if is_tail else self.visit(value)
        return ast.Return(self._call("returned", self._since_return(node.lineno), found))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._functions:
            return ast.Subscript(node, ast.Constant(1), ast.Load())
        return node

    def _branch(self, line: int) -> ast.stmt:
        return ast.Expr(self._call("entered", self._above(line) or self._since_return(line)))

    def _call(self, name: str, cited: frozenset[str], *arguments: Any) -> Any:
        self.cited.append(cited)
        return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(len(self.cited) - 1), *arguments], [])

    def _above(self, line: int) -> frozenset[str]:
        """Return the steps that the comments directly above a line cite, and those above the `else:` above it."""
        first = line
        while self._lines[first - 2].startswith("#") or self._lines[first - 2] in ("", "else:"):
            first -= 1
        return self._citations(first, line)

    def _since_return(self, line: int) -> frozenset[str]:
        return self._citations(max(number for number in self._returns if number < line) + 1, line)

    def _citations(self, first: int, end: int) -> frozenset[str]:
        matches = (CITATION.match(" " + line) for line in self._lines[first - 1 : end - 1])
        return frozenset(f"{match[1]} {path}" for match in matches if match for path in expand(match[2]))


MOST_REPETITIONS = 100
"""More than any item takes."""


class Outcome(NamedTuple):
    """What a handler returns for an item, and the steps that its lines cite."""

    value: int
    length: int
    """The bytes consumed, or written."""
    output: bytes
    error: int | None
    returned: frozenset[str]
    """The steps cited where it returns."""
    entered: tuple[frozenset[str], ...]
    """The steps cited at each branch that it takes."""


class Module:
    """The functions of a generated module."""

    def __init__(self, text: str, tables: Iterable[Table]) -> None:
        """Read a module's text. Raise an UnreadableError if it is none that can be read."""
        self._tables = tables
        self._memories: dict[str, Any] = {}
        self._entered: list[int] = []
        self._repetitions = 0
        try:
            self._text = _python(text)
            tree = ast.parse(self._text)
        except SyntaxError as error:
            raise UnreadableError(
                f"{(error.text or '').strip()!a}: generator/spec/emitted.py does not read this"
            ) from None
        self._functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}

    def provided(self) -> Mapping[str, Any]:
        """Return what the functions use of C."""
        return {**_C, "we_single_byte_of": self._single_byte_of}

    def _single_byte_of(self, reverse: TwoStage, code_point: Any) -> Any:
        stage1, stage2 = (self._memories[f"{reverse.symbol}_{name}"] for name in ("stage1", "stage2"))
        return of_c.single_byte_of(stage1, stage2, code_point)

    def memory(self, array: Array) -> Any:
        """Return an array as the functions read it."""
        return Memory(array.symbol, [array.entries.get(index, 0) for index in range(array.length)])

    def tree(self) -> ast.Module:
        """Return the functions as they are run; annotations are the types that they declare."""
        return ast.parse(self._text)

    @cached_property
    def _names(self) -> dict[str, Any]:
        """What the functions use, themselves included."""
        names = {**self.provided(), "entered": self._entered.append, "returned": self._returned}
        names["repeated"] = self._repeated
        for table in self._tables:
            names[table.symbol] = table
            self._memories.update((array.symbol, self.memory(array)) for array in table.arrays())
        names.update(self._memories)
        tree = self._recorder.visit(self.tree())
        exec(compile(ast.fix_missing_locations(tree), "<emitted>", "exec"), names)
        return names

    @cached_property
    def _recorder(self) -> _Recorder:
        return _Recorder(self._text)

    def _returned(self, number: int, value: Any) -> tuple[frozenset[str], Any]:
        if isinstance(value, tuple):
            return self._recorder.cited[number] | value[0], value[1]
        return self._recorder.cited[number], value

    def _repeated(self) -> None:
        """Count how often a loop begins again. Raise an IndexError where none of the standard's does."""
        self._repetitions += 1
        if self._repetitions > MOST_REPETITIONS:
            raise IndexError("a loop does not end")

    def numbers(self, function: str) -> set[int]:
        """Return the numbers of a function and of those that it calls, operands of arithmetic apart."""
        nodes = [node for one in self._used(function) for node in ast.walk(one)]
        operands = {id(one) for node in nodes if isinstance(node, ast.BinOp) for one in (node.left, node.right)}
        constants = (node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in operands)
        return {value for value in constants if type(value) is int}

    def source(self, function: str) -> str:
        """Return the text of a function and of those that it calls, comments included."""
        lines = self._text.splitlines()
        return "\n".join("\n".join(lines[one.lineno - 1 : one.end_lineno]) for one in self._used(function))

    def _used(self, function: str) -> list[ast.FunctionDef]:
        """Return a function and those that it calls."""
        found, todo = dict[str, ast.FunctionDef](), [function]
        while todo:
            if (name := todo.pop()) not in found:
                found[name] = self._functions[name]
                called = (node.id for node in ast.walk(found[name]) if isinstance(node, ast.Name))
                todo += [one for one in called if one in self._functions]
        return list(found.values())

    def single_byte_tables(self, symbol: str) -> Any:
        """Return the tables of a single-byte encoding, as its handlers read them."""
        return SimpleNamespace(index=self._names[symbol], reverse=self._names[f"{symbol}_reverse"])

    def decode(self, name: str, run: Any, source: bytes) -> Outcome:
        """Return what a decoder returns for the item at the start of `source`."""
        consumed = [1]
        value, returned, entered = self.call(name, run, Memory("source", source), len(source), consumed)
        return Outcome(value, consumed[0], b"", None, returned, entered)

    def encode(self, name: str, run: Any, code_point: int) -> Outcome:
        """Return what an encoder returns for a code point."""
        target, error = Target(), [NO_ERROR]
        length, returned, entered = self.call(name, run, code_point, target, error)
        at = None if error[0] == NO_ERROR else error[0]
        return Outcome(length, length, target.first(length), at, returned, entered)

    def call(self, name: str, *arguments: Any) -> tuple[int, frozenset[str], tuple[frozenset[str], ...]]:
        """Return the value of a function, and the steps cited where it returns and at each branch that it takes."""
        del self._entered[:]
        self._repetitions = 0
        returned, value = self._names[name](*arguments)
        return value, returned, tuple(map(self._recorder.cited.__getitem__, self._entered))
