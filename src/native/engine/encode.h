/* The engine's encoder: text of any kind to bytes of any encoding, in chunks of any length, into targets of any
 * capacity. */
#ifndef WE_ENGINE_ENCODE_H
#define WE_ENGINE_ENCODE_H

#include "decode.h"
#include "engine.h"
#include "error_policy.h"
#include "single_byte.h"
#include "utf_16.h"

/* The state of a stream. The members are the engine's own but for those that say "read". */
typedef struct {
    const we_engine *engine;
    const we_codec *codec;
    /* read: references since the stream began, of any kind of text but that of a str; kept at its end until the next
     * call */
    uint64_t reference_count;
    uint32_t code_point;             /* read: of the error that was returned last */
    uint16_t high_surrogate;         /* pending, with nothing else; 0: none is */
    uint8_t pending[WE_MAX_PENDING]; /* the start of a UTF-8 sequence */
    uint8_t pending_length;
    we_encoder_state state;
    uint8_t error_mode; /* of we_error_mode: from the flags, but a caller may set another one */
    uint8_t ended;      /* the next call begins a new stream */
} we_encoder;

/* Bytes that a loop may write beyond encode_capacity for each unit, and a reference after them. */
enum { WE_ENCODE_RESERVE = WE_ENCODE_SLACK + WE_MAX_REFERENCE, WE_FEW_UNITS = 32, WE_UTF8_BLOCK = 2048 };

/* Begin a stream with a codec that has an encoder. */
static inline void we_encoder_init(we_encoder *encoder, const we_engine *engine, const we_codec *codec, unsigned flags)
{
    memset(encoder, 0, sizeof *encoder);
    encoder->engine = engine;
    encoder->codec = codec;
    encoder->error_mode = flags & WE_FATAL ? WE_STOP : WE_REPLACE;
}

/* Return an upper bound on the bytes for source_length more units, including the end of the stream but no references;
 * SIZE_MAX if it exceeds a size_t. */
static inline size_t we_encoder_max_length(const we_encoder *encoder, size_t source_length, int unit_size)
{
    /* A byte of UTF-8 that is malformed gives U+FFFD, so it counts as a UTF-16 unit does; surrogates are no more
     * than that, either. */
    const size_t per_unit = encoder->codec->encode_capacity[unit_size == 4 ? WE_UCS4 : WE_UCS2];
    const size_t pending = encoder->pending_length + (encoder->high_surrogate != 0);
    return we_bound(source_length, per_unit, pending * per_unit + WE_ENCODE_SLACK);
}

/* Return the same including references. A reference takes at most 10 bytes, and at most 8 for each unit of UTF-16 or
 * UTF-8 ("&#65533;" for one unit). No code point that is encoded takes more than 8: two bytes of ISO-2022-JP, with the
 * escape sequences before and after them. UTF-8 encodes every code point. */
static inline size_t we_encoder_max_length_with_references(const we_encoder *encoder, size_t source_length,
                                                           int unit_size)
{
    const size_t per_unit = unit_size == 4 ? WE_MAX_REFERENCE : WE_MAX_REFERENCE_PER_UNIT;
    const size_t pending = encoder->pending_length + (encoder->high_surrogate != 0);
    if (encoder->codec == we_utf_8_codec(encoder->engine))
        return we_encoder_max_length(encoder, source_length, unit_size);
    return we_bound(source_length, per_unit, pending * per_unit + WE_ENCODE_SLACK);
}

static inline const void *we_units_at(const void *source, int kind, size_t position)
{
    return (const uint8_t *)source + position * we_unit_size(kind);
}

/* Write a reference in a single-byte code page in which ASCII stands elsewhere, at most WE_MAX_REFERENCE bytes: it has
 * all characters of one. */
static WE_NEVER_INLINE void we_put_encoded_reference(const we_encoder *encoder, uint32_t code_point, uint8_t *target,
                                                     size_t *written)
{
    uint8_t reference[WE_MAX_REFERENCE];
    we_encode_run run;
    we_encode_run_init(&run, encoder->codec, encoder->engine->simd, WE_STOP);
    run.source = reference;
    run.source_length = we_put_reference(reference, code_point);
    run.target = target;
    run.written = *written;
    run.end_of_queue = 0;
    encoder->codec->encode[WE_UCS1](&run);
    *written = run.written;
}

/* Write the replacement of the encoder's mode for the error that a loop has returned, at most WE_MAX_REFERENCE
 * bytes. Return whether the mode has one. It is ASCII, valid in the states in which loops return errors (ASCII and
 * Roman), except for the byte of surrogateescape, which is written as it is. */
