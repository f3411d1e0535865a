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
#ifndef WE_ASCII_H
#define WE_ASCII_H

#include "codec.h"
#include "cpu.h"
#include "vector_16.h"

/* Stores to addresses that are a multiple of their size take up to a third less time. Of the first `block` items, this
 * many are converted again, so that the stores that follow are aligned. They are fewer than `block`, a power of two. */
#define WE_MISALIGNED(items, block) ((uintptr_t)(items) / sizeof *(items) % (block))
enum { WE_WORTH_ALIGNING = 512 }; /* items */

/* Defines a run that converts `block` items at a time by `step`, and the remainder by `rest`. */
#define WE_ASCII_RUN(name, attributes, source_type, target_type, block, step, rest)                                    \
    attributes static inline size_t name(const source_type *source, size_t length, target_type *target)                \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        if (length >= WE_WORTH_ALIGNING) {                                                                             \
            size_t ascii = step(source, target);                                                                       \
            if (ascii < (block))                                                                                       \
                return ascii;                                                                                          \
            i = (block) - WE_MISALIGNED(target, block);                                                                \
        }                                                                                                              \
        for (; length - i >= (block); i += (block)) {                                                                  \
            size_t ascii = step(source + i, target + i);                                                               \
            if (ascii < (block))                                                                                       \
                return i + ascii;                                                                                      \
        }                                                                                                              \
        return i + rest(source + i, length - i, target + i);                                                           \
    }

/* Defines a conversion of `block` items at a time by `step`, and of the remainder by `rest`. */
#define WE_CONVERT(name, attributes, source_type, target_type, block, step, rest)                                      \
    attributes static inline void name(const source_type *source, size_t length, target_type *target)                  \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        if (length >= WE_WORTH_ALIGNING) {                                                                             \
            step(source, target);                                                                                      \
            i = (block) - WE_MISALIGNED(target, block);                                                                \
        }                                                                                                              \
        for (; length - i >= (block); i += (block))                                                                    \
            step(source + i, target + i);                                                                              \
        rest(source + i, length - i, target + i);                                                                      \
    }

/* ---- Scalar ------------------------------------------------------------------------------------------------------ */

static inline int we_is_ascii_8(uint64_t bytes)
{
    return (bytes & UINT64_C(0x8080808080808080)) == 0;
}

#define WE_ASCII_RUN_SCALAR(name, source_type, target_type)                                                            \
    static inline size_t name(const source_type *source, size_t length, target_type *target)                           \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        for (; i < length; i++) {                                                                                      \
            source_type unit = source[i];                                                                              \
            if (unit >= 0x80)                                                                                          \
                break;                                                                                                 \
            target[i] = (target_type)unit;                                                                             \
        }                                                                                                              \
        return i;                                                                                                      \
    }

WE_ASCII_RUN_SCALAR(we_ascii_few_to_ucs1, uint8_t, uint8_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_to_ucs2_scalar, uint8_t, uint16_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_to_ucs4_scalar, uint8_t, uint32_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_from_ucs2_scalar, uint16_t, uint8_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_from_ucs4_scalar, uint32_t, uint8_t)

static inline size_t we_ascii_run_to_ucs1_scalar(const uint8_t *source, size_t length, uint8_t *target)
{
    size_t i = 0;
    for (; length - i >= 8; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, source + i, 8);
        if (!we_is_ascii_8(bytes))
            break;
        memcpy(target + i, &bytes, 8);
    }
    return i + we_ascii_few_to_ucs1(source + i, length - i, target + i);
}

static inline size_t we_ascii_length_scalar(const uint8_t *source, size_t length)
{
    size_t i = 0;
    for (; length - i >= 8; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, source + i, 8);
        if (!we_is_ascii_8(bytes))
            break;
    }
    while (i < length && source[i] < 0x80)
        i++;
    return i;
}

