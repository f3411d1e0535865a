"""Where symbols stand: how often each is between two neighbours, beside all else that is there.

A symbol is a character beyond ASCII that is no letter of an alphabet and not East Asian. What is around it tells more
than what is before it: in "don’t" letters of one word, in "5°C" a digit and a capital. So it is counted between the
kinds of both neighbours. A letter beyond ASCII that is alone in ASCII is counted likewise, by its group.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from generator.detect import classes as cls
from generator.detect.classes import Classes

KINDS = ("digit", "space", "lower", "upper", "opening", "closing", "Latin", "letter", "East Asian", "symbol")
"""The kinds of neighbours: the first ASCII_KINDS are of ASCII, but for U+00A0 and U+3000, which are spaces, too."""
ASCII_KINDS = 6
GROUPS = ("Latin lower", "Latin upper", "letter", "East Asian")
"""The groups of letters beyond ASCII."""

_OPENING = frozenset("([{<\"'=/#@$+&*~")
_SYMBOLS = ((0xA0, 0x100), (0x2C6, 0x2DE), (0x2000, 0x2E80))
"""Code points among which the characters without an alphabet are symbols: those of Hebrew or Arabic go with letters."""

COSTS = (1.0, 2.5, 4.0, 5.5, 7.0, 8.5, 10.0, 11.5, 13.0, 14.5, 16.0, 18.0, 20.0, 23.0, 26.5, 30.0)
"""The levels of costs, in bits: more than those of pairs, since a symbol is hardly within a word."""

PSEUDO = 30.0
"""Of a million characters, those for which a symbol's rate anywhere counts in each place; hardly matters."""


_LETTERS = frozenset({2, 3, 6, 7})
_WITHIN, _ANYWHERE = 1024, 4
"""By how much a symbol may be rarer than elsewhere between two letters, and in other places."""


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
    numbers = []
    for number, class_ in enumerate(classes.all):
        is_symbol = len(class_.name) == 1 and any(first <= ord(class_.name) < end for first, end in _SYMBOLS)
        if not class_.script and (is_symbol or class_.name in (cls.BOX, cls.OTHER_SYMBOL)):
            numbers.append(number)
    return numbers


def class_kind(class_: cls.Class) -> int:
    """Return the kind of the members of a class beyond ASCII."""
    if class_.name in ("\xa0", "\u3000"):
        return 1
    if class_.script == "LATIN":
        return 6
    if class_.script == "CJK" or class_.name in (cls.FULL_WIDTH, cls.EAST_ASIAN):
        return 8
    return 7 if class_.script or class_.name == cls.OTHER_LETTER else 9


@dataclass(frozen=True)
class Places:
    """Costs in bits, by what stands between two kinds (left * len(KINDS) + right)."""

    symbols: Mapping[int, Sequence[float]]
    """Of each class of symbols."""
    letters: Sequence[Sequence[float]]
    """Of each group of letters, between kinds of ASCII (left * ASCII_KINDS + right)."""
    shares: Mapping[int, float]
    """Of each Latin class the bits of it among the Latin letters."""


@dataclass(frozen=True)
class Counts:
    """Characters to a million of the mix, by the kinds of their neighbours."""

    total: Mapping[tuple[int, int], float]
    symbols: Mapping[tuple[int, int, int], float]
    """Of each class of symbols, which is the first number."""
    letters: Mapping[tuple[int, int, int], float]
    """Of each group, likewise, without neighbours beyond ASCII."""
    latin: Mapping[int, float]
    """Letters of each Latin class that are alone in ASCII."""


