"""Text to measure with: the user's files, or text generated from a seed with each language's mix of scripts and markup.

A corpus folder holds UTF-8 files named by language: ``ja.txt`` is plain text, ``ja.html`` a page with markup. Missing
texts are generated.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache, partial
from itertools import accumulate, product
from math import exp
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

import whatwg_encoding as we
from benchmarks import DATA, TEMPLATES

Style = Literal["plain text", "markup"]
STYLES: tuple[Style, ...] = ("plain text", "markup")

_SUFFIX: dict[Style, str] = {"plain text": "txt", "markup": "html"}
#: Number of generated characters: more than a branch predictor can memorize.
_DRAWN: dict[Style, int] = {"plain text": 60_000, "markup": 240_000}


class Words(NamedTuple):
    """One kind of word: its letters by decreasing frequency, its share of all words, and its length."""

    letters: str
    share: float
    shortest: int
    longest: int


class Language(NamedTuple):
    """The components of a language's text: words, and the marks between these, between clauses, after sentences."""

    words: tuple[Words, ...]
    marks: tuple[str, str, str] = (" ", ", ", ". ")
    capitals: bool = False


LATIN = DATA["latin"]


def _foreign(numbers: float = 0.05, latin: float = 0.03, longest: int = 9) -> tuple[Words, Words]:
    """Return the numbers and the Latin words in a text."""
    return Words("0123456789", numbers, 1, 4), Words("etaoinshrdlcumwfgypbvk", latin, 3, longest)


def _letters(of: str | tuple[str, int, int, int]) -> str:
    """Return letters, or the characters in rows of a double-byte Python codec, in a fixed arbitrary order."""
    if isinstance(of, str):
        return of
    codec, first, last, trailing = (*of, 0xA1)[:4]
    columns = [byte for byte in range(trailing, 0xFF) if not 0x7F <= byte < 0xA1]
    pairs = [bytes((row, byte)) for byte in columns for row in range(first, last + 1)]
    characters = [character for pair in pairs if len(character := pair.decode(codec, "ignore")) == 1]
    Random(codec).shuffle(characters)
    return "".join(characters)


@cache
def _languages() -> dict[str, Language]:
    """Return all languages by tag."""
    languages = {}
    for tag, letters in sorted((LATIN | DATA["alphabets"]).items()):
        own = Words("".join(dict.fromkeys(letters)), 0.92, 2, DATA["longest"].get(tag, 11))
        words = (own, *_foreign()[: 1 if tag in LATIN else 2])
        languages[tag] = Language(words, capitals=tag not in ("ar", "he"))
    for tag, its in DATA["others"].items():
        own_words = (Words(_letters(of), *figures) for of, *figures in its["words"])
        languages[tag] = Language((*own_words, *_foreign(*its.get("foreign", ()))), its["marks"])
    return languages


class _Writer:
    """Generate words, sentences and pages of one language from a seed."""

    def __init__(self, tag: str, style: Style) -> None:
        kinds, (self._space, self._comma, self._stop), self._capitals = _languages()[tag]
        self.random = Random(f"{tag} {style}")
        self._shares = list(accumulate(kind.share for kind in kinds))
        self._kinds = []
        for kind in kinds:
            # Frequencies by rank: alphabets decrease exponentially, ideographs have a long tail.
            ranks = range(len(kind.letters))
            frequencies = (exp(-rank / 8) if len(ranks) <= 64 else 1 / (rank + 4) for rank in ranks)
            self._kinds.append((kind, list(accumulate(frequencies))))

    def word(self) -> str:
        ((kind, weights),) = self.random.choices(self._kinds, cum_weights=self._shares)
        length = self.random.randint(kind.shortest, kind.longest)
        return "".join(self.random.choices(kind.letters, cum_weights=weights, k=length))

    def words(self, least: int, most: int) -> str:
        return self._space.join(self.word() for _ in range(self.random.randint(least, most)))

    def sentence(self) -> str:
        text = self._comma.join([self.words(3, 9) for _ in range(self.random.randint(1, 3))])
        return (text[0].upper() + text[1:] if self._capitals else text) + self._stop

    def paragraph(self) -> str:
        return "".join(self.sentence() for _ in range(self.random.randint(3, 8))) + "\n"

    def page(self) -> Iterator[str]:
        """Yield the parts of an endless page."""
        weights = {"entry": 30, "row": 25, "source": 20, "image": 15, "paragraph": 10}
        kinds = iter(lambda: self.random.choices(list(weights), list(weights.values()))[0], "")
        return TEMPLATES.get_template("page.html.j2").generate(
            kinds=kinds, number=partial(self.random.randint, 1), word=self.word, words=self.words,
            sentence=self.sentence,
        )  # fmt: skip


@cache
def draw(language: str, style: Style) -> str:
    """Return text of ``language`` generated from a seed, the same on every machine."""
    writer = _Writer(language, style)
    parts, length = list[str](), 0
    source = writer.page() if style == "markup" else iter(writer.paragraph, "")
    while length < _DRAWN[style]:
        parts.append(next(source))
        length += len(parts[-1])
    return "".join(parts)


class Corpus:
    """Texts by language and style, from ``folder`` if it has them; all are read before anything is measured."""

    def __init__(self, folder: Path | None = None) -> None:
        self._texts: dict[tuple[str, Style], str] = {}
        if folder is None:
            return
        if not folder.is_dir():
            raise FileNotFoundError(f"the corpus {folder} is not a folder")
        for language, style in product(_languages(), STYLES):
            path = folder / f"{language}.{_SUFFIX[style]}"
            try:
                text = path.read_text("utf-8-sig") if path.exists() else ""
            except UnicodeDecodeError as error:
                error.add_note(f"in {path.name} of the corpus, which must be UTF-8")
                raise
            if text:
                self._texts[language, style] = text
        if not self._texts:
            names = ", ".join(f"{language}.txt" for language in _languages())
            raise FileNotFoundError(f"the corpus {folder} has none of {names}, and no .html of these names")

    def has(self, language: str, style: Style) -> bool:
        """Return whether the text is from the folder."""
        return (language, style) in self._texts

    def get(self, language: str, style: Style) -> str:
        """Return the text of ``language`` in ``style``; raise ``KeyError`` for an unknown language."""
        return self._texts.get((language, style)) or draw(language, style)


def round_trips(encoding: we.Encoding, character: str) -> bool:
    """Return whether a character survives the encoding."""
    try:
        return encoding.decode(encoding.encode(character, "fatal")) == character
    except UnicodeEncodeError:
        return False


def restrict(text: str, representable: frozenset[str]) -> str:
    """Return ``text`` with only characters of ``representable``: others are decomposed or omitted."""
    table: dict[int, str] = {}
    for character in set(text) - representable:
        parts = "".join(chr(int(part, 16)) for part in unicodedata.decomposition(character).split() if part[0] != "<")
        table[ord(character)] = parts if representable.issuperset(parts) else ""
    return text.translate(table)
