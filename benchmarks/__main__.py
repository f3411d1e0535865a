"""Measure each function beside the fastest peer and another commit: ``python -m benchmarks``, which `make bench` runs.

Each round calls every contender once, in rotating order, so that noise affects all of them equally; a ratio is the
median of the rounds' ratios. Another commit's package is built beside the tree and runs in an interpreter of its own.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import execnet

import whatwg_encoding as we
from benchmarks import DOORS, OURS, base, report, timed
from benchmarks.conversions import conversions
from benchmarks.corpus import Corpus
from benchmarks.doors import BASE, Door, doors
from benchmarks.report import Row

RESULTS = Path(__file__).parent / "results"
#: The levels that have columns, best first, and their titles. The levels below them serve hardly any machine.
LEVELS = {"avx512": "AVX-512", "avx2": "AVX2", "x86-64-v2": "x86-64-v2", "neon": "NEON"}


class Interpreter:
    """An interpreter that times statements, with the installed package or with another one."""

    def __init__(self, package: Path | None = None, level: str = "") -> None:
        variables = {"PYTHONPATH": package and package.parent, "WHATWG_ENCODING_SIMD": level}
        assignments = {name: str(value) for name, value in variables.items() if value}
        # First uses are measured with bytecode, as users have it, whatever this process may write.
        self.environment = os.environ | assignments | {"PYTHONDONTWRITEBYTECODE": ""}
        # By env, since execnet sets variables when the interpreter has started, and has read PYTHONPATH.
        command = shlex.join(("env", *(f"{name}={value}" for name, value in assignments.items()), sys.executable))
        self._channel = execnet.makegateway(f"popen//python={command}").remote_exec(timed)
        self._keys = itertools.count()

    def prepare(self, setup: str, call: str, door: Door) -> Callable[[], float] | str:
        """Return what takes a sample of a call, or why it can't be made."""
        if door.is_first:
            return self._first_use(f"{setup}\n{call}", door)
        key = next(self._keys)
        error: str | None = self._request((key, setup, call, dict(door.given)))
        return error or partial(self._request, (key,))

    def _request(self, request: tuple[Any, ...]) -> Any:
        self._channel.send(request)
        return self._channel.receive()

    def _first_use(self, statement: str, door: Door) -> Callable[[], float] | str:
        """Return what samples the processor time of a new process, without its start."""
        given = "".join(f"{name} = {value!r}\n" for name, value in door.given.items())
        start, end = "import time; start = time.process_time()", "print(time.process_time() - start)"
        command = [sys.executable, "-c", f"{given}{start}\n{statement}\n{end}"]
        run = partial(subprocess.run, command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return (lambda: float(run(check=True).stdout)) if run().returncode == 0 else "failed"


def statements(door: Door) -> Iterator[tuple[str, str, str]]:
    """Yield the contenders of a door: name, setup and call. A peer's call may have its setup in lines above it.

    It comes last, since its names may be those of the door's setup.
    """
    imports = "" if door.is_first else DOORS["imports"][OURS]
    yield OURS, f"{imports}\n{door.setup}", door.call
    for name, lines in door.peers.items():
        *setup, call = lines.splitlines()
        own = "\n".join(setup) or DOORS["imports"][name]
        yield name, f"{own}\n" if door.is_first else f"{imports}\n{door.setup}\n{own}", call


def measure(wanted: Iterable[Door], tree: Interpreter, before: Interpreter | None, rounds: int) -> Iterator[Row]:
    """Yield the rows, and print each."""
    for door in wanted:
        samples = {}
        for name, setup, call in statements(door):
            for label, interpreter in ((name, tree), (BASE, before if name == OURS else None)):
                sample = interpreter.prepare(setup, call, door) if interpreter else ""
                if callable(sample):
                    samples[label] = sample
                elif label == OURS:
                    raise SystemExit(f"{door.name}: {sample}")
        row = Row(door.name, timed.rounds_of(samples, rounds))
        print(*row.cells, sep="  ", flush=True)
        yield row


def measure_levels(wanted: list[Door], rounds: int) -> str:
    """Return the table of conversions by kind, with a column for each level of this machine."""
    columns = {
        title: report.folded(measure(wanted, Interpreter(level=level), None, rounds))
        for level, title in LEVELS.items()
        if level in we.cpu_features()["available"]
    }
    kinds = sorted({kind for column in columns.values() for kind in column})
    lines = ((kind, *(column.get(kind, "—") for column in columns.values())) for kind in kinds)
    return report.table(("conversion", *columns), lines)


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("--base", metavar="COMMIT", help="also measure this commit, which is built")
    parser.add_argument("--only", metavar="REGEX", type=re.compile, help="doors whose name has a match")
    parser.add_argument("--rounds", type=int, default=11, help="rounds of a door (%(default)s)")
    parser.add_argument("--conversions", action="store_true", help="every encoding both ways, at each level")
    parser.add_argument("--corpus", type=Path, default=os.environ.get("CORPUS") or None,
                        help="conversions: folder of UTF-8: ja.txt, ja.html, … ($CORPUS)")  # fmt: skip
    parser.add_argument("--output", type=Path, metavar="FILE", help="where the report goes, besides the terminal")
    options = parser.parse_args()
    source = conversions(Corpus(options.corpus)) if options.conversions else doors()
    wanted = [door for door in source if not options.only or options.only.search(door.name)]
    if not wanted:
        parser.error("no door's name has a match")
    if options.conversions:
        text = measure_levels(wanted, options.rounds)
    else:
        before = Interpreter(base.build(options.base)) if options.base else None
        rows = list(measure(wanted, Interpreter(), before, options.rounds))
        text = report.document(rows, report.circumstances(we.cpu_features()["simd"], options.base or ""))
    print(f"\n{text}")
    if options.output:
        options.output.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
