"""Every kernel, at every level, with a source that changes while it is read: once at a set moment, and by a thread."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import permutations, product
from typing import Any, NamedTuple

import pytest

from tests.changing_source import (
    BYTES,
    CONVERT,
    EARLY,
    TEXTS,
    UTF_16,
    UTF_32,
    ChangingSource,
    Outcome,
    code_points,
    encoded,
    has_only,
    mixtures,
    repeated,
    versions,
)
from tests.compiler import KEPT
from tests.kernels import test_byte_kernels, test_double_byte_kernels
from tests.kernels.conftest import EACH_LEVEL, HERE, LEVELS, GuardedBuffer
from tests.kernels.test_byte_kernels import SINGLE_BYTE_TABLES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the harness is POSIX's")

ALL_KINDS = ("to_ucs1", "to_ucs2", "to_ucs4", "to_utf8", "from_ucs1", "from_ucs2", "from_ucs4")
KERNELS = (
    *(f"ascii_{way}" for way in ("to_ucs1", "to_ucs2", "to_ucs4", "from_ucs2", "from_ucs4")),
    *(f"single_byte_{way}" for way in ALL_KINDS),
    *(f"double_byte_{way}" for way in ALL_KINDS[1:]),
    *(f"iso_2022_jp_{way}" for way in ALL_KINDS),
    *(f"utf_8_{way}" for way in ALL_KINDS),
    *(f"utf_16_{way}" for way in (*ALL_KINDS[:4], "join")),
)
#: The encodings of each shape, of those whose texts there are.
SHAPES = {
    "ascii": ("windows-1252",),
    "single_byte": ("windows-1252", "windows-1251", "windows-1253", "KOI8-R"),
    "double_byte": ("Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK"),
    "iso_2022_jp": ("ISO-2022-JP",),
    "utf_8": ("UTF-8",),
    "utf_16": ("UTF-16LE", "UTF-16BE"),
}


class Tables(ctypes.Structure):
    """The structure of that name in changing_source_kernels.c."""

    _fields_ = (
        *SINGLE_BYTE_TABLES, ("pairs", ctypes.c_void_p), ("reverse", ctypes.c_void_p), ("option", ctypes.c_int),
        ("state", ctypes.c_int),
    )  # fmt: skip


class Level(NamedTuple):
    """The kernels of a level: their library, and the level's number."""

    library: ctypes.CDLL
    simd: int


