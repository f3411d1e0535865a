"""Compare the algorithms of two dates: which texts changed, which programs, and which of them behave differently.

A program that differs only in the names of its variables is the same. Behaviour is compared by running both with
every item, in the states that inputs reach.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from generator import handlers
from generator.model import STANDARD, Snapshot
from generator.spec import notation
from generator.spec.errors import visible
from generator.spec.machine import Error, Handler, differing, words
from generator.spec.notation import Algorithms, Unread
from generator.spec.program import Algorithm, Local, Member, Node, Symbol, mapped, named
from generator.tables.mappings import BMP

SAMPLE = (*range(0x10000, 0x110000, 61), 0x10FFFF)
"""The code points above BMP that encoders are compared with, besides those in indexes and next to those in programs."""

SHOWN = 5
"""Maximum number of differing inputs that are shown for each difference in behaviour."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a decoder or an encoder does differently, for encodings that share it."""

    kind: str
    encodings: tuple[str, ...]
    inputs: int
    """The number of sequences of bytes or of code points with another outcome, of those that were tried."""
    is_addition: bool
    """Whether each of them was an error alone, so that text is gained and none is changed."""
    examples: tuple[tuple[str, str, str], ...]
    """An input, and its old and new outcome."""

    def lines(self) -> Iterator[str]:
        """Yield a line of text, and one for each further example. Encodings beyond three are a number."""
        first, rest = self.encodings[:3], self.encodings[3:]
        who = " and ".join([", ".join(first), f"{len(rest)} more"] if rest else first)
        verb = self.kind.removesuffix("r") + "s" * (len(self.encodings) == 1)
        unit = "byte" if self.kind == "decoder" else "code point"
        count = f"{self.inputs} {unit} sequence{'s' * (self.inputs != 1)}"
        example, *more_examples = (f"{given} as {new} instead of {old}" for given, old, new in self.examples)
        yield f"{who} {verb} {count} as something else, such as {example}"
        yield from (f"  {line}" for line in more_examples)


@dataclass(frozen=True, slots=True)
class AlgorithmChange:
    """An algorithm whose text differs. Its programs are None if it is transcribed by hand, or absent on that side."""

    anchor: str
    old: Algorithm | None
    new: Algorithm | None
    digests: tuple[str, str]
    """The SHA-256 of its old and of its new text, empty on a side without it."""

    @property
    def what(self) -> str:
        """``transcribed`` by hand, another ``program``, or mere ``wording``: the same in other words."""
        if self.old is None and self.new is None:
            return "transcribed"
        is_same = self.old is not None and self.new is not None and shape(self.old) == shape(self.new)
        return "wording" if is_same else "program"

    @property
    def title(self) -> str:
        """What it is, its anchor, and what has happened to it."""
        verb = "is not pinned as its text says" if self.has_same_text else "has changed"
        if "" in self.digests:
            verb = "is removed" if self.digests[0] else "is new"
        return f"{'Text' if self.what == 'transcribed' else 'Program'} #{visible(self.anchor)} {verb}"

    @property
    def has_same_text(self) -> bool:
        """Whether only the programs differ: the pinned one has been edited by hand."""
        return self.digests[0] == self.digests[1]


def compare(old: Algorithms, new: Algorithms) -> tuple[AlgorithmChange, ...]:
    """Compare the texts of algorithms, and their programs too: a pinned one may have been edited by hand."""
    before, after = old.digests, new.digests
    pairs = (
        AlgorithmChange(
            anchor, old.programs.get(anchor), new.programs.get(anchor), (before.get(anchor, ""), after.get(anchor, ""))
        )
        for anchor in dict.fromkeys([*before, *after])
    )
    return tuple(pair for pair in pairs if not pair.has_same_text or (pair.old and pair.new and pair.what == "program"))


def shape(algorithm: Algorithm) -> tuple[Any, ...]:
    """Return what an algorithm says, whatever its variables and values are called."""
    names: dict[Node, Node] = {}

    def renamed(node: Node) -> Node:
        if isinstance(node, Local | Member | Symbol):
            return names.setdefault(node, type(node)(f"n{len(names)}"))
        return node

    body = mapped((tuple(map(Local, algorithm.parameters[1:])), algorithm.body), renamed)
    members = sorted((str(renamed(Member(name))), str(mapped(value, renamed))) for name, value in algorithm.members)
    return algorithm.kind, algorithm.encoding, algorithm.base, body, tuple(members)


# -- Behaviour ---------------------------------------------------------------------------------------------------------


