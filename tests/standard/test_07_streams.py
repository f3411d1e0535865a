"""TextDecoderStream and TextEncoderStream against the reference, and their handling of sources."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import api as reference
from tests.standard.comparison import refusal

NAMES = [name for name in we.ENCODINGS if name != "replacement"]
BOM_BYTES = st.sampled_from(
    [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef", b"\xbb\xbf", b"\xf0\x9f", b"\x1b$B", b"\x1b("]
)
byte_chunks = st.lists(st.tuples(BOM_BYTES, st.binary(max_size=4)).map(b"".join), max_size=6)
text_chunks = st.lists(st.text(st.sampled_from("aé\ud83d\udca9\U0001f4a9"), max_size=3), max_size=6)


async def arrange(chunks: Iterable[object]) -> AsyncIterator[object]:
    for chunk in chunks:
        await asyncio.sleep(0)
        yield chunk


@given(st.sampled_from(NAMES), byte_chunks, st.booleans(), st.booleans())
def test_decoding_is_the_standards_chunk_by_chunk(
    name: str, chunks: list[bytes], fatal: bool, ignore_bom: bool
) -> None:
    transform = reference.TextDecoderStream(name, fatal=fatal, ignore_bom=ignore_bom)
    expected: list[str] = []
    fails = False
    try:
        for chunk in chunks:
            expected.append(transform.decode_and_enqueue_a_chunk(chunk))
        expected.append(transform.flush_and_enqueue())
    except reference.JSTypeError:
        fails = True
    stream = we.TextDecoderStream(name, fatal=fatal, ignore_bom=ignore_bom)
    outputs: list[str] = []
    try:
        for text in stream(chunks):
            outputs.append(text)  # one by one: output before an error counts
    except UnicodeDecodeError:
        assert fails
    else:
        assert not fails
    assert outputs == [text for text in expected if text]
    if not fails:
        assert list(Awaited(stream(arrange(chunks)))) == outputs


@given(text_chunks)
def test_encoding_is_the_standards_chunk_by_chunk(chunks: list[str]) -> None:
    transform = reference.TextEncoderStream()
    expected = [transform.encode_and_enqueue_a_chunk(chunk) for chunk in chunks] + [transform.encode_and_flush()]
    expected = [output for output in expected if output]
    assert list(we.TextEncoderStream()(chunks)) == expected
    assert list(Awaited(we.TextEncoderStream()(arrange(chunks)))) == expected


def test_an_incomplete_sequence_at_the_end() -> None:
    assert list(we.TextDecoderStream("sjis")([b"a\x82"])) == ["a", "\ufffd"]
    outputs = we.TextDecoderStream("sjis", fatal=True)([b"a\x82"])
    assert next(outputs) == "a"
    assert refusal(next, outputs) == ("Shift_JIS", b"\x82", (0, 1))


def test_each_call_is_an_input_of_its_own() -> None:
    stream = we.TextDecoderStream("iso-2022-jp")
    first, second = stream([b"\x1b$B", b'$"']), stream([b'$"'])
    assert next(first) == "あ"
    assert next(second) == '$"'


class Source:
    """An iterator of chunks that records how it is used."""

    def __init__(self, chunks: list[bytes], error: Exception | None = None) -> None:
        self.chunks, self.error = chunks, error
        self.taken, self.closed = 0, 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self.taken == len(self.chunks):
            raise self.error or StopIteration
        self.taken += 1
        return self.chunks[self.taken - 1]

    def close(self) -> None:
        self.closed += 1


class AsyncSource:
    """The asynchronous counterpart."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(0)
        try:
            return next(self.source)
        except StopIteration:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        await asyncio.sleep(0)
        self.source.close()


LOOP = asyncio.new_event_loop()


class Awaited:
    """An asynchronous generator, used as one that is not."""

    def __init__(self, outputs: Any) -> None:
        self.outputs = outputs

    def __iter__(self) -> Awaited:
        return self

    def __next__(self) -> object:
        try:
            return LOOP.run_until_complete(anext(self.outputs))
        except StopAsyncIteration:
            raise StopIteration from None

    def close(self) -> None:
        LOOP.run_until_complete(self.outputs.aclose())


def awaited(stream: we.TextDecoderStream, source: Source) -> Awaited:
    return Awaited(stream(AsyncSource(source)))


either = pytest.mark.parametrize("decode", [lambda stream, source: stream(source), awaited], ids=["sync", "async"])


@either
def test_a_chunk_is_taken_when_text_is_asked_for(decode: Any) -> None:
    source = Source([b"a", b"\x82", b"\xa0", b"b"])
    outputs = decode(we.TextDecoderStream("sjis"), source)
    assert source.taken == 0
    assert (next(outputs), source.taken) == ("a", 1)
    assert (next(outputs), source.taken) == ("あ", 3)  # the second chunk completed no character
    assert (list(outputs), source.taken, source.closed) == (["b"], 4, 0)


@either
def test_closing_early_closes_the_source(decode: Any) -> None:
    source = Source([b"a", b"b"])
    outputs = decode(we.TextDecoderStream(), source)
    assert next(outputs) == "a"
    outputs.close()
    assert (source.taken, source.closed) == (1, 1)


def test_leaving_a_loop_closes_the_source() -> None:
    source = Source([b"a", b"b"])
    for _ in we.TextDecoderStream()(source):
        break
    assert (source.taken, source.closed) == (1, 1)


@either
def test_an_error_closes_the_source(decode: Any) -> None:
    source = Source([b"a", b"\xff", b"b"])
    with pytest.raises(UnicodeDecodeError, match="UTF-8"):
        list(decode(we.TextDecoderStream(fatal=True), source))
    assert (source.taken, source.closed) == (2, 1)


@either
def test_an_error_of_the_source_comes_through(decode: Any) -> None:
    outputs = decode(we.TextDecoderStream(), Source([b"a"], ConnectionError("lost")))
    assert next(outputs) == "a"
    with pytest.raises(ConnectionError, match="lost"):
        next(outputs)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("一行目\r\n二行目".encode("shift_jis"))
    with path.open("rb") as file:
        assert list(we.TextDecoderStream("sjis")(file)) == ["一行目\r\n", "二行目"]
        assert not file.closed
    assert list(we.TextEncoderStream()(io.StringIO("é\n\U0001f4a9"))) == ["é\n".encode(), "\U0001f4a9".encode()]


def test_buffers_as_chunks() -> None:
    assert list(we.TextDecoderStream()([bytearray(b"a"), memoryview(b"b")])) == ["a", "b"]


@pytest.mark.parametrize("chunks", [b"bytes", bytearray(b"bytes"), memoryview(b"bytes"), "text"])
def test_one_chunk_is_no_iterable_of_chunks(chunks: object) -> None:
    with pytest.raises(TypeError, match=f"iterable of bytes-like objects, not one {type(chunks).__name__}"):
        we.TextDecoderStream()(chunks)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=f"iterable of str, not one {type(chunks).__name__}"):
        we.TextEncoderStream()(chunks)  # type: ignore[call-overload]


@pytest.mark.parametrize("make", [we.TextDecoderStream, we.TextEncoderStream])
def test_what_is_not_iterable_is_known_at_once(make: Any) -> None:
    with pytest.raises(TypeError, match="int"):
        make()(5)


@pytest.mark.parametrize(("make", "chunk"), [(we.TextDecoderStream, "text"), (we.TextEncoderStream, b"bytes")])
def test_chunks_of_the_wrong_type(make: Any, chunk: object) -> None:
    with pytest.raises(TypeError, match=type(chunk).__name__):
        list(make()([chunk]))
