/* Runs of two-byte characters between runs of ASCII: the common part of Shift_JIS, EUC-JP, EUC-KR, Big5, GBK and
 * gb18030.
 *
 * Decoding looks pairs up in a table of 32768 code units by (leading - 0x80) * 256 + trailing; 0 marks two bytes that
 * are no pair. In Shift_JIS the bytes A1 to DF are not leading bytes but half-width katakana: `katakana` is 1 for that
 * encoding and 0 for all others. Encoding looks code units up in a table of 65536 byte pairs in memory order, the first
 * byte in the lower half; an upper half of 0 means that the first byte stands alone, and 0 that there is none (or that
 * the code point is U+0000, which stands for itself).
 *
 * A run stops before the first item that it can not convert: a pair or unit without an entry, an incomplete pair. Every
 * look-up is in range by the width of its key alone, whatever the source holds.
 *
 * Capacity: a decoder's target takes a unit (UTF-8: three bytes) for each source byte; an encoder's takes two bytes for
 * each unit and WE_ENCODE_SLACK more. A run may write anything within that capacity.
 *
 * scalar.h defines what a run means. The time of its loops goes into waiting: for one pair to tell where the next one
 * begins, and for mispredicted branches where the script changes. The vector variants find the positions of many pairs
 * at once and look up more than there are. */
#ifndef WE_DOUBLE_BYTE_KERNELS_H
#define WE_DOUBLE_BYTE_KERNELS_H

#include "double_byte/vector_16.h"
#include "double_byte/avx2.h"
#include "double_byte/avx512.h"
#include "double_byte/scalar.h"

/* What a level adds to the definitions below; nothing where this build does not have it. */
#if defined(WE_HAVE_BYTES_16)
#define WE_IF_BYTES_16(...) __VA_ARGS__
#else
#define WE_IF_BYTES_16(...)
#endif
#if defined(WE_HAVE_VECTOR_16)
#define WE_IF_VECTOR_16(...) __VA_ARGS__
#else
#define WE_IF_VECTOR_16(...)
#endif
#if defined(WE_HAVE_AVX2)
#define WE_IF_AVX2(...) __VA_ARGS__
#else
#define WE_IF_AVX2(...)
#endif
#if defined(WE_HAVE_AVX512)
#define WE_IF_AVX512(...) __VA_ARGS__
#else
#define WE_IF_AVX512(...)
#endif

/* ---- Decoding -------------------------------------------------------------------------------------------- */

/* One variant of one kind. The two calls make `katakana` a constant. */
#define WE_DOUBLE_BYTE_VARIANT(variant, attribute, run, kind)                                                          \
    static inline attribute size_t variant(const uint8_t *source, size_t length, const uint16_t *pairs, int katakana,  \
                                           void *target, size_t *written)                                              \
    {                                                                                                                  \
        if (katakana)                                                                                                  \
            return run(source, length, pairs, 1, kind, target, written);                                               \
        return run(source, length, pairs, 0, kind, target, written);                                                   \
    }

