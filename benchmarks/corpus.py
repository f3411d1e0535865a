"""Text to measure with: the user's files, or text generated from a seed with each language's mix of scripts and markup.

A corpus folder holds UTF-8 files named by language: ``ja.txt`` is plain text, ``ja.html`` a page with markup. Missing
texts are generated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import exp
from pathlib import Path
from random import Random
from typing import Literal
from urllib.parse import quote

Style = Literal["plain text", "markup"]
STYLES: tuple[Style, ...] = ("plain text", "markup")

_SUFFIX: dict[Style, str] = {"plain text": "txt", "markup": "html"}
#: Number of generated characters: more than a branch predictor can memorize.
_DRAWN: dict[Style, int] = {"plain text": 60_000, "markup": 240_000}


@dataclass(frozen=True)
class Words:
    """One kind of word: its letters, by decreasing frequency, and its length."""

    letters: Sequence[str]
    share: float
    shortest: int
    longest: int


@dataclass(frozen=True)
class Language:
    """The components of a language's text."""

    words: tuple[Words, ...]
    space: str = " "
    comma: str = ", "
    stop: str = ". "
    capitals: bool = False


_NUMBERS = Words("0123456789", 0.05, 1, 4)
_LATIN = Words("etaoinshrdlcumwfgypbvk", 0.03, 3, 9)


def _alphabet(letters: str, longest: int = 11, *, capitals: bool = True, foreign: bool = True) -> Language:
    """Return a language with spaces between words of ``letters``."""
    own = Words("".join(dict.fromkeys(letters)), 0.92, 2, longest)
    return Language((own, _NUMBERS, _LATIN) if foreign else (own, _NUMBERS), capitals=capitals)


def _unspaced(
    *own: Words, numbers: float = 0.08, latin: float = 0.04, space: str = "", comma: str = "，", stop: str = "。",
    longest: int = 8,
) -> Language:  # fmt: skip
    """Return a language that has no capitals, and its own punctuation."""
    foreign = Words(_NUMBERS.letters, numbers, 1, 4), Words(_LATIN.letters, latin, 3, longest)
    return Language((*own, *foreign), space, comma, stop)


def _rows(codec: str, first: int, last: int, trailing: Iterable[int]) -> str:
    """Return the characters in rows ``first`` to ``last`` of a double-byte Python codec, in a fixed arbitrary order."""
    cells = [bytes((row, cell)) for cell in trailing for row in range(first, last + 1)]
    found = [character for cell in cells if len(character := cell.decode(codec, "ignore")) == 1]
    Random(codec).shuffle(found)
    return "".join(found)


