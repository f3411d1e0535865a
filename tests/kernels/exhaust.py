"""Decode every four bytes of UTF-8 and of gb18030 at each level: `python -m tests.kernels.exhaust [LEVEL …]`.

What the kernels and the loop make of them is compared with the handlers. It takes minutes for each level.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.kernels.judge import program

DECODERS = {"UTF-8": ("unicode", "utf_8"), "gb18030": ("chinese_simplified", "gb18030")}
LEVELS = ("scalar", "sse2", "x86-64-v2", "avx2", "avx512")
UNSUPPORTED = 3


def difference(judge: Path, decoder: str, level: int, first: int) -> str | None:
    """Return what differs for four bytes of which the first is given, empty if nothing does.

    Return None for a level that this machine does not have.
    """
    command = [judge, decoder, str(level), str(first), str(first)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == UNSUPPORTED:
        return None
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{judge.name} ended with {done.returncode}")
    return done.stdout.strip()


def exhaust(name: str, level: int) -> str | None:
    """Return what `difference` does for all four bytes, by as many processes as there are processors."""
    chapter, decoder = DECODERS[name]
    judge = program(chapter, "-O3")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for different in pool.map(lambda first: difference(judge, decoder, level, first), range(256)):
            if different != "":
                return different
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kernels.exhaust", description=__doc__.partition("\n")[0])
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help=f"of {', '.join(LEVELS)} (default: all)")
    wrong = 0
    wanted = parser.parse_args().levels or LEVELS
    if unknown := set(wanted) - set(LEVELS):
        parser.error(f"no level is called {', '.join(sorted(unknown))}")
    for level in wanted:
        for name in DECODERS:
            start = time.monotonic()
            different = exhaust(name, LEVELS.index(level))
            result = "not on this machine" if different is None else f"DIFFERENT: {different}" if different else "equal"
            print(f"{name}, {level}: {result}, {time.monotonic() - start:.0f} s", flush=True)
            wrong += bool(different)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
