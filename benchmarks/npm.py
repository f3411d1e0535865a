"""Measure the npm package in Node.js, beside the platform's decoders and encoders and those that npm installs."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benchmarks import ROWS
from benchmarks.footprint import python
from benchmarks.measure import Case, Job
from benchmarks.peers import Contender
from benchmarks.scenarios import EXEMPLARS, Scope, Setting

_ROOT = Path(__file__).resolve().parents[1]
_ROUNDS = 15
_NEEDED = ("node", "npm", "clang", "wasm-ld")


@cache
def _prepared() -> tuple[Path, Path]:
    """Return the folder of the package, which is built, and the script, beside the peers that npm installs."""
    python(str(_ROOT / "build" / "npm.py"))
    folder = _ROOT / "build" / "_out" / "benchmarks" / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    script = Path(shutil.copy(Path(__file__).with_suffix(".mjs"), folder))
    subprocess.run(["npm", "install", "--no-save", "--silent", *ROWS["npm"]["peers"]], cwd=folder, check=True)
    return _ROOT / "build" / "_out" / "npm", script


def _convert(at: Setting) -> Job:
    package, script = _prepared()
    data: bytes = at.inputs["data"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data"
        path.write_bytes(data)
        command = ["node", str(script), at.direction, str(package), at.encoding.name, str(path), str(_ROUNDS)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, list[float]] = json.loads(output)
    return Job([Contender(name, f"{at.direction}(…)") for name in found], nbytes=len(data), values=found)


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield the rows of decoders and encoders, if Node.js and what builds the package are here."""
    if all(map(shutil.which, _NEEDED)):
        for at in scope.settings(EXEMPLARS, ("1 KiB", "64 KiB")):
            yield at.row(f"npm {at.direction}", _convert)
