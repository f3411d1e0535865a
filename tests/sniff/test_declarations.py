"""Declarations as people write them: hints to whatever crawls, and nothing to what decides as a browser does."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import pytest

import whatwg_encoding as we
from whatwg_encoding import sniff

from .test_doors import Doors, different

# Short titles, which other encodings explain as well, so that the declaration decides; what is declared, in names of
# Python's codecs, of databases and of mail; and the codec that encodes them.
TITLES = [
    ("件名", "cp932", "cp932 ms932 ms_kanji shiftjis s_jis windows-932"),
    ("제목", "cp949", "cp949 ms949 uhc euckr euc_kr"),
    ("标题", "gbk", "cp936 ms936 gb_2312"),
    ("標題", "big5", "cp950 ms950 big5_hkscs big5hkscs"),
    ("題", "euc_jp", "eucjp euc_jp ujis"),
    ("Ваш", "cp1251", "windows1251 win-1251 cp-1251 win1251 windows_1251"),
    ("Да", "koi8_r", "koi8r koi8_r KOI8"),
    ("źle", "cp1250", "windows1250 win1250 windows_1250"),
    ("źle", "iso8859_2", "iso8859_2 iso_8859_2 latin-2 8859_2"),
    ("où", "cp1252", "latin-1 latin_1 iso8859_1 windows1252 cp-1252 8859_1"),
    ("ığ", "cp1254", "windows1254 latin-5 iso8859_9"),
    ("Drücke", "cp850", "cp850 ibm850 850"),
    ("Kůň", "cp852", "cp852 ibm852"),
    ("źle", "mac_latin2", "x-mac-ce mac_latin2 maccentraleurope"),
    ("où", "mac_roman", "macroman mac_roman x-mac-roman"),
    ("né", "utf-8", "utf8mb4 utf_8 u8 cp65001"),
]
NAMES = [(text, codec, name) for text, codec, names in TITLES for name in names.split()]


@pytest.mark.parametrize(("text", "codec", "name"), NAMES)
def test_names_are_hints(text: str, codec: str, name: str, tmp_path: Path) -> None:
    page = f"<title>{text}</title>".encode(codec)
    expected = f"<title>{text}</title>"
    for content_type in (
        name,
        f"text/html; charset={name}",
        f'text/html;charset="{name}"',
        f"text/html; charset={name};",
    ):
        assert different(Doors(tmp_path, content_type).of_pages(), page, expected) == {}
    declared = f"<meta charset={name}>".encode() + page
    assert we.decode_crawled(declared).text == f"<meta charset={name}>{expected}"


def test_a_code_page_that_is_declared_wrongly(tmp_path: Path) -> None:
    """It is compared like any other encoding, and a code page of DOS may be found instead of what is declared."""
    russian = "<p>Привет, как дела? Это новая страница. "
    for name in we.code_pages.CODE_PAGES:
        pages = Doors(tmp_path, f"text/html; charset={name}").of_pages()
        assert different(pages, russian.encode("cp1251"), russian) == {}
    german = "<title>Ausgewählte Aktion ausführen</title>".encode("cp437")
    assert sniff.crawl_file(german, "text/html; charset=iso-8859-1", dos=True).encoding is we.code_pages.CP437


FORMS = [
    "text/html; charset='{}'", "text/html; charset: {}", "text/html charset={}", "charset={}", "charset: {}",
    "text/html; charset=charset={}", "text/html; charset=={}", "text/html; Charset = {}", "text/html;; charset={};",
    "text/html; charset='{}", "{};", " {} ",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_a_header_are_hints(form: str) -> None:
    page = "<title>Ваш</title>".encode("koi8_r")
    header = form.format("koi8-r")
    for content_type in (header, header.encode(), [header], ["text/html", header]):
        assert sniff.crawl(page, content_type)[::2] == (we.KOI8_R, "transport")


PAGES = [
    '<meta charset="{};">', "<meta charset='{};'>", '<meta http-equiv=Content-Type content="text/html; charset: {}">',
    "<meta content='text/html;charset=charset={}'>", '\n<?xml version="1.0" encoding="{}"?>', "  <?xml encoding={} ?>",
    '@charset "{}";', "<!-- <p> --><meta charset=={}>",
]  # fmt: skip


@pytest.mark.parametrize("form", PAGES)
def test_forms_of_a_page_are_hints(form: str) -> None:
    page = form.format("koi8-r").encode() + "<title>Ваш</title>".encode("koi8_r")
    assert sniff.crawl(page)[::2] == (we.KOI8_R, "prescan")
    assert sniff.html(page).source == "locale"


@pytest.mark.parametrize(
    "page",
    ["<p>charset=koi8-r", '<!-- <meta charset="koi8-r;"> -->', "<title>@charset koi8-r", "<?php encoding='koi8-r'"],
)
def test_text_declares_nothing(page: str) -> None:
    assert sniff.crawl(page.encode() + b"caf\xe9").encoding is we.WINDOWS_1252


def test_a_long_header_takes_linear_time() -> None:
    for header in ("charset=" + " " * 1_000_000, "charset" * 200_000, "x" * 1_000_000):
        assert sniff.crawl(b"caf\xe9", header).source == "detector"
    assert sniff.crawl(b"<meta " * 200 + b"caf\xe9").source == "detector"


AS_BROWSERS: dict[str, Any] = {
    "decode_html": we.decode_html, "decode_html_to_utf8": we.contexts.decode_html_to_utf8, "decode_css": we.decode_css,
    "decode_xml": we.decode_xml,
    "decode_as": lambda data, header: we.decode_as("text-document", data, header),
    "decode_stream": lambda data, header: _read(we.decode_stream("html-parser", [data], header)),
    "html": lambda data, header: sniff.html(data, content_type=header),
    "html with hints": lambda data, header: sniff.html(data, content_type=header, locale="ja"),
    "text_document": lambda data, header: sniff.text_document(data, content_type=header),
    "css": lambda data, header: sniff.css(data, content_type=header),
    "script": lambda data, header: sniff.script(data, content_type=header),
    "xhr_text": lambda data, header: sniff.xhr_text(data, content_type=header),
}  # fmt: skip


def _read(stream: Any) -> Any:
    list(stream)
    return stream


@pytest.mark.parametrize("name", AS_BROWSERS)
def test_browsers_ignore_a_bare_label_and_are_told(name: str) -> None:
    decode = AS_BROWSERS[name]
    with pytest.warns(we.ContentTypeWarning, match="content_type is the value of a Content-Type header") as warned:
        decoded = decode(b"<a/>", "shift_jis")
    assert len(warned) == 1
    assert warned[0].filename == __file__
    assert decoded.encoding is decode(b"<a/>", None).encoding
    assert issubclass(we.ContentTypeWarning, UserWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert decode(b"<a/>", "text/xml; charset=shift_jis").encoding is we.SHIFT_JIS
        decode(b"<a/>", "text/xml")
        decode(b"<a/>", "klingon")
    with pytest.raises(TypeError, match=r"header value|the value of a header"):
        decode(b"<a/>", we.SHIFT_JIS)


def test_the_warning_names_what_the_function_takes() -> None:
    for name, argument in (("html", "override"), ("css", "environment"), ("script", "document")):
        with pytest.warns(we.ContentTypeWarning, match=f", or {argument}='sjis'"):
            AS_BROWSERS[name](b"", "sjis")
        assert getattr(sniff, name)(b"\x83", **{argument: "sjis"}).encoding is we.SHIFT_JIS
    with pytest.warns(we.ContentTypeWarning, match='Pass "text/html; charset=sjis"$'):
        sniff.xhr_text(b"", content_type="sjis")


@pytest.mark.parametrize("call", [we.decode_crawled, we.decode_crawled_to_utf8, sniff.crawl])
def test_an_encoding_is_no_header(call: Any) -> None:
    with pytest.raises(TypeError, match="charset=Shift_JIS"):
        call(b"", we.SHIFT_JIS)


def test_the_record_of_utf_8() -> None:
    record = we.decode_crawled_to_utf8(b"\x82\xa0\xff", "text/html; charset=shift_jis")
    data, encoding = record
    assert (data, encoding, record.errors, record.source) == ("あ\ufffd".encode(), we.SHIFT_JIS, 1, "transport")
    assert (record.data, record.encoding) == (data, encoding)
    again = pickle.loads(pickle.dumps(record))
    assert (again, again.errors, again.source) == (record, 1, "transport")
    assert repr(record).startswith("DecodedUTF8(data=b'")
    html = we.contexts.decode_html_to_utf8(b"\xff\xfea\0")
    assert (html.data, html.encoding, html.errors, html.source) == (b"a", we.UTF_16LE, 0, "bom")


def test_errors_of_the_hooks() -> None:
    assert we.decode(b"a\xff", "utf-8", "replacement").errors == 1
    with pytest.raises(UnicodeDecodeError):
        we.decode(b"a\xff", "utf-8", errors="fatal")
    assert we.decode(b"\xef\xbb\xbfa", "shift_jis", errors="fatal") == ("a", we.UTF_8)
    assert we.encode("☃", "windows-1252", "html") == b"&#9731;"
    with pytest.raises(UnicodeEncodeError):
        we.encode("☃", "windows-1252", errors="fatal")
    with pytest.raises(ValueError, match="errors"):
        we.decode(b"", "utf-8", errors="strict")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="errors"):
        we.encode("", "utf-8", errors="strict")  # type: ignore[arg-type]