def count(classes: Classes, texts: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> Counts:
    """Return the counts in the forms of each text, a million characters of each of which count for its weight."""
    symbols = placed(classes)
    characters = {code_point: number for code_point, number in enumerate(classes.of) if number in set(symbols)}
    kinds = {code_point: chr(ascii_kind(code_point)) for code_point in range(0x80)}
    kinds |= {code_point: chr(class_kind(classes.all[classes.of[code_point]])) for code_point in range(0x80, cls.LIMIT)}
    chosen = re.compile(f"(?s)(?=(.)([{re.escape(''.join(map(chr, characters)))}])(.))")
    lone = re.compile(r"(?s)(?<=[\x00-\x7f])[^\x00-\x7f](?=[\x00-\x7f])")
    total: defaultdict[tuple[int, int], float] = defaultdict(float)
    of_symbol: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    of_group: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    latin: defaultdict[int, float] = defaultdict(float)
    for language, forms in texts.items():
        weight = weights[language] * 1e6 / sum(map(len, forms))
        for form in forms:
            of = form.translate(kinds)
            for (left, right), number in Counter(zip(of, of[2:], strict=False)).items():
                total[ord(left), ord(right)] += weight * number
            for (left, character, right), number in Counter(match.groups() for match in chosen.finditer(form)).items():
                place = (ord(kinds.get(ord(left), "\x08")), ord(kinds.get(ord(right), "\x08")))
                of_symbol[(characters[ord(character)], *place)] += weight * number
            single = Counter(form[at.start() - 1 : at.end() + 1] for at in lone.finditer(form))
            for text, number in single.items():
                group = _group(classes, text[1])
                if group is None:
                    continue
                of_group[group, ord(kinds[ord(text[0])]), ord(kinds[ord(text[2])])] += weight * number
                if group < 2:
                    latin[classes.of[ord(text[1])]] += weight * number
    return Counts(dict(total), dict(of_symbol), dict(of_group), dict(latin))


def costs(classes: Classes, counts: Counts, rates: Mapping[int, float]) -> Places:
    """Return the costs, given how often a character of each class is anywhere, if that is more often."""
    total = defaultdict(float, counts.total)
    of_symbol, of_group = defaultdict(float, counts.symbols), defaultdict(float, counts.letters)
    latin = defaultdict(float, counts.latin)
    everything = sum(total.values())

    def bits(occurrences: float, rate: float, place: tuple[int, int]) -> float:
        least = rate / (_WITHIN if _LETTERS.issuperset(place) else _ANYWHERE)
        return -log2(max(least, (occurrences + PSEUDO * rate) / (total[place] + PSEUDO)))

    every = [(left, right) for left in range(len(KINDS)) for right in range(len(KINDS))]
    of_symbols = {}
    for number in placed(classes):
        counted = sum(of_symbol[(number, *place)] for place in every) / everything
        size = classes.all[number].size if len(classes.all[number].name) > 1 else 1
        rate = max(rates[number], counted / 2)
        of_symbols[number] = [bits(of_symbol[(number, *place)], rate, place) + log2(size) for place in every]
    in_ascii = [(left, right) for left in range(ASCII_KINDS) for right in range(ASCII_KINDS)]
    letters = []
    for group in range(len(GROUPS)):
        rate = max(2.0**-18, sum(of_group[(group, *place)] for place in in_ascii) / everything / 2)
        letters.append([bits(of_group[(group, *place)], rate, place) for place in in_ascii])
    shares = {
        number: -log2(latin[number] / sum(counts.latin.values()) + 1e-4)
        for number in classes.blocks["LATIN"]
        if classes.all[number].name > "\x7f"
    }
    return Places(of_symbols, letters, shares)


def levels(bits: Iterable[float]) -> list[int]:
    """Return the levels that are nearest to costs in bits."""
    return [min(range(len(COSTS)), key=lambda level: (abs(COSTS[level] - cost), level)) for cost in bits]


def _group(classes: Classes, character: str) -> int | None:
    """Return the group of a letter beyond ASCII, None for another character."""
    if ord(character) >= cls.LIMIT:
        return 3
    class_ = classes.all[classes.of[ord(character)]]
    if class_.script == "LATIN":
        return 1 if classes.case[ord(character)] == cls.UPPER else 0
    return {7: 2, 8: 3}.get(class_kind(class_))


# -- Words -------------------------------------------------------------------------------------------------------------

WORDS = 64
"""The words of a language: with twice as many, no more of the development set's texts are told."""


def words(
    texts: Mapping[str, str], stop_words: Mapping[str, frozenset[str]], languages: Sequence[str]
) -> dict[str, list[str]]:
    """Return the commonest words of ASCII letters of each language, the commonest first.

    They are of its stop words if there is such a list, since programs' messages have common words of their own.
    """
    by_language = {}
    for language in languages:
        counted = Counter(re.findall(r"(?<![^\W\d_])[a-z]{2,12}(?![^\W\d_])", texts[language].lower()))
        usual = stop_words.get(language, frozenset(counted))
        by_language[language] = sorted(sorted(usual & counted.keys()), key=lambda word: -counted[word])[:WORDS]
    return by_language
