"""The most likely encoding of text whose declarations may be missing or wrong: ``sniff.crawl`` and the detectors.

No standard specifies this. `most_likely` has the order of the steps, which docs/detection.md explains; what is neither
UTF-8 nor has a structure of its own is left to `detection`.
"""

from __future__ import annotations

import re
import sys

from .._api.hooks import checked_str
from .._native.determination.prescan import Sniffed, Steps, prescan, utf_8_counts
from .._native.text.core import ISO_2022_JP_ESCAPES, Encoding, byte_view, check_limit, quote, sniff_bom
from .._native.text.labels import ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, lookup
from ..mime import transport_encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from typing_extensions import Buffer

    from .hints import ContentType

LIMIT: Final = 16384
"""The default of ``limit``."""
CRAWLED_UTF_8: Final = Sniffed(UTF_8, "tentative", "utf-8")

# --- Bytes without an error ---

# The escape sequences before Japanese characters in ISO-2022-JP, whose bytes are all valid UTF-8.
_ISO_2022_JP_ESCAPE: Final = re.compile(b"|".join(map(re.escape, ISO_2022_JP_ESCAPES[1:])))
_ESCAPE: Final = ISO_2022_JP_ESCAPES[0][:1]
_LONGEST_CUT: Final = 3  # upper bound on the bytes of an incomplete sequence


def _has_escapes(data: bytes | memoryview) -> bool:
    """Return whether ``data`` has escape sequences of ISO-2022-JP."""
    if isinstance(data, bytes) and _ESCAPE not in data:  # the fast path, many times as fast as the search
        return False
    return _ISO_2022_JP_ESCAPE.search(data) is not None


def utf8_if_valid(data: Buffer) -> Encoding | None:
    """Return UTF-8 if ``data`` is valid UTF-8, else None: a detector.

    An incomplete sequence at the end is accepted, unless it is the only byte above 0x7F, which is more likely the é of
    windows-1252. ASCII with escape sequences of ISO-2022-JP is not UTF-8. The data is not decoded. Raise TypeError for
    data without a contiguous buffer.

    >>> utf8_if_valid("日本".encode()[:-1]), utf8_if_valid(b"caf\\xe9")
    (<Encoding UTF-8>, None)
    """
    view = byte_view(data)
    valid = UTF_8.valid_up_to(view)
    if valid < len(view):
        # What follows may be an incomplete sequence, but not any other error.
        if len(view) - valid > _LONGEST_CUT or UTF_8.new_decoder().decode(view[valid:]):
            return None
        if valid == len(view) - 1 and bytes(view[:valid]).isascii():
            return None
    if _has_escapes(view) and bytes(view).isascii():
        return None
    return UTF_8


# --- Bytes with some errors ---
# Damage makes few errors beside the characters; bytes of another encoding make more errors than characters.

# The ratios are the least numbers of characters beyond ASCII to an error, counted in all of the data. UTF-8 that has
# so many needs no score, and a sample might have other ones.
_UTF_8_RATIO: Final = 2
_UTF_8_RATIO_IF_SHORT: Final = 3
_SHORT: Final = 160  # bytes: some 80 characters
_ISO_2022_JP_RATIO: Final = 2
_UTF_16_RATIO: Final = 4


def _reaches(view: bytes | memoryview, encoding: Encoding, ratio: int) -> bool:
    """Return whether there are at least so many characters beyond ASCII to an error; a cut at the end is none."""
    decoder = encoding.new_decoder()
    text = decoder.decode(view)
    errors = decoder.error_count
    return len(text) - len(text.encode("ascii", "ignore")) - errors >= ratio * errors


# In UTF-16, the upper half of ASCII's units is NUL, and that of most alphabets' units is a C0 control. The lower half
# of some ideographs and of the ideographic space is NUL, too, so NULs beside these upper halves are no evidence.
_NULS_TO_A_MISPLACED_ONE: Final = 4
_UNITS_TO_A_NUL: Final = 128
_C0: Final = bytes(range(0x20))
_BESIDE_NULS: Final = frozenset(range(0x4E)) - {0x30}


