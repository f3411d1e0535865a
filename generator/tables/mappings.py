"""The code points of each sequence of bytes and the bytes of each code point, by running the standard's algorithms.

A mapping that takes long to find is cached on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial, wraps
from typing import TypeVar

from generator import cache
from generator.model import RANGES, Encoding, GeneratorError, Snapshot
from generator.spec.machine import CONTINUE, Handler, Machine, State, machine
from generator.spec.program import Lookup, Number, walk
from generator.tables.pointers import Pointers, Probes, Search

BMP = (*range(0xD800), *range(0xE000, 0x10000))
PLANE_2 = range(0x20000, 0x30000)

Outputs = tuple[int, ...]


Result = TypeVar("Result")


def cached(calculate: Callable[[Mappings], Result]) -> cached_property[Result]:
    """Decorate a property of mappings that is calculated once, and cached on disk."""

    @wraps(calculate)
    def computed(mappings: Mappings) -> Result:
        return mappings._cached(calculate.__name__, partial(calculate, mappings))

    return cached_property(computed)


class Mappings:
    """What an encoding's decoder and encoder return, with the indexes of a snapshot."""

    def __init__(self, run: Machine, encoding: Encoding, index: str = "", inputs: tuple[str, ...] = ()) -> None:
        """Take the name of the index of a single-byte encoding as `index`.

        `inputs` is all that the mappings depend on; without it nothing is cached on disk.
        """
        self._run, self._encoding, self._index, self.inputs = run, encoding, index, inputs

    def _cached(self, what: str, calculate: Callable[[], Result]) -> Result:
        # Those of an index of single bytes are calculated in the time that reading them takes.
        return cache.cached((*self.inputs, what), calculate) if self.inputs and not self._index else calculate()

    @cached_property
    def decoder(self) -> Handler:
        return self._required("decoder")

    @cached_property
    def encoder(self) -> Handler:
        return self._required("encoder")

    def _required(self, kind: str) -> Handler:
        handler = self.handler(kind)
        if handler is None:
            raise GeneratorError(f"the standard's algorithms have no {kind} for {self._encoding.name!r}")
        return handler

    def handler(self, kind: str) -> Handler | None:
        """Return a new ``decoder`` or ``encoder``, None if the encoding has none."""
        return self._run.handler(self._encoding, kind, self._index)

    def single(self, prefix: bytes = b"") -> dict[int, Outputs]:
        """Return the code points of each byte that is one sequence, after a prefix such as an escape sequence."""
        return self.decoder.outputs(range(0x100), self._after(prefix))

    def pairs(self, prefix: bytes = b"") -> Mapping[tuple[int, int], Outputs]:
        """Return the code points of each pair of bytes that is one sequence, after a prefix."""
        return self._cached(f"pairs {prefix.hex()}", lambda: dict(self._pairs(self._after(prefix))))

    def _pairs(self, start: State) -> Iterator[tuple[tuple[int, int], Outputs]]:
        for leading in range(0x80, 0x100):
            self.decoder.state = start
            if self.decoder.handle(leading)[0] is CONTINUE:
                for trailing, code_points in self.decoder.outputs(range(0x100), self.decoder.state).items():
                    yield (leading, trailing), code_points

    def _after(self, prefix: bytes) -> State:
        state = self.decoder.after(prefix)
        if state is None:
            raise GeneratorError(f"{self._encoding.name}: no sequence begins with {prefix.hex(' ')}")
        return state

    @cached
    def sequences(self) -> dict[int, Outputs]:
        """The bytes of each code point of the Basic Multilingual Plane that is no error at the start of a text.

        A single-byte encoder has none but ASCII and what its decoder returns: the templates are checked with what its
        steps name and with a sample, and the tests of the tables ask for all.
        """
        code_points = sorted(code_point for (code_point,) in self.single().values()) if self._index else BMP
        return self.encoder.outputs(code_points)

    @cached
    def astral_sequences(self) -> dict[int, Outputs]:
        """The bytes of each code point of plane 2, as for `sequences`."""
        return self.encoder.outputs(PLANE_2)

    @cached
    def pointers(self) -> Mapping[str, Pointers]:
        """The byte sequences of the pointers of each index that the decoder looks up."""
        probes = Probes()
        uses_an_index = self._index or self._run.uses(self._encoding, "decoder")[1]
        return Search(self._unindexed(probes).decoder, probes).pointers if uses_an_index else {}

    def _unindexed(self, probes: Probes) -> Mappings:
        """Return the mappings with indexes that have no entry."""
        return Mappings(Machine(self._run.programs, self._run.snapshot, probes), self._encoding, self._index)

    @cached
    def computed(self) -> Mapping[tuple[int, int], Outputs]:
        """The pairs of bytes that the decoder decodes without an index, as for `pairs`."""
        return self._unindexed(Probes()).pairs()

    @cached
    def gb18030_ranges(self) -> tuple[dict[int, int], dict[int, int]]:
        """The code point of each pointer of gb18030 ranges below U+10000, and the pointer of each code point."""
        code_point_of, pointer_of = (
            self._run.operation(f"index-{RANGES}-{what}") for what in ("code-point", "pointer")
        )
        return (
            {pointer: code_point_of(pointer) for pointer in range(gb18030_bounds(self._run.snapshot)[0] + 1)},
            {code_point: pointer_of(code_point) for code_point in range(0x80, 0x10000)},
        )

    @cached
    def lengths(self) -> Mapping[str, int]:
        """The number of pointers of each index that the decoder or the encoder looks up a pointer in."""
        lengths = {index: len(pointers) for index, pointers in self.pointers.items()}
        algorithm = self._run.algorithm(self._encoding, "encoder")
        if algorithm and any(isinstance(node, Lookup) and node.what == "code_point" for node in walk(algorithm.body)):
            probes = Probes()
            self._unindexed(probes).encoder.outputs(BMP)
            for index, pointer in probes.look_ups:
                lengths[index] = max(lengths.get(index, 0), pointer + 1)
        return lengths


def gb18030_bounds(snapshot: Snapshot) -> tuple[int, int, int]:
    """Return the last pointer of gb18030 ranges below U+10000, the first one above, and the last of all.

    They show where the operation returns null with ranges that are all of U+0000 and up.
    https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
    """
    run, anchor = machine(snapshot), f"index-{RANGES}-code-point"
    code_point = Machine(run.programs, snapshot, Probes()).operation(anchor)
    named = {node.value for node in walk(run.programs[anchor].body) if isinstance(node, Number)}
    before = sorted({number for value in named for number in (value - 1, value)})
    ends = [number for number in before if (code_point(number) is None) != (code_point(number + 1) is None)]
    if len(ends) != 3:
        raise GeneratorError(f"index {RANGES!r} has code points for {(len(ends) + 1) // 2} ranges of pointers, not two")
    return ends[0], ends[1] + 1, ends[2]


def of_encoding(snapshot: Snapshot, encoding: Encoding, index: str = "") -> Mappings:
    """Return the mappings of an encoding of a snapshot, with the index of that name if it is a single-byte encoding."""
    run = machine(snapshot)
    return run.memo(index or encoding.name, lambda: Mappings(run, encoding, index, run.inputs(encoding, index)))
