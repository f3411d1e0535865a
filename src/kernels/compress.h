/* The table by which a byte shuffle compresses: it moves those of eight bytes whose bit is set to the front. */
#ifndef WE_COMPRESS_H
#define WE_COMPRESS_H

#include "vector_16.h"

#if defined(WE_HAVE_VECTOR_16)

/* For each mask of eight bits, the numbers of its set bits in ascending order, one a byte from the lowest on: 256 entries of 8 bytes.
 * What follows them is 0. The highest bit tells the halves of the table apart; to set a bit is to put its number in front. */
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

/* How many bits are set in a byte: 256 entries. */
#define WE_COUNT_2(count) (count), (count) + 1, (count) + 1, (count) + 2
#define WE_COUNT_4(count) WE_COUNT_2(count), WE_COUNT_2((count) + 1), WE_COUNT_2((count) + 1), WE_COUNT_2((count) + 2)
#define WE_COUNT_6(count) WE_COUNT_4(count), WE_COUNT_4((count) + 1), WE_COUNT_4((count) + 1), WE_COUNT_4((count) + 2)
static const uint8_t we_bit_count[256] = {WE_COUNT_6(0), WE_COUNT_6(1), WE_COUNT_6(1), WE_COUNT_6(2)};

/* The shuffle that compresses both halves of sixteen bytes within themselves. What follows the bytes of a half is junk. */
WE_ALWAYS_INLINE WE_TARGET_VECTOR_16 we_bytes_16 we_compress_index_16(uint32_t first_mask, uint32_t second_mask)
{
    static const uint8_t start[16] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
    return we_add_u8(we_load_halves(&we_set_bits[first_mask], &we_set_bits[second_mask]), we_load_16(start));
}

#endif

#endif
