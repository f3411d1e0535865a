/* Decode and encode the rows of a column: one loop for all layouts, encodings and error modes, without the GIL.
 *
 * we_job_run returns when all rows are done, when the result reaches the limit of its offsets, when Python has to look
 * up a label or raise an error, or after some milliseconds; the next call continues, also in the middle of a row. Each
 * row is a stream of its own, which the engine decodes or encodes.
 */
#ifndef WE_ARROW_ROWS_H
#define WE_ARROW_ROWS_H

#include "ascii.h"
#include "output.h"
#include "utf_8.h"

/* ---- Labels ------------------------------------------------------------------------------------------------------ */

static inline size_t we_label_slot(const uint8_t *bytes, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return (hash ^ hash >> 15) % WE_LABEL_SLOTS;
}

static inline int we_label_is(const we_label_cache *cache, size_t slot, const uint8_t *bytes, size_t length)
{
    return cache->length[slot] == length + 1 && memcmp(cache->bytes[slot], bytes, length) == 0;
}

static inline void we_label_learn(we_label_cache *cache, const uint8_t *bytes, size_t length, int encoding)
{
    if (length > WE_LABEL_SIZE)
        return;
    const size_t slot = we_label_slot(bytes, length);
    if (length > 0)
        memcpy(cache->bytes[slot], bytes, length);
    cache->length[slot] = (uint8_t)(length + 1);
    cache->encoding[slot] = (int16_t)encoding;
    cache->last = slot;
}

/* Get the bytes of the label of the current row, as we_source_row does. */
static inline int we_job_label(we_job *job, const uint8_t **bytes, size_t *length)
{
    while (job->label_at < job->label_count
           && job->row - job->labels[job->label_at].start >= job->labels[job->label_at].source->length) {
        job->label_at += 1;
    }
    if (job->label_at == job->label_count)
        return WE_ROW_WRONG; /* unreachable: there are labels up to `end` */
    const we_label_chunk *const chunk = &job->labels[job->label_at];
    return we_source_row(chunk->source, job->row - chunk->start, bytes, length);
}

/* Return the position of the encoding that the label of the current row names, WE_ENCODING_NULL, WE_ENCODING_NEW, or
 * WE_ENCODING_CHANGED if the buffers of the labels have changed. */
