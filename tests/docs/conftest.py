"""The built documentation, and Chromium, which displays it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import browser
from tests.programs import ROOT

__all__ = ["browser"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the documentation. `python -m docs` fails on a warning or a broken link."""
    folder = tmp_path_factory.mktemp("documentation") / "docs"
    nowhere = "http://127.0.0.1:9"
    environment = {**os.environ, "HTTP_PROXY": nowhere, "HTTPS_PROXY": nowhere, "ALL_PROXY": nowhere}
    command = [sys.executable, "-m", "docs", "--output", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return folder
