/* The engine's decoder: bytes of any encoding to units of any kind, in chunks of any length, into targets of any
 * capacity. */
#ifndef WE_ENGINE_DECODE_H
#define WE_ENGINE_DECODE_H

#include "count.h"
#include "engine.h"
#include "error_policy.h"
#include "utf_8.h"

/* The state of a stream. The members are the engine's own but for `codec`, `error_count` and those that say "read". */
typedef struct {
    const we_engine *engine;
    const we_codec *codec;   /* read: after BOM sniffing the one that the mark names */
    const we_codec *initial; /* the one that the decoder begins with, also after the end of a stream */
    size_t error_count;      /* read: errors replaced since the stream began; kept at its end until the next call */
    uint8_t pending[WE_MAX_PENDING];
    uint8_t pending_length;
    we_decoder_state state;
    uint8_t flags;
    uint8_t error_mode;          /* of we_error_mode: from the flags, but a caller may set another one */
    uint8_t at_start;            /* the start of the stream may still turn out to be a byte order mark */
    uint8_t ended;               /* the next call begins a new stream */
    uint8_t error_length;        /* read: of the error that was returned last */
    uint8_t error_is_incomplete; /* read: that error is the start of a sequence, at the end of the stream */
    /* read: bytes after that error that were read before it was known to be one; they are pending */
    uint8_t read_after;
} we_decoder;

/* Begin a stream with a codec. */
static inline void we_decoder_init(we_decoder *decoder, const we_engine *engine, const we_codec *codec, unsigned flags)
{
    decoder->engine = engine;
    decoder->codec = decoder->initial = codec;
    decoder->error_count = 0;
    memset(decoder->pending, 0, sizeof decoder->pending);
    decoder->pending_length = 0;
    memset(&decoder->state, 0, sizeof decoder->state);
    decoder->flags = (uint8_t)flags;
    decoder->error_mode = flags & WE_FATAL ? WE_STOP : WE_REPLACE;
    decoder->at_start = (flags & (WE_BOM_SNIFF | WE_BOM_REMOVE)) != 0;
    decoder->ended = 0;
    decoder->error_length = decoder->error_is_incomplete = decoder->read_after = 0;
}

/* Return the code points, or UTF-16 units, that a loop may write for 2**decode_shift bytes. */
static inline size_t we_units_per_step(int error_mode, unsigned shift)
{
    return error_mode == WE_BACKSLASH_REPLACE  ? (size_t)WE_UNITS_PER_ERROR_BYTE << shift
           : error_mode == WE_SURROGATE_ESCAPE ? (size_t)1 << shift
                                               : 1;
}

/* Return an upper bound on the code points, and on the UTF-16 units, for source_length more bytes, including errors and
 * pending bytes; SIZE_MAX if it exceeds a size_t. */
static inline size_t we_decoder_max_units(const we_decoder *decoder, size_t source_length)
{
    const size_t pending = decoder->ended ? 0 : decoder->pending_length;
    const int sniffs = (decoder->flags & WE_BOM_SNIFF) && (decoder->at_start || decoder->ended);
    const unsigned shift = sniffs ? 0 : (decoder->ended ? decoder->initial : decoder->codec)->decode_shift;
    if (source_length > SIZE_MAX - pending)
        return SIZE_MAX;
    const size_t length = source_length + pending, rest = length & (((size_t)1 << shift) - 1);
    return we_bound((length >> shift) + (rest != 0), we_units_per_step(decoder->error_mode, shift), 0);
}

/* Return an upper bound on the bytes of UTF-8 for source_length more bytes; SIZE_MAX if it exceeds a size_t. */
static inline size_t we_decoder_max_utf8(const we_decoder *decoder, size_t source_length)
{
    const size_t units = we_decoder_max_units(decoder, source_length);
    return we_bound(units, WE_UTF8_PER_BYTE, 0);
}

/* Return the number of units of U+FFFD. */
static inline size_t we_replacement_size(int kind)
{
    return kind == WE_UTF8 ? 3 : 1;
}

/* Offer a trial run `most` bytes from its source on, or, if that is 0, one more each time, up to WE_MAX_SEQUENCE, until
 * they decide an item. */
static inline we_result we_decode_trial(const we_decoder *decoder, int kind, we_decode_run *trial, size_t remaining,
                                        int end_of_queue, size_t most)
{
    const size_t limit = most ? most : WE_MAX_SEQUENCE, last_offer = limit < remaining ? limit : remaining;
    we_result result = WE_INPUT_EMPTY;
    for (size_t offer = most ? last_offer : 1; offer <= last_offer; offer++) {
        trial->source_length = offer;
        trial->read = trial->written = 0;
        trial->end_of_queue = end_of_queue && offer == remaining;
        result = decoder->codec->decode[kind](trial);
        if (trial->read != 0 || result != WE_INPUT_EMPTY)
            break;
    }
    return result;
}

