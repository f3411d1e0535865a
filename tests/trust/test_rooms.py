"""The rooms of the package and of src/native: the contracts of pyproject.toml, and C that needs no Python.h."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiler import compile_or_fail

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "src" / "native"
#: All of the rooms but the kernels, which these include; and but parts of others, which say what to define before them.
HEADERS = sorted(
    str(path)
    for folder in ("columns", "detect", "engine")
    for path in (NATIVE / folder).glob("*.h")
    if path.name not in ("single_byte_costs.h", "decode_loop.h", "encode_loop.h")
)
INCLUDE = [
    *(f"-I{NATIVE / folder}" for folder in ("kernels", "engine", "columns", "detect")),
    *(f"-I{ROOT / folder}" for folder in ("generated", "src/whatwg_encoding/include")),
]


def test_a_room_imports_those_below_it_alone() -> None:
    program = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("import-linter is not installed")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [program, "--no-cache", "--no-logo"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_native_code_needs_no_python(tmp_path: Path) -> None:
    """All headers compile with no Python.h in their include path."""
    source = tmp_path / "headers.c"
    source.write_text("".join(f'#include "{header}"\n' for header in HEADERS))
    flags = ("-std=gnu11", "-fsyntax-only", "-DWHATWG_ENCODING_NO_PYTHON=", "-DWE_API_DETECT=NULL")
    compile_or_fail(*flags, *INCLUDE, str(source))


def test_no_header_includes_python() -> None:
    assert not [path for path in NATIVE.rglob("*.[ch]") if re.search(r"#\s*include\s*[<\"]Python", path.read_text())]
