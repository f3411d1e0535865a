/* Generated from templates/levels.h.j2: change that, not this; `python -m generator emit` emits it again.
 *
 * Each kernel takes a level of cpu.h first and calls its best variant that is not above it. generator/levels.py is the
 * table of kernels and levels; <shape>/<level>.h and vector.h have their code, kernels.h what is built on them. */
#ifndef WE_LEVELS_H
#define WE_LEVELS_H

/* ---- ascii ---- */

#include "ascii/avx512.h"
#include "ascii/count.h"

/* Each kernel must equal a handler on the items that it converts: the step of each for ASCII, as in
 * single_byte_decode_item (https://encoding.spec.whatwg.org/#single-byte-decoder). */

/* Return the length of the run of ASCII bytes. */
static inline size_t we_ascii_length(int simd, const uint8_t *source, size_t length)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_ascii_length_avx2(source, length);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_ascii_length_bytes_16(source, length);
#endif
    (void)simd;
    return we_ascii_length_scalar(source, length);
}

#if defined(WE_HAVE_BYTES_16)
WE_ASCII_RUN(we_ascii_run_to_ucs1_bytes_16, , uint8_t, uint8_t, 16, we_ascii_step_to_ucs1_16,
             we_ascii_run_to_ucs1_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_ASCII_RUN(we_ascii_run_to_ucs1_avx2, WE_TARGET_AVX2, uint8_t, uint8_t, 32, we_ascii_step_to_ucs1_32,
             we_ascii_run_to_ucs1_bytes_16)
#endif

#if defined(WE_HAVE_AVX512)
WE_ASCII_RUN(we_ascii_run_to_ucs1_avx512, WE_TARGET_AVX512, uint8_t, uint8_t, 64, we_ascii_step_to_ucs1_64,
             we_ascii_run_to_ucs1_avx2)
#endif

static inline size_t we_ascii_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target)
{
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16 && length >= 16) {
        const size_t ascii = we_ascii_step_to_ucs1_16(source, target);
        if (ascii < 16)
            return ascii;
    }
#endif
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_ascii_run_to_ucs1_avx512(source, length, target);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_ascii_run_to_ucs1_avx2(source, length, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_ascii_run_to_ucs1_bytes_16(source, length, target);
#endif
    (void)simd;
    return we_ascii_run_to_ucs1_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_ASCII_RUN(we_ascii_run_to_ucs2_bytes_16, , uint8_t, uint16_t, 16, we_ascii_step_to_ucs2_16,
             we_ascii_run_to_ucs2_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_ASCII_RUN(we_ascii_run_to_ucs2_avx2, WE_TARGET_AVX2, uint8_t, uint16_t, 32, we_ascii_step_to_ucs2_32,
             we_ascii_run_to_ucs2_bytes_16)
#endif

static inline size_t we_ascii_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
{
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16 && length >= 16) {
        const size_t ascii = we_ascii_step_to_ucs2_16(source, target);
        if (ascii < 16)
            return ascii;
    }
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_ascii_run_to_ucs2_avx2(source, length, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_ascii_run_to_ucs2_bytes_16(source, length, target);
#endif
    (void)simd;
    return we_ascii_run_to_ucs2_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_ASCII_RUN(we_ascii_run_to_ucs4_bytes_16, , uint8_t, uint32_t, 16, we_ascii_step_to_ucs4_16,
             we_ascii_run_to_ucs4_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_ASCII_RUN(we_ascii_run_to_ucs4_avx2, WE_TARGET_AVX2, uint8_t, uint32_t, 32, we_ascii_step_to_ucs4_32,
             we_ascii_run_to_ucs4_bytes_16)
#endif

static inline size_t we_ascii_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
{
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16 && length >= 16) {
        const size_t ascii = we_ascii_step_to_ucs4_16(source, target);
        if (ascii < 16)
            return ascii;
    }
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_ascii_run_to_ucs4_avx2(source, length, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_ascii_run_to_ucs4_bytes_16(source, length, target);
#endif
    (void)simd;
    return we_ascii_run_to_ucs4_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_ASCII_RUN(we_ascii_run_from_ucs2_bytes_16, , uint16_t, uint8_t, 16, we_ascii_step_from_ucs2_16,
             we_ascii_run_from_ucs2_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_ASCII_RUN(we_ascii_run_from_ucs2_avx2, WE_TARGET_AVX2, uint16_t, uint8_t, 32, we_ascii_step_from_ucs2_32,
             we_ascii_run_from_ucs2_bytes_16)
#endif

static inline size_t we_ascii_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target)
{
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16 && length >= 16) {
        const size_t ascii = we_ascii_step_from_ucs2_16(source, target);
        if (ascii < 16)
            return ascii;
    }
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_ascii_run_from_ucs2_avx2(source, length, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_ascii_run_from_ucs2_bytes_16(source, length, target);
#endif
    (void)simd;
    return we_ascii_run_from_ucs2_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_ASCII_RUN(we_ascii_run_from_ucs4_bytes_16, , uint32_t, uint8_t, 16, we_ascii_step_from_ucs4_16,
             we_ascii_run_from_ucs4_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_ASCII_RUN(we_ascii_run_from_ucs4_avx2, WE_TARGET_AVX2, uint32_t, uint8_t, 32, we_ascii_step_from_ucs4_32,
             we_ascii_run_from_ucs4_bytes_16)
#endif

static inline size_t we_ascii_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target)
{
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16 && length >= 16) {
        const size_t ascii = we_ascii_step_from_ucs4_16(source, target);
        if (ascii < 16)
            return ascii;
    }
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_ascii_run_from_ucs4_avx2(source, length, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_ascii_run_from_ucs4_bytes_16(source, length, target);
#endif
    (void)simd;
    return we_ascii_run_from_ucs4_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_CONVERT(we_widen_ucs1_to_ucs2_bytes_16, , uint8_t, uint16_t, 16, we_widen_step_ucs1_to_ucs2_16,
           we_widen_ucs1_to_ucs2_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_CONVERT(we_widen_ucs1_to_ucs2_avx2, WE_TARGET_AVX2, uint8_t, uint16_t, 32, we_widen_step_ucs1_to_ucs2_32,
           we_widen_ucs1_to_ucs2_bytes_16)
#endif

static inline void we_widen_ucs1_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2) {
        we_widen_ucs1_to_ucs2_avx2(source, length, target);
        return;
    }
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16) {
        we_widen_ucs1_to_ucs2_bytes_16(source, length, target);
        return;
    }
#endif
    (void)simd;
    we_widen_ucs1_to_ucs2_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_CONVERT(we_widen_ucs1_to_ucs4_bytes_16, , uint8_t, uint32_t, 16, we_widen_step_ucs1_to_ucs4_16,
           we_widen_ucs1_to_ucs4_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_CONVERT(we_widen_ucs1_to_ucs4_avx2, WE_TARGET_AVX2, uint8_t, uint32_t, 32, we_widen_step_ucs1_to_ucs4_32,
           we_widen_ucs1_to_ucs4_bytes_16)
#endif

static inline void we_widen_ucs1_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2) {
        we_widen_ucs1_to_ucs4_avx2(source, length, target);
        return;
    }
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16) {
        we_widen_ucs1_to_ucs4_bytes_16(source, length, target);
        return;
    }
#endif
    (void)simd;
    we_widen_ucs1_to_ucs4_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_CONVERT(we_widen_ucs2_to_ucs4_bytes_16, , uint16_t, uint32_t, 16, we_widen_step_ucs2_to_ucs4_16,
           we_widen_ucs2_to_ucs4_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_CONVERT(we_widen_ucs2_to_ucs4_avx2, WE_TARGET_AVX2, uint16_t, uint32_t, 32, we_widen_step_ucs2_to_ucs4_32,
           we_widen_ucs2_to_ucs4_bytes_16)
#endif

static inline void we_widen_ucs2_to_ucs4(int simd, const uint16_t *source, size_t length, uint32_t *target)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2) {
        we_widen_ucs2_to_ucs4_avx2(source, length, target);
        return;
    }
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16) {
        we_widen_ucs2_to_ucs4_bytes_16(source, length, target);
        return;
    }
#endif
    (void)simd;
    we_widen_ucs2_to_ucs4_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_CONVERT(we_narrow_ucs2_to_ucs1_bytes_16, , uint16_t, uint8_t, 16, we_narrow_step_ucs2_to_ucs1_16,
           we_narrow_ucs2_to_ucs1_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_CONVERT(we_narrow_ucs2_to_ucs1_avx2, WE_TARGET_AVX2, uint16_t, uint8_t, 32, we_narrow_step_ucs2_to_ucs1_32,
           we_narrow_ucs2_to_ucs1_bytes_16)
#endif

/* Keep the low bits. The caller guarantees that every unit fits. */
static inline void we_narrow_ucs2_to_ucs1(int simd, const uint16_t *source, size_t length, uint8_t *target)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2) {
        we_narrow_ucs2_to_ucs1_avx2(source, length, target);
        return;
    }
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16) {
        we_narrow_ucs2_to_ucs1_bytes_16(source, length, target);
        return;
    }
#endif
    (void)simd;
    we_narrow_ucs2_to_ucs1_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_CONVERT(we_narrow_ucs4_to_ucs1_bytes_16, , uint32_t, uint8_t, 16, we_narrow_step_ucs4_to_ucs1_16,
           we_narrow_ucs4_to_ucs1_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_CONVERT(we_narrow_ucs4_to_ucs1_avx2, WE_TARGET_AVX2, uint32_t, uint8_t, 32, we_narrow_step_ucs4_to_ucs1_32,
           we_narrow_ucs4_to_ucs1_bytes_16)
#endif

/* Keep the low bits. The caller guarantees that every unit fits. */
static inline void we_narrow_ucs4_to_ucs1(int simd, const uint32_t *source, size_t length, uint8_t *target)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2) {
        we_narrow_ucs4_to_ucs1_avx2(source, length, target);
        return;
    }
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16) {
        we_narrow_ucs4_to_ucs1_bytes_16(source, length, target);
        return;
    }
#endif
    (void)simd;
    we_narrow_ucs4_to_ucs1_scalar(source, length, target);
}

#if defined(WE_HAVE_BYTES_16)
WE_CONVERT(we_narrow_ucs4_to_ucs2_bytes_16, , uint32_t, uint16_t, 16, we_narrow_step_ucs4_to_ucs2_16,
           we_narrow_ucs4_to_ucs2_scalar)
#endif

#if defined(WE_HAVE_AVX2)
WE_CONVERT(we_narrow_ucs4_to_ucs2_avx2, WE_TARGET_AVX2, uint32_t, uint16_t, 32, we_narrow_step_ucs4_to_ucs2_32,
           we_narrow_ucs4_to_ucs2_bytes_16)
#endif

/* Keep the low bits. The caller guarantees that every unit fits. */
static inline void we_narrow_ucs4_to_ucs2(int simd, const uint32_t *source, size_t length, uint16_t *target)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2) {
        we_narrow_ucs4_to_ucs2_avx2(source, length, target);
        return;
    }
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16) {
        we_narrow_ucs4_to_ucs2_bytes_16(source, length, target);
        return;
    }
