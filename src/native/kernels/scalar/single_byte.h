/* Runs of the single-byte encodings without vectors, and their tables.
 *
 * Each kernel must equal the handler single_byte_decode_item or single_byte_encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */
#ifndef WE_SCALAR_SINGLE_BYTE_H
#define WE_SCALAR_SINGLE_BYTE_H

#include "cpu.h"
#include "units.h"

/* The reverse of an index: bytes by code point. No single-byte index has code points from U+10000 on. */
typedef struct {
    const uint8_t *stage1; /* 512 block numbers by code point >> 7; block 0 is all zeros */
    const uint8_t *stage2; /* blocks of 128 bytes, by code point & 0x7F; 0 = unmapped */
} we_single_byte_reverse;

/* How vectors decode an index, in rows of sixteen bytes that generator/tables/single_byte_vectors.py computes. They
 * tell which bytes are exceptions, which are looked up one by one: all that are unmapped, and those that texts seldom
 * need.
 * 0, 1: the low and high bytes of distances from a byte to its code point, by the byte's high nibble
 * 2: the exceptions of the distances, by the low nibble of a byte: one bit for each high nibble from 8 on
 * From here on there are rows only where distances do not suffice:
 * 3: the displacements of slots, by the high nibble of a byte. The number of a byte's slot is the sum of both: from 0
 *    to 0x7F; from 0xF0 on for ASCII
 * 4: the exceptions of the slots, by the low nibble of a slot: one bit for each high nibble from 8 on
 * 5 and following: tables of slots for the low bytes of code points, as their difference, by exclusive or, from the
 *    byte; then as many for the high bytes. From the second table on each is stored as its difference from the one
 *    before it, so that the tables up to that of a slot contribute to its entry. */
enum { WE_ROW_OF_DISTANCES = 0, WE_ROW_OF_EXCEPTIONS = 2, WE_ROW_OF_DISPLACEMENTS = 3, WE_ROW_OF_TABLES = 5 };
typedef struct {
    const uint8_t *rows;
    size_t tables; /* of slots for the low bytes; 0 where distances suffice */
} we_single_byte_vectors;

/* The vectors of an array of the generator. */
#define WE_SINGLE_BYTE_VECTORS(array) {(array), (sizeof(array) / 16 - WE_ROW_OF_TABLES) / 2}

/* What distinguishes one single-byte encoding from the others: a codec's `tables`. */
typedef struct {
    const uint16_t *index;
    const uint16_t *replaced; /* the index with U+FFFD for null; the index itself where it has no null */
    const uint8_t *latin1;    /* the code points of the index that are at most U+00FF; 0 for all others */
    we_single_byte_vectors vectors;
    we_single_byte_reverse reverse;
} we_single_byte_tables;

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

/* Whether A0 to FF map to themselves, as in windows-1252 and its nearest relatives, in both directions. It
 * is never so on big-endian machines, where only a fast path depends on it. */
static inline int we_single_byte_keeps_latin1(const uint8_t *map)
{
    uint64_t expected = UINT64_C(0xA7A6A5A4A3A2A1A0), differences = 0;
    for (int byte = 0xA0; byte <= 0xFF; byte += 8, expected += UINT64_C(0x0808080808080808)) {
        uint64_t entry;
        memcpy(&entry, map + byte - 0x80, 8);
        differences |= entry ^ expected;
    }
    return differences == 0;
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
                    target_type entry = (target_type)(find);                                                           \
                    target[i + k] = entry;                                                                             \
                    zeros |= entry == 0;                                                                               \
                }                                                                                                      \
                if (zeros)                                                                                             \
                    break;                                                                                             \
            }                                                                                                          \
            size_t end = length - i >= 8 ? i + 8 : length;                                                             \
            for (; i < end; i++) {                                                                                     \
                source_type unit = source[i];                                                                          \
                target_type entry = (target_type)(find);                                                               \
                if (entry == 0 && unit != 0)                                                                           \
                    return i;                                                                                          \
                target[i] = entry;                                                                                     \
            }                                                                                                          \
            if (i == length)                                                                                           \
                return i;                                                                                              \
        }                                                                                                              \
    }

WE_SINGLE_BYTE_SCALAR(we_single_byte_short_run_to_ucs2, uint8_t, uint16_t, const uint16_t *,
                      unit < 0x80 ? unit : table[unit & 0x7F])
WE_SINGLE_BYTE_SCALAR(we_single_byte_map_scalar, uint8_t, uint8_t, const uint8_t *,
                      unit < 0x80 ? unit : table[unit & 0x7F])
