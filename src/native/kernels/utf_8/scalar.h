/* UTF-8 without vectors, or with those of the baseline for ASCII alone: the loops that define each run.
 *
 * Each kernel must equal the handler utf_8_decode_item or utf_8_encode_item:
 * https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder. */
#ifndef WE_UTF_8_SCALAR_H
#define WE_UTF_8_SCALAR_H

#include "ascii/vector_16.h"

/* ---- Units ------------------------------------------------------------------------------------------------------- */

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

/* Every decoder run; `kind` is that of the target. https://encoding.spec.whatwg.org/#utf-8-decoder */
WE_ALWAYS_INLINE size_t we_utf_8_decode_loop(const uint8_t *source, size_t length, void *target, int kind, int vectors,
                                             size_t *written)
{
    const size_t room = we_room(kind, written);
    size_t read = 0;
    size_t out = 0;
    int ascii_before = 1;
    while (read < length && out < room) {
        const uint8_t *bytes = source + read;
        uint8_t end[4] = {0, 0, 0, 0};
        if (length - read < 4) {
            /* The zeros after the end are no continuations, so that an incomplete sequence stops the run as a malformed
             * one does. */
            memcpy(end, bytes, length - read);
            bytes = end;
        }
        const uint32_t leading = we_read_once(bytes);
        if (leading < 0x80) {
            const size_t most = length - read < room - out ? length - read : room - out;
            const size_t ascii =
                ascii_before ? we_put_ascii_blocks(source + read, most, we_at(target, kind, out), kind, vectors) : 0;
            if (ascii == 0)
                we_unit_put(target, kind, out, leading);
            read += ascii ? ascii : 1;
            out += ascii ? ascii : 1;
            ascii_before = 1;
            continue;
        }
        ascii_before = 0;
        const uint32_t second = we_read_once(bytes + 1);
        uint32_t code_point = (leading & 0x1F) << 6 | (second & 0x3F);
        size_t taken = 2;
        if (leading < 0xC2 || !we_is_continuation(second) || (kind == WE_UCS1 && leading > 0xC3))
            break;
        if (leading >= 0xE0) {
            const uint32_t third = we_read_once(bytes + 2);
            code_point = (leading & 0xF) << 12 | (second & 0x3F) << 6 | (third & 0x3F);
            taken = 3;
            /* The standard's lower boundary after 0xE0 and its upper boundary after 0xED. */
            if (!we_is_continuation(third)
                || (leading < 0xF0 && (code_point < 0x800 || (code_point & 0xF800) == 0xD800)))
                break;
        }
        if (leading >= 0xF0) {
            const uint32_t fourth = we_read_once(bytes + 3);
            code_point = code_point << 6 | (fourth & 0x3F);
            taken = 4;
            /* The lower boundary after 0xF0, the upper boundary after 0xF4, and no leading byte above that. */
            if (kind == WE_UCS2 || !we_is_continuation(fourth) || code_point < 0x10000 || code_point > 0x10FFFF)
                break;
        }
        out += we_put(target, kind, out, code_point);
        read += taken;
    }
    *written = out;
    return read;
}

/* Copy the longest prefix of complete, valid sequences; return its length. */
WE_ALWAYS_INLINE size_t we_utf_8_validate_loop(const uint8_t *source, size_t length, uint8_t *target, int vectors)
{
    size_t written;
    return we_utf_8_decode_loop(source, length, target, WE_UTF8, vectors, &written);
}

/* Every encoder run. https://encoding.spec.whatwg.org/#utf-8-encoder */
WE_ALWAYS_INLINE size_t we_utf_8_encode_loop(const void *source, int kind, size_t length, uint8_t *target, int vectors,
                                             size_t *written)
{
    size_t read = 0;
    size_t out = 0;
    int ascii_before = 1;
    while (read < length) {
        /* Read once: another thread may write to a source of UTF-16, which is UCS2 here. */
        const uint32_t code_point =
            kind == WE_UCS2 ? ((const volatile uint16_t *)source)[read] : we_unit_get(source, kind, read);
        if (code_point < 0x80) {
#if defined(WE_HAVE_BYTES_16)
            if (vectors && ascii_before && length - read >= 16) {
                const size_t ascii =
                    kind == WE_UCS1   ? we_ascii_step_to_ucs1_16((const uint8_t *)source + read, target + out)
                    : kind == WE_UCS2 ? we_ascii_step_from_ucs2_16((const uint16_t *)source + read, target + out)
                                      : we_ascii_step_from_ucs4_16((const uint32_t *)source + read, target + out);
                if (ascii
                    == 16) { /* a constant, so that the next block's address does not depend on this one's count */
                    read += 16;
                    out += 16;
                } else {
                    read += ascii;
                    out += ascii;
                }
                continue;
            }
#else
            (void)ascii_before;
#endif
            ascii_before = vectors;
            target[out] = (uint8_t)code_point;
            read += 1;
            out += 1;
            continue;
        }
        ascii_before = 0;
        if ((code_point & 0xFFFFF800) == 0xD800)
            break;
        out += we_put_utf8(target + out, code_point);
        read += 1;
    }
    *written = out;
    return read;
}

#endif
