"""Markup in decoded pages: what someone inserts is markup in ``decode_crawled`` only where it is in ``decode_html``."""

from __future__ import annotations

import re
from random import Random

import pytest

import whatwg_encoding as we

from .damage import SENTENCES
from .support import charset, meta
from .test_attacks import encoded, insertions

# Where HTML's tokenizer leaves text: https://html.spec.whatwg.org/#tag-open-state
BEGINS_MARKUP = re.compile("<[A-Za-z/!?]")
HIDDEN = "<script>alert(1)</script>"


def pages(random: Random) -> tuple[bytes, int]:
    """Return a page that begins with markup in ASCII, and the offset at which it repeats what someone sent."""
    name = random.choice(["UTF-8", "windows-1252", "windows-1251", "Shift_JIS", "GBK", "EUC-KR", "ISO-8859-2"])
    start = random.choice([b"<!DOCTYPE html>", b"<html>\n<title>", b"<p>", b"\n<h1 class=a>", b"<?xml version='1.0'?>"])
    if random.random() < 0.5:
        start += meta(name)
    text = encoded(name, random.choice([0, 20, 300, 1500, 6000])) if random.random() < 0.7 else b"No page "
    rest = b"</p><a href=b>back</a>" + b"Not found. " * random.choice([0, 3, 50])
    return start + text + rest, len(start) + random.randrange(len(text) + 1) if text.isascii() else len(start)


def hostile(random: Random) -> bytes:
    codec = random.choice(["utf-16-le", "utf-16-be", "utf-16-le", "utf-16-be", "other"])
    if codec == "other":
        return random.choice([*insertions(random), b"<\x1b(Bscript>", b"\x1b$B\x1b(B<\x1b(Jimg>", b"\x1b(J\\~" * 23])
    padding = "a" * random.randrange(90) + "".join(random.sample(SENTENCES["ja"], 1))[: random.randrange(40)]
    return b"x" * random.randrange(2) + (HIDDEN + padding).encode(codec)[: random.choice([40, 112, 200, 400])]


@pytest.mark.parametrize("seed", range(8))
def test_nothing_but_the_page_begins_markup(seed: int) -> None:
    random = Random(seed)
    for _ in range(500):
        page, at = pages(random)
        inserted = hostile(random)
        if b"charset" in inserted:
            continue  # a declaration names the encoding, in browsers too
        data = page[:at] + inserted + page[at:]
        header = random.choice([None, None, charset("utf-8"), charset("windows-1252"), charset("gbk"), "text/html"])
        crawled = we.decode_crawled(data, header)
        shown = we.decode_html(data, header)
        if crawled.source == "bom":
            continue
        here, there = (len(BEGINS_MARKUP.findall(decoded.text)) for decoded in (crawled, shown))
        assert here <= there, (crawled.encoding, shown.encoding, data, header)


def test_a_short_page_that_is_declared_twice() -> None:
    """210 of its 278 bytes are UTF-16, and markup there."""
    reflected = (HIDDEN + "a" * 80).encode("utf-16-be")
    page = b"<!DOCTYPE html><meta charset=utf-8><p>No page " + reflected + b"</p>"
    for header in (charset("utf-8"), None):
        crawled = we.decode_crawled(page, header)
        assert crawled.encoding.is_ascii_compatible
        assert HIDDEN not in crawled.text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_text_that_repeats_markup_in_utf_16(codec: str) -> None:
    """Most bytes of the page are what someone sent, but a word in ASCII is before it."""
    for before in (b"Searching for ", b"Searching for: "):
        assert HIDDEN not in we.decode_crawled(before + (HIDDEN * 5).encode(codec)).text
    text = "Größe <b>und</b> Gewicht"
    assert we.decode_crawled(text.encode(codec)).text == text


def test_escapes_in_a_short_page() -> None:
    """They would make another character of each backslash after them."""
    reflected = b"\x1b(J\\~" * 14
    for head in (b"<!DOCTYPE html><meta charset=utf-8><p>No page ", b"<!DOCTYPE html><p>No page "):
        page = head + reflected + b"<script>a = '\\'';</script>"
        for header in (charset("utf-8"), None):
            assert we.decode_crawled(page, header).encoding is not we.ISO_2022_JP
