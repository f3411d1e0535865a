"""Detection: which encodings are candidates, and what hints add to the costs that ``_native`` finds.

Costs are bits: the negative binary logarithm of how likely the decoded text is. Priors and the weights of hints are in
the same unit, so one sum decides.
"""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from itertools import pairwise

from .._api.arguments import checked_str, named
from .._labels import (
    ENCODINGS,
    ISO_2022_JP,
    REPLACEMENT,
    UTF_8,
    WINDOWS_1252,
    X_USER_DEFINED,
)
from .._native.core import Encoding, byte_view, check_limit, sniff_bom
from .._native.prescan import NULS, signs
from .arguments import LIMIT, checked_domain, checked_encodings
from .structure import is_valid_utf_8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final, NamedTuple, TypeAlias, TypeVar

    from typing_extensions import Buffer

    from .._native.detect import Candidates
    from .arguments import Options
    from .hints import Hint

    Declared: TypeAlias = Hint | Iterable[Hint]
    T = TypeVar("T")

    class Guess(NamedTuple):
        encoding: Encoding
        score: int
        margin: int | None
        language: str | None

else:  # as in _api.results
    Guess = namedtuple("Guess", "encoding score margin language", module="whatwg_encoding.sniff")
Guess.__doc__ = """An encoding that a text may be in.

    ``score``: the bits that its text costs, the fewer the likelier. ``margin``: the bits by which the next guess costs
    more, None if there is none: how sure this one is of being ahead. ``language``: the BCP 47 tag of the language that
    the text is likeliest in under the model, None where it does not tell: ASCII, a few letters, another script.
    """

# Encodings that decode text as a candidate does.
_SAME: Final = {
    ENCODINGS[name]: ENCODINGS[other]
    for name, other in (("gb18030", "GBK"), ("ISO-8859-8-I", "ISO-8859-8"))
    if name in ENCODINGS and other in ENCODINGS
}

# Bits in favour of the usual encodings of a host's or a user's language; guess.h has those of others.
_OF_LANGUAGE: Final = 6
_ERROR: Final = 18  # bits against UTF-8
_MANY: Final = 1 << 16  # errors that decide in any case

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
def _usual(domain: str | None, language: str | None) -> tuple[Encoding, ...]:
    """Return the usual encodings of a host's and of a given language."""
    found: tuple[Encoding, ...] = ()
    if domain is not None:
        of_domain = domain if domain in _DOMAINS_OF_THEIR_LANGUAGE else _LANGUAGES_OF_DOMAINS.get(domain, "")
        found = _ENCODINGS_OF_LANGUAGES.get(of_domain, ())
    of_language_given = None if language is None else of_language(_ENCODINGS_OF_LANGUAGES, language.replace("_", "-"))
    return found + (of_language_given or ())


def _declarations(declared: Declared) -> tuple[Encoding, ...]:
    hints = (declared,) if declared is None or isinstance(declared, str | Encoding) else declared
    return tuple(encoding for hint in hints if (encoding := named(hint)) is not None)


_NO_ENCODINGS: Final = frozenset[Encoding]()
_WITHOUT_TEXT: Final = frozenset({REPLACEMENT, X_USER_DEFINED})


