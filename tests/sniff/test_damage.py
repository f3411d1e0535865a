"""``decode_crawled`` and its kin on pages with damaged bytes, cut anywhere, and declared rightly, wrongly or not.

A page counts as right if its text is what the true encoding's decoder makes of the damaged bytes: ``damage.Page``.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import whatwg_encoding as we
from tests.reference import oracle
from whatwg_encoding import sniff
from whatwg_encoding._native.detect import utf_8_counts

from .damage import ENCODINGS, LEGACY, SENTENCES, Page, damaged_page, excerpt, size_between, text_of
from .support import asynchronous, charset, chunks_of, joined, meta

MIB = 1 << 20


def decoded(page: Page) -> str:
    return we.decode_crawled(page.body, page.content_type).text


# --- Bars ---


def shares(pages: list[Page], *keys: Callable[[Page], Any]) -> dict[Any, float]:
    right: Counter[Any] = Counter()
    total: Counter[Any] = Counter()
    for page in pages:
        is_right = page.is_right(decoded(page))
        for group in ("all", *(key(page) for key in keys)):
            total[group] += 1
            right[group] += is_right
    return {group: right[group] / total[group] for group in total}


@pytest.mark.parametrize("declared", ["rightly", "not at all", "wrongly"])
def test_99_of_100_damaged_utf_8_pages_are_right(declared: str) -> None:
    """Sizes from 20 bytes to 1 MiB; from 160 bytes on, hardly any page is lost."""
    random = Random(f"UTF-8 {declared}")
    pages = [damaged_page(random, "UTF-8", declared, size_between(random, 20, MIB)) for _ in range(600)]
    right = shares(pages, lambda page: page.language, lambda page: len(page.body) >= 160)
    least = 0.98 if declared == "wrongly" else 0.99
    assert right["all"] >= least, right
    assert right[True] >= 0.998, right
    assert all(right[language] >= 0.93 for language in LEGACY), right


def test_97_of_100_damaged_declared_legacy_pages_are_right() -> None:
    random = Random("legacy")
    pages = [damaged_page(random, None, "rightly", size_between(random, 20, MIB)) for _ in range(600)]
    right = shares(pages, lambda page: page.encoding, lambda page: len(page.body) >= 160)
    assert right["all"] >= 0.97, right
    assert all(right[name] >= 0.85 for name in ENCODINGS if name != "UTF-8"), right


def test_undamaged_pages_are_right() -> None:
    """UTF-8 whatever is declared, and a declared legacy encoding, at any size: the tolerance costs nothing."""
    random = Random("undamaged")
    for declared in ("rightly", "not at all", "wrongly"):
        for _ in range(200):
            page = damaged_page(random, "UTF-8", declared, size_between(random, 20, 20_000), count=0)
            assert decoded(page) == page.text, page
    wrong = []
    for _ in range(1000):
        page = damaged_page(random, None, "rightly", size_between(random, 20, 20_000), count=0)
        if page.declared != "windows-1252" and decoded(page) != page.text:
            wrong.append(page)
    assert len(wrong) <= 3, wrong


def test_legacy_text_is_not_taken_for_utf_8() -> None:
    """Undeclared text of 3 to 80 characters."""
    random = Random("legacy text")
    taken = total = 0
    for _ in range(6000):
        language = random.choice(list(LEGACY))
        name = random.choice(list(LEGACY[language]))
        data = excerpt(random, language, name, random.randint(3, 80) * (1 if we.lookup(name).is_single_byte else 2))
        if name != "ISO-2022-JP" and not sniff.utf8_if_valid(data):
            total += 1
            taken += sniff.crawl(data).encoding is we.UTF_8
    assert taken * 250 <= total, (taken, total)


# --- UTF-8 ---


@pytest.mark.parametrize("language", LEGACY)
def test_any_byte_of_utf_8_may_be_damaged(language: str) -> None:
    data = "".join(SENTENCES[language][:2]).encode()
    for at in range(len(data)):
        for damaged in (data[:at] + b"\xff" + data[at:], data[:at] + data[at + 1 :], data[:at] + b"?" + data[at + 1 :]):
            text, spans = oracle.decode("UTF-8", damaged)
            for label in (None, "utf-8", "iso-8859-1", "windows-1251"):
                got = we.decode_crawled(damaged, label and charset(label))
                assert (got.text, got.errors, got.encoding) == (text, len(spans), we.UTF_8)
                assert got.source == "utf-8" or (got.source == "transport" and label == "utf-8")


@pytest.mark.parametrize("place", [16_384, 100_000, 1_000_000])
@pytest.mark.parametrize("ascii_before", [False, True])
def test_damage_may_be_anywhere_in_the_document(place: int, ascii_before: bool) -> None:
    text = "a" * place + "naïve – é" * 3 if ascii_before else ("ru" + SENTENCES["ru"][0]) * (place // 60)
    data = text.encode() + b"\xff" + text.encode()
    for header in (None, charset("utf-8"), charset("koi8-r")):
        got = we.decode_crawled(data, header)
        assert got.text == text + "\ufffd" + text
        assert (got.encoding, got.errors) == (we.UTF_8, 1)
        assert sniff.crawl(data, header) == (got.encoding, got.confidence, got.source)
        assert we.decode_crawled_to_utf8(data, header) == (got.text.encode(), we.UTF_8)


def test_utf_8_with_as_many_errors_as_characters_is_another_encoding() -> None:
    """The ratio counts the whole document, not its start."""
    utf_8, cyrillic = "Привет ".encode() * 100, "Привет ".encode("cp1251") * 100
    assert sniff.crawl(utf_8 + cyrillic[: len(cyrillic) // 3]).encoding is we.UTF_8
    assert sniff.crawl(cyrillic[: len(cyrillic) // 3] + utf_8).encoding is we.UTF_8
    assert sniff.crawl(cyrillic + utf_8[: len(utf_8) // 3]).encoding is not we.UTF_8
    assert sniff.crawl(utf_8[: len(utf_8) // 3] + cyrillic).encoding is not we.UTF_8


@pytest.mark.parametrize("language", LEGACY)
def test_utf_8_is_cut_at_both_ends(language: str) -> None:
    data = text_of(language)[:400].encode()
    for start in range(8):
        for end in range(8):
            piece = data[start : len(data) - end]
            for header in (None, charset("utf-8"), charset("gbk")):
                got = we.decode_crawled(piece, header)
                assert (got.text, got.encoding) == (oracle.decode("UTF-8", piece).text, we.UTF_8)


def without_surrogates(data: bytes) -> bytes:
    return re.sub(rb"\xed[\xa0-\xbf][\x80-\xbf]", "字".encode(), data)


@pytest.mark.parametrize("seed", range(40))
def test_counts_are_those_of_the_reference(seed: int) -> None:
    """A surrogate in three bytes counts as a character, like any other in their place."""
    random = Random(seed)
    parts = [
        "é".encode(), "字".encode(), "😀".encode(), b"a" * 9, b"\xff", b"\xc3", b"\xe0\x80", b"\xed\xa0\x80", b"\x80",
    ]  # fmt: skip
    for _ in range(50):
        data = b"".join(random.choices(parts, k=random.randrange(12)))
        data = data[random.randrange(3) :]
        rest = data
        while rest and len(data) - len(rest) < 3 and 0x80 <= rest[0] <= 0xBF:
            rest = rest[1:]
        text, spans = oracle.decode("UTF-8", without_surrogates(rest))
        errors = len(spans)
        if spans and spans[-1][1] == len(without_surrogates(rest)):
            tails = (bytes([first, *[0x80] * more]) for first in (0x80, 0xA0, 0x8F, 0xBF) for more in range(3))
            last = without_surrogates(rest)[spans[-1][0] :]
            errors -= any(not oracle.decode("UTF-8", without_surrogates(last + tail)).spans for tail in tails)
        characters = sum(character > "\x7f" for character in text) - len(spans)
        assert utf_8_counts(data) == (characters, errors), data
        assert utf_8_counts(memoryview(bytearray(data))) == (characters, errors)
        for ratio in (1, 2, 3):
            assert utf_8_counts(data, ratio) == (characters, errors) or characters < ratio * errors, (data, ratio)


@pytest.mark.parametrize("language", [language for language in LEGACY if language != "ja"])
def test_utf_8_that_is_declared_wrongly(language: str) -> None:
    """A few characters in UTF-8 do not make it likely; half of the page does."""
    for codec in LEGACY[language].values():
        legacy, utf_8 = text_of(language)[:9000].encode(codec, "ignore"), text_of(language)[:4500].encode()
        for page in (legacy, legacy + utf_8[:99], legacy[:4000] + utf_8[:99] + legacy[4000:]):
            assert sniff.crawl(page, charset("utf-8")).encoding is not we.UTF_8
            assert sniff.crawl(meta("utf-8") + page).encoding is not we.UTF_8
        for page in (legacy[:2000] + utf_8, utf_8 + legacy[:2000]):
            assert sniff.crawl(page, charset("utf-8")).encoding is we.UTF_8


# --- Declared legacy encodings ---


@pytest.mark.parametrize(
    ("language", "name", "bad"),
    [
        ("ja", "Shift_JIS", b"\xa0\xfd"), ("ja", "EUC-JP", b"\xff\xff"), ("ko", "EUC-KR", b"\xff\xff"),
        ("zh_cn", "GBK", b"\xff\xff"), ("zh_cn", "gb18030", b"\xff\xff"), ("zh_tw", "Big5", b"\xff\xff"),
        ("he", "windows-1255", b"\xff"), ("el", "ISO-8859-7", b"\xff"), ("ar", "ISO-8859-6", b"\xff"),
        ("th", "windows-874", b"\xff"),
    ],
)  # fmt: skip
def test_one_bad_pair_in_a_short_declared_text(language: str, name: str, bad: bytes) -> None:
    codec = LEGACY[language].get(name, "iso8859_6")
    for text in SENTENCES[language]:
        data, half = text.encode(codec, "ignore"), text[: len(text) // 2].encode(codec, "ignore")
        for damaged in (bad + data, data + bad + b" ", half + bad + data[len(half) :]):
            assert sniff.crawl(damaged, charset(name)).source == "transport"
            assert we.decode_crawled(damaged, charset(name)) == (oracle.decode(name, damaged).text, we.lookup(name))
            page = meta(name) + damaged
            assert we.decode_crawled(page) == (oracle.decode(name, page).text, we.lookup(name))


@pytest.mark.parametrize("declared", ["GBK", "Big5", "EUC-KR", "Shift_JIS", "EUC-JP"])
def test_another_encoding_of_several_bytes_is_declared(declared: str) -> None:
    """Many bytes are valid in several of them, but no text reads as text."""
    for language in ("ja", "ko", "zh_cn", "zh_tw"):
        for name, codec in LEGACY[language].items():
            if name in (declared, "gb18030", "ISO-2022-JP"):
                continue
            for start in range(0, 2000, 250):
                page = text_of(language)[start : start + 900].encode(codec)
                for content, header in ((page, charset(declared)), (meta(declared) + page, None)):
                    assert sniff.crawl(content, header).encoding.name == name


def test_of_two_declarations_the_one_with_fewer_errors_decides() -> None:
    data = text_of("ja")[:300].encode("cp932")
    damaged = data[:100] + b"\xfd" + data[100:]
    for header, name in (("shift_jis", "euc-jp"), ("euc-jp", "shift_jis"), ("windows-874", "shift_jis")):
        page = meta(name) + damaged
        got = sniff.crawl(page, charset(header))
        assert got == (we.SHIFT_JIS, "tentative", "transport" if header == "shift_jis" else "prescan")


# --- ISO-2022-JP and UTF-16 ---


@pytest.mark.parametrize("header", [None, "utf-8", "shift_jis", "iso-8859-1", "iso-2022-jp"])
@pytest.mark.parametrize("damaged", [b"", b"\xff", b"\x1b", b"\xe3\x81"])
def test_iso_2022_jp(header: str | None, damaged: bytes) -> None:
    """It is found whatever a header declares, but with an error in it only if that is no other encoding.

    A declaration of another encoding that was read as ASCII rules it out.
    """
    for text in SENTENCES["ja"]:
        data = text.encode("iso2022_jp")
        data = data[:9] + damaged + data[9:]
        for page in (data, meta(header) + data if header else data):
            is_found = header in (None, "iso-2022-jp") or (not damaged and page is data)
            got = we.decode_crawled(page, header and charset(header))
            assert (got.encoding is we.ISO_2022_JP) == is_found
            if is_found:
                assert got.text == oracle.decode("ISO-2022-JP", page).text
                assert got.source == ("transport" if header == "iso-2022-jp" else "detector")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("language", LEGACY)
def test_utf_16_without_a_mark(language: str, codec: str) -> None:
    """Undeclared, whatever stands first, and declared rightly or wrongly, with an error; a word, if it is declared."""
    encoding = we.UTF_16LE if codec.endswith("le") else we.UTF_16BE
    for text in ("<p>" + text_of(language)[:50] + "</p>", f"<p class=a>\n{text_of(language)[:3000]}"):
        data = text.encode(codec)
        for header in (None, "utf-8", "iso-8859-1", "shift_jis", "utf-16le", "utf-16be"):
            got = we.decode_crawled(data, header and charset(header))
            assert got == (text, encoding)
            assert got.source == ("transport" if header and we.lookup(header) is encoding else "detector")
        assert we.decode_crawled(data[:-1]) == (oracle.decode(encoding.name, data[:-1]).text, encoding)
        damaged = data[:20] + b"\xd8\xd8" + data[22:]
        assert we.decode_crawled(damaged) == (oracle.decode(encoding.name, damaged).text, encoding)
    text = text_of(language)
    page = "".join(f'<p class="{number}">{text[:40]}</p>\n' for number in range(50))
    for piece in (text[:40], *(page[start : start + 1800] for start in range(0, 200, 13))):
        assert we.decode_crawled(piece.encode(codec)) == (piece, encoding)
    for word in (text.split()[0], text[:7].strip()):
        assert we.decode_crawled(word.encode(codec), charset(encoding.name)) == (word, encoding)


@pytest.mark.parametrize(
    "data",
    [
        b"a\0", b"abc\0", b"abc\0def\0", b"name\0value\0other\0", b"\0\0\0\0", "é\0日本\0".encode(),
        b"text" + b"\0" * 100, "text".encode("utf-32-le") * 20, "text".encode("utf-32-be") * 20,
    ],
)  # fmt: skip
def test_nuls_that_are_not_utf_16(data: bytes) -> None:
    assert sniff.crawl(data).encoding is we.UTF_8


# --- Detectors, columns of tests and streams ---


def test_detectors_follow() -> None:
    """The browser's order with a detector: what is declared is decoded as declared, and the rest as by ``crawl``."""
    detector = sniff.crawl_detector()
    for text in SENTENCES["fr"]:
        damaged = (text + " «été»").encode() + b"\xff"
        assert we.decode_html(damaged, detector=detector) == (text + " «été»\ufffd", we.UTF_8)
        assert we.decode_html(damaged, detector=detector, content_type=charset("koi8-r")).encoding is we.KOI8_R
    data = SENTENCES["ja"][0].encode("utf-16-le") + "a b c".encode("utf-16-le")
    assert detector(data) is we.UTF_16LE
    assert detector(meta("koi8-r") + SENTENCES["ru"][0].encode("cp1251")) is we.WINDOWS_1251


