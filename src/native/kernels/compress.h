/* The table by which a byte shuffle compresses: it moves those of eight bytes whose bit is set to the front. */
#ifndef WE_COMPRESS_H
#define WE_COMPRESS_H

#include "vectors.h"

#if defined(WE_HAVE_VECTOR_16)

/* A table by masks of eight bits. Each bit, from the highest on, doubles it: by CLEAR and by SET of an entry and the
 * number of the bit. */
#define WE_TABLE_0(CLEAR, SET, entry) (entry)
#define WE_TABLE_1(CLEAR, SET, entry) WE_TABLE_0(CLEAR, SET, CLEAR(entry, 0)), WE_TABLE_0(CLEAR, SET, SET(entry, 0))
#define WE_TABLE_2(CLEAR, SET, entry) WE_TABLE_1(CLEAR, SET, CLEAR(entry, 1)), WE_TABLE_1(CLEAR, SET, SET(entry, 1))
#define WE_TABLE_3(CLEAR, SET, entry) WE_TABLE_2(CLEAR, SET, CLEAR(entry, 2)), WE_TABLE_2(CLEAR, SET, SET(entry, 2))
#define WE_TABLE_4(CLEAR, SET, entry) WE_TABLE_3(CLEAR, SET, CLEAR(entry, 3)), WE_TABLE_3(CLEAR, SET, SET(entry, 3))
#define WE_TABLE_5(CLEAR, SET, entry) WE_TABLE_4(CLEAR, SET, CLEAR(entry, 4)), WE_TABLE_4(CLEAR, SET, SET(entry, 4))
#define WE_TABLE_6(CLEAR, SET, entry) WE_TABLE_5(CLEAR, SET, CLEAR(entry, 5)), WE_TABLE_5(CLEAR, SET, SET(entry, 5))
#define WE_TABLE_7(CLEAR, SET, entry) WE_TABLE_6(CLEAR, SET, CLEAR(entry, 6)), WE_TABLE_6(CLEAR, SET, SET(entry, 6))
#define WE_TABLE_8(CLEAR, SET, entry) WE_TABLE_7(CLEAR, SET, CLEAR(entry, 7)), WE_TABLE_7(CLEAR, SET, SET(entry, 7))
#define WE_UNCHANGED(entry, number) (entry)
#define WE_PUT_NUMBER(entry, number) ((entry) << 8 | (number))
#define WE_PUT_FIRST(entry, number) ((entry) << 8 | 2 * (number))
#define WE_PUT_BOTH(entry, number) ((entry) << 16 | (2 * (number) + 1) << 8 | 2 * (number))

/* For each mask the numbers of its set bits in ascending order, one a byte from the lowest on: 256 entries of 8 bytes.
 * What follows them is 0. */
static const uint64_t we_set_bits[256] = {WE_TABLE_8(WE_UNCHANGED, WE_PUT_NUMBER, UINT64_C(0))};

/* The same of units: the shuffle that moves those of eight units whose bit is set to the front; 256 entries of 16
 * bytes. */
__extension__ typedef unsigned __int128 we_shuffle_index;
static const we_shuffle_index we_set_units[256] = {WE_TABLE_8(WE_UNCHANGED, WE_PUT_BOTH, (we_shuffle_index)0)};

/* The shuffle that takes the first byte of each of eight units, and the second byte of those whose bit is set; 256
 * entries of 16 bytes. */
static const we_shuffle_index we_pair_bytes[256] = {WE_TABLE_8(WE_PUT_FIRST, WE_PUT_BOTH, (we_shuffle_index)0)};

/* The shuffle that compresses each eight bytes within themselves, by a bit for each byte. The bytes after those of
 * eight are arbitrary. A shuffle counts from the start of sixteen bytes, where the second eight begin at 8. */
#define WE_STARTS_OF_EIGHTS 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_compress_index_16(uint32_t mask)
{
    const we_bytes_16 starts = {WE_STARTS_OF_EIGHTS};
    return we_load_halves(&we_set_bits[mask & 0xFF], &we_set_bits[mask >> 8 & 0xFF]) + starts;
}

#if defined(WE_HAVE_AVX2)
WE_INLINE_32 we_bytes_32 we_compress_index_32(uint32_t mask)
{
    const we_bytes_32 starts = {WE_STARTS_OF_EIGHTS, WE_STARTS_OF_EIGHTS};
    const __m128i low = (__m128i)we_load_halves(&we_set_bits[mask & 0xFF], &we_set_bits[mask >> 8 & 0xFF]);
    const __m128i high = (__m128i)we_load_halves(&we_set_bits[mask >> 16 & 0xFF], &we_set_bits[mask >> 24]);
    return (we_bytes_32)_mm256_setr_m128i(low, high) + starts;
}
#endif

#endif

#endif