@lru_cache(maxsize=256)
def _candidates(
    encodings: tuple[Encoding, ...] | None,
    usual: tuple[Encoding, ...] = (),
    declared: tuple[Encoding, ...] = (),
    excluded: frozenset[Encoding] = _NO_ENCODINGS,
) -> Candidates:
    """Return the candidates, with the bits that hints are worth: those given, else all that are detected or declared.

    ``usual``: the encodings of a language.
    """
    from .._native.detect import DECLARED, DECLARED_FIRST, DECLARED_WINDOWS_1252, OTHER_PRIOR, PRIORS, Candidates

    bonuses = dict.fromkeys(usual, _OF_LANGUAGE)
    for encoding in declared:
        weight = DECLARED_WINDOWS_1252 if encoding is WINDOWS_1252 else DECLARED
        bonuses[encoding] = bonuses.get(encoding, 0) + weight
    if len(declared) > 1 and declared[0] is not WINDOWS_1252:
        bonuses[declared[0]] += DECLARED_FIRST
    if encodings is None:
        known = (*(ENCODINGS[name] for name in PRIORS), *declared)
        encodings = tuple(each for each in known if each not in excluded)
    if excluded and all(each is ISO_2022_JP or each.is_utf_16 for each in encodings):  # which bytes may rule out
        others = (*ENCODINGS.values(),)
        encodings += tuple(each for each in others if each not in excluded and each not in _WITHOUT_TEXT)
    return Candidates(
        tuple((each, PRIORS.get(each.name, OTHER_PRIOR) - bonuses.get(each, 0)) for each in dict.fromkeys(encodings))
    )


def _as_declared(encoding: Encoding, declared: tuple[Encoding, ...]) -> Encoding:
    """Return the declared one of two encodings that decode alike."""
    for each in declared:
        if _SAME.get(each) is encoding:
            return each
    return encoding


@lru_cache(maxsize=256)
def _same(declared: tuple[Encoding, ...], excluded: frozenset[Encoding] = _NO_ENCODINGS) -> tuple[Encoding, ...]:
    """Return the candidates that the declared encodings stand for, without those that decode no text."""
    same = {} if excluded else _SAME
    return tuple(same.get(each, each) for each in declared if each not in _WITHOUT_TEXT)


def best_guess(
    data: bytes | memoryview,
    declared: tuple[Encoding, ...],
    options: Options,
    *,
    structures: int = 0,
    unexplained: int = 0,
    kept: Encoding | None = None,
    stays: bool = True,
) -> tuple[Encoding, float]:
    """Return the first guess of ``detect`` for data without a mark, and by how many bits a byte another is behind it.

    ``structures``: NULS if the data may be UTF-16, ESCAPES if it may be ISO-2022-JP. ``unexplained``: the number of
    errors in UTF-8 beyond that of characters, in all of the data. ``kept``: the other encoding, one that is declared,
    and ``stays``: whether it is weighed on the whole sample even if its text, without those errors, is far behind.
    """
    same = _same(declared, options.excluded)
    candidates = _candidates(None, _usual(options.tld, None), same, options.excluded)
    against_utf_8 = min(unexplained, _MANY) * _ERROR
    other = None if kept is None else same[declared.index(kept)]
    found, behind = candidates.best(data, options.limit, structures, against_utf_8, other, stays)
    assert found is not None  # a candidate that no bytes rule out is never excluded
    return _as_declared(found, declared), behind


def _checked_candidates(candidates: Iterable[Encoding | str] | None) -> tuple[Encoding, ...] | None:
    """Return the encodings of the candidates; raise an error for what is none or decodes no text."""
    if candidates is None:
        return None
    found = checked_encodings(candidates, "candidates")
    if REPLACEMENT in found:
        raise ValueError("candidates: replacement decodes no text")
    if not found:
        raise ValueError("candidates must have at least one encoding")
    return found


