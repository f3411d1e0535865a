"""Many short byte strings of one unknown encoding: the names of an archive, the tags of an album, a column's cells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from .. import UTF_8, Encoding, sniff

__all__: list[str] = ["DecodedTogether", "decode_together"]

if TYPE_CHECKING:
    from typing_extensions import Buffer


class DecodedTogether(NamedTuple):
    """The result of ``decode_together``: the text of each item, and the encoding of all.

    ``encoding``: an ``Encoding``, or the name of the Python codec of a DOS code page that the standard lacks, such as
    "cp437".
    """

    texts: tuple[str, ...]
    encoding: Encoding | str


DecodedTogether.__module__ = "whatwg_encoding"  # the public name, in pickles

# Bits against each DOS code page; that of Russian, IBM866, is one of the standard's encodings.
_DOS: Final = {
    "cp437": 2, "cp850": 5, "cp852": 6, "cp857": 7, "cp862": 7, "cp737": 7, "cp775": 10, "cp855": 12, "cp861": 12,
    "cp865": 12, "cp863": 12, "cp860": 12,
}  # fmt: skip
# And against encodings that are rarer than these where names are short.
_RARER: Final = {"macintosh": 6, "ISO-8859-3": 6, "ISO-8859-4": 6, "ISO-8859-7": 6, "ISO-8859-13": 6, "windows-1256": 6}
_NO_IDEOGRAPH: Final = re.compile(r"(?<=[A-Za-z])[^\x00-\u024f]|[\u0250-\u2e7f]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_OF_NO_IDEOGRAPHS: Final = 12  # bits against an East Asian encoding if most characters are in Latin words or none
_DOS_OF_LANGUAGES: Final = {
    language: page
    for page, languages in {
        "cp437": "en", "cp850": "da de es fi fr it nb nl no pt sv", "cp852": "cs hr hu pl ro sk sl sq", "cp857": "tr",
        "cp862": "he", "cp737": "el", "cp775": "et lt lv", "cp855": "bg mk sr",
    }.items()
    for language in languages.split()
}  # fmt: skip
_OF_LANGUAGE: Final = 6  # bits in favour of a code page
_SAMPLE: Final = 16384  # bytes that are examined
_ESCAPE: Final = 0x1B


def decode_together(
    items: Iterable[Buffer], *, dos: bool = False, language: str | None = None, tld: str | None = None
) -> DecodedTogether:
    """Return the texts of several byte strings that are in one unknown encoding, and the encoding.

    All of them are evidence, which is little in each: at most 16 KiB, of different items, those beyond ASCII. UTF-8 if
    they are valid; else the likeliest encoding by ``sniff.detect``, to which ``language`` and ``tld`` are hints, or
    with ``dos`` a code page of DOS if text in it is likelier: names in ZIP archives and fields of DBF files have them.
    Malformed bytes are U+FFFD.

    Raise TypeError for an item without a contiguous buffer, and ValueError for a ``tld`` that is not a single label.

    >>> decode_together([name.encode("cp866") for name in ("Отчёт.doc", "Письмо.txt")], dos=True)
    DecodedTogether(texts=('Отчёт.doc', 'Письмо.txt'), encoding=<Encoding IBM866>)
    """
    if isinstance(items, bytes | bytearray | memoryview | str):
        raise TypeError(f"items must be several byte strings, not {type(items).__name__}")
    data = [_content(item, index) for index, item in enumerate(items)]
    joined = _joined(data)
    guesses = sniff.detect(joined, language=language, tld=tld, limit=_SAMPLE)
    encoding = guesses[0].encoding
    if not joined or (encoding is UTF_8 and sniff.utf8_if_valid(joined)):
        return DecodedTogether(tuple(map(UTF_8.decode, data)), UTF_8)
    if dos:
        page = _code_page(joined, guesses[0], language)
        if page is not None:
            return DecodedTogether(tuple(each.decode(page, "replace") for each in data), page)
    return DecodedTogether(tuple(map(encoding.decode, data)), encoding)


def _content(item: Buffer, index: int) -> bytes:
    try:
        return bytes(memoryview(item))
    except TypeError:
        raise TypeError(f"item {index} must be bytes-like, not {type(item).__name__}") from None


def _joined(data: list[bytes]) -> bytes:
    """Return the different items beyond ASCII, or with escape sequences, on a line each."""
    joined, length = [], 0
    for each in dict.fromkeys(data):
        if length < _SAMPLE and not (each.isascii() and _ESCAPE not in each):
            joined.append(each[: _SAMPLE - length])
            length += len(joined[-1]) + 1
    return b"\n".join(joined)


def _code_page(joined: bytes, guess: sniff.Guess, language: str | None) -> str | None:
    """Return the likeliest code page if text in it is likelier than in the encoding that the detector finds."""
    text = guess.encoding.decode(joined)
    best, found = sniff.text_cost(text) + _RARER.get(guess.encoding.name, 0), None
    if not guess.encoding.is_single_byte:
        others = len(_NO_IDEOGRAPH.findall(text))
        best += _OF_NO_IDEOGRAPHS * (2 * others >= max(1, len(_BEYOND_ASCII.findall(text))))
    if guess.encoding is UTF_8:
        best = max(best, guess.score)  # which has the errors
    usual = _DOS_OF_LANGUAGES.get((language or "").replace("_", "-").partition("-")[0].lower())
    for page, against in _DOS.items():
        text = joined.decode(page, "replace")
        cost = sniff.text_cost(text) + against - _OF_LANGUAGE * (page == usual)
        if cost < best:
            best, found = cost, page
    return found
