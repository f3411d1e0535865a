/* Runs of the single-byte encodings: https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder.
 *
 * A decode table is the code points of the bytes from 0x80 on, none of them ASCII; 0 means that the byte is unmapped. A
 * run stops before the first byte or code point that needs a decision, returns its length in source units, and never
 * fails. Its capacity is one unit for each source unit, for UTF-8 three bytes for each byte; it may write anything
 * within it.
 *
 * With AVX-512 and NEON a table of 128 bytes fits into registers, and one or two permutes look up all bytes. With AVX2
 * and x86-64-v2 it is eight rows of sixteen bytes, each of which a shuffle reads. A table of code points is one such
 * table for each of their two bytes; it is faster to add distances where code points are in the order of their bytes,
 * and with AVX2 to look up no more than the text uses: see the methods there.
 */
#ifndef WE_SINGLE_BYTE_H
#define WE_SINGLE_BYTE_H

#include "ascii.h"
#include "cpu.h"
#include "utf_8.h"

/* The reverse of an index: bytes by code point. No single-byte index has code points from U+10000 on. */
typedef struct {
    const uint8_t *stage1; /* 512 block numbers by code point >> 7; block 0 is all zeros */
    const uint8_t *stage2; /* blocks of 128 bytes, by code point & 0x7F; 0 = unmapped */
} we_single_byte_reverse;

/* The 128 bytes for the code points from number * 128 on. */
static inline const uint8_t *we_single_byte_block(const we_single_byte_reverse *table, size_t number)
{
    return table->stage2 + (size_t)table->stage1[number] * 128;
}

/* Return the byte of a code point; 0 if the index lacks it. */
static inline uint8_t we_single_byte_of(const we_single_byte_reverse *table, uint32_t code_point)
{
    return code_point < 0x80      ? (uint8_t)code_point
           : code_point <= 0xFFFF ? we_single_byte_block(table, code_point >> 7)[code_point & 0x7F]
                                  : 0;
}

/* Return whether the index lacks a code point that is not ASCII. */
static inline int we_single_byte_is_null(const we_single_byte_reverse *table, uint32_t code_point)
{
    return code_point >= 0x80
           && (code_point > 0xFFFF || we_single_byte_block(table, code_point >> 7)[code_point & 0x7F] == 0);
}

/* ---- Scalar ---- */

/* Eight units at a time without a branch for each: with a 0 among the results all eight go to the second loop, which
 * distinguishes NUL from unmapped. `find` is evaluated with `unit` loaded once. */
#define WE_SINGLE_BYTE_SCALAR(name, source_type, target_type, table_type, find)                                        \
    static inline size_t name(const source_type *source, size_t length, table_type table, target_type *target)         \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        for (;;) {                                                                                                     \
            for (; length - i >= 8; i += 8) {                                                                          \
                unsigned zeros = 0;                                                                                    \
                for (int k = 0; k < 8; k++) {                                                                          \
                    source_type unit = source[i + k];                                                                  \
                    target_type found = (target_type)(find);                                                           \
                    target[i + k] = found;                                                                             \
                    zeros |= found == 0;                                                                               \
                }                                                                                                      \
                if (zeros)                                                                                             \
                    break;                                                                                             \
            }                                                                                                          \
            size_t end = length - i >= 8 ? i + 8 : length;                                                             \
            for (; i < end; i++) {                                                                                     \
                source_type unit = source[i];                                                                          \
                target_type found = (target_type)(find);                                                               \
                if (found == 0 && unit != 0)                                                                           \
                    return i;                                                                                          \
                target[i] = found;                                                                                     \
            }                                                                                                          \
            if (i == length)                                                                                           \
                return i;                                                                                              \
        }                                                                                                              \
    }

WE_SINGLE_BYTE_SCALAR(we_single_byte_few_to_ucs2, uint8_t, uint16_t, const uint16_t *,
                      unit < 0x80 ? unit : table[unit & 0x7F])
WE_SINGLE_BYTE_SCALAR(we_single_byte_map_scalar, uint8_t, uint8_t, const uint8_t *,
                      unit < 0x80 ? unit : table[unit & 0x7F])
WE_SINGLE_BYTE_SCALAR(we_single_byte_run_from_ucs2_scalar, uint16_t, uint8_t, const we_single_byte_reverse *,
                      unit < 0x80 ? unit : we_single_byte_block(table, unit >> 7)[unit & 0x7F])

/* From this length on a table of 256 entries is made first, so that a byte need not be tested for ASCII. */
enum { WE_MANY_BYTES = 256 };

static inline void we_single_byte_make_whole(uint16_t *whole, const uint16_t *table)
{
    for (unsigned byte = 0; byte < 0x80; byte++)
        whole[byte] = (uint16_t)byte;
    memcpy(whole + 0x80, table, 128 * sizeof *table);
}

/* Four units in a word, in memory order. GCC makes vectors of units that are stored one by one, which takes longer. */
static inline uint64_t we_four_units(uint16_t a, uint16_t b, uint16_t c, uint16_t d)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (uint64_t)a << 48 | (uint64_t)b << 32 | (uint64_t)c << 16 | d;
#else
    return (uint64_t)d << 48 | (uint64_t)c << 32 | (uint64_t)b << 16 | a;
#endif
}

/* Look eight bytes up; not 0 if there is a 0 among the results. */
static inline uint64_t we_single_byte_eight_to_ucs2(const uint8_t *source, const uint16_t *whole, uint16_t *target)
{
    const uint64_t ones = UINT64_C(0x0001000100010001), tops = UINT64_C(0x8000800080008000);
    uint64_t low = we_four_units(whole[source[0]], whole[source[1]], whole[source[2]], whole[source[3]]);
    uint64_t high = we_four_units(whole[source[4]], whole[source[5]], whole[source[6]], whole[source[7]]);
    memcpy(target, &low, sizeof low);
    memcpy(target + 4, &high, sizeof high);
    return (((low - ones) & ~low) | ((high - ones) & ~high)) & tops;
}

static inline size_t we_single_byte_run_to_ucs2_scalar(const uint8_t *source, size_t length, const uint16_t *table,
                                                       uint16_t *target)
{
    size_t i = 0;
    if (length >= WE_MANY_BYTES) {
        uint16_t whole[256];
        we_single_byte_make_whole(whole, table);
        for (; length - i >= 8; i += 8)
            if (we_single_byte_eight_to_ucs2(source + i, whole, target + i)) {
                size_t done = we_single_byte_few_to_ucs2(source + i, 8, table,
                                                         target + i); /* which distinguishes NUL from unmapped */
                if (done < 8)
                    return i + done;
            }
    }
    return i + we_single_byte_few_to_ucs2(source + i, length - i, table, target + i);
}

/* ---- SSE2 and NEON ---- */

#if defined(WE_HAVE_BYTES_16)
enum { WE_PATCHED = 64 };

/* Decode those bytes of a block of at most 64 whose bits are set, one by one. Return the position of the first that is
 * unmapped, or WE_PATCHED. The block was loaded before, and another thread may have written to it since, even ASCII. */
WE_ALWAYS_INLINE size_t we_single_byte_patch(const uint8_t *source, const uint16_t *table, uint16_t *target,
                                             uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1) {
        const size_t at = (size_t)__builtin_ctzll(bits);
        const uint8_t byte = source[at];
        const uint16_t code_point = byte < 0x80 ? byte : table[byte & 0x7F];
        if (code_point == 0)
            return at; /* or it is NUL, at which the caller may stop as well */
        target[at] = code_point;
    }
    return WE_PATCHED;
}

/* Whether A0 to FF map to themselves, as in windows-1252 and its nearest relatives, in both directions. */
static inline int we_single_byte_keeps_latin1(const uint8_t *map)
{
    uint64_t expected = UINT64_C(0xA7A6A5A4A3A2A1A0), differences = 0;
    for (int byte = 0xA0; byte <= 0xFF; byte += 8, expected += UINT64_C(0x0808080808080808)) {
        uint64_t found;
        memcpy(&found, map + byte - 0x80, 8);
        differences |= found ^ expected; /* little-endian, as every processor with these instructions here */
    }
    return differences == 0;
}
#endif

#if defined(WE_HAVE_SSE2)
/* SSE2 has no byte shuffle, so only ASCII and Latin-1 are mapped sixteen at a time. */
static inline size_t we_single_byte_map_16(const uint8_t *source, size_t length, const uint8_t *map, uint8_t *target)
{
    /* As signed numbers, the bytes that need the map are below `least`. */
    __m128i least = _mm_set1_epi8(length >= 64 && we_single_byte_keeps_latin1(map) ? -0x60 : 0);
    size_t i = 0;
    while (length - i >= 16) {
        __m128i bytes = we_load_16(source + i);
        we_store_16(target + i, bytes);
        unsigned mapped = (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(bytes, least));
        if (mapped == 0) {
            i += 16;
            continue;
        }
        i += (size_t)__builtin_ctz(mapped);
        size_t count = length - i < 8 ? length - i : 8;
        size_t done = we_single_byte_map_scalar(source + i, count, map, target + i);
        i += done;
        if (done < count)
            return i;
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}

static inline size_t we_single_byte_run_to_ucs2_16(const uint8_t *source, size_t length, const uint16_t *table,
                                                   uint16_t *target)
{
    size_t i = 0;
    if (length >= WE_MANY_BYTES) {
        uint16_t whole[256];
        we_single_byte_make_whole(whole, table);
        for (; length - i >= 16; i += 16) {
            if (we_ascii_step_to_ucs2_16(source + i, target + i) == 16)
                continue;
            if (we_single_byte_eight_to_ucs2(source + i, whole, target + i)
                | we_single_byte_eight_to_ucs2(source + i + 8, whole, target + i + 8)) {
                size_t done = we_single_byte_few_to_ucs2(source + i, 16, table, target + i);
                if (done < 16)
                    return i + done;
            }
        }
    }
    return i + we_single_byte_few_to_ucs2(source + i, length - i, table, target + i);
}

static inline size_t we_single_byte_run_from_ucs2_16(const uint16_t *source, size_t length,
                                                     const we_single_byte_reverse *table, uint8_t *target)
{
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        if (we_ascii_step_from_ucs2_16(source + i, target + i) == 16)
            continue;
        size_t done = we_single_byte_run_from_ucs2_scalar(source + i, 16, table, target + i);
        if (done < 16)
            return i + done;
    }
    return i + we_single_byte_run_from_ucs2_scalar(source + i, length - i, table, target + i);
}
#elif defined(WE_HAVE_NEON)
/* A table of 128 bytes. */
typedef struct {
    uint8x16x4_t half[2];
} we_table_128;

