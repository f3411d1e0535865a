"""Determine the encoding of a resource as the web's standards do: the encoding, its confidence, and what decided.

Each function takes bytes-like data and keyword hints. Hints that name an encoding take an ``Encoding`` or a label.
Hints that the program sets (``known``, ``override``, ``default``, ``detector``) must name an encoding; otherwise
UnknownLabelError is raised. Labels from the network or from other documents are ignored if they name none, as the
standards require. ``Sniffed.source`` reports what decided. ``content_type`` is the value of the ``Content-Type``
header, a list of values if there are several header lines, or None. A byte order mark overrides everything. Data
without a contiguous buffer is a TypeError.

``crawl`` and the detectors are not part of the standards. They return the most likely encoding, even if the declaration
is wrong.

https://html.spec.whatwg.org/#encoding-sniffing-algorithm
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable

from ._api.arguments import Results, checked_pair, get_an_encoding, named
from ._labels import ENCODINGS, UTF_8, WINDOWS_1252
from ._native.core import Encoding, UnknownLabelError, byte_view, quote
from ._native.prescan import (
    CSSScan,
    Sniffed,
    XMLScan,
    declared_by_meta,
    first_known,
    meta_content,
    prescan,
    xml_declaration,
)
from ._native.prescan import Determination as Determination
from ._native.prescan import HTMLScan as HTMLScan
from ._native.prescan import Steps as Steps
from ._native.prescan import determine as determine
from ._sniff import ENCODING_HINTS as ENCODING_HINTS
from ._sniff.arguments import LIMIT as LIMIT
from ._sniff.arguments import PYTHON as PYTHON
from ._sniff.arguments import WEB as WEB
from ._sniff.arguments import WEB_AND_DOS as WEB_AND_DOS
from ._sniff.arguments import WEB_AND_SURE_DOS as WEB_AND_SURE_DOS
from ._sniff.arguments import checked_encodings as checked_encodings
from ._sniff.arguments import checked_tag
from ._sniff.arguments import options_of as options_of
from ._sniff.binary import Mixture as Mixture
from ._sniff.binary import binary_sign as binary_sign
from ._sniff.binary import is_binary
from ._sniff.declarations import name_in_page as name_in_page
from ._sniff.declarations import transport_encoding as transport_encoding
from ._sniff.declarations import warn_of_bare_label
from ._sniff.guessing import CrawlDetector as CrawlDetector
from ._sniff.guessing import Guess, chardetng, crawl, crawl_detector, detect, text_cost, utf8_if_valid
from ._sniff.guessing import crawl_file as crawl_file
from ._sniff.guessing import guesses_of as guesses_of

TYPE_CHECKING = False  # so that typing is not imported
if TYPE_CHECKING:
    from inspect import Signature
    from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar, Unpack

    from typing_extensions import Buffer

    from . import mime
    from ._native.detect import Options as Options
    from ._native.prescan import Confidence
    from ._native.prescan import Detector as Detector
    from ._sniff.hints import ContentType, CSSHints, HTMLHints, ScriptHints, TextDocumentHints, XMLHints
    from ._sniff.hints import Hint as Hint

    Function = TypeVar("Function", bound=Callable[..., object])
    Referrer: TypeAlias = Literal["link", "xml-stylesheet", "import", "link-header"]

    class ChangeEncoding(NamedTuple):
        """The result of ``change_encoding``: see below."""

        action: Literal["none", "confirm", "switch-or-reparse"]
        encoding: Encoding
        confidence: Confidence

else:
    ChangeEncoding = namedtuple("ChangeEncoding", "action encoding confidence")

__all__ = [
    "ChangeEncoding", "Guess", "Sniffed", "blob_text", "change_encoding", "chardetng", "crawl",
    "crawl_detector", "css", "detect", "html", "is_binary", "locale_default", "meta_content", "meta_encoding",
    "prescan", "script", "style_sheet_environment", "text_cost", "text_document", "utf8_if_valid", "xhr_document",
    "xhr_text", "xml", "xml_declaration",
]  # fmt: skip


ChangeEncoding.__doc__ = """The result of ``change_encoding``: what to do, and the new encoding and confidence.

    ``action``: "none" (nothing changes), "confirm" (only the confidence does) or "switch-or-reparse" (use the other
    encoding for what follows, if all bytes so far mean the same in both; otherwise start again with it, and do not
    sniff).
    https://html.spec.whatwg.org/#change-the-encoding
    """


# --- Hints ---

# What `help` says of the arguments of the functions that take hints.
_ARGUMENTS: Final = {
    "data": "the bytes, or any object with a contiguous buffer",
    **ENCODING_HINTS,
    "content_type": "the value of the ``Content-Type`` header, a list of values if it has several lines, or None",
    "parent_same_origin": "whether that document has the same origin; otherwise its encoding does not count",
    "detector": "an encoding, or a callable from bytes to an encoding, a label, the name of a Python codec, or None",
    "locale": "the user's language as a BCP 47 tag, such as ``ja``: see ``sniff.locale_default``",
}


class _Hinted:
    """The signature of a function whose hints are those of ``steps``, for `inspect`, which is imported if it is asked.

    It is the function's ``__wrapped__``, where ``inspect.signature`` looks for it.
    """

    def __init__(self, function: Callable[..., object], steps: Callable[..., Steps]) -> None:
        self._function = function
        self.__wrapped__ = steps

    def __call__(self, *arguments: object, **hints: object) -> object:
        return self._function(*arguments, **hints)

    @property
    def __signature__(self) -> Signature:
        import inspect

        own = inspect.signature(self._function, follow_wrapped=False)
        positional = [parameter for parameter in own.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        names = {parameter.name for parameter in positional}
        keywords = [
            parameter for name, parameter in inspect.signature(self.__wrapped__).parameters.items() if name not in names
        ]
        return own.replace(parameters=[*positional, *keywords])


def takes_hints_of(steps: Callable[..., Steps]) -> Callable[[Function], Function]:
    """Decorate a function of ``data`` and hints that are those of ``steps``: ``help`` and editors then explain them."""

    def decorate(function: Function) -> Function:
        vars(function)["__wrapped__"] = _Hinted(function, steps)
        if function.__doc__ is not None:  # without -OO
            code = function.__code__
            positional = code.co_varnames[: code.co_argcount]
            names = [*positional, *(name for name in steps.__kwdefaults__ or () if name not in positional)]
            margin = function.__doc__.rpartition("\n")[2]  # of its last line; from Python 3.13 on there is none
            explained = "".join(f"{margin}- ``{name}``: {_ARGUMENTS[name]}\n" for name in names)
            function.__doc__ = f"{function.__doc__}\n{margin}Arguments:\n\n{explained}{margin}"
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


def _locale_default(language_tag: str) -> Encoding:
    from ._names import LOCALES  # these are imported here, since most documents are sniffed without a locale
    from ._sniff.languages import of_language

    return ENCODINGS[of_language(LOCALES, language_tag) or WINDOWS_1252.name]


_locale_defaults = Results(_locale_default, 512)


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
    encoding: Encoding = _locale_defaults[checked_tag(language_tag, "locale")]
    return encoding


# --- Fallbacks, if nothing declares an encoding ---


_DEFAULT: Final = Sniffed(UTF_8, "tentative", "default")
_LOCALE_UNKNOWN: Final = Sniffed(WINDOWS_1252, "tentative", "locale")


def _detector_and_default(
    detector: Hint | Detector, locale: str | None, default: Hint
) -> tuple[Detector | None, Sniffed | None]:
    after = first_known(
        (None if callable(detector) else _get_or_fail(detector, "detector"), "tentative", "detector"),
        (_get_or_fail(default, "default"), "tentative", "default"),
        _LOCALE_UNKNOWN if locale is None else (locale_default(locale), "tentative", "locale"),
    )
    return detector if callable(detector) else None, after


# --- HTML and text documents ---


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
    before = first_known(
        (_get_or_fail(known, "known"), "certain", "known-definite-encoding"),
        (_get_or_fail(override, "override"), "certain", "user-override"),
        (transport_encoding(content_type, "override"), "certain", "transport"),
    )
    look, after = _detector_and_default(detector, locale, default)
    embedding = named(parent)
    if embedding is not None and (embedding.is_utf_16 or not parent_same_origin):
        embedding = None
    related = first_known((embedding, "tentative", "parent"), (named(history), "tentative", "history"))
    if related is not None:
        look, after = None, related
    return Steps(before=before, scan=HTMLScan, source="prescan", detector=look, after=after)


_HTML_WITHOUT_HINTS: Final = html_steps()


_html_steps = Results(lambda header: Steps(before=Sniffed(header, "certain", "transport")), len(ENCODINGS))


def html_steps_of(header: Encoding | None) -> Steps:
    """Return the steps without any hint but the encoding that the header names."""
    steps: Steps = _HTML_WITHOUT_HINTS if header is None else _html_steps[header]
    return steps


_CONTENT_TYPE: Final = frozenset({"content_type"})


@takes_hints_of(html_steps)
def html(data: Buffer, **hints: Unpack[HTMLHints]) -> Sniffed:
    """Return the encoding of an HTML document that is navigated to.

    Sources in their order: "bom"; "known-definite-encoding" (``known``, which leaves out all that follows);
    "user-override" (``override``); "transport" (``content_type``); "prescan" (a ``meta`` or an XML declaration in the
    first 1024 bytes); "parent" (not UTF-16BE/LE); "history"; "detector" (called if this step is reached); "default"
    (``default``, if given); "locale" (``locale``, else windows-1252). Raise UnknownLabelError for a hint that the
    program sets or a detector's result if it names no encoding, and what the detector raises.
    https://html.spec.whatwg.org/#encoding-sniffing-algorithm

    >>> html(b"<!DOCTYPE html><meta charset=euc-kr>")
    Sniffed(encoding=<Encoding EUC-KR>, confidence='tentative', source='prescan')
    """
    if hints.keys() - _CONTENT_TYPE:
        return determine(data, html_steps(**hints))
    return determine(data, html_steps_of(transport_encoding(hints.get("content_type"), "override")))


def text_document_steps(
    *,
    override: Hint = None,
    content_type: ContentType = None,
    detector: Hint | Detector = None,
    locale: str | None = None,
    default: Hint = None,
) -> Steps:
    before = first_known(
        (_get_or_fail(override, "override"), "certain", "user-override"),
        (transport_encoding(content_type, "override"), "certain", "transport"),
    )
    look, after = _detector_and_default(detector, locale, default)
    return Steps(before=before, detector=look, after=after)


@takes_hints_of(text_document_steps)
def text_document(data: Buffer, **hints: Unpack[TextDocumentHints]) -> Sniffed:
    """Return the encoding of a text document that is navigated to: text/plain, a script, JSON.

    Sources in their order: "bom", "user-override", "transport", "detector", "default" (``default``, if given),
    "locale". The text contains no declaration, and no other document's encoding applies. (The standard loads such
    documents with an HTML parser and does not specify which of its steps apply.) Raise what ``html`` raises.
    https://html.spec.whatwg.org/#read-text

    >>> text_document(b"\\xb0\\xa1", locale="ko")
    Sniffed(encoding=<Encoding EUC-KR>, confidence='tentative', source='locale')
    """
    return determine(data, text_document_steps(**hints))


def meta_encoding(attributes: Iterable[tuple[str, str]]) -> Encoding | None:
    """Return the encoding that a ``meta`` element with these attributes declares to the tree builder, or None.

    ``attributes``: pairs of a name and a value, as in the markup. This is what the element says: where an HTML parser
    reads it, UTF-16BE/LE mean UTF-8 and x-user-defined means windows-1252, see ``change_encoding``. Raise TypeError for
    other attributes.
    https://html.spec.whatwg.org/#parsing-main-inhead

    >>> meta_encoding([("http-equiv", "Content-Type"), ("content", "text/html; charset=koi8-r")])
    <Encoding KOI8-R>
    """
    values: dict[str, str] = {}
    for attribute in attributes:
        name, value = checked_pair(attribute, "meta")
        values.setdefault(name.lower() if name.isascii() else name, value)
    if (encoding := named(values.get("charset"))) is not None:
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
    declared = declared_by_meta(declared)
    if encoding.is_utf_16 or declared is encoding:
        return ChangeEncoding("confirm", encoding, "certain")
    return ChangeEncoding("switch-or-reparse", declared, "certain")


# --- XML ---


def xml_steps(*, override: Hint = None, content_type: ContentType = None) -> Steps:
    before = first_known(
        (_get_or_fail(override, "override"), "certain", "override"),
        (transport_encoding(content_type, "override"), "certain", "transport"),
    )
    return Steps(before=before, scan=XMLScan, source="xml", after=_DEFAULT)


@takes_hints_of(xml_steps)
def xml(data: Buffer, **hints: Unpack[XMLHints]) -> Sniffed:
    """Return the encoding of an XML document.

    Sources in their order: "bom", "override", "transport", "xml" (the declaration, or the first bytes of one in
    UTF-16), "default" (UTF-8). An XML parser then decodes with fatal errors. Raise UnknownLabelError for an
    ``override`` that names no encoding, and TypeError for data without a contiguous buffer.
    https://www.rfc-editor.org/rfc/rfc7303#section-3

    >>> xml(b'<?xml version="1.0" encoding="big5"?><x/>')
    Sniffed(encoding=<Encoding Big5>, confidence='tentative', source='xml')
    """
    return determine(data, xml_steps(**hints))


# --- CSS ---


def css_steps(*, content_type: ContentType = None, environment: Hint = None) -> Steps:
    before = first_known((transport_encoding(content_type, "environment"), "certain", "transport"))
    after = first_known((named(environment), "tentative", "environment"), _DEFAULT)
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


def style_sheet_environment(
    referrer: Referrer, *, charset: Hint = None, document: Hint = None, sheet: Hint = None
) -> Encoding | None:
    """Return the environment encoding of a style sheet, for ``css``.

    ``referrer``: the kind of reference. "link" (an HTML element) and "xml-stylesheet": the encoding of its ``charset``,
    else of the ``document``. "import": the encoding of the importing ``sheet``. "link-header": None. Raise ValueError
    for another referrer.
    https://drafts.csswg.org/css-syntax-3/#environment-encoding

    >>> style_sheet_environment("link", charset="unknown", document="euc-kr")
    <Encoding EUC-KR>
    """
    if referrer in ("link", "xml-stylesheet"):
        return named(charset) or named(document)
    if referrer == "import":
        return named(sheet)
    if referrer == "link-header":
        return None
    raise ValueError(f'referrer is "link", "xml-stylesheet", "import" or "link-header", not {quote(referrer)}')


# --- Scripts ---


def script_steps(*, content_type: ContentType = None, charset: Hint = None, document: Hint = "utf-8") -> Steps:
    after = first_known(
        (transport_encoding(content_type, "document"), "certain", "transport"),
        (named(charset), "tentative", "script-charset"),
        (named(document) or UTF_8, "tentative", "document"),
    )
    return Steps(after=after)


@takes_hints_of(script_steps)
def script(data: Buffer, **hints: Unpack[ScriptHints]) -> Sniffed:
    """Return the encoding of a classic script.

    Sources in their order: "bom", "transport", "script-charset" (the element's ``charset``), "document" (the document's
    encoding). Modules and workers are UTF-8 always. Raise TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#fetch-a-classic-script

    >>> script(b"x", charset="euc-kr")
    Sniffed(encoding=<Encoding EUC-KR>, confidence='tentative', source='script-charset')
    """
    return determine(data, script_steps(**hints))


# --- XMLHttpRequest ---


def xhr_types(content_type: ContentType, override_mime: str | None) -> tuple[mime.MIMEType, Encoding | None]:
    """Return the final MIME type and the final encoding. https://xhr.spec.whatwg.org/#final-encoding"""
    from . import mime  # imported here, since most of a parser is regular expressions

    mime_type, encoding = mime.describe_content_type(content_type)
    if encoding is None:
        warn_of_bare_label(content_type)
    if override_mime is not None:
        mime_type = mime.parse(override_mime) or mime.MIMEType("application", "octet-stream")
        if "charset" in mime_type.parameters:
            encoding = mime.charset_encoding(mime_type)  # overrides the response's, even if it names no encoding
    return mime_type or mime.MIMEType("text", "xml"), encoding


