/* How much of a run is not ASCII: what the size of a result is estimated from. Plain loops that compilers vectorize. */
#ifndef WE_COUNT_H
#define WE_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

/* we_<what>_count_<kind>: how many units IS holds for. Counters are as narrow as the units, so that a vector holds as many of them, and
 * are emptied before they can overflow. */
#define WE_DEFINE_COUNT(NAME, UNIT, IS)                                                                                        \
    WE_ALWAYS_INLINE size_t we_##NAME##_body(const UNIT *source, size_t length)                                                \
    {                                                                                                                          \
        enum { LANES = 64 };                                                                                                   \
        size_t total = 0, i = 0;                                                                                               \
        while (length - i >= LANES) {                                                                                          \
            UNIT lanes[LANES] = {0};                                                                                           \
            for (int round = 0; round < 255 && length - i >= LANES; round++, i += LANES)                                       \
                for (int lane = 0; lane < LANES; lane++)                                                                       \
                    lanes[lane] = (UNIT)(lanes[lane] + IS(source[i + (size_t)lane]));                                          \
            for (int lane = 0; lane < LANES; lane++)                                                                           \
                total += lanes[lane];                                                                                          \
        }                                                                                                                      \
        for (; i < length; i++)                                                                                                \
            total += IS(source[i]);                                                                                            \
        return total;                                                                                                          \
    }                                                                                                                          \
    WE_COUNT_AVX2(NAME, UNIT)                                                                                                  \
    static inline size_t we_##NAME(int simd, const UNIT *source, size_t length)                                                \
    {                                                                                                                          \
        WE_COUNT_DISPATCH(NAME)                                                                                                \
        (void)simd;                                                                                                            \
        return we_##NAME##_body(source, length);                                                                               \
    }

#if WE_HAVE_AVX2
#define WE_COUNT_AVX2(NAME, UNIT)                                                                                              \
    WE_TARGET_AVX2 static inline size_t we_##NAME##_avx2(const UNIT *source, size_t length)                                    \
    {                                                                                                                          \
        return we_##NAME##_body(source, length);                                                                               \
    }
#define WE_COUNT_DISPATCH(NAME)                                                                                                \
    if (simd >= WE_SIMD_AVX2)                                                                                                  \
        return we_##NAME##_avx2(source, length);
#else
#define WE_COUNT_AVX2(NAME, UNIT)
#define WE_COUNT_DISPATCH(NAME)
#endif

#define WE_IS_NON_ASCII(UNIT) ((UNIT) >= 0x80)
#define WE_IS_REPLACEMENT_CHARACTER(UNIT) ((UNIT) == 0xFFFD)
WE_DEFINE_COUNT(non_ascii_count_ucs1, uint8_t, WE_IS_NON_ASCII)
WE_DEFINE_COUNT(non_ascii_count_ucs2, uint16_t, WE_IS_NON_ASCII)
WE_DEFINE_COUNT(non_ascii_count_ucs4, uint32_t, WE_IS_NON_ASCII)
WE_DEFINE_COUNT(replacement_character_count_ucs2, uint16_t, WE_IS_REPLACEMENT_CHARACTER)

#endif
