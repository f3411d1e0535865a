"""Every function that finds an encoding gives one text for the same bytes, or refuses."""

from __future__ import annotations

import ctypes
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.capi.table import API, Guess
from tests.reference import oracle
from tests.sniff.damage import SENTENCES
from tests.sniff.support import byte_by_byte
from tests.trust.arguments import functions
from whatwg_encoding import _cli, arrow, chardet, charset_normalizer, mail, sniff
from whatwg_encoding._mcp.root import Root
from whatwg_encoding._mcp.text import Texts

# Language → codecs of its texts.
CODECS = {
    "ar": "cp1256 iso8859-6 utf-8", "cs": "cp1250 iso8859-2", "de": "cp1252 utf-8", "el": "cp1253 iso8859-7",
    "es": "cp1252", "fr": "cp1252", "he": "cp1255", "hu": "cp1250", "ja": "cp932 euc-jp iso-2022-jp utf-16-le",
    "ko": "euc-kr", "pl": "cp1250 iso8859-2", "ru": "cp1251 koi8-r cp866 iso8859-5 utf-16-be", "th": "cp874",
    "tr": "cp1254", "uk": "cp1251", "zh_cn": "gbk gb18030", "zh_tw": "big5",
}  # fmt: skip
FORMS: dict[str, Callable[[str], str]] = {
    "bare": lambda text: text,
    "line": lambda text: f"{text}\n",
    "page": lambda text: (
        f"<!DOCTYPE html>\n<html><head><title>{text}</title></head><body><p>{text}</p></body></html>\n"
    ),
    "table": lambda text: f"id;name;price\r\n1;{text};10\r\n2;abc;20\r\n",
}
PART = 40  # characters of a short text


def texts() -> Iterator[tuple[str, str, str]]:
    """Yield a codec, a form and a text: whole sentences and words of them, in every form."""
    for language, codecs in CODECS.items():
        for sentence in SENTENCES.get(language, [])[:3]:
            for text in (sentence, sentence[:PART].rpartition(" ")[0] or sentence[:PART]):
                for codec in codecs.split():
                    for form in FORMS:
                        if text.encode(codec, "ignore").decode(codec) == text:
                            yield codec, form, text


# What is short, damaged or cut, or has a declaration of its own. Whatever is chosen, all agree.
OTHERS: dict[str, bytes] = {
    "nothing": b"", "ascii": b"plain text", "a letter": b"caf\xe9", "an end": b"my new fianc\xe9\x85",
    "a cut": "日本".encode()[:-1], "damage": "naïve café – ".encode() + b"\xff", "a sequence": "去".encode("gbk"),
    "a mark": b"\xef\xbb\xbfcaf\xc3\xa9", "marked UTF-16": "\ufeffcafé".encode("utf-16-be"),
    "a meta": b"<meta charset=koi8-r><p>\xf7\xc1\xdb</p>",
    "a sloppy meta": b"<meta charset='cp1251;'><p>\xc2\xe0\xf8</p>",
    "one-letter words": "Il file è corrotto. È necessario".encode("cp1252"), "a symbol": "Ø 25 mm".encode("cp1252"),
    "escapes": b"\x1b$B$\"\x1b(B and <p>\x1b(I", "a surrogate": b"Nice \xed\xa0\xbd\xed\xb8\x80 day",
    "UTF-16 without a NUL": "Спасибо".encode("utf-16-le"), "UTF-16 of Chinese": "东京都今日天气".encode("utf-16-le"),
    "euro": "5 € bis 10 €".encode("iso8859-15"), "Mac": "It’s “fine”".encode("mac_roman"),
}  # fmt: skip


