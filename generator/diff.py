"""Compare two snapshots, valid or not, for review before a change is merged."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from generator import handlers, validate
from generator.model import FILES, RANGES, Encoding, GeneratorError, Snapshot, describe, shortened
from generator.spec import compare as algorithms
from generator.spec.notation import Algorithms, Unread
from generator.tables import Pointers

Key = TypeVar("Key")
Value = TypeVar("Value")


class Change(NamedTuple, Generic[Key, Value]):
    """The name of an encoding, a label or a pointer, and what it was and is; None where there is none.

    An encoding that is on both sides moves to another place in the table. A label is one of an encoding, by name.
    """

    key: Key
    old: Value | None
    new: Value | None
    sequences: Mapping[str, bytes] = MappingProxyType({})
    """The bytes of a pointer in each encoding that can represent it; none for one of the ranges."""


@dataclass(frozen=True, slots=True)
class IndexChange:
    """An index that differs; a length is None on a side without the index."""

    name: str
    old_length: int | None
    new_length: int | None
    entries: tuple[Change[int, int], ...]

    @property
    def title(self) -> str:
        """The index, its length, and how many of its entries differ."""
        length = _verb(self.old_length, self.new_length)
        if length == "changed":
            length = f"{self.new_length} pointers"
            length += f" instead of {self.old_length}" if self.new_length != self.old_length else ""
        return f"Index {shortened(self.name)} ({length}): {summary(self.entries)}"


@dataclass(frozen=True, slots=True)
class Diff:
    """All differences between two snapshots, ordered by importance."""

    old: Snapshot
    new: Snapshot
    attention: tuple[str, ...]
    """What needs manual review: rules that the new data violates."""
    encodings: tuple[Change[str, Encoding], ...]
    labels: tuple[Change[str, str], ...]
    indexes: tuple[IndexChange, ...]
    ranges: tuple[Change[int, int], ...]
    behaviours: tuple[algorithms.Behaviour, ...]
    """What encodings do differently, with the data and the programs of each side."""
    algorithms: tuple[algorithms.AlgorithmChange, ...]
    """The algorithms whose text differs, if both sides have algorithms."""
    unread: tuple[Unread, ...]
    """The sections of the new side that are not understood; those with a pinned program keep it."""

    def __bool__(self) -> bool:
        return self.old.sha256 != self.new.sha256 or bool(self.algorithms or self.unread)

    @property
    def digest(self) -> str:
        """Identify this change: 16 hexadecimal digits that depend on all data of both sides, and on all texts."""
        sides = [side.sha256[name] for side in (self.old, self.new) for name in FILES]
        texts = {change.anchor: change.digests for change in self.algorithms}
        sides += [f"{anchor} {digests}" for anchor, digests in sorted(texts.items())]
        return hashlib.sha256("".join(sides).encode()).hexdigest()[:16]

    @property
    def unexpected(self) -> tuple[str, ...]:
        """Each change that the standard's policy excludes or rarely allows, as a line of text.

        Added labels, and code points of pointers that had none, are expected; everything else must be accepted.
        https://encoding.spec.whatwg.org/#names-and-labels, https://encoding.spec.whatwg.org/#indexes
        """
        lines = [line for item in self.behaviours if not item.is_addition for line in item.lines()]
        lines += [_encoding_line(change, self) for change in self.encodings]
        added = [label for label in self.labels if label.old is None]
        known = {change.key for change in self.encodings}
        gone = {change.key for change in self.encodings if change.new is None}
        for label in self.labels:
            goes_with_its_encoding = label.old in gone and label.new is None
            if (label.old is not None or is_unsafe(label.key)) and not goes_with_its_encoding:
                lines.append(_label_line(label))
        if sum(label.new not in known for label in added) > MOST_LABELS:
            lines.append(f"{len(added)} labels are added at once")
        in_both = [index for index in self.indexes if index.old_length is not None and index.new_length is not None]
        for index in self.indexes:
            if index not in in_both or any(change.old is not None for change in index.entries):
                lines.append(index.title)
        filled = sum(change.old is None for index in in_both for change in index.entries)
        if filled > MOST_ENTRIES:
            lines.append(f"{filled} entries are added at once")
        if self.ranges:
            lines.append(f"Index {RANGES!r}: {summary(self.ranges)}")
        lines += [change.title for change in self.algorithms if change.what != "wording"]
        return tuple(lines)


MOST_LABELS = 8
"""Maximum number of labels of known encodings that are added without a question."""

MOST_ENTRIES = 48
"""Maximum number of entries that indexes gain without a question; GB18030-2022 changed 18."""

_UNSAFE = re.compile(
    r"utf7|utf32|ucs4|scsu|cesu|bocu|iso2022|^(?:x|cs)?hz|ebcdic|utfebcdic"
    r"|^(?:x|cs)?(?:cp|ibm|windows|oem)0*(?:37|2[79][0-9]|28[0-9]|420|42[34]|500|8[37][0-9]|880|905|918|924"
    r"|10(?:2[56]|47)|11(?:4[0-9]|[23][0-9]))$"
)
"""Stems of names of encodings that the platform rejects for safety, without punctuation: EBCDIC's are numbers of pages.
https://encoding.spec.whatwg.org/#security-background and https://html.spec.whatwg.org/#character-encodings"""


