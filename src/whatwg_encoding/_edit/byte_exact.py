"""Edit text of any encoding and keep all bytes that the edit does not concern.

An edit replaces the bytes between two places (source.py). It is decoded before it is accepted, from a place before it
to the first place after it where the decoder is in the state that it had there before the edit.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from operator import index
from typing import TYPE_CHECKING, NamedTuple

from .._api.arguments import checked_str, get_an_encoding
from .._labels import REPLACEMENT
from .._native.text.core import EncoderUnavailableError, byte_view, quote, sniff_bom
from .difference import align, differences
from .encoder import ExactEncoder
from .files import Refusal, opened
from .source import ITEM, Place, Source, by_position

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .._native.determination.prescan import Detector
    from .._native.text.core import Encoding
    from .._sniff.hints import Hint
    from .encoder import Errors

__all__: list[str] = ["ByteExactText", "EditRefusedError", "reencode"]

_NEIGHBORS = 3  # characters on either side of an edit that may be encoded anew
# A place this many characters before an edit is before every item that reads bytes of the edit: an item reads at most
# four bytes, and _NEIGHBORS more characters may be replaced.
_MARGIN = _NEIGHBORS + 8
_LOOKAHEAD = 16  # bytes after an edit within which the decoder must return to its former state
_DISTANCE = 64  # characters between edits that cannot affect each other; less would do
_PENDING_EDITS = 256  # edits that are kept apart; more of them are joined with the rest
_LONGEST_EDIT = 1 << 15  # bytes of one that is kept apart
_AROUND = 512  # characters on either side of edits, beyond what the next one looks at


class EditRefusedError(UnicodeError):
    """Raised if no bytes give the edited text: the text beside the edit would change, or a byte order mark appear.

    ``start`` and ``end`` delimit the text that was to be replaced.
    """

    __module__ = "whatwg_encoding"  # the public name, in tracebacks and pickles

    def __init__(self, reason: str, start: int = 0, end: int = 0) -> None:
        super().__init__(reason, start, end)
        self.start = start
        self.end = end

    def __str__(self) -> str:
        return str(self.args[0])


class _Edit(NamedTuple):
    """Bytes and text that replace a range of the source's. The decoder's state at both ends is the source's."""

    byte_start: int
    byte_end: int
    data: bytes
    text_start: int
    text_end: int
    text: str


