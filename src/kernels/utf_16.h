/* UTF-16BE/LE to the three kinds of text: https://encoding.spec.whatwg.org/#shared-utf-16-decoder.
 *
 * Runs as in utf_8.h. The source is bytes: it may be unaligned, and a last byte that is half a code unit is not read.
 */
#ifndef WE_UTF_16_H
#define WE_UTF_16_H

#include "utf_8.h"

/* ---- Scalar ------------------------------------------------------------------------------------------------------ */

/* Load each byte once: see WE_KEEP_LOADED. */
WE_UNICODE_INLINE uint32_t we_utf_16_code_unit(const uint8_t *source, int big_endian)
{
    const uint32_t first = *(const volatile uint8_t *)source, second = *(const volatile uint8_t *)(source + 1);
    return big_endian ? first << 8 | second : second << 8 | first;
}

/* Return a code unit that was read from memory in the machine's order of bytes. */
WE_UNICODE_INLINE uint16_t we_utf_16_in_host_order(uint16_t code_unit, int big_endian)
{
    const uint16_t one = 1;
    uint8_t low_byte_first;
    memcpy(&low_byte_first, &one, 1);
    return big_endian == low_byte_first ? (uint16_t)(code_unit << 8 | code_unit >> 8) : code_unit;
}

/* Every run; `kind` is that of the target, and `max_code_point` (all ones below some bit) restricts it. A block of 32
 * code units has no branch within it, so that compilers vectorize it; one with a surrogate or a unit above
 * `max_code_point` is converted unit by unit. */
WE_UNICODE_INLINE size_t we_utf_16_decode_scalar(const uint8_t *source, size_t length, int big_endian, void *target,
                                                 int kind, uint32_t max_code_point, size_t *written)
{
    size_t read = 0;
    size_t out = 0;
    size_t unit_by_unit = 0; /* up to this position */
    while (length - read >= 2) {
        if (length - read >= 64 && read >= unit_by_unit) {
            uint16_t units[32];
            uint16_t refused = 0;
            memcpy(units, source + read, 64);
            WE_KEEP_COPIED(units);
            for (int i = 0; i < 32; i++) {
                units[i] = we_utf_16_in_host_order(units[i], big_endian);
            }
            for (int i = 0; i < 32; i++) {
                refused |= (uint16_t)((units[i] & 0xF800) == 0xD800);
                refused |= (uint16_t)(units[i] & ~max_code_point);
            }
            if (!refused) {
                for (size_t i = 0; i < 32; i++) {
                    we_unit_put(target, kind, out + i, units[i]);
                }
                read += 64;
                out += 32;
                continue;
            }
            unit_by_unit = read + 64;
        }
        uint32_t code_point = we_utf_16_code_unit(source + read, big_endian);
        size_t taken = 2;
        if ((code_point & 0xF800) == 0xD800) {
            /* A pair stands for a code point that UCS4 alone holds. */
            if (kind != WE_UCS4 || code_point >= 0xDC00 || length - read < 4) {
                break;
            }
            const uint32_t low_surrogate = we_utf_16_code_unit(source + read + 2, big_endian);
            if ((low_surrogate & 0xFC00) != 0xDC00) {
                break;
            }
            code_point = 0x10000 + ((code_point & 0x3FF) << 10 | (low_surrogate & 0x3FF));
            taken = 4;
        }
        if (code_point > max_code_point) {
            break;
        }
        we_unit_put(target, kind, out, code_point);
        read += taken;
        out += 1;
    }
    *written = out;
    return read;
}

/* ---- NEON and x86-64-v2 ------------------------------------------------------------------------------------------ */

#if defined(WE_HAVE_VECTOR_16)

