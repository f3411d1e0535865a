"""Determine the encoding of a resource as the web's standards do: the encoding, its confidence, and what decided.

Each function takes bytes-like data and keyword hints. Hints that name an encoding take an ``Encoding`` or a label.
Hints that the program sets (``known``, ``override``, ``default``, ``detector``) must name an encoding; otherwise
UnknownLabelError is raised. Labels from the network or from other documents are ignored if they name none, as the
standards require; ``Sniffed.source`` tells what decided. ``content_type`` is the value of the ``Content-Type`` header,
a list of values if there are several header lines, or None. A byte order mark overrides everything.

``crawl`` and the detectors are not part of the standards: they return the most likely encoding, even if it is
declared wrongly.

https://html.spec.whatwg.org/#encoding-sniffing-algorithm
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from . import mime
from ._core import Encoding, UnknownLabelError, quote
from ._hooks import bom_sniff, byte_view, checked_pair, checked_str, get_an_encoding
from ._labels import (
    ENCODINGS,
    UTF_8,
    UTF_16BE,
    UTF_16LE,
    WINDOWS_1252,
    X_USER_DEFINED,
    lookup,
)
from ._prescan import (
    CSSScan,
    HTMLScan,
    Sniffed,
    Steps,
    XMLScan,
    condense,
    determine,
    meta_content,
    prescan,
    xml_declaration,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar, Unpack

    from typing_extensions import Buffer

    from ._hints import ContentType, CSSHints, Hint, HTMLHints, ScriptHints, TextDocumentHints, XMLHints
    from ._prescan import Confidence, Detector

    Function = TypeVar("Function", bound=Callable[..., object])

__all__ = [
    "ChangeEncoding",
    "Sniffed",
    "blob_text",
    "change_encoding",
    "chardetng",
    "crawl",
    "crawl_detector",
    "css",
    "html",
    "locale_default",
    "meta_content",
    "prescan",
    "script",
    "style_sheet_environment",
    "text_document",
    "utf8_if_valid",
    "xhr_document",
    "xhr_text",
    "xml",
    "xml_declaration",
]


class ChangeEncoding(NamedTuple):
    """The result of ``change_encoding``: what to do, and the new encoding and confidence.

    ``action``: "none" (nothing changes), "confirm" (only the confidence does) or "switch-or-reparse" (use the other
    encoding for what follows, if all bytes so far mean the same in both; otherwise start again with it, and do not
    sniff).
    https://html.spec.whatwg.org/#change-the-encoding
    """

    action: Literal["none", "confirm", "switch-or-reparse"]
    encoding: Encoding
    confidence: Confidence


# --- Hints ---


def takes_hints_of(steps: Callable[..., Steps]) -> Callable[[Function], Function]:
    """Decorate a function of ``data`` and hints that are those of ``steps``: ``help`` and editors then show them."""

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        positional = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        keywords = inspect.signature(steps).parameters.values()
        vars(function)["__signature__"] = signature.replace(parameters=[*positional, *keywords])
        if steps.__module__ == function.__module__:
            steps.__qualname__ = function.__qualname__  # shown in a TypeError
        return function

    return decorate


def _get_or_fail(hint: Hint, name: str) -> Encoding | None:
    """Return the encoding of a hint that the program sets, or None. Raise UnknownLabelError if it names none."""
    if hint is None or type(hint) is Encoding:
        return hint
    try:
        return get_an_encoding(hint)
    except UnknownLabelError as error:
        raise UnknownLabelError(f"{name}: {error}") from None


def _get(hint: Hint) -> Encoding | None:
    """Return the encoding of a hint from elsewhere; None if it is absent or names none."""
    if hint is None or type(hint) is Encoding:
        return hint
    try:
        return lookup(hint)
    except UnknownLabelError:
        return None


class ContentTypeFacts(NamedTuple):
    """The facts of a ``Content-Type`` on which determinations depend."""

    encoding: Encoding | None
    exists: bool
    is_html: bool
    is_xml: bool


_NO_CONTENT_TYPE: Final = ContentTypeFacts(None, False, False, False)

# Crawlers see few distinct header values. Long ones are not cached, so a hostile header cannot fill memory.
_CACHED_HEADER: Final = 256


@lru_cache(maxsize=512)
def _cached_facts(header: str) -> ContentTypeFacts:
    return _facts(mime.extract([header]))


def _facts(mime_type: mime.MIMEType | None) -> ContentTypeFacts:
    if mime_type is None:
        return _NO_CONTENT_TYPE
    return ContentTypeFacts(mime.charset_encoding(mime_type), True, mime_type.is_html, mime_type.is_xml)


def describe_content_type(content_type: ContentType) -> ContentTypeFacts:
    """Return what the header says. Raise TypeError for values that are neither str nor bytes."""
    if content_type is None:
        return _NO_CONTENT_TYPE
    if isinstance(content_type, str) and len(content_type) <= _CACHED_HEADER:
        return _cached_facts(content_type)
    return _facts(mime.extract([content_type] if isinstance(content_type, str | bytes) else content_type))


def _transport(content_type: ContentType) -> Encoding | None:
    return None if content_type is None else describe_content_type(content_type).encoding


# https://html.spec.whatwg.org/#determining-the-character-encoding: "suggested default encodings"
_LOCALES: Final = {
    tag: ENCODINGS[name]
    for name, tags in {
        "Big5": "zh-hant zh-hk zh-mo zh-tw",
        "EUC-KR": "ko",
        "GBK": "zh-cn zh-hans zh-sg",
        "ISO-8859-2": "hu pl sl",
        "ISO-8859-7": "el",
        "Shift_JIS": "ja",
        "windows-1250": "cs hr sk",
        "windows-1251": "ba be bg kk ky mk ru sah sr tg tt uk",
        "windows-1254": "az ku tr",
        "windows-1255": "he",
        "windows-1256": "ar fa",
        "windows-1257": "et lt lv",
        "windows-1258": "vi",
        "windows-874": "th",
    }.items()
    for tag in tags.split()
}


@lru_cache(maxsize=512)
def _locale_default(language_tag: str) -> Encoding:
    subtags = language_tag.lower().split("-") if language_tag.isascii() else []
    while subtags:
        encoding = _LOCALES.get("-".join(subtags))
        if encoding is not None:
            return encoding
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:  # a singleton is removed with the subtag that it introduces
            subtags.pop()
    return WINDOWS_1252


def locale_default(language_tag: str | None) -> Encoding:
    """Return the default encoding for users of a language: windows-1252 for most of them, and for None.

    ``language_tag`` is a BCP 47 tag, looked up as RFC 4647 says: without its last subtag, until the table has it. Raise
    TypeError for anything else.
    https://html.spec.whatwg.org/#determining-the-character-encoding

    >>> locale_default("zh-Hant-HK")
    <Encoding Big5>
    """
    if language_tag is None:
        return WINDOWS_1252
    return _locale_default(checked_str(language_tag, "locale")[:_CACHED_HEADER])


# --- Fallbacks, if nothing declares an encoding ---


_LOCALE_UNKNOWN: Final = Sniffed(WINDOWS_1252, "tentative", "locale")
_DEFAULT: Final = Sniffed(UTF_8, "tentative", "default")


def _detector_and_default(
    detector: Hint | Detector, locale: str | None, default: Hint
) -> tuple[Detector | None, Sniffed]:
    look: Detector | None = None
    guessed: Encoding | None = None
    if callable(detector):
        look = detector
    else:
        guessed = _get_or_fail(detector, "detector")
    encoding = _get_or_fail(default, "default")
    if guessed is not None:
        return None, Sniffed(guessed, "tentative", "detector")
    if encoding is not None:
        return look, Sniffed(encoding, "tentative", "default")
    if locale is None:
        return look, _LOCALE_UNKNOWN
    return look, Sniffed(locale_default(locale), "tentative", "locale")


# --- HTML and text documents ---


def _user_or_transport(chosen: Encoding | None, content_type: ContentType) -> Sniffed | None:
    if chosen is not None:
        return Sniffed(chosen, "certain", "user-override")
    encoding = _transport(content_type)
    return None if encoding is None else Sniffed(encoding, "certain", "transport")


def html_steps(
    *,
    override: Hint = None,
    content_type: ContentType = None,
    known: Hint = None,
    parent: Hint = None,
    parent_same_origin: bool = True,
    history: Hint = None,
    detector: Hint | Detector = None,
    locale: str | None = None,
    default: Hint = None,
) -> Steps:
    # Check all hints that the program sets first, since a wrong one is an error whatever decides.
    certain = _get_or_fail(known, "known")
    chosen = _get_or_fail(override, "override")
    look, after = _detector_and_default(detector, locale, default)
    if certain is not None:
        return Steps(before=Sniffed(certain, "certain", "known-definite-encoding"))
    before = _user_or_transport(chosen, content_type)
    if before is not None:
        return Steps(before=before)
    encoding = _get(parent)
    if encoding is not None and parent_same_origin and encoding is not UTF_16BE and encoding is not UTF_16LE:
        look, after = None, Sniffed(encoding, "tentative", "parent")
    elif (encoding := _get(history)) is not None:
        look, after = None, Sniffed(encoding, "tentative", "history")
    return Steps(scan=HTMLScan, source="prescan", detector=look, after=after)


def _transport_steps(encoding: Encoding) -> Steps:
    return Steps(before=Sniffed(encoding, "certain", "transport"))


_HTML_WITHOUT_HINTS: Final = html_steps()
_CONTENT_TYPE: Final = frozenset({"content_type"})


@takes_hints_of(html_steps)
def html(data: Buffer, **hints: Unpack[HTMLHints]) -> Sniffed:
    """Return the encoding of an HTML document that is navigated to.

    Sources in their order: "bom"; "known-definite-encoding" (``known``, which leaves out all that follows);
    "user-override" (``override``); "transport" (``content_type``); "prescan" (a ``meta`` or an XML declaration in the
    first 1024 bytes); "parent" (the encoding of the document that embeds this one, if it has the same origin);
    "history" (the encoding at an earlier visit); "detector" (an encoding, or a callable from bytes to one, called if
    this step is reached); "default" (``default``, if given); "locale" (``locale``, the user's language, else
    windows-1252). A detector returns an encoding, a label, the name of a Python codec, or None. Raise UnknownLabelError
    for a hint that the program sets or a detector's result if it names no encoding, TypeError for data without a
    contiguous buffer, and what the detector raises.
    https://html.spec.whatwg.org/#encoding-sniffing-algorithm

    >>> html(b"<!DOCTYPE html><meta charset=euc-kr>")
    Sniffed(encoding=<Encoding EUC-KR>, confidence='tentative', source='prescan')
    """
    if hints.keys() - _CONTENT_TYPE:
        return determine(data, html_steps(**hints))
    encoding = _transport(hints.get("content_type"))  # the fast path: no hint but the header's
    return determine(data, _HTML_WITHOUT_HINTS if encoding is None else _transport_steps(encoding))


def text_document_steps(
    *,
    override: Hint = None,
    content_type: ContentType = None,
    detector: Hint | Detector = None,
    locale: str | None = None,
    default: Hint = None,
) -> Steps:
    chosen = _get_or_fail(override, "override")
    look, after = _detector_and_default(detector, locale, default)
    before = _user_or_transport(chosen, content_type)
    return Steps(detector=look, after=after) if before is None else Steps(before=before)


@takes_hints_of(text_document_steps)
def text_document(data: Buffer, **hints: Unpack[TextDocumentHints]) -> Sniffed:
    """Return the encoding of a text document that is navigated to: text/plain, a script, JSON.

    Sources in their order: "bom", "user-override", "transport", "detector", "default" (``default``, if given),
    "locale". The text contains no declaration, and no other document's encoding applies. (The standard loads such
    documents with an HTML parser and does not specify which of its steps apply.) Raise what ``html`` raises.
    https://html.spec.whatwg.org/#read-text
    """
    return determine(data, text_document_steps(**hints))


def meta_encoding(attributes: Iterable[tuple[str, str]]) -> Encoding | None:
    """Return the encoding that a ``meta`` element with these attributes declares to the tree builder, or None.

    https://html.spec.whatwg.org/#parsing-main-inhead
    """
    values: dict[str, str] = {}
    for attribute in attributes:
        name, value = checked_pair(attribute, "meta")
        values.setdefault(name.lower() if name.isascii() else name, value)
    if "charset" in values:
        encoding = _get(values["charset"])
        if encoding is not None:
            return encoding
    pragma = values.get("http-equiv", "")
    if pragma.isascii() and pragma.lower() == "content-type" and "content" in values:
        return meta_content(values["content"])
    return None


def change_encoding(current: Encoding | str, confidence: Confidence, meta: Iterable[tuple[str, str]]) -> ChangeEncoding:
    """Return what a parser does at a ``meta`` element with these attributes: names and values, as in the markup.

    Raise UnknownLabelError for an unknown label of the current encoding, and ValueError for another confidence.
    https://html.spec.whatwg.org/#change-the-encoding

    >>> change_encoding("windows-1252", "tentative", [("charset", "utf-8")])
    ChangeEncoding(action='switch-or-reparse', encoding=<Encoding UTF-8>, confidence='certain')
    """
    encoding = get_an_encoding(current)
    if confidence not in ("certain", "tentative", "irrelevant"):
        raise ValueError(f'confidence is "certain", "tentative" or "irrelevant", not {quote(confidence)}')
    declared = meta_encoding(meta) if confidence == "tentative" else None
    if declared is None:
        return ChangeEncoding("none", encoding, confidence)
    if encoding is UTF_16BE or encoding is UTF_16LE:
        return ChangeEncoding("confirm", encoding, "certain")
    if declared is UTF_16BE or declared is UTF_16LE:
        declared = UTF_8
    elif declared is X_USER_DEFINED:
        declared = WINDOWS_1252
    if declared is encoding:
        return ChangeEncoding("confirm", encoding, "certain")
    return ChangeEncoding("switch-or-reparse", declared, "certain")


# --- XML ---


def xml_steps(*, override: Hint = None, content_type: ContentType = None) -> Steps:
    before: Sniffed | None = None
    encoding = _get_or_fail(override, "override")
    if encoding is not None:
        before = Sniffed(encoding, "certain", "override")
    elif (encoding := _transport(content_type)) is not None:
        before = Sniffed(encoding, "certain", "transport")
    return Steps(before=before, scan=XMLScan, source="xml", after=_DEFAULT)


@takes_hints_of(xml_steps)
def xml(data: Buffer, **hints: Unpack[XMLHints]) -> Sniffed:
    """Return the encoding of an XML document.

    Sources in their order: "bom", "override", "transport", "xml" (the declaration, or the first bytes of one in
    UTF-16), "default" (UTF-8). An XML parser then decodes with fatal errors. Raise UnknownLabelError for an override
    that names no encoding, and TypeError for data without a contiguous buffer.
    https://www.rfc-editor.org/rfc/rfc7303#section-3

    >>> xml(b'<?xml version="1.0" encoding="big5"?><x/>')
    Sniffed(encoding=<Encoding Big5>, confidence='tentative', source='xml')
    """
    return determine(data, xml_steps(**hints))


# --- CSS ---


def css_steps(*, content_type: ContentType = None, environment: Hint = None) -> Steps:
    encoding = _transport(content_type)
    before = None if encoding is None else Sniffed(encoding, "certain", "transport")
    encoding = _get(environment)
    after = _DEFAULT if encoding is None else Sniffed(encoding, "tentative", "environment")
    return Steps(before=before, scan=CSSScan, source="css", after=after)


@takes_hints_of(css_steps)
def css(data: Buffer, **hints: Unpack[CSSHints]) -> Sniffed:
    """Return the encoding of a style sheet.

    Sources in their order: "bom", "transport", "css" (``@charset``), "environment" (see ``style_sheet_environment``),
    "default" (UTF-8). Raise TypeError for data without a contiguous buffer.
    https://drafts.csswg.org/css-syntax-3/#input-byte-stream

    >>> css(b'@charset "iso-8859-15"; p { color: red }').encoding
    <Encoding ISO-8859-15>
    """
    return determine(data, css_steps(**hints))


Referrer: TypeAlias = Literal["link", "xml-stylesheet", "import", "link-header"]


def style_sheet_environment(
    referrer: Referrer, *, charset: Hint = None, document: Hint = None, sheet: Hint = None
) -> Encoding | None:
    """Return the environment encoding of a style sheet, for ``css``.

    ``referrer``: the kind of reference. "link" (an HTML element) and "xml-stylesheet": the encoding of its ``charset``,
    else of the ``document``. "import": the encoding of the importing ``sheet``. "link-header": None. Raise ValueError
    for another referrer.
    https://drafts.csswg.org/css-syntax-3/#environment-encoding
    """
    if referrer in ("link", "xml-stylesheet"):
        return _get(charset) or _get(document)
    if referrer == "import":
        return _get(sheet)
    if referrer == "link-header":
        return None
    raise ValueError(f'referrer is "link", "xml-stylesheet", "import" or "link-header", not {quote(referrer)}')


# --- Scripts ---


def script_steps(*, content_type: ContentType = None, charset: Hint = None, document: Hint = "utf-8") -> Steps:
    encoding = _transport(content_type)
    if encoding is not None:
        after = Sniffed(encoding, "certain", "transport")
    elif (encoding := _get(charset)) is not None:
        after = Sniffed(encoding, "tentative", "script-charset")
    else:
        after = Sniffed(_get(document) or UTF_8, "tentative", "document")
    return Steps(after=after)


@takes_hints_of(script_steps)
def script(data: Buffer, **hints: Unpack[ScriptHints]) -> Sniffed:
    """Return the encoding of a classic script.

    Sources in their order: "bom", "transport", "script-charset" (the element's ``charset``), "document" (the document's
    encoding). Modules and workers are UTF-8 always. Raise TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#fetch-a-classic-script
    """
    return determine(data, script_steps(**hints))


# --- XMLHttpRequest ---


class XHRTypes(NamedTuple):
    final_encoding: Encoding | None
    is_html: bool
    is_xml: bool


def xhr_types(content_type: ContentType, override_mime: str | None) -> XHRTypes:
    """Return the final encoding and the facts of the final MIME type. https://xhr.spec.whatwg.org/#final-encoding"""
    encoding, exists, is_html, is_xml = describe_content_type(content_type)
    if not exists:
        is_xml = True  # without a MIME type, the response's is text/xml
    if override_mime is not None:
        override = mime.parse(override_mime) or mime.MIMEType("application", "octet-stream")
        is_html, is_xml = override.is_html, override.is_xml
        if "charset" in override.parameters:
            encoding = mime.charset_encoding(override)  # overrides the response's, even if it names no encoding
    return XHRTypes(encoding, is_html, is_xml)


