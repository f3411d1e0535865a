"""The npm package for tests: built by `make npm`'s program."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.node import OPT_OUT
from tests.programs import ROOT, run

PACKAGE = ROOT / "build" / "_out" / "npm"
_MISSING = [name for name in ("node", os.environ.get("CLANG", "clang"), os.environ.get("WASM_LD", "wasm-ld"))
            if shutil.which(name) is None]  # fmt: skip

NEEDS = [
    pytest.mark.repeated,
    pytest.mark.skipif(bool(os.environ.get(OPT_OUT)), reason=f"{OPT_OUT} is set"),
    pytest.mark.skipif(bool(_MISSING), reason=f"the npm package needs {', '.join(_MISSING)}"),
]


@cache
def built() -> Path:
    """Return the folder of the package, which is built where anything of it changed."""
    run(sys.executable, ROOT / "build" / "npm.py")
    return PACKAGE
