"""How vectors decode the bytes of a single-byte index that text uses most: by distances, or by slots.

In most rows of sixteen bytes most code points are at one distance from their bytes, since alphabets have the same order
in both. Distances are looked up by the high nibble of a byte.

Slots serve the indexes whose alphabets are in another order: the differences, by exclusive or, between the bytes that
text needs and their code points, in as few tables of sixteen slots as hold them. The rows are laid over one another,
each displaced so that its needed bytes fall on free slots, or on empty ones if they are their own code points: the
number of a byte's slot is the sum of the byte and the displacement of its high nibble. Those below 0 are empty.

A byte that is at another distance, has no slot, or has no code point is an exception, which a kernel looks up by
itself. https://encoding.spec.whatwg.org/#single-byte-decoder
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.tables.direct import Direct

ROWS, COLUMNS = range(8), range(16)
#: A kernel has a variant for each number of tables from 2 to 5; more take as long as a table for every row.
FEWEST_TABLES, MOST_TABLES = 2, 5
#: The rows of the emitted array before the tables: low and high bytes of the distances, their exceptions, and the
#: displacements and exceptions of the slots.
HEADER_ROWS = 5
PUNCTUATION = frozenset("\u00a0«»–—‘’“”„…،؛؟")
#: So many needed bytes are exceptions if that saves a table.
FEW = 3


def needed(code_points: Sequence[int | None]) -> set[int]:
    """Return the numbers, less 0x80, of the bytes that texts of the index's languages use often.

    They are punctuation and small letters or, of a script other than Latin, both cases of its common letters.
    """
    characters = {
        byte: chr(bytes_needed)
        for byte, bytes_needed in enumerate(code_points)
        if bytes_needed is not None and bytes_needed >= 0x80
    }
    letters = {byte: character for byte, character in characters.items() if character.isalpha()}
    scripts = Counter(unicodedata.name(character, "?").split()[0] for character in letters.values())
    script = max(scripts, key=lambda name: (scripts[name], name), default="LATIN")
    bytes_needed = {byte for byte, character in characters.items() if character in PUNCTUATION}
    for byte, character in letters.items():
        name = unicodedata.name(character, "?")
        if not name.startswith(script):
            continue
        if script == "LATIN":
            is_needed = character.islower()
        elif script == "ARABIC":
            is_needed = "\u0621" <= character <= "\u064a"
        else:
            is_needed = not character.isupper() or "\u0410" <= character <= "\u042f"
        if is_needed:
            bytes_needed.add(byte)
    return bytes_needed


def difference(byte: int, code_point: int) -> int:
    """Return what a slot adds to the byte of that number, by exclusive or. Where it is 0 the byte needs no slot."""
    return code_point ^ (0x80 + byte)


@dataclass(frozen=True)
class Slots:
    """The number of tables, the slot of the first byte of each row, and the contents of the slots that have any."""

    tables: int
    first: tuple[int, ...]
    contents: Mapping[int, int]

    def are_right_for(self, byte: int, code_point: int | None) -> bool:
        """Return whether the slot of a byte gives its code point. Slots below 0 have no contents."""
        slot = self.first[byte // 16] + byte % 16
        known = code_point is not None and slot < 16 * self.tables
        return known and self.contents.get(slot, 0) == difference(byte, code_point or 0)


def place(wanted: set[int], code_points: Sequence[int | None]) -> Slots | None:
    """Lay the rows of the wanted bytes over one another, each from the first slot that suits all; fill the rest."""
    differences = {
        byte: difference(byte, code_point) for byte, code_point in enumerate(code_points) if code_point is not None
    }
    for tables in range(FEWEST_TABLES, MOST_TABLES + 1):
        contents: dict[int, int] = {}
        firsts: list[int] = []
        for row in ROWS:
            columns = {byte % 16: differences[byte] for byte in wanted if byte // 16 == row}
            if not any(columns.values()):
                firsts.append(-16)
                continue
            for first in range(-15, 16 * tables):
                placed = {first + column: value for column, value in columns.items()}
                if all(
                    (slot < 16 * tables and contents.get(slot, value) == value) if slot >= 0 else value == 0
                    for slot, value in placed.items()
                ):
                    break
            else:
                break
            contents |= {slot: value for slot, value in placed.items() if slot >= 0}
            firsts.append(first)
        else:
            for byte, value in differences.items():
                slot = firsts[byte // 16] + byte % 16
                if 0 <= slot < 16 * tables:
                    contents.setdefault(slot, value)
            return Slots(tables, tuple(firsts), contents)
    return None


def choose_slots(code_points: Sequence[int | None]) -> Slots | None:
    """Return the slots of an index, None if it needs too many."""
    wanted = needed(code_points)
    candidates = [wanted, {byte for byte in wanted if chr(code_points[byte] or 0) not in PUNCTUATION}]
    lone: set[int] = set()
    letters = {row: {byte for byte in candidates[1] if byte // 16 == row} for row in ROWS}
    for row in sorted(ROWS, key=lambda row: len(letters[row])):
        if all(code_points[byte] == 0x80 + byte for byte in letters[row]):
            continue  # no slots are needed
        lone |= letters[row]
        if len(lone) <= FEW:
            candidates.append(candidates[1] - lone)
    choices = [slots for candidate in candidates if (slots := place(candidate, code_points)) is not None]
    return min(choices, key=lambda slots: slots.tables, default=None)


def build(symbol: str, name: str, code_points: Sequence[int | None]) -> Direct:
    """Return the array of an index, of which a null is None. src/native/kernels/scalar/single_byte.h has its layout."""
    values = bytearray(16 * HEADER_ROWS)
    wanted = needed(code_points)
    irregular = 0
    for row in ROWS:
        of_row = [(16 * row + column, code_points[16 * row + column]) for column in COLUMNS]
        votes: Counter[int] = Counter()
        for byte, code_point in of_row:
            if code_point is not None:
                votes[code_point - 0x80 - byte & 0xFFFF] += 17 if byte in wanted else 1
        distance = min(votes, key=lambda candidate: (-votes[candidate], candidate), default=0)
        values[8 + row], values[24 + row] = distance & 0xFF, distance >> 8
        for column, (byte, code_point) in enumerate(of_row):
            if code_point is None or code_point - 0x80 - byte & 0xFFFF != distance:
                values[32 + column] |= 1 << row
                irregular += byte in wanted
    slots = choose_slots(code_points)
    if slots is not None and irregular > FEW:
        low, high = bytearray(16 * slots.tables), bytearray(16 * slots.tables)
        for slot, value in slots.contents.items():
            low[slot], high[slot] = value & 0xFF, value >> 8
        for row in ROWS:
            values[48 + row] = 0xF0 - 16 * row  # ASCII, whose slots are from -16 on
            values[56 + row] = slots.first[row] - 0x80 - 16 * row & 0xFF
            for column in COLUMNS:
                byte = 16 * row + column
                if not slots.are_right_for(byte, code_points[byte]):
                    values[64 + (slots.first[row] + column) % 16] |= 1 << row
        for table in (low, high):
            # Each table but the first is the difference from the one before it, by exclusive or.
            values += bytes(value ^ (table[at - 16] if at >= 16 else 0) for at, value in enumerate(table))
    return Direct(
        f"{symbol}_rows",
        {at: value for at, value in enumerate(values) if value},
        length=len(values),
        c_type="uint8_t",
        meaning=f"how vectors decode index {name}",
        formula="we_single_byte_rows (src/native/kernels/scalar/single_byte.h)",
    )
