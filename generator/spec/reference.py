"""Programs as classes and functions of Python, which `machine` runs, and the reference of the tests."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import CodeType
from typing import Any

from generator.spec.notation import TABLE, expression, lines, table
from generator.spec.program import Algorithm, IndexSingleByte, Programs, Statement, walk

Took = Callable[[str], None]
"""What is called with the number of each step that is taken."""


def class_name(anchor: str) -> str:
    """Return the name of a class: ``shift_jis-decoder`` gives ``ShiftJisDecoder``."""
    return "".join(part.capitalize() for part in anchor.replace("_", "-").split("-"))


def function_name(anchor: str) -> str:
    return anchor.replace("-", "_")


def with_steps(algorithm: Algorithm, programs: Programs) -> Algorithm:
    """Return a program with steps: that of the algorithm which this one is, with the initial values of this one."""
    if not algorithm.base:
        return algorithm
    base = programs[algorithm.base]
    return replace(base, members=tuple({**dict(base.members), **dict(algorithm.members)}.items()))


def define(algorithm: Algorithm, names: Mapping[str, Any], took: Took | None = None) -> Any:
    """Return the class of a decoder or an encoder, or the function of an operation; `names` has what its steps use."""
    rows = table(algorithm)
    scope = {**names, "took": took, TABLE: {key: list(row) for key, row in rows.entries} if rows else {}}
    exec(_compiled(_source(algorithm, is_traced=took is not None), algorithm.anchor), scope)
    is_operation = algorithm.kind == "operation"
    return scope[(function_name if is_operation else class_name)(algorithm.anchor)]


def _source(algorithm: Algorithm, *, is_traced: bool) -> str:
    """Return an algorithm as Python; traced, it calls ``took`` with each step."""
    if algorithm.kind == "operation":
        head = f"def {function_name(algorithm.anchor)}({algorithm.parameters[0]}):"
        return "\n".join([head, *_body(algorithm.body, 1, is_traced=is_traced)])
    source = [f"class {class_name(algorithm.anchor)}({algorithm.kind.capitalize()}):"]
    needs_index = any(isinstance(node, IndexSingleByte) for node in walk(algorithm.body))
    members = [f"        self.{name} = {expression(value)}" for name, value in algorithm.members]
    if needs_index:
        members.append("        self.index_single_byte = index_single_byte")
    if members:
        source += [f"    def __init__(self{', index_single_byte' * needs_index}):", *members]
    source.append(f"    def handler({', '.join(('self', *algorithm.parameters))}):")
    return "\n".join([*source, *_body(algorithm.body, 2, is_traced=is_traced)])


def _body(body: Sequence[Statement], depth: int, *, is_traced: bool) -> Iterator[str]:
    for line in lines(body, depth):
        indent, took = "    " * line.depth, f"took({line.step!r})"
        if not is_traced:
            yield indent + line.text
        elif line.text.endswith(":"):
            yield indent + line.text
            yield f"{indent}    {took}"
        else:
            yield f"{indent}{took}; {line.text}"


class _InRange(ast.NodeTransformer):
    """Replace calls of ``in_range``, which are most of what a handler does, by what it returns."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("in_range"), [ast.Name(name), first, last]):
                is_integer = ast.parse(f"{name}.__class__ is int", mode="eval").body
                between = ast.Compare(first, [ast.LtE(), ast.LtE()], [ast.Name(name, ast.Load()), last])
                return ast.BoolOp(ast.And(), [is_integer, between])
        return node


@cache
def _compiled(source: str, anchor: str) -> CodeType:
    """Return the code of an algorithm, which all machines share."""
    tree = ast.fix_missing_locations(_InRange().visit(ast.parse(source)))
    return compile(tree, f"<#{anchor}>", "exec")
