"""Where malformed bytes are: a decoder that records the first errors of a stream, with offset, line and column."""

from __future__ import annotations

import codecs
from _thread import _local

from ._api.results import MalformedAt
from ._native.core import count_newlines, new_decoder_with_handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final, Literal

    from ._native.core import Decoder, Encoding

#: Errors of which a record is kept, as many as fit a screen; the others are only counted.
MOST: Final = 16
_REPLACEMENT: Final = "\ufffd"
_BOM_LENGTHS: Final = {"UTF-8": 3}  # in bytes; that of UTF-16 is 2
_SLICE: Final = 1 << 12  # bytes that are decoded at once to find their errors, so that few are after the last record
_FIRST_CHUNK, _CHUNK = 1 << 10, 1 << 18  # bytes: the least and the most of whole data that are decoded at once
_ABOUT: Final = 16  # bytes before and after a sequence that an exception shows


class Position:
    """A position in a text: line and column, counted from 1. Lines end at U+000A; columns are code points."""

    def __init__(self, start: Position | None = None) -> None:
        self.line: int = start.line if start else 1
        self.column: int = start.column if start else 1

    def advance(self, text: str) -> None:
        """Move to the end of a text that starts at the position."""
        lines = count_newlines(text)
        self.line += lines
        self.column = len(text) - text.rindex("\n") if lines else self.column + len(text)


class ErrorLog:
    """A decoder that records errors: its text has MARK for each, and ``errors`` their offset, bytes and reason.

    Offsets count from the first byte decoded; those in the pending bytes of ``state`` are negative.
    """

    #: A surrogate, which no decoder of the standard returns.
    MARK = "\udcff"

    def __init__(self, encoding: Encoding, state: tuple[bytes, int] = (b"", 0)) -> None:
        self.errors: list[tuple[int, bytes, str]] = []
        self._fed = 0
        self._decoder: Decoder = new_decoder_with_handler(encoding, _HANDLER)
        self._decoder.setstate(state)

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the text of the next bytes, and append their errors to ``errors``."""
        self._fed += len(data)
        _decoding.log = self
        try:
            return self._decoder.decode(data, final)
        finally:
            del _decoding.log

    def record(self, error: UnicodeDecodeError) -> None:
        """Append an error to ``errors``."""
        # The error's object ends with the data of the last call.
        offset = self._fed - len(error.object) + error.start
        self.errors.append((offset, error.object[error.start : error.end], error.reason))


_HANDLER: Final = "whatwg_encoding.ErrorLog"
_decoding = _local()  # each thread has the log that decodes in it


def _record(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    log: ErrorLog = _decoding.log
    log.record(error)
    return ErrorLog.MARK, error.end


codecs.register_error(_HANDLER, _record)


class Recorder:
    """A decoder that counts its errors and records the first ones: ``found`` has their records and reasons.

    ``offset``: that of the first byte in its file. ``most``: the number of records, None for all. ``position``: that of
    the text's start. It decodes at the decoder's speed, and decodes again what has an error, until it has them.
    """

    def __init__(
        self,
        encoding: Encoding,
        errors: Literal["replacement", "fatal"] = "replacement",
        offset: int = 0,
        most: int | None = MOST,
        position: Position | None = None,
    ) -> None:
        self.found: list[tuple[MalformedAt, str]] = []
        self._position = position or Position()  # of the next text; not kept when there are as many as there may be
        self._encoding = encoding
        self._decoder: Decoder = encoding.new_decoder(errors)
        self._offset = offset
        self._rest = most  # records that may follow

    @property
    def errors(self) -> int:
        """The number of errors replaced so far."""
        return self._decoder.error_count

    @property
    def first_errors(self) -> tuple[MalformedAt, ...]:
        """The records of the first errors replaced so far."""
        return tuple(error for error, _ in self.found)

    @property
    def is_full(self) -> bool:
        """Whether there are as many records as there may be."""
        return self._rest == 0

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the text of the next bytes, as `Decoder.decode`.

        The exception of fatal mode has the error's place in the file: attributes ``offset``, ``line`` and ``column``,
        and its message; its object is the sequence and a few bytes about it.
        """
        decoder = self._decoder
        if self._rest == 0:
            return decoder.decode(data, final)
        state, count = decoder.getstate(), decoder.error_count
        try:
            text = decoder.decode(data, final)
        except UnicodeDecodeError as error:
            ((place, _),) = self._find(state, data, final, 1)
            raised = located(error, place.offset, f", line {place.line}, column {place.column}")
            vars(raised).update(line=place.line, column=place.column)
            raise raised from None
        if decoder.error_count == count:
            self._position.advance(text)
        else:
            found = list(self._find(state, data, final, self._rest))
            self.found += found
            if self._rest is not None:
                self._rest -= len(found)
        self._offset += len(data)
        return text

    def _find(
        self, state: tuple[bytes, int], data: bytes | memoryview, final: bool, most: int | None
    ) -> Iterator[tuple[MalformedAt, str]]:
        """Yield the records and reasons of at most ``most`` errors, and move the position to the last or the end."""
        log = ErrorLog(self._encoding, state)
        view = memoryview(data)
        position = self._position
        for start in range(0, max(len(view), 1), _SLICE):
            end = start + _SLICE
            *texts, last = log.decode(view[start:end], final and end >= len(view)).split(log.MARK)
            for text, (offset, malformed, reason) in zip(texts, log.errors, strict=True):
                position.advance(text)
                at = self._offset + offset
                yield MalformedAt(at, position.line, position.column, malformed, _REPLACEMENT), reason
                position.advance(_REPLACEMENT)
                most = None if most is None else most - 1
                if most == 0:
                    return
            log.errors.clear()
            position.advance(last)


def located(error: UnicodeDecodeError, offset: int, more: str = "") -> UnicodeDecodeError:
    """Return a decoder's exception with its offset in the file, in its message too, without the rest of its data."""
    start = max(error.start - _ABOUT, 0)
    about = error.object[start : error.end + _ABOUT]
    reason = f"{error.reason}: byte {offset} of the file{more}"
    found = UnicodeDecodeError(error.encoding, about, error.start - start, error.end - start, reason)
    vars(found)["offset"] = offset
    return found


def first_errors(view: bytes | memoryview, encoding: Encoding, source: str) -> tuple[MalformedAt, ...]:
    """Return the records of the first errors of a view without the byte order mark that ``source`` tells of."""
    recorder = Recorder(encoding, offset=_BOM_LENGTHS.get(encoding.name, 2) if source == "bom" else 0)
    view = memoryview(view)
    start, size = 0, _FIRST_CHUNK
    while start < len(view) and not recorder.is_full:
        recorder.decode(view[start : start + size], start + size >= len(view))
        start, size = start + size, min(2 * size, _CHUNK)
    return recorder.first_errors
