/* The UTF-8 runs with AVX2, in blocks of 32 bytes. utf_8/scalar.h defines them.
 *
 * The blocks, the ends and the errors are those of utf_8/avx512.h, but the last bytes, fewer than 32, are left to the
 * plain loops. Validity is looked up by nibbles of each byte and of the one before it (Keiser and Lemire, "Validating
 * UTF-8 in less than one instruction per byte", 2021). Eight bytes are compressed by a shuffle, which an entry of
 * compress.h gives.
 *
 * Each kernel must equal the handler utf_8_decode_item or utf_8_encode_item:
 * https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder. */
#ifndef WE_UTF_8_AVX2_H
#define WE_UTF_8_AVX2_H

#include "utf_8/vector_16.h"

#if defined(WE_HAVE_AVX2)
/* Hides a constant's value from GCC, which would build it anew from a general register in each block. */
WE_UNICODE_INLINE WE_TARGET_AVX2 __m256i we_constant_avx2(__m256i constant)
{
    __asm__("" : "+x"(constant));
    return constant;
}

/* A constant of 32 equal bytes. */
#define WE_BYTES_AVX2(byte) we_constant_avx2(_mm256_set1_epi8((char)(byte)))

/* Store those of eight units whose bit of `mask` is set; write eight. */
WE_UNICODE_INLINE WE_TARGET_AVX2 void we_store_8_of_avx2(void *target, __m128i units, uint32_t mask)
{
    const __m128i places = _mm_load_si128((const __m128i *)&we_set_units[mask]);
    _mm_storeu_si128((__m128i *)target, _mm_shuffle_epi8(units, places));
}

/* The shuffle that moves those of each eight bytes whose bit is set to the front; the bytes after them are arbitrary.
 */
WE_UNICODE_INLINE WE_TARGET_AVX2 __m256i we_compress_index_avx2(uint32_t mask)
{
    const __m256i numbers =
        _mm256_set_epi64x((long long)we_set_bits[mask >> 24], (long long)we_set_bits[mask >> 16 & 0xFF],
                          (long long)we_set_bits[mask >> 8 & 0xFF], (long long)we_set_bits[mask & 0xFF]);
    /* A shuffle counts from the start of the 16 bytes: the second eight begin at 8. */
    return _mm256_add_epi8(numbers, _mm256_set_epi64x(0x0808080808080808, 0, 0x0808080808080808, 0));
}

/* The positions in the target of the second, third and fourth eight. */
typedef struct {
    size_t first, second, third, all;
} we_places;

WE_UNICODE_INLINE WE_TARGET_AVX2 we_places we_places_avx2(uint32_t mask)
{
    const we_places places = {(size_t)__builtin_popcount(mask & 0xFF), (size_t)__builtin_popcount(mask & 0xFFFF),
                              (size_t)__builtin_popcount(mask & 0xFFFFFF), (size_t)__builtin_popcount(mask)};
    return places;
}

/* Store the bytes whose bit is set; return how many. Each eight are stored whole. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_store_compressed_avx2(uint8_t *target, __m256i bytes, uint32_t mask)
{
    const __m256i packed = _mm256_shuffle_epi8(bytes, we_compress_index_avx2(mask));
    const we_places places = we_places_avx2(mask);
    const __m128i lower = _mm256_castsi256_si128(packed);
    const __m128i upper = _mm256_extracti128_si256(packed, 1);
    _mm_storel_epi64((__m128i *)target, lower);
    _mm_storel_epi64((__m128i *)(target + places.first), _mm_unpackhi_epi64(lower, lower));
    _mm_storel_epi64((__m128i *)(target + places.second), upper);
    _mm_storel_epi64((__m128i *)(target + places.third), _mm_unpackhi_epi64(upper, upper));
    return places.all;
}

/* ---- Decoding -------------------------------------------------------------------------------------------- */

/* Of two adjacent blocks, the 32 bytes that begin `shift` before the second. */
#define WE_BYTES_BEFORE_AVX2(before, bytes, shift)                                                                     \
    _mm256_alignr_epi8((bytes), _mm256_permute2x128_si256((before), (bytes), 0x21), 16 - (shift))