/* Whether any unit is a surrogate. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 int we_utf_16_any_surrogate_128(we_bytes_16 first, we_bytes_16 second)
{
    const we_bytes_16 mask = we_all_u16(0xF800), surrogate = we_all_u16(0xD800);
    return we_any_high_16(
        we_or_16(we_equal_u16(we_and_16(first, mask), surrogate), we_equal_u16(we_and_16(second, mask), surrogate)));
}

WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_utf_16_load_128(const uint8_t *source, int big_endian)
{
    const we_bytes_16 units = we_load_16(source);
    return big_endian ? we_swap_u16(units) : units;
}

/* we_utf_16_copy_128, where `big_endian` is a constant. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_utf_16_copy_ordered_128(const uint8_t *source, size_t length,
                                                                       int big_endian, uint16_t *target, uint32_t *bits)
{
    we_bytes_16 most = we_zero_16();
    size_t done = 0;
    for (; length / 2 - done >= 32; done += 32) {
        const uint8_t *const from = source + 2 * done;
        const we_bytes_16 a = we_utf_16_load_128(from, big_endian), b = we_utf_16_load_128(from + 16, big_endian);
        const we_bytes_16 c = we_utf_16_load_128(from + 32, big_endian), d = we_utf_16_load_128(from + 48, big_endian);
        const we_bytes_16 here = we_max_u16(we_max_u16(a, b), we_max_u16(c, d));
        if (!WE_LIKELY(!we_any_at_least_u16(here, 0xD800))
            && (we_utf_16_any_surrogate_128(a, b) || we_utf_16_any_surrogate_128(c, d))) {
            break;
        }
        we_store_16(target + done, a);
        we_store_16(target + done + 8, b);
        we_store_16(target + done + 16, c);
        we_store_16(target + done + 24, d);
        most = we_max_u16(most, here);
    }
    *bits |= we_any_from_u16(most, 0xFF00) ? 0x100 : 0;
    return done;
}

/* Copy blocks of 32 code units up to the first that has a surrogate and return how many units that are. `bits` is
 * the run's: see codec.h. */
static inline WE_TARGET_VECTOR_16 size_t we_utf_16_copy_128(const uint8_t *source, size_t length, int big_endian,
                                                            uint16_t *target, uint32_t *bits)
{
    return big_endian ? we_utf_16_copy_ordered_128(source, length, 1, target, bits)
                      : we_utf_16_copy_ordered_128(source, length, 0, target, bits);
}

/* Blocks of 16 code units. The scalar twin converts a block that has surrogates, if the target holds what pairs stand
 * for. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 size_t we_utf_16_decode_128(const uint8_t *source, size_t length, int big_endian,
                                                                 void *target, int kind, uint32_t max_code_point,
                                                                 size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    size_t position = 0; /* in bytes */
    size_t out = 0;
    size_t rest;
    while (length - position >= 32) {
        const we_bytes_16 first = we_utf_16_load_128(source + position, big_endian);
        const we_bytes_16 second = we_utf_16_load_128(source + position + 16, big_endian);
        uint8_t *const at = (uint8_t *)target + out * unit_size;
        if (kind == WE_UCS1) {
            if (we_any_from_u16(we_or_16(first, second), (uint16_t)~max_code_point)) {
                break;
            }
            we_store_16(at, we_low_bytes_16(first, second));
        } else if (we_utf_16_any_surrogate_128(first, second)) {
            if (kind == WE_UCS2) {
                break;
            }
            /* One code unit more, as a pair may lie across the end of the block; it is read again if it is no trail. */
            const size_t ahead = length - position < 34 ? length - position : 34;
            const size_t read =
                we_utf_16_decode_scalar(source + position, ahead, big_endian, at, kind, max_code_point, &rest);
            out += rest;
            position += read;
            if (read < 32) {
                *written = out;
                return position;
            }
            continue;
        } else if (kind == WE_UCS2) {
            we_store_16(at, first);
            we_store_16(at + 16, second);
        } else {
            we_widen_8_units_to_ucs4(first, (uint32_t *)target + out);
            we_widen_8_units_to_ucs4(second, (uint32_t *)target + out + 8);
        }
        position += 32;
        out += 16;
    }
    position += we_utf_16_decode_scalar(source + position, length - position, big_endian,
                                        (uint8_t *)target + out * unit_size, kind, max_code_point, &rest);
    *written = out + rest;
    return position;
}

