/* The operations of vectors.h by the instruction sets of x86-64; only vectors.h includes this. */
#ifndef WE_VECTORS_X86_64_H
#define WE_VECTORS_X86_64_H

#include "cpu.h"

#if defined(WE_HAVE_SSE2)

/* ---- The baseline ------------------------------------------------------------------------------------------------ */

#define WE_M128I(bytes) ((__m128i)(bytes))

WE_ALWAYS_INLINE we_bytes_16 we_load_16(const void *source)
{
    we_bytes_16 loaded = (we_bytes_16)_mm_loadu_si128((const __m128i *)source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

WE_ALWAYS_INLINE void we_store_16(void *target, we_bytes_16 bytes)
{
    _mm_storeu_si128((__m128i *)target, WE_M128I(bytes));
}

/* Sixteen bytes, for each sixteen of a vector. */
WE_ALWAYS_INLINE we_bytes_16 we_load_row_16(const void *source)
{
    return we_load_16(source);
}

/* Eight bytes and eight zeros. */
WE_ALWAYS_INLINE we_bytes_16 we_load_8(const void *source)
{
    we_bytes_16 loaded = (we_bytes_16)_mm_loadl_epi64((const __m128i *)source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

/* Eight bytes from one place and eight from another. */
WE_ALWAYS_INLINE we_bytes_16 we_load_halves(const void *low, const void *high)
{
    return (we_bytes_16)_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)low),
                                           _mm_loadl_epi64((const __m128i *)high));
}

/* Store the first eight bytes, the last eight. */
WE_ALWAYS_INLINE void we_store_8(void *target, we_bytes_16 bytes)
{
    _mm_storel_epi64((__m128i *)target, WE_M128I(bytes));
}

WE_ALWAYS_INLINE void we_store_high_8(void *target, we_bytes_16 bytes)
{
    _mm_storel_epi64((__m128i *)target, _mm_unpackhi_epi64(WE_M128I(bytes), WE_M128I(bytes)));
}

/* a - b, or 0 where that is negative. */
WE_ALWAYS_INLINE we_bytes_16 we_sub_saturated_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_subs_epu8(WE_M128I(a), WE_M128I(b));
}

WE_ALWAYS_INLINE we_bytes_16 we_max_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_max_epu8(WE_M128I(a), WE_M128I(b));
}

/* a - b as signed numbers, or the least one where that is less. */
WE_ALWAYS_INLINE we_bytes_16 we_sub_saturated_s8_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_subs_epi8(WE_M128I(a), WE_M128I(b));
}

/* a >= b, unsigned. */
WE_ALWAYS_INLINE we_bytes_16 we_at_least_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return we_equal_u8(we_max_u8_16(a, b), a);
}

/* Add 1 to each byte of `counts` where `bytes` has the high bit. */
#define WE_ADD_HIGH_BIT_U8(counts, bytes) ((counts) - we_high_u8(bytes))

/* The lanes of `a` and `b` in turn: those of the lower halves, of the upper halves. With zeros for `b`, that widens. */
WE_ALWAYS_INLINE we_bytes_16 we_zip_low_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_unpacklo_epi8(WE_M128I(a), WE_M128I(b));
}

WE_ALWAYS_INLINE we_bytes_16 we_zip_high_u8_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_unpackhi_epi8(WE_M128I(a), WE_M128I(b));
}

WE_ALWAYS_INLINE we_bytes_16 we_zip_low_u16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_unpacklo_epi16(WE_M128I(a), WE_M128I(b));
}

WE_ALWAYS_INLINE we_bytes_16 we_zip_high_u16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_unpackhi_epi16(WE_M128I(a), WE_M128I(b));
}

/* The low bytes of two vectors of 16-bit units. */
WE_ALWAYS_INLINE we_bytes_16 we_low_bytes_16(we_bytes_16 a, we_bytes_16 b)
{
    const we_bytes_16 low = we_all_u16(0x00FF);
    return (we_bytes_16)_mm_packus_epi16(WE_M128I(a & low), WE_M128I(b & low));
}

/* The same of units below 0x100. */
WE_ALWAYS_INLINE we_bytes_16 we_pack_u16_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_packus_epi16(WE_M128I(a), WE_M128I(b));
}

/* The same of units below 0x8000; a unit above 0xFF gives 0xFF. */
#define we_pack_saturated_u16_16 we_pack_u16_16

/* The high bytes of two vectors of 16-bit units. */
WE_ALWAYS_INLINE we_bytes_16 we_high_bytes_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_packus_epi16(_mm_srli_epi16(WE_M128I(a), 8), _mm_srli_epi16(WE_M128I(b), 8));
}

