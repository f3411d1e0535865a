"""``sniff_array(rule="crawl")``: each step of the order, with fixed results, and compared with ``sniff.crawl``.

The input is encoded by Python's codecs.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import polars
import pyarrow as pa
import pytest

import whatwg_encoding as we
from whatwg_encoding import arrow

RUSSIAN = "Поезд опоздал из-за сильного снега, и пассажиры долго ждали на вокзале."
JAPANESE = "駅前のパン屋は朝早くから開いていて、焼きたての匂いが通りまで流れてくる。"


def charset(label: str) -> str:
    return f"text/html; charset={label}"


def meta(label: str, text: str, codec: str) -> bytes:
    return f"<meta charset={label}>{text}".encode(codec)


UTF_8 = ("UTF-8", "utf-8", "tentative")
# Step → the body, its header, and the encoding, source and confidence.
STEPS: dict[str, tuple[bytes | None, str | None, tuple[str, str, str] | None]] = {
    "null": (None, charset("koi8-r"), None),
    # 1. A byte order mark, even before bytes that are not valid after it.
    "UTF-8's mark": (b"\xef\xbb\xbf" + RUSSIAN.encode(), charset("koi8-r"), ("UTF-8", "bom", "certain")),
    "UTF-16LE's mark": (b"\xff\xfe" + RUSSIAN.encode("utf-16-le"), None, ("UTF-16LE", "bom", "certain")),
    "UTF-16BE's mark": (b"\xfe\xff" + RUSSIAN.encode("utf-16-be"), None, ("UTF-16BE", "bom", "certain")),
    "mark, then an error": (b"\xef\xbb\xbf\xff", None, ("UTF-8", "bom", "certain")),
    # 2. Valid UTF-8, whatever is declared.
    "empty": (b"", None, UTF_8),
    "ASCII": (b"plain", charset("koi8-r"), UTF_8),
    "valid, header contradicts": (RUSSIAN.encode(), charset("iso-8859-1"), UTF_8),
    "valid, meta contradicts": (meta("gbk", RUSSIAN, "utf-8"), None, UTF_8),
    "valid, cut at the end": (RUSSIAN.encode()[:-1], None, UTF_8),
    "valid to the end but for one byte": (b"caf\xe9", None, ("windows-1252", "detector", "tentative")),
    # ISO-2022-JP is 7-bit text and no UTF-8.
    "escapes, undeclared": (JAPANESE.encode("iso2022_jp"), None, ("ISO-2022-JP", "detector", "tentative")),
    "escapes, declared": (
        JAPANESE.encode("iso2022_jp"),
        charset("iso-2022-jp"),
        ("ISO-2022-JP", "transport", "tentative"),
    ),
    # 3. What is declared and decodes.
    "header": (RUSSIAN.encode("koi8_r"), charset("koi8-r"), ("KOI8-R", "transport", "tentative")),
    "header before meta": (
        meta("koi8-r", JAPANESE, "cp932"),
        charset("sjis"),
        ("Shift_JIS", "transport", "tentative"),
    ),
    "header, cut at the end": (JAPANESE.encode("cp932")[:-1], charset("sjis"), ("Shift_JIS", "transport", "tentative")),
    "header does not decode": (
        meta("sjis", JAPANESE, "cp932"),
        charset("euc-jp"),
        ("Shift_JIS", "prescan", "tentative"),
    ),
    "header of an unknown label": (
        meta("sjis", JAPANESE, "cp932"),
        charset("nosuch"),
        ("Shift_JIS", "prescan", "tentative"),
    ),
    "meta": (meta("sjis", JAPANESE, "cp932"), "text/html", ("Shift_JIS", "prescan", "tentative")),
    "meta, cut at the end": (meta("sjis", JAPANESE, "cp932")[:-1], None, ("Shift_JIS", "prescan", "tentative")),
    # windows-1252, the default of many servers, is ignored.
    "header says windows-1252": (
        meta("koi8-r", RUSSIAN, "koi8_r"),
        charset("iso-8859-1"),
        ("KOI8-R", "prescan", "tentative"),
    ),
    "both say windows-1252": (
        meta("windows-1252", RUSSIAN, "cp1251"),
        charset("latin1"),
        ("windows-1251", "detector", "tentative"),
    ),
    # 4. The detector.
    "undeclared": (JAPANESE.encode("euc_jp"), None, ("EUC-JP", "detector", "tentative")),
    "declarations do not decode": (
        meta("utf-8", RUSSIAN, "cp1251"),
        charset("utf-8"),
        ("windows-1251", "detector", "tentative"),
    ),
}
STEPS |= {
    "damaged UTF-8": (RUSSIAN.encode() + b"\xff", charset("koi8-r"), UTF_8),
    "damaged text of the header": (
        JAPANESE.encode("euc_jp") + b"\xff\xff ",
        charset("euc-jp"),
        ("EUC-JP", "transport", "tentative"),
    ),
    "UTF-16 without a mark": (RUSSIAN.encode("utf-16-le"), None, ("UTF-16LE", "detector", "tentative")),
}
BODIES = [body for body, _, _ in STEPS.values()]
HEADERS = [header for _, header, _ in STEPS.values()]


def rows(column: arrow.Column) -> list[tuple[str, str, str] | None]:
    """Return each row's encoding, source and confidence; None where all three are null."""
    chunks = pa.chunked_array(column)
    chunks.validate(full=True)
    found = [(row["encoding"], row["source"], row["confidence"]) for row in chunks.to_pylist()]
    return [None if row == (None, None, None) else row for row in found]