WE_ALWAYS_INLINE we_table_128 we_load_table_128(const uint8_t *bytes)
{
    we_table_128 table;
    for (int row = 0; row < 8; row++)
        table.half[row / 4].val[row % 4] = vld1q_u8(bytes + row * 16);
    return table;
}

/* What the table holds for each byte of `index` that is below 0x80; 0 for the others. */
WE_ALWAYS_INLINE we_bytes_16 we_look_up_128(const we_table_128 *table, we_bytes_16 index)
{
    /* Of an index that is out of range for the second half, the result of the first is kept. */
    return vqtbx4q_u8(vqtbl4q_u8(table->half[0], index), table->half[1], veorq_u8(index, vdupq_n_u8(0x40)));
}

static inline size_t we_single_byte_map_16(const uint8_t *source, size_t length, const uint8_t *map, uint8_t *target)
{
    if (length < 32)
        return we_single_byte_map_scalar(source, length, map, target);
    we_table_128 table = we_load_table_128(map);
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        uint8x16_t bytes = vld1q_u8(source + i);
        uint8x16_t ascii = vcltq_u8(bytes, vdupq_n_u8(0x80));
        uint8x16_t found = vorrq_u8(we_look_up_128(&table, veorq_u8(bytes, vdupq_n_u8(0x80))), vandq_u8(ascii, bytes));
        vst1q_u8(target + i, found);
        uint64_t unmapped = we_mask_16(vbicq_u8(vceqzq_u8(found), ascii));
        if (unmapped != 0)
            return i + (size_t)__builtin_ctzll(unmapped) / 4;
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}

static inline size_t we_single_byte_run_to_ucs2_16(const uint8_t *source, size_t length, const uint16_t *table,
                                                   uint16_t *target)
{
    if (length < 32 || (source[0] >= 0x80 && table[source[0] & 0x7F] == 0))
        return we_single_byte_run_to_ucs2_scalar(source, length, table, target);
    we_table_128 low, high;
    for (int row = 0; row < 8; row++) {
        uint8x16x2_t code_points = vld2q_u8((const uint8_t *)(table + row * 16));
        low.half[row / 4].val[row % 4] = code_points.val[0];
        high.half[row / 4].val[row % 4] = code_points.val[1];
    }
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        uint8x16_t bytes = vld1q_u8(source + i);
        const uint8x16_t ascii = vcltq_u8(bytes, vdupq_n_u8(0x80)), index = veorq_u8(bytes, vdupq_n_u8(0x80));
        uint8x16x2_t found;
        found.val[0] = vorrq_u8(we_look_up_128(&low, index), vandq_u8(ascii, bytes));
        found.val[1] = we_look_up_128(&high, index);
        vst2q_u8((uint8_t *)(target + i), found);
        uint64_t unmapped = we_mask_16(vbicq_u8(vceqzq_u8(vorrq_u8(found.val[0], found.val[1])), ascii));
        if (unmapped != 0)
            return i + (size_t)__builtin_ctzll(unmapped) / 4;
    }
    return i + we_single_byte_run_to_ucs2_scalar(source + i, length - i, table, target + i);
}
#endif

/* ---- x86-64-v2 and NEON ---- */

#if defined(WE_HAVE_VECTOR_16)
#if defined(WE_HAVE_SSE2)
/* A table of 128 bytes in rows of sixteen. From the second row on a row is held as its difference, by exclusive or,
 * from the row before it. */
typedef struct {
    we_bytes_16 row[8];
} we_table_128;

WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_table_128 we_load_table_128(const uint8_t *bytes)
{
    we_table_128 table;
    table.row[0] = we_load_16(bytes);
    for (int row = 1; row < 8; row++)
        table.row[row] = we_xor_16(we_load_16(bytes + row * 16), we_load_16(bytes + row * 16 - 16));
    return table;
}

/* What the table holds for each byte of `index` that is below 0x80; the others give bytes that are not for use.
 *
 * Less the first index of a row, an index of an earlier row is negative, for which a shuffle gives 0. So the rows up to
 * that of an index contribute their differences, which add up to the entry. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_look_up_128(const we_table_128 *table, we_bytes_16 index)
{
    const we_bytes_16 sixteen = we_all_u8(16);
    we_bytes_16 found = we_shuffle_16(table->row[0], index);
    for (int row = 1; row < 8; row++) {
        index = we_sub_u8(index, sixteen);
        found = we_xor_16(found, we_shuffle_16(table->row[row], index));
    }
    return found;
}

/* In most rows of sixteen bytes most code points are at one distance from their bytes, since alphabets have the same
 * order in both. The distances are looked up by the high nibble of a byte. Bytes at another distance, or without a code
 * point, are exceptions, looked up by the low nibble: one bit for each row. */
typedef struct {
    we_bytes_16 low, high, exceptions;
} we_distances;

/* The sum of eight units, fewer than 0x10000. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_sum_u16(we_bytes_16 units)
{
    units = _mm_add_epi16(units, _mm_srli_si128(units, 8));
    units = _mm_add_epi16(units, _mm_srli_si128(units, 4));
    units = _mm_add_epi16(units, _mm_srli_si128(units, 2));
    return (size_t)_mm_extract_epi16(units, 0);
}

/* The index of the greatest of `length` numbers, a multiple of eight. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_most_frequent(const uint16_t *counts, size_t length)
{
    size_t found = 0;
    for (size_t i = 0; i < length; i += 8) {
        const we_bytes_16 least = _mm_minpos_epu16(we_xor_16(we_load_16(counts + i), we_all_u8(0xFF)));
        const uint16_t most = (uint16_t)~_mm_extract_epi16(least, 0);
        found = most > counts[found] ? i + (size_t)_mm_extract_epi16(least, 1) : found;
    }
    return found;
}

/* The distance of each row is that of its most frequent byte according to `counts`, which has the numbers of the bytes
 * from 0x80 on; `*missed` is set to how many of them are exceptions. Without `counts` it is that of column 4 or 12, the
 * one that more bytes have: in 97 % of all rows of the standard's indexes no other distance is more frequent. */
WE_TARGET_VECTOR_16 static inline we_distances we_find_distances(const uint16_t *table, const uint16_t *counts,
                                                                 size_t *missed)
{
    static const uint16_t columns[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint8_t low[16] = {0}, high[16] = {0};
    we_bytes_16 exceptions = we_zero_16();
    size_t sum = 0;
    for (unsigned row = 0; row < 8; row++) {
        const uint16_t *const code_points = table + row * 16;
        const uint16_t first_byte = (uint16_t)(0x80 + row * 16);
        size_t candidates[2] = {4, 12};
        if (counts != NULL)
            candidates[0] = we_most_frequent(counts + row * 16, 16);
        we_bytes_16 irregular = we_zero_16(), regular[2];
        int least = 17;
        for (int k = 0; k < (counts != NULL ? 1 : 2); k++) {
            const uint16_t distance = (uint16_t)(code_points[candidates[k]] - first_byte - candidates[k]);
            const we_bytes_16 start = we_all_u16((uint16_t)(first_byte + distance));
            for (int half = 0; half < 2; half++) {
                const we_bytes_16 found = we_load_16(code_points + 8 * half);
                const we_bytes_16 expected = we_add_u16(we_load_16(columns + 8 * half), start);
                regular[half] = we_and_not_16(we_equal_u16(found, expected), we_equal_u16(found, we_zero_16()));
            }
            const we_bytes_16 others = we_equal_u8(we_low_bytes_16(regular[0], regular[1]), we_zero_16());
            const int count = __builtin_popcount(we_bits_16(others));
            if (count < least) {
                least = count;
                irregular = others;
                low[8 + row] = (uint8_t)distance;
                high[8 + row] = (uint8_t)(distance >> 8);
            }
        }
        exceptions = we_or_16(exceptions, we_and_16(irregular, we_all_u8((uint8_t)(1 << row))));
        if (counts != NULL)
            for (int half = 0; half < 2; half++)
                sum += we_sum_u16(we_and_not_16(we_load_16(counts + row * 16 + half * 8), regular[half]));
    }
    if (counts != NULL)
        *missed = sum;
    const we_distances found = {we_load_16(low), we_load_16(high), exceptions};
    return found;
}

/* The bit of each high nibble's row, none for ASCII. */
WE_ALWAYS_INLINE we_bytes_16 we_row_bits(void)
{
    static const uint8_t bits[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128};
    return we_load_16(bits);
}

/* How many exceptions make looking up all bytes faster, and one more in each 80 bytes: their number is mispredicted. */
enum { WE_MANY_EXCEPTIONS = 32 };

/* Decode by distances, and exceptions one by one. Stop before an unmapped byte, or where there are many exceptions. */
WE_TARGET_VECTOR_16 static inline size_t we_single_byte_by_distances_128(const uint8_t *source, size_t length,
                                                                         const uint16_t *table, uint16_t *target)
{
    const we_distances distances = we_find_distances(table, NULL, NULL);
    const we_bytes_16 row_bit = we_row_bits(), nibble = we_all_u8(0x0F), zero = we_zero_16();
    unsigned many = 0;
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        const we_bytes_16 bytes = we_load_16(source + i);
        if (we_bits_16(bytes) == 0) {
            we_widen_16_to_ucs2(bytes, target + i);
            continue;
        }
        const we_bytes_16 high = we_and_16(WE_SHIFT_RIGHT_U16(bytes, 4), nibble), low = we_and_16(bytes, nibble);
        const we_bytes_16 regular =
            we_equal_u8(zero, we_and_16(we_shuffle_16(distances.exceptions, low), we_shuffle_16(row_bit, high)));
        const we_bytes_16 distance_low = we_shuffle_16(distances.low, high);
        const we_bytes_16 distance_high = we_shuffle_16(distances.high, high);
        we_store_16(target + i, we_add_u16(we_zip_low_u8(bytes, zero), we_zip_low_u8(distance_low, distance_high)));
        we_store_16(target + i + 8,
                    we_add_u16(we_zip_high_u8(bytes, zero), we_zip_high_u8(distance_low, distance_high)));
        unsigned exceptions = ~we_bits_16(regular) & 0xFFFF;
        if (exceptions != 0 && (many += (unsigned)__builtin_popcount(exceptions)) > WE_MANY_EXCEPTIONS + i / 80)
            return i;
        const size_t done = we_single_byte_patch(source + i, table, target + i, exceptions);
        if (done < WE_PATCHED)
            return i + done;
    }
    return i;
}

