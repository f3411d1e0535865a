"""``python -m tests.machines [PYTEST ARGUMENTS]``: the kernel tests and the core of the conformance suite."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from tests.machines.core import CORE

#: This file's tests import NumPy, which some machines lack.
NEEDS_NUMPY = "tests/standard/test_04_buffers.py"

if __name__ == "__main__":
    tests = [test for test in CORE if find_spec("numpy") or not test.startswith(NEEDS_NUMPY)]
    options = ["-q", "-rfE", "--all", "-p", "no:cacheprovider", "-p", "tests.machines.plugin"]
    sys.exit(pytest.main([*options, "tests/kernels", *tests, *sys.argv[1:]]))
