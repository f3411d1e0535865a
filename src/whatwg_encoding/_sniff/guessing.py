"""The most likely encoding of text whose declarations may be missing or wrong: ``sniff.crawl``, ``sniff.detect``, …

No standard specifies this. The rule is a table of cases: ``we_choose`` in src/native/determination/choose.h, and, in
words, docs/detection.md.
"""

from __future__ import annotations

from collections import namedtuple

from .._api.arguments import checked_str, named
from .._labels import ENCODINGS, UTF_8, lookup
from .._native.core import Encoding, byte_view, check_limit
from .._native.prescan import header_encoding
from .arguments import LIMIT, checked_candidates, checked_domain, checked_encodings, checked_tag, options_of

__all__ = ["decode_crawled", "decode_crawled_to_utf8"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, NamedTuple, TypeAlias

    from typing_extensions import Buffer

    from .._api.results import Decoded
    from .._native.detect import Options
    from .._native.prescan import Sniffed
    from .hints import ContentType, Hint

    Declared: TypeAlias = Hint | Iterable[Hint]

    class Guess(NamedTuple):
        encoding: Encoding
        score: int
        margin: int | None
        language: str | None

else:  # as in _api.results
    Guess = namedtuple("Guess", "encoding score margin language", module="whatwg_encoding.sniff")
Guess.__doc__ = """An encoding that a text may be in.

    ``score``: the bits that its text costs, the fewer the likelier. ``margin``: the bits by which the next guess costs
    more, None if there is none: how sure this one is of being ahead. ``language``: the BCP 47 tag of the language that
    the text is likeliest in under the model, None where it does not tell: ASCII, a few letters, another script.
    """


def transport_encoding(content_type: ContentType) -> Encoding | None:
    """Return the encoding that a header names, or None. Raise TypeError for values that are neither str nor bytes."""
    if content_type is None:
        return None
    if type(content_type) is bytes:
        content_type = content_type.decode("latin-1")  # isomorphic decode
    if type(content_type) is str and (encoding := header_encoding(content_type)) is not ...:
        return encoding
    from ..mime import describe_content_type  # imported here, since most of a parser is regular expressions

    return describe_content_type(content_type)[1]


# --- The likeliest encoding of a text with its declarations ---


def crawl(
    data: Buffer,
    content_type: ContentType = None,
    *,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Sniffed:
    """Return the most likely encoding of a text, given its bytes and perhaps a header. Browsers may use another one.

    ``content_type``: the value of the ``Content-Type`` header, a list of values if it has several lines, or None.
    ``candidates``: the only encodings or labels that may be the result. ``exclude``: those that are never the result,
    not even for their byte order mark. ``limit``: the size of the sample in bytes. ``tld``: the top-level domain of the
    host, as a hint.

    ``Sniffed.source`` reports what decided: "bom"; "utf-8" if the bytes are UTF-8, perhaps with some damage;
    "transport" (``content_type``) or "prescan" (a ``meta`` or an XML declaration) if the encoding is declared there;
    "detector" otherwise. A result is tentative unless a byte order mark names it. Raise ValueError for a ``limit``
    below 1, for a ``tld`` that is not a single label, and if ``exclude`` and ``candidates`` leave no encoding that
    accepts any bytes; UnknownLabelError for an unknown label; TypeError for data without a contiguous buffer.

    >>> crawl("Größe – für".encode() + b"\\xff", "text/html; charset=iso-8859-1")
    Sniffed(encoding=<Encoding UTF-8>, confidence='tentative', source='utf-8')
    >>> crawl("<p>Привет, мир".encode("windows-1251"), "text/html; charset=utf-8")
    Sniffed(encoding=<Encoding windows-1251>, confidence='tentative', source='detector')
    """
    from .._native.detect import choose

    options = options_of(limit, tld, exclude, candidates)
    return choose(byte_view(data), transport_encoding(content_type), options)[0]


def decode_crawled(
    data: Buffer,
    content_type: ContentType = None,
    *,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Decoded:
    """Decode bytes in an unknown encoding, such as a crawled page with or without its header.

    ``sniff.crawl`` finds the encoding, not as a browser does: valid UTF-8 is UTF-8 whatever is declared, and another
    declaration is followed unless the text is far likelier in another encoding. A byte order mark is removed, and
    errors become U+FFFD. Arguments and exceptions are those of ``sniff.crawl``.

    >>> decode_crawled("café 日本".encode()).text
    'café 日本'
    >>> decode_crawled("日本語のページ".encode("shift_jis"), "text/html; charset=iso-8859-1").text
    '日本語のページ'
    """
    from .._native.detect import decode

    options = options_of(limit, tld, exclude, candidates)
    return decode(byte_view(data), transport_encoding(content_type), options)


def decode_crawled_to_utf8(
    data: Buffer,
    content_type: ContentType = None,
    *,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> tuple[bytes, Encoding]:
    """Convert bytes in an unknown encoding to UTF-8. Return the UTF-8 bytes and the encoding that was found.

    Arguments and errors are those of ``sniff.crawl``.
    """
    from .._native.detect import choose

    options = options_of(limit, tld, exclude, candidates)
    view = byte_view(data)
    sniffed, mark = choose(view, transport_encoding(content_type), options)
    return sniffed.encoding.decode_to_utf8(view[mark:]), sniffed.encoding


# --- Detectors ---


class CrawlDetector:
    """The result of ``crawl_detector``: a callable from bytes to an encoding or None.

    ``limit``: the number of bytes of a stream that decide, from the first one that is not ASCII.
    """

    __module__ = "whatwg_encoding.sniff"  # the public name, in pickles
    __slots__ = ("_options", "limit", "tld")

    def __init__(
        self,
        limit: int,
        tld: str | None,
        exclude: Iterable[Encoding | str] = (),
        candidates: Iterable[Encoding | str] | None = None,
    ) -> None:
        self._options: Options = options_of(limit, tld, exclude, candidates)
        self.limit: int = self._options.limit
        self.tld: str | None = tld

    @property
    def exclude(self) -> tuple[Encoding, ...]:
        """The encodings that are never the result."""
        return tuple(each for each in ENCODINGS.values() if each in self._options.excluded)

    @property
    def candidates(self) -> tuple[Encoding, ...] | None:
        """The only encodings that may be the result; None if all may."""
        return self._options.candidates or None

    def __call__(self, data: Buffer) -> Encoding | None:
        from .._native.detect import choose

        return choose(byte_view(data), None, self._options, False)[0].encoding

    def __repr__(self) -> str:
        exclude = f", exclude={tuple(each.name for each in self.exclude)}" if self._options.excluded else ""
        among = f", candidates={tuple(each.name for each in self.candidates)}" if self.candidates else ""
        return f"crawl_detector({self.limit}, tld={self.tld!r}{exclude}{among})"

    def __reduce__(self) -> tuple[type[CrawlDetector], tuple[object, ...]]:
        return type(self), (self.limit, self.tld, self.exclude, self.candidates)


def crawl_detector(
    limit: int = LIMIT,
    *,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> CrawlDetector:
    """Return a detector for undeclared text: what ``crawl`` finds without declarations.

    In a stream, ``limit`` bytes from the first one that is not ASCII decide, so that text is available before the last
    byte. The other arguments and the exceptions are those of ``crawl``.

    >>> from whatwg_encoding import sniff
    >>> sniff.html("<p>Привет, мир".encode("koi8-r"), detector=crawl_detector())
    Sniffed(encoding=<Encoding KOI8-R>, confidence='tentative', source='detector')
    """
    return CrawlDetector(limit, tld, exclude, candidates)


def utf8_if_valid(data: Buffer) -> Encoding | None:
    """Return UTF-8 if ``data`` is valid UTF-8, else None: a detector.

    An incomplete sequence at the end is accepted, unless it is the only byte above 0x7F, which is more likely the é of
    windows-1252. ASCII with escape sequences of ISO-2022-JP is not UTF-8. The data is not decoded. Raise TypeError for
    data without a contiguous buffer.

    >>> utf8_if_valid("日本".encode()[:-1]), utf8_if_valid(b"caf\\xe9")
    (<Encoding UTF-8>, None)
    """
    from .._native.detect import is_utf_8

    return UTF_8 if is_utf_8(byte_view(data)) else None


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


# --- All encodings that a text may be in ---


def _declarations(declared: Declared) -> tuple[Encoding, ...]:
    hints = (declared,) if declared is None or isinstance(declared, str | Encoding) else declared
    return tuple(encoding for hint in hints if (encoding := named(hint)) is not None)


def detect(
    data: Buffer,
    *,
    tld: str | None = None,
    language: str | None = None,
    declared: Declared = None,
    candidates: Iterable[Encoding | str] | None = None,
    exclude: Iterable[Encoding | str] = (),
    limit: int = LIMIT,
    dos: bool = False,
) -> list[Guess]:
    """Return the encodings that the text may be in, the likeliest first.

    A byte order mark decides alone, and so does valid UTF-8 (``utf8_if_valid``): the result is one guess of score 0.
    Otherwise every candidate decodes a sample of at most ``limit`` bytes: the non-ASCII ones and the ASCII next to
    them. The score counts the bits that a model of text in about 45 languages needs for the result, plus those for
    errors and for a rare encoding. Hints reduce the score: ``declared``, an encoding, a label or several of them, the
    most important first, in which unknown labels are ignored; ``tld``, the last label of the host name; ``language``, a
    BCP 47 tag. If a candidate falls far behind on the first bytes, its score is a lower bound.

    ``candidates``: the only encodings or labels that may be in the result. ``exclude``: those that never are, not even
    for their byte order mark. If two decode the sample alike, the commoner one is first. UTF-16 without a mark needs a
    NUL in the first 512 bytes, and ISO-2022-JP an escape sequence, so the result may be empty.

    ``dos``: consider the code pages of DOS, too, for files (see ``whatwg_encoding.code_pages``).

    The result is the same on every machine. Raise ValueError for a ``limit`` below 1, for a ``tld`` that is not a
    single label, and if no candidate is left; UnknownLabelError for an unknown name; TypeError for data without a
    contiguous buffer.

    >>> detect("Привет, мир".encode("koi8-r"))[0].encoding
    <Encoding KOI8-R>
    """
    from .._native.detect import Options, guesses
    from .languages import usual_encodings

    usual = usual_encodings(checked_domain(tld), None if language is None else checked_tag(language, "language"))
    chosen = checked_candidates(candidates)
    excluded = () if exclude == () else checked_encodings(exclude, "exclude")
    view = byte_view(data)
    names = tuple(each for each in _declarations(declared) if each not in excluded)
    if chosen is not None and not {*chosen} - {*excluded}:
        return []
    found = guesses(view, names, Options(check_limit(limit), chosen or (), excluded, usual))
    costs = [*(bits for _, bits, _ in found), None]
    new = tuple.__new__  # in half the time of calling the class
    listed: list[Guess] = [
        new(Guess, (encoding, bits, None if after is None else after - bits, _tag(encoding, spoken)))
        for (encoding, bits, spoken), after in zip(found, costs[1:], strict=True)
    ]
    if not dos:
        return listed
    from .dos import with_pages

    return with_pages(bytes(view), listed, language)


_SCRIPTS: Final = {
    ENCODINGS[name]: tag
    for name, tag in (("Big5", "zh-Hant"), ("GBK", "zh-Hans"), ("gb18030", "zh-Hans"))
    if name in ENCODINGS
}


def _tag(encoding: Encoding, language: str | None) -> str | None:
    """Return the tag of a language, with the script that an encoding of Chinese is made for."""
    return _SCRIPTS.get(encoding, language) if language == "zh" else language


def text_cost(text: str) -> int:
    """Return how many bits the detector's model of text needs for a text: the fewer, the likelier it is.

    Compare the costs of different readings of the same bytes: ten bits less are odds of 1,000 to 1, if the model is
    right. The text is treated as if it were between spaces. U+FFFD and a lone surrogate cost as much as an error. Time
    is linear in the text, memory is constant, and the result is the same on every machine. Raise TypeError for anything
    but a str.

    >>> text_cost("Größe") < text_cost("GrГ¶Гџe")
    True
    """
    from .._native.detect import text_cost as cost

    return cost(checked_str(text, "text"))


def charmap_costs(data: Buffer, charmaps: Iterable[str], *, at_most: int | None = None) -> list[int | None]:
    """Return the bits, as of ``text_cost``, of the text that data is in each of several single-byte code pages.

    A charmap is a str of the characters of a page's 256 bytes, in which U+FFFD stands for a byte without one, such as
    ``bytes(range(256)).decode("cp437", "replace")``. None stands for a page in which the data is no text, or one that
    costs more than ``at_most`` bits. Raise ValueError for another charmap, and TypeError for data without a contiguous
    buffer.

    >>> charmap_costs("Größe".encode("cp437"), [bytes(range(256)).decode(page) for page in ("cp437", "cp1256")])
    [29, 66]
    """
    from .._native.detect import charmap_costs as costs

    return costs(data, charmaps, at_most)


for _function in (decode_crawled, decode_crawled_to_utf8):
    _function.__module__ = "whatwg_encoding"  # the public name, in tracebacks
