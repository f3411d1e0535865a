/* How many units of a run are not ASCII, are U+FFFD, or end a line; and how many bytes they take in UTF-8 after the
 * first of each. No level has vectors of its own for it. */
#ifndef WE_COUNT_H
#define WE_COUNT_H

#include <stddef.h>
#include <stdint.h>

/* The count of a block fits a unit, so that compilers add in vectors of units. */
#define WE_COUNT(name, unit_type, count_of)                                                                            \
    static inline size_t name(const unit_type *source, size_t length)                                                  \
    {                                                                                                                  \
        enum { BLOCK = sizeof(unit_type) == 1 ? 240 : 4096 };                                                          \
        size_t count = 0, i = 0;                                                                                       \
        while (i < length) {                                                                                           \
            const size_t end = length - i > BLOCK ? i + BLOCK : length;                                                \
            unit_type in_block = 0;                                                                                    \
            for (; i < end; i++)                                                                                       \
                in_block = (unit_type)(in_block + count_of(source[i]));                                                \
            count += in_block;                                                                                         \
        }                                                                                                              \
        return count;                                                                                                  \
    }

#define WE_IS_NON_ASCII(unit) ((unit) >= 0x80)
#define WE_IS_NEWLINE(unit) ((unit) == 0x0A)
#define WE_IS_REPLACEMENT_CHARACTER(unit) ((unit) == 0xFFFD)
#define WE_MORE_BYTES(unit) (((unit) >= 0x80) + ((unit) >= 0x800))
WE_COUNT(we_non_ascii_count_ucs1, uint8_t, WE_IS_NON_ASCII)
WE_COUNT(we_non_ascii_count_ucs2, uint16_t, WE_IS_NON_ASCII)
WE_COUNT(we_non_ascii_count_ucs4, uint32_t, WE_IS_NON_ASCII)
WE_COUNT(we_newline_count_ucs1, uint8_t, WE_IS_NEWLINE)
WE_COUNT(we_newline_count_ucs2, uint16_t, WE_IS_NEWLINE)
WE_COUNT(we_newline_count_ucs4, uint32_t, WE_IS_NEWLINE)
WE_COUNT(we_replacement_character_count_ucs2, uint16_t, WE_IS_REPLACEMENT_CHARACTER)
WE_COUNT(we_more_bytes_count_ucs2, uint16_t, WE_MORE_BYTES)

#endif
