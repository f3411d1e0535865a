/* Runs of two-byte characters with AVX2. scalar.h describes a run.
 *
 * Each kernel must equal a handler, on the items that its table has: shift_jis, euc_jp, euc_kr, big5 or gb18030
 * _decode_item, shift_jis, euc_jp, euc_kr, big5, gbk or gb18030 _encode_item. https://encoding.spec.whatwg.org/
 * #shift_jis-decoder, #euc-jp-decoder, #euc-kr-decoder, #big5-decoder, #gb18030-decoder, and #shift_jis-encoder to
 * #gb18030-encoder. */
#ifndef WE_DOUBLE_BYTE_AVX2_H
#define WE_DOUBLE_BYTE_AVX2_H

#include "double_byte/vector_16.h"

#if defined(WE_HAVE_AVX2)
#undef WE_WIDTH
#define WE_WIDTH 32
#define WE_LEVEL avx2
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#include "double_byte/vector.h" /* we_double_byte_run_avx2 */
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL
#undef WE_LEVEL_TARGET
#endif

#endif
