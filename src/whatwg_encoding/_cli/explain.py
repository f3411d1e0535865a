"""Explain bytes and characters: sequences, code points, pointers and indexes.

This module serves the command line only. The input is divided into sequences as for editing; this module finds the
pointer of each.
https://encoding.spec.whatwg.org/#indexes
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .. import ENCODINGS, REPLACEMENT, Encoding
from ..editing import Place, PositionMap
from ..malformed import Recorder
from ..standard import index_entry


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
    recorder = Recorder(encoding, most=None)
    text = recorder.decode(data, True)
    reasons = {error.offset: reason for error, reason in recorder.records}
    for place, after in pairwise(PositionMap(encoding, data, text, 0).places(Place(0, 0, 0), data, True)):
        sequence = data[place.byte : after.byte]
        if place.byte in reasons:
            yield Piece(place.byte, sequence, "", note=f"error: {reasons[place.byte]}")
        elif place.text < after.text:
            yield Piece(place.byte, sequence, text[place.text : after.text], *index_entry(encoding, sequence))
        elif encoding is REPLACEMENT:  # it has decoded its only error
            yield Piece(place.byte, data[place.byte :], "", note="not decoded")
            return
        else:
            yield Piece(place.byte, sequence, "", note="escape sequence")


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


def describe_bytes(encoding: Encoding, data: bytes) -> Iterator[str]:
    """Yield a line for each piece of ``data``: offset, bytes, characters and pointer."""
    all_pieces = list(pieces(encoding, data))
    width = max((len(piece.data) for piece in all_pieces), default=0) * 3 - 1
    for piece in all_pieces:
        characters = " + ".join(map(describe_character, piece.text))
        remarks = "; ".join(filter(None, [characters, _pointer(piece), piece.note]))
        yield f"{piece.offset:>6}  {piece.data.hex(' ').upper():<{width}}  {remarks}"


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


def describe_in(encodings: Iterable[Encoding], character: str) -> Iterator[str]:
    """Yield a line that describes a character, then a line for each way to encode it, with the encodings' names.

    A lone surrogate is encoded as U+FFFD.
    """
    scalar = "\ufffd" if "\ud800" <= character <= "\udfff" else character
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

    for (written, pointers), names in ways.items():
        yield f"  {written}  {_names(names)}" + (f": {pointers}" if pointers else "")
    for reference, names in without.items():
        yield f"  not in {_names(names)}: {reference} in an HTML form"
    if no_encoder:
        yield f"  no encoder: {', '.join(no_encoder)}; the output encoding is UTF-8"


def _names(encodings: Iterable[Encoding]) -> str:
    return ", ".join(encoding.name for encoding in encodings)
