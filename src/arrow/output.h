/* The array that a column's rows are written to: its start, its capacity, the end of each row, and its end. rows.h
 * decodes and encodes the rows.
 *
 * A job converts the rows of one array to one or more arrays. As long as the bytes of each row equal its text (ASCII in
 * an ASCII-compatible encoding, valid UTF-8 in UTF-8), it shares: it writes nothing, and the result refers to the
 * buffers of the source. At the first other row, it starts again and copies. Views are shared row by row in both cases.
 */
#ifndef WE_ARROW_OUTPUT_H
#define WE_ARROW_OUTPUT_H

#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "encode.h"
#include "result.h"
#include "source.h"

enum {
    WE_ENCODINGS = 40,
    WE_CODE_NULL = -1, /* the label is null, or names no encoding, and the row becomes null */
    WE_CODE_NEW = -2,  /* the cache does not have the label */
    WE_CODE_CHANGED = -3,
    WE_LABEL_SIZE = 46,
    WE_LABEL_SLOTS = 256
};

enum {
    WE_SLICE_NANOSECONDS = 6000000, /* the upper bound on the duration of one call */
    WE_SLICE_WORK = 32768,          /* bytes between two readings of the clock */
    WE_ROW_WORK = 32,               /* the cost of a row in bytes, in addition to its bytes */
    WE_SCAN = 262144,               /* upper bound on the bytes of one scan */
    WE_PIECE = 32768,               /* upper bound on the bytes of a row for one call of a loop */
    WE_RESERVE = WE_SLACK,          /* capacity reserved for the worst case; more is estimated */
    /* bytes that one byte of a row may take, in a reference, and what the engine needs to continue (decode.h) */
    WE_WORST_PER_BYTE = WE_MAX_REFERENCE_PER_UNIT,
    WE_LEAST_ROOM = WE_LEAST_DECODED * WE_UTF8_PER_BYTE,
    WE_SHORT_ROW = 512,     /* upper bound on the bytes of a row that is converted without the engine */
    WE_JOINED_BYTES = 4096, /* upper bounds on the rows that are decoded together */
    WE_JOINED_ROWS = 256,
    WE_JOINED_LENGTH = 128,       /* upper bound on the bytes of such a row: longer ones gain nothing */
    WE_ROWS_ALONE = 16,           /* rows that are decoded by themselves after an error */
    WE_LEAST_VIEWS_BLOCK = 32768, /* lower and upper bound on the capacity of a buffer of views */
    WE_MOST_VIEWS_BLOCK = 8388608
};

typedef enum { WE_ON_ERROR_REPLACE, WE_ON_ERROR_FATAL, WE_ON_ERROR_NULL } we_on_error;

typedef struct {
    const we_codec *codec; /* null until the encoding is first used */
    int is_utf_8;
    int is_single_byte;
} we_column_codec;

/* A cache from labels to codes, in front of the mapping in Python. */
typedef struct {
    uint8_t length[WE_LABEL_SLOTS]; /* plus one; 0: the slot is empty */
    int8_t code[WE_LABEL_SLOTS];
    uint8_t bytes[WE_LABEL_SLOTS][WE_LABEL_SIZE];
    size_t last;
} we_label_cache;

/* A chunk of the column of labels, whose first label is that of row `start` of the source. */
typedef struct {
    const we_source *source;
    int64_t start;
} we_label_chunk;

typedef enum {
    WE_ROWS_DONE,
    WE_ROWS_PAUSED,    /* handle signals and call again */
    WE_ROWS_LABEL,     /* the label of `row` has to be looked up */
    WE_ROWS_ERROR,     /* fatal mode: an error in `row` */
    WE_ROWS_FULL,      /* finish this array and continue in another one */
    WE_ROWS_TOO_LARGE, /* the text of `row` alone exceeds the limit of the layout */
    WE_ROWS_CHANGED,   /* the buffers have changed since they were checked */
    WE_ROWS_NO_MEMORY
} we_rows_result;

