"""The drop-in for ``w3lib.encoding``: its functions compared with the original's, and Scrapy on it.

The original's own tests are run by ``clients``.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.pages import served
from tests.programs import python
from tests.reference import oracle
from whatwg_encoding import w3lib as replacement

original: Any = importlib.import_module("w3lib.encoding")

FUNCTIONS = [
    "html_body_declared_encoding", "html_to_unicode", "http_content_type_encoding", "read_bom", "resolve_encoding",
    "to_unicode",
]  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(name: str) -> None:
    assert inspect.signature(getattr(replacement, name)) == inspect.signature(getattr(original, name))


def test_there_are_no_other_functions() -> None:
    public = [
        name
        for name, value in vars(original).items()
        if callable(value) and not isinstance(value, type) and value.__module__ == "w3lib.encoding" and name[0] != "_"
    ]
    assert sorted(public) == FUNCTIONS


# Labels of the standard for which the original has another codec or none, and the encoding used here.
OTHER_NAMES = {
    "replacement": None, "csiso2022kr": None, "hz-gb-2312": None, "iso-2022-cn": None, "iso-2022-cn-ext": None,
    "iso-2022-kr": None, "x-user-defined": None,
}  # fmt: skip


@pytest.mark.parametrize("label", we.LABELS)
def test_labels(label: str) -> None:
    name, theirs = replacement.resolve_encoding(label), original.resolve_encoding(label)
    if label in OTHER_NAMES:
        assert name is None
    elif label in ("utf-16", "utf16"):
        assert name == "utf-16"
    else:
        assert we.lookup_codec(name).name.removesuffix("-I") in {
            we.LABELS[label].name.removesuffix("-I"),
            "gb18030" if we.LABELS[label] is we.GBK else None,
        }
        if theirs is not None and original._c18n_encoding(label) not in ("iso8859_1", "euc_jis_2004"):
            assert we.lookup_codec(theirs) is we.lookup_codec(name), (name, theirs)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("cp1251", "cp1251"), ("utf_8_sig", "utf-8"), ("uhc", "cp949"), ("cp437", "cp437"), ("utf-32", "utf-32")],
)
def test_names_of_codecs(name: str, expected: str) -> None:
    assert replacement.resolve_encoding(name) == expected


@pytest.mark.parametrize("name", ["utf-7", "U7", "no-such", "", "hex", "base64", "rot13", "a\0b", "é", "x" * 10_000])
def test_what_names_no_codec(name: str) -> None:
    assert replacement.resolve_encoding(name) is None
    assert replacement.http_content_type_encoding(f"text/html; charset={name}") is None


TOKENS = ("text/html", "charset=", "Charset=", "x=", "utf-8", "koi8-r", "latin1", *"; \",\\\t'=")
HEADERS = st.lists(st.sampled_from(TOKENS), max_size=12).map("".join)


@given(HEADERS)
def test_headers(header: str) -> None:
    assert replacement.http_content_type_encoding(header) == original.http_content_type_encoding(header)


PIECES = [
    "<meta ", "< META\n", "<meta/", "<body>", "<!-- ", " -->", "<?xml ", ">", "charset=", "CHARSET =", "content=",
    "encoding='", '"text/html; charset=koi8-r"', "'gbk'", '"sjis"', "http-equiv=Content-Type ", "name=x ", " ", '"',
    "text",
]  # fmt: skip
PAGES = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


def is_well_formed(page: str) -> bool:
    """Return whether all quotes are paired; the extent of an unpaired quote is ambiguous."""
    return page.count('"') % 2 == page.count("'") % 2 == 0 and "=" * 2 not in page


@given(PAGES.filter(is_well_formed))
def test_declarations_name_an_encoding_or_nothing(page: str) -> None:
    encoding = replacement.html_body_declared_encoding(page)
    assert encoding == replacement.html_body_declared_encoding(page.encode())
    assert encoding in (None, "koi8-r", "gb18030", "cp932")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<meta charset="sjis">', "cp932"),
        ("<meta charset=latin1>", "cp1252"),
        ("<title>a</title><meta charset=koi8-r>", "koi8-r"),
        ("<body><meta charset=koi8-r>", None),
        ("<!-- <body> --><meta charset=koi8-r>", "koi8-r"),
        ('<meta content="text/html; charset=gbk" http-equiv="content-type">', "gb18030"),
        ('<meta content="text/html; charset=gbk">', None),
        ("<?xml version='1.0' encoding='euc-jp'?>", "euc_jp"),
        ("<meta charset=nope><meta charset=gbk>", None),
        (" " * 4090 + "<meta charset=gbk>", None),
        ("<!--" * 2000, None),
        ('<meta "' * 2000, None),
    ],
)
def test_declarations(page: str, expected: str | None) -> None:
    assert replacement.html_body_declared_encoding(page) == expected
    assert original.html_body_declared_encoding(page) == expected


@given(st.sampled_from(["cp932", "gb18030", "cp1252", "big5hkscs", "utf-8", "cp949", "euc_jp"]), st.binary(max_size=9))
def test_text_is_that_of_the_standard(name: str, data: bytes) -> None:
    assert replacement.to_unicode(data, name) == oracle.decode(we.lookup_codec(name).name, data).text


def test_text_of_other_codecs() -> None:
    assert replacement.to_unicode("hé".encode("utf-32"), "utf-32") == "hé"
    assert replacement.to_unicode("hé".encode("utf-16"), "utf-16") == "hé"
    assert replacement.to_unicode(b"\xef\xbb\xbfa", "utf_8_sig") == "a"
    assert replacement.to_unicode(b"\x82", "cp437") == "é"
    assert replacement.to_unicode(b"a\x80", "ascii") == "a€"
    with pytest.raises(LookupError):
        replacement.to_unicode(b"a", "no-such-codec")


def test_pages() -> None:
    sjis = b"<meta charset=shift_jis>\x87\x40\xfc\xfc"
    assert replacement.html_to_unicode("text/html", sjis) == ("cp932", "<meta charset=shift_jis>①\ufffd")
    assert replacement.html_to_unicode("text/html; charset=utf-8", sjis)[0] == "utf-8"
    assert replacement.html_to_unicode(None, b"\xff\xfea\0") == ("utf-16-le", "a")
    assert replacement.html_to_unicode(None, b"\0a", auto_detect_fun=lambda data: "utf-16") == ("utf-16-be", "a")
    assert replacement.html_to_unicode(None, b"\x80", "cp1252", lambda data: None) == ("cp1252", "€")


def test_install_tells_who_came_before() -> None:
    assert "scrapy.http.response.text" in python("""
