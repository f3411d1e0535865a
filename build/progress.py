"""Show how far pip has got with what it prints, which is read from standard input.

``progress.py packages TOTAL``: a line for every twenty packages; ``progress.py modules TOTAL``: a line for each module
that is compiled, and the compiler's warnings.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterable, Iterator

STEP = 20


def packages(lines: Iterable[str], total: str) -> Iterator[str]:
    """Yield how many packages are collected, of about ``total``, and how many are then installed."""
    collected = 0
    for line in lines:
        if line.startswith("Collecting "):
            collected += 1
            if collected % STEP == 0:
                yield f"  {collected} of some {total} packages are collected"
        elif line.startswith("Installing collected packages: "):
            yield f"  {line.count(',') + 1} packages are being installed …"


def modules(lines: Iterable[str], total: str) -> Iterator[str]:
    """Yield which module is compiled, and warnings. One that is up to date counts, but has no line."""
    done = 0
    for line in lines:
        if found := re.match(r" *(building|skipping) '(.*)' extension", line):
            done += 1
            if found[1] == "building":
                yield f"Compiling {found[2]}, {done} of {total} …"
        elif re.search(r"\d: warning: ", line):
            yield line.rstrip("\n")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the input ends where pip is interrupted
    for line in {"packages": packages, "modules": modules}[sys.argv[1]](sys.stdin, sys.argv[2]):
        print(line, flush=True)
