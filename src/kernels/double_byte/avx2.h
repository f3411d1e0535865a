/* Runs of two-byte characters with AVX2, decoding in blocks of 64 bytes. scalar.h describes a run.
 *
 * No two leading bytes are adjacent, so two bytes of source hold at most one: 32 look-ups suffice for a block wherever
 * its pairs begin, and no position waits for the result of a look-up. Each unit replaces its leading byte, in one
 * vector of the units' low bytes and one of their high bytes, and the positions of trailing bytes are compressed away.
 * The only branch is whether a block is ASCII: in text with short words, and in markup that is read for the first time,
 * mispredicted branches take most of the time.
 *
 * Each kernel must equal a handler, on the items that its table has: shift_jis, euc_jp, euc_kr, big5 or gb18030
 * _decode_item, shift_jis, euc_jp, euc_kr, big5, gbk or gb18030 _encode_item. https://encoding.spec.whatwg.org/
 * #shift_jis-decoder, #euc-jp-decoder, #euc-kr-decoder, #big5-decoder, #gb18030-decoder, and #shift_jis-encoder to
 * #gb18030-encoder. */
#ifndef WE_DOUBLE_BYTE_AVX2_H
#define WE_DOUBLE_BYTE_AVX2_H

#include "double_byte/vector_16.h"

#if defined(WE_HAVE_AVX2)
#define WE_PAIRS_AVX2 WE_PAIRS_INLINE WE_TARGET_AVX2

/* 64 bytes, and the positions of their leading and trailing bytes. */
typedef struct {
    __m256i bytes[2];
    uint64_t leading;
    uint64_t trailing; /* bit 0: the trailing byte of a pair that began in the block before */
} we_double_byte_block_avx2;

/* All ones in the bytes whose bit is set. */
WE_PAIRS_AVX2 __m256i we_bytes_of_bits_avx2(uint32_t bits)
{
    const __m256i byte_of = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit_of = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), byte_of), bit_of),
                             bit_of);
}

/* One bit for each of 32 bytes with the high bit except half-width katakana, A1 to DF, which the subtraction takes to
 * 00 to 3E. */
WE_PAIRS_AVX2 uint32_t we_high_bits_avx2(__m256i bytes, int katakana)
{
    if (katakana) {
        __m256i from_first = _mm256_sub_epi8(bytes, _mm256_set1_epi8((char)WE_KATAKANA_FIRST));
        __m256i within = _mm256_min_epu8(from_first, _mm256_set1_epi8(WE_KATAKANA_LAST - WE_KATAKANA_FIRST));
        bytes = _mm256_andnot_si256(_mm256_cmpeq_epi8(within, from_first), bytes);
    }
    return (uint32_t)_mm256_movemask_epi8(bytes);
}

/* Find the pairs of a block, and store in `keys` one key for each two bytes: that of the pair that begins at either
 * of them, or 15 arbitrary bits if none does. Read 65 bytes. */
WE_PAIRS_AVX2 we_double_byte_block_avx2 we_double_byte_find_avx2(const uint8_t *source, int katakana,
                                                                 uint64_t is_trailing, uint16_t *keys)
{
    const __m256i swap =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    we_double_byte_block_avx2 block;
    block.bytes[0] = (__m256i)we_load_32(source);
    block.bytes[1] = (__m256i)we_load_32(source + 32);
    uint64_t high =
        we_high_bits_avx2(block.bytes[0], katakana) | (uint64_t)we_high_bits_avx2(block.bytes[1], katakana) << 32;
    block.leading = we_leading_bytes_of(high & ~is_trailing);
    block.trailing = block.leading << 1 | is_trailing;
    for (int half = 0; half < 2; half++) {
        /* A pair that begins at the second of two bytes continues in the first of the next two. */
        __m256i at_second = _mm256_srai_epi16(we_bytes_of_bits_avx2((uint32_t)(block.leading >> half * 32)), 8);
        __m256i next = half == 0 ? block.bytes[1] : _mm256_set1_epi8((char)source[64]);
        __m256i from_second = _mm256_alignr_epi8(_mm256_permute2x128_si256(block.bytes[half], next, 0x21),
                                                 block.bytes[half], 1); /* the source is read once */
        __m256i found = _mm256_shuffle_epi8(_mm256_blendv_epi8(block.bytes[half], from_second, at_second), swap);
        _mm256_store_si256((__m256i *)(keys + half * 16), _mm256_and_si256(found, _mm256_set1_epi16(0x7FFF)));
    }
    return block;
}

