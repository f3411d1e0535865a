"""The numbered steps of the reference, and which of them an input takes.

The compiled algorithms have the number of each step as a comment, such as ``# 3.1``, ``# 3.[0xE0 to 0xEF].2`` or,
within a state of ISO-2022-JP, ``# [escape].7.1``; a docstring has the anchor.

`steps` lists the steps of an algorithm. `trace_decoder` and `trace_encoder` run a handler and report the steps whose
lines ran: a step that begins with "if" counts as taken where its condition holds.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

from .compiled import indexes
from .encodings import encodings
from .indexes import Index
from .io_queue import END_OF_QUEUE, IOQueue, Item
from .processing import CONTINUE, Decoder, Encoder, Error, process_an_item

_COMMENT = re.compile(r" *# (\S.*)$")
_ANCHOR = re.compile(r"https://encoding\.spec\.whatwg\.org/#([^\s]+?)\.?(?:\s|$)")


class Step(NamedTuple):
    """A step: the anchor of its section, its path, its text, and the file and line of the reference that has it."""

    anchor: str
    path: str
    text: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.anchor} {self.path}"


def anchor(algorithm: Callable[..., object]) -> str:
    """Return the anchor of the standard's section that a class or a function of the reference is."""
    match = _ANCHOR.search(algorithm.__doc__ or "")
    if match is None:
        raise ValueError(f"{algorithm.__qualname__} has no anchor in its docstring")
    return match[1]


@cache
def steps(algorithm: Callable[..., object]) -> tuple[Step, ...]:
    """Return the steps of a handler's class, or of a function, in the order of the source."""
    functions = _methods(algorithm) if isinstance(algorithm, type) else [algorithm]
    return tuple(step for function in functions for step, _ in _read(function, anchor(algorithm)))


def _methods(handler: type) -> list[Callable[..., object]]:
    """Return the methods of a handler's class that have steps: its own functions but for `__init__`."""
    return [value for name, value in vars(handler).items() if inspect.isfunction(value) and name != "__init__"]


