/* Runs of the single-byte encodings with AVX2.
 *
 * Each kernel must equal the handler single_byte_decode_item or single_byte_encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */
#ifndef WE_SINGLE_BYTE_AVX2_H
#define WE_SINGLE_BYTE_AVX2_H

#include "single_byte/vector_16.h"

#if defined(WE_HAVE_AVX2)
/* A table of 128 bytes: each row of sixteen in both halves of a register, as the shuffle works within halves. From the
 * second row on a row is held as its difference, by exclusive or, from the row before it. */
typedef struct {
    __m256i row[8];
} we_table_avx2;

/* Make differences of eight plain rows. */
WE_TARGET_AVX2 static inline we_table_avx2 we_differences_avx2(we_table_avx2 table)
{
    for (int row = 7; row > 0; row--)
        table.row[row] = _mm256_xor_si256(table.row[row], table.row[row - 1]);
    return table;
}

WE_TARGET_AVX2 static inline we_table_avx2 we_load_table_avx2(const uint8_t *bytes)
{
    we_table_avx2 table;
    for (int row = 0; row < 8; row++)
        table.row[row] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(bytes + row * 16)));
    return we_differences_avx2(table);
}

/* What the table holds for each byte of `index` that is below 0x80; the others give bytes that are not for use.
 *
 * Less the first index of a row, an index of an earlier row is negative, for which a shuffle gives 0. So the rows up to
 * that of an index contribute their differences, which add up to the entry. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 __m256i we_look_up_avx2(const we_table_avx2 *table, __m256i index)
{
    const __m256i sixteen = _mm256_set1_epi8(16);
    __m256i found = _mm256_shuffle_epi8(table->row[0], index);
    for (int row = 1; row < 8; row++) {
        index = _mm256_sub_epi8(index, sixteen);
        found = _mm256_xor_si256(found, _mm256_shuffle_epi8(table->row[row], index));
    }
    return found;
}

/* The mask of bytes that are zero. */
WE_TARGET_AVX2 static inline uint32_t we_zeros_32(__m256i bytes)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
}

