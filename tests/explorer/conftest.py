"""Fixtures of the explorer's tests: the page, its scripts in Node, and Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.explorer import page
from tests.browser import browser
from tests.node import Node, running
from tests.requirements import missing

__all__ = ["browser"]

HERE = Path(__file__).resolve().parent
REQUIRED = "WHATWG_ENCODING_REQUIRE_EXPLORER"


@pytest.fixture(scope="session")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if absent := page.missing():
        missing(f"the explorer needs {' and '.join(absent)}", REQUIRED)
    return page.write(tmp_path_factory.mktemp("explorer"))


@pytest.fixture(scope="module")
def node(explorer: Path) -> Iterator[Node]:
    """Yield the page's scripts in Node; ``run`` has ``page, engine, machine, indexes, data``."""
    if shutil.which("node") is None:
        missing("the scripts of the explorer need node", REQUIRED)
    with running(HERE / "answers.mjs", explorer) as node:
        yield node
