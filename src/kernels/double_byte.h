/* Runs of two-byte characters between runs of ASCII: what Shift_JIS, EUC-JP, EUC-KR, Big5, GBK and gb18030 have in common.
 *
 * Decoding looks pairs up in a table of 32768 code units, (lead - 0x80) * 256 + trail, 0 where the two bytes are no pair. In Shift_JIS
 * the bytes A1 to DF are no leads but half-width katakana: `katakana` is 1 for that encoding and 0 for all others.
 * Encoding looks code units up in a table of 65536 byte pairs in memory order, first byte in the lower half; an upper half of 0 means that
 * the first byte stands alone, 0 that there is none (or that the code point is U+0000, which stands for itself).
 *
 * A run stops before the first thing that it can't do. Every look-up is in range by the type of its index alone.
 *
 * What the time goes to is not the looking up but waiting: for one pair to tell where the next one begins, and for branches on where
 * the script changes, which nobody can predict. The variants find the places of many pairs at once and look up more than there are.
 */
#ifndef WE_DOUBLE_BYTE_H
#define WE_DOUBLE_BYTE_H

#include <string.h>

#include "ascii.h"
#include "codec.h"
#include "cpu.h"
#include "utf_8.h"

#if defined(__GNUC__)
#define WE_PAIRS_INLINE static inline __attribute__((always_inline))
#else
#define WE_PAIRS_INLINE static inline
#endif

/* Stores a pair that a table holds in memory order; the second byte is written even where there is none. */
static inline void we_store_pair(uint8_t *target, uint16_t pair)
{
    target[0] = (uint8_t)pair;
    target[1] = (uint8_t)(pair >> 8);
}

