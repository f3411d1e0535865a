/* How many units end a line, and how many bytes of UTF-8 units take after the first of each: loops of which compilers
 * make vectors. What sizes are estimated from has vectors of its own, which are faster: see bytes_16/count.h. */
#ifndef WE_COUNT_H
#define WE_COUNT_H

#include <stddef.h>
#include <stdint.h>

/* The count of a block fits a unit, so that compilers add in vectors of units. */
#define WE_COUNT_IN_BLOCKS(name, unit_type, count_of)                                                                  \
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

#define WE_IS_NEWLINE(unit) ((unit) == 0x0A)
#define WE_MORE_BYTES(unit) (((unit) >= 0x80) + ((unit) >= 0x800))
WE_COUNT_IN_BLOCKS(we_newline_count_ucs1, uint8_t, WE_IS_NEWLINE)
WE_COUNT_IN_BLOCKS(we_newline_count_ucs2, uint16_t, WE_IS_NEWLINE)
WE_COUNT_IN_BLOCKS(we_newline_count_ucs4, uint32_t, WE_IS_NEWLINE)
WE_COUNT_IN_BLOCKS(we_more_bytes_count_ucs2, uint16_t, WE_MORE_BYTES)

#endif
