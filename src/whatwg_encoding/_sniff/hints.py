"""Types of keyword hints, for type checkers; not imported at run time.

Each ``TypedDict`` has the keywords of a function of ``sniff`` or ``contexts``, which documents them; ``tests/typing``
compares the two.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from .._native.core import Encoding

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .._native.prescan import Detector

ContentType: TypeAlias = str | bytes | Iterable[str | bytes] | None
Hint: TypeAlias = Encoding | str | None
Chunks: TypeAlias = "Iterable[Buffer] | AsyncIterable[Buffer]"


class HeaderHints(TypedDict, total=False):
    content_type: ContentType


# Without the header, which is an argument of its own in functions for whole data; and with it, for streams.


class XMLDocumentHints(TypedDict, total=False):
    override: Hint


class XMLHints(XMLDocumentHints, HeaderHints, total=False):
    pass


class TextHints(XMLDocumentHints, total=False):
    detector: Hint | Detector
    locale: str | None
    default: Hint


class TextDocumentHints(TextHints, HeaderHints, total=False):
    pass


class HTMLDocumentHints(TextHints, total=False):
    known: Hint
    parent: Hint
    parent_same_origin: bool
    history: Hint


class HTMLHints(HTMLDocumentHints, HeaderHints, total=False):
    pass


class SheetHints(TypedDict, total=False):
    environment: Hint


class LinkedSheetHints(SheetHints, total=False):
    charset: Hint
    document: Hint


class ImportedSheetHints(SheetHints, total=False):
    sheet: Hint


class CSSHints(SheetHints, HeaderHints, total=False):
    pass


class LinkHeaderCSSHints(HeaderHints, total=False):
    pass


class LinkedCSSHints(LinkedSheetHints, HeaderHints, total=False):
    pass


class ImportedCSSHints(ImportedSheetHints, HeaderHints, total=False):
    pass


class ClassicScriptHints(TypedDict, total=False):
    charset: Hint
    document: Hint


class ScriptHints(ClassicScriptHints, HeaderHints, total=False):
    pass


class ResponseHints(TypedDict, total=False):
    override_mime: str | None


class XHRHints(ResponseHints, HeaderHints, total=False):
    pass


class TextDecoderHints(TypedDict, total=False):
    label: Encoding | str
    fatal: bool


class CrawlHints(HeaderHints, total=False):
    limit: int
    tld: str | None
    exclude: Iterable[Encoding | str]
    candidates: Iterable[Encoding | str] | None


class FallbackHints(TypedDict, total=False):
    fallback: Encoding | str


class FatalHints(TypedDict, total=False):
    fatal: bool


# The contexts by the hints that they take: the column "determination" of the table. `_contexts` has those without.
TextDecoderContext: TypeAlias = Literal["textdecoder", "textdecoder-ignorebom"]
HTMLContext: TypeAlias = Literal["html-parser"]
XMLContext: TypeAlias = Literal["xml-parser"]
LinkedCSSContext: TypeAlias = Literal["css-from-document"]
ImportedCSSContext: TypeAlias = Literal["css-from-css"]
LinkHeaderCSSContext: TypeAlias = Literal["css-from-link-header"]
TextDocumentContext: TypeAlias = Literal["text-document", "view-source"]
XHRContext: TypeAlias = Literal["xhr-document-html", "xhr-text-xml", "xhr-text"]
ScriptContext: TypeAlias = Literal["classic-script"]
FallbackContext: TypeAlias = Literal["wtp-env-value"]
FatalContext: TypeAlias = Literal["host-parser"]
