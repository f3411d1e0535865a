/* The operations of vectors.h by WebAssembly's SIMD of 128 bits; only vectors.h includes this. What each of them gives
 * is said in vectors_x86_64.h. A module's memory is its own, so that no other thread changes what was loaded. */
#ifndef WE_VECTORS_WASM32_H
#define WE_VECTORS_WASM32_H

#include "cpu.h"

#if defined(WE_HAVE_SIMD128)

#define WE_V128(bytes) ((v128_t)(bytes))
/* What an intrinsic function gives for two vectors. */
#define WE_BINARY_V128(intrinsic, a, b) ((we_bytes_16)intrinsic(WE_V128(a), WE_V128(b)))

WE_ALWAYS_INLINE we_bytes_16 we_load_16(const void *source)
{
    return (we_bytes_16)wasm_v128_load(source);
}

WE_ALWAYS_INLINE void we_store_16(void *target, we_bytes_16 bytes)
{
    wasm_v128_store(target, WE_V128(bytes));
}

WE_ALWAYS_INLINE we_bytes_16 we_load_8(const void *source)
{
    return (we_bytes_16)wasm_v128_load64_zero(source);
}

WE_ALWAYS_INLINE we_bytes_16 we_load_halves(const void *low, const void *high)
{
    return (we_bytes_16)wasm_v128_load64_lane(high, wasm_v128_load64_zero(low), 1);
}

WE_ALWAYS_INLINE void we_store_8(void *target, we_bytes_16 bytes)
{
    wasm_v128_store64_lane(target, WE_V128(bytes), 0);
}

WE_ALWAYS_INLINE void we_store_high_8(void *target, we_bytes_16 bytes)
{
    wasm_v128_store64_lane(target, WE_V128(bytes), 1);
}

#define we_max_u8_16(a, b) WE_BINARY_V128(wasm_u8x16_max, a, b)
#define we_max_u16_16(a, b) WE_BINARY_V128(wasm_u16x8_max, a, b)
#define we_sub_saturated_u8_16(a, b) WE_BINARY_V128(wasm_u8x16_sub_sat, a, b)
#define we_sub_saturated_s8_16(a, b) WE_BINARY_V128(wasm_i8x16_sub_sat, a, b)
#define we_at_least_u8(a, b) WE_U8((a) >= (b))
#define we_at_least_u16(a, b) WE_U8(WE_U16(a) >= WE_U16(b))
#define we_at_least_u32(a, b) WE_U8(WE_U32(a) >= WE_U32(b))
#define WE_ADD_HIGH_BIT_U8(counts, bytes) ((counts) - we_high_u8(bytes))

