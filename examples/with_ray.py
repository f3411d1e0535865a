"""Decode with Ray Data: map_batches over Arrow tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray

import common


def connect(**options: Any) -> None:
    """Start Ray here, or with ``address`` connect to a cluster; the workers get common.py."""
    ray.init(runtime_env={"py_modules": [common.__file__]}, **options)


def main(source: Path, target: Path) -> None:
    """Decode a Parquet or WARC file, or a folder of them, to a folder of Parquet files."""
    if not ray.is_initialized():
        connect()

    def decode_file(row: dict[str, Any]) -> Iterator[pa.Table]:
        for batch in common.read_warc(row["path"][0]):
            yield pa.Table.from_batches([common.decode_batch(batch)])

    if common.is_warc(source):  # A task for each file: each worker reads its own.
        paths = ray.data.from_items([{"path": str(file)} for file in common.files(source)])
        decoded = paths.map_batches(decode_file, batch_size=1)
    else:
        rows = ray.data.read_parquet([str(file) for file in common.files(source)])
        decoded = rows.map_batches(common.decode_table, batch_format="pyarrow", batch_size=common.BATCH_ROWS)
    decoded.write_parquet(str(target), compression="zstd")


if __name__ == "__main__":
    main(*common.arguments())