#endif

/* ---- AVX2 -------------------------------------------------------------------------------------------------------- */

#if defined(WE_HAVE_AVX2)

/* Copy blocks of 64 code units up to the first that has a surrogate and return how many units that are. Stores to
 * aligned addresses, and the loads of a block before its stores, save a third of the time. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_16_copy_avx2(const uint8_t *source, size_t length, int big_endian,
                                                            uint16_t *target)
{
    const __m256i swap =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    const __m256i bits = _mm256_set1_epi16((short)0xF800), expected = _mm256_set1_epi16((short)0xD800);
    size_t done = 0;
    for (int aligned = 0; length / 2 - done >= 64;) {
        __m256i units[4], surrogates = _mm256_setzero_si256();
        for (int k = 0; k < 4; k++) {
            units[k] = we_load_32(source + 2 * done + 32 * k);
            if (big_endian) {
                units[k] = _mm256_shuffle_epi8(units[k], swap);
            }
            surrogates = _mm256_or_si256(surrogates, _mm256_cmpeq_epi16(_mm256_and_si256(units[k], bits), expected));
        }
        if (!_mm256_testz_si256(surrogates, surrogates)) {
            break;
        }
        for (int k = 0; k < 4; k++) {
            _mm256_storeu_si256((__m256i *)(target + done) + k, units[k]);
        }
        done += 64;
        if (!aligned) {
            done -= (uintptr_t)(target + done) % 32 / 2; /* these units are copied again */
            aligned = 1;
        }
    }
    return done;
}

/* Blocks of 16 code units. The scalar twin converts a block that has surrogates, if the target holds what pairs stand
 * for. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_16_decode_avx2(const uint8_t *source, size_t length, int big_endian,
                                                              void *target, int kind, uint32_t max_code_point,
                                                              size_t *written)
{
    const __m256i swap =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    size_t out = kind == WE_UCS2 ? we_utf_16_copy_avx2(source, length, big_endian, target) : 0;
    size_t position = 2 * out; /* in bytes */
    size_t rest;
    while (length - position >= 32) {
        __m256i units = we_load_32(source + position);
        if (big_endian) {
            units = _mm256_shuffle_epi8(units, swap);
        }
        uint8_t *const at = (uint8_t *)target + out * unit_size;
        if (kind == WE_UCS1) {
            if (!_mm256_testz_si256(units, _mm256_set1_epi16((short)~max_code_point))) {
                break;
            }
            _mm_storeu_si128((__m128i *)at,
                             _mm_packus_epi16(_mm256_castsi256_si128(units), _mm256_extracti128_si256(units, 1)));
        } else {
            const __m256i surrogates = _mm256_cmpeq_epi16(_mm256_and_si256(units, _mm256_set1_epi16((short)0xF800)),
                                                          _mm256_set1_epi16((short)0xD800));
            if (!_mm256_testz_si256(surrogates, surrogates)) {
                if (kind == WE_UCS2) {
                    break;
                }
                /* One code unit more, as a pair may lie across the end of the block; it is read again if it is no
                 * trail. */
                const size_t ahead = length - position < 34 ? length - position : 34;
                const size_t read =
                    we_utf_16_decode_scalar(source + position, ahead, big_endian, at, kind, max_code_point, &rest);
                out += rest;
                position += read;
                if (read < 32) {
                    *written = out;
                    return position;
                }
                continue;
            }
            if (kind == WE_UCS2) {
                _mm256_storeu_si256((__m256i *)at, units);
            } else {
                _mm256_storeu_si256((__m256i *)at, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(units)));
                _mm256_storeu_si256((__m256i *)at + 1, _mm256_cvtepu16_epi32(_mm256_extracti128_si256(units, 1)));
            }
        }
        position += 32;
        out += 16;
    }
    position += we_utf_16_decode_scalar(source + position, length - position, big_endian,
                                        (uint8_t *)target + out * unit_size, kind, max_code_point, &rest);
    *written = out + rest;
    return position;
}

