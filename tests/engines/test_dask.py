"""Dask on a distributed cluster of two processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.engines.conftest import Killing
from tests.engines.rows import Text

Source = tuple[Path, list[Text]]


@pytest.fixture(scope="module")
def cluster(example: Callable[[str], ModuleType]) -> Iterator[tuple[ModuleType, Any]]:
    module = example("with_dask")
    with (
        module.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        module.Client(cluster) as client,
    ):
        yield module, client


def test_two_workers(cluster: tuple[ModuleType, Any]) -> None:
    processes = cluster[1].run(os.getpid)
    assert len(set(processes.values())) == 2


@pytest.mark.parametrize("kind", ["parquet", "warc"])
def test_same_rows(
    kind: str,
    cluster: tuple[ModuleType, Any],
    parquet: Source,
    warc: Source,
    result: Callable[[], list[Text]],
    tmp_path: Path,
) -> None:
    source, expected = warc if kind == "warc" else parquet
    cluster[0].main(source, tmp_path / "decoded.parquet")
    assert result() == expected


def test_a_worker_is_killed(
    cluster: tuple[ModuleType, Any],
    killing: Killing,
    parquet: Source,
    result: Callable[[], list[Text]],
    tmp_path: Path,
) -> None:
    """The scheduler gives the partition to the other worker, and a nanny starts a new one."""
    cluster[0].main(parquet[0], tmp_path / "decoded.parquet", killing.decode)
    killing.check()
    assert result() == parquet[1]
