"""Render tables in Markdown from the results, including losses. The texts around them are in templates/."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pyperf  # type: ignore[import-untyped]

from benchmarks import ROWS, TEMPLATES
from benchmarks.corpus import STYLES
from benchmarks.goals import KINDS, PAGE_SIZES, kind_of
from benchmarks.measure import ratio

#: What the table of results calls a row: it reached its floor or not; or, where none was set, who is faster.
PASS, SHORT, ALONE = "pass", "short of the floor", "no peer"
AHEAD, LEVEL, BEHIND = "ahead", "level", "**behind**"


class Measured(NamedTuple):
    """A contender's values in a row, by round, and whether they count in the ratio."""

    name: str
    values: tuple[float, ...]
    counts: bool = True

    @property
    def median(self) -> float:
        """Return the median."""
        return median(self.values)


@dataclass(frozen=True, eq=False)
class Row:
    """A row of the results; its fields are those of a case, its job and its goal."""

    group: str
    name: str
    ours: Measured
    others: tuple[Measured, ...]
    style: str = ""
    size: str = ""
    unit: str = "second"
    nbytes: int | None = None
    target: str | None = None
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

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

    @cached_property
    def better(self) -> list[Measured]:
        """Return the peers that are better than ours, the best first, whether or not they count in the row's floor."""
        peers = [other for other in self.others if other.name not in ROWS["limits"] and self.ratio_to(other) < 1]
        return [] if self.is_level else sorted(peers, key=lambda other: other.median)

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
        ratio = inf if self.ratio is None else self.ratio
        if not self.floor:
            return "" if self.best is None else LEVEL if self.is_level else AHEAD if ratio >= 1 else BEHIND
        is_within = self.at_most is None or self.ours.median <= self.at_most
        if is_within and self.best is None and self.at_least is not None:
            return ALONE
        is_behind = ratio < 1 and self.best is not None and self.best.name not in ROWS["limits"]
        return PASS if is_within and ratio >= (self.at_least or 0) else BEHIND if is_behind else SHORT

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
_FIGURES = ("ours", "best", "peer's", "ratio", "reached", "median")
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
        described = [(one.get_metadata(), one.get_values()) for one in members]
        data = described[0][0]
        # A limit counts where it is the goal.
        limits = () if "target" in data else ROWS["limits"]
        ours, *others = (
            Measured(one["contender"], values, bool(one.get("counts", one["contender"] not in limits)))
            for one, values in described
        )
        known = {key: value for key, value in data.items() if key in Row.__dataclass_fields__} | {"name": data["row"]}
        found.append(Row(ours=ours, others=tuple(others), **known))
    return found


def table(header: Sequence[str], lines: Iterable[Sequence[str]], right: Collection[str] = _FIGURES) -> str:
    """Return a Markdown table, in which columns of these names are flush right."""
    marks = ["--:" if name in right else "---" for name in header]
    cells = [header, marks, *lines]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in cells)


def details(found: Sequence[Row]) -> str:
    """Return all rows with all contenders, with a section per group."""
    groups: defaultdict[str, list[list[str]]] = defaultdict(list)
    for row in found:
        others = sorted((other for other in row.others if other is not row.best), key=lambda other: other.median)
        rest = ", ".join(f"{other.name} {row.show(other)} ({row.ratio_to(other):.2f}×)" for other in others)
        line = [row.title, *row.cells, row.verdict, "; ".join(filter(None, (rest, row.note)))]
        groups[f"## {row.group[0].upper()}{row.group[1:]}"].append(line)
    header = ("row", *_CELLS, "", "others, notes")
    return "\n".join(f"{title}\n\n{table(header, lines)}" for title, lines in groups.items())


def _goal_line(members: Sequence[Row]) -> list[str]:
    """Return median and lowest ratio of a goal, or median and highest value, and how many rows reach it."""
    reached = sum(row.verdict == PASS for row in members)
    if ratios := {row: row.ratio for row in members if row.at_least is not None and row.ratio is not None}:
        worst = min(ratios, key=ratios.__getitem__)
        middle, extreme = f"{median(ratios.values()):.2f}×", f"{ratios[worst]:.2f}×"
    else:
        values = {row: row.ours.median for row in members}
        worst = max(values, key=values.__getitem__)
        middle, extreme = amount(median(values.values()), worst.unit), amount(values[worst], worst.unit)
    name = ", ".join(filter(None, (worst.name, worst.size)))
    verdict = min((row.verdict for row in members), key=(BEHIND, SHORT, ALONE, PASS).index)
    return [middle, f"{extreme} ({name})", f"{reached} of {len(members)}", verdict]


