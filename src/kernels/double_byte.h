/* Runs of two-byte characters between runs of ASCII: what Shift_JIS, EUC-JP, EUC-KR, Big5, GBK and gb18030 have in common.
 *
 * Decoding looks pairs up in a table of 32768 code units, (lead - 0x80) * 256 + trail, 0 where the two bytes are no pair. Four pairs at
 * a time, so that the look-ups do not wait for each other: 2 to 4 times the speed of one at a time on dense text.
 * Encoding looks code units up in a table of 65536 byte pairs in memory order, first byte in the lower half; an upper half of 0 means that
 * the first byte stands alone, 0 that there is none (or that the code point is U+0000, which the handler then sees to).
 *
 * A run stops before the first thing that it can't do. Every look-up is in range by the type of its index alone.
 */
#ifndef WE_DOUBLE_BYTE_H
#define WE_DOUBLE_BYTE_H

#include <string.h>

#include "ascii.h"
#include "codec.h"
#include "cpu.h"

static inline uint64_t we_load_big_endian_64(const uint8_t *source)
{
    uint64_t value = 0;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&value, source, 8);
    return __builtin_bswap64(value);
#else
    for (int i = 0; i < 8; i++)
        value = value << 8 | source[i];
    return value;
#endif
}

/* Stores a pair that a table holds in memory order; the second byte is written even where there is none. */
static inline void we_store_pair(uint8_t *target, uint16_t pair)
{
    target[0] = (uint8_t)pair;
    target[1] = (uint8_t)(pair >> 8);
}

