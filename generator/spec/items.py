"""What a handler makes of the next item: the standard's, and the emitted one.

`templates` compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from generator.model import GeneratorError
from generator.spec import emitted
from generator.spec.machine import CONTINUE, END_OF_QUEUE, FINISHED, Error, Handler

Ask = Callable[[Any], tuple[Any, list[Any]]]
"""Returns the result of the standard's handler for an item of a queue, and what it restores."""


class EndlessError(GeneratorError):
    """The standard is not finished at end-of-queue."""


class Item(NamedTuple):
    """What a handler makes of the item at the start of an input."""

    what: str
    """``output``, ``error``, ``nothing``, or ``incomplete``."""
    length: Any
    """Bytes or code points that it takes, restored ones not counted."""
    output: tuple[Any, ...] = ()
    """Code points or bytes; what an encoder cannot encode, last."""

    def __str__(self) -> str:
        found = {"output": " ".join(f"{value:02X}" for value in self.output)}.get(self.what, self.what)
        return f"{found} from {self.length}" if self.what != "error" else f"error of {self.length}"


# -- The standard's ----------------------------------------------------------------------------------------------------


class Decoded(NamedTuple):
    """An item of the standard's decoder."""

    item: Item
    read_again: Any = None
    """The byte that the next item begins with, if an error leaves the standard in the sequence of this byte."""
    is_at_end: bool = False
    """Whether end-of-queue gave the result."""


class Source(NamedTuple):
    """What the standard's decoder reads an item from."""

    byte_at: Callable[[int], Any]
    """Returns a byte, END_OF_QUEUE, or None where the source ends, but more may follow."""
    check_restored: Callable[[list[Any], int], None]
    """Checks that restored bytes are those that are read again, from a place on."""
    length: Any
    """The number of bytes, all of which a decoder skips that is finished."""


def next_decoded(handler: Handler, ask: Ask, is_at_rest: Callable[[], bool], source: Source) -> Decoded:
    """Return what the standard's decoder makes of the next item, from a state between items, and leave it after that.

    `is_at_rest` returns whether its state is one between items again, where the queue may end.
    """
    start, read = handler.state, 0
    while True:
        byte = source.byte_at(read)
        if byte is None:
            handler.state = start
            return Decoded(Item("incomplete", read))
        is_at_end = byte is END_OF_QUEUE
        result, restored = ask(byte)
        read += (not is_at_end) - len(restored)
        source.check_restored(restored, read)
        if result is CONTINUE and not is_at_rest():
            continue
        if isinstance(result, list):
            return Decoded(Item("output", read, tuple(result)), None, is_at_end)
        if not isinstance(result, Error):
            return Decoded(Item("nothing", source.length if result is FINISHED else read), None, is_at_end)
        if is_at_rest():
            return Decoded(Item("error", read), None, is_at_end)
        return Decoded(Item("error", read - 1), byte, is_at_end)


def next_encoded(ask: Ask, item: Any) -> Item:
    """Return what the standard's encoder makes of a code point, or of end-of-queue. Raise an EndlessError."""
    is_end = item is END_OF_QUEUE
    left, output = [item], list[Any]()
    while left:
        result, restored = ask(left.pop())
        left += restored
        if isinstance(result, Error):
            return Item("error", 1, (*output, -1 if result.code_point is None else result.code_point))
        if isinstance(result, list):
            output += result
            left += [END_OF_QUEUE] * is_end
        if is_end and result is CONTINUE and not left:
            raise EndlessError("the standard is not finished at end-of-queue")
    return Item("output", 1, tuple(output))


# -- The emitted one's -------------------------------------------------------------------------------------------------


def decoded(value: Any, consumed: Any, length: Any, is_final: Any) -> tuple[Item, bool]:
    """Return the item of what a decoder returns for a source of a length, and whether it says that it is incomplete."""
    if value == emitted.INCOMPLETE:
        return Item("error", consumed) if is_final else Item("incomplete", length), True
    if value == emitted.ERROR:
        return Item("error", consumed), False
    if value == emitted.NONE:
        return Item("nothing", consumed), False
    if value > 0x10FFFF:
        return Item("output", consumed, (value >> 16, value & 0xFFFF)), False
    return Item("output", consumed, (value,)), False


def encoded(output: Iterable[Any], error: Any) -> Item:
    """Return the item of what an encoder writes, and of its error, None if it has none."""
    return Item("output", 1, tuple(output)) if error is None else Item("error", 1, (*output, error))