WE_SINGLE_BYTE_SCALAR(we_single_byte_run_from_ucs2_scalar, uint16_t, uint8_t, const we_single_byte_reverse *,
                      unit < 0x80 ? unit : we_single_byte_block(table, unit >> 7)[unit & 0x7F])

/* From this length on a table of 256 entries is made first, so that a byte need not be tested for ASCII. */
enum { WE_WORTH_A_WHOLE_TABLE = 256 };

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
    if (length >= WE_WORTH_A_WHOLE_TABLE) {
        uint16_t whole[256];
        we_single_byte_make_whole(whole, table);
        for (; length - i >= 8; i += 8)
            if (we_single_byte_eight_to_ucs2(source + i, whole, target + i)) {
                size_t done = we_single_byte_short_run_to_ucs2(source + i, 8, table,
                                                               target + i); /* which distinguishes NUL from unmapped */
                if (done < 8)
                    return i + done;
            }
    }
    return i + we_single_byte_short_run_to_ucs2(source + i, length - i, table, target + i);
}

/* ---- Sparse: text of which most is ASCII ---- */

/* A run converts ASCII `block` items at a time and every other item by `item`, which returns the bytes read, or 0 where
 * the run must end. It ends as well where there is so little ASCII that whole blocks convert faster, with
 * WE_SPARSE_ITEM for each item and WE_SPARSE_START at first, or less than a block is left. */
enum { WE_SPARSE_ITEM = 40, WE_SPARSE_START = 320 };
#define WE_SPARSE_RUN(name, attributes, block, ascii_blocks, table_type, item)                                         \
    attributes static inline size_t name(const uint8_t *source, size_t length, const table_type *table,                \
                                         uint8_t *target, size_t *written)                                             \
    {                                                                                                                  \
        size_t i = 0, out = 0, paid = 0;                                                                               \
        for (;;) {                                                                                                     \
            const size_t ascii = ascii_blocks(source + i, length - i, target + out);                                   \
            i += ascii;                                                                                                \
            out += ascii;                                                                                              \
            if (length - i < (block))                                                                                  \
                break;                                                                                                 \
            size_t bytes, read = item(source + i, length - i, table, target + out, &bytes);                            \
            paid += WE_SPARSE_ITEM;                                                                                    \
            if (read == 0 || paid > i + WE_SPARSE_START)                                                               \
                break;                                                                                                 \
            i += read;                                                                                                 \
            out += bytes;                                                                                              \
        }                                                                                                              \
        *written = out;                                                                                                \
        return i;                                                                                                      \
    }

/* Without vectors the sparse runs are those of ASCII. */
static inline size_t we_single_byte_sparse_to_utf8_scalar(const uint8_t *source, size_t length, const uint16_t *table,
                                                          uint8_t *target, size_t *written)
{
    (void)table;
    return *written = we_ascii_run_to_ucs1_scalar(source, length, target);
}

static inline size_t we_single_byte_sparse_from_utf8_scalar(const uint8_t *source, size_t length,
                                                            const we_single_byte_reverse *table, uint8_t *target,
                                                            size_t *written)
{
    (void)table;
    return *written = we_ascii_run_to_ucs1_scalar(source, length, target);
}

/* Decode a byte that is not ASCII, unless it has changed since. */
WE_ALWAYS_INLINE size_t we_single_byte_item_to_utf8(const uint8_t *source, size_t length, const uint16_t *table,
                                                    uint8_t *target, size_t *written)
{
    const uint8_t byte = we_read_once(source);
    const uint16_t unit = byte < 0x80 ? 0 : table[byte & 0x7F];
    (void)length;
    *written = we_put_utf8(target, unit);
    return unit != 0;
}

/* Encode a code point of two or three bytes. */
WE_ALWAYS_INLINE size_t we_single_byte_item_from_utf8(const uint8_t *source, size_t length,
                                                      const we_single_byte_reverse *table, uint8_t *target,
                                                      size_t *written)
{
    const uint32_t leading = we_read_once(source), second = length > 1 ? we_read_once(source + 1) : 0;
    uint32_t code_point = (leading & 0x1F) << 6 | (second & 0x3F);
    size_t read = 2;
    if (leading < 0xC2 || leading > 0xEF || !we_is_continuation(second))
        return 0;
    if (leading >= 0xE0) {
        const uint32_t third = length > 2 ? we_read_once(source + 2) : 0;
        code_point = code_point << 6 | (third & 0x3F);
        if (!we_is_continuation(third) || code_point < 0x800)
            return 0;
        read = 3;
    }
    target[0] = we_single_byte_of(table, code_point); /* 0 for surrogates, too */
    *written = 1;
    return target[0] != 0 ? read : 0;
}

#endif
