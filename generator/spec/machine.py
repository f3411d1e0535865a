"""Run the programs of the standard: decoders and encoders as they are compiled, with the indexes of a snapshot.

What stays by hand is here: I/O queues as far as handlers use them, and looking up in indexes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from operator import itemgetter
from typing import Any, TypeVar

from generator.model import DATA, RANGES, SINGLE_BYTE_HEADING, Encoding, GeneratorError, Snapshot
from generator.model import Index as IndexData
from generator.spec import notation, reference
from generator.spec.program import Algorithm, Index, Operation, Programs, walk

SINGLE_BYTE = "single-byte encodings"
"""What the standard calls the owner of the handlers that all single-byte encodings share."""


class Sentinel:
    """An item or a result that is no number."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


END_OF_QUEUE, FINISHED, CONTINUE = Sentinel("end-of-queue"), Sentinel("finished"), Sentinel("continue")


@dataclass(slots=True)
class Error:
    """An error, with the code point that an encoder could not encode."""

    code_point: int | None = None

    def __repr__(self) -> str:
        return "error" if self.code_point is None else f"error with U+{self.code_point:04X}"


class RunawayError(GeneratorError):
    """A program of the standard's text does not come to an end."""


Result = TypeVar("Result")


def _digest(content: object) -> str:
    """Return a digest of data that equal data alone has."""
    return sha256(repr(content).encode()).hexdigest()


class Memo:
    """Results in memory, by all that they depend on: the latest 400 at most."""

    def __init__(self) -> None:
        self._results: dict[Any, Any] = {}

    def __call__(self, key: Any, calculate: Callable[[], Result]) -> Result:
        """Return the result for a key, calculated if there is none."""
        if key not in self._results:
            if len(self._results) >= 400:
                self._results.clear()
            self._results[key] = calculate()
        result: Result = self._results[key]
        return result


class _Index:
    """An index as the standard looks it up."""

    def __init__(self, entries: Iterable[tuple[int, int]]) -> None:
        self._entries = entries
        self._without: dict[Any, _Index] = {}

    @cached_property
    def entries(self) -> tuple[tuple[int, int], ...]:
        return tuple(self._entries)

    @cached_property
    def code_point(self) -> Callable[[int], int | None]:
        return dict(self.entries).get

    @cached_property
    def pointer(self) -> Callable[[int], int | None]:
        return {code_point: pointer for pointer, code_point in reversed(self.entries)}.get

    @cached_property
    def last_pointer(self) -> Callable[[int], int | None]:
        return {code_point: pointer for pointer, code_point in self.entries}.get

    def excluding(self, is_excluded: Callable[[int], bool]) -> _Index:
        # A step creates its function each time that it runs, always from the same code.
        if is_excluded.__code__ not in self._without:
            self._without[is_excluded.__code__] = _Index(entry for entry in self.entries if not is_excluded(entry[0]))
        return self._without[is_excluded.__code__]


def _index(index: IndexData) -> _Index:
    return _Index((pointer, code) for pointer, code in enumerate(index.code_points) if code is not None)


class _Ranges:
    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self.ranges = ranges

    def last_range(self, what: str, key: int) -> tuple[int, int]:
        column = ("pointer", "code_point").index(what)
        last = self.ranges[bisect_right(self.ranges, key, key=itemgetter(column)) - 1]
        return last[column], last[1 - column]


