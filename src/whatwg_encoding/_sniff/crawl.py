"""The most likely encoding of text whose declarations may be missing or wrong: ``sniff.crawl`` and the detectors.

No standard specifies this. `decide` is the whole rule, which docs/detection.md explains: structure proposes, and the
score of `detection` decides.
"""

from __future__ import annotations

import re

from .._api.arguments import named
from .._api.results import Decoded
from .._labels import (
    ENCODINGS,
    ISO_2022_JP,
    REPLACEMENT,
    UTF_8,
    UTF_16BE,
    UTF_16LE,
    WINDOWS_1252,
    X_USER_DEFINED,
    lookup,
)
from .._native.core import Encoding, byte_view, decode_if_valid, sniff_bom
from .._native.prescan import ESCAPES, MARK, NULS, Sniffed, Steps, has_fewer_utf_8, prescan, signs, utf_8_counts
from ..mime import transport_encoding
from .arguments import LIMIT, checked_domain, options_of
from .structure import is_utf_8_up_to, proposed, utf8_if_valid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from typing_extensions import Buffer

    from .arguments import Options
    from .hints import ContentType

CRAWLED_UTF_8: Final = Sniffed(UTF_8, "tentative", "utf-8")
_WITHOUT_TEXT: Final = {REPLACEMENT, X_USER_DEFINED}

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
    if not detector.feed(content, last=last) and b"\x1b" not in content:
        return None
    # Without last=True the detector accepts any incomplete sequence as the start of one in UTF-8.
    answer: str = detector.guess(
        tld=None if domain is None else domain.encode(),
        allow_utf8=allow_utf8 and (last or utf8_if_valid(content) is not None),
    )
    return lookup(_CHARDETNG_NAMES.get(answer, answer)).name


class CrawlDetector:
    """The result of ``crawl_detector``: a callable from bytes to an encoding or None.

    ``limit``: the number of bytes of a stream that it uses.
    """

    __module__ = "whatwg_encoding.sniff"  # the public name, in pickles
    __slots__ = ("_options", "limit", "tld")

    def __init__(self, limit: int, tld: str | None, exclude: Iterable[Encoding | str] = ()) -> None:
        self._options: Options = options_of(limit, tld, exclude)
        self.limit: int = self._options.limit
        self.tld: str | None = tld

    @property
    def exclude(self) -> tuple[Encoding, ...]:
        """The encodings that are never the result."""
        return tuple(each for each in ENCODINGS.values() if each in self._options.excluded)

    def __call__(self, data: Buffer) -> Encoding | None:
        view = byte_view(data)
        return decide(view, None, self._options, seen=signs(view), uses_meta=False).encoding

    def __repr__(self) -> str:
        exclude = f", exclude={tuple(each.name for each in self.exclude)}" if self._options.excluded else ""
        return f"crawl_detector({self.limit}, tld={self.tld!r}{exclude})"

    def __reduce__(self) -> tuple[type[CrawlDetector], tuple[int, str | None, tuple[Encoding, ...]]]:
        return type(self), (self.limit, self.tld, self.exclude)


def crawl_detector(
    limit: int = LIMIT, *, tld: str | None = None, exclude: Iterable[Encoding | str] = ()
) -> CrawlDetector:
    """Return a detector for undeclared text: what ``crawl`` finds without declarations.

    Of a stream the detector uses the first ``limit`` bytes only, so that text is available before the last byte; a
    stream that is ASCII up to there is UTF-8. ``tld``: the top-level domain of the host. ``exclude``: the encodings or
    labels of those that are never the result. Raise what ``crawl`` raises for them.

    >>> from whatwg_encoding import sniff
    >>> sniff.html("<p>Привет, мир".encode("koi8-r"), detector=crawl_detector())
    Sniffed(encoding=<Encoding KOI8-R>, confidence='tentative', source='detector')
    """
    return CrawlDetector(limit, tld, exclude)


# --- The decision ---

# UTF-8 with damage: the least numbers of characters beyond ASCII to an error, counted in all of the data. Damage makes
# few errors beside the characters; bytes of another encoding make more errors than characters. UTF-8 that has so many
# needs no score, and a sample might have other ones.
_UTF_8_RATIO: Final = 2
_UTF_8_RATIO_IF_SHORT: Final = 3
_SHORT: Final = 160  # bytes: some 80 characters
# With fewer, the errors alone cost more than the characters could in another encoding: 18 bits each against at most 54.
_LEAST_UTF_8_RATIO: Final = 0.25

# Bits to a byte of the page by which text must be likelier than in the encoding that is declared. An error costs at
# most 27 bits, so a ninth of the page costs no more, whatever its bytes are.
_OVERWHELMING: Final = 3.0

