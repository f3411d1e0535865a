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

/* Count characters by their last byte, and errors by the byte that shows them: a continuation byte that continues
 * none, and any other where one is missing. Which second bytes E0, ED, F0 and F4 allow does not count. The first three
 * bytes are only seen from later ones. Stop where the rest cannot have `ratio` characters to an error. */
static inline we_utf_8_bounds we_utf_8_bounds_of(const unsigned char *bytes, size_t length, size_t ratio)
{
    we_utf_8_bounds found = {1, 0}; /* a character may end among the first bytes */
    for (size_t at = 3; at < length;) {
        size_t stride = length - at < WE_STRIDE ? length : at + WE_STRIDE;
        while (at < stride) {
            size_t end = stride - at < WE_SUMMED ? stride : at + WE_SUMMED;
            uint8_t characters = 0, errors = 0;
            for (; at < end; at++) {
                uint8_t first = bytes[at - 3], second = bytes[at - 2], third = bytes[at - 1], byte = bytes[at];
                uint8_t continues = (byte & 0xC0) == 0x80, two = third >= 0xC2;
                uint8_t three = (second >= 0xE0) & ((third & 0xC0) == 0x80);
                uint8_t four = (first >= 0xF0) & ((second & 0xC0) == 0x80) & ((third & 0xC0) == 0x80);
                uint8_t expected = two | three | four;
                uint8_t last = (two & (third < 0xE0)) | (three & (second < 0xF0)) | four;
                characters = (uint8_t)(characters + (continues & last));
                errors = (uint8_t)(errors + (continues ^ expected));
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
