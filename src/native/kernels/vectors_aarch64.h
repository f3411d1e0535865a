/* The operations of vectors.h by NEON; only vectors.h includes this. What each of them gives is said in
 * vectors_x86_64.h. */
#ifndef WE_VECTORS_AARCH64_H
#define WE_VECTORS_AARCH64_H

#include "cpu.h"

#if defined(WE_HAVE_NEON)

/* Other lanes, as the intrinsic functions have them. */
#define WE_U16_OF(bytes) vreinterpretq_u16_u8(bytes)
#define WE_U64_OF(bytes) vreinterpretq_u64_u8(bytes)

WE_ALWAYS_INLINE we_bytes_16 we_load_16(const void *source)
{
    we_bytes_16 loaded = vld1q_u8((const uint8_t *)source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

WE_ALWAYS_INLINE void we_store_16(void *target, we_bytes_16 bytes)
{
    vst1q_u8((uint8_t *)target, bytes);
}

WE_ALWAYS_INLINE we_bytes_16 we_load_8(const void *source)
{
    return vcombine_u8(vld1_u8((const uint8_t *)source), vdup_n_u8(0));
}

WE_ALWAYS_INLINE we_bytes_16 we_load_halves(const void *low, const void *high)
{
    return vcombine_u8(vld1_u8((const uint8_t *)low), vld1_u8((const uint8_t *)high));
}

WE_ALWAYS_INLINE void we_store_8(void *target, we_bytes_16 bytes)
{
    vst1_u8((uint8_t *)target, vget_low_u8(bytes));
}

WE_ALWAYS_INLINE void we_store_high_8(void *target, we_bytes_16 bytes)
{
    vst1_u8((uint8_t *)target, vget_high_u8(bytes));
}

#define we_max_u8_16(a, b) ((we_bytes_16)vmaxq_u8(a, b))
#define we_max_u16_16(a, b) WE_U8(vmaxq_u16(WE_U16_OF(a), WE_U16_OF(b)))
#define we_sub_saturated_u8_16(a, b) ((we_bytes_16)vqsubq_u8(a, b))
#define we_at_least_u8(a, b) WE_U8((a) >= (b))
#define we_at_least_u16(a, b) WE_U8(WE_U16(a) >= WE_U16(b))
#define we_at_least_u32(a, b) WE_U8(WE_U32(a) >= WE_U32(b))
#define WE_ADD_HIGH_BIT_U8(counts, bytes) ((we_bytes_16)vsraq_n_u8(counts, bytes, 7))

#define we_zip_low_u8_16(a, b) ((we_bytes_16)vzip1q_u8(a, b))
#define we_zip_high_u8_16(a, b) ((we_bytes_16)vzip2q_u8(a, b))
#define we_zip_low_u16(a, b) WE_U8(vzip1q_u16(WE_U16_OF(a), WE_U16_OF(b)))
#define we_zip_high_u16(a, b) WE_U8(vzip2q_u16(WE_U16_OF(a), WE_U16_OF(b)))
#define we_low_bytes_16(a, b) ((we_bytes_16)vuzp1q_u8(a, b))
#define we_low_units_16(a, b) WE_U8(vuzp1q_u16(WE_U16_OF(a), WE_U16_OF(b)))
#define we_narrow_saturated_u16_16(a, b) ((we_bytes_16)vqmovn_high_u16(vqmovn_u16(WE_U16_OF(a)), WE_U16_OF(b)))
#define we_pack_u16_16(a, b) we_low_bytes_16(a, b)
#define we_pack_saturated_u16_16(a, b) we_narrow_saturated_u16_16(a, b)

#define we_shuffle_16(bytes, index) ((we_bytes_16)vqtbl1q_u8(bytes, index))
#define we_blend_16(mask, a, b) ((we_bytes_16)vbslq_u8(mask, a, b))
#define we_swap_u16_16(bytes) ((we_bytes_16)vrev16q_u8(bytes))
#define WE_BYTES_BEFORE_16(before, bytes, count) ((we_bytes_16)vextq_u8(before, bytes, 16 - (count)))
#define WE_BYTES_AFTER_16(bytes, after) ((we_bytes_16)vextq_u8(bytes, after, 1))

#define we_has_bit_u8(bytes, bit) ((we_bytes_16)vtstq_u8(bytes, bit))
#define we_sum_u8(bytes) ((size_t)vaddlvq_u8(bytes))
#define we_any_high_16(bytes) (vmaxvq_u8(bytes) >= 0x80)
#define we_any_16(bytes) (vmaxvq_u32(vreinterpretq_u32_u8(bytes)) != 0)
#define we_any_of_16(bytes, bits) we_any_16((bytes) & (bits))

/* NEON has no movemask. Four bits for each byte are the nearest that takes one instruction. */
#define we_mask_16(mask) vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(WE_U16_OF(mask), 4)), 0)
#define WE_MASK_BITS 4

WE_ALWAYS_INLINE size_t we_ascii_in_16(we_bytes_16 bytes)
{
    uint64_t mask = we_mask_16(we_high_u8(bytes));
    return mask == 0 ? 16 : (size_t)__builtin_ctzll(mask) / WE_MASK_BITS;
}

/* The bit that byte n of a mask has in the byte of a bit mask to which it belongs. */
#define WE_BIT_OF_U8 vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)))

WE_ALWAYS_INLINE uint64_t we_bits_of_64_16(const we_bytes_16 masks[4])
{
    const we_bytes_16 bit = WE_BIT_OF_U8;
    const we_bytes_16 first = vpaddq_u8(masks[0] & bit, masks[1] & bit);
    const we_bytes_16 second = vpaddq_u8(masks[2] & bit, masks[3] & bit);
    const we_bytes_16 all = vpaddq_u8(first, second);
    return vgetq_lane_u64(WE_U64_OF(vpaddq_u8(all, all)), 0);
}

WE_ALWAYS_INLINE uint32_t we_bits_16(we_bytes_16 mask)
{
    const we_bytes_16 bits = mask & WE_BIT_OF_U8;
    /* The bits of each byte of the result are in alternate lanes. */
    return vaddvq_u16(WE_U16_OF(vzip1q_u8(bits, vextq_u8(bits, bits, 8))));
}

WE_ALWAYS_INLINE uint32_t we_bits_of_block_16(const we_bytes_16 masks[2])
{
    const we_bytes_16 bit = WE_BIT_OF_U8;
    const we_bytes_16 fours = vpaddq_u8(masks[0] & bit, masks[1] & bit);
    const we_bytes_16 twos = vpaddq_u8(fours, fours);
    return (uint32_t)vgetq_lane_u64(WE_U64_OF(vpaddq_u8(twos, twos)), 0);
}

WE_ALWAYS_INLINE uint32_t we_bits_of_u16(we_bytes_16 mask)
{
    static const uint16_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(vandq_u16(WE_U16_OF(mask), vld1q_u16(bit)));
}

WE_ALWAYS_INLINE uint32_t we_pairs_of_bits_u16(we_bytes_16 first, we_bytes_16 second)
{
    static const uint16_t bit[8] = {1 << 0, 1 << 2, 1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14};
    const uint16x8_t first_bit = vld1q_u16(bit);
    const uint16x8_t second_bit = vaddq_u16(first_bit, first_bit);
    return vaddvq_u16(vorrq_u16(vandq_u16(WE_U16_OF(first), first_bit), vandq_u16(WE_U16_OF(second), second_bit)));
}

/* Four entries by four keys of 16 bits, the first in the lowest bits of both. */
WE_ALWAYS_INLINE uint64_t we_look_up_4(const uint16_t *table, uint64_t keys)
{
    uint64_t entries = (uint64_t)table[keys >> 48] << 16 | table[keys >> 32 & 0xFFFF];
    entries = entries << 16 | table[keys >> 16 & 0xFFFF];
    return entries << 16 | table[keys & 0xFFFF];
}

WE_ALWAYS_INLINE we_bytes_16 we_look_up_8(const uint16_t *table, we_bytes_16 keys)
{
    uint64_t low = vgetq_lane_u64(WE_U64_OF(keys), 0), high;
    /* Once for all shifts: compilers may take them from the vector again. For the high lane GCC takes two instructions
     * unless it is told. */
    WE_KEEP_READ(low);
    __asm__("umov %0, %1.d[1]" : "=r"(high) : "w"(keys));
    return vcombine_u8(vcreate_u8(we_look_up_4(table, low)), vcreate_u8(we_look_up_4(table, high)));
}

/* How many bits are set in a byte: 256 entries. */
#define WE_COUNT_2(count) (count), (count) + 1, (count) + 1, (count) + 2
#define WE_COUNT_4(count) WE_COUNT_2(count), WE_COUNT_2((count) + 1), WE_COUNT_2((count) + 1), WE_COUNT_2((count) + 2)
#define WE_COUNT_6(count) WE_COUNT_4(count), WE_COUNT_4((count) + 1), WE_COUNT_4((count) + 1), WE_COUNT_4((count) + 2)
static const uint8_t we_bit_count[256] = {WE_COUNT_6(0), WE_COUNT_6(1), WE_COUNT_6(1), WE_COUNT_6(2)};
#define we_count_of_8(bits) ((size_t)we_bit_count[bits])

/* Twice the counts: the sizes of as many units need no shift. */
WE_ALWAYS_INLINE uint64_t we_running_sizes(uint64_t bits)
{
    return vget_lane_u64(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(bits))), 0) * UINT64_C(0x0202020202020202);
}

#define we_size_before(sizes, number) ((number) == 0 ? 0 : (size_t)((sizes) >> ((number) * 8 - 8) & 0xFF))
#endif

#endif
