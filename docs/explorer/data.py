"""What the explorer shows, as data for its scripts: the algorithms and the indexes.

Its scripts read the code points of an index from the engine, by the bytes that are here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from docs.explorer import programs
from generator import diff, model
from generator.model import RANGES, Index, Snapshot
from generator.spec import machine, notation
from generator.spec import program as ir
from generator.tables.encodings import mappings_of

KATAKANA = "iso-2022-jp-katakana"

NOT_SHOWN = frozenset({RANGES, KATAKANA})
"""The indexes without a table, as in the standard. https://encoding.spec.whatwg.org/#indexes"""

LANGUAGES = {"big5": "zh-Hant", "euc-kr": "ko", "gb18030": "zh-Hans", "jis0208": "ja", "jis0212": "ja"}
"""The language of each index, for the choice of fonts for Han characters."""


def content(snapshot: Snapshot) -> dict[str, Any]:
    """Return what a page needs of a snapshot."""
    return {
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


_COMPUTING = {"jis0208": "Shift_JIS", "big5": "Big5"}


def computed(index: str, snapshot: Snapshot) -> list[int]:
    """Return the pointers of an index whose bytes the decoder of an encoding does not look up in it."""
    if index not in _COMPUTING:
        return []
    mappings = mappings_of(snapshot, _COMPUTING[index])
    pointers = {mappings.pointers[index].pointer(bytes(pair)) for pair in mappings.computed}
    return sorted(pointer for pointer in pointers if pointer is not None)


def index_data(index: Index, snapshot: Snapshot) -> dict[str, Any]:
    """Return an index as the scripts have it: its length, and how encodings arrange it."""
    if index.name == KATAKANA:
        return {"length": len(index.code_points), "codePoints": index.code_points}
    return {
        "length": len(index.code_points),
        "layouts": [asdict(layout) for layout in layouts(index, snapshot)],
        "language": LANGUAGES.get(index.name, ""),
        "without": computed(index.name, snapshot),
    }


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
    named = ((code_point, model.name(code_point)) for code_point in sorted(code_points))
    return {code_point: name for code_point, name in named if not name.startswith(_COMPUTED_NAMES)}
