"""Libraries that accept codec names work with the names of this package."""

from __future__ import annotations

import email
import email.header
import email.policy
import io
import tokenize
import urllib.parse
import xml.sax.saxutils
from pathlib import Path

import bs4
import pandas
import pytest

TABLE = "名前,値\r\n東京,1\r\n大阪,2\r\n"
pytestmark = pytest.mark.usefixtures("registered")

JAPANESE = ["web-shift_jis", "web-euc-jp", "web-iso-2022-jp", "web-utf-8", "web-gb18030"]


@pytest.mark.parametrize("codec", JAPANESE)
@pytest.mark.parametrize("engine", ["c", "python"])
def test_pandas_read_csv(codec: str, engine: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(TABLE.encode(codec))
    for source in (path, io.BytesIO(TABLE.encode(codec))):
        frame = pandas.read_csv(source, encoding=codec, engine=engine)
        assert list(frame.columns) == ["名前", "値"]
        assert list(frame["名前"]) == ["東京", "大阪"]


def test_pandas_encoding_errors(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"a\n\x82\xa0\xff\n")
    assert pandas.read_csv(path, encoding="web-sjis", encoding_errors="replace")["a"][0] == "あ\ufffd"
    with pytest.raises(UnicodeDecodeError, match="Shift_JIS"):
        pandas.read_csv(path, encoding="web-sjis")


@pytest.mark.parametrize("codec", JAPANESE)
def test_email_bodies(codec: str) -> None:
    raw = f'Content-Type: text/plain; charset="{codec}"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'.encode()
    message = email.message_from_bytes(raw + "東京\r\n".encode(codec), policy=email.policy.default)
    assert message.get_content() == "東京\r\n"


@pytest.mark.parametrize("codec", ["web-shift_jis", "web-iso-2022-jp", "web-utf-8"])
def test_email_headers(codec: str) -> None:
    header = email.header.Header("東京", codec).encode()
    assert header.startswith(f"=?{codec}?")
    assert str(email.header.make_header(email.header.decode_header(header))) == "東京"


@pytest.mark.parametrize("codec", JAPANESE)
def test_urllib(codec: str) -> None:
    quoted = urllib.parse.quote("東京", encoding=codec, errors="strict")
    assert urllib.parse.unquote(quoted, encoding=codec, errors="strict") == "東京"
    query = urllib.parse.urlencode({"名前": "東京 タワー"}, encoding=codec)
    assert urllib.parse.parse_qs(query, encoding=codec) == {"名前": ["東京 タワー"]}


def test_urllib_has_the_handlers() -> None:
    assert urllib.parse.quote("☃", encoding="web-shift_jis", errors="xmlcharrefreplace") == "%26%239731%3B"
    assert urllib.parse.unquote("%82%A0%82", encoding="web-shift_jis", errors="replace") == "あ\ufffd"


@pytest.mark.parametrize("codec", JAPANESE)
def test_beautiful_soup(codec: str) -> None:
    soup = bs4.BeautifulSoup("<p>東京</p>".encode(codec), "html.parser", from_encoding=codec)
    assert (soup.p.string, soup.original_encoding) == ("東京", codec)
    assert soup.encode(codec) == "<p>東京</p>".encode(codec)


def test_source_code(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_bytes("# -*- coding: web-shift_jis -*-\ntext = '東京'\n".encode("shift_jis"))
    with tokenize.open(str(path)) as file:
        assert file.encoding == "web-shift_jis"
        assert "東京" in file.read()
    namespace: dict[str, str] = {}
    exec(path.read_bytes(), namespace)
    assert namespace["text"] == "東京"


def test_reconfigured_text_streams() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, "utf-8", newline="")
    file.write("あ")
    file.reconfigure(encoding="web-euc-jp", errors="xmlcharrefreplace")
    file.write("あ☃")
    file.flush()
    assert raw.getvalue() == "あ".encode() + b"\xa4\xa2&#9731;"


def test_xml_writers() -> None:
    stream = io.BytesIO()
    writer = xml.sax.saxutils.XMLGenerator(stream, "web-shift_jis")
    writer.startElement("a", {})  # type: ignore[arg-type]
    writer.characters("東京☃")
    writer.endElement("a")
    assert stream.getvalue() == b"<a>" + "東京".encode("shift_jis") + b"&#9731;</a>"
