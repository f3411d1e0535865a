/* Decoding UTF-8 with vectors of WE_WIDTH bytes: NEON, x86-64-v2 and AVX2. scalar/utf_8.h defines the
 * runs.
 *
 * A code point belongs to the block of 32 bytes in which its sequence ends, so blocks lie end to end and each is read
 * once. At each position the code point that would end there is computed from the byte and the three before it, for a
 * vector of positions at once; then the positions at which a sequence ends are compressed. All that carries over is the
 * last bytes of the block before and whether a sequence is open at its end. Validity is looked up by nibbles of each
 * byte and of the one before it (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte", 2021).
 * The block of the first error and the rest of fewer than 32 bytes take one more function, in which an error cuts off
 * the ends above it.
 *
 * Each kernel must equal the handler utf_8_decode_item: https://encoding.spec.whatwg.org/#utf-8-decoder. */

/* ---- What is the same at every width ----------------------------------------------------------------------------- */

#ifndef WE_VECTOR_UTF_8_H
#define WE_VECTOR_UTF_8_H
#include "compress.h"
#include "scalar/utf_8.h"

/* What can be wrong with a byte, given the one before it. A combination is wrong if the three look-ups have a flag in
 * common. */
enum {
    WE_TOO_SHORT = 0x01,     /* a leading byte, and no continuation after it */
    WE_TOO_LONG = 0x02,      /* ASCII, and a continuation after it */
    WE_BELOW_A0 = 0x04,      /* 0xE0 and its lower boundary */
    WE_OVER_8F = 0x08,       /* 0xF4 and its upper boundary; any greater leading byte */
    WE_OVER_9F = 0x10,       /* 0xED and its upper boundary */
    WE_NEVER_LEADING = 0x20, /* 0xC0 and 0xC1 */
    WE_BELOW_90 = 0x40,      /* 0xF0 and its lower boundary; leading bytes over 0xF4 */
    WE_CONTINUATIONS = 0x80, /* two in a row: right as the third and fourth byte of a sequence, and nowhere else */
    WE_ANY_LOW_NIBBLE = WE_TOO_SHORT | WE_TOO_LONG | WE_CONTINUATIONS,
    WE_OVER_F3 = WE_ANY_LOW_NIBBLE | WE_OVER_8F | WE_BELOW_90,
    WE_ANY_CONTINUATION = WE_TOO_LONG | WE_NEVER_LEADING | WE_CONTINUATIONS
};

#define WE_FOUR_TIMES(flags) flags, flags, flags, flags
/* 0 to 7, 8 to B and C to F; the last of four bytes is another for UCS2, which takes no sequence of four: whatever
 * comes after its leading byte is wrong. */
#define WE_BY_HIGH_NIBBLE_BEFORE(after_f)                                                                              \
    {WE_FOUR_TIMES(WE_TOO_LONG),                                                                                       \
     WE_FOUR_TIMES(WE_TOO_LONG),                                                                                       \
     WE_FOUR_TIMES(WE_CONTINUATIONS),                                                                                  \
     WE_TOO_SHORT | WE_NEVER_LEADING,                                                                                  \
     WE_TOO_SHORT,                                                                                                     \
     WE_TOO_SHORT | WE_BELOW_A0 | WE_OVER_9F,                                                                          \
     WE_TOO_SHORT | (after_f)}