class Doors:
    """All of them, with the same limits: a name, and a function from bytes to text, None where it refuses."""

    def __init__(self, folder: Path, header: str | None = None, **limits: Any) -> None:
        self.header, self.limits = header, limits
        self.path = folder / "file.txt"
        self.root = Root(str(folder))
        self.agents = Texts(limits.get("exclude", ()), limits.get("candidates"))

    def all(self, prefix: str = "by_") -> dict[str, Callable[[bytes], str | None]]:
        return {name: getattr(self, name) for name in dir(self) if name.startswith(prefix)}

    def of_files(self) -> dict[str, Callable[[bytes], str | None]]:
        """Return those that read files, which may be in a code page."""
        names = ("by_file", "by_line", "by_lines_of_a_file", "by_edit", "by_agent", "by_command",
                 "by_lines_of_the_command")  # fmt: skip
        return {name: getattr(self, name) for name in names}

    def of_pages(self) -> dict[str, Callable[[bytes], str | None]]:
        """Return those that take a header."""
        names = ("by_text", "by_record", "by_stream", "by_crawl", "by_column", "by_command")
        return {name: getattr(self, name) for name in names}

    def without_declarations(self) -> dict[str, Callable[[bytes], str | None]]:
        """Return those that see no declaration in the text."""
        return self.all("of_bytes_by_")

    def by_text(self, data: bytes) -> str:
        return we.decode_crawled(data, self.header, **self.limits).text

    def by_record(self, data: bytes) -> str:
        return we.decode_crawled_to_utf8(data, self.header, **self.limits).data.decode()

    def by_stream(self, data: bytes) -> str:
        chunks = [data[start : start + 5] for start in range(0, len(data), 5)]
        return "".join(we.decode_stream("crawl", chunks, self.header, **self.limits))

    def by_file(self, data: bytes) -> str:
        return we.open_utf8(io.BytesIO(data), **self.limits).read().decode()

    def by_line(self, data: bytes) -> str:
        return we.decode_by_line(data, **self.limits).text

    def by_lines_of_a_file(self, data: bytes) -> str:
        return we.open_utf8(io.BytesIO(data), by_line=True, **self.limits).read().decode()

    def by_items(self, data: bytes) -> str:
        return we.decode_together([data], **self.limits).texts[0]

    def by_crawl(self, data: bytes) -> str:
        return self._read(data, sniff.crawl(data, self.header, **self.limits).encoding)

    def by_column(self, data: bytes) -> str:
        column = pa.array(arrow.sniff_array(pa.array([data]), self.header, rule="crawl", **self.limits))
        return self._read(data, we.lookup_codec(column[0]["encoding"].as_py()))

    def by_edit(self, data: bytes) -> str:
        self.path.write_bytes(data)
        return we.ByteExactText.read(self.path, **self.limits).text

    def by_agent(self, data: bytes) -> str | None:
        self.path.write_bytes(data)
        return self.agents.read(self.root.file(self.path.name), None).document.text

    def by_command(self, data: bytes, *options: str) -> str | None:
        self.path.write_bytes(data)
        output = self.path.with_name("output")
        names = {limit: [getattr(name, "name", name) for name in limited] for limit, limited in self.limits.items()}
        limits = [word for name in names.get("exclude", ()) for word in ("--exclude", name)]
        limits += ["--candidates", ",".join(names["candidates"])] if "candidates" in names else []
        options += ("--content-type", self.header) if self.header is not None else ()
        status = _cli.main(["decode", "-q", "-f", "auto", *options, *limits, "-o", str(output), str(self.path)])
        return output.read_bytes().decode() if status == 0 else None

    def by_lines_of_the_command(self, data: bytes) -> str | None:
        return self.by_command(data, "--by-line")

    def by_mail(self, data: bytes) -> str:
        return mail.decode(data, **self.limits)

    def of_bytes_by_detect(self, data: bytes) -> str:
        return self._read(data, sniff.detect(data, **self.limits)[0].encoding)

    def of_bytes_by_detector(self, data: bytes) -> str:
        encoding = sniff.crawl_detector(**self.limits)(data)
        assert encoding is not None
        return self._read(data, encoding)

    def of_bytes_by_browser(self, data: bytes) -> str:
        return we.decode_html(data, detector=sniff.crawl_detector(**self.limits)).text

    def of_bytes_by_browsers_stream(self, data: bytes) -> str:
        detector = sniff.crawl_detector(**self.limits)
        return "".join(we.decode_stream("html-parser", byte_by_byte(data), detector=detector))

    def of_bytes_by_c(self, data: bytes) -> str | None:
        if self.limits:
            return None  # tests/capi has its candidates
        guesses = (Guess * 40)()
        assert API.detect(ctypes.c_char_p(data), len(data), None, guesses, 40)
        return self._read(data, we.lookup(API.name(guesses[0].encoding).decode()))

    @staticmethod
    def _read(data: bytes, encoding: we.Encoding) -> str:
        return encoding.decode(data).removeprefix("\ufeff")


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Doors:
    return Doors(tmp_path_factory.mktemp("doors"))


