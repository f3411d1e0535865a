"""Indexes: https://encoding.spec.whatwg.org/#indexes, read from data/indexes.json."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[2] / "data" / "indexes.json"


class Index:
    """An ordered list of unique pointers and their code points, some of which occur more than once."""

    def __init__(self, name: str, entries: Iterable[tuple[int, int]]) -> None:
        self.name = name
        self.entries = tuple(sorted(entries))
        self._code_points = dict(self.entries)
        # The first and the last pointer for a code point: a dict keeps the value that was assigned last.
        self._first_pointers = {code_point: pointer for pointer, code_point in reversed(self.entries)}
        self._last_pointers = {code_point: pointer for pointer, code_point in self.entries}
        self._without: dict[Any, Index] = {}

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
        # A step creates its function each time that it runs, always from the same code.
        if is_excluded.__code__ not in self._without:
            entries = ((pointer, code_point) for pointer, code_point in self.entries if not is_excluded(pointer))
            self._without[is_excluded.__code__] = Index(self.name, entries)
        return self._without[is_excluded.__code__]


class RangeIndex:
    """The index gb18030 ranges: https://encoding.spec.whatwg.org/#index-gb18030-ranges."""

    def __init__(self, ranges: Iterable[Sequence[int]]) -> None:
        self.ranges = [(pointer, code_point) for pointer, code_point in ranges]

    def last_range(self, what: str, key: int) -> tuple[int, int]:
        """Return the last "pointer" or "code_point" that is at most `key`, and what corresponds to it."""
        column = ("pointer", "code_point").index(what)
        last = self.ranges[bisect_right(self.ranges, key, key=itemgetter(column)) - 1]
        return last[column], last[1 - column]


class Indexes:
    """The indexes of data/indexes.json by name, each read once."""

    def __getitem__(self, name: str) -> Any:
        return _read(name)


@cache
def _read(name: str) -> Index | RangeIndex:
    entries = json.loads(_FILE.read_text("utf-8"))[name]
    if name == "gb18030-ranges":
        return RangeIndex(entries)
    return Index(name, ((pointer, code_point) for pointer, code_point in enumerate(entries) if code_point is not None))


INDEXES = Indexes()
