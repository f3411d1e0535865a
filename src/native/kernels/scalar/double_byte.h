/* Runs of two-byte characters without vectors: the loops that define each run. double_byte.h describes
 * it.
 *
 * Each kernel must equal a handler, on the items that its table has: shift_jis, euc_jp, euc_kr, big5 or gb18030
 * _decode_item, shift_jis, euc_jp, euc_kr, big5, gbk or gb18030 _encode_item. https://encoding.spec.whatwg.org/
 * #shift_jis-decoder, #euc-jp-decoder, #euc-kr-decoder, #big5-decoder, #gb18030-decoder, and #shift_jis-encoder to
 * #gb18030-encoder. */
#ifndef WE_SCALAR_DOUBLE_BYTE_H
#define WE_SCALAR_DOUBLE_BYTE_H

#include <string.h>

#include "codec.h"
#include "constants.h"
#include "cpu.h"
#include "units.h"

/* Store a pair that is in memory order; write a second byte even if it has none. */
static inline void we_store_pair(uint8_t *target, uint16_t pair)
{
    target[0] = (uint8_t)pair;
    target[1] = (uint8_t)(pair >> 8);
}

/* ---- Decoding -------------------------------------------------------------------------------------------- */

/* The key of a pair. */
static inline size_t we_pair_key(uint8_t leading, uint8_t trailing)
{
    return (size_t)(leading & 0x7F) << 8 | trailing;
}

static inline int we_is_katakana(uint8_t byte)
{
    return byte >= WE_KATAKANA_FIRST && byte <= WE_KATAKANA_LAST;
}

/* Whether the first item stops a run: a pair that is none. */
static inline int we_double_byte_stops(const uint8_t *source, size_t length, const uint16_t *pairs, int katakana)
{
    return length >= 2 && source[0] >= 0x80 && pairs[we_pair_key(source[0], source[1])] == 0
           && !(katakana && we_is_katakana(source[0]));
}

/* Decode one character after the other: the definition of a run. */
WE_ALWAYS_INLINE size_t we_double_byte_run_by_item(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                   int katakana, int kind, void *target, size_t *written)
{
    const size_t room = we_room(kind, written);
    size_t read = 0, out = 0;
    while (read < length && out < room) {
        uint8_t byte = source[read];
        if (byte < 0x80) {
            we_unit_put(target, kind, out++, byte);
            read++;
        } else if (katakana && we_is_katakana(byte)) {
            out += we_put(target, kind, out, (uint16_t)(WE_KATAKANA_OFFSET + byte));
            read++;
        } else {
            uint16_t code_unit = length - read >= 2 ? pairs[we_pair_key(byte, source[read + 1])] : 0;
            if (code_unit == 0)
                break;
            out += we_put(target, kind, out, code_unit);
            read += 2;
        }
    }
    *written = out;
    return read;
}

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define WE_HAVE_FOUR_PAIRS 1

/* Write the first `count` of four units of pairs. The capacity is at least four. */
WE_ALWAYS_INLINE size_t we_put_four(void *target, int kind, size_t out, uint64_t units, size_t count)
{
    size_t put = 0;
    if (kind == WE_UCS2) {
        memcpy((uint16_t *)target + out, &units, 8);
        return count;
    }
    for (size_t i = 0; i < count; i++)
        put += we_put(target, kind, out + put, (uint16_t)(units >> i * 16));
    return put;
}
#endif

/* The run without wide vectors: ASCII in blocks of sixteen, by vectors or not; then up to four pairs at a time, with
 * the ASCII byte that follows fewer than four, so that words of a few syllables take no branch that depends on their
 * length.
 *
 * Capacity: a unit (UTF-8: three bytes) for each source byte, and no item takes more than its bytes bring. So the
 * capacity from target + out on always suffices for the bytes that are left: a block of 16, four pairs of two. */
