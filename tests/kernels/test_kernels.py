"""The kernels, at every level of the processor, on random text: against the handlers, and against each other.

Sources and targets end at inaccessible memory, so that an access beyond them ends the program. `CC` is the compiler,
and `WE_RUN` the command that runs its programs: those of another machine.
"""

from __future__ import annotations

import os
import shlex
import subprocess

import pytest

from tests.kernels.judge import CHAPTERS, program

ROUNDS = 10_000
#: Many codecs, which are taken in turn.
MORE = {"single_byte": 4 * ROUNDS}


@pytest.mark.parametrize("chapter", [*CHAPTERS, ""], ids=lambda chapter: chapter or "no chapter")
def test_the_kernels_of(chapter: str) -> None:
    command = [*shlex.split(os.environ.get("WE_RUN", "")), program(chapter), str(MORE.get(chapter, ROUNDS))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout}{done.stderr}"
