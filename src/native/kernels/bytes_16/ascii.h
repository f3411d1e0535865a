/* Runs of ASCII, and conversions between widths of units, sixteen items at a time: the baseline of vectors.h.
 *
 * Each run must equal the step of a handler for ASCII, such as that of single_byte_decode_item or _encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */
#ifndef WE_BYTES_16_ASCII_H
#define WE_BYTES_16_ASCII_H

#include "scalar/ascii.h"
#include "vectors.h"

#if defined(WE_HAVE_BYTES_16)
#define WE_LEVEL bytes_16
#define WE_LEVEL_BELOW scalar
#define WE_LEVEL_TARGET
#include "vector/ascii.h"
#undef WE_LEVEL
#undef WE_LEVEL_BELOW
#undef WE_LEVEL_TARGET
#endif

#endif