def xhr_text_steps(final_encoding: Encoding | None, is_xml: bool) -> Steps:
    if final_encoding is not None:
        return Steps(before=Sniffed(final_encoding, "certain", "final-encoding"))
    return Steps(scan=XMLScan if is_xml else None, source="xml", after=_DEFAULT)


def xhr_text(
    data: Buffer, *, content_type: ContentType = None, override_mime: str | None = None, response_type: str = ""
) -> Sniffed:
    """Return the encoding of an XMLHttpRequest's text response.

    Sources in their order: "bom", "final-encoding" (the charset of ``overrideMimeType()``, else of the response), "xml"
    (as for an XML document, if ``response_type`` is empty and the type is XML or absent), "default" (UTF-8). Raise
    ValueError for a ``response_type`` other than "" and "text", and TypeError for data without a contiguous buffer.
    https://xhr.spec.whatwg.org/#text-response
    """
    if response_type not in ("", "text"):
        raise ValueError(f'a text response has the response_type "" or "text", not {quote(response_type)}')
    types = xhr_types(content_type, override_mime)
    return determine(data, xhr_text_steps(types.final_encoding, response_type == "" and types.is_xml))


def xhr_html_steps(final_encoding: Encoding | None) -> Steps:
    before = None if final_encoding is None else Sniffed(final_encoding, "certain", "final-encoding")
    # "Known definite encoding": no later meta changes what was found.
    after = Sniffed(UTF_8, "certain", "default")
    return Steps(before=before, scan=HTMLScan, confidence="certain", source="prescan", after=after)


