/* Runs of the single-byte encodings with AVX2.
 *
 * Each kernel must equal the handler single_byte_decode_item or single_byte_encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */

/* Where most bytes map to themselves, only the others are looked up, one by one; where they do not, a piece by rows. */
WE_TARGET_AVX2 static inline size_t we_single_byte_map_latin1_avx2(const uint8_t *source, size_t length,
                                                                   const uint8_t *map, uint8_t *target)
{
    const we_bytes_32 least = we_all_u8(0xA0); /* as signed bytes */
    const size_t past = length >= WE_WORTH_ALIGNING ? WE_MISALIGNED(target, 32) : 0;
    size_t i = 0;
    while (length - i >= 64) {
        const we_bytes_32 a = we_load(source + i), b = we_load(source + i + 32);
        we_store(target + i, a);
        we_store(target + i + 32, b);
        const we_bytes_32 a_below = WE_BELOW_S8(a, least), b_below = WE_BELOW_S8(b, least);
        if (we_any_high(a_below | b_below)) {
            uint64_t mapped = we_bits(a_below) | (uint64_t)we_bits(b_below) << 32;
            if (_mm_popcnt_u64(mapped) > WE_MANY_MAPPED) {
                const size_t piece = length - i < WE_PIECE_BY_ROWS ? length - i : WE_PIECE_BY_ROWS;
                const size_t done = we_single_byte_map_by_rows_32(source + i, piece, map, target + i);
                i += done;
                if (done < piece)
                    return i;
                continue;
            }
            for (; mapped != 0; mapped &= mapped - 1) {
                size_t at = i + (size_t)_tzcnt_u64(mapped);
                uint8_t entry = map[target[at] & 0x7F]; /* the source is not read again */
                if (entry == 0)
                    return at;
                target[at] = entry;
            }
        }
        i += i == 0 ? 64 - past : 64; /* the last of the first 64 again, so that the stores that follow are aligned */
    }
    return i + we_single_byte_map_bytes_16(source + i, length - i, map, target + i);
}

WE_TARGET_AVX2 static inline size_t we_single_byte_map_avx2(const uint8_t *source, size_t length, const uint8_t *map,
                                                            uint8_t *target)
{
    if (length < 64)
        return we_single_byte_map_scalar(source, length, map, target);
    if (we_single_byte_keeps_latin1(map))
        return we_single_byte_map_latin1_avx2(source, length, map, target);
    return we_single_byte_map_by_rows_32(source, length, map, target);
}

/* Blocks of 64 bytes with exceptions: their places in the piece, and the masks of all other bytes. */
enum { WE_BLOCK = 64, WE_LEAST_PIECE = 512, WE_MOST_PIECE = 4096 };
typedef struct {
    size_t count;
    uint16_t at[WE_MOST_PIECE / WE_BLOCK];
    uint64_t regular[WE_MOST_PIECE / WE_BLOCK];
} we_exceptions;

/* Slots in both halves of registers, as the shuffle works within halves. */
enum { WE_ALL_TABLES = 8 };
typedef struct {
    we_bytes_32 low[WE_ALL_TABLES], high[WE_ALL_TABLES], displacements, exceptions, row_bit, sixteen;
} we_slots_avx2;

