"""What all examples share: the rows of a Parquet or WARC file, and the function that decodes a batch of them.

A batch has the columns ``url``, which identifies a row; ``body``, its bytes; and either ``label``, the encoding that
they are said to be in, or ``content_type``, the header that came with them, and ``error``, why there is no body. The
result has the columns of `DECODED`: a row that cannot be read or decoded has no text, and an error that says why.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import whatwg_encoding as we
from whatwg_encoding import arrow

BATCH_ROWS = 512
"""Rows in a batch: of pages of 2 to 20 KB, the 1 to 10 MB at which decoding is fastest."""

BATCH_BYTES = 8 << 20
"""Bytes after which a batch of a WARC file ends, whatever its rows."""

TEXT = pa.struct([("text", pa.string()), ("encoding", pa.string()), ("errors", pa.int32()), ("error", pa.string())])
LABELLED = pa.schema([("url", pa.string()), ("body", pa.binary()), ("label", pa.string())])
PAGES = pa.schema([("url", pa.string()), ("body", pa.binary()), ("content_type", pa.string()), ("error", pa.string())])
DECODED = pa.schema([pa.field("url", pa.string()), *TEXT])

# -- Decoding ----------------------------------------------------------------------------------------------------------


def encoding_of(label: str) -> we.Encoding | None:
    """Return the encoding for a label that the standard lacks, such as ``cp932`` or ``"utf-8"`` in quotes, or None."""
    try:
        return we.lookup_codec(label)
    except we.UnknownLabelError:
        return None


def decode(bodies: pa.Array, labels: pa.Array) -> pa.StructArray:
    """Decode a column of bytes by a column of labels. A row with an error has no text; a null body has neither."""
    info = pa.array(
        arrow.decode_array_with_info(bodies, labels, errors="null", unknown=encoding_of, type="string")
    )  # fmt: skip
    text, encoding, errors, first_error, *_ = info.flatten()
    encoding = encoding.cast(pa.string())
    no_body, no_label, unknown = pc.is_null(bodies), pc.is_null(labels), pc.is_null(encoding)
    error = pc.case_when(
        pc.make_struct(no_body, no_label, unknown, pc.greater(errors, 0)),
        pa.scalar(None, pa.string()),
        "no label",
        pc.binary_join_element_wise("unknown label ", labels.cast(pa.string()), ""),
        pc.binary_join_element_wise(encoding, ": malformed at byte ", first_error.cast(pa.string()), ""),
    )
    return pa.StructArray.from_arrays([text, encoding, errors, error], fields=list(TEXT))


def decode_pages(bodies: pa.Array, content_types: pa.Array) -> pa.StructArray:
    """Decode a column of pages by what their text most likely is. Errors are replaced; the first one is told."""
    sniffed = pa.array(arrow.sniff_array(bodies, content_types, rule="crawl"))
    info = pa.array(arrow.decode_array_with_info(bodies, sniffed.field("encoding"), bom="sniff", type="string"))
    text, encoding, errors, first_error, *_ = info.flatten()
    encoding = encoding.cast(pa.string())
    error = pc.binary_join_element_wise(encoding, ": malformed at byte ", first_error.cast(pa.string()), "")
    return pa.StructArray.from_arrays([text, encoding, errors, error], fields=list(TEXT))


def decode_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Decode a batch of labelled rows, or of pages."""
    if "label" in batch.schema.names:
        decoded = decode(batch["body"], batch["label"])
    else:
        decoded = decode_pages(batch["body"], batch["content_type"])
        error = pc.coalesce(batch["error"].cast(pa.string()), decoded.field("error"))
        decoded = pa.StructArray.from_arrays([*decoded.flatten()[:-1], error], fields=list(TEXT))
    return pa.RecordBatch.from_arrays([batch["url"].cast(pa.string()), *decoded.flatten()], schema=DECODED)


