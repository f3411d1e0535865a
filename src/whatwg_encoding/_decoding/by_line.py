"""Text of which some lines are UTF-8 and the others are in another encoding: logs, concatenated files, old tables.

Each line that is valid UTF-8 is UTF-8. All others are in one encoding, which is given, or found from them together.
"""

from __future__ import annotations

from collections import namedtuple

from .._api.results import Decoded
from .._labels import UTF_8
from .._native.core import Encoding, byte_view, new_decoded
from .._sniff.files import LINE_END, likeliest, other_lines
from ..files import file_encoding, sniff_file_bom
from ..malformed import MOST, Position, Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal, NamedTuple

    from typing_extensions import Buffer

    from .._api.results import MalformedAt

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


class LineDecoder:
    """An incremental decoder to UTF-8 that decides for each line, as ``decode_by_line`` does. Its memory is bounded.

    ``encoding``: that of the lines that are not UTF-8, an ``Encoding``, a label or the name of a code page; None to
    find it, in 256 KiB from the first of them. ``errors``: "replacement" or "fatal". ``counts``: whether lines are
    counted. ``looks``: False to find the encoding in all of the data. ``offset``: that of the first byte in its file.

    Its attribute ``encoding`` is UTF-8 until a line is not. ``error_count``: the number of errors replaced so far.
    ``offset``: that of the next byte.

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
        offset: int = 0,
    ) -> None:
        given = None if encoding is None else file_encoding(encoding)
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
        self._decoder: Recorder | None = None if given is None else self._new_decoder(given)
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

        Raise FileDecodeError if errors are fatal.
        """
        self._buffer += data
        no_line_ends = self._long is None and b"\n" not in data and b"\r" not in data
        if not final and len(self._buffer) < (LONGEST if no_line_ends else self._wanted):
            return b""
        buffer = bytes(self._buffer)
        self._wanted = 0
        output: list[bytes] = []
        if self._long is not None:
            end = LINE_END.search(buffer)
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
                    self._wanted = self._lookahead
                    break
                if final:
                    break
            elif len(buffer) >= LONGEST:
                self._begin_long_line(buffer, output)
                buffer = b""
            else:
                break
        self._buffer = bytearray(buffer)
        return b"".join(output)

    def _take(self, lines: bytes, available: int, final: bool, output: list[bytes]) -> int:
        """Append the UTF-8 of whole lines; return how many bytes, fewer if the encoding can't be decided on yet."""
        view, position = memoryview(lines), 0
        while position < len(lines):
            error = position + UTF_8.valid_up_to(view[position:])
            start = error
            if error < len(lines):
                start = max(lines.rfind(b"\n", position, error), lines.rfind(b"\r", position, error)) + 1 or position
            if start > position:
                self._count(lines[position:start])
                self.offset += start - position
                output.append(lines[position:start])
                if len(self._records) < MOST:
                    self._position.advance_utf_8(output[-1])
                position = start
            if start == len(lines):
                break
            if self._decoder is None:
                if not final and available - position < self._lookahead:
                    return position
                self.encoding = likeliest(other_lines(lines[position:]))
                self._decoder = self._new_decoder(self.encoding)
            end = LINE_END.search(lines, error)
            stop = len(lines) if end is None else end.end()
            output.append(self._decode(self._decoder, lines[position:stop], True))
            if self._counts is not None:
                self._counts[2] += 1
            position = stop
        return position

    def _begin_long_line(self, start: bytes, output: list[bytes]) -> None:
        """Decide on a line by its start, and decode that."""
        is_utf_8 = UTF_8.valid_up_to(start) >= len(start) - 3  # a sequence may be cut
        if not is_utf_8 and self._decoder is None:
            self.encoding = likeliest(start)
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

    def _count(self, lines: bytes) -> None:
        if self._counts is None:
            return
        pieces = LINE_END.split(lines)
        if not pieces[-1]:
            pieces.pop()
        is_ascii = len(pieces) if lines.isascii() else sum(map(bytes.isascii, pieces))
        self._counts[0] += is_ascii
        self._counts[1] += len(pieces) - is_ascii


def _after_last_line(data: bytes) -> int:
    """Return the end of the last whole line, 0 if there is none. A CR at the end may belong to a CR LF."""
    return max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1


def decode_by_line(data: Buffer, encoding: Encoding | str | None = None) -> Decoded:
    """Return the text of data of which some lines are UTF-8 and the others are in one other encoding.

    Each line that is valid UTF-8 is UTF-8. ``encoding``: that of the others, an ``Encoding``, a label or the name of a
    code page; without it, the one that a detector finds in all of them together. The result's ``encoding`` is that of
    the others, or UTF-8 if there are none. Lines end with LF, CR LF or CR; each keeps its end. A byte order mark is
    removed, and one of UTF-16 or UTF-32 decides for all lines. Errors become U+FFFD. Raise UnknownLabelError for a name
    of no encoding, and TypeError for data without a contiguous buffer.

    >>> decode_by_line("Köln\\n".encode() + "Zürich\\n".encode("cp1252") + "Łódź\\n".encode()).text
    'Köln\\nZürich\\nŁódź\\n'
    """
    if encoding is not None:
        encoding = file_encoding(encoding)
    view = byte_view(data)
    marked, mark = sniff_file_bom(view)
    if marked is not None and marked is not UTF_8:
        whole = Recorder(marked, offset=mark)
        text = whole.decode(view[mark:], True)
        return new_decoded(Decoded, text, marked, whole.errors, "bom", "certain", whole.first_errors)
    decoder = LineDecoder(encoding, looks=False, offset=mark)
    text = UTF_8.decode(decoder.feed(bytes(view[mark:]), True))
    used, source = decoder.encoding, "detector" if encoding is None else "given"
    if not decoder.is_decided or (encoding is not None and used is UTF_8):
        used, source = UTF_8, "bom" if marked else "utf-8"
    return new_decoded(Decoded, text, used, decoder.error_count, source, "tentative", decoder.first_errors)