/* Bytes of two vectors by their numbers, which are constants: those of `b` from 16 on. */
#define WE_CHOOSE_U8(a, b, ...) ((we_bytes_16)wasm_i8x16_shuffle(WE_V128(a), WE_V128(b), __VA_ARGS__))
#define WE_CHOOSE_U16(a, b, ...) ((we_bytes_16)wasm_i16x8_shuffle(WE_V128(a), WE_V128(b), __VA_ARGS__))
#define we_zip_low_u8_16(a, b) WE_CHOOSE_U8(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define we_zip_high_u8_16(a, b) WE_CHOOSE_U8(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define we_zip_low_u16(a, b) WE_CHOOSE_U16(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define we_zip_high_u16(a, b) WE_CHOOSE_U16(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define we_low_bytes_16(a, b) WE_CHOOSE_U8(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define we_low_units_16(a, b) WE_CHOOSE_U16(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define we_swap_u16_16(bytes) WE_CHOOSE_U8(bytes, bytes, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define WE_FROM(a, b, n)                                                                                               \
    WE_CHOOSE_U8(a, b, (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7, (n) + 8, (n) + 9, (n) + 10, \
                 (n) + 11, (n) + 12, (n) + 13, (n) + 14, (n) + 15)
#define WE_BYTES_BEFORE_16(before, bytes, count) WE_FROM(before, bytes, 16 - (count))
#define WE_BYTES_AFTER_16(bytes, after) WE_FROM(bytes, after, 1)

#define we_pack_u16_16(a, b) WE_BINARY_V128(wasm_u8x16_narrow_i16x8, a, b)
#define we_pack_saturated_u16_16 we_pack_u16_16
/* The narrowing reads signed units. */
#define WE_AT_MOST_FF(units) wasm_u16x8_min(WE_V128(units), wasm_u16x8_const_splat(0xFF))
#define we_narrow_saturated_u16_16(a, b) we_pack_u16_16(WE_AT_MOST_FF(a), WE_AT_MOST_FF(b))

#define WE_SHUFFLE_WRAPS 0
#define we_shuffle_16(bytes, index) WE_BINARY_V128(wasm_i8x16_swizzle, bytes, index)
#define we_blend_16(mask, a, b) ((we_bytes_16)wasm_v128_bitselect(WE_V128(a), WE_V128(b), WE_V128(mask)))
#define we_has_bit_u8(bytes, bit) we_equal_u8((bytes) & (bit), bit)

WE_ALWAYS_INLINE size_t we_sum_u8(we_bytes_16 bytes)
{
    const v128_t sums = wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(WE_V128(bytes)));
    return wasm_u32x4_extract_lane(sums, 0) + wasm_u32x4_extract_lane(sums, 1) + wasm_u32x4_extract_lane(sums, 2)
           + wasm_u32x4_extract_lane(sums, 3);
}

#define we_bits_16(mask) ((uint32_t)wasm_i8x16_bitmask(WE_V128(mask)))
#define we_bits_of_u16(mask) ((uint32_t)wasm_i16x8_bitmask(WE_V128(mask)))
#define we_bits_of_block_16(masks) (we_bits_16((masks)[0]) | we_bits_16((masks)[1]) << 16)
#define we_bits_of_64_16(masks) (we_bits_of_block_16(masks) | (uint64_t)we_bits_of_block_16((masks) + 2) << 32)
#define we_pairs_of_bits_u16(first, second) we_bits_16(we_blend_16(we_all_u16(0xFF00), second, first))
#define we_mask_16(mask) ((uint64_t)we_bits_16(mask))
#define WE_MASK_BITS 1
#define we_ascii_in_16(bytes) ((size_t)__builtin_ctz(we_bits_16(bytes) | 0x10000u))
#define we_any_high_16(bytes) (we_bits_16(bytes) != 0)
#define we_any_16(bytes) wasm_v128_any_true(WE_V128(bytes))
#define we_any_of_16(bytes, bits) we_any_16((bytes) & (bits))

#define WE_KEYS_IN_MEMORY 1

WE_ALWAYS_INLINE we_bytes_16 we_look_up_16(const uint16_t *table, const uint16_t *keys)
{
    v128_t entries = wasm_v128_load16_lane(table + keys[0], wasm_u16x8_const_splat(0), 0);
    entries = wasm_v128_load16_lane(table + keys[1], entries, 1);
    entries = wasm_v128_load16_lane(table + keys[2], entries, 2);
    entries = wasm_v128_load16_lane(table + keys[3], entries, 3);
    entries = wasm_v128_load16_lane(table + keys[4], entries, 4);
    entries = wasm_v128_load16_lane(table + keys[5], entries, 5);
    entries = wasm_v128_load16_lane(table + keys[6], entries, 6);
    return (we_bytes_16)wasm_v128_load16_lane(table + keys[7], entries, 7);
}

WE_ALWAYS_INLINE we_bytes_16 we_look_up_8(const uint16_t *table, we_bytes_16 keys)
{
    uint16_t stored[8];
    we_store_16(stored, keys);
    return we_look_up_16(table, stored);
}

#define we_count_of_8(bits) ((size_t)__builtin_popcount(bits))
#define we_running_sizes(bits) (bits)
#define we_size_before(bits, number)                                                                                   \
    ((number) == 0 ? 0 : 2 * (size_t)__builtin_popcountll((bits) << (64 - (number) * 8)))
#endif

#endif
