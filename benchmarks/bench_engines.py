"""The examples on their engines: megabytes of source per second, from Parquet to Parquet, on a machine of two cores.

    python -m benchmarks.bench_engines [--megabytes 96] [--rounds 3] [ENGINE …]

The rows are pages in Shift_JIS, GBK, windows-1251 and UTF-8, in four files. A cluster is started, and has decoded a
few rows, before the measurement. Times are wall time, since other processes do the work; the results are the medians of
the rounds. Requires the dependency group ``engines``, and Java for Spark.
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
from timeit import repeat
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

import whatwg_encoding as we
from benchmarks import DATA
from benchmarks.conversions import prepared
from benchmarks.corpus import Corpus

EXAMPLES = Path(__file__).parents[1] / "examples"
ENGINES = ("pyarrow", "polars", "duckdb", "pandas", "dask", "ray", "spark")
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


def write(folder: Path, size: int) -> int:
    """Write a file of rows for each encoding; return the bytes of their bodies."""
    folder.mkdir()
    total = 0
    for number, name in enumerate(ENCODINGS):
        encoding = we.lookup(name)
        bodies = pages(encoding, size // len(ENCODINGS))
        total += sum(map(len, bodies))
        urls = [f"https://example.org/{number}/{row}" for row in range(len(bodies))]
        columns = {"url": urls, "body": bodies, "label": [encoding.name] * len(bodies)}
        pq.write_table(pa.table(columns), folder / f"{name}.parquet", row_group_size=1024, use_dictionary=False)
    return total


def start(engine: str, module: Any) -> Any:
    """Start a cluster for the example; return what stops it."""
    if engine == "dask":
        cluster = module.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        return module.Client(cluster).shutdown
    if engine == "ray":
        module.connect(num_cpus=2, include_dashboard=False)
        return module.ray.shutdown
    return module.session().stop if engine == "spark" else lambda: None


def run(module: Any, rows: Path) -> None:
    """Run the example on rows; remove its results."""
    with tempfile.TemporaryDirectory(dir=rows.parent) as folder:
        module.main(rows, Path(folder) / "decoded")


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
    with tempfile.TemporaryDirectory() as name:
        rows, few = (Path(name) / part for part in ("rows", "few"))
        size = write(rows, options.megabytes << 20)
        write(few, 1 << 20)
        for engine in options.engines or ENGINES:
            module = importlib.import_module(f"with_{engine}")
            stop = start(engine, module)
            run(module, few)
            seconds = median(repeat(partial(run, module, rows), repeat=options.rounds, number=1))
            print(f"{engine:8} {size / seconds / 1e6:7.0f} MB/s", flush=True)
            stop()


if __name__ == "__main__":
    main()
