/* UTF-16BE/LE to the three kinds of text without vectors: the loops that define each run.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */
#ifndef WE_SCALAR_UTF_16_H
#define WE_SCALAR_UTF_16_H

#include "units.h"

/* Return a code unit that was read from memory in the machine's order of bytes. */
WE_ALWAYS_INLINE uint16_t we_utf_16_in_host_order(uint16_t code_unit, int big_endian)
{
    const uint16_t one = 1;
    uint8_t low_byte_first;
    memcpy(&low_byte_first, &one, 1);
    return big_endian == low_byte_first ? (uint16_t)(code_unit << 8 | code_unit >> 8) : code_unit;
}

/* Load a code unit once, and whole: another thread may write code units to the source. */
WE_ALWAYS_INLINE uint32_t we_utf_16_code_unit(const uint8_t *source, int big_endian)
{
    uint16_t code_unit;
    memcpy(&code_unit, source, sizeof code_unit);
    WE_KEEP_READ(code_unit);
    return we_utf_16_in_host_order(code_unit, big_endian);
}

/* Every run; `kind` is that of the target, and `max_code_point` (all ones below some bit) restricts it. A block of 32
 * code units has no branch within it, so that compilers vectorize it; one with a surrogate or a unit above
 * `max_code_point` is converted unit by unit. */
WE_ALWAYS_INLINE size_t we_utf_16_decode_scalar(const uint8_t *source, size_t length, int big_endian, void *target,
                                                int kind, uint32_t max_code_point, size_t *written)
{
    size_t read = 0;
    size_t out = 0;
    size_t unit_by_unit = 0; /* up to this position */
    while (length - read >= 2) {
        if (length - read >= 64 && read >= unit_by_unit) {
            uint16_t units[32];
            uint16_t refused = 0;
            memcpy(units, source + read, 64);
            WE_KEEP_COPIED(units);
            for (int i = 0; i < 32; i++)
                units[i] = we_utf_16_in_host_order(units[i], big_endian);
            for (int i = 0; i < 32; i++) {
                refused |= (uint16_t)((units[i] & 0xF800) == 0xD800);
                refused |= (uint16_t)(units[i] & ~max_code_point);
            }
            if (!refused) {
                for (size_t i = 0; i < 32; i++)
                    we_unit_put(target, kind, out + i, units[i]);
                read += 64;
                out += 32;
                continue;
            }
            unit_by_unit = read + 64;
        }
        uint32_t code_point = we_utf_16_code_unit(source + read, big_endian);
        size_t taken = 2;
        if ((code_point & 0xF800) == 0xD800) {
            /* A pair stands for a code point that UCS4 alone holds. */
            if (kind != WE_UCS4 || code_point >= 0xDC00 || length - read < 4)
                break;
            const uint32_t low_surrogate = we_utf_16_code_unit(source + read + 2, big_endian);
            if ((low_surrogate & 0xFC00) != 0xDC00)
                break;
            code_point = 0x10000 + ((code_point & 0x3FF) << 10 | (low_surrogate & 0x3FF));
            taken = 4;
        }
        if (code_point > max_code_point)
            break;
        we_unit_put(target, kind, out, code_point);
        read += taken;
        out += 1;
    }
    *written = out;
    return read;
}

WE_ALWAYS_INLINE size_t we_utf_16_copy_run_scalar(const uint8_t *source, size_t length, int big_endian,
                                                  uint16_t *target, size_t *written)
{
    return we_utf_16_decode_scalar(source, length, big_endian, target, WE_UCS2, 0xFFFF, written);
}

static inline size_t we_utf_16_put_scalar(const uint32_t *source, size_t length, uint16_t *target, size_t capacity)
{
    size_t read = 0, out = 0;
    /* The second unit is written where there is none, too, as long as the target has a place for it. */
    for (; read < length && capacity - out >= 2; read++) {
        const uint32_t code_point = source[read];
        const int two = code_point > 0xFFFF;
        target[out] = (uint16_t)(two ? 0xD7C0 + (code_point >> 10) : code_point);
        target[out + 1] = (uint16_t)(0xDC00 | (code_point & 0x3FF));
        out += two ? 2 : 1;
    }
    if (read < length && out < capacity)
        target[out++] = (uint16_t)source[read];
    return out;
}

#endif
