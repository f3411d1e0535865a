"""Run the fuzz targets: ``make fuzz TIME=seconds``.

That is ``build/instrumented.py fuzz python -m tests.fuzz [--time N] [--least N] [TARGET…]``. Each target, and each
instruction set if time permits, runs for an equal share of the time. A target that was executed less often than
``--least`` then goes on until it was. Fuzzing starts from tests/fuzz/corpus; inputs that it discovers are kept in
build/_out/fuzz/corpus. It prints executions, coverage, processor time and findings of each target. The exit status is 1
if there is a finding, or a target was not executed often enough within an hour more.

The corpus is not hand-written: it was discovered by fuzzing and minimized by ``--merge``, which keeps a smallest set of
inputs that covers every edge of the compiled code that all inputs cover. tests/fuzz/test_corpus.py runs it.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import whatwg_encoding as we
from tests.fuzz.targets import SHARED_CORPORA, TARGETS, corpus_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "_out" / "fuzz"
INPUT_LENGTH = 500
# The time limit of one input in seconds. An input takes milliseconds, but the machine may be busy.
PATIENCE = 100
# Below this many seconds for each target and instruction set, each target runs with one instruction set, in turn.
SHORTEST = 20
# Seconds that a target may take beyond its time to be executed often enough.
LONGEST = 3600


class Outcome(NamedTuple):
    """The result of fuzzing one target. ``edges`` counts the covered ones of ``all_edges`` of its build."""

    executions: int
    edges: int
    all_edges: int
    inputs: int
    seconds: float
    findings: list[Path]


def log_of(target: str, level: str) -> Path:
    return OUT / f"{target}-{level}.log"


def run(target: str, seconds: int, level: str, executions: int = -1) -> Outcome:
    """Fuzz one target for so many seconds or executions."""
    learned, corpus_folder, findings = OUT / "corpus" / target, corpus_of(target), OUT / "findings"
    for folder in (learned, corpus_folder, findings):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings.glob(f"{target}-*"))
    command = [sys.executable, "-m", "tests.fuzz.run", target]
    command += [f"-max_total_time={seconds}", f"-runs={executions}", f"-max_len={INPUT_LENGTH}"]
    command += ["-print_final_stats=1"]
    command += [f"-timeout={PATIENCE}", f"-report_slow_units={PATIENCE}", "-rss_limit_mb=4000"]
    command += [f"-artifact_prefix={findings}/{target}-", str(learned), str(corpus_folder)]
    log = log_of(target, level)
    environment = os.environ | {"WHATWG_ENCODING_SIMD": level}
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text("utf-8", "replace")
    progress = re.findall(r"cov: (\d+) ft: \d+ corp: (\d+)", text) or [("0", "0")]
    executed = re.search(r"number_of_executed_units: (\d+)", text)
    counters = sum(map(int, re.findall(r"\((\d+) inline 8-bit counters\)", text)))
    new = sorted(set(findings.glob(f"{target}-*")) - before)
    if status != 0:
        sys.stderr.write(text[-6000:])
    if status != 0 and not new:
        raise SystemExit(f"{target} ended with status {status} without a finding; see {log}")
    edges, corpus = map(int, progress[-1])
    return Outcome(int(executed[1]) if executed else 0, edges, counters, corpus, used.ru_utime + used.ru_stime, new)


def fuzz(target: str, levels: Sequence[str], seconds: int, least: int) -> bool:
    """Fuzz one target at each level, print what was done, and return whether all is well."""
    executions, is_well = 0, True
    for number, level in enumerate([*levels, levels[0]]):
        if number < len(levels):
            outcome = run(target, seconds, level)
        elif is_well and executions < least:
            outcome = run(target, LONGEST, level, least - executions)
        else:
            break
        executions += outcome.executions
        rate = outcome.executions / max(outcome.seconds, 1)
        row = f"{target:22}{level:10}{outcome.executions:12,}{outcome.edges:8}{outcome.all_edges:8}{outcome.inputs:8}"
        print(f"{row}{outcome.seconds:8.0f}{rate:8.0f}  {len(outcome.findings)}", flush=True)
        for finding in outcome.findings:
            is_well = False
            print(f"  {finding}: see {log_of(target, level)}; python -m tests.fuzz.run {target} FILE repeats it")
    if executions < least:
        print(f"  {target} was executed {executions:,} times, not {least:,}", flush=True)
    return is_well and executions >= least


def merge(target: str) -> None:
    """Write to a target's corpus a smallest set of inputs that covers what all known inputs cover."""
    corpus_folder = corpus_of(target)
    merged = OUT / "merged" / target
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    corpus_folder.mkdir(parents=True, exist_ok=True)
    program = [sys.executable, "-m", "tests.fuzz.run", target]
    # Count only edges, not how often each was taken, so that the corpus is small enough for the repository.
    options = ["-set_cover_merge=1", f"-max_len={INPUT_LENGTH}", "-use_value_profile=0", "-use_counters=0"]
    command = [*program, *options, str(merged), str(OUT / "corpus" / target), str(corpus_folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True)
    if done.returncode != 0 or not any(merged.iterdir()):
        raise SystemExit(f"{target} was not merged: {done.stderr[-2000:].decode('utf-8', 'replace')}")
    shutil.rmtree(corpus_folder)
    shutil.copytree(merged, corpus_folder)


def main() -> int:
    """Run the command line and return the exit status: 1 if there is a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"default: all of {', '.join(TARGETS)}")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS", help="total for all targets (default: 60)")
    parser.add_argument("--least", type=int, default=0, metavar="N", help="executions of each target (default: any)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="targets to run at a time (default: 1)")
    parser.add_argument("--merge", action="store_true", help="do not fuzz; minimize each corpus that is a target's own")
    options = parser.parse_args()
    chosen = options.targets or [*TARGETS]
    for target in chosen:
        if target not in TARGETS:
            parser.error(f"no such target: {target}; there are {', '.join(TARGETS)}")
    if options.merge:
        for target in chosen:
            if target not in SHARED_CORPORA:
                merge(target)
        return 0
    levels = we.cpu_features()["available"][::-1]
    of = dict.fromkeys(chosen, levels)
    if options.time * options.jobs < len(chosen) * len(levels) * SHORTEST:
        of = {target: [level] for target, level in zip(chosen, cycle(levels))}
    share = max(options.time * options.jobs // sum(map(len, of.values())), 1)
    heads = f"{'executions':>12}{'edges':>8}{'of':>8}{'corpus':>8}{'CPU s':>8}{'a CPU s':>8}"
    print(f"{'target':22}{'level':10}{heads}  findings", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda target: fuzz(target, of[target], share, options.least), chosen))
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