static inline int we_replace_unmappable(const we_encoder *encoder, int kind, const we_encode_run *run, uint8_t *target,
                                        size_t *written)
{
    /* The code point of the error may be U+FFFD instead of the unit that was read. */
    const uint32_t unit = we_unit_get(run->source, kind, run->read - 1);
    switch (encoder->error_mode) {
    case WE_REPLACE:
        /* Surrogates are left to the caller, which knows the units beside them. */
        if (we_is_surrogate(run->code_point))
            return 0;
        if (encoder->codec->tables != NULL && !encoder->codec->is_ascii_compatible) {
            we_put_encoded_reference(encoder, run->code_point, target, written);
            return 1;
        }
        *written += we_put_reference(target + *written, run->code_point);
        return 1;
    case WE_REFERENCE_REPLACE:
        *written += we_put_reference(target + *written, unit);
        return 1;
    case WE_BACKSLASH_REPLACE:
        /* Roman has no backslash. */
        if (run->state.iso_2022_jp_encoder_state != WE_ISO_2022_JP_ASCII)
            return 0;
        *written += we_put_escape(target + *written, unit);
        return 1;
    case WE_SURROGATE_ESCAPE:
        if (unit < 0xDC80 || unit > 0xDCFF)
            return 0;
        target[(*written)++] = (uint8_t)(unit - 0xDC00);
        return 1;
    default:
        return 0;
    }
}

/* Encode at most WE_FEW_UNITS units through a scratch buffer, which gives the exact number of their bytes. Stop after
 * the first error. WE_OUTPUT_FULL: not even one fits; nothing has changed. */
static WE_NEVER_INLINE we_result we_encode_few(we_encoder *encoder, int kind, we_encode_run *run, const void *source,
                                               size_t length, size_t *position, we_buffers *buffers)
{
    /* No codec takes more than five bytes for a unit (encode_capacity). */
    uint8_t scratch[WE_FEW_UNITS * 8 + WE_ENCODE_RESERVE];
    size_t offer = length - *position < WE_FEW_UNITS ? length - *position : WE_FEW_UNITS;
    for (; offer != 0; offer /= 2) {
        we_encode_run trial = *run;
        trial.source = we_units_at(source, kind, *position);
        trial.source_length = offer;
        trial.read = trial.written = 0;
        trial.target = scratch;
        trial.end_of_queue = 0;
        const we_result result = encoder->codec->encode[kind](&trial);
        const int replaced =
            result == WE_UNMAPPABLE && we_replace_unmappable(encoder, kind, &trial, scratch, &trial.written);
        if (trial.written > buffers->capacity - buffers->written)
            continue;
        if (trial.written != 0)
            memcpy((uint8_t *)buffers->target + buffers->written, scratch, trial.written);
        buffers->written += trial.written;
        *position += trial.read;
        run->state = trial.state;
        run->code_point = trial.code_point;
        run->after_error = result == WE_UNMAPPABLE;
        encoder->reference_count += (uint64_t)replaced;
        return replaced ? WE_INPUT_EMPTY : result;
    }
    return WE_OUTPUT_FULL;
}

/* Replace surrogates, which are errors for every encoder, from source[*position] on, directly after what the run read.
 */
static WE_NEVER_INLINE void we_replace_surrogates(const we_encoder *encoder, int kind, we_encode_run *run,
                                                  size_t length, size_t *position, we_buffers *buffers)
{
    while (*position < length && buffers->capacity - buffers->written >= WE_MAX_REFERENCE) {
        run->code_point = we_unit_get(run->source, kind, run->read++);
        if (!we_is_surrogate(run->code_point)
            || !we_replace_unmappable(encoder, kind, run, (uint8_t *)buffers->target, &buffers->written))
            break;
        *position += 1;
    }
}

/* Encode units of WE_UCS1, WE_UCS2 or WE_UCS4 from source[*position] on.
 * WE_INPUT_EMPTY: all were read. WE_UNMAPPABLE: one with WE_FATAL, or a surrogate; it was read. WE_OUTPUT_FULL. */
