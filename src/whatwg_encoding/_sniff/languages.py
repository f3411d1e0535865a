"""The usual encodings of a language, and of a host by its top-level domain: hints to a detector."""

from __future__ import annotations

from .._labels import ENCODINGS
from .._names import DOMAINS, DOS_PAGES, ENCODINGS_OF_LANGUAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeVar

    from .._native.core import Encoding

    T = TypeVar("T")


def of_language(table: Mapping[str, T], tag: str) -> T | None:
    """Return what a table has for a BCP 47 tag, without its last subtag until the table has it, as RFC 4647 says."""
    subtags = tag.lower().split("-") if tag.isascii() else []
    while subtags:
        names = table.get("-".join(subtags))
        if names is not None:
            return names
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:  # a singleton is removed with the subtag that it introduces
            subtags.pop()
    return None


def usual_encodings(domain: str | None, language: str | None) -> tuple[Encoding, ...]:
    """Return the usual encodings of a host's and of a given language."""
    names = ENCODINGS_OF_LANGUAGES.get(DOMAINS.get(domain or "", ""), ())
    if language is not None:
        names += of_language(ENCODINGS_OF_LANGUAGES, language.replace("_", "-")) or ()
    return tuple(ENCODINGS[name] for name in names)


def usual_page(language: str) -> Encoding | None:
    """Return the usual code page of DOS in a language, None if it is not known."""
    from ..code_pages import CODE_PAGES

    name = of_language(DOS_PAGES, language.replace("_", "-"))
    return None if name is None else CODE_PAGES.get(name, ENCODINGS.get(name))
