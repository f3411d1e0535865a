"""Render tables in Markdown from the results, including losses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pyperf  # type: ignore[import-untyped]

from benchmarks.goals import LATIN, TWO_BYTE
from benchmarks.measure import ratio

#: What the table of results calls a row: it reached its floor or not; or, where none was set, who is faster.
PASS, SHORT, ALONE = "pass", "short of the floor", "no peer"
AHEAD, LEVEL, BEHIND = "ahead", "level", "**behind**"


class Measured(NamedTuple):
    """A contender's values in a row, by round."""

    name: str
    values: tuple[float, ...]
    counts: bool

    @property
    def median(self) -> float:
        """Return the median."""
        return median(self.values)


@dataclass(frozen=True, eq=False)
class Row:
    """A row of the results."""

    group: str
    name: str
    style: str
    size: str
    unit: str
    nbytes: int | None
    target: str | None
    at_least: float | None
    at_most: float | None
    note: str
    ours: Measured
    others: tuple[Measured, ...]

    @cached_property
    def best(self) -> Measured | None:
        """Return the best of the comparable peers, None if there are none."""
        return min((other for other in self.others if other.counts), key=lambda other: other.median, default=None)

    def ratio_to(self, other: Measured) -> float:
        """Return the ratio of ``other`` to ours."""
        return ratio(other.values, self.ours.values)

    @cached_property
    def ratio(self) -> float | None:
        """Return the ratio of the best peer to ours."""
        return None if self.best is None else self.ratio_to(self.best)

    @property
    def is_level(self) -> bool:
        """Return whether ours and the best peer's differ by less than matters: a page of memory beside a long text."""
        if self.best is None or self.unit == "second":
            return False
        least = (self.nbytes or 0) / 100 if self.unit == "byte" else self.ours.median / 50
        return abs(self.best.median - self.ours.median) < least

    @cached_property
    def verdict(self) -> str:
        """Return whether the row reaches its floor; without one, whether ours is ahead; empty without a peer."""
        behind = self.ratio is not None and self.ratio < 1
        if self.at_least is None and self.at_most is None:
            return "" if self.ratio is None else LEVEL if self.is_level else BEHIND if behind else AHEAD
        if self.at_most is not None and self.ours.median > self.at_most:
            return BEHIND if behind else SHORT
        if self.at_least is None:
            return PASS
        if self.ratio is None:
            return ALONE
        return PASS if self.ratio >= self.at_least else BEHIND if behind else SHORT

    @property
    def lost(self) -> bool:
        """Return whether a floor was missed or a peer is faster."""
        return self.verdict in (SHORT, BEHIND)

    @property
    def title(self) -> str:
        """Return the title of the row without its group."""
        return ", ".join(filter(None, (self.name, self.style, self.size)))

    @property
    def floor(self) -> str:
        """Return the floor in the tables' format."""
        least = None if self.at_least is None else f"≥ {self.at_least:g}×"
        most = None if self.at_most is None else f"≤ {amount(self.at_most, self.unit)}"
        return ", ".join(filter(None, (least, most)))

    def show(self, measured: Measured | None) -> str:
        """Return a contender's median, as throughput for long inputs."""
        if measured is None:
            return ""
        if self.unit == "second" and self.nbytes is not None and self.nbytes >= 1000:
            return f"{self.nbytes / measured.median / 1e9:.3g} GB/s"
        return amount(measured.median, self.unit)

    @property
    def cells(self) -> list[str]:
        """Return ours, the best peer's, its name, the ratio and the floor, as cells of a table."""
        shown = "" if self.ratio is None else f"{self.ratio:.2f}×"
        return [self.show(self.ours), self.show(self.best), self.best.name if self.best else "", shown, self.floor]


_CELLS = ("ours", "best", "peer", "ratio", "floor")
_MULTIPLES = {
    "second": ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")),
    "byte": ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")),
}


def amount(value: float, unit: str) -> str:
    """Format ``value`` with a suitable multiple of its unit; instructions per byte have none."""
    for factor, name in _MULTIPLES.get(unit, ()):
        if value >= factor or name == "ns":
            return f"{value / factor:.3g} {name}"
    return f"{value:.0f} B" if unit == "byte" else f"{value:.2f}"


