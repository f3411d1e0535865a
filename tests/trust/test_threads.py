"""Many threads: shared encodings, separate decoders, one decoder in two threads, buffers that change during a call.

On a build of Python without the GIL the threads run in parallel; otherwise they switch wherever it is released.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Literal

import pytest

import whatwg_encoding as we
from tests.programs import python
from tests.reference import inputs, oracle

THREADS = 8


def together(work: Callable[[int], None], threads: int = THREADS) -> None:
    """Run ``work`` in several threads that start together; raise the first exception among them."""
    start, raised = threading.Barrier(threads), []

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            raised.append(error)

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if raised:
        raise raised[0]


def jobs() -> list[tuple[str, bytes, str, bytes]]:
    """Return data of each encoding, below and above the size that releases the GIL, with its text and its bytes."""
    result = []
    for name in inputs.ALL_NAMES:
        pool = inputs.pool(name)
        for data in (pool[:300], pool):
            text = oracle.decode(name, data).text
            encoded = oracle.encode(name, text).output if name in inputs.ENCODER_NAMES else b""
            result.append((name, data, text, encoded))
    return result


@pytest.mark.parametrize("rounds", [250, pytest.param(5000, marks=pytest.mark.slow)])
def test_eight_threads_share_the_encodings(rounds: int) -> None:
    expected = jobs()

    def work(number: int) -> None:
        choice = random.Random(number)
        for _ in range(rounds):
            name, data, text, encoded = choice.choice(expected)
            encoding = we.lookup(name.upper() if number % 2 else name.lower())
            assert encoding.decode(data) == text
            assert encoding.decode_to_utf8(data) == text.encode()
            decoder, cut = encoding.new_decoder(), choice.randrange(len(data) + 1)
            assert decoder.decode(data[:cut]) + decoder.decode(data[cut:], True) == text
            with suppress(UnicodeDecodeError):
                assert encoding.decode(data, "fatal") == text
            if encoded:
                assert encoding.encode(text) == encoded
                assert encoding.encoded_length(text) == len(encoded)
                assert encoding.codec_info.encode(text[:50], "ignore")[1] == len(text[:50])
            long = data + b"\n" * 70_000 if name not in ("UTF-16BE", "UTF-16LE", "replacement", "ISO-2022-JP") else data
            assert encoding.decode(long).startswith(text[:-3])

    together(work)


def test_eight_threads_import_and_use_it_first() -> None:
    """Each encoding's module is loaded on first use: here by eight threads at once, in a fresh process."""
    program = """
import threading
start = threading.Barrier(8)
wrong = []
def work():
    start.wait()
    import whatwg_encoding as we
    for encoding in we.ENCODINGS.values():
        if encoding.decode(b"") != "" or encoding.codec_info is not we.lookup(encoding.labels[0]).codec_info:
            wrong.append(encoding)
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not wrong
"""
    for _ in range(3):
        python(program, timeout=120)


@pytest.mark.parametrize("name", ["UTF-8", "gb18030", "ISO-2022-JP", "Shift_JIS", "UTF-16LE", "windows-1252"])
@pytest.mark.parametrize("errors", ["replacement", "fatal"])
def test_one_decoder_in_several_threads(name: str, errors: Literal["replacement", "fatal"]) -> None:
    """Two threads share one decoder: any text may result, and the decoder is usable afterwards."""
    encoding = we.ENCODINGS[name]
    decoder, pool = encoding.new_decoder(errors), inputs.pool(name)
    chunks = [pool[:3], pool[:50], pool * (100_000 // len(pool)), b"", b"a" * 70_000]

    def work(number: int) -> None:
        choice = random.Random(number)
        for _ in range(60):
            with suppress(UnicodeDecodeError):
                well_formed(decoder.decode(choice.choice(chunks), choice.random() < 0.2))
            match choice.randrange(12):
                case 0:
                    decoder.reset()
                case 1:
                    state = decoder.getstate()
                    assert len(state[0]) <= 3
                    decoder.setstate(state)
                case 2:
                    decoder.__init__(encoding, errors)  # type: ignore[misc]

    together(work)
    decoder.reset()
    assert decoder.decode("abc".encode("utf-16-le") if name == "UTF-16LE" else b"abc", True) == "abc"


@pytest.mark.parametrize("name", ["UTF-8", "gb18030", "ISO-2022-JP", "windows-1252"])
def test_one_encoder_in_several_threads(name: str) -> None:
    encoder = we.ENCODINGS[name].new_encoder()
    texts = ["a", "\ud83d", "あé\xa5", "a\u3042\xa5" * 30_000, "", "\ude00"]

    def work(number: int) -> None:
        choice = random.Random(number)
        for _ in range(60):
            assert isinstance(encoder.encode(choice.choice(texts), choice.random() < 0.2), bytes)
            encoder.setstate(encoder.getstate())
            if choice.random() < 0.1:
                encoder.reset()

    together(work)
    encoder.reset()
    assert encoder.encode("abc", True) == b"abc"


def well_formed(text: str) -> None:
    """Fail unless a str's memory is what its flags say: otherwise its encoded form differs or does not decode.

    A surrogate has no encoded form.
    """
    assert text.encode().decode() == text


@contextmanager
def disturbed(memory: bytearray, first: bytes, second: bytes) -> Iterator[None]:
    """Encode and decode while another thread alternates the memory's content between two versions."""
    stop = threading.Event()

    def write() -> None:
        turn, size = 0, len(memory)
        while not stop.is_set():
            source = first if turn % 2 else second
            memory[:] = source
            at = turn * 7919 % size
            memory[at : at + 977] = (second if turn % 2 else first)[at : at + 977]
            turn += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("name", [*inputs.MULTI_BYTE_NAMES, "windows-1252", "windows-1251", "ISO-8859-6", "macintosh"])
def test_a_buffer_that_changes_meanwhile(name: str) -> None:
    """Changing bytes may decode to any text, but the result is a valid str and no read leaves the buffer."""
    encoding, size, pool = we.ENCODINGS[name], 200_000, inputs.pool(name)
    contents = [(pool * (size // len(pool) + 1))[:size], b"a" * size, b"\xc3\xa4\xe3\x81\x82" * (size // 5),
                "\U0001f600".encode("utf-8") * (size // 4), bytes(size), b"\xff" * size]  # fmt: skip
    for first, second in pairwise(contents):
        memory = bytearray(first)
        with disturbed(memory, first, second):
            for _ in range(6):
                well_formed(encoding.decode(memory))
                well_formed(encoding.new_decoder().decode(memory, True))
                assert 0 <= encoding.valid_up_to(memory) <= size
                assert isinstance(encoding.decode_to_utf8(memory), bytes)
                assert isinstance(we.recode(memory, encoding, "gb18030", "html"), bytes)
                with suppress(UnicodeDecodeError):
                    well_formed(encoding.decode(memory, "fatal"))
                well_formed(encoding.codec_info.decode(memory, "ignore")[0])
