"""The committed statistics, `data/detection.json`, and the C arrays that are emitted from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain
from math import factorial, log2
from pathlib import Path
from typing import Any, TypeVar

from generator.detect import classes as cls
from generator.detect import sources
from generator.detect.classes import ALPHABETS, CONTEXTS, LEVELS, SCRIPTS, Classes
from generator.detect.sources import FILE as FILE
from generator.model import GeneratorError, data_file, file_content
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


Row = TypeVar("Row")


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


def _in_order(name: str, rows: Mapping[str, Row], keys: Iterable[str]) -> list[Row]:
    """Return the rows of a part in the order of `keys`; raise a DetectionError if it has others."""
    if rows.keys() != {*keys}:
        raise DetectionError(f"{name} has other rows: {', '.join(sorted(rows.keys() ^ {*keys}))}")
    return [rows[key] for key in keys]


def _packed(
    symbol: str, rows: Sequence[Iterable[int]], lengths: Sequence[int], bits: int = 4, offset: int = 0
) -> Array:
    """Return an array of bytes with several values of rows in each, the first in the least significant bits.

    Raise a DetectionError if the rows have other lengths.
    """
    lists = [list(row) for row in rows]
    if [*map(len, lists)] != [*lengths]:
        raise DetectionError(f"{symbol} has rows of {[*map(len, lists)]} values, not of {[*lengths]}")
    numbers, to_a_byte = [value + offset for row in lists for value in row], 8 // bits
    packed = [
        sum(value << bits * place for place, value in enumerate(numbers[at : at + to_a_byte]))
        for at in range(0, len(numbers), to_a_byte)
    ]
    return Array.of(symbol, packed, "uint8_t")


def word_hash(word: str) -> int:
    """Return the number that stands for a word of lower-case ASCII letters; we_word_hash computes it, too."""
    hash_ = 0
    for byte in word.encode():
        hash_ = (hash_ * 31 + byte) & 0xFFFF
    return hash_


def _hashes(words: Sequence[str]) -> list[int]:
    """Return the hashes of a language's words, 0 for none; raise a DetectionError if these are too many."""
    if len(words) > WORDS:
        raise DetectionError(f"a language has more than {WORDS} words")
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


def template_context(folder: Path) -> dict[str, object]:
    """Return the context of ``templates/detect_table.h.j2``; raise a DetectionError if the file does not fit."""
    return _context(file_content(data_file(folder, FILE)))


@lru_cache(maxsize=1)  # the same for all data that is emitted from in one process
def _context(content: bytes) -> dict[str, object]:
    statistics = from_json(content.decode("utf-8", "replace"))
    try:
        for name, (members, levels) in LEVELS.items():
            assigned = statistics.levels[name]
            if len(assigned) != len(members) or not all(0 <= level < levels for level in assigned):
                raise DetectionError(f"{name} does not have {len(members)} levels below {levels}")
        context = _arrays(statistics, Classes(statistics.characters, statistics.levels))
    except KeyError as error:
        raise DetectionError(f"{FILE}: there is no row {error}: make it again with `make detect-table`") from error
    except DetectionError as error:
        raise DetectionError(f"{FILE}: {error}: make it again with `make detect-table`") from error
    return {**context, "digest": hashlib.sha256(content).hexdigest()}


def _arrays(statistics: Statistics, classes: Classes) -> dict[str, object]:
    """Return the arrays, their sizes and the constants that the header names."""
    size, number = len(classes), classes.number
    languages = {script: list(statistics.languages.get(script, ())) for script in SCRIPTS}
    alphabets = [script for script in SCRIPTS if languages[script]]
    blocks, costs, letters = list[Block](), 0, 0
    for script, block in classes.blocks.items():
        blocks.append(Block(block[0], len(block), costs, len(languages[script]), letters))
        costs += len(block) ** 2
        letters += len(block) * len(languages[script])

    def by_language(name: str, rows: Mapping[str, Mapping[str, Sequence[int]]]) -> list[Sequence[int]]:
        of_scripts = _in_order(name, rows, alphabets)
        return [
            row
            for script, by_name in zip(alphabets, of_scripts, strict=True)
            for row in _in_order(f"{name}, {script},", by_name, languages[script])
        ]

    of_languages = [len(classes.blocks[script]) for script in alphabets for _ in languages[script]]
    within = _in_order("within", statistics.within, SCRIPTS)
    lacking = by_language("lacking", statistics.lacking)
    most = max(row.count(0) for row in lacking)
    listed = _in_order("words", statistics.words, languages["LATIN"])
    words = [number for of_language in listed for number in _hashes(of_language)]
    placed, tags = cls.placed(classes), list(chain(*languages.values(), _OF_CJK.values()))
    places = _in_order("places", statistics.places, [classes.all[number].name for number in placed])
    rarities = _in_order("rarities", statistics.rarities, ALPHABETS)
    arrays = (
        Array.of("detect_runs", _runs(classes), "uint32_t"),
        _packed("detect_ideographs", [statistics.levels["ideograph"]], [len(cls.HAN)]),
        _packed("detect_syllables", [statistics.levels["syllable"]], [len(cls.HANGUL)], bits=2),
        _packed(
            "detect_within",
            [row for rows in within for row in rows],
            [len(block) for block in classes.blocks.values() for _ in block],
        ),
        _packed("detect_across", _in_order("across", statistics.across, CONTEXTS), [size] * len(CONTEXTS)),
        _packed("detect_alone", [statistics.alone], [size], offset=_WORD_OFFSET),
        _packed("detect_endings", [statistics.endings], [size], offset=_WORD_OFFSET),
        _packed("detect_contexts", [map(CONTEXTS.index, cls.contexts(classes))], [size]),
        _packed("detect_letters", by_language("languages", statistics.languages), of_languages, offset=_LETTER_OFFSET),
        _packed("detect_rarities", rarities, [len(languages[script]) for script in ALPHABETS]),
        _packed("detect_kinds", [map(cls.class_kind, classes.all)], [size]),
        _packed("detect_ascii_kinds", [map(cls.ascii_kind, range(0x80))], [0x80]),
        Array.of("detect_placed", placed, "uint16_t"),
        _packed("detect_places", places, [len(cls.KINDS) ** 2] * len(placed)),
        _packed(
            "detect_lone",
            _in_order("letters", statistics.letters, cls.GROUPS),
            [cls.ASCII_KINDS**2] * len(cls.GROUPS),
        ),
        _packed("detect_shares", [statistics.shares], [len(classes.blocks["LATIN"])]),
        _packed("detect_lacking", lacking, of_languages, bits=1),
        Array.of("detect_factorials", [round(EIGHTHS * log2(factorial(n))) for n in range(most + 1)], "uint16_t"),
        Array.of("detect_words", words, "uint16_t"),
    )
    total = sum(array.nbytes for array in arrays)
    if total > LIMIT:
        raise DetectionError(f"the table has {total} bytes, more than {LIMIT}")
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
            **{name: number[name] for name in (cls.MALFORMED, cls.C1, cls.PRIVATE, cls.SPACE, cls.EMOJI, cls.ASTRAL)},
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
