/* The kernels, each with the best variant for a level.
 *
 * A level is a folder with one level.h, which lists what it has: generic algorithms of vector/ at its width, its own,
 * and the runs of runs/. A kernel takes a level of cpu.h first, and calls the variant of the highest level that has one
 * and isn't above it. To add a level, add its folder, its WE_TRY_ macro here and its name in cpu.h. */
#ifndef WE_LEVELS_H
#define WE_LEVELS_H

#include "vectors.h"

/* A run at WE_LEVEL: a call of one of its algorithms, where the kind of text is a constant. levels.h calls it. */
#define WE_RUN(name, parameters, call)                                                                                 \
    WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(name) parameters                                                  \
    {                                                                                                                  \
        return call;                                                                                                   \
    }

#include "scalar/level.h"
#include "bytes_16/level.h"
#include "vector_16/level.h"
#include "avx2/level.h"
#include "avx512/level.h"

/* ---- Calling a variant ------------------------------------------------------------------------------------------- */

#define WE_TRY(number, call)                                                                                           \
    if (simd >= (number))                                                                                              \
        return call;

#if defined(WE_HAVE_BYTES_16)
#define WE_TRY_BYTES_16(name, arguments) WE_TRY(WE_SIMD_BYTES_16, name##_bytes_16 arguments)
#else
#define WE_TRY_BYTES_16(name, arguments)
#endif
#if defined(WE_HAVE_SSE2)
#define WE_TRY_SSE2(name, arguments) WE_TRY(WE_SIMD_SSE2, name##_sse2 arguments)
#else
#define WE_TRY_SSE2(name, arguments)
#endif
#if defined(WE_HAVE_VECTOR_16)
#define WE_TRY_VECTOR_16(name, arguments) WE_TRY(WE_SIMD_VECTOR_16, name##_vector_16 arguments)
#else
#define WE_TRY_VECTOR_16(name, arguments)
#endif
#if defined(WE_HAVE_X86_64_V2)
#define WE_TRY_X86_64_V2(name, arguments) WE_TRY(WE_SIMD_X86_64_V2, name##_x86_64_v2 arguments)
#else
#define WE_TRY_X86_64_V2(name, arguments)
#endif
#if defined(WE_HAVE_AVX2)
#define WE_TRY_AVX2(name, arguments) WE_TRY(WE_SIMD_AVX2, name##_avx2 arguments)
#else
#define WE_TRY_AVX2(name, arguments)
#endif
#if defined(WE_HAVE_AVX512)
#define WE_TRY_AVX512(name, arguments) WE_TRY(WE_SIMD_AVX512, name##_avx512 arguments)
#else
#define WE_TRY_AVX512(name, arguments)
#endif

/* The levels that have a variant, beside the scalar one: by the bytes of their vectors, from 16 or from shuffles on. */
#define WE_16_32(name, arguments) WE_TRY_AVX2(name, arguments) WE_TRY_BYTES_16(name, arguments)
#define WE_16_32_64(name, arguments) WE_TRY_AVX512(name, arguments) WE_16_32(name, arguments)
#define WE_SHUFFLE_16(name, arguments) WE_TRY_VECTOR_16(name, arguments)
#define WE_SHUFFLE_16_32(name, arguments) WE_TRY_AVX2(name, arguments) WE_SHUFFLE_16(name, arguments)
#define WE_SHUFFLE_16_32_64(name, arguments) WE_TRY_AVX512(name, arguments) WE_SHUFFLE_16_32(name, arguments)
#define WE_ALL_LEVELS(name, arguments) WE_SHUFFLE_16_32_64(name, arguments) WE_TRY_BYTES_16(name, arguments)
#define WE_ONLY_AVX512(name, arguments) WE_TRY_AVX512(name, arguments)

/* Define a kernel, after what it does first, if anything. */
#define WE_KERNEL(type, name, parameters, first, LEVELS, arguments)                                                    \
    static inline type name parameters                                                                                 \
    {                                                                                                                  \
        first LEVELS(name, arguments)(void) simd;                                                                      \
        return name##_scalar arguments;                                                                                \
    }

