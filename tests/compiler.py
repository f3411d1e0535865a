"""Compile C and C++ for tests."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

KEPT = Path(__file__).resolve().parent.parent / "build" / "_out" / "tests"
"""What `compile_once` has compiled."""


def compile_or_fail(*arguments: str, compiler: tuple[str, str] = ("CC", "cc")) -> None:
    """Run a compiler with the flags of ``WE_KERNEL_CFLAGS``, such as a sanitizer's; fail the test with its output.

    ``compiler`` is the environment variable that names it, and its default.
    """
    flags = shlex.split(os.environ.get("WE_KERNEL_CFLAGS", ""))
    command = [*shlex.split(os.environ.get(*compiler)), *arguments, *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(f"{shlex.join(command)}\n{done.stderr}", pytrace=False)


def compile_once(source: Path, *flags: str) -> Path:
    """Return what is made of a file that needs no other, compiled unless the same text was by the same command."""
    with TemporaryDirectory() as folder:
        text, output = Path(folder, "text.i"), Path(folder, "made.exe")
        compile_or_fail(*flags, "-E", str(source), "-o", str(text))
        command = [*shlex.split(os.environ.get("CC", "cc")), "--version"]
        version = subprocess.run(command, capture_output=True, check=True).stdout
        how = repr((command, version, flags, os.environ.get("WE_KERNEL_CFLAGS"))).encode()
        flags_digest, name = (sha256(content).hexdigest()[:16] for content in (how, text.read_bytes()))
        result = KEPT / f"{source.stem}-{flags_digest}-{name}.exe"
        if not result.exists():
            compile_or_fail(*flags, str(source), "-o", str(output))
            KEPT.mkdir(parents=True, exist_ok=True)
            for earlier in KEPT.glob(f"{source.stem}-{flags_digest}-*.exe"):
                earlier.unlink(missing_ok=True)
            staged = KEPT / f"{result.name}.{os.getpid()}"
            shutil.copy(output, staged)
            staged.replace(result)
    return result
