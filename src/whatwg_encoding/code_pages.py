"""Code pages outside the standard, for files: those of DOS, the Macintosh and mainframes, and UTF-32.

>>> from whatwg_encoding import code_pages
>>> code_pages.CP850.decode(b"Stra\\xe1e")
'Straße'
>>> code_pages.lookup("ibm850") is code_pages.CP850
True

Each is an ``Encoding`` like those of the standard, and works wherever an ``Encoding`` is accepted. Functions for files,
such as ``open_utf8``, accept their names. Functions for the web do not: ``whatwg_encoding.lookup``, ``LABELS``,
``ENCODINGS``, ``TextDecoder``, the codecs of ``register_codecs``, and those that find the encoding of a web page.

The mappings are those of Python's codecs of the same names. IBM866 of the standard is code page 866, too.
"""

from ._code_pages import *  # noqa: F403
from ._code_pages import CODE_PAGES
from ._code_pages import __all__ as _names
from ._native.core import Encoding, UnknownLabelError, quote

__all__ = ["find", "lookup", *_names]

# Longer names are of no code page, and not normalized.
_LONGEST = 40
_IGNORED = str.maketrans("", "", "-_. ")
_BY_LABEL = {label.translate(_IGNORED): page for page in CODE_PAGES.values() for label in page.labels}


def lookup(name: str) -> Encoding:
    """Return the code page of a name, such as "cp850", "850", "ibm850", "dos-850" or "mac-greek".

    Case, hyphens, underscores, dots and spaces don't matter. Raise UnknownLabelError for any other name, including the
    labels of the standard's encodings, and TypeError if it is not a str.

    >>> lookup("CP 437")
    <Encoding cp437>
    """
    page = find(name)
    if page is None:
        raise UnknownLabelError(
            f"unknown code page {quote(name)}; whatwg_encoding.code_pages.CODE_PAGES has all of them"
        )
    return page


def find(name: str) -> Encoding | None:
    """Return the code page of a name as ``lookup`` does, or None for any other name."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a code page must be a str, not {type(name).__name__}")
    if len(name) > _LONGEST or not name.isascii():
        return None
    plain = name.strip("\t\n\f\r ").lower().translate(_IGNORED)
    return _BY_LABEL.get(plain.removeprefix("codepage"))


def __dir__() -> list[str]:
    return __all__
