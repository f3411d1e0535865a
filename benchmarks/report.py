"""Render tables in Markdown from the results, including losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

import pyperf  # type: ignore[import-untyped]

#: What the table of results calls a row: it reached its floor or not; or, where none was set, who is faster.
PASS, SHORT, ALONE = "pass", "short of the floor", "no peer"
AHEAD, LEVEL, BEHIND = "ahead", "level", "**behind**"


@dataclass(frozen=True)
class Measured:
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
        """Return the ratio of ``other`` to ours: the median of the rounds' ratios, which reduces noise."""
        return median(theirs / ours for theirs, ours in zip(other.values, self.ours.values, strict=True))

    @cached_property
    def ratio(self) -> float | None:
        """Return the ratio of the best peer to ours."""
        return None if self.best is None else self.ratio_to(self.best)

    @cached_property
    def verdict(self) -> str:
        """Return whether the row reaches its floor; without one, whether ours is ahead; empty without a peer."""
        if self.at_least is None and self.at_most is None:
            if self.ratio is None or self.best is None:
                return ""
            if self.unit == "byte" and abs(self.best.median - self.ours.median) < (self.nbytes or 0) / 100:
                return LEVEL  # A page of memory is negligible beside a text of megabytes.
            return AHEAD if self.ratio >= 1 else BEHIND
        if self.at_most is not None and self.ours.median > self.at_most:
            return SHORT if self.ratio is None or self.ratio >= 1 else BEHIND
        if self.at_least is None:
            return PASS
        if self.ratio is None:
            return ALONE
        return PASS if self.ratio >= self.at_least else SHORT if self.ratio >= 1 else BEHIND

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
        parts = []
        if self.at_least is not None:
            parts.append(f"≥ {self.at_least:g}×")
        if self.at_most is not None:
            parts.append(f"≤ {amount(self.at_most, self.unit)}")
        return ", ".join(parts)

    def show(self, measured: Measured) -> str:
        """Return a contender's median, as throughput for long inputs."""
        if self.unit == "second" and self.nbytes is not None and self.nbytes >= 1000:
            return f"{self.nbytes / measured.median / 1e9:.3g} GB/s"
        return amount(measured.median, self.unit)


def amount(value: float, unit: str) -> str:
    """Format ``value`` with a suitable multiple of its unit."""
    if unit == "second":
        for factor, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
            if value >= factor:
                return f"{value / factor:.3g} {name}"
        return f"{value / 1e-9:.3g} ns"
    for factor, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if value >= factor:
            return f"{value / factor:.3g} {name}"
    return f"{value:.0f} B"


def rows(suite: Any) -> list[Row]:
    """Return the rows of a pyperf suite that ``python -m benchmarks`` wrote, in its order, with ours first in each."""
    result = []
    described = [(benchmark, benchmark.get_metadata()) for benchmark in suite.get_benchmarks()]
    for _, members in groupby(described, key=lambda item: str(item[0].get_name()).rpartition(" [")[0]):
        (first, data), *others = members
        result.append(
            Row(
                group=data["group"],
                name=data["row"],
                style=data.get("style", ""),
                size=data.get("size", ""),
                unit=data.get("unit", "second"),
                nbytes=data.get("nbytes"),
                target=data.get("target"),
                at_least=data.get("at_least"),
                at_most=data.get("at_most"),
                note=data.get("note", ""),
                ours=_measured(first, data),
                others=tuple(_measured(benchmark, metadata) for benchmark, metadata in others),
            )
        )
    return result


def _measured(benchmark: Any, metadata: dict[str, Any]) -> Measured:
    return Measured(metadata["contender"], benchmark.get_values(), bool(metadata.get("counts", 1)))


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    marks = ["---"] + ["--:" if name in _RIGHT else "---" for name in header[1:]]
    cells = [header, marks, *lines]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in cells)


_RIGHT = frozenset({"ours", "best", "ratio", "reached", "median"})


