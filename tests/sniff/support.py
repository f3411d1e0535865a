"""What the tests of sniffing share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import whatwg_encoding as we
from tests.reference.encodings import get_an_encoding
from whatwg_encoding import sniff

DATA = Path(__file__).parent / "data"

# Context of the table → the function of sniff that takes the same hints.
ONE_SHOT: dict[str, Callable[..., sniff.Sniffed | None]] = {
    "html-parser": sniff.html,
    "text-document": sniff.text_document,
    "xml-parser": sniff.xml,
    "css-from-document": sniff.css,
    "classic-script": sniff.script,
    "xhr-text-xml": sniff.xhr_text,
    "xhr-text": sniff.xhr_text,
    "xhr-document-html": sniff.xhr_document,
}


def vectors(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text("ascii"))
    return content


def lookup(label: str) -> str | None:
    """The name of the encoding of a label by the reference, or None."""
    encoding = get_an_encoding(label)
    return None if encoding is None else encoding.name


def outcome(run: Callable[[], object]) -> object:
    """What a run gives: its value, or the facts of its UnicodeDecodeError (positions are relative to chunks)."""
    try:
        return run()
    except UnicodeDecodeError as error:
        return UnicodeDecodeError, error.encoding, error.object[error.start : error.end]


def pieces(data: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    """The data cut at these offsets."""
    start = 0
    for cut in sorted(cuts):
        yield data[start:cut]
        start = cut
    yield data[start:]


def byte_by_byte(data: bytes) -> Iterator[bytes]:
    return pieces(data, range(1, len(data)))


def streamed(context: str, chunks: Iterable[bytes], **hints: Any) -> tuple[object, sniff.Sniffed | None]:
    """The whole text of a stream, or its error, and what the stream says of its encoding."""
    stream = we.decode_stream(context, chunks, **hints)
    text = outcome(lambda: "".join(stream))
    if stream.encoding is None:
        return text, None
    assert stream.confidence is not None
    assert stream.source is not None
    return text, sniff.Sniffed(stream.encoding, stream.confidence, stream.source)


def determined(context: str, data: bytes, **hints: Any) -> tuple[str, str, str]:
    """Name, confidence and source: of the whole, after it was shown that a stream of single bytes gives the same."""
    whole = ONE_SHOT[context](data, **hints)
    assert whole is not None
    hints.pop("response_type", None)  # which the row of the context says
    text, sniffed = streamed(context, byte_by_byte(data), **hints)
    assert sniffed == whole
    expected = outcome(lambda: we.decode_as(context, data, **hints))
    if isinstance(expected, we.Decoded):
        assert text == expected.text
        assert expected.encoding is whole.encoding
    else:
        assert text == expected
    return whole.encoding.name, whole.confidence, whole.source
