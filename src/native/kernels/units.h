/* The units of text: reads and writes of one, by the kind of text, and of ASCII in blocks. The loops of all encodings
 * use them. */
#ifndef WE_UNITS_H
#define WE_UNITS_H

#include "bytes_16/ascii.h"

/* Write one unit, for UTF-8 one byte; `kind` is a constant wherever this is inlined. */
WE_ALWAYS_INLINE void we_unit_put(void *target, int kind, size_t index, uint32_t unit)
{
    if (kind == WE_UCS2) {
        ((uint16_t *)target)[index] = (uint16_t)unit;
    } else if (kind == WE_UCS4) {
        ((uint32_t *)target)[index] = unit;
    } else {
        ((uint8_t *)target)[index] = (uint8_t)unit;
    }
}

WE_ALWAYS_INLINE uint32_t we_unit_get(const void *source, int kind, size_t index)
{
    if (kind == WE_UCS1)
        return ((const uint8_t *)source)[index];
    if (kind == WE_UCS2)
        return ((const uint16_t *)source)[index];
    return ((const uint32_t *)source)[index];
}

/* Load a unit exactly once, so that a source that another thread changes cannot be encoded as anything else than what
 * was looked up. */
WE_ALWAYS_INLINE uint32_t we_unit_once(const void *source, const int kind, size_t position)
{
    return kind == WE_UCS1   ? ((const volatile uint8_t *)source)[position]
           : kind == WE_UCS2 ? ((const volatile uint16_t *)source)[position]
                             : ((const volatile uint32_t *)source)[position];
}

/* Write a scalar value, or a surrogate by the same formula, as UTF-8; return its length. ASCII seldom comes here, so it
 * is not tested for first. */
WE_ALWAYS_INLINE size_t we_put_utf8(uint8_t *target, uint32_t code_point)
{
    if (code_point < 0x800) {
        if (code_point < 0x80) {
            target[0] = (uint8_t)code_point;
            return 1;
        }
        target[0] = (uint8_t)(0xC0 | code_point >> 6);
        target[1] = (uint8_t)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        target[0] = (uint8_t)(0xE0 | code_point >> 12);
        target[1] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
        target[2] = (uint8_t)(0x80 | (code_point & 0x3F));
        return 3;
    }
    target[0] = (uint8_t)(0xF0 | code_point >> 18);
    target[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
    target[2] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
    target[3] = (uint8_t)(0x80 | (code_point & 0x3F));
    return 4;
}

/* Write a code point at target + out; return how many units (UTF-8: bytes). `kind` is a constant wherever this is
 * inlined. */
WE_ALWAYS_INLINE size_t we_put(void *target, int kind, size_t out, uint32_t code_point)
{
    if (kind == WE_UTF8)
        return we_put_utf8((uint8_t *)target + out, code_point);
    we_unit_put(target, kind, out, code_point);
    return 1;
}

/* Convert ASCII in blocks, of 16 bytes with the vectors of the architecture's baseline, else of 8 in a machine word,
 * and return how many bytes; with vectors those of the last block before its first other byte are included. */
WE_ALWAYS_INLINE size_t we_put_ascii_blocks(const uint8_t *source, size_t length, void *target, int kind, int vectors)
{
    size_t i = 0;
#if defined(WE_HAVE_BYTES_16)
    if (vectors && kind != WE_UCS2 && kind != WE_UCS4)
        return we_ascii_blocks_16(source, length, (uint8_t *)target);
    for (; vectors && length - i >= 16; i += 16) {
        const size_t ascii = kind == WE_UCS2 ? we_ascii_step_to_ucs2_16(source + i, (uint16_t *)target + i)
                                             : we_ascii_step_to_ucs4_16(source + i, (uint32_t *)target + i);
        if (ascii < 16)
            return i + ascii;
    }
#endif
    for (; !vectors && length - i >= 8; i += 8) {
        uint8_t bytes[8];
        uint64_t eight;
        memcpy(bytes, source + i, 8);
        WE_KEEP_COPIED(bytes);
        memcpy(&eight, bytes, 8);
        if (!we_is_ascii_8(eight))
            break;
        for (size_t j = 0; j < 8; j++)
            we_unit_put(target, kind, i + j, bytes[j]);
    }
    return i;
}

/* Read a byte that is both checked and stored. Compilers would otherwise merge the stores of several bytes into one,
 * and load them again for it. */
WE_ALWAYS_INLINE uint8_t we_read_once(const uint8_t *byte)
{
    return *(const volatile uint8_t *)byte;
}

WE_ALWAYS_INLINE int we_is_continuation(uint32_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The address of unit `out` of the target. */
WE_ALWAYS_INLINE void *we_at(void *target, int kind, size_t out)
{
    return (uint8_t *)target + out * (kind == WE_UCS2 ? 2 : kind == WE_UCS4 ? 4 : 1);
}

/* The units that the target of a decoder's run takes: of UCS2 and UCS4 what `written` says on entry; of the other kinds
 * always as many as its bytes may give. */
WE_ALWAYS_INLINE size_t we_room(int kind, const size_t *written)
{
    return kind == WE_UCS2 || kind == WE_UCS4 ? *written : SIZE_MAX;
}

/* The kernel of a decoder whose items all need a decision, and a variant that leaves all to others. */
WE_ALWAYS_INLINE size_t we_decode_nothing(size_t *written)
{
    return *written = 0;
}

#endif
