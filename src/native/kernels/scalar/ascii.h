/* Runs of ASCII, and conversions between widths of units, without vectors; and what all variants share.
 *
 * Each run must equal the step of a handler for ASCII, such as that of single_byte_decode_item or _encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */
#ifndef WE_SCALAR_ASCII_H
#define WE_SCALAR_ASCII_H

#include "codec.h"
#include "cpu.h"

/* Stores to addresses that are a multiple of their size take up to a third less time. Of the first `block` items, this
 * many are converted again, so that the stores that follow are aligned. They are fewer than `block`, a power of two. */
#define WE_MISALIGNED(items, block) ((uintptr_t)(items) / sizeof *(items) % (block))
enum { WE_WORTH_ALIGNING = 512 }; /* items */

/* Defines a run that converts `block` items at a time by `step`, of which the last overlap those before, and a source
 * shorter than a block by `rest`. */
#define WE_ASCII_RUN(name, attributes, source_type, target_type, block, step, rest)                                    \
    attributes static inline size_t name(const source_type *source, size_t length, target_type *target)                \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        if (length < (block))                                                                                          \
            return rest(source, length, target);                                                                       \
        if (length >= WE_WORTH_ALIGNING) {                                                                             \
            size_t ascii = step(source, target);                                                                       \
            if (ascii < (block))                                                                                       \
                return ascii;                                                                                          \
            i = (block) - WE_MISALIGNED(target, block);                                                                \
        }                                                                                                              \
        for (; length - i > (block); i += (block)) {                                                                   \
            size_t ascii = step(source + i, target + i);                                                               \
            if (ascii < (block))                                                                                       \
                return i + ascii;                                                                                      \
        }                                                                                                              \
        i = length - (block);                                                                                          \
        return i + step(source + i, target + i);                                                                       \
    }

/* Defines a conversion in the same way. */
#define WE_CONVERT(name, attributes, source_type, target_type, block, step, rest)                                      \
    attributes static inline void name(const source_type *source, size_t length, target_type *target)                  \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        if (length < (block)) {                                                                                        \
            rest(source, length, target);                                                                              \
            return;                                                                                                    \
        }                                                                                                              \
        if (length >= WE_WORTH_ALIGNING) {                                                                             \
            step(source, target);                                                                                      \
            i = (block) - WE_MISALIGNED(target, block);                                                                \
        }                                                                                                              \
        for (; length - i > (block); i += (block))                                                                     \
            step(source + i, target + i);                                                                              \
        step(source + length - (block), target + length - (block));                                                    \
    }

static inline int we_is_ascii_8(uint64_t bytes)
{
    return (bytes & UINT64_C(0x8080808080808080)) == 0;
}

#define WE_ASCII_RUN_SCALAR(name, source_type, target_type)                                                            \
    static inline size_t name(const source_type *source, size_t length, target_type *target)                           \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        for (; i < length; i++) {                                                                                      \
            source_type unit = source[i];                                                                              \
            if (unit >= 0x80)                                                                                          \
                break;                                                                                                 \
            target[i] = (target_type)unit;                                                                             \
        }                                                                                                              \
        return i;                                                                                                      \
    }

WE_ASCII_RUN_SCALAR(we_ascii_short_run_to_ucs1, uint8_t, uint8_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_to_ucs2_scalar, uint8_t, uint16_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_to_ucs4_scalar, uint8_t, uint32_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_from_ucs2_scalar, uint16_t, uint8_t)
WE_ASCII_RUN_SCALAR(we_ascii_run_from_ucs4_scalar, uint32_t, uint8_t)

static inline size_t we_ascii_run_to_ucs1_scalar(const uint8_t *source, size_t length, uint8_t *target)
{
    size_t i = 0;
    for (; length - i >= 8; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, source + i, 8);
        if (!we_is_ascii_8(bytes))
            break;
        memcpy(target + i, &bytes, 8);
    }
    return i + we_ascii_short_run_to_ucs1(source + i, length - i, target + i);
}

static inline size_t we_ascii_length_scalar(const uint8_t *source, size_t length)
{
    size_t i = 0;
    for (; length - i >= 8; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, source + i, 8);
        if (!we_is_ascii_8(bytes))
            break;
    }
    while (i < length && source[i] < 0x80)
        i++;
    return i;
}

#define WE_CONVERT_SCALAR(name, source_type, target_type)                                                              \
    static inline void name(const source_type *source, size_t length, target_type *target)                             \
    {                                                                                                                  \
        for (size_t i = 0; i < length; i++)                                                                            \
            target[i] = (target_type)source[i];                                                                        \
    }

WE_CONVERT_SCALAR(we_widen_ucs1_to_ucs2_scalar, uint8_t, uint16_t)
WE_CONVERT_SCALAR(we_widen_ucs1_to_ucs4_scalar, uint8_t, uint32_t)
WE_CONVERT_SCALAR(we_widen_ucs2_to_ucs4_scalar, uint16_t, uint32_t)
WE_CONVERT_SCALAR(we_narrow_ucs2_to_ucs1_scalar, uint16_t, uint8_t)
WE_CONVERT_SCALAR(we_narrow_ucs4_to_ucs2_scalar, uint32_t, uint16_t)
WE_CONVERT_SCALAR(we_narrow_ucs4_to_ucs1_scalar, uint32_t, uint8_t)

/* Return the OR of blocks * 64 bytes, as eight bytes. */
static inline uint64_t we_or_blocks_scalar(const uint8_t *source, size_t blocks)
{
    uint64_t all = 0;
    for (const uint8_t *end = source + blocks * 64; source != end; source += 8) {
        uint64_t bytes;
        memcpy(&bytes, source, 8);
        all |= bytes;
    }
    return all;
}

#endif
