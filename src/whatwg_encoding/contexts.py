"""Decode bytes as the web platform does in a given context, according to the table of contexts.

``CONTEXTS`` has the rows of the table. ``decode_as`` decodes whole data, ``decode_stream`` data that arrives in chunks;
both return the same text. ``decode_crawled`` is not specified by a standard: it decodes bytes of unknown encoding.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Mapping, Set
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, NoReturn, cast, overload

from . import mime, sniff
from ._api.arguments import get_an_encoding
from ._api.results import Decoded
from ._api.text import open_chunks, outputs, refuse_one_chunk
from ._contexts import CONTEXTS, DecodeContext
from ._labels import REPLACEMENT, UTF_8
from ._native.core import Encoding, UnknownLabelError, byte_view, decode_sniffed, quote
from ._native.prescan import BOM_POLICIES, Determination, MetaScan, Sniffed, Steps
from ._sniff.arguments import LIMIT, options_of
from ._sniff.guessing import decode_crawled as decode_crawled
from ._sniff.guessing import decode_crawled_to_utf8 as decode_crawled_to_utf8
from ._sniff.guessing import header_encoding
from ._sniff.start import Start
from .sniff import takes_hints_of
from .urls import form_component, percent_decode

if TYPE_CHECKING:
    from typing import Unpack

    from typing_extensions import Buffer

    from ._native.prescan import Confidence
    from ._sniff import hints as _hints
    from ._sniff.hints import Chunks, ContentType, CSSHints, Hint, HTMLDocumentHints, XMLHints

__all__: list[str] = [
    "CONTEXTS", "DecodeContext", "DecodeStream", "LateMeta", "NotSpecifiedError", "decode_as", "decode_css",
    "decode_html", "decode_html_to_utf8", "decode_stream", "decode_xml",
]  # fmt: skip


DecodeContext.__module__ = "whatwg_encoding"  # the public name, in tracebacks and pickles


class NotSpecifiedError(LookupError):
    """Raised for a context for which no standard specifies how bytes are decoded."""

    __module__ = "whatwg_encoding"

    def __init__(self, *args: object) -> None:  # for inspect.signature
        super().__init__(*args)


# --- Determinations: the table's column of that name, and the hints that each takes ---


def _fixed(encoding: Encoding, source: str) -> Steps:
    return Steps(after=Sniffed(encoding, "certain", source))


def _label_steps(*, label: Encoding | str = "utf-8") -> Steps:
    encoding = get_an_encoding(label)
    if encoding is REPLACEMENT:
        raise UnknownLabelError(f"{quote(label)} is a label of replacement, which no TextDecoder decodes")
    return _fixed(encoding, "label")


def _fallback_steps(*, fallback: Encoding | str = "utf-8") -> Steps:
    return _fixed(get_an_encoding(fallback), "fallback")


def _css_link_steps(
    *, content_type: ContentType = None, environment: Hint = None, charset: Hint = None, document: Hint = None
) -> Steps:
    environment = environment or sniff.style_sheet_environment("link", charset=charset, document=document)
    return sniff.css_steps(content_type=content_type, environment=environment)


def _css_import_steps(*, content_type: ContentType = None, environment: Hint = None, sheet: Hint = None) -> Steps:
    environment = environment or sniff.style_sheet_environment("import", sheet=sheet)
    return sniff.css_steps(content_type=content_type, environment=environment)


def _xhr(steps: Callable[[Encoding | None], Steps]) -> Callable[..., Steps]:
    """Return the steps for a response, given those for its final encoding."""

    def of_response(*, content_type: ContentType = None, override_mime: str | None = None) -> Steps:
        return steps(sniff.xhr_types(content_type, override_mime)[1])

    return of_response


def _mime_type_steps(**hints: Unpack[_hints.TextDocumentHints]) -> Steps:
    """Return the steps for a document of this MIME type; without one, those for HTML."""
    mime_type, _ = mime.describe_content_type(hints.get("content_type"))
    if mime_type is not None and mime_type.is_xml:
        return sniff.xml_steps(override=hints.get("override"), content_type=hints.get("content_type"))
    return (sniff.html_steps if mime_type is None or mime_type.is_html else sniff.text_document_steps)(**hints)


_mime_type_steps.__kwdefaults__ = sniff.text_document_steps.__kwdefaults__  # the hints that it takes


DETERMINATIONS: Final[Mapping[str, Callable[..., Steps]]] = {
    "label": _label_steps,
    "fallback": _fallback_steps,
    "utf-8": lambda: _fixed(UTF_8, "context"),
    "html": sniff.html_steps,
    "xhr-html": _xhr(sniff.xhr_html_steps),
    "xml": sniff.xml_steps,
    "css-link": _css_link_steps,
    "css-import": _css_import_steps,
    "css-link-header": lambda *, content_type=None: sniff.css_steps(content_type=content_type),
    "text": sniff.text_document_steps,
    "mime-type": _mime_type_steps,
    "xhr-xml": _xhr(partial(sniff.xhr_text_steps, is_xml=True)),
    "xhr": _xhr(partial(sniff.xhr_text_steps, is_xml=False)),
    "script": sniff.script_steps,
}

# What each operation does with a byte order mark. For a TextDecoder, the row of the context has it.
_OPERATION_BOM: Final[Mapping[str, Literal["sniffing", "remove", "keep"]]] = {
    "": "sniffing",
    "decode": "sniffing",
    "UTF-8 decode": "remove",
    "UTF-8 decode without BOM": "keep",
    "ECMAScript Decode()": "keep",
}


# --- Inputs: the table's column of that name ---


_URI_RESERVED: Final = frozenset(b";/?:@&=+$,#")
_URI_ESCAPES: Final = re.compile(rb"((?:%[89A-Fa-f][0-9A-Fa-f])+)|%([0-7][0-9A-Fa-f])|%")


def _uri_decode(data: bytes, reserved: frozenset[int]) -> bytes:
    """Return the string, in UTF-8, with only the escapes of reserved characters. A bad escape is a UnicodeDecodeError.

    https://tc39.es/ecma262/#sec-decode
    """

    def fail(match: re.Match[bytes], why: str) -> NoReturn:
        raise UnicodeDecodeError("UTF-8", data, match.start(), match.end(), f"URIError: {why}") from None

    def unescape(match: re.Match[bytes]) -> bytes:
        if match[1]:
            octets = bytes.fromhex(match[1].replace(b"%", b"").decode("ascii"))
            if UTF_8.valid_up_to(octets) < len(octets):
                fail(match, "the escaped bytes are not UTF-8")
            return octets
        if match[2]:
            octet = int(match[2], 16)
            return match[0] if octet in reserved else bytes((octet,))
        fail(match, "% without two hexadecimal digits")

    return _URI_ESCAPES.sub(unescape, data)


def _input(context: DecodeContext) -> Callable[[bytes], bytes] | None:
    """Return the function that converts the context's input to the bytes to decode; None if they are the same."""
    if context.spec_operation == "ECMAScript Decode()":
        reserved = _URI_RESERVED if context.id == "js-decodeuri" else frozenset[int]()
        return lambda data: _uri_decode(data, reserved)
    return {"percent-encoded": percent_decode, "form-urlencoded": form_component}.get(context.input)


