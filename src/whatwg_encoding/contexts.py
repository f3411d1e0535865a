"""Decode bytes as a given place of the web does: one mechanism for all of them, driven by the table of contexts.

``CONTEXTS`` has the rows of the table. ``decode_as`` decodes what is there as a whole, ``decode_stream`` what arrives
in pieces; both give the same text.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, NoReturn, cast

from . import sniff
from ._contexts import CONTEXTS, DecodeContext
from ._core import Encoding, UnknownLabelError
from ._hooks import byte_view, get_an_encoding, isomorphic_decode
from ._labels import REPLACEMENT, UTF_8
from ._prescan import Determination, MetaScan, Sniffed, Steps
from ._results import Decoded
from .sniff import ContentType, Hint
from .urls import form_component, percent_decode

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._prescan import Confidence, Detector

__all__ = [
    "CONTEXTS",
    "DecodeContext",
    "DecodeStream",
    "LateMeta",
    "NotSpecifiedError",
    "decode_as",
    "decode_css",
    "decode_html",
    "decode_stream",
    "decode_xml",
]


class NotSpecifiedError(LookupError):
    """Nobody has specified how bytes become text in this context."""


# --- Determinations: the table's column of that name, and the hints that each takes ---


def _fixed(encoding: Encoding, source: str) -> Steps:
    return Steps(after=Sniffed(encoding, "certain", source))


def _utf_8_steps() -> Steps:
    return _fixed(UTF_8, "context")


def _label_steps(*, label: Encoding | str = "utf-8") -> Steps:
    encoding = get_an_encoding(label)
    if encoding is REPLACEMENT:
        raise UnknownLabelError(f"{label!r} is a label of replacement, which no TextDecoder decodes")
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


def _css_link_header_steps(*, content_type: ContentType = None) -> Steps:
    return sniff.css_steps(content_type=content_type, environment=sniff.style_sheet_environment("link-header"))


def _xhr_html_steps(*, content_type: ContentType = None, override_mime: str | None = None) -> Steps:
    return sniff.xhr_html_steps(sniff.xhr_types(content_type, override_mime).final_encoding)


def _xhr_xml_steps(*, content_type: ContentType = None, override_mime: str | None = None) -> Steps:
    return sniff.xhr_text_steps(sniff.xhr_types(content_type, override_mime).final_encoding, is_xml=True)


def _xhr_steps(*, content_type: ContentType = None, override_mime: str | None = None) -> Steps:
    return sniff.xhr_text_steps(sniff.xhr_types(content_type, override_mime).final_encoding, is_xml=False)


def _mime_type_steps(
    *,
    override: Hint = None,
    content_type: ContentType = None,
    detector: Hint | Detector = None,
    locale: str | None = None,
    default: Hint = None,
) -> Steps:
    """As the document itself is decoded; without a MIME type, as HTML."""
    mime_type = sniff.describe_content_type(content_type)
    if mime_type.is_xml:
        return sniff.xml_steps(override=override, content_type=content_type)
    steps = sniff.text_document_steps if mime_type.exists and not mime_type.is_html else sniff.html_steps
    return steps(override=override, content_type=content_type, detector=detector, locale=locale, default=default)


_DETERMINATIONS: Final[Mapping[str, Callable[..., Steps]]] = {
    "label": _label_steps,
    "fallback": _fallback_steps,
    "utf-8": _utf_8_steps,
    "html": sniff.html_steps,
    "xhr-html": _xhr_html_steps,
    "xml": sniff.xml_steps,
    "css-link": _css_link_steps,
    "css-import": _css_import_steps,
    "css-link-header": _css_link_header_steps,
    "text": sniff.text_document_steps,
    "mime-type": _mime_type_steps,
    "xhr-xml": _xhr_xml_steps,
    "xhr": _xhr_steps,
    "script": sniff.script_steps,
}

# What each operation does with a byte order mark; that of a TextDecoder stands in the row.
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
    """The string, in UTF-8, without escapes but those of reserved characters. A bad escape is a UnicodeDecodeError.

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
    """What turns the bytes of the context into those that are decoded; None where they are the same."""
    if context.spec_operation == "ECMAScript Decode()":
        reserved = _URI_RESERVED if context.id == "js-decodeuri" else frozenset[int]()
        return lambda data: _uri_decode(data, reserved)
    return {"percent-encoded": percent_decode, "form-urlencoded": form_component}.get(context.input)


# --- Plans ---


class _Plan(NamedTuple):
    """A context with its hints applied."""

    steps: Steps | None  # None: isomorphic decode, which knows no encoding
    errors: Literal["replacement", "fatal"]
    input: Callable[[bytes], bytes] | None
    looks_for_meta: bool


