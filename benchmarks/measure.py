"""Interleaved measurement: in every round each contender of a row has its turn, so that noise falls on them alike.

Results are benchmarks in pyperf's format: ``python -m pyperf stats|hist|compare_to`` reads them.
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
    """What a row is to reach. ``target`` names the line of the summary that it counts in."""

    target: str
    at_least: float | None = None
    """The best peer's value divided by ours: two times as fast is 2."""
    against: frozenset[str] | None = None
    """The contenders that count; None: all."""
    at_most: float | None = None
    """Ours, in the row's unit."""


@dataclass
class Job:
    """What is measured in a row, ours first."""

    contenders: Sequence[Contender]
    inputs: Mapping[str, Any]
    nbytes: int | None = None
    """Encoded bytes that one call takes or makes: throughput refers to them."""
    goal: Goal | None = None
    same_results: bool = True
    """Whether the contenders are to give equal results."""
    wall: bool = False
    """Whether to time by the clock on the wall: what several threads do together. Otherwise it is processor time."""
    values: Mapping[str, Sequence[float]] | None = None
    """What each contender came to, in ``unit``, where it is not the time of its statement."""
    unit: str = "second"
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A row of the results. Its inputs are made when its turn comes, and let go after it."""

    group: str
    name: str
    size: str
    style: str
    build: Callable[[], Job]

    @property
    def title(self) -> str:
        """What names the row, and ``--only`` is looked for in."""
        return f"{self.group}: " + ", ".join(filter(None, (self.name, self.style, self.size)))


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds of a sample at least, rounds at most, seconds of a row about at most."""

    sample: float = 0.001
    rounds: int = 15
    row: float = 1.0


#: Processor time, so that others at work do not count; where that is too coarse, the clock on the wall.
CLOCK = process_time if get_clock_info("process_time").resolution <= 1e-6 else perf_counter
#: Rounds that a row gets even if it takes longer than it should.
LEAST_ROUNDS = 3


def settle_allocator() -> None:
    """Puts the allocator in the state of a process that has had a large document before.

    The GNU C library asks the kernel for each block beyond a size, and gives the top of the heap back, until a larger
    block was freed. Whether a result of a megabyte costs fresh pages would hang on what was measured before.
    """
    bytes((32 << 20) - 8192)


def calibrate(timer: Timer, sample: float) -> int:
    """How many loops take about ``sample`` seconds. Runs them, so that caches are warm afterwards."""
    loops = 1
    while True:
        took = timer.timeit(loops)
        if took >= sample / 2:
            return max(1, ceil(loops * sample / took))
        loops *= 2


def drop_disagreeing(job: Job) -> None:
    """Leaves out, and notes, each peer whose result is not ours or that fails: it does another job."""
    expected = job.contenders[0].run(job.inputs)
    kept = [job.contenders[0]]
    for contender in job.contenders[1:]:
        try:
            agrees = contender.run(job.inputs) == expected
        except Exception:  # each library has errors of its own
            agrees = False
        if agrees:
            kept.append(contender)
        else:
            job.notes.append(f"{contender.name} left out: other result")
    job.contenders = kept


def own_copy(value: object) -> object:
    """``value``, or a copy of a string: what one contender leaves in it (the UTF-8 form) is not for the others."""
    return value[:1] + value[1:] if isinstance(value, str) else value


def time_contenders(job: Job, effort: Effort) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Seconds per call of each contender, a value for each round in their order; and the loops of each."""
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
    """The pyperf benchmarks of a row, one for each contender and ours first, with all that a report needs."""
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