#endif
    (void)simd;
    we_narrow_ucs4_to_ucs2_scalar(source, length, target);
}

/* Return the OR of blocks * 64 bytes, as eight bytes. */
static inline uint64_t we_or_blocks(int simd, const uint8_t *source, size_t blocks)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_or_blocks_avx2(source, blocks);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_or_blocks_bytes_16(source, blocks);
#endif
    (void)simd;
    return we_or_blocks_scalar(source, blocks);
}

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_non_ascii_count_ucs1_avx2(const uint8_t *source, size_t length)
{
    return we_non_ascii_count_ucs1_scalar(source, length);
}
#endif

static inline size_t we_non_ascii_count_ucs1(int simd, const uint8_t *source, size_t length)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_non_ascii_count_ucs1_avx2(source, length);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_non_ascii_count_ucs1_bytes_16(source, length);
#endif
    (void)simd;
    return we_non_ascii_count_ucs1_scalar(source, length);
}

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_non_ascii_count_ucs2_avx2(const uint16_t *source, size_t length)
{
    return we_non_ascii_count_ucs2_scalar(source, length);
}
#endif

static inline size_t we_non_ascii_count_ucs2(int simd, const uint16_t *source, size_t length)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_non_ascii_count_ucs2_avx2(source, length);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_non_ascii_count_ucs2_bytes_16(source, length);
#endif
    (void)simd;
    return we_non_ascii_count_ucs2_scalar(source, length);
}

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_non_ascii_count_ucs4_avx2(const uint32_t *source, size_t length)
{
    return we_non_ascii_count_ucs4_scalar(source, length);
}
#endif

static inline size_t we_non_ascii_count_ucs4(int simd, const uint32_t *source, size_t length)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_non_ascii_count_ucs4_avx2(source, length);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_non_ascii_count_ucs4_bytes_16(source, length);
#endif
    (void)simd;
    return we_non_ascii_count_ucs4_scalar(source, length);
}

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_replacement_character_count_ucs2_avx2(const uint16_t *source, size_t length)
{
    return we_replacement_character_count_ucs2_scalar(source, length);
}
#endif

static inline size_t we_replacement_character_count_ucs2(int simd, const uint16_t *source, size_t length)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_replacement_character_count_ucs2_avx2(source, length);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_replacement_character_count_ucs2_bytes_16(source, length);
#endif
    (void)simd;
    return we_replacement_character_count_ucs2_scalar(source, length);
}

/* ---- utf_8 ---- */

#include "utf_8/avx512.h"

/* Each kernel must equal a handler on the items that it converts: utf_8_decode_item
 * (https://encoding.spec.whatwg.org/#utf-8-decoder), utf_8_encode_item (#utf-8-encoder). */

