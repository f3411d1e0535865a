"""The standard's algorithms for the explorer's scripts: each as a function in JavaScript, and the steps that it takes.

A function takes its run, `$` (`Run` of core/machine.js), the variables of the handler, and those of one call. It calls
``$.took`` with the number of each step as the step begins, and ``$.set`` with what the step has set.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from docs.explorer.sentences import sentence
from generator.spec import program as ir


def script(algorithms: ir.Programs) -> str:
    """Return the text of a module with the functions by anchor; an algorithm that is another one has none."""
    lines = ["export const PROGRAMS = {"]
    for anchor, algorithm in algorithms.items():
        if not algorithm.base:
            lines += [f'"{anchor}"($, members, locals) {{', *_Writer(algorithm).lines, "},"]
    return "\n".join([*lines, "};"]) + "\n"


def steps(algorithm: ir.Algorithm) -> list[tuple[str, str]]:
    """Return the steps in the order of the numbers that the function calls ``$.took`` with: number and sentence."""
    return _Writer(algorithm).steps


class _Writer:
    """The lines of a function, and its steps."""

    def __init__(self, algorithm: ir.Algorithm) -> None:
        self.algorithm = algorithm
        self.steps: list[tuple[str, str]] = []
        self.lines = list(self._body(algorithm.body))

    def _body(self, statements: Sequence[ir.Statement]) -> Iterator[str]:
        for statement in statements:
            match statement:
                case ir.If(cases):
                    for number, case in enumerate(cases):
                        head = f"if ({_js(case.condition)}) " if case.condition is not None else ""
                        yield f"{'} else ' * (number > 0)}{head}{{"
                        yield from self._took(case)
                        yield from self._body(case.body)
                    yield "}"
                case ir.While(condition, body):
                    yield f"while ({_js(condition)}) {{"
                    yield from self._took(statement)
                    yield from self._body(body)
                    yield "}"
                case _:
                    yield from self._took(statement)
                    yield from _simple(statement)

    def _took(self, node: ir.Statement | ir.Case) -> Iterator[str]:
        if node.step:
            yield f"$.took({len(self.steps)});"
            self.steps.append((node.step, sentence(node, self.algorithm)))


def _simple(statement: ir.Statement) -> Iterator[str]:
    """Yield the lines of a statement that holds no others."""
    match statement:
        case ir.Assign(targets, value):
            names = [_js(target) for target in targets]
            # A range has a value for each target; any other value is that of all.
            given = f"[{', '.join(names)}]" if isinstance(value, ir.LastRange) else " = ".join(names)
            yield f"{given} = {_js(value)};"
            yield from (f"$.set('{name.partition('.')[2]}', {name});" for name in names)
        case ir.Append(target, value):
            yield f"{_js(target)}.push($.set('appended', {_js(value)}));"
        case ir.Restore(_, value):
            yield f"$.restore({_js(value)});"
        case ir.Return(value):
            yield f"return {_js(value)};"


_JUNCTIONS = {"and": " && ", "or": " || "}


def _js(node: ir.Node) -> str:
    """Return an expression, a condition or a result in JavaScript."""
    match node:
        case ir.Number(value) | ir.Constant(value) | ir.Symbol(value):
            return json.dumps(value)
        case ir.Local(name):
            return f"locals.{name}"
        case ir.Member(name):
            return f"members.{name}"
        case ir.EndOfQueue():
            return "$.END_OF_QUEUE"
        case ir.Arithmetic("//", left, right):
            return f"Math.floor({_js(left)} / {_js(right)})"
        case ir.Arithmetic(operator, left, right) | ir.Compare(operator, left, right):
            return f"({_js(left)} {'===' if operator == '==' else operator} {_js(right)})"
        case ir.Choice(condition, then, otherwise):
            return f"({_js(condition)} ? {_js(then)} : {_js(otherwise)})"
        case ir.Items(items):
            return f"[{', '.join(map(_js, items))}]"
        case ir.Index(name):
            return f'$.machine.indexes.get("{name}")'
        case ir.IndexSingleByte():
            return "$.index"
        case ir.Excluding(index, condition):
            return f"$.excluding({_js(index)}, (locals) => {_js(condition)})"
        case ir.Lookup(what, index, key):
            return f'$.lookup("{what}", {_js(index)}, {_js(key)})'
        case ir.LastRange(what, index, key):
            return f'$.lastRange("{what}", {_js(index)}, {_js(key)})'
        case ir.Operation(name, argument):
            return f'$.operation("{name}", {_js(argument)})'
        case ir.Surrogates(leading, trailing):
            return f"(0x10000 + (({_js(leading)} - 0xD800) << 10) + ({_js(trailing)} - 0xDC00))"
        case ir.Row(_, key):
            return f"$.table.get({_js(key)})"
        case ir.InTable(key, _):
            return f"$.table.has({_js(key)})"
        case ir.InRange(value, first, last):
            return f"$.inRange({_js(value)}, {_js(first)}, {_js(last)})"
        case ir.Not(condition):
            return f"!{_js(condition)}"
        case ir.Junction(operator, conditions):
            return f"({_JUNCTIONS[operator].join(map(_js, conditions))})"
        case ir.Signal(name):
            return f"$.{name.upper()}"
        case ir.Error(code_point):
            return f"$.error({'null' if code_point is None else _js(code_point)})"
    raise TypeError(f"{node} has no form in JavaScript")
