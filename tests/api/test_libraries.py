"""Objects of NumPy, pandas, Polars and Pillow, which `make test` does not install."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.sniff.test_binary import sign_of
from whatwg_encoding import arrow

CONTENT = b"A\xe9\x82\xa0\x80\xff\xd8\x3d" * 3
SJIS = "日付,名前\r\n2024,山田①\r\n".encode("cp932")


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_arrays_are_decoded(name: str) -> None:
    expected = oracle.decode(name, CONTENT)
    flat = np.frombuffer(CONTENT, dtype=np.uint8)  # read-only
    for array in (flat, flat.copy().reshape(4, 6)):
        assert we.ENCODINGS[name].decode(array) == expected.text
        assert we.ENCODINGS[name].new_decoder().decode(array, True) == expected.text


@pytest.mark.parametrize("array", [np.zeros(6, np.uint8)[::2], np.zeros((4, 4), np.uint8)[:, :2]])
def test_arrays_that_are_no_buffer_are_refused(array: Any) -> None:
    for call in (we.UTF_8.decode, we.utf8_decode, we.sniff.detect):
        with pytest.raises((TypeError, ValueError)):
            call(array)
    for target in (array, np.empty(3, dtype=object)):
        with pytest.raises((TypeError, ValueError)):
            we.TextEncoder().encode_into("abc", target)


def test_pandas_reads_a_transcoded_file() -> None:
    frame = pandas.read_csv(we.open_utf8(io.BytesIO(SJIS), "sjis"))
    assert frame["名前"].tolist() == ["山田①"]


def test_polars_takes_a_column_of_structs() -> None:
    column = arrow.sniff_array(pa.array([b"<meta charset=koi8-r>\xc1", None, b"a"]), rule="crawl")
    assert polars.Series(column).to_list() == pa.chunked_array(column).to_pylist()


@pytest.mark.parametrize(
    ("format", "kind"),
    [("PNG", "PNG"), ("JPEG", "JPEG"), ("GIF", "GIF"), ("BMP", "BMP"), ("ICO", "ICO"), ("TIFF", "TIFF"), ("PDF", "PDF"),
     ("WEBP", "WebP"), ("TGA", None), ("PCX", None), ("PPM", None), ("JPEG2000", "JPEG 2000")],
)  # fmt: skip
def test_images(format: str, kind: str | None) -> None:
    file = io.BytesIO()
    image = Image.new("RGB", (31, 17))
    image.putdata([(x * 7 % 256, x % 256, 9) for x in range(31 * 17)])
    image.save(file, format)
    assert sign_of(file.getvalue()) == kind


def test_files_of_columns_and_arrays(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", "y"] * 50})
    parquet.write_table(table, tmp_path / "t.parquet")
    with pa.ipc.new_file(tmp_path / "t.arrow", table.schema) as file:
        file.write(table)
    np.save(tmp_path / "t.npy", np.arange(100))
    for name, kind in {"t.parquet": "Parquet", "t.arrow": "Arrow", "t.npy": "NumPy"}.items():
        assert sign_of((tmp_path / name).read_bytes()) == kind
