"""Step numbers of the standard, as emitted comments cite them, and the names that templates have for steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

_COMPONENT = r"(?:\[[^\]]*\]|\d+)"
_NUMBERS = re.compile(rf"((?:{_COMPONENT}\.)*)({_COMPONENT})(?:-(?:{_COMPONENT}\.)*(\d+))?")


@dataclass(frozen=True)
class StepNumbers:
    """The steps of one algorithm: its anchor and, by name, their numbers.

    Numbers are as in ``3, 3.1-3.3``, where a range runs over the last component; a case of a switch is in brackets, as
    in ``3.[0xC2 to 0xDF].1-2``. A template cites a step by its name, ``{{ steps.ascii }}``, which renders as the anchor
    and the numbers: ``big5-decoder 4``.
    """

    anchor: str
    like: str = ""
    """The anchor of an algorithm whose names of steps this one has, if it has none of its own in the pin."""
    numbers: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        """Return the anchor and the numbers of a step. Raise a KeyError for a name that the algorithm does not have."""
        return f"{self.anchor} {self.numbers[name]}"

    def __contains__(self, name: str) -> bool:
        return name in self.numbers

    @property
    def at_end_of_queue(self) -> tuple[str, ...]:
        """The anchor and number of each step for end-of-queue, which the loop takes: it calls no handler there."""
        return tuple(f"{self.anchor} {path}" for path in expand(self.numbers["finished"]))


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


def compressed(paths: Iterable[str]) -> str:
    """Return paths of steps as a list of numbers, the reverse of `expand`.

    >>> compressed(["3", "3.1", "3.2", "3.3", "4.[0x00 to 0x7F].1"])
    '3, 3.1-3.3, 4.[0x00 to 0x7F].1'
    """
    runs: list[tuple[str, str, str]] = []
    for path in paths:
        match = re.fullmatch(rf"((?:{_COMPONENT}\.)*)({_COMPONENT})", path)
        if match is None:
            raise ValueError(f"{path!a} is no step")
        prefix, number = match.groups()
        if runs and number.isdecimal() and (prefix, str(int(number) - 1)) == (runs[-1][0], runs[-1][2]):
            runs[-1] = prefix, runs[-1][1], number
        else:
            runs.append((prefix, number, number))
    return ", ".join(
        f"{prefix}{first}" + ("" if first == last else f"-{'' if '[' in prefix else prefix}{last}")
        for prefix, first, last in runs
    )