/* Return the bytes of UTF-8 that UCS-2 units which are no surrogates take. */
static inline size_t we_utf8_size(const uint16_t *units, size_t length)
{
    return length + we_more_bytes_count_ucs2(units, length);
}

/* Decode a few items from source[*position] on through a scratch buffer, which gives the exact number of their units.
 *
 * `most` is the number of bytes offered, at most WE_SCRATCH_BLOCK; if it is 0 a single item is decoded. Return
 * WE_INPUT_EMPTY if all bytes offered were decoded, except for the start of an incomplete sequence and, for UTF-16,
 * what begins with a code point above U+FFFF; WE_OUTPUT_FULL if the result exceeds the remaining capacity, and nothing
 * has changed; WE_MALFORMED; or WE_WIDEN. */
static WE_NEVER_INLINE we_result we_decode_few(const we_decoder *decoder, int kind, we_decode_run *run,
                                               const uint8_t *source, size_t length, size_t *position, int end_of_queue,
                                               size_t most, we_buffers *buffers)
{
    /* The capacity that a loop requires: a unit, or three of UTF-8, for each byte offered. */
    uint32_t scratch[WE_SCRATCH_BLOCK];
    const size_t remaining = length - *position, left = buffers->capacity - buffers->written;
    const size_t unit_size = we_unit_size(kind);
    const int replaces = decoder->error_mode == WE_REPLACE;
    int is_wide = kind == WE_UTF16 && most == 0;  /* the scratch buffer holds UCS-4 for UTF-16 */
    uint8_t *target = (uint8_t *)buffers->target; /* may be null */
    we_decode_run trial = *run;
    trial.source = source + *position;
    trial.target = scratch;
    trial.room = SIZE_MAX;
    /* Stopping at errors makes an error and the bytes after it separate items. UCS-1 has no U+FFFD: the loop itself
     * returns WE_WIDEN. */
    if (replaces && kind != WE_UCS1)
        trial.error_mode = WE_STOP;
    const int scratch_kind = is_wide ? WE_UCS4 : kind == WE_UTF16 ? WE_UCS2 : kind;
    we_result result = we_decode_trial(decoder, scratch_kind, &trial, remaining, end_of_queue, most);
    if (result == WE_WIDEN && kind == WE_UTF16) {
        is_wide = trial.read == 0;
        result = is_wide ? we_decode_trial(decoder, WE_UCS4, &trial, remaining, end_of_queue, most) : WE_INPUT_EMPTY;
    }
    const int replaced = result == WE_MALFORMED && replaces;
    size_t size = trial.written;
    for (size_t i = 0; is_wide && i < trial.written; i++)
        size += scratch[i] > 0xFFFF;
    if (size + (replaced ? we_replacement_size(kind) : 0) > left)
        return WE_OUTPUT_FULL;
    if (size != 0) {
        target += buffers->written * unit_size;
        if (is_wide)
            we_utf_16_put(run->simd, scratch, trial.written, (uint16_t *)(void *)target, left);
        else
            memcpy(target, scratch, size * unit_size);
        buffers->written += size;
    }
    *position += trial.read;
    run->state = trial.state;
    run->error_length = trial.error_length;
    run->error_is_incomplete = trial.error_is_incomplete;
    if (!replaced)
        return result;
    buffers->written += we_put(buffers->target, kind == WE_UTF16 ? WE_UCS2 : kind, buffers->written, 0xFFFD);
    run->error_count++;
    return WE_INPUT_EMPTY;
}

/* Decode from the source's position until the remaining capacity is too small for the next item. `bytes` of the source
 * have given `units`: the ratio seldom changes within a few hundred bytes, and a block that does not fit is decoded
 * again. */