# --- Plans ---


class _Plan(NamedTuple):
    """A context with its hints applied."""

    steps: Steps | None  # None: isomorphic decode, which knows no encoding
    bom: int
    errors: Literal["replacement", "fatal"]
    input: Callable[[bytes], bytes] | None
    looks_for_meta: bool


def _check_hints(context_id: str, hints: dict[str, Any], accepted: Set[str]) -> None:
    for name in hints:
        if name not in accepted:
            takes = ", ".join(sorted(accepted)) or "none"
            raise TypeError(f"the decode context {context_id!r} has no hint {quote(name)}; its hints: {takes}")


def _plan(context_id: str, hints: dict[str, Any]) -> _Plan:
    context = CONTEXTS.get(context_id) if isinstance(context_id, str) else None
    if context is None:
        raise LookupError(f"unknown decode context {quote(context_id)}; CONTEXTS has {', '.join(CONTEXTS)}")
    if not context.determination and not context.spec_operation:
        raise NotSpecifiedError(f"no standard specifies how to decode the context {context_id!r}: {context.context_en}")
    steps = DETERMINATIONS[context.determination] if context.determination else None
    accepted = set(steps.__kwdefaults__ or ()) if steps is not None else set()
    if context.error_mode in ("selectable", "replacement or fatal"):
        accepted.add("fatal")
    _check_hints(context_id, hints, accepted)
    fatal = hints.pop("fatal", False) or context.error_mode == "fatal"
    bom = _OPERATION_BOM.get(context.spec_operation, "keep" if context.bom == "keep" else "remove")
    return _Plan(
        None if steps is None else steps(**hints),
        BOM_POLICIES[bom],
        "fatal" if fatal else "replacement",
        _input(context),
        context.change_encoding == "yes",
    )


