"""Interleaved measurement: every round runs each contender of a row once, so that noise affects all of them equally.

The results are pyperf benchmarks, which ``python -m pyperf stats|hist|compare_to`` reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf
from statistics import median
from time import get_clock_info, perf_counter, process_time
from timeit import Timer
from typing import Any, NamedTuple

import pyperf  # type: ignore[import-untyped]

from benchmarks.peers import Contender, available

#: Processor time, which excludes other processes; wall time where its resolution is too coarse.
CLOCK = process_time if get_clock_info("process_time").resolution <= 1e-6 else perf_counter


class Goal(NamedTuple):
    """The goal of a row: the line of the summary, a minimum ratio to the best of some or all peers, our maximum."""

    target: str
    at_least: float | None = None
    against: Collection[str] | None = None
    at_most: float | None = None


@dataclass
class Job:
    """The contenders of a row, ours first, and their inputs."""

    contenders: Sequence[Contender]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    nbytes: int | None = None  # encoded, of one call: throughput refers to them
    goal: Goal | None = None
    same_results: bool = True  # which are required
    wall: bool = False  # time, as several threads require, instead of processor time
    values: Mapping[str, Sequence[float]] | None = None  # of each contender, if they are not its statement's times
    unit: str | None = None  # of the values; seconds
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A row of the results. ``build`` creates its inputs just before it is measured."""

    group: str
    name: str
    size: str
    style: str
    build: Callable[[], Job]

    @property
    def title(self) -> str:
        """The title of the row, which ``--only`` searches."""
        return f"{self.group}: " + ", ".join(filter(None, (self.name, self.style, self.size)))


class Effort(NamedTuple):
    """Limits: minimum seconds of a sample, maximum number of rounds, approximate maximum seconds of a row."""

    sample: float = 0.001
    rounds: int = 15
    row: float = 1.0


def rounds_of(samples: Mapping[str, Callable[[], float]], rounds: int, most: float = inf) -> dict[str, list[float]]:
    """Return each sample's values, one a round, in rotating order, until all are ``most``, or more in three rounds."""
    order = deque(samples)
    values: dict[str, list[float]] = {name: [] for name in samples}
    while (done := len(values[order[0]])) < rounds and (done < 3 or sum(map(sum, values.values())) < most):
        for name in order:
            values[name].append(samples[name]())
        order.rotate(-1)
    return values


def ratio(theirs: Sequence[float], ours: Sequence[float]) -> float:
    """Return the median of the rounds' ratios, which noise affects less than a ratio of medians."""
    return median(their / our for their, our in zip(theirs, ours, strict=True))


def drop_disagreeing(job: Job) -> None:
    """Remove and note each peer that fails or returns another result than ours: it does not do the same work."""
    first, *others = job.contenders
    expected = first.run(job.inputs)
    job.contenders = [first, *available(others, job.inputs, lambda result: result == expected)]
    job.notes += [f"{one.name} left out: other result" for one in others if one not in job.contenders]


def own_copy(value: object) -> object:
    """Return ``value``, or a copy of a string, so that contenders do not share its cached UTF-8 form."""
    return value[:1] + value[1:] if isinstance(value, str) else value


def time_contenders(job: Job, effort: Effort) -> dict[str, list[float]]:
    """Return the seconds per call of each contender, one value per round."""
    samples, loops = {}, {}
    for one in job.contenders:
        names = {name: own_copy(value) for name, value in job.inputs.items()}
        timer = Timer(one.statement, one.setup, perf_counter if job.wall else CLOCK, globals=names)
        # As many loops as take about a sample's time. Running them warms the caches.
        count = 1
        while (took := timer.timeit(count)) < effort.sample / 2:
            count *= 2
        loops[one.name] = max(1, ceil(count * effort.sample / took))
        samples[one.name] = partial(timer.timeit, loops[one.name])
    found = rounds_of(samples, effort.rounds, effort.row)
    return {name: [took / loops[name] for took in values] for name, values in found.items()}


def compare(calls: Mapping[str, Callable[[], Any]], rounds: int, wall: bool = False) -> dict[str, list[float]]:
    """Return the seconds of each call, one value per round."""
    contenders = [Contender(name, f"result = calls[{name!r}]()") for name in calls]
    return time_contenders(Job(contenders, {"calls": calls}, wall=wall), Effort(0, rounds, inf))


def measure(case: Case, effort: Effort) -> list[Any]:
    """Return the pyperf benchmarks of a row, one per contender, ours first."""
    job = case.build()
    if job.values is None:
        if job.same_results:
            drop_disagreeing(job)
        job.values = time_contenders(job, effort)
    return results(case, job, job.values)


def results(case: Case, job: Job, values: Mapping[str, Sequence[float]]) -> list[Any]:
    """Return a row's values as pyperf benchmarks, with what a report needs; the first has what all share."""
    goal = job.goal or Goal("")
    metadata: dict[str, Any] = {
        "group": case.group, "row": case.name, "size": case.size, "style": case.style, "nbytes": job.nbytes,
        "note": "; ".join(job.notes), "target": goal.target, "at_least": goal.at_least, "at_most": goal.at_most,
    }  # fmt: skip
    found: list[Any] = []
    for one in job.contenders:
        metadata |= {"name": f"{case.title} [{one.name}]", "contender": one.name, "statement": one.statement}
        does_count = not found or goal.against is None or one.name in goal.against
        metadata |= {"unit": job.unit, "counts": None if does_count else 0}
        known = {key: value for key, value in metadata.items() if value not in (None, "")}
        rounded = [float(f"{value:.4g}") for value in values[one.name]]
        found.append(pyperf.Benchmark([pyperf.Run(rounded, metadata=known, collect_metadata=False)]))
        metadata = {}
    return found
