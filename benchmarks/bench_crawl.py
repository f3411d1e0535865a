"""Measure accuracy and speed of detection, beside other packages.

    python -m benchmarks.bench_crawl [--corpus FOLDER] [--pages 1000] [--rounds 5]

*Detection*: undeclared texts, cut at 100, 500 and 2,000 bytes; a text counts as found if it is decoded correctly.
*Crawls*: pages as in a crawl, 85 % of them in UTF-8, the others in their language's legacy encodings. 11 % of them are
undeclared. In the first mix, header and ``meta`` of 5 % name different encodings, one of them correct; in the second,
the header of 5 % says iso-8859-1 regardless of their encoding. In the third, *damage*, pages are of more languages and
of 20 bytes to 256 Ki characters, 30 % have one to three bytes changed, deleted or inserted, and a tenth are cut at the
end; header or ``meta`` of 5 % name another encoding. A damaged page counts as correct if its text is what its true
encoding's decoder makes of the damaged bytes; U+FFFD are not compared, since decoders write different numbers of them.
*Declared pages* of 64 KiB compare ``decode_crawled`` with `Encoding.decode` and the prescan, which a caller needs who
trusts the declaration. All input is generated from a seed. Speed is megabytes of pages per second of processor time,
the median of rounds in rotating order.

Peers that are not installed (dependency group ``bench-detect``) are named and omitted.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import whatwg_encoding as we
from benchmarks.corpus import Corpus, Style, restrict
from whatwg_encoding import sniff

#: Legacy encodings of pages, by language.
LEGACY = {
    "ar": ("windows-1256",),
    "de": ("windows-1252",),
    "ja": ("Shift_JIS", "EUC-JP"),
    "ko": ("EUC-KR",),
    "ru": ("windows-1251", "KOI8-R"),
    "th": ("windows-874",),
    "zh_cn": ("GBK",),
    "zh_tw": ("Big5",),
}
#: Legacy encodings of the mix of damaged pages.
MORE_LEGACY = LEGACY | {
    "cs": ("windows-1250", "ISO-8859-2"),
    "el": ("windows-1253", "ISO-8859-7"),
    "fr": ("windows-1252",),
    "he": ("windows-1255",),
    "lt": ("windows-1257",),
    "ro": ("windows-1250", "ISO-8859-2"),
    "tr": ("windows-1254",),
    "uk": ("windows-1251", "KOI8-U"),
}
#: Legacy encodings of texts, which also include older ones, by language.
OLDER = {"ar": ("ISO-8859-6",), "ja": ("ISO-2022-JP",), "ru": ("ISO-8859-5", "IBM866")}
LENGTHS = (100, 500, 2000)
OURS = "whatwg-encoding"
#: Goals for the mixes: the share of correct texts, and megabytes per second.
GOALS = {"contradictions": (0.975, 1500), "lies": (0.99, 1500), "damage": (0.945, 1500)}
#: Goal for a page of 64 KiB that is declared: the least share of the speed of `Encoding.decode` and the prescan.
LEAST_SHARE = 0.4
PAGE = 64 * 1024


@dataclass(frozen=True)
class Page:
    """A page as received, and its correct text."""

    body: bytes
    content_type: str | None
    text: str

    def is_right(self, text: str) -> bool:
        """Return whether ``text`` is that of the page, damage aside."""
        return text == self.text or text.replace("\ufffd", "") == self.text.replace("\ufffd", "")


class Drawn:
    """Return parts of the corpus that an encoding can represent."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._texts: dict[tuple[str, str, Style], str] = {}

    def text(self, language: str, encoding: str, style: Style) -> str:
        key = language, encoding, style
        if key not in self._texts:
            text = self._corpus.get(language, style).text
            held = frozenset(character for character in set(text) if _holds(we.ENCODINGS[encoding], character))
            self._texts[key] = restrict(text, held)
        return self._texts[key]

    def piece(self, random: Random, language: str, encoding: str, style: Style, length: int) -> str:
        text = self.text(language, encoding, style)
        start = random.randrange(max(1, len(text) - length))
        return text[start : start + length]


