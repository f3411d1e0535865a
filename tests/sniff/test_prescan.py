"""What the prescan of HTML finds in a document's first bytes: each rule for tags, attributes, comments and labels."""

from __future__ import annotations

import pytest

import whatwg_encoding as we
from whatwg_encoding import sniff

from .support import determined

SJIS = b"<meta charset=sjis>"


def declared(data: bytes) -> str | None:
    """Return the prescan's result for a document, as the whole determination reports it."""
    name, confidence, source = determined("html-parser", data, default="utf-8")
    assert confidence == "tentative"
    assert source in ("prescan", "default")
    return name if source == "prescan" else None


@pytest.mark.parametrize(
    ("data", "name"),
    [
        # Mapped, kept
        (b"<meta charset=utf-16le>", "UTF-8"), (b"<meta charset=utf-16be>", "UTF-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"), (b"<meta charset=iso-2022-kr>", "replacement"),
        (b"<meta http-equiv=content-type content='charset=utf-16'>", "UTF-8"),
        (b"<meta http-equiv=content-type content='charset=x-user-defined'>", "windows-1252"),
        # An unknown charset differs from a missing one
        (b"<meta charset=nope http-equiv=content-type content=charset=sjis>", None),
        (b"<meta http-equiv=content-type content=charset=sjis charset=nope>", None),
        (b"<meta http-equiv=content-type content=charset=sjis charset>", None),
        (b"<meta charset=nope><meta charset=sjis>", "Shift_JIS"),
        # Pragma
        (b"<meta content=charset=sjis>", None), (b"<meta content=charset=sjis http-equiv=CONTENT-type>", "Shift_JIS"),
        (b"<meta http-equiv='content-type ' content=charset=sjis>", None),
        (b"<meta http-equiv=refresh content=charset=sjis>", None),
        (b"<meta http-equiv=content-type content=text/html>", None),
        (b"<meta http-equiv=content-type content='charset charset=sjis'>", "Shift_JIS"),
        (b"<meta http-equiv=content-type content='charset=\"sjis'>", None),
        (b"<meta http-equiv=content-type content='charset=nope;charset=sjis'>", None),
        (b"<meta http-equiv=content-type content='xcharset\t=\nsjis;x'>", "Shift_JIS"),
        (b"<meta charset=sjis content=charset=gbk>", "Shift_JIS"),
        # The first of two attributes with the same name counts
        (b"<meta charset=sjis charset=gbk>", "Shift_JIS"), (b"<meta charset charset=gbk>", None),
        (b"<meta http-equiv=x http-equiv=content-type content=charset=sjis>", None),
        # Syntax of tags
        (b"<META/CHARSET=sjis>", "Shift_JIS"), (b"<meta\x0ccharset=sjis>", "Shift_JIS"),
        (b"<meta\x0bcharset=sjis>", None), (b"<meta\x00charset=sjis>", None), (b"<metacharset=sjis>", None),
        (b"<meta charset=sjis/>", None), (b"<meta charset=sjis />", "Shift_JIS"),
        (b"<meta charset='sjis'/>", "Shift_JIS"), (b"<meta =charset=sjis>", None), (b"<meta charset==sjis>", None),
        (b"<meta charset = sjis>", "Shift_JIS"), (b"<meta charset=' sjis\n'>", "Shift_JIS"),
        (b"<meta charset='s\x00jis'>", None), (b"<meta charset=sjis", None), (b"<meta charset='sjis>", None),
        (b"<meta charset='sjis><p title='>", None), (b"<<meta charset=sjis>", "Shift_JIS"),
        (b"</meta charset=sjis>", None), (b"<meta>charset=sjis>", None), (b'<p title="<meta charset=sjis>">', None),
        (b"</p title='><meta charset=sjis>'><meta charset=gbk>", "GBK"),
        (b"<p/title='><meta charset=sjis>", "Shift_JIS"), (b"<p/title='<meta charset=sjis>", None),
        (b"<p title='", None), (b"< meta charset=sjis>", None),
        # Comments and other markup
        (b"<!--><meta charset=sjis>", "Shift_JIS"), (b"<!---><meta charset=sjis>", "Shift_JIS"),
        (b"<!----><meta charset=sjis>", "Shift_JIS"), (b"<!-- --!><meta charset=sjis>-->", None),
        (b"<!-- -- ><meta charset=sjis>", None), (b"<!-- ---><meta charset=sjis>", "Shift_JIS"),
        (b"<!-- <meta charset=sjis> -->", None), (b"<!-<meta charset=sjis>", None),
        (b"<!x '><meta charset=sjis>", "Shift_JIS"), (b"<!><meta charset=sjis>", "Shift_JIS"),
        (b"<?php echo '>'; <meta charset=sjis> ?>", "Shift_JIS"), (b"<?php <meta charset=sjis> ?>", None),
        (b"</><meta charset=sjis>", "Shift_JIS"), (b"</ x><meta charset=sjis>", "Shift_JIS"),
        # The text of any element is scanned
        (b"<script><meta charset=sjis></script>", "Shift_JIS"), (b"<style><meta charset=sjis></style>", "Shift_JIS"),
        (b"<title><meta charset=sjis></title>", "Shift_JIS"),
        (b"<template><meta charset=sjis></template>", "Shift_JIS"),
        (b"<noscript><meta charset=sjis></noscript>", "Shift_JIS"),
        # Character references are not expanded
        (b"<meta charset=s&#106;is>", None),
        # Labels are compared ASCII case-insensitively
        (b"<meta charset='\xe2\x84\xaaoi8-r'>", None), (b"<meta charset=KOI8-R>", "KOI8-R"),
    ],
)  # fmt: skip
def test_meta(data: bytes, name: str | None) -> None:
    assert declared(data) == name
    assert declared(b"\n \xff<p class='x'>\x00" + data) == name


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'<?xml version="1.0" encoding="koi8-r"?>', "KOI8-R"), (b"<?xml encoding='koi8-r'?>", "KOI8-R"),
        (b'<?xmlencoding="koi8-r"?>', "KOI8-R"), (b'<?xml-stylesheet encoding="koi8-r"?>', "KOI8-R"),
        (b'<?xml xencoding="koi8-r"?>', "KOI8-R"), (b'<?xml version="encoding" encoding="koi8-r"?>', None),
        (b'<?xml encoding \x01\x1f\n= \x00"koi8-r"?>', "KOI8-R"), (b'<?xml encoding=" koi8-r"?>', None),
        (b'<?xml encoding="koi8-r ">', None), (b'<?xml encoding="koi8-r>"', None), (b"<?xml encoding=koi8-r?>", None),
        (b'<?xml encoding="koi8-r"', None), (b'<?xml encoding="">', None), (b'<?xml Encoding="koi8-r">', None),
        (b'<?XML encoding="koi8-r">', None), (b' <?xml encoding="koi8-r">', None), (b'<?xml >encoding="koi8-r">', None),
        (b'<?xml encodin>g="koi8-r">', None), (b'<?xml encoding="utf-16"?>', "UTF-8"),
        (b'<?xml encoding="x-user-defined"?>', "x-user-defined"), (b'<?xml encoding="iso-2022-cn"?>', "replacement"),
        (b"<\0?\0x\0", "UTF-16LE"), (b"\0<\0?\0x", "UTF-16BE"), (b"<\0?\0X\0", None), (b"<\0?\0x", None),
        (b"<\0?\0x\0m\0l\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0g\0b\0k\0'\0", "UTF-16LE"),
    ],
)  # fmt: skip
def test_xml_declaration(data: bytes, name: str | None) -> None:
    """The XML declaration in all three places that evaluate it."""
    assert declared(data) == name
    for context in ("xml-parser", "xhr-text-xml"):
        expected = ("UTF-8", "tentative", "default") if name is None else (name, "tentative", "xml")
        assert determined(context, data) == expected
    encoding = sniff.xml_declaration(data)
    assert (encoding and encoding.name) == (None if b"\0x" in data or b"x\0" in data else name)