/* Writes a scalar value above U+007F as UTF-8; returns its length. */
static inline size_t we_put_utf8_non_ascii(uint8_t *target, uint32_t code_point)
{
    if (code_point < 0x800) {
        target[0] = (uint8_t)(0xC0 | code_point >> 6);
        target[1] = (uint8_t)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        target[0] = (uint8_t)(0xE0 | code_point >> 12);
        target[1] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
        target[2] = (uint8_t)(0x80 | (code_point & 0x3F));
        return 3;
    }
    target[0] = (uint8_t)(0xF0 | code_point >> 18);
    target[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
    target[2] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
    target[3] = (uint8_t)(0x80 | (code_point & 0x3F));
    return 4;
}

/* Writes any scalar value as UTF-8; returns its length. */
static inline size_t we_put_utf8(uint8_t *target, uint32_t code_point)
{
    if (code_point < 0x80) {
        target[0] = (uint8_t)code_point;
        return 1;
    }
    return we_put_utf8_non_ascii(target, code_point);
}

static inline size_t we_put_ucs2(uint16_t *target, uint32_t code_point)
{
    target[0] = (uint16_t)code_point;
    return 1;
}

static inline size_t we_put_ucs4(uint32_t *target, uint32_t code_point)
{
    target[0] = code_point;
    return 1;
}

/* Four code units at once. UCS-2 gets them in one 64-bit store. */
static inline size_t we_put_four_ucs2(uint16_t *target, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint16_t four[4] = {(uint16_t)a, (uint16_t)b, (uint16_t)c, (uint16_t)d};
    memcpy(target, four, sizeof four);
    return 4;
}

static inline size_t we_put_four_ucs4(uint32_t *target, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t four[4] = {a, b, c, d};
    memcpy(target, four, sizeof four);
    return 4;
}

static inline size_t we_put_four_utf8(uint8_t *target, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    size_t written = we_put_utf8(target, a);
    written += we_put_utf8(target + written, b);
    written += we_put_utf8(target + written, c);
    return written + we_put_utf8(target + written, d);
}

/* One block of 16 bytes into the target, as far as it is ASCII; returns how far. */
#define WE_BLOCK 16

static inline size_t we_ascii_block_scalar(const uint8_t *source)
{
    size_t length = 0;
    while (length < WE_BLOCK && source[length] < 0x80)
        length++;
    return length;
}

#if WE_HAVE_SSE2
#include <emmintrin.h>
static inline size_t we_ascii_prefix_of_mask(int mask)
{
    return mask == 0 ? WE_BLOCK : (size_t)__builtin_ctz((unsigned)mask);
}
#endif

static inline size_t we_ascii_block_ucs2(int simd, const uint8_t *source, uint16_t *target)
{
#if WE_HAVE_SSE2
    if (simd >= WE_SIMD_SSE2) {
        __m128i block = _mm_loadu_si128((const __m128i *)source);
        _mm_storeu_si128((__m128i *)target, _mm_unpacklo_epi8(block, _mm_setzero_si128()));
        _mm_storeu_si128((__m128i *)(target + 8), _mm_unpackhi_epi8(block, _mm_setzero_si128()));
        return we_ascii_prefix_of_mask(_mm_movemask_epi8(block));
    }
#endif
    (void)simd;
    size_t length = we_ascii_block_scalar(source);
    for (size_t i = 0; i < length; i++)
        target[i] = source[i];
    return length;
}

static inline size_t we_ascii_block_ucs4(int simd, const uint8_t *source, uint32_t *target)
{
#if WE_HAVE_SSE2
    if (simd >= WE_SIMD_SSE2) {
        __m128i zero = _mm_setzero_si128();
        __m128i block = _mm_loadu_si128((const __m128i *)source);
        __m128i low = _mm_unpacklo_epi8(block, zero), high = _mm_unpackhi_epi8(block, zero);
        _mm_storeu_si128((__m128i *)target, _mm_unpacklo_epi16(low, zero));
        _mm_storeu_si128((__m128i *)(target + 4), _mm_unpackhi_epi16(low, zero));
        _mm_storeu_si128((__m128i *)(target + 8), _mm_unpacklo_epi16(high, zero));
        _mm_storeu_si128((__m128i *)(target + 12), _mm_unpackhi_epi16(high, zero));
        return we_ascii_prefix_of_mask(_mm_movemask_epi8(block));
    }
#endif
    (void)simd;
    size_t length = we_ascii_block_scalar(source);
    for (size_t i = 0; i < length; i++)
        target[i] = source[i];
    return length;
}

static inline size_t we_ascii_block_utf8(int simd, const uint8_t *source, uint8_t *target)
{
#if WE_HAVE_SSE2
    if (simd >= WE_SIMD_SSE2) {
        __m128i block = _mm_loadu_si128((const __m128i *)source);
        _mm_storeu_si128((__m128i *)target, block);
        return we_ascii_prefix_of_mask(_mm_movemask_epi8(block));
    }
#endif
    (void)simd;
    size_t length = we_ascii_block_scalar(source);
    for (size_t i = 0; i < length; i++)
        target[i] = source[i];
    return length;
}

/* we_double_byte_run_to_<kind>: returns the bytes read and sets what was written.
 *
 * Room: the target has a unit (UTF-8: three bytes) for each source byte, and each item writes no more units than it has bytes, so
 * target + written always has room for a unit per byte that is still to come: a block of 16, four pairs of two.
 */
#define WE_DEFINE_DOUBLE_BYTE_RUN(KIND, UNIT)                                                                                  \
    static inline size_t we_double_byte_run_to_##KIND(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,   \
                                                      UNIT *target, size_t *written)                                           \
    {                                                                                                                          \
        size_t read = 0, out = 0;                                                                                              \
        while (length - read >= WE_BLOCK) {                                                                                    \
            if (source[read] < 0x80) {                                                                                         \
                size_t ascii = we_ascii_block_##KIND(simd, source + read, target + out);                                       \
                read += ascii;                                                                                                 \
                out += ascii;                                                                                                  \
                if (ascii == WE_BLOCK || length - read < 8)                                                                    \
                    continue;                                                                                                  \
            }                                                                                                                  \
            do {                                                                                                               \
                uint64_t bytes = we_load_big_endian_64(source + read);                                                         \
                if ((bytes & 0x8000800080008000u) != 0x8000800080008000u)                                                      \
                    break;                                                                                                     \
                uint32_t a = pairs[bytes >> 48 & 0x7FFF], b = pairs[bytes >> 32 & 0x7FFF];                                     \
                uint32_t c = pairs[bytes >> 16 & 0x7FFF], d = pairs[bytes & 0x7FFF];                                           \
                if (!a | !b | !c | !d)                                                                                         \
                    break;                                                                                                     \
                out += we_put_four_##KIND(target + out, a, b, c, d);                                                           \
                read += 8;                                                                                                     \
            } while (length - read >= 8);                                                                                      \
            /* Fewer than four pairs in a row: one at a time up to the next ASCII byte. */                                     \
            while (length - read >= 2 && source[read] >= 0x80) {                                                               \
                uint32_t code_unit = pairs[(source[read] & 0x7F) << 8 | source[read + 1]];                                     \
                if (!code_unit)                                                                                                \
                    goto done;                                                                                                 \
                out += we_put_##KIND(target + out, code_unit);                                                                 \
                read += 2;                                                                                                     \
            }                                                                                                                  \
        }                                                                                                                      \
        while (read < length) {                                                                                                \
            if (source[read] < 0x80) {                                                                                         \
                target[out++] = source[read++];                                                                                \
                continue;                                                                                                      \
            }                                                                                                                  \
            if (length - read < 2)                                                                                             \
                break;                                                                                                         \
            uint32_t code_unit = pairs[(source[read] & 0x7F) << 8 | source[read + 1]];                                         \
            if (!code_unit)                                                                                                    \
                break;                                                                                                         \
            out += we_put_##KIND(target + out, code_unit);                                                                     \
            read += 2;                                                                                                         \
        }                                                                                                                      \
    done:                                                                                                                      \
        *written = out;                                                                                                        \
        return read;                                                                                                           \
    }

