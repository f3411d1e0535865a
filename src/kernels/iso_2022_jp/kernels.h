/* Runs of ISO-2022-JP through its states: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder and
 * #iso-2022-jp-encoder.
 *
 * Index jis0208 is looked up in EUC-JP's tables, where it has the same bytes with their high bits set. A run converts
 * well-formed text, escape sequences included, and stops before the first item that needs a decision: an error, an
 * incomplete sequence, a code point that is not in the index, the special characters of the state Roman.
 */
#ifndef WE_ISO_2022_JP_KERNELS_H
#define WE_ISO_2022_JP_KERNELS_H

#include "double_byte/kernels.h"

enum {
    WE_ESCAPE = 0x1B,
    WE_ROMAN_YEN_SIGN = 0x5C, /* the bytes that the state Roman has other code points for */
    WE_ROMAN_OVERLINE = 0x7E,
    WE_JIS_FIRST = 0x21, /* the bytes of a pair */
    WE_JIS_LAST = 0x7E
};

/* Whether a byte stands for itself in the states ASCII (`roman` 0) and Roman (1). */
static inline int we_iso_2022_jp_is_plain(uint32_t byte, int roman)
{
    return byte < 0x80 && byte != 0x0E && byte != 0x0F && byte != WE_ESCAPE
           && !(roman && (byte == WE_ROMAN_YEN_SIGN || byte == WE_ROMAN_OVERLINE));
}

static inline int we_iso_2022_jp_is_digit(uint8_t byte)
{
    return byte >= WE_JIS_FIRST && byte <= WE_JIS_LAST;
}

#if defined(WE_HAVE_BYTES_16)
/* How many of sixteen bytes precede the first that is not plain. */
static inline size_t we_iso_2022_jp_plain_in_16(we_bytes_16 bytes, int roman)
{
    we_bytes_16 stops = we_or_16(bytes, we_equal_u8(bytes, we_all_u8(WE_ESCAPE)));
    stops = we_or_16(stops, we_equal_u8(we_or_16(bytes, we_all_u8(1)), we_all_u8(0x0F)));
    if (roman)
        stops = we_or_16(stops, we_or_16(we_equal_u8(bytes, we_all_u8(WE_ROMAN_YEN_SIGN)),
                                         we_equal_u8(bytes, we_all_u8(WE_ROMAN_OVERLINE))));
    return we_ascii_in_16(stops);
}
#endif

/* ---- Decoding -------------------------------------------------------------------------------------------- */

/* The state that an escape sequence selects; -1 if the three bytes are none. */
static inline int we_iso_2022_jp_escaped(const uint8_t *source)
{
    if (source[0] != WE_ESCAPE)
        return -1;
    if (source[1] == 0x28)
        return source[2] == 0x42   ? WE_ISO_2022_JP_ASCII
               : source[2] == 0x4A ? WE_ISO_2022_JP_ROMAN
               : source[2] == 0x49 ? WE_ISO_2022_JP_KATAKANA
                                   : -1;
    return source[1] == 0x24 && (source[2] == 0x40 || source[2] == 0x42) ? WE_ISO_2022_JP_LEADING_BYTE : -1;
}

/* Decode plain bytes of the states ASCII and Roman; return how many. */
WE_PAIRS_INLINE size_t we_iso_2022_jp_decode_plain_bytes(const uint8_t *source, size_t length, int roman, int kind,
                                                         void *target, int vectors)
{
    size_t read = 0;
#if defined(WE_HAVE_BYTES_16)
    if (vectors) {
        while (length - read >= 16) {
            we_bytes_16 bytes = we_load_16(source + read);
            void *at = we_at(target, kind, read);
            if (kind == WE_UCS2)
                we_widen_16_to_ucs2(bytes, (uint16_t *)at);
            else if (kind == WE_UCS4)
                we_widen_16_to_ucs4(bytes, (uint32_t *)at);
            else
                we_store_16(at, bytes);
            size_t plain = we_iso_2022_jp_plain_in_16(bytes, roman);
            if (plain < 16)
                return read + plain;
            read += 16;
        }
    }
#endif
    (void)vectors;
    for (; read < length; read++) {
        const uint8_t byte = source[read];
        if (!we_iso_2022_jp_is_plain(byte, roman))
            break;
        we_unit_put(target, kind, read, byte);
    }
    return read;
}

