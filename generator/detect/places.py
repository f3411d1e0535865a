"""Where symbols stand: how often each is between two neighbours, beside all else that is there.

A symbol is a character beyond ASCII that is no letter of an alphabet and not East Asian. What is around it tells more
than what is before it: in "don’t" letters of one word, in "5°C" a digit and a capital. So it is counted between the
kinds of both neighbours. A letter beyond ASCII that is alone in ASCII is counted likewise, by its group.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from generator.counting import Shares, code_points, nearest, occurrences
from generator.detect import classes as cls
from generator.detect.classes import ASCII_KINDS, GROUPS, KINDS, Classes
from generator.detect.table import PLACE_COSTS, WORDS

PSEUDO = 30.0
"""Of a million characters, those for which a symbol's rate anywhere counts in each place; hardly matters."""


_ARE_LETTERS = [kind in ("lower", "upper", "Latin", "letter") for kind in KINDS]
_WITHIN, _ANYWHERE = 1024, 4
"""By how much a symbol may be rarer than elsewhere between two letters, and in other places."""


def _group(classes: Classes, code_point: int) -> int:
    """Return the number of a letter's group, len(GROUPS) for another character."""
    number = classes.of[code_point]
    if classes.all[number].script == "LATIN":
        return int(classes.case[code_point] == cls.UPPER)
    return {7: 2, 8: 3}.get(cls.class_kind(classes.all[number]), len(GROUPS))


def _bits(counts: Shares, rates: Shares, total: Shares) -> Shares:
    """Return the cost of each symbol (row) in each place (left * the number of kinds + right).

    A symbol is as frequent anywhere as its rate says, or half as frequent as it is here, if that is more.
    """
    kinds = counts.shape[1]
    are_letters = np.outer(_ARE_LETTERS, _ARE_LETTERS)[:kinds, :kinds]
    rate = np.maximum(rates, counts.sum(axis=(1, 2)) / total.sum() / 2)[:, np.newaxis, np.newaxis]
    here = (counts + PSEUDO * rate) / (total[:kinds, :kinds] + PSEUDO)
    bits: Shares = -np.log2(np.maximum(here, rate / np.where(are_letters, _WITHIN, _ANYWHERE)))
    return bits.reshape(len(counts), -1)


def count(
    classes: Classes, texts: Mapping[str, Sequence[str]], weights: Mapping[str, float], rates: Shares
) -> tuple[dict[str, list[int]], dict[str, list[int]], list[int]]:
    """Return the costs of symbols by place, those of lone letters by place, and the bits of each lone Latin letter.

    The forms of each text count by its weight. `rates` has how often a character of each class is anywhere.
    """
    # The last entry of these is for all code points from LIMIT on.
    of = np.array([*classes.of, classes.number[cls.ASTRAL]])
    kind = np.array([cls.class_kind(class_) for class_ in classes.all])[of]
    kind[:0x80] = [cls.ascii_kind(code_point) for code_point in range(0x80)]
    group = np.array([*(_group(classes, code_point) for code_point in range(cls.LIMIT)), GROUPS.index("East Asian")])
    kind[cls.LIMIT] = KINDS.index("East Asian")
    places = np.zeros((len(classes), len(KINDS), len(KINDS)))
    letters = np.zeros((len(GROUPS) + 1, ASCII_KINDS, ASCII_KINDS))
    latin = np.zeros(len(classes))
    for language, forms in texts.items():
        weight = weights[language] * 1e6 / sum(map(len, forms))
        for form in forms:
            points = code_points(form).clip(max=cls.LIMIT)
            left, middle, right = points[:-2], points[1:-1], points[2:]
            places += weight * occurrences(places.shape, of[middle], kind[left], kind[right])
            is_lone = (left < 0x80) & (middle >= 0x80) & (right < 0x80)
            left, middle, right = left[is_lone], middle[is_lone], right[is_lone]
            letters += weight * occurrences(letters.shape, group[middle], kind[left], kind[right])
            latin += weight * occurrences(latin.shape, of[middle[group[middle] < 2]])
    total, symbols = places.sum(axis=0), cls.placed(classes)
    sizes = [class_.size if len(class_.name) > 1 else 1 for class_ in classes.all]
    of_symbols = _bits(places[symbols], rates[symbols], total) + np.log2(sizes)[symbols, np.newaxis]
    of_letters = _bits(letters[: len(GROUPS)], np.full(len(GROUPS), 2.0**-18), total)
    names = [classes.all[number].name for number in symbols]
    shares = -np.log2(latin / latin.sum() + 1e-4)
    return (
        dict(zip(names, nearest(of_symbols, PLACE_COSTS).tolist(), strict=True)),
        dict(zip(GROUPS, nearest(of_letters, PLACE_COSTS).tolist(), strict=True)),
        [
            min(15, round(shares[number])) if classes.all[number].name > "\x7f" else 0
            for number in classes.blocks["LATIN"]
        ],
    )


def words(
    texts: Mapping[str, str], stop_words: Mapping[str, frozenset[str]], languages: Iterable[str]
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