static inline size_t we_utf_8_run_to_latin1_scalar(const uint8_t *source, size_t length, uint8_t *target,
                                                   size_t *written)
{
    return we_utf_8_decode_loop(source, length, target, WE_UCS1, 0, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_utf_8_run_to_latin1_bytes_16(const uint8_t *source, size_t length, uint8_t *target,
                                                     size_t *written)
{
    return we_utf_8_decode_loop(source, length, target, WE_UCS1, 1, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_8_run_to_latin1_vector_16(const uint8_t *source, size_t length,
                                                                          uint8_t *target, size_t *written)
{
    return we_utf_8_decode_vector_16(source, length, target, WE_UCS1, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_8_run_to_latin1_avx2(const uint8_t *source, size_t length, uint8_t *target,
                                                                size_t *written)
{
    return we_utf_8_decode_avx2(source, length, target, WE_UCS1, written);
}
#endif

/* Return the bytes read up to the first sequence that is malformed, incomplete or above U+00FF. */
static inline size_t we_utf_8_run_to_latin1(int simd, const uint8_t *source, size_t length, uint8_t *target,
                                            size_t *written)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_8_run_to_latin1_avx512(source, length, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_8_run_to_latin1_avx2(source, length, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_8_run_to_latin1_vector_16(source, length, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_utf_8_run_to_latin1_bytes_16(source, length, target, written);
#endif
    (void)simd;
    return we_utf_8_run_to_latin1_scalar(source, length, target, written);
}

static inline size_t we_utf_8_run_to_ucs2_scalar(const uint8_t *source, size_t length, uint16_t *target,
                                                 size_t *written)
{
    return we_utf_8_decode_loop(source, length, target, WE_UCS2, 0, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_utf_8_run_to_ucs2_bytes_16(const uint8_t *source, size_t length, uint16_t *target,
                                                   size_t *written)
{
    return we_utf_8_decode_loop(source, length, target, WE_UCS2, 1, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_8_run_to_ucs2_vector_16(const uint8_t *source, size_t length,
                                                                        uint16_t *target, size_t *written)
{
    return we_utf_8_decode_vector_16(source, length, target, WE_UCS2, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_8_run_to_ucs2_avx2(const uint8_t *source, size_t length, uint16_t *target,
                                                              size_t *written)
{
    return we_utf_8_decode_avx2(source, length, target, WE_UCS2, written);
}
#endif

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_utf_8_run_to_ucs2_avx512(const uint8_t *source, size_t length,
                                                                  uint16_t *target, size_t *written)
{
    return we_utf_8_decode_avx512(source, length, target, WE_UCS2, written);
}
#endif

/* Return the bytes read up to the first sequence that is malformed, incomplete or, to UCS-2, of four bytes. */
static inline size_t we_utf_8_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target,
                                          size_t *written)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_8_run_to_ucs2_avx512(source, length, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_8_run_to_ucs2_avx2(source, length, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_8_run_to_ucs2_vector_16(source, length, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_utf_8_run_to_ucs2_bytes_16(source, length, target, written);
#endif
    (void)simd;
    return we_utf_8_run_to_ucs2_scalar(source, length, target, written);
}

static inline size_t we_utf_8_run_to_ucs4_scalar(const uint8_t *source, size_t length, uint32_t *target,
                                                 size_t *written)
{
    return we_utf_8_decode_loop(source, length, target, WE_UCS4, 0, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_utf_8_run_to_ucs4_bytes_16(const uint8_t *source, size_t length, uint32_t *target,
                                                   size_t *written)
{
    return we_utf_8_decode_loop(source, length, target, WE_UCS4, 1, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_8_run_to_ucs4_vector_16(const uint8_t *source, size_t length,
                                                                        uint32_t *target, size_t *written)
{
    return we_utf_8_decode_vector_16(source, length, target, WE_UCS4, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_8_run_to_ucs4_avx2(const uint8_t *source, size_t length, uint32_t *target,
                                                              size_t *written)
{
    return we_utf_8_decode_avx2(source, length, target, WE_UCS4, written);
}
#endif

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_utf_8_run_to_ucs4_avx512(const uint8_t *source, size_t length,
                                                                  uint32_t *target, size_t *written)
{
    return we_utf_8_decode_avx512(source, length, target, WE_UCS4, written);
}
#endif

/* Return the bytes read up to the first sequence that is malformed, incomplete or, to UCS-2, of four bytes. */
static inline size_t we_utf_8_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target,
                                          size_t *written)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_8_run_to_ucs4_avx512(source, length, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_8_run_to_ucs4_avx2(source, length, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_8_run_to_ucs4_vector_16(source, length, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_utf_8_run_to_ucs4_bytes_16(source, length, target, written);
#endif
    (void)simd;
    return we_utf_8_run_to_ucs4_scalar(source, length, target, written);
}

static inline size_t we_utf_8_copy_run_scalar(const uint8_t *source, size_t length, uint8_t *target)
{
    return we_utf_8_validate_loop(source, length, target, 0);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_utf_8_copy_run_bytes_16(const uint8_t *source, size_t length, uint8_t *target)
{
    return we_utf_8_validate_loop(source, length, target, 1);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_8_copy_run_vector_16(const uint8_t *source, size_t length,
                                                                     uint8_t *target)
{
    return we_utf_8_validate_vector_16(source, length, target);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_8_copy_run_avx2(const uint8_t *source, size_t length, uint8_t *target)
{
    return we_utf_8_validate_avx2(source, length, target);
}
#endif

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_utf_8_copy_run_avx512(const uint8_t *source, size_t length, uint8_t *target)
{
    return we_utf_8_validate_avx512(source, length, target);
}
#endif

/* Copy the longest prefix of complete, valid sequences and return its length in bytes. What is copied was checked, even
 * if the source changes. */
static inline size_t we_utf_8_copy_run(int simd, const uint8_t *source, size_t length, uint8_t *target)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_8_copy_run_avx512(source, length, target);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_8_copy_run_avx2(source, length, target);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_8_copy_run_vector_16(source, length, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_utf_8_copy_run_bytes_16(source, length, target);
#endif
    (void)simd;
    return we_utf_8_copy_run_scalar(source, length, target);
}

static inline size_t we_utf_8_run_from_ucs1_scalar(const uint8_t *source, size_t length, uint8_t *target,
                                                   size_t *written)
{
    return we_utf_8_encode_loop(source, WE_UCS1, length, target, 0, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_utf_8_run_from_ucs1_bytes_16(const uint8_t *source, size_t length, uint8_t *target,
                                                     size_t *written)
{
    return we_utf_8_encode_loop(source, WE_UCS1, length, target, 1, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_8_run_from_ucs1_vector_16(const uint8_t *source, size_t length,
                                                                          uint8_t *target, size_t *written)
{
    return we_utf_8_encode_vector_16(source, WE_UCS1, length, target, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_8_run_from_ucs1_avx2(const uint8_t *source, size_t length, uint8_t *target,
                                                                size_t *written)
{
    return we_utf_8_encode_avx2(source, WE_UCS1, length, target, written);
}
#endif

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_utf_8_run_from_ucs1_avx512(const uint8_t *source, size_t length,
                                                                    uint8_t *target, size_t *written)
{
    return we_utf_8_encode_avx512(source, WE_UCS1, length, target, written);
}
#endif

/* Return the units read up to the first surrogate, which UCS-1 does not have. */
static inline size_t we_utf_8_run_from_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target,
                                            size_t *written)
{
    if (length < 8)
        simd = WE_SIMD_SCALAR;
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_8_run_from_ucs1_avx512(source, length, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_8_run_from_ucs1_avx2(source, length, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_8_run_from_ucs1_vector_16(source, length, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_utf_8_run_from_ucs1_bytes_16(source, length, target, written);
#endif
    (void)simd;
    return we_utf_8_run_from_ucs1_scalar(source, length, target, written);
}

static inline size_t we_utf_8_run_from_ucs2_scalar(const uint16_t *source, size_t length, uint8_t *target,
                                                   size_t *written)
{
    return we_utf_8_encode_loop(source, WE_UCS2, length, target, 0, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_utf_8_run_from_ucs2_bytes_16(const uint16_t *source, size_t length, uint8_t *target,
                                                     size_t *written)
{
    return we_utf_8_encode_loop(source, WE_UCS2, length, target, 1, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_8_run_from_ucs2_vector_16(const uint16_t *source, size_t length,
                                                                          uint8_t *target, size_t *written)
{
    return we_utf_8_encode_vector_16(source, WE_UCS2, length, target, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_8_run_from_ucs2_avx2(const uint16_t *source, size_t length, uint8_t *target,
                                                                size_t *written)
{
    return we_utf_8_encode_avx2(source, WE_UCS2, length, target, written);
}
#endif

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_utf_8_run_from_ucs2_avx512(const uint16_t *source, size_t length,
                                                                    uint8_t *target, size_t *written)
{
    return we_utf_8_encode_avx512(source, WE_UCS2, length, target, written);
}
#endif

/* Return the units read up to the first surrogate, which UCS-1 does not have. */
static inline size_t we_utf_8_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target,
                                            size_t *written)
{
    if (length < 8)
        simd = WE_SIMD_SCALAR;
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_8_run_from_ucs2_avx512(source, length, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_8_run_from_ucs2_avx2(source, length, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_8_run_from_ucs2_vector_16(source, length, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_utf_8_run_from_ucs2_bytes_16(source, length, target, written);
#endif
    (void)simd;
    return we_utf_8_run_from_ucs2_scalar(source, length, target, written);
}

static inline size_t we_utf_8_run_from_ucs4_scalar(const uint32_t *source, size_t length, uint8_t *target,
                                                   size_t *written)
{
    return we_utf_8_encode_loop(source, WE_UCS4, length, target, 0, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_utf_8_run_from_ucs4_bytes_16(const uint32_t *source, size_t length, uint8_t *target,
                                                     size_t *written)
{
    return we_utf_8_encode_loop(source, WE_UCS4, length, target, 1, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_8_run_from_ucs4_vector_16(const uint32_t *source, size_t length,
                                                                          uint8_t *target, size_t *written)
{
    return we_utf_8_encode_vector_16(source, WE_UCS4, length, target, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_8_run_from_ucs4_avx2(const uint32_t *source, size_t length, uint8_t *target,
                                                                size_t *written)
{
    return we_utf_8_encode_avx2(source, WE_UCS4, length, target, written);
}
#endif

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_utf_8_run_from_ucs4_avx512(const uint32_t *source, size_t length,
                                                                    uint8_t *target, size_t *written)
{
    return we_utf_8_encode_avx512(source, WE_UCS4, length, target, written);
}
#endif

/* Return the units read up to the first surrogate, which UCS-1 does not have. */
static inline size_t we_utf_8_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target,
                                            size_t *written)
{
    if (length < 8)
        simd = WE_SIMD_SCALAR;
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_8_run_from_ucs4_avx512(source, length, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_8_run_from_ucs4_avx2(source, length, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_8_run_from_ucs4_vector_16(source, length, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_utf_8_run_from_ucs4_bytes_16(source, length, target, written);
#endif
    (void)simd;
    return we_utf_8_run_from_ucs4_scalar(source, length, target, written);
}

WE_ALWAYS_INLINE size_t we_utf_8_run_from(int simd, int kind, const void *source, size_t length, uint8_t *target,
                                          size_t *written)
{
    if (kind == WE_UCS1)
        return we_utf_8_run_from_ucs1(simd, source, length, target, written);
    if (kind == WE_UCS2)
        return we_utf_8_run_from_ucs2(simd, source, length, target, written);
    return we_utf_8_run_from_ucs4(simd, source, length, target, written);
}

/* ---- utf_16 ---- */

#include "utf_16/avx512.h"

/* Each kernel must equal a handler on the items that it converts: utf_16be_decode_item, utf_16le_decode_item
 * (https://encoding.spec.whatwg.org/#shared-utf-16-decoder). */

static inline size_t we_utf_16_run_to_ucs1_scalar(const uint8_t *source, size_t length, int big_endian, uint8_t *target,
                                                  size_t *written, uint32_t max_code_point)
{
    if (big_endian)
        return we_utf_16_decode_scalar(source, length, 1, target, WE_UCS1, max_code_point, written);
    return we_utf_16_decode_scalar(source, length, 0, target, WE_UCS1, max_code_point, written);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_16_run_to_ucs1_vector_16(const uint8_t *source, size_t length,
                                                                         int big_endian, uint8_t *target,
                                                                         size_t *written, uint32_t max_code_point)
{
    if (big_endian)
        return we_utf_16_decode_vector_16(source, length, 1, target, WE_UCS1, max_code_point, written);
    return we_utf_16_decode_vector_16(source, length, 0, target, WE_UCS1, max_code_point, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_16_run_to_ucs1_avx2(const uint8_t *source, size_t length, int big_endian,
                                                               uint8_t *target, size_t *written,
                                                               uint32_t max_code_point)
{
    if (big_endian)
        return we_utf_16_decode_avx2(source, length, 1, target, WE_UCS1, max_code_point, written);
    return we_utf_16_decode_avx2(source, length, 0, target, WE_UCS1, max_code_point, written);
}
#endif

/* Return the bytes read up to the first code unit above max_code_point (0x7F or 0xFF). */
static inline size_t we_utf_16_run_to_ucs1(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint8_t *target, size_t *written, uint32_t max_code_point)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_16_run_to_ucs1_avx2(source, length, big_endian, target, written, max_code_point);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_16_run_to_ucs1_vector_16(source, length, big_endian, target, written, max_code_point);
#endif
    (void)simd;
    return we_utf_16_run_to_ucs1_scalar(source, length, big_endian, target, written, max_code_point);
}

static inline size_t we_utf_16_run_to_ucs2_scalar(const uint8_t *source, size_t length, int big_endian,
                                                  uint16_t *target, size_t *written)
{
    if (big_endian)
        return we_utf_16_decode_scalar(source, length, 1, target, WE_UCS2, 0xFFFF, written);
    return we_utf_16_decode_scalar(source, length, 0, target, WE_UCS2, 0xFFFF, written);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_16_run_to_ucs2_vector_16(const uint8_t *source, size_t length,
                                                                         int big_endian, uint16_t *target,
                                                                         size_t *written)
{
    if (big_endian)
        return we_utf_16_copy_run_vector_16(source, length, 1, target, written);
    return we_utf_16_copy_run_vector_16(source, length, 0, target, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_16_run_to_ucs2_avx2(const uint8_t *source, size_t length, int big_endian,
                                                               uint16_t *target, size_t *written)
{
    if (big_endian)
        return we_utf_16_copy_run_avx2(source, length, 1, target, written);
    return we_utf_16_copy_run_avx2(source, length, 0, target, written);
}
#endif

/* Return the bytes read up to the first surrogate. */
static inline size_t we_utf_16_run_to_ucs2(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint16_t *target, size_t *written)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_16_run_to_ucs2_avx2(source, length, big_endian, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_16_run_to_ucs2_vector_16(source, length, big_endian, target, written);
#endif
    (void)simd;
    return we_utf_16_run_to_ucs2_scalar(source, length, big_endian, target, written);
}

static inline size_t we_utf_16_run_to_ucs4_scalar(const uint8_t *source, size_t length, int big_endian,
                                                  uint32_t *target, size_t *written)
{
    if (big_endian)
        return we_utf_16_decode_scalar(source, length, 1, target, WE_UCS4, 0x10FFFF, written);
    return we_utf_16_decode_scalar(source, length, 0, target, WE_UCS4, 0x10FFFF, written);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_utf_16_run_to_ucs4_vector_16(const uint8_t *source, size_t length,
                                                                         int big_endian, uint32_t *target,
                                                                         size_t *written)
{
    if (big_endian)
        return we_utf_16_decode_vector_16(source, length, 1, target, WE_UCS4, 0x10FFFF, written);
    return we_utf_16_decode_vector_16(source, length, 0, target, WE_UCS4, 0x10FFFF, written);
}
#endif

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_utf_16_run_to_ucs4_avx2(const uint8_t *source, size_t length, int big_endian,
                                                               uint32_t *target, size_t *written)
{
    if (big_endian)
        return we_utf_16_decode_avx2(source, length, 1, target, WE_UCS4, 0x10FFFF, written);
    return we_utf_16_decode_avx2(source, length, 0, target, WE_UCS4, 0x10FFFF, written);
}
#endif

#if defined(WE_HAVE_AVX512)
WE_TARGET_AVX512 static inline size_t we_utf_16_run_to_ucs4_avx512(const uint8_t *source, size_t length, int big_endian,
                                                                   uint32_t *target, size_t *written)
{
    if (big_endian)
        return we_utf_16_to_ucs4_avx512(source, length, 1, target, written);
    return we_utf_16_to_ucs4_avx512(source, length, 0, target, written);
}
#endif

/* Return the bytes read up to the first surrogate that is unpaired or whose other half is not there yet. */
static inline size_t we_utf_16_run_to_ucs4(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint32_t *target, size_t *written)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_16_run_to_ucs4_avx512(source, length, big_endian, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_utf_16_run_to_ucs4_avx2(source, length, big_endian, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_utf_16_run_to_ucs4_vector_16(source, length, big_endian, target, written);
#endif
    (void)simd;
    return we_utf_16_run_to_ucs4_scalar(source, length, big_endian, target, written);
}

/* Write code points as UTF-16 in native byte order; return how many units. Write nothing beyond the capacity, which
 * suffices. */
static inline size_t we_utf_16_put(int simd, const uint32_t *source, size_t length, uint16_t *target, size_t capacity)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_utf_16_put_avx512(source, length, target, capacity);
#endif
    (void)simd;
    return we_utf_16_put_scalar(source, length, target, capacity);
}

/* ---- single_byte ---- */

#include "single_byte/avx512.h"

/* Each kernel must equal a handler on the items that it converts: single_byte_decode_item
 * (https://encoding.spec.whatwg.org/#single-byte-decoder), single_byte_encode_item (#single-byte-encoder). */

static inline size_t we_single_byte_map(int simd, const uint8_t *source, size_t length, const uint8_t *map,
                                        uint8_t *target)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_single_byte_map_avx512(source, length, map, target);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_single_byte_map_avx2(source, length, map, target);
#endif
#if defined(WE_HAVE_X86_64_V2)
    if (simd >= WE_SIMD_X86_64_V2)
        return we_single_byte_map_x86_64_v2(source, length, map, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_single_byte_map_bytes_16(source, length, map, target);
#endif
    (void)simd;
    return we_single_byte_map_scalar(source, length, map, target);
}

static inline size_t we_single_byte_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                                const we_single_byte_vectors *vectors, uint16_t *target)
{
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_single_byte_run_to_ucs2_avx512(source, length, table, target);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_single_byte_run_to_ucs2_avx2(source, length, table, vectors, target);
#endif
#if defined(WE_HAVE_X86_64_V2)
    if (simd >= WE_SIMD_X86_64_V2)
        return we_single_byte_run_to_ucs2_x86_64_v2(source, length, table, vectors, target);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_single_byte_run_to_ucs2_bytes_16(source, length, table, target);
#endif
    (void)simd, (void)vectors;
    return we_single_byte_run_to_ucs2_scalar(source, length, table, target);
}

static inline size_t we_single_byte_run_from_ucs2(int simd, const uint16_t *source, size_t length,
                                                  const we_single_byte_reverse *table, uint8_t *target)
{
    if (length < 8)
        simd = WE_SIMD_SCALAR;
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_single_byte_run_from_ucs2_avx512(source, length, table, target);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_single_byte_run_from_ucs2_avx2(source, length, table, target);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_single_byte_run_from_ucs2_vector_16(source, length, table, target);
#endif
#if defined(WE_HAVE_SSE2)
    if (simd >= WE_SIMD_SSE2)
        return we_single_byte_run_from_ucs2_sse2(source, length, table, target);
#endif
    (void)simd;
    return we_single_byte_run_from_ucs2_scalar(source, length, table, target);
}

static inline size_t we_single_byte_sparse_to_utf8_scalar(const uint8_t *source, size_t length, uint8_t *target,
                                                          size_t *written)
{
    return *written = we_ascii_run_to_ucs1_scalar(source, length, target);
}

/* Decode bytes of which most are ASCII, up to where they are not, or to the last block. */
static inline size_t we_single_byte_sparse_to_utf8(int simd, const uint8_t *source, size_t length,
                                                   const uint16_t *table, uint8_t *target, size_t *written)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_single_byte_sparse_to_utf8_avx2(source, length, table, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_single_byte_sparse_to_utf8_bytes_16(source, length, table, target, written);
#endif
    (void)simd, (void)table;
    return we_single_byte_sparse_to_utf8_scalar(source, length, target, written);
}

static inline size_t we_single_byte_sparse_from_utf8_scalar(const uint8_t *source, size_t length, uint8_t *target,
                                                            size_t *written)
{
    return *written = we_ascii_run_to_ucs1_scalar(source, length, target);
}

/* The same from UTF-8. The capacity is a byte for each byte. */
static inline size_t we_single_byte_sparse_from_utf8(int simd, const uint8_t *source, size_t length,
                                                     const we_single_byte_reverse *table, uint8_t *target,
                                                     size_t *written)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_single_byte_sparse_from_utf8_avx2(source, length, table, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_single_byte_sparse_from_utf8_bytes_16(source, length, table, target, written);
#endif
    (void)simd, (void)table;
    return we_single_byte_sparse_from_utf8_scalar(source, length, target, written);
}

/* ---- double_byte ---- */

#include "double_byte/avx512.h"

/* Each kernel must equal a handler on the items that it converts: shift_jis, euc_jp, euc_kr, big5 or gb18030
 * _decode_item, shift_jis, euc_jp, euc_kr, big5, gbk or gb18030 _encode_item
 * (https://encoding.spec.whatwg.org/#shift_jis-decoder to #gb18030-encoder). */

static inline size_t we_double_byte_run_to_ucs2_scalar(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                       int katakana, uint16_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_decode_loop(source, length, pairs, 1, 0, WE_UCS2, target, written);
    return we_double_byte_decode_loop(source, length, pairs, 0, 0, WE_UCS2, target, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_double_byte_run_to_ucs2_bytes_16(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                         int katakana, uint16_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_decode_loop(source, length, pairs, 1, 1, WE_UCS2, target, written);
    return we_double_byte_decode_loop(source, length, pairs, 0, 1, WE_UCS2, target, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs2_vector_16_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                     uint16_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_to_ucs2_vector_16_katakana(const uint8_t *source, size_t length,
                                                                                  const uint16_t *pairs,
                                                                                  uint16_t *target, size_t *written)
{
    return we_double_byte_run_vector_16(source, length, pairs, 1, WE_UCS2, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs2_vector_16_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint16_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_to_ucs2_vector_16_plain(const uint8_t *source, size_t length,
                                                                               const uint16_t *pairs, uint16_t *target,
                                                                               size_t *written)
{
    return we_double_byte_run_vector_16(source, length, pairs, 0, WE_UCS2, target, written);
}
#endif
WE_TARGET_VECTOR_16 static inline size_t we_double_byte_run_to_ucs2_vector_16(const uint8_t *source, size_t length,
                                                                              const uint16_t *pairs, int katakana,
                                                                              uint16_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_ucs2_vector_16_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_ucs2_vector_16_plain(source, length, pairs, target, written);
}
#endif

#if defined(WE_HAVE_AVX2)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs2_avx2_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                uint16_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_to_ucs2_avx2_katakana(const uint8_t *source, size_t length,
                                                                        const uint16_t *pairs, uint16_t *target,
                                                                        size_t *written)
{
    return we_double_byte_run_avx2(source, length, pairs, 1, WE_UCS2, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs2_avx2_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                             uint16_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_to_ucs2_avx2_plain(const uint8_t *source, size_t length,
                                                                     const uint16_t *pairs, uint16_t *target,
                                                                     size_t *written)
{
    return we_double_byte_run_avx2(source, length, pairs, 0, WE_UCS2, target, written);
}
#endif
WE_TARGET_AVX2 static inline size_t we_double_byte_run_to_ucs2_avx2(const uint8_t *source, size_t length,
                                                                    const uint16_t *pairs, int katakana,
                                                                    uint16_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_ucs2_avx2_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_ucs2_avx2_plain(source, length, pairs, target, written);
}
#endif

#if defined(WE_HAVE_AVX512)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs2_avx512_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint16_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_to_ucs2_avx512_katakana(const uint8_t *source, size_t length,
                                                                            const uint16_t *pairs, uint16_t *target,
                                                                            size_t *written)
{
    return we_double_byte_run_avx512(source, length, pairs, 1, WE_UCS2, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs2_avx512_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                               uint16_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_to_ucs2_avx512_plain(const uint8_t *source, size_t length,
                                                                         const uint16_t *pairs, uint16_t *target,
                                                                         size_t *written)
{
    return we_double_byte_run_avx512(source, length, pairs, 0, WE_UCS2, target, written);
}
#endif
WE_TARGET_AVX512 static inline size_t we_double_byte_run_to_ucs2_avx512(const uint8_t *source, size_t length,
                                                                        const uint16_t *pairs, int katakana,
                                                                        uint16_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_ucs2_avx512_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_ucs2_avx512_plain(source, length, pairs, target, written);
}
#endif

static inline size_t we_double_byte_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                                int katakana, uint16_t *target, size_t *written)
{
    if (we_double_byte_stops(source, length, pairs, katakana)) {
        *written = 0;
        return 0;
    }
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_double_byte_run_to_ucs2_avx512(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_double_byte_run_to_ucs2_avx2(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_double_byte_run_to_ucs2_vector_16(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_double_byte_run_to_ucs2_bytes_16(source, length, pairs, katakana, target, written);
#endif
    (void)simd;
    return we_double_byte_run_to_ucs2_scalar(source, length, pairs, katakana, target, written);
}

static inline size_t we_double_byte_run_to_ucs4_scalar(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                       int katakana, uint32_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_decode_loop(source, length, pairs, 1, 0, WE_UCS4, target, written);
    return we_double_byte_decode_loop(source, length, pairs, 0, 0, WE_UCS4, target, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_double_byte_run_to_ucs4_bytes_16(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                         int katakana, uint32_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_decode_loop(source, length, pairs, 1, 1, WE_UCS4, target, written);
    return we_double_byte_decode_loop(source, length, pairs, 0, 1, WE_UCS4, target, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs4_vector_16_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                     uint32_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_to_ucs4_vector_16_katakana(const uint8_t *source, size_t length,
                                                                                  const uint16_t *pairs,
                                                                                  uint32_t *target, size_t *written)
{
    return we_double_byte_run_vector_16(source, length, pairs, 1, WE_UCS4, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs4_vector_16_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint32_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_to_ucs4_vector_16_plain(const uint8_t *source, size_t length,
                                                                               const uint16_t *pairs, uint32_t *target,
                                                                               size_t *written)
{
    return we_double_byte_run_vector_16(source, length, pairs, 0, WE_UCS4, target, written);
}
#endif
WE_TARGET_VECTOR_16 static inline size_t we_double_byte_run_to_ucs4_vector_16(const uint8_t *source, size_t length,
                                                                              const uint16_t *pairs, int katakana,
                                                                              uint32_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_ucs4_vector_16_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_ucs4_vector_16_plain(source, length, pairs, target, written);
}
#endif

#if defined(WE_HAVE_AVX2)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs4_avx2_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                uint32_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_to_ucs4_avx2_katakana(const uint8_t *source, size_t length,
                                                                        const uint16_t *pairs, uint32_t *target,
                                                                        size_t *written)
{
    return we_double_byte_run_avx2(source, length, pairs, 1, WE_UCS4, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs4_avx2_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                             uint32_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_to_ucs4_avx2_plain(const uint8_t *source, size_t length,
                                                                     const uint16_t *pairs, uint32_t *target,
                                                                     size_t *written)
{
    return we_double_byte_run_avx2(source, length, pairs, 0, WE_UCS4, target, written);
}
#endif
WE_TARGET_AVX2 static inline size_t we_double_byte_run_to_ucs4_avx2(const uint8_t *source, size_t length,
                                                                    const uint16_t *pairs, int katakana,
                                                                    uint32_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_ucs4_avx2_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_ucs4_avx2_plain(source, length, pairs, target, written);
}
#endif

#if defined(WE_HAVE_AVX512)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs4_avx512_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint32_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_to_ucs4_avx512_katakana(const uint8_t *source, size_t length,
                                                                            const uint16_t *pairs, uint32_t *target,
                                                                            size_t *written)
{
    return we_double_byte_run_avx512(source, length, pairs, 1, WE_UCS4, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_ucs4_avx512_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                               uint32_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_to_ucs4_avx512_plain(const uint8_t *source, size_t length,
                                                                         const uint16_t *pairs, uint32_t *target,
                                                                         size_t *written)
{
    return we_double_byte_run_avx512(source, length, pairs, 0, WE_UCS4, target, written);
}
#endif
WE_TARGET_AVX512 static inline size_t we_double_byte_run_to_ucs4_avx512(const uint8_t *source, size_t length,
                                                                        const uint16_t *pairs, int katakana,
                                                                        uint32_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_ucs4_avx512_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_ucs4_avx512_plain(source, length, pairs, target, written);
}
#endif

static inline size_t we_double_byte_run_to_ucs4(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                                int katakana, uint32_t *target, size_t *written)
{
    if (we_double_byte_stops(source, length, pairs, katakana)) {
        *written = 0;
        return 0;
    }
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_double_byte_run_to_ucs4_avx512(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_double_byte_run_to_ucs4_avx2(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_double_byte_run_to_ucs4_vector_16(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_double_byte_run_to_ucs4_bytes_16(source, length, pairs, katakana, target, written);
#endif
    (void)simd;
    return we_double_byte_run_to_ucs4_scalar(source, length, pairs, katakana, target, written);
}

static inline size_t we_double_byte_run_to_utf8_scalar(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                       int katakana, uint8_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_decode_loop(source, length, pairs, 1, 0, WE_UTF8, target, written);
    return we_double_byte_decode_loop(source, length, pairs, 0, 0, WE_UTF8, target, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_double_byte_run_to_utf8_bytes_16(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                         int katakana, uint8_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_decode_loop(source, length, pairs, 1, 1, WE_UTF8, target, written);
    return we_double_byte_decode_loop(source, length, pairs, 0, 1, WE_UTF8, target, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_utf8_vector_16_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                     uint8_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_to_utf8_vector_16_katakana(const uint8_t *source, size_t length,
                                                                                  const uint16_t *pairs,
                                                                                  uint8_t *target, size_t *written)
{
    return we_double_byte_run_vector_16(source, length, pairs, 1, WE_UTF8, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_utf8_vector_16_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint8_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_to_utf8_vector_16_plain(const uint8_t *source, size_t length,
                                                                               const uint16_t *pairs, uint8_t *target,
                                                                               size_t *written)
{
    return we_double_byte_run_vector_16(source, length, pairs, 0, WE_UTF8, target, written);
}
#endif
WE_TARGET_VECTOR_16 static inline size_t we_double_byte_run_to_utf8_vector_16(const uint8_t *source, size_t length,
                                                                              const uint16_t *pairs, int katakana,
                                                                              uint8_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_utf8_vector_16_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_utf8_vector_16_plain(source, length, pairs, target, written);
}
#endif

#if defined(WE_HAVE_AVX2)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_utf8_avx2_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                uint8_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_to_utf8_avx2_katakana(const uint8_t *source, size_t length,
                                                                        const uint16_t *pairs, uint8_t *target,
                                                                        size_t *written)
{
    return we_double_byte_run_avx2(source, length, pairs, 1, WE_UTF8, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_utf8_avx2_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                             uint8_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_to_utf8_avx2_plain(const uint8_t *source, size_t length,
                                                                     const uint16_t *pairs, uint8_t *target,
                                                                     size_t *written)
{
    return we_double_byte_run_avx2(source, length, pairs, 0, WE_UTF8, target, written);
}
#endif
WE_TARGET_AVX2 static inline size_t we_double_byte_run_to_utf8_avx2(const uint8_t *source, size_t length,
                                                                    const uint16_t *pairs, int katakana,
                                                                    uint8_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_utf8_avx2_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_utf8_avx2_plain(source, length, pairs, target, written);
}
#endif

#if defined(WE_HAVE_AVX512)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_utf8_avx512_katakana(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint8_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_to_utf8_avx512_katakana(const uint8_t *source, size_t length,
                                                                            const uint16_t *pairs, uint8_t *target,
                                                                            size_t *written)
{
    return we_double_byte_run_avx512(source, length, pairs, 1, WE_UTF8, target, written);
}
#endif
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_to_utf8_avx512_plain(const uint8_t *source, size_t length, const uint16_t *pairs,
                                               uint8_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_to_utf8_avx512_plain(const uint8_t *source, size_t length,
                                                                         const uint16_t *pairs, uint8_t *target,
                                                                         size_t *written)
{
    return we_double_byte_run_avx512(source, length, pairs, 0, WE_UTF8, target, written);
}
#endif
WE_TARGET_AVX512 static inline size_t we_double_byte_run_to_utf8_avx512(const uint8_t *source, size_t length,
                                                                        const uint16_t *pairs, int katakana,
                                                                        uint8_t *target, size_t *written)
{
    if (katakana)
        return we_double_byte_run_to_utf8_avx512_katakana(source, length, pairs, target, written);
    return we_double_byte_run_to_utf8_avx512_plain(source, length, pairs, target, written);
}
#endif

static inline size_t we_double_byte_run_to_utf8(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                                int katakana, uint8_t *target, size_t *written)
{
    if (we_double_byte_stops(source, length, pairs, katakana)) {
        *written = 0;
        return 0;
    }
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_double_byte_run_to_utf8_avx512(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_double_byte_run_to_utf8_avx2(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_double_byte_run_to_utf8_vector_16(source, length, pairs, katakana, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_double_byte_run_to_utf8_bytes_16(source, length, pairs, katakana, target, written);
#endif
    (void)simd;
    return we_double_byte_run_to_utf8_scalar(source, length, pairs, katakana, target, written);
}

WE_ALWAYS_INLINE size_t we_double_byte_run_to(int simd, int kind, const uint8_t *source, size_t length,
                                              const uint16_t *pairs, int katakana, void *target, size_t *written)
{
    if (kind == WE_UCS2)
        return we_double_byte_run_to_ucs2(simd, source, length, pairs, katakana, target, written);
    if (kind == WE_UCS4)
        return we_double_byte_run_to_ucs4(simd, source, length, pairs, katakana, target, written);
    return we_double_byte_run_to_utf8(simd, source, length, pairs, katakana, target, written);
}

static inline size_t we_double_byte_run_from_ucs1_scalar(const uint8_t *source, size_t length, const uint16_t *reverse,
                                                         uint8_t *target, size_t *written)
{
    return we_double_byte_encode_loop(source, WE_UCS1, length, reverse, 0, target, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_double_byte_run_from_ucs1_bytes_16(const uint8_t *source, size_t length,
                                                           const uint16_t *reverse, uint8_t *target, size_t *written)
{
    return we_double_byte_encode_loop(source, WE_UCS1, length, reverse, 1, target, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs1_vector_16(const uint8_t *source, size_t length, const uint16_t *reverse,
                                              uint8_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_from_ucs1_vector_16(const uint8_t *source, size_t length,
                                                                           const uint16_t *reverse, uint8_t *target,
                                                                           size_t *written)
{
    return we_double_byte_run_from_vector_16(source, WE_UCS1, length, reverse, target, written);
}
#endif
#endif

#if defined(WE_HAVE_AVX2)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs1_avx2(const uint8_t *source, size_t length, const uint16_t *reverse, uint8_t *target,
                                         size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_from_ucs1_avx2(const uint8_t *source, size_t length,
                                                                 const uint16_t *reverse, uint8_t *target,
                                                                 size_t *written)
{
    return we_double_byte_run_from_vector_16(source, WE_UCS1, length, reverse, target, written);
}
#endif
#endif

#if defined(WE_HAVE_AVX512)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs1_avx512(const uint8_t *source, size_t length, const uint16_t *reverse,
                                           uint8_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_from_ucs1_avx512(const uint8_t *source, size_t length,
                                                                     const uint16_t *reverse, uint8_t *target,
                                                                     size_t *written)
{
    return we_double_byte_run_from_avx512(source, WE_UCS1, length, reverse, target, written);
}
#endif
#endif

static inline size_t we_double_byte_run_from_ucs1(int simd, const uint8_t *source, size_t length,
                                                  const uint16_t *reverse, uint8_t *target, size_t *written)
{
    if (length >= 1 && we_is_unmapped(source[0], reverse)) {
        *written = 0;
        return 0;
    }
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_double_byte_run_from_ucs1_avx512(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_double_byte_run_from_ucs1_avx2(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_double_byte_run_from_ucs1_vector_16(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_double_byte_run_from_ucs1_bytes_16(source, length, reverse, target, written);
#endif
    (void)simd;
    return we_double_byte_run_from_ucs1_scalar(source, length, reverse, target, written);
}

static inline size_t we_double_byte_run_from_ucs2_scalar(const uint16_t *source, size_t length, const uint16_t *reverse,
                                                         uint8_t *target, size_t *written)
{
    return we_double_byte_encode_loop(source, WE_UCS2, length, reverse, 0, target, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_double_byte_run_from_ucs2_bytes_16(const uint16_t *source, size_t length,
                                                           const uint16_t *reverse, uint8_t *target, size_t *written)
{
    return we_double_byte_encode_loop(source, WE_UCS2, length, reverse, 1, target, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs2_vector_16(const uint16_t *source, size_t length, const uint16_t *reverse,
                                              uint8_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_from_ucs2_vector_16(const uint16_t *source, size_t length,
                                                                           const uint16_t *reverse, uint8_t *target,
                                                                           size_t *written)
{
    return we_double_byte_run_from_vector_16(source, WE_UCS2, length, reverse, target, written);
}
#endif
#endif

#if defined(WE_HAVE_AVX2)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs2_avx2(const uint16_t *source, size_t length, const uint16_t *reverse,
                                         uint8_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_from_ucs2_avx2(const uint16_t *source, size_t length,
                                                                 const uint16_t *reverse, uint8_t *target,
                                                                 size_t *written)
{
    return we_double_byte_run_from_vector_16(source, WE_UCS2, length, reverse, target, written);
}
#endif
#endif

#if defined(WE_HAVE_AVX512)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs2_avx512(const uint16_t *source, size_t length, const uint16_t *reverse,
                                           uint8_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_from_ucs2_avx512(const uint16_t *source, size_t length,
                                                                     const uint16_t *reverse, uint8_t *target,
                                                                     size_t *written)
{
    return we_double_byte_run_from_avx512(source, WE_UCS2, length, reverse, target, written);
}
#endif
#endif

static inline size_t we_double_byte_run_from_ucs2(int simd, const uint16_t *source, size_t length,
                                                  const uint16_t *reverse, uint8_t *target, size_t *written)
{
    if (length >= 1 && we_is_unmapped(source[0], reverse)) {
        *written = 0;
        return 0;
    }
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_double_byte_run_from_ucs2_avx512(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_double_byte_run_from_ucs2_avx2(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_double_byte_run_from_ucs2_vector_16(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_double_byte_run_from_ucs2_bytes_16(source, length, reverse, target, written);
#endif
    (void)simd;
    return we_double_byte_run_from_ucs2_scalar(source, length, reverse, target, written);
}

static inline size_t we_double_byte_run_from_ucs4_scalar(const uint32_t *source, size_t length, const uint16_t *reverse,
                                                         uint8_t *target, size_t *written)
{
    return we_double_byte_encode_loop(source, WE_UCS4, length, reverse, 0, target, written);
}

#if defined(WE_HAVE_BYTES_16)
static inline size_t we_double_byte_run_from_ucs4_bytes_16(const uint32_t *source, size_t length,
                                                           const uint16_t *reverse, uint8_t *target, size_t *written)
{
    return we_double_byte_encode_loop(source, WE_UCS4, length, reverse, 1, target, written);
}
#endif

#if defined(WE_HAVE_VECTOR_16)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs4_vector_16(const uint32_t *source, size_t length, const uint16_t *reverse,
                                              uint8_t *target, size_t *written);
#else
WE_TARGET_VECTOR_16 WE_APART size_t we_double_byte_run_from_ucs4_vector_16(const uint32_t *source, size_t length,
                                                                           const uint16_t *reverse, uint8_t *target,
                                                                           size_t *written)
{
    return we_double_byte_run_from_vector_16(source, WE_UCS4, length, reverse, target, written);
}
#endif
#endif

#if defined(WE_HAVE_AVX2)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs4_avx2(const uint32_t *source, size_t length, const uint16_t *reverse,
                                         uint8_t *target, size_t *written);
#else
WE_TARGET_AVX2 WE_APART size_t we_double_byte_run_from_ucs4_avx2(const uint32_t *source, size_t length,
                                                                 const uint16_t *reverse, uint8_t *target,
                                                                 size_t *written)
{
    return we_double_byte_run_from_vector_16(source, WE_UCS4, length, reverse, target, written);
}
#endif
#endif

#if defined(WE_HAVE_AVX512)
#if defined(WE_KERNELS_APART)
size_t we_double_byte_run_from_ucs4_avx512(const uint32_t *source, size_t length, const uint16_t *reverse,
                                           uint8_t *target, size_t *written);
#else
WE_TARGET_AVX512 WE_APART size_t we_double_byte_run_from_ucs4_avx512(const uint32_t *source, size_t length,
                                                                     const uint16_t *reverse, uint8_t *target,
                                                                     size_t *written)
{
    return we_double_byte_run_from_avx512(source, WE_UCS4, length, reverse, target, written);
}
#endif
#endif

static inline size_t we_double_byte_run_from_ucs4(int simd, const uint32_t *source, size_t length,
                                                  const uint16_t *reverse, uint8_t *target, size_t *written)
{
    if (length >= 1 && we_is_unmapped(source[0], reverse)) {
        *written = 0;
        return 0;
    }
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512)
        return we_double_byte_run_from_ucs4_avx512(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_double_byte_run_from_ucs4_avx2(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_double_byte_run_from_ucs4_vector_16(source, length, reverse, target, written);
#endif
#if defined(WE_HAVE_BYTES_16)
    if (simd >= WE_SIMD_BYTES_16)
        return we_double_byte_run_from_ucs4_bytes_16(source, length, reverse, target, written);
#endif
    (void)simd;
    return we_double_byte_run_from_ucs4_scalar(source, length, reverse, target, written);
}

WE_ALWAYS_INLINE size_t we_double_byte_run_from(int simd, int kind, const void *source, size_t length,
                                                const uint16_t *reverse, uint8_t *target, size_t *written)
{
    if (kind == WE_UCS1)
        return we_double_byte_run_from_ucs1(simd, source, length, reverse, target, written);
    if (kind == WE_UCS2)
        return we_double_byte_run_from_ucs2(simd, source, length, reverse, target, written);
    return we_double_byte_run_from_ucs4(simd, source, length, reverse, target, written);
}

/* ---- iso_2022_jp ---- */

#include "iso_2022_jp/avx2.h"

/* Each kernel must equal a handler on the items that it converts: iso_2022_jp_decode_item
 * (https://encoding.spec.whatwg.org/#iso-2022-jp-decoder), iso_2022_jp_encode_item (#iso-2022-jp-encoder). */

static inline size_t we_iso_2022_jp_blocks_to_ucs2_scalar(size_t *written)
{
    return we_decode_nothing(written);
}

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_iso_2022_jp_blocks_to_ucs2_avx2(const uint8_t *source, size_t length,
                                                                       const uint16_t *pairs, uint16_t *target,
                                                                       size_t *written, we_decoder_state *run)
{
    return we_iso_2022_jp_blocks_avx2(source, length, pairs, WE_UCS2, target, written, run);
}
#endif

/* Decode blocks, escape sequences included; return the bytes read. Some may be left: without AVX2, all. */
static inline size_t we_iso_2022_jp_blocks_to_ucs2(int simd, const uint8_t *source, size_t length,
                                                   const uint16_t *pairs, uint16_t *target, size_t *written,
                                                   we_decoder_state *run)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_iso_2022_jp_blocks_to_ucs2_avx2(source, length, pairs, target, written, run);
#endif
    (void)simd, (void)source, (void)length, (void)pairs, (void)target, (void)run;
    return we_iso_2022_jp_blocks_to_ucs2_scalar(written);
}

static inline size_t we_iso_2022_jp_blocks_to_ucs4_scalar(size_t *written)
{
    return we_decode_nothing(written);
}

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static inline size_t we_iso_2022_jp_blocks_to_ucs4_avx2(const uint8_t *source, size_t length,
                                                                       const uint16_t *pairs, uint32_t *target,
                                                                       size_t *written, we_decoder_state *run)
{
    return we_iso_2022_jp_blocks_avx2(source, length, pairs, WE_UCS4, target, written, run);
}
#endif

/* Decode blocks, escape sequences included; return the bytes read. Some may be left: without AVX2, all. */
static inline size_t we_iso_2022_jp_blocks_to_ucs4(int simd, const uint8_t *source, size_t length,
                                                   const uint16_t *pairs, uint32_t *target, size_t *written,
                                                   we_decoder_state *run)
{
#if defined(WE_HAVE_AVX2)
    if (simd >= WE_SIMD_AVX2)
        return we_iso_2022_jp_blocks_to_ucs4_avx2(source, length, pairs, target, written, run);
#endif
    (void)simd, (void)source, (void)length, (void)pairs, (void)target, (void)run;
    return we_iso_2022_jp_blocks_to_ucs4_scalar(written);
}

WE_ALWAYS_INLINE size_t we_iso_2022_jp_blocks_to(int simd, int kind, const uint8_t *source, size_t length,
                                                 const uint16_t *pairs, void *target, size_t *written,
                                                 we_decoder_state *run)
{
    if (kind == WE_UCS2)
        return we_iso_2022_jp_blocks_to_ucs2(simd, source, length, pairs, target, written, run);
    return we_iso_2022_jp_blocks_to_ucs4(simd, source, length, pairs, target, written, run);
}

static inline size_t we_iso_2022_jp_pairs_to_ucs2_scalar(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                         uint16_t *target, size_t *written)
{
    return we_iso_2022_jp_decode_pairs_scalar(source, length, pairs, WE_UCS2, target, written);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_iso_2022_jp_pairs_to_ucs2_vector_16(const uint8_t *source, size_t length,
                                                                                const uint16_t *pairs, uint16_t *target,
                                                                                size_t *written)
{
    return we_iso_2022_jp_decode_pairs_vector_16(source, length, pairs, WE_UCS2, target, written);
}
#endif

static inline size_t we_iso_2022_jp_pairs_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint16_t *target, size_t *written)
{
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_iso_2022_jp_pairs_to_ucs2_vector_16(source, length, pairs, target, written);
#endif
    (void)simd;
    return we_iso_2022_jp_pairs_to_ucs2_scalar(source, length, pairs, target, written);
}

static inline size_t we_iso_2022_jp_pairs_to_ucs4_scalar(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                         uint32_t *target, size_t *written)
{
    return we_iso_2022_jp_decode_pairs_scalar(source, length, pairs, WE_UCS4, target, written);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_iso_2022_jp_pairs_to_ucs4_vector_16(const uint8_t *source, size_t length,
                                                                                const uint16_t *pairs, uint32_t *target,
                                                                                size_t *written)
{
    return we_iso_2022_jp_decode_pairs_vector_16(source, length, pairs, WE_UCS4, target, written);
}
#endif

static inline size_t we_iso_2022_jp_pairs_to_ucs4(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint32_t *target, size_t *written)
{
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_iso_2022_jp_pairs_to_ucs4_vector_16(source, length, pairs, target, written);
#endif
    (void)simd;
    return we_iso_2022_jp_pairs_to_ucs4_scalar(source, length, pairs, target, written);
}

static inline size_t we_iso_2022_jp_pairs_to_utf8_scalar(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                         uint8_t *target, size_t *written)
{
    return we_iso_2022_jp_decode_pairs_scalar(source, length, pairs, WE_UTF8, target, written);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_iso_2022_jp_pairs_to_utf8_vector_16(const uint8_t *source, size_t length,
                                                                                const uint16_t *pairs, uint8_t *target,
                                                                                size_t *written)
{
    return we_iso_2022_jp_decode_pairs_vector_16(source, length, pairs, WE_UTF8, target, written);
}
#endif

static inline size_t we_iso_2022_jp_pairs_to_utf8(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                                  uint8_t *target, size_t *written)
{
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_iso_2022_jp_pairs_to_utf8_vector_16(source, length, pairs, target, written);
#endif
    (void)simd;
    return we_iso_2022_jp_pairs_to_utf8_scalar(source, length, pairs, target, written);
}

WE_ALWAYS_INLINE size_t we_iso_2022_jp_pairs_to(int simd, int kind, const uint8_t *source, size_t length,
                                                const uint16_t *pairs, void *target, size_t *written)
{
    if (kind == WE_UCS2)
        return we_iso_2022_jp_pairs_to_ucs2(simd, source, length, pairs, target, written);
    if (kind == WE_UCS4)
        return we_iso_2022_jp_pairs_to_ucs4(simd, source, length, pairs, target, written);
    return we_iso_2022_jp_pairs_to_utf8(simd, source, length, pairs, target, written);
}

static inline size_t we_iso_2022_jp_pairs_from_ucs1_scalar(const uint8_t *source, size_t length,
                                                           const uint16_t *reverse, uint8_t *target)
{
    return we_iso_2022_jp_encode_pairs_scalar(source, WE_UCS1, length, reverse, target);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_iso_2022_jp_pairs_from_ucs1_vector_16(const uint8_t *source, size_t length,
                                                                                  const uint16_t *reverse,
                                                                                  uint8_t *target)
{
    return we_iso_2022_jp_encode_pairs_vector_16(source, WE_UCS1, length, reverse, target);
}
#endif

static inline size_t we_iso_2022_jp_pairs_from_ucs1(int simd, const uint8_t *source, size_t length,
                                                    const uint16_t *reverse, uint8_t *target)
{
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_iso_2022_jp_pairs_from_ucs1_vector_16(source, length, reverse, target);
#endif
    (void)simd;
    return we_iso_2022_jp_pairs_from_ucs1_scalar(source, length, reverse, target);
}

static inline size_t we_iso_2022_jp_pairs_from_ucs2_scalar(const uint16_t *source, size_t length,
                                                           const uint16_t *reverse, uint8_t *target)
{
    return we_iso_2022_jp_encode_pairs_scalar(source, WE_UCS2, length, reverse, target);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_iso_2022_jp_pairs_from_ucs2_vector_16(const uint16_t *source, size_t length,
                                                                                  const uint16_t *reverse,
                                                                                  uint8_t *target)
{
    return we_iso_2022_jp_encode_pairs_vector_16(source, WE_UCS2, length, reverse, target);
}
#endif

static inline size_t we_iso_2022_jp_pairs_from_ucs2(int simd, const uint16_t *source, size_t length,
                                                    const uint16_t *reverse, uint8_t *target)
{
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_iso_2022_jp_pairs_from_ucs2_vector_16(source, length, reverse, target);
#endif
    (void)simd;
    return we_iso_2022_jp_pairs_from_ucs2_scalar(source, length, reverse, target);
}

static inline size_t we_iso_2022_jp_pairs_from_ucs4_scalar(const uint32_t *source, size_t length,
                                                           const uint16_t *reverse, uint8_t *target)
{
    return we_iso_2022_jp_encode_pairs_scalar(source, WE_UCS4, length, reverse, target);
}

#if defined(WE_HAVE_VECTOR_16)
WE_TARGET_VECTOR_16 static inline size_t we_iso_2022_jp_pairs_from_ucs4_vector_16(const uint32_t *source, size_t length,
                                                                                  const uint16_t *reverse,
                                                                                  uint8_t *target)
{
    return we_iso_2022_jp_encode_pairs_vector_16(source, WE_UCS4, length, reverse, target);
}
#endif

static inline size_t we_iso_2022_jp_pairs_from_ucs4(int simd, const uint32_t *source, size_t length,
                                                    const uint16_t *reverse, uint8_t *target)
{
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16)
        return we_iso_2022_jp_pairs_from_ucs4_vector_16(source, length, reverse, target);
#endif
    (void)simd;
    return we_iso_2022_jp_pairs_from_ucs4_scalar(source, length, reverse, target);
}

WE_ALWAYS_INLINE size_t we_iso_2022_jp_pairs_from(int simd, int kind, const void *source, size_t length,
                                                  const uint16_t *reverse, uint8_t *target)
{
    if (kind == WE_UCS1)
        return we_iso_2022_jp_pairs_from_ucs1(simd, source, length, reverse, target);
    if (kind == WE_UCS2)
        return we_iso_2022_jp_pairs_from_ucs2(simd, source, length, reverse, target);
    return we_iso_2022_jp_pairs_from_ucs4(simd, source, length, reverse, target);
}

#endif
