"""The usual encodings of a language, and of a host by its top-level domain: hints to a detector."""

from __future__ import annotations

from functools import lru_cache

from .._api.arguments import checked_str
from .._labels import ENCODINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final, TypeVar

    from .._native.core import Encoding

    T = TypeVar("T")

_ENCODINGS_OF_LANGUAGES: Final = {
    language: tuple(ENCODINGS[name] for name in names.split() if name in ENCODINGS)
    for names, languages in {
        "Big5": "zh-hant zh-hk zh-mo zh-tw",
        "EUC-KR": "ko",
        "GBK": "zh zh-cn zh-hans zh-sg",
        "Shift_JIS EUC-JP ISO-2022-JP": "ja",
        "windows-1250 ISO-8859-2": "bs cs hr hu pl ro sk sl sq",
        "windows-1251": "bg mk sr",
        "windows-1251 KOI8-R IBM866": "be ru",
        "windows-1251 KOI8-U": "uk",
        "windows-1252 ISO-8859-15": "af br ca da de en es eu fi fo fr ga gl id is it lb ms nb nl nn no pt sv",
        "windows-1253 ISO-8859-7": "el",
        "windows-1254": "az ku tr",
        "windows-1255 ISO-8859-8": "he yi",
        "windows-1256": "ar fa ur",
        "windows-1257 ISO-8859-4": "et lt lv",
        "windows-1258": "vi",
        "windows-874": "th",
        "ISO-8859-3": "eo mt",
    }.items()
    for language in languages.split()
}

# The language of top-level domains, where it is not called as the domain is.
_LANGUAGES_OF_DOMAINS: Final = {
    domain: language
    for language, domains in {
        "ar": "ae bh dz eg iq jo kw lb ly ma om qa sa sd sy tn ye", "be": "by", "bs": "ba", "cs": "cz", "da": "dk",
        "de": "at ch", "el": "gr cy", "en": "au ie nz uk us za", "es": "ar bo cl co cr ec gt mx pe uy ve", "et": "ee",
        "fa": "ir", "he": "il", "ja": "jp", "ko": "kr kp", "nl": "be", "pt": "br", "ru": "su xn--p1ai", "sl": "si",
        "sr": "rs xn--90a3ac", "sv": "se", "uk": "ua", "ur": "pk", "vi": "vn", "zh": "cn", "zh-tw": "tw hk mo",
        "sq": "al", "nb": "no",
    }.items()
    for domain in domains.split()
}  # fmt: skip
_SAME_NAMES = "bg de es fi fo fr hr hu id is it lt lv mk nl pl pt ro ru sk th tr"
_DOMAINS_OF_THEIR_LANGUAGE: Final = frozenset(_SAME_NAMES.split())


_LONGEST_TAG: Final = 256  # a longer one is cut, so a hostile one cannot fill a cache


def checked_tag(tag: str, name: str) -> str:
    """Return a BCP 47 tag for a cache. Raise TypeError, with the argument's name, if it is not a str."""
    return checked_str(tag, name)[:_LONGEST_TAG]


def of_language(table: Mapping[str, T], tag: str) -> T | None:
    """Return what a table has for a BCP 47 tag, without its last subtag until the table has it, as RFC 4647 says."""
    subtags = tag.lower().split("-") if tag.isascii() else []
    while subtags:
        found = table.get("-".join(subtags))
        if found is not None:
            return found
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:  # a singleton is removed with the subtag that it introduces
            subtags.pop()
    return None


@lru_cache(maxsize=512)
def usual_encodings(domain: str | None, language: str | None) -> tuple[Encoding, ...]:
    """Return the usual encodings of a host's and of a given language."""
    found: tuple[Encoding, ...] = ()
    if domain is not None:
        of_domain = domain if domain in _DOMAINS_OF_THEIR_LANGUAGE else _LANGUAGES_OF_DOMAINS.get(domain, "")
        found = _ENCODINGS_OF_LANGUAGES.get(of_domain, ())
    of_language_given = None if language is None else of_language(_ENCODINGS_OF_LANGUAGES, language.replace("_", "-"))
    return found + (of_language_given or ())
