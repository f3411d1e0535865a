"""Text of which some lines are UTF-8 and the others are in another encoding: logs, concatenated files, old tables.

All lines that are not UTF-8 are in one encoding, which is given, or found from them together. A line that is valid
UTF-8 is UTF-8, unless it is likelier text of the other encoding, where a few letters can look like UTF-8: its own
letters decide, and the lines around it.
"""

from __future__ import annotations

import re
from collections import namedtuple

from .._api.results import Decoded
from .._labels import UTF_8
from .._native.core import Encoding, byte_view, new_decoded, runs_of_lines
from .._sniff.arguments import WEB_AND_SURE_DOS, checked_encodings, options_of
from .._sniff.binary import Mixture
from ..files import MARK_LENGTH, file_encoding, sniff_file_bom
from ..malformed import MOST, Position, Recorder
from .start import CONTROL_WINDOW, has_controls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final, Literal, NamedTuple

    from typing_extensions import Buffer

    from .._api.results import MalformedAt
    from .._native.prescan import Confidence

    _Errors = Literal["replacement", "fatal"]

    class Lines(NamedTuple):
        ascii: int
        utf_8: int
        others: int

else:  # as in _api.results
    Lines = namedtuple("Lines", "ascii utf_8 others")
Lines.__doc__ = "Numbers of lines: those of ASCII, others of UTF-8, and those in the other encoding."

__all__: list[str] = ["LineDecoder", "decode_by_line"]

LOOKAHEAD: Final = 1 << 18
"""The bytes of a stream, from the first line that is not UTF-8, that decide on the encoding of such lines."""

LONGEST: Final = 1 << 20
"""The bytes of a line that are kept: a longer one is judged by these."""


LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")
_LEADS: Final = bytes(range(0xC2, 0xF5))
_FEW: Final = 6  # sequences, as many as lines in other encodings have by chance
_NEAR: Final = 4096  # bytes between a line and the next that speaks for it
_KNOWN: Final = 256  # lines whose bits are kept
SURE: Final = 20
"""Bits by which a reading decides without others near it."""
# Bits in favour of the reading of a line before or after. Text in single-byte encodings hardly ever looks like UTF-8.
_BITS_OF_NEIGHBOR: Final = {True: 3, False: 12}
_LINES_LIMIT: Final = 16384  # bytes of different lines that decide on their encoding
# What is not read by line: ISO-2022-JP, by its escapes, and UTF-16, by the controls at its start.
_ESCAPE: Final = re.compile(rb"\x1b(?:\$[@B]|\([IJ])")
TELLING: Final = re.compile(rb"[\0-\x07\x0e-\x19\x1c-\x1f\x80-\xff]|\x1b(?:\$[@B]|\([IJ])")
"""What text in ASCII has not: it tells encodings apart."""
_HEAD: Final = 2048  # bytes of lines before the first that is not ASCII, by which a file in one encoding is judged


def encoding_of_lines(encoding: Encoding | str) -> Encoding:
    """Return the encoding of a name or a label. Raise ValueError for one in which a line end is not that of ASCII."""
    given = file_encoding(encoding)
    if not given.is_ascii_compatible:
        raise ValueError(f"lines cannot be in {given.name}, which is not ASCII-compatible; decode the file as a whole")
    return given


def other_lines(data: bytes) -> bytes:
    """Return the different lines that are not valid UTF-8, at most 16 KiB of them."""
    lines: dict[bytes, None] = {}
    total = 0
    for is_other, start, end in _Splitter(None).split(data, True):
        for line in data[start:end].splitlines(keepends=True) if is_other else ():
            if line not in lines and total < _LINES_LIMIT:
                lines[line[: _LINES_LIMIT - total]] = None
                total += len(line)
        if total >= _LINES_LIMIT:
            break
    return b"".join(lines)


def runs(data: bytes, encoding: Encoding) -> Iterator[tuple[bool, int, int]]:
    """Return runs of lines, which are all of the data: whether each is in that encoding, its start and its end."""
    return _Splitter(encoding).split(data, True)


_NOT_BY_LINE: Final = ("iso-2022-jp", "utf-16be", "utf-16le")


