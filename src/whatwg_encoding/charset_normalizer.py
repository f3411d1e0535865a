"""The functions and results of charset_normalizer 3, with this package's detector.

``install()`` makes ``import charset_normalizer`` find this module, for requests, trafilatura, markitdown and others.
An encoding has the name of the module in ``encodings`` whose codec decodes the data. ``chaos`` is the distance of an
encoding from the best one under the detector's model, from 0 to 1. ``coherence`` is 1 if the language is known, else 0.
"""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Iterable, Iterator
from encodings.aliases import aliases
from functools import total_ordering
from os import PathLike

from . import chardet, sniff
from ._drop_ins.codecs import REGISTRY, lookup_encoding, module_of
from ._drop_ins.ranking import Ranked, Texts, declared_name, rank
from ._drop_ins.replaced_modules import ReplacedModules
from .names import LANGUAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Final, TypedDict

    class ResultDict(TypedDict):
        encoding: str | None
        language: str
        confidence: float | None

else:
    ResultDict = dict


__version__ = "3.5.3"
"""The version of charset_normalizer that has these names."""
VERSION = __version__.split(".")

__all__ = [
    "VERSION", "CharsetMatch", "CharsetMatches", "__version__", "detect", "from_bytes", "from_fp", "from_path",
    "is_binary", "set_logging_handler",
]  # fmt: skip

TRACE: Final = 5
TOO_SMALL_SEQUENCE: Final = 32
TOO_BIG_SEQUENCE: Final = 10_000_000
_logger: Final = logging.getLogger("charset_normalizer")
_logger.addHandler(logging.NullHandler())
explain_handler: Final = logging.StreamHandler()

# --- Names ---


def _module_name(reading: Ranked, texts: Texts) -> str:
    """Return a candidate's name as that of the module in ``encodings``: a smaller codec's that is declared and fits."""
    if reading.codec == "utf-8-sig":
        return "utf_8"  # with the mark
    return reading.declared or iana_name(chardet.usual_name(reading, texts), strict=False)


def any_specified_encoding(sequence: bytes, search_zone: int = 8192) -> str | None:
    """Return the codec that the first ``search_zone`` bytes declare, or None."""
    name = declared_name(sequence[:search_zone])
    return None if name is None else module_of(name)


def iana_name(cp_name: str, strict: bool = True) -> str:
    """Return the module name of a codec. Raise ValueError for an unknown one if ``strict``."""
    codec = module_of(cp_name)
    if codec is None and strict:
        raise ValueError(f"Python has no codec {cp_name!r}")
    return cp_name.lower().replace("-", "_") if codec is None else codec


# --- Results ---

_DECLARED: Final = re.compile(r"""(?:charset|encoding|coding)(?:\s*[=:]\s*)["']?([-\w:.]+)""", re.IGNORECASE)