WE_TARGET_VECTOR_16 static inline size_t we_single_byte_run_to_ucs2_128(const uint8_t *source, size_t length,
                                                                        const uint16_t *table, uint16_t *target)
{
    size_t i = 0;
    if (length >= 64 && (source[0] < 0x80 || table[source[0] & 0x7F] != 0))
        i = we_single_byte_by_distances_128(source, length, table, target);
    return i + we_single_byte_run_to_ucs2_16(source + i, length - i, table, target + i);
}

WE_TARGET_VECTOR_16 static inline size_t we_single_byte_map_128(const uint8_t *source, size_t length,
                                                                const uint8_t *map, uint8_t *target)
{
    if (length < 64 || we_single_byte_keeps_latin1(map))
        return we_single_byte_map_16(source, length, map, target); /* which is faster where few bytes change */
    const we_table_128 table = we_load_table_128(map);
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        const we_bytes_16 bytes = we_load_16(source + i);
        const uint32_t mapped = we_bits_16(bytes);
        if (mapped == 0) {
            we_store_16(target + i, bytes);
            continue;
        }
        const we_bytes_16 found = we_blend_16(bytes, we_look_up_128(&table, we_xor_16(bytes, we_all_u8(0x80))), bytes);
        we_store_16(target + i, found);
        const uint32_t unmapped = we_bits_16(we_equal_u8(found, we_zero_16())) & mapped;
        if (unmapped != 0)
            return i + (size_t)__builtin_ctz(unmapped);
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}
#endif

/* One block stays loaded, until a unit needs another. */
WE_TARGET_VECTOR_16 static inline size_t we_single_byte_run_from_ucs2_128(const uint16_t *source, size_t length,
                                                                          const we_single_byte_reverse *table,
                                                                          uint8_t *target)
{
    if (length < 32)
        return we_single_byte_run_from_ucs2_scalar(source, length, table, target);
    size_t number = 1, i = 0; /* U+0080 to U+00FF */
    we_table_128 block = we_load_table_128(we_single_byte_block(table, number));
    for (; length - i >= 16; i += 16) {
        if (we_ascii_step_from_ucs2_16(source + i, target + i) == 16)
            continue;
        const we_bytes_16 a = we_load_16(source + i), b = we_load_16(source + i + 8);
        we_bytes_16 found = we_low_bytes_16(a, b);
        const we_bytes_16 index = we_and_16(found, we_all_u8(0x7F));
        /* The blocks' numbers, 0xFF for those above it. */
        const we_bytes_16 a_numbers = WE_SHIFT_RIGHT_U16(a, 7), b_numbers = WE_SHIFT_RIGHT_U16(b, 7);
        const we_bytes_16 numbers = we_narrow_saturated_u16(a_numbers, b_numbers);
        const we_bytes_16 ascii = we_equal_u8(numbers, we_zero_16());
        uint16_t block_numbers[16]; /* not from the source, which is read once */
        we_store_16(block_numbers, a_numbers);
        we_store_16(block_numbers + 8, b_numbers);
        for (uint64_t rest = we_mask_16(we_xor_16(ascii, we_all_u8(0xFF))); rest != 0;) {
            const size_t needed = block_numbers[(size_t)__builtin_ctzll(rest) / WE_MASK_BITS];
            if (needed != number) {
                number = needed;
                block = we_load_table_128(we_single_byte_block(table, number));
            }
            we_bytes_16 in_block = we_equal_u8(numbers, we_all_u8((uint8_t)number));
            if (number >= 0xFF) {
                const we_bytes_16 sought = we_all_u16((uint16_t)number);
                in_block = we_low_bytes_16(we_equal_u16(a_numbers, sought), we_equal_u16(b_numbers, sought));
            }
            found = we_blend_16(in_block, we_look_up_128(&block, index), found);
            rest &= ~we_mask_16(in_block); /* at least one fewer */
        }
        we_store_16(target + i, found);
        const uint64_t unmapped = we_mask_16(we_and_not_16(we_equal_u8(found, we_zero_16()), ascii));
        if (unmapped != 0)
            return i + (size_t)__builtin_ctzll(unmapped) / WE_MASK_BITS;
    }
    return i + we_single_byte_run_from_ucs2_scalar(source + i, length - i, table, target + i);
}
#endif

/* ---- AVX2 ---- */

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
        const __m256i a = we_load_32(source + i), b = we_load_32(source + i + 32);
        we_store_32(target + i, a);
        we_store_32(target + i + 32, b);
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
    return i + we_single_byte_map_16(source + i, length - i, map, target + i);
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
        table.row[row] = _mm256_xor_si256(_mm256_broadcastsi128_si256(we_load_16(map + row * 16)), row_bytes);
        row_bytes = _mm256_add_epi8(row_bytes, _mm256_set1_epi8(16));
    }
    table = we_differences_avx2(table);
    const __m256i sixteen = _mm256_set1_epi8(16), high_bit = _mm256_set1_epi8(-0x80);
    size_t i = 0;
    while (length - i >= 64) {
        const __m256i both[2] = {we_load_32(source + i), we_load_32(source + i + 32)};
        if (_mm256_movemask_epi8(_mm256_or_si256(both[0], both[1])) == 0) {
            we_store_32(target + i, both[0]);
            we_store_32(target + i + 32, both[1]);
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
            we_store_32(target + i, found);
            uint32_t unmapped = we_zeros_32(found);
            if (unmapped != 0 && (unmapped &= (uint32_t)_mm256_movemask_epi8(both[k])) != 0)
                return i + (size_t)_tzcnt_u32(unmapped);
        }
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}

/* A method decodes most bytes of a text, 64 at a time; the others are its exceptions, decoded one by one afterwards.
 * There are three, each of which suits other texts:
 * - distances, as above: alphabets in the order of their code points
 * - a script: alphabets in another order, such as those of KOI8-R
 * - cells: the Latin script, of which a text uses few bytes, with code points in several blocks
 * A sample of the text tells which of them takes the least time. No method takes an unmapped byte for another: it is an
 * exception of all of them.
 *
 * These are approximate times in one unit: of 32 bytes by a method, in addition to those of its
 * rows or tables, and of an exception. */
enum {
    WE_TIME_BY_DISTANCES = 180,
    WE_TIME_BY_SCRIPT = 50,
    WE_TIME_OF_ROW = 36,
    WE_TIME_BY_CELLS = 115,
    WE_TIME_OF_TABLE = 54,
    WE_TIME_OF_EXCEPTION = 230
};

/* The sixteen bytes of a row. */
WE_ALWAYS_INLINE we_bytes_16 we_bytes_of_row(unsigned row)
{
    static const uint8_t bytes[16] = {0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
                                      0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F};
    return we_add_u8(we_load_16(bytes), we_all_u8((uint8_t)(row * 16)));
}

/* The mask of the bytes in a row for which a table has 0. */
WE_ALWAYS_INLINE we_bytes_16 we_zeros_of_row(const uint16_t *table, unsigned row)
{
    const we_bytes_16 a = we_load_16(table + row * 16), b = we_load_16(table + row * 16 + 8);
    return we_low_bytes_16(we_equal_u16(a, we_zero_16()), we_equal_u16(b, we_zero_16()));
}

/* A script in rows of sixteen bytes: code points with the same high byte, and low bytes below 0x80. All other bytes are
 * exceptions.
 *
 * A low byte is held as its difference, by exclusive or, from the byte that it is looked up by, and from the second row
 * on as the difference from the row before it. So the rows up to that of a byte contribute to its entry. An exception
 * has no difference from itself, and the high bit tells it. The row above one that is used has exceptions alone, if it
 * is not used. */
enum { WE_LEAST_ROWS = 4, WE_MOST_ROWS = 6 };
typedef struct {
    unsigned count;
    uint8_t high;
    uint8_t steps[WE_MOST_ROWS]; /* the distance from the row before, in bytes */
    uint8_t low[WE_MOST_ROWS][16];
} we_script;

/* Choose the script of the most frequent byte, and the rows with which decoding takes the least time. Return the time,
 * SIZE_MAX if there is no such method. */
