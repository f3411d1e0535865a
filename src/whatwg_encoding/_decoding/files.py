"""Read a file in any encoding as UTF-8, for parsers of CSV, JSON, XML and logs."""

from __future__ import annotations

import io
from collections.abc import Iterable
from os import PathLike

from .._labels import UTF_8
from .._native.core import Encoding, quote
from .._native.prescan import Sniffed
from .._sniff.arguments import options_of
from ..files import MARK_LENGTH, file_encoding, sniff_file_bom
from ..malformed import Position, Recorder, located
from .by_line import LineDecoder
from .start import Start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Literal, NoReturn

    from typing_extensions import Buffer

    from .._api.results import MalformedAt
    from .._native.detect import Options
    from .._native.prescan import Detector
    from .._sniff.hints import Hint

__all__: list[str] = ["open_utf8"]

_CHUNK = 1 << 18


class UTF8Reader(io.RawIOBase):
    """The raw stream that ``open_utf8`` returns. Use it in one thread at a time.

    ``encoding``: the source's encoding. If the bytes decide, it is the given one, or UTF-8, until they have been read.
    ``errors``: the number of errors replaced with U+FFFD so far. ``first_errors``: their positions in the file, a
    ``MalformedAt`` for each of the first 16. Seeking backward resets both. By line, errors are only counted.
    """

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

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "the stream of open_utf8 cannot be pickled, since it reads an open file; pass the path on, and call "
            "open_utf8 in the process that reads it"
        )

    def _start(self) -> None:
        """Initialize the state for the start of the text, at which the source must be positioned."""
        self.encoding: Encoding = self._given or UTF_8
        self._consumed = 0  # bytes of the source before those that are decoded: a mark, ASCII that has passed
        self._place = Position()  # after that ASCII
        self._decoder = None if self._sniffs or self._by_line else self._new_decoder()
        self._lines: LineDecoder | None = None
        self._head = bytearray()  # bytes read that may be a byte order mark
        self._undecided = None if self._given or self._by_line else Start(self._choose, _CHUNK)
        self._ready = memoryview(b"")
        self._position = 0  # bytes of UTF-8 returned
        self._at_end = False
        self._error: UnicodeDecodeError | None = None

    def _new_decoder(self) -> Recorder:
        return Recorder(self.encoding, self._errors, self._origin + self._consumed, position=self._place)

    @property
    def errors(self) -> int:
        if self._lines is not None:
            return self._lines.error_count
        return 0 if self._decoder is None else self._decoder.errors

    @property
    def first_errors(self) -> tuple[MalformedAt, ...]:
        return () if self._decoder is None else self._decoder.first_errors

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
                chunk = b"" if sniffed is None else self._open(sniffed.encoding, self._undecided.rest(), mark)
            elif undecided:
                self._head += chunk
                if len(self._head) < MARK_LENGTH and not final:
                    continue
                marked, mark = sniff_file_bom(bytes(self._head[:MARK_LENGTH])) if self._sniffs else (None, 0)
                if self._by_line and marked in (None, UTF_8):  # a file with another mark is not mixed
                    self._lines = LineDecoder(self._given, self._errors)
                    self._consumed += mark
                    self._ready = memoryview(self._decode_lines(self._lines, bytes(self._head[mark:]), final))
                    self._at_end = final
                    continue
                chunk = self._open(marked or self.encoding, bytes(self._head), mark)
            self._ready = memoryview(passed + self._decode(chunk, final) if self._decoder else passed)
            self._at_end = final
        return True

    def _choose(self, data: bytes, final: bool) -> tuple[Sniffed, int]:
        """Return the encoding of a file: that of ``sniff.crawl``, or with a detector that of ``sniff.html``."""
        marked, mark = sniff_file_bom(data)
        if marked is not None and mark == MARK_LENGTH:  # UTF-32, which is for files alone
            return Sniffed(marked, "certain", "bom"), mark
        if self._options is not None:
            from .._native.detect import choose  # imported here, since a known encoding does not need it

            sniffed, mark = choose(data, None, self._options, True, final)
            if self._options.candidates or self._options.excluded:
                return sniffed, mark
            from .._sniff.files import choose_for_file

            return choose_for_file(data, sniffed), mark
        from ..sniff import html

        sniffed = html(data, detector=self._detector)
        return sniffed, mark

    def _open(self, encoding: Encoding, start: bytes, mark: int) -> bytes:
        """Set the encoding and the decoder; return the start of the text without its byte order mark."""
        self.encoding = encoding
        self._consumed += mark
        self._decoder = self._new_decoder()
        self._head.clear()
        return start[mark:]

    def _decode_lines(self, lines: LineDecoder, chunk: bytes, final: bool) -> bytes:
        try:
            output = lines.feed(chunk, final)
        except UnicodeDecodeError as error:
            self._error = located(error, self._origin + self._consumed + lines.offset + error.start)
            raise self._error from None
        self.encoding = lines.encoding
        return output

    def _decode(self, chunk: bytes, final: bool) -> bytes:
        assert self._decoder is not None
        try:
            return UTF_8.encode(self._decoder.decode(chunk, final))
        except UnicodeDecodeError as error:
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

        Raise UnicodeDecodeError at an error if errors are fatal; its message and its attributes ``offset``, ``line``
        and ``column`` are the place in the file, and its ``object`` is the sequence and at most 32 bytes about it.
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

    def peek(self, size: int = 0, /) -> bytes:
        """Return the bytes of UTF-8 that are ready, at most ``size`` if that is positive, without advancing."""
        self._check()
        self._fill(_CHUNK)
        return bytes(self._ready[:size] if size > 0 else self._ready)

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
    """Open a file in ``encoding`` as a raw binary stream of UTF-8, for readers that accept only UTF-8.

    ``file``: a path, or a binary file, which is read from its current position and left open. ``bom="sniff"``: a byte
    order mark overrides ``encoding`` and is removed, as in ``decode``; "keep": it is text. ``errors="replacement"``:
    an error becomes U+FFFD, and the stream's ``errors`` and ``first_errors`` report it; "fatal": it raises
    UnicodeDecodeError, whose message and attributes ``offset``, ``line`` and ``column`` locate it in the file, or from
    where reading began if the file is not seekable. Lines and columns are those of the text, from 1.

    ``encoding``: an ``Encoding``, a label, or the name of a code page such as "cp850" (see
    ``whatwg_encoding.code_pages``). Without it, the bytes decide as in ``decode_crawled``, or with ``detector`` (an
    encoding, or a callable from bytes to one) as in ``sniff.html``. A byte order mark, also that of UTF-32, decides and
    is removed. Text that looks like DOS (boxes drawn in rows, or lines that end with CR LF) may be in one of its
    code pages, unless you pass a detector, ``exclude`` or ``candidates``: the encodings or labels that are never
    chosen, and the only ones that may be. ASCII is returned at once, and 256 KiB from the first other byte decide.

    ``by_line``: each line that is valid UTF-8 is UTF-8, and all others are in ``encoding``, or in the one that the
    detector finds in such lines among 256 KiB from the first of them. A byte order mark is removed. A line of more than
    1 MiB is judged by its first MiB. It can't be combined with ``detector``, ``exclude`` and ``candidates``.

    Memory use does not depend on the size of the file, unless the caller reads it whole. The stream is seekable if the
    file is. Wrap it in ``io.BufferedReader`` for many small reads. Raise UnknownLabelError for an unknown label,
    ValueError for other ``errors`` and ``bom``, TypeError for a text file, OSError, and what the detector raises.

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
    if by_line and (detector is not None or exclude != () or candidates is not None):
        raise ValueError("by_line cannot be combined with a detector, exclude or candidates")
    options = options_of(exclude=exclude, candidates=candidates) if given is None and detector is None else None
    (given or UTF_8).new_decoder(errors)  # refuses other errors before the file is opened
    if detector is not None and not callable(detector):
        from ..sniff import html

        html(b"", detector=detector)  # likewise a detector that is no encoding
    if isinstance(file, io.TextIOBase) or not (isinstance(file, str | bytes | PathLike) or hasattr(file, "read")):
        raise TypeError(f"file must be a path or a binary file, not {type(file).__name__}")
    sniffs = given is None or bom == "sniff"
    if not isinstance(file, str | bytes | PathLike):
        return UTF8Reader(file, given, detector, options, errors, sniffs, False, by_line)
    source = open(file, "rb", buffering=0)  # noqa: SIM115 - the reader closes it
    try:
        return UTF8Reader(source, given, detector, options, errors, sniffs, True, by_line)
    except BaseException:
        source.close()
        raise
