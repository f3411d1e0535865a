"""Write the indexes in the form in which the standard publishes them: a text file ``index-<name>.txt`` for each.

A line has a pointer, a tab and the code point; an index of code points adds the character and its name, which parsers
ignore. https://encoding.spec.whatwg.org/#indexes
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator.model import BUILT, Index, RangeIndex, Snapshot
from generator.names import checked_name
from generator.reports.diff import name

FOLDER = BUILT / "indexes"


def write(snapshot: Snapshot, folder: Path = FOLDER) -> list[Path]:
    """Write a file for each index of a snapshot, the ranges included. Return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    every: list[Index | RangeIndex] = [*snapshot.indexes.values(), snapshot.ranges]
    written = []
    for index in every:
        path = folder / f"index-{checked_name(index.name).lower()}.txt"
        path.write_text("".join(f"{line}\n" for line in lines(index)), encoding="utf-8")
        written.append(path)
    return written


def lines(index: Index | RangeIndex) -> Iterator[str]:
    """Yield the lines of an index's file, without the pointers that have no code point."""
    yield f"# Index {index.name} of the Encoding Standard: pointer, code point"
    yield "# https://encoding.spec.whatwg.org/#indexes"
    yield "#"
    yield f"# Identifier: {index.identifier}"
    yield ""
    if isinstance(index, RangeIndex):
        width = len(str(index.ranges[-1][0]))
        for pointer, code_point in index.ranges:
            yield f"{pointer:>{width}}\t0x{code_point:04X}"
        return
    width = len(str(len(index.code_points) - 1))
    for pointer, value in enumerate(index.code_points):
        if value is not None:
            yield f"{pointer:>{width}}\t0x{value:04X}\t{chr(value)} ({name(value)})"