def test_streams_are_what_the_whole_is() -> None:
    """In chunks of any size, decided on the first bytes, synchronous and asynchronous."""
    random = Random("streams")
    for _ in range(150):
        declared = random.choice(["rightly", "not at all", "wrongly"])
        page = damaged_page(random, random.choice(["UTF-8", None]), declared, size_between(random, 20, 16_000))
        whole = we.decode_crawled(page.body, page.content_type, tld="jp")
        size = random.choice([1, 7, 100, 5000, 20_000])
        stream = we.decode_stream("crawl", chunks_of(page.body, size), content_type=page.content_type, tld="jp")
        assert "".join(stream) == whole.text
        assert (stream.encoding, stream.confidence, stream.source) == (whole.encoding, whole.confidence, whole.source)
        chunks = asynchronous(chunks_of(page.body, size))
        stream = we.decode_stream("crawl", chunks, content_type=page.content_type, tld="jp")
        assert asyncio.run(joined(stream)) == whole.text


@pytest.mark.parametrize("limit", [2, 3, 100, 16384])
def test_a_stream_is_decided_on_the_first_bytes_beyond_ascii(limit: int) -> None:
    text = "<p>" + SENTENCES["ru"][0] * 300
    data = text.encode() + b"\xff" * 40_000
    expected = we.UTF_8.decode(data)
    for size in (1, 99, 100, 101, 50_000):
        given = 0

        def chunks(size: int = size) -> Iterator[bytes]:
            nonlocal given
            for piece in chunks_of(data, size):
                given += len(piece)
                yield piece

        stream = we.decode_stream("crawl", chunks(), limit=limit)
        parts = [next(stream)]
        while stream.encoding is None:
            parts.append(next(stream))
        assert 3 + limit <= given <= 3 + limit + size
        assert (stream.encoding, stream.source) == (we.UTF_8, "utf-8")
        assert "".join(parts + list(stream)) == expected


