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
#define WE_LEVEL avx2
#define WE_LEVEL_BELOW bytes_16
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#include "ascii/vector.h" /* we_ascii_length_avx2, we_or_blocks_avx2 */
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL
#undef WE_LEVEL_BELOW
#undef WE_LEVEL_TARGET
#endif

#endif
