"""The compiled package has vector kernels wherever the machine has vector instructions."""

from __future__ import annotations

import platform
import sys

import pytest

import whatwg_encoding as we

#: Names, by operating system, of the architectures that have vector kernels.
VECTORS = {"x86_64": "sse2", "amd64": "sse2", "aarch64": "neon", "arm64": "neon"}


@pytest.mark.skipif(sys.maxsize < 2**32, reason="32-bit builds have only the scalar kernels")
@pytest.mark.skipif(platform.machine().lower() not in VECTORS, reason="this architecture has only the scalar kernels")
def test_the_kernels_were_compiled_with_vector_instructions() -> None:
    """MSVC compiles the kernels as plain C; a Windows release requires clang-cl (build/extensions.py)."""
    assert VECTORS[platform.machine().lower()] in we.cpu_features()["available"]