/* Decode pairs of the state leading byte; return the bytes read. */
WE_PAIRS_INLINE size_t we_iso_2022_jp_decode_pairs(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                   int kind, void *target, size_t *written)
{
    size_t read = 0, out = 0;
    for (; length - read >= 2; read += 2) {
        uint8_t leading = source[read], trailing = source[read + 1];
        uint16_t unit = we_iso_2022_jp_is_digit(leading) && we_iso_2022_jp_is_digit(trailing)
                            ? pairs[leading << 8 | trailing | 0x80]
                            : 0;
        if (unit == 0)
            break;
        out += we_put(target, kind, out, unit);
    }
    *written = out;
    return read;
}

#if defined(WE_HAVE_VECTOR_16)
/* The same, eight at a time as long as eight pairs follow one another. */
WE_PAIRS_VECTOR_16 size_t we_iso_2022_jp_decode_pairs_vector_16(const uint8_t *source, size_t length,
                                                                const uint16_t *pairs, int kind, void *target,
                                                                size_t *written)
{
    enum { BLOCK = 16 };
    const we_bytes_16 first = we_all_u8(WE_JIS_FIRST), above_range = we_all_u8(WE_JIS_LAST - WE_JIS_FIRST + 1);
    const we_bytes_16 trailing_bit = we_all_u16(0x0080), fifteen_bits = we_all_u16(0x7FFF);
    size_t read = 0, out = 0, more;
    for (; length - read >= BLOCK; read += BLOCK) {
        const we_bytes_16 bytes = we_load_16(source + read);
        if (we_any_high_16(we_at_least_u8(we_sub_u8(bytes, first), above_range)))
            break; /* the plain loop looks up the few pairs before the escape sequence, and no more */
        const we_bytes_16 units =
            we_look_up_8(pairs, we_and_16(we_or_16(we_swap_u16(bytes), trailing_bit), fifteen_bits));
        if (we_any_null_u16(units))
            break;
        if (kind != WE_UTF8) {
            we_store_8_units_vector_16((uint8_t *)target, kind, out * 2,
                                       units); /* within the capacity of the sixteen bytes */
            out += 8;
            continue;
        }
        uint16_t eight[8];
        we_store_16(eight, units);
        for (int i = 0; i < 8; i++)
            out += we_put_pair(target, kind, out, eight[i]);
    }
    read += we_iso_2022_jp_decode_pairs(source + read, length - read, pairs, kind, we_at(target, kind, out), &more);
    *written = out + more;
    return read;
}
#endif

#if defined(WE_HAVE_AVX512)
/* Store the keys of 32 pairs; return how many precede the first byte that belongs to no pair. */
WE_PAIRS_AVX512 size_t we_iso_2022_jp_find(const uint8_t *source, uint16_t *keys)
{
    __m512i bytes = we_load_64(source);
    uint64_t stops = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8(WE_JIS_FIRST)),
                                            _mm512_set1_epi8(WE_JIS_LAST - WE_JIS_FIRST));
    __m512i swapped = _mm512_or_si512(_mm512_slli_epi16(bytes, 8), _mm512_srli_epi16(bytes, 8));
    /* Fifteen bits, so that every key is in range. */
    _mm512_store_si512(keys,
                       _mm512_and_si512(_mm512_or_si512(swapped, _mm512_set1_epi16(0x80)), _mm512_set1_epi16(0x7FFF)));
    return (size_t)_tzcnt_u64(stops) / 2;
}

