"""The compiled scans and the MIME parser against the transcription of their algorithms, on random inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import pytest

from whatwg_encoding import UTF_8, mime, sniff
from whatwg_encoding._native.prescan import (
    BOM_POLICIES,
    CSSScan,
    Determination,
    HTMLScan,
    Scan,
    Steps,
    XMLScan,
    header_encoding,
)

from . import reference
from .support import lookup

MARKUP = [
    *(bytes((byte,)) for byte in b"<>/=!?-\"' \t\n\f\r;&\0\x0b\x80x"),
    *b"<meta|<META|<meta |<meta/|</meta |<p|</p|<x/y|<!--|-->|--|--!>|<!|<?|<?xml|<?xml |<script>|</script>".split(
        b"|"
    ),
    *b"charset|charset=|CharSet|content|content=|http-equiv|http-equiv=|encoding|encoding=|charsetcharset=".split(b"|"),
    *b"content-type|Content-Type|text/html; charset=|text/html;charset=|http-equiv=content-type".split(b"|"),
    *b"utf-8|UTF-16|utf-16be|x-user-defined|replacement|iso-2022-kr|sjis|koi8-r|nothing|latin1|\";|';|e|E".split(b"|"),
    *b"<meta charset=sjis>|<meta charset='gbk' |encoding='big5'|http-equiv=content-type content=charset=big5>".split(
        b"|"
    ),
    b"<p/y='",
    b"</p ",
    b"<\0?\0x\0",
    b"\0<\0?\0x",
    b"\xef\xbb\xbf",
    b"\xe2\x84\xaa",  # U+212A KELVIN SIGN, which is not an ASCII k
]
CSS = [*(bytes((byte,)) for byte in range(0, 0x100, 5)), b'@charset "', b'";', b'"', b";"]
CSS += [b" ", b"utf-8", b"sjis", b"utf-16", b"utf-16be"] * 20
TYPES = [*" \t\n\r\f;/=,\"\\'xX-éĀ\u212a", "text/html", "text/", "charset", "charset=", "Charset", ";charset=", "utf-8"]
TYPES += ["*/*", "a=b"]


def name_of(encoding: object) -> object:
    return None if encoding is None else getattr(encoding, "name")  # noqa: B009


def scanned(scan: Callable[[], Scan], data: bytes, lengths: Sequence[int]) -> object:
    """Return the result of a scan that receives the input in these growing lengths."""
    steps = Steps(scan=scan, source="scan", after=sniff.Sniffed(UTF_8, "tentative", "nothing"))
    determination = Determination(steps, BOM_POLICIES["keep"])
    for length in lengths:
        sniffed = determination.look(data[:length], False)
        if sniffed is not None:
            break
    else:
        sniffed = determination.look(data, True)
    assert sniffed is not None
    return name_of(sniffed.encoding) if sniffed.source == "scan" else None


def check_markup(data: bytes, limit: int | None, lengths: Sequence[int]) -> None:
    expected = reference.prescan(data, lookup, limit)
    assert name_of(sniff.prescan(data, limit)) == expected, (data, limit)
    if limit is not None:
        assert scanned(partial(HTMLScan, limit), data, lengths) == expected, (data, limit, lengths)
    declared = reference.xml_encoding(data, lookup)
    assert name_of(sniff.xml_declaration(data)) == declared, data
    signature = {b"<\0?\0x\0": "UTF-16LE", b"\0<\0?\0x": "UTF-16BE"}.get(data[:6])
    assert scanned(XMLScan, data, lengths) == (signature or declared), (data, lengths)


def check_css(data: bytes, lengths: Sequence[int]) -> None:
    assert scanned(CSSScan, data, lengths) == reference.css_charset(data, lookup), (data, lengths)


def check_mime(text: str) -> None:
    parsed = mime.parse(text)
    facts = None if parsed is None else (parsed.type, parsed.subtype, parsed.parameters)
    assert facts == reference.parse_mime_type(text), text
    if max(text, default="") <= "ÿ":
        assert mime.parse(text.encode("latin-1")) == parsed
    if parsed is not None:
        assert list(parsed.parameters) == list((reference.parse_mime_type(text) or ("", "", {}))[2]), text
        assert mime.parse(str(parsed)) == parsed, text
    assert mime.split_header(text) == reference.get_decode_and_split(text), text


def check_content(text: str) -> None:
    assert name_of(sniff.meta_content(text)) == reference.extract_from_meta(text, lookup), text


def mixed(choice: random.Random, parts: Sequence[bytes], most: int) -> bytes:
    """Return up to so many of the parts, among them one in ten of any bytes."""
    return b"".join(
        choice.choice(parts) if choice.random() < 0.9 else choice.randbytes(3) for _ in range(choice.randrange(most))
    )


def lengths_of(data: Sequence[object], choice: random.Random) -> list[int]:
    return sorted(choice.randrange(len(data) + 1) for _ in range(choice.randrange(6)))


def test_markup() -> None:
    choice = random.Random(1)
    declared = 0
    for _ in range(40_000):
        opener = choice.choice((b"", b"<meta ", b"<?xml ", b'<?xml version="1.0" encoding="', b"<p ", b"<\0?\0x"))
        data = opener + mixed(choice, MARKUP, 30)
        limit = choice.choice((None, 1024, 1024, choice.randrange(len(data) + 2)))
        check_markup(data, limit, lengths_of(data, choice))
        declared += sniff.prescan(data, limit) is not None
    assert declared > 1000  # these inputs reach the cases they are meant for


def test_attributes() -> None:
    """Return meta tags with the relevant attributes in any choice and order: valid, invalid, empty, quoted or not."""
    choice = random.Random(2)
    names = [b"charset", b"CHARSET", b"content", b"http-equiv", b"name", b"=charset", b"charset/", b"\0charset"]
    values = [b"utf-8", b" sjis ", b"utf-16le", b"x-user-defined", b"no", b"", b"content-type", b"Content-Type"]
    values += [
        b"refresh", b"text/html;charset=koi8-r", b"charset = 'big5'", b'charset="gbk"', b"charset='gbk", b"charset=no",
        b"charset charset=ibm866;x", b"charset=", b"charset=;charset=gbk", b"charset=" + b" " * 80 + b"gbk",
        b"utf-16be",
    ]  # fmt: skip
    forms = [b" %s=%s", b' %s="%s"', b" %s='%s'", b'\t%s\n=\f"%s"', b"/%s=%s", b" %s%.0s", b'%s="%s"', b" %s = %s/"]
    declared = 0
    for _ in range(40_000):
        attributes = b"".join(
            choice.choice(forms) % (choice.choice(names), choice.choice(values)) for _ in range(choice.randrange(1, 5))
        )
        data = choice.choice((b"<meta", b"<mEtA", b"x<<meta", b"<!-- > --><meta")) + attributes + b">"
        check_markup(data, 1024, lengths_of(data, choice))
        declared += sniff.prescan(data) is not None
    assert declared > 2000


def test_xml_declarations() -> None:
    """In any form, with any label, byte by byte."""
    starts = (b"<?xml", b"<?xml ", b"<?xml version='1.0' ", b"<?xml-stylesheet ", b"<?XML ", b" <?xml ", b"<?xml >")
    forms = (
        b"encoding='%s'", b'encoding="%s"', b"encoding \x01\x1f\n= \0'%s'", b"encoding=%s", b"encoding='%s", b"%s='%s'",
        b"Encoding='%s'", b"xencoding='%s'", b"encodin>g='%s'", b"'encoding' encoding='%s'",
    )  # fmt: skip
    labels = (b"koi8-r", b"utf-16", b"utf-16be", b"x-user-defined", b"iso-2022-cn", b"no", b"", b" gbk", b"gbk ", b"g>")
    declared = 0
    for start, form, label, end in product(starts, forms, labels, (b"?>", b">", b"")):
        data = start + form.replace(b"%s", label) + end
        check_markup(data, 1024, range(len(data)))
        declared += sniff.xml_declaration(data) is not None
    assert declared > 100


def test_long_labels() -> None:
    """A label is compared with a limited number of bytes: a longer one is unknown, surrounding whitespace aside."""
    for space in (0, 1, 40, 57, 58, 59, 60, 61, 200):
        for rest in (b"", b"x", b" x"):
            value = b" " * space + b"utf-8" + b" " * space + rest
            check_markup(b'<meta charset="%s">' % value, 1024, ())
            check_markup(b"<meta http-equiv=content-type content=\"charset='%s'\">" % value, 1024, ())
            check_css(b'@charset "%s";' % value, ())


def test_css() -> None:
    choice = random.Random(3)
    declared = 0
    for _ in range(20_000):
        data = choice.choice((b'@charset "',) * 5 + (b'@charset  "', b""))
        data += mixed(choice, CSS, 5 if choice.random() < 0.9 else 30)
        data += choice.choice((b"", b'";', b'"', b'" ;'))
        check_css(data, lengths_of(data, choice))
        declared += sniff.css(data).source == "css"
    assert declared > 100


@pytest.mark.parametrize("end", range(1015, 1035))
def test_css_window(end: int) -> None:
    """The whole pattern has to be within the first 1024 bytes."""
    data = b'@charset "' + b"sjis".rjust(end - 12) + b'";'
    assert len(data) == end
    for lengths in ((), range(end)):
        check_css(data, lengths)


def test_mime_types() -> None:
    choice = random.Random(4)
    for _ in range(40_000):
        opener = choice.choice(("", "text/html;", "a/b", 'a/b;c="'))
        check_mime(opener + "".join(choice.choices(TYPES, k=choice.randrange(12))) + chr(choice.randrange(0x110000)))


HEADERS = [*' \t;/*,é"\\x', "; ", "x=", "charset=", "nothing", "sjis", '"gbk"']
HEADERS += [";charset=sjis", "; Charset=UTF-8", ';CHARSET="gbk"', ";x=y", "; boundary=--x", ";charset=nothing"] * 4


def test_headers() -> None:
    """A value in the common form, which is read without a MIME type, gives what the algorithms give."""
    choice = random.Random(6)
    declared = common = 0
    for _ in range(40_000):
        value = choice.choice(("text/html", "Text/HTML", "text/html ", "a/b;", "*/*", "*/x", "a/", "/b", " a/b"))
        value += "".join(choice.choices(HEADERS, k=choice.randrange(7)))
        if "," in value:
            assert header_encoding(value) is ..., value
            continue
        parsed = reference.parse_mime_type(value)
        charset = None if parsed is None or parsed[:2] == ("*", "*") else parsed[2].get("charset")
        expected = None if charset is None else lookup(charset)
        assert name_of(sniff.transport_encoding(value)) == expected, value
        assert name_of(sniff.transport_encoding(value.encode("latin-1"))) == expected, value
        declared += expected is not None
        common += header_encoding(value) is not ...
    assert declared > 3000
    assert common > 3000


def test_content() -> None:
    choice = random.Random(5)
    parts = [*TYPES, "CHARSET", "ſ", "sjis", "gbk", "\ud800", "\f", "c", "ch", "charse", "harset"]
    for _ in range(40_000):
        check_content("".join(choice.choices([*parts, chr(choice.randrange(0x110000))], k=choice.randrange(20))))