/* The low units of two vectors of 32-bit units. */
WE_ALWAYS_INLINE we_bytes_16 we_low_units_16(we_bytes_16 a, we_bytes_16 b)
{
    /* Sign-extending the low half keeps packs_epi32, the only narrowing of 32-bit units in SSE2, from saturating. */
    return (we_bytes_16)_mm_packs_epi32(_mm_srai_epi32(_mm_slli_epi32(WE_M128I(a), 16), 16),
                                        _mm_srai_epi32(_mm_slli_epi32(WE_M128I(b), 16), 16));
}

/* Two vectors of units to one of bytes; a unit above 0xFF gives 0xFF. */
WE_ALWAYS_INLINE we_bytes_16 we_narrow_saturated_u16_16(we_bytes_16 a, we_bytes_16 b)
{
    /* a - (a - 0xFF, at least 0) is the smaller of the two: packus reads signed units and would give 0 for 0x8000 and
     * above. */
    const __m128i first = WE_M128I(a), second = WE_M128I(b), most = _mm_set1_epi16(0x00FF);
    return (we_bytes_16)_mm_packus_epi16(_mm_sub_epi16(first, _mm_subs_epu16(first, most)),
                                         _mm_sub_epi16(second, _mm_subs_epu16(second, most)));
}

/* The sum of the sixteen bytes. */
WE_ALWAYS_INLINE size_t we_sum_u8(we_bytes_16 bytes)
{
    const __m128i sums = _mm_sad_epu8(WE_M128I(bytes), _mm_setzero_si128());
    return (size_t)_mm_cvtsi128_si64(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums)));
}

/* How many bytes stand before the first with the high bit; 16 if none has it. */
WE_ALWAYS_INLINE size_t we_ascii_in_16(we_bytes_16 bytes)
{
    return (size_t)__builtin_ctz((unsigned)_mm_movemask_epi8(WE_M128I(bytes)) | 0x10000u);
}

/* Whether any byte has the high bit. */
WE_ALWAYS_INLINE int we_any_high_16(we_bytes_16 bytes)
{
    return _mm_movemask_epi8(WE_M128I(bytes)) != 0;
}

/* Whether any bit is set. */
WE_ALWAYS_INLINE int we_any_16(we_bytes_16 bytes)
{
    return _mm_movemask_epi8(WE_M128I(bytes == 0)) != 0xFFFF;
}

/* Bit n for byte n of a mask. */
WE_ALWAYS_INLINE uint32_t we_bits_16(we_bytes_16 mask)
{
    return (uint32_t)_mm_movemask_epi8(WE_M128I(mask));
}

/* Sixteen bytes of a vector. */
WE_ALWAYS_INLINE we_bytes_16 we_sixteen_16(we_bytes_16 bytes, int number)
{
    return (void)number, bytes;
}

/* Bit n for 16-bit lane n of a mask. */
WE_ALWAYS_INLINE uint32_t we_bits_of_u16(we_bytes_16 mask)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(WE_M128I(mask), _mm_setzero_si128()));
}

/* Bit n for byte n of the masks of a block of 32 bytes, and of 64. */
WE_ALWAYS_INLINE uint32_t we_bits_of_block_16(const we_bytes_16 masks[2])
{
    return we_bits_16(masks[0]) | we_bits_16(masks[1]) << 16;
}

WE_ALWAYS_INLINE uint64_t we_bits_of_64_16(const we_bytes_16 masks[4])
{
    return we_bits_of_block_16(masks) | (uint64_t)we_bits_of_block_16(masks + 2) << 32;
}

/* The cheapest integer of a mask: WE_MASK_BITS equal bits for each byte. Count trailing zeros and divide by it. */
#define WE_MASK_BITS 1
WE_ALWAYS_INLINE uint64_t we_mask_16(we_bytes_16 mask)
{
    return (uint64_t)we_bits_16(mask);
}

/* The lower and the upper eight bytes as an integer. */
WE_ALWAYS_INLINE uint64_t we_low_u64(we_bytes_16 bytes)
{
    return (uint64_t)_mm_cvtsi128_si64(WE_M128I(bytes));
}

WE_ALWAYS_INLINE uint64_t we_high_u64(we_bytes_16 bytes)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(WE_M128I(bytes), WE_M128I(bytes)));
}

/* ---- The level WE_SIMD_VECTOR_16 --------------------------------------------------------------------------------- */

