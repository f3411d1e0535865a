"""The examples on their engines: megabytes of source per second, from Parquet to Parquet, on a machine of two cores.

    python -m benchmarks.bench_engines [--megabytes 96] [--rounds 3] [ENGINE …]

The rows are pages in Shift_JIS, GBK, windows-1251 and UTF-8, in four files. A cluster is started, and has decoded a
few rows, before the measurement. Each cluster also runs the same job without decoding: UTF-8 rows that are returned
unchanged, which measures reading, transfer between processes, and writing. Times are wall time, since other processes
do the work; the results are the medians of the rounds and of the ratios of each round. Requires the extra ``engines``,
and Java for Spark.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from timeit import timeit
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

import whatwg_encoding as we
from benchmarks import DATA
from benchmarks.conversions import prepared
from benchmarks.corpus import Corpus
from benchmarks.timed import rounds_of

EXAMPLES = Path(__file__).parents[1] / "examples"
ENGINES = ("pyarrow", "polars", "duckdb", "pandas", "dask", "ray", "spark")
CLUSTERS = ("dask", "ray", "spark")
ENCODINGS = ("Shift_JIS", "GBK", "windows-1251", "UTF-8")
#: The fewest and the most bytes of a page.
LEAST, MOST = 200, 20_000


def pages(encoding: we.Encoding, size: int) -> list[bytes]:
    """Return encoded pages of ``size`` bytes in total, cut between characters of plain text."""
    text = prepared(Corpus(), encoding, DATA["measured"][encoding.name].split()[0], "plain text")
    random = Random(encoding.name)
    rows: list[bytes] = []
    total = 0
    while total < size:
        # The logarithm of the length is uniform: many short rows, a few long ones.
        length = int(LEAST * (MOST / LEAST) ** random.random())
        start = random.randrange(max(1, len(text) - length))
        data = encoding.encode(text[start : start + length])[:length]
        rows.append(data[: encoding.valid_up_to(data)])
        total += len(rows[-1])
    return rows


def write(folder: Path, size: int, only: str | None = None) -> int:
    """Write a file of rows for each encoding, or four of ``only``; return the bytes of their bodies."""
    folder.mkdir()
    total = 0
    for number, name in enumerate(ENCODINGS):
        encoding = we.lookup(only or name)
        bodies = pages(encoding, size // len(ENCODINGS))
        total += sum(map(len, bodies))
        urls = [f"https://example.org/{number}/{row}" for row in range(len(bodies))]
        columns = {"url": urls, "body": bodies, "label": [encoding.name] * len(bodies)}
        pq.write_table(pa.table(columns), folder / f"{name}.parquet", row_group_size=1024, use_dictionary=False)
    return total


def hand_on(batch: Any) -> Any:
    """Return a batch of rows in UTF-8 as if it had been decoded."""
    import common  # type: ignore[import-not-found]  # pickled by value: it imports what it uses

    text = batch["body"].cast(pa.string())
    columns = [batch["url"], text, batch["label"], pa.nulls(len(batch), pa.int32()), pa.nulls(len(batch), pa.string())]
    return pa.RecordBatch.from_arrays(columns, schema=common.DECODED)


def start(engine: str, module: Any) -> Any:
    """Start a cluster for the example; return what stops it."""
    if engine == "dask":
        cluster = module.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        return module.Client(cluster).shutdown
    if engine == "ray":
        module.connect(num_cpus=2, include_dashboard=False)
        return module.ray.shutdown
    return module.session().stop if engine == "spark" else lambda: None


def run(module: Any, rows: Path, *function: Any) -> None:
    """Run the example on rows; remove its results."""
    with tempfile.TemporaryDirectory(dir=rows.parent) as folder:
        module.main(rows, Path(folder) / "decoded", *function)


def main() -> None:
    """Measure the named engines, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_engines")
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(ENGINES)}; all")
    parser.add_argument("--megabytes", type=int, default=96, help="of source (96)")
    parser.add_argument("--rounds", type=int, default=3, help="that each job runs (3)")
    options = parser.parse_args()
    if unknown := set(options.engines) - set(ENGINES):
        parser.error(f"no such engine: {', '.join(sorted(unknown))}; there are {', '.join(ENGINES)}")
    sys.path.insert(0, str(EXAMPLES))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    hand_on.__module__ = "__main__"  # pickled by value, since workers cannot import this module
    with tempfile.TemporaryDirectory() as name:
        rows, utf_8, few = (Path(name) / part for part in ("rows", "utf8", "few"))
        size = write(rows, options.megabytes << 20)
        control = write(utf_8, options.megabytes << 20, "UTF-8")
        write(few, 1 << 20)
        for engine in options.engines or ENGINES:
            module = importlib.import_module(f"with_{engine}")
            stop = start(engine, module)
            run(module, few)
            jobs = {"decode": partial(run, module, rows)}
            if engine in CLUSTERS:
                jobs["hand on"] = partial(run, module, utf_8, hand_on)
            seconds = rounds_of({name: partial(timeit, job, number=1) for name, job in jobs.items()}, options.rounds)
            line = f"{engine:8} {size / median(seconds['decode']) / 1e6:7.0f} MB/s"
            if handed_on := seconds.get("hand on"):
                ratios = (other / ours for other, ours in zip(handed_on, seconds["decode"], strict=True))
                share = median(ratios) * size / control
                line += f"; handed on {control / median(handed_on) / 1e6:7.0f} MB/s, {share:.2f} of which decoded"
            print(line, flush=True)
            stop()


if __name__ == "__main__":
    main()