def likeliest(
    lines: bytes, exclude: Iterable[Encoding | str] = (), candidates: Iterable[Encoding | str] | None = None
) -> Encoding:
    """Return the encoding of lines that are not UTF-8, as a detector finds it."""
    from .._sniff.guessing import crawl_file  # imported here, since a given encoding does not need it

    return crawl_file(lines, exclude=(*_NOT_BY_LINE, *exclude), candidates=candidates).encoding


def has_few_characters(data: bytes, most: int = _FEW) -> bool:
    """Return whether UTF-8 has so few characters beyond ASCII that text in another encoding may look like it."""
    return len(data) - len(data.translate(None, _LEADS)) <= most


def bits_of_utf_8(data: bytes, encoding: Encoding) -> int:
    """Return the bits by which valid UTF-8 is likelier to be that than in another encoding. ``SURE`` is enough."""
    few = _FEW // 2 if encoding.is_single_byte else _FEW
    if not has_few_characters(data, few) or encoding.valid_up_to(data) < len(data):
        return SURE
    from .._sniff.guessing import text_cost  # imported here, since most files are UTF-8

    return text_cost(encoding.decode(data)) - text_cost(UTF_8.decode(data))


class _Splitter:
    """Divides data into runs of lines that are UTF-8, or in the other encoding; None: the other lines are wanted."""

    def __init__(self, encoding: Encoding | None) -> None:
        self._encoding = encoding
        self._is_single_byte = encoding is not None and encoding.is_single_byte
        self._known: dict[bytes, int] = {}  # the bits of lines, which often repeat and are asked for twice
        self._is_after_other = False  # the last line beyond ASCII is in the other encoding
        self._is_utf_8 = False  # a line since then is surely UTF-8, and so are those that follow

    def split(self, data: bytes, final: bool) -> Iterator[tuple[bool, int, int]]:
        """Yield whether a run is in the other encoding, and its start and end. Stop where lines that follow decide.

        ``data``: whole lines, after those of earlier calls. ``final``: there are no others.
        """
        for is_valid, start, stop in runs_of_lines(data):
            if not is_valid:
                self._is_after_other, self._is_utf_8 = True, False
                yield True, start, stop
                continue
            position = start
            for is_other, first, position in self._valid_lines(data, start, stop, final):
                yield is_other, first, position
            if position < stop:
                return

    def _valid_lines(self, data: bytes, position: int, stop: int, final: bool) -> Iterator[tuple[bool, int, int]]:
        """Yield the runs of lines that are valid UTF-8, up to the first that cannot be decided on yet."""
        start = position  # of the run
        while not self._is_utf_8 and self._encoding not in (None, UTF_8):
            place = _NOT_ASCII.search(data, position, stop)
            if place is None:
                break
            first, position = _line_start(data, position, place.start()), _line_end(data, place.start())
            bits = self._bits(data[first:position])
            if bits < SURE:
                after = self._neighbor(data, position, stop, final)
                if after is None:
                    if first > start:
                        yield False, start, first
                    return
                bits += (after - self._is_after_other) * _BITS_OF_NEIGHBOR[self._is_single_byte]
            else:
                self._is_utf_8 = True
            self._is_after_other = bits <= 0
            if bits <= 0:
                if first > start:
                    yield False, start, first
                yield True, first, position
                start = position
        if start < stop:
            yield False, start, stop

    def _bits(self, line: bytes) -> int:
        """Return what ``bits_of_utf_8`` does for a line."""
        if line in self._known:
            return self._known[line]
        assert self._encoding is not None
        bits = bits_of_utf_8(line, self._encoding)
        if len(self._known) >= _KNOWN:
            self._known.clear()
        if len(line) <= _NEAR:
            self._known[line] = bits
        return bits

    def _neighbor(self, data: bytes, position: int, stop: int, final: bool) -> int | None:
        """Return 1 if the line after a position is UTF-8, -1 if it is in the other encoding, 0 if none is near.

        Return None if it is not there yet.
        """
        place = _NOT_ASCII.search(data, position, position + _NEAR)
        if place is None:
            return 0 if final or len(data) - position >= _NEAR else None
        if place.start() >= stop:
            return -1
        bits = self._bits(data[_line_start(data, position, place.start()) : _line_end(data, place.start())])
        return (bits >= SURE) - (bits <= -SURE)


def _line_start(data: bytes, position: int, place: int) -> int:
    """Return where the line of a place begins, at least at a position."""
    return max(data.rfind(b"\n", position, place) + 1, data.rfind(b"\r", position, place) + 1, position)


