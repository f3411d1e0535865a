"""Count text by classes of characters, and quantize what follows from it: costs in bits.

The cost of a character after another one is the negative binary logarithm of its probability. Within a script it is
known for each pair of classes; between scripts, for each class after each *context*: a script, or one of four kinds of
other characters. Everything is then rounded to few levels, since the table is small and its users add integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from generator.counting import Numbers, Shares, code_points, nearest, occurrences
from generator.detect import alphabets, everyday, places
from generator.detect import classes as cls
from generator.detect.classes import ALPHABETS, CONTEXTS, LEVELS, SCRIPTS, Classes
from generator.detect.sources import forms
from generator.detect.table import COSTS, Statistics
from generator.model import Snapshot

# -- The mix of languages ----------------------------------------------------------------------------------------------

_EVERYDAY = "everyday"
_SHARES: Mapping[str, float] = {
    "en": 4, "de": 3, "fr": 3, "es": 3, "pt": 2, "it": 2, "pl": 1.5, "tr": 1.5, "cs": 1.2, "hu": 1.2, "nl": 1, "sv": 1,
    "ro": 1, "da": 0.8, "nb": 0.8, "fi": 0.8, "sk": 0.8, "hr": 0.8, "lt": 0.7, "sl": 0.6, "lv": 0.6, "et": 0.6,
    "ca": 0.6, "vi": 0.25, "ru": 2.2, "uk": 0.55, "bg": 0.45, "be": 0.28, "sr": 0.28, "mk": 0.28, "el": 2.5, "he": 2.5,
    "ar": 1.6, "fa": 0.85, "ur": 0.55, "th": 2.5, "ja": 3.5, "zh-hans": 3.5, "zh-hant": 3, "ko": 3.5,
    _EVERYDAY: 6,
}  # fmt: skip
_OTHER_SHARE = 0.5


def _mix(languages: Collection[str]) -> dict[str, float]:
    """Return the share of each language in all text, and that of `everyday`, if it is among them."""
    shares = {language: _SHARES.get(language, _OTHER_SHARE) for language in languages}
    total = sum(shares.values())
    return {language: share / total for language, share in shares.items()}


# -- Frequency levels --------------------------------------------------------------------------------------------------

_PRIOR = 15_000
"""The number of characters that the standards' own levels count for, against those of the text."""

_LEVEL_ROWS: Mapping[str, tuple[str, int, int, range, range, range]] = {
    "zh-hans": ("gb18030", 190, 0x81, range(96, 190), range(0xB0, 0xD8), range(0xD8, 0xF8)),
    "ja": ("jis0208", 94, 0, range(94), range(15, 47), range(47, 84)),
    "zh-hant": ("big5", 157, 0x81, range(157), range(0xA4, 0xC7), range(0xC9, 0xFA)),
    "ko": ("euc-kr", 190, 0x81, range(96, 190), range(0xB0, 0xC9), range(0xCA, 0xFE)),
}
"""Where the national standard of a language has frequent and less frequent characters: the index, the length of its
rows, the number of its first row, the cells in a row, and the rows of both levels. Cell 96 has byte 0xA1."""


_IDEOGRAPHS = {"ja": 0.5, "zh-hans": 1.0, "zh-hant": 0.7}
"""The languages that frequencies of ideographs are taken from, and their weights."""


def _probabilities(snapshot: Snapshot, language: str, counts: Counter[str], members: range) -> Shares:
    """Return the probability of each code point: what was counted, smoothed by the levels of a standard."""
    index, columns, first, cells, frequent, rest = _LEVEL_ROWS[language]
    prior = np.full(len(members), 0.01 / len(members))
    for rows, share in ((frequent, 0.9), (rest, 0.09)):
        every = (snapshot.indexes[index].code_points[(row - first) * columns + cell] for row in rows for cell in cells)
        positions = list({code_point - members[0] for code_point in every if code_point and code_point in members})
        prior[positions] += share / max(1, len(positions))
    counted = np.array([counts[chr(code_point)] for code_point in members])
    smoothed: Shares = (counted + _PRIOR * prior) / (counted.sum() + _PRIOR)
    return smoothed


def _divide(probabilities: Shares, levels: int) -> Numbers:
    """Return the level of each member, in equal steps of the logarithm of its probability."""
    bits = -np.log2(probabilities)
    least, most = bits.min(), bits.max()
    steps: Numbers = ((bits - least) / (most - least + 1e-9) * levels).astype(int)
    return steps.clip(max=levels - 1)