#define WE_CONVERT_SCALAR(name, source_type, target_type)                                                              \
    static inline void name(const source_type *source, size_t length, target_type *target)                             \
    {                                                                                                                  \
        for (size_t i = 0; i < length; i++)                                                                            \
            target[i] = (target_type)source[i];                                                                        \
    }

WE_CONVERT_SCALAR(we_widen_ucs1_to_ucs2_scalar, uint8_t, uint16_t)
WE_CONVERT_SCALAR(we_widen_ucs1_to_ucs4_scalar, uint8_t, uint32_t)
WE_CONVERT_SCALAR(we_widen_ucs2_to_ucs4_scalar, uint16_t, uint32_t)
WE_CONVERT_SCALAR(we_narrow_ucs2_to_ucs1_scalar, uint16_t, uint8_t)
WE_CONVERT_SCALAR(we_narrow_ucs4_to_ucs2_scalar, uint32_t, uint16_t)
WE_CONVERT_SCALAR(we_narrow_ucs4_to_ucs1_scalar, uint32_t, uint8_t)

/* Return the OR of blocks * 64 bytes, as eight bytes. */
static inline uint64_t we_or_blocks_scalar(const uint8_t *source, size_t blocks)
{
    uint64_t all = 0;
    for (const uint8_t *end = source + blocks * 64; source != end; source += 8) {
        uint64_t bytes;
        memcpy(&bytes, source, 8);
        all |= bytes;
    }
    return all;
}

/* ---- Sixteen items: the baseline of vector_16.h ------------------------------------------------------------------ */

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

WE_ASCII_RUN(we_ascii_run_to_ucs1_16, , uint8_t, uint8_t, 16, we_ascii_step_to_ucs1_16, we_ascii_run_to_ucs1_scalar)
WE_ASCII_RUN(we_ascii_run_to_ucs2_16, , uint8_t, uint16_t, 16, we_ascii_step_to_ucs2_16, we_ascii_run_to_ucs2_scalar)
WE_ASCII_RUN(we_ascii_run_to_ucs4_16, , uint8_t, uint32_t, 16, we_ascii_step_to_ucs4_16, we_ascii_run_to_ucs4_scalar)
WE_ASCII_RUN(we_ascii_run_from_ucs2_16, , uint16_t, uint8_t, 16, we_ascii_step_from_ucs2_16,
             we_ascii_run_from_ucs2_scalar)
WE_ASCII_RUN(we_ascii_run_from_ucs4_16, , uint32_t, uint8_t, 16, we_ascii_step_from_ucs4_16,
             we_ascii_run_from_ucs4_scalar)

WE_CONVERT(we_widen_ucs1_to_ucs2_16, , uint8_t, uint16_t, 16, we_widen_step_ucs1_to_ucs2_16,
           we_widen_ucs1_to_ucs2_scalar)
WE_CONVERT(we_widen_ucs1_to_ucs4_16, , uint8_t, uint32_t, 16, we_widen_step_ucs1_to_ucs4_16,
           we_widen_ucs1_to_ucs4_scalar)
WE_CONVERT(we_widen_ucs2_to_ucs4_16, , uint16_t, uint32_t, 16, we_widen_step_ucs2_to_ucs4_16,
           we_widen_ucs2_to_ucs4_scalar)
WE_CONVERT(we_narrow_ucs2_to_ucs1_16, , uint16_t, uint8_t, 16, we_narrow_step_ucs2_to_ucs1_16,
           we_narrow_ucs2_to_ucs1_scalar)
WE_CONVERT(we_narrow_ucs4_to_ucs2_16, , uint32_t, uint16_t, 16, we_narrow_step_ucs4_to_ucs2_16,
           we_narrow_ucs4_to_ucs2_scalar)
WE_CONVERT(we_narrow_ucs4_to_ucs1_16, , uint32_t, uint8_t, 16, we_narrow_step_ucs4_to_ucs1_16,
           we_narrow_ucs4_to_ucs1_scalar)