static WE_NEVER_INLINE we_result we_decode_exactly(const we_decoder *decoder, int kind, we_decode_run *run,
                                                   we_buffers *buffers, size_t bytes, size_t units)
{
    while (buffers->read < buffers->source_length) {
        const size_t read = buffers->read, written = buffers->written, left = buffers->capacity - written;
        if (left == 0 && buffers->source_length - read >= run->decisive)
            return WE_OUTPUT_FULL;
        /* `left` is at most WE_SCRATCH_BLOCK units, or three of UTF-8 for each of its bytes. */
        const size_t likely = left * bytes / units * 15 / 16;
        const size_t most = likely < WE_LEAST_BLOCK ? 0 : likely < WE_SCRATCH_BLOCK ? likely : WE_SCRATCH_BLOCK;
        const we_result result = we_decode_few(decoder, kind, run, (const uint8_t *)buffers->source,
                                               buffers->source_length, &buffers->read, buffers->last, most, buffers);
        if (result == WE_OUTPUT_FULL && most != 0) {
            units *= 2;
        } else if (result != WE_INPUT_EMPTY || (buffers->read == read && most == 0)) {
            return result;
        } else if (buffers->read == read) {
            units = SIZE_MAX; /* the start of a sequence: one item */
        } else if (buffers->written != written) {
            bytes = buffers->read - read;
            units = buffers->written - written;
        }
    }
    return WE_INPUT_EMPTY;
}

/* Return the number of bytes that may be offered to a loop whose target has `left` units of capacity. */
static inline size_t we_decode_offer(const we_decoder *decoder, int kind, size_t left, size_t remaining)
{
    const unsigned shift = decoder->codec->decode_shift;
    const size_t steps = kind == WE_UTF8                  ? left / WE_UTF8_PER_BYTE
                         : decoder->error_mode <= WE_STOP ? left
                                                          : left / we_units_per_step(decoder->error_mode, shift);
    if (steps >= remaining || steps > SIZE_MAX >> shift)
        return remaining;
    const size_t offer = steps << shift;
    return offer < remaining ? offer : remaining;
}

/* Decode a block to UTF-16 through UCS-4, since the next code point is above U+FFFF; continue while such code points
 * are frequent. */
static WE_NEVER_INLINE we_result we_decode_wide(const we_decoder *decoder, we_decode_run *run, we_buffers *buffers)
{
    uint32_t scratch[WE_WIDE_BLOCK];
    for (;;) {
        const size_t left = buffers->capacity - buffers->written;
        if (left < 2)
            return we_decode_exactly(decoder, WE_UTF16, run, buffers, 1, 1);
        run->source = (const uint8_t *)buffers->source + buffers->read;
        run->source_length = buffers->source_length - buffers->read;
        run->read = run->written = 0;
        run->target = scratch;
        run->room = left / 2 < WE_WIDE_BLOCK ? left / 2 : WE_WIDE_BLOCK; /* a code point takes two units at most */
        run->end_of_queue = buffers->last;
        const we_result result = decoder->codec->decode[WE_UCS4](run);
        const size_t units =
            we_utf_16_put(run->simd, scratch, run->written, (uint16_t *)buffers->target + buffers->written, left);
        buffers->read += run->read;
        buffers->written += units;
        if (result != WE_OUTPUT_FULL)
            return result;
        if ((units - run->written) * 16 <= units) /* also if two code points of one item are next, and one fits */
            return WE_INPUT_EMPTY;
    }
}

/* Decode the pending bytes together with the bytes of the source that complete their sequence.
 * Return WE_INPUT_EMPTY when nothing is pending, or when all of the source is. */
static WE_NEVER_INLINE we_result we_decode_pending(we_decoder *decoder, int kind, we_decode_run *run,
                                                   we_buffers *buffers)
{
    uint8_t joined[WE_MAX_PENDING + WE_MAX_SEQUENCE];
    const size_t pending = decoder->pending_length, remaining = buffers->source_length - buffers->read;
    const size_t taken = remaining < WE_MAX_SEQUENCE ? remaining : WE_MAX_SEQUENCE;
    const size_t total = pending + taken; /* no more than `joined` holds: pending is WE_MAX_PENDING at most */
    const int end_of_queue = buffers->last && taken == remaining;
    size_t position = 0;
    we_result result = WE_INPUT_EMPTY;
    memcpy(joined, decoder->pending, pending);
    if (taken != 0)
        memcpy(joined + pending, (const uint8_t *)buffers->source + buffers->read, taken);
    while (position < pending && result == WE_INPUT_EMPTY) {
        const size_t before = position;
        result = we_decode_few(decoder, kind, run, joined, total, &position, end_of_queue, 0, buffers);
        if (result == WE_INPUT_EMPTY && position == before) {
            /* All of it is the start of a sequence. (It is shorter than WE_MAX_SEQUENCE bytes, which decide.) */
            decoder->pending_length = (uint8_t)(total - position);
            memcpy(decoder->pending, joined + position, total - position);
            buffers->read += taken;
            return WE_INPUT_EMPTY;
        }
    }
    if (position >= pending) {
        decoder->pending_length = 0;
        buffers->read += position - pending;
    } else {
        decoder->pending_length = (uint8_t)(pending - position);
        memcpy(decoder->pending, joined + position, pending - position);
    }
    return result;
}

