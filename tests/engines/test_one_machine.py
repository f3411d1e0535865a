"""The examples for one machine, run as programs."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.engines import rows
from tests.engines.conftest import EXAMPLES
from tests.engines.rows import Text
from tests.programs import run

Example = Callable[[str], ModuleType]
Source = tuple[Path, list[Text]]
Result = Callable[[], list[Text]]


def run_example(name: str, source: Path, target: Path) -> None:
    run(sys.executable, EXAMPLES / f"{name}.py", source, target)


@pytest.mark.parametrize("kind", ["parquet", "warc", "one file"])
@pytest.mark.parametrize("name", ["with_pyarrow", "with_polars", "with_duckdb", "with_pandas"])
def test_same_rows(
    name: str, kind: str, example: Example, parquet: Source, warc: Source, result: Result, tmp_path: Path
) -> None:
    example(name)
    source, expected = warc if kind == "warc" else parquet
    if kind == "one file":
        source /= "rows-0.parquet"
        expected = [row for row in expected if int(row.url.rpartition("/")[2]) < len(expected) // 3]
    run_example(name, source, tmp_path / "decoded.parquet")
    assert result() == expected


def test_the_rows_are_of_all_kinds(parquet: Source, warc: Source) -> None:
    errors = {(row.error or "").partition(" at ")[0].partition(" label")[0].rpartition(": ")[2] for row in parquet[1]}
    assert errors == {"", "malformed", "unknown", "no"}
    assert len({row.encoding for row in parquet[1]}) > 10
    assert sum(row.text is None for row in parquet[1]) > 300
    assert {row.encoding for row in warc[1]} == {
        "Shift_JIS", "UTF-8", "EUC-JP", "UTF-16LE", "windows-1251", "KOI8-R"
    }  # fmt: skip
    assert any(row.error for row in warc[1])
    assert not any(row.text is None for row in warc[1])


def test_registered_function(example: Example, parquet: Source, result: Result, tmp_path: Path) -> None:
    """The function registered with pyarrow, in an expression of a dataset."""
    example("with_pyarrow").main_registered(parquet[0], tmp_path / "decoded.parquet")
    assert result() == parquet[1]


def warc_of(path: Path, count: int) -> list[Text]:
    """Write a WARC file of pages in Shift_JIS; return what they decode to."""
    texts = [f"<p>{path.name} {'日本語のテキスト' * 300} {number}" for number in range(count)]
    urls = [f"https://example.org/{path.name}/{number}" for number in range(count)]
    pages = [(url, "text/html; charset=shift_jis", text.encode("cp932")) for url, text in zip(urls, texts, strict=True)]
    rows.write_warc(path, pages)
    return [Text(url, text, "Shift_JIS", 0, None) for url, text in zip(urls, texts, strict=True)]


def members(data: bytes) -> list[int]:
    """Return where the members of a gzip file start: one for each record, three records for each page."""
    starts = [0]
    while starts[-1] < len(data):
        member = zlib.decompressobj(wbits=31)
        member.decompress(data[starts[-1] :])
        starts.append(len(data) - len(member.unused_data))
    return starts[:-1]


def flip(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


@pytest.mark.parametrize("name", ["with_pyarrow", "with_polars", "with_duckdb", "with_pandas"])
def test_a_damaged_file_is_a_row_with_an_error(name: str, example: Example, result: Result, tmp_path: Path) -> None:
    """The pages before the damage are kept, and so are those of the other files."""
    example(name)
    folder = tmp_path / "warc"
    folder.mkdir()
    damaged = folder / "a.warc.gz"
    pages = warc_of(damaged, 6)
    start = members(damaged.read_bytes())[9]
    damaged.write_bytes(flip(damaged.read_bytes(), start + 40))
    others = warc_of(folder / "b.warc.gz", 2)
    run_example(name, folder, tmp_path / "decoded.parquet")
    rows = result()
    assert [row for row in rows if row.error is None] == sorted(pages[:3] + others)
    (row,) = [row for row in rows if row.error is not None]
    assert row == Text(damaged.as_uri(), None, None, 0, row.error)
    assert str(row.error).startswith(f"damaged WARC file: not read from byte {start} on: ")


@pytest.mark.parametrize(
    ("damage", "intact", "unreadable", "error"),
    [
        (lambda data, start: data, 6, 0, None),
        (lambda data, start: b"", 0, 0, None),
        (lambda data, start: data[:start], 3, 0, None),  # indistinguishable from a shorter file
        (lambda data, start: data[: start + 60], 3, 0, "not read from byte {start} on: the last record is incomplete"),
        (lambda data, start: flip(data, start + 1), 3, 0, "not read from byte {start} on: "),
        (lambda data, start: data[:start] + b"garbage" + data[start:], 3, 0, "not read from byte {start} on: "),
        (lambda data, start: b"no WARC file at all", 0, 0, "not read from byte 0 on: "),
        (lambda data, start: b"\0" * 1000, 0, 0, "not read from byte 0 on: "),
        # Uncompressed: the start of the fourth page is in the file.
        (lambda data, start: plain(data), 6, 0, None),
        (lambda data, start: cut_in_page(plain(data)), 3, 1, "the last record is incomplete"),
        (lambda data, start: plain(data).replace(b"Content-Length: ", b"Content-Length: 9", 1), 0, 1, "incomplete"),
    ],
)
def test_damage(
    damage: Callable[..., bytes], intact: int, unreadable: int, error: str | None, example: Example, tmp_path: Path
) -> None:
    """The pages that are read from a damaged file, and the error in its last row."""
    common = example("common")
    path = tmp_path / "pages.warc.gz"
    expected = warc_of(path, 6)
    data = path.read_bytes()
    start = members(data)[9]
    path.write_bytes(damage(data, start))
    read = list(common.pages(path))
    notices = [page for page in read if page.url == path.as_uri()]
    assert [page.body.decode("cp932") for page in read[:intact]] == [row.text for row in expected[:intact]]
    assert [page.url for page in read[: intact + unreadable]] == [row.url for row in expected[: intact + unreadable]]
    assert len(read) == intact + unreadable + len(notices)
    for page in read[intact : intact + unreadable]:
        assert page.body is None
        assert "bytes of the record are missing" in page.error
    assert [page[:3] for page in notices] == ([] if error is None else [(path.as_uri(), None, None)])
    assert error is None or error.format(start=start) in notices[0].error


def plain(data: bytes) -> bytes:
    return gzip.decompress(data)


def cut_in_page(data: bytes) -> bytes:
    """Return an uncompressed WARC file up to the middle of the body of the fourth page."""
    return data[: data.index(b"pages.warc.gz \x93", data.index(b"pages.warc.gz/3\r\n")) + 100]


def test_usage() -> None:
    command = [sys.executable, str(EXAMPLES / "with_pyarrow.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("usage: ")