WE_TARGET_VECTOR_16 static inline size_t we_find_script(we_script *script, const uint16_t *table,
                                                        const uint16_t *counts, size_t sampled)
{
    const we_bytes_16 zero = we_zero_16();
    we_bytes_16 is_script[8][2];
    size_t uses[8], missed = 0, least = SIZE_MAX;
    unsigned chosen = 0, rest = 0xFF, before = 0;
    memset(script, 0, sizeof *script);
    script->high = (uint8_t)(table[we_most_frequent(counts, 128)] >> 8);
    if (script->high == 0)
        return SIZE_MAX; /* such code points are ASCII; 0 stands for unmapped bytes */
    for (unsigned row = 0; row < 8; row++) {
        we_bytes_16 in_script = zero, others = zero;
        for (unsigned half = 0; half < 2; half++) {
            const size_t at = row * 16 + half * 8;
            const we_bytes_16 block = we_and_16(we_load_16(table + at), we_all_u16(0xFF80));
            is_script[row][half] = we_equal_u16(block, we_all_u16((uint16_t)(script->high << 8)));
            in_script = we_add_u16(in_script, we_and_16(we_load_16(counts + at), is_script[row][half]));
            others = we_add_u16(others, we_and_not_16(we_load_16(counts + at), is_script[row][half]));
        }
        uses[row] = we_sum_u16(in_script);
        missed += we_sum_u16(others);
    }
    /* All rows, all but the one that is used least, and so on. */
    while (rest != 0) {
        const unsigned count = (unsigned)__builtin_popcount((rest | rest << 1) & 0xFF);
        const size_t time_of_32 = WE_TIME_BY_SCRIPT + WE_TIME_OF_ROW * (count < WE_LEAST_ROWS ? WE_LEAST_ROWS : count);
        const size_t time = sampled / 32 * time_of_32 + missed * WE_TIME_OF_EXCEPTION;
        if (count <= WE_MOST_ROWS && time < least) {
            least = time;
            chosen = rest;
        }
        unsigned rarest = (unsigned)__builtin_ctz(rest);
        for (unsigned row = rarest + 1; row < 8; row++)
            rarest = (rest >> row & 1) != 0 && uses[row] < uses[rarest] ? row : rarest;
        rest &= ~(1u << rarest);
        missed += uses[rarest];
    }
    we_bytes_16 last = zero;
    for (unsigned row = 0; row < 8; row++) {
        const int is_chosen = (chosen >> row & 1) != 0;
        if (!is_chosen && (row == 0 || (chosen >> (row - 1) & 1) == 0))
            continue;
        we_bytes_16 low = zero;
        if (is_chosen) {
            const we_bytes_16 a = we_load_16(table + row * 16), b = we_load_16(table + row * 16 + 8);
            low = we_xor_16(we_low_bytes_16(a, b), we_bytes_of_row(row));
            low = we_and_16(low, we_low_bytes_16(is_script[row][0], is_script[row][1]));
        }
        we_store_16(script->low[script->count], we_xor_16(low, last));
        script->steps[script->count++] = (uint8_t)(16 * (row - before));
        before = row;
        last = low;
    }
    /* More rows without differences have no effect. */
    script->count = script->count < WE_LEAST_ROWS ? WE_LEAST_ROWS : script->count;
    return least;
}

/* The code points of the bytes that a text uses, in tables of sixteen cells: texts in the Latin script use few bytes,
 * so that one or two tables do where a table of code points takes eight.
 *
 * The rows of sixteen bytes are laid over one another, each displaced so that its used bytes fall on free cells: the
 * number of a byte's cell is the sum of the byte and the displacement of its high nibble. It is from 0 to 127, and for
 * ASCII below 0, even less 112. The bytes without a cell are exceptions, and so are all unmapped ones. */
enum { WE_MOST_TABLES = 4, WE_ALL_TABLES = 8, WE_MOST_CELLS = 16 * WE_ALL_TABLES };
typedef struct {
    unsigned tables;
    we_bytes_16 displacements;       /* by the high nibble of a byte */
    we_bytes_16 exceptions;          /* by the low nibble of a cell: one bit for each row */
    uint8_t low[WE_MOST_CELLS + 16]; /* differences, by exclusive or, from the byte that has the cell; 16 are spare */
    uint8_t high[WE_MOST_CELLS + 16];
} we_cells;

/* Of the sixteen cells from `first` on those that are taken, one bit for each. */
WE_ALWAYS_INLINE unsigned we_taken_cells(const uint16_t *taken, unsigned first)
{
    return (taken[first / 16] | (uint32_t)taken[first / 16 + 1] << 16) >> first % 16 & 0xFFFF;
}

WE_ALWAYS_INLINE void we_take_cells(uint16_t *taken, unsigned first, unsigned columns)
{
    taken[first / 16] |= (uint16_t)(columns << first % 16);
    taken[first / 16 + 1] |= (uint16_t)(columns << first % 16 >> 16);
}

/* Find the first free cells for the bytes of each row, those whose bits are set in `used`. Set the cells of the rows'
 * first bytes, used or not, and the taken cells. Return 0 if there are too few. */
static inline int we_place_rows(const uint16_t *used, unsigned tables, uint16_t *taken, uint8_t *first_cells)
{
    memset(taken, 0, (WE_MOST_TABLES + 2) * sizeof *taken);
    taken[tables] = 0xFFFF;
    for (unsigned row = 0; row < 8; row++) {
        unsigned first = 0;
        while (first < 16 * tables && (we_taken_cells(taken, first) & used[row]) != 0)
            first++;
        if (first == 16 * tables)
            return 0;
        we_take_cells(taken, first, used[row]);
        first_cells[row] = (uint8_t)first;
    }
    return 1;
}

/* The bytes that have cells, the cells that are taken, and those of the rows' first bytes. */
typedef struct {
    uint16_t used[8], taken[WE_MOST_TABLES + 2];
    uint8_t first_cells[8];
} we_placement;

