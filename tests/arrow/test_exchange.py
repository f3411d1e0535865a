"""Import from and export to each library: shared buffers, requested schemas, releases."""

from __future__ import annotations

from typing import Any

import duckdb
import nanoarrow
import pandas
import polars
import pyarrow as pa
import pytest

from tests.programs import python
from whatwg_encoding import arrow

ROWS = [b"\x83n\x83\x8d\x81[", None, b"", b"abc", b"\x82\xa0" * 30, b"\x81"]
TEXTS = ["ハロー", None, "", "abc", "あ" * 30, "\ufffd"]

PRODUCERS = {
    "pyarrow array": lambda: pa.array(ROWS),
    "pyarrow chunks": lambda: pa.chunked_array([ROWS[:2], [], ROWS[2:]], pa.binary()),
    "pyarrow table": lambda: pa.table({"body": ROWS}),
    "pyarrow batch reader": lambda: pa.table({"body": ROWS}).to_reader(),
    "Polars series": lambda: polars.Series(ROWS),
    "Polars frame": lambda: polars.DataFrame({"body": ROWS}),
    "Polars, two chunks": lambda: polars.concat([polars.Series(ROWS[:2]), polars.Series(ROWS[2:])], rechunk=False),
    "pandas series": lambda: pandas.Series(ROWS, dtype=pandas.ArrowDtype(pa.binary())),
    "DuckDB relation": lambda: duckdb.from_arrow(pa.table({"body": ROWS})),
    "DuckDB query": lambda: duckdb.sql("select unnest($rows::blob[]) as body", params={"rows": ROWS}),
    "nanoarrow array": lambda: nanoarrow.Array(ROWS, nanoarrow.binary()),
}


@pytest.mark.parametrize("name", PRODUCERS)
def test_from_and_to_every_library(name: str) -> None:
    column = arrow.decode_array(PRODUCERS[name](), "sjis")
    assert len(column) == len(TEXTS)
    assert column.null_count == 1
    for _ in range(2):  # any number of times
        assert pa.chunked_array(column).to_pylist() == TEXTS
        assert polars.Series(column).to_list() == TEXTS
        if not name.startswith("Polars"):  # nanoarrow 0.9 fails for views, including those of pyarrow
            assert nanoarrow.ArrayStream(column).read_all().to_pylist() == TEXTS
        table = pa.table({"text": pa.chunked_array(column)})
        assert [row[0] for row in duckdb.from_arrow(table).fetchall()] == TEXTS
        assert pandas.Series(pa.chunked_array(column).to_pandas()).isna().sum() == 1
        if column.num_chunks == 1:
            assert pa.array(column).to_pylist() == TEXTS


def test_the_struct_in_every_library() -> None:
    column = arrow.decode_array_with_info(pa.array(ROWS), "sjis")
    names = ["text", "encoding", "errors", "first_error", "line", "column"]
    rows: list[tuple[object, ...]] = [(text, text and "Shift_JIS", 0, None, None, None) for text in TEXTS]
    rows[2] = ("", "Shift_JIS", 0, None, None, None)
    rows[5] = (TEXTS[5], "Shift_JIS", 1, 0, 1, 1)
    expected = [dict(zip(names, row, strict=True)) for row in rows]
    array = pa.array(column)
    array.validate(full=True)
    assert array.to_pylist() == expected
    assert polars.Series(column).to_list() == expected
    batch = pa.RecordBatch.from_struct_array(array)
    assert batch.column_names == names
    assert duckdb.from_arrow(pa.Table.from_batches([batch])).fetchall() == rows


