"""What a header or a page declares, as a crawler reads it: the standards' forms first, then those of broken software.

Browsers ignore the sloppy forms, and so does everything that decides as they do. To a crawler each is a hint, like any
declaration: ``charset: x``, no semicolon, a bare label, names of Python's codecs and of code pages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from .._api.arguments import Results
from .._labels import lookup
from .._native.core import Encoding, UnknownLabelError, quote
from .._native.prescan import header_encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from .hints import ContentType

__all__: list[str] = ["ContentTypeWarning"]

_LONGEST: Final = 256  # characters of a header that is kept in a cache
# The patterns are compiled when first used, since most declarations are in the standards' forms. White space is matched
# possessively, so that a long run of it costs linear time.
_LABEL: Final = r"""charset\s*+[=:]++\s*+(?:charset\s*+[=:]++\s*+)?["']?\s*+([-\w.:+()]+)"""
_CHARSET: Final = f"(?ai){_LABEL}"
_BARE: Final = r"""(?a)\s*+["']?([-\w.:+]{2,40})["']?\s*+;?\s*"""

_HEAD: Final = 1024  # bytes of a page, as in the prescan
_COMMENT: Final = rb"(?s)<!--.*?(?:-->|\Z)"
_IN_PAGE: Final = (
    rb"""(?is)\s*+(?:<\?xml\s[^>]*?encoding\s*+=\s*+["']?\s*+|@charset\s*+["']?)([-\w.:+]+)"""
    rb"|.*?<meta\s[^>]*?" + _LABEL.encode("ascii")
)


class ContentTypeWarning(UserWarning):
    """Warned of if a bare label, such as "shift_jis", is passed as the value of a ``Content-Type`` header."""

    __module__ = "whatwg_encoding"


def named_encoding(name: str) -> Encoding | None:
    """Return the encoding or the code page that a name in a declaration means, or None."""
    from ..code_pages import find  # imported here, as below, since most declarations are in the standards' forms
    from ..names import meant

    meaning = meant(name)
    return find(meaning) if isinstance(meaning, str) else meaning


def checked_header(content_type: ContentType) -> ContentType:
    """Return the value of a header unchanged. Raise TypeError for an ``Encoding``."""
    if isinstance(content_type, Encoding):
        raise TypeError(
            f'content_type must be the value of a header, such as "text/html; charset={content_type.name}", '
            f"not an Encoding"
        )
    return content_type


def transport_encoding(content_type: ContentType, argument: str | None = None) -> Encoding | None:
    """Return the encoding that a header names, or None. Raise TypeError for values that are neither str nor bytes.

    ``argument``: for a function that decides as a browser, which ignores a bare label and warns of it, the argument
    that takes an encoding there.
    """
    if content_type is None:
        return None
    if type(content_type) is bytes:
        content_type = content_type.decode("latin-1")  # isomorphic decode
    encoding = header_encoding(content_type) if type(content_type) is str else ...
    if encoding is ...:
        from ..mime import describe_content_type  # imported here, since most of a parser is regular expressions

        encoding = describe_content_type(checked_header(content_type))[1]
    if encoding is None and argument is not None:
        warn_of_bare_label(content_type, argument)
    return encoding


def warn_of_bare_label(content_type: ContentType, argument: str | None = None) -> None:
    """Warn the caller of this package if a header's value is the label of an encoding.

    ``argument``: one that takes an encoding there.
    """
    if not isinstance(content_type, str) or "/" in content_type or "=" in content_type:
        return
    try:
        lookup(content_type)
    except UnknownLabelError:
        return
    import warnings  # imported here, since few calls warn

    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] == "whatwg_encoding":
        level, frame = level + 1, frame.f_back
    remedy = "" if argument is None else f", or {argument}={quote(content_type)} to set the encoding"
    warnings.warn(
        f"content_type is the value of a Content-Type header, and {quote(content_type)} is none, so it is ignored, as "
        f'in browsers. Pass "text/html; charset={content_type.strip()}"{remedy}',
        ContentTypeWarning,
        level,
    )


def declared_in_header(content_type: ContentType) -> Encoding | None:
    """Return the encoding that a header means, in any form, or None. Raise what `transport_encoding` raises."""
    if content_type is None:
        return None
    if type(content_type) is str and len(content_type) <= _LONGEST:
        known: Encoding | None = _known[content_type]
        return known
    values = (content_type,) if isinstance(content_type, str | bytes) else content_type
    if not isinstance(values, Iterable) or hasattr(values, "keys"):
        return transport_encoding(values)  # which raises TypeError
    values = tuple(values)
    encoding = transport_encoding(values)
    for value in reversed(values if encoding is None else ()):
        encoding = _known[(value.decode("latin-1") if isinstance(value, bytes) else value)[:_LONGEST]]
        if encoding is not None:
            break
    return encoding


def _declared_in(value: str) -> Encoding | None:
    encoding = transport_encoding(value)
    if encoding is not None:
        return encoding
    import re  # imported here, as below, since most programs meet no such header

    label = re.search(_CHARSET, value) or re.fullmatch(_BARE, value)
    return None if label is None else named_encoding(label[1])


_known = Results(_declared_in, 512)


def name_in_page(head: bytes) -> str | None:
    """Return the name of an encoding in the first declaration at the start of a page, in any form, or None."""
    folded = head.lower()
    if b"charset" not in folded and b"encoding" not in folded:  # which all forms have
        return None
    import re

    declaration = re.match(_IN_PAGE, re.sub(_COMMENT, b"", head))
    if declaration is None or declaration.lastindex is None:
        return None
    return declaration[declaration.lastindex].decode("latin-1")


def declared_in_page(head: bytes) -> Encoding | None:
    """Return the encoding that the start of a page means in a form or by a name that the prescan ignores, or None."""
    name = name_in_page(head[:_HEAD])
    encoding = None if name is None else named_encoding(name)
    return None if encoding is None or encoding.is_utf_16 else encoding  # ASCII was read, so it is not UTF-16