static inline size_t we_ascii_length_16(const uint8_t *source, size_t length)
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

static inline uint64_t we_or_blocks_16(const uint8_t *source, size_t blocks)
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

/* ---- AVX2: thirty-two items -------------------------------------------------------------------------------------- */

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline __m256i we_load_32(const void *source)
{
    __m256i loaded = _mm256_loadu_si256((const __m256i *)source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

/* The same for a vector that is only tested. */
WE_TARGET_AVX2 static inline __m256i we_peek_32(const void *source)
{
    return _mm256_loadu_si256((const __m256i *)source);
}

WE_TARGET_AVX2 static inline void we_store_32(void *target, __m256i bytes)
{
    _mm256_storeu_si256((__m256i *)target, bytes);
}

WE_TARGET_AVX2 static inline size_t we_ascii_in_32(__m256i bytes)
{
    return (size_t)_tzcnt_u32((unsigned)_mm256_movemask_epi8(bytes)); /* 32 for 0 */
}

WE_TARGET_AVX2 static inline void we_widen_32_to_ucs2(__m256i bytes, uint16_t *target)
{
    we_store_32(target, _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)));
    we_store_32(target + 16, _mm256_cvtepu8_epi16(_mm256_extracti128_si256(bytes, 1)));
}

WE_TARGET_AVX2 static inline void we_widen_32_to_ucs4(__m256i bytes, uint32_t *target)
{
    __m128i low = _mm256_castsi256_si128(bytes), high = _mm256_extracti128_si256(bytes, 1);
    we_store_32(target, _mm256_cvtepu8_epi32(low));
    we_store_32(target + 8, _mm256_cvtepu8_epi32(_mm_srli_si128(low, 8)));
    we_store_32(target + 16, _mm256_cvtepu8_epi32(high));
    we_store_32(target + 24, _mm256_cvtepu8_epi32(_mm_srli_si128(high, 8)));
}

/* Put the quarters of a result of packus or packs, which work within 128-bit lanes, in order. */
WE_TARGET_AVX2 static inline __m256i we_in_order_32(__m256i packed)
{
    return _mm256_permute4x64_epi64(packed, 0xD8);
}

WE_TARGET_AVX2 static inline __m256i we_low_bytes_32(__m256i a, __m256i b)
{
    __m256i low = _mm256_set1_epi16(0x00FF);
    return we_in_order_32(_mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low)));
}

WE_TARGET_AVX2 static inline __m256i we_low_units_16(__m256i a, __m256i b)
{
    __m256i low = _mm256_set1_epi32(0xFFFF);
    return we_in_order_32(_mm256_packus_epi32(_mm256_and_si256(a, low), _mm256_and_si256(b, low)));
}

WE_TARGET_AVX2 static inline size_t we_ascii_step_to_ucs1_32(const uint8_t *source, uint8_t *target)
{
    __m256i bytes = we_load_32(source);
    we_store_32(target, bytes);
    return we_ascii_in_32(bytes);
}

WE_TARGET_AVX2 static inline size_t we_ascii_step_to_ucs2_32(const uint8_t *source, uint16_t *target)
{
    __m256i bytes = we_load_32(source);
    we_widen_32_to_ucs2(bytes, target);
    return we_ascii_in_32(bytes);
}

WE_TARGET_AVX2 static inline size_t we_ascii_step_to_ucs4_32(const uint8_t *source, uint32_t *target)
{
    __m256i bytes = we_load_32(source);
    we_widen_32_to_ucs4(bytes, target);
    return we_ascii_in_32(bytes);
}

WE_TARGET_AVX2 static inline size_t we_ascii_step_from_ucs2_32(const uint16_t *source, uint8_t *target)
{
    __m256i a = we_load_32(source), b = we_load_32(source + 16), most = _mm256_set1_epi16(0x00FF);
    /* The smaller of the unit and 0xFF keeps packus, which reads signed units, from giving 0 for 0x8000 and above. */
    __m256i bytes = we_in_order_32(_mm256_packus_epi16(_mm256_min_epu16(a, most), _mm256_min_epu16(b, most)));
    we_store_32(target, bytes);
    return we_ascii_in_32(bytes);
}

