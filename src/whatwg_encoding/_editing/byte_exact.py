"""Edit text in any encoding and keep all bytes outside of the edit.

Each edit is spliced into the bytes (splice.py). Edits that are far from each other are kept apart until they are many.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import index
from typing import TYPE_CHECKING, TypeAlias

from .. import REPLACEMENT, EncoderUnavailableError, Encoding
from ..files import byte_view, checked_str, file_encoding, mark_length, quote, sniff_file_bom
from .difference import align, differences
from .encoder import Errors, ExactEncoder
from .files import Refusal, opened
from .source import START, Place, PositionMap
from .splice import DISTANCE, Edit, EditRefusedError, Part, Range, Splicer, with_edits

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ..sniff import Detector, Hint, Sniffed

    Encodings: TypeAlias = Iterable[Encoding | str]

__all__: list[str] = ["ByteExactText", "EditRefusedError", "reencode"]

_PENDING_EDITS = 256  # edits that are kept apart; more of them are joined with the rest
_LONGEST_EDIT = 1 << 15  # bytes of one that is kept apart
_LONGEST_GROUP = 4096  # characters from the first to the last of ranges that are replaced together
_PIECE = 1 << 16  # characters, at least, of lines in which a text is replaced at once
_AROUND = 512  # characters on either side of edits, beyond what the next one looks at


class ByteExactText:
    """The text of a document that can be edited without changing any other byte of it.

    ``data``: any object with a contiguous buffer. ``encoding``: an Encoding, a label, or the name of a code page, such
    as "cp850". The text is that of `Encoding.decode`, without the byte order mark of UTF-8, UTF-16 or UTF-32, which
    stays in the bytes; a mark never changes the encoding. Bytes outside the edited text stay as they are, malformed
    ones too, and the new bytes decode to exactly the new text. If bytes next to an edit would decode to something else,
    up to three characters on either side are encoded anew, as few as possible. If that does not help, the edit is
    refused and the document is unchanged.

    UTF-16BE and UTF-16LE can be edited too, although the standard gives them UTF-8's encoder; replacement cannot.
    Positions count code points. Use an object in one thread at a time. Raise UnknownLabelError for a label of no
    encoding, and TypeError for data without a contiguous buffer.

    >>> document = ByteExactText(b"caf\\x8e \\xed\\x40\\n", "shift_jis")  # an incomplete sequence, and a duplicate
    >>> document.replace(0, 3, "\u8336")
    >>> document.encode()
    b'\\x92\\x83\\x8e \\xed@\\n'
    """

    _begins_file = True  # and may begin with a mark, which is not text
    _decision: tuple[bytes, Sniffed, Encodings, Encodings | None] | None = None  # what `read` has found, and from what

    def __init__(self, data: Buffer, encoding: Encoding | str) -> None:
        self._encoding = file_encoding(encoding)
        view = byte_view(data)
        content = view if isinstance(view, bytes) else bytes(view)
        start = mark_length(content, self._encoding) if self._begins_file else 0
        text = self._encoding.decode(memoryview(content)[start:])
        self._source = PositionMap(self._encoding, content, text, start)
        self._edits: list[Edit] = []
        self._length = len(text)
        self._exact: ExactEncoder | None = None

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        encoding: Encoding | str | None = None,
        *,
        detector: Hint | Detector = None,
        exclude: Iterable[Encoding | str] = (),
        candidates: Iterable[Encoding | str] | None = None,
    ) -> ByteExactText:
        """Return the text of a file.

        Without ``encoding``, a byte order mark (also that of UTF-32), the content and ``detector`` (an encoding, or a
        callable from bytes to one) decide as in `sniff.html`; without a detector, as in `decode_crawled`, which
        ``exclude`` and ``candidates`` are for. Raise OSError, what the constructor, the detector and
        `decode_crawled` raise, and without either ValueError for UTF-16 and other text in one file.

        If nothing but the bytes decides, `write` refuses text that may have other bytes.
        """
        if (exclude != () or candidates is not None) and (encoding is not None or detector is not None):
            name = "candidates" if candidates is not None else "exclude"
            raise ValueError(f"{name} cannot be combined with an encoding or a detector")
        with open(path, "rb") as file:
            data = file.read()
        decision = None
        if encoding is None and detector is None:
            from ..sniff import Mixture, checked_encodings, crawl_file

            exclude = checked_encodings(exclude, "exclude")  # which `write` needs again
            if candidates is not None:
                candidates = checked_encodings(candidates, "candidates", pages=True)
            decision = crawl_file(data, exclude=exclude, candidates=candidates)
            encoding = decision.encoding
            Mixture(encoding).check(data)
        elif encoding is None and (encoding := sniff_file_bom(data)[0]) is None:
            from ..sniff import html

            sniffed = html(data, detector=detector)
            encoding = sniffed.encoding
            decision = sniffed if callable(detector) else None
        document = cls(data, encoding)
        document._decision = None if decision is None else (data, decision, exclude, candidates)
        return document

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

        ``errors``: "html" gives a reference like ``&#9731;`` for a character without bytes. Raise UnicodeEncodeError
        with its position in ``new`` if errors are fatal, also for a character whose bytes decode to another one; and
        EditRefusedError, EncoderUnavailableError for replacement, and ValueError for positions outside of the text and
        for other ``errors``. After an error the document is as before.
        """
        start, end = self._range(start, end)
        _check_errors(errors)
        encoder = self._encoder()
        checked_str(new, "new")
        if len(self._edits) >= _PENDING_EDITS:
            self._joined()
        first, last, shift = self._near_edits(start, end)
        part = self._part(first, last, start - shift, end - shift)
        start, end, shift = start - shift - part.text, end - shift - part.text, shift + part.text
        if part.source.text[start:end] == new:
            return
        new = encoder.checked(new, errors)
        splicer = Splicer(part.source, encoder, shift)
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
            self.replace_ranges([(0, self._length, text[1:] if has_mark else text)], errors=errors)
        except UnicodeEncodeError as error:
            start = error.start + has_mark
            raise UnicodeEncodeError(error.encoding, text, start, start + 1, error.reason) from None

    def replace_ranges(self, ranges: Iterable[tuple[int, int, str]], *, errors: Errors = "fatal") -> None:
        """Replace ranges of the text, triples as `replace` takes them, and encode only what differs, as `update` does.

        The ranges ascend, and none overlaps another. Errors are those of `replace`; the text in UnicodeEncodeError is
        that before the range, and what should replace it. After an error the document is as before.
        """
        self._edits = list(self._edits_for(ranges, errors))
        self._joined()

    def _edits_for(self, ranges: Iterable[tuple[int, int, str]], errors: Errors) -> Iterator[Edit]:
        """Yield the edits that replace ranges, each as soon as no later range can change it."""
        _check_errors(errors)
        text = self._joined().text
        splicer = None
        for group in _groups(text, self._changing(text, ranges)):
            splicer = splicer or Splicer(self._source, self._encoder())
            self._splice(splicer, group, errors)
            yield from splicer.settled(group[-1].end)
        if splicer is not None:
            yield from splicer.finish()

    def _splice(self, splicer: Splicer, group: Sequence[Range], errors: Errors) -> None:
        """Replace near ranges, and of their texts only what differs if bytes would change beside it."""
        text = self._source.text
        for first, last, new in _left(splicer, group, errors):
            try:
                parts = [
                    Range(first + start, first + end, part)
                    for start, end, part in _changes(text[first:last], new, self._encoder(), errors)
                ]
                for part in chain.from_iterable(_left(splicer, near, errors) for near in _groups(text, parts)):
                    splicer.replace(*part)
            except UnicodeEncodeError as error:
                start = first + error.start
                raise UnicodeEncodeError(error.encoding, text[:first] + new, start, start + 1, error.reason) from None

    def encode(self) -> bytes:
        """Return the bytes: the data that the object was made from, with the edits."""
        return self._joined().data

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the bytes to a file, which is replaced in one step and keeps its mode, owner and group.

        A symbolic link stays one. Raise OSError if that is not possible; then the file is unchanged. A file that is not
        regular, such as a pipe, is written to directly. If `read` found the encoding in the bytes alone, raise
        EditRefusedError if they may be in another one that has other bytes for the new text.
        """
        if self._decision is not None:
            from .encodings import DOUBT, guessed

            guess = guessed(*self._decision)
            former = "" if guess is None else ByteExactText(guess.data, self._encoding).text
            doubt = guess and guess.doubt_of_changes(former, [(0, len(former), self.text)])
            if doubt:
                raise EditRefusedError(f"{DOUBT}; pass one of these to ByteExactText.read:\n{doubt}")
        try:
            with opened(os.fsdecode(path), keeps_same=True) as file:
                file.write(self.encode())
        except Refusal as refusal:
            raise OSError(errno.EPERM, str(refusal)) from None

    def _encoder(self) -> ExactEncoder:
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

    def _changing(self, text: str, ranges: Iterable[tuple[int, int, str]]) -> Iterator[Range]:
        """Yield the ranges that change the text; raise TypeError or ValueError for what is none or does not ascend."""
        done = 0
        for triple in ranges:
            try:
                first, last, new = triple
                ascends = done <= first <= last <= self._length
            except (TypeError, ValueError):
                raise TypeError(f"ranges must be triples of start, end and text, not {quote(triple)}") from None
            if not ascends:
                raise ValueError(f"ranges must ascend in the text; {quote((first, last))} does not")
            done = last
            if text[first:last] != new:
                yield Range(first, last, new)

    def _near_edits(self, start: int, end: int) -> tuple[int, int, int]:
        """Return the numbers, from the first to before the last, of the edits that a range of the text may affect.

        The third number is by how much the edits before these shift the range.
        """
        first = last = shift = growth = 0
        for edit in self._edits:
            edited = edit.text_start + shift + growth
            if end + DISTANCE <= edited:
                break
            growth += len(edit.text) - (edit.text_end - edit.text_start)
            last += 1
            if start >= edited + len(edit.text) + DISTANCE:
                first, shift, growth = last, shift + growth, 0
        return first, last, shift

    def _part(self, first: int, last: int, start: int, end: int) -> Part:
        """Return the part of the document with these edits and a range of its text, all of it without any.

        The range's positions are those before the edits.
        """
        source, edits = self._source, self._edits[first:last]
        if not edits:
            return Part(source, START, Place(len(source.text), len(source.data), 0))
        growth = sum(len(edit.text) - (edit.text_end - edit.text_start) for edit in edits)
        begin = source.before(min(edits[0].text_start, start) - _AROUND)
        stop = max(edits[-1].text_end, end - growth) + _AROUND
        after = Place(len(source.text), len(source.data), 0) if stop >= len(source.text) else source.before(stop)
        is_whole = begin.byte == source.start
        if is_whole:
            begin = START
        data, text = with_edits(source, edits, begin, after)
        part = PositionMap(
            self._encoding, data, text, source.start if is_whole else 0, None if is_whole else begin.flags
        )
        return Part(part, begin, after)

    def _joined(self) -> PositionMap:
        """Return the source after applying all edits to it."""
        if self._edits:
            former = self._source
            data, text = with_edits(former, self._edits, START, Place(len(former.text), len(former.data), 0))
            checkpoints = former.checkpoints_to(self._edits[0].byte_start)
            self._source = PositionMap(self._encoding, data, text, former.start, None, checkpoints)
            self._length = len(self._source.text)
            self._edits = []
        return self._source


def encode_anew(document: ByteExactText, text: str) -> bool:
    """Make ``text`` the text by encoding all of it; return whether that keeps the bytes of all that both texts have."""
    source = document._joined()
    splicer = Splicer(source, document._encoder())
    is_done = splicer.encode_anew(0, len(source.text), text)
    document._edits = splicer.finish()
    document._joined()
    return is_done


def replace_everywhere(
    document: ByteExactText,
    old: str,
    new: str,
    *,
    errors: Errors = "fatal",
    advance: Callable[[int], object] = lambda _: None,
) -> None:
    """Replace ``old`` wherever it is, as `ByteExactText.replace_ranges` does, in a fraction of the time.

    ``advance``: a function that is told of each number of characters that are done.
    """
    source, encoder = document._joined(), document._encoder()
    splicer = Splicer(source, encoder)
    try:
        written: str | None = encoder.checked(new, errors)
    except UnicodeEncodeError:  # which may be kept where both texts have it
        written = None
    pending, done = list(_pieces(source.text, old))[::-1], 0
    while pending:
        start, end = pending.pop()
        advance(start - done)
        done = start
        if written is not None and splicer.replace_all(start, end, old, written):
            continue
        middle = source.text.find("\n", (start + end) // 2, end) + 1
        if end - start > _LONGEST_GROUP and 0 < middle < end and "\n" not in old:
            pending += (middle, end), (start, middle)
            continue
        matches = (match.span() for match in re.compile(re.escape(old)).finditer(source.text, start, end))
        for group in _groups(source.text, (Range(first, last, new) for first, last in matches)):
            document._splice(splicer, group, errors)
    document._edits = splicer.finish()
    document._joined()


def _pieces(text: str, old: str) -> Iterator[tuple[int, int]]:
    """Yield ranges of whole lines that contain all of ``old``: the whole text if it may divide lines."""
    if "\n" in old:
        yield 0, len(text)
        return
    position, end = text.find(old), 0
    while position >= 0:
        start = text.rfind("\n", end, position) + 1 or end
        end = text.find("\n", max(position + len(old), start + _PIECE)) + 1 or len(text)
        yield start, end
        position = text.find(old, end)


def byte_changes(
    document: ByteExactText, ranges: Iterable[tuple[int, int, str]], *, errors: Errors = "fatal"
) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield what `ByteExactText.replace_ranges` changes, as soon as it is known: an offset, former and new bytes.

    The document stays as it is.
    """
    data = document._joined().data
    for edit in document._edits_for(ranges, errors):
        former, new = data[edit.byte_start : edit.byte_end], edit.data
        start, end = _equal_ends(former, new)
        if len(former) > start + end or len(new) > start + end:
            yield edit.byte_start + start, former[start : len(former) - end], new[start : len(new) - end]


