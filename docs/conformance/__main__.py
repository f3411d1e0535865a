"""Compare decoders of many languages with the standard: ``python -m docs.conformance``. It needs Python alone.

Each implementation decodes the same vectors, errors replaced. The texts are compared with those of tests/reference,
which is compiled from the standard's text. Packages are installed in a folder of their own. The figures go to
docs/conformance.json, where the row of a program that is missing stays; `python -m docs.pages` makes a page of them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, TypedDict

from tests.reference import oracle
from tests.reference.inputs import ALL_NAMES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FIGURES = HERE.parent / "conformance.json"
WORK = ROOT / "build" / "_out" / "conformance"
PYTHON_PACKAGES = ["webencodings==0.6.1", "turbohtml==1.15.4", "endec==0.6.0"]
NODE_PACKAGES = ["@exodus/bytes@1.16.0", "iconv-lite@0.7.0"]
SHOWN = 4
"""Byte sequences of an encoding that the figures have as examples."""

#: What an implementation may call an encoding, if it does not know the standard's name or means another one by it.
OTHER_NAMES = {
    "IBM866": ["cp866"],
    "ISO-8859-8-I": ["iso-8859-8"],
    "macintosh": ["mac-roman", "macroman", "x-macroman"],
    "x-mac-cyrillic": ["mac-cyrillic", "maccyrillic", "x-maccyrillic", "macukraine"],
    "windows-874": ["cp874", "x-windows-874"],
    "GBK": ["cp936"],
    "Big5": ["big5-hkscs", "big5hkscs", "cp950", "big5-hkscs:2008"],
    "EUC-JP": ["eucjp-win", "cp51932", "euc-jp-ms"],
    "ISO-2022-JP": ["iso-2022-jp-ms", "cp50221"],
    "Shift_JIS": ["cp932", "windows-31j", "sjis-win"],
    "EUC-KR": ["cp949", "ms949", "uhc", "x-windows-949"],
}


#: The text of each input in hexadecimal, and whether it is valid, by encoding.
Answers = Mapping[str, list[tuple[str, bool]]]
Row = TypedDict("Row", {"as": str, "wrong": int, "valid": int, "first": list[str]})


@dataclass(frozen=True)
class Door:
    """A way to decode: an implementation in one of its forms."""

    name: str
    command: Sequence[str]
    """It reads WORK/jobs.txt, writes the texts of each job, and prints its version."""


def doors(python: Path) -> Iterator[Door]:
    """Yield the doors of the programs that this machine has."""
    for name in (
        "CPython", "CPython, byte by byte", "webencodings", "webencodings, byte by byte", "turbohtml", "endec",
        "ICU", "glibc iconv", "whatwg-encoding", "whatwg-encoding, byte by byte",
    ):  # fmt: skip
        interpreter = sys.executable if name.startswith("whatwg") else str(python)
        yield Door(name, [interpreter, str(HERE / "doors.py"), name])
    if node := shutil.which("node"):
        for name in (
            "Node TextDecoder", "Node TextDecoder, byte by byte", "@exodus/bytes", "@exodus/bytes, byte by byte",
            "iconv-lite", "iconv-lite, byte by byte",
        ):  # fmt: skip
            yield Door(name, [node, str(WORK / "node" / "doors.mjs"), name])
    if java := shutil.which("java"):
        yield Door("Java", [java, str(HERE / "Doors.java")])
    if php := shutil.which("php"):
        yield Door("PHP mbstring", [php, str(HERE / "doors.php")])
    if go := shutil.which("go"):
        yield Door("Go x/text", [go, "run", str(HERE / "doors.go")])


# -- Vectors -----------------------------------------------------------------------------------------------------------


def vectors(name: str) -> list[bytes]:
    """Return the inputs of an encoding: all of one and of two bytes, and longer ones of those that have longer ones."""
    inputs = [bytes([byte]) for byte in range(256)] + [bytes(pair) for pair in product(range(256), repeat=2)]
    match name:
        case "UTF-8":
            seconds, others = (0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0), (0x41, 0x80, 0xBF)
            inputs += map(bytes, product(range(0xE0, 0xF6), seconds, others, others))
        case "EUC-JP":
            inputs += map(bytes, product([0x8F], range(0xA1, 0xFF), range(0xA1, 0xFF)))
        case "ISO-2022-JP":
            inputs += (b"\x1b$B" + bytes(pair) + b"\x1b(B" for pair in product(range(0x21, 0x7F), repeat=2))
            inputs += (b"\x1b(" + bytes(pair) for pair in product(b"BJI", range(256)))
        case "gb18030" | "GBK":
            inputs += (
                bytes((0x81 + at // 12600, 0x30 + at // 1260 % 10, 0x81 + at // 10 % 126, 0x30 + at % 10))
                for at in range(0, 126 * 12600, 101)
            )
        case "UTF-16BE" | "UTF-16LE":
            edges = (0xD7, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0)
            inputs += map(bytes, product(edges, (0, 0xFF), edges, (0, 0xFF)))
            inputs += map(bytes, product((0, 0xFF), edges, (0, 0xFF), edges))
    return inputs


def expected(name: str, inputs: Sequence[bytes]) -> list[tuple[str, bool]]:
    """Return the text of each input in the standard, as doors write it, and whether it has no error."""
    answers = []
    for data in inputs:
        text, errors = oracle.decode(name, data)
        answers.append((text.encode("utf-16-be", "surrogatepass").hex(), not errors))
    return answers


# -- Running -----------------------------------------------------------------------------------------------------------


def environment() -> Path:
    """Install the packages; return the interpreter of their environment."""
    python = WORK / "python" / "bin" / "python"
    if not python.exists():
        venv.create(WORK / "python", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PYTHON_PACKAGES], check=True)
    if shutil.which("npm"):
        (WORK / "node").mkdir(exist_ok=True)
        shutil.copy(HERE / "doors.mjs", WORK / "node")
        if not (WORK / "node" / "node_modules").exists():
            subprocess.run(["npm", "install", "--silent", "--no-audit", *NODE_PACKAGES], cwd=WORK / "node", check=True)
    return python


def jobs(names: Sequence[str]) -> dict[str, list[bytes]]:
    """Write the inputs of each encoding and the list of jobs; return the inputs."""
    inputs = {name: vectors(name) for name in names}
    lines = []
    for name in names:
        (WORK / f"{name}.in").write_text("\n".join(data.hex() for data in inputs[name]) + "\n", encoding="ascii")
        lines += [f"{name}\t{other}\t{n}" for n, other in enumerate((name.lower(), *OTHER_NAMES.get(name, ())))]
    (WORK / "jobs.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
    return inputs


def compared(wrong: Sequence[tuple[bytes, bool]], name: str) -> Row:
    """Return what the figures say of an encoding: valid inputs are the first examples, and short ones."""
    examples = sorted(wrong, key=lambda case: (not case[1], len(case[0])))[:SHOWN]
    return {
        "as": name,
        "wrong": len(wrong),
        "valid": sum(is_valid for _, is_valid in wrong),
        "first": [data.hex(" ").upper() for data, _ in examples],
    }


def run(door: Door, answers: Answers, inputs: Mapping[str, list[bytes]]) -> dict[str, Any] | None:
    """Run a door; return its version, and of each encoding the differences of its nearest decoder."""
    for old in WORK.glob("*.out"):
        old.unlink()
    # Where Debian has Go's packages.
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(WORK / "go")}
    done = subprocess.run(door.command, cwd=WORK, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["it failed"])[-1]
        print(f"{door.name} fails: {reason[:200]}", file=sys.stderr)
        return None
    rows: dict[str, Row] = {}
    for line in (WORK / "jobs.txt").read_text(encoding="ascii").splitlines():
        name, other, number = line.split("\t")
        output = WORK / f"{name}.{number}.out"
        if not output.exists():
            continue
        texts = output.read_text(encoding="ascii").splitlines()
        if len(texts) != len(answers[name]):
            raise ValueError(f"{door.name} has {len(texts)} texts of {len(answers[name])} inputs in {other}")
        cases = zip(inputs[name], texts, answers[name], strict=True)
        row = compared([(data, is_valid) for data, text, (right, is_valid) in cases if text != right], other)
        if name not in rows or row["wrong"] < rows[name]["wrong"]:
            rows[name] = row
    return {"version": done.stdout.strip(), "encodings": rows}


def main() -> int:
    """Run all doors, and write the figures."""
    parser = argparse.ArgumentParser(prog="python -m docs.conformance", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="the doors whose name contains this")
    only: str = parser.parse_args().only
    WORK.mkdir(parents=True, exist_ok=True)
    python = environment()
    inputs = jobs(ALL_NAMES)
    answers = {name: expected(name, inputs[name]) for name in ALL_NAMES}
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    missing = {name for name in figures if only in name}
    for door in doors(python):
        if only in door.name and (row := run(door, answers, inputs)):
            figures[door.name] = row
            missing.discard(door.name)
            wrong = [encoding["wrong"] for encoding in row["encodings"].values()]
            print(
                f"{door.name} {row['version']}: {wrong.count(0)} of {len(wrong)} encodings without a difference",
                flush=True,
            )
    for name in sorted(missing):
        print(f"{name} {figures[name]['version']}: the row stays, since it doesn't run here")
    lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in figures.items()]
    FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
