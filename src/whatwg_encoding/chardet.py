"""The functions and results of chardet 5 to 7, with this package's detector.

``install()`` makes ``import chardet`` find this module, for requests, BeautifulSoup, feedparser and others. Encodings
have chardet 5's names. A name's codec in Python decodes the data that was examined, unless the text is damaged and no
likely codec does. ``language`` is a BCP 47 tag, or None if the text does not show it. The confidence is the probability
of an encoding, compared with the other candidates, under the detector's model.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from enum import IntFlag

from . import sniff
from ._drop_ins.codecs import REGISTRY, EncodingEra, EncodingInfo, lookup_encoding, module_of
from ._drop_ins.ranking import Ranked, Texts, rank
from ._drop_ins.replaced_modules import ReplacedModules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TypedDict

    from typing_extensions import Buffer

    class DetectionDict(TypedDict):
        """The result for a text. ``encoding`` is None if the data is not text."""

        encoding: str | None
        confidence: float
        language: str | None
        mime_type: str | None

else:
    DetectionDict = dict

ResultDict = DetectionDict
"""chardet 5's name of `DetectionDict`."""

__version__ = "7.7.0"
"""The version of chardet that has these names."""
VERSION = __version__.split(".")

__all__ = [
    "DEFAULT_MAX_BYTES", "MINIMUM_THRESHOLD", "DetectionDict", "EncodingEra", "LanguageFilter", "UniversalDetector",
    "__version__", "detect", "detect_all",
]  # fmt: skip

DEFAULT_MAX_BYTES: Final = 200_000
"""The bytes that are examined by default."""
MINIMUM_THRESHOLD: Final = 0.20
"""`detect_all` leaves out what is less likely."""


class LanguageFilter(IntFlag):
    """Groups of languages: accepted and ignored, as in chardet 7."""

    CHINESE_SIMPLIFIED = 1
    CHINESE_TRADITIONAL = 2
    JAPANESE = 4
    KOREAN = 8
    NON_CJK = 16
    ALL = 31
    CHINESE = 3
    CJK = 15


# --- Names ---

# Codec → the name that chardet 5 or 6 has for it.
_NAMES: Final = {
    "big5hkscs": "Big5", "cp855": "IBM855", "cp866": "IBM866", "euc_jis_2004": "EUC-JP", "euc_kr": "EUC-KR",
    "hz": "HZ-GB-2312", "iso2022_jp_2": "ISO-2022-JP", "iso2022_kr": "ISO-2022-KR", "johab": "Johab",
    "mac-cyrillic": "MacCyrillic", "mac-greek": "MacGreek", "mac-iceland": "MacIceland", "mac-latin2": "MacLatin2",
    "mac-roman": "MacRoman", "mac-turkish": "MacTurkish", "shift_jis_2004": "SHIFT_JIS",
    **{f"iso8859-{part}": f"ISO-8859-{part}" for part in (1, 2, 5, 6, 7, 8, 9, 13)},
    **{f"cp{page}": f"Windows-{page}" for page in range(1250, 1258)},
    **{name: name.upper() for name in ("cp874", "cp932", "cp949", "gb18030", "koi8-r", "kz1048", "tis-620")},
    **{name: name.upper() for name in ("utf-16", "utf-32", "utf-8-sig")},
}  # fmt: skip

# Codec → that of the code page of Windows that has most of its characters at the same bytes, and others.
_SUPERSETS: Final = {
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "tis-620": "cp874",
    **{
        f"iso8859-{part}": f"cp{page}"
        for part, page in {1: 1252, 2: 1250, 5: 1251, 6: 1256, 7: 1253, 8: 1255, 9: 1254, 11: 874, 13: 1257}.items()
    },
}


def display_name(codec: str) -> str:
    """Return the name of a candidate or a codec in chardet 5 or 6, or the codec's name if it has none there."""
    candidate = lookup_encoding(codec) or codec
    return _NAMES.get(candidate, candidate)


def normalize_encodings(encodings: Iterable[str] | None, parameter: str) -> frozenset[str] | None:
    """Return the codecs of names, None for None. Raise ValueError for an unknown name, and if there are no names."""
    if encodings is None:
        return None
    checked = frozenset(_checked_name(name, parameter) for name in encodings)
    if not checked:
        raise ValueError(f"{parameter} must not be empty; None stands for no filter")
    return checked


