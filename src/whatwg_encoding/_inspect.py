"""What bytes and characters are: sequences, code points, pointers, indexes. For the command line; no decoding needs it.

The package's decoders say what is an error and what is text. This only says how that is cut into sequences, and which
pointer each of them has: the formulas of the standard's decoders, from chapter 9 to 14.
https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ._core import Decoder, Encoding
from ._labels import (
    BIG5,
    ENCODINGS,
    EUC_JP,
    EUC_KR,
    GB18030,
    GBK,
    ISO_2022_JP,
    REPLACEMENT,
    SHIFT_JIS,
    UTF_8,
    UTF_16BE,
    UTF_16LE,
    X_USER_DEFINED,
)

LONGEST = 4
"""Bytes of the longest sequence of any encoding."""

BIG5_SECOND = ("\u0304", "\u030c")
"""Code points of Big5 that are in no entry of its index. https://encoding.spec.whatwg.org/#big5-decoder"""


class ErrorLog:
    """A decoder whose errors are on record: its text has MARK for each, and ``errors`` has what they were.

    Offsets count from the first byte that was decoded.
    """

    #: No decoder of the standard gives a surrogate, so that this is no character of any text.
    MARK = "\udcff"

    def __init__(self, encoding: Encoding) -> None:
        self.errors: list[tuple[int, bytes, str]] = []
        self._fed = 0
        name = "whatwg_encoding.ErrorLog"
        codecs.register_error(name, self._record)
        self._decoder: Decoder = encoding._new_decoder_with_handler(name)

    def decode(self, data: bytes, final: bool = False) -> str:
        """The text of the next bytes; their errors are added to ``errors`` as offset, bytes and reason."""
        self._fed += len(data)
        return self._decoder.decode(data, final)

    def getstate(self) -> tuple[bytes, int]:
        """Return the decoder's state, for another decoder to go on from."""
        return self._decoder.getstate()

    def _record(self, error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        # The object ends with the bytes that were fed last.
        offset = self._fed - len(error.object) + error.start
        self.errors.append((offset, error.object[error.start : error.end], error.reason))
        return self.MARK, error.end


class Piece(NamedTuple):
    """Bytes that belong together: a sequence that stands for text, an error, or neither, as an escape sequence."""

    offset: int
    data: bytes
    text: str
    index_name: str | None = None
    pointer: int | None = None
    note: str = ""


def pieces(encoding: Encoding, data: bytes) -> Iterator[Piece]:
    """The pieces of ``data`` in order: all of its bytes, each once.

    https://encoding.spec.whatwg.org/#decoder
    """
    log = ErrorLog(encoding)
    runs = log.decode(data, True).split(log.MARK)
    escape = b"\x1b(B"  # of ISO-2022-JP: the sequence that set the state
    start = 0
    for run, (error_offset, malformed, reason) in zip(runs, [*log.errors, (len(data), b"", "")], strict=True):
        position = 0
        while start < error_offset:
            if encoding is REPLACEMENT:  # after its one error
                yield Piece(start, data[start:], "", note="not decoded")
                return
            sequence, index, pointer = _sequence(encoding, data[start : min(start + LONGEST, error_offset)], escape)
            if sequence[0] == 0x1B and encoding is ISO_2022_JP:
                escape = sequence
                yield Piece(start, sequence, "", note="escape sequence")
            else:
                # Four pointers of Big5 stand for two code points each, and only they give these combining characters.
                end = position + (2 if encoding is BIG5 and run[position + 1 : position + 2] in BIG5_SECOND else 1)
                yield Piece(start, sequence, run[position:end], index, pointer)
                position = end
            start += len(sequence)
        if malformed:
            yield Piece(start, malformed, "", note=f"error: {reason}")
            start += len(malformed)
            if encoding is ISO_2022_JP and len(malformed) == 3:
                escape = malformed  # an escape sequence after which nothing came is an error, and counts all the same


def _sequence(encoding: Encoding, data: bytes, escape: bytes) -> tuple[bytes, str | None, int | None]:
    """The first sequence of ``data``, which has no error, and the index and the pointer of it, where it has any."""
    lead, trail = data[0], data[1] if len(data) > 1 else 0
    if encoding is ISO_2022_JP:
        if lead == 0x1B:
            return data[:3], None, None
        if escape[1] == 0x24:
            return data[:2], "jis0208", (lead - 0x21) * 94 + trail - 0x21
        return data[:1], None, None
    if encoding is UTF_16BE or encoding is UTF_16LE:
        unit = data[:2] if encoding is UTF_16BE else data[1::-1]
        return data[: 4 if 0xD8 <= unit[0] <= 0xDB else 2], None, None
    if lead < 0x80:
        return data[:1], None, None
    if encoding is UTF_8:
        return data[: 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4], None, None
    if encoding is X_USER_DEFINED:
        return data[:1], None, None
    if encoding.is_single_byte:
        # ISO-8859-8-I differs from ISO-8859-8 in the direction of its text only.
        return data[:1], encoding.name.removesuffix("-I"), lead - 0x80
    if lead == 0x80:  # Shift_JIS: a control; GBK and gb18030: the euro sign
        return data[:1], None, None
    if encoding is BIG5:
        return data[:2], "Big5", (lead - 0x81) * 157 + trail - (0x40 if trail < 0x7F else 0x62)
    if encoding is EUC_KR:
        return data[:2], "EUC-KR", (lead - 0x81) * 190 + trail - 0x41
    if encoding is GBK or encoding is GB18030:
        if 0x30 <= trail <= 0x39:
            third, fourth = data[2], data[3]
            pointer = (((lead - 0x81) * 10 + trail - 0x30) * 126 + third - 0x81) * 10 + fourth - 0x30
            return data[:4], "gb18030 ranges", pointer
        return data[:2], "gb18030", (lead - 0x81) * 190 + trail - (0x40 if trail < 0x7F else 0x41)
    if encoding is EUC_JP:
        if lead == 0x8E:  # half-width katakana
            return data[:2], None, None
        if lead == 0x8F:
            return data[:3], "jis0212", (trail - 0xA1) * 94 + data[2] - 0xA1
        return data[:2], "jis0208", (lead - 0xA1) * 94 + trail - 0xA1
    assert encoding is SHIFT_JIS, encoding
    if 0xA1 <= lead <= 0xDF:  # half-width katakana
        return data[:1], None, None
    pointer = (lead - (0x81 if lead < 0xA0 else 0xC1)) * 188 + trail - (0x40 if trail < 0x7F else 0x41)
    # Pointers of user-defined characters are in no index.
    return data[:2], None if 8836 <= pointer <= 10715 else "jis0208", pointer


# -- In words ----------------------------------------------------------------------------------------------------------


def name(character: str) -> str:
    """The character's name in Unicode, or what it is instead, in angle brackets."""
    kinds = {"Cc": "<control>", "Co": "<private use>", "Cn": "<unassigned>", "Cs": "<surrogate>"}
    return unicodedata.name(character, kinds.get(unicodedata.category(character), "<no name>"))


def describe_character(character: str) -> str:
    """The character's code point, itself if it shows, and its name.

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
    """A line for each piece of ``data``: offset, bytes, characters, and where they are from."""
    found = list(pieces(encoding, data))
    width = max((len(piece.data) for piece in found), default=0) * 3 - 1
    for piece in found:
        characters = " + ".join(map(describe_character, piece.text))
        remarks = "; ".join(filter(None, [characters, _pointer(piece), piece.note]))
        yield f"{piece.offset:>6}  {piece.data.hex(' ').upper():<{width}}  {remarks}"


def describe_bytes_in_all(data: bytes) -> Iterator[str]:
    """A line for each text that encodings make of ``data``, with their names."""
    readings: dict[str, list[str]] = {}
    for encoding in ENCODINGS.values():
        reading = " + ".join(
            " + ".join(map(describe_character, piece.text)) or piece.note for piece in pieces(encoding, data)
        )
        readings.setdefault(reading, []).append(encoding.name)
    for reading, names in readings.items():
        yield f"{', '.join(names)}: {reading}"


def describe_in(encodings: Iterable[Encoding], character: str) -> Iterator[str]:
    """What a character is, and a line for each way in which encodings write it; then those that cannot."""
    yield describe_character(character)
    ways: dict[tuple[str, str], list[str]] = {}
    without: list[str] = []
    no_encoder: list[str] = []
    for encoding in encodings:
        if not encoding.has_encoder:
            no_encoder.append(encoding.name)
            continue
        try:
            data = encoding.encode(character, "fatal")
        except UnicodeEncodeError:
            without.append(encoding.name)
            continue
        pointers = "; ".join(filter(None, map(_pointer, pieces(encoding, data))))
        ways.setdefault((data.hex(" ").upper(), pointers), []).append(encoding.name)
    for (written, pointers), names in ways.items():
        yield f"  {written}  {', '.join(names)}" + (f": {pointers}" if pointers else "")
    if without:
        yield f"  not in {', '.join(without)}: &#{ord(character)}; in an HTML form"
    if no_encoder:
        yield f"  no encoder: {', '.join(no_encoder)}; the output encoding is UTF-8"
