"""Inputs for the corner cases of each decoder and encoder, shared by tests/standard, tests/streaming and tests/peers.

They are the same on every run: random choices are seeded with the encoding's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from .encodings import encodings, single_byte_names

MULTI_BYTE_NAMES = (
    "UTF-8", "GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS", "EUC-KR", "UTF-16BE", "UTF-16LE",
)  # fmt: skip
ONE_BYTE_NAMES = (*single_byte_names(), "x-user-defined")
ALL_NAMES = tuple(encodings())
TEXT_NAMES = tuple(name for name in ALL_NAMES if name != "replacement")
ENCODER_NAMES = tuple(name for name, encoding in encodings().items() if encoding.encoder is not None)

# For each decoder the bytes at which a range of one of its steps begins or ends, their neighbours, and leading and
# trailing bytes within a range whose index entry is present, missing, duplicated or stands for two code points.
_GB18030 = bytes.fromhex("00 0A 2F 30 31 39 3A 3F 40 41 7E 7F 80 81 82 84 8F 90 95 A0 A1 A3 A6 D9 E3 E5 FD FE FF")
_UTF_16 = bytes.fromhex("00 0A 41 D7 D8 DB DC DF E0 FD FE FF")
BOUNDARY_BYTES = {
    "UTF-8": bytes.fromhex("00 0A 41 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FF"),
    "GBK": _GB18030,
    "gb18030": _GB18030,
    "Big5": bytes.fromhex("00 0A 3F 40 41 62 64 7E 7F 80 81 87 88 A0 A1 A3 A5 A7 C6 C8 F9 FD FE FF"),
    "EUC-JP": bytes.fromhex("00 0A 41 5C 7E 7F 80 8D 8E 8F 90 A0 A1 A2 A3 A9 AD B0 DF E0 F4 F5 FD FE FF"),
    "ISO-2022-JP": bytes.fromhex("00 0A 0E 0F 1B 20 21 22 24 28 29 2D 40 41 42 49 4A 5C 5F 60 7E 7F 80 A1 FF"),
    "Shift_JIS": bytes.fromhex("00 0A 3F 40 41 5C 7E 7F 80 81 84 85 87 9F A0 A1 DF E0 EB ED EF F0 F9 FA FC FD FF"),
    "EUC-KR": bytes.fromhex("00 0A 40 41 5A 5B 60 61 7A 7B 7F 80 81 A0 A1 AD B0 C6 C7 C8 C9 FD FE FF"),
    "UTF-16BE": _UTF_16,
    "UTF-16LE": _UTF_16,
}

# Sequences with context on both sides that reveals whether they consumed too much or too little: whole characters,
# every kind of error, bytes that are restored, and sequences that only end-of-queue completes.
_GB18030_VECTORS = (
    "8140 A1A1",  # two bytes
    "A2E3 80",  # U+20AC twice
    "A6D9 FE59",  # GB18030-2022
    "81308130 8431A439",  # four bytes, and the last below the gap in the ranges
    "90308130 E3329A35",  # the first and the last beyond the Basic Multilingual Plane
    "8431A530 E3329A36 41",  # null: one error of four bytes
    "8130 817F",  # the third byte becomes a leading byte
    "813041",  # the second is restored
    "81308141",  # second and third are restored, and the third takes the fourth
    "8130813A",
    "8130818130 8130",  # restored bytes start another four-byte sequence
    "81 8130 813081",
    "817F 81FF 81 0A",  # no pointer: an ASCII byte is restored, another is not
    "FFFE FF",
    "A3A0",  # U+3000 for compatibility
    "FE39FE39 41",  # the largest valid pointer
)
_UTF_16_VECTORS_BE = (
    "0041 3042 FFFD",
    "D83DDCA9 0041",  # a pair
    "D83D 0041",  # a lone leading surrogate: the unit after it is restored
    "DCA9 0041",  # a lone trailing surrogate
    "D83DD83D DCA9",  # a leading surrogate, a pair
    "DCA9D83D",  # wrong order, ended by end-of-queue
    "D83D DC",  # one error for a leading surrogate and half a unit
    "D83D 00",
    "00",
    "D8",
    "FEFF FFFE",  # the decoder does not handle BOMs
    "DBFFDFFF D7FF E000",
)


# Characters up to U+00FF, up to U+FFFF and beyond, as far as a decoder has them; text that contains one is a str of
# that kind. Each string leaves the decoder in its initial state, so that it can be repeated.
WIDE_CHARACTERS: dict[str, tuple[bytes, ...]] = {
    "UTF-8": (b"\xc3\xa9", b"\xe3\x81\x82", b"\xf0\x9f\x92\xa9"),
    "GBK": (b"\xa8\xa6", b"\xa4\xa2", b"\x94\x39\xda\x33"),
    "gb18030": (b"\xa8\xa6", b"\xa4\xa2", b"\x94\x39\xda\x33"),
    "Big5": (b"\x88\x6d", b"\xa4\xa4", b"\x8b\xc3"),
    "EUC-JP": (b"\x8f\xab\xb1", b"\xa4\xa2"),
    "ISO-2022-JP": (b"\x1b(J\\\x1b(Ba", b'\x1b$B$"\x1b(Ba'),
    "Shift_JIS": (b"\x80", b"\x82\xa0"),
    "EUC-KR": (b"\xa2\xa5", b"\xb0\xa1"),
    "UTF-16BE": (b"\x00\xe9", b"\x30\x42", b"\xd8\x3d\xdc\xa9"),
    "UTF-16LE": (b"\xe9\x00", b"\x42\x30", b"\x3d\xd8\xa9\xdc"),
}


def _swap(vector: str) -> str:
    data = bytes.fromhex(vector)
    return b"".join(data[i : i + 2][::-1] for i in range(0, len(data), 2)).hex()


_VECTORS: dict[str, Sequence[str]] = {
    "UTF-8": (
        "41 C3A9 E38182 F09F92A9",
        "80 BF 41",
        "C080 C1BF",  # two errors each: not a valid leading byte
        "E08080 41",
        "E0A080 E09FBF",
        "EDA080 ED9FBF",  # a surrogate
        "F0908080 F08FBFBF",
        "F48FBFBF F4908080",
        "F5808080 FF",
        "C3 41 E381 41",  # truncated, then ASCII
        "F09F92 41 F09F 41",
        "F09F92 C3A9",  # truncated, then a leading byte
        "E381 F09F92A9",
        "C3",
        "E381",
        "F09F92",
        "EFBBBF 41",  # the decoder does not handle BOMs
        "EFBFBD",
    ),
    "GBK": _GB18030_VECTORS,
    "gb18030": _GB18030_VECTORS,
    "Big5": (
        "A440 A4A1 41",
        "8862 8864 88A3 88A5",  # two code points each
        "8862 88A3 41",
        "8740 FEFE",
        "8145 C87E",
        "A4 41",
        "A40A 41",  # null: an ASCII byte is restored
        "A480 A4A0 A4FF",  # no pointer, and no ASCII byte
        "81 81 81",
        "80 FF 41",
        "8BC3",  # beyond the Basic Multilingual Plane
        "F9FE A4",
    ),
    "EUC-JP": (
        "A4A2 B0A1 41",
        "8EB1 8EDF",  # half-width katakana
        "8FB0A1 8FEDE3",  # jis0212
        "8EE0 8EA0 8E41",
        "8FA1A1 8FA141",  # null in jis0212
        "8FA1 A4A2",  # jis0212 takes what looks like a leading byte
        "8F41 8F8F 8F8E",
        "8F8FA1A1",
        "8EB1 8F B0",
        "A9A1 A441 A4FF",
        "80 A0 FF 41",
        "A4",
        "8F",
        "8FB0",
        "8E",
    ),
    "ISO-2022-JP": (
        "41 1B2442 2422 1B2842 42",
        "1B284A 5C7E41 1B2842 5C7E",  # Roman
        "1B2849 21315F 60 1B2842",  # katakana
        "1B2440 3021 1B2842",
        "1B2842 1B2842 41",  # two escape sequences in a row are an error
        "1B2442 1B284A 1B2849 41",
        "1B2442 24 1B2842 41",  # a leading byte and then an escape sequence
        "1B2442 24 1B 41",
        "1B2442 2422 1B 2422",  # not an escape sequence
        "1B2442 247F 2422",
        "1B2442 7E7E 2D21 0A",
        "1B 41 1B24 41 1B28 41",
        "1B1B 1B281B 2842",
        "0E0F 80FF 41",
        "1B",
        "1B24",
        "1B28",
        "1B2442 24",
        "1B2442 24 1B",
        "1B2442 24 1B28",
        "1B2844 1B2444 1B2442",
    ),
    "Shift_JIS": (
        "82A0 88EA 41",
        "B1 DF 80",  # half-width katakana, U+0080
        "F040 F9FC",  # EUDC
        "8740 ED40 FA40",  # duplicates
        "EF40 FCFC",
        "8222",  # U+FFFD U+0022: an ASCII byte is not masked
        "82 0A 81 7F",
        "82FD 82FF",
        "A0 FD FE FF",
        "815C 817E 8180",
        "82",
        "82A0 82",
    ),
    "EUC-KR": (
        "B0A1 C7A2 41",
        "8141 8161 8181",  # Unified Hangul Code
        "C8FE FDFE",
        "81 40 81 5B 817B",
        "C65B C6A1",
        "C9A1 FEFE",  # null
        "80 FF 41",
        "B0FF B07F",
        "B0",
        "B0A1 B0 0A",
    ),
    "UTF-16BE": _UTF_16_VECTORS_BE,
    "UTF-16LE": tuple(map(_swap, _UTF_16_VECTORS_BE)),
    "replacement": ("41", "FF41", "1B2442"),
}


def vectors(name: str) -> list[bytes]:
    """Return sequences of at most 12 bytes each that distinguish a correct decoder of the encoding `name`."""
    if name in _VECTORS:
        return [bytes.fromhex(vector) for vector in _VECTORS[name]]
    return [bytes.fromhex(vector) for vector in ("41 80 FF", "A0 DB E0 D2 0A", "81 FC CA 7F")]


def pool(name: str) -> bytes:
    """Return the vectors of the encoding `name` one after another, or all bytes."""
    return b"".join(vectors(name)) if name in MULTI_BYTE_NAMES else bytes(range(256))


def one_and_two_bytes() -> Iterator[bytes]:
    """Yield the 256 inputs of one byte and the 65,536 of two."""
    yield from (bytes([first]) for first in range(256))
    yield from map(bytes, product(range(256), repeat=2))


def boundary_inputs(name: str, length: int) -> Iterator[bytes]:
    """Yield every input of `length` bytes from the boundary bytes of the encoding `name`."""
    return map(bytes, product(BOUNDARY_BYTES[name], repeat=length))


def random_inputs(name: str, count: int, *, longest: int = 40) -> list[bytes]:
    """Yield `count` inputs of 3 to about `longest` bytes: a mixture of vectors, boundary bytes and arbitrary bytes."""
    random = Random(f"decode {name}")
    pieces = vectors(name)
    boundary_bytes = BOUNDARY_BYTES.get(name, bytes(range(256)))
    inputs: list[bytes] = []
    for _ in range(count):
        data = b""
        length = random.randint(3, longest)
        while len(data) < length:
            match random.randrange(8):
                case 0 | 1 | 2:
                    data += random.choice(pieces)
                case 3 | 4:
                    data += bytes([random.choice(boundary_bytes)])
                case 5 | 6:
                    data += random.randbytes(1)
                case _:
                    data += b"ASCII"[: random.randint(1, 5)]
        inputs.append(data)
    return inputs


# Code points at which a step of some encoder begins or ends, their neighbours, and surrogates.
BOUNDARY_CODE_POINTS = (
    "\0\n\x0d\x0e\x0f\x10\x1a\x1b\x1c&#;A\\~\x7f\x80\x81\xa4\xa5\xa6\xe9\xff\u0100\u0304\u030c\u00ca\u0416\u05d0\u07ff"
    "\u0800\u20ac\u203d\u203e\u203f\u2211\u2212\u2213\u2550\u255e\u2561\u256a\u3000\u3001\u3042\u309b\u30fb\u4e00\u4e28"
    "\u5341\u5345\u9fb4\u9fff\uac00\ud7a3\ud7ff\ue000\ue4c5\ue5e4\ue5e5\ue5e6\ue757\ue758\ue78d\ue796\ue7c6\ue7c7\ue7c8"
    "\ue81e\ue864\uf77f\uf780\uf7ff\uf800\ufe10\ufe19\uff0c\uff0d\uff0e\uff60\uff61\uff70\uff9e\uff9f\uffa0\ufffd\uffff"
    "\U00010000\U0001f4a9\U00020021\U0002a6d6\U0010ffff\ud800\udbff\udc00\udfff"
)


def random_texts(name: str, count: int, *, longest: int = 20) -> list[str]:
    """Yield `count` texts of 1 to `longest` code points, which may be surrogates."""
    random = Random(f"encode {name}")
    return ["".join(random.choices(BOUNDARY_CODE_POINTS, k=random.randint(1, longest))) for _ in range(count)]
