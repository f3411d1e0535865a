"""The choice for a file, in which a code page of DOS may be likelier than the web's encodings, and for some lines."""

from __future__ import annotations

import re

from .._labels import UTF_8
from .dos import looks_like_dos, sample_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from .._native.core import Encoding
    from .._native.prescan import Sniffed

# Bits by which a page must be likelier to be chosen where nobody asked for it, by the least number of bytes that are
# not ASCII. No text of 1,573 in the web's encodings, their lines ended by CR LF, is taken for one in a page.
_SURE: Final = {0: 20, 8: 14}


def choose_for_file(data: bytes, sniffed: Sniffed, *, dos: bool = False, language: str | None = None) -> Sniffed:
    """Return the choice for a file: the one of the web, or a code page of DOS if the text looks like one in it.

    Nothing but a detector's choice changes. Rules and boxes, or line ends CR LF, are required, and that the page is
    likelier by far; with ``dos``, that it is likelier.
    """
    if sniffed.source != "detector":
        return sniffed
    if not dos and not looks_like_dos(data):
        return sniffed
    from ..code_pages import CODE_PAGES
    from .guessing import detect

    found = detect(data, language=language, dos=True)
    if not found or found[0].encoding.name not in CODE_PAGES:
        return sniffed
    web = next((guess.score for guess in found if guess.encoding.name not in CODE_PAGES), None)
    if not dos and web is not None:
        length = sum(byte > 0x7F for byte in sample_of(data))
        if web - found[0].score < next(bits for least, bits in reversed(_SURE.items()) if length >= least):
            return sniffed
    return sniffed._replace(encoding=found[0].encoding)


# --- The lines of a file that are not UTF-8 ---

LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_LINES_LIMIT: Final = 16384  # bytes of different lines that decide


def likeliest(lines: bytes) -> Encoding:
    """Return the encoding of lines that are not UTF-8, as a detector finds it."""
    from .guessing import crawl  # imported here, since a given encoding does not need it

    return choose_for_file(lines, crawl(lines)).encoding


def other_lines(data: bytes) -> bytes:
    """Return the different lines that are not valid UTF-8, at most 16 KiB of them."""
    found: dict[bytes, None] = {}
    view, position, total = memoryview(data), 0, 0
    while total < _LINES_LIMIT:
        error = position + UTF_8.valid_up_to(view[position:])
        if error >= len(data):
            break
        start = max(data.rfind(b"\n", position, error), data.rfind(b"\r", position, error)) + 1 or position
        end = LINE_END.search(data, error)
        position = len(data) if end is None else end.end()
        line = data[start:position][: _LINES_LIMIT - total]
        if line not in found:
            found[line] = None
            total += len(line)
    return b"".join(found)
