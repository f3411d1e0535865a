/* The runs of pairs of ISO-2022-JP at WE_LEVEL. */

#define WE_JIS_RUN_TO(name, unit, kind)                                                                                \
    WE_RUN(name, (const uint8_t *source, size_t length, const uint16_t *pairs, unit *target, size_t *written),         \
           WE_AT_LEVEL(we_iso_2022_jp_decode_pairs)(source, length, pairs, kind, target, written))
WE_JIS_RUN_TO(we_iso_2022_jp_pairs_to_ucs2, uint16_t, WE_UCS2)
WE_JIS_RUN_TO(we_iso_2022_jp_pairs_to_ucs4, uint32_t, WE_UCS4)
WE_JIS_RUN_TO(we_iso_2022_jp_pairs_to_utf8, uint8_t, WE_UTF8)

#define WE_JIS_RUN_FROM(name, unit, kind)                                                                              \
    WE_RUN(name, (const unit *source, size_t length, const uint16_t *reverse, uint8_t *target),                        \
           WE_AT_LEVEL(we_iso_2022_jp_encode_pairs)(source, kind, length, reverse, target))
WE_JIS_RUN_FROM(we_iso_2022_jp_pairs_from_ucs1, uint8_t, WE_UCS1)
WE_JIS_RUN_FROM(we_iso_2022_jp_pairs_from_ucs2, uint16_t, WE_UCS2)
WE_JIS_RUN_FROM(we_iso_2022_jp_pairs_from_ucs4, uint32_t, WE_UCS4)
