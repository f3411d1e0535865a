"""What mojibake is told by, in data/mojibake.json: readings, and what pairs of characters cost in good text.

``python -m generator.mend`` writes the file. Costs are in halves of a bit.
"""

from __future__ import annotations

import hashlib
import json
import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from generator.model import DATA
from generator.tables.direct import Array

if TYPE_CHECKING:
    from generator.detect.sources import Package
    from generator.mend.classes import Classes
    from generator.mend.statistics import Statistics

FILE = "mojibake.json"
_DIGITS = string.digits + string.ascii_lowercase + string.ascii_uppercase[:25]
"""A digit is a cost: 0 to 60 halves of a bit."""
_LAST, _BMP = 0x10FFFF, 0x10000
_PAGE = 64

# -- The file ----------------------------------------------------------------------------------------------------------


def to_json(statistics: Statistics, classes: Classes, packages: Iterable[Package]) -> str:
    """Return the text of the file."""
    from generator.mend import readings  # imported here, since only the fit needs it
    from generator.mend.classes import C1, EDGE, LETTER, NAMES, NEVER, REPLACEMENT

    costs = defaultdict(list)
    for character, cost in statistics.characters.items():
        costs[cost].append(character)
    content = {
        "sources": [asdict(package) for package in packages],
        "unicode": unicodedata.unidata_version,
        "readings": {
            name: {
                "bits": bits,
                "characters": "".join(character for character, _ in readings.characters(name)),
                "bytes": bytes(byte for _, byte in readings.characters(name)).hex(),
            }
            for name, (bits, _) in readings.READINGS.items()
        },
        "multi_byte": readings.MULTI_BYTE,
        "named": {"edge": EDGE, "letter": LETTER, "replacement": REPLACEMENT, "never": NEVER, "c1": C1},
        "classes": {name: " ".join(_runs(members)) for name, members in _members(classes, NAMES)},
        "rare": dict(zip(NAMES, statistics.rare, strict=True)),
        "pairs": {name: "".join(_DIGITS[cost] for cost in row) for name, row in statistics.pairs.items()},
        "characters": {str(cost): "".join(sorted(costs[cost])) for cost in sorted(costs)},
    }
    return json.dumps(content, indent=1) + "\n"


def _members(classes: Classes, names: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    ranges: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    first = 0
    for name, group in groupby(range(_LAST + 1), lambda code_point: classes.of(chr(code_point))):
        count = sum(1 for _ in group)
        ranges[name].append((first, first + count - 1))
        first += count
    yield from ranges.items()


def _runs(members: Iterable[tuple[int, int]]) -> Iterator[str]:
    for first, last in members:
        yield f"{first:X}" if first == last else f"{first:X}-{last:X}"


# -- The arrays --------------------------------------------------------------------------------------------------------


def template_context(data: Path = DATA) -> Mapping[str, object]:
    """Return the context of ``templates/mojibake_table.h.j2``."""
    content = (data / FILE).read_bytes()
    table = json.loads(content)
    names = list(table["classes"])
    of_class = [names.index(table["named"]["never"])] * _BMP
    beyond = []
    for number, runs in enumerate(table["classes"].values()):
        for run in runs.split():
            first, _, last = run.partition("-")
            for code_point in range(int(first, 16), min(int(last or first, 16) + 1, _BMP)):
                of_class[code_point] = number
            if int(last or first, 16) >= _BMP:
                beyond.append((max(int(first, 16), _BMP), int(last or first, 16), number))
    rare = list(table["rare"].values())
    costs = [0xFF] * _BMP  # that of a rare character of the class
    for cost, characters in table["characters"].items():
        for character in characters:
            if ord(character) < _BMP:
                costs[ord(character)] = int(cost)
    pairs = [_DIGITS.index(digit) for row in table["pairs"].values() for digit in row]
    readings = [
        {
            "name": name,
            "prior": round(2 * reading["bits"]),
            "bytes": list(zip(map(ord, reading["characters"]), bytes.fromhex(reading["bytes"]), strict=True)),
        }
        for name, reading in table["readings"].items()
    ]
    return {
        "digest": hashlib.sha256(content).hexdigest(),
        "readings": readings,
        "multi_byte": [(name, round(2 * bits)) for name, bits in table["multi_byte"].items()],
        "characters": len({character for reading in readings for character, _ in reading["bytes"]}),
        "named": {name: names.index(of) for name, of in table["named"].items()},
        "classes": len(names),
        "beyond": sorted(beyond),
        "rare": rare,
        "arrays": [
            Array("mojibake_pairs", dict(enumerate(pairs)), len(pairs), "uint8_t"),
            *_paged("mojibake_classes", of_class),
            *_paged("mojibake_costs", costs),
        ],
    }


def _paged(symbol: str, values: Sequence[int]) -> Iterator[Array]:
    """Yield the pages of a table of the BMP, each once, and the number of each page."""
    pages: dict[tuple[int, ...], int] = {}
    numbers = [
        pages.setdefault(tuple(values[start : start + _PAGE]), len(pages)) for start in range(0, len(values), _PAGE)
    ]
    entries = [value for page in pages for value in page]
    yield Array(f"{symbol}_pages", dict(enumerate(numbers)), len(numbers), "uint16_t")
    yield Array(symbol, dict(enumerate(entries)), len(entries), "uint8_t")
