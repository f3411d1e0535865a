"""The operations of vectors.h and compress.h against models that compute one lane at a time."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import pytest

from tests.kernels.conftest import HERE

KERNELS = HERE.parent.parent / "src/native/kernels"


@pytest.fixture(scope="module")
def library(compile_kernels: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    """Return the compiled vector_16_kernels.c, if this machine supports the operations."""
    library = compile_kernels("vector_16_kernels.c")
    library.check_operations.restype = ctypes.c_char_p
    if not library.has_operations():
        pytest.skip("this machine has neither NEON nor x86-64-v2")
    return library


def test_every_mask_of_eight(library: ctypes.CDLL) -> None:
    for mask in range(256):
        other = bytes((mask, 255 - mask)) + bytes(0x80 if mask >> n & 1 else 0x7F for n in range(8)) + bytes(range(6))
        assert library.check_operations(bytes(range(0xF8, 0x100)) + bytes(range(8)), other) is None, mask


def test_edges_of_each_lane(library: ctypes.CDLL) -> None:
    edges = (0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x81, 0xD7, 0xD8, 0xF7, 0xF8, 0xFE, 0xFF)
    for one in edges:
        for other in edges:
            for lane in range(16):
                vector = bytes(lane) + bytes((one,)) + bytes(15 - lane)
                assert library.check_operations(vector, bytes((other,)) * 16) is None, (one, other, lane)
                assert library.check_operations(bytes((other,)) * 16, vector) is None, (one, other, lane)


def test_random_vectors(library: ctypes.CDLL) -> None:
    chance = random.Random(16)
    for _ in range(20_000):
        one = chance.randbytes(16)
        # Equal lanes are forced in one of two inputs, since independent random lanes are hardly ever equal.
        other = bytes(byte if chance.random() < 0.5 else chance.randrange(256) for byte in one)
        assert library.check_operations(one, other) is None, (one.hex(), other.hex())
