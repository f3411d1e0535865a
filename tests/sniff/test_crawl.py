"""The most likely encoding of text: valid UTF-8, the detectors, ``sniff.crawl`` and the functions that use it.

Expected texts are what was encoded by Python's codecs, or come from the reference.
"""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.programs import python
from tests.reference import oracle
from whatwg_encoding import sniff

from .damage import text_of
from .support import charset, chunks_of, meta

RUSSIAN = "Поезд опоздал из-за сильного снега, и пассажиры долго ждали на вокзале."
JAPANESE = "駅前のパン屋は朝早くから開いていて、焼きたての匂いが通りまで流れてくる。"

# --- Valid UTF-8 ---


# Characters, sequences that are cut or of none, surrogates, and escape sequences of ISO-2022-JP and of a terminal.
PIECES = [
    b"a", "é".encode(), "日".encode(), b"\xe6", b"\xe6\x97", b"\xf0\x9f\x98", b"\xe9", b"\xed\xa0", b"\x80",
    b"\xf4\x90", b"\xc0", b"\x1b$B", b"\x1b$@", b"\x1b(J", b"\x1b(I", b"\x1b[", b"\xef\xbb\xbf",
]  # fmt: skip


def test_utf_8_is_what_the_reference_takes() -> None:
    """UTF-8 is valid without an error, or if the only error is an incomplete sequence at the end."""
    for data in (b"".join(parts) for length in range(4) for parts in product(PIECES, repeat=length)):
        _, spans = oracle.decode("UTF-8", data)
        valid = not spans
        if len(spans) == 1 and spans[0][1] == len(data):
            # Incomplete: further bytes can complete the character.
            tails = (bytes([byte] * count) for byte in (0x80, 0xBF) for count in range(1, 4))
            extends = any(not oracle.decode("UTF-8", data + tail).spans for tail in tails)
            valid = extends and not (spans[0][1] - spans[0][0] == 1 and data[:-1].isascii())
        escapes = (b"\x1b$@", b"\x1b$B", b"\x1b(J", b"\x1b(I")
        if data.isascii() and any(escape in data for escape in escapes):
            valid = False
        assert sniff.utf8_if_valid(data) is (we.UTF_8 if valid else None), data
        assert sniff.utf8_if_valid(memoryview(data)) is sniff.utf8_if_valid(data)
        if we.bom_sniff(data) is None:
            html = we.decode_html(data, detector=sniff.utf8_if_valid, default="koi8-r")
            assert html.encoding is (we.UTF_8 if valid else we.KOI8_R), data


@pytest.mark.parametrize("character", "ーぜゼ室声夕")
def test_characters_whose_last_byte_is_that_of_a_tag(character: str) -> None:
    """In ISO-2022-JP a pair may end in 0x3C, with an escape sequence after it: that is no markup."""
    for text in (
        f"なに{character}\n",
        f"<p>なに{character}</p><p>abc</p>\n",
        f"次の{character}:{character} a {character}\n",
    ):
        data = text.encode("iso2022_jp")
        assert b"<\x1b(B" in data
        assert we.decode_crawled(data) == (text, we.ISO_2022_JP)


def test_an_escape_in_markup_is_none_of_japanese_text() -> None:
    page = "<p>日本</p>".encode("iso2022_jp") + b"<\x1b(Bscript>alert()</script>"
    assert we.decode_crawled(page).encoding is we.UTF_8


# --- The detectors ---


