"""Every instruction set of this machine gives the same results. `make test-aarch64` compares those of AArch64."""

from __future__ import annotations

import itertools
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.machines.core import CORE, OTHERS, fail_unless_passed
from tests.programs import ROOT, run

LEVELS = we.cpu_features()["available"]
#: Names, by operating system, of the architectures that have vector kernels.
VECTORS = {"x86_64": "sse2", "amd64": "sse2", "aarch64": "neon", "arm64": "neon"}


@pytest.mark.skipif(sys.maxsize < 2**32, reason="32-bit builds have only the scalar kernels")
@pytest.mark.skipif(platform.machine().lower() not in VECTORS, reason="this architecture has only the scalar kernels")
def test_the_kernels_were_compiled_with_vector_instructions() -> None:
    """MSVC compiles the kernels as plain C; a Windows release requires clang-cl (build/extensions.py)."""
    assert VECTORS[platform.machine().lower()] in LEVELS


def test_the_instruction_sets_are_known() -> None:
    assert we.cpu_features()["simd"] in LEVELS
    assert LEVELS[0] == "scalar"


#: The flags of /proc/cpuinfo that each instruction set needs, beside those before it.
FLAGS = {
    "x86-64-v2": {"pni", "ssse3", "sse4_1", "sse4_2", "popcnt"},
    "avx2": {"avx2", "bmi1", "bmi2", "abm"},
    "avx512": {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vbmi", "avx512_vbmi2"},
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="another architecture has one level")
@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="no /proc/cpuinfo to compare with")
def test_the_instruction_sets_are_those_that_the_system_reports() -> None:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    flags = set(next((line for line in lines if line.startswith("flags")), "").split())
    reported = itertools.takewhile(lambda name: flags >= FLAGS[name], FLAGS)
    assert ("scalar", "sse2", *reported) == LEVELS


@pytest.mark.parametrize("name", ["abacus", "AVX2", "avx", "avx5120", "x86-64", "neon" if "sse2" in LEVELS else "sse2"])
def test_an_instruction_set_that_is_none(name: str) -> None:
    command = [sys.executable, "-c", "import whatwg_encoding"]
    environment = {**os.environ, "WHATWG_ENCODING_SIMD": name}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert name in done.stderr
    assert "scalar" in done.stderr


@pytest.mark.parametrize("simd", OTHERS)
@pytest.mark.repeated
def test_instruction_set(simd: str) -> None:
    """The tests that depend on offsets in blocks, again."""
    fail_unless_passed(CORE, simd)


def printed(simd: str) -> str:
    environment = {**os.environ, "WHATWG_ENCODING_SIMD": simd}
    return run(sys.executable, "-m", "tests.machines.pairs", cwd=ROOT, env=environment)


@pytest.fixture(scope="module")
def scalar() -> str:
    return printed("scalar")


@pytest.mark.parametrize("simd", LEVELS[1:])
def test_every_level_gives_the_same_pairs(simd: str, scalar: str) -> None:
    assert printed(simd) == scalar
