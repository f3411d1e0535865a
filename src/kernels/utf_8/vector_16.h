/* The UTF-8 runs over the sixteen-byte vectors of vectors.h: NEON and x86-64-v2. utf_8/scalar.h defines them.
 *
 * Decoding. A code point belongs to the block of 32 bytes in which its sequence ends, so blocks lie end to end and each
 * is read once. At each position the code point that would end there is computed from the byte and the three before it,
 * for sixteen positions at once; then the positions at which a sequence ends are compressed. All that carries over is
 * the last bytes of the block before and whether a sequence is open at its end. Validity is looked up by nibbles of
 * each byte and of the one before it (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte",
 * 2021). The block of the first error and the rest of fewer than 32 bytes take one more function, in which an error
 * cuts off the ends above it.
 *
 * Encoding. Eight units at a time give two bytes each, or four at a time up to four bytes each; a shuffle by an entry
 * of a table for the lengths packs them (Lemire and Mula, "Transcoding billions of Unicode characters per second with
 * SIMD instructions", 2022).
 *
 * Each kernel must equal the handler utf_8_decode_item or utf_8_encode_item:
 * https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder. */
#ifndef WE_UTF_8_VECTOR_16_H
#define WE_UTF_8_VECTOR_16_H

#include "compress.h"
#include "utf_8/scalar.h"

#if defined(WE_HAVE_VECTOR_16)
#define WE_UTF_8_INLINE WE_ALWAYS_INLINE WE_TARGET_VECTOR_16

/* ---- Validity ---------------------------------------------------------------------------------------------------- */

/* What can be wrong with a byte, given the one before it. A combination is wrong if the three look-ups have a flag in
 * common. */
enum {
    WE_TOO_SHORT = 0x01,     /* a leading byte, and no continuation after it */
    WE_TOO_LONG = 0x02,      /* ASCII, and a continuation after it */
    WE_BELOW_A0 = 0x04,      /* 0xE0 and its lower boundary */
    WE_OVER_8F = 0x08,       /* 0xF4 and its upper boundary; any greater leading byte */
    WE_OVER_9F = 0x10,       /* 0xED and its upper boundary */
    WE_NO_LEAD = 0x20,       /* 0xC0 and 0xC1 */
    WE_BELOW_90 = 0x40,      /* 0xF0 and its lower boundary; leading bytes over 0xF4 */
    WE_CONTINUATIONS = 0x80, /* two in a row: right as the third and fourth byte of a sequence, and nowhere else */
    WE_ANY_LOW_NIBBLE = WE_TOO_SHORT | WE_TOO_LONG | WE_CONTINUATIONS
};

static const uint8_t we_utf_8_by_high_nibble_before[16] = {
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG, /* 0 to 7 */
    WE_CONTINUATIONS,
    WE_CONTINUATIONS,
    WE_CONTINUATIONS,
    WE_CONTINUATIONS, /* 8 to B */
    WE_TOO_SHORT | WE_NO_LEAD,
    WE_TOO_SHORT, /* C, D */
    WE_TOO_SHORT | WE_BELOW_A0 | WE_OVER_9F,
    WE_TOO_SHORT | WE_OVER_8F | WE_BELOW_90, /* E, F */
};
/* The same for UCS2, which takes no sequence of four: whatever comes after its leading byte is wrong. */
static const uint8_t we_utf_8_by_high_nibble_before_ucs2[16] = {
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_TOO_LONG,
    WE_CONTINUATIONS,
    WE_CONTINUATIONS,
    WE_CONTINUATIONS,
    WE_CONTINUATIONS,
    WE_TOO_SHORT | WE_NO_LEAD,
    WE_TOO_SHORT,
    WE_TOO_SHORT | WE_BELOW_A0 | WE_OVER_9F,
    WE_TOO_SHORT | WE_TOO_LONG,
};
static const uint8_t we_utf_8_by_low_nibble_before[16] = {
    WE_ANY_LOW_NIBBLE | WE_BELOW_A0 | WE_NO_LEAD | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_NO_LEAD,
    WE_ANY_LOW_NIBBLE,
    WE_ANY_LOW_NIBBLE,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90 | WE_OVER_9F,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
};
static const uint8_t we_utf_8_by_high_nibble[16] = {
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_LONG | WE_NO_LEAD | WE_CONTINUATIONS | WE_BELOW_A0 | WE_BELOW_90, /* 8 */
    WE_TOO_LONG | WE_NO_LEAD | WE_CONTINUATIONS | WE_BELOW_A0 | WE_OVER_8F,  /* 9 */
    WE_TOO_LONG | WE_NO_LEAD | WE_CONTINUATIONS | WE_OVER_9F | WE_OVER_8F,   /* A */
    WE_TOO_LONG | WE_NO_LEAD | WE_CONTINUATIONS | WE_OVER_9F | WE_OVER_8F,   /* B */
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
    WE_TOO_SHORT,
};