def test_order_of_declarations() -> None:
    declaration = b'<?xml encoding="koi8-r"?>'
    assert declared(declaration + SJIS) == "Shift_JIS"
    assert declared(declaration + b"<meta charset=nope>") == "KOI8-R"
    assert declared(b"<\0?\0x\0" + SJIS) == "UTF-16LE"


@pytest.mark.parametrize("padding", [b" " * 1005, b"<!--" + b"x" * 998 + b"-->", b"<p " + b"x" * 1001 + b">"])
@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_window(padding: bytes, shift: int) -> None:
    """The whole declaration, including its >, has to be within the first 1024 bytes."""
    data = padding[:4] + b"x" * max(shift, 0) + padding[4 + max(-shift, 0) :] + SJIS
    assert len(data) == 1024 + shift
    assert declared(data) == ("Shift_JIS" if shift <= 0 else None)
    assert sniff.prescan(data, None) is we.SHIFT_JIS
    assert sniff.prescan(data, len(data)) is we.SHIFT_JIS
    assert sniff.prescan(data, len(data) - 1) is None


@pytest.mark.parametrize("length", [1023, 1024, 1025])
def test_window_of_the_xml_declaration(length: int) -> None:
    """HTML searches the same window for it; XML has no window."""
    data = b'<?xml encoding="koi8-r"'
    data += b" " * (length - len(data) - 1) + b">"
    assert declared(data) == ("KOI8-R" if length <= 1024 else None)
    assert determined("xml-parser", data)[0] == "KOI8-R"


def test_prescan_arguments() -> None:
    assert sniff.prescan(b"", 0) is None
    with pytest.raises(ValueError, match="at least 0 bytes, not -1"):
        sniff.prescan(b"", -1)
    for view in (bytearray(SJIS), memoryview(b"x" + SJIS)[1:]):
        assert sniff.prescan(view) is we.SHIFT_JIS