def _checked_name(name: str, parameter: str) -> str:
    codec = lookup_encoding(name)
    if codec is None:
        raise ValueError(f"Unknown encoding {name!r} in {parameter}")
    return codec


def get_candidates(
    encoding_era: EncodingEra = EncodingEra.ALL,
    include_encodings: frozenset[str] | None = None,
    exclude_encodings: frozenset[str] | None = None,
) -> tuple[EncodingInfo, ...]:
    """Return the codecs of some eras: only those that are included, without those that are excluded."""
    return tuple(
        info
        for info in REGISTRY.values()
        if info.era & encoding_era
        and (include_encodings is None or info.name in include_encodings)
        and not (exclude_encodings and info.name in exclude_encodings)
    )


_CHUNK_SIZE: Final = 65_536


def _deprecated(text: str) -> None:
    warnings.warn(text, DeprecationWarning, stacklevel=4)


class _Options:
    """The checked arguments of a detection."""

    def __init__(
        self,
        should_rename_legacy: bool = False,
        encoding_era: EncodingEra = EncodingEra.ALL,
        max_bytes: int = DEFAULT_MAX_BYTES,
        chunk_size: int = _CHUNK_SIZE,
        *,
        prefer_superset: bool = False,
        compat_names: bool = True,
        include_encodings: Iterable[str] | None = None,
        exclude_encodings: Iterable[str] | None = None,
        no_match_encoding: str = "cp1252",
        empty_input_encoding: str = "utf-8",
    ) -> None:
        if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
            raise ValueError(f"max_bytes must be a positive integer, not {max_bytes!r}")
        if should_rename_legacy:
            _deprecated("should_rename_legacy: prefer_superset is its name now")
        if chunk_size != _CHUNK_SIZE:
            _deprecated("chunk_size is ignored")
        self.max_bytes = max_bytes
        self.compat_names = compat_names
        self.prefer_superset = prefer_superset or should_rename_legacy
        self.no_match = _checked_name(no_match_encoding, "no_match_encoding")
        self.empty_input = _checked_name(empty_input_encoding, "empty_input_encoding")
        include = normalize_encodings(include_encodings, "include_encodings")
        exclude = normalize_encodings(exclude_encodings, "exclude_encodings")
        self.allowed: frozenset[str] | None = None
        if include is not None or exclude is not None or encoding_era != EncodingEra.ALL:
            self.allowed = frozenset(candidate.name for candidate in get_candidates(encoding_era, include, exclude))
        # chardet filters the two defaults and the supersets by these lists, not by eras.
        self._included, self._excluded = include, exclude or frozenset()

    def may_be(self, codec: str) -> bool:
        return codec not in self._excluded and (self._included is None or codec in self._included)

    def name_of(self, reading: Ranked, texts: Texts) -> str:
        """Return how a codec is called in results: as a smaller one that is declared, or that gives the same text."""
        if self.prefer_superset:
            larger = _SUPERSETS.get(reading.codec)
            if larger is not None and self.may_be(larger) and texts[larger] == texts[reading.codec]:
                reading = reading._replace(codec=larger)
        elif self.compat_names and reading.codec in _SMALLER:
            smaller = _SMALLER[reading.codec]
            if _stands_for(smaller, reading, texts):
                return smaller
        return usual_name(reading, texts) if self.compat_names else reading.codec


def usual_name(reading: Ranked, texts: Texts) -> str:
    """Return `display_name` of a codec, or the codec's own if the other is that of a smaller one that does not fit."""
    codec, name = reading.codec, display_name(reading.codec)
    return name if codec not in _LARGER_THAN_NAMED or _stands_for(name, reading, texts) else codec


def _stands_for(name: str, reading: Ranked, texts: Texts) -> bool:
    """Return whether a smaller codec is declared, or gives the text of the one that was found.

    GB2312's has other characters for an em dash and a dot.
    """
    if reading.declared is not None and module_of(name) == reading.declared:
        return True
    return texts[name] is not None and texts[name] == texts[reading.codec]


# Codec → the smaller one that chardet 5 names where that gives the same text.
_SMALLER: Final = {"gb18030": "GB2312", "cp932": "SHIFT_JIS", "cp874": "TIS-620", "cp949": "EUC-KR"}
# The codecs whose names in chardet are those of smaller ones.
_LARGER_THAN_NAMED: Final = {"big5hkscs", "euc_jis_2004", "iso2022_jp_2", "shift_jis_2004"}