def decode_table(table: pa.Table) -> pa.Table:
    """Decode a table of any size in batches."""
    return pa.Table.from_batches(map(decode_batch, table.to_batches(max_chunksize=BATCH_ROWS)), schema=DECODED)


# -- Reading and writing -----------------------------------------------------------------------------------------------


def is_warc(path: Path) -> bool:
    """Return whether a file, or all of a folder, is WARC rather than Parquet."""
    return all(file.name.endswith((".warc", ".warc.gz")) for file in files(path))


def files(path: Path) -> list[Path]:
    """Return the file, or the files of the folder in the order of their names: absolute, for processes elsewhere."""
    path = path.resolve()
    return sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]


class Page(NamedTuple):
    """A row of `PAGES`."""

    url: str
    body: bytes | None
    content_type: str | None
    error: str | None


def pages(path: str | Path) -> Iterator[Page]:
    """Read the HTML pages of a WARC file.

    Damage does not raise: a page that cannot be read has no body, and an error. The pages before a record that the
    reader cannot parse are kept; what follows it is not read, and the last row, whose URL is that of the file, says so.
    """
    from warcio.archiveiterator import WARCIterator
    from warcio.exceptions import ArchiveLoadFailed
    from warcio.statusandheaders import StatusAndHeadersParserException

    damage = (ArchiveLoadFailed, StatusAndHeadersParserException, EOFError, ValueError, zlib.error)
    with open(path, "rb") as file:
        records = WARCIterator(file)
        record = problem = None
        try:
            for record in records:
                if record.rec_type != "response" or record.http_headers is None:
                    continue
                content_type = record.http_headers.get_header("Content-Type")
                mime_type = we.mime.extract([content_type or ""])
                if mime_type is None or not mime_type.is_html:
                    continue
                url = record.rec_headers.get_header("WARC-Target-URI")
                try:
                    body, error = record.content_stream().read(), None
                except damage as wrong:
                    body, error = None, f"unreadable content: {ascii(str(wrong))[:80]}"
                records.read_to_end()
                if missing := record.raw_stream.limit:
                    body, error = None, f"unreadable content: {missing} bytes of the record are missing"
                yield Page(url, body, content_type, error)
        except damage as wrong:
            problem = ascii(str(wrong))[:80]
        else:
            size = os.fstat(file.fileno()).st_size
            if size and record is None:
                problem = "there is no WARC record"
            elif record is not None and (records.offset < size or record.raw_stream.limit):
                problem = "the last record is incomplete"
        if problem is not None:
            problem = f"not read from byte {records.offset} on: {problem}"
        elif records.err_count:
            problem = f"{records.err_count} records are longer or shorter than they say"
        if problem is not None:
            error = f"damaged WARC file: {problem}"
            yield Page(Path(path).absolute().as_uri(), None, None, error)


def read_warc(path: str | Path) -> Iterator[pa.RecordBatch]:
    """Read the HTML pages of a WARC file as `pages` does, in batches with the columns of `PAGES`."""
    rows: list[Page] = []
    size = 0
    for page in pages(path):
        rows.append(page)
        size += len(page.body or b"")
        if len(rows) == BATCH_ROWS or size >= BATCH_BYTES:
            yield page_batch(rows)
            rows, size = [], 0
    if rows:
        yield page_batch(rows)


def page_batch(rows: list[Page]) -> pa.RecordBatch:
    """Return rows of `PAGES` as a batch."""
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, PAGES, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=PAGES)


def read(path: Path) -> Iterator[pa.RecordBatch]:
    """Read Parquet or WARC files batch by batch."""
    for file in files(path):
        if is_warc(file):
            yield from read_warc(file)
        else:
            yield from pq.ParquetFile(file).iter_batches(BATCH_ROWS)


def arguments() -> tuple[Path, Path]:
    """Return the two paths of the command line."""
    if len(sys.argv) != 3:
        raise SystemExit(f"usage: {sys.argv[0]} INPUT OUTPUT\nINPUT: a Parquet or WARC file, or a folder of them")
    return Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
