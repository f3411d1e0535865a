"""Explain bytes and characters: sequences, code points, pointers and indexes.

This module serves the command line only. The package's decoders tell errors from text; this module divides the input
into sequences and finds the pointer of each.
https://encoding.spec.whatwg.org/#indexes
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from .._core import Encoding
from .._labels import BIG5, ENCODINGS, EUC_JP, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE
from .._pointers import HANDLERS
from .input import ErrorLog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST = 4
"""Upper bound on the bytes of a sequence, in any encoding."""

BIG5_SECOND = ("\u0304", "\u030c")
"""Code points of Big5 that are in no entry of its index. https://encoding.spec.whatwg.org/#big5-decoder"""


class Piece(NamedTuple):
    """A part of the input: a sequence with its text, an error, or an escape sequence, which has neither."""

    offset: int
    data: bytes
    text: str
    index_name: str | None = None
    pointer: int | None = None
    note: str = ""


def pieces(encoding: Encoding, data: bytes) -> Iterator[Piece]:
    """Yield the pieces of ``data`` in order. Together they are all of its bytes.

    https://encoding.spec.whatwg.org/#decoder
    """
    log = ErrorLog(encoding)
    runs = log.decode(data, True).split(log.MARK)
    escape = b"\x1b(B"  # of ISO-2022-JP: the sequence that set the state
    start = 0
    for run, (error_offset, malformed, reason) in zip(runs, [*log.errors, (len(data), b"", "")], strict=True):
        position = 0
        while start < error_offset:
            if encoding is REPLACEMENT:  # it has decoded its only error
                yield Piece(start, data[start:], "", note="not decoded")
                return
            sequence, index, pointer = _sequence(encoding, data[start : min(start + LONGEST, error_offset)], escape)
            if sequence[0] == 0x1B and encoding is ISO_2022_JP:
                escape = sequence
                yield Piece(start, sequence, "", note="escape sequence")
            else:
                # Four pointers of Big5 represent two code points each, and only they give these combining characters.
                end = position + (2 if encoding is BIG5 and run[position + 1 : position + 2] in BIG5_SECOND else 1)
                yield Piece(start, sequence, run[position:end], index, pointer)
                position = end
            start += len(sequence)
        if malformed:
            yield Piece(start, malformed, "", note=f"error: {reason}")
            start += len(malformed)
            if encoding is ISO_2022_JP and len(malformed) == 3:
                escape = malformed  # an escape sequence right after another is an error, but still changes the state


def _sequence(encoding: Encoding, data: bytes, escape: bytes) -> tuple[bytes, str | None, int | None]:
    """Return the first sequence of ``data``, which has no error, with its index and its pointer, or None for each."""
    leading = data[0]
    if encoding is UTF_16BE or encoding is UTF_16LE:
        unit = data[:2] if encoding is UTF_16BE else data[1::-1]
        return data[: 4 if 0xD8 <= unit[0] <= 0xDB else 2], None, None
    if encoding is UTF_8 and leading >= 0x80:
        return data[: 2 if leading < 0xE0 else 3 if leading < 0xF0 else 4], None, None
    if encoding is ISO_2022_JP and leading == 0x1B:
        return data[:3], None, None
    if encoding is not ISO_2022_JP or escape[1] == 0x24:
        handler = HANDLERS[encoding.name]
        for pointers in handler.indexes:
            pointer = pointers.pointer(data)
            if pointer is not None:
                # Pointers of user-defined characters are not in an index.
                index = None if pointer in handler.user_defined else pointers.name
                return data[: pointers.length], index, pointer
    # ASCII, and bytes mapped by a formula: a half-width katakana has two bytes in EUC-JP, one elsewhere.
    return data[: 2 if encoding is EUC_JP and leading >= 0x80 else 1], None, None


# -- In words ----------------------------------------------------------------------------------------------------------


def name(character: str) -> str:
    """Return the character's Unicode name, or its category in angle brackets if it has none."""
    kinds = {"Cc": "<control>", "Co": "<private use>", "Cn": "<unassigned>", "Cs": "<surrogate>"}
    return unicodedata.name(character, kinds.get(unicodedata.category(character), "<no name>"))


@lru_cache(1 << 16)
def describe_character(character: str) -> str:
    """Return the character's code point, the character if it is visible, and its name.

    >>> describe_character("あ")
    'U+3042 あ HIRAGANA LETTER A'
    """
    combining = "\u25cc" if unicodedata.combining(character) else ""
    shown = f" {combining}{character}" if combining or (character.isprintable() and character != " ") else ""
    return f"U+{ord(character):04X}{shown} {name(character)}"


def _pointer(piece: Piece) -> str:
    if piece.pointer is None:
        return ""
    return f"pointer {piece.pointer}" + (f" in index {piece.index_name}" if piece.index_name else ", user-defined")


def described_pieces(encoding: Encoding, data: bytes) -> Iterator[tuple[Piece, str]]:
    """Yield each piece of ``data`` with a line: offset, bytes, characters and pointer."""
    found = list(pieces(encoding, data))
    width = max((len(piece.data) for piece in found), default=0) * 3 - 1
    for piece in found:
        characters = " + ".join(map(describe_character, piece.text))
        remarks = "; ".join(filter(None, [characters, _pointer(piece), piece.note]))
        yield piece, f"{piece.offset:>6}  {piece.data.hex(' ').upper():<{width}}  {remarks}"


def describe_bytes_in_all(data: bytes) -> Iterator[str]:
    """Yield a line for each text to which ``data`` decodes, with the names of the encodings."""
    readings: dict[str, list[str]] = {}
    for encoding in ENCODINGS.values():
        reading = " + ".join(
            " + ".join(map(describe_character, piece.text)) or piece.note for piece in pieces(encoding, data)
        )
        readings.setdefault(reading, []).append(encoding.name)
    for reading, names in readings.items():
        yield f"{', '.join(names)}: {reading}"


def scalar_value(character: str) -> str:
    """Return the character, or U+FFFD for a lone surrogate: what an encoder is given."""
    return "\ufffd" if "\ud800" <= character <= "\udfff" else character


def describe_in(encodings: Iterable[Encoding], character: str) -> Iterator[str]:
    """Yield a line that describes a character, then a line for each way to encode it, with the encodings' names.

    A lone surrogate is encoded as U+FFFD.
    """
    scalar = scalar_value(character)
    yield describe_character(character) + ("" if scalar == character else ", encoded as U+FFFD")
    ways: dict[tuple[str, str], list[Encoding]] = {}
    without: dict[str, list[Encoding]] = {}
    no_encoder: list[str] = []
    for encoding in encodings:
        if not encoding.has_encoder:
            no_encoder.append(encoding.name)
            continue
        try:
            data = encoding.encode(scalar, "fatal")
        except UnicodeEncodeError:
            without.setdefault(encoding.encode(scalar).decode("ascii"), []).append(encoding)
            continue
        pointers = "; ".join(filter(None, map(_pointer, pieces(encoding, data))))
        ways.setdefault((data.hex(" ").upper(), pointers), []).append(encoding)

    for (written, pointers), found in ways.items():
        yield f"  {written}  {_names(found)}" + (f": {pointers}" if pointers else "")
    for reference, found in without.items():
        yield f"  not in {_names(found)}: {reference} in an HTML form"
    if no_encoder:
        yield f"  no encoder: {', '.join(no_encoder)}; the output encoding is UTF-8"


def _names(encodings: Iterable[Encoding]) -> str:
    return ", ".join(encoding.name for encoding in encodings)
