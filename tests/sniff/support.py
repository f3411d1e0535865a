"""Helpers shared by the tests of sniffing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import whatwg_encoding as we
from tests.reference.encodings import get_an_encoding
from whatwg_encoding import sniff

DATA = Path(__file__).parent / "data"

# Context of the table → the function of sniff that accepts the same hints.
ONE_SHOT: dict[str, Callable[..., sniff.Sniffed | None]] = {
    "html-parser": sniff.html, "text-document": sniff.text_document, "xml-parser": sniff.xml,
    "css-from-document": sniff.css, "classic-script": sniff.script, "xhr-text-xml": sniff.xhr_text,
    "xhr-text": sniff.xhr_text, "xhr-document-html": sniff.xhr_document,
}  # fmt: skip


def vectors(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text("ascii"))
    return content


def lookup(label: str) -> str | None:
    """Return the name of the encoding that has a label, by the reference, or None."""
    encoding = get_an_encoding(label)
    return None if encoding is None else encoding.name


def outcome(run: Callable[[], object]) -> object:
    """Return the value of a call, or the attributes of its UnicodeDecodeError (positions are relative to chunks)."""
    try:
        return run()
    except UnicodeDecodeError as error:
        return UnicodeDecodeError, error.encoding, error.object[error.start : error.end]


def pieces(data: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    start = 0
    for cut in sorted(cuts):
        yield data[start:cut]
        start = cut
    yield data[start:]


def chunks_of(data: bytes, size: int) -> Iterator[bytes]:
    return pieces(data, range(size, len(data), size))


async def asynchronous(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def joined(stream: we.DecodeStream) -> str:
    return "".join([text async for text in stream])


def byte_by_byte(data: bytes) -> Iterator[bytes]:
    return chunks_of(data, 1)


def charset(label: str) -> str:
    return f"text/html; charset={label}"


def meta(label: str) -> bytes:
    return f"<meta charset={label}>".encode()


def streamed(context: str, chunks: Iterable[bytes], **hints: Any) -> tuple[object, sniff.Sniffed | None]:
    """Return the whole text of a stream or its error, and what the stream reports about its encoding."""
    stream = we.decode_stream(context, chunks, **hints)
    text = outcome(lambda: "".join(stream))
    if stream.encoding is None:
        return text, None
    assert stream.confidence is not None
    assert stream.source is not None
    return text, sniff.Sniffed(stream.encoding, stream.confidence, stream.source)


def determined(context: str, data: bytes, **hints: Any) -> tuple[str, str, str]:
    """Return name, confidence and source, after checking that a stream of single bytes gives the same result."""
    whole = ONE_SHOT[context](data, **hints)
    assert whole is not None
    hints.pop("response_type", None)  # given by the row of the context
    text, sniffed = streamed(context, byte_by_byte(data), **hints)
    assert sniffed == whole
    expected = outcome(lambda: we.decode_as(context, data, **hints))
    if isinstance(expected, we.Decoded):
        assert text == expected.text
        assert expected.encoding is whole.encoding
    else:
        assert text == expected
    return whole.encoding.name, whole.confidence, whole.source
