"""The kernels for ASCII and the single-byte encodings, at every supported instruction set, against one-line models.

The models are in byte_kernels.c and read plain arrays derived from data/indexes.json. The tables for the kernels are
built here, by the same few lines for every encoding, so that no generated file is involved.
"""

from __future__ import annotations

import ctypes
import functools
import json
import operator
import platform
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from generator.tables import single_byte_vectors
from tests.kernels.conftest import LEVELS, GuardedBuffer

Guarded = Callable[[int], GuardedBuffer]

INDEXES = Path(__file__).resolve().parent.parent.parent / "data" / "indexes.json"
KERNELS = (
    "ascii_length", "ascii_run_to_ucs1", "ascii_run_to_ucs2", "ascii_run_to_ucs4", "ascii_run_from_ucs2",
    "ascii_run_from_ucs4", "widen_ucs1_to_ucs2", "widen_ucs1_to_ucs4", "widen_ucs2_to_ucs4", "narrow_ucs2_to_ucs1",
    "narrow_ucs4_to_ucs2", "narrow_ucs4_to_ucs1", "single_byte_run_to_ucs1", "single_byte_run_to_ucs2",
    "single_byte_run_to_ucs4", "single_byte_run_to_utf8", "single_byte_run_from_ucs1", "single_byte_run_from_ucs2",
    "single_byte_run_from_ucs4",
)  # fmt: skip
LONGEST = 300
LONGEST_TEXT = 20_000


def single_byte_indexes() -> dict[str, list[int | None]]:
    indexes: dict[str, list[int | None]] = json.loads(INDEXES.read_text(encoding="ascii"))
    return {name: index for name, index in indexes.items() if len(index) == 128}


SINGLE_BYTE = single_byte_indexes()
# Cases that no present index has: all unmapped, all Latin-1, and plain Latin-1 with one unmapped entry.
MADE_UP: dict[str, list[int | None]] = {
    "nothing": [None] * 128,
    "isomorphic": list(range(0x80, 0x100)),
    "isomorphic but 0xE4": [None if byte == 0xE4 else byte for byte in range(0x80, 0x100)],
    "at the end of the plane": list(range(0xFF00, 0xFF80)),
}
INDEXES_AND_MORE = SINGLE_BYTE | MADE_UP


#: The fields of we_single_byte_tables.
SINGLE_BYTE_TABLES = (
    ("index", ctypes.c_void_p), ("replaced", ctypes.c_void_p), ("latin1", ctypes.c_void_p), ("rows", ctypes.c_void_p),
    ("tables", ctypes.c_size_t), ("stage1", ctypes.c_void_p), ("stage2", ctypes.c_void_p),
)  # fmt: skip


