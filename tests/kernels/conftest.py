"""The harness of the kernel tests: compiles a C file into a library for ctypes, and makes memory with guarded edges.

The C file includes the kernels' headers and exports what the test calls; the tests know the kernels in no other way.
"""

from __future__ import annotations

import ctypes
import importlib.util
import mmap
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
KERNELS = HERE.parent.parent / "src" / "kernels"

PROT_NONE = 0


class GuardedBuffer:
    """Memory between two pages that can be neither read nor written: one byte outside it is a crash.

    ``size`` is in bytes and a multiple of the page size. ``start`` and ``end`` are addresses; data that is to be
    guarded on its far side is placed so that it ends at ``end``.
    """

    def __init__(self, least: int) -> None:
        page = mmap.PAGESIZE
        self.size = -(-max(least, 1) // page) * page
        self._memory = mmap.mmap(-1, self.size + 2 * page)
        self._view = (ctypes.c_char * (self.size + 2 * page)).from_buffer(self._memory)
        first = ctypes.addressof(self._view)
        self.start = first + page
        self.end = self.start + self.size
        self._protect = ctypes.CDLL(None, use_errno=True).mprotect
        self._protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for guard in (first, self.end):
            self._set(guard, PROT_NONE)

    def _set(self, page_address: int, protection: int) -> None:
        if self._protect(page_address, mmap.PAGESIZE, protection) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    def put(self, data: bytes, from_end: int = 0) -> int:
        """The address of ``data``, copied to where it ends ``from_end`` bytes before the guarded end."""
        address = self.end - from_end - len(data)
        if not self.start <= address <= self.end - len(data):
            raise ValueError(f"{len(data)} bytes, {from_end} before the end, do not fit a buffer of {self.size} bytes")
        ctypes.memmove(address, data, len(data))
        return address

    def get(self, address: int, length: int) -> bytes:
        """``length`` bytes of the buffer from ``address`` on."""
        if not self.start <= address <= self.end - length:
            raise ValueError(f"{length} bytes at offset {address - self.start} lie outside the {self.size} bytes")
        return ctypes.string_at(address, length)

    def close(self) -> None:
        """Returns the memory; no address of it may be used any more."""
        page = mmap.PAGESIZE
        for guard in (self.start - page, self.end):
            self._set(guard, mmap.PROT_READ | mmap.PROT_WRITE)
        del self._view
        self._memory.close()


def load_remote() -> Any:
    """The module remote.py; this folder is no package."""
    spec = importlib.util.spec_from_file_location("kernels_remote", HERE / "remote.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def host() -> Iterator[Any]:
    """The process that runs the kernels, of the command ``WE_KERNEL_HOST`` (kernel_host.c); None if it is this one."""
    if "WE_KERNEL_HOST" not in os.environ:
        yield None
        return
    host = load_remote().Host(shlex.split(os.environ["WE_KERNEL_HOST"]))
    yield host
    host.close()


@pytest.fixture(scope="session")
def compile_kernels(tmp_path_factory: pytest.TempPathFactory, host: Any) -> Callable[[str], ctypes.CDLL]:
    """A function that compiles ``tests/kernels/<name>`` with ``$CC`` (cc) and loads it; a warning is an error.

    ``WE_KERNEL_CFLAGS`` adds flags, for example a sanitizer's.
    """
    folder = tmp_path_factory.mktemp("kernels")
    loaded: dict[str, ctypes.CDLL] = {}
    position_independent = ["-fPIC"] if host is None else []  # all code for Windows is

    def compile_one(name: str) -> ctypes.CDLL:
        if name not in loaded:
            library = folder / f"{Path(name).stem}.so"
            command = [
                *shlex.split(os.environ.get("CC", "cc")),
                *("-std=c11", "-O3", "-Wall", "-Wextra", "-Werror", "-shared", *position_independent, f"-I{KERNELS}"),
                *shlex.split(os.environ.get("WE_KERNEL_CFLAGS", "")),
                *(str(HERE / name), "-o", str(library)),
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                pytest.fail(f"{shlex.join(command)}\n{done.stderr}", pytrace=False)
            loaded[name] = ctypes.CDLL(str(library)) if host is None else load_remote().Library(host, str(library))
        return loaded[name]

    return compile_one


@pytest.fixture(scope="module")
def guarded(host: Any) -> Iterator[Callable[[int], GuardedBuffer]]:
    """A function that makes a `GuardedBuffer` of at least so many bytes, closed after the module's tests."""
    buffers: list[GuardedBuffer] = []

    def make(least: int) -> GuardedBuffer:
        buffers.append(GuardedBuffer(least) if host is None else load_remote().GuardedBuffer(host, least))
        return buffers[-1]

    yield make
    for buffer in buffers:
        buffer.close()
