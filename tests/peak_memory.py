"""The peak memory of a call in a process of its own, as the kernel counts (Linux)."""

from __future__ import annotations

from tests.programs import python

PROGRAM = """
import re
def memory(name):
    return int(re.search(name + r":\\s*(\\d+) kB", open("/proc/self/status").read())[1]) * 1024
{setup}
open("/proc/self/clear_refs", "w").write("5")
before = memory("VmRSS")
result = {call}
peak = memory("VmHWM")
print(peak - before, {size})
"""


def peak_memory(setup: str, call: str, size: str) -> tuple[int, int]:
    """Return by how many bytes ``call`` makes a process grow at most, after ``setup``, and the value of ``size``."""
    peak, value = map(int, python(PROGRAM.format(setup=setup, call=call, size=size)).split())
    return peak, value