def _plan(context_id: str, hints: dict[str, Any]) -> _Plan:
    context = CONTEXTS.get(context_id)
    if context is None:
        raise LookupError(f"unknown decode context {context_id!r}; CONTEXTS has {', '.join(CONTEXTS)}")
    if not context.determination and not context.spec_operation:
        raise NotSpecifiedError(f"nobody has specified how to decode the context {context_id!r}: {context.context_en}")
    steps = _DETERMINATIONS[context.determination] if context.determination else None
    accepted = set(steps.__kwdefaults__ or ()) if steps is not None else set()
    if context.error_mode in ("selectable", "replacement or fatal"):
        accepted.add("fatal")
    for name in hints:
        if name not in accepted:
            takes = ", ".join(sorted(accepted)) or "none"
            raise TypeError(f"the decode context {context_id!r} has no hint {name!r}; its hints: {takes}")
    fatal = hints.pop("fatal", False) or context.error_mode == "fatal"
    if steps is None:
        return _Plan(None, "replacement", _input(context), False)
    applied = steps(**hints)
    bom = _OPERATION_BOM.get(context.spec_operation) or ("keep" if context.bom == "keep" else "remove")
    return _Plan(
        applied.with_bom(bom),
        "fatal" if fatal else "replacement",
        _input(context),
        context.change_encoding == "yes",
    )


def _decode(plan: _Plan, data: Buffer) -> tuple[Decoded, Sniffed | None]:
    view = byte_view(data)
    if plan.input is not None:
        view = plan.input(bytes(view))
    if plan.steps is None:
        # No encoding of the standard is isomorphic decode.
        return Decoded(isomorphic_decode(view), cast(Encoding, None)), None
    determination = Determination(plan.steps)
    sniffed = determination.look(view, True)
    assert sniffed is not None  # a final look always decides
    content = view[determination.bom_length :] if determination.bom_length else view
    return Decoded(sniffed.encoding.decode(content, plan.errors), sniffed.encoding), sniffed


def decode_as(context_id: str, data: Buffer, **hints: Any) -> Decoded:
    """The text of ``data`` as the context decodes it, and the encoding used (None for an isomorphic decode).

    ``context_id``: a key of ``CONTEXTS``. Hints are those of the function of ``sniff`` for the context; besides,
    "label" and "fatal" for a TextDecoder, "fatal" for the host parser, "fallback" for a plain decode, "charset",
    "document" and "sheet" for style sheets. Raises LookupError for an unknown context, NotSpecifiedError (one of those)
    where the table says nothing, TypeError for a hint that the context does not have and for data without a contiguous
    buffer, and UnicodeDecodeError where errors are fatal: XML, media fragments, decodeURI.

    >>> decode_as("html-parser", b"<meta charset=euc-kr>\\xb0\\xa1").text
    '<meta charset=euc-kr>가'
    """
    return _decode(_plan(context_id, hints), data)[0]


def decode_html(data: Buffer, **hints: Any) -> Decoded:
    """The text of an HTML document, and its encoding: ``decode_as("html-parser", …)``.

    https://html.spec.whatwg.org/#determining-the-character-encoding
    """
    return decode_as("html-parser", data, **hints)


def decode_css(data: Buffer, **hints: Any) -> Decoded:
    """The text of a style sheet, and its encoding: ``decode_as("css-from-document", …)``, or with ``environment``.

    https://drafts.csswg.org/css-syntax-3/#input-byte-stream
    """
    return decode_as("css-from-document", data, **hints)


def decode_xml(data: Buffer, **hints: Any) -> Decoded:
    """The text of an XML document, and its encoding: ``decode_as("xml-parser", …)``. Errors are fatal.

    https://www.rfc-editor.org/rfc/rfc7303#section-3
    """
    return decode_as("xml-parser", data, **hints)


# --- Streams ---


class LateMeta(NamedTuple):
    """A ``meta`` that the sniffing did not see, or saw otherwise, and that the HTML parser would act on.

    ``action``: "none" (it confirms the encoding), "switch" (all text so far is the same in ``encoding``: ``switch()``
    uses it for the rest) or "decode-again" (from the first byte, with ``known=encoding``). ``start``, ``end``: the
    tag's bytes.
    https://html.spec.whatwg.org/#change-the-encoding
    """

    action: Literal["none", "switch", "decode-again"]
    encoding: Encoding
    start: int
    end: int