def different(doors: dict[str, Callable[[bytes], str | None]], data: bytes, expected: str) -> dict[str, Any]:
    return {name: text for name, door in doors.items() if (text := door(data)) not in (expected, None)}


@pytest.mark.parametrize("codec", sorted({codec for codec, _, _ in texts()}))
def test_one_text(doors: Doors, codec: str) -> None:
    """The right one, since whole sentences leave no doubt; of a few words all read the same."""
    count = 0
    for own, form, text in texts():
        if own != codec:
            continue
        whole = FORMS[form](text)
        data = whole.encode(codec)
        decoded = we.decode_crawled(data)
        if len(text) > PART:
            assert decoded.text == whole, (form, text)
        assert different(doors.all(), data, decoded.text) == {}
        assert different(doors.without_declarations(), data, decoded.text) == {}
        assert sniff.detect(data)[0].encoding is sniff.crawl(data).encoding
        count += 1
    assert count >= 8


@pytest.mark.parametrize("name", OTHERS)
def test_one_text_of_what_is_short_or_damaged(doors: Doors, name: str) -> None:
    data = OTHERS[name]
    text = we.decode_crawled(data).text
    assert different(doors.all(), data, text) == {}
    if b"<meta" not in data:
        assert different(doors.without_declarations(), data, text) == {}


# Bytes of which one of the limits decides the text.
KANA, DOS, ESCAPES = "ﾃｽﾄ\n".encode("shift_jis"), "Drücke eine Taste".encode("cp850"), b"\x1b$BF|K\\\x1b(B"
LIMITED: list[tuple[bytes, dict[str, Any], str]] = [
    (ESCAPES, {"exclude": ["gbk"]}, "日本"),
    (ESCAPES, {"exclude": ["iso-2022-jp"]}, ESCAPES.decode()),
    (ESCAPES, {"exclude": {we.ISO_2022_JP, we.GBK}}, ESCAPES.decode()),
    (KANA, {"candidates": ["shift_jis", "windows-1252"]}, "ﾃｽﾄ\n"),
    (KANA, {"candidates": [we.WINDOWS_1252]}, oracle.decode("windows-1252", KANA).text),
    (KANA, {"candidates": ["shift_jis", "koi8-r"], "exclude": ["shift_jis"]}, oracle.decode("KOI8-R", KANA).text),
    ("Да".encode("cp1251"), {"candidates": ["koi8-r"]}, "дЮ"),
    (DOS, {"candidates": ["cp850"]}, "Drücke eine Taste"),
    (DOS, {"candidates": ["utf-8", we.code_pages.CP850]}, "Drücke eine Taste"),
]


@pytest.mark.parametrize(("data", "limits", "text"), LIMITED)
def test_limits(tmp_path: Path, data: bytes, limits: dict[str, Any], text: str) -> None:
    doors = Doors(tmp_path, **limits)
    assert different({**doors.of_files(), "by_items": doors.by_items}, data, text) == {}
    if data != DOS:  # the web has no code pages
        assert different(doors.all() | doors.without_declarations(), data, text) == {}