def detect(
    data: Buffer,
    *,
    tld: str | None = None,
    language: str | None = None,
    declared: Declared = None,
    candidates: Iterable[Encoding | str] | None = None,
    exclude: Iterable[Encoding | str] = (),
    limit: int = LIMIT,
) -> list[Guess]:
    """Return the encodings that the text may be in, the likeliest first, by how likely its text is in each.

    A byte order mark decides alone, and so does valid UTF-8 (``utf8_if_valid``): one guess, of score 0. Else every
    candidate decodes a sample: at most ``limit`` bytes, those beyond ASCII and the ASCII next to them. The score counts
    the bits that a model of text in some 45 languages needs for the result, those against an error and a rare encoding,
    and less for what hints favour: ``declared``, an encoding, a label or several of them, the weightiest first (what
    names none is ignored); ``tld``, the last label of the host name; ``language``, a BCP 47 tag. A candidate that is
    far behind on the first bytes is not examined further; its score is then a lower bound.

    ``candidates``: the encodings or labels to choose among, instead of those that are in use; ``exclude``: those that
    are left out of either, even if they are marked. Of two that decode the sample alike, the commoner one is first.
    UTF-16 without a mark needs a NUL among the first 512 bytes, ISO-2022-JP an escape; without them they are not in the
    result, which may therefore be empty.

    The result is the same on every machine. Raise ValueError for a ``limit`` below 1, a ``tld`` that is not a single
    label, and no candidate; UnknownLabelError for a name of none; TypeError for data without a contiguous buffer.

    >>> detect("Привет, мир".encode("koi8-r"))[0].encoding
    <Encoding KOI8-R>
    """
    limit = check_limit(limit)
    usual = _usual(checked_domain(tld), None if language is None else checked_tag(language, "language"))
    chosen = _checked_candidates(candidates)
    excluded = _NO_ENCODINGS if exclude == () else frozenset(checked_encodings(exclude, "exclude"))
    if chosen is not None:
        chosen = tuple(each for each in chosen if each not in excluded)
    view = byte_view(data)
    found, start = sniff_bom(view)
    if found is not None and found not in excluded and (chosen is None or found in chosen):
        return [Guess(found, 0, None, _language(view[start:], found))]
    seen = signs(view)
    # With a NUL it may be UTF-16, of which ASCII is valid UTF-8, too.
    if UTF_8 not in excluded and (chosen is None or UTF_8 in chosen) and not seen & NULS and is_valid_utf_8(view, seen):
        return [Guess(UTF_8, 0, None, _language(view, UTF_8))]
    names = tuple(each for each in _declarations(declared) if each not in excluded)
    if chosen is None:
        costs = _candidates(None, usual, _same(names, excluded), excluded).costs(view, limit)
    else:
        costs = _candidates(chosen, usual, names).costs(view, limit)
    costs.sort(key=lambda found: found[1])  # stable: of equal ones the commoner is first
    scores = [(cost + 4) >> 3 for _, cost, _ in costs]
    margins = [*(after - score for score, after in pairwise(scores)), None][: len(scores)]
    return [
        Guess(_as_declared(each, names) if chosen is None else each, score, margin, _tag(each, language))
        for (each, _, language), score, margin in zip(costs, scores, margins, strict=True)
    ]


_SCRIPTS: Final = {
    ENCODINGS[name]: tag
    for name, tag in (("Big5", "zh-Hant"), ("GBK", "zh-Hans"), ("gb18030", "zh-Hans"))
    if name in ENCODINGS
}


def _tag(encoding: Encoding, language: str | None) -> str | None:
    """Return the tag of a language, with the script that an encoding of Chinese is made for."""
    return _SCRIPTS.get(encoding, language) if language == "zh" else language


def _language(data: bytes | memoryview, encoding: Encoding) -> str | None:
    """Return the likeliest language of data in UTF-8 or UTF-16, None where it does not tell."""
    return _candidates((encoding,)).language(data)


def text_cost(text: str) -> int:
    """Return the bits that the detector's model of text needs for a text, the fewer the likelier it is: at least 0.

    The text stands between spaces. Costs compare for texts that are different readings of the same bytes; ten bits less
    are odds of 1,000 to 1, if the model is right. Any str has a cost: U+FFFD and lone surrogates cost what an error
    does. Time is linear in the text, memory constant, and the result the same on every machine. Raise TypeError for
    anything but a str.

    >>> text_cost("Größe") < text_cost("GrГ¶Гџe")
    True
    """
    from .._native.detect import text_cost as cost

    return cost(checked_str(text, "text"))