/* Writes any scalar value as UTF-8; returns its length. */
static inline size_t we_put_utf8(uint8_t *target, uint32_t code_point)
{
    if (code_point < 0x80) {
        target[0] = (uint8_t)code_point;
        return 1;
    }
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

/* ---- Decoding -------------------------------------------------------------------------------------------------------------- */

/* The key of the pair that begins at `source`. */
static inline size_t we_pair_key(const uint8_t *source)
{
    return (size_t)(source[0] & 0x7F) << 8 | source[1];
}

/* U+FF61 stands at A1. */
enum { WE_KATAKANA_FIRST = 0xA1, WE_KATAKANA_LAST = 0xDF, WE_KATAKANA_OFFSET = 0xFF61 - WE_KATAKANA_FIRST };

static inline int we_is_katakana(uint8_t byte)
{
    return byte >= WE_KATAKANA_FIRST && byte <= WE_KATAKANA_LAST;
}

/* Puts one unit, for UTF-8 one to four bytes, at target + out; returns how many. `kind` is a constant wherever this is inlined. */
WE_PAIRS_INLINE size_t we_put(void *target, int kind, size_t out, uint32_t code_point)
{
    if (kind == WE_UTF8)
        return we_put_utf8((uint8_t *)target + out, code_point);
    we_unit_put(target, kind, out, code_point);
    return 1;
}

/* Puts a unit that a pair stands for, which is never ASCII. */
WE_PAIRS_INLINE size_t we_put_pair(void *target, int kind, size_t out, uint16_t unit)
{
    if (kind != WE_UTF8 || unit < 0x800)
        return we_put(target, kind, out, unit);
    uint8_t *at = (uint8_t *)target + out;
    at[0] = (uint8_t)(0xE0 | unit >> 12);
    at[1] = (uint8_t)(0x80 | (unit >> 6 & 0x3F));
    at[2] = (uint8_t)(0x80 | (unit & 0x3F));
    return 3;
}

/* One character after the other: what a run means. */
WE_PAIRS_INLINE size_t we_double_byte_run_scalar(const uint8_t *source, size_t length, const uint16_t *pairs, int katakana, int kind,
                                                 void *target, size_t *written)
{
    size_t read = 0, out = 0;
    while (read < length) {
        uint8_t byte = source[read];
        if (byte < 0x80) {
            we_unit_put(target, kind, out++, byte);
            read++;
        } else if (katakana && we_is_katakana(byte)) {
            out += we_put_pair(target, kind, out, (uint16_t)(WE_KATAKANA_OFFSET + byte));
            read++;
        } else {
            uint16_t code_unit = length - read >= 2 ? pairs[we_pair_key(source + read)] : 0;
            if (code_unit == 0)
                break;
            out += we_put_pair(target, kind, out, code_unit);
            read += 2;
        }
    }
    *written = out;
    return read;
}

/* A place in the target. */
WE_PAIRS_INLINE void *we_at(void *target, int kind, size_t out)
{
    return (uint8_t *)target + out * (kind == WE_UCS2 ? 2 : kind == WE_UCS4 ? 4 : 1);
}

/* ASCII in blocks of sixteen bytes, by vectors or not, up to the first other byte or the last block; returns how much. */
WE_PAIRS_INLINE size_t we_put_ascii_blocks(const uint8_t *source, size_t length, int kind, int vectors, void *target)
{
#if defined(WE_HAVE_BYTES_16)
    if (vectors)
        return we_utf_8_ascii_blocks(source, length, target, kind, 1);
#endif
    (void)vectors;
    size_t read = 0;
    for (; length - read >= 16; read += 16) {
        uint8_t bytes[16];
        uint64_t words[2];
        memcpy(bytes, source + read, 16);
        memcpy(words, bytes, 16);
        for (size_t i = 0; i < 16; i++)
            we_unit_put(target, kind, read + i, bytes[i]);
        if (!we_is_ascii_8(words[0] | words[1])) {
            for (size_t i = 0; bytes[i] < 0x80; i++)
                read++;
            break;
        }
    }
    return read;
}

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WE_HAVE_FOUR_PAIRS 1

/* Puts the first `count` of four units of pairs. The target has room for four. */
WE_PAIRS_INLINE size_t we_put_four(void *target, int kind, size_t out, uint64_t units, size_t count)
{
    size_t put = 0;
    if (kind == WE_UCS2) {
        memcpy((uint16_t *)target + out, &units, 8);
        return count;
    }
    for (size_t i = 0; i < count; i++)
        put += we_put_pair(target, kind, out + put, (uint16_t)(units >> i * 16));
    return put;
}
#endif

/* The run without wide vectors: ASCII in blocks of sixteen, by vectors or not; then as many of four pairs as there are, and the ASCII
 * byte that follows fewer than four, so that words of a few syllables take no branch that depends on their length.
 *
 * Room: the target has a unit (UTF-8: three bytes) for each source byte, and each item takes no more than it brings, so target + out
 * always has that room for the bytes that are still to come: a block of 16, four pairs of two. */
WE_PAIRS_INLINE size_t we_double_byte_run_plain(const uint8_t *source, size_t length, const uint16_t *pairs, int katakana, int vectors,
                                                int kind, void *target, size_t *written)
{
    size_t read = 0, out = 0, more;
    while (length - read >= 16) {
        if (source[read] < 0x80) {
            size_t ascii = we_put_ascii_blocks(source + read, length - read, kind, vectors, we_at(target, kind, out));
            read += ascii;
            out += ascii;
            if (length - read < 16)
                break;
        }
#if defined(WE_HAVE_FOUR_PAIRS)
        do {
            uint64_t bytes;
            memcpy(&bytes, source + read, 8);
            uint64_t keys = __builtin_bswap64(bytes);
            uint64_t units = (uint64_t)pairs[keys >> 48 & 0x7FFF] | (uint64_t)pairs[keys >> 32 & 0x7FFF] << 16
                             | (uint64_t)pairs[keys >> 16 & 0x7FFF] << 32 | (uint64_t)pairs[keys & 0x7FFF] << 48;
            /* A unit's highest bit if it is null. (A borrow may set it in units above a null one, which changes nothing.) */
            uint64_t nulls = (units - UINT64_C(0x0001000100010001)) & ~units & UINT64_C(0x8000800080008000);
            uint64_t ascii = ~bytes & UINT64_C(0x0080008000800080);
            if (ascii == 0) {
                if (nulls)
                    goto one;
                out += we_put_four(target, kind, out, units, 4);
                read += 8;
            } else {
                /* Below the lowest bit of `ascii` are the pairs in front of it. */
                if (nulls & (ascii - 1) & ~ascii)
                    goto one;
                size_t count = (size_t)__builtin_ctzll(ascii) / 16;
                out += we_put_four(target, kind, out, units, count);
                we_unit_put(target, kind, out++, (uint8_t)(bytes >> count * 16));
                read += count * 2 + 1;
            }
        } while (length - read >= 16 && source[read] >= 0x80);
        continue;
    one:
#endif
        if (katakana && we_is_katakana(source[read])) {
            do
                out += we_put_pair(target, kind, out, (uint16_t)(WE_KATAKANA_OFFSET + source[read++]));
            while (read < length && we_is_katakana(source[read]));
            continue;
        }
        uint16_t code_unit = pairs[we_pair_key(source + read)];
        if (code_unit == 0) {
            *written = out;
            return read;
        }
        out += we_put_pair(target, kind, out, code_unit);
        read += 2;
    }
    read += we_double_byte_run_scalar(source + read, length - read, pairs, katakana, kind, we_at(target, kind, out), &more);
    *written = out + more;
    return read;
}

/* Where pairs begin among 64 bytes that `high` tells to be leads or trails, but for trails that are no leads.
 *
 * The byte after a lead is a trail whatever it is, so in each run of set bits every other one is a lead, from the first on: what comes
 * before a run is never a lead. Adding their first bits to the runs that begin at even places carries through them, which tells them
 * from those that begin at odd places. */
static inline uint64_t we_leads_of(uint64_t high)
{
    const uint64_t even = UINT64_C(0x5555555555555555), odd = UINT64_C(0xAAAAAAAAAAAAAAAA);
    uint64_t first = high & ~(high << 1) & even;
    uint64_t from_even = high & ~(high + first);
    return (from_even ^ odd) & high;
}

#if defined(WE_HAVE_AVX2)
#include "double_byte_avx2.h"
#endif

#if defined(WE_HAVE_AVX512)
#define WE_PAIRS_AVX512 WE_PAIRS_INLINE WE_TARGET_AVX512

/* 64 bytes, and where in them pairs begin and go on. */
typedef struct {
    __m512i bytes;
    uint64_t leads;
    uint64_t trails; /* bit 0: of a pair that began in the block before */
} we_double_byte_block;

/* Finds the pairs of a block and puts their keys, in order, into the first of `keys`. Reads 65 bytes.
 *
 * vpcompressb merges into a register that is at hand instead of clearing its target: with zeroing too it waits for what the target
 * held before (Zen 4), that is for the block before. What lies above the keys is junk, but 15 bits of it. */
WE_PAIRS_AVX512 we_double_byte_block we_double_byte_find(const uint8_t *source, int katakana, uint64_t is_trail, uint16_t *keys)
{
    we_double_byte_block block;
    block.bytes = _mm512_loadu_si512(source);
    uint64_t high = _mm512_movepi8_mask(block.bytes) & ~is_trail;
    if (katakana)
        high &= ~_mm512_cmple_epu8_mask(_mm512_sub_epi8(block.bytes, _mm512_set1_epi8((char)WE_KATAKANA_FIRST)),
                                        _mm512_set1_epi8(WE_KATAKANA_LAST - WE_KATAKANA_FIRST));
    block.leads = we_leads_of(high);
    block.trails = block.leads << 1 | is_trail;
    if (high) {
        __m512i next = _mm512_loadu_si512(source + 1);
        __m512i leads = _mm512_mask_compress_epi8(block.bytes, block.leads, block.bytes);
        __m512i trails = _mm512_mask_compress_epi8(next, block.leads, next);
        leads = _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(leads)), 8);
        trails = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(trails));
        _mm512_store_si512(keys, _mm512_and_si512(_mm512_or_si512(leads, trails), _mm512_set1_epi16(0x7FFF)));
    }
    return block;
}