WE_ALWAYS_INLINE size_t we_double_byte_decode_loop(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                   int katakana, int vectors, int kind, void *target, size_t *written)
{
    const size_t room = we_room(kind, written);
    size_t read = 0, out = 0, more;
    uint8_t byte;
    while (length - read >= 16 && room - out >= 16) {
        if (source[read] < 0x80) {
            const size_t most = length - read < room - out ? length - read : room - out;
            size_t ascii = we_put_ascii_blocks(source + read, most, we_at(target, kind, out), kind, vectors);
            read += ascii;
            out += ascii;
            if (most - ascii < 16)
                break;
        }
#if defined(WE_HAVE_FOUR_PAIRS)
        do {
            uint64_t bytes;
            memcpy(&bytes, source + read, 8);
            uint64_t keys = __builtin_bswap64(bytes);
            uint64_t units = (uint64_t)pairs[keys >> 48 & 0x7FFF] | (uint64_t)pairs[keys >> 32 & 0x7FFF] << 16
                             | (uint64_t)pairs[keys >> 16 & 0x7FFF] << 32 | (uint64_t)pairs[keys & 0x7FFF] << 48;
            /* The highest bit of each unit that is null. A borrow may set it in units above a null one as well, which
             * changes nothing. */
            uint64_t nulls = (units - UINT64_C(0x0001000100010001)) & ~units & UINT64_C(0x8000800080008000);
            uint64_t ascii = ~bytes & UINT64_C(0x0080008000800080);
            if (ascii == 0) {
                if (nulls)
                    goto one;
                out += we_put_four(target, kind, out, units, 4);
                read += 8;
            } else {
                /* The pairs before the ASCII byte are below the lowest bit of `ascii`. */
                if (nulls & (ascii - 1) & ~ascii)
                    goto one;
                size_t count = (size_t)__builtin_ctzll(ascii) / 16;
                out += we_put_four(target, kind, out, units, count);
                we_unit_put(target, kind, out++, (uint8_t)(bytes >> count * 16));
                read += count * 2 + 1;
            }
        } while (length - read >= 16 && room - out >= 16 && source[read] >= 0x80);
        continue;
    one:
#endif
        byte = source[read];
        if (byte < 0x80) { /* of a block that is not all ASCII, or it has changed since */
            we_unit_put(target, kind, out++, byte);
            read++;
            continue;
        }
        if (katakana && we_is_katakana(byte)) {
            do
                out += we_put(target, kind, out, (uint16_t)(WE_KATAKANA_OFFSET + byte));
            while (++read < length && out < room && we_is_katakana(byte = source[read]));
            continue;
        }
        uint16_t code_unit = pairs[we_pair_key(byte, source[read + 1])];
        if (code_unit == 0) {
            *written = out;
            return read;
        }
        out += we_put(target, kind, out, code_unit);
        read += 2;
    }
    more = room - out;
    read += we_double_byte_run_by_item(source + read, length - read, pairs, katakana, kind, we_at(target, kind, out),
                                       &more);
    *written = out + more;
    return read;
}

/* The leading bytes among 64 bytes, given those that may be leading bytes.
 *
 * The byte after a leading byte is a trailing byte, so every other byte of a run of candidates is a leading byte,
 * beginning with its first: the byte before a run is never a leading byte. Adding the first bit of each run that
 * begins at an even position carries through that run, which separates these runs from those that begin at an odd
 * position. */
static inline uint64_t we_leading_bytes_of(uint64_t high)
{
    const uint64_t even = UINT64_C(0x5555555555555555), odd = UINT64_C(0xAAAAAAAAAAAAAAAA);
    uint64_t first = high & ~(high << 1) & even;
    uint64_t from_even = high & ~(high + first);
    return (from_even ^ odd) & high;
}

/* ---- Encoding -------------------------------------------------------------------------------------------- */

static inline int we_is_unmapped(uint32_t unit, const uint16_t *reverse)
{
    return unit > 0xFFFF || (reverse[unit] == 0 && unit != 0);
}

/* Encode one unit after the other: the definition of a run. */
WE_ALWAYS_INLINE size_t we_double_byte_run_from_by_item(const void *source, int kind, size_t length,
                                                        const uint16_t *reverse, uint8_t *target, size_t *written)
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

/* Encode ASCII, in blocks of 16 units if `vectors`; return the units read. The last ones may be left. */
WE_ALWAYS_INLINE size_t we_double_byte_ascii_from(const void *source, int kind, size_t length, int vectors,
                                                  uint8_t *target)
{
    size_t read = 0;
#if defined(WE_HAVE_BYTES_16)
    if (vectors) {
        while (length - read >= 16) {
            size_t ascii = kind == WE_UCS1 ? we_ascii_step_to_ucs1_16((const uint8_t *)source + read, target + read)
                           : kind == WE_UCS2
                               ? we_ascii_step_from_ucs2_16((const uint16_t *)source + read, target + read)
                               : we_ascii_step_from_ucs4_16((const uint32_t *)source + read, target + read);
            if (ascii < 16)
                return read + ascii;
            read += 16;
        }
        return read;
    }
#endif
    (void)vectors;
    for (; read < length; read++) {
        const uint32_t unit = we_unit_get(source, kind, read);
        if (unit >= 0x80)
            break;
        target[read] = (uint8_t)unit;
    }
    return read;
}

/* The run without wide vectors: ASCII in blocks, other units four at a time.
 *
 * Capacity: two bytes for each unit and WE_ENCODE_SLACK more, so that two bytes can be stored even if only the first
 * counts. */
WE_ALWAYS_INLINE size_t we_double_byte_encode_loop(const void *source, int kind, size_t length, const uint16_t *reverse,
                                                   int vectors, uint8_t *target, size_t *written)
{
    size_t read = 0, out = 0, more;
    while (length - read >= 16) {
        if (we_unit_get(source, kind, read) < 0x80) {
            size_t ascii = we_double_byte_ascii_from((const uint8_t *)source + (read << kind), kind, length - read,
                                                     vectors, target + out);
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
        size_t step = we_double_byte_run_from_by_item((const uint8_t *)source + (read << kind), kind, 4, reverse,
                                                      target + out, &more);
        out += more;
        read += step;
        if (step < 4) {
            *written = out;
            return read;
        }
    }
    }
    read += we_double_byte_run_from_by_item((const uint8_t *)source + (read << kind), kind, length - read, reverse,
                                            target + out, &more);
    *written = out + more;
    return read;
}

#endif
