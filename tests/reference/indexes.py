"""Indexes: https://encoding.spec.whatwg.org/#indexes, read from data/indexes.json."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[2] / "data" / "indexes.json"

_pointer = itemgetter(0)
_code_point = itemgetter(1)


@cache
def _indexes() -> dict[str, list[Any]]:
    indexes: dict[str, list[Any]] = json.loads(_FILE.read_text("utf-8"))
    return indexes


class Index:
    """An ordered list of unique pointers and their code points, some of which occur more than once."""

    def __init__(self, name: str, entries: Iterable[tuple[int, int]]) -> None:
        self.name = name
        self.entries = tuple(sorted(entries))
        self._code_points = dict(self.entries)
        # The first and the last pointer for a code point: a dict keeps the value that was assigned last.
        self._first_pointers = {code_point: pointer for pointer, code_point in reversed(self.entries)}
        self._last_pointers = {code_point: pointer for pointer, code_point in self.entries}

    def code_point(self, pointer: int) -> int | None:
        """Return the code point for `pointer`, or None: https://encoding.spec.whatwg.org/#index-code-point."""
        return self._code_points.get(pointer)

    def pointer(self, code_point: int) -> int | None:
        """Return the first pointer for `code_point`, or None: https://encoding.spec.whatwg.org/#index-pointer."""
        return self._first_pointers.get(code_point)

    def last_pointer(self, code_point: int) -> int | None:
        """Return the last pointer for `code_point`, or None."""
        return self._last_pointers.get(code_point)

    def excluding(self, is_excluded: Callable[[int], bool]) -> Index:
        """Return this index without the entries whose pointer `is_excluded`."""
        entries = ((pointer, code_point) for pointer, code_point in self.entries if not is_excluded(pointer))
        return Index(self.name, entries)


@cache
def index(name: str) -> Index:
    """Return the index `name` of data/indexes.json; "gb18030-ranges" is `gb18030_ranges`."""
    entries = ((pointer, code_point) for pointer, code_point in enumerate(_indexes()[name]) if code_point is not None)
    return Index(name, entries)


@cache
def gb18030_ranges() -> tuple[tuple[int, int], ...]:
    """Return the 207 pairs of pointer and code point, both ascending.

    https://encoding.spec.whatwg.org/#index-gb18030-ranges
    """
    return tuple((pointer, code_point) for pointer, code_point in _indexes()["gb18030-ranges"])


def gb18030_ranges_code_point(pointer: int) -> int | None:
    """Return the code point for `pointer`, or None.

    https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
    """
    # 1. If pointer is greater than 39419 and less than 189000, or pointer is greater than 1237575, return null.
    if 39419 < pointer < 189000 or pointer > 1237575:
        return None
    # 2. If pointer is 7457, return code point U+E7C7.
    if pointer == 7457:
        return 0xE7C7
    # 3. Let offset be the last pointer in index gb18030 ranges that is less than or equal to pointer and let code point
    #    offset be its corresponding code point.
    offset, code_point_offset = gb18030_ranges()[bisect_right(gb18030_ranges(), pointer, key=_pointer) - 1]
    # 4. Return a code point whose value is code point offset + pointer - offset.
    return code_point_offset + pointer - offset


def gb18030_ranges_pointer(code_point: int) -> int:
    """Return the pointer for `code_point`: https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer."""
    # 1. If code point is U+E7C7, return pointer 7457.
    if code_point == 0xE7C7:
        return 7457
    # 2. Let offset be the last code point in index gb18030 ranges that is less than or equal to code point and let
    #    pointer offset be its corresponding pointer.
    pointer_offset, offset = gb18030_ranges()[bisect_right(gb18030_ranges(), code_point, key=_code_point) - 1]
    # 3. Return a pointer whose value is pointer offset + code point - offset.
    return pointer_offset + code_point - offset


@cache
def _index_shift_jis() -> Index:
    return index("jis0208").excluding(lambda pointer: 8272 <= pointer <= 8835)


def shift_jis_pointer(code_point: int) -> int | None:
    """Return the pointer for `code_point`, or None: https://encoding.spec.whatwg.org/#index-shift_jis-pointer."""
    # 1. Let index be index jis0208 excluding all entries whose pointer is in the range 8272 to 8835, inclusive.
    # 2. Return the index pointer for code point in index.
    return _index_shift_jis().pointer(code_point)


@cache
def _index_big5_without_hong_kong() -> Index:
    return index("big5").excluding(lambda pointer: pointer < (0xA1 - 0x81) * 157)


def big5_pointer(code_point: int) -> int | None:
    """Return the pointer for `code_point`, or None: https://encoding.spec.whatwg.org/#index-big5-pointer."""
    # 1. Let index be index Big5 excluding all entries whose pointer is less than (0xA1 - 0x81) x 157.
    index_big5 = _index_big5_without_hong_kong()
    # 2. If code point is U+2550, U+255E, U+2561, U+256A, U+5341, or U+5345, return the last pointer corresponding to
    #    code point in index.
    if code_point in (0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345):
        return index_big5.last_pointer(code_point)
    # 3. Return the index pointer for code point in index.
    return index_big5.pointer(code_point)
