/* Runs of ASCII, and conversions between widths of units, with AVX2: thirty-two items at a time.
 *
 * Each run must equal the step of a handler for ASCII, such as that of single_byte_decode_item or _encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */
#ifndef WE_ASCII_AVX2_H
#define WE_ASCII_AVX2_H

#include "ascii/vector_16.h"

#if defined(WE_HAVE_AVX2)
#undef WE_WIDTH
#define WE_WIDTH 32
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#include "ascii/vector.h"
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL_TARGET

WE_TARGET_AVX2 static inline size_t we_ascii_length_avx2(const uint8_t *source, size_t length)
{
    return length < 32 ? we_ascii_length_bytes_16(source, length) : we_ascii_vectors_32(source, length);
}

WE_TARGET_AVX2 static inline uint64_t we_or_blocks_avx2(const uint8_t *source, size_t blocks)
{
    return we_or_vectors_32(source, blocks);
}
#endif

#endif