/* Constants of the loops. */
typedef struct {
    __m256i by_high_nibble_before, by_low_nibble_before, by_high_nibble;
    __m256i x07, x0f, x20, x30, x40, x60, x70, x80, xc0, xc2, xc3, xdf, xe0, xef, xfe;
} we_utf_8_decode_constants;

WE_UNICODE_INLINE WE_TARGET_AVX2 we_utf_8_decode_constants we_utf_8_decode_constants_avx2(void)
{
    const we_utf_8_decode_constants constants = {
        .by_high_nibble_before =
            we_constant_avx2(_mm256_broadcastsi128_si256(we_load_16(we_utf_8_by_high_nibble_before))),
        .by_low_nibble_before =
            we_constant_avx2(_mm256_broadcastsi128_si256(we_load_16(we_utf_8_by_low_nibble_before))),
        .by_high_nibble = we_constant_avx2(_mm256_broadcastsi128_si256(we_load_16(we_utf_8_by_high_nibble))),
        .x07 = WE_BYTES_AVX2(0x07),
        .x0f = WE_BYTES_AVX2(0x0F),
        .x20 = WE_BYTES_AVX2(0x20),
        .x30 = WE_BYTES_AVX2(0x30),
        .x40 = WE_BYTES_AVX2(0x40),
        .x60 = WE_BYTES_AVX2(0x60),
        .x70 = WE_BYTES_AVX2(0x70),
        .x80 = WE_BYTES_AVX2(0x80),
        .xc0 = WE_BYTES_AVX2(0xC0),
        .xc2 = WE_BYTES_AVX2(0xC2),
        .xc3 = WE_BYTES_AVX2(0xC3),
        .xdf = WE_BYTES_AVX2(0xDF),
        .xe0 = WE_BYTES_AVX2(0xE0),
        .xef = WE_BYTES_AVX2(0xEF),
        .xfe = WE_BYTES_AVX2(0xFE),
    };
    return constants;
}

/* Not 0 where the bytes so far can not be the start of a sequence. `third_last` and `fourth_last` are the bytes two and
 * three before. https://encoding.spec.whatwg.org/#utf-8-decoder */
WE_UNICODE_INLINE WE_TARGET_AVX2 __m256i we_utf_8_errors_avx2(__m256i bytes, __m256i before, __m256i third_last,
                                                              __m256i fourth_last,
                                                              const we_utf_8_decode_constants *constants)
{
    const __m256i nibble = constants->x0f;
    const __m256i flags = _mm256_and_si256(
        _mm256_and_si256(_mm256_shuffle_epi8(constants->by_high_nibble_before,
                                             _mm256_and_si256(_mm256_srli_epi16(before, 4), nibble)),
                         _mm256_shuffle_epi8(constants->by_low_nibble_before, _mm256_and_si256(before, nibble))),
        _mm256_shuffle_epi8(constants->by_high_nibble, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble)));
    /* The high bit where a third or fourth byte is due: 0xE0 - 0x60, 0xF0 - 0x70. */
    const __m256i due =
        _mm256_or_si256(_mm256_subs_epu8(third_last, constants->x60), _mm256_subs_epu8(fourth_last, constants->x70));
    return _mm256_xor_si256(flags, _mm256_and_si256(due, constants->x80));
}

/* One bit for each byte of 0xC0 or more. */
WE_UNICODE_INLINE WE_TARGET_AVX2 uint32_t we_from_c0_avx2(__m256i bytes)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(bytes, _mm256_add_epi8(bytes, bytes)));
}

/* Where a block's last sequence ends, given the position after the block. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_8_last_end_avx2(size_t position, uint32_t ends)
{
    return position - (size_t)_lzcnt_u32(ends);
}

/* One bit for each byte that is not 0. */
WE_UNICODE_INLINE WE_TARGET_AVX2 uint32_t we_not_0_avx2(__m256i bytes)
{
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
}