# Where header and page agree is not left to the prescan, since bytes before a ``meta`` can hide it.
_DECLARED_WITHIN: Final = 2048
_KEYWORDS: Final = b"charset", b"encoding"
_LABEL: Final = re.compile(rb"""\s*=\s*["']?\s*([^\s"'/>;?]+)""")


def _agrees(view: bytes | memoryview, transport: Encoding) -> bool:
    """Return whether any declaration at the start of a page, in UTF-16 too, names the encoding of its header."""
    start = bytes(view[:_DECLARED_WITHIN]).replace(b"\0", b"").lower()
    values = (_LABEL.match(rest) for keyword in _KEYWORDS for rest in start.split(keyword)[1:])
    labels = {value[1] for value in values if value is not None}
    named_there = [named(label.decode("latin-1")) for label in labels]
    if transport.is_utf_16:  # a label says "utf-16" of either order
        return any(each is not None and each.is_utf_16 for each in named_there)
    return transport in named_there


def _structural(
    view: bytes | memoryview,
    seen: int,
    declared: tuple[Encoding, ...],
    agreed: Encoding | None,
    options: Options,
    *,
    is_utf_8: bool,
) -> Encoding | None:
    """Return the encoding that is not ASCII-compatible and that the bytes are in, if structure and score say so."""
    if agreed is ISO_2022_JP and seen & ESCAPES:
        return agreed  # one byte in an escape sequence may change all text behind it, so a score means little
    structures = proposed(view, options.limit, seen, declared, agreed, is_utf_8=is_utf_8)
    if not structures:
        return None
    from . import detection  # imported here, since most text is UTF-8

    proposals = (ISO_2022_JP,) if structures == ESCAPES else (UTF_16LE, UTF_16BE)
    if agreed is not None:  # whatever a declaration that someone inserts before the page's own says
        opposing = None if agreed in proposals else agreed
    else:
        opposing = None if any(each in declared for each in proposals) else next(iter(declared), None)
    kept = agreed if agreed in proposals else opposing
    best, behind = detection.best_guess(view, declared, options, structures=structures, kept=kept)
    if agreed in proposals and behind < _OVERWHELMING:
        return agreed
    return best if best in proposals and (opposing is None or behind >= _OVERWHELMING) else None


def _ascii_compatible(
    view: bytes | memoryview, declared: tuple[Encoding, ...], agreed: Encoding | None, options: Options, valid: int
) -> Encoding:
    """Return the most likely one of the other encodings for bytes that are not valid UTF-8."""
    kept = next((each for each in declared if each.is_ascii_compatible), None)  # it is weighed on the whole sample
    unexplained = 0
    if UTF_8 not in options.excluded:
        ratio = _UTF_8_RATIO_IF_SHORT if len(view) < _SHORT else _UTF_8_RATIO
        characters, errors = utf_8_counts(view, ratio, valid)
        if characters and characters >= errors * ratio and (agreed is None or agreed is UTF_8):
            return UTF_8
        if agreed is not UTF_8:
            unexplained = max(0, errors - characters)
    from . import detection  # imported here, since most text is UTF-8

    best, behind = detection.best_guess(
        view,
        declared,
        options,
        unexplained=unexplained,
        kept=kept,
        stays=not (unexplained and kept is UTF_8 and has_fewer_utf_8(view, _LEAST_UTF_8_RATIO)),
    )
    return agreed if agreed is not None and agreed is kept and behind < _OVERWHELMING else best


def decide(
    view: bytes | memoryview,
    transport: Encoding | None,
    options: Options,
    *,
    seen: int,
    valid: int | None = None,
    uses_meta: bool = True,
) -> Sniffed:
    """Return the most likely encoding of bytes, whose byte order mark, if any, is text.

    ``transport``: what the header declares. ``seen``: the signs of the bytes. ``valid``: the offset of the first error
    in UTF-8, if it is known. ``uses_meta``: whether the page's own declaration counts.
    """
    if valid is None:
        valid = UTF_8.valid_up_to(view)
    is_utf_8 = UTF_8 not in options.excluded and is_utf_8_up_to(view, valid)
    if is_utf_8 and not seen & (NULS | ESCAPES):
        return CRAWLED_UTF_8
    declarations = {}  # encoding → source
    for source, encoding in (("prescan", prescan(view) if uses_meta else None), ("transport", transport)):
        if encoding is not None and encoding not in _WITHOUT_TEXT and encoding not in options.excluded:
            declarations[encoding] = source
    declared = tuple(reversed(declarations))
    agreed = transport if transport in declarations and _agrees(view, transport) else None
    found = _structural(view, seen, declared, agreed, options, is_utf_8=is_utf_8)
    if found is None:
        found = UTF_8 if is_utf_8 else _ascii_compatible(view, declared, agreed, options, valid)
    return CRAWLED_UTF_8 if found is UTF_8 else Sniffed(found, "tentative", declarations.get(found, "detector"))