/* The first `count` look-ups, and zeros or junk. */
WE_PAIRS_AVX512 __m512i we_look_pairs_up(const uint16_t *pairs, const uint16_t *keys, size_t count)
{
    if (count <= 8)
        return _mm512_zextsi128_si512(we_eight_pairs(pairs, keys));
    __m256i low = _mm256_set_m128i(we_eight_pairs(pairs, keys + 8), we_eight_pairs(pairs, keys));
    if (count <= 16)
        return _mm512_zextsi256_si512(low);
    __m256i high = _mm256_set_m128i(we_eight_pairs(pairs, keys + 24), we_eight_pairs(pairs, keys + 16));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Single bytes to units: ASCII, and half-width katakana. */
WE_PAIRS_AVX512 __m512i we_widen_singles(__m256i bytes, int katakana)
{
    __m512i units = _mm512_cvtepu8_epi16(bytes);
    if (katakana)
        units = _mm512_mask_add_epi16(units, _mm256_movepi8_mask(bytes), units, _mm512_set1_epi16((short)WE_KATAKANA_OFFSET));
    return units;
}

/* Puts the first `count` of 16 units below U+10000 as UTF-8; returns how many bytes. Writes 64. */
WE_PAIRS_AVX512 size_t we_put_sixteen_utf8(uint8_t *target, __m256i units, size_t count, const we_utf_8_encode_constants_512 *utf_8)
{
    /* The bytes of each unit at the start of its lane, as if it had three; what it does not have are left out by compressing. */
    __m512i wide = _mm512_cvtepu16_epi32(units);
    __m512i lanes = we_utf_8_three_avx512(wide, utf_8);
    __mmask16 two = _mm512_cmplt_epu32_mask(wide, utf_8->below_three_u32), one = _mm512_cmplt_epu32_mask(wide, utf_8->below_two_u32);
    lanes = _mm512_mask_xor_epi32(lanes, two, lanes, utf_8->three_to_two);
    lanes = _mm512_mask_slli_epi32(lanes, one, wide, 16);
    uint64_t kept = (_mm512_movepi8_mask(lanes) | UINT64_C(0x4444444444444444)) & _bzhi_u64(~UINT64_C(0), (unsigned)count * 4);
    _mm512_storeu_si512(target, _mm512_mask_compress_epi8(lanes, kept, lanes));
    return (size_t)_mm_popcnt_u64(kept);
}

/* Puts the first `count` of 32 units at target + out; returns how many units, or for UTF-8 bytes, these are. Writes 32 units, or 64 bytes
 * of UTF-8 from where the last sixteen begin. */
WE_PAIRS_AVX512 size_t we_put_half_block(void *target, int kind, size_t out, __m512i units, size_t count,
                                         const we_utf_8_encode_constants_512 *utf_8)
{
    uint8_t *at = (uint8_t *)we_at(target, kind, out);
    __m256i low = _mm512_castsi512_si256(units), high = _mm512_extracti64x4_epi64(units, 1);
    if (kind == WE_UCS2) {
        _mm512_storeu_si512(at, units);
        return count;
    }
    if (kind == WE_UCS4) {
        _mm512_storeu_si512(at, _mm512_cvtepu16_epi32(low));
        _mm512_storeu_si512(at + 64, _mm512_cvtepu16_epi32(high));
        return count;
    }
    size_t bytes = we_put_sixteen_utf8(at, low, count < 16 ? count : 16, utf_8);
    if (count > 16)
        bytes += we_put_sixteen_utf8(at + bytes, high, count - 16, utf_8);
    return bytes;
}

/* Puts the first `count` of 64 units at target + out; returns how many units, or for UTF-8 bytes, these are. Writes more than that: of
 * UCS2 and UCS4 32 units after the first 32, of UTF-8 64 bytes from where the last sixteen begin. */
WE_PAIRS_AVX512 size_t we_put_block(void *target, int kind, size_t out, __m512i low, __m512i high, size_t count,
                                    const we_utf_8_encode_constants_512 *utf_8)
{
    size_t put = we_put_half_block(target, kind, out, low, count < 32 ? count : 32, utf_8);
    if (kind != WE_UTF8 || count > 32)
        put += we_put_half_block(target, kind, out + put, high, count < 32 ? 0 : count - 32, utf_8);
    return put;
}

/* The run in blocks of 64 bytes. While the look-ups of one block are made, the pairs of the next are found already: a look-up that has
 * to wait for its key keeps the processor from looking ahead.
 *
 * A block asks for 72 bytes: its last may be a lead, whose trail the next block skips; and its 64 units take up to 192 bytes of UTF-8,
 * of which the last sixteen begin at 144 and are written as 64, so 16 bytes of room behind it, which six bytes of source bring. The
 * other kinds write 64 units. The room is there because no character before source + read takes more room than its bytes there bring. */
WE_PAIRS_AVX512 size_t we_double_byte_run_blocks(const uint8_t *source, size_t length, const uint16_t *pairs, int katakana, int kind,
                                                 void *target, size_t *written)
{
    enum { BLOCK = 64, BLOCK_ASKS = 72 };
    const we_utf_8_encode_constants_512 utf_8 = we_utf_8_encode_constants_avx512();
    _Alignas(64) uint16_t keys[2][32] = {{0}}; /* a block without leads stores none, and after a trail is looked up all the same */
    size_t read = 0, out = 0, more;
    if (length >= BLOCK_ASKS) {
        const __m512i places = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,
                                                8, 7, 6, 5, 4, 3, 2, 1, 0);
        int turn = 0;
        we_double_byte_block block = we_double_byte_find(source, katakana, 0, keys[0]), next = block;
        for (;; turn ^= 1, block = next) {
            int is_last = length - read < BLOCK + BLOCK_ASKS;
            if (!is_last)
                next = we_double_byte_find(source + read + BLOCK, katakana, block.leads >> 63, keys[turn ^ 1]);
            /* Keeps the compiler from taking the keys out of the register that was stored, which costs more than loading them. */
            __asm__ volatile("" ::: "memory");
            if (block.leads | block.trails) {
                uint64_t characters = ~block.trails;
                size_t count = (size_t)_mm_popcnt_u64(block.leads);
                __m512i units = we_look_pairs_up(pairs, keys[turn], count);
                uint32_t nulls = _mm512_testn_epi16_mask(units, units) & _bzhi_u32(~UINT32_C(0), (uint32_t)count);
                uint64_t null = 0;
                if (nulls) {
                    null = _pdep_u64(nulls & -nulls, block.leads);
                    characters &= null - 1;
                }
                /* The bytes where characters begin, widened; in place of the leads among them, the units. */
                __m512i first = _mm512_mask_compress_epi8(block.bytes, characters, block.bytes);
                __m512i low = we_widen_singles(_mm512_castsi512_si256(first), katakana);
                __m512i high = we_widen_singles(_mm512_extracti64x4_epi64(first, 1), katakana);
                uint64_t are_pairs = _pext_u64(block.leads, characters);
                __m512i after_low = _mm512_add_epi16(places, _mm512_set1_epi16((short)_mm_popcnt_u32((uint32_t)are_pairs)));
                low = _mm512_mask_expand_epi16(low, (__mmask32)are_pairs, units);
                high = _mm512_mask_expand_epi16(high, (__mmask32)(are_pairs >> 32), _mm512_permutexvar_epi16(after_low, units));
                out += we_put_block(target, kind, out, low, high, (size_t)_mm_popcnt_u64(characters), &utf_8);
                if (null) {
                    *written = out;
                    return read + (size_t)__builtin_ctzll(null);
                }
            } else if (kind == WE_UTF8 && (!katakana || _mm512_movepi8_mask(block.bytes) == 0)) {
                _mm512_storeu_si512((uint8_t *)target + out, block.bytes);
                out += BLOCK;
            } else {
                out += we_put_block(target, kind, out, we_widen_singles(_mm512_castsi512_si256(block.bytes), katakana),
                                    we_widen_singles(_mm512_extracti64x4_epi64(block.bytes, 1), katakana), BLOCK,
                                    &utf_8);
            }
            read += BLOCK;
            if (is_last) {
                read += block.leads >> 63;
                break;
            }
        }
    }
    read += we_double_byte_run_plain(source + read, length - read, pairs, katakana, 1, kind, we_at(target, kind, out), &more);
    *written = out + more;
    return read;
}
#endif

