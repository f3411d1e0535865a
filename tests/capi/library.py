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
#: The environment of each build. Portable code alone compiles in a tenth of the time, and has all of the library's
#: behaviour; the builds of users have the vector kernels, too.
KINDS = {
    "portable": {"CFLAGS": "-O1 -U__SSE2__ -U__ARM_NEON"},
    "default": {},
    "clang": {"CC": "clang"},
}


@cache
def library(kind: str = "portable", *without: str) -> Path:
    """Return the prefix of a library of a kind; all processes share it, and each file is compiled when it changes."""
    prefix = BUILT / "-".join(["library", kind, *without])
    if without and not prefix.exists():  # a single file of it is compiled in another way
        shutil.copytree(library(kind), prefix, symlinks=True)
    command = [sys.executable, str(ROOT / "build" / "library.py"), "--out", str(prefix), "--without", *without]
    done = subprocess.run(command, env=os.environ | KINDS[kind], capture_output=True, text=True, check=False)
    if done.returncode != 0 or "warning" in done.stderr:
        pytest.fail(f"{shlex.join(command)}\n{done.stderr}", pytrace=False)
    return prefix


def shared(prefix: Path) -> list[str]:
    return [f"-I{prefix / 'include'}", f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}", "-lwhatwg_encoding"]
