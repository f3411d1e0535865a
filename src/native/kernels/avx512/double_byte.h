/* Runs of two-byte characters with AVX-512, in blocks of 64 bytes and of 32 units. double_byte.h describes a
 * run, scalar/double_byte.h names the handlers that each kernel must equal. */

/* ---- Decoding -------------------------------------------------------------------------------------------- */

#define WE_PAIRS_AVX512 WE_ALWAYS_INLINE WE_TARGET_AVX512

/* 64 bytes, and the positions of their leading and trailing bytes. */
typedef struct {
    __m512i bytes;
    uint64_t leading;
    uint64_t trailing; /* bit 0: the trailing byte of a pair that began in the block before */
} we_double_byte_block;

/* Return whether each byte of a block belongs to a pair: 32 begin in it, in the order of the units that they give. */
WE_PAIRS_AVX512 int we_is_dense(const we_double_byte_block *block)
{
    return (block->leading | block->trailing) == UINT64_MAX;
}

/* Find the pairs of a block and store their keys, in order, in the first of `keys`; the others are 15 arbitrary bits.
 * Read 65 bytes, if `length` is not less; those that are missing are 0, which is the trailing byte of no pair.
 *
 * vpcompressb merges into its own source instead of zeroing: even with zeroing it depends on its target (Zen 4), which
 * would be the result of the block before. */
WE_PAIRS_AVX512 we_double_byte_block we_double_byte_find(const uint8_t *source, size_t length, int katakana,
                                                         uint64_t is_trailing, uint16_t *keys)
{
    we_double_byte_block block;
    block.bytes = we_load_first_64(source, length);
    uint64_t high = _mm512_movepi8_mask(block.bytes) & ~is_trailing;
    if (katakana)
        high &= ~_mm512_cmple_epu8_mask(_mm512_sub_epi8(block.bytes, _mm512_set1_epi8((char)WE_KATAKANA_FIRST)),
                                        _mm512_set1_epi8(WE_KATAKANA_LAST - WE_KATAKANA_FIRST));
    block.leading = we_leading_bytes_of(high);
    block.trailing = block.leading << 1 | is_trailing;
    if (we_is_dense(&block)) {
        const __m512i pairs = block.leading & 1 ? block.bytes : we_load_first_64(source + 1, length - 1);
        const __m512i swapped = _mm512_or_si512(_mm512_slli_epi16(pairs, 8), _mm512_srli_epi16(pairs, 8));
        _mm512_store_si512(keys, _mm512_and_si512(swapped, _mm512_set1_epi16(0x7FFF)));
    } else if (high) {
        __m512i next = we_load_first_64(source + 1, length - 1);
        __m512i leading = _mm512_mask_compress_epi8(block.bytes, block.leading, block.bytes);
        __m512i trailing = _mm512_mask_compress_epi8(next, block.leading, next);
        leading = _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(leading)), 8);
        trailing = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(trailing));
        _mm512_store_si512(keys, _mm512_and_si512(_mm512_or_si512(leading, trailing), _mm512_set1_epi16(0x7FFF)));
    }
    return block;
}

