"""The kernels for two-byte characters and ISO-2022-JP, at every supported instruction set, against models.

The models are in double_byte_kernels.c and read plain arrays. Arrays and the tables for the kernels are built here from
data/indexes.json and the standard's formulas for pointers, so that no generated file is involved.
"""

from __future__ import annotations

import ctypes
import functools
import json
import random
import struct
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.kernels.conftest import GuardedBuffer

Guarded = Callable[[int], GuardedBuffer]

INDEXES = json.loads((Path(__file__).resolve().parent.parent.parent / "data" / "indexes.json").read_text("utf-8"))
UCS1, UCS2, UCS4, UTF8 = range(4)
KIND_NAMES = ("ucs1", "ucs2", "ucs4", "utf8")
DECODE, ENCODE, ISO_2022_JP_DECODE, ISO_2022_JP_ENCODE = range(4)
ASCII, ROMAN, KATAKANA, JIS0208 = range(4)
LONGEST = 300
ENCODINGS = ("Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GBK")
#: The same, where a table's content does not matter: but for Shift_JIS, with its katakana, all are one kernel.
KERNELS = [pytest.param(name, marks=[pytest.mark.repeated] * (name not in ("Shift_JIS", "GBK"))) for name in ENCODINGS]


#: Encoding → index, its pointers for each leading byte, and the first byte of trailing ones, before and after a gap.
FORMULAS = {
    "Shift_JIS": ("jis0208", 188, 0x40, 0x41),  # https://encoding.spec.whatwg.org/#shift_jis-decoder
    "EUC-JP": ("jis0208", 94, 0xA1, 0xA1),  # https://encoding.spec.whatwg.org/#euc-jp-decoder
    "EUC-KR": ("euc-kr", 190, 0x41, 0x41),  # https://encoding.spec.whatwg.org/#euc-kr-decoder
    "Big5": ("big5", 157, 0x40, 0x62),  # https://encoding.spec.whatwg.org/#big5-decoder
    "GBK": ("gb18030", 190, 0x40, 0x41),  # https://encoding.spec.whatwg.org/#gb18030-decoder
}


def pairs_of(name: str) -> Iterator[tuple[int, int, int]]:
    """Return both bytes and the code point of every pair, by the decoders' formulas; EUC-JP without jis0212."""
    index, width, before, after = FORMULAS[name]
    code_points = INDEXES[index][: 94 * 94] if name == "EUC-JP" else INDEXES[index]
    if name == "Shift_JIS":
        code_points = code_points[:8836] + list(range(0xE000, 0xE000 + 10716 - 8836)) + code_points[10716:]
    for pointer, code_point in enumerate(code_points):
        leading, trailing = divmod(pointer, width)
        first = 0xC1 if name == "Shift_JIS" and leading >= 0x1F else 0xA1 if name == "EUC-JP" else 0x81
        yield leading + first, trailing + (before if trailing < 0x3F else after), code_point
    if name == "EUC-JP":
        yield from ((0x8E, byte, 0xFF61 - 0xA1 + byte) for byte in range(0xA1, 0xE0))


class Tables(ctypes.Structure):
    """One encoding for the kernels and, in another form, for the models. Which duplicate is encoded does not matter."""

    _fields_ = (
        ("pairs", ctypes.c_void_p), ("reverse", ctypes.c_void_p), ("code_point_for", ctypes.c_void_p),
        ("bytes_for", ctypes.c_void_p), ("katakana", ctypes.c_int),
    )  # fmt: skip

    def __init__(self, name: str, guarded: Guarded) -> None:
        code_point_for = [-1] * 0x10000
        bytes_for = [*range(0x80)] + [-1] * 0xFF80
        if name == "Shift_JIS":
            # https://encoding.spec.whatwg.org/#shift_jis-encoder
            bytes_for[0x80], bytes_for[0xA5], bytes_for[0x203E] = 0x80, 0x5C, 0x7E
            bytes_for[0xFF61:0xFFA0] = range(0xA1, 0xE0)
        elif name == "EUC-JP":
            # https://encoding.spec.whatwg.org/#euc-jp-encoder
            bytes_for[0xA5], bytes_for[0x203E] = 0x5C, 0x7E
        elif name == "GBK":
            # https://encoding.spec.whatwg.org/#gb18030-encoder
            bytes_for[0x20AC] = 0x80
        for leading, trailing, code_point in pairs_of(name):
            if code_point is not None and code_point < 0x10000:
                code_point_for[leading << 8 | trailing] = code_point
                if bytes_for[code_point] == -1:
                    bytes_for[code_point] = leading << 8 | trailing
        pairs = [max(code_point, 0) for code_point in code_point_for[0x8000:]]
        reverse = [0 if b < 0 else b if b < 0x100 else b >> 8 | (b & 0xFF) << 8 for b in bytes_for]
        self.mapped = [code_point for code_point, value in enumerate(bytes_for) if value > 0xFF]
        self.unmapped = [code_point for code_point, value in enumerate(bytes_for) if value < 0]
        self.pairs_mapped = [pair for pair, code_point in enumerate(code_point_for) if code_point >= 0]
        self._models = tuple((ctypes.c_int32 * 0x10000)(*each) for each in (code_point_for, bytes_for))
        # An access with an out-of-range key reaches guarded memory.
        kernels = (
            guarded(0x10000).put(struct.pack("=32768H", *pairs)),
            guarded(0x20000).put(struct.pack("=65536H", *reverse)),
        )
        super().__init__(*kernels, *(ctypes.addressof(array) for array in self._models), name == "Shift_JIS")


