"""Replace parts of a text of any encoding, and find bytes for them that change nothing beside.

The bytes between two places of a source (source.py) are replaced. What replaces them is decoded before it is accepted,
from a place before it to the first place after it where the decoder is in the state that it had there before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..files import sniff_file_bom
from .encoder import Errors, ExactEncoder
from .source import ITEM, START, Place, PositionMap, by_position

if TYPE_CHECKING:
    from typing_extensions import Buffer


DISTANCE = 64  # characters between edits that cannot affect each other; less would do
_NEIGHBORS = 3  # characters on either side of an edit that may be encoded anew
# A place this many characters before an edit is before every item that reads bytes of the edit: an item reads at most
# four bytes, and _NEIGHBORS more characters may be replaced.
_MARGIN = _NEIGHBORS + 8
_LOOKAHEAD = 16  # bytes after an edit within which the decoder must return to its former state
_LONGEST_BOM = 4  # bytes; an escape sequence has three


class EditRefusedError(UnicodeError):
    """Raised if the encoder's bytes do not give the edited text: what is beside it would change, or be a mark.

    ``start`` and ``end`` delimit the text that was to be replaced.
    """

    __module__ = "whatwg_encoding"  # the public name, in tracebacks and pickles

    def __init__(self, reason: str, start: int = 0, end: int = 0) -> None:
        super().__init__(reason, start, end)
        self.start = start
        self.end = end

    def __str__(self) -> str:
        return str(self.args[0])


class Range(NamedTuple):
    """A range of the source's text, and the text that replaces it."""

    start: int
    end: int
    new: str


class Edit(NamedTuple):
    """Bytes and text that replace a range of the source's. The decoder's state at both ends is the source's."""

    byte_start: int
    byte_end: int
    data: bytes
    text_start: int
    text_end: int
    text: str