/* Where most bytes map to themselves, only the others are looked up, one by one. */
WE_TARGET_AVX2 static inline size_t we_single_byte_map_latin1_avx2(const uint8_t *source, size_t length,
                                                                   const uint8_t *map, uint8_t *target)
{
    const __m256i least = _mm256_set1_epi8(-0x60);
    const size_t past = length >= WE_WORTH_ALIGNING ? WE_MISALIGNED(target, 32) : 0;
    size_t i = 0;
    while (length - i >= 64) {
        const __m256i a = (__m256i)we_load_32(source + i), b = (__m256i)we_load_32(source + i + 32);
        we_store_32(target + i, (we_bytes_32)a);
        we_store_32(target + i + 32, (we_bytes_32)b);
        if (_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, _mm256_min_epi8(a, b))) != 0) {
            uint64_t mapped = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, a));
            mapped |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, b)) << 32;
            for (; mapped != 0; mapped &= mapped - 1) {
                size_t at = i + (size_t)_tzcnt_u64(mapped);
                uint8_t found = map[target[at] & 0x7F]; /* the source is not read again */
                if (found == 0)
                    return at;
                target[at] = found;
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
    /* Each entry is held as its difference, by exclusive or, from the byte that it is looked up by. */
    we_table_avx2 table;
    __m256i row_bytes = _mm256_setr_epi8(-0x80, -0x7F, -0x7E, -0x7D, -0x7C, -0x7B, -0x7A, -0x79, -0x78, -0x77, -0x76,
                                         -0x75, -0x74, -0x73, -0x72, -0x71, -0x80, -0x7F, -0x7E, -0x7D, -0x7C, -0x7B,
                                         -0x7A, -0x79, -0x78, -0x77, -0x76, -0x75, -0x74, -0x73, -0x72, -0x71);
    for (int row = 0; row < 8; row++) {
        table.row[row] = _mm256_xor_si256((__m256i)we_load_row_32(map + row * 16), row_bytes);
        row_bytes = _mm256_add_epi8(row_bytes, _mm256_set1_epi8(16));
    }
    table = we_differences_avx2(table);
    const __m256i sixteen = _mm256_set1_epi8(16), high_bit = _mm256_set1_epi8(-0x80);
    size_t i = 0;
    while (length - i >= 64) {
        const __m256i both[2] = {(__m256i)we_load_32(source + i), (__m256i)we_load_32(source + i + 32)};
        if (_mm256_movemask_epi8(_mm256_or_si256(both[0], both[1])) == 0) {
            we_store_32(target + i, (we_bytes_32)both[0]);
            we_store_32(target + i + 32, (we_bytes_32)both[1]);
            i += 64;
            continue;
        }
        for (int k = 0; k < 2; k++, i += 32) {
            /* The subtraction saturates, so that ASCII is below the first row and has no difference from itself. */
            __m256i index = _mm256_xor_si256(both[k], high_bit);
            __m256i found = _mm256_xor_si256(both[k], _mm256_shuffle_epi8(table.row[0], index));
            for (int row = 1; row < 8; row++) {
                index = _mm256_subs_epi8(index, sixteen);
                found = _mm256_xor_si256(found, _mm256_shuffle_epi8(table.row[row], index));
            }
            we_store_32(target + i, (we_bytes_32)found);
            uint32_t unmapped = we_zeros_32(found);
            if (unmapped != 0 && (unmapped &= (uint32_t)_mm256_movemask_epi8(both[k])) != 0)
                return i + (size_t)_tzcnt_u32(unmapped);
        }
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}

/* Blocks of 64 bytes with exceptions: their places in the piece, and the masks of all other bytes. */
enum { WE_BLOCK = 64, WE_LEAST_PIECE = 512, WE_MOST_PIECE = 4096 };
typedef struct {
    size_t count;
    uint16_t at[WE_MOST_PIECE / WE_BLOCK];
    uint64_t regular[WE_MOST_PIECE / WE_BLOCK];
} we_exceptions;

/* Cells in both halves of registers, as the shuffle works within halves. */
enum { WE_ALL_TABLES = 8 };
typedef struct {
    __m256i low[WE_ALL_TABLES], high[WE_ALL_TABLES], displacements, exceptions, row_bit, sixteen;
} we_cells_avx2;

WE_ALWAYS_INLINE WE_TARGET_AVX2 __m256i we_load_row_avx2(const uint8_t *rows, unsigned row)
{
    return (__m256i)we_load_row_32(rows + 16 * row);
}

/* The cells that the generator chose; WE_ALL_TABLES: a table for each row, for texts with many exceptions of those. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 void we_load_cells_avx2(we_cells_avx2 *cells, const uint16_t *table,
                                                        const uint8_t *rows, const size_t tables)
{
    cells->row_bit = _mm256_broadcastsi128_si256((__m128i)we_row_bits());
    cells->sixteen = (__m256i)we_constant_u8_32(16);
    if (tables < WE_ALL_TABLES) {
        cells->displacements = we_load_row_avx2(rows, WE_ROW_OF_DISPLACEMENTS);
        cells->exceptions = we_load_row_avx2(rows, WE_ROW_OF_DISPLACEMENTS + 1);
        for (unsigned k = 0; k < tables; k++) {
            cells->low[k] = we_load_row_avx2(rows, WE_ROW_OF_TABLES + k);
            cells->high[k] = we_load_row_avx2(rows, WE_ROW_OF_TABLES + tables + k);
        }
        return;
    }
    static const uint8_t displacements[16] = {0xF0, 0xE0, 0xD0, 0xC0, 0xB0, 0xA0, 0x90, 0x80,
                                              0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    static const uint8_t first_row[16] = {0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
                                          0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F};
    we_bytes_16 exceptions = we_all_u8(0), low_before = exceptions, high_before = exceptions;
    for (unsigned k = 0; k < WE_ALL_TABLES; k++) {
        const we_bytes_16 a = we_load_16(table + k * 16), b = we_load_16(table + k * 16 + 8);
        const we_bytes_16 bytes = we_load_16(first_row) + we_all_u8((uint8_t)(k * 16));
        const we_bytes_16 low = we_low_bytes_16(a, b) ^ bytes, high = we_high_bytes_16(a, b);
        const we_bytes_16 unmapped = we_low_bytes_16(we_equal_u16(a, we_all_u8(0)), we_equal_u16(b, we_all_u8(0)));
        cells->low[k] = _mm256_broadcastsi128_si256((__m128i)(low ^ low_before));
        cells->high[k] = _mm256_broadcastsi128_si256((__m128i)(high ^ high_before));
        exceptions |= (unmapped & we_all_u8((uint8_t)(1u << k)));
        low_before = low;
        high_before = high;
    }
    cells->displacements = (__m256i)we_load_row_32(displacements);
    cells->exceptions = _mm256_broadcastsi128_si256((__m128i)exceptions);
}

/* Decode 32 bytes. Return the mask of all but exceptions, whose units are arbitrary. Unpacking works within halves:
 * with the source's quarters in this order its results are the halves of the target. The mask has that order, too. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 uint32_t we_decode_32_avx2(const we_cells_avx2 *cells, const size_t tables,
                                                           __m256i source, uint16_t *target)
{
    const __m256i bytes = _mm256_permute4x64_epi64(source, 0xD8);
    const __m256i row = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
    const __m256i row_bit = _mm256_shuffle_epi8(cells->row_bit, row);
    const __m256i first = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(cells->displacements, row));
    __m256i cell = first, low = _mm256_xor_si256(bytes, _mm256_shuffle_epi8(cells->low[0], first));
    __m256i high = _mm256_shuffle_epi8(cells->high[0], first);
    for (unsigned k = 1; k < tables; k++) {
        /* Below 0 a shuffle gives 0. ASCII stays there: 112 less than 0xF0 at least is 0x80. */
        cell = _mm256_sub_epi8(cell, cells->sixteen);
        low = _mm256_xor_si256(low, _mm256_shuffle_epi8(cells->low[k], cell));
        high = _mm256_xor_si256(high, _mm256_shuffle_epi8(cells->high[k], cell));
    }
    we_store_32(target, (we_bytes_32)_mm256_unpacklo_epi8(low, high));
    we_store_32(target + 16, (we_bytes_32)_mm256_unpackhi_epi8(low, high));
    const __m256i column = _mm256_and_si256(first, _mm256_set1_epi8(0x0F));
    return we_zeros_32(_mm256_and_si256(row_bit, _mm256_shuffle_epi8(cells->exceptions, column)));
}