def _line_end(data: bytes, place: int) -> int:
    end = LINE_END.search(data, place)
    return len(data) if end is None else end.end()


class LineDecoder:
    """An incremental decoder to UTF-8 that decides for each line, as ``decode_by_line`` does. Its memory is bounded.

    ``encoding``: that of the lines that are not UTF-8, an ``Encoding``, a label or the name of a code page; None to
    find it, in 256 KiB from the first of them. ``errors``: "replacement" or "fatal". ``counts``: whether lines are
    counted. ``looks``: False to find the encoding in all of the data. ``looks_for_mixtures``: False to read UTF-16 and
    other text in one input in one encoding, although none is given. ``keeps_bom``: whether a byte order mark is text;
    by default it is removed, and one of UTF-16 or UTF-32 decides for all lines. ``offset``: that of the first byte in
    its file. ``exclude``, ``candidates``: as in ``sniff.crawl``, for the encoding that is found.

    Its attribute ``encoding`` is UTF-8 until a line is not. ``marked``: the encoding that a byte order mark names, or
    None. ``error_count``: the number of errors replaced so far. ``offset``: that of the next byte.

    >>> decoder = LineDecoder(None)
    >>> decoder.feed("Köln\\n".encode() + "Zürich\\n".encode("cp1252"), True).decode()
    'Köln\\nZürich\\n'
    """

    def __init__(
        self,
        encoding: Encoding | str | None,
        errors: _Errors = "replacement",
        *,
        counts: bool = False,
        looks: bool = True,
        looks_for_mixtures: bool = True,
        keeps_bom: bool = False,
        offset: int = 0,
        exclude: Iterable[Encoding | str] = (),
        candidates: Iterable[Encoding | str] | None = None,
    ) -> None:
        given = None if encoding is None else encoding_of_lines(encoding)
        if exclude or candidates is not None:
            if given is not None:
                raise ValueError("exclude and candidates cannot be combined with an encoding")
            exclude = checked_encodings(exclude, "exclude")
            candidates = None if candidates is None else checked_encodings(candidates, "candidates", pages=True)
            options_of(exclude=(*_NOT_BY_LINE, *exclude), candidates=candidates, scope=WEB_AND_SURE_DOS)
        self._limits = exclude, candidates
        self._errors: _Errors = errors
        self._lookahead = LOOKAHEAD if looks else float("inf")
        self._counts = [0, 0, 0] if counts else None
        self._buffer = bytearray()
        self._wanted: float = 0  # bytes, below which the buffer is not looked at again
        self._records: list[tuple[MalformedAt, str]] = []
        self._position = Position()  # of the next text, until there are MOST records
        self.encoding: Encoding = given or UTF_8
        self.error_count: int = 0
        self.offset: int = offset
        self.marked: Encoding | None = None
        self._is_start = not keeps_bom  # where a byte order mark may be
        self._unchecked: list[bytes] = []  # in which a mixture is to be looked for
        self._mixture = Mixture(offset=offset) if given is None and looks_for_mixtures else None
        self._decoder: Recorder | None = None if given is None else self._new_decoder(given)
        self._splitter = _Splitter(given)
        self._head = b""  # the first lines of all, which are UTF-8
        self._is_whole = False  # all that follows is in an encoding that is not read by line
        self._long: Recorder | None = None  # that of a line longer than LONGEST, of which a part is decoded

    @property
    def is_decided(self) -> bool:
        """Whether a line that is not UTF-8 was found, and the encoding for it."""
        return self._decoder is not None

    @property
    def first_errors(self) -> tuple[MalformedAt, ...]:
        """The records of the first errors replaced so far, at most 16."""
        return tuple(error for error, _ in self._records[:MOST])

    @property
    def lines(self) -> Lines:
        """The numbers of lines so far, if they are counted."""
        return Lines(*(self._counts or (0, 0, 0)))

    def feed(self, data: bytes, final: bool) -> bytes:
        """Return the UTF-8 of the lines that end in the data, and keep the rest.

        Raise FileDecodeError if errors are fatal, and ValueError for UTF-16 and 8-bit text in one input.
        """
        if self._mixture is not None:
            self._unchecked.append(data)
        buffer: bytes | bytearray = data
        if self._buffer:
            self._buffer += data
            buffer = self._buffer
        if self._is_start and (len(buffer) >= MARK_LENGTH or final):
            self._is_start = False
            self.marked, length = sniff_file_bom(bytes(buffer[:MARK_LENGTH]))
            data = buffer = bytes(buffer[length:])
            self.offset += length
            if self.marked not in (None, UTF_8):
                self._read_whole(self.marked)
        no_line_ends = self._long is None and b"\n" not in data and b"\r" not in data
        if self._is_start or (not final and len(buffer) < (LONGEST if no_line_ends else self._wanted)):
            self._buffer = bytearray(buffer) if isinstance(buffer, bytes) else buffer
            return b""
        buffer = bytes(buffer)
        self._wanted = 0
        output: list[bytes] = []
        if self._long is not None:
            end = None if self._is_whole else LINE_END.search(buffer)
            length = len(buffer) if end is None else end.end()
            output.append(self._decode(self._long, buffer[:length], end is not None or final))
            buffer = buffer[length:]
            if end is not None:
                self._long = None
        while buffer:
            end_of_lines = len(buffer) if final else _after_last_line(buffer)
            if end_of_lines:
                taken = self._take(buffer[:end_of_lines], len(buffer), final, output)
                buffer = buffer[taken:]
                if taken < end_of_lines:
                    self._wanted = self._lookahead if self._decoder is None else len(buffer) + _NEAR
                    break
                if final:
                    break
            elif len(buffer) >= LONGEST:
                self._begin_long_line(buffer, output)
                buffer = b""
            else:
                break
        self._buffer = bytearray(buffer)
        decoded = b"".join(output)
        if self._mixture is not None and (decoded or final or self._decoder is not None):  # the encoding is decided
            self._mixture.check(b"".join(self._unchecked))
            self._unchecked.clear()
        return decoded

    def _take(self, lines: bytes, available: int, final: bool, output: list[bytes]) -> int:
        """Append the UTF-8 of whole lines; return how many bytes, fewer if lines that follow decide on the rest."""
        if self._decoder is None:
            telling = TELLING.search(lines)
            start = len(lines) if telling is None else _line_start(lines, 0, telling.start())
            if start:
                self._pass(lines[:start], output)
            if start == len(lines) or (not final and available - start < self._lookahead):
                return start
            return start + self._decide(lines[start:], final, output)
        position = 0
        for is_other, start, position in self._splitter.split(lines, final):
            if is_other:
                self._count(lines[start:position], True)
                output.append(self._decode(self._decoder, lines[start:position], True))
            else:
                self._pass(lines[start:position], output)
        return position

    def _pass(self, lines: bytes, output: list[bytes]) -> None:
        """Append lines that are UTF-8."""
        self._count(lines, False)
        self._head += lines[: max(0, _HEAD - len(self._head))]
        self.offset += len(lines)
        output.append(lines)
        if len(self._records) < MOST:
            self._position.advance_utf_8(lines)

    def _decide(self, lines: bytes, final: bool, output: list[bytes]) -> int:
        """Decide on the encoding of the lines that are not UTF-8, if there are any, and take lines."""
        if _may_be_whole(lines, 0):
            from .._sniff.guessing import crawl_file  # imported here, since most text doesn't need it

            encoding = crawl_file(lines, exclude=self._limits[0], candidates=self._limits[1]).encoding
            if not encoding.is_ascii_compatible:
                output.append(self._decode(self._read_whole(encoding), lines, final))
                return len(lines)
        others = other_lines(lines)
        if not others:
            self._pass(lines, output)
            return len(lines)
        is_mixed = any(is_valid and not lines[start:end].isascii() for is_valid, start, end in runs_of_lines(lines))
        self.encoding = likeliest(others if is_mixed else self._head + lines, *self._limits)
        self._decoder = self._new_decoder(self.encoding)
        self._splitter = _Splitter(self.encoding)
        return self._take(lines, len(lines), final, output)

    def _read_whole(self, encoding: Encoding) -> Recorder:
        """Return the decoder of all that follows, which is not read by line."""
        self.encoding, self._is_whole = encoding, True
        if self._mixture is not None and not self._head:
            self._mixture.encoding = encoding
        self._decoder = self._long = self._new_decoder(encoding)
        return self._long

    def _begin_long_line(self, start: bytes, output: list[bytes]) -> None:
        """Decide on a line by its start, and decode that."""
        is_utf_8 = UTF_8.valid_up_to(start) >= len(start) - 3  # a sequence may be cut
        if not is_utf_8 and self._decoder is None:
            self.encoding = likeliest(start, *self._limits)
            self._decoder = self._new_decoder(self.encoding)
        self._long = self._new_decoder(UTF_8 if is_utf_8 else self.encoding)
        if self._counts is not None:
            self._counts[1 if is_utf_8 else 2] += 1
        output.append(self._decode(self._long, start, False))

    def _new_decoder(self, encoding: Encoding) -> Recorder:
        recorder = Recorder(encoding, self._errors, most=MOST - len(self._records), position=self._position)
        recorder.records = self._records
        return recorder

    def _decode(self, decoder: Recorder, data: bytes, final: bool) -> bytes:
        before = decoder.errors
        decoder.offset = self.offset
        text = decoder.decode(data, final)
        self.error_count += decoder.errors - before
        self.offset += len(data)
        return UTF_8.encode(text)

    def _count(self, lines: bytes, are_others: bool) -> None:
        if self._counts is None:
            return
        pieces = LINE_END.split(lines)
        if not pieces[-1]:
            pieces.pop()
        is_ascii = len(pieces) if lines.isascii() else sum(map(bytes.isascii, pieces))
        self._counts[0] += is_ascii
        self._counts[2 if are_others else 1] += len(pieces) - is_ascii


