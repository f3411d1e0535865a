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
 * and with AVX2 to look up no more than texts need: the generator chooses both for each index.
 */
#ifndef WE_SINGLE_BYTE_H
#define WE_SINGLE_BYTE_H

#include "ascii.h"
#include "utf_8.h"

/* ---- Decode ---- */

/* No single-byte index needs UCS4: this serves strings that are UCS4 already. */
static inline size_t we_single_byte_run_to_ucs4(int simd, const uint8_t *source, size_t length,
                                                const we_single_byte_tables *tables, uint32_t *target)
{
    enum { PIECE = 1024 };
    uint16_t units[PIECE];
    size_t i = 0;
    while (i < length) {
        size_t count = length - i < PIECE ? length - i : PIECE;
        size_t done = we_single_byte_run_to_ucs2(simd, source + i, count, tables->index, &tables->vectors, units);
        we_widen_ucs2_to_ucs4(simd, units, done, target + i);
        i += done;
        if (done < count)
            break;
    }
    return i;
}

/* `latin1` has the code points that are at most U+00FF, and 0 for all others. Stops before a code point above
 * `max_code_point`, which is 0x7F or 0xFF. */
static inline size_t we_single_byte_run_to_ucs1(int simd, const uint8_t *source, size_t length, const uint8_t *latin1,
                                                uint8_t *target, uint32_t max_code_point)
{
    if (max_code_point < 0x80) /* no index has a code point of ASCII */
        return we_ascii_run_to_ucs1(simd, source, length, target);
    return we_single_byte_map(simd, source, length, latin1, target);
}

/* The units of a piece, which are decoded to UTF-8 from a buffer. */
enum { WE_UTF8_PIECE = 2048 };

/* Decode up to WE_UTF8_PIECE bytes that are mapped to U+00FF at most; their code points take a byte each in between.
 * The target has a capacity of three bytes for each, and WE_ENCODE_SLACK more. */
static inline size_t we_single_byte_latin1_piece_to_utf8(int simd, const uint8_t *source, size_t length,
                                                         const uint8_t *latin1, uint8_t *target, size_t *written)
{
    uint8_t bytes[WE_UTF8_PIECE];
    const size_t done = we_single_byte_map(simd, source, length, latin1, bytes);
    we_utf_8_run_from_ucs1(simd, bytes, done, target, written);
    return done;
}

/* Decode by the index or, and count the U+FFFD, if `replacements` is not null, by its replaced one. `*written` is set
 * to the bytes of UTF-8. https://encoding.spec.whatwg.org/#single-byte-decoder */
static inline size_t we_single_byte_run_to_utf8(int simd, const uint8_t *source, size_t length,
                                                const we_single_byte_tables *tables, uint8_t *target, size_t *written,
                                                size_t *replacements)
{
    enum { SPARE = 3 /* bytes of source whose capacity, three bytes each, is that slack */ };
    const uint16_t *const table = replacements != NULL ? tables->replaced : tables->index;
    uint16_t units[WE_UTF8_PIECE];
    size_t i = 0, out = 0, bytes, others = 0;
    int is_latin1 = length >= 256 && we_single_byte_keeps_latin1(tables->latin1);
    for (;;) {
        i += we_single_byte_sparse_to_utf8(simd, source + i, length - i, tables->index, target + out, &bytes);
        out += bytes;
        const int is_end = length - i <= SPARE;
        size_t count = is_end ? length - i : length - i - SPARE;
        count = count < WE_UTF8_PIECE ? count : WE_UTF8_PIECE;
        if (is_latin1 && !is_end) {
            const size_t done =
                we_single_byte_latin1_piece_to_utf8(simd, source + i, count, tables->latin1, target + out, &bytes);
            i += done;
            out += bytes;
            if (done == count)
                continue;
            /* Other code points follow one another closely: most are in one piece. */
            count -= done;
            count = count < 16 ? count : 16;
            is_latin1 = ++others <= 4 + i / 256;
        }
        const size_t done = we_single_byte_run_to_ucs2(simd, source + i, count, table, &tables->vectors, units);
        /* The scalar twin writes nothing after its result. */
        we_utf_8_run_from_ucs2(is_end ? WE_SIMD_SCALAR : simd, units, done, target + out, &bytes);
        if (replacements != NULL)
            *replacements += we_replacement_character_count_ucs2(simd, units, done);
        i += done;
        out += bytes;
        if (done < count || i == length)
            break;
    }
    *written = out;
    return i;
}

/* ---- Encode: stops before a code point that the encoding does not have ---- */

/* The code points from U+0080 to U+00FF are one block, by which this is the same task as decoding to UCS1. */
static inline size_t we_single_byte_run_from_ucs1(int simd, const uint8_t *source, size_t length,
                                                  const we_single_byte_reverse *table, uint8_t *target)
{
    return we_single_byte_map(simd, source, length, we_single_byte_block(table, 1), target);
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
        /* ASCII is converted directly: a page in English with one emoji takes half the time. */
        i += we_ascii_run_from_ucs4(simd, source + i, length - i, target + i);
        size_t count = length - i < PIECE ? length - i : PIECE, fitting = count;
        memcpy(code_points, source + i, count * sizeof *code_points);
        if (we_or_units(simd, WE_UCS4, code_points, count) > 0xFFFF)
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