/* Decode whole blocks of a piece, and list the exceptions. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 void we_decode_blocks_of_avx2(const uint8_t *source, size_t length,
                                                              const uint16_t *table, const uint8_t *rows,
                                                              const size_t tables, uint16_t *target,
                                                              we_exceptions *exceptions)
{
    we_cells_avx2 cells;
    we_load_cells_avx2(&cells, table, rows, tables);
    size_t count = 0;
    for (size_t i = 0; i < length; i += WE_BLOCK) {
        const __m256i first = (__m256i)we_load_32(source + i);
        const __m256i second = (__m256i)we_load_32(source + i + 32);
        if (_mm256_movemask_epi8(_mm256_or_si256(first, second)) == 0) {
            we_widen_to_ucs2_32((we_bytes_32)first, target + i);
            we_widen_to_ucs2_32((we_bytes_32)second, target + i + 32);
            continue;
        }
        uint64_t regular = we_decode_32_avx2(&cells, tables, first, target + i);
        regular |= (uint64_t)we_decode_32_avx2(&cells, tables, second, target + i + 32) << 32;
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

/* Exchange the middle quarters of each half. */
WE_ALWAYS_INLINE uint64_t we_quarters_in_order(uint64_t bits)
{
    const uint64_t outer = UINT64_C(0xFF0000FFFF0000FF), second = UINT64_C(0x0000FF000000FF00);
    return (bits & outer) | (bits >> 8 & second) | (bits & second) << 8;
}

