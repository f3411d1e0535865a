"""Decode with pyarrow: batch by batch in constant memory, or by a registered function in an expression."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

import common


def main(source: Path, target: Path) -> None:
    """Decode a Parquet or WARC file, or a folder of them, to a Parquet file."""
    with pq.ParquetWriter(target, common.DECODED, compression="zstd") as writer:
        for batch in common.read(source):
            writer.write_batch(common.decode_batch(batch))


def register() -> None:
    """Register ``decode_text(body, label)`` with pyarrow's functions, for expressions of datasets and of Acero."""
    pc.register_scalar_function(
        lambda context, bodies, labels: common.decode(bodies, labels),
        "decode_text",
        {"summary": "Decode bytes by a label of the Encoding Standard", "description": "See whatwg_encoding.arrow."},
        {"body": pa.binary(), "label": pa.string()},
        common.TEXT,
    )


def main_registered(source: Path, target: Path) -> None:
    """Decode a Parquet file, or a folder of them, by the registered function, on all of pyarrow's threads."""
    register()
    decoded = ds.field("")._call("decode_text", [ds.field("body"), ds.field("label")])
    dataset = ds.dataset(source, schema=common.LABELLED, format="parquet")
    scanner = dataset.scanner({"url": ds.field("url"), "decoded": decoded}, batch_size=common.BATCH_ROWS)
    with pq.ParquetWriter(target, common.DECODED, compression="zstd") as writer:
        for batch in scanner.to_batches():
            writer.write_batch(
                pa.RecordBatch.from_arrays([batch["url"], *batch["decoded"].flatten()], schema=common.DECODED)
            )


if __name__ == "__main__":
    main(*common.arguments())