def emulating_avx512() -> tuple[str, ...]:
    """Return a compiler's flags, and write avx512_names.h: the functions of avx512_emulated.h are the intrinsics."""
    header = (HERE / "avx512_emulated.h").read_text()
    found = re.findall(r"^\w+\((?:emulated_)?(\w+)|emulated_(\w+)(?=[ (])", header, re.MULTILINE)
    names = {name or other for name, other in found} | {
        f"{mask}_compress_epi{bits}" for mask in ("mask", "maskz") for bits in (8, 16, 32)
    }
    intrinsics = {("_mm" if name.startswith("256_") else "_mm512_") + name: name for name in sorted(names)}
    text = "".join(f"#undef {each}\n#define {each} emulated_{name}\n" for each, name in intrinsics.items())
    folder = KEPT / sha256(text.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{os.getpid()}").write_text(text)
    (folder / f"{os.getpid()}").replace(folder / "avx512_names.h")  # at once, for other processes
    return "-DEMULATE_AVX512", "-O1", "-Wno-psabi", f"-I{folder}"


@pytest.fixture(scope="module", params=EACH_LEVEL)
def level(request: pytest.FixtureRequest, compile_kernels: Callable[..., ctypes.CDLL]) -> Level:
    """Return each level in turn; a machine with AVX2 alone computes AVX-512's intrinsics lane by lane."""
    library = compile_kernels("changing_source_kernels.c")
    simd, best = LEVELS.index(request.param), library.simd_best()
    if (simd, best) == (LEVELS.index("avx512"), LEVELS.index("avx2")):
        library = compile_kernels("changing_source_kernels.c", *emulating_avx512())
    elif simd > best:
        pytest.skip(f"this machine has no {request.param}")
    library.kernel_name.restype = ctypes.c_char_p
    library.kernel_function.restype = CONVERT
    library.kernel_capacity.restype = ctypes.c_size_t
    return Level(library, simd)


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> ChangingSource:
    return ChangingSource(tmp_path_factory.mktemp("changing"))


@pytest.fixture(scope="module")
def tables_of(guarded: Callable[[int], GuardedBuffer]) -> Callable[[str], Tables]:
    """Return a function that returns the tables of an encoding, built from the standard's indexes."""
    cache: dict[str, Tables] = {}

    def tables_of(name: str) -> Tables:
        if name not in cache:
            tables = Tables(option=name in ("Shift_JIS", "UTF-16BE"))
            if name in SHAPES["single_byte"]:
                single = test_byte_kernels.tables_of(name.lower())
                for field, _ in SINGLE_BYTE_TABLES:
                    setattr(tables, field, getattr(single, field))
            elif name in SHAPES["double_byte"] or name == "ISO-2022-JP":
                of = "EUC-JP" if name == "ISO-2022-JP" else name
                double = test_double_byte_kernels.Tables(of, guarded)
                tables.pairs, tables.reverse = double.pairs, double.reverse
            cache[name] = tables
        return cache[name]

    return tables_of


class Case(NamedTuple):
    """A pattern that becomes another one, and what a kernel may make of it: code points in a codec, or a pattern."""

    name: str
    tables: Tables
    first: bytes
    second: bytes
    allowed: frozenset[int] = frozenset()
    codec: str = ""
    pattern: re.Pattern[bytes] | None = None


Cases = Callable[[str], Iterator[Case]]


def decode_cases(name: str, tables: Tables, target: str) -> Iterator[Case]:
    codec = {"utf8": "utf-8", "ucs1": "latin-1", "ucs2": UTF_16}.get(target, UTF_32)
    handler = "gb18030" if name == "GBK" else name
    for first, second in permutations(BYTES[handler], 2):
        yield Case(name, tables, first, second, code_points(handler, first, second), codec)


def encode_cases(name: str, tables: Tables, source: str) -> Iterator[Case]:
    largest, codec = {"ucs1": (0xFF, "latin-1"), "ucs2": (0xFFFF, UTF_16)}.get(source, (0x10FFFF, UTF_32))
    texts = [text for text in TEXTS.get(name, TEXTS["windows-1252"]) if max(map(ord, text)) <= largest]
    for both in permutations(texts, 2):
        # A run that begins in the state jis0208 needs a character of it: see `check`.
        pattern = encoded(name, frozenset("".join(both) + ("\u3042" if name == "ISO-2022-JP" else "")))
        first, second = (text.encode(codec, "surrogatepass") for text in both)
        yield Case(name, tables, first, second, pattern=pattern)


def join_cases(tables: Tables) -> Iterator[Case]:
    texts = ("a", "\u65e5", "\U0001f600", "\ud83d", "\ude00")
    for first, second in permutations((text.encode(UTF_16, "surrogatepass") for text in texts), 2):
        both = (units.decode(UTF_16, "surrogatepass") for units in mixtures(first, second, 2, 2))
        yield Case("UTF-16LE", tables, first, second, frozenset(map(ord, "".join(both))), UTF_32)


@pytest.fixture(scope="module")
def cases(tables_of: Callable[[str], Tables]) -> Cases:
    """Return a function that yields the cases of a kernel."""

    def cases_of(kernel: str) -> Iterator[Case]:
        if kernel == "utf_16_join":
            yield from join_cases(tables_of("UTF-16LE"))
            return
        shape, direction, kind = kernel.rsplit("_", 2)
        for name in SHAPES[shape]:
            if direction == "to":
                yield from decode_cases(name, tables_of(name), kind)
            elif name in TEXTS:
                yield from encode_cases(name, tables_of(name), kind)

    return cases_of


def test_the_kernels_are_those_of_the_library(level: Level) -> None:
    names = [level.library.kernel_name(ctypes.c_size_t(number)) for number in range(len(KERNELS) + 1)]
    assert names == [*(kernel.encode() for kernel in KERNELS), None]


class Kernel(NamedTuple):
    """A kernel at a level, and the sizes of its units."""

    library: ctypes.CDLL
    number: ctypes.c_size_t
    simd: int
    source_unit: int
    target_unit: int

    @property
    def function(self) -> Any:
        """The function itself."""
        return self.library.kernel_function(self.number)

    def capacity(self, units: int) -> int:
        """Return the capacity that a caller offers for a source."""
        return int(self.library.kernel_capacity(self.number, ctypes.c_size_t(units)))


@pytest.fixture(params=KERNELS)
def kernel(request: pytest.FixtureRequest, level: Level) -> Kernel:
    number, library = ctypes.c_size_t(KERNELS.index(request.param)), level.library
    return Kernel(library, number, level.simd, library.source_unit(number), library.target_unit(number))


def states_of(case: Case) -> tuple[int, ...]:
    """Return the states in which a run begins: ISO-2022-JP's ASCII and jis0208."""
    return (0, 3) if case.name == "ISO-2022-JP" else (0,)


def check(case: Case, outcome: Outcome, what: object) -> None:
    """Fail if the outcome contradicts itself, or every text that the source may have been."""
    if case.pattern is not None:
        # An encoder that begins in the state jis0208 continues what this begins.
        output = (b'\x1b$B$"' if case.tables.state else b"") + outcome.output
        assert case.pattern.fullmatch(output), (what, outcome.output[:300])
    else:
        assert has_only(case.allowed, outcome.output, case.codec), (what, outcome.output[:300])


def test_a_change_at_a_set_moment(kernel: Kernel, changing: ChangingSource, cases: Cases) -> None:
    changes = 0
    for case in cases(KERNELS[kernel.number.value]):
        for early in EARLY:
            for end in (changing.page,) if early % 3 else (changing.page, 33 * kernel.source_unit):
                bytes_early = early * kernel.source_unit
                length = bytes_early + end
                texts = versions(case.first, case.second, bytes_early, length)
                for (first, second), state in product(texts, states_of(case)):
                    case.tables.state = state
                    outcome = changing.call(
                        kernel.function, ctypes.byref(case.tables), kernel.simd, first, second, bytes_early,
                        source_unit=kernel.source_unit, target_unit=kernel.target_unit,
                        capacity=kernel.capacity(length // kernel.source_unit),
                    )  # fmt: skip
                    check(case, outcome, (case, first == repeated(case.first, length), early, end))
                    changes += outcome.changed
    assert changes > 100


def test_another_thread_writes(kernel: Kernel, changing: ChangingSource, cases: Cases) -> None:
    units = 1000
    for case in cases(KERNELS[kernel.number.value]):
        length = units * kernel.source_unit
        changing.start(repeated(case.first, length), repeated(case.second, length), kernel.source_unit)
        try:
            end = time.monotonic() + 0.001
            while time.monotonic() < end:
                for state in states_of(case):
                    case.tables.state = state
                    outcome = changing.call_meanwhile(
                        kernel.function, ctypes.byref(case.tables), kernel.simd, units=units,
                        target_unit=kernel.target_unit, capacity=kernel.capacity(units),
                    )  # fmt: skip
                    check(case, outcome, case)
        finally:
            changing.stop()
