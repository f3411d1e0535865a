/* Runs of the single-byte encodings with the shuffles of x86-64-v2. NEON's runs of bytes_16 have look-ups already.
 *
 * Each kernel must equal the handler single_byte_decode_item or single_byte_encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */

#if defined(WE_HAVE_SSE2)
WE_TARGET_VECTOR_16 static inline size_t we_single_byte_run_to_ucs2_x86_64_v2(const uint8_t *source, size_t length,
                                                                              const uint16_t *table,
                                                                              const we_single_byte_vectors *vectors,
                                                                              uint16_t *target)
{
    size_t i = 0;
    if (length >= 64 && (source[0] < 0x80 || table[source[0] & 0x7F] != 0))
        i = we_single_byte_by_distances_16(source, length, table, vectors->rows, target);
    return i + we_single_byte_run_to_ucs2_bytes_16(source + i, length - i, table, target + i);
}

WE_TARGET_VECTOR_16 static inline size_t we_single_byte_map_x86_64_v2(const uint8_t *source, size_t length,
                                                                      const uint8_t *map, uint8_t *target)
{
    if (length < 64)
        return we_single_byte_map_bytes_16(source, length, map, target);
    if (!we_single_byte_keeps_latin1(map))
        return we_single_byte_map_by_rows_16(source, length, map, target);
    /* The first 64 bytes of a piece tell which is faster. */
    const we_bytes_16 least = we_all_u8(0xA0);
    for (size_t i = 0, piece, done;; i += done) {
        int mapped = 0;
        piece = length - i < WE_PIECE_BY_ROWS ? length - i : WE_PIECE_BY_ROWS;
        for (size_t at = i; at < i + 64 && i + piece - at >= 16; at += 16)
            mapped += __builtin_popcount(we_bits_16(WE_BELOW_S8(we_load_16(source + at), least)));
        done = mapped > WE_MANY_MAPPED ? we_single_byte_map_by_rows_16(source + i, piece, map, target + i)
                                       : we_single_byte_map_bytes_16(source + i, piece, map, target + i);
        if (done < piece || i + done == length)
            return i + done;
    }
}
#endif
