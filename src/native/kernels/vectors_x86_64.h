/* The operations of vectors.h by the instruction sets of x86-64; only vectors.h includes this. */
#ifndef WE_VECTORS_X86_64_H
#define WE_VECTORS_X86_64_H

#include "cpu.h"

#if defined(WE_HAVE_SSE2) && !defined(WE_HAVE_SIMD128)

/* ---- The baseline ------------------------------------------------------------------------------------------------ */

#define WE_M128I(bytes) ((__m128i)(bytes))
/* What an intrinsic function gives for two vectors. */
#define WE_BINARY_M128I(intrinsic, a, b) ((we_bytes_16)intrinsic(WE_M128I(a), WE_M128I(b)))

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

/* Eight bytes and eight zeros. */
WE_ALWAYS_INLINE we_bytes_16 we_load_8(const void *source)
{
    we_bytes_16 loaded = (we_bytes_16)_mm_loadl_epi64((const __m128i *)source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

/* Eight bytes from one address and eight from another. */
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

#define we_max_u8_16(a, b) WE_BINARY_M128I(_mm_max_epu8, a, b)
/* a - b, or 0 where that is negative. */
#define we_sub_saturated_u8_16(a, b) WE_BINARY_M128I(_mm_subs_epu8, a, b)
/* a - b as signed numbers, or the least one where that is less. */
#define we_sub_saturated_s8_16(a, b) WE_BINARY_M128I(_mm_subs_epi8, a, b)

/* a >= b. Compilers take the minimum, and so one register more. */
#define we_at_least_u8(a, b) we_equal_u8(we_max_u8(a, b), a)
#define we_at_least_u16(a, b) we_equal_u16(we_max_u16(a, b), a)
#define we_at_least_u32(a, b) we_equal_u32(_mm_max_epu32(WE_M128I(a), WE_M128I(b)), a)

/* Add 1 to each byte of `counts` where `bytes` has the high bit. */
#define WE_ADD_HIGH_BIT_U8(counts, bytes) ((counts) - we_high_u8(bytes))

/* The lanes of `a` and `b` in turn: those of the lower halves, of the upper halves. With zeros for `b`, that widens. */
#define we_zip_low_u8_16(a, b) WE_BINARY_M128I(_mm_unpacklo_epi8, a, b)
#define we_zip_high_u8_16(a, b) WE_BINARY_M128I(_mm_unpackhi_epi8, a, b)
#define we_zip_low_u16(a, b) WE_BINARY_M128I(_mm_unpacklo_epi16, a, b)
#define we_zip_high_u16(a, b) WE_BINARY_M128I(_mm_unpackhi_epi16, a, b)

/* The low bytes of two vectors of 16-bit units that are below 0x100. */
#define we_pack_u16_16(a, b) WE_BINARY_M128I(_mm_packus_epi16, a, b)
/* The same of units below 0x8000; a unit above 0xFF gives 0xFF. */
#define we_pack_saturated_u16_16 we_pack_u16_16
/* The same of all units. */
#define we_low_bytes_16(a, b) we_pack_u16_16(WE_M128I(a) & _mm_set1_epi16(0x00FF), WE_M128I(b) & _mm_set1_epi16(0x00FF))

/* The low units of two vectors of 32-bit units. Sign-extending the low half keeps packs_epi32, the only narrowing of
 * 32-bit units in SSE2, from saturating. */
#define we_low_units_16(a, b)                                                                                          \
    ((we_bytes_16)_mm_packs_epi32(_mm_srai_epi32(_mm_slli_epi32(WE_M128I(a), 16), 16),                                 \
                                  _mm_srai_epi32(_mm_slli_epi32(WE_M128I(b), 16), 16)))

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

/* Bit n for byte n of a mask, and for 16-bit lane n. */
#define we_bits_16(mask) ((uint32_t)_mm_movemask_epi8(WE_M128I(mask)))
#define we_bits_of_u16(mask) ((uint32_t)_mm_movemask_epi8(_mm_packs_epi16(WE_M128I(mask), _mm_setzero_si128())))
/* Bit n for byte n of the masks of a block of 32 bytes, and of 64. */
#define we_bits_of_block_16(masks) (we_bits_16((masks)[0]) | we_bits_16((masks)[1]) << 16)
#define we_bits_of_64_16(masks) (we_bits_of_block_16(masks) | (uint64_t)we_bits_of_block_16((masks) + 2) << 32)
/* The cheapest integer of a mask: WE_MASK_BITS equal bits for each byte. Count trailing zeros and divide by it. */
#define we_mask_16(mask) ((uint64_t)we_bits_16(mask))
#define WE_MASK_BITS 1

/* How many bytes precede the first with the high bit; 16 if none has it. */
#define we_ascii_in_16(bytes) ((size_t)__builtin_ctz(we_bits_16(bytes) | 0x10000u))
/* Whether any byte has the high bit, whether any bit is set. */
#define we_any_high_16(bytes) (we_bits_16(bytes) != 0)
#define we_any_16(bytes) (we_bits_16(_mm_cmpeq_epi8(WE_M128I(bytes), _mm_setzero_si128())) != 0xFFFF)

/* ---- The level WE_SIMD_VECTOR_16 --------------------------------------------------------------------------------- */

#if defined(WE_HAVE_VECTOR_16)
/* For each byte of `index` the byte of that number, 0 for an index of 0x80 or more. With WE_SHUFFLE_WRAPS, others above
 * 15 count modulo 16, which AVX2 does, too; without, they give 0. */
#define WE_SHUFFLE_WRAPS 1
#define we_shuffle_16(bytes, index) WE_BINARY_M128I(_mm_shuffle_epi8, bytes, index)

/* The sixteen bytes that begin `count` before `bytes`, 1 to 15, where `before` are the sixteen before it. */
#define WE_BYTES_BEFORE_16(before, bytes, count)                                                                       \
    ((we_bytes_16)_mm_alignr_epi8(WE_M128I(bytes), WE_M128I(before), 16 - (count)))

/* The sixteen bytes after the first of `bytes`, where `after` are the sixteen after it. */
#define WE_BYTES_AFTER_16(bytes, after) WE_BYTES_BEFORE_16(bytes, after, 15)

/* Which bytes have a bit, one for each byte. */
#define we_has_bit_u8(bytes, bit) we_equal_u8((bytes) & (bit), bit)

/* A key is looked up sooner from memory than from a vector. */
#define WE_KEYS_IN_MEMORY 1

/* Whole bytes from `a` where the mask has all bits, else from `b`. */
#define we_blend_16(mask, a, b) ((we_bytes_16)_mm_blendv_epi8(WE_M128I(b), WE_M128I(a), WE_M128I(mask)))

#define we_max_u16_16(a, b) WE_BINARY_M128I(_mm_max_epu16, a, b)

/* Whether any bit of `bits` is set in `bytes`. */
#define we_any_of_16(bytes, bits) (!_mm_testz_si128(WE_M128I(bytes), WE_M128I(bits)))

/* Eight entries of a table by eight keys. The table has an entry for every key that there can be. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_look_up_16(const uint16_t *table, const uint16_t *keys)
{
    __m128i entries = _mm_cvtsi32_si128(table[keys[0]]);
    entries = _mm_insert_epi16(entries, table[keys[1]], 1);
    entries = _mm_insert_epi16(entries, table[keys[2]], 2);
    entries = _mm_insert_epi16(entries, table[keys[3]], 3);
    entries = _mm_insert_epi16(entries, table[keys[4]], 4);
    entries = _mm_insert_epi16(entries, table[keys[5]], 5);
    entries = _mm_insert_epi16(entries, table[keys[6]], 6);
    return (we_bytes_16)_mm_insert_epi16(entries, table[keys[7]], 7);
}

/* The same by keys that are not in memory. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_look_up_8(const uint16_t *table, we_bytes_16 keys)
{
    const __m128i upper = _mm_unpackhi_epi64(WE_M128I(keys), WE_M128I(keys));
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(WE_M128I(keys)), high = (uint64_t)_mm_cvtsi128_si64(upper);
    const uint16_t stored[8] = {(uint16_t)low,  (uint16_t)(low >> 16),  (uint16_t)(low >> 32),  (uint16_t)(low >> 48),
                                (uint16_t)high, (uint16_t)(high >> 16), (uint16_t)(high >> 32), (uint16_t)(high >> 48)};
    return we_look_up_16(table, stored);
}

/* Swap the bytes of each 16-bit unit. */
#define WE_SWAPPED_PAIRS 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define we_swap_u16_16(bytes) we_shuffle_16(bytes, ((we_bytes_16){WE_SWAPPED_PAIRS}))

/* Bits 2n and 2n + 1 for 16-bit lane n of two masks. */
#define we_pairs_of_bits_u16(first, second) we_bits_16(we_blend_16(_mm_set1_epi16((short)0xFF00), second, first))

/* How many of eight bits are set. */
#define we_count_of_8(bits) ((size_t)_mm_popcnt_u32(bits))

/* The bytes of as many units of 16 bits as bits of 64 are set in the first `number` bytes, a constant of 0 to 8. */
#define we_running_sizes(bits) (bits)
#define we_size_before(bits, number) ((number) == 0 ? 0 : 2 * (size_t)_mm_popcnt_u64((bits) << (64 - (number) * 8)))
#endif
#endif

#endif
