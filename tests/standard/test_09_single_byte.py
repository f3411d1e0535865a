"""Single-byte encodings and x-user-defined: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import compare_decoder, compare_encoder, compare_texts, refusal

pytestmark = pytest.mark.parametrize("name", inputs.ONE_BYTE_NAMES)


def test_every_byte(name: str) -> None:
    compare_decoder(name, (bytes([byte]) for byte in range(256)))


def test_every_two_bytes(name: str) -> None:
    """A decoder has no state, so that two bytes decode as each of them does: the reference runs for single bytes."""
    texts = [oracle.decode(name, bytes([byte])).text for byte in range(256)]
    data = b"".join(map(bytes, product(range(256), repeat=2)))
    expected = "".join(first + second for first, second in product(texts, repeat=2))
    compare_texts(name, data, we.ENCODINGS[name].decode(data), expected)


def test_every_byte_at_every_place(name: str) -> None:
    """Blocks of 8 to 128 bytes are decoded at once: each byte at each of 130 offsets, among ASCII and among others."""
    encoding = we.ENCODINGS[name]
    texts = [oracle.decode(name, bytes([byte])).text for byte in range(256)]
    valid = next(byte for byte in range(0xFE, 0x7F, -1) if texts[byte] != "\ufffd")
    for filler in (0x61, valid):
        for place in range(130):
            before, after = bytes([filler]) * place, bytes([filler]) * (129 - place)
            data = b"".join(before + bytes([byte]) + after for byte in range(0x70, 0x100))
            expected = "".join(
                texts[filler] * place + texts[byte] + texts[filler] * (129 - place) for byte in range(0x70, 0x100)
            )
            compare_texts(name, data, encoding.decode(data), expected)


def test_errors_at_every_place(name: str) -> None:
    decoded = [oracle.decode(name, bytes([byte])) for byte in range(256)]
    invalid = [byte for byte in range(256) if decoded[byte].spans]
    encoding = we.ENCODINGS[name]
    for byte in invalid:
        for place in range(130):
            data = b"a" * place + bytes([byte]) + b"a" * (130 - place)
            assert encoding.valid_up_to(data) == place
            assert refusal(encoding.decode, data, "fatal") == (name, data, (place, place + 1))
    if not invalid:
        data = bytes(range(256)) * 2
        assert encoding.decode(data, "fatal") == encoding.decode(data)
        assert encoding.valid_up_to(data) == len(data)


def test_code_points_whose_blocks_differ_in_one_bit(name: str) -> None:
    """Kernels look blocks of 128 code points up by their numbers, of which each bit counts."""
    if name not in inputs.ENCODER_NAMES:
        return
    by_block = {
        ord(character) >> 7: ord(character) for character in oracle.decode(name, bytes(range(0x80, 0x100))).text
    }
    others = ((first, first ^ 0x80 << bit) for first in by_block.values() for bit in range(9))
    compare_encoder(name, (f"{chr(first)}{'a' * 70}{chr(other)}{'a' * 70}" for first, other in others))


@cache
def decodable_texts(name: str) -> st.SearchStrategy[str]:
    """Return a strategy for texts of the characters of an encoding."""
    return st.text(sorted(set(we.ENCODINGS[name].decode(bytes(range(256)))) - {"\ufffd"}), max_size=200)


@pytest.mark.shapes
@given(data=st.data())
def test_round_trip(name: str, data: st.DataObject) -> None:
    encoding = we.ENCODINGS[name]
    text = data.draw(decodable_texts(name))
    assert encoding.decode(encoding.encode(text, "fatal"), "fatal") == text
    assert encoding.encoded_length(text, "fatal") == len(text)
