"""Spark on a local cluster of two workers, each with a JVM and Python processes of its own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.engines.conftest import REQUIRED, Killing
from tests.engines.rows import Text
from tests.requirements import missing

Source = tuple[Path, list[Text]]


@pytest.fixture(scope="module")
def spark(example: Callable[[str], ModuleType]) -> Iterator[ModuleType]:
    module = example("with_spark")
    if shutil.which("java") is None:
        missing("Spark needs a Java runtime: apt-get install default-jre-headless", REQUIRED)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = module.session()
    yield module
    session.stop()


def test_two_workers(spark: ModuleType) -> None:
    assert spark.session().sparkContext.master == "local-cluster[2,1,1024]"


@pytest.mark.parametrize("kind", ["parquet", "warc"])
def test_same_rows(
    kind: str, spark: ModuleType, parquet: Source, warc: Source, result: Callable[[], list[Text]], tmp_path: Path
) -> None:
    source, expected = warc if kind == "warc" else parquet
    spark.main(source, tmp_path / "decoded.parquet")
    assert result() == expected


@pytest.mark.parametrize("victim", ["Python", "executor"])
def test_a_worker_is_killed(
    victim: str, spark: ModuleType, killing: Killing, parquet: Source, result: Callable[[], list[Text]], tmp_path: Path
) -> None:
    """Spark runs the task again: in another Python process, or on another executor."""
    decode = killing.of_parent() if victim == "executor" else killing.decode
    spark.main(parquet[0], tmp_path / "decoded.parquet", decode)
    killing.check()
    assert result() == parquet[1]
