/* Decoding ISO-2022-JP with AVX2, in blocks of 64 bytes, escape sequences included.
 *
 * Each kernel must equal the handler iso_2022_jp_decode_item: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder.
 *
 * In Japanese text half of the runs between escape sequences are shorter than 24 bytes, in markup shorter than nine. So
 * no branch depends on where they are: the states of a block's bytes follow from the positions of all its sequences at
 * once, and then it is a block of EUC-JP from which escape sequences are compressed away as trailing bytes are. Blocks
 * that are not well-formed, or have half-width katakana or a special character of the state Roman, are left to the
 * scalar run.
 *
 * Compared with runs from sequence to sequence, text that does not repeat takes 0.85 of the time in parts of 20 KB and
 * more, pages 0.85 to 0.97, and parts of 1 KB as much. UTF-8 and vectors of sixteen bytes are left to those runs, since
 * pages took longer in both. */

/* What one block leaves to the next. The bits are of the first bytes of the next block. */
typedef struct {
    uint64_t in_pairs;    /* 1: the state is leading byte */
    uint64_t is_roman;    /* 1: the state is Roman; arbitrary if it is leading byte */
    uint64_t is_trailing; /* bit 0: the first byte is the trailing byte of a pair */
    uint64_t escape;      /* bits 0 and 1: bytes of an escape sequence */
    uint64_t no_escape;   /* bits 0 to 2: an escape sequence would directly follow another, which is an error */
} we_iso_2022_jp_place;

typedef struct {
    we_pair_block pairs;
    we_iso_2022_jp_place end;
    uint16_t keys[32];
} we_iso_2022_jp_block;

/* Find the states, the pairs and their keys of the block that begins at `start`, and where it ends; return whether it
 * is decoded here, as far as it shows before the look-ups. Reads two bytes after it. The block's own bytes are read a
 * second time, but only to recognize escape sequences, so that what was checked is what is looked up.
 *
 * A byte that is no digit of a pair, as the escape that follows a leading byte, is left to the look-ups: with its high
 * bit it is in no pair of EUC-JP, unless it is 0E, or has that bit itself. */
WE_INLINE_32 int we_iso_2022_jp_find(const uint8_t *source, we_iso_2022_jp_place start, we_iso_2022_jp_block *result)
{
    enum { VECTORS = 64 / WE_WIDTH };
    we_pair_block *const block = &result->pairs;
    we_iso_2022_jp_place *const end = &result->end;
    we_vector escapes[VECTORS], stops = we_all_u8(0), any_escape = we_all_u8(0), any_to_roman = we_all_u8(0);
    for (int i = 0; i < VECTORS; i++) {
        const we_vector bytes = block->bytes[i] = we_load(source + i * WE_WIDTH);
        any_escape |= escapes[i] = we_equal_u8(bytes, WE_ESCAPE);
        stops |= bytes | we_equal_u8(bytes | (WE_SHIFT_OUT ^ WE_SHIFT_IN), WE_SHIFT_IN);
    }
    if ((start.in_pairs | start.is_roman | start.escape) == 0 && !we_any_high(stops | any_escape)) {
        block->leading = block->trailing = 0;
        *end = (we_iso_2022_jp_place){0};
        return 1;
    }
    we_vector to_pairs[VECTORS], to_single[VECTORS], to_roman[VECTORS];
    for (int i = 0; i < VECTORS; i++) {
        const we_vector second = we_load(source + i * WE_WIDTH + 1), third = we_load(source + i * WE_WIDTH + 2);
        const we_vector is_ascii = we_equal_u8(third, WE_ESCAPE_TO_ASCII & 0xFF); /* or, after `$`, jis0208 */
        const we_vector is_roman = we_equal_u8(third, WE_ESCAPE_TO_ROMAN & 0xFF);
        to_pairs[i] = escapes[i] & we_equal_u8(second, WE_ESCAPE_TO_JIS0208 >> 8)
                      & (is_ascii | we_equal_u8(third, WE_ESCAPE_TO_JIS0208_OF_1978 & 0xFF));
        to_single[i] = escapes[i] & we_equal_u8(second, WE_ESCAPE_TO_ASCII >> 8) & (is_ascii | is_roman);
        any_to_roman |= to_roman[i] = to_single[i] & is_roman;
        stops |= escapes[i] ^ to_pairs[i] ^ to_single[i];
    }
    const uint64_t first = we_bits_of_64(to_pairs), last = we_bits_of_64(to_single), both = first | last;
    const uint64_t escape = both | both << 1 | both << 2 | start.escape;
    /* Each difference of two powers of two has the bits from one to the other. A sequence that repeats the state
     * changes its own bit alone, which is skipped. */
    const uint64_t in_pairs = last - first - start.in_pairs;
    uint64_t wrong = both & (both << 3 | start.no_escape);
    block->leading = we_leading_bytes_of(in_pairs & ~escape & ~start.is_trailing);
    block->trailing = block->leading << 1 | start.is_trailing | escape;
    const uint8_t after = source[64];
    block->bytes[VECTORS] = we_all_u8(after);
    wrong |= block->leading >> 63 & after >> 7;
    end->is_roman = 0;
    if (start.is_roman || we_any_high(any_to_roman)) {
        const uint64_t roman = we_bits_of_64(to_roman);
        for (int i = 0; i < VECTORS; i++)
            to_roman[i] =
                we_equal_u8(block->bytes[i], WE_ROMAN_YEN_SIGN) | we_equal_u8(block->bytes[i], WE_ROMAN_OVERLINE);
        wrong |= we_bits_of_64(to_roman) & ~in_pairs & ~escape;
        end->is_roman = last == 0 ? start.is_roman : roman > (last & ~roman);
    }
    for (int i = 0; i < VECTORS; i++)
        we_store(result->keys + i * WE_WIDTH / 2,
                 we_pair_keys(block, we_all_u64(block->leading), i) | we_all_u16(0x0080));
    end->in_pairs = (first | (in_pairs & ~last)) >> 63;
    end->is_trailing = block->leading >> 63;
    end->escape = both >> 62 | both >> 63;
    end->no_escape = both >> 61;
    return wrong == 0 && !we_any_high(stops);
}

