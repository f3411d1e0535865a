"""The immutable model of a snapshot of the Encoding Standard's data. Fields have the standard's names."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
"""The folder of the pinned snapshot."""
GENERATED = ROOT / "generated"
BUILT = ROOT / "build" / "_out"
"""The folder of what is not committed: caches, downloads, reports, compiled modules."""

INDEXES = "indexes.json"
ENCODINGS = "encodings.json"
FILES = (INDEXES, ENCODINGS)
"""The names of the two files that the standard publishes, which they also have in a snapshot's folder."""

STANDARD = "https://encoding.spec.whatwg.org/"
"""The address of the standard; an anchor is this address followed by `#` and a section's id."""

RANGES = "gb18030-ranges"
"""The only index that is a list of ranges. https://encoding.spec.whatwg.org/#index-gb18030-ranges."""

SINGLE_BYTE_HEADING = "Legacy single-byte encodings"
"""The heading of the single-byte encodings. https://encoding.spec.whatwg.org/#legacy-single-byte-encodings"""


class GeneratorError(Exception):
    """An error with a message for users: each line is one fault."""


class SnapshotError(GeneratorError, ValueError):
    """The data does not have the form that the standard publishes, or does not match its pin."""


def file_content(path: Path) -> bytes:
    """Return the content of a file of the data; raise a SnapshotError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SnapshotError(f"{path.name}: cannot be read from {path.parent}: {error.strerror}") from error


def number(value: int) -> str:
    """Return a number in decimal, or a description of its length if it has many digits."""
    return str(value) if abs(value) < 10**18 else f"a number of {len(str(abs(value)))} digits"


def data_file(folder: Path, name: str) -> Path:
    """Return a file besides the standard's: that of a folder of data, or else the project's."""
    path = folder / name
    return path if path.exists() else DATA / name


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding: name, labels and heading in the table, https://encoding.spec.whatwg.org/#names-and-labels."""

    name: str
    labels: tuple[str, ...]
    heading: str


@dataclass(frozen=True, slots=True)
class Index:
    """An index: the code point at each pointer, None where the index has no entry.

    `identifier` is the SHA-256 (hexadecimal) that the standard publishes with the index and changes with it.
    https://encoding.spec.whatwg.org/#indexes
    """

    name: str
    code_points: tuple[int | None, ...]
    identifier: str


@dataclass(frozen=True, slots=True)
class RangeIndex:
    """The index gb18030 ranges: pairs of the first pointer and the first code point of each range."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    identifier: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The standard's data as of a date.

    `encodings` and `indexes` (all but the ranges) are in the standard's order. `date` is the ISO 8601 date on which the
    data was pinned, empty if it is not pinned; `sha256` is the hexadecimal digest of each file by file name. Both
    mappings are read-only.
    """

    encodings: tuple[Encoding, ...]
    indexes: Mapping[str, Index]
    ranges: RangeIndex
    date: str
    sha256: Mapping[str, str]
    programs: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The standard's algorithms that come with the data (see `generator.spec`), empty for the pinned ones."""


def shortened(text: str, most: int = 64) -> str:
    """Return untrusted text in the form used in messages: quoted, in ASCII, and truncated to `most` characters."""
    return ascii(text) if len(text) <= most else f"{text[:most]!a}... ({len(text)} characters)"


def u(code_point: int) -> str:
    """Return a code point in the standard's notation, or the number if it is not a code point."""
    return f"U+{code_point:04X}" if 0 <= code_point <= 0x10FFFF else number(code_point)


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
