/* UTF-16BE/LE to the three kinds of text with AVX2.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */
#ifndef WE_UTF_16_AVX2_H
#define WE_UTF_16_AVX2_H

#include "utf_16/vector_16.h"

#if defined(WE_HAVE_AVX2)
#undef WE_WIDTH
#define WE_WIDTH 32
#define WE_LEVEL avx2
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#include "utf_16/vector.h" /* we_utf_16_decode_avx2, we_utf_16_copy_run_avx2 */
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL
#undef WE_LEVEL_TARGET
#endif

#endif
