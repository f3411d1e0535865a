/* Runs of ASCII, and conversions between widths of units, with vectors of WE_WIDTH bytes, at WE_LEVEL. A step takes
 * WE_WIDTH units. */

#define we_ascii_narrow_ucs4 WE_AT_WIDTH(we_ascii_narrow_ucs4)

WE_LEVEL_TARGET static inline size_t WE_AT_WIDTH(we_ascii_step_to_ucs1)(const uint8_t *source, uint8_t *target)
{
    const we_vector bytes = we_load(source);
    we_store(target, bytes);
    return we_ascii_in(bytes);
}

WE_LEVEL_TARGET static inline size_t WE_AT_WIDTH(we_ascii_step_to_ucs2)(const uint8_t *source, uint16_t *target)
{
    const we_vector bytes = we_load(source);
    we_widen_to_ucs2(bytes, target);
    return we_ascii_in(bytes);
}

WE_LEVEL_TARGET static inline size_t WE_AT_WIDTH(we_ascii_step_to_ucs4)(const uint8_t *source, uint32_t *target)
{
    const we_vector bytes = we_load(source);
    we_widen_to_ucs4(bytes, target);
    return we_ascii_in(bytes);
}

/* A unit above 0x7F gives a byte with the high bit. */
WE_LEVEL_TARGET static inline size_t WE_AT_WIDTH(we_ascii_step_from_ucs2)(const uint16_t *source, uint8_t *target)
{
    const we_vector bytes = we_narrow_saturated_u16(we_load(source), we_load(source + WE_WIDTH / 2));
    we_store(target, bytes);
    return we_ascii_in(bytes);
}

/* Narrow WE_WIDTH units if all are ASCII; else return 0. */
WE_LEVEL_TARGET static inline int we_ascii_narrow_ucs4(const uint32_t *source, we_vector *bytes)
{
    const we_vector a = we_load(source), b = we_load(source + WE_WIDTH / 4), c = we_load(source + WE_WIDTH / 2),
                    d = we_load(source + WE_WIDTH * 3 / 4);
    *bytes = we_low_bytes(we_low_units(a, b), we_low_units(c, d));
    return !we_any((a | b | c | d) & we_all_u32(~UINT32_C(0x7F)));
}

/* Store a vector if all are ASCII; else the scalar code finds the first that is not. */
WE_LEVEL_TARGET static inline size_t WE_AT_WIDTH(we_ascii_step_from_ucs4)(const uint32_t *source, uint8_t *target)
{
    we_vector bytes;
    if (!we_ascii_narrow_ucs4(source, &bytes))
        return we_ascii_run_from_ucs4_scalar(source, WE_WIDTH, target);
    we_store(target, bytes);
    return WE_WIDTH;
}

/* Copy whole vectors; return how many bytes, up to the first other byte. Four vectors of sixteen bytes at a time take
 * half as long for English; two of 32 bytes up to a fifth less, and for German up to a fifth more. */
WE_LEVEL_TARGET static inline size_t WE_AT_WIDTH(we_ascii_blocks)(const uint8_t *source, size_t length, uint8_t *target)
{
    size_t i = 0;
    for (; WE_WIDTH == 16 && length - i >= 4 * WE_WIDTH; i += 4 * WE_WIDTH) {
        const uint8_t *const from = source + i;
        const we_vector bytes[4] = {we_load(from), we_load(from + WE_WIDTH), we_load(from + 2 * WE_WIDTH),
                                    we_load(from + 3 * WE_WIDTH)};
        if (we_any_high((bytes[0] | bytes[1]) | (bytes[2] | bytes[3])))
            break;
        for (int k = 0; k < 4; k++)
            we_store(target + i + k * WE_WIDTH, bytes[k]);
    }
    for (; length - i >= WE_WIDTH; i += WE_WIDTH) {
        const size_t ascii = WE_AT_WIDTH(we_ascii_step_to_ucs1)(source + i, target + i);
        if (ascii < WE_WIDTH)
            return i + ascii;
    }
    return i;
}

WE_LEVEL_TARGET static inline void WE_AT_WIDTH(we_widen_step_ucs1_to_ucs2)(const uint8_t *source, uint16_t *target)
{
    we_widen_to_ucs2(we_load(source), target);
}

WE_LEVEL_TARGET static inline void WE_AT_WIDTH(we_widen_step_ucs1_to_ucs4)(const uint8_t *source, uint32_t *target)
{
    we_widen_to_ucs4(we_load(source), target);
}

WE_LEVEL_TARGET static inline void WE_AT_WIDTH(we_widen_step_ucs2_to_ucs4)(const uint16_t *source, uint32_t *target)
{
    for (int i = 0; i < WE_WIDTH; i += 8)
        we_widen_8_units_to_ucs4(we_load_16(source + i), target + i);
}

WE_LEVEL_TARGET static inline void WE_AT_WIDTH(we_narrow_step_ucs2_to_ucs1)(const uint16_t *source, uint8_t *target)
{
    we_store(target, we_low_bytes(we_load(source), we_load(source + WE_WIDTH / 2)));
}

