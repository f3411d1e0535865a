"""Python's codecs as candidates of detection: names, eras, languages, and which decodes as an encoding of the web does.

A codec is called as ``codecs.lookup(name).name`` calls it. Of codecs of which one decodes all that another does, as
``gb18030`` and ``gbk``, the larger one alone is a candidate; all of the others' names resolve to it.
"""

from __future__ import annotations

import codecs
import re
from collections import namedtuple
from enum import IntFlag
from functools import lru_cache

import whatwg_encoding as we

from .._codecs import names


class EncodingEra(IntFlag):
    """Where an encoding was in use: a filter of candidates."""

    MODERN_WEB = 1
    LEGACY_ISO = 2
    LEGACY_MAC = 4
    LEGACY_REGIONAL = 8
    DOS = 16
    MAINFRAME = 32
    ALL = 63


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple

    class EncodingInfo(NamedTuple):
        name: str
        era: EncodingEra
        is_multibyte_cjk: bool
        languages: tuple[str, ...]

else:
    EncodingInfo = namedtuple("EncodingInfo", "name era is_multibyte_cjk languages")
EncodingInfo.__doc__ = "A codec of Python's that text may be in."


_WESTERN = "br cy da de en es fi fr ga id is it ms nl no pt sv"
_CENTRAL = "pl cs hu hr ro sk sl"
_CYRILLIC = "ru bg uk sr mk be"

_CANDIDATES: Final = {
    EncodingEra.MODERN_WEB: {
        "ascii utf-8 utf-8-sig utf-16 utf-16-be utf-16-le utf-32 utf-32-be utf-32-le": "",
        "big5hkscs gb18030": "zh",
        "cp932 euc_jis_2004 iso2022_jp_2 iso2022_jp_2004 iso2022_jp_ext shift_jis_2004": "ja",
        "cp949 euc_kr": "ko",
        "cp874 tis-620": "th",
        "cp1250": _CENTRAL,
        "cp1251": _CYRILLIC,
        "cp1252": _WESTERN,
        "cp1253": "el",
        "cp1254": "tr",
        "cp1255": "he",
        "cp1256": "ar fa",
        "cp1257": "et lt lv",
        "cp1258": "vi",
        "koi8-r": "ru",
        "koi8-u": "uk",
    },
    EncodingEra.LEGACY_ISO: {
        "iso8859-1 iso8859-15": _WESTERN,
        "iso8859-2": _CENTRAL,
        "iso8859-3": "eo mt tr",
        "iso8859-4 iso8859-13": "et lt lv",
        "iso8859-5": _CYRILLIC,
        "iso8859-6": "ar fa",
        "iso8859-7": "el",
        "iso8859-8": "he",
        "iso8859-9": "tr",
        "iso8859-10": "is fi",
        "iso8859-14": "cy ga br gd",
        "iso8859-16": "ro pl hr hu sk sl",
        "johab": "ko",
    },
    EncodingEra.LEGACY_MAC: {
        "mac-cyrillic": _CYRILLIC,
        "mac-greek": "el",
        "mac-iceland": "is",
        "mac-latin2": _CENTRAL,
        "mac-roman": _WESTERN,
        "mac-turkish": "tr",
    },
    EncodingEra.LEGACY_REGIONAL: {
        "utf-7": "",
        "hz": "zh",
        "iso2022_kr": "ko",
        "cp720": "ar fa",
        "cp1006": "ur",
        "cp1125": "uk",
        "koi8-t": "tg",
        "kz1048 ptcp154": "kk",
        "hp-roman8": _WESTERN,
    },
    EncodingEra.DOS: {
        "cp437 cp850 cp858": _WESTERN,
        "cp737 cp869": "el",
        "cp775": "et lt lv",
        "cp852": _CENTRAL,
        "cp855 cp866": _CYRILLIC,
        "cp856 cp862": "he",
        "cp857": "tr",
        "cp860": "pt",
        "cp861": "is",
        "cp863": "fr",
        "cp864": "ar",
        "cp865": "da no",
    },
    EncodingEra.MAINFRAME: {
        "cp500 cp1140": _WESTERN,
        "cp273": "de",
        "cp424": "he",
        "cp875": "el",
        "cp1026": "tr",
    },
}

_MULTI_BYTE: Final = re.compile(r"big5|gb|euc|iso2022|shift_jis|cp9[34]|johab|hz")

REGISTRY: Final = {
    name: EncodingInfo(name, era, _MULTI_BYTE.match(name) is not None, tuple(languages.split()))
    for era, groups in _CANDIDATES.items()
    for names, languages in groups.items()
    for name in names.split()
}
"""All candidates by name."""

