"""Decode with Polars: a lazy frame that its streaming engine runs in batches, larger than memory if need be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
from polars.io.plugins import register_io_source

import common

PAGES = pl.Schema(common.PAGES)
TEXT = pl.Struct(dict(pl.Schema(pa.schema(common.TEXT))))


def decode(rows: pl.Series) -> pl.Series:
    """Decode a struct of ``url``, ``body`` and ``label`` (or ``content_type``)."""
    table = common.decode_table(rows.struct.unnest().to_arrow())
    return pl.DataFrame(table.drop_columns("url")).to_struct(rows.name)


def scan_warc(path: Path) -> pl.LazyFrame:
    """Return the pages of WARC files as a lazy frame."""

    def batches(columns: Any, predicate: pl.Expr | None, rows: int | None, size: int | None) -> Iterator[pl.DataFrame]:
        for batch in common.read(path):
            frame = pl.DataFrame(batch)
            frame = frame if predicate is None else frame.filter(predicate)
            frame = frame if columns is None else frame.select(columns)
            frame = frame if rows is None else frame.head(rows)
            yield frame
            rows = None if rows is None else rows - frame.height
            if rows == 0:
                break

    return register_io_source(batches, schema=PAGES)


def main(source: Path, target: Path) -> None:
    """Decode a Parquet or WARC file, or a folder of them, to a Parquet file."""
    frame = scan_warc(source) if common.is_warc(source) else pl.scan_parquet(source)
    decoded = pl.struct(pl.all()).map_batches(decode, return_dtype=TEXT, is_elementwise=True)
    frame.select("url", decoded.alias("decoded")).unnest("decoded").sink_parquet(target)


if __name__ == "__main__":
    main(*common.arguments())
