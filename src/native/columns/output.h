/* The array that a column's rows are written to: its start, its capacity, the end of each row, and its end. rows.h
 * decodes and encodes the rows.
 *
 * A job converts the rows of one array to one or more arrays. As long as the bytes of each row equal its text (ASCII in
 * an ASCII-compatible encoding, valid UTF-8 in UTF-8), it shares: it writes nothing, and the result refers to the
 * buffers of the source. At the first other row, it starts again and copies. Views are made of 64-bit offsets at the
 * end, unless those of the source are shared. */
#ifndef WE_ARROW_OUTPUT_H
#define WE_ARROW_OUTPUT_H

#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "encode.h"
#include "encodings.h"
#include "result.h"
#include "source.h"

enum {
    WE_ENCODING_NULL = -1, /* the label is null, or names no encoding, and the row becomes null */
    WE_ENCODING_NEW = -2,  /* the cache does not have the label */
    WE_ENCODING_CHANGED = -3,
    WE_LABEL_SIZE = 46,
    WE_LABEL_SLOTS = 256
};

enum {
    WE_SLICE_WORK = 32768, /* bytes between two readings of the clock */
    WE_ROW_WORK = 32,      /* the cost of a row in bytes, in addition to its bytes */
    WE_SCAN = 262144,      /* upper bound on the bytes of one scan */
    WE_ROW_PIECE = 32768,  /* upper bound on the bytes of a row for one call of a loop */
    WE_RESERVE = WE_SLACK, /* capacity reserved for the worst case; more is estimated */
    /* bytes that one byte of a row may take, in a reference, and what the engine needs to continue (decode.h) */
    WE_WORST_PER_BYTE = WE_MAX_REFERENCE_PER_UNIT,
    WE_LEAST_ROOM = WE_LEAST_DECODED * WE_UTF8_PER_BYTE,
    WE_SHORT_ROW = 512,     /* upper bound on the bytes of a row that is converted without the engine */
    WE_JOINED_BYTES = 4096, /* upper bounds on the rows that are decoded together */
    WE_JOINED_ROWS = 256,
    /* upper bound on the bytes of such a row: longer ones gain only with windows-1251 and the like (0.6 to 0.8), while
     * those of Latin-1, for which the loop has a way of its own, would take 1.2 times as long */
    WE_JOINED_LENGTH = 256,
    WE_JOB_ALONE = 16 /* rows that are decoded by themselves after an error */
};

typedef enum { WE_ON_ERROR_REPLACE, WE_ON_ERROR_FATAL, WE_ON_ERROR_NULL } we_on_error;

/* A cache from labels to encodings, in front of the mapping in Python. */
typedef struct {
    uint8_t length[WE_LABEL_SLOTS];   /* plus one; 0: the slot is empty */
    int16_t encoding[WE_LABEL_SLOTS]; /* its position, or WE_ENCODING_NULL */
    uint8_t bytes[WE_LABEL_SLOTS][WE_LABEL_SIZE];
    size_t last;
} we_label_cache;

/* A chunk of the column of labels, whose first label is that of row `start` of the source. */
typedef struct {
    const we_source *source;
    int64_t start;
} we_label_chunk;

typedef enum {
    WE_JOB_DONE,
    WE_JOB_PAUSED,    /* handle signals and call again */
    WE_JOB_LABEL,     /* the label of `row` has to be looked up */
    WE_JOB_ERROR,     /* fatal mode: an error in `row` */
    WE_JOB_FULL,      /* finish this array and continue in another one */
    WE_JOB_TOO_LARGE, /* the text of `row` alone exceeds the limit of the layout */
    WE_JOB_CHANGED,   /* the buffers have changed since they were checked */
    WE_JOB_NO_MEMORY
} we_job_result;

