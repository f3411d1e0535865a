"""Classes of code points: what the statistics of text distinguish.

A letter of a script that single-byte encodings have is a class of its own, in either case; so is every other character
of theirs. Ideographs, syllables and kana are in classes by frequency, and ideographs by language, too; whatever only
other encodings have is in a few. The classes of a script are consecutive, since pairs are counted within a script.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from generator.model import SINGLE_BYTE_HEADING, Snapshot

# The database of Unicode 3.2 is part of every Python, so that classes do not depend on Python's version.
_UNICODE = unicodedata.ucd_3_2_0

LIMIT = 0x10000
"""The code points from here on have two classes: EMOJI and ASTRAL."""

SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC", "THAI", "CJK")
ALPHABETS = SCRIPTS[:-1]

MALFORMED, C1, C0, PRIVATE, SPACE, DIGIT, EMOJI, ASTRAL = (
    "malformed", "C1", "C0", "private", "space", "digit", "emoji", "astral",
)  # fmt: skip
OTHER_LETTER, OTHER_SYMBOL, BOX, HALF_WIDTH, FULL_WIDTH, EAST_ASIAN, JAMO, RARE_HAN = (
    "other letter", "other symbol", "box", "half-width", "full-width", "East Asian", "jamo", "rare ideograph",
)  # fmt: skip

PUNCTUATION = (".,", ":;!?", "\"'", "()[]{}", "-", "<>/=&#")
"""The ASCII characters that occur in the same places. The rest is one class, named by its first character."""

EAST_ASIAN_MARKS = "、。「」『』【】《》〈〉　，．（）！？：；・ー"

HAN, HANGUL = range(0x4E00, 0xA000), range(0xAC00, 0xD7A4)
HIRAGANA, KATAKANA = range(0x3041, 0x30A0), range(0x30A1, 0x30FB)
LEVELS: Mapping[str, tuple[range, int]] = {
    "ideograph": (HAN, 16),
    "syllable": (HANGUL, 4),
    "hiragana": (HIRAGANA, 4),
    "katakana": (KATAKANA, 4),
}
"""The ranges that are divided by frequency, and into how many classes."""

LOWER, UPPER = 1, 2


@dataclass(frozen=True)
class Class:
    """A class: its name, its script ("" if none), and the number of code points in it."""

    name: str
    script: str
    size: int


NEVER_DETECTED = frozenset({"ISO-8859-10", "ISO-8859-14", "ISO-8859-16"})
"""The single-byte encodings for which the few texts in them do not warrant letters of their own."""


def repertoire(snapshot: Snapshot) -> str:
    """Return the characters beyond ASCII of the single-byte encodings that are detected, in order."""
    names = {
        encoding.name.lower()
        for encoding in snapshot.encodings
        if encoding.heading == SINGLE_BYTE_HEADING and encoding.name not in NEVER_DETECTED
    }
    characters = {
        chr(code_point)
        for name, index in snapshot.indexes.items()
        if name in names
        for code_point in index.code_points
        if code_point is not None and code_point >= 0xA0
    }
    return "".join(sorted(characters))


def runs(text: str) -> Iterator[range]:
    """Yield runs of code points, which are written as hexadecimal digits: "80-9F AD".

    >>> list(runs("80-9F AD"))
    [range(128, 160), range(173, 174)]
    """
    for run in text.split():
        first, _, last = run.partition("-")
        yield range(int(first, 16), int(last or first, 16) + 1)


def _spread(*rows: tuple[str, str, str]) -> dict[int, tuple[str, str]]:
    """Return the class and the script of each code point in rows of both and of runs; a later row wins."""
    return {code_point: (name, script) for name, script, text in rows for run in runs(text) for code_point in run}


_OF_RANGES = _spread(
    (C1, "", "80-9F"), (MALFORMED, "", "D800-DFFF FFFD-FFFF"), (PRIVATE, "", "E000-F8FF"), (BOX, "", "2500-259F"),
    (EAST_ASIAN, "", "2E80-33FF"), (RARE_HAN, "CJK", "3400-4DBF F900-FAFF"), (JAMO, "CJK", "1100-11FF 3130-318F"),
    (FULL_WIDTH, "", "FF00-FFEF"), (HALF_WIDTH, "", "FF61-FF9F"),
)  # fmt: skip
"""Of these ranges all but EAST_ASIAN_MARKS."""
_OTHERS = _spread(
    ("other LATIN", "LATIN", "C0-24F 1E00-1EFF"), ("other GREEK", "GREEK", "370-3FF 1F00-1FFF"),
    ("other CYRILLIC", "CYRILLIC", "400-52F"), ("other HEBREW", "HEBREW", "590-5FF FB1D-FB4F"),
    ("other ARABIC", "ARABIC", "600-6FF FB50-FDFF FE70-FEFF"), ("other THAI", "THAI", "E00-E7F"),
    (OTHER_SYMBOL, "", "2000-2E7F"),
)  # fmt: skip
"""Unicode's blocks of letters of alphabets, and of symbols: characters without a class of their own."""


def _script(character: str) -> str:
    """Return the alphabet of a letter or of a mark on letters, "" if it is not one."""
    if not _UNICODE.category(character).startswith(("L", "M")) or character in "ªº":
        return ""
    first = _UNICODE.name(character, "").partition(" ")[0]
    return "LATIN" if first == "COMBINING" else first if first in ALPHABETS else ""


