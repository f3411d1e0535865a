/* Runs of two-byte characters with vectors of sixteen bytes, in blocks of 64 bytes and of eight units. scalar.h
 * describes a run.
 *
 * Decoding. No two leading bytes are adjacent, so two bytes of source hold at most one: 32 look-ups suffice for a block
 * wherever its pairs begin, and no position waits for the result of a look-up. Each unit replaces its leading byte, and
 * the positions of trailing bytes are compressed away.
 *
 * Encoding. Eight units are looked up together, and the second bytes that they do not have are shuffled away.
 *
 * Each kernel must equal a handler, on the items that its table has: shift_jis, euc_jp, euc_kr, big5 or gb18030
 * _decode_item, shift_jis, euc_jp, euc_kr, big5, gbk or gb18030 _encode_item. https://encoding.spec.whatwg.org/
 * #shift_jis-decoder, #euc-jp-decoder, #euc-kr-decoder, #big5-decoder, #gb18030-decoder, and #shift_jis-encoder to
 * #gb18030-encoder. */
#ifndef WE_DOUBLE_BYTE_VECTOR_16_H
#define WE_DOUBLE_BYTE_VECTOR_16_H

#include "ascii/count.h"
#include "compress.h"
#include "double_byte/scalar.h"

#if defined(WE_HAVE_VECTOR_16)
#define WE_PAIRS_VECTOR_16 WE_PAIRS_INLINE WE_TARGET_VECTOR_16

/* ---- Decoding -------------------------------------------------------------------------------------------- */

/* Constants of the decoding loop. */
typedef struct {
    we_bytes_16 byte_of, bit_of; /* for we_bytes_of_bits */
    we_bytes_16 fifteen_bits, from_katakana, katakana_range, katakana_low, eight;
} we_double_byte_constants_vector_16;

