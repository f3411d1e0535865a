/* The counts of scalar/count.h, whose loops compilers vectorize for AVX2. */

WE_TARGET_AVX2 static inline size_t we_non_ascii_count_ucs1_avx2(const uint8_t *source, size_t length)
{
    return we_non_ascii_count_ucs1_scalar(source, length);
}

WE_TARGET_AVX2 static inline size_t we_non_ascii_count_ucs2_avx2(const uint16_t *source, size_t length)
{
    return we_non_ascii_count_ucs2_scalar(source, length);
}

WE_TARGET_AVX2 static inline size_t we_non_ascii_count_ucs4_avx2(const uint32_t *source, size_t length)
{
    return we_non_ascii_count_ucs4_scalar(source, length);
}

WE_TARGET_AVX2 static inline size_t we_replacement_character_count_ucs2_avx2(const uint16_t *source, size_t length)
{
    return we_replacement_character_count_ucs2_scalar(source, length);
}
