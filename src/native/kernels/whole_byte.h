/* Runs of single-byte code pages of which all 256 bytes are looked up, such as those of EBCDIC: without vectors, at a
 * look-up a byte.
 *
 * Each kernel must equal the handler whole_byte_decode_item or whole_byte_encode_item. */
#ifndef WE_WHOLE_BYTE_H
#define WE_WHOLE_BYTE_H

#include "scalar/single_byte.h"

/* A codec's `tables`. */
typedef struct {
    const uint16_t *index; /* the code point of each byte; 0 = unmapped, except for byte 00 */
    we_single_byte_reverse reverse;
} we_whole_byte_tables;

/* Return the byte of a code point; 0 if the page lacks it, and for U+0000. */
static inline uint8_t we_whole_byte_of(const we_single_byte_reverse *table, uint32_t code_point)
{
    return code_point <= 0xFFFF ? we_single_byte_block(table, code_point >> 7)[code_point & 0x7F] : 0;
}

/* Each byte is read once, and gives at most one unit, or three of UTF-8. */
WE_ALWAYS_INLINE size_t we_whole_byte_run_to(int kind, const uint8_t *source, size_t length, const uint16_t *index,
                                             void *target, uint32_t max_code_point, size_t *written)
{
    size_t i = 0, out = 0;
    for (; i < length; i++) {
        const uint8_t byte = we_read_once(source + i);
        const uint32_t code_point = index[byte];
        if ((code_point == 0 && byte != 0) || (kind != WE_UTF8 && code_point > max_code_point))
            break;
        out += we_put(target, kind, out, code_point);
    }
    *written = out;
    return i;
}

/* Write the byte of each unit; stop at the first that the page lacks. Each unit is read once. */
WE_ALWAYS_INLINE size_t we_whole_byte_run_from(int kind, const void *source, size_t length,
                                               const we_single_byte_reverse *table, uint8_t *target)
{
    size_t i = 0;
    for (; i < length; i++) {
        const uint32_t unit = we_unit_once(source, kind, i);
        const uint8_t byte = we_whole_byte_of(table, unit);
        if (byte == 0 && unit != 0)
            break;
        target[i] = byte;
    }
    return i;
}

#endif
