"""Each case decodes into strings of all three kinds, which have separate loops.

https://peps.python.org/pep-0393/: a str stores each code point in one, two or four bytes, as its widest requires.
"""

from __future__ import annotations

import pytest

from tests.reference import inputs, oracle
from tests.standard.comparison import compare_decoder, compare_every_two_bytes

names = pytest.mark.parametrize("name", inputs.MULTI_BYTE_NAMES)


@names
def test_the_wide_characters_are_of_each_kind(name: str) -> None:
    for character, (first, last) in zip(
        inputs.WIDE_CHARACTERS[name], ((0x80, 0xFF), (0x100, 0xFFFF), (0x10000, 0x10FFFF)), strict=False
    ):
        decoded = oracle.decode(name, character * 2)
        assert first <= max(map(ord, decoded.text)) <= last
        assert decoded.text == decoded.text[: len(decoded.text) // 2] * 2
        assert not decoded.spans


@names
@pytest.mark.parametrize("count", [1, pytest.param(3000, marks=pytest.mark.repeated)])  # the same loops, entered later
def test_every_two_bytes_in_text_of_each_kind(name: str, count: int) -> None:
    """Cases after one wide character, and after more input than is examined to choose the kind."""
    after = {"UTF-16BE": b"\0\n", "UTF-16LE": b"\n\0", "ISO-2022-JP": b"\x1b(B\n"}.get(name, b"\n")
    for character in inputs.WIDE_CHARACTERS[name]:
        if name == "ISO-2022-JP":
            for escape in (b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B"):
                compare_every_two_bytes(name, start=character * count, before=escape, after=after)
        elif name.startswith("UTF-16"):
            # One of the 65,536 units, and what may be its leading or trailing surrogate.
            compare_every_two_bytes(name, start=character * count, after=after)
            for unit in (b"\xd8\x3d", b"\xdc\xa9"):
                before = unit if name == "UTF-16BE" else unit[::-1]
                compare_every_two_bytes(name, start=character * count, before=before, after=after)
        else:
            compare_every_two_bytes(name, start=character * count, after=after)


@names
@pytest.mark.parametrize("count", [1, 20, 3000])
def test_vectors_in_text_of_each_kind(name: str, count: int) -> None:
    """Error spans, counts and final states, with a wide character before, and with one only at the end."""
    for character in inputs.WIDE_CHARACTERS[name]:
        vectors = inputs.vectors(name) if count < 3000 else inputs.vectors(name)[::3]
        compare_decoder(name, (character * count + vector for vector in vectors))
        compare_decoder(name, (vector + character * count for vector in vectors))