/* Every variant of one kind, and the function that calls the best of them that is not above `simd`. */
#define WE_DOUBLE_BYTE_RUN(name, kind, unit)                                                                           \
    WE_DOUBLE_BYTE_VARIANT(name##_scalar, , we_double_byte_run_scalar, kind)                                           \
    WE_IF_BYTES_16(WE_DOUBLE_BYTE_VARIANT(name##_bytes_16, , we_double_byte_run_bytes_16, kind))                       \
    WE_IF_VECTOR_16(WE_DOUBLE_BYTE_VARIANT(name##_vector_16, WE_TARGET_VECTOR_16, we_double_byte_run_vector_16, kind)) \
    WE_IF_AVX2(WE_DOUBLE_BYTE_VARIANT(name##_avx2, WE_TARGET_AVX2, we_double_byte_run_avx2, kind))                     \
    WE_IF_AVX512(WE_DOUBLE_BYTE_VARIANT(name##_avx512, WE_TARGET_AVX512, we_double_byte_run_avx512, kind))             \
    static inline size_t name(int simd, const uint8_t *source, size_t length, const uint16_t *pairs, int katakana,     \
                              unit *target, size_t *written)                                                           \
    {                                                                                                                  \
        /* Items that stop a run often follow one another. */                                                          \
        if (length >= 2 && source[0] >= 0x80 && pairs[we_pair_key(source[0], source[1])] == 0                          \
            && !(katakana && we_is_katakana(source[0]))) {                                                             \
            *written = 0;                                                                                              \
            return 0;                                                                                                  \
        }                                                                                                              \
        WE_IF_AVX512(                                                                                                  \
            if (simd >= WE_SIMD_AVX512) return name##_avx512(source, length, pairs, katakana, target, written);)       \
        WE_IF_AVX2(if (simd >= WE_SIMD_AVX2) return name##_avx2(source, length, pairs, katakana, target, written);)    \
        WE_IF_VECTOR_16(                                                                                               \
            if (simd >= WE_SIMD_VECTOR_16) return name##_vector_16(source, length, pairs, katakana, target, written);) \
        WE_IF_BYTES_16(                                                                                                \
            if (simd > WE_SIMD_SCALAR) return name##_bytes_16(source, length, pairs, katakana, target, written);)      \
        (void)simd;                                                                                                    \
        return name##_scalar(source, length, pairs, katakana, target, written);                                        \
    }

/* Each returns the bytes read and sets the units (UTF-8: bytes) written. */
WE_DOUBLE_BYTE_RUN(we_double_byte_run_to_ucs2, WE_UCS2, uint16_t)
WE_DOUBLE_BYTE_RUN(we_double_byte_run_to_ucs4, WE_UCS4, uint32_t)
WE_DOUBLE_BYTE_RUN(we_double_byte_run_to_utf8, WE_UTF8, uint8_t)

/* ---- Encoding -------------------------------------------------------------------------------------------- */

#define WE_DOUBLE_BYTE_VARIANT_FROM(variant, attribute, run, kind)                                                     \
    static inline attribute size_t variant(const void *source, size_t length, const uint16_t *reverse,                 \
                                           uint8_t *target, size_t *written)                                           \
    {                                                                                                                  \
        return run(source, kind, length, reverse, target, written);                                                    \
    }

#define WE_DOUBLE_BYTE_RUN_FROM(name, kind, unit)                                                                      \
    WE_DOUBLE_BYTE_VARIANT_FROM(name##_scalar, , we_double_byte_run_from_scalar, kind)                                 \
    WE_IF_BYTES_16(WE_DOUBLE_BYTE_VARIANT_FROM(name##_bytes_16, , we_double_byte_run_from_bytes_16, kind))             \
    WE_IF_VECTOR_16(                                                                                                   \
        WE_DOUBLE_BYTE_VARIANT_FROM(name##_vector_16, WE_TARGET_VECTOR_16, we_double_byte_run_from_vector_16, kind))   \
    WE_IF_AVX2(WE_DOUBLE_BYTE_VARIANT_FROM(name##_avx2, WE_TARGET_AVX2, we_double_byte_run_from_vector_16, kind))      \
    WE_IF_AVX512(WE_DOUBLE_BYTE_VARIANT_FROM(name##_avx512, WE_TARGET_AVX512, we_double_byte_run_from_avx512, kind))   \
    static inline size_t name(int simd, const unit *source, size_t length, const uint16_t *reverse, uint8_t *target,   \
                              size_t *written)                                                                         \
    {                                                                                                                  \
        if (length >= 1 && we_is_unmapped(source[0], reverse)) {                                                       \
            *written = 0;                                                                                              \
            return 0;                                                                                                  \
        }                                                                                                              \
        WE_IF_AVX512(if (simd >= WE_SIMD_AVX512) return name##_avx512(source, length, reverse, target, written);)      \
        WE_IF_AVX2(if (simd >= WE_SIMD_AVX2) return name##_avx2(source, length, reverse, target, written);)            \
        WE_IF_VECTOR_16(                                                                                               \
            if (simd >= WE_SIMD_VECTOR_16) return name##_vector_16(source, length, reverse, target, written);)         \
        WE_IF_BYTES_16(if (simd > WE_SIMD_SCALAR) return name##_bytes_16(source, length, reverse, target, written);)   \
        (void)simd;                                                                                                    \
        return name##_scalar(source, length, reverse, target, written);                                                \
    }

/* Each returns the units read and sets the bytes written. */
WE_DOUBLE_BYTE_RUN_FROM(we_double_byte_run_from_ucs1, WE_UCS1, uint8_t)
WE_DOUBLE_BYTE_RUN_FROM(we_double_byte_run_from_ucs2, WE_UCS2, uint16_t)
WE_DOUBLE_BYTE_RUN_FROM(we_double_byte_run_from_ucs4, WE_UCS4, uint32_t)

#endif
