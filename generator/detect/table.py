"""The committed statistics, `data/detection.json`, and the C arrays that are emitted from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from math import factorial, log2
from pathlib import Path
from typing import Any

from generator.detect import classes as cls
from generator.detect import sources
from generator.detect.classes import ALPHABETS, CONTEXTS, LEVELS, SCRIPTS, Classes
from generator.detect.sources import FILE as FILE
from generator.model import GeneratorError, file_content
from generator.tables.direct import Array

LIMIT = 48 * 1024
"""Upper bound on the bytes of the emitted arrays."""

_PACKED = ("ideograph", "syllable")
"""The ranges of LEVELS of which the table has the level of each code point."""
_LEVELS_IN_A_ROW = 128
_OF_CJK = {"japanese": "ja", "korean": "ko", "chinese": "zh"}
"""The languages that are told by their script alone."""
_WORD_OFFSET, _LETTER_OFFSET = 3, 7
EIGHTHS = 8
"""Costs are integers at run time, in eighths of a bit."""


class DetectionError(GeneratorError):
    """The file of statistics is inconsistent."""


COSTS = (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.75, 12.25, 14.0, 16.5, 19.5, 23.0)
"""The levels of costs, in bits."""

PLACE_COSTS = (1.0, 2.5, 4.0, 5.5, 7.0, 8.5, 10.0, 11.5, 13.0, 14.5, 16.0, 18.0, 20.0, 23.0, 26.5, 30.0)
"""The levels of costs of symbols between neighbours, in bits.

They are more than those of pairs, since a symbol is hardly within a word.
"""

WORDS = 64
"""The words of a language: with twice as many, no more of the development set's texts are told."""


@dataclass(frozen=True)
class Statistics:
    """What the table holds. Costs are positions in COSTS, or in PLACE_COSTS."""

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
    """Of each symbol the cost between each pair of `classes.KINDS`."""
    letters: Mapping[str, Sequence[int]]
    """Of each group of letters beyond ASCII the cost of being alone between each pair of kinds of ASCII."""
    shares: Sequence[int]
    """Of each Latin class the bits of its share of the Latin letters beyond ASCII that are alone in ASCII; 0 to 15."""
    lacking: Mapping[str, Mapping[str, Sequence[int]]]
    """Of each alphabet and language 1 for each class that the language lacks."""
    words: Mapping[str, Sequence[str]]
    """Of each language of the Latin alphabet the commonest words in ASCII."""


# -- The file ----------------------------------------------------------------------------------------------------------


_ROWS = tuple(field.name for field in fields(Statistics) if field.name not in ("characters", "words"))
_OFFSETS = {"alone": _WORD_OFFSET, "endings": _WORD_OFFSET, "languages": _LETTER_OFFSET}
"""What is added to values that may be negative, by the field of `Statistics`."""


def _digits(values: Any, offset: int) -> Any:
    """Return each row of values in mappings or lists as a string of hexadecimal digits."""
    match values:
        case Mapping():
            return {key: _digits(row, offset) for key, row in values.items()}
        case [int(), *_]:
            return "".join(f"{value + offset:x}" for value in values)
    return [_digits(row, offset) for row in values]


def _values(digits: Any, offset: int) -> Any:
    """Return the rows of values that strings of digits in mappings or lists stand for."""
    match digits:
        case Mapping():
            return {key: _values(value, offset) for key, value in digits.items()}
        case str():
            return [int(digit, 16) - offset for digit in digits]
    return [_values(value, offset) for value in digits]


def to_json(statistics: Statistics) -> str:
    """Return the text of the file."""
    content = {name: _digits(value, _OFFSETS.get(name, 0)) for name, value in vars(statistics).items() if name in _ROWS}
    content["words"] = {language: " ".join(value) for language, value in statistics.words.items()}
    content["levels"] = {
        name: [text[at : at + _LEVELS_IN_A_ROW] for at in range(0, len(text), _LEVELS_IN_A_ROW)]
        for name, text in content["levels"].items()
    }
    return sources.to_json(sources.packages(), {"characters": statistics.characters, **content})


def from_json(text: str) -> Statistics:
    """Return the statistics in the text of the file; raise a DetectionError if it has another form."""
    try:
        content = json.loads(text)
        content["levels"] = {name: "".join(rows) for name, rows in content["levels"].items()}
        rows = {name: _values(content[name], _OFFSETS.get(name, 0)) for name in _ROWS}
        words = {language: str(listed).split() for language, listed in content["words"].items()}
        return Statistics(characters=str(content["characters"]), words=words, **rows)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DetectionError(f"{FILE}: it does not have the form that `make detect-table` writes: {error}") from error


