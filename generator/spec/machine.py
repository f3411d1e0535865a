"""Run the programs of the standard: decoders and encoders as they are compiled, with the indexes of a snapshot.

What stays by hand is here: I/O queues as far as handlers use them, and looking up in indexes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from operator import itemgetter
from typing import Any, TypeVar

from generator.model import DATA, RANGES, SINGLE_BYTE_HEADING, Encoding, Snapshot, describe
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


class Failure(str):
    """Why there is no result for an item."""

    __slots__ = ()
    __repr__ = str.__str__


Result = TypeVar("Result")


def _digest(content: object) -> str:
    """Return a digest of data that equal data alone has."""
    return sha256(repr(content).encode()).hexdigest()


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
        self._results: dict[Any, Any] = {}
        self._names: dict[str, Any] = {
            "Decoder": object, "Encoder": object, "INDEXES": indexes, "Error": Error, "restore": _restore,
            "END_OF_QUEUE": END_OF_QUEUE, "FINISHED": FINISHED, "CONTINUE": CONTINUE, "in_range": _in_range,
            "scalar_value_from_surrogates": lambda a, b: 0x10000 + ((a - 0xD800) << 10) + (b - 0xDC00),
        }  # fmt: skip
        for algorithm in programs.values():
            if algorithm.kind == "operation":
                self._names[reference.function_name(algorithm.anchor)] = reference.define(algorithm, self._names)

    def memo(self, key: Any, calculate: Callable[[], Result]) -> Result:
        """Return what is calculated from the machine by a key, once."""
        if key not in self._results:
            self._results[key] = calculate()
        result: Result = self._results[key]
        return result

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
            if algorithm.anchor not in reached:
                reached[algorithm.anchor] = algorithm
                used = {node.name for node in walk(algorithm.body) if isinstance(node, Operation)}
                used.add(reference.function_name(algorithm.base))
                todo += [
                    program for anchor, program in self.programs.items() if reference.function_name(anchor) in used
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

MOST_CALLS = 100
"""More calls than any item takes, with those that are restored."""


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

    def process(self, item: Any) -> tuple[Any, ...]:
        """Return what is made of an item and of those that are restored: code points or bytes, errors, or a failure."""
        left, outcome = [item], list[Any]()
        try:
            for _ in range(MOST_CALLS):
                current = left.pop()
                result, restored = self.handle(current)
                left += reversed(restored)
                if isinstance(result, list):
                    outcome += result
                elif isinstance(result, Error):
                    outcome.append(result)
                if current is END_OF_QUEUE and result is not FINISHED:
                    left.insert(0, current)
                if not left:
                    return tuple(outcome)
        except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError) as error:
            return (Failure(repr(error)),)
        return (Failure("no end"),)

    def after(self, items: Iterable[int]) -> State | None:
        """Return the state after items of which each needs another, None if one does not."""
        self.state = self.initial
        return self.state if all(self.handle(item)[0] is CONTINUE for item in items) else None

    def outputs(self, items: Iterable[int], state: State | None = None) -> dict[int, tuple[int, ...]]:
        """Return what each of `items` alone is decoded or encoded to in a state, the initial one if it is None.

        An item that is an error, or needs another one, has no entry.
        """
        start, outputs = self.initial if state is None else state, {}
        for item in items:
            self.state = start
            outcome = self.process(item)
            if outcome and all(type(unit) is int for unit in outcome):
                outputs[item] = outcome
        return outputs


# -- Two handlers side by side ----------------------------------------------------------------------------------------


Difference = tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]
"""The items of an input, and what each of two handlers makes of the last one."""

STATES = 300
"""Maximum number of states of a decoder or encoder that are compared, for each number of items before them."""

LONGEST = 16
"""Maximum number of items before a state that is compared."""


def differing(
    old: Handler,
    new: Handler,
    inputs: Callable[[State], Iterable[int]],
    is_followed: Callable[[State], bool] = lambda state: True,
) -> Iterator[Difference]:
    """Yield each sequence of items whose last one has another outcome, and both outcomes.

    In each of the old one's states, the items are the `inputs` and end-of-queue; not every state need be followed.
    """
    start = old.initial, new.initial
    paths: dict[tuple[State, State], tuple[Any, ...]] = {start: ()}
    todo = [start]
    reached: Counter[int] = Counter()
    for states in todo:
        for item in (*inputs(states[0]), END_OF_QUEUE):
            old.state, new.state = states
            before, after = old.process(item), new.process(item)
            path, following = (*paths[states], item), (old.state, new.state)
            if before != after:
                yield path, before, after
                continue
            has_room = reached[len(path)] < STATES and len(path) <= LONGEST
            if item is not END_OF_QUEUE and following not in paths and has_room and is_followed(following[0]):
                reached[len(path)] += 1
                paths[following] = path
                todo.append(following)


def words(items: tuple[Any, ...], *, are_bytes: bool) -> str:
    """Return an input or an outcome in words: bytes in hexadecimal, code points with their names."""
    is_listed = not are_bytes or any(isinstance(item, Error) for item in items)
    shown = (
        repr(item) if not isinstance(item, int) else f"{item:02X}" if are_bytes else describe(item) for item in items
    )
    return (", " if is_listed else " ").join(shown) or "nothing yet"
