"""Every recipe of docs/recipes.md, run verbatim against the library that it is for.

The libraries are the dependency group ``recipes``. A recipe's tests fail without its library.
"""

from __future__ import annotations

import asyncio
import importlib
import io
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import whatwg_encoding as we
from tests.pages import served

from .support import byte_by_byte, pieces

RECIPES = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")

TEXT_PARSERS = "BeautifulSoup, selectolax and trafilatura"

UNDECLARED = "<p>駅前のパン屋は朝早くから開いていて、焼きたての匂いが流れてくる。"

# Name → Content-Type, bytes, and their text.
PAGES = {
    "meta": ("text/html", b"<meta charset=shift_jis><p>\x93\xfa\x96\x7b", "<meta charset=shift_jis><p>日本"),
    "latin1": ("text/html; charset=ISO-8859-1", b"<p>\x80 \x93x\x94", "<p>€ “x”"),
    "gb2312": ("text/html;charset=gb2312", b"<p>\x89\x9b\x80", "<p>墰€"),
    "bom": ("text/html;charset=koi8-r", b"\xef\xbb\xbf<p>\xe2\x82\xac", "<p>€"),
    "nothing": ("text/html", b"<p>caf\xe9 \x99", "<p>café ™"),
    "malformed": ("text/html;charset=utf-8", b"<p>" + "日本".encode() * 60 + b"\xff", f"<p>{'日本' * 60}\ufffd"),
    "undeclared-utf-8": ("text/html", UNDECLARED.encode(), UNDECLARED),
    "undeclared": ("text/html", UNDECLARED.encode("cp932"), UNDECLARED),
    "lie": ("text/html;charset=iso-8859-1", UNDECLARED.encode("cp932"), UNDECLARED),
    "unknown": ("text/html;charset=no-such", b"<meta charset=euc-kr>\xb0\xa1", "<meta charset=euc-kr>가"),
}


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        pytest.fail(f"{error}: install the dependency group 'recipes'")


def recipe(heading: str) -> SimpleNamespace:
    section = RECIPES.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"^```python\n(.*?)^```$", section, flags=re.DOTALL | re.MULTILINE)
    assert blocks
    namespace: dict[str, Any] = {"__name__": "recipe"}
    for block in blocks:
        exec(compile(block, f"docs/recipes.md, {heading}", "exec", dont_inherit=True), namespace)
    return SimpleNamespace(**namespace)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served(PAGES) as url:
        yield url


@pytest.fixture(autouse=True)
def _codecs_as_before() -> Iterator[None]:
    yield
    we.unregister_codecs()


each_page = pytest.mark.parametrize("name", PAGES)


@each_page
def test_httpx(server: str, name: str) -> None:
    httpx = library("httpx")
    recipes = recipe("httpx")
    expected = PAGES[name][2]
    assert recipes.html_text(httpx.get(server + name)) == expected
    with recipes.web_client() as client:
        assert client.get(server + name).text == ("\ufeff" if name == "bom" else "") + expected
    with httpx.Client() as client:
        assert recipes.stream_text(client, server + name) == expected

    async def stream() -> str:
        async with httpx.AsyncClient() as client:
            text: str = await recipes.stream_text_async(client, server + name)
            return text

    assert asyncio.run(stream()) == expected


@each_page
def test_requests(server: str, name: str) -> None:
    library("requests")
    recipes = recipe("requests")
    with recipes.web_session() as session:
        response = session.get(server + name)
        assert recipes.html_text(response) == PAGES[name][2]
        assert response.text == ("\ufeff" if name == "bom" else "") + PAGES[name][2]
        streamed = session.get(server + name, stream=True)
        assert not streamed._content_consumed
        streamed.close()


@each_page
def test_aiohttp(server: str, name: str) -> None:
    library("aiohttp")
    recipes = recipe("aiohttp")

    async def fetch() -> tuple[str, str, str]:
        async with recipes.web_session() as session:
            async with session.get(server + name) as response:
                texts = await recipes.html_text(response), await response.text(errors="replace")
            async with session.get(server + name) as response:
                return *texts, await recipes.stream_text(response)

    text, resolved, streamed = asyncio.run(fetch())
    assert text == streamed == PAGES[name][2]
    assert (resolved == PAGES[name][2]) == (name not in ("latin1", "gb2312", "bom", "lie"))


@each_page
def test_scrapy(name: str) -> None:
    http = library("scrapy.http")
    middleware = recipe("Scrapy").WebEncodingMiddleware()
    content_type, data, expected = PAGES[name]
    request = http.Request("http://example.com/")
    page = http.HtmlResponse(request.url, headers={"Content-Type": content_type}, body=data)
    decoded = middleware.process_response(request, page)
    assert decoded.text == expected
    assert decoded.encoding == "utf-8"
    assert decoded.css("p::text").getall() == ([] if "<p>" not in expected else [expected.split("<p>")[1]])
    other = http.Response(request.url, body=data)
    assert middleware.process_response(request, other) is other


