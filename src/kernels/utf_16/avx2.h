/* UTF-16BE/LE to the three kinds of text with AVX2.
 *
 * Each kernel must equal the handlers utf_16be_decode_item and utf_16le_decode_item:
 * https://encoding.spec.whatwg.org/#shared-utf-16-decoder. */
#ifndef WE_UTF_16_AVX2_H
#define WE_UTF_16_AVX2_H

#include "utf_16/vector_16.h"

#if defined(WE_HAVE_AVX2)
#undef WE_WIDTH
#define WE_WIDTH 32
#define WE_LEVEL avx2
#define WE_LEVEL_TARGET WE_TARGET_AVX2

/* Copy blocks of 64 code units up to the first that has a surrogate and return how many units that are. Stores to
 * aligned addresses, and the loads of a block before its stores, save a third of the time. `bits` is the run's: see
 * codec.h. The first block is left out of it, since part of it is read again for the alignment. */
WE_INLINE_32 size_t we_utf_16_copy_avx2(const uint8_t *source, size_t length, int big_endian, uint16_t *target,
                                        uint32_t *bits)
{
    we_bytes_32 all = we_all_u8(0);
    size_t done = 0;
    for (int aligned = 0; length / 2 - done >= 64; aligned = 1) {
        we_bytes_32 units[4], surrogates = we_all_u8(0);
        for (int k = 0; k < 4; k++) {
            units[k] = we_utf_16_load(source + 2 * done + 32 * k, big_endian);
            surrogates |= we_utf_16_surrogates(units[k]);
        }
        if (we_any(surrogates)) {
            break;
        }
        for (int k = 0; k < 4; k++) {
            we_store(target + done + 16 * k, units[k]);
        }
        done += 64;
        if (aligned) {
            all |= units[0] | units[1] | units[2] | units[3];
        } else {
            done -= (uintptr_t)(target + done) % 32 / 2; /* these units are copied again */
        }
    }
    *bits |= we_any_from_u16(all, 0xFF00) ? 0x100 : 0;
    return done;
}

#include "utf_16/vector.h"
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL
#undef WE_LEVEL_TARGET
#endif

#endif
