"""What all decoders and encoders of chapters 8 to 14 have in common; the files of the chapters have what is special."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

import pytest

from tests.reference import inputs, oracle
from tests.standard.comparison import (
    compare_decoder,
    compare_encoder,
    compare_every_scalar_value,
    compare_every_three_bytes,
    compare_every_two_bytes,
)


def multi_byte(repeated: Collection[str] = (), without: Collection[str] = ()) -> pytest.MarkDecorator:
    """Parametrize by the multi-byte encodings; those that are repeated share a handler or a kernel with another."""
    names = [name for name in inputs.MULTI_BYTE_NAMES if name not in without]
    marks = {name: [pytest.mark.repeated] for name in repeated}
    return pytest.mark.parametrize("name", [pytest.param(name, marks=marks.get(name, [])) for name in names])


@multi_byte(repeated=["gb18030"])
def test_every_one_and_two_bytes(name: str) -> None:
    compare_decoder(name, inputs.one_and_two_bytes())


@pytest.mark.gate
@multi_byte(repeated=["GBK", "gb18030", "EUC-KR", "UTF-16BE", "UTF-16LE"], without=["ISO-2022-JP"])
def test_every_three_bytes(name: str) -> None:
    """All 16,777,216, each followed by U+000A, which no sequence has; in UTF-16 its first byte completes a unit."""
    newline = {"UTF-16BE": b"\0\n", "UTF-16LE": b"\n\0"}.get(name, b"")
    compare_every_three_bytes(name, after=b"\n" + newline)


@pytest.mark.gate
@multi_byte(repeated=["gb18030", "EUC-KR"], without=["UTF-16BE", "UTF-16LE"])
def test_three_bytes_at_end_of_queue(name: str) -> None:
    compare_decoder(name, inputs.boundary_inputs(name, 3))


@pytest.mark.parametrize("name", inputs.TEXT_NAMES)
def test_random_inputs(name: str) -> None:
    compare_decoder(name, inputs.random_inputs(name, 4000 if name in inputs.MULTI_BYTE_NAMES else 200))


@pytest.mark.parametrize("name", [name for name in inputs.ENCODER_NAMES if name not in ("UTF-8", "ISO-2022-JP")])
@pytest.mark.shapes  # tests/generator has every table at every code point
def test_every_scalar_value(name: str) -> None:
    compare_every_scalar_value(name)


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_texts(name: str) -> None:
    compare_encoder(name, inputs.random_texts(name, 5000 if name in inputs.MULTI_BYTE_NAMES else 300))


# Each case decodes into strings of all three kinds, which have separate loops. https://peps.python.org/pep-0393/: a str
# stores each code point in one, two or four bytes, as its widest requires.


@multi_byte()
def test_the_wide_characters_are_of_each_kind(name: str) -> None:
    kinds = (0x80, 0xFF), (0x100, 0xFFFF), (0x10000, 0x10FFFF)
    for character, (first, last) in zip(inputs.WIDE_CHARACTERS[name], kinds, strict=False):
        decoded = oracle.decode(name, character * 2)
        assert first <= max(map(ord, decoded.text)) <= last
        assert decoded.text == decoded.text[: len(decoded.text) // 2] * 2
        assert not decoded.spans


@pytest.mark.gate
@multi_byte()
@pytest.mark.parametrize("count", [1, pytest.param(3000, marks=pytest.mark.repeated)])  # the same loops, entered later
def test_every_two_bytes_in_text_of_each_kind(name: str, count: int) -> None:
    """Cases after one wide character, and after more input than is examined to choose the kind."""
    after = {"UTF-16BE": b"\0\n", "UTF-16LE": b"\n\0", "ISO-2022-JP": b"\x1b(B\n"}.get(name, b"\n")
    befores = {
        "ISO-2022-JP": (b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B"),
        # One of the 65,536 units, and what may be its leading or trailing surrogate.
        "UTF-16BE": (b"", b"\xd8\x3d", b"\xdc\xa9"),
        "UTF-16LE": (b"", b"\x3d\xd8", b"\xa9\xdc"),
    }.get(name, (b"",))
    for character, before in product(inputs.WIDE_CHARACTERS[name], befores):
        compare_every_two_bytes(name, start=character * count, before=before, after=after)


@multi_byte()
@pytest.mark.parametrize("count", [1, 20, 3000])
def test_vectors_in_text_of_each_kind(name: str, count: int) -> None:
    """Error spans, counts and final states, with a wide character before, and with one only at the end."""
    for character in inputs.WIDE_CHARACTERS[name]:
        vectors = inputs.vectors(name) if count < 3000 else inputs.vectors(name)[::3]
        compare_decoder(name, (character * count + vector for vector in vectors))
        compare_decoder(name, (vector + character * count for vector in vectors))