/* The slots that the generator chose; WE_ALL_TABLES: a table for each row, for texts with many exceptions of those. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 void we_load_slots_avx2(we_slots_avx2 *slots, const uint16_t *table,
                                                        const uint8_t *rows, const size_t tables)
{
    slots->row_bit = we_load_row(we_row_bits);
    slots->sixteen = we_constant_u8(16);
    if (tables < WE_ALL_TABLES) {
        slots->displacements = we_load_row(rows + 16 * WE_ROW_OF_DISPLACEMENTS);
        slots->exceptions = we_load_row(rows + 16 * (WE_ROW_OF_DISPLACEMENTS + 1));
        for (unsigned k = 0; k < tables; k++) {
            slots->low[k] = we_load_row(rows + 16 * (WE_ROW_OF_TABLES + k));
            slots->high[k] = we_load_row(rows + 16 * (WE_ROW_OF_TABLES + tables + k));
        }
        return;
    }
    static const uint8_t displacements[16] = {0xF0, 0xE0, 0xD0, 0xC0, 0xB0, 0xA0, 0x90, 0x80,
                                              0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    we_bytes_16 exceptions = {0}, low_before = exceptions, high_before = exceptions;
    for (unsigned k = 0; k < WE_ALL_TABLES; k++) {
        const we_bytes_16 a = we_load_16(table + k * 16), b = we_load_16(table + k * 16 + 8);
        const we_bytes_16 bytes = we_load_16(we_bytes_of_row_8) + (uint8_t)(k * 16);
        const we_bytes_16 low = we_low_bytes_16(a, b) ^ bytes,
                          high = we_pack_u16_16(WE_SHIFT_RIGHT_U16(a, 8), WE_SHIFT_RIGHT_U16(b, 8));
        const we_bytes_16 unmapped = we_low_bytes_16(WE_U8(WE_U16(a) == 0), WE_U8(WE_U16(b) == 0));
        slots->low[k] = we_both_32(low ^ low_before);
        slots->high[k] = we_both_32(high ^ high_before);
        exceptions |= unmapped & (uint8_t)(1u << k);
        low_before = low;
        high_before = high;
    }
    slots->displacements = we_load_row(displacements);
    slots->exceptions = we_both_32(exceptions);
}

/* Decode 32 bytes. Return the mask of all but exceptions, whose units are arbitrary. Unpacking works within halves:
 * with the source's quarters in this order its results are the halves of the target. The mask has that order, too. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 uint32_t we_decode_32_avx2(const we_slots_avx2 *slots, const size_t tables,
                                                           we_bytes_32 source, uint16_t *target)
{
    const we_bytes_32 bytes = we_quarters_for_zip(source);
    const we_bytes_32 row = WE_SHIFT_RIGHT_U16(bytes, 4) & 0x0F, row_bit = we_shuffle(slots->row_bit, row);
    const we_bytes_32 first = bytes + we_shuffle(slots->displacements, row);
    we_bytes_32 slot = first, low = bytes ^ we_shuffle(slots->low[0], first);
    we_bytes_32 high = we_shuffle(slots->high[0], first);
    for (unsigned k = 1; k < tables; k++) {
        /* Below 0 a shuffle gives 0. ASCII stays there: it begins at 0xF0 or more, and at most 112 is subtracted. */
        slot -= slots->sixteen;
        low ^= we_shuffle(slots->low[k], slot);
        high ^= we_shuffle(slots->high[k], slot);
    }
    we_store(target, we_zip_low_u8(low, high));
    we_store(target + 16, we_zip_high_u8(low, high));
    return we_bits(we_equal_u8(row_bit & we_shuffle(slots->exceptions, first & 0x0F), 0));
}

/* Decode whole blocks of a piece, and list the exceptions. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 void we_decode_blocks_of_avx2(const uint8_t *source, size_t length,
                                                              const uint16_t *table, const uint8_t *rows,
                                                              const size_t tables, uint16_t *target,
                                                              we_exceptions *exceptions)
{
    we_slots_avx2 slots;
    we_load_slots_avx2(&slots, table, rows, tables);
    size_t count = 0;
    for (size_t i = 0; i < length; i += WE_BLOCK) {
        const we_bytes_32 first = we_load(source + i);
        const we_bytes_32 second = we_load(source + i + 32);
        if (!we_any_high(first | second)) {
            we_widen_to_ucs2_32(first, target + i);
            we_widen_to_ucs2_32(second, target + i + 32);
            continue;
        }
        uint64_t regular = we_decode_32_avx2(&slots, tables, first, target + i);
        regular |= (uint64_t)we_decode_32_avx2(&slots, tables, second, target + i + 32) << 32;
        /* Written for each block, and kept for those with exceptions: a branch would be mispredicted. There are no more
         * of them than blocks of a piece. */
        exceptions->at[count] = (uint16_t)i;
        exceptions->regular[count] = regular;
        count += regular != UINT64_MAX;
    }
    exceptions->count = count;
}

