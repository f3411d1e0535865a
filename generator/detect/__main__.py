"""Make `data/detection.json` from the packages with training text: `python -m generator.detect`."""

from __future__ import annotations

import sys

from generator import snapshot as snapshots
from generator.detect import sources, statistics, table


def text() -> str:
    """Return the text of the file."""
    return table.to_json(statistics.count(snapshots.load(), sources.texts(), sources.stop_words()))


if __name__ == "__main__":
    sys.exit(snapshots.make(table.FILE, text))
