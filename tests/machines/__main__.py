"""``python -m tests.machines [PYTEST ARGUMENTS]``: the core of the conformance suite."""

from __future__ import annotations

import sys

import pytest

from tests.machines.core import CORE

if __name__ == "__main__":
    options = ["-q", "-rfE", "--all", "-p", "no:cacheprovider"]
    sys.exit(pytest.main([*options, *CORE, *sys.argv[1:]]))