class _Splicer:
    """Applies edits to a source, in the order of the text, and collects the changed ranges of bytes.

    What the last edits have made, and the next may still change, is the tail: the text and bytes from a place in the
    edited document up to ``_rest``, a place in the source, from which on both have the same bytes and the same state.
    Offsets are those of the tail and of the source's rest after it, unless they are said to be the source's.
    """

    def __init__(self, source: Source, encoder: ExactEncoder, shift: int = 0) -> None:
        self._source = source
        self._encoder = encoder
        self._shift = shift  # from positions in the source to those that errors name
        self._edits: list[_Edit] = []
        self._data, self._text = b"", ""
        self._flags = 0  # the state at the start of the tail
        self._begin: Place | None = None  # the place in the source that the tail replaces, up to the rest
        self._rest = Place(0, 0, 0)

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace a range of the source's text, which is after those of earlier edits, by text that is encodable.

        Raise EditRefusedError if that is not possible.
        """
        self._open(start)
        shift = len(self._text) - self._rest.text
        first, last = start + shift, end + shift
        if last - first <= _DISTANCE:
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

    def finish(self) -> list[_Edit]:
        """Return all edits."""
        self._close()
        return self._edits

    def _open(self, start: int) -> None:
        """Move the start of the tail to a place shortly before ``start``, which is the source's."""
        place = self._source.before(start - _MARGIN)
        if self._begin is None or place.byte >= self._rest.byte:
            self._close()
            self._data, self._text, self._flags = b"", "", place.flags
            self._begin = self._rest = place
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
        self._edits.append(_Edit(begin.byte, rest.byte, self._data[:byte], begin.text, rest.text, self._text[:text]))

    def _places(self, first: int, last: int) -> dict[int, list[Place]]:
        """Return the places at each position of the text from ``first`` to ``last``: see `by_position`."""
        source, rest = self._source, self._rest
        text, byte = len(self._text), len(self._data)
        if first <= text + _DISTANCE:
            end = rest.byte + (max(last - text, 0) + 4) * ITEM
            window = self._data + source.data[rest.byte : end]
            begin = source.advanced(Place(0, 0, self._flags), window, first)
            return by_position(source.places(begin, window, end >= len(source.data)), first, last, Place(0, 0, 0))
        text, byte = text - rest.text, byte - rest.byte
        places = source.places_between(first - text, last - text)
        return {
            position + text: [Place(position + text, place.byte + byte, place.flags) for place in each]
            for position, each in places.items()
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
        if self._adds_bom(head[:3] + follows[:3]):
            return False
        decoder, former = source.encoding.new_decoder(), source.encoding.new_decoder()
        decoder.setstate((b"", self._flags))
        former.setstate((b"", right.flags))
        found, expected, after = decoder.decode(head), self._text_of(0, left.text) + text, ""
        length = 0
        while found != expected + after or decoder.getstate() != former.getstate():
            final = length == len(follows)
            if final and length == _LOOKAHEAD:
                return False
            byte = follows[length : length + 1]
            found, after = found + decoder.decode(byte, final), after + former.decode(byte, final)
            if final and found != expected + after:
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
        self._data = head + follows[:length] + self._data[byte_end:]
        self._text = expected + after + self._text[text_end:]
        return True

    def _adds_bom(self, start: bytes) -> bool:
        """Return whether the document, if it begins with ``start``, has a byte order mark that the source lacks."""
        source = self._source
        if source.start or source.is_part or self._edits or self._begin is None or self._begin.byte:
            return False
        return sniff_bom(start)[0] not in (None, sniff_bom(self._source.data)[0])

    def _refusal(self, start: int, end: int, places: dict[int, list[Place]]) -> EditRefusedError:
        """Return the error for an edit that no candidate allows. ``start`` and ``end`` are the source's."""
        shift = len(self._text) - self._rest.text
        first, last = start + shift, end + shift
        start, end = start + self._shift, end + self._shift
        before = self._text_of(first - 1, first)
        if first not in places or last not in places:
            position = first if first not in places else last
            pair = " ".join(f"U+{ord(each):04X}" for each in self._text_of(position - 1, position + 1))
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


class _Part(NamedTuple):
    """A part of a document, with the edits in it, and the places in the document where it begins and ends."""

    source: Source
    begin: Place
    rest: Place

    @property
    def text(self) -> int:
        """The position at which its text begins."""
        return self.begin.text

    def edits(self, own: list[_Edit], before: list[_Edit]) -> list[_Edit]:
        """Return the edits of the document: the part's own, joined with those that are in it already."""
        if not before:
            return own
        source, begin, rest = self.source, self.begin, self.rest
        bytes_after, text_after = rest.byte - before[-1].byte_end, rest.text - before[-1].text_end
        starts = (before[0].byte_start - begin.byte, before[0].text_start - begin.text)
        ends = (len(source.data) - bytes_after, len(source.text) - text_after)
        byte_start, text_start = min(starts, (own[0].byte_start, own[0].text_start))
        byte_end, text_end = max(ends, (own[-1].byte_end, own[-1].text_end))
        data, text = _with_edits(source, own, Place(text_start, byte_start, 0), Place(text_end, byte_end, 0))
        return [
            _Edit(
                begin.byte + byte_start,
                rest.byte - (len(source.data) - byte_end),
                data,
                begin.text + text_start,
                rest.text - (len(source.text) - text_end),
                text,
            )
        ]


def _with_edits(source: Source, edits: list[_Edit], begin: Place, rest: Place) -> tuple[bytes, str]:
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


class ByteExactText:
    """The text of a document that can be edited without changing any other byte of it.

    ``data``: any object with a contiguous buffer. ``encoding``: an Encoding or a label. The text is that of
    `Encoding.decode`, without UTF-8's or UTF-16's byte order mark, which stays in the bytes; a mark never changes the
    encoding. Bytes outside the edited text stay as they are, malformed ones too, and the new bytes decode to exactly
    the new text. If bytes beside an edit would decode to something else, up to three characters on either side are
    encoded anew, as few as possible; if that is no help, the edit is refused, and the document is unchanged.

    UTF-16BE and UTF-16LE can be edited too, although the standard gives them UTF-8's encoder; replacement cannot.
    Positions count code points. Use an object in one thread at a time. Raise UnknownLabelError for a label of no
    encoding, and TypeError for data without a contiguous buffer.

    >>> document = ByteExactText(b"caf\\x8e \\xed\\x40\\n", "shift_jis")  # an incomplete sequence, and a duplicate
    >>> document.replace(0, 3, "\u8336")
    >>> document.encode()
    b'\\x92\\x83\\x8e \\xed@\\n'
    """

    def __init__(self, data: Buffer, encoding: Encoding | str) -> None:
        self._encoding = get_an_encoding(encoding)
        view = byte_view(data)
        content = view if isinstance(view, bytes) else bytes(view)
        marked, length = sniff_bom(content)
        start = length if marked is self._encoding else 0
        text = self._encoding.decode(memoryview(content)[start:])
        self._source = Source(self._encoding, content, text, start)
        self._edits: list[_Edit] = []
        self._length = len(text)
        self._exact: ExactEncoder | None = None

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], encoding: Encoding | str | None = None, *, detector: Hint | Detector = None
    ) -> ByteExactText:
        """Return the text of a file.

        Without ``encoding``, a byte order mark, the content and ``detector`` (an encoding, or a callable from bytes to
        one) decide as in `sniff.html`; without a detector, as in `decode_crawled`. Raise OSError, and what the
        constructor and the detector raise.
        """
        with open(path, "rb") as file:
            data = file.read()
        if encoding is None:
            from ..sniff import crawl, html

            encoding = (crawl(data) if detector is None else html(data, detector=detector)).encoding
        return cls(data, encoding)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._encoding.name}, {self._length} code points>"

    @property
    def encoding(self) -> Encoding:
        """The encoding, which no edit changes."""
        return self._encoding

    @property
    def text(self) -> str:
        """The text, with all edits."""
        return self._joined().text

    def bytes_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in `encode`'s result of the bytes that decode to the text from ``start`` to ``end``.

        The escape sequences of ISO-2022-JP at either end are not included. A sequence of bytes that gives two code
        points is included whole if either is. Raise ValueError for positions outside of the text.

        >>> ByteExactText("\u8336caf\xe9".encode(), "utf-8").bytes_of(1, 4)
        (3, 6)
        """
        start, end = self._range(start, end)
        source = self._joined()
        firsts, lasts = source.places_between(start - 1, start), source.places_between(end, end + 1)
        first = firsts[start] if start in firsts else firsts[start - 1][-1:]
        last = lasts[end] if end in lasts else lasts[end + 1]
        if start == end:
            return first[0].byte, first[0].byte
        return first[-1].byte, last[0].byte

    def replace(self, start: int, end: int, new: str, *, errors: Errors = "fatal") -> None:
        """Replace the text from ``start`` to ``end`` by ``new``, which is encoded.

        ``errors``: "html" gives ``&#`` decimal ``;`` for a character without bytes. Raise UnicodeEncodeError with its
        position in ``new`` if errors are fatal, also for a character whose bytes decode to another one; and
        EditRefusedError, EncoderUnavailableError for replacement, and ValueError for positions outside of the text and
        for other ``errors``. After an error the document is as before.
        """
        start, end = self._range(start, end)
        encoder = self._encoder(errors)
        checked_str(new, "new")
        if len(self._edits) >= _PENDING_EDITS:
            self._joined()
        first, last, shift = self._near_edits(start, end)
        part = self._part(first, last, start - shift, end - shift)
        start, end, shift = start - shift - part.text, end - shift - part.text, shift + part.text
        if part.source.text[start:end] == new:
            return
        new = encoder.checked(new, errors)
        splicer = _Splicer(part.source, encoder, shift)
        splicer.replace(start, end, new)
        edits = self._edits  # which a copy of this object has, too
        self._edits = [*edits[:first], *part.edits(splicer.finish(), edits[first:last]), *edits[last:]]
        self._length += len(new) - (end - start)
        if len(self._edits[first].data) > _LONGEST_EDIT:
            self._joined()

    def update(self, text: str, *, errors: Errors = "fatal") -> None:
        """Make ``text`` the text: find what differs, by lines and within them, and encode only that.

        A byte order mark at the start of ``text`` stands for the document's, if it has one. Arguments and errors are
        those of `replace`; the position in UnicodeEncodeError is that in ``text``. Time is linear in the length of both
        texts.
        """
        checked_str(text, "text")
        source = self._joined()
        has_mark = source.start and text[:1] == "\ufeff" != source.text[:1]
        try:
            self._replace_each([(0, self._length, text[1:] if has_mark else text)], errors)
        except UnicodeEncodeError as error:
            start = error.start + has_mark
            raise UnicodeEncodeError(error.encoding, text, start, start + 1, error.reason) from None

    def _replace_each(self, ranges: Iterable[tuple[int, int, str]], errors: Errors) -> None:
        """Replace ranges of the text, in ascending order, and encode only what differs: see `update`."""
        _check_errors(errors)
        source = self._joined()
        splicer: _Splicer | None = None
        for first, last, new in ranges:
            old = source.text[first:last]
            if old == new:
                continue
            encoder = self._encoder(errors)
            splicer = splicer or _Splicer(source, encoder)
            for start, end, part in _changes(old, new, encoder, errors):
                splicer.replace(first + start, first + end, part)
        if splicer is not None:
            self._edits = splicer.finish()
            self._joined()

    def _encode_anew(self, text: str) -> bool:
        """Make ``text`` the text by encoding all of it, if that changes no byte that it has in common with the former.

        Return whether: if the encoder is without states, gives the document's own bytes, and ``text`` can be encoded.
        """
        source, encoder = self._joined(), self._encoder("fatal")
        mark = source.data[: source.start]
        try:
            if not encoder.is_stateless or mark + encoder.whole(source.text) != source.data:
                return False
            data = mark + encoder.whole(text)
        except UnicodeEncodeError:
            return False
        if sniff_bom(data) != sniff_bom(source.data) or self._encoding.decode(data[source.start :]) != text:
            return False
        self._source = Source(self._encoding, data, text, source.start)
        self._length = len(text)
        return True

    def encode(self) -> bytes:
        """Return the bytes: the data that the object was made from, but for what was edited."""
        return self._joined().data

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the bytes to a file, which is replaced in one step and keeps its mode, owner and group.

        A symbolic link stays one. Raise OSError if that is not possible; then the file is unchanged. A file that is not
        regular, such as a pipe, is written to directly.
        """
        try:
            with opened(os.fsdecode(path), keeps_same=True) as file:
                file.write(self.encode())
        except Refusal as refusal:
            raise OSError(errno.EPERM, str(refusal)) from None

    def _encoder(self, errors: Errors) -> ExactEncoder:
        _check_errors(errors)
        if self._encoding is REPLACEMENT:
            raise EncoderUnavailableError("replacement has no encoder, so its text cannot be edited")
        if self._exact is None:
            self._exact = ExactEncoder(self._encoding)
        return self._exact

    def _range(self, start: int, end: int) -> tuple[int, int]:
        for value in (start, end):
            if not hasattr(value, "__index__"):
                raise TypeError(f"a position must be an int, not {type(value).__name__}")
        start, end = index(start), index(end)
        if not 0 <= start <= end <= self._length:
            text = f"the text, which has {self._length} code points"
            raise ValueError(f"start and end must be a range of {text}, not {quote(start)} and {quote(end)}")
        return start, end

    def _near_edits(self, start: int, end: int) -> tuple[int, int, int]:
        """Return the numbers, from the first to before the last, of the edits that a range of the text may affect.

        The third number is by how much the edits before these shift the range.
        """
        first = last = shift = growth = 0
        for edit in self._edits:
            edited = edit.text_start + shift + growth
            if end + _DISTANCE <= edited:
                break
            growth += len(edit.text) - (edit.text_end - edit.text_start)
            last += 1
            if start >= edited + len(edit.text) + _DISTANCE:
                first, shift, growth = last, shift + growth, 0
        return first, last, shift

    def _part(self, first: int, last: int, start: int, end: int) -> _Part:
        """Return the part of the document with these edits and a range of its text, all of it without any.

        The range's positions are those before the edits.
        """
        source, edits = self._source, self._edits[first:last]
        if not edits:
            return _Part(source, Place(0, 0, 0), Place(len(source.text), len(source.data), 0))
        growth = sum(len(edit.text) - (edit.text_end - edit.text_start) for edit in edits)
        begin = source.before(min(edits[0].text_start, start) - _AROUND)
        stop = max(edits[-1].text_end, end - growth) + _AROUND
        rest = Place(len(source.text), len(source.data), 0) if stop >= len(source.text) else source.before(stop)
        is_whole = begin.byte == source.start
        if is_whole:
            begin = Place(0, 0, 0)
        data, text = _with_edits(source, edits, begin, rest)
        part = Source(self._encoding, data, text, source.start if is_whole else 0, None if is_whole else begin.flags)
        return _Part(part, begin, rest)

    def _joined(self) -> Source:
        """Return the source after applying all edits to it."""
        if self._edits:
            former = self._source
            data, text = _with_edits(former, self._edits, Place(0, 0, 0), Place(len(former.text), len(former.data), 0))
            self._source = Source(self._encoding, data, text, former.start)
            self._source.take_checkpoints(former, self._edits[0].byte_start)
            self._length = len(self._source.text)
            self._edits = []
        return self._source


