"""The most likely encoding of text whose declarations may be missing or wrong: ``sniff.crawl`` and the detectors.

No standard specifies this. `most_likely` has the order of the steps; the constants above it have the measures for text
with errors, which docs/detection.md explains.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ._core import Encoding, quote
from ._hooks import bom_length, bom_sniff, byte_view, checked_str
from ._labels import ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1252, lookup
from ._prescan import Sniffed, condense, prescan, utf_8_counts
from .mime import transport_encoding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

    from ._hints import ContentType

CRAWLED_UTF_8: Final = Sniffed(UTF_8, "tentative", "utf-8")

# Upper bound on the bytes from which the detector's sample is taken. More rarely change its result.
LIMIT: Final = 16384

# --- Bytes without an error ---

# The escape sequences before Japanese characters in ISO-2022-JP, whose bytes are all valid UTF-8.
_ISO_2022_JP_ESCAPE: Final = re.compile(rb"\x1B(?:\$[@B]|\([IJ])")
_BEYOND_ASCII: Final = re.compile(rb"[\x1B\x80-\xFF]")
_NEXT_TO: Final = 16  # the bytes of ASCII before the first other byte that the sample includes
_LONGEST_MARK: Final = 3  # bytes of a byte order mark
_LONGEST_CUT: Final = 3  # upper bound on the bytes of an incomplete sequence, in any encoding


def _breaks_off_at(data: bytes | memoryview, encoding: Encoding) -> int | None:
    """Return the length of ``data`` without an incomplete sequence at the end, or None if there is any other error."""
    valid = encoding.valid_up_to(data)
    if valid < len(data):
        if len(data) - valid > _LONGEST_CUT:
            return None
        try:
            encoding.new_decoder("fatal").decode(data[valid:])
        except UnicodeDecodeError:
            return None
    return valid


def _has_escapes(data: bytes | memoryview) -> bool:
    """Return whether ``data`` has escape sequences of ISO-2022-JP."""
    if isinstance(data, bytes) and b"\x1b" not in data:  # the fast path, many times as fast as the search
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
    valid = _breaks_off_at(view, UTF_8)
    if valid is None or (valid == len(view) - 1 and bytes(view[:valid]).isascii()):
        return None
    if _has_escapes(view) and bytes(view).isascii():
        return None
    return UTF_8


# --- Bytes with some errors ---
# Damage makes few errors beside the characters; bytes of another encoding make more errors than characters.

# The ratios are the least numbers of characters beyond ASCII to an error: of UTF-8, whatever is declared …
_UTF_8_RATIO: Final = 2
_UTF_8_RATIO_IF_SHORT: Final = 3
_SHORT: Final = 160  # bytes: some 80 characters
# … of UTF-8 that is declared, and where a single-byte encoding is declared or detected, in whose text, but for Thai,
# there are hardly ever sequences of UTF-8 …
_UTF_8_RATIO_IF_DECLARED: Final = 1
_UTF_8_RATIO_IF_DETECTED: Final = 0.5
# … and of a declared legacy encoding, with any number of errors and with very few.
_LEGACY_RATIO: Final = 50
_LEGACY_RATIO_IF_VERY_FEW: Final = 4
_VERY_FEW_ERRORS: Final = 3
_ISO_2022_JP_RATIO: Final = 2


class _UTF8Counts(NamedTuple):
    """The number of characters beyond ASCII, and of errors, if the bytes are decoded as UTF-8."""

    characters: int
    errors: int

    def reach(self, ratio: float) -> bool:
        """Return whether there are characters beyond ASCII, and at least so many of them to an error."""
        return self.characters > 0 and self.characters >= ratio * self.errors


def _counts(view: bytes | memoryview, encoding: Encoding) -> tuple[int, int]:
    """Return the number of characters beyond ASCII and of errors; what the end cuts off is neither."""
    if encoding is UTF_8:
        return utf_8_counts(view)
    decoder = encoding.new_decoder()
    text = decoder.decode(view)
    errors = decoder.error_count
    return len(text) - len(text.encode("ascii", "ignore")) - errors, errors


def _few_errors(view: bytes | memoryview, encoding: Encoding) -> int | None:
    """Return the number of errors in ``view``, or None if they are too many for text in a declared encoding."""
    if _breaks_off_at(view, encoding) is not None:
        return 0
    characters, errors = _counts(view, encoding)
    if encoding is UTF_8:
        ratio = _UTF_8_RATIO_IF_DECLARED
    else:
        ratio = _LEGACY_RATIO_IF_VERY_FEW if errors <= _VERY_FEW_ERRORS else _LEGACY_RATIO
    return errors if 0 < characters >= ratio * errors else None


def _is_iso_2022_jp(view: bytes | memoryview) -> bool:
    """Return whether ``view`` has escape sequences of ISO-2022-JP, and few errors beside the characters after them."""
    if not _has_escapes(view):
        return False
    characters, errors = _counts(view, ISO_2022_JP)
    return characters >= _ISO_2022_JP_RATIO * errors


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
    if transport is UTF_16BE or transport is UTF_16LE:
        return encoding
    if nuls == 1:
        return None
    if is_utf_8:
        others = len(upper.translate(None, _C0))
        return encoding if others * 4 <= len(upper) else None
    return encoding if nuls * _UNITS_TO_A_NUL >= len(upper) and _few_errors(view, encoding) is not None else None


# --- Detectors ---

# chardetng-py returns names of Python's codecs. This is the one that is not a label.
_CHARDETNG_NAMES: Final = {"cp874": "windows-874"}


def _detector_class() -> Any:
    """Return chardetng-py's class, which has no types. Raise ImportError without the extra ``detect``."""
    try:
        from chardetng_py import EncodingDetector  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("this needs chardetng-py: pip install '.[detect]'") from error
    return EncodingDetector


