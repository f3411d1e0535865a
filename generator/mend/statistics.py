"""Count pairs of classes over good lines, and the bits that follow from it."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log2

from generator.mend.classes import DRAWN, EDGE, FAMILIES, NAMES, NEVER, REPLACEMENT, SIGNS, Classes

HALVES = 2
"""Costs are integers, in halves of a bit."""
MOST = 60
"""The dearest pair: 30 bits."""

_CAPITALS = 0.1
"""The weight of each line in capitals, which text has too few of."""
_SIGN_AFTER_SIGN, _DRAWN = 2**-11, 2**-2
"""Least probabilities of a sign after a sign, and of a line after another in a drawing."""
_DISCOUNT = 0.5
_UNSEEN, _UNSEEN_OF_TYPE = 4, 8
_SEEN = 3
"""A character that is rarer has the cost of a rare one of its class."""
_RARE = 10
_FIRST_UNIFORM = "\u3100"
"""From here on the characters of a class cost the same."""
_OF_REPLACEMENT = 14
_ANY_SIGN = 0.15
"""The part of a sign after a class that it shares with all signs, of which text has too few."""
_NO_BREAK = 2**-8
"""The part of the blanks after a class that may be no-break spaces, which packages rarely have."""
_COMBINING = 2**-9
"""Least probability of a combining mark after a character: the lines that are counted are composed."""
_SIZES: Mapping[str, int] = {
    "ideograph": 9000, "rare ideograph": 60_000, "syllable": 2350, "rare syllable": 8800, "indic": 900, "letter": 3000,
    "sign": 2500, "emoji": 1500, "dingbat": 400, NEVER: 5000, "arabic": 250, "east asian sign": 150, "capital": 3000,
    "Latin letter": 250, "Latin capital": 200, "cyrillic": 200, "greek": 250, "C1": 32, "Vietnamese letter": 130,
    "Vietnamese capital": 130, "phonetic": 170, "mark": 400,
}  # fmt: skip
"""Characters of the classes that have no list."""
_LARGE = frozenset(
    ["ideograph", "rare ideograph", "syllable", "rare syllable", "sign", "dingbat", "arrow", "emoji", "combining"]
)


@dataclass(frozen=True)
class Statistics:
    """Costs in halves of a bit: of a class after a class (the last row: after what has no class), of characters."""

    pairs: Mapping[str, tuple[int, ...]]
    characters: Mapping[str, int]
    rare: tuple[int, ...]


def _halves(probability: float) -> int:
    return min(MOST, round(-HALVES * log2(probability)))


def count(lines: Iterable[str], classes: Classes) -> Statistics:
    """Return the statistics of good lines."""
    text, capitals = io.StringIO("\n"), io.StringIO("\n")
    text.seek(1), capitals.seek(1)
    for line in lines:
        text.write(f"{line}\n")
        if not line.isascii() and (upper := line.upper()) != line:
            capitals.write(f"{upper}\n")
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for part, weight in ((text.getvalue(), 1), (capitals.getvalue(), _CAPITALS)):
        for pair, n in Counter(pairwise(part)).items():
            before, after = (EDGE if character == "\n" else classes.of(character) for character in pair)
            weights[before, after] += weight * n
    seen = Counter(text.getvalue())
    del seen["\n"]
    return Statistics(_pairs(weights), *_characters(seen, classes))


def _pairs(weights: Mapping[tuple[str, str], float]) -> dict[str, tuple[int, ...]]:
    row, column = defaultdict[str, float](float), defaultdict[str, float](float)
    types = Counter[str]()
    for (before, after), n in weights.items():
        row[before] += n
        column[after] += n
        types[before] += 1
    total = sum(column.values())
    alone = {name: (column[name] + 0.5) / (total + len(NAMES) / 2) for name in NAMES}
    shared = _shared(weights, row)
    signs = [NAMES.index(name) for name in SIGNS]
    rows = {}
    for before in NAMES:
        unseen = _UNSEEN_OF_TYPE * types[before] ** 0.5 + _UNSEEN
        costs = []
        for after in NAMES:
            n = weights.get((before, after), 0)
            probability = (max(n - _DISCOUNT, 0) + unseen * alone[after]) / (row[before] + unseen)
            if before in shared:
                share, of_family = shared[before]
                probability = (1 - share) * probability + share * of_family[after]
            costs.append(probability)
        mean = sum(costs[number] for number in signs) / len(signs)
        for number in signs:
            costs[number] = (1 - _ANY_SIGN) * costs[number] + _ANY_SIGN * mean
            if before in SIGNS:
                costs[number] = max(costs[number], _SIGN_AFTER_SIGN)
            if before in DRAWN and NAMES[number] in DRAWN:
                costs[number] = max(costs[number], _DRAWN)
        for name, least in (("no-break space", _NO_BREAK * costs[NAMES.index("blank")]), ("combining", _COMBINING)):
            costs[NAMES.index(name)] = max(costs[NAMES.index(name)], least)
        rows[before] = tuple(map(_halves, costs))
    rows["*"] = tuple(_halves(alone[after]) for after in NAMES)
    at = NAMES.index(REPLACEMENT)
    return {before: (*costs[:at], _OF_REPLACEMENT, *costs[at + 1 :]) for before, costs in rows.items()}


def _shared(
    weights: Mapping[tuple[str, str], float], row: Mapping[str, float]
) -> dict[str, tuple[float, dict[str, float]]]:
    """Return what follows the classes of a family, and the part of each that it makes up."""
    shares: dict[str, tuple[float, dict[str, float]]] = {}
    for first, share, rest in FAMILIES:
        members = (first, *rest)
        total = sum(row[name] for name in members)
        after = {name: sum(weights.get((member, name), 0) for member in members) / total for name in NAMES}
        if first == "ASCII sign":  # each sign follows another as often as any other does: text has too few of them
            mean = sum(after[name] for name in members) / len(members)
            after.update({name: (after[name] + mean) / 2 for name in members})
            shares[first] = (share, after)
        shares.update(dict.fromkeys(rest, (share, after)))
    return shares


def _characters(seen: Counter[str], classes: Classes) -> tuple[dict[str, int], tuple[int, ...]]:
    sizes = {
        name: _SIZES.get(name) or sum(class_name == name for class_name in classes.listed.values()) or 90
        for name in NAMES
    }
    of_class: Counter[str] = Counter()
    for character, n in seen.items():
        of_class[classes.of(character)] += n
    levels = {}
    for character in sorted({*seen, *classes.listed}):
        name = classes.of(character)
        if (seen[character] >= _SEEN and character < _FIRST_UNIFORM) or character in classes.listed:
            few = 0.03 * max(1, of_class[name] / sizes[name])
            probability = (seen[character] + few) / (of_class[name] * 1.03 + 1)
            levels[character] = _halves(min(1, probability))
    rare = tuple(round(HALVES * log2(sizes[name])) + (2 if name in _LARGE else _RARE) for name in NAMES)
    levels["\ufffd"] = 0
    levels["\ufeff"] = 4
    return levels, rare
