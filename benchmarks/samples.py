"""Texts whose encoding is known: fragments for development and for tests, a public set of files, pages, mojibake.

The development set and the test set are fragments of texts, encoded in every encoding that their language is found in.
None of their text is of the packages that `generator/detect` takes its statistics from. Weights were fitted on the
development set; the test set is for the figures in the documentation.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice, product
from random import Random
from typing import NamedTuple

import whatwg_encoding as we
from benchmarks import DATA
from benchmarks.conversions import prepared
from benchmarks.corpus import Corpus, declarations, round_trips, text_of
from generator.detect.sources import Package, decompose_tones, fetch, members

PAGES = Package("chardet-5.2.0.tar.gz", "1b3b6ff479a8c414bc3fa2c0852995695c4a026dcd6d0633b2dd092ca39c1cf7", "LGPL")
"""The pages with which chardet is tested: most are from the web, in folders named by encoding."""

ENCODINGS: dict[str, str] = DATA["legacy"]
"""The legacy encodings in which text of each language is found."""


class Fragment(NamedTuple):
    """A part of a text in an encoding, and how it was changed."""

    kind: str
    """"text", "html", "title" (a few words), "cut" (at its start), "damaged 1", "damaged 3" or "damaged UTF-8"."""
    language: str
    """Empty if it is not known."""
    encoding: we.Encoding
    size: int
    data: bytes


def files() -> Iterator[tuple[str, str, str, bytes]]:
    """Yield each file of the public set: its name, its encoding and language as its folder says, and its content."""
    for name, data in members(fetch(PAGES), r"chardet-[\d.]+/tests/([^/]+/[^/]+)"):
        label = name.partition("/")[0].lower()
        encoding, _, language = label.rpartition("-")
        known = DATA["folder_languages"].get(language, "")
        yield name, encoding if known else label, known, data


_MARKED = ("ascii", "utf-8-sig", "utf-16", "utf-16be", "utf-16le")
"""The folders of files that need no detector: they are ASCII, or have a byte order mark."""


@cache
def pages() -> tuple[Fragment, ...]:
    """Return the files of the public set whose encoding is one of the standard's and which are valid in it."""
    fragments = []
    for _, label, named, data in files():
        with suppress(LookupError, UnicodeDecodeError):
            encoding = we.lookup_codec(label)
            encoding.decode(data, "fatal")
            if encoding.name in we.ENCODINGS and label not in _MARKED:
                languages = [language for language, names in ENCODINGS.items() if encoding.name in names.split()]
                language = named or (languages[0] if len(languages) == 1 else "")
                fragments.append(Fragment("text", language, encoding, len(data), data))
    return tuple(fragments)


_DECLARED = re.compile(r"(?is)<meta[^>]*charset[^>]*>|<\?xml[^>]*>")


@cache
def texts(purpose: str) -> dict[str, dict[str, str]]:
    """Return text by language and kind: "text", and "html" for the languages of the public set's pages.

    Development and test have every other page, the first articles, and the others if there are no pages.
    """
    by_language: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    of_language = Counter[str]()
    for page in pages():
        of_language[page.language] += 1
        if page.language and of_language[page.language] % 2 == (purpose == "test"):
            markup = _DECLARED.sub("", page.encoding.decode(page.data))
            by_language[page.language]["html"].append(markup[:40_000])
            by_language[page.language]["text"].append(text_of(markup)[:20_000])
    covered = set(by_language) if purpose == "test" else set()
    for language in ENCODINGS.keys() - covered:
        for code in DATA["translations"][language].split():
            text = text_of(declarations()[code])
            middle = len(text) // 2
            by_language[language]["text"].append(text[:middle] if purpose == "development" else text[middle:])
    return {
        language: {kind: unicodedata.normalize("NFC", "\n".join(parts)) for kind, parts in sorted(kinds.items())}
        for language, kinds in sorted(by_language.items())
    }


# -- What people write beside prose ------------------------------------------------------------------------------------

