/* UTF-16BE/LE to the three kinds of text with vectors of WE_WIDTH bytes: NEON, x86-64-v2 and AVX2.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */

#ifndef WE_VECTOR_UTF_16_H
#define WE_VECTOR_UTF_16_H
#include "scalar/utf_16.h"
#include "vectors.h"

/* Code units of the source, and the mask of the surrogates among units. */
#define we_utf_16_load(source, big_endian) ((big_endian) ? we_swap_u16(we_load(source)) : we_load(source))
#define we_utf_16_surrogates(units) we_equal_u16((units) & we_all_u16(0xF800), we_all_u16(0xD800))
#endif

/* Copy blocks of four vectors of code units up to the first that has a surrogate; return how many units that are. With
 * AVX2, stores to aligned addresses save a third of the time. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_utf_16_copy)(const uint8_t *source, size_t length,
                                                                    int big_endian, uint16_t *target)
{
    enum { UNITS = 2 * WE_WIDTH };
    size_t done = 0;
    for (int aligned = WE_WIDTH == 16; length / 2 - done >= UNITS; aligned = 1) {
        const uint8_t *const from = source + 2 * done;
        const we_vector a = we_utf_16_load(from, big_endian), b = we_utf_16_load(from + WE_WIDTH, big_endian),
                        c = we_utf_16_load(from + 2 * WE_WIDTH, big_endian),
                        d = we_utf_16_load(from + 3 * WE_WIDTH, big_endian);
        const we_vector here = we_max_u16(we_max_u16(a, b), we_max_u16(c, d));
        if (!WE_LIKELY(!we_any_high(we_at_least_u16(here, we_all_u16(0xD800))))
            && we_any_high(we_utf_16_surrogates(a) | we_utf_16_surrogates(b) | we_utf_16_surrogates(c)
                           | we_utf_16_surrogates(d)))
            break;
        we_store(target + done, a);
        we_store(target + done + UNITS / 4, b);
        we_store(target + done + UNITS / 2, c);
        we_store(target + done + UNITS / 4 * 3, d);
        done += UNITS;
        if (!aligned)
            done -= (uintptr_t)(target + done) % WE_WIDTH / 2; /* these units are copied again */
    }
    return done;
}

/* Blocks of 16 code units. The scalar twin converts a block that has surrogates, if the target holds what pairs stand
 * for. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_utf_16_decode)(const uint8_t *source, size_t length,
                                                                      int big_endian, void *target, int kind,
                                                                      uint32_t max_code_point, size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    size_t position = 0; /* in bytes */
    size_t out = 0;
    size_t rest;
    while (length - position >= 32) {
        we_vector units[32 / WE_WIDTH], surrogates = we_all_u8(0), all = we_all_u8(0);
        for (int i = 0; i < 32 / WE_WIDTH; i++) {
            units[i] = we_utf_16_load(source + position + i * WE_WIDTH, big_endian);
            surrogates |= we_utf_16_surrogates(units[i]);
            all |= units[i];
        }
        const we_bytes_16 first = we_sixteen(units[0], 0), second = we_sixteen(units[32 / WE_WIDTH - 1], 1);
        uint8_t *const at = (uint8_t *)target + out * unit_size;
        if (kind == WE_UCS1) {
            if (we_any_of(all, we_all_u16(~max_code_point)))
                break;
            we_store_16(at, we_pack_u16_16(first, second));
        } else if (we_any_high(surrogates)) {
            if (kind == WE_UCS2)
                break;
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
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_utf_16_copy_run)(const uint8_t *source, size_t length,
                                                                        int big_endian, uint16_t *target,
                                                                        size_t *written)
{
    const size_t done = WE_AT_LEVEL(we_utf_16_copy)(source, length, big_endian, target);
    const size_t read = WE_AT_LEVEL(we_utf_16_decode)(source + 2 * done, length - 2 * done, big_endian, target + done,
                                                      WE_UCS2, 0xFFFF, written);
    *written += done;
    return 2 * done + read;
}
