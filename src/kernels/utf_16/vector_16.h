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

/* Copy blocks of 32 code units up to the first that has a surrogate and return how many units that are. `bits` is
 * the run's: see codec.h. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_utf_16_copy_vector_16(const uint8_t *source, size_t length,
                                                                     int big_endian, uint16_t *target, uint32_t *bits)
{
    we_bytes_16 most = we_all_u8(0);
    size_t done = 0;
    for (; length / 2 - done >= 32; done += 32) {
        const uint8_t *const from = source + 2 * done;
        const we_bytes_16 a = we_utf_16_load(from, big_endian), b = we_utf_16_load(from + 16, big_endian);
        const we_bytes_16 c = we_utf_16_load(from + 32, big_endian), d = we_utf_16_load(from + 48, big_endian);
        const we_bytes_16 here = we_max_u16(we_max_u16(a, b), we_max_u16(c, d));
        if (!WE_LIKELY(!we_any_at_least_u16(here, 0xD800))
            && we_any_high(we_utf_16_surrogates(a) | we_utf_16_surrogates(b) | we_utf_16_surrogates(c)
                           | we_utf_16_surrogates(d))) {
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

#include "utf_16/vector.h"
#undef WE_LEVEL
#undef WE_LEVEL_TARGET
#endif

#endif