@lru_cache(maxsize=8)
def _equal_ends(old: bytes, new: bytes) -> tuple[int, int]:
    """Return how many bytes are equal at the start, and how many of the others at the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    return start, next((i for i in range(shorter - start) if old[-1 - i] != new[-1 - i]), shorter - start)


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
            unencodable = {character for character in set(part) if not encoder.can_encode(character)}
            olds = [start + i for i, character in enumerate(old[start:end]) if character in unencodable]
            news = [new_start + i for i, character in enumerate(part) if character in unencodable]
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


def _groups(text: str, ranges: Iterable[Range]) -> Iterator[list[Range]]:
    """Yield the ranges in groups of near ones that no malformed byte parts, in order."""
    group: list[Range] = []
    for change in ranges:
        if group:
            start, end = group[-1].end, change.start
            is_far = start + DISTANCE < end or change.end - group[0].start > _LONGEST_GROUP
            if is_far or text.find("\ufffd", group[-1].start, change.end) >= 0:
                yield group
                group = []
        group.append(change)
    if group:
        yield group


def _left(splicer: Splicer, ranges: Sequence[Range], errors: Errors) -> Iterator[Range]:
    """Replace ranges together where that is possible; yield the others, each before the next are changed."""
    if splicer.replace_together(ranges, errors):
        return
    if len(ranges) == 1:
        yield ranges[0]
        return
    half = len(ranges) // 2
    yield from _left(splicer, ranges[:half], errors)
    yield from _left(splicer, ranges[half:], errors)


def reencode(data: Buffer, text: str, encoding: Encoding | str, *, errors: Errors = "fatal") -> bytes:
    """Return ``data`` edited so that its text is ``text``, with all bytes outside of the edit.

    `recode` converts data to another encoding instead. Arguments are those of `ByteExactText` and its ``update``. Raise
    what they raise.

    >>> reencode(b"x = 1; // \\xed\\x40\\x8e", "x = 2; // \u7e8a\ufffd", "shift_jis")
    b'x = 2; // \\xed@\\x8e'
    """
    document = ByteExactText(data, encoding)
    document.update(text, errors=errors)
    return document.encode()