def _determine(plan: _Plan, data: Buffer) -> tuple[bytes | memoryview, Sniffed | None]:
    """Return the content without a byte order mark that is not text, and its encoding: None for isomorphic decode."""
    view = byte_view(data)
    if plan.input is not None:
        view = plan.input(bytes(view))
    if plan.steps is None:
        return view, None
    determination = Determination(plan.steps, plan.bom)
    sniffed = determination.look(view, True)
    assert sniffed is not None  # a final look always decides
    return view[determination.bom_length :] if determination.bom_length else view, sniffed


# One overload for each set of hints. The last one is for contexts without hints and for ids known only at run time.
@overload
def decode_as(context_id: _hints.HTMLContext, data: Buffer, **hints: Unpack[_hints.HTMLHints]) -> Decoded: ...
@overload
def decode_as(
    context_id: _hints.TextDocumentContext, data: Buffer, **hints: Unpack[_hints.TextDocumentHints]
) -> Decoded: ...
@overload
def decode_as(context_id: _hints.XMLContext, data: Buffer, **hints: Unpack[_hints.XMLHints]) -> Decoded: ...
@overload
def decode_as(context_id: _hints.LinkedCSSContext, data: Buffer, **hints: Unpack[_hints.LinkedCSSHints]) -> Decoded: ...
@overload
def decode_as(
    context_id: _hints.ImportedCSSContext, data: Buffer, **hints: Unpack[_hints.ImportedCSSHints]
) -> Decoded: ...
@overload
def decode_as(
    context_id: _hints.LinkHeaderCSSContext, data: Buffer, **hints: Unpack[_hints.LinkHeaderCSSHints]
) -> Decoded: ...
@overload
def decode_as(context_id: _hints.ScriptContext, data: Buffer, **hints: Unpack[_hints.ScriptHints]) -> Decoded: ...
@overload
def decode_as(context_id: _hints.XHRContext, data: Buffer, **hints: Unpack[_hints.XHRHints]) -> Decoded: ...
@overload
def decode_as(
    context_id: _hints.TextDecoderContext, data: Buffer, **hints: Unpack[_hints.TextDecoderHints]
) -> Decoded: ...
@overload
def decode_as(context_id: _hints.FallbackContext, data: Buffer, **hints: Unpack[_hints.FallbackHints]) -> Decoded: ...
@overload
def decode_as(context_id: _hints.FatalContext, data: Buffer, **hints: Unpack[_hints.FatalHints]) -> Decoded: ...
@overload
def decode_as(context_id: str, data: Buffer) -> Decoded: ...


