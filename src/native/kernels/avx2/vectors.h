/* The operations of vectors.h on 32 bytes by AVX2; only vectors.h includes this. What each of them gives is said in
 * vectors_x86_64.h. */
#ifndef WE_VECTORS_AVX2_H
#define WE_VECTORS_AVX2_H

#include "cpu.h"

#if defined(WE_HAVE_AVX2)
#define WE_INLINE_32 WE_ALWAYS_INLINE WE_TARGET_AVX2

typedef uint8_t we_bytes_32 __attribute__((vector_size(32)));
#define WE_M256I(bytes) ((__m256i)(bytes))
#define WE_BINARY_M256I(intrinsic, a, b) ((we_bytes_32)intrinsic(WE_M256I(a), WE_M256I(b)))

WE_INLINE_32 we_bytes_32 we_load_32(const void *source)
{
    we_bytes_32 loaded = (we_bytes_32)_mm256_loadu_si256((const __m256i *)source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

WE_INLINE_32 we_bytes_32 we_peek_32(const void *source)
{
    return (we_bytes_32)_mm256_loadu_si256((const __m256i *)source);
}

WE_INLINE_32 we_bytes_32 we_load_row_32(const void *source)
{
    we_bytes_32 row = (we_bytes_32)_mm256_broadcastsi128_si256((__m128i)we_load_16(source));
    WE_KEEP_LOADED(row);
    return row;
}

WE_INLINE_32 void we_store_32(void *target, we_bytes_32 bytes)
{
    _mm256_storeu_si256((__m256i *)target, (__m256i)bytes);
}

/* Hides the value from GCC, which would build it anew from a general register in each turn of a loop. */
WE_INLINE_32 we_bytes_32 we_constant_u8_32(uint8_t value)
{
    we_bytes_32 constant = (we_bytes_32)_mm256_set1_epi8((char)value);
    WE_KEEP_LOADED(constant);
    return constant;
}

/* Sixteen bytes in both halves. */
#define we_both_32(bytes) ((we_bytes_32)_mm256_broadcastsi128_si256(WE_M128I(bytes)))

#define we_max_u8_32(a, b) WE_BINARY_M256I(_mm256_max_epu8, a, b)
#define we_max_u16_32(a, b) WE_BINARY_M256I(_mm256_max_epu16, a, b)
#define we_sub_saturated_u8_32(a, b) WE_BINARY_M256I(_mm256_subs_epu8, a, b)
#define we_sub_saturated_s8_32(a, b) WE_BINARY_M256I(_mm256_subs_epi8, a, b)
#define we_zip_low_u8_32(a, b) WE_BINARY_M256I(_mm256_unpacklo_epi8, a, b)
#define we_zip_high_u8_32(a, b) WE_BINARY_M256I(_mm256_unpackhi_epi8, a, b)
#define we_shuffle_32(bytes, index) WE_BINARY_M256I(_mm256_shuffle_epi8, bytes, index)
#define we_blend_32(mask, a, b) ((we_bytes_32)_mm256_blendv_epi8(WE_M256I(b), WE_M256I(a), WE_M256I(mask)))
#define we_swap_u16_32(bytes) we_shuffle_32(bytes, ((we_bytes_32){WE_SWAPPED_PAIRS, WE_SWAPPED_PAIRS}))

#define we_bits_32(mask) ((uint32_t)_mm256_movemask_epi8(WE_M256I(mask)))
#define we_bits_of_block_32(masks) we_bits_32((masks)[0])
#define we_bits_of_64_32(masks) (we_bits_32((masks)[0]) | (uint64_t)we_bits_32((masks)[1]) << 32)
#define we_mask_32(mask) ((uint64_t)we_bits_32(mask))
#define we_ascii_in_32(bytes) ((size_t)_tzcnt_u32(we_bits_32(bytes))) /* 32 for 0 */
#define we_any_high_32(bytes) (we_bits_32(bytes) != 0)
#define we_any_of_32(bytes, bits) (!_mm256_testz_si256(WE_M256I(bytes), WE_M256I(bits)))

WE_INLINE_32 int we_any_32(we_bytes_32 bytes)
{
    return we_any_of_32(bytes, bytes);
}

WE_INLINE_32 we_bytes_32 we_look_up_32(const uint16_t *table, const uint16_t *keys)
{
    return (we_bytes_32)_mm256_setr_m128i((__m128i)we_look_up_16(table, keys), (__m128i)we_look_up_16(table, keys + 8));
}

WE_INLINE_32 we_bytes_16 we_sixteen_32(we_bytes_32 bytes, int number)
{
    return (we_bytes_16)(number == 0 ? _mm256_castsi256_si128((__m256i)bytes)
                                     : _mm256_extracti128_si256((__m256i)bytes, 1));
}

/* Exchange the middle quarters: of a vector so that its zips are in order, of what packus gave so that it is. */
#define we_quarters_for_zip_32(bytes) ((we_bytes_32)_mm256_permute4x64_epi64(WE_M256I(bytes), 0xD8))

#define we_pack_u16_32(a, b) we_quarters_for_zip_32(_mm256_packus_epi16(WE_M256I(a), WE_M256I(b)))
#define we_pack_saturated_u16_32 we_pack_u16_32

#define we_low_bytes_32(a, b)                                                                                          \
    we_pack_u16_32(WE_M256I(a) & _mm256_set1_epi16(0x00FF), WE_M256I(b) & _mm256_set1_epi16(0x00FF))
#define we_low_units_32(a, b)                                                                                          \
    we_quarters_for_zip_32(                                                                                            \
        _mm256_packus_epi32(WE_M256I(a) & _mm256_set1_epi32(0xFFFF), WE_M256I(b) & _mm256_set1_epi32(0xFFFF)))

WE_INLINE_32 we_bytes_32 we_narrow_saturated_u16_32(we_bytes_32 a, we_bytes_32 b)
{
    /* The smaller of the unit and 0xFF keeps packus, which reads signed units, from giving 0 for 0x8000 and above. */
    const __m256i most = _mm256_set1_epi16(0x00FF);
    return we_pack_u16_32(_mm256_min_epu16((__m256i)a, most), _mm256_min_epu16((__m256i)b, most));
}

WE_INLINE_32 void we_widen_to_ucs2_32(we_bytes_32 bytes, uint16_t *target)
{
    we_store_32(target, (we_bytes_32)_mm256_cvtepu8_epi16((__m128i)we_sixteen_32(bytes, 0)));
    we_store_32(target + 16, (we_bytes_32)_mm256_cvtepu8_epi16((__m128i)we_sixteen_32(bytes, 1)));
}

WE_INLINE_32 void we_widen_8_units_to_ucs4_32(we_bytes_16 units, uint32_t *target)
{
    we_store_32(target, (we_bytes_32)_mm256_cvtepu16_epi32((__m128i)units));
}

#define we_store_8_ucs4_32 we_store_8_ucs4_16

WE_INLINE_32 void we_widen_to_ucs4_32(we_bytes_32 bytes, uint32_t *target)
{
    const __m128i low = (__m128i)we_sixteen_32(bytes, 0), high = (__m128i)we_sixteen_32(bytes, 1);
    we_store_32(target, (we_bytes_32)_mm256_cvtepu8_epi32(low));
    we_store_32(target + 8, (we_bytes_32)_mm256_cvtepu8_epi32(_mm_srli_si128(low, 8)));
    we_store_32(target + 16, (we_bytes_32)_mm256_cvtepu8_epi32(high));
    we_store_32(target + 24, (we_bytes_32)_mm256_cvtepu8_epi32(_mm_srli_si128(high, 8)));
}

#define WE_BYTES_AFTER_32(bytes, after)                                                                                \
    ((we_bytes_32)_mm256_alignr_epi8(_mm256_permute2x128_si256((__m256i)(bytes), (__m256i)(after), 0x21),              \
                                     (__m256i)(bytes), 1))
#define WE_BYTES_BEFORE_32(before, bytes, count)                                                                       \
    ((we_bytes_32)_mm256_alignr_epi8(                                                                                  \
        (__m256i)(bytes), _mm256_permute2x128_si256((__m256i)(before), (__m256i)(bytes), 0x21), 16 - (count)))
#endif

#endif
