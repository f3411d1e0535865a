/* UTF-16BE/LE to the three kinds of text over the vectors of vectors.h: NEON and x86-64-v2.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */
#ifndef WE_UTF_16_VECTOR_16_H
#define WE_UTF_16_VECTOR_16_H

#include "utf_16/scalar.h"

#if defined(WE_HAVE_VECTOR_16)

/* At either width: code units of the source, and the mask of the surrogates among units. */
#define we_utf_16_load(source, big_endian) ((big_endian) ? we_swap_u16(we_load(source)) : we_load(source))
#define we_utf_16_surrogates(units) we_equal_u16((units) & we_all_u16(0xF800), we_all_u16(0xD800))

#define WE_LEVEL vector_16
#define WE_LEVEL_TARGET WE_TARGET_VECTOR_16

#include "utf_16/vector.h" /* we_utf_16_decode_vector_16, we_utf_16_copy_run_vector_16 */
#undef WE_LEVEL
#undef WE_LEVEL_TARGET
#endif

#endif
