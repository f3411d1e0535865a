/* Decode and encode the rows of a column: one loop for all layouts, encodings and error modes, without the GIL.
 *
 * we_rows_run returns when all rows are done, when the result reaches the limit of its offsets, when Python has to look
 * up a label or raise an error, or after some milliseconds; the next call continues, also in the middle of a row. Each
 * row is complete, so the loops of codec.h are called directly: nothing is pending between two rows.
 */
#ifndef WE_ARROW_ROWS_H
#define WE_ARROW_ROWS_H

#include "output.h"

#if defined(_WIN32)
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <time.h>
#endif

/* Return the nanoseconds of a monotonic clock. */
static inline int64_t we_clock(void)
{
#if defined(_WIN32)
    LARGE_INTEGER ticks, frequency;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    return (int64_t)((double)ticks.QuadPart * 1e9 / (double)frequency.QuadPart);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

/* ---- Labels ------------------------------------------------------------------------------------------------------ */

static inline size_t we_label_slot(const uint8_t *bytes, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ bytes[i]) * 16777619u;
    }
    return (hash ^ hash >> 15) % WE_LABEL_SLOTS;
}

static inline int we_label_is(const we_label_cache *cache, size_t slot, const uint8_t *bytes, size_t length)
{
    return cache->length[slot] == length + 1 && memcmp(cache->bytes[slot], bytes, length) == 0;
}

static inline void we_label_learn(we_label_cache *cache, const uint8_t *bytes, size_t length, int code)
{
    if (length > WE_LABEL_SIZE) {
        return;
    }
    const size_t slot = we_label_slot(bytes, length);
    if (length > 0) {
        memcpy(cache->bytes[slot], bytes, length);
    }
    cache->length[slot] = (uint8_t)(length + 1);
    cache->code[slot] = (int8_t)code;
    cache->last = slot;
}

/* Get the bytes of the label of the current row, as we_source_row does. */
static inline int we_rows_label(we_rows *job, const uint8_t **bytes, size_t *length)
{
    while (job->label_at < job->label_count
           && job->row - job->labels[job->label_at].start >= job->labels[job->label_at].source->length) {
        job->label_at += 1;
    }
    if (job->label_at == job->label_count) {
        return WE_ROW_WRONG; /* unreachable: there are labels up to `end` */
    }
    const we_label_chunk *const chunk = &job->labels[job->label_at];
    return we_source_row(chunk->source, job->row - chunk->start, bytes, length);
}

/* Return the code of the label of the current row, WE_CODE_NULL or WE_CODE_NEW. Set `wrong` if the buffers of the
 * labels have changed. */
