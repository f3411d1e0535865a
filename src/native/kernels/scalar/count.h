/* How many units of a run are not ASCII, or are U+FFFD: what the size of a result is estimated from. */
#ifndef WE_SCALAR_COUNT_H
#define WE_SCALAR_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

#define WE_COUNT_SCALAR(NAME, UNIT, IS)                                                                                \
    static inline size_t NAME(const UNIT *source, size_t length)                                                       \
    {                                                                                                                  \
        size_t count = 0;                                                                                              \
        for (size_t i = 0; i < length; i++)                                                                            \
            count += IS(source[i]);                                                                                    \
        return count;                                                                                                  \
    }

#define WE_IS_NON_ASCII(UNIT) ((UNIT) >= 0x80)
#define WE_IS_REPLACEMENT_CHARACTER(UNIT) ((UNIT) == 0xFFFD)
WE_COUNT_SCALAR(we_non_ascii_count_ucs1_scalar, uint8_t, WE_IS_NON_ASCII)
WE_COUNT_SCALAR(we_non_ascii_count_ucs2_scalar, uint16_t, WE_IS_NON_ASCII)
WE_COUNT_SCALAR(we_non_ascii_count_ucs4_scalar, uint32_t, WE_IS_NON_ASCII)
WE_COUNT_SCALAR(we_replacement_character_count_ucs2_scalar, uint16_t, WE_IS_REPLACEMENT_CHARACTER)

#endif