def xhr_document(
    data: Buffer, *, content_type: ContentType = None, override_mime: str | None = None, response_type: str = "document"
) -> Sniffed | None:
    """Return the encoding of an XMLHttpRequest's document response, or None if no document is created.

    HTML: "bom", "final-encoding" (the charset of ``overrideMimeType()``, else of the response), "prescan", "default"
    (UTF-8), all certain. XML: the XML parser decides, "xml-parser", in the order of ``xml`` with the final encoding as
    its transport. No document: any other type, and HTML if ``response_type`` is empty. (In the standard the document's
    ``encoding`` ignores a byte order mark and is UTF-8 for XML; this is the encoding for decoding.) Raise ValueError
    for a ``response_type`` other than "" and "document", and TypeError for data without a contiguous buffer.
    https://xhr.spec.whatwg.org/#document-response
    """
    if response_type not in ("", "document"):
        raise ValueError(f'a document response has the response_type "" or "document", not {quote(response_type)}')
    byte_view(data)  # which raises TypeError even if no document is created
    types = xhr_types(content_type, override_mime)
    if types.is_html:
        if response_type == "":
            return None
        return determine(data, xhr_html_steps(types.final_encoding))
    if types.is_xml:
        sniffed = determine(data, xml_steps(override=types.final_encoding))
        return sniffed._replace(source="xml-parser")
    return None