static inline we_result we_encode_units(we_encoder *encoder, int kind, we_encode_run *run, const void *source,
                                        size_t length, size_t *position, we_buffers *buffers)
{
    const we_codec *codec = encoder->codec;
    const size_t per_unit = codec->encode_capacity[kind];
    size_t fits = 0;
    while (*position < length) {
        const size_t remaining = length - *position;
        size_t left = buffers->capacity - buffers->written;
        /* A lower bound on the units that fit: a division for each error would take as long as its reference. */
        if (fits < remaining && fits < WE_LEAST_OFFER) {
            left = left > WE_ENCODE_RESERVE ? left - WE_ENCODE_RESERVE : 0;
            fits = remaining <= SIZE_MAX / 8 && remaining * per_unit <= left ? remaining : left / per_unit;
            if (fits < remaining && fits < WE_LEAST_OFFER) {
                if (!buffers->exact)
                    return WE_OUTPUT_FULL;
                const we_result result = we_encode_few(encoder, kind, run, source, length, position, buffers);
                fits = 0;
                if (result != WE_INPUT_EMPTY)
                    return result;
                continue;
            }
        }
        run->source = we_units_at(source, kind, *position);
        run->source_length = fits < remaining ? fits : remaining;
        run->read = 0;
        run->target = (uint8_t *)buffers->target;
        run->written = buffers->written;
        run->end_of_queue = 0;
        const we_result result = codec->encode[kind](run);
        *position += run->read;
        buffers->written = run->written;
        run->after_error = result == WE_UNMAPPABLE;
        fits -= run->read;
        if (result == WE_UNMAPPABLE) {
            /* It fits: WE_ENCODE_RESERVE was subtracted from the capacity. */
            if (!we_replace_unmappable(encoder, kind, run, (uint8_t *)buffers->target, &buffers->written))
                return result;
            encoder->reference_count++;
            fits = fits > WE_MAX_REFERENCE ? fits - WE_MAX_REFERENCE : 0;
            /* An error directly after another one: surrogates come in groups. */
            if (run->read == 1 && we_is_surrogate(run->code_point)) {
                we_replace_surrogates(encoder, kind, run, length, position, buffers);
                fits = 0;
            }
        }
    }
    return WE_INPUT_EMPTY;
}

/* Encode U+FFFD instead of an item that is not a scalar value. */
static inline we_result we_encode_replacement(we_encoder *encoder, we_encode_run *run, we_buffers *buffers)
{
    const uint16_t replacement = 0xFFFD;
    size_t position = 0;
    return we_encode_units(encoder, WE_UCS2, run, &replacement, 1, &position, buffers);
}

/* Encode scalar values that stand for units of the source, where those above U+FFFF took `wide` units and all others
 * one each. Advance the source's position past those that were encoded. */
static inline we_result we_encode_scratch(we_encoder *encoder, we_encode_run *run, const uint32_t *scratch,
                                          size_t length, size_t wide, we_buffers *buffers)
{
    size_t position = 0;
    const we_result result = we_encode_units(encoder, WE_UCS4, run, scratch, length, &position, buffers);
    buffers->read += position;
    for (size_t i = 0; i < position; i++)
        buffers->read += scratch[i] > 0xFFFF ? wide - 1 : 0;
    return result;
}

/* ---- UTF-16 ------------------------------------------------------------------------------------------------------ */

/* Encode through UCS-4, from the surrogate on at which the run stopped; continue while surrogates are frequent. This
 * unit, and those at which joining stops, are not read again: they may have changed. */
static WE_NEVER_INLINE we_result we_encode_surrogates(we_encoder *encoder, we_encode_run *run, we_buffers *buffers)
{
    uint32_t scratch[WE_WIDE_BLOCK];
    const uint16_t *source = (const uint16_t *)buffers->source;
    const size_t end = buffers->source_length;
    for (uint16_t unit = (uint16_t)run->code_point;; unit = 0) {
        size_t at = buffers->read, length = 0;
        uint16_t pending = 0;
        for (; length < WE_WIDE_BLOCK && at < end && !pending; unit = 0) {
            if (unit == 0) {
                size_t joined;
                at +=
                    we_utf_16_join(run->simd, source + at, end - at, scratch + length, WE_WIDE_BLOCK - length, &joined);
                length += joined;
                if (length == WE_WIDE_BLOCK || at == end)
                    break;
                unit = source[at];
            }
            at++;
            uint32_t code_point = we_is_surrogate(unit) ? 0xFFFD : unit;
            if (we_is_high_surrogate(unit) && at < end) {
                const uint16_t next = source[at];
                if (we_is_low_surrogate(next)) {
                    code_point = we_join_surrogates(unit, next);
                    at++;
                }
            } else if (we_is_high_surrogate(unit) && !buffers->last) {
                pending = unit;
                continue;
            }
            scratch[length++] = code_point;
        }
        const size_t units = at - buffers->read - (pending != 0);
        const we_result result = we_encode_scratch(encoder, run, scratch, length, 2, buffers);
        if (result != WE_INPUT_EMPTY)
            return result;
        if (pending) {
            encoder->high_surrogate = pending;
            buffers->read++;
        }
        if (at == end || (units - length) * 16 < length)
            return WE_INPUT_EMPTY;
    }
}

