"""The package as it was compiled has vector kernels wherever this machine has vectors: plain C is no release."""

from __future__ import annotations

import platform
import sys

import pytest

import whatwg_encoding as we

#: What the operating systems call the architectures whose kernels are compiled with vector instructions.
VECTORS = {"x86_64": "sse2", "amd64": "sse2", "aarch64": "neon", "arm64": "neon"}


@pytest.mark.skipif(sys.maxsize < 2**32, reason="an interpreter with 32 bits has the scalar kernels alone")
@pytest.mark.skipif(platform.machine().lower() not in VECTORS, reason="this architecture has the scalar kernels alone")
def test_the_kernels_were_compiled_with_vector_instructions() -> None:
    """Microsoft's compiler makes plain C of them: a build for Windows takes clang-cl (build/extensions.py)."""
    assert VECTORS[platform.machine().lower()] in we.cpu_features()["available"]
