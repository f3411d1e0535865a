"""MIME types and header values; see also test_against_reference.py."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest

import whatwg_encoding as we
from whatwg_encoding import mime


@pytest.mark.parametrize(
    ("text", "serialized"),
    [
        (" TEXT/Html ;CHARSET=GBK", "text/html;charset=GBK"), ('a/b;x="y";x=z', "a/b;x=y"), ("a/b;x=(", 'a/b;x="("'),
        ("a/b;x=é", 'a/b;x="é"'), ('a/b;x="\\y\\"\\\\"', 'a/b;x="y\\"\\\\"'), ('a/b;x=""', 'a/b;x=""'),
    ],
)  # fmt: skip
def test_text_forms(text: str, serialized: str) -> None:
    assert str(mime.parse(text)) == serialized


def test_parts() -> None:
    parsed = mime.parse("Image/SVG+xml;b=1;A=2")
    assert parsed == mime.MIMEType("image", "svg+xml", {"b": "1", "a": "2"})
    assert parsed is not None
    assert (parsed.type, parsed.subtype, parsed.essence) == ("image", "svg+xml", "image/svg+xml")
    assert list(parsed.parameters) == ["b", "a"]
    assert eval(repr(parsed), {"MIMEType": mime.MIMEType}) == parsed
    assert parsed != mime.MIMEType("image", "svg+xml")
    assert parsed != "image/svg+xml;b=1;a=2"
    with pytest.raises(TypeError, match="unhashable"):
        hash(parsed)


def test_a_result_is_the_callers_own() -> None:
    for text in ("text/x-own; charset=gbk", "text/x-own; a=" + "b" * 300):
        for _ in range(2):
            mime_type = mime.parse(text)
            assert mime_type is not None
            assert str(mime_type) == text.replace("; ", ";")
            mime_type.parameters.clear()
            mime_type.type = "image"
    for number in range(2000):  # more than are cached
        assert str(mime.parse(f"text/x-own;n={number}")) == f"text/x-own;n={number}"


def test_a_subclass_of_str_is_its_text() -> None:
    class Text(str):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return hash("text/plain")

        def __str__(self) -> str:
            return "text/other"

    mime.parse("text/plain")
    assert str(mime.parse(Text("text/html"))) == "text/html"


def test_kinds() -> None:
    kinds = {"text/html": (True, False), "text/xml": (False, True), "application/xml": (False, True)}
    kinds |= {"a/b+xml": (False, True), "a/xml": (False, False), "text/xhtml": (False, False), "a/html": (False, False)}
    for text, expected in kinds.items():
        parsed = mime.parse(text)
        assert parsed is not None
        assert (parsed.is_html, parsed.is_xml) == expected


@pytest.mark.parametrize(
    ("headers", "extracted"),
    [
        ([], None), ([""], None), (["text/html"], "text/html"), ([b"text/html"], "text/html"),
        (["nonsense", "text/html"], "text/html"), (["text/html", "nonsense"], "text/html"),
        (["text/html", "*/*"], "text/html"), (["*/*"], None),
        (["text/html;charset=gbk", "text/html"], "text/html;charset=gbk"),
        (["text/html;charset=gbk, text/html;x=y"], "text/html;x=y;charset=gbk"),
        (["text/html;charset=gbk", "text/html;charset=big5"], "text/html;charset=big5"),
        # The charset is carried over only if its essence is the same
        (["text/html;charset=1", "text/html;charset=2", "text/html"], "text/html;charset=1"),
        (["text/html;charset=gbk", "text/plain", "text/html"], "text/html"),
        (["text/html", "text/html;charset=gbk", "text/html"], "text/html"),
        (["text/html;charset=gbk", "*/*;charset=big5", "x", "text/html"], "text/html;charset=gbk"),
        # An unclosed quote extends over the following lines
        (['text/html;charset="gbk', "text/plain"], 'text/html;charset="gbk, text/plain"'),
        (['text/html;"', "text/plain"], "text/html"),
    ],
)  # fmt: skip
def test_extract(headers: list[str | bytes], extracted: str | None) -> None:
    mime_type = mime.extract(headers)
    assert (mime_type if mime_type is None else str(mime_type)) == extracted


def test_legacy_extract_encoding() -> None:
    def extract(text: str) -> we.Encoding:
        return mime.legacy_extract_encoding(mime.parse(text), "koi8-r")

    assert extract("a/b;charset=gbk") is we.GBK
    assert extract("a/b;charset=utf-16") is we.UTF_16LE
    for text in ("nonsense", "a/b", "a/b;charset=nope", 'a/b;charset=""'):
        assert extract(text) is we.KOI8_R
    assert mime.legacy_extract_encoding(None, we.GBK) is we.GBK
    with pytest.raises(we.UnknownLabelError):
        mime.legacy_extract_encoding(None, "nope")


@pytest.mark.parametrize("headers", [{"Content-Type": "text/html; charset=gbk"}, Message()], ids=["dict", "message"])
def test_all_headers_are_refused_where_one_belongs(headers: Any) -> None:
    for call in (we.decode_html, we.decode_html_to_utf8, we.decode_crawled, we.sniff.crawl):
        with pytest.raises(TypeError, match=r"content_type must be the header's value, .* headers\.get"):
            call(b"a", headers)
    with pytest.raises(TypeError, match="content_type must be"):
        we.sniff.html(b"a", content_type=headers)
