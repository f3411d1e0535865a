"""What these tests share: they collect garbage, and that of their own."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def only_their_own_garbage() -> Iterator[None]:
    """Collections pass over what was there before: among thousands of tests each took seconds, under sanitizers."""
    gc.freeze()
    yield
    gc.unfreeze()
