"""Where malformed bytes are: the records of a log of errors, with lines and columns. Loaded for data with errors."""

from __future__ import annotations

from .._native.core import count_newlines
from .results import MalformedAt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final, TypeAlias

    ErrorRecord: TypeAlias = tuple[int, int, bytes, str]
    """An item of a log of `record_errors`: offset, index in the text, bytes and reason."""

__all__ = ["REPLACEMENT", "Position", "located_errors"]

REPLACEMENT: Final = "\ufffd"


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

    def advance_utf_8(self, data: bytes) -> None:
        """Move to the end of a text that is given in UTF-8."""
        lines = data.count(b"\n")
        self.line += lines
        self.column = (1 if lines else self.column) + len(data[data.rfind(b"\n") + 1 :].decode())


def located_errors(
    text: str, log: Iterable[ErrorRecord], offset: int = 0, position: Position | None = None
) -> Iterator[tuple[MalformedAt, str]]:
    """Yield the records and reasons of the errors in a log.

    ``text``: that of the log. ``offset``: that of its first byte in the file. ``position``: that of its start, which is
    moved to the end of the last error.
    """
    position = position or Position()
    end = 0
    for error_offset, index, malformed, reason in log:
        position.advance(text[end:index])
        yield MalformedAt(offset + error_offset, position.line, position.column, malformed, REPLACEMENT), reason
        position.advance(REPLACEMENT)
        end = index + 1
