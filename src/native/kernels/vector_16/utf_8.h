/* The UTF-8 runs over vectors of sixteen bytes: NEON and x86-64-v2. scalar/utf_8.h defines them; vector/utf_8.h
 * decodes.
 *
 * Encoding. Eight units at a time give two bytes each, or four at a time up to four bytes each; a shuffle by an entry
 * of a table for the lengths packs them (Lemire and Mula, "Transcoding billions of Unicode characters per second with
 * SIMD instructions", 2022).
 *
 * Each kernel must equal the handler utf_8_decode_item or utf_8_encode_item:
 * https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder. */

#define WE_UTF_8_INLINE WE_ALWAYS_INLINE WE_TARGET_VECTOR_16

/* ---- Encoding ---------------------------------------------------------------------------------------------------- */

/* For each four lengths, two bits each from the lowest unit on, the shuffle that packs four lanes of four bytes: 256
 * entries of 16 bytes. The lower bit is set where a unit takes two or three bytes, the upper bit where it takes three
 * or four. The last byte of a sequence is the third of its lane, the second last the second, the third last the first,
 * and the first of four the fourth. */
#define WE_FOUR_1(...)                                                                                                 \
    {2, __VA_ARGS__}, {1, 2, __VA_ARGS__}, {3, 0, 1, 2, __VA_ARGS__},                                                  \
    {                                                                                                                  \
        0, 1, 2, __VA_ARGS__                                                                                           \
    }
#define WE_FOUR_2(...)                                                                                                 \
    WE_FOUR_1(6, __VA_ARGS__), WE_FOUR_1(5, 6, __VA_ARGS__), WE_FOUR_1(7, 4, 5, 6, __VA_ARGS__),                       \
        WE_FOUR_1(4, 5, 6, __VA_ARGS__)
#define WE_FOUR_3(...)                                                                                                 \
    WE_FOUR_2(10, __VA_ARGS__), WE_FOUR_2(9, 10, __VA_ARGS__), WE_FOUR_2(11, 8, 9, 10, __VA_ARGS__),                   \
        WE_FOUR_2(8, 9, 10, __VA_ARGS__)
static const uint8_t we_utf_8_four[256][16] = {WE_FOUR_3(14), WE_FOUR_3(13, 14), WE_FOUR_3(15, 12, 13, 14),
                                               WE_FOUR_3(12, 13, 14)};

/* How many bytes those are. */
#define WE_LENGTHS_1(bytes) (bytes) + 1, (bytes) + 2, (bytes) + 4, (bytes) + 3
#define WE_LENGTHS_2(bytes)                                                                                            \
    WE_LENGTHS_1((bytes) + 1), WE_LENGTHS_1((bytes) + 2), WE_LENGTHS_1((bytes) + 4), WE_LENGTHS_1((bytes) + 3)
#define WE_LENGTHS_3(bytes)                                                                                            \
    WE_LENGTHS_2((bytes) + 1), WE_LENGTHS_2((bytes) + 2), WE_LENGTHS_2((bytes) + 4), WE_LENGTHS_2((bytes) + 3)
static const uint8_t we_utf_8_four_bytes[256] = {WE_LENGTHS_3(1), WE_LENGTHS_3(2), WE_LENGTHS_3(4), WE_LENGTHS_3(3)};

/* Encode eight units below 0x800 and return the bytes written. The target has a capacity of sixteen. */
WE_UTF_8_INLINE size_t we_utf_8_encode_8_of_two_vector_16(uint8_t *target, we_bytes_16 units)
{
    const we_bytes_16 not_ascii = we_at_least_u16(units, we_all_u16(0x80));
    /* The leading byte is the lower byte of a lane, the trailing byte the upper. */
    const we_bytes_16 bits = we_all_u16(0x3F1F) & (WE_SHIFT_RIGHT_U16(units, 6) | WE_SHIFT_LEFT_U16(units, 8));
    const we_bytes_16 lanes = we_blend_16(not_ascii, bits | we_all_u16(0x80C0), units);
    const uint32_t mask = we_bits_of_u16(not_ascii);
    we_store_16(target, we_shuffle_16(lanes, we_peek_16(&we_pair_bytes[mask])));
    return 8 + (size_t)we_count_of_8(mask);
}

/* Encode eight units that are no surrogates and return the bytes written. The target has a capacity of 28. */
WE_UTF_8_INLINE size_t we_utf_8_encode_8_of_three_vector_16(uint8_t *target, we_bytes_16 units)
{
    const we_bytes_16 not_ascii = we_at_least_u16(units, we_all_u16(0x80));
    const we_bytes_16 three = we_at_least_u16(units, we_all_u16(0x800));
    /* The first byte of three in the lower byte of a lane, the one before the last in the upper: 0x80 of three, 0xC0 of
     * two. */
    const we_bytes_16 tag = (three & we_all_u16(0x4000)) ^ we_all_u16(0xC0E0);
    const we_bytes_16 front =
        (tag | WE_SHIFT_RIGHT_U16(units, 12)) | (we_all_u16(0x3F00) & WE_SHIFT_LEFT_U16(units, 2));
    const we_bytes_16 last = we_blend_16(not_ascii, (units & we_all_u16(0x3F)) | we_all_u16(0x80), units);
    const uint32_t lengths = we_pairs_of_bits_u16(not_ascii, three);
    const we_bytes_16 first = we_shuffle_16(we_zip_low_u16(front, last), we_peek_16(we_utf_8_four[lengths & 0xFF]));
    const we_bytes_16 second = we_shuffle_16(we_zip_high_u16(front, last), we_peek_16(we_utf_8_four[lengths >> 8]));
    const size_t first_bytes = we_utf_8_four_bytes[lengths & 0xFF];
    we_store_16(target, first);
    we_store_16(target + first_bytes, second);
    return first_bytes + we_utf_8_four_bytes[lengths >> 8];
}

