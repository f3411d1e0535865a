"""Many short byte strings of one unknown encoding: the names of an archive, the tags of an album, a column's cells."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Iterable

from .. import UTF_8, Encoding, sniff
from ..malformed import MOST, Recorder

__all__: list[str] = ["DecodedTogether", "decode_together"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple

    from typing_extensions import Buffer

    from .. import MalformedAt

    class _DecodedTogether(NamedTuple):
        texts: tuple[str, ...]
        encoding: Encoding | str

else:  # as in _api.results
    _DecodedTogether = namedtuple("DecodedTogether", "texts encoding")


class DecodedTogether(_DecodedTogether):
    """The result of ``decode_together``, which unpacks to the texts of the items and their encoding.

    ``encoding``: an ``Encoding``, or the name of a DOS code page that the standard lacks, such as "cp437"; that of all
    items but those that are valid UTF-8. ``errors``: the number of errors replaced with U+FFFD. ``first_errors``: where
    they are, for each of at most 16 a pair of the item's index and a ``MalformedAt``.
    """

    __module__ = "whatwg_encoding"  # the public name, in pickles
    errors: int = 0
    first_errors: tuple[tuple[int, MalformedAt], ...] = ()


def _with_errors(result: DecodedTogether, items: list[bytes], encodings: Iterable[Encoding]) -> DecodedTogether:
    """Set the errors of a result. Only items whose text has U+FFFD are decoded again."""
    errors, records = 0, list[tuple[int, "MalformedAt"]]()
    for index, (item, text, encoding) in enumerate(zip(items, result.texts, encodings, strict=True)):
        if "\ufffd" in text:
            recorder = Recorder(encoding)
            recorder.decode(item, True)
            errors += recorder.errors
            records += [(index, error) for error in recorder.first_errors[: MOST - len(records)]]
    if errors:
        result.errors, result.first_errors = errors, tuple(records)
    return result


# Bits against encodings that are rarer than DOS's code pages where names are short.
_RARER: Final = {"macintosh": 6, "ISO-8859-3": 6, "ISO-8859-4": 6, "ISO-8859-7": 6, "ISO-8859-13": 6, "windows-1256": 6}
_NO_IDEOGRAPH: Final = re.compile(r"(?<=[A-Za-z])[^\x00-\u024f]|[\u0250-\u2e7f]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_OF_SEQUENCE: Final = 1  # bits in favour of UTF-8 for each sequence
_OF_NO_IDEOGRAPHS: Final = 12  # bits against an East Asian encoding if most characters are in Latin words or none
_SAMPLE: Final = 16384  # bytes that are examined
_ESCAPE: Final = 0x1B


def decode_together(
    items: Iterable[Buffer], *, dos: bool = False, language: str | None = None, tld: str | None = None
) -> DecodedTogether:
    """Return the texts of several byte strings that are in one unknown encoding, and the encoding.

    Items that are valid UTF-8 are decoded as UTF-8, unless they are likelier text in the encoding of the others.
    ``sniff.detect`` finds that encoding from at most 16 KiB of different items, with ``language`` and ``tld`` as hints.
    With ``dos``, the code pages of DOS are candidates, too: names in ZIP archives and fields of DBF files use them.
    Malformed bytes become U+FFFD.

    Raise TypeError for an item without a contiguous buffer, and ValueError for a ``tld`` that is not a single label.

    >>> decode_together([name.encode("cp866") for name in ("Отчёт.doc", "Письмо.txt")], dos=True)
    DecodedTogether(texts=('Отчёт.doc', 'Письмо.txt'), encoding=<Encoding IBM866>)
    """
    if isinstance(items, bytes | bytearray | memoryview | str):
        raise TypeError(f"items must be several byte strings, not {type(items).__name__}")
    data = [_content(item, index) for index, item in enumerate(items)]
    apart = {each for each in dict.fromkeys(data) if is_plain_utf_8(each)}
    joined = _joined(each for each in data if each not in apart)
    if not joined:
        return DecodedTogether(tuple(map(UTF_8.decode, data)), UTF_8)
    guesses = sniff.detect(joined, language=language, tld=tld, limit=_SAMPLE)
    encoding = guesses[0].encoding
    page = _code_page(joined, guesses[0], language) if dos else None
    used = encoding if page is None else page
    if encoding.is_utf_16:
        apart.clear()
    apart = {item for item in apart if item.isascii() or is_likelier_utf_8(item, used.decode)}
    encodings = [UTF_8 if item in apart else used for item in data]
    texts = tuple(encoding.decode(item) for encoding, item in zip(encodings, data, strict=True))
    return _with_errors(DecodedTogether(texts, encoding if page is None else page.name), data, encodings)


def _content(item: Buffer, index: int) -> bytes:
    try:
        return bytes(memoryview(item))
    except TypeError:
        raise TypeError(f"item {index} must be bytes-like, not {type(item).__name__}") from None


def is_plain_utf_8(data: bytes) -> bool:
    """Return whether data is valid UTF-8 without the escapes of ISO-2022-JP and the NULs of UTF-16."""
    return UTF_8.valid_up_to(data) == len(data) and _ESCAPE not in data and b"\0" not in data


def is_likelier_utf_8(data: bytes, decode: Callable[[bytes], str]) -> bool:
    """Return whether valid UTF-8 is likelier to be that than text in the encoding of what is beside it."""
    sample = data[:_SAMPLE]
    text = UTF_8.decode(sample)
    sequences = len(_BEYOND_ASCII.findall(text))
    return sniff.text_cost(text) - _OF_SEQUENCE * sequences <= sniff.text_cost(decode(sample))


def _joined(data: Iterable[bytes]) -> bytes:
    """Return the different items beyond ASCII, or with escape sequences, on a line each."""
    joined, length = [], 0
    for each in dict.fromkeys(data):
        if length < _SAMPLE and not (each.isascii() and _ESCAPE not in each):
            joined.append(each[: _SAMPLE - length])
            length += len(joined[-1]) + 1
    return b"\n".join(joined)


def _code_page(joined: bytes, guess: sniff.Guess, language: str | None) -> Encoding | None:
    """Return the likeliest code page if text in it is likelier than in the encoding that the detector finds."""
    text = guess.encoding.decode(joined)
    best, found = sniff.text_cost(text) + _RARER.get(guess.encoding.name, 0), None
    if not guess.encoding.is_single_byte:
        others = len(_NO_IDEOGRAPH.findall(text))
        best += _OF_NO_IDEOGRAPHS * (2 * others >= max(1, len(_BEYOND_ASCII.findall(text))))
    if guess.encoding is UTF_8:
        best = max(best, guess.score)  # which has the errors
    for page, cost in sniff.page_costs(joined, language):
        if cost < best:
            best, found = cost, page
    return found
