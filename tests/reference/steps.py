"""Which of the standard's numbered steps an input takes, and what they look up in indexes.

A step that begins with "if" counts as taken where its condition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from generator.spec import reference

from .compiled import NAMES, PROGRAMS
from .encodings import encodings
from .indexes import INDEXES
from .io_queue import IOQueue, Item
from .processing import CONTINUE, Decoder, Encoder, Error, process_an_item


class Step(NamedTuple):
    """A step: the anchor of its section, and its number."""

    anchor: str
    path: str

    def __str__(self) -> str:
        return f"{self.anchor} {self.path}"


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


class _Index:
    """An index whose look-ups are noted."""

    def __init__(self, index: Any, note: Callable[[Lookup], None]) -> None:
        self._index = index
        self._note = note

    def __getattr__(self, what: str) -> Callable[[Any], Any]:
        def look_up(key: Any) -> Any:
            result = getattr(self._index, what)(key)
            if what == "excluding":
                return _Index(result, self._note)
            self._note(Lookup(self._index.name, *((key, result) if what == "code_point" else (result, key))))
            return result

        return look_up


class _Indexes:
    def __init__(self, note: Callable[[Lookup], None]) -> None:
        self._note = note

    def __getitem__(self, name: str) -> Any:
        return INDEXES[name] if name == "gb18030-ranges" else _Index(INDEXES[name], self._note)


class _Watch:
    """Notes the steps and the look-ups of each call of a handler."""

    def __init__(self, handler: Decoder | Encoder) -> None:
        self.call = Call(0, 0)
        names = {**NAMES, "INDEXES": _Indexes(self._look_up)}
        for anchor, program in PROGRAMS.items():
            if program.kind == "operation":
                operation = reference.define(program, names, partial(self._took, anchor))
                names[reference.function_name(anchor)] = partial(self._operate, anchor, operation)
        own = type(handler).__name__
        (program,) = (p for p in PROGRAMS.values() if reference.class_name(p.anchor) == own)
        self.handler = object.__new__(reference.define(program, names, partial(self._took, program.anchor)))
        variables = dict(vars(handler))
        if index := variables.get("index_single_byte"):
            variables["index_single_byte"] = _Index(index, self._look_up)
        vars(self.handler).update(variables)

    def _took(self, anchor: str, path: str) -> None:
        if path and (step := Step(anchor, path)) not in self.call.steps:
            self.call.steps.append(step)

    def _look_up(self, lookup: Lookup) -> None:
        self.call.lookups.append(lookup)

    def _operate(self, anchor: str, operation: Callable[[Any], Any], argument: Any) -> Any:
        result = operation(argument)
        if anchor.startswith("index-gb18030-ranges-"):
            pair = (argument, result) if anchor.endswith("code-point") else (result, argument)
            self._look_up(Lookup("gb18030-ranges", *pair))
        return result


def _run(handler: Decoder | Encoder, items: Sequence[int]) -> Iterator[Call]:
    """Run a handler over items and end-of-queue, and yield the result of each call."""
    queue, watch = IOQueue.convert(items), _Watch(handler)
    while True:
        position = queue.position
        item = queue.read()
        call = watch.call = Call(position, item)
        output = IOQueue()
        # "fatal" returns an error instead of writing its replacement.
        call.result = process_an_item(item, watch.handler, queue, output, "fatal")
        call.output = output.to_list()
        yield call
        if call.result is not CONTINUE and not isinstance(call.result, Error):
            return


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
