/* UTF-8 from and to the three kinds of text: https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder.
 *
 * A run converts all items that need no decision and stops before the first that does: malformed or incomplete bytes, a
 * code point that the target does not hold, a surrogate. It has no errors; the caller decides and resumes after the
 * item. The capacity of an encoder's run is 2, 3 or 4 bytes a unit, by its kind, and WE_ENCODE_SLACK more.
 *
 * The scalar loops define each run. With ASCII by vectors of 16 bytes they are the level bytes_16, too.
 * Those of vector_16, avx2 and avx512 give the same results in blocks.
 */
#ifndef WE_UTF_8_H
#define WE_UTF_8_H

#include "levels.h"

/* Return the bytes read up to the first sequence that is malformed, incomplete or above max_code_point (0x7F or 0xFF).
 */
static inline size_t we_utf_8_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target,
                                          size_t *written, uint32_t max_code_point)
{
    if (max_code_point < 0x80) {
        *written = we_ascii_run_to_ucs1(simd, source, length, target);
        return *written;
    }
    return we_utf_8_run_to_latin1(simd, source, length, target, written);
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
        if (valid == 0 || (valid < piece && (piece == length - position + valid || piece - valid > 3)))
            break;
    }
    return position;
}

#endif
