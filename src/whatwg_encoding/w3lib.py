"""The functions and signatures of ``w3lib.encoding`` 2.5, with this package's decoders.

``install()`` makes ``import w3lib.encoding`` find this module, for Scrapy, parsel and others.

Declarations are searched for as w3lib does, and encodings have the names of Python's codecs, as its callers expect.
Differences: text is decoded as the standard specifies (``cp932`` is Shift_JIS, ``ascii`` windows-1252), each error
becomes one U+FFFD, all labels of the standard are supported, and labels of encodings that attacks use
(``iso-2022-kr``, ``hz-gb-2312``, ``utf-7``) name none. Names of codecs without a near encoding in the standard, such as
``cp437`` and ``utf-32``, still refer to Python's codecs.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

from . import REPLACEMENT, X_USER_DEFINED, UnknownLabelError, lookup
from ._drop_ins.replaced_modules import ReplacedModules
from .names import CODECS_OF, nearest

__all__ = [
    "html_body_declared_encoding", "html_to_unicode", "http_content_type_encoding", "install", "read_bom",
    "resolve_encoding", "to_unicode", "uninstall",
]  # fmt: skip

# Codecs that handle a byte order mark.
_WITH_BYTE_ORDER_MARK = frozenset({"utf-16", "utf-32", "utf-8-sig"})
_WITHOUT_ENDIANNESS = frozenset({"utf-16", "utf-32"})

_LABEL = re.compile(r"[\w.:+-]+")
_LONGEST_HEADER = 2048  # characters, an upper bound on the time for a header
_WINDOW = 4096  # bytes of a page, four times the standard's

# One parameter of a header, whose value is a token or a quoted string.
_PARAMETER = re.compile(r'(?:^|;)[ \t]*([^\s;=]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))(?=[\s;,]|$)')
# A comment, a meta, an XML declaration or the body's tag. Quoted values are skipped as a whole. The character after "<"
# is looked at first, since most tags are others.
_MARKUP = re.compile(
    r"""<(?=[!?mb\s])(?:!--.*?(?:-->|\Z)|\s*(meta(?=[\s/])|\?xml(?=\s)|body)((?:[^>"']|"[^"]*"|'[^']*')*))""",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?""")
_PRAGMA_NAMES = frozenset({"http-equiv", "http_equiv", "httpequiv"})
_PRAGMA = re.compile(r"content[-_ ]?type", re.IGNORECASE)
_CHARSET_IN_CONTENT = re.compile(r"""charset\s*=\s*["']?\s*([\w.:+-]+)""", re.IGNORECASE)


def _codec_name(name: str) -> str | None:
    """Return the canonical name of a codec of Python that decodes text, or None."""
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return info.name if info._is_text_encoding else None


@lru_cache(maxsize=256)
def resolve_encoding(encoding_alias: str) -> str | None:
    """Return the name of Python's codec for ``encoding_alias``, or None if it names none.

    Labels of the standard take precedence over Python's names.

    >>> resolve_encoding("latin1"), resolve_encoding("gb_2312-80"), resolve_encoding("utf-7")
    ('cp1252', 'gb18030', None)
    """
    name = _codec_name(encoding_alias)
    if name in _WITHOUT_ENDIANNESS:
        return name
    try:
        encoding = lookup(encoding_alias)
    except UnknownLabelError:
        try:
            encoding = nearest(encoding_alias)
        except UnknownLabelError:
            return None if name in ("utf-7", "hz", "iso2022_kr") else name
    return None if encoding is REPLACEMENT or encoding is X_USER_DEFINED else _codec_name(CODECS_OF[encoding.name][0])


def http_content_type_encoding(content_type: str | None) -> str | None:
    """Return the name of the codec that the first ``charset`` of a ``Content-Type`` header names, or None.

    >>> http_content_type_encoding("Content-Type: text/html; charset=ISO-8859-4")
    'iso8859-4'
    """
    for name, quoted, token in _PARAMETER.findall((content_type or "")[:_LONGEST_HEADER]):
        if name.lower() == "charset" and _LABEL.fullmatch(quoted or token):
            return resolve_encoding(quoted or token)
    return None


def html_body_declared_encoding(html_body_str: str | bytes) -> str | None:
    """Return the name of the codec that a page declares in a ``meta`` or an XML declaration, or None.

    Only the first 4096 bytes or characters of ``html_body_str`` are searched, up to the ``body`` tag.

    >>> html_body_declared_encoding(b'<meta http-equiv="content-type" content="text/html;charset=sjis">')
    'cp932'
    """
    head = html_body_str[:_WINDOW]
    for markup in _MARKUP.finditer(head if isinstance(head, str) else head.decode("latin-1")):
        kind = (markup[1] or "").lower()
        if kind == "body":
            return None
        if kind:
            label = _declared(kind, _ATTRIBUTE.findall(markup[2]))
            if label is not None:
                return resolve_encoding(label)
    return None


def _declared(kind: str, attributes: list[tuple[str, str, str, str]]) -> str | None:
    """Return the label that the attributes of a ``meta`` or an XML declaration have, or None."""
    has_pragma = False
    in_content: str | None = None
    for name, *values in attributes:
        name, value = name.lower(), "".join(values)
        if name == ("charset" if kind == "meta" else "encoding"):
            label = _LABEL.match(value.strip())
            if label:
                return label[0]
        elif name == "content":
            match = _CHARSET_IN_CONTENT.search(value)
            in_content = in_content or (match[1] if match else None)
        elif name in _PRAGMA_NAMES:
            has_pragma = has_pragma or bool(_PRAGMA.search(value))
    return in_content if kind == "meta" and has_pragma else None


_MARKS = (
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF8, "utf-8"),
)


def read_bom(data: bytes) -> tuple[None, None] | tuple[str, bytes]:
    r"""Return the name of the codec of the byte order mark of ``data`` and the mark, or two Nones.

    Marks of UTF-32 are included.

    >>> read_bom(b"\xff\xfe\x34\x6c")
    ('utf-16-le', b'\xff\xfe')
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, mark
    return None, None


def to_unicode(data_str: bytes, encoding: str) -> str:
    r"""Decode ``data_str``, bytes in the encoding that is nearest to a codec of Python. Errors become U+FFFD.

    Raise LookupError for a name of neither an encoding nor a codec.

    >>> to_unicode(b"\x87\x40", "cp932"), to_unicode(b"\x80", "gb18030")
    ('①', '€')
    """
    name = _codec_name(encoding)
    if name not in _WITH_BYTE_ORDER_MARK:
        for find in (nearest, lookup):
            try:
                return find(encoding).decode(data_str)
            except UnknownLabelError:
                pass
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise LookupError(f"unknown encoding: {encoding!r:.70}") from None
    return data_str.decode(encoding, "replace")


def html_to_unicode(
    content_type_header: str | None,
    html_body_str: bytes,
    default_encoding: str = "utf8",
    auto_detect_fun: Callable[[bytes], str | None] | None = None,
) -> tuple[str, str]:
    """Decode a page; return the name of the codec, and the text without a byte order mark.

    The first of these that names a codec decides: a byte order mark of ``html_body_str``, ``content_type_header`` (or
    None), the page's declaration, ``auto_detect_fun`` (from bytes to the name of a codec or None),
    ``default_encoding``. UTF-16 and UTF-32 without a byte order are big-endian. Raise LookupError if one of the last
    two names no codec.

    >>> html_to_unicode("text/html; charset=iso-8859-1", b"<p>caf\\xe9 \\x80 5")
    ('cp1252', '<p>café € 5')
    """
    name, mark = read_bom(html_body_str)
    if name is not None and mark is not None:
        return name, to_unicode(html_body_str[len(mark) :], name)
    codec = http_content_type_encoding(content_type_header) or html_body_declared_encoding(html_body_str)
    if codec is None and auto_detect_fun is not None:
        codec = auto_detect_fun(html_body_str)
    if codec is None:
        codec = default_encoding
    elif codec in _WITHOUT_ENDIANNESS:
        codec += "-be"
    return codec, to_unicode(html_body_str, codec)


_replaced = ReplacedModules("w3lib.encoding")


def install() -> None:
    """Make later imports of ``w3lib.encoding`` find this module.

    Modules that have already imported its functions keep them: a RuntimeWarning names these modules. ``uninstall``
    reverts it. Raise ImportError without w3lib.
    """
    import_module("w3lib")  # the package, of which only one module is replaced
    _replaced.install(__name__, {})


def uninstall() -> None:
    """Make ``import w3lib.encoding`` find what it found before ``install``."""
    _replaced.uninstall()


def __dir__() -> list[str]:
    return __all__
