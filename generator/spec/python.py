"""Write programs as Python: the statements that `notation` pins, and the modules of the compiled reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from generator.model import STANDARD
from generator.spec.program import (
    Algorithm,
    All,
    Any_,
    Append,
    Arithmetic,
    Assign,
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
    walk,
)


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


def expression(node: Node) -> str:
    """Return an expression, a condition or a result as Python."""
    match node:
        case Number(value, is_hexadecimal):
            return f"0x{value:02X}" if is_hexadecimal else str(value)
        case Constant(value):
            return str(value)
        case Local(name):
            return name
        case Member(name):
            return f"self.{name}"
        case Symbol(name):
            return f'"{name}"'
        case EndOfQueue():
            return "END_OF_QUEUE"
        case Arithmetic(operator, left, right):
            return f"{_operand(left, operator, 0)} {operator} {_operand(right, operator, 1)}"
        case Choice(condition, then, otherwise):
            return f"({expression(then)} if {expression(condition)} else {expression(otherwise)})"
        case Items(items):
            return f"[{', '.join(map(expression, items))}]"
        case Index(name):
            return f'INDEXES["{name}"]'
        case IndexSingleByte():
            return "self.index_single_byte"
        case Excluding(index, condition):
            return f"{expression(index)}.excluding(lambda pointer: {expression(condition)})"
        case Lookup(what, index, key):
            return f"{expression(index)}.{what}({expression(key)})"
        case LastRange(what, index, key):
            return f'{expression(index)}.last_range("{what}", {expression(key)})'
        case Operation(name, argument):
            return f"{name}({expression(argument)})"
        case Surrogates(leading, trailing):
            return f"scalar_value_from_surrogates({expression(leading)}, {expression(trailing)})"
        case Row(_, key):
            return f"{TABLE}[{expression(key)}]"
        case Signal(name):
            return name.upper()
        case Error(None):
            return "Error()"
        case Error(code_point) if code_point is not None:
            return f"Error({expression(code_point)})"
    return condition_(node)


def _operand(node: Node, operator: str, side: int) -> str:
    text = expression(node)
    is_loose = isinstance(node, Arithmetic) and _TIGHTNESS[node.operator] < _TIGHTNESS[operator] + side
    return f"({text})" if is_loose else text


def condition_(node: Node) -> str:
    """Return a condition as Python."""
    match node:
        case Compare(operator, left, right):
            return _compared(operator, left, right)
        case Not(Compare("==", left, right)):
            return _compared("!=", left, right)
        case InRange(value, first, last):
            return f"in_range({expression(value)}, {expression(first)}, {expression(last)})"
        case InTable(key, _):
            return f"{expression(key)} in {TABLE}"
        case Not(condition):
            return f"not {_part(condition)}"
        case All(conditions):
            return " and ".join(map(_part, conditions))
        case Any_(conditions):
            return " or ".join(map(_part, conditions))
    raise TypeError(f"{node} is no expression")


def _compared(operator: str, left: Node, right: Node) -> str:
    if isinstance(right, Constant | EndOfQueue):
        operator = {"==": "is", "!=": "is not"}[operator]
    return f"{expression(left)} {operator} {expression(right)}"


def _part(node: Node) -> str:
    return f"({condition_(node)})" if isinstance(node, All | Any_) else condition_(node)


# -- Statements --------------------------------------------------------------------------------------------------------


def lines(body: Sequence[Statement], depth: int = 0) -> Iterator[Line]:
    """Yield the lines of statements."""
    for statement in body:
        match statement:
            case If(cases):
                word = "if"
                for case in cases:
                    head = "else:" if case.condition is None else f"{word} {expression(case.condition)}:"
                    yield Line(case.step, depth, head)
                    yield from lines(case.body, depth + 1)
                    word = "elif"
            case While(condition, inner):
                yield Line(statement.step, depth, f"while {expression(condition)}:")
                yield from lines(inner, depth + 1)
            case _:
                yield Line(statement.step, depth, _simple(statement))
    if not body:
        yield Line("", depth, "pass")


def _simple(statement: Statement) -> str:
    match statement:
        case Assign(targets, LastRange() as value):
            return f"{', '.join(map(expression, targets))} = {expression(value)}"
        case Assign(targets, value):
            return " = ".join([*map(expression, targets), _outer(value)])
        case Append(target, value):
            return f"{expression(target)}.append({expression(value)})"
        case Restore(queue, value):
            return f"restore({expression(queue)}, {expression(value)})"
        case Return(value):
            return f"return {_outer(value)}"
    raise TypeError(f"{statement} is no statement")


def _outer(node: Node) -> str:
    """Return an expression that nothing surrounds, so that it needs no parentheses."""
    text = expression(node)
    return text[1:-1] if isinstance(node, Choice) else text


def table(algorithm: Algorithm) -> Rows | None:
    """Return the table of an algorithm, None if it has none."""
    found = {node for node in walk(algorithm.body) if isinstance(node, Rows)}
    if len(found) > 1:
        raise NotImplementedError(f"#{algorithm.anchor} has {len(found)} tables, but the notation has one name")
    return next(iter(found), None)


# -- The compiled reference --------------------------------------------------------------------------------------------


def class_name(anchor: str) -> str:
    """Return the name of a class: ``shift_jis-decoder`` gives ``ShiftJisDecoder``."""
    return "".join(part.capitalize() for part in anchor.replace("_", "-").split("-"))


def function_name(anchor: str) -> str:
    return anchor.replace("-", "_")


def chapter_name(algorithm: Algorithm) -> str:
    """Return the module of an algorithm's chapter: ``legacy-multi-byte-japanese-encodings`` gives ``japanese``."""
    if algorithm.chapter == "the-encoding":
        return "utf_8"
    name = algorithm.chapter
    for affix in ("legacy-", "multi-byte-"):
        name = name.removeprefix(affix)
    return name.removesuffix("-encodings").replace("(", "").replace(")", "").replace("-", "_")