# --- Blobs ---


def blob_text(data: Buffer, *, encoding: Hint = None, blob_type: str = "") -> Sniffed:
    """Return the encoding of a blob that ``FileReader.readAsText()`` reads. (``Blob.text()`` is UTF-8 always.)

    Sources in their order: "bom", "argument" (``encoding``), "type" (the charset of ``blob_type``), "default" (UTF-8).
    Raise TypeError for data without a contiguous buffer.
    https://w3c.github.io/FileAPI/#readAsText
    """
    chosen = _get(encoding)
    if chosen is not None:
        after = Sniffed(chosen, "certain", "argument")
    elif (chosen := mime.charset_encoding(mime.parse(blob_type))) is not None:
        after = Sniffed(chosen, "certain", "type")
    else:
        after = _DEFAULT
    return determine(data, Steps(after=after))


# --- What the text most likely is ---

# Upper bound on the bytes from which the detector's sample is taken. More rarely change its result.
_LIMIT: Final = 16384

# The escape sequences before Japanese characters in ISO-2022-JP, whose bytes are all valid UTF-8.
_ISO_2022_JP_ESCAPE: Final = re.compile(rb"\x1B(?:\$[@B]|\([IJ])")
_BEYOND_ASCII: Final = re.compile(rb"[\x1B\x80-\xFF]")
_NEXT_TO: Final = 16  # the bytes of ASCII before the first other byte that the sample includes
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