/* Not 0 where the bytes so far can no longer become a sequence. `third_last` and `fourth_last` are the bytes two and
 * three before; UCS2 takes no sequence of four, so that the last is not looked at.
 * https://encoding.spec.whatwg.org/#utf-8-decoder */
WE_UTF_8_INLINE we_bytes_16 we_utf_8_errors_vector_16(we_bytes_16 bytes, we_bytes_16 before, we_bytes_16 third_last,
                                                      we_bytes_16 fourth_last, int kind)
{
    const we_bytes_16 by_high_nibble_before =
        we_load_16(kind == WE_UCS2 ? we_utf_8_by_high_nibble_before_ucs2 : we_utf_8_by_high_nibble_before);
    const we_bytes_16 flags = we_and_16(
        we_and_16(we_shuffle_16(by_high_nibble_before, WE_SHIFT_RIGHT_U8(before, 4)),
                  we_shuffle_16(we_load_16(we_utf_8_by_low_nibble_before), we_and_16(before, we_all_u8(0x0F)))),
        we_shuffle_16(we_load_16(we_utf_8_by_high_nibble), WE_SHIFT_RIGHT_U8(bytes, 4)));
    /* The high bit where a sequence of three or four is due to go on: 0xE0 - 0x60, 0xF0 - 0x70. */
    we_bytes_16 due = we_sub_saturated_u8(third_last, we_all_u8(0x60));
    if (kind != WE_UCS2) {
        due = we_or_16(due, we_sub_saturated_u8(fourth_last, we_all_u8(0x70)));
    }
    return we_xor_16(flags, we_and_16(due, we_all_u8(0x80)));
}

/* The mask of the positions at which a sequence ends, given that all is valid up to there. */
WE_UTF_8_INLINE we_bytes_16 we_utf_8_ends_vector_16(we_bytes_16 bytes, we_bytes_16 before, we_bytes_16 third_last,
                                                    int kind)
{
    we_bytes_16 goes_on = we_max_u8(bytes, we_sub_saturated_u8(before, we_all_u8(0x20)));
    if (kind != WE_UCS2) {
        goes_on = we_max_u8(goes_on, we_sub_saturated_u8(third_last, we_all_u8(0x30)));
    }
    return we_at_least_u8(we_all_u8(0xBF), goes_on);
}

/* ---- Decoding ---------------------------------------------------------------------------------------------------- */

/* What a block needs to know of the one before it: its last sixteen bytes, and where in it sequences end. A run begins
 * as if after ASCII: the bytes are 0, and the highest bit of `ends` is set. */
typedef struct {
    we_bytes_16 bytes;
    uint32_t ends;
} we_utf_8_before_vector_16;

/* A block of 32 bytes. Where a target takes less than all sequences, what it does not take is an error. */
typedef struct {
    we_bytes_16 bytes[2];
    we_bytes_16 before[2];      /* at each position the byte before it, */
    we_bytes_16 third_last[2];  /* two before it, */
    we_bytes_16 fourth_last[2]; /* and three */
    we_bytes_16 errors[2];
    uint32_t ends; /* where a sequence ends, as far as there is no error below */
} we_utf_8_block_vector_16;

