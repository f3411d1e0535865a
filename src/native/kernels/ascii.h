/* Runs of ASCII, and conversions between widths of units.
 *
 * A run extends to the first item above U+007F or the end, and its length is returned. It may write anything within
 * target[0..length), and reads within source[0..length) alone. Each vector is loaded once, so that the bytes that are
 * stored are those that were checked, even if another thread writes to the source.
 *
 * A variant is a step, which converts one block and returns how many of its items are ASCII, in the loop that
 * WE_ASCII_RUN defines; the next smaller variant takes the remainder. */
#ifndef WE_ASCII_H
#define WE_ASCII_H

#include "count.h"
#include "levels.h"
#include "units.h"

/* Return the OR of all units, which gives the kind of string that holds them. */
static inline uint32_t we_or_units(int simd, int kind, const void *source, size_t length)
{
    const size_t blocks = length / (64 >> kind);
    uint64_t all = we_or_blocks(simd, (const uint8_t *)source, blocks);
    for (int shift = 32; shift >= 8 << kind; shift /= 2)
        all |= all >> shift;
    all &= kind == WE_UCS1 ? 0xFF : kind == WE_UCS2 ? 0xFFFF : UINT32_MAX;
    for (size_t i = blocks * (64 >> kind); i < length; i++)
        all |= we_unit_get(source, kind, i);
    return (uint32_t)all;
}

static inline size_t we_non_ascii_count(int simd, int kind, const void *source, size_t length)
{
    return WE_FROM_KIND(kind, we_non_ascii_count, simd, source, length);
}

static inline size_t we_newline_count(int kind, const void *source, size_t length)
{
    return WE_FROM_KIND(kind, we_newline_count, source, length);
}

/* Copy units of one kind as those of another, in which they must fit. */
static inline void we_copy_units(int simd, int kind, const void *source, size_t length, int target_kind, void *target)
{
    if (kind == target_kind)
        memcpy(target, source, length << kind);
    else if (kind == WE_UCS1 && target_kind == WE_UCS2)
        we_widen_ucs1_to_ucs2(simd, source, length, target);
    else if (kind == WE_UCS1)
        we_widen_ucs1_to_ucs4(simd, source, length, target);
    else if (kind == WE_UCS4 && target_kind == WE_UCS1)
        we_narrow_ucs4_to_ucs1(simd, source, length, target);
    else if (kind == WE_UCS4)
        we_narrow_ucs4_to_ucs2(simd, source, length, target);
    else if (target_kind == WE_UCS1)
        we_narrow_ucs2_to_ucs1(simd, source, length, target);
    else
        we_widen_ucs2_to_ucs4(simd, source, length, target);
}

#endif