# -- The arrays --------------------------------------------------------------------------------------------------------


def _flat(values: Any) -> Iterator[int]:
    """Yield the numbers in mappings and sequences."""
    if isinstance(values, int):
        yield values
    else:
        for value in values.values() if isinstance(values, Mapping) else values:
            yield from _flat(value)


def _packed(symbol: str, values: Any, bits: int = 4, offset: int = 0) -> Array:
    """Return an array of bytes with several values in each, the first in the least significant bits."""
    numbers, to_a_byte = [value + offset for value in _flat(values)], 8 // bits
    return Array.of(
        symbol,
        [
            sum(value << bits * place for place, value in enumerate(numbers[at : at + to_a_byte]))
            for at in range(0, len(numbers), to_a_byte)
        ],
        "uint8_t",
    )


def word_hash(word: str) -> int:
    """Return the number that stands for a word of lower-case ASCII letters; we_word_hash computes it, too."""
    hash_ = 0
    for byte in word.encode():
        hash_ = (hash_ * 31 + byte) & 0xFFFF
    return hash_


def _hashes(words: Sequence[str]) -> list[int]:
    """Return the hashes of a language's words, 0 for none."""
    return [*map(word_hash, words), *[0] * (WORDS - len(words))]


@dataclass(frozen=True)
class Block:
    """The classes of one script, and where its costs and its languages begin."""

    first: int
    size: int
    costs: int
    languages: int
    letters: int


def _runs(classes: Classes) -> list[int]:
    """Return the classes of code points outside the packed ranges as runs: first code point, class, case and step.

    A run goes on to the next one's first code point. With a step, each code point has the class after the previous's.
    """
    kinds = list(zip(classes.of, classes.case, strict=True))
    for name in _PACKED:
        members, _ = LEVELS[name]
        kinds[members.start : members.stop] = [kinds[members.start]] * len(members)
    runs: list[int] = []
    first = 0
    while first < cls.LIMIT:
        number, case = kinds[first]
        step = int(kinds[first + 1 : first + 2] == [(number + 1, case)])
        runs.append(first | (number | case << 10 | step << 12) << 16)
        ends = (at for at in range(first + 1, cls.LIMIT) if kinds[at] != (number + step * (at - first), case))
        first = next(ends, cls.LIMIT)
    return runs


def _faults(name: str, values: Any, form: Any) -> Iterator[str]:
    """Yield what values in mappings and lists have other than a form: keys, and the number of values in a row."""
    match form:
        case Mapping() if list(values) == list(form):
            for key in form:
                yield from _faults(f"{name}.{key}", values[key], form[key])
        case Mapping():
            yield f"{name} has other rows than {', '.join(map(str, form))}"
        case [*forms] if len(values) == len(forms):
            for row, of_row in zip(values, forms, strict=True):
                yield from _faults(name, row, of_row)
        case [*forms]:
            yield f"{name} has {len(values)} rows, not {len(forms)}"
        case _ if len(values) != form:
            yield f"{name} has {len(values)} values, not {form}"


def _check(statistics: Statistics, form: Mapping[str, Any]) -> None:
    """Raise a DetectionError if parts of the statistics have another form."""
    faults = [fault for name, of_part in form.items() for fault in _faults(name, getattr(statistics, name), of_part)]
    if faults:
        raise DetectionError(f"{FILE}: {'; '.join(faults)}: make it again with `make detect-table`")


def _form(statistics: Statistics, classes: Classes) -> dict[str, Any]:
    """Return the form of the statistics that follows from the classes and the languages of each alphabet."""
    sizes = {script: len(block) for script, block in classes.blocks.items()}
    languages = {script: statistics.languages.get(script, {}) for script in ALPHABETS}
    letters = {script: dict.fromkeys(rows, sizes[script]) for script, rows in languages.items()}
    symbols = [classes.all[number].name for number in cls.placed(classes)]
    return {
        "within": {script: [size] * size for script, size in sizes.items()},
        "across": dict.fromkeys(CONTEXTS, len(classes)),
        "alone": len(classes),
        "endings": len(classes),
        "languages": letters,
        "rarities": {script: len(rows) for script, rows in languages.items()},
        "places": dict.fromkeys(symbols, len(cls.KINDS) ** 2),
        "letters": dict.fromkeys(cls.GROUPS, cls.ASCII_KINDS**2),
        "shares": sizes["LATIN"],
        "lacking": letters,
        "words": {language: min(WORDS, len(statistics.words.get(language, ()))) for language in languages["LATIN"]},
    }


