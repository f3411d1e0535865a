/* UTF-16BE/LE to the three kinds of text: https://encoding.spec.whatwg.org/#shared-utf-16-decoder.
 *
 * Runs as in utf_8.h. The source is bytes: it may be unaligned, and its last byte may be half a code unit, which stays unread.
 */
#ifndef WE_UTF_16_H
#define WE_UTF_16_H

#include "utf_8.h"

/* ---- Scalar ---------------------------------------------------------------------------------------------------------------- */

WE_UNICODE_INLINE uint32_t we_utf_16_code_unit(const uint8_t *source, int big_endian)
{
    return big_endian ? (uint32_t)source[0] << 8 | source[1] : (uint32_t)source[1] << 8 | source[0];
}

/* Every run: `kind` and `max_code_point` tell them apart. */
WE_UNICODE_INLINE size_t we_utf_16_run_scalar(const uint8_t *source, size_t length, int big_endian, void *target, int kind,
                                              uint32_t max_code_point, size_t *written)
{
    size_t read = 0;
    size_t out = 0;
    while (length - read >= 2) {
        uint32_t code_point = we_utf_16_code_unit(source + read, big_endian);
        size_t taken = 2;
        if ((code_point & 0xF800) == 0xD800) {
            /* Only the UCS4 target takes what a pair stands for. */
            if (kind != WE_UCS4 || code_point >= 0xDC00 || length - read < 4) {
                break;
            }
            const uint32_t low_surrogate = we_utf_16_code_unit(source + read + 2, big_endian);
            if ((low_surrogate & 0xFC00) != 0xDC00) {
                break;
            }
            code_point = 0x10000 + ((code_point & 0x3FF) << 10 | (low_surrogate & 0x3FF));
            taken = 4;
        }
        if (code_point > max_code_point) {
            break;
        }
        we_unit_put(target, kind, out, code_point);
        read += taken;
        out += 1;
    }
    *written = out;
    return read;
}

/* ---- The functions of this header ------------------------------------------------------------------------------------------ */

/* Bytes read up to the first code unit over max_code_point (0x7F or 0xFF). */
static inline size_t we_utf_16_run_to_ucs1(int simd, const uint8_t *source, size_t length, int big_endian, uint8_t *target,
                                           size_t *written, uint32_t max_code_point)
{
    (void)simd;
    return we_utf_16_run_scalar(source, length, big_endian, target, WE_UCS1, max_code_point, written);
}

/* Bytes read up to the first surrogate. */
static inline size_t we_utf_16_run_to_ucs2(int simd, const uint8_t *source, size_t length, int big_endian, uint16_t *target,
                                           size_t *written)
{
    (void)simd;
    return we_utf_16_run_scalar(source, length, big_endian, target, WE_UCS2, 0xFFFF, written);
}

/* Bytes read up to the first surrogate that is unpaired or still without its other half. */
static inline size_t we_utf_16_run_to_ucs4(int simd, const uint8_t *source, size_t length, int big_endian, uint32_t *target,
                                           size_t *written)
{
    (void)simd;
    return we_utf_16_run_scalar(source, length, big_endian, target, WE_UCS4, 0x10FFFF, written);
}

#endif
