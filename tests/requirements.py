"""Programs and libraries that some tests need and that not every machine has."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(reason: str, variable: str) -> NoReturn:
    """Skip the test, or fail it if the environment variable requires what is missing, as CI does."""
    if os.environ.get(variable, "") not in ("", "0"):
        pytest.fail(reason)
    pytest.skip(f"{reason} ({variable}=1 makes this a failure)")
