"""Count text by classes of characters, and quantize what follows from it: costs in bits.

The cost of a character after another one is the negative binary logarithm of its probability. Within a script it is
known for each pair of classes; between scripts, for each class after each *context*: a script, or one of four kinds of
other characters. Everything is then rounded to few levels, since the table is small and its users add integers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, log2

from generator.detect import alphabets, everyday, places
from generator.detect import classes as cls
from generator.detect.classes import ALPHABETS, LEVELS, SCRIPTS, Classes
from generator.model import Snapshot

CONTEXTS = ("space", "digit", "punctuation", "symbol", *SCRIPTS)

COSTS = (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.75, 12.25, 14.0, 16.5, 19.5, 23.0)
"""The levels of costs, in bits."""

# -- The mix of languages ----------------------------------------------------------------------------------------------

_SHARES: Mapping[str, float] = {
    "en": 4, "de": 3, "fr": 3, "es": 3, "pt": 2, "it": 2, "pl": 1.5, "tr": 1.5, "cs": 1.2, "hu": 1.2, "nl": 1, "sv": 1,
    "ro": 1, "da": 0.8, "nb": 0.8, "fi": 0.8, "sk": 0.8, "hr": 0.8, "lt": 0.7, "sl": 0.6, "lv": 0.6, "et": 0.6,
    "ca": 0.6, "vi": 0.25, "ru": 2.2, "uk": 0.55, "bg": 0.45, "be": 0.28, "sr": 0.28, "mk": 0.28, "el": 2.5, "he": 2.5,
    "ar": 1.6, "fa": 0.85, "ur": 0.55, "th": 2.5, "ja": 3.5, "zh-hans": 3.5, "zh-hant": 3, "ko": 3.5,
}  # fmt: skip
_OTHER_SHARE = 0.5

_QUOTES: Mapping[str, str] = {
    "bg": "„“", "cs": "„“", "da": "»«", "de": "„“", "el": "«»", "es": "«»", "et": "„“", "fi": "””", "fr": "«»",
    "hr": "„“", "hu": "„”", "it": "«»", "ja": "「」", "lt": "„“", "nb": "«»", "pl": "„”", "pt": "«»", "ro": "„”",
    "ru": "«»", "be": "«»", "sk": "„“", "sl": "„“", "sv": "””", "uk": "«»", "zh-hant": "「」",
}  # fmt: skip
_TONES = "\u0300\u0301\u0303\u0309\u0323"


def _typographic(language: str, text: str) -> str:
    """Return the text with the typographic characters in which programs' messages are poor."""
    quotes = _QUOTES.get(language, "“”")
    text = re.sub(r'"([^"\n]{1,80})"', rf"{quotes[0]}\1{quotes[1]}", text)
    return text.replace("'", "’").replace(" - ", " – ").replace("...", "…")


def decompose_tones(text: str) -> str:
    """Return Vietnamese text as windows-1258 has it: tones are combining characters, other marks are not."""
    composed = []
    for character in text:
        marks = unicodedata.normalize("NFD", character)
        tone = next((mark for mark in marks if mark in _TONES), "")
        composed.append(unicodedata.normalize("NFC", marks.replace(tone, "", 1)) + tone if tone else character)
    return "".join(composed)