static const uint8_t we_utf_8_by_high_nibble_before[16] = WE_BY_HIGH_NIBBLE_BEFORE(WE_OVER_8F | WE_BELOW_90);
static const uint8_t we_utf_8_by_high_nibble_before_ucs2[16] = WE_BY_HIGH_NIBBLE_BEFORE(WE_TOO_LONG);
static const uint8_t we_utf_8_by_low_nibble_before[16] = {
    WE_ANY_LOW_NIBBLE | WE_BELOW_A0 | WE_NEVER_LEADING | WE_BELOW_90, /* 0 */
    WE_ANY_LOW_NIBBLE | WE_NEVER_LEADING,                             /* 1 */
    WE_ANY_LOW_NIBBLE,
    WE_ANY_LOW_NIBBLE,
    WE_ANY_LOW_NIBBLE | WE_OVER_8F, /* 4 */
    WE_OVER_F3,
    WE_OVER_F3,
    WE_OVER_F3,
    WE_FOUR_TIMES(WE_OVER_F3), /* 8 to B */
    WE_OVER_F3,
    WE_OVER_F3 | WE_OVER_9F, /* D */
    WE_OVER_F3,
    WE_OVER_F3,
};
static const uint8_t we_utf_8_by_high_nibble[16] = {
    WE_FOUR_TIMES(WE_TOO_SHORT),
    WE_FOUR_TIMES(WE_TOO_SHORT),
    WE_ANY_CONTINUATION | WE_BELOW_A0 | WE_BELOW_90, /* 8 */
    WE_ANY_CONTINUATION | WE_BELOW_A0 | WE_OVER_8F,  /* 9 */
    WE_ANY_CONTINUATION | WE_OVER_9F | WE_OVER_8F,   /* A */
    WE_ANY_CONTINUATION | WE_OVER_9F | WE_OVER_8F,   /* B */
    WE_FOUR_TIMES(WE_TOO_SHORT),
};

/* The position after the last of `ends`, in the block that begins at `position`; 0 ends stand for those of the block
 * before. */
WE_ALWAYS_INLINE size_t we_utf_8_last_end(size_t position, uint32_t ends, uint32_t ends_before)
{
    return ends ? position + 32 - (size_t)__builtin_clz(ends) : position - (size_t)__builtin_clz(ends_before);
}

#define WE_VECTORS (32 / WE_WIDTH) /* in a block */

/* The names of what follows, which differ by level. */
#define we_utf_8_decode_constants WE_AT_LEVEL(we_utf_8_decode_constants)
#define we_utf_8_block WE_AT_LEVEL(we_utf_8_block)
#define we_utf_8_before WE_AT_LEVEL(we_utf_8_before)
#define we_utf_8_load_decode_constants WE_AT_LEVEL(we_utf_8_load_decode_constants)
#define we_utf_8_load_block WE_AT_LEVEL(we_utf_8_load_block)
#define we_utf_8_classify WE_AT_LEVEL(we_utf_8_classify)
#define we_utf_8_ends_of_two WE_AT_LEVEL(we_utf_8_ends_of_two)
#define we_utf_8_store_ascii WE_AT_LEVEL(we_utf_8_store_ascii)
#define we_utf_8_store_8_units WE_AT_LEVEL(we_utf_8_store_8_units)
#define we_utf_8_store_units WE_AT_LEVEL(we_utf_8_store_units)
#define we_utf_8_last_block WE_AT_LEVEL(we_utf_8_last_block)
#define we_utf_8_last_block_to_ucs1 WE_AT_LEVEL(we_utf_8_last_block_to_ucs1)
#define we_utf_8_last_block_to_ucs2 WE_AT_LEVEL(we_utf_8_last_block_to_ucs2)
#define we_utf_8_last_block_to_ucs4 WE_AT_LEVEL(we_utf_8_last_block_to_ucs4)
#define we_utf_8_last_block_to_utf8 WE_AT_LEVEL(we_utf_8_last_block_to_utf8)
#endif

#if WE_WIDTH == 32
/* A long run of ASCII, whose stores are within cache lines: they take up to a third less time. Return its length. */
static WE_OPAQUE WE_TARGET_AVX2 size_t we_utf_8_ascii_avx2(const uint8_t *source, size_t length, void *target, int kind)
{
    return kind == WE_UCS2 ? we_ascii_run_to_ucs2_avx2(source, length, (uint16_t *)target)
                           : we_ascii_run_to_ucs4_avx2(source, length, (uint32_t *)target);
}

/* The same, for the loops over blocks: the loop of a function that is seldom called itself would be optimized for
 * size, and English would take up to twice as long. */
static WE_SELDOM_CALLED WE_TARGET_AVX2 size_t we_utf_8_long_ascii_avx2(const uint8_t *source, size_t length,
                                                                       void *target, int kind)
{
    return we_utf_8_ascii_avx2(source, length, target, kind);
}

/* After this many blocks of ASCII a loop for ASCII alone takes over, with AVX-512 as well: English takes 0.84 to 0.88
 * of the time, Russian and Arabic up to 1.05. */