typedef struct {
    /* The task: what all sources of a column have in common. */
    const we_label_chunk *labels;
    size_t label_count;
    we_label_cache *cache;
    const we_engine *engine;
    int encoding;       /* without labels: the position of the one of all rows */
    int is_single_byte; /* that encoding */
    int encodes;
    int sniffs_mark;
    int with_info;
    we_on_error on_error;
    we_layout layout;
    int64_t limit;   /* upper bound on a 32-bit offset and on the size of a buffer of views */
    int verbatim;    /* all rows keep their bytes, in another layout */
    we_array *names; /* the dictionary of encodings */

    /* The source: we_job_start sets this and all that follows. */
    const we_source *source;
    we_block *owner; /* of the buffers of the source */
    int64_t end;

    /* The position. */
    int64_t first; /* the first row of the current array */
    int64_t row;
    size_t position;
    int in_row;       /* the encoding of the row is known, and part of it is decoded */
    int row_encoding; /* its position, or WE_ENCODING_NULL */
    size_t mark;      /* bytes of the byte order mark */
    size_t same;      /* bytes of the row that were found to be text as they are */
    size_t label_at;
    int64_t looked_up_row; /* the row, plus one, and the encoding of the last label that Python has looked up */
    int looked_up_encoding;
    int sharing;
    int scanning; /* the source is read as a whole: no row needs to be changed so far */
    int64_t scan; /* bytes of the data of the source that were scanned */
    size_t work;
    int64_t deadline;
    int alone; /* rows that are not to be joined with others */

    /* The output of the current array. */
    we_array *array; /* a struct with information, or the text */
    we_array *text;
    we_layout written_as; /* the layout of the text until it is finished */
    uint8_t *items;       /* its offsets; null: those of the source, or its views, are shared */
    we_block *data;
    size_t written;
    size_t row_start;
    double read; /* bytes of the rows that were written */
    int64_t rows_with_errors;
    int64_t row_errors;
    int64_t row_first_error;  /* its offset in the row */
    int64_t row_error_line;   /* of the text before it, from 1 */
    int64_t row_error_column; /* in code points, from 1 */

    /* The state of the current row. */
    we_decoder decoder;
    we_encoder encoder;
} we_job;

/* ---- Start and end of an array ----------------------------------------------------------------------------------- */

static inline void we_job_clear(we_job *job)
{
    we_array_drop(job->array);
    we_block_drop(job->data);
    job->array = job->text = NULL;
    job->items = NULL;
    job->data = NULL;
    job->written = job->row_start = 0;
    job->read = 0;
    job->in_row = 0;
    job->position = job->same = 0;
}

/* Copy `length` bits, starting at bit `offset`, to the start of `target`. */
static inline void we_copy_bits(const uint8_t *bits, int64_t offset, int64_t length, uint8_t *target)
{
    const uint8_t *const from = bits + (offset >> 3);
    const int shift = (int)(offset & 7);
    /* The last byte that holds one of the bits: no byte after it is read. */
    const int64_t last = (shift + length - 1) >> 3;
    for (int64_t i = 0; i < (length + 7) / 8; i++)
        target[i] = (uint8_t)(from[i] >> shift | (i < last ? from[i + 1] << (8 - shift) : 0));
}

static inline size_t we_offset_width(we_layout layout)
{
    return layout == WE_OFFSETS_32 ? 4 : 8;
}

/* Append a buffer of the source to the text. Return 0, or -1 if memory is exhausted. */
static inline int we_job_add_shared(we_job *job, const void *bytes, int64_t size)
{
    return we_array_add(job->text, bytes != NULL ? bytes : we_nothing, size, we_block_keep(job->owner));
}

enum { WE_FIRST_PLACE = 3 }; /* the child for the offset of the first error; those for its line and column follow */

