/* The runs of UTF-8 at WE_LEVEL. */

#define WE_UTF_8_RUN_TO(name, unit, kind)                                                                              \
    WE_RUN(name, (const uint8_t *source, size_t length, unit *target, size_t *written),                                \
           WE_AT_LEVEL(we_utf_8_decode)(source, length, target, kind, written))
WE_UTF_8_RUN_TO(we_utf_8_run_to_latin1, uint8_t, WE_UCS1)
WE_UTF_8_RUN_TO(we_utf_8_run_to_ucs2, uint16_t, WE_UCS2)
WE_UTF_8_RUN_TO(we_utf_8_run_to_ucs4, uint32_t, WE_UCS4)

WE_RUN(we_utf_8_copy_run, (const uint8_t *source, size_t length, uint8_t *target),
       WE_AT_LEVEL(we_utf_8_validate)(source, length, target))

#define WE_UTF_8_RUN_FROM(name, unit, kind)                                                                            \
    WE_RUN(name, (const unit *source, size_t length, uint8_t *target, size_t *written),                                \
           WE_AT_LEVEL(we_utf_8_encode)(source, kind, length, target, written))
WE_UTF_8_RUN_FROM(we_utf_8_run_from_ucs1, uint8_t, WE_UCS1)
WE_UTF_8_RUN_FROM(we_utf_8_run_from_ucs2, uint16_t, WE_UCS2)
WE_UTF_8_RUN_FROM(we_utf_8_run_from_ucs4, uint32_t, WE_UCS4)
