/* Runs of ASCII, and conversions between widths of units, sixteen items at a time: the baseline of vectors.h. */
#ifndef WE_ASCII_VECTOR_16_H
#define WE_ASCII_VECTOR_16_H

#include "ascii/scalar.h"
#include "vectors.h"

#if defined(WE_HAVE_BYTES_16)
/* Narrows two vectors of units to one of bytes; a unit above 0x7F gives a byte with the high bit. */
static inline we_bytes_16 we_ascii_narrow_ucs2_16(we_bytes_16 a, we_bytes_16 b)
{
    return we_narrow_saturated_u16(a, b);
}

static inline void we_widen_16_to_ucs2(we_bytes_16 bytes, uint16_t *target)
{
    we_store_16(target, we_zip_low_u8(bytes, we_zero_16()));
    we_store_16(target + 8, we_zip_high_u8(bytes, we_zero_16()));
}

static inline void we_widen_8_units_to_ucs4(we_bytes_16 units, uint32_t *target)
{
    we_store_16(target, we_zip_low_u16(units, we_zero_16()));
    we_store_16(target + 4, we_zip_high_u16(units, we_zero_16()));
}

static inline void we_widen_16_to_ucs4(we_bytes_16 bytes, uint32_t *target)
{
    we_widen_8_units_to_ucs4(we_zip_low_u8(bytes, we_zero_16()), target);
    we_widen_8_units_to_ucs4(we_zip_high_u8(bytes, we_zero_16()), target + 8);
}

static inline size_t we_ascii_step_to_ucs1_16(const uint8_t *source, uint8_t *target)
{
    we_bytes_16 bytes = we_load_16(source);
    we_store_16(target, bytes);
    return we_ascii_in_16(bytes);
}

static inline size_t we_ascii_step_to_ucs2_16(const uint8_t *source, uint16_t *target)
{
    we_bytes_16 bytes = we_load_16(source);
    we_widen_16_to_ucs2(bytes, target);
    return we_ascii_in_16(bytes);
}

static inline size_t we_ascii_step_to_ucs4_16(const uint8_t *source, uint32_t *target)
{
    we_bytes_16 bytes = we_load_16(source);
    we_widen_16_to_ucs4(bytes, target);
    return we_ascii_in_16(bytes);
}

static inline size_t we_ascii_step_from_ucs2_16(const uint16_t *source, uint8_t *target)
{
    we_bytes_16 bytes = we_ascii_narrow_ucs2_16(we_load_16(source), we_load_16(source + 8));
    we_store_16(target, bytes);
    return we_ascii_in_16(bytes);
}

/* Narrow sixteen units if all are ASCII; else return 0. */
static inline int we_ascii_narrow_ucs4_16(const uint32_t *source, we_bytes_16 *bytes)
{
    we_bytes_16 a = we_load_16(source), b = we_load_16(source + 4), c = we_load_16(source + 8),
                d = we_load_16(source + 12);
    we_bytes_16 all = we_or_16(we_or_16(a, b), we_or_16(c, d));
    *bytes = we_low_bytes_16(we_low_units_8(a, b), we_low_units_8(c, d));
    return !we_any_16(we_and_16(all, we_all_u32(~UINT32_C(0x7F))));
}

/* Store sixteen bytes if all are ASCII; else the scalar code finds the first that is not. */
static inline size_t we_ascii_step_from_ucs4_16(const uint32_t *source, uint8_t *target)
{
    we_bytes_16 bytes;
    if (!we_ascii_narrow_ucs4_16(source, &bytes))
        return we_ascii_run_from_ucs4_scalar(source, 16, target);
    we_store_16(target, bytes);
    return 16;
}

static inline void we_widen_step_ucs1_to_ucs2_16(const uint8_t *source, uint16_t *target)
{
    we_widen_16_to_ucs2(we_load_16(source), target);
}

static inline void we_widen_step_ucs1_to_ucs4_16(const uint8_t *source, uint32_t *target)
{
    we_widen_16_to_ucs4(we_load_16(source), target);
}

static inline void we_widen_step_ucs2_to_ucs4_16(const uint16_t *source, uint32_t *target)
{
    we_widen_8_units_to_ucs4(we_load_16(source), target);
    we_widen_8_units_to_ucs4(we_load_16(source + 8), target + 8);
}

static inline void we_narrow_step_ucs2_to_ucs1_16(const uint16_t *source, uint8_t *target)
{
    we_store_16(target, we_low_bytes_16(we_load_16(source), we_load_16(source + 8)));
}

static inline void we_narrow_step_ucs4_to_ucs2_16(const uint32_t *source, uint16_t *target)
{
    we_store_16(target, we_low_units_8(we_load_16(source), we_load_16(source + 4)));
    we_store_16(target + 8, we_low_units_8(we_load_16(source + 8), we_load_16(source + 12)));
}

static inline void we_narrow_step_ucs4_to_ucs1_16(const uint32_t *source, uint8_t *target)
{
    we_bytes_16 low = we_low_units_8(we_load_16(source), we_load_16(source + 4));
    we_store_16(target, we_low_bytes_16(low, we_low_units_8(we_load_16(source + 8), we_load_16(source + 12))));
}

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
    size_t i = 0;
    for (; length - i >= 64; i += 64) {
        we_bytes_16 a = we_or_16(we_load_16(source + i), we_load_16(source + i + 16));
        we_bytes_16 b = we_or_16(we_load_16(source + i + 32), we_load_16(source + i + 48));
        if (we_ascii_in_16(we_or_16(a, b)) < 16)
            break;
    }
    for (; length - i >= 16; i += 16) {
        size_t ascii = we_ascii_in_16(we_load_16(source + i));
        if (ascii < 16)
            return i + ascii;
    }
    if (length < 16)
        return we_ascii_length_scalar(source, length);
    /* The last block overlaps the one before it, which is ASCII. */
    return i == length ? length : length - 16 + we_ascii_in_16(we_load_16(source + length - 16));
}

static inline uint64_t we_fold_16(we_bytes_16 bytes)
{
    uint64_t halves[2];
    we_store_16(halves, bytes);
    return halves[0] | halves[1];
}

static inline uint64_t we_or_blocks_bytes_16(const uint8_t *source, size_t blocks)
{
    if (blocks == 0)
        return 0;
    we_bytes_16 a = we_load_16(source), b = we_load_16(source + 16), c = we_load_16(source + 32),
                d = we_load_16(source + 48);
    for (size_t i = 1; i < blocks; i++) {
        a = we_or_16(a, we_load_16(source + i * 64));
        b = we_or_16(b, we_load_16(source + i * 64 + 16));
        c = we_or_16(c, we_load_16(source + i * 64 + 32));
        d = we_or_16(d, we_load_16(source + i * 64 + 48));
    }
    return we_fold_16(we_or_16(we_or_16(a, b), we_or_16(c, d)));
}
#endif

#endif
