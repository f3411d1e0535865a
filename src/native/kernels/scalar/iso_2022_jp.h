/* Runs within one state of ISO-2022-JP without wide vectors, and what all variants share.
 *
 * Each kernel must equal the handler iso_2022_jp_decode_item or iso_2022_jp_encode_item, on the items that it converts:
 * https://encoding.spec.whatwg.org/#iso-2022-jp-decoder and #iso-2022-jp-encoder. */
#ifndef WE_SCALAR_ISO_2022_JP_H
#define WE_SCALAR_ISO_2022_JP_H

#include "scalar/double_byte.h"

/* Whether a byte stands for itself in the states ASCII (`roman` 0) and Roman (1). */
static inline int we_iso_2022_jp_is_copied(uint32_t byte, int roman)
{
    return byte < 0x80 && byte != WE_SHIFT_OUT && byte != WE_SHIFT_IN && byte != WE_ESCAPE
           && !(roman && (byte == WE_ROMAN_YEN_SIGN || byte == WE_ROMAN_OVERLINE));
}

static inline int we_iso_2022_jp_is_digit(uint8_t byte)
{
    return byte >= WE_JIS_FIRST && byte <= WE_JIS_LAST;
}

#if defined(WE_HAVE_BYTES_16)
/* How many of sixteen bytes precede the first that does not stand for itself. */
static inline size_t we_iso_2022_jp_copied_in_16(we_bytes_16 bytes, int roman)
{
    we_bytes_16 stops = bytes | we_equal_u8(bytes, WE_ESCAPE);
    stops |= we_equal_u8(bytes | (WE_SHIFT_OUT ^ WE_SHIFT_IN), WE_SHIFT_IN);
    if (roman)
        stops |= (we_equal_u8(bytes, WE_ROMAN_YEN_SIGN) | we_equal_u8(bytes, WE_ROMAN_OVERLINE));
    return we_ascii_in_16(stops);
}
#endif

/* Copy items of the states ASCII and Roman that stand for themselves, from bytes or to bytes; return how many. */
WE_ALWAYS_INLINE size_t we_iso_2022_jp_copy(const void *source, int source_kind, size_t length, int roman, void *target,
                                            int target_kind, int vectors)
{
    size_t read = 0;
#if defined(WE_HAVE_BYTES_16)
    if (vectors) {
        for (; length - read >= 16; read += 16) {
            const void *const block = (const uint8_t *)source + (read << source_kind);
            void *const at = we_at(target, target_kind, read);
            we_bytes_16 bytes;
            if (source_kind == WE_UCS2)
                bytes = we_narrow_saturated_u16(we_load_16(block), we_load_16((const uint16_t *)block + 8));
            else if (source_kind == WE_UCS1)
                bytes = we_load_16(block);
            else if (!we_ascii_narrow_ucs4_16((const uint32_t *)block, &bytes))
                break;
            if (target_kind == WE_UCS2)
                we_widen_to_ucs2_16(bytes, (uint16_t *)at);
            else if (target_kind == WE_UCS4)
                we_widen_to_ucs4_16(bytes, (uint32_t *)at);
            else
                we_store_16(at, bytes);
            const size_t copied = we_iso_2022_jp_copied_in_16(bytes, roman);
            if (copied < 16)
                return read + copied;
        }
    }
#endif
    (void)vectors;
    for (; read < length; read++) {
        const uint32_t unit = we_unit_get(source, source_kind, read);
        if (!we_iso_2022_jp_is_copied(unit, roman))
            break;
        we_unit_put(target, target_kind, read, unit);
    }
    return read;
}

/* ---- Decoding ---- */

/* Decode pairs of the state leading byte; return the bytes read. */
WE_ALWAYS_INLINE size_t we_iso_2022_jp_decode_pairs_scalar(const uint8_t *source, size_t length, const uint16_t *pairs,
                                                           int kind, void *target, size_t *written)
{
    size_t read = 0, out = 0;
    for (; length - read >= 2; read += 2) {
        uint8_t leading = source[read], trailing = source[read + 1];
        uint16_t unit = we_iso_2022_jp_is_digit(leading) && we_iso_2022_jp_is_digit(trailing)
                            ? pairs[leading << 8 | trailing | 0x80]
                            : 0;
        if (unit == 0)
            break;
        out += we_put(target, kind, out, unit);
    }
    *written = out;
    return read;
}

/* ---- Encoding ---- */

/* The pair of a code unit in the state jis0208, in memory order; 0 if it has none, or only after a conversion as
 * half-width katakana have, whose first byte in EUC-JP is 8E. */
static inline uint16_t we_iso_2022_jp_pair(uint32_t unit, const uint16_t *reverse)
{
    uint16_t pair = unit > 0xFFFF ? 0 : reverse[unit];
    return pair > 0xFF && (pair & 0xFF) >= (0x80 | WE_JIS_FIRST) ? pair & 0x7F7F : 0;
}

/* Encode units of the state jis0208; return how many, each of two bytes. */
WE_ALWAYS_INLINE size_t we_iso_2022_jp_encode_pairs_scalar(const void *source, int kind, size_t length,
                                                           const uint16_t *reverse, uint8_t *target)
{
    size_t read = 0;
    for (; read < length; read++) {
        uint16_t pair = we_iso_2022_jp_pair(we_unit_get(source, kind, read), reverse);
        if (pair == 0)
            break;
        we_store_pair(target + 2 * read, pair);
    }
    return read;
}

#endif