/* we_double_byte_run_to_<kind>: returns the bytes read and sets what was written. The target has room for a unit (UTF-8: three bytes) for
 * each source byte. */
#define WE_DEFINE_DOUBLE_BYTE_RUN(name, kind, unit)                                                                                \
    static inline size_t name##_plain(int vectors, const uint8_t *source, size_t length, const uint16_t *pairs, int katakana,      \
                                      unit *target, size_t *written)                                                               \
    {                                                                                                                              \
        if (katakana)                                                                                                              \
            return we_double_byte_run_plain(source, length, pairs, 1, vectors, kind, target, written);                             \
        return we_double_byte_run_plain(source, length, pairs, 0, vectors, kind, target, written);                                 \
    }                                                                                                                              \
    WE_DEFINE_DOUBLE_BYTE_RUN_AVX2(name, kind, unit)                                                                               \
    WE_DEFINE_DOUBLE_BYTE_RUN_AVX512(name, kind, unit)                                                                             \
    static inline size_t name(int simd, const uint8_t *source, size_t length, const uint16_t *pairs, int katakana, unit *target,   \
                              size_t *written)                                                                                     \
    {                                                                                                                              \
        /* What stops a run is often not alone. */                                                                                 \
        if (length >= 2 && source[0] >= 0x80 && pairs[we_pair_key(source)] == 0 && !(katakana && we_is_katakana(source[0]))) {     \
            *written = 0;                                                                                                          \
            return 0;                                                                                                              \
        }                                                                                                                          \
        WE_DOUBLE_BYTE_RUN_AVX512(name)                                                                                            \
        WE_DOUBLE_BYTE_RUN_AVX2(name)                                                                                              \
        return simd >= WE_SIMD_SSE2 ? name##_plain(1, source, length, pairs, katakana, target, written)                            \
                                    : name##_plain(0, source, length, pairs, katakana, target, written);                           \
    }
