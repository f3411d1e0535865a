/* Decoding runs of two-byte characters with vectors of WE_WIDTH bytes, NEON, x86-64-v2 and AVX2, in blocks of 64.
 * double_byte.h describes a run, scalar/double_byte.h names the handlers that each kernel must equal.
 *
 * No two leading bytes are adjacent, so two bytes of source hold at most one: 32 look-ups suffice for a block wherever
 * its pairs begin, and no position waits for the result of a look-up. Each unit replaces its leading byte, in vectors
 * of the units' low bytes and of their high bytes, and the positions of trailing bytes are compressed away. The only
 * branch is whether a block is ASCII: in text with short words, and in markup that is read for the first time,
 * mispredicted branches take most of the time. */

#ifndef WE_VECTOR_DOUBLE_BYTE_H
#define WE_VECTOR_DOUBLE_BYTE_H
#include "compress.h"
#include "scalar/double_byte.h"

/* The byte of eight that has the bit of each of 64 bytes, and that bit; the first byte of each unit twice, and the
 * second. */
static const uint8_t we_byte_of_byte[64] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
                                            2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5,
                                            5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7};
static const uint8_t we_bit_of_byte[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
static const uint8_t we_first_twice[16] = {0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14};
static const uint8_t we_second_twice[16] = {1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15};
#endif

#define we_pair_block WE_AT_LEVEL(we_pair_block)
#define we_bytes_of_bits WE_AT_LEVEL(we_bytes_of_bits)
#define we_pair_keys WE_AT_LEVEL(we_pair_keys)
#define we_find_pairs WE_AT_LEVEL(we_find_pairs)
#define we_pair_blocks_in WE_AT_LEVEL(we_pair_blocks_in)
#define we_widened WE_AT_LEVEL(we_widened)
#define we_put_8_units WE_AT_LEVEL(we_put_8_units)
#define we_put_vector WE_AT_LEVEL(we_put_vector)
#define we_put_ascii_block WE_AT_LEVEL(we_put_ascii_block)
#define we_put_block WE_AT_LEVEL(we_put_block)

/* 64 bytes and the one that follows, and the positions of their leading and trailing bytes. */
typedef struct {
    we_vector bytes[64 / WE_WIDTH + 1];
    uint64_t leading;
    uint64_t trailing; /* bit 0: the trailing byte of a pair that began in the block before; ISO-2022-JP: and the bytes
                        * of escape sequences */
} we_pair_block;

/* All ones in the bytes of vector `number` of a block whose bit is set; `bits` are the 64 bits, repeated. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET we_vector we_bytes_of_bits(we_vector bits, int number)
{
    const we_vector byte_of = we_peek(we_byte_of_byte + number * WE_WIDTH);
    return we_has_bit_u8(we_shuffle(bits, byte_of), we_load_row(we_bit_of_byte));
}

/* One key for each two bytes of vector `number`: that of the pair that begins at either of them, or 15 arbitrary bits
 * if none does. `leading` are those of the block, repeated. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET we_vector we_pair_keys(const we_pair_block *block, we_vector leading, int number)
{
    /* A pair that begins at the second of two bytes continues in the first of the next two. The sign of the mask of the
     * second byte covers both. */
    const we_vector at_second = WE_SHIFT_RIGHT_S16(we_bytes_of_bits(leading, number), 8);
    const we_vector bytes = block->bytes[number], after = WE_BYTES_AFTER(bytes, block->bytes[number + 1]);
    return we_swap_u16(we_blend(at_second, after, bytes)) & we_all_u16(0x7FFF);
}

/* Find the pairs of a block. Read 65 bytes, each once. Store in `keys`, if that is not null, the keys of a block that
 * has pairs. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET we_pair_block we_find_pairs(const uint8_t *source, int katakana, uint64_t is_trailing,
                                                             uint16_t *keys)
{
    enum { VECTORS = 64 / WE_WIDTH };
    we_pair_block block;
    we_vector candidates[VECTORS];
    for (int i = 0; i < VECTORS; i++) {
        block.bytes[i] = we_load(source + i * WE_WIDTH);
        candidates[i] = we_high_u8(block.bytes[i]);
        if (katakana) /* the subtraction takes half-width katakana to 00 to 3E */
            candidates[i] &=
                ~we_at_least_u8(we_all_u8(WE_KATAKANA_LAST - WE_KATAKANA_FIRST), block.bytes[i] - WE_KATAKANA_FIRST);
    }
    block.bytes[VECTORS] = we_all_u8(source[64]);
    block.leading = we_leading_bytes_of(we_bits_of_64(candidates) & ~is_trailing);
    block.trailing = block.leading << 1 | is_trailing;
    if (keys && block.leading)
        for (int i = 0; i < VECTORS; i++)
            we_store(keys + i * WE_WIDTH / 2, we_pair_keys(&block, we_all_u64(block.leading), i));
    return block;
}

