"""Pages of many languages, encodings and sizes, declared rightly, wrongly or not at all, with a few damaged bytes.

The texts are ``data/sentences.json``, encoded by Python's codecs. All is generated from a seed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

import whatwg_encoding as we

from .support import DATA

SENTENCES: dict[str, list[str]] = json.loads((DATA / "sentences.json").read_text("utf-8"))

#: The legacy encodings of each language's pages, by the standard's names, with the codecs that encode them.
LEGACY: dict[str, dict[str, str]] = {
    "ar": {"windows-1256": "cp1256"},
    "cs": {"windows-1250": "cp1250", "ISO-8859-2": "iso8859_2"},
    "de": {"windows-1252": "cp1252"},
    "el": {"windows-1253": "cp1253", "ISO-8859-7": "iso8859_7"},
    "es": {"windows-1252": "cp1252"},
    "fr": {"windows-1252": "cp1252"},
    "he": {"windows-1255": "cp1255"},
    "hu": {"windows-1250": "cp1250", "ISO-8859-2": "iso8859_2"},
    "ja": {"Shift_JIS": "cp932", "EUC-JP": "euc_jp", "ISO-2022-JP": "iso2022_jp"},
    "ko": {"EUC-KR": "cp949"},
    "pl": {"windows-1250": "cp1250", "ISO-8859-2": "iso8859_2"},
    "ru": {"windows-1251": "cp1251", "KOI8-R": "koi8_r", "ISO-8859-5": "iso8859_5"},
    "th": {"windows-874": "cp874"},
    "tr": {"windows-1254": "cp1254"},
    "uk": {"windows-1251": "cp1251", "KOI8-U": "koi8_u"},
    "zh_cn": {"GBK": "gbk", "gb18030": "gb18030"},
    "zh_tw": {"Big5": "cp950"},
}
ENCODINGS = sorted({name for names in LEGACY.values() for name in names} | {"UTF-8"})
KINDS = ("changed", "deleted", "inserted")
PLACES = ("beyond ASCII", "anywhere", "the end")


@dataclass(frozen=True)
class Page:
    """A page as received, and how it was made. ``declared``: an encoding's name, or None."""

    body: bytes
    content_type: str | None
    language: str
    encoding: str
    declared: str | None

    @cached_property
    def text(self) -> str:
        return we.lookup(self.encoding).decode(self.body)

    def is_right(self, text: str) -> bool:
        """Return whether ``text`` is that of the page, but for characters that are damaged in its true encoding."""
        if text == self.text:
            return True
        if len(text) != len(self.text):
            return False
        return all(got == want or want == "\ufffd" for got, want in zip(text, self.text, strict=True))


@cache
def text_of(language: str) -> str:
    """Return a long text: the sentences in many orders, some of them paragraphs."""
    random = Random(language)
    space = "" if language in ("ja", "zh_cn", "zh_tw") else " "
    paragraphs: list[str] = []
    for _ in range(400):
        sentences = random.sample(SENTENCES[language], len(SENTENCES[language]))
        paragraphs.append(space.join(sentences[:4]) + "</p>\n<p>" + space.join(sentences[4:]))
    return space.join(paragraphs)


@cache
def encoded(language: str, encoding: str) -> bytes:
    return text_of(language).encode(LEGACY[language].get(encoding, "utf-8"), "ignore")


def excerpt(random: Random, language: str, encoding: str, size: int) -> bytes:
    """Return about ``size`` bytes of text, cut between characters, and never in ASCII alone."""
    codec = LEGACY[language].get(encoding, "utf-8")
    text = text_of(language)
    while True:
        share = len(encoded(language, encoding)) / len(text)
        length = max(2, int(size / share))
        start = random.randrange(max(1, len(text) - length))
        piece = text[start : start + length]
        if not piece.isascii():
            break
    data = piece.encode(codec, "ignore")
    repeats = size // len(data) if size > len(data) else 1
    return data * repeats


def damage(random: Random, data: bytes, count: int, kind: str, place: str) -> bytes:
    damaged = bytearray(data)
    for _ in range(count):
        at = len(damaged) - 1 if place == "the end" else random.randrange(len(damaged))
        if place == "beyond ASCII":
            tries = (random.randrange(len(damaged)) for _ in range(1000))
            at = next((index for index in tries if damaged[index] >= 0x80), at)
        if kind == "changed":
            damaged[at] = random.randrange(0x100)
        elif kind == "inserted":
            damaged.insert(at + (place == "the end"), random.randrange(0x80, 0x100))
        elif len(damaged) > 1:
            del damaged[at]
    return bytes(damaged)


def declare(random: Random, body: bytes, declared: str | None) -> tuple[bytes, str | None]:
    """Return a page with a ``meta`` or a header that names an encoding, and the header."""
    if declared is None:
        return body, random.choice([None, "text/html"])
    if len(body) < 100 or random.random() < 0.5:
        return body, f"text/html; charset={declared}"
    return f"<!DOCTYPE html><meta charset={declared}><p>".encode() + body, None


def size_between(random: Random, least: int, most: int) -> int:
    return int(least * (most / least) ** random.random())


def damaged_page(random: Random, encoding: str | None, declared: str, size: int, *, count: int | None = None) -> Page:
    """Return a page in UTF-8 or, for None, in a legacy encoding, with one to three damaged bytes, or ``count``.

    ``declared``: "rightly", "wrongly" (in an encoding of another language) or "not at all".
    """
    language = random.choice(list(LEGACY))
    true = encoding or random.choice(list(LEGACY[language]))
    body = excerpt(random, language, true, size)
    count = random.randint(1, 3) if count is None else count
    body = damage(random, body, count, random.choice(KINDS), random.choice(PLACES))
    others = [name for name in ENCODINGS if name not in (true, "ISO-2022-JP", *LEGACY[language])]
    name = {"rightly": true, "wrongly": random.choice(others), "not at all": None}[declared]
    return Page(*declare(random, body, name), language, true, name)
