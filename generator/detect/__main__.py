"""Make `data/detection.json` from the packages with training text: `python -m generator.detect`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generator import snapshot as snapshots
from generator.detect import sources, statistics, table
from generator.model import GeneratorError


def main(arguments: list[str] | None = None) -> int:
    """Write the statistics and return the exit status: 0, or 1 after an error."""
    parser = argparse.ArgumentParser(prog="python -m generator.detect", description=__doc__)
    parser.add_argument("--data", type=Path, default=snapshots.DATA, metavar="FOLDER", help="instead of data/")
    parser.add_argument("--packages", type=Path, default=sources.FOLDER, metavar="FOLDER", help="where packages are")
    parsed = parser.parse_args(arguments)
    try:
        counted = statistics.count(
            snapshots.load(), sources.texts(parsed.packages), sources.stop_words(parsed.packages)
        )
    except GeneratorError as error:
        print(f"generator: {error}", file=sys.stderr)
        return 1
    path = parsed.data / table.FILE
    text = table.to_json(counted).encode()
    same = path.exists() and path.read_bytes() == text
    if not same:
        snapshots.replace(parsed.data, {table.FILE: text})
    print(f"{table.FILE}: {len(text):,} bytes, {'as committed' if same else 'changed'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