def _has_iso_2022_jp(data: bytes | memoryview) -> bool:
    """Return whether ``data`` is ASCII with escape sequences of ISO-2022-JP."""
    if isinstance(data, bytes) and b"\x1b" not in data:  # the fast path, many times as fast as the search
        return False
    return _ISO_2022_JP_ESCAPE.search(data) is not None and bytes(data).isascii()


def utf8_if_valid(data: Buffer) -> Encoding | None:
    """Return UTF-8 if ``data`` is valid UTF-8, else None: a detector.

    An incomplete sequence at the end is accepted, unless it is the only byte above 0x7F, which is more likely the é of
    windows-1252. ASCII with escape sequences of ISO-2022-JP is not UTF-8. The data is not decoded. Raise TypeError for
    data without a contiguous buffer.

    >>> utf8_if_valid("日本".encode()[:-1]), utf8_if_valid(b"caf\xe9")
    (<Encoding UTF-8>, None)
    """
    view = byte_view(data)
    valid = _breaks_off_at(view, UTF_8)
    if valid is None or (valid == len(view) - 1 and bytes(view[:valid]).isascii()):
        return None
    if _has_iso_2022_jp(view):
        return None
    return UTF_8


# chardetng-py returns names of Python's codecs. This is the one that is not a label.
_CHARDETNG_NAMES: Final = {"cp874": "windows-874"}


