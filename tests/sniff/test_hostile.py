"""Hostile input: time linear in the input or bounded by the window, no recursion, none but the documented exceptions.

Bounds of time are generous, seconds for what takes milliseconds: what they catch is quadratic, which would take
minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import whatwg_encoding as we
from whatwg_encoding import mime, sniff, urls

MEGABYTE = 1 << 20

DOCUMENTS = {
    "meta without end": b"<meta" * (MEGABYTE // 5),
    "meta with space": b"<meta " * (MEGABYTE // 6),
    "one meta": b"<meta " + b"x" * MEGABYTE,
    "ten thousand attributes": b"<meta "
    + b" ".join(b"a%d=b" % number for number in range(10_000))
    + b" charset=koi8-r>",
    "the same attribute": b"<meta " + b"content=charset= " * 60_000 + b">",
    "unclosed comment": b"<!--" + b"-" * MEGABYTE,
    "comment openers": b"<!--" * (MEGABYTE // 4),
    "unclosed quote": b'<meta content="' + b"charset" * (MEGABYTE // 7),
    "quotes": b"<p '\"" * (MEGABYTE // 5),
    "long label": b"<meta charset=" + b"a" * MEGABYTE + b">",
    "spaces in a label": b"<meta charset='" + b" " * MEGABYTE + b"koi8-r'>",
    "NULs": b"\0" * MEGABYTE,
    "less-than": b"<" * MEGABYTE,
    "end tags": b"</" * (MEGABYTE // 2),
    "raw text": b"<script>" + b"</scrip" * (MEGABYTE // 7),
    "XML declaration": b"<?xml " + b"encodin" * (MEGABYTE // 7),
    "XML label": b'<?xml encoding="' + b"a" * MEGABYTE,
    "at-rule": b'@charset "' + b" " * MEGABYTE,
}


@contextmanager
def a_few_seconds() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < 5


@pytest.mark.parametrize("data", DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_documents(data: bytes) -> None:
    with a_few_seconds():
        for function in (sniff.html, sniff.xml, sniff.css, sniff.text_document, sniff.xhr_text):
            function(data)
        sniff.prescan(data, None)
        sniff.xml_declaration(data)
        sniff.meta_content(data.decode("latin-1"))


@pytest.mark.parametrize("data", DOCUMENTS.values(), ids=DOCUMENTS.keys())
@pytest.mark.parametrize("context", ["html-parser", "xml-parser", "css-from-css"])
def test_streams(context: str, data: bytes) -> None:
    expected = we.decode_as(context, data).text
    with a_few_seconds():
        chunks = (data[start : start + 1000] for start in range(0, len(data), 1000))
        assert "".join(we.decode_stream(context, chunks)) == expected


def test_what_is_found_in_them() -> None:
    """The scans reach the end: they are not fast because they gave up."""
    assert sniff.prescan(DOCUMENTS["ten thousand attributes"], None) is we.KOI8_R
    assert sniff.prescan(DOCUMENTS["spaces in a label"], None) is we.KOI8_R
    for name in ("ten thousand attributes", "spaces in a label"):
        stream = we.decode_stream("html-parser", [DOCUMENTS[name]])
        list(stream)
        assert stream.late_meta is not None
        assert stream.late_meta.encoding is we.KOI8_R


HEADERS = {
    "semicolons": "text/html" + ";" * 65_536,
    "spaces": "text/html;" + " " * 65_536 + "charset=koi8-r",
    "parameters": "text/html" + "".join(f";a{number}=b" for number in range(8_000)) + ";charset=koi8-r",
    "one parameter": "text/html" + ";charset" * 8_000,
    "quote": 'text/html;charset="' + "a" * 65_536,
    "backslashes": 'text/html;charset="' + "\\" * 65_536,
    "quotes": 'text/html;charset="' + '"' * 65_536,
    "commas": "," * 65_536,
    "members": "text/html;charset=koi8-r," * 2_600 + "text/html",
    "quoted commas": '",' * 32_768,
    "type": "a" * 65_536 + "/" + "b" * 65_536,
    "slashes": "/" * 65_536,
    "NULs": "text/html;charset=\0" + "\0" * 65_536,
    "not ASCII": "text/html;charset=" + "é" * 65_536,
}


@pytest.mark.parametrize("value", HEADERS.values(), ids=HEADERS.keys())
def test_headers(value: str) -> None:
    with a_few_seconds():
        mime.parse(value)
        mime.split_header(value)
        mime.extract([value] * 3)
        for header in (value, value.encode("latin-1"), [value, value]):
            sniff.html(b"<meta charset=sjis>", content_type=header)
        sniff.xhr_text(b"", override_mime=value)
        sniff.blob_text(b"", blob_type=value)


def test_headers_are_read_to_their_end() -> None:
    for name in ("spaces", "parameters", "members"):
        assert sniff.html(b"", content_type=HEADERS[name]).encoding is we.KOI8_R


@pytest.mark.parametrize(
    "run",
    [
        lambda: urls.percent_decode(b"%41" * (MEGABYTE // 3)),
        lambda: urls.percent_decode(b"%" * MEGABYTE),
        lambda: urls.parse_form(b"a=b&" * (MEGABYTE // 16)),
        lambda: urls.parse_form(b"=" * MEGABYTE),
        lambda: urls.parse_form(b"&" * MEGABYTE),
        lambda: urls.percent_encode_after_encoding("iso-2022-jp", "¥☃あ" * 50_000, "query"),
        lambda: urls.form_encoding("x " * (MEGABYTE // 16), "utf-8"),
        lambda: we.decode_as("js-decodeuri", b"%E3%81%82" * (MEGABYTE // 18)),
        lambda: sniff.locale_default("-".join("x" * MEGABYTE)),
        lambda: sniff.change_encoding("gbk", "tentative", [("content", "charset" * 100_000)] * 3),
    ],
)
def test_other_input(run: Callable[[], object]) -> None:
    with a_few_seconds():
        run()
