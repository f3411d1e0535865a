/* How much of a run is not ASCII: what the size of a result is estimated from. Plain loops that compilers vectorize. */
#ifndef WE_COUNT_H
#define WE_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

#if defined(__GNUC__)
#define WE_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define WE_ALWAYS_INLINE static inline
#endif

/* Counters as narrow as the units, so that a vector holds as many of them; emptied before they can overflow. */
#define WE_DEFINE_NON_ASCII_COUNT(KIND, UNIT)                                                                                  \
    WE_ALWAYS_INLINE size_t we_non_ascii_count_body_##KIND(const UNIT *source, size_t length)                                  \
    {                                                                                                                          \
        enum { LANES = 64 };                                                                                                   \
        size_t total = 0, i = 0;                                                                                               \
        while (length - i >= LANES) {                                                                                          \
            UNIT lanes[LANES] = {0};                                                                                           \
            for (int round = 0; round < 255 && length - i >= LANES; round++, i += LANES)                                       \
                for (int lane = 0; lane < LANES; lane++)                                                                       \
                    lanes[lane] = (UNIT)(lanes[lane] + (source[i + (size_t)lane] >= 0x80));                                    \
            for (int lane = 0; lane < LANES; lane++)                                                                           \
                total += lanes[lane];                                                                                          \
        }                                                                                                                      \
        for (; i < length; i++)                                                                                                \
            total += source[i] >= 0x80;                                                                                        \
        return total;                                                                                                          \
    }                                                                                                                          \
    WE_NON_ASCII_COUNT_AVX2(KIND, UNIT)                                                                                        \
    static inline size_t we_non_ascii_count_##KIND(int simd, const UNIT *source, size_t length)                                \
    {                                                                                                                          \
        WE_NON_ASCII_COUNT_DISPATCH(KIND)                                                                                      \
        (void)simd;                                                                                                            \
        return we_non_ascii_count_body_##KIND(source, length);                                                                 \
    }

#if WE_HAVE_AVX2
#define WE_NON_ASCII_COUNT_AVX2(KIND, UNIT)                                                                                    \
    WE_TARGET_AVX2 static size_t we_non_ascii_count_avx2_##KIND(const UNIT *source, size_t length)                             \
    {                                                                                                                          \
        return we_non_ascii_count_body_##KIND(source, length);                                                                 \
    }
#define WE_NON_ASCII_COUNT_DISPATCH(KIND)                                                                                      \
    if (simd >= WE_SIMD_AVX2)                                                                                                  \
        return we_non_ascii_count_avx2_##KIND(source, length);
#else
#define WE_NON_ASCII_COUNT_AVX2(KIND, UNIT)
#define WE_NON_ASCII_COUNT_DISPATCH(KIND)
#endif

WE_DEFINE_NON_ASCII_COUNT(ucs1, uint8_t)
WE_DEFINE_NON_ASCII_COUNT(ucs2, uint16_t)
WE_DEFINE_NON_ASCII_COUNT(ucs4, uint32_t)

#endif
