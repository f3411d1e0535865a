"""Execute statements between system calls that the counting plugin recognizes, in the emulated interpreter.

``python counted.py JOBS`` reads a list of pickled jobs: setup, statement, bytes and text. Each marks the start and the
end of `FEW` calls, then of `MANY`: four marks. It imports only the standard library.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from pathlib import Path
from typing import Any

#: The difference of the two counts is the count of MANY - FEW calls, without loop and marks.
FEW, MANY = 2, 22


def execute(setup: str, statement: str, data: bytes, text: str) -> None:
    """Run one job, after uncounted calls that bring caches and results to their final sizes."""
    names: dict[str, Any] = {}
    exec(f"{setup}\ndef calls(number, data, text):\n    for _ in range(number):\n        {statement}\n", names)
    names["calls"](FEW, data, text)
    for number in (FEW, MANY):
        os.getsid(0)  # which nothing else in this process calls
        names["calls"](number, data, text)
        os.getsid(0)


if __name__ == "__main__":
    gc.disable()
    for job in pickle.loads(Path(sys.argv[1]).read_bytes()):
        execute(*pickle.loads(job))
