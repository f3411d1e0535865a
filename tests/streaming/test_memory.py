"""The memory that results, decoders and encoders hold: results about what they need, idle objects almost none."""

from __future__ import annotations

import codecs
import gc
import sys
import tracemalloc
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import holds_no_more_than_it_needs, is_same_text
from tests.streaming.material import chunks_of_all_kinds, pad

decoded = pytest.mark.parametrize("name", inputs.TEXT_NAMES)
encoded = pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
sizes = pytest.mark.parametrize("size", [600, 4096, 40_000])

#: The total number of bytes that a decoder or an encoder may hold between two calls.
IDLE = 512


@cache
def stream_of_chunks(name: str, size: int) -> list[tuple[bytes, str]]:
    """Return chunks of `size` bytes with their texts, of each kind of string that the encoding has, in alternation."""
    filler = pad(name, 1)
    texts = {}
    for chunk in chunks_of_all_kinds(name):
        # A chunk leaves no state, so the text of what follows it does not depend on it.
        count = max(size - len(chunk), 0) // len(filler)
        text = oracle.decode(name, chunk[:size]).text + oracle.decode(name, filler).text * count
        texts[chunk[:size] + filler * count] = text
    random = Random(name)
    chosen = [chunk for chunk in random.choices(list(texts), k=30) for _ in range(random.choice((1, 1, 2, 5)))]
    return [(chunk, texts[chunk]) for chunk in chosen]


def texts_of_all_kinds(name: str, size: int) -> list[str]:
    """Return texts of `size` code points of each kind of string."""
    random = Random(name)
    return ["".join(random.choices(letters, k=size)) for letters in ("a", "aé", "aжя", "日本語", "a😀", "a日é")]


@decoded
@sizes
def test_texts_of_chunks_hold_what_they_need(name: str, size: int) -> None:
    """Results are compact whether they are kept or dropped, and whatever the previous chunks were."""
    stream = we.ENCODINGS[name].new_decoder()
    assert all(map(holds_no_more_than_it_needs, [stream.decode(data) for data, _ in stream_of_chunks(name, size)]))
    for data, text in stream_of_chunks(name, size):
        # Each chunk is complete and leaves no state, so that its text is what it decodes to alone.
        decoder = we.ENCODINGS[name].new_decoder()
        for _ in range(3):
            decoder.decode(pad(name, 1) * 300)
        assert is_same_text(decoder.decode(data, True), text)


@encoded
@sizes
def test_bytes_of_chunks_hold_what_they_need(name: str, size: int) -> None:
    encoder = we.ENCODINGS[name].new_encoder()
    results = [encoder.encode(text) for text in texts_of_all_kinds(name, size)]
    assert all(map(holds_no_more_than_it_needs, results))


def allocated(make: Callable[[], Any], count: int) -> float:
    """Return the bytes that each of `count` objects holds, as counted by the interpreter's allocators."""
    held: list[Any] = [None] * count
    gc.freeze()  # Collect only what `make` leaves: all objects of all tests would take most of the time.
    tracemalloc.start()
    try:
        for i in range(count):
            held[i] = make()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / count
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_an_idle_decoder_is_small(name: str) -> None:
    data = pad(name, 1) * 4096 + inputs.vectors(name)[0]
    we.ENCODINGS[name].new_decoder().decode(data)  # imports the encoding's module

    def used() -> we.Decoder:
        decoder = we.ENCODINGS[name].new_decoder()
        for _ in range(40):  # so that what a call leaves is more than is allowed
            decoder.decode(data)
        return decoder

    assert allocated(used, 50) <= IDLE


@encoded
def test_an_idle_encoder_is_small(name: str) -> None:
    texts = texts_of_all_kinds(name, 5000)
    we.ENCODINGS[name].new_encoder().encode("a")

    def used() -> we.Encoder:
        encoder = we.ENCODINGS[name].new_encoder()
        for text in texts * 7:
            encoder.encode(text)
        return encoder

    assert allocated(used, 20) <= IDLE


def test_an_error_handler_may_use_the_decoder_that_called_it() -> None:
    """A nested call has its own result, and does not change the text of the outer call."""
    good, bad = b"\xe0" * 4096, b"\xe1" * 4095 + b"\xff"
    inner: list[str] = []

    def handler(error: UnicodeError) -> tuple[str, int]:
        inner.append(decoder.decode(good))
        if len(inner) % 3 == 0:
            decoder.reset()
        return "?", error.end

    codecs.register_error("whatwg_encoding.test_memory", handler)
    codec = we.ISO_8859_8.codec_info.incrementaldecoder
    decoder = codec("whatwg_encoding.test_memory")
    outer = []
    for _ in range(40):
        decoder.decode(good)
        outer.append(decoder.decode(bad))
    assert all(text == "\u05d1" * 4095 + "?" for text in outer)
    assert len(inner) == 40
    assert all(text == "\u05d0" * 4096 for text in inner)


def test_the_count_of_what_an_object_holds_sees_it() -> None:
    """Control: the count includes the size of a plain object."""
    assert allocated(lambda: bytes(1000), 100) >= sys.getsizeof(bytes(1000))
