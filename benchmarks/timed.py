"""Time statements on request: execnet runs this module in an interpreter of its own for each build of the package.

A request is a number, a setup, a statement and its variables, which is answered by None or by why it can't run; or a
number alone, which is answered by the seconds of a call.
"""

from __future__ import annotations

from time import get_clock_info, perf_counter, process_time
from timeit import Timer
from typing import Any

#: Processor time, which excludes other processes; wall time where its resolution is too coarse.
CLOCK = process_time if get_clock_info("process_time").resolution <= 1e-6 else perf_counter
#: The least seconds of a sample.
SAMPLE = 0.002


def prepared(setup: str, statement: str, given: dict[str, Any]) -> tuple[Timer, int]:
    """Return a timer, whose statement has run, and how many calls of it take as long as a sample."""
    names = dict(given)
    exec(setup, names)
    timer = Timer(statement, "pass", CLOCK, globals=names)
    calls = 1
    while timer.timeit(calls) < SAMPLE:
        calls *= 2
    return timer, calls


def serve(channel: Any) -> None:
    """Answer requests until the channel is closed."""
    timers: dict[int, tuple[Timer, int]] = {}
    for key, *request in channel:
        if not request:
            timer, calls = timers[key]
            channel.send(timer.timeit(calls) / calls)
            continue
        timers.clear()
        try:
            timers[key] = prepared(*request)
        except Exception as error:  # each library has its own
            channel.send(f"{type(error).__name__}: {error}")
        else:
            channel.send(None)


if __name__ == "__channelexec__":
    serve(channel)  # type: ignore[name-defined]  # noqa: F821
