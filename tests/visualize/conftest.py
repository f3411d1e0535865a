"""Fixtures of the visualization tests: the pages, the raw indexes, and Chromium."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator import snapshot
from generator.model import INDEXES
from generator.reports import visualize
from tests.browser import browser
from tests.pinned import PINNED

__all__ = ["browser"]


@pytest.fixture(scope="session")
def indexes() -> dict[str, Any]:
    """Return the raw indexes.json."""
    value: dict[str, Any] = json.loads((snapshot.DATA / INDEXES).read_text(encoding="utf-8"))
    return value


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with every page."""
    folder = tmp_path_factory.mktemp("visualizations")
    visualize.write(PINNED, folder)
    return folder
