"""Fuzzes: ``make fuzz TIME=seconds``, that is ``build/instrumented.py fuzz python -m tests.fuzz [--time N] [TARGET…]``.

Each target, with each instruction set if there is time, gets its share, in one process, one after the other. The corpus
in tests/fuzz/corpus is where it begins; what it learns stays in build/_out/fuzz/corpus for the next time. At the end:
executions, coverage, processor time and findings of each target, and a status of 1 if there is a finding.

Nobody wrote that corpus: fuzzing learned it from nothing, and ``--merge`` made it smallest, that is, just so many of
the inputs that they reach every edge of the compiled code that all of them reach. tests/fuzz/test_corpus.py runs it.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.targets import TARGETS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "_out" / "fuzz"
KERNELS = "kernels"
LEVELS = ("avx512", "avx2", "x86-64-v2", "sse2", "neon", "scalar")
INPUT_LENGTH = 500
# Seconds by the clock that one input may take; it takes milliseconds, but a machine may have other things to do.
PATIENCE = 100
# Seconds for each target and instruction set below which each target gets one of them, the next in turn.
SHORTEST = 20
KERNEL_FLAGS = (
    *("-std=c11", "-O1", "-g", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"),
    *(f"-I{ROOT / 'src' / 'kernels'}", f"-I{ROOT / 'generated'}"),
)


class Outcome(NamedTuple):
    """What one target came to. ``edges`` are those of its build that were reached, of so many."""

    executions: int
    edges: int
    all_edges: int
    inputs: int
    seconds: float
    findings: list[Path]


def kernels_program() -> Path:
    """The program that fuzzes the kernels, compiled."""
    program, made = OUT / "kernels", OUT / f"kernels-{os.getpid()}"
    program.parent.mkdir(parents=True, exist_ok=True)
    command = [*shlex.split(os.environ.get("CC", "clang")), *KERNEL_FLAGS, str(HERE / "kernels.c"), "-o", str(made)]
    subprocess.run(command, check=True, env=_without_preload())
    return made.replace(program)  # at once, whoever runs the one before it


def _without_preload() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "PYTHONMALLOC")}


def _levels() -> list[str]:
    import whatwg_encoding as we

    return [level for level in LEVELS if level in we.cpu_features()["available"]]


def log_of(target: str, level: str) -> Path:
    """Where what libFuzzer says about one target goes."""
    return OUT / f"{target}-{level}.log"


def run(target: str, seconds: int, level: str) -> Outcome:
    """Fuzzes one target; the instruction set counts for all but the kernels, which run all of them."""
    learned, kept, findings = OUT / "corpus" / target, HERE / "corpus" / target, OUT / "findings"
    for folder in (learned, kept, findings):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings.glob(f"{target}-*"))
    if target == KERNELS:
        command, environment = [str(kernels_program())], _without_preload()
    else:
        command = [sys.executable, "-m", "tests.fuzz.run", target]
        environment = os.environ | {"WHATWG_ENCODING_SIMD": level}
    command += [f"-max_total_time={seconds}", f"-max_len={INPUT_LENGTH}", "-print_final_stats=1"]
    command += [f"-timeout={PATIENCE}", f"-report_slow_units={PATIENCE}", "-rss_limit_mb=4000"]
    command += [f"-artifact_prefix={findings}/{target}-", str(learned), str(kept)]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    log = log_of(target, level)
    with log.open("wb") as file:
        status = subprocess.run(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT).returncode
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = log.read_text("utf-8", "replace")
    progress = re.findall(r"cov: (\d+) ft: \d+ corp: (\d+)", text) or [("0", "0")]
    executions = re.search(r"number_of_executed_units: (\d+)", text)
    counters = sum(map(int, re.findall(r"\((\d+) inline 8-bit counters\)", text)))
    new = sorted(set(findings.glob(f"{target}-*")) - before)
    if status != 0:
        sys.stderr.write(text[-6000:])
    if status != 0 and not new:
        raise SystemExit(f"{target} ended with status {status} without a finding; see {log}")
    return Outcome(
        int(executions[1]) if executions else 0,
        int(progress[-1][0]),
        counters,
        int(progress[-1][1]),
        now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime,
        new,
    )


def merge(target: str) -> None:
    """Makes tests/fuzz/corpus/<target> a smallest set of inputs that reaches what all that is known reaches."""
    kept = HERE / "corpus" / target
    merged = OUT / "merged" / target
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    kept.mkdir(parents=True, exist_ok=True)
    program = [str(kernels_program())] if target == KERNELS else [sys.executable, "-m", "tests.fuzz.run", target]
    environment = _without_preload() if target == KERNELS else dict(os.environ)
    # Edges alone and not how often each was taken: a corpus that is small enough to live in the repository.
    options = ["-set_cover_merge=1", f"-max_len={INPUT_LENGTH}", "-use_value_profile=0", "-use_counters=0"]
    command = [*program, *options, str(merged), str(OUT / "corpus" / target), str(kept)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True)
    if done.returncode != 0 or not any(merged.iterdir()):
        raise SystemExit(f"{target} was not merged: {done.stderr[-2000:].decode('utf-8', 'replace')}")
    shutil.rmtree(kept)
    shutil.copytree(merged, kept)


def main() -> int:
    """The exit status: 1 if anything was found."""
    targets = [*TARGETS, KERNELS]
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"all unless given: {', '.join(targets)}")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS", help="for all together; 60 unless given")
    parser.add_argument("--level", choices=LEVELS, help="the instruction set; every one unless given")
    parser.add_argument("--merge", action="store_true", help="no fuzzing: a smallest corpus from what was learned")
    options = parser.parse_args()
    chosen = options.targets or targets
    for target in chosen:
        if target not in targets:
            parser.error(f"no such target: {target}; there are {', '.join(targets)}")
    if options.merge:
        for target in chosen:
            merge(target)
        return 0
    levels, found = [options.level] if options.level else _levels(), False
    runs = [(target, level) for target in chosen for level in (levels if target != KERNELS else ["all"])]
    if options.time < len(runs) * SHORTEST:
        runs = [(target, level if target != KERNELS else "all") for target, level in zip(chosen, cycle(levels))]
    share = max(options.time // len(runs), 1)
    print(f"{'target':22}{'level':8}{'executions':>12}{'edges':>8}{'of':>8}{'corpus':>8}{'CPU s':>8}  findings")
    for target, level in runs:
        outcome = run(target, share, level)
        row = f"{target:22}{level:8}{outcome.executions:12,}{outcome.edges:8}{outcome.all_edges:8}{outcome.inputs:8}"
        print(f"{row}{outcome.seconds:8.0f}  {len(outcome.findings)}", flush=True)
        for finding in outcome.findings:
            found = True
            print(f"  {finding}: see {log_of(target, level)}; python -m tests.fuzz.run {target} FILE repeats it")
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