/* Begin the struct with information, as if no row had errors. Return 0, or -1 if memory is exhausted. */
static inline int we_job_begin_info(we_job *job, int64_t rows)
{
    we_block *const has_errors = we_block_of_zeros(((size_t)rows + 7) / 8); /* the validity of three children */
    we_array *const array = we_array_new("+s", "", rows);
    if (has_errors == NULL || array == NULL) {
        we_block_drop(has_errors);
        we_array_drop(array);
        return -1;
    }
    array->flags = 0;
    we_array_adopt(array, job->text);
    job->array = array;
    job->rows_with_errors = 0;
    we_array *const encodings = we_array_adopt(array, we_array_of_width("c", "encoding", rows, 1));
    we_array *const errors = we_array_adopt(array, we_array_of_width("i", "errors", rows, 4));
    int failed = encodings == NULL || errors == NULL;
    for (size_t i = 0; i < 3 && !failed; i++) {
        static const char *const names[] = {"first_error", "line", "column"};
        we_array *const place = we_array_adopt(array, we_array_of_width("l", names[i], rows, 8));
        failed = place == NULL;
        if (!failed) {
            place->blocks[0] = we_block_keep(has_errors);
            place->buffers[0] = has_errors->bytes;
        }
    }
    we_block_drop(has_errors);
    if (failed)
        return -1;
    we_array_adopt(encodings, we_array_keep(job->names));
    errors->flags = 0;
    return 0;
}

/* Begin an array at the current row. Return 0, or -1 if memory is exhausted. */
static inline int we_job_begin(we_job *job)
{
    const we_values *const values = &job->source->values;
    const int64_t rows = job->end - job->row;
    const int shares_views = job->sharing && values->layout == WE_VIEWS;
    we_job_clear(job);
    job->first = job->row;
    job->written_as = job->layout == WE_VIEWS && !shares_views ? WE_OFFSETS_64 : job->layout;
    job->array = job->text =
        we_array_new(we_format_name(job->written_as, !job->encodes), job->with_info ? "text" : "", rows);
    if (job->text == NULL)
        return -1;
    if (!job->sharing || job->written_as != values->layout || job->layout != job->written_as) {
        const size_t width = we_offset_width(job->written_as);
        job->items = we_array_add_new(job->text, (size_t)(rows + 1) * width);
        if (job->items == NULL)
            return -1;
        memset(job->items, 0, width);
    } else if (we_job_add_shared(job, we_values_items(values), 0) < 0) {
        return -1;
    }
    if (shares_views) {
        for (int64_t i = 0; i < values->variadic_count; i++)
            if (we_job_add_shared(job, values->variadic[i], we_load_i64(values->sizes + i * 8)) < 0)
                return -1;
    }
    return job->with_info ? we_job_begin_info(job, rows) : 0;
}

/* Return whether the result can share the buffers of the source. */
static inline int we_job_can_share(const we_job *job)
{
    const we_values *const values = &job->source->values;
    if (job->source->index != 0)
        return 0;
    if (values->layout == WE_VIEWS)
        return job->layout == WE_VIEWS && values->null_views_are_empty;
    /* The offsets of rows without bytes may exceed the memory: they are allocated before the rows are read. */
    if (values->layout == WE_NO_VALUES || (values->layout == WE_FIXED && values->width == 0))
        return 0;
    if (values->layout == WE_FIXED && values->width > job->limit && job->layout != WE_OFFSETS_64)
        return 0;
    return job->layout != WE_OFFSETS_32 || values->last - values->first <= job->limit;
}

/* Begin to convert a source, whose buffers are those of `owner`. Return 0, or -1 if memory is exhausted. */
static inline int we_job_start(we_job *job, const we_source *source, we_block *owner)
{
    we_job_clear(job);
    memset(&job->source, 0, sizeof *job - offsetof(we_job, source));
    job->source = source;
    job->owner = owner;
    job->end = source->length;
    job->sharing = we_job_can_share(job);
    job->scanning = job->verbatim
                    || (job->sharing && job->labels == NULL && !job->with_info && source->values.layout != WE_VIEWS
                        && job->encoding >= 0);
    job->scan = job->source->values.first;
    return we_job_begin(job);
}