def details(found: Sequence[Row]) -> str:
    """Return all rows with all contenders, with a section per group."""
    parts = []
    for group in dict.fromkeys(row.group for row in found):
        lines = []
        for row in (row for row in found if row.group == group):
            others = sorted((other for other in row.others if other is not row.best), key=lambda other: other.median)
            rest = ", ".join(f"{other.name} {row.show(other)} ({row.ratio_to(other):.2f}×)" for other in others)
            lines.append(
                (
                    row.title,
                    row.show(row.ours),
                    "" if row.best is None else row.show(row.best),
                    "" if row.best is None else row.best.name,
                    "" if row.ratio is None else f"{row.ratio:.2f}×",
                    row.floor,
                    row.verdict,
                    "; ".join(filter(None, (rest, row.note))),
                )
            )
        header = ("row", "ours", "best", "peer", "ratio", "floor", "", "others, notes")
        parts.append(f"## {group[0].upper()}{group[1:]}\n\n{table(header, lines)}")
    return "\n".join(parts)


def summary(found: Sequence[Row]) -> str:
    """Return the README's summary: each goal with its median and lowest ratio, then all lost rows."""
    lines = []
    aimed = [row for row in found if row.target is not None]
    for goal in dict.fromkeys(_goal(row) for row in aimed):
        members = [row for row in aimed if _goal(row) == goal]
        reached = sum(row.verdict == PASS for row in members)
        ratios = {row: row.ratio for row in members if row.at_least is not None and row.ratio is not None}
        if ratios:
            worst = min(ratios, key=ratios.__getitem__)
            middle, extreme = f"{median(ratios.values()):.2f}×", f"{ratios[worst]:.2f}×"
        else:
            worst = max(members, key=lambda row: row.ours.median)
            middle = amount(median(row.ours.median for row in members), worst.unit)
            extreme = amount(worst.ours.median, worst.unit)
        lines.append(
            (
                " / ".join(filter(None, goal[:2])),
                goal[2],
                middle,
                f"{extreme} ({', '.join(filter(None, (worst.name, worst.size)))})",
                f"{reached} of {len(members)}",
                min((row.verdict for row in members), key=(BEHIND, SHORT, ALONE, PASS).index),
            )
        )
    parts = [table(("goal", "floor", "median", "worst", "reached", ""), lines)] if lines else []
    free = [row for row in found if row.target is None and row.ratio is not None]
    if free:
        ahead = sum(not row.lost for row in free)
        parts.append(f"Where no floor was set: ahead of the best peer in {ahead} of {len(free)} rows.\n")
    lost = [row for row in found if row.lost]
    if lost:
        parts.append(f"### Rows short of their floor, or behind a peer ({len(lost)} of {len(found)})\n")
        header = ("row", "ours", "best", "peer", "ratio", "floor")
        parts.append(
            table(
                header,
                [
                    (
                        f"{row.group}: {row.title}",
                        row.show(row.ours),
                        "" if row.best is None else row.show(row.best),
                        "" if row.best is None else row.best.name,
                        "" if row.ratio is None else f"{row.ratio:.2f}×",
                        row.floor,
                    )
                    for row in lost
                ],
            )
        )
    else:
        parts.append("Every row reaches its floor, or is ahead of its peers.\n")
    return "\n".join(parts)


def _goal(row: Row) -> tuple[str, str, str]:
    """Return the rows by goal: target, dense text or markup, floor."""
    style = row.style if row.style in ("dense", "markup") and row.size in ("64 KiB", "1 MiB") else ""
    return row.target or "", style, row.floor


def circumstances(suite: Any) -> str:
    """Return machine, versions and method, in a few lines."""
    data = suite.get_metadata()
    names = (
        ("machine", "cpu_model_name"),
        ("cores", "cpu_count"),
        ("platform", "platform"),
        ("load before", "load_avg_1min"),
        ("Python", "python_version"),
        ("compiler", "python_compiler"),
        ("instruction sets used", "simd"),
        ("peers", "peers"),
        ("text", "text"),
        ("scope", "scope"),
        ("date", "date"),
    )
    return "".join(f"- {name}: {data[key]}\n" for name, key in names if key in data)


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
    return "\n".join(
        (
            "# Results\n",
            EXPLANATION,
            circumstances(suite),
            "## Summary\n",
            summary(found),
            details(found),
        )
    )


def load(path: Path) -> Any:
    """Return the pyperf suite in ``path``."""
    return pyperf.BenchmarkSuite.load(str(path))