/* The variant of an instruction set, which `run` is. */
#define WE_DEFINE_DOUBLE_BYTE_RUN_AT(name, kind, unit, attribute, run)                                                             \
    static inline attribute size_t name(const uint8_t *source, size_t length, const uint16_t *pairs, int katakana, unit *target,   \
                                        size_t *written)                                                                           \
    {                                                                                                                              \
        if (katakana)                                                                                                              \
            return run(source, length, pairs, 1, kind, target, written);                                                           \
        return run(source, length, pairs, 0, kind, target, written);                                                               \
    }
#if defined(WE_HAVE_AVX2)
#define WE_DEFINE_DOUBLE_BYTE_RUN_AVX2(name, kind, unit) \
    WE_DEFINE_DOUBLE_BYTE_RUN_AT(name##_avx2, kind, unit, WE_TARGET_AVX2, we_double_byte_run_avx2)
#define WE_DOUBLE_BYTE_RUN_AVX2(name) \
    if (simd >= WE_SIMD_AVX2)         \
        return name##_avx2(source, length, pairs, katakana, target, written);
#else
#define WE_DEFINE_DOUBLE_BYTE_RUN_AVX2(name, kind, unit)
#define WE_DOUBLE_BYTE_RUN_AVX2(name)
#endif
#if defined(WE_HAVE_AVX512)
#define WE_DEFINE_DOUBLE_BYTE_RUN_AVX512(name, kind, unit) \
    WE_DEFINE_DOUBLE_BYTE_RUN_AT(name##_avx512, kind, unit, WE_TARGET_AVX512, we_double_byte_run_blocks)
#define WE_DOUBLE_BYTE_RUN_AVX512(name) \
    if (simd >= WE_SIMD_AVX512)         \
        return name##_avx512(source, length, pairs, katakana, target, written);
#else
#define WE_DEFINE_DOUBLE_BYTE_RUN_AVX512(name, kind, unit)
#define WE_DOUBLE_BYTE_RUN_AVX512(name)
#endif
WE_DEFINE_DOUBLE_BYTE_RUN(we_double_byte_run_to_ucs2, WE_UCS2, uint16_t)
WE_DEFINE_DOUBLE_BYTE_RUN(we_double_byte_run_to_ucs4, WE_UCS4, uint32_t)
WE_DEFINE_DOUBLE_BYTE_RUN(we_double_byte_run_to_utf8, WE_UTF8, uint8_t)

/* ---- Encoding -------------------------------------------------------------------------------------------------------------- */

static inline int we_is_unmapped(uint32_t unit, const uint16_t *reverse)
{
    return unit > 0xFFFF || (reverse[unit] == 0 && unit != 0);
}

/* One unit after the other: what a run means. */
WE_PAIRS_INLINE size_t we_double_byte_run_from_scalar(const void *source, int kind, size_t length, const uint16_t *reverse,
                                                      uint8_t *target, size_t *written)
{
    size_t read = 0, out = 0;
    for (; read < length; read++) {
        uint32_t unit = we_unit_get(source, kind, read);
        if (we_is_unmapped(unit, reverse))
            break;
        we_store_pair(target + out, reverse[unit]);
        out += 1 + (reverse[unit] > 0xFF);
    }
    *written = out;
    return read;
}

/* ASCII from `source` on, in blocks of 16 units if `vectors`; returns how many units. Some may be left when it is done. */
WE_PAIRS_INLINE size_t we_double_byte_ascii_from(const void *source, int kind, size_t length, int vectors, uint8_t *target)
{
    size_t read = 0;
#if defined(WE_HAVE_BYTES_16)
    if (vectors) {
        while (length - read >= 16) {
            size_t ascii = kind == WE_UCS1   ? we_ascii_step_to_ucs1_16((const uint8_t *)source + read, target + read)
                           : kind == WE_UCS2 ? we_ascii_step_from_ucs2_16((const uint16_t *)source + read, target + read)
                                             : we_ascii_step_from_ucs4_16((const uint32_t *)source + read, target + read);
            if (ascii < 16)
                return read + ascii;
            read += 16;
        }
        return read;
    }
#endif
    (void)vectors;
    for (; read < length && we_unit_get(source, kind, read) < 0x80; read++)
        target[read] = (uint8_t)we_unit_get(source, kind, read);
    return read;
}

/* The run without wide vectors: ASCII in blocks, others four at a time.
 *
 * Room: the target has two bytes for each unit and WE_ENCODE_SLACK more, so that a pair can be stored whole where only its first byte
 * counts. */
WE_PAIRS_INLINE size_t we_double_byte_run_from_plain(const void *source, int kind, size_t length, const uint16_t *reverse, int vectors,
                                                     uint8_t *target, size_t *written)
{
    size_t read = 0, out = 0, more;
    while (length - read >= 16) {
        if (we_unit_get(source, kind, read) < 0x80) {
            size_t ascii = we_double_byte_ascii_from((const uint8_t *)source + (read << kind), kind, length - read, vectors, target + out);
            read += ascii;
            out += ascii;
            if (length - read < 4)
                break;
        }
        uint32_t last;
        do {
            uint32_t a = we_unit_get(source, kind, read), b = we_unit_get(source, kind, read + 1);
            uint32_t c = we_unit_get(source, kind, read + 2), d = we_unit_get(source, kind, read + 3);
            if (kind == WE_UCS4 && (a | b | c | d) > 0xFFFF)
                goto one;
            uint16_t pair_a = reverse[a], pair_b = reverse[b], pair_c = reverse[c], pair_d = reverse[d];
            if (!pair_a | !pair_b | !pair_c | !pair_d)
                goto one;
            we_store_pair(target + out, pair_a);
            out += 1 + (pair_a > 0xFF);
            we_store_pair(target + out, pair_b);
            out += 1 + (pair_b > 0xFF);
            we_store_pair(target + out, pair_c);
            out += 1 + (pair_c > 0xFF);
            we_store_pair(target + out, pair_d);
            out += 1 + (pair_d > 0xFF);
            read += 4;
            last = c | d;
        } while (last >= 0x80 && length - read >= 4);
        continue;
    one: {
        /* A null, or U+0000. */
        size_t step = we_double_byte_run_from_scalar((const uint8_t *)source + (read << kind), kind, 4, reverse, target + out, &more);
        out += more;
        read += step;
        if (step < 4) {
            *written = out;
            return read;
        }
    }
    }
    read += we_double_byte_run_from_scalar((const uint8_t *)source + (read << kind), kind, length - read, reverse, target + out, &more);
    *written = out + more;
    return read;
}

#if defined(WE_HAVE_AVX512)
/* Eight look-ups, of units whatever they are: the key is what 16 bits hold of each. */
WE_PAIRS_AVX512 __m128i we_eight_reverse(const uint16_t *reverse, const void *source, int kind, size_t first)
{
#define WE_LOOK_UP(i) reverse[(uint16_t)we_unit_get(source, kind, first + (i))]
    __m128i pairs = _mm_cvtsi32_si128(WE_LOOK_UP(0));
    pairs = _mm_insert_epi16(pairs, WE_LOOK_UP(1), 1);
    pairs = _mm_insert_epi16(pairs, WE_LOOK_UP(2), 2);
    pairs = _mm_insert_epi16(pairs, WE_LOOK_UP(3), 3);
    pairs = _mm_insert_epi16(pairs, WE_LOOK_UP(4), 4);
    pairs = _mm_insert_epi16(pairs, WE_LOOK_UP(5), 5);
    pairs = _mm_insert_epi16(pairs, WE_LOOK_UP(6), 6);
    return _mm_insert_epi16(pairs, WE_LOOK_UP(7), 7);
#undef WE_LOOK_UP
}

/* The first `count` of 32 look-ups, and zeros or junk. */
WE_PAIRS_AVX512 __m512i we_look_units_up(const uint16_t *reverse, const void *source, int kind, size_t first, size_t count)
{
    if (count <= 8)
        return _mm512_zextsi128_si512(we_eight_reverse(reverse, source, kind, first));
    __m256i low = _mm256_set_m128i(we_eight_reverse(reverse, source, kind, first + 8),
                                   we_eight_reverse(reverse, source, kind, first));
    if (count <= 16)
        return _mm512_zextsi256_si512(low);
    __m256i high = _mm256_set_m128i(we_eight_reverse(reverse, source, kind, first + 24),
                                    we_eight_reverse(reverse, source, kind, first + 16));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* 32 units, cut to 16 bits, and in `above` which of them have more. */
WE_PAIRS_AVX512 __m512i we_load_units(const void *source, int kind, size_t first, uint32_t *above)
{
    *above = 0;
    if (kind == WE_UCS1)
        return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)((const uint8_t *)source + first)));
    if (kind == WE_UCS2)
        return _mm512_loadu_si512((const uint16_t *)source + first);
    __m512i low = _mm512_loadu_si512((const uint32_t *)source + first), high = _mm512_loadu_si512((const uint32_t *)source + first + 16);
    const __m512i most = _mm512_set1_epi32(0xFFFF);
    *above = _mm512_cmpgt_epu32_mask(low, most) | (uint32_t)_mm512_cmpgt_epu32_mask(high, most) << 16;
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(low)), _mm512_cvtepi32_epi16(high), 1);
}

