/* Runs of ASCII, and conversions between widths of units.
 *
 * A run extends to the first item above U+007F or the end, and its length is returned. It may write anything within
 * target[0..length), and reads within source[0..length) alone. Each vector is loaded once, so that the bytes that are
 * stored are those that were checked, even if another thread writes to the source.
 *
 * A variant is a step, which converts one block and returns how many of its items are ASCII, in the loop that
 * WE_ASCII_RUN defines; the next smaller variant takes the remainder. Where text switches between scripts a run ends
 * within a few bytes, so the public functions take the first sixteen items inline.
 */
#ifndef WE_ASCII_KERNELS_H
#define WE_ASCII_KERNELS_H

#include "ascii/avx512.h"

/* Call the best variant of `name` that is not above `simd`; WE_BEST_OF_AVX2 where no variant is above AVX2. */
#if defined(WE_HAVE_AVX2)
#define WE_BEST_OF_AVX2(name, ...)                                                                                     \
    (simd >= WE_SIMD_AVX2   ? name##_avx2(__VA_ARGS__)                                                                 \
     : simd >= WE_SIMD_SSE2 ? name##_bytes_16(__VA_ARGS__)                                                             \
                            : name##_scalar(__VA_ARGS__))
#elif defined(WE_HAVE_BYTES_16)
#define WE_BEST_OF_AVX2(name, ...) (simd >= WE_SIMD_SSE2 ? name##_bytes_16(__VA_ARGS__) : name##_scalar(__VA_ARGS__))
#else
#define WE_BEST_OF_AVX2(name, ...) ((void)simd, name##_scalar(__VA_ARGS__))
#endif
#if defined(WE_HAVE_AVX512)
#define WE_BEST_OF_AVX512(name, ...)                                                                                   \
    (simd >= WE_SIMD_AVX512 ? name##_avx512(__VA_ARGS__) : WE_BEST_OF_AVX2(name, __VA_ARGS__))
#else
#define WE_BEST_OF_AVX512(name, ...) WE_BEST_OF_AVX2(name, __VA_ARGS__)
#endif

/* Return from the caller if the run ends among the first sixteen items. Otherwise the variant for long runs starts at
 * the first. */
#if defined(WE_HAVE_BYTES_16)
#define WE_RETURN_IF_SHORT(step)                                                                                       \
    do {                                                                                                               \
        if (simd >= WE_SIMD_SSE2 && length >= 16) {                                                                    \
            size_t ascii = step(source, target);                                                                       \
            if (ascii < 16)                                                                                            \
                return ascii;                                                                                          \
        }                                                                                                              \
    } while (0)
#else
#define WE_RETURN_IF_SHORT(step) (void)simd
#endif

/* Return the length of the run of ASCII bytes (https://infra.spec.whatwg.org/#ascii-byte) at the start of `source`. */
static inline size_t we_ascii_length(int simd, const uint8_t *source, size_t length)
{
    return WE_BEST_OF_AVX512(we_ascii_length, source, length);
}

static inline size_t we_ascii_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target)
{
    WE_RETURN_IF_SHORT(we_ascii_step_to_ucs1_16);
    return WE_BEST_OF_AVX512(we_ascii_run_to_ucs1, source, length, target);
}

static inline size_t we_ascii_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
{
    WE_RETURN_IF_SHORT(we_ascii_step_to_ucs2_16);
    return WE_BEST_OF_AVX512(we_ascii_run_to_ucs2, source, length, target);
}

static inline size_t we_ascii_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
{
    WE_RETURN_IF_SHORT(we_ascii_step_to_ucs4_16);
    return WE_BEST_OF_AVX2(we_ascii_run_to_ucs4, source, length, target);
}

static inline size_t we_ascii_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target)
{
    WE_RETURN_IF_SHORT(we_ascii_step_from_ucs2_16);
    return WE_BEST_OF_AVX512(we_ascii_run_from_ucs2, source, length, target);
}

static inline size_t we_ascii_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target)
{
    WE_RETURN_IF_SHORT(we_ascii_step_from_ucs4_16);
    return WE_BEST_OF_AVX2(we_ascii_run_from_ucs4, source, length, target);
}

static inline void we_widen_ucs1_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
{
    WE_BEST_OF_AVX2(we_widen_ucs1_to_ucs2, source, length, target);
}

static inline void we_widen_ucs1_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
{
    WE_BEST_OF_AVX2(we_widen_ucs1_to_ucs4, source, length, target);
}

static inline void we_widen_ucs2_to_ucs4(int simd, const uint16_t *source, size_t length, uint32_t *target)
{
    WE_BEST_OF_AVX2(we_widen_ucs2_to_ucs4, source, length, target);
}

/* The narrowing conversions keep the low bits. The caller guarantees that every unit fits. */
static inline void we_narrow_ucs2_to_ucs1(int simd, const uint16_t *source, size_t length, uint8_t *target)
{
    WE_BEST_OF_AVX2(we_narrow_ucs2_to_ucs1, source, length, target);
}

static inline void we_narrow_ucs4_to_ucs2(int simd, const uint32_t *source, size_t length, uint16_t *target)
{
    WE_BEST_OF_AVX2(we_narrow_ucs4_to_ucs2, source, length, target);
}

static inline void we_narrow_ucs4_to_ucs1(int simd, const uint32_t *source, size_t length, uint8_t *target)
{
    WE_BEST_OF_AVX2(we_narrow_ucs4_to_ucs1, source, length, target);
}

/* Return the OR of all units, an upper bound of which tells the kind of string that holds them. */
static inline uint32_t we_or_ucs4(int simd, const uint32_t *source, size_t length)
{
    size_t blocks = length / 16;
    uint64_t bytes = WE_BEST_OF_AVX2(we_or_blocks, (const uint8_t *)source, blocks);
    uint32_t all = (uint32_t)(bytes | bytes >> 32);
    for (size_t i = blocks * 16; i < length; i++)
        all |= source[i];
    return all;
}

static inline uint32_t we_or_ucs2(int simd, const uint16_t *source, size_t length)
{
    size_t blocks = length / 32;
    uint64_t bytes = WE_BEST_OF_AVX2(we_or_blocks, (const uint8_t *)source, blocks);
    bytes |= bytes >> 32;
    uint32_t all = (uint16_t)(bytes | bytes >> 16);
    for (size_t i = blocks * 32; i < length; i++)
        all |= source[i];
    return all;
}

static inline uint32_t we_or_ucs1(int simd, const uint8_t *source, size_t length)
{
    size_t blocks = length / 64;
    uint64_t bytes = WE_BEST_OF_AVX2(we_or_blocks, source, blocks);
    bytes |= bytes >> 32;
    bytes |= bytes >> 16;
    uint32_t all = (uint8_t)(bytes | bytes >> 8);
    for (size_t i = blocks * 64; i < length; i++)
        all |= source[i];
    return all;
}

#endif