/* The units of the first `count` keys; the others are arbitrary. */
WE_PAIRS_AVX512 __m512i we_look_pairs_up(const uint16_t *pairs, const uint16_t *keys, size_t count)
{
    if (count <= 8)
        return _mm512_zextsi128_si512((__m128i)we_look_up_16(pairs, keys));
    __m256i low = _mm256_set_m128i((__m128i)we_look_up_16(pairs, keys + 8), (__m128i)we_look_up_16(pairs, keys));
    if (count <= 16)
        return _mm512_zextsi256_si512(low);
    __m256i high = _mm256_set_m128i((__m128i)we_look_up_16(pairs, keys + 24), (__m128i)we_look_up_16(pairs, keys + 16));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Widen single bytes to units: ASCII and half-width katakana. */
WE_PAIRS_AVX512 __m512i we_widen_singles(__m256i bytes, int katakana)
{
    __m512i units = _mm512_cvtepu8_epi16(bytes);
    if (katakana)
        units = _mm512_mask_add_epi16(units, _mm256_movepi8_mask(bytes), units,
                                      _mm512_set1_epi16((short)WE_KATAKANA_OFFSET));
    return units;
}

/* Write the first `count` of 16 units below U+10000 as UTF-8; return how many bytes. Store 64, or if `exactly` no more
 * than that. */
WE_PAIRS_AVX512 size_t we_put_sixteen_utf8(uint8_t *target, __m512i units, size_t count, int exactly,
                                           const we_utf_8_encode_constants_avx512 *utf_8)
{
    const __m512i lanes = we_utf_8_up_to_three_avx512(units, utf_8);
    const uint64_t kept = (_mm512_movepi8_mask(lanes) | UINT64_C(0x4444444444444444)) & we_first_bits(count * 4);
    const size_t bytes = (size_t)_mm_popcnt_u64(kept);
    we_store_first_64(target, exactly ? bytes : 64, _mm512_mask_compress_epi8(lanes, kept, lanes));
    return bytes;
}

/* Write the first `count` of 32 units at target + out; return how many units (UTF-8: bytes). Store 32 units, or of
 * UTF-8 64 bytes from where the last sixteen units begin; or if `exactly` no more than `count` units. */
WE_PAIRS_AVX512 size_t we_put_half_block(void *target, int kind, size_t out, __m512i units, size_t count, int exactly,
                                         const we_utf_8_encode_constants_avx512 *utf_8)
{
    uint8_t *at = (uint8_t *)we_at(target, kind, out);
    __m256i low = _mm512_castsi512_si256(units), high = _mm512_extracti64x4_epi64(units, 1);
    const size_t in_low = count < 16 ? count : 16;
    if (kind == WE_UCS2) {
        we_store_first_64(at, exactly ? 2 * count : 64, units);
        return count;
    }
    const __m512i wide_low = _mm512_cvtepu16_epi32(low), wide_high = _mm512_cvtepu16_epi32(high);
    if (kind == WE_UCS4) {
        we_store_first_64(at, exactly ? 4 * in_low : 64, wide_low);
        we_store_first_64(at + 64, exactly ? 4 * (count - in_low) : 64, wide_high);
        return count;
    }
    size_t bytes = we_put_sixteen_utf8(at, wide_low, in_low, exactly, utf_8);
    if (count > 16)
        bytes += we_put_sixteen_utf8(at + bytes, wide_high, count - 16, exactly, utf_8);
    return bytes;
}

/* Write the first `count` of 64 units at target + out; return how many units (UTF-8: bytes). Store more than that:
 * of UCS2 and UCS4 32 units after the first 32, of UTF-8 64 bytes from where the last sixteen units begin; or if
 * `exactly` no more than `count` units. */
WE_PAIRS_AVX512 size_t we_put_block(void *target, int kind, size_t out, __m512i low, __m512i high, size_t count,
                                    int exactly, const we_utf_8_encode_constants_avx512 *utf_8)
{
    size_t put = we_put_half_block(target, kind, out, low, count < 32 ? count : 32, exactly, utf_8);
    if ((kind != WE_UTF8 && !exactly) || count > 32)
        put += we_put_half_block(target, kind, out + put, high, count < 32 ? 0 : count - 32, exactly, utf_8);
    return put;
}

/* Write the characters that begin in the first `length` bytes of a block, up to a pair without an entry; return how
 * many units (UTF-8: bytes), and set the position of that pair, or `length`. Store as we_put_block. */
WE_PAIRS_AVX512 size_t we_put_characters(void *target, int kind, size_t out, const we_double_byte_block *block,
                                         size_t length, size_t room, const uint16_t *keys, const uint16_t *pairs,
                                         int katakana, int exactly, const we_utf_8_encode_constants_avx512 *utf_8,
                                         size_t *stop)
{
    const __m512i places = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13,
                                            12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    uint64_t characters = ~block->trailing & we_first_bits(length);
    if (exactly && (size_t)_mm_popcnt_u64(characters) > room) {
        const uint64_t fit = _pdep_u64(we_first_bits(room), characters);
        length = (size_t)_tzcnt_u64(characters & ~fit);
        characters = fit;
    }
    *stop = length;
    if ((block->leading | block->trailing) == 0) {
        if (kind == WE_UTF8 && (!katakana || _mm512_movepi8_mask(block->bytes) == 0)) {
            we_store_first_64((uint8_t *)target + out, exactly ? length : 64, block->bytes);
            return length;
        }
        return we_put_block(target, kind, out, we_widen_singles(_mm512_castsi512_si256(block->bytes), katakana),
                            we_widen_singles(_mm512_extracti64x4_epi64(block->bytes, 1), katakana), length, exactly,
                            utf_8);
    }
    size_t count = (size_t)_mm_popcnt_u64(block->leading);
    __m512i units = we_look_pairs_up(pairs, keys, count);
    uint32_t nulls = _mm512_testn_epi16_mask(units, units) & (uint32_t)we_first_bits(count);
    if (nulls) {
        uint64_t null = _pdep_u64(nulls & -nulls, block->leading);
        if (characters & null) {
            characters &= null - 1;
            *stop = (size_t)__builtin_ctzll(null);
        }
    }
    if (kind == WE_UCS2 && !exactly && !nulls && we_is_dense(block)) {
        _mm512_storeu_si512((uint16_t *)target + out, units);
        return count;
    }
    /* The first byte of each character, widened, and the unit in place of each leading byte. */
    __m512i first = _mm512_mask_compress_epi8(block->bytes, characters, block->bytes);
    __m512i low = we_widen_singles(_mm512_castsi512_si256(first), katakana);
    __m512i high = we_widen_singles(_mm512_extracti64x4_epi64(first, 1), katakana);
    uint64_t are_pairs = _pext_u64(block->leading, characters);
    __m512i after_low = _mm512_add_epi16(places, _mm512_set1_epi16((short)_mm_popcnt_u32((uint32_t)are_pairs)));
    low = _mm512_mask_expand_epi16(low, (__mmask32)are_pairs, units);
    high = _mm512_mask_expand_epi16(high, (__mmask32)(are_pairs >> 32), _mm512_permutexvar_epi16(after_low, units));
    return we_put_block(target, kind, out, low, high, (size_t)_mm_popcnt_u64(characters), exactly, utf_8);
}

/* The run in blocks of 64 bytes. The pairs of the next block are found before the look-ups of this one: a look-up that
 * depends on a key just stored stalls what follows.
 *
 * A block needs 72 bytes: its last may be a leading byte whose trailing byte the next block skips; and its 64
 * units take up to 192 bytes of UTF-8, of which the last sixteen units begin at 144 and are stored as 64 bytes, so
 * that 16 bytes more are needed, which six bytes of source bring. The other kinds store 64 units. Capacity: no
 * character before source + read takes more than its bytes bring. What is left, and a short run, is a block of fewer
 * bytes, which loads and stores no others; below LEAST bytes the scalar run is as fast. */
WE_PAIRS_AVX512 size_t we_double_byte_run_avx512(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                 int katakana, int kind, void *target, size_t *written)
{
    enum { BLOCK = 64, BLOCK_NEEDS = 72, LEAST = 12 };
    const size_t room = we_room(kind, written);
    const we_utf_8_encode_constants_avx512 utf_8 = we_utf_8_load_encode_constants_avx512();
    /* A block without leading bytes stores none, and is looked up even so if it begins with a trailing byte. */
    _Alignas(64) uint16_t keys[2][32] = {{0}};
    size_t read = 0, out = 0, stop, more;
    if (length >= BLOCK_NEEDS && room >= BLOCK) {
        int turn = 0;
        size_t sure = 0; /* blocks after this one that are not the last: each takes 64 units at most */
        we_double_byte_block block = we_double_byte_find(source, BLOCK_NEEDS, katakana, 0, keys[0]), next = block;
        for (;; turn ^= 1, block = next) {
            int is_last = 0;
            if (sure != 0) {
                sure--;
            } else {
                const size_t left = length - read, left_room = room - out - (size_t)_mm_popcnt_u64(~block.trailing);
                is_last = left < BLOCK + BLOCK_NEEDS || left_room < BLOCK;
                if (!is_last)
                    sure = (left - BLOCK - BLOCK_NEEDS < left_room - BLOCK ? left - BLOCK - BLOCK_NEEDS
                                                                           : left_room - BLOCK)
                           / BLOCK;
            }
            if (!is_last)
                next = we_double_byte_find(source + read + BLOCK, BLOCK_NEEDS, katakana, block.leading >> 63,
                                           keys[turn ^ 1]);
            /* Make the compiler load the keys: extracting them from the vector that was stored takes longer. */
            __asm__ volatile("" ::: "memory");
            out += we_put_characters(target, kind, out, &block, BLOCK, BLOCK, keys[turn], pairs, katakana, 0, &utf_8,
                                     &stop);
            read += stop;
            if (stop < BLOCK) {
                *written = out;
                return read;
            }
            if (is_last) {
                read += block.leading >> 63;
                break;
            }
        }
    }
    while (length - read >= LEAST && out < room) {
        size_t left = length - read, taken = left < BLOCK ? left : BLOCK;
        we_double_byte_block block = we_double_byte_find(source + read, left, katakana, 0, keys[0]);
        __asm__ volatile("" ::: "memory");
        out +=
            we_put_characters(target, kind, out, &block, taken, room - out, keys[0], pairs, katakana, 1, &utf_8, &stop);
        read += stop;
        if (stop < taken) {
            *written = out;
            return read;
        }
        read +=
            block.leading >> 63; /* its trailing byte follows: without one it would have been a pair without an entry */
    }
    more = room - out;
    read += we_double_byte_decode_loop(source + read, length - read, pairs, katakana, 1, kind, we_at(target, kind, out),
                                       &more);
    *written = out + more;
    return read;
}

/* ---- Encoding -------------------------------------------------------------------------------------------- */

/* The low 16 bits of 32 units, and in `above` one bit for each unit that has more. */
WE_PAIRS_AVX512 __m512i we_load_units(const void *source, int kind, size_t first, uint32_t *above)
{
    *above = 0;
    if (kind == WE_UCS1)
        return _mm512_cvtepu8_epi16((__m256i)we_load_32((const uint8_t *)source + first));
    if (kind == WE_UCS2)
        return we_load_64((const uint16_t *)source + first);
    __m512i low = we_load_64((const uint32_t *)source + first),
            high = we_load_64((const uint32_t *)source + first + 16);
    const __m512i most = _mm512_set1_epi32(0xFFFF);
    *above = _mm512_cmpgt_epu32_mask(low, most) | (uint32_t)_mm512_cmpgt_epu32_mask(high, most) << 16;
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(low)), _mm512_cvtepi32_epi16(high), 1);
}