/* The same in blocks of 32 pairs, the last of which need not be full. As in we_double_byte_run_avx512, the keys of the
 * next block are found before the look-ups of this one. A block's 32 units take up to 96 bytes of UTF-8, the last
 * sixteen stored as 64: 112 bytes, within the capacity that 64 bytes of source bring in every kind. */
WE_PAIRS_AVX512 size_t we_iso_2022_jp_decode_pairs_avx512(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                          int kind, void *target, size_t *written)
{
    enum { BLOCK = 64 };
    const we_utf_8_encode_constants_512 utf_8 = we_utf_8_encode_constants_avx512();
    _Alignas(64) uint16_t keys[2][32];
    size_t read = 0, out = 0;
    if (length >= BLOCK) {
        size_t count = we_iso_2022_jp_find(source, keys[0]), next = 0;
        for (int turn = 0;; turn ^= 1, count = next) {
            int is_last = length - read < 2 * BLOCK;
            if (!is_last)
                next = we_iso_2022_jp_find(source + read + BLOCK, keys[turn ^ 1]);
            __asm__ volatile("" ::: "memory"); /* as there */
            __m512i units = we_look_pairs_up(pairs, keys[turn], count);
            uint32_t nulls = _mm512_testn_epi16_mask(units, units) & _bzhi_u32(~UINT32_C(0), (uint32_t)count);
            if (nulls) {
                /* A branch, so that the position of the next block does not depend on the look-ups. */
                count = (size_t)__builtin_ctz(nulls);
                __asm__ volatile("" : "+r"(count));
                *written = out + we_put_half_block(target, kind, out, units, count, 0, &utf_8);
                return read + 2 * count;
            }
            out += we_put_half_block(target, kind, out, units, count, 0, &utf_8);
            read += 2 * count;
            if (count < 32) {
                *written = out;
                return read;
            }
            if (is_last)
                break;
        }
    }
    size_t more;
    read += we_iso_2022_jp_decode_pairs(source + read, length - read, pairs, kind, we_at(target, kind, out), &more);
    *written = out + more;
    return read;
}

/* Decode plain bytes in blocks of 64. */
WE_PAIRS_AVX512 size_t we_iso_2022_jp_decode_plain_avx512(const uint8_t *source, size_t length, int roman, int kind,
                                                          void *target)
{
    size_t read = 0;
    for (; length - read >= 64; read += 64) {
        __m512i bytes = we_load_64(source + read);
        void *at = we_at(target, kind, read);
        if (kind == WE_UTF8 || kind == WE_UCS1)
            _mm512_storeu_si512(at, bytes);
        else
            we_put_block(at, kind, 0, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)),
                         _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1)), 64, 0, NULL);
        uint64_t stops = _mm512_movepi8_mask(bytes) | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(WE_ESCAPE))
                         | _mm512_cmpeq_epi8_mask(_mm512_or_si512(bytes, _mm512_set1_epi8(1)), _mm512_set1_epi8(0x0F));
        if (roman)
            stops |= _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(WE_ROMAN_YEN_SIGN))
                     | _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(WE_ROMAN_OVERLINE));
        if (stops)
            return read + (size_t)__builtin_ctzll(stops);
    }
    return read
           + we_iso_2022_jp_decode_plain_bytes(source + read, length - read, roman, kind, we_at(target, kind, read), 1);
}
#endif

/* From state to state. Capacity: as for the runs of double_byte/kernels.h; an escape sequence takes none.
 *
 * Most runs of pairs are short: blocks of eight are faster than AVX-512's of 32 but for UTF-8, whose units have to be
 * encoded. Runs of markup are longer, and the number of their blocks is mispredicted: with blocks of 64 bytes from the
 * seventeenth byte on there are fewer. */