static inline we_result we_encode_utf16(we_encoder *encoder, we_encode_run *run, we_buffers *buffers)
{
    if (encoder->high_surrogate) {
        uint32_t code_point = 0xFFFD;
        size_t position = 0, taken = 0;
        if (buffers->read < buffers->source_length) {
            const uint16_t next = ((const uint16_t *)buffers->source)[buffers->read];
            if (we_is_low_surrogate(next)) {
                code_point = we_join_surrogates(encoder->high_surrogate, next);
                taken = 1;
            }
        } else if (!buffers->last) {
            return WE_INPUT_EMPTY;
        }
        const we_result result = we_encode_units(encoder, WE_UCS4, run, &code_point, 1, &position, buffers);
        if (result == WE_OUTPUT_FULL)
            return result;
        encoder->high_surrogate = 0;
        buffers->read += taken;
        if (result != WE_INPUT_EMPTY)
            return result;
    }
    while (buffers->read < buffers->source_length) {
        we_result result =
            we_encode_units(encoder, WE_UCS2, run, buffers->source, buffers->source_length, &buffers->read, buffers);
        if (result == WE_UNMAPPABLE && we_is_surrogate(run->code_point)) {
            buffers->read--;
            result = we_encode_surrogates(encoder, run, buffers);
        }
        if (result != WE_INPUT_EMPTY)
            return result;
    }
    return WE_INPUT_EMPTY;
}

/* ---- UTF-32 ------------------------------------------------------------------------------------------------------ */

/* Encode through blocks of scalar values, since a unit may be anything. Each unit is read once. */
static inline we_result we_encode_utf32(we_encoder *encoder, we_encode_run *run, we_buffers *buffers)
{
    uint32_t scratch[WE_WIDE_BLOCK];
    while (buffers->read < buffers->source_length) {
        const uint32_t *source = (const uint32_t *)buffers->source + buffers->read;
        const size_t remaining = buffers->source_length - buffers->read, left = buffers->capacity - buffers->written;
        size_t block = remaining < WE_WIDE_BLOCK ? remaining : WE_WIDE_BLOCK;
        /* A scalar value gives at least one byte, unless it is an error. */
        if (block > left)
            block = left + 1;
        for (size_t i = 0; i < block; i++) {
            const uint32_t unit = source[i];
            scratch[i] = unit > 0x10FFFF || we_is_surrogate(unit) ? 0xFFFD : unit;
        }
        const we_result result = we_encode_scratch(encoder, run, scratch, block, 1, buffers);
        if (result != WE_INPUT_EMPTY)
            return result;
    }
    return WE_INPUT_EMPTY;
}

/* ---- UTF-8 ------------------------------------------------------------------------------------------------------- */

/* Encode UTF-8 as UTF-8 with the UTF-8 decoder, which replaces malformed sequences. */
static inline we_result we_encode_utf8_as_itself(we_encoder *encoder, we_buffers *buffers)
{
    we_decoder decoder;
    we_decoder_init(&decoder, encoder->engine, encoder->codec, 0);
    memcpy(decoder.pending, encoder->pending, sizeof decoder.pending);
    decoder.pending_length = encoder->pending_length;
    buffers->exact = 1;
    const we_result result = we_decode(&decoder, WE_UTF8, buffers);
    memcpy(encoder->pending, decoder.pending, sizeof decoder.pending);
    encoder->pending_length = decoder.pending_length;
    return result;
}