enum { WE_LONG_ASCII = 12 };
#endif

/* ---- Validity ---------------------------------------------------------------------------------------------------- */

/* The constants of the loops; what a kind does not need is not loaded. */
typedef struct {
    we_vector by_high_nibble_before, by_low_nibble_before, by_high_nibble;
    we_vector x0f, x20, x30, x40, x60, x70, x80, xbf, xc0, xc2, xc3, xdf, xe0, xf0, xfe;
} we_utf_8_decode_constants;

WE_ALWAYS_INLINE WE_LEVEL_TARGET we_utf_8_decode_constants we_utf_8_load_decode_constants(int kind)
{
    const we_utf_8_decode_constants constants = {
        we_load_row(kind == WE_UCS2 ? we_utf_8_by_high_nibble_before_ucs2 : we_utf_8_by_high_nibble_before),
        we_load_row(we_utf_8_by_low_nibble_before),
        we_load_row(we_utf_8_by_high_nibble),
        .x0f = we_constant_u8(0x0F),
        .x20 = we_constant_u8(0x20),
        .x30 = we_constant_u8(0x30),
        .x40 = we_constant_u8(0x40),
        .x60 = we_constant_u8(0x60),
        .x70 = we_constant_u8(0x70),
        .x80 = we_constant_u8(0x80),
        .xbf = we_constant_u8(0xBF),
        .xc0 = we_constant_u8(0xC0),
        .xc2 = we_constant_u8(0xC2),
        .xc3 = we_constant_u8(0xC3),
        .xdf = we_constant_u8(0xDF),
        .xe0 = we_constant_u8(0xE0),
        .xf0 = we_constant_u8(0xF0),
        .xfe = we_constant_u8(0xFE),
    };
    return constants;
}

/* A block of 32 bytes. Where a target takes less than all sequences, what it does not take is an error. */
typedef struct {
    we_vector bytes[WE_VECTORS];
    we_vector before[WE_VECTORS];      /* at each position the byte before it, */
    we_vector third_last[WE_VECTORS];  /* two before it, */
    we_vector fourth_last[WE_VECTORS]; /* and three */
    we_vector errors[WE_VECTORS];
    uint32_t ends; /* where a sequence ends, as far as there is no error below */
} we_utf_8_block;

/* What a block needs to know of the one before it: its last vector, and where in it sequences end. A run begins as if
 * after ASCII: the bytes are 0, and the highest bit of `ends` is set. */
typedef struct {
    we_vector bytes;
    uint32_t ends;
} we_utf_8_before;

WE_ALWAYS_INLINE WE_LEVEL_TARGET we_utf_8_block we_utf_8_load_block(const uint8_t *source)
{
    we_utf_8_block block;
    for (int i = 0; i < WE_VECTORS; i++)
        block.bytes[i] = we_load(source + i * WE_WIDTH);
    return block;
}

/* Find the ends and the errors of the block, which are bytes that are not 0; `kind` is a constant wherever this is
 * inlined. https://encoding.spec.whatwg.org/#utf-8-decoder */
