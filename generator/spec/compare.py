"""Compare the algorithms of two dates: which texts changed, which programs, and which of them behave differently.

A program that differs only in the names of its variables is the same. Behaviour is compared by running both: every
state that inputs reach, up to `STATES` for each length of input, with every item.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from generator.model import STANDARD, Snapshot
from generator.spec import notation
from generator.spec.errors import visible
from generator.spec.machine import END_OF_QUEUE, Handler, Machine
from generator.spec.notation import Algorithms
from generator.spec.program import Algorithm, Local, Member, Node, Programs, Symbol, mapped
from generator.spec.transcribed import transcribers

STATES = 200
"""Maximum number of states of a decoder or encoder that are compared, for each number of items before them."""

CODE_POINTS = (*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x110000, 61), 0x10FFFF)
"""What encoders are compared with: the basic multilingual plane, and one of 61 code points above."""

SHOWN = 5
"""Maximum number of differing inputs that are shown for each difference in behaviour."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a decoder or an encoder does differently, for encodings that share it."""

    kind: str
    encodings: tuple[str, ...]
    inputs: int
    """The number of inputs with another outcome: code points, or sequences of bytes."""
    examples: tuple[tuple[str, str, str], ...]
    """An input, and its old and new outcome."""

    def __str__(self) -> str:
        unit = "code point" if self.kind == "encoder" else "byte sequence"
        unit += "s" * (self.inputs != 1)
        example, old, new = self.examples[0]
        return f"{_and(self.encodings)} {self.kind}: {self.inputs} {unit}, {example} from {old} to {new}"


@dataclass(frozen=True, slots=True)
class AlgorithmChange:
    """An algorithm whose text differs. Its programs are None if it is transcribed by hand, or absent on that side."""

    anchor: str
    is_new: bool
    is_removed: bool
    old: Algorithm | None
    new: Algorithm | None

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

    def differences(self) -> list[tuple[str, str]]:
        """Return the lines of the programs that differ, ``-`` for the old one and ``+`` for the new one."""
        old, new = (notation.text(side).splitlines() if side else [] for side in (self.old, self.new))
        return list(differences(old, new))


@dataclass(frozen=True, slots=True)
class AlgorithmsDiff:
    """All that differs between the algorithms of two dates."""

    changes: tuple[AlgorithmChange, ...] = ()
    behaviours: tuple[Behaviour, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes)

    def of(self, *what: str) -> tuple[AlgorithmChange, ...]:
        """Return the changes that are ``transcribed``, a ``program`` or ``wording``."""
        return tuple(change for change in self.changes if change.what in what)


def compare(old: Algorithms, new: Algorithms, snapshot: Snapshot) -> AlgorithmsDiff:
    """Compare algorithms; behaviour is that with the indexes of `snapshot`."""
    before, after = old.digests, new.digests
    changes = tuple(
        AlgorithmChange(
            anchor, anchor not in before, anchor not in after, old.programs.get(anchor), new.programs.get(anchor)
        )
        for anchor in dict.fromkeys([*before, *after])
        if before.get(anchor) != after.get(anchor)
    )
    found = AlgorithmsDiff(changes)
    return AlgorithmsDiff(
        changes, tuple(behaviours(old.programs, new.programs, snapshot)) if found.of("program") else ()
    )


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


def behaviours(old: Programs, new: Programs, snapshot: Snapshot) -> Iterator[Behaviour]:
    """Yield what encodings of a snapshot do differently by new programs, those that do the same together."""
    machines = Machine(old, snapshot), Machine(new, snapshot)
    grouped: dict[tuple[str, int, tuple[tuple[str, str, str], ...]], list[str]] = {}
    for encoding in snapshot.encodings:
        for kind in ("decoder", "encoder"):
            before, after = ([shape(one) for one in machine.uses(encoding, kind)[0]] for machine in machines)
            if before == after:
                continue
            index = "iso-8859-8" if encoding.name == "ISO-8859-8-I" else encoding.name.lower()
            handlers = [machine.handler(encoding, kind, index) for machine in machines]
            count, examples = _differing(handlers[0], handlers[1], kind)
            if count:
                grouped.setdefault((kind, count, examples), []).append(encoding.name)
    for (kind, count, examples), names in grouped.items():
        yield Behaviour(kind, tuple(names), count, examples)


