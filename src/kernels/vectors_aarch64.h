/* The operations of vectors.h by NEON; only vectors.h includes this. What each of them gives is said in
 * vectors_x86_64.h. */
#ifndef WE_VECTORS_AARCH64_H
#define WE_VECTORS_AARCH64_H

#include "cpu.h"

#if defined(WE_HAVE_NEON)

#define WE_U16_OF(bytes) vreinterpretq_u16_u8(bytes)
#define WE_U32_OF(bytes) vreinterpretq_u32_u8(bytes)
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

WE_ALWAYS_INLINE we_bytes_16 we_load_row_16(const void *source)
{
    return we_load_16(source);
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

WE_ALWAYS_INLINE we_bytes_16 we_sub_saturated_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return vqsubq_u8(a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_max_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return vmaxq_u8(a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_at_least_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return vcgeq_u8(a, b);
}

#define WE_ADD_HIGH_BIT_U8(counts, bytes) vsraq_n_u8((counts), (bytes), 7)

WE_ALWAYS_INLINE we_bytes_16 we_zip_low_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return vzip1q_u8(a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_zip_high_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return vzip2q_u8(a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_zip_low_u16(we_bytes_16 a, we_bytes_16 b)
{
    return vreinterpretq_u8_u16(vzip1q_u16(WE_U16_OF(a), WE_U16_OF(b)));
}

WE_ALWAYS_INLINE we_bytes_16 we_zip_high_u16(we_bytes_16 a, we_bytes_16 b)
{
    return vreinterpretq_u8_u16(vzip2q_u16(WE_U16_OF(a), WE_U16_OF(b)));
}

WE_ALWAYS_INLINE we_bytes_16 we_low_bytes_16(we_bytes_16 a, we_bytes_16 b)
{
    return vuzp1q_u8(a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_pack_u16_16(we_bytes_16 a, we_bytes_16 b)
{
    return we_low_bytes_16(a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_high_bytes_16(we_bytes_16 a, we_bytes_16 b)
{
    return vuzp2q_u8(a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_low_units_16(we_bytes_16 a, we_bytes_16 b)
{
    return vreinterpretq_u8_u16(vuzp1q_u16(WE_U16_OF(a), WE_U16_OF(b)));
}

WE_ALWAYS_INLINE we_bytes_16 we_narrow_saturated_u16_16(we_bytes_16 a, we_bytes_16 b)
{
    return vqmovn_high_u16(vqmovn_u16(WE_U16_OF(a)), WE_U16_OF(b));
}

#define we_pack_saturated_u16_16 we_narrow_saturated_u16_16

WE_ALWAYS_INLINE size_t we_sum_u8(we_bytes_16 bytes)
{
    return vaddlvq_u8(bytes);
}

/* NEON has no movemask. Four bits for each byte are the nearest that takes one instruction. */
#define WE_MASK_BITS 4
WE_ALWAYS_INLINE uint64_t we_mask_16(we_bytes_16 mask)
{
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(WE_U16_OF(mask), 4)), 0);
}

WE_ALWAYS_INLINE size_t we_ascii_in_16(we_bytes_16 bytes)
{
    uint64_t mask = we_mask_16(we_high_u8(bytes));
    return mask == 0 ? 16 : (size_t)__builtin_ctzll(mask) / WE_MASK_BITS;
}

WE_ALWAYS_INLINE int we_any_high_16(we_bytes_16 bytes)
{
    return vmaxvq_u8(bytes) >= 0x80;
}

WE_ALWAYS_INLINE int we_any_16(we_bytes_16 bytes)
{
    return vmaxvq_u32(WE_U32_OF(bytes)) != 0;
}

/* The bit that byte n of a mask has in the byte of a bit mask to which it belongs. */
WE_ALWAYS_INLINE we_bytes_16 we_bit_of_u8(void)
{
    return vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)));
}

WE_ALWAYS_INLINE uint64_t we_bits_of_64_16(const we_bytes_16 masks[4])
{
    const we_bytes_16 bit = we_bit_of_u8();
    const we_bytes_16 first = vpaddq_u8(masks[0] & bit, masks[1] & bit);
    const we_bytes_16 second = vpaddq_u8(masks[2] & bit, masks[3] & bit);
    const we_bytes_16 all = vpaddq_u8(first, second);
    return vgetq_lane_u64(WE_U64_OF(vpaddq_u8(all, all)), 0);
}

WE_ALWAYS_INLINE uint32_t we_bits_16(we_bytes_16 mask)
{
    const we_bytes_16 bits = mask & we_bit_of_u8();
    const we_bytes_16 zipped =
        vzip1q_u8(bits, vextq_u8(bits, bits, 8)); /* the bits of each byte of the result, in alternate lanes */
    return vaddvq_u16(WE_U16_OF(zipped));
}

WE_ALWAYS_INLINE uint32_t we_bits_of_block_16(const we_bytes_16 masks[2])
{
    const we_bytes_16 bit = we_bit_of_u8();
    const we_bytes_16 fours = vpaddq_u8(masks[0] & bit, masks[1] & bit);
    const we_bytes_16 twos = vpaddq_u8(fours, fours);
    return vgetq_lane_u32(WE_U32_OF(vpaddq_u8(twos, twos)), 0);
}

WE_ALWAYS_INLINE we_bytes_16 we_sixteen_16(we_bytes_16 bytes, int number)
{
    return (void)number, bytes;
}

WE_ALWAYS_INLINE uint32_t we_bits_of_u16(we_bytes_16 mask)
{
    static const uint16_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(vandq_u16(WE_U16_OF(mask), vld1q_u16(bit)));
}

WE_ALWAYS_INLINE uint64_t we_low_u64(we_bytes_16 bytes)
{
    return vgetq_lane_u64(WE_U64_OF(bytes), 0);
}

WE_ALWAYS_INLINE uint64_t we_high_u64(we_bytes_16 bytes)
{
    return vgetq_lane_u64(WE_U64_OF(bytes), 1);
}

WE_ALWAYS_INLINE we_bytes_16 we_shuffle_16(we_bytes_16 bytes, we_bytes_16 index)
{
    return vqtbl1q_u8(bytes, index);
}

#define WE_BYTES_BEFORE_16(before, bytes, count) vextq_u8((before), (bytes), 16 - (count))
#define WE_BYTES_AFTER_16(bytes, after) vextq_u8((bytes), (after), 1)

WE_ALWAYS_INLINE int we_any_of_16(we_bytes_16 bytes, we_bytes_16 bits)
{
    return we_any_16(bytes & bits);
}

WE_ALWAYS_INLINE we_bytes_16 we_blend_16(we_bytes_16 mask, we_bytes_16 a, we_bytes_16 b)
{
    return vbslq_u8(mask, a, b);
}

WE_ALWAYS_INLINE we_bytes_16 we_max_u16_16(we_bytes_16 a, we_bytes_16 b)
{
    return vreinterpretq_u8_u16(vmaxq_u16(WE_U16_OF(a), WE_U16_OF(b)));
}

WE_ALWAYS_INLINE we_bytes_16 we_at_least_u16(we_bytes_16 a, we_bytes_16 b)
{
    return vreinterpretq_u8_u16(vcgeq_u16(WE_U16_OF(a), WE_U16_OF(b)));
}

WE_ALWAYS_INLINE we_bytes_16 we_at_least_u32(we_bytes_16 a, we_bytes_16 b)
{
    return vreinterpretq_u8_u32(vcgeq_u32(WE_U32_OF(a), WE_U32_OF(b)));
}

WE_ALWAYS_INLINE int we_any_at_least_u16_16(we_bytes_16 units, uint16_t least)
{
    return vmaxvq_u16(WE_U16_OF(units)) >= least;
}

WE_ALWAYS_INLINE int we_any_from_u16_16(we_bytes_16 units, uint16_t bits)
{
    return vmaxvq_u16(WE_U16_OF(units)) >= (bits & (0u - bits));
}

WE_ALWAYS_INLINE int we_any_from_u32(we_bytes_16 units, uint32_t bits)
{
    return vmaxvq_u32(WE_U32_OF(units)) >= (bits & (0u - bits));
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
    return vcombine_u8(vcreate_u8(we_look_up_4(table, we_low_u64(keys))),
                       vcreate_u8(we_look_up_4(table, we_high_u64(keys))));
}

WE_ALWAYS_INLINE we_bytes_16 we_look_up_16(const uint16_t *table, const uint16_t *keys)
{
    return we_look_up_8(table, we_load_16(keys));
}

WE_ALWAYS_INLINE int we_any_null_u16(we_bytes_16 units)
{
    return vminvq_u16(WE_U16_OF(units)) == 0;
}

WE_ALWAYS_INLINE we_bytes_16 we_swap_u16_16(we_bytes_16 bytes)
{
    return vrev16q_u8(bytes);
}

WE_ALWAYS_INLINE uint32_t we_pairs_of_bits_u16(we_bytes_16 first, we_bytes_16 second)
{
    static const uint16_t bit[8] = {1 << 0, 1 << 2, 1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14};
    const uint16x8_t first_bit = vld1q_u16(bit);
    const uint16x8_t second_bit = vaddq_u16(first_bit, first_bit);
    return vaddvq_u16(vorrq_u16(vandq_u16(WE_U16_OF(first), first_bit), vandq_u16(WE_U16_OF(second), second_bit)));
}

/* How many bits are set in a byte: 256 entries. */
#define WE_COUNT_2(count) (count), (count) + 1, (count) + 1, (count) + 2
#define WE_COUNT_4(count) WE_COUNT_2(count), WE_COUNT_2((count) + 1), WE_COUNT_2((count) + 1), WE_COUNT_2((count) + 2)
#define WE_COUNT_6(count) WE_COUNT_4(count), WE_COUNT_4((count) + 1), WE_COUNT_4((count) + 1), WE_COUNT_4((count) + 2)
static const uint8_t we_bit_count[256] = {WE_COUNT_6(0), WE_COUNT_6(1), WE_COUNT_6(1), WE_COUNT_6(2)};

WE_ALWAYS_INLINE size_t we_count_of_8(uint32_t bits)
{
    return we_bit_count[bits];
}
#endif

#endif
