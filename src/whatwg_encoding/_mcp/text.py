"""Text that an agent reads and edits: with line numbers, and with line ends that it need not know."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from hashlib import blake2b
from typing import Final, NamedTuple, TypeAlias

import whatwg_encoding as we
from whatwg_encoding import sniff

from .. import files
from ..editing import DOUBT, ByLineText, GuessedEncoding, Refusal, by_line, guessed, other_lines
from .root import File

LINES: Final = 2000
"""The number of lines that are returned at most, and by default."""
_CHARACTERS: Final = 200_000  # of a result
LINE_END: Final = re.compile("\r\n|\n|\r")
_PAIR: Final = re.compile("\r\n")
_NAMES: Final = {"\r\n": "CRLF", "\n": "LF", "\r": "CR"}
_REMEMBERED: Final = 4096  # files
_NAMED: Final = 8  # characters that a message names


class _Known(NamedTuple):
    """The encoding of a file. ``digest``: of the bytes in which it was found, None if they did not decide."""

    encoding: we.Encoding
    digest: bytes | None = None
    is_guess: bool = False
    is_by_line: bool = False  # and of the lines that are not UTF-8


class Content(NamedTuple):
    """What was read: the bytes of a file, and its text. ``guess``: the encoding, if a detector alone decided on it."""

    data: bytes
    document: Document
    guess: GuessedEncoding | None


class Texts:
    """The texts of files. ``exclude``, ``candidates``: as in ``sniff.crawl``.

    An encoding that was given, or that a mark named, is kept while it fits the file; one that was found in the bytes,
    while these are the same.
    """

    def __init__(
        self, exclude: tuple[we.Encoding | str, ...], candidates: tuple[we.Encoding | str, ...] | None
    ) -> None:
        self._limits = exclude, candidates
        self._known: dict[str, _Known] = {}  # by real path

    def read(self, file: File, label: str | None) -> Content:
        """Return the content of a file. Raise Refusal for binary data unless an encoding is given.

        The same holds for UTF-16 and other text in one file. A file of which some lines are UTF-8 and others are not is
        one of two encodings.
        """
        data = file.read()
        self._known[file.real] = known = self._encoding(file, data, label)
        if len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]
        is_mixed, encoding = known.is_by_line, known.encoding
        document = ByLineText(data, encoding) if is_mixed else we.ByteExactText(data, encoding)
        evidence = other_lines(data) if is_mixed else data
        guess = GuessedEncoding(evidence, encoding, *self._limits) if known.is_guess else None
        return Content(data, document, guess)

    def edited(self, file: File, result: bytes) -> None:
        """Keep the encoding of a file whose content an edit has changed."""
        known = self._known.get(file.real)
        if known is not None and known.digest is not None:
            self._known[file.real] = _Known(known.encoding, blake2b(result).digest(), known.is_guess, known.is_by_line)

    def written(self, file: File, encoding: we.Encoding) -> None:
        """Keep the encoding in which all of a file was written."""
        self._known[file.real] = _Known(encoding)

    def _encoding(self, file: File, data: bytes, label: str | None) -> _Known:
        marked = files.sniff_file_bom(data)[0]
        if label is not None:
            encoding = files.file_encoding(label)
            if encoding is we.REPLACEMENT:
                raise Refusal(f"{label!r} names no encoding that has text")
            if marked not in (None, encoding):
                raise Refusal(f"{file}: has the byte order mark of {marked.name}; leave the encoding out")
            return _Known(encoding)
        known, digest = self._known.get(file.real), blake2b(data).digest()
        if known is not None and known.digest == digest:
            return known
        if known is not None and known.digest is None and marked is None and _fits(data, known.encoding):
            return known
        if marked is None and sniff.binary_sign(data) is not None:
            raise Refusal(f"{file}: is binary data; pass its encoding if it is text")
        if marked is not None:
            decided = _Known(marked, digest if marked is we.UTF_8 else None)  # lines of others may follow that mark
        else:
            decision = sniff.crawl_file(data, exclude=self._limits[0], candidates=self._limits[1])
            decided = _Known(decision.encoding, digest, guessed(data, decision, *self._limits) is not None)
        try:
            sniff.Mixture(decided.encoding).check(data)
        except ValueError as error:
            raise Refusal(f"{file}: {error}") from None
        mixed = None if decided.digest is None else by_line(data, *self._limits)
        return decided if mixed is None else _Known(mixed.encoding, digest, True, True)


def refuse_if(file: File, doubt: str) -> None:
    """Raise Refusal if there are several readings of a file whose encoding is a guess."""
    if doubt:
        raise Refusal(
            f"{file}: {DOUBT}; nothing was written. Give `encoding`: the one in which this reads right.\n{doubt}"
        )


def _fits(data: bytes, encoding: we.Encoding) -> bool:
    if encoding.valid_up_to(data) < len(data):
        return False
    return encoding is we.UTF_8 or data.isascii() or sniff.utf8_if_valid(data) is None


def line_end(text: str) -> str:
    """Return what ends most lines of a text: LF if there is no line."""
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=counts.__getitem__)


def described(document: Document) -> str:
    """Return what is known of a document: encoding, line ends, malformed sequences."""
    text = document.text
    name = document.name if isinstance(document, ByLineText) else document.encoding.name
    properties = [name, f"line ends {_NAMES[line_end(text)]}"]
    malformed = text.count("\ufffd")
    if malformed:
        properties.append(f"{malformed} times U+FFFD, which stands for malformed bytes")
    return ", ".join(properties)


def numbered(file: File, document: Document, first: int, limit: int, margin: int | None = None) -> str:
    """Return lines of a document with their numbers, after one or two lines about it. Raise Refusal if none is there.

    ``margin``: the bits by which the next reading is less likely, if the encoding is a guess.
    """
    guess = [] if margin is None else [f"[the encoding is a guess, by a margin of {margin} bits]"]
    lines = LINE_END.split(document.text)
    if lines[-1] == "":
        lines.pop()
    first = max(first, 1)
    if first > max(len(lines), 1):
        raise Refusal(f"{file}: has {len(lines)} lines, and none from {first}")
    shown: list[str] = []
    length = 0
    for number, line in enumerate(lines[first - 1 : first - 1 + max(min(limit, LINES), 0)], first):
        if length + len(line) > _CHARACTERS:
            left = max(_CHARACTERS - length, 0)
            if not shown:
                shown.append(f"{number}\t{line[:left]}\n[line {number} goes on for {len(line) - left} characters]")
            break
        length += len(line)
        shown.append(f"{number}\t{line}")
    last = first + len(shown) - 1
    more = (
        f"; lines {first} to {last} of {len(lines)}" if (first, last) != (1, len(lines)) else f"; lines: {len(lines)}"
    )
    return "\n".join([f"[{described(document)}{more}]", *guess, *shown])


Document: TypeAlias = "we.ByteExactText | ByLineText"
"""The text of a file."""

Range: TypeAlias = tuple[int, int, str]
"""Where a text begins and ends that is replaced, and by what."""


def replacements(file: File, text: str, old: str, new: str, replaces_all: bool) -> list[Range]:
    """Return where ``old`` is in a text, and what replaces it; any line ends match. Raise Refusal if it is nowhere."""
    if not old:
        raise Refusal("old_string is empty; write_file makes a file or replaces all of its text")
    if old == new:
        raise Refusal("old_string and new_string are the same")
    plain, wanted = LINE_END.sub("\n", text), LINE_END.sub("\n", old)
    places = []
    place = plain.find(wanted)
    while place >= 0:
        places.append(place)
        place = plain.find(wanted, place + len(wanted))
    if not places:
        raise Refusal(f"{file}: does not contain old_string{_hint(text, old)}; nothing was written")
    if len(places) > 1 and not replaces_all:
        lines = [plain.count("\n", 0, place) + 1 for place in places[:5]]
        listed = ", ".join(map(str, lines)) + (" …" if len(places) > 5 else "")
        reason = f"has old_string {len(places)} times, from lines {listed}; add lines around it, or set replace_all"
        raise Refusal(f"{file}: {reason}; nothing was written")
    usual = line_end(text)
    # A line end of two characters is one in the plain text.
    pairs = [match.start() - number for number, match in enumerate(_PAIR.finditer(text))]
    ranges: list[Range] = []
    for place in places:
        end = place + len(wanted)
        start, end = place + bisect_left(pairs, place), end + bisect_left(pairs, end)
        own = LINE_END.search(text, start, end)
        ranges.append((start, end, LINE_END.sub(own[0] if own else usual, new)))
    return ranges


def _hint(text: str, old: str) -> str:
    """Return what may be wrong with a text that was not found."""
    if " ".join(old.split()) and " ".join(old.split()) in " ".join(text.split()):
        return ": only white space differs"
    for form in ("NFC", "NFKC"):
        if unicodedata.normalize(form, old) in unicodedata.normalize(form, text):
            return ": it is there with other Unicode characters that look alike"
    first = old.strip().splitlines()[0].strip() if old.strip() else ""
    if first and first in text:
        return f": its first line is, in line {text.count(chr(10), 0, text.index(first)) + 1}"
    return ""


def unencodable(error: UnicodeEncodeError, encoding: we.Encoding, kept: str = "") -> str:
    """Return why a text was refused: the characters that an encoding lacks, without those that were there before."""
    first, text = error.object[error.start], error.object
    former = {first, *kept}
    lacking = [
        first,
        *(character for character in dict.fromkeys(text) if character not in former and not _has(encoding, character)),
    ]
    named = [
        f"U+{ord(character):04X} ({unicodedata.name(character, 'a character without a name')})" for character in lacking
    ]
    listed = ", ".join(named[:_NAMED]) + (f" and {len(named) - _NAMED} others" if len(named) > _NAMED else "")
    line = text.count("\n", 0, error.start) + 1
    return (
        f"{encoding.name} has no {listed}; the first would be in line {line}; nothing was written. "
        "Use other characters, or convert the file to UTF-8 first"
    )


def _has(encoding: we.Encoding, character: str) -> bool:
    try:
        return not encoding.has_encoder or bool(encoding.encode(character, "fatal"))
    except UnicodeEncodeError:
        return False
