"""Many short byte strings of one unknown encoding: the names of an archive, the tags of an album, a column's cells."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable

from .._labels import ENCODINGS, UTF_8
from .._native.core import Encoding, bom_sniff
from .._native.detect import choose
from .._sniff.arguments import WEB, WEB_AND_DOS, options_of
from ..malformed import MOST, Recorder
from .by_line import bits_of_utf_8
from .start import has_controls

__all__: list[str] = ["DecodedTogether", "decode_together"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple

    from typing_extensions import Buffer

    from .. import MalformedAt
    from .._native.detect import Options

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


_SAMPLE: Final = 16384  # bytes that are examined
_ESCAPE: Final = 0x1B


def decode_together(
    items: Iterable[Buffer],
    *,
    dos: bool = False,
    language: str | None = None,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> DecodedTogether:
    """Return the texts of several byte strings that are in one unknown encoding, and the encoding.

    Items that are valid UTF-8 are decoded as UTF-8, unless they are likelier text in the encoding of the others.
    ``sniff.detect`` finds that encoding from at most 16 KiB of different items, with the arguments ``language``,
    ``tld``, ``exclude`` and ``candidates``. With ``dos``, the code pages of DOS are candidates, too: names in ZIP
    archives and fields of DBF files use them. Malformed bytes become U+FFFD.

    Raise TypeError for an item without a contiguous buffer, and what ``sniff.crawl`` raises for its arguments.

    >>> decode_together([name.encode("cp866") for name in ("Отчёт.doc", "Письмо.txt")], dos=True)
    DecodedTogether(texts=('Отчёт.doc', 'Письмо.txt'), encoding=<Encoding IBM866>)
    """
    if isinstance(items, bytes | bytearray | memoryview | str):
        raise TypeError(f"items must be several byte strings, not {type(items).__name__}")
    data = [_content(item, index) for index, item in enumerate(items)]
    options = options_of(
        _SAMPLE, tld, exclude, candidates, language, WEB_AND_DOS if dos or candidates is not None else WEB
    )
    encoding = _utf_16_of(data, options)
    apart: set[bytes] = set()
    if encoding is None:
        may_be_utf_8 = UTF_8 not in options.excluded and (not options.candidates or UTF_8 in options.candidates)
        apart = {item for item in data if is_plain_utf_8(item) and (may_be_utf_8 or item.isascii())}
        joined = _joined((item for item in data if item not in apart), dos)
        encoding = choose(joined, None, options, False)[0].encoding if joined or not may_be_utf_8 else UTF_8
        apart = {item for item in apart if item.isascii() or bits_of_utf_8(item, encoding) >= 0}
    encodings = [UTF_8 if item in apart else encoding for item in data]
    texts = tuple(own.decode(item).removeprefix("\ufeff") for own, item in zip(encodings, data, strict=True))
    name = encoding if encoding.name in ENCODINGS else encoding.name
    return _with_errors(DecodedTogether(texts, name), data, encodings)


def _utf_16_of(data: list[bytes], options: Options) -> Encoding | None:
    """Return the encoding of items that are in UTF-16, with or without marks, or None."""
    sample = b"".join(dict.fromkeys(data))
    if (not has_controls(sample) and bom_sniff(sample) is None) or any(len(item) % 2 for item in data):
        return None
    encoding = choose(sample[:_SAMPLE], None, options, False)[0].encoding
    return encoding if encoding.is_utf_16 else None


def _content(item: Buffer, index: int) -> bytes:
    try:
        return bytes(memoryview(item))
    except TypeError:
        raise TypeError(f"item {index} must be bytes-like, not {type(item).__name__}") from None


def is_plain_utf_8(data: bytes) -> bool:
    """Return whether data is valid UTF-8 without the escapes of ISO-2022-JP and the controls of UTF-16."""
    return UTF_8.valid_up_to(data) == len(data) and _ESCAPE not in data and not has_controls(data)


def _joined(data: Iterable[bytes], dos: bool) -> bytes:
    """Return the different items, on a line each; in DOS, lines end with CR LF.

    One item is left as it is, so that it reads as it does alone.
    """
    joined, length = [], 0
    for item in dict.fromkeys(data):
        if length < _SAMPLE:
            joined.append(item[: _SAMPLE - length])
            length += len(joined[-1]) + 2
    return b"\r\n".join([*joined, b""] if dos and joined else joined)