/* Encode four code points that are no surrogates and return the bytes written. The target has a capacity of sixteen.
 */
WE_UTF_8_INLINE size_t we_utf_8_encode_4_of_four_vector_16(uint8_t *target, we_bytes_16 code_points)
{
    const we_bytes_16 two = we_at_least_u32(code_points, we_all_u32(0x80));
    const we_bytes_16 three = we_at_least_u32(code_points, we_all_u32(0x800));
    const we_bytes_16 four = we_at_least_u32(code_points, we_all_u32(0x10000));
    /* From the lowest byte of a lane on: the third last, the second last, the last, the fourth last. */
    const we_bytes_16 low = code_points & we_all_u32(0x3F);
    const we_bytes_16 last = WE_SHIFT_LEFT_U32(we_blend_16(two, low | we_all_u32(0x80), code_points), 16);
    const we_bytes_16 second_last = we_all_u32(0x3F00) & WE_SHIFT_LEFT_U32(code_points, 2);
    const we_bytes_16 third_last = we_all_u32(0x3F) & WE_SHIFT_RIGHT_U32(code_points, 12);
    const we_bytes_16 fourth_last = WE_SHIFT_LEFT_U32(WE_SHIFT_RIGHT_U32(code_points, 18), 24);
    /* 0xC0 and 0x80 are the tags of the second last, 0xE0 and 0x80 of the third last. */
    const we_bytes_16 tags = (we_all_u32(0xF000C0E0) ^ (three & we_all_u32(0x4000))) ^ (four & we_all_u32(0x60));
    const we_bytes_16 lanes = ((second_last | third_last) | (fourth_last | last)) | tags;
    const we_bytes_16 lower = two & ~four;
    const uint32_t lengths = we_pairs_of_bits_u16(we_low_units_16(lower, lower), we_low_units_16(three, three)) & 0xFF;
    we_store_16(target, we_shuffle_16(lanes, we_peek_16(we_utf_8_four[lengths])));
    return we_utf_8_four_bytes[lengths];
}

/* Every encoder run; `kind` is a constant wherever this is inlined.
 *
 * Capacity: the target has 2, 3 or 4 bytes for each unit that is left and 8 more, so where eight units of UCS1 are
 * left, 24; of UCS2, 32; where four of UCS4 are left, 24. */
WE_UTF_8_INLINE size_t we_utf_8_encode_vector_16(const void *source, int kind, size_t length, uint8_t *target,
                                                 size_t *written)
{
    const size_t unit_size = kind == WE_UCS1 ? 1 : kind == WE_UCS2 ? 2 : 4;
    const uint8_t *from = (const uint8_t *)source;
    uint8_t *at = target;
    size_t left = length;
    for (; left >= 16; left -= 16, from += 16 * unit_size) {
        we_bytes_16 first, second;
        if (kind == WE_UCS1) {
            const we_bytes_16 bytes = we_load_16(from);
            if (!we_any_high_16(bytes)) {
                we_store_16(at, bytes);
                at += 16;
            } else {
                at += we_utf_8_encode_8_of_two_vector_16(at, we_zip_low_u8(bytes, we_all_u8(0)));
                at += we_utf_8_encode_8_of_two_vector_16(at, we_zip_high_u8(bytes, we_all_u8(0)));
            }
            continue;
        }
        if (kind == WE_UCS2) {
            first = we_load_16(from);
            second = we_load_16(from + 16);
        } else {
            const we_bytes_16 a = we_load_16(from), b = we_load_16(from + 16), c = we_load_16(from + 32),
                              d = we_load_16(from + 48);
            if (we_any_of((a | b) | (c | d), we_all_u32(0xFFFF0000))) {
                const we_bytes_16 mask = we_all_u32(0xFFFFF800), surrogate = we_all_u32(0xD800);
                if (we_any_high_16((we_equal_u32(a & mask, surrogate) | we_equal_u32(b & mask, surrogate))
                                   | (we_equal_u32(c & mask, surrogate) | we_equal_u32(d & mask, surrogate)))) {
                    break;
                }
                at += we_utf_8_encode_4_of_four_vector_16(at, a);
                at += we_utf_8_encode_4_of_four_vector_16(at, b);
                at += we_utf_8_encode_4_of_four_vector_16(at, c);
                at += we_utf_8_encode_4_of_four_vector_16(at, d);
                continue;
            }
            first = we_low_units_16(a, b);
            second = we_low_units_16(c, d);
        }
        const we_bytes_16 all = first | second;
        if (!we_any_of(all, we_all_u16(0xFF80))) {
            we_store_16(at, we_low_bytes_16(first, second));
            at += 16;
        } else if (!we_any_of(all, we_all_u16(0xF800))) {
            at += we_utf_8_encode_8_of_two_vector_16(at, first);
            at += we_utf_8_encode_8_of_two_vector_16(at, second);
        } else {
            const we_bytes_16 mask = we_all_u16(0xF800), surrogate = we_all_u16(0xD800);
            if (we_any_high_16(we_equal_u16(first & mask, surrogate) | we_equal_u16(second & mask, surrogate)))
                break;
            at += we_utf_8_encode_8_of_three_vector_16(at, first);
            at += we_utf_8_encode_8_of_three_vector_16(at, second);
        }
    }
    size_t last;
    const size_t read = we_utf_8_encode_loop(from, kind, left, at, 0, &last);
    *written = (size_t)(at - target) + last;
    return length - left + read;
}
