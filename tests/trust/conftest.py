"""Fixtures shared by these tests, which collect garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def only_their_own_garbage() -> Iterator[None]:
    """Exclude existing objects from collections, which otherwise take seconds each under sanitizers."""
    gc.freeze()
    yield
    gc.unfreeze()