static inline int we_rows_code(we_rows *job, int *wrong)
{
    const uint8_t *bytes;
    size_t length;
    const int found = we_rows_label(job, &bytes, &length);
    we_label_cache *const cache = job->cache;
    if (found != WE_ROW_BYTES) {
        *wrong = found == WE_ROW_WRONG;
        return WE_CODE_NULL;
    }
    if (job->looked_up_row == job->row + 1) {
        return job->looked_up_code;
    }
    if (length > WE_LABEL_SIZE) {
        return WE_CODE_NEW; /* too long for the cache */
    }
    if (!we_label_is(cache, cache->last, bytes, length)) {
        const size_t slot = we_label_slot(bytes, length);
        if (!we_label_is(cache, slot, bytes, length)) {
            return WE_CODE_NEW;
        }
        cache->last = slot;
    }
    return cache->code[cache->last];
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static inline int we_rows_is_late(we_rows *job, size_t work)
{
    job->work += work;
    if (job->work < WE_SLICE_WORK) {
        return 0;
    }
    job->work = 0;
    return we_clock() > job->deadline;
}

/* Return the number of bytes from `position` on, at most WE_SCAN, that equal their text; 0 if the next one does not. */
static inline size_t we_rows_same(const we_rows *job, const we_column_codec *entry, const uint8_t *bytes,
                                  size_t position, size_t length)
{
    const size_t rest = length - position;
    const size_t piece = rest < WE_SCAN ? rest : WE_SCAN;
    if (entry->is_utf_8) {
        return we_utf_8_valid_run(job->simd, bytes + position, piece);
    }
    return entry->codec->is_ascii_compatible ? we_ascii_length(job->simd, bytes + position, piece) : 0;
}

/* Scan the source as a whole, if all rows have one encoding and are contiguous. Return WE_ROWS_PAUSED, or WE_ROWS_DONE
 * with `scanned` set if no row needs to be changed. */
static inline we_rows_result we_rows_scan(we_rows *job)
{
    const we_values *const values = &job->source->values;
    const we_column_codec *const entry = &job->codecs[job->encoding];
    while (job->scan < values->last) {
        const size_t same = we_rows_same(job, entry, values->data, (size_t)job->scan, (size_t)values->last);
        if (same == 0) {
            return WE_ROWS_DONE;
        }
        job->scan += (int64_t)same;
        if (we_rows_is_late(job, same)) {
            return WE_ROWS_PAUSED;
        }
    }
    /* A row is valid on its own if neither it nor the next one begins within a sequence. */
    if (entry->is_utf_8) {
        while (job->scan_row < values->length) {
            const int64_t stop = values->length - job->scan_row > 4096 ? job->scan_row + 4096 : values->length;
            for (; job->scan_row < stop; job->scan_row++) {
                const uint8_t *bytes;
                size_t length, mark;
                if (we_value_bytes(values, job->scan_row, &bytes, &length) != WE_ROW_BYTES) {
                    return WE_ROWS_CHANGED;
                }
                if (length > 0
                    && ((bytes[0] & 0xC0) == 0x80 || (job->sniffs_mark && we_bom_sniff(bytes, length, &mark) >= 0))) {
                    return WE_ROWS_DONE;
                }
            }
            if (we_rows_is_late(job, 4096)) {
                return WE_ROWS_PAUSED;
            }
        }
    }
    job->scanned = 1;
    job->row = job->end;
    return WE_ROWS_DONE;
}

/* Handle an error in a row. Return WE_ROWS_DONE to continue. */
static inline we_rows_result we_rows_on_malformed(we_rows *job)
{
    if (job->on_error == WE_ON_ERROR_FATAL) {
        return WE_ROWS_ERROR;
    }
    if (job->row_errors == 0) {
        job->row_first_error = (int64_t)(job->position - job->decode.error_length);
    }
    job->row_errors += 1;
    if (we_rows_reserve(job, 4) < 0) {
        return WE_ROWS_NO_MEMORY;
    }
    memcpy(job->data->bytes + job->written, "\xEF\xBF\xBD", 3);
    job->written += 3;
    /* Further errors are only counted. */
    job->decode.error_mode = WE_REPLACE;
    return WE_ROWS_DONE;
}

/* Decode the rest of the current row. */
static inline we_rows_result we_rows_decode(we_rows *job, const we_codec *codec, const uint8_t *bytes, size_t length)
{
    we_decode_run *const run = &job->decode;
    while (job->position < length) {
        const size_t rest = length - job->position;
        const size_t worst = rest < WE_RESERVE / WE_UTF8_PER_BYTE ? rest * WE_UTF8_PER_BYTE : WE_RESERVE;
        size_t fits = job->data != NULL ? (job->data->capacity - job->written) / WE_UTF8_PER_BYTE : 0;
        if (fits < rest && fits < WE_RESERVE / WE_UTF8_PER_BYTE / 16) {
            if (we_rows_grow(job, worst) < 0) {
                return WE_ROWS_NO_MEMORY;
            }
            fits = (job->data->capacity - job->written) / WE_UTF8_PER_BYTE;
        }
        size_t piece = rest < fits ? rest : fits;
        piece = piece < WE_PIECE ? piece : WE_PIECE;
        run->source = bytes + job->position;
        run->source_length = piece;
        run->read = 0;
        run->target = job->data->bytes;
        run->written = job->written;
        run->end_of_queue = piece == rest;
        const size_t replaced = run->error_count;
        const we_result result = codec->decode[WE_UTF8](run);
        job->position += run->read;
        job->written = run->written;
        job->row_errors += (int64_t)(run->error_count - replaced);
        if (result == WE_MALFORMED) {
            if (job->on_error == WE_ON_ERROR_NULL && !job->with_info) {
                job->row_errors = 1;
                return WE_ROWS_DONE; /* the row becomes null */
            }
            const we_rows_result handled = we_rows_on_malformed(job);
            if (handled != WE_ROWS_DONE) {
                return handled;
            }
        } else if (run->end_of_queue) {
            break;
        }
        if ((int64_t)(job->written - job->row_start) > job->limit && job->layout != WE_OFFSETS_64) {
            return WE_ROWS_TOO_LARGE;
        }
        if (piece == WE_PIECE && we_rows_is_late(job, piece)) {
            return WE_ROWS_PAUSED;
        }
    }
    return WE_ROWS_DONE;
}

/* Encode units of valid or replaced text. https://encoding.spec.whatwg.org/#concept-encoding-process */
static inline we_rows_result we_rows_encode_units(we_rows *job, const we_codec *codec, const void *units, int kind,
                                                  size_t count, int last)
{
    we_encode_run *const run = &job->encode;
    size_t done = 0;
    do {
        /* The worst case of the rest. */
        if (we_rows_reserve(job, (count - done) * codec->encode_capacity[kind] + WE_ENCODE_SLACK + WE_MAX_REFERENCE)
            < 0) {
            return WE_ROWS_NO_MEMORY;
        }
        run->source = (const uint8_t *)units + (done << kind);
        run->source_length = count - done;
        run->read = 0;
        run->target = job->data->bytes;
        run->written = job->written;
        run->end_of_queue = last;
        const we_result result = codec->encode[kind](run);
        done += run->read;
        job->written = run->written;
        run->after_error = result == WE_UNMAPPABLE;
        if (result == WE_UNMAPPABLE) {
            job->row_errors += 1;
            if (job->on_error != WE_ON_ERROR_REPLACE) {
                return WE_ROWS_DONE;
            }
            /* In range: WE_MAX_REFERENCE bytes were reserved in addition to the worst case of the units. */
            job->written += we_put_reference(job->data->bytes + job->written, run->code_point);
        }
    } while (done < count || run->after_error);
    return WE_ROWS_DONE;
}

/* Encode the rest of the current row: decode pieces of UTF-8 to units, and encode these. */
static inline we_rows_result we_rows_encode(we_rows *job, const we_codec *codec, const uint8_t *bytes, size_t length)
{
    uint32_t units[WE_ENCODE_PIECE];
    we_decode_run *const run = &job->decode;
    while (job->position < length) {
        const size_t rest = length - job->position;
        run->source = bytes + job->position;
        run->source_length = rest < WE_ENCODE_PIECE ? rest : WE_ENCODE_PIECE;
        run->end_of_queue = run->source_length == rest;
        run->read = run->written = 0;
        run->target = units;
        run->max_code_point = 0xFFFF;
        const int last = run->end_of_queue;
        int kind = WE_UCS2;
        we_result result = job->utf_8->decode[WE_UCS2](run);
        if (result == WE_WIDEN && run->written == 0) {
            run->max_code_point = 0x10FFFF;
            kind = WE_UCS4;
            result = job->utf_8->decode[WE_UCS4](run);
        }
        job->position += run->read;
        if (run->error_count != 0 && job->on_error != WE_ON_ERROR_REPLACE) {
            job->row_errors = 1;
        } else {
            const we_rows_result encoded =
                we_rows_encode_units(job, codec, units, kind, run->written, last && job->position == length);
            if (encoded != WE_ROWS_DONE) {
                return encoded;
            }
        }
        if (job->row_errors != 0 && job->on_error != WE_ON_ERROR_REPLACE) {
            return job->on_error == WE_ON_ERROR_FATAL ? WE_ROWS_ERROR : WE_ROWS_DONE;
        }
        if ((int64_t)(job->written - job->row_start) > job->limit && job->layout != WE_OFFSETS_64) {
            return WE_ROWS_TOO_LARGE;
        }
        if (we_rows_is_late(job, run->read) && job->position < length) {
            return WE_ROWS_PAUSED;
        }
    }
    return WE_ROWS_DONE;
}

/* Initialize the state for a row whose encoding is known. */
static inline void we_rows_begin_row(we_rows *job, const we_codec *codec)
{
    we_decode_run *const run = &job->decode;
    job->in_row = 1;
    run->error_count = 0;
    run->simd = job->simd;
    run->max_code_point = 0x10FFFF;
    memset(&run->state, 0, sizeof run->state);
    if (job->encodes && job->code != job->bom_codes[WE_BOM_UTF_8]) {
        run->error_mode = WE_REPLACE;
        run->tables = job->utf_8->tables;
        job->encode.simd = job->simd;
        job->encode.tables = codec->tables;
        job->encode.error_mode = WE_STOP;
        job->encode.after_error = 0;
        memset(&job->encode.state, 0, sizeof job->encode.state);
    } else {
        run->error_mode = job->on_error != WE_ON_ERROR_REPLACE || job->with_info ? WE_STOP : WE_REPLACE;
        run->tables = codec->tables;
    }
}

/* Return the bytes of UTF-8 for units that are no surrogates, WE_JOINED_LENGTH at most. */
static inline size_t we_utf8_length(const uint16_t *units, size_t length)
{
    /* Constant counts, so that compilers use vectors; a lane counts two for each of its units at most. */
    uint16_t lanes[WE_UNIT_LANES] = {0};
    size_t at = 0, size = length;
    for (; length - at >= WE_UNIT_LANES; at += WE_UNIT_LANES) {
        for (size_t i = 0; i < WE_UNIT_LANES; i++) {
            lanes[i] = (uint16_t)(lanes[i] + (units[at + i] > 0x7F) + (units[at + i] > 0x7FF));
        }
    }
    for (size_t i = 0; i < WE_UNIT_LANES; i++) {
        size += lanes[i];
    }
    for (; at < length; at++) {
        size += (size_t)(units[at] > 0x7F) + (units[at] > 0x7FF);
    }
    return size;
}

/* Whether rows may be decoded together: those of a single-byte encoding, which has no state. */
static inline int we_rows_can_join(const we_rows *job)
{
    return job->layout != WE_VIEWS && job->source->index == 0 && job->labels == NULL && !job->encodes && !job->with_info
           && job->encoding >= 0 && job->codecs[job->encoding].is_single_byte
           && job->codecs[job->encoding].codec != NULL;
}

/* Decode short rows that follow each other in memory together: to UTF-16, of which each byte gives one unit, and to
 * UTF-8, whose offsets are counted. Rows one by one take up to five times as long. Return WE_ROWS_DONE, also if the
 * current row must be decoded by itself: then nothing has changed. */
static inline we_rows_result we_rows_decode_joined(we_rows *job)
{
    uint16_t units[WE_JOINED_BYTES];
    int16_t lengths[WE_JOINED_ROWS]; /* -1: null */
    const we_codec *const codec = job->codecs[job->encoding].codec;
    const uint8_t *start = NULL;
    size_t total = 0, at = 0, joined = 0;
    /* The capacity suffices for what is joined; decoding rows by themselves makes it grow. */
    size_t most = job->data != NULL ? job->data->capacity - job->written : 0;
    most = most < WE_ENCODE_SLACK ? 0 : (most - WE_ENCODE_SLACK) / WE_UTF8_PER_BYTE;
    most = most < WE_JOINED_BYTES ? most : WE_JOINED_BYTES;
    while (joined < WE_JOINED_ROWS && job->row + (int64_t)joined < job->end) {
        const uint8_t *bytes = NULL;
        size_t length = 0, mark;
        const int found = we_source_row(job->source, job->row + (int64_t)joined, &bytes, &length);
        if (found == WE_ROW_NULL) {
            lengths[joined++] = -1;
            continue;
        }
        if (found != WE_ROW_BYTES || length > WE_JOINED_LENGTH || total + length > most
            || (length != 0 && total != 0 && bytes != start + total)
            || (job->sniffs_mark && we_bom_sniff(bytes, length, &mark) >= 0)) {
            break;
        }
        start = total == 0 ? bytes : start;
        total += length;
        lengths[joined++] = (int16_t)length;
    }
    if (joined == 0) {
        return WE_ROWS_DONE;
    }
    we_decode_run *const run = &job->decode;
    memset(run, 0, sizeof *run);
    run->source = start;
    run->source_length = total;
    run->target = units;
    run->max_code_point = 0xFFFF;
    run->end_of_queue = 1;
    run->error_mode = job->on_error == WE_ON_ERROR_REPLACE ? WE_REPLACE : WE_STOP;
    run->simd = job->simd;
    run->tables = codec->tables;
    if (total != 0) {
        size_t written;
        if (codec->decode[WE_UCS2](run) != WE_INPUT_EMPTY) {
            job->alone = WE_ROWS_ALONE; /* rows with errors are seldom alone */
        }
        (void)we_utf_8_run_from_ucs2(job->simd, units, run->written, job->data->bytes + job->written, &written);
    }
    job->row_errors = 0;
    for (size_t i = 0; i < joined; i++) {
        job->row_start = job->written;
        if (lengths[i] < 0) {
            if (we_rows_put_null(job, 0) < 0) {
                return WE_ROWS_NO_MEMORY;
            }
        } else {
            const size_t length = (size_t)lengths[i];
            if (at + length > run->written) {
                break; /* the row with the error */
            }
            job->written += we_utf8_length(units + at, length);
            const we_rows_result result = we_rows_put_text(job);
            if (result != WE_ROWS_DONE) {
                return result;
            }
            at += length;
        }
        job->row += 1;
    }
    job->read += (double)at;
    return WE_ROWS_DONE;
}

/* Convert rows from the current position on. */
static inline we_rows_result we_rows_run(we_rows *job)
{
    const int shares_views =
        job->layout == WE_VIEWS && job->source->values.layout == WE_VIEWS && job->source->index == 0;
    job->deadline = we_clock() + WE_SLICE_NANOSECONDS;
    job->work = 0;
    if (job->sharing && job->row == job->first && !job->in_row && job->labels == NULL && !job->with_info
        && !shares_views && job->encoding >= 0) {
        const we_rows_result result = we_rows_scan(job);
        if (result != WE_ROWS_DONE || job->scanned) {
            return result;
        }
        if (we_rows_copy_instead(job) < 0) {
            return WE_ROWS_NO_MEMORY;
        }
    }
    const int joins = we_rows_can_join(job);
    while (job->row < job->end) {
        const uint8_t *bytes = NULL;
        size_t length = 0;
        if (joins && !job->sharing && !job->in_row && job->alone-- <= 0) {
            const int64_t row = job->row;
            const size_t written = job->written;
            job->alone = 0;
            const we_rows_result result = we_rows_decode_joined(job);
            if (result != WE_ROWS_DONE) {
                return result;
            }
            if (job->row != row) {
                if (we_rows_is_late(job, job->written - written + (size_t)(job->row - row) * WE_ROW_WORK)) {
                    return WE_ROWS_PAUSED;
                }
                continue;
            }
        }
        const int found = we_source_row(job->source, job->row, &bytes, &length);
        if (found == WE_ROW_WRONG) {
            return WE_ROWS_CHANGED;
        }
        if (!job->in_row) {
            int wrong = 0;
            job->position = 0;
            job->row_start = job->written;
            job->row_errors = 0;
            job->code = job->encoding;
            if (found == WE_ROW_BYTES && job->labels != NULL) {
                job->code = we_rows_code(job, &wrong);
                if (wrong) {
                    return WE_ROWS_CHANGED;
                }
            }
            if (job->code == WE_CODE_NEW || (job->code >= 0 && job->codecs[job->code].codec == NULL)) {
                return WE_ROWS_LABEL;
            }
            if (found == WE_ROW_NULL || job->code == WE_CODE_NULL) {
                /* Sharing would expose the bytes of a null, which were not validated. */
                if (job->sharing && !shares_views) {
                    size_t hidden = 0;
                    if (we_value_bytes(&job->source->values, job->row, &bytes, &hidden) != WE_ROW_BYTES) {
                        return WE_ROWS_CHANGED;
                    }
                    if (hidden != 0) {
                        if (we_rows_copy_instead(job) < 0) {
                            return WE_ROWS_NO_MEMORY;
                        }
                        continue;
                    }
                } else if (job->sharing && found != WE_ROW_NULL && length != 0) {
                    if (we_rows_copy_instead(job) < 0) {
                        return WE_ROWS_NO_MEMORY;
                    }
                    continue;
                }
                if (we_rows_put_null(job, 0) < 0) {
                    return WE_ROWS_NO_MEMORY;
                }
                job->row += 1;
                if (we_rows_is_late(job, WE_ROW_WORK)) {
                    return WE_ROWS_PAUSED;
                }
                continue;
            }
            job->mark = 0;
            if (job->sniffs_mark) {
                const int which = we_bom_sniff(bytes, length, &job->mark);
                job->code = which >= 0 ? job->bom_codes[which] : job->code;
            }
        }
        const we_column_codec *const entry = &job->codecs[job->code];
        if (!job->in_row && (job->sharing || shares_views)) {
            int same = job->mark == 0;
            while (same && job->same < length) {
                const size_t step = we_rows_same(job, entry, bytes, job->same, length);
                same = step != 0;
                job->same += step;
                if (job->same < length && we_rows_is_late(job, step)) {
                    return WE_ROWS_PAUSED; /* the next call continues here */
                }
            }
            job->same = 0;
            if (same) {
                we_rows_put_same(job, bytes, length);
                job->row += 1;
                if (we_rows_is_late(job, length % WE_SCAN + WE_ROW_WORK)) {
                    return WE_ROWS_PAUSED;
                }
                continue;
            }
            if (job->sharing) {
                if (we_rows_copy_instead(job) < 0) {
                    return WE_ROWS_NO_MEMORY;
                }
                continue;
            }
        }
        if (job->position > length) {
            return WE_ROWS_CHANGED;
        }
        if (!job->in_row) {
            we_rows_begin_row(job, entry->codec);
            job->position = job->mark;
        }
        we_rows_result result = job->encodes && job->code != job->bom_codes[WE_BOM_UTF_8]
                                    ? we_rows_encode(job, entry->codec, bytes, length)
                                    : we_rows_decode(job, entry->codec, bytes, length);
        if (result != WE_ROWS_DONE) {
            return result;
        }
        job->in_row = 0;
        job->read += (double)length;
        if (job->row_errors != 0 && job->on_error == WE_ON_ERROR_NULL) {
            if (we_rows_put_null(job, 1) < 0) {
                return WE_ROWS_NO_MEMORY;
            }
        } else {
            result = we_rows_put_text(job);
            if (result != WE_ROWS_DONE) {
                job->position = 0;
                return result;
            }
        }
        job->position = 0;
        job->row += 1;
        if (we_rows_is_late(job, length + WE_ROW_WORK)) {
            return WE_ROWS_PAUSED;
        }
    }
    return WE_ROWS_DONE;
}

#endif