/* Eight units by eight keys; for AVX-512 as well. */
WE_PAIRS_AVX2 __m128i we_eight_pairs(const uint16_t *pairs, const uint16_t *keys)
{
    __m128i units = _mm_cvtsi32_si128(pairs[keys[0]]);
    units = _mm_insert_epi16(units, pairs[keys[1]], 1);
    units = _mm_insert_epi16(units, pairs[keys[2]], 2);
    units = _mm_insert_epi16(units, pairs[keys[3]], 3);
    units = _mm_insert_epi16(units, pairs[keys[4]], 4);
    units = _mm_insert_epi16(units, pairs[keys[5]], 5);
    units = _mm_insert_epi16(units, pairs[keys[6]], 6);
    return _mm_insert_epi16(units, pairs[keys[7]], 7);
}

/* Write eight units at target + out. */
WE_PAIRS_AVX2 void we_write_eight_avx2(void *target, int kind, size_t out, __m128i units)
{
    if (kind == WE_UCS2)
        _mm_storeu_si128((__m128i *)((uint16_t *)target + out), units);
    else
        _mm256_storeu_si256((__m256i *)((uint32_t *)target + out), _mm256_cvtepu16_epi32(units));
}

/* Write at target + out the units whose bit is set; return how many. Eight are stored. */
WE_PAIRS_AVX2 size_t we_put_eight_avx2(void *target, int kind, size_t out, __m128i units, uint32_t characters)
{
    const __m128i places = _mm_load_si128((const __m128i *)&we_set_units[characters]);
    we_write_eight_avx2(target, kind, out, _mm_shuffle_epi8(units, places));
    return (size_t)_mm_popcnt_u32(characters);
}

/* Write at target + out 32 units, given as their low and their high bytes, except those of `trailing`; return how many.
 * Each eight are stored whole, at most at the position that they would have if there were no trailing bytes. */
WE_PAIRS_AVX2 size_t we_put_half_avx2(void *target, int kind, size_t out, __m256i low, __m256i high, uint32_t trailing)
{
    const __m256i first = _mm256_unpacklo_epi8(low, high), second = _mm256_unpackhi_epi8(low, high);
    size_t end = out;
    end += we_put_eight_avx2(target, kind, end, _mm256_castsi256_si128(first), ~trailing & 0xFF);
    end += we_put_eight_avx2(target, kind, end, _mm256_castsi256_si128(second), ~trailing >> 8 & 0xFF);
    end += we_put_eight_avx2(target, kind, end, _mm256_extracti128_si256(first, 1), ~trailing >> 16 & 0xFF);
    end += we_put_eight_avx2(target, kind, end, _mm256_extracti128_si256(second, 1), ~trailing >> 24);
    return end - out;
}

/* The same without trailing bytes. */
WE_PAIRS_AVX2 size_t we_put_singles_avx2(void *target, int kind, size_t out, __m256i low, __m256i high)
{
    const __m256i first = _mm256_unpacklo_epi8(low, high), second = _mm256_unpackhi_epi8(low, high);
    we_write_eight_avx2(target, kind, out, _mm256_castsi256_si128(first));
    we_write_eight_avx2(target, kind, out + 8, _mm256_castsi256_si128(second));
    we_write_eight_avx2(target, kind, out + 16, _mm256_extracti128_si256(first, 1));
    we_write_eight_avx2(target, kind, out + 24, _mm256_extracti128_si256(second, 1));
    return 32;
}

/* Decode whole blocks; `kind` is UCS2 or UCS4. Return the bytes read, and stop before what is no pair, or where fewer
 * bytes are left than a block asks for: 72, since its last may be a leading byte whose trailing byte the next block
 * skips, and UTF-8 needs the capacity of seven more.
 *
 * The pairs of the next block are found before the look-ups of this one. Capacity: no character takes more than its
 * bytes bring, so a block's units, written eight at a time, stay within the capacity of its bytes. */
