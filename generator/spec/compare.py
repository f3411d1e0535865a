"""Compare the algorithms of two dates: which texts changed, which programs, and which of them behave differently.

A program that differs only in the names of its variables is the same. Behaviour is compared by running both: every
state that inputs reach, up to `STATES` for each length of input, with every item.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator import handlers
from generator.model import RANGES, SINGLE_BYTE_HEADING, STANDARD, Encoding, Snapshot
from generator.spec import alignment, notation, texts
from generator.spec.errors import visible
from generator.spec.machine import CONTINUE, END_OF_QUEUE, Error, Handler, State, machine
from generator.spec.notation import Algorithms, Unread
from generator.spec.program import Algorithm, Local, Member, Node, Number, Symbol, mapped, walk
from generator.spec.transcribed import transcribers
from generator.tables.mappings import BMP

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
    """The number of inputs with another outcome: code points, or sequences of bytes."""
    scope: str
    """Of which inputs that is the exact number: all if it is empty."""
    is_addition: bool
    """Whether each of them was an error that restored the same, so that text is gained and none is changed."""
    examples: tuple[tuple[str, str, str], ...]
    """An input, and its old and new outcome."""
    gone: int = 0
    """How many sequences of a decoder that were characters are errors now."""

    @property
    def count(self) -> str:
        unit = "code point" if self.kind == "encoder" else "byte sequence"
        return f"{self.inputs} {unit}{'s' * (self.inputs != 1)}{self.scope}"

    def __str__(self) -> str:
        given, old, new = self.examples[0]
        return f"{self.who} {self.kind}: {self.count}, {given} from {old} to {new}"

    @property
    def who(self) -> str:
        return _and(self.encodings)

    def lines(self) -> Iterator[str]:
        """Yield a line of text, and one for each example if there are several."""
        verb = self.kind.removesuffix("r") + "s" * (len(self.encodings) == 1)
        gone = f"; {self.gone} character{'s go' if self.gone > 1 else ' goes'}" if self.gone else ""
        if self.inputs == 1 and self.examples[0][1:] == ("continue", "error"):
            yield f"{self.who}: {self.examples[0][0]} is no leading byte any more{gone}"
            return
        shown = [f"{given} as {new} instead of {old}" for given, old, new in self.examples]
        shown[0] += gone
        if self.inputs == 1 and not self.scope:
            yield f"{self.who} {verb} {shown[0]}"
            return
        yield f"{self.who} {verb} {self.count} as something else, such as {shown[0]}"
        yield from (f"  {line}" for line in shown[1:])


@dataclass(frozen=True, slots=True)
class AlgorithmChange:
    """An algorithm whose text differs. Its programs are None if it is transcribed by hand, or absent on that side."""

    anchor: str
    is_new: bool
    is_removed: bool
    old: Algorithm | None
    new: Algorithm | None
    digests: tuple[str, str]
    """The SHA-256 of its old and of its new text, empty on a side without it."""

    @property
    def url(self) -> str:
        return f"{STANDARD}#{self.anchor}"

    @property
    def what(self) -> str:
        """``transcribed`` by hand, another ``program``, or mere ``wording``: the same in other words."""
        if self.old is None and self.new is None:
            return "transcribed"
        is_same = self.old is not None and self.new is not None and shape(self.old) == shape(self.new)
        return "wording" if is_same else "program"

    @property
    def is_accepted(self) -> bool:
        """Whether a person has said now that its text means what the program says."""
        return self.new is not None and bool({*self.new.accepted} - {*(self.old.accepted if self.old else ())})

    @property
    def verb(self) -> str:
        if self.is_new or self.is_removed:
            return "is new" if self.is_new else "is removed"
        return "is not pinned as its text says" if self.has_same_text else "has changed"

    @property
    def has_same_text(self) -> bool:
        """Whether only the programs differ: the pinned one has been edited by hand."""
        return self.digests[0] == self.digests[1]

    def differences(self) -> list[tuple[str, str]]:
        """Return the lines of the programs that differ, ``-`` for the old one and ``+`` for the new one.

        The old one is in the names of the new one.
        """
        old, new = (notation.text(side).splitlines() if side else [] for side in (self.old, self.new))
        return list(differences([alignment.with_names(line, self.renamed) for line in old], new))

    @property
    def renamed(self) -> Mapping[str, str]:
        """The new names of variables and values, by the old ones."""
        return alignment.renamed(self.old, self.new) if self.old and self.new else {}

    @property
    def renumbered(self) -> tuple[tuple[str, str], ...]:
        """The old and the new numbers of steps that have others now."""
        return tuple(alignment.renumbered(self.old, self.new)) if self.old and self.new else ()


@dataclass(frozen=True, slots=True)
class AlgorithmsDiff:
    """All that differs between the texts of the algorithms of two dates."""

    changes: tuple[AlgorithmChange, ...] = ()
    unread: tuple[Unread, ...] = ()
    """The sections of the new date that are not understood; those with a pinned program keep it."""

    def __bool__(self) -> bool:
        return bool(self.changes or self.unread)

    def of(self, *what: str) -> tuple[AlgorithmChange, ...]:
        """Return the changes that are ``transcribed``, a ``program`` or ``wording``."""
        return tuple(change for change in self.changes if change.what in what)


def compare(old: Algorithms, new: Algorithms) -> AlgorithmsDiff:
    """Compare the texts of algorithms, and their programs too: a pinned one may have been edited by hand."""
    before, after = old.digests, new.digests
    pairs = (
        AlgorithmChange(
            anchor,
            anchor not in before,
            anchor not in after,
            old.programs.get(anchor),
            new.programs.get(anchor),
            (before.get(anchor, ""), after.get(anchor, "")),
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
    describe: Callable[[int], str] = "U+{:04X}".format,
) -> Iterator[Behaviour]:
    """Yield what encodings do differently by programs and data of another date, those that do the same together.

    An encoding that is on one side only does nothing differently.
    """
    known = {encoding.name: encoding for encoding in old.encodings}
    code_points = {
        code
        for side in (old, new)
        for index in side.indexes.values()
        for code in index.code_points
        if code is not None and 0xFFFF < code <= 0x10FFFF
    }
    grouped: dict[tuple[Any, ...], list[str]] = {}
    for encoding in new.encodings if encodings is None else encodings:
        if encoding.name not in known:
            continue
        for kind in ("decoder", "encoder"):
            pair = [
                _Side(side, encoding_of_side, kind)
                for side, encoding_of_side in ((old, known[encoding.name]), (new, encoding))
            ]
            if pair[0].inputs != pair[1].inputs:
                difference = _differing(pair[0].handler, pair[1].handler, kind, code_points, describe)
                if kind == "encoder" and not difference[1] and pair[0].inputs[0] != pair[1].inputs[0]:
                    difference = (difference[0], " below U+10000", *difference[2:])
                if difference[0]:
                    grouped.setdefault((kind, *difference), []).append(encoding.name)
    for (kind, inputs, scope, is_addition, examples, gone), names in grouped.items():
        yield Behaviour(kind, tuple(names), inputs, scope, is_addition, examples, gone)


class _Side:
    """A decoder or encoder as of one date, and all that its results depend on."""

    def __init__(self, snapshot: Snapshot, encoding: Encoding, kind: str) -> None:
        run = machine(snapshot)
        handler = handlers.handler(encoding.name, encoding.heading)
        index = next(iter(handler.indexes), "") if handler and encoding.heading == SINGLE_BYTE_HEADING else ""
        algorithms, names = run.uses(encoding, kind)
        data: Mapping[str, Any] = {**snapshot.indexes, RANGES: snapshot.ranges}
        of_index = {name: getattr(data.get(name), "identifier", None) for name in {*names, index}}
        self.inputs = [[shape(algorithm) for algorithm in algorithms], of_index]
        self.handler = None
        if (index in snapshot.indexes or encoding.heading != SINGLE_BYTE_HEADING) and {*names} <= {*data}:
            self.handler = run.handler(encoding, kind, index)


def _differing(
    old: Handler | None,
    new: Handler | None,
    kind: str,
    code_points: Iterable[int],
    describe: Callable[[int], str],
) -> tuple[int, str, bool, tuple[tuple[str, str, str], ...], int]:
    """Return how many inputs have another outcome, of which, whether all were errors, some of them, and what goes."""
    if old is None or new is None:
        was, now = ("no handler" if outcome_of_side is None else "a handler" for outcome_of_side in (old, new))
        return int(old is not new), "", False, (("any input", was, now),), 0
    examples: dict[tuple[Any, ...], tuple[str, str, str]] = {}
    count = Count()
    is_addition = True
    gone = 0
    for path, before, after in differing(old, new, kind, code_points, count):
        is_addition &= isinstance(before[0], Error) and before[1] == after[1]
        if kind == "decoder" and isinstance(after[0], Error):
            gone += len(old.each(range(0x100), old.state)) if before[0] is CONTINUE else isinstance(before[0], list)
        if kind == "decoder":
            shown: tuple[Any, ...] = path
            given = items(path, are_bytes=True)
        else:
            old.state = count.state
            shown, given = path[-1:], items(path[-1:], are_bytes=False, describe=describe) + _in_state(old)
        if shown not in examples:
            # Beyond the examples, only the number counts.
            words = [
                outcome(outcome_of_side, kind, describe) if len(examples) < SHOWN else ""
                for outcome_of_side in (before, after)
            ]
            examples[shown] = given, words[0], words[1]
    scope = " of a sample" if count.is_sample else ""
    return len(examples), scope, is_addition, tuple(list(examples.values())[:SHOWN]), gone


def _in_state(handler: Handler) -> str:
    """Return in words which values of a handler are not the initial ones."""
    states = [
        f"{name} {value:02X}" if type(value) is int else f"{name} {value}"
        for name, value, initial in zip(handler.names, handler.state, handler.initial, strict=True)
        if value != initial
    ]
    return f" in the state {', '.join(states).replace('_', ' ')}" if states else ""


@dataclass
class Count:
    """What a comparison has covered."""

    is_sample: bool = False
    """Whether it left states or code points out."""
    state: State = ()
    """The state of the old handler before the item that differs."""


Handled = tuple[Any, list[Any]]
"""A result of a handler, and what it restored."""


def differing(
    old: Handler, new: Handler, kind: str, code_points: Iterable[int] = (), count: Count | None = None
) -> Iterator[tuple[tuple[Any, ...], Handled, Handled]]:
    """Yield each sequence of items whose last one has another outcome, and both outcomes.

    `code_points` are compared besides `BMP` and `SAMPLE`; `count` receives what was left out.
    """
    count = count or Count()
    every: Sequence[Any] = (*range(0x100), END_OF_QUEUE)
    if kind == "encoder":
        every = (*sorted({*BMP, *SAMPLE, *code_points, *_named(old), *_named(new)}), END_OF_QUEUE)
    start = old.initial, new.initial
    paths: dict[tuple[Any, Any], tuple[Any, ...]] = {start: ()}
    todo = [start]
    reached: Counter[int] = Counter()
    for states in todo:
        before_it = paths[states]
        # Nothing but itself follows end-of-queue.
        for item in (END_OF_QUEUE,) if before_it[-1:] == (END_OF_QUEUE,) else every:
            old.state, new.state = states
            before, after = old.handle(item), new.handle(item)
            path = (*before_it, item)
            if before != after:
                count.state = states[0]
                # Above the Basic Multilingual Plane there may be as many others.
                count.is_sample |= kind == "encoder" and type(item) is int and item > 0xFFFF
                yield path, before, after
                continue
            following = old.state, new.state
            if following not in paths:
                if reached[len(path)] >= STATES or len(path) > LONGEST:
                    count.is_sample = True
                    continue
                reached[len(path)] += 1
                paths[following] = path
                todo.append(following)


def _named(handler: Handler) -> Iterator[int]:
    """Yield the code points that the steps of a handler name, and those next to them."""
    for node in walk(handler.algorithm.body):
        if isinstance(node, Number):
            yield from (
                code_point for code_point in range(node.value - 1, node.value + 2) if 0 <= code_point <= 0x10FFFF
            )


def items(sequence: Sequence[Any], *, are_bytes: bool, describe: Callable[[int], str] = "U+{:04X}".format) -> str:
    """Return items in words: bytes in hexadecimal, code points as described."""
    return " ".join(
        repr(unit) if unit is END_OF_QUEUE else f"{unit:02X}" if are_bytes else describe(unit) for unit in sequence
    )


def outcome(handled: Handled, kind: str, describe: Callable[[int], str] = "U+{:04X}".format) -> str:
    """Return in words what a ``decoder`` or ``encoder`` makes of an item, and what it restores."""
    result, restored = handled
    text = items(result, are_bytes=kind == "encoder", describe=describe) if isinstance(result, list) else repr(result)
    again = items(restored, are_bytes=kind == "decoder", describe=describe)
    return f"{text}, restoring {again}" if again else text


# -- In words ----------------------------------------------------------------------------------------------------------


def _and(names: Sequence[str]) -> str:
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def summary(diff: AlgorithmsDiff, behaviours: Sequence[Behaviour] = ()) -> str:
    """Return the difference in a sentence."""
    edited = sum(change.has_same_text for change in diff.changes)
    texts = len(diff.changes) + len(diff.unread) - edited
    sentence = f"{texts} text{'s' * (texts != 1)} changed"
    if edited:
        sentence += f", {edited} not pinned as the text says"
    if diff.unread:
        sentence += f", {len(diff.unread)} not understood"
    programs = len(diff.of("program"))
    if programs or diff.of("wording"):
        sentence += f", {programs} program{'s' * (programs != 1)}"
        sentence += f", {len(behaviours) or 'none'} in behaviour"
    if behaviours:
        sentence += ": " + "; ".join(map(str, behaviours))
    return sentence


def lines(diff: AlgorithmsDiff, behaviours: Sequence[Behaviour] = (), limit: int | None = None) -> Iterator[str]:
    """Yield lines of text: the summary, what a person has to read, the programs, and last the mere wording.

    Include at most `limit` lines of each program, unless it is None.
    """
    yield f"Algorithms: {summary(diff, behaviours)}"
    for section in diff.unread:
        yield from _unread(section, limit)
    for change in diff.of("transcribed"):
        files = transcribers(change.anchor)
        yield f"Text #{visible(change.anchor)} {change.verb} ({visible(change.url)})"
        yield f"  transcribed by {', '.join(files)}" if files else "  transcribed by no file"
    for change in diff.of("program"):
        yield f"Program #{visible(change.anchor)} {change.verb} ({visible(change.url)})"
        yield from _numbers_and_names(change)
        differing = change.differences()
        yield from (f"  {mark} {visible(text)}" for mark, text in differing[:limit])
        if limit is not None and len(differing) > limit:
            yield f"    … and {len(differing) - limit} more"
    accepted: list[AlgorithmChange] = []
    wording: list[AlgorithmChange] = []
    for change in diff.of("wording"):
        (accepted if change.is_accepted else wording).append(change)
    if accepted:
        names = ", ".join(f"#{visible(change.anchor)}" for change in accepted)
        yield f"Accepted to mean what the program says, since it is not understood: {names}"
    if wording:
        yield f"Wording alone: {', '.join(f'#{visible(change.anchor)}' for change in wording)}"
    for change in wording:
        if numbers_and_names := list(_numbers_and_names(change)):
            yield f"#{visible(change.anchor)}"
            yield from numbers_and_names


def _numbers_and_names(change: AlgorithmChange) -> Iterator[str]:
    """Yield a line for steps with other numbers, one for variables with other names, and one for each new step."""
    for what, pairs in (("steps renumbered", change.renumbered), ("renamed", tuple(change.renamed.items()))):
        if pairs:
            yield f"  {what}: {', '.join(f'{visible(old)} → {visible(new)}' for old, new in pairs)}"
    for step, name in alignment.added(change.old, change.new) if change.old and change.new else ():
        yield f"  step {visible(step)} is new and called {visible(name)}: check its name in data/{notation.FILE}"


def _unread(section: Unread, limit: int | None) -> Iterator[str]:
    """Yield lines on a section that is not understood: why, what differs from what stays pinned, how to accept it."""
    anchor = visible(section.anchor)
    yield f"Not understood: #{anchor}; " + (
        "its program stays as pinned" if section.pinned else "no program of it is pinned"
    )
    yield from (f"  {visible(fault)}" for fault in section.faults)
    if section.pinned is None:
        return
    # Without the text before, the whole of the new one is beside the program.
    if old := texts.recall(section.pinned.digest):
        rows = list(differences(old, section.lines))
    else:
        rows = [("-", f"{line.step} {'  ' * line.depth}{line.text}") for line in notation.lines(section.pinned.body)]
        rows += [("+", line) for line in section.lines]
    yield from (f"  {mark} {visible(line)}" for mark, line in rows[:limit])
    if limit is not None and len(rows) > limit:
        yield f"    … and {len(rows) - limit} more"
    different = list(differing_facts(section))
    yield from (f"  {visible(line)}" for line in different)
    what = "in spite of that it means" if different else "it means"
    yield f"  to accept that {what} the same as the program: --accept {section.acceptance}"


_STEP = re.compile(r"(\d+(?:\.\d+)*)\. ")
_FACT = re.compile(
    r"(?P<hexadecimal>\b0x[0-9A-Fa-f]+\b)|U\+(?P<code_point>[0-9A-F]{4,6})\b|(?<![\w.#])(?P<decimal>\d+)(?![\w.]*\w)"
    r"|\bindex (?!code point|pointer)(?P<index>[\w-]+)|INDEXES\[\"(?P<named>[^\"]+)\"\]"
)
_IMPLIED = {"0x0", "0x7F"}
"""Numbers of programs for which the standard has words: an ASCII byte, for one."""


def facts(line: str) -> set[str]:
    """Return the numbers, the code points and the indexes that a line of a text or of a program names.

    >>> sorted(facts("5.1. If byte is in the range 0x81 to 0xFE, inclusive, return U+FFFD; see index Big5."))
    ['0x81', '0xFE', '0xFFFD', 'index big5']
    >>> sorted(facts("Let codePoint be the index code point for pointer in index EUC-KR."))
    ['index euc-kr']
    """
    names = set()
    for match in _FACT.finditer(_STEP.sub("", line, count=1)):
        if index := match["index"] or match["named"]:
            names.add(f"index {index.lower()}")
        else:
            number = match["decimal"]
            names.add(f"0x{int(number) if number else int(match['hexadecimal'] or match['code_point'], 16):X}")
    return names


def differing_facts(section: Unread) -> Iterator[str]:
    """Yield the steps of a section that is not understood that name others than the pinned text, or than its program.

    A program has no words, so what is missing in a sentence is reported only of those that are not understood.
    """
    if section.pinned is None:
        return
    before: dict[str, set[str]] = {}
    old = texts.recall(section.pinned.digest)
    lines = [_numbered(line) for line in old]
    if not old:
        lines = [(line.step, line.text) for line in notation.lines(section.pinned.body)]
    for step, line in lines:
        before.setdefault(step, set()).update(facts(line))
    everywhere = set().union(*before.values())
    for step, line in map(_numbered, section.lines):
        said, known = facts(line), before.get(step, everywhere)
        new, gone = said - known, known - said - _IMPLIED if step and (old or step in section.steps) else set()
        if new or gone:
            faults = [f"has {', '.join(sorted(new))}"] if new else []
            faults += [f"lacks {', '.join(sorted(gone))}"] if gone else []
            yield f"{f'step {step}' if step else 'before its steps it'} {' and '.join(faults)}, unlike what is pinned"


def _numbered(line: str) -> tuple[str, str]:
    """Return the number of a step and its text."""
    match = _STEP.match(line)
    return (match[1], line[match.end() :]) if match else ("", line)


def differences(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that differ, in linear time for texts that are alike."""
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=True)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield from (("-", line) for line in old[a:b])
            yield from (("+", line) for line in new[c:d])
