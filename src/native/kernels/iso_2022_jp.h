/* Runs of ISO-2022-JP through its states: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder and
 * #iso-2022-jp-encoder.
 *
 * Index jis0208 is looked up in EUC-JP's tables, where it has the same bytes with their high bits set. A run converts
 * well-formed text, escape sequences included, and stops before the first item that needs a decision: an error, an
 * incomplete sequence, a code point that is not in the index, the special characters of the state Roman.
 */
#ifndef WE_ISO_2022_JP_H
#define WE_ISO_2022_JP_H

#include "levels.h"

/* ---- Decoding ---- */

/* The state that an escape sequence selects; -1 if the three bytes are none. */
static inline int we_iso_2022_jp_escaped(const uint8_t *source)
{
    if (source[0] != WE_ESCAPE)
        return -1;
    switch (source[1] << 8 | source[2]) {
    case WE_ESCAPE_TO_ASCII:
        return WE_ISO_2022_JP_ASCII;
    case WE_ESCAPE_TO_ROMAN:
        return WE_ISO_2022_JP_ROMAN;
    case WE_ESCAPE_TO_KATAKANA:
        return WE_ISO_2022_JP_KATAKANA;
    case WE_ESCAPE_TO_JIS0208:
    case WE_ESCAPE_TO_JIS0208_OF_1978:
        return WE_ISO_2022_JP_LEADING_BYTE;
    default:
        return -1;
    }
}

/* Decode from state to state, with `kind` a constant. Capacity: as for the runs of double_byte.h; an escape
 * sequence takes none. */
WE_ALWAYS_INLINE size_t we_iso_2022_jp_run_to(int simd, int kind, const uint8_t *source, size_t length,
                                              const uint16_t *pairs, void *target, size_t *written,
                                              we_decoder_state *run)
{
    /* Bytes. Blocks that begin 95 bytes before the end would take 1.6 of the time, 271 before it as long. An attempt
     * follows as many bytes decoded here: near errors, katakana and yen signs it would fail, and malformed text with an
     * error every 34 bytes took 5 times as long. */
    enum { WORTH_BLOCKS = 256, BEFORE_ATTEMPT = 128 };
    const size_t room = we_room(kind, written);
    size_t read = 0, out = 0, attempt = BEFORE_ATTEMPT;
    for (;;) {
        if ((kind == WE_UCS2 || kind == WE_UCS4) && read >= attempt && length - read >= WORTH_BLOCKS) {
            size_t in_blocks = room - out;
            read += we_iso_2022_jp_blocks_to(simd, kind, source + read, length - read, pairs, we_at(target, kind, out),
                                             &in_blocks, run);
            out += in_blocks;
            attempt = read + BEFORE_ATTEMPT;
        }
        const uint8_t *from = source + read;
        size_t rest = length - read, step = 0, more = 0, left = room - out;
        int state = run->iso_2022_jp_decoder_output_state, roman = state == WE_ISO_2022_JP_ROMAN;
        /* A single character between two escape sequences is not worth a vector. */
        if (rest > 2 && (from[1] == WE_ESCAPE || from[2] == WE_ESCAPE))
            rest = 2;
        if (state == WE_ISO_2022_JP_LEADING_BYTE ? rest / 2 > left : rest > left)
            rest = state == WE_ISO_2022_JP_LEADING_BYTE ? left * 2 : left;
        const int level = rest > 2 ? simd : WE_SIMD_SCALAR;
        if (state == WE_ISO_2022_JP_LEADING_BYTE && kind != WE_UCS1) {
            step = WE_TO_KIND(kind, we_iso_2022_jp_pairs_to, level, from, rest, pairs, we_at(target, kind, out), &more);
        } else if (state == WE_ISO_2022_JP_ASCII || roman) {
            step = more =
                we_iso_2022_jp_copy(from, WE_UCS1, rest, roman, we_at(target, kind, out), kind, level > WE_SIMD_SCALAR);
        }
        read += step;
        out += more;
        if (step != 0)
            run->iso_2022_jp_output = 0;
        int escaped = length - read >= 3 ? we_iso_2022_jp_escaped(source + read) : -1;
        if (escaped == -1 || run->iso_2022_jp_output)
            break; /* an escape sequence right after another is an error */
        run->iso_2022_jp_decoder_output_state = (uint8_t)escaped;
        run->iso_2022_jp_output = 1;
        read += 3;
    }
    *written = out;
    return read;
}

/* ---- Encoding ---- */

/* Write an escape sequence, one of WE_ESCAPE_TO_*; return its length. */
static inline size_t we_iso_2022_jp_put_escape(uint8_t *target, int escape)
{
    target[0] = WE_ESCAPE;
    target[1] = (uint8_t)(escape >> 8);
    target[2] = (uint8_t)escape;
    return 3;
}

/* Encode from state to state, with `kind` a constant. Capacity: five bytes for each unit and WE_ENCODE_SLACK more. The
 * unit that decides on an escape sequence is read once and encoded after it: if another thread writes to the source, a
 * unit read again might need another one. */
WE_ALWAYS_INLINE size_t we_iso_2022_jp_run_from(int simd, int kind, const void *source, size_t length,
                                                const uint16_t *reverse, uint8_t *target, size_t *written,
                                                we_encoder_state *run)
{
    size_t read = 0, out = 0;
    while (read < length) {
        const uint32_t first = we_unit_get(source, kind, read);
        const void *from = (const uint8_t *)source + ((read + 1) << kind);
        size_t rest = length - read - 1, step;
        int state = run->iso_2022_jp_encoder_state, roman = state == WE_ISO_2022_JP_ROMAN;
        if (we_iso_2022_jp_is_copied(first, roman)) {
            if (state == WE_ISO_2022_JP_JIS0208) {
                run->iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII;
                out += we_iso_2022_jp_put_escape(target + out, WE_ESCAPE_TO_ASCII);
            }
            target[out++] = (uint8_t)first;
            step = we_iso_2022_jp_copy(from, kind, rest, roman, target + out, WE_UCS1, simd > WE_SIMD_SCALAR);
            out += step;
        } else {
            const uint16_t pair = first < 0x80 ? 0 : we_iso_2022_jp_pair(first, reverse);
            if (pair == 0)
                break;
            if (rest > 0 && we_unit_get(from, kind, 0) < 0x80)
                rest = 0; /* not worth a vector */
            if (state != WE_ISO_2022_JP_JIS0208) {
                run->iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208;
                out += we_iso_2022_jp_put_escape(target + out, WE_ESCAPE_TO_JIS0208);
            }
            we_store_pair(target + out, pair);
            out += 2;
            step = WE_FROM_KIND(kind, we_iso_2022_jp_pairs_from, rest > 1 ? simd : WE_SIMD_SCALAR, from, rest, reverse,
                                target + out);
            out += 2 * step;
        }
        read += 1 + step;
    }
    *written = out;
    return read;
}

#endif
