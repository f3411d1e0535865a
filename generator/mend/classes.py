"""The classes of characters whose pairs are counted: fine where UTF-8 is misread as such characters, coarse elsewhere.

A class is a set of characters that stand in the same places of good text. The letters and signs that misread UTF-8
begins with (Ã, Â, Ð, â …) have classes of their own, or share one with few others.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Mapping
from itertools import chain

import numpy as np

from generator.detect.classes import runs
from generator.model import Snapshot

EDGE, LETTER, REPLACEMENT, NEVER, C1 = "edge", "a-z", "replacement", "never", "C1"
"""Names of classes that something else refers to. The edge of a line is one; `never` is what no text has."""

_LISTED: Mapping[str, str] = {
    "blank": " \t", LETTER: "abcdefghijklmnopqrstuvwxyz", "A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0-9": "0123456789",
    "opening": "([{<", "closing": ".,;:!?)]}>", "quote": "\"'`", "ASCII sign": "-_/\\|@#$%&*+=~^",
    "no-break space": "\xa0\u202f\u2007", "soft hyphen": "\xad",
    "Â": "Â", "Ă": "Ă", "Ã": "Ã", "Ä": "ÄÅÆ", "É": "ÇÈÉÊËÌÍ", "Ð": "ÐÑ", "Î": "ÎÏ", "Ø": "ØÙÛ", "Ö": "ÒÓÔÕÖÚÜÝÞ",
    "ß": "ß", "à": "à", "á": "áã", "â": "âă", "ä": "äåæç", "é": "éè", "ê": "êëìí", "ï": "îï", "ð": "ð",
    "ó": "ñòóôõöøùúûüýþÿ",
    "¡": "¡¿", "«": "«‹", "»": "»›", "“": "“‘„‚", "”": "”’", "–": "–—―", "…": "…", "°": "°", "º": "ªº", "²": "¹²³",
    "½": "¼½¾", "±": "±¬÷", "µ": "µ", "×": "×", "€": "€£¢¥¤", "©": "©®™", "§": "§¶", "•": "·•",
    "¨": "¨¯´¸ˆ˜ˇ˘˙˛˝", "†": "¦†‡‰ƒ", "√": "√∂∑∏∫≈≠∞≤≥◊∆Ω⁄−⌐⌠⌡ⁿ₧∙",
    "─": "─│┌┐└┘├┤┬┴┼", "═": "═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬", "█": "▀▄█▌▐░▒▓■",
    "✓": "✓✔✗✘★☆♥♦♠♣●○◆◇□▪▫▲▼►◄✅❌⚠",
    "α": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ", "Α": "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏΪΫ",
    "а": "абвгдежзийклмнопрстуфхцчшщъыьэюя", "Р": "РС", "А": "АБВГДЕЖЗИЙКЛМНОПТУФХЦЧШЩЪЫЬЭЮЯ",
    "ё": "ёієїґў", "Ё": "ЁІЄЇҐЎ", "ј": "јѕђѓљњћќџ", "Ј": "ЈЅЂЃЉЊЋЌЏ",
    "Š": "ŠŒŽ", "š": "šœžı", "Ÿ": "Ÿ", "№": "№", REPLACEMENT: "\ufffd",
}  # fmt: skip
_OF_RANGES: tuple[tuple[str, str], ...] = (
    ("phonetic", "250-2FF"), ("greek", "370-3FF 1F00-1FFF"), ("cyrillic", "400-52F 1C80-1C8F 2DE0-2DFF A640-A69F"),
    ("hebrew", "590-5FF FB1D-FB4F"), ("arabic", "600-77F 8A0-8FF"), ("form", "FB50-FDFF FE70-FEFC FFA0-FFDF"),
    ("indic", "900-DFF"),
    ("thai", "E00-EFF"), ("east asian sign", "3000-303F FE30-FE4F FF00-FF60 FFE0-FFEE"),
    ("kana", "3040-30FF 31F0-31FF"), ("half-width kana", "FF61-FF9F"),
    ("rare ideograph", "3400-9FFF F900-FAFF 20000-3FFFF"), ("rare syllable", "AC00-D7A3"),
    ("punctuation", "2000-206F FEFF"), ("arrow", "2190-21FF"), ("emoji", "FE00-FE0F 1F000-1FFFF"),
    ("dingbat", "2600-27BF"),
)  # fmt: skip
_COMMON = {"rare ideograph": "ideograph", "rare syllable": "syllable"}
_ROWS_OF_COMMON: Mapping[str, tuple[int, int, int]] = {  # index: characters of a row; the first row, and the last one
    "jis0208": (94, 15, 83), "gb18030": (190, 0x2F, 0x76), "big5": (157, 0x23, 0x45), "euc-kr": (190, 0x2F, 0x47),
}  # fmt: skip
_CATEGORIES: tuple[tuple[str, str], ...] = (("Lu", "capital"), ("L", "letter"), ("M", "mark"))
OTHERS = ("capital", "letter", "Latin capital", "Latin letter", "Vietnamese capital", "Vietnamese letter",
          "combining", "mark", "sign", "ideograph", "syllable", C1, NEVER)  # fmt: skip

NAMES: tuple[str, ...] = (EDGE, *_LISTED, *(name for name, _ in _OF_RANGES), *OTHERS)

FAMILIES: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    ("a-z", 0.05, ("ß", "à", "á", "â", "ä", "é", "ê", "ï", "ð", "ó", "š", "Latin letter", "Vietnamese letter")),
    ("A-Z", 0.05, ("Ä", "É", "Ð", "Î", "Ø", "Ö", "Š", "Ÿ", "Latin capital", "Vietnamese capital")),
    ("ASCII sign", 0.3, ("°", "º", "²", "½", "±", "µ", "×", "€", "©", "§", "•", "¨", "†", "√", "─", "═", "█", "✓",
                         "arrow", "dingbat", "emoji", "sign", "№", "“", "”", "«", "»", "–", "…", "¡", "punctuation")),
    ("а", 0.03, ("ё", "ј", "cyrillic")), ("А", 0.15, ("Ё", "Ј", "Р")), ("α", 0.03, ("greek",)),
)  # fmt: skip
"""Classes that share a part of their counts, since text has too few pairs of each: the first has the most of them."""


DRAWN = ("─", "═", "█")
SIGNS = next(rest for first, _, rest in FAMILIES if first == "ASCII sign")


class Classes:
    """The class of each character."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.listed = {character: name for name, characters in _LISTED.items() for character in characters}
        self._of_ranges = {code_point: name for name, text in _OF_RANGES for run in runs(text) for code_point in run}
        self._combining = frozenset(chain(*runs("300-36F 1AB0-1AFF 1DC0-1DFF 20D0-20FF")))
        self._common = {
            code_point
            for index, (cells, first, last) in _ROWS_OF_COMMON.items()
            for code_point in snapshot.indexes[index].code_points[first * cells : last * cells]
        }
        """Ideographs and syllables of the rows for common ones in the national standards."""
        names = map(self._name, map(chr, range(sys.maxunicode + 1)))
        self.numbers = np.fromiter(map(NAMES.index, names), np.uint8)
        """The position in NAMES of the class of each code point."""

    def _name(self, character: str) -> str:
        """Return the name of a character's class."""
        code_point, category = ord(character), unicodedata.category(character)
        if character in self.listed:
            return self.listed[character]
        if 0x80 <= code_point < 0xA0:
            return C1
        if category in ("Cn", "Co", "Cs", "Cc"):
            return NEVER
        is_capital = category == "Lu"
        if code_point < 0x250:
            return "Latin capital" if is_capital else "Latin letter"
        if 0x1E00 <= code_point < 0x1F00:
            return "Vietnamese capital" if is_capital else "Vietnamese letter"
        if category[0] == "M" and code_point in self._combining:
            return "combining"
        if name := self._of_ranges.get(code_point):
            return _COMMON[name] if name in _COMMON and code_point in self._common else name
        return next((name for start, name in _CATEGORIES if category.startswith(start)), "sign")