static inline int we_job_label_encoding(we_job *job)
{
    const uint8_t *bytes;
    size_t length;
    const int kind = we_job_label(job, &bytes, &length);
    we_label_cache *const cache = job->cache;
    if (kind != WE_ROW_BYTES)
        return kind == WE_ROW_WRONG ? WE_ENCODING_CHANGED : WE_ENCODING_NULL;
    if (job->looked_up_row == job->row + 1)
        return job->looked_up_encoding;
    if (length > WE_LABEL_SIZE)
        return WE_ENCODING_NEW; /* too long for the cache */
    if (!we_label_is(cache, cache->last, bytes, length)) {
        const size_t slot = we_label_slot(bytes, length);
        if (!we_label_is(cache, slot, bytes, length))
            return WE_ENCODING_NEW;
        cache->last = slot;
    }
    return cache->encoding[cache->last];
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* Add the bytes of some work, and return whether the call has taken its time. */
static inline int we_job_is_late(we_job *job, size_t work)
{
    job->work += work;
    if (job->work < WE_SLICE_WORK)
        return 0;
    job->work = 0;
    return we_clock() > job->deadline;
}

/* Return the number of bytes from `position` on, at most WE_SCAN, that equal their text; 0 if the next one does not. */
static inline size_t we_job_same(const we_job *job, const we_codec *codec, const uint8_t *bytes, size_t position,
                                 size_t length)
{
    const size_t rest = length - position;
    const size_t piece = rest < WE_SCAN ? rest : WE_SCAN;
    if (codec == we_utf_8_codec(job->engine))
        return we_utf_8_valid_run(job->engine->simd, bytes + position, piece);
    return codec->is_ascii_compatible ? we_ascii_length(job->engine->simd, bytes + position, piece) : 0;
}

/* Read the source as a whole, as rows of one encoding that are contiguous: `scanning` stays set if none needs to be
 * changed. */
static inline we_job_result we_job_scan(we_job *job)
{
    const we_values *const values = &job->source->values;
    const we_codec *const codec = job->verbatim ? NULL : we_codec_at(job->engine, job->encoding);
    while (!job->verbatim && job->scan < values->last) {
        const size_t same = we_job_same(job, codec, values->data, (size_t)job->scan, (size_t)values->last);
        if (same == 0)
            return we_job_copy_instead(job);
        job->scan += (int64_t)same;
        if (we_job_is_late(job, same))
            return WE_JOB_PAUSED;
    }
    /* A row is valid on its own if neither it nor the next one begins within a sequence. */
    const int splits = !job->verbatim && codec == we_utf_8_codec(job->engine);
    while ((splits || job->items != NULL) && job->row < job->end) {
        const int64_t stop = job->end - job->row > 4096 ? job->row + 4096 : job->end;
        for (; job->row < stop; job->row++) {
            const uint8_t *bytes;
            size_t length, mark;
            if (we_value_bytes(values, job->row, &bytes, &length) != WE_ROW_BYTES)
                return WE_JOB_CHANGED;
            if (splits && length > 0
                && ((bytes[0] & 0xC0) == 0x80 || (job->sniffs_mark && we_bom_sniff(bytes, length, &mark) >= 0))) {
                return we_job_copy_instead(job);
            }
            job->row_start = job->written;
            const we_job_result result = job->items != NULL ? we_job_put_same(job, bytes, length) : WE_JOB_DONE;
            if (result != WE_JOB_DONE)
                return result;
        }
        if (we_job_is_late(job, 4096))
            return WE_JOB_PAUSED;
    }
    job->row = job->end;
    return WE_JOB_DONE;
}

/* Whether the text of the current row is encoded. UTF-8 is decoded instead, which replaces errors. */
static inline int we_job_encodes(const we_job *job)
{
    return job->encodes && job->row_encoding != WE_POSITION_UTF_8;
}

/* Decode or encode the bytes of the current row up to `end`. https://encoding.spec.whatwg.org/#concept-encoding-process
 */
static inline we_result we_job_call(we_job *job, const uint8_t *bytes, size_t end, int last)
{
    const int encodes = we_job_encodes(job);
    we_buffers buffers;
    if (encodes && job->on_error != WE_ON_ERROR_REPLACE) {
        /* The engine reads malformed UTF-8 as U+FFFD, which gb18030 has: only what is valid is offered. */
        const size_t valid = we_utf_8_valid_run(job->engine->simd, bytes + job->position, end - job->position);
        if (valid == 0 && job->position < end)
            return WE_UNMAPPABLE;
        last = last && job->position + valid == end;
        end = job->position + valid;
    }
    we_buffers_init(&buffers, bytes, end, NULL, 0, last);
    if (job->data != NULL) {
        buffers.target = job->data->bytes;
        buffers.capacity = job->data->capacity;
    }
    buffers.read = job->position;
    buffers.written = job->written;
    const we_result result =
        encodes ? we_encode(&job->encoder, WE_UTF8, &buffers) : we_decode(&job->decoder, WE_UTF8, &buffers);
    job->position = buffers.read;
    job->written = buffers.written;
    return result;
}

/* Convert a short row by one call of the loop in each direction, if the upper bound of its result fits. Return whether
 * that was all: if not, the engine begins anew. Through the engine alone, columns of 10 to 120 bytes a row would take
 * 1.1 to 1.25 times as long to decode, and 1.2 to 1.45 times to encode. */
static inline int we_job_convert_short(we_job *job, const uint8_t *bytes, size_t length)
{
    uint16_t units[WE_SHORT_ROW];
    we_decode_run decode;
    we_encode_run encode;
    const we_codec *const codec = we_codec_at(job->engine, job->row_encoding);
    const int simd = job->engine->simd, encodes = we_job_encodes(job), kind = encodes ? WE_UCS2 : WE_UTF8;
    const we_codec *const from = encodes ? we_utf_8_codec(job->engine) : codec;
    const size_t per_unit = encodes ? codec->encode_capacity[WE_UCS2] : WE_UTF8_PER_BYTE;
    if (length > WE_SHORT_ROW || job->data == NULL
        || job->data->capacity - job->written < length * per_unit + WE_ENCODE_SLACK)
        return 0;
    we_decode_run_init(&decode, from, simd,
                       encodes || job->with_info || job->on_error != WE_ON_ERROR_REPLACE ? WE_STOP : WE_REPLACE, kind);
    decode.source = bytes;
    decode.source_length = length;
    decode.read = job->mark;
    decode.end_of_queue = 1;
    decode.target = encodes ? (void *)units : job->data->bytes;
    decode.written = encodes ? 0 : job->written;
    if (from->decode[kind](&decode) != WE_INPUT_EMPTY)
        return 0;
    if (!encodes) {
        job->written = decode.written;
        return 1;
    }
    we_encode_run_init(&encode, codec, simd, WE_STOP);
    encode.source = units;
    encode.source_length = decode.written;
    encode.target = job->data->bytes;
    encode.written = job->written;
    encode.end_of_queue = 1;
    if (codec->encode[WE_UCS2](&encode) != WE_INPUT_EMPTY)
        return 0;
    job->written = encode.written;
    return 1;
}

/* Set the line and the column of an error after the text that was written for the current row. */
static inline void we_job_place_error(we_job *job)
{
    int64_t line = 1, column = 1;
    /* In bounds: these bytes were written. */
    for (size_t i = job->row_start; i < job->written; i++) {
        const uint8_t byte = job->data->bytes[i];
        line += byte == '\n';
        column = byte == '\n' ? 1 : column + ((byte & 0xC0) != 0x80);
    }
    job->row_error_line = line;
    job->row_error_column = column;
}

/* Convert the rest of the current row. Return WE_JOB_DONE at its end, or where an error makes it null. */
static inline we_job_result we_job_convert(we_job *job, const uint8_t *bytes, size_t length)
{
    we_decoder *const decoder = &job->decoder;
    we_result result = WE_INPUT_EMPTY;
    while (result != WE_INPUT_EMPTY || job->position < length) {
        const size_t start = job->position, rest = length - start, piece = rest < WE_ROW_PIECE ? rest : WE_ROW_PIECE;
        result = we_job_call(job, bytes, start + piece, piece == rest);
        if (result == WE_OUTPUT_FULL) {
            const size_t most =
                rest < WE_RESERVE / WE_WORST_PER_BYTE ? rest * WE_WORST_PER_BYTE + WE_LEAST_ROOM : WE_RESERVE;
            if (we_job_grow(job, most) < 0)
                return WE_JOB_NO_MEMORY;
        } else if (result != WE_INPUT_EMPTY) {
            if (job->on_error == WE_ON_ERROR_FATAL)
                return WE_JOB_ERROR;
            decoder->error_count += 1;
            if (!job->with_info)
                break; /* the row becomes null */
            job->row_first_error = (int64_t)(job->position - decoder->read_after - decoder->error_length);
            if (we_job_reserve(job, 3) < 0)
                return WE_JOB_NO_MEMORY;
            we_job_place_error(job);
            memcpy(job->data->bytes + job->written, "\xEF\xBF\xBD", 3);
            job->written += 3;
            decoder->error_mode = WE_REPLACE; /* further errors are only counted */
        }
        if ((int64_t)(job->written - job->row_start) > job->limit && job->layout != WE_OFFSETS_64)
            return WE_JOB_TOO_LARGE;
        if (job->position < length && we_job_is_late(job, job->position - start))
            return WE_JOB_PAUSED;
    }
    job->row_errors = (int64_t)decoder->error_count;
    return WE_JOB_DONE;
}

/* Whether rows may be decoded together: those of a single-byte encoding, which has no state. */
static inline int we_job_can_join(const we_job *job)
{
    return job->source->index == 0 && job->labels == NULL && !job->encodes && !job->with_info && job->encoding >= 0
           && job->is_single_byte && we_codec_at(job->engine, job->encoding) != NULL;
}

/* Decode short rows that follow each other in memory together: to UTF-16, of which each byte gives one unit, and to
 * UTF-8, whose offsets are counted. Rows one by one take up to five times as long. Return WE_JOB_DONE, also if the
 * current row must be decoded by itself: then nothing has changed. */
static inline we_job_result we_job_decode_joined(we_job *job)
{
    uint16_t units[WE_JOINED_BYTES];
    int16_t lengths[WE_JOINED_ROWS]; /* -1: null */
    const we_codec *const codec = we_codec_at(job->engine, job->encoding);
    const uint8_t *start = NULL;
    size_t total = 0, at = 0, joined = 0;
    /* The capacity suffices for what is joined; decoding rows by themselves makes it grow. */
    size_t most = job->data != NULL ? job->data->capacity - job->written : 0;
    most = most < WE_ENCODE_SLACK ? 0 : (most - WE_ENCODE_SLACK) / WE_UTF8_PER_BYTE;
    most = most < WE_JOINED_BYTES ? most : WE_JOINED_BYTES;
    while (joined < WE_JOINED_ROWS && job->row + (int64_t)joined < job->end) {
        const uint8_t *bytes = NULL;
        size_t length = 0, mark;
        const int kind = we_source_row(job->source, job->row + (int64_t)joined, &bytes, &length);
        if (kind == WE_ROW_NULL) {
            lengths[joined++] = -1;
            continue;
        }
        if (kind != WE_ROW_BYTES || length > WE_JOINED_LENGTH || total + length > most
            || (length != 0 && total != 0 && bytes != start + total)
            || (job->sniffs_mark && we_bom_sniff(bytes, length, &mark) >= 0)) {
            break;
        }
        start = total == 0 ? bytes : start;
        total += length;
        lengths[joined++] = (int16_t)length;
    }
    if (joined == 0)
        return WE_JOB_DONE;
    we_decode_run run;
    we_decode_run_init(&run, codec, job->engine->simd, job->on_error == WE_ON_ERROR_REPLACE ? WE_REPLACE : WE_STOP,
                       WE_UCS2);
    run.source = start;
    run.source_length = total;
    run.target = units;
    run.end_of_queue = 1;
    if (total != 0) {
        size_t written;
        if (codec->decode[WE_UCS2](&run) != WE_INPUT_EMPTY)
            job->alone = WE_JOB_ALONE; /* rows with errors are seldom alone */
        (void)we_utf_8_run_from_ucs2(run.simd, units, run.written, job->data->bytes + job->written, &written);
    }
    job->row_errors = 0;
    for (size_t i = 0; i < joined; i++) {
        job->row_start = job->written;
        const size_t length = lengths[i] < 0 ? 0 : (size_t)lengths[i];
        if (at + length > run.written)
            break; /* the row with the error */
        job->written += we_utf8_size(units + at, length);
        const we_job_result result = lengths[i] < 0 ? we_job_put_null(job, 0) : we_job_put_text(job);
        if (result != WE_JOB_DONE)
            return result;
        at += length;
        job->row += 1;
    }
    job->work += at + joined * WE_ROW_WORK;
    job->read += (double)at;
    return WE_JOB_DONE;
}

/* Find the encoding of the current row, WE_ENCODING_NULL for null, and its byte order mark. */
static inline we_job_result we_job_look(we_job *job, int kind, const uint8_t *bytes, size_t length)
{
    job->row_start = job->written;
    job->row_errors = 0;
    job->mark = 0;
    job->row_encoding = kind == WE_ROW_NULL   ? WE_ENCODING_NULL
                        : job->labels != NULL ? we_job_label_encoding(job)
                                              : job->encoding;
    if (job->row_encoding == WE_ENCODING_CHANGED)
        return WE_JOB_CHANGED;
    if (job->row_encoding == WE_ENCODING_NEW
        || (job->row_encoding >= 0 && we_codec_at(job->engine, job->row_encoding) == NULL))
        return WE_JOB_LABEL;
    if (job->sniffs_mark && job->row_encoding >= 0) {
        const int which = we_bom_sniff(bytes, length, &job->mark);
        job->row_encoding = which >= 0 ? we_bom_position(which) : job->row_encoding;
    }
    return WE_JOB_DONE;
}

/* Continue after the current row, if it was ended. */
static inline we_job_result we_job_next(we_job *job, we_job_result result, size_t work)
{
    if (result == WE_JOB_DONE) {
        job->row += 1;
        job->work += work + WE_ROW_WORK;
    }
    return result;
}

/* End the current row as null, because of the source or of its label. */
static inline we_job_result we_job_skip(we_job *job)
{
    const uint8_t *bytes;
    size_t length = 0;
    if (job->sharing && we_value_bytes(&job->source->values, job->row, &bytes, &length) != WE_ROW_BYTES)
        return WE_JOB_CHANGED;
    /* Sharing would expose the bytes of a null, which were not validated. */
    if (length != 0)
        return we_job_copy_instead(job);
    return we_job_next(job, we_job_put_null(job, 0), 0);
}

/* Compare the current row with its text. Set `same` and end the row if they are equal. */
static inline we_job_result we_job_share(we_job *job, const uint8_t *bytes, size_t length, int *same)
{
    *same = job->mark == 0;
    while (*same && job->same < length) {
        const size_t step = we_job_same(job, we_codec_at(job->engine, job->row_encoding), bytes, job->same, length);
        *same = step != 0;
        job->same += step;
        if (job->same < length && we_job_is_late(job, step))
            return WE_JOB_PAUSED; /* the next call continues here */
    }
    job->same = 0;
    return *same ? we_job_next(job, we_job_put_same(job, bytes, length), length % WE_SCAN) : WE_JOB_DONE;
}

/* Initialize the state for the current row, whose encoding is known. */
static inline void we_job_open(we_job *job)
{
    const we_codec *const codec = we_codec_at(job->engine, job->row_encoding);
    const int stops = job->on_error != WE_ON_ERROR_REPLACE;
    job->in_row = 1;
    job->position = job->mark;
    we_decoder_init(&job->decoder, job->engine, codec, stops || job->with_info ? WE_FATAL : 0);
    if (we_job_encodes(job))
        we_encoder_init(&job->encoder, job->engine, codec, stops ? WE_FATAL : 0);
}

/* Write what ends the current row, all of which is converted. */
static inline we_job_result we_job_close(we_job *job, size_t length)
{
    const int is_null = job->row_errors != 0 && job->on_error == WE_ON_ERROR_NULL;
    job->in_row = 0;
    job->position = 0;
    job->read += (double)length;
    return we_job_next(job, is_null ? we_job_put_null(job, 1) : we_job_put_text(job), length);
}

/* Convert the current row, or what is left of it. WE_JOB_DONE: continue with job->row. */
static inline we_job_result we_job_run_row(we_job *job)
{
    const uint8_t *bytes = NULL;
    size_t length = 0;
    we_job_result result;
    const int kind = we_source_row(job->source, job->row, &bytes, &length);
    if (kind == WE_ROW_WRONG || job->position > length)
        return WE_JOB_CHANGED;
    if (!job->in_row) {
        int same = 0;
        result = we_job_look(job, kind, bytes, length);
        if (result != WE_JOB_DONE)
            return result;
        if (job->row_encoding == WE_ENCODING_NULL)
            return we_job_skip(job);
        if (job->sharing) {
            result = we_job_share(job, bytes, length, &same);
            return result != WE_JOB_DONE || same ? result : we_job_copy_instead(job);
        }
        if (we_job_convert_short(job, bytes, length))
            return we_job_close(job, length);
        we_job_open(job);
    }
    result = we_job_convert(job, bytes, length);
    return result != WE_JOB_DONE ? result : we_job_close(job, length);
}

/* Convert rows from the current position on. */
static inline we_job_result we_job_run(we_job *job)
{
    job->deadline = we_clock() + WE_SLICE_NANOSECONDS;
    job->work = 0;
    if (job->scanning) {
        const we_job_result result = we_job_scan(job);
        if (result != WE_JOB_DONE || job->scanning)
            return result;
    }
    const int joins = we_job_can_join(job);
    while (job->row < job->end) {
        const int64_t row = job->row;
        we_job_result result = WE_JOB_DONE;
        if (joins && !job->sharing && !job->in_row && job->alone-- <= 0) {
            job->alone = 0;
            result = we_job_decode_joined(job);
        }
        if (result == WE_JOB_DONE && job->row == row)
            result = we_job_run_row(job);
        if (result != WE_JOB_DONE)
            return result;
        if (we_job_is_late(job, 0))
            return WE_JOB_PAUSED;
    }
    return WE_JOB_DONE;
}

/* Convert an array of this package to another format of bytes or text. The bytes are shared if they are contiguous. (A
 * loop of its own would take 0.75 to 0.9 of the time, which is 3 ns a row.) */
static inline we_job_result we_array_cast(we_array *array, const char *format, we_array **out)
{
    char message[WE_MESSAGE_SIZE];
    struct ArrowArray exported;
    we_format from, to;
    we_source source;
    we_job_result result = WE_JOB_NO_MEMORY;
    memset(&from, 0, sizeof from);
    memset(&to, 0, sizeof to);
    *out = NULL;
    if (we_layout_of(array->format, &from) < 0 || we_layout_of(format, &to) < 0)
        return WE_JOB_CHANGED; /* unreachable */
    if (from.layout == to.layout) {
        *out = we_array_copy(array, format);
        return *out != NULL ? WE_JOB_DONE : WE_JOB_NO_MEMORY;
    }
    if (we_array_export(array, &exported) < 0)
        return WE_JOB_NO_MEMORY;
    we_block *const owner = we_block_import(&exported);
    we_job *const job = (we_job *)calloc(1, sizeof *job);
    if (owner == NULL)
        exported.release(&exported);
    if (owner != NULL && job != NULL && we_source_open(&owner->array, "column", &from, &source, message) == 0) {
        job->encodes = !to.is_text;
        job->verbatim = 1;
        job->layout = to.layout;
        job->limit = INT32_MAX;
        if (we_job_start(job, &source, owner) == 0) {
            do
                result = we_job_run(job);
            while (result == WE_JOB_PAUSED);
        }
        if (result == WE_JOB_DONE) {
            *out = we_job_finish(job);
            result = *out != NULL ? WE_JOB_DONE : WE_JOB_NO_MEMORY;
        }
        if (*out != NULL) {
            (*out)->name = array->name;
            (*out)->flags = array->flags;
        }
        we_job_clear(job);
    }
    we_block_drop(owner);
    free(job);
    return result;
}

#endif