#endif

/* ---- AVX-512 ----------------------------------------------------------------------------------------------------- */

#if defined(WE_HAVE_AVX512)

/* Return the mask of the code units that are surrogates. */
WE_UNICODE_INLINE WE_TARGET_AVX512 uint32_t we_utf_16_surrogates_avx512(__m512i units)
{
    return _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, _mm512_set1_epi16((short)0xF800)),
                                   _mm512_set1_epi16((short)0xD800));
}

/* The same with blocks of 128 code units. `bits` is the run's: see codec.h. Units that are read again for the sake of
 * alignment count as they are read last. */
WE_TARGET_AVX512 static inline size_t we_utf_16_copy_avx512(const uint8_t *source, size_t length, int big_endian,
                                                            uint16_t *target, uint32_t *bits)
{
    const __m512i swap = _mm512_set4_epi32(0x0E0F0C0D, 0x0A0B0809, 0x06070405, 0x02030001);
    __m512i all = _mm512_setzero_si512();
    size_t done = 0;
    for (int aligned = 0; length / 2 - done >= 128;) {
        __m512i units[4];
        uint32_t surrogates = 0;
        for (int k = 0; k < 4; k++) {
            units[k] = we_load_64(source + 2 * done + 64 * k);
            if (big_endian) {
                units[k] = _mm512_shuffle_epi8(units[k], swap);
            }
            surrogates |= we_utf_16_surrogates_avx512(units[k]);
        }
        if (surrogates != 0) {
            break;
        }
        for (int k = 0; k < 4; k++) {
            _mm512_storeu_si512(target + done + 32 * k, units[k]);
        }
        done += 128;
        if (!aligned) {
            const unsigned again = (unsigned)((uintptr_t)(target + done) % 64 / 2); /* the last of these units */
            done -= again;
            units[3] = _mm512_maskz_mov_epi16(_bzhi_u32(~UINT32_C(0), 32 - again), units[3]);
            aligned = 1;
        }
        for (int k = 0; k < 4; k++) {
            all = _mm512_or_si512(all, units[k]);
        }
    }
    *bits |= _mm512_test_epi16_mask(all, _mm512_set1_epi16((short)0xFF00)) ? 0x100 : 0;
    return done;
}

/* Blocks of 32 code units, each read once. As in utf_8_avx512.h a code point belongs to the block in which it ends, an
 * error cuts off the ends above it, and a remainder of fewer than 32 is a block as well. */
WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_16_decode_avx512(const uint8_t *source, size_t length, int big_endian,
                                                                  void *target, int kind, uint32_t max_code_point,
                                                                  size_t *written)
{
    const __m512i swap = _mm512_set4_epi32(0x0E0F0C0D, 0x0A0B0809, 0x06070405, 0x02030001);
    const size_t units_in_source = length / 2;
    __m512i units_before = _mm512_setzero_si512();
    uint32_t lead_before = 0; /* 1 if the block before ended in a high surrogate */
    size_t position = 0;      /* in code units */
    size_t out = 0;
    for (;; position += 32) {
        const size_t ahead = units_in_source - position;
        const int full = ahead >= 32;
        const uint32_t inside = _bzhi_u32(~UINT32_C(0), full ? 32 : (unsigned)ahead);
        __m512i units =
            full ? we_load_64(source + 2 * position) : _mm512_maskz_loadu_epi16(inside, source + 2 * position);
        if (big_endian) {
            units = _mm512_shuffle_epi8(units, swap);
        }
        if (kind == WE_UCS1) {
            const uint32_t error = _mm512_cmpgt_epu16_mask(units, _mm512_set1_epi16((short)max_code_point));
            if (full && error == 0) {
                _mm256_storeu_si256((__m256i *)((uint8_t *)target + out), _mm512_cvtepi16_epi8(units));
                out += 32;
                continue;
            }
            const uint32_t ends = inside & (_blsi_u32(error) - 1);
            const size_t count = (size_t)__builtin_popcount(ends);
            _mm256_mask_storeu_epi8((uint8_t *)target + out, ends, _mm512_cvtepi16_epi8(units));
            *written = out + count;
            return 2 * (position + count);
        }
        const uint32_t surrogates = we_utf_16_surrogates_avx512(units);
        if (full && (surrogates | lead_before) == 0) {
            if (kind == WE_UCS2) {
                _mm512_storeu_si512((uint16_t *)target + out, units);
            } else {
                we_store_32_ucs4_avx512((uint32_t *)target + out, units, _mm256_setzero_si256(), 0, 32, 1);
            }
            out += 32;
            continue;
        }
        if (kind == WE_UCS2) {
            const uint32_t ends = inside & (_blsi_u32(surrogates) - 1);
            const size_t count = (size_t)__builtin_popcount(ends);
            _mm512_mask_storeu_epi16((uint16_t *)target + out, ends, units);
            *written = out + count;
            return 2 * (position + count);
        }
        const uint32_t leads = _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, _mm512_set1_epi16((short)0xFC00)),
                                                       _mm512_set1_epi16((short)0xD800));
        const uint32_t trails = surrogates & ~leads;
        const uint32_t error = (trails ^ (leads << 1 | lead_before)) & inside;
        const uint32_t ends = ~leads & inside & (_blsi_u32(error) - 1);
        const __m512i before = _mm512_alignr_epi8(units, _mm512_alignr_epi64(units, units_before, 6), 14);
        for (int i = 0; i < 2; i++) {
            const __m512i low =
                _mm512_cvtepu16_epi32(i ? _mm512_extracti64x4_epi64(units, 1) : _mm512_castsi512_si256(units));
            const __m512i high =
                _mm512_cvtepu16_epi32(i ? _mm512_extracti64x4_epi64(before, 1) : _mm512_castsi512_si256(before));
            const __m512i joined = _mm512_add_epi32(_mm512_slli_epi32(high, 10), low);
            const __m512i code_points =
                _mm512_mask_sub_epi32(low, (__mmask16)(trails >> 16 * i), joined, _mm512_set1_epi32(0x35FDC00));
            const uint32_t ends_here = ends >> 16 * i & 0xFFFF;
            const size_t count = (size_t)__builtin_popcount(ends_here);
            we_store_ucs4_avx512((uint32_t *)target + out,
                                 _mm512_maskz_compress_epi32((__mmask16)ends_here, code_points), count, full);
            out += count;
        }
        if (error || !full) {
            *written = out;
            return 2 * (ends ? position + 32 - (size_t)__builtin_clz(ends) : position - lead_before);
        }
        lead_before = leads >> 31;
        units_before = units;
    }
}

#endif

/* ---- The variants ------------------------------------------------------------------------------------------------ */

#define WE_UTF_16_INSTANCES(level, target_attribute)                                                                   \
    static inline target_attribute size_t we_utf_16_run_to_ucs1_##level(const uint8_t *source, size_t length,          \
                                                                        int big_endian, uint8_t *target,               \
                                                                        size_t *written, uint32_t max_code_point)      \
    {                                                                                                                  \
        return big_endian ? we_utf_16_decode_##level(source, length, 1, target, WE_UCS1, max_code_point, written)      \
                          : we_utf_16_decode_##level(source, length, 0, target, WE_UCS1, max_code_point, written);     \
    }                                                                                                                  \
    static inline target_attribute size_t we_utf_16_run_to_ucs2_##level(                                               \
        const uint8_t *source, size_t length, int big_endian, uint16_t *target, size_t *written)                       \
    {                                                                                                                  \
        return big_endian ? we_utf_16_decode_##level(source, length, 1, target, WE_UCS2, 0xFFFF, written)              \
                          : we_utf_16_decode_##level(source, length, 0, target, WE_UCS2, 0xFFFF, written);             \
    }                                                                                                                  \
    static inline target_attribute size_t we_utf_16_run_to_ucs4_##level(                                               \
        const uint8_t *source, size_t length, int big_endian, uint32_t *target, size_t *written)                       \
    {                                                                                                                  \
        return big_endian ? we_utf_16_decode_##level(source, length, 1, target, WE_UCS4, 0x10FFFF, written)            \
                          : we_utf_16_decode_##level(source, length, 0, target, WE_UCS4, 0x10FFFF, written);           \
    }