class Splicer:
    """Applies edits to a source, in the order of the text, and collects the changed ranges of bytes.

    What the last edits have made, and the next may still change, is the tail: the text and bytes from a place in the
    edited document up to ``_rest``, a place in the source, from which on both have the same bytes and the same state.
    Offsets are those of the tail and of the source's rest after it, unless they are said to be the source's.
    """

    def __init__(self, source: PositionMap, encoder: ExactEncoder, shift: int = 0) -> None:
        self._source = source
        self._encoder = encoder
        self._shift = shift  # from positions in the source to those that errors name
        self._edits: list[Edit] = []
        self._data, self._text = b"", ""
        self._flags = 0  # the state at the start of the tail
        self._begin: Place | None = None  # the place in the source that the tail replaces, up to the rest
        self._rest = START
        self._is_begun: bool = source.start > 0 or source.is_part  # whether later edits can make no mark
        self._after = (-1, 0)  # where the last edit ends in the source, and the decoder's state then, as it is now

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace a range of the source's text, which is after those of earlier edits, by text that is encodable.

        Raise EditRefusedError if that is not possible.
        """
        self._open(start)
        shift = len(self._text) - self._rest.text
        first, last = start + shift, end + shift
        if last - first <= DISTANCE:
            places = self._places(first - _NEIGHBORS, last + _NEIGHBORS)
        else:
            places = self._places(first - _NEIGHBORS, first) | self._places(last, last + _NEIGHBORS)
        for count in range(2 * _NEIGHBORS + 1):
            for right in range(max(count - _NEIGHBORS, 0), min(count, _NEIGHBORS) + 1):
                left = count - right
                text = self._text_of(first - left, first) + new + self._text_of(last, last + right)
                if self._try(places.get(first - left, []), places.get(last + right, []), text):
                    return
        raise self._refusal(start, end, places)

    def replace_together(self, ranges: Sequence[Range], errors: Errors) -> bool:
        """Replace near ranges as `replace` does each, in a fraction of the time; return whether that is possible.

        It is if the encoder gives the bytes from the first to the last, which tell then where each range is.
        """
        source, encoder, written = self._source, self._encoder, dict[str, str]()
        try:
            for *_, new in ranges:
                if new not in written:
                    written[new] = encoder.checked(new, errors)
        except UnicodeEncodeError:
            return False
        if len(ranges) == 1 or not encoder.is_stateless:
            return self.encode_anew(ranges[0].start, ranges[-1].end, _joined(source.text, ranges, written))
        place = source.at(ranges[0].start)
        if place is None or not self._is_after_items(place) or self._start_before(place.byte) is not None:
            return False
        data = {new: encoder.whole(text) for new, text in written.items()}
        position, byte = place.text, place.byte
        edits = []
        try:
            for start, end, new in ranges:
                byte += len(encoder.whole(source.text[position:start]))
                after = byte + len(encoder.whole(source.text[start:end]))
                edits.append(Edit(byte, after, data[new], start, end, written[new]))
                position, byte = end, after
            if source.data[place.byte : byte] != encoder.whole(source.text[place.text : position]):
                return False
        except UnicodeEncodeError:
            return False
        self._close()
        self._edits += edits
        return True

    def encode_anew(self, start: int, end: int, new: str) -> bool:
        """Replace a range by what the encoder gives, if it gives the bytes of the former text, too; return whether.

        The former text may have other bytes if the new one has no character of it: then none of them would stay.
        """
        source, encoder = self._source, self._encoder
        first, last = source.at(start), source.at(end)
        if first is None or last is None:
            return False
        old, states = source.text[start:end], self._states(first, last)
        if not (encoder.is_stateless or encoder.has_one_state_for_ascii(first.flags, old + new)):
            return False
        try:
            is_own = encoder.encode(old, *states) == source.data[first.byte : last.byte]
        except UnicodeEncodeError:
            is_own = False
        if not is_own and not (encoder.is_stateless and len(old) <= DISTANCE and set(old).isdisjoint(new)):
            return False
        try:
            if self._rewrite(first, last, new, encoder.encode(new, *states)):
                return True
            if encoder.is_stateless or not is_own:
                return False
            self.replace(start, end, new)  # what follows begins with an escape sequence
        except (UnicodeEncodeError, EditRefusedError):
            return False
        return True

    def replace_all(self, start: int, end: int, old: str, new: str) -> bool:
        """Replace a text wherever it is between two ends of lines; return whether bytes of it tell what to replace.

        They do if the encoder gives all bytes between the ends, or those of ``old`` are there as often as it is.
        """
        source, encoder = self._source, self._encoder
        text = source.text[start:end]
        result = text.replace(old, new)
        if self.encode_anew(start, end, result):
            return True
        first, last = source.at(start), source.at(end)
        if first is None or last is None:
            return False
        former, count = source.data[first.byte : last.byte], text.count(old)
        for states in (self._states(first, last), *((flags, flags) for flags in encoder.states)):
            try:
                own, written = encoder.encode(old, *states), encoder.encode(new, *states)
            except UnicodeEncodeError:
                return False
            if former.count(own) == count and self._rewrite(first, last, result, former.replace(own, written)):
                return True
        return False

    def _states(self, first: Place, last: Place) -> tuple[int, int | None]:
        """Return the decoder's states at two places; None at the end of the input, where any is right."""
        return first.flags, None if last.byte == len(self._source.data) else last.flags

    def _rewrite(self, first: Place, last: Place, new: str, data: bytes) -> bool:
        """Replace the bytes between two places if nothing else is read otherwise then; return whether."""
        source = self._source
        if not self._is_after_items(first):
            return False
        if first.byte == self._after[0]:
            first = first._replace(flags=self._after[1])
        flags = source.reads(first, data, new)
        follows = source.data[last.byte : last.byte + _LONGEST_BOM]
        if flags is None or (follows and flags != last.flags and not self._encoder.agree(flags, last.flags, follows)):
            return False
        start = self._start_before(first.byte)
        if start is not None and sniff_file_bom(start + data + follows)[0] is not None:
            return False
        self._close()
        edit = Edit(first.byte, last.byte, data, first.text, last.text, new)
        if start is not None and self._edits and self._edits[-1].byte_end == first.byte:
            # One edit, so that `_start_before` has few to look at: each but the first leaves a byte before it.
            before = self._edits.pop()
            edit = edit._replace(
                byte_start=before.byte_start,
                data=before.data + data,
                text_start=before.text_start,
                text=before.text + new,
            )
        self._edits.append(edit)
        self._after = last.byte, flags
        return True

    def _start_before(self, byte: int) -> bytes | None:
        """Return the bytes of the edited document before an offset in the source; None if they are more than a mark."""
        if self._is_begun:
            return None
        data, start = self._source.data, b""
        if self._begin is not None:
            start, byte = self._data + data[self._rest.byte : byte], self._begin.byte
        for edit in reversed(self._edits):
            start, byte = edit.data + data[edit.byte_end : byte] + start, edit.byte_start
        start = data[:byte] + start
        self._is_begun = len(start) > _LONGEST_BOM
        return None if self._is_begun else start

    def _is_after_items(self, place: Place) -> bool:
        """Return whether nothing before a place may read more, or less, than it did, and no edit is after it."""
        if self._begin is not None and place.text <= self._rest.text:
            return place == self._rest and not self._text.endswith("\ufffd")
        return not self._source.text.endswith("\ufffd", 0, place.text)

    def settled(self, end: int) -> list[Edit]:
        """Return, once, the edits that none after ``end`` in the text can change: `_open` takes back near ones."""
        after = self._rest.byte if self._begin is not None else self._edits[-1].byte_end if self._edits else 0
        if not self._is_begun and self._start_before(after) is not None:
            return []
        count, limit = len(self._edits), end - _MARGIN - 2 * ITEM
        while count and self._edits[count - 1].text_end >= limit:
            count -= 1
        edits, self._edits = self._edits[:count], self._edits[count:]
        return edits

    def finish(self) -> list[Edit]:
        self._close()
        return self._edits

    def _open(self, start: int) -> None:
        """Move the start of the tail to a place shortly before ``start``, which is the source's."""
        place = self._source.before(start - _MARGIN)
        if self._begin is None or place.byte >= self._rest.byte:
            self._close()
            near: list[Edit] = []
            while self._edits and self._edits[-1].byte_end >= place.byte:
                near.insert(0, self._edits.pop())
                text, byte = near[0].text_start, near[0].byte_start
                if byte < place.byte:
                    place = next(start for start in self._source.places_between(text, text)[text] if start.byte == byte)
            self._begin, self._flags = place, place.flags
            self._rest = Place(near[-1].text_end, near[-1].byte_end, 0) if near else place
            self._data, self._text = with_edits(self._source, near, place, self._rest)
            return
        position = start - _MARGIN + len(self._text) - self._rest.text
        place = self._source.advanced(Place(0, 0, self._flags), self._data, position)
        if place.byte:
            self._add(place.byte, place.text)
            self._data, self._text, self._flags = self._data[place.byte :], self._text[place.text :], place.flags
            self._begin = self._rest

    def _close(self) -> None:
        if self._begin is not None:
            self._add(len(self._data), len(self._text))
            self._begin = None

    def _add(self, byte: int, text: int) -> None:
        """Add the tail up to these offsets to the edits."""
        assert self._begin is not None
        begin, rest = self._begin, self._rest
        self._edits.append(Edit(begin.byte, rest.byte, self._data[:byte], begin.text, rest.text, self._text[:text]))

    def _places(self, first: int, last: int) -> dict[int, list[Place]]:
        """Return the places at each position of the text from ``first`` to ``last``: see `by_position`."""
        source, rest = self._source, self._rest
        text, byte = len(self._text), len(self._data)
        if first <= text + DISTANCE:
            end = rest.byte + (max(last - text, 0) + 4) * ITEM
            window = self._data + source.data[rest.byte : end]
            begin = source.advanced(Place(0, 0, self._flags), window, first)
            return by_position(source.places(begin, window, end >= len(source.data)), first, last, START)
        text, byte = text - rest.text, byte - rest.byte
        places = source.places_between(first - text, last - text)
        return {
            position + text: [Place(position + text, place.byte + byte, place.flags) for place in of_position]
            for position, of_position in places.items()
        }

    def _text_of(self, start: int, end: int) -> str:
        own, rest, source = len(self._text), self._rest.text, self._source.text
        start = max(start, 0)
        return self._text[start:end] + source[max(start - own, 0) + rest : max(end - own, 0) + rest]

    def _bytes_of(self, start: int, end: int) -> bytes:
        own, rest, source = len(self._data), self._rest.byte, self._source.data
        return self._data[start:end] + source[max(start - own, 0) + rest : max(end - own, 0) + rest]

    def _try(self, lefts: list[Place], rights: list[Place], text: str) -> bool:
        """Replace what is between two of the places by ``text``, if the result decodes to that and nothing else."""
        size = len(self._data) + len(self._source.data) - self._rest.byte
        candidates = []
        for left in lefts:
            for right in rights:
                length = right.byte - left.byte
                if length < 0:
                    continue
                try:
                    data = self._encoder.encode(text, left.flags, None if right.byte == size else right.flags)
                except UnicodeEncodeError:  # a neighbor
                    return False
                # First leave escape sequences alone; then prefer the shortest result, and the fewest bytes replaced.
                is_wide = length > max(rights[0].byte - lefts[-1].byte, 0)
                candidates.append((is_wide, len(data) - length, length, left, right, data))
        return any(self._accept(left, right, data, text) for *_, left, right, data in sorted(candidates))

    def _accept(self, left: Place, right: Place, data: bytes, text: str) -> bool:
        """Replace the bytes between two places, if the result decodes to ``text`` and nothing else changes."""
        source = self._source
        head, follows = self._bytes_of(0, left.byte) + data, self._bytes_of(right.byte, right.byte + _LOOKAHEAD)
        if self._adds_bom(head[:_LONGEST_BOM] + follows[:_LONGEST_BOM]):
            return False
        decoder, former = source.encoding.new_decoder(), source.encoding.new_decoder()
        decoder.setstate((b"", self._flags))
        former.setstate((b"", right.flags))
        decoded, expected, after = decoder.decode(head), self._text_of(0, left.text) + text, ""
        length = 0
        while decoded != expected + after or decoder.getstate() != former.getstate():
            final = length == len(follows)
            if final and length == _LOOKAHEAD:
                return False
            byte = follows[length : length + 1]
            decoded, after = decoded + decoder.decode(byte, final), after + former.decode(byte, final)
            if final and decoded != expected + after:
                return False
            length += not final
        # If both have read the same start of a sequence, the last place is before it. The tail ends there, or where it
        # ended before if that is later.
        pending, flags = former.getstate()
        length -= len(pending)
        text_end, byte_end = right.text + len(after), right.byte + length
        rest, own_text, own_byte = self._rest, len(self._text), len(self._data)
        if byte_end > own_byte:
            self._rest = Place(rest.text + text_end - own_text, rest.byte + byte_end - own_byte, flags)
            self._after = self._rest.byte, flags
        self._data = head + follows[:length] + self._data[byte_end:]
        self._text = expected + after + self._text[text_end:]
        return True

    def _adds_bom(self, start: bytes) -> bool:
        """Return whether the document, if it begins with ``start``, has a byte order mark that the source lacks."""
        source = self._source
        if source.start or source.is_part or self._edits or self._begin is None or self._begin.byte:
            return False
        return sniff_file_bom(start)[0] not in (None, sniff_file_bom(self._source.data)[0])

    def _refusal(self, start: int, end: int, places: dict[int, list[Place]]) -> EditRefusedError:
        """Return the error for an edit that no candidate allows. ``start`` and ``end`` are the source's."""
        shift = len(self._text) - self._rest.text
        first, last = start + shift, end + shift
        start, end = start + self._shift, end + self._shift
        before = self._text_of(first - 1, first)
        if first not in places or last not in places:
            position = first if first not in places else last
            pair = " ".join(f"U+{ord(character):04X}" for character in self._text_of(position - 1, position + 1))
            reason = f"it would divide {pair}, which are one sequence of bytes"
        elif before == "\ufffd" and first - 1 in places:
            malformed = self._bytes_of(places[first - 1][-1].byte, places[first][0].byte)
            reason = f"the malformed bytes {malformed.hex(' ').upper()} before it would combine with what follows"
        elif first <= 3 and not self._source.start and not self._source.is_part:
            reason = "the document would begin with a byte order mark, or the text after it would change"
        else:
            reason = "the bytes beside it would decode to other text"
        return EditRefusedError(
            f"cannot replace text {start} to {end} in {self._source.encoding.name}: {reason}", start, end
        )