#define WE_ISO_2022_JP_RUN(name, kind, unit)                                                                           \
    WE_IF_VECTOR_16(static inline WE_TARGET_VECTOR_16 size_t name##_pairs_vector_16(                                   \
        const uint8_t *source, size_t length, const uint16_t *pairs, void *target, size_t *written) {                  \
        return we_iso_2022_jp_decode_pairs_vector_16(source, length, pairs, kind, target, written);                    \
    })                                                                                                                 \
    WE_IF_AVX512(static inline WE_TARGET_AVX512 size_t name##_pairs_avx512(                                            \
        const uint8_t *source, size_t length, const uint16_t *pairs, void *target, size_t *written) {                  \
        return we_iso_2022_jp_decode_pairs_avx512(source, length, pairs, kind, target, written);                       \
    })                                                                                                                 \
    WE_IF_AVX512(static inline WE_TARGET_AVX512 size_t name##_plain_avx512(const uint8_t *source, size_t length,       \
                                                                           int roman, void *target) {                  \
        return we_iso_2022_jp_decode_plain_avx512(source, length, roman, kind, target);                                \
    })                                                                                                                 \
    static inline size_t name(int simd, const uint8_t *source, size_t length, const uint16_t *pairs, unit *target,     \
                              size_t *written, we_decoder_state *run)                                                  \
    {                                                                                                                  \
        size_t read = 0, out = 0;                                                                                      \
        for (;;) {                                                                                                     \
            const uint8_t *from = source + read;                                                                       \
            size_t rest = length - read, step = 0, more = 0;                                                           \
            int state = run->iso_2022_jp_decoder_output_state, roman = state == WE_ISO_2022_JP_ROMAN;                  \
            /* A single character between two escape sequences is not worth a vector. */                               \
            if (rest > 2 && (from[1] == WE_ESCAPE || from[2] == WE_ESCAPE))                                            \
                rest = 2;                                                                                              \
            int level = rest > 2 ? simd : WE_SIMD_SCALAR;                                                              \
            if (state == WE_ISO_2022_JP_LEADING_BYTE && kind != WE_UCS1) {                                             \
                WE_IF_AVX512(if (kind == WE_UTF8 && level >= WE_SIMD_AVX512) step =                                    \
                                 name##_pairs_avx512(from, rest, pairs, target + out, &more);                          \
                             else)                                                                                     \
                WE_IF_VECTOR_16(if (level >= WE_SIMD_VECTOR_16) step =                                                 \
                                    name##_pairs_vector_16(from, rest, pairs, target + out, &more);                    \
                                else)                                                                                  \
                step = we_iso_2022_jp_decode_pairs(from, rest, pairs, kind, target + out, &more);                      \
            } else if (state == WE_ISO_2022_JP_ASCII || roman) {                                                       \
                WE_IF_AVX512(if (level >= WE_SIMD_AVX512 && rest > 16) {                                               \
                    step = we_iso_2022_jp_decode_plain_bytes(from, 16, roman, kind, target + out, 1);                  \
                    if (step == 16)                                                                                    \
                        step += name##_plain_avx512(from + 16, rest - 16, roman, target + out + 16);                   \
                } else)                                                                                                \
                step =                                                                                                 \
                    we_iso_2022_jp_decode_plain_bytes(from, rest, roman, kind, target + out, level > WE_SIMD_SCALAR);  \
                more = step;                                                                                           \
            }                                                                                                          \
            read += step;                                                                                              \
            out += more;                                                                                               \
            if (step != 0)                                                                                             \
                run->iso_2022_jp_output = 0;                                                                           \
            int escaped = length - read >= 3 ? we_iso_2022_jp_escaped(source + read) : -1;                             \
            if (escaped == -1 || run->iso_2022_jp_output)                                                              \
                break; /* an escape sequence right after another is an error */                                        \
            run->iso_2022_jp_decoder_output_state = (uint8_t)escaped;                                                  \
            run->iso_2022_jp_output = 1;                                                                               \
            read += 3;                                                                                                 \
        }                                                                                                              \
        *written = out;                                                                                                \
        return read;                                                                                                   \
    }