WRONG_LIMITS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"exclude": "gbk"}, TypeError, "exclude must be several encodings, not 'gbk'"),
    ({"exclude": ["nosuch"]}, we.UnknownLabelError, "nosuch"),
    ({"exclude": [we.code_pages.CP850]}, ValueError, "exclude must be encodings of the standard"),
    ({"candidates": "gbk"}, TypeError, "candidates must be several encodings, not 'gbk'"),
    ({"candidates": ["gbk", "nosuch"]}, we.UnknownLabelError, "nosuch"),
    ({"candidates": ["replacement"]}, ValueError, "replacement decodes no text"),
    ({"candidates": []}, ValueError, "at least one"),
    ({"candidates": [we.code_pages.CP037]}, ValueError, "candidates must be encodings of the standard.*which cp037"),
    ({"candidates": [we.code_pages.CODE_PAGES["UTF-32LE"]]}, ValueError, "which UTF-32LE is not"),
    # sniff.detect may be left without a guess.
    ({"exclude": list(we.ENCODINGS)}, ValueError, "exclude must leave an encoding that any bytes may be in"),
    ({"exclude": {*we.ENCODINGS} - {"UTF-16LE", "ISO-2022-JP"}}, ValueError, "exclude must leave an encoding"),
    ({"candidates": ["utf-16le"]}, ValueError, "candidates must leave an encoding"),
]


@pytest.mark.parametrize(("limits", "error", "message"), WRONG_LIMITS)
def test_wrong_limits(tmp_path: Path, limits: dict[str, Any], error: type[Exception], message: str) -> None:
    doors = Doors(tmp_path, **limits)
    for name, door in (doors.all() | doors.without_declarations()).items():
        if (
            name != "of_bytes_by_c"
            and "command" not in name
            and not ("leave" in message and name == "of_bytes_by_detect")
        ):
            with pytest.raises(error, match=message):
                door(b"caf\xe9")


@pytest.mark.parametrize(
    ("hint", "value", "message"),
    [
        *(("tld", tld, "tld must be the last label of a host name") for tld in ("", "co.uk", ".jp")),
        *(("limit", limit, f"limit must be at least 1 byte, not {limit}") for limit in (0, -1)),
    ],
)
def test_wrong_hints(hint: str, value: object, message: str) -> None:
    """Of each function that has the hint, but for columns, which tests/arrow has, and the prescan."""
    calls = [partial(we.decode_stream, "crawl", [], **{hint: value})]
    for function in functions():
        if function.name not in ("arrow.sniff_array", "sniff.prescan"):
            chosen = (parameter for parameter in function.parameters if parameter.name == hint)
            calls += [partial(function.run, parameter, value) for parameter in chosen]
    assert len(calls) > 5
    for call in calls:
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("limits", [{"exclude": ["gbk"]}, {"candidates": ["gbk"]}])
def test_limits_are_for_detection_alone(limits: dict[str, Any]) -> None:
    (limit,) = limits
    for read, argument in product((we.open_utf8, we.ByteExactText.read), ("encoding", "detector")):
        with pytest.raises(ValueError, match=f"^{limit} cannot be combined with an encoding or a detector$"):
            read("missing", **{argument: "gbk"}, **limits)  # type: ignore[operator]
    with pytest.raises(ValueError, match="exclude and candidates cannot be combined with an encoding"):
        we.decode_by_line(b"", "gbk", **limits)