def _top_level_domain(tld: str | None) -> bytes | None:
    """Return a top-level domain as the bytes that the detector expects. Raise ValueError if it is not a label."""
    if tld is None:
        return None
    label = checked_str(tld, "tld").lower()
    if not 0 < len(label) <= 63 or "." in label:  # octets at most: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
        raise ValueError(f"tld must be the last label of a host name, such as 'jp', not {quote(tld)}")
    return label.encode("ascii" if label.isascii() else "idna")


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
    detector = _detector_class()()
    content = bytes(byte_view(data))
    domain = _top_level_domain(tld)
    # ISO-2022-JP is ASCII bytes with escapes: the detector finds it, although it then reports no byte above 0x7F.
    if not detector.feed(content, last=last) and b"\x1b" not in content:
        return None
    # Without last=True the detector accepts any incomplete sequence as the start of one in UTF-8.
    answer: str = detector.guess(tld=domain, allow_utf8=allow_utf8 and (last or utf8_if_valid(content) is not None))
    return lookup(_CHARDETNG_NAMES.get(answer, answer)).name


# Single-byte encodings whose text hardly ever has a sequence of UTF-8, so a few beside errors are evidence of damage.
# Thai has them.
_ERRORS_TO_A_CHARACTER_IF_SINGLE_BYTE: Final = 2


def _detect(view: bytes | memoryview, limit: int, tld: str | None) -> Encoding:
    """Return what chardetng finds in ``limit`` bytes, from the first that is not ASCII, of data that is not UTF-8."""
    if len(view) > limit:
        found = _BEYOND_ASCII.search(view)
        start = max(0, found.start() - _NEXT_TO) if found else 0
        view = view[start : start + limit]
    sample = bytes(view)
    if utf8_if_valid(sample) is not None:
        return UTF_8
    name = chardetng(sample if sample.isascii() else condense(sample), tld=tld, allow_utf8=False)
    return WINDOWS_1252 if name is None else lookup(name)


class CrawlDetector:
    """The result of ``crawl_detector``: a callable from bytes to an encoding or None.

    ``limit``: the number of bytes of a stream that it uses.
    """

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
    """Raise TypeError or ValueError for a wrong argument, and ImportError without the extra, before data is read."""
    if not hasattr(limit, "__index__"):
        raise TypeError(f"limit must be an integer, not {type(limit).__name__}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1 byte, not {limit}")
    _top_level_domain(tld)
    _detector_class()