def look(
    view: bytes | memoryview, content_type: ContentType, options: Options, *, decodes: bool = False
) -> tuple[Sniffed, int] | Decoded:
    """Return the most likely encoding, and the length of the byte order mark to remove.

    ``decodes``: return the text if it was decoded to find out.
    """
    transport = transport_encoding(content_type)
    seen = signs(view)
    valid = None
    if not seen and decodes and UTF_8 not in options.excluded:
        decoded = decode_if_valid(view, UTF_8, CRAWLED_UTF_8.source, CRAWLED_UTF_8.confidence)
        if isinstance(decoded, Decoded):
            return decoded
        valid = decoded
    if seen & MARK:
        marked, length = sniff_bom(view)
        if marked is not None and marked not in options.excluded:
            return Sniffed(marked, "certain", "bom"), length
    return decide(view, transport, options, seen=seen, valid=valid), 0


def sniffed_view(view: bytes | memoryview, content_type: ContentType, options: Options) -> tuple[Sniffed, int]:
    """Return the most likely encoding, and the length of the byte order mark to remove."""
    found = look(view, content_type, options)
    assert not isinstance(found, Decoded)
    return found


def crawl(
    data: Buffer,
    content_type: ContentType = None,
    *,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
) -> Sniffed:
    """Return the most likely encoding of a text, given its bytes and perhaps a header. Browsers may use another one.

    ``content_type``: the value of the ``Content-Type`` header, a list of values if it has several lines, or None.
    ``exclude``: the encodings or labels of those that are never the result, not even for their byte order mark.

    ``Sniffed.source``: "bom"; "utf-8", whether declared or not; "transport" (``content_type``) or "prescan" (a ``meta``
    or an XML declaration) if the encoding is declared there; "detector" otherwise. UTF-8 may have one error to two
    characters beyond ASCII, or to three in less than 160 bytes. Other data is in the encoding of the least cost, as in
    ``detect``, with ``limit`` and ``tld`` as there; a declaration counts for 12 bits, and for 3 if it is windows-1252,
    the default of many servers. What header and page declare alike stands unless text in another encoding is likelier
    by 3 bits for each byte, and so does what either declares against ISO-2022-JP and UTF-16 without a mark, for which
    escape sequences and the places of NULs speak. Results other than a byte order mark's are tentative. Raise
    ValueError for a ``limit`` below 1, a ``tld`` that is not a single label and an ``exclude`` that leaves nothing;
    UnknownLabelError for a label of none; TypeError for data without a contiguous buffer.

    >>> crawl("Größe – für".encode() + b"\\xff", "text/html; charset=iso-8859-1")
    Sniffed(encoding=<Encoding UTF-8>, confidence='tentative', source='utf-8')
    >>> crawl("<p>Привет, мир".encode("windows-1251"), "text/html; charset=utf-8")
    Sniffed(encoding=<Encoding windows-1251>, confidence='tentative', source='detector')
    """
    return sniffed_view(byte_view(data), content_type, options_of(limit, tld, exclude))[0]


class _CrawledStart:
    """What ``crawl`` decides on the first ``limit`` bytes of a stream, as the detector of `Steps`.

    ASCII there proves nothing about the rest: it is in the declared encoding if there is one, windows-1252 aside unless
    header and page agree on it, and otherwise in UTF-8.
    """

    def __init__(self, transport: Encoding | None, options: Options) -> None:
        self._transport = transport
        self._options = options
        self.limit: int = options.limit

    def __call__(self, data: bytes) -> Sniffed:
        head = data[: self.limit]
        sniffed = decide(head, self._transport, self._options, seen=signs(head))
        if sniffed is CRAWLED_UTF_8 and len(head) == self.limit and head.isascii():
            for source, encoding in (("transport", self._transport), ("prescan", prescan(head))):
                if encoding is None or encoding in self._options.excluded:
                    continue
                if encoding is WINDOWS_1252 and not (self._transport is encoding and _agrees(head, encoding)):
                    continue
                if encoding.is_ascii_compatible or encoding is ISO_2022_JP:
                    return Sniffed(encoding, "tentative", source)
        return sniffed


def crawl_steps(
    *,
    content_type: ContentType = None,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
) -> Steps:
    options = options_of(limit, tld, exclude)
    return Steps(detector=_CrawledStart(transport_encoding(content_type), options), after=CRAWLED_UTF_8)