WE_UTF_16_INSTANCES(scalar, )
#if defined(WE_HAVE_VECTOR_16)
WE_UTF_16_INSTANCES(128, WE_TARGET_VECTOR_16)
#endif
#define we_utf_16_run_to_ucs1_baseline we_utf_16_run_to_ucs1_scalar
#define we_utf_16_run_to_ucs2_baseline we_utf_16_run_to_ucs2_scalar
#define we_utf_16_run_to_ucs4_baseline we_utf_16_run_to_ucs4_scalar
#if defined(WE_HAVE_AVX2)
WE_UTF_16_INSTANCES(avx2, WE_TARGET_AVX2)
#endif
#if defined(WE_HAVE_AVX512)
WE_UTF_16_INSTANCES(avx512, WE_TARGET_AVX512)
#endif

/* ---- The functions of this header -------------------------------------------------------------------------------- */

/* Return the bytes read up to the first code unit above max_code_point (0x7F or 0xFF). */
static inline size_t we_utf_16_run_to_ucs1(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint8_t *target, size_t *written, uint32_t max_code_point)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_16_run_to_ucs1, (source, length, big_endian, target, written, max_code_point));
}

static inline size_t we_utf_16_rest_to_ucs2(int simd, const uint8_t *source, size_t length, int big_endian,
                                            uint16_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_16_run_to_ucs2, (source, length, big_endian, target, written));
}

/* Return the bytes read up to the first surrogate. `bits` is the run's: see codec.h. */
static inline size_t we_utf_16_run_to_ucs2(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint16_t *target, size_t *written, uint32_t *bits)
{
    size_t done = 0, read;
#if defined(WE_HAVE_AVX512)
    if (simd >= WE_SIMD_AVX512) {
        done = we_utf_16_copy_avx512(source, length, big_endian, target, bits);
        if (2 * done == length) {
            *written = done;
            return length;
        }
    }
#endif
#if defined(WE_HAVE_VECTOR_16)
    if (simd >= WE_SIMD_VECTOR_16 && simd < WE_SIMD_AVX2) {
        done = we_utf_16_copy_128(source, length, big_endian, target, bits);
    }
#endif
    (void)bits;
    read = we_utf_16_rest_to_ucs2(simd, source + 2 * done, length - 2 * done, big_endian, target + done, written);
    *written += done;
    return 2 * done + read;
}

/* Return the bytes read up to the first surrogate that is unpaired or whose other half is not there yet. */
static inline size_t we_utf_16_run_to_ucs4(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint32_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_16_run_to_ucs4, (source, length, big_endian, target, written));
}

/* Return the bytes read up to the first surrogate. The capacity is three bytes of UTF-8 for each code unit: the three
 * units that are kept back at the end bring nine, for the WE_ENCODE_SLACK that the UTF-8 run may write to. */
static inline size_t we_utf_16_run_to_utf8(int simd, const uint8_t *source, size_t length, int big_endian,
                                           uint8_t *target, size_t *written)
{
    enum { PIECE = 2048, KEPT = 6 };
    uint16_t units[PIECE / 2];
    uint32_t bits = 0;
    size_t read = 0, out = 0, count, done;
    do {
        size_t decoded = 0, bytes = 0;
        count = length - read > KEPT ? length - read - KEPT : 0;
        count = count < PIECE ? count : PIECE;
        done = we_utf_16_run_to_ucs2(simd, source + read, count, big_endian, units, &decoded, &bits);
        we_utf_8_run_from_ucs2(simd, units, decoded, target + out, &bytes);
        read += done;
        out += bytes;
    } while (done == PIECE);
    *written = out;
    return read;
}

#endif
