/* The algorithms of a level without shuffles: the scalar loops, of which WE_LOOP_VECTORS says whether they take ASCII
 * by vectors of sixteen bytes. `kind` is a constant wherever these are inlined. */

WE_ALWAYS_INLINE size_t WE_AT_LEVEL(we_utf_8_decode)(const uint8_t *source, size_t length, void *target, int kind,
                                                     size_t *written)
{
    return we_utf_8_decode_loop(source, length, target, kind, WE_LOOP_VECTORS, written);
}

WE_ALWAYS_INLINE size_t WE_AT_LEVEL(we_utf_8_validate)(const uint8_t *source, size_t length, uint8_t *target)
{
    return we_utf_8_validate_loop(source, length, target, WE_LOOP_VECTORS);
}

WE_ALWAYS_INLINE size_t WE_AT_LEVEL(we_utf_8_encode)(const void *source, int kind, size_t length, uint8_t *target,
                                                     size_t *written)
{
    return we_utf_8_encode_loop(source, kind, length, target, WE_LOOP_VECTORS, written);
}

WE_ALWAYS_INLINE size_t WE_AT_LEVEL(we_double_byte_run)(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                        int katakana, int kind, void *target, size_t *written)
{
    return we_double_byte_decode_loop(source, length, pairs, katakana, WE_LOOP_VECTORS, kind, target, written);
}

WE_ALWAYS_INLINE size_t WE_AT_LEVEL(we_double_byte_run_from)(const void *source, int kind, size_t length,
                                                             const uint16_t *reverse, uint8_t *target, size_t *written)
{
    return we_double_byte_encode_loop(source, kind, length, reverse, WE_LOOP_VECTORS, target, written);
}