def _holds(encoding: we.Encoding, character: str) -> bool:
    try:
        return encoding.decode(encoding.encode(character, "fatal")) == character
    except UnicodeEncodeError:
        return False


def texts(corpus: Corpus, length: int, each: int = 30) -> list[tuple[bytes, str]]:
    """Return undeclared texts of each language and encoding, cut at ``length`` bytes."""
    drawn, random = Drawn(corpus), Random(f"texts {length}")
    found = []
    for language, legacy in LEGACY.items():
        for name in ("UTF-8", *legacy, *OLDER.get(language, ())):
            for _ in range(each):
                data = we.ENCODINGS[name].encode(drawn.piece(random, language, name, "dense", 3000))[:length]
                found.append((data, we.ENCODINGS[name].decode(data)))
    return found


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
    drawn, random = Drawn(corpus), Random("damage")
    found = []
    turns = [number / count for number in range(count)]
    modern = [turn < 0.85 for turn in turns]
    hurt = [turn < 0.3 for turn in turns]
    for order in (turns, modern, hurt):
        random.shuffle(order)
    for turn, is_utf_8, is_hurt in zip(turns, modern, hurt, strict=True):
        language = random.choice(list(MORE_LEGACY))
        true = "UTF-8" if is_utf_8 else random.choice(MORE_LEGACY[language])
        text = drawn.piece(random, language, true, "markup", int(20 * (1 << 18) ** (random.random() * 0.76)))
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
    drawn, random = Drawn(corpus), Random(mix)
    found = []
    # The shares are exact, the order is random.
    turns = [number / count for number in range(count)]
    modern = [turn < 0.85 for turn in turns]
    random.shuffle(turns)
    random.shuffle(modern)
    for turn, is_utf_8 in zip(turns, modern, strict=True):
        language = random.choice(list(LEGACY))
        true = "UTF-8" if is_utf_8 else random.choice(LEGACY[language])
        text = drawn.piece(random, language, true, "markup", random.randrange(3_000, 30_000))
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