import warnings, scrapy.http
from whatwg_encoding import w3lib
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    w3lib.install()
print(*(warning.message for warning in caught))
""")


PAGES_SERVED = {
    "header": ("text/html; charset=shift_jis", b"<p>\x87\x40\x93\xfa", "<p>①日"),
    "meta": ("text/html", b"<meta charset=gb2312><p>\x80\x81\x30\x84\x36", "<meta charset=gb2312><p>€¥"),
    "latin1": ("text/html; charset=iso-8859-1", b"<p>\x80 \x93x\x94 \x81", "<p>€ “x” \x81"),
}


def test_scrapy_runs_on_it() -> None:
    with served(PAGES_SERVED) as url:
        said = python(
            """
import sys
from whatwg_encoding import w3lib
w3lib.install()
import scrapy
from scrapy.crawler import CrawlerProcess

class Spider(scrapy.Spider):
    name = "spider"
    start_urls = sys.argv[1:]
    def parse(self, response):
        print(ascii((response.url.rpartition("/")[2], response.text, response.css("p::text").get(), response.encoding)))

process = CrawlerProcess({"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False})
process.crawl(Spider)
process.start()
""",
            *(url + name for name in PAGES_SERVED),
        )
    codecs = {"header": "cp932", "meta": "gb18030", "latin1": "cp1252"}
    assert sorted(said.splitlines()) == sorted(
        ascii((name, text, text.split("<p>")[1], codecs[name])) for name, (_, _, text) in PAGES_SERVED.items()
    )
