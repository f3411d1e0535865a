/* Columns of libwhatwg_encoding, judged by the vectors of vectors.c, which includes this: all of a direction in one
 * column with a label for each row, in every layout and error mode. Each buffer is a block of its exact size. */
#include <errno.h>
#include <whatwg_encoding_arrow.h>

typedef struct {
    struct ArrowSchema schema;
    struct ArrowArray array;
    const void *buffers[3];
    int released;
} column;

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    column *const own = (column *)array->private_data;
    free((void *)(uintptr_t)own->buffers[1]);
    free((void *)(uintptr_t)own->buffers[2]);
    own->released += 1;
    array->release = NULL;
}

/* Make a column of 32-bit offsets out of byte strings. */
static void make_column(column *made, const char *format, const void *const *rows, const size_t *lengths, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += lengths[i];
    int32_t *const offsets = (int32_t *)malloc((count + 1) * sizeof *offsets);
    uint8_t *const data = (uint8_t *)malloc(total + (total == 0));
    memset(made, 0, sizeof *made);
    offsets[0] = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(data + offsets[i], rows[i], lengths[i]);
        offsets[i + 1] = offsets[i] + (int32_t)lengths[i];
    }
    made->buffers[1] = offsets;
    made->buffers[2] = data;
    made->schema.format = format;
    made->schema.name = "";
    made->schema.flags = ARROW_FLAG_NULLABLE;
    made->schema.release = release_schema;
    made->array.length = (int64_t)count;
    made->array.n_buffers = 3;
    made->array.buffers = made->buffers;
    made->array.release = release_array;
    made->array.private_data = made;
}

/* Get the bytes of a row of a result. Return 0 if it is null. */
static int row_of(const struct ArrowArray *array, const char *format, size_t row, const uint8_t **bytes, size_t *length)
{
    const uint8_t *const validity = (const uint8_t *)array->buffers[0];
    const size_t at = row + (size_t)array->offset;
    if (validity != NULL && !(validity[at >> 3] >> (at & 7) & 1))
        return 0;
    if (format[0] == 'v') {
        int32_t view[4];
        memcpy(view, (const uint8_t *)array->buffers[1] + 16 * at, sizeof view);
        *length = (size_t)view[0];
        *bytes = view[0] <= 12 ? (const uint8_t *)array->buffers[1] + 16 * at + 4
                               : (const uint8_t *)array->buffers[2 + view[2]] + view[3];
    } else if (format[0] == 'U' || format[0] == 'Z') {
        const int64_t *const offsets = (const int64_t *)array->buffers[1] + at;
        *length = (size_t)(offsets[1] - offsets[0]);
        *bytes = (const uint8_t *)array->buffers[2] + offsets[0];
    } else {
        const int32_t *const offsets = (const int32_t *)array->buffers[1] + at;
        *length = (size_t)(offsets[1] - offsets[0]);
        *bytes = (const uint8_t *)array->buffers[2] + offsets[0];
    }
    return 1;
}

static int wrong(const job *work, const char *what)
{
    fprintf(stderr, "columns: %s: %s\n", work->label, what);
    return 1;
}

/* Compare the rows of a result with the vectors. */
static int check_rows(const struct ArrowSchema *schema, const struct ArrowArray *array, job *const *works, size_t count,
                      const whatwg_column_options *options)
{
    const int has_info = (options->flags & WHATWG_COLUMN_INFO) != 0;
    const struct ArrowArray *const text = has_info ? array->children[0] : array;
    const char *const format = has_info ? schema->children[0]->format : schema->format;
    for (size_t i = 0; i < count; i++) {
        const job *const work = works[i];
        const uint8_t *bytes = NULL;
        size_t length = 0;
        const int found = row_of(text, format, i, &bytes, &length);
        if (found != (options->on_error == WHATWG_ROW_REPLACE || work->error_count == 0))
            return wrong(work, "a row is null, or is not");
        if (found && (length != work->expected_length || memcmp(bytes, work->expected, length) != 0))
            return wrong(work, "another text");
        if (!has_info)
            continue;
        const int32_t errors = ((const int32_t *)array->children[2]->buffers[1])[i];
        const int64_t first = ((const int64_t *)array->children[3]->buffers[1])[i];
        if ((size_t)errors != work->error_count || (errors != 0 && (size_t)first != work->errors[0]))
            return wrong(work, "other errors");
    }
    return 0;
}

/* Convert the rows and check the result. */
static int check_column(job *const *works, size_t count, int decodes, int on_error, int layout, uint32_t flags)
{
    const void **const rows = (const void **)malloc(2 * count * sizeof *rows), **const labels = rows + count;
    size_t *const lengths = (size_t *)malloc(2 * count * sizeof *lengths), *const label_lengths = lengths + count;
    int has_errors = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i] = works[i]->source;
        lengths[i] = works[i]->source_length;
        labels[i] = works[i]->label;
        label_lengths[i] = strlen(works[i]->label);
        has_errors |= works[i]->error_count != 0;
    }
    column values, names;
    struct ArrowSchema schema;
    struct ArrowArray result;
    whatwg_column_error error;
    whatwg_column_options options = {.size = sizeof options};
    make_column(&values, decodes ? "z" : "u", rows, lengths, count);
    make_column(&names, "u", labels, label_lengths, count);
    options.label_schema = &names.schema;
    options.labels = &names.array;
    options.on_error = on_error;
    options.layout = layout;
    options.flags = flags;
    const int status = (decodes ? whatwg_encoding_decode_column : whatwg_encoding_encode_column)(
        &values.schema, &values.array, &options, &schema, &result, &error);
    if (status != (on_error == WHATWG_ROW_FATAL && has_errors ? EILSEQ : 0)) {
        failed = wrong(works[0], error.message);
    } else if (status == 0) {
        failed = check_rows(&schema, &result, works, count, &options);
        schema.release(&schema);
        result.release(&result);
    } else if (error.row < 0 || works[error.row]->error_count == 0) {
        failed = wrong(works[0], "an error in another row");
    }
    if (values.released != 1 || values.array.release != NULL || names.released != 0)
        failed = wrong(works[0], "an array was not released, or one that was only read was");
    names.array.release(&names.array);
    free(rows);
    free(lengths);
    return failed;
}

static int check_columns(job *all, size_t count)
{
    job **const works = (job **)malloc((count + 1) * sizeof *works);
    int failed = 0;
    for (int decodes = 0; decodes <= 1; decodes++) {
        size_t chosen = 0;
        for (size_t i = 0; i < count; i++)
            if (all[i].decodes == decodes && all[i].unit_size == 1 && all[i].flags == 0)
                works[chosen++] = &all[i];
        for (int layout = WHATWG_COLUMN_SAME; layout <= WHATWG_COLUMN_VIEWS && !failed; layout++)
            for (int on_error = WHATWG_ROW_REPLACE; on_error <= WHATWG_ROW_NULL && !failed; on_error++)
                for (uint32_t flags = 0; flags <= (decodes ? WHATWG_COLUMN_INFO : 0) && !failed;
                     flags += WHATWG_COLUMN_INFO)
                    failed = check_column(works, chosen, decodes, on_error, layout, flags);
    }
    free(works);
    return failed;
}
