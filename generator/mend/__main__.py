"""Make `data/mojibake.json` from the packages with good lines: `python -m generator.mend`."""

from __future__ import annotations

import sys

from generator import mojibake
from generator import snapshot as snapshots
from generator.detect import sources
from generator.mend import statistics, texts
from generator.mend.classes import Classes
from generator.model import GeneratorError


def main() -> int:
    """Write the statistics and return the exit status: 0, or 1 after an error."""
    packages = [*sources.packages(), *texts.PACKAGES]
    try:
        classes = Classes(snapshots.load())
        counted = statistics.count(texts.lines(packages), classes)
    except GeneratorError as error:
        print(f"generator: {error}", file=sys.stderr)
        return 1
    path = snapshots.DATA / mojibake.FILE
    text = mojibake.to_json(counted, classes, packages).encode()
    same = path.exists() and path.read_bytes() == text
    if not same:
        snapshots.replace(snapshots.DATA, {mojibake.FILE: text})
    print(f"{mojibake.FILE}: {len(text):,} bytes, {'as committed' if same else 'changed'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
