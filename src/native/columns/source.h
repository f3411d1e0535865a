/* Read-only access to imported columns of bytes: their format, their validation, and the bytes of each row.
 *
 * An imported array is opened first (we_source_open: all checks that take constant time), then validated row by row
 * (we_values_check, we_indices_check), and only then read. we_source_row repeats the comparisons that keep an access
 * within the buffers, so that a concurrent change of the buffers is reported instead of followed. The interface does
 * not transmit the size of an offset or data buffer, so these are trusted.
 * https://arrow.apache.org/docs/format/Columnar.html
 */
#ifndef WE_ARROW_SOURCE_H
#define WE_ARROW_SOURCE_H

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "abi.h"

#if defined(_WIN32)
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <time.h>
#endif

typedef enum {
    WE_NO_VALUES = 0,  /* "n": every row is null */
    WE_OFFSETS_32 = 1, /* "z", "u" */
    WE_OFFSETS_64 = 2, /* "Z", "U" */
    WE_VIEWS = 3,      /* "vz", "vu" */
    WE_FIXED = 4       /* "w:n" */
} we_layout;

enum {
    WE_VIEW_SIZE = 16,   /* bytes of a view: length, prefix, buffer, offset; or length and up to 12 bytes */
    WE_VIEW_INLINE = 12, /* upper bound on the bytes of a value that is stored in its view */
    WE_MESSAGE_SIZE = 256,
    WE_SLICE_NANOSECONDS = 6000000, /* the upper bound on the duration of one call */
    WE_CHECK_ROWS = 65536           /* rows that are checked between two readings of the clock */
};

/* Upper bound on the length and on the offset of an array: the size of both together, in items of 16 bytes, fits a
 * size_t. */
#define WE_MOST_ITEMS ((int64_t)(PTRDIFF_MAX / 64))

/* The format of a column, from its schema. */
typedef struct {
    we_layout layout;
    int is_text;
    int64_t width; /* of WE_FIXED */
    char index;    /* the format of the dictionary indices; 0: not dictionary-encoded */
    int wrapped;   /* the array is a struct whose only child is the column */
} we_format;

/* Plain values: those of a column or of its dictionary. */
typedef struct {
    we_layout layout;
    int64_t width;
    int64_t length;
    int64_t offset;
    int64_t null_count;      /* as declared; -1: unknown */
    const uint8_t *validity; /* null pointer: no value is null */
    const uint8_t *offsets;  /* of WE_OFFSETS_*: length + 1 of them from `offset` on */
    const uint8_t *data;     /* of WE_OFFSETS_* and WE_FIXED */
    int64_t first;           /* start of the first value in `data`, and end of the last one */
    int64_t last;
    const uint8_t *views; /* of WE_VIEWS */
    const void *const *variadic;
    const uint8_t *sizes; /* int64 for each variadic buffer */
    int64_t variadic_count;
    int64_t total;            /* bytes of all non-null values; valid after the check */
    int null_views_are_empty; /* WE_VIEWS, valid after the check: the view of each null is empty */
} we_values;

/* A column: plain values, or indices into a dictionary of them. */
typedef struct {
    we_values values;
    int64_t length;
    char index;
    int64_t offset; /* this and the following: of the indices */
    int64_t null_count;
    const uint8_t *validity;
    const uint8_t *indices;
} we_source;

/* In place of a buffer without bytes, which some consumers do not expect to be null. */
static const int64_t we_nothing[2] = {0, 0};

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

/* ---- Unaligned loads ------------------------------------------------------------------------------------------- */