@each_page
def test_w3lib_and_parsel(name: str) -> None:
    library("w3lib")
    library("parsel")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about earlier imports
            recipes = recipe("w3lib and parsel")
        assert importlib.import_module("w3lib.encoding") is we.w3lib
    finally:
        we.w3lib.uninstall()
    content_type, data, expected = PAGES[name]
    assert "".join(recipes.selector(content_type, data).css("::text").getall()) == re.sub("<.*?>", "", expected)


TEXTS: dict[str, tuple[str, Callable[[SimpleNamespace, bytes, str], str]]] = {
    "bs4": (TEXT_PARSERS, lambda recipe, data, content_type: recipe.soup(data, content_type).get_text()),
    "lxml": ("lxml", lambda recipe, data, content_type: recipe.html_document(data, content_type).text_content()),
    "selectolax": (TEXT_PARSERS, lambda recipe, data, content_type: recipe.document(data, content_type).body.text()),
}


@each_page
@pytest.mark.parametrize("module", TEXTS)
def test_texts_of_documents(module: str, name: str) -> None:
    library(module)
    heading, text_of = TEXTS[module]
    content_type, data, expected = PAGES[name]
    assert text_of(recipe(heading), data, content_type) == re.sub("<.*?>", "", expected)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"<?xml version='1.0' encoding='shift_jis'?><p>\x93\xfa</p>", "日"),
        (b"<?xml version='1.0' encoding='iso-8859-1'?><p>\x80</p>", "€"),
        ("\ufeff<?xml version='1.0' encoding='utf-16'?><p>é</p>".encode("utf-16-le"), "é"),
        (b"<p>\xc3\xa9</p>", "é"),
    ],
)
def test_lxml_xml(data: bytes, text: str) -> None:
    library("lxml")
    assert recipe("lxml").xml_document(data).text == text
    with pytest.raises(UnicodeDecodeError):
        recipe("lxml").xml_document(b"<p>\xff</p>")


def test_warcio() -> None:
    writer_module, headers_module = library("warcio.warcwriter"), library("warcio.statusandheaders")
    file = io.BytesIO()
    writer = writer_module.WARCWriter(file, gzip=True)
    for name, (content_type, data, _) in {**PAGES, "image": ("image/png", b"\xff", ""), "none": ("", b"", "")}.items():
        headers = headers_module.StatusAndHeaders("200 OK", [("Content-Type", content_type)], protocol="HTTP/1.1")
        how: dict[str, Any] = {"payload": io.BytesIO(data), "http_headers": headers}
        writer.write_record(writer.create_warc_record(f"http://example.com/{name}", "response", **how))
    file.seek(0)
    texts = {url.rpartition("/")[2]: decoded.text for url, decoded in recipe("warcio").pages(file)}
    assert texts == {name: expected for name, (_, _, expected) in PAGES.items()}


@pytest.mark.parametrize("content_type", [None, "text/html", "text/html; charset=iso-8859-1"])
@pytest.mark.parametrize("codec", ["utf-8", "cp932", "euc_jp"])
def test_trafilatura(content_type: str | None, codec: str) -> None:
    library("trafilatura")
    text = UNDECLARED[3:] * 20
    page = f"<html><body><article><p>{text}</p></article></body></html>"
    assert recipe(TEXT_PARSERS).main_text(page.encode(codec), content_type) == text


@pytest.mark.parametrize("codec", ["utf-8", "cp932", "euc_jp"])
@pytest.mark.parametrize("declared", ["", "<?xml version='1.0' encoding='iso-8859-1'?>"])
def test_feedparser(codec: str, declared: str) -> None:
    library("feedparser")
    feed = f"{declared}<rss version='2.0'><channel><title>{UNDECLARED[3:]}</title></channel></rss>"
    for content_type in (None, "application/rss+xml", "application/rss+xml; charset=iso-8859-1"):
        assert recipe("feedparser").feed(feed.encode(codec), content_type).feed.title == UNDECLARED[3:]


def test_as_a_browser_does() -> None:
    recipes = recipe("As a browser does")
    assert recipes.as_shown("café 日本".encode()) == "cafÃ© æ—¥æœ¬"
    assert recipes.as_shown(b"caf\xe9", "text/html; charset=koi8-r") == "cafИ"
    assert recipes.as_shown_to("ja", b"\x93\xfa") == "日"


LATE = b"<!--" + b"x" * 1100 + b"--><meta charset=euc-kr>\xb0\xa1"


@pytest.mark.parametrize(
    "data", [LATE, "가".encode("euc-kr") + LATE, b"<meta charset=euc-kr>\xb0\xa1" + LATE, b"\xff", b""]
)
@pytest.mark.parametrize("cut", [lambda data: [data], byte_by_byte, lambda data: pieces(data, (1, 1020, 1130))])
def test_late_meta(data: bytes, cut: Callable[[bytes], Iterator[bytes]]) -> None:
    expected = we.EUC_KR.decode(data) if data.endswith(LATE) else we.WINDOWS_1252.decode(data)
    assert recipe("A meta that comes late").page_text(cut(data)) == expected
