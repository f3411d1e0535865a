"""The harness of the kernel tests: compile a C file into a library for ctypes, and allocate guarded memory.

The C file includes the kernels' headers and exports the functions that a test calls; the tests have no other access to
the kernels.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from tests.compiler import compile_library
from tests.kernels import remote

HERE = Path(__file__).resolve().parent
INCLUDE = [f"-I{HERE.parent.parent / folder}" for folder in ("src/native/kernels", "generated")]

PROT_NONE = 0

#: The levels of cpu.h on x86-64, in its order; level 1 is NEON on AArch64.
LEVELS = ("scalar", "sse2", "x86-64-v2", "avx2", "avx512")
BEST = len(we.cpu_features()["available"]) - 1
#: Each level as a parameter of a fixture: all but the best one of this machine repeat its tests.
EACH_LEVEL = [pytest.param(level, marks=[pytest.mark.repeated] * (LEVELS.index(level) != BEST)) for level in LEVELS]


class GuardedBuffer(remote.GuardedMemory):
    """Memory of whole pages between two without read or write permission: an access one byte outside it crashes.

    Data is placed so that it ends at ``end`` to guard against reads beyond it.
    """

    def __init__(self, least: int) -> None:
        super().__init__(lambda address, data: ctypes.memmove(address, data, len(data)), ctypes.string_at)
        page = mmap.PAGESIZE
        size = -(-max(least, 1) // page) * page
        self._memory = mmap.mmap(-1, size + 2 * page)
        self._view = (ctypes.c_char * (size + 2 * page)).from_buffer(self._memory)
        first = ctypes.addressof(self._view)
        self.start = first + page
        self.end = self.start + size
        self._protect = ctypes.CDLL(None, use_errno=True).mprotect
        self._protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for guard in (first, self.end):
            self._set(guard, PROT_NONE)

    def _set(self, page_address: int, protection: int) -> None:
        if self._protect(page_address, mmap.PAGESIZE, protection) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    def close(self) -> None:
        page = mmap.PAGESIZE
        for guard in (self.start - page, self.end):
            self._set(guard, mmap.PROT_READ | mmap.PROT_WRITE)
        del self._view
        self._memory.close()


@pytest.fixture(scope="session")
def host() -> Iterator[Any]:
    """Yield the process that runs the kernels, started by ``WE_KERNEL_HOST`` (kernel_host.c); None for this process."""
    if "WE_KERNEL_HOST" not in os.environ:
        yield None
        return
    host = remote.Host(shlex.split(os.environ["WE_KERNEL_HOST"]))
    yield host
    host.close()


@pytest.fixture(scope="session")
def compile_kernels(host: Any) -> Callable[..., ctypes.CDLL]:
    """Return a function that compiles ``tests/kernels/<name>`` with more flags and loads it; warnings are errors."""
    loaded: dict[tuple[str, ...], ctypes.CDLL] = {}
    position_independent = ["-fPIC"] if host is None else []  # code for Windows is always position-independent

    def compile_one(name: str, *more: str) -> ctypes.CDLL:
        if (name, *more) not in loaded:
            flags = ("-std=c11", "-O3", "-Wall", "-Wextra", "-Werror", *position_independent, *INCLUDE)
            library = compile_library(HERE / name, *flags, *more)
            loaded[name, *more] = ctypes.CDLL(str(library)) if host is None else remote.Library(host, str(library))
        return loaded[name, *more]

    return compile_one


@pytest.fixture(scope="module")
def guarded(host: Any) -> Iterator[Callable[[int], GuardedBuffer]]:
    """Return a function that creates a `GuardedBuffer` of at least a given size, closed after the module's tests."""
    buffers: list[GuardedBuffer] = []

    def make(least: int) -> GuardedBuffer:
        buffers.append(GuardedBuffer(least) if host is None else remote.GuardedBuffer(host, least))
        return buffers[-1]

    yield make
    for buffer in buffers:
        buffer.close()


@pytest.fixture(scope="module", params=EACH_LEVEL)
def simd(request: pytest.FixtureRequest, library: ctypes.CDLL) -> int:
    """Return each level in turn; a level that this machine does not support is skipped."""
    level = LEVELS.index(request.param)
    if level > library.simd_best():
        pytest.skip(f"this machine has no {request.param}")
    return level
