"""Count instructions per byte on emulated AArch64, ours and CPython's: ``python -m benchmarks --aarch64``.

The package is cross-compiled and runs under qemu-user (build/emulated.py) with a plugin that counts executed
instructions (count_instructions.c). A count has no noise: the same build gives the same figure on every machine.
Instructions are not time, but the ratio between two similar loops on the same input approximates their speed.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyperf  # type: ignore[import-untyped]

from benchmarks import counted, goals, report
from benchmarks.measure import Case, Goal, drop_disagreeing, results
from benchmarks.peers import CPYTHON, OURS

ROOT = Path(__file__).resolve().parent.parent
#: Number of the system call getsid on AArch64, as in Linux's generic table.
GETSID = 156
#: The titles of the rows that are counted: encodings that are much used, and a language for each kind of script.
COUNTED = re.compile(
    r"(de|en)code: (UTF-8 (ru|ja|ko|zh_cn|de|en)|UTF-16.. \w+|(Shift_JIS|EUC-JP|EUC-KR|GBK|gb18030|Big5|ISO-2022-JP|"
    r"windows-125[0134]|windows-874|KOI8-R|ISO-8859-2) \w+|windows-1252 (de|en)), (plain text|markup), 64 KiB"
)
EXPLANATION = f"""\
Executed instructions of one call on 64 KiB of text, divided by the bytes of its encoded form: ours and the
codec of CPython in the same emulated process, results included as Python objects. A figure is the difference
between {counted.MANY} and {counted.FEW} calls, divided by {counted.MANY - counted.FEW}; it has no noise. A ratio is how
many times our instructions CPython's codec takes. Instructions are no time: a loop with fewer of them may wait longer
for memory. `make bench-aarch64` makes this table.
"""


class Emulator:
    """The package, compiled for the AArch64 machine of build/emulated.py, and the counting plugin."""

    def __init__(self) -> None:
        sys.path.append(str(ROOT / "build"))
        self._machine = importlib.import_module("emulated").Machine("aarch64")
        self._machine.build()
        self._plugin: Path = self._machine.folder / "count_instructions.so"
        qemu = self._machine.architecture.qemu
        version = _output([qemu, "--version"])
        found = re.search(r"version (\d+)\.", version)
        if found is None:
            raise SystemExit(f"{qemu} --version prints no version: {version!r}")
        # From QEMU 9 on, plugins must have interface version 2.
        api = 1 if int(found[1]) < 9 else 2
        compiler = [*shlex.split(os.environ.get("CC", "cc")), "-O2", "-Wall", "-Wextra", "-shared", "-fPIC"]
        source = Path(__file__).parent / "count_instructions.c"
        subprocess.run([*compiler, f"-DAPI_VERSION={api}", str(source), "-o", str(self._plugin)], check=True)

    def circumstances(self, corpus: bool) -> str:
        """Return what the figures depend on, one line each."""
        python = _output([str(self._machine.python), "--version"], self._machine.environment())
        compiler = _output([*self._machine.compiler()[-1:], "-dumpfullversion"])
        return (
            f"- processor: {self._machine.architecture.cpu}, which has NEON and no longer vectors\n"
            f"- Python: {python.split()[1]}, Debian's package\n"
            f"- compiler of ours: GCC {compiler.strip()}\n"
            f"- text: {'corpus, and drawn from a seed where it has none' if corpus else 'drawn from a seed'}\n"
        )

    def count(self, cases: Sequence[Case]) -> list[Any]:
        """Count the rows in one process of the emulator; return their pyperf benchmarks.

        Raise SystemExit if the process fails or the results differ.
        """
        jobs = [case.build() for case in cases]
        described: list[dict[str, str]] = []
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for number, (case, job) in enumerate(zip(cases, jobs, strict=True)):
                job.contenders = [one for one in job.contenders if one.name in (OURS, CPYTHON)]
                drop_disagreeing(job)
                if len(job.contenders) != 2:
                    raise SystemExit(f"{case.title}: CPython has no codec, or its result differs")
                variable = "data" if case.group == "decode" else "text"
                found = job.inputs[variable]
                path = folder / str(number)
                path.write_bytes(found if isinstance(found, bytes) else found.encode("utf-8", "surrogatepass"))
                described += [vars(one) | {"variable": variable, "path": str(path)} for one in job.contenders]
            (folder / "jobs").write_text(json.dumps(described), "utf-8")
            options = f"{self._plugin},marker={GETSID},output={folder / 'counts'}"
            command = [str(self._machine.python), str(Path(counted.__file__)), str(folder / "jobs")]
            environment = self._machine.environment() | {"QEMU_PLUGIN": options}
            if subprocess.run(command, env=environment, check=False).returncode:
                raise SystemExit(f"failed: {shlex.join(command)}")
            marks = [int(line) for line in (folder / "counts").read_text("ascii").splitlines()]
        if len(marks) != 4 * len(described):
            raise SystemExit(f"{len(marks)} marks for {len(described)} statements, expected four per statement")
        benchmarks = []
        for number, (case, job) in enumerate(zip(cases, jobs, strict=True)):
            assert job.nbytes is not None
            per_byte = []
            for at in (8 * number, 8 * number + 4):  # the marks before and after few calls, before and after many
                few, many = marks[at + 1] - marks[at], marks[at + 3] - marks[at + 2]
                per_byte.append([(many - few) / (counted.MANY - counted.FEW) / job.nbytes])
            encoding, language = case.name.split(" ")
            # An ASCII string is stored as UTF-8, so that both only copy it.
            copied = case.group == "encode" and encoding == "UTF-8" and job.inputs["text"].isascii()
            least = None if copied else goals.instructions(case.group, encoding, language, case.style)
            job.goal = None if least is None else Goal("instructions", least)
            job.unit, job.notes = "integer", []
            benchmarks += results(case, job, dict(zip((OURS, CPYTHON), per_byte, strict=True)))
        return benchmarks


def _output(command: Sequence[str], environment: dict[str, str] | None = None) -> str:
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def table(cases: Sequence[Case], corpus: bool) -> str:
    """Count the rows; return the results in Markdown."""
    emulator = Emulator()
    found = report.rows(pyperf.BenchmarkSuite(emulator.count(cases)))
    floors = [row for row in found if row.at_least is not None]
    reached = f"Floors reached: {sum(row.verdict == report.PASS for row in floors)} of {len(floors)}.\n"
    title = "# AArch64: instructions per byte\n"
    return "\n".join((title, EXPLANATION, emulator.circumstances(corpus), reached, report.details(found)))
