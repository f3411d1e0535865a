"""The committed statistics, `data/detection.json`, and the C arrays that are emitted from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from math import factorial, log2
from pathlib import Path
from typing import Any

from generator.cache import cached
from generator.detect import classes as cls
from generator.detect import places
from generator.detect.classes import LEVELS, SCRIPTS, Classes
from generator.detect.sources import FILE as FILE
from generator.detect.sources import packages
from generator.detect.statistics import CONTEXTS, COSTS, Statistics, contexts
from generator.model import GeneratorError
from generator.tables.direct import Array

LIMIT = 48 * 1024
"""Upper bound on the bytes of the emitted arrays."""

_LEVELS_IN_A_ROW = 128
_OF_CJK = {"japanese": "ja", "korean": "ko", "chinese": "zh"}
"""The languages that are told by their script alone."""
_WORD_OFFSET, _LETTER_OFFSET = 3, 7
EIGHTHS = 8
"""Costs are integers at run time, in eighths of a bit."""


class DetectionError(GeneratorError):
    """The file of statistics is absent or inconsistent."""


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
    head = {"sources": [asdict(package) for package in packages()], "characters": statistics.characters}
    return json.dumps({**head, **content}, indent=1) + "\n"


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


def _packed(symbol: str, values: Sequence[int], bits: int = 4) -> Array:
    """Return an array of bytes with several values in each, the first in the least significant bits."""
    to_a_byte = 8 // bits
    packed = [
        sum(value << bits * place for place, value in enumerate(values[at : at + to_a_byte]))
        for at in range(0, len(values), to_a_byte)
    ]
    return Array(symbol, dict(enumerate(packed)), len(packed), "uint8_t")


def _plain(symbol: str, values: Sequence[int], c_type: str) -> Array:
    return Array(symbol, dict(enumerate(values)), len(values), c_type)


def word_hash(word: str) -> int:
    """Return the number that stands for a word of lower-case ASCII letters; we_word_hash computes it, too."""
    hash_ = 0
    for byte in word.encode():
        hash_ = (hash_ * 31 + byte) & 0xFFFF
    return hash_


def _hashes(words: Sequence[str]) -> list[int]:
    """Return the hashes of a language's words, 0 for none."""
    return [*map(word_hash, words), *[0] * (places.WORDS - len(words))]


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
    runs: list[int] = []
    first, code_point = 0, 0
    packed = (LEVELS["ideograph"][0], LEVELS["syllable"][0])
    while code_point < cls.LIMIT:
        skipped = next((members for members in packed if code_point in members), None)
        number, case = classes.of[code_point], classes.case[code_point]
        first, code_point = code_point, code_point + 1
        if skipped is not None:
            code_point = skipped.stop
        step = int(code_point < cls.LIMIT and (classes.of[code_point], classes.case[code_point]) == (number + 1, case))
        while (
            code_point < cls.LIMIT
            and not any(code_point in members for members in packed)
            and (classes.of[code_point], classes.case[code_point]) == (number + step * (code_point - first), case)
        ):
            code_point += 1
        runs.append(first | (number | case << 10 | step << 12) << 16)
    return runs


def _check(statistics: Statistics, classes: Classes) -> None:
    """Raise a DetectionError if a part of the statistics has another size than the classes."""
    rows = {"alone": statistics.alone, "endings": statistics.endings}
    rows |= {f"across {context}": row for context, row in statistics.across.items()}
    size = len(classes)
    faults = [f"{name} has {len(row)} classes, not {size}" for name, row in rows.items() if len(row) != size]
    if list(statistics.across) != list(CONTEXTS):
        faults.append(f"the contexts are not {', '.join(CONTEXTS)}")
    languages, rarities = (
        {script: len(by_language) for script, by_language in side.items()}
        for side in (statistics.languages, statistics.rarities)
    )
    if languages != rarities:
        faults.append("rarities has other languages")
    alphabets, lacking = (
        {script: {language: len(row) for language, row in rows.items()} for script, rows in side.items()}
        for side in (statistics.languages, statistics.lacking)
    )
    if lacking != alphabets:
        faults.append("lacking has other languages or letters")
    latin = len(classes.blocks["LATIN"])
    if list(statistics.words) != list(statistics.languages.get("LATIN", {})):
        faults.append("words has other languages")
    if len(statistics.shares) != latin:
        faults.append(f"shares has other letters than the {latin}")
    if any(len(by_language) > places.WORDS for by_language in statistics.words.values()):
        faults.append(f"a language has more than {places.WORDS} words")
    if list(statistics.places) != [classes.all[number].name for number in places.placed(classes)]:
        faults.append("places has other symbols")
    kinds, in_ascii = len(places.KINDS) ** 2, places.ASCII_KINDS**2
    if {kinds} != {len(row) for row in statistics.places.values()}:
        faults.append(f"places has other pairs than {kinds}")
    if [in_ascii] * len(places.GROUPS) != [len(row) for row in statistics.letters.values()]:
        faults.append(f"letters has other pairs than {in_ascii}")
    for script, block in classes.blocks.items():
        within = statistics.within.get(script, [])
        if {len(block)} != {len(row) for row in (within, *within, *statistics.languages.get(script, {}).values())}:
            faults.append(f"{script} has other letters than its {len(block)}")
    if faults:
        raise DetectionError(f"{FILE}: {'; '.join(faults)}: make it again with `make detect-table`")


