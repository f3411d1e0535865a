"""Edit a file of which some lines are UTF-8 and the others are in another encoding: each keeps its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from .. import UTF_8, Encoding
from .._decoding.by_line import likeliest, other_lines, runs
from .byte_exact import ByteExactText
from .difference import narrowed
from .splice import EditRefusedError


class _Run(NamedTuple):
    """Consecutive lines in one encoding, and where their text starts."""

    start: int
    document: ByteExactText


class _LaterLines(ByteExactText):
    """Lines that do not begin a file: what looks like a mark is text."""

    _begins_file = False


class ByLineText:
    """The text of a file whose lines are in UTF-8 if they are valid, and else in another encoding.

    It has the properties and methods of ``ByteExactText`` that replace ranges. An edit is encoded as the line in which
    it begins.
    """

    def __init__(self, data: bytes, encoding: Encoding) -> None:
        self._other = encoding
        self._runs: list[_Run] = []
        start = 0
        for is_other, first, last in runs(data, encoding):
            document = (_LaterLines if first else ByteExactText)(data[first:last], encoding if is_other else UTF_8)
            self._runs.append(_Run(start, document))
            start += len(document.text)

    @property
    def encoding(self) -> Encoding:
        """The encoding of the lines that are not UTF-8."""
        return self._other

    @property
    def name(self) -> str:
        """How the file is encoded, for people."""
        return f"UTF-8 and {self._other.name} by line"

    @property
    def text(self) -> str:
        """The text, with all edits."""
        return "".join(run.document.text for run in self._runs)

    def is_utf_8_at(self, position: int) -> bool:
        """Return whether the line at a position of the text that was read is UTF-8."""
        return self._runs[self._number_at(position)].document.encoding is UTF_8

    def encode(self) -> bytes:
        """Return the bytes of the file, with all edits."""
        return b"".join(run.document.encode() for run in self._runs)

    def replace_ranges(self, ranges: Iterable[tuple[int, int, str]]) -> None:
        """Replace ranges of the text, which ascend; see ``ByteExactText.replace_ranges``, also for what is raised.

        Raise EditRefusedError, too, if a line would then be read in another encoding.
        """
        former, parts, done = self.text, list[str](), 0
        edits: dict[int, list[tuple[int, int, str]]] = {}
        for start, end, new in narrowed(former, ranges):
            self._divide(start, end, new, edits)
            parts += former[done:start], new
            done = end
        expected = "".join([*parts, former[done:]])
        for number, changes in edits.items():
            run = self._runs[number]
            try:
                run.document.replace_ranges(changes)
            except UnicodeEncodeError as error:
                text, start = former[: run.start] + error.object, run.start + error.start
                raise UnicodeEncodeError(error.encoding, text, start, start + 1, error.reason) from None
        again = ByLineText(self.encode(), self._other)
        if again.text != expected:
            raise EditRefusedError("a line would be read in another encoding than the one that it is written in")

    def _divide(self, start: int, end: int, new: str, edits: dict[int, list[tuple[int, int, str]]]) -> None:
        """Add a change to the runs that it concerns: the first of them has the new text."""
        number = self._number_at(start)
        while True:
            run = self._runs[number]
            length = len(run.document.text)
            last = min(end - run.start, length)
            edits.setdefault(number, []).append((start - run.start, last, new))
            start, new, number = run.start + last, "", number + 1
            if start >= end or number >= len(self._runs):
                return

    def _number_at(self, position: int) -> int:
        return max(bisect_right([run.start for run in self._runs], position) - 1, 0)


def by_line(
    data: bytes, exclude: Iterable[Encoding | str] = (), candidates: Iterable[Encoding | str] | None = None
) -> ByLineText | None:
    """Return a file of which lines are UTF-8, and others in another encoding; None for any other file.

    A file in one encoding alone is none, and neither is UTF-8 with damage. ``exclude``, ``candidates``: as in
    ``sniff.crawl``, for the other lines.
    """
    if data.isascii() or UTF_8.valid_up_to(data) == len(data) or b"\0" in data:
        return None
    encoding = likeliest(other_lines(data), exclude, candidates)
    are_mixed = any(not (is_other or data[start:end].isascii()) for is_other, start, end in runs(data, encoding))
    return ByLineText(data, encoding) if are_mixed and encoding is not UTF_8 else None