/* Find the ends and the errors of the block; `kind` is a constant wherever this is inlined. */
WE_UTF_8_INLINE void we_utf_8_classify_vector_16(we_utf_8_block_vector_16 *block, we_bytes_16 bytes_before, int kind)
{
    we_bytes_16 ends[2];
    for (int i = 0; i < 2; i++) {
        const we_bytes_16 bytes = block->bytes[i], last = i ? block->bytes[0] : bytes_before;
        block->before[i] = WE_BYTES_BEFORE_16(last, bytes, 1);
        block->third_last[i] = WE_BYTES_BEFORE_16(last, bytes, 2);
        block->fourth_last[i] = WE_BYTES_BEFORE_16(last, bytes, 3);
        if (kind == WE_UCS1) {
            /* Only 0xC2 and 0xC3 begin Latin-1: a continuation after each, and nowhere else, and no other leading
             * byte. */
            const we_bytes_16 leading = we_equal_u8(we_and_16(bytes, we_all_u8(0xFE)), we_all_u8(0xC2));
            const we_bytes_16 due = we_equal_u8(we_and_16(block->before[i], we_all_u8(0xFE)), we_all_u8(0xC2));
            const we_bytes_16 continuation = we_above_s8(we_all_u8(0xC0), bytes);
            const we_bytes_16 other_leading = we_xor_16(we_at_least_u8(bytes, we_all_u8(0xC0)), leading);
            block->errors[i] = we_or_16(we_xor_16(continuation, due), other_leading);
            ends[i] = leading;
        } else {
            block->errors[i] =
                we_utf_8_errors_vector_16(bytes, block->before[i], block->third_last[i], block->fourth_last[i], kind);
            ends[i] = we_utf_8_ends_vector_16(bytes, block->before[i], block->third_last[i], kind);
        }
    }
    block->ends = we_bits_32(ends[0], ends[1]);
    if (kind == WE_UCS1) {
        block->ends = ~block->ends;
    }
}

/* Store eight units of UCS2 or UCS4, the latter with the bits above the low sixteen from `top`. */
WE_UTF_8_INLINE void we_utf_8_store_8_units_vector_16(uint8_t *target, int kind, we_bytes_16 units, we_bytes_16 top)
{
    if (kind == WE_UCS2) {
        we_store_16(target, units);
    } else {
        we_store_16(target, we_zip_low_u16(units, top));
        we_store_16(target + 16, we_zip_high_u16(units, top));
    }
}

/* Store sixteen bytes of ASCII as units. */
WE_UTF_8_INLINE void we_utf_8_store_ascii_vector_16(uint8_t *target, int kind, we_bytes_16 bytes)
{
    const we_bytes_16 zero = we_zero_16();
    if (kind == WE_UCS1 || kind == WE_UTF8) {
        we_store_16(target, bytes);
    } else {
        we_utf_8_store_8_units_vector_16(target, kind, we_zip_low_u8(bytes, zero), zero);
        we_utf_8_store_8_units_vector_16(target + (kind == WE_UCS2 ? 16 : 32), kind, we_zip_high_u8(bytes, zero), zero);
    }
}