/* The same, where each call has a constant number of tables. */
WE_TARGET_AVX2 static inline void we_decode_blocks_avx2(const uint8_t *source, size_t length, const uint16_t *table,
                                                        const uint8_t *rows, size_t tables, uint16_t *target,
                                                        we_exceptions *exceptions)
{
    switch (tables) {
    case 2:
        we_decode_blocks_of_avx2(source, length, table, rows, 2, target, exceptions);
        break;
    case 3:
        we_decode_blocks_of_avx2(source, length, table, rows, 3, target, exceptions);
        break;
    case 4:
        we_decode_blocks_of_avx2(source, length, table, rows, 4, target, exceptions);
        break;
    case 5:
        we_decode_blocks_of_avx2(source, length, table, rows, 5, target, exceptions);
        break;
    default:
        we_decode_blocks_of_avx2(source, length, table, rows, WE_ALL_TABLES, target, exceptions);
    }
}

/* Decode by slots. Stop before an unmapped byte. `length` is at least WE_BLOCK. */
WE_TARGET_AVX2 static inline size_t we_single_byte_by_slots_avx2(const uint8_t *source, size_t length,
                                                                 const uint16_t *table,
                                                                 const we_single_byte_vectors *vectors,
                                                                 uint16_t *target)
{
    we_exceptions exceptions;
    size_t tables = vectors->tables;
    for (size_t i = 0, piece = WE_LEAST_PIECE / 2; i < length; i += piece) {
        /* Pieces are short until the slots prove to suffice. */
        piece = piece * 2 < WE_MOST_PIECE ? piece * 2 : WE_MOST_PIECE;
        if (piece > length - i)
            piece = (length - i) & ~(size_t)(WE_BLOCK - 1);
        if (piece == 0) {
            piece = WE_BLOCK;
            i = length - WE_BLOCK; /* the last block overlaps the one before it */
        }
        we_decode_blocks_avx2(source + i, piece, table, vectors->rows, tables, target + i, &exceptions);
        size_t count = 0;
        for (size_t k = 0; k < exceptions.count; k++) {
            const size_t at = i + exceptions.at[k];
            const uint64_t bits = we_quarters_in_order(~exceptions.regular[k]);
            const size_t done = we_single_byte_patch(source + at, table, target + at, bits);
            if (done < WE_PATCHED)
                return at + done;
            count += (size_t)_mm_popcnt_u64(bits);
        }
        if (count > 8 + piece / 32)
            tables = WE_ALL_TABLES;
    }
    return length;
}

WE_ALWAYS_INLINE int we_single_byte_is_mapped(uint8_t byte, const uint16_t *table)
{
    return byte < 0x80 || table[byte & 0x7F] != 0;
}

WE_TARGET_AVX2 static inline size_t we_single_byte_run_to_ucs2_avx2(const uint8_t *source, size_t length,
                                                                    const uint16_t *table,
                                                                    const we_single_byte_vectors *vectors,
                                                                    uint16_t *target)
{
    size_t i = 0;
    if (length >= WE_WORTH_ALIGNING) {
        const size_t head = 16 - WE_MISALIGNED(target, 16);
        i = we_single_byte_short_run_to_ucs2(source, head, table, target);
        if (i < head)
            return i;
    }
    if (length - i >= WE_BLOCK && we_single_byte_is_mapped(source[i], table)) {
        i += we_single_byte_by_distances_32(source + i, length - i, table, vectors->rows, target + i);
        if (length - i >= WE_BLOCK && we_single_byte_is_mapped(source[i], table))
            i += we_single_byte_by_slots_avx2(source + i, length - i, table, vectors, target + i);
    }
    _mm256_zeroupper(); /* which GCC omits here, too: see utf_8.h; the rest would take 100 ns more */
    return i + we_single_byte_run_to_ucs2_scalar(source + i, length - i, table, target + i);
}

WE_SPARSE_RUN(we_single_byte_sparse_to_utf8_avx2, WE_TARGET_AVX2, 32, we_ascii_blocks_32, uint16_t,
              we_single_byte_item_to_utf8)
WE_SPARSE_RUN(we_single_byte_sparse_from_utf8_avx2, WE_TARGET_AVX2, 32, we_ascii_blocks_32, we_single_byte_reverse,
              we_single_byte_item_from_utf8)
