"""Results are objects like those of Python: valid for the C library, and no larger than equal ones.

https://peps.python.org/pep-0393/
"""

from __future__ import annotations

import locale
import sys
from collections.abc import Iterator

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import compare_texts, held_memory, holds_no_more_than_it_needs, is_same_text, wide_form

names = pytest.mark.parametrize("name", inputs.TEXT_NAMES)

#: Code points of a text: few, staged, in a block of the C library, more than the worst case is allocated for, many.
LENGTHS = (1, 40, 1000, 5000, 40_000, 1_500_000)
#: Around the sizes of vectors, too.
ALL_LENGTHS = (*LENGTHS, 2, 15, 16, 17, 63, 64, 65, 70_000)


def own_copy(text: str) -> str:
    """Return an equal text that Python creates."""
    return text.encode("utf-32", "surrogatepass").decode("utf-32", "surrogatepass")


def texts(length: int) -> Iterator[str]:
    """Yield texts of each kind of string, with the widest character first, last, in the middle, and alone."""
    for wide in ("é", "ж", "日", "😀", "\x7f", "\x80", "\xff", "\u0100", "\uffff", "\U00010000", "\U0010ffff"):
        yield wide * length
        for position in (0, length // 2, length - 1):
            yield "a" * position + wide + "b" * (length - 1 - position)
            yield "日" * position + wide + "語" * (length - 1 - position)
    yield "a" * length


@pytest.mark.parametrize("length", [pytest.param(n, marks=[pytest.mark.gate] * (n > 1 << 20)) for n in ALL_LENGTHS])
@pytest.mark.parametrize("name", ["UTF-8", "UTF-16LE", "UTF-16BE", "gb18030"])
def test_texts_are_whole_for_the_c_library(name: str, length: int) -> None:
    """Encodings that reach U+10000, from which on a string of Python 3.11 shares its units with its wide form."""
    codec = {"gb18030": "gb18030", "UTF-8": "utf-8"}.get(name, f"{name[:-2].lower()}-{name[-2:].lower()}")
    for text in texts(length):
        data = text.encode(codec)
        compare_texts(name, data, we.ENCODINGS[name].decode(data), text)
        decoder = we.ENCODINGS[name].new_decoder()
        step = max(len(data) // 3, 1)
        chunks = [decoder.decode(data[i : i + step]) for i in range(0, len(data), step)] + [decoder.decode(b"", True)]
        assert "".join(chunks) == text
        for chunk in chunks:
            assert is_same_text(chunk, own_copy(chunk)), (name, length, chunk[:1], len(chunk))


@pytest.mark.parametrize("count", [1, 300, 9000])
def test_a_page_with_an_emoji_sorts(count: int) -> None:
    """strxfrm refuses a text whose wide form contains a null unit."""
    text = "Привет, мир. " * count + "😀"
    decoded = we.UTF_8.decode(text.encode())
    assert locale.strxfrm(decoded) == locale.strxfrm(text)
    assert wide_form(decoded) == wide_form(text)


@pytest.mark.usefixtures("registered")
@names
def test_wide_forms_after_errors(name: str) -> None:
    """Errors, replaced and handled, resize the resulting strings."""
    for vector in inputs.vectors(name)[::7]:
        for data in (vector * 300, b"a\0" * 1000 + vector * 300, b"a" * 5000 + vector):
            expected = oracle.decode(name, data).text
            compare_texts(name, data, we.ENCODINGS[name].decode(data), expected)
            decoder = we.ENCODINGS[name].new_decoder()
            compare_texts(name, data, decoder.decode(data, True), expected)
    handled = b"a\xff".decode("web-utf-8", "backslashreplace")
    assert is_same_text(handled, r"a\xff")
    long = (b"\xf0\x9f\x98\x80\xff" * 5000).decode("web-utf-8", "backslashreplace")
    assert is_same_text(long, "😀\\xff" * 5000)


@names
@pytest.mark.parametrize("length", LENGTHS[2:-1])
def test_what_the_allocator_holds(name: str, length: int) -> None:
    """A result holds at most a sixteenth more memory than an equal object of Python's."""
    encoding = we.ENCODINGS[name]
    for letters in ("a", "é", "ж", "日本語", "a日", "a😀"):
        source = (letters * length)[:length]
        data = encoding.output_encoding.encode(source)
        text = encoding.decode(data)
        for result in (text, data, encoding.decode_to_utf8(data)):
            assert holds_no_more_than_it_needs(result), (letters, len(result), held_memory(result))


@pytest.mark.parametrize(("name", "codec"), [("UTF-8", "utf-8"), ("GBK", "gbk"), ("EUC-KR", "euc_kr")])
@pytest.mark.parametrize("phase", range(0, 1024, 64))
def test_texts_that_a_sample_misjudges(name: str, codec: str, phase: int) -> None:
    """The size of a result is estimated from evenly spread pieces of a text: here each finds what the rest lacks."""
    encoding = we.ENCODINGS[name]
    for common, rare in (("a", "ж"), ("ж", "a"), ("aж", "a"), ("aж", "ж")):
        for width in (64, 192):
            period = [common[i % len(common)] for i in range(1024)]
            period[phase : phase + width] = rare * len(period[phase : phase + width])
            text = common * 700 + "".join(period) * 60
            data = text.encode(codec)
            encoded, decoded = encoding.encode(text), encoding.decode(data)
            assert encoded == data
            assert decoded == text
            assert encoding.decode_to_utf8(data) == text.encode()
            assert holds_no_more_than_it_needs(decoded)
            assert holds_no_more_than_it_needs(encoded)


@pytest.mark.parametrize("length", LENGTHS[2:])
def test_the_measure_tells_what_python_s_own_objects_hold(length: int) -> None:
    """Control: the block of a Python object has the object's size, rounded up as the C library does."""
    for result in (own_copy("a" * length), own_copy("é" * length), b"".join([b"a", b"b" * (length - 1)])):
        held = held_memory(result)
        if held is None:
            pytest.skip("the allocator cannot be queried in this build")
        assert holds_no_more_than_it_needs(result)
        assert sys.getsizeof(result) <= held < sys.getsizeof(result) + (32 if length < 100_000 else 4096)