WE_DEFINE_DOUBLE_BYTE_RUN(ucs2, uint16_t)
WE_DEFINE_DOUBLE_BYTE_RUN(ucs4, uint32_t)
WE_DEFINE_DOUBLE_BYTE_RUN(utf8, uint8_t)

/* Pairs of ISO-2022-JP's lead byte state: 21..7E twice, looked up with the high bits set in EUC-JP's table. */
#define WE_DEFINE_ISO_2022_JP_RUN(KIND, UNIT)                                                                                  \
    static inline size_t we_iso_2022_jp_run_to_##KIND(const uint8_t *source, size_t length, const uint16_t *pairs,             \
                                                      UNIT *target, size_t *written)                                           \
    {                                                                                                                          \
        size_t read = 0, out = 0;                                                                                              \
        while (length - read >= 8) {                                                                                           \
            uint64_t bytes = we_load_big_endian_64(source + read);                                                             \
            /* No byte has the high bit set, and none is below 0x21: subtracting 0x21 borrows from no neighbour then, */       \
            /* and the lowest byte below 0x21, if there is one, shows in its own high bit whatever stands above it. */         \
            if ((bytes | (bytes - 0x2121212121212121u)) & 0x8080808080808080u)                                                 \
                break;                                                                                                         \
            uint32_t a = pairs[(bytes >> 48 | 0x80) & 0x7FFF], b = pairs[(bytes >> 32 | 0x80) & 0x7FFF];                       \
            uint32_t c = pairs[(bytes >> 16 | 0x80) & 0x7FFF], d = pairs[(bytes | 0x80) & 0x7FFF];                             \
            if (!a | !b | !c | !d)                                                                                             \
                break;                                                                                                         \
            out += we_put_four_##KIND(target + out, a, b, c, d);                                                               \
            read += 8;                                                                                                         \
        }                                                                                                                      \
        while (length - read >= 2) {                                                                                           \
            uint8_t lead = source[read], trail = source[read + 1];                                                             \
            if (lead < 0x21 || lead > 0x7E || trail < 0x21 || trail > 0x7E)                                                    \
                break;                                                                                                         \
            uint32_t code_unit = pairs[lead << 8 | trail | 0x80];                                                              \
            if (!code_unit)                                                                                                    \
                break;                                                                                                         \
            out += we_put_##KIND(target + out, code_unit);                                                                     \
            read += 2;                                                                                                         \
        }                                                                                                                      \
        *written = out;                                                                                                        \
        return read;                                                                                                           \
    }

WE_DEFINE_ISO_2022_JP_RUN(ucs2, uint16_t)
WE_DEFINE_ISO_2022_JP_RUN(ucs4, uint32_t)
WE_DEFINE_ISO_2022_JP_RUN(utf8, uint8_t)

/* How many bytes stand for themselves in ISO-2022-JP's ASCII and Roman states: ASCII but for 0E, 0F and 1B, and in Roman 5C and 7E. */
static inline size_t we_iso_2022_jp_ascii_length(const uint8_t *source, size_t length, int roman)
{
    size_t read = 0;
    for (; read < length; read++) {
        uint8_t byte = source[read];
        if (byte >= 0x80 || byte == 0x0E || byte == 0x0F || byte == 0x1B || (roman && (byte == 0x5C || byte == 0x7E)))
            break;
    }
    return read;
}

static inline size_t we_ascii_units_ucs1(int simd, const uint8_t *source, uint8_t *target)
{
    return we_ascii_block_utf8(simd, source, target);
}

static inline size_t we_ascii_units_ucs2(int simd, const uint16_t *source, uint8_t *target)
{
#if WE_HAVE_SSE2
    if (simd >= WE_SIMD_SSE2) {
        __m128i low = _mm_loadu_si128((const __m128i *)source), high = _mm_loadu_si128((const __m128i *)(source + 8));
        /* ASCII is what saturates to itself with no bit above 0x7F: units of 0x8000 and more are negative and saturate to 0. */
        __m128i limit = _mm_set1_epi16(0x7F);
        __m128i outside = _mm_packs_epi16(_mm_or_si128(_mm_cmpgt_epi16(low, limit), _mm_srai_epi16(low, 15)),
                                          _mm_or_si128(_mm_cmpgt_epi16(high, limit), _mm_srai_epi16(high, 15)));
        _mm_storeu_si128((__m128i *)target, _mm_packus_epi16(low, high));
        return we_ascii_prefix_of_mask(_mm_movemask_epi8(outside));
    }
#endif
    (void)simd;
    size_t length = 0;
    for (; length < WE_BLOCK && source[length] < 0x80; length++)
        target[length] = (uint8_t)source[length];
    return length;
}