/* Decode whole blocks; `kind` is UCS2 or UCS4. Return the bytes read, and stop before a block that is left to the
 * scalar run or has a pair without an entry, or where fewer bytes or units are left than a block needs. Capacity: as
 * for we_double_byte_blocks. To find a block takes long from its load to its keys, but hardly waits for the block
 * before: several are found before their pairs are looked up. */
WE_INLINE_32 size_t we_iso_2022_jp_blocks_avx2(const uint8_t *source, size_t length, const uint16_t *pairs, int kind,
                                               void *target, size_t *written, we_decoder_state *run)
{
    enum { BLOCK = 64, TOGETHER = 8 };
    we_iso_2022_jp_block blocks[TOGETHER];
    const size_t room = *written;
    const int state = run->iso_2022_jp_decoder_output_state;
    we_iso_2022_jp_place place = {.in_pairs = state == WE_ISO_2022_JP_LEADING_BYTE,
                                  .is_roman = state == WE_ISO_2022_JP_ROMAN,
                                  .no_escape = run->iso_2022_jp_output};
    size_t read = 0, out = 0, count, put;
    *written = 0;
    if (state == WE_ISO_2022_JP_KATAKANA)
        return 0;
    do {
        size_t most = we_pair_blocks_in(length - read, room - out);
        most = most < TOGETHER ? most : TOGETHER;
        for (count = 0; count < most; count++)
            if (!we_iso_2022_jp_find(source + read + count * BLOCK, count ? blocks[count - 1].end : place,
                                     &blocks[count]))
                break;
        for (put = 0; put < count; put++) {
            const we_iso_2022_jp_block *const block = &blocks[put];
            void *const to = we_at(target, kind, out);
            if ((block->pairs.leading | block->pairs.trailing) == 0) {
                we_put_ascii_block(to, kind, &block->pairs, 0);
                out += BLOCK;
            } else {
                const uint64_t sizes = we_running_sizes(~block->pairs.trailing);
                if (!we_put_block(to, kind, &block->pairs, pairs, block->keys, 0, sizes))
                    break;
                out += we_size_before(sizes, 8) / 2;
            }
            place = block->end;
        }
        read += put * BLOCK;
    } while (put == TOGETHER);
    *written = out;
    if (read == 0)
        return 0;
    run->iso_2022_jp_decoder_output_state = place.in_pairs   ? WE_ISO_2022_JP_LEADING_BYTE
                                            : place.is_roman ? WE_ISO_2022_JP_ROMAN
                                                             : WE_ISO_2022_JP_ASCII;
    run->iso_2022_jp_output = place.no_escape != 0;
    return read + place.is_trailing + (place.escape & 1) + (place.escape >> 1);
}

WE_TARGET_AVX2 static inline size_t we_iso_2022_jp_blocks_to_ucs2_avx2(const uint8_t *source, size_t length,
                                                                       const uint16_t *pairs, uint16_t *target,
                                                                       size_t *written, we_decoder_state *run)
{
    return we_iso_2022_jp_blocks_avx2(source, length, pairs, WE_UCS2, target, written, run);
}

WE_TARGET_AVX2 static inline size_t we_iso_2022_jp_blocks_to_ucs4_avx2(const uint8_t *source, size_t length,
                                                                       const uint16_t *pairs, uint32_t *target,
                                                                       size_t *written, we_decoder_state *run)
{
    return we_iso_2022_jp_blocks_avx2(source, length, pairs, WE_UCS4, target, written, run);
}
