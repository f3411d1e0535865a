"""The examples for one machine, run as the programs that they are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.engines.conftest import EXAMPLES
from tests.engines.rows import Text

Example = Callable[[str], ModuleType]
Source = tuple[Path, list[Text]]


def run(name: str, source: Path, target: Path) -> None:
    """Run an example in a process of its own."""
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), str(source), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


@pytest.mark.parametrize("kind", ["parquet", "warc", "one file"])
@pytest.mark.parametrize("name", ["with_pyarrow", "with_polars", "with_duckdb", "with_pandas"])
def test_same_rows(
    name: str,
    kind: str,
    example: Example,
    parquet: Source,
    warc: Source,
    result: Callable[[], list[Text]],
    tmp_path: Path,
) -> None:
    example(name)
    source, expected = warc if kind == "warc" else parquet
    if kind == "one file":
        source /= "rows-0.parquet"
        expected = [row for row in expected if int(row.url.rpartition("/")[2]) < len(expected) // 3]
    run(name, source, tmp_path / "decoded.parquet")
    assert result() == expected


def test_the_rows_are_of_all_kinds(parquet: Source, warc: Source) -> None:
    told = {(row.error or "").partition(" at ")[0].partition(" label")[0].rpartition(": ")[2] for row in parquet[1]}
    assert told == {"", "malformed", "unknown", "no"}
    assert len({row.encoding for row in parquet[1]}) > 10
    assert sum(row.text is None for row in parquet[1]) > 300
    assert {row.encoding for row in warc[1]} == {
        "Shift_JIS", "UTF-8", "EUC-JP", "UTF-16LE", "windows-1251", "KOI8-R"
    }  # fmt: skip
    assert any(row.error for row in warc[1])
    assert not any(row.text is None for row in warc[1])


def test_registered_function(
    example: Example, parquet: Source, result: Callable[[], list[Text]], tmp_path: Path
) -> None:
    """pyarrow's, in an expression of a dataset."""
    example("with_pyarrow").main_registered(parquet[0], tmp_path / "decoded.parquet")
    assert result() == parquet[1]


def test_usage() -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "with_pyarrow.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("usage: ")
