"""The peak memory of a call in a process of its own, as the kernel counts (Linux), and the memory of this process."""

from __future__ import annotations

import ctypes
import os
import sys

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


def resident() -> int:
    """Return the resident bytes of this process; under AddressSanitizer, which delays freeing, the bytes in use.

    It is 0 where the system does not tell.
    """
    if sys.platform != "linux":
        return 0
    in_use = getattr(ctypes.CDLL(None), "__sanitizer_get_current_allocated_bytes", None)
    if in_use is not None:
        in_use.restype = ctypes.c_size_t
        return int(in_use())
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
