"""What mojibake is told by, in data/mojibake.json: readings, and what pairs of characters cost in good text.

``python -m generator.mend`` writes the file. Costs are in halves of a bit.
"""

from __future__ import annotations

import hashlib
import json
import string
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from generator.detect.classes import runs
from generator.model import DATA, data_file, file_content
from generator.tables.direct import Array

FILE = "mojibake.json"
DIGITS = string.digits + string.ascii_lowercase + string.ascii_uppercase[:25]
"""A digit is a cost: 0 to 60 halves of a bit."""
_BMP = 0x10000
_PAGE = 64


def template_context(data: Path = DATA) -> Mapping[str, object]:
    """Return the context of ``templates/mojibake_table.h.j2``."""
    content = file_content(data_file(data, FILE))
    table = json.loads(content)
    names = list(table["classes"])
    of_class = [names.index(table["named"]["never"])] * _BMP
    beyond = []
    for number, text in enumerate(table["classes"].values()):
        for run in runs(text):
            for code_point in run[: max(0, _BMP - run.start)]:
                of_class[code_point] = number
            if run.stop > _BMP:
                beyond.append((max(run.start, _BMP), run.stop - 1, number))
    rare = list(table["rare"].values())
    costs = [0xFF] * _BMP  # that of a rare character of the class
    for cost, characters in table["characters"].items():
        for character in characters:
            if ord(character) < _BMP:
                costs[ord(character)] = int(cost)
    pairs = [DIGITS.index(digit) for row in table["pairs"].values() for digit in row]
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
            Array.of("mojibake_pairs", pairs, "uint8_t"),
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
    yield Array.of(f"{symbol}_pages", numbers, "uint16_t")
    yield Array.of(symbol, entries, "uint8_t")
