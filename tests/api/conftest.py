"""Fixtures of the tests that use codecs by name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import whatwg_encoding as we


@pytest.fixture(scope="module")
def registered() -> Iterator[None]:
    """Register the codecs web-<label> for the tests of a module."""
    we.register_codecs()
    yield
    we.unregister_codecs()