def is_unsafe(label: str) -> bool:
    """Return whether a label names an encoding that is never expected.

    >>> [label for label in ("utf7", "csUnicode11UTF7", "x-iso-2022-kr", "cp037", "cp1252", "hz") if is_unsafe(label)]
    ['utf7', 'csUnicode11UTF7', 'x-iso-2022-kr', 'cp037', 'hz']
    """
    return bool(_UNSAFE.search(re.sub(r"[^a-z0-9]", "", label.lower())))


RARE = "algorithms, labels and entries of the standard are rarely moved, changed or removed, but these are:"


class UnacceptedError(GeneratorError):
    """A change of the data that has not been accepted. No file has been replaced."""


def approve(diff: Diff, accepted: str | None, refusals: Sequence[str]) -> None:
    """Raise an UnacceptedError if the change is unexpected and `accepted` does not have its digest.

    The message lists what is unexpected and gives the command that accepts exactly this change. First are `refusals`,
    the reasons why modules cannot be emitted from it, which cannot be accepted.
    """
    lines = [f"  {refusal}" for refusal in refusals]
    if refusals:
        lines.insert(0, "no module can be emitted from this, so nothing is replaced:")
    if diff.unexpected and diff.digest != accepted:
        lines.append(RARE)
        lines += [f"  {line}" for line in diff.unexpected[: validate.SHOWN]]
        if len(diff.unexpected) > validate.SHOWN:
            lines.append(f"  and {len(diff.unexpected) - validate.SHOWN} more")
        lines.append(
            (f"--accept {shortened(accepted)} is the digest of another change" if accepted else "nothing is replaced")
            + f"; to accept exactly this change: python -m generator generate --accept {diff.digest}"
        )
    if lines:
        raise UnacceptedError("\n".join(lines))


def compare(
    old: Snapshot,
    new: Snapshot,
    old_algorithms: Algorithms | None = None,
    new_algorithms: Algorithms | None = None,
) -> Diff:
    """Compare two snapshots, valid or not, and their algorithms where both are given."""
    faults = _faults(new, old)
    old_faults = _faults(old)
    if old_faults and not faults:
        faults = [f"the old data is invalid: {old_faults[0]}"]
    ranges = dict(old.ranges.ranges), dict(new.ranges.ranges)
    return Diff(
        old=old,
        new=new,
        attention=tuple(faults),
        encodings=tuple(_encodings(old.encodings, new.encodings)),
        labels=_differences(_labels(old), _labels(new)),
        indexes=tuple(_indexes(old, new)),
        # Data before September 2013 has no ranges.
        ranges=_differences(*ranges) if all(ranges) else (),
        behaviours=tuple(_behaviours(old, new)) if not faults or old.programs != new.programs else (),
        algorithms=algorithms.compare(old_algorithms, new_algorithms) if old_algorithms and new_algorithms else (),
        unread=new_algorithms.unread if old_algorithms and new_algorithms else (),
    )


