"""Compile C and C++ for tests."""

from __future__ import annotations

import os
import shlex
import subprocess

import pytest


def compile_or_fail(*arguments: str, compiler: tuple[str, str] = ("CC", "cc")) -> None:
    """Run a compiler with the flags of ``WE_KERNEL_CFLAGS``, such as a sanitizer's; fail the test with its output.

    ``compiler`` is the environment variable that names it, and its default.
    """
    flags = shlex.split(os.environ.get("WE_KERNEL_CFLAGS", ""))
    command = [*shlex.split(os.environ.get(*compiler)), *arguments, *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(f"{shlex.join(command)}\n{done.stderr}", pytrace=False)
