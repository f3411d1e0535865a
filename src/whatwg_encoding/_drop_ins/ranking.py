"""The ranking of Python's codecs for bytes: the detector's guesses by codec, and codecs that the web does not have.

A codec is named only if it decodes the bytes without an error, unless no likely one does: of damaged text the likeliest
codec is named. Codecs beyond the web's are compared by what the text that they give costs under the same model.
"""

from __future__ import annotations

import codecs
import re
from collections import namedtuple
from functools import cache

import whatwg_encoding as we
from whatwg_encoding import code_pages, sniff

from .codecs import BEYOND_THE_WEB, CODECS_OF, REGISTRY, lookup_encoding, of_encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, NamedTuple

    class Ranked(NamedTuple):
        codec: str
        bits: float
        language: str | None
        reason: str

else:
    Ranked = namedtuple("Ranked", "codec bits language reason")
Ranked.__doc__ = """A codec that bytes may be in.

    ``bits``: what its text costs beyond the best. ``reason``: "mark", "declared", "ascii", "escape",
    "structure", "model", or "damaged" if the codec does not decode the bytes.
    """

CERTAIN: Final = 0.0


_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"\x84\x31\x95\x33", "gb18030"),
    *((b"+/v" + last, "utf-7") for last in (b"8", b"9", b"+", b"/")),
)
_LONGEST_MARK: Final = max(len(mark) for mark, _ in _MARKS)


def marked(data: bytes) -> str | None:
    """Return the codec that a byte order mark names. UTF-16's may be followed by NUL, and then looks like UTF-32's."""
    codec = next((codec for mark, codec in _MARKS if data.startswith(mark)), None)
    if codec == "utf-32" and data.startswith(codecs.BOM_UTF16_LE) and not _begins(data, codec):
        return "utf-16"
    return codec


def _begins(data: bytes, codec: str) -> bool:
    """Return whether a text in a codec begins with the data, which may end within a character."""
    try:
        return bool(codecs.getincrementaldecoder(codec)().decode(data)) or len(data) <= _LONGEST_MARK
    except UnicodeError:
        return False


def decoded(data: bytes, codec: str) -> str | None:
    """Return what a codec decodes the data to, None if it has an error."""
    try:
        return data.decode(codec)
    except UnicodeError:
        return None


class Texts(dict[str, str | None]):
    """What codecs decode some data to, None if it has an error. Each of them decodes it once."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data

    def __missing__(self, codec: str) -> str | None:
        text = self[codec] = decoded(self.data, codec)
        return text


_OF_LANGUAGE: Final = 8192  # bytes that tell a language


def language_of(data: bytes, codec: str) -> str | None:
    """Return the language of a text in a codec, None where it does not tell."""
    text = codecs.getincrementaldecoder(codec)("replace").decode(data[:_OF_LANGUAGE])
    return sniff.detect(text.encode("utf-8", "replace"), candidates=[we.UTF_8])[0].language


# --- Declarations ---

_HEAD: Final = 4096
_DECLARATIONS: Final = (
    re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([^"'<>]{1,64})["']""", re.IGNORECASE),
    re.compile(rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'<>/;]{1,64})""", re.IGNORECASE),
)
# https://peps.python.org/pep-0263/, of the first two lines
_SOURCE: Final = re.compile(rb"(?:[ \t\f]*#[^\r\n]*\r?\n|\s*\r?\n)?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]{1,64})")


def declared_names(data: bytes) -> list[str]:
    """Return what the data declares its encoding to be: in XML, in a ``meta``, in a comment of Python's."""
    head = data[:_HEAD]
    names = [match[1] for pattern in _DECLARATIONS for match in pattern.finditer(head)]
    if source := _SOURCE.match(head):
        names.append(source[1])
    return [name.decode("latin-1") for name in names]


# --- ASCII bytes ---

_ESCAPES: Final = ((b"\x1b$)C", "iso2022_kr"), (b"~{", "hz"), (b"+", "utf-7"))
_HZ: Final = re.compile(rb"~\{(?:[!-w][!-~])+~\}")
_UTF_7: Final = re.compile(rb"\+[A-Za-z0-9+/]{3,}-?")
_SOME_ASCII: Final = re.compile(rb"[\x09\x0a\x0c\x0d\x20-\x7e\x0e\x0f]*")


