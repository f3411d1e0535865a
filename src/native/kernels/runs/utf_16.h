/* The runs of UTF-16BE/LE at WE_LEVEL: its algorithms, with the order of bytes and the kind of text as constants.
 * levels.h calls them. */

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_16_run_to_ucs1)(const uint8_t *source, size_t length,
                                                                        int big_endian, uint8_t *target,
                                                                        size_t *written, uint32_t max_code_point)
{
    if (big_endian)
        return WE_AT_LEVEL(we_utf_16_decode)(source, length, 1, target, WE_UCS1, max_code_point, written);
    return WE_AT_LEVEL(we_utf_16_decode)(source, length, 0, target, WE_UCS1, max_code_point, written);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_16_run_to_ucs2)(const uint8_t *source, size_t length,
                                                                        int big_endian, uint16_t *target,
                                                                        size_t *written)
{
    if (big_endian)
        return WE_AT_LEVEL(we_utf_16_copy_run)(source, length, 1, target, written);
    return WE_AT_LEVEL(we_utf_16_copy_run)(source, length, 0, target, written);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_16_run_to_ucs4)(const uint8_t *source, size_t length,
                                                                        int big_endian, uint32_t *target,
                                                                        size_t *written)
{
    if (big_endian)
        return WE_AT_LEVEL(we_utf_16_decode)(source, length, 1, target, WE_UCS4, 0x10FFFF, written);
    return WE_AT_LEVEL(we_utf_16_decode)(source, length, 0, target, WE_UCS4, 0x10FFFF, written);
}