def rows(suite: Any) -> list[Row]:
    """Return the rows of a pyperf suite that ``python -m benchmarks`` wrote, in its order, with ours first in each."""
    found = []
    for _, members in groupby(suite.get_benchmarks(), key=lambda one: str(one.get_name()).rpartition(" [")[0]):
        described = [(one, one.get_metadata()) for one in members]
        data = described[0][1]
        ours, *others = (
            Measured(metadata["contender"], one.get_values(), bool(metadata.get("counts", 1)))
            for one, metadata in described
        )
        texts = {key: data.get(key, "") for key in ("style", "size", "note")}
        figures = {key: data.get(key) for key in ("nbytes", "target", "at_least", "at_most")}
        unit = data.get("unit", "second")
        found.append(Row(data["group"], data["row"], unit=unit, ours=ours, others=tuple(others), **texts, **figures))
    return found


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    right = {"ours", "best", "ratio", "reached", "median"}
    marks = ["---"] + ["--:" if name in right else "---" for name in header[1:]]
    cells = [header, marks, *lines]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in cells)


def details(found: Sequence[Row]) -> str:
    """Return all rows with all contenders, with a section per group."""
    parts = []
    for group in dict.fromkeys(row.group for row in found):
        lines = []
        for row in (row for row in found if row.group == group):
            others = sorted((other for other in row.others if other is not row.best), key=lambda other: other.median)
            rest = ", ".join(f"{other.name} {row.show(other)} ({row.ratio_to(other):.2f}×)" for other in others)
            lines.append([row.title, *row.cells, row.verdict, "; ".join(filter(None, (rest, row.note)))])
        parts.append(f"## {group[0].upper()}{group[1:]}\n\n{table(('row', *_CELLS, '', 'others, notes'), lines)}")
    return "\n".join(parts)


def _goal(row: Row) -> tuple[str, str, str]:
    """Return the rows by goal: target, plain text or markup, floor."""
    style = row.style if row.style in ("plain text", "markup") and row.size in ("64 KiB", "1 MiB") else ""
    return row.target or "", style, row.floor


def _goal_line(goal: tuple[str, str, str], members: Sequence[Row]) -> list[str]:
    """Return the cells of a goal: median and lowest ratio, or median and highest value, and the rows that reach it."""
    reached = sum(row.verdict == PASS for row in members)
    ratios = {row: row.ratio for row in members if row.at_least is not None and row.ratio is not None}
    if ratios:
        worst = min(ratios, key=ratios.__getitem__)
        middle, extreme = f"{median(ratios.values()):.2f}×", f"{ratios[worst]:.2f}×"
    else:
        worst = max(members, key=lambda row: row.ours.median)
        middle = amount(median(row.ours.median for row in members), worst.unit)
        extreme = amount(worst.ours.median, worst.unit)
    name = ", ".join(filter(None, (worst.name, worst.size)))
    verdict = min((row.verdict for row in members), key=(BEHIND, SHORT, ALONE, PASS).index)
    title = " / ".join(filter(None, goal[:2]))
    return [title, goal[2], middle, f"{extreme} ({name})", f"{reached} of {len(members)}", verdict]


def summary(found: Sequence[Row]) -> str:
    """Return the README's summary: each goal with its median and lowest ratio, then all lost rows."""
    goals: defaultdict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in found:
        if row.target is not None:
            goals[_goal(row)].append(row)
    lines = [_goal_line(goal, members) for goal, members in goals.items()]
    parts = [table(("goal", "floor", "median", "worst", "reached", ""), lines)] if lines else []
    free = [row for row in found if row.target is None and row.ratio is not None]
    if free:
        ahead = sum(not row.lost for row in free)
        parts.append(f"Where no floor was set: ahead of the best peer in {ahead} of {len(free)} rows.\n")
    if lost := [row for row in found if row.lost]:
        parts.append(f"### Rows short of their floor, or behind a peer ({len(lost)} of {len(found)})\n")
        parts.append(table(("row", *_CELLS), ([f"{row.group}: {row.title}", *row.cells] for row in lost)))
    else:
        parts.append("Every row reaches its floor, or is ahead of its peers.\n")
    return "\n".join(parts)


