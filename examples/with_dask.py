"""Decode with Dask: a task for each partition or WARC file, on the processes of a distributed cluster."""

from __future__ import annotations

from pathlib import Path

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
from distributed import Client, LocalCluster

import common

DECODED = common.DECODED.empty_table().to_pandas(types_mapper=pd.ArrowDtype)


def decode_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Decode a partition of ``url``, ``body`` and ``label``."""
    table = common.decode_table(pa.Table.from_pandas(frame, preserve_index=False))
    return table.to_pandas(types_mapper=pd.ArrowDtype).set_index(frame.index)


def decode_file(path: Path) -> pd.DataFrame:
    """Decode the pages of a WARC file."""
    table = pa.Table.from_batches(map(common.decode_batch, common.read_warc(path)), schema=common.DECODED)
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def main(source: Path, target: Path) -> None:
    """Decode a Parquet or WARC file, or a folder of them, to a folder of Parquet files, on the current client."""
    if common.is_warc(source):
        decoded = dd.from_map(decode_file, common.files(source), meta=DECODED)
    else:
        rows = dd.read_parquet(
            [str(file) for file in common.files(source)], dtype_backend="pyarrow", split_row_groups=True
        )
        decoded = rows.map_partitions(decode_frame, meta=DECODED)
    decoded.to_parquet(target, write_index=False, compression="zstd")


if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1) as cluster, Client(cluster):
        main(*common.arguments())