/* How many blocks are sure to be read and to fit: each needs BLOCK_NEEDS bytes, and has at most as many units as it has
 * bytes. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t we_pair_blocks_in(size_t length, size_t room)
{
    enum { BLOCK = 64, BLOCK_NEEDS = 72 };
    const size_t read = length < BLOCK_NEEDS ? 0 : (length - BLOCK_NEEDS) / BLOCK + 1, fit = room / BLOCK;
    return read < fit ? read : fit;
}

/* Write eight units after those of which UCS-2 has `size` bytes. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET void we_put_8_units(void *target, int kind, size_t size, we_bytes_16 units)
{
    if (kind == WE_UCS2)
        we_store_16((uint8_t *)target + size, units);
    else
        we_widen_8_units_to_ucs4(units, (uint32_t *)(void *)((uint8_t *)target + size * 2));
}

/* The low bytes of the units of single bytes, and in `high` the others: ASCII and half-width katakana. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET we_vector we_widened(we_vector bytes, int katakana, we_vector *high)
{
    *high = katakana ? we_high_u8(bytes) : we_all_u8(0);
    return katakana ? bytes + (*high & (WE_KATAKANA_OFFSET & 0xFF)) : bytes;
}

/* Write at target the units of vector `number` of a block, given as their low and their high bytes, where
 * `characters` begin; `sizes` are their running sizes. Each eight are stored whole, at most at the position
 * that they would have if there were no trailing bytes. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET void we_put_vector(void *target, int kind, int number, we_vector low, we_vector high,
                                                    uint64_t characters, uint64_t sizes)
{
    const we_vector units[2] = {we_zip_low_u8(low, high), we_zip_high_u8(low, high)};
    for (int i = 0; i < WE_WIDTH / 8; i++) {
        const int eight = number * (WE_WIDTH / 8) + i;
        const we_bytes_16 index = we_peek_16(&we_set_units[characters >> eight * 8 & 0xFF]);
        we_put_8_units(target, kind, we_size_before(sizes, eight),
                       we_shuffle_16(we_sixteen(units[i % 2], i / 2), index));
    }
}

/* Write at target the units of a block without pairs. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET void we_put_ascii_block(void *target, int kind, const we_pair_block *block,
                                                         int katakana)
{
    for (int i = 0; i < 64 / WE_WIDTH; i++) {
        we_vector high;
        const we_vector low = we_widened(block->bytes[i], katakana, &high);
        for (int k = 0; k < WE_WIDTH / 8; k++)
            we_put_8_units(target, kind, (i * (size_t)WE_WIDTH + k * 8) * 2,
                           we_sixteen(k % 2 ? we_zip_high_u8(low, high) : we_zip_low_u8(low, high), k / 2));
    }
}

/* Write at target the units of a block, whose running sizes are `sizes`; return whether all pairs have an entry. Its
 * keys are those at `keys`, where they are looked up from memory. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET int we_put_block(void *target, int kind, const we_pair_block *block,
                                                  const uint16_t *pairs, const uint16_t *keys, int katakana,
                                                  uint64_t sizes)
{
    const we_vector all_leading = we_all_u64(block->leading);
    we_vector nulls = we_all_u8(0);
    (void)keys;
    WE_UNROLLED
    for (int i = 0; i < 64 / WE_WIDTH; i++) {
        we_vector high, low = we_widened(block->bytes[i], katakana, &high);
        if (WE_WIDTH != 16 || (block->leading >> i * WE_WIDTH & 0xFFFF) != 0) {
            const we_vector leading = we_bytes_of_bits(all_leading, i);
#if defined(WE_KEYS_IN_MEMORY)
            const we_vector units = we_look_up(pairs, keys + i * WE_WIDTH / 2);
#else
            const we_vector units = we_look_up_8(pairs, we_pair_keys(block, all_leading, i));
#endif
            nulls |= we_equal_u16(units, we_all_u8(0)) & leading;
            low = we_blend(leading, we_shuffle(units, we_load_row(we_first_twice)), low);
            const we_vector units_high = we_shuffle(units, we_load_row(we_second_twice));
            high = katakana ? we_blend(leading, units_high, high) : units_high & leading;
        }
        we_put_vector(target, kind, i, low, high, ~block->trailing, sizes);
    }
    return !we_any(nulls);
}

/* Decode whole blocks; `kind` is UCS2 or UCS4. Return the bytes read, and stop before what is no pair, or where fewer
 * bytes are left than a block needs: 72, since its last may be a leading byte whose trailing byte the next block
 * skips, and UTF-8 needs the capacity of seven more; or where fewer units are left than a block may have, 64.
 *
 * Where keys are in memory, the pairs of the next block are found before the look-ups of this one. In range: a key has
 * 15 bits at all times, zero or those of an earlier block where this one has no leading byte. A block that has a pair
 * without an entry is written, but does not count. Capacity: no character takes more than its bytes
 * bring, so a block's units, written eight at a time, stay within the capacity of its bytes. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_double_byte_blocks)(const uint8_t *source, size_t length,
                                                                           const uint16_t *pairs, int katakana,
                                                                           int kind, void *target, size_t *written)
{
    enum { BLOCK = 64 };
    const size_t room = *written;
    size_t read = 0, out = 0, blocks = we_pair_blocks_in(length, room);
    *written = 0;
    if (blocks == 0)
        return 0;
#if defined(WE_KEYS_IN_MEMORY)
    _Alignas(32) uint16_t keys[2][BLOCK / 2] = {{0}};
    int turn = 0;
    we_pair_block block = we_find_pairs(source, katakana, 0, keys[0]), next = block;
#else
    we_pair_block block = {.leading = 0};
#endif
    for (;;) {
#if defined(WE_KEYS_IN_MEMORY)
        if (blocks == 1)
            blocks +=
                we_pair_blocks_in(length - read - BLOCK, room - out - (size_t)__builtin_popcountll(~block.trailing));
        if (blocks > 1)
            next = we_find_pairs(source + read + BLOCK, katakana, block.leading >> 63, keys[turn ^ 1]);
        /* Make the compiler load the keys: extracting them from the vector that was stored takes longer. */
        __asm__ volatile("" ::: "memory");
