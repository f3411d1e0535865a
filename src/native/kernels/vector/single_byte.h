/* Runs of the single-byte encodings with vectors of WE_WIDTH bytes: NEON, x86-64-v2 and AVX2.
 *
 * Each kernel must equal the handler single_byte_decode_item or single_byte_encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */

#ifndef WE_VECTOR_SINGLE_BYTE_H
#define WE_VECTOR_SINGLE_BYTE_H
/* The bit of each high nibble's row, none for ASCII. */
static const uint8_t we_row_bits[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128};

/* The bytes with the high nibble 8. */
static const uint8_t we_bytes_of_row_8[16] = {0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
                                              0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F};

/* How many exceptions make looking up all bytes faster, and one more in each 80 bytes: their number is mispredicted. */
enum { WE_MOST_EXCEPTIONS = 32 };

/* Exchange the middle quarters of each 32 bits. */
WE_ALWAYS_INLINE uint64_t we_quarters_in_order(uint64_t bits)
{
    const uint64_t outer = UINT64_C(0xFF0000FFFF0000FF), second = UINT64_C(0x0000FF000000FF00);
    return (bits & outer) | (bits >> 8 & second) | (bits & second) << 8;
}
#endif

#define we_byte_table WE_AT_WIDTH(we_byte_table)
#define we_load_byte_table WE_AT_WIDTH(we_load_byte_table)
#define we_look_up_byte WE_AT_WIDTH(we_look_up_byte)
#define we_single_byte_map_by_rows WE_AT_WIDTH(we_single_byte_map_by_rows)
#define we_single_byte_by_distances WE_AT_WIDTH(we_single_byte_by_distances)

#if defined(WE_HAVE_SSE2)
/* A table of 128 bytes in rows of sixteen. With WE_SHUFFLE_WRAPS, from the second row on a row is stored as its
 * difference, by exclusive or, from the row before it. */
typedef struct {
    we_vector row[8];
} we_byte_table;

WE_ALWAYS_INLINE WE_LEVEL_TARGET we_byte_table we_load_byte_table(const uint8_t *bytes)
{
    we_byte_table table;
    table.row[0] = we_load_row(bytes);
    for (int row = 1; row < 8; row++)
        table.row[row] =
            we_load_row(bytes + row * 16) ^ (WE_SHUFFLE_WRAPS ? we_load_row(bytes + row * 16 - 16) : we_all_u8(0));
    return table;
}

