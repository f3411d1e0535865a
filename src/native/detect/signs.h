/* What bytes show of their encoding without being decoded: signs of others than UTF-8, and whether the data can be
 * UTF-8 with some errors. Loops without branches, which compilers vectorize. */
#ifndef WE_DETECT_SIGNS_H
#define WE_DETECT_SIGNS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "constants.h"

/* Bits. A byte order mark; a NUL near the start, which UTF-16 has; an escape of ISO-2022-JP. */
enum { WE_NULS = 1, WE_ESCAPES = 2, WE_MARK = 4 };

enum {
    WE_NUL_WINDOW = 512, /* UTF-16 has a NUL in this many bytes */
    WE_SUMMED = 240,     /* bytes whose counts fit in one */
    WE_STRIDE = 1 << 12  /* bytes between two comparisons */
};

/* Return whether there is a NUL near the start. */
static inline int we_has_nuls(const uint8_t *bytes, size_t length)
{
    return length && memchr(bytes, 0, length < WE_NUL_WINDOW ? length : WE_NUL_WINDOW) != NULL;
}

/* Return whether there is an escape sequence of ISO-2022-JP before Japanese characters. */
static inline int we_has_japanese_escape(const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; length - at >= 3; at++) {
        const uint8_t *const escape = (const uint8_t *)memchr(bytes + at, WE_ESCAPE, length - at - 2);
        if (escape == NULL)
            return 0;
        const unsigned number = (unsigned)escape[1] << 8 | escape[2];
        if (number == WE_ESCAPE_TO_ROMAN || number == WE_ESCAPE_TO_KATAKANA || number == WE_ESCAPE_TO_JIS0208
            || number == WE_ESCAPE_TO_JIS0208_OF_1978)
            return 1;
        at = (size_t)(escape - bytes);
    }
    return 0;
}

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

/* Count `from` to `to`, at most WE_STRIDE bytes, by pairs of bytes alone: a byte that begins a sequence is an error, or
 * may be a character, by the byte that follows. */
static inline we_utf_8_bounds we_utf_8_pairs_of(const unsigned char *bytes, size_t from, size_t to)
{
    we_utf_8_bounds found = {0, 0};
    for (size_t at = from; at < to;) {
        const size_t end = to - at < WE_SUMMED ? to : at + WE_SUMMED;
        uint8_t leads = 0, characters = 0;
        for (; at < end; at++) {
            const uint8_t is_lead = bytes[at - 1] >= 0xC2, continues = (bytes[at] & 0xC0) == 0x80;
            leads = (uint8_t)(leads + is_lead);
            characters = (uint8_t)(characters + (is_lead & continues));
        }
        found.characters += characters;
        found.errors += (size_t)(leads - characters);
    }
    return found;
}

/* The same by the four bytes that a sequence has at most: characters by their last byte, and errors by the byte that
 * shows them: a continuation byte that continues none, and any other where one is missing. Which second bytes E0, ED,
 * F0 and F4 allow does not count. */
static inline we_utf_8_bounds we_utf_8_sequences_of(const unsigned char *bytes, size_t from, size_t to)
{
    we_utf_8_bounds found = {0, 0};
    for (size_t at = from; at < to;) {
        const size_t end = to - at < WE_SUMMED ? to : at + WE_SUMMED;
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
    return found;
}

/* The first three bytes are only seen from later ones. Pairs of bytes take a quarter of the time and tell single bytes
 * from UTF-8, not all double bytes. Stop where the rest cannot have `ratio` characters to an error. */
static inline we_utf_8_bounds we_utf_8_bounds_of(const unsigned char *bytes, size_t length, double ratio)
{
    we_utf_8_bounds found = {1, 0}; /* a character may end among the first bytes */
    for (size_t at = 3; at < length;) {
        const size_t end = length - at < WE_STRIDE ? length : at + WE_STRIDE;
        we_utf_8_bounds more = we_utf_8_pairs_of(bytes, at, end);
        if ((double)more.characters > ratio * (double)more.errors)
            more = we_utf_8_sequences_of(bytes, at, end);
        found.characters += more.characters;
        found.errors += more.errors;
        at = end;
        if ((double)(found.characters + (length - at) / 2 + 1) < ratio * (double)found.errors)
            break;
    }
    return found;
}

#endif
