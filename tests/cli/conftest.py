"""A fixture that runs the command line."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs the program in a temporary folder with bytes as standard input."""

    def run(*arguments: str | Path, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "whatwg_encoding", *arguments]
        variables = os.environ | {"PYTHONIOENCODING": "utf-8"} | environment
        return subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, env=variables, timeout=60)

    return run


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """Return a temporary folder that every user may write to. Those of pytest are closed, and TMPDIR may be, too."""
    for parent in map(Path, (tempfile.gettempdir(), "/tmp", "/var/tmp")):
        if parent.is_dir() and all(folder.stat().st_mode & stat.S_IXOTH for folder in (parent, *parent.parents)):
            with tempfile.TemporaryDirectory(dir=parent) as name:
                folder = Path(name).resolve()
                folder.chmod(0o777)
                yield folder
            return
    pytest.skip("no temporary folder is open to other users")