/* What the table holds for each byte of `index` that is below 0x80; the others give bytes that are not for use.
 *
 * Less the first index of a row, an index of an earlier row is negative, for which a shuffle gives 0. So the rows up to
 * that of an index contribute their differences, which add up to the entry; or its row alone, where a shuffle gives 0
 * for an index of a later row, too. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET we_vector we_look_up_byte(const we_byte_table *table, we_vector index)
{
    we_vector entries = we_shuffle(table->row[0], index);
    for (int row = 1; row < 8; row++) {
        index -= 16;
        entries ^= we_shuffle(table->row[row], index);
    }
    return entries;
}

/* Map whole blocks of two vectors; stop before an unmapped byte. */
WE_LEVEL_TARGET static inline size_t we_single_byte_map_by_rows(const uint8_t *source, size_t length,
                                                                const uint8_t *map, uint8_t *target)
{
    /* Each entry is stored as its difference, by exclusive or, from the byte that it is looked up by. Those of a row
     * and the next differ by 0x10, 0x30, 0x10, 0x70, 0x10, 0x30 and 0x10. */
    we_byte_table table = we_load_byte_table(map);
    table.row[0] ^= we_load_row(we_bytes_of_row_8);
    for (int row = 1; row < 8; row++)
        table.row[row] ^=
            WE_SHUFFLE_WRAPS ? we_all_u8((row ^ (row - 1)) << 4) : we_load_row(we_bytes_of_row_8) ^ we_all_u8(row << 4);
    size_t i = 0;
    while (length - i >= 2 * WE_WIDTH) {
        const we_vector both[2] = {we_load(source + i), we_load(source + i + WE_WIDTH)};
        if (!we_any_high(both[0] | both[1])) {
            we_store(target + i, both[0]);
            we_store(target + i + WE_WIDTH, both[1]);
            i += 2 * WE_WIDTH;
            continue;
        }
        for (int k = 0; k < 2; k++, i += WE_WIDTH) {
            /* The subtraction saturates, so that ASCII is below the first row and has no difference from itself. */
            we_vector index = both[k] ^ 0x80;
            we_vector entries = both[k] ^ we_shuffle(table.row[0], index);
            for (int row = 1; row < 8; row++) {
                index = we_sub_saturated_s8(index, we_all_u8(16));
                entries ^= we_shuffle(table.row[row], index);
            }
            we_store(target + i, entries);
            const uint32_t unmapped = we_bits(we_equal_u8(entries, 0) & both[k]);
            if (unmapped != 0)
                return i + (size_t)__builtin_ctz(unmapped);
        }
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}

/* Decode by distances, and exceptions one by one. Stop before an unmapped byte, or where there are many exceptions. */
WE_LEVEL_TARGET static inline size_t we_single_byte_by_distances(const uint8_t *source, size_t length,
                                                                 const uint16_t *table, const uint8_t *rows,
                                                                 uint16_t *target)
{
    const we_vector distances_low = we_load_row(rows + 16 * WE_ROW_OF_DISTANCES);
    const we_vector distances_high = we_load_row(rows + 16 * (WE_ROW_OF_DISTANCES + 1));
    const we_vector exceptions_of = we_load_row(rows + 16 * WE_ROW_OF_EXCEPTIONS);
    const we_vector row_bit = we_load_row(we_row_bits), nibble = we_all_u8(0x0F), zero = we_all_u8(0);
    unsigned exception_count = 0;
    size_t i = 0;
    for (; length - i >= WE_WIDTH; i += WE_WIDTH) {
        we_vector bytes = we_load(source + i);
        if (!we_any_high(bytes)) {
            we_widen_to_ucs2(bytes, target + i);
            continue;
        }
        bytes = we_quarters_for_zip(bytes);
        const we_vector high = nibble & WE_SHIFT_RIGHT_U16(bytes, 4), low = bytes & nibble;
        const we_vector exceptional = we_shuffle(exceptions_of, low) & we_shuffle(row_bit, high);
        const we_vector distance_low = we_shuffle(distances_low, high);
        const we_vector distance_high = we_shuffle(distances_high, high);
        we_store(target + i, we_add_u16(we_zip_low_u8(bytes, zero), we_zip_low_u8(distance_low, distance_high)));
        we_store(target + i + WE_WIDTH / 2,
                 we_add_u16(we_zip_high_u8(bytes, zero), we_zip_high_u8(distance_low, distance_high)));
        const uint32_t regular = we_bits(we_equal_u8(exceptional, 0));
        const uint64_t exceptions = WE_WIDTH == 32 ? we_quarters_in_order(~regular) : ~regular & 0xFFFF;
        if (exceptions == 0)
            continue;
        if ((exception_count += (unsigned)__builtin_popcountll(exceptions)) > WE_MOST_EXCEPTIONS + i / 80)
            return i;
        const size_t done = we_single_byte_patch(source + i, table, target + i, exceptions);
        if (done < WE_PATCHED)
            return i + done;
    }
    return i;
}
#endif

/* Encode. One block of the table stays loaded, until a unit needs another. */
WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_single_byte_run_from_ucs2)(const uint16_t *source, size_t length,
                                                                               const we_single_byte_reverse *table,
                                                                               uint8_t *target)
{
    if (length < 32)
        return we_single_byte_run_from_ucs2_scalar(source, length, table, target);
    size_t number = 1; /* U+0080 to U+00FF */
    we_byte_table block = we_load_byte_table(we_single_byte_block(table, number));
    /* The units that need no look-up: without these bits and, as signed bytes, from `least` on. */
    const int latin1 = length >= 64 && we_single_byte_keeps_latin1(we_single_byte_block(table, number));
    const we_vector mapped_bits = we_all_u16(latin1 ? 0xFF00 : 0xFF80), least = we_all_u8(latin1 ? 0xA0 : 0x80);
    size_t i = 0;
    for (; length - i >= WE_WIDTH; i += WE_WIDTH) {
        const we_vector a = we_load(source + i), b = we_load(source + i + WE_WIDTH / 2);
        if (!we_any_of(a | b, mapped_bits)) {
            const we_vector low = we_pack_u16(a, b);
            we_store(target + i, low);
            if (!we_any_high(WE_BELOW_S8(low, least)))
                continue;
        }
        we_vector entries = we_low_bytes(a, b);
        const we_vector index = entries & 0x7F;
        /* The blocks' numbers, 0xFF for those above it. */
        const we_vector a_numbers = WE_SHIFT_RIGHT_U16(a, 7), b_numbers = WE_SHIFT_RIGHT_U16(b, 7);
        const we_vector numbers = we_pack_saturated_u16(a_numbers, b_numbers);
        const we_vector ascii = we_equal_u8(numbers, 0);
        uint16_t block_numbers[WE_WIDTH]; /* not from the source, which is read once */
        we_store(block_numbers, a_numbers);
        we_store(block_numbers + WE_WIDTH / 2, b_numbers);
        for (uint64_t rest = we_mask(~ascii); rest != 0;) {
            const size_t needed = block_numbers[(size_t)__builtin_ctzll(rest) / WE_MASK_BITS];
            if (needed != number) {
                number = needed;
                block = we_load_byte_table(we_single_byte_block(table, number));
            }
            we_vector in_block = we_equal_u8(numbers, we_all_u8(number));
            if (number >= 0xFF) {
                const we_vector sought = we_all_u16(number);
                in_block = we_low_bytes(we_equal_u16(a_numbers, sought), we_equal_u16(b_numbers, sought));
            }
            entries = we_blend(in_block, we_look_up_byte(&block, index), entries);
            rest &= ~we_mask(in_block); /* at least one fewer */
        }
        we_store(target + i, entries);
        const uint64_t unmapped = we_mask(we_equal_u8(entries, 0) & ~ascii);
        if (unmapped != 0)
            return i + (size_t)__builtin_ctzll(unmapped) / WE_MASK_BITS;
    }
    return i + we_single_byte_run_from_ucs2_scalar(source + i, length - i, table, target + i);
}