def test_several_chunks() -> None:
    """Consumers of chunks import them without a copy; consumers of an array raise an error that names another."""
    source = pa.chunked_array([["é" * 30, None], ["a" * 30]], pa.large_string()).cast(pa.large_binary())
    column = arrow.decode_array(source, "utf-8")
    assert column.num_chunks == 2
    chunks = pa.chunked_array(column)
    assert [addresses(chunk) for chunk in chunks.chunks] == [addresses(chunk) for chunk in source.chunks]
    assert chunks.to_pylist() == ["é" * 30, None, "a" * 30]
    series = polars.Series(column)
    assert series.n_chunks() == 2
    assert series.to_list() == chunks.to_pylist()
    assert [len(part) for part in nanoarrow.ArrayStream(column).iter_chunks()] == [2, 1]
    with pytest.raises(TypeError, match=r"2 chunks is not a single array: use pyarrow.chunked_array\(column\)"):
        pa.array(column)
    assert not hasattr(column, "__arrow_c_array__")  # or Polars would use it
    with pytest.raises(AttributeError, match=r"a column of 2 chunks .* pyarrow.chunked_array\(column\)"):
        _ = column.__arrow_c_array__
    assert repr(column) == "<Column of 3 rows in 2 chunks, Arrow format 'U'>"
    with pytest.raises(TypeError, match=r"decode_array"):
        arrow.Column()
    with pytest.raises(TypeError, match=r"not iterable: use pyarrow.array\(column\) or polars.Series\(column\)"):
        list(arrow.decode_array(source.chunk(0), "utf-8"))  # type: ignore[call-overload]
    # A single chunk is an array, and so is a column without chunks.
    assert addresses(pa.array(arrow.decode_array(source.chunk(0), "utf-8"))) == addresses(source.chunk(0))
    none = arrow.decode_array(pa.chunked_array([], pa.binary()), "utf-8")
    assert (none.num_chunks, pa.array(none).to_pylist(), pa.chunked_array(none).to_pylist()) == (0, [], [])
    # The same for structs.
    for result in (
        arrow.decode_array_with_info(source, "utf-8"),
        arrow.sniff_array(source),
        arrow.encode_array(chunks, "gbk"),
    ):
        assert pa.chunked_array(result).num_chunks == result.num_chunks == polars.Series(result).n_chunks() == 2
        with pytest.raises(TypeError, match="2 chunks is not a single array"):
            pa.array(result)


def addresses(array: Any) -> list[int | None]:
    return [buffer and buffer.address for buffer in array.buffers()]


@pytest.mark.parametrize("type_", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_what_needs_no_change_is_shared(type_: Any) -> None:
    for rows, label in (
        (["é" * 30, "a", None, ""], "utf-8"),
        (["e" * 30, "a", None, ""], "shift_jis"),
        (["x" * 30] * 9, "gb18030"),
    ):
        source = pa.array([row and row.encode() for row in rows], type_)
        result = pa.array(arrow.decode_array(source, label))
        assert addresses(result) == addresses(source)
        assert result.to_pylist() == rows
        part = pa.array(arrow.decode_array(source[1:], label))
        assert addresses(part)[2:3] == addresses(source)[2:3]
        assert part.to_pylist() == rows[1:]
        labels = pa.array([label] * len(rows))
        assert addresses(pa.array(arrow.decode_array(source, labels))) == addresses(source)
        encoded = pa.array(arrow.encode_array(result, label))
        assert addresses(encoded) == addresses(source)
        column = arrow.decode_array(source, label)
        assert column.nbytes < 100
        # A byte order mark is removed by bom="sniff" only.
    marked = pa.array([b"\xef\xbb\xbfa", b"b"], type_)
    assert pa.array(arrow.decode_array(marked, "utf-8")).to_pylist() == ["\ufeffa", "b"]
    assert pa.array(arrow.decode_array(marked, "utf-8", bom="sniff")).to_pylist() == ["a", "b"]
    # A sequence that is split between two rows is invalid in both.
    split = pa.array([b"\xe3\x81", b"\x82", b"a"], type_)
    assert pa.array(arrow.decode_array(split, "utf-8")).to_pylist() == ["\ufffd", "\ufffd", "a"]
    # An encoding that is not ASCII-compatible shares only empty rows.
    escaped = pa.array([b"\x1b(Ja\\", b""], type_)
    assert pa.array(arrow.decode_array(escaped, "iso-2022-jp")).to_pylist() == ["a¥", ""]


def test_views_of_a_column_that_is_shared_in_part() -> None:
    """One row that is not the same text copies all of them, as in the other layouts."""
    source = pa.array(
        [b"valid text that is long", b"\xe9" * 20, b"another one that is long", None, b"\xe9"], pa.binary_view()
    )
    column = arrow.decode_array(source, "windows-1252")
    result = pa.array(column)
    result.validate(full=True)
    texts = ["valid text that is long", "é" * 20, "another one that is long", None, "é"]
    assert result.to_pylist() == texts
    assert not set(addresses(source)) & set(addresses(result))
    assert column.nbytes == 1 + 5 * 16 + sum(len((text or "").encode()) for text in texts)


def test_sharing_under_new_nulls() -> None:
    source = pa.array([b"abc", b"", b"def"])
    result = pa.array(arrow.decode_array(source, pa.array(["utf-8", None, "utf-8"])))
    assert (result.to_pylist(), addresses(result)[1:]) == (["abc", None, "def"], addresses(source)[1:])


@pytest.mark.parametrize(
    "wanted", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()], ids=str
)
@pytest.mark.parametrize("name", ["binary", "large_binary", "binary_view"])
def test_requested_schemas(name: str, wanted: Any) -> None:
    source = pa.array(ROWS, getattr(pa, name)())
    column = arrow.decode_array(source, "sjis")
    for array in (pa.array(column, wanted), pa.chunked_array(column, wanted)):
        array.validate(full=True)
        assert array.type == wanted
        assert array.cast(pa.string()).to_pylist() == TEXTS
    schema = wanted.__arrow_c_schema__()
    assert pa.Array._import_from_c_capsule(*column.__arrow_c_array__(schema)).type == wanted


