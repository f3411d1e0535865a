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

#include "levels.h"

/* Return the OR of all units, which gives the kind of string that holds them. */
static inline uint32_t we_or_ucs4(int simd, const uint32_t *source, size_t length)
{
    size_t blocks = length / 16;
    uint64_t bytes = we_or_blocks(simd, (const uint8_t *)source, blocks);
    uint32_t all = (uint32_t)(bytes | bytes >> 32);
    for (size_t i = blocks * 16; i < length; i++)
        all |= source[i];
    return all;
}

static inline uint32_t we_or_ucs2(int simd, const uint16_t *source, size_t length)
{
    size_t blocks = length / 32;
    uint64_t bytes = we_or_blocks(simd, (const uint8_t *)source, blocks);
    bytes |= bytes >> 32;
    uint32_t all = (uint16_t)(bytes | bytes >> 16);
    for (size_t i = blocks * 32; i < length; i++)
        all |= source[i];
    return all;
}

static inline uint32_t we_or_ucs1(int simd, const uint8_t *source, size_t length)
{
    size_t blocks = length / 64;
    uint64_t bytes = we_or_blocks(simd, source, blocks);
    bytes |= bytes >> 32;
    bytes |= bytes >> 16;
    uint32_t all = (uint8_t)(bytes | bytes >> 8);
    for (size_t i = blocks * 64; i < length; i++)
        all |= source[i];
    return all;
}

#endif