def decode_as(context_id: str, data: Buffer, **hints: Any) -> Decoded:
    """Decode ``data`` as the context does; return the text and the encoding used (None for an isomorphic decode).

    ``context_id``: a key of ``CONTEXTS``. Hints are those of the function of ``sniff`` for the context; in addition,
    "label" and "fatal" for a TextDecoder, "fatal" for the host parser, "fallback" for the hook decode, "charset",
    "document" and "sheet" for style sheets. The result also has ``errors``, ``source`` and ``confidence``. Raise
    LookupError for an unknown context, NotSpecifiedError (a subclass) for one that no standard specifies,
    UnknownLabelError for a hint that the program sets and that names no encoding, TypeError for a hint that the context
    does not have and for data without a contiguous buffer, and UnicodeDecodeError at an error if errors are fatal: XML,
    media fragments, decodeURI.

    >>> decode_as("html-parser", b"<meta charset=euc-kr>\\xb0\\xa1").text
    '<meta charset=euc-kr>가'
    """
    return _decode(_plan(context_id, hints), data)


def _decode(plan: _Plan, data: Buffer) -> Decoded:
    content, sniffed = _determine(plan, data)
    if sniffed is None:
        # Isomorphic decode, which is no encoding of the standard.
        return Decoded(str(byte_view(content), "latin-1"), cast(Encoding, None), 0, "context")
    return decode_sniffed(content, sniffed, plan.errors)


_HTML_PLAN: Final = _plan("html-parser", {})


@cache
def _html_plan_of(header: Encoding | None) -> _Plan:
    return _HTML_PLAN._replace(steps=sniff.html_steps_of(header))


def _html_plan(content_type: ContentType, hints: Mapping[str, Any]) -> _Plan:
    if hints:
        return _plan("html-parser", {"content_type": content_type, **hints})
    return _html_plan_of(mime.transport_encoding(content_type))  # most calls have no hint but the header


@takes_hints_of(sniff.html_steps)
def decode_html(data: Buffer, content_type: ContentType = None, **hints: Unpack[HTMLDocumentHints]) -> Decoded:
    """Decode an HTML document as a browser does: ``decode_as("html-parser", …)``.

    A browser decodes undeclared text as windows-1252, even if it is valid UTF-8. For bytes of unknown encoding, use
    ``decode_crawled`` or a ``detector``.
    https://html.spec.whatwg.org/#determining-the-character-encoding
    """
    return _decode(_html_plan(content_type, hints), data)


@takes_hints_of(sniff.html_steps)
def decode_html_to_utf8(
    data: Buffer, content_type: ContentType = None, **hints: Unpack[HTMLDocumentHints]
) -> tuple[bytes, Encoding]:
    """Convert an HTML document to UTF-8; return it without a byte order mark, and the encoding that it was in.

    Hints and errors are those of ``decode_html``. A ``meta`` in the document still names the encoding that it was in.
    """
    content, sniffed = _determine(_html_plan(content_type, hints), data)
    assert sniffed is not None  # HTML always has an encoding
    return sniffed.encoding.decode_to_utf8(content), sniffed.encoding


@takes_hints_of(sniff.css_steps)
def decode_css(data: Buffer, **hints: Unpack[CSSHints]) -> Decoded:
    """Decode a style sheet: ``decode_as("css-from-document", …)``, or with ``environment``.

    https://drafts.csswg.org/css-syntax-3/#input-byte-stream
    """
    return decode_as("css-from-document", data, **hints)


@takes_hints_of(sniff.xml_steps)
def decode_xml(data: Buffer, **hints: Unpack[XMLHints]) -> Decoded:
    """Decode an XML document: ``decode_as("xml-parser", …)``. Errors are fatal.

    https://www.rfc-editor.org/rfc/rfc7303#section-3
    """
    return decode_as("xml-parser", data, **hints)


# --- Streams ---


