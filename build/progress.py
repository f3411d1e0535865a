"""Show how far a build is, from pip's output on standard input: ``progress.py TOTAL``.

A line for each of TOTAL modules that is compiled, and the compiler's warnings.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterable, Iterator


def modules(lines: Iterable[str], total: str) -> Iterator[str]:
    """Yield which module is compiled, and warnings. One that is up to date counts, but has no line."""
    done = 0
    for line in lines:
        if match := re.match(r" *(building|skipping) '(.*)' extension", line):
            done += 1
            if match[1] == "building":
                yield f"Compiling {match[2]}, {done} of {total} …"
        elif re.search(r"\d: warning: ", line):
            yield line.rstrip("\n")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the input ends where pip is interrupted
    for line in modules(sys.stdin, sys.argv[1]):
        print(line, flush=True)