class _Queue:
    """The front of an I/O queue: what a handler restores to it."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Any] = []


def _restore(queue: _Queue, items: Any) -> None:
    """Restore items. End-of-queue is there in any case, whether it is restored or not."""
    queue.items[:0] = [item for item in (items if isinstance(items, list) else [items]) if item is not END_OF_QUEUE]


def _in_range(value: Any, first: int, last: int) -> bool:
    return isinstance(value, int) and first <= value <= last


class Machine:
    """The decoders and encoders of a snapshot, by the programs of the standard."""

    def __init__(self, programs: Programs, snapshot: Snapshot, indexes: Mapping[str, Any] | None = None) -> None:
        """Take the indexes of the snapshot, unless `indexes` has others with the same methods."""
        self.programs = programs
        self.snapshot = snapshot
        if indexes is None:
            indexes = {name: _index(index) for name, index in snapshot.indexes.items()}
            indexes[RANGES] = _Ranges(snapshot.ranges.ranges)
        self._indexes = indexes
        self.memo = Memo()
        """What others calculate from it."""
        self._names: dict[str, Any] = {
            "Decoder": object, "Encoder": object, "INDEXES": indexes, "Error": Error, "restore": _restore,
            "END_OF_QUEUE": END_OF_QUEUE, "FINISHED": FINISHED, "CONTINUE": CONTINUE, "in_range": _in_range,
            "scalar_value_from_surrogates": lambda a, b: 0x10000 + ((a - 0xD800) << 10) + (b - 0xDC00),
        }  # fmt: skip
        for algorithm in programs.values():
            if algorithm.kind == "operation":
                self._names[reference.function_name(algorithm.anchor)] = reference.define(algorithm, self._names)

    def inputs(self, encoding: Encoding, index: str = "") -> tuple[str, ...]:
        """Return digests of what the handlers of an encoding depend on: its name, their algorithms and indexes.

        `index` is the name of the index of a single-byte encoding.
        """
        algorithms, names = self.uses(encoding, "decoder", "encoder")
        data = {**self.snapshot.indexes, RANGES: self.snapshot.ranges}
        sources = {f"#{source.anchor}": source for source in algorithms} | {
            name: data.get(name) for name in sorted({*names, index})
        }
        digests = (self.memo(("digest", key), partial(_digest, source)) for key, source in sources.items())
        return index or encoding.name, *digests

    def uses(self, encoding: Encoding, *kinds: str) -> tuple[list[Algorithm], set[str]]:
        """Return the algorithms of an encoding by anchor, and the names of the indexes in them."""
        todo = [user for kind in kinds if (user := self.algorithm(encoding, kind)) is not None]
        # Single-byte encodings share their algorithms.
        return self.memo(("uses", *(user.anchor for user in todo)), lambda: self._used_by(todo))

    def _used_by(self, todo: list[Algorithm]) -> tuple[list[Algorithm], set[str]]:
        reached: dict[str, Algorithm] = {}
        while todo:
            algorithm = todo.pop()
            reached[algorithm.anchor] = algorithm
            operations = {node.name for node in walk(algorithm.body) if isinstance(node, Operation)}
            used = [
                program for program in self.programs.values() if reference.function_name(program.anchor) in operations
            ]
            todo += [
                program
                for program in [*used, self.programs.get(algorithm.base)]
                if program and program.anchor not in reached
            ]
        names = {node.name for program in reached.values() for node in walk(program.body) if isinstance(node, Index)}
        return [reached[anchor] for anchor in sorted(reached)], names

    def operation(self, anchor: str) -> Any:
        """Return an operation on an index."""
        return self._names[reference.function_name(anchor)]

    def algorithm(self, encoding: Encoding, kind: str) -> Algorithm | None:
        """Return the ``decoder`` or ``encoder`` of an encoding, None if it has none."""
        owner = SINGLE_BYTE if encoding.heading == SINGLE_BYTE_HEADING else encoding.name.lower()
        matching = (a for a in self.programs.values() if a.kind == kind and a.encoding == owner)
        return next(matching, None)

    def handler(
        self, encoding: Encoding, kind: str, index: str = "", took: Callable[[str], None] | None = None
    ) -> Handler | None:
        """Return a ``decoder`` or ``encoder``, None if there is none; `took` is called with each step that is taken."""
        algorithm = self.algorithm(encoding, kind)
        if algorithm is None:
            return None
        arguments = (self._indexes[index],) if encoding.heading == SINGLE_BYTE_HEADING else ()
        program = reference.with_steps(algorithm, self.programs)
        define = partial(reference.define, program, self._names)
        # Single-byte encodings share their classes.
        class_ = define(took) if took else self.memo(("class", algorithm.anchor), define)
        return Handler(class_(*arguments), program)


_MACHINES: list[Machine] = []
"""The machines of the latest snapshots."""


def machine(snapshot: Snapshot) -> Machine:
    """Return the machine of a snapshot, by the algorithms that come with it, or else the pinned ones, made once."""
    for latest in _MACHINES:
        if latest.snapshot is snapshot:
            return latest
    new_machine = Machine(snapshot.programs or pinned(), snapshot)
    _MACHINES[:] = [*_MACHINES[-3:], new_machine]
    return new_machine


def pinned() -> Programs:
    """Return the algorithms that the project pins now: an update replaces them before modules are emitted."""
    return notation.known(DATA).programs


State = tuple[Any, ...]


class Handler:
    """A decoder or an encoder, whose state can be read and set."""

    def __init__(self, instance: Any, algorithm: Algorithm) -> None:
        self._handle = instance.handler
        self._members = vars(instance)
        self.algorithm = algorithm
        self.names = tuple(name for name, _ in algorithm.members)
        self.initial = self.state

    @property
    def state(self) -> State:
        """The values of all variables."""
        return tuple([self._members[name] for name in self.names])

    @state.setter
    def state(self, values: State) -> None:
        self._members.update(zip(self.names, values, strict=True))

    def handle(self, item: Any) -> tuple[Any, list[Any]]:
        """Return the result for an item, and what is restored."""
        queue = _Queue()
        return self._handle(queue, item), queue.items

    def after(self, items: Iterable[int]) -> State | None:
        """Return the state after items of which each needs another, None if one does not."""
        self.state = self.initial
        return self.state if all(self.handle(item)[0] is CONTINUE for item in items) else None

    def outputs(self, items: Iterable[int], state: State | None = None) -> dict[int, tuple[int, ...]]:
        """Return what each of `items` alone is decoded or encoded to in a state, the initial one if it is None.

        An item that is an error, is restored, or needs another one has no entry.
        """
        handle, members, queue = self._handle, self._members, _Queue()
        start = dict(zip(self.names, self.initial if state is None else state, strict=True))
        outputs = {}
        for item in items:
            members.update(start)
            result = handle(queue, item)
            if queue.items:
                if not start:
                    raise RunawayError("a handler without variables restores an item, which it would be given for ever")
                queue.items = []
            elif type(result) is list:
                outputs[item] = tuple(result)
        return outputs

    def tries(self, items: Iterable[int], state: State) -> Iterator[tuple[int, Any, State]]:
        """Yield each of `items`, its result in a state, and the state after it, if it needs another item."""
        handle, members, queue = self._handle, self._members, _Queue()
        start, values = dict(zip(self.names, state, strict=True)), members.__getitem__
        for item in items:
            members.update(start)
            result = handle(queue, item)
            yield item, result, tuple(map(values, self.names)) if result is CONTINUE else ()

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
        outputs: list[int] = []
        for result in self.run(items):
            if isinstance(result, Error):
                return None
            if isinstance(result, list):
                outputs += result
        return outputs
