"""What the explorer shows, as data for its scripts: the algorithms and the indexes.

Its scripts read the code points of an index from the engine, by the bytes that are here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any

from docs.explorer import programs
from generator import diff
from generator.model import RANGES, Index, Snapshot
from generator.spec import compare, machine, notation
from generator.spec import program as ir
from generator.tables.encodings import mappings_of
from generator.tables.mappings import Mappings, Outputs

KATAKANA = "iso-2022-jp-katakana"

NOT_SHOWN = frozenset({RANGES, KATAKANA})
"""The indexes without a table, as in the standard. https://encoding.spec.whatwg.org/#indexes"""

LANGUAGES = {"big5": "zh-Hant", "euc-kr": "ko", "gb18030": "zh-Hans", "jis0208": "ja", "jis0212": "ja"}
"""The language of each index, for the choice of fonts for Han characters."""


def content(snapshot: Snapshot) -> dict[str, Any]:
    """Return what a page needs of a snapshot."""
    return {
        "date": snapshot.date,
        "programs": {anchor: describe(program) for anchor, program in machine.machine(snapshot).programs.items()},
        "indexes": {name: index_data(index, snapshot) for name, index in snapshot.indexes.items() if name != RANGES},
        "ranges": snapshot.ranges.ranges,
        "names": names(code_points(snapshot)),
    }


# -- Algorithms --------------------------------------------------------------------------------------------------------


def describe(algorithm: ir.Algorithm) -> dict[str, Any]:
    """Return what the scripts need of an algorithm besides its function, which is in `programs.script`."""
    table = notation.table(algorithm)
    description = {
        "kind": algorithm.kind,
        "encoding": algorithm.encoding,
        "base": algorithm.base,
        "parameters": algorithm.parameters,
        "members": {name: _initial(value) for name, value in algorithm.members},
        "table": table.entries if table else (),
        "symbols": list(dict.fromkeys(node.name for node in ir.walk(algorithm.body) if isinstance(node, ir.Symbol))),
        "steps": programs.steps(algorithm),
    }
    return {key: value for key, value in description.items() if value}


def _initial(value: ir.Node) -> Any:
    return value.name if isinstance(value, ir.Symbol) else value.value  # type: ignore[attr-defined]


# -- Indexes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layout:
    """An index by an encoding's bytes: `row * columns + column` has a row's leading and a column's trailing byte.

    Bytes are in hexadecimal; a single byte is divided into its two digits. Pointers after the last leading byte have no
    bytes in this encoding.
    """

    encoding: str
    columns: int
    leading: tuple[str, ...]
    trailing: tuple[str, ...]
    note: str = ""


def layouts(index: Index, snapshot: Snapshot) -> list[Layout]:
    """Return the arrangement of an index by each encoding that uses it, in the standard's order of encodings."""
    shown = []
    for encoding, pointers in diff.pointers_of(index.name, snapshot).items():
        sequences = [pointers.sequence(at).hex().upper() for at in range(min(len(pointers), len(index.code_points)))]
        columns, digits = (sum(map(len, pointers.positions[-1])), 2) if pointers.positions[1:] else (16, 1)
        leading = tuple(sequence[:-digits] for sequence in sequences[::columns])
        trailing = tuple(sequence[-digits:] for sequence in sequences[:columns])
        note = "after 1B 24 42" if encoding == "ISO-2022-JP" else ""
        shown.append(Layout(encoding, columns, leading, trailing, note))
    return shown


def notes(index: str, snapshot: Snapshot) -> list[tuple[int, int, str]]:
    """Return the standard's rules about pointers of an index: first pointer, last pointer, and the rule as text."""
    ranges: list[tuple[int, int, str]] = []
    match index:
        case "big5":
            mappings = mappings_of(snapshot, "Big5")
            excluded = mappings.excluded[index]
            ranges.append((excluded[0], excluded[-1], "The Big5 encoder does not use this pointer."))
            for pointer, code_points in sorted(computed(mappings, index).items()):
                two = " and ".join(map(compare.describe, code_points))
                ranges.append((pointer, pointer, f"Big5 decodes these bytes to two code points: {two}."))
        case "gb18030":
            mappings = mappings_of(snapshot, "gb18030")
            pointers = {mappings.pointers[index].pointer(bytes(pair)): code for code, pair in mappings.one_way.items()}
            for pointer_or_none, code_point in sorted(pointers.items(), key=itemgetter(1)):
                if pointer_or_none is not None:
                    also = f"The encoders also map U+{code_point:X} to these bytes, as before GB18030-2022."
                    ranges.append((pointer_or_none, pointer_or_none, also))
        case "jis0208":
            mappings = mappings_of(snapshot, "Shift_JIS")
            excluded, private = mappings.excluded[index], computed(mappings, index)
            first, last = min(private), max(private)
            codes = f"U+{private[first][0]:X} to U+{private[last][0]:X}"
            ranges.append((first, last, f"Shift_JIS decodes these bytes to private use, {codes} in order."))
            ranges.append((excluded[0], excluded[-1], "The Shift_JIS encoder does not use this pointer."))
        case "jis0212":
            ranges.append((0, 94 * 94 - 1, "Only the EUC-JP decoder uses this index; no encoder does."))
    return ranges


def computed(mappings: Mappings, index: str) -> dict[int, Outputs]:
    """Return the code points of the pointers of an index that the decoder does not look up in it."""
    pointers = mappings.pointers[index]
    by_pointer = {pointers.pointer(bytes(pair)): code_points for pair, code_points in mappings.computed.items()}
    return {pointer: code_points for pointer, code_points in by_pointer.items() if pointer is not None}


_COMPUTING = {"jis0208": "Shift_JIS", "big5": "Big5"}


def index_data(index: Index, snapshot: Snapshot) -> dict[str, Any]:
    """Return an index as the scripts have it: its length, and how encodings arrange it.

    ``without`` are the pointers that an encoding has bytes for, which it does not look up.
    """
    if index.name == KATAKANA:
        return {"length": len(index.code_points), "codePoints": index.code_points}
    mappings = mappings_of(snapshot, _COMPUTING[index.name]) if index.name in _COMPUTING else None
    without = sorted(computed(mappings, index.name)) if mappings else []
    return {
        "length": len(index.code_points),
        "layouts": [asdict(layout) for layout in layouts(index, snapshot)],
        "language": LANGUAGES.get(index.name, ""),
        "notes": notes(index.name, snapshot),
        "without": _runs(without),
    }


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    """Return ascending numbers as pairs of the first and the last of each run."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs


# -- Names -------------------------------------------------------------------------------------------------------------


def code_points(snapshot: Snapshot) -> set[int]:
    """Return the code points whose names the page has: those of all indexes, ASCII, U+FEFF and U+FFFD."""
    mapped = {code for index in snapshot.indexes.values() for code in index.code_points if code is not None}
    return {*range(0x20, 0x7F), 0xFEFF, 0xFFFD, *mapped}


_COMPUTED_NAMES = ("CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-", "HANGUL SYLLABLE ")


def names(code_points: Iterable[int]) -> dict[int, str]:
    """Return the Unicode names of code points, in ascending order.

    What Unicode derives from the code point, names of ideographs and Hangul syllables, is left out.
    """
    named = ((code_point, compare.name(code_point)) for code_point in sorted(code_points))
    return {code_point: name for code_point, name in named if not name.startswith(_COMPUTED_NAMES)}
