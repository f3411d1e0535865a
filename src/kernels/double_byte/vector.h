/* Decoding runs of two-byte characters by the blocks of a level: vector_16.h and avx2.h each include this, for their
 * WE_LEVEL, after their we_double_byte_blocks. scalar.h describes a run. */

/* Decode to UTF-8 in pieces: dense ones through units on the stack, which are encoded together; those of which less
 * than a third is not ASCII by the plain run, which copies ASCII. A page that is read for the first time takes 0.65 to
 * 0.95 of the time thus, one that is repeated, so that all branches are predicted, 0.8 to 1.08. Return the bytes read;
 * some may be left. */
WE_PAIRS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_double_byte_pieces)(const uint8_t *source, size_t length,
                                                                          const uint16_t *pairs, int katakana,
                                                                          uint8_t *target, size_t *written)
{
    enum { PIECE = 1024, PIECE_ASKS = PIECE + 8 };
    uint16_t units[PIECE];
    size_t read = 0, out = 0, piece, count;
    do {
        if (length - read < PIECE_ASKS)
            break;
        const uint8_t *const from = source + read;
        if (we_non_ascii_count_ucs1_bytes_16(from, PIECE) < PIECE / 3) {
            piece = we_double_byte_decode_loop(from, PIECE, pairs, katakana, 1, WE_UTF8, target + out, &count);
        } else {
            piece = WE_AT_LEVEL(we_double_byte_blocks)(from, PIECE_ASKS, pairs, katakana, WE_UCS2, units, &count);
            /* May write up to eight bytes beyond its output, for which the seven bytes of source that are left bring
             * the capacity. */
            WE_AT_LEVEL(we_utf_8_encode)(units, WE_UCS2, count, target + out, &count);
        }
        read += piece;
        out += count;
    } while (piece >= PIECE - 1); /* the plain run leaves a leading byte that is the last of a piece */
    *written = out;
    return read;
}

/* The run: blocks or pieces, and the rest. */
WE_PAIRS_INLINE WE_LEVEL_TARGET size_t WE_AT_LEVEL(we_double_byte_run)(const uint8_t *source, size_t length,
                                                                       const uint16_t *pairs, int katakana, int kind,
                                                                       void *target, size_t *written)
{
    size_t out, more;
    size_t read = kind == WE_UTF8
                      ? WE_AT_LEVEL(we_double_byte_pieces)(source, length, pairs, katakana, (uint8_t *)target, &out)
                      : WE_AT_LEVEL(we_double_byte_blocks)(source, length, pairs, katakana, kind, target, &out);
    read += we_double_byte_decode_loop(source + read, length - read, pairs, katakana, 1, kind, we_at(target, kind, out),
                                       &more);
    *written = out + more;
    return read;
}
