"""The test run itself, by pytest, pytest-xdist and tests/conftest.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("xdist")
CONFTEST = Path(__file__).parents[1] / "conftest.py"


def run(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *options]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )


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
    done = run(tmp_path, "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")
    assert done.returncode == 1
    assert "crashed while running 'test_crash.py::test_n[3]'" in done.stdout


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(tmp_path: Path) -> None:
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_it.py").write_text("""
import threading, urllib.request
from http.server import HTTPServer, SimpleHTTPRequestHandler

def test_it():
    with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for host in ("127.0.0.1", "localhost"):
            assert b"test_it.py" in urllib.request.urlopen(f"http://{host}:{server.server_port}/").read()
        server.shutdown()
""")
    nobody = "http://127.0.0.1:9"
    done = run(tmp_path, http_proxy=nobody, HTTP_PROXY=nobody, no_proxy="", NO_PROXY="")
    assert done.returncode == 0, done.stdout
