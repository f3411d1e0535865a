/* The UTF-8 runs with AVX2. scalar/utf_8.h defines them; vector/utf_8.h decodes.
 *
 * Each kernel must equal the handler utf_8_decode_item or utf_8_encode_item:
 * https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder. */

/* Store whole blocks of ASCII, 64 units each (UCS4: 32), up to the first that holds another unit; return how many
 * units. After the first block of a long text, loads are aligned, which takes 5 % less: part of it is stored again. */
WE_INLINE_32 size_t we_utf_8_encode_ascii_avx2(const void *source, int kind, size_t length, uint8_t *target)
{
    const size_t step = kind == WE_UCS4 ? 32 : 64, unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const size_t past = length >= WE_WORTH_ALIGNING ? (uintptr_t)source % 32 / unit_size : 0;
    size_t read = 0;
    for (; length - read >= step; read += step) {
        if (kind == WE_UCS1) {
            const uint8_t *bytes = (const uint8_t *)source + read;
            const we_bytes_32 a = we_load_32(bytes), b = we_load_32(bytes + 32);
            if (we_any_high_32(a | b))
                break;
            we_store_32(target + read, a);
            we_store_32(target + read + 32, b);
        } else if (kind == WE_UCS2) {
            const uint16_t *units = (const uint16_t *)source + read;
            const we_bytes_32 a = we_load_32(units), b = we_load_32(units + 16), c = we_load_32(units + 32),
                              d = we_load_32(units + 48);
            if (!_mm256_testz_si256((__m256i)(a | b | c | d), _mm256_set1_epi16((short)0xFF80)))
                break;
            we_store_32(target + read, we_pack_u16_32(a, b));
            we_store_32(target + read + 32, we_pack_u16_32(c, d));
        } else if (we_ascii_step_from_ucs4_32((const uint32_t *)source + read, target + read) < 32) {
            break;
        }
        if (read == 0)
            read -= past;
    }
    return read;
}

/* The algorithm of vector_16/utf_8.h in that level's own instructions: AVX2's form of its blends takes twice as
 * long. */
static WE_NEVER_INLINE WE_TARGET_VECTOR_16 size_t we_utf_8_encode_apart_vector_16(const void *source, int kind,
                                                                                  size_t length, uint8_t *target,
                                                                                  size_t *written)
{
    if (kind == WE_UCS1)
        return we_utf_8_encode_vector_16(source, WE_UCS1, length, target, written);
    return kind == WE_UCS2 ? we_utf_8_encode_vector_16(source, WE_UCS2, length, target, written)
                           : we_utf_8_encode_vector_16(source, WE_UCS4, length, target, written);
}

/* ASCII goes by 32 bytes; the rest, a piece at a time, by the algorithm of vector_16/utf_8.h, which is as fast here. */
WE_INLINE_32 size_t we_utf_8_encode_avx2(const void *source, int kind, size_t length, uint8_t *target, size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const uint8_t *const bytes = (const uint8_t *)source;
    /* Soon after a long run of ASCII another is likely. */
    enum { PIECE = 512, PIECE_AFTER_ASCII = 128 };
    size_t out = 0, position = 0;
    while (position < length) {
        size_t here, count = length - position;
        if (count >= 64) {
            size_t piece = PIECE;
            /* In text of another script most blocks begin or end with one of its letters, and are not tried. */
            if ((we_unit_get(source, kind, position) | we_unit_get(source, kind, position + 63)) < 0x80) {
                const size_t ascii =
                    we_utf_8_encode_ascii_avx2(bytes + position * unit_size, kind, count, target + out);
                position += ascii;
                out += ascii;
                count -= ascii;
                piece = ascii > PIECE ? PIECE_AFTER_ASCII : PIECE;
            }
            count = count < piece ? count : piece;
        }
        /* GCC omits this where it knows which registers the callee changes, and then each piece of Latin-1 takes four
         * times as long: the callee's instructions keep the upper halves of registers, and wait for them. */
        _mm256_zeroupper();
        const size_t read =
            we_utf_8_encode_apart_vector_16(bytes + position * unit_size, kind, count, target + out, &here);
        out += here;
        position += read;
        if (read < count)
            break;
    }
    *written = out;
    return position;
}