#else
        block = we_find_pairs(source + read, katakana, block.leading >> 63, NULL);
#endif
        void *const to = we_at(target, kind, out);
        if ((block.leading | block.trailing) == 0) {
            we_put_ascii_block(to, kind, &block, katakana);
            out += BLOCK;
        } else {
            const uint64_t sizes = we_running_sizes(~block.trailing);
#if defined(WE_KEYS_IN_MEMORY)
            const int all_have_entries = we_put_block(to, kind, &block, pairs, keys[turn], katakana, sizes);
#else
            const int all_have_entries = we_put_block(to, kind, &block, pairs, NULL, katakana, sizes);
#endif
            if (!all_have_entries) {
                *written = out;
                return read + (block.trailing & 1);
            }
            out += we_size_before(sizes, 8) / 2;
        }
        read += BLOCK;
        blocks--;
#if !defined(WE_KEYS_IN_MEMORY)
        if (blocks == 0)
            blocks = we_pair_blocks_in(length - read, room - out);
#endif
        if (blocks == 0) {
            *written = out;
            return read + (block.leading >> 63);
        }
#if defined(WE_KEYS_IN_MEMORY)
        turn ^= 1;
        block = next;
#endif
    }
}

/* Decode to UTF-8 in pieces: dense ones through units on the stack, which are encoded together; those of which less
 * than a third is not ASCII by the scalar run, which copies ASCII. A page that is read for the first time takes 0.65 to
 * 0.95 of the time, one that is repeated, so that all branches are predicted, 0.8 to 1.08. Return the bytes read;
 * some may be left. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_double_byte_pieces)(const uint8_t *source, size_t length,
                                                                           const uint16_t *pairs, int katakana,
                                                                           uint8_t *target, size_t *written)
{
    enum { PIECE = 1024, PIECE_NEEDS = PIECE + 8 };
    uint16_t units[PIECE];
    size_t read = 0, out = 0, piece, count;
    do {
        if (length - read < PIECE_NEEDS)
            break;
        const uint8_t *const from = source + read;
        if (we_non_ascii_count_ucs1_bytes_16(from, PIECE) < PIECE / 3) {
            piece = we_double_byte_decode_loop(from, PIECE, pairs, katakana, 1, WE_UTF8, target + out, &count);
        } else {
            count = PIECE;
            piece = WE_AT_LEVEL(we_double_byte_blocks)(from, PIECE_NEEDS, pairs, katakana, WE_UCS2, units, &count);
            /* May write up to eight bytes beyond its output, for which the seven bytes of source that are left bring
             * the capacity. */
            WE_AT_LEVEL(we_utf_8_encode)(units, WE_UCS2, count, target + out, &count);
        }
        read += piece;
        out += count;
    } while (piece >= PIECE - 1); /* the scalar run leaves a leading byte that is the last of a piece */
    *written = out;
    return read;
}

/* The run: blocks or pieces, and the rest. */
WE_ALWAYS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_double_byte_run)(const uint8_t *source, size_t length,
                                                                        const uint16_t *pairs, int katakana, int kind,
                                                                        void *target, size_t *written)
{
    const size_t room = we_room(kind, written);
    size_t out = room, more;
    size_t read = kind == WE_UTF8
                      ? WE_AT_LEVEL(we_double_byte_pieces)(source, length, pairs, katakana, (uint8_t *)target, &out)
                      : WE_AT_LEVEL(we_double_byte_blocks)(source, length, pairs, katakana, kind, target, &out);
    more = room - out;
    read += we_double_byte_decode_loop(source + read, length - read, pairs, katakana, 1, kind, we_at(target, kind, out),
                                       &more);
    *written = out + more;
    return read;
}