def template_context(folder: Path) -> dict[str, object]:
    """Return the context of ``templates/detect_table.h.j2``; raise a DetectionError if the file does not fit."""
    path = folder / FILE
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DetectionError(f"{FILE}: cannot be read from {folder}: {error.strerror}") from error
    return _context(content)


@lru_cache(maxsize=1)  # the same for all data that is emitted from in one process
def _context(content: bytes) -> dict[str, object]:
    digest = hashlib.sha256(content).hexdigest()
    return {**cached(("detection", digest), lambda: _checked(content)), "digest": digest}


def _checked(content: bytes) -> dict[str, object]:
    statistics = from_json(content.decode("utf-8", "replace"))
    for name, (members, levels) in LEVELS.items():
        assigned = statistics.levels.get(name, ())
        if len(assigned) != len(members) or not all(0 <= level < levels for level in assigned):
            raise DetectionError(f"{FILE}: {name} does not have {len(members)} levels below {levels}")
    classes = Classes(statistics.characters, statistics.levels)
    _check(statistics, classes)
    return _arrays(statistics, classes)


def _arrays(statistics: Statistics, classes: Classes) -> dict[str, object]:
    """Return the arrays, their sizes and the constants that the header names."""
    blocks, costs, letters = [], list[int](), list[int]()
    for script in SCRIPTS:
        block, rows = classes.blocks[script], statistics.languages.get(script, {})
        blocks.append(Block(block[0], len(block), len(costs), len(rows), len(letters)))
        costs += [cost for row in statistics.within[script] for cost in row]
        letters += [value + _LETTER_OFFSET for row in rows.values() for value in row]
    runs = _runs(classes)
    of_context = {context: number for number, context in enumerate(CONTEXTS)}
    largest = max(row.count(0) for rows in statistics.lacking.values() for row in rows.values())
    arrays = (
        Array("detect_runs", dict(enumerate(runs)), len(runs), "uint32_t"),
        _packed("detect_ideographs", statistics.levels["ideograph"]),
        _packed("detect_syllables", statistics.levels["syllable"], bits=2),
        _packed("detect_within", costs),
        _packed("detect_across", [cost for row in statistics.across.values() for cost in row]),
        _packed("detect_alone", [value + _WORD_OFFSET for value in statistics.alone]),
        _packed("detect_endings", [value + _WORD_OFFSET for value in statistics.endings]),
        _packed("detect_contexts", [of_context[context] for context in contexts(classes)]),
        _packed("detect_letters", letters),
        _packed("detect_rarities", [rarity for row in statistics.rarities.values() for rarity in row]),
        _packed("detect_kinds", [places.class_kind(class_) for class_ in classes.all]),
        _packed("detect_ascii_kinds", list(map(places.ascii_kind, range(0x80)))),
        _plain("detect_placed", places.placed(classes), "uint16_t"),
        _packed("detect_places", [cost for row in statistics.places.values() for cost in row]),
        _packed("detect_lone", [cost for row in statistics.letters.values() for cost in row]),
        _packed("detect_shares", statistics.shares),
        _packed(
            "detect_lacking",
            [lacks for rows in statistics.lacking.values() for row in rows.values() for lacks in row],
            bits=1,
        ),
        _plain("detect_factorials", [round(EIGHTHS * log2(factorial(n))) for n in range(largest + 1)], "uint16_t"),
        _plain("detect_words", [number for row in statistics.words.values() for number in _hashes(row)], "uint16_t"),
    )
    languages = [name for script in SCRIPTS for name in statistics.languages.get(script, {})]
    total = sum(array.nbytes for array in arrays)
    if total > LIMIT:
        raise DetectionError(f"{FILE}: the table has {total} bytes, more than {LIMIT}")
    number = classes.number
    return {
        "arrays": arrays,
        "total": total,
        "blocks": blocks,
        "languages": [*languages, *_OF_CJK.values()],
        "costs": [round(cost * EIGHTHS) for cost in COSTS],
        "place_costs": [round(cost * EIGHTHS) for cost in places.COSTS],
        "level_classes": {
            name: [number.get(f"{name} {level}", 0) for level in range(LEVELS[name][1])]
            for name in ("ideograph", "syllable")
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
            "kinds": len(places.KINDS),
            "ascii_kinds": places.ASCII_KINDS,
            "groups": len(places.GROUPS),
            "placed": len(statistics.places),
            "words": places.WORDS,
            **{name: len(languages) + at for at, name in enumerate(_OF_CJK)},
        },
    }
