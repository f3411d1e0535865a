"""``python -m benchmarks.levels``: the ratios to the best peer at each instruction-set level of this machine.

Each level is measured by ``python -m benchmarks`` in a process of its own, for which ``WHATWG_ENCODING_SIMD`` selects
the level. The rows of one size are folded into a table: a line for each kind of conversion, a column for each level.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

import whatwg_encoding as we
from benchmarks import report
from benchmarks.goals import LATIN, TWO_BYTE

RESULTS = Path(__file__).parent / "results" / "levels.md"
SIZE = "64 KiB"
#: The levels that have columns, best first, and their titles. The levels below them serve hardly any machine.
LEVELS = {"avx512": "AVX-512", "avx2": "AVX2", "x86-64-v2": "x86-64-v2", "neon": "NEON"}
#: The kinds of text, and their names in the table.
STYLES = {"dense": "dense", "markup": "page"}
#: The kinds of encoding, in the order of the table.
KINDS = (
    "UTF-8, Latin",
    "UTF-8, other",
    "UTF-16",
    "two-byte",
    "ISO-2022-JP",
    "single-byte, Latin",
    "single-byte, other",
    "x-user-defined",
)

#: Direction, kind of encoding and kind of text.
Key = tuple[str, str, str]


def kind_of(name: str) -> str | None:
    """Return the kind of the row ``name``, an encoding and a language; None for an encoding that converts nothing."""
    encoding, language = name.split(" ")
    if encoding == "replacement":
        return None
    if encoding in ("ISO-2022-JP", "x-user-defined"):
        return encoding
    if encoding in TWO_BYTE:
        return "two-byte"
    if encoding.startswith("UTF-16"):
        return "UTF-16"
    return f"{'UTF-8' if encoding == 'UTF-8' else 'single-byte'}, {'Latin' if language in LATIN else 'other'}"


def fold(rows: Iterable[report.Row]) -> dict[Key, str]:
    """Return the cell of each key: median and worst ratio to the best peer, and how many rows are behind it."""
    ratios: defaultdict[Key, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.group not in ("decode", "encode") or row.size != SIZE or row.style not in STYLES or row.ratio is None:
            continue
        kind = kind_of(row.name)
        if kind is not None:
            ratios[row.group, kind, STYLES[row.style]][row.name] = row.ratio
    cells = {}
    for key, found in ratios.items():
        worst = min(found, key=found.__getitem__)
        behind = sum(ratio < 1 for ratio in found.values())
        count = f"; **{behind} of {len(found)} behind**" if behind else ""
        cells[key] = f"{median(found.values()):.1f}×, {found[worst]:.2f}× ({worst}){count}"
    return cells


def table(levels: Mapping[str, Mapping[Key, str]]) -> str:
    """Return the table of the cells of each level, by its title."""
    order = [
        (direction, kind, style) for direction in ("decode", "encode") for kind in KINDS for style in STYLES.values()
    ]
    lines = [
        (f"{direction}: {kind}, {style}", *(cells.get((direction, kind, style), "—") for cells in levels.values()))
        for direction, kind, style in order
        if any((direction, kind, style) in cells for cells in levels.values())
    ]
    return report.table(("conversion", *levels), lines)


EXPLANATION = """\
Median and worst ratio to the best Python peer of each row (CPython, endec, turbohtml, webencodings), above 1 where ours
is faster; rows that are slower than a peer are counted. Texts have 64 KiB: dense prose, and pages with markup.

`make bench-levels` makes this table: `WHATWG_ENCODING_SIMD` selects the level, and each ratio is the median of rounds
in which every contender had its turn. The rows are measured on one machine, and other programs were running: expect a
tenth of difference between runs, and more in a worst ratio. A level selected on a newer processor shows the algorithm,
not the clock and the caches of an older machine. NEON is measured by instructions instead, in the table of AArch64.
"""


def document(levels: Mapping[str, Mapping[Key, str]], circumstances: str) -> str:
    """Return the results in Markdown."""
    return "\n".join(("# Speed per instruction-set level\n", EXPLANATION, circumstances, table(levels)))


def measure(level: str, options: Sequence[str]) -> tuple[list[report.Row], str]:
    """Return the rows of this machine at ``level``, and the circumstances but for the level."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks", "--sizes", SIZE, "--output", folder, *options]
        subprocess.run(command, env=os.environ | {"WHATWG_ENCODING_SIMD": level}, check=True)
        (path,) = Path(folder).glob("*.json")
        suite = report.load(path)
    lines = report.circumstances(suite).splitlines(keepends=True)
    return report.rows(suite), "".join(line for line in lines if "instruction sets" not in line)


def main(given: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status, which does not depend on the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.levels", description="Ratios per instruction-set level."
    )
    parser.add_argument("--rounds", type=int, default=15, help="rounds of a row, at most (%(default)s)")
    parser.add_argument("--only", metavar="REGEX", default="^(decode|encode): ", help="rows whose title has a match")
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="UTF-8 files ja.txt, ja.html, … ($CORPUS)")
    parser.add_argument("--output", type=Path, metavar="FILE", default=RESULTS, help="where the table goes")
    options = parser.parse_args(given)
    passed = ["--rounds", str(options.rounds), "--only", options.only]
    if options.corpus is not None:
        passed += ["--corpus", str(options.corpus)]
    columns: dict[str, dict[Key, str]] = {}
    circumstances = ""
    for level in available():
        rows, circumstances = measure(level, passed)
        columns[LEVELS[level]] = fold(rows)
    text = document(columns, circumstances)
    print(text)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(text, "utf-8")
    return 0


def available() -> list[str]:
    """Return the levels of the table that this machine has, best first."""
    return [level for level in LEVELS if level in we.cpu_features()["available"]]


if __name__ == "__main__":
    sys.exit(main())
