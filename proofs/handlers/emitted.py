"""Emitted functions over symbolic numbers: as `generator.spec.emitted` reads them, with the types that they declare."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import z3

from generator.spec.emitted import NO_ERROR, Module, Target
from generator.tables import Table
from generator.tables.direct import SIZES, Array
from proofs.handlers.numbers import WIDTHS, C, Truth, as_type, promoted
from proofs.handlers.paths import Path, UnprovableError, byte

LENGTH = z3.BitVec("length", 64)
"""The bytes that are left of a source, one at least."""
IS_FINAL = z3.Bool("is_final")
"""Whether end-of-queue follows them."""
CODE_POINT = z3.BitVec("code_point", 32)


class Memory:
    """An array of which only what is in it can be read, by any index."""

    def __init__(self, path: Path, array: Array) -> None:
        self.path, self.symbol, self.length = path, array.symbol, array.length
        width = 8 * SIZES[array.c_type]
        self.entries = np.zeros(array.length, dtype=np.uint64)
        self.entries[list(array.entries)] = list(array.entries.values())
        path.arrays[array.symbol] = self.entries
        self.term = z3.Array(array.symbol, z3.BitVecSort(32), z3.BitVecSort(width))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, Truth):
            index = int(bool(index))
        if isinstance(index, int):
            self.path.claim(f"{self.symbol}[{index}] is read", 0 <= index < self.length)
            return int(self.entries[index])
        if index.term.size() != 32:
            raise UnprovableError(f"{self.symbol} is read by an index of {index.term.size()} bits")
        # A negative index is a large one.
        self.path.claim(f"{self.symbol} is read within its {self.length} entries", z3.ULT(index.term, self.length))
        return promoted(self.path, z3.Select(self.term, index.term))


@dataclass
class SourceBytes:
    """The bytes of a source, of which only what is in it can be read."""

    path: Path

    def __getitem__(self, index: Any) -> C:
        if type(index) is not int or index < 0:
            raise UnprovableError("a source is read by an index that is no number")
        self.path.claim(f"source[{index}] is read within the source", z3.UGT(LENGTH, index))
        return promoted(self.path, byte(index))


class _Typed(ast.NodeTransformer):
    """Convert values to the types of the variables, the parameters and the results that they become."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}
        self._result = ""
        self._functions: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self._functions = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        given = {one.arg: ast.unparse(one.annotation) for one in node.args.args if one.annotation is not None}
        self._types, self._result = dict(given), ast.unparse(node.returns or ast.Name("int"))
        self.generic_visit(node)
        converted = [
            ast.Assign([ast.Name(name, ast.Store())], _converted(kind, ast.Name(name, ast.Load())), lineno=node.lineno)
            for name, kind in given.items()
        ]
        # After the docstring, which stays the first statement.
        at = int(ast.get_docstring(node) is not None)
        node.body[at:at] = converted
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        assert isinstance(node.target, ast.Name)
        self._types[node.target.id] = ast.unparse(node.annotation)
        if node.value is not None:
            node.value = _converted(self._types[node.target.id], self.visit(node.value))
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name):
                node.value = _converted(self._types[target.id], node.value)
            elif isinstance(target, ast.Attribute):  # a member of the state
                node.value = _converted("uint8_t", node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        calculated = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        value = _converted(self._types[node.target.id], calculated)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        value = node.value
        is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self._functions
        self.generic_visit(node)
        if value is not None and not is_call:  # a function has converted its result
            node.value = _converted(self._result, node.value)
        return node


def _converted(kind: str, value: ast.expr | None) -> ast.expr:
    if kind not in WIDTHS or value is None:
        raise UnprovableError(f"the type {kind} is not read by proofs/handlers/emitted.py")
    return ast.Call(ast.Name("as_type", ast.Load()), [ast.Constant(kind), value], [])


Encoded = tuple[list[Any], Any, dict[int, Any], frozenset[str]]
"""The bytes of an encoder, its error if any, all that it has written, and the steps that are cited."""


class Emitted(Module):
    """The functions of a generated module, over symbolic numbers."""

    def __init__(self, path: Path, text: str, tables: Iterable[Table]) -> None:
        super().__init__(text, tables)
        self.path = path

    def provided(self) -> Mapping[str, Any]:
        return {
            **super().provided(),
            "as_type": as_type,
            "uint8": lambda value: as_type("uint8_t", value),
        }

    def memory(self, array: Array) -> Memory:
        return Memory(self.path, array)

    def tree(self) -> ast.Module:
        typed: ast.Module = _Typed().visit(super().tree())
        return typed

    def run(self, state: dict[str, int], symbol: str) -> SimpleNamespace:
        """Return what a handler is given: a state, and the tables of a single-byte encoding, if it is one."""
        tables = None
        if symbol:
            tables = self.single_byte_tables(symbol)
        return SimpleNamespace(state=SimpleNamespace(**state), end_of_queue=Truth(self.path, IS_FINAL), tables=tables)

    def decoded(self, function: str, run: Any) -> tuple[Any, Any, frozenset[str]]:
        """Return the result of a decoder, the bytes that it consumes, and the steps that are cited where it returns."""
        consumed: list[Any] = [1]
        length = C(self.path, LENGTH, is_signed=False)
        value, returned, _ = self.call(function, run, SourceBytes(self.path), length, consumed)
        return value, consumed[0], returned

    def encoded(self, function: str, run: Any, code_point: Any) -> Encoded:
        """Return what an encoder makes of a code point."""
        target, error = Target(), [NO_ERROR]
        length, returned, _ = self.call(function, run, code_point, target, error)
        if not isinstance(length, int):
            raise UnprovableError("the number of bytes is no number")
        for at in range(length):
            self.path.claim(f"byte {at} of {length} is written", at in target.written)
        return [target.written[at] for at in range(length)], error[0], target.written, returned
