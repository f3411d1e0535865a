"""Decode with pandas: a frame whose columns are Arrow's, in and out."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa

import common


def decode_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Decode a frame of ``url``, ``body`` and ``label`` (or ``content_type``). Its index stays."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    return common.decode_table(table).to_pandas(types_mapper=pd.ArrowDtype).set_index(frame.index)


def main(source: Path, target: Path) -> None:
    """Decode a Parquet or WARC file, or a folder of them, to a Parquet file."""
    if common.is_warc(source):
        pages = pa.Table.from_batches(common.read(source), schema=common.PAGES)
        frame = pages.to_pandas(types_mapper=pd.ArrowDtype)
    else:
        frame = pd.read_parquet(source, dtype_backend="pyarrow")
    decode_frame(frame).to_parquet(target, compression="zstd")


if __name__ == "__main__":
    main(*common.arguments())