class Named:
    """A detector with chardetng-py's interface that returns a fixed name and records its input."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.seen: list[tuple[bytes, bool]] = []
        self.asked: list[dict[str, Any]] = []

    def __call__(self) -> Named:
        return self

    def feed(self, data: bytes, *, last: bool) -> bool:
        self.seen.append((data, last))
        return not data.isascii()

    def guess(self, **arguments: Any) -> str:
        self.asked.append(arguments)
        return self.answer


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Named]:
    def replace(answer: str) -> Named:
        detector = Named(answer)
        monkeypatch.setattr("chardetng_py.EncodingDetector", detector)
        return detector

    return replace


# All results of chardetng-py: the names of encoding_rs, two of which are replaced by Python's.
ANSWERS = (
    "Big5 EUC-JP EUC-KR GBK gb18030 cp874 IBM866 ISO-2022-JP ISO-8859-2 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 "
    "ISO-8859-8 ISO-8859-13 KOI8-U Shift_JIS UTF-8 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 "
    "windows-1255 windows-1256 windows-1257 windows-1258 windows-874"
)


@pytest.mark.parametrize("answer", ANSWERS.split(" "))
def test_every_answer_is_an_encoding(answer: str, named: Callable[[str], Named]) -> None:
    named(answer)
    name = sniff.chardetng(b"\xff")
    assert name == {"cp874": "windows-874"}.get(answer, answer)
    assert we.decode_html(b"\xff", detector=sniff.chardetng).encoding is we.lookup(name)


def test_other_answers_are_refused_aloud(named: Callable[[str], Named]) -> None:
    named("x-new-encoding")
    with pytest.raises(we.UnknownLabelError, match="x-new-encoding"):
        sniff.chardetng(b"\xff")


def test_arguments_are_passed_on(named: Callable[[str], Named]) -> None:
    detector = named("Big5")
    sniff.chardetng(b"\xff", tld="JP", last=True)
    assert detector.seen == [(b"\xff", True)]
    assert detector.asked == [{"tld": b"jp", "allow_utf8": True}]
    sniff.chardetng(b"\xff" * 30, tld="рф", allow_utf8=False)
    assert detector.seen[1:] == [(b"\xff" * 30, False)]
    assert detector.asked[1:] == [{"tld": b"xn--p1ai", "allow_utf8": False}]


def test_a_top_level_domain_decides() -> None:
    assert we.decode_crawled(b"<p>\xe5", tld="ru").text == oracle.decode("windows-1251", b"<p>\xe5").text
    assert we.decode_crawled(b"<p>\xe5", tld="se").text == oracle.decode("windows-1252", b"<p>\xe5").text


@pytest.mark.parametrize("context", ["html-parser", "text-document"])
def test_a_stream_starts_before_it_ends(context: str) -> None:
    """The detector sees the number of bytes that it wants, for any chunks; later bytes change nothing."""
    text = text_of("ru")[:4000]
    data = text.encode("cp1251")

    def chunks(size: int) -> Iterator[bytes]:
        nonlocal given
        for start in range(0, len(data), size):
            given = start + size
            yield data[start : start + size]

    for size in (1, 7, 300):
        given = 0
        stream = we.decode_stream(context, chunks(size), detector=sniff.crawl_detector(1100))
        first = next(stream)
        assert 1100 <= given < 1100 + size
        assert stream.encoding is we.WINDOWS_1251
        assert first + "".join(stream) == text


def test_a_stream_of_any_size_is_decided_on_the_same_bytes() -> None:
    data = "Größe und Länge, über Österreich und Böhmen, für Mädchen. ".encode("cp1252") * 30
    seen: list[bytes] = []

    class Limited:
        limit = 50

        def __call__(self, content: bytes) -> str:
            seen.append(content)
            return "windows-1252"

    for size in (1, 49, 50, 51, 10_000):
        "".join(we.decode_stream("text-document", chunks_of(data, size), detector=Limited()))
        "".join(we.decode_stream("text-document", [data[:49]], detector=Limited()))
    assert seen == [data[: 2 + 50], data[:49]] * 5  # two bytes are ASCII
    we.decode_as("text-document", data, detector=Limited())
    assert seen[-1] == data  # the detector received the whole input


def test_text_far_behind_ascii_is_found() -> None:
    body = b"<script>" + b"if (a < b) { c(); } // ASCII \n" * 1000 + b"</script><p>"
    for language, codec in (("ja", "cp932"), ("ru", "koi8_r"), ("zh_cn", "gbk")):
        expected = text_of(language)[:400]
        data = body + expected.encode(codec)
        assert we.decode_crawled(data).text == body.decode() + expected
        assert we.decode_html(data, detector=sniff.crawl_detector()).text == body.decode() + expected


# --- The order of sniff.crawl ---


def crawled(data: bytes, content_type: Any = None) -> tuple[str, str, str]:
    encoding, confidence, source = sniff.crawl(data, content_type)
    decoded = we.decode_crawled(data, content_type)
    is_binary = (source == "detector" and sniff.is_binary(data)) or sniff.Mixture(encoding).sign(data) is not None
    told = "binary" if is_binary else source
    assert (decoded.encoding, decoded.confidence, decoded.source) == (encoding, confidence, told)
    mark = {"UTF-8": 3, "UTF-16BE": 2, "UTF-16LE": 2}[encoding.name] if source == "bom" else 0
    text, spans = oracle.decode(encoding.name, data[mark:])
    assert decoded == (text, encoding)
    assert decoded.errors == len(spans)
    assert we.decode_crawled_to_utf8(data, content_type) == (text.encode(), encoding)
    return encoding.name, confidence, source


# Body, Content-Type, and what is found. tests/arrow has them in columns.
ORDER: list[tuple[bytes, Any, tuple[str, str, str]]] = [
    # A byte order mark
    (b"\xef\xbb\xbf" + RUSSIAN.encode(), charset("koi8-r"), ("UTF-8", "certain", "bom")),
    (b"\xff\xfe" + RUSSIAN.encode("utf-16-le"), charset("utf-8"), ("UTF-16LE", "certain", "bom")),
    (b"\xfe\xff" + RUSSIAN.encode("utf-16-be"), None, ("UTF-16BE", "certain", "bom")),
    (b"\xef\xbb\xbf\xff", None, ("UTF-8", "certain", "bom")),
    # Valid UTF-8, whatever is declared
    (b"", None, ("UTF-8", "tentative", "utf-8")),
    (b"ASCII", charset("koi8-r"), ("UTF-8", "tentative", "utf-8")),
    (RUSSIAN.encode(), charset("iso-8859-1"), ("UTF-8", "tentative", "utf-8")),
    (meta("gbk") + RUSSIAN.encode(), charset("shift_jis"), ("UTF-8", "tentative", "utf-8")),
    (RUSSIAN.encode()[:-1], None, ("UTF-8", "tentative", "utf-8")),
    # ISO-2022-JP is valid UTF-8 as bytes, but is not taken for it
    (JAPANESE.encode("iso2022_jp"), None, ("ISO-2022-JP", "tentative", "detector")),
    (JAPANESE.encode("iso2022_jp"), charset("iso-2022-jp"), ("ISO-2022-JP", "tentative", "transport")),
    # So is ASCII in UTF-16, if the server declares UTF-16
    ("<p>plain".encode("utf-16-le"), charset("utf-16"), ("UTF-16LE", "tentative", "transport")),
    (b"<p>plain", charset("utf-16"), ("UTF-8", "tentative", "utf-8")),
    # The header, if the bytes are valid in that encoding
    (RUSSIAN.encode("koi8_r"), charset("koi8-r"), ("KOI8-R", "tentative", "transport")),
    (meta("koi8-r") + JAPANESE.encode("cp932"), charset("sjis"), ("Shift_JIS", "tentative", "transport")),
    (JAPANESE.encode("cp932")[:-1], charset("sjis"), ("Shift_JIS", "tentative", "transport")),
    (JAPANESE.encode("cp932"), [b"text/html", "a/b; charset=sjis"], ("Shift_JIS", "tentative", "transport")),
    # An invalid header, windows-1252 or an unknown label is ignored in favour of the page's own declaration
    (meta("sjis") + JAPANESE.encode("cp932"), charset("euc-jp"), ("Shift_JIS", "tentative", "prescan")),
    (meta("sjis") + JAPANESE.encode("cp932"), charset("latin1"), ("Shift_JIS", "tentative", "prescan")),
    (meta("sjis") + JAPANESE.encode("cp932"), charset("cp932"), ("Shift_JIS", "tentative", "transport")),
    (meta("sjis") + JAPANESE.encode("cp932"), charset("klingon"), ("Shift_JIS", "tentative", "prescan")),
    (meta("sjis") + JAPANESE.encode("cp932"), None, ("Shift_JIS", "tentative", "prescan")),
    (meta("sjis") + JAPANESE.encode("cp932"), "text/html", ("Shift_JIS", "tentative", "prescan")),
    (meta("sjis") + JAPANESE.encode("cp932")[:-1], None, ("Shift_JIS", "tentative", "prescan")),
    (meta("koi8-r") + RUSSIAN.encode("koi8_r"), charset("utf-8"), ("KOI8-R", "tentative", "prescan")),
    # An invalid declaration of the page is ignored as well: the detector decides
    (meta("utf-8") + RUSSIAN.encode("cp1251"), charset("utf-8"), ("windows-1251", "tentative", "detector")),
    (meta("latin1") + RUSSIAN.encode("cp1251"), charset("latin1"), ("windows-1251", "tentative", "detector")),
    (meta("hz-gb-2312") + JAPANESE.encode("cp932"), None, ("Shift_JIS", "tentative", "detector")),
    (JAPANESE.encode("cp932"), charset("euc-jp"), ("Shift_JIS", "tentative", "detector")),
    (JAPANESE.encode("euc_jp"), None, ("EUC-JP", "tentative", "detector")),
    (b"caf\xe9", None, ("windows-1252", "tentative", "detector")),
    (RUSSIAN.encode("utf-16-le"), None, ("UTF-16LE", "tentative", "detector")),
    # A damaged byte does not cost a declaration, nor UTF-8
    (RUSSIAN.encode() + b"\xff", charset("koi8-r"), ("UTF-8", "tentative", "utf-8")),
    (JAPANESE.encode("euc_jp") + b"\xff\xff ", charset("euc-jp"), ("EUC-JP", "tentative", "transport")),
]


@pytest.mark.parametrize(("data", "content_type", "expected"), ORDER)
def test_order(data: bytes, content_type: Any, expected: tuple[str, str, str]) -> None:
    assert crawled(data, content_type) == expected


def test_a_cut_page_in_iso_2022_jp() -> None:
    """A cut within a character or an escape sequence is no error, whatever else is declared."""
    page = b"<title>" + (JAPANESE * 4).encode("iso2022_jp") + b"</title>" + (JAPANESE * 2).encode("iso2022_jp")
    for end in range(len(page) - 80, len(page)):
        assert sniff.crawl(page[:end]).encoding is we.ISO_2022_JP
        assert sniff.crawl(page[:end], charset("iso-2022-jp")).encoding is we.ISO_2022_JP
        assert sniff.crawl(page[7:end], charset("utf-8")).encoding is we.ISO_2022_JP  # without markup
        assert sniff.crawl(page[:end], charset("utf-8")).encoding is we.UTF_8


def test_utf_8_with_few_errors_is_utf_8() -> None:
    """The first ratio of docs/detection.md; ``test_damage`` has the others."""
    data = (RUSSIAN * 3).encode()
    characters = len([character for character in RUSSIAN * 3 if character > "\x7f"])
    assert len(data) >= 160
    for header in (None, charset("utf-8"), charset("koi8-r")):
        assert crawled(data + b"\xff " * (characters // 2), header) == ("UTF-8", "tentative", "utf-8")
        assert crawled(b"\xff " * (characters // 2) + data, header) == ("UTF-8", "tentative", "utf-8")
    assert crawled(data + b"\xff " * (characters * 4))[2] == "detector"
    assert crawled(RUSSIAN.encode("cp1251") * 3, charset("utf-8"))[2] == "detector"


@given(
    st.lists(st.sampled_from([b"\xef\xbb\xbf", b"\xff\xfe", b"\x1b$B", meta("gbk"), meta("utf-8"), b"\0"]), max_size=2),
    st.binary(max_size=60),
    st.sampled_from([None, "", charset("sjis"), charset("utf-16be"), charset("replacement"), charset("nosuch")]),
)
def test_any_bytes(parts: list[bytes], data: bytes, content_type: str | None) -> None:
    crawled(b"".join(parts) + data, content_type)


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data))[::1]])
def test_types_of_data(make: Callable[[bytes], Any]) -> None:
    data = meta("latin1") + RUSSIAN.encode("cp1251")
    assert we.decode_crawled(make(data)) == (data.decode("cp1251"), we.WINDOWS_1251)
    assert we.decode_crawled_to_utf8(make(b"\xff\xfea\0")) == (b"a", we.UTF_16LE)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the other package's detector needs it."""
    monkeypatch.setitem(sys.modules, "chardetng_py", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[detect\]'"):
        sniff.chardetng(b"")
    page = "<p>Привет, мир".encode("cp1251")
    assert we.decode_crawled(page).encoding is sniff.crawl_detector()(page) is we.WINDOWS_1251


# --- Bytes to bytes, and the attributes of a result ---


def test_decode_html_to_utf8() -> None:
    data = meta("sjis") + JAPANESE.encode("cp932")
    assert we.decode_html_to_utf8(data) == (data.decode("cp932").encode(), we.SHIFT_JIS)
    assert we.decode_html_to_utf8(b"\xef\xbb\xbfa", known="gbk") == (b"a", we.UTF_8)
    assert we.decode_html_to_utf8(b"\xff\xfea\0") == (b"a", we.UTF_16LE)
    assert we.decode_html_to_utf8(b"\xff", content_type=charset("utf-8")) == ("\ufffd".encode(), we.UTF_8)
    with pytest.raises(TypeError, match="'charset'"):
        we.decode_html_to_utf8(b"", charset="utf-8")  # type: ignore[call-arg]


REPLACEMENTS = st.sampled_from([b"\xef\xbf\xbd", b"\x84\x31\xa4\x37", b"\xfd\xff", b"\xff\xfd", b"\xe0\xef\xbf\xbd"])


@given(
    st.sampled_from([encoding for encoding in we.ENCODINGS.values() if encoding is not we.REPLACEMENT]),
    st.lists(st.binary(max_size=6) | REPLACEMENTS, max_size=6).map(b"".join),
)
def test_errors_are_counted(encoding: we.Encoding, data: bytes) -> None:
    """Errors become U+FFFD, but not every U+FFFD is an error: some encodings have bytes for it."""
    decoded = we.decode(data, encoding)
    mark = {"UTF-8": 3, "UTF-16BE": 2, "UTF-16LE": 2}[decoded.encoding.name] if decoded.source == "bom" else 0
    text, spans = oracle.decode(decoded.encoding.name, data[mark:])
    assert decoded == (text, decoded.encoding)
    assert decoded.errors == len(spans)
    html = we.decode_html(data, override=encoding)
    assert (html, html.errors) == (decoded, decoded.errors)


def test_errors_of_long_input_are_counted() -> None:
    data = ("\ufffd" * 100_000).encode() + b"\xff" * 1_000_000 + "\ufffd".encode() + b"\xe3"
    assert we.decode(data, "utf-8").errors == 1_000_001


def test_what_a_result_tells() -> None:
    decoded = we.decode_html(b"<meta charset=utf-8>\xff")
    text, encoding = decoded
    assert len(decoded) == 2
    assert (decoded.text, decoded.encoding) == (text, encoding) == decoded
    assert (decoded.errors, decoded.source, decoded.confidence) == (1, "prescan", "tentative")
    for other in (pickle.loads(pickle.dumps(decoded)), copy.copy(decoded), decoded._replace(text=text)):
        assert other == decoded
        assert type(other) is we.Decoded
        assert (other.errors, other.source, other.confidence) == (1, "prescan", "tentative")
    assert repr(we.decode(b"a", "gbk")) == "Decoded(text='a', encoding=<Encoding GBK>, errors=0, source='fallback')"
    plain = we.decode(b"\x80", "gbk")
    assert (plain.errors, plain.source, plain.confidence) == (0, "fallback", "certain")
    assert we.decode(b"\xff\xfe", "gbk").source == "bom"
    css = we.decode_css(b"p{}", environment="koi8-r")
    assert (css.source, css.confidence) == ("environment", "tentative")
    isomorphic = we.decode_as("atob", b"\xff")
    assert (isomorphic.errors, isomorphic.source, isomorphic.confidence) == (0, "context", "certain")
    assert we.decode_as("fetch-body-text", b"\xff\xff").errors == 2


def test_importing_the_package_imports_no_detector() -> None:
    program = "import sys, whatwg_encoding as we; we.decode_html(b''); assert 'chardetng_py' not in sys.modules"
    python(program)