/* Store the units of eight ends, low and high byte in turn. */
WE_UNICODE_INLINE WE_TARGET_AVX2 void we_store_8_units_avx2(void *target, int kind, __m128i units)
{
    if (kind == WE_UCS2) {
        _mm_storeu_si128((__m128i *)target, units);
    } else {
        _mm256_storeu_si256((__m256i *)target, _mm256_cvtepu16_epi32(units));
    }
}

/* The same for code points of which `top` has what is above 16 bits. */
WE_UNICODE_INLINE WE_TARGET_AVX2 void we_store_8_ucs4_avx2(void *target, __m128i units, __m128i top)
{
    _mm256_storeu_si256((__m256i *)target, _mm256_or_si256(_mm256_cvtepu16_epi32(units),
                                                           _mm256_slli_epi32(_mm256_cvtepu16_epi32(top), 16)));
}

/* Widen 32 bytes of ASCII. */
WE_UNICODE_INLINE WE_TARGET_AVX2 void we_widen_32_avx2(void *target, int kind, __m256i bytes)
{
    if (kind == WE_UCS2) {
        we_widen_32_to_ucs2(bytes, (uint16_t *)target);
    } else {
        we_widen_32_to_ucs4(bytes, (uint32_t *)target);
    }
}

/* A long run of ASCII, whose stores are within cache lines: they take up to a third less time. Return its length. */
static WE_SELDOM_CALLED WE_TARGET_AVX2 size_t we_utf_8_long_ascii_avx2(const uint8_t *source, size_t length,
                                                                       void *target, int kind)
{
    return kind == WE_UCS2 ? we_ascii_run_to_ucs2_avx2(source, length, (uint16_t *)target)
                           : we_ascii_run_to_ucs4_avx2(source, length, (uint32_t *)target);
}

/* The ends of a block that holds nothing but well-formed sequences of one and two bytes, the first of which may be
 * complete only here; 0 if it holds anything else. `mask` has the high bits of the bytes. */
WE_UNICODE_INLINE WE_TARGET_AVX2 uint32_t we_utf_8_ends_of_two_avx2(__m256i bytes, uint32_t mask, uint32_t ends_before,
                                                                    const we_utf_8_decode_constants *constants)
{
    const uint32_t leading = we_from_c0_avx2(bytes);
    const uint32_t due = leading << 1 | (uint32_t)(~ends_before >> 31);
    /* Not 0 for leading bytes from 0xE0 on, and for 0xC0 and 0xC1, the only bytes with these seven high bits. */
    const __m256i other = _mm256_or_si256(_mm256_subs_epu8(bytes, constants->xdf),
                                          _mm256_cmpeq_epi8(_mm256_and_si256(bytes, constants->xfe), constants->xc0));
    return (mask & ~leading) == due && _mm256_testz_si256(other, other) ? ~leading : 0;
}

/* Store the UCS2 units that end at `ends` in a block of sequences of one and two bytes; write at most the 32 units
 * from `target` on. */
WE_UNICODE_INLINE WE_TARGET_AVX2 void we_utf_8_put_two_avx2(uint8_t *target, __m256i bytes, __m256i before,
                                                            uint32_t ends, const we_utf_8_decode_constants *constants)
{
    const __m256i not_ascii = _mm256_cmpgt_epi8(_mm256_setzero_si256(), bytes);
    /* Bits 0 to 5 of a trailing byte and, from the leading byte, bits 6 and 7; then bits 8 to 10. */
    const __m256i from_leading = _mm256_and_si256(not_ascii, constants->xc0);
    const __m256i low =
        _mm256_xor_si256(bytes, _mm256_and_si256(from_leading, _mm256_xor_si256(bytes, _mm256_slli_epi16(before, 6))));
    const __m256i high = _mm256_and_si256(_mm256_and_si256(not_ascii, constants->x07), _mm256_srli_epi16(before, 2));
    const __m256i first = _mm256_unpacklo_epi8(low, high), second = _mm256_unpackhi_epi8(low, high);
    const we_places places = we_places_avx2(ends);
    we_store_8_of_avx2(target, _mm256_castsi256_si128(first), ends & 0xFF);
    we_store_8_of_avx2(target + 2 * places.first, _mm256_castsi256_si128(second), ends >> 8 & 0xFF);
    we_store_8_of_avx2(target + 2 * places.second, _mm256_extracti128_si256(first, 1), ends >> 16 & 0xFF);
    we_store_8_of_avx2(target + 2 * places.third, _mm256_extracti128_si256(second, 1), ends >> 24);
}

