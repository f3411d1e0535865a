"""Decode with Spark: mapInArrow, which hands batches of Arrow data to Python workers and takes batches back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

import common

DECODED = "url string, text string, encoding string, errors int, error string"


def session(master: str = "local-cluster[2,1,1024]") -> SparkSession:
    """Return the session, or a new one: two workers with a core and a gigabyte each unless there is another master."""
    spark = SparkSession.getActiveSession()
    if spark is None:
        builder = SparkSession.builder.master(master)
        spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", common.BATCH_ROWS).getOrCreate()
        spark.sparkContext.addPyFile(common.__file__)  # what workers import
    return spark


def main(source: Path, target: Path) -> None:
    """Decode a Parquet or WARC file, or a folder of them, to a folder of Parquet files."""
    spark = session()

    def decode_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(common.decode_batch, batches)

    def decode_files(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch["path"].to_pylist():
                yield from map(common.decode_batch, common.read_warc(path))

    if common.is_warc(source):  # A task for each file: each worker reads its own.
        paths = [(str(file),) for file in common.files(source)]
        rows, function = spark.createDataFrame(paths, "path string").repartition(len(paths)), decode_files
    else:
        rows, function = spark.read.parquet(str(source)), decode_rows
    rows.mapInArrow(function, DECODED).write.parquet(str(target), compression="zstd")


if __name__ == "__main__":
    main(*common.arguments())