/* Fill the cells of a placement, and free ones with bytes that fall on them. */
WE_TARGET_VECTOR_16 static inline void we_fill_cells(we_cells *cells, const uint16_t *table, we_placement *placement)
{
    static const uint8_t lane_bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    static const uint8_t lane_halves[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const we_bytes_16 bits = we_load_16(lane_bits), halves = we_load_16(lane_halves);
    uint8_t displacements[16];
    memset(cells->low, 0, sizeof cells->low);
    memset(cells->high, 0, sizeof cells->high);
    cells->exceptions = we_zero_16();
    for (unsigned row = 0; row < 8; row++) {
        const unsigned first = placement->first_cells[row];
        displacements[row] = (uint8_t)(0xF0 - row * 16); /* ASCII */
        displacements[8 + row] = (uint8_t)(first - 0x80 - row * 16);
        const unsigned mapped = ~we_bits_16(we_zeros_of_row(table, row));
        unsigned kept = placement->used[row];
        if (cells->tables < WE_ALL_TABLES) {
            kept |= mapped & ~we_taken_cells(placement->taken, first) & 0xFFFF;
            we_take_cells(placement->taken, first, kept);
        }
        /* A lane for each bit. */
        const we_bytes_16 lanes = we_equal_u8(bits, we_and_16(bits, we_shuffle_16(we_all_u16((uint16_t)kept), halves)));
        const we_bytes_16 a = we_load_16(table + row * 16), b = we_load_16(table + row * 16 + 8);
        const we_bytes_16 low = we_xor_16(we_low_bytes_16(a, b), we_bytes_of_row(row));
        uint8_t *const low_cells = cells->low + first, *const high_cells = cells->high + first;
        we_store_16(low_cells, we_select_16(lanes, low, we_load_16(low_cells)));
        we_store_16(high_cells, we_select_16(lanes, we_high_bytes_16(a, b), we_load_16(high_cells)));
        /* From the order of the bytes to that of the cells, which are from 0x80 + row * 16 - first on. */
        const we_bytes_16 moved = we_sub_u8(we_bytes_of_row(0), we_all_u8((uint8_t)first));
        const we_bytes_16 regular = we_shuffle_16(lanes, we_and_16(moved, we_all_u8(0x0F)));
        cells->exceptions = we_or_16(cells->exceptions, we_and_not_16(we_all_u8((uint8_t)(1u << row)), regular));
    }
    cells->displacements = we_load_16(displacements);
}

/* Fill all cells: each row has a table. */
WE_TARGET_VECTOR_16 static inline void we_fill_all_cells(we_cells *cells, const uint16_t *table)
{
    we_placement all;
    memset(all.taken, 0xFF, sizeof all.taken);
    for (unsigned row = 0; row < 8; row++) {
        all.used[row] = (uint16_t)~we_bits_16(we_zeros_of_row(table, row));
        all.first_cells[row] = (uint8_t)(row * 16);
    }
    cells->tables = WE_ALL_TABLES;
    we_fill_cells(cells, table, &all);
}

/* Find the cells with which decoding takes the least time, if that is less than `least`: for the bytes that occur
 * according to `counts`, perhaps but the rarest, and for more where cells are left. Return the time, or `least`. */
WE_TARGET_VECTOR_16 static inline size_t we_find_cells(we_cells *cells, const uint16_t *table, const uint16_t *counts,
                                                       size_t sampled, size_t least)
{
    /* The best placement so far, and the one that is tried. */
    we_placement best, tried;
    const size_t most_time = least;
    /* All bytes that occur in the sample, and those that do more than once. Those that occur once are together about
     * as frequent in the text as those that do not occur in the sample. */
    uint16_t all[8], frequent[8];
    unsigned once = 0;
    for (unsigned row = 0; row < 8; row++) {
        const we_bytes_16 a = we_load_16(counts + row * 16), b = we_load_16(counts + row * 16 + 8), one = we_all_u16(1);
        const uint16_t singles = (uint16_t)we_bits_16(we_low_bytes_16(we_equal_u16(a, one), we_equal_u16(b, one)));
        all[row] = (uint16_t)~we_bits_16(we_zeros_of_row(counts, row));
        frequent[row] = all[row] & (uint16_t)~singles;
        once += (unsigned)__builtin_popcount(singles);
    }
    for (int without = 0; without < 2; without++) {
        const size_t missed = without ? 2 * once : once;
        unsigned count = 0;
        memcpy(tried.used, without ? frequent : all, sizeof tried.used);
        for (unsigned row = 0; row < 8; row++)
            count += (unsigned)__builtin_popcount(tried.used[row]);
        for (unsigned tables = count <= 16 ? 1 : (count + 15) / 16; tables <= WE_MOST_TABLES; tables++) {
            const size_t time =
                sampled / 32 * (WE_TIME_BY_CELLS + WE_TIME_OF_TABLE * tables) + missed * WE_TIME_OF_EXCEPTION;
            if (time >= least)
                break;
            if (we_place_rows(tried.used, tables, tried.taken, tried.first_cells)) {
                best = tried;
                cells->tables = tables;
                least = time;
            }
        }
    }
    if (least == most_time)
        return least;
    we_fill_cells(cells, table, &best);
    return least;
}

/* A method: how to decode bytes, all but exceptions. */
enum { WE_BY_DISTANCES, WE_BY_SCRIPT = 0x10, WE_BY_CELLS = 0x20 };
typedef struct {
    int kind; /* with the number of rows, of tables */
    we_distances distances;
    we_script script;
    we_cells cells;
} we_method;

/* Choose the method that takes the least time for a text, of which `counts` has the numbers of `sampled` bytes, fewer
 * than 0x10000. Return 0 if a byte is unmapped. */
WE_TARGET_VECTOR_16 static inline int we_choose_method(we_method *method, const uint16_t *table, const uint16_t *counts,
                                                       size_t sampled)
{
    const size_t blocks = sampled / 32;
    size_t least = (WE_TIME_BY_CELLS + WE_TIME_OF_TABLE * WE_ALL_TABLES) * blocks, missed, time;
    for (unsigned row = 0; row < 8; row++)
        if (we_any_16(we_and_not_16(we_zeros_of_row(table, row), we_zeros_of_row(counts, row))))
            return 0;
    method->kind = WE_BY_CELLS + WE_ALL_TABLES;
    method->distances = we_find_distances(table, counts, &missed);
    time = WE_TIME_BY_DISTANCES * blocks + WE_TIME_OF_EXCEPTION * missed;
    if (time < least) {
        least = time;
        method->kind = WE_BY_DISTANCES;
    }
    time = we_find_script(&method->script, table, counts, sampled);
    if (time < least) {
        least = time;
        method->kind = WE_BY_SCRIPT + (int)method->script.count;
    }
    if (we_find_cells(&method->cells, table, counts, sampled, least) < least)
        method->kind = WE_BY_CELLS + (int)method->cells.tables;
    if (method->kind == WE_BY_CELLS + WE_ALL_TABLES)
        we_fill_all_cells(&method->cells, table);
    return 1;
}

/* Blocks of 64 bytes with exceptions: their places in the piece, and the masks of all other bytes. */
enum { WE_BLOCK = 64, WE_MOST_PIECE = 4096 };
typedef struct {
    size_t count;
    uint16_t at[WE_MOST_PIECE / WE_BLOCK];
    uint64_t regular[WE_MOST_PIECE / WE_BLOCK];
} we_exceptions;

/* What a method looks up, in both halves of registers, as the shuffle works within halves. */
typedef struct {
    __m256i low[WE_ALL_TABLES], high[WE_ALL_TABLES], steps[WE_MOST_ROWS];
    __m256i by_nibble, high_by_nibble, exceptions, row_bit;
} we_registers_avx2;

WE_ALWAYS_INLINE WE_TARGET_AVX2 void we_load_registers_avx2(we_registers_avx2 *registers, const we_method *method,
                                                            const int kind)
{
    if (kind == WE_BY_DISTANCES) {
        registers->by_nibble = _mm256_broadcastsi128_si256(method->distances.low);
        registers->high_by_nibble = _mm256_broadcastsi128_si256(method->distances.high);
        registers->exceptions = _mm256_broadcastsi128_si256(method->distances.exceptions);
    } else if (kind < WE_BY_CELLS) {
        for (int k = 0; k < kind - WE_BY_SCRIPT; k++) {
            registers->low[k] = _mm256_broadcastsi128_si256(we_load_16(method->script.low[k]));
            registers->steps[k] = _mm256_set1_epi8((char)method->script.steps[k]);
        }
        registers->high[0] = _mm256_set1_epi8((char)method->script.high);
    } else {
        for (int k = 0; k < kind - WE_BY_CELLS; k++) {
            __m128i low = we_load_16(method->cells.low + 16 * k), high = we_load_16(method->cells.high + 16 * k);
            if (k > 0) {
                low = _mm_xor_si128(low, we_load_16(method->cells.low + 16 * k - 16));
                high = _mm_xor_si128(high, we_load_16(method->cells.high + 16 * k - 16));
            }
            registers->low[k] = _mm256_broadcastsi128_si256(low);
            registers->high[k] = _mm256_broadcastsi128_si256(high);
        }
        registers->steps[0] = we_constant_avx2(_mm256_set1_epi8(16));
        registers->by_nibble = _mm256_broadcastsi128_si256(method->cells.displacements);
        registers->exceptions = _mm256_broadcastsi128_si256(method->cells.exceptions);
    }
    registers->row_bit = _mm256_broadcastsi128_si256(we_row_bits());
}

/* Store two vectors of units whose halves follow one another in turn: what unpacking gives, which works within halves.
 * Storing halves takes less than moving them. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 void we_store_halves_avx2(uint16_t *target, __m256i a, __m256i b)
{
    we_store_16(target, _mm256_castsi256_si128(a));
    we_store_16(target + 8, _mm256_castsi256_si128(b));
    we_store_16(target + 16, _mm256_extracti128_si256(a, 1));
    we_store_16(target + 24, _mm256_extracti128_si256(b, 1));
}

/* Decode 32 bytes. Return the mask of all but exceptions, whose units are arbitrary. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 uint32_t we_decode_32_avx2(const we_registers_avx2 *registers, const int kind,
                                                           __m256i bytes, uint16_t *target)
{
    const __m256i zero = _mm256_setzero_si256(), nibble = _mm256_set1_epi8(0x0F);
    if (kind > WE_BY_SCRIPT && kind < WE_BY_CELLS) {
        __m256i index = _mm256_xor_si256(bytes, _mm256_set1_epi8(-0x80)), low = bytes;
        const __m256i high = _mm256_shuffle_epi8(registers->high[0], index); /* 0 for ASCII */
        for (int k = 0; k < kind - WE_BY_SCRIPT; k++) {
            /* This saturates, so that ASCII stays negative, for which a shuffle gives 0. */
            index = _mm256_subs_epi8(index, registers->steps[k]);
            low = _mm256_xor_si256(low, _mm256_shuffle_epi8(registers->low[k], index));
        }
        we_store_halves_avx2(target, _mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high));
        return ~(uint32_t)_mm256_movemask_epi8(low);
    }
    const __m256i row = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble);
    const __m256i row_bit = _mm256_shuffle_epi8(registers->row_bit, row);
    const __m256i by_nibble = _mm256_shuffle_epi8(registers->by_nibble, row);
    __m256i column = _mm256_and_si256(bytes, nibble);
    if (kind == WE_BY_DISTANCES) {
        const __m256i high = _mm256_shuffle_epi8(registers->high_by_nibble, row);
        we_store_halves_avx2(
            target, _mm256_add_epi16(_mm256_unpacklo_epi8(bytes, zero), _mm256_unpacklo_epi8(by_nibble, high)),
            _mm256_add_epi16(_mm256_unpackhi_epi8(bytes, zero), _mm256_unpackhi_epi8(by_nibble, high)));
    } else {
        __m256i cell = column = _mm256_add_epi8(bytes, by_nibble);
        __m256i low = _mm256_xor_si256(bytes, _mm256_shuffle_epi8(registers->low[0], cell));
        __m256i high = _mm256_shuffle_epi8(registers->high[0], cell);
        for (int k = 1; k < kind - WE_BY_CELLS; k++) {
            cell = _mm256_sub_epi8(cell, registers->steps[0]);
            low = _mm256_xor_si256(low, _mm256_shuffle_epi8(registers->low[k], cell));
            high = _mm256_xor_si256(high, _mm256_shuffle_epi8(registers->high[k], cell));
        }
        we_store_halves_avx2(target, _mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high));
    }
    return we_zeros_32(_mm256_and_si256(row_bit, _mm256_shuffle_epi8(registers->exceptions, column)));
}

/* Decode whole blocks of a piece by a method, and list the exceptions. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 void we_decode_blocks_of_avx2(const uint8_t *source, size_t length,
                                                              const we_method *method, const int kind, uint16_t *target,
                                                              we_exceptions *exceptions)
{
    we_registers_avx2 registers;
    we_load_registers_avx2(&registers, method, kind);
    size_t count = 0;
    for (size_t i = 0; i < length; i += WE_BLOCK) {
        const __m256i first = we_load_32(source + i);
        const __m256i second = we_load_32(source + i + 32);
        if (_mm256_movemask_epi8(_mm256_or_si256(first, second)) == 0) {
            we_widen_32_to_ucs2(first, target + i);
            we_widen_32_to_ucs2(second, target + i + 32);
            continue;
        }
        uint64_t regular = we_decode_32_avx2(&registers, kind, first, target + i);
        regular |= (uint64_t)we_decode_32_avx2(&registers, kind, second, target + i + 32) << 32;
        /* Written for each block, and kept for those with exceptions: a branch would be mispredicted. There are no more
         * of them than blocks of a piece. */
        exceptions->at[count] = (uint16_t)i;
        exceptions->regular[count] = regular;
        count += regular != UINT64_MAX;
    }
    exceptions->count = count;
}

