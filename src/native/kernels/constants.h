#ifndef WE_CONSTANTS_H
#define WE_CONSTANTS_H

/* Numbers of the standard's prose, as the templates of the handlers have them. */

/* https://encoding.spec.whatwg.org/#shift_jis-decoder */
enum {
    WE_KATAKANA_FIRST = 0xA1,
    WE_KATAKANA_LAST = 0xDF,
    WE_KATAKANA_OFFSET = 0xFEC0 /* from a byte to its code point */
};

/* https://encoding.spec.whatwg.org/#iso-2022-jp-decoder. An escape sequence is the two bytes after WE_ESCAPE. */
enum {
    WE_ESCAPE = 0x1B,
    WE_SHIFT_OUT = 0x0E,
    WE_SHIFT_IN = 0x0F,
    WE_ROMAN_YEN_SIGN = 0x5C,
    WE_ROMAN_OVERLINE = 0x7E,
    WE_JIS_FIRST = 0x21,
    WE_JIS_LAST = 0x7E,
    WE_ESCAPE_TO_JIS0208_OF_1978 = 0x2440, /* the state jis0208, too */
    WE_ESCAPE_TO_JIS0208 = 0x2442,
    WE_ESCAPE_TO_ASCII = 0x2842,
    WE_ESCAPE_TO_KATAKANA = 0x2849,
    WE_ESCAPE_TO_ROMAN = 0x284A
};

#endif