typedef struct {
    /* The task. */
    const we_source *source;
    we_block *owner; /* of the buffers of the source */
    const we_label_chunk *labels;
    size_t label_count;
    we_label_cache *cache;
    const we_column_codec *codecs; /* WE_ENCODINGS of them */
    const we_engine *engine;
    int encoding;           /* the code, without labels */
    int bom_codes[WE_BOMS]; /* of the encodings that byte order marks name */
    int encodes;
    int sniffs_mark;
    int with_info;
    we_on_error on_error;
    we_layout layout;
    int64_t limit; /* upper bound on a 32-bit offset and on the size of a buffer of views */
    int64_t end;

    /* The position. */
    int64_t first; /* the first row of the current array */
    int64_t row;
    size_t position;
    int in_row; /* the encoding of the row is known, and part of it is decoded */
    int code;
    size_t mark; /* bytes of the byte order mark */
    size_t same; /* bytes of the row that were found to be text as they are */
    size_t label_at;
    int64_t looked_up_row; /* the row, plus one, and code of the last label that Python has looked up */
    int looked_up_code;
    int sharing;
    int scanned;  /* while sharing: the whole source was scanned, and no row needs to be changed */
    int64_t scan; /* bytes of the data of the source that were scanned */
    int64_t scan_row;
    size_t work;
    int64_t deadline;
    int alone; /* rows that are not to be joined with others */

    /* The output of the current array. */
    we_block *validity;
    int64_t nulls;
    we_block *items; /* offsets or views */
    we_block *data;
    size_t written;
    size_t row_start;
    we_block **sealed; /* full buffers of views, and their sizes */
    int64_t *sealed_sizes;
    int64_t sealed_count;
    double read; /* bytes of the rows that were written */
    we_block *codes, *code_validity, *errors, *first_errors, *first_error_validity;
    int64_t code_nulls, first_error_nulls;
    int64_t row_errors;
    int64_t row_first_error;

    /* The state of the current row. */
    we_decoder decoder;
    we_encoder encoder;
} we_rows;

/* ---- Start and end of an array ----------------------------------------------------------------------------------- */

static inline void we_rows_clear(we_rows *job)
{
    we_block_drop(job->validity);
    we_block_drop(job->items);
    we_block_drop(job->data);
    for (int64_t i = 0; i < job->sealed_count; i++)
        we_block_drop(job->sealed[i]);
    free(job->sealed);
    free(job->sealed_sizes);
    we_block_drop(job->codes);
    we_block_drop(job->code_validity);
    we_block_drop(job->errors);
    we_block_drop(job->first_errors);
    we_block_drop(job->first_error_validity);
    job->validity = job->items = job->data = NULL;
    job->codes = job->code_validity = job->errors = job->first_errors = job->first_error_validity = NULL;
    job->sealed = NULL;
    job->sealed_sizes = NULL;
    job->sealed_count = 0;
    job->nulls = job->code_nulls = job->first_error_nulls = 0;
    job->written = job->row_start = 0;
    job->read = 0;
    job->in_row = 0;
    job->position = job->same = 0;
}

static inline we_block *we_bits_new(int64_t rows, int value)
{
    we_block *const block = we_block_new((size_t)(rows + 7) / 8);
    if (block != NULL)
        memset(block->bytes, value ? 0xFF : 0, block->capacity);
    return block;
}

static inline size_t we_item_width(we_layout layout)
{
    return layout == WE_OFFSETS_32 ? 4 : layout == WE_OFFSETS_64 ? 8 : WE_VIEW_SIZE;
}

/* Begin an array at the current row. Return 0, or -1 if memory is exhausted. */
static inline int we_rows_begin(we_rows *job)
{
    we_rows_clear(job);
    const int64_t rows = job->end - job->row;
    job->first = job->row;
    if (!job->sharing) {
        job->items = we_block_new((size_t)(rows + (job->layout != WE_VIEWS)) * we_item_width(job->layout));
        if (job->items == NULL)
            return -1;
        if (job->layout != WE_VIEWS)
            memset(job->items->bytes, 0, we_item_width(job->layout));
    }
    if (job->with_info) {
        job->codes = we_block_new((size_t)rows);
        job->code_validity = we_bits_new(rows, 1);
        job->errors = we_block_new((size_t)rows * 4);
        job->first_errors = we_block_new((size_t)rows * 8);
        job->first_error_validity = we_bits_new(rows, 0);
        if (job->codes == NULL || job->code_validity == NULL || job->errors == NULL || job->first_errors == NULL
            || job->first_error_validity == NULL) {
            return -1;
        }
    }
    return 0;
}