WE_ALWAYS_INLINE WE_LEVEL_TARGET void we_utf_8_classify(we_utf_8_block *block, we_vector last, int kind,
                                                        const we_utf_8_decode_constants *constants)
{
    we_vector ends[WE_VECTORS];
    for (int i = 0; i < WE_VECTORS; i++) {
        const we_vector bytes = block->bytes[i];
        const we_vector before = WE_BYTES_BEFORE(last, bytes, 1);
        const we_vector third_last = WE_BYTES_BEFORE(last, bytes, 2);
        const we_vector fourth_last = WE_BYTES_BEFORE(last, bytes, 3);
        if (kind == WE_UCS1) {
            /* Only 0xC2 and 0xC3 begin Latin-1: a continuation after each, and nowhere else, and no other leading
             * byte. */
            const we_vector leading = we_equal_u8(bytes & constants->xfe, constants->xc2);
            const we_vector due = we_equal_u8(before & constants->xfe, constants->xc2);
            const we_vector continuation = WE_U8(WE_LANES(int8_t, bytes) < WE_LANES(int8_t, constants->xc0));
            const we_vector other_leading = we_at_least_u8(bytes, constants->xc0) ^ leading;
            block->errors[i] = (continuation ^ due) | other_leading;
            ends[i] = ~leading;
        } else {
            const we_vector low_nibble = constants->x0f;
            const we_vector flags =
                we_shuffle(constants->by_high_nibble_before, WE_SHIFT_RIGHT_U16(before, 4) & low_nibble)
                & we_shuffle(constants->by_low_nibble_before, before & low_nibble)
                & we_shuffle(constants->by_high_nibble, WE_SHIFT_RIGHT_U16(bytes, 4) & low_nibble);
            /* The high bit where a sequence of three or four is due to go on: 0xE0 - 0x60, 0xF0 - 0x70. */
            we_vector due = we_sub_saturated_u8(third_last, constants->x60);
            we_vector goes_on = we_max_u8(bytes, we_sub_saturated_u8(before, constants->x20));
            if (kind != WE_UCS2) {
                due |= we_sub_saturated_u8(fourth_last, constants->x70);
                goes_on = we_max_u8(goes_on, we_sub_saturated_u8(third_last, constants->x30));
            }
            block->errors[i] = flags ^ (due & constants->x80);
            ends[i] = we_at_least_u8(constants->xbf, goes_on);
        }
        block->before[i] = before;
        block->third_last[i] = third_last;
        block->fourth_last[i] = fourth_last;
        last = bytes;
    }
    block->ends = we_bits_of_block(ends);
}

#if WE_WIDTH == 32
/* The ends of a block that holds nothing but well-formed sequences of one and two bytes, the first of which may be
 * complete only here; 0 if it holds anything else. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET uint32_t we_utf_8_ends_of_two(we_vector bytes, uint32_t ends_before,
                                                               const we_utf_8_decode_constants *constants)
{
    const uint32_t leading = we_bits(we_at_least_u8(bytes, constants->xc0));
    const uint32_t due = leading << 1 | (uint32_t)(~ends_before >> 31);
    /* Not 0 for leading bytes from 0xE0 on, and for 0xC0 and 0xC1, the only bytes with these seven high bits. */
    const we_vector other =
        we_sub_saturated_u8(bytes, constants->xdf) | we_equal_u8(bytes & constants->xfe, constants->xc0);
    return (we_bits(bytes) & ~leading) == due && !we_any_of(other, other) ? ~leading : 0;
}
#endif

/* ---- Storing ----------------------------------------------------------------------------------------------------- */