WE_PAIRS_AVX2 size_t we_double_byte_blocks_avx2(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                int katakana, int kind, void *target, size_t *written)
{
    enum { BLOCK = 64, BLOCK_ASKS = 72 };
    const __m256i twice =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14));
    const __m256i zero = _mm256_setzero_si256();
    _Alignas(32) uint16_t keys[2][32];
    size_t read = 0, out = 0;
    *written = 0;
    if (length < BLOCK_ASKS)
        return 0;
    int turn = 0;
    we_double_byte_block_avx2 block = we_double_byte_find_avx2(source, katakana, 0, keys[0]), next = block;
    for (;; turn ^= 1, block = next) {
        int is_last = length - read < BLOCK + BLOCK_ASKS;
        if (!is_last)
            next = we_double_byte_find_avx2(source + read + BLOCK, katakana, block.leading >> 63, keys[turn ^ 1]);
        /* Make the compiler load the keys: extracting them from the vector that was stored takes longer. */
        __asm__ volatile("" ::: "memory");
        __m256i low[2], high[2], nulls = zero;
        for (int half = 0; half < 2; half++) {
            low[half] = block.bytes[half];
            high[half] = zero;
            if (katakana) {
                high[half] = _mm256_cmpgt_epi8(zero, low[half]);
                low[half] = _mm256_add_epi8(
                    low[half], _mm256_and_si256(high[half], _mm256_set1_epi8((char)(WE_KATAKANA_OFFSET & 0xFF))));
            }
        }
        if (block.leading | block.trailing) {
            for (int half = 0; half < 2; half++) {
                __m256i leading = we_bytes_of_bits_avx2((uint32_t)(block.leading >> half * 32));
                const uint16_t *key = keys[turn] + half * 16;
                __m256i units = _mm256_setr_m128i(we_eight_pairs(pairs, key), we_eight_pairs(pairs, key + 8));
                nulls = _mm256_or_si256(nulls, _mm256_and_si256(_mm256_cmpeq_epi16(units, zero), leading));
                __m256i units_high = _mm256_shuffle_epi8(_mm256_srli_epi16(units, 8), twice);
                low[half] = _mm256_blendv_epi8(low[half], _mm256_shuffle_epi8(units, twice), leading);
                high[half] = katakana ? _mm256_blendv_epi8(high[half], units_high, leading)
                                      : _mm256_and_si256(units_high, leading);
            }
            if (!_mm256_testz_si256(nulls, nulls)) {
                *written = out;
                return read + (block.trailing & 1);
            }
            out += we_put_half_avx2(target, kind, out, low[0], high[0], (uint32_t)block.trailing);
            out += we_put_half_avx2(target, kind, out, low[1], high[1], (uint32_t)(block.trailing >> 32));
        } else {
            out += we_put_singles_avx2(target, kind, out, low[0], high[0]);
            out += we_put_singles_avx2(target, kind, out, low[1], high[1]);
        }
        read += BLOCK;
        if (is_last) {
            *written = out;
            return read + (block.leading >> 63);
        }
    }
}

/* How many of `length` bytes, a multiple of 32, have the high bit. */
WE_PAIRS_AVX2 size_t we_high_count_avx2(const uint8_t *source, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i += 32)
        count += (size_t)_mm_popcnt_u32((uint32_t)_mm256_movemask_epi8((__m256i)we_load_32(source + i)));
    return count;
}

/* Decode to UTF-8 in pieces: dense ones through units on the stack, which are encoded together; those that are mostly
 * ASCII by the plain run, which copies ASCII and looks up no slower. Return the bytes read; some may be left. */
WE_PAIRS_AVX2 size_t we_double_byte_pieces_avx2(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                int katakana, uint8_t *target, size_t *written)
{
    enum { PIECE = 1024, PIECE_ASKS = PIECE + 8 };
    uint16_t units[PIECE];
    size_t read = 0, out = 0, piece, count;
    do {
        if (length - read < PIECE_ASKS)
            break;
        if (we_high_count_avx2(source + read, PIECE) < PIECE / 2) {
            piece = we_double_byte_decode_loop(source + read, PIECE, pairs, katakana, 1, WE_UTF8, target + out, &count);
        } else {
            piece = we_double_byte_blocks_avx2(source + read, PIECE_ASKS, pairs, katakana, WE_UCS2, units, &count);
            /* May write up to eight bytes beyond its output, for which the seven bytes of source that are left bring
             * the capacity. */
            we_utf_8_encode_avx2(units, WE_UCS2, count, target + out, &count);
        }
        read += piece;
        out += count;
    } while (piece >= PIECE - 1); /* the last byte of a piece may be a leading byte, which the plain run leaves */
    *written = out;
    return read;
}

/* The run: blocks or pieces, and the rest. */
WE_PAIRS_AVX2 size_t we_double_byte_run_avx2(const uint8_t *source, size_t length, const uint16_t *pairs, int katakana,
                                             int kind, void *target, size_t *written)
{
    size_t out, more;
    size_t read = kind == WE_UTF8 ? we_double_byte_pieces_avx2(source, length, pairs, katakana, (uint8_t *)target, &out)
                                  : we_double_byte_blocks_avx2(source, length, pairs, katakana, kind, target, &out);
    read += we_double_byte_decode_loop(source + read, length - read, pairs, katakana, 1, kind, we_at(target, kind, out),
                                       &more);
    *written = out + more;
    return read;
}

#endif

#endif
