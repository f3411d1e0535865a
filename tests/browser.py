"""Headless Chromium for tests of web pages. A conftest.py that imports the fixture has it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from tests.requirements import missing

REQUIRED = "WHATWG_ENCODING_REQUIRE_CHROMIUM"
"""In the environment: a missing browser fails the tests instead of skipping them."""

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--window-size=1400,1000",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Yield headless Chromium, controlled through chromedriver."""
    with started() as running:
        yield running


@contextlib.contextmanager
def started() -> Iterator[Any]:
    """Yield headless Chromium, which quits at the end."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        binary = None
    if not binary or not driver:
        missing("Chromium, chromedriver and selenium are needed: apt-get install chromium chromium-driver", REQUIRED)
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        running = webdriver.Chrome(options=options, service=Service(driver))
        running.set_script_timeout(20)
        yield running
        running.quit()