def _utf_16(view: bytes | memoryview, limit: int, transport: Encoding | None, *, is_utf_8: bool) -> Encoding | None:
    """Return UTF-16BE or UTF-16LE if the places of the NULs in the first ``limit`` bytes say so, else None.

    ``is_utf_8``: ``view`` may be UTF-8 with NULs, too. It is UTF-16 if the header says so or if the upper halves are
    C0 controls, three of four at least. If it is not UTF-8, one NUL in 128 units is enough.
    """
    if isinstance(view, bytes) and view.find(b"\0", 0, limit) < 0:  # the fast path: no copy
        return None
    head = bytes(view[:limit])
    even, odd = head[::2], head[1::2]
    if is_utf_8:
        places = even.count(0), odd.count(0)
    else:
        pairs = list(zip(even, odd, strict=False))
        places = (
            sum(a == 0 and b in _BESIDE_NULS for a, b in pairs),
            sum(b == 0 and a in _BESIDE_NULS for a, b in pairs),
        )
    nuls, misplaced = max(places), min(places)
    if nuls == 0 or nuls < _NULS_TO_A_MISPLACED_ONE * misplaced:
        return None
    encoding, upper = (UTF_16BE, even) if nuls == places[0] else (UTF_16LE, odd)
    if transport is not None and transport.is_utf_16:
        return encoding
    if nuls == 1:
        return None
    if is_utf_8:
        others = len(upper.translate(None, _C0))
        return encoding if others * 4 <= len(upper) else None
    return encoding if nuls * _UNITS_TO_A_NUL >= len(upper) and _reaches(view, encoding, _UTF_16_RATIO) else None


# --- Detectors ---

# chardetng-py returns names of Python's codecs. This is the one that is not a label.
_CHARDETNG_NAMES: Final = {"cp874": "windows-874"}


def chardetng(data: Buffer, *, tld: str | None = None, allow_utf8: bool = True, last: bool = False) -> str | None:
    """Return the name of the encoding that Firefox's detector finds in the data, or None for ASCII: a detector.

    ``tld``: the top-level domain of the host, a strong hint. ``allow_utf8=False``: never return UTF-8, as browsers do
    for network content, so that pages do not depend on detection. ``last``: an incomplete sequence at the end is an
    error; by default the text may be cut anywhere. With arguments, as a detector:
    ``functools.partial(chardetng, tld="jp")``. Raise ImportError without the extra ``detect``, ValueError for a ``tld``
    that is not a single label, and TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#encoding-sniffing-algorithm, "autodetect"

    >>> chardetng("日本語のテキスト".encode("euc-jp"))
    'EUC-JP'
    """
    try:
        from chardetng_py import EncodingDetector  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("this needs chardetng-py: pip install '.[detect]'") from error
    detector = EncodingDetector()
    content = bytes(byte_view(data))
    domain = checked_domain(tld)
    # ISO-2022-JP is ASCII bytes with escapes: the detector finds it, although it then reports no byte above 0x7F.
    if not detector.feed(content, last=last) and _ESCAPE not in content:
        return None
    # Without last=True the detector accepts any incomplete sequence as the start of one in UTF-8.
    answer: str = detector.guess(
        tld=None if domain is None else domain.encode(),
        allow_utf8=allow_utf8 and (last or utf8_if_valid(content) is not None),
    )
    return lookup(_CHARDETNG_NAMES.get(answer, answer)).name


def checked_domain(tld: str | None) -> str | None:
    """Return a top-level domain in lower case and ASCII. Raise ValueError if it is not a label, TypeError if no str."""
    if tld is None:
        return None
    label = checked_str(tld, "tld").lower()
    if not 0 < len(label) <= 63 or "." in label:  # octets at most: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
        raise ValueError(f"tld must be the last label of a host name, such as 'jp', not {quote(tld)}")
    return label if label.isascii() else label.encode("idna").decode("ascii")


class CrawlDetector:
    """The result of ``crawl_detector``: a callable from bytes to an encoding or None.

    ``limit``: the number of bytes of a stream that it uses.
    """

    __module__ = "whatwg_encoding.sniff"  # the public name, in pickles
    __slots__ = ("limit", "tld")

    def __init__(self, limit: int, tld: str | None) -> None:
        self.limit: int = limit
        self.tld: str | None = tld

    def __call__(self, data: Buffer) -> Encoding | None:
        view = byte_view(data)
        return most_likely(view, self.limit, self.tld, None, uses_meta=False).encoding

    def __repr__(self) -> str:
        return f"crawl_detector({self.limit}, tld={self.tld!r})"

    def __reduce__(self) -> tuple[type[CrawlDetector], tuple[int, str | None]]:
        return type(self), (self.limit, self.tld)


def check_crawl(limit: int, tld: str | None) -> None:
    """Raise TypeError or ValueError for a wrong argument, before data is read."""
    check_limit(limit)
    checked_domain(tld)


def crawl_detector(limit: int = LIMIT, *, tld: str | None = None) -> CrawlDetector:
    """Return a detector for undeclared text: what ``crawl`` finds without declarations.

    Of a stream the detector uses the first ``limit`` bytes only, so that text is available before the last byte; a
    stream that is ASCII up to there is UTF-8. ``tld``: the top-level domain of the host. Raise ValueError for a
    ``limit`` below 1 and a ``tld`` that is not a single label.

    >>> from whatwg_encoding import sniff
    >>> sniff.html("<p>Привет, мир".encode("koi8-r"), detector=crawl_detector())
    Sniffed(encoding=<Encoding KOI8-R>, confidence='tentative', source='detector')
    """
    check_crawl(limit, tld)
    return CrawlDetector(limit, tld)


