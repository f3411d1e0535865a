"""Count the instructions of a call of each door: ``python -m benchmarks.count``, which `make count` runs.

README.md says how. The command fails if a door takes over 3 % more than its row in counts.tsv. Where that is intended,
``--write`` changes the rows, and the commit's message says why.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter
from pathlib import Path
from typing import Any

from benchmarks import DOORS, OURS, base, counted
from benchmarks.doors import Door, doors

TABLE = Path(__file__).with_name("counts.tsv")
#: By how much a door may exceed its row: more than two runs differ.
TOLERANCE = 0.03
LEVEL = "avx2"


def circumstances(package: Path) -> str:
    """Return what counts depend on: the versions of the interpreter, C library, compiler and counter."""
    module = next((package / "_native").glob("core.*.so"))
    compiler = re.search(rb"(GCC: \([^)]*\) [\d.]+|clang version [\d.]+)", module.read_bytes())
    valgrind = subprocess.run(["valgrind", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    python = f"{platform.python_implementation()} {platform.python_version()} ({platform.python_compiler()})"
    built = compiler[1].decode() if compiler else "an unknown compiler"
    return f"{platform.machine()}, {python}, {' '.join(platform.libc_ver())}, package by {built}, {valgrind}"


def _job(door: Door) -> tuple[bool, str, str, dict[str, Any], int, int]:
    warm_up = 0 if door.is_first else min(door.calls, 10)
    return door.is_first, door.setup, door.call, dict(door.given), warm_up, door.calls


def _counted(selected: Sequence[Door], package: Path) -> dict[str, int]:
    """Return the instructions of a call of each door that works, of which one process runs one after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs = DOORS["imports"][OURS], [_job(door) for door in selected]
        (folder / "jobs").write_bytes(pickle.dumps(jobs))
        environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "WHATWG_ENCODING_SIMD": LEVEL,
            "PYTHONPATH": str(package.parent),
        }  # fmt: skip
        counter = ("setarch", "-R", "valgrind", "--tool=callgrind", "--dump-before=getsid", "--quiet")
        command = (sys.executable, "-P", "-s", counted.__file__, str(folder / "jobs"))
        # Once without the counter, so that Python has written the bytecode of what is imported.
        for prefix in ((), (*counter, f"--callgrind-out-file={folder}/%p")):
            run = subprocess.run((*prefix, *command), cwd=folder, env=environment, capture_output=True, text=True)
            lines = [line.split() for line in run.stdout.splitlines()]
            if run.returncode:
                raise SystemExit(run.stderr)
        totals = {}
        for door, (process, status) in zip(selected, lines, strict=True):
            if status != "0":
                print(f"not counted: {door.name}", file=sys.stderr)
                continue
            *_, last = sorted(folder.glob(f"{process}.*"))  # the numbers of files go on in a new process
            match = re.search(r"^totals: (\d+)", last.read_text("ascii"), re.MULTILINE)
            assert match, door.name
            totals[door.name] = int(match[1]) // door.calls
        return totals


def count(selected: Sequence[Door], package: Path) -> dict[str, int]:
    """Return the instructions of a call of each door that works; ``package`` is the folder of the installed package."""
    # First uses come first, before the process imports the package.
    order = sorted(selected, key=lambda door: not door.is_first)
    processes = min(len(order), len(os.sched_getaffinity(0)))
    with ThreadPoolExecutor(processes) as pool:
        parts = pool.map(lambda number: _counted(order[number::processes], package), range(processes))
        totals = {name: total for part in parts for name, total in part.items()}
    return {door.name: totals[door.name] for door in selected if door.name in totals}


def read() -> tuple[str, dict[str, int]]:
    """Return the circumstances of the committed counts, and the counts."""
    first, *rows = TABLE.read_text("utf-8").splitlines()
    return first.removeprefix("# "), {name: int(total) for total, name in (row.split("\t") for row in rows)}


def write(circumstances: str, counts: Mapping[str, int]) -> None:
    """Write the table of counts."""
    rows = (f"{total}\t{name}\n" for name, total in counts.items())
    TABLE.write_text("".join((f"# {circumstances}\n", *rows)), "utf-8")


def compared(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Print the doors that changed by more than the tolerance, the dearest first; return the dearer ones."""
    changes = {name: after[name] / before[name] - 1 for name in after if name in before}
    for name, change in sorted(changes.items(), key=itemgetter(1), reverse=True):
        if abs(change) > TOLERANCE:
            print(f"{before[name]:>12,} → {after[name]:>12,}  {change:+7.1%}  {name}")
    return [name for name, change in changes.items() if change > TOLERANCE]


def main() -> int:
    """Count, compare, and return the exit status: 1 if a door became dearer or has no row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.count", description=__doc__.partition("\n")[0])
    parser.add_argument("--part", action="store_true", help="a fixed third of the doors")
    parser.add_argument("--only", metavar="REGEX", type=re.compile, help="doors whose name has a match")
    parser.add_argument("--write", action="store_true", help="change the rows of counts.tsv instead of comparing")
    parser.add_argument(
        "--base", metavar="COMMIT", help="compare with this commit, which is built, not with counts.tsv"
    )
    options = parser.parse_args()
    if missing := [name for name in ("valgrind", "setarch") if not shutil.which(name)]:
        raise SystemExit(f"counting needs {' and '.join(missing)}")
    selected = [
        door
        for door in doors()
        if (door.is_in_part or not options.part) and (not options.only or options.only.search(door.name))
    ]
    specification = importlib.util.find_spec("whatwg_encoding")
    assert specification
    assert specification.origin
    package = Path(specification.origin).parent
    here = circumstances(package)
    there, rows = read() if TABLE.exists() else ("", {})
    if there != here and not options.base and not options.write:
        print(f"Not counted, since counts depend on versions. The rows are of\n  {there}\nand this is\n  {here}")
        print("make count BASE=COMMIT compares two commits here.")
        return 0
    after = count(selected, package)
    if len(after) < len(selected):
        return 1
    if options.write:
        compared(rows, after)
        merged = (rows if there == here else {}) | after
        write(here, {door.name: merged[door.name] for door in doors() if door.name in merged})
        return 0
    if options.base:
        dearer = compared(count(selected, base.build(options.base)), after)
    else:
        if new := [name for name in after if name not in rows]:
            print("\n".join(("No row has:", *new)))
        dearer = compared(rows, after) + new
    print(f"{len(after)} doors counted, {len(dearer)} of them dearer by more than {TOLERANCE:.0%}")
    if dearer and not options.base:
        print("If that is meant, make count WRITE=1 changes their rows: commit them with the change, and say why.")
    return bool(dearer)


if __name__ == "__main__":
    sys.exit(main())