def xhr_text_steps(final_encoding: Encoding | None, is_xml: bool) -> Steps:
    before = first_known((final_encoding, "certain", "final-encoding"))
    return Steps(before=before, scan=XMLScan if is_xml else None, source="xml", after=_DEFAULT)


def xhr_text(
    data: Buffer, *, content_type: ContentType = None, override_mime: str | None = None, response_type: str = ""
) -> Sniffed:
    """Return the encoding of data that is an XMLHttpRequest's text response.

    Sources in their order: "bom", "final-encoding" (the charset of ``override_mime``, the argument of
    ``overrideMimeType()``, else of ``content_type``, the response's header as in ``html``), "xml"
    (as for an XML document, if ``response_type`` is empty and the type is XML or absent), "default" (UTF-8). Raise
    ValueError for a ``response_type`` other than "" and "text".
    https://xhr.spec.whatwg.org/#text-response

    >>> xhr_text(b"x", content_type="text/plain; charset=euc-kr", override_mime="text/plain; charset=big5").encoding
    <Encoding Big5>
    """
    if response_type not in ("", "text"):
        raise ValueError(f'a text response has the response_type "" or "text", not {quote(response_type)}')
    mime_type, encoding = xhr_types(content_type, override_mime)
    return determine(data, xhr_text_steps(encoding, response_type == "" and mime_type.is_xml))


