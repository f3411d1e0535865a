/* Checks the `bits` that a run reports for its result: see codec.h. */
#ifndef KNOWN_BITS_H
#define KNOWN_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Return whether a string for `bits` is no wider than one for the `count` units of one or two bytes. */
static inline int known_bits_hold(uint32_t bits, const void *units, size_t unit, size_t count)
{
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t two = ((const uint8_t *)units)[i * unit];
        if (unit == 2)
            memcpy(&two, (const uint8_t *)units + 2 * i, 2);
        all |= two;
    }
    return bits < 0x80 || (bits < 0x100 && all >= 0x80) || (bits < 0x10000 && all >= 0x100);
}

#endif