WE_TARGET_AVX2 static inline size_t we_ascii_step_from_ucs4_32(const uint32_t *source, uint8_t *target)
{
    __m256i a = we_load_32(source), b = we_load_32(source + 8), c = we_load_32(source + 16),
            d = we_load_32(source + 24);
    __m256i all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    if (!_mm256_testz_si256(all, _mm256_set1_epi32(~0x7F)))
        return we_ascii_run_from_ucs4_scalar(source, 32, target);
    we_store_32(target, we_low_bytes_32(we_low_units_16(a, b), we_low_units_16(c, d)));
    return 32;
}

WE_TARGET_AVX2 static inline void we_widen_step_ucs1_to_ucs2_32(const uint8_t *source, uint16_t *target)
{
    we_widen_32_to_ucs2(we_load_32(source), target);
}

WE_TARGET_AVX2 static inline void we_widen_step_ucs1_to_ucs4_32(const uint8_t *source, uint32_t *target)
{
    we_widen_32_to_ucs4(we_load_32(source), target);
}

WE_TARGET_AVX2 static inline void we_widen_step_ucs2_to_ucs4_16_avx2(const uint16_t *source, uint32_t *target)
{
    __m256i units = we_load_32(source);
    we_store_32(target, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(units)));
    we_store_32(target + 8, _mm256_cvtepu16_epi32(_mm256_extracti128_si256(units, 1)));
}

WE_TARGET_AVX2 static inline void we_narrow_step_ucs2_to_ucs1_32(const uint16_t *source, uint8_t *target)
{
    we_store_32(target, we_low_bytes_32(we_load_32(source), we_load_32(source + 16)));
}

WE_TARGET_AVX2 static inline void we_narrow_step_ucs4_to_ucs2_16_avx2(const uint32_t *source, uint16_t *target)
{
    we_store_32(target, we_low_units_16(we_load_32(source), we_load_32(source + 8)));
}

WE_TARGET_AVX2 static inline void we_narrow_step_ucs4_to_ucs1_32(const uint32_t *source, uint8_t *target)
{
    __m256i low = we_low_units_16(we_load_32(source), we_load_32(source + 8));
    we_store_32(target, we_low_bytes_32(low, we_low_units_16(we_load_32(source + 16), we_load_32(source + 24))));
}

WE_ASCII_RUN(we_ascii_run_to_ucs1_avx2, WE_TARGET_AVX2, uint8_t, uint8_t, 32, we_ascii_step_to_ucs1_32,
             we_ascii_run_to_ucs1_16)
WE_ASCII_RUN(we_ascii_run_to_ucs2_avx2, WE_TARGET_AVX2, uint8_t, uint16_t, 32, we_ascii_step_to_ucs2_32,
             we_ascii_run_to_ucs2_16)
WE_ASCII_RUN(we_ascii_run_to_ucs4_avx2, WE_TARGET_AVX2, uint8_t, uint32_t, 32, we_ascii_step_to_ucs4_32,
             we_ascii_run_to_ucs4_16)
WE_ASCII_RUN(we_ascii_run_from_ucs2_avx2, WE_TARGET_AVX2, uint16_t, uint8_t, 32, we_ascii_step_from_ucs2_32,
             we_ascii_run_from_ucs2_16)
WE_ASCII_RUN(we_ascii_run_from_ucs4_avx2, WE_TARGET_AVX2, uint32_t, uint8_t, 32, we_ascii_step_from_ucs4_32,
             we_ascii_run_from_ucs4_16)

WE_CONVERT(we_widen_ucs1_to_ucs2_avx2, WE_TARGET_AVX2, uint8_t, uint16_t, 32, we_widen_step_ucs1_to_ucs2_32,
           we_widen_ucs1_to_ucs2_16)
