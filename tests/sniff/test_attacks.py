"""Bytes in a declared page that should change its encoding: what header and page declare stands.

Pages of 2 KiB that are valid in what they declare, with at most 200 bytes inserted: text in each encoding, escape
sequences, NULs, UTF-16, declarations, and bytes of no text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

import whatwg_encoding as we
from tests.reference import oracle
from whatwg_encoding import _cli, sniff

from .damage import SENTENCES, text_of
from .support import charset, meta
from .test_doors import Doors, different

# The 36 encodings that a page can declare in its bytes → the language of their text.
LANGUAGES = {
    name: language
    for language, names in {
        "ar": "windows-1256 ISO-8859-6",
        "cs": "windows-1250 ISO-8859-2",
        "de": "windows-1252 ISO-8859-4 ISO-8859-10",
        "el": "windows-1253 ISO-8859-7",
        "fr": "ISO-8859-14 ISO-8859-15 macintosh windows-1258",
        "he": "windows-1255 ISO-8859-8 ISO-8859-8-I",
        "hu": "ISO-8859-16",
        "ja": "Shift_JIS EUC-JP ISO-2022-JP",
        "ko": "EUC-KR",
        "pl": "windows-1257 ISO-8859-13",
        "ru": "windows-1251 KOI8-R IBM866 ISO-8859-5 x-mac-cyrillic UTF-8",
        "th": "windows-874",
        "tr": "windows-1254 ISO-8859-3",
        "uk": "KOI8-U",
        "zh_cn": "GBK gb18030",
        "zh_tw": "Big5",
    }.items()
    for name in names.split()
}
ASCII = b"The quick brown fox jumps over the lazy dog, while <b>seven</b> wizards examine the box. " * 30
ESCAPES = (b"\x1b(J", b"\x1b(I", b"\x1b$B", b"\x1b$@", b"\x1b(B")
SIZE = 2048
MOST = 200


@cache
def encoded(name: str, length: int) -> bytes:
    """Return text of the encoding's language, without what the encoding lacks: whole characters."""
    text = text_of(LANGUAGES.get(name, "ja"))[:6000]
    if name.startswith("UTF-16"):
        return text.encode(name)[:length]
    encoding = we.ENCODINGS[name]
    held = {letter for letter in set(text) if b"&#" not in encoding.encode(letter) and encoding.encoded_length(letter)}
    kept = "".join(letter for letter in text if letter in held)
    while encoding.encoded_length(kept) > length:
        kept = kept[: len(kept) * 9 // 10]
    return encoding.encode(kept, "fatal")


def pages(name: str, *, meta: bool) -> Iterator[bytes]:
    """Yield pages in an encoding: full of its text, with a little of it, with none."""
    head = f"<!DOCTYPE html><meta charset={name}><title>".encode() if meta else b"<!DOCTYPE html><title>"
    for text in (encoded(name, 1900), encoded(name, 100), b""):
        page = head + text + b"</title>"
        page += ASCII[: SIZE - len(page)]
        assert we.ENCODINGS[name].valid_up_to(page) == len(page)
        yield page


def insertions(random: Random) -> Iterator[bytes]:
    for name in (*LANGUAGES, "UTF-16LE", "UTF-16BE"):
        yield encoded(name, MOST)
        if dense := bytes(byte for byte in encoded(name, 2000) if byte >= 0x80)[:MOST]:
            yield dense
    for unit in ESCAPES:
        script = b"<script>alert(1)</script>" + ESCAPES[-1]
        yield from (unit, unit * (MOST // 3), unit + script, unit + b'$"' * 30)
    yield from (b"".join(ESCAPES) * 10, b"\x1b$B" + b'$"' * 90 + b"\x1b(B")
    yield from (b"\0", b"\0" + "漢字仮名交じり文".encode("utf-16-le") * 10)
    yield from (unit * (MOST // len(unit)) for unit in (b"\0", b"a\0", b"\0\x04", b"\xff", b"\x80", b"\x81\x30"))
    for label in ("gbk", "iso-2022-jp", "utf-16", "x-user-defined"):
        yield from (meta(label) + encoded(name, 160) for name in ("GBK", "ISO-2022-JP"))
    yield b"<\0?\0x\0"  # by which the prescan finds UTF-16
    yield b'<!--<a b="' + encoded("windows-1251", 160)
    yield from (random.randbytes(MOST) for _ in range(10))


def attacked(random: Random, page: bytes, inserted: bytes, head: int) -> bytes:
    """Return the page with bytes inserted at the start, the end, a place between, or in parts at several places."""
    places = random.choice(["start", "end", "between", "several", "several"])
    if places in ("start", "end"):
        return inserted + page if places == "start" else page + inserted
    parts = random.choice([2, 5, MOST]) if places == "several" else 1
    size = -(-len(inserted) // parts)
    for start in range(0, len(inserted), size):
        at = random.randrange(head, len(page))
        page = page[:at] + inserted[start : start + size] + page[at:]
    return page


def stands(page: bytes, chosen: we.Encoding, declared: we.Encoding, inserted: bytes) -> bool:
    """Return whether the page's text is that of the declared encoding, or of UTF-8 for what is valid but for a cut.

    A sibling of the declared encoding may read as many characters otherwise as bytes were inserted.
    """
    if chosen is declared or (chosen is we.UTF_8 and len(page) - we.UTF_8.valid_up_to(page) <= 3):
        return True
    if not (chosen.is_single_byte and declared.is_single_byte):
        return False
    pairs = zip(chosen.decode(page), declared.decode(page), strict=True)
    return sum(character != other for character, other in pairs) <= len(inserted)


@pytest.mark.gate
@pytest.mark.parametrize("name", LANGUAGES)
def test_200_bytes_do_not_change_what_header_and_page_declare(name: str) -> None:
    random = Random(name)
    declared, header = we.lookup(name), charset(name)
    for page in pages(name, meta=True):
        for inserted in insertions(random):
            hostile = attacked(random, page, inserted, 60)
            if we.bom_sniff(hostile) is None:  # which overrides, as in browsers
                chosen = sniff.crawl(hostile, header).encoding
                if declared is we.UTF_8 and page.isascii():
                    # A template's declaration over a server's default: the page's own text stays.
                    assert chosen.is_ascii_compatible
                else:
                    assert stands(hostile, chosen, declared, inserted), (chosen, hostile)


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-16be"])
@pytest.mark.parametrize("name", ["UTF-16LE", "UTF-16BE"])
def test_200_bytes_do_not_change_a_page_in_utf_16(name: str, label: str) -> None:
    """Its own declaration says "utf-16" of either order, in UTF-16."""
    random = Random(name + label)
    head = f"<!DOCTYPE html><meta charset={label}><title>"
    for text in (text_of("ja")[:900], text_of("ru")[:900], text_of("ko")[:60], ""):
        page = f"{head}{text}</title>{ASCII.decode()}"[: SIZE // 2].encode(name)
        for inserted in insertions(random):
            at = random.choice([0, len(page), 2 * random.randrange(len(head), len(page) // 2)])
            hostile = page[:at] + inserted[: len(inserted) // 2 * 2] + page[at:]
            if we.bom_sniff(hostile) is None:
                assert sniff.crawl(hostile, charset(name)).encoding is we.lookup(name), hostile


@pytest.mark.gate
@pytest.mark.parametrize("in_header", [True, False], ids=["header", "meta"])
@pytest.mark.parametrize("name", [name for name in LANGUAGES if name != "ISO-2022-JP"])
def test_escapes_and_nuls_do_not_change_what_either_declares(name: str, in_header: bool) -> None:
    random = Random(name)
    header = charset(name) if in_header else None
    for page in pages(name, meta=not in_header):
        for inserted in insertions(random):
            hostile = attacked(random, page, inserted, 60)
            if we.bom_sniff(hostile) is None and b"charset=iso" not in inserted:
                chosen = sniff.crawl(hostile, header).encoding
                assert chosen is not we.ISO_2022_JP, hostile
                assert not chosen.is_utf_16, hostile


@pytest.mark.parametrize(
    "inserted", [*ESCAPES, b"<meta charset=iso-2022-jp>\x1b$B", b"\0" + "漢字".encode("utf-16-le") * 9, b"\0<\0?\0x"]
)
@pytest.mark.parametrize("at_start", [True, False])
def test_every_entry_point_follows(inserted: bytes, at_start: bool, tmp_path: Path) -> None:
    page = b"<meta charset=utf-8><p>" + ASCII[:900] + "é".encode()
    page = inserted + b"<script>alert(1)</script>\x1b(B" + page if at_start else page + inserted + b"<script>\x1b(B"
    header = charset("utf-8")
    doors = Doors(tmp_path, header)
    read = doors.of_pages()
    if b"<meta" not in inserted:  # the page's own declaration is the first
        read |= {"by_file": doors.by_file}
    assert different(read, page, we.UTF_8.decode(page)) == {}
    assert doors.by_command(page, "--text") == we.UTF_8.decode(page)
    assert sniff.detect(page, declared="utf-8")[0].encoding is we.UTF_8
    detector = sniff.crawl_detector(exclude=["iso-2022-jp", "utf-16le", "utf-16be"])
    assert we.decode_html(page, header, detector=detector).encoding is we.UTF_8


def test_random_bytes_are_in_what_is_declared() -> None:
    random = Random("random")
    for name in ("utf-8", "windows-1252", "koi8-r"):
        for _ in range(20):
            sniffed = sniff.crawl(meta(name) + random.randbytes(4096), f"a/b; charset={name}")
            assert not sniffed.encoding.is_utf_16


def test_an_error_in_iso_2022_jp_leaves_what_is_declared() -> None:
    """Even one that would be none in ASCII, the state in which a page begins."""
    page = "".join(SENTENCES["ja"]).encode("iso2022_jp")
    at = page.index(b"\x1b$B") + 3
    for pair in (b"\x29\x21", b"\x22\x7f"):  # outside the index, and without a second byte
        damaged = page[:at] + pair + page[at:]
        assert oracle.decode("ISO-2022-JP", damaged).spans
        for declared in ("utf-8", "windows-1252"):
            assert sniff.crawl(page, f"a/b; charset={declared}").encoding is we.ISO_2022_JP
            assert sniff.crawl(damaged, f"a/b; charset={declared}").encoding is not we.ISO_2022_JP


def test_overwhelming_evidence() -> None:
    """A page that is all in another encoding is read in it, though header and page agree."""
    for language, codec, declared in (
        ("ru", "cp1251", "iso-8859-1"), ("ja", "cp932", "utf-8"), ("zh_cn", "gbk", "iso-8859-1"),
        ("el", "cp1253", "utf-8"), ("ru", "iso8859_5", "koi8-r"),
    ):  # fmt: skip
        page = meta(declared) + "".join(SENTENCES[language]).encode(codec, "ignore")  # a repetition would prove nothing
        chosen = sniff.crawl(page, charset(declared)).encoding
        assert chosen is we.lookup_codec(codec), (language, codec, declared)


# --- Words in a page with few other characters ---

RARE = {
    "windows-1257": ("žąsis šviečia ėjo čia ūkas", "Бабушка приготовила вкусный борщ и пригласила", "windows-1251"),
    "ISO-8859-2": ("žluťoučký kůň úpěl ďábelské ódy", "קנינו בשוק לחם טרי, זיתים וגבינה. בערב", "windows-1255"),
    "macintosh": ("garçon élève où forêt", "Η δασκάλα εξήγησε πώς σχηματίζονται", "windows-1253"),
    "windows-1258": ("đêm đâu tôi cơm rau", "電車が遅れているというアナウンス", "shift_jis"),
}


@pytest.mark.parametrize("name", RARE)
@pytest.mark.parametrize("by", ["header", "meta"])
def test_few_words_do_not_change_a_declared_encoding(name: str, by: str) -> None:
    """A page in ASCII, with a few letters here and there, is not read as 40 bytes that someone inserts."""
    words, sentence, other = RARE[name]
    inserted = sentence.encode(other)[:40]
    head = b"<!DOCTYPE html>" + (f"<meta charset={name}>".encode() if by == "meta" else b"") + b"<p>"
    header = f"text/html; charset={name}" if by == "header" else None
    parts = [f"the word {word} is in this line, and then it goes on. ".encode(name) for word in words.split()]
    for at in range(len(parts) + 1):
        page = head + b"".join([*parts[:at], inserted, b" ", *parts[at:]])
        assert we.decode_crawled(page, header).encoding is we.lookup(name), (at, page)
    page = head + b"".join(f"the word {word} is in this line. ".encode(other) for word in sentence.split())
    assert we.decode_crawled(page, header).encoding is we.lookup(other)


# --- Encodings that the caller excludes ---


@pytest.mark.parametrize("name", LANGUAGES)
def test_an_excluded_encoding_is_never_the_result(name: str, tmp_path: Path) -> None:
    excluded = we.lookup(name)
    for page in (*pages(name, meta=True), b"", b"ASCII", encoded(name, 300)):
        for header in (None, charset(name)):
            decoded = we.decode_crawled(page, header, exclude=[name])
            assert decoded.encoding is not excluded
            pages_of = Doors(tmp_path, header, exclude={excluded}).of_pages()
            assert different(pages_of, page, decoded.text) == {}
        assert sniff.crawl_detector(exclude=[name])(page) is not excluded
        assert name not in [guess.encoding.name for guess in sniff.detect(page, declared=name, exclude=[name])]


def test_a_mark_of_an_excluded_encoding_is_text() -> None:
    data = "ab".encode("utf-16")
    assert sniff.crawl(data, exclude=["utf-16le", "utf-16be"]).source == "detector"
    marked = b"\xef\xbb\xbfab"
    decoded = we.decode_crawled(marked, exclude=["utf-8"])
    assert decoded == (oracle.decode(decoded.encoding.name, marked).text, decoded.encoding)
    assert decoded.source == "detector"
    page = "<p>Größe</p>" * 50
    for byte_order, other in (("utf-16-le", we.UTF_16BE), ("utf-16-be", we.UTF_16LE)):
        for body in (page.encode(byte_order), page.encode()):
            data = "\ufeff".encode(byte_order) + body
            assert we.decode_crawled(data, exclude=[byte_order[:6] + byte_order[-2:]]).encoding is not other


def test_what_is_left_is_chosen() -> None:
    for name in ("ISO-8859-10", "KOI8-R", "UTF-8", "GBK", "gb18030"):
        others = [encoding for encoding in we.ENCODINGS if encoding != name]
        assert sniff.crawl(b"\xe4\xff", exclude=others).encoding is we.lookup(name)
        assert sniff.crawl(b"a", exclude=others).encoding is we.lookup(name)


JAPANESE = b"\x1b$BF|K\\\x1b(B"  # ISO-2022-JP


def test_the_command_excludes(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "file"
    path.write_bytes(JAPANESE)
    for options in (["--encoding"], ["--as-browser", "--encoding"], ["--all"]):
        assert _cli.main(["sniff", *options, "--exclude", "iso-2022-jp", "--exclude", "gbk", str(path)]) == 0
        printed = capsysbinary.readouterr().out
        assert (b"ISO-2022-JP" not in printed) if options == ["--all"] else (printed == b"UTF-8\n")
    for wrong in (["--candidates", "klingon"], [word for name in we.ENCODINGS for word in ("--exclude", name)]):
        with pytest.raises(SystemExit) as raised:
            _cli.main(["sniff", *wrong, str(path)])
        assert raised.value.code == 2
    assert b"--exclude must leave an encoding" in capsysbinary.readouterr().err


def test_any_limit_is_a_limit() -> None:
    data, limit = "<p>Größe".encode("cp1252"), 1 << 64
    assert sniff.crawl(data, limit=limit).encoding is we.WINDOWS_1252
    assert sniff.detect(data, limit=limit)[0].encoding is we.WINDOWS_1252
    assert sniff.prescan(b"<meta charset=gbk>", limit) is we.GBK
    detector = sniff.crawl_detector(limit)
    assert "".join(we.decode_stream("html-parser", [data], detector=detector)) == "<p>Größe"
    assert "".join(we.decode_stream("crawl", [data], limit=limit)) == "<p>Größe"
