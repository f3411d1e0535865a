"""``sniff_array(rule="crawl")``: each step of the order, with fixed results, and compared with ``sniff.crawl``."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import pyarrow as pa
import pytest

import whatwg_encoding as we
from tests.sniff.support import charset
from tests.sniff.test_crawl import ORDER, RUSSIAN
from whatwg_encoding import arrow

STEPS: list[tuple[bytes | None, str | None, tuple[str, str, str] | None]] = [
    (None, charset("koi8-r"), None),
    *(row for row in ORDER if not isinstance(row[1], list)),  # several headers
]
BODIES = [body for body, _, _ in STEPS]
HEADERS = [header for _, header, _ in STEPS]


def rows(column: arrow.Column) -> list[tuple[str, str, str] | None]:
    """Return each row's encoding, confidence and source; None where all three are null."""
    chunks = pa.chunked_array(column)
    chunks.validate(full=True)
    values = [(row["encoding"], row["confidence"], row["source"]) for row in chunks.to_pylist()]
    return [None if row == (None, None, None) else row for row in values]


@pytest.mark.parametrize(("body", "header", "expected"), STEPS)
def test_each_step(body: bytes | None, header: str | None, expected: tuple[str, str, str] | None) -> None:
    assert rows(arrow.sniff_array(pa.array([body], pa.binary()), pa.array([header]), rule="crawl")) == [expected]
    assert rows(arrow.sniff_array(pa.array([body], pa.binary()), header, rule="crawl")) == [expected]


@pytest.mark.parametrize("type_", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_all_steps_in_one_column(type_: Any) -> None:
    bodies, headers = pa.array(BODIES, type_), pa.array(HEADERS)
    expected = [row for _, _, row in STEPS]
    assert rows(arrow.sniff_array(bodies, headers, rule="crawl")) == expected
    # The chunks of bodies and headers may differ; slices have offsets.
    chunks = pa.chunked_array([bodies[:3], bodies[3:3], bodies[3:10], bodies[10:]])
    others = pa.chunked_array([headers[:7], headers[7:]]).dictionary_encode()
    column = arrow.sniff_array(chunks, others, rule="crawl")
    assert column.num_chunks == 4
    assert rows(column) == expected
    # Without headers, only the declarations of the pages count.
    for body, row in zip(BODIES, rows(arrow.sniff_array(bodies, rule="crawl")), strict=True):
        if body is not None:
            alone = we.sniff.crawl(body)
            assert row == (alone.encoding.name, alone.confidence, alone.source)


def test_the_encodings_found_decode_the_column() -> None:
    bodies = pa.array(BODIES, pa.binary())
    encodings = pa.array(arrow.sniff_array(bodies, pa.array(HEADERS), rule="crawl")).field("encoding")
    texts = pa.array(arrow.decode_array(bodies, encodings, bom="sniff")).to_pylist()
    assert texts == [
        None if body is None else we.decode_crawled(body, header).text
        for body, header in zip(BODIES, HEADERS, strict=True)
    ]
    assert texts[1:4] == [RUSSIAN] * 3


AMBIGUOUS = b"<p>\xe4"  # Russian in windows-1251, or windows-1252


def encodings(column: arrow.Column) -> list[str | None]:
    return [None if row is None else row[0] for row in rows(column)]


@pytest.mark.parametrize(
    "type_", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
def test_top_level_domains(type_: Any) -> None:
    """One for all rows, or a column, in chunks of its own."""
    bodies = pa.chunked_array([[AMBIGUOUS] * 3, [None, AMBIGUOUS]], pa.binary())
    tlds = pa.array(["ru", "de", None, "de", "рф"]).cast(type_)
    expected = [
        we.sniff.crawl(AMBIGUOUS, tld=tld).encoding.name if body.as_py() is not None else None
        for body, tld in zip(bodies, tlds.to_pylist(), strict=True)
    ]
    assert expected[:2] + expected[4:] == ["windows-1251", "windows-1252", "windows-1251"]
    assert encodings(arrow.sniff_array(bodies, rule="crawl", tld=tlds)) == expected
    chunks = pa.chunked_array([tlds[:1], tlds[1:]])
    assert encodings(arrow.sniff_array(bodies, "text/html", rule="crawl", tld=chunks)) == expected
    assert encodings(arrow.sniff_array(bodies, rule="crawl", tld="ru")) == ["windows-1251"] * 3 + [None, "windows-1251"]


def test_limits() -> None:
    body = ("Größe" * 20).encode("cp1252") + RUSSIAN.encode("cp1251") * 20
    for limit in (40, 16384):
        (name,) = encodings(arrow.sniff_array(pa.array([body]), rule="crawl", limit=limit))
        assert name == we.sniff.crawl(body, limit=limit).encoding.name
    assert we.sniff.crawl(body, limit=40).encoding is not we.sniff.crawl(body).encoding


def test_wrong_top_level_domains_and_limits() -> None:
    bodies = pa.array([AMBIGUOUS] * 3)
    lacking = arrow.sniff_array(bodies, rule="crawl", tld=pa.array(["uk", "co.uk", ""]))
    assert encodings(lacking) == encodings(arrow.sniff_array(bodies, rule="crawl", tld=pa.array(["uk", None, None])))
    with pytest.raises(ValueError, match=r"^tld must be the last label .* not 'co\.uk'"):
        arrow.sniff_array(bodies, rule="crawl", tld="co.uk")
    with pytest.raises(ValueError, match="tld: a column of 2 rows, but the values have more"):
        arrow.sniff_array(bodies, rule="crawl", tld=pa.array(["uk", "de"]))
    with pytest.raises(ValueError, match="tld: a column of 4 rows or more, but the values have 3"):
        arrow.sniff_array(bodies, rule="crawl", tld=pa.array(["uk"] * 4))
    with pytest.raises(TypeError, match="tld must be a column, a str or None, not int"):
        arrow.sniff_array(bodies, rule="crawl", tld=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="limit must be at least 1 byte, not 0"):
        arrow.sniff_array(bodies, rule="crawl", limit=0)
    for hints in ({"tld": "jp"}, {"limit": 100}):
        with pytest.raises(ValueError, match="tld, limit, exclude and candidates are for rule='crawl'"):
            arrow.sniff_array(bodies, **hints)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None has no reference count")
def test_a_row_leaks_no_reference() -> None:
    bodies = pa.array([b"<meta charset=gbk>"] * 1000)
    arrow.sniff_array(bodies)
    before = sys.getrefcount(None)
    arrow.sniff_array(bodies)
    assert abs(sys.getrefcount(None) - before) < 100


def test_the_bytes_of_a_row_are_a_read_only_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[object, ...]] = []

    def look(data: memoryview, *_: object, **__: object) -> object:
        seen.append((bytes(data), data.readonly, data.format, data.shape, data.strides, bytes(data[1:])))
        with pytest.raises((BufferError, TypeError)):
            (ctypes.c_char * len(data)).from_buffer(data.obj)  # type: ignore[arg-type]
        return we.sniff.Sniffed(we.UTF_8, "certain", "test")

    monkeypatch.setattr(we.sniff, "crawl", look)
    document = b"abc" * 2000  # a short one is copied
    arrow.sniff_array(pa.array([document]), rule="crawl")
    assert seen == [(document, True, "B", (6000,), (1,), document[1:])]