_SAID = (
    "We don’t {}, and it isn’t {}.", "You’d better {} before they’re {}.", "“I’ll {} it,” he said — “it’s {}.”",
    "That’s what we’ve {}… or haven’t we {}?", "The dogs’ {} won’t {} by itself.", "Who’s {} the neighbours’ {}?",
)  # fmt: skip
_WORDS = ("wait", "closed", "repair", "broken", "ask", "painted", "wash", "ready", "lend", "mended", "carry", "frozen")
_SHOWN = (
    "t={}.{}°C", "Temp: {} °C ({} °F)", "width {} µm, height {} µm", "price;{},{} €\r\n", "from £{} to £{}",
    "{} × {} px", "add {}½ cups, then {}", "± {}.{} %", "area {} m² of {}", "see § {}, {}", "© {} Example, v{}",
    "tol. {}±{}", "{}¢ or {}¢", "ø {} mm, {} pcs",
)  # fmt: skip
_FAMILY_NAMES = (
    "ｻﾄｳ ｽｽﾞｷ ﾀｶﾊｼ ﾀﾅｶ ｲﾄｳ ﾜﾀﾅﾍﾞ ﾔﾏﾓﾄ ﾅｶﾑﾗ ｺﾊﾞﾔｼ ｶﾄｳ ﾖｼﾀﾞ ﾔﾏﾀﾞ ｻｻｷ ﾔﾏｸﾞﾁ ﾏﾂﾓﾄ ｲﾉｳｴ ｷﾑﾗ ﾊﾔｼ ｼﾐｽﾞ ﾔﾏｻﾞｷ ｱﾍﾞ "
    "ﾓﾘ ｲｹﾀﾞ ﾊｼﾓﾄ ｲｼｶﾜ ｵｶﾞﾜ ｺﾞﾄｳ ｵｶﾀﾞ ﾊｾｶﾞﾜ ﾑﾗｶﾐ"
)
_GIVEN_NAMES = "ﾀﾛｳ ﾊﾅｺ ｹﾝｼﾞ ﾕﾐｺ ﾋﾛｼ ｱｷﾗ ｻｸﾗ ﾀﾞｲｽｹ ﾐｻｷ ｼﾝｲﾁ ｶｽﾞｵ ﾅｵﾐ ﾏｻﾙ ﾁｴ ﾉﾎﾞﾙ ｱｲ ﾘｮｳ ﾚｲｺ ﾂﾊﾞｻ ﾒｸﾞﾐ"
_TYPED = (
    ("äöüß", "cp1252"), ("ÄÖÜäöüß", "cp1252"), ("àâçéèêëîïôûù", "cp1252"), ("éèàç", "cp1252"), ("ñáéíóú¿¡", "cp1252"),
    ("åäöÅÄÖ", "cp1252"), ("æøåÆØÅ", "cp1252"), ("ãõçáéíóú", "cp1252"), ("ąćęłńóśźż", "cp1250"),
    ("áčďéěíňóřšťúůýž", "cp1250"), ("őűáéíóöúü", "iso8859_2"), ("абвгдеёжзийклмн", "cp1251"), ("абвгд", "koi8_r"),
    ("αβγδεζηθ", "cp1253"), ("ğüşıöçĞÜŞİÖÇ", "cp1254"), ("אבגדהוזחט", "cp1255"), ("ابتثجح", "cp1256"),
    ("ąčęėįšųūž", "cp1257"), ("กขคงจฉ", "cp874"), ("あいうえお", "cp932"), ("アイウエオ", "euc_jp"),
    ("가나다라마", "cp949"),
)  # fmt: skip
_CODECS = {
    "cs": "cp1250", "de": "cp1252", "el": "cp1253", "es": "cp1252", "fr": "cp1252", "he": "cp1255", "hu": "cp1250",
    "ja": "cp932", "ko": "cp949", "pl": "iso8859_2", "pt": "cp1252", "ru": "cp1251", "th": "cp874", "tr": "cp1254",
}  # fmt: skip


