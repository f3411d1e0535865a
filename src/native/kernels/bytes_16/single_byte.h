/* Runs of the single-byte encodings over vectors of sixteen bytes: SSE2, or NEON, which has look-ups of its own.
 *
 * Each kernel must equal the handler single_byte_decode_item or single_byte_encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */

enum { WE_PATCHED = 64 };

/* Decode those bytes of a block of at most 64 whose bits are set, one by one. Return the position of the first that is
 * unmapped, or WE_PATCHED. The block was loaded before, and another thread may have written to it since, even ASCII. */
WE_ALWAYS_INLINE size_t we_single_byte_patch(const uint8_t *source, const uint16_t *table, uint16_t *target,
                                             uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1) {
        const size_t at = (size_t)__builtin_ctzll(bits);
        const uint8_t byte = source[at];
        const uint16_t code_point = byte < 0x80 ? byte : table[byte & 0x7F];
        if (code_point == 0)
            return at; /* or it is NUL, at which the caller may stop as well */
        target[at] = code_point;
    }
    return WE_PATCHED;
}

WE_SPARSE_RUN(we_single_byte_sparse_to_utf8_bytes_16, , 16, we_ascii_blocks_16, uint16_t, we_single_byte_item_to_utf8)
WE_SPARSE_RUN(we_single_byte_sparse_from_utf8_bytes_16, , 16, we_ascii_blocks_16, we_single_byte_reverse,
              we_single_byte_item_from_utf8)

/* Where A0 to FF map to themselves, so many of 64 bytes that do not are worth mapping a piece by rows. */
enum { WE_MANY_MAPPED = 4, WE_PIECE_BY_ROWS = 1024 };

#if defined(WE_HAVE_SSE2)
/* SSE2 has no byte shuffle, so only ASCII and Latin-1 are mapped sixteen at a time. */
static inline size_t we_single_byte_map_bytes_16(const uint8_t *source, size_t length, const uint8_t *map,
                                                 uint8_t *target)
{
    /* As signed numbers, the bytes that need the map are below `least`. */
    const we_bytes_16 least = we_all_u8(length >= 64 && we_single_byte_keeps_latin1(map) ? 0xA0 : 0);
    size_t i = 0;
    while (length - i >= 16) {
        const we_bytes_16 bytes = we_load_16(source + i);
        we_store_16(target + i, bytes);
        const unsigned mapped = we_bits_16(WE_BELOW_S8(bytes, least));
        if (mapped == 0) {
            i += 16;
            continue;
        }
        i += (size_t)__builtin_ctz(mapped);
        size_t count = length - i < 8 ? length - i : 8;
        size_t done = we_single_byte_map_scalar(source + i, count, map, target + i);
        i += done;
        if (done < count)
            return i;
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}

static inline size_t we_single_byte_run_to_ucs2_bytes_16(const uint8_t *source, size_t length, const uint16_t *table,
                                                         uint16_t *target)
{
    size_t i = 0;
    if (length >= WE_WORTH_A_WHOLE_TABLE) {
        uint16_t whole[256];
        we_single_byte_make_whole(whole, table);
        for (; length - i >= 16; i += 16) {
            if (we_ascii_step_to_ucs2_16(source + i, target + i) == 16)
                continue;
            if (we_single_byte_eight_to_ucs2(source + i, whole, target + i)
                | we_single_byte_eight_to_ucs2(source + i + 8, whole, target + i + 8)) {
                size_t done = we_single_byte_short_run_to_ucs2(source + i, 16, table, target + i);
                if (done < 16)
                    return i + done;
            }
        }
    }
    return i + we_single_byte_short_run_to_ucs2(source + i, length - i, table, target + i);
}

static inline size_t we_single_byte_run_from_ucs2_sse2(const uint16_t *source, size_t length,
                                                       const we_single_byte_reverse *table, uint8_t *target)
{
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        if (we_ascii_step_from_ucs2_16(source + i, target + i) == 16)
            continue;
        size_t done = we_single_byte_run_from_ucs2_scalar(source + i, 16, table, target + i);
        if (done < 16)
            return i + done;
    }
    return i + we_single_byte_run_from_ucs2_scalar(source + i, length - i, table, target + i);
}
#elif defined(WE_HAVE_NEON)
/* A table of 128 bytes. */
typedef struct {
    uint8x16x4_t half[2];
} we_byte_table_16;