class Kernels(NamedTuple):
    """The kernels at one level, the tables of an encoding, and the ends of guarded buffers for source and target."""

    library: ctypes.CDLL
    level: int
    tables_of: Callable[[str], Tables]
    ends: tuple[int, int]

    def run(self, sweep: str, operation: int, kind: int, tables: Tables, text: bytes, length: int, *more: int) -> None:
        """Compare a kernel with its model; ``sweep`` says on which variations of the text."""
        arguments = (operation, kind, self.level, tables, text, length, *more, *self.ends)
        wrong = getattr(self.library, sweep)(*arguments)
        assert wrong is None, (more, wrong)


@pytest.fixture(scope="module")
def library(compile_kernels: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    library = compile_kernels("double_byte_kernels.c")
    place, size, unit, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_int
    first = [number, number, number, ctypes.POINTER(Tables), ctypes.c_char_p, size]
    prototypes = {
        "sweep_places": [*first, size, size, number, number, place, place],
        "sweep_pairs": [*first, unit, unit, size, number, place, place],
        "sweep_code_points": [*first, unit, unit, size, number, place, place],
    }
    for name, arguments in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = ctypes.c_char_p, arguments
    return library


@pytest.fixture(scope="module")
def tables_of(guarded: Guarded) -> Callable[[str], Tables]:
    """Return a function that builds the tables of an encoding and caches them."""
    return functools.cache(lambda name: Tables(name, guarded))


@pytest.fixture(scope="module")
def kernels(library: ctypes.CDLL, simd: int, tables_of: Callable[[str], Tables], guarded: Guarded) -> Kernels:
    return Kernels(library, simd, tables_of, (guarded(1 << 16).end, guarded(1 << 18).end))


def units(values: list[int], kind: int) -> bytes:
    return b"".join(value.to_bytes(1 << kind, "little") for value in values)


def byte_texts(tables: Tables, length: int) -> Iterator[bytes]:
    """Return mixtures of ASCII, pairs and single katakana, intact and with other bytes inserted at several rates."""
    choose = random.Random(length)

    def pairs(count: int) -> bytes:
        return b"".join(choose.choice(tables.pairs_mapped).to_bytes(2, "big") for _ in range(count))

    def ascii_bytes(count: int) -> bytes:
        return bytes(choose.randrange(0x80) for _ in range(count))

    def mixture(most_pairs: int, most_ascii: int) -> bytearray:
        text = bytearray()
        while len(text) < length:
            text += pairs(choose.randint(0, most_pairs))
            text += ascii_bytes(choose.randint(0, most_ascii))
            if tables.katakana and choose.random() < 0.3:
                text += bytes(choose.randrange(0xA1, 0xE0) for _ in range(choose.randint(1, 9)))
        return text[:length]

    for most_pairs, most_ascii in ((5, 1), (40, 3), (3, 60), (200, 0), (0, 200), (6, 6)):
        yield bytes(mixture(most_pairs, most_ascii))
    for rate in (7, 50, 200):
        text = mixture(12, 4)
        for at in range(length):
            if choose.randrange(rate) == 0:
                text[at] = choose.choice((0x80, 0xFF, 0xA0, 0x20, choose.randrange(0x100)))
        yield bytes(text)
    if tables.katakana:
        yield bytes(choose.randrange(0xA1, 0xE0) for _ in range(length))


def code_point_texts(tables: Tables, kind: int, length: int) -> Iterator[bytes]:
    """Return mixtures of ASCII and mapped code points, intact and with others inserted at several rates."""
    top = (0xFF, 0xFFFF, 0x10FFFF)[kind]
    choose = random.Random(kind * 1000 + length)
    mapped = [code_point for code_point in tables.mapped if code_point <= top] or [0x41]
    others = [code_point for code_point in tables.unmapped if code_point <= top]
    others += [c for c in (0, 0xA5, 0x203E, 0x20AC, 0xFF71, 0x10000, 0x1F600, 0x20021, top) if c <= top]
    mixtures = ((5, 1, 0), (40, 3, 0), (3, 60, 0), (200, 0, 0), (0, 200, 0), (12, 4, 7), (12, 4, 90))
    for most_mapped, most_ascii, rate in mixtures:
        text: list[int] = []
        while len(text) < length:
            text += [choose.choice(mapped) for _ in range(choose.randint(0, most_mapped))]
            text += [choose.randrange(0x80) for _ in range(choose.randint(0, most_ascii))]
        for at in range(length):
            if rate and choose.randrange(rate) == 0:
                text[at] = choose.choice(others)
        yield units(text[:length], kind)


to_each_kind = pytest.mark.parametrize("kind", [UCS2, UCS4, UTF8], ids=KIND_NAMES.__getitem__)


@to_each_kind
@pytest.mark.parametrize("name", KERNELS)
def test_decode_every_length_at_every_place(kernels: Kernels, name: str, kind: int) -> None:
    """Lengths 0..300, ending 0 to 16 bytes before guarded memory, with a target that ends at guarded memory."""
    tables = kernels.tables_of(name)
    for text in byte_texts(tables, 500):
        kernels.run("sweep_places", DECODE, kind, tables, text, len(text), LONGEST, 17, 0, 0)


@to_each_kind
@pytest.mark.parametrize("name", ENCODINGS)
def test_decode_long_texts(kernels: Kernels, name: str, kind: int) -> None:
    """Runs of more consecutive blocks than any variant reads ahead."""
    tables = kernels.tables_of(name)
    for text in byte_texts(tables, 12000):
        for start in range(0, 4000, 401):
            part = text[start:]
            kernels.run("sweep_pairs", DECODE, kind, tables, part, len(part), 0x4141, 0x4141, 0, 0)


@to_each_kind
@pytest.mark.parametrize("name", ENCODINGS)
def test_decode_stops_at_every_place(kernels: Kernels, name: str, kind: int) -> None:
    """Invalid pairs at any position: in dense text, in text that is mostly ASCII, and between the two."""
    tables = kernels.tables_of(name)
    dense = b"".join(pair.to_bytes(2, "big") for pair in tables.pairs_mapped[100:1500])[:1200]
    sparse = (b"markup and " * 4 + dense[:12]) * 22
    for text in (dense * 2, b"a" + dense * 2, sparse * 2, dense + sparse, sparse[:1201] + dense):
        for at in range(0, len(text) - 2, 3):
            kernels.run("sweep_pairs", DECODE, kind, tables, text, len(text), 0xFFFF, 0xFFFF, at, 0)


@to_each_kind
@pytest.mark.parametrize("name", ENCODINGS)
def test_decode_every_pair_of_bytes(kernels: Kernels, name: str, kind: int) -> None:
    """Every combination of two bytes: among ASCII, among pairs, across block boundaries, and at the end."""
    tables = kernels.tables_of(name)
    dense = b"".join(pair.to_bytes(2, "big") for pair in tables.pairs_mapped[100:5000:70])
    for text, at in ((b"a" * 140, 63), (dense[:140], 62), (b"a" + dense[:150], 64), (b"ab", 0), (dense[:20], 18)):
        kernels.run("sweep_pairs", DECODE, kind, tables, text, len(text), 0, 0xFFFF, at, 0)


#: Encoder, tables, the states in which a run may begin.
ENCODERS = [*((ENCODE, name, (0,)) for name in ENCODINGS), (ISO_2022_JP_ENCODE, "EUC-JP", (ASCII, ROMAN, JIS0208))]
each_encoder = pytest.mark.parametrize(("encoder", "name", "states"), ENCODERS, ids=[*ENCODINGS, "ISO-2022-JP"])


@pytest.mark.parametrize("kind", [UCS1, UCS2, UCS4], ids=KIND_NAMES.__getitem__)
@each_encoder
def test_encode_every_length_at_every_place(
    kernels: Kernels, encoder: int, name: str, states: tuple[int, ...], kind: int
) -> None:
    tables = kernels.tables_of(name)
    for text in code_point_texts(tables, kind, 500):
        for state in states:
            places = 17 if encoder == ENCODE else 9
            kernels.run("sweep_places", encoder, kind, tables, text, 500, LONGEST, places, state, 0)


@pytest.mark.parametrize("kind", [UCS1, UCS2, UCS4], ids=KIND_NAMES.__getitem__)
@each_encoder
def test_encode_every_code_point(kernels: Kernels, encoder: int, name: str, states: tuple[int, ...], kind: int) -> None:
    """Every unit of the BMP among ASCII and among mapped code points; the first and last of the other planes."""
    tables = kernels.tables_of(name)
    top = (0xFF, 0xFFFF, 0xFFFF)[kind]
    dense = [code_point for code_point in tables.mapped[40:4000:60] if code_point <= top] or [0x42]
    ranges = [(0, top)] + ([(p, p + 0x40) for p in range(0x10000, 0x110000, 0x8000)] if kind == UCS4 else [])
    for filler, length, at in (([0x61], 70, 33), (dense, 80, 31), (dense, 7, 3 if encoder == ENCODE else 0)):
        text = units([filler[i % len(filler)] for i in range(length)], kind)
        for state, (first, last) in product(states, ranges):
            kernels.run("sweep_code_points", encoder, kind, tables, text, length, first, last, at, state)


def iso_2022_jp_texts(tables: Tables, length: int) -> Iterator[bytes]:
    """Return segments of all states between escape sequences, intact and with errors."""
    choose = random.Random(length)
    digits = [pair & 0x7F7F for pair in tables.pairs_mapped if pair >> 8 != 0x8E]
    escapes = (b"\x1b(B", b"\x1b$B", b"\x1b(J", b"\x1b$@", b"\x1b(I")

    def segment(escape: bytes, most: int) -> bytes:
        count = choose.randint(1, most)
        if escape[1:2] == b"$":
            return escape + b"".join(choose.choice(digits).to_bytes(2, "big") for _ in range(count))
        if escape == b"\x1b(I":
            return escape + bytes(choose.randrange(0x21, 0x60) for _ in range(count))
        specials = (0x0E, 0x0F, 0x1B, 0x5C, 0x7E) if escape == b"\x1b(J" else (0x0E, 0x0F, 0x1B)
        return escape + bytes(choose.choice([b for b in range(0x80) if b not in specials]) for _ in range(count))

    for most in (4, 30, 150):
        for kinds, rate in ((escapes[:2], 0), (escapes[:4], 0), (escapes, 0), (escapes[:4], 40), (escapes, 150)):
            text = bytearray(b"abc" * choose.randrange(3))
            while len(text) < length:
                text += segment(choose.choice(kinds), most)
            for at in range(length):
                if rate and choose.randrange(rate) == 0:
                    text[at] = choose.choice((0x0E, 0x1B, 0x20, 0x7F, 0x80, 0xA4, choose.randrange(0x100)))
            yield bytes(text[:length])


@pytest.mark.parametrize("kind", range(4), ids=KIND_NAMES)
def test_iso_2022_jp_decode_every_length_at_every_place(kernels: Kernels, kind: int) -> None:
    tables = kernels.tables_of("EUC-JP")
    for text in iso_2022_jp_texts(tables, 500):
        for state, output in ((ASCII, 0), (ASCII, 1), (ROMAN, 0), (KATAKANA, 0), (JIS0208, 0), (JIS0208, 1)):
            kernels.run("sweep_places", ISO_2022_JP_DECODE, kind, tables, text, 500, LONGEST, 5, state, output)


@pytest.mark.parametrize("kind", range(4), ids=KIND_NAMES)
def test_iso_2022_jp_decode_every_pair_of_bytes(kernels: Kernels, kind: int) -> None:
    """Every combination of two bytes in each state: among its items, next to escape sequences, and at the end."""
    tables = kernels.tables_of("EUC-JP")
    dense = b"".join((pair & 0x7F7F).to_bytes(2, "big") for pair in tables.pairs_mapped[100:5000:70])
    for state, text in ((ASCII, b"a" * 140), (ROMAN, b"a" * 140), (JIS0208, dense[:140])):
        for length, at in ((140, 62), (140, 63), (70, 0), (2, 0), (20, 18)):
            kernels.run("sweep_pairs", ISO_2022_JP_DECODE, kind, tables, text[:length], length, 0, 0xFFFF, at, state)