/* Restart at the first row of the array, and copy instead of sharing. */
static inline we_job_result we_job_copy_instead(we_job *job)
{
    job->sharing = job->scanning = 0;
    job->row = job->first;
    job->label_at = 0;
    return we_job_begin(job) < 0 ? WE_JOB_NO_MEMORY : WE_JOB_DONE;
}

/* Set the validity of the text to that of the source. */
static inline int we_job_share_validity(we_job *job)
{
    const we_values *const values = &job->source->values;
    we_array *const text = job->text;
    we_block_drop(text->blocks[0]);
    text->buffers[0] = text->blocks[0] = NULL;
    text->null_count = values->validity != NULL ? values->null_count : 0;
    if (text->null_count == 0)
        return 0;
    if ((values->offset & 7) == 0) {
        text->buffers[0] = values->validity + values->offset / 8;
        text->blocks[0] = we_block_keep(job->owner);
        return 0;
    }
    text->blocks[0] = we_block_new((size_t)(text->length + 7) / 8);
    if (text->blocks[0] == NULL)
        return -1;
    we_copy_bits(values->validity, values->offset, text->length, text->blocks[0]->bytes);
    text->buffers[0] = text->blocks[0]->bytes;
    return 0;
}

/* Append what was written to the text, or what it shares. Return 0, or -1 if memory is exhausted. */
static inline int we_job_finish_data(we_job *job)
{
    const we_values *const values = &job->source->values;
    we_array *const text = job->text;
    we_block *const data = job->data;
    if (job->written_as == WE_VIEWS)
        return we_array_add_sizes(text);
    if (job->sharing) {
        /* Offsets of the source start where its first value does, and others at zero. */
        const int starts_at_zero = job->items != NULL && values->data != NULL;
        return we_job_add_shared(job, starts_at_zero ? values->data + values->first : values->data, 0);
    }
    if (data == NULL)
        return we_array_add(text, we_nothing, 0, NULL);
    we_block_trim(data, job->written);
    job->data = NULL;
    return we_array_add(text, data->bytes, (int64_t)job->written, data);
}

static inline void we_write_view(uint8_t *view, const uint8_t *bytes, size_t length, int32_t buffer, int32_t start)
{
    const int32_t size = (int32_t)length;
    memset(view, 0, WE_VIEW_SIZE);
    memcpy(view, &size, 4);
    if (length <= WE_VIEW_INLINE) {
        if (length > 0)
            memcpy(view + 4, bytes, length);
    } else {
        memcpy(view + 4, bytes, 4);
        memcpy(view + 8, &buffer, 4);
        memcpy(view + 12, &start, 4);
    }
}

/* Replace the text, which has 64-bit offsets, by views of its data. Return 0, or -1 if memory is exhausted. */
static inline int we_job_make_views(we_job *job)
{
    we_array *const text = job->text;
    const uint8_t *const offsets = we_array_items(text), *const data = (const uint8_t *)text->buffers[2];
    int64_t segment = 0, start = 0; /* where the last buffer and the row begin in the data */
    we_array *const views = we_array_new(we_format_name(WE_VIEWS, !job->encodes), text->name, text->length);
    uint8_t *const items = views != NULL ? we_array_add_new(views, (size_t)text->length * WE_VIEW_SIZE) : NULL;
    int failed = items == NULL;
    for (int64_t row = 0; row < text->length && !failed; row++) {
        const int64_t end = we_load_i64(offsets + (row + 1) * 8), length = end - start;
        if (length > WE_VIEW_INLINE && (views->n_buffers == 2 || end - segment > job->limit)) {
            const int64_t rest = we_load_i64(offsets + text->length * 8) - start;
            segment = start;
            failed =
                we_array_add(views, data + start, rest < job->limit ? rest : job->limit, we_block_keep(text->blocks[2]))
                < 0;
        }
        we_write_view(items + row * WE_VIEW_SIZE, data + start, (size_t)length, (int32_t)(views->n_buffers - 3),
                      (int32_t)(start - segment));
        start = end;
    }
    if (failed || we_array_add_sizes(views) < 0) {
        we_array_drop(views);
        return -1;
    }
    views->null_count = text->null_count;
    views->buffers[0] = text->buffers[0];
    views->blocks[0] = we_block_keep(text->blocks[0]);
    *(job->with_info ? &job->array->children[0] : &job->array) = views;
    we_array_drop(text);
    job->text = views;
    return 0;
}