/* Store the units that end in one half of the block and return how many. The target has a capacity of sixteen. */
WE_UTF_8_INLINE size_t we_utf_8_store_half_vector_16(const we_utf_8_block_vector_16 *block, int half, uint32_t ends,
                                                     uint8_t *target, int kind)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const we_bytes_16 zero = we_zero_16();
    const we_bytes_16 bytes = block->bytes[half], before = block->before[half], third_last = block->third_last[half];
    const uint32_t first_ends = ends & 0xFF, second_ends = ends >> 8 & 0xFF;
    const we_bytes_16 index = we_compress_index_16(first_ends, second_ends);
    const size_t first_count = we_bit_count[first_ends];
    uint8_t *const second_target = target + first_count * unit_size;
    if (kind == WE_UCS1) {
        /* The trailing byte itself, with bit 6 set after 0xC3. */
        const we_bytes_16 after_c3 = we_equal_u8(before, we_all_u8(0xC3));
        const we_bytes_16 packed = we_shuffle_16(we_or_16(bytes, we_and_16(after_c3, we_all_u8(0x40))), index);
        we_store_8(target, packed);
        we_store_high_8(second_target, packed);
        return first_count + we_bit_count[second_ends];
    }
    /* The low sixteen bits of the code point that ends at each position, in two bytes: six bits of the last byte and
     * two of the one before it; four more of that one, and four of the leading byte of three. */
    const we_bytes_16 not_ascii = we_high_u8(bytes);
    const we_bytes_16 low = we_select_16(not_ascii, WE_SHIFT_LEFT_INSERT_U8(bytes, before, 6), bytes);
    we_bytes_16 third_bits = we_sub_saturated_u8(third_last, we_all_u8(0xE0)); /* 0 below a leading byte of three */
    we_bytes_16 first_top = zero, second_top = zero;
    if (kind == WE_UCS4) {
        const we_bytes_16 fourth_last = block->fourth_last[half];
        const we_bytes_16 is_fourth = we_at_least_u8(fourth_last, we_all_u8(0xF0));
        if (we_any_high_16(is_fourth)) {
            /* Four bits of the second byte of four; in a third byte, three of the leading byte and two more of the
             * second. */
            third_bits = we_blend_16(is_fourth, third_last, third_bits);
            const we_bytes_16 top = we_or_16(we_and_16(WE_SHIFT_LEFT_U8(fourth_last, 2), we_all_u8(0x1C)),
                                             we_and_16(WE_SHIFT_RIGHT_U8(third_last, 4), we_all_u8(0x03)));
            const we_bytes_16 packed_top = we_shuffle_16(we_and_16(top, is_fourth), index);
            first_top = we_zip_low_u8(packed_top, zero);
            second_top = we_zip_high_u8(packed_top, zero);
        }
    }
    const we_bytes_16 high = we_and_16(not_ascii, WE_SHIFT_LEFT_INSERT_U8(WE_SHIFT_RIGHT_U8(before, 2), third_bits, 4));
    const we_bytes_16 packed_low = we_shuffle_16(low, index);
    const we_bytes_16 packed_high = we_shuffle_16(high, index);
    we_utf_8_store_8_units_vector_16(target, kind, we_zip_low_u8(packed_low, packed_high), first_top);
    we_utf_8_store_8_units_vector_16(second_target, kind, we_zip_high_u8(packed_low, packed_high), second_top);
    return first_count + we_bit_count[second_ends];
}

/* The position after the last of `ends`, in the block that begins at `position`; 0 ends stand for those of the block
 * before. */
WE_ALWAYS_INLINE size_t we_utf_8_last_end_vector_16(size_t position, uint32_t ends, uint32_t ends_before)
{
    return ends ? position + 32 - (size_t)__builtin_clz(ends) : position - (size_t)__builtin_clz(ends_before);
}

/* The last block of a run: at most 32 bytes, some with an error. It is copied first and padded with zeros, and the
 * units are copied to the target, which so needs no more capacity than they take. Adds what it wrote to `written` and
 * returns the bytes read, counted from the block's start, which are fewer than none if a sequence from the block before
 * is incomplete. */
WE_UTF_8_INLINE ptrdiff_t we_utf_8_last_block_vector_16(const uint8_t *source, size_t length, uint8_t *target, int kind,
                                                        we_utf_8_before_vector_16 before, size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 || kind == WE_UTF8 ? 1 : kind == WE_UCS2 ? 2 : 4;
    uint8_t bytes[32] = {0};
    uint8_t units[32 * 4];
    we_utf_8_block_vector_16 block;
    memcpy(bytes, source, length);
    block.bytes[0] = we_load_16(bytes);
    block.bytes[1] = we_load_16(bytes + 16);
    we_utf_8_classify_vector_16(&block, before.bytes, kind);
    uint32_t ends = block.ends & (length < 32 ? (UINT32_C(1) << length) - 1 : ~UINT32_C(0));
    const we_bytes_16 zero = we_zero_16();
    const uint32_t errors = ~we_bits_32(we_equal_u8(block.errors[0], zero), we_equal_u8(block.errors[1], zero));
    if (errors) {
        ends &= (errors & (0u - errors)) - 1; /* those below the first error */
    }
    const ptrdiff_t read = (ptrdiff_t)we_utf_8_last_end_vector_16(0, ends, before.ends);
    if (kind == WE_UTF8) {
        memcpy(target, bytes, read > 0 ? (size_t)read : 0);
        return read;
    }
    size_t count = we_utf_8_store_half_vector_16(&block, 0, ends & 0xFFFF, units, kind);
    count += we_utf_8_store_half_vector_16(&block, 1, ends >> 16, units + count * unit_size, kind);
    memcpy(target, units, count * unit_size);
    *written += count;
    return read;
}

