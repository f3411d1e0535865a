/* The runs of UTF-16BE/LE at WE_LEVEL; the order of bytes is a constant, too. */

WE_RUN(we_utf_16_run_to_ucs1,
       (const uint8_t *source, size_t length, int big_endian, uint8_t *target, size_t *written,
        uint32_t max_code_point),
       big_endian ? WE_AT_LEVEL(we_utf_16_decode)(source, length, 1, target, WE_UCS1, max_code_point, written)
                  : WE_AT_LEVEL(we_utf_16_decode)(source, length, 0, target, WE_UCS1, max_code_point, written))
WE_RUN(we_utf_16_run_to_ucs2, (const uint8_t *source, size_t length, int big_endian, uint16_t *target, size_t *written),
       big_endian ? WE_AT_LEVEL(we_utf_16_copy_run)(source, length, 1, target, written)
                  : WE_AT_LEVEL(we_utf_16_copy_run)(source, length, 0, target, written))
WE_RUN(we_utf_16_run_to_ucs4, (const uint8_t *source, size_t length, int big_endian, uint32_t *target, size_t *written),
       big_endian ? WE_AT_LEVEL(we_utf_16_decode)(source, length, 1, target, WE_UCS4, 0x10FFFF, written)
                  : WE_AT_LEVEL(we_utf_16_decode)(source, length, 0, target, WE_UCS4, 0x10FFFF, written))