static inline size_t we_ascii_units_ucs4(int simd, const uint32_t *source, uint8_t *target)
{
    (void)simd;
    size_t length = 0;
    for (; length < WE_BLOCK && source[length] < 0x80; length++)
        target[length] = (uint8_t)source[length];
    return length;
}

/* we_double_byte_run_from_<kind>: returns the units read and sets the bytes written.
 *
 * Room: the target has two bytes or more for each unit and WE_ENCODE_SLACK more, so that a pair can be stored whole where only its
 * first byte counts.
 */
#define WE_DEFINE_DOUBLE_BYTE_RUN_FROM(KIND, UNIT, IS_BMP)                                                                     \
    static inline size_t we_double_byte_run_from_##KIND(int simd, const UNIT *source, size_t length, const uint16_t *reverse,  \
                                                        uint8_t *target, size_t *written)                                      \
    {                                                                                                                          \
        size_t read = 0, out = 0;                                                                                              \
        while (length - read >= WE_BLOCK) {                                                                                    \
            if (source[read] < 0x80) {                                                                                         \
                size_t ascii = we_ascii_units_##KIND(simd, source + read, target + out);                                       \
                read += ascii;                                                                                                 \
                out += ascii;                                                                                                  \
                if (ascii == WE_BLOCK)                                                                                         \
                    continue;                                                                                                  \
            }                                                                                                                  \
            while (length - read >= 4) {                                                                                       \
                UNIT a = source[read], b = source[read + 1], c = source[read + 2], d = source[read + 3];                       \
                if (!IS_BMP(a | b | c | d))                                                                                    \
                    break;                                                                                                     \
                uint16_t pair_a = reverse[a & 0xFFFF], pair_b = reverse[b & 0xFFFF];                                           \
                uint16_t pair_c = reverse[c & 0xFFFF], pair_d = reverse[d & 0xFFFF];                                           \
                if (!pair_a | !pair_b | !pair_c | !pair_d)                                                                     \
                    break;                                                                                                     \
                we_store_pair(target + out, pair_a);                                                                           \
                out += 1 + (pair_a > 0xFF);                                                                                    \
                we_store_pair(target + out, pair_b);                                                                           \
                out += 1 + (pair_b > 0xFF);                                                                                    \
                we_store_pair(target + out, pair_c);                                                                           \
                out += 1 + (pair_c > 0xFF);                                                                                    \
                we_store_pair(target + out, pair_d);                                                                           \
                out += 1 + (pair_d > 0xFF);                                                                                    \
                read += 4;                                                                                                     \
                if ((pair_c | pair_d) <= 0xFF)                                                                                 \
                    break; /* back in ASCII, it seems */                                                                       \
            }                                                                                                                  \
            if (length - read >= 1 && source[read] >= 0x80) {                                                                  \
                uint16_t pair = IS_BMP(source[read]) ? reverse[source[read] & 0xFFFF] : 0;                                     \
                if (!pair)                                                                                                     \
                    goto done;                                                                                                 \
                we_store_pair(target + out, pair);                                                                             \
                out += 1 + (pair > 0xFF);                                                                                      \
                read++;                                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        for (; read < length; read++) {                                                                                        \
            uint16_t pair = IS_BMP(source[read]) ? reverse[source[read] & 0xFFFF] : 0;                                         \
            if (!pair)                                                                                                         \
                break;                                                                                                         \
            we_store_pair(target + out, pair);                                                                                 \
            out += 1 + (pair > 0xFF);                                                                                          \
        }                                                                                                                      \
    done:                                                                                                                      \
        *written = out;                                                                                                        \
        return read;                                                                                                           \
    }

#define WE_ALWAYS_BMP(UNITS) 1
#define WE_BELOW_10000(UNITS) ((UNITS) < 0x10000)
WE_DEFINE_DOUBLE_BYTE_RUN_FROM(ucs1, uint8_t, WE_ALWAYS_BMP)
WE_DEFINE_DOUBLE_BYTE_RUN_FROM(ucs2, uint16_t, WE_ALWAYS_BMP)
WE_DEFINE_DOUBLE_BYTE_RUN_FROM(ucs4, uint32_t, WE_BELOW_10000)

#endif
