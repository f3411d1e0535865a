/* Runs of ASCII, and conversions between widths of units, with AVX2: thirty-two items at a time. */
#ifndef WE_ASCII_AVX2_H
#define WE_ASCII_AVX2_H

#include "ascii/vector_16.h"

#if defined(WE_HAVE_AVX2)
#undef WE_WIDTH
#define WE_WIDTH 32
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#include "ascii/vector.h"
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL_TARGET

WE_ASCII_RUN(we_ascii_run_to_ucs1_avx2, WE_TARGET_AVX2, uint8_t, uint8_t, 32, we_ascii_step_to_ucs1_32,
             we_ascii_run_to_ucs1_bytes_16)
WE_ASCII_RUN(we_ascii_run_to_ucs2_avx2, WE_TARGET_AVX2, uint8_t, uint16_t, 32, we_ascii_step_to_ucs2_32,
             we_ascii_run_to_ucs2_bytes_16)
WE_ASCII_RUN(we_ascii_run_to_ucs4_avx2, WE_TARGET_AVX2, uint8_t, uint32_t, 32, we_ascii_step_to_ucs4_32,
             we_ascii_run_to_ucs4_bytes_16)
WE_ASCII_RUN(we_ascii_run_from_ucs2_avx2, WE_TARGET_AVX2, uint16_t, uint8_t, 32, we_ascii_step_from_ucs2_32,
             we_ascii_run_from_ucs2_bytes_16)
WE_ASCII_RUN(we_ascii_run_from_ucs4_avx2, WE_TARGET_AVX2, uint32_t, uint8_t, 32, we_ascii_step_from_ucs4_32,
             we_ascii_run_from_ucs4_bytes_16)

WE_CONVERT(we_widen_ucs1_to_ucs2_avx2, WE_TARGET_AVX2, uint8_t, uint16_t, 32, we_widen_step_ucs1_to_ucs2_32,
           we_widen_ucs1_to_ucs2_bytes_16)
WE_CONVERT(we_widen_ucs1_to_ucs4_avx2, WE_TARGET_AVX2, uint8_t, uint32_t, 32, we_widen_step_ucs1_to_ucs4_32,
           we_widen_ucs1_to_ucs4_bytes_16)
WE_CONVERT(we_widen_ucs2_to_ucs4_avx2, WE_TARGET_AVX2, uint16_t, uint32_t, 32, we_widen_step_ucs2_to_ucs4_32,
           we_widen_ucs2_to_ucs4_bytes_16)
WE_CONVERT(we_narrow_ucs2_to_ucs1_avx2, WE_TARGET_AVX2, uint16_t, uint8_t, 32, we_narrow_step_ucs2_to_ucs1_32,
           we_narrow_ucs2_to_ucs1_bytes_16)
WE_CONVERT(we_narrow_ucs4_to_ucs2_avx2, WE_TARGET_AVX2, uint32_t, uint16_t, 32, we_narrow_step_ucs4_to_ucs2_32,
           we_narrow_ucs4_to_ucs2_bytes_16)
WE_CONVERT(we_narrow_ucs4_to_ucs1_avx2, WE_TARGET_AVX2, uint32_t, uint8_t, 32, we_narrow_step_ucs4_to_ucs1_32,
           we_narrow_ucs4_to_ucs1_bytes_16)

WE_TARGET_AVX2 static inline size_t we_ascii_length_avx2(const uint8_t *source, size_t length)
{
    return length < 32 ? we_ascii_length_bytes_16(source, length) : we_ascii_vectors_32(source, length);
}

WE_TARGET_AVX2 static inline uint64_t we_or_blocks_avx2(const uint8_t *source, size_t blocks)
{
    return we_or_vectors_32(source, blocks);
}
#endif

#endif
