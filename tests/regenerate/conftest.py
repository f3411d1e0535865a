"""Packages built from other data: emitted, compiled and imported in a separate process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from generator import emit
from generator.model import Snapshot

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[[str], object]


def build_package(snapshot: Snapshot, folder: Path) -> Run:
    """Build the package for ``snapshot`` in ``folder``; return a function that evaluates expressions on ``we``."""
    tree = folder / "tree"
    library = folder / "library"
    tree.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "LICENSE-WHATWG"):
        shutil.copy(ROOT / name, tree / name)
    (tree / "build").mkdir()
    for name in ("command_line.py", "compiler.py", "description.py", "extensions.py"):
        shutil.copy(ROOT / "build" / name, tree / "build" / name)
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    emit.emit(snapshot, tree / "generated")
    command = [sys.executable, "setup.py", "--quiet", "build", "--build-lib", str(library)]
    environment = {**os.environ, "WHATWG_ENCODING_BUILD": "debug"}
    subprocess.run(command, cwd=tree, env=environment, check=True, timeout=600)

    def run(expression: str) -> object:
        program = f"import json, whatwg_encoding as we; print(json.dumps({expression}))"
        environment = {**os.environ, "PYTHONPATH": str(library)}
        finished = subprocess.run(
            [sys.executable, "-c", program], cwd=folder, env=environment, check=True, timeout=60, stdout=subprocess.PIPE
        )
        return json.loads(finished.stdout)

    return run


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Snapshot], Run]:
    return lambda snapshot: build_package(snapshot, tmp_path_factory.mktemp("package"))