/* Return whether the views of a result may refer to the buffers of the source, row by row. */
static inline int we_rows_shares_views(const we_rows *job)
{
    return job->layout == WE_VIEWS && job->source->values.layout == WE_VIEWS && job->source->index == 0;
}

/* Return whether the result can share the buffers of the source. */
static inline int we_rows_can_share(const we_rows *job)
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

/* Begin a job whose members up to `end` are set and whose others are zero. Return 0, or -1 if memory is exhausted. */
static inline int we_rows_start(we_rows *job)
{
    job->sharing = we_rows_can_share(job);
    job->scan = job->source->values.first;
    return we_rows_begin(job);
}

/* Restart at the first row of the array, and copy instead of sharing. */
static inline we_rows_result we_rows_copy_instead(we_rows *job)
{
    job->sharing = 0;
    job->row = job->first;
    job->label_at = 0;
    return we_rows_begin(job) < 0 ? WE_ROWS_NO_MEMORY : WE_ROWS_DONE;
}

/* Set the validity of a result whose nulls are those of the source. */
static inline int we_rows_share_validity(const we_rows *job, we_array *array)
{
    const we_values *const values = &job->source->values;
    if (values->validity == NULL || values->null_count == 0)
        return 0;
    array->null_count = values->null_count;
    if ((values->offset & 7) == 0) {
        array->buffers[0] = values->validity + values->offset / 8;
        return 0;
    }
    array->blocks[0] = we_block_new((size_t)(array->length + 7) / 8);
    if (array->blocks[0] == NULL)
        return -1;
    we_copy_bits(values->validity, values->offset, array->length, array->blocks[0]->bytes);
    array->buffers[0] = array->blocks[0]->bytes;
    return 0;
}

/* Make the text of an array that shares the buffers of the source, in the same layout also its offsets or views. */
static inline we_layout_result we_rows_shared_text(we_rows *job, we_array **out)
{
    const we_values *const values = &job->source->values;
    const int adds_nulls = !job->scanned && job->nulls != (values->validity != NULL ? values->null_count : 0);
    if (job->layout != values->layout) {
        we_values these = *values;
        if (adds_nulls)
            these.validity = NULL;
        const we_layout_result result = we_relayout(&these, job->layout, &job->owner, 1, job->limit, out);
        if (result == WE_LAYOUT_DONE && adds_nulls) {
            (*out)->blocks[0] = job->validity;
            (*out)->buffers[0] = job->validity->bytes;
            (*out)->null_count = job->nulls;
            job->validity = NULL;
        }
        return result;
    }
    const int64_t variadic = values->layout == WE_VIEWS ? values->variadic_count : 0;
    we_array *const array = we_array_new(3 + variadic, 3, 0);
    if (array == NULL)
        return WE_LAYOUT_NO_MEMORY;
    array->length = values->length;
    array->blocks[1] = we_block_keep(job->owner);
    if (adds_nulls) {
        array->blocks[0] = job->validity;
        array->buffers[0] = job->validity->bytes;
        array->null_count = job->nulls;
        job->validity = NULL;
    } else if (we_rows_share_validity(job, array) < 0) {
        we_array_drop(array);
        return WE_LAYOUT_NO_MEMORY;
    }
    /* A block of zeros replaces a buffer that an empty source lacks. */
    array->blocks[2] = we_sizes_new(1);
    if (array->blocks[2] == NULL) {
        we_array_drop(array);
        return WE_LAYOUT_NO_MEMORY;
    }
    const uint8_t *const nothing = array->blocks[2]->bytes;
    if (values->layout == WE_VIEWS) {
        array->buffers[1] = values->views != NULL ? values->views + values->offset * WE_VIEW_SIZE : nothing;
        for (int64_t i = 0; i < variadic; i++)
            array->buffers[2 + i] = values->variadic[i];
        array->buffers[2 + variadic] = values->sizes != NULL ? values->sizes : nothing;
    } else {
        /* The offset buffer of an array without values may be empty. */
        array->buffers[1] =
            values->length != 0 ? values->offsets + values->offset * (int64_t)we_item_width(values->layout) : nothing;
        array->buffers[2] = values->data != NULL ? values->data : nothing;
    }
    *out = array;
    return WE_LAYOUT_DONE;
}

