"""The work of detection, counted in bytes instead of seconds: linear in the data, and bounded beyond the sample."""

from __future__ import annotations

import random
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.compiler import compile_or_fail

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it compiles with a POSIX compiler driver")

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT = 16384
CANDIDATES_BEYOND_ONE_BYTE = 4

UNITS = {
    "ASCII": b"a", "no ASCII": b"\xe9", "ASCII of the longest run that is kept": b"\xe9" + b"a" * 32,
    "ASCII of the shortest run that is shortened": b"\xe9" + b"a" * 33,
    "ASCII of a block's length": b"\xe9" + b"a" * 16, "words": "слово ".encode("cp1251"), "escapes": b"\x1b$B\x1b(B",
    "NULs": b"a\0", "long ASCII": b"\xe9" + b"<p>" * 500,
}  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("work") / "detection_work"
    native, include = ROOT / "src" / "native", ROOT / "src" / "whatwg_encoding" / "include"
    rooms = ("determination", "engine", "kernels")
    folders = [*(native / room for room in rooms), ROOT / "generated", include, sysconfig.get_path("include")]
    source = str(Path(__file__).with_name("detection_work.c"))
    compile_or_fail("-O1", *(f"-I{folder}" for folder in folders), source, "-o", str(target))
    return target


def work(program: Path, data: bytes, limit: int = LIMIT) -> int:
    done = subprocess.run([program, str(limit)], input=data, capture_output=True, check=True, timeout=60)
    return int(done.stdout)


@pytest.mark.parametrize("name", UNITS)
def test_work_is_linear(program: Path, name: str) -> None:
    unit = UNITS[name]
    small, large = unit * (2**17 // len(unit)), unit * (2**20 // len(unit))
    for limit in (LIMIT, 1 << 24):
        assert work(program, large, limit) <= 8.2 * work(program, small, limit) + 1024
    # Beyond the sample data is searched at most: for NULs, an escape, and the end of ASCII.
    assert work(program, large) <= 4 * len(large) + (3 + CANDIDATES_BEYOND_ONE_BYTE) * LIMIT + 1024


def test_random_data_costs_no_more(program: Path) -> None:
    chance = random.Random(5)
    for _ in range(20):
        runs = (bytes([chance.choice(b"a\x1b\xe9\x81\0")]) * chance.choice((1, 2, 15, 16, 17, 32, 33, 64, 600))
                for _ in range(8000))  # fmt: skip
        data = b"".join(runs)
        assert work(program, data) <= 4 * len(data) + (3 + CANDIDATES_BEYOND_ONE_BYTE) * LIMIT + 1024


def test_the_count_counts(program: Path) -> None:
    """All data is decoded if the limit allows it, by each candidate that is not single-byte."""
    data = b"\0\xe9" * 5000
    assert work(program, data, 1 << 20) >= len(data) * 2
    assert len(data) <= work(program, data, 100) <= len(data) + 5 * 100  # the search for an escape