WE_TARGET_AVX2 static inline void we_decode_blocks_avx2(const uint8_t *source, size_t length, const we_method *method,
                                                        uint16_t *target, we_exceptions *exceptions)
{
    exceptions->count = 0;
#define WE_DECODE_BLOCKS(kind)                                                                                         \
    case kind:                                                                                                         \
        we_decode_blocks_of_avx2(source, length, method, kind, target, exceptions);                                    \
        break
    switch (method->kind) {
        WE_DECODE_BLOCKS(WE_BY_DISTANCES);
        WE_DECODE_BLOCKS(WE_BY_SCRIPT + 4);
        WE_DECODE_BLOCKS(WE_BY_SCRIPT + 5);
        WE_DECODE_BLOCKS(WE_BY_SCRIPT + 6);
        WE_DECODE_BLOCKS(WE_BY_CELLS + 1);
        WE_DECODE_BLOCKS(WE_BY_CELLS + 2);
        WE_DECODE_BLOCKS(WE_BY_CELLS + 3);
        WE_DECODE_BLOCKS(WE_BY_CELLS + 4);
        WE_DECODE_BLOCKS(WE_BY_CELLS + WE_ALL_TABLES);
    }
#undef WE_DECODE_BLOCKS
}

/* With fewer than WE_LONG bytes left, a sample takes longer than it saves. */
enum { WE_SAMPLE = 768, WE_LONG = 2048, WE_MOST_SPAN = 1 << 16 };

/* Decode by the method that suits the text best. Stop before an unmapped byte, or somewhere before one that is in a
 * sample. `length` is at least 64. */
WE_TARGET_AVX2 static inline size_t we_single_byte_by_method_avx2(const uint8_t *source, size_t length,
                                                                  const uint16_t *table, uint16_t *target)
{
    we_method method;
    we_exceptions exceptions;
    uint16_t counts[256] = {0};
    size_t sampled = 0, many = 1, most = 0, piece = 0;
    for (size_t i = 0; i < length; i += piece) {
        if (many > most && length - i < WE_LONG) {
            method.kind = WE_BY_CELLS + WE_ALL_TABLES;
            we_fill_all_cells(&method.cells, table);
            piece = WE_MOST_PIECE;
        } else if (many > most) {
            if (sampled > UINT16_MAX - WE_SAMPLE) {
                memset(counts, 0, sizeof counts);
                sampled = 0;
            }
            /* From all over the next bytes, as a text often begins unlike the rest of it. */
            const size_t span = length - i < WE_MOST_SPAN ? length - i : WE_MOST_SPAN, step = span / (WE_SAMPLE / 64);
            for (size_t part = 0; part < WE_SAMPLE / 64; part++)
                for (size_t at = i + part * step, end = at + 64; at < end; at += 16)
                    if (we_any_high_16(we_load_16(source + at)))
                        for (size_t k = at; k < at + 16; k++)
                            counts[source[k]]++;
            sampled += WE_SAMPLE;
            if (!we_choose_method(&method, table, counts + 0x80, sampled))
                return i;
            piece = WE_SAMPLE / 2;
        }
        /* While the method proves itself pieces are short. */
        piece = piece * 2 < WE_MOST_PIECE ? piece * 2 : WE_MOST_PIECE;
        if (piece > length - i)
            piece = (length - i) & ~(size_t)(WE_BLOCK - 1);
        if (piece == 0) {
            piece = WE_BLOCK;
            i = length - WE_BLOCK; /* the last block overlaps the one before it */
        }
        we_decode_blocks_avx2(source + i, piece, &method, target + i, &exceptions);
        many = 0;
        most = 8 + piece / 64;
        for (size_t k = 0; k < exceptions.count; k++) {
            const size_t at = i + exceptions.at[k];
            const uint64_t bits = ~exceptions.regular[k];
            const size_t done = we_single_byte_patch(source + at, table, target + at, bits);
            if (done < WE_PATCHED)
                return at + done;
            many += (size_t)_mm_popcnt_u64(bits);
        }
    }
    return length;
}
/* As we_single_byte_by_distances_128. */
WE_TARGET_AVX2 static inline size_t we_single_byte_by_distances_avx2(const uint8_t *source, size_t length,
                                                                     const uint16_t *table, uint16_t *target)
{
    unsigned many = 0;
    const we_distances found = we_find_distances(table, NULL, NULL);
    const __m256i distances_low = _mm256_broadcastsi128_si256(found.low),
                  distances_high = _mm256_broadcastsi128_si256(found.high),
                  all_exceptions = _mm256_broadcastsi128_si256(found.exceptions),
                  row_bit = _mm256_broadcastsi128_si256(we_row_bits());
    __m256i nibble = _mm256_set1_epi8(0x0F), zero = _mm256_setzero_si256();
    size_t i = 0;
    for (; length - i >= 32; i += 32) {
        __m256i bytes = we_load_32(source + i);
        if (_mm256_movemask_epi8(bytes) == 0) {
            we_widen_32_to_ucs2(bytes, target + i);
            continue;
        }
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble), low = _mm256_and_si256(bytes, nibble);
        __m256i regular = _mm256_cmpeq_epi8(
            zero, _mm256_and_si256(_mm256_shuffle_epi8(all_exceptions, low), _mm256_shuffle_epi8(row_bit, high)));
        __m256i distance_low = _mm256_shuffle_epi8(distances_low, high);
        __m256i distance_high = _mm256_shuffle_epi8(distances_high, high);
        __m256i a =
            _mm256_add_epi16(_mm256_unpacklo_epi8(bytes, zero), _mm256_unpacklo_epi8(distance_low, distance_high));
        __m256i b =
            _mm256_add_epi16(_mm256_unpackhi_epi8(bytes, zero), _mm256_unpackhi_epi8(distance_low, distance_high));
        we_store_32(target + i, _mm256_permute2x128_si256(a, b, 0x20));
        we_store_32(target + i + 16, _mm256_permute2x128_si256(a, b, 0x31));
        uint32_t exceptions = ~(uint32_t)_mm256_movemask_epi8(regular);
        if (exceptions == 0)
            continue;
        if ((many += (unsigned)_mm_popcnt_u32(exceptions)) > WE_MANY_EXCEPTIONS + i / 80)
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
                                                                    const uint16_t *table, uint16_t *target)
{
    size_t i = 0;
    if (length >= WE_WORTH_ALIGNING) {
        const size_t head = 16 - WE_MISALIGNED(target, 16);
        i = we_single_byte_few_to_ucs2(source, head, table, target);
        if (i < head)
            return i;
    }
    if (length - i >= WE_BLOCK && we_single_byte_is_mapped(source[i], table)) {
        i += we_single_byte_by_distances_avx2(source + i, length - i, table, target + i);
        if (length - i >= WE_BLOCK && we_single_byte_is_mapped(source[i], table))
            i += we_single_byte_by_method_avx2(source + i, length - i, table, target + i);
    }
    return i + we_single_byte_run_to_ucs2_scalar(source + i, length - i, table, target + i);
}

WE_TARGET_AVX2 static inline size_t we_single_byte_run_from_ucs2_avx2(const uint16_t *source, size_t length,
                                                                      const we_single_byte_reverse *table,
                                                                      uint8_t *target)
{
    const __m256i low_byte = we_constant_avx2(_mm256_set1_epi16(0x00FF)), low_bits = _mm256_set1_epi8(0x7F);
    size_t number = 1; /* of the block in registers: U+0080 to U+00FF */
    we_table_avx2 block = we_load_table_avx2(we_single_byte_block(table, number));
    /* The units that need no lookup: without these bits and, as signed bytes, from `least` on. */
    const int latin1 = length >= 64 && we_single_byte_keeps_latin1(we_single_byte_block(table, number));
    const __m256i not_plain = _mm256_set1_epi16((short)(latin1 ? 0xFF00 : 0xFF80));
    const __m256i least = _mm256_set1_epi8(latin1 ? -0x60 : -0x80);
    size_t i = 0;
    for (; length - i >= 32; i += 32) {
        __m256i a = we_load_32(source + i), b = we_load_32(source + i + 16);
        __m256i either = _mm256_or_si256(a, b);
        if (_mm256_testz_si256(either, not_plain)) {
            const __m256i plain = we_in_order_32(_mm256_packus_epi16(a, b));
            we_store_32(target + i, plain);
            if (_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, plain)) == 0)
                continue;
        }
        __m256i found =
            we_in_order_32(_mm256_packus_epi16(_mm256_and_si256(a, low_byte), _mm256_and_si256(b, low_byte)));
        const __m256i index = _mm256_and_si256(found, low_bits);
        /* The blocks' numbers, 0xFF for those above it. */
        const __m256i a_numbers = _mm256_srli_epi16(a, 7), b_numbers = _mm256_srli_epi16(b, 7);
        const __m256i numbers = we_in_order_32(_mm256_packus_epi16(a_numbers, b_numbers));
        uint32_t mapped = ~we_zeros_32(numbers), rest = mapped;
        uint16_t block_numbers[32]; /* not from the source, which is read once */
        we_store_32(block_numbers, a_numbers);
        we_store_32(block_numbers + 16, b_numbers);
        while (rest != 0) {
            const size_t needed = block_numbers[_tzcnt_u32(rest)];
            if (needed != number) {
                number = needed;
                block = we_load_table_avx2(we_single_byte_block(table, number));
            }
            __m256i in_block = _mm256_cmpeq_epi8(numbers, _mm256_set1_epi8((char)number));
            if (number >= 0xFF) {
                const __m256i sought = _mm256_set1_epi16((short)number);
                in_block = we_in_order_32(
                    _mm256_packs_epi16(_mm256_cmpeq_epi16(a_numbers, sought), _mm256_cmpeq_epi16(b_numbers, sought)));
            }
            found = _mm256_blendv_epi8(found, we_look_up_avx2(&block, index), in_block);
            rest &= ~(uint32_t)_mm256_movemask_epi8(in_block); /* at least one fewer */
        }
        we_store_32(target + i, found);
        uint32_t unmapped = we_zeros_32(found) & mapped;
        if (unmapped != 0)
            return i + (size_t)_tzcnt_u32(unmapped);
    }
    return i + we_single_byte_run_from_ucs2_scalar(source + i, length - i, table, target + i);
}
#endif

/* ---- AVX-512 ---- */