def _by_escapes(texts: Texts) -> str | None:
    """Return the codec whose escape sequences ASCII bytes have, ISO-2022-JP's aside, or None."""
    data = texts.data
    if b"\x1b$)C" in data and texts["iso2022_kr"] is not None:
        return "iso2022_kr"
    if _HZ.search(data) and texts["hz"] is not None:
        return "hz"
    if b"\x1b" not in data and (match := _UTF_7.search(data)) and texts["utf-7"] is not None:
        text = match[0].decode("utf-7", "replace")
        # What is in base64 otherwise, such as a key, becomes characters that no text has together.
        if not text.isascii() and sniff.text_cost(text) < 16 * len(text):
            return "utf-7"
    return None


# --- Codecs that the web does not have ---

_SAMPLE: Final = 1024
_FIRST_SAMPLE: Final = 96
_PIECE: Final = 96
_BEFORE: Final = 16  # bytes of a piece before the first one beyond ASCII
_BEYOND_ASCII: Final = re.compile(rb"[\x80-\xff]")
_BLANK: Final = re.compile(rb"[\t\n\r ]")
_BEHIND: Final = 100  # bits on the first sample beyond which a codec is not tried on the second
_PRIOR: Final = 16  # bits against each


def _sample(data: bytes) -> bytes:
    """Return pieces of the data that have bytes beyond ASCII. Each ends at a blank, where no sequence is cut."""
    pieces: list[bytes] = []
    at = size = 0
    while size < _SAMPLE and (match := _BEYOND_ASCII.search(data, at)):
        start = max(at, match.start() - _BEFORE)
        end = _BLANK.search(data, max(start + _PIECE, match.end()))
        at = min(len(data), start + _SAMPLE) if end is None else end.start()
        pieces.append(data[start : min(at, start + _SAMPLE)])
        size += len(pieces[-1])
        if at > start + _SAMPLE:
            break
    return b"\n".join(pieces)


@cache
def _charmap(codec: str) -> str:
    """Return the characters of the bytes of a single-byte codec, U+FFFD for none. A code page imports no codec."""
    every = bytes(range(256))
    try:
        return code_pages.lookup(codec).decode(every)
    except we.UnknownLabelError:
        return every.decode(codec, "replace")


def _costs(sample: bytes, names: Iterable[str], at_most: int) -> dict[str, int]:
    """Return the codecs that decode a sample to a text that costs no more bits than that, and its bits."""
    pages = [name for name in names if not REGISTRY[name].is_multibyte_cjk]
    costs = dict(zip(pages, sniff.charmap_costs(sample, map(_charmap, pages), at_most=at_most), strict=True))
    for name in names:
        if name not in costs:
            text = codecs.getincrementaldecoder(name)("replace").decode(sample)
            bits = sniff.text_cost(text)
            costs[name] = bits if bits <= at_most else None
    return {name: cost for name in names if (cost := costs.get(name)) is not None}


def _beyond_the_web(texts: Texts, best: we.Encoding, names: list[str]) -> list[tuple[int, str]]:
    """Return the codecs of ``names`` that decode the data, with the bits by which their text beats that of ``best``."""
    sample = _sample(texts.data)
    end = _BLANK.search(sample, _FIRST_SAMPLE, 2 * _FIRST_SAMPLE)
    first = sample[: _FIRST_SAMPLE if end is None else end.start()]
    # A sequence that is cut, as in text without blanks, is left out.
    near = _costs(first, names, sniff.text_cost(best.new_decoder().decode(first)) + _BEHIND)
    if not near:
        return []
    limit = sniff.text_cost(best.decode(sample))
    costs = _costs(sample, near, limit + _BEHIND)
    return [(cost + _PRIOR - limit, name) for name, cost in costs.items() if texts[name] is not None]


# --- The ranking ---

_DECLARED: Final = 12  # bits in favour of a declared codec


