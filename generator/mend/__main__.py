"""Make `data/mojibake.json` from the packages with good lines: `python -m generator.mend`."""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from itertools import groupby
from operator import itemgetter

from generator import snapshot as snapshots
from generator.detect import sources
from generator.mend import readings, statistics, texts
from generator.mend.classes import C1, EDGE, LETTER, NAMES, NEVER, REPLACEMENT, Classes
from generator.mojibake import DIGITS, FILE


def _runs(classes: Classes) -> dict[str, list[str]]:
    """Return the runs of code points of each class, in hexadecimal digits."""
    runs: dict[str, list[str]] = {name: [] for name in NAMES}
    for number, group in groupby(enumerate(classes.numbers), itemgetter(1)):
        code_points = [code_point for code_point, _ in group]
        ends = dict.fromkeys((code_points[0], code_points[-1]))
        runs[NAMES[number]].append("-".join(f"{end:X}" for end in ends))
    return runs


def text() -> str:
    """Return the text of the file."""
    packages, classes = sources.packages(FILE), Classes(snapshots.load())
    counted = statistics.count(texts.lines(packages), classes)
    costs = defaultdict(list)
    for character, cost in sorted(counted.characters.items()):
        costs[cost].append(character)
    content = {
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
        "classes": {name: " ".join(runs) for name, runs in _runs(classes).items()},
        "rare": dict(zip(NAMES, counted.rare, strict=True)),
        "pairs": {name: "".join(DIGITS[cost] for cost in row) for name, row in counted.pairs.items()},
        "characters": {str(cost): "".join(costs[cost]) for cost in sorted(costs)},
    }
    return sources.to_json(packages, content)


if __name__ == "__main__":
    sys.exit(snapshots.make(FILE, text))
