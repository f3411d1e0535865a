/* Code points to UTF-16 units in native byte order, and back: what text above U+FFFF takes where units are 16 bits
 * wide.
 *
 * No variant branches on a single surrogate, as a processor can not predict where one is. */
#ifndef WE_UTF_16_UNITS_H
#define WE_UTF_16_UNITS_H

#include "ascii/avx512.h"

static inline size_t we_utf_16_put_scalar(const uint32_t *source, size_t length, uint16_t *target, size_t capacity)
{
    size_t read = 0, out = 0;
    /* The second unit is written where there is none, too, as long as the target has a place for it. */
    for (; read < length && capacity - out >= 2; read++) {
        const uint32_t code_point = source[read];
        const int two = code_point > 0xFFFF;
        target[out] = (uint16_t)(two ? 0xD7C0 + (code_point >> 10) : code_point);
        target[out + 1] = (uint16_t)(0xDC00 | (code_point & 0x3FF));
        out += two ? 2 : 1;
    }
    if (read < length && out < capacity)
        target[out++] = (uint16_t)source[read];
    return out;
}

static inline size_t we_utf_16_join_scalar(const uint16_t *source, size_t length, uint32_t *target, size_t capacity,
                                           size_t *written)
{
    size_t read = 0, out = 0;
    if (length > capacity)
        length = capacity;
    /* Each unit is written after the last code point, but the second of a pair over the first. */
    uint32_t before = 0;
    int high_before = 0;
    for (; read < length; read++) {
        const uint32_t unit = source[read];
        const int low = (unit & 0xFC00) == 0xDC00;
        if (low != high_before)
            break;
        out -= (size_t)low;
        target[out++] = low ? (before << 10) + unit - ((UINT32_C(0xD800) << 10) + 0xDC00 - 0x10000) : unit;
        high_before = (unit & 0xFC00) == 0xD800;
        before = unit;
    }
    /* The first half of a pair whose second is not there was not read. */
    *written = out - (size_t)high_before;
    return read - (size_t)high_before;
}

#if defined(WE_HAVE_AVX512)
/* Sixteen code points at a time, each in a lane of two units, of which the second is left out below U+10000. The plain
 * loop takes fewer than 16, or what a target has not got the 32 units of a store for. */
static inline WE_TARGET_AVX512 size_t we_utf_16_put_avx512(const uint32_t *source, size_t length, uint16_t *target,
                                                           size_t capacity)
{
    size_t read = 0, out = 0;
    for (; length - read >= 16 && capacity - out >= 32; read += 16) {
        const __m512i code_points = we_load_64(source + read);
        const __mmask16 two = _mm512_cmpgt_epu32_mask(code_points, _mm512_set1_epi32(0xFFFF));
        const __m512i high = _mm512_add_epi32(_mm512_srli_epi32(code_points, 10), _mm512_set1_epi32(0xD7C0));
        const __m512i low = _mm512_slli_epi32(_mm512_and_si512(code_points, _mm512_set1_epi32(0x3FF)), 16);
        const __m512i pairs = _mm512_or_si512(_mm512_or_si512(high, low), _mm512_set1_epi32((int)0xDC000000));
        const __m512i lanes = _mm512_mask_mov_epi32(code_points, two, pairs);
        const uint32_t kept = UINT32_C(0x55555555) | _pdep_u32(two, UINT32_C(0xAAAAAAAA));
        _mm512_storeu_si512(target + out, _mm512_maskz_compress_epi16(kept, lanes));
        out += 16 + (size_t)_mm_popcnt_u32(two);
    }
    return out + we_utf_16_put_scalar(source + read, length - read, target + out, capacity - out);
}

/* Sixteen units at a time, each read once: those that begin a pair are joined with the next, and those that end one are
 * left out. The plain loop takes them from a surrogate that is alone, or where fewer than 16 units are left or places
 * for the 16 code points of a store. */
static inline WE_TARGET_AVX512 size_t we_utf_16_join_avx512(const uint16_t *source, size_t length, uint32_t *target,
                                                            size_t capacity, size_t *written)
{
    const __m256i kind = _mm256_set1_epi16((short)0xFC00);
    size_t read = 0, out = 0;
    if (length > capacity)
        length = capacity;
    while (length - read >= 16 && capacity - out >= 16) {
        const __m256i units = (__m256i)we_load_32(source + read);
        const __m256i next = _mm256_alignr_epi8(_mm256_permute2x128_si256(units, units, 0x81), units, 2);
        const __m256i kinds = _mm256_and_si256(units, kind);
        const uint32_t high = _mm256_cmpeq_epi16_mask(kinds, _mm256_set1_epi16((short)0xD800));
        const uint32_t low = _mm256_cmpeq_epi16_mask(kinds, _mm256_set1_epi16((short)0xDC00));
        if (low != (high << 1 & 0xFFFF))
            break;
        /* A pair that begins in the last place is left for the next step. */
        const uint32_t taken = 16 - (high >> 15);
        const __m512i code_points = _mm512_cvtepu16_epi32(units);
        const __m512i pairs =
            _mm512_sub_epi32(_mm512_add_epi32(_mm512_slli_epi32(code_points, 10), _mm512_cvtepu16_epi32(next)),
                             _mm512_set1_epi32((0xD800 << 10) + 0xDC00 - 0x10000));
        const __m512i lanes = _mm512_mask_mov_epi32(code_points, (__mmask16)high, pairs);
        const __mmask16 kept = (__mmask16)(~low & ((UINT32_C(1) << taken) - 1));
        _mm512_storeu_si512(target + out, _mm512_maskz_compress_epi32(kept, lanes));
        out += (size_t)_mm_popcnt_u32(kept);
        read += taken;
    }
    read += we_utf_16_join_scalar(source + read, length - read, target + out, capacity - out, written);
    *written += out;
    return read;
}
#endif

#endif
