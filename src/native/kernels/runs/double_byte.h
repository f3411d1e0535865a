/* The runs of two-byte characters at WE_LEVEL: its algorithms, with the kind of text, and whether bytes are half-width
 * katakana, as constants. levels.h calls them. Those of a level with WE_LEVEL_APART take most of the time of the
 * modules that have them, so apart.c can define them for all. */

#if defined(WE_LEVEL_APART) && defined(WE_KERNELS_APART)
#define WE_PAIRS_RUN(name, parameters, call) size_t name parameters;
#else
#if defined(WE_LEVEL_APART)
#define WE_PAIRS_LINKAGE WE_APART
#else
#define WE_PAIRS_LINKAGE static inline
#endif
#define WE_PAIRS_RUN(name, parameters, call)                                                                           \
    WE_LEVEL_TARGET WE_PAIRS_LINKAGE size_t name parameters                                                            \
    {                                                                                                                  \
        return call;                                                                                                   \
    }
#endif

#define WE_PAIRS_RUN_TO(name, katakana, unit, kind)                                                                    \
    WE_PAIRS_RUN(WE_AT_LEVEL(name),                                                                                    \
                 (const uint8_t *source, size_t length, const uint16_t *pairs, unit *target, size_t *written),         \
                 WE_AT_LEVEL(we_double_byte_run)(source, length, pairs, katakana, kind, target, written))

WE_PAIRS_RUN_TO(we_double_byte_run_to_ucs2, 0, uint16_t, WE_UCS2)
WE_PAIRS_RUN_TO(we_double_byte_run_to_ucs4, 0, uint32_t, WE_UCS4)
WE_PAIRS_RUN_TO(we_double_byte_run_to_utf8, 0, uint8_t, WE_UTF8)
WE_PAIRS_RUN_TO(we_katakana_run_to_ucs2, 1, uint16_t, WE_UCS2)
WE_PAIRS_RUN_TO(we_katakana_run_to_ucs4, 1, uint32_t, WE_UCS4)
WE_PAIRS_RUN_TO(we_katakana_run_to_utf8, 1, uint8_t, WE_UTF8)

#define WE_PAIRS_RUN_FROM(name, unit, kind)                                                                            \
    WE_PAIRS_RUN(WE_AT_LEVEL(name),                                                                                    \
                 (const unit *source, size_t length, const uint16_t *reverse, uint8_t *target, size_t *written),       \
                 WE_AT_LEVEL(we_double_byte_run_from)(source, kind, length, reverse, target, written))

WE_PAIRS_RUN_FROM(we_double_byte_run_from_ucs1, uint8_t, WE_UCS1)
WE_PAIRS_RUN_FROM(we_double_byte_run_from_ucs2, uint16_t, WE_UCS2)
WE_PAIRS_RUN_FROM(we_double_byte_run_from_ucs4, uint32_t, WE_UCS4)

#undef WE_PAIRS_RUN
#undef WE_PAIRS_RUN_TO
#undef WE_PAIRS_RUN_FROM
#undef WE_PAIRS_LINKAGE