/* After this many blocks of ASCII a loop for ASCII alone takes over: English takes 0.84 to 0.88 of the time, Russian
 * and Arabic up to 1.05. */
enum { WE_LONG_ASCII_AVX2 = 12 };

/* Runs into UCS2 and UCS4; `kind` is a constant wherever this is inlined. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_8_decode_avx2(const uint8_t *source, size_t length, void *target,
                                                             int kind, size_t *written)
{
    const size_t unit_size = kind == WE_UCS2 ? 2 : 4;
    const we_utf_8_decode_constants constants = we_utf_8_decode_constants_avx2();
    __m256i bytes_before = _mm256_setzero_si256();
    uint32_t ends_before = ~UINT32_C(0);
    /* What is incomplete before the block, if anything, is the leading byte of a pair, and longer sequences are
     * unlikely in it. */
    int try_two = kind == WE_UCS2;
    unsigned ascii_blocks = 0;
    size_t position = 0;
    size_t out = 0;
    for (; length - position >= 32; position += 32) {
        const __m256i bytes = we_load_32(source + position);
        uint8_t *const units = (uint8_t *)target + out * unit_size;
        const uint32_t mask = (uint32_t)_mm256_movemask_epi8(bytes);
        if (mask == 0 && ends_before >> 31) {
            we_widen_32_avx2(units, kind, bytes);
            ends_before = ~UINT32_C(0);
            out += 32;
            if (WE_UNLIKELY(++ascii_blocks == WE_LONG_ASCII_AVX2)) {
                const size_t ascii = we_utf_8_long_ascii_avx2(source + position + 32, length - position - 32,
                                                              (uint8_t *)target + out * unit_size, kind);
                out += ascii;
                position += ascii;
                ascii_blocks = 0;
            }
            continue;
        }
        const __m256i before = WE_BYTES_BEFORE_AVX2(bytes_before, bytes, 1);
        ascii_blocks = 0;
        if (try_two) {
            const uint32_t ends = we_utf_8_ends_of_two_avx2(bytes, mask, ends_before, &constants);
            if (ends != 0) {
                we_utf_8_put_two_avx2(units, bytes, before, ends, &constants);
                out += (size_t)__builtin_popcount(ends);
                bytes_before = bytes;
                ends_before = ends;
                continue;
            }
        }
        const __m256i third_last = WE_BYTES_BEFORE_AVX2(bytes_before, bytes, 2);
        const __m256i fourth_last = WE_BYTES_BEFORE_AVX2(bytes_before, bytes, 3);
        __m256i errors = we_utf_8_errors_avx2(bytes, before, third_last, fourth_last, &constants);
        __m256i goes_on = _mm256_max_epu8(bytes, _mm256_subs_epu8(before, constants.x20));
        if (kind == WE_UCS2) {
            errors = _mm256_or_si256(errors, _mm256_subs_epu8(bytes, constants.xef));
        } else {
            goes_on = _mm256_max_epu8(goes_on, _mm256_subs_epu8(third_last, constants.x30));
        }
        uint32_t ends = ~we_from_c0_avx2(goes_on);
        const int any_error = !_mm256_testz_si256(errors, errors);
        if (any_error) {
            ends &= _blsi_u32(we_not_0_avx2(errors)) - 1; /* those before the first */
        }

        /* The low and the high byte of the code point that ends at each position. The shifts are of 16-bit lanes: no
         * bit that comes over from the neighbouring byte is selected. */
        const __m256i not_ascii = _mm256_cmpgt_epi8(_mm256_setzero_si256(), bytes);
        const __m256i top_two = _mm256_and_si256(not_ascii, constants.xc0);
        const __m256i low_nibble = _mm256_and_si256(not_ascii, constants.x0f);
        const __m256i low =
            _mm256_xor_si256(bytes, _mm256_and_si256(top_two, _mm256_xor_si256(bytes, _mm256_slli_epi16(before, 6))));
        __m256i third_bits = _mm256_subs_epu8(third_last, constants.xe0); /* 0 below a leading byte of three */
        __m256i is_fourth = _mm256_setzero_si256();
        int four = 0;
        if (kind == WE_UCS4) {
            is_fourth = _mm256_cmpeq_epi8(_mm256_max_epu8(fourth_last, _mm256_set1_epi8((char)0xF0)), fourth_last);
            four = _mm256_movemask_epi8(is_fourth) != 0;
            if (four) {
                third_bits = _mm256_blendv_epi8(third_bits, third_last, is_fourth);
            }
            third_bits = _mm256_and_si256(third_bits, constants.x0f);
        }
        const __m256i high = _mm256_or_si256(_mm256_and_si256(low_nibble, _mm256_srli_epi16(before, 2)),
                                             _mm256_slli_epi16(third_bits, 4));

        const __m256i index = we_compress_index_avx2(ends);
        const __m256i packed_low = _mm256_shuffle_epi8(low, index);
        const __m256i packed_high = _mm256_shuffle_epi8(high, index);
        const __m256i first =
            _mm256_unpacklo_epi8(packed_low, packed_high); /* the first and the third eight positions */
        const __m256i second = _mm256_unpackhi_epi8(packed_low, packed_high); /* the second and the fourth */
        const we_places places = we_places_avx2(ends);
        if (four) {
            /* Three bits of the leading byte of four bytes and two of the byte after it. */
            const __m256i top =
                _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(fourth_last, 2), _mm256_set1_epi8(0x1C)),
                                _mm256_and_si256(_mm256_srli_epi16(third_last, 4), _mm256_set1_epi8(0x03)));
            const __m256i packed_top = _mm256_shuffle_epi8(_mm256_and_si256(top, is_fourth), index);
            const __m256i first_top = _mm256_unpacklo_epi8(packed_top, _mm256_setzero_si256());
            const __m256i second_top = _mm256_unpackhi_epi8(packed_top, _mm256_setzero_si256());
            we_store_8_ucs4_avx2(units, _mm256_castsi256_si128(first), _mm256_castsi256_si128(first_top));
            we_store_8_ucs4_avx2(units + places.first * 4, _mm256_castsi256_si128(second),
                                 _mm256_castsi256_si128(second_top));
            we_store_8_ucs4_avx2(units + places.second * 4, _mm256_extracti128_si256(first, 1),
                                 _mm256_extracti128_si256(first_top, 1));
            we_store_8_ucs4_avx2(units + places.third * 4, _mm256_extracti128_si256(second, 1),
                                 _mm256_extracti128_si256(second_top, 1));
        } else {
            we_store_8_units_avx2(units, kind, _mm256_castsi256_si128(first));
            we_store_8_units_avx2(units + places.first * unit_size, kind, _mm256_castsi256_si128(second));
            we_store_8_units_avx2(units + places.second * unit_size, kind, _mm256_extracti128_si256(first, 1));
            we_store_8_units_avx2(units + places.third * unit_size, kind, _mm256_extracti128_si256(second, 1));
        }
        out += places.all;
        if (any_error) {
            *written = out;
            return ends ? we_utf_8_last_end_avx2(position + 32, ends) : we_utf_8_last_end_avx2(position, ends_before);
        }
        bytes_before = bytes;
        ends_before = ends;
        try_two = kind == WE_UCS2 && ends >> 31
                  && places.all > 14; /* 32 bytes without longer sequences have at least 15 ends */
    }
    position = we_utf_8_last_end_avx2(position, ends_before);
    size_t rest;
    position +=
        we_utf_8_decode_loop(source + position, length - position, (uint8_t *)target + out * unit_size, kind, 1, &rest);
    *written = out + rest;
    return position;
}