/* Store a vector of ASCII as units. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET void we_utf_8_store_ascii(uint8_t *target, int kind, we_vector bytes)
{
    if (kind == WE_UCS2) {
        we_widen_to_ucs2(bytes, (uint16_t *)(void *)target);
    } else if (kind == WE_UCS4) {
        we_widen_to_ucs4(bytes, (uint32_t *)(void *)target);
    } else {
        we_store(target, bytes);
    }
}

/* Store those of eight units of UCS2 or UCS4 whose bit is set, and return how many; eight are written. `top` is what
 * UCS4 has above sixteen bits, if `any_top`. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t we_utf_8_store_8_units(uint8_t *target, int kind, we_bytes_16 units,
                                                               we_bytes_16 top, int any_top, uint32_t ends)
{
    const we_bytes_16 places = we_peek_16(&we_set_units[ends]);
    const we_bytes_16 packed = we_shuffle_16(units, places);
    if (kind == WE_UCS2) {
        we_store_16(target, packed);
    } else if (any_top) {
        we_store_8_ucs4((uint32_t *)(void *)target, packed, we_shuffle_16(top, places));
    } else {
        we_widen_8_units_to_ucs4(packed, (uint32_t *)(void *)target);
    }
    return we_count_of_8(ends);
}

/* Store the units that end in one vector of the block and return how many. The target has a capacity of WE_WIDTH. The
 * longest sequence has `longest` bytes, 2 or 4. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t we_utf_8_store_units(const we_utf_8_block *block, int number, uint32_t ends,
                                                             uint8_t *target, int kind, int longest,
                                                             const we_utf_8_decode_constants *constants)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const we_vector bytes = block->bytes[number], before = block->before[number];
    size_t count = 0;
    if (kind == WE_UCS1) {
        /* The trailing byte itself, with bit 6 set after 0xC3. Each eight are stored whole. */
        const we_vector latin1 = bytes | (we_equal_u8(before, constants->xc3) & constants->x40);
        const we_vector packed = we_shuffle(latin1, we_compress_index(ends));
        for (int i = 0; i < WE_WIDTH / 16; i++, ends >>= 16) {
            we_store_8(target + count, we_sixteen(packed, i));
            count += we_count_of_8(ends & 0xFF);
            we_store_high_8(target + count, we_sixteen(packed, i));
            count += we_count_of_8(ends >> 8 & 0xFF);
        }
        return count;
    }
    /* The low sixteen bits of the code point that ends at each position, in two bytes: six bits of the last byte and
     * two of the one before it; four more of that one, and four of the leading byte of three. The shifts are of 16-bit
     * lanes: no bit that comes over from the neighbouring byte is selected. */
    const we_vector not_ascii = we_high_u8(bytes);
    const we_vector low = bytes ^ (not_ascii & constants->xc0 & (bytes ^ WE_SHIFT_LEFT_U16(before, 6)));
    we_vector third_bits = we_all_u8(0), top = third_bits;
    int any_top = 0;
    if (longest > 2) {
        third_bits =
            we_sub_saturated_u8(block->third_last[number], constants->xe0); /* 0 below a leading byte of three */
    }
    if (kind == WE_UCS4) {
        const we_vector third_last = block->third_last[number], fourth_last = block->fourth_last[number];
        const we_vector is_fourth = we_at_least_u8(fourth_last, constants->xf0);
        any_top = we_any_high(is_fourth);
        if (any_top) {
            /* Four bits of the second byte of four; above them, three of the leading byte and two more of the second.
             */
            third_bits = we_blend(is_fourth, third_last, third_bits) & constants->x0f;
            top = (WE_SHIFT_LEFT_U16(fourth_last, 2) & 0x1C) | (WE_SHIFT_RIGHT_U16(third_last, 4) & 0x03);
            top &= is_fourth;
        }
    }
    const we_vector high =
        (not_ascii & constants->x0f & WE_SHIFT_RIGHT_U16(before, 2)) | WE_SHIFT_LEFT_U16(third_bits, 4);
    const we_vector first = we_zip_low_u8(low, high), second = we_zip_high_u8(low, high);
    const we_vector first_top = we_zip_low_u8(top, we_all_u8(0)), second_top = we_zip_high_u8(top, we_all_u8(0));
    for (int i = 0; i < WE_WIDTH / 16; i++, ends >>= 16) {
        count += we_utf_8_store_8_units(target + count * unit_size, kind, we_sixteen(first, i),
                                        we_sixteen(first_top, i), any_top, ends & 0xFF);
        count += we_utf_8_store_8_units(target + count * unit_size, kind, we_sixteen(second, i),
                                        we_sixteen(second_top, i), any_top, ends >> 8 & 0xFF);
    }
    return count;
}

/* ---- The runs ---------------------------------------------------------------------------------------------------- */

