"""Decode bytes as the web platform does in a given context, according to the table of contexts.

``CONTEXTS`` contains the rows of the table. ``decode_as`` decodes whole data, and ``decode_stream`` decodes chunks to
the same text. ``decode_crawled``, which no standard specifies, decodes bytes in an unknown encoding.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from . import sniff
from ._api.results import Decoded, DecodedUTF8, decoded_utf_8
from ._contexts import CONTEXTS, DecodeContext
from ._decoding.plan import DETERMINATIONS as DETERMINATIONS
from ._decoding.plan import NotSpecifiedError, Plan, decode_planned, determine, plan_of
from ._decoding.stream import DecodeStream, LateMeta
from ._native.core import Encoding
from ._sniff.guessing import decode_crawled as decode_crawled
from ._sniff.guessing import decode_crawled_to_utf8 as decode_crawled_to_utf8
from .sniff import takes_hints_of

TYPE_CHECKING = False  # so that typing is not imported
if TYPE_CHECKING:
    from typing import Any, Final, Literal, Unpack, overload

    from typing_extensions import Buffer

    from ._contexts import OtherContext as _OtherContext
    from ._sniff import hints as _hints
    from ._sniff.hints import Chunks, ContentType, HTMLDocumentHints, SheetHints, XMLDocumentHints

__all__: list[str] = [
    "CONTEXTS", "DecodeContext", "DecodeStream", "LateMeta", "NotSpecifiedError", "decode_as", "decode_css",
    "decode_html", "decode_html_to_utf8", "decode_stream", "decode_xml",
]  # fmt: skip


for _class in (DecodeContext, DecodeStream, LateMeta):
    _class.__module__ = "whatwg_encoding"  # the public name, in tracebacks and pickles


# One overload for each set of hints. The last one is for contexts without hints and for ids known only at run time.
if TYPE_CHECKING:

    @overload
    def decode_as(
        context_id: _hints.HTMLContext,
        data: Buffer,
        content_type: ContentType = None,
        **hints: Unpack[_hints.HTMLDocumentHints],
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.TextDocumentContext,
        data: Buffer,
        content_type: ContentType = None,
        **hints: Unpack[_hints.TextHints],
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.XMLContext,
        data: Buffer,
        content_type: ContentType = None,
        **hints: Unpack[_hints.XMLDocumentHints],
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.LinkedCSSContext,
        data: Buffer,
        content_type: ContentType = None,
        **hints: Unpack[_hints.LinkedSheetHints],
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.ImportedCSSContext,
        data: Buffer,
        content_type: ContentType = None,
        **hints: Unpack[_hints.ImportedSheetHints],
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.LinkHeaderCSSContext, data: Buffer, content_type: ContentType = None
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.ScriptContext,
        data: Buffer,
        content_type: ContentType = None,
        **hints: Unpack[_hints.ClassicScriptHints],
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.XHRContext,
        data: Buffer,
        content_type: ContentType = None,
        **hints: Unpack[_hints.ResponseHints],
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.TextDecoderContext, data: Buffer, **hints: Unpack[_hints.TextDecoderHints]
    ) -> Decoded: ...
    @overload
    def decode_as(
        context_id: _hints.FallbackContext, data: Buffer, **hints: Unpack[_hints.FallbackHints]
    ) -> Decoded: ...
    @overload
    def decode_as(context_id: _hints.FatalContext, data: Buffer, **hints: Unpack[_hints.FatalHints]) -> Decoded: ...
    @overload
    def decode_as(context_id: str, data: Buffer, content_type: ContentType = None) -> Decoded: ...


def decode_as(context_id: str, data: Buffer, content_type: ContentType = None, **hints: Any) -> Decoded:
    """Decode ``data`` as the context does; return the text and the encoding used (None for an isomorphic decode).

    ``context_id``: a key of ``CONTEXTS``. ``content_type``: the value of the ``Content-Type`` header. Other hints are
    those of the function of ``sniff`` for the context; in addition, "label" and "fatal" for a TextDecoder, "fatal" for
    the host parser, "fallback" for the hook decode, "charset", "document" and "sheet" for style sheets. The result also
    has ``errors``, ``source`` and ``confidence``.

    Raise LookupError for an unknown context, and NotSpecifiedError, a subclass, for one that no standard specifies.
    Raise UnknownLabelError for a hint that the program sets and that names no encoding, and TypeError for a hint that
    the context does not have and for data without a contiguous buffer. Where errors are fatal (XML, media fragments,
    decodeURI), raise UnicodeDecodeError at an error.

    >>> decode_as("html-parser", b"<meta charset=euc-kr>\\xb0\\xa1").text
    '<meta charset=euc-kr>가'
    """
    if content_type is not None:
        hints["content_type"] = content_type
    return decode_planned(plan_of(context_id, hints), data)


_HTML_PLAN: Final = plan_of("html-parser", {})


@cache
def _html_plan_for(header: Encoding | None) -> Plan:
    return _HTML_PLAN._replace(steps=sniff.html_steps_of(header))


def _html_plan(content_type: ContentType, hints: Mapping[str, Any]) -> Plan:
    if hints:
        return plan_of("html-parser", {"content_type": content_type, **hints})
    return _html_plan_for(sniff.transport_encoding(content_type, "override"))  # most calls have no other hint


@takes_hints_of(sniff.html_steps)
def decode_html(data: Buffer, content_type: ContentType = None, **hints: Unpack[HTMLDocumentHints]) -> Decoded:
    """Decode an HTML document as a browser does: ``decode_as("html-parser", …)``.

    A browser decodes undeclared text as windows-1252, even if it is valid UTF-8. For bytes in an unknown encoding, use
    ``decode_crawled`` or pass a ``detector``. Raise what ``sniff.html`` raises.
    https://html.spec.whatwg.org/#determining-the-character-encoding

    >>> decode_html(b"<meta charset=euc-kr>\\xb0\\xa1").text
    '<meta charset=euc-kr>가'
    """
    return decode_planned(_html_plan(content_type, hints), data)


@takes_hints_of(sniff.html_steps)
def decode_html_to_utf8(
    data: Buffer, content_type: ContentType = None, **hints: Unpack[HTMLDocumentHints]
) -> DecodedUTF8:
    """Convert an HTML document to UTF-8: ``decode_html`` with UTF-8 bytes instead of text.

    The result unpacks to the bytes, without a byte order mark, and the encoding that they were in, and has ``errors``
    and ``source``. Hints and exceptions are those of ``decode_html``. A ``meta`` in the document still names its old
    encoding.

    >>> decode_html_to_utf8(b"<meta charset=euc-kr>\\xb0\\xa1").data.decode()
    '<meta charset=euc-kr>가'
    """
    content, sniffed = determine(_html_plan(content_type, hints), data)
    assert sniffed is not None  # HTML always has an encoding
    return decoded_utf_8(content, sniffed)


@takes_hints_of(sniff.css_steps)
def decode_css(data: Buffer, content_type: ContentType = None, **hints: Unpack[SheetHints]) -> Decoded:
    """Decode a style sheet: ``decode_as("css-from-document", …)``, or with ``environment``.

    Raise what ``sniff.css`` raises.
    https://drafts.csswg.org/css-syntax-3/#input-byte-stream

    >>> decode_css(b'@charset "iso-8859-15"; q::before { content: "\\xa4" }').text
    '@charset "iso-8859-15"; q::before { content: "€" }'
    """
    return decode_planned(plan_of("css-from-document", {"content_type": content_type, **hints}), data)


@takes_hints_of(sniff.xml_steps)
def decode_xml(data: Buffer, content_type: ContentType = None, **hints: Unpack[XMLDocumentHints]) -> Decoded:
    """Decode an XML document: ``decode_as("xml-parser", …)``. Errors are fatal.

    Raise UnicodeDecodeError for malformed bytes, and what ``sniff.xml`` raises.
    https://www.rfc-editor.org/rfc/rfc7303#section-3

    >>> decode_xml(b'<?xml version="1.0" encoding="koi8-r"?><x>\\xf0</x>').text
    '<?xml version="1.0" encoding="koi8-r"?><x>П</x>'
    """
    return decode_planned(plan_of("xml-parser", {"content_type": content_type, **hints}), data)


if TYPE_CHECKING:

    @overload
    def decode_stream(
        context_id: _hints.HTMLContext, chunks: Chunks, **hints: Unpack[_hints.HTMLHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.TextDocumentContext, chunks: Chunks, **hints: Unpack[_hints.TextDocumentHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.XMLContext, chunks: Chunks, **hints: Unpack[_hints.XMLHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.LinkedCSSContext, chunks: Chunks, **hints: Unpack[_hints.LinkedCSSHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.ImportedCSSContext, chunks: Chunks, **hints: Unpack[_hints.ImportedCSSHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.LinkHeaderCSSContext, chunks: Chunks, **hints: Unpack[_hints.LinkHeaderCSSHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.ScriptContext, chunks: Chunks, **hints: Unpack[_hints.ScriptHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.XHRContext, chunks: Chunks, **hints: Unpack[_hints.XHRHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.TextDecoderContext, chunks: Chunks, **hints: Unpack[_hints.TextDecoderHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.FallbackContext, chunks: Chunks, **hints: Unpack[_hints.FallbackHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.FatalContext, chunks: Chunks, **hints: Unpack[_hints.FatalHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: Literal["crawl"], chunks: Chunks, **hints: Unpack[_hints.CrawlHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: Literal["decode"], chunks: Chunks, **hints: Unpack[_hints.FallbackHints]
    ) -> DecodeStream: ...
    @overload
    def decode_stream(context_id: _OtherContext, chunks: Chunks) -> DecodeStream: ...
    @overload
    def decode_stream(
        context_id: _hints.HTMLContext
        | _hints.TextDocumentContext
        | _hints.XMLContext
        | _hints.LinkedCSSContext
        | _hints.ImportedCSSContext
        | _hints.LinkHeaderCSSContext
        | _hints.ScriptContext
        | _hints.XHRContext
        | Literal["crawl"],
        chunks: Chunks,
        content_type: ContentType,
    ) -> DecodeStream: ...


def decode_stream(context_id: str, chunks: Chunks, content_type: ContentType = None, **hints: Any) -> DecodeStream:
    """Return an iterator, asynchronous if ``chunks`` is, over parts of the text that ``decode_as`` returns for them.

    Bytes are buffered until further bytes cannot change the encoding: at most 1024 for HTML and CSS, the XML
    declaration for XML, three if only a byte order mark can decide. If a detector with an attribute ``limit`` decides,
    such as ``sniff.crawl_detector()``, ASCII is returned immediately after the first 512 bytes. The detector is called
    with the start of the text, up to that many bytes from the first one that is not ASCII. Any other detector is called
    with all bytes, so that there is no text before the last chunk. A ``meta`` that is found too late is reported, see
    ``LateMeta``. Raise what ``decode_as`` raises: for context and hints immediately, for the data during iteration.

    ``context_id="crawl"`` is not a row of the table. It decodes chunks in an unknown encoding as ``decode_crawled``
    does, with the hints ``content_type``, ``limit``, ``tld``, ``exclude`` and ``candidates``. ``limit`` bytes (16 KiB)
    from the first one that is not ASCII decide.

    ``context_id="decode"`` is the hook ``decode`` for chunks: a byte order mark overrides the hint ``fallback``, an
    encoding or a label (UTF-8 without it), and is removed.

    >>> "".join(decode_stream("css-from-css", [b'@charset "eu', b'c-kr"; \\xb0', b"\\xa1"]))
    '@charset "euc-kr"; 가'
    """
    if content_type is not None:
        hints["content_type"] = content_type
    return DecodeStream(context_id, chunks, hints)


def __dir__() -> list[str]:
    return __all__
