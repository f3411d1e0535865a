/* UTF-32BE/LE, without vectors: four bytes are a code point.
 *
 * Each kernel must equal the handlers utf_32le_decode_item, utf_32be_decode_item, and those of the encoders. */
#ifndef WE_UTF_32_H
#define WE_UTF_32_H

#include "units.h"

WE_ALWAYS_INLINE uint32_t we_utf_32_in_host_order(uint32_t number, int big_endian)
{
    const uint16_t one = 1;
    uint8_t low_byte_first;
    memcpy(&low_byte_first, &one, 1);
    return big_endian != low_byte_first ? number
                                        : number << 24 | (number & 0xFF00) << 8 | (number >> 8 & 0xFF00) | number >> 24;
}

/* Load the number of four bytes once: another thread may write to the source. */
WE_ALWAYS_INLINE uint32_t we_utf_32_code_point(const uint8_t *source, int big_endian)
{
    uint32_t number;
    memcpy(&number, source, sizeof number);
    WE_KEEP_READ(number);
    return we_utf_32_in_host_order(number, big_endian);
}

WE_ALWAYS_INLINE void we_utf_32_put(uint8_t *target, uint32_t code_point, int big_endian)
{
    const uint32_t number = we_utf_32_in_host_order(code_point, big_endian);
    memcpy(target, &number, sizeof number);
}

WE_ALWAYS_INLINE int we_utf_32_is_surrogate(uint32_t code_point)
{
    return (code_point & 0xFFFFF800) == 0xD800;
}

/* Decode whole code points up to the first that is an error or does not fit the target. Four bytes give one unit, or at
 * most four of UTF-8. */
WE_ALWAYS_INLINE size_t we_utf_32_run_to(int kind, const uint8_t *source, size_t length, int big_endian, void *target,
                                         uint32_t max_code_point, size_t *written)
{
    size_t read = 0, out = 0;
    while (length - read >= 4) {
        const uint32_t code_point = we_utf_32_code_point(source + read, big_endian);
        if (code_point > max_code_point || we_utf_32_is_surrogate(code_point))
            break;
        out += we_put(target, kind, out, code_point);
        read += 4;
    }
    *written = out;
    return read;
}

/* Encode scalar values; stop at the first surrogate. Each unit is read once. */
WE_ALWAYS_INLINE size_t we_utf_32_run_from(int kind, const void *source, size_t length, int big_endian, uint8_t *target)
{
    size_t i = 0;
    for (; i < length; i++) {
        const uint32_t unit = we_unit_once(source, kind, i);
        if (we_utf_32_is_surrogate(unit))
            break;
        we_utf_32_put(target + 4 * i, unit, big_endian);
    }
    return i;
}

#endif