/* Encode UTF-8 in blocks that are decoded to UCS-2 first, or to UCS-4 where a code point above U+FFFF comes next. */
static WE_NEVER_INLINE we_result we_encode_utf8(we_encoder *encoder, we_encode_run *run, we_buffers *buffers)
{
    uint16_t narrow[WE_UTF8_BLOCK];
    uint32_t wide[WE_WIDE_BLOCK];
    const we_codec *utf_8 = we_utf_8_codec(encoder->engine);
    const uint8_t *source = (const uint8_t *)buffers->source;
    const we_codec *codec = encoder->codec;
    int kind = WE_UCS2;
    while (buffers->read < buffers->source_length) {
        size_t remaining = buffers->source_length - buffers->read, left = buffers->capacity - buffers->written;
        if (codec->is_ascii_compatible && left != 0) { /* without capacity the target may be null */
            uint8_t *const target = (uint8_t *)buffers->target + buffers->written;
            const size_t most = left < remaining ? left : remaining;
            size_t written;
            /* Encodings that share a function, whose `tables` distinguish them, are the single-byte ones. */
            const size_t read = codec->tables == NULL
                                    ? (written = we_ascii_run_to_ucs1(run->simd, source + buffers->read, most, target))
                                    : we_single_byte_sparse_from_utf8(
                                          run->simd, source + buffers->read, most,
                                          &((const we_single_byte_tables *)codec->tables)->reverse, target, &written);
            buffers->read += read;
            buffers->written += written;
            remaining -= read;
            left -= written;
            if (remaining == 0)
                break;
        }
        const size_t most = kind == WE_UCS2 ? WE_UTF8_BLOCK : WE_WIDE_BLOCK;
        size_t block = remaining < most ? remaining : most, encoded = 0;
        /* A code point takes at most four bytes and gives at least one, unless it is an error: a longer block would
         * be decoded without fitting. */
        if (left < block / WE_MAX_SEQUENCE)
            block = (left + 1) * WE_MAX_SEQUENCE;
        we_decode_run text;
        we_decode_run_init(&text, utf_8, run->simd, WE_STOP, kind);
        text.source = source + buffers->read;
        text.source_length = block;
        text.target = kind == WE_UCS2 ? (void *)narrow : (void *)wide;
        text.end_of_queue = buffers->last && block == remaining;
        const we_result decoded = utf_8->decode[kind](&text);
        const size_t error_length = decoded == WE_MALFORMED ? text.error_length : 0;
        we_result result = we_encode_units(encoder, kind, run, text.target, text.written, &encoded, buffers);
        if (encoded == text.written)
            buffers->read += text.read - error_length;
        else if (kind == WE_UCS2)
            buffers->read += we_utf8_size(narrow, encoded);
        else
            for (size_t i = 0; i < encoded; i++)
                buffers->read += (size_t)1 + (wide[i] >= 0x80) + (wide[i] >= 0x800) + (wide[i] >= 0x10000);
        if (result != WE_INPUT_EMPTY)
            return result;
        if (decoded == WE_MALFORMED) {
            result = we_encode_replacement(encoder, run, buffers);
            if (result != WE_OUTPUT_FULL)
                buffers->read += error_length;
            if (result != WE_INPUT_EMPTY)
                return result;
        } else if (decoded == WE_INPUT_EMPTY && text.read == 0) {
            /* The start of a sequence ends the source. */
            memcpy(encoder->pending, source + buffers->read, remaining);
            encoder->pending_length = (uint8_t)remaining;
            buffers->read = buffers->source_length;
        }
        /* Continue with UCS-4 while many code points need it. */
        if (kind == WE_UCS4) {
            size_t needed = 0;
            for (size_t i = 0; i < text.written; i++)
                needed += wide[i] > 0xFFFF;
            kind = needed * 16 < text.written ? WE_UCS2 : WE_UCS4;
        } else if (decoded == WE_WIDEN) {
            kind = WE_UCS4;
        }
    }
    return WE_INPUT_EMPTY;
}

/* Encode the pending bytes together with the bytes of the source that may complete their sequence. All of them are read
 * with it, or as one error, unless the capacity is too small; bytes that begin another sequence are pending next. */
static WE_NEVER_INLINE we_result we_encode_pending_utf8(we_encoder *encoder, we_encode_run *run, we_buffers *buffers)
{
    uint8_t joined[WE_MAX_SEQUENCE];
    const uint8_t leading = encoder->pending[0];
    const size_t pending = encoder->pending_length, remaining = buffers->source_length - buffers->read;
    const size_t missing = (leading < 0xE0 ? 2 : leading < 0xF0 ? 3 : WE_MAX_SEQUENCE) - pending;
    const size_t taken = remaining < missing ? remaining : missing;
    we_buffers sequence = *buffers;
    memcpy(joined, encoder->pending, pending);
    if (taken != 0)
        memcpy(joined + pending, (const uint8_t *)buffers->source + buffers->read, taken);
    sequence.source = joined;
    sequence.source_length = pending + taken;
    sequence.read = 0;
    sequence.last = buffers->last && taken == remaining;
    encoder->pending_length = 0;
    const we_result result = we_encode_utf8(encoder, run, &sequence);
    buffers->written = sequence.written;
    if (sequence.read == 0)
        encoder->pending_length = (uint8_t)pending;
    else
        buffers->read += sequence.read - pending;
    return result;
}