def circumstances(suite: Any) -> str:
    """Return machine, versions and method, in a few lines."""
    data = suite.get_metadata()
    names = {"machine": "cpu_model_name", "cores": "cpu_count", "platform": "platform", "load before": "load_avg_1min",
             "Python": "python_version", "compiler": "python_compiler", "instruction sets used": "simd",
             "peers": "peers", "text": "text", "scope": "scope", "date": "date"}  # fmt: skip
    return "".join(f"- {name}: {data[key]}\n" for name, key in names.items() if key in data)


EXPLANATION = """\
Each row is measured in rounds; in every round each contender has its turn. A figure is the median of its rounds, a
ratio the median of the rounds' ratios: how many times ours the best peer takes. GB/s are of encoded bytes, for decoding
and encoding alike. A floor is a goal of this project's own, often several times the best peer's speed: a row *short of
the floor* is still ahead of every peer, and one that is not says *behind*. Peers that give another result on the very
input are left out and named. Times are processor time, but for two threads and imports. Results below 32 MiB go to
memory that the process had before, larger ones to fresh pages.
"""


def document(suite: Any) -> str:
    """Return the report in Markdown."""
    found = rows(suite)
    parts = ("# Results\n", EXPLANATION, circumstances(suite), "## Summary\n", summary(found), details(found))
    return "\n".join(parts)


def load(path: Path) -> Any:
    """Return the pyperf suite in ``path``."""
    return pyperf.BenchmarkSuite.load(str(path))


# --- Levels -----------------------------------------------------------------------------------------------------------

OF_LEVELS = """\
Median and worst ratio to the best Python peer of each row (CPython, endec, turbohtml, webencodings), above 1 where ours
is faster; rows that are slower than a peer are counted. Texts have 64 KiB: plain text, and pages with markup.

`make bench-levels` makes this table: `WHATWG_ENCODING_SIMD` selects the level, and each ratio is the median of rounds
in which every contender had its turn. The rows are measured on one machine, and other programs were running: expect a
tenth of difference between runs, and more in a worst ratio. A level selected on a newer processor shows the algorithm,
not the clock and the caches of an older machine. NEON is measured by instructions instead, in the table of AArch64.
"""

#: The kinds of encoding, in the order of the table of levels.
KINDS = ("UTF-8, Latin", "UTF-8, other", "UTF-16", "two-byte", "ISO-2022-JP", "single-byte, Latin",
         "single-byte, other", "x-user-defined")  # fmt: skip


def kind_of(name: str) -> str | None:
    """Return the kind of the row ``name``, an encoding and a language; None for an encoding that converts nothing."""
    encoding, language = name.split(" ")
    if encoding in ("replacement", "ISO-2022-JP", "x-user-defined"):
        return None if encoding == "replacement" else encoding
    if encoding in TWO_BYTE or encoding.startswith("UTF-16"):
        return "two-byte" if encoding in TWO_BYTE else "UTF-16"
    return f"{'UTF-8' if encoding == 'UTF-8' else 'single-byte'}, {'Latin' if language in LATIN else 'other'}"


def fold(found: Iterable[Row]) -> dict[str, str]:
    """Return the cell of each conversion: median and worst ratio to the best peer, and how many rows are behind it."""
    ratios: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in found:
        if row.group in ("decode", "encode") and row.size == "64 KiB" and row.ratio is not None:
            style = {"plain text": "plain text", "markup": "page"}.get(row.style)
            if style is not None and (kind := kind_of(row.name)) is not None:
                ratios[f"{row.group}: {kind}, {style}"][row.name] = row.ratio
    cells = {}
    for key, of_key in ratios.items():
        worst = min(of_key, key=of_key.__getitem__)
        behind = sum(ratio < 1 for ratio in of_key.values())
        count = f"; **{behind} of {len(of_key)} behind**" if behind else ""
        cells[key] = f"{median(of_key.values()):.1f}×, {of_key[worst]:.2f}× ({worst}){count}"
    return cells


def levels(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Return the table of the cells of each level, by its title."""
    order = [
        f"{way}: {kind}, {style}" for way in ("decode", "encode") for kind in KINDS for style in ("plain text", "page")
    ]
    lines = ((key, *(cells.get(key, "—") for cells in columns.values())) for key in order)
    return table(("conversion", *columns), (line for line in lines if set(line[1:]) != {"—"}))
