"""Hostile input: linear time or time bounded by the window, no recursion, only the documented exceptions.

Each function is its own control: the whole input may take at most four times the processor time of eight runs over its
first eighth. A quadratic function takes eight times as long.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import whatwg_encoding as we
from whatwg_encoding import mime, sniff, urls

MEGABYTE = 1 << 20

DOCUMENTS = {
    "meta without end": b"<meta" * (MEGABYTE // 5),
    "meta with space": b"<meta " * (MEGABYTE // 6),
    "one meta": b"<meta " + b"x" * MEGABYTE,
    "ten thousand attributes": b"<meta %b charset=koi8-r>" % b" ".join(b"a%d=b" % number for number in range(10_000)),
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


PARTS = 8


def check_linear(run: Callable[[Any], object], data: Any) -> None:
    """Fail if a function takes four times the processor time of eight runs over the first eighth of its input."""
    parts = [data[: -(-len(data) // PARTS)]] * PARTS

    def seconds(inputs: list[Any]) -> float:
        start = time.process_time()
        for item in inputs:
            run(item)
        return time.process_time() - start

    for _ in range(3):  # one success is enough, since other processes disturb measurements
        control, whole = seconds(parts), seconds([data])
        # Differences below the resolution of the clock are ignored.
        if whole < 4 * control + 0.02:
            return
    pytest.fail(f"the input takes {whole:.3f} s, {PARTS} runs over its first part {control:.3f} s")


@pytest.mark.parametrize("data", DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_documents(data: bytes) -> None:
    for function in (sniff.html, sniff.xml, sniff.css, sniff.text_document, sniff.xhr_text, sniff.xml_declaration):
        check_linear(function, data)
    check_linear(lambda data: sniff.prescan(data, None), data)
    check_linear(sniff.meta_content, data.decode("latin-1"))


@pytest.mark.parametrize("data", DOCUMENTS.values(), ids=DOCUMENTS.keys())
@pytest.mark.parametrize("context", ["html-parser", "xml-parser", "css-from-css"])
def test_streams(context: str, data: bytes) -> None:
    def run(data: bytes) -> str:
        chunks = (data[start : start + 1000] for start in range(0, len(data), 1000))
        return "".join(we.decode_stream(context, chunks))

    assert run(data) == we.decode_as(context, data).text
    check_linear(run, data)


def test_what_is_found_in_them() -> None:
    """The scans reach the end of the input: they are not fast because they stop early."""
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
    def run(value: str) -> None:
        mime.parse(value)
        mime.split_header(value)
        mime.extract([value] * 3)
        for header in (value, value.encode("latin-1"), [value, value]):
            sniff.html(b"<meta charset=sjis>", content_type=header)
        sniff.xhr_text(b"", override_mime=value)
        sniff.blob_text(b"", blob_type=value)

    check_linear(run, value)


def test_headers_are_read_to_their_end() -> None:
    for name in ("spaces", "parameters", "members"):
        assert sniff.html(b"", content_type=HEADERS[name]).encoding is we.KOI8_R


@pytest.mark.parametrize(
    ("run", "data"),
    [
        (urls.percent_decode, b"%41" * (MEGABYTE // 3)),
        (urls.percent_decode, b"%" * MEGABYTE),
        (urls.parse_form, b"a=b&" * (MEGABYTE // 16)),
        (urls.parse_form, b"=" * MEGABYTE),
        (urls.parse_form, b"&" * MEGABYTE),
        (lambda text: urls.percent_encode_after_encoding("iso-2022-jp", text, "query"), "¥☃あ" * 50_000),
        (lambda text: urls.form_encoding(text, "utf-8"), "x " * (MEGABYTE // 16)),
        # Each part has whole sequences: a truncated one would raise URIError.
        (lambda data: we.decode_as("js-decodeuri", data), b"%E3%81%82" * (MEGABYTE // 18 // PARTS * PARTS)),
        (sniff.locale_default, "-".join("x" * MEGABYTE)),
        (lambda metas: sniff.change_encoding("gbk", "tentative", metas), [("content", "charset" * 100_000)] * 3),
        (lambda text: sniff.change_encoding("gbk", "tentative", [("content", text)] * 3), "charset" * 100_000),
    ],
)
def test_other_input(run: Callable[[Any], object], data: Any) -> None:
    check_linear(run, data)