/* The run in blocks of 32 units, all of which are looked up unless all are ASCII. A block stores 64 bytes.
 *
 * Units of two bytes are read again as the keys, which is faster than to store them: should one have changed, its new
 * value is written, or the run stops there. */
WE_PAIRS_AVX512 size_t we_double_byte_run_from_avx512(const void *source, int kind, size_t length,
                                                      const uint16_t *reverse, uint8_t *target, size_t *written)
{
    enum { BLOCK = 32 };
    _Alignas(64) uint16_t keys[BLOCK];
    size_t read = 0, out = 0, more;
    for (; length - read >= BLOCK; read += BLOCK) {
        uint32_t above;
        __m512i units = we_load_units(source, kind, read, &above);
        if ((_mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80)) | above) == 0) {
            _mm256_storeu_si256((__m256i *)(target + out), _mm512_cvtepi16_epi8(units));
            out += BLOCK;
            continue;
        }
        if (kind != WE_UCS2) {
            _mm512_store_si512(keys, units);
            __asm__ volatile("" ::: "memory"); /* as in vector/double_byte.h */
        }
        __m512i pairs = we_look_pairs_up(reverse, kind == WE_UCS2 ? (const uint16_t *)source + read : keys, BLOCK);
        uint32_t nulls = (_mm512_testn_epi16_mask(pairs, pairs) & _mm512_test_epi16_mask(units, units)) | above;
        /* The first byte of each pair, and the second unless it is null. */
        uint64_t kept = _mm512_test_epi8_mask(pairs, pairs) | UINT64_C(0x5555555555555555);
        if (nulls)
            kept &= we_first_bits(2 * (size_t)__builtin_ctz(nulls));
        _mm512_storeu_si512(target + out, _mm512_mask_compress_epi8(pairs, kept, pairs));
        out += (size_t)_mm_popcnt_u64(kept);
        if (nulls) {
            *written = out;
            return read + (size_t)__builtin_ctz(nulls);
        }
    }
    read += we_double_byte_encode_loop((const uint8_t *)source + (read << kind), kind, length - read, reverse, 1,
                                       target + out, &more);
    *written = out + more;
    return read;
}