@total_ordering
class CharsetMatch:
    """An encoding that bytes may be in; ``str(match)`` is the text.

    ``encoding``: the name of the codec. ``raw``: the bytes, with their byte order mark. ``bom``, ``byte_order_mark``:
    whether such a mark decided. ``chaos``: how far behind the best this is, from 0 to 1. ``submatch``: encodings that
    give the same text.
    """

    __slots__ = ("_declared", "_languages", "_string", "bom", "byte_order_mark", "chaos", "encoding", "raw", "submatch")

    def __init__(
        self,
        payload: bytes,
        guessed_encoding: str,
        mean_mess_ratio: float = 0.0,
        has_sig_or_bom: bool = False,
        languages: Iterable[tuple[str, float] | str] = (),
        decoded_payload: str | None = None,
        preemptive_declaration: str | None = None,
    ) -> None:
        self.raw: bytes = payload
        self.encoding: str = guessed_encoding
        self.chaos: float = mean_mess_ratio
        self.bom: bool = has_sig_or_bom
        self.byte_order_mark: bool = has_sig_or_bom
        self.submatch: list[CharsetMatch] = []
        self._languages = [(language, 1.0) if isinstance(language, str) else language for language in languages]
        self._string = decoded_payload
        self._declared = preemptive_declaration

    def __str__(self) -> str:
        if self._string is None:
            text = self.raw.decode(self.encoding)
            self._string = text.removeprefix("\ufeff") if self.bom else text
        return self._string

    def __repr__(self) -> str:
        return f"<CharsetMatch {self.encoding!r} fp({self.fingerprint})>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return module_of(other) == self.encoding
        if isinstance(other, CharsetMatch):
            return self.encoding == other.encoding and self.fingerprint == other.fingerprint
        return False

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, CharsetMatch):
            raise ValueError(f"a CharsetMatch cannot be compared with {type(other).__name__}")
        return (self.chaos, -self.coherence) < (other.chaos, -other.coherence)

    def __hash__(self) -> int:
        return hash((self.encoding, self.fingerprint))

    def add_submatch(self, other: CharsetMatch) -> None:
        """Add an encoding that gives the same text."""
        if not isinstance(other, CharsetMatch) or other == self:
            raise ValueError(f"{other!r} is not another CharsetMatch")
        self.submatch.append(other)

    @property
    def has_submatch(self) -> bool:
        """Whether others give the same text."""
        return bool(self.submatch)

    @property
    def coherence(self) -> float:
        """1 if the language is known, else 0."""
        return self._languages[0][1] if self._languages else 0.0

    @property
    def percent_chaos(self) -> float:
        """``chaos`` in percent."""
        return round(self.chaos * 100, ndigits=3)

    @property
    def percent_coherence(self) -> float:
        """``coherence`` in percent."""
        return round(self.coherence * 100, ndigits=3)

    @property
    def languages(self) -> list[str]:
        """The names of likely languages."""
        return [name for name, _ in self._languages]

    @property
    def language(self) -> str:
        """The likeliest language's name, or "Unknown"."""
        if self._languages:
            return self._languages[0][0]
        return "English" if self.raw and str(self).isascii() else "Unknown"

    @property
    def encoding_aliases(self) -> list[str]:
        """Other names of the codec."""
        return sorted(alias for alias, codec in aliases.items() if codec == self.encoding)

    @property
    def could_be_from_charset(self) -> list[str]:
        """The codecs that give this text."""
        return [self.encoding, *(match.encoding for match in self.submatch)]

    @property
    def alphabets(self) -> list[str]:
        """The alphabets of the text: the first words of its letters' names in Unicode, such as "Cyrillic", sorted."""
        from unicodedata import name  # imported here, since few programs ask for this

        return sorted({name(letter, "").partition(" ")[0].title() for letter in set(str(self)) if letter.isalpha()})

    @property
    def multi_byte_usage(self) -> float:
        """The part of the bytes that begin no character."""
        return 1.0 - len(str(self)) / len(self.raw) if self.raw else 0.0

    @property
    def fingerprint(self) -> int:
        """A hash of the text."""
        from hashlib import sha256  # imported here, since few programs compare fingerprints

        return int.from_bytes(sha256(str(self).encode("utf-8", "surrogatepass")).digest()[:8], "big")

    def output(self, encoding: str = "utf_8") -> bytes:
        """Return the text in ``encoding``; what it declares of its encoding is changed likewise.

        Raise LookupError, or ValueError if the text declares an encoding, for a codec that Python does not have.
        """
        text = str(self)
        if self._declared is not None:
            codec = iana_name(encoding)
            if module_of(self._declared) != "utf_8" or codec not in ("utf_8", "utf_8_sig"):
                label = codec.replace("_", "-")
                text = (
                    _DECLARED.sub(
                        lambda declaration: declaration[0].replace(declaration[1], label), text[:8192], count=1
                    )
                    + text[8192:]
                )
        return text.encode(encoding, "replace")


