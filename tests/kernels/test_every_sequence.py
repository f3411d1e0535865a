"""The kernels of UTF-8 on every sequence, at every level of the processor: random text has few that are wrong.

tests/standard has the same through the package, at the processor's own level.
"""

from __future__ import annotations

import os

import pytest

from tests.kernels.exhaust import LEVELS, difference
from tests.kernels.judge import program

pytestmark = pytest.mark.skipif("WE_RUN" in os.environ, reason="it would take half an hour under emulation")

ASCII = ord("a")


def check(level: str, first: int) -> None:
    different = difference(program("unicode"), "utf_8", LEVELS.index(level), first)
    if different is None:
        pytest.skip(f"this processor has no {level}")
    assert different == ""


@pytest.mark.parametrize("level", LEVELS)
def test_every_three_bytes(level: str) -> None:
    check(level, ASCII)


@pytest.mark.gate
@pytest.mark.parametrize("first", [0xF0, 0xF4])
@pytest.mark.parametrize("level", LEVELS)
def test_every_three_bytes_after_the_first_of_four(level: str, first: int) -> None:
    check(level, first)
