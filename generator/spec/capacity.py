"""How much a handler writes: what `decode_shift` and `encode_capacity` promise, item by item, so that the sum is right.

A caller offers ``n`` bytes where the target has room for ``n / 2**decode_shift`` units of UTF-16, rounded up, or three
times as many bytes of UTF-8. Rounding up doesn't add up, so it is allowed for one item alone: the last one that gives
anything. Each other item takes at least ``2**decode_shift`` bytes for each of its units. Then whatever was read before
an item, the units written are at most those bytes, shifted, and the rest of the room suffices for the item:
``floor(a) + ceil(b) <= ceil(a + b)`` if ``floor(a)`` is what was written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from generator.spec.machine import FINISHED, Handler

UTF8_PER_UNIT = 3
"""Bytes of UTF-8 for each unit that a decoder may write: WE_UTF8_PER_BYTE of src/native/kernels/codec.h."""
MOST_SHIFT = 12
"""A larger one saves nothing: what gives one unit for any input has this."""


def units(code_points: Iterable[Any]) -> Any:
    """Return how many units of UTF-16 code points take, numbers or symbolic ones, which are asked on each way."""
    return sum(2 if code_point > 0xFFFF else 1 for code_point in code_points)


def bytes_of_utf8(code_points: Iterable[Any]) -> Any:
    """Return how many bytes of UTF-8 code points take."""
    return sum(
        1 if one < 0x80 else 2 if one < 0x800 else 3 if one < 0x10000 else 4  # those of the UTF-8 encoder
        for one in code_points
    )


def most(length: Any, shift: int, *, is_last: bool) -> Any:
    """Return the capacity, in units, for ``length`` bytes: rounded down, but up for the last item."""
    step = 1 << shift
    return (length + step - 1) // step if is_last else length // step


def fits(code_points: Iterable[Any], length: int, shift: int, *, is_last: bool) -> bool:
    """Return whether an item of ``length`` bytes gives as few code points as `decode_shift` promises."""
    found = list(code_points)
    if not found:
        return True
    room = most(length, shift, is_last=is_last)
    return bool(units(found) <= room and bytes_of_utf8(found) <= UTF8_PER_UNIT * room)


def is_silent(handler: Handler) -> bool:
    """Return whether a decoder gives nothing any more in its state: it is finished, whatever follows."""
    state = handler.state
    results = []
    for byte in range(0x100):
        results.append(handler.handle(byte) == (FINISHED, []) and handler.state == state)
        handler.state = state
        if not results[-1]:
            return False
    return True