/* Look for a byte order mark at the start. Return 0 if more bytes are needed to tell: then all of the source is
 * pending. */
static WE_NEVER_INLINE int we_decode_bom(we_decoder *decoder, we_buffers *buffers)
{
    uint8_t head[3];
    const size_t pending = decoder->pending_length, remaining = buffers->source_length - buffers->read;
    /* Less than three bytes are pending while it may be a mark. */
    const size_t taken = remaining < 3 - pending ? remaining : 3 - pending, total = pending + taken;
    int possible = 0;
    memcpy(head, decoder->pending, pending);
    if (taken != 0)
        memcpy(head + pending, (const uint8_t *)buffers->source + buffers->read, taken);
    for (int which = 0; which < WE_BOMS; which++) {
        const we_codec *const codec = we_codec_at(decoder->engine, we_bom_position(which));
        if (!(decoder->flags & WE_BOM_SNIFF) && codec != decoder->codec)
            continue;
        const int length = we_bom_length(which, head, total);
        possible |= length < 0;
        if (length <= 0)
            continue;
        decoder->codec = codec;
        decoder->pending_length = 0;
        decoder->at_start = 0;
        buffers->read += (size_t)length - pending; /* all pending bytes are part of the mark */
        return 1;
    }
    if (possible && !buffers->last) {
        memcpy(decoder->pending, head, total);
        decoder->pending_length = (uint8_t)total;
        buffers->read += taken;
        return 0;
    }
    decoder->at_start = 0;
    return 1;
}

/* Decode the source after the pending bytes. */
WE_ALWAYS_INLINE we_result we_decode_source(const we_decoder *decoder, const int kind, we_decode_run *run,
                                            we_buffers *buffers)
{
    const we_codec *codec = decoder->codec;
    size_t bytes = 0, units = 0; /* of the last call of the loop */
    while (buffers->read < buffers->source_length) {
        const size_t left = buffers->capacity - buffers->written;
        size_t remaining = buffers->source_length - buffers->read, offer = remaining;
        if (buffers->exact && kind != WE_UTF8)
            run->room = buffers->capacity; /* the loop stops where the target is full */
        else
            offer = we_decode_offer(decoder, kind, left, remaining);
        if (kind == WE_UTF8 && offer < remaining && left != 0 && codec == we_utf_8_codec(decoder->engine)) {
            /* Valid UTF-8 is copied unchanged, so as many bytes as the capacity holds may be offered. (Without capacity
             * the target may be null, which memcpy does not accept.) */
            const size_t copied =
                we_utf_8_copy_run(run->simd, (const uint8_t *)buffers->source + buffers->read,
                                  left < remaining ? left : remaining, (uint8_t *)buffers->target + buffers->written);
            buffers->read += copied;
            buffers->written += copied;
            remaining -= copied;
            offer = we_decode_offer(decoder, kind, left - copied, remaining);
        }
        if (offer < remaining && offer < WE_SCRATCH_BLOCK) {
            if (buffers->exact && units != 0)
                return we_decode_exactly(decoder, kind, run, buffers, bytes, units);
            if (offer < WE_LEAST_DECODED)
                return buffers->exact ? we_decode_exactly(decoder, kind, run, buffers, 1, 1) : WE_OUTPUT_FULL;
        }
        run->source = (const uint8_t *)buffers->source + buffers->read;
        run->source_length = offer;
        run->read = 0;
        run->target = buffers->target;
        run->written = buffers->written;
        run->end_of_queue = buffers->last && offer == remaining;
        we_result result = codec->decode[kind == WE_UTF16 ? WE_UCS2 : kind](run);
        bytes = run->read;
        units = run->written - buffers->written;
        buffers->read += bytes;
        buffers->written = run->written;
        if (result == WE_WIDEN && kind == WE_UTF16) {
            /* It may leave the start of a sequence, at which the next call of the loop stops. */
            result = we_decode_wide(decoder, run, buffers);
        } else if (offer == remaining) {
            return result;
        }
        if (result != WE_INPUT_EMPTY)
            return result;
    }
    return WE_INPUT_EMPTY;
}

/* Decode from where the buffers stand to units of a kind: WE_UCS1, WE_UCS2, WE_UCS4, WE_UTF8 or WE_UTF16.
 *
 * WE_INPUT_EMPTY: all of the source was read; with `last` the stream has ended, and the next call begins a new one.
 * WE_OUTPUT_FULL: the remaining capacity is too small for the next item, of which nothing was read. (4 bytes of UTF-8
 * or 2 units suffice for any item.) If the buffers are not `exact`, it may also suffice for a few more items; what
 * we_decoder_max_units gives for WE_LEAST_DECODED bytes suffices to continue.
 * WE_MALFORMED: only with WE_FATAL. The decoder's error_length bytes before `read`, less read_after, are an error; the
 * same call continues after it.
 * WE_WIDEN: only WE_UCS1 and WE_UCS2. The next item has a code point above max_code_point; nothing of it was read.
 */
