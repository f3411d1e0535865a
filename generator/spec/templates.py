"""Check the templates: run each emitted handler beside the standard's, and compare the outcomes.

In every pair of states that the two can be in, an encoder is given the code points that the standard names, those next
to them, and a sample of the others. A decoder is given every byte as the first and second of a sequence, and those that
the standard names, with those next to them, as the others; then the bytes of the pointers that the standard names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from generator.model import Encoding, GeneratorError
from generator.spec.emitted import Decoder, Encoder, Module
from generator.spec.machine import Difference, Handler, Machine, State, differing, words
from generator.spec.program import named, near

if TYPE_CHECKING:
    from generator.modules import Chapter, Codec


class TemplateError(GeneratorError):
    """A template does not do what the standard's algorithm does."""


def check(chapter: Chapter, text: str, machine: Machine) -> None:
    """Raise a TemplateError with the first difference of each handler of a module that has any."""
    module = Module(text, chapter.tables)
    parts = [(part.codec, "decoder") for part in chapter.decoders]
    parts += [(part.codec, "encoder") for part in chapter.encoders]
    refusals = [refusal for codec, kind in parts if (refusal := _refusal(module, codec, kind, machine))]
    if refusals:
        raise TemplateError("\n".join(refusals))


def _refusal(module: Module, codec: Codec, kind: str, machine: Machine) -> str:
    """Return the first difference in a sentence: template, input, outcomes, and step; empty if there is none."""
    template = f"templates/_handlers/{codec.handler.template}.pyx.j2"
    encoding = Encoding(codec.name, (), codec.heading)
    index = codec.handler.indexes[0] if codec.handler.takes_an_index else ""
    handler = machine.handler(encoding, kind, index)
    if handler is None:
        return f"{template} has the {kind} of {codec.name}, but the standard has none"
    differences = _of_decoder if kind == "decoder" else _of_encoder
    try:
        path, ours, theirs = next(differences(module, codec, handler, machine), ((), (), ()))
    except NameError as error:
        return f"{template} does not fit the {kind} of {codec.name}: there is no {error.name}"
    if not path:
        return ""
    trace: list[str] = []
    traced = machine.handler(encoding, kind, index, trace.append)
    assert traced is not None
    for item in path[:-1]:
        traced.process(item)
    traced.handle(path[-1])
    are_bytes = kind == "encoder"
    return (
        f"{template} differs from the standard in the {kind} of {codec.name}.\n"
        f"For {words(path, are_bytes=not are_bytes)} the template has {words(ours, are_bytes=are_bytes)},\n"
        f"the standard {words(theirs, are_bytes=are_bytes)} (#{handler.algorithm.anchor} {trace[-1]})."
    )


_ANY = frozenset({0x00, 0x41, 0x7F, 0x80, 0xFF})
"""Bytes that follow any other, whatever is named."""


def _of_decoder(module: Module, codec: Codec, handler: Handler, machine: Machine) -> Iterator[Difference]:
    decoder = Decoder(module, codec)
    numbers = named(machine.uses(Encoding(codec.name, (), codec.heading), "decoder")[0])
    few = _ANY | {byte for number in numbers for byte in (number & 0xFF, number >> 8) if byte <= 0xFF}

    def following(state: State) -> Iterable[int]:
        return range(0x100) if len(state[-1]) < 2 else few

    def is_followed(state: State) -> bool:
        return len(state[-1]) < 2 or few.issuperset(state[-1])

    numbers |= near(pointer for pointer, _ in machine.snapshot.ranges.ranges)
    sequences = (
        pointers.sequence(pointer)
        for pointers in codec.pointers.values()
        for pointer in sorted({*numbers, 0, len(pointers) - 1})
        if pointer < len(pointers)
    )
    return chain(differing(decoder, handler, following, is_followed), _along(decoder, handler, sequences))


def _along(decoder: Decoder, handler: Handler, sequences: Iterable[bytes]) -> Iterator[Difference]:
    """Yield the first byte of each sequence that has another outcome."""
    for sequence in sequences:
        decoder.state, handler.state = decoder.initial, handler.initial
        for place, byte in enumerate(sequence):
            ours, theirs = decoder.process(byte), handler.process(byte)
            if ours != theirs:
                yield tuple(sequence[: place + 1]), ours, theirs
                break


_SAMPLE = 61
"""The distance of the code points that are given to an encoder besides those that the standard names."""


def _of_encoder(module: Module, codec: Codec, handler: Handler, machine: Machine) -> Iterator[Difference]:
    numbers = {*range(0x100), *range(0x100, 0x10000, _SAMPLE), *range(0x20000, 0x30000, 16 * _SAMPLE), 0x10FFFF}
    numbers |= named(machine.programs.values()) | near(code_point for _, code_point in machine.snapshot.ranges.ranges)
    samples = sorted(number for number in numbers if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF)
    return differing(Encoder(module, codec), handler, lambda state: samples)