class LateMeta(NamedTuple):
    """A ``meta`` that the prescan did not find, or read differently, and that would change the HTML parser's encoding.

    ``action``: "none" (it confirms the encoding), "switch" (all text so far is the same in ``encoding``: ``switch()``
    uses it for the rest) or "decode-again" (from the first byte, with ``known=encoding``). ``start``, ``end``: the
    offsets of the tag's bytes.
    https://html.spec.whatwg.org/#change-the-encoding
    """

    action: Literal["none", "switch", "decode-again"]
    encoding: Encoding
    start: int
    end: int


def _crawl_start(
    *,
    content_type: ContentType = None,
    limit: int = LIMIT,
    tld: str | None = None,
    exclude: Iterable[Encoding | str] = (),
    candidates: Iterable[Encoding | str] | None = None,
) -> Start:
    """Return the start of a stream of unknown encoding. Raise what ``sniff.crawl`` raises for the hints."""
    options = options_of(limit, tld, exclude, candidates)
    header = header_encoding(content_type)
    from ._native.detect import choose

    return Start(lambda data, final: choose(data, header, options, True, final), options.limit)


class DecodeStream(Iterator[str], AsyncIterator[str]):
    """The result of ``decode_stream``: an iterator, asynchronous for asynchronous chunks, over parts of the text.

    Create it by ``decode_stream``: arguments are those of ``decode_stream``, but that ``hints`` is a dictionary.

    ``encoding``, ``confidence`` and ``source`` are None until they are known: with the first part of the text, or where
    a detector decides, with the first part that is not ASCII, or at the end. ``late_meta`` is None, or a declaration
    found after that; the text up to the end of its tag is a part of its own, so that the caller can act on it.

    ``close``, ``aclose``, an error and the end of a ``with`` or ``async with`` block also close the chunks, if they
    have such a method.
    """

    encoding: Encoding | None = None
    confidence: Confidence | None = None
    source: str | None = None
    late_meta: LateMeta | None = None

    def __init__(self, context_id: str, chunks: Chunks, hints: dict[str, Any]) -> None:
        refuse_one_chunk(chunks)
        self._start: Start | None = None
        if context_id == "crawl":
            _check_hints(context_id, hints, (_crawl_start.__kwdefaults__ or {}).keys())
            self._start = _crawl_start(**hints)
            self._plan = _Plan(None, BOM_POLICIES["sniffing"], "replacement", None, False)
        elif context_id == "decode":
            _check_hints(context_id, hints, {"fallback"})
            self._plan = _Plan(_fallback_steps(**hints), BOM_POLICIES["sniffing"], "replacement", None, False)
        else:
            self._plan = _plan(context_id, hints)
        plan = self._plan
        self._determination = None if plan.steps is None else Determination(plan.steps, plan.bom)
        self._meta_scan: MetaScan | None = None
        self._ascii = True
        self._mark = 0  # bytes of a mark that the start removes
        self._undecided = bytearray()  # bytes that do not decide on the encoding yet
        self._decode: Callable[[Buffer, bool], str] | None = None
        self._source = open_chunks(chunks)
        # At GeneratorExit the generator closes nothing, since `close` closes the source itself.
        self._texts = outputs(self._source, self._feed, b"", Exception)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a DecodeStream cannot be pickled, since its chunks cannot be read twice; "
            "call decode_stream in the process that reads them"
        )

    def __next__(self) -> str:
        if isinstance(self._texts, AsyncGenerator):
            raise TypeError("the chunks are asynchronous: use async for")
        return next(self._texts)

    async def __anext__(self) -> str:
        if not isinstance(self._texts, AsyncGenerator):
            raise TypeError("the chunks are not asynchronous: use for")
        return await anext(self._texts)

    def close(self) -> None:
        """Stop the iteration and close the chunks. Raise TypeError if they are asynchronous."""
        if isinstance(self._texts, AsyncGenerator):
            raise TypeError("the chunks are asynchronous: use aclose")
        self._texts.close()
        if close := getattr(self._source, "close", None):
            close()

    async def aclose(self) -> None:
        """Stop the iteration and close the chunks, asynchronous or not."""
        if not isinstance(self._texts, AsyncGenerator):
            self.close()
            return
        await self._texts.aclose()
        if close := getattr(self._source, "aclose", None):
            await close()

    def __enter__(self) -> DecodeStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    async def __aenter__(self) -> DecodeStream:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()

    def switch(self) -> None:
        """Use the encoding of ``late_meta`` for the rest. Raise ValueError unless its action is "switch"."""
        if self.late_meta is None or self.late_meta.action != "switch":
            raise ValueError('there is no late_meta with the action "switch"')
        self.encoding, self.confidence, self.source = self.late_meta.encoding, "certain", "meta"
        self._decode = self.encoding.new_decoder(self._plan.errors).decode

    def _feed(self, chunk: Buffer, final: bool) -> Iterator[str]:
        """Yield the parts of the text that these bytes complete, none of them empty."""
        data = byte_view(chunk)
        if self._decode is None:
            if self._start is None:
                data = self._determine(data, final)
            if self._start is not None:
                passed = self._begin(self._start, data, final)
                yield from self._texts_of(passed, False, lambda data, final: str(byte_view(data), "ascii"))
                data = b"" if self._decode is None else self._start.rest()[self._mark :]
            if self._decode is None:
                return
        yield from self._texts_of(data, final, self._decode)

    def _texts_of(self, data: bytes | memoryview, final: bool, decode: Callable[[Buffer, bool], str]) -> Iterator[str]:
        """Yield the text of bytes, the part up to a late meta's end by itself."""
        if self._meta_scan is not None:
            end = self._look_for_meta(data)
            if end is not None:
                if text := decode(data[:end], False):
                    yield text
                data = data[end:]
                decode = self._decode or decode  # the caller may have called switch() meanwhile
        if text := decode(data, final):
            yield text

    def _determine(self, data: bytes | memoryview, final: bool) -> bytes:
        """Return the bytes to decode and set ``_decode`` if the encoding is known, else return no bytes.

        If a detector decides on some of the bytes, set ``_start`` and return all bytes so far.
        """
        plan = self._plan
        self._undecided += data
        if plan.input is not None:
            # An escape may cross any chunk's end, so the whole input is buffered. No context with escapes is streamed.
            if not final:
                return b""
            self._undecided = bytearray(plan.input(bytes(self._undecided)))
        determination = self._determination
        if determination is None:
            content = bytes(self._undecided)
            self.confidence, self.source = "certain", "context"
            self._decode = lambda data, final: str(byte_view(data), "latin-1")
        else:
            sniffed = determination.look(self._undecided, final)
            if sniffed is not None:
                content = bytes(self._undecided[determination.bom_length :])
                self._decide(sniffed)
            elif determination.detector_limit:
                content = bytes(self._undecided)
                self._start = Start(lambda data, _: (determination.detected(data), 0), determination.detector_limit)
                self._meta_scan = MetaScan() if plan.looks_for_meta else None
            else:
                return b""
        self._undecided = bytearray()
        return content

    def _begin(self, start: Start, data: bytes | memoryview, final: bool) -> bytes:
        """Return ASCII that any encoding decodes alike, and set ``_decode`` if the encoding is known."""
        passed, sniffed, self._mark = start.feed(data, final)
        if sniffed is not None:
            self._decide(sniffed)
        return passed

    def _decide(self, sniffed: Sniffed) -> None:
        self.encoding, self.confidence, self.source = sniffed
        self._decode = sniffed.encoding.new_decoder(self._plan.errors).decode
        # Only a tentative encoding can change. In one that is not ASCII-compatible, the bytes of a tag may be other
        # text.
        if self._plan.looks_for_meta and sniffed.confidence == "tentative" and sniffed.encoding.is_ascii_compatible:
            self._meta_scan = self._meta_scan or (MetaScan() if self.late_meta is None else None)
        else:
            self._meta_scan = None

    def _look_for_meta(self, data: bytes | memoryview) -> int | None:
        """Set ``late_meta`` if a tag in these bytes requires it, and return the tag's end in them; else return None."""
        assert self._meta_scan is not None
        before = self._meta_scan.end
        encoding = self._meta_scan.feed(data)
        if encoding is None:
            self._ascii = self._ascii and bytes(data).isascii()
            return None
        start, end = self._meta_scan.start, self._meta_scan.end
        self._meta_scan = None  # the confidence becomes certain
        if encoding is self.encoding:
            if self._determination is not None and self._determination.span == (start, end):
                return None  # the one that the prescan found
            self.late_meta = LateMeta("none", encoding, start, end)
        elif encoding.is_ascii_compatible and self._ascii and bytes(data[: end - before]).isascii():
            self.late_meta = LateMeta("switch", encoding, start, end)
        else:
            self.late_meta = LateMeta("decode-again", encoding, start, end)
        return end - before


