/* Runs of ASCII, and plain changes of a unit's width.
 *
 * A run goes up to the first item above U+007F or the end, and its length is what comes back. It may write anything anywhere in
 * target[0..length), nothing beyond, and never reads beyond source[0..length). Each vector is loaded once, so what was checked is what
 * is stored, even if another thread writes to the source meanwhile.
 */
#ifndef WE_ASCII_H
#define WE_ASCII_H

#include "cpu.h"

/* ---- Scalar: eight bytes at a time in a machine word, then one at a time ---- */

#define WE_HIGH_BITS UINT64_C(0x8080808080808080)

static inline uint64_t we_load_8_bytes(const void *source)
{
    uint64_t word;
    memcpy(&word, source, 8);
    return word;
}

/* https://infra.spec.whatwg.org/#ascii-byte: length of the run of ASCII bytes at the start. */
static inline size_t we_ascii_length_scalar(const uint8_t *source, size_t length)
{
    size_t i = 0;
    while (length - i >= 8 && (we_load_8_bytes(source + i) & WE_HIGH_BITS) == 0)
        i += 8;
    while (i < length && source[i] < 0x80)
        i++;
    return i;
}

static inline size_t we_ascii_run_to_ucs1_scalar(const uint8_t *source, size_t length, uint8_t *target)
{
    size_t i = 0;
    for (; length - i >= 8; i += 8) {
        uint64_t word = we_load_8_bytes(source + i);
        if (word & WE_HIGH_BITS)
            break;
        memcpy(target + i, &word, 8);
    }
    for (; i < length; i++) {
        uint8_t byte = source[i];
        if (byte >= 0x80)
            break;
        target[i] = byte;
    }
    return i;
}

static inline size_t we_ascii_run_to_ucs2_scalar(const uint8_t *source, size_t length, uint16_t *target)
{
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i];
        if (byte >= 0x80)
            break;
        target[i] = byte;
    }
    return i;
}

static inline size_t we_ascii_run_to_ucs4_scalar(const uint8_t *source, size_t length, uint32_t *target)
{
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i];
        if (byte >= 0x80)
            break;
        target[i] = byte;
    }
    return i;
}

static inline size_t we_ascii_run_from_ucs2_scalar(const uint16_t *source, size_t length, uint8_t *target)
{
    size_t i = 0;
    for (; i < length; i++) {
        uint16_t unit = source[i];
        if (unit >= 0x80)
            break;
        target[i] = (uint8_t)unit;
    }
    return i;
}

static inline size_t we_ascii_run_from_ucs4_scalar(const uint32_t *source, size_t length, uint8_t *target)
{
    size_t i = 0;
    for (; i < length; i++) {
        uint32_t unit = source[i];
        if (unit >= 0x80)
            break;
        target[i] = (uint8_t)unit;
    }
    return i;
}

/* ---- The public names ---- */

static inline size_t we_ascii_length(int simd, const uint8_t *source, size_t length)
{
    (void)simd;
    return we_ascii_length_scalar(source, length);
}

static inline size_t we_ascii_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target)
{
    (void)simd;
    return we_ascii_run_to_ucs1_scalar(source, length, target);
}

static inline size_t we_ascii_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
{
    (void)simd;
    return we_ascii_run_to_ucs2_scalar(source, length, target);
}

static inline size_t we_ascii_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
{
    (void)simd;
    return we_ascii_run_to_ucs4_scalar(source, length, target);
}

static inline size_t we_ascii_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target)
{
    (void)simd;
    return we_ascii_run_from_ucs2_scalar(source, length, target);
}

static inline size_t we_ascii_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target)
{
    (void)simd;
    return we_ascii_run_from_ucs4_scalar(source, length, target);
}

static inline void we_widen_ucs1_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
{
    (void)simd;
    for (size_t i = 0; i < length; i++)
        target[i] = source[i];
}

static inline void we_widen_ucs1_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
{
    (void)simd;
    for (size_t i = 0; i < length; i++)
        target[i] = source[i];
}

static inline void we_widen_ucs2_to_ucs4(int simd, const uint16_t *source, size_t length, uint32_t *target)
{
    (void)simd;
    for (size_t i = 0; i < length; i++)
        target[i] = source[i];
}

static inline void we_narrow_ucs2_to_ucs1(int simd, const uint16_t *source, size_t length, uint8_t *target)
{
    (void)simd;
    for (size_t i = 0; i < length; i++)
        target[i] = (uint8_t)source[i];
}

static inline void we_narrow_ucs4_to_ucs2(int simd, const uint32_t *source, size_t length, uint16_t *target)
{
    (void)simd;
    for (size_t i = 0; i < length; i++)
        target[i] = (uint16_t)source[i];
}

static inline void we_narrow_ucs4_to_ucs1(int simd, const uint32_t *source, size_t length, uint8_t *target)
{
    (void)simd;
    for (size_t i = 0; i < length; i++)
        target[i] = (uint8_t)source[i];
}

static inline uint32_t we_or_ucs1(int simd, const uint8_t *source, size_t length)
{
    (void)simd;
    uint32_t all = 0;
    for (size_t i = 0; i < length; i++)
        all |= source[i];
    return all;
}

static inline uint32_t we_or_ucs2(int simd, const uint16_t *source, size_t length)
{
    (void)simd;
    uint32_t all = 0;
    for (size_t i = 0; i < length; i++)
        all |= source[i];
    return all;
}

static inline uint32_t we_or_ucs4(int simd, const uint32_t *source, size_t length)
{
    (void)simd;
    uint32_t all = 0;
    for (size_t i = 0; i < length; i++)
        all |= source[i];
    return all;
}

#endif
