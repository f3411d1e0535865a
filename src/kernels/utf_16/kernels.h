/* UTF-16BE/LE to the three kinds of text: https://encoding.spec.whatwg.org/#shared-utf-16-decoder.
 *
 * Runs as in utf_8/kernels.h. The source is bytes: it may be unaligned, and a last byte that is half a code unit is not
 * read.
 */
#ifndef WE_UTF_16_KERNELS_H
#define WE_UTF_16_KERNELS_H

#include "utf_16/avx512.h"
#include "utf_8/kernels.h"

/* ---- The functions of this header -------------------------------------------------------------------------------- */

/* Return the bytes read up to the first code unit above max_code_point (0x7F or 0xFF). */
static inline size_t we_utf_16_run_to_ucs1(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint8_t *target, size_t *written, uint32_t max_code_point)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_16_run_to_ucs1, (source, length, big_endian, target, written, max_code_point));
}

static inline size_t we_utf_16_rest_to_ucs2(int simd, const uint8_t *source, size_t length, int big_endian,
                                            uint16_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_16_run_to_ucs2, (source, length, big_endian, target, written));
}

/* Return the bytes read up to the first surrogate. `bits` is the run's: see codec.h. */
static inline size_t we_utf_16_run_to_ucs2(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint16_t *target, size_t *written, uint32_t *bits)
{
    size_t done = 0, read;
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512) {
        done = we_utf_16_copy_avx512(source, length, big_endian, target, bits);
        if (2 * done == length) {
            *written = done;
            return length;
        }
    }
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16 && simd < WE_SIMD_AVX2) {
        done = we_utf_16_copy_vector_16(source, length, big_endian, target, bits);
    }
#endif
    (void)bits;
    read = we_utf_16_rest_to_ucs2(simd, source + 2 * done, length - 2 * done, big_endian, target + done, written);
    *written += done;
    return 2 * done + read;
}

/* Return the bytes read up to the first surrogate that is unpaired or whose other half is not there yet. */
static inline size_t we_utf_16_run_to_ucs4(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint32_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_16_run_to_ucs4, (source, length, big_endian, target, written));
}

/* Return the bytes read up to the first surrogate. The capacity is three bytes of UTF-8 for each code unit: the three
 * units that are kept back at the end bring nine, for the WE_ENCODE_SLACK that the UTF-8 run may write to. */
static inline size_t we_utf_16_run_to_utf8(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint8_t *target, size_t *written)
{
    enum { PIECE = 2048, KEPT = 6 };
    uint16_t units[PIECE / 2];
    uint32_t bits = 0;
    size_t read = 0, out = 0, count, done;
    do {
        size_t decoded = 0, bytes = 0;
        count = length - read > KEPT ? length - read - KEPT : 0;
        count = count < PIECE ? count : PIECE;
        done = we_utf_16_run_to_ucs2(simd, source + read, count, big_endian, units, &decoded, &bits);
        we_utf_8_run_from_ucs2(simd, units, decoded, target + out, &bytes);
        read += done;
        out += bytes;
    } while (done == PIECE);
    *written = out;
    return read;
}

#endif
