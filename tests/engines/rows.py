"""The rows that every engine decodes, and the expected results, computed row by row without Arrow."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import NamedTuple

import whatwg_encoding as we

#: Labels as crawls have them → the encoding. The standard's, Python's names, and quoted ones.
LABELS = {
    "utf-8": we.UTF_8, "UTF8": we.UTF_8, '"utf-8"': we.UTF_8, "utf-8-sig": we.UTF_8, "latin_1": we.WINDOWS_1252,
    "iso-8859-1": we.WINDOWS_1252, "cp932": we.SHIFT_JIS, "'shift_jis'": we.SHIFT_JIS, "euc_jp": we.EUC_JP,
    "uhc": we.EUC_KR, " windows-1251 ": we.WINDOWS_1251, "gb2312": we.GBK, "big5": we.BIG5, "koi8-r": we.KOI8_R,
    "utf-16le": we.UTF_16LE, "iso-2022-jp": we.ISO_2022_JP, "gb18030": we.GB18030,
}  # fmt: skip
BAD_LABELS = ("klingon", "utf-7", "", "\N{KELVIN SIGN}oi8-r")
TEXTS = ("plain ASCII", "Größe café", "日本語のテキスト", "한국어 본문", "Привет, мир", "中文网页", "")


class Row(NamedTuple):
    """A row of the source."""

    url: str
    body: bytes | None
    label: str | None


class Text(NamedTuple):
    """A row of the result."""

    url: str
    text: str | None
    encoding: str | None
    errors: int
    error: str | None


def labelled(count: int = 1500) -> list[Row]:
    """Return rows of all kinds: good, malformed, unlabelled, mislabelled and null."""
    chosen = random.Random(14)
    rows = []
    for number in range(count):
        label: str | None = chosen.choice(list(LABELS))
        encoding = LABELS[label]
        text = " ".join(chosen.choices(TEXTS, k=chosen.randrange(40)))
        body: bytes | None = we.encode(text, encoding) if encoding.has_encoder else text.encode("utf-16-le")
        match number % 20:
            case 3:  # broken in the middle
                body = body[: len(body) // 2] + b"\xff\x80" + body[len(body) // 2 :]
            case 5:  # broken off
                body += b"\x81" if encoding is not we.UTF_16LE else b"\x00"
            case 7:
                label = chosen.choice(BAD_LABELS)
            case 11:
                label = None
            case 13:
                body = None
            case 17:  # the label lies
                label = chosen.choice(list(LABELS))
        rows.append(Row(f"https://example.org/{number}", body, label))
    return rows


def decoded(row: Row) -> Text:
    """Decode a single row; return it and its error as the examples do."""
    if row.body is None:
        return Text(row.url, None, None, 0, None)
    encoding = LABELS.get(row.label) if row.label is not None else None
    if encoding is None:
        return Text(row.url, None, None, 0, "no label" if row.label is None else f"unknown label {row.label}")
    decoder = encoding.new_decoder()
    decoder.decode(row.body, final=True)
    if not decoder.error_count:
        return Text(row.url, encoding.decode(row.body), encoding.name, 0, None)
    error = f"{encoding.name}: malformed at byte {encoding.valid_up_to(row.body)}"
    return Text(row.url, None, encoding.name, decoder.error_count, error)


PAGES = (
    ("text/html; charset=shift_jis", "<p>日本語のテキスト".encode("cp932")),
    ("text/html", "<p>日本 café".encode()),
    ("text/html; charset=iso-8859-1", "<p>日本語のページです。漢字とかなのまじった文".encode("euc-jp")),
    ("text/html; charset=utf-16le", "\ufeff<p>Größe".encode("utf-16-le")),
    ("text/html", b"<meta charset=windows-1251><p>" + "Привет, мир".encode("cp1251")),
    ("text/html; charset=koi8-r", "<p>Привет, мир, и это правда".encode("koi8-r")),
    ("text/html; charset=utf-8", "<p>Привет, мир".encode() * 40 + b"\xff" + "</p>日本".encode()),
    ("text/html; charset=utf-8", b""),
)


def write_warc(path: Path, pages: list[tuple[str, str, bytes]]) -> None:
    """Write pages (URL, header, body) as a WARC file, with records of other kinds between them."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, content_type, body in pages:
            headers = StatusAndHeaders("200 OK", [("Content-Type", content_type)], protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", io.BytesIO(body), http_headers=headers))
            image = StatusAndHeaders("200 OK", [("Content-Type", "image/png")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(f"{url}.png", "response", io.BytesIO(b"\x89PNG"), http_headers=image)
            )
            writer.write_record(writer.create_warc_record(url, "metadata", io.BytesIO(b"a: b")))


def decoded_page(url: str, content_type: str, body: bytes) -> Text:
    page = we.decode_crawled(body, content_type)
    error = f"{page.encoding.name}: malformed at byte {page.encoding.valid_up_to(body)}" if page.errors else None
    return Text(url, page.text, page.encoding.name, page.errors, error)
