"""MIME types: parse and serialize them, and extract them and their encoding from ``Content-Type`` headers.

https://mimesniff.spec.whatwg.org/#understanding-mime-types
https://fetch.spec.whatwg.org/#content-type-header
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ._api.arguments import checked_str, get_an_encoding, named
from ._native.core import Encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from ._sniff.hints import ContentType

__all__ = ["MIMEType", "extract", "legacy_extract_encoding", "parse", "split_header"]

_HTTP_WHITESPACE = "\t\n\r "
_TOKEN_RUN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"  # possessive, so that long ones cost linear time
_TOKEN = re.compile(_TOKEN_RUN)
# Type and subtype, and the first parameter if its name and value are tokens, as most are, or the value is one in
# quotes. Tokens are ASCII, so that str.lower changes only A to Z.
_TYPE = re.compile(
    rf"[{_HTTP_WHITESPACE}]*+({_TOKEN_RUN})/({_TOKEN_RUN})[{_HTTP_WHITESPACE}]*"
    rf'(?:;[{_HTTP_WHITESPACE}]*({_TOKEN_RUN})=("?)({_TOKEN_RUN})\4)?(?![^;])'
)
# A name and a value that are tokens; else a name, the quote at the start of its value, and the value up to a semicolon.
_PARAMETER = re.compile(rf';[{_HTTP_WHITESPACE}]*(?:({_TOKEN_RUN})=({_TOKEN_RUN})(?![^;])|([^;=]*)(?:=("?)([^;]*))?)')
# "HTTP quoted-string token code points"
_PARAMETER_VALUE = re.compile(r"[\t\x20-\x7E\x80-\xFF]*")
# An HTTP quoted string, which may lack the quote at its end: its content, and a backslash at the end of the text.
# https://fetch.spec.whatwg.org/#collect-an-http-quoted-string
_QUOTED = r'"([^"\\]*+(?:\\.[^"\\]*+)*+)(\\?)"?'
_QUOTED_STRING = re.compile(rf"{_QUOTED}[^;]*", re.DOTALL)  # a parameter ends at the next semicolon
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEMBER = re.compile(rf'(?:[^",]++|{_QUOTED})*+', re.DOTALL)


class MIMEType:
    """A MIME type: ``type``, ``subtype`` and ``parameters``, whose names are lowercase and in their original order.

    ``str()`` serializes it.
    https://mimesniff.spec.whatwg.org/#mime-type-representation
    """

    # Not a dataclass, since importing dataclasses takes longer than importing this package.
    __slots__ = ("parameters", "subtype", "type")

    def __init__(self, type: str, subtype: str, parameters: dict[str, str] | None = None) -> None:
        self.type: str = type
        self.subtype: str = subtype
        self.parameters: dict[str, str] = {} if parameters is None else parameters

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MIMEType):
            return NotImplemented
        return self.essence == other.essence and self.parameters == other.parameters

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # parameters can change

    def __repr__(self) -> str:
        return f"MIMEType({self.type!r}, {self.subtype!r}, {self.parameters!r})"

    @property
    def essence(self) -> str:
        """Return type, a slash and subtype. https://mimesniff.spec.whatwg.org/#mime-type-essence"""
        return f"{self.type}/{self.subtype}"

    @property
    def is_html(self) -> bool:
        """Return whether this is ``text/html``. https://mimesniff.spec.whatwg.org/#html-mime-type"""
        return self.type == "text" and self.subtype == "html"

    @property
    def is_xml(self) -> bool:
        """Return whether this is an XML MIME type. https://mimesniff.spec.whatwg.org/#xml-mime-type"""
        return self.subtype.endswith("+xml") or (self.subtype == "xml" and self.type in ("text", "application"))

    def __str__(self) -> str:
        """Return the text form. https://mimesniff.spec.whatwg.org/#serialize-a-mime-type"""
        parts = [self.essence]
        for name, value in self.parameters.items():
            if not _TOKEN.fullmatch(value):
                value = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
            parts.append(f"{name}={value}")
        return ";".join(parts)


def _text(value: str | bytes, what: str) -> str:
    if isinstance(value, str):
        return str.__str__(value)  # without what a subclass adds
    if isinstance(value, bytes | bytearray | memoryview):
        return str(value, "latin-1")  # isomorphic decode
    raise TypeError(f"{what} must be str or bytes, not {type(value).__name__}")


def parse(text: str | bytes) -> MIMEType | None:
    """Parse a MIME type; return None for failure. Bytes are isomorphic decoded first.

    Raise TypeError for anything but str and bytes.
    https://mimesniff.spec.whatwg.org/#parse-a-mime-type

    >>> str(parse("Text/HTML; Charset=UTF-8"))
    'text/html;charset=UTF-8'
    """
    if type(text) is not str:
        text = _text(text, "a MIME type")
    cached = _PARSED.get(text)
    if cached is not None:
        type_, subtype, parameters = cached
        return MIMEType(type_, subtype, parameters.copy())
    parsed = _parse(text)
    if parsed is not None and len(_PARSED) < _CACHED_HEADERS and len(text) <= _CACHED_HEADER:
        _PARSED[text] = parsed.type, parsed.subtype, parsed.parameters.copy()
    return parsed


# Crawlers see few distinct header values. Long ones are not cached, so a hostile header cannot fill memory.
_CACHED_HEADER = 256
_CACHED_HEADERS = 512

