"""Interleaved measurement: every round runs each contender of a row once, so that noise affects all of them equally.

The results are pyperf benchmarks, which ``python -m pyperf stats|hist|compare_to`` reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from time import get_clock_info, perf_counter, process_time
from timeit import Timer
from typing import Any

import pyperf  # type: ignore[import-untyped]

from benchmarks.peers import Contender


@dataclass(frozen=True)
class Goal:
    """The goal of a row. ``target`` is the line of the summary that the row counts for."""

    target: str
    at_least: float | None = None
    """Minimum of the best peer's value divided by ours: 2 is twice as fast."""
    against: frozenset[str] | None = None
    """Names of the contenders that count, or None for all."""
    at_most: float | None = None
    """Maximum of our value, in the row's unit."""


@dataclass
class Job:
    """The contenders of a row, ours first, and their inputs."""

    contenders: Sequence[Contender]
    inputs: Mapping[str, Any]
    nbytes: int | None = None
    """Encoded bytes that one call reads or writes, which throughput refers to."""
    goal: Goal | None = None
    same_results: bool = True
    """Whether the contenders must return equal results."""
    wall: bool = False
    """Whether to measure wall time, as several threads require, instead of processor time."""
    values: Mapping[str, Sequence[float]] | None = None
    """The values of each contender in ``unit``, if they are not the times of its statement."""
    unit: str = "second"
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


@dataclass(frozen=True)
class Effort:
    """Limits: minimum seconds of a sample, maximum number of rounds, approximate maximum seconds of a row."""

    sample: float = 0.001
    rounds: int = 15
    row: float = 1.0


#: Processor time, which excludes other processes; wall time where its resolution is too coarse.
CLOCK = process_time if get_clock_info("process_time").resolution <= 1e-6 else perf_counter
#: Minimum number of rounds, even if the row exceeds its time.
LEAST_ROUNDS = 3


def settle_allocator() -> None:
    """Put the allocator in the state of a process that has already processed a large document.

    The GNU C library maps each block above a threshold anew and trims the top of the heap, until a larger block has
    been freed. Without this call, whether a result of 1 MB needs new pages would depend on the previous measurements.
    """
    bytes((32 << 20) - 8192)


def calibrate(timer: Timer, sample: float) -> int:
    """Return the number of loops that take about ``sample`` seconds. Running them warms the caches."""
    loops = 1
    while True:
        took = timer.timeit(loops)
        if took >= sample / 2:
            return max(1, ceil(loops * sample / took))
        loops *= 2


def drop_disagreeing(job: Job) -> None:
    """Remove and note each peer that fails or returns another result than ours: it does not do the same work."""
    expected = job.contenders[0].run(job.inputs)
    kept = [job.contenders[0]]
    for contender in job.contenders[1:]:
        try:
            agrees = contender.run(job.inputs) == expected
        except Exception:  # each library has its own exceptions
            agrees = False
        if agrees:
            kept.append(contender)
        else:
            job.notes.append(f"{contender.name} left out: other result")
    job.contenders = kept


def own_copy(value: object) -> object:
    """Return ``value``, or a copy of a string, so that contenders do not share its cached UTF-8 form."""
    return value[:1] + value[1:] if isinstance(value, str) else value


def time_contenders(job: Job, effort: Effort) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Return the seconds per call of each contender, one value per round, and its number of loops."""
    clock = perf_counter if job.wall else CLOCK
    timers = {}
    for contender in job.contenders:
        names = {name: own_copy(value) for name, value in job.inputs.items()}
        timers[contender.name] = Timer(contender.statement, contender.setup, clock, globals=names)
    loops = {name: calibrate(timer, effort.sample) for name, timer in timers.items()}
    seconds: dict[str, list[float]] = {name: [] for name in timers}
    order = list(timers)
    done, spent = 0, 0.0
    while done < effort.rounds and (spent < effort.row or done < LEAST_ROUNDS):
        first = done % len(order)
        for name in order[first:] + order[:first]:
            took = timers[name].timeit(loops[name])
            seconds[name].append(took / loops[name])
            spent += took
        done += 1
    return seconds, loops


def measure(case: Case, effort: Effort) -> list[Any]:
    """Return the pyperf benchmarks of a row, one per contender, ours first, with the metadata that a report needs."""
    job = case.build()
    values, loops = job.values, dict[str, int]()
    if values is None:
        if job.same_results:
            drop_disagreeing(job)
        values, loops = time_contenders(job, effort)
    goal = job.goal
    row: dict[str, Any] = {
        "group": case.group,
        "row": case.name,
        "size": case.size,
        "style": case.style,
        "nbytes": job.nbytes,
        "note": "; ".join(job.notes) or None,
    }
    if goal is not None:
        row |= {"target": goal.target, "at_least": goal.at_least, "at_most": goal.at_most}
    result = []
    for contender in job.contenders:
        metadata = row | {
            "name": f"{case.title} [{contender.name}]",
            "contender": contender.name,
            "statement": contender.statement,
            "unit": job.unit if job.unit != "second" else None,
            "loops": loops.get(contender.name),
        }
        is_ours = contender is job.contenders[0]
        if not is_ours and goal is not None and goal.against is not None and contender.name not in goal.against:
            metadata["counts"] = 0
        known = {key: value for key, value in metadata.items() if value not in (None, "")}
        found = [float(f"{value:.4g}") for value in values[contender.name]]
        result.append(pyperf.Benchmark([pyperf.Run(found, metadata=known, collect_metadata=False)]))
        row = {}
    return result