WE_CONVERT(we_widen_ucs1_to_ucs4_avx2, WE_TARGET_AVX2, uint8_t, uint32_t, 32, we_widen_step_ucs1_to_ucs4_32,
           we_widen_ucs1_to_ucs4_16)
WE_CONVERT(we_widen_ucs2_to_ucs4_avx2, WE_TARGET_AVX2, uint16_t, uint32_t, 16, we_widen_step_ucs2_to_ucs4_16_avx2,
           we_widen_ucs2_to_ucs4_16)
WE_CONVERT(we_narrow_ucs2_to_ucs1_avx2, WE_TARGET_AVX2, uint16_t, uint8_t, 32, we_narrow_step_ucs2_to_ucs1_32,
           we_narrow_ucs2_to_ucs1_16)
WE_CONVERT(we_narrow_ucs4_to_ucs2_avx2, WE_TARGET_AVX2, uint32_t, uint16_t, 16, we_narrow_step_ucs4_to_ucs2_16_avx2,
           we_narrow_ucs4_to_ucs2_16)
WE_CONVERT(we_narrow_ucs4_to_ucs1_avx2, WE_TARGET_AVX2, uint32_t, uint8_t, 32, we_narrow_step_ucs4_to_ucs1_32,
           we_narrow_ucs4_to_ucs1_16)

WE_TARGET_AVX2 static inline size_t we_ascii_length_avx2(const uint8_t *source, size_t length)
{
    size_t i = 0;
    for (; length - i >= 128; i += 128) {
        __m256i a = _mm256_or_si256(we_peek_32(source + i), we_peek_32(source + i + 32));
        __m256i b = _mm256_or_si256(we_peek_32(source + i + 64), we_peek_32(source + i + 96));
        if (_mm256_movemask_epi8(_mm256_or_si256(a, b)) != 0)
            break;
    }
    for (; length - i >= 32; i += 32) {
        size_t ascii = we_ascii_in_32(we_peek_32(source + i));
        if (ascii < 32)
            return i + ascii;
    }
    if (length < 32)
        return we_ascii_length_16(source, length);
    return i == length ? length : length - 32 + we_ascii_in_32(we_peek_32(source + length - 32));
}

WE_TARGET_AVX2 static inline uint64_t we_or_blocks_avx2(const uint8_t *source, size_t blocks)
{
    __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
    for (; blocks >= 2; blocks -= 2, source += 128) {
        a = _mm256_or_si256(a, we_peek_32(source));
        b = _mm256_or_si256(b, we_peek_32(source + 32));
        c = _mm256_or_si256(c, we_peek_32(source + 64));
        d = _mm256_or_si256(d, we_peek_32(source + 96));
    }
    a = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    return we_fold_16(half) | we_or_blocks_16(source, blocks);
}
#endif

/* ---- AVX-512: sixty-four items ----------------------------------------------------------------------------------- */

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_ascii_in_64(__m512i bytes)
{
    return (size_t)_tzcnt_u64(_cvtmask64_u64(_mm512_movepi8_mask(bytes))); /* 64 for 0 */
}

WE_TARGET_AVX512 static inline __m512i we_load_64(const void *source)
{
    __m512i loaded = _mm512_loadu_si512(source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

/* The low bytes of two vectors of 16-bit units. */
WE_TARGET_AVX512 static inline __m512i we_low_bytes_64(__m512i a, __m512i b)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(a)), _mm512_cvtepi16_epi8(b), 1);
}

WE_TARGET_AVX512 static inline size_t we_ascii_step_to_ucs1_64(const uint8_t *source, uint8_t *target)
{
    __m512i bytes = we_load_64(source);
    _mm512_storeu_si512(target, bytes);
    return we_ascii_in_64(bytes);
}

