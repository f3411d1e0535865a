"""Decode with DuckDB: Arrow functions that SQL calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa

import common

TEXT = "STRUCT(text VARCHAR, encoding VARCHAR, errors INTEGER, error VARCHAR)"


def on_arrays(
    function: Callable[[pa.Array, pa.Array], pa.Array],
) -> Callable[[pa.ChunkedArray, pa.ChunkedArray], pa.Array]:
    """Return the function for columns as DuckDB hands them over: the vector of rows that it works on, in chunks."""
    return lambda first, second: function(first.combine_chunks(), second.combine_chunks())


def connect() -> duckdb.DuckDBPyConnection:
    """Return a connection with ``decode_text(body, label)`` and ``decode_page(body, content_type)``."""
    connection = duckdb.connect()
    for name, function in (("decode_text", common.decode), ("decode_page", common.decode_pages)):
        connection.create_function(
            name, on_arrays(function), ["BLOB", "VARCHAR"], TEXT, type="arrow", null_handling="special"
        )
    return connection


def main(source: Path, target: Path) -> None:
    """Decode a Parquet or WARC file, or a folder of them, to a Parquet file."""
    connection = connect()
    if common.is_warc(source):
        connection.register("source", pa.RecordBatchReader.from_batches(common.PAGES, common.read(source)))
        decoded = "decode_page(body, content_type)"
        error = "coalesce(error, decoded.error)"
    else:
        connection.read_parquet([str(file) for file in common.files(source)]).create_view("source")
        decoded = "decode_text(body, label)"
        error = "decoded.error"
    rows = connection.sql(
        f"SELECT url, decoded.text, decoded.encoding, decoded.errors, {error} AS error "
        f"FROM (SELECT *, {decoded} AS decoded FROM source)"
    )
    rows.write_parquet(str(target), compression="zstd")


if __name__ == "__main__":
    main(*common.arguments())