WE_ALWAYS_INLINE we_result we_decode_to(we_decoder *decoder, const int kind, we_buffers *buffers)
{
    we_decode_run run;
    we_result result = WE_INPUT_EMPTY;
    if (WE_UNLIKELY(decoder->ended))
        we_decoder_init(decoder, decoder->engine, decoder->initial, decoder->flags);
    if (WE_UNLIKELY(decoder->at_start) && !we_decode_bom(decoder, buffers))
        return WE_INPUT_EMPTY;
    we_decode_run_init(&run, decoder->codec, decoder->engine->simd, decoder->error_mode, kind);
    if (kind == WE_UCS1 || kind == WE_UCS2)
        run.max_code_point = buffers->max_code_point;
    run.state = decoder->state;
    if (WE_UNLIKELY(decoder->pending_length != 0))
        result = we_decode_pending(decoder, kind, &run, buffers);
    if (result == WE_INPUT_EMPTY && decoder->pending_length == 0)
        result = we_decode_source(decoder, kind, &run, buffers);
    decoder->state = run.state;
    decoder->error_count += run.error_count;
    if (result == WE_INPUT_EMPTY) {
        /* the start of a sequence: WE_MAX_PENDING bytes at most */
        const size_t rest = buffers->source_length - buffers->read;
        if (rest != 0) {
            memcpy(decoder->pending, (const uint8_t *)buffers->source + buffers->read, rest);
            decoder->pending_length = (uint8_t)rest;
            buffers->read = buffers->source_length;
        }
        decoder->ended = buffers->last != 0;
    } else if (result == WE_MALFORMED) {
        decoder->error_length = (uint8_t)run.error_length;
        decoder->error_is_incomplete = (uint8_t)run.error_is_incomplete;
        decoder->read_after = decoder->pending_length;
    }
    return result;
}

/* The same with a kind that is not a constant. */
static inline we_result we_decode(we_decoder *decoder, int kind, we_buffers *buffers)
{
    return we_decode_to(decoder, kind, buffers);
}

/* Decode from where the buffers stand to the end of the source or an error, and discard the text; the caller sets no
 * target. Valid UTF-8 is only validated. */
static inline we_result we_decode_and_discard(we_decoder *decoder, we_buffers *buffers)
{
    uint32_t units[WE_WIDE_BLOCK + WE_MAX_PENDING]; /* at most one for each byte, pending ones included */
    const size_t end = buffers->source_length;
    const int last = buffers->last;
    we_result result = WE_INPUT_EMPTY;
    buffers->target = units;
    buffers->capacity = WE_WIDE_BLOCK + WE_MAX_PENDING;
    buffers->exact = 0;
    while (result == WE_WIDEN || (result == WE_INPUT_EMPTY && buffers->read < end)) {
        const int kind = result == WE_WIDEN ? WE_UCS4 : WE_UCS2;
        if (decoder->codec == we_utf_8_codec(decoder->engine) && !decoder->at_start && decoder->pending_length == 0) {
            const uint8_t *const source = (const uint8_t *)buffers->source + buffers->read;
            buffers->read += we_utf_8_valid_run(decoder->engine->simd, source, end - buffers->read);
        }
        buffers->written = 0;
        buffers->max_code_point = kind == WE_UCS2 ? 0xFFFF : 0x10FFFF;
        buffers->source_length = end - buffers->read < WE_WIDE_BLOCK ? end : buffers->read + WE_WIDE_BLOCK;
        buffers->last = last && buffers->source_length == end;
        result = we_decode(decoder, kind, buffers);
    }
    return result;
}

/* Return the number of bytes before the first error, or `length` if there is none. End-of-queue follows the source. */
static inline size_t we_valid_up_to(const we_engine *engine, const we_codec *codec, const uint8_t *source,
                                    size_t length)
{
    we_decoder decoder;
    we_buffers buffers;
    we_decoder_init(&decoder, engine, codec, WE_FATAL);
    we_buffers_init(&buffers, source, length, NULL, 0, 1);
    if (we_decode_and_discard(&decoder, &buffers) == WE_MALFORMED)
        return buffers.read - decoder.read_after - decoder.error_length;
    return length;
}

#endif