WE_ISO_2022_JP_RUN(we_iso_2022_jp_run_to_ucs1, WE_UCS1, uint8_t)
WE_ISO_2022_JP_RUN(we_iso_2022_jp_run_to_ucs2, WE_UCS2, uint16_t)
WE_ISO_2022_JP_RUN(we_iso_2022_jp_run_to_ucs4, WE_UCS4, uint32_t)
WE_ISO_2022_JP_RUN(we_iso_2022_jp_run_to_utf8, WE_UTF8, uint8_t)

/* ---- Encoding -------------------------------------------------------------------------------------------- */

/* The pair of a code unit in the state jis0208, in memory order; 0 if it has none, or only after a conversion as
 * half-width katakana have, whose first byte in EUC-JP is 8E. */
static inline uint16_t we_iso_2022_jp_pair(uint32_t unit, const uint16_t *reverse)
{
    uint16_t pair = unit > 0xFFFF ? 0 : reverse[unit];
    return pair > 0xFF && (pair & 0xFF) >= 0xA1 ? pair & 0x7F7F : 0;
}

/* Encode plain units of the states ASCII and Roman; return how many. */
WE_PAIRS_INLINE size_t we_iso_2022_jp_encode_plain_units(const void *source, int kind, size_t length, int roman,
                                                         uint8_t *target, int vectors)
{
    size_t read = 0;
#if defined(WE_HAVE_BYTES_16)
    if (vectors) {
        while (length - read >= 16) {
            const void *const block = (const uint8_t *)source + (read << kind);
            we_bytes_16 bytes;
            if (kind == WE_UCS1)
                bytes = we_load_16(block);
            else if (kind == WE_UCS2)
                bytes = we_ascii_narrow_ucs2_16(we_load_16(block), we_load_16((const uint16_t *)block + 8));
            else if (!we_ascii_narrow_ucs4_16((const uint32_t *)block, &bytes))
                break;
            we_store_16(target + read, bytes);
            size_t plain = we_iso_2022_jp_plain_in_16(bytes, roman);
            if (plain < 16)
                return read + plain;
            read += 16;
        }
    }
#endif
    (void)vectors;
    for (; read < length; read++) {
        const uint32_t unit = we_unit_get(source, kind, read);
        if (!we_iso_2022_jp_is_plain(unit, roman))
            break;
        target[read] = (uint8_t)unit;
    }
    return read;
}

/* Encode units of the state jis0208; return how many, each of two bytes. */
WE_PAIRS_INLINE size_t we_iso_2022_jp_encode_pairs(const void *source, int kind, size_t length, const uint16_t *reverse,
                                                   uint8_t *target)
{
    size_t read = 0;
    for (; read < length; read++) {
        uint16_t pair = we_iso_2022_jp_pair(we_unit_get(source, kind, read), reverse);
        if (pair == 0)
            break;
        we_store_pair(target + 2 * read, pair);
    }
    return read;
}

#if defined(WE_HAVE_VECTOR_16)
/* The same, eight at a time as long as eight units follow one another. */
WE_PAIRS_VECTOR_16 size_t we_iso_2022_jp_encode_pairs_vector_16(const void *source, int kind, size_t length,
                                                                const uint16_t *reverse, uint8_t *target)
{
    enum { BLOCK = 8 };
    size_t read = 0;
    for (; length - read >= BLOCK; read += BLOCK) {
        we_bytes_16 above;
        const we_bytes_16 units = we_load_8_units_vector_16(source, kind, read, &above);
        /* ASCII ends most runs: the plain loop looks up the few units before it, and no more. */
        if (we_any_null_u16(we_and_16(units, we_all_u16(0xFF80))) || (kind == WE_UCS4 && we_any_16(above)))
            break;
        const we_bytes_16 pairs = we_look_up_8(reverse, units);
        if (we_any_high_16(we_at_least_u8(we_all_u8(0xA0), pairs)))
            break; /* both bytes of a pair lie above A0 */
        we_store_16(target + 2 * read, we_and_16(pairs, we_all_u8(0x7F)));
    }
    return read
           + we_iso_2022_jp_encode_pairs((const uint8_t *)source + (read << kind), kind, length - read, reverse,
                                         target + 2 * read);
}
#endif