def test_the_command(doors: Doors, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = [FORMS[form](text).encode(codec) for codec, form, text in texts()] + [*OTHERS.values()]
    paths = [tmp_path / f"{number}.txt" for number in range(len(samples))]
    for path, data in zip(paths, samples, strict=True):
        path.write_bytes(data)
    assert _cli.main(["sniff", "--encoding", *map(str, paths)]) == 0
    names = capsys.readouterr().out.split("\n")[:-1]
    assert names == [sniff.crawl(data).encoding.name for data in samples]
    assert len(names) > 400


def test_other_detectors_names() -> None:
    """A name whose codec decodes the bytes, to the same text where the web's encoding has them, or none at all."""
    for codec, form, text in texts():
        data = FORMS[form](text).encode(codec)
        expected = we.decode_crawled(data)
        for name in (chardet.detect(data)["encoding"], charset_normalizer.detect(data)["encoding"]):
            if name is not None and expected.errors == 0:
                assert data.decode(name) == expected.text, (name, codec, text)


BATCHES = [
    ("cp850", "echo Drücke eine Taste, um fortzufahren"), ("cp850", "rem Opération terminée avec succès"),
    ("cp852", "echo Přístup byl odepřen"), ("cp852", "echo Błąd składni polecenia"), ("cp857", "rem Dosya bulunamadı"),
    ("cp866", "echo Копирование файлов завершено"), ("cp850", "echo Drücke"), ("cp850", "echo Configuração concluída"),
]  # fmt: skip


FILES = [
    ("cp437", "┌────┐\r\n│ OK │\r\n└────┘\r\n"), ("cp437", "C:.\r\n├───docs\r\n│   └───old\r\n└───src\r\n"),
    ("cp437", "░▒▓ MENU ▓▒░\r\n"), ("cp850", "╔════╗\n║ äö ║\n╚════╝\n"),
    *((codec, form.replace("{}", line)) for codec, line in BATCHES
      for form in ("@echo off\r\n{}\r\npause\r\n", "@{}\r\n", "{}")),
]  # fmt: skip


@pytest.mark.parametrize(("codec", "text"), FILES)
def test_files_of_dos(doors: Doors, codec: str, text: str) -> None:
    for name, door in doors.of_files().items():
        assert door(text.encode(codec)) == text, name


# Bytes of which declarations, escapes, UTF-16 and damaged UTF-8 are made more often than by chance.
_PIECES = st.sampled_from(
    [b"\x1b$B", b"\x1b(B", b"a", b" ", b"\0", b"\xc3\xa9", b"\xe3\x81\x82", b"\xff", b"\xed\xa0\xbd", b"\r\n"]
)


@given(st.lists(st.one_of(st.binary(max_size=4), _PIECES), max_size=24).map(b"".join))
def test_the_first_guess_is_the_choice(data: bytes) -> None:
    guesses = sniff.detect(data)
    assert guesses[0].encoding is sniff.crawl(data).encoding
    assert guesses[0].encoding is sniff.crawl_detector()(data)
    assert len({guess.encoding for guess in guesses}) == len(guesses)


BINARY = {
    "gzip": gzip.compress(bytes(range(256)) * 20, mtime=0), "zlib": zlib.compress(bytes(range(256)) * 20),
    "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1f\xf3\xffa",
    "ZIP": b"PK\x03\x04\x14\0\0\0\x08\0\xe9\x9f\x21\x5b" + bytes(range(256)),
}  # fmt: skip


@pytest.mark.parametrize("kind", BINARY)
def test_binary_data_is_no_text(kind: str) -> None:
    """Files are refused, and the result for a page says so."""
    data = BINARY[kind]
    assert we.decode_crawled(data).source == "binary"
    assert we.decode_crawled_to_utf8(data).source == "binary"
    stream = we.decode_stream("crawl", [data])
    assert "".join(stream)
    assert stream.source == "binary"
    with pytest.raises(ValueError, match="binary"):
        we.open_utf8(io.BytesIO(data)).read()
    assert we.open_utf8(io.BytesIO(data), "windows-1252").read()
    assert we.decode_crawled("caf\xe9\n".encode("cp1252")).source == "detector"
    assert we.decode_crawled("Größe".encode("utf-16-le")).source == "detector"
