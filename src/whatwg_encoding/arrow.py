"""Columns of bytes to columns of text, and back: the encodings of the standard over Arrow arrays.

A column is anything that exports Arrow data by the PyCapsule interface: a pyarrow ``Array`` or ``ChunkedArray``, a
Polars or pandas ``Series``, a DuckDB relation of one column, a nanoarrow array. Results are `Column` objects, which all
of these take without a copy: ``pa.array(column)``, ``pa.chunked_array(column)``, ``pl.Series(column)``. This module
imports none of them.

Bytes are columns of Arrow format ``z Z vz w:n``; text (``u U vu``) is read as its UTF-8 bytes. Dictionary-encoded
columns, slices, nulls and chunks are read as they are, and a record batch or table of one column as that column. A null
gives null, empty gives empty. Rows that are their own text (valid UTF-8 in UTF-8, ASCII in an encoding that is
compatible with it) share the buffers of the column.

https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias

from . import sniff as _sniff
from ._arrow import Column, RowDecodeError, RowEncodeError, convert
from ._arrow import sniff as _sniff_column
from ._core import Encoding, quote

__all__ = [
    "Column",
    "RowDecodeError",
    "RowEncodeError",
    "decode_array",
    "decode_array_with_info",
    "encode_array",
    "sniff_array",
]


class ArrowArray(Protocol):
    """Exports one array."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """Exports a stream of arrays."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


ArrowColumn: TypeAlias = ArrowArray | ArrowStream
Unknown: TypeAlias = (
    Encoding | str | Mapping[str, Encoding | str | None] | Callable[[str], Encoding | str | None]
)  # "fatal" and "null" among the strings


def decode_array(
    values: ArrowColumn,
    encoding: Encoding | str | ArrowColumn,
    *,
    errors: Literal["replacement", "fatal", "null"] = "replacement",
    bom: Literal["keep", "sniff"] = "keep",
    unknown: Unknown = "fatal",
    type: Literal["string", "large_string", "string_view"] | None = None,
) -> Column:
    """Decode a column of bytes.

    ``encoding`` is an `Encoding`, a label, or a column of labels with as many rows as ``values``. Each distinct label
    is looked up once (and again if there are more than a thousand). A label that names no encoding is an
    UnknownLabelError unless ``unknown`` is "null", an Encoding or label to use instead, a mapping from such labels, or
    a callable from a label to an Encoding or None (null): `whatwg_encoding.lookup_codec`, say.

    ``errors`` is "replacement" (U+FFFD for each error), "fatal" (a `RowDecodeError`) or "null" (the row is null).
    ``bom="sniff"`` lets a byte order mark decide, and removes it; ``bom="keep"`` decodes it like anything else.

    Returns a `Column` with the chunks and the width of ``values``: format ``u``, ``U`` or ``vu``, or that of ``type``.
    A dictionary-encoded column keeps its indices if it has one encoding and no ``type`` is given. Where the text takes
    more bytes than 32-bit offsets tell, a stream is split into more chunks and an array is an OverflowError.

    Raises a ValueError for a column that contradicts itself, before it is decoded; a TypeError for what exports no
    Arrow data. https://encoding.spec.whatwg.org/#concept-encoding-run
    """
    return convert(
        values, encoding, encodes=False, errors=errors, bom=bom, unknown=unknown, type=type, with_info=False
    )  # fmt: skip


def decode_array_with_info(
    values: ArrowColumn,
    encoding: Encoding | str | ArrowColumn,
    *,
    errors: Literal["replacement", "fatal", "null"] = "replacement",
    bom: Literal["keep", "sniff"] = "keep",
    unknown: Unknown = "fatal",
    type: Literal["string", "large_string", "string_view"] | None = None,
) -> Column:
    """Decode a column of bytes, and tell of each row what happened.

    Takes what `decode_array` takes and returns a struct of ``text``; ``encoding``, the name of the encoding that was
    used, in a dictionary, null where there is none; ``errors``, the number of errors in the row's bytes, also where
    they made it null; and ``first_error``, the position of the first one in the row's bytes, or null.
    """
    return convert(
        values, encoding, encodes=False, errors=errors, bom=bom, unknown=unknown, type=type, with_info=True
    )  # fmt: skip


def encode_array(
    text: ArrowColumn,
    encoding: Encoding | str | ArrowColumn,
    *,
    errors: Literal["html", "fatal", "null"] = "html",
) -> Column:
    """Encode a column of text (Arrow formats ``u U vu``, or a dictionary of those).

    ``encoding`` is as `decode_array` takes it. ``errors`` is "html" (``&#`` decimal ``;`` for a character that the
    encoding lacks), "fatal" (a `RowEncodeError`) or "null" (the row is null). Bytes that are not UTF-8 are U+FFFD each
    time, and an error in the other modes. An EncoderUnavailableError if the encoding has no encoder.

    Returns a `Column` of bytes with the chunks and the width of ``text``: format ``z``, ``Z`` or ``vz``.
    https://encoding.spec.whatwg.org/#get-an-encoder
    """
    return convert(
        text, encoding, encodes=True, errors=errors, bom="keep", unknown="fatal", type=None, with_info=False
    )  # fmt: skip


def sniff_array(
    bodies: ArrowColumn,
    content_types: ArrowColumn | str | None = None,
    *,
    rule: Literal["html", "crawl"] = "html",
    detector: Any = None,
) -> Column:
    """Determine the encoding of each row of a column of documents.

    ``content_types`` is a column of ``Content-Type`` header values with as many rows, one value for all, or None; a
    null is a document without the header. ``rule`` is "html", what a browser does (`sniff.html`, with ``detector``), or
    "crawl", what the text most likely is (`sniff.crawl`, which has a detector of its own). Each document is passed on
    as a memoryview.

    Returns a struct of ``encoding`` (its name), ``source`` and ``confidence``, each in a dictionary; all three are null
    where the document is.
    """
    if rule == "html":

        def sniffed(body: memoryview, content_type: str | None) -> _sniff.Sniffed:
            return _sniff.html(body, content_type=content_type, detector=detector)

        return _sniff_column(bodies, content_types, sniffed)
    if rule != "crawl":
        raise ValueError(f"rule is {quote(rule)}; it takes 'html' or 'crawl'")
    if detector is not None:
        raise ValueError("rule='crawl' has a detector of its own")
    return _sniff_column(bodies, content_types, _sniff.crawl)
