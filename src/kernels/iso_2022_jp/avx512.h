/* Runs within one state of ISO-2022-JP with AVX-512, in blocks of 64 bytes.
 *
 * Each kernel must equal the handler iso_2022_jp_decode_item or iso_2022_jp_encode_item, on the items that it converts:
 * https://encoding.spec.whatwg.org/#iso-2022-jp-decoder and #iso-2022-jp-encoder. */
#ifndef WE_ISO_2022_JP_AVX512_H
#define WE_ISO_2022_JP_AVX512_H

#include "double_byte/avx512.h"
#include "iso_2022_jp/vector_16.h"

#if defined(WE_HAVE_AVX512)
/* Store the keys of 32 pairs; return how many precede the first byte that belongs to no pair. */
WE_PAIRS_AVX512 size_t we_iso_2022_jp_find(const uint8_t *source, uint16_t *keys)
{
    __m512i bytes = we_load_64(source);
    uint64_t stops = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8(WE_JIS_FIRST)),
                                            _mm512_set1_epi8(WE_JIS_LAST - WE_JIS_FIRST));
    __m512i swapped = _mm512_or_si512(_mm512_slli_epi16(bytes, 8), _mm512_srli_epi16(bytes, 8));
    /* Fifteen bits, so that every key is in range. */
    _mm512_store_si512(keys,
                       _mm512_and_si512(_mm512_or_si512(swapped, _mm512_set1_epi16(0x80)), _mm512_set1_epi16(0x7FFF)));
    return (size_t)_tzcnt_u64(stops) / 2;
}

/* Decode pairs in blocks of 32, the last of which need not be full. As in we_double_byte_run_avx512, the keys of the
 * next block are found before the look-ups of this one. A block's 32 units take up to 96 bytes of UTF-8, the last
 * sixteen stored as 64: 112 bytes, within the capacity that 64 bytes of source bring in every kind. */
WE_PAIRS_AVX512 size_t we_iso_2022_jp_decode_pairs_avx512(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                          int kind, void *target, size_t *written)
{
    enum { BLOCK = 64 };
    const we_utf_8_encode_constants_512 utf_8 = we_utf_8_encode_constants_avx512();
    _Alignas(64) uint16_t keys[2][32];
    size_t read = 0, out = 0;
    if (length >= BLOCK) {
        size_t count = we_iso_2022_jp_find(source, keys[0]), next = 0;
        for (int turn = 0;; turn ^= 1, count = next) {
            int is_last = length - read < 2 * BLOCK;
            if (!is_last)
                next = we_iso_2022_jp_find(source + read + BLOCK, keys[turn ^ 1]);
            __asm__ volatile("" ::: "memory"); /* as there */
            __m512i units = we_look_pairs_up(pairs, keys[turn], count);
            uint32_t nulls = _mm512_testn_epi16_mask(units, units) & (uint32_t)we_first_bits(count);
            if (nulls) {
                /* A branch, so that the position of the next block does not depend on the look-ups. */
                count = (size_t)__builtin_ctz(nulls);
                __asm__ volatile("" : "+r"(count));
                *written = out + we_put_half_block(target, kind, out, units, count, 0, &utf_8);
                return read + 2 * count;
            }
            out += we_put_half_block(target, kind, out, units, count, 0, &utf_8);
            read += 2 * count;
            if (count < 32) {
                *written = out;
                return read;
            }
            if (is_last)
                break;
        }
    }
    size_t more;
    read +=
        we_iso_2022_jp_decode_pairs_scalar(source + read, length - read, pairs, kind, we_at(target, kind, out), &more);
    *written = out + more;
    return read;
}

/* Decode plain bytes in blocks of 64. */
WE_PAIRS_AVX512 size_t we_iso_2022_jp_decode_plain_avx512(const uint8_t *source, size_t length, int roman, int kind,
                                                          void *target)
{
    size_t read = 0;
    for (; length - read >= 64; read += 64) {
        __m512i bytes = we_load_64(source + read);
        void *at = we_at(target, kind, read);
        if (kind == WE_UTF8 || kind == WE_UCS1)
            _mm512_storeu_si512(at, bytes);
        else
            we_put_block(at, kind, 0, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)),
                         _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1)), 64, 0, NULL);
        uint64_t stops = _mm512_movepi8_mask(bytes) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(WE_ESCAPE))
                         | _mm512_cmpeq_epi8_mask(_mm512_or_si512(bytes, _mm512_set1_epi8(WE_SHIFT_OUT ^ WE_SHIFT_IN)),
                                                  _mm512_set1_epi8(WE_SHIFT_IN));
        if (roman)
            stops |= _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(WE_ROMAN_YEN_SIGN))
                     | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(WE_ROMAN_OVERLINE));
        if (stops)
            return read + (size_t)__builtin_ctzll(stops);
    }
    return read
           + we_iso_2022_jp_plain(source + read, WE_UCS1, length - read, roman, we_at(target, kind, read), kind, 1);
}
#endif

#endif
