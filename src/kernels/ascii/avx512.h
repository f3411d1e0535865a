/* Runs of ASCII, and conversions between widths of units, with AVX-512: sixty-four items at a time.
 *
 * Each run must equal the step of a handler for ASCII, such as that of single_byte_decode_item or _encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */
#ifndef WE_ASCII_AVX512_H
#define WE_ASCII_AVX512_H

#include "ascii/avx2.h"

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

/* The lowest `count` bits, at most 64. */
WE_TARGET_AVX512 static inline uint64_t we_first_bits(size_t count)
{
    return _bzhi_u64(~UINT64_C(0), (unsigned)count);
}

/* The first `count` of 64 bytes: load them and zeros, or store them; others are not accessed. A masked store takes as
 * long as several plain ones, so only the last block of a run uses it. */
WE_TARGET_AVX512 static inline __m512i we_load_first_64(const void *source, size_t count)
{
    if (count >= 64)
        return we_load_64(source);
    __m512i loaded = _mm512_maskz_loadu_epi8(we_first_bits(count), source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

/* The same for 32 units, each loaded whole: before an inaccessible page processors load lane by lane, and a unit of
 * two lanes may change in between. */
WE_TARGET_AVX512 static inline __m512i we_load_first_units(const void *source, size_t count)
{
    if (count >= 32)
        return we_load_64(source);
    __m512i loaded = _mm512_maskz_loadu_epi16((__mmask32)we_first_bits(count), source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

WE_TARGET_AVX512 static inline void we_store_first_64(void *target, size_t count, __m512i bytes)
{
    if (count >= 64)
        _mm512_storeu_si512(target, bytes);
    else
        _mm512_mask_storeu_epi8(target, we_first_bits(count), bytes);
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

#endif