WE_PAIRS_VECTOR_16 we_double_byte_constants_vector_16 we_double_byte_constants(void)
{
    static const uint8_t byte_of[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint8_t bit_of[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const we_double_byte_constants_vector_16 constants = {
        we_load_16(byte_of),
        we_load_16(bit_of),
        we_all_u16(0x7FFF),
        we_all_u8(WE_KATAKANA_FIRST),
        we_all_u8(WE_KATAKANA_LAST - WE_KATAKANA_FIRST),
        we_all_u8(WE_KATAKANA_OFFSET & 0xFF),
        we_all_u8(8),
    };
    return constants;
}

/* Store eight units; `at` counts units of two bytes. */
WE_PAIRS_VECTOR_16 void we_store_8_units_vector_16(uint8_t *target, int kind, size_t at, we_bytes_16 units)
{
    if (kind == WE_UCS2)
        we_store_16(target + at, units);
    else
        we_widen_8_units_to_ucs4(units, (uint32_t *)(void *)(target + at * 2));
}

/* Store the sixteen characters of single bytes. */
WE_PAIRS_VECTOR_16 void we_put_16_singles_vector_16(uint8_t *target, int kind, size_t at, we_bytes_16 bytes,
                                                    int katakana, const we_double_byte_constants_vector_16 *constants)
{
    const we_bytes_16 high = katakana ? we_high_u8(bytes) : we_all_u8(0);
    if (katakana)
        bytes += (high & constants->katakana_low);
    we_store_8_units_vector_16(target, kind, at, we_zip_low_u8(bytes, high));
    we_store_8_units_vector_16(target, kind, at + 16, we_zip_high_u8(bytes, high));
}

/* Where the pairs of a block are. */
typedef struct {
    uint64_t leading;
    uint64_t trailing; /* bit 0: of a pair that began in the block before */
    uint64_t katakana; /* half-width katakana */
    uint64_t offsets;  /* twice the number of characters up to each eight bytes */
} we_double_byte_places_vector_16;

/* Store the characters of quarter `number` of a block, a constant. `next` begins with the byte after it. Return ones
 * where a leading byte has no unit. */
WE_PAIRS_VECTOR_16 we_bytes_16 we_put_quarter_vector_16(we_bytes_16 bytes, we_bytes_16 next, int number,
                                                        const we_double_byte_places_vector_16 *block,
                                                        const uint16_t *pairs, int katakana, int kind, uint8_t *target,
                                                        const we_double_byte_constants_vector_16 *constants)
{
    const uint64_t leading = block->leading, trailing = block->trailing;
    const size_t first_at = number == 0 ? 0 : block->offsets >> (number * 16 - 8) & 0xFF;
    const size_t second_at = block->offsets >> number * 16 & 0xFF;
    const uint64_t in_pairs = (leading | trailing) >> number * 16 & 0xFFFF;
    if (in_pairs == 0) {
        we_put_16_singles_vector_16(target, kind, first_at, bytes, katakana, constants);
        return we_all_u8(0);
    }
    /* One key for each two bytes: that of the pair that begins at either of them, or 15 arbitrary bits. A pair that
     * begins at the second continues in the first of the next two. The sign of the mask of the second byte covers both.
     */
    const we_bytes_16 at_leading = we_bytes_of_bits(leading >> number * 16, constants->byte_of, constants->bit_of);
    const we_bytes_16 from_second = WE_BYTES_BEFORE_16(bytes, next, 15); /* the source is read once */
    const we_bytes_16 found = we_blend_16(WE_SHIFT_RIGHT_S16(at_leading, 8), from_second, bytes);
    const we_bytes_16 units = we_look_up_8(pairs, we_swap_u16(found) & constants->fifteen_bits);
    const we_bytes_16 nulls = we_equal_u16(units, we_all_u8(0)) & at_leading;
    if (in_pairs == 0xFFFF) { /* eight pairs, which begin at the first or at the second byte */
        we_store_8_units_vector_16(target, kind, first_at, units);
        return nulls;
    }
    /* One bit more than eight bytes have: whether the first is a trailing byte, and which are leading bytes. */
    const uint64_t first = trailing >> number * 16 & 0x1FF;
    const uint64_t second = number < 3 ? trailing >> (number * 16 + 8) & 0x1FF : trailing >> 56 | leading >> 63 << 8;
    if (katakana && (block->katakana >> number * 16 & 0xFFFF) != 0) {
        /* Each unit in place of its leading byte, and then the trailing bytes compressed away. */
        const we_bytes_16 above = we_high_u8(bytes), single = bytes + (above & constants->katakana_low);
        const we_bytes_16 units_low = we_low_bytes_16(units, units), units_high = we_high_bytes_16(units, units);
        const we_bytes_16 low = we_blend_16(at_leading, we_zip_low_u8(units_low, units_low), single);
        const we_bytes_16 high = we_blend_16(at_leading, we_zip_low_u8(units_high, units_high), above);
        we_store_8_units_vector_16(target, kind, first_at,
                                   we_shuffle_16(we_zip_low_u8(low, high), we_peek_16(&we_set_units[~first & 0xFF])));
        we_store_8_units_vector_16(target, kind, second_at,
                                   we_shuffle_16(we_zip_high_u8(low, high), we_peek_16(&we_set_units[~second & 0xFF])));
        return nulls;
    }
    const we_two_16 sources = {{bytes, units}};
    const we_bytes_16 second_index = we_peek_16(&we_pair_places[second]) + constants->eight;
    we_store_8_units_vector_16(target, kind, first_at, we_shuffle_two_16(sources, we_peek_16(&we_pair_places[first])));
    we_store_8_units_vector_16(target, kind, second_at, we_shuffle_two_16(sources, second_index));
    return nulls;
}

/* Decode whole blocks; `kind` is UCS2 or UCS4. Return the bytes read, and stop before what is no pair, or where fewer
 * bytes are left than a block asks for: 72, since its last may be a leading byte whose trailing byte the next block
 * skips, and UTF-8 needs the capacity of seven more. A block reads 65 bytes.
 *
 * Capacity: no character takes more than its bytes bring, so a block's units, written eight at a time, stay within
 * the capacity of its bytes. */
WE_PAIRS_VECTOR_16 size_t we_double_byte_blocks_vector_16(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                          int katakana, int kind, void *target, size_t *written)
{
    enum { BLOCK = 64, BLOCK_ASKS = 72 };
    const we_double_byte_constants_vector_16 constants = we_double_byte_constants();
    const size_t unit_size = kind == WE_UCS2 ? 2 : 4;
    uint64_t is_trailing = 0;
    size_t read = 0, out = 0;
    for (; length - read >= BLOCK_ASKS; read += BLOCK) {
        const uint8_t *from = source + read;
        uint8_t *to = (uint8_t *)target + out * unit_size;
        const we_bytes_16 a = we_load_16(from), b = we_load_16(from + 16), c = we_load_16(from + 32),
                          d = we_load_16(from + 48);
        if (is_trailing == 0 && !we_any_high_16((a | b) | (c | d))) {
            we_put_16_singles_vector_16(to, kind, 0, a, 0, &constants);
            we_put_16_singles_vector_16(to, kind, 32, b, 0, &constants);
            we_put_16_singles_vector_16(to, kind, 64, c, 0, &constants);
            we_put_16_singles_vector_16(to, kind, 96, d, 0, &constants);
            out += BLOCK;
            continue;
        }
        we_double_byte_places_vector_16 block;
        uint64_t candidates = we_bits_64(we_high_u8(a), we_high_u8(b), we_high_u8(c), we_high_u8(d)), singles = 0;
        if (katakana) {
            /* The subtraction takes half-width katakana to 00 to 3E. */
            singles = we_bits_64(we_at_least_u8(constants.katakana_range, a - constants.from_katakana),
                                 we_at_least_u8(constants.katakana_range, b - constants.from_katakana),
                                 we_at_least_u8(constants.katakana_range, c - constants.from_katakana),
                                 we_at_least_u8(constants.katakana_range, d - constants.from_katakana));
            candidates &= ~singles;
        }
        block.leading = we_leading_bytes_of(candidates & ~is_trailing);
        block.trailing = block.leading << 1 | is_trailing;
        block.katakana = singles & ~block.trailing;
        block.offsets = we_running_counts(~block.trailing) << 1;
        const we_bytes_16 next = we_all_u8(from[BLOCK]);
        we_bytes_16 nulls = we_put_quarter_vector_16(a, b, 0, &block, pairs, katakana, kind, to, &constants);
        nulls |= we_put_quarter_vector_16(b, c, 1, &block, pairs, katakana, kind, to, &constants);
        nulls |= we_put_quarter_vector_16(c, d, 2, &block, pairs, katakana, kind, to, &constants);
        nulls |= we_put_quarter_vector_16(d, next, 3, &block, pairs, katakana, kind, to, &constants);
        if (we_any_high_16(nulls))
            break;
        out += block.offsets >> 57;
        is_trailing = block.leading >> 63;
    }
    *written = out;
    return read + is_trailing;
}

#define WE_LEVEL vector_16
#define WE_LEVEL_TARGET WE_TARGET_VECTOR_16
#include "double_byte/vector.h"
#undef WE_LEVEL
#undef WE_LEVEL_TARGET

/* ---- Encoding -------------------------------------------------------------------------------------------- */

/* Eight units cut to 16 bits, and in `above` the 16 bits above them. */
WE_PAIRS_VECTOR_16 we_bytes_16 we_load_8_units_vector_16(const void *source, int kind, size_t first, we_bytes_16 *above)
{
    *above = we_all_u8(0);
    if (kind == WE_UCS1)
        return we_zip_low_u8(we_load_8((const uint8_t *)source + first), we_all_u8(0));
    if (kind == WE_UCS2)
        return we_load_16((const uint16_t *)source + first);
    const we_bytes_16 a = we_load_16((const uint32_t *)source + first),
                      b = we_load_16((const uint32_t *)source + first + 4);
    *above = we_low_units_16(WE_SHIFT_RIGHT_U32(a, 16), WE_SHIFT_RIGHT_U32(b, 16));
    return we_low_units_16(a, b);
}

/* Store ASCII, by 32 units where they are of two bytes; return how many units. Some may be left. */
WE_PAIRS_VECTOR_16 size_t we_double_byte_ascii_from_vector_16(const void *source, int kind, size_t length,
                                                              uint8_t *target)
{
    size_t read = 0;
    for (; kind == WE_UCS2 && length - read >= 32; read += 32) {
        const uint16_t *units = (const uint16_t *)source + read;
        const we_bytes_16 a = we_load_16(units), b = we_load_16(units + 8), c = we_load_16(units + 16),
                          d = we_load_16(units + 24);
        if (we_any_of_16((a | b) | (c | d), we_all_u16(0xFF80)))
            break;
        we_store_16(target + read, we_low_bytes_16(a, b));
        we_store_16(target + read + 16, we_low_bytes_16(c, d));
    }
    return read
           + we_double_byte_ascii_from((const uint8_t *)source + (read << kind), kind, length - read, 1, target + read);
}

/* The run in blocks of eight units, and of more where they are ASCII. Capacity: as for the plain run; a block writes 16
 * bytes.
 *
 * The keys come from the vector that is tested, so that what was checked is what is looked up. */
WE_PAIRS_VECTOR_16 size_t we_double_byte_run_from_vector_16(const void *source, int kind, size_t length,
                                                            const uint16_t *reverse, uint8_t *target, size_t *written)
{
    enum { BLOCK = 8 };
    const we_bytes_16 not_ascii = we_all_u16(0xFF80), two_bytes = we_all_u16(0x0100);
    size_t read = 0, out = 0, more;
    while (length - read >= BLOCK) {
        we_bytes_16 above;
        const we_bytes_16 units = we_load_8_units_vector_16(source, kind, read, &above);
        if (!we_any_of_16(units, not_ascii) && (kind != WE_UCS4 || !we_any_16(above))) {
            we_store_8(target + out, we_low_bytes_16(units, units));
            const size_t ascii =
                BLOCK
                + we_double_byte_ascii_from_vector_16((const uint8_t *)source + ((read + BLOCK) << kind), kind,
                                                      length - read - BLOCK, target + out + BLOCK);
            read += ascii;
            out += ascii;
            continue;
        }
        const we_bytes_16 pairs = we_look_up_8(reverse, units);
        if (we_any_null_u16(pairs) || (kind == WE_UCS4 && we_any_16(above))) { /* a null, or U+0000 */
            const size_t step = we_double_byte_run_from_by_item((const uint8_t *)source + (read << kind), kind, BLOCK,
                                                                reverse, target + out, &more);
            read += step;
            out += more;
            if (step < BLOCK) {
                *written = out;
                return read;
            }
            continue;
        }
        /* All bytes but the second ones that are null. */
        const uint32_t two = we_bits_of_u16(we_at_least_u16(pairs, two_bytes));
        we_store_16(target + out, we_shuffle_16(pairs, we_peek_16(&we_pair_bytes[two])));
        out += BLOCK + we_count_of_8(two);
        read += BLOCK;
    }
    read += we_double_byte_run_from_by_item((const uint8_t *)source + (read << kind), kind, length - read, reverse,
                                            target + out, &more);
    *written = out + more;
    return read;
}

#endif

#endif
