/* UTF-16BE/LE to the three kinds of text with AVX2.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */
#ifndef WE_UTF_16_AVX2_H
#define WE_UTF_16_AVX2_H

#include "utf_16/vector_16.h"

#if defined(WE_HAVE_AVX2)

/* Copy blocks of 64 code units up to the first that has a surrogate and return how many units that are. Stores to
 * aligned addresses, and the loads of a block before its stores, save a third of the time. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_16_copy_avx2(const uint8_t *source, size_t length, int big_endian,
                                                            uint16_t *target)
{
    const __m256i swap =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    const __m256i bits = _mm256_set1_epi16((short)0xF800), expected = _mm256_set1_epi16((short)0xD800);
    size_t done = 0;
    for (int aligned = 0; length / 2 - done >= 64;) {
        __m256i units[4], surrogates = _mm256_setzero_si256();
        for (int k = 0; k < 4; k++) {
            units[k] = (__m256i)we_load_32(source + 2 * done + 32 * k);
            if (big_endian) {
                units[k] = _mm256_shuffle_epi8(units[k], swap);
            }
            surrogates = _mm256_or_si256(surrogates, _mm256_cmpeq_epi16(_mm256_and_si256(units[k], bits), expected));
        }
        if (!_mm256_testz_si256(surrogates, surrogates)) {
            break;
        }
        for (int k = 0; k < 4; k++) {
            _mm256_storeu_si256((__m256i *)(target + done) + k, units[k]);
        }
        done += 64;
        if (!aligned) {
            done -= (uintptr_t)(target + done) % 32 / 2; /* these units are copied again */
            aligned = 1;
        }
    }
    return done;
}

/* Blocks of 16 code units. The scalar twin converts a block that has surrogates, if the target holds what pairs stand
 * for. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_16_decode_avx2(const uint8_t *source, size_t length, int big_endian,
                                                              void *target, int kind, uint32_t max_code_point,
                                                              size_t *written)
{
    const __m256i swap =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    size_t out = kind == WE_UCS2 ? we_utf_16_copy_avx2(source, length, big_endian, target) : 0;
    size_t position = 2 * out; /* in bytes */
    size_t rest;
    while (length - position >= 32) {
        __m256i units = (__m256i)we_load_32(source + position);
        if (big_endian) {
            units = _mm256_shuffle_epi8(units, swap);
        }
        uint8_t *const at = (uint8_t *)target + out * unit_size;
        if (kind == WE_UCS1) {
            if (!_mm256_testz_si256(units, _mm256_set1_epi16((short)~max_code_point))) {
                break;
            }
            _mm_storeu_si128((__m128i *)at,
                             _mm_packus_epi16(_mm256_castsi256_si128(units), _mm256_extracti128_si256(units, 1)));
        } else {
            const __m256i surrogates = _mm256_cmpeq_epi16(_mm256_and_si256(units, _mm256_set1_epi16((short)0xF800)),
                                                          _mm256_set1_epi16((short)0xD800));
            if (!_mm256_testz_si256(surrogates, surrogates)) {
                if (kind == WE_UCS2) {
                    break;
                }
                /* One code unit more, as a pair may lie across the end of the block; it is read again if it is no
                 * trailing surrogate. */
                const size_t ahead = length - position < 34 ? length - position : 34;
                const size_t read =
                    we_utf_16_decode_scalar(source + position, ahead, big_endian, at, kind, max_code_point, &rest);
                out += rest;
                position += read;
                if (read < 32) {
                    *written = out;
                    return position;
                }
                continue;
            }
            if (kind == WE_UCS2) {
                _mm256_storeu_si256((__m256i *)at, units);
            } else {
                _mm256_storeu_si256((__m256i *)at, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(units)));
                _mm256_storeu_si256((__m256i *)at + 1, _mm256_cvtepu16_epi32(_mm256_extracti128_si256(units, 1)));
            }
        }
        position += 32;
        out += 16;
    }
    position += we_utf_16_decode_scalar(source + position, length - position, big_endian,
                                        (uint8_t *)target + out * unit_size, kind, max_code_point, &rest);
    *written = out + rest;
    return position;
}
#endif

#endif
