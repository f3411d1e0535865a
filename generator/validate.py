"""Validate data against the standard's invariants and those that the emitted tables rely on, before it is used.

`faults` yields a sentence for each violation, with file, index, pointer, code point, the rule and its anchor.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from generator import names
from generator.handlers import CHAPTERS, handler, mappings
from generator.model import (
    ENCODINGS,
    INDEXES,
    RANGES,
    SINGLE_BYTE_HEADING,
    STANDARD,
    Encoding,
    GeneratorError,
    Index,
    RangeIndex,
    Snapshot,
    SnapshotError,
    shortened,
    u,
)
from generator.tables.mappings import gb18030_bounds

NAMES = f"({STANDARD}#names-and-labels)"

ASTRAL = "big5"
"""The only index with code points above U+FFFF, all in plane 2: the other tables have 16-bit entries."""

SHOWN = 20
"""Maximum number of faults that a message lists."""


class ValidationError(SnapshotError):
    """The data is well-formed but violates a rule. Each line of the message is one fault."""


def check(snapshot: Snapshot, pinned: Snapshot | None = None) -> None:
    """Raise a ValidationError that says which rules the snapshot violates, also as the successor of a `pinned` one."""
    violations = faults(snapshot, pinned)
    lines = list(itertools.islice(violations, SHOWN))
    if lines:
        more = sum(1 for _ in violations)
        raise ValidationError("\n".join(lines + ([f"and {more} more faults"] if more else [])))


def faults(snapshot: Snapshot, pinned: Snapshot | None = None) -> Iterator[str]:
    """Yield a sentence for each rule that the snapshot violates, in the order of the files."""
    lengths = _lengths(snapshot)
    for index in snapshot.indexes.values():
        unsafe = list(_unsafe(f"{INDEXES}: index {shortened(index.name)}", names.checked_name, index.name))
        yield from unsafe
        if unsafe:
            continue
        if index.name in lengths:
            yield from _index(index, lengths[index.name], pinned)
        elif pinned is not None and index.name not in pinned.indexes:
            cure = "add it to a handler in generator/handlers.py"
            yield f"{INDEXES}: index {shortened(index.name)}: no encoding uses it; {cure} ({STANDARD}#indexes)"
        if pinned is not None and index.name in pinned.indexes:
            yield from _new_controls(index, pinned.indexes[index.name])
    bounds = gb18030_bounds(snapshot)
    wrong = list(_ranges(snapshot.ranges, bounds))
    yield from wrong or _coverage(snapshot)
    yield from _encodings(snapshot)


# -- Indexes -----------------------------------------------------------------------------------------------------------


def _lengths(snapshot: Snapshot) -> dict[str, int]:
    """Return the length that each index must have: the number of pointers that handlers look up."""
    lengths_by_index: dict[str, int] = {}
    for encoding in snapshot.encodings:
        encoding_mappings = mappings(snapshot, encoding)
        try:
            lengths = encoding_mappings.lengths if encoding_mappings else {}
        except GeneratorError:  # The algorithms fit no template, so that `emit` refuses them, and says which.
            named = handler(encoding.name, encoding.heading)
            used = [snapshot.indexes.get(name) for name in named.indexes] if named else []
            lengths = {index.name: len(index.code_points) for index in used if index}
        for name, length in lengths.items():
            lengths_by_index[name] = max(lengths_by_index.get(name, 0), length)
    return lengths_by_index


def _index(index: Index, length: int, pinned: Snapshot | None) -> Iterator[str]:
    where = f"{INDEXES}: index {shortened(index.name)}"
    # What no encoding looks up is harmless where the index is as it was: an algorithm looks fewer pointers up, which is
    # for its own change to be accepted. In new data only null is.
    before = pinned.indexes.get(index.name) if pinned else None
    is_as_pinned = before is not None and before.code_points == index.code_points
    more = index.code_points[length:]
    if len(index.code_points) < length or not (is_as_pinned or all(code_point is None for code_point in more)):
        yield f"{where}: has {len(index.code_points)} pointers, not {length} ({STANDARD}#indexes)"
        return
    if index.name == "jis0208" and 0xFF0D not in index.code_points:
        yield f"{where}: has no U+FF0D, which encoders substitute for U+2212 ({STANDARD}#shift_jis-encoder)"
    for pointer, code_point in enumerate(index.code_points):
        if code_point is None:
            continue
        rule = _broken_rule(code_point, astral=index.name == ASTRAL)
        if rule:
            yield f"{where}, pointer {pointer}, code point {u(code_point)}: {rule}"


def _broken_rule(code_point: int, *, astral: bool) -> str | None:
    """Return the rule that a code point of an index violates, None if there is none."""
    if not 0 <= code_point <= 0x10FFFF:
        return f"is out of range, U+0000 to U+10FFFF ({STANDARD}#index-code-point)"
    if 0xD800 <= code_point <= 0xDFFF:
        return f"is a surrogate, not a scalar value ({STANDARD}#index-code-point)"
    if code_point < 0x80:
        return f"is an ASCII code point, which no index may contain ({STANDARD}#security-background)"
    if code_point > 0xFFFF and not astral:
        return f"is above U+FFFF, where only index {ASTRAL!r} has such code points ({STANDARD}#indexes)"
    if code_point > 0xFFFF and code_point >> 16 != 2:
        return f"is above U+FFFF but not in U+20000 to U+2FFFF ({STANDARD}#index-{ASTRAL})"
    if code_point == 0xFFFD or code_point & 0xFFFE == 0xFFFE or 0xFDD0 <= code_point <= 0xFDEF:
        return f"is no character: no index has U+FFFD or a noncharacter ({STANDARD}#indexes)"
    return None


def _new_controls(index: Index, pinned: Index) -> Iterator[str]:
    """Yield the pointers of an index that have become control characters."""
    for pointer, code_point in enumerate(index.code_points):
        old = pinned.code_points[pointer] if pointer < len(pinned.code_points) else None
        if code_point is not None and code_point < 0xA0 and code_point != old:
            yield (
                f"{INDEXES}: index {shortened(index.name)}, pointer {pointer}, code point {u(code_point)}: is a "
                f"control character, which it has not been ({STANDARD}#security-background)"
            )


def _coverage(snapshot: Snapshot) -> Iterator[str]:
    """Yield a fault if the ranges have no pointer for a scalar value that gb18030 encodes as four bytes."""
    gb18030 = mappings(snapshot, Encoding("gb18030", (), ""))
    if gb18030 is None:
        return
    by_pointer, by_code_point = gb18030.gb18030_ranges
    four = (code_point for code_point, bytes_ in gb18030.sequences.items() if len(bytes_) == 4)
    missing = [code_point for code_point in four if by_pointer.get(by_code_point[code_point]) != code_point]
    if missing:
        yield (
            f"{INDEXES}: index {RANGES!r}: with the index 'gb18030' it must cover every scalar value, but "
            f"{len(missing)} are missing, such as {u(missing[0])} ({STANDARD}#index-gb18030-ranges)"
        )


def _ranges(index: RangeIndex, bounds: tuple[int, int, int]) -> Iterator[str]:
    last_bmp, first_astral, _ = bounds
    where = f"{INDEXES}: index {index.name!r}"
    anchor = f"({STANDARD}#index-gb18030-ranges)"
    entries = [f"{where}, pointer {pointer}, code point {u(code)}" for pointer, code in index.ranges]
    if not index.ranges:
        yield f"{INDEXES}: has no index {RANGES!r} {anchor}"
        return
    if index.ranges[0] != (0, 0x80):
        yield f"{where}: must begin with pointer 0 for U+0080 {anchor}"
    if index.ranges[-1] != (first_astral, 0x10000):
        yield f"{where}: must end with pointer {first_astral} for U+10000 {anchor}"
    for position, ((pointer, code), (next_pointer, next_code)) in enumerate(itertools.pairwise(index.ranges)):
        entry, next_entry = entries[position], entries[position + 1]
        if next_pointer <= pointer or next_code <= code:
            yield f"{next_entry}: must be above the previous {pointer} and {u(code)}; ranges are sorted {anchor}"
            continue
        if pointer > last_bmp:
            yield (
                f"{entry}: no pointer between {last_bmp} and {first_astral} has a "
                f"code point ({STANDARD}#index-gb18030-ranges-code-point)"
            )
            continue
        last = code + min(next_pointer - 1, last_bmp) - pointer
        if last >= next_code:
            yield f"{entry}: the range reaches {u(last)}, which is in the next range; ranges must not overlap {anchor}"
        if code <= 0xDFFF and last >= 0xD800:
            yield f"{entry}: the range reaches {u(last)} across the surrogates; ranges hold scalar values only {anchor}"


# -- Encodings ---------------------------------------------------------------------------------------------------------


def _encodings(snapshot: Snapshot) -> Iterator[str]:
    symbols: dict[str, str] = {}
    owners: dict[str, str] = {}
    for encoding in snapshot.encodings:
        where = f"{ENCODINGS}: encoding {shortened(encoding.name)}"
        unsafe = [*_unsafe(where, names.symbol, encoding.name)]
        unsafe += _unsafe(where, names.checked_heading, encoding.heading)
        yield from unsafe
        if unsafe:
            continue
        symbol = names.symbol(encoding.name)
        if symbol in symbols:
            yield f"{where}: its symbol, {symbol}, is also that of {symbols[symbol]!r}; symbols must be unique {NAMES}"
        symbols.setdefault(symbol, encoding.name)
        for label in encoding.labels:
            if label != label.lower():
                yield f"{where}: label {shortened(label)} is not lowercase {NAMES}"
            else:
                yield from _unsafe(where, names.checked_label, label)
            if label in owners:
                owner = shortened(owners[label])
                yield f"{where}: label {shortened(label)} is already a label of {owner}; labels must be unique {NAMES}"
            owners.setdefault(label, encoding.name)
        if encoding.name.lower() not in encoding.labels:
            yield f"{where}: {encoding.name.lower()!r}, its lowercase name, is not among its labels {NAMES}"
        yield from _handler(where, encoding, snapshot)


def _handler(where: str, encoding: Encoding, snapshot: Snapshot) -> Iterator[str]:
    """Yield the faults of an encoding's heading, handler and indexes."""
    if encoding.heading not in CHAPTERS:
        what = f"its heading {encoding.heading!r} is unknown"
        yield f"{where}: {what}; add it to CHAPTERS in generator/handlers.py {NAMES}"
    of_encoding = handler(encoding.name, encoding.heading)
    if of_encoding is None:
        yield f"{where}: it has no handler; add one to HANDLERS in generator/handlers.py {NAMES}"
        return
    if (encoding.heading == SINGLE_BYTE_HEADING) != of_encoding.takes_an_index:
        yield (
            f"{where}: is under {encoding.heading!r} but its handler is {of_encoding.template} "
            f"({STANDARD}#legacy-single-byte-encodings)"
        )
    for index in of_encoding.indexes:
        if index not in (*snapshot.indexes, RANGES):
            yield f"{where}: {INDEXES} has no index {index!r}, which it is decoded with ({STANDARD}#indexes)"


def _unsafe(where: str, checked: Callable[[str], str], text: str) -> Iterator[str]:
    try:
        checked(text)
    except names.UnsafeNameError as error:
        yield f"{where}: {error} {NAMES}"
