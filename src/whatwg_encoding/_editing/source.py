"""The items of encoded text, and the places between them.

A decoder reads a sequence of items: a complete sequence with its one or two code points, an error with its U+FFFD, or
an escape sequence of ISO-2022-JP, which gives no text. A place is a boundary between two items.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from .. import Encoding

_STEP = 16384  # bytes from one checkpoint to the next
ITEM = 8  # upper bound on the bytes of an item and an escape sequence before it


class Place(NamedTuple):
    """A boundary between items: the offsets in text and bytes, and the decoder's state, as ``getstate`` returns it."""

    text: int
    byte: int
    flags: int


START = Place(0, 0, 0)


class PositionMap:
    """The bytes and the text of a document, and places in it, which are found through checkpoints."""

    def __init__(
        self,
        encoding: Encoding,
        data: bytes,
        text: str,
        start: int,
        flags: int | None = None,
        checkpoints: list[Place] | None = None,
    ) -> None:
        self.encoding = encoding
        self.data = data
        self.text = text
        self.start = start  # the length of the byte order mark
        self.is_part: bool = flags is not None  # of a document, and not its start; the decoder's state there
        self._decoder = encoding.new_decoder()
        self._fatal_decoder = encoding.new_decoder("fatal")
        self._checkpoints = checkpoints or [Place(0, start, flags or 0)]
        self._latest = self._checkpoints[0]  # the place that `at` has returned last

    def checkpoints_to(self, byte: int) -> list[Place]:
        """Return the checkpoints up to the offset ``byte``, where another source begins to differ."""
        return self._checkpoints[: bisect_right(self._checkpoints, byte, key=attrgetter("byte"))]

    def before(self, position: int) -> Place:
        """Return the nearest known place at or before ``position`` in the text."""
        position = max(position, 0)
        if self.encoding.is_single_byte:
            return Place(position, self.start + position, 0)
        checkpoints = self._checkpoints
        while checkpoints[-1].text < position and checkpoints[-1].byte + _STEP < len(self.data):
            checkpoints.append(self.decoded(checkpoints[-1], self.data, _STEP))
        number = max(bisect_left(checkpoints, position, key=attrgetter("text")) - 1, 0)
        return self.advanced(checkpoints[number], self.data, position)

    def at(self, position: int) -> Place | None:
        """Return the first place at ``position`` in the text, None if there is none or an error is near.

        Of ascending positions each takes time that is linear in the distance from the one before.
        """
        place, more = self._latest, 0
        if not 0 <= position - place.text <= _STEP:
            place = self.before(position)
        while place.text < position and more < ITEM:
            length = min(position - place.text + more, len(self.data) - place.byte)
            after = self.decoded(place, self.data, length)
            more = more + 1 if after.byte == place.byte else 0
            place = after
        if place.text != position:
            return None
        self._latest = place
        return place

    def advanced(self, place: Place, data: bytes, position: int) -> Place:
        """Return a place at most a few characters before ``position``. ``data`` are the bytes of place's offsets."""
        while (length := min(position - place.text, len(data) - place.byte)) > ITEM:
            place = self.decoded(place, data, length)  # n bytes give at most n characters
        return place

    def decoded(self, place: Place, data: bytes, length: int) -> Place:
        """Return the last place within ``length`` bytes after ``place``."""
        end = place.byte + length
        self._decoder.setstate((b"", place.flags))
        count = len(self._decoder.decode(memoryview(data)[place.byte : end]))
        pending, flags = self._decoder.getstate()
        return Place(place.text + count, end - len(pending), flags)

    def reads(self, place: Place, data: bytes, text: str) -> int | None:
        """Return the state after complete sequences from ``place`` on that give a text; None if they do not."""
        self._decoder.setstate((b"", place.flags))
        if self._decoder.decode(data) != text:
            return None
        pending, flags = self._decoder.getstate()
        return None if pending else flags

    def places(self, place: Place, data: bytes, at_end: bool) -> Iterator[Place]:
        """Yield ``place`` and the places after it. With ``at_end``, the input ends with ``data``."""
        decoder = self._fatal_decoder
        yield place
        while place.byte < len(data):
            decoder.setstate((b"", place.flags))
            end, text, pending, flags = place.byte, "", b"?", 0
            try:
                while not text and pending:
                    if end < len(data):
                        text = decoder.decode(data[end : end + 1])
                        pending, flags = decoder.getstate()
                        end += 1
                    elif at_end:
                        text, pending, flags = decoder.decode(b"", True), b"", 0
                    else:
                        return
            except UnicodeDecodeError as error:  # what was read may be more: restored bytes, or the next item
                read, end, text = end, place.byte + error.end, "\ufffd"
                flags = 0 if read == end == len(data) else self._flags_after_error(data[place.byte : end], place.flags)
            place = Place(place.text + len(text), end, flags)
            yield place

    def places_between(self, first: int, last: int) -> dict[int, list[Place]]:
        """Return the places at each position of the text from ``first`` to ``last``: see `by_position`."""
        place = self.before(first)
        end = place.byte + (last - place.text + 4) * ITEM
        window = self.data[place.byte : end]
        return by_position(self.places(Place(0, 0, place.flags), window, end >= len(self.data)), first, last, place)

    def _flags_after_error(self, data: bytes, flags: int) -> int:
        """Return the state after an error of these bytes; if they are incomplete, it restores what follows them."""
        self._decoder.reset()
        self._decoder.setstate((b"", flags))
        self._decoder.decode(data)
        if self._decoder.getstate()[0]:
            self._decoder.decode(b"\xff")  # which is an error in every state, too
        return self._decoder.getstate()[1]


def by_position(places: Iterator[Place], first: int, last: int, start: Place) -> dict[int, list[Place]]:
    """Return the places at each position of the text from ``first`` to ``last``; ``places`` are relative to ``start``.

    A position between the two code points of one item has none. One with an escape sequence has several.
    """
    result: dict[int, list[Place]] = {}
    for place in places:
        position = place.text + start.text
        if position > last:
            break
        if position >= first:
            result.setdefault(position, []).append(Place(position, place.byte + start.byte, place.flags))
    return result