class Tables(ctypes.Structure):
    """One encoding's tables for the kernels, and the plain arrays for the models."""

    _fields_ = (
        *SINGLE_BYTE_TABLES,
        ("byte_for", ctypes.c_void_p),
        ("code_point_for", ctypes.c_void_p),
        ("max_code_point", ctypes.c_uint32),
    )

    def __init__(self, index: Sequence[int | None], max_code_point: int = 0xFF) -> None:
        stage1 = [0] * 512
        stage2 = bytearray(128)
        byte_for = list(range(0x80)) + [-1] * 0xFF80
        for byte, code_point in enumerate(index, 0x80):
            if code_point is None:
                continue
            byte_for[code_point] = byte
            if stage1[code_point >> 7] == 0:
                stage1[code_point >> 7] = len(stage2) // 128
                stage2 += bytes(128)
            stage2[stage1[code_point >> 7] * 128 + (code_point & 0x7F)] = byte
        table = single_byte_vectors.build("made", "made", index)
        rows = bytes(table.lookup(number) for number in range(table.length))
        self._arrays = (
            (ctypes.c_uint16 * 128)(*(code_point or 0 for code_point in index)),
            (ctypes.c_uint16 * 128)(*(code_point or 0xFFFD for code_point in index)),
            (ctypes.c_uint8 * 128)(*(code_point if code_point and code_point <= 0xFF else 0 for code_point in index)),
            (ctypes.c_uint8 * len(rows))(*rows),
            (ctypes.c_uint8 * 512)(*stage1),
            (ctypes.c_uint8 * len(stage2))(*stage2),
            (ctypes.c_int32 * 0x10000)(*byte_for),
            (ctypes.c_int32 * 256)(*range(0x80), *(-1 if c is None else c for c in index)),
        )
        addresses = [ctypes.addressof(array) for array in self._arrays]
        tables = (len(rows) // 16 - single_byte_vectors.HEADER_ROWS) // 2
        super().__init__(*addresses[:4], tables, *addresses[4:], max_code_point)


@functools.cache
def tables_of(name: str, max_code_point: int = 0xFF) -> Tables:
    return Tables(INDEXES_AND_MORE[name], max_code_point)


@pytest.fixture(scope="module")
def library(compile_kernels: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    library = compile_kernels("byte_kernels.c")
    place, size, unit, number, text = (
        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_int, ctypes.c_char_p,
    )  # fmt: skip
    where = [place, place, ctypes.POINTER(Tables)]
    prototypes: dict[str, tuple[Any, list[Any]]] = {
        "simd_name": (text, [number]), "simd_from_name": (number, [text, number]), "kernel_name": (text, [size]),
        "source_unit": (size, [size]), "sweep_places": (text, [size, number, text, size, *where]),
        "sweep_values": (text, [size, number, unit, unit, size, size, unit, *where]),
        "check_text": (text, [size, number, text, size, *where]), "or_of": (unit, [number, size, text, size]),
        "count_of": (size, [number, size, number, text, size]),
    }  # fmt: skip
    for name, (result, arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Kernels(NamedTuple):
    """The kernels at one level, and the ends of guarded buffers for source and target."""

    library: ctypes.CDLL
    level: int
    ends: tuple[int, int]

    def run(self, sweep: str, kernel: int, tables: Tables, *arguments: object) -> None:
        """Compare a kernel with its model; ``sweep`` says on which variations."""
        wrong = getattr(self.library, sweep)(kernel, self.level, *arguments, *self.ends, tables)
        assert wrong is None, wrong


@pytest.fixture(scope="module")
def kernels(library: ctypes.CDLL, simd: int, guarded: Guarded) -> Kernels:
    return Kernels(library, simd, (guarded(LONGEST_TEXT).end, guarded(4 * LONGEST_TEXT + 64).end))


def kernel_units(library: ctypes.CDLL, kernel: int, values: Sequence[int]) -> bytes:
    size = library.source_unit(kernel)
    return b"".join(value.to_bytes(size, "little") for value in values)


def test_the_kernels_are_those_of_the_library(library: ctypes.CDLL) -> None:
    assert tuple(library.kernel_name(number).decode() for number in range(len(KERNELS))) == KERNELS
    assert library.kernel_name(len(KERNELS)) is None


def test_level_names(library: ctypes.CDLL) -> None:
    best = library.simd_best()
    names = [name for level in range(8) if (name := library.simd_name(level)) is not None]
    assert names in ([level.encode() for level in LEVELS], [b"scalar", b"neon"])
    top = len(names) - 1
    assert library.simd_name(len(names)) is None
    assert library.simd_name(-1) is None
    for level, name in enumerate(names):
        assert library.simd_from_name(name, best) == (level if level <= best else -2)
        assert library.simd_from_name(name, top) == level
        assert library.simd_from_name(name, 0) == (0 if level == 0 else -2)
    for elsewhere in (b"neon",) if len(names) > 2 else (b"sse2", b"x86-64-v2", b"avx2", b"avx512"):
        assert library.simd_from_name(elsewhere, top) == -2
    for unknown in (b"", b"AVX2", b"avx", b"avx5120", b"sse", b"x86-64", b"native"):
        assert library.simd_from_name(unknown, top) == -1


def test_the_best_level_is_what_the_system_reports(library: ctypes.CDLL) -> None:
    cpuinfo = Path("/proc/cpuinfo")
    if platform.machine() not in ("x86_64", "i686"):
        pytest.skip("another architecture has one level, or an emulator that shows the flags of its host")
    if not cpuinfo.exists():
        pytest.skip("no /proc/cpuinfo to compare with")
    flags = set(next((line for line in cpuinfo.read_text().splitlines() if line.startswith("flags")), "").split())
    if not flags:
        pytest.skip("/proc/cpuinfo has no flags on this architecture")
    if ctypes.sizeof(ctypes.c_void_p) == 4:
        flags = set()  # 32-bit x86 has only the scalar code, whatever the processor supports
    best = LEVELS.index("sse2") if flags else 0
    if {"pni", "ssse3", "sse4_1", "sse4_2", "popcnt"} <= flags:
        best = LEVELS.index("x86-64-v2")
        if {"avx2", "bmi1", "bmi2", "abm"} <= flags:
            best = LEVELS.index("avx2")
            if {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vbmi", "avx512_vbmi2"} <= flags:
                best = LEVELS.index("avx512")
    assert library.simd_best() == best


def mixtures(size: int, mapped: Sequence[int], unmapped: Sequence[int]) -> list[list[int]]:
    """Return texts of 400 units: ASCII, mapped, alternating runs of both, and some with units that end the run."""
    choose = random.Random(size)
    ascii_units = range(0x80)
    texts = [
        [choose.choice(ascii_units) for _ in range(400)],
        [choose.choice(mapped) for _ in range(400)],
        [choose.choice(mapped if position // 23 % 2 else ascii_units) for position in range(400)],
    ]
    for rate in (3, 20, 100):
        stops = [*unmapped] if unmapped else [*mapped]
        others = (*mapped, *ascii_units)
        texts.append([choose.choice(others if choose.randrange(rate) else stops) for _ in range(400)])
    return texts


@pytest.mark.parametrize("kernel", range(len(KERNELS)), ids=KERNELS)
def test_every_length_at_every_place(kernels: Kernels, kernel: int) -> None:
    """Lengths 0..300, ending 0..64 units before guarded memory, for six mixtures of ASCII, mapped and unmapped."""
    size = kernels.library.source_unit(kernel)
    for name in ("windows-1251", "windows-1252", "windows-874", "isomorphic but 0xE4"):
        index = INDEXES_AND_MORE[name]
        code_points = [code_point for code_point in index if code_point is not None]
        if KERNELS[kernel].startswith("single_byte_run_from"):
            top = {1: 0xFF, 2: 0xFFFF, 4: 0x10FFFF}[size]
            mapped = [code_point for code_point in code_points if code_point <= top] or [0x41]
            unmapped = [c for c in (0x80, 0xFF, 0x100, 0x3FF, 0x20AB, 0xD800, 0xFFFF, 0x1F600, top) if c <= top]
            unmapped = [c for c in unmapped if c not in code_points]
        elif KERNELS[kernel].startswith("single_byte"):
            mapped = [byte for byte, code_point in enumerate(index, 0x80) if code_point is not None]
            unmapped = [byte for byte, code_point in enumerate(index, 0x80) if code_point is None]
        else:
            # ASCII and conversions have no tables: one round is enough.
            if name != "windows-1251":
                continue
            edges = (0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x10FFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
            mapped = unmapped = [edge for edge in edges if edge < 256**size]
        tables = tables_of(name)
        for text in mixtures(size, mapped, unmapped):
            kernels.run("sweep_places", kernel, tables, kernel_units(kernels.library, kernel, text), LONGEST)


@pytest.mark.parametrize("kernel", [k for k, name in enumerate(KERNELS) if "single_byte_run_to" in name])
@pytest.mark.parametrize("name", INDEXES_AND_MORE)
def test_every_byte_at_every_place_of_a_vector(kernels: Kernels, kernel: int, name: str) -> None:
    tables = tables_of(name)
    fillers = ((66, 0x61, range(66)), (150, 0xE0, (0, 1, *range(64, 150, 7))), (21, 0x20, range(21)))
    for length, filler, places in fillers:
        for at in places:
            kernels.run("sweep_values", kernel, tables, 0, 0xFF, at, length, filler)


@pytest.mark.parametrize("kernel", [k for k, name in enumerate(KERNELS) if "single_byte_run_to" in name])
@pytest.mark.parametrize("name", INDEXES_AND_MORE)
def test_texts_of_some_rows(kernels: Kernels, kernel: int, name: str) -> None:
    """Some kernels look up the rows of sixteen bytes, or the bytes, that a text uses: here each part uses others."""
    tables, choose = tables_of(name), random.Random(name)
    unmapped = [byte for byte, code_point in enumerate(INDEXES_AND_MORE[name], 0x80) if code_point is None]
    for ascii_share, parts, length in (
        (0.3, 2, 4000), (0.3, 3, 4000), (0.9, 2, 4000), (0.9, 3, 4000), (0.0, 1, 4000), (0.0, 4, 4000),
        (0.5, 5, LONGEST_TEXT), (0.95, 3, LONGEST_TEXT), (0.0, 2, LONGEST_TEXT),
    ):  # fmt: skip
        text = bytearray()
        for part in range(parts):
            rows = choose.sample(range(8), choose.randint(1, 7))
            letters = [byte for row in rows for byte in range(0x80 + row * 16, 0x90 + row * 16) if byte not in unmapped]
            if part % 2:
                letters = choose.sample(letters, min(len(letters), choose.randint(1, 30)))
            rare = [byte for byte in range(0x80, 0x100) if byte not in unmapped] or [0x41]
            for _ in range(length // parts - part):
                kind = choose.random()
                common = choose.choice(letters) if letters and kind >= ascii_share else choose.randrange(0x80)
                text.append(choose.choice(rare) if kind > 0.998 else common)
        kernels.run("check_text", kernel, tables, bytes(text), len(text))
        for byte in unmapped[:1] + unmapped[-1:]:
            broken = bytearray(text)
            broken[choose.randrange(len(text))] = byte
            kernels.run("check_text", kernel, tables, bytes(broken), len(text))


@pytest.mark.parametrize("kernel", [k for k, name in enumerate(KERNELS) if name.startswith("single_byte")])
def test_across_the_pieces_of_a_long_run(kernels: Kernels, kernel: int) -> None:
    """Some kernels use a buffer of 128 or 1024 units: every value occurs at the edges of such a piece."""
    tables = tables_of("windows-1253")
    top = {1: 0xFF, 2: 0x3FF, 4: 0x3FF}[kernels.library.source_unit(kernel)]
    edges = (128, 256, 384, 896, 1024, 1100)
    for at in sorted({edge + by for edge in edges for by in range(-4, 3)} & set(range(1100))):
        kernels.run("sweep_values", kernel, tables, 0, top, at, 1100, 0xB5)


@pytest.mark.parametrize("kernel", [k for k, name in enumerate(KERNELS) if "single_byte_run_to" in name])
def test_lengths_about_a_piece(kernels: Kernels, kernel: int) -> None:
    """Some kernels take pieces of 512 bytes: of a source that ends about there, nothing behind it is read."""
    tables, choose = tables_of("windows-1250"), random.Random(kernel)
    letters = [byte for byte, code_point in enumerate(SINGLE_BYTE["windows-1250"], 0x80) if code_point is not None]
    for length in range(504, 560):
        kernels.run("check_text", kernel, tables, bytes(choose.choices(letters, k=length)), length)


def test_decoding_to_ascii_stops_at_the_first_byte_that_is_not(kernels: Kernels) -> None:
    kernel = KERNELS.index("single_byte_run_to_ucs1")
    for name in SINGLE_BYTE:
        tables = tables_of(name, max_code_point=0x7F)
        for at in (0, 1, 15, 16, 63, 64, 70):
            kernels.run("sweep_values", kernel, tables, 0, 0xFF, at, 100, 0x61)


@pytest.mark.parametrize("name", INDEXES_AND_MORE)
def test_every_code_point_through_every_index(kernels: Kernels, name: str) -> None:
    """Each code point of the plane among ASCII and among letters; the first and last of the other planes."""
    index = INDEXES_AND_MORE[name]
    tables = tables_of(name)
    letter = index[0x65] or 0x41
    for kind, top in (("ucs1", 0xFF), ("ucs2", 0xFFFF), ("ucs4", 0xFFFF)):
        kernel = KERNELS.index(f"single_byte_run_from_{kind}")
        for at, length, filler in ((5, 66, 0x61), (40, 70, letter), (2, 7, 0x61)):
            if filler <= top:
                kernels.run("sweep_values", kernel, tables, 0, top, at, length, filler)
    kernel = KERNELS.index("single_byte_run_from_ucs4")
    for plane in range(0x10000, 0x110000, 0x10000):
        for at in (0, 5, 63, 64, 127, 128, 199):
            for first in (plane, plane + 0xFF80):
                kernels.run("sweep_values", kernel, tables, first, first + 0x7F, at, 200, 0x61)


@pytest.mark.parametrize(
    "kernel", [k for k, name in enumerate(KERNELS) if name.startswith(("ascii", "narrow", "widen"))]
)
def test_every_unit_through_the_ascii_and_width_kernels(kernels: Kernels, kernel: int) -> None:
    tables = tables_of("nothing")
    top = {1: 0xFF, 2: 0xFFFF, 4: 0x1FFFF}[kernels.library.source_unit(kernel)]
    places = range(150) if top == 0xFF else (0, 17, 40, 77)
    for at in places:
        kernels.run("sweep_values", kernel, tables, 0, top, at, 150, 0x61)
    if top > 0xFFFF:
        for first in (0x7FFFFF00, 0xFFFFFE00):
            kernels.run("sweep_values", kernel, tables, first, first + 0x1FF - 1, 33, 100, 0x61)


@pytest.mark.parametrize("unit", [1, 2, 4])
def test_the_or_of_all_units(library: ctypes.CDLL, simd: int, unit: int) -> None:
    for length in range(LONGEST + 1):
        assert library.or_of(simd, unit, bytes(length * unit), length) == 0
        for at in {0, 1, length // 3, length // 2, length - 2, length - 1} & set(range(length)):
            for bit in range(unit * 8):
                units = bytearray(length * unit)
                units[at * unit : (at + 1) * unit] = (1 << bit).to_bytes(unit, "little")
                assert library.or_of(simd, unit, bytes(units), length) == 1 << bit
    choose = random.Random(unit)
    for _ in range(200):
        values = [1 << choose.randrange(unit * 8) for _ in range(choose.randrange(400))]
        units_of_values = b"".join(value.to_bytes(unit, "little") for value in values)
        assert library.or_of(simd, unit, units_of_values, len(values)) == functools.reduce(operator.or_, values, 0)


@pytest.mark.parametrize(("unit", "replacement"), [(1, False), (2, False), (4, False), (2, True)])
def test_counts(library: ctypes.CDLL, simd: int, unit: int, replacement: bool) -> None:
    """Each value of interest alone and among others; lengths on both sides of the 255 iterations of a byte counter."""
    edges = (0, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF)
    values = [edge for edge in edges if edge < 256**unit]
    choose = random.Random(unit)

    def check(text: list[int]) -> None:
        expected = sum(value == 0xFFFD if replacement else value >= 0x80 for value in text)
        units_of_text = b"".join(value.to_bytes(unit, "little") for value in text)
        assert library.count_of(simd, unit, replacement, units_of_text, len(text)) == expected

    for value in values:
        for length in (*range(140), 4031, 4032, 4033, 16384):
            check([value] * length)
    for _ in range(200):
        check(choose.choices(values, k=choose.randrange(9000)))
