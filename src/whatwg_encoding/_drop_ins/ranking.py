"""The codecs of Python's that bytes may be in: the guesses of ``sniff.detect``, by the names of codecs.

A codec is named only if it decodes the bytes without an error, unless no likely one does: of damaged text the likeliest
codec is named.
"""

from __future__ import annotations

import codecs
import re
from collections import namedtuple

import whatwg_encoding as we
from whatwg_encoding import code_pages, sniff
from whatwg_encoding.files import sniff_file_bom

from .codecs import BEYOND_THE_WEB, CODECS_OF, REGISTRY, lookup_encoding, module_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final, NamedTuple

    class Ranked(NamedTuple):
        codec: str
        bits: float
        language: str | None
        reason: str
        declared: str | None = None

else:
    Ranked = namedtuple("Ranked", "codec bits language reason declared", defaults=(None,))
Ranked.__doc__ = """A codec that bytes may be in.

    ``bits``: what its text costs beyond the best. ``reason``: "mark", "declared", "ascii", "escape",
    "structure", "model", or "damaged" if the codec does not decode the bytes. ``declared``: the module of a smaller
    codec that is declared, and decodes the bytes, too.
    """


class Texts(dict[str, str | None]):
    """What codecs decode some data to, None if it has an error. Each of them decodes it once."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data

    def __missing__(self, codec: str) -> str | None:
        try:
            self[codec] = self.data.decode(codec)
        except UnicodeError:
            self[codec] = None
        return self[codec]


_OF_LANGUAGE: Final = 8192  # bytes that tell a language


def _decoded(data: bytes, codec: str) -> str:
    """Return the text of the start of a text. A code page imports no codec."""
    page = code_pages.find(codec)
    return page.decode(data) if page else codecs.getincrementaldecoder(codec)("replace").decode(data)


def _language_of(data: bytes, codec: str) -> str | None:
    """Return the language of a text in a codec, None where it does not tell."""
    text = _decoded(data[:_OF_LANGUAGE], codec)
    options = sniff.options_of(candidates=(we.UTF_8,), decides=False)
    return sniff.guesses_of(text.encode("utf-8", "replace"), (), options)[0].language


# --- Marks, declarations, escapes ---

_MARKS: Final = {"UTF-8": "utf-8-sig", "UTF-16LE": "utf-16", "UTF-16BE": "utf-16"}


def _marked(data: bytes) -> str | None:
    """Return the codec that a byte order mark names. UTF-16's may be followed by NUL, and then looks like UTF-32's."""
    encoding, length = sniff_file_bom(data)
    if encoding is None:
        return None
    rest = data[length:]
    if encoding.name == "UTF-32LE" and rest and encoding.valid_up_to(rest) < max(1, len(rest) - 3):
        return "utf-16"
    return _MARKS.get(encoding.name, "utf-32")


_HEAD: Final = 4096  # bytes in which a declaration is looked for
# https://peps.python.org/pep-0263/, of the first two lines
_CODING: Final = re.compile(rb"(?:[ \t\f]*#[^\r\n]*\r?\n|\s*\r?\n)?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]{1,64})")


def declared_name(data: bytes) -> str | None:
    """Return what the data declares its encoding to be: in a comment of Python's, in XML, in a ``meta``."""
    coding = _CODING.match(data, 0, _HEAD)
    return coding[1].decode("ascii") if coding else sniff.name_in_page(data[:_HEAD])


_HZ: Final = re.compile(rb"~\{(?:[!-w][!-~])+~\}")
_UTF_7: Final = re.compile(rb"\+[A-Za-z0-9+/]{3,}-?")
_BITS_TO_A_CHARACTER: Final = 16  # of UTF-7, at most: a key in base64 becomes characters that no text has together


def _by_escapes(texts: Texts) -> str | None:
    """Return the codec whose escape sequences ASCII bytes have, ISO-2022-JP's aside, or None."""
    data = texts.data
    if b"\x1b$)C" in data and texts["iso2022_kr"] is not None:
        return "iso2022_kr"
    if _HZ.search(data) and texts["hz"] is not None:
        return "hz"
    if b"\x1b" not in data and (match := _UTF_7.search(data)) and texts["utf-7"] is not None:
        text = match[0].decode("utf-7", "replace")
        if not text.isascii() and sniff.text_cost(text) < _BITS_TO_A_CHARACTER * len(text):
            return "utf-7"
    return None


def _certain(texts: Texts, declared: str | None) -> Iterator[tuple[str | None, str]]:
    """Yield codecs that a mark, escapes, ASCII or NULs show, each with the reason."""
    data = texts.data
    if codec := _marked(data):
        yield codec, "damaged" if texts[codec] is None else "mark"  # as on the web, it decides whatever follows
    if data.isascii() and b"\0" not in data:
        yield _by_escapes(texts), "escape"
        if b"\x1b" not in data:
            if declared is not None and (texts[declared] or "\x80").isascii():
                yield declared, "declared"
            yield "ascii", "ascii"
    if len(data) % 4 == 0 and data.count(0) * 2 >= len(data):
        yield from ((codec, "structure") for codec in ("utf-32-le", "utf-32-be") if "\0" not in (texts[codec] or "\0"))