/* ---- All kinds --------------------------------------------------------------------------------------------------- */

/* Return to the state that an encoder's stream ends in: ISO-2022-JP to ASCII. */
static inline we_result we_encode_end(const we_encoder *encoder, we_encode_run *run, we_buffers *buffers)
{
    uint8_t scratch[WE_ENCODE_SLACK];
    const uint32_t nothing = 0;
    we_encode_run end = *run;
    if (run->state.iso_2022_jp_encoder_state == WE_ISO_2022_JP_ASCII)
        return WE_INPUT_EMPTY;
    end.source = &nothing;
    end.source_length = end.read = end.written = 0;
    end.target = scratch;
    end.end_of_queue = 1;
    encoder->codec->encode[WE_UCS4](&end);
    if (end.written > buffers->capacity - buffers->written)
        return WE_OUTPUT_FULL;
    memcpy((uint8_t *)buffers->target + buffers->written, scratch, end.written);
    buffers->written += end.written;
    run->state = end.state;
    return WE_INPUT_EMPTY;
}

/* Encode from where the buffers stand, units of a kind.
 *
 * Kinds: WE_UTF8, WE_UTF16 and WE_UTF32 may hold any units: a malformed sequence, a lone surrogate, or a value that is
 * no code point counts as U+FFFD, and a sequence or a surrogate pair may be split between calls. WE_UCS1, WE_UCS2 and
 * WE_UCS4 are the code points of a str, where a surrogate is WE_UNMAPPABLE in every mode, with its own value, and the
 * caller continues after it.
 *
 * WE_INPUT_EMPTY: all of the source was read; with `last` the stream has ended, and the state is as after
 * we_encoder_init. WE_OUTPUT_FULL: the remaining capacity is too small for the next item, including its escape sequence
 * and its reference; nothing of it was read. (13 bytes suffice for any item. If the buffers are not `exact`, it may
 * also suffice for some units, fewer than WE_LEAST_OFFER; encode_capacity for as many, and WE_ENCODE_RESERVE, suffice
 * to continue.) WE_UNMAPPABLE: the encoder's code_point, which ends at `read`, cannot be encoded; the same call
 * continues after it.
 */
static inline we_result we_encode(we_encoder *encoder, int kind, we_buffers *buffers)
{
    we_encode_run run;
    we_result result = WE_INPUT_EMPTY;
    we_encode_run_init(&run, encoder->codec, encoder->engine->simd, encoder->error_mode);
    run.state = encoder->state;
    if (encoder->ended)
        encoder->reference_count = encoder->ended = 0;
    if ((encoder->pending_length && kind != WE_UTF8) || (encoder->high_surrogate && kind != WE_UTF16)) {
        /* The kind has changed since the last call, so the pending sequence stays incomplete. */
        result = we_encode_replacement(encoder, &run, buffers);
        if (result != WE_OUTPUT_FULL)
            encoder->pending_length = 0, encoder->high_surrogate = 0;
    }
    if (result == WE_INPUT_EMPTY) {
        if (kind == WE_UTF8) {
            if (encoder->codec == we_utf_8_codec(encoder->engine)) {
                result = we_encode_utf8_as_itself(encoder, buffers);
            } else {
                while (result == WE_INPUT_EMPTY && encoder->pending_length
                       && (buffers->last || buffers->read < buffers->source_length))
                    result = we_encode_pending_utf8(encoder, &run, buffers);
                if (result == WE_INPUT_EMPTY && buffers->read < buffers->source_length)
                    result = we_encode_utf8(encoder, &run, buffers);
            }
        } else if (kind == WE_UTF16) {
            result = we_encode_utf16(encoder, &run, buffers);
        } else if (kind == WE_UTF32) {
            result = we_encode_utf32(encoder, &run, buffers);
        } else {
            result =
                we_encode_units(encoder, kind, &run, buffers->source, buffers->source_length, &buffers->read, buffers);
        }
    }
    if (result == WE_INPUT_EMPTY && buffers->last)
        result = we_encode_end(encoder, &run, buffers);
    encoder->state = run.state;
    encoder->code_point = run.code_point;
    encoder->ended = result == WE_INPUT_EMPTY && buffers->last;
    return result;
}

#endif
