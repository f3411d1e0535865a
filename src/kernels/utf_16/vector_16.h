/* UTF-16BE/LE to the three kinds of text over the vectors of vectors.h: NEON and x86-64-v2.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */
#ifndef WE_UTF_16_VECTOR_16_H
#define WE_UTF_16_VECTOR_16_H

#include "utf_16/scalar.h"

#if defined(WE_HAVE_VECTOR_16)

/* Whether any unit is a surrogate. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 int we_utf_16_any_surrogate_vector_16(we_bytes_16 first, we_bytes_16 second)
{
    const we_bytes_16 mask = we_all_u16(0xF800), surrogate = we_all_u16(0xD800);
    return we_any_high_16(we_equal_u16(first & mask, surrogate) | we_equal_u16(second & mask, surrogate));
}

WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_utf_16_load_vector_16(const uint8_t *source, int big_endian)
{
    const we_bytes_16 units = we_load_16(source);
    return big_endian ? we_swap_u16(units) : units;
}

/* Copy blocks of 32 code units up to the first that has a surrogate and return how many units that are. `bits` is
 * the run's: see codec.h. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_utf_16_copy_vector_16(const uint8_t *source, size_t length,
                                                                     int big_endian, uint16_t *target, uint32_t *bits)
{
    we_bytes_16 most = we_all_u8(0);
    size_t done = 0;
    for (; length / 2 - done >= 32; done += 32) {
        const uint8_t *const from = source + 2 * done;
        const we_bytes_16 a = we_utf_16_load_vector_16(from, big_endian),
                          b = we_utf_16_load_vector_16(from + 16, big_endian);
        const we_bytes_16 c = we_utf_16_load_vector_16(from + 32, big_endian),
                          d = we_utf_16_load_vector_16(from + 48, big_endian);
        const we_bytes_16 here = we_max_u16(we_max_u16(a, b), we_max_u16(c, d));
        if (!WE_LIKELY(!we_any_at_least_u16(here, 0xD800))
            && (we_utf_16_any_surrogate_vector_16(a, b) || we_utf_16_any_surrogate_vector_16(c, d))) {
            break;
        }
        we_store_16(target + done, a);
        we_store_16(target + done + 8, b);
        we_store_16(target + done + 16, c);
        we_store_16(target + done + 24, d);
        most = we_max_u16(most, here);
    }
    *bits |= we_any_from_u16(most, 0xFF00) ? 0x100 : 0;
    return done;
}

/* Blocks of 16 code units. The scalar twin converts a block that has surrogates, if the target holds what pairs stand
 * for. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_utf_16_decode_vector_16(const uint8_t *source, size_t length,
                                                                       int big_endian, void *target, int kind,
                                                                       uint32_t max_code_point, size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    size_t position = 0; /* in bytes */
    size_t out = 0;
    size_t rest;
    while (length - position >= 32) {
        const we_bytes_16 first = we_utf_16_load_vector_16(source + position, big_endian);
        const we_bytes_16 second = we_utf_16_load_vector_16(source + position + 16, big_endian);
        uint8_t *const at = (uint8_t *)target + out * unit_size;
        if (kind == WE_UCS1) {
            if (we_any_from_u16(first | second, (uint16_t)~max_code_point)) {
                break;
            }
            we_store_16(at, we_low_bytes_16(first, second));
        } else if (we_utf_16_any_surrogate_vector_16(first, second)) {
            if (kind == WE_UCS2) {
                break;
            }
            /* One code unit more, as a pair may lie across the end of the block; it is read again if it is no
             * trailing surrogate. */
            const size_t ahead = length - position < 34 ? length - position : 34;
            const size_t read =
                we_utf_16_decode_scalar(source + position, ahead, big_endian, at, kind, max_code_point, &rest);
            out += rest;
            position += read;
            if (read < 32) {
                *written = out;
                return position;
            }
            continue;
        } else if (kind == WE_UCS2) {
            we_store_16(at, first);
            we_store_16(at + 16, second);
        } else {
            we_widen_8_units_to_ucs4(first, (uint32_t *)target + out);
            we_widen_8_units_to_ucs4(second, (uint32_t *)target + out + 8);
        }
        position += 32;
        out += 16;
    }
    position += we_utf_16_decode_scalar(source + position, length - position, big_endian,
                                        (uint8_t *)target + out * unit_size, kind, max_code_point, &rest);
    *written = out + rest;
    return position;
}

/* Copy blocks, then decode what is left of the run. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_utf_16_copy_run_vector_16(const uint8_t *source, size_t length,
                                                                         int big_endian, uint16_t *target,
                                                                         size_t *written, uint32_t *bits)
{
    const size_t done = we_utf_16_copy_vector_16(source, length, big_endian, target, bits);
    const size_t read = we_utf_16_decode_vector_16(source + 2 * done, length - 2 * done, big_endian, target + done,
                                                   WE_UCS2, 0xFFFF, written);
    *written += done;
    return 2 * done + read;
}
#endif

#endif
