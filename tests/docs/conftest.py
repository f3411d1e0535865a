"""Chromium, which displays the built documentation."""

from tests.browser import browser

__all__ = ["browser"]
