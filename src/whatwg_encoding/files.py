"""What functions for files accept beyond the standard: code pages by name, and UTF-32 by its byte order mark."""

from __future__ import annotations

# Rooms that import public modules alone check arguments by byte_view and checked_str, and show them by quote.
from ._api.arguments import checked_str as checked_str
from ._labels import lookup
from ._native.core import Encoding, UnknownLabelError
from ._native.core import byte_view as byte_view
from ._native.core import quote as quote
from ._native.core import sniff_bom as sniff_bom

MARK_LENGTH = 4
"""Upper bound on the bytes of a byte order mark."""

_MARKS = {b"\xff\xfe\0\0": "UTF-32LE", b"\0\0\xfe\xff": "UTF-32BE"}


def file_encoding(encoding: Encoding | str) -> Encoding:
    """Return an Encoding unchanged, or the one that a label names, or the code page of a name.

    Raise UnknownLabelError for a name of neither, and TypeError for anything else.

    >>> file_encoding("sjis"), file_encoding("cp850")
    (<Encoding Shift_JIS>, <Encoding cp850>)
    """
    if type(encoding) is Encoding:
        return encoding
    try:
        return lookup(encoding)
    except UnknownLabelError:
        from .code_pages import find  # loaded for a name that is no label

        page = find(encoding)
        if page is None:
            raise
        return page


def sniff_file_bom(view: bytes | memoryview) -> tuple[Encoding | None, int]:
    """Return the encoding that a byte order mark names, UTF-32 included, and the mark's length; None and 0 without one.

    UTF-32LE's mark begins with UTF-16LE's. Text in UTF-16 doesn't begin with U+0000.

    Raise TypeError for data without a contiguous buffer.

    >>> sniff_file_bom(b"\\xff\\xfea\\x00"), sniff_file_bom(b"\\xff\\xfe\\x00\\x00")
    ((<Encoding UTF-16LE>, 2), (<Encoding UTF-32LE>, 4))
    """
    name = _MARKS.get(bytes(view[:MARK_LENGTH]))
    if name is None:
        return sniff_bom(view)
    from .code_pages import CODE_PAGES

    return CODE_PAGES[name], MARK_LENGTH


def mark_length(view: bytes | memoryview, encoding: Encoding) -> int:
    """Return the length of the encoding's own byte order mark, 0 if the bytes do not begin with it.

    Raise TypeError for data without a contiguous buffer.

    >>> mark_length(b"\\xef\\xbb\\xbfa", lookup("utf-8")), mark_length(b"a", lookup("utf-8"))
    (3, 0)
    """
    for marked, length in (sniff_bom(view), sniff_file_bom(view)):
        if marked is encoding:
            return length
    return 0