/* End the current array before the current row. Return it, or null if memory is exhausted. */
static inline we_array *we_job_finish(we_job *job)
{
    static const size_t widths[] = {0, 1, 4, 8, 8, 8}; /* of the children */
    const we_values *const values = &job->source->values;
    const int64_t rows = job->row - job->first, nulls = values->validity != NULL ? values->null_count : 0;
    job->array->length = job->text->length = rows;
    for (int64_t i = 1; job->with_info && i < job->array->n_children; i++) {
        we_array_trim(job->array->children[i], 1, (size_t)rows * widths[i]);
        job->array->children[i]->length = rows;
        if (i >= WE_FIRST_PLACE)
            job->array->children[i]->null_count = rows - job->rows_with_errors;
    }
    if (job->items != NULL)
        we_array_trim(job->text, 1, (size_t)(rows + 1) * we_offset_width(job->written_as));
    if (((job->scanning || (job->sharing && job->text->null_count == nulls)) && we_job_share_validity(job) < 0)
        || we_job_finish_data(job) < 0 || (job->layout != job->written_as && we_job_make_views(job) < 0))
        return NULL;
    we_array *const array = job->array;
    job->array = job->text = NULL;
    return array;
}

/* ---- Capacity ---------------------------------------------------------------------------------------------------- */

/* Return the remaining bytes of the source, including the current row. */
static inline double we_job_remaining(const we_job *job)
{
    const we_values *const values = &job->source->values;
    const double rows = (double)(job->end - job->row);
    if (job->source->index != 0) {
        /* Estimated from the average of the previous rows. */
        return job->row > job->first ? job->read / (double)(job->row - job->first) * rows : 0;
    }
    if (values->layout == WE_VIEWS)
        return (double)values->total * rows / (double)(values->length > 0 ? values->length : 1);
    if (values->layout == WE_FIXED)
        return (double)values->width * rows;
    return (double)(values->last - we_offset_at(values, job->row));
}

/* Grow the current block to a capacity of at least `need` more bytes. Return 0, or -1 if memory is exhausted. */
static inline int we_job_grow(we_job *job, size_t need)
{
    const size_t used = job->written;
    const double remaining = we_job_remaining(job);
    /* The rest is taken to give what the rows so far gave; before the first one, a few kilobytes tell. */
    const double read = job->read + (double)job->position, rest = remaining - (double)job->position;
    const double likely = read > 0 ? rest * ((double)used + 1) / read * 1.015625 : WE_RESERVE;
    const double least = job->data != NULL ? (double)job->data->capacity * 1.125 : 0;
    double capacity = (double)used + (likely > 0 ? likely : 0) + (double)need;
    capacity = capacity > least ? capacity : least;
    if (capacity > (double)(SIZE_MAX / 2) || capacity > (double)PTRDIFF_MAX)
        return -1;
    const size_t size = (size_t)capacity > used + need ? (size_t)capacity : used + need;
    if (job->data == NULL) {
        job->data = we_block_new(size);
        return job->data == NULL ? -1 : 0;
    }
    return we_block_resize(job->data, size);
}

static inline int we_job_reserve(we_job *job, size_t need)
{
    return job->data != NULL && job->data->capacity - job->written >= need ? 0 : we_job_grow(job, need);
}

/* ---- The end of a row -------------------------------------------------------------------------------------------- */