def _forms(language: str, text: str) -> Iterator[str]:
    """Yield the text in the forms that are counted."""
    yield f" {text} "
    typographic = _typographic(language, text[len(text) // 2 :])
    yield f" {decompose_tones(typographic) if language == 'vi' else typographic} "


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


def _level_rows(snapshot: Snapshot) -> dict[str, tuple[set[int], set[int]]]:
    """Return the frequent and the less frequent characters of each language, as its national standard divides them."""

    def characters(index: str, columns: int, first: int, cells: range, rows: range) -> set[int]:
        every = snapshot.indexes[index].code_points
        code_points = (every[(row - first) * columns + cell] for row in rows for cell in cells)
        return {code_point for code_point in code_points if code_point is not None}

    return {
        language: (characters(index, columns, first, cells, frequent), characters(index, columns, first, cells, rest))
        for language, (index, columns, first, cells, frequent, rest) in _LEVEL_ROWS.items()
    }


_IDEOGRAPHS = {"ja": 0.5, "zh-hans": 1.0, "zh-hant": 0.7}
"""The languages that frequencies of ideographs are taken from, and their weights."""


def _probabilities(counts: Counter[str], members: range, frequent: set[int], rest: set[int]) -> list[float]:
    """Return the probability of each code point: what was counted, smoothed by the levels of a standard."""
    frequent, rest = frequent.intersection(members), rest.intersection(members)
    counted = [counts[chr(code_point)] for code_point in members]
    total = sum(counted) + _PRIOR
    result = []
    for code_point, count in zip(members, counted, strict=True):
        prior = 0.01 / len(members)
        if code_point in frequent:
            prior += 0.9 / len(frequent)
        elif code_point in rest:
            prior += 0.09 / len(rest)
        result.append((count + _PRIOR * prior) / total)
    return result


def _divide(probabilities: Sequence[float], levels: int) -> list[int]:
    """Return the level of each member, in equal steps of the logarithm of its probability."""
    bits = [-log2(probability) for probability in probabilities]
    least, most = min(bits), max(bits)
    return [min(levels - 1, int((probability - least) / (most - least + 1e-9) * levels)) for probability in bits]


_ROUNDS = 12
"""After these few ideographs change their class."""


def _group(members: Sequence[tuple[float, ...]], count: int) -> list[int]:
    """Return a class for each member, given its shares of the languages' texts.

    Members of a class are about as frequent, and in the same languages. The classes begin as levels of frequency,
    divided by whether most of a member's occurrences are in one language. Then each member moves to the class that has
    the least generalized Kullback-Leibler divergence from it, again and again. The first is the most frequent class.
    """
    distinct = Counter(members)
    order = sorted(distinct, key=lambda shares: (-sum(shares), shares))
    languages = range(len(order[0]))
    kinds = 1 + len(languages)
    class_of = {}
    for shares, level in zip(order, _divide([sum(shares) for shares in order], count // kinds), strict=True):
        most = max(languages, key=shares.__getitem__)
        class_of[shares] = level * kinds + (1 + most if shares[most] > 0.75 * sum(shares) else 0)
    means: dict[int, list[float]] = {}
    for _ in range(_ROUNDS):
        classes: dict[int, list[tuple[float, ...]]] = defaultdict(list)
        for shares in order:
            classes[class_of[shares]].append(shares)
        means = {}
        for number, profiles in classes.items():
            size = sum(distinct[shares] for shares in profiles)
            means[number] = [
                sum(shares[language] * distinct[shares] for shares in profiles) / size for language in languages
            ]
        logarithms = {number: [log(mean) for mean in of_class] for number, of_class in means.items()}
        for shares in order:
            divergences = {
                number: sum(mean)
                - sum(share * logarithm for share, logarithm in zip(shares, logarithms[number], strict=True))
                for number, mean in means.items()
            }
            class_of[shares] = min(divergences, key=divergences.__getitem__)
    ranks = {number: rank for rank, number in enumerate(sorted(means, key=lambda number: -sum(means[number])))}
    return [ranks[class_of[shares]] for shares in members]


def frequency_levels(snapshot: Snapshot, characters: Mapping[str, Counter[str]]) -> dict[str, list[int]]:
    """Return the level of each code point in the ranges of LEVELS, given the characters of each language."""
    rows = _level_rows(snapshot)
    ideographs = [
        [weight * probability for probability in _probabilities(characters[language], cls.HAN, *rows[language])]
        for language, weight in _IDEOGRAPHS.items()
    ]
    japanese, korean = characters["ja"], characters["ko"]
    ranges = {"syllable": _probabilities(korean, cls.HANGUL, *rows["ko"])}
    for name in ("hiragana", "katakana"):
        ranges[name] = [japanese[chr(code_point)] + 1.0 for code_point in LEVELS[name][0]]
    levels = {name: _divide(probabilities, LEVELS[name][1]) for name, probabilities in ranges.items()}
    return {"ideograph": _group(list(zip(*ideographs, strict=True)), LEVELS["ideograph"][1])} | levels


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


@dataclass(frozen=True)
class Statistics:
    """What the table holds. Costs are positions in COSTS."""

    characters: str
    """The characters that have classes of their own, in order."""
    levels: Mapping[str, Sequence[int]]
    """The frequency level of each code point of a range."""
    within: Mapping[str, Sequence[Sequence[int]]]
    """Of each script the cost of a class (column) after another one (row)."""
    across: Mapping[str, Sequence[int]]
    """The cost of each class in a context that is not its own script."""
    alone: Sequence[int]
    """Of each class of letters, the bits by which it is less likely to be a word than to begin one; -3 to 8."""
    endings: Sequence[int]
    """Of each class of letters, the bits by which it is less likely to end a word than its script's others; -3 to 8."""
    languages: Mapping[str, Mapping[str, Sequence[int]]]
    """Of each alphabet and language the bits by which each letter is likelier than in the mix; -7 to 7."""
    rarities: Mapping[str, Sequence[int]]
    """Of each alphabet the bits by which each of its languages is rarer than the commonest."""
    places: Mapping[str, Sequence[int]]
    """Of each symbol the cost between each pair of `places.KINDS`."""
    letters: Mapping[str, Sequence[int]]
    """Of each group of letters beyond ASCII the cost of being alone between each pair of kinds of ASCII."""
    shares: Sequence[int]
    """Of each Latin class the bits of its share of the Latin letters beyond ASCII that are alone in ASCII; 0 to 15."""
    lacking: Mapping[str, Mapping[str, Sequence[int]]]
    """Of each alphabet and language 1 for each class that the language lacks."""
    words: Mapping[str, Sequence[str]]
    """Of each language of the Latin alphabet the commonest words in ASCII."""


_SMOOTHING = 0.0001
_SYLLABLES = frozenset({"syllable 0", "syllable 1", "syllable 2"})
_SYLLABLE = 0.15 / 2350
"""The least probability of one of the 2350 syllables of KS X 1001 after another: names have many that are rare."""
_CONTEXT_SMOOTHING = 0.003
_FLOOR = 2.0**-19
_ALPHABET_FLOOR = 2.0**-15


class _Counts:
    """Weighted counts of classes, as shares of all text."""

    def __init__(self, classes: Classes, texts: Mapping[str, Sequence[str]]) -> None:
        self.classes = classes
        size = len(classes)
        self.pairs: dict[tuple[int, int], float] = defaultdict(float)
        self.single = [0.0] * size
        self.by_language: dict[str, list[float]] = {}
        self.starts = [[0.0, 0.0] for _ in range(size)]
        """Of each class, occurrences after no letter: all, and before no letter."""
        self.ends = [[0.0, 0.0] for _ in range(size)]
        """Of each class, all occurrences, and those before no letter."""
        shares = {language: _SHARES.get(language, _OTHER_SHARE) for language in texts}
        total = sum(shares.values())
        self.is_letter = [bool(class_.script) or class_.name in "־״׳" for class_ in classes.all]
        for language, forms in texts.items():
            self._add(language, forms, shares[language] / total)

    def _add(self, language: str, forms: Sequence[str], share: float) -> None:
        of, letter = self.classes.of, self.is_letter
        triples: Counter[tuple[int, int, int]] = Counter()
        for form in forms:
            numbers = [of[ord(character)] for character in form if ord(character) < cls.LIMIT]
            triples.update(zip(numbers, numbers[1:], numbers[2:], strict=False))
        share /= triples.total()
        single = self.by_language[language] = [0.0] * len(self.classes)
        for (before, number, after), count in triples.items():
            weight = share * count
            self.pairs[before, number] += weight
            self.single[number] += weight
            single[number] += count
            if letter[number]:
                ended = not letter[after]
                self.ends[number][0] += weight
                self.ends[number][1] += weight * ended
                if not letter[before]:
                    self.starts[number][0] += weight
                    self.starts[number][1] += weight * ended


def contexts(classes: Classes) -> list[str]:
    """Return the context that each class is for the next character."""

    def context(class_: cls.Class) -> str:
        if class_.script:
            return class_.script
        if class_.name in (cls.SPACE, cls.DIGIT):
            return class_.name
        return "punctuation" if class_.name[0] < "\x7f" and class_.name in ("$", *cls.PUNCTUATION) else "symbol"

    return list(map(context, classes.all))


def _likelihood(classes: Classes, single: Sequence[float]) -> list[float]:
    """Return the probability of one character of each class anywhere, never 0."""
    result = []
    for class_, share in zip(classes.all, single, strict=True):
        floor = _ALPHABET_FLOOR if class_.script and class_.script not in ("LATIN", "CJK") else _FLOOR
        least = max(_RATE.get(class_.name, 0.0), _LEAST.get(class_.name, floor) * class_.size)
        result.append(max(share, least) if class_.name not in _LEAST else least)
    return result


def _affinity(context: str, script: str, name: str) -> float:
    """Return the factor for a class after a context of another script."""
    if context in ALPHABETS and script in ALPHABETS:
        return 0.02
    if context in SCRIPTS and script:  # one of the two is CJK
        return 0.05
    return 0.7 if context in ALPHABETS and name not in ("’", "\xad") and len(name) == 1 and name > "\x7f" else 1.0


def _level(probability: float, size: int) -> int:
    """Return the level that is nearest to the cost of one of a class's members."""
    bits = -log2(probability) + log2(size)
    return min(range(len(COSTS)), key=lambda level: (abs(COSTS[level] - bits), level))


def _size(class_: cls.Class) -> int:
    """Return the number of members among which the probability of a class is divided."""
    if class_.name in (cls.EMOJI, cls.ASTRAL):
        return 1 << 10
    if class_.name.startswith("other ") and class_.script:
        return 1 << 6
    divided = class_.script == "CJK" or class_.name in (cls.EAST_ASIAN, cls.FULL_WIDTH, cls.HALF_WIDTH, *_LEAST)
    return class_.size if divided else 1


def _costs(
    counts: _Counts, listed: Mapping[tuple[int, int], float]
) -> tuple[dict[str, list[list[int]]], dict[str, list[int]]]:
    """Return the costs within scripts, also in lists of letters, and across contexts."""
    classes = counts.classes
    single = _likelihood(classes, counts.single)
    floors = [_SYLLABLE * class_.size if class_.name in _SYLLABLES else 0.0 for class_ in classes.all]
    of_context = contexts(classes)
    sizes = [_size(class_) for class_ in classes.all]
    totals: dict[str, float] = defaultdict(float)
    pairs: dict[tuple[str, int], float] = defaultdict(float)
    for (before, number), weight in counts.pairs.items():
        totals[of_context[before]] += weight
        pairs[of_context[before], number] += weight
    across: dict[str, list[int]] = {}
    for context in CONTEXTS:
        row = across[context] = []
        for number, class_ in enumerate(classes.all):
            expected = single[number] * _affinity(context, class_.script, class_.name)
            share = pairs[context, number] + _CONTEXT_SMOOTHING * expected
            probability = share / (totals[context] + _CONTEXT_SMOOTHING)
            if class_.name == cls.MALFORMED:
                probability = single[number]  # wherever it is
            if class_.name in _RATE:
                probability = max(probability, _RATE[class_.name] * _place(class_.name, context))
            row.append(_level(probability, sizes[number]))
    within: dict[str, list[list[int]]] = {}
    for script, block in classes.blocks.items():
        rows = within[script] = []
        for before in block:
            of_pairs = [
                counts.pairs[before, number] + listed.get((before, number), 0.0) for number in range(len(classes))
            ]
            total = sum(of_pairs)
            rows.append(
                [
                    _level(
                        max(
                            (of_pairs[number] + _SMOOTHING * single[number]) / (total + _SMOOTHING),
                            floors[number] if classes.all[before].name in _SYLLABLES else 0.0,
                        ),
                        sizes[number],
                    )
                    for number in block
                ]
            )
    return within, across


def _alone(counts: _Counts) -> list[int]:
    """Return the bits by which each class of letters is less likely to be a word than to begin one."""
    result = []
    for (started, alone), (every, ended), letter in zip(counts.starts, counts.ends, counts.is_letter, strict=True):
        ending = (ended + 1e-6) / (every + 4e-6)
        single = (alone + 3e-5 * ending * 0.15) / (started + 3e-5)
        result.append(max(-3, min(8, round(log2(ending / max(single, 1e-4))))) if letter else 0)
    return result


_SPACED = tuple(script for script in ALPHABETS if script != "THAI")
"""The alphabets whose words are divided by spaces."""
_END_SMOOTHING = 3e-5


def _endings(counts: _Counts) -> list[int]:
    """Return the bits by which each class of letters is less likely to end a word than the letters of its script."""
    result = [0] * len(counts.classes)
    for script in _SPACED:
        block = counts.classes.blocks[script]
        every, ended = (sum(counts.ends[number][which] for number in block) for which in (0, 1))
        usual = ended / every
        for number in block:
            of_class, of_class_ended = counts.ends[number]
            ending = (of_class_ended + _END_SMOOTHING * usual) / (of_class + _END_SMOOTHING)
            result[number] = max(-3, min(8, round(log2(usual / max(ending, 1e-4)))))
    return result


def _languages(counts: _Counts) -> dict[str, dict[str, list[int]]]:
    """Return, of each alphabet and language, by how many bits each letter is likelier than in the mix."""
    single = _likelihood(counts.classes, counts.single)
    scripts: dict[str, dict[str, list[int]]] = {}
    for script in ALPHABETS:
        block = counts.classes.blocks[script]
        mix = sum(single[number] for number in block)
        rows = scripts[script] = {}
        for language, of_language in counts.by_language.items():
            letters = sum(of_language[number] for number in block)
            if letters < 0.3 * sum(of_language):
                continue
            row = rows[language] = []
            for number in block:
                expected = single[number] / mix
                share = of_language[number] / letters + 2e-4 * expected + 1e-5
                row.append(max(-7, min(7, round(log2(share / (expected + 1e-5))))))
    return scripts


def _rarities(languages: Mapping[str, Iterable[str]]) -> dict[str, list[int]]:
    """Return, of each alphabet, by how many bits each language is rarer than the commonest."""
    by_script = {}
    for script, names in languages.items():
        shares = [_SHARES.get(language, _OTHER_SHARE) for language in names]
        by_script[script] = [round(log2(max(shares) / share)) for share in shares]
    return by_script


_EVERYDAY = "everyday"
_EVERYDAY_SHARE = 6.0
"""The share of `everyday` among those of languages."""


def _places(classes: Classes, forms: Mapping[str, Sequence[str]]) -> places.Places:
    """Return where symbols stand, in the text of all languages and in what people write besides."""
    shares = {language: _SHARES.get(language, _OTHER_SHARE) for language in forms} | {_EVERYDAY: _EVERYDAY_SHARE}
    total = sum(shares.values())
    rates = {
        number: _RATE.get(class_.name, _LEAST.get(class_.name, 2.0**-20)) for number, class_ in enumerate(classes.all)
    }
    counts = places.count(
        classes,
        {**forms, _EVERYDAY: (f" {everyday.text()} ",)},
        {language: share / total for language, share in shares.items()},
    )
    return places.costs(classes, counts, rates)


def count(snapshot: Snapshot, texts: Mapping[str, str], stop_words: Mapping[str, frozenset[str]]) -> Statistics:
    """Return the statistics of the text of each language."""
    forms = {language: tuple(_forms(language, text)) for language, text in texts.items()}
    levels = frequency_levels(snapshot, {language: Counter(text) for language, text in texts.items()})
    characters = cls.repertoire(snapshot)
    counts = _Counts(Classes(characters, levels), forms)
    languages = _languages(counts)
    of_latin = list(languages["LATIN"])
    lacking = alphabets.lacking(counts.classes, texts, {script: list(rows) for script, rows in languages.items()})
    shares = {language: _SHARES.get(language, _OTHER_SHARE) for language in texts}
    total = sum(shares.values())
    listed = alphabets.pairs(counts.classes, lacking, {language: share / total for language, share in shares.items()})
    within, across = _costs(counts, listed)
    counted_places = _places(counts.classes, forms)
    return Statistics(
        characters,
        levels,
        within,
        across,
        _alone(counts),
        _endings(counts),
        languages,
        _rarities(languages),
        {counts.classes.all[number].name: places.levels(row) for number, row in counted_places.symbols.items()},
        {name: places.levels(row) for name, row in zip(places.GROUPS, counted_places.letters, strict=True)},
        [min(15, round(counted_places.shares.get(number, 0))) for number in counts.classes.blocks["LATIN"]],
        lacking,
        places.words(texts, stop_words, of_latin),
    )
