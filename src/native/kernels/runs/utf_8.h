/* The runs of UTF-8 at WE_LEVEL: its algorithms, with the kind of text as a constant. levels.h calls them. */

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_8_run_to_latin1)(const uint8_t *source, size_t length,
                                                                         uint8_t *target, size_t *written)
{
    return WE_AT_LEVEL(we_utf_8_decode)(source, length, target, WE_UCS1, written);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_8_run_to_ucs2)(const uint8_t *source, size_t length,
                                                                       uint16_t *target, size_t *written)
{
    return WE_AT_LEVEL(we_utf_8_decode)(source, length, target, WE_UCS2, written);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_8_run_to_ucs4)(const uint8_t *source, size_t length,
                                                                       uint32_t *target, size_t *written)
{
    return WE_AT_LEVEL(we_utf_8_decode)(source, length, target, WE_UCS4, written);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_8_copy_run)(const uint8_t *source, size_t length,
                                                                    uint8_t *target)
{
    return WE_AT_LEVEL(we_utf_8_validate)(source, length, target);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_8_run_from_ucs1)(const uint8_t *source, size_t length,
                                                                         uint8_t *target, size_t *written)
{
    return WE_AT_LEVEL(we_utf_8_encode)(source, WE_UCS1, length, target, written);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_8_run_from_ucs2)(const uint16_t *source, size_t length,
                                                                         uint8_t *target, size_t *written)
{
    return WE_AT_LEVEL(we_utf_8_encode)(source, WE_UCS2, length, target, written);
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_utf_8_run_from_ucs4)(const uint32_t *source, size_t length,
                                                                         uint8_t *target, size_t *written)
{
    return WE_AT_LEVEL(we_utf_8_encode)(source, WE_UCS4, length, target, written);
}