def _differing(old: Handler | None, new: Handler | None, kind: str) -> tuple[int, tuple[tuple[str, str, str], ...]]:
    """Return how many inputs have another outcome, and some of them."""
    if old is None or new is None:
        return 1, (
            ("any input", "no handler" if old is None else "a handler", "no handler" if new is None else "a handler"),
        )
    found: dict[tuple[Any, ...], tuple[str, str, str]] = {}
    for path, before, after in differing(old, new, kind):
        shown = path if kind == "decoder" else path[-1:]
        given = items(shown, are_bytes=kind == "decoder")
        found.setdefault(shown, (given, outcome(before, kind), outcome(after, kind)))
    return len(found), tuple(list(found.values())[:SHOWN])


Handled = tuple[Any, list[Any]]
"""A result of a handler, and what it restored."""


def differing(
    old: Handler, new: Handler, kind: str, code_points: Iterable[int] = ()
) -> Iterator[tuple[tuple[Any, ...], Handled, Handled]]:
    """Yield each sequence of items whose last one has another outcome, and both outcomes.

    `code_points` are compared besides `CODE_POINTS`.
    """
    several = range(0x100) if kind == "decoder" else sorted({*CODE_POINTS, *code_points})
    every: Sequence[Any] = (*several, END_OF_QUEUE)
    start = old.initial, new.initial
    paths: dict[tuple[Any, Any], tuple[Any, ...]] = {start: ()}
    todo = [start]
    reached: Counter[int] = Counter()
    for states in todo:
        for item in every:
            old.state, new.state = states
            before, after = old.handle(item), new.handle(item)
            path = (*paths[states], item)
            if before != after:
                yield path, before, after
                continue
            following = old.state, new.state
            if following not in paths and reached[len(path)] < STATES:
                reached[len(path)] += 1
                paths[following] = path
                todo.append(following)


def items(found: Sequence[Any], *, are_bytes: bool, describe: Callable[[int], str] = "U+{:04X}".format) -> str:
    """Return items in words: bytes in hexadecimal, code points as described."""
    return " ".join(repr(one) if one is END_OF_QUEUE else f"{one:02X}" if are_bytes else describe(one) for one in found)


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


def summary(diff: AlgorithmsDiff) -> str:
    """Return the difference in a sentence."""
    texts = len(diff.changes)
    found = f"{texts} text{'s' * (texts != 1)} changed"
    programs = len(diff.of("program"))
    if programs or diff.of("wording"):
        found += f", {programs} program{'s' * (programs != 1)}"
        found += f", {len(diff.behaviours) or 'none'} in behaviour"
    if diff.behaviours:
        found += ": " + "; ".join(map(str, diff.behaviours))
    return found


def lines(diff: AlgorithmsDiff, limit: int | None = None) -> Iterator[str]:
    """Yield lines of text: the summary, what a person has to read, the programs, and last the mere wording.

    Include at most `limit` lines of each program, unless it is None.
    """
    yield f"Algorithms: {summary(diff)}"
    for behaviour in diff.behaviours:
        yield f"Behaviour: {behaviour}"
        yield from (f"  {example}: {old} → {new}" for example, old, new in behaviour.examples[1:])
    for change in diff.of("transcribed"):
        files = transcribers(change.anchor)
        yield f"Text #{visible(change.anchor)} {_verb(change)} ({visible(change.url)})"
        yield f"  transcribed by {', '.join(files)}" if files else "  transcribed by no file"
    for change in diff.of("program"):
        yield f"Program #{visible(change.anchor)} {_verb(change)} ({visible(change.url)})"
        differing = change.differences()
        yield from (f"  {mark} {visible(text)}" for mark, text in differing[:limit])
        if limit is not None and len(differing) > limit:
            yield f"    … and {len(differing) - limit} more"
    if wording := [f"#{visible(change.anchor)}" for change in diff.of("wording")]:
        yield f"Wording alone: {', '.join(wording)}"


def _verb(change: AlgorithmChange) -> str:
    return "is new" if change.is_new else "is removed" if change.is_removed else "has changed"


def differences(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that differ, in linear time for texts that are alike."""
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=True)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield from (("-", line) for line in old[a:b])
            yield from (("+", line) for line in new[c:d])
