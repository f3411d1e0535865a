"""Constants of the standard's prose that no data file holds, each with its anchor."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from generator.tables.pointers import Pointers, Ranges


def _bytes(*ends: tuple[int, int]) -> Ranges:
    """Return byte ranges, given the first and the last byte of each."""
    return tuple(range(first, last + 1) for first, last in ends)


# -- Byte ranges of pointers -------------------------------------------------------------------------------------------

_DIGIT = _bytes((0x30, 0x39))
_HIGH = _bytes((0x81, 0xFE))
_GL, _GR = _bytes((0x21, 0x7E)), _bytes((0xA1, 0xFE))

#: Bytes of a single-byte encoding that its index maps. https://encoding.spec.whatwg.org/#single-byte-decoder
SINGLE_BYTE = Pointers((_bytes((0x80, 0xFF)),))

#: https://encoding.spec.whatwg.org/#gb18030-decoder, step 5
GB18030 = Pointers((_HIGH, _bytes((0x40, 0x7E), (0x80, 0xFE))))

#: https://encoding.spec.whatwg.org/#gb18030-decoder, step 3
GB18030_RANGES = Pointers((_HIGH, _DIGIT, _HIGH, _DIGIT))

#: https://encoding.spec.whatwg.org/#big5-decoder
BIG5 = Pointers((_HIGH, _bytes((0x40, 0x7E), (0xA1, 0xFE))))

#: https://encoding.spec.whatwg.org/#euc-jp-decoder
EUC_JP_JIS0208 = Pointers((_GR, _GR))
EUC_JP_JIS0212 = Pointers((_GR, _GR), prefix=b"\x8f")

#: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder, the states lead byte and trail byte
ISO_2022_JP_JIS0208 = Pointers((_GL, _GL))

#: https://encoding.spec.whatwg.org/#shift_jis-decoder
SHIFT_JIS = Pointers((_bytes((0x81, 0x9F), (0xE0, 0xFC)), _bytes((0x40, 0x7E), (0x80, 0xFC))))

#: https://encoding.spec.whatwg.org/#euc-kr-decoder
EUC_KR = Pointers((_HIGH, _bytes((0x41, 0xFE))))

# -- Pointers and code points that steps name --------------------------------------------------------------------------

#: Shift_JIS pointers that are user-defined characters. https://encoding.spec.whatwg.org/#shift_jis-decoder
EUDC_POINTERS = range(8836, 10716)
EUDC_FIRST_CODE_POINT = 0xE000

#: jis0208 pointers that the index Shift_JIS pointer excludes. https://encoding.spec.whatwg.org/#index-shift_jis-pointer
SHIFT_JIS_EXCLUDED_POINTERS = range(8272, 8836)

#: The first Big5 pointer that the encoder uses.
#: https://encoding.spec.whatwg.org/#index-big5-pointer
BIG5_FIRST_ENCODED_POINTER = (0xA1 - 0x81) * 157

#: Big5 pointers that decode to two code points. https://encoding.spec.whatwg.org/#big5-decoder
BIG5_TWO_CODE_POINTS: Mapping[int, tuple[int, int]] = MappingProxyType(
    {1133: (0x00CA, 0x0304), 1135: (0x00CA, 0x030C), 1164: (0x00EA, 0x0304), 1166: (0x00EA, 0x030C)}
)

#: gb18030 four-byte pointers: the unmapped range, the end, and the exception.
#: https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
GB18030_LAST_BMP_POINTER = 39419
GB18030_FIRST_ASTRAL_POINTER = 189000
GB18030_LAST_POINTER = 1237575
GB18030_EXCEPTION = (7457, 0xE7C7)

#: The code point of index gb18030 that the encoders reject. https://encoding.spec.whatwg.org/#gb18030-encoder
GB18030_REFUSED_CODE_POINT = 0xE5E5

#: Private-use code points that GB18030-2022 remapped: the encoder still maps them to the bytes that they had before it.
#: https://encoding.spec.whatwg.org/#gb18030-encoder
GB18030_2022_ENCODER: Mapping[int, int] = MappingProxyType(
    {
        0xE78D: 0xA6D9, 0xE78E: 0xA6DA, 0xE78F: 0xA6DB, 0xE790: 0xA6DC, 0xE791: 0xA6DD, 0xE792: 0xA6DE,
        0xE793: 0xA6DF, 0xE794: 0xA6EC, 0xE795: 0xA6ED, 0xE796: 0xA6F3, 0xE81E: 0xFE59, 0xE826: 0xFE61,
        0xE82B: 0xFE66, 0xE82C: 0xFE67, 0xE832: 0xFE6D, 0xE843: 0xFE7E, 0xE854: 0xFE90, 0xE864: 0xFEA0,
    }
)  # fmt: skip

#: The euro sign: GBK encodes it as GBK_EURO_BYTE, gb18030 by its index; both decode that byte to the euro sign.
#: https://encoding.spec.whatwg.org/#gb18030-encoder
EURO = 0x20AC
GBK_EURO_BYTE = 0x80

#: Half-width katakana start at this code point, in the order of the bytes: single bytes in Shift_JIS, trail bytes after
#: 0x8E in EUC-JP; ISO-2022-JP has them from 0x21. https://encoding.spec.whatwg.org/#shift_jis-decoder
KATAKANA_FIRST_CODE_POINT = 0xFF61
KATAKANA_BYTES = range(0xA1, 0xE0)
ISO_2022_JP_KATAKANA_BYTES = range(0x21, 0x60)

#: Code points that encoders map to an ASCII byte. https://encoding.spec.whatwg.org/#shift_jis-encoder
YEN_SIGN, OVERLINE = 0x00A5, 0x203E
YEN_SIGN_BYTE, OVERLINE_BYTE = 0x5C, 0x7E