def test_requested_schemas_of_other_columns() -> None:
    def ask(column: Any, wanted: Any) -> Any:
        return pa.Array._import_from_c_capsule(*column.__arrow_c_array__(wanted.__arrow_c_schema__()))

    info = arrow.decode_array_with_info(pa.array(ROWS), "sjis")
    own = pa.array(info).type
    wide = pa.struct([pa.field("text", pa.large_string()), *list(own)[1:]])
    assert ask(info, wide).type == wide
    assert ask(info, wide).to_pylist() == pa.array(info).to_pylist()
    encoded = arrow.encode_array(pa.array(["é"]), "utf-8")
    assert ask(encoded, pa.large_binary()).type == pa.large_binary()
    assert ask(encoded, pa.string()).type == pa.binary()  # binary is not converted to text
    dictionary = arrow.decode_array(pa.array(ROWS).dictionary_encode(), "sjis")
    assert ask(dictionary, pa.dictionary(pa.int32(), pa.large_string())).to_pylist() == TEXTS
    assert ask(dictionary, pa.string()).to_pylist() == TEXTS
    for column, wanted in (
        (encoded, pa.int32()),
        (info, pa.string()),
        (info, pa.struct([own.field(0)])),
        (dictionary, pa.float64()),
        (arrow.decode_array(pa.array(ROWS), "sjis"), own),
    ):
        with pytest.raises(ValueError, match=r"^requested_schema: "):
            ask(column, wanted)  # fmt: skip
    with pytest.raises(TypeError, match=r"arrow_schema"):
        encoded.__arrow_c_array__(3)


def test_a_column_is_a_source_too() -> None:
    column = arrow.decode_array(pa.array(ROWS[:-1]), "sjis")
    again = arrow.encode_array(column, "sjis")
    del column
    assert pa.array(again).to_pylist() == ROWS[:-1]


def test_sniffing() -> None:
    bodies = pa.chunked_array([[b"<meta charset=sjis>", None], [b"\xef\xbb\xbfx", b"plain"]], pa.binary())
    headers = pa.array([None, "text/html", "text/html; charset=gbk", "text/html; charset=koi8-r"])
    column = pa.chunked_array(arrow.sniff_array(bodies, headers))
    column.validate(full=True)
    rows = (("Shift_JIS", "prescan", "tentative"), (None,) * 3, ("UTF-8", "bom", "certain"),
            ("KOI8-R", "transport", "certain"))  # fmt: skip
    expected = [dict(zip(("encoding", "source", "confidence"), row, strict=True)) for row in rows]
    assert column.to_pylist() == expected
    assert polars.Series(arrow.sniff_array(bodies, headers)).to_list() == expected
    rows_of_one_header = pa.chunked_array(arrow.sniff_array(bodies, "text/html; charset=koi8-r")).to_pylist()
    assert [row["encoding"] for row in rows_of_one_header] == ["KOI8-R", None, "UTF-8", "KOI8-R"]
    seen = []

    def detector(data: Any) -> str:
        seen.append(data)
        return "euc-kr"

    sniffed = pa.chunked_array(arrow.sniff_array(bodies, detector=detector)).to_pylist()
    assert [row["encoding"] for row in sniffed] == ["Shift_JIS", None, "UTF-8", "EUC-KR"]
    del bodies
    assert [bytes(data) for data in seen] == [b"plain"]  # a detector may keep its input
    with pytest.raises(ValueError, match=r"'html' or 'crawl'"):
        arrow.sniff_array(headers, rule="text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"detector of its own"):
        arrow.sniff_array(headers, rule="crawl", detector=detector)
    with pytest.raises(ValueError, match=r"^content_types: a column of 1 rows"):
        arrow.sniff_array(headers, pa.array(["a"]))
    with pytest.raises(TypeError, match=r"content_types must be"):
        arrow.sniff_array(headers, 3)  # type: ignore[arg-type]


def test_it_imports_no_arrow_library() -> None:
    program = (
        "import sys, whatwg_encoding\nfrom whatwg_encoding import arrow\narrow.decode_array\n"
        "others = {'pyarrow', 'polars', 'pandas', 'numpy', 'nanoarrow', 'duckdb'}\n"
        "print([name for name in sys.modules if name.split('.')[0] in others])"
    )
    assert python(program).strip() == "[]"
