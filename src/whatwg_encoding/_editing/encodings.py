"""The encoding of a file that is edited: what the bytes say, and whether a guess suffices to write.

It does not if the file may be in another encoding that has other bytes for what is written.
"""

from __future__ import annotations

from .. import UTF_8
from .._decoding.by_line import bits_of_utf_8, has_few_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, TypeAlias

    from .. import Encoding
    from ..sniff import Guess, Sniffed

    Encodings: TypeAlias = Iterable[Encoding | str]

# Bits. An encoding in which a text costs at most this much more than in the likeliest may be the right one.
_MARGIN: Final = 12
_MARGIN_OF_PAGES: Final = 20  # the same for code pages of DOS, for which the model has no texts

_LINE: Final = 100  # bytes of a line that is shown
_GROUPS: Final = 8  # readings that are shown
_READABLE: Final = 1 << 16  # bytes of a file in which a line is looked for


def _guesses(data: bytes, exclude: Encodings, candidates: Encodings | None) -> list[Guess]:
    """Return the guesses of ``sniff.detect``. Text that is UTF-8 by few characters may as likely be in another one."""
    from ..sniff import detect

    guesses = detect(data, exclude=exclude, candidates=candidates, dos=True)
    if len(guesses) == 1 and guesses[0].encoding is UTF_8 and not data.isascii() and has_few_characters(data):
        rivals = detect(data, exclude=(*exclude, UTF_8), candidates=candidates, dos=True)[:1]
        guesses += [rival._replace(score=0) for rival in rivals if bits_of_utf_8(data, rival.encoding) <= -_MARGIN]
    return guesses


def is_guess(data: bytes, decision: Sniffed, exclude: Encodings = (), candidates: Encodings | None = None) -> bool:
    """Return whether nothing but the bytes decided on the encoding of a file, and they may be in another one."""
    if decision.source == "utf-8":
        return len(readings(data, UTF_8, exclude, candidates)) > 1
    return decision.source == "detector"


def readings(
    data: bytes, chosen: Encoding, exclude: Encodings = (), candidates: Encodings | None = None
) -> list[Guess]:
    """Return the guesses near enough to the likeliest and to the chosen encoding, the likeliest first."""
    from ..code_pages import CODE_PAGES

    guesses = _guesses(data, exclude, candidates)
    most = max((guess.score for guess in guesses if guess.encoding is chosen), default=0)
    most = max(most, guesses[0].score if guesses else 0)
    if chosen.valid_up_to(data) == len(data):  # then so is the right one
        guesses = [guess for guess in guesses if guess.encoding.valid_up_to(data) == len(data)]
    margins = dict.fromkeys(CODE_PAGES, _MARGIN_OF_PAGES)
    return [guess for guess in guesses if guess.score <= most + margins.get(guess.encoding.name, _MARGIN)]


def margin(data: bytes, chosen: Encoding, exclude: Encodings = (), candidates: Encodings | None = None) -> int | None:
    """Return the bits by which the likeliest encoding that reads the text otherwise costs more; None if none does.

    It is negative if such a one costs less.
    """
    guesses = _guesses(data, exclude, candidates)
    own = next((guess.score for guess in guesses if guess.encoding is chosen), None)
    if own is None:
        return None
    text = chosen.decode(data)
    return next((guess.score - own for guess in guesses if guess.encoding.decode(data) != text), None)


def not_sure(
    data: bytes,
    chosen: Encoding,
    written: Iterable[str],
    exclude: Encodings = (),
    candidates: Encodings | None = None,
) -> list[Encoding]:
    """Return the encodings that a file may be in if one of them has other bytes for a character that is written.

    The chosen one is among them. It is empty if all of them agree, as most do on ASCII.
    """
    characters = {candidate for candidate in written if not (candidate.isascii() and chosen.is_ascii_compatible)}
    if not characters:
        return []
    likely = [guess.encoding for guess in readings(data, chosen, exclude, candidates)]
    if all(_bytes(other, candidate) == _bytes(chosen, candidate) for other in likely for candidate in characters):
        return []
    return [chosen, *(candidate for candidate in likely if candidate is not chosen)]


def _bytes(encoding: Encoding, character: str) -> bytes | None:
    try:
        return encoding.encode(character, "fatal")
    except (UnicodeEncodeError, LookupError):
        return None


def described(data: bytes, encodings: Iterable[Encoding], line: int | None = None) -> str:
    """Return lines that name encodings, each with a line of the file as it reads in it; those that read alike are one.

    ``line``: the number from 0 of the line that an edit concerns; another one is shown if that is ASCII.
    """
    shown = _telling_line(data, line)
    groups: dict[str, list[str]] = {}
    for encoding in encodings:
        groups.setdefault(_printable(encoding.decode(shown)), []).append(encoding.name)
    rows = [f"  {', '.join(names)}: {text}" for text, names in list(groups.items())[:_GROUPS]]
    return "\n".join(rows)


def _telling_line(data: bytes, line: int | None) -> bytes:
    """Return a line of a file that is not ASCII, from near its first such byte on."""
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
