/* What bytes show of their encoding without being decoded: signs of others than UTF-8, and whether the data can be
 * UTF-8 with some errors. Loops without branches, which compilers vectorize. */
#ifndef WE_DETECT_SIGNS_H
#define WE_DETECT_SIGNS_H

#include <stddef.h>
#include <stdint.h>

/* Bits. A byte order mark; a NUL near the start, which UTF-16 has; the first byte of an escape of ISO-2022-JP. */
enum { WE_NULS = 1, WE_ESCAPES = 2, WE_MARK = 4 };

enum {
    WE_SUMMED = 240,    /* bytes whose counts fit in one */
    WE_STRIDE = 1 << 12 /* bytes between two comparisons */
};

/* `characters`: an upper bound on the characters beyond ASCII; `errors`: a lower bound on the errors. */
typedef struct {
    size_t characters, errors;
} we_utf_8_bounds;

/* The number of bytes that begin a sequence of several. */
static inline size_t we_utf_8_leads(const unsigned char *bytes, size_t length)
{
    size_t leads = 0;
    for (size_t at = 0; at < length; at += WE_SUMMED) {
        size_t end = length - at < WE_SUMMED ? length : at + WE_SUMMED;
        uint8_t sum = 0;
        for (size_t each = at; each < end; each++)
            sum = (uint8_t)(sum + (bytes[each] >= 0xC0));
        leads += sum;
    }
    return leads;
}

/* A character begins with a leading byte before a continuation byte. A leading byte before any other one, and a
 * continuation byte behind ASCII, are errors. Stop where the rest cannot have `ratio` characters to an error. */
static inline we_utf_8_bounds we_utf_8_bounds_of(const unsigned char *bytes, size_t length, size_t ratio)
{
    we_utf_8_bounds found = {0, 0};
    for (size_t at = 1; at < length;) {
        size_t stride = length - at < WE_STRIDE ? length : at + WE_STRIDE;
        while (at < stride) {
            size_t end = stride - at < WE_SUMMED ? stride : at + WE_SUMMED;
            uint8_t characters = 0, errors = 0;
            for (; at < end; at++) {
                uint8_t last = bytes[at - 1], byte = bytes[at];
                uint8_t leads = last >= 0xC2, continues = (byte & 0xC0) == 0x80;
                characters = (uint8_t)(characters + (leads & continues));
                errors = (uint8_t)(errors + ((leads & !continues) | ((last < 0x80) & continues)));
            }
            found.characters += characters;
            found.errors += errors;
        }
        if (found.characters + (length - at) / 2 + 1 < ratio * found.errors)
            break;
    }
    return found;
}

#endif
