"""Results that the caller lets go of are written again: nothing that anybody still has or knows may change."""

from __future__ import annotations

import codecs
import ctypes
import gc
import sys
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import smallest_size
from tests.streaming.material import chunks_of_all_kinds, pad

#: Bytes of a chunk, or code points of a text, whose results are used again.
SIZE = 4096

decoded = pytest.mark.parametrize("name", [name for name in inputs.ALL_NAMES if name != "replacement"])
encoded = pytest.mark.parametrize("name", [name for name in inputs.ALL_NAMES if we.ENCODINGS[name].has_encoder])

_as_utf8 = ctypes.pythonapi.PyUnicode_AsUTF8AndSize
_as_utf8.argtypes = [ctypes.py_object, ctypes.POINTER(ctypes.c_ssize_t)]
_as_utf8.restype = ctypes.c_void_p


def utf_8_in_place(text: str) -> bytes:
    """The UTF-8 form that a string keeps from then on."""
    size = ctypes.c_ssize_t()
    return ctypes.string_at(_as_utf8(text, ctypes.byref(size)), size.value)


def own_copy(text: str) -> str:
    return "".join(list(text))


def stream_of_chunks(name: str) -> list[tuple[bytes, str]]:
    """Chunks of SIZE bytes with their texts, of each kind of string that the encoding has, some kinds for a while."""
    filler = pad(name, 1)
    texts = {}
    for chunk in chunks_of_all_kinds(name):
        padded = chunk + filler * ((SIZE - len(chunk)) // len(filler))
        if len(padded) == SIZE:
            texts[padded] = oracle.decode(name, padded).text
    random = Random(name)
    chosen = [chunk for chunk in random.choices(list(texts), k=60) for _ in range(random.choice((1, 1, 2, 5)))]
    return [(chunk, texts[chunk]) for chunk in chosen]


def texts_with_bytes(name: str) -> list[tuple[str, bytes]]:
    """Texts of SIZE code points of each kind of string, with their bytes. (Their last leaves ISO-2022-JP in ASCII.)"""
    random = Random(name)
    pairs = []
    for letters in ("a", "aé", "aжя", "日本語", "a😀", "a日é"):
        text = "".join(random.choices(letters, k=SIZE - 1)) + "a"
        pairs.append((text, oracle.encode(name, text).output))
    return [pair for pair in random.choices(pairs, k=40) for _ in range(random.choice((1, 1, 2, 5)))]


#: What callers do with results: how many of the last they keep.
KEEPING: dict[str, Callable[[Random], int]] = {
    "none": lambda random: 0,
    "the last": lambda random: 1,
    "the last two": lambda random: 2,
    "all": lambda random: sys.maxsize,
    "now this, now that": lambda random: random.choice((0, 0, 1, 2, 3, 9)),
}
keeping = pytest.mark.parametrize("kept", KEEPING)


def check_kept(convert: Callable[[Any], Any], items: list[tuple[Any, Any]], kept: str) -> None:
    """Converts all items; each result must be right when it comes, and as long as it is kept."""
    random = Random(kept)
    held: list[tuple[Any, Any]] = []
    for item, expected in items:
        held.append((convert(item), expected))
        # (Not with ==, which a string with a known hash may short-cut: unit by unit.)
        assert all(list(result) == list(right) for result, right in held[-4:])
        limit = KEEPING[kept](random)
        if len(held) > limit:
            del held[: len(held) - limit]
    assert all(result == right for result, right in held)


@decoded
@keeping
def test_texts_that_are_kept_stay_as_they_are(name: str, kept: str) -> None:
    items = stream_of_chunks(name)
    valid = [(data, text) for data, text in items if "\ufffd" not in text]
    check_kept(we.ENCODINGS[name].new_decoder().decode, items, kept)
    check_kept(we.ENCODINGS[name].new_decoder("fatal").decode, valid, kept)
    handled = we.ENCODINGS[name].codec_info.incrementaldecoder
    assert handled is not None
    check_kept(handled("backslashreplace").decode, valid, kept)


@encoded
@keeping
def test_bytes_that_are_kept_stay_as_they_are(name: str, kept: str) -> None:
    check_kept(we.ENCODINGS[name].new_encoder().encode, texts_with_bytes(name), kept)


@decoded
def test_a_text_is_in_its_own_kind_and_size(name: str) -> None:
    decode = we.ENCODINGS[name].new_decoder().decode
    for data, text in stream_of_chunks(name):
        result = decode(data)
        assert sys.getsizeof(result) == smallest_size(text)
        assert result.isascii() == text.isascii()


#: What is remembered of a string, in it or elsewhere by its text; and what that is to be.
USES: dict[str, tuple[Callable[[str], object], Callable[[str], object]]] = {
    "hash": (hash, lambda text: hash(own_copy(text))),
    "UTF-8": (utf_8_in_place, lambda text: text.encode()),
    "interned": (sys.intern, own_copy),
    "member": (lambda text: {text}, lambda text: {own_copy(text)}),
    "attribute": (lambda text: getattr(we, text, text), own_copy),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(("name", "letters"), [("windows-1251", "жя"), ("windows-1252", "éü"), ("windows-1252", "ab")])
def test_nothing_is_remembered_of_an_earlier_text(name: str, letters: str, use: str) -> None:
    look, expected = USES[use]
    decoder, encoding = we.ENCODINGS[name].new_decoder(), name.lower()
    for round_number in range(12):
        text = letters[round_number % 2] * (SIZE - 8) + f"{round_number:8}"
        result = decoder.decode(text.encode(encoding))
        assert look(result) == expected(text)
        del result
    assert sys.intern(own_copy(text)) == text


def test_nothing_is_remembered_of_earlier_bytes() -> None:
    encode = we.WINDOWS_1251.new_encoder().encode
    for round_number in range(12):
        text = "жя"[round_number % 2] * (SIZE - 8) + f"{round_number:8}"
        result = encode(text)
        assert hash(result) == hash(text.encode("windows-1251"))
        del result


def test_an_error_handler_may_use_the_decoder_that_called_it() -> None:
    """What it gets from there is its own, like the text around it."""
    good, bad = b"\xe0" * SIZE, b"\xe1" * (SIZE - 1) + b"\xff"
    inner: list[str] = []

    def handler(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        inner.append(decoder.decode(good))
        if len(inner) % 3 == 0:
            decoder.reset()
        return "?", error.end

    codecs.register_error("whatwg_encoding.test_reuse", handler)
    codec = we.ISO_8859_8.codec_info.incrementaldecoder
    assert codec is not None
    decoder = codec("whatwg_encoding.test_reuse")
    outer = []
    for _ in range(40):
        decoder.decode(good)
        outer.append(decoder.decode(bad))
    assert all(text == "\u05d1" * (SIZE - 1) + "?" for text in outer)
    assert len(inner) == 40
    assert all(text == "\u05d0" * SIZE for text in inner)


#: Rounds of a stream whose results are all kept: time enough for the decoder to see that they are.
ROUNDS = 12
#: What results may take of what they need: large ones a sixteenth more, two now and then all that they were allotted.
MOST_TAKEN = 1.03


def check_memory(convert: Callable[[Any], Any], items: list[Any]) -> None:
    """What results that are all kept have allotted, beside what each takes by itself."""
    tracemalloc.start()
    try:
        results = [convert(item) for item in items * ROUNDS]
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - sys.getsizeof(results)
    finally:
        tracemalloc.stop()
    assert taken < sum(map(sys.getsizeof, results)) * MOST_TAKEN


@decoded
def test_texts_that_are_kept_take_what_they_need(name: str) -> None:
    check_memory(we.ENCODINGS[name].new_decoder().decode, [data for data, _ in stream_of_chunks(name)])


@encoded
def test_bytes_that_are_kept_take_what_they_need(name: str) -> None:
    check_memory(we.ENCODINGS[name].new_encoder().encode, [text for text, _ in texts_with_bytes(name)])


@pytest.mark.parametrize("size", [SIZE, 8000, 30_000, 100_000])
@pytest.mark.parametrize("ended", ["final", "reset", "deleted"])
@pytest.mark.parametrize("name", ["windows-1251", "UTF-8"])
def test_little_is_kept_and_nothing_after_the_end(name: str, size: int, ended: str) -> None:
    """At most two results of 16 KiB, and none once the stream is over, the decoder reset or gone."""
    texts = ("жя" * (size // 2), "ЖЯ" * (size // 2))
    chunks = (texts[0].encode(name), b"a" * size)

    def stream(decoder: we.Decoder, encoder: we.Encoder) -> None:
        for _ in range(20):
            for chunk in chunks:
                decoder.decode(chunk)
            for text in texts:
                encoder.encode(text)

    def kept() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        decoder, encoder = we.ENCODINGS[name].new_decoder(), we.ENCODINGS[name].new_encoder()
        stream(decoder, encoder)
        decoder.reset()
        encoder.reset()
        before = kept()
        stream(decoder, encoder)
        assert kept() - before < 4 * (16_384 + 200)
        if ended == "final":
            decoder.decode(b"", True)
            encoder.encode("", True)
        elif ended == "reset":
            decoder.reset()
            encoder.reset()
        else:
            del decoder, encoder
        assert kept() - before < SIZE  # the least that could be kept; the interpreter itself has some hundred bytes
    finally:
        tracemalloc.stop()
