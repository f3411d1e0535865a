"""Which encoding a resource is in, decided as the web does: an encoding, how sure it is, and what decided.

Each function takes bytes-like data and keyword hints. Hints that name an encoding take an ``Encoding`` or a label; a
label of no encoding counts as absent. ``content_type`` is the value of the ``Content-Type`` header, a list of the
values where there are several header lines, or None. A byte order mark wins over everything.

https://html.spec.whatwg.org/#encoding-sniffing-algorithm
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from . import mime
from ._core import Encoding, UnknownLabelError
from ._hooks import byte_view
from ._labels import ENCODINGS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED, lookup
from ._prescan import CSSScan, HTMLScan, Sniffed, Steps, XMLScan, determine, meta_content, prescan, xml_declaration

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._prescan import Confidence, Detector

__all__ = [
    "ChangeEncoding",
    "Sniffed",
    "blob_text",
    "change_encoding",
    "chardetng",
    "css",
    "html",
    "locale_default",
    "meta_content",
    "prescan",
    "script",
    "style_sheet_environment",
    "text_document",
    "xhr_document",
    "xhr_text",
    "xml",
    "xml_declaration",
]

ContentType: TypeAlias = str | bytes | Iterable[str | bytes] | None
Hint: TypeAlias = Encoding | str | None


class ChangeEncoding(NamedTuple):
    """What ``change_encoding`` returns: what to do, and the encoding and confidence from then on.

    ``action``: "none" (nothing changes), "confirm" (only the confidence does) or "switch-or-reparse" (use the other
    encoding for what follows, if all bytes so far mean the same in both; otherwise start again with it, and do not
    sniff).
    https://html.spec.whatwg.org/#change-the-encoding
    """

    action: Literal["none", "confirm", "switch-or-reparse"]
    encoding: Encoding
    confidence: Confidence


# --- Hints ---


def _get(hint: Hint) -> Encoding | None:
    """The encoding of a hint; None where it is absent or its label is of no encoding."""
    if hint is None or type(hint) is Encoding:
        return hint
    try:
        return lookup(hint)
    except UnknownLabelError:
        return None


class ContentTypeFacts(NamedTuple):
    """What a determination needs to know of a ``Content-Type``."""

    encoding: Encoding | None
    exists: bool
    is_html: bool
    is_xml: bool


_NO_CONTENT_TYPE: Final = ContentTypeFacts(None, False, False, False)

# Crawlers meet few different header values. Long ones are not kept: 64 KiB of header stays the sender's affair.
_CACHED_HEADER: Final = 256


@lru_cache(maxsize=512)
def _cached_facts(header: str) -> ContentTypeFacts:
    return _facts(mime.extract([header]))


def _facts(mime_type: mime.MIMEType | None) -> ContentTypeFacts:
    if mime_type is None:
        return _NO_CONTENT_TYPE
    return ContentTypeFacts(mime.charset_encoding(mime_type), True, mime_type.is_html, mime_type.is_xml)


def describe_content_type(content_type: ContentType) -> ContentTypeFacts:
    """What the header says. Raises TypeError for values that are neither str nor bytes."""
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
        if subtags and len(subtags[-1]) == 1:  # a singleton goes with what it introduces
            subtags.pop()
    return WINDOWS_1252


def locale_default(language_tag: str | None) -> Encoding:
    """The default encoding for users of a language: windows-1252 for most of the world, and for None.

    ``language_tag`` is a BCP 47 tag, looked up as RFC 4647 says: without its last subtag, until the table has it.
    https://html.spec.whatwg.org/#determining-the-character-encoding

    >>> locale_default("zh-Hant-HK")
    <Encoding Big5>
    """
    return WINDOWS_1252 if not language_tag else _locale_default(language_tag[:_CACHED_HEADER])


# --- What is left when nothing declares an encoding ---


_LOCALE_UNKNOWN: Final = Sniffed(WINDOWS_1252, "tentative", "locale")
_DEFAULT: Final = Sniffed(UTF_8, "tentative", "default")


def _detector_and_default(
    detector: Hint | Detector, locale: str | None, default: Hint
) -> tuple[Detector | None, Sniffed]:
    look: Detector | None = None
    if detector is not None:
        if callable(detector):
            look = detector
        else:
            encoding = _get(detector)
            if encoding is not None:
                return None, Sniffed(encoding, "tentative", "detector")
    encoding = _get(default)
    if encoding is not None:
        return look, Sniffed(encoding, "tentative", "default")
    if locale is None:
        return look, _LOCALE_UNKNOWN
    return look, Sniffed(locale_default(locale), "tentative", "locale")


# --- HTML and text documents ---


def _user_or_transport(override: Hint, content_type: ContentType) -> Sniffed | None:
    encoding = _get(override)
    if encoding is not None:
        return Sniffed(encoding, "certain", "user-override")
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
    encoding = _get(known)
    if encoding is not None:
        return Steps(before=Sniffed(encoding, "certain", "known-definite-encoding"))
    before = _user_or_transport(override, content_type)
    if before is not None:
        return Steps(before=before)
    look: Detector | None = None
    encoding = _get(parent)
    if encoding is not None and parent_same_origin and encoding is not UTF_16BE and encoding is not UTF_16LE:
        after = Sniffed(encoding, "tentative", "parent")
    elif (encoding := _get(history)) is not None:
        after = Sniffed(encoding, "tentative", "history")
    else:
        look, after = _detector_and_default(detector, locale, default)
    return Steps(scan=HTMLScan, source="prescan", detector=look, after=after)


def _transport_steps(encoding: Encoding) -> Steps:
    return Steps(before=Sniffed(encoding, "certain", "transport"))


_HTML_WITHOUT_HINTS: Final = html_steps()


def html(
    data: Buffer,
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
) -> Sniffed:
    """The encoding of an HTML document that is navigated to.

    Sources in their order: "bom"; "known-definite-encoding" (``known``, which leaves out all that follows);
    "user-override" (``override``); "transport" (``content_type``); "prescan" (a ``meta`` or an XML declaration in the
    first 1024 bytes); "parent" (the encoding of the document that embeds this one, if it has the same origin);
    "history" (what it was at an earlier visit); "detector" (an encoding, or a callable from bytes to one, called when
    this step is reached); "default" (``default``, if given); "locale" (``locale``, the user's language, else
    windows-1252). Raises TypeError for data without a contiguous buffer, and whatever the detector does.
    https://html.spec.whatwg.org/#encoding-sniffing-algorithm

    >>> html(b"<!DOCTYPE html><meta charset=euc-kr>")
    Sniffed(encoding=<Encoding EUC-KR>, confidence='tentative', source='prescan')
    """
    # What crawlers call all the time; a chain of identities is quicker than the hints one by one.
    if override is known is parent is history is detector is locale is default is None:
        encoding = _transport(content_type)
        return determine(data, _HTML_WITHOUT_HINTS if encoding is None else _transport_steps(encoding))
    return determine(
        data,
        html_steps(
            override=override,
            content_type=content_type,
            known=known,
            parent=parent,
            parent_same_origin=parent_same_origin,
            history=history,
            detector=detector,
            locale=locale,
            default=default,
        ),
    )


def text_document_steps(
    *,
    override: Hint = None,
    content_type: ContentType = None,
    detector: Hint | Detector = None,
    locale: str | None = None,
    default: Hint = None,
) -> Steps:
    before = _user_or_transport(override, content_type)
    if before is not None:
        return Steps(before=before)
    look, after = _detector_and_default(detector, locale, default)
    return Steps(detector=look, after=after)


def text_document(
    data: Buffer,
    *,
    override: Hint = None,
    content_type: ContentType = None,
    detector: Hint | Detector = None,
    locale: str | None = None,
    default: Hint = None,
) -> Sniffed:
    """The encoding of a text document that is navigated to: text/plain, a script, JSON.

    Sources in their order: "bom", "user-override", "transport", "detector", "default" (``default``, if given),
    "locale". Nothing in the text declares an encoding, and no document around it lends one. (The standard loads these
    through an HTML parser and does not say which of its steps apply.) Raises TypeError for data without a contiguous
    buffer, and whatever the detector does.
    https://html.spec.whatwg.org/#read-text
    """
    return determine(
        data,
        text_document_steps(
            override=override, content_type=content_type, detector=detector, locale=locale, default=default
        ),
    )


def meta_encoding(attributes: Iterable[tuple[str, str]]) -> Encoding | None:
    """The encoding that a ``meta`` element with these attributes declares to the tree builder, or None.

    https://html.spec.whatwg.org/#parsing-main-inhead
    """
    values: dict[str, str] = {}
    for name, value in attributes:
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
    """What a parser does that meets a ``meta`` element with these attributes: names and values, as in the markup.

    Raises UnknownLabelError for the label of a current encoding, and ValueError for a confidence that is none.
    https://html.spec.whatwg.org/#change-the-encoding

    >>> change_encoding("windows-1252", "tentative", [("charset", "utf-8")])
    ChangeEncoding(action='switch-or-reparse', encoding=<Encoding UTF-8>, confidence='certain')
    """
    encoding = current if isinstance(current, Encoding) else lookup(current)
    if confidence not in ("certain", "tentative", "irrelevant"):
        raise ValueError(f'confidence is "certain", "tentative" or "irrelevant", not {confidence!r}')
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
    encoding = _get(override)
    if encoding is not None:
        before = Sniffed(encoding, "certain", "override")
    elif (encoding := _transport(content_type)) is not None:
        before = Sniffed(encoding, "certain", "transport")
    return Steps(before=before, scan=XMLScan, source="xml", after=_DEFAULT)


def xml(data: Buffer, *, override: Hint = None, content_type: ContentType = None) -> Sniffed:
    """The encoding of an XML document.

    Sources in their order: "bom", "override", "transport", "xml" (the declaration, or the first bytes of one in
    UTF-16), "default" (UTF-8). An XML parser then decodes with fatal errors. Raises TypeError for data without a
    contiguous buffer.
    https://www.rfc-editor.org/rfc/rfc7303#section-3

    >>> xml(b'<?xml version="1.0" encoding="big5"?><x/>')
    Sniffed(encoding=<Encoding Big5>, confidence='tentative', source='xml')
    """
    return determine(data, xml_steps(override=override, content_type=content_type))


# --- CSS ---


def css_steps(*, content_type: ContentType = None, environment: Hint = None) -> Steps:
    encoding = _transport(content_type)
    before = None if encoding is None else Sniffed(encoding, "certain", "transport")
    encoding = _get(environment)
    after = _DEFAULT if encoding is None else Sniffed(encoding, "tentative", "environment")
    return Steps(before=before, scan=CSSScan, source="css", after=after)


def css(data: Buffer, *, content_type: ContentType = None, environment: Hint = None) -> Sniffed:
    """The encoding of a style sheet.

    Sources in their order: "bom", "transport", "css" (``@charset``), "environment" (see ``style_sheet_environment``),
    "default" (UTF-8). Raises TypeError for data without a contiguous buffer.
    https://drafts.csswg.org/css-syntax-3/#input-byte-stream

    >>> css(b'@charset "iso-8859-15"; p { color: red }').encoding
    <Encoding ISO-8859-15>
    """
    return determine(data, css_steps(content_type=content_type, environment=environment))


Referrer: TypeAlias = Literal["link", "xml-stylesheet", "import", "link-header"]


def style_sheet_environment(
    referrer: Referrer, *, charset: Hint = None, document: Hint = None, sheet: Hint = None
) -> Encoding | None:
    """The environment encoding of a style sheet, for ``css``.

    ``referrer``: what refers to it. "link" (an HTML element) and "xml-stylesheet": the encoding of its ``charset``,
    else of the ``document``. "import": the encoding of the importing ``sheet``. "link-header": None. Raises ValueError
    for another referrer.
    https://drafts.csswg.org/css-syntax-3/#environment-encoding
    """
    if referrer in ("link", "xml-stylesheet"):
        return _get(charset) or _get(document)
    if referrer == "import":
        return _get(sheet)
    if referrer == "link-header":
        return None
    raise ValueError(f'referrer is "link", "xml-stylesheet", "import" or "link-header", not {referrer!r}')


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


def script(
    data: Buffer, *, content_type: ContentType = None, charset: Hint = None, document: Hint = "utf-8"
) -> Sniffed:
    """The encoding of a classic script.

    Sources in their order: "bom", "transport", "script-charset" (the element's ``charset``), "document" (the document's
    encoding). Modules and workers are UTF-8 always. Raises TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#fetch-a-classic-script
    """
    return determine(data, script_steps(content_type=content_type, charset=charset, document=document))


# --- XMLHttpRequest ---


class XHRTypes(NamedTuple):
    final_encoding: Encoding | None
    is_html: bool
    is_xml: bool


def xhr_types(content_type: ContentType, override_mime: str | None) -> XHRTypes:
    """The final encoding and what the final MIME type is. https://xhr.spec.whatwg.org/#final-encoding"""
    encoding, exists, is_html, is_xml = describe_content_type(content_type)
    if not exists:
        is_xml = True  # the response MIME type is text/xml when there is none
    if override_mime is not None:
        override = mime.parse(override_mime) or mime.MIMEType("application", "octet-stream")
        is_html, is_xml = override.is_html, override.is_xml
        if "charset" in override.parameters:
            encoding = mime.charset_encoding(override)  # replaces the response's, even with a label of no encoding
    return XHRTypes(encoding, is_html, is_xml)


