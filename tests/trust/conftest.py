"""Fixtures shared by these tests, which collect garbage."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def only_their_own_garbage() -> None:
    """Exclude existing objects from collections, which otherwise take seconds each under sanitizers."""
    gc.freeze()