def _detector_class() -> Any:
    """Return chardetng-py's class, which has no types. Raise ImportError without the extra ``detect``."""
    try:
        from chardetng_py import EncodingDetector  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("this needs chardetng-py: pip install 'whatwg-encoding[detect]'") from error
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


def _detect(view: bytes | memoryview, limit: int, tld: str | None) -> Encoding | None:
    """Return the encoding of ``limit`` bytes, from the first that is not ASCII, of data that is not valid UTF-8."""
    if len(view) > limit:
        found = _BEYOND_ASCII.search(view)
        start = max(0, found.start() - _NEXT_TO) if found else 0
        view = view[start : start + limit]
    sample = bytes(view)
    if utf8_if_valid(sample) is not None:
        return UTF_8
    name = chardetng(sample if sample.isascii() else condense(sample), tld=tld, allow_utf8=False)
    return None if name is None else lookup(name)


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
        return utf8_if_valid(view) or _detect(view, self.limit, self.tld)

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


def crawl_detector(limit: int = _LIMIT, *, tld: str | None = None) -> CrawlDetector:
    """Return a detector for undeclared text: UTF-8 if it is valid, else what ``chardetng`` finds in ``limit`` bytes.

    These are the first bytes, from the first that is not ASCII. Of a stream the detector uses the first ``limit`` bytes
    only, so that text is available before the last byte; a stream that is ASCII up to there is UTF-8. ``tld``: the
    top-level domain of the host. Raise ImportError without the extra ``detect``, and ValueError for a ``limit`` below 1
    and a ``tld`` that is not a single label.

    >>> html("<p>Привет, мир".encode("koi8-r"), detector=crawl_detector())
    Sniffed(encoding=<Encoding KOI8-U>, confidence='tentative', source='detector')
    """
    check_crawl(limit, tld)
    return CrawlDetector(limit, tld)


