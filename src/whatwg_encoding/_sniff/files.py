"""The choice for a file, in which a code page of DOS may be likelier than the web's encodings, and for some lines."""

from __future__ import annotations

import re

from .._labels import UTF_8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from .._native.core import Encoding

# --- The lines of a file that are not UTF-8 ---

LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_LINES_LIMIT: Final = 16384  # bytes of different lines that decide


def likeliest(lines: bytes) -> Encoding:
    """Return the encoding of lines that are not UTF-8, as a detector finds it."""
    from .guessing import crawl_file  # imported here, since a given encoding does not need it

    return crawl_file(lines).encoding


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