# --- The ranking ---

_NEAR: Final = 24  # bits behind the best within which an encoding may be named
_PRIOR: Final = 14  # bits against a codec without a table, as against a code page in C
_SAMPLE: Final = 256  # bytes of a text by which these are judged
_BEFORE: Final = 16  # of them, before the first one that is not UTF-8
_NAMES: Final = {we.ENCODINGS[name]: of_name for name, of_name in CODECS_OF.items()} | {
    page: [name]
    for name in BEYOND_THE_WEB
    if (page := code_pages.find(name)) and page.is_single_byte and page.is_ascii_compatible
}
_WITHOUT_TABLE: Final = [name for name in BEYOND_THE_WEB if [name] not in _NAMES.values()]


def rank(texts: Texts, allowed: frozenset[str] | None = None, *, uses_declarations: bool = True) -> list[Ranked]:
    """Return the codecs that non-empty data may be in, the likeliest first; of ``allowed`` alone, if it is given."""
    name = declared_name(texts.data) if uses_declarations else None
    declared = None if name is None else lookup_encoding(name)
    if allowed is not None and declared not in allowed:
        declared = None
    for codec, reason in _certain(texts, declared):
        if codec is not None and (allowed is None or codec in allowed):
            language = None if reason in ("ascii", "declared") else _language_of(texts.data, codec)
            return [Ranked(codec, 0.0, language, reason)]
    ranked: dict[str, Ranked] = {}
    least = 0.0
    for of_name, bits, language in _readings(texts, allowed, declared):
        fitting = [codec for codec in of_name if texts[codec] is not None]
        least = least if ranked else bits
        if fitting:
            reason = "declared" if declared in fitting else "model"
        elif not ranked:  # text that no codec of the likeliest encoding decodes is damaged
            fitting, reason = of_name[:1], "damaged"
        smaller = _smaller(texts, name or "", declared) if declared in of_name else None
        for codec in fitting:
            ranked.setdefault(codec, Ranked(codec, bits - least, language, reason, smaller))
    return [*ranked.values()]


def _smaller(texts: Texts, name: str, codec: str) -> str | None:
    """Return the module of a declared name if it stands for one encoding with a codec, as shift_jis with cp932."""
    module = module_of(name)
    if module is None or texts[module] is None:
        return None
    return module if REGISTRY[codec].is_multibyte_cjk or texts[module] == texts[codec] else None


def _readings(
    texts: Texts, allowed: frozenset[str] | None, declared: str | None
) -> list[tuple[list[str], float, str | None]]:
    """Return the likeliest encodings, best first: the names of each as codecs, its bits, and the language."""
    data, names = texts.data, _NAMES
    if allowed is not None:
        within = {encoding: [codec for codec in of_name if codec in allowed] for encoding, of_name in _NAMES.items()}
        names = {encoding: of_name for encoding, of_name in within.items() if of_name}
    hints = tuple(encoding for encoding, of_name in names.items() if declared in of_name)
    guesses, readings = [], []
    if names:
        options = sniff.options_of(candidates=None if allowed is None else names, scope=sniff.PYTHON, decides=False)
        guesses = sniff.guesses_of(data, hints, options)
    for guess in guesses:
        bits, of_name = guess.score - guesses[0].score, names.get(guess.encoding)
        if bits >= _NEAR or not of_name:
            continue
        if guess.encoding in hints and len(of_name) > 1:
            text = guess.encoding.decode(data)
            of_name = sorted(of_name, key=lambda codec: (texts[codec] != text, codec != declared))
        readings.append((of_name, float(bits), guess.language))
    best = guesses[0].encoding if guesses else we.WINDOWS_1252
    if best.is_ascii_compatible and sniff.utf8_if_valid(data) is None:
        readings += _without_table(texts, best, allowed)
    return sorted(readings, key=lambda reading: reading[1])


def _without_table(
    texts: Texts, best: we.Encoding, allowed: frozenset[str] | None
) -> Iterator[tuple[list[str], float, str | None]]:
    """Yield the codecs that are no candidates in C, with the bits by which their text costs more than the best one's.

    The text of a sample is compared.
    """
    data = texts.data
    start = max(0, we.UTF_8.valid_up_to(data) - _BEFORE)
    sample = data[start : start + _SAMPLE]
    limit = sniff.text_cost(best.new_decoder().decode(sample)) + _NEAR - _PRIOR
    for name in _WITHOUT_TABLE:
        if allowed is None or name in allowed:
            bits = float(sniff.text_cost(_decoded(sample, name)) - limit + _NEAR)
            if bits < _NEAR and texts[name] is not None:
                yield [name], bits, _language_of(data, name) if bits < 0 else None
