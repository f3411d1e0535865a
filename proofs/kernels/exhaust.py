"""Decode every four bytes of UTF-8 and of gb18030 at each level: `python -m proofs.kernels.exhaust [LEVEL …]`.

What the kernels and the loop make of them is compared with the handlers, which are proved. Minutes for each level.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from proofs.kernels.__main__ import HERE, OUT, ROOT, handlers_of

DECODERS = {"UTF-8": ("unicode", "utf_8"), "gb18030": ("chinese_simplified", "gb18030")}
LEVELS = ("scalar", "sse2", "x86-64-v2", "avx2", "avx512")
UNSUPPORTED = 3


def program(name: str, folder: Path = OUT, kernels: Path = ROOT / "src" / "native" / "kernels") -> Path:
    """Return the program for an encoding, compiled by ``CC``."""
    chapter, handler = DECODERS[name]
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / f"exhaust_{handler}_handlers.h"
    text.write_text(handlers_of(chapter), encoding="utf-8")
    target = folder / f"exhaust_{handler}"
    includes = [kernels, ROOT / "src" / "native" / "engine", ROOT / "generated", folder]
    command = [*shlex.split(os.environ.get("CC", "cc")), "-O3", "-w", "-std=gnu11", f'-DHANDLERS="{text.name}"']
    command += [f"-DNAME={handler}", *(f"-I{each}" for each in includes), str(HERE / "exhaust.c"), "-o", str(target)]
    subprocess.run(command, check=True)
    return target


def difference(program: Path, level: int, first: int, last: int) -> str | None:
    """Return four bytes that differ, empty if none do; None for a level that this machine does not have."""
    done = subprocess.run([program, str(level), str(first), str(last)], capture_output=True, text=True, check=False)
    if done.returncode == UNSUPPORTED:
        return None
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{program.name} ended with {done.returncode}")
    return done.stdout.strip()


def exhaust(name: str, level: int, firsts: Iterable[int] = range(256)) -> str | None:
    """Return what `difference` does for all four bytes, by as many processes as there are processors."""
    compiled = program(name)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda first: difference(compiled, level, first, first), firsts):
            if found != "":
                return found
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proofs.kernels.exhaust", description=__doc__.partition("\n")[0])
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help=f"of {', '.join(LEVELS)} (default: all)")
    wrong = 0
    wanted = parser.parse_args().levels or LEVELS
    if unknown := set(wanted) - set(LEVELS):
        parser.error(f"no level is called {', '.join(sorted(unknown))}")
    for level in wanted:
        for name in DECODERS:
            start = time.monotonic()
            found = exhaust(name, LEVELS.index(level))
            said = "not on this machine" if found is None else f"DIFFERENT for {found}" if found else "all equal"
            print(f"{name}, {level}: {said}, {time.monotonic() - start:.0f} s", flush=True)
            wrong += bool(found)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