/* Make the text of an array that was written. */
static inline we_array *we_rows_written_text(we_rows *job)
{
    const we_values *const values = &job->source->values;
    const int64_t rows = job->row - job->first;
    const int64_t inherited = we_rows_shares_views(job) ? values->variadic_count : 0;
    /* Some consumers do not expect an empty buffer. */
    const int64_t own = job->layout == WE_VIEWS ? job->sealed_count + (job->data != NULL && job->written != 0) : 0;
    const int64_t variadic = inherited + own;
    we_array *const array = we_array_new(3 + variadic, 5 + job->sealed_count, 0);
    we_block *const sizes = we_sizes_new(variadic + 1);
    we_block *const data = job->data != NULL ? NULL : we_block_new(0);
    if (array == NULL || sizes == NULL || (job->data == NULL && data == NULL)) {
        we_array_drop(array);
        we_block_drop(sizes);
        we_block_drop(data);
        return NULL;
    }
    if (data == NULL)
        we_block_trim(job->data, job->written);
    else if (job->layout != WE_VIEWS)
        job->data = data;
    else
        we_block_drop(data);
    we_block_trim(job->items, (size_t)(rows + (job->layout != WE_VIEWS)) * we_item_width(job->layout));
    array->length = rows;
    array->null_count = job->nulls;
    array->blocks[0] = job->validity;
    array->blocks[1] = job->items;
    array->blocks[2] = job->data;
    array->blocks[3] = sizes;
    if (job->validity != NULL)
        array->buffers[0] = job->validity->bytes;
    array->buffers[1] = job->items->bytes;
    if (job->layout == WE_VIEWS) {
        if (inherited > 0)
            array->blocks[4] = we_block_keep(job->owner);
        for (int64_t i = 0; i < inherited; i++) {
            array->buffers[2 + i] = values->variadic[i];
            memcpy(sizes->bytes + i * 8, values->sizes + i * 8, 8);
        }
        for (int64_t i = 0; i < own; i++) {
            const int is_last = i == job->sealed_count;
            we_block *const block = is_last ? job->data : job->sealed[i];
            const int64_t size = is_last ? (int64_t)job->written : job->sealed_sizes[i];
            if (!is_last)
                array->blocks[5 + i] = block;
            array->buffers[2 + inherited + i] = block->bytes;
            memcpy(sizes->bytes + (inherited + i) * 8, &size, 8);
        }
        array->buffers[2 + variadic] = sizes->bytes;
    } else {
        array->buffers[2] = job->data->bytes;
    }
    job->validity = job->items = job->data = NULL;
    job->sealed_count = 0;
    return array;
}

/* Make a child of the result's struct with values of a fixed width; it takes the references to the blocks. */
static inline we_array *we_rows_child(int64_t rows, size_t width, we_block **values, we_block **validity, int64_t nulls)
{
    we_array *const array = we_array_new(2, 2, 0);
    if (array == NULL)
        return NULL;
    we_block_trim(*values, (size_t)rows * width);
    array->length = rows;
    array->blocks[1] = *values;
    array->buffers[1] = (*values)->bytes;
    *values = NULL;
    if (validity != NULL && nulls != 0) {
        array->null_count = nulls;
        array->blocks[0] = *validity;
        array->buffers[0] = (*validity)->bytes;
        *validity = NULL;
    }
    return array;
}

/* End the current array before the current row. `names` is the dictionary of encodings. */
static inline we_layout_result we_rows_finish(we_rows *job, we_array *names, we_array **out)
{
    const int64_t rows = job->row - job->first;
    we_array *text = NULL;
    *out = NULL;
    if (job->sharing) {
        const we_layout_result result = we_rows_shared_text(job, &text);
        if (result != WE_LAYOUT_DONE)
            return result;
    } else {
        text = we_rows_written_text(job);
        if (text == NULL)
            return WE_LAYOUT_NO_MEMORY;
    }
    if (!job->with_info) {
        *out = text;
        return WE_LAYOUT_DONE;
    }
    we_array *const array = we_array_new(1, 0, 4);
    if (array == NULL) {
        we_array_drop(text);
        return WE_LAYOUT_NO_MEMORY;
    }
    array->length = rows;
    array->children[0] = text;
    array->children[1] = we_rows_child(rows, 1, &job->codes, &job->code_validity, job->code_nulls);
    array->children[2] = we_rows_child(rows, 4, &job->errors, NULL, 0);
    array->children[3] = we_rows_child(rows, 8, &job->first_errors, &job->first_error_validity, job->first_error_nulls);
    if (array->children[1] == NULL || array->children[2] == NULL || array->children[3] == NULL) {
        we_array_drop(array);
        return WE_LAYOUT_NO_MEMORY;
    }
    array->children[1]->dictionary = we_array_keep(names);
    *out = array;
    return WE_LAYOUT_DONE;
}

