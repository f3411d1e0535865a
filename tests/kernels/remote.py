"""Run kernels in another process, as a stand-in for `ctypes.CDLL`: a Windows library under Wine.

Operations of the tests are forwarded to kernel_host.c: guarded memory, and calls whose arguments are integers, bytes,
arrays, and structures of addresses and integers. The tests are the same as for a native library.
"""

from __future__ import annotations

import ctypes
import itertools
import struct
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import Any

PAGE = 4096


class Host:
    """The other process and its memory."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.RLock()
        self._scratch = self.allocate(1 << 20)
        self._structures: dict[int, tuple[ctypes.Structure, int]] = {}

    def send(self, command: str, *parts: int | bytes) -> None:
        """Write a command. Each integer is sent as 64 bits."""
        assert self._process.stdin is not None
        encoded = (part if isinstance(part, bytes) else struct.pack("<Q", part & 0xFFFFFFFFFFFFFFFF) for part in parts)
        self._process.stdin.write(command.encode() + b"".join(encoded))

    def receive(self, length: int) -> bytes:
        """Read that many bytes of the replies. Raise OSError if the process has ended, for example after a crash."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.flush()
        reply = self._process.stdout.read(length)
        if len(reply) != length:
            raise OSError(f"the process that runs the kernels has ended with status {self._process.wait()}")
        return reply

    def number(self, command: str, *parts: int | bytes) -> int:
        """Read the reply of a command, which is a number."""
        with self._lock:
            self.send(command, *parts)
            return int.from_bytes(self.receive(8), "little")

    def allocate(self, size: int) -> int:
        """Allocate ``size`` bytes, a multiple of the page size, between guarded pages, and return their address."""
        address = self.number("A", size)
        if address == 0:
            raise MemoryError(f"{size} bytes in the other process")
        return address

    def read(self, address: int, length: int) -> bytes:
        with self._lock:
            self.send("R", address, length)
            return self.receive(length)

    def write(self, address: int, data: bytes) -> None:
        with self._lock:
            self.send("W", address, len(data), data)

    def text(self, address: int) -> bytes:
        with self._lock:
            return self.receive(self.number("S", address))

    def place(self, structure: ctypes.Structure) -> int:
        """Copy a structure and return its address. The arrays that it points to are found among its attributes."""
        if id(structure) in self._structures:
            return self._structures[id(structure)][1]
        held = (value if isinstance(value, tuple) else (value,) for value in vars(structure).values())
        arrays = {ctypes.addressof(array): array for array in itertools.chain(*held) if isinstance(array, ctypes.Array)}
        copy = type(structure).from_buffer_copy(structure)
        for name, *_ in structure._fields_:
            array = arrays.get(getattr(structure, name) or 0)
            if array is not None:
                address = self.allocate(-(-ctypes.sizeof(array) // PAGE) * PAGE)
                self.write(address, bytes(array))
                setattr(copy, name, address)
        address = self.allocate(PAGE)
        self.write(address, bytes(copy))
        self._structures[id(structure)] = structure, address  # kept alive, so that no other structure gets the same id
        return address

    def call(self, function: int, arguments: Sequence[Any]) -> int:
        """Return the 64-bit result of a function. Arrays are copied in both directions."""
        with self._lock:
            at = self._scratch
            numbers, arrays = [], []
            for argument in arguments:
                if isinstance(argument, ctypes.Structure):
                    numbers.append(self.place(argument))
                elif isinstance(argument, (bytes, ctypes.Array)):
                    self.write(at, bytes(argument) + b"\0")
                    numbers.append(at)
                    if isinstance(argument, ctypes.Array):
                        arrays.append((argument, at))
                    at += -(-(len(bytes(argument)) + 1) // 64) * 64
                else:
                    value = argument.value if isinstance(argument, ctypes._SimpleCData) else argument
                    numbers.append(int(value or 0))
            if at > self._scratch + (1 << 20):
                raise MemoryError("the arguments of a call take more than 1 MiB")
            result = self.number("C", function, len(numbers), *numbers)
            for array, address in arrays:
                ctypes.memmove(array, self.read(address, ctypes.sizeof(array)), ctypes.sizeof(array))
            return result

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Function:
    """A function of a `Library`. ``restype`` supports integers and strings; ``argtypes`` is ignored."""

    def __init__(self, host: Host, address: int) -> None:
        self._host, self._address = host, address
        self.restype: Any = ctypes.c_int
        self.argtypes: Sequence[Any] = ()

    def __call__(self, *arguments: Any) -> Any:
        result = self._host.call(self._address, arguments)
        if self.restype is None:
            return None
        if self.restype is ctypes.c_char_p:
            return self._host.text(result) if result else None
        return self.restype(result).value


class Library:
    """A library in the other process; its functions are attributes, as with `ctypes.CDLL`."""

    def __init__(self, host: Host, path: str) -> None:
        if not host.number("L", len(path.encode()), path.encode()):
            raise OSError(f"{path} cannot be loaded")
        self._host, self._path = host, path

    def __getattr__(self, name: str) -> Function:
        self._host.number("L", len(self._path.encode()), self._path.encode())
        address = self._host.number("F", len(name), name.encode())
        if address == 0:
            raise AttributeError(name)
        function = Function(self._host, address)
        setattr(self, name, function)
        return function


class GuardedMemory:
    """Memory between two inaccessible pages, in this process or another one. ``start`` and ``end`` are addresses."""

    start: int
    end: int

    def __init__(self, write: Callable[[int, bytes], object], read: Callable[[int, int], bytes]) -> None:
        self._write, self._read = write, read

    def put(self, data: bytes, from_end: int = 0) -> int:
        """Copy ``data`` so that it ends ``from_end`` bytes before the guarded end, and return its address."""
        address = self.end - from_end - len(data)
        if not self.start <= address <= self.end - len(data):
            raise ValueError(f"{len(data)} bytes, {from_end} before the end, do not fit {self.end - self.start} bytes")
        self._write(address, data)
        return address

    def get(self, address: int, length: int) -> bytes:
        """Return ``length`` bytes of the buffer, starting at ``address``."""
        if not self.start <= address <= self.end - length:
            raise ValueError(f"{length} bytes at offset {address - self.start} lie outside the buffer")
        return self._read(address, length)


class GuardedBuffer(GuardedMemory):
    """The `GuardedBuffer` of conftest.py, in the other process."""

    def __init__(self, host: Host, least: int) -> None:
        super().__init__(host.write, host.read)
        size = -(-max(least, 1) // PAGE) * PAGE
        self.start = host.allocate(size)
        self.end = self.start + size
        self._host = host

    def close(self) -> None:
        self._host.send("D", self.start)