def summary(found: Sequence[Row]) -> str:
    """Return the summary: goals with median and lowest ratio, then all rows behind a peer or short of a floor."""
    goals: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in found:
        if row.target is not None:
            style = f" / {row.style}" if row.style in STYLES and row.size in PAGE_SIZES else ""
            goals[row.target + style, row.floor].append(row)
    lines = [[*goal, *_goal_line(members)] for goal, members in goals.items()]
    parts = [table(("goal", "floor", "median", "worst", "reached", ""), lines)] if lines else []
    lost = [row for row in found if row.verdict in (SHORT, BEHIND)]
    behind = sorted((row for row in found if row.better), key=lambda row: row.ratio_to(row.better[0]))
    if free := [row for row in found if row.target is None and row.ratio is not None]:
        ahead = sum(row not in lost for row in free)
        parts.append(f"Where no floor was set: ahead of the best peer in {ahead} of {len(free)} rows.\n")
    parts.append(f"### What is slower than a peer ({len(behind)} of {len(found)} rows)\n")
    lines = [
        [f"{row.group}: {row.title}", row.show(row.ours), row.show(best), best.name, f"{row.ratio_to(best):.2f}×"]
        for row in behind
        for best in row.better[:1]
    ]
    parts.append(table(("row", "ours", "peer's", "peer", "ratio"), lines) if lines else "Nothing.\n")
    if short := [row for row in lost if not row.better]:
        parts.append(f"### Ahead of every peer, and short of the floor ({len(short)} of {len(found)} rows)\n")
        parts.append(table(("row", *_CELLS), ([f"{row.group}: {row.title}", *row.cells] for row in short)))
    return "\n".join(parts)


def circumstances(suite: Any) -> str:
    """Return machine, versions and method, in a few lines."""
    data = suite.get_metadata()
    names = {"machine": "cpu_model_name", "cores": "cpu_count", "platform": "platform", "load before": "load_avg_1min",
             "Python": "python_version", "compiler": "python_compiler", "instruction sets used": "simd",
             "peers": "peers", "text": "text", "scope": "scope", "date": "date"}  # fmt: skip
    return "".join(f"- {name}: {data[key]}\n" for name, key in names.items() if key in data)


def render(template: str, **parts: Any) -> str:
    """Return a report, of which the template has the text."""
    return TEMPLATES.get_template(f"{template}.md.j2").render(parts)


def document(suite: Any) -> str:
    """Return the report in Markdown."""
    found = rows(suite)
    return render("results", circumstances=circumstances(suite), summary=summary(found), details=details(found))


def load(path: Path) -> Any:
    """Return the pyperf suite in ``path``."""
    return pyperf.BenchmarkSuite.load(str(path))


def fold(found: Iterable[Row]) -> dict[str, str]:
    """Return the cell of each conversion: median and worst ratio to the best peer, and how many rows are behind it."""
    ratios: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in found:
        is_one_call = row.group in ("decode", "encode") and row.size == "64 KiB" and row.style in STYLES
        if is_one_call and row.ratio is not None and (kind := kind_of(row.name)):
            ratios[f"{row.group}: {kind}, {row.style}"][row.name] = row.ratio
    cells = {}
    for key, of_key in ratios.items():
        least, worst = min((ratio, name) for name, ratio in of_key.items())
        behind = sum(ratio < 1 for ratio in of_key.values())
        count = f"; **{behind} of {len(of_key)} behind**" if behind else ""
        cells[key] = f"{median(of_key.values()):.1f}×, {least:.2f}× ({worst}){count}"
    return cells


def levels(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Return the table of the cells of each level, by its title."""
    order = (f"{way}: {kind}, {style}" for way, kind, style in product(("decode", "encode"), KINDS, STYLES))
    lines = ((key, *(cells.get(key, "—") for cells in columns.values())) for key in order)
    return table(("conversion", *columns), (line for line in lines if set(line[1:]) != {"—"}))
