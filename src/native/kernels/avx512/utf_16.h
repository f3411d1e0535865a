/* UTF-16BE/LE to UCS4 with AVX-512, and back in native byte order. To UCS1 and UCS2, AVX2 is as fast.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */

/* Blocks of 32 code units, each read once. As in avx512/utf_8.h a code point belongs to the block in which it ends, an
 * error cuts off the ends above it, and a remainder of fewer than 32 is a block as well. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_16_to_ucs4_avx512(const uint8_t *source, size_t length, int big_endian,
                                                                  uint32_t *target, size_t *written)
{
    const __m512i swap = _mm512_set4_epi32(0x0E0F0C0D, 0x0A0B0809, 0x06070405, 0x02030001);
    const __m512i kinds = _mm512_set1_epi16((short)0xFC00);
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
        if (big_endian)
            units = _mm512_shuffle_epi8(units, swap);
        const __m512i kind = _mm512_and_si512(units, kinds);
        const uint32_t leading = _mm512_cmpeq_epi16_mask(kind, _mm512_set1_epi16((short)0xD800));
        const uint32_t trailing = _mm512_cmpeq_epi16_mask(kind, _mm512_set1_epi16((short)0xDC00));
        if (full && (leading | trailing | leading_before) == 0) {
            we_store_32_ucs4_avx512(target + out, units, _mm256_setzero_si256(), 0, 32, 1);
            out += 32;
            continue;
        }
        const uint32_t error = (trailing ^ (leading << 1 | leading_before)) & inside;
        const uint32_t ends = ~leading & inside & ((error & (0u - error)) - 1);
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
            we_store_first_64(target + out, full ? 64 : 4 * count,
                              _mm512_maskz_compress_epi32((__mmask16)ends_here, code_points));
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

WE_RUN(we_utf_16_run_to_ucs4, (const uint8_t *source, size_t length, int big_endian, uint32_t *target, size_t *written),
       big_endian ? we_utf_16_to_ucs4_avx512(source, length, 1, target, written)
                  : we_utf_16_to_ucs4_avx512(source, length, 0, target, written))

/* Sixteen code points at a time, each in a lane of two units, of which the second is left out below U+10000. The scalar
 * loop takes the last code points: fewer than 16, or where the target has no capacity for a store of 32 units. */
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
