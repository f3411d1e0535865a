"""Memory between inaccessible pages."""

from __future__ import annotations

import ctypes
import mmap
import os


class GuardedBuffer:
    """Memory of whole pages between two without read or write permission: an access one byte outside it crashes.

    ``start`` and ``end`` are addresses. Data is placed so that it ends at ``end`` to guard against reads beyond it.
    """

    def __init__(self, least: int) -> None:
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
            self._set(guard, 0)

    def _set(self, page_address: int, protection: int) -> None:
        if self._protect(page_address, mmap.PAGESIZE, protection) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    def put(self, data: bytes, from_end: int = 0) -> int:
        """Copy ``data`` so that it ends ``from_end`` bytes before the guarded end, and return its address."""
        address = self.end - from_end - len(data)
        assert self.start <= address <= self.end - len(data)
        ctypes.memmove(address, data, len(data))
        return address

    def get(self, address: int, length: int) -> bytes:
        """Return ``length`` bytes of the buffer, starting at ``address``."""
        assert self.start <= address <= self.end - length
        return ctypes.string_at(address, length)

    def close(self) -> None:
        for guard in (self.start - mmap.PAGESIZE, self.end):
            self._set(guard, mmap.PROT_READ | mmap.PROT_WRITE)
        del self._view
        self._memory.close()
