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
 * and with AVX2 to look up those rows alone that the text uses.
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
    return code_point < 0x80     ? (uint8_t)code_point
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
enum { WE_PATCHED = 32 };

/* Decode those bytes of a block of at most 32 whose bits are set, one by one. Return the position of the first that is
 * unmapped, or WE_PATCHED. The block was loaded before, and another thread may have written to it since: an ASCII byte
 * gives an entry of the table like any other. */
static inline size_t we_single_byte_patch(const uint8_t *source, const uint16_t *table, uint16_t *target, uint32_t bits)
{
    for (; bits != 0; bits &= bits - 1) {
        const size_t at = (size_t)__builtin_ctz(bits);
        const uint16_t code_point = table[source[at] & 0x7F];
        if (code_point == 0)
            return at;
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

WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_distances we_find_distances(const uint16_t *table)
{
    static const uint16_t columns[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint8_t low[16] = {0}, high[16] = {0};
    we_bytes_16 exceptions = we_zero_16();
    for (int row = 0; row < 8; row++) {
        const uint16_t *const code_points = table + row * 16;
        const uint16_t first_byte = (uint16_t)(0x80 + row * 16);
        we_bytes_16 irregular = we_zero_16();
        int least = 17;
        /* These two columns find the most frequent distance of a row more often than any other two: in 97 % of all
         * rows. */
        for (int candidate = 4; candidate <= 12; candidate += 8) {
            const uint16_t distance = (uint16_t)(code_points[candidate] - first_byte - candidate);
            const we_bytes_16 start = we_all_u16((uint16_t)(first_byte + distance));
            we_bytes_16 regular[2];
            for (int k = 0; k < 2; k++) {
                const we_bytes_16 found = we_load_16(code_points + 8 * k);
                const we_bytes_16 expected = we_add_u16(we_load_16(columns + 8 * k), start);
                regular[k] = we_and_not_16(we_equal_u16(found, expected), we_equal_u16(found, we_zero_16()));
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
    }
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
enum { WE_MANY_EXCEPTIONS = 8 };

/* Decode by distances, and exceptions one by one. Stop before an unmapped byte, or where there are many exceptions. */
WE_TARGET_VECTOR_16 static inline size_t we_single_byte_by_distances_128(const uint8_t *source, size_t length,
                                                                         const uint16_t *table, uint16_t *target)
{
    const we_distances distances = we_find_distances(table);
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
        const we_bytes_16 regular = we_equal_u8(
            zero, we_and_16(we_shuffle_16(distances.exceptions, low), we_shuffle_16(row_bit, high)));
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
        for (uint64_t rest = we_mask_16(we_xor_16(ascii, we_all_u8(0xFF))); rest != 0;) {
            const size_t needed = source[i + (size_t)__builtin_ctzll(rest) / WE_MASK_BITS] >> 7;
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
            rest &= ~we_mask_16(in_block) & (rest - 1); /* at least one fewer, even if the source changes meanwhile */
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
    __m256i least = _mm256_set1_epi8(-0x60);
    size_t i = 0;
    while (length - i >= 64) {
        __m256i a = we_load_32(source + i), b = we_load_32(source + i + 32);
        we_store_32(target + i, a);
        we_store_32(target + i + 32, b);
        uint64_t mapped = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, a));
        mapped |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, b)) << 32;
        for (; mapped != 0; mapped &= mapped - 1) {
            size_t at = i + (size_t)_tzcnt_u64(mapped);
            uint8_t found = map[source[at] & 0x7F];
            if (found == 0)
                return at;
            target[at] = found;
        }
        i += 64;
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

/* Both bytes of the code points of a table, in rows of sixteen as above. Each low byte is held as its difference, by
 * exclusive or, from the byte that it is looked up by. The high byte of an unmapped byte has the high bit. */
typedef struct {
    __m256i low[8], high[8];
} we_rows_avx2;

WE_TARGET_AVX2 static inline void we_load_rows_avx2(we_rows_avx2 *rows, const uint16_t *table)
{
    const __m256i zero = _mm256_setzero_si256(), low_byte = _mm256_set1_epi16(0x00FF);
    __m256i bytes = _mm256_setr_epi16(0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C,
                                      0x8D, 0x8E, 0x8F);
    for (int row = 0; row < 8; row++) {
        const __m256i code_points = we_load_32(table + row * 16);
        const __m256i unmapped = _mm256_and_si256(_mm256_cmpeq_epi16(code_points, zero), _mm256_set1_epi16(0x80));
        const __m256i low = _mm256_xor_si256(_mm256_and_si256(code_points, low_byte), bytes);
        const __m256i high = _mm256_or_si256(_mm256_srli_epi16(code_points, 8), unmapped);
        rows->low[row] = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, low), 0x88);
        rows->high[row] = _mm256_permute4x64_epi64(_mm256_packus_epi16(high, high), 0x88);
        bytes = _mm256_add_epi16(bytes, _mm256_set1_epi16(16));
    }
}

/* Look up 32 bytes in all rows. Return their number, or how many precede the first unmapped byte. `*used` is set to the
 * rows that the bytes are in, one bit for each. */
WE_TARGET_AVX2 WE_NEVER_INLINE static size_t we_single_byte_block_avx2(const uint8_t *source, const we_rows_avx2 *rows,
                                                                       const uint16_t *table, uint16_t *target,
                                                                       unsigned *used)
{
    const __m256i row_bit = _mm256_broadcastsi128_si256(we_row_bits());
    const __m256i sixteen = _mm256_set1_epi8(16), bytes = we_load_32(source);
    /* As in the loop below, but that the row before each is the one that precedes it in the table. */
    __m256i index = _mm256_xor_si256(bytes, _mm256_set1_epi8(-0x80));
    __m256i low = _mm256_xor_si256(bytes, _mm256_shuffle_epi8(rows->low[0], index));
    __m256i high = _mm256_shuffle_epi8(rows->high[0], index);
    for (int row = 1; row < 8; row++) {
        index = _mm256_subs_epi8(index, sixteen);
        low = _mm256_xor_si256(
            low, _mm256_shuffle_epi8(_mm256_xor_si256(rows->low[row], rows->low[row - 1]), index));
        high = _mm256_xor_si256(
            high, _mm256_shuffle_epi8(_mm256_xor_si256(rows->high[row], rows->high[row - 1]), index));
    }
    const __m256i even = _mm256_unpacklo_epi8(low, high), odd = _mm256_unpackhi_epi8(low, high);
    we_store_32(target, _mm256_permute2x128_si256(even, odd, 0x20));
    we_store_32(target + 16, _mm256_permute2x128_si256(even, odd, 0x31));
    const __m256i high_nibble = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
    const __m256i bits = _mm256_shuffle_epi8(row_bit, high_nibble);
    const __m128i half = _mm_or_si128(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
    uint64_t eight = (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
    eight |= eight >> 32;
    eight |= eight >> 16;
    *used = (unsigned)(eight | eight >> 8) & 0xFF;
    return we_single_byte_patch(source, table, target, (uint32_t)_mm256_movemask_epi8(high));
}

/* Look up all bytes in `count` rows, those whose bits are set in `chosen`. Stop before 32 bytes one of which is in
 * another row or unmapped, and where fewer than 64 are left.
 *
 * The entry is the sum of differences as in we_look_up_avx2, of each chosen row from the chosen row before it. ASCII is
 * below the first row, and the subtraction saturates: it has no differences from itself. */
WE_ALWAYS_INLINE WE_TARGET_AVX2 size_t we_single_byte_by_some_rows_avx2(const uint8_t *source, size_t length,
                                                                        const we_rows_avx2 *rows, unsigned chosen,
                                                                        const int count, uint16_t *target)
{
    enum { MOST = 6 };
    __m256i low[MOST], high[MOST], step[MOST];
    uint8_t outside[16] = {0};
    memset(outside + 8, 0x80, 8);
    for (int k = 0, before = 0; k < count; k++, chosen &= chosen - 1) {
        const int row = (int)_tzcnt_u32(chosen);
        low[k] = k == 0 ? rows->low[row] : _mm256_xor_si256(rows->low[row], rows->low[before]);
        high[k] = k == 0 ? rows->high[row] : _mm256_xor_si256(rows->high[row], rows->high[before]);
        step[k] = _mm256_set1_epi8((char)(16 * (k == 0 ? 0 : row - before)));
        if (k == 1)
            step[k] = _mm256_set1_epi8((char)(16 * row));
        outside[8 + row] = 0;
        before = row;
    }
    const __m256i marks = _mm256_broadcastsi128_si256(we_load_16(outside));
    const __m256i high_bit = _mm256_set1_epi8(-0x80), nibble = _mm256_set1_epi8(0x0F);
    size_t i = 0;
    for (; length - i >= 64; i += 64) {
        if (_mm256_movemask_epi8(_mm256_or_si256(we_load_32(source + i), we_load_32(source + i + 32))) == 0) {
            we_widen_32_to_ucs2(we_load_32(source + i), target + i);
            we_widen_32_to_ucs2(we_load_32(source + i + 32), target + i + 32);
            continue;
        }
        for (size_t j = i; j < i + 64; j += 32) {
            /* Unpacking works within halves: with the quarters in this order its results are in the target's. */
            const __m256i bytes = _mm256_permute4x64_epi64(we_load_32(source + j), 0xD8);
            __m256i index = _mm256_xor_si256(bytes, high_bit);
            __m256i found_low = _mm256_xor_si256(bytes, _mm256_shuffle_epi8(low[0], index));
            __m256i found_high = _mm256_shuffle_epi8(high[0], index);
            for (int k = 1; k < count; k++) {
                index = _mm256_subs_epi8(index, step[k]);
                found_low = _mm256_xor_si256(found_low, _mm256_shuffle_epi8(low[k], index));
                found_high = _mm256_xor_si256(found_high, _mm256_shuffle_epi8(high[k], index));
            }
            const __m256i mark = _mm256_shuffle_epi8(marks, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
            we_store_32(target + j, _mm256_unpacklo_epi8(found_low, found_high));
            we_store_32(target + j + 16, _mm256_unpackhi_epi8(found_low, found_high));
            if (_mm256_movemask_epi8(_mm256_or_si256(mark, found_high)) != 0)
                return j;
        }
    }
    return i;
}

enum { WE_ROWS_SAMPLE = 32 };

/* Return the rows to look up, at most six, with the least time for a sample of blocks: `used` has the rows of each
 * block. 0 if looking up all rows takes less. */
static inline unsigned we_choose_rows(const uint8_t *used)
{
    /* Approximate instructions: for a block at all, for each of its rows, in all rows with the misprediction. */
    enum { BLOCK = 9, ROW = 5, MISSED = 120, ALL = 50 };
    unsigned uses[8] = {0}, chosen = 0, best = 0, least = ALL * WE_ROWS_SAMPLE;
    for (int block = 0; block < WE_ROWS_SAMPLE; block++)
        for (int row = 0; row < 8; row++)
            uses[row] += used[block] >> row & 1;
    for (unsigned count = 1; count <= 6; count++) {
        int most = -1;
        for (int row = 0; row < 8; row++)
            if ((chosen >> row & 1) == 0 && (most < 0 || uses[row] > uses[most]))
                most = row;
        chosen |= 1u << most;
        unsigned missed = 0;
        for (int block = 0; block < WE_ROWS_SAMPLE; block++)
            missed += (used[block] & ~chosen) != 0;
        /* There are loops for three rows or more. */
        const unsigned took = (BLOCK + ROW * count) * WE_ROWS_SAMPLE + MISSED * missed;
        if (count >= 3 && took < least) {
            least = took;
            best = chosen;
        }
    }
    return best;
}

/* Decode by looking up both bytes of every code point. Stop before an unmapped byte.
 *
 * Most texts use a few rows of the table. Of a sample of blocks all rows are looked up; from then on those that the
 * sample used most, until too many blocks have other rows. */
WE_TARGET_AVX2 static inline size_t we_single_byte_by_rows_avx2(const uint8_t *source, size_t length,
                                                                const uint16_t *table, uint16_t *target)
{
    we_rows_avx2 rows;
    we_load_rows_avx2(&rows, table);
    uint8_t sample[WE_ROWS_SAMPLE];
    unsigned sampled = 0, chosen = 0, used = 0;
    size_t i = 0, others = 0, since = 0;
    while (length - i >= 32) {
        switch (chosen == 0 ? 0 : _mm_popcnt_u32(chosen)) {
        case 3:
            i += we_single_byte_by_some_rows_avx2(source + i, length - i, &rows, chosen, 3, target + i);
            break;
        case 4:
            i += we_single_byte_by_some_rows_avx2(source + i, length - i, &rows, chosen, 4, target + i);
            break;
        case 5:
            i += we_single_byte_by_some_rows_avx2(source + i, length - i, &rows, chosen, 5, target + i);
            break;
        case 6:
            i += we_single_byte_by_some_rows_avx2(source + i, length - i, &rows, chosen, 6, target + i);
            break;
        default:
            break;
        }
        if (length - i < 32)
            break;
        const __m256i bytes = we_load_32(source + i);
        if (_mm256_movemask_epi8(bytes) == 0) {
            we_widen_32_to_ucs2(bytes, target + i);
            i += 32;
            continue;
        }
        const size_t done = we_single_byte_block_avx2(source + i, &rows, table, target + i, &used);
        i += done;
        if (done < 32)
            return i;
        if (chosen == 0) {
            sample[sampled++] = (uint8_t)used;
            if (sampled == WE_ROWS_SAMPLE) {
                chosen = we_choose_rows(sample);
                sampled = 0;
                others = 0;
                since = i;
            }
        } else if (++others > 16 + (i - since) / 128) {
            chosen = 0; /* one block in four has other rows */
        }
    }
    return i;
}

/* As we_single_byte_by_distances_128. */
WE_TARGET_AVX2 static inline size_t we_single_byte_by_distances_avx2(const uint8_t *source, size_t length,
                                                                     const uint16_t *table, uint16_t *target)
{
    unsigned many = 0;
    const we_distances found = we_find_distances(table);
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
        if (exceptions != 0 && (many += (unsigned)_mm_popcnt_u32(exceptions)) > WE_MANY_EXCEPTIONS + i / 80)
            return i;
        const size_t done = we_single_byte_patch(source + i, table, target + i, exceptions);
        if (done < WE_PATCHED)
            return i + done;
    }
    return i;
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
    if (length - i >= 64 && (source[i] < 0x80 || table[source[i] & 0x7F] != 0)) {
        i += we_single_byte_by_distances_avx2(source + i, length - i, table, target + i);
        if (length - i >= 32 && (source[i] < 0x80 || table[source[i] & 0x7F] != 0))
            i += we_single_byte_by_rows_avx2(source + i, length - i, table, target + i);
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
        while (rest != 0) {
            const size_t needed = source[i + (size_t)_tzcnt_u32(rest)] >> 7;
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
            rest &= ~(uint32_t)_mm256_movemask_epi8(in_block)
                    & (rest - 1); /* at least one fewer, even if the source changes meanwhile */
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
    return count == 64 ? _mm512_loadu_si512(source) : _mm512_maskz_loadu_epi8(we_first_lanes(count), source);
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
        *a = _mm512_loadu_si512(source);
        *b = _mm512_loadu_si512(source + 32);
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
    /* Testing sixteen vectors for a 0 together saves a third of the time. From a 0 on, NUL or unmapped, the second loop
     * does the rest. */
    while (length - i >= 256) {
        __m512i least = _mm512_set1_epi8(-1), more = all, found = all;
        size_t end = length - i < 1024 ? i + ((length - i) & ~(size_t)255) : i + 1024;
        for (size_t j = i; j < end; j += 256) {
            for (size_t k = j; k < j + 256; k += 64) {
                __m512i bytes = _mm512_loadu_si512(source + k);
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
        for (uint64_t rest = mapped & ~(in_one | in_two); rest != 0;) {
            const size_t number = source[i + (size_t)_tzcnt_u64(rest)] >> 7;
            const we_block_avx512 other = we_load_block_avx512(table, number);
            const __mmask64 candidates = _cvtu64_mask64(~(ninth ^ other.ninth));
            const __mmask64 in_block = _mm512_mask_cmpeq_epi8_mask(candidates, numbers, other.number);
            found = _mm512_mask_mov_epi8(found, in_block, _mm512_permutex2var_epi8(other.first, index, other.second));
            rest &=
                ~_cvtmask64_u64(in_block) & (rest - 1); /* at least one fewer, even if the source changes meanwhile */
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
    uint16_t units[PIECE];
    size_t i = 0;
    if (length != 0 && source[0] > 0xFFFF)
        return 0; /* before any set-up: such code points often follow one another */
    while (i < length) {
        size_t count = length - i < PIECE ? length - i : PIECE, fitting = count;
        if (we_or_ucs4(simd, source + i, count) > 0xFFFF)
            for (fitting = 0; fitting < count && source[i + fitting] <= 0xFFFF;)
                fitting++;
        we_narrow_ucs4_to_ucs2(simd, source + i, fitting, units);
        size_t done = we_single_byte_run_from_ucs2(simd, units, fitting, table, target + i);
        i += done;
        if (done < count)
            break;
    }
    return i;
}

#endif