# The first ones stay: to drop one for each further one would take half of a parse, where each has its own boundary.
_PARSED: dict[str, tuple[str, str, dict[str, str]]] = {}


def _parse(text: str) -> MIMEType | None:
    start = _TYPE.match(text)
    if start is None:
        return None
    type_, subtype, name, _, value = start.groups()
    parameters: dict[str, str] = {} if name is None else {name.lower(): value}
    position = start.end()
    if position < len(text):
        text = text.rstrip(_HTTP_WHITESPACE)
    while position < len(text):
        parameter = _PARAMETER.match(text, position)
        assert parameter is not None  # a semicolon is at the position
        token, value, name, quote, rest = parameter.groups()
        position = parameter.end()
        if token is not None:
            parameters.setdefault(token.lower(), value)
            continue
        if quote:
            quoted = _QUOTED_STRING.match(text, parameter.start(4))
            assert quoted is not None  # a quote is at the position
            rest, position = _ESCAPE.sub(r"\1", quoted[1]) + quoted[2], quoted.end()
        elif not rest or not (rest := rest.rstrip(_HTTP_WHITESPACE)):
            continue
        if _TOKEN.fullmatch(name) and _PARAMETER_VALUE.fullmatch(rest):
            parameters.setdefault(name.lower(), rest)
    return MIMEType(type_.lower(), subtype.lower(), parameters)


def split_header(value: str) -> list[str]:
    """Split a combined header value at commas outside quotes; return the members without surrounding tabs and spaces.

    Quotes are kept. Raise TypeError for a value that is not a str.
    https://fetch.spec.whatwg.org/#header-value-get-decode-and-split

    >>> split_header('text/html;charset="a,b", x/x')
    ['text/html;charset="a,b"', 'x/x']
    """
    checked_str(value, "a header value")
    values: list[str] = []
    position = -1
    while position < len(value):
        member = _MEMBER.match(value, position + 1)
        assert member is not None  # the pattern matches the empty string
        values.append(member[0].strip("\t "))
        position = member.end()  # of a comma, or of the value
    return values


def extract(headers: Iterable[str | bytes]) -> MIMEType | None:
    """Return the MIME type of a response with these ``Content-Type`` values: the last valid one but ``*/*``, or None.

    ``headers``: the values of all header lines of that name. A charset carries over to a later value of the same
    essence that has none. Raise TypeError for values that are neither str nor bytes.
    https://fetch.spec.whatwg.org/#concept-header-extract-mime-type

    >>> str(extract(["text/html;charset=gbk, text/html"]))
    'text/html;charset=gbk'
    """
    if isinstance(headers, str | bytes):
        raise TypeError("headers must be a list of header values, not one value")
    if not isinstance(headers, Iterable):
        raise TypeError(f"headers must be header values, as str or bytes, not {type(headers).__name__}")
    values = [_text(header, "a header value") for header in headers]
    charset: str | None = None
    essence: str | None = None
    mime_type: MIMEType | None = None
    if not values:
        return None
    for value in split_header(", ".join(values)):
        candidate = parse(value)
        if candidate is None or candidate.essence == "*/*":
            continue
        mime_type = candidate
        if mime_type.essence != essence:
            charset = mime_type.parameters.get("charset")
            essence = mime_type.essence
        elif charset is not None:
            mime_type.parameters.setdefault("charset", charset)
    return mime_type


def legacy_extract_encoding(mime_type: MIMEType | None, fallback: Encoding | str) -> Encoding:
    """Return the encoding that a MIME type's charset names, else the fallback.

    Raise UnknownLabelError if the fallback is needed and is a label of no encoding, and TypeError for other arguments.
    https://fetch.spec.whatwg.org/#legacy-extract-an-encoding

    >>> legacy_extract_encoding(parse("text/html; charset=sjis"), "utf-8"), legacy_extract_encoding(None, "utf-8")
    (<Encoding Shift_JIS>, <Encoding UTF-8>)
    """
    if mime_type is not None and not isinstance(mime_type, MIMEType):
        raise TypeError(f"mime_type must be a MIMEType or None, not {type(mime_type).__name__}")
    return charset_encoding(mime_type) or get_an_encoding(fallback)


def charset_encoding(mime_type: MIMEType | None) -> Encoding | None:
    """Return the encoding that a MIME type's charset names, or None without a type, a charset, or such an encoding."""
    return None if mime_type is None else named(mime_type.parameters.get("charset"))


@lru_cache(maxsize=_CACHED_HEADERS)
def _cached(header: str) -> tuple[MIMEType | None, Encoding | None]:
    mime_type = extract([header])
    return mime_type, charset_encoding(mime_type)


def describe_content_type(content_type: ContentType) -> tuple[MIMEType | None, Encoding | None]:
    """Return the MIME type, which the caller must not change, and the encoding that the header names, or None for each.

    Raise TypeError for values that are neither str nor bytes.
    """
    if content_type is None:
        return None, None
    if isinstance(content_type, str) and len(content_type) <= _CACHED_HEADER:
        return _cached(content_type)
    if hasattr(content_type, "keys"):
        raise TypeError(
            f"content_type must be the header's value, or a list of values, not {type(content_type).__name__}: "
            'from headers, pass headers.get("Content-Type")'
        )
    mime_type = extract([content_type] if isinstance(content_type, str | bytes) else content_type)
    return mime_type, charset_encoding(mime_type)


def __dir__() -> list[str]:
    return __all__
