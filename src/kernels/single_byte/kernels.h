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
#ifndef WE_SINGLE_BYTE_KERNELS_H
#define WE_SINGLE_BYTE_KERNELS_H

#include "single_byte/avx512.h"

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
