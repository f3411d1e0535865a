"""Execute statements between system calls that the counting plugin recognizes, in the emulated interpreter.

``python counted.py JOBS`` reads a JSON file, a list of objects with ``statement``, ``setup``, ``variable`` and
``path``: the statement finds the file's content in the variable, ``data`` (bytes) or ``text`` (str, from UTF-8). Each
job marks the start and the end of `FEW` calls, then of `MANY`: four marks. It imports only the standard library.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

#: The difference of the two counts is the count of MANY - FEW calls, without loop and marks.
FEW, MANY = 2, 22


def execute(job: dict[str, Any]) -> None:
    """Run one job, after uncounted calls that bring caches and results to their final sizes."""
    content = Path(job["path"]).read_bytes()
    argument = content if job["variable"] == "data" else content.decode("utf-8", "surrogatepass")
    names: dict[str, Any] = {job["variable"]: argument}
    exec(job["setup"], names)
    exec(f"def calls(repetitions, {job['variable']}):\n    for _ in repetitions:\n        {job['statement']}\n", names)
    names["calls"](range(FEW), argument)
    for repetitions in (range(FEW), range(MANY)):
        os.getsid(0)  # which nothing else in this process calls
        names["calls"](repetitions, argument)
        os.getsid(0)


if __name__ == "__main__":
    gc.disable()
    for described in json.loads(Path(sys.argv[1]).read_text("utf-8")):
        execute(described)
