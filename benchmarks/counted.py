"""Execute doors between calls of getsid, where the counter writes what was executed since the last.

``python counted.py JOBS`` reads the imports of the package, pickled, and a list of jobs: whether a job is the first use
of the package, its setup, statement and variables, and the numbers of warm-up calls and of counted ones. Each job runs
in a process of its own, forked from this one, so that none depends on another. The number of the process and its exit
status are printed, a line a job. First uses must precede other jobs.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import pickle
import sys
import traceback
from pathlib import Path
from typing import Any


def execute(setup: str, statement: str, given: dict[str, Any], warm_up: int, calls: int) -> None:
    """Run one job: a call of getsid, which nothing else makes, before and after the counted calls."""
    exec(f"{setup}\ndef call(number):\n    for _ in range(number):\n        {statement}\n", given)
    given["call"](warm_up)
    os.getsid(0)
    given["call"](calls)
    os.getsid(0)


def main() -> None:
    """Run the jobs, one after the other."""
    gc.disable()
    # The package's folder is found before, since how long that takes depends on what else is installed.
    importlib.util.find_spec("whatwg_encoding")
    imports, jobs = pickle.loads(Path(sys.argv[1]).read_bytes())
    names: dict[str, Any] = {}
    os.getsid(0)  # so that the jobs write less
    for is_first, setup, statement, given, warm_up, calls in jobs:
        if not is_first and not names:
            exec(imports, names)
            os.getsid(0)
        if process := os.fork():
            print(process, os.waitpid(process, 0)[1], flush=True)
            continue
        try:
            execute(setup, statement, names | given, warm_up, calls)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)


if __name__ == "__main__":
    main()