def template_context(folder: Path) -> dict[str, object]:
    """Return the context of ``templates/detect_table.h.j2``; raise a DetectionError if the file does not fit."""
    return _context(file_content(folder / FILE))


@lru_cache(maxsize=1)  # the same for all data that is emitted from in one process
def _context(content: bytes) -> dict[str, object]:
    statistics = from_json(content.decode("utf-8", "replace"))
    _check(statistics, {"levels": {name: len(members) for name, (members, _) in LEVELS.items()}})
    for name, (_, levels) in LEVELS.items():
        if not all(0 <= level < levels for level in statistics.levels[name]):
            raise DetectionError(f"{FILE}: {name} has levels that are not below {levels}")
    classes = Classes(statistics.characters, statistics.levels)
    _check(statistics, _form(statistics, classes))
    return {**_arrays(statistics, classes), "digest": hashlib.sha256(content).hexdigest()}


def _arrays(statistics: Statistics, classes: Classes) -> dict[str, object]:
    """Return the arrays, their sizes and the constants that the header names."""
    blocks, costs, letters = list[Block](), 0, 0
    for script, block in classes.blocks.items():
        languages = len(statistics.languages.get(script, ()))
        blocks.append(Block(block[0], len(block), costs, languages, letters))
        costs += len(block) ** 2
        letters += len(block) * languages
    most = max(row.count(0) for rows in statistics.lacking.values() for row in rows.values())
    arrays = (
        Array.of("detect_runs", _runs(classes), "uint32_t"),
        _packed("detect_ideographs", statistics.levels["ideograph"]),
        _packed("detect_syllables", statistics.levels["syllable"], bits=2),
        _packed("detect_within", statistics.within),
        _packed("detect_across", statistics.across),
        _packed("detect_alone", statistics.alone, offset=_WORD_OFFSET),
        _packed("detect_endings", statistics.endings, offset=_WORD_OFFSET),
        _packed("detect_contexts", map(CONTEXTS.index, cls.contexts(classes))),
        _packed("detect_letters", statistics.languages, offset=_LETTER_OFFSET),
        _packed("detect_rarities", statistics.rarities),
        _packed("detect_kinds", map(cls.class_kind, classes.all)),
        _packed("detect_ascii_kinds", map(cls.ascii_kind, range(0x80))),
        Array.of("detect_placed", cls.placed(classes), "uint16_t"),
        _packed("detect_places", statistics.places),
        _packed("detect_lone", statistics.letters),
        _packed("detect_shares", statistics.shares),
        _packed("detect_lacking", statistics.lacking, bits=1),
        Array.of("detect_factorials", [round(EIGHTHS * log2(factorial(n))) for n in range(most + 1)], "uint16_t"),
        Array.of("detect_words", [number for row in statistics.words.values() for number in _hashes(row)], "uint16_t"),
    )
    tags = [*(language for rows in statistics.languages.values() for language in rows), *_OF_CJK.values()]
    total = sum(array.nbytes for array in arrays)
    if total > LIMIT:
        raise DetectionError(f"{FILE}: the table has {total} bytes, more than {LIMIT}")
    number = classes.number
    return {
        "arrays": arrays,
        "total": total,
        "blocks": blocks,
        "languages": tags,
        "costs": [round(cost * EIGHTHS) for cost in COSTS],
        "place_costs": [round(cost * EIGHTHS) for cost in PLACE_COSTS],
        "level_classes": {
            name: [number.get(f"{name} {level}", 0) for level in range(LEVELS[name][1])] for name in _PACKED
        },
        "constants": {
            "classes": len(classes),
            "contexts": len(CONTEXTS),
            "ascii_contexts": CONTEXTS.index("symbol"),
            "first_script": len(CONTEXTS) - len(SCRIPTS),
            "malformed": number[cls.MALFORMED],
            "c1": number[cls.C1],
            "private": number[cls.PRIVATE],
            "space": number[cls.SPACE],
            "emoji": number[cls.EMOJI],
            "astral": number[cls.ASTRAL],
            "first_ideograph": cls.HAN[0],
            "ideographs": len(cls.HAN),
            "first_syllable": cls.HANGUL[0],
            "syllables": len(cls.HANGUL),
            "word_offset": _WORD_OFFSET,
            "letter_offset": _LETTER_OFFSET,
            "cost_unit": EIGHTHS,
            "kinds": len(cls.KINDS),
            "ascii_kinds": cls.ASCII_KINDS,
            "groups": len(cls.GROUPS),
            "placed": len(statistics.places),
            "words": WORDS,
            **{name: tags.index(tag) for name, tag in _OF_CJK.items()},
        },
    }
