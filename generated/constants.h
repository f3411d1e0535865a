/* Generated from templates/constants.h.j2: change that, not this; `python -m generator emit` emits it again.
 * Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
 * encodings.json: sha256 078212b3697f60b81225b6671bd9da2604497abff0aa8e96e4d46605c02ac9e7
 */
#ifndef WE_CONSTANTS_H
#define WE_CONSTANTS_H

/* The number of an escape sequence is the two bytes after WE_ESCAPE. */

/* https://encoding.spec.whatwg.org/#shift_jis-decoder */
enum {
    WE_KATAKANA_FIRST = 0xA1,
    WE_KATAKANA_LAST = 0xDF,
    WE_KATAKANA_OFFSET = 0xFEC0
};

/* https://encoding.spec.whatwg.org/#iso-2022-jp-decoder */
enum {
    WE_ESCAPE = 0x1B,
    WE_SHIFT_OUT = 0x0E,
    WE_SHIFT_IN = 0x0F,
    WE_ROMAN_YEN_SIGN = 0x5C,
    WE_ROMAN_OVERLINE = 0x7E,
    WE_JIS_FIRST = 0x21,
    WE_JIS_LAST = 0x7E,
    WE_ESCAPE_TO_JIS0208_OF_1978 = 0x2440,
    WE_ESCAPE_TO_JIS0208 = 0x2442,
    WE_ESCAPE_TO_ASCII = 0x2842,
    WE_ESCAPE_TO_KATAKANA = 0x2849,
    WE_ESCAPE_TO_ROMAN = 0x284A
};

#endif
