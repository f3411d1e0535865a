"""Decoders write into strings of three kinds, which are three loops: each meets every case.

https://peps.python.org/pep-0393/: a str holds code points in one, two or four bytes each, whatever its widest needs.
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
@pytest.mark.parametrize("count", [1, 3000])
def test_every_two_bytes_in_text_of_each_kind(name: str, count: int) -> None:
    """After one such character, and after more than is looked at to choose the kind."""
    after = {"UTF-16BE": b"\0\n", "UTF-16LE": b"\n\0", "ISO-2022-JP": b"\x1b(B\n"}.get(name, b"\n")
    for character in inputs.WIDE_CHARACTERS[name]:
        if name == "ISO-2022-JP":
            for escape in (b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B"):
                compare_every_two_bytes(name, start=character * count, before=escape, after=after)
        elif name.startswith("UTF-16"):
            # A unit of the 65,536, and what may be its lead surrogate or make it one.
            compare_every_two_bytes(name, start=character * count, after=after)
            for unit in (b"\xd8\x3d", b"\xdc\xa9"):
                before = unit if name == "UTF-16BE" else unit[::-1]
                compare_every_two_bytes(name, start=character * count, before=before, after=after)
        else:
            compare_every_two_bytes(name, start=character * count, after=after)


@names
@pytest.mark.parametrize("count", [1, 20, 3000])
def test_vectors_in_text_of_each_kind(name: str, count: int) -> None:
    """Error spans, counts and ends too; the wide character before, and where it widens the text only at the end."""
    for character in inputs.WIDE_CHARACTERS[name]:
        vectors = inputs.vectors(name) if count < 3000 else inputs.vectors(name)[::3]
        compare_decoder(name, (character * count + vector for vector in vectors))
        compare_decoder(name, (vector + character * count for vector in vectors))
