"""``python -m benchmarks.instructions``: instructions per byte on emulated AArch64, ours and CPython's.

The package is cross-compiled and runs under qemu-user (build/emulated.py) with a plugin that counts executed
instructions (count_instructions.c). A count has no noise: the same build gives the same figure on every machine.
Instructions are not time, but the ratio between two similar loops on the same input approximates their speed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import whatwg_encoding as we
from benchmarks import counted
from benchmarks.corpus import STYLES, Corpus, Style
from benchmarks.goals import LATIN, TWO_BYTE
from benchmarks.peers import CPYTHON, OURS, Contender, Direction, contenders
from benchmarks.scenarios import Input, Scope, sized

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).parent / "results" / "aarch64-instructions.md"
SIZE = "64 KiB"
#: Number of the system call getsid on AArch64, as in Linux's generic table.
GETSID = 156

#: Encoding → languages.
ROWS = {
    "UTF-8": ("ru", "ja", "ko", "zh_cn", "de", "en"),
    "UTF-16LE": ("ja", "ru", "de"),
    "UTF-16BE": ("ja", "de"),
    "Shift_JIS": ("ja",),
    "EUC-JP": ("ja",),
    "EUC-KR": ("ko",),
    "GBK": ("zh_cn",),
    "gb18030": ("zh_cn",),
    "Big5": ("zh_tw",),
    "ISO-2022-JP": ("ja",),
    "windows-1250": ("cs",),
    "windows-1251": ("ru",),
    "windows-1252": ("de", "en"),
    "windows-1253": ("el",),
    "windows-1254": ("tr",),
    "windows-874": ("th",),
    "KOI8-R": ("ru",),
    "ISO-8859-2": ("cs",),
}


def floor(encoding: str, direction: Direction, language: str, style: Style) -> float | None:
    """Return the minimum ratio of CPython's instructions to ours, or None if there is no floor."""
    dense = style == "dense"
    if encoding == "UTF-8":
        if language in LATIN:
            return 2.0 if direction == "decode" else 5.0
        return (2.0 if dense else 1.8) if direction == "decode" else (2.5 if dense else 4.0)
    if encoding.startswith("UTF-16"):
        return 3.5
    if encoding in TWO_BYTE:
        if direction == "decode":
            return {"Shift_JIS": 8.0, "EUC-KR": 6.0}.get(encoding, 7.0) if dense else 14.0
        return {"Shift_JIS": 6.5, "EUC-KR": 4.0}.get(encoding, 5.0) if dense else 8.0
    return None


@dataclass(frozen=True)
class Row:
    """One text, in one encoding and direction."""

    encoding: str
    direction: Direction
    language: str
    style: Style

    @property
    def title(self) -> str:
        """The title of the row, which ``--only`` searches."""
        return f"{self.direction}: {self.encoding} {self.language}, {'dense' if self.style == 'dense' else 'page'}"


@dataclass(frozen=True)
class Counted:
    """A row with its instructions per encoded byte."""

    row: Row
    ours: float
    theirs: float
    floor: float | None

    @cached_property
    def ratio(self) -> float:
        """CPython's instructions divided by ours."""
        return self.theirs / self.ours

    @property
    def verdict(self) -> str:
        """``pass`` or ``short of the floor`` if there is one, else ``ahead``, ``behind`` or, within 2 %, ``level``."""
        if self.floor is not None:
            return "pass" if self.ratio >= self.floor else "short of the floor" if self.ratio >= 1 else "**behind**"
        return "ahead" if self.ratio > 1.02 else "**behind**" if self.ratio < 0.98 else "level"


def rows() -> Iterator[Row]:
    """Yield every row: decode, then encode for the encodings that have an encoder."""
    directions: tuple[Direction, ...] = ("decode", "encode")
    for direction in directions:
        for encoding, languages in ROWS.items():
            if direction == "decode" or we.lookup(encoding).has_encoder:
                for language in languages:
                    for style in STYLES:
                        yield Row(encoding, direction, language, style)


def emulated_machine() -> Any:
    """Compile the package for the AArch64 machine of build/emulated.py, and return the machine."""
    sys.path.append(str(ROOT / "build"))
    machine = importlib.import_module("emulated").Machine("aarch64")
    machine.build()
    return machine


