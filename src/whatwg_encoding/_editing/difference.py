"""What differs between two texts, in time that is linear in their length."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

# The work of SequenceMatcher is at most quadratic here, so its inputs are bounded: the product of both lengths for one
# call, and the sum of these products for a comparison.
_MOST_WORK = 1 << 16
_MOST_WORK_IN_ALL = 1 << 24
_MOST_ROUNDS = 8  # of looking for unique lines between unique lines
_WORDS = re.compile(r"\w+|\s+|.", re.DOTALL)
_CHUNK = 1 << 16


class Difference(NamedTuple):
    """A range of the old text, and the range of the new text in its place."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def differences(old: str, new: str) -> list[Difference]:
    """Return what differs, in ascending order: by lines, and within them by words and characters.

    What both texts have at either end is equal, then lines that occur once in both, then words within the lines between
    them. Short ranges are compared by characters. Raise TypeError for a text that is not a str.

    >>> differences("a = 1", "a = 2")
    [Difference(old_start=4, old_end=5, new_start=4, new_end=5)]
    """
    return list(_Comparison(old, new).by_lines(Difference(0, len(old), 0, len(new))))


def narrowed(text: str, ranges: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield, of ranges of a text and what replaces each, only what differs."""
    for first, last, new in ranges:
        for start, end, new_start, new_end in differences(text[first:last], new):
            yield first + start, first + end, new[new_start:new_end]


def align(old: str, new: str) -> list[tuple[int, int]]:
    """Return pairs of positions of equal characters, in ascending order: those of what does not differ."""
    pairs: list[tuple[int, int]] = []
    i = j = 0
    for difference in (*differences(old, new), Difference(len(old), len(old), len(new), len(new))):
        pairs += zip(range(i, difference.old_start), range(j, difference.new_start), strict=True)
        i, j = difference.old_end, difference.new_end
    return pairs


class _Comparison:
    def __init__(self, old: str, new: str) -> None:
        self._old = old
        self._new = new
        self._work_left = _MOST_WORK_IN_ALL

    def by_lines(self, block: Difference, rounds: int = _MOST_ROUNDS) -> Iterator[Difference]:
        trimmed = self._trimmed(block)
        if _is_simple(trimmed):
            yield from _unless_empty(trimmed)
            return
        block = self._to_whole_lines(trimmed, block)
        old, new = (part.splitlines(keepends=True) for part in self._parts(block))
        anchors = _unique_in_both(old, new) if rounds else []
        if anchors:
            for gap in _gaps(block, old, new, anchors):
                yield from self.by_lines(gap, rounds - 1)
            return
        for gap in _gaps(block, old, new, self._matching(old, new)):
            old, new = (part.splitlines(keepends=True) for part in self._parts(gap))
            # As many lines are compared one by one: they are what lies between the empty ranges before each.
            cuts = [(i, i, i, i) for i in range(len(old))] if len(old) == len(new) else []
            for part in _gaps(gap, old, new, cuts):
                yield from self._by_words(part)

    def _by_words(self, block: Difference) -> Iterator[Difference]:
        block = self._trimmed(block)
        if _is_simple(block):
            yield from _unless_empty(block)
            return
        old, new = map(_WORDS.findall, self._parts(block))
        for gap in _gaps(block, old, new, _unique_in_both(old, new)):
            part = self._trimmed(gap)
            parts = self._parts(part)
            yield from _gaps(part, *parts, [] if _is_simple(part) else self._matching(*parts))

    def _matching(self, old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
        """Return ranges of equal items in ascending order: none if finding them would be too much work."""
        work = len(old) * len(new)
        if work > min(_MOST_WORK, self._work_left):
            return []
        self._work_left -= work
        blocks = SequenceMatcher(None, old, new, False).get_matching_blocks()
        return [(i, i + length, j, j + length) for i, j, length in blocks]

    def _parts(self, block: Difference) -> tuple[str, str]:
        return self._old[block.old_start : block.old_end], self._new[block.new_start : block.new_end]

    def _trimmed(self, block: Difference) -> Difference:
        """Return a block without what is equal at its ends."""
        old, new = self._old, self._new
        i, k, j, m = block
        limit = min(k - i, m - j)
        prefix = _longest(lambda start, end: old[i + start : i + end] == new[j + start : j + end], limit)
        limit -= prefix
        suffix = _longest(lambda start, end: old[k - end : k - start] == new[m - end : m - start], limit)
        return Difference(i + prefix, k - suffix, j + prefix, m - suffix)

    def _to_whole_lines(self, block: Difference, limits: Difference) -> Difference:
        """Return a block extended to whole lines, within ``limits``: what is between the two is equal in both texts."""
        line_start = self._old.rfind("\n", limits.old_start, block.old_start) + 1 or limits.old_start
        line_end = self._old.find("\n", block.old_end, limits.old_end) + 1 or limits.old_end
        before, after = block.old_start - line_start, line_end - block.old_end
        return Difference(line_start, line_end, block.new_start - before, block.new_end + after)


def _longest(is_equal: Callable[[int, int], bool], limit: int) -> int:
    """Return the length, at most ``limit``, up to which ``is_equal`` is true of every range."""
    length, size = 0, min(32, limit)
    while size and is_equal(length, length + size):
        length += size
        size = min(2 * size, _CHUNK, limit - length)
    while size > 1:  # what follows the length is unequal within so much
        half = size // 2
        if is_equal(length, length + half):
            length += half
            size -= half
        else:
            size = half
    return length


def _is_simple(block: Difference) -> bool:
    """Return whether one of two trimmed ranges is empty, or both are single: nothing in them is equal."""
    old, new = block.old_end - block.old_start, block.new_end - block.new_start
    return not old or not new or old == new == 1


def _unless_empty(block: Difference) -> Iterator[Difference]:
    if block.old_start < block.old_end or block.new_start < block.new_end:
        yield block


def _unique_in_both(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return the ranges of equal items that occur once in each: a longest list that ascends in both."""
    positions = {item: j for j, item in enumerate(new)}
    old_counts, new_counts = Counter(old), Counter(new)
    pairs = [(i, positions[item]) for i, item in enumerate(old) if old_counts[item] == 1 == new_counts[item]]
    # The longest ascending subsequence, by patience sorting: the last pair of each length, and each pair's predecessor.
    lasts: list[int] = []
    numbers: list[int] = []
    predecessors: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(lasts, j)
        predecessors.append(numbers[length - 1] if length else -1)
        lasts[length : length + 1] = [j]
        numbers[length : length + 1] = [number]
    result = []
    number = numbers[-1] if numbers else -1
    while number >= 0:
        i, j = pairs[number]
        result.append((i, i + 1, j, j + 1))
        number = predecessors[number]
    return result[::-1]


def _gaps(
    block: Difference, old: Sequence[str], new: Sequence[str], equal: Iterable[tuple[int, int, int, int]]
) -> Iterator[Difference]:
    """Yield the ranges of text between ranges of equal items, in a block that consists of ``old`` and ``new``."""
    old_ends = list(accumulate(map(len, old), initial=block.old_start))
    new_ends = list(accumulate(map(len, new), initial=block.new_start))
    i = j = 0
    for first, last, other_first, other_last in (*equal, (len(old), len(old), len(new), len(new))):
        yield from _unless_empty(Difference(old_ends[i], old_ends[first], new_ends[j], new_ends[other_first]))
        i, j = last, other_last