WE_TARGET_AVX512 static inline size_t we_ascii_step_to_ucs2_64(const uint8_t *source, uint16_t *target)
{
    __m512i bytes = we_load_64(source);
    _mm512_storeu_si512(target, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)));
    _mm512_storeu_si512(target + 32, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1)));
    return we_ascii_in_64(bytes);
}

WE_TARGET_AVX512 static inline size_t we_ascii_step_from_ucs2_64(const uint16_t *source, uint8_t *target)
{
    __m512i a = we_load_64(source), b = we_load_64(source + 32);
    __m512i bytes = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtusepi16_epi8(a)), _mm512_cvtusepi16_epi8(b), 1);
    _mm512_storeu_si512(target, bytes);
    return we_ascii_in_64(bytes);
}

WE_ASCII_RUN(we_ascii_run_to_ucs1_avx512, WE_TARGET_AVX512, uint8_t, uint8_t, 64, we_ascii_step_to_ucs1_64,
             we_ascii_run_to_ucs1_avx2)
WE_ASCII_RUN(we_ascii_run_to_ucs2_avx512, WE_TARGET_AVX512, uint8_t, uint16_t, 64, we_ascii_step_to_ucs2_64,
             we_ascii_run_to_ucs2_avx2)
WE_ASCII_RUN(we_ascii_run_from_ucs2_avx512, WE_TARGET_AVX512, uint16_t, uint8_t, 64, we_ascii_step_from_ucs2_64,
             we_ascii_run_from_ucs2_avx2)

WE_TARGET_AVX512 static inline size_t we_ascii_length_avx512(const uint8_t *source, size_t length)
{
    size_t i = 0;
    for (; length - i >= 256; i += 256) {
        __m512i a = _mm512_or_si512(_mm512_loadu_si512(source + i), _mm512_loadu_si512(source + i + 64));
        __m512i b = _mm512_or_si512(_mm512_loadu_si512(source + i + 128), _mm512_loadu_si512(source + i + 192));
        if (we_ascii_in_64(_mm512_or_si512(a, b)) < 64)
            break;
    }
    for (; length - i >= 64; i += 64) {
        size_t ascii = we_ascii_in_64(_mm512_loadu_si512(source + i));
        if (ascii < 64)
            return i + ascii;
    }
    return i + we_ascii_length_avx2(source + i, length - i);
}
#endif

/* ---- The public names -------------------------------------------------------------------------------------------- */

/* Call the best variant of `name` that is not above `simd`; WE_BEST_OF_AVX2 where no variant is above AVX2. */
#if defined(WE_HAVE_AVX2)
#define WE_BEST_OF_AVX2(name, ...)                                                                                     \
    (simd >= WE_SIMD_AVX2   ? name##_avx2(__VA_ARGS__)                                                                 \
     : simd >= WE_SIMD_SSE2 ? name##_16(__VA_ARGS__)                                                                   \
                            : name##_scalar(__VA_ARGS__))
#elif defined(WE_HAVE_BYTES_16)
#define WE_BEST_OF_AVX2(name, ...) (simd >= WE_SIMD_SSE2 ? name##_16(__VA_ARGS__) : name##_scalar(__VA_ARGS__))
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

/* Return the OR of a sample of the target's units: of an 8-byte word in each sixteenth of it. */
static inline uint32_t we_glance(const void *target, size_t length, int kind)
{
    const uint8_t *bytes = (const uint8_t *)target;
    size_t words = (length << kind) / 8;
    size_t step = words < 16 ? 8 : words / 16 * 8;
    uint64_t all = 0;
    for (size_t word = 0; word < (words < 16 ? words : 16); word++) {
        uint64_t units;
        memcpy(&units, bytes + word * step, sizeof units);
        all |= units;
    }
    all |= all >> 32;
    if (kind == WE_UCS4)
        return (uint32_t)all;
    all |= all >> 16;
    return kind == WE_UCS2 ? (uint16_t)all : (uint8_t)(all | all >> 8);
}

#endif
