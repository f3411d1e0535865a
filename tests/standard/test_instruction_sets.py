"""Every instruction set of this machine gives the same results: the tests that depend on offsets in blocks, again."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import whatwg_encoding as we
from tests.machines.core import CORE, OTHERS, fail_unless_passed


def test_the_instruction_sets_are_known() -> None:
    features = we.cpu_features()
    assert features["simd"] in features["available"]
    assert features["available"][0] == "scalar"


@pytest.mark.parametrize("simd", OTHERS)
@pytest.mark.repeated
def test_instruction_set(simd: str) -> None:
    fail_unless_passed(CORE, simd)


def test_an_instruction_set_that_is_none() -> None:
    command = [sys.executable, "-c", "import whatwg_encoding"]
    environment = {**os.environ, "WHATWG_ENCODING_SIMD": "abacus"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "abacus" in done.stderr
    assert "scalar" in done.stderr
