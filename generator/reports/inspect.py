"""Lead from bytes or characters to the standard's steps, and from each step to its code: the verb ``inspect``.

The installed package divides the input into sequences, as ``whatwg-encoding inspect`` does; the reference in
tests/reference performs the steps, and `locations` finds them in the templates and in the generated files.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from generator.model import ROOT
from generator.render import url
from generator.reports import locations
from tests.reference import steps as reference
from tests.reference.processing import FINISHED, Error
from tests.reference.steps import END_OF_QUEUE, Call
from whatwg_encoding import Encoding
from whatwg_encoding._cli import explain
from whatwg_encoding._cli.arguments import label
from whatwg_encoding._cli.inspect import byte_sequence, characters


class Place(NamedTuple):
    """A step, its locations, and the kernel for its common case. What does not exist is the empty string."""

    name: str
    text: str
    reference: str
    template: str
    generated: str
    kernel: str


def lines(options: argparse.Namespace) -> Iterator[str]:
    """Return the lines to print; raise ArgumentTypeError for what is no label, no bytes or no character."""
    encoding = label(options.source)
    if options.bytes is not None:
        data = byte_sequence(options.bytes)
        return trace(encoding, data) if options.trace else describe_bytes(encoding, data)
    text = characters(options.text)
    if not options.trace:
        return chain.from_iterable(describe(encoding, character) for character in text)
    if not encoding.has_encoder:
        raise argparse.ArgumentTypeError(f"{encoding.name} has no encoder")
    return trace(encoding, text)


# -- Steps -------------------------------------------------------------------------------------------------------------


def places(encoding: Encoding, call: Call, direction: str) -> list[Place]:
    """Return where the steps of a call are; `direction` is "decode" or "encode"."""
    return [_place(encoding.name, step, direction) for step in call.steps]


@cache
def _place(name: str, step: reference.Step, direction: str) -> Place:
    file = Path(step.file).resolve().relative_to(ROOT).as_posix()
    template = locations.in_template(name, str(step)) or ""
    generated, kernel = locations.in_generated(name, str(step), direction) or ("", "")
    return Place(str(step), step.text, f"{file}:{step.line}", template, generated, kernel)


def _result(call: Call, *, is_decoder: bool) -> str:
    if call.output:
        return " ".join(f"U+{value:04X}" if is_decoder else f"{value:02X}" for value in call.output)
    match call.result:
        case Error(None):
            return "error"
        case Error(code_point):
            return f"error with U+{code_point:04X}"
        case result:
            return str(getattr(result, "value", ""))


def _lookup(lookup: reference.Lookup) -> str:
    pointer = "null" if lookup.pointer is None else lookup.pointer
    code_point = "null" if lookup.code_point is None else f"U+{lookup.code_point:04X}"
    return f"index {lookup.name}: pointer {pointer}, code point {code_point}"


# -- In words ----------------------------------------------------------------------------------------------------------


def describe_bytes(encoding: Encoding, data: bytes) -> Iterator[str]:
    """Yield a line for each piece of ``data``: offset, bytes, characters and pointer; then its steps."""
    calls = _Calls(reference.trace_decoder(encoding.name, data))
    for piece, line in explain.described_pieces(encoding, data):
        yield line
        end = piece.offset + len(piece.data)
        own = calls.before(end)
        if end == len(data) and "incomplete" in piece.note:
            own += [call for call in calls if call.item is END_OF_QUEUE and call.result is not FINISHED]
        yield from _steps(encoding, own, "decode")


@cache
def describe(encoding: Encoding, character: str) -> tuple[str, ...]:
    """Return lines that describe a character, its bytes, and the steps of the encoder."""
    found = list(explain.describe_in([encoding], character))
    if encoding.has_encoder:
        every = reference.trace_encoder(encoding.name, explain.scalar_value(character))
        calls = [call for call in every if call.result is not FINISHED]
        found += _steps(encoding, calls, "encode")
    return tuple(found)


class _Calls:
    """The calls of a handler in order, of which only those near the current piece are in memory.

    A handler restores at most the bytes of one sequence: after a call LONGEST bytes ahead, none is before the piece.
    """

    def __init__(self, calls: Iterable[Call]) -> None:
        self._rest = iter(calls)
        self._read: list[Call] = []

    def before(self, end: int) -> list[Call]:
        """Remove and return the calls whose position is before `end`."""
        for call in self._rest:
            self._read.append(call)
            if call.position >= end + explain.LONGEST:
                break
        found = [call for call in self._read if call.position < end]
        self._read = [call for call in self._read if call.position >= end]
        return found

    def __iter__(self) -> Iterator[Call]:
        """Yield the calls that are left."""
        return chain(self._read, self._rest)


def _steps(encoding: Encoding, calls: Iterable[Call], direction: str) -> Iterator[str]:
    """Yield the steps taken, by section, with their locations."""
    rows: list[tuple[str, str, Place]] = []
    for place in dict.fromkeys(place for call in calls for place in places(encoding, call, direction)):
        anchor, _, number = place.name.partition(" ")
        if rows and rows[-1][0] == anchor and _where(rows[-1][2]) == _where(place):
            rows[-1] = (anchor, f"{rows[-1][1]}, {number}", place)
        else:
            rows.append((anchor, number, place))
    width = max((len(numbers) for _, numbers, _ in rows), default=0)
    section = ""
    for anchor, numbers, place in rows:
        if anchor != section:
            section = anchor
            yield f"{'':8}{url(anchor)}"
        yield f"{'':10}{numbers:<{width}}  {_where(place)}"


def _where(place: Place) -> str:
    return "  ".join(filter(None, [place.template, place.generated, place.kernel])) or place.reference


def trace(encoding: Encoding, source: bytes | str) -> Iterator[str]:
    """Yield the steps that the reference takes to decode bytes or encode text, to end-of-queue."""
    is_decoder = isinstance(source, bytes)
    if isinstance(source, bytes):
        calls = reference.trace_decoder(encoding.name, source)
    else:
        calls = reference.trace_encoder(encoding.name, source)
    for call in calls:
        if not isinstance(call.item, int):
            item = "end-of-queue"
        else:
            item = f"{call.item:02X}" if is_decoder else explain.describe_character(chr(call.item))
        yield f"{call.position:>6}  {item}"
        for place in places(encoding, call, "decode" if is_decoder else "encode"):
            yield f"{'':8}{place.name}  {place.text}"
            where = [place.reference, place.template, place.generated, place.kernel]
            yield f"{'':10}{'  '.join(filter(None, where))}"
        for lookup in call.lookups:
            yield f"{'':8}{_lookup(lookup)}"
        yield f"{'':8}→ {_result(call, is_decoder=is_decoder)}"