/* The last block of a run: at most 32 bytes, some with an error. It is copied first and padded with zeros, and the
 * units are copied to the target, which so needs no more capacity than they take. Adds what it wrote to `written` and
 * returns the bytes read, counted from the block's start, which are fewer than none if a sequence from the block before
 * is incomplete. The target takes `room` units of UCS2 and UCS4. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET ptrdiff_t we_utf_8_last_block(const uint8_t *source, size_t length, uint8_t *target,
                                                               int kind, we_utf_8_before before, size_t room,
                                                               size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 || kind == WE_UTF8 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const we_utf_8_decode_constants constants = we_utf_8_load_decode_constants(kind);
    uint8_t bytes[32] = {0};
    uint8_t units[32 * 4];
    const int is_whole = length == 32 && kind != WE_UTF8; /* the target ends, not the source */
    if (!is_whole)
        memcpy(bytes, source, length);
    we_utf_8_block block = we_utf_8_load_block(is_whole ? source : bytes);
    we_utf_8_classify(&block, before.bytes, kind, &constants);
    uint32_t ends = block.ends & (length < 32 ? (UINT32_C(1) << length) - 1 : ~UINT32_C(0));
    we_vector right[WE_VECTORS];
    for (int i = 0; i < WE_VECTORS; i++)
        right[i] = we_equal_u8(block.errors[i], 0);
    const uint32_t errors = ~we_bits_of_block(right);
    if (errors) {
        ends &= (errors & (0u - errors)) - 1; /* those below the first error */
    }
    if (kind == WE_UCS2 || kind == WE_UCS4) {
        for (size_t units_left = (size_t)__builtin_popcount(ends); units_left > room; units_left--)
            ends ^= UINT32_C(1) << 31 >> __builtin_clz(ends);
    }
    const ptrdiff_t read = (ptrdiff_t)we_utf_8_last_end(0, ends, before.ends);
    if (kind == WE_UTF8) {
        memcpy(target, bytes, read > 0 ? (size_t)read : 0);
        return read;
    }
    size_t count = 0;
    for (int i = 0; i < WE_VECTORS; i++)
        count += we_utf_8_store_units(&block, i, ends >> i * WE_WIDTH, units + count * unit_size, kind, 4, &constants);
    memcpy(target, units, count * unit_size);
    *written += count;
    return read;
}

/* The same for each kind, out of line. */
#define WE_UTF_8_LAST_BLOCK(name, kind)                                                                                \
    static WE_LEVEL_TARGET WE_NEVER_INLINE ptrdiff_t name(const uint8_t *source, size_t length, uint8_t *target,       \
                                                          we_utf_8_before before, size_t room, size_t *written)        \
    {                                                                                                                  \
        return we_utf_8_last_block(source, length, target, kind, before, room, written);                               \
    }
WE_UTF_8_LAST_BLOCK(we_utf_8_last_block_to_ucs1, WE_UCS1)
WE_UTF_8_LAST_BLOCK(we_utf_8_last_block_to_ucs2, WE_UCS2)
WE_UTF_8_LAST_BLOCK(we_utf_8_last_block_to_ucs4, WE_UCS4)
WE_UTF_8_LAST_BLOCK(we_utf_8_last_block_to_utf8, WE_UTF8)

/* Every decoder run; `kind` is a constant wherever this is inlined.
 *
 * Capacity: the target has a unit for each byte of the source, and a sequence gives no more units than it has bytes, so
 * that 32 units fit from `at` on wherever 32 bytes are left. No eight positions end more than eight units, so those of
 * each eight begin at most at their own position in the block, from which eight units fit. A target that has fewer
 * units is filled by last blocks. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_utf_8_decode)(const uint8_t *source, size_t length, void *target,
                                                                     int kind, size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 || kind == WE_UTF8 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const we_utf_8_decode_constants constants = we_utf_8_load_decode_constants(kind);
    const int is_told = kind == WE_UCS2 || kind == WE_UCS4; /* how many units the target takes */
    const size_t room = we_room(kind, written), block_size = 32 * unit_size;
    uint8_t *at = (uint8_t *)target;
    const uint8_t *const end = at + (room < length ? room : length) * unit_size;
    size_t position = 0;
    we_utf_8_before before = {we_all_u8(0), UINT32_C(1) << 31};
#if WE_WIDTH == 32
    /* What is incomplete before the block, if anything, is the leading byte of a pair, and longer sequences are
     * unlikely in it. */
    int try_two = kind == WE_UCS2;
    unsigned ascii_blocks = 0;
