/* The table by which a byte shuffle compresses: it moves those of eight bytes whose bit is set to the front. */
#ifndef WE_COMPRESS_H
#define WE_COMPRESS_H

#include "vectors.h"

#if defined(WE_HAVE_VECTOR_16)

/* For each mask of eight bits, the numbers of its set bits in ascending order, one a byte from the lowest on: 256
 * entries of 8 bytes. What follows them is 0. Each bit, from the highest on, doubles the table: setting it puts its
 * number in front. */
#define WE_BITS_0(numbers) (numbers)
#define WE_BITS_1(numbers) WE_BITS_0(numbers), WE_BITS_0((numbers) << 8 | 0)
#define WE_BITS_2(numbers) WE_BITS_1(numbers), WE_BITS_1((numbers) << 8 | 1)
#define WE_BITS_3(numbers) WE_BITS_2(numbers), WE_BITS_2((numbers) << 8 | 2)
#define WE_BITS_4(numbers) WE_BITS_3(numbers), WE_BITS_3((numbers) << 8 | 3)
#define WE_BITS_5(numbers) WE_BITS_4(numbers), WE_BITS_4((numbers) << 8 | 4)
#define WE_BITS_6(numbers) WE_BITS_5(numbers), WE_BITS_5((numbers) << 8 | 5)
#define WE_BITS_7(numbers) WE_BITS_6(numbers), WE_BITS_6((numbers) << 8 | 6)
#define WE_BITS_8(numbers) WE_BITS_7(numbers), WE_BITS_7((numbers) << 8 | 7)
static const uint64_t we_set_bits[256] = {WE_BITS_8(UINT64_C(0))};

/* The same of units: the shuffle that moves those of eight units whose bit is set to the front; 256 entries of 16
 * bytes. */
__extension__ typedef unsigned __int128 we_shuffle_index;
#define WE_UNITS_0(places) (places)
#define WE_UNITS_1(places) WE_UNITS_0(places), WE_UNITS_0((places) << 16 | 0x0100)
#define WE_UNITS_2(places) WE_UNITS_1(places), WE_UNITS_1((places) << 16 | 0x0302)
#define WE_UNITS_3(places) WE_UNITS_2(places), WE_UNITS_2((places) << 16 | 0x0504)
#define WE_UNITS_4(places) WE_UNITS_3(places), WE_UNITS_3((places) << 16 | 0x0706)
#define WE_UNITS_5(places) WE_UNITS_4(places), WE_UNITS_4((places) << 16 | 0x0908)
#define WE_UNITS_6(places) WE_UNITS_5(places), WE_UNITS_5((places) << 16 | 0x0B0A)
#define WE_UNITS_7(places) WE_UNITS_6(places), WE_UNITS_6((places) << 16 | 0x0D0C)
#define WE_UNITS_8(places) WE_UNITS_7(places), WE_UNITS_7((places) << 16 | 0x0F0E)
static const we_shuffle_index we_set_units[256] = {WE_UNITS_8((we_shuffle_index)0)};

/* The shuffle that takes the first byte of each of eight units, and the second byte of those whose bit is set; 256
 * entries of 16 bytes. */
#define WE_FIRST_0(places) (places)
#define WE_FIRST_1(places) WE_FIRST_0((places) << 8 | 0), WE_FIRST_0((places) << 16 | 0x0100)
#define WE_FIRST_2(places) WE_FIRST_1((places) << 8 | 2), WE_FIRST_1((places) << 16 | 0x0302)
#define WE_FIRST_3(places) WE_FIRST_2((places) << 8 | 4), WE_FIRST_2((places) << 16 | 0x0504)
#define WE_FIRST_4(places) WE_FIRST_3((places) << 8 | 6), WE_FIRST_3((places) << 16 | 0x0706)
#define WE_FIRST_5(places) WE_FIRST_4((places) << 8 | 8), WE_FIRST_4((places) << 16 | 0x0908)
#define WE_FIRST_6(places) WE_FIRST_5((places) << 8 | 10), WE_FIRST_5((places) << 16 | 0x0B0A)
#define WE_FIRST_7(places) WE_FIRST_6((places) << 8 | 12), WE_FIRST_6((places) << 16 | 0x0D0C)
#define WE_FIRST_8(places) WE_FIRST_7((places) << 8 | 14), WE_FIRST_7((places) << 16 | 0x0F0E)
static const we_shuffle_index we_pair_bytes[256] = {WE_FIRST_8((we_shuffle_index)0)};

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
