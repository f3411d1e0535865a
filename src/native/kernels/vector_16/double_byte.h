/* Runs of two-byte characters with vectors of sixteen bytes, in blocks of 64 bytes and of eight units.
 * double_byte.h describes a run, and scalar/double_byte.h names the handlers that each kernel must equal.
 *
 * Encoding. Eight units are looked up together, and the second bytes that they do not have are shuffled away. */

#define WE_PAIRS_VECTOR_16 WE_ALWAYS_INLINE WE_TARGET_VECTOR_16

/* Eight units cut to 16 bits, and in `above` the 16 bits above them. */
WE_PAIRS_VECTOR_16 we_bytes_16 we_load_8_units_vector_16(const void *source, int kind, size_t first, we_bytes_16 *above)
{
    *above = we_all_u8(0);
    if (kind == WE_UCS1)
        return we_zip_low_u8(we_load_8((const uint8_t *)source + first), we_all_u8(0));
    if (kind == WE_UCS2)
        return we_load_16((const uint16_t *)source + first);
    const we_bytes_16 a = we_load_16((const uint32_t *)source + first),
                      b = we_load_16((const uint32_t *)source + first + 4);
    *above = we_low_units_16(WE_SHIFT_RIGHT_U32(a, 16), WE_SHIFT_RIGHT_U32(b, 16));
    return we_low_units_16(a, b);
}

/* Store ASCII, by 32 units where they are of two bytes; return how many units. Some may be left. */
WE_PAIRS_VECTOR_16 size_t we_double_byte_ascii_from_vector_16(const void *source, int kind, size_t length,
                                                              uint8_t *target)
{
    size_t read = 0;
    for (; kind == WE_UCS2 && length - read >= 32; read += 32) {
        const uint16_t *units = (const uint16_t *)source + read;
        const we_bytes_16 a = we_load_16(units), b = we_load_16(units + 8), c = we_load_16(units + 16),
                          d = we_load_16(units + 24);
        if (we_any_of_16((a | b) | (c | d), we_all_u16(0xFF80)))
            break;
        we_store_16(target + read, we_low_bytes_16(a, b));
        we_store_16(target + read + 16, we_low_bytes_16(c, d));
    }
    return read
           + we_double_byte_ascii_from((const uint8_t *)source + (read << kind), kind, length - read, 1, target + read);
}

/* The run in blocks of eight units, and of more where they are ASCII. Capacity: as for the scalar run; a block writes
 * 16 bytes.
 *
 * The keys come from the vector that is tested, so that what was checked is what is looked up. */
WE_PAIRS_VECTOR_16 size_t we_double_byte_run_from_vector_16(const void *source, int kind, size_t length,
                                                            const uint16_t *reverse, uint8_t *target, size_t *written)
{
    enum { BLOCK = 8 };
    const we_bytes_16 not_ascii = we_all_u16(0xFF80), two_bytes = we_all_u16(0x0100);
    size_t read = 0, out = 0, more;
    while (length - read >= BLOCK) {
        we_bytes_16 above;
        const we_bytes_16 units = we_load_8_units_vector_16(source, kind, read, &above);
        if (!we_any_of_16(units, not_ascii) && (kind != WE_UCS4 || !we_any_16(above))) {
            we_store_8(target + out, we_low_bytes_16(units, units));
            const size_t ascii =
                BLOCK
                + we_double_byte_ascii_from_vector_16((const uint8_t *)source + ((read + BLOCK) << kind), kind,
                                                      length - read - BLOCK, target + out + BLOCK);
            read += ascii;
            out += ascii;
            continue;
        }
        const we_bytes_16 pairs = we_look_up_8(reverse, units);
        if (we_any_null_u16(pairs) || (kind == WE_UCS4 && we_any_16(above))) { /* a null, or U+0000 */
            const size_t step = we_double_byte_run_from_by_item((const uint8_t *)source + (read << kind), kind, BLOCK,
                                                                reverse, target + out, &more);
            read += step;
            out += more;
            if (step < BLOCK) {
                *written = out;
                return read;
            }
            continue;
        }
        /* All bytes but the second ones that are null. */
        const uint32_t two = we_bits_of_u16(we_at_least_u16(pairs, two_bytes));
        we_store_16(target + out, we_shuffle_16(pairs, we_peek_16(&we_pair_bytes[two])));
        out += BLOCK + we_count_of_8(two);
        read += BLOCK;
    }
    read += we_double_byte_run_from_by_item((const uint8_t *)source + (read << kind), kind, length - read, reverse,
                                            target + out, &more);
    *written = out + more;
    return read;
}