class CharsetMatches:
    """The encodings that bytes may be in, the likeliest first."""

    def __init__(self, results: list[CharsetMatch] | None = None) -> None:
        self._results = list(results or ())

    def __iter__(self) -> Iterator[CharsetMatch]:
        self._results.sort()  # stable
        return iter(self._results)

    def __getitem__(self, item: int | str) -> CharsetMatch:
        matches = list(self)
        if isinstance(item, int):
            return matches[item]
        if isinstance(item, str):
            codec = iana_name(item, strict=False)
            for match in matches:
                if codec in match.could_be_from_charset:
                    return match
        raise KeyError(item)

    def __len__(self) -> int:
        return len(self._results)

    def __bool__(self) -> bool:
        return bool(self._results)

    def append(self, item: CharsetMatch) -> None:
        """Add an encoding, or add it to another one that gives the same text."""
        if not isinstance(item, CharsetMatch):
            raise ValueError(f"expected a CharsetMatch, not {type(item).__name__}")
        if len(item.raw) < TOO_BIG_SEQUENCE:
            for match in self._results:
                if match.chaos == item.chaos and str(match) == str(item):
                    match.add_submatch(item)
                    return
        self._results.append(item)

    def best(self) -> CharsetMatch | None:
        """Return the likeliest match, None if the data is not text."""
        return next(iter(self), None)

    first = best


# --- Detection ---

_FULL: Final = 64  # bits behind the best at which ``chaos`` is all but 1
_LISTED: Final = 4


