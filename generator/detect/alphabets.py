"""The alphabet of each language, as far as its training text shows it, and lists of its letters.

In an affix file, a keymap, or a regular expression, letters follow each other in their order, or each stands alone.
Text of programs has no such lists, so that pairs of letters in them would cost as much as those of no language.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from generator.detect.classes import Classes

_BORROWED: Mapping[str, str] = {"en": "éèêàçñöüï", "de": "éèàêç", "nl": "éèëïöüç", "it": "é"}
"""Letters of words that a language has borrowed, which say little against it, but are not of its alphabet."""
_HARDLY = 2e-5
"""The share of a language's letters below which it lacks a letter."""
LISTED = 0.001
"""Of the characters of a language's text, those that are in lists of its letters: one in a thousand. With twice that,
468 → 476 of 609 lists are read rightly and 10,798 → 10,796 of 11,642 words alone; with none 393 and 10,802."""


def lacking(
    classes: Classes, texts: Mapping[str, str], languages: Mapping[str, Iterable[str]]
) -> dict[str, dict[str, list[int]]]:
    """Return, of each alphabet, its languages and each of its classes, 1 where the language lacks the letter."""
    by_script = {}
    for script, of_script in languages.items():
        names = [classes.all[number].name for number in classes.blocks[script]]
        rows = by_script[script] = dict[str, list[int]]()
        for language in of_script:
            counted = Counter(character.lower() for character in texts[language] if character.isalpha())
            least = max(1.5, _HARDLY * counted.total())
            kept = _BORROWED.get(language, "")
            rows[language] = [
                int(len(name) > 1 or (name > "\x7f" and counted[name] < least and name not in kept)) for name in names
            ]
    return by_script


def _orders(letters: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield letters in the orders in which people list them: of their code points, and of the letters without marks."""
    yield sorted(letters)
    yield sorted(letters, key=lambda letter: (unicodedata.normalize("NFD", letter)[0], letter))


def pairs(
    classes: Classes, lacks: Mapping[str, Mapping[str, Sequence[int]]], shares: Mapping[str, float]
) -> dict[tuple[int, int], float]:
    """Return how often a class is after another one in lists, as a share of all text, given those of the languages."""
    weights: defaultdict[tuple[int, int], float] = defaultdict(float)
    for script, rows in lacks.items():
        block = classes.blocks[script]
        for language, row in rows.items():
            names = [classes.all[number].name for number, is_lacked in zip(block, row, strict=True) if not is_lacked]
            borrowed = _BORROWED.get(language, "")
            letters = [name for name in names if name > "\x7f" and name not in borrowed]
            if len(letters) < 2:
                continue
            listed = [pair for order in _orders(letters) for pair in pairwise(order)]
            if script == "LATIN":
                listed += [("z", order[0]) for order in _orders(letters)]
            for before, letter in listed:
                weights[classes.number[before], classes.number[letter]] += LISTED * shares[language] / len(listed)
    return dict(weights)
