/* Runs of the single-byte encodings: https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder.
 *
 * A decode table is 128 code points, indexed by byte - 0x80; 0 means that the byte is unmapped. A run stops before the first byte or code
 * point that needs a decision, and its length in source units is what comes back; it never fails. It may write anything in the target
 * room it is given (one unit for each source unit, three bytes for each byte in UTF-8), nothing beyond.
 */
#ifndef WE_SINGLE_BYTE_H
#define WE_SINGLE_BYTE_H

#include "ascii.h"
#include "cpu.h"

/* The way back from a code point to a byte, for code points below U+10000 (no single-byte index has others). */
typedef struct {
    const uint8_t *stage1; /* 512 block numbers, by code point >> 7; block 0 is all zeros */
    const uint8_t *stage2; /* blocks of 128 bytes, by code point & 0x7F; 0 = unmapped */
} we_single_byte_reverse;

/* The byte for a code point that is not ASCII; 0 if there is none. */
static inline uint8_t we_single_byte_look_up(const we_single_byte_reverse *table, uint32_t code_point)
{
    if (code_point > 0xFFFF)
        return 0;
    return table->stage2[(size_t)table->stage1[code_point >> 7] * 128 + (code_point & 0x7F)];
}

/* ---- Decode ---- */

static inline size_t we_single_byte_run_to_ucs2_scalar(const uint8_t *source, size_t length, const uint16_t *table, uint16_t *target)
{
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i];
        uint16_t code_point = byte < 0x80 ? byte : table[byte - 0x80];
        if (code_point == 0 && byte != 0)
            break;
        target[i] = code_point;
    }
    return i;
}

static inline size_t we_single_byte_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *table, uint16_t *target)
{
    (void)simd;
    return we_single_byte_run_to_ucs2_scalar(source, length, table, target);
}

static inline size_t we_single_byte_run_to_ucs4(int simd, const uint8_t *source, size_t length, const uint16_t *table, uint32_t *target)
{
    (void)simd;
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i];
        uint16_t code_point = byte < 0x80 ? byte : table[byte - 0x80];
        if (code_point == 0 && byte != 0)
            break;
        target[i] = code_point;
    }
    return i;
}

/* `latin1` is the table's other form: the code point where it is at most U+00FF, else 0. */
static inline size_t we_single_byte_run_to_ucs1(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                                const uint8_t *latin1, uint8_t *target, uint32_t max_code_point)
{
    (void)simd;
    (void)table;
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i];
        uint8_t code_point = byte < 0x80 ? byte : latin1[byte - 0x80];
        if ((code_point == 0 && byte != 0) || code_point > max_code_point)
            break;
        target[i] = code_point;
    }
    return i;
}

static inline size_t we_single_byte_run_to_utf8(int simd, const uint8_t *source, size_t length, const uint16_t *table, uint8_t *target,
                                                size_t *written)
{
    (void)simd;
    uint8_t *out = target;
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i];
        uint16_t code_point = byte < 0x80 ? byte : table[byte - 0x80];
        if (code_point == 0 && byte != 0)
            break;
        if (code_point < 0x80) {
            *out++ = (uint8_t)code_point;
        } else if (code_point < 0x800) {
            *out++ = (uint8_t)(0xC0 | code_point >> 6);
            *out++ = (uint8_t)(0x80 | (code_point & 0x3F));
        } else {
            *out++ = (uint8_t)(0xE0 | code_point >> 12);
            *out++ = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
            *out++ = (uint8_t)(0x80 | (code_point & 0x3F));
        }
    }
    *written = (size_t)(out - target);
    return i;
}

/* ---- Encode ---- */

static inline size_t we_single_byte_run_from_ucs1(int simd, const uint8_t *source, size_t length, const we_single_byte_reverse *table,
                                                  uint8_t *target)
{
    (void)simd;
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i] < 0x80 ? source[i] : we_single_byte_look_up(table, source[i]);
        if (byte == 0 && source[i] != 0)
            break;
        target[i] = byte;
    }
    return i;
}

static inline size_t we_single_byte_run_from_ucs2(int simd, const uint16_t *source, size_t length, const we_single_byte_reverse *table,
                                                  uint8_t *target)
{
    (void)simd;
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i] < 0x80 ? (uint8_t)source[i] : we_single_byte_look_up(table, source[i]);
        if (byte == 0 && source[i] != 0)
            break;
        target[i] = byte;
    }
    return i;
}

static inline size_t we_single_byte_run_from_ucs4(int simd, const uint32_t *source, size_t length, const we_single_byte_reverse *table,
                                                  uint8_t *target)
{
    (void)simd;
    size_t i = 0;
    for (; i < length; i++) {
        uint8_t byte = source[i] < 0x80 ? (uint8_t)source[i] : we_single_byte_look_up(table, source[i]);
        if (byte == 0 && source[i] != 0)
            break;
        target[i] = byte;
    }
    return i;
}

#endif