#endif
    size_t blocks = 0; /* that are sure to be read and to fit */
    for (;; position += 32, blocks--) {
        if (blocks == 0) {
            const size_t fit = (size_t)(end - at) / block_size;
            blocks = (length - position) / 32;
            blocks = is_told && fit < blocks ? fit : blocks;
            if (blocks == 0)
                break;
        }
        we_utf_8_block block = we_utf_8_load_block(source + position);
        const we_vector last = block.bytes[WE_VECTORS - 1];
        if (kind == WE_UTF8) {
            at = (uint8_t *)target + position;
            for (int i = 0; i < WE_VECTORS; i++)
                we_store(at + i * WE_WIDTH, block.bytes[i]);
        }
        if (before.ends >> 31 && WE_LIKELY(!we_any_high(block.bytes[0] | last))) {
            for (int i = 0; i < WE_VECTORS && kind != WE_UTF8; i++)
                we_utf_8_store_ascii(at + i * WE_WIDTH * unit_size, kind, block.bytes[i]);
            /* The bytes before may stay those before the ASCII: after any complete sequence the same may follow. */
            before.ends = ~UINT32_C(0);
            at += 32 * unit_size;
#if WE_WIDTH == 32
            if ((kind == WE_UCS2 || kind == WE_UCS4) && WE_UNLIKELY(++ascii_blocks == WE_LONG_ASCII)) {
                const size_t rest = length - position - 32, most = (size_t)(end - at) / unit_size;
                const size_t ascii =
                    we_utf_8_long_ascii_avx2(source + position + 32, rest < most ? rest : most, at, kind);
                position += ascii;
                at += ascii * unit_size;
                ascii_blocks = 0;
                blocks = 1;
            }
#endif
            continue;
        }
#if WE_WIDTH == 32
        ascii_blocks = 0;
        if (try_two) {
            const uint32_t ends = we_utf_8_ends_of_two(last, before.ends, &constants);
            if (ends != 0) {
                block.before[0] = WE_BYTES_BEFORE(before.bytes, last, 1);
                at += unit_size * we_utf_8_store_units(&block, 0, ends, at, kind, 2, &constants);
                before.bytes = last;
                before.ends = ends;
                continue;
            }
        }
#endif
        we_utf_8_classify(&block, before.bytes, kind, &constants);
        const we_vector errors = block.errors[0] | block.errors[WE_VECTORS - 1];
        if (we_any_of(errors, errors))
            break;
        for (int i = 0; i < WE_VECTORS && kind != WE_UTF8; i++)
            at += unit_size * we_utf_8_store_units(&block, i, block.ends >> i * WE_WIDTH, at, kind, 4, &constants);
#if WE_WIDTH == 32
        try_two = kind == WE_UCS2 && block.ends >> 31
                  && __builtin_popcount(block.ends) > 14; /* 32 bytes without longer sequences have at least 15 ends */
#endif
        before.bytes = last;
        before.ends = block.ends;
    }
    if (kind == WE_UTF8)
        at = (uint8_t *)target + position;
    *written = (size_t)(at - (uint8_t *)target) / unit_size;
    const int is_filled = is_told && room < length && (size_t)(end - at) < block_size;
    int goes_on = *written < room;
    if (!goes_on)
        position = we_utf_8_last_end(position, 0, before.ends);
    while (goes_on) {
        const uint8_t *const from = source + position;
        const size_t rest = length - position < 32 ? length - position : 32, left = room - *written;
        const ptrdiff_t read = kind == WE_UCS1   ? we_utf_8_last_block_to_ucs1(from, rest, at, before, left, written)
                               : kind == WE_UCS2 ? we_utf_8_last_block_to_ucs2(from, rest, at, before, left, written)
                               : kind == WE_UCS4 ? we_utf_8_last_block_to_ucs4(from, rest, at, before, left, written)
                                                 : we_utf_8_last_block_to_utf8(from, rest, at, before, left, written);
        position = (size_t)((ptrdiff_t)position + read);
        at = (uint8_t *)target + *written * unit_size;
        before.bytes = we_all_u8(0);
        before.ends = UINT32_C(1) << 31;
        goes_on = is_filled && read > 0 && *written < room;
    }
#if WE_WIDTH == 32
    /* GCC omits this, as it takes a callee with a vector as an argument for one that has done it: SSE instructions
     * after that take twice as long. */
    _mm256_zeroupper();
#endif
    return position;
}

/* Copy the longest prefix of complete, valid sequences; return its length. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_utf_8_validate)(const uint8_t *source, size_t length,
                                                                       uint8_t *target)
{
    size_t written;
    return WE_AT_LEVEL(we_utf_8_decode)(source, length, target, WE_UTF8, &written);
}
