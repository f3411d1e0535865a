"""The encoding of a file that is edited: what the bytes say, and whether a guess suffices to write.

It does not if the file may be in another encoding that has other bytes for what is written.
"""

from __future__ import annotations

from functools import cached_property

from .. import UTF_8
from .._decoding.by_line import TELLING, bits_of_utf_8, has_few_characters
from .difference import narrowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from .. import Encoding
    from ..sniff import Guess, Sniffed

# Bits. An encoding in which a text costs at most this much more than in the likeliest may be the right one.
_MARGIN: Final = 12
_MARGIN_OF_PAGES: Final = 20  # the same for code pages of DOS, for which the model has no texts

DOUBT: Final = "the encoding is a guess, and not all that the file may be in have the same bytes for the new text"
"""Why nothing is written. What to do, and how the file reads in these encodings, follows."""

_LINE: Final = 100  # bytes of a line that is shown
_GROUPS: Final = 8  # readings that are shown
_READABLE: Final = 1 << 16  # bytes of a file in which a line is looked for


class GuessedEncoding:
    """An encoding on which nothing but data decided. ``exclude``, ``candidates``: as in ``sniff.crawl``."""

    def __init__(
        self,
        data: bytes,
        encoding: Encoding,
        exclude: Iterable[Encoding | str] = (),
        candidates: Iterable[Encoding | str] | None = None,
    ) -> None:
        self.data = data
        self.encoding = encoding
        self._exclude, self._candidates = exclude, candidates

    @cached_property
    def _guesses(self) -> list[Guess]:
        """The guesses of ``sniff.detect``. Text that is UTF-8 by few characters may as likely be in another one."""
        from ..sniff import detect

        data = self.data
        guesses = detect(data, exclude=self._exclude, candidates=self._candidates, dos=True)
        if len(guesses) == 1 and guesses[0].encoding is UTF_8 and not data.isascii() and has_few_characters(data):
            rivals = detect(data, exclude=(*self._exclude, UTF_8), candidates=self._candidates, dos=True)[:1]
            guesses += [rival._replace(score=0) for rival in rivals if bits_of_utf_8(data, rival.encoding) <= -_MARGIN]
        return guesses

    @cached_property
    def readings(self) -> list[Encoding]:
        """The encodings that the data may be in: the guessed one, and the others near enough, the likeliest first."""
        from ..code_pages import CODE_PAGES

        chosen, guesses = self.encoding, self._guesses
        most = max((guess.score for guess in guesses if guess.encoding is chosen or guess is guesses[0]), default=0)
        near = [
            guess.encoding
            for guess in guesses
            if guess.score <= most + (_MARGIN_OF_PAGES if guess.encoding.name in CODE_PAGES else _MARGIN)
        ]
        if chosen.valid_up_to(self.data) == len(self.data):  # then so is the right one
            near = [encoding for encoding in near if encoding.valid_up_to(self.data) == len(self.data)]
        return [chosen, *(encoding for encoding in near if encoding is not chosen)]

    @property
    def margin(self) -> int | None:
        """The bits by which the likeliest encoding that reads the data otherwise costs more, None if none does.

        It is negative if such a one costs less.
        """
        own = next((guess.score for guess in self._guesses if guess.encoding is self.encoding), None)
        text = self.encoding.decode(self.data)
        others = (guess.score for guess in self._guesses if guess.encoding.decode(self.data) != text)
        return None if own is None or (other := next(others, None)) is None else other - own

    def doubt_of_changes(
        self, text: str, ranges: Iterable[tuple[int, int, str]], is_sure_at: Callable[[int], bool] | None = None
    ) -> str:
        """Return what `doubt_of_characters` does for ranges of the text and what replaces each.

        ``is_sure_at``: whether a position is in a line of another encoding, which is sure.
        """
        is_ascii_sure = self.encoding.is_ascii_compatible
        kinds: dict[tuple[str, str, int], tuple[int, int, str]] = {}  # equal changes write equal characters
        for start, end, new in ranges:
            if not (is_ascii_sure and new.isascii()):
                kinds.setdefault((text[start:end], new, start if is_sure_at else 0), (start, end, new))
        changes = [
            (start, part)
            for start, _, part in narrowed(text, kinds.values())
            if not (is_ascii_sure and part.isascii()) and not (is_sure_at and is_sure_at(start))
        ]
        line = None if is_sure_at or not changes else text.count("\n", 0, changes[0][0])
        return self.doubt_of_characters({character for _, part in changes for character in part}, line)

    def doubt_of_characters(self, written: set[str], line: int | None = None) -> str:
        """Return how the data reads in the encodings that it may be in, if one has other bytes for a character.

        It is empty if all of them agree, as most do on ASCII. ``line``: the number from 0 of the one that is changed.
        """
        written = {
            character for character in written if not (character.isascii() and self.encoding.is_ascii_compatible)
        }
        own, *others = self.readings if written else [self.encoding]
        if all(_bytes(other, character) == _bytes(own, character) for other in others for character in written):
            return ""
        return self._described(line)

    def doubt_of_text(self) -> str:
        """Return how the data reads in the encodings that it may be in, if that is not the same text in all."""
        texts = {encoding.decode(self.data) for encoding in self.readings}
        return self._described(None) if len(texts) > 1 else ""

    def _described(self, line: int | None) -> str:
        """Return lines that name encodings, each with a line of the data; those that read it alike are one."""
        shown = _telling_line(self.data, line)
        groups: dict[str, list[str]] = {}
        for encoding in self.readings:
            groups.setdefault(_printable(encoding.decode(shown)), []).append(encoding.name)
        return "\n".join(f"  {', '.join(names)}: {text}" for text, names in list(groups.items())[:_GROUPS])


def guessed(
    data: bytes,
    decision: Sniffed,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> GuessedEncoding | None:
    """Return the encoding of a file on which nothing but the bytes decided, None if it is sure."""
    if decision.source != "detector" and (decision.source != "utf-8" or TELLING.search(data) is None):
        return None
    guess = GuessedEncoding(data, decision.encoding, exclude, candidates)
    return guess if decision.source == "detector" or len(guess.readings) > 1 else None


def _bytes(encoding: Encoding, character: str) -> bytes | None:
    try:
        return encoding.encode(character, "fatal")
    except (UnicodeEncodeError, LookupError):
        return None


def _telling_line(data: bytes, line: int | None) -> bytes:
    """Return a line of a file that is not ASCII, from near its first such byte on.

    ``line``: the number from 0 of the line that an edit concerns; another one is returned if that is ASCII.
    """
    head = data[:_READABLE]
    lines = data.split(b"\n", line + 1)[line : line + 1] if line is not None else []
    lines += [candidate for candidate in head.split(b"\n") if not candidate.isascii()][:1]
    telling = next((candidate for candidate in lines if not candidate.isascii()), head.split(b"\n")[0]).rstrip(b"\r")
    place = next((place for place, byte in enumerate(telling) if byte > 0x7F), 0)
    start = max(0, place - _LINE // 2)
    return telling[start : start + _LINE]


def _printable(text: str) -> str:
    """Return text without what would control a terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text.strip())