def _joined(text: str, ranges: Sequence[Range], written: Mapping[str, str]) -> str:
    """Return the text from the first range to the last, with what is written for what replaces them."""
    parts, done = list[str](), ranges[0].start
    for start, end, new in ranges:
        parts += text[done:start], written[new]
        done = end
    return "".join(parts)


class Part(NamedTuple):
    """A part of a document, with the edits in it, and the places in the document where it begins and ends."""

    source: PositionMap
    begin: Place
    rest: Place

    @property
    def text(self) -> int:
        """The position at which its text begins."""
        return self.begin.text

    def edits(self, own: list[Edit], before: list[Edit]) -> list[Edit]:
        """Return the edits of the document: the part's own, joined with those that are in it already."""
        if not before:
            return own
        source, begin, rest = self.source, self.begin, self.rest
        bytes_after, text_after = rest.byte - before[-1].byte_end, rest.text - before[-1].text_end
        starts = (before[0].byte_start - begin.byte, before[0].text_start - begin.text)
        ends = (len(source.data) - bytes_after, len(source.text) - text_after)
        byte_start, text_start = min(starts, (own[0].byte_start, own[0].text_start))
        byte_end, text_end = max(ends, (own[-1].byte_end, own[-1].text_end))
        data, text = with_edits(source, own, Place(text_start, byte_start, 0), Place(text_end, byte_end, 0))
        return [
            Edit(
                begin.byte + byte_start,
                rest.byte - (len(source.data) - byte_end),
                data,
                begin.text + text_start,
                rest.text - (len(source.text) - text_end),
                text,
            )
        ]


def with_edits(source: PositionMap, edits: list[Edit], begin: Place, rest: Place) -> tuple[bytes, str]:
    """Return the bytes and the text of a source between two places, with the edits there."""
    data: list[Buffer] = []
    text: list[str] = []
    byte, position = begin.byte, begin.text
    view = memoryview(source.data)
    for edit in edits:
        data += view[byte : edit.byte_start], edit.data
        text += source.text[position : edit.text_start], edit.text
        byte, position = edit.byte_end, edit.text_end
    data.append(view[byte : rest.byte])
    text.append(source.text[position : rest.text])
    return b"".join(data), "".join(text)