@overload
def decode_stream(
    context_id: _hints.HTMLContext, chunks: Chunks, **hints: Unpack[_hints.HTMLHints]
) -> DecodeStream: ...
@overload
def decode_stream(
    context_id: _hints.TextDocumentContext, chunks: Chunks, **hints: Unpack[_hints.TextDocumentHints]
) -> DecodeStream: ...
@overload
def decode_stream(context_id: _hints.XMLContext, chunks: Chunks, **hints: Unpack[_hints.XMLHints]) -> DecodeStream: ...
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
def decode_stream(context_id: _hints.XHRContext, chunks: Chunks, **hints: Unpack[_hints.XHRHints]) -> DecodeStream: ...
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
def decode_stream(context_id: Literal["crawl"], chunks: Chunks, **hints: Unpack[_hints.CrawlHints]) -> DecodeStream: ...
@overload
def decode_stream(
    context_id: Literal["decode"], chunks: Chunks, **hints: Unpack[_hints.FallbackHints]
) -> DecodeStream: ...
@overload
def decode_stream(context_id: _hints.OtherContext, chunks: Chunks) -> DecodeStream: ...


def decode_stream(context_id: str, chunks: Chunks, **hints: Any) -> DecodeStream:
    """Return an iterator, asynchronous if ``chunks`` is, over parts of the text that ``decode_as`` returns for them.

    Bytes are buffered until further bytes cannot change the encoding: at most 1024 for HTML and CSS, the XML
    declaration for XML, three if only a byte order mark can decide. Where a detector with an attribute ``limit``
    decides, such as those of ``sniff.crawl_detector``, ASCII passes at once after the first 512 bytes, and the detector
    is called with the start of the text and that many bytes from the first one that is not ASCII. Any other detector is
    called with all bytes, so if its step is reached there is no text before the last chunk. A ``meta`` that is found
    too late is reported, see ``LateMeta``. Raise what ``decode_as`` raises: for context and hints immediately, for the
    data during iteration.

    ``context_id="crawl"`` is not a row of the table: it decodes chunks of unknown encoding as ``decode_crawled`` does,
    with the hints ``content_type``, ``limit``, ``tld``, ``exclude`` and ``candidates``. ASCII passes as for a detector,
    and ``limit`` bytes (16 KiB) from the first other byte decide.

    ``context_id="decode"`` is the hook ``decode`` for chunks: a byte order mark overrides the hint ``fallback``, an
    encoding or a label (UTF-8 without it), and is removed.

    >>> "".join(decode_stream("css-from-css", [b'@charset "eu', b'c-kr"; \\xb0', b"\\xa1"]))
    '@charset "euc-kr"; 가'
    """
    return DecodeStream(context_id, chunks, hints)


def __dir__() -> list[str]:
    return __all__
