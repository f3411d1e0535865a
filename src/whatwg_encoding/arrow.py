"""Decode and encode columns: Arrow arrays of bytes to Arrow arrays of text, and back.

A column is any object that exports Arrow data by the PyCapsule interface: a pyarrow ``Array`` or ``ChunkedArray``, a
Polars or pandas ``Series``, a DuckDB relation of one column, a nanoarrow array. Results are `Column` objects, which
these libraries import without a copy: ``pa.array(column)``, ``pa.chunked_array(column)``, ``pl.Series(column)``. This
module imports none of them.

Bytes are columns of Arrow format ``z Z vz w:n``; text (``u U vu``) is read as its UTF-8 bytes. Dictionary-encoded
columns, slices, nulls and chunks are supported, and a record batch or table of one column is read as that column. A
null row gives null, an empty row gives empty. Rows whose bytes equal their text (valid UTF-8 in UTF-8, ASCII in an
ASCII-compatible encoding) share the buffers of the column.

https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, Protocol, TypeAlias

from . import Encoding, UnknownLabelError
from . import sniff as _sniff
from ._native.arrow import Column, RowDecodeError, RowEncodeError, convert
from ._native.arrow import sniff as _sniff_column
from .files import file_encoding, quote

__all__ = [
    "Column", "RowDecodeError", "RowEncodeError", "decode_array", "decode_array_with_info", "encode_array",
    "sniff_array",
]  # fmt: skip


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

    ``encoding``: an `Encoding`, a label, the name of a code page such as "cp850", or a column of labels (without code
    pages) with as many rows as ``values``. Each distinct label is looked up once (again if there are more than 1,024).
    ``unknown``: what to do with an unknown label. "fatal" raises UnknownLabelError, and "null" makes the row null. An
    Encoding or label replaces it. A mapping or a callable, such as `whatwg_encoding.lookup_codec`, returns an Encoding
    or label for it, or None for null.

    ``errors``: "replacement" (U+FFFD for each error), "fatal" (raise `RowDecodeError`) or "null" (the row is null).
    ``bom="sniff"``: a byte order mark overrides the encoding and is removed; "keep": it is decoded as text.

    Return a `Column` with the chunks and the offset width of ``values``: format ``u``, ``U`` or ``vu``, or that of
    ``type``. A dictionary-encoded column keeps its indices if it has a single encoding and ``type`` is None. If the
    text exceeds the limit of 32-bit offsets, a stream is split into more chunks, and an array raises OverflowError.

    Raise ValueError for invalid Arrow data, before anything is decoded, and TypeError for an object that exports none.
    https://encoding.spec.whatwg.org/#concept-encoding-run

    >>> import pyarrow
    >>> bodies, labels = pyarrow.array([b"\\x83n", b"caf\\xe9"]), pyarrow.array(["sjis", "latin1"])
    >>> pyarrow.array(decode_array(bodies, labels)).to_pylist()
    ['ハ', 'café']
    """
    return convert(
        values, _given(encoding), encodes=False, errors=errors, bom=bom, unknown=unknown, type=type, with_info=False
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
    """Decode a column of bytes, with the encoding and the errors of each row.

    The parameters are those of `decode_array`. Return a struct of ``text``; ``encoding``, the name of the encoding that
    was used, dictionary-encoded, or null; ``errors``, the number of errors in the row, also if they make the text null;
    and of the first one, or null: ``first_error``, its offset in the bytes of the row, and ``line`` and ``column`` in
    the text, as in `MalformedAt`.

    Raise what `decode_array` raises.

    >>> import pyarrow
    >>> pyarrow.array(decode_array_with_info(pyarrow.array([b"a\\xff"]), "utf-8")).to_pylist()
    [{'text': 'a\\ufffd', 'encoding': 'UTF-8', 'errors': 1, 'first_error': 1, 'line': 1, 'column': 2}]
    """
    return convert(
        values, _given(encoding), encodes=False, errors=errors, bom=bom, unknown=unknown, type=type, with_info=True
    )  # fmt: skip


def encode_array(
    text: ArrowColumn,
    encoding: Encoding | str | ArrowColumn,
    *,
    errors: Literal["html", "fatal", "null"] = "html",
) -> Column:
    """Encode a column of text (Arrow formats ``u U vu``, or a dictionary of those).

    ``encoding``: as in `decode_array`. ``errors``: "html" (a decimal character reference for each unmappable
    character), "fatal" (raise `RowEncodeError`) or "null" (the row is null). Malformed UTF-8 is replaced with U+FFFD in
    "html", and is an error in the other modes. Raise EncoderUnavailableError if the encoding has no encoder.

    Return a `Column` of bytes with the chunks and the offset width of ``text``: format ``z``, ``Z`` or ``vz``.
    https://encoding.spec.whatwg.org/#get-an-encoder

    >>> import pyarrow
    >>> pyarrow.array(encode_array(pyarrow.array(["あ", "☃"]), "shift_jis")).to_pylist()
    [b'\\x82\\xa0', b'&#9731;']
    """
    return convert(
        text, _given(encoding), encodes=True, errors=errors, bom="keep", unknown="fatal", type=None, with_info=False
    )  # fmt: skip


def _given(encoding: Encoding | str | ArrowColumn) -> Encoding | str | ArrowColumn:
    """Return the encoding that a caller names for all rows; leave columns, and names that are unknown, as they are."""
    if isinstance(encoding, str):
        try:
            return file_encoding(encoding)
        except UnknownLabelError:
            return encoding  # for which the caller has said what happens
    return encoding


def _domain_or_none(tld: str | None) -> str | None:
    """Return a top-level domain, or None for what is none: what a row lacks does not fail the column."""
    try:
        return _sniff.crawl_detector(tld=tld).tld
    except ValueError:
        return None


def sniff_array(
    bodies: ArrowColumn,
    content_types: ArrowColumn | str | None = None,
    *,
    rule: Literal["html", "crawl"] = "html",
    detector: Any = None,
    tld: ArrowColumn | str | None = None,
    limit: int = _sniff.LIMIT,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Column:
    """Determine the encoding of each row of ``bodies``, a column of documents.

    ``content_types``: a column of ``Content-Type`` header values with as many rows, one value for all, or None. Null
    means a document without the header. ``rule``: "html" for what a browser does (`sniff.html`, with ``detector``), or
    "crawl" for the most likely encoding (`sniff.crawl`, with ``tld``, ``limit``, ``exclude`` and ``candidates``).
    ``tld``: the top-level domain of each document's host: a column with as many rows, or one for all. In a column, null
    and anything but a single label mean that it is unknown. A detector receives each document as bytes or a
    memoryview. Each row is a call of a Python function, with the GIL.

    Return a struct of ``encoding`` (its name), ``source`` and ``confidence``, each dictionary-encoded; all three are
    null for a null document. Raise ValueError for one ``tld`` for all that is not a single label.

    >>> import pyarrow
    >>> pyarrow.array(sniff_array(pyarrow.array([b"<meta charset=euc-kr>"]))).to_pylist()
    [{'encoding': 'EUC-KR', 'source': 'prescan', 'confidence': 'tentative'}]
    """
    if rule == "html":
        if tld is not None or limit != _sniff.LIMIT or exclude != () or candidates is not None:
            raise ValueError(
                "tld, limit, exclude and candidates are for rule='crawl'; "
                "rule='html' takes detector=crawl_detector(limit, tld=…)"
            )

        @lru_cache(maxsize=512)  # a column has few distinct headers
        def steps(content_type: str | None) -> _sniff.Steps:
            return _sniff.html_steps(content_type=content_type, detector=detector)

        def sniffed(body: bytes | memoryview, content_type: str | None, tld: str | None) -> _sniff.Sniffed:
            return _sniff.determine(body, steps(content_type))

    elif rule != "crawl":
        raise ValueError(f"rule must be 'html' or 'crawl', not {quote(rule)}")
    elif detector is not None:
        raise ValueError("rule='crawl' has a detector of its own")
    else:
        known = lru_cache(maxsize=512)(_domain_or_none)
        given = tld if isinstance(tld, str) else None
        among = _sniff.crawl_detector(limit, tld=given, exclude=exclude, candidates=candidates)
        exclude, candidates = among.exclude, among.candidates

        def sniffed(body: bytes | memoryview, content_type: str | None, tld: str | None) -> _sniff.Sniffed:
            return _sniff.crawl(body, content_type, limit=limit, tld=known(tld), exclude=exclude, candidates=candidates)

    return _sniff_column(bodies, content_types, tld, sniffed)


def __dir__() -> list[str]:
    return __all__