#if defined(WE_HAVE_AVX512)
/* Loads and stores of the first `count` of 64 units, which is at most 64. A masked store takes as long as several plain
 * ones, so only the last block of a run uses it. */
WE_TARGET_AVX512 static inline __mmask64 we_first_lanes(size_t count)
{
    return _cvtu64_mask64(_bzhi_u64(~UINT64_C(0), (unsigned)count));
}

WE_TARGET_AVX512 static inline __m512i we_load_bytes_64(const uint8_t *source, size_t count)
{
    return count == 64 ? we_load_64(source) : _mm512_maskz_loadu_epi8(we_first_lanes(count), source);
}

WE_TARGET_AVX512 static inline void we_store_bytes_64(uint8_t *target, size_t count, __m512i bytes)
{
    if (count == 64)
        _mm512_storeu_si512(target, bytes);
    else
        _mm512_mask_storeu_epi8(target, we_first_lanes(count), bytes);
}

WE_TARGET_AVX512 static inline void we_load_units_64(const uint16_t *source, size_t count, __m512i *a, __m512i *b)
{
    if (count == 64) {
        *a = we_load_64(source);
        *b = we_load_64(source + 32);
    } else {
        uint64_t lanes = _cvtmask64_u64(we_first_lanes(count));
        *a = _mm512_maskz_loadu_epi16(_cvtu32_mask32((uint32_t)lanes), source);
        *b = _mm512_maskz_loadu_epi16(_cvtu32_mask32((uint32_t)(lanes >> 32)), source + 32);
    }
}

WE_TARGET_AVX512 static inline void we_store_units_64(uint16_t *target, size_t count, __m512i a, __m512i b)
{
    if (count == 64) {
        _mm512_storeu_si512(target, a);
        _mm512_storeu_si512(target + 32, b);
    } else {
        uint64_t lanes = _cvtmask64_u64(we_first_lanes(count));
        _mm512_mask_storeu_epi16(target, _cvtu32_mask32((uint32_t)lanes), a);
        _mm512_mask_storeu_epi16(target + 32, _cvtu32_mask32((uint32_t)(lanes >> 32)), b);
    }
}

WE_TARGET_AVX512 static inline size_t we_single_byte_map_avx512(const uint8_t *source, size_t length,
                                                                const uint8_t *map, uint8_t *target, uint32_t *bits)
{
    __m512i map_a = _mm512_loadu_si512(map), map_b = _mm512_loadu_si512(map + 64);
    __m512i all = _mm512_setzero_si512();
    size_t i = 0;
    if (length >= WE_WORTH_ALIGNING) {
        const size_t head = 64 - WE_MISALIGNED(target, 64);
        const __m512i bytes = we_load_64(source);
        const __m512i found = _mm512_mask2_permutex2var_epi8(map_a, bytes, _mm512_movepi8_mask(bytes), map_b);
        _mm512_storeu_si512(target, found);
        /* With a 0 among these the loops below start again. The bytes after the head are read again in any case, and
         * may have changed: `all` does not have them. */
        if (_cvtmask64_u64(_mm512_testn_epi8_mask(found, found)) == 0) {
            all = _mm512_maskz_mov_epi8(we_first_lanes(head), found);
            i = head;
        }
    }
    /* Testing sixteen vectors for a 0 together saves a third of the time. From a 0 on, NUL or unmapped, the second loop
     * does the rest. */
    while (length - i >= 256) {
        __m512i least = _mm512_set1_epi8(-1), more = all, found = all;
        size_t end = length - i < 1024 ? i + ((length - i) & ~(size_t)255) : i + 1024;
        for (size_t j = i; j < end; j += 256) {
            for (size_t k = j; k < j + 256; k += 64) {
                __m512i bytes = we_load_64(source + k);
                found = _mm512_mask2_permutex2var_epi8(map_a, bytes, _mm512_movepi8_mask(bytes), map_b);
                _mm512_storeu_si512(target + k, found);
                least = _mm512_min_epu8(least, found);
            }
            more = _mm512_or_si512(more, found); /* of a quarter of the vectors, which is enough in most texts */
        }
        if (_cvtmask64_u64(_mm512_testn_epi8_mask(least, least)) != 0)
            break;
        all = more;
        i = end;
    }
    *bits |= _mm512_movepi8_mask(all) ? 0x80 : 0;
    for (; i < length; i += 64) {
        size_t count = length - i < 64 ? length - i : 64;
        __m512i bytes = we_load_bytes_64(source + i, count);
        __mmask64 mapped = _mm512_movepi8_mask(bytes);
        __m512i found = _mm512_mask2_permutex2var_epi8(map_a, bytes, mapped, map_b);
        we_store_bytes_64(target + i, count, found);
        uint64_t unmapped = _cvtmask64_u64(_mm512_mask_testn_epi8_mask(mapped, found, found));
        if (unmapped != 0)
            return i + (size_t)_tzcnt_u64(unmapped);
    }
    return length;
}

/* A table of 128 code points: their low bytes and their high bytes. */
typedef struct {
    __m512i low[2], high[2];
} we_units_avx512;

/* Look up the first `count` of 64 bytes. Unpacking works within quarters: with the source's eighths in this order its
 * results are the two halves of the target. Return the mask of the unmapped bytes, in that order. */
WE_TARGET_AVX512 static inline uint64_t we_single_byte_step_to_ucs2_avx512(const uint8_t *source, size_t count,
                                                                           const we_units_avx512 *table,
                                                                           uint16_t *target, __m512i *high_bytes)
{
    const __m512i eighths = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    __m512i bytes = _mm512_permutexvar_epi64(eighths, we_load_bytes_64(source, count));
    __mmask64 mapped = _mm512_movepi8_mask(bytes);
    __m512i lows = _mm512_mask2_permutex2var_epi8(table->low[0], bytes, mapped, table->low[1]);
    __m512i highs = _mm512_maskz_permutex2var_epi8(mapped, table->high[0], bytes, table->high[1]);
    we_store_units_64(target, count, _mm512_unpacklo_epi8(lows, highs), _mm512_unpackhi_epi8(lows, highs));
    *high_bytes = highs;
    __m512i either = _mm512_or_si512(lows, highs);
    return _cvtmask64_u64(_mm512_mask_testn_epi8_mask(mapped, either, either));
}

WE_TARGET_AVX512 static inline size_t we_single_byte_run_to_ucs2_avx512(const uint8_t *source, size_t length,
                                                                        const uint16_t *table, uint16_t *target,
                                                                        uint32_t *bits)
{
    __m512i a = _mm512_loadu_si512(table), b = _mm512_loadu_si512(table + 32);
    __m512i c = _mm512_loadu_si512(table + 64), d = _mm512_loadu_si512(table + 96);
    const we_units_avx512 units = {
        {we_low_bytes_64(a, b), we_low_bytes_64(c, d)},
        {we_low_bytes_64(_mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8)),
         we_low_bytes_64(_mm512_srli_epi16(c, 8), _mm512_srli_epi16(d, 8))},
    };
    __m512i all_highs = _mm512_setzero_si512(), highs, more_highs;
    size_t i = 0;
    if (length >= WE_WORTH_ALIGNING) {
        const size_t head = 32 - WE_MISALIGNED(target, 32);
        /* With an unmapped byte among these the loops below start again. */
        if (we_single_byte_step_to_ucs2_avx512(source, head, &units, target, &all_highs) == 0)
            i = head;
        else
            all_highs = _mm512_setzero_si512();
    }
    /* Two at a time save a tenth of the time. */
    for (; length - i >= 128; i += 128) {
        if (we_single_byte_step_to_ucs2_avx512(source + i, 64, &units, target + i, &highs)
            | we_single_byte_step_to_ucs2_avx512(source + i + 64, 64, &units, target + i + 64, &more_highs))
            break;
        all_highs = _mm512_or_si512(all_highs, _mm512_or_si512(highs, more_highs));
    }
    for (; i < length; i += 64) {
        size_t count = length - i < 64 ? length - i : 64;
        uint64_t unmapped = we_single_byte_step_to_ucs2_avx512(source + i, count, &units, target + i, &highs);
        if (unmapped != 0) {
            const __m512i eighths_back = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            length =
                i + we_ascii_in_64(_mm512_permutexvar_epi64(eighths_back, _mm512_movm_epi8(_cvtu64_mask64(unmapped))));
            break; /* without the high bytes of this block, some of which may lie after the end */
        }
        all_highs = _mm512_or_si512(all_highs, highs);
    }
    *bits |= _mm512_test_epi8_mask(all_highs, all_highs) ? 0x100 : 0;
    return length;
}

/* A block of the table in registers, and its number: the low eight bits in all bytes, and the ninth in all bits. */
typedef struct {
    __m512i first, second, number;
    uint64_t ninth;
} we_block_avx512;

WE_ALWAYS_INLINE WE_TARGET_AVX512 we_block_avx512 we_load_block_avx512(const we_single_byte_reverse *table,
                                                                       size_t number)
{
    const uint8_t *block = we_single_byte_block(table, number);
    const we_block_avx512 loaded = {_mm512_loadu_si512(block), _mm512_loadu_si512(block + 64),
                                    _mm512_set1_epi8((char)number), 0 - (uint64_t)(number >> 8)};
    return loaded;
}