def xhr_html_steps(final_encoding: Encoding | None) -> Steps:
    before = first_known((final_encoding, "certain", "final-encoding"))
    # "Known definite encoding": no later meta changes what was found.
    after = Sniffed(UTF_8, "certain", "default")
    return Steps(before=before, scan=HTMLScan, confidence="certain", source="prescan", after=after)


def xhr_document(
    data: Buffer, *, content_type: ContentType = None, override_mime: str | None = None, response_type: str = "document"
) -> Sniffed | None:
    """Return the encoding of data that is an XMLHttpRequest's document response, or None if it makes no document.

    HTML: "bom", "final-encoding" (the charset of ``override_mime``, the argument of ``overrideMimeType()``, else of
    ``content_type``, the response's header as in ``html``), "prescan", "default" (UTF-8), all certain. XML: the XML
    parser decides, "xml-parser", in the order of ``xml`` with the final encoding as its transport. No document: any
    other type, and HTML if ``response_type`` is empty. (In the standard the document's ``encoding`` ignores a byte
    order mark and is UTF-8 for XML; this is the encoding for decoding.) Raise ValueError for a ``response_type`` other
    than "" and "document".
    https://xhr.spec.whatwg.org/#document-response

    >>> xhr_document(b"<meta charset=euc-kr>", content_type="text/html")
    Sniffed(encoding=<Encoding EUC-KR>, confidence='certain', source='prescan')
    """
    if response_type not in ("", "document"):
        raise ValueError(f'a document response has the response_type "" or "document", not {quote(response_type)}')
    byte_view(data)  # which raises TypeError even if no document is created
    mime_type, encoding = xhr_types(content_type, override_mime)
    if mime_type.is_html:
        return None if response_type == "" else determine(data, xhr_html_steps(encoding))
    if mime_type.is_xml:
        return determine(data, xml_steps(override=encoding))._replace(source="xml-parser")
    return None


# --- Blobs ---


def blob_text(data: Buffer, *, encoding: Hint = None, blob_type: str = "") -> Sniffed:
    """Return the encoding of data that ``FileReader.readAsText()`` reads of a blob. (``Blob.text()`` is UTF-8.)

    Sources in their order: "bom", "argument" (``encoding``), "type" (the charset of ``blob_type``), "default" (UTF-8).
    Raise TypeError for data without a contiguous buffer.
    https://w3c.github.io/FileAPI/#readAsText

    >>> blob_text(b"x", blob_type="text/plain; charset=euc-kr")
    Sniffed(encoding=<Encoding EUC-KR>, confidence='certain', source='type')
    """
    from . import mime  # imported here, as above

    after = first_known(
        (named(encoding), "certain", "argument"),
        (mime.charset_encoding(mime.parse(blob_type)), "certain", "type"),
        _DEFAULT,
    )
    return determine(data, Steps(after=after))


def __dir__() -> list[str]:
    return [*__all__, "CrawlDetector"]  # documented, but not to be called
