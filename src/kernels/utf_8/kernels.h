/* UTF-8 from and to the three kinds of text: https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder.
 *
 * A run converts all items that need no decision and stops before the first that does: malformed or incomplete bytes, a
 * code point that the target does not hold, a surrogate. It has no errors; the caller decides and resumes after the
 * item.
 *
 * The plain loops define each run. They are the scalar twins and, with ASCII by the vectors of SSE2, the level above.
 * utf_8/vector_16.h, utf_8/avx2.h and utf_8/avx512.h give the same results in blocks.
 */
#ifndef WE_UTF_8_KERNELS_H
#define WE_UTF_8_KERNELS_H

#include "utf_8/avx512.h"

/* Return from the caller what the best variant of `name` returns that is not above `simd`. */
#if defined(WE_HAVE_AVX2) && defined(WE_HAVE_AVX512)
#define WE_UNICODE_AT_LEVEL(simd, name, arguments)                                                                     \
    return (simd) >= WE_SIMD_AVX512      ? name##_avx512 arguments                                                     \
           : (simd) >= WE_SIMD_AVX2      ? name##_avx2 arguments                                                       \
           : (simd) >= WE_SIMD_VECTOR_16 ? name##_vector_16 arguments                                                  \
           : (simd) >= WE_SIMD_SSE2      ? name##_bytes_16 arguments                                                   \
                                         : name##_scalar arguments
#elif defined(WE_HAVE_VECTOR_16)
#define WE_UNICODE_AT_LEVEL(simd, name, arguments)                                                                     \
    return (simd) >= WE_SIMD_VECTOR_16 ? name##_vector_16 arguments : name##_scalar arguments
#elif defined(WE_HAVE_BYTES_16)
#define WE_UNICODE_AT_LEVEL(simd, name, arguments)                                                                     \
    return (simd) >= WE_SIMD_SSE2 ? name##_bytes_16 arguments : name##_scalar arguments
#else
#define WE_UNICODE_AT_LEVEL(simd, name, arguments) return (void)(simd), name##_scalar arguments
#endif

/* ---- The functions of this header -------------------------------------------------------------------------------- */

/* Return the bytes read up to the first sequence that is malformed, incomplete or above max_code_point (0x7F or 0xFF).
 */
static inline size_t we_utf_8_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target,
                                          size_t *written, uint32_t max_code_point)
{
    if (max_code_point < 0x80) {
        *written = we_ascii_run_to_ucs1(simd, source, length, target);
        return *written;
    }
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_to_latin1, (source, length, target, written));
}

/* Return the bytes read up to the first sequence that is malformed, incomplete or of four bytes. */
static inline size_t we_utf_8_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target,
                                          size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_to_ucs2, (source, length, target, written));
}

/* Return the bytes read up to the first sequence that is malformed or incomplete. */
static inline size_t we_utf_8_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target,
                                          size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_to_ucs4, (source, length, target, written));
}

/* Copy the longest prefix of complete, valid sequences and return its length in bytes. The bytes that are copied are
 * those that were checked, even if the source changes. */
static inline size_t we_utf_8_copy_run(int simd, const uint8_t *source, size_t length, uint8_t *target)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_copy_run, (source, length, target));
}

/* Return the bytes in the longest prefix that is complete, valid sequences. The copy stays in the first-level cache. */
static inline size_t we_utf_8_valid_run(int simd, const uint8_t *source, size_t length)
{
    uint8_t copy[4096];
    size_t position = 0;
    while (position < length) {
        const size_t piece = length - position < sizeof copy ? length - position : sizeof copy;
        const size_t valid = we_utf_8_copy_run(simd, source + position, piece, copy);
        position += valid;
        /* A sequence that the piece cuts, three bytes of it at the most, is read again in the next one. */
        if (valid == 0 || (valid < piece && (piece == length - position + valid || piece - valid > 3))) {
            break;
        }
    }
    return position;
}

/* Return the units read up to the first surrogate (UCS1 holds none). The capacity is 2, 3 or 4 bytes a unit and
 * WE_ENCODE_SLACK more. */
static inline size_t we_utf_8_run_from_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target,
                                            size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_from_ucs1, (source, length, target, written));
}

static inline size_t we_utf_8_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target,
                                            size_t *written)
{
    if (length < 8)
        simd = WE_SIMD_SCALAR; /* too short to amortize a vector's set-up */
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_from_ucs2, (source, length, target, written));
}

static inline size_t we_utf_8_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target,
                                            size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_from_ucs4, (source, length, target, written));
}

#endif
