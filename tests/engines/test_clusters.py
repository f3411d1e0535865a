"""Dask, Ray and Spark, each on a local cluster of two workers in processes of their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from tests.engines.conftest import REQUIRED
from tests.engines.rows import Text
from tests.requirements import missing

Source = tuple[Path, list[Text]]


@contextmanager
def dask(module: ModuleType) -> Iterator[None]:
    with (
        module.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        module.Client(cluster) as client,
    ):
        assert len(set(client.run(os.getpid).values())) == 2
        yield


@contextmanager
def ray(module: ModuleType) -> Iterator[None]:
    module.connect(num_cpus=2, include_dashboard=False, object_store_memory=200 << 20)
    yield
    module.ray.shutdown()


@contextmanager
def spark(module: ModuleType) -> Iterator[None]:
    """Each worker has a JVM, and Python processes of its own."""
    if shutil.which("java") is None:
        missing("Spark needs a Java runtime: apt-get install default-jre-headless", REQUIRED)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = module.session()
    assert session.sparkContext.master == "local-cluster[2,1,1024]"
    yield
    session.stop()


@pytest.fixture(scope="module", params=[dask, ray, spark], ids=lambda start: start.__name__)
def cluster(request: pytest.FixtureRequest, example: Callable[[str], ModuleType]) -> Iterator[ModuleType]:
    """Yield an example while its cluster runs."""
    module = example(f"with_{request.param.__name__}")
    with request.param(module):
        yield module


@pytest.mark.parametrize("kind", ["parquet", "warc"])
def test_same_rows(
    kind: str, cluster: ModuleType, parquet: Source, warc: Source, result: Callable[[], list[Text]], tmp_path: Path
) -> None:
    source, expected = warc if kind == "warc" else parquet
    cluster.main(source, tmp_path / "decoded.parquet")
    assert result() == expected