def _check_errors(errors: Errors) -> None:
    if errors not in ("fatal", "html"):
        raise ValueError(f"errors must be 'fatal' or 'html', not {quote(errors)}")


def _changes(old: str, new: str, encoder: ExactEncoder, errors: Errors) -> Iterator[tuple[int, int, str]]:
    """Yield ranges of the old text and what replaces them to make it the new one, all of it encodable.

    A character that cannot be encoded is kept where both texts have it. Otherwise raise UnicodeEncodeError.
    """
    for start, end, new_start, new_end in differences(old, new):
        part = new[new_start:new_end]
        pairs = [(end, new_end)]
        try:
            encoder.checked(part, "fatal")
        except UnicodeEncodeError:
            unencodable = {each for each in set(part) if not encoder.can_encode(each)}
            olds = [start + i for i, each in enumerate(old[start:end]) if each in unencodable]
            news = [new_start + i for i, each in enumerate(part) if each in unencodable]
            matches = align("".join(old[i] for i in olds), "".join(new[i] for i in news))
            pairs = [(olds[i], news[j]) for i, j in matches] + pairs
        for stop, new_stop in pairs:
            part = new[new_start:new_stop]
            try:
                part = encoder.checked(part, errors)
            except UnicodeEncodeError as error:
                first = new_start + error.start
                raise UnicodeEncodeError(error.encoding, new, first, first + 1, error.reason) from None
            if part or start < stop:
                yield start, stop, part
            start, new_start = stop + 1, new_stop + 1


def reencode(data: Buffer, text: str, encoding: Encoding | str, *, errors: Errors = "fatal") -> bytes:
    """Return ``data`` edited so that its text is ``text``, with all bytes that the edit does not concern.

    Arguments and errors are those of `ByteExactText` and its ``update``.

    >>> reencode(b"x = 1; // \\xed\\x40\\x8e", "x = 2; // \u7e8a\ufffd", "shift_jis")
    b'x = 2; // \\xed@\\x8e'
    """
    document = ByteExactText(data, encoding)
    document.update(text, errors=errors)
    return document.encode()