def crawl_detector(limit: int = LIMIT, *, tld: str | None = None) -> CrawlDetector:
    """Return a detector for undeclared text: what ``crawl`` finds without declarations, from ``limit`` bytes.

    These are the first bytes, from the first that is not ASCII. Of a stream the detector uses the first ``limit`` bytes
    only, so that text is available before the last byte; a stream that is ASCII up to there is UTF-8. ``tld``: the
    top-level domain of the host. Raise ImportError without the extra ``detect``, and ValueError for a ``limit`` below 1
    and a ``tld`` that is not a single label.

    >>> from whatwg_encoding import sniff
    >>> sniff.html("<p>Привет, мир".encode("koi8-r"), detector=crawl_detector())
    Sniffed(encoding=<Encoding KOI8-U>, confidence='tentative', source='detector')
    """
    check_crawl(limit, tld)
    return CrawlDetector(limit, tld)


# --- The decision ---


def _is_rather_utf_8(encoding: Encoding, counts: _UTF8Counts, ratio: float) -> bool:
    """Return whether the encoding is a single-byte one, and there are too many sequences of UTF-8 for text in it."""
    return encoding.is_single_byte and encoding is not WINDOWS_874 and counts.reach(ratio)


def _declared(
    view: bytes | memoryview, declarations: Iterable[tuple[str, Encoding | None]], counts: _UTF8Counts
) -> Sniffed | None:
    """Return the declared encoding in which the bytes have the fewest errors, or None if they have many in each.

    UTF-8 that has fewer errors than a declared encoding takes its place.
    """
    best: tuple[int, Sniffed] | None = None
    for source, encoding in declarations:
        # windows-1252 decodes everything and is the default of many servers.
        if encoding is None or encoding is WINDOWS_1252:
            continue
        if _is_rather_utf_8(encoding, counts, _UTF_8_RATIO_IF_DECLARED):
            continue
        errors = _few_errors(view, encoding)
        if errors == 0:
            return Sniffed(encoding, "tentative", source)
        if errors is not None and (best is None or errors < best[0]):
            best = errors, Sniffed(encoding, "tentative", source)
    if best is None:
        return None
    is_utf_8 = counts.errors < best[0] and counts.reach(_UTF_8_RATIO_IF_DECLARED)
    return CRAWLED_UTF_8 if is_utf_8 else best[1]


def most_likely(
    view: bytes | memoryview, limit: int, tld: str | None, transport: Encoding | None, *, uses_meta: bool = True
) -> Sniffed:
    """Return the most likely encoding of bytes without a byte order mark.

    ``transport``: what the header declares. ``uses_meta``: whether the page's own declaration counts, too.
    """
    encoding = _utf_16(view, limit, transport, is_utf_8=True)
    if encoding is None:
        if utf8_if_valid(view) is not None:
            return CRAWLED_UTF_8
        counts = _UTF8Counts(*utf_8_counts(view))
        if counts.reach(_UTF_8_RATIO_IF_SHORT if len(view) < _SHORT else _UTF_8_RATIO):
            return CRAWLED_UTF_8
        encoding = ISO_2022_JP if _is_iso_2022_jp(view) else _utf_16(view, limit, transport, is_utf_8=False)
    declarations = ("transport", transport), ("prescan", prescan(view) if uses_meta else None)
    if encoding is not None:  # by its structure
        source = next((source for source, declared in declarations if declared is encoding), "detector")
        return Sniffed(encoding, "tentative", source)
    found = _declared(view, declarations, counts)
    if found is not None:
        return found
    encoding = _detect(view, limit, tld)
    if _is_rather_utf_8(encoding, counts, _UTF_8_RATIO_IF_DETECTED):
        return CRAWLED_UTF_8
    return Sniffed(encoding, "tentative", "detector")