# --- The decision ---


def most_likely(
    view: bytes | memoryview, limit: int, tld: str | None, transport: Encoding | None, *, uses_meta: bool = True
) -> Sniffed:
    """Return the most likely encoding of bytes without a byte order mark.

    ``transport``: what the header declares. ``uses_meta``: whether the page's own declaration counts, too.
    """
    encoding = _utf_16(view, limit, transport, is_utf_8=True)
    if encoding is None and utf8_if_valid(view) is not None:
        return CRAWLED_UTF_8
    declarations = ("transport", transport), ("prescan", prescan(view) if uses_meta else None)
    if encoding is None:
        characters, errors = utf_8_counts(view)
        if characters and characters >= errors * (_UTF_8_RATIO_IF_SHORT if len(view) < _SHORT else _UTF_8_RATIO):
            return CRAWLED_UTF_8
        is_iso_2022_jp = _has_escapes(view) and _reaches(view, ISO_2022_JP, _ISO_2022_JP_RATIO)
        encoding = ISO_2022_JP if is_iso_2022_jp else _utf_16(view, limit, transport, is_utf_8=False)
        if encoding is None:
            from .detection import best_guess  # imported here, since most text is UTF-8

            declared = tuple(declared for _, declared in declarations if declared is not None)
            encoding = best_guess(view, declared, tld, limit, max(0, errors - characters))
    if encoding is UTF_8:
        return CRAWLED_UTF_8
    source = next((source for source, declared in declarations if declared is encoding), "detector")
    return Sniffed(encoding, "tentative", source)


def sniff_view(view: bytes | memoryview, content_type: ContentType, limit: int, tld: str | None) -> Sniffed:
    """Return what ``crawl`` returns, for arguments that have been checked."""
    marked, _ = sniff_bom(view)
    if marked is not None:
        return Sniffed(marked, "certain", "bom")
    return most_likely(view, limit, tld, transport_encoding(content_type))


def crawl(data: Buffer, content_type: ContentType = None, *, limit: int = LIMIT, tld: str | None = None) -> Sniffed:
    """Return the most likely encoding of a text, given its bytes and perhaps a header. Browsers may use another one.

    ``content_type``: the value of the ``Content-Type`` header, a list of values if it has several lines, or None.

    ``Sniffed.source``: "bom"; "utf-8", whether declared or not; "transport" (``content_type``) or "prescan" (a ``meta``
    or an XML declaration) if the encoding is declared there; "detector" otherwise. UTF-8 may have one error to two
    characters beyond ASCII, or to three in less than 160 bytes. ISO-2022-JP is recognized by its escape sequences and
    UTF-16 by the places of NULs. Other data is in the encoding of the least cost, as in ``detect``, with ``limit`` and
    ``tld`` as there; a declaration counts for 12 bits, and for 3 if it is windows-1252, the default of many servers.
    Results other than a byte order mark's are tentative. Raise ValueError for a ``limit`` below 1 and a ``tld`` that is
    not a single label; TypeError for data without a contiguous buffer.

    >>> crawl("Größe – für".encode() + b"\\xff", "text/html; charset=iso-8859-1")
    Sniffed(encoding=<Encoding UTF-8>, confidence='tentative', source='utf-8')
    >>> crawl("<p>Привет, мир".encode("windows-1251"), "text/html; charset=utf-8")
    Sniffed(encoding=<Encoding windows-1251>, confidence='tentative', source='detector')
    """
    check_crawl(limit, tld)
    return sniff_view(byte_view(data), content_type, limit, tld)


class _CrawledStart:
    """What ``crawl`` decides on the first ``limit`` bytes of a stream, as the detector of `Steps`.

    ASCII there proves nothing about the rest: it is in the declared encoding if there is one, windows-1252 aside, and
    otherwise in UTF-8.
    """

    def __init__(self, transport: Encoding | None, limit: int, tld: str | None) -> None:
        self._transport = transport
        self.limit: int = min(limit, sys.maxsize)
        self._tld = tld

    def __call__(self, data: bytes) -> Sniffed:
        head = data[: self.limit]
        sniffed = most_likely(head, self.limit, self._tld, self._transport)
        if sniffed is CRAWLED_UTF_8 and len(head) == self.limit and head.isascii():
            for source, encoding in (("transport", self._transport), ("prescan", prescan(head))):
                if encoding is None or encoding is WINDOWS_1252:
                    continue
                if encoding.is_ascii_compatible or encoding is ISO_2022_JP:
                    return Sniffed(encoding, "tentative", source)
        return sniffed


def crawl_steps(*, content_type: ContentType = None, limit: int = LIMIT, tld: str | None = None) -> Steps:
    check_crawl(limit, tld)
    return Steps(detector=_CrawledStart(transport_encoding(content_type), limit, tld), after=CRAWLED_UTF_8)
