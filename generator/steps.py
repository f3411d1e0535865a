"""Step numbers of the standard, as templates and emitted comments cite them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_COMPONENT = r"(?:\[[^\]]*\]|\d+)"
_NUMBERS = re.compile(rf"((?:{_COMPONENT}\.)*)({_COMPONENT})(?:-(?:{_COMPONENT}\.)*(\d+))?")

CITATION = re.compile(r" *# ([a-z0-9_-]+) ((?:\[[^\]]*\]|\d)(?:\[[^\]]*\]|[-., \d])*?)( \(kernel\))?: ")
"""A comment that cites steps: their anchor and numbers, and whether a kernel takes their common case."""


@dataclass(frozen=True)
class Steps:
    """The steps of one algorithm: its anchor and, by key, the numbers that differ between encodings of a template.

    Numbers are written as in ``3, 3.1-3.3``, where a range runs over the last component; a case of a switch is in
    brackets, as in ``3.[0xC2 to 0xDF].1-2``. A template cites a step by its numbers, ``{{ steps["4"] }}``, or by a key,
    ``{{ steps.ascii }}``; both render as the anchor and the numbers: ``big5-decoder 4``.
    """

    anchor: str
    finished: tuple[str, ...] = ()
    """The steps for end-of-queue that the loop takes, which calls no handler there."""
    numbers: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, key: str) -> str:
        """Return the anchor and the numbers of a step. Raise a KeyError for a key that the algorithm does not have."""
        return f"{self.anchor} {key if _NUMBERS.match(key) else self.numbers[key]}"

    def __contains__(self, key: str) -> bool:
        return key in self.numbers


def expand(numbers: str) -> Iterator[str]:
    """Yield the path of each step in a list of numbers.

    >>> list(expand("3, 3.1-3.3, 4.[0x00 to 0x7F].1-2"))
    ['3', '3.1', '3.2', '3.3', '4.[0x00 to 0x7F].1', '4.[0x00 to 0x7F].2']
    """
    for prefix, first, last in _NUMBERS.findall(numbers):
        if last:
            yield from (f"{prefix}{number}" for number in range(int(first), int(last) + 1))
        else:
            yield prefix + first
