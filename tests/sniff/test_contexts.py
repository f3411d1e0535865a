"""The table of contexts, and ``decode_as`` in every one of them. Expected texts come from the reference."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from tests.reference import oracle

ROWS = list(csv.DictReader((Path(__file__).parents[2] / "data" / "decode_contexts.csv").open(encoding="utf-8")))
BOMS = {"UTF-8": b"\xef\xbb\xbf", "UTF-16BE": b"\xfe\xff", "UTF-16LE": b"\xff\xfe"}


def ids(**cells: str) -> list[str]:
    return [row["id"] for row in ROWS if all(row[column] == cell for column, cell in cells.items())]


NOT_SPECIFIED = ids(spec_operation="", determination="")
SPECIFIED = [row["id"] for row in ROWS if row["id"] not in NOT_SPECIFIED]
SNIFFING = [*ids(bom="sniffing"), "wtp-env-value"]
UTF_8_ONLY = ids(determination="utf-8")
ISOMORPHIC = ids(spec_operation="isomorphic decode")
ANY = [
    b"", b"a", b"\xef\xbb\xbfa", b"\xef\xbb\xbf\xef\xbb\xbf", b"\xfe\xff\0a", b"\xff\xfea\0", b"\xff\xfe{\0",
    b"\xef\xbb", b"a\xffb\xc3", b"\xff",
]  # fmt: skip


def utf_8(data: bytes) -> str:
    return oracle.decode("UTF-8", data).text


def test_table() -> None:
    assert len(we.CONTEXTS) == len(ROWS) == 50
    for number, (row, (key, context)) in enumerate(zip(ROWS, we.CONTEXTS.items(), strict=True), 1):
        assert key == context.id == row["id"]
        assert context.n == number
        columns = {column: cell for column, cell in row.items() if column != "context_ja"}
        assert context._asdict() == {**columns, "n": number}
    with pytest.raises(TypeError):
        we.CONTEXTS["x"] = we.CONTEXTS["atob"]  # type: ignore[index]


def test_every_row_is_of_one_kind() -> None:
    assert len(SNIFFING) + len(UTF_8_ONLY) + len(ISOMORPHIC) + len(NOT_SPECIFIED) + 2 == 50  # plus two for TextDecoder
    assert NOT_SPECIFIED == [
        "clipboard-paste", "webdriver-json", "source-map", "challenge-realm", "content-disposition-filename",
        "file-url-path", "m3u8", "x500-string",
    ]  # fmt: skip


def test_corrections_of_the_source() -> None:
    """Three cells about BOMs differ from the source table and follow the standards."""
    corrected = {"textdecoder": "remove", "textdecoder-ignorebom": "keep", "form-data-multipart": "keep"}
    assert {name: we.CONTEXTS[name].bom for name in corrected} == corrected


@pytest.mark.parametrize("context", NOT_SPECIFIED)
def test_not_specified(context: str) -> None:
    message = f"no standard specifies how to decode the context '{context}'"
    with pytest.raises(we.NotSpecifiedError, match=message):
        we.decode_as(context, b"")
    with pytest.raises(we.NotSpecifiedError, match=message):
        we.decode_stream(context, [])
    assert issubclass(we.NotSpecifiedError, LookupError)


def test_unknown_context() -> None:
    with pytest.raises(LookupError, match=r"unknown decode context 'html'; CONTEXTS has textdecoder, .*html-parser"):
        we.decode_as("html", b"")


@pytest.mark.parametrize("context", SNIFFING)
def test_sniffed_bom(context: str) -> None:
    for name, bom in BOMS.items():
        for data in (bom + bom + b"a\0", bom + "é\0".encode("utf-16-le") if name == "UTF-16LE" else bom + b"\0b"):
            expected = oracle.decode(name, data[len(bom) :]).text
            assert we.decode_as(context, data) == (expected, we.lookup(name))


@pytest.mark.parametrize("context", UTF_8_ONLY)
@pytest.mark.parametrize("data", ANY)
def test_utf_8(context: str, data: bytes) -> None:
    row = we.CONTEXTS[context]
    removes = row.spec_operation == "UTF-8 decode" or row.bom == "remove"
    content = data[3:] if removes and data.startswith(b"\xef\xbb\xbf") else data
    text, spans = oracle.decode("UTF-8", content)
    if row.error_mode == "fatal" and spans:
        with pytest.raises(UnicodeDecodeError) as raised:
            we.decode_as(context, data)
        assert (raised.value.start, raised.value.end) == spans[0]
    else:
        assert we.decode_as(context, data) == (text, we.UTF_8)


@pytest.mark.parametrize("context", ISOMORPHIC)
def test_isomorphic(context: str) -> None:
    data = bytes(range(0x100))
    for content in (data, b"\xef\xbb\xbf" + data, b"\xff\xfe"):
        text, encoding = we.decode_as(context, content)
        assert text == "".join(map(chr, content))
        assert encoding is None  # no encoding of the standard is isomorphic


def test_a_fatal_host_parser() -> None:
    with pytest.raises(UnicodeDecodeError):
        we.decode_as("host-parser", b"\xff", fatal=True)


def test_text_decoder_rows() -> None:
    marked = b"\xff\xfea\0"
    assert we.decode_as("textdecoder", marked, label="utf-16") == ("a", we.UTF_16LE)
    assert we.decode_as("textdecoder-ignorebom", marked, label="utf-16") == ("\ufeffa", we.UTF_16LE)
    assert we.decode_as("textdecoder", marked).text == "\ufffd\ufffda\0"
    utf_8_mark = b"\xef\xbb\xbfa"
    assert we.decode_as("textdecoder", utf_8_mark, label="gbk").text == oracle.decode("GBK", utf_8_mark).text
    with pytest.raises(UnicodeDecodeError):
        we.decode_as("textdecoder", b"\xff", fatal=True)
    with pytest.raises(we.UnknownLabelError, match="'hz-gb-2312' is a label of replacement"):
        we.decode_as("textdecoder", b"", label="hz-gb-2312")
    with pytest.raises(we.UnknownLabelError):
        we.decode_as("textdecoder", b"", label="nope")


def test_percent_encoded_inputs() -> None:
    assert we.decode_as("percent-decode", b"%E3%81%82+%FF%4").text == "あ+\ufffd%4"
    assert we.decode_as("form-urlencoded", b"%E3%81%82+%2B%FF").text == "あ +\ufffd"
    # The others accept input that was percent-decoded before.
    for context in ("javascript-url", "host-parser", "indicated-part", "media-fragment", "data-url"):
        assert we.decode_as(context, b"%41+").text == "%41+"


@pytest.mark.parametrize(
    ("data", "uri", "component"),
    [
        (b"", "", ""), (b"a%20b%41", "a bA", "a bA"), ("é%C3%A9%F0%9F%98%80".encode(), "éé😀", "éé😀"),
        (b"%3b%2F%3F%3A%40%26%3D%2B%24%2C%23", "%3b%2F%3F%3A%40%26%3D%2B%24%2C%23", ";/?:@&=+$,#"),
        (b"%25%27+%21", "%'+!", "%'+!"), (b"%EF%BB%BF\xef\xbb\xbf", "\ufeff\ufeff", "\ufeff\ufeff"),
        (b"\xff%7E", "\ufffd~", "\ufffd~"),
    ],
)  # fmt: skip
def test_ecmascript_decode(data: bytes, uri: str, component: str) -> None:
    assert we.decode_as("js-decodeuri", data) == (uri, we.UTF_8)
    assert we.decode_as("js-decodeuricomponent", data) == (component, we.UTF_8)


@pytest.mark.parametrize(
    ("data", "start", "end"),
    [
        (b"a%", 1, 2), (b"%4", 0, 1), (b"%4g", 0, 1), (b"%80", 0, 3), (b"a%C3", 1, 4), (b"%C3x", 0, 3),
        (b"%C3%41", 0, 3), (b"%C0%80", 0, 6), (b"%ED%A0%80", 0, 9), (b"%F4%90%80%80", 0, 12),
        (b"%F8%88%80%80%80", 0, 15), (b"\xe3%81%82", 1, 7),
    ],
)  # fmt: skip
@pytest.mark.parametrize("context", ["js-decodeuri", "js-decodeuricomponent"])
def test_ecmascript_uri_error(context: str, data: bytes, start: int, end: int) -> None:
    with pytest.raises(UnicodeDecodeError, match="URIError") as raised:
        we.decode_as(context, data)
    assert (raised.value.object, raised.value.start, raised.value.end) == (data, start, end)
    with pytest.raises(UnicodeDecodeError, match="URIError"):
        list(we.decode_stream(context, [data[:1], data[1:]]))


def test_style_sheet_rows() -> None:
    data = b"p{content:'\xb0\xa1'}"
    korean = oracle.decode("EUC-KR", data).text
    for hints in ({"charset": "euc-kr", "document": "gbk"}, {"document": "euc-kr"}, {"environment": "euc-kr"}):
        assert we.decode_as("css-from-document", data, **hints) == (korean, we.EUC_KR)
        assert we.decode_css(data, **hints) == (korean, we.EUC_KR)
    assert we.decode_as("css-from-css", data, sheet="euc-kr") == (korean, we.EUC_KR)
    assert we.decode_as("css-from-css", data, environment=we.EUC_KR) == (korean, we.EUC_KR)
    assert we.decode_as("css-from-link-header", data) == (utf_8(data), we.UTF_8)
    with pytest.raises(TypeError, match="has no hint 'document'"):
        we.decode_as("css-from-link-header", data, document="euc-kr")


def test_view_source_decodes_as_the_document_does() -> None:
    html, xml = b"<meta charset=euc-kr>\xb0\xa1", b"<?xml encoding='euc-kr'?>\xb0\xa1"
    view = "view-source"
    assert we.decode_as(view, html, content_type="text/html") == we.decode_html(html, content_type="text/html")
    assert we.decode_as(view, html) == we.decode_html(html)
    assert we.decode_as(view, xml, content_type="image/svg+xml").encoding is we.EUC_KR
    assert we.decode_as(view, b"\xff", content_type="image/svg+xml").text == "\ufffd"
    assert we.decode_as(view, html, content_type="text/plain", locale="th").encoding is we.WINDOWS_874


def test_short_names() -> None:
    html, xml = b"<meta charset=sjis>\x82\xa0", b"<?xml encoding='sjis'?>\x82\xa0"
    assert we.decode_html(html) == we.decode_as("html-parser", html) == ("<meta charset=sjis>あ", we.SHIFT_JIS)
    assert we.decode_xml(xml) == we.decode_as("xml-parser", xml) == ("<?xml encoding='sjis'?>あ", we.SHIFT_JIS)
    assert we.decode_html(b"\xb0\xa1", parent="euc-kr").text == "가"


@pytest.mark.parametrize(
    ("context", "hints"),
    [
        ("html-parser", {"charset": "gbk"}), ("xml-parser", {"locale": "ja"}), ("xhr-text", {"response_type": ""}),
        ("atob", {"label": "gbk"}), ("fetch-body-text", {"content_type": "text/plain"}),
        ("document-cookie", {"fatal": True}),
    ],
)  # fmt: skip
def test_hints_that_a_context_does_not_have(context: str, hints: dict[str, Any]) -> None:
    name = next(iter(hints))
    with pytest.raises(TypeError, match=re.escape(f"the decode context {context!r} has no hint {name!r}; its hints: ")):
        we.decode_as(context, b"", **hints)
    with pytest.raises(TypeError, match=f"has no hint {name!r}"):
        we.decode_stream(context, [], **hints)


@pytest.mark.parametrize("context", SPECIFIED)
def test_data(context: str) -> None:
    for wrong in ("", None, 0, memoryview(b"abcd")[::2]):
        with pytest.raises(TypeError):
            we.decode_as(context, wrong)  # type: ignore[arg-type]
    for data in (b"abc", bytearray(b"abc"), memoryview(b"abc")):
        assert we.decode_as(context, data).text == "abc"


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("fallback", ["shift_jis", "utf-8", we.UTF_16LE])
def test_the_hook_decode_as_a_stream(fallback: we.Encoding | str, size: int) -> None:
    for data in (
        b"", b"\x82\xa0", b"\xef\xbb\xbf\xe3\x81\x82", b"\xfe\xff0\x42", b"\xff\xfe\x420", b"\xef\xbb", b"a\xff",
    ):  # fmt: skip
        stream = we.decode_stream("decode", [data[i : i + size] for i in range(0, len(data), size)], fallback=fallback)
        expected = we.decode(data, fallback)
        assert ("".join(stream), stream.encoding, stream.source) == (*expected, expected.source)


def test_the_hook_decode_as_a_stream_has_one_hint() -> None:
    assert "".join(we.decode_stream("decode", [b"caf\xc3", b"\xa9"])) == "café"
    with pytest.raises(TypeError, match="its hints: fallback"):
        we.decode_stream("decode", [], content_type="text/html")  # type: ignore[call-overload]
    with pytest.raises(we.UnknownLabelError):
        we.decode_stream("decode", [], fallback="klingon")
