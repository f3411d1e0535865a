"""libwhatwg_encoding for tests: built once, by `make library`'s program, and flags to link it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "_out" / "tests"
SANITIZED = "-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"


@cache
def library(*without: str, cflags: str = "", compiler: str = "") -> Path:
    """Return the prefix of a library with these options; each file is compiled when it has changed."""
    name = "-".join(["library", *without, *(["sanitized"] if cflags else []), *([compiler] if compiler else [])])
    if without:  # a single file of it is compiled in another way
        shutil.rmtree(BUILT / name, ignore_errors=True)
        shutil.copytree(library(), BUILT / name, symlinks=True)
    environment = os.environ | {"CFLAGS": cflags} | ({"CC": compiler} if compiler else {})
    command = [sys.executable, str(ROOT / "build" / "library.py"), "--out", str(BUILT / name), "--without", *without]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "warning" in done.stderr:
        pytest.fail(f"{shlex.join(command)}\n{done.stderr}", pytrace=False)
    return BUILT / name


def shared(prefix: Path) -> list[str]:
    """Return the flags of a program that finds the shared library there."""
    return [f"-I{prefix / 'include'}", f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}", "-lwhatwg_encoding"]


def static(prefix: Path) -> list[str]:
    """Return the flags of a program that contains the static library."""
    return [f"-I{prefix / 'include'}", str(prefix / "lib" / "libwhatwg_encoding.a")]