# Codec → the candidate that decodes what it decodes.
_LARGER: Final = {
    codec: larger
    for larger, names in {
        "big5hkscs": "big5 cp950",
        "euc_jis_2004": "euc_jp euc_jisx0213",
        "gb18030": "gb2312 gbk",
        "iso2022_jp_2": "iso2022_jp iso2022_jp_1",
        "iso2022_jp_2004": "iso2022_jp_3",
        "shift_jis_2004": "shift_jis shift_jisx0213",
        "tis-620": "iso8859-11",
        "cp1140": "cp037",
    }.items()
    for codec in names.split()
}

# Names without punctuation that the IANA registry or the web gives to another codec than Python does, or which Python
# does not have.
_NAMES: Final = {
    name: codec
    for codec, names in {
        "ascii": "cp367 usascii",
        "big5hkscs": "big5tw",
        "cp949": "csksc56011987 isoir149 ksc56011987 ksc56011989 ksc5601",
        "euc_kr": "cseuckr",
        "koi8-r": "koi koi8",
        "mac-roman": "mac",
        "shift_jis_2004": "mskanji xsjis",
        "utf-8-sig": "utf8bom",
    }.items()
    for name in names.split()
}
_NAME: Final = re.compile(r"[-\w.:+() ]+", re.ASCII)
_NOT_ALPHANUMERIC: Final = re.compile(r"[^a-z0-9]")
# What the registry writes without separators, and IBM's numbers with leading zeros: as Python's codecs are called.
_SPELLINGS: Final = (
    (re.compile(r"iso8859(\d+)(?:e|i)?"), r"iso8859_\1"),
    (re.compile(r"utf(16|32)(be|le)"), r"utf_\1_\2"),
    (re.compile(r"(?:cp|ibm|windows)?0*(\d{3,4})"), r"cp\1"),
    (re.compile(r"iso2022jp(\d+|ext)"), r"iso2022_jp_\1"),
    (re.compile(r"windows31j"), "cp932"),
    (re.compile(r"koi8([rtu])"), r"koi8_\1"),
    (re.compile(r"hproman8"), "hp_roman8"),
    (re.compile(r"mac([a-z]+\d?)"), r"mac_\1"),
    (re.compile(r"xmac([a-z]+)"), r"mac_\1"),
)
_LONGEST: Final = 64  # characters: more than any name has


@lru_cache(maxsize=1024)
def lookup_encoding(name: str) -> str | None:
    """Return the candidate that a codec's name, a web label or a name of the IANA registry means, or None."""
    lowered = name.strip("\t\n\f\r ").lower()
    if len(lowered) > _LONGEST or not _NAME.fullmatch(lowered):
        return None
    found = _exact(lowered)
    return found if found is not None or not lowered.startswith("cs") else _exact(lowered[2:])


def _exact(lowered: str) -> str | None:
    squeezed = _NOT_ALPHANUMERIC.sub("", lowered)
    if squeezed in _NAMES:
        return _NAMES[squeezed]
    names = [lowered, squeezed]
    names += [pattern.sub(new, squeezed) for pattern, new in _SPELLINGS if pattern.fullmatch(squeezed)]
    for each in names:
        codec = _codec_name(each)
        if codec is not None and _LARGER.get(codec, codec) in REGISTRY:
            return _LARGER.get(codec, codec)
    web = we.LABELS.get(lowered)
    return next(iter(CODECS_OF[web.name]), None) if web is not None else None


def _codec_name(name: str) -> str | None:
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):  # ValueError: a name that no module can have
        return None


# Codec by the name of its module → the candidate that decodes what it decodes.
_CANDIDATE_OF: Final = {
    **{name.replace("-", "_"): name for name in REGISTRY},
    **{codec.replace("-", "_"): larger for codec, larger in _LARGER.items()},
    "latin_1": "iso8859-1",
}
# Encoding of the web → the candidates that decode its text to the same, the likelier name first.
CODECS_OF: Final = {
    encoding: list(dict.fromkeys(_CANDIDATE_OF[codec] for codec in codecs if codec in _CANDIDATE_OF))
    for encoding, codecs in names.CODECS_OF.items()
}

BEYOND_THE_WEB: Final = tuple(
    name
    for name in REGISTRY
    if not any(name in names for names in CODECS_OF.values())
    and name not in ("ascii", "utf-8-sig", "utf-16", "utf-32", "utf-32-be", "utf-32-le", "utf-7", "hz", "iso2022_kr")
)
"""The candidates that decode as no encoding of the web does, and have no structure that tells them apart."""


def of_encoding(encoding: we.Encoding, allowed: frozenset[str] | None) -> list[str]:
    """Return the candidates that decode as an encoding of the web does, those of ``allowed`` alone if it is given."""
    return [name for name in CODECS_OF[encoding.name] if allowed is None or name in allowed]
