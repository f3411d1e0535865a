"""Where malformed bytes are: a decoder that records the first errors of a stream, with offset, line and column."""

from __future__ import annotations

import sys

from ._api.results import MalformedAt, Position, located_errors
from ._native.core import record_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal, NoReturn

    from ._api.results import ErrorRecord
    from ._native.core import Decoder, Encoding

__all__ = ["MOST", "FileDecodeError", "Position", "Recorder", "located_errors"]

#: Errors of which a record is kept, as many as fit a screen; the others are only counted.
MOST: Final = 16
_ABOUT: Final = 16  # bytes before and after a sequence that an exception shows


class FileDecodeError(UnicodeDecodeError):
    """A UnicodeDecodeError whose message has the error's place in its file, and no other.

    ``offset``: that of its first byte in the file. ``line``, ``column``: as in ``MalformedAt``. ``object``: the
    sequence, from ``start`` to ``end``, and at most 32 bytes about it.
    """

    offset: int
    line: int
    column: int

    def __str__(self) -> str:
        malformed = self.object[self.start : self.end].hex(" ").upper()
        place = f"byte {self.offset} of the file, line {self.line}, column {self.column}"
        return f"{self.encoding}: {malformed}: {self.reason}: {place}"


class Recorder:
    """A decoder that counts its errors and records the first ones while it decodes.

    ``offset``: that of the first byte in its file. ``most``: the number of records, None for all. ``position``: that of
    the text's start, which moves with the text until there are as many records. ``records`` has them with their
    reasons.
    """

    def __init__(
        self,
        encoding: Encoding,
        errors: Literal["replacement", "fatal"] = "replacement",
        offset: int = 0,
        most: int | None = MOST,
        position: Position | None = None,
    ) -> None:
        self.records: list[tuple[MalformedAt, str]] = []
        self._encoding = encoding
        self._is_fatal = errors == "fatal"
        self.decoder: Decoder = encoding.new_decoder("replacement" if self._is_fatal else errors)
        self.offset: int = offset
        self._position = position or Position()
        self._left = 1 if self._is_fatal else sys.maxsize if most is None else most  # records that may follow
        self._log: list[ErrorRecord] = []
        record_errors(self.decoder, self._log, self._left)

    @property
    def errors(self) -> int:
        """The number of errors replaced so far."""
        return 0 if self._is_fatal else self.decoder.error_count

    @property
    def first_errors(self) -> tuple[MalformedAt, ...]:
        """The records of the first errors replaced so far."""
        return tuple(error for error, _ in self.records)

    @property
    def is_full(self) -> bool:
        """Whether there are as many records as there may be."""
        return self._left == 0

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the text of the next bytes, as `Decoder.decode`. Raise FileDecodeError in fatal mode."""
        text = self.decoder.decode(data, final)
        if self._left:
            errors = list(located_errors(text, self._log, self.offset, self._position))
            if errors and self._is_fatal:
                self._raise(*errors[0], data)
            self.records += errors
            self._left -= len(errors)
            self._position.advance(text[self._log[-1][1] + 1 :] if errors else text)
            self._log.clear()
        self.offset += len(data)
        return text

    def _raise(self, error: MalformedAt, reason: str, data: bytes | memoryview) -> NoReturn:
        """Raise the exception for an error in the chunk ``data``, and reset the decoder."""
        start = error.offset - self.offset  # negative in the pending bytes
        before = bytes(data[max(start - _ABOUT, 0) : max(start, 0)])
        end = max(start + len(error.bytes), 0)
        about = before + error.bytes + bytes(data[end : end + _ABOUT])
        raised = FileDecodeError(self._encoding.name, about, len(before), len(before) + len(error.bytes), reason)
        raised.offset, raised.line, raised.column = error[:3]
        self.decoder.reset()
        self._log.clear()
        record_errors(self.decoder, self._log, 1)
        raise raised


def __dir__() -> list[str]:
    return __all__