def _may_be_whole(data: bytes, start: int) -> bool:
    """Return whether data, which is ASCII text before an offset, may be in an encoding that is not read by line."""
    return has_controls(data[start : start + CONTROL_WINDOW]) or (b"\x1b" in data and bool(_ESCAPE.search(data)))


def _utf_8_text(data: bytes) -> str | None:
    """Return the text of data that is surely UTF-8 in all lines, or None. A LineDecoder would read it three times."""
    telling = TELLING.search(data)
    start = len(data) if telling is None else _line_start(data, 0, telling.start())
    if b"\0" in data or sniff_file_bom(data[:MARK_LENGTH])[0] is not None or _may_be_whole(data, start):
        return None
    try:
        return UTF_8.decode(data, "fatal")
    except UnicodeDecodeError:
        return None


def _after_last_line(data: bytes) -> int:
    """Return the end of the last whole line, 0 if there is none. A CR at the end may belong to a CR LF."""
    return max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1


def decode_by_line(
    data: Buffer,
    encoding: Encoding | str | None = None,
    *,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Decoded:
    """Return the text of data of which some lines are UTF-8 and the others are in one other encoding.

    A line that is valid UTF-8 is UTF-8, unless it is likelier text of the other encoding, in which a few letters may
    look like UTF-8: its letters decide, and the lines around it. ``encoding``: that of the others, an ``Encoding``, a
    label or the name of a code page; without it, the one that a detector finds in all of them together, as
    ``candidates`` and ``exclude`` limit it, see ``sniff.crawl``. The result's ``encoding`` is that of the others, or
    UTF-8 if there are none. Lines end with LF, CR LF or CR; each keeps its end. A byte order mark is
    removed, and one of UTF-16 or UTF-32 decides for all lines, as does text in UTF-16 or ISO-2022-JP. Errors become
    U+FFFD. Raise ValueError for an encoding that is not read by line (UTF-16, UTF-32, ISO-2022-JP, replacement), and,
    unless one is given, for UTF-16 and 8-bit text together; UnknownLabelError for a name of no encoding, and TypeError
    for data without a contiguous buffer.

    >>> decode_by_line("Köln\\n".encode() + "Zürich\\n".encode("cp1252") + "Łódź\\n".encode()).text
    'Köln\\nZürich\\nŁódź\\n'
    """
    decoder = LineDecoder(encoding, looks=False, exclude=exclude, candidates=candidates)
    data = bytes(byte_view(data))
    text = _utf_8_text(data) if encoding is None else None
    if text is None:
        text = UTF_8.decode(decoder.feed(data, True))
    used, source = decoder.encoding, "detector" if encoding is None else "given"
    if not decoder.is_decided or used in (UTF_8, decoder.marked):
        used, source = decoder.marked or UTF_8, "bom" if decoder.marked else "utf-8"
    confidence: Confidence = "tentative" if decoder.marked in (None, UTF_8) else "certain"
    return new_decoded(Decoded, text, used, decoder.error_count, source, confidence, decoder.first_errors)
