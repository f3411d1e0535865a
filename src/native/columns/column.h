/* The columns of the library's public functions: one array in, one array out, by the rows of rows.h. */
#ifndef WE_ARROW_COLUMN_H
#define WE_ARROW_COLUMN_H

#include <errno.h>

#include "api.h"
#include "rows.h"

typedef char we_column_check_constants[(int)WHATWG_ROW_REPLACE == WE_ON_ERROR_REPLACE
                                               && (int)WHATWG_ROW_FATAL == WE_ON_ERROR_FATAL
                                               && (int)WHATWG_ROW_NULL == WE_ON_ERROR_NULL
                                               && sizeof((whatwg_column_error *)0)->message == WE_MESSAGE_SIZE
                                           ? 1
                                           : -1];

enum { WE_COLUMN_FLAGS = WHATWG_COLUMN_BOM_SNIFF | WHATWG_COLUMN_INFO | WHATWG_COLUMN_UNKNOWN_NULL };

/* A call. */
typedef struct {
    whatwg_column_options options;
    const char *role; /* of the column, in messages */
    we_source source;
    we_source labels;
    we_label_chunk label_chunk;
    we_label_cache cache;
    we_job job;
    whatwg_column_error *error;
} we_column;

/* Set the error of a call. Return the status. */
static int we_column_fail(we_column *column, int status, int64_t row, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(column->error->message, WE_MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    column->error->row = row;
    return status;
}

static int we_column_changed(we_column *column, const char *role)
{
    return we_column_fail(column, EINVAL, column->job.row,
                          "%s: the buffers have changed since they were checked, at row %" PRId64, role,
                          column->job.row);
}

static int we_column_without_memory(we_column *column)
{
    return we_column_fail(column, ENOMEM, -1, "memory is exhausted");
}

/* Open and check an array. Return 0, or EINVAL. */
static int we_column_open(we_column *column, const struct ArrowSchema *schema, const struct ArrowArray *array,
                          const char *role, we_format *format, we_source *source)
{
    char *const message = column->error->message;
    we_check check;
    int status = 0;
    memset(&check, 0, sizeof check);
    if (we_format_of(schema, role, format, message) < 0 || we_source_open(array, role, format, source, message) < 0)
        return EINVAL;
    while (status == 0)
        status = we_source_check(source, role, &check, message);
    return status < 0 ? EINVAL : 0;
}

/* Return the dictionary of the encodings' names, or null if memory is exhausted. */
static we_array *we_column_names(void)
{
    we_array *const array = we_array_of_width("u", "", WE_ENCODINGS + 1, sizeof(int32_t));
    int32_t offsets[WE_ENCODINGS + 1] = {0};
    for (size_t i = 0; i < WE_ENCODINGS; i++)
        offsets[i + 1] = offsets[i] + (int32_t)strlen(we_api_name_at(i));
    uint8_t *const text = array != NULL ? we_array_add_new(array, (size_t)offsets[WE_ENCODINGS]) : NULL;
    if (text == NULL) {
        we_array_drop(array);
        return NULL;
    }
    memcpy(we_array_items(array), offsets, sizeof offsets);
    for (size_t i = 0; i < WE_ENCODINGS; i++)
        memcpy(text + offsets[i], we_api_name_at(i), (size_t)(offsets[i + 1] - offsets[i]));
    array->flags = 0;
    array->length = WE_ENCODINGS;
    return array;
}

/* Return 0 if an encoding can be used for the rows, or EINVAL. */
static int we_column_allows(we_column *column, const whatwg_encoding *encoding, int64_t row)
{
    if (!column->job.encodes || encoding->codec->encode[WE_UCS2] != NULL)
        return 0;
    return we_column_fail(column, EINVAL, row, "%s has no encoder", we_api_name(encoding));
}

/* Look up the label of the current row. Return 0, or EINVAL. */
static int we_column_look_up(we_column *column)
{
    we_job *const job = &column->job;
    const uint8_t *bytes;
    size_t length;
    int position = WE_ENCODING_NULL;
    if (we_job_label(job, &bytes, &length) != WE_ROW_BYTES)
        return we_column_changed(column, "labels");
    const whatwg_encoding *encoding = we_api_for_label((const char *)bytes, length);
    if (encoding == NULL)
        encoding = column->options.unknown;
    if (encoding == NULL && !(column->options.flags & WHATWG_COLUMN_UNKNOWN_NULL))
        return we_column_fail(column, EINVAL, job->row, "labels: the label of row %" PRId64 " names no encoding",
                              job->row);
    if (encoding != NULL) {
        const int status = we_column_allows(column, encoding, job->row);
        if (status != 0)
            return status;
        position = (int)we_api_position(encoding);
    }
    job->looked_up_row = job->row + 1;
    job->looked_up_encoding = position;
    we_label_learn(&column->cache, bytes, length, position);
    return 0;
}

/* Fill in the options and the job. Return 0, or EINVAL. */
static int we_column_start(we_column *column, const whatwg_column_options *options)
{
    static const we_layout layouts[] = {WE_NO_VALUES, WE_OFFSETS_32, WE_OFFSETS_64, WE_VIEWS};
    we_job *const job = &column->job;
    whatwg_column_options *const own = &column->options;
    memcpy(own, options, options->size < sizeof *own ? options->size : sizeof *own);
    if (own->on_error < 0 || own->on_error > WHATWG_ROW_NULL || own->layout < 0 || own->layout > WHATWG_COLUMN_VIEWS
        || (own->flags & ~(uint32_t)WE_COLUMN_FLAGS) || (job->encodes && (own->flags & ~WHATWG_COLUMN_UNKNOWN_NULL)))
        return we_column_fail(column, EINVAL, -1, "an option is not valid");
    if ((own->encoding == NULL) == (own->labels == NULL) || (own->labels == NULL) != (own->label_schema == NULL))
        return we_column_fail(column, EINVAL, -1, "the options must have either an encoding or labels");
    job->engine = we_api_engine;
    job->cache = &column->cache;
    job->sniffs_mark = (own->flags & WHATWG_COLUMN_BOM_SNIFF) != 0;
    job->with_info = (own->flags & WHATWG_COLUMN_INFO) != 0;
    job->on_error = (we_on_error)own->on_error;
    job->limit = INT32_MAX;
    job->layout = layouts[own->layout];
    if (own->encoding == NULL)
        return 0;
    job->encoding = (int)we_api_position(own->encoding);
    job->is_single_byte = we_api_is_single_byte(own->encoding);
    return we_column_allows(column, own->encoding, -1);
}

/* Open the column and its labels. Return 0, or EINVAL. */
static int we_column_read(we_column *column, const struct ArrowSchema *schema, we_block *owner)
{
    const whatwg_column_options *const options = &column->options;
    we_job *const job = &column->job;
    we_format format, label_format;
    int status = we_column_open(column, schema, &owner->array, column->role, &format, &column->source);
    if (status != 0)
        return status;
    if (job->encodes && !format.is_text && format.layout != WE_NO_VALUES)
        return we_column_fail(column, EINVAL, -1, "text: a column of bytes");
    if (job->layout == WE_NO_VALUES)
        job->layout = format.layout == WE_OFFSETS_64 || format.layout == WE_VIEWS ? format.layout : WE_OFFSETS_32;
    if (options->labels == NULL)
        return 0;
    status = we_column_open(column, options->label_schema, options->labels, "labels", &label_format, &column->labels);
    if (status == 0 && column->labels.length != column->source.length) {
        return we_column_fail(column, EINVAL, -1, "labels: a column of %" PRId64 " rows, but the other has %" PRId64,
                              column->labels.length, column->source.length);
    }
    column->label_chunk.source = &column->labels;
    job->labels = &column->label_chunk;
    job->label_count = 1;
    return status;
}

/* Convert all rows. Return 0, or what is wrong. */
static int we_column_run(we_column *column)
{
    we_job *const job = &column->job;
    for (;;) {
        int status = 0;
        switch (we_job_run(job)) {
        case WE_JOB_DONE:
            return 0;
        case WE_JOB_PAUSED:
            break;
        case WE_JOB_LABEL:
            status = we_column_look_up(column);
            break;
        case WE_JOB_ERROR:
            return we_column_fail(column, EILSEQ, job->row,
                                  job->encodes ? "%s: row %" PRId64 " has what %s cannot encode"
                                               : "%s: row %" PRId64 " is malformed in %s",
                                  column->role, job->row, we_api_name_at((size_t)job->row_encoding));
        case WE_JOB_FULL:
        case WE_JOB_TOO_LARGE:
            return we_column_fail(column, EOVERFLOW, job->row,
                                  "the result takes more than %" PRId64 " bytes at row %" PRId64
                                  ", the limit of 32-bit offsets: use WHATWG_COLUMN_OFFSETS_64",
                                  job->limit, job->row);
        case WE_JOB_CHANGED:
            return we_column_changed(column, column->role);
        default:
            return we_column_without_memory(column);
        }
        if (status != 0)
            return status;
    }
}

/* Convert an array, which is moved to `owner`, and export the result. Return 0, or what is wrong. */
static int we_column_of(we_column *column, const struct ArrowSchema *schema, we_block *owner,
                        const whatwg_column_options *options, struct ArrowSchema *out_schema, struct ArrowArray *out)
{
    we_job *const job = &column->job;
    int status = we_column_start(column, options);
    status = status == 0 ? we_column_read(column, schema, owner) : status;
    if (status != 0)
        return status;
    if (job->with_info && (job->names = we_column_names()) == NULL)
        return we_column_without_memory(column);
    if (we_job_start(job, &column->source, owner) < 0)
        return we_column_without_memory(column);
    status = we_column_run(column);
    if (status != 0)
        return status;
    we_array *const result = we_job_finish(job);
    if (result == NULL || we_array_schema(result, out_schema) < 0) {
        status = we_column_without_memory(column);
    } else if (we_array_export(result, out) < 0) {
        out_schema->release(out_schema);
        status = we_column_without_memory(column);
    }
    we_array_drop(result);
    return status;
}

/* Convert an array, as the two public functions say. */
static int we_column_convert(int encodes, const struct ArrowSchema *schema, struct ArrowArray *array,
                             const whatwg_column_options *options, struct ArrowSchema *out_schema,
                             struct ArrowArray *out, whatwg_column_error *error)
{
    whatwg_column_error unused;
    we_column *const column = (we_column *)calloc(1, sizeof *column);
    we_block *const owner = column != NULL ? we_block_import(array) : NULL;
    int status = ENOMEM;
    error = error != NULL ? error : &unused;
    memset(out_schema, 0, sizeof *out_schema);
    memset(out, 0, sizeof *out);
    error->row = -1;
    memcpy(error->message, "memory is exhausted", sizeof "memory is exhausted");
    if (owner != NULL) {
        column->error = error;
        column->role = encodes ? "text" : "values";
        column->job.encodes = encodes;
        status = we_column_of(column, schema, owner, options, out_schema, out);
        we_job_clear(&column->job);
        we_array_drop(column->job.names);
    } else if (array->release != NULL) {
        array->release(array);
    }
    we_block_drop(owner);
    free(column);
    if (status == 0)
        error->message[0] = '\0';
    return status;
}

#endif
