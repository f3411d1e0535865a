"""Decoders, encoders, error modes: https://encoding.spec.whatwg.org/#encoders-and-decoders."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias

from .io_queue import END_OF_QUEUE, IOQueue, Item


class Signal(Enum):
    """The type of "continue", which a handler returns if it has neither items nor an error."""

    FINISHED = "finished"
    CONTINUE = "continue"


FINISHED: Final = Signal.FINISHED
CONTINUE: Final = Signal.CONTINUE


@dataclass(slots=True)
class Error:
    """An error, optionally with the code point that an encoder could not encode."""

    code_point: int | None = None


DecoderErrorMode: TypeAlias = Literal["replacement", "fatal"]
ErrorMode: TypeAlias = Literal["replacement", "html", "fatal"]

_SURROGATES: Final = frozenset(range(0xD800, 0xE000))

# finished, one or more items, error optionally with a code point, or continue
Result: TypeAlias = list[int] | Error | Signal


class Decoder:
    """An instance of an encoding's decoder."""

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        """Return the handler's result for `byte`, having restored to `io_queue` what it does not consume."""
        raise NotImplementedError

    @property
    def in_sequence(self) -> bool:
        """Return whether a sequence is incomplete: whether the end of the queue would be an error here.

        Not in the standard: see `oracle.Trace`. It depends on nothing but the decoder's variables.
        """
        state = (type(self), *vars(self).values())
        if state not in _in_sequence:
            _in_sequence[state] = isinstance(copy(self).handler(IOQueue([END_OF_QUEUE]), END_OF_QUEUE), Error)
        return _in_sequence[state]


_in_sequence: dict[object, bool] = {}


class Encoder:
    """An instance of an encoding's encoder."""

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        """Return the handler's result for `code_point`, having restored it to `io_queue` if it has to be read again."""
        raise NotImplementedError


def process_a_queue(
    encoder_decoder: Decoder | Encoder, input_queue: IOQueue, output: IOQueue, mode: ErrorMode
) -> Error | Signal:
    """Return finished, or an error in "fatal" mode: https://encoding.spec.whatwg.org/#concept-encoding-run."""
    while True:  # 1
        result = process_an_item(input_queue.read(), encoder_decoder, input_queue, output, mode)  # 1.1
        if result is not CONTINUE:  # 1.2
            return result


def process_an_item(
    item: Item, encoder_decoder: Decoder | Encoder, input_queue: IOQueue, output: IOQueue, mode: ErrorMode
) -> Error | Signal:
    """Return finished, continue or a "fatal" error: https://encoding.spec.whatwg.org/#concept-encoding-process."""
    assert not (mode == "replacement" and isinstance(encoder_decoder, Encoder))  # 1
    assert not (mode == "html" and isinstance(encoder_decoder, Decoder))  # 2
    assert item not in _SURROGATES or not isinstance(encoder_decoder, Encoder)  # 3
    result = encoder_decoder.handler(input_queue, item)  # 4
    if result is FINISHED:  # 5
        output.push(END_OF_QUEUE)
        return FINISHED
    if isinstance(result, list):  # 6
        assert _SURROGATES.isdisjoint(result) or not isinstance(encoder_decoder, Decoder)  # 6.1
        output.push(*result)  # 6.2
    elif isinstance(result, Error):  # 7
        match mode:
            case "replacement":
                output.push(0xFFFD)
            case "html":
                output.push(*f"&#{result.code_point};".encode("ascii"))
            case "fatal":
                return result
    return CONTINUE  # 8
