"""The lines of a file that are not UTF-8, and their encoding, which they decide on together."""

from __future__ import annotations

import re

from .._labels import UTF_8
from .._native.core import Encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_LIMIT: Final = 16384  # bytes of different lines that decide


def likeliest(lines: bytes) -> Encoding:
    """Return the encoding of lines that are not UTF-8, as a detector finds it."""
    from .files import choose_for_file  # imported here, since a given encoding does not need the modules
    from .guessing import crawl

    return choose_for_file(lines, crawl(lines)).encoding


def other_lines(data: bytes) -> bytes:
    """Return the different lines that are not valid UTF-8, at most 16 KiB of them."""
    found: dict[bytes, None] = {}
    view, position, total = memoryview(data), 0, 0
    while total < _LIMIT:
        error = position + UTF_8.valid_up_to(view[position:])
        if error >= len(data):
            break
        start = max(data.rfind(b"\n", position, error), data.rfind(b"\r", position, error)) + 1 or position
        end = LINE_END.search(data, error)
        position = len(data) if end is None else end.end()
        line = data[start:position][: _LIMIT - total]
        if line not in found:
            found[line] = None
            total += len(line)
    return b"".join(found)
