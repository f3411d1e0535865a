/* Copying ASCII with AVX-512, sixty-four bytes at a time, and what the AVX-512 kernels of all shapes share. Other runs
 * of ASCII take as long as with AVX2.
 *
 * Each run must equal the step of a handler for ASCII, such as that of single_byte_decode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder. */

WE_TARGET_AVX512 static inline size_t we_ascii_in_64(__m512i bytes)
{
    return (size_t)_tzcnt_u64(_cvtmask64_u64(_mm512_movepi8_mask(bytes))); /* 64 for 0 */
}

WE_TARGET_AVX512 static inline __m512i we_load_64(const void *source)
{
    __m512i loaded = _mm512_loadu_si512(source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

/* The lowest `count` bits, at most 64. */
WE_TARGET_AVX512 static inline uint64_t we_first_bits(size_t count)
{
    return _bzhi_u64(~UINT64_C(0), (unsigned)count);
}

/* The first `count` of 64 bytes: load them and zeros, or store them; others are not accessed. A masked store takes as
 * long as several others, so only the last block of a run uses it. */
WE_TARGET_AVX512 static inline __m512i we_load_first_64(const void *source, size_t count)
{
    if (count >= 64)
        return we_load_64(source);
    __m512i loaded = _mm512_maskz_loadu_epi8(we_first_bits(count), source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

/* The same for 32 units, each loaded whole: before an inaccessible page processors load lane by lane, and a unit of
 * two lanes may change in between. */
WE_TARGET_AVX512 static inline __m512i we_load_first_units(const void *source, size_t count)
{
    if (count >= 32)
        return we_load_64(source);
    __m512i loaded = _mm512_maskz_loadu_epi16((__mmask32)we_first_bits(count), source);
    WE_KEEP_LOADED(loaded);
    return loaded;
}

WE_TARGET_AVX512 static inline void we_store_first_64(void *target, size_t count, __m512i bytes)
{
    if (count >= 64)
        _mm512_storeu_si512(target, bytes);
    else
        _mm512_mask_storeu_epi8(target, we_first_bits(count), bytes);
}

/* The low bytes of two vectors of 16-bit units. */
WE_TARGET_AVX512 static inline __m512i we_low_bytes_64(__m512i a, __m512i b)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(a)), _mm512_cvtepi16_epi8(b), 1);
}

WE_TARGET_AVX512 static inline size_t we_ascii_step_to_ucs1_64(const uint8_t *source, uint8_t *target)
{
    const __m512i bytes = we_load_64(source);
    _mm512_storeu_si512(target, bytes);
    return we_ascii_in_64(bytes);
}

WE_ASCII_RUN(we_ascii_run_to_ucs1_avx512, WE_TARGET_AVX512, uint8_t, uint8_t, 64, we_ascii_step_to_ucs1_64,
             we_ascii_run_to_ucs1_avx2)