WE_LEVEL_TARGET static inline void WE_AT_WIDTH(we_narrow_step_ucs4_to_ucs2)(const uint32_t *source, uint16_t *target)
{
    for (int i = 0; i < WE_WIDTH; i += WE_WIDTH / 2)
        we_store(target + i, we_low_units(we_load(source + i), we_load(source + i + WE_WIDTH / 4)));
}

WE_LEVEL_TARGET static inline void WE_AT_WIDTH(we_narrow_step_ucs4_to_ucs1)(const uint32_t *source, uint8_t *target)
{
    const we_vector low = we_low_units(we_load(source), we_load(source + WE_WIDTH / 4));
    const we_vector high = we_low_units(we_load(source + WE_WIDTH / 2), we_load(source + WE_WIDTH * 3 / 4));
    we_store(target, we_low_bytes(low, high));
}

WE_LEVEL_TARGET static inline size_t WE_AT_LEVEL(we_ascii_length)(const uint8_t *source, size_t length)
{
    size_t i = 0;
    if (length < WE_WIDTH)
        return WE_BELOW_LEVEL(we_ascii_length)(source, length);
    for (; length - i >= 4 * WE_WIDTH; i += 4 * WE_WIDTH) {
        const uint8_t *from = source + i;
        if (we_any_high(we_peek(from) | we_peek(from + WE_WIDTH) | we_peek(from + 2 * WE_WIDTH)
                        | we_peek(from + 3 * WE_WIDTH)))
            break;
    }
    for (; length - i >= WE_WIDTH; i += WE_WIDTH) {
        const size_t ascii = we_ascii_in(we_peek(source + i));
        if (ascii < WE_WIDTH)
            return i + ascii;
    }
    /* The last vector overlaps the one before it, which is ASCII. */
    return i == length ? length : length - WE_WIDTH + we_ascii_in(we_peek(source + length - WE_WIDTH));
}

WE_LEVEL_TARGET static inline uint64_t WE_AT_LEVEL(we_or_blocks)(const uint8_t *source, size_t blocks)
{
    we_vector a = we_all_u8(0), b = a, c = a, d = a;
    for (; blocks >= WE_WIDTH / 16; blocks -= WE_WIDTH / 16, source += 4 * WE_WIDTH) {
        a |= we_peek(source);
        b |= we_peek(source + WE_WIDTH);
        c |= we_peek(source + 2 * WE_WIDTH);
        d |= we_peek(source + 3 * WE_WIDTH);
    }
    if (blocks)
        a |= we_peek(source) | we_peek(source + 64 - WE_WIDTH); /* two vectors of 32 bytes */
    uint64_t lanes[WE_WIDTH / 8], all = 0;
    we_store(lanes, a | b | c | d);
    for (int i = 0; i < WE_WIDTH / 8; i++)
        all |= lanes[i];
    return all;
}

/* The runs and the conversions of the level: loops of these steps, of which the level below takes a remainder. */
#define WE_RUN_OF_STEPS(name, step, source_type, target_type)                                                          \
    WE_ASCII_RUN(WE_AT_LEVEL(name), WE_LEVEL_TARGET, source_type, target_type, WE_WIDTH, WE_AT_WIDTH(step),            \
                 WE_BELOW_LEVEL(name))
#define WE_CONVERSION_OF_STEPS(name, step, source_type, target_type)                                                   \
    WE_CONVERT(WE_AT_LEVEL(name), WE_LEVEL_TARGET, source_type, target_type, WE_WIDTH, WE_AT_WIDTH(step),              \
               WE_BELOW_LEVEL(name))
WE_RUN_OF_STEPS(we_ascii_run_to_ucs1, we_ascii_step_to_ucs1, uint8_t, uint8_t)
WE_RUN_OF_STEPS(we_ascii_run_to_ucs2, we_ascii_step_to_ucs2, uint8_t, uint16_t)
WE_RUN_OF_STEPS(we_ascii_run_to_ucs4, we_ascii_step_to_ucs4, uint8_t, uint32_t)
WE_RUN_OF_STEPS(we_ascii_run_from_ucs2, we_ascii_step_from_ucs2, uint16_t, uint8_t)
WE_RUN_OF_STEPS(we_ascii_run_from_ucs4, we_ascii_step_from_ucs4, uint32_t, uint8_t)
WE_CONVERSION_OF_STEPS(we_widen_ucs1_to_ucs2, we_widen_step_ucs1_to_ucs2, uint8_t, uint16_t)
WE_CONVERSION_OF_STEPS(we_widen_ucs1_to_ucs4, we_widen_step_ucs1_to_ucs4, uint8_t, uint32_t)
WE_CONVERSION_OF_STEPS(we_widen_ucs2_to_ucs4, we_widen_step_ucs2_to_ucs4, uint16_t, uint32_t)
WE_CONVERSION_OF_STEPS(we_narrow_ucs2_to_ucs1, we_narrow_step_ucs2_to_ucs1, uint16_t, uint8_t)
WE_CONVERSION_OF_STEPS(we_narrow_ucs4_to_ucs1, we_narrow_step_ucs4_to_ucs1, uint32_t, uint8_t)
WE_CONVERSION_OF_STEPS(we_narrow_ucs4_to_ucs2, we_narrow_step_ucs4_to_ucs2, uint32_t, uint16_t)
#undef WE_RUN_OF_STEPS
#undef WE_CONVERSION_OF_STEPS