# --- Detection ---

_XML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\s", re.IGNORECASE)
_HTML: Final = re.compile(rb"<(?:!doctype\s+html|html|head|meta|body|title|script)[\s>]", re.IGNORECASE)


def _mime_type(data: bytes) -> str:
    if _XML.match(data):
        return "text/xml"
    return "text/html" if _HTML.search(data, 0, 1024) else "text/plain"


def _guesses(whole: bytes, options: _Options, most: int | None = None) -> list[DetectionDict]:
    """Return the results, the likeliest first, of the first ``most`` codecs if that is given."""
    data = whole[: options.max_bytes]
    if not data:
        return _default(options.empty_input, data, options)
    texts = Texts(data)
    ranked = rank(texts, options.allowed)
    if (not ranked or ranked[0].reason in ("model", "damaged")) and sniff.is_binary(data):
        return [DetectionDict(encoding=None, confidence=0.95, language=None, mime_type="application/octet-stream")]
    if not ranked:
        return _default(options.no_match, data, options)
    mime_type = _mime_type(data)
    results: dict[str, DetectionDict] = {}
    for reading, confidence in zip(ranked[:most], _confidences(ranked, texts), strict=False):
        name = options.name_of(reading, texts)
        language = "en" if reading.codec == "ascii" else reading.language
        results.setdefault(
            name, DetectionDict(encoding=name, confidence=confidence, language=language, mime_type=mime_type)
        )
    return list(results.values())


def _default(codec: str, data: bytes, options: _Options) -> list[DetectionDict]:
    if not options.may_be(codec):
        warnings.warn(f"no encoding that is allowed fits, and {codec} is not allowed", UserWarning, stacklevel=4)
        return [DetectionDict(encoding=None, confidence=0.0, language=None, mime_type=None)]
    name = display_name(codec) if options.compat_names else codec
    return [DetectionDict(encoding=name, confidence=0.1, language=None, mime_type="text/plain")]


_OF_REASONS: Final = {"mark": 1.0, "ascii": 1.0, "escape": 0.95, "declared": 0.95}
_FAR: Final = 60  # bits: too unlikely to be told from 0


def _confidences(ranked: list[Ranked], texts: Texts) -> list[float]:
    """Return the probability of each under the model. Of codecs that decode alike, the likeliest counts."""
    weights = [2.0 ** -min(reading.bits, _FAR) for reading in ranked]
    of_texts = {texts[reading.codec]: weight for reading, weight in zip(ranked[::-1], weights[::-1], strict=True)}
    shares = [weight / sum(of_texts.values()) for weight in weights]
    if len(ranked) == 1 or ranked[0].reason == "declared":
        first = _OF_REASONS.get(ranked[0].reason, 0.99)
        return [first, *(round((1 - first) * share, 4) for share in shares[1:])]
    return [round(min(share, 0.99), 4) for share in shares]