/* The run in blocks of 32 units, all looked up if one of them is not ASCII. Room: as for the plain run; a block writes 64 bytes. */
WE_PAIRS_AVX512 size_t we_double_byte_run_from_blocks(const void *source, int kind, size_t length, const uint16_t *reverse,
                                                      uint8_t *target, size_t *written)
{
    enum { BLOCK = 32 };
    size_t read = 0, out = 0, more;
    for (; length - read >= BLOCK; read += BLOCK) {
        uint32_t above;
        __m512i units = we_load_units(source, kind, read, &above);
        if ((_mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80)) | above) == 0) {
            _mm256_storeu_si256((__m256i *)(target + out), _mm512_cvtepi16_epi8(units));
            out += BLOCK;
            continue;
        }
        __m512i pairs = we_look_units_up(reverse, source, kind, read, BLOCK);
        uint32_t nulls = (_mm512_testn_epi16_mask(pairs, pairs) & _mm512_test_epi16_mask(units, units)) | above;
        /* Of each pair the first byte, and the second if it is not null, for which no second byte stands. */
        uint64_t kept = _mm512_test_epi8_mask(pairs, pairs) | UINT64_C(0x5555555555555555);
        if (nulls)
            kept &= _bzhi_u64(~UINT64_C(0), 2 * (unsigned)__builtin_ctz(nulls));
        _mm512_storeu_si512(target + out, _mm512_mask_compress_epi8(pairs, kept, pairs));
        out += (size_t)_mm_popcnt_u64(kept);
        if (nulls) {
            *written = out;
            return read + (size_t)__builtin_ctz(nulls);
        }
    }
    read += we_double_byte_run_from_plain((const uint8_t *)source + (read << kind), kind, length - read, reverse, 1, target + out, &more);
    *written = out + more;
    return read;
}
#endif

