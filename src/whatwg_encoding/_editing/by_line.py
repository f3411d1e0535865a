"""Edit a file of which some lines are UTF-8 and the others are in another encoding: each keeps its own."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .. import UTF_8, Encoding
from .byte_exact import ByteExactText
from .difference import differences
from .splice import EditRefusedError

_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


class _Run(NamedTuple):
    """Consecutive lines in one encoding, and where their text starts."""

    start: int
    document: ByteExactText


class ByLineText:
    """The text of a file whose lines are in UTF-8 if they are valid, and else in another encoding.

    It has the properties and methods of ``ByteExactText`` that replace ranges. An edit is encoded as the line in which
    it begins. ``others``: the bytes of the lines that are not UTF-8.
    """

    def __init__(self, data: bytes, encoding: Encoding) -> None:
        self._other = encoding
        pieces: list[tuple[Encoding, list[bytes]]] = []
        for line in _LINE.findall(data):
            own = UTF_8 if UTF_8.valid_up_to(line) == len(line) else encoding
            if not pieces or (pieces[-1][0] is not own and not line.isascii()):
                pieces.append((own, []))
            pieces[-1][1].append(line)
        self._runs: list[_Run] = []
        start = 0
        for own, lines in pieces:
            document = ByteExactText(b"".join(lines), own)
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

    @property
    def others(self) -> bytes:
        """The bytes of the runs of lines that are not UTF-8."""
        return b"".join(run.document.encode() for run in self._runs if run.document.encoding is not UTF_8)

    def is_utf_8_at(self, position: int) -> bool:
        """Return whether the line at a position of the text that was read is UTF-8."""
        return self._run_at(position).document.encoding is UTF_8

    def encode(self) -> bytes:
        """Return the bytes of the file, with all edits."""
        return b"".join(run.document.encode() for run in self._runs)

    def replace_ranges(self, ranges: Iterable[tuple[int, int, str]]) -> None:
        """Replace ranges of the text, which ascend; see ``ByteExactText.replace_ranges``, also for what is raised.

        Raise EditRefusedError, too, if a line would then be read in another encoding.
        """
        former, parts, done = self.text, list[str](), 0
        edits: dict[int, list[tuple[int, int, str]]] = {}
        for first, last, new in ranges:
            for start, end, new_start, new_end in differences(former[first:last], new):
                self._divide(first + start, first + end, new[new_start:new_end], edits)
            parts += former[done:first], new
            done = last
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

    def _run_at(self, position: int) -> _Run:
        return self._runs[self._number_at(position)]


_MARK_IN_TEXT: Final = re.compile(rb"[\r\n]\xef\xbb\xbf")  # which a run of lines would begin with


def by_line(data: bytes) -> ByLineText | None:
    """Return a file of which lines are UTF-8, and likelier so than in the encoding of the others; None for any other.

    A file in one encoding alone is none, and neither is UTF-8 with damage.
    """
    if data.isascii() or UTF_8.valid_up_to(data) == len(data) or b"\0" in data or _MARK_IN_TEXT.search(data):
        return None
    if next(_valid_lines(data), None) is None:
        return None
    from ..sniff import likeliest, other_lines  # imported here, since most files are in one encoding

    encoding = likeliest(other_lines(data))
    if encoding is UTF_8 or not encoding.is_ascii_compatible or not _is_mixed(data, encoding):
        return None
    return ByLineText(data, encoding)


def _is_mixed(data: bytes, encoding: Encoding) -> bool:
    """Return whether the lines that are valid UTF-8 are likelier so than in the encoding of the others."""
    from ..sniff import text_cost

    as_utf_8 = as_other = 0
    seen = 0
    for line in _valid_lines(data):
        text = UTF_8.decode(line)
        as_utf_8 += text_cost(text)
        as_other += text_cost(encoding.decode(line))
        seen += len(line)
        if seen > 1 << 14:
            break
    return seen > 0 and as_utf_8 < as_other


def _valid_lines(data: bytes) -> Iterator[bytes]:
    for found in _LINE.finditer(data):
        line = found[0]
        if not line.isascii() and UTF_8.valid_up_to(line) == len(line):
            yield line