/* ---- Capacity ---------------------------------------------------------------------------------------------------- */

/* Return the remaining bytes of the source, including the current row. */
static inline double we_rows_remaining(const we_rows *job)
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
static inline int we_rows_grow(we_rows *job, size_t need)
{
    const size_t used = job->written;
    if (job->layout == WE_VIEWS && job->row_start != 0 && job->data != NULL) {
        /* Seal the full block, and move the current row to a new one. */
        we_block **const sealed = (we_block **)realloc(job->sealed, (size_t)(job->sealed_count + 1) * sizeof *sealed);
        if (sealed == NULL)
            return -1;
        job->sealed = sealed;
        int64_t *const sizes = (int64_t *)realloc(job->sealed_sizes, (size_t)(job->sealed_count + 1) * sizeof *sizes);
        if (sizes == NULL)
            return -1;
        job->sealed_sizes = sizes;
        const size_t kept = used - job->row_start;
        const size_t size = job->data->capacity > kept + need ? job->data->capacity : kept + need;
        we_block *const block = we_block_new(size);
        if (block == NULL)
            return -1;
        memcpy(block->bytes, job->data->bytes + job->row_start, kept);
        we_block_trim(job->data, job->row_start);
        job->sealed[job->sealed_count] = job->data;
        job->sealed_sizes[job->sealed_count] = (int64_t)job->row_start;
        job->sealed_count += 1;
        job->data = block;
        job->written = kept;
        job->row_start = 0;
        return 0;
    }
    const double remaining = we_rows_remaining(job);
    double capacity;
    if (job->layout == WE_VIEWS) {
        const double share = remaining / 64;
        const double block = share < WE_LEAST_VIEWS_BLOCK  ? WE_LEAST_VIEWS_BLOCK
                             : share > WE_MOST_VIEWS_BLOCK ? WE_MOST_VIEWS_BLOCK
                                                           : share;
        capacity = (double)used * 1.25 + (double)need;
        capacity = capacity > block ? capacity : block;
        capacity =
            capacity < (double)job->limit || (double)(used + need) > (double)job->limit ? capacity : (double)job->limit;
    } else {
        /* The rest is taken to give what the rows so far gave; before the first one, a few kilobytes tell. */
        const double read = job->read + (double)job->position, rest = remaining - (double)job->position;
        const double likely = read > 0 ? rest * ((double)used + 1) / read * 1.015625 : WE_RESERVE;
        capacity = (double)used + (likely > 0 ? likely : 0) + (double)need;
        const double least = job->data != NULL ? (double)job->data->capacity * 1.125 : 0;
        capacity = capacity > least ? capacity : least;
    }
    if (capacity > (double)(SIZE_MAX / 2) || capacity > (double)PTRDIFF_MAX)
        return -1;
    const size_t size = (size_t)capacity > used + need ? (size_t)capacity : used + need;
    if (job->data == NULL) {
        job->data = we_block_new(size);
        return job->data == NULL ? -1 : 0;
    }
    return we_block_resize(job->data, size);
}

static inline int we_rows_reserve(we_rows *job, size_t need)
{
    return job->data != NULL && job->data->capacity - job->written >= need ? 0 : we_rows_grow(job, need);
}

/* ---- The end of a row -------------------------------------------------------------------------------------------- */

static inline void we_clear_bit(uint8_t *bits, int64_t index)
{
    bits[index >> 3] &= (uint8_t)~(1u << (index & 7));
}