def _read(function: Callable[..., object], section: str) -> list[tuple[Step, int | None]]:
    """Return the steps of a function, each with the line whose running means that the step is taken."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    statements = sorted((node for node in ast.walk(tree) if isinstance(node, ast.stmt)), key=lambda node: node.lineno)
    comments = [number for number, line in enumerate(lines, 1) if _COMMENT.match(line)]
    file = inspect.getsourcefile(function) or ""
    steps: list[tuple[Step, int | None]] = []
    for number, end in zip(comments, [*comments[1:], len(lines) + 1], strict=True):
        path = lines[number - 1].strip().removeprefix("# ")
        step = Step(section, path, _text(lines[number : end - 1]), file, first + number - 1)
        taken = next((_taken(node, comments) for node in statements if node.lineno > number), None)
        steps.append((step, None if taken is None else first + taken - 1))
    return steps


def _text(lines: Sequence[str]) -> str:
    """Return the statements of a step in one line."""
    text = "; ".join(line.strip() for line in lines)
    return re.sub(r"(?<=[:(]);|;(?= (?:[)]|and |or |\+ ))", "", text)


def _taken(statement: ast.stmt, comments: Sequence[int]) -> int:
    """Return the line that runs where the step above a statement is taken: of an `if`, where its condition holds.

    If all cases of an `if` belong to the step, that is the line of the `if` itself.
    """
    if isinstance(statement, ast.If | ast.While):
        is_choice = bool(statement.orelse) and not any(
            statement.lineno < line <= (statement.end_lineno or 0) for line in comments
        )
        return statement.lineno if is_choice else statement.body[0].lineno
    return statement.lineno


# -- Running -----------------------------------------------------------------------------------------------------------


class Lookup(NamedTuple):
    """A pointer that was looked up in an index, or the pointer that a code point has; None for null."""

    name: str
    pointer: int | None
    code_point: int | None


@dataclass
class Call:
    """The result of one call of a handler for one item; each step is listed once."""

    position: int
    """How many items were read before this one and not restored."""
    item: Item
    steps: list[Step] = field(default_factory=list)
    lookups: list[Lookup] = field(default_factory=list)
    output: list[int] = field(default_factory=list)
    """The code points or bytes that it returned."""
    result: object = None


def _functions(module: ModuleType) -> Iterator[Callable[..., object]]:
    for value in vars(module).values():
        if inspect.isfunction(value) and value.__module__ == module.__name__ and _ANCHOR.search(value.__doc__ or ""):
            yield value


@cache
def _lines(handler: type) -> dict[CodeType, dict[int, list[Step]]]:
    """Return the steps that each line takes, for the code of a handler and of the functions of chapter 5."""
    algorithms = [(function, anchor(handler)) for function in _methods(handler)]
    algorithms += [(function, anchor(function)) for function in _functions(indexes)]
    lines_by_code: dict[CodeType, dict[int, list[Step]]] = {}
    for function, section in algorithms:
        by_line = lines_by_code.setdefault(function.__code__, {})
        for step, line in _read(function, section):
            if line is not None:
                by_line.setdefault(line, []).append(step)
    return lines_by_code


_LOOK_UPS = {method.__code__ for method in (Index.code_point, Index.pointer, Index.last_pointer)}


class _Watch:
    """A trace function for `sys.settrace` that records the steps and look-ups of one handler."""

    def __init__(self, handler: type) -> None:
        self.lines = _lines(handler)
        self.record = Call(0, 0)

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code in _LOOK_UPS:
            return self._look_up
        return self._step if frame.f_code in self.lines else None

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            steps = self.lines[frame.f_code].get(frame.f_lineno, [])
            self.record.steps += [step for step in steps if step not in self.record.steps]
        elif event == "return" and frame.f_code is indexes.index_gb18030_ranges_code_point.__code__:
            self.record.lookups.append(Lookup("gb18030-ranges", frame.f_locals["pointer"], argument))
        elif event == "return" and frame.f_code is indexes.index_gb18030_ranges_pointer.__code__:
            self.record.lookups.append(Lookup("gb18030-ranges", argument, frame.f_locals["code_point"]))
        return self._step

    def _look_up(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":
            values = {"pointer": argument, "code_point": argument, **frame.f_locals}
            self.record.lookups.append(Lookup(values["self"].name, values["pointer"], values["code_point"]))
        return self._look_up


def _run(handler: Decoder | Encoder, items: Sequence[int]) -> Iterator[Call]:
    """Run a handler over items and end-of-queue, and yield the result of each call.

    A handler's call depends on its attributes and on the item alone, since handlers restore items to the queue but do
    not read it. So the handler runs once for each distinct pair of the two; a repeated pair repeats the result.
    """
    queue = IOQueue.convert(items)
    watch = _Watch(type(handler))
    seen: dict[tuple[object, ...], tuple[Call, list[int], dict[str, object]]] = {}
    while True:
        position = queue.position
        item = queue.read()
        key = (item, *vars(handler).values())
        if key in seen:
            record, restored, attributes = seen[key]
            queue.restore(*restored)
            vars(handler).update(attributes)
        else:
            after = queue.position
            watch.record = record = Call(position, item)
            record.output, record.result = _watched(watch, item, handler, queue)
            seen[key] = record, queue.peek(after - queue.position), dict(vars(handler))
        yield replace(record, position=position)
        if record.result is not CONTINUE and not isinstance(record.result, Error):
            return


def _watched(watch: _Watch, item: Item, handler: Decoder | Encoder, queue: IOQueue) -> tuple[list[int], object]:
    """Process an item while `watch` traces the handler, and return the output and the result."""
    output = IOQueue()
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        # "fatal" returns an error instead of writing its replacement.
        result = process_an_item(item, handler, queue, output, "fatal")
    finally:
        sys.settrace(before)
    return output.to_list(), result


def trace_decoder(name: str, data: bytes) -> Iterator[Call]:
    """Yield the result of each call of the decoder of the encoding `name`, for all of `data` and end-of-queue."""
    return _run(encodings()[name].decoder(), data)


def trace_encoder(name: str, text: str) -> Iterator[Call]:
    """Yield the result of each call of the encoder of the encoding `name`; a lone surrogate counts as U+FFFD."""
    factory = encodings()[name].encoder
    if factory is None:
        raise ValueError(f"{name} has no encoder")
    code_points = map(ord, text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    return _run(factory(), list(code_points))


def algorithms(name: str) -> Iterator[type[Decoder] | type[Encoder]]:
    """Yield the class of the decoder of the encoding `name`, and of its encoder if it has one."""
    encoding = encodings()[name]
    yield type(encoding.decoder())
    if encoding.encoder is not None:
        yield type(encoding.encoder())


__all__ = ["END_OF_QUEUE", "Call", "Lookup", "Step", "algorithms", "anchor", "steps", "trace_decoder", "trace_encoder"]
