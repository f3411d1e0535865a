"""Fixtures of the explorer's tests: the page, its scripts in Node, and Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.explorer import page
from tests.browser import browser
from tests.requirements import missing

__all__ = ["browser"]

HERE = Path(__file__).resolve().parent
REQUIRED = "WHATWG_ENCODING_REQUIRE_EXPLORER"


class Node:
    """A process that answers requests with the scripts of the page."""

    def __init__(self, path: Path) -> None:
        command = ["node", str(HERE / "answers.mjs"), str(path)]
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, text=True, encoding="utf-8")

    def ask(self, **request: object) -> Any:
        """Return the answer to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert not isinstance(answer, dict) or "error" not in answer, answer["error"]
        return answer

    def run(self, body: str) -> Any:
        """Return what statements of JavaScript return; they have ``page, engine, machine, indexes, data``."""
        return self.ask(run=body)

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="session")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page."""
    if absent := page.missing():
        missing(f"the explorer needs {' and '.join(absent)}", REQUIRED)
    return page.write(tmp_path_factory.mktemp("explorer"))


@pytest.fixture(scope="module")
def node(explorer: Path) -> Iterator[Node]:
    """Yield the page's scripts in Node."""
    if shutil.which("node") is None:
        missing("the scripts of the explorer need node", REQUIRED)
    opened = Node(explorer)
    yield opened
    opened.close()
