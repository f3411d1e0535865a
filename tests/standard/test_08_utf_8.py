"""UTF-8: https://encoding.spec.whatwg.org/#the-encoding."""

from __future__ import annotations

import ctypes
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import oracle
from tests.standard.comparison import compare_decoder, compare_encoder, compare_texts, every_scalar_value, refusal

NAME = "UTF-8"


def test_four_bytes_at_end_of_queue() -> None:
    """A first byte of each kind, then each byte at which the range of the second, third or fourth begins or ends."""
    firsts = bytes.fromhex("41 7F 80 BF C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FF")
    seconds = bytes.fromhex("41 7F 80 8F 90 9F A0 BF C0 C2 E0 F0 FF")
    others = bytes.fromhex("41 7F 80 BF C0 E0 FF")
    compare_decoder(NAME, (bytes(sequence) for sequence in product(firsts, seconds, others, others)))


def test_every_scalar_value_against_cpython() -> None:
    """CPython's codec as an independent implementation: its UTF-8 is the same for scalar values."""
    text = every_scalar_value()
    data = text.encode("utf-8")
    compare_texts(NAME, data, we.UTF_8.decode(data, "fatal"), text)
    compare_texts(NAME, data, we.UTF_8.decode(b"\xff" + data), "\ufffd" + text)
    assert we.UTF_8.encode(text) == data
    assert we.UTF_8.encode(text, "fatal") == data
    assert we.UTF_8.encoded_length(text) == len(data)
    assert we.UTF_8.valid_up_to(data) == len(data)
    for c in text:
        assert we.UTF_8.encode(c) == c.encode("utf-8")
        assert we.UTF_8.decode(c.encode("utf-8"), "fatal") == c


@given(st.binary(max_size=200) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_bytes_against_cpython(data: bytes) -> None:
    """CPython replaces exactly what the standard does: maximal subparts."""
    assert we.UTF_8.decode(data) == data.decode("utf-8", "replace") == oracle.decode(NAME, data).text


def test_every_surrogate() -> None:
    surrogates = [chr(unit) for unit in range(0xD800, 0xE000)]
    compare_encoder(NAME, surrogates)
    joined = "".join(reversed(surrogates))  # trailing before leading ones form no pair
    assert we.UTF_8.encode(joined) == b"\xef\xbf\xbd" * 2048
    assert we.UTF_8.encoded_length(joined) == 3 * 2048
    text = "x" * 1000 + joined
    assert refusal(we.UTF_8.encode, text, "fatal") == (NAME, text, (1000, 1001))


def test_surrogate_pairs_are_one_code_point() -> None:
    pairs = list(map("".join, product("\ud800\ud801\ud83d\udbfe\udbff", "\udc00\udc01\udca9\udffe\udfff")))
    compare_encoder(NAME, [*pairs, *(f"a\xe9\u3042{pair}z" for pair in pairs)])
    for pair in pairs:
        joined = pair.encode("utf-16-be", "surrogatepass").decode("utf-16-be")
        assert we.UTF_8.encode(pair, "fatal") == joined.encode()
    compare_encoder(NAME, ["".join(units) for units in product("\ud800\udbff\udc00\udfffa\U0001f4a9", repeat=4)])


@pytest.mark.parametrize("text", ["né", "naïve – 日本語", "\U0001f600a", "ÿ" * 5000, "あ" * 2_000_000])
def test_the_utf_8_that_cpython_keeps_with_a_string(text: str) -> None:
    """Some functions of CPython's API leave it there; a result is an object of its own."""
    text_with_utf_8 = "".join(list(text))  # another object, without it
    before = we.UTF_8.encode(text_with_utf_8)
    ctypes.pythonapi.PyUnicode_AsUTF8(ctypes.py_object(text_with_utf_8))
    for errors in ("html", "fatal"):
        assert we.UTF_8.encode(text_with_utf_8, errors) == before == text.encode()  # type: ignore[arg-type]
    assert we.UTF_8.encode(text_with_utf_8) is not we.UTF_8.encode(text_with_utf_8)
    assert we.UTF_8.encode(text_with_utf_8 + "\ud800") == text.encode() + b"\xef\xbf\xbd"
