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
from typing import Any

from generator.model import GeneratorError
from generator.tables import Table, TwoStage

ERROR, INCOMPLETE, NONE, NO_ERROR = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
END_OF_QUEUE = 0xFFFFFFFE


class UnreadableError(GeneratorError):
    """An emitted function uses more of Cython than is read here."""


# -- What emitted functions use of C: src/native: codec.h, error_policy.h, scalar/


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


def _put_utf8(target: Target, code_point: int) -> int:
    encoded = chr(code_point).encode("utf-8", "surrogatepass")
    for index, byte in enumerate(encoded):
        target[index] = byte
    return len(encoded)


def _store_pair(target: Target, pair: int) -> None:
    """Write two bytes, the lower one first."""
    target[0], target[1] = pair, pair >> 8


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
    "we_store_pair": _store_pair,
    "we_put_utf8": _put_utf8,
    "we_is_surrogate": lambda code_point: 0xD800 <= code_point <= 0xDFFF,
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
    text = re.sub(r"\bwhile (.+):$", r"while repeats(\1):", text, flags=re.M)
    text = re.sub(r"<uint8_t> \(", "uint8(", text)
    text = re.sub(r"<uint8_t> (\w+)", r"uint8(\1)", text)
    return text.replace("<const we_single_byte_tables *> ", "").replace("(&(", "((")


def _definition(match: re.Match[str]) -> str:
    parameters = _PARAMETER.sub(lambda parameter: parameter[3], match[3])
    return f"def {match[2]}({parameters}):"


def _assignments(match: re.Match[str]) -> str:
    """Return the variables of a declaration as annotations, with their initial values if they have any."""
    call = ast.parse(f"_({match[3].replace(' = ', ' := ')})", mode="eval").body
    declarations = []
    for variable in getattr(call, "args", ()):
        value = f" = {ast.unparse(variable.value)}" if isinstance(variable, ast.NamedExpr) else ""
        declarations.append(f"{ast.unparse(variable.target if value else variable)}: {match[2]}{value}")
    return match[1] + "; ".join(declarations)


MOST_REPETITIONS = 100
"""More than any item takes."""


class Module:
    """The functions of a generated module."""

    def __init__(self, text: str, tables: Iterable[Table]) -> None:
        """Read a module's text. Raise an UnreadableError if it is none that can be read."""
        self._tables = tables
        self._memories: dict[str, Memory] = {}
        self._repetitions = 0
        try:
            self._tree = ast.parse(_python(text))
        except SyntaxError as error:
            raise UnreadableError(
                f"{(error.text or '').strip()!a}: generator/spec/emitted.py does not read this"
            ) from None
        self._functions = {node.name: node for node in self._tree.body if isinstance(node, ast.FunctionDef)}

    @cached_property
    def _names(self) -> dict[str, Any]:
        """What the functions use, themselves included."""
        names = {**_C, "we_single_byte_of": self._single_byte_of, "repeats": self._repeats}
        for table in self._tables:
            names[table.symbol] = table
            for array in table.arrays():
                values = [array.entries.get(index, 0) for index in range(array.length)]
                self._memories[array.symbol] = Memory(array.symbol, values)
        names.update(self._memories)
        exec(compile(self._tree, "<emitted>", "exec"), names)
        return names

    def _single_byte_of(self, reverse: TwoStage, code_point: int) -> int:
        """``we_single_byte_of`` of src/native/kernels/scalar/single_byte.h: the byte of a code point, or 0."""
        if code_point < 0x80:
            return code_point
        if code_point > 0xFFFF:
            return 0
        stage1, stage2 = (self._memories[f"{reverse.symbol}_{name}"] for name in ("stage1", "stage2"))
        return stage2[stage1[code_point >> 7] * 128 + (code_point & 0x7F)]

    def _repeats(self, condition: Any) -> Any:
        """Return whether a loop begins again, and count it. Raise an IndexError where none of the standard's does."""
        self._repetitions += 1
        if self._repetitions > MOST_REPETITIONS:
            raise IndexError("a loop does not end")
        return condition

    def numbers(self, function: str) -> set[int]:
        """Return the numbers of a function and of those that it calls, operands of arithmetic apart."""
        nodes = [node for used in self._used(function) for node in ast.walk(used)]
        operands = {id(side) for node in nodes if isinstance(node, ast.BinOp) for side in (node.left, node.right)}
        constants = (node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in operands)
        return {value for value in constants if type(value) is int}

    def source(self, function: str) -> str:
        """Return the text of a function and of those that it calls."""
        return "\n".join(ast.unparse(used) for used in self._used(function))

    def _used(self, function: str) -> list[ast.FunctionDef]:
        """Return a function and those that it calls."""
        used, todo = dict[str, ast.FunctionDef](), [function]
        while todo:
            if (name := todo.pop()) not in used:
                used[name] = self._functions[name]
                called = (node.id for node in ast.walk(used[name]) if isinstance(node, ast.Name))
                todo += [callee for callee in called if callee in self._functions]
        return list(used.values())

    def single_byte_tables(self, symbol: str) -> Any:
        """Return the tables of a single-byte encoding, as its handlers read them."""
        return SimpleNamespace(index=self._names[symbol], reverse=self._names[f"{symbol}_reverse"])

    def decode(self, name: str, run: Any, source: bytes) -> tuple[int, int]:
        """Return what a decoder returns for the item at the start of `source`, and the bytes that it consumes."""
        consumed = [1]
        self._repetitions = 0
        value = self._names[name](run, Memory("source", source), len(source), consumed)
        if not 1 <= consumed[0] <= len(source):
            raise IndexError(f"{consumed[0]} bytes of {len(source)} are consumed")
        return value, consumed[0]

    def encode(self, name: str, run: Any, code_point: int) -> tuple[bytes, int | None]:
        """Return what an encoder writes for a code point, and its error, None if it has none."""
        target, error = Target(), [NO_ERROR]
        self._repetitions = 0
        length = self._names[name](run, code_point, target, error)
        return target.first(length), None if error[0] == NO_ERROR else error[0]