WE_ALWAYS_INLINE we_byte_table_16 we_load_byte_table_16(const uint8_t *bytes)
{
    we_byte_table_16 table;
    for (int row = 0; row < 8; row++)
        table.half[row / 4].val[row % 4] = vld1q_u8(bytes + row * 16);
    return table;
}

/* What the table holds for each byte of `index` that is below 0x80; 0 for the others. */
WE_ALWAYS_INLINE we_bytes_16 we_look_up_byte_16(const we_byte_table_16 *table, we_bytes_16 index)
{
    /* Of an index that is out of range for the second half, the result of the first is kept. */
    return vqtbx4q_u8(vqtbl4q_u8(table->half[0], index), table->half[1], veorq_u8(index, vdupq_n_u8(0x40)));
}

static inline size_t we_single_byte_map_bytes_16(const uint8_t *source, size_t length, const uint8_t *map,
                                                 uint8_t *target)
{
    if (length < 32)
        return we_single_byte_map_scalar(source, length, map, target);
    we_byte_table_16 table = we_load_byte_table_16(map);
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        uint8x16_t bytes = vld1q_u8(source + i);
        uint8x16_t ascii = vcltq_u8(bytes, vdupq_n_u8(0x80));
        uint8x16_t entries =
            vorrq_u8(we_look_up_byte_16(&table, veorq_u8(bytes, vdupq_n_u8(0x80))), vandq_u8(ascii, bytes));
        vst1q_u8(target + i, entries);
        uint64_t unmapped = we_mask_16(vbicq_u8(vceqzq_u8(entries), ascii));
        if (unmapped != 0)
            return i + (size_t)__builtin_ctzll(unmapped) / 4;
    }
    return i + we_single_byte_map_scalar(source + i, length - i, map, target + i);
}

/* Not inline: within a decoder's loop GCC moves the tables between registers, which takes 1.5 times as many
 * instructions. */
static WE_NEVER_INLINE size_t we_single_byte_run_to_ucs2_bytes_16(const uint8_t *source, size_t length,
                                                                  const uint16_t *table, uint16_t *target)
{
    if (length < 32 || (source[0] >= 0x80 && table[source[0] & 0x7F] == 0))
        return we_single_byte_run_to_ucs2_scalar(source, length, table, target);
    we_byte_table_16 low, high;
    for (int row = 0; row < 8; row++) {
        uint8x16x2_t code_points = vld2q_u8((const uint8_t *)(table + row * 16));
        low.half[row / 4].val[row % 4] = code_points.val[0];
        high.half[row / 4].val[row % 4] = code_points.val[1];
    }
    size_t i = 0;
    for (; length - i >= 16; i += 16) {
        uint8x16_t bytes = vld1q_u8(source + i);
        const uint8x16_t ascii = vcltq_u8(bytes, vdupq_n_u8(0x80)), index = veorq_u8(bytes, vdupq_n_u8(0x80));
        uint8x16x2_t entries;
        entries.val[0] = vorrq_u8(we_look_up_byte_16(&low, index), vandq_u8(ascii, bytes));
        entries.val[1] = we_look_up_byte_16(&high, index);
        vst2q_u8((uint8_t *)(target + i), entries);
        uint64_t unmapped = we_mask_16(vbicq_u8(vceqzq_u8(vorrq_u8(entries.val[0], entries.val[1])), ascii));
        if (unmapped != 0)
            return i + (size_t)__builtin_ctzll(unmapped) / 4;
    }
    return i + we_single_byte_run_to_ucs2_scalar(source + i, length - i, table, target + i);
}
#endif