/* Latin-1 has the leading bytes 0xC2 and 0xC3; its character is the trailing byte itself, with bit 6 set after 0xC3. */
static inline WE_TARGET_AVX2 size_t we_utf_8_run_to_latin1_avx2(const uint8_t *source, size_t length, uint8_t *target,
                                                                size_t *written)
{
    const we_utf_8_decode_constants constants = we_utf_8_decode_constants_avx2();
    __m256i bytes_before = _mm256_setzero_si256();
    uint32_t ends_before = ~UINT32_C(0);
    size_t position = 0;
    size_t out = 0;
    for (; length - position >= 32; position += 32) {
        const __m256i bytes = we_load_32(source + position);
        const uint32_t not_ascii = (uint32_t)_mm256_movemask_epi8(bytes);
        if (not_ascii == 0 && ends_before >> 31) {
            _mm256_storeu_si256((__m256i *)(target + out), bytes);
            ends_before = ~UINT32_C(0);
            out += 32;
            continue;
        }
        const __m256i before = WE_BYTES_BEFORE_AVX2(bytes_before, bytes, 1);
        const uint32_t continuation = not_ascii & ~we_from_c0_avx2(bytes);
        const uint32_t leading =
            (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, constants.xfe), constants.xc2));
        const uint32_t due = leading << 1 | !(ends_before >> 31);
        const uint32_t error = (continuation ^ due) | (not_ascii & ~continuation & ~leading);
        const uint32_t ends = ~leading & (_blsi_u32(error) - 1);
        const __m256i after_c3 = _mm256_cmpeq_epi8(before, constants.xc3);
        const __m256i units = _mm256_or_si256(bytes, _mm256_and_si256(after_c3, constants.x40));
        out += we_store_compressed_avx2(target + out, units, ends);
        if (error) {
            *written = out;
            return ends ? we_utf_8_last_end_avx2(position + 32, ends) : we_utf_8_last_end_avx2(position, ends_before);
        }
        bytes_before = bytes;
        ends_before = ends;
    }
    position = we_utf_8_last_end_avx2(position, ends_before);
    size_t rest;
    position += we_utf_8_decode_loop(source + position, length - position, target + out, WE_UCS1, 1, &rest);
    *written = out + rest;
    return position;
}

