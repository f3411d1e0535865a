"""Python's codecs as candidates of detection: names, eras, languages, and which decodes as an encoding of the web does.

A codec is called as ``codecs.lookup(name).name`` calls it. Of codecs of which one decodes all that another does, as
``gb18030`` and ``gbk``, the larger one alone is a candidate; all of the others' names resolve to it.
"""

from __future__ import annotations

import re
from collections import namedtuple
from encodings.aliases import aliases
from enum import IntFlag
from functools import lru_cache

import whatwg_encoding as we
from whatwg_encoding import names
from whatwg_encoding.names import CANDIDATES, WITHIN


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


_MULTI_BYTE: Final = re.compile(r"big5|gb|euc|iso2022|shift_jis|cp9[34]|johab|hz")

_WITH_HYPHENS: Final = re.compile("utf|iso8859|koi8|mac|tis|hp")


def _called(codec: str) -> str:
    """Return how ``codecs.lookup`` calls the codec of a module."""
    if codec == "latin_1":
        return "iso8859-1"
    return codec.replace("_", "-") if _WITH_HYPHENS.match(codec) else codec


REGISTRY: Final = {
    name: EncodingInfo(name, EncodingEra[era], _MULTI_BYTE.match(name) is not None, tuple(languages.split()))
    for name, era, languages in ((_called(codec), *facts) for codec, facts in CANDIDATES.items())
}
"""All candidates by name."""

# Codec by the name of its module → the candidate that decodes what it decodes.
_CANDIDATE_OF: Final = {codec: _called(WITHIN.get(codec, codec)) for codec in (*CANDIDATES, *WITHIN)}
# Encoding of the web → the candidates that decode its text to the same, the likelier name first.
CODECS_OF: Final = {
    encoding: list(dict.fromkeys(_CANDIDATE_OF[codec] for codec in codecs if codec in _CANDIDATE_OF))
    for encoding, codecs in names.CODECS_OF.items()
}
# Names of codecs, by their letters and digits.
_CODECS: Final = {names.squeezed(name): codec for name, codec in aliases.items()}
_CODECS.update({names.squeezed(codec): codec for codec in _CANDIDATE_OF})
_NAME: Final = re.compile(r"[-\w.:+() ]+", re.ASCII)
_LONGEST: Final = 64  # characters: more than any name has


@lru_cache(maxsize=1024)
def lookup_encoding(name: str) -> str | None:
    """Return the candidate that a codec's name, a web label or a name of the IANA registry means, or None."""
    lowered = name.strip("\t\n\f\r ").lower()
    if len(lowered) > _LONGEST or not _NAME.fullmatch(lowered):
        return None
    plain = names.squeezed(lowered)
    spelled = plain, f"cp{plain}", plain.removeprefix("x"), plain.removeprefix("cs")
    codec = next((codec for spelling in spelled if (codec := names.NAMES.get(spelling) or _CODECS.get(spelling))), None)
    if codec in _CANDIDATE_OF:
        return _CANDIDATE_OF[codec]
    meanings = (we.LABELS.get(lowered), *map(names.of_plain, spelled))
    meaning = next((codec_name for codec_name in meanings if codec_name is not None), None)
    if isinstance(meaning, we.Encoding):
        return next(iter(CODECS_OF[meaning.name]), None)
    return _CANDIDATE_OF.get(meaning or "")


@lru_cache(maxsize=1024)
def module_of(name: str) -> str | None:
    """Return the name of the module in ``encodings`` of the codec of text that a label names, None if it names none."""
    module = names.module_of(name.strip())
    return module if module in names.TEXT_CODECS else None


BEYOND_THE_WEB: Final = tuple(
    name
    for name in REGISTRY
    if not any(name in names for names in CODECS_OF.values())
    and name not in ("ascii", "utf-8-sig", "utf-16", "utf-32", "utf-32-be", "utf-32-le", "utf-7", "hz", "iso2022_kr")
)
"""The candidates that decode as no encoding of the web does, and have no structure that tells them apart."""
