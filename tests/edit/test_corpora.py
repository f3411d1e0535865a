"""Edits of real pages with random damage: of $CORPUS, a folder of UTF-8 files such as ja.html, or of sentences."""

from __future__ import annotations

from random import Random

import pytest

import whatwg_encoding as we
from benchmarks.corpus import STYLES, Style
from tests.edit.model import corpus, encoded, text_of

ENCODINGS = {
    "ja": ("Shift_JIS", "EUC-JP", "ISO-2022-JP", "UTF-8"),
    "ko": ("EUC-KR", "UTF-16BE"),
    "zh_cn": ("GBK", "gb18030"),
    "zh_tw": ("Big5", "UTF-16LE"),
    "ru": ("windows-1251", "KOI8-U", "x-mac-cyrillic"),
    "th": ("windows-874",),
    "ar": ("windows-1256",),
    "de": ("windows-1252", "macintosh", "ISO-8859-15"),
    "en": ("UTF-8",),
}
CASES = [(language, style, name) for language, names in ENCODINGS.items() for style in STYLES for name in names]


def damaged(random: Random, data: bytes, step: int) -> bytes:
    """Return data with bytes changed, inserted and removed, about one in ``step``, but no line ends."""
    parts, position = [], 0
    for place in sorted(random.sample(range(len(data)), len(data) // step)):
        byte = random.choice((b"", bytes([random.choice([value for value in range(256) if value not in b"\r\n\x1b"])])))
        end = place + random.randint(0, 1)
        if place >= position and not {*data[place:end]} & {*b"\r\n\x1b"}:
            parts += [data[position:place], byte]
            position = end
    return b"".join([*parts, data[position:]])


def check(language: str, style: Style, name: str, length: int | None) -> None:
    """Put something before every seventh line, by the whole text and by positions."""
    random = Random(f"{language} {style} {name}")
    lines = corpus(language, style)[:length].split("\n")
    text = "".join(line + random.choice(("\n", "\r\n")) for line in lines)
    if name.startswith("UTF-16"):
        data = text.encode("utf-16-be" if name == "UTF-16BE" else "utf-16-le")
    else:
        data = damaged(random, we.encode(text, name), 300)
    text = text_of(name, data)
    pairs = (text[i : i + 2] for i in range(len(text) - 1))
    word = next(pair for pair in pairs if pair.isalpha() and (not pair.isascii() or language == "en"))
    inserted = {i: random.choice(("// ", word)) for i in range(0, text.count("\n"), 7)}
    new = "\n".join(inserted.get(i, "") + line for i, line in enumerate(text.split("\n")))
    result = we.reencode(data, new, name)
    assert text_of(name, result) == new

    document, position = we.ByteExactText(data, name), 0
    for i, line in enumerate(new.split("\n")):
        if i in inserted:
            document.replace(position, position, inserted[i])
        position += len(line) + 1
    assert document.text == new
    assert text_of(name, document.encode()) == new
    if not name.startswith(("UTF-16", "ISO-2022")):  # 0x0A is a line end everywhere, and what is after it depends on it
        pieces = data.split(b"\n")
        for i, part in inserted.items():
            pieces[i] = (encoded(name, part) or b"?") + pieces[i]
        assert result == document.encode() == b"\n".join(pieces)
    assert we.reencode(result, text, name) == data or name.startswith("ISO-2022")


@pytest.mark.parametrize(("language", "style", "name"), [case for case in CASES if case[1] == "markup"])
def test_the_start_of_pages(language: str, style: Style, name: str) -> None:
    check(language, style, name, 3000)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "style", "name"), CASES)
def test_whole_pages(language: str, style: Style, name: str) -> None:
    check(language, style, name, None)