def _behaviours(old: Snapshot, new: Snapshot) -> Iterator[algorithms.Behaviour]:
    """Yield what encodings do differently, as far as programs can be run with the data, which may be invalid."""
    with suppress(GeneratorError, ArithmeticError, LookupError, TypeError, ValueError):
        yield from algorithms.behaviours(old, new)


def _faults(snapshot: Snapshot, pinned: Snapshot | None = None) -> list[str]:
    try:
        validate.check(snapshot, pinned)
    except validate.ValidationError as error:
        return str(error).splitlines()
    return []


# -- Comparing ---------------------------------------------------------------------------------------------------------


def _encodings(old: Sequence[Encoding], new: Sequence[Encoding]) -> Iterator[Change[str, Encoding]]:
    before, after = ({encoding.name: encoding for encoding in side} for side in (old, new))
    # An encoding stayed in its place if it is in a common subsequence of both lists, under the same heading.
    places = [[(encoding.heading, encoding.name) for encoding in side] for side in (old, new)]
    matcher = difflib.SequenceMatcher(a=places[0], b=places[1], autojunk=False)
    stayed = {name for a, _, size in matcher.get_matching_blocks() for _, name in places[0][a : a + size]}
    for name in dict.fromkeys([*before, *after]):
        if name not in stayed:
            yield Change(name, before.get(name), after.get(name))


def _differences(old: Mapping[Key, Value], new: Mapping[Key, Value]) -> tuple[Change[Key, Value], ...]:
    """Return the keys whose values differ, in order."""
    keys = sorted({*old, *new})  # type: ignore[type-var]
    return tuple(Change(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key))


def _labels(snapshot: Snapshot) -> dict[str, str]:
    return {label: encoding.name for encoding in snapshot.encodings for label in encoding.labels}


def _indexes(old: Snapshot, new: Snapshot) -> Iterator[IndexChange]:
    for name in dict.fromkeys([*old.indexes, *new.indexes]):
        before, after = old.indexes.get(name), new.indexes.get(name)
        if before and after and before.code_points == after.code_points:
            continue
        bytes_of = byte_sequences(name, new, old)
        pairs = zip_longest(before.code_points if before else (), after.code_points if after else ())
        yield IndexChange(
            name,
            len(before.code_points) if before else None,
            len(after.code_points) if after else None,
            tuple(
                Change(pointer, old_code_point, new_code_point, bytes_of(pointer))
                for pointer, (old_code_point, new_code_point) in enumerate(pairs)
                if old_code_point != new_code_point
            ),
        )


def pointers_of(index: str, *snapshots: Snapshot) -> dict[str, Pointers]:
    """Return the bytes of the pointers of an index, by name of each encoding in the snapshots that has some of them."""
    pointers_by_name: dict[str, Pointers] = {}
    for snapshot in snapshots:
        for encoding in snapshot.encodings:
            handler = handlers.handler(encoding.name, encoding.heading)
            mappings = handlers.mappings(snapshot, encoding) if handler and index in handler.indexes else None
            # An algorithm that does not look its pointers up in order is refused where its template is filled.
            with suppress(GeneratorError):
                if mappings and index in mappings.pointers:
                    pointers_by_name.setdefault(encoding.name, mappings.pointers[index])
    return pointers_by_name


def byte_sequences(index: str, *snapshots: Snapshot) -> Callable[[int], dict[str, bytes]]:
    """Return a function from a pointer of an index to its bytes, by name of each encoding as in `pointers_of`."""
    pointers_by_name = pointers_of(index, *snapshots)
    return lambda pointer: {
        name: pointers.sequence(pointer) for name, pointers in pointers_by_name.items() if pointer < len(pointers)
    }


# -- Describing --------------------------------------------------------------------------------------------------------


def _verb(old: object, new: object) -> str:
    return "added" if old is None else "removed" if new is None else "changed"


def summary(changes: Sequence[Change[int, int]]) -> str:
    """Return how many changes add, remove and change an entry."""
    verbs = [_verb(change.old, change.new) for change in changes]
    counts = [(verbs.count(verb), verb) for verb in ("changed", "added", "removed")]
    return ", ".join(f"{count} {verb}" for count, verb in counts if count) or "none"


