"""Fixtures for the tests of the examples: their modules, files of rows and of pages, and the expected results."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.engines import rows
from tests.engines.rows import Text
from tests.requirements import missing

EXAMPLES = Path(__file__).parents[2] / "examples"
REQUIRED = "WHATWG_ENCODING_REQUIRE_ENGINES"
"""In the environment: a missing engine fails the tests instead of skipping them."""


@pytest.fixture(scope="session")
def example() -> Iterator[Callable[[str], ModuleType]]:
    """Import an example by its name; skip if its engine is missing."""

    def imported(name: str) -> ModuleType:
        engine = name.removeprefix("with_")
        packages = {"spark": ["pyspark"], "dask": ["dask", "distributed"], "common": []}.get(engine, [engine])
        for package in [*packages, "chardetng_py", "pandas", "pyarrow", "warcio"]:
            if importlib.util.find_spec(package) is None:
                missing(f"{package} is not installed; pip install --group engines", REQUIRED)
        return importlib.import_module(name)

    sys.path.insert(0, str(EXAMPLES))
    yield imported
    sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="session")
def parquet(example: Callable[[str], ModuleType], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Text]]:
    """A folder of three Parquet files of labelled rows, and the results of decoding row by row."""
    common = example("common")
    folder = tmp_path_factory.mktemp("parquet")
    labelled = rows.labelled()
    third = len(labelled) // 3
    for number in range(3):
        columns = zip(*labelled[number * third : (number + 1) * third], strict=True)
        arrays = [common.pa.array(column, field.type) for column, field in zip(columns, common.LABELLED, strict=True)]
        table = common.pa.table(arrays, schema=common.LABELLED)
        common.pq.write_table(table, folder / f"rows-{number}.parquet", row_group_size=200)
    return folder, sorted(map(rows.decoded, labelled))


@pytest.fixture(scope="session")
def warc(example: Callable[[str], ModuleType], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Text]]:
    """A folder of two WARC files, and the results of decoding page by page."""
    example("common")
    folder = tmp_path_factory.mktemp("warc")
    expected = []
    for number in range(2):
        pages = [
            (f"https://example.org/{number}/{copy}/{page}", content_type, body)
            for copy in range(100)
            for page, (content_type, body) in enumerate(rows.PAGES)
        ]
        rows.write_warc(folder / f"pages-{number}.warc.gz", pages)
        expected += [rows.decoded_page(*page) for page in pages]
    return folder, sorted(expected)


@pytest.fixture
def result(example: Callable[[str], ModuleType], tmp_path: Path) -> Callable[[], list[Text]]:
    """Read the rows that were written to ``tmp_path / "decoded.parquet"``, sorted."""
    common = example("common")

    def read() -> list[Text]:
        path = tmp_path / "decoded.parquet"
        files = [path] if path.is_file() else sorted(path.glob("*.parquet"))
        tables = [common.pq.ParquetFile(file).read() for file in files]
        return sorted(Text(**row) for table in tables for row in table.to_pylist())

    return read
