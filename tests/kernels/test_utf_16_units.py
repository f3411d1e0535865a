"""Conversions between UCS4 and UTF-16 units at every instruction set, against Python's UTF-16 and UTF-32 codecs.

Sources start and targets end at an inaccessible page, so that an access one unit outside crashes.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable
from random import Random

import pytest

from tests.kernels.conftest import GuardedBuffer

ORDER = "le" if sys.byteorder == "little" else "be"
UTF_16, UTF_32 = f"utf-16-{ORDER}", f"utf-32-{ORDER}"
# A lone surrogate, at which joining stops.
LONE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


@pytest.fixture(scope="module")
def library(compile_kernels: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    loaded = compile_kernels("unicode_kernels.c")
    size = ctypes.c_size_t
    loaded.put.restype = loaded.join.restype = size
    loaded.put.argtypes = (ctypes.c_int, ctypes.c_void_p, size, ctypes.c_void_p, size)
    loaded.join.argtypes = (*loaded.put.argtypes, ctypes.POINTER(size))
    return loaded


def texts() -> list[str]:
    """Return texts with every mixture of code points below and above U+FFFF, and each length up to several blocks."""
    random, wide, narrow = Random("units"), "\U00010000\U0001f4a9\U0010ffff", "\0A\ud7ff\ue000\uffff"
    found = [("a\U0001f4a9" * 40)[:length] for length in range(70)]
    found += ["あ" * length + "\U0010ffff" for length in range(40)]
    for share in (0.02, 0.3, 0.5, 0.9, 1.0):
        for length in (15, 16, 17, 33, 64, 200):
            found.append("".join(random.choice(wide if random.random() < share else narrow) for _ in range(length)))
    return found


def test_put(library: ctypes.CDLL, guarded: Callable[[int], GuardedBuffer]) -> None:
    source, target = guarded(8192), guarded(8192)
    for simd in range(library.simd_best() + 1):
        for text in texts():
            expected = text.encode(UTF_16)
            for spare in (0, 1, 64):
                address = target.end - len(expected) - 2 * spare
                units = library.put(
                    simd, source.put(text.encode(UTF_32)), len(text), address, len(expected) // 2 + spare
                )
                assert target.get(address, 2 * units) == expected, (simd, text, spare)


def test_join(library: ctypes.CDLL, guarded: Callable[[int], GuardedBuffer]) -> None:
    """Whole text, and text with a lone surrogate at any position, before which reading stops."""
    source, target = guarded(8192), guarded(8192)
    random = Random("lone")
    samples = texts()
    for text in texts():
        for lone in ("\ud83d", "\udca9", "\udca9\ud83d"):
            place = random.randrange(len(text) + 1)
            samples.append(text[:place] + lone + text[place:])
    written = (ctypes.c_size_t * 1)()
    for simd in range(library.simd_best() + 1):
        for text in samples:
            data = text.encode(UTF_16, "surrogatepass")
            units = data.decode(UTF_16, "surrogatepass")
            stop = LONE.search("".join(chr(unit) for unit in memoryview(data).cast("H")))
            readable = stop.start() if stop else len(data) // 2
            expected = data[: 2 * readable].decode(UTF_16)
            address = target.end - 4 * (len(data) // 2)
            read = library.join(simd, source.put(data), len(data) // 2, address, len(data) // 2, written)
            assert (read, written[0]) == (readable, len(expected)), (simd, units)
            assert target.get(address, 4 * written[0]) == expected.encode(UTF_32), (simd, units)


def test_join_within_a_capacity(library: ctypes.CDLL, guarded: Callable[[int], GuardedBuffer]) -> None:
    """Reading never exceeds the target's capacity, and never splits a pair."""
    source, target = guarded(8192), guarded(8192)
    data = ("\U0001f4a9a" * 30).encode(UTF_16)
    written = (ctypes.c_size_t * 1)()
    for simd in range(library.simd_best() + 1):
        for capacity in range(91):
            address = target.end - 4 * capacity
            read = library.join(simd, source.put(data), len(data) // 2, address, capacity, written)
            assert read in (capacity, capacity - 1)
            expected = data[: 2 * read].decode(UTF_16)  # strict: fails unless all pairs are complete
            assert target.get(address, 4 * written[0]) == expected.encode(UTF_32), (simd, capacity)