static WE_TARGET_VECTOR_16 WE_NEVER_INLINE ptrdiff_t we_utf_8_last_block_to_ucs1_vector_16(
    const uint8_t *source, size_t length, uint8_t *target, we_utf_8_before_vector_16 before, size_t *written)
{
    return we_utf_8_last_block_vector_16(source, length, target, WE_UCS1, before, written);
}

static WE_TARGET_VECTOR_16 WE_NEVER_INLINE ptrdiff_t we_utf_8_last_block_to_ucs2_vector_16(
    const uint8_t *source, size_t length, uint8_t *target, we_utf_8_before_vector_16 before, size_t *written)
{
    return we_utf_8_last_block_vector_16(source, length, target, WE_UCS2, before, written);
}

static WE_TARGET_VECTOR_16 WE_NEVER_INLINE ptrdiff_t we_utf_8_last_block_to_ucs4_vector_16(
    const uint8_t *source, size_t length, uint8_t *target, we_utf_8_before_vector_16 before, size_t *written)
{
    return we_utf_8_last_block_vector_16(source, length, target, WE_UCS4, before, written);
}

static WE_TARGET_VECTOR_16 WE_NEVER_INLINE ptrdiff_t we_utf_8_last_block_to_utf8_vector_16(
    const uint8_t *source, size_t length, uint8_t *target, we_utf_8_before_vector_16 before, size_t *written)
{
    return we_utf_8_last_block_vector_16(source, length, target, WE_UTF8, before, written);
}

/* Every decoder run; `kind` is a constant wherever this is inlined.
 *
 * Capacity: the target has a unit for each byte of the source, and a sequence gives no more units than it has bytes, so
 * that 32 units fit from `at` on wherever 32 bytes are left, and sixteen after the first half's, of which there are
 * sixteen at most. */
WE_UTF_8_INLINE size_t we_utf_8_decode_vector_16(const uint8_t *source, size_t length, void *target, int kind,
                                                 size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 || kind == WE_UTF8 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const uint8_t *from = source;
    uint8_t *at = (uint8_t *)target;
    size_t left = length;
    we_utf_8_before_vector_16 before = {we_zero_16(), UINT32_C(1) << 31};
    for (; left >= 32; left -= 32, from += 32) {
        we_utf_8_block_vector_16 block;
        block.bytes[0] = we_load_16(from);
        block.bytes[1] = we_load_16(from + 16);
        if (before.ends >> 31 && WE_LIKELY(!we_any_high_16(we_or_16(block.bytes[0], block.bytes[1])))) {
            we_utf_8_store_ascii_vector_16(at, kind, block.bytes[0]);
            we_utf_8_store_ascii_vector_16(at + 16 * unit_size, kind, block.bytes[1]);
            before.bytes = block.bytes[1];
            before.ends = ~UINT32_C(0);
            at += 32 * unit_size;
            continue;
        }
        we_utf_8_classify_vector_16(&block, before.bytes, kind);
        const we_bytes_16 errors = we_or_16(block.errors[0], block.errors[1]);
        if (we_any_of_16(errors, errors)) {
            break;
        }
        if (kind == WE_UTF8) {
            we_store_16(at, block.bytes[0]);
            we_store_16(at + 16, block.bytes[1]);
            at += 32;
        } else {
            at += unit_size * we_utf_8_store_half_vector_16(&block, 0, block.ends & 0xFFFF, at, kind);
            at += unit_size * we_utf_8_store_half_vector_16(&block, 1, block.ends >> 16, at, kind);
        }
        before.bytes = block.bytes[1];
        before.ends = block.ends;
    }
    *written = (size_t)(at - (uint8_t *)target) / unit_size;
    const size_t last = left < 32 ? left : 32;
    const ptrdiff_t read = kind == WE_UCS1   ? we_utf_8_last_block_to_ucs1_vector_16(from, last, at, before, written)
                           : kind == WE_UCS2 ? we_utf_8_last_block_to_ucs2_vector_16(from, last, at, before, written)
                           : kind == WE_UCS4 ? we_utf_8_last_block_to_ucs4_vector_16(from, last, at, before, written)
                                             : we_utf_8_last_block_to_utf8_vector_16(from, last, at, before, written);
    return (size_t)(from - source + read);
}

static inline WE_TARGET_VECTOR_16 size_t we_utf_8_run_to_latin1_vector_16(const uint8_t *source, size_t length,
                                                                          uint8_t *target, size_t *written)
{
    return we_utf_8_decode_vector_16(source, length, target, WE_UCS1, written);
}

