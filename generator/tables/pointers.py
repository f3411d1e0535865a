"""The byte sequences of pointers, to which an index or a formula of an encoding assigns code points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from generator.model import GeneratorError
from generator.spec.machine import CONTINUE, Handler

Ranges = tuple[range, ...]


@dataclass(frozen=True)
class Pointers:
    """Byte sequences in order, one per pointer from 0: a prefix, then for each position a byte of its ranges.

    The last position varies fastest. https://encoding.spec.whatwg.org/#indexes
    """

    positions: tuple[Ranges, ...]
    prefix: bytes = b""

    @property
    def leading(self) -> Ranges:
        """The ranges of the first byte after the prefix."""
        return self.positions[0]

    def __len__(self) -> int:
        """Return the number of sequences."""
        return prod(map(len, self._bytes))

    @cached_property
    def _bytes(self) -> tuple[bytes, ...]:
        """The bytes of each position, in order."""
        return tuple(bytes(byte for range_ in ranges for byte in range_) for ranges in self.positions)

    def sequence(self, pointer: int) -> bytes:
        """Return the bytes of a pointer; raise an IndexError if it has none."""
        if not 0 <= pointer < len(self):
            raise IndexError(f"pointer {pointer} is out of range: there are {len(self)} pointers")
        digits = []
        for choices in reversed(self._bytes):
            pointer, position = divmod(pointer, len(choices))
            digits.append(choices[position])
        return self.prefix + bytes(reversed(digits))

    def pointer(self, sequence: bytes) -> int | None:
        """Return the pointer of a sequence, None if it has none."""
        if len(sequence) != len(self.prefix) + len(self.positions) or not sequence.startswith(self.prefix):
            return None
        pointer = 0
        for choices, byte in zip(self._bytes, sequence[len(self.prefix) :], strict=True):
            if byte not in choices:
                return None
            pointer = pointer * len(choices) + choices.index(byte)
        return pointer


# -- Finding them ------------------------------------------------------------------------------------------------------


class Probe:
    """An index without entries, which notes each pointer that is looked up."""

    def __init__(self, name: str, look_ups: list[tuple[str, int]]) -> None:
        self._name = name
        self._look_ups = look_ups

    def code_point(self, pointer: int) -> None:
        self._look_ups.append((self._name, pointer))

    def pointer(self, code_point: int) -> None:
        """Find no pointer of any code point."""

    last_pointer = pointer

    def excluding(self, is_excluded: Callable[[int], bool]) -> Probe:
        return self

    def last_range(self, what: str, key: int) -> tuple[int, int]:
        if what == "pointer":
            self._look_ups.append((self._name, key))
        return 0, 0


class Probes(dict[str, Any]):
    """Indexes without entries, by name, and what is looked up in them: the name and the pointer."""

    def __init__(self) -> None:
        self.look_ups: list[tuple[str, int]] = []

    def __missing__(self, name: str) -> Probe:
        self[name] = probe = Probe(name, self.look_ups)
        return probe


LONGEST = 5
"""Bytes of the longest path to a pointer: an escape sequence and a pair."""


class Search:
    """The search for the byte sequences of the pointers that a decoder looks up in probes.

    In each state, all bytes are tried. Of those after which the same bytes complete or continue a sequence, the first
    and the last stand for all; so a position's bytes are found without trying each combination.
    """

    def __init__(self, decoder: Handler, probes: Probes) -> None:
        self.pointers: dict[str, Pointers] = {}
        self._decoder, self._probes = decoder, probes
        self._visited: set[Any] = set()
        self._known: dict[Any, tuple[dict[int, tuple[str, int]], bytes, dict[int, Any]]] = {}
        self._explore(decoder.initial, (), b"")

    def _explore(self, state: Any, groups: tuple[bytes, ...], path: bytes) -> None:
        if state in self._visited or len(path) >= LONGEST:
            return
        self._visited.add(state)
        looked_up, _, following = self._bytes(state)
        for byte in {*list(looked_up)[:1], *list(looked_up)[-1:]}:
            self._add((*groups, bytes(looked_up)), path + bytes([byte]), state, looked_up[byte])
        alike: dict[Any, list[int]] = {}
        for byte, after in following.items():
            _, complete, continued = self._bytes(after)
            alike.setdefault((complete, bytes(continued)), []).append(byte)
        for group in alike.values():
            for byte in {group[0], group[-1]}:
                self._explore(following[byte], (*groups, bytes(group)), path + bytes([byte]))

    def _bytes(self, state: Any) -> tuple[dict[int, tuple[str, int]], bytes, dict[int, Any]]:
        """Return what bytes look up in a state, the bytes that complete a sequence, and the states of the others."""
        if state not in self._known:
            looked_up, complete, following = {}, bytearray(), {}
            look_ups = self._probes.look_ups
            for byte in range(0x100):
                self._decoder.state = state
                result, _ = self._decoder.handle(byte)
                if look_ups:
                    looked_up[byte] = look_ups[-1]
                    look_ups.clear()
                    complete.append(byte)
                elif result is CONTINUE:
                    following[byte] = self._decoder.state
                elif isinstance(result, list):
                    complete.append(byte)
            self._known[state] = looked_up, bytes(complete), following
        return self._known[state]

    def _add(self, groups: Sequence[bytes], path: bytes, state: Any, looked_up: tuple[str, int]) -> None:
        index, pointer = looked_up
        self._decoder.state = state
        self._decoder.handle(path[-1])
        length = self._length(path, looked_up)
        self._probes.look_ups.clear()
        sequence, own = path[-length:], groups[-length:]
        fixed = next((place for place, group in enumerate(own) if len(group) > 1), length - 1)
        pointers = Pointers(tuple(map(_ranges, own[fixed:])), sequence[:fixed])
        if self.pointers.setdefault(index, pointers) != pointers or pointers.pointer(sequence) != pointer:
            raise GeneratorError(
                f"the pointers of index {index!a} are not the order of its bytes: {sequence.hex(' ')} is {pointer}"
            )

    def _length(self, path: bytes, looked_up: tuple[str, int]) -> int:
        """Return how many of the last bytes look the same up again: an escape sequence before them does not count."""
        after = self._decoder.state
        for length in range(1, len(path)):
            self._decoder.state = after
            self._probes.look_ups.clear()
            for byte in path[-length:]:
                self._decoder.handle(byte)
            if self._probes.look_ups[-1:] == [looked_up]:
                return length
        return len(path)


def _ranges(bytes_: bytes) -> Ranges:
    """Return ascending bytes as ranges."""
    ranges: list[range] = []
    for byte in bytes_:
        if ranges and ranges[-1].stop == byte:
            ranges[-1] = range(ranges[-1].start, byte + 1)
        else:
            ranges.append(range(byte, byte + 1))
    return tuple(ranges)
