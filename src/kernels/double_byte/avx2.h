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
#undef WE_WIDTH
#define WE_WIDTH 32

/* 64 bytes, and the positions of their leading and trailing bytes. */
typedef struct {
    we_bytes_32 bytes[2];
    uint64_t leading;
    uint64_t trailing; /* bit 0: the trailing byte of a pair that began in the block before */
} we_double_byte_block_avx2;

/* All ones in the bytes whose bit is set. */
WE_PAIRS_AVX2 we_bytes_32 we_bytes_of_bits_avx2(uint32_t bits)
{
    const we_bytes_32 byte_of =
        (we_bytes_32)_mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const we_bytes_32 bit_of = (we_bytes_32)_mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    return we_equal_u8(we_shuffle(we_all_u32(bits), byte_of) & bit_of, bit_of);
}

/* One bit for each of 32 bytes with the high bit except half-width katakana, A1 to DF, which the subtraction takes to
 * 00 to 3E. */
WE_PAIRS_AVX2 uint32_t we_high_bits_avx2(we_bytes_32 bytes, int katakana)
{
    if (katakana) {
        const we_bytes_32 range = we_all_u8(WE_KATAKANA_LAST - WE_KATAKANA_FIRST);
        bytes &= ~we_at_least_u8(range, bytes - WE_KATAKANA_FIRST);
    }
    return we_bits(bytes);
}

/* Find the pairs of a block, and store in `keys` one key for each two bytes: that of the pair that begins at either
 * of them, or 15 arbitrary bits if none does. Read 65 bytes. */
WE_PAIRS_AVX2 we_double_byte_block_avx2 we_double_byte_find_avx2(const uint8_t *source, int katakana,
                                                                 uint64_t is_trailing, uint16_t *keys)
{
    we_double_byte_block_avx2 block;
    block.bytes[0] = we_load(source);
    block.bytes[1] = we_load(source + 32);
    const uint64_t high =
        we_high_bits_avx2(block.bytes[0], katakana) | (uint64_t)we_high_bits_avx2(block.bytes[1], katakana) << 32;
    block.leading = we_leading_bytes_of(high & ~is_trailing);
    block.trailing = block.leading << 1 | is_trailing;
    for (int half = 0; half < 2; half++) {
        /* A pair that begins at the second of two bytes continues in the first of the next two. */
        const we_bytes_32 bytes = block.bytes[half];
        const we_bytes_32 at_leading = we_bytes_of_bits_avx2((uint32_t)(block.leading >> half * 32));
        const we_bytes_32 next = half == 0 ? block.bytes[1] : we_all_u8(source[64]);
        const we_bytes_32 from_second = WE_BYTES_AFTER_32(bytes, next, 1); /* the source is read once */
        const we_bytes_32 found = we_swap_u16(we_blend(WE_SHIFT_RIGHT_S16(at_leading, 8), from_second, bytes));
        we_store(keys + half * 16, found & we_all_u16(0x7FFF));
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
WE_PAIRS_AVX2 void we_write_eight_avx2(void *target, int kind, size_t out, we_bytes_16 units)
{
    if (kind == WE_UCS2)
        we_store_16((uint16_t *)target + out, units);
    else
        we_widen_8_units_to_ucs4(units, (uint32_t *)target + out);
}

/* Write at target + out the units whose bit is set; return how many. Eight are stored. */
WE_PAIRS_AVX2 size_t we_put_eight_avx2(void *target, int kind, size_t out, we_bytes_16 units, uint32_t characters)
{
    we_write_eight_avx2(target, kind, out, we_shuffle_16(units, we_peek_16(&we_set_units[characters])));
    return we_count_of_8(characters);
}

/* Write at target + out 32 units, given as their low and their high bytes, except those of `trailing`; return how many.
 * Each eight are stored whole, at most at the position that they would have if there were no trailing bytes. */
WE_PAIRS_AVX2 size_t we_put_half_avx2(void *target, int kind, size_t out, we_bytes_32 low, we_bytes_32 high,
                                      uint32_t trailing)
{
    const we_bytes_32 first = we_zip_low_u8(low, high), second = we_zip_high_u8(low, high);
    size_t end = out;
    end += we_put_eight_avx2(target, kind, end, we_sixteen(first, 0), ~trailing & 0xFF);
    end += we_put_eight_avx2(target, kind, end, we_sixteen(second, 0), ~trailing >> 8 & 0xFF);
    end += we_put_eight_avx2(target, kind, end, we_sixteen(first, 1), ~trailing >> 16 & 0xFF);
    end += we_put_eight_avx2(target, kind, end, we_sixteen(second, 1), ~trailing >> 24);
    return end - out;
}

/* The same without trailing bytes. */
WE_PAIRS_AVX2 size_t we_put_singles_avx2(void *target, int kind, size_t out, we_bytes_32 low, we_bytes_32 high)
{
    const we_bytes_32 first = we_zip_low_u8(low, high), second = we_zip_high_u8(low, high);
    we_write_eight_avx2(target, kind, out, we_sixteen(first, 0));
    we_write_eight_avx2(target, kind, out + 8, we_sixteen(second, 0));
    we_write_eight_avx2(target, kind, out + 16, we_sixteen(first, 1));
    we_write_eight_avx2(target, kind, out + 24, we_sixteen(second, 1));
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
    static const uint8_t first_twice[16] = {0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14};
    const we_bytes_32 twice = we_load_row(first_twice), zero = we_all_u8(0);
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
        we_bytes_32 low[2], high[2], nulls = zero;
        for (int half = 0; half < 2; half++) {
            low[half] = block.bytes[half];
            high[half] = zero;
            if (katakana) {
                high[half] = we_high_u8(low[half]);
                low[half] += high[half] & (WE_KATAKANA_OFFSET & 0xFF);
            }
        }
        if (block.leading | block.trailing) {
            for (int half = 0; half < 2; half++) {
                const we_bytes_32 leading = we_bytes_of_bits_avx2((uint32_t)(block.leading >> half * 32));
                const uint16_t *key = keys[turn] + half * 16;
                const we_bytes_32 units =
                    (we_bytes_32)_mm256_setr_m128i(we_eight_pairs(pairs, key), we_eight_pairs(pairs, key + 8));
                nulls |= we_equal_u16(units, zero) & leading;
                const we_bytes_32 units_high = we_shuffle(WE_SHIFT_RIGHT_U16(units, 8), twice);
                low[half] = we_blend(leading, we_shuffle(units, twice), low[half]);
                high[half] = katakana ? we_blend(leading, units_high, high[half]) : units_high & leading;
            }
            if (we_any(nulls)) {
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

#define WE_LEVEL avx2
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#include "double_byte/vector.h"
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL
#undef WE_LEVEL_TARGET
#endif

#endif