@cache
def _languages() -> dict[str, Language]:
    """Return all languages by tag. The frequent ideographs are the first levels of the national standards."""
    gr = range(0xA1, 0xFF)
    return {
        "ar": _alphabet("اليمنوتربةعدفسهكقحجشصىطخضذزثغظءئأإ", 8, capitals=False),
        "cs": _alphabet("oeanitvslrkdmpuízáychběéřýžčšůjťgfúňďó", foreign=False),
        "cy": _alphabet("aydnirelowgfhtucsmbpŵŷâêîôv", foreign=False),
        "de": _alphabet("enisratdhulcgmobwfkzvpüäößjyxq", 14, foreign=False),
        "el": _alphabet("αοιετσνηυρπκμλςίόέάγθήωδχύώφβξζψϊ"),
        "en": _alphabet("etaoinshrdlcumwfgypbvkjxqz", foreign=False),
        "eo": _alphabet("aioenltsrkujdmpvgfbcĝŝĉĥĵŭhz", foreign=False),
        "fr": _alphabet("esaitnrulodcmpévqfbghjàxèyêzçkwôùîâû", foreign=False),
        "he": _alphabet("יוהלאמרבתנשדםקעחפטכגצןסזךץף", 7, capitals=False),
        "is": _alphabet("arniesutðlgmkfhvoáþídjöóybæúépýx", foreign=False),
        "ja": _unspaced(
            Words("のにはをたがでとしるなれいさもかつらりこあすうけよくきめてまどえ", 0.45, 1, 5),
            Words(_rows("euc_jp", 0xB0, 0xCF, gr), 0.33, 1, 4),
            Words("ーンスルトアイリラクシロマレタカコテムサオプメセ", 0.12, 3, 7),
            numbers=0.07, latin=0.03, comma="、"),
        "ko": Language((Words(_rows("euc_kr", 0xB0, 0xC8, gr), 0.92, 2, 5), _NUMBERS, _LATIN)),
        "lt": _alphabet("iasteruonklmpvdjgėbyšųąžūčzęįhcf", foreign=False),
        "lv": _alphabet("aiesrtunmolkpdvāzjgīēbļšcņūžčķģhf", foreign=False),
        "ro": _alphabet("eaitnrulocsdpmăîâșțfbgvzhjxk", foreign=False),
        "ru": _alphabet("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", 13),
        "th": _unspaced(Words("านรอกเง่มยล้วดทัสตะีิปบคห์แจพูชขใไุโ็ผธศื", 0.9, 5, 25),
                        numbers=0.05, latin=0.05, space=" ", comma=" ", stop="\n", longest=9),
        "tr": _alphabet("aeinrlıkdmytusboüşzgğçhvcöpfj", foreign=False),
        "uk": _alphabet("оанитвіерскдлмупяьзбгчйхцжшєїюґфщ", 13),
        "vi": _alphabet("nhtcgiaoumđlàáảêôơưpvbrsạếộợyầấớờ", 6, foreign=False),
        "zh_cn": _unspaced(Words(_rows("gb2312", 0xB0, 0xD7, gr), 0.88, 2, 6)),
        "zh_tw": _unspaced(Words(_rows("big5", 0xA4, 0xC6, (*range(0x40, 0x7F), *gr)), 0.88, 2, 6)),
    }  # fmt: skip


def _frequencies(letters: int) -> list[float]:
    """Return the frequency of each letter by rank: alphabets decrease by halves, ideographs have a long tail."""
    return [exp(-rank / 8) if letters <= 64 else 1 / (rank + 4) for rank in range(letters)]


#: Templates: the largest number, and the text.
_LINK = 0, "{link}"
_NOTE = 400, '<sup id="cite_ref-{n}" class="reference"><a href="#cite_note-{n}">[{n}]</a></sup>'
_ELEMENTS = (
    (40, '<li class="toclevel-1 tocsection-{n}"><span class="nowrap">{link}</span></li>\n'),
    (0, '<tr>\n<th scope="row" style="text-align:left;">{link}</th>\n'
        '<td style="padding:3px;">{words_1_2}</td>\n</tr>\n'),
    (400, '<li id="cite_note-{n}"><span class="mw-cite-backlink"><a href="#cite_ref-{n}">^</a></span>'
          '<span class="reference-text"><span class="citation web"><a rel="nofollow" class="external text" '
          'href="https://example.org/{quoted}/{n}.html">{words_1_3}</a></span></span></li>\n'),
    (10**8, '<div class="thumb tright"><div class="thumbinner" style="width:222px;"><a href="/wiki/File:{n}.jpg" '
            'class="image"><img alt="" src="/images/thumb/{hex}/{byte}/{n}.jpg/{width}px-{n}.jpg" width="220" '
            'height="147" class="thumbimage" data-file-width="1024" data-file-height="683" /></a>'
            '<div class="thumbcaption"><div class="magnify"></div>{words_2_5}</div></div></div>\n'),
)  # fmt: skip