WE_UTF_8_INLINE size_t we_utf_8_validate_vector_16(const uint8_t *source, size_t length, uint8_t *target)
{
    size_t written;
    return we_utf_8_decode_vector_16(source, length, target, WE_UTF8, &written);
}

/* ---- Encoding ---------------------------------------------------------------------------------------------------- */

/* For each mask of eight units, the shuffle that packs units of two bytes: both bytes of those whose bit is set, the
 * first byte of the others. 256 entries of 16 bytes; what follows is 0. The highest bit tells the halves of the table
 * apart, so its unit is the outermost. */
#define WE_TWO_1(...)                                                                                                  \
    {0, __VA_ARGS__},                                                                                                  \
    {                                                                                                                  \
        0, 1, __VA_ARGS__                                                                                              \
    }
#define WE_TWO_2(...) WE_TWO_1(2, __VA_ARGS__), WE_TWO_1(2, 3, __VA_ARGS__)
#define WE_TWO_3(...) WE_TWO_2(4, __VA_ARGS__), WE_TWO_2(4, 5, __VA_ARGS__)
#define WE_TWO_4(...) WE_TWO_3(6, __VA_ARGS__), WE_TWO_3(6, 7, __VA_ARGS__)
#define WE_TWO_5(...) WE_TWO_4(8, __VA_ARGS__), WE_TWO_4(8, 9, __VA_ARGS__)
#define WE_TWO_6(...) WE_TWO_5(10, __VA_ARGS__), WE_TWO_5(10, 11, __VA_ARGS__)
#define WE_TWO_7(...) WE_TWO_6(12, __VA_ARGS__), WE_TWO_6(12, 13, __VA_ARGS__)
static const uint8_t we_utf_8_two[256][16] = {WE_TWO_7(14), WE_TWO_7(14, 15)};

/* For each four lengths, two bits each from the lowest unit on, the shuffle that packs four lanes of four bytes: 256
 * entries of 16 bytes. The lower bit is set where a unit takes two or three bytes, the upper bit where it takes three
 * or four. The last byte of a sequence is the third of its lane, the second last the second, the third last the first,
 * and the first of four the fourth. */
#define WE_FOUR_1(...)                                                                                                 \
    {2, __VA_ARGS__}, {1, 2, __VA_ARGS__}, {3, 0, 1, 2, __VA_ARGS__},                                                  \
    {                                                                                                                  \
        0, 1, 2, __VA_ARGS__                                                                                           \
    }
#define WE_FOUR_2(...)                                                                                                 \
    WE_FOUR_1(6, __VA_ARGS__), WE_FOUR_1(5, 6, __VA_ARGS__), WE_FOUR_1(7, 4, 5, 6, __VA_ARGS__),                       \
        WE_FOUR_1(4, 5, 6, __VA_ARGS__)
#define WE_FOUR_3(...)                                                                                                 \
    WE_FOUR_2(10, __VA_ARGS__), WE_FOUR_2(9, 10, __VA_ARGS__), WE_FOUR_2(11, 8, 9, 10, __VA_ARGS__),                   \
        WE_FOUR_2(8, 9, 10, __VA_ARGS__)
static const uint8_t we_utf_8_four[256][16] = {WE_FOUR_3(14), WE_FOUR_3(13, 14), WE_FOUR_3(15, 12, 13, 14),
                                               WE_FOUR_3(12, 13, 14)};

/* How many bytes those are. */
#define WE_LENGTHS_1(bytes) (bytes) + 1, (bytes) + 2, (bytes) + 4, (bytes) + 3
#define WE_LENGTHS_2(bytes)                                                                                            \
    WE_LENGTHS_1((bytes) + 1), WE_LENGTHS_1((bytes) + 2), WE_LENGTHS_1((bytes) + 4), WE_LENGTHS_1((bytes) + 3)
#define WE_LENGTHS_3(bytes)                                                                                            \
    WE_LENGTHS_2((bytes) + 1), WE_LENGTHS_2((bytes) + 2), WE_LENGTHS_2((bytes) + 4), WE_LENGTHS_2((bytes) + 3)
static const uint8_t we_utf_8_four_bytes[256] = {WE_LENGTHS_3(1), WE_LENGTHS_3(2), WE_LENGTHS_3(4), WE_LENGTHS_3(3)};