/* Validate, and copy if there is a target. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_8_validate_avx2(const uint8_t *source, size_t length, uint8_t *target)
{
    const we_utf_8_decode_constants constants = we_utf_8_decode_constants_avx2();
    __m256i bytes_before = _mm256_setzero_si256();
    uint32_t ends_before = ~UINT32_C(0);
    size_t position = 0;
    for (; length - position >= 32; position += 32) {
        const __m256i bytes = we_load_32(source + position);
        if (target) {
            _mm256_storeu_si256((__m256i *)(target + position), bytes);
        }
        if (_mm256_movemask_epi8(bytes) == 0 && ends_before >> 31) {
            ends_before = ~UINT32_C(0);
            continue;
        }
        const __m256i before = WE_BYTES_BEFORE_AVX2(bytes_before, bytes, 1);
        const __m256i third_last = WE_BYTES_BEFORE_AVX2(bytes_before, bytes, 2);
        const __m256i fourth_last = WE_BYTES_BEFORE_AVX2(bytes_before, bytes, 3);
        const __m256i errors = we_utf_8_errors_avx2(bytes, before, third_last, fourth_last, &constants);
        const __m256i goes_on = _mm256_max_epu8(_mm256_max_epu8(bytes, _mm256_subs_epu8(before, constants.x20)),
                                                _mm256_subs_epu8(third_last, constants.x30));
        uint32_t ends = ~we_from_c0_avx2(goes_on);
        if (!_mm256_testz_si256(errors, errors)) {
            ends &= _blsi_u32(we_not_0_avx2(errors)) - 1;
            return ends ? we_utf_8_last_end_avx2(position + 32, ends) : we_utf_8_last_end_avx2(position, ends_before);
        }
        bytes_before = bytes;
        ends_before = ends;
    }
    position = we_utf_8_last_end_avx2(position, ends_before);
    size_t written;
    return position
           + we_utf_8_decode_loop(source + position, length - position, target ? target + position : NULL, WE_UTF8, 1,
                                  &written);
}

/* ---- Encoding -------------------------------------------------------------------------------------------- */