/* Two blocks stay in registers, which few texts exceed. Another block replaces one of which the vector has no units. */
WE_TARGET_AVX512 static inline size_t we_single_byte_run_from_ucs2_avx512(const uint16_t *source, size_t length,
                                                                          const we_single_byte_reverse *table,
                                                                          uint8_t *target)
{
    /* The even bytes of two registers: one permute, where two narrowings and a join take three times as long. */
    const __m512i even =
        _mm512_set_epi8(126, 124, 122, 120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100, 98, 96, 94, 92, 90, 88,
                        86, 84, 82, 80, 78, 76, 74, 72, 70, 68, 66, 64, 62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40,
                        38, 36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i not_ascii = _mm512_set1_epi16((short)0xFF80);
    we_block_avx512 one = we_load_block_avx512(table, 1), two = one; /* U+0080 to U+00FF */
    for (size_t i = 0; i < length; i += 64) {
        const size_t count = length - i < 64 ? length - i : 64;
        __m512i a, b;
        we_load_units_64(source + i, count, &a, &b);
        const __m512i index = _mm512_permutex2var_epi8(a, even, b), either = _mm512_or_si512(a, b);
        if (_mm512_test_epi16_mask(either, not_ascii) == 0) {
            we_store_bytes_64(target + i, count, index);
            continue;
        }
        /* A block's number has nine bits: eight of them here, and the lanes that have the ninth. */
        uint64_t ninth = 0;
        if (_mm512_movepi16_mask(either) != 0)
            ninth = _cvtmask64_u64(_mm512_kunpackd(_mm512_movepi16_mask(b), _mm512_movepi16_mask(a)));
        const __m512i numbers = _mm512_permutex2var_epi8(_mm512_srli_epi16(a, 7), even, _mm512_srli_epi16(b, 7));
        const uint64_t mapped = _cvtmask64_u64(_mm512_test_epi8_mask(numbers, numbers)) | ninth;
        const uint64_t in_one = _cvtmask64_u64(_mm512_cmpeq_epi8_mask(numbers, one.number)) & ~(ninth ^ one.ninth);
        const uint64_t in_two =
            _cvtmask64_u64(_mm512_cmpeq_epi8_mask(numbers, two.number)) & ~(ninth ^ two.ninth) & ~in_one;
        __m512i found = _mm512_mask2_permutex2var_epi8(one.first, index, _cvtu64_mask64(in_one), one.second);
        found = _mm512_mask2_permutex2var_epi8(two.first, found, _cvtu64_mask64(in_two), two.second);
        uint64_t rest = mapped & ~(in_one | in_two);
        uint16_t units[64]; /* the source is read once */
        if (rest != 0) {
            _mm512_storeu_si512(units, a);
            _mm512_storeu_si512(units + 32, b);
        }
        while (rest != 0) {
            const size_t number = units[_tzcnt_u64(rest)] >> 7;
            const we_block_avx512 other = we_load_block_avx512(table, number);
            const __mmask64 candidates = _cvtu64_mask64(~(ninth ^ other.ninth));
            const __mmask64 in_block = _mm512_mask_cmpeq_epi8_mask(candidates, numbers, other.number);
            found = _mm512_mask_mov_epi8(found, in_block, _mm512_permutex2var_epi8(other.first, index, other.second));
            rest &= ~_cvtmask64_u64(in_block); /* at least one fewer */
            if (in_two == 0)
                two = other;
            else if (in_one == 0)
                one = other;
        }
        we_store_bytes_64(target + i, count, found);
        const uint64_t unmapped = _cvtmask64_u64(_mm512_testn_epi8_mask(found, found)) & mapped;
        if (unmapped != 0)
            return i + (size_t)_tzcnt_u64(unmapped);
    }
    return length;
}
#endif

/* ---- Decode ---- */

/* `bits` is that of we_decode_run. Only the AVX-512 variants set it, where that takes hardly any time. */
#if defined(WE_HAVE_AVX512)
#define WE_BEST_AND_BITS(bits, name, ...)                                                                              \
    (simd >= WE_SIMD_AVX512 ? name##_avx512(__VA_ARGS__, bits) : WE_BEST_OF_AVX2(name, __VA_ARGS__))
#else
#define WE_BEST_AND_BITS(bits, name, ...) ((void)(bits), WE_BEST_OF_AVX2(name, __VA_ARGS__))
#endif

static inline size_t we_single_byte_map(int simd, const uint8_t *source, size_t length, const uint8_t *map,
                                        uint8_t *target, uint32_t *bits)
{
#if defined(WE_HAVE_VECTOR_16) && defined(WE_HAVE_SSE2)
    if (simd == WE_SIMD_X86_64_V2)
        return we_single_byte_map_128(source, length, map, target);
#endif
    return WE_BEST_AND_BITS(bits, we_single_byte_map, source, length, map, target);
}

static inline size_t we_single_byte_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                                uint16_t *target, uint32_t *bits)
{
#if defined(WE_HAVE_VECTOR_16) && defined(WE_HAVE_SSE2)
    if (simd == WE_SIMD_X86_64_V2)
        return we_single_byte_run_to_ucs2_128(source, length, table, target);
#endif
    return WE_BEST_AND_BITS(bits, we_single_byte_run_to_ucs2, source, length, table, target);
}

/* No single-byte index needs UCS4: this serves strings that are UCS4 already. */
static inline size_t we_single_byte_run_to_ucs4(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                                uint32_t *target)
{
    enum { PIECE = 1024 };
    uint16_t units[PIECE];
    uint32_t bits = 0;
    size_t i = 0;
    while (i < length) {
        size_t count = length - i < PIECE ? length - i : PIECE;
        size_t done = we_single_byte_run_to_ucs2(simd, source + i, count, table, units, &bits);
        we_widen_ucs2_to_ucs4(simd, units, done, target + i);
        i += done;
        if (done < count)
            break;
    }
    return i;
}

/* `latin1` has the code points that are at most U+00FF, and 0 for all others. Stops before a code point above
 * `max_code_point`, which is 0x7F or 0xFF. */
static inline size_t we_single_byte_run_to_ucs1(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                                const uint8_t *latin1, uint8_t *target, uint32_t max_code_point,
                                                uint32_t *bits)
{
    (void)table;
    if (max_code_point < 0x80) /* no index has a code point of ASCII */
        return we_ascii_run_to_ucs1(simd, source, length, target);
    return we_single_byte_map(simd, source, length, latin1, target, bits);
}

/* `*written` is set to the bytes of UTF-8. */
static inline size_t we_single_byte_run_to_utf8(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                                uint8_t *target, size_t *written)
{
    enum {
        PIECE = 1024,
        KEPT = 3 /* bytes of source whose capacity, three bytes each, is the slack that the UTF-8 run may write to */
    };
    uint16_t units[PIECE];
    uint32_t bits = 0;
    uint8_t *out = target;
    size_t i = 0, count, done;
    do {
        count = length - i > KEPT ? length - i - KEPT : 0;
        count = count < PIECE ? count : PIECE;
        done = we_single_byte_run_to_ucs2(simd, source + i, count, table, units, &bits);
        size_t bytes = 0;
        we_utf_8_run_from_ucs2(simd, units, done, out, &bytes);
        out += bytes;
        i += done;
    } while (done == count && count == PIECE);
    for (; done == count && i < length; i++) {
        uint8_t byte = source[i];
        uint16_t code_point = byte < 0x80 ? byte : table[byte & 0x7F];
        if (code_point == 0 && byte != 0)
            break;
        if (code_point < 0x80) {
            *out++ = (uint8_t)code_point;
        } else if (code_point < 0x800) {
            *out++ = (uint8_t)(0xC0 | code_point >> 6);
            *out++ = (uint8_t)(0x80 | (code_point & 0x3F));
        } else {
            *out++ = (uint8_t)(0xE0 | code_point >> 12);
            *out++ = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
            *out++ = (uint8_t)(0x80 | (code_point & 0x3F));
        }
    }
    *written = (size_t)(out - target);
    return i;
}

/* ---- Encode: stops before a code point that the encoding does not have ---- */

/* The code points from U+0080 to U+00FF are one block, by which this is the same task as decoding to UCS1. */
static inline size_t we_single_byte_run_from_ucs1(int simd, const uint8_t *source, size_t length,
                                                  const we_single_byte_reverse *table, uint8_t *target)
{
    uint32_t bits = 0;
    return we_single_byte_map(simd, source, length, we_single_byte_block(table, 1), target, &bits);
}

static inline size_t we_single_byte_run_from_ucs2(int simd, const uint16_t *source, size_t length,
                                                  const we_single_byte_reverse *table, uint8_t *target)
{
    /* Behind an error few units are offered, and the vectors' constants take longer than those. */
    if (length < 8)
        return we_single_byte_run_from_ucs2_scalar(source, length, table, target);
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16 && simd < WE_SIMD_AVX2)
        return we_single_byte_run_from_ucs2_128(source, length, table, target);
#endif
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_single_byte_run_from_ucs2_avx512(source, length, table, target);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_single_byte_run_from_ucs2_avx2(source, length, table, target);
#endif
#if defined(WE_HAVE_SSE2)
    if (simd >= WE_SIMD_SSE2)
        return we_single_byte_run_from_ucs2_16(source, length, table, target);
#endif
    (void)simd;
    return we_single_byte_run_from_ucs2_scalar(source, length, table, target);
}

static inline size_t we_single_byte_run_from_ucs4(int simd, const uint32_t *source, size_t length,
                                                  const we_single_byte_reverse *table, uint8_t *target)
{
    enum { PIECE = 128 };
    uint32_t code_points[PIECE]; /* the source is read once */
    uint16_t units[PIECE];
    size_t i = 0;
    if (length != 0 && source[0] > 0xFFFF)
        return 0; /* before any set-up: such code points often follow one another */
    while (i < length) {
        /* In one step: a page in English with one emoji takes half as long thus. */
        i += we_ascii_run_from_ucs4(simd, source + i, length - i, target + i);
        size_t count = length - i < PIECE ? length - i : PIECE, fitting = count;
        memcpy(code_points, source + i, count * sizeof *code_points);
        if (we_or_ucs4(simd, code_points, count) > 0xFFFF)
            for (fitting = 0; fitting < count && code_points[fitting] <= 0xFFFF;)
                fitting++;
        we_narrow_ucs4_to_ucs2(simd, code_points, fitting, units);
        size_t done = we_single_byte_run_from_ucs2(simd, units, fitting, table, target + i);
        i += done;
        if (done < count)
            break;
    }
    return i;
}

#endif
