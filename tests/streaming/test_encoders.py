"""Incremental encoders: for any chunks, bytes and errors are those of the whole text.

Two things are kept between chunks: a leading surrogate, which the next chunk may complete, and ISO-2022-JP's state.
"""

from __future__ import annotations

from itertools import pairwise, product

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import outcome

every = pytest.mark.parametrize("name", inputs.ENCODER_NAMES)

TEXTS = [
    "",
    "ASCII \\~",
    "\xa5\u203ea\\",
    "\u3042\u3044a\uff71",
    "\u3042\x1b\x0e",
    "\xe9\u20ac\u0416",
    "\U0001f4a9\u3042",
    "\ud83d\udca9",  # a pair: one code point
    "\ud83d",  # lone ones
    "\udca9",
    "\udca9\ud83d",
    "\ud83d\ud83d\udca9",
    "a\ud83da",
    "\u3042\ud83d\u3042",
    "\xe9\ud83d\ud83d",
]


def check(name: str, text: str, cuts: tuple[int, ...]) -> None:
    """Check a text cut at `cuts`, with an empty chunk in each cut and with end-of-queue alone, and without."""
    encoding, where = we.ENCODINGS[name], f"{text!a} cut at {cuts}"
    expected = oracle.encode(name, text)
    chunks = [text[start:end] for start, end in pairwise((0, *cuts, len(text)))]

    encoder = encoding.new_encoder()
    output = b"".join(encoder.encode(chunk) + encoder.encode("") for chunk in chunks)
    assert output + encoder.encode("", True) == expected.output, where
    output = b"".join(map(encoder.encode, chunks[:-1]))
    assert output + encoder.encode(chunks[-1], True) == expected.output, where

    encoder = encoding.new_encoder("fatal")
    output, done = b"", 0
    for number, chunk in enumerate([*chunks, ""]):
        result = outcome(encoder.encode, chunk, number == len(chunks))
        done += len(chunk)
        if not isinstance(result, bytes):
            # The error's object is the pending leading surrogate, if any, followed by the chunk.
            start = done - len(result[1])
            assert len(result[1]) - len(chunk) <= 1, where
            assert expected.fatal is not None, where
            span = expected.fatal[0] - start, expected.fatal[1] - start
            assert result == (name, text[start:done], span), where
            assert encoder.encode("a\\", True) == b"a\\", "not reset by the error"
            break
        output += result
    else:
        assert (output, None) == (expected.output, expected.fatal), where


@every
def test_every_split_and_pair_of_splits(name: str) -> None:
    for text in TEXTS:
        for cuts in ((), *((i,) for i in range(len(text) + 1)), *oracle.splits(range(len(text)))):
            check(name, text, cuts)


@every
def test_every_split_of_shapes_of_four(name: str) -> None:
    alphabet = "a\xa5\u3042" if name in ("UTF-8", "ISO-2022-JP", "gb18030", "Shift_JIS") else "a"
    for shape in product(alphabet + "\ud83d\udca9", repeat=4):
        for cuts in ((1,), (2,), (3,), (1, 2, 3)):
            check(name, "".join(shape), cuts)


@pytest.mark.gate
@every
@pytest.mark.shapes
def test_every_split_in_ascii_of_0_to_64(name: str) -> None:
    """Blocks of 16 to 64 code points are processed at once: each vector at each offset."""
    for length, vector in product(range(65), ("\ud83d\udca9", "\u3042\ud83d", "\xe9\u20ac", "\xa5\u3042\\")):
        for text in ("x" * length + vector, vector + "x" * length, "x" * length + vector + "x" * length):
            for cut in {text.find(vector) + i for i in range(len(vector) + 1)}:
                check(name, text, (cut,))


@every
def test_a_state_can_be_taken_and_given_back_anywhere(name: str) -> None:
    encoding = we.ENCODINGS[name]
    assert encoding.new_encoder().getstate() == 0, "the initial state of codecs.IncrementalEncoder"
    used = encoding.new_encoder()
    for text in TEXTS:
        expected = oracle.encode(name, text).output
        encoder = encoding.new_encoder()
        output = b""
        for position in range(len(text) + 1):
            output += encoder.encode(text[position - 1 : position] if position else "")
            state = encoder.getstate()
            assert isinstance(state, int)
            for other in (encoding.new_encoder(), used):
                other.setstate(state)
                assert other.getstate() == state
                assert output + other.encode(text[position:], True) == expected, (text, position)


@every
def test_the_next_text_is_a_new_one(name: str) -> None:
    """After `reset` anywhere, and after `final`."""
    encoder = we.ENCODINGS[name].new_encoder()
    for text in TEXTS * 2:
        expected = oracle.encode(name, text).output
        for cut in range(len(text) + 1):
            encoder.encode(text[:cut])
            encoder.reset()
            assert encoder.getstate() == 0
            assert encoder.encode(text, True) == expected
            assert encoder.getstate() == 0
        assert encoder.encode(text, True) == expected


@every
def test_large_chunks(name: str) -> None:
    texts = [text for text in TEXTS if not text.startswith("\udca9") and not text.endswith("\ud83d")]
    block = "ASCII " * 10 + "".join(texts)
    text = block * (100_000 // len(block))
    expected = oracle.encode(name, block).output * (100_000 // len(block))
    if name == "ISO-2022-JP":  # its state is not ASCII at the end of a block
        expected = oracle.encode(name, text).output
    for size in (65_536, 9_973):
        encoder = we.ENCODINGS[name].new_encoder()
        output = b"".join(encoder.encode(text[i : i + size]) for i in range(0, len(text), size))
        assert output + encoder.encode("", True) == expected