/* Write the escape sequence of a state; return its length. */
static inline size_t we_iso_2022_jp_put_escape(uint8_t *target, int state)
{
    target[0] = WE_ESCAPE;
    target[1] = state == WE_ISO_2022_JP_JIS0208 ? 0x24 : 0x28;
    target[2] = state == WE_ISO_2022_JP_ROMAN ? 0x4A : 0x42;
    return 3;
}

/* From state to state. Capacity: five bytes for each unit and WE_ENCODE_SLACK more. The unit that decides on an escape
 * sequence is read once and encoded after it: if another thread writes to the source, a unit read again might need
 * another one. */
#define WE_ISO_2022_JP_RUN_FROM(name, kind, unit_type)                                                                 \
    WE_IF_VECTOR_16(static inline WE_TARGET_VECTOR_16 size_t name##_pairs_vector_16(                                   \
        const void *source, size_t length, const uint16_t *reverse, uint8_t *target) {                                 \
        return we_iso_2022_jp_encode_pairs_vector_16(source, kind, length, reverse, target);                           \
    })                                                                                                                 \
    static inline size_t name(int simd, const unit_type *source, size_t length, const uint16_t *reverse,               \
                              uint8_t *target, size_t *written, we_encoder_state *run)                                 \
    {                                                                                                                  \
        size_t read = 0, out = 0;                                                                                      \
        while (read < length) {                                                                                        \
            const uint32_t first = source[read];                                                                       \
            const unit_type *from = source + read + 1;                                                                 \
            size_t rest = length - read - 1, step;                                                                     \
            int state = run->iso_2022_jp_encoder_state, roman = state == WE_ISO_2022_JP_ROMAN;                         \
            if (we_iso_2022_jp_is_plain(first, roman)) {                                                               \
                if (state == WE_ISO_2022_JP_JIS0208) {                                                                 \
                    run->iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII;                                             \
                    out += we_iso_2022_jp_put_escape(target + out, WE_ISO_2022_JP_ASCII);                              \
                }                                                                                                      \
                target[out++] = (uint8_t)first;                                                                        \
                step =                                                                                                 \
                    we_iso_2022_jp_encode_plain_units(from, kind, rest, roman, target + out, simd > WE_SIMD_SCALAR);   \
                out += step;                                                                                           \
            } else {                                                                                                   \
                const uint16_t pair = first < 0x80 ? 0 : we_iso_2022_jp_pair(first, reverse);                          \
                if (pair == 0)                                                                                         \
                    break;                                                                                             \
                if (rest > 0 && *from < 0x80)                                                                          \
                    rest = 0; /* not worth a vector */                                                                 \
                if (state != WE_ISO_2022_JP_JIS0208) {                                                                 \
                    run->iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208;                                           \
                    out += we_iso_2022_jp_put_escape(target + out, WE_ISO_2022_JP_JIS0208);                            \
                }                                                                                                      \
                we_store_pair(target + out, pair);                                                                     \
                out += 2;                                                                                              \
                WE_IF_VECTOR_16(if (simd >= WE_SIMD_VECTOR_16 && rest > 1) step =                                      \
                                    name##_pairs_vector_16(from, rest, reverse, target + out);                         \
                                else)                                                                                  \
                step = we_iso_2022_jp_encode_pairs(from, kind, rest, reverse, target + out);                           \
                out += 2 * step;                                                                                       \
            }                                                                                                          \
            read += 1 + step;                                                                                          \
        }                                                                                                              \
        *written = out;                                                                                                \
        return read;                                                                                                   \
    }
WE_ISO_2022_JP_RUN_FROM(we_iso_2022_jp_run_from_ucs1, WE_UCS1, uint8_t)
WE_ISO_2022_JP_RUN_FROM(we_iso_2022_jp_run_from_ucs2, WE_UCS2, uint16_t)
WE_ISO_2022_JP_RUN_FROM(we_iso_2022_jp_run_from_ucs4, WE_UCS4, uint32_t)

#endif
