"""Read a file in any encoding as UTF-8, for parsers of CSV, JSON, XML and logs."""

from __future__ import annotations

import io
from collections.abc import Iterable
from os import PathLike

from .._labels import UTF_8
from .._native.core import Encoding, quote
from .._native.prescan import Sniffed
from .._sniff.arguments import WEB_AND_SURE_DOS, options_of
from .._sniff.binary import Mixture, binary_sign
from ..files import MARK_LENGTH, file_encoding, sniff_file_bom
from ..malformed import FileDecodeError, Position, Recorder
from .by_line import LineDecoder, encoding_of_lines
from .start import Start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Literal, NoReturn, SupportsIndex

    from typing_extensions import Buffer

    from .._api.results import MalformedAt
    from .._native.detect import Options
    from .._native.prescan import Detector
    from .._sniff.hints import Hint

__all__: list[str] = ["open_utf8"]

_CHUNK = 1 << 18  # bytes of the source that are read and decoded at once, and that decide on an encoding
_BUFFER = 1 << 16  # bytes of UTF-8 from which lines are taken


class _Source(io.RawIOBase):
    """The raw stream of UTF-8 from which a `UTF8Reader` reads."""

    def __init__(
        self,
        file: IO[bytes],
        encoding: Encoding | None,
        detector: Hint | Detector,
        options: Options | None,
        errors: Literal["replacement", "fatal"],
        sniffs: bool,
        closes: bool,
        by_line: bool,
    ) -> None:
        self._file = file
        self._given = encoding
        self._detector = detector
        self._options = options
        self._errors: Literal["replacement", "fatal"] = errors
        self._sniffs = sniffs
        self._closes = closes
        self._by_line = by_line
        self._seekable = bool(getattr(file, "seekable", lambda: False)())
        self._origin = file.tell() if self._seekable else 0
        self._start()

    def _start(self) -> None:
        """Initialize the state for the start of the text, at which the source must be positioned."""
        self.encoding: Encoding = self._given or UTF_8
        self._consumed = 0  # bytes of the source before those that are decoded: a mark, ASCII that has passed
        self._place = Position()  # after that ASCII
        self._decoder = None if self._sniffs or self._by_line else self._new_decoder()
        self._lines: LineDecoder | None = None
        if self._by_line:
            self._lines = LineDecoder(
                self._given,
                self._errors,
                keeps_bom=not self._sniffs,
                offset=self._origin,
                exclude=self._options.excluded if self._options is not None else (),
                candidates=(self._options and self._options.candidates) or None,
            )
        decides = self._given is None and self._detector is None and not self._by_line
        self._mixture = Mixture(offset=self._origin) if decides else None
        self._head = bytearray()  # bytes read that may be a byte order mark
        self._undecided = None if self._given or self._by_line else Start(self._choose, _CHUNK)
        self._ready = memoryview(b"")
        self._position = 0  # bytes of UTF-8 returned
        self._at_end = False
        self._error: FileDecodeError | ValueError | None = None

    def _new_decoder(self) -> Recorder:
        return Recorder(self.encoding, self._errors, self._origin + self._consumed, position=self._place)

    @property
    def errors(self) -> int:
        if self._lines is not None:
            return self._lines.error_count
        return 0 if self._decoder is None else self._decoder.errors

    @property
    def first_errors(self) -> tuple[MalformedAt, ...]:
        recorder = self._lines or self._decoder
        return () if recorder is None else recorder.first_errors

    def _fill(self, size: int) -> bool:
        """Read and decode until UTF-8 is ready or the source ends; return False if the source has no bytes yet."""
        while not self._ready and not self._at_end:
            if self._error is not None:
                raise self._error
            undecided = self._decoder is None
            chunk = self._file.read(size)
            if chunk is None:
                return False
            if not isinstance(chunk, bytes):
                raise TypeError(f"file must be binary; its read() returned {type(chunk).__name__}")
            final = not chunk
            passed = b""
            if self._lines is not None:
                self._ready = memoryview(self._decode_lines(self._lines, chunk, final))
                self._at_end = final
                continue
            if undecided and self._undecided is not None:
                passed, sniffed, mark = self._undecided.feed(chunk, final)
                self._consumed += len(passed)
                self._place.advance(str(passed, "ascii"))
                self._refuse_mixture(passed)
                chunk = b"" if sniffed is None else self._open(sniffed.encoding, self._undecided.rest(), mark)
            elif undecided:
                self._head += chunk
                if len(self._head) < MARK_LENGTH and not final:
                    continue
                marked, mark = sniff_file_bom(bytes(self._head[:MARK_LENGTH])) if self._sniffs else (None, 0)
                chunk = self._open(marked or self.encoding, bytes(self._head), mark)
            self._ready = memoryview(passed + self._decode(chunk, final) if self._decoder else passed)
            self._at_end = final
        return True

    def _choose(self, data: bytes, final: bool) -> tuple[Sniffed, int]:
        """Return the encoding of a file: that of ``sniff.crawl``, or with a detector that of ``sniff.html``."""
        marked, mark = sniff_file_bom(data)
        if marked is not None and mark == MARK_LENGTH:  # UTF-32, which is for files alone
            return Sniffed(marked, "certain", "bom"), mark
        if marked is None:
            self._refuse_binary(data)
        if self._options is not None:
            from .._native.detect import choose  # imported here, since a known encoding does not need it

            return choose(data, None, self._options, True, final)
        from ..sniff import html

        sniffed = html(data, detector=self._detector)
        return sniffed, mark

    def _refuse_binary(self, start: bytes) -> None:
        """Raise ValueError, at each read, if a file whose encoding is to be found starts as binary data does."""
        if self._given is None and self._detector is None and (sign := binary_sign(start)) is not None:
            self._error = ValueError(f"the file is binary data ({sign}); pass an encoding to read it as text")
            raise self._error

    def _refuse_mixture(self, data: bytes) -> None:
        """Raise ValueError, at each read, if the next bytes of such a file show that it mixes UTF-16 and other text."""
        try:
            if self._mixture is not None:
                self._mixture.check(data)
        except ValueError as error:
            self._error = error
            raise

    def _open(self, encoding: Encoding, start: bytes, mark: int) -> bytes:
        """Set the encoding and the decoder; return the start of the text without its byte order mark."""
        self.encoding = encoding
        if self._mixture is not None:
            self._mixture.encoding = encoding
            self._refuse_mixture(start[:mark])
        self._consumed += mark
        self._decoder = self._new_decoder()
        self._head.clear()
        return start[mark:]

    def _decode_lines(self, lines: LineDecoder, chunk: bytes, final: bool) -> bytes:
        if lines.offset == self._origin and sniff_file_bom(chunk)[0] is None:
            self._refuse_binary(chunk)
        try:
            output = lines.feed(chunk, final)
        except ValueError as error:  # also for a mixture
            self._error = error
            raise
        self.encoding = lines.encoding
        return output

    def _decode(self, chunk: bytes, final: bool) -> bytes:
        recorder = self._decoder
        assert recorder is not None
        self._refuse_mixture(chunk)
        is_pending = bool(recorder.decoder.getstate()[0])
        if self.encoding is UTF_8 and not is_pending and UTF_8.valid_up_to(chunk) == len(chunk):
            recorder.offset += len(chunk)
            if not recorder.is_full:
                self._place.advance_utf_8(chunk)
            return chunk
        try:
            return UTF_8.encode(recorder.decode(chunk, final))
        except FileDecodeError as error:
            self._error = error
            raise

    def readable(self) -> bool:
        """Return True."""
        self._check()
        return True

    def seekable(self) -> bool:
        """Return whether the source is seekable."""
        self._check()
        return self._seekable

    def readinto(self, buffer: Buffer, /) -> int | None:
        """Read UTF-8 into ``buffer`` and return the number of bytes: 0 at the end, None if the source has none yet.

        Raise FileDecodeError at an error if errors are fatal, and ValueError for binary data, and for a mixture of
        UTF-16 and other text, whose encoding is to be found.
        """
        self._check()
        with memoryview(buffer) as view, view.cast("B") as target:
            if not target:
                return 0
            if not self._fill(max(len(target), _CHUNK)):
                return None
            length = min(len(target), len(self._ready))
            target[:length] = self._ready[:length]  # which fails before anything is taken if it is read-only
        return len(self._take(length))

    def readall(self) -> bytes | None:  # type: ignore[override]  # typeshed leaves out None
        """Read and return the rest, None if the source has no bytes yet."""
        self._check()
        parts: list[memoryview] = []
        while self._fill(_CHUNK) and self._ready:
            parts.append(self._take(len(self._ready)))
        return b"".join(parts) if parts or self._at_end else None

    def tell(self) -> int:
        """Return the position in the UTF-8."""
        self._check()
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Change the position in the UTF-8 and return the new one, which is never after the end.

        Seeking backward decodes from the start again; seeking forward decodes what is skipped. Raise
        ``io.UnsupportedOperation`` if the source is not seekable, and ValueError for a negative position.
        """
        self._check()
        if not self._seekable:
            raise io.UnsupportedOperation("the source is not seekable")
        if whence == io.SEEK_END:
            while self._skip(_CHUNK):
                pass
        elif whence not in (io.SEEK_SET, io.SEEK_CUR):
            raise ValueError(f"whence must be 0, 1 or 2, not {whence}")
        if whence != io.SEEK_SET:
            offset += self._position
        if offset < 0:
            raise ValueError(f"the position must not be negative, not {offset}")
        if offset < self._position:
            self._file.seek(self._origin)
            self._start()
        while self._position < offset and self._skip(offset - self._position):
            pass
        return self._position

    def _skip(self, most: int) -> int:
        """Skip at most ``most`` bytes; return the number skipped, 0 at the end."""
        if not self._fill(_CHUNK):
            raise BlockingIOError("the source has no bytes at the moment")
        return len(self._take(most))

    def _take(self, most: int) -> memoryview:
        """Return at most ``most`` bytes of those that are ready, and advance."""
        part = self._ready[:most]
        self._ready = self._ready[most:]
        self._position += len(part)
        return part

    def close(self) -> None:
        """Close the stream, and the file if ``open_utf8`` opened it."""
        if not self.closed:
            try:
                super().close()
            finally:
                self._ready = memoryview(b"")
                if self._closes:
                    self._file.close()

    def _check(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")


class UTF8Reader(io.BufferedReader):
    """The stream that ``open_utf8`` returns: an ``io.BufferedReader`` of UTF-8. Use it in one thread at a time.

    ``encoding``: the source's encoding. If the bytes decide, it is the given one, or UTF-8, until they have been read.
    ``errors``: the number of errors replaced with U+FFFD so far, in the text and in what is buffered after it.
    ``first_errors``: their positions in the file, a ``MalformedAt`` for each of the first 16. Decoding from the start
    again, to seek backward, resets both.
    """

    raw: _Source

    def __init__(self, source: _Source) -> None:
        super().__init__(source, _BUFFER)

    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:  # which BufferedReader has from Python 3.12 on
        raise TypeError(
            "the stream of open_utf8 cannot be pickled, since it reads an open file; pass the path on, and call "
            "open_utf8 in the process that reads it"
        )

    @property
    def encoding(self) -> Encoding:
        return self.raw.encoding

    @property
    def errors(self) -> int:
        return self.raw.errors

    @property
    def first_errors(self) -> tuple[MalformedAt, ...]:
        return self.raw.first_errors


def open_utf8(
    file: str | bytes | PathLike[str] | PathLike[bytes] | IO[bytes],
    encoding: Encoding | str | None = None,
    *,
    detector: Hint | Detector = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
    errors: Literal["replacement", "fatal"] = "replacement",
    bom: Literal["keep", "sniff"] = "keep",
    by_line: bool = False,
) -> UTF8Reader:
    """Open a file in any encoding as a buffered binary stream of UTF-8, for readers that accept only UTF-8.

    - ``file``: a path, or a binary file, which is read from its current position and left open.
    - ``encoding``: an ``Encoding``, a label, or the name of a code page such as "cp850" (see
      ``whatwg_encoding.code_pages``). Without it the bytes decide, as in ``decode_crawled``: a byte order mark, also
      that of UTF-32, decides and is removed. ASCII is returned at once, and 256 KiB from the first other byte decide.
      Text that looks like DOS (boxes drawn in rows, or lines that end with CR LF) may be in one of its code pages.
      Binary data such as PNG, ZIP or gzip is refused, and so is 8-bit text appended to UTF-16 or the reverse.
    - ``detector``: what decides then, as in ``sniff.html``: an encoding, or a callable from bytes to one.
    - ``exclude``, ``candidates``: the encodings or labels that are never chosen, and the only ones that may be, which
      may include code pages. With ``candidates`` or a detector, no other code page of DOS is chosen.
    - ``errors``: "replacement": an error becomes U+FFFD, and the stream's ``errors`` and ``first_errors`` report it.
      "fatal": it raises ``malformed.FileDecodeError``, a UnicodeDecodeError whose message and attributes ``offset``,
      ``line`` and ``column`` locate it in the file, or from where reading began if the file is not seekable. Lines and
      columns are those of the text, from 1.
    - ``bom``: "sniff": a byte order mark overrides ``encoding`` and is removed, as in ``decode``. "keep": it is text.
    - ``by_line``: whether each line that is valid UTF-8 is UTF-8, and all others are in ``encoding``, or in the one
      that the detector finds in such lines among 256 KiB from the first of them. A byte order mark is removed. A line
      of more than 1 MiB is judged by its first MiB. It can't be combined with ``detector``.

    The stream is an ``io.BufferedReader``: it has ``readline`` and ``peek``, and iterates by lines. It is seekable if
    the file is. Memory use does not depend on the size of the file, unless you read it whole.

    Raise UnknownLabelError for an unknown label, ValueError for other ``errors`` and ``bom``, TypeError for a text
    file, and OSError. Reading raises what the detector raises, and ValueError for binary data, and
    for UTF-16 and other text in one file.

    >>> import io
    >>> open_utf8(io.BytesIO(b"\\x93\\xfa\\x96\\x7b"), "shift_jis").read().decode()
    '日本'
    """
    given = None if encoding is None else file_encoding(encoding)
    if bom not in ("keep", "sniff"):
        raise ValueError(f'bom must be "keep" or "sniff", not {quote(bom)}')
    if (exclude != () or candidates is not None) and (given is not None or detector is not None):
        name = "candidates" if candidates is not None else "exclude"
        raise ValueError(f"{name} cannot be combined with an encoding or a detector")
    if by_line and detector is not None:
        raise ValueError("by_line cannot be combined with a detector")
    if by_line and given is not None:
        encoding_of_lines(given)
    options = None
    if given is None and detector is None:
        options = options_of(exclude=exclude, candidates=candidates, scope=WEB_AND_SURE_DOS)
    (given or UTF_8).new_decoder(errors)  # refuses other errors before the file is opened
    if detector is not None and not callable(detector):
        from ..sniff import html

        html(b"", detector=detector)  # likewise a detector that is no encoding
    sniffs = given is None or bom == "sniff"
    if not isinstance(file, str | bytes | PathLike):
        if isinstance(file, io.TextIOBase) or not hasattr(file, "read"):
            raise TypeError(f"file must be a path or a binary file, not {type(file).__name__}")
        return UTF8Reader(_Source(file, given, detector, options, errors, sniffs, False, by_line))
    source = open(file, "rb", buffering=0)  # noqa: SIM115 - the reader closes it
    try:
        return UTF8Reader(_Source(source, given, detector, options, errors, sniffs, True, by_line))
    except BaseException:
        source.close()
        raise
