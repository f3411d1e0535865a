"""The tables of `make bench`, in Markdown: losses first."""

from __future__ import annotations

import platform
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import packages_distributions, version
from statistics import median

from benchmarks import DOORS, OURS
from benchmarks.doors import BASE

#: Ratios from which a row is level: two runs differ by as much.
LEVEL = 0.95


@dataclass(frozen=True)
class Row:
    """The seconds of a door's contenders, one value a round."""

    name: str
    values: Mapping[str, Sequence[float]]

    def ratio(self, other: str) -> float:
        """Return the median of the rounds' ratios to another contender; over 1, ours is faster."""
        return median(theirs / ours for theirs, ours in zip(self.values[other], self.values[OURS], strict=True))

    @property
    def best(self) -> str:
        """Return the fastest peer, nothing if there is none."""
        peers = (name for name in self.values if name not in (OURS, BASE))
        return min(peers, key=lambda name: median(self.values[name]), default="")

    @property
    def worst(self) -> float:
        """Return the lowest ratio, to the other commit or to the best peer."""
        return min((self.ratio(name) for name in (BASE, self.best) if name in self.values), default=float("inf"))

    @property
    def cells(self) -> list[str]:
        """Return the name, our time, and the ratios to the other commit and to the best peer."""
        before = f"{self.ratio(BASE):.2f}" if BASE in self.values else ""
        peer = f"{self.ratio(self.best):.2f}" if self.best else ""
        return [self.name, duration(median(self.values[OURS])), before, peer, self.best]


def duration(seconds: float) -> str:
    """Return a time with its unit."""
    factor, unit = next(((1e3, "ms"), (1e6, "µs"), (1e9, "ns"))[i] for i in range(3) if seconds >= (1e-3, 1e-6, 0)[i])
    return f"{seconds * factor:.3g} {unit}"


def table(header: Sequence[str], lines: Iterable[Sequence[str]], right: Collection[str] = ()) -> str:
    """Return a Markdown table, in which columns of these names are flush right."""
    marks = ["--:" if name in right else "---" for name in header]
    cells = [header, marks, *lines]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in cells)


def tables(text: str) -> list[str]:
    """Return the tables of a page in Markdown."""
    return re.findall(r"(?:^\|.*\n)+", text, re.M)


def cells(table: str) -> list[list[str]]:
    """Return the cells of a table: those of its header, then those of its rows."""
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    return [header, *rows]


def circumstances(level: str, base: str) -> str:
    """Return machine, versions and what is compared."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
    distributions = {name for names in packages_distributions().values() for name in names}
    peers = ", ".join(f"{name} {version(name)}" for name in DOORS["imports"] if name in distributions)
    lines = {
        "machine": f"{model}, {platform.system()} {platform.machine()}, {level}",
        "Python": f"{platform.python_version()}, {platform.python_compiler()}",
        "peers": peers, "before": base,
    }  # fmt: skip
    return "".join(f"- {name}: {text}\n" for name, text in lines.items() if text)


HEADER = ("function: input", "time", "before", "ratio", "fastest peer")


def document(rows: Sequence[Row], about: str) -> str:
    """Return the report: rows that are slower than before or than a peer, the lowest ratio first, then the others."""
    right = HEADER[1:4]
    lost = sorted((row for row in rows if row.worst < LEVEL), key=lambda row: row.worst)
    losses = table(HEADER, (row.cells for row in lost), right) if lost else "Nothing.\n"
    return f"""# Speed of each function

Times are of one call. Ratios are times of others divided by ours, so that above 1 ours is faster: “before” is another
commit, if one was given, and “ratio” the fastest peer's. `make bench` makes this page.

{about}
## Slower ({len(lost)} of {len(rows)} rows)

{losses}
## Others

{table(HEADER, (row.cells for row in rows if row not in lost), right)}"""


def folded(rows: Iterable[Row]) -> dict[str, str]:
    """Return the cell of each kind of conversion: the median and the worst ratio, and how many rows are slower."""
    ratios: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        kind, _, language = row.name.partition(" of ")
        if row.best:
            ratios[kind][language] = row.ratio(row.best)
    cells = {}
    for kind, of_kind in ratios.items():
        least, name = min((ratio, name) for name, ratio in of_kind.items())
        behind = sum(ratio < 1 for ratio in of_kind.values())
        count = f"; **{behind} of {len(of_kind)} behind**" if behind else ""
        cells[kind] = f"{median(of_kind.values()):.1f}×, {least:.2f}× ({name}){count}"
    return cells