static inline void we_rows_put_item(we_rows *job, int64_t index, size_t value)
{
    if (job->layout == WE_OFFSETS_32) {
        const int32_t narrow = (int32_t)value;
        memcpy(job->items->bytes + index * 4, &narrow, 4);
    } else {
        const int64_t wide = (int64_t)value;
        memcpy(job->items->bytes + index * 8, &wide, 8);
    }
}

static inline void we_rows_put_info(we_rows *job, int64_t index, int is_null)
{
    const int32_t errors = job->row_errors > INT32_MAX ? INT32_MAX : (int32_t)job->row_errors;
    const int64_t first = errors > 0 ? job->row_first_error : 0;
    job->codes->bytes[index] = (uint8_t)(is_null ? 0 : job->code);
    if (is_null) {
        we_clear_bit(job->code_validity->bytes, index);
        job->code_nulls += 1;
    }
    memcpy(job->errors->bytes + index * 4, &errors, 4);
    memcpy(job->first_errors->bytes + index * 8, &first, 8);
    if (errors > 0)
        job->first_error_validity->bytes[index >> 3] |= (uint8_t)(1u << (index & 7));
    else
        job->first_error_nulls += 1;
}

/* End the current row as null. `has_encoding`: because of an error in its bytes. */
static inline int we_rows_put_null(we_rows *job, int has_encoding)
{
    const int64_t index = job->row - job->first;
    if (job->validity == NULL) {
        job->validity = we_bits_new(job->end - job->first, 1);
        if (job->validity == NULL)
            return -1;
    }
    we_clear_bit(job->validity->bytes, index);
    job->nulls += 1;
    job->written = job->row_start;
    if (!job->sharing) {
        if (job->layout == WE_VIEWS)
            memset(job->items->bytes + index * WE_VIEW_SIZE, 0, WE_VIEW_SIZE);
        else
            we_rows_put_item(job, index + 1, job->written);
    }
    if (job->with_info) {
        if (!has_encoding)
            job->row_errors = 0;
        we_rows_put_info(job, index, !has_encoding);
    }
    return 0;
}

/* End the current row with the text that was written since row_start. */
static inline we_rows_result we_rows_put_text(we_rows *job)
{
    const int64_t index = job->row - job->first;
    const size_t length = job->written - job->row_start;
    if (job->layout == WE_VIEWS) {
        uint8_t *const view = job->items->bytes + index * WE_VIEW_SIZE;
        const we_values *const values = &job->source->values;
        if (length > WE_VIEW_INLINE && (int64_t)job->written > job->limit) {
            /* This moves the row to another block. */
            if ((int64_t)length > job->limit)
                return WE_ROWS_TOO_LARGE;
            if (we_rows_grow(job, 0) < 0)
                return WE_ROWS_NO_MEMORY;
        }
        const int64_t inherited = we_rows_shares_views(job) ? values->variadic_count : 0;
        /* There may be no block if no byte was written. */
        we_write_view(view, length > 0 ? job->data->bytes + job->row_start : NULL, length,
                      (int32_t)(inherited + job->sealed_count), (int32_t)job->row_start);
        if (length <= WE_VIEW_INLINE)
            job->written = job->row_start;
    } else {
        if (job->layout == WE_OFFSETS_32 && (int64_t)job->written > job->limit) {
            job->written = job->row_start;
            return (int64_t)length > job->limit ? WE_ROWS_TOO_LARGE : WE_ROWS_FULL;
        }
        we_rows_put_item(job, index + 1, job->written);
    }
    if (job->with_info)
        we_rows_put_info(job, index, 0);
    return WE_ROWS_DONE;
}

/* End the current row with its own bytes, which equal its text. */
static inline void we_rows_put_same(we_rows *job, const uint8_t *bytes, size_t length)
{
    const int64_t index = job->row - job->first;
    if (!job->sharing) {
        /* Both are arrays of views. */
        const we_values *const values = &job->source->values;
        const uint8_t *const view = values->views + (values->offset + job->row) * WE_VIEW_SIZE;
        we_write_view(job->items->bytes + index * WE_VIEW_SIZE, bytes, length,
                      length > WE_VIEW_INLINE ? we_load_i32(view + 8) : 0,
                      length > WE_VIEW_INLINE ? we_load_i32(view + 12) : 0);
    }
    if (job->with_info)
        we_rows_put_info(job, index, 0);
}

#endif