def everyday(random: Random, count: int = 200) -> dict[str, list[tuple[str, str]]]:
    """Return sets of texts with the codec that each is in: none of them was trained on."""

    def number() -> int:
        return random.randrange(10, 100)

    said = [random.choice(_SAID).format(*random.sample(_WORDS, 2)) for _ in range(count)]
    shown = [random.choice(_SHOWN).format(number(), number()) for _ in range(count)]
    family, given = _FAMILY_NAMES.split(), _GIVEN_NAMES.split()
    names = [f"{random.choice(family)} {random.choice(given)}" for _ in range(2 * count)]
    rows = [f"{number()},{name},{number()}00\r\n" for name in names[count:]]
    words = [
        (word, codec)
        for language, kinds in texts("test").items()
        if (codec := _CODECS.get(language))
        for word in random.sample(
            sorted({word[:12] for word in kinds["text"].split() if not word.isascii()}), count // 20
        )
        if word.encode(codec, "ignore").decode(codec) == word
    ]
    return {
        "apostrophes": [(text, "cp1252") for text in said],
        "pages of apostrophes": [
            ("".join(f"<p>{text}</p>\n" for text in random.sample(said, 30)), "cp1252") for _ in range(count // 5)
        ],
        "symbols among ASCII": [(text, "cp1252") for text in shown],
        "tables with symbols": [("\r\n".join(random.choices(shown, k=50)), "cp1252") for _ in range(count // 5)],
        "half-width katakana": [(text, "cp932") for text in (*rows, *names[:count])],
        "typed alphabets": [(form.format(text), codec) for text, codec in _TYPED for form in ("{}", "test {} test")],
        "pages of one word": [(f"<html><head><title>{word}</title></head></html>", codec) for word, codec in words],
    }


SIZES = (20, 50, 100, 500, 4000)
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ"}
)


def fit(text: str, encoding: we.Encoding) -> str:
    """Return the text without what the encoding cannot represent; typographic characters become plain ones."""
    if encoding is we.WINDOWS_1258:
        text = decompose_tones(text)
    replaced = {}
    for character in set(text):
        if not round_trips(encoding, character):
            plain = character.translate(_PLAIN)
            is_possible = plain != character and all(round_trips(encoding, replacement) for replacement in plain)
            replaced[ord(character)] = plain if is_possible else ""
    return text.translate(replaced)


def _damage(data: bytes, count: int, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(count):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _is_beyond_ascii(data: bytes, encoding: we.Encoding) -> bool:
    return b"\x1b$" in data if encoding is we.ISO_2022_JP else not data.isascii()


def fragments(purpose: str, per_encoding: int = 8, seed: int = 5) -> list[Fragment]:
    """Return fragments of the texts; ``per_encoding``: how many of a size, language and encoding."""
    random, pieces = Random(seed), list[Fragment]()
    for language, kinds in texts(purpose).items():
        for name in [*ENCODINGS[language].split(), "UTF-8"]:
            encoding = we.ENCODINGS[name]
            for kind, source in kinds.items():
                text = fit(source, encoding)
                for size, number in product(SIZES, range(per_encoding if kind == "text" else per_encoding // 2)):
                    data = _piece(text, encoding, size, random)
                    if not data:
                        continue
                    changed = {kind: data}
                    if kind == "text" and size >= 100 and number % 2 and encoding is not we.ISO_2022_JP:
                        changed["cut"] = data[random.randrange(1, 4) :]
                        changed |= {f"damaged {count}": _damage(data, count, random) for count in (1, 3)}
                    pieces += [Fragment(shape, language, encoding, size, part) for shape, part in changed.items()]
                if kind == "text":
                    pieces += _titles(text, language, encoding, per_encoding, random)
    return pieces


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
    encodings = (encoding.encode(phrase[: random.randrange(12, 45)]) for phrase in phrases)
    for data in islice((data for data in encodings if _is_beyond_ascii(data, encoding)), count):
        yield Fragment("title", language, encoding, len(data), data)


def damaged_utf_8(purpose: str, per_language: int = 20, seed: int = 7) -> list[tuple[int, Fragment]]:
    """Return UTF-8 with few characters beyond ASCII and one damaged byte, each with the number of those characters."""
    random, fragments = Random(seed), []
    for language, kinds in texts(purpose).items():
        text = kinds.get("html", kinds["text"])
        places = [match.start() for match in re.finditer(r"[^\x00-\x7f]", text)]
        for _ in range(per_language if places else 0):
            count = random.choice((2, 3, 5, 10, 30))
            first = random.randrange(max(1, len(places) - count))
            chosen = places[first : first + count]
            words = (re.sub(r"[^\x00-\x7f]", "", text[max(0, place - 60) : place]) + text[place] for place in chosen)
            data = bytearray(("<p>".join(words) + "</p>" * 20).encode())
            at = random.choice([place for place, byte in enumerate(data) if byte >= 0x80])
            match random.randrange(3):
                case 0:
                    del data[at]
                case 1:
                    data[at] = random.randrange(256)
                case _:
                    data.insert(at, random.choice((0xE9, 0xA0, 0x92, 0xFF)))
            if we.sniff.utf8_if_valid(bytes(data)) is None:
                fragments.append((len(chosen), Fragment("damaged UTF-8", language, we.UTF_8, len(data), bytes(data))))
    return fragments


def is_right(fragment: Fragment, text: str | None) -> bool:
    """Return whether a detector's text is the fragment's, but for its ends and for characters that are damaged."""
    if text is None:
        return False
    wanted = fragment.encoding.decode(fragment.data).strip("\ufeff\ufffd")[2:-2]
    inner = text.strip("\ufeff\ufffd")[2:-2]
    if inner == wanted:
        return True
    allowed = int(fragment.kind[-1]) if fragment.kind[-1].isdigit() else 0
    return len(inner) == len(wanted) and sum(a != b for a, b in zip(inner, wanted, strict=True)) <= allowed


# -- Pages of a crawl --------------------------------------------------------------------------------------------------

FLOORS = {"contradictions": 0.975, "lies": 0.99}
"""The least share of correct texts of each mix."""


class Page(NamedTuple):
    """A page as received, and its correct text."""

    body: bytes
    content_type: str
    text: str


def crawled(mix: str, count: int) -> list[Page]:
    """Return the pages of one of the mixes: the shares are exact, the order is random."""
    random, corpus, pages_made = Random(mix), Corpus(), []
    turns = [number / count for number in range(count)]
    modern = [turn < 0.85 for turn in turns]
    for order in (turns, modern):
        random.shuffle(order)
    languages: dict[str, str] = DATA["crawled"]
    names = ["UTF-8", *" ".join(languages.values()).split()]
    for turn, is_utf_8 in zip(turns, modern, strict=True):
        language = random.choice(list(languages))
        true = "UTF-8" if is_utf_8 else random.choice(languages[language].split())
        length = random.randrange(3_000, 30_000)
        whole = prepared(corpus, we.ENCODINGS[true], language, "markup")
        start = random.randrange(max(1, len(whole) - length))
        text = whole[start : start + length]
        pages_made.append(_page(text, true, [name for name in names if name != true], turn, mix, random))
    return pages_made


def _page(text: str, true: str, others: list[str], turn: float, mix: str, random: Random) -> Page:
    header = declared = None
    if turn < 0.05 and mix == "contradictions":
        header, declared = random.sample([true, random.choice(others)], 2)
    elif turn < 0.05:
        header = "iso-8859-1"
    elif turn >= 0.16:  # 11 % are undeclared
        header = true if random.random() < 0.5 else None
        declared = true if header is None or random.random() < 0.5 else None
    meta = f'<meta charset="{declared}">' if declared else ""
    page = f"<!DOCTYPE html><html><head>{meta}<title>{text[:20]}</title></head><body>{text}</body></html>"
    return Page(we.ENCODINGS[true].encode(page), f"text/html; charset={header}" if header else "text/html", page)


# -- Mojibake ----------------------------------------------------------------------------------------------------------

READ_AS = ("windows-1252", "windows-1251", "KOI8-R", "macintosh", "GBK", "Shift_JIS")
TWICE = 0.2


class Garbled(NamedTuple):
    """A text, and what was read for it."""

    text: str
    read: str


def _misread(text: str, was: str, random: Random) -> str | None:
    """Return the text as it is read, None if it is not in the encoding or if a byte is lost."""
    encoding = we.lookup(random.choice(READ_AS))
    try:
        data = we.lookup(was).encode(text, "fatal")
        read = encoding.decode(data, "fatal")
        return read if encoding.encode(read, "fatal") == data and read != text else None
    except UnicodeError:
        return None


def garbled(count: int, random: Random) -> Iterator[Garbled]:
    """Yield fragments of 15 to 160 characters, and what was read for them: some of them twice, without a lost byte."""
    while count:
        text, encodings = _draw(random)
        size = random.randint(15, 160)
        start = random.randrange(max(1, len(text) - size))
        text = " ".join(text[start : start + size].split())
        was = random.choice(["UTF-8", "UTF-8", *encodings])
        is_twice = random.random() < TWICE
        read = _misread(text, was, random)
        if read is not None and is_twice:
            read = _misread(read, "UTF-8", random)
        if read is not None and len(text) >= 15:
            yield Garbled(text, read)
            count -= 1


def parts(count: int, random: Random) -> Iterator[Garbled]:
    """Yield sentences with a word in UTF-8 that was read wrongly."""
    while count:
        text, _ = _draw(random)
        words = text.split()
        start = random.randrange(max(1, len(words) - 20))
        sentence = words[start : start + random.randint(6, 20)]
        at = random.randrange(len(sentence))
        read = _misread(sentence[at], "UTF-8", random)
        if read is not None:
            yield Garbled(" ".join(sentence), " ".join([*sentence[:at], read, *sentence[at + 1 :]]))
            count -= 1


def archives(count: int, random: Random) -> Iterator[tuple[list[str], list[bytes]]]:
    """Yield the names of an archive, 2 to 12 in one encoding or code page, and their bytes."""
    while count:
        text, encodings = _draw(random, "dos")
        codec = random.choice([*encodings, "utf-8"])
        words = text.split()
        names = []
        for _ in range(random.randint(2, 12)):
            at = random.randrange(len(words))
            names.append(" ".join(words[at : at + random.randint(1, 4)])[:40] + random.choice((".txt", ".doc", "")))
        with suppress(UnicodeEncodeError):
            # The standard has no code pages of DOS.
            is_of_dos = codec.startswith("cp")
            data = [name.encode(codec) if is_of_dos else we.lookup(codec).encode(name, "fatal") for name in names]
            if not all(item.isascii() for item in data):
                yield names, data
                count -= 1


def _draw(random: Random, *more: str) -> tuple[str, list[str]]:
    """Return the text of some language, and the encodings in which it is found; ``more`` are tables of others."""
    by_language = texts("test")
    language = random.choice(sorted(by_language))
    names = " ".join(DATA[table].get(language, "") for table in ("legacy", *more)).split()
    return by_language[language]["text"], [name for name in names if name != "ISO-2022-JP"]