def _or_none(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        print(f"{module} is omitted: {error}", file=sys.stderr)
        return None


def _by_codec(detect: Callable[[bytes], str | None]) -> Callable[[bytes], str]:
    """Return a function that decodes with a detector whose results are names of Python codecs."""

    def decode(data: bytes) -> str:
        name = detect(data)
        try:
            return we.lookup_codec(name or "utf-8").decode(data)  # so that iso-8859-1 is windows-1252, as on the web
        except LookupError:
            try:
                return data.decode(name or "utf-8", "replace")
            except LookupError:
                return ""

    return decode


def detectors() -> dict[str, Callable[[bytes], str]]:
    """Return the functions from bytes to text, by package, ours first."""
    found: dict[str, Callable[[bytes], str]] = {OURS: lambda data: we.decode_crawled(data).text}
    if _or_none("chardetng_py"):
        found["chardetng"] = lambda data: we.lookup(sniff.chardetng(data) or "utf-8").decode(data)
    if chardet := _or_none("chardet"):
        found["chardet"] = _by_codec(lambda data: chardet.detect(data)["encoding"])
    if cchardet := _or_none("cchardet"):
        found["cchardet"] = _by_codec(lambda data: cchardet.detect(data)["encoding"])
    if normalizer := _or_none("charset_normalizer"):
        found["charset-normalizer"] = _by_codec(lambda data: normalizer.detect(data)["encoding"])
    if resiliparse := _or_none("resiliparse.parse.encoding"):
        found["resiliparse"] = lambda data: resiliparse.bytes_to_str(data, resiliparse.detect_encoding(data))
    if w3lib := _or_none("w3lib.encoding"):
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
    if w3lib := _or_none("w3lib.encoding"):
        found["w3lib"] = lambda page: w3lib.html_to_unicode(page.content_type, page.body)[1]
    if resiliparse := _or_none("resiliparse.parse.encoding"):
        found["resiliparse"] = lambda page: resiliparse.bytes_to_str(
            page.body, resiliparse.detect_encoding(page.body, from_html_meta=True), "replace"
        )
    if bs4 := _or_none("bs4.dammit"):
        found["UnicodeDammit"] = lambda page: bs4.UnicodeDammit(page.body, is_html=True).unicode_markup or ""
    if cchardet := _or_none("cchardet"):
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


# -- Measuring ---------------------------------------------------------------------------------------------------------


def shares(corpus: Corpus) -> dict[str, list[float]]:
    """Return the share of correct texts for each of ``LENGTHS``, by package."""
    samples = [texts(corpus, length) for length in LENGTHS]
    return {
        package: [sum(decode(data) == text for data, text in some) / len(some) for some in samples]
        for package, decode in detectors().items()
    }


def crawl(corpus: Corpus, mix: str, count: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Return the share of correct pages and megabytes per second, by name."""
    some = pages(corpus, mix, count)
    size = sum(len(page.body) for page in some) / 1e6
    contenders = list(decoders().items())
    true = {name: sum(page.is_right(decode(page)) for page in some) / count for name, decode in contenders}
    speeds: dict[str, list[float]] = {name: [] for name, _ in contenders}
    for turn in range(rounds):
        for name, decode in contenders[turn % len(contenders) :] + contenders[: turn % len(contenders)]:
            start = time.process_time()
            for page in some:
                decode(page)
            speeds[name].append(size / (time.process_time() - start))
    return {name: (true[name], statistics.median(speeds[name])) for name, _ in contenders}


def declared_pages(corpus: Corpus) -> dict[str, bytes]:
    """Return a page of 64 KiB in each of the encodings, with a ``meta``, by name."""
    drawn = Drawn(corpus)
    found = {}
    names = {("UTF-8", "ru")} | {(name, language) for language, names in MORE_LEGACY.items() for name in names}
    names |= {(name, language) for language, older in OLDER.items() for name in older}
    for name, language in sorted(names):
        text = drawn.text(language, name, "markup")
        data = f"<!DOCTYPE html><meta charset={name}>".encode()
        data += we.ENCODINGS[name].encode(text * (1 + PAGE // len(text)))
        data = data[:PAGE]
        found[name] = data[: we.ENCODINGS[name].valid_up_to(data)]
    return found


def speed_shares(corpus: Corpus, rounds: int) -> dict[str, float]:
    """Return the speed of ``decode_crawled`` relative to `Encoding.decode` and the prescan, by encoding."""
    found = {}
    for name, data in declared_pages(corpus).items():
        decode = we.ENCODINGS[name].decode
        least = [float("inf")] * 2
        for _ in range(rounds * 20):
            start = time.perf_counter()
            decode(data)
            sniff.prescan(data)
            middle = time.perf_counter()
            we.decode_crawled(data)
            least = [min(least[0], middle - start), min(least[1], time.perf_counter() - middle)]
        found[name] = least[0] / least[1]
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus", type=Path, help="folder of UTF-8 files: ja.txt, ja.html, …")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    corpus = Corpus(options.corpus)
    print("| detection: texts found | " + " | ".join(f"{length:,} bytes" for length in LENGTHS) + " |")
    print("|---|" + "---:|" * len(LENGTHS))
    for package, found in shares(corpus).items():
        print(f"| {package} | " + " | ".join(f"{share:.1%}" for share in found) + " |")
    print(f"\n| declared pages of 64 KiB | speed of decode and prescan (floor {LEAST_SHARE:.0%}) |\n|---|---:|")
    for name, share in speed_shares(corpus, options.rounds).items():
        print(f"| {name} | {share:.0%} |")
    for mix, (least, speed) in GOALS.items():
        print(f"\n| crawl with {mix} (floor {least:.1%} at {speed} MB/s) | correct texts | MB/s |\n|---|---:|---:|")
        for name, (share, rate) in crawl(corpus, mix, options.pages, options.rounds).items():
            print(f"| {name} | {share:.1%} | {rate:,.0f} |")


if __name__ == "__main__":
    main()