/* Decode by cells. Stop before an unmapped byte. `length` is at least WE_BLOCK. */
WE_TARGET_AVX2 static inline size_t we_single_byte_by_cells_avx2(const uint8_t *source, size_t length,
                                                                 const uint16_t *table,
                                                                 const we_single_byte_vectors *vectors,
                                                                 uint16_t *target)
{
    we_exceptions exceptions;
    size_t tables = vectors->tables;
    for (size_t i = 0, piece = WE_LEAST_PIECE / 2; i < length; i += piece) {
        /* Pieces are short until the cells prove to suffice. */
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

/* As we_single_byte_by_distances_vector_16. */
WE_TARGET_AVX2 static inline size_t we_single_byte_by_distances_avx2(const uint8_t *source, size_t length,
                                                                     const uint16_t *table, const uint8_t *rows,
                                                                     uint16_t *target)
{
    unsigned many = 0;
    const __m256i distances_low = we_load_row_avx2(rows, WE_ROW_OF_DISTANCES),
                  distances_high = we_load_row_avx2(rows, WE_ROW_OF_DISTANCES + 1),
                  all_exceptions = we_load_row_avx2(rows, WE_ROW_OF_EXCEPTIONS),
                  row_bit = _mm256_broadcastsi128_si256((__m128i)we_row_bits());
    __m256i nibble = _mm256_set1_epi8(0x0F), zero = _mm256_setzero_si256();
    size_t i = 0;
    for (; length - i >= 32; i += 32) {
        __m256i bytes = (__m256i)we_load_32(source + i);
        if (_mm256_movemask_epi8(bytes) == 0) {
            we_widen_to_ucs2_32((we_bytes_32)bytes, target + i);
            continue;
        }
        bytes = _mm256_permute4x64_epi64(bytes, 0xD8); /* as in we_decode_32_avx2 */
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble), low = _mm256_and_si256(bytes, nibble);
        __m256i regular = _mm256_cmpeq_epi8(
            zero, _mm256_and_si256(_mm256_shuffle_epi8(all_exceptions, low), _mm256_shuffle_epi8(row_bit, high)));
        __m256i distance_low = _mm256_shuffle_epi8(distances_low, high);
        __m256i distance_high = _mm256_shuffle_epi8(distances_high, high);
        __m256i a =
            _mm256_add_epi16(_mm256_unpacklo_epi8(bytes, zero), _mm256_unpacklo_epi8(distance_low, distance_high));
        __m256i b =
            _mm256_add_epi16(_mm256_unpackhi_epi8(bytes, zero), _mm256_unpackhi_epi8(distance_low, distance_high));
        we_store_32(target + i, (we_bytes_32)a);
        we_store_32(target + i + 16, (we_bytes_32)b);
        const uint64_t exceptions = we_quarters_in_order(~(uint32_t)_mm256_movemask_epi8(regular));
        if (exceptions == 0)
            continue;
        if ((many += (unsigned)_mm_popcnt_u64(exceptions)) > WE_MANY_EXCEPTIONS + i / 80)
            return i;
        const size_t done = we_single_byte_patch(source + i, table, target + i, exceptions);
        if (done < WE_PATCHED)
            return i + done;
    }
    return i;
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
        i += we_single_byte_by_distances_avx2(source + i, length - i, table, vectors->rows, target + i);
        if (length - i >= WE_BLOCK && we_single_byte_is_mapped(source[i], table))
            i += we_single_byte_by_cells_avx2(source + i, length - i, table, vectors, target + i);
    }
    return i + we_single_byte_run_to_ucs2_scalar(source + i, length - i, table, target + i);
}

