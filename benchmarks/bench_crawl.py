"""Measure how much text of crawled pages is correct, and the speed, beside other packages.

    python -m benchmarks.bench_crawl [--corpus FOLDER] [--pages 1000] [--rounds 5]

85 % of the pages are in UTF-8, the others in their language's legacy encodings, and 11 % are undeclared. In the first
mix, header and ``meta`` of 5 % name different encodings, one of them correct; in the second, the header of 5 % says
iso-8859-1 regardless of their encoding. In the third, *damage*, pages are of more languages and of 20 bytes to 256 Ki
characters, 30 % have one to three bytes changed, deleted or inserted, and a tenth are cut at the end; header or
``meta`` of 5 % name another encoding. A damaged page counts as correct if its text is what its true encoding's decoder
makes of the damaged bytes; U+FFFD are not compared, since decoders write different numbers of them. All input is
generated from a seed. Speed is megabytes of pages per second of processor time, the median of rounds in rotating order.

Peers that are not installed (dependency group ``bench-detect``) are omitted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import whatwg_encoding as we
from benchmarks import report
from benchmarks.corpus import Corpus, restrict, round_trips
from benchmarks.measure import compare
from benchmarks.peers import OURS, optional
from whatwg_encoding import sniff

#: Legacy encodings of pages, by language.
LEGACY = {"ar": ("windows-1256",), "de": ("windows-1252",), "ja": ("Shift_JIS", "EUC-JP"), "ko": ("EUC-KR",),
          "ru": ("windows-1251", "KOI8-R"), "th": ("windows-874",), "zh_cn": ("GBK",), "zh_tw": ("Big5",)}  # fmt: skip
#: Legacy encodings of the mix of damaged pages.
MORE_LEGACY = LEGACY | {
    "cs": ("windows-1250", "ISO-8859-2"), "el": ("windows-1253", "ISO-8859-7"), "fr": ("windows-1252",),
    "he": ("windows-1255",), "lt": ("windows-1257",), "ro": ("windows-1250", "ISO-8859-2"), "tr": ("windows-1254",),
    "uk": ("windows-1251", "KOI8-U"),
}  # fmt: skip
#: Goals for the mixes: the share of correct texts, and megabytes per second.
GOALS = {"contradictions": (0.975, 1500), "lies": (0.99, 1500), "damage": (0.945, 1500)}


class Page(NamedTuple):
    """A page as received, and its correct text."""

    body: bytes
    content_type: str | None
    text: str

    def is_right(self, text: str) -> bool:
        """Return whether ``text`` is that of the page, damage aside."""
        return text == self.text or text.replace("\ufffd", "") == self.text.replace("\ufffd", "")


@cache
def drawn(corpus: Corpus, language: str, encoding: we.Encoding) -> str:
    """Return the pages of the corpus as far as an encoding can represent them."""
    text = corpus.get(language, "markup")
    return restrict(text, frozenset(each for each in set(text) if round_trips(encoding, each)))


def piece(random: Random, corpus: Corpus, language: str, true: str, length: int) -> str:
    """Return a part of a page."""
    text = drawn(corpus, language, we.ENCODINGS[true])
    start = random.randrange(max(1, len(text) - length))
    return text[start : start + length]


def damaged(random: Random, data: bytes) -> bytes:
    """Return ``data`` with one to three bytes changed, deleted or inserted."""
    found = bytearray(data)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(found))
        kind = random.choice(("change", "delete", "insert"))
        found[at : at + (kind != "insert")] = b"" if kind == "delete" else bytes([random.randrange(0x80, 0x100)])
    return bytes(found)


def damaged_pages(corpus: Corpus, count: int) -> list[Page]:
    """Return the mix of damaged pages."""
    random, found = Random("damage"), []
    turns = [number / count for number in range(count)]
    modern = [turn < 0.85 for turn in turns]
    hurt = [turn < 0.3 for turn in turns]
    for order in (turns, modern, hurt):
        random.shuffle(order)
    for turn, is_utf_8, is_hurt in zip(turns, modern, hurt, strict=True):
        language = random.choice(list(MORE_LEGACY))
        true = "UTF-8" if is_utf_8 else random.choice(MORE_LEGACY[language])
        text = piece(random, corpus, language, true, int(20 * (1 << 18) ** (random.random() * 0.76)))
        declared: str | None = true
        if turn < 0.05:
            names = {name for names in (("UTF-8",), *MORE_LEGACY.values()) for name in names}
            declared = random.choice(sorted(names - {true, *MORE_LEGACY[language]}))
        elif turn < 0.16:
            declared = None
        in_header = declared is not None and (len(text) < 200 or random.random() < 0.5)
        body = we.ENCODINGS[true].encode(text)
        if declared is not None and not in_header:
            body = f'<!DOCTYPE html><meta charset="{declared}">'.encode() + body
        if is_hurt:
            body = damaged(random, body)
        if random.random() < 0.1:
            body = body[: len(body) - random.randrange(min(len(body) // 2, 40))]
        content_type = f"text/html; charset={declared}" if in_header else "text/html"
        found.append(Page(body, content_type, we.ENCODINGS[true].decode(body)))
    return found


def pages(corpus: Corpus, mix: str, count: int) -> list[Page]:
    """Return one of the mixes."""
    if mix == "damage":
        return damaged_pages(corpus, count)
    random, found = Random(mix), []
    # The shares are exact, the order is random.
    turns = [number / count for number in range(count)]
    modern = [turn < 0.85 for turn in turns]
    random.shuffle(turns)
    random.shuffle(modern)
    for turn, is_utf_8 in zip(turns, modern, strict=True):
        language = random.choice(list(LEGACY))
        true = "UTF-8" if is_utf_8 else random.choice(LEGACY[language])
        text = piece(random, corpus, language, true, random.randrange(3_000, 30_000))
        header: str | None = None
        meta = ""
        if turn < 0.05 and mix == "contradictions":
            others = [name for names in (("UTF-8",), *LEGACY.values()) for name in names if name != true]
            header, declared = random.sample([true, random.choice(others)], 2)
            meta = f'<meta charset="{declared}">'
        elif turn < 0.05:
            header = "iso-8859-1"
        elif turn >= 0.16:  # 11 % are undeclared
            header = true if random.random() < 0.5 else None
            meta = f'<meta charset="{true}">' if header is None or random.random() < 0.5 else ""
        page = f"<!DOCTYPE html><html><head>{meta}<title>{text[:20]}</title></head><body>{text}</body></html>"
        content_type = "text/html" if header is None else f"text/html; charset={header}"
        found.append(Page(we.ENCODINGS[true].encode(page), content_type, page))
    return found


# -- Contenders --------------------------------------------------------------------------------------------------------


def _by_codec(detect: Callable[[bytes], dict[str, Any]], data: bytes) -> str:
    """Decode as a detector says, whose results are names of Python codecs; "" for one that Python does not have."""
    name = detect(data)["encoding"]
    try:
        return we.lookup_codec(name or "utf-8").decode(data)  # so that iso-8859-1 is windows-1252, as on the web
    except LookupError:
        try:
            return data.decode(name or "utf-8", "replace")
        except LookupError:
            return ""


def detectors() -> dict[str, Callable[[bytes], str]]:
    """Return the functions from bytes to text, by package, ours first."""
    found: dict[str, Callable[[bytes], str]] = {OURS: lambda data: we.decode_crawled(data).text}
    if optional("chardetng_py"):
        found["chardetng"] = lambda data: we.lookup(sniff.chardetng(data) or "utf-8").decode(data)
    for name in ("chardet", "cchardet", "charset_normalizer"):
        if module := optional(name):
            found[name.replace("_", "-")] = partial(_by_codec, module.detect)
    if resiliparse := optional("resiliparse.parse.encoding"):
        found["resiliparse"] = lambda data: resiliparse.bytes_to_str(data, resiliparse.detect_encoding(data))
    if w3lib := optional("w3lib.encoding"):
        found["w3lib"] = lambda data: w3lib.html_to_unicode(None, data)[1]
    return found


def decoders() -> dict[str, Callable[[Page], str]]:
    """Return the functions from a page to its text, by name, ours first."""
    detector = sniff.crawl_detector()
    found: dict[str, Callable[[Page], str]] = {
        f"{OURS}: decode_crawled": lambda page: we.decode_crawled(page.body, page.content_type).text,
        f"{OURS}: decode_html with crawl_detector": lambda page: (
            we.decode_html(page.body, content_type=page.content_type, detector=detector).text
        ),
        f"{OURS}: decode_html": lambda page: we.decode_html(page.body, content_type=page.content_type).text,
    }
    if w3lib := optional("w3lib.encoding"):
        found["w3lib"] = lambda page: w3lib.html_to_unicode(page.content_type, page.body)[1]
    if resiliparse := optional("resiliparse.parse.encoding"):
        found["resiliparse"] = lambda page: resiliparse.bytes_to_str(
            page.body, resiliparse.detect_encoding(page.body, from_html_meta=True), "replace"
        )
    if bs4 := optional("bs4.dammit"):
        found["UnicodeDammit"] = lambda page: bs4.UnicodeDammit(page.body, is_html=True).unicode_markup or ""
    if cchardet := optional("cchardet"):
        found["datatrove's rule"] = lambda page: _datatrove(page.body, cchardet.detect)
    return found


def _datatrove(data: bytes, detect: Callable[[bytes], dict[str, Any]]) -> str:
    """Decode as UTF-8, else strictly as a detector says; return an empty text for a document that is dropped."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        name = detect(data)["encoding"]
    try:
        return data.decode(name) if name else ""
    except (UnicodeDecodeError, LookupError):
        return ""


def crawl(corpus: Corpus, mix: str, count: int, rounds: int) -> list[tuple[str, str, str]]:
    """Return the share of correct pages and megabytes per second, by name."""
    some = pages(corpus, mix, count)
    size = sum(len(page.body) for page in some) / 1e6
    contenders = decoders()
    true = {name: sum(page.is_right(decode(page)) for page in some) / count for name, decode in contenders.items()}

    def decode_all(decode: Callable[[Page], str]) -> None:
        for page in some:
            decode(page)

    seconds, _ = compare({name: partial(decode_all, decode) for name, decode in contenders.items()}, rounds)
    return [(name, f"{share:.1%}", f"{size / seconds[name]:,.0f}") for name, share in true.items()]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus", type=Path, help="folder of UTF-8 files: ja.txt, ja.html, …")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    corpus = Corpus(options.corpus)
    for mix, (least, speed) in GOALS.items():
        title = f"crawl with {mix} (floor {least:.1%} at {speed} MB/s)"
        found = crawl(corpus, mix, options.pages, options.rounds)
        print(report.table((title, "correct texts", "MB/s"), found))


if __name__ == "__main__":
    main()