# A declaration of UTF-8 is accepted with up to one error for this many non-ASCII characters, since some pages combine
# text from several sources.
_CHARACTERS_TO_AN_ERROR: Final = 100


def _is_believed(encoding: Encoding | None, view: bytes | memoryview, limit: int) -> bool:
    """Return whether the data confirm the declared encoding."""
    # windows-1252 decodes everything and is the default of many servers.
    if encoding is None or encoding is WINDOWS_1252:
        return False
    if _breaks_off_at(view, encoding) is not None:
        return True
    if encoding is not UTF_8:
        return False
    decoder = UTF_8.new_decoder()
    text = decoder.decode(bytes(view[:limit]))
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return 0 < decoder.error_count * _CHARACTERS_TO_AN_ERROR <= beyond_ascii


CRAWLED_UTF_8: Final = Sniffed(UTF_8, "tentative", "utf-8")


def _may_be_utf_16(view: bytes | memoryview, transport: Encoding | None, limit: int) -> bool:
    """Return whether the header declares UTF-16 and the text has NULs: ASCII in UTF-16 is valid UTF-8, too."""
    return (transport is UTF_16BE or transport is UTF_16LE) and b"\0" in bytes(view[:limit])


def crawled_utf_8(view: bytes | memoryview, content_type: ContentType, limit: int) -> str | None:
    """Return the text if ``crawl`` finds complete UTF-8 without a byte order mark, else None.

    This is the fast path for most pages: one pass over the bytes both validates and decodes them.
    """
    if bom_sniff(view) is not None or _may_be_utf_16(view, _transport(content_type), limit):
        return None
    try:
        text = UTF_8.decode(view, "fatal")
    except UnicodeDecodeError:
        return None
    return None if _has_iso_2022_jp(view) else text


def crawl(data: Buffer, content_type: ContentType = None, *, limit: int = _LIMIT, tld: str | None = None) -> Sniffed:
    """Return the most likely encoding of a text, given its bytes and perhaps a header. Browsers may use another one.

    Sources in their order: "bom"; "utf-8" (the data is valid UTF-8, see ``utf8_if_valid``);
    "transport" (``content_type``) and "prescan" (a ``meta`` or an XML declaration); "detector" (``chardetng`` on
    ``limit`` bytes, with ``tld``). A declaration counts if the data decodes without an error, but for a cut at the end
    or, in declared UTF-8, one error in a hundred characters; windows-1252, which decodes everything and is the default
    of many servers, is ignored. Results other than a byte order mark's are tentative. Raise ImportError without the
    extra ``detect``, whatever the data; ValueError for a ``limit`` below 1 and a ``tld`` that is not a single label;
    TypeError for data without a contiguous buffer.

    >>> crawl("Größe".encode(), "text/html; charset=iso-8859-1")
    Sniffed(encoding=<Encoding UTF-8>, confidence='tentative', source='utf-8')
    >>> crawl("<p>Привет, мир".encode("windows-1251"), "text/html; charset=utf-8")
    Sniffed(encoding=<Encoding windows-1251>, confidence='tentative', source='detector')
    """
    check_crawl(limit, tld)
    view = byte_view(data)
    marked = bom_sniff(view)
    if marked is not None:
        return Sniffed(marked, "certain", "bom")
    transport = _transport(content_type)
    if not _may_be_utf_16(view, transport, limit) and utf8_if_valid(view) is not None:
        return CRAWLED_UTF_8
    if _is_believed(transport, view, limit):
        assert transport is not None
        return Sniffed(transport, "tentative", "transport")
    declared = prescan(view)
    if _is_believed(declared, view, limit):
        assert declared is not None
        return Sniffed(declared, "tentative", "prescan")
    return Sniffed(_detect(view, limit, tld) or WINDOWS_1252, "tentative", "detector")
