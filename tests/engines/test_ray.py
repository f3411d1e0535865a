"""Ray Data on a local cluster of two workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.engines.conftest import Killing
from tests.engines.rows import Text

Source = tuple[Path, list[Text]]


@pytest.fixture(scope="module")
def ray(example: Callable[[str], ModuleType]) -> Iterator[ModuleType]:
    module = example("with_ray")
    module.connect(num_cpus=2, include_dashboard=False, object_store_memory=200 << 20)
    yield module
    module.ray.shutdown()


@pytest.mark.parametrize("kind", ["parquet", "warc"])
def test_same_rows(
    kind: str, ray: ModuleType, parquet: Source, warc: Source, result: Callable[[], list[Text]], tmp_path: Path
) -> None:
    source, expected = warc if kind == "warc" else parquet
    ray.main(source, tmp_path / "decoded.parquet")
    assert result() == expected


def test_a_worker_is_killed(
    ray: ModuleType, killing: Killing, parquet: Source, result: Callable[[], list[Text]], tmp_path: Path
) -> None:
    """Ray runs the task again, in another process."""
    ray.main(parquet[0], tmp_path / "decoded.parquet", killing.decode)
    killing.check()
    assert result() == parquet[1]
