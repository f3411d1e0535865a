/* The kernels of each shape of encoding, by the kind of text that they write or read. A handler's kernel is one of
 * these functions with its tables; `kind` is a constant wherever it is inlined, which leaves one call. */
#ifndef WE_DISPATCH_H
#define WE_DISPATCH_H

#include "ascii.h"
#include "double_byte.h"
#include "iso_2022_jp.h"
#include "single_byte.h"
#include "utf_16.h"
#include "utf_32.h"
#include "utf_8.h"
#include "whole_byte.h"

/* ---- Decoders ---- */

/* Of bytes that give a unit each, those that fit. */
WE_ALWAYS_INLINE size_t we_that_fit(int kind, size_t length, const size_t *written)
{
    const size_t room = we_room(kind, written);
    return length < room ? length : room;
}

/* ASCII, pairs of bytes, and half-width katakana if `katakana`; to UCS-1, ASCII alone. */
WE_ALWAYS_INLINE size_t we_double_byte_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                              const uint16_t *pairs, int katakana, void *target, size_t *written)
{
    if (kind == WE_UCS1)
        return *written = we_ascii_run_to_ucs1(run->simd, source, length, (uint8_t *)target);
    return katakana ? WE_TO_KIND(kind, we_katakana_run_to, run->simd, source, length, pairs, target, written)
                    : WE_TO_KIND(kind, we_double_byte_run_to, run->simd, source, length, pairs, target, written);
}

WE_ALWAYS_INLINE size_t we_iso_2022_jp_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                              const uint16_t *pairs, void *target, size_t *written)
{
    return we_iso_2022_jp_run_to(run->simd, kind, source, length, pairs, target, written, &run->state);
}

WE_ALWAYS_INLINE size_t we_single_byte_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                              void *target, size_t *written)
{
    const we_single_byte_tables *const tables = (const we_single_byte_tables *)run->tables;
    length = we_that_fit(kind, length, written);
    if (kind == WE_UCS1)
        return *written = we_single_byte_run_to_ucs1(run->simd, source, length, tables->latin1, (uint8_t *)target,
                                                     run->max_code_point);
    if (kind == WE_UCS4)
        return *written = we_single_byte_run_to_ucs4(run->simd, source, length, tables, (uint32_t *)target);
    size_t read;
    if (kind == WE_UTF8)
        read = we_single_byte_run_to_utf8(run->simd, source, length, tables, (uint8_t *)target, written, NULL);
    else
        read = *written =
            we_single_byte_run_to_ucs2(run->simd, source, length, tables->index, &tables->vectors, (uint16_t *)target);
    if (read == length || run->error_mode != WE_REPLACE)
        return read;
    /* From the first error on the kernel replaces errors: a long series of them would be slow one by one. */
    if (kind == WE_UTF8) {
        size_t more;
        read += we_single_byte_run_to_utf8(run->simd, source + read, length - read, tables,
                                           (uint8_t *)target + *written, &more, &run->error_count);
        *written += more;
        return read;
    }
    uint16_t *const units = (uint16_t *)target + read;
    const size_t rest =
        we_single_byte_run_to_ucs2(run->simd, source + read, length - read, tables->replaced, &tables->vectors, units);
    run->error_count += we_replacement_character_count_ucs2(run->simd, units, rest);
    return *written = read + rest;
}

/* To UTF-8, valid sequences are copied. After an error little but ASCII is likely before the next one, and a run of
 * ASCII starts faster. */
WE_ALWAYS_INLINE size_t we_utf_8_decode(we_decode_run *run, int kind, int after_error, const uint8_t *source,
                                        size_t length, void *target, size_t *written)
{
    if (kind == WE_UTF8)
        return *written = we_utf_8_copy_run(run->simd, source, length, (uint8_t *)target);
    if (kind == WE_UCS1)
        return we_utf_8_run_to_ucs1(run->simd, source, length, (uint8_t *)target, written, run->max_code_point);
    const size_t fits = we_that_fit(kind, length, written);
    if (kind == WE_UCS2)
        return after_error ? (*written = we_ascii_run_to_ucs2(run->simd, source, fits, (uint16_t *)target))
                           : we_utf_8_run_to_ucs2(run->simd, source, length, (uint16_t *)target, written);
    return after_error ? (*written = we_ascii_run_to_ucs4(run->simd, source, fits, (uint32_t *)target))
                       : we_utf_8_run_to_ucs4(run->simd, source, length, (uint32_t *)target, written);
}

WE_ALWAYS_INLINE size_t we_utf_16_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                         int big_endian, void *target, size_t *written)
{
    const size_t room = we_room(kind, written);
    length = length / 2 < room ? length : room * 2; /* two bytes give a unit at least */
    if (kind == WE_UCS1)
        return we_utf_16_run_to_ucs1(run->simd, source, length, big_endian, (uint8_t *)target, written,
                                     run->max_code_point);
    if (kind == WE_UCS2)
        return we_utf_16_run_to_ucs2(run->simd, source, length, big_endian, (uint16_t *)target, written);
    if (kind == WE_UCS4)
        return we_utf_16_run_to_ucs4(run->simd, source, length, big_endian, (uint32_t *)target, written);
    return we_utf_16_run_to_utf8(run->simd, source, length, big_endian, (uint8_t *)target, written);
}

WE_ALWAYS_INLINE size_t we_utf_32_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                         int big_endian, void *target, size_t *written)
{
    const size_t room = we_room(kind, written);
    length = length / 4 < room ? length : room * 4;
    return we_utf_32_run_to(kind, source, length, big_endian, target, run->max_code_point, written);
}

WE_ALWAYS_INLINE size_t we_whole_byte_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                             void *target, size_t *written)
{
    return we_whole_byte_run_to(kind, source, we_that_fit(kind, length, written),
                                ((const we_whole_byte_tables *)run->tables)->index, target, run->max_code_point,
                                written);
}

/* ---- Encoders ---- */

WE_ALWAYS_INLINE size_t we_double_byte_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                              const uint16_t *reverse, uint8_t *target, size_t *written)
{
    return WE_FROM_KIND(kind, we_double_byte_run_from, run->simd, source, length, reverse, target, written);
}

WE_ALWAYS_INLINE size_t we_iso_2022_jp_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                              const uint16_t *reverse, uint8_t *target, size_t *written)
{
    return we_iso_2022_jp_run_from(run->simd, kind, source, length, reverse, target, written, &run->state);
}

WE_ALWAYS_INLINE size_t we_single_byte_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                              uint8_t *target, size_t *written)
{
    const we_single_byte_reverse *const reverse = &((const we_single_byte_tables *)run->tables)->reverse;
    return *written = WE_FROM_KIND(kind, we_single_byte_run_from, run->simd, source, length, reverse, target);
}

WE_ALWAYS_INLINE size_t we_utf_8_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                        uint8_t *target, size_t *written)
{
    return WE_FROM_KIND(kind, we_utf_8_run_from, run->simd, source, length, target, written);
}

WE_ALWAYS_INLINE size_t we_utf_32_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                         int big_endian, uint8_t *target, size_t *written)
{
    const size_t read = we_utf_32_run_from(kind, source, length, big_endian, target);
    (void)run;
    *written = 4 * read;
    return read;
}

WE_ALWAYS_INLINE size_t we_whole_byte_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                             uint8_t *target, size_t *written)
{
    const we_single_byte_reverse *const reverse = &((const we_whole_byte_tables *)run->tables)->reverse;
    return *written = we_whole_byte_run_from(kind, source, length, reverse, target);
}

#endif
