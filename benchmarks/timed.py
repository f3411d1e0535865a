"""Time statements on request: execnet runs this module in an interpreter of its own for each build of the package.

A request is a number, a setup, a statement and its variables, which is answered by None or by why it can't run; or a
number alone, which is answered by the seconds of a call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from time import get_clock_info, perf_counter, process_time
from timeit import Timer
from typing import Any

#: Processor time, which excludes other processes; wall time where its resolution is too coarse.
CLOCK = process_time if get_clock_info("process_time").resolution <= 1e-6 else perf_counter
#: The least seconds of a sample.
SAMPLE = 0.002


def rounds_of(samples: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Return each sample's values, one a round: noise affects all of them equally, in rotating order."""
    order = deque(samples)
    values: dict[str, list[float]] = {name: [] for name in samples}
    for _ in range(rounds):
        for name in order:
            values[name].append(samples[name]())
        order.rotate(-1)
    return values


def prepared(setup: str, statement: str, given: dict[str, Any]) -> Callable[[], float]:
    """Return what samples the seconds of a call of a statement, which has run."""
    names = dict(given)
    exec(setup, names)
    timer = Timer(statement, "pass", CLOCK, globals=names)
    timer.timeit(1)  # which imports what is imported on first use
    calls = 1
    while timer.timeit(calls) < SAMPLE:
        calls *= 2
    return lambda: timer.timeit(calls) / calls


def serve(channel: Any) -> None:
    """Answer requests until the channel is closed."""
    # So that results of megabytes need no new pages, whatever was measured before: the GNU C library maps blocks above
    # a threshold anew, until it has freed a larger one.
    bytes((32 << 20) - 8192)
    samples: dict[int, Callable[[], float]] = {}
    for key, *request in channel:
        if not request:
            channel.send(samples[key]())
            continue
        try:
            samples[key] = prepared(*request)
        except Exception as error:  # each library has its own
            channel.send(f"{type(error).__name__}: {error}")
        else:
            channel.send(None)


if __name__ == "__channelexec__":
    serve(channel)  # type: ignore[name-defined]  # noqa: F821
