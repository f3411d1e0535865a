"""The UTF-8 and UTF-16 kernels, at every supported instruction set, against Python's codecs and a plain model."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tests.kernels.conftest import GuardedBuffer

LONGEST = 300
UCS2 = 0xFFFF
UCS4 = 0x10FFFF


class ModelResult(ctypes.Structure):
    """The structure ``model_result`` of unicode_kernels.c."""

    _fields_ = (("read", ctypes.c_size_t), ("written", ctypes.c_size_t))


class Kernels(NamedTuple):
    """The compiled kernels at one level, and the ends of guarded memory for source and target.

    Each call returns 0, or the number of the run that differs from the model or from `str.encode`.
    """

    library: ctypes.CDLL
    level: int
    ends: tuple[int, int]

    def utf_8_decode(self, text: bytes, shift: int = 0) -> int:
        return int(self.library.check_utf_8_decode(self.level, text, len(text), shift, *self.ends))

    def utf_16_decode(self, text: bytes, big_endian: bool, shift: int = 0) -> int:
        return int(self.library.check_utf_16_decode(self.level, big_endian, text, len(text), shift, *self.ends))

    def utf_8_encode(self, text: str, unit_size: int, shift: int = 0) -> int:
        read = next((i for i, character in enumerate(text) if "\ud800" <= character <= "\udfff"), len(text))
        expected, source = text[:read].encode(), units(text, unit_size)
        numbers = (read, len(expected), shift)
        check = self.library.check_utf_8_encode
        return int(check(self.level, source, unit_size, len(text), expected, *numbers, *self.ends))


def units(text: str, unit_size: int) -> bytes:
    codec = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[unit_size]
    return text.encode(codec, "surrogatepass" if unit_size > 1 else "strict")


@pytest.fixture(scope="module")
def library(compile_kernels: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    library = compile_kernels("unicode_kernels.c")
    number, size, text, place = ctypes.c_int, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p
    code_points = ctypes.POINTER(ctypes.c_uint32)
    many = [text, size, text, size]
    for name, result, arguments in (
        ("model_utf_8", ModelResult, [text, size, ctypes.c_uint32, code_points]),
        ("model_utf_16", ModelResult, [text, size, number, ctypes.c_uint32, code_points]),
        ("check_utf_8_decode", number, [number, text, size, size, place, place]),
        ("check_utf_16_decode", number, [number, number, text, size, size, place, place]),
        ("check_utf_8_encode", number, [number, text, size, size, text, size, size, size, place, place]),
        ("check_utf_8_two_bytes", ctypes.c_longlong, [number, *many, place, place]),
        ("check_utf_8_three_bytes", ctypes.c_longlong, [number, number, number, *many]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@pytest.fixture(scope="module")
def kernels(simd: int, library: ctypes.CDLL, guarded: Callable[[int], GuardedBuffer]) -> Kernels:
    return Kernels(library, simd, (guarded(4 * 4096).end, guarded(4 * 4 * 4096).end))


# Texts. Each mixes several paths: ASCII, Latin-1, two, three and four bytes, in runs and alternating.

ALPHABETS = (
    "abc <p>\x00\x7f", "éüß\x80ÿ", "Жшўԯߺ\u07ff\u0100", "日本語ก한\u0800\ud7ff\ue000\uffff", "😀𐀀\U0010ffff𠮷",
)  # fmt: skip


def mixtures(seed: int, number: int, longest: int = LONGEST) -> Iterator[str]:
    """Return ``number`` random texts of runs, each from one alphabet and of random length."""
    chance = random.Random(seed)
    for _ in range(number):
        alphabets = chance.choices(ALPHABETS, k=chance.randint(1, 3))
        text = ""
        length = chance.randrange(longest)
        while len(text) < length:
            text += "".join(chance.choices(chance.choice(alphabets), k=chance.choice((1, 1, 2, 5, 20, 70))))
        yield text[:length]


def damaged(texts: Iterator[bytes], seed: int) -> Iterator[bytes]:
    """Yield each text as it is, cut at a random place, and with random bytes changed, removed or inserted."""
    chance = random.Random(seed)
    edges = b"\x00\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xed\xef\xf0\xf4\xf5\xf8\xff\xd8\xdc"
    for text in texts:
        yield text
        yield text[: chance.randint(0, len(text))]
        broken = bytearray(text)
        for _ in range(chance.randint(1, 3)):
            at = chance.randint(0, len(broken))
            broken[at : at + chance.randint(0, 2)] = bytes(chance.choices(edges, k=chance.randint(0, 2)))
        yield bytes(broken)


def by_python(text: bytes, codec: str, max_code_point: int) -> tuple[int, int, list[int]]:
    """Return the bytes read, how many code points these are, and the code points.

    They end at the first error or code point above the maximum.
    """
    try:
        decoded = text.decode(codec)
    except UnicodeDecodeError as error:
        decoded = text[: error.start].decode(codec)
    fits = "".join(itertools.takewhile(lambda character: ord(character) <= max_code_point, decoded))
    return len(fits.encode(codec)), len(fits), [ord(character) for character in fits]


# The models against Python's codecs.


def utf_8_cases() -> Iterator[bytes]:
    """Yield every byte, every two bytes, three and four bytes from the boundaries of ranges, and corrupted text."""
    edges = b"\x00\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc2\xe0\xed\xf0\xf4\xff"
    for one in range(256):
        yield bytes((one,))
        for two in range(256):
            yield bytes((one, two))
            if one >= 0xE0 and two >= 0x70:
                yield from (bytes((one, two, three)) for three in edges)
            if one >= 0xF0 and two >= 0x70:
                yield from (bytes((one, two, 0x80, four)) for four in edges)
    yield from damaged((text.encode() for text in mixtures(1, 500)), 2)


@pytest.mark.repeated  # the model, which the kernels are compared with, against another implementation
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_the_models_are_python(library: ctypes.CDLL, codec: str) -> None:
    code_points = (ctypes.c_uint32 * 4096)()
    order = () if codec == "utf-8" else (codec == "utf-16-be",)
    model = library.model_utf_16 if order else library.model_utf_8
    for text in utf_16_cases(codec) if order else utf_8_cases():
        for max_code_point in (0x7F, 0xFF, UCS2, UCS4):
            result = model(text, len(text), *order, max_code_point, code_points)
            found = result.read, result.written, code_points[: result.written]
            assert found == by_python(text, codec, max_code_point), text


def utf_16_cases(codec: str) -> Iterator[bytes]:
    """Yield every pattern of one to four surrogates and others, odd lengths, and corrupted text."""
    shapes = ("a", "é", "日", "\ud800", "\udbff", "\udc00", "\udfff", "\ud7ff", "\ue000")
    for number in range(1, 5):
        for shape in itertools.product(shapes, repeat=number):
            text = "".join(shape).encode(codec, "surrogatepass")
            yield text
            yield text[:-1]
    yield from damaged((text.encode(codec) for text in mixtures(3, 500)), 4)


# The kernels against the models.


# Offsets at which a sequence lies before, across or after a boundary of 16, 32 or 64 bytes.
PLACES = (0, 1, 13, 14, 15, 16, 29, 30, 31, 32, 60, 61, 62, 63, 64)


@pytest.mark.parametrize(
    ("before", "after"),
    [("a" * 64, b"z" * 40), ("Ж" * 32, b"\xbf\xbf" + b"\xd0\x96" * 20), ("é日本" * 8, b"")],
    ids=["ASCII", "Cyrillic", "Japanese, to the end"],
)
def test_utf_8_decode_every_two_bytes(kernels: Kernels, before: str, after: bytes) -> None:
    text, check = before.encode(), kernels.library.check_utf_8_two_bytes
    for place in PLACES:
        failed = check(kernels.level, text, place, after, len(after), *kernels.ends)
        assert failed == 0, f"run {failed >> 24}, after {place} bytes: {failed & 0xFFFF:04X}"


@pytest.mark.parametrize("after", [b"", b"\x80a", b"\x7f" * 70, b"\xbf" + b"a" * 70], ids=["", "80", "7F", "BF"])
@pytest.mark.parametrize("before", ["", "é" + "日" * 20], ids=["first", "at 62"])
def test_utf_8_decode_every_three_bytes(kernels: Kernels, before: str, after: bytes) -> None:
    """Leading bytes from 0xE0 on. The test above covers smaller ones, complete after two bytes, exhaustively."""
    text, check = before.encode(), kernels.library.check_utf_8_three_bytes
    failed = check(kernels.level, 0xE0, 0xFF, text, len(text), after, len(after))
    assert failed == 0, f"run {failed >> 24}: {failed & 0xFFFFFF:06X}"


def test_utf_8_decode_every_length_and_alignment(kernels: Kernels) -> None:
    for text in ("a" * LONGEST, "é" * 150, "Ж" * 150, "日" * 100, "😀" * 75, "aé日😀" * 30, "日本語 <b>" * 30):
        encoded = text.encode()
        for length in range(min(LONGEST, len(encoded)) + 1):
            assert kernels.utf_8_decode(encoded[:length]) == 0, (text[0], length)
        for shift in range(65):
            assert kernels.utf_8_decode(encoded[:200], shift) == 0, (text[0], shift)
            assert kernels.utf_8_decode(encoded[shift:], shift) == 0, (text[0], shift)


def long_runs_of_ascii() -> Iterator[tuple[str, int]]:
    """Yield text with runs of ASCII that are long enough for the loop of their own, and a number from 0 to 64."""
    letters = "".join(map(chr, range(0x20, 0x7F))) * 20
    for number, (before, after) in enumerate(
        itertools.product(("", "é", "日", "Ж😀"), ("", "é", "Ж", "日", "😀", "\x7f"))
    ):
        for shift in range(65):
            length = 500 + 13 * (67 * number + shift) % 900
            yield before + letters[:length] + after + letters[: shift * 8] + before, shift


def test_utf_8_decode_long_runs_of_ascii(kernels: Kernels) -> None:
    for text, shift in long_runs_of_ascii():
        encoded = text.encode()
        for end in (b"", b"\xff", b"\xe6\x97", b"\xed\xa0\x80" + encoded[:100]):
            assert kernels.utf_8_decode(encoded + end, shift) == 0, (text, shift, end)


@pytest.mark.parametrize(("seed", "count", "longest"), [(5, 4000, LONGEST), (7, 100, 4096)])
def test_utf_8_decode_mixtures(kernels: Kernels, seed: int, count: int, longest: int) -> None:
    texts = (text.encode()[:4096] for text in mixtures(seed, count, longest))
    for number, text in enumerate(damaged(texts, seed + 1)):
        assert kernels.utf_8_decode(text[:4096], number % 65) == 0, text


def test_utf_16_decode_surrogates_at_every_place(kernels: Kernels) -> None:
    shapes = ("\ud800", "\udfff", "\udbff\udc00", "\ud800\udbff", "\udc00\ud800", "\ud7ff", "\ue000", "\udbff\udfffa")
    for codec, filler, shape in itertools.product(("utf-16-le", "utf-16-be"), ("a", "é", "日", "😀"), shapes):
        for place in range(70):
            text = filler * place + shape + filler * 40
            encoded = text.encode(codec, "surrogatepass")
            for end in (len(encoded), 2 * place + 2, 2 * place + 3):
                assert kernels.utf_16_decode(encoded[:end], codec == "utf-16-be") == 0, (codec, filler, shape, place)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_decode_every_length_and_alignment(kernels: Kernels, codec: str) -> None:
    for text in ("a" * 150, "é" * 150, "日" * 150, "😀" * 75, "aé日😀" * 30):
        encoded = text.encode(codec)
        for length in range(len(encoded) + 1):
            assert kernels.utf_16_decode(encoded[:length], codec == "utf-16-be") == 0, (text[0], length)
        for shift in range(65):
            assert kernels.utf_16_decode(encoded[:200], codec == "utf-16-be", shift) == 0, (text[0], shift)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_decode_mixtures(kernels: Kernels, codec: str) -> None:
    texts = (text.encode(codec) for text in mixtures(9, 3000))
    for number, text in enumerate(damaged(texts, 10)):
        assert kernels.utf_16_decode(text, codec == "utf-16-be", number % 65) == 0, text


def test_every_scalar_value_both_ways(kernels: Kernels) -> None:
    values = [*range(0xD800), *range(0xE000, 0x110000)]
    for start in range(0, len(values), 1021):  # a prime, so that each chunk boundary falls at every offset in a block
        text = "".join(map(chr, values[start : start + 1021]))
        assert kernels.utf_8_decode(text.encode()) == 0, start
        assert kernels.utf_16_decode(text.encode("utf-16-le"), False) == 0, start
        assert kernels.utf_16_decode(text.encode("utf-16-be"), True) == 0, start
        assert kernels.utf_8_encode(text, 4) == 0, start
        if text[-1] <= "\uffff":
            assert kernels.utf_8_encode(text, 2) == 0, start


WIDTHS = ((1, 0xFF), (2, UCS2), (4, UCS4))


@pytest.mark.parametrize(("unit_size", "largest"), WIDTHS)
def test_utf_8_encode_every_length_and_alignment(kernels: Kernels, unit_size: int, largest: int) -> None:
    for text in ("a" * LONGEST, "é" * LONGEST, "Ж" * LONGEST, "日" * LONGEST, "😀" * LONGEST, "aé日😀" * 75):
        fits = "".join(character for character in text if ord(character) <= largest)
        for length in range(len(fits) + 1):
            assert kernels.utf_8_encode(fits[:length], unit_size) == 0, (text[0], length)
        for shift in range(65):
            assert kernels.utf_8_encode(fits[:200], unit_size, shift) == 0, (text[0], shift)


@pytest.mark.parametrize(("unit_size", "largest"), WIDTHS)
def test_utf_8_encode_long_runs_of_ascii(kernels: Kernels, unit_size: int, largest: int) -> None:
    for text, shift in long_runs_of_ascii():
        fits = "".join(character for character in text if ord(character) <= largest)
        assert kernels.utf_8_encode(fits, unit_size, shift) == 0, (text, shift)


@pytest.mark.parametrize(("unit_size", "largest"), WIDTHS)
def test_utf_8_encode_mixtures(kernels: Kernels, unit_size: int, largest: int) -> None:
    for number, text in enumerate(mixtures(11, 6000)):
        fits = "".join(character for character in text if ord(character) <= largest)
        assert kernels.utf_8_encode(fits, unit_size, number % 65) == 0, fits


@pytest.mark.parametrize("unit_size", [2, 4])
def test_utf_8_encode_surrogates_at_every_place(kernels: Kernels, unit_size: int) -> None:
    for filler, surrogate in itertools.product("aéЖ日", "\ud800\udbff\udc00\udfff"):
        for place in range(140):
            text = filler * place + surrogate + filler * 40
            assert kernels.utf_8_encode(text, unit_size) == 0, (filler, surrogate, place)
            assert kernels.utf_8_encode(text[: place + 1], unit_size) == 0, (filler, surrogate, place)