WE_TARGET_AVX2 static inline size_t we_single_byte_run_from_ucs2_avx2(const uint16_t *source, size_t length,
                                                                      const we_single_byte_reverse *table,
                                                                      uint8_t *target)
{
    const __m256i low_byte = _mm256_set1_epi16(0x00FF), low_bits = _mm256_set1_epi8(0x7F);
    size_t number = 1; /* of the block in registers: U+0080 to U+00FF */
    we_table_avx2 block = we_load_table_avx2(we_single_byte_block(table, number));
    /* The units that need no lookup: without these bits and, as signed bytes, from `least` on. */
    const int latin1 = length >= 64 && we_single_byte_keeps_latin1(we_single_byte_block(table, number));
    const __m256i not_plain = _mm256_set1_epi16((short)(latin1 ? 0xFF00 : 0xFF80));
    const __m256i least = _mm256_set1_epi8(latin1 ? -0x60 : -0x80);
    size_t i = 0;
    for (; length - i >= 32; i += 32) {
        __m256i a = (__m256i)we_load_32(source + i), b = (__m256i)we_load_32(source + i + 16);
        __m256i either = _mm256_or_si256(a, b);
        if (_mm256_testz_si256(either, not_plain)) {
            const __m256i plain = (__m256i)we_in_order_32(_mm256_packus_epi16(a, b));
            we_store_32(target + i, (we_bytes_32)plain);
            if (_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, plain)) == 0)
                continue;
        }
        __m256i found =
            (__m256i)we_in_order_32(_mm256_packus_epi16(_mm256_and_si256(a, low_byte), _mm256_and_si256(b, low_byte)));
        const __m256i index = _mm256_and_si256(found, low_bits);
        /* The blocks' numbers, 0xFF for those above it. */
        const __m256i a_numbers = _mm256_srli_epi16(a, 7), b_numbers = _mm256_srli_epi16(b, 7);
        const __m256i numbers = (__m256i)we_in_order_32(_mm256_packus_epi16(a_numbers, b_numbers));
        uint32_t mapped = ~we_zeros_32(numbers), rest = mapped;
        uint16_t block_numbers[32]; /* not from the source, which is read once */
        we_store_32(block_numbers, (we_bytes_32)a_numbers);
        we_store_32(block_numbers + 16, (we_bytes_32)b_numbers);
        while (rest != 0) {
            const size_t needed = block_numbers[_tzcnt_u32(rest)];
            if (needed != number) {
                number = needed;
                block = we_load_table_avx2(we_single_byte_block(table, number));
            }
            __m256i in_block = _mm256_cmpeq_epi8(numbers, _mm256_set1_epi8((char)number));
            if (number >= 0xFF) {
                const __m256i sought = _mm256_set1_epi16((short)number);
                in_block = (__m256i)we_in_order_32(
                    _mm256_packs_epi16(_mm256_cmpeq_epi16(a_numbers, sought), _mm256_cmpeq_epi16(b_numbers, sought)));
            }
            found = _mm256_blendv_epi8(found, we_look_up_avx2(&block, index), in_block);
            rest &= ~(uint32_t)_mm256_movemask_epi8(in_block); /* at least one fewer */
        }
        we_store_32(target + i, (we_bytes_32)found);
        uint32_t unmapped = we_zeros_32(found) & mapped;
        if (unmapped != 0)
            return i + (size_t)_tzcnt_u32(unmapped);
    }
    return i + we_single_byte_run_from_ucs2_scalar(source + i, length - i, table, target + i);
}

WE_SPARSE_RUN(we_single_byte_sparse_to_utf8_avx2, WE_TARGET_AVX2, 32, we_ascii_step_to_ucs1_32, uint16_t,
              we_single_byte_items_to_utf8)
WE_SPARSE_RUN(we_single_byte_sparse_from_utf8_avx2, WE_TARGET_AVX2, 32, we_ascii_step_to_ucs1_32,
              we_single_byte_reverse, we_single_byte_item_from_utf8)
#endif

#endif