@pytest.mark.parametrize("header", [None, "iso-8859-1", "koi8-r", "iso-2022-jp", "utf-16", "replacement", "nosuch"])
@pytest.mark.parametrize("before", [b"", meta("gbk"), meta("iso-8859-1"), meta("windows-1252")])
def test_a_stream_of_ascii(header: str | None, before: bytes) -> None:
    """It passes as it comes, in no encoding until its end, where it is what the whole is."""
    content_type = header and charset(header)
    data = before + b"<script>" * 200
    stream = we.decode_stream("crawl", chunks_of(data, 100), content_type=content_type, limit=1000)
    assert len(next(stream)) <= 600
    assert (stream.encoding, stream.source) == (None, None)
    assert len("".join(stream)) >= len(data) - 600
    assert (stream.encoding, stream.source) == (we.UTF_8, "utf-8")
    stream = we.decode_stream("crawl", [data], content_type=content_type)
    assert ("".join(stream), stream.encoding, stream.source) == (data.decode(), we.UTF_8, "utf-8")


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xef\xbb\xbf", we.UTF_8), (b"\xff\xfe", we.UTF_16LE)])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_mark_decides_a_stream(mark: bytes, encoding: we.Encoding, size: int) -> None:
    data = mark + "größer".encode(encoding.name)
    stream = we.decode_stream("crawl", chunks_of(data, size), content_type=charset("gbk"))
    first = next(stream)
    assert (stream.encoding, stream.confidence, stream.source) == (encoding, "certain", "bom")
    assert first + "".join(stream) == "größer"


def test_empty_streams() -> None:
    for chunks in ([], [b""], [b"", b""]):
        stream = we.decode_stream("crawl", chunks)
        assert list(stream) == []
        assert (stream.encoding, stream.source) == (we.UTF_8, "utf-8")


def test_wrong_arguments_of_a_stream() -> None:
    chunks: list[bytes] = []
    with pytest.raises(
        TypeError, match="has no hint 'detector'; its hints: candidates, content_type, exclude, limit, tld"
    ):
        we.decode_stream("crawl", chunks, detector="gbk")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="header values, as str or bytes"):
        we.decode_stream("crawl", chunks, content_type=3)  # type: ignore[call-overload]