def rank(texts: Texts, allowed: frozenset[str] | None = None, *, uses_declarations: bool = True) -> list[Ranked]:
    """Return the codecs that non-empty data may be in, the likeliest first; of ``allowed`` alone, if it is given."""

    def may_be(codec: str) -> bool:
        return allowed is None or codec in allowed

    data = texts.data
    codec = marked(data)
    if codec is not None and may_be(codec):
        if texts[codec] is not None:
            return [Ranked(codec, CERTAIN, language_of(data, codec), "mark")]
        if codec.startswith("utf-") and codec != "utf-7":  # as on the web, a mark decides whatever follows
            return [Ranked(codec, CERTAIN, language_of(data, codec), "damaged")]
    names = map(lookup_encoding, declared_names(data)) if uses_declarations else ()
    declared = [codec for codec in names if codec is not None and may_be(codec)]
    if data.isascii() and b"\0" not in data:
        codec = _by_escapes(texts)
        if codec is not None and may_be(codec):
            return [Ranked(codec, CERTAIN, language_of(data, codec), "escape")]
        if b"\x1b" not in data:
            for codec in declared:
                if (text := texts[codec]) is not None and text.isascii():
                    return [Ranked(codec, CERTAIN, None, "declared")]
            if may_be("ascii"):
                return [Ranked("ascii", CERTAIN, None, "ascii")]
    if len(data) % 4 == 0 and data.count(0) * 2 >= len(data):
        for codec in ("utf-32-le", "utf-32-be"):
            if may_be(codec) and "\0" not in (texts[codec] or "\0"):
                return [Ranked(codec, CERTAIN, language_of(data, codec), "structure")]
    return _by_model(texts, allowed, declared)


def _by_model(texts: Texts, allowed: frozenset[str] | None, declared: list[str]) -> list[Ranked]:
    data = texts.data
    candidates = None
    if allowed is not None:
        candidates = [name for name, names in CODECS_OF.items() if not allowed.isdisjoint(names)]
    elif b"\x1b" in data and data.isascii() and _is_sure(we.ISO_2022_JP, data):
        candidates = [we.ISO_2022_JP.name]
    web = (
        [name for name, names in CODECS_OF.items() if any(candidate in names for candidate in declared)]
        if declared
        else []
    )
    guesses = [] if candidates == [] else sniff.file_guesses(data, web, candidates)
    ranked: list[Ranked] = []
    best = guesses[0].score if guesses else 0
    for guess in guesses:
        if ranked and guess.score - best >= _NEAR:
            break
        names = of_encoding(guess.encoding, allowed)
        fitting = _fitting(texts, guess.encoding, names, declared) if guess.score - best < _NEAR else []
        reason = "model"
        if not fitting:
            reason = "damaged"
        elif any(name in declared for name in fitting):
            reason = "declared"
        # Text that no codec of the likeliest encoding decodes is damaged.
        named = fitting or ([] if ranked else names[:1])
        ranked += [Ranked(name, guess.score - best, guess.language, reason) for name in named]
    others = [] if data.isascii() else [name for name in BEYOND_THE_WEB if allowed is None or name in allowed]
    if others and not (ranked and _is_sure(guesses[0].encoding, data)):
        reading = guesses[0].encoding if guesses else we.WINDOWS_1252
        for bits, name in _beyond_the_web(texts, reading, others):
            bits -= _DECLARED * (name in declared)
            reason = "declared" if name in declared else "model"
            ranked.append(Ranked(name, bits, language_of(data, name) if bits < 0 else None, reason))
    ranked.sort(key=lambda candidate: candidate.bits)
    least = ranked[0].bits if ranked else 0
    by_codec: dict[str, Ranked] = {}
    for candidate in ranked:
        if candidate is ranked[0] or candidate.reason != "damaged":
            by_codec.setdefault(candidate.codec, candidate._replace(bits=candidate.bits - least))
    return [*by_codec.values()]


def _fitting(texts: Texts, encoding: we.Encoding, names: list[str], declared: list[str]) -> list[str]:
    """Return the codecs that decode the data: first those that give the encoding's text, of them the declared ones."""
    fitting = [name for name in names if texts[name] is not None]
    if len(fitting) < 2 or (names[0] in fitting and not any(name in declared for name in names)):
        return fitting  # the first codec of an encoding has no other characters than the encoding
    text = encoding.decode(texts.data)
    return sorted(fitting, key=lambda name: (texts[name] != text, name not in declared))  # stable


_NEAR: Final = 24  # bits behind the best within which an encoding may be named
_STRUCTURED: Final = ("UTF-8", "UTF-16LE", "UTF-16BE", "ISO-2022-JP")


def _is_sure(encoding: we.Encoding, data: bytes) -> bool:
    """Return whether data has the structure of an encoding that no other text has by chance. UTF-8 may be cut off."""
    if encoding is we.UTF_8:
        return sniff.utf8_if_valid(data) is not None
    return encoding.name in _STRUCTURED and encoding.valid_up_to(data) == len(data)