static inline int32_t we_load_i32(const uint8_t *at)
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline int64_t we_load_i64(const uint8_t *at)
{
    int64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline int we_bit(const uint8_t *bits, int64_t index)
{
    return bits[index >> 3] >> (index & 7) & 1;
}

static inline int64_t we_offset_at(const we_values *values, int64_t index)
{
    return values->layout == WE_OFFSETS_32 ? we_load_i32(values->offsets + (values->offset + index) * 4)
                                           : we_load_i64(values->offsets + (values->offset + index) * 8);
}

/* Return the first view or offset. The buffer of an array without values may be empty. */
static inline const uint8_t *we_values_items(const we_values *values)
{
    if (values->length == 0)
        return (const uint8_t *)we_nothing;
    if (values->layout == WE_VIEWS)
        return values->views + values->offset * WE_VIEW_SIZE;
    return values->offsets + values->offset * (values->layout == WE_OFFSETS_32 ? 4 : 8);
}

static inline int64_t we_index_width(char index)
{
    return index == 'c' || index == 'C' ? 1 : index == 's' || index == 'S' ? 2 : index == 'i' || index == 'I' ? 4 : 8;
}

/* Return the index of a row into the dictionary, or -1 if it exceeds an int64_t. */
static inline int64_t we_index_at(const we_source *source, int64_t row)
{
    const int64_t width = we_index_width(source->index);
    const uint8_t *const at = source->indices + (source->offset + row) * width;
    const int is_signed = source->index >= 'a';
    uint32_t four;
    uint16_t two;
    switch (width) {
    case 1:
        return is_signed ? (int8_t)*at : *at;
    case 2:
        memcpy(&two, at, 2);
        return is_signed ? (int16_t)two : two;
    case 4:
        memcpy(&four, at, 4);
        return is_signed ? (int64_t)(int32_t)four : (int64_t)four;
    default:
        /* An unsigned one above INT64_MAX is negative. */
        return we_load_i64(at) < 0 ? -1 : we_load_i64(at);
    }
}

/* Return the index of the first row. The buffer of an array without rows may be empty. */
static inline const uint8_t *we_source_indices(const we_source *source)
{
    return source->length == 0 ? (const uint8_t *)we_nothing
                               : source->indices + source->offset * we_index_width(source->index);
}

/* ---- Schemas ----------------------------------------------------------------------------------------------------- */

static inline int we_fail(char *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, WE_MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    return -1;
}

static const struct {
    char format[3];
    we_layout layout;
    int is_text;
} we_formats[] = {
    {"z", WE_OFFSETS_32, 0}, {"u", WE_OFFSETS_32, 1}, {"Z", WE_OFFSETS_64, 0}, {"U", WE_OFFSETS_64, 1},
    {"vz", WE_VIEWS, 0},     {"vu", WE_VIEWS, 1},     {"n", WE_NO_VALUES, 0},
};

enum { WE_FORMATS = sizeof we_formats / sizeof *we_formats };

/* Return the format of bytes or text of a layout. */
static inline const char *we_format_name(we_layout layout, int is_text)
{
    size_t i = 0;
    while (i < WE_FORMATS - 1 && (we_formats[i].layout != layout || we_formats[i].is_text != is_text))
        i += 1;
    return we_formats[i].format;
}

/* Parse a format without children. Return 0, or -1 for an unsupported one. */
static inline int we_layout_of(const char *format, we_format *out)
{
    for (size_t i = 0; i < WE_FORMATS; i++) {
        if (strcmp(format, we_formats[i].format) == 0) {
            out->layout = we_formats[i].layout;
            out->is_text = we_formats[i].is_text;
            return 0;
        }
    }
    if (format[0] == 'w' && format[1] == ':' && format[2] != 0) {
        int64_t width = 0;
        const char *digit = format + 2;
        for (; *digit >= '0' && *digit <= '9' && width <= INT32_MAX; digit++)
            width = width * 10 + (*digit - '0');
        if (*digit != 0 || width > INT32_MAX)
            return -1;
        out->layout = WE_FIXED;
        out->is_text = 0;
        out->width = width;
        return 0;
    }
    return -1;
}

/* Parse a schema. Return 0, or -1 and set the message, which begins with `role`, the name of the column. */
static inline int we_format_of(const struct ArrowSchema *schema, const char *role, we_format *out, char *message)
{
    memset(out, 0, sizeof *out);
    if (schema->release == NULL)
        return we_fail(message, "%s: the schema was released before it was read", role);
    if (schema->format == NULL || schema->n_children < 0 || (schema->n_children > 0 && schema->children == NULL))
        return we_fail(message, "%s: the schema has no format, or no children where it counts some", role);
    if (strcmp(schema->format, "+s") == 0) {
        if (schema->n_children != 1) {
            return we_fail(message, "%s: a struct of %" PRId64 " columns; pass one of its columns", role,
                           schema->n_children);
        }
        schema = schema->children[0];
        if (schema == NULL || schema->format == NULL || schema->n_children < 0)
            return we_fail(message, "%s: the struct's only child has no schema", role);
        out->wrapped = 1;
    }
    if (schema->n_children != 0)
        return we_fail(message, "%s: a column of Arrow format '%.40s' is neither bytes nor text", role, schema->format);
    if (schema->dictionary != NULL) {
        if (schema->format[0] == 0 || schema->format[1] != 0 || strchr("cCsSiIlL", schema->format[0]) == NULL) {
            return we_fail(message, "%s: the dictionary indices have Arrow format '%.40s', which is not an integer",
                           role, schema->format);
        }
        out->index = schema->format[0];
        schema = schema->dictionary;
        if (schema->format == NULL || schema->n_children != 0 || schema->dictionary != NULL)
            return we_fail(message, "%s: the values of the dictionary are neither bytes nor text", role);
    }
    if (we_layout_of(schema->format, out) < 0) {
        return we_fail(message, "%s: Arrow format '%.40s' is neither bytes nor text (z Z vz w:n u U vu)", role,
                       schema->format);
    }
    return 0;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* Check the numbers of an array, and that there is the validity of its nulls. */
static inline int we_array_numbers(const struct ArrowArray *array, const char *role, char *message)
{
    if (array->length < 0 || array->offset < 0 || array->length > WE_MOST_ITEMS || array->offset > WE_MOST_ITEMS) {
        return we_fail(message, "%s: an array of length %" PRId64 " at offset %" PRId64, role, array->length,
                       array->offset);
    }
    if (array->null_count < -1 || array->null_count > array->length) {
        return we_fail(message, "%s: an array of length %" PRId64 " has a null count of %" PRId64, role, array->length,
                       array->null_count);
    }
    if (array->n_buffers > 0 && array->buffers == NULL)
        return we_fail(message, "%s: an array has no buffers", role);
    if (array->n_buffers > 0 && array->null_count > 0 && array->buffers[0] == NULL) {
        return we_fail(message, "%s: an array has a null count of %" PRId64 " but no validity buffer", role,
                       array->null_count);
    }
    return 0;
}

/* Check what holds for every array. `buffers` is the expected number of buffers, or if negative the least one. */
static inline int we_array_shape(const struct ArrowArray *array, const char *role, int64_t buffers, int has_dictionary,
                                 char *message)
{
    if (we_array_numbers(array, role, message) < 0)
        return -1;
    if (buffers >= 0 ? array->n_buffers != buffers : array->n_buffers < -buffers) {
        return we_fail(message, "%s: an array has %" PRId64 " buffers, but its format has %s%" PRId64, role,
                       array->n_buffers, buffers < 0 ? "at least " : "", buffers < 0 ? -buffers : buffers);
    }
    if (array->n_children != 0) {
        return we_fail(message, "%s: an array has %" PRId64 " children, but its format has none", role,
                       array->n_children);
    }
    if ((array->dictionary != NULL) != has_dictionary)
        return we_fail(message, "%s: an array has %s dictionary, unlike its schema", role, has_dictionary ? "no" : "a");
    return 0;
}

/* Open plain values: perform all checks that take constant time. */
static inline int we_values_open(const struct ArrowArray *array, const char *role, const we_format *format,
                                 we_values *out, char *message)
{
    static const int64_t buffers[] = {0, 3, 3, -3, 2};
    memset(out, 0, sizeof *out);
    if (we_array_shape(array, role, buffers[format->layout], 0, message) < 0)
        return -1;
    out->layout = format->layout;
    out->width = format->width;
    out->length = array->length;
    out->offset = array->offset;
    out->null_count = array->null_count;
    if (format->layout == WE_NO_VALUES)
        return 0;
    out->validity = (const uint8_t *)array->buffers[0];
    switch (format->layout) {
    case WE_OFFSETS_32:
    case WE_OFFSETS_64:
        out->offsets = (const uint8_t *)array->buffers[1];
        out->data = (const uint8_t *)array->buffers[2];
        if (out->offsets == NULL) {
            /* Permitted for an array without values. */
            if (out->length != 0)
                return we_fail(message, "%s: an array of length %" PRId64 " has no offsets", role, out->length);
            break;
        }
        if (out->length == 0)
            break; /* the offset buffer may be empty */
        out->first = we_offset_at(out, 0);
        out->last = we_offset_at(out, out->length);
        if (out->first < 0 || out->last < out->first)
            return we_fail(message, "%s: the offsets run from %" PRId64 " to %" PRId64, role, out->first, out->last);
        out->total = out->last - out->first;
        break;
    case WE_FIXED:
        if (out->width != 0 && out->offset + out->length > INT64_MAX / out->width) {
            return we_fail(message, "%s: %" PRId64 " values of %" PRId64 " bytes exceed the size of an array", role,
                           out->length, out->width);
        }
        out->data = (const uint8_t *)array->buffers[1];
        out->first = out->offset * out->width;
        out->total = out->length * out->width;
        out->last = out->first + out->total;
        break;
    default: /* WE_VIEWS */
        out->views = (const uint8_t *)array->buffers[1];
        out->variadic = array->buffers + 2;
        out->variadic_count = array->n_buffers - 3;
        out->sizes = (const uint8_t *)array->buffers[array->n_buffers - 1];
        if (out->views == NULL && out->length != 0)
            return we_fail(message, "%s: an array of length %" PRId64 " has no views", role, out->length);
        if (out->sizes == NULL && out->variadic_count != 0) {
            return we_fail(message, "%s: an array of views has no sizes of its %" PRId64 " data buffers", role,
                           out->variadic_count);
        }
        for (int64_t i = 0; i < out->variadic_count; i++) {
            const int64_t size = we_load_i64(out->sizes + i * 8);
            if (size < 0 || (size > 0 && out->variadic[i] == NULL)) {
                return we_fail(message, "%s: data buffer %" PRId64 " of views is missing or has size %" PRId64, role, i,
                               size);
            }
        }
        out->null_views_are_empty = 1;
        break;
    }
    if (out->data == NULL && out->total != 0)
        return we_fail(message, "%s: an array has %" PRId64 " bytes of values but no data buffer", role, out->total);
    return 0;
}

/* Replace a struct by its only child, as a slice of it. The members are copied, the buffers are not. */
static inline int we_struct_open(struct ArrowArray *array, const char *role, char *message)
{
    const struct ArrowArray whole = *array;
    if (we_array_numbers(&whole, role, message) < 0)
        return -1;
    if (whole.n_children != 1 || whole.children == NULL || whole.children[0] == NULL || whole.n_buffers != 1
        || whole.dictionary != NULL) {
        return we_fail(message, "%s: a struct of one column must have one child and one buffer", role);
    }
    for (int64_t i = 0; whole.null_count != 0 && whole.buffers[0] != NULL && i < whole.length; i++)
        if (!we_bit((const uint8_t *)whole.buffers[0], whole.offset + i))
            return we_fail(message, "%s: row %" PRId64 " of the struct is null; pass its column", role, i);
    *array = *whole.children[0];
    if (array->release == NULL)
        return we_fail(message, "%s: the struct's only child was released before it was read", role);
    if (we_array_numbers(array, role, message) < 0)
        return -1;
    if (whole.length + whole.offset > array->length) {
        return we_fail(message,
                       "%s: a struct of length %" PRId64 " at offset %" PRId64 " has a child of length %" PRId64, role,
                       whole.length, whole.offset, array->length);
    }
    array->null_count = whole.length == array->length ? array->null_count : -1;
    array->offset += whole.offset;
    array->length = whole.length;
    return 0;
}

/* Open a column: perform all checks that take constant time, and those of the sizes of the buffers of views. */
static inline int we_source_open(const struct ArrowArray *array, const char *role, const we_format *format,
                                 we_source *out, char *message)
{
    struct ArrowArray slice = *array;
    memset(out, 0, sizeof *out);
    if (array->release == NULL)
        return we_fail(message, "%s: the array was released before it was read", role);
    if (format->wrapped && we_struct_open(&slice, role, message) < 0)
        return -1;
    if (format->index == 0) {
        if (we_values_open(&slice, role, format, &out->values, message) < 0)
            return -1;
        out->length = out->values.length;
        return 0;
    }
    if (we_array_shape(&slice, role, 2, 1, message) < 0)
        return -1;
    if (slice.dictionary->release == NULL)
        return we_fail(message, "%s: the dictionary was released before it was read", role);
    if (we_values_open(slice.dictionary, role, format, &out->values, message) < 0)
        return -1;
    out->index = format->index;
    out->length = slice.length;
    out->offset = slice.offset;
    out->null_count = slice.null_count;
    out->validity = (const uint8_t *)slice.buffers[0];
    out->indices = (const uint8_t *)slice.buffers[1];
    if (out->indices == NULL && out->length != 0)
        return we_fail(message, "%s: an array of length %" PRId64 " has no indices", role, out->length);
    return 0;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

enum { WE_ROW_WRONG = -1, WE_ROW_NULL = 0, WE_ROW_BYTES = 1 };

static inline int we_value_is_null(const we_values *values, int64_t index)
{
    return values->layout == WE_NO_VALUES
           || (values->validity != NULL && !we_bit(values->validity, values->offset + index));
}

/* Get the bytes of a value, null or not. Return WE_ROW_BYTES, or WE_ROW_WRONG if they are outside the buffers. `index`
 * must be less than the length. */
static inline int we_value_bytes(const we_values *values, int64_t index, const uint8_t **bytes, size_t *length)
{
    if (values->layout == WE_OFFSETS_32 || values->layout == WE_OFFSETS_64) {
        const int64_t start = we_offset_at(values, index);
        const int64_t end = we_offset_at(values, index + 1);
        if (start < values->first || end < start || end > values->last)
            return WE_ROW_WRONG;
        *bytes = values->data + start;
        *length = (size_t)(end - start);
        return WE_ROW_BYTES;
    }
    if (values->layout == WE_VIEWS) {
        const uint8_t *const view = values->views + (values->offset + index) * WE_VIEW_SIZE;
        const int32_t size = we_load_i32(view);
        if (size < 0)
            return WE_ROW_WRONG;
        *length = (size_t)size;
        if (size <= WE_VIEW_INLINE) {
            *bytes = view + 4;
            return WE_ROW_BYTES;
        }
        const int32_t buffer = we_load_i32(view + 8);
        const int32_t start = we_load_i32(view + 12);
        if (buffer < 0 || buffer >= values->variadic_count || start < 0
            || (int64_t)start + size > we_load_i64(values->sizes + (int64_t)buffer * 8)) {
            return WE_ROW_WRONG;
        }
        *bytes = (const uint8_t *)values->variadic[buffer] + start;
        return WE_ROW_BYTES;
    }
    /* WE_FIXED: the whole range was checked when the array was opened. */
    *bytes = values->data + (values->offset + index) * values->width;
    *length = (size_t)values->width;
    return WE_ROW_BYTES;
}

/* Get the bytes of a row: WE_ROW_BYTES, WE_ROW_NULL, or WE_ROW_WRONG if they are outside the buffers. `row` must be
 * less than the length. */
static inline int we_source_row(const we_source *source, int64_t row, const uint8_t **bytes, size_t *length)
{
    int64_t index = row;
    if (source->index != 0) {
        if (source->validity != NULL && !we_bit(source->validity, source->offset + row))
            return WE_ROW_NULL;
        index = we_index_at(source, row);
        if (index < 0 || index >= source->values.length)
            return WE_ROW_WRONG;
    }
    if (we_value_is_null(&source->values, index))
        return WE_ROW_NULL;
    return we_value_bytes(&source->values, index, bytes, length);
}

/* Return whether two arrays, neither of which is released, have the same buffers. */
static inline int we_values_are_same(const we_values *values, const we_values *other)
{
    return values->layout == other->layout && values->layout != WE_VIEWS && values->length == other->length
           && values->offset == other->offset && values->validity == other->validity
           && values->offsets == other->offsets && values->data == other->data;
}

/* The state of a check, which is made in slices. */
typedef struct {
    int indices; /* the values were checked, and now the indices are */
    int64_t at;
    int64_t nulls;
} we_check;

/* Check the values from..to. Return 0, or -1 and set the message. */
static inline int we_values_check(we_values *values, const char *role, int64_t from, int64_t to, we_check *check,
                                  char *message)
{
    if (values->layout == WE_NO_VALUES) {
        check->nulls += to - from;
        return 0;
    }
    if (values->layout == WE_OFFSETS_32 || values->layout == WE_OFFSETS_64) {
        int descends = 0;
        for (int64_t i = from; i < to; i++)
            descends |= we_offset_at(values, i + 1) < we_offset_at(values, i);
        if (descends)
            return we_fail(message, "%s: the offsets descend between row %" PRId64 " and row %" PRId64, role, from, to);
    }
    if (values->validity != NULL) {
        int64_t set = 0;
        for (int64_t i = from; i < to; i++)
            set += we_bit(values->validity, values->offset + i);
        check->nulls += to - from - set;
    }
    if (values->layout == WE_VIEWS) {
        for (int64_t i = from; i < to; i++) {
            const uint8_t *bytes;
            size_t length;
            const uint8_t *const view = values->views + (values->offset + i) * WE_VIEW_SIZE;
            if (we_value_is_null(values, i)) {
                /* The view of a null is undefined and is not read. */
                values->null_views_are_empty &= we_load_i32(view) == 0;
                continue;
            }
            if (we_value_bytes(values, i, &bytes, &length) != WE_ROW_BYTES)
                return we_fail(message, "%s: the view of row %" PRId64 " is outside its buffers", role, i);
            if (length > WE_VIEW_INLINE && memcmp(bytes, view + 4, 4) != 0) {
                return we_fail(message, "%s: the prefix of the view of row %" PRId64 " differs from its bytes", role,
                               i);
            }
            values->total += (int64_t)length;
        }
    }
    return 0;
}

/* Check the indices of the rows from..to, after the dictionary was checked. Return 0, or -1 and set the message. */
static inline int we_indices_check(const we_source *source, const char *role, int64_t from, int64_t to, we_check *check,
                                   char *message)
{
    for (int64_t row = from; row < to; row++) {
        if (source->validity != NULL && !we_bit(source->validity, source->offset + row)) {
            check->nulls += 1;
            continue;
        }
        const int64_t index = we_index_at(source, row);
        if (index < 0 || index >= source->values.length) {
            return we_fail(message, "%s: the index of row %" PRId64 " exceeds a dictionary of %" PRId64 " values", role,
                           row, source->values.length);
        }
    }
    return 0;
}

/* Compare the declared null count, if any, with the actual one, and set it. Return 0, or -1 and set the message. */
static inline int we_check_nulls(int64_t *declared, const we_check *check, const char *role, char *message)
{
    if (*declared >= 0 && *declared != check->nulls) {
        return we_fail(message, "%s: an array has a null count of %" PRId64 ", but %" PRId64 " nulls", role, *declared,
                       check->nulls);
    }
    *declared = check->nulls;
    return 0;
}

/* Check a source for some milliseconds; `check` is zero at first. Return 1 if all is valid, 0 to be called again, or -1
 * and set the message. */
static inline int we_source_check(we_source *source, const char *role, we_check *check, char *message)
{
    we_values *const values = &source->values;
    const int64_t deadline = we_clock() + WE_SLICE_NANOSECONDS;
    do {
        const int64_t end = check->indices ? source->length : values->length;
        /* Without a byte to check, any number of rows takes constant time. */
        const int is_bare = !check->indices && values->validity == NULL
                            && (values->layout == WE_NO_VALUES || values->layout == WE_FIXED);
        const int64_t stop = is_bare || end - check->at < WE_CHECK_ROWS ? end : check->at + WE_CHECK_ROWS;
        if ((check->indices ? we_indices_check(source, role, check->at, stop, check, message)
                            : we_values_check(values, role, check->at, stop, check, message))
            < 0)
            return -1;
        check->at = stop;
        if (stop < end)
            continue;
        if (we_check_nulls(check->indices ? &source->null_count : &values->null_count, check, role, message) < 0)
            return -1;
        if (check->indices || source->index == 0)
            return 1;
        check->indices = 1;
        check->at = check->nulls = 0;
    } while (we_clock() <= deadline);
    return 0;
}

#endif
