"""Run the programs of the standard: decoders and encoders as they are compiled, with the indexes of a snapshot.

What stays by hand is here: I/O queues as far as handlers use them, and looking up in indexes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

from generator.model import RANGES, SINGLE_BYTE_HEADING, Encoding, GeneratorError, Snapshot
from generator.spec import notation, python
from generator.spec.program import Algorithm, Index, Operation, Programs, walk

DATA = Path(__file__).resolve().parent.parent.parent / "data"

SINGLE_BYTE = "single-byte encodings"
"""What the standard calls the owner of the handlers that all single-byte encodings share."""


class Sentinel:
    """An item or a result that is no number."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


END_OF_QUEUE, FINISHED, CONTINUE = Sentinel("end-of-queue"), Sentinel("finished"), Sentinel("continue")


@dataclass(frozen=True, slots=True)
class Error:
    """An error, with the code point that an encoder could not encode."""

    code_point: int | None = None

    def __repr__(self) -> str:
        return "error" if self.code_point is None else f"error with U+{self.code_point:04X}"


class RunawayError(GeneratorError):
    """A program of the standard's text does not come to an end."""


class _Index:
    """An index as the standard looks it up."""

    def __init__(self, entries: Iterable[tuple[int, int]]) -> None:
        self.entries = tuple(entries)
        self.code_point = dict(self.entries).get
        self.pointer = {code_point: pointer for pointer, code_point in reversed(self.entries)}.get
        self.last_pointer = {code_point: pointer for pointer, code_point in self.entries}.get
        self._without: dict[Any, _Index] = {}

    def excluding(self, is_excluded: Callable[[int], bool]) -> _Index:
        # A step creates its function each time that it runs, always from the same code.
        if is_excluded.__code__ not in self._without:
            kept = ((pointer, code_point) for pointer, code_point in self.entries if not is_excluded(pointer))
            self._without[is_excluded.__code__] = _Index(kept)
        return self._without[is_excluded.__code__]


class _Ranges:
    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self.ranges = ranges

    def last_range(self, what: str, key: int) -> tuple[int, int]:
        column = ("pointer", "code_point").index(what)
        found = self.ranges[bisect_right(self.ranges, key, key=itemgetter(column)) - 1]
        return found[column], found[1 - column]