/* Encode eight units below 0x800 and return the bytes written. The target has a capacity of sixteen. */
WE_UTF_8_INLINE size_t we_utf_8_encode_8_of_two_vector_16(uint8_t *target, we_bytes_16 units)
{
    const we_bytes_16 not_ascii = we_at_least_u16(units, we_all_u16(0x80));
    /* The leading byte is the lower byte of a lane, the trailing byte the upper. */
    const we_bytes_16 bits =
        we_and_16(WE_SHIFT_LEFT_INSERT_U16(WE_SHIFT_RIGHT_U16(units, 6), units, 8), we_all_u16(0x3F1F));
    const we_bytes_16 lanes = we_blend_16(not_ascii, we_or_16(bits, we_all_u16(0x80C0)), units);
    const uint32_t mask = we_bits_of_u16(not_ascii);
    we_store_16(target, we_shuffle_16(lanes, we_load_16(we_utf_8_two[mask])));
    return 8 + (size_t)we_bit_count[mask];
}

/* Encode eight units that are no surrogates and return the bytes written. The target has a capacity of 28. */
WE_UTF_8_INLINE size_t we_utf_8_encode_8_of_three_vector_16(uint8_t *target, we_bytes_16 units)
{
    const we_bytes_16 not_ascii = we_at_least_u16(units, we_all_u16(0x80));
    const we_bytes_16 three = we_at_least_u16(units, we_all_u16(0x800));
    /* The first byte of three in the lower byte of a lane, the one before the last in the upper: 0x80 of three, 0xC0 of
     * two. */
    const we_bytes_16 tag = we_xor_16(we_and_16(three, we_all_u16(0x4000)), we_all_u16(0xC0E0));
    const we_bytes_16 front = we_or_16(we_or_16(WE_SHIFT_RIGHT_U16(units, 12), tag),
                                       we_and_16(WE_SHIFT_LEFT_U16(units, 2), we_all_u16(0x3F00)));
    const we_bytes_16 last =
        we_blend_16(not_ascii, we_or_16(we_and_16(units, we_all_u16(0x3F)), we_all_u16(0x80)), units);
    const uint32_t lengths = we_pairs_of_bits_u16(not_ascii, three);
    const we_bytes_16 first = we_shuffle_16(we_zip_low_u16(front, last), we_load_16(we_utf_8_four[lengths & 0xFF]));
    const we_bytes_16 second = we_shuffle_16(we_zip_high_u16(front, last), we_load_16(we_utf_8_four[lengths >> 8]));
    const size_t first_bytes = we_utf_8_four_bytes[lengths & 0xFF];
    we_store_16(target, first);
    we_store_16(target + first_bytes, second);
    return first_bytes + we_utf_8_four_bytes[lengths >> 8];
}

/* Encode four code points that are no surrogates and return the bytes written. The target has a capacity of sixteen.
 */
WE_UTF_8_INLINE size_t we_utf_8_encode_4_of_four_vector_16(uint8_t *target, we_bytes_16 code_points)
{
    const we_bytes_16 two = we_at_least_u32(code_points, we_all_u32(0x80));
    const we_bytes_16 three = we_at_least_u32(code_points, we_all_u32(0x800));
    const we_bytes_16 four = we_at_least_u32(code_points, we_all_u32(0x10000));
    /* From the lowest byte of a lane on: the third last, the second last, the last, the fourth last. */
    const we_bytes_16 low = we_and_16(code_points, we_all_u32(0x3F));
    const we_bytes_16 last = WE_SHIFT_LEFT_U32(we_blend_16(two, we_or_16(low, we_all_u32(0x80)), code_points), 16);
    const we_bytes_16 second_last = we_and_16(WE_SHIFT_LEFT_U32(code_points, 2), we_all_u32(0x3F00));
    const we_bytes_16 third_last = we_and_16(WE_SHIFT_RIGHT_U32(code_points, 12), we_all_u32(0x3F));
    const we_bytes_16 fourth_last = WE_SHIFT_LEFT_U32(WE_SHIFT_RIGHT_U32(code_points, 18), 24);
    /* 0xC0 and 0x80 are the tags of the second last, 0xE0 and 0x80 of the third last. */
    const we_bytes_16 tags = we_xor_16(we_xor_16(we_all_u32(0xF000C0E0), we_and_16(three, we_all_u32(0x4000))),
                                       we_and_16(four, we_all_u32(0x60)));
    const we_bytes_16 lanes = we_or_16(we_or_16(we_or_16(second_last, third_last), we_or_16(fourth_last, last)), tags);
    const we_bytes_16 lower = we_and_not_16(two, four);
    const uint32_t lengths = we_pairs_of_bits_u16(we_low_units_8(lower, lower), we_low_units_8(three, three)) & 0xFF;
    we_store_16(target, we_shuffle_16(lanes, we_load_16(we_utf_8_four[lengths])));
    return we_utf_8_four_bytes[lengths];
}