def sequences(change: Change[int, int]) -> str:
    """Return the bytes of a pointer, `A6D9 in GBK and gb18030, …`, grouped by equal bytes; empty for a range."""
    grouped: dict[str, list[str]] = {}
    for encoding, sequence in change.sequences.items():
        grouped.setdefault(sequence.hex().upper(), []).append(encoding)
    return ", ".join(f"{sequence} in {' and '.join(encodings)}" for sequence, encodings in grouped.items())


def where(encoding: Encoding, snapshot: Snapshot) -> str:
    """Describe the position of an encoding in the standard's table."""
    listed = [other.name for other in snapshot.encodings if other.heading == encoding.heading]
    return f"number {listed.index(encoding.name) + 1} under {shortened(encoding.heading)}"


def _sections(diff: Diff) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the titles and lines of what differs apart from algorithms."""
    lines_by_title = {
        "Needs review": diff.attention,
        "Encodings": [_encoding_line(change, diff) for change in diff.encodings],
        "Labels": list(map(_label_line, diff.labels)),
        "Behaviour": [next(behaviour.lines()) for behaviour in diff.behaviours],
        **{index.title: _pointers(index.entries) for index in diff.indexes},
        f"Index {RANGES!r}: {summary(diff.ranges)}": _pointers(diff.ranges),
    }
    yield from ((title, lines) for title, lines in lines_by_title.items() if lines)


def _pointers(changes: Sequence[Change[int, int]]) -> list[str]:
    code_points = [(describe(change.old), describe(change.new)) for change in changes]
    places = [f"{change.key}{bytes_ and f' ({bytes_})'}" for change in changes for bytes_ in [sequences(change)]]
    return [f"pointer {at}: {old} → {new}" for at, (old, new) in zip(places, code_points, strict=True)]


def _nothing(diff: Diff) -> str:
    """Return a sentence if there is nothing to list."""
    if not diff:
        return "no difference"
    if diff.attention or diff.encodings or diff.labels or diff.indexes or diff.ranges or diff.algorithms or diff.unread:
        return ""
    return "the files differ in layout or order only; no encoding, label or index entry differs"


def to_text(diff: Diff, limit: int | None = None) -> str:
    """Return the differences as lines of text, with at most `limit` lines of each list unless it is None."""
    return "\n".join(_lines(diff, limit)) + "\n"


def _lines(diff: Diff, limit: int | None) -> Iterator[str]:
    old, new = (snapshot.date or "not pinned" for snapshot in (diff.old, diff.new))
    yield f"The Encoding Standard's data: {old} → {new}"
    if nothing := _nothing(diff):
        yield f"  {nothing}"
        return
    for title, lines in _sections(diff):
        yield title
        yield from algorithms.limited(lines, limit)
    if diff.algorithms or diff.unread:
        yield from algorithms.lines(diff.algorithms, diff.unread, diff.behaviours, limit)


def _encoding_line(change: Change[str, Encoding], diff: Diff) -> str:
    if change.new is None:
        labels = ", ".join(map(shortened, change.old.labels[:20])) if change.old else ""
        constant = re.sub(r"[^A-Z0-9]", "_", change.key.upper())[:64]
        lost = f"callers lose {constant}, and lookup() of its labels {labels} fails"
        return f"- {shortened(change.key)}: {lost}; to edit: what git grep -w {constant} lists"
    if change.old is None:
        shown = ", ".join(map(shortened, change.new.labels[:20]))
        more = f" and {len(change.new.labels) - 20} more" if len(change.new.labels) > 20 else ""
        return f"+ {shortened(change.key)}, {where(change.new, diff.new)}, with the labels {shown}{more}"
    return f"~ {shortened(change.key)} moves from {where(change.old, diff.old)} to {where(change.new, diff.new)}"


def _label_line(change: Change[str, str]) -> str:
    if change.new is None:
        return f"- {shortened(change.key)} of {shortened(str(change.old))}: lookup() of it fails"
    if change.old is None:
        return f"+ {shortened(change.key)} of {shortened(change.new)}"
    return f"~ {shortened(change.key)} moves from {shortened(change.old)} to {shortened(change.new)}"
