"""The one hand-kept table: which handler of the standard serves which encoding, and with what.

A constant that indexes.json does not hold stands here once, with its anchor. A single-byte encoding needs no row: every
encoding under the standard's heading of that name is served by the single-byte handler and the index that bears its
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.model import SINGLE_BYTE_HEADING

STANDARD = "https://encoding.spec.whatwg.org/"
"""Where the standard lives; an anchor is this address followed by `#` and a section's id."""

#: Headings of encodings.json → the module that holds their encodings: one for each chapter.
CHAPTERS: Mapping[str, str] = MappingProxyType(
    {
        "The Encoding": "unicode",
        SINGLE_BYTE_HEADING: "single_byte",
        "Legacy multi-byte Chinese (simplified) encodings": "chinese_simplified",
        "Legacy multi-byte Chinese (traditional) encodings": "chinese_traditional",
        "Legacy multi-byte Japanese encodings": "japanese",
        "Legacy multi-byte Korean encodings": "korean",
        "Legacy miscellaneous encodings": "miscellaneous",
    }
)


@dataclass(frozen=True)
class Handler:
    """How one encoding is decoded and encoded: a template under ``templates/_handlers`` and what it is given."""

    template: str
    """The template's name: one of the standard's handlers."""
    anchor: str
    """Where the standard has it: its decoder is at ``#<anchor>-decoder``, its encoder at ``#<anchor>-encoder``."""
    indexes: tuple[str, ...] = ()
    """The indexes that it reads, by the standard's names."""
    has_encoder: bool = True
    is_ascii_compatible: bool = True
    is_single_byte: bool = False
    decode_shift: int = 0
    """``n`` bytes give at most ``n / 2**decode_shift`` code points, rounded up."""
    encode_room: tuple[int, int, int] = (2, 2, 2)
    """The most bytes that one code point of a 1-, 2- and 4-byte string takes."""
    lead_ranges: str = ""
    """Of a two-byte handler: the ranges of lead bytes."""
    shift_jis_single_bytes: bool = False
    """Of a two-byte handler: 0x80 and half-width katakana stand alone."""
    astral: bool = False
    """Of a two-byte handler: some code points lie above U+FFFF, and some pointers stand for two code points."""
    is_gbk: bool = False
    """https://encoding.spec.whatwg.org/#gbk-flag"""
    is_utf_16be_decoder: bool = False
    """https://encoding.spec.whatwg.org/#is-utf-16be-decoder"""


def single_byte(index: str, anchor: str = "single-byte") -> Handler:
    """The handler of a single-byte encoding that uses ``index``."""
    return Handler("single_byte", anchor, (index,), is_single_byte=True, encode_room=(1, 1, 1))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "UTF-8": Handler("utf_8", "utf-8", encode_room=(2, 3, 4)),
        # ISO-8859-8-I differs from ISO-8859-8 in layout only. https://encoding.spec.whatwg.org/#index-single-byte
        "ISO-8859-8-I": single_byte("iso-8859-8"),
        "GBK": Handler("gb18030", "gbk", ("gb18030", "gb18030-ranges"), is_gbk=True),
        "gb18030": Handler("gb18030", "gb18030", ("gb18030", "gb18030-ranges"), encode_room=(4, 4, 4), is_gbk=False),
        "Big5": Handler("double_byte", "big5", ("big5",), lead_ranges="0x81-0xFE", astral=True),
        "EUC-JP": Handler("euc_jp", "euc-jp", ("jis0208", "jis0212")),
        # Five bytes: an escape sequence and a pair.
        "ISO-2022-JP": Handler(
            "iso_2022_jp",
            "iso-2022-jp",
            ("jis0208", "iso-2022-jp-katakana"),
            is_ascii_compatible=False,
            encode_room=(5, 5, 5),
        ),
        "Shift_JIS": Handler(
            "double_byte",
            "shift_jis",
            ("jis0208",),
            lead_ranges="0x81-0x9F 0xE0-0xFC",
            shift_jis_single_bytes=True,
        ),
        "EUC-KR": Handler("double_byte", "euc-kr", ("euc-kr",), lead_ranges="0x81-0xFE"),
        # One code point in all.
        "replacement": Handler(
            "replacement",
            "replacement",
            has_encoder=False,
            is_ascii_compatible=False,
            decode_shift=12,
        ),
        "UTF-16BE": Handler(
            "utf_16",
            "utf-16be",
            has_encoder=False,
            is_ascii_compatible=False,
            decode_shift=1,
            is_utf_16be_decoder=True,
        ),
        "UTF-16LE": Handler(
            "utf_16",
            "utf-16le",
            has_encoder=False,
            is_ascii_compatible=False,
            decode_shift=1,
            is_utf_16be_decoder=False,
        ),
        "x-user-defined": single_byte("x-user-defined", "x-user-defined"),
    }
)


