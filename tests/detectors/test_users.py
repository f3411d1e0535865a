"""Libraries that use one of the detectors, unmodified, with the drop-ins in place: each in a process of its own.

What every drop-in replaces, and restores, is tested in the same way.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from tests.api.clients.suites import ROOT, pip
from tests.programs import python, run

MARKITDOWN = "markitdown==0.1.8"

HEAD = """
import sys
from whatwg_encoding import chardet, charset_normalizer

chardet.install()
charset_normalizer.install()
russian = "Старый город стоит на берегу реки, и люди живут в нём уже очень давно."
data = russian.encode("koi8-r")
"""

USERS = {
    "requests": """
        import requests
        response = requests.Response()
        response._content = data
        assert requests.compat.chardet is chardet
        assert response.apparent_encoding == "KOI8-R"
        assert response.text == russian
    """,
    "beautifulsoup4": """
        import bs4
        soup = bs4.BeautifulSoup(b"<p>" + data, "html.parser")
        assert soup.p.text == russian
        assert soup.original_encoding == "koi8-r"
    """,
    "feedparser": """
        import feedparser
        feed = feedparser.parse(b"<rss><channel><title>" + data + b"</title></channel></rss>")
        assert feed.feed.title == russian
        assert feed.encoding == "KOI8-R"
    """,
    "scrapy": """
        from scrapy.http import TextResponse
        assert TextResponse("http://localhost", body=data).text == russian
    """,
    "trafilatura": """
        import trafilatura
        page = b"<html><body><article>" + b"<p>" * 5 + data * 5 + b"</article></body></html>"
        assert russian in trafilatura.extract(page)
        assert sys.modules["trafilatura.utils"].from_bytes is charset_normalizer.from_bytes
    """,
}


@pytest.mark.parametrize("name", USERS)
def test_with_the_drop_ins(name: str) -> None:
    run(sys.executable, "-W", "error::RuntimeWarning", "-c", HEAD + textwrap.dedent(USERS[name]))


@pytest.mark.repeated
def test_markitdown_with_the_drop_ins() -> None:
    """In a folder of its own, since it needs 170 MB of packages."""
    folder = ROOT / MARKITDOWN.replace("==", "-")
    if not folder.exists():
        pip("install", "--target", f"{folder}.new", MARKITDOWN)
        Path(f"{folder}.new").rename(folder)
    code = HEAD + textwrap.dedent(f"""
        sys.path.append({str(folder)!r})
        import io
        import markitdown
        converted = markitdown.MarkItDown().convert_stream(io.BytesIO(data), file_extension=".txt")
        assert converted.text_content.strip() == russian
        from markitdown.converters import _plain_text_converter as used
        assert used.from_bytes is charset_normalizer.from_bytes
    """)
    python(code)


@pytest.mark.parametrize("package", ["chardet", "charset_normalizer", "webencodings", "w3lib.encoding"])
def test_install_and_uninstall(package: str) -> None:
    code = f"""
        import sys
        from importlib import import_module
        from whatwg_encoding import {package.partition(".")[0]} as replacement
        replacement.install()
        replacement.install()
        import {package}
        assert {package} is import_module("{package}") is replacement
        replacement.uninstall()
        assert "{package}" not in sys.modules
        import {package}
        assert {package} is not replacement
        assert "site-packages" in {package}.__file__
    """
    python(textwrap.dedent(code))


def test_submodules() -> None:
    code = HEAD + textwrap.dedent("""
        from chardet.detector import UniversalDetector
        from chardet.universaldetector import UniversalDetector as same
        from chardet.enums import LanguageFilter
        from charset_normalizer.api import from_bytes
        from charset_normalizer.models import CharsetMatch
        from charset_normalizer.legacy import detect
        assert UniversalDetector is same is chardet.UniversalDetector
        assert detect(data)["encoding"] == "KOI8-R"
    """)
    python(code)