/* Store whole blocks of ASCII, 64 units each (UCS4: 32), up to the first that holds another unit; return how many
 * units. After the first block of a long text, loads are aligned, which takes 5 % less: part of it is stored again. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_8_encode_ascii_avx2(const void *source, int kind, size_t length,
                                                                   uint8_t *target)
{
    const size_t step = kind == WE_UCS4 ? 32 : 64, unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const size_t past = length >= WE_WORTH_ALIGNING ? (uintptr_t)source % 32 / unit_size : 0;
    size_t read = 0;
    for (; length - read >= step; read += step) {
        if (kind == WE_UCS1) {
            const uint8_t *bytes = (const uint8_t *)source + read;
            const __m256i a = we_load_32(bytes), b = we_load_32(bytes + 32);
            if (_mm256_movemask_epi8(_mm256_or_si256(a, b)) != 0) {
                break;
            }
            we_store_32(target + read, a);
            we_store_32(target + read + 32, b);
        } else if (kind == WE_UCS2) {
            const uint16_t *units = (const uint16_t *)source + read;
            const __m256i a = we_load_32(units), b = we_load_32(units + 16), c = we_load_32(units + 32),
                          d = we_load_32(units + 48);
            const __m256i all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            if (!_mm256_testz_si256(all, _mm256_set1_epi16((short)0xFF80))) {
                break;
            }
            we_store_32(target + read, we_in_order_32(_mm256_packus_epi16(a, b)));
            we_store_32(target + read + 32, we_in_order_32(_mm256_packus_epi16(c, d)));
        } else if (we_ascii_step_from_ucs4_32((const uint32_t *)source + read, target + read) < 32) {
            break;
        }
        if (read == 0) {
            read -= past;
        }
    }
    return read;
}

/* The 128-bit algorithm in that level's own instructions: AVX2's form of its blends takes twice as long. */
static WE_NEVER_INLINE WE_TARGET_VECTOR_16 size_t we_utf_8_encode_apart_vector_16(const void *source, int kind,
                                                                                  size_t length, uint8_t *target,
                                                                                  size_t *written)
{
    if (kind == WE_UCS1) {
        return we_utf_8_encode_vector_16(source, WE_UCS1, length, target, written);
    }
    return kind == WE_UCS2 ? we_utf_8_encode_vector_16(source, WE_UCS2, length, target, written)
                           : we_utf_8_encode_vector_16(source, WE_UCS4, length, target, written);
}

/* ASCII goes by 32 bytes; the rest, a piece at a time, by the 128-bit algorithm, which is the faster one here too. */
WE_UNICODE_INLINE WE_TARGET_AVX2 size_t we_utf_8_encode_avx2(const void *source, int kind, size_t length,
                                                             uint8_t *target, size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const uint8_t *const bytes = (const uint8_t *)source;
    /* Soon after a long run of ASCII another is likely. */
    enum { PIECE = 512, PIECE_AFTER_ASCII = 128 };
    size_t out = 0, position = 0;
    while (position < length) {
        size_t here, count = length - position;
        if (count >= 64) {
            size_t piece = PIECE;
            /* In text of another script most blocks begin or end with one of its letters, and are not tried. */
            if ((we_unit_get(source, kind, position) | we_unit_get(source, kind, position + 63)) < 0x80) {
                const size_t ascii =
                    we_utf_8_encode_ascii_avx2(bytes + position * unit_size, kind, count, target + out);
                position += ascii;
                out += ascii;
                count -= ascii;
                piece = ascii > PIECE ? PIECE_AFTER_ASCII : PIECE;
            }
            count = count < piece ? count : piece;
        }
        /* GCC omits this where it knows which registers the callee changes, and then each piece of Latin-1 takes four
         * times as long: the callee's instructions keep the upper halves of registers, and wait for them. */
        _mm256_zeroupper();
        const size_t read =
            we_utf_8_encode_apart_vector_16(bytes + position * unit_size, kind, count, target + out, &here);
        out += here;
        position += read;
        if (read < count) {
            break;
        }
    }
    *written = out;
    return position;
}
#endif

#endif
