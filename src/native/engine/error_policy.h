/* The replacements of Python's standard error handlers: decoders write them in their loops, the engine's encoder after
 * its loops. */
#ifndef WE_ERROR_POLICY_H
#define WE_ERROR_POLICY_H

#include <string.h>

#include "codec.h"
#include "utf_8.h"

/* Upper bounds on the units that a decoder writes for a byte of an error, and the bytes that an encoder writes for an
 * error. */
enum { WE_UNITS_PER_ERROR_BYTE = 4, WE_MAX_ESCAPE = 10 };

/* Return whether a code point is a surrogate, which no encoder has. */
static inline int we_is_surrogate(uint32_t code_point)
{
    return (code_point & 0xFFFFF800) == 0xD800;
}

/* Return a lowercase hexadecimal digit. */
static inline uint8_t we_hexadecimal(uint32_t digit)
{
    return (uint8_t)"0123456789abcdef"[digit & 15];
}

/* Handle the error of error_length bytes at `source`, as error_mode says, which is not WE_IGNORE; the target has
 * WE_UNITS_PER_ERROR_BYTE units for each of them, with WE_SURROGATE_ESCAPE one.
 * WE_INPUT_EMPTY: `written` includes the replacement, and error_length is the number of bytes that it replaces.
 * WE_WIDEN: it does not fit UCS-1. WE_MALFORMED: the error is the caller's. */
static WE_NEVER_INLINE we_result we_put_error(we_decode_run *run, int kind, const uint8_t *source, void *target,
                                              size_t written)
{
    const size_t length = run->error_length;
    size_t count = 0;
    if (run->error_mode == WE_BACKSLASH_REPLACE) {
        for (size_t i = 0; i < length; i++, written += 4) {
            we_unit_put(target, kind, written, '\\');
            we_unit_put(target, kind, written + 1, 'x');
            we_unit_put(target, kind, written + 2, we_hexadecimal(source[i] >> 4));
            we_unit_put(target, kind, written + 3, we_hexadecimal(source[i] & 15));
        }
        run->written = written;
        return WE_INPUT_EMPTY;
    }
    /* Each byte is read once: another thread may write to the source. */
    while (run->error_mode == WE_SURROGATE_ESCAPE && count < length) {
        const uint8_t byte = source[count];
        if (byte < 0x80)
            break;
        if (kind == WE_UCS1)
            return WE_WIDEN;
        we_unit_put(target, kind, written + count, 0xDC00 + (uint32_t)byte);
        count++;
    }
    if (count == 0)
        return WE_MALFORMED;
    /* An ASCII byte after them is decoded by itself. */
    run->error_length = count;
    run->written = written + count;
    return WE_INPUT_EMPTY;
}

/* Read a surrogate where UTF-8's decoder has an error: what "surrogatepass" decodes. Its bytes are those of the formula
 * for scalar values; without the last of them it stays an error of the first. */
static inline uint32_t we_utf_8_surrogate(we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed)
{
    if (source[0] != 0xED || length == 1)
        return WE_ITEM_ERROR;
    const uint8_t second = source[1];
    if (second < 0xA0 || second > 0xBF)
        return WE_ITEM_ERROR;
    if (length == 2)
        return run->end_of_queue ? WE_ITEM_ERROR : WE_ITEM_INCOMPLETE;
    const uint8_t third = source[2];
    if ((third & 0xC0) != 0x80)
        return WE_ITEM_ERROR;
    *consumed = 3;
    return 0xD000 | (uint32_t)(second & 0x3F) << 6 | (third & 0x3F);
}

/* The same for UTF-16: any unpaired code unit. A single byte stays an error. */
static inline uint32_t we_utf_16_surrogate(const uint8_t *source, size_t length, size_t *consumed, int big_endian)
{
    const uint32_t code_unit = length < 2 ? 0 : (uint32_t)source[!big_endian] << 8 | source[big_endian];
    if (!we_is_surrogate(code_unit))
        return WE_ITEM_ERROR;
    *consumed = 2;
    return code_unit;
}

static inline uint32_t we_utf_16be_surrogate(we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed)
{
    (void)run;
    return we_utf_16_surrogate(source, length, consumed, 1);
}

static inline uint32_t we_utf_16le_surrogate(we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed)
{
    (void)run;
    return we_utf_16_surrogate(source, length, consumed, 0);
}

/* Handle the error of an encoder at a unit in one of the modes that write at most as many bytes as any code point
 * takes; return whether it did. ISO-2022-JP is in ASCII or Roman then. */
static inline int we_replace_unit(int error_mode, int kind, int passes_surrogates, uint32_t unit, uint8_t *target,
                                  size_t *written)
{
    switch (error_mode) {
    case WE_IGNORE:
        return 1;
    case WE_QUESTION_MARK:
        target[(*written)++] = '?';
        return 1;
    case WE_SURROGATE_ESCAPE:
        /* The bytes that U+DC80 to U+DCFF stand for, in any state. */
        if (kind == WE_UCS1 || unit < 0xDC80 || unit > 0xDCFF)
            return 0;
        target[(*written)++] = (uint8_t)unit;
        return 1;
    case WE_SURROGATE_PASS:
        if (kind == WE_UCS1 || !passes_surrogates || !we_is_surrogate(unit))
            return 0;
        *written += we_put_utf8(target + *written, unit);
        return 1;
    default:
        return 0;
    }
}

/* Write what "backslashreplace" gives for a code point, WE_MAX_ESCAPE bytes at most; return its length. */
static inline size_t we_put_escape(uint8_t *target, uint32_t code_point)
{
    size_t length = 1;
    target[0] = '\\';
    if (code_point <= 0xFF) {
        target[length++] = 'x';
    } else if (code_point <= 0xFFFF) {
        target[length++] = 'u';
        target[length++] = we_hexadecimal(code_point >> 12);
        target[length++] = we_hexadecimal(code_point >> 8);
    } else {
        target[length++] = 'U';
        for (int shift = 28; shift > 4; shift -= 4)
            target[length++] = we_hexadecimal(code_point >> shift);
    }
    target[length++] = we_hexadecimal(code_point >> 4);
    target[length++] = we_hexadecimal(code_point);
    return length;
}

/* Write a numeric character reference, 10 bytes at most; return its length.
 * https://encoding.spec.whatwg.org/#concept-encoding-process */
static inline size_t we_put_reference(uint8_t *target, uint32_t code_point)
{
    const uint32_t thousands = code_point / 1000, ones = code_point % 1000;
    uint32_t number = thousands ? thousands : ones;
    size_t digits = number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4, length = 2 + digits;
    target[0] = '&';
    target[1] = '#';
    for (size_t i = length; i > 2; number /= 10)
        target[--i] = (uint8_t)('0' + number % 10);
    if (thousands) {
        target[length] = (uint8_t)('0' + ones / 100);
        target[length + 1] = (uint8_t)('0' + ones / 10 % 10);
        target[length + 2] = (uint8_t)('0' + ones % 10);
        length += 3;
    }
    target[length] = ';';
    return length + 1;
}

#endif
