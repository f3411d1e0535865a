"""Programs that tests run in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, **options: Any) -> str:
    """Run a command and return what it printed; fail with all that it said unless it succeeds."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(program: str, *arguments: str, **options: Any) -> str:
    """Run a program in this Python and return what it printed."""
    return run(sys.executable, "-c", program, *arguments, **options)