def detect(
    byte_str: Buffer,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = _CHUNK_SIZE,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> DetectionDict:
    """Return the likeliest encoding of bytes, as ``{"encoding", "confidence", "language", "mime_type"}``.

    At most ``max_bytes`` are examined. ``encoding_era``, ``include_encodings`` and ``exclude_encodings`` limit the
    candidates. ``prefer_superset``: name the code page of Windows if it gives the same text. ``compat_names``: return
    the names of chardet 5 and 6, otherwise those of Python's codecs. ``empty_input_encoding`` is the result for no
    bytes, and ``no_match_encoding`` the result if no allowed encoding fits. ``chunk_size`` is ignored, and
    ``should_rename_legacy`` is an earlier name of ``prefer_superset``: both are deprecated. Raise ValueError for an
    unknown encoding and for a ``max_bytes`` below 1; TypeError for data that is not bytes-like.

    >>> detect("Привет, мир! Как дела?".encode("koi8-r"))["encoding"]
    'KOI8-R'
    """
    options = _Options(
        should_rename_legacy,
        encoding_era,
        max_bytes,
        chunk_size,
        prefer_superset=prefer_superset,
        compat_names=compat_names,
        include_encodings=include_encodings,
        exclude_encodings=exclude_encodings,
        no_match_encoding=no_match_encoding,
        empty_input_encoding=empty_input_encoding,
    )
    return _guesses(_checked(byte_str), options, 1)[0]


def detect_all(
    byte_str: Buffer,
    ignore_threshold: bool = False,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = _CHUNK_SIZE,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> list[DetectionDict]:
    """Return the encodings that bytes may be in, the likeliest first, each as `detect` returns the first.

    Encodings with a confidence of 0.2 or less are left out, unless that applies to all or ``ignore_threshold`` is true.
    The other arguments and the errors are those of `detect`.
    """
    options = _Options(
        should_rename_legacy,
        encoding_era,
        max_bytes,
        chunk_size,
        prefer_superset=prefer_superset,
        compat_names=compat_names,
        include_encodings=include_encodings,
        exclude_encodings=exclude_encodings,
        no_match_encoding=no_match_encoding,
        empty_input_encoding=empty_input_encoding,
    )
    guesses = _guesses(_checked(byte_str), options)
    if not ignore_threshold:
        guesses = [guess for guess in guesses if guess["confidence"] > MINIMUM_THRESHOLD] or guesses
    return guesses


def _checked(data: Buffer) -> bytes:
    if isinstance(data, str):
        raise TypeError("expected bytes, not str")
    return data if isinstance(data, bytes) else bytes(memoryview(data))


class UniversalDetector:
    """A detector of bytes that come in pieces. The arguments are those of `detect`; ``lang_filter`` is ignored."""

    MINIMUM_THRESHOLD: Final = MINIMUM_THRESHOLD

    def __init__(
        self,
        lang_filter: LanguageFilter = LanguageFilter.ALL,
        should_rename_legacy: bool = False,
        encoding_era: EncodingEra = EncodingEra.ALL,
        max_bytes: int = DEFAULT_MAX_BYTES,
        *,
        prefer_superset: bool = False,
        compat_names: bool = True,
        include_encodings: Iterable[str] | None = None,
        exclude_encodings: Iterable[str] | None = None,
        no_match_encoding: str = "cp1252",
        empty_input_encoding: str = "utf-8",
    ) -> None:
        if lang_filter != LanguageFilter.ALL:
            warnings.warn("lang_filter is ignored", DeprecationWarning, stacklevel=2)
        self._options = _Options(
            should_rename_legacy,
            encoding_era,
            max_bytes,
            prefer_superset=prefer_superset,
            compat_names=compat_names,
            include_encodings=include_encodings,
            exclude_encodings=exclude_encodings,
            no_match_encoding=no_match_encoding,
            empty_input_encoding=empty_input_encoding,
        )
        self.reset()

    def reset(self) -> None:
        """Start with a new text."""
        self._data = bytearray()
        self._closed = False
        self._input_truncated = False
        self.done: bool = False
        self.result: DetectionDict = DetectionDict(encoding=None, confidence=0.0, language=None, mime_type=None)

    def feed(self, byte_str: Buffer) -> None:
        """Add bytes. After ``max_bytes``, ``done`` is true and further bytes are ignored.

        Raise ValueError after ``close()``.
        """
        if self._closed:
            raise ValueError("feed() after close(); reset() begins with another text")
        data = _checked(byte_str)
        room = self._options.max_bytes - len(self._data)
        self._data += data[:room]
        self._input_truncated |= len(data) > room
        self.done = len(self._data) == self._options.max_bytes

    def close(self) -> DetectionDict:
        """Decide. Return the result, which is then also in ``result``."""
        if not self._closed:
            self._closed = self.done = True
            self.result = _guesses(bytes(self._data), self._options)[0]
        return self.result


# --- In the place of chardet ---


_SUBMODULES: Final = {
    "detector": "UniversalDetector",
    "universaldetector": "UniversalDetector",
    "enums": "EncodingEra LanguageFilter",
    "registry": "REGISTRY EncodingInfo get_candidates lookup_encoding normalize_encodings",
    "resultdict": "ResultDict",
    "version": "VERSION __version__",
}
_REPLACED = ReplacedModules("chardet")


def install() -> None:
    """Make ``import chardet`` find this module, in this process. Idempotent.

    Call it before libraries that use chardet are imported. A RuntimeWarning names those that already are.
    """
    _REPLACED.install(__name__, _SUBMODULES)


def uninstall() -> None:
    """Undo ``install()``."""
    _REPLACED.uninstall()


def __dir__() -> list[str]:
    return [*__all__, "install", "uninstall"]
