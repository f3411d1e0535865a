"""Compare the algorithms of two dates: which texts changed, which programs, and which of them behave differently.

A program that differs only in the names of its variables is the same. Behaviour is compared by running both: every
state that inputs reach, up to `STATES` for each length of input, with every item.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator import handlers
from generator.model import RANGES, SINGLE_BYTE_HEADING, STANDARD, Encoding, Snapshot
from generator.spec import notation
from generator.spec.errors import visible
from generator.spec.machine import END_OF_QUEUE, Error, Handler, machine
from generator.spec.notation import Algorithms, Unread
from generator.spec.program import Algorithm, Local, Member, Node, Number, Symbol, mapped, walk
from generator.tables.mappings import BMP
from generator.validate import u

STATES = 200
"""Maximum number of states of a decoder or encoder that are compared, for each number of items before them."""

LONGEST = 16
"""Maximum number of items before a state that is compared."""

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
    """Whether each of them was an error that restored the same, so that text is gained and none is changed."""
    examples: tuple[tuple[str, str, str], ...]
    """An input, and its old and new outcome."""

    @property
    def count(self) -> str:
        """The number of inputs in words."""
        unit = "byte" if self.kind == "decoder" else "code point"
        return f"{self.inputs} {unit} sequence{'s' * (self.inputs != 1)}"

    @property
    def who(self) -> str:
        """The encodings in words, those beyond three as a number."""
        first, rest = self.encodings[:3], self.encodings[3:]
        return " and ".join([", ".join(first), f"{len(rest)} more"] if rest else first)

    def lines(self) -> Iterator[str]:
        """Yield a line of text, and one for each further example."""
        verb = self.kind.removesuffix("r") + "s" * (len(self.encodings) == 1)
        first, *more_examples = (f"{given} as {new} instead of {old}" for given, old, new in self.examples)
        yield f"{self.who} {verb} {self.count} as something else, such as {first}"
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
    def verb(self) -> str:
        """What has happened to it."""
        if "" in self.digests:
            return "is removed" if self.digests[0] else "is new"
        return "is not pinned as its text says" if self.has_same_text else "has changed"

    @property
    def title(self) -> str:
        """What it is, its anchor, and what has happened to it."""
        kind = "Text" if self.what == "transcribed" else "Program"
        return f"{kind} #{visible(self.anchor)} {self.verb}"

    @property
    def has_same_text(self) -> bool:
        """Whether only the programs differ: the pinned one has been edited by hand."""
        return self.digests[0] == self.digests[1]


@dataclass(frozen=True, slots=True)
class AlgorithmsDiff:
    """All that differs between the texts of the algorithms of two dates."""

    changes: tuple[AlgorithmChange, ...] = ()
    unread: tuple[Unread, ...] = ()
    """The sections of the new date that are not understood; those with a pinned program keep it."""

    def __bool__(self) -> bool:
        return bool(self.changes or self.unread)

    def of(self, what: str) -> tuple[AlgorithmChange, ...]:
        """Return the changes that are ``transcribed``, a ``program`` or ``wording``."""
        return tuple(change for change in self.changes if change.what == what)


def compare(old: Algorithms, new: Algorithms) -> AlgorithmsDiff:
    """Compare the texts of algorithms, and their programs too: a pinned one may have been edited by hand."""
    before, after = old.digests, new.digests
    pairs = (
        AlgorithmChange(
            anchor, old.programs.get(anchor), new.programs.get(anchor), (before.get(anchor, ""), after.get(anchor, ""))
        )
        for anchor in dict.fromkeys([*before, *after])
    )
    changes = tuple(
        pair for pair in pairs if not pair.has_same_text or (pair.old and pair.new and pair.what == "program")
    )
    return AlgorithmsDiff(changes, tuple(new.unread.values()))


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


def behaviours(
    old: Snapshot,
    new: Snapshot,
    encodings: Iterable[Encoding] | None = None,
) -> Iterator[Behaviour]:
    """Yield what encodings do differently by programs and data of another date, those that do the same together.

    An encoding that is on one side only does nothing differently.
    """
    before_by_name = {encoding.name: encoding for encoding in old.encodings}
    mapped = (code for side in (old, new) for index in side.indexes.values() for code in index.code_points)
    code_points = {code for code in mapped if code is not None and 0xFFFF < code <= 0x10FFFF}
    grouped: dict[tuple[Any, ...], list[str]] = {}
    for encoding in new.encodings if encodings is None else encodings:
        for kind in ("decoder", "encoder") if encoding.name in before_by_name else ():
            before, after = _handler(old, before_by_name[encoding.name], kind), _handler(new, encoding, kind)
            if before[1:] != after[1:]:
                difference = _differing(before[0], after[0], kind, code_points)
                if difference[0]:
                    grouped.setdefault((kind, *difference), []).append(encoding.name)
    for (kind, inputs, is_addition, examples), names in grouped.items():
        yield Behaviour(kind, tuple(names), inputs, is_addition, examples)


def _handler(snapshot: Snapshot, encoding: Encoding, kind: str) -> tuple[Any, ...]:
    """Return a decoder or encoder, None if data or program of it is missing, and all that its results depend on."""
    run = machine(snapshot)
    record = handlers.handler(encoding.name, encoding.heading)
    is_single_byte = encoding.heading == SINGLE_BYTE_HEADING
    index = next(iter(record.indexes), "") if record and is_single_byte else ""
    algorithms, names = run.uses(encoding, kind)
    data: Mapping[str, Any] = {**snapshot.indexes, RANGES: snapshot.ranges}
    needed = {*names, index} if is_single_byte else names
    handler = run.handler(encoding, kind, index) if {*needed} <= {*data} else None
    identifiers = {name: getattr(data.get(name), "identifier", None) for name in {*names, index}}
    return handler, [shape(algorithm) for algorithm in algorithms], identifiers


def _differing(
    old: Handler | None, new: Handler | None, kind: str, code_points: Iterable[int]
) -> tuple[int, bool, tuple[tuple[str, str, str], ...]]:
    """Return how many inputs have another outcome, whether all were errors, and some of them."""
    if old is None or new is None:
        was, now = ("no handler" if side is None else "a handler" for side in (old, new))
        return int(was != now), False, (("any input", was, now),)
    count, is_addition, examples = 0, True, list[tuple[str, str, str]]()
    for path, before, after in differing(old, new, kind, code_points):
        count += 1
        is_addition &= isinstance(before[0], Error) and before[1] == after[1]
        if len(examples) < SHOWN:
            tried = items(path, are_bytes=kind == "decoder")
            examples.append((tried, outcome(before, kind), outcome(after, kind)))
    return count, is_addition, tuple(examples)


Handled = tuple[Any, list[Any]]
"""A result of a handler, and what it restored."""


def differing(
    old: Handler, new: Handler, kind: str, code_points: Iterable[int] = ()
) -> Iterator[tuple[tuple[Any, ...], Handled, Handled]]:
    """Yield each sequence of items whose last one has another outcome, and both outcomes.

    `code_points` are compared besides `BMP` and `SAMPLE`.
    """
    inputs: Sequence[Any] = (*range(0x100), END_OF_QUEUE)
    if kind == "encoder":
        inputs = (*sorted({*BMP, *SAMPLE, *code_points, *_named(old), *_named(new)}), END_OF_QUEUE)
    start = old.initial, new.initial
    paths: dict[tuple[Any, Any], tuple[Any, ...]] = {start: ()}
    todo = [start]
    reached: Counter[int] = Counter()
    for states in todo:
        # Nothing but itself follows end-of-queue.
        for item in (END_OF_QUEUE,) if paths[states][-1:] == (END_OF_QUEUE,) else inputs:
            old.state, new.state = states
            before, after = old.handle(item), new.handle(item)
            path, following = (*paths[states], item), (old.state, new.state)
            if before != after:
                yield path, before, after
            elif following not in paths and reached[len(path)] < STATES and len(path) <= LONGEST:
                reached[len(path)] += 1
                paths[following] = path
                todo.append(following)


def _named(handler: Handler) -> Iterator[int]:
    """Yield the code points that the steps of a handler name, and those next to them."""
    for node in walk(handler.algorithm.body):
        if isinstance(node, Number):
            yield from (number for number in range(node.value - 1, node.value + 2) if 0 <= number <= 0x10FFFF)


def items(sequence: Sequence[Any], *, are_bytes: bool) -> str:
    """Return items in words: bytes in hexadecimal, code points with their names."""
    return (" " if are_bytes else ", ").join(
        repr(unit) if unit is END_OF_QUEUE else f"{unit:02X}" if are_bytes else describe(unit) for unit in sequence
    )


def outcome(handled: Handled, kind: str) -> str:
    """Return in words what a ``decoder`` or ``encoder`` makes of an item, and what it restores."""
    result, restored = handled
    text = items(result, are_bytes=kind == "encoder") if isinstance(result, list) else repr(result)
    again = items(restored, are_bytes=kind == "decoder")
    return f"{text}, restoring {again}" if again else text


# -- In words ----------------------------------------------------------------------------------------------------------


def name(code_point: int) -> str:
    """Return the Unicode name of a code point, or its kind if it has none."""
    if not 0 <= code_point <= 0x10FFFF:
        return "no code point"
    special = {"Co": "private use", "Cs": "surrogate", "Cc": "control", "Cn": "not assigned"}
    character = chr(code_point)
    return unicodedata.name(character, special.get(unicodedata.category(character), "without a name"))


def describe(code_point: int | None) -> str:
    """Describe a code point: `U+FE10 ︐ PRESENTATION FORM FOR VERTICAL COMMA`; `nothing` for None.

    What is invisible, or would affect its surroundings, has no character.
    """
    if code_point is None:
        return "nothing"
    shown = chr(code_point) if 0 <= code_point <= 0x10FFFF else ""
    category = unicodedata.category(shown)[0] if shown else ""
    shown = "" if category in ("C", "Z") else f"\u25cc{shown}" if category == "M" else shown
    return " ".join(part for part in (u(code_point), shown, name(code_point)) if part)


def summary(diff: AlgorithmsDiff, behaviours: Sequence[Behaviour] = ()) -> str:
    """Return the difference in a sentence."""
    texts = len(diff.unread) + sum(not change.has_same_text for change in diff.changes)
    programs = len(diff.of("program"))
    counted = (f"{count} {what}{'s' * (count != 1)}" for count, what in ((texts, "text"), (programs, "program")))
    return f"{' changed, '.join(counted)}, {len(behaviours) or 'none'} in behaviour"


def lines(diff: AlgorithmsDiff, behaviours: Sequence[Behaviour] = (), limit: int | None = None) -> Iterator[str]:
    """Yield lines of text: the summary, what a person has to read, the programs, and last the mere wording.

    Include at most `limit` lines of each program, unless it is None.
    """
    yield f"Algorithms: {summary(diff, behaviours)}"
    for section in diff.unread:
        yield from _unread(section, limit)
    for change in diff.of("transcribed"):
        yield f"{change.title} ({STANDARD}#{visible(change.anchor)})"
        yield f"  transcribed by what cites it: git grep '#{visible(change.anchor)}'"
    for change in diff.of("program"):
        yield f"{change.title} ({STANDARD}#{visible(change.anchor)})"
        old, new = (notation.text(side).splitlines() if side else [] for side in (change.old, change.new))
        different = [line for line in difflib.unified_diff(old, new, n=0, lineterm="") if line[:2] != "@@"][2:]
        yield from (f"  {line[0]} {visible(line[1:])}" for line in different[:limit])
        if limit is not None and len(different) > limit:
            yield f"    … and {len(different) - limit} more"
        if change.old and change.new and change.new.names:
            yield f"  check what its steps are called, in data/{notation.FILE}"
    if anchors := [f"#{visible(change.anchor)}" for change in diff.of("wording")]:
        yield f"Wording alone: {', '.join(anchors)}"


def _unread(section: Unread, limit: int | None) -> Iterator[str]:
    """Yield lines on a section that is not understood: why, and what stays pinned of its steps."""
    yield f"Not understood: #{visible(section.anchor)}; " + (
        "its program stays as pinned" if section.pinned else "no program of it is pinned"
    )
    yield from (f"  {visible(fault)}" for fault in section.faults[:limit])
    if limit is not None and len(section.faults) > limit:
        yield f"    … and {len(section.faults) - limit} more"
    statements = notation.lines(section.pinned.body) if section.pinned else ()
    yield from (f"  = {line.step} {line.text}" for line in statements if line.step in section.steps)
