"""Every instruction set of this machine gives the same results: the tests that depend on offsets in blocks, again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.machines.core import CORE

_ROOT = Path(__file__).resolve().parent.parent.parent
_OTHERS = [simd for simd in we.cpu_features()["available"] if simd != we.cpu_features()["simd"]]


def test_the_instruction_sets_are_known() -> None:
    features = we.cpu_features()
    assert features["simd"] in features["available"]
    assert features["available"][0] == "scalar"


@pytest.mark.parametrize("simd", _OTHERS)
def test_instruction_set(simd: str) -> None:
    """Run in a separate process, since the package selects an instruction set on import; other tests use the best."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *CORE],
        cwd=_ROOT,
        env={**os.environ, "WHATWG_ENCODING_SIMD": simd, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_an_instruction_set_that_is_none() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import whatwg_encoding"],
        env={**os.environ, "WHATWG_ENCODING_SIMD": "abacus"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "abacus" in done.stderr
    assert "scalar" in done.stderr