def source(algorithm: Algorithm, *, is_traced: bool = False) -> str:
    """Return an algorithm as Python: a class with a handler, or a function; empty if it is another one.

    With `is_traced`, it calls ``took`` with the number of each step that it takes, the last one before it returns.
    """
    if algorithm.base:
        return ""
    rows = table(algorithm)
    found = []
    if rows is not None:
        found += [f"{TABLE} = {{", *(f"    {_row(key, items)}" for key, items in rows.entries), "}", "", ""]
    link = f'"""{STANDARD}#{algorithm.anchor}."""'
    written = _traced if is_traced else _commented
    if algorithm.kind == "operation":
        found += [f"def {function_name(algorithm.anchor)}({algorithm.parameters[0]}: Any) -> Any:", f"    {link}"]
        return "\n".join([*found, *written(algorithm.body, 1)]) + "\n"
    found += [f"class {class_name(algorithm.anchor)}({algorithm.kind.capitalize()}):", f"    {link}", ""]
    needs_index = any(isinstance(node, IndexSingleByte) for node in walk(algorithm.body))
    if algorithm.members or needs_index:
        given = ", index_single_byte: Any" if needs_index else ""
        found.append(f"    def __init__(self{given}) -> None:")
        found += ["        self.index_single_byte = index_single_byte"] * needs_index
        found += [f"        self.{name}: Any = {expression(value)}" for name, value in algorithm.members]
        found.append("")
    parameters = "".join(f", {name}: Any" for name in algorithm.parameters)
    found.append(f"    def handler(self{parameters}) -> Any:")
    return "\n".join([*found, *written(algorithm.body, 2)]) + "\n"


def _row(key: int, items: Sequence[int]) -> str:
    return f"0x{key:04X}: [{', '.join(f'0x{item:02X}' for item in items)}],"


def _commented(body: Sequence[Statement], depth: int) -> Iterator[str]:
    """Yield the lines of statements with the number of each step above its first line."""
    seen = {""}
    for line in lines(body, depth):
        if line.step not in seen:
            seen.add(line.step)
            yield f"{'    ' * line.depth}# {line.step}"
        yield from _wrapped("    " * line.depth, line.text)


def _traced(body: Sequence[Statement], depth: int) -> Iterator[str]:
    """Yield the lines of statements, each of which calls ``took`` with the number of its step."""
    for line in lines(body, depth):
        indent, took = "    " * line.depth, f"took({line.step!r})"
        if line.text.endswith(":"):
            yield indent + line.text
            yield f"{indent}    {took}"
        else:
            yield f"{indent}{took}; {line.text}"


_WIDTH = 120