def _ascii(character: str) -> str:
    if character.isalpha():
        return character.lower()
    if character.isdigit():
        return DIGIT
    return next((group for group in PUNCTUATION if character in group), "$")


# Letters that are written as one another: s and t with cedilla stand for s and t with comma below.
_FOLDED = {"ș": "ş", "ț": "ţ", "Ș": "ş", "Ț": "ţ"}


def _case(code_point: int) -> int:
    return {"Lu": UPPER, "Ll": LOWER}.get(_UNICODE.category(chr(code_point)), 0)


class Classes:
    """The classes of code points below LIMIT; `levels` has those of the ranges in LEVELS, 0 for the most frequent."""

    def __init__(self, characters: Iterable[str], levels: Mapping[str, Sequence[int]]) -> None:
        self.characters = frozenset(characters)
        self.levels = levels
        kinds = [self._classify(code_point) for code_point in range(LIMIT)]
        named = {name: Class(name, script, size) for (name, script), size in Counter(kinds).items()}
        named |= {name: Class(name, "", LIMIT) for name in (EMOJI, ASTRAL)}
        malformed = named.pop(MALFORMED)
        order = ("", *SCRIPTS)
        self.all = (malformed, *sorted(named.values(), key=lambda class_: (order.index(class_.script), class_.name)))
        self.number = {class_.name: number for number, class_ in enumerate(self.all)}
        self.of = [self.number[name] for name, _ in kinds]
        has_case = [bool(class_.script) and not class_.name.startswith("other ") for class_ in self.all]
        self.case = [_case(code_point) if has_case[number] else 0 for code_point, number in enumerate(self.of)]

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def blocks(self) -> dict[str, range]:
        """The classes of each script."""
        ranges = {}
        for script in SCRIPTS:
            numbers = [number for number, class_ in enumerate(self.all) if class_.script == script]
            ranges[script] = range(numbers[0], numbers[-1] + 1)
        return ranges

    def _classify(self, code_point: int) -> tuple[str, str]:
        """Return the names of the class and of its script."""
        character = chr(code_point)
        for name, (members, _) in LEVELS.items():
            if code_point in members:
                return f"{name} {self.levels[name][code_point - members[0]]}", "CJK"
        if code_point < 0x80:
            name = SPACE if character in "\t\n\f\r " else C0 if code_point < 0x20 or code_point == 0x7F else ""
            name = name or _ascii(character)
            return name, "LATIN" if character.isalpha() else ""
        if character in EAST_ASIAN_MARKS:
            return character, ""
        if code_point in _OF_RANGES:
            return _OF_RANGES[code_point]
        lower = _FOLDED.get(character, character.lower())
        if character in self.characters or (lower in self.characters and len(lower) == 1):
            script = _script(character)
            return (lower if script and lower in self.characters else character), script
        return _OTHERS.get(code_point, (OTHER_LETTER, ""))


# -- Neighbours --------------------------------------------------------------------------------------------------------

CONTEXTS = ("space", "digit", "punctuation", "symbol", *SCRIPTS)
"""What a class is for the next character, unless that is of the same script."""


def contexts(classes: Classes) -> list[str]:
    """Return the context that each class is for the next character."""

    def context(class_: Class) -> str:
        if class_.script:
            return class_.script
        if class_.name in (SPACE, DIGIT):
            return class_.name
        return "punctuation" if class_.name[0] < "\x7f" and class_.name in ("$", *PUNCTUATION) else "symbol"

    return list(map(context, classes.all))


KINDS = ("digit", "space", "lower", "upper", "opening", "closing", "Latin", "letter", "East Asian", "symbol")
"""The kinds of neighbours: the first ASCII_KINDS are of ASCII, but for U+00A0 and U+3000, which are spaces, too."""
ASCII_KINDS = 6
GROUPS = ("Latin lower", "Latin upper", "letter", "East Asian")
"""The groups of letters beyond ASCII."""

_OPENING = frozenset("([{<\"'=/#@$+&*~")
_SYMBOLS = frozenset(chain(*runs("A0-FF 2C6-2DD 2000-2E7F")))
"""Code points among which the characters without an alphabet are symbols: those of Hebrew or Arabic go with letters."""


def ascii_kind(code_point: int) -> int:
    """Return the kind of an ASCII character."""
    character = chr(code_point)
    if character.isdigit():
        return 0
    if character in " \t\r\n\f" or code_point < 0x20:
        return 1
    if character.isalpha():
        return 3 if character.isupper() else 2
    return 4 if character in _OPENING else 5


def placed(classes: Classes) -> list[int]:
    """Return the classes whose members are priced by both neighbours."""

    def is_placed(class_: Class) -> bool:
        is_symbol = len(class_.name) == 1 and ord(class_.name) in _SYMBOLS
        return not class_.script and (is_symbol or class_.name in (BOX, OTHER_SYMBOL))

    return [number for number, class_ in enumerate(classes.all) if is_placed(class_)]


def class_kind(class_: Class) -> int:
    """Return the kind of the members of a class beyond ASCII."""
    if class_.name in ("\xa0", "\u3000"):
        return 1
    if class_.script == "LATIN":
        return 6
    if class_.script == "CJK" or class_.name in (FULL_WIDTH, EAST_ASIAN):
        return 8
    return 7 if class_.script or class_.name == OTHER_LETTER else 9
