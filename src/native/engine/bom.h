/* The byte order marks, by the encodings that they name. https://encoding.spec.whatwg.org/#bom-sniff */
#ifndef WE_BOM_H
#define WE_BOM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "encodings.h"

enum { WE_BOM_UTF_8, WE_BOM_UTF_16BE, WE_BOM_UTF_16LE, WE_BOMS };

/* Return the length of that byte order mark if the source starts with it, -1 if more bytes may complete it, else 0. */
static inline int we_bom_length(int which, const uint8_t *source, size_t length)
{
    static const uint8_t marks[WE_BOMS][3] = {{0xEF, 0xBB, 0xBF}, {0xFE, 0xFF}, {0xFF, 0xFE}};
    const size_t whole = which == WE_BOM_UTF_8 ? 3 : 2;
    /* The source of no bytes may be null, which memcmp must not be given. */
    if (length != 0 && memcmp(source, marks[which], length < whole ? length : whole) != 0)
        return 0;
    return length < whole ? -1 : (int)whole;
}

/* Return the position, in the standard's order, of the encoding that a byte order mark names. */
static inline int we_bom_position(int which)
{
    return which == WE_BOM_UTF_8      ? WE_POSITION_UTF_8
           : which == WE_BOM_UTF_16BE ? WE_POSITION_UTF_16BE
                                      : WE_POSITION_UTF_16LE;
}

/* Return which byte order mark the source starts with, or -1, and set the length of the mark. */
static inline int we_bom_sniff(const uint8_t *source, size_t length, size_t *bom_length)
{
    for (int which = 0; length != 0 && source[0] >= 0xEF && which < WE_BOMS; which++) {
        const int mark_length = we_bom_length(which, source, length);
        if (mark_length > 0) {
            *bom_length = (size_t)mark_length;
            return which;
        }
    }
    *bom_length = 0;
    return -1;
}

#endif