def behaviours(old: Snapshot, new: Snapshot) -> Iterator[Behaviour]:
    """Yield what encodings do differently by programs and data of another date, those that do the same together.

    An encoding that is on one side only, or lacks data on one, does nothing differently.
    """
    before_by_name = {encoding.name: encoding for encoding in old.encodings}
    mapped = (code for side in (old, new) for index in side.indexes.values() for code in index.code_points)
    astral = {code for code in mapped if code is not None and 0xFFFF < code <= 0x10FFFF}
    grouped: dict[tuple[Any, ...], list[str]] = {}
    for encoding in new.encodings:
        known = before_by_name.get(encoding.name)
        before, after = known and handlers.mappings(old, known), handlers.mappings(new, encoding)
        if not (before and after) or before.inputs == after.inputs:
            continue
        for kind in ("decoder", "encoder"):
            was, now = before.handler(kind), after.handler(kind)
            if was and now and (difference := _difference(was, now, kind, astral))[0]:
                grouped.setdefault((kind, *difference), []).append(encoding.name)
    for (kind, inputs, is_addition, examples), names in grouped.items():
        yield Behaviour(kind, tuple(names), inputs, is_addition, examples)


def _difference(
    old: Handler, new: Handler, kind: str, astral: Iterable[int]
) -> tuple[int, bool, tuple[tuple[str, str, str], ...]]:
    """Return how many inputs have another outcome, whether all were errors, and some of them."""
    inputs: Sequence[int] = range(0x100)
    if kind == "encoder":
        numbers = named((old.algorithm, new.algorithm))
        inputs = sorted({*BMP, *SAMPLE, *astral, *(number for number in numbers if number <= 0x10FFFF)})
    count, is_addition, examples = 0, True, list[tuple[str, str, str]]()
    for path, before, after in differing(old, new, lambda state: inputs):
        count += 1
        is_addition &= len(before) == 1 and isinstance(before[0], Error) and old.state == new.state
        if len(examples) < SHOWN:
            was, now = (words(outcome, are_bytes=kind == "encoder") for outcome in (before, after))
            examples.append((words(path, are_bytes=kind == "decoder"), was, now))
    return count, is_addition, tuple(examples)


# -- In words ----------------------------------------------------------------------------------------------------------


def lines(
    changes: Sequence[AlgorithmChange],
    unread: Sequence[Unread],
    behaviours: Sequence[Behaviour] = (),
    limit: int | None = None,
) -> Iterator[str]:
    """Yield lines of text: the summary, what a person has to read, the programs, and last the mere wording.

    Include at most `limit` lines of each program, unless it is None.
    """
    transcribed, programs, wording = (
        [change for change in changes if change.what == what] for what in ("transcribed", "program", "wording")
    )
    texts = len(unread) + sum(not change.has_same_text for change in changes)
    counted = ((texts, "text"), (len(programs), "program"))
    numbers = " changed, ".join(f"{count} {what}{'s' * (count != 1)}" for count, what in counted)
    yield f"Algorithms: {numbers}, {len(behaviours) or 'none'} in behaviour"
    for section in unread:
        yield from _unread(section, limit)
    for change in transcribed:
        yield f"{change.title} ({STANDARD}#{visible(change.anchor)})"
        yield f"  transcribed by what cites it: git grep '#{visible(change.anchor)}'"
    for change in programs:
        yield f"{change.title} ({STANDARD}#{visible(change.anchor)})"
        old, new = (notation.text(side).splitlines() if side else [] for side in (change.old, change.new))
        different = [line for line in difflib.unified_diff(old, new, n=0, lineterm="") if line[:2] != "@@"][2:]
        yield from limited([f"{line[0]} {visible(line[1:])}" for line in different], limit)
        if change.old and change.new and change.new.names:
            yield f"  check what its steps are called, in data/{notation.FILE}"
    if wording:
        yield f"Wording alone: {', '.join(f'#{visible(change.anchor)}' for change in wording)}"


def _unread(section: Unread, limit: int | None) -> Iterator[str]:
    """Yield lines on a section that is not understood: why, and what stays pinned of its steps."""
    yield f"Not understood: #{visible(section.anchor)}; " + (
        "its program stays as pinned" if section.pinned else "no program of it is pinned"
    )
    yield from limited([visible(fault) for fault in section.faults], limit)
    statements = notation.lines(section.pinned.body) if section.pinned else ()
    yield from (f"  = {line.step} {line.text}" for line in statements if line.step in section.steps)


def limited(lines: Sequence[str], limit: int | None) -> Iterator[str]:
    """Yield indented lines, at most `limit` of them unless it is None, and how many more there are."""
    yield from (f"  {line}" for line in lines[:limit])
    if limit is not None and len(lines) > limit:
        yield f"    … and {len(lines) - limit} more"