static inline void we_job_put_offset(we_job *job, int64_t index)
{
    if (job->written_as == WE_OFFSETS_32) {
        const int32_t narrow = (int32_t)job->written;
        memcpy(job->items + index * 4, &narrow, 4);
    } else {
        const int64_t wide = (int64_t)job->written;
        memcpy(job->items + index * 8, &wide, 8);
    }
}

/* Write the information on the current row. Where it has no errors, their number is 0, and the place of the first one
 * is null, from the start. */
static inline we_job_result we_job_put_info(we_job *job, int64_t index, int is_null)
{
    we_array *const *const children = job->array->children;
    /* In bounds, here and below: the index is less than the number of rows for which the children were allocated. */
    we_array_items(children[1])[index] = (uint8_t)(is_null ? 0 : job->row_encoding);
    if (is_null && we_array_set_null(children[1], index) < 0)
        return WE_JOB_NO_MEMORY;
    if (job->row_errors == 0)
        return WE_JOB_DONE;
    const int32_t errors = job->row_errors > INT32_MAX ? INT32_MAX : (int32_t)job->row_errors;
    const int64_t place[] = {job->row_first_error, job->row_error_line, job->row_error_column};
    memcpy(we_array_items(children[2]) + index * 4, &errors, 4);
    for (int i = 0; i < 3; i++)
        memcpy(we_array_items(children[WE_FIRST_PLACE + i]) + index * 8, &place[i], 8);
    children[WE_FIRST_PLACE]->blocks[0]->bytes[index >> 3] |= (uint8_t)(1u << (index & 7)); /* which all three share */
    job->rows_with_errors += 1;
    return WE_JOB_DONE;
}

/* End the current row as null. `has_encoding`: because of an error in its bytes. */
static inline we_job_result we_job_put_null(we_job *job, int has_encoding)
{
    const int64_t index = job->row - job->first;
    if (we_array_set_null(job->text, index) < 0)
        return WE_JOB_NO_MEMORY;
    job->written = job->row_start;
    if (job->items != NULL)
        we_job_put_offset(job, index + 1);
    if (!job->with_info)
        return WE_JOB_DONE;
    if (!has_encoding)
        job->row_errors = 0;
    return we_job_put_info(job, index, !has_encoding);
}

/* End the current row with the text that was written since row_start. */
static inline we_job_result we_job_put_text(we_job *job)
{
    const int64_t index = job->row - job->first;
    const size_t length = job->written - job->row_start;
    if (job->layout != WE_OFFSETS_64 && (int64_t)length > job->limit)
        return WE_JOB_TOO_LARGE;
    if (job->layout == WE_OFFSETS_32 && (int64_t)job->written > job->limit) {
        job->written = job->row_start;
        return WE_JOB_FULL;
    }
    we_job_put_offset(job, index + 1);
    return job->with_info ? we_job_put_info(job, index, 0) : WE_JOB_DONE;
}

/* End the current row with its own bytes, which equal its text. */
static inline we_job_result we_job_put_same(we_job *job, const uint8_t *bytes, size_t length)
{
    const we_values *const values = &job->source->values;
    const int64_t index = job->row - job->first;
    if (!job->sharing) {
        if (we_job_reserve(job, length) < 0)
            return WE_JOB_NO_MEMORY;
        if (length > 0)
            memcpy(job->data->bytes + job->written, bytes, length);
        job->written += length;
        return we_job_put_text(job);
    }
    if (job->layout == WE_VIEWS && (int64_t)length > job->limit)
        return WE_JOB_TOO_LARGE;
    if (job->items != NULL) {
        job->written += length;
        if ((int64_t)job->written > values->last - values->first)
            return WE_JOB_CHANGED;
        we_job_put_offset(job, index + 1);
    }
    return job->with_info ? we_job_put_info(job, index, 0) : WE_JOB_DONE;
}

#endif
