"""The UTF-8 and UTF-16 kernels, at every supported instruction set, against Python's codecs and a plain model."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable, Iterator

import pytest

from tests.kernels.conftest import GuardedBuffer

LONGEST = 300
UCS2 = 0xFFFF
UCS4 = 0x10FFFF


class ModelResult(ctypes.Structure):
    """The structure ``model_result`` of unicode_kernels.c."""

    _fields_ = (("read", ctypes.c_size_t), ("written", ctypes.c_size_t))


class Kernels:
    """The compiled kernels at one level, with guarded memory for source and target."""

    def __init__(self, library: ctypes.CDLL, level: int, source: GuardedBuffer, target: GuardedBuffer) -> None:
        self.library = library
        self.level = level
        self.source_end = ctypes.c_void_p(source.end)
        self.target_end = ctypes.c_void_p(target.end)
        library.model_utf_8.restype = ModelResult
        library.model_utf_16.restype = ModelResult
        library.check_utf_8_two_bytes.restype = ctypes.c_longlong
        library.check_utf_8_three_bytes.restype = ctypes.c_longlong

    def utf_8_decode(self, text: bytes, shift: int = 0) -> int:
        """Return 0, or the number of the run that differs from the model."""
        size = ctypes.c_size_t
        return int(
            self.library.check_utf_8_decode(
                self.level, text, size(len(text)), size(shift), self.source_end, self.target_end
            )
        )

    def utf_16_decode(self, text: bytes, big_endian: bool, shift: int = 0) -> int:
        """Return 0, or the number of the run that differs from the model."""
        size = ctypes.c_size_t
        return int(
            self.library.check_utf_16_decode(
                self.level, int(big_endian), text, size(len(text)), size(shift), self.source_end, self.target_end
            )
        )

    def utf_8_encode(self, text: str, unit_size: int, shift: int = 0) -> int:
        """Return 0, or 1 when a run differs from `str.encode`."""
        read = next((i for i, character in enumerate(text) if "\ud800" <= character <= "\udfff"), len(text))
        expected = text[:read].encode()
        numbers = (read, len(expected), shift)
        return int(
            self.library.check_utf_8_encode(
                self.level,
                units(text, unit_size),
                ctypes.c_size_t(unit_size),
                ctypes.c_size_t(len(text)),
                expected,
                *map(ctypes.c_size_t, numbers),
                self.source_end,
                self.target_end,
            )
        )


def units(text: str, unit_size: int) -> bytes:
    """Return the address of the code points of ``text``, stored as units of 1, 2 or 4 bytes."""
    if unit_size == 1:
        return text.encode("latin-1")
    if unit_size == 2:
        return text.encode("utf-16-le", "surrogatepass")
    return text.encode("utf-32-le", "surrogatepass")


@pytest.fixture(scope="module")
def library(compile_kernels: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    """Return the compiled unicode_kernels.c."""
    return compile_kernels("unicode_kernels.c")


@pytest.fixture(scope="module")
def kernels(simd: int, library: ctypes.CDLL, guarded: Callable[[int], GuardedBuffer]) -> Kernels:
    """Return the kernels at one level."""
    return Kernels(library, simd, guarded(4 * 4096), guarded(4 * 4 * 4096))


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


def python_utf_8(text: bytes, max_code_point: int) -> tuple[int, str]:
    """Return the bytes read and the code points up to the first error or code point above the maximum, by the codec."""
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        decoded = text[: error.start].decode()
    fits = "".join(itertools.takewhile(lambda character: ord(character) <= max_code_point, decoded))
    return len(fits.encode()), fits


def python_utf_16(text: bytes, codec: str, max_code_point: int) -> tuple[int, str]:
    """Return the same for UTF-16."""
    try:
        decoded = text.decode(codec)
    except UnicodeDecodeError as error:
        decoded = text[: error.start].decode(codec)
    fits = "".join(itertools.takewhile(lambda character: ord(character) <= max_code_point, decoded))
    return len(fits.encode(codec)), fits


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
def test_utf_8_model_is_python(library: ctypes.CDLL) -> None:
    library.model_utf_8.restype = ModelResult
    code_points = (ctypes.c_uint32 * 4096)()
    for text in utf_8_cases():
        for max_code_point in (0x7F, 0xFF, UCS2, UCS4):
            result = library.model_utf_8(text, ctypes.c_size_t(len(text)), ctypes.c_uint32(max_code_point), code_points)
            read, decoded = python_utf_8(text, max_code_point)
            assert (result.read, result.written) == (read, len(decoded)), text
            assert list(code_points[: result.written]) == [ord(character) for character in decoded], text


@pytest.mark.repeated
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_model_is_python(library: ctypes.CDLL, codec: str) -> None:
    library.model_utf_16.restype = ModelResult
    code_points = (ctypes.c_uint32 * 4096)()
    for text in utf_16_cases(codec):
        for max_code_point in (0x7F, 0xFF, UCS2, UCS4):
            result = library.model_utf_16(
                text,
                ctypes.c_size_t(len(text)),
                int(codec == "utf-16-be"),
                ctypes.c_uint32(max_code_point),
                code_points,
            )
            read, decoded = python_utf_16(text, codec, max_code_point)
            assert (result.read, result.written) == (read, len(decoded)), text
            assert list(code_points[: result.written]) == [ord(character) for character in decoded], text


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
    size = ctypes.c_size_t
    text = before.encode()
    for place in PLACES:
        failed = kernels.library.check_utf_8_two_bytes(
            kernels.level, text, size(place), after, size(len(after)), kernels.source_end, kernels.target_end
        )
        assert failed == 0, f"run {failed >> 24}, after {place} bytes: {failed & 0xFFFF:04X}"


@pytest.mark.parametrize("after", [b"", b"\x80a", b"\x7f" * 70, b"\xbf" + b"a" * 70], ids=["", "80", "7F", "BF"])
@pytest.mark.parametrize("before", ["", "é" + "日" * 20], ids=["first", "at 62"])
def test_utf_8_decode_every_three_bytes(kernels: Kernels, before: str, after: bytes) -> None:
    """Leading bytes from 0xE0 on. The test above covers smaller ones, complete after two bytes, exhaustively."""
    size = ctypes.c_size_t
    text = before.encode()
    failed = kernels.library.check_utf_8_three_bytes(
        kernels.level, 0xE0, 0xFF, text, size(len(text)), after, size(len(after))
    )
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


def test_utf_8_decode_mixtures(kernels: Kernels) -> None:
    texts = (text.encode() for text in mixtures(5, 4000))
    for number, text in enumerate(damaged(texts, 6)):
        assert kernels.utf_8_decode(text, number % 65) == 0, text


def test_utf_8_decode_long_mixtures(kernels: Kernels) -> None:
    texts = (text.encode()[:4096] for text in mixtures(7, 100, 4096))
    for number, text in enumerate(damaged(texts, 8)):
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
