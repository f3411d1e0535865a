/* The counts of scalar/count.h, sixteen units at a time. */

/* Sixteen units a turn: IN_16 gives a byte for each, 0 or 1, and those are added up in bytes, 255 turns at most.
 */
#define WE_COUNT_16(NAME, UNIT, IN_16, REST)                                                                           \
    static inline size_t NAME(const UNIT *source, size_t length)                                                       \
    {                                                                                                                  \
        size_t total = 0, i = 0;                                                                                       \
        while (length - i >= 64) {                                                                                     \
            const size_t blocks = (length - i) / 64;                                                                   \
            const UNIT *const end = source + i + 64 * (blocks < 63 ? blocks : 63);                                     \
            we_bytes_16 counts = we_all_u8(0);                                                                         \
            for (const UNIT *from = source + i; from != end; from += 64)                                               \
                for (int k = 0; k < 4; k++)                                                                            \
                    counts = IN_16(counts, from + 16 * k);                                                             \
            total += we_sum_u8(counts);                                                                                \
            i = (size_t)(end - source);                                                                                \
        }                                                                                                              \
        return total + REST(source + i, length - i);                                                                   \
    }

/* Each adds 1 to the byte of each of sixteen units that counts. */
WE_ALWAYS_INLINE we_bytes_16 we_non_ascii_count_ucs1_in_16(we_bytes_16 counts, const uint8_t *source)
{
    return WE_ADD_HIGH_BIT_U8(counts, we_load_16(source));
}

WE_ALWAYS_INLINE we_bytes_16 we_non_ascii_count_ucs2_in_16(we_bytes_16 counts, const uint16_t *source)
{
    return WE_ADD_HIGH_BIT_U8(counts, we_narrow_saturated_u16(we_load_16(source), we_load_16(source + 8)));
}

/* A zero, narrowed by sign or not, is 0, and all ones are 0xFF. */
WE_ALWAYS_INLINE we_bytes_16 we_non_ascii_count_ucs4_in_16(we_bytes_16 counts, const uint32_t *source)
{
    we_bytes_16 ascii[4];
    for (int k = 0; k < 4; k++)
        ascii[k] = we_equal_u32(WE_SHIFT_RIGHT_U32(we_load_16(source + 4 * k), 7), we_all_u8(0));
    const we_bytes_16 first = we_low_units_16(ascii[0], ascii[1]), second = we_low_units_16(ascii[2], ascii[3]);
    return counts + (we_low_bytes_16(first, second) + 1);
}

WE_ALWAYS_INLINE we_bytes_16 we_replacement_character_count_ucs2_in_16(we_bytes_16 counts, const uint16_t *source)
{
    const we_bytes_16 sought = we_all_u16(0xFFFD);
    const we_bytes_16 first = we_equal_u16(we_load_16(source), sought),
                      second = we_equal_u16(we_load_16(source + 8), sought);
    return counts - we_low_bytes_16(first, second);
}

WE_COUNT_16(we_non_ascii_count_ucs1_bytes_16, uint8_t, we_non_ascii_count_ucs1_in_16, we_non_ascii_count_ucs1_scalar)
WE_COUNT_16(we_non_ascii_count_ucs2_bytes_16, uint16_t, we_non_ascii_count_ucs2_in_16, we_non_ascii_count_ucs2_scalar)
WE_COUNT_16(we_non_ascii_count_ucs4_bytes_16, uint32_t, we_non_ascii_count_ucs4_in_16, we_non_ascii_count_ucs4_scalar)
WE_COUNT_16(we_replacement_character_count_ucs2_bytes_16, uint16_t, we_replacement_character_count_ucs2_in_16,
            we_replacement_character_count_ucs2_scalar)