@pytest.mark.parametrize("step", STEPS)
def test_each_step(step: str) -> None:
    body, header, expected = STEPS[step]
    assert rows(arrow.sniff_array(pa.array([body], pa.binary()), pa.array([header]), rule="crawl")) == [expected]
    assert rows(arrow.sniff_array(pa.array([body], pa.binary()), header, rule="crawl")) == [expected]
    if body is not None and expected is not None:
        found = we.sniff.crawl(body, header)
        assert (found.encoding.name, found.source, found.confidence) == expected


@pytest.mark.parametrize("type_", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_all_steps_in_one_column(type_: Any) -> None:
    bodies, headers = pa.array(BODIES, type_), pa.array(HEADERS)
    expected = [row for _, _, row in STEPS.values()]
    assert rows(arrow.sniff_array(bodies, headers, rule="crawl")) == expected
    # The chunks of bodies and headers may differ; slices have offsets.
    chunks = pa.chunked_array([bodies[:3], bodies[3:3], bodies[3:10], bodies[10:]])
    others = pa.chunked_array([headers[:7], headers[7:]]).dictionary_encode()
    column = arrow.sniff_array(chunks, others, rule="crawl")
    assert column.num_chunks == 4
    assert rows(column) == expected
    assert [tuple(row.values()) for row in polars.Series(column).to_list() if row["encoding"] is not None] == [
        row for row in expected if row is not None
    ]
    # Without headers, only the declarations of the pages count.
    for body, row in zip(BODIES, rows(arrow.sniff_array(bodies, rule="crawl")), strict=True):
        if body is not None:
            alone = we.sniff.crawl(body)
            assert row == (alone.encoding.name, alone.source, alone.confidence)


def test_the_encodings_found_decode_the_column() -> None:
    bodies = pa.array(BODIES, pa.binary())
    found = pa.array(arrow.sniff_array(bodies, pa.array(HEADERS), rule="crawl")).field("encoding")
    texts = pa.array(arrow.decode_array(bodies, found, bom="sniff")).to_pylist()
    assert texts == [
        None if body is None else we.decode_crawled(body, header).text
        for body, header in zip(BODIES, HEADERS, strict=True)
    ]
    assert texts[1:4] == [RUSSIAN] * 3


AMBIGUOUS = b"<p>\xe4\xe5"  # Russian in windows-1251, or windows-1252


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
        with pytest.raises(ValueError, match="tld, limit and exclude are for rule='crawl'"):
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
    arrow.sniff_array(pa.array([b"abc"]), rule="crawl")
    assert seen == [(b"abc", True, "B", (3,), (1,), b"bc")]


def test_excluded_encodings() -> None:
    bodies = pa.array([b"\x1b$BF|K\\\x1b(B", "größer".encode()])
    assert encodings(arrow.sniff_array(bodies, rule="crawl")) == ["ISO-2022-JP", "UTF-8"]
    assert encodings(arrow.sniff_array(bodies, rule="crawl", exclude=["iso-2022-jp"])) == ["UTF-8", "UTF-8"]
    with pytest.raises(ValueError, match="tld, limit and exclude are for rule='crawl'"):
        arrow.sniff_array(bodies, exclude=["gbk"])
