/* Runs of ASCII, and conversions between widths of units, with AVX2: thirty-two items at a time. */
#ifndef WE_ASCII_AVX2_H
#define WE_ASCII_AVX2_H

#include "ascii/vector_16.h"

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
WE_CONVERT(we_widen_ucs2_to_ucs4_avx2, WE_TARGET_AVX2, uint16_t, uint32_t, 16, we_widen_step_ucs2_to_ucs4_16_avx2,
           we_widen_ucs2_to_ucs4_bytes_16)
WE_CONVERT(we_narrow_ucs2_to_ucs1_avx2, WE_TARGET_AVX2, uint16_t, uint8_t, 32, we_narrow_step_ucs2_to_ucs1_32,
           we_narrow_ucs2_to_ucs1_bytes_16)
WE_CONVERT(we_narrow_ucs4_to_ucs2_avx2, WE_TARGET_AVX2, uint32_t, uint16_t, 16, we_narrow_step_ucs4_to_ucs2_16_avx2,
           we_narrow_ucs4_to_ucs2_bytes_16)
WE_CONVERT(we_narrow_ucs4_to_ucs1_avx2, WE_TARGET_AVX2, uint32_t, uint8_t, 32, we_narrow_step_ucs4_to_ucs1_32,
           we_narrow_ucs4_to_ucs1_bytes_16)

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
        return we_ascii_length_bytes_16(source, length);
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
    return we_fold_16(half) | we_or_blocks_bytes_16(source, blocks);
}
#endif

#endif
