/* Runs of ASCII, and conversions between widths of units, sixteen items at a time: the baseline of vectors.h. */
#ifndef WE_ASCII_VECTOR_16_H
#define WE_ASCII_VECTOR_16_H

#include "ascii/scalar.h"
#include "vectors.h"

#if defined(WE_HAVE_BYTES_16)
#define WE_LEVEL_TARGET
#include "ascii/vector.h"
#undef WE_LEVEL_TARGET

WE_ASCII_RUN(we_ascii_run_to_ucs1_bytes_16, , uint8_t, uint8_t, 16, we_ascii_step_to_ucs1_16,
             we_ascii_run_to_ucs1_scalar)
WE_ASCII_RUN(we_ascii_run_to_ucs2_bytes_16, , uint8_t, uint16_t, 16, we_ascii_step_to_ucs2_16,
             we_ascii_run_to_ucs2_scalar)
WE_ASCII_RUN(we_ascii_run_to_ucs4_bytes_16, , uint8_t, uint32_t, 16, we_ascii_step_to_ucs4_16,
             we_ascii_run_to_ucs4_scalar)
WE_ASCII_RUN(we_ascii_run_from_ucs2_bytes_16, , uint16_t, uint8_t, 16, we_ascii_step_from_ucs2_16,
             we_ascii_run_from_ucs2_scalar)
WE_ASCII_RUN(we_ascii_run_from_ucs4_bytes_16, , uint32_t, uint8_t, 16, we_ascii_step_from_ucs4_16,
             we_ascii_run_from_ucs4_scalar)

WE_CONVERT(we_widen_ucs1_to_ucs2_bytes_16, , uint8_t, uint16_t, 16, we_widen_step_ucs1_to_ucs2_16,
           we_widen_ucs1_to_ucs2_scalar)
WE_CONVERT(we_widen_ucs1_to_ucs4_bytes_16, , uint8_t, uint32_t, 16, we_widen_step_ucs1_to_ucs4_16,
           we_widen_ucs1_to_ucs4_scalar)
WE_CONVERT(we_widen_ucs2_to_ucs4_bytes_16, , uint16_t, uint32_t, 16, we_widen_step_ucs2_to_ucs4_16,
           we_widen_ucs2_to_ucs4_scalar)
WE_CONVERT(we_narrow_ucs2_to_ucs1_bytes_16, , uint16_t, uint8_t, 16, we_narrow_step_ucs2_to_ucs1_16,
           we_narrow_ucs2_to_ucs1_scalar)
WE_CONVERT(we_narrow_ucs4_to_ucs2_bytes_16, , uint32_t, uint16_t, 16, we_narrow_step_ucs4_to_ucs2_16,
           we_narrow_ucs4_to_ucs2_scalar)
WE_CONVERT(we_narrow_ucs4_to_ucs1_bytes_16, , uint32_t, uint8_t, 16, we_narrow_step_ucs4_to_ucs1_16,
           we_narrow_ucs4_to_ucs1_scalar)

static inline size_t we_ascii_length_bytes_16(const uint8_t *source, size_t length)
{
    return length < 16 ? we_ascii_length_scalar(source, length) : we_ascii_vectors_16(source, length);
}

static inline uint64_t we_or_blocks_bytes_16(const uint8_t *source, size_t blocks)
{
    return we_or_vectors_16(source, blocks);
}
#endif

#endif