/* we_double_byte_run_from_<kind>: returns the units read and sets the bytes written. */
#define WE_DEFINE_DOUBLE_BYTE_RUN_FROM(name, kind, unit)                                                                           \
    WE_DEFINE_DOUBLE_BYTE_RUN_FROM_AVX512(name, kind, unit)                                                                        \
    static inline size_t name(int simd, const unit *source, size_t length, const uint16_t *reverse, uint8_t *target,               \
                              size_t *written)                                                                                     \
    {                                                                                                                              \
        if (length >= 1 && we_is_unmapped(source[0], reverse)) {                                                                   \
            *written = 0;                                                                                                          \
            return 0;                                                                                                              \
        }                                                                                                                          \
        WE_DOUBLE_BYTE_RUN_FROM_AVX512(name)                                                                                       \
        return simd >= WE_SIMD_SSE2 ? we_double_byte_run_from_plain(source, kind, length, reverse, 1, target, written)             \
                                    : we_double_byte_run_from_plain(source, kind, length, reverse, 0, target, written);            \
    }
#if defined(WE_HAVE_AVX512)
#define WE_DEFINE_DOUBLE_BYTE_RUN_FROM_AVX512(name, kind, unit)                                                                    \
    static inline WE_TARGET_AVX512 size_t name##_avx512(const unit *source, size_t length, const uint16_t *reverse,                \
                                                        uint8_t *target, size_t *written)                                          \
    {                                                                                                                              \
        return we_double_byte_run_from_blocks(source, kind, length, reverse, target, written);                                     \
    }
#define WE_DOUBLE_BYTE_RUN_FROM_AVX512(name) \
    if (simd >= WE_SIMD_AVX512)              \
        return name##_avx512(source, length, reverse, target, written);
#else
#define WE_DEFINE_DOUBLE_BYTE_RUN_FROM_AVX512(name, kind, unit)
#define WE_DOUBLE_BYTE_RUN_FROM_AVX512(name)
#endif
WE_DEFINE_DOUBLE_BYTE_RUN_FROM(we_double_byte_run_from_ucs1, WE_UCS1, uint8_t)
WE_DEFINE_DOUBLE_BYTE_RUN_FROM(we_double_byte_run_from_ucs2, WE_UCS2, uint16_t)
WE_DEFINE_DOUBLE_BYTE_RUN_FROM(we_double_byte_run_from_ucs4, WE_UCS4, uint32_t)

#endif
