"""Make `data/mojibake.json` from the packages with good lines: `python -m generator.mend`."""

from __future__ import annotations

import sys

from generator import mojibake
from generator import snapshot as snapshots
from generator.detect import sources
from generator.mend import statistics, texts
from generator.mend.classes import Classes


def text() -> str:
    """Return the text of the file."""
    packages, classes = [*sources.packages(), *texts.PACKAGES], Classes(snapshots.load())
    return mojibake.to_json(statistics.count(texts.lines(packages), classes), classes, packages)


if __name__ == "__main__":
    sys.exit(snapshots.make(mojibake.FILE, text))