_ROUNDS = 12
"""After these few ideographs change their class."""


def _group(shares: Shares, count: int) -> Numbers:
    """Return a class for each member, given its shares (a row) of the languages' texts.

    Members of a class are about as frequent, and in the same languages. The classes begin as levels of frequency,
    divided by whether most of a member's occurrences are in one language. Then each member moves to the class that has
    the least generalized Kullback-Leibler divergence from it, again and again. The first is the most frequent class.
    """
    total, kinds = shares.sum(axis=1), 1 + shares.shape[1]
    is_of_one = shares.max(axis=1) > 0.75 * total
    class_of = _divide(total, count // kinds) * kinds + np.where(is_of_one, 1 + shares.argmax(axis=1), 0)
    for _ in range(_ROUNDS):
        means = np.array([shares[class_of == number].mean(axis=0) for number in np.unique(class_of)])
        class_of = (means.sum(axis=1) - shares @ np.log(means).T).argmin(axis=1)
    ranks: Numbers = (-means.sum(axis=1)).argsort().argsort()[class_of]
    return ranks


def frequency_levels(snapshot: Snapshot, characters: Mapping[str, Counter[str]]) -> dict[str, list[int]]:
    """Return the level of each code point in the ranges of LEVELS, given the characters of each language."""

    def probabilities(language: str, members: range) -> Shares:
        return _probabilities(snapshot, language, characters[language], members)

    ideographs = [weight * probabilities(language, cls.HAN) for language, weight in _IDEOGRAPHS.items()]
    levels = {"ideograph": _group(np.transpose(ideographs), LEVELS["ideograph"][1])}
    levels["syllable"] = _divide(probabilities("ko", cls.HANGUL), LEVELS["syllable"][1])
    for name in ("hiragana", "katakana"):
        members, count = LEVELS[name]
        levels[name] = _divide(np.array([characters["ja"][chr(code_point)] + 1.0 for code_point in members]), count)
    return {name: numbers.tolist() for name, numbers in levels.items()}


# -- Symbols -----------------------------------------------------------------------------------------------------------

_RATES: Mapping[int, str] = {
    12: "\xa0’“”–־",
    13: "—…«»،",
    14: "•°‘\u3000",
    15: "©·„״׳؟\xad",
    16: "®™€£±µ×´¥§²№›‹ª",
    17: "º†‚¡¿½³¹¢¦÷",
    18: "¼¾‡¶‰¨¤¬",
}
"""How often symbols occur in text: one in two to this power. Programs' messages have few of them."""
_RATE = {symbol: 2.0**-bits for bits, symbols in _RATES.items() for symbol in symbols}
_OPENING = frozenset("“‘«„‚±×¿¡£€§©•‹¥†№")
_CLOSING = frozenset("־״׳’”»…—–™®°²³ºª·›¹‡¢‰½")

_LEAST: Mapping[str, float] = {
    cls.MALFORMED: 2.0**-17, cls.C1: 2.0**-22, cls.C0: 2.0**-20, cls.PRIVATE: 2.0**-26, cls.BOX: 2.0**-25,
    cls.HALF_WIDTH: 2.0**-22, cls.FULL_WIDTH: 2.0**-18, cls.EMOJI: 2.0**-20, cls.ASTRAL: 2.0**-24,
    cls.OTHER_SYMBOL: 2.0**-20, cls.OTHER_LETTER: 2.0**-14,
}  # fmt: skip
"""The probability of one character of a class whose members are hardly in the text."""


def _place(symbol: str, context: str) -> float:
    """Return the factor by which a symbol is likelier in a context than elsewhere."""
    opening, closing = symbol in _OPENING, symbol in _CLOSING
    if context in ALPHABETS:
        return 4.0 if closing else 0.2
    if context == "digit":
        return 4.0 if closing else 0.4
    if context in ("space", "punctuation"):
        return 4.0 if opening else 2.0
    return 1.0 if context == "symbol" else 0.4


# -- Counting ----------------------------------------------------------------------------------------------------------

_SMOOTHING = 0.0001
_SYLLABLES = frozenset({"syllable 0", "syllable 1", "syllable 2"})
_SYLLABLE = 0.15 / 2350
"""The least probability of one of the 2350 syllables of KS X 1001 after another: names have many that are rare."""
_CONTEXT_SMOOTHING = 0.003
_FLOOR = 2.0**-19
_ALPHABET_FLOOR = 2.0**-15


@dataclass(frozen=True)
class _Counts:
    """Weighted counts of classes, as shares of all text."""

    pairs: Shares
    """Of a class (column) after another one (row)."""
    words: Shares
    """Of each class, occurrences before a character, by whether a letter is before it, and whether one is after it."""
    by_language: Mapping[str, Numbers]
    """Of each language how often each class occurs."""
    is_letter: npt.NDArray[np.bool_]


def _counts(classes: Classes, texts: Mapping[str, Sequence[str]]) -> _Counts:
    """Return the counts in the forms of each language's text."""
    size, of = len(classes), np.array(classes.of)
    is_letter = np.array([bool(class_.script) or class_.name in "־״׳" for class_ in classes.all])
    pairs, words, by_language = np.zeros((size, size)), np.zeros((size, 2, 2)), {}
    for language, share in _mix(texts).items():
        of_pairs, of_words = np.zeros((size, size), int), np.zeros((size, 2, 2), int)
        for form in texts[language]:
            points = code_points(form)
            numbers = of[points[points < cls.LIMIT]]
            letters = is_letter[numbers].astype(int)
            of_pairs += occurrences((size, size), numbers[:-2], numbers[1:-1])
            of_words += occurrences((size, 2, 2), numbers[1:-1], letters[:-2], letters[2:])
        by_language[language] = of_pairs.sum(axis=0)
        pairs += share / of_pairs.sum() * of_pairs
        words += share / of_pairs.sum() * of_words
    return _Counts(pairs, words, by_language, is_letter)


def _likelihood(classes: Classes, single: Shares) -> Shares:
    """Return the probability of one character of each class anywhere, never 0."""

    def least(class_: cls.Class) -> float:
        floor = _ALPHABET_FLOOR if class_.script and class_.script not in ("LATIN", "CJK") else _FLOOR
        return max(_RATE.get(class_.name, 0.0), _LEAST.get(class_.name, floor) * class_.size)

    counted = np.where([class_.name in _LEAST for class_ in classes.all], 0.0, single)
    return np.maximum(counted, list(map(least, classes.all)))


def _affinity(context: str, script: str, name: str) -> float:
    """Return the factor for a class after a context of another script."""
    if context in ALPHABETS and script in ALPHABETS:
        return 0.02
    if context in SCRIPTS and script:  # one of the two is CJK
        return 0.05
    return 0.7 if context in ALPHABETS and name not in ("’", "\xad") and len(name) == 1 and name > "\x7f" else 1.0


def _size(class_: cls.Class) -> int:
    """Return the number of members among which the probability of a class is divided."""
    if class_.name in (cls.EMOJI, cls.ASTRAL):
        return 1 << 10
    if class_.name.startswith("other ") and class_.script:
        return 1 << 6
    divided = class_.script == "CJK" or class_.name in (cls.EAST_ASIAN, cls.FULL_WIDTH, cls.HALF_WIDTH, *_LEAST)
    return class_.size if divided else 1


def _costs(
    classes: Classes, counts: _Counts, listed: Mapping[tuple[int, int], float]
) -> tuple[dict[str, list[list[int]]], dict[str, list[int]]]:
    """Return the costs within scripts, also in lists of letters, and across contexts."""
    single = _likelihood(classes, counts.pairs.sum(axis=0))
    sizes = np.log2([_size(class_) for class_ in classes.all])
    of_context = np.array(cls.contexts(classes))
    malformed = classes.number[cls.MALFORMED]
    across = {}
    for context in CONTEXTS:
        expected = single * [_affinity(context, class_.script, class_.name) for class_ in classes.all]
        share = counts.pairs[of_context == context].sum(axis=0)
        probability = (share + _CONTEXT_SMOOTHING * expected) / (share.sum() + _CONTEXT_SMOOTHING)
        probability[malformed] = single[malformed]  # wherever it is
        rates = [_RATE.get(class_.name, 0.0) * _place(class_.name, context) for class_ in classes.all]
        across[context] = nearest(sizes - np.log2(np.maximum(probability, rates)), COSTS).tolist()
    pairs = counts.pairs.copy()
    for pair, share_of_lists in listed.items():
        pairs[pair] += share_of_lists
    is_syllable = [class_.name in _SYLLABLES for class_ in classes.all]
    floors = np.outer(is_syllable, _SYLLABLE * np.array([class_.size for class_ in classes.all])) * is_syllable
    probabilities = (pairs + _SMOOTHING * single) / (pairs.sum(axis=1, keepdims=True) + _SMOOTHING)
    bits = sizes - np.log2(np.maximum(probabilities, floors))
    within = {script: nearest(bits[np.ix_(block, block)], COSTS).tolist() for script, block in classes.blocks.items()}
    return within, across


def _rounded(bits: Shares, least: int, most: int) -> list[int]:
    """Return bits as integers, with bounds."""
    rounded: list[int] = np.rint(bits).clip(least, most).astype(int).tolist()
    return rounded


def _alone(counts: _Counts) -> list[int]:
    """Return the bits by which each class of letters is less likely to be a word than to begin one."""
    every, started = counts.words.sum(axis=(1, 2)), counts.words[:, 0].sum(axis=1)
    ended, alone = counts.words[:, :, 0].sum(axis=1), counts.words[:, 0, 0]
    ending = (ended + 1e-6) / (every + 4e-6)
    single = (alone + 3e-5 * ending * 0.15) / (started + 3e-5)
    return _rounded(counts.is_letter * np.log2(ending / np.maximum(single, 1e-4)), -3, 8)


_SPACED = tuple(script for script in ALPHABETS if script != "THAI")
"""The alphabets whose words are divided by spaces."""
_END_SMOOTHING = 3e-5


def _endings(classes: Classes, counts: _Counts) -> list[int]:
    """Return the bits by which each class of letters is less likely to end a word than the letters of its script."""
    every, ended = counts.words.sum(axis=(1, 2)), counts.words[:, :, 0].sum(axis=1)
    bits = np.zeros(len(classes))
    for script in _SPACED:
        block = classes.blocks[script]
        usual = ended[block].sum() / every[block].sum()
        ending = (ended[block] + _END_SMOOTHING * usual) / (every[block] + _END_SMOOTHING)
        bits[block] = np.log2(usual / np.maximum(ending, 1e-4))
    return _rounded(bits, -3, 8)


def _languages(classes: Classes, counts: _Counts) -> dict[str, dict[str, list[int]]]:
    """Return, of each alphabet and language, by how many bits each letter is likelier than in the mix."""
    single = _likelihood(classes, counts.pairs.sum(axis=0))
    scripts: dict[str, dict[str, list[int]]] = {}
    for script in ALPHABETS:
        block = classes.blocks[script]
        expected = single[block] / single[block].sum()
        scripts[script] = {}
        for language, of_language in counts.by_language.items():
            letters = of_language[block].sum()
            if letters >= 0.3 * of_language.sum():
                share = of_language[block] / letters + 2e-4 * expected + 1e-5
                scripts[script][language] = _rounded(np.log2(share / (expected + 1e-5)), -7, 7)
    return scripts


def _rarities(languages: Mapping[str, Iterable[str]]) -> dict[str, list[int]]:
    """Return, of each alphabet, by how many bits each language is rarer than the commonest."""
    by_script = {}
    for script, names in languages.items():
        shares = np.array([_SHARES.get(language, _OTHER_SHARE) for language in names])
        by_script[script] = _rounded(np.log2(shares.max() / shares), 0, 15)
    return by_script


def count(snapshot: Snapshot, texts: Mapping[str, str], stop_words: Mapping[str, frozenset[str]]) -> Statistics:
    """Return the statistics of the text of each language."""
    of_language = {language: tuple(forms(language, text)) for language, text in texts.items()}
    levels = frequency_levels(snapshot, {language: Counter(text) for language, text in texts.items()})
    characters = cls.repertoire(snapshot)
    classes = Classes(characters, levels)
    counts = _counts(classes, of_language)
    languages = _languages(classes, counts)
    lacking = alphabets.lacking(classes, texts, languages)
    within, across = _costs(classes, counts, alphabets.pairs(classes, lacking, _mix(texts)))
    rates = [_RATE.get(class_.name, _LEAST.get(class_.name, 2.0**-20)) for class_ in classes.all]
    everywhere = of_language | {_EVERYDAY: (f" {everyday.text()} ",)}
    return Statistics(
        characters,
        levels,
        within,
        across,
        _alone(counts),
        _endings(classes, counts),
        languages,
        _rarities(languages),
        *places.count(classes, everywhere, _mix(everywhere), np.array(rates)),
        lacking,
        places.words(texts, stop_words, languages["LATIN"]),
    )
