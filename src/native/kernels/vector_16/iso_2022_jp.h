/* Pairs of ISO-2022-JP, eight at a time, over the vectors of vectors.h.
 *
 * Each kernel must equal the handler iso_2022_jp_decode_item or iso_2022_jp_encode_item, on the items that it converts:
 * https://encoding.spec.whatwg.org/#iso-2022-jp-decoder and #iso-2022-jp-encoder. */

/* Decode pairs, eight at a time as long as eight pairs follow one another. */
WE_PAIRS_VECTOR_16 size_t we_iso_2022_jp_decode_pairs_vector_16(const uint8_t *source, size_t length,
                                                                const uint16_t *pairs, int kind, void *target,
                                                                size_t *written)
{
    enum { BLOCK = 16 };
    const we_bytes_16 first = we_all_u8(WE_JIS_FIRST), above_range = we_all_u8(WE_JIS_LAST - WE_JIS_FIRST + 1);
    const we_bytes_16 trailing_bit = we_all_u16(0x0080), fifteen_bits = we_all_u16(0x7FFF);
    size_t read = 0, out = 0, more;
    for (; length - read >= BLOCK; read += BLOCK) {
        const we_bytes_16 bytes = we_load_16(source + read);
        if (we_any_high_16(we_at_least_u8(bytes - first, above_range)))
            break; /* the scalar loop looks up the pairs before the escape sequence alone */
        const we_bytes_16 units = we_look_up_8(pairs, (we_swap_u16(bytes) | trailing_bit) & fifteen_bits);
        if (we_any_null_u16(units))
            break;
        /* Within the capacity of the sixteen bytes: eight units, or 48 bytes of UTF-8. */
        if (kind == WE_UTF8) {
            out += we_utf_8_encode_8_of_three_vector_16((uint8_t *)target + out, units);
        } else {
            we_put_8_units_vector_16(target, kind, out * 2, units);
            out += 8;
        }
    }
    read +=
        we_iso_2022_jp_decode_pairs_scalar(source + read, length - read, pairs, kind, we_at(target, kind, out), &more);
    *written = out + more;
    return read;
}

/* Encode pairs, eight at a time as long as eight units follow one another. */
WE_PAIRS_VECTOR_16 size_t we_iso_2022_jp_encode_pairs_vector_16(const void *source, int kind, size_t length,
                                                                const uint16_t *reverse, uint8_t *target)
{
    enum { BLOCK = 8 };
    size_t read = 0;
    for (; length - read >= BLOCK; read += BLOCK) {
        we_bytes_16 above;
        const we_bytes_16 units = we_load_8_units_vector_16(source, kind, read, &above);
        /* ASCII ends most runs: the scalar loop looks up the units before it alone. */
        if (we_any_null_u16(units & we_all_u16(0xFF80)) || (kind == WE_UCS4 && we_any_16(above)))
            break;
        const we_bytes_16 pairs = we_look_up_8(reverse, units);
        if (we_any_high_16(we_at_least_u8(we_all_u8((0x80 | WE_JIS_FIRST) - 1), pairs)))
            break; /* only both bytes of a pair of index jis0208 are in its range */
        we_store_16(target + 2 * read, pairs & 0x7F);
    }
    return read
           + we_iso_2022_jp_encode_pairs_scalar((const uint8_t *)source + (read << kind), kind, length - read, reverse,
                                                target + 2 * read);
}