def compile_plugin(machine: Any) -> Path:
    """Compile the counting plugin for the installed emulator; return its path."""
    target: Path = machine.folder / "count_instructions.so"
    source = Path(__file__).parent / "count_instructions.c"
    version = subprocess.run(
        [machine.architecture.qemu, "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"version (\d+)\.", version)
    if found is None:
        raise SystemExit(f"{machine.architecture.qemu} --version prints no version: {version!r}")
    # From QEMU 9 on, plugins must have interface version 2.
    api = 1 if int(found[1]) < 9 else 2
    compiler = shlex.split(os.environ.get("CC", "cc"))
    command = [*compiler, "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", f"-DAPI_VERSION={api}"]
    subprocess.run([*command, str(source), "-o", str(target)], check=True)
    return target


def ours_and_cpython(row: Row) -> list[Contender]:
    """Return our contender and CPython's codec."""
    return [found for found in contenders(we.lookup(row.encoding), row.direction) if found.name in (OURS, CPYTHON)]


def count(wanted: Sequence[Row], corpus: Corpus, machine: Any, plugin: Path) -> Iterator[Counted]:
    """Count every row in one process of the emulator. Raise SystemExit if it fails or the results differ."""
    scope = Scope(corpus)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs: list[dict[str, str]] = []
        inputs: list[Input] = []
        for number, row in enumerate(wanted):
            found, _ = sized(scope, we.lookup(row.encoding), row.language, row.style, SIZE)
            inputs.append(found)
            kind = "data" if row.direction == "decode" else "text"
            path = folder / f"{number}.{kind}"
            path.write_bytes(found.data if kind == "data" else found.text.encode("utf-8", "surrogatepass"))
            results = []
            for contender in ours_and_cpython(row):
                jobs.append(
                    {"statement": contender.statement, "setup": contender.setup, "name": kind, "path": str(path)}
                )
                results.append(contender.run(found.names))
            if len(results) != 2 or results[0] != results[1]:
                raise SystemExit(f"{row.title}: CPython has no codec, or its result differs")
        described = folder / "jobs.json"
        described.write_text(json.dumps(jobs), "utf-8")
        counts = folder / "counts"
        options = f"{plugin},marker={GETSID},output={counts}"
        command = [str(machine.python), str(Path(counted.__file__)), str(described)]
        done = subprocess.run(command, env=machine.environment() | {"QEMU_PLUGIN": options}, check=False)
        if done.returncode != 0:
            raise SystemExit(f"failed: {shlex.join(command)}")
        marks = [int(line) for line in counts.read_text("ascii").splitlines()]
    if len(marks) != 4 * len(jobs):
        raise SystemExit(f"{len(marks)} marks for {len(jobs)} statements, expected four per statement")
    calls = counted.MANY - counted.FEW
    instructions = [
        ((marks[at + 3] - marks[at + 2]) - (marks[at + 1] - marks[at])) / calls for at in range(0, len(marks), 4)
    ]
    for number, (row, found) in enumerate(zip(wanted, inputs, strict=True)):
        ours, theirs = (instructions[2 * number + which] / len(found.data) for which in (0, 1))
        # An ASCII string is stored as UTF-8, so that both only copy it.
        copied = row.encoding == "UTF-8" and row.direction == "encode" and found.text.isascii()
        least = None if copied else floor(row.encoding, row.direction, row.language, row.style)
        yield Counted(row, ours, theirs, least)


def document(results: Sequence[Counted], facts: Sequence[str]) -> str:
    """Return the results in Markdown."""
    few, many = counted.FEW, counted.MANY
    lines = [
        "# AArch64: instructions per byte",
        "",
        "Executed instructions of one call on 64 KiB of text, divided by the bytes of its encoded form: ours and the",
        "codec of CPython in the same emulated process, results included as Python objects. A figure is the difference",
        f"between {many} and {few} calls, divided by {many - few}; it has no noise. A ratio is how many times our",
        "instructions CPython's codec takes. Instructions are no time: a loop with fewer of them may wait longer for",
        "memory. `make bench-aarch64` makes this table.",
        "",
        *(f"- {fact}" for fact in facts),
        "",
    ]
    with_floor = [result for result in results if result.floor is not None]
    lost = [result for result in with_floor if result.verdict != "pass"]
    lines += [f"Floors reached: {len(with_floor) - len(lost)} of {len(with_floor)}.", ""]
    for direction, group in groupby(results, key=lambda result: result.row.direction):
        lines += [f"## {direction.capitalize()}", "", "| text | ours | CPython | ratio | floor |  |"]
        lines.append("| --- | --: | --: | --: | --: | --- |")
        for result in group:
            title = result.row.title.partition(": ")[2]
            least = "" if result.floor is None else f"≥ {result.floor:g}×"
            figures = f"{result.ours:.2f} | {result.theirs:.2f} | {result.ratio:.2f}×"
            lines.append(f"| {title} | {figures} | {least} | {result.verdict} |")
        lines.append("")
    return "\n".join(lines)


def facts(machine: Any, corpus: bool) -> list[str]:
    """Return the facts that the figures depend on, one line each."""
    code = "import platform; print(platform.python_version())"
    environment = machine.environment()
    python = subprocess.run(
        [str(machine.python), "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    compiler = [*machine.compiler()[-1:], "-dumpfullversion"]
    version = subprocess.run(compiler, capture_output=True, text=True, check=True).stdout.strip()
    return [
        f"processor: {machine.architecture.cpu}, which has NEON and no longer vectors",
        f"Python: {python.stdout.strip()}, Debian's package",
        f"compiler of ours: GCC {version}",
        f"text: {'corpus, and drawn from a seed where it has none' if corpus else 'drawn from a seed'}",
    ]


def main(given: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status, which does not depend on the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.instructions", description="Instructions per byte on AArch64."
    )
    parser.add_argument(
        "--only", metavar="REGEX", type=re.compile, help="rows whose title has a match; prints, writes nothing"
    )
    parser.add_argument("--list", action="store_true", help="print the titles of the rows and count nothing")
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="UTF-8 files ja.txt, ja.html, … ($CORPUS)")
    parser.add_argument("--output", type=Path, metavar="FILE", default=RESULTS, help="where the table goes")
    options = parser.parse_args(given)
    if options.corpus is None and os.environ.get("CORPUS"):
        options.corpus = Path(os.environ["CORPUS"])
    wanted = [row for row in rows() if options.only is None or options.only.search(row.title)]
    if options.list:
        print("\n".join(row.title for row in wanted))
        return 0
    if not wanted:
        print("no row has a match; --list shows their titles", file=sys.stderr)
        return 2
    machine = emulated_machine()
    results = list(count(wanted, Corpus(options.corpus), machine, compile_plugin(machine)))
    text = document(results, facts(machine, options.corpus is not None))
    print(text)
    if options.only is None:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
