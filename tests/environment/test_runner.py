"""The test run itself, by pytest, pytest-xdist and tests/conftest.py."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("xdist")
CONFTEST = Path(__file__).parents[1] / "conftest.py"


def test_a_crashed_worker_ends_the_run_with_a_message(tmp_path: Path) -> None:
    """With the options of `make test`. A worker that takes the place of one that crashed waits for ever."""
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_crash.py").write_text(
        "import os, pytest\n@pytest.mark.parametrize('n', range(20))\ndef test_n(n):\n    n == 3 and os.abort()\n"
    )
    for other in range(4):
        (tmp_path / f"test_{other}.py").write_text(
            "import pytest\n@pytest.mark.parametrize('n', range(20))\ndef test_n(n): pass\n"
        )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    options = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "crashed while running 'test_crash.py::test_n[3]'" in done.stdout