def handler(name: str, heading: str) -> Handler | None:
    """The handler of the encoding ``name`` that stands under ``heading``; None where the project has none."""
    if name in HANDLERS:
        return HANDLERS[name]
    if heading == SINGLE_BYTE_HEADING:
        return single_byte(name.lower())
    return None


# -- Constants of the handlers -----------------------------------------------------------------------------------------

#: Shift_JIS pointers that are user-defined characters. https://encoding.spec.whatwg.org/#shift_jis-decoder
EUDC_POINTERS = range(8836, 10716)
EUDC_FIRST_CODE_POINT = 0xE000

#: jis0208 pointers that the index Shift_JIS pointer leaves out. https://encoding.spec.whatwg.org/#index-shift_jis-pointer
SHIFT_JIS_EXCLUDED_POINTERS = range(8272, 8836)

#: The first Big5 pointer that encodes, and the code points whose last pointer counts instead of the first.
#: https://encoding.spec.whatwg.org/#index-big5-pointer
BIG5_FIRST_ENCODED_POINTER = (0xA1 - 0x81) * 157
BIG5_LAST_POINTER_CODE_POINTS = frozenset({0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345})

#: Big5 pointers that stand for two code points. https://encoding.spec.whatwg.org/#big5-decoder
BIG5_TWO_CODE_POINTS: Mapping[int, tuple[int, int]] = MappingProxyType(
    {1133: (0x00CA, 0x0304), 1135: (0x00CA, 0x030C), 1164: (0x00EA, 0x0304), 1166: (0x00EA, 0x030C)}
)

#: gb18030 four-byte pointers: the gap, the end, and the one exception.
#: https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
GB18030_LAST_BMP_POINTER = 39419
GB18030_FIRST_ASTRAL_POINTER = 189000
GB18030_LAST_POINTER = 1237575
GB18030_EXCEPTION = (7457, 0xE7C7)

#: Private-use code points that GB18030-2022 moved: decoded no more, encoded as before.
#: https://encoding.spec.whatwg.org/#gb18030-encoder
GB18030_2022_ENCODER: Mapping[int, int] = MappingProxyType(
    {
        0xE78D: 0xA6D9, 0xE78E: 0xA6DA, 0xE78F: 0xA6DB, 0xE790: 0xA6DC, 0xE791: 0xA6DD, 0xE792: 0xA6DE,
        0xE793: 0xA6DF, 0xE794: 0xA6EC, 0xE795: 0xA6ED, 0xE796: 0xA6F3, 0xE81E: 0xFE59, 0xE826: 0xFE61,
        0xE82B: 0xFE66, 0xE82C: 0xFE67, 0xE832: 0xFE6D, 0xE843: 0xFE7E, 0xE854: 0xFE90, 0xE864: 0xFEA0,
    }
)  # fmt: skip

#: The code point that GBK encodes otherwise than gb18030. https://encoding.spec.whatwg.org/#gb18030-encoder
GBK_EURO = 0x20AC

#: x-user-defined has a formula instead of an index. https://encoding.spec.whatwg.org/#x-user-defined-decoder
X_USER_DEFINED_FIRST_CODE_POINT = 0xF780

#: Half-width katakana, one byte in Shift_JIS and two in EUC-JP. https://encoding.spec.whatwg.org/#shift_jis-decoder
KATAKANA_FIRST_CODE_POINT = 0xFF61
KATAKANA_FIRST_BYTE = 0xA1
KATAKANA_COUNT = 0xDF - 0xA1 + 1
