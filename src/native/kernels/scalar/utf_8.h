/* UTF-8 without vectors, or with those of the baseline for ASCII alone: the loops that define each run.
 *
 * Each kernel must equal the handler utf_8_decode_item or utf_8_encode_item:
 * https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder. */
#ifndef WE_SCALAR_UTF_8_H
#define WE_SCALAR_UTF_8_H

#include "units.h"

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