def utf_8_text(view: bytes | memoryview, limit: int, transport: Encoding | None) -> str | None:
    """Return the text if `most_likely` finds complete UTF-8 without an error, else None.

    This is the fast path for most pages: one pass over the bytes both validates and decodes them.
    """
    if _utf_16(view, limit, transport, is_utf_8=True) is not None:
        return None
    try:
        text = UTF_8.decode(view, "fatal")
    except UnicodeDecodeError:
        return None
    return None if _has_escapes(view) and bytes(view).isascii() else text


def sniff_view(view: bytes | memoryview, content_type: ContentType, limit: int, tld: str | None) -> Sniffed:
    """Return what ``crawl`` returns, for arguments that have been checked."""
    marked = bom_sniff(view)
    if marked is not None:
        return Sniffed(marked, "certain", "bom")
    return most_likely(view, limit, tld, transport_encoding(content_type))


def crawl(data: Buffer, content_type: ContentType = None, *, limit: int = LIMIT, tld: str | None = None) -> Sniffed:
    """Return the most likely encoding of a text, given its bytes and perhaps a header. Browsers may use another one.

    Sources in their order: "bom"; "utf-8" (the data is UTF-8, with at most one error to two characters beyond ASCII,
    or to three in less than 160 bytes); "transport" (``content_type``) and "prescan" (a ``meta`` or an XML
    declaration); "detector" (``chardetng`` on ``limit`` bytes, with ``tld``). A declaration counts if the data has few
    errors in it: up to three, or one in fifty characters beyond ASCII; of header and page the one with fewer errors.
    windows-1252, which decodes everything and is the default of many servers, is ignored. ISO-2022-JP is recognized by
    its escape sequences and UTF-16 by the places of NULs, declared or not. What the start or the end of the data cuts
    off is no error. Results other than a byte order mark's are tentative. Raise ImportError without the extra
    ``detect``, whatever the data; ValueError for a ``limit`` below 1 and a ``tld`` that is not a single label;
    TypeError for data without a contiguous buffer.

    >>> crawl("Größe – für".encode() + b"\\xff", "text/html; charset=iso-8859-1")
    Sniffed(encoding=<Encoding UTF-8>, confidence='tentative', source='utf-8')
    >>> crawl("<p>Привет, мир".encode("windows-1251"), "text/html; charset=utf-8")
    Sniffed(encoding=<Encoding windows-1251>, confidence='tentative', source='detector')
    """
    check_crawl(limit, tld)
    return sniff_view(byte_view(data), content_type, limit, tld)


class CrawlDetermination:
    """The determination of ``crawl`` for a resource that arrives in chunks, on its first ``limit`` bytes.

    ASCII there proves nothing about the rest: it is in the declared encoding if there is one, windows-1252 aside, and
    otherwise in UTF-8.
    """

    span = None  # no tag of the page is the result's alone

    def __init__(self, *, content_type: ContentType = None, limit: int = LIMIT, tld: str | None = None) -> None:
        check_crawl(limit, tld)
        self._transport = transport_encoding(content_type)
        self._limit = limit
        self._tld = tld
        self.bom_length: int = 0

    def look(self, data: Buffer, final: bool) -> Sniffed | None:
        """Return the result, or None while further bytes could change it. ``data``: all of the resource so far."""
        view = byte_view(data)
        if len(view) < _LONGEST_MARK and not final:
            return None
        marked = bom_sniff(view)
        if marked is not None:
            self.bom_length = bom_length(marked)
            return Sniffed(marked, "certain", "bom")
        if len(view) < self._limit:
            return most_likely(view, self._limit, self._tld, self._transport) if final else None
        head = bytes(view[: self._limit])
        sniffed = most_likely(head, self._limit, self._tld, self._transport)
        if sniffed is CRAWLED_UTF_8 and head.isascii():
            for source, encoding in (("transport", self._transport), ("prescan", prescan(head))):
                if encoding is None or encoding is WINDOWS_1252:
                    continue
                if encoding.is_ascii_compatible or encoding is ISO_2022_JP:
                    return Sniffed(encoding, "tentative", source)
        return sniffed
