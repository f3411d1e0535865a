"""Make `data/detection.json` from the packages with training text: `python -m generator.detect`."""

from __future__ import annotations

import sys

from generator import snapshot as snapshots
from generator.detect import sources, statistics, table
from generator.model import GeneratorError


def main() -> int:
    """Write the statistics and return the exit status: 0, or 1 after an error."""
    try:
        counted = statistics.count(snapshots.load(), sources.texts(), sources.stop_words())
    except GeneratorError as error:
        print(f"generator: {error}", file=sys.stderr)
        return 1
    path = snapshots.DATA / table.FILE
    text = table.to_json(counted).encode()
    same = path.exists() and path.read_bytes() == text
    if not same:
        snapshots.replace(snapshots.DATA, {table.FILE: text})
    print(f"{table.FILE}: {len(text):,} bytes, {'as committed' if same else 'changed'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
