"""The frozen model of a snapshot: what the generator knows about the Encoding Standard.

Everything here is immutable data under the standard's names. `snapshot` reads it from files, `validate` checks it, and
`emit` turns it into text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INDEXES = "indexes.json"
ENCODINGS = "encodings.json"
FILES = (INDEXES, ENCODINGS)
"""The two files that the standard publishes, by the names they have there and in a snapshot's folder."""

RANGES = "gb18030-ranges"
"""The one index that is a list of ranges, https://encoding.spec.whatwg.org/#index-gb18030-ranges."""

SINGLE_BYTE_HEADING = "Legacy single-byte encodings"
"""The heading that makes an encoding a single-byte one.

https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
"""


class GeneratorError(Exception):
    """A failure with a message for a person: each of its lines is one fault."""


class SnapshotError(GeneratorError, ValueError):
    """The data is not what the standard publishes, or not what was pinned."""


def number(value: int) -> str:
    """Return a number in decimal; of one with many digits, how many."""
    return str(value) if abs(value) < 10**18 else f"a number of {len(str(abs(value)))} digits"


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding: its name, its labels, and the heading it stands under in the standard's table.

    https://encoding.spec.whatwg.org/#names-and-labels
    """

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
    """The index gb18030 ranges: pairs of the first pointer and the first code point of each range.

    https://encoding.spec.whatwg.org/#index-gb18030-ranges
    """

    name: str
    ranges: tuple[tuple[int, int], ...]
    identifier: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The standard's data as of one day.

    `encodings` are in the standard's order, `indexes` (all but the ranges) too. `date` is the ISO 8601 day on which
    the data was pinned, empty if it is not; `sha256` is the hexadecimal digest of each file by file name. Both
    mappings are read-only.
    """

    encodings: tuple[Encoding, ...]
    indexes: Mapping[str, Index]
    ranges: RangeIndex
    date: str
    sha256: Mapping[str, str]


def shortened(text: str, most: int = 64) -> str:
    """Return a text from outside as it may stand in a message: quoted, in ASCII, and cut to `most` characters."""
    return ascii(text) if len(text) <= most else f"{text[:most]!a}... ({len(text)} characters)"
