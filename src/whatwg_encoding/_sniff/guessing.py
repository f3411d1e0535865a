"""The most likely encoding of text whose declarations may be missing or wrong: ``sniff.crawl``, ``sniff.detect``, …

No standard specifies this. The rule is a table of cases: ``we_choose`` in src/native/determination/choose.h, and, in
words, docs/detection.md.
"""

from __future__ import annotations

from collections import namedtuple

from .._api.arguments import checked_str, named
from .._api.results import decoded_utf_8
from .._labels import ENCODINGS, UTF_8
from .._native.core import Encoding, byte_view, decode_chosen, origin_of
from .._native.prescan import Sniffed
from ..files import MARK_LENGTH, sniff_file_bom
from .arguments import LIMIT, WEB, WEB_AND_DOS, WEB_AND_SURE_DOS, checked_domain, options_of
from .declarations import declared_in_header

__all__ = ["decode_crawled", "decode_crawled_to_utf8"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NamedTuple, TypeAlias

    from typing_extensions import Buffer

    from .._api.results import Decoded, DecodedUTF8
    from .._native.detect import Options
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


# --- The native functions, which load all codecs: bound at the first call of one of them ---


def _bound(name: str) -> Callable[..., Any]:
    def call(*arguments: object) -> object:
        from .._native import detect

        globals().update(
            _choose=detect.choose, _guesses=detect.guesses, _is_utf_8=detect.is_utf_8, _text_cost=detect.text_cost,
        )  # fmt: skip
        return globals()[name](*arguments)

    return call


_choose, _guesses = _bound("_choose"), _bound("_guesses")
_is_utf_8, _text_cost = _bound("_is_utf_8"), _bound("_text_cost")


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
    sniffed: Sniffed = _choose(
        data, declared_in_header(content_type), options_of(limit, tld, exclude, candidates), True, True
    )[0]
    return sniffed


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
    errors become U+FFFD.

    - ``data``: any object with a contiguous buffer.
    - ``content_type``: the value of the ``Content-Type`` header, or a bare label, which some servers send; a list of
      values if the header has several lines; None if there is none.
    - ``limit``: the size in bytes of the sample by which encodings are compared.
    - ``tld``: the top-level domain of the host, such as "jp", as a hint.
    - ``exclude``: encodings or labels that are never the result, not even for their byte order mark.
    - ``candidates``: the only encodings or labels that may be the result.

    Raise what ``sniff.crawl`` raises.

    >>> decode_crawled("café 日本".encode()).text
    'café 日本'
    >>> decode_crawled("日本語のページ".encode("shift_jis"), "text/html; charset=iso-8859-1").text
    '日本語のページ'
    """
    header, options = declared_in_header(content_type), options_of(limit, tld, exclude, candidates)
    decoded: Decoded = decode_chosen(data, _choose, header, options, is_no_text)
    return decoded


def decode_crawled_to_utf8(
    data: Buffer,
    content_type: ContentType = None,
    *,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> DecodedUTF8:
    """Convert bytes in an unknown encoding to UTF-8: ``decode_crawled`` with UTF-8 bytes instead of text.

    The result unpacks to the bytes and the encoding that was found, and has ``errors`` and ``source``. Arguments and
    exceptions are those of ``sniff.crawl``.

    >>> data, encoding = decode_crawled_to_utf8(b"caf\\xe9")
    >>> data.decode(), encoding
    ('café', <Encoding windows-1252>)
    """
    view = byte_view(data)
    header, options = declared_in_header(content_type), options_of(limit, tld, exclude, candidates)
    sniffed, mark = _choose(view, header, options, True, True)
    origin = origin_of(view, sniffed, is_no_text)
    return decoded_utf_8(view[mark:], sniffed if origin == sniffed.source else sniffed._replace(source=origin))


def is_no_text(view: bytes | memoryview, encoding: Encoding, may_be_binary: bool, may_mix: bool) -> bool:
    """Return whether data is binary, or mixes UTF-16 and 8-bit text. It is asked where bytes leave a doubt."""
    from .binary import Mixture, is_binary  # imported here, since most of it is regular expressions

    return (may_be_binary and is_binary(view)) or (may_mix and Mixture(encoding).sign(view) is not None)


def crawl_file(
    data: Buffer,
    content_type: ContentType = None,
    *,
    dos: bool = False,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Sniffed:
    """Return the most likely encoding of a file: that of ``crawl``, UTF-32 with a mark, or a code page of DOS.

    Without ``dos`` a code page needs text that looks like DOS, and must be likelier by far.
    """
    view = byte_view(data)
    marked, mark = sniff_file_bom(view)
    if marked is not None and mark == MARK_LENGTH:
        return Sniffed(marked, "certain", "bom")
    options = options_of(LIMIT, tld, exclude, candidates, None, WEB_AND_DOS if dos else WEB_AND_SURE_DOS)
    sniffed: Sniffed = _choose(view, declared_in_header(content_type), options, True, True)[0]
    return sniffed


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
        return tuple(encoding for encoding in ENCODINGS.values() if encoding in self._options.excluded)

    @property
    def candidates(self) -> tuple[Encoding, ...] | None:
        """The only encodings that may be the result; None if all may."""
        return self._options.candidates or None

    def __call__(self, data: Buffer) -> Encoding | None:
        encoding: Encoding = _choose(data, None, self._options, False, True)[0].encoding
        return encoding

    def __repr__(self) -> str:
        exclude = f", exclude={tuple(encoding.name for encoding in self.exclude)}" if self._options.excluded else ""
        among = f", candidates={tuple(encoding.name for encoding in self.candidates)}" if self.candidates else ""
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
    return UTF_8 if _is_utf_8(data) else None


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
    from ..names import lookup_codec  # imported here, since few programs use another detector

    return lookup_codec(answer).name


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
    them. The score counts the bits that a model of text in about 48 languages needs for the result, plus those for
    errors and for a rare encoding. Hints reduce the score: ``declared``, an encoding, a label or several of them, the
    most important first, in which unknown labels are ignored; ``tld``, the last label of the host name; ``language``, a
    BCP 47 tag. If a candidate falls far behind on the first bytes, its score is a lower bound.

    ``candidates``: the only encodings, labels or names of code pages that may be in the result. ``exclude``: encodings
    or labels that never are, not even for their byte order mark. If two decode the sample alike, the commoner one is
    first. UTF-16 without a mark needs a NUL in the first 512 bytes, and ISO-2022-JP an escape sequence, so the result
    may be empty.

    ``dos``: consider the code pages of DOS, too, for files (see ``whatwg_encoding.code_pages``).

    The result is the same on every machine. Raise ValueError for a ``limit`` below 1, for a ``tld`` that is not a
    single label, and if no candidate is left; UnknownLabelError for an unknown name; TypeError for data without a
    contiguous buffer.

    >>> detect("Привет, мир".encode("koi8-r"))[0].encoding
    <Encoding KOI8-R>
    """
    scope = WEB_AND_DOS if dos or candidates is not None else WEB
    options = options_of(limit, tld, exclude, candidates, language, scope, decides=False)
    if candidates is not None and not {*options.candidates} - {*options.excluded}:
        return []
    hints = () if declared is None else tuple(hint for hint in _declarations(declared) if hint not in options.excluded)
    return guesses_of(data, hints, options)


def guesses_of(data: Buffer, declared: tuple[Encoding, ...], options: Options) -> list[Guess]:
    """Return the guesses of ``detect`` for options that are checked."""
    guesses: list[Guess] = _guesses(data, declared, options, Guess)
    return guesses


def text_cost(text: str) -> int:
    """Return how many bits the detector's model of text needs for a text: the fewer, the likelier it is.

    Compare the costs of different readings of the same bytes: ten bits less are odds of 1,000 to 1, if the model is
    right. The text is treated as if it were between spaces. U+FFFD and a lone surrogate cost as much as an error. Time
    is linear in the text, memory is constant, and the result is the same on every machine. Raise TypeError for anything
    but a str.

    >>> text_cost("Größe") < text_cost("GrГ¶Гџe")
    True
    """
    bits: int = _text_cost(checked_str(text, "text"))
    return bits


for _function in (decode_crawled, decode_crawled_to_utf8):
    _function.__module__ = "whatwg_encoding"  # the public name, in tracebacks
