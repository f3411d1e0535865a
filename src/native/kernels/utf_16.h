/* UTF-16BE/LE to the three kinds of text: https://encoding.spec.whatwg.org/#shared-utf-16-decoder.
 *
 * Runs as in utf_8.h. The source is bytes: it may be unaligned, and a last byte that is half a code unit is not
 * read.
 */
#ifndef WE_UTF_16_H
#define WE_UTF_16_H

#include "levels.h"

/* Return the bytes read up to the first surrogate. Where there are vectors, the machine is little-endian, and aligned
 * code units in its order are UCS2 as they are. The capacity is three bytes of UTF-8 for each code unit: the three
 * units that are kept back at the end bring nine, for the WE_ENCODE_SLACK that the UTF-8 run may write to. */
static inline size_t we_utf_16_run_to_utf8(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint8_t *target, size_t *written)
{
    enum { PIECE = 2048, SPARE = 6 };
#if defined(WE_HAVE_BYTES_16)
    if (!big_endian && (uintptr_t)source % sizeof(uint16_t) == 0 && length > SPARE)
        return 2
               * we_utf_8_run_from_ucs2(simd, (const uint16_t *)(const void *)source, (length - SPARE) / 2, target,
                                        written);
#endif
    uint16_t units[PIECE / 2];
    size_t read = 0, out = 0, count, done;
    do {
        size_t decoded = 0, bytes = 0;
        count = length - read > SPARE ? length - read - SPARE : 0;
        count = count < PIECE ? count : PIECE;
        done = we_utf_16_run_to_ucs2(simd, source + read, count, big_endian, units, &decoded);
        we_utf_8_run_from_ucs2(simd, units, decoded, target + out, &bytes);
        read += done;
        out += bytes;
    } while (done == PIECE);
    *written = out;
    return read;
}

/* Join surrogate pairs of units in native byte order; return how many units were read, as we_utf_16_run_to_ucs4 does
 * of bytes. No more than `capacity` units are, so that the target has a place for each. */
static inline size_t we_utf_16_join(int simd, const uint16_t *source, size_t length, uint32_t *target, size_t capacity,
                                    size_t *written)
{
    const uint8_t *const bytes = (const uint8_t *)source;
    return we_utf_16_run_to_ucs4(simd, bytes, 2 * (length < capacity ? length : capacity),
                                 we_utf_16_in_host_order(0x0001, 1) == 0x0001, target, written)
           / 2;
}

#endif
