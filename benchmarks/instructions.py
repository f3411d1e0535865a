"""Count instructions per byte on emulated AArch64, ours and CPython's: ``python -m benchmarks --aarch64``.

The package is cross-compiled and runs under qemu-user (build/emulated.py) with a plugin that counts executed
instructions (count_instructions.c). A count has no noise: the same build gives the same figure on every machine.
Instructions are not time, but the ratio between two similar loops on the same input approximates their speed.
"""

from __future__ import annotations

import importlib
import os
import pickle
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyperf  # type: ignore[import-untyped]

from benchmarks import counted, goals, report
from benchmarks.measure import Case, drop_disagreeing, results
from benchmarks.peers import CPYTHON, OURS

ROOT = Path(__file__).resolve().parent.parent
#: Number of the system call getsid on AArch64, as in Linux's generic table.
GETSID = 156
#: The titles of the rows that are counted: encodings that are much used, and a language for each kind of script.
COUNTED = re.compile(
    r"^(de|en)code: (UTF-8 (ru|ja|ko|zh_cn|de|en)|UTF-16.. \w+|(Shift_JIS|EUC-JP|EUC-KR|GBK|gb18030|Big5|ISO-2022-JP|"
    r"windows-125[0134]|windows-874|KOI8-R|ISO-8859-2) \w+|windows-1252 (de|en)), (plain text|markup), 64 KiB"
)


def _output(command: Sequence[str | Path], environment: dict[str, str] | None = None) -> str:
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def machine() -> tuple[Any, Path]:
    """Return the machine of build/emulated.py with the package, compiled, and the plugin that counts."""
    sys.path.append(str(ROOT / "build"))
    found = importlib.import_module("emulated").Machine("aarch64")
    found.build()
    version = _output([found.architecture.qemu, "--version"]).split()[2]  # "qemu-aarch64 version 7.2.19 …"
    api = 1 if int(version.partition(".")[0]) < 9 else 2  # from QEMU 9 on, plugins must have interface version 2
    plugin = found.folder / "count_instructions.so"
    compiler = [*shlex.split(os.environ.get("CC", "cc")), "-O2", "-Wall", "-Wextra", "-shared", "-fPIC"]
    source = Path(__file__).parent / "count_instructions.c"
    subprocess.run([*compiler, f"-DAPI_VERSION={api}", source, "-o", plugin], check=True)
    return found, plugin


def marks(emulator: Any, plugin: Path, jobs: Sequence[bytes]) -> list[int]:
    """Run the jobs in one process of the emulator; return the instructions until each mark of `counted`."""
    with tempfile.TemporaryDirectory() as name:
        path, counts = Path(name) / "jobs", Path(name) / "counts"
        path.write_bytes(pickle.dumps(jobs))
        environment = emulator.environment() | {"QEMU_PLUGIN": f"{plugin},marker={GETSID},output={counts}"}
        _output([emulator.python, counted.__file__, path], environment)
        found = [int(line) for line in counts.read_text("ascii").splitlines()]
    if len(found) != 4 * len(jobs):
        raise SystemExit(f"{len(found)} marks for {len(jobs)} statements, expected four per statement")
    return found


def count(cases: Sequence[Case], emulator: Any, plugin: Path) -> Iterator[Any]:
    """Yield the counts of the rows as pyperf benchmarks; raise SystemExit if a row's results differ."""
    jobs = [(case, case.build()) for case in cases]
    for case, job in jobs:
        job.contenders = [one for one in job.contenders if one.name in (OURS, CPYTHON)]
        drop_disagreeing(job)
        if len(job.contenders) != 2:
            raise SystemExit(f"{case.title}: CPython has no codec, or its result differs")
    # Each is pickled alone, so that contenders do not share a string.
    found = marks(emulator, plugin, [
        pickle.dumps((one.setup, one.statement, job.inputs["data"], job.inputs["text"]))
        for _, job in jobs
        for one in job.contenders
    ])  # fmt: skip
    # For each statement, the counts before and after few calls, and before and after many.
    statements = zip(*[iter(found)] * 4, strict=True)
    each = ((many - again - (few - start)) / (counted.MANY - counted.FEW) for start, few, again, many in statements)
    for case, job in jobs:
        assert job.nbytes is not None
        values = {one.name: [next(each) / job.nbytes] for one in job.contenders}
        # An ASCII string is stored as UTF-8, so that both only copy it.
        is_copied = case.group == "encode" and case.name.startswith("UTF-8 ") and job.inputs["text"].isascii()
        job.goal = None if is_copied else goals.instructions(case.group, case.name, case.style)
        job.unit, job.notes = "integer", []
        yield from results(case, job, values)


def table(cases: Sequence[Case], text: str) -> str:
    """Count the rows; return the results in Markdown, with what the figures depend on."""
    emulator, plugin = machine()
    found = report.rows(pyperf.BenchmarkSuite(list(count(cases, emulator, plugin))))
    floors = [row for row in found if row.at_least is not None]
    python = _output([emulator.python, "--version"], emulator.environment()).split()[1]
    return report.render(
        "aarch64-instructions", few=counted.FEW, many=counted.MANY, details=report.details(found),
        cpu=emulator.architecture.cpu, python=python, text=text,
        gcc=_output([*emulator.compiler()[-1:], "-dumpfullversion"]).strip(),
        reached=f"{sum(row.verdict == report.PASS for row in floors)} of {len(floors)}",
    )  # fmt: skip