/* Every encoder run; `kind` is a constant wherever this is inlined.
 *
 * Capacity: the target has 2, 3 or 4 bytes for each unit that is left and 8 more, so where eight units of UCS1 are
 * left, 24; of UCS2, 32; where four of UCS4 are left, 24. */
WE_UTF_8_INLINE size_t we_utf_8_encode_vector_16(const void *source, int kind, size_t length, uint8_t *target,
                                                 size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const uint8_t *from = (const uint8_t *)source;
    uint8_t *at = target;
    size_t left = length;
    for (; left >= 16; left -= 16, from += 16 * unit_size) {
        we_bytes_16 first, second;
        if (kind == WE_UCS1) {
            const we_bytes_16 bytes = we_load_16(from);
            if (!we_any_high_16(bytes)) {
                we_store_16(at, bytes);
                at += 16;
            } else {
                at += we_utf_8_encode_8_of_two_vector_16(at, we_zip_low_u8(bytes, we_zero_16()));
                at += we_utf_8_encode_8_of_two_vector_16(at, we_zip_high_u8(bytes, we_zero_16()));
            }
            continue;
        }
        if (kind == WE_UCS2) {
            first = we_load_16(from);
            second = we_load_16(from + 16);
        } else {
            const we_bytes_16 a = we_load_16(from), b = we_load_16(from + 16), c = we_load_16(from + 32),
                              d = we_load_16(from + 48);
            if (we_any_from_u32(we_or_16(we_or_16(a, b), we_or_16(c, d)), 0xFFFF0000)) {
                const we_bytes_16 mask = we_all_u32(0xFFFFF800), surrogate = we_all_u32(0xD800);
                if (we_any_high_16(we_or_16(we_or_16(we_equal_u32(we_and_16(a, mask), surrogate),
                                                     we_equal_u32(we_and_16(b, mask), surrogate)),
                                            we_or_16(we_equal_u32(we_and_16(c, mask), surrogate),
                                                     we_equal_u32(we_and_16(d, mask), surrogate))))) {
                    break;
                }
                at += we_utf_8_encode_4_of_four_vector_16(at, a);
                at += we_utf_8_encode_4_of_four_vector_16(at, b);
                at += we_utf_8_encode_4_of_four_vector_16(at, c);
                at += we_utf_8_encode_4_of_four_vector_16(at, d);
                continue;
            }
            first = we_low_units_8(a, b);
            second = we_low_units_8(c, d);
        }
        const we_bytes_16 all = we_or_16(first, second);
        if (!we_any_from_u16(all, 0xFF80)) {
            we_store_16(at, we_low_bytes_16(first, second));
            at += 16;
        } else if (!we_any_from_u16(all, 0xF800)) {
            at += we_utf_8_encode_8_of_two_vector_16(at, first);
            at += we_utf_8_encode_8_of_two_vector_16(at, second);
        } else {
            const we_bytes_16 mask = we_all_u16(0xF800), surrogate = we_all_u16(0xD800);
            if (we_any_high_16(we_or_16(we_equal_u16(we_and_16(first, mask), surrogate),
                                        we_equal_u16(we_and_16(second, mask), surrogate)))) {
                break;
            }
            at += we_utf_8_encode_8_of_three_vector_16(at, first);
            at += we_utf_8_encode_8_of_three_vector_16(at, second);
        }
    }
    size_t last;
    const size_t read = we_utf_8_encode_loop(from, kind, left, at, 0, &last);
    *written = (size_t)(at - target) + last;
    return length - left + read;
}
#endif

#endif