def from_bytes(
    sequences: bytes | bytearray,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """Return the encodings that bytes may be in, none if they are not text.

    ``cp_isolation`` and ``cp_exclusion``: the only codecs that may be chosen, and those that never are. ``explain``
    logs the decision to stderr. ``preemptive_behaviour=False``: ignore declarations in the data. The other arguments
    are accepted and have no effect. Raise TypeError for anything but bytes.
    """
    if not isinstance(sequences, bytes | bytearray):
        raise TypeError(f"expected bytes or bytearray, not {type(sequences).__name__}")
    data = bytes(sequences)
    if explain:
        level = _logger.level
        _logger.addHandler(explain_handler)
        _logger.setLevel(TRACE)
    try:
        matches = _matches(data, _allowed(cp_isolation, cp_exclusion), preemptive_behaviour)
        best = matches.best()
        if best is None:
            _logger.debug("Encoding detection: the data is no text.")
        else:
            _logger.debug("Encoding detection: %s is most likely the one.", best.encoding)
    finally:
        if explain:
            _logger.removeHandler(explain_handler)
            _logger.setLevel(level)
    return matches


def _allowed(isolation: list[str] | None, exclusion: list[str] | None) -> frozenset[str] | None:
    if not isolation and not exclusion:
        return None
    names = isolation or list(REGISTRY)
    codecs = {lookup_encoding(name) for name in names} - {lookup_encoding(name) for name in exclusion or ()}
    return frozenset(name for name in codecs if name is not None)


def _matches(data: bytes, allowed: frozenset[str] | None, uses_declarations: bool) -> CharsetMatches:
    declared = any_specified_encoding(data) if uses_declarations else None
    if not data:
        return CharsetMatches([CharsetMatch(data, "utf_8", decoded_payload="")])
    texts = Texts(data)
    ranked = rank(texts, allowed, uses_declarations=uses_declarations)
    if not ranked or (ranked[0].reason in ("model", "damaged", "ascii") and sniff.is_binary(data)):
        return CharsetMatches()
    readings: dict[str, Ranked] = {}  # of two codecs of one encoding the smaller one may be declared
    for reading in ranked[:_LISTED]:
        if reading.reason != "damaged":
            readings.setdefault(_module_name(reading, texts), reading)
    matches = CharsetMatches()
    for name, reading in readings.items():
        language = LANGUAGES.get((reading.language or "").partition("-")[0].lower())
        languages = [] if language is None else [language]
        chaos = 1 - 2.0 ** (-reading.bits / _FULL)
        matches.append(CharsetMatch(data, name, chaos, reading.reason == "mark", languages, None, declared))
    return matches


def from_fp(fp: BinaryIO, *args: object, **options: object) -> CharsetMatches:
    """Return what `from_bytes` returns for the rest of a binary file, which stays open."""
    return from_bytes(fp.read(), *args, **options)  # type: ignore[arg-type]


def from_path(path: str | bytes | PathLike[str], *args: object, **options: object) -> CharsetMatches:
    """Return what `from_bytes` returns for the bytes of a file. Raise OSError if it cannot be read."""
    with open(path, "rb") as file:
        return from_fp(file, *args, **options)


def is_binary(
    fp_or_path_or_payload: PathLike[str] | str | BinaryIO | bytes | bytearray, *args: object, **options: object
) -> bool:
    """Return whether bytes, a file or the file at a path are binary data, not text."""
    source = fp_or_path_or_payload
    if isinstance(source, bytes | bytearray):
        return not from_bytes(source, *args, **options)  # type: ignore[arg-type]
    if isinstance(source, str | PathLike):
        return not from_path(source, *args, **options)
    return not from_fp(source, *args, **options)


def detect(byte_str: bytes | bytearray, should_rename_legacy: bool = False, **kwargs: object) -> ResultDict:
    """Return the likeliest encoding of bytes with chardet's names, as ``{"encoding", "language", "confidence"}``.

    For data that is not text, ``encoding`` and ``confidence`` are None. Other arguments are ignored, with a
    UserWarning. Raise TypeError for anything but bytes.
    """
    if kwargs:
        from warnings import warn

        warn(f"detect() ignores {', '.join(kwargs)}", UserWarning, stacklevel=2)
    match = from_bytes(byte_str).best()
    if match is None:
        return {"encoding": None, "language": "", "confidence": None}
    confidence = 1.0 - match.chaos
    if len(byte_str) < TOO_SMALL_SEQUENCE and not match.bom and match.encoding not in ("ascii", "utf_8"):
        confidence = max(confidence - 0.2, 0.0)
    encoding = "utf_8_sig" if match.bom and match.encoding == "utf_8" else match.encoding
    if not should_rename_legacy:
        name = chardet.display_name(encoding)
        encoding = name if codecs.lookup(name).name == codecs.lookup(encoding).name else encoding.upper()
    return {
        "encoding": encoding,
        "language": "" if match.language == "Unknown" else match.language,
        "confidence": confidence,
    }


def set_logging_handler(
    name: str = "charset_normalizer",
    level: int = logging.INFO,
    format_string: str = "%(asctime)s | %(levelname)s | %(message)s",
) -> None:
    """Make a logger write to stderr, from a level on."""
    logger = logging.getLogger(name)
    logger.setLevel(level)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(format_string))
    logger.addHandler(handler)


# --- In the place of charset_normalizer ---

_SUBMODULES: Final = {
    "api": "TOO_BIG_SEQUENCE explain_handler from_bytes from_fp from_path is_binary",
    "constant": "TOO_BIG_SEQUENCE TOO_SMALL_SEQUENCE TRACE",
    "legacy": "ResultDict detect",
    "models": "CharsetMatch CharsetMatches",
    "utils": "any_specified_encoding iana_name set_logging_handler",
    "version": "VERSION __version__",
}
_REPLACED = ReplacedModules("charset_normalizer")


def install() -> None:
    """Make ``import charset_normalizer`` find this module, in this process. Idempotent.

    Call it before libraries that use charset_normalizer are imported. A RuntimeWarning names those that already are.
    """
    _REPLACED.install(__name__, _SUBMODULES)


def uninstall() -> None:
    """Undo ``install()``."""
    _REPLACED.uninstall()


def __dir__() -> list[str]:
    return [*__all__, "install", "uninstall"]
