/* How many units of a run are not ASCII, or are U+FFFD: what the size of a result is estimated from. */
#ifndef WE_SCALAR_COUNT_H
#define WE_SCALAR_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

/* we_<what>_count_<kind>: how many units IS holds for. The scalar loops, which compilers vectorize for AVX2. Counters
 * are as narrow as the units, so that a vector holds as many of them, and are emptied before they can overflow. */
#define WE_COUNT_SCALAR(NAME, UNIT, IS)                                                                                \
    WE_ALWAYS_INLINE size_t NAME(const UNIT *source, size_t length)                                                    \
    {                                                                                                                  \
        enum { LANES = 64 };                                                                                           \
        size_t total = 0, i = 0;                                                                                       \
        while (length - i >= LANES) {                                                                                  \
            UNIT lanes[LANES] = {0};                                                                                   \
            for (int round = 0; round < 255 && length - i >= LANES; round++, i += LANES)                               \
                for (int lane = 0; lane < LANES; lane++)                                                               \
                    lanes[lane] = (UNIT)(lanes[lane] + IS(source[i + (size_t)lane]));                                  \
            for (int lane = 0; lane < LANES; lane++)                                                                   \
                total += lanes[lane];                                                                                  \
        }                                                                                                              \
        for (; i < length; i++)                                                                                        \
            total += IS(source[i]);                                                                                    \
        return total;                                                                                                  \
    }

#define WE_IS_NON_ASCII(UNIT) ((UNIT) >= 0x80)
#define WE_IS_REPLACEMENT_CHARACTER(UNIT) ((UNIT) == 0xFFFD)
WE_COUNT_SCALAR(we_non_ascii_count_ucs1_scalar, uint8_t, WE_IS_NON_ASCII)
WE_COUNT_SCALAR(we_non_ascii_count_ucs2_scalar, uint16_t, WE_IS_NON_ASCII)
WE_COUNT_SCALAR(we_non_ascii_count_ucs4_scalar, uint32_t, WE_IS_NON_ASCII)
WE_COUNT_SCALAR(we_replacement_character_count_ucs2_scalar, uint16_t, WE_IS_REPLACEMENT_CHARACTER)

#endif
