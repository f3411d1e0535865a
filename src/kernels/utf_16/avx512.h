/* UTF-16BE/LE to the three kinds of text with AVX-512.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */
#ifndef WE_UTF_16_AVX512_H
#define WE_UTF_16_AVX512_H

#include "utf_16/avx2.h"
#include "utf_8/avx512.h"

#if defined(WE_HAVE_AVX512)

/* Return the mask of the code units that are surrogates. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 uint32_t we_utf_16_surrogates_avx512(__m512i units)
{
    return _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, _mm512_set1_epi16((short)0xF800)),
                                   _mm512_set1_epi16((short)0xD800));
}

/* The same with blocks of 128 code units. `bits` is the run's: see codec.h. Units that are read again for the sake of
 * alignment count as they are read last. */
WE_TARGET_AVX512 static inline size_t we_utf_16_copy_avx512(const uint8_t *source, size_t length, int big_endian,
                                                            uint16_t *target, uint32_t *bits)
{
    const __m512i swap = _mm512_set4_epi32(0x0E0F0C0D, 0x0A0B0809, 0x06070405, 0x02030001);
    __m512i all = _mm512_setzero_si512();
    size_t done = 0;
    for (int aligned = 0; length / 2 - done >= 128;) {
        __m512i units[4];
        uint32_t surrogates = 0;
        for (int k = 0; k < 4; k++) {
            units[k] = we_load_64(source + 2 * done + 64 * k);
            if (big_endian) {
                units[k] = _mm512_shuffle_epi8(units[k], swap);
            }
            surrogates |= we_utf_16_surrogates_avx512(units[k]);
        }
        if (surrogates != 0) {
            break;
        }
        for (int k = 0; k < 4; k++) {
            _mm512_storeu_si512(target + done + 32 * k, units[k]);
        }
        done += 128;
        if (!aligned) {
            const unsigned again = (unsigned)((uintptr_t)(target + done) % 64 / 2); /* the last of these units */
            done -= again;
            units[3] = _mm512_maskz_mov_epi16(_bzhi_u32(~UINT32_C(0), 32 - again), units[3]);
            aligned = 1;
        }
        for (int k = 0; k < 4; k++) {
            all = _mm512_or_si512(all, units[k]);
        }
    }
    *bits |= _mm512_test_epi16_mask(all, _mm512_set1_epi16((short)0xFF00)) ? 0x100 : 0;
    return done;
}

/* Blocks of 32 code units, each read once. As in utf_8/avx512.h a code point belongs to the block in which it ends, an
 * error cuts off the ends above it, and a remainder of fewer than 32 is a block as well. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_16_decode_avx512(const uint8_t *source, size_t length, int big_endian,
                                                                 void *target, int kind, uint32_t max_code_point,
                                                                 size_t *written)
{
    const __m512i swap = _mm512_set4_epi32(0x0E0F0C0D, 0x0A0B0809, 0x06070405, 0x02030001);
    const size_t units_in_source = length / 2;
    __m512i units_before = _mm512_setzero_si512();
    uint32_t leading_before = 0; /* 1 if the block before ended in a high surrogate */
    size_t position = 0;         /* in code units */
    size_t out = 0;
    for (;; position += 32) {
        const size_t ahead = units_in_source - position;
        const int full = ahead >= 32;
        const uint32_t inside = _bzhi_u32(~UINT32_C(0), full ? 32 : (unsigned)ahead);
        __m512i units = we_load_first_units(source + 2 * position, ahead);
        if (big_endian) {
            units = _mm512_shuffle_epi8(units, swap);
        }
        if (kind == WE_UCS1) {
            const uint32_t error = _mm512_cmpgt_epu16_mask(units, _mm512_set1_epi16((short)max_code_point));
            if (full && error == 0) {
                _mm256_storeu_si256((__m256i *)((uint8_t *)target + out), _mm512_cvtepi16_epi8(units));
                out += 32;
                continue;
            }
            const uint32_t ends = inside & (_blsi_u32(error) - 1);
            const size_t count = (size_t)__builtin_popcount(ends);
            _mm256_mask_storeu_epi8((uint8_t *)target + out, ends, _mm512_cvtepi16_epi8(units));
            *written = out + count;
            return 2 * (position + count);
        }
        const uint32_t surrogates = we_utf_16_surrogates_avx512(units);
        if (full && (surrogates | leading_before) == 0) {
            if (kind == WE_UCS2) {
                _mm512_storeu_si512((uint16_t *)target + out, units);
            } else {
                we_store_32_ucs4_avx512((uint32_t *)target + out, units, _mm256_setzero_si256(), 0, 32, 1);
            }
            out += 32;
            continue;
        }
        if (kind == WE_UCS2) {
            const uint32_t ends = inside & (_blsi_u32(surrogates) - 1);
            const size_t count = (size_t)__builtin_popcount(ends);
            _mm512_mask_storeu_epi16((uint16_t *)target + out, ends, units);
            *written = out + count;
            return 2 * (position + count);
        }
        const uint32_t leading = _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, _mm512_set1_epi16((short)0xFC00)),
                                                         _mm512_set1_epi16((short)0xD800));
        const uint32_t trailing = surrogates & ~leading;
        const uint32_t error = (trailing ^ (leading << 1 | leading_before)) & inside;
        const uint32_t ends = ~leading & inside & (_blsi_u32(error) - 1);
        const __m512i before = _mm512_alignr_epi8(units, _mm512_alignr_epi64(units, units_before, 6), 14);
        for (int i = 0; i < 2; i++) {
            const __m512i low =
                _mm512_cvtepu16_epi32(i ? _mm512_extracti64x4_epi64(units, 1) : _mm512_castsi512_si256(units));
            const __m512i high =
                _mm512_cvtepu16_epi32(i ? _mm512_extracti64x4_epi64(before, 1) : _mm512_castsi512_si256(before));
            const __m512i joined = _mm512_add_epi32(_mm512_slli_epi32(high, 10), low);
            const __m512i code_points =
                _mm512_mask_sub_epi32(low, (__mmask16)(trailing >> 16 * i), joined, _mm512_set1_epi32(0x35FDC00));
            const uint32_t ends_here = ends >> 16 * i & 0xFFFF;
            const size_t count = (size_t)__builtin_popcount(ends_here);
            we_store_ucs4_avx512((uint32_t *)target + out,
                                 _mm512_maskz_compress_epi32((__mmask16)ends_here, code_points), count, full);
            out += count;
        }
        if (error || !full) {
            *written = out;
            return 2 * (ends ? position + 32 - (size_t)__builtin_clz(ends) : position - leading_before);
        }
        leading_before = leading >> 31;
        units_before = units;
    }
}

/* Copy blocks, then decode what is left of the run. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_16_copy_run_avx512(const uint8_t *source, size_t length, int big_endian,
                                                                   uint16_t *target, size_t *written, uint32_t *bits)
{
    const size_t done = we_utf_16_copy_avx512(source, length, big_endian, target, bits);
    const size_t read = we_utf_16_decode_avx512(source + 2 * done, length - 2 * done, big_endian, target + done,
                                                WE_UCS2, 0xFFFF, written);
    *written += done;
    return 2 * done + read;
}
#endif

#endif
