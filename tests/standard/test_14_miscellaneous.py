"""replacement, UTF-16BE/LE and x-user-defined: https://encoding.spec.whatwg.org/#legacy-miscellaneous-encodings.

test_09_single_byte covers every byte and every scalar value of x-user-defined, which is like the encodings there.
"""

from __future__ import annotations

from itertools import product

import pytest

import whatwg_encoding as we
from tests.reference import inputs
from tests.standard.comparison import compare_decoder, compare_texts, every_scalar_value, refusal

utf_16 = pytest.mark.parametrize("name", ["UTF-16BE", "UTF-16LE"])


def units(name: str, *values: int) -> bytes:
    return b"".join(value.to_bytes(2, "big" if name == "UTF-16BE" else "little") for value in values)


@pytest.mark.gate
@utf_16
@pytest.mark.parametrize("length", [3, 4, 5])
def test_three_to_five_bytes_at_end_of_queue(name: str, length: int) -> None:
    compare_decoder(name, inputs.boundary_inputs(name, length) if length < 5 else shapes_of_five(name))


def shapes_of_five(name: str) -> list[bytes]:
    ends = (0x0041, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000)
    return [units(name, *pair) + bytes([odd]) for pair in product(ends, repeat=2) for odd in range(256)]


@pytest.mark.gate
@utf_16
def test_every_scalar_value_against_cpython(name: str) -> None:
    """CPython's codec as an independent implementation: its UTF-16 is the same for scalar values."""
    text = every_scalar_value()
    data = text.encode(name.lower())
    encoding = we.ENCODINGS[name]
    compare_texts(name, data, encoding.decode(data, "fatal"), text)
    compare_texts(name, data, encoding.decode(units(name, 0xDC00) + data), "\ufffd" + text)
    assert encoding.valid_up_to(data) == len(data)
    for c in text:
        assert encoding.decode(c.encode(name.lower()), "fatal") == c


@pytest.mark.gate
@utf_16
def test_every_surrogate_shape(name: str) -> None:
    """Every pair of code units from the boundaries of the ranges, and every surrogate next to each of these."""
    ends = (
        0x0000, 0x0041, 0xD7FF, 0xD800, 0xD801, 0xDBFE, 0xDBFF, 0xDC00, 0xDC01, 0xDFFE, 0xDFFF, 0xE000, 0xFFFD, 0xFFFF,
    )  # fmt: skip
    compare_decoder(name, (units(name, *pair) for pair in product(ends, repeat=2)))
    compare_decoder(name, (units(name, *triple) for triple in product(ends, repeat=3)))
    compare_decoder(name, (units(name, *four) for four in product((0x0041, 0xD800, 0xDBFF, 0xDC00, 0xDFFF), repeat=4)))
    for surrogate in range(0xD800, 0xE000):
        compare_decoder(
            name,
            (
                units(name, surrogate),
                *(units(name, surrogate, other) for other in (0x0041, 0xDBFF, 0xDC00, 0xE000)),
                *(units(name, other, surrogate) for other in (0x0041, 0xD800, 0xDFFF, 0xE000)),
            ),
        )


@utf_16
def test_surrogates_at_every_place(name: str) -> None:
    """Blocks of 8 to 64 bytes are decoded at once: each shape at each of 70 offsets, in narrow and in wide text."""
    encoding = we.ENCODINGS[name]
    shapes: list[tuple[bytes, str]] = [
        (units(name, 0xD83D, 0xDCA9), "\U0001f4a9"),
        (units(name, 0xD83D, 0x0041), "\ufffdA"),
        (units(name, 0xDCA9), "\ufffd"),
        (units(name, 0xDCA9, 0xD83D, 0xDCA9), "\ufffd\U0001f4a9"),
        (units(name, 0xD83D, 0xD83D, 0xDCA9), "\ufffd\U0001f4a9"),
    ]
    for filler in (0x0061, 0x00E9, 0x3042):
        for before, (data, text) in product(range(70), shapes):
            whole = units(name, *[filler] * before) + data + units(name, *[filler] * (70 - before))
            compare_texts(
                name, whole, encoding.decode(whole), chr(filler) * before + text + chr(filler) * (70 - before)
            )
            if text.startswith("\ufffd"):
                assert encoding.valid_up_to(whole) == 2 * before
            else:
                assert encoding.decode(whole, "fatal") == encoding.decode(whole)


def test_replacement_is_one_error_for_whatever_there_is() -> None:
    compare_decoder("replacement", inputs.one_and_two_bytes())
    compare_decoder("replacement", [b"", b"a" * 1000, b"\x1b$B" * 100, b"\xff" * 100_000])
    assert refusal(we.REPLACEMENT.decode, b"abc", "fatal") == ("replacement", b"abc", (0, 1))


def test_x_user_defined() -> None:
    """https://encoding.spec.whatwg.org/#x-user-defined has no index, only a formula."""
    private_use = "".join(map(chr, range(0xF780, 0xF800)))
    assert we.X_USER_DEFINED.decode(bytes(range(256)), "fatal") == bytes(range(128)).decode("ascii") + private_use
    assert we.X_USER_DEFINED.encode(private_use, "fatal") == bytes(range(128, 256))
    assert we.X_USER_DEFINED.encode("\uf77f\uf800\x80") == b"&#63359;&#63488;&#128;"