#if defined(WE_HAVE_VECTOR_16)
/* For each byte of `index` the byte of that number, 0 for an index of 0x80 or more. Others above 15 are not for use. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_shuffle_16(we_bytes_16 bytes, we_bytes_16 index)
{
    return (we_bytes_16)_mm_shuffle_epi8(WE_M128I(bytes), WE_M128I(index));
}

/* The sixteen bytes that begin `count` before `bytes`, 1 to 15, where `before` are the sixteen before it. */
#define WE_BYTES_BEFORE_16(before, bytes, count)                                                                       \
    ((we_bytes_16)_mm_alignr_epi8(WE_M128I(bytes), WE_M128I(before), 16 - (count)))

/* The sixteen bytes after the first of `bytes`, where `after` are the sixteen after it. */
#define WE_BYTES_AFTER_16(bytes, after) WE_BYTES_BEFORE_16(bytes, after, 15)

/* Whether any bit of `bits` is set in `bytes`. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 int we_any_of_16(we_bytes_16 bytes, we_bytes_16 bits)
{
    return !_mm_testz_si128(WE_M128I(bytes), WE_M128I(bits));
}

/* Whole bytes from `a` where the mask has all bits, else from `b`. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_blend_16(we_bytes_16 mask, we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_blendv_epi8(WE_M128I(b), WE_M128I(a), WE_M128I(mask));
}

WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_max_u16_16(we_bytes_16 a, we_bytes_16 b)
{
    return (we_bytes_16)_mm_max_epu16(WE_M128I(a), WE_M128I(b));
}

/* a >= b, unsigned. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_at_least_u16(we_bytes_16 a, we_bytes_16 b)
{
    return we_equal_u16(we_max_u16_16(a, b), a);
}

WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_at_least_u32(we_bytes_16 a, we_bytes_16 b)
{
    return we_equal_u32(_mm_max_epu32(WE_M128I(a), WE_M128I(b)), a);
}

/* Whether any unit is `least`, which is not 0, or more. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 int we_any_at_least_u16_16(we_bytes_16 units, uint16_t least)
{
    const __m128i over = _mm_subs_epu16(WE_M128I(units), _mm_set1_epi16((short)(least - 1)));
    return !_mm_testz_si128(over, over);
}

/* Whether any unit has a bit of `bits`, which are all from some bit on up: any unit is as large as that bit. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 int we_any_from_u16_16(we_bytes_16 units, uint16_t bits)
{
    return !_mm_testz_si128(WE_M128I(units), _mm_set1_epi16((short)bits));
}

WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 int we_any_from_u32(we_bytes_16 units, uint32_t bits)
{
    return !_mm_testz_si128(WE_M128I(units), _mm_set1_epi32((int)bits));
}

/* Eight entries of a table by eight keys. The table has an entry for every key that there can be. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_look_up_16(const uint16_t *table, const uint16_t *keys)
{
    __m128i found = _mm_cvtsi32_si128(table[keys[0]]);
    found = _mm_insert_epi16(found, table[keys[1]], 1);
    found = _mm_insert_epi16(found, table[keys[2]], 2);
    found = _mm_insert_epi16(found, table[keys[3]], 3);
    found = _mm_insert_epi16(found, table[keys[4]], 4);
    found = _mm_insert_epi16(found, table[keys[5]], 5);
    found = _mm_insert_epi16(found, table[keys[6]], 6);
    return (we_bytes_16)_mm_insert_epi16(found, table[keys[7]], 7);
}

/* The same by keys that are not in memory. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_look_up_8(const uint16_t *table, we_bytes_16 keys)
{
    const uint64_t low = we_low_u64(keys), high = we_high_u64(keys);
    const uint16_t each[8] = {(uint16_t)low,  (uint16_t)(low >> 16),  (uint16_t)(low >> 32),  (uint16_t)(low >> 48),
                              (uint16_t)high, (uint16_t)(high >> 16), (uint16_t)(high >> 32), (uint16_t)(high >> 48)};
    return we_look_up_16(table, each);
}

/* Whether any unit is 0. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 int we_any_null_u16(we_bytes_16 units)
{
    return _mm_movemask_epi8(WE_M128I(WE_U16(units) == 0)) != 0;
}

/* Swap the bytes of each 16-bit unit. */
#define WE_SWAPPED_PAIRS 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_swap_u16_16(we_bytes_16 bytes)
{
    const we_bytes_16 swap = {WE_SWAPPED_PAIRS};
    return we_shuffle_16(bytes, swap);
}

/* Bits 2n and 2n + 1 for 16-bit lane n of two masks. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 uint32_t we_pairs_of_bits_u16(we_bytes_16 first, we_bytes_16 second)
{
    return (uint32_t)_mm_movemask_epi8(WE_M128I(we_blend_16(we_all_u16(0xFF00), second, first)));
}

/* How many of eight bits are set. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_count_of_8(uint32_t bits)
{
    return (size_t)_mm_popcnt_u32(bits);
}
#endif
#endif

#endif