def xhr_text_steps(final_encoding: Encoding | None, is_xml: bool) -> Steps:
    if final_encoding is not None:
        return Steps(before=Sniffed(final_encoding, "certain", "final-encoding"))
    return Steps(scan=XMLScan if is_xml else None, source="xml", after=_DEFAULT)


def xhr_text(
    data: Buffer, *, content_type: ContentType = None, override_mime: str | None = None, response_type: str = ""
) -> Sniffed:
    """The encoding of an XMLHttpRequest's text response.

    Sources in their order: "bom", "final-encoding" (the charset of ``overrideMimeType()``, else of the response), "xml"
    (as for an XML document, if ``response_type`` is empty and the type is XML, as it is when there is none), "default"
    (UTF-8). Raises ValueError for a ``response_type`` other than "" and "text", and TypeError for data without a
    contiguous buffer.
    https://xhr.spec.whatwg.org/#text-response
    """
    if response_type not in ("", "text"):
        raise ValueError(f'a text response has the response_type "" or "text", not {response_type!r}')
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
    """The encoding of an XMLHttpRequest's document response, or None where no document is made.

    HTML: "bom", "final-encoding" (the charset of ``overrideMimeType()``, else of the response), "prescan", "default"
    (UTF-8), all certain. XML: the XML parser decides, "xml-parser", in the order of ``xml`` with the final encoding as
    its transport. No document: any other type, and HTML if ``response_type`` is empty. (The standard has the document's
    ``encoding`` ignore a byte order mark, and be UTF-8 for XML; this is what decodes it.) Raises ValueError for a
    ``response_type`` other than "" and "document", and TypeError for data without a contiguous buffer.
    https://xhr.spec.whatwg.org/#document-response
    """
    if response_type not in ("", "document"):
        raise ValueError(f'a document response has the response_type "" or "document", not {response_type!r}')
    byte_view(data)  # no document is made of anything else either
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
    """The encoding of a blob that ``FileReader.readAsText()`` reads. (``Blob.text()`` is UTF-8 always.)

    Sources in their order: "bom", "argument" (``encoding``), "type" (the charset of ``blob_type``), "default" (UTF-8).
    Raises TypeError for data without a contiguous buffer.
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


# --- Detector ---


def chardetng(data: Buffer, *, tld: str | None = None, allow_utf8: bool = True) -> str | None:
    """The label of the encoding that Firefox's detector takes the data for, or None where all of it is ASCII.

    ``tld``: the last label of the host name, which counts for much. ``allow_utf8=False``: as browsers do for what comes
    over the network, so that nobody relies on it. With arguments: ``functools.partial(chardetng, tld="jp")``. Raises
    ImportError without the extra ``detect``, and TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#encoding-sniffing-algorithm, "autodetect"
    """
    try:
        module: Any = import_module("chardetng_py")  # which has no types
    except ImportError as error:
        raise ImportError("sniff.chardetng needs chardetng-py: pip install 'whatwg-encoding[detect]'") from error
    content = bytes(byte_view(data))
    detector = module.EncodingDetector()
    # ISO-2022-JP is ASCII bytes with escapes: the detector knows it, although it then reports no byte above 0x7F.
    if not detector.feed(content, last=True) and b"\x1b" not in content:
        return None
    guess: str = detector.guess(tld=None if tld is None else tld.encode("ascii"), allow_utf8=allow_utf8)
    return guess