class _Writer:
    """Generate words, sentences and pages of one language from a seed."""

    def __init__(self, tag: str, style: Style) -> None:
        self._language = _languages()[tag]
        self._random = Random(f"{tag} {style}")
        kinds = self._language.words
        self._kinds = range(len(kinds))
        self._shares = list(accumulate(kind.share for kind in kinds))
        self._weights = [list(accumulate(_frequencies(len(kind.letters)))) for kind in kinds]

    def word(self) -> str:
        (number,) = self._random.choices(self._kinds, cum_weights=self._shares)
        kind = self._language.words[number]
        length = self._random.randint(kind.shortest, kind.longest)
        return "".join(self._random.choices(kind.letters, cum_weights=self._weights[number], k=length))

    def words(self, least: int, most: int) -> str:
        return self._language.space.join(self.word() for _ in range(self._random.randint(least, most)))

    def sentence(self) -> str:
        clauses = [self.words(3, 9) for _ in range(self._random.randint(1, 3))]
        text = self._language.comma.join(clauses)
        return (text[0].upper() + text[1:] if self._language.capitals else text) + self._language.stop

    def paragraph(self) -> str:
        return "".join(self.sentence() for _ in range(self._random.randint(3, 8))) + "\n"

    def _fill(self, most: int, template: str) -> str:
        """Return a template with its fields replaced; ``most`` is the largest number, 0 if there is none."""
        number = self._random.randint(1, most) if most else 0
        shown = {"n": f"{number}", "hex": f"{number % 16:x}", "byte": f"{number % 256:02x}", "width": f"{number % 400}"}

        def part(field: re.Match[str]) -> str:
            name, *counts = field[1].split("_")
            if name in shown or name == "words":
                return shown[name] if name in shown else self.words(*map(int, counts))
            word = self.word()
            return quote(word) if name == "quoted" else f'<a href="/wiki/{quote(word)}" title="{word}">{word}</a>'

        return re.sub(r"\{(\w+)\}", part, template)

    def _paragraph(self) -> str:
        sentences = (
            self.sentence() + self._fill(*self._random.choice((_LINK, _NOTE)))
            for _ in range(self._random.randint(1, 3))
        )
        return f"<p>{''.join(sentences)}</p>\n"

    def block(self) -> str:
        """Return an element of a page, with about the same share of each kind as in an encyclopedia."""
        (kind,) = self._random.choices((*_ELEMENTS, None), weights=(30, 25, 20, 15, 10))
        return self._paragraph() if kind is None else self._fill(*kind)

    def write(self, style: Style) -> str:
        parts = []
        if style == "markup":
            parts.append(f"<!DOCTYPE html>\n<html>\n<head>\n<title>{self.words(1, 3)}</title>\n")
            parts.append('<link rel="stylesheet" href="/load.php?only=styles&amp;skin=vector">\n</head>\n<body>\n')
        length = 0
        while length < _DRAWN[style]:
            parts.append(self.paragraph() if style == "plain text" else self.block())
            length += len(parts[-1])
        return "".join(parts)


@cache
def draw(language: str, style: Style) -> str:
    """Return text of ``language`` generated from a seed, the same on every machine."""
    return _Writer(language, style).write(style)


@dataclass(frozen=True)
class Text:
    """Text and its origin: ``"corpus"`` or ``"drawn"``."""

    text: str
    origin: str


class Corpus:
    """Texts by language and style, from ``folder`` if it has them.

    Raise ``FileNotFoundError`` for a folder without a file for a known language, and ``UnicodeDecodeError`` for a file
    that is not UTF-8, before anything is measured.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._texts: dict[tuple[str, Style], Text] = {}
        if folder is None:
            return
        if not folder.is_dir():
            raise FileNotFoundError(f"the corpus {folder} is not a folder")
        for language in _languages():
            for style in STYLES:
                path = folder / f"{language}.{_SUFFIX[style]}"
                if path.exists():
                    try:
                        text = path.read_text("utf-8-sig")
                    except UnicodeDecodeError as error:
                        error.add_note(f"in {path.name} of the corpus, which must be UTF-8")
                        raise
                    if text:
                        self._texts[language, style] = Text(text, "corpus")
        if not self._texts:
            names = ", ".join(f"{language}.txt" for language in _languages())
            raise FileNotFoundError(f"the corpus {folder} has none of {names}, and no .html of these names")

    def get(self, language: str, style: Style) -> Text:
        """Return the text of ``language`` in ``style``; raise ``KeyError`` for an unknown language."""
        found = self._texts.get((language, style))
        return found if found is not None else Text(draw(language, style), "drawn")


def restrict(text: str, representable: frozenset[str]) -> str:
    """Return ``text`` with only characters of ``representable``: others are decomposed or omitted."""
    table: dict[int, str | None] = {}
    for character in set(text) - representable:
        parts = "".join(chr(int(part, 16)) for part in unicodedata.decomposition(character).split() if part[0] != "<")
        table[ord(character)] = parts if parts and representable.issuperset(parts) else None
    return text.translate(table) if table else text