class DecodeStream(Iterator[str], AsyncIterator[str]):
    """What ``decode_stream`` returns: an iterator, asynchronous for asynchronous chunks, over parts of the text.

    ``encoding``, ``confidence`` and ``source`` are None until they are known, which they are with the first part of
    text. ``late_meta`` is None, or what was found; text stops right behind the tag once, so that the caller may act.
    """

    encoding: Encoding | None = None
    confidence: Confidence | None = None
    source: str | None = None
    late_meta: LateMeta | None = None

    def __init__(
        self, context_id: str, chunks: Iterable[Buffer] | AsyncIterable[Buffer], hints: dict[str, Any]
    ) -> None:
        if isinstance(chunks, str | bytes | bytearray | memoryview):
            raise TypeError(f"chunks must be an iterable of bytes-like objects, not one {type(chunks).__name__}")
        self._plan = _plan(context_id, hints)
        self._determination = None if self._plan.steps is None else Determination(self._plan.steps)
        self._meta_scan: MetaScan | None = None
        self._ascii = True
        self._held = bytearray()
        self._decode: Callable[[Buffer, bool], str] | None = None
        self._texts: Iterator[str] | None = None
        self._async_texts: AsyncIterator[str] | None = None
        if isinstance(chunks, AsyncIterable):
            self._async_texts = self._run_async(chunks)
        else:
            self._texts = self._run(iter(chunks))

    def __iter__(self) -> DecodeStream:
        return self

    def __next__(self) -> str:
        if self._texts is None:
            raise TypeError("the chunks are asynchronous: use async for")
        return next(self._texts)

    def __aiter__(self) -> DecodeStream:
        return self

    async def __anext__(self) -> str:
        if self._async_texts is None:
            raise TypeError("the chunks are not asynchronous: use for")
        return await anext(self._async_texts)

    def switch(self) -> None:
        """Uses the encoding of ``late_meta`` for what follows. Raises ValueError unless its action is "switch"."""
        if self.late_meta is None or self.late_meta.action != "switch":
            raise ValueError("there is no late meta that allows to switch: see late_meta")
        self.encoding, self.confidence, self.source = self.late_meta.encoding, "certain", "meta"
        self._decode = self.encoding.new_decoder(self._plan.errors).decode

    def _run(self, chunks: Iterator[Buffer]) -> Iterator[str]:
        for chunk in chunks:
            yield from self._feed(chunk, False)
        yield from self._feed(b"", True)

    async def _run_async(self, chunks: AsyncIterable[Buffer]) -> AsyncIterator[str]:
        async for chunk in chunks:
            for text in self._feed(chunk, False):
                yield text
        for text in self._feed(b"", True):
            yield text

    def _feed(self, chunk: Buffer, final: bool) -> Iterator[str]:
        """The parts of text that these bytes complete, none of them empty."""
        data = byte_view(chunk)
        if self._decode is None:
            self._held += data
            data = self._start(final)
            if self._decode is None:
                return
        if self._meta_scan is not None:
            end = self._look_for_meta(data)
            if end is not None:
                text = self._decode(data[:end], False)
                if text:
                    yield text
                data = data[end:]
                # The caller may have switched in between: no local name holds the decoder.
        text = self._decode(data, final)
        if text:
            yield text

    def _start(self, final: bool) -> bytes:
        """The bytes that were held back, once it is known how to decode them; then ``_decode`` is set."""
        plan = self._plan
        held = b""
        if plan.input is not None:
            # Escapes may stand anywhere: the table knows no stream here.
            if not final:
                return b""
            self._held = bytearray(plan.input(bytes(self._held)))
        if self._determination is None:
            held = bytes(self._held)
            self.confidence, self.source = "certain", "context"
            self._decode = lambda data, final: isomorphic_decode(data)
        else:
            sniffed = self._determination.look(self._held, final)
            if sniffed is None:
                return b""
            held = bytes(self._held[self._determination.bom_length :])
            self.encoding, self.confidence, self.source = sniffed
            self._decode = sniffed.encoding.new_decoder(plan.errors).decode
            # Only a tentative encoding changes. Where ASCII bytes are not always ASCII, a tag's bytes may be something
            # else.
            if plan.looks_for_meta and sniffed.confidence == "tentative" and sniffed.encoding.is_ascii_compatible:
                self._meta_scan = MetaScan()
        self._held = bytearray()
        return held

    def _look_for_meta(self, data: bytes | memoryview) -> int | None:
        """Where the tag that was looked for ends in these bytes, if it is a reason to stop; sets ``late_meta``."""
        assert self._meta_scan is not None
        assert self.encoding is not None
        before = self._meta_scan.end
        encoding = self._meta_scan.feed(data)
        if encoding is None:
            self._ascii = self._ascii and bytes(data).isascii()
            return None
        start, end = self._meta_scan.start, self._meta_scan.end
        self._meta_scan = None  # the confidence is certain now, whatever comes of it
        if encoding is self.encoding:
            if self._determination is not None and self._determination.span == (start, end):
                return None  # the one that the prescan saw
            self.late_meta = LateMeta("none", encoding, start, end)
        elif encoding.is_ascii_compatible and self._ascii and bytes(data[: end - before]).isascii():
            self.late_meta = LateMeta("switch", encoding, start, end)
        else:
            self.late_meta = LateMeta("decode-again", encoding, start, end)
        return end - before


def decode_stream(context_id: str, chunks: Iterable[Buffer] | AsyncIterable[Buffer], **hints: Any) -> DecodeStream:
    """An iterator, asynchronous if ``chunks`` is, over parts of the text that ``decode_as`` gives for all of them.

    Bytes are held back until nothing that may come can change the encoding: at most 1024 for HTML and CSS, the XML
    declaration for XML, three where only a byte order mark counts. A detector that is a callable wants to see
    everything, and gets it when its step is reached. A ``meta`` that is found too late is reported, see ``LateMeta``.
    Raises what ``decode_as`` raises: for context and hints at once, for the bytes on the way.

    >>> "".join(decode_stream("css-from-css", [b'@charset "eu', b'c-kr"; \\xb0', b"\\xa1"]))
    '@charset "euc-kr"; 가'
    """
    return DecodeStream(context_id, chunks, hints)