def _wrapped(indent: str, text: str) -> Iterator[str]:
    """Yield a statement; one that is too long, with a condition or an operand of its call on each line."""
    if len(indent) + len(text) <= _WIDTH:
        yield indent + text
        return
    if match := re.fullmatch(r"((?:el)?if )(.*):", text):
        head, inner, tail = f"{match[1]}(", match[2], "):"
    else:
        depth, place = 1, text.rindex(")")
        while depth:
            place -= 1
            depth += {")": 1, "(": -1}.get(text[place], 0)
        end = text.rindex(")")
        head, inner, tail = text[: place + 1], text[place + 1 : end], text[end:]
    yield indent + head
    for part in _parts(inner):
        yield from _wrapped(f"{indent}    ", part)
    yield indent + tail


def _parts(text: str) -> list[str]:
    """Return an expression divided before each operator that is in no parentheses."""
    depth, found, start = 0, [], 0
    for match in re.finditer(r"[(\[]|[)\]]| (?=(?:and|or|\+) )", text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(match[0], 0)
        if match[0] == " " and not depth:
            found.append(text[start : match.start()])
            start = match.end()
    return [*found, text[start:]]


_HEADER = '''\
"""The algorithms of a chapter of the standard, compiled from its text.

{anchor}

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

{imports}
'''


def modules(programs: Programs) -> Mapping[str, str]:
    """Return the modules of the compiled reference by file name: one for each chapter, and the list of handlers."""
    chapters: dict[str, list[Algorithm]] = {}
    for algorithm in programs.values():
        chapters.setdefault(chapter_name(algorithm), []).append(algorithm)
    found = {f"{name}.py": _module(members, programs) for name, members in chapters.items()}
    found["__init__.py"] = _package(programs)
    return found


_IMPORTED = (
    ("..indexes", ("INDEXES",)),
    ("..io_queue", ("END_OF_QUEUE", "in_range", "restore", "scalar_value_from_surrogates")),
    ("..processing", ("CONTINUE", "FINISHED", "Decoder", "Encoder", "Error")),
)


def _module(members: Sequence[Algorithm], programs: Programs) -> str:
    if sum(table(member) is not None for member in members) > 1:
        raise NotImplementedError(f"#{members[0].chapter} has two tables, but a module has one name for them")
    texts = [text for text in map(source, members) if text]
    whole = "\n".join(texts)
    operations = tuple(function_name(a.anchor) for a in programs.values() if a.kind == "operation" and a not in members)
    by_chapter = {chapter_name(a) for a in programs.values() if a.kind == "operation"}
    wanted = [*(((f".{name}"), operations) for name in sorted(by_chapter)), *_IMPORTED]
    imports = []
    for module, names in sorted(wanted, key=lambda one: (not one[0].startswith(".."), one[0])):
        used = [name for name in names if re.search(rf"\b{name}\b", whole)]
        if used:
            imports.append(f"from {module} import {', '.join(sorted(used, key=_isort))}")
    head = _HEADER.format(anchor=f"{STANDARD}#{members[0].chapter}.", imports="\n".join(imports))
    return head + "\n\n" + "\n\n".join(texts)


def _isort(name: str) -> tuple[int, str]:
    """Sort names as the linter does: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _package(programs: Programs) -> str:
    handlers = [algorithm for algorithm in programs.values() if algorithm.kind != "operation"]
    imports: dict[str, list[str]] = {}
    for algorithm in handlers:
        if not algorithm.base:
            imports.setdefault(chapter_name(algorithm), []).append(class_name(algorithm.anchor))
    found = [
        '"""The decoders and encoders of the standard, compiled from its text, by the lowercase name of the encoding.',
        "",
        "Emitted by `python -m generator emit` from data/algorithms.toml; do not edit.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        *(f"from .{module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())),
        "",
        "",
        "def _with(handler: Any, **members: Any) -> Any:",
        "    vars(handler).update(members)",
        "    return handler",
        "",
    ]
    for kind in ("decoder", "encoder"):
        found += ["", f"{kind.upper()}S: dict[str, Any] = {{"]
        for algorithm in handlers:
            if algorithm.kind == kind and algorithm.encoding:
                found.append(f'    "{algorithm.encoding}": {_factory(algorithm)},')
        found.append("}")
    return "\n".join(found) + "\n"


def _factory(algorithm: Algorithm) -> str:
    name = class_name(algorithm.base or algorithm.anchor)
    members = ", ".join(f"{member}={expression(value)}" for member, value in algorithm.members)
    return f"lambda: _with({name}(), {members})" if algorithm.base and members else name


@cache
def text(algorithm: Algorithm) -> str:
    """Return the statements of an algorithm, one a line, without the numbers of steps."""
    return "\n".join(f"{'    ' * line.depth}{line.text}" for line in lines(algorithm.body))
