"""Measure beside every peer, write benchmarks/results/ and print the tables: ``python -m benchmarks``.

The exit status is 0 regardless of the figures, 2 for invalid usage.
``--report`` prints from earlier results.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyperf  # type: ignore[import-untyped]

import whatwg_encoding as we
from benchmarks import columns, footprint, npm, report, scenarios
from benchmarks.corpus import Corpus
from benchmarks.measure import Case, Effort, measure
from benchmarks.peers import PEER_MODULES, installed

RESULTS = Path(__file__).parent / "results"

#: pyperf's metadata about the machine to keep, without its name and paths.
_METADATA = ("cpu_model_name", "cpu_count", "load_avg_1min", "python_implementation", "python_version",
             "python_compiler", "date")  # fmt: skip
#: The levels that have columns, best first, and their titles. The levels below them serve hardly any machine.
LEVELS = {"avx512": "AVX-512", "avx2": "AVX2", "x86-64-v2": "x86-64-v2", "neon": "NEON"}


def circumstances(text: str, full: bool) -> dict[str, Any]:
    """Return machine and versions, the metadata of every result."""
    run = pyperf.Run([1.0], metadata={"name": "machine"})
    found = {key: value for key, value in run.get_metadata().items() if key in _METADATA}
    peers = [f"{name} {installed().get(name, 'missing')}" for name in PEER_MODULES]
    return found | {
        "platform": " ".join(filter(None, (platform.system(), platform.machine(), *platform.libc_ver()))),
        "simd": we.cpu_features()["simd"],
        "peers": ", ".join([f"whatwg-encoding {version('whatwg-encoding')}", *peers]),
        "text": text,
        "scope": "full" if full else "default",
    }


def result_name() -> str:
    """Return the name of the results of this kind of machine, which later runs replace."""
    python = "".join(platform.python_version_tuple()[:2])
    return f"{platform.system()}-{platform.machine()}-{we.cpu_features()['simd']}-cp{python}".lower()


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Return the command line's options; raise ``SystemExit`` with status 2 for invalid ones."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure beside every peer, in one run.")
    parser.add_argument("--full", action="store_true", help="every encoding, scenario and size: an hour or more")
    parser.add_argument("--levels", action="store_true", help="each instruction-set level of this machine: levels.md")
    parser.add_argument("--only", metavar="REGEX", type=re.compile, help="rows whose title has a match")
    parser.add_argument("--list", action="store_true", help="print the titles of the rows and measure nothing")
    parser.add_argument("--sizes", metavar="SIZE", nargs="+", choices=scenarios.SIZES, default=list(scenarios.SIZES))
    parser.add_argument("--rounds", type=int, default=Effort().rounds, help="rounds of a row, at most (%(default)s)")
    parser.add_argument("--sample", type=float, default=Effort().sample, help="seconds of a sample (%(default)s)")
    corpus = os.environ.get("CORPUS") or None
    parser.add_argument("--corpus", type=Path, default=corpus, help="folder of UTF-8: ja.txt, ja.html, … ($CORPUS)")
    parser.add_argument("--output", type=Path, metavar="FOLDER", default=RESULTS, help="where the results go")
    parser.add_argument("--report", type=Path, metavar="JSON", help="print the report of earlier results")
    options = parser.parse_args(given)
    if options.rounds < 1 or options.sample <= 0:
        parser.error("--rounds takes a whole number from 1, --sample seconds above 0")
    return options


def cases(options: argparse.Namespace, corpus: Corpus) -> Iterator[Case]:
    """Yield the rows that the options select."""
    scope = scenarios.Scope(corpus, options.full, tuple(size for size in scenarios.SIZES if size in options.sizes))
    for source in (scenarios, columns, footprint, npm):
        for case in source.all_cases(scope):
            if not options.only or options.only.search(case.title):
                yield case


def measure_all(wanted: Sequence[Case], options: argparse.Namespace, text: str) -> str:
    """Measure the rows, print a line for each and the summary, and write the results; return the report."""
    for name in PEER_MODULES:
        if name not in installed():
            print(f"{name} is not installed: rows lack this peer", file=sys.stderr)
    measured: list[Any] = []
    # So that results of 1 MB need no new pages, whatever was measured before: the GNU C library maps blocks above a
    # threshold anew and trims the heap, until it has freed a larger one.
    bytes((32 << 20) - 8192)
    for number, case in enumerate(wanted, 1):
        row = measure(case, Effort(options.sample, options.rounds))
        measured += row
        (shown,) = report.rows(pyperf.BenchmarkSuite(row))
        ratio = "" if shown.best is None or shown.ratio is None else f"{shown.ratio:.2f}× {shown.best.name}"
        print(f"{number}/{len(wanted)} {case.title}: {shown.show(shown.ours)} {ratio} {shown.verdict}", flush=True)
    for benchmark in measured:
        benchmark.update_metadata(circumstances(text, options.full))
    suite = pyperf.BenchmarkSuite(measured)
    suite.dump(str(options.output / f"{result_name()}.json"), replace=True)
    print(f"\n{report.summary(report.rows(suite))}\nAll rows: {result_name()}.md, and {result_name()}.json for pyperf")
    return report.document(suite)


def measure_levels(given: Sequence[str], only: str) -> str:
    """Return the table of levels; each level is measured by a process of its own."""
    found: dict[str, dict[str, str]] = {}
    for level in (level for level in LEVELS if level in we.cpu_features()["available"]):
        with tempfile.TemporaryDirectory() as folder:
            options = [*given, "--only", only, "--sizes", "64 KiB", "--output", folder]
            environment = os.environ | {"WHATWG_ENCODING_SIMD": level}
            subprocess.run([sys.executable, "-m", "benchmarks", *options], env=environment, check=True)
            (suite,) = map(report.load, Path(folder).glob("*.json"))
        found[LEVELS[level]] = report.fold(report.rows(suite))
        lines = report.circumstances(suite).splitlines(keepends=True)
    described = "".join(line for line in lines if "instruction sets" not in line)
    return report.render("levels", circumstances=described, levels=report.levels(found))


def main(given: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    given = sys.argv[1:] if given is None else given
    options = arguments(given)
    if options.report:
        print(report.document(report.load(options.report)))
        return 0
    wanted = list(cases(options, Corpus(options.corpus)))
    if options.list:
        print("\n".join(case.title for case in wanted))
        return 0
    if not wanted:
        print("no row has a match; --list shows their titles", file=sys.stderr)
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    text = "corpus, and drawn from a seed where it has none" if options.corpus else "drawn from a seed"
    if options.levels:
        only = options.only.pattern if options.only else "^(decode|encode): "
        name, document = "levels", measure_levels([word for word in given if word != "--levels"], only)
    else:
        name, document = result_name(), measure_all(wanted, options, text)
    if options.levels:
        print(document)
    (options.output / f"{name}.md").write_text(document, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