/* What it does first: nothing; without vectors, whose constants a short source doesn't amortize; or stop at an item
 * that stops the run, since such items often follow one another. */
#define WE_AT_ONCE
#define WE_UNLESS_SHORT                                                                                                \
    if (length < 8)                                                                                                    \
        simd = WE_SIMD_SCALAR;
#define WE_UNLESS(stops)                                                                                               \
    if (stops) {                                                                                                       \
        *written = 0;                                                                                                  \
        return 0;                                                                                                      \
    }

/* The kernel for the kind of text that it reads or writes, which is a constant wherever these are used. */
#define WE_FROM_KIND(kind, name, ...)                                                                                  \
    ((kind) == WE_UCS1   ? name##_ucs1(__VA_ARGS__)                                                                    \
     : (kind) == WE_UCS2 ? name##_ucs2(__VA_ARGS__)                                                                    \
                         : name##_ucs4(__VA_ARGS__))
#define WE_TO_KIND(kind, name, ...)                                                                                    \
    ((kind) == WE_UCS2   ? name##_ucs2(__VA_ARGS__)                                                                    \
     : (kind) == WE_UCS4 ? name##_ucs4(__VA_ARGS__)                                                                    \
                         : name##_utf8(__VA_ARGS__))

/* Where text switches between scripts, a run of ASCII ends within a few items, so its first sixteen are inline. */
#if defined(WE_HAVE_BYTES_16)
#define WE_FIRST_SIXTEEN(step)                                                                                         \
    if (simd >= WE_SIMD_BYTES_16 && length >= 16) {                                                                    \
        const size_t ascii = step##_16(source, target);                                                                \
        if (ascii < 16)                                                                                                \
            return ascii;                                                                                              \
    }
#else
#define WE_FIRST_SIXTEEN(step)
#endif

/* ---- ASCII ------------------------------------------------------------------------------------------------------- */

/* Each must equal the step of a handler for ASCII, as in single_byte_decode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder. */

/* Return the length of the run of ASCII bytes. */
WE_KERNEL(size_t, we_ascii_length, (int simd, const uint8_t *source, size_t length), WE_AT_ONCE, WE_16_32,
          (source, length))

#define WE_ASCII_KERNEL(name, step, source_type, target_type, LEVELS)                                                  \
    WE_KERNEL(size_t, name, (int simd, const source_type *source, size_t length, target_type *target),                 \
              WE_FIRST_SIXTEEN(step), LEVELS, (source, length, target))

WE_ASCII_KERNEL(we_ascii_run_to_ucs1, we_ascii_step_to_ucs1, uint8_t, uint8_t, WE_16_32_64)
WE_ASCII_KERNEL(we_ascii_run_to_ucs2, we_ascii_step_to_ucs2, uint8_t, uint16_t, WE_16_32)
WE_ASCII_KERNEL(we_ascii_run_to_ucs4, we_ascii_step_to_ucs4, uint8_t, uint32_t, WE_16_32)
WE_ASCII_KERNEL(we_ascii_run_from_ucs2, we_ascii_step_from_ucs2, uint16_t, uint8_t, WE_16_32)
WE_ASCII_KERNEL(we_ascii_run_from_ucs4, we_ascii_step_from_ucs4, uint32_t, uint8_t, WE_16_32)

/* Narrowing keeps the low bits. The caller guarantees that every unit fits. */
#define WE_CONVERSION(name, source_type, target_type)                                                                  \
    WE_KERNEL(void, name, (int simd, const source_type *source, size_t length, target_type *target), WE_AT_ONCE,       \
              WE_16_32, (source, length, target))

WE_CONVERSION(we_widen_ucs1_to_ucs2, uint8_t, uint16_t)
WE_CONVERSION(we_widen_ucs1_to_ucs4, uint8_t, uint32_t)
WE_CONVERSION(we_widen_ucs2_to_ucs4, uint16_t, uint32_t)
WE_CONVERSION(we_narrow_ucs2_to_ucs1, uint16_t, uint8_t)
WE_CONVERSION(we_narrow_ucs4_to_ucs1, uint32_t, uint8_t)
WE_CONVERSION(we_narrow_ucs4_to_ucs2, uint32_t, uint16_t)

/* Return the OR of blocks * 64 bytes, as eight bytes. */
WE_KERNEL(uint64_t, we_or_blocks, (int simd, const uint8_t *source, size_t blocks), WE_AT_ONCE, WE_16_32,
          (source, blocks))

/* A few pieces of 64 units at a time, for which wider vectors take longer. */
#define WE_COUNT(name, unit)                                                                                           \
    WE_KERNEL(size_t, name, (int simd, const unit *source, size_t length), WE_AT_ONCE, WE_TRY_BYTES_16,                \
              (source, length))

WE_COUNT(we_non_ascii_count_ucs1, uint8_t)
WE_COUNT(we_non_ascii_count_ucs2, uint16_t)
WE_COUNT(we_non_ascii_count_ucs4, uint32_t)
WE_COUNT(we_replacement_character_count_ucs2, uint16_t)

/* ---- UTF-8 ------------------------------------------------------------------------------------------------------- */

/* Each must equal utf_8_decode_item or utf_8_encode_item on the items that it converts:
 * https://encoding.spec.whatwg.org/#utf-8-decoder, #utf-8-encoder. */

#define WE_DECODER_KERNEL(name, unit)                                                                                  \
    WE_KERNEL(size_t, name, (int simd, const uint8_t *source, size_t length, unit *target, size_t *written),           \
              WE_AT_ONCE, WE_ALL_LEVELS, (source, length, target, written))

/* Return the bytes read up to the first sequence that is malformed, incomplete or above U+00FF. */
WE_DECODER_KERNEL(we_utf_8_run_to_latin1, uint8_t)
/* The same up to the first that is malformed, incomplete or, to UCS-2, of four bytes. */
WE_DECODER_KERNEL(we_utf_8_run_to_ucs2, uint16_t)
WE_DECODER_KERNEL(we_utf_8_run_to_ucs4, uint32_t)

/* Copy the longest prefix of complete, valid sequences and return its length in bytes. What is copied was checked, even
 * if the source changes. */
WE_KERNEL(size_t, we_utf_8_copy_run, (int simd, const uint8_t *source, size_t length, uint8_t *target), WE_AT_ONCE,
          WE_ALL_LEVELS, (source, length, target))

/* Return the units read up to the first surrogate, which UCS-1 does not have. */
#define WE_ENCODER_KERNEL(name, unit)                                                                                  \
    WE_KERNEL(size_t, name, (int simd, const unit *source, size_t length, uint8_t *target, size_t *written),           \
              WE_UNLESS_SHORT, WE_ALL_LEVELS, (source, length, target, written))

WE_ENCODER_KERNEL(we_utf_8_run_from_ucs1, uint8_t)
WE_ENCODER_KERNEL(we_utf_8_run_from_ucs2, uint16_t)
WE_ENCODER_KERNEL(we_utf_8_run_from_ucs4, uint32_t)

/* ---- UTF-16 ------------------------------------------------------------------------------------------------------ */

/* Each must equal utf_16be_decode_item and utf_16le_decode_item on the items that it converts:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */

/* Return the bytes read up to the first code unit above max_code_point (0x7F or 0xFF). */
WE_KERNEL(size_t, we_utf_16_run_to_ucs1,
          (int simd, const uint8_t *source, size_t length, int big_endian, uint8_t *target, size_t *written,
           uint32_t max_code_point),
          WE_AT_ONCE, WE_SHUFFLE_16_32, (source, length, big_endian, target, written, max_code_point))

/* Return the bytes read up to the first surrogate. */
WE_KERNEL(size_t, we_utf_16_run_to_ucs2,
          (int simd, const uint8_t *source, size_t length, int big_endian, uint16_t *target, size_t *written),
          WE_AT_ONCE, WE_SHUFFLE_16_32, (source, length, big_endian, target, written))

/* Return the bytes read up to the first surrogate that is unpaired or whose other half is not there yet. */
WE_KERNEL(size_t, we_utf_16_run_to_ucs4,
          (int simd, const uint8_t *source, size_t length, int big_endian, uint32_t *target, size_t *written),
          WE_AT_ONCE, WE_SHUFFLE_16_32_64, (source, length, big_endian, target, written))

/* Write code points as UTF-16 in native byte order; return how many units. Write nothing beyond the capacity, which
 * suffices. */
WE_KERNEL(size_t, we_utf_16_put, (int simd, const uint32_t *source, size_t length, uint16_t *target, size_t capacity),
          WE_AT_ONCE, WE_ONLY_AVX512, (source, length, target, capacity))

/* ---- Single-byte encodings --------------------------------------------------------------------------------------- */

/* Each must equal single_byte_decode_item or single_byte_encode_item on the items that it converts:
 * https://encoding.spec.whatwg.org/#single-byte-decoder, #single-byte-encoder. */

#define WE_MAP_LEVELS(name, arguments)                                                                                 \
    WE_TRY_AVX512(name, arguments)                                                                                     \
    WE_TRY_AVX2(name, arguments) WE_TRY_X86_64_V2(name, arguments) WE_TRY_BYTES_16(name, arguments)

WE_KERNEL(size_t, we_single_byte_map,
          (int simd, const uint8_t *source, size_t length, const uint8_t *map, uint8_t *target), WE_AT_ONCE,
          WE_MAP_LEVELS, (source, length, map, target))

/* `vectors` are what the generator chose for shuffles. */
static inline size_t we_single_byte_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                                const we_single_byte_vectors *vectors, uint16_t *target)
{
    WE_TRY_AVX512(we_single_byte_run_to_ucs2, (source, length, table, target))
    WE_TRY_AVX2(we_single_byte_run_to_ucs2, (source, length, table, vectors, target))
    WE_TRY_X86_64_V2(we_single_byte_run_to_ucs2, (source, length, table, vectors, target))
    WE_TRY_BYTES_16(we_single_byte_run_to_ucs2, (source, length, table, target))
    (void)simd, (void)vectors;
    return we_single_byte_run_to_ucs2_scalar(source, length, table, target);
}

#define WE_FROM_UCS2_LEVELS(name, arguments) WE_SHUFFLE_16_32_64(name, arguments) WE_TRY_SSE2(name, arguments)

WE_KERNEL(size_t, we_single_byte_run_from_ucs2,
          (int simd, const uint16_t *source, size_t length, const we_single_byte_reverse *table, uint8_t *target),
          WE_UNLESS_SHORT, WE_FROM_UCS2_LEVELS, (source, length, table, target))

/* Decode bytes of which most are ASCII, up to where they are not, or to the last block. */
WE_KERNEL(size_t, we_single_byte_sparse_to_utf8,
          (int simd, const uint8_t *source, size_t length, const uint16_t *table, uint8_t *target, size_t *written),
          WE_AT_ONCE, WE_16_32, (source, length, table, target, written))

/* The same from UTF-8. The capacity is a byte for each byte. */
WE_KERNEL(size_t, we_single_byte_sparse_from_utf8,
          (int simd, const uint8_t *source, size_t length, const we_single_byte_reverse *table, uint8_t *target,
           size_t *written),
          WE_AT_ONCE, WE_16_32, (source, length, table, target, written))

/* ---- Two-byte characters ----------------------------------------------------------------------------------------- */

/* Each must equal shift_jis, euc_jp, euc_kr, big5 or gb18030 _decode_item, or shift_jis, euc_jp, euc_kr, big5, gbk or
 * gb18030 _encode_item, on the items that it converts: https://encoding.spec.whatwg.org/#shift_jis-decoder to
 * #gb18030-encoder. */

#define WE_PAIRS_KERNEL(name, unit, katakana)                                                                          \
    WE_KERNEL(size_t, name,                                                                                            \
              (int simd, const uint8_t *source, size_t length, const uint16_t *pairs, unit *target, size_t *written),  \
              WE_UNLESS(we_double_byte_stops(source, length, pairs, katakana)), WE_ALL_LEVELS,                         \
              (source, length, pairs, target, written))

WE_PAIRS_KERNEL(we_double_byte_run_to_ucs2, uint16_t, 0)
WE_PAIRS_KERNEL(we_double_byte_run_to_ucs4, uint32_t, 0)
WE_PAIRS_KERNEL(we_double_byte_run_to_utf8, uint8_t, 0)
WE_PAIRS_KERNEL(we_katakana_run_to_ucs2, uint16_t, 1)
WE_PAIRS_KERNEL(we_katakana_run_to_ucs4, uint32_t, 1)
WE_PAIRS_KERNEL(we_katakana_run_to_utf8, uint8_t, 1)

#define WE_REVERSE_KERNEL(name, unit)                                                                                  \
    WE_KERNEL(                                                                                                         \
        size_t, name,                                                                                                  \
        (int simd, const unit *source, size_t length, const uint16_t *reverse, uint8_t *target, size_t *written),      \
        WE_UNLESS(length >= 1 && we_is_unmapped(source[0], reverse)), WE_ALL_LEVELS,                                   \
        (source, length, reverse, target, written))

WE_REVERSE_KERNEL(we_double_byte_run_from_ucs1, uint8_t)
WE_REVERSE_KERNEL(we_double_byte_run_from_ucs2, uint16_t)
WE_REVERSE_KERNEL(we_double_byte_run_from_ucs4, uint32_t)

/* ---- ISO-2022-JP ------------------------------------------------------------------------------------------------- */

/* Each must equal iso_2022_jp_decode_item or iso_2022_jp_encode_item on the items that it converts:
 * https://encoding.spec.whatwg.org/#iso-2022-jp-decoder, #iso-2022-jp-encoder. */

/* Decode blocks, escape sequences included; return the bytes read. Some may be left: without AVX2, all. */
WE_ALWAYS_INLINE size_t we_iso_2022_jp_blocks_to(int simd, int kind, const uint8_t *source, size_t length,
                                                 const uint16_t *pairs, void *target, size_t *written,
                                                 we_decoder_state *run)
{
    if (kind == WE_UCS2) {
        WE_TRY_AVX2(we_iso_2022_jp_blocks_to_ucs2, (source, length, pairs, (uint16_t *)target, written, run))
    } else {
        WE_TRY_AVX2(we_iso_2022_jp_blocks_to_ucs4, (source, length, pairs, (uint32_t *)target, written, run))
    }
    (void)simd, (void)source, (void)length, (void)pairs, (void)target, (void)run;
    return we_decode_nothing(written);
}

#define WE_JIS_KERNEL_TO(name, unit)                                                                                   \
    WE_KERNEL(size_t, name,                                                                                            \
              (int simd, const uint8_t *source, size_t length, const uint16_t *pairs, unit *target, size_t *written),  \
              WE_AT_ONCE, WE_SHUFFLE_16, (source, length, pairs, target, written))

WE_JIS_KERNEL_TO(we_iso_2022_jp_pairs_to_ucs2, uint16_t)
WE_JIS_KERNEL_TO(we_iso_2022_jp_pairs_to_ucs4, uint32_t)
WE_JIS_KERNEL_TO(we_iso_2022_jp_pairs_to_utf8, uint8_t)

#define WE_JIS_KERNEL_FROM(name, unit)                                                                                 \
    WE_KERNEL(size_t, name, (int simd, const unit *source, size_t length, const uint16_t *reverse, uint8_t *target),   \
              WE_AT_ONCE, WE_SHUFFLE_16, (source, length, reverse, target))

WE_JIS_KERNEL_FROM(we_iso_2022_jp_pairs_from_ucs1, uint8_t)
WE_JIS_KERNEL_FROM(we_iso_2022_jp_pairs_from_ucs2, uint16_t)
WE_JIS_KERNEL_FROM(we_iso_2022_jp_pairs_from_ucs4, uint32_t)

#endif
