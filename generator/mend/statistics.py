"""Count pairs of classes over good lines, and the bits that follow from it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from generator.counting import Numbers, Shares, code_points, occurrences
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

    pairs: Mapping[str, list[int]]
    characters: Mapping[str, int]
    rare: list[int]


def _halves(probabilities: Shares) -> Numbers:
    """Return costs in halves of a bit."""
    costs: Numbers = np.rint(-HALVES * np.log2(probabilities)).clip(max=MOST).astype(int)
    return costs


def _numbers(*names: str) -> list[int]:
    return [NAMES.index(name) for name in names]


def count(lines: Iterable[str], classes: Classes) -> Statistics:
    """Return the statistics of good lines."""
    text = "\n".join(["", *lines, ""])
    capitals = [line.upper() for line in text.split("\n") if not line.isascii() and line.upper() != line]
    numbers = classes.numbers.copy()
    numbers[ord("\n")] = NAMES.index(EDGE)
    weights = np.zeros((len(NAMES), len(NAMES)))
    for part, weight in ((text, 1), ("\n".join(["", *capitals, ""]), _CAPITALS)):
        of_part = numbers[code_points(part)]
        weights += weight * occurrences(weights.shape, of_part[:-1], of_part[1:])
    seen = occurrences((sys.maxunicode + 1,), code_points(text))
    seen[ord("\n")] = 0
    return Statistics(_pairs(weights), *_characters(seen, classes))


def _pairs(weights: Shares) -> dict[str, list[int]]:
    """Return the costs of each class after each class, given the occurrences."""
    row, column = weights.sum(axis=1, keepdims=True), weights.sum(axis=0)
    alone = (column + 0.5) / (column.sum() + len(NAMES) / 2)
    unseen = _UNSEEN_OF_TYPE * np.sqrt((weights > 0).sum(axis=1, keepdims=True)) + _UNSEEN
    costs = (np.maximum(weights - _DISCOUNT, 0) + unseen * alone) / (row + unseen)
    signs, drawn = _numbers(*SIGNS), _numbers(*DRAWN)
    for first, share, rest in FAMILIES:
        members = sharing = _numbers(first, *rest)
        after = weights[members].sum(axis=0) / row[members].sum()
        if first == "ASCII sign":  # each sign follows another as often as any other does: text has too few of them
            after[members] = (after[members] + after[members].mean()) / 2
        else:
            sharing = members[1:]
        costs[sharing] = (1 - share) * costs[sharing] + share * after
    costs[:, signs] = (1 - _ANY_SIGN) * costs[:, signs] + _ANY_SIGN * costs[:, signs].mean(axis=1, keepdims=True)
    for members, least in ((signs, _SIGN_AFTER_SIGN), (drawn, _DRAWN)):
        costs[np.ix_(members, members)] = np.maximum(costs[np.ix_(members, members)], least)
    blank, no_break, combining, replacement = _numbers("blank", "no-break space", "combining", REPLACEMENT)
    costs[:, no_break] = np.maximum(costs[:, no_break], _NO_BREAK * costs[:, blank])
    costs[:, combining] = np.maximum(costs[:, combining], _COMBINING)
    rows = _halves(np.vstack([costs, alone]))
    rows[:, replacement] = _OF_REPLACEMENT
    return dict(zip((*NAMES, "*"), rows.tolist(), strict=True))


def _characters(seen: Numbers, classes: Classes) -> tuple[dict[str, int], list[int]]:
    """Return the cost of each character within its class, and that of a rare one, given the occurrences."""
    of_list = np.bincount([NAMES.index(name) for name in classes.listed.values()], minlength=len(NAMES))
    sizes = np.array([_SIZES.get(name) or of_list[number] or 90 for number, name in enumerate(NAMES)])
    of_class = np.bincount(classes.numbers, seen, len(NAMES))
    is_priced = seen >= _SEEN
    is_priced[ord(_FIRST_UNIFORM) :] = False
    is_priced[[ord(character) for character in classes.listed]] = True
    priced = np.flatnonzero(is_priced)
    number = classes.numbers[priced]
    few = 0.03 * np.maximum(1, of_class[number] / sizes[number])
    probabilities = (seen[priced] + few) / (of_class[number] * 1.03 + 1)
    costs = dict(zip(map(chr, priced), _halves(np.minimum(1, probabilities)).tolist(), strict=True))
    rare = np.rint(HALVES * np.log2(sizes)).astype(int) + [2 if name in _LARGE else _RARE for name in NAMES]
    return costs | {"\ufffd": 0, "\ufeff": 4}, rare.tolist()