class _Queue:
    """The front of an I/O queue: what a handler restores to it."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Any] = []


def _restore(queue: _Queue, items: Any) -> None:
    if items is not END_OF_QUEUE:
        queue.items[:0] = items if isinstance(items, list) else [items]


def _in_range(value: Any, first: int, last: int) -> bool:
    return isinstance(value, int) and first <= value <= last


class Machine:
    """The decoders and encoders of a snapshot, by the programs of the standard."""

    def __init__(self, programs: Programs, snapshot: Snapshot) -> None:
        self.programs = programs
        self.snapshot = snapshot
        indexes: dict[str, Any] = {
            name: _Index((pointer, code) for pointer, code in enumerate(index.code_points) if code is not None)
            for name, index in snapshot.indexes.items()
        }
        indexes[RANGES] = _Ranges(snapshot.ranges.ranges)
        self._indexes: Mapping[str, Any] = indexes
        self._names: dict[str, Any] = {
            "Any": Any, "Decoder": object, "Encoder": object, "INDEXES": indexes, "Error": Error, "restore": _restore,
            "END_OF_QUEUE": END_OF_QUEUE, "FINISHED": FINISHED, "CONTINUE": CONTINUE, "in_range": _in_range,
            "scalar_value_from_surrogates": lambda a, b: 0x10000 + ((a - 0xD800) << 10) + (b - 0xDC00),
        }  # fmt: skip
        for algorithm in programs.values():
            if algorithm.kind == "operation":
                self._names[python.function_name(algorithm.anchor)] = self._define(algorithm)

    def altered(self, algorithm: Algorithm) -> Machine:
        """Return this machine with another program for one algorithm."""
        other = copy(self)
        other.programs = {**self.programs, algorithm.anchor: algorithm}
        if algorithm.kind == "operation":
            other._names = {**self._names, python.function_name(algorithm.anchor): self._define(algorithm)}
        return other

    def _define(self, algorithm: Algorithm, took: Callable[[str], None] | None = None) -> Any:
        names = {**self._names, "took": took}
        source = python.source(algorithm, is_traced=took is not None)
        exec(compile(source, f"<#{algorithm.anchor}>", "exec"), names)
        is_operation = algorithm.kind == "operation"
        return names[(python.function_name if is_operation else python.class_name)(algorithm.anchor)]

    def inputs(self, name: str, encoding: Encoding | None = None) -> tuple[Any, ...]:
        """Return what the handlers of an encoding depend on: their algorithms, and the indexes that these name.

        For a single-byte encoding, `name` is that of its index.
        """
        encoding = encoding or Encoding(name, (), "")
        found: dict[str, Algorithm] = {}
        todo = [one for kind in ("decoder", "encoder") if (one := self.algorithm(encoding, kind)) is not None]
        while todo:
            algorithm = todo.pop()
            found[algorithm.anchor] = algorithm
            operations = {node.name for node in walk(algorithm.body) if isinstance(node, Operation)}
            used = [one for one in self.programs.values() if python.function_name(one.anchor) in operations]
            todo += [one for one in [*used, self.programs.get(algorithm.base)] if one and one.anchor not in found]
        indexes = {node.name for one in found.values() for node in walk(one.body) if isinstance(node, Index)}
        data = [self.snapshot.indexes.get(index) for index in sorted({*indexes, name})]
        return (*sorted((a, one.digest) for a, one in found.items()), *data, self.snapshot.ranges)

    def operation(self, anchor: str) -> Any:
        """Return an operation on an index."""
        return self._names[python.function_name(anchor)]

    def algorithm(self, encoding: Encoding, kind: str) -> Algorithm | None:
        """Return the ``decoder`` or ``encoder`` of an encoding, None if it has none."""
        owner = SINGLE_BYTE if encoding.heading == SINGLE_BYTE_HEADING else encoding.name.lower()
        found = (a for a in self.programs.values() if a.kind == kind and a.encoding == owner)
        return next(found, None)

    def handler(
        self, encoding: Encoding, kind: str, index: str = "", took: Callable[[str], None] | None = None
    ) -> Handler | None:
        """Return a ``decoder`` or ``encoder`` of an encoding, None if it has none.

        `index` is the name of the index of a single-byte encoding; `took`, if any, is called with the number of each
        step that is taken.
        """
        algorithm = self.algorithm(encoding, kind)
        if algorithm is None:
            return None
        given = (self._indexes[index],) if encoding.heading == SINGLE_BYTE_HEADING else ()
        made = self._define(self.programs[algorithm.base] if algorithm.base else algorithm, took)(*given)
        if algorithm.base:
            vars(made).update((name, getattr(value, "value", None)) for name, value in algorithm.members)
        return Handler(made)


_MACHINES: dict[tuple[int, tuple[Any, ...]], Machine] = {}


def machine(snapshot: Snapshot) -> Machine:
    """Return the machine of a snapshot, by the algorithms that come with it, or else the pinned ones; it is kept."""
    programs = snapshot.programs or _pinned()
    key = id(programs), (snapshot.encodings, *snapshot.indexes.values(), snapshot.ranges)
    if key not in _MACHINES:
        if len(_MACHINES) > 2:
            _MACHINES.clear()
        _MACHINES[key] = Machine(programs, snapshot)
    return _MACHINES[key]


@cache
def _pinned() -> Programs:
    found = notation.load(DATA)
    if found is None:
        raise GeneratorError(f"{notation.FILE}: is missing from {DATA.name}/, so no table can be filled")
    return found.programs


State = tuple[Any, ...]


class Handler:
    """A decoder or an encoder, whose state can be read and set."""

    def __init__(self, made: Any) -> None:
        self._handle = made.handler
        self._members = vars(made)
        self._names = tuple(self._members)
        self.initial = self.state

    @property
    def state(self) -> State:
        """The values of all variables."""
        return tuple(self._members.values())

    @state.setter
    def state(self, values: State) -> None:
        self._members.update(zip(self._names, values, strict=True))

    def handle(self, item: Any) -> tuple[Any, list[Any]]:
        """Return the result for an item, and what is restored."""
        queue = _Queue()
        return self._handle(queue, item), queue.items

    def run(self, items: Sequence[int]) -> Iterator[Any]:
        """Yield the result of each call for all items and end-of-queue, from the initial state."""
        self.state = self.initial
        left = list(items)
        for _ in range(16 * len(items) + 64):
            result, restored = self.handle(left.pop(0) if left else END_OF_QUEUE)
            left[:0] = restored
            yield result
            if result is FINISHED:
                return
        raise RunawayError(f"the handler for {items!a:.80} does not finish")

    def items(self, items: Sequence[int]) -> list[int] | None:
        """Return what items are decoded or encoded to, None if there is an error."""
        found: list[int] = []
        for result in self.run(items):
            if isinstance(result, Error):
                return None
            if isinstance(result, list):
                found += result
        return found
