/* Arrays that this package creates: immutable, reference-counted, exported by the C data interface.
 *
 * An array refers to blocks: allocated memory, or an imported array whose buffers it shares. Each export holds a
 * reference to its array, and each array to its blocks; the last reference to an imported array calls its release
 * callback, once. The counts are atomic: a consumer may release on any thread, without the GIL.
 */
#ifndef WE_ARROW_RESULT_H
#define WE_ARROW_RESULT_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "huge_pages.h"
#include "source.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
typedef volatile long we_count;
static inline void we_count_up(we_count *count)
{
    _InterlockedIncrement(count);
}
static inline int we_count_down(we_count *count)
{
    return _InterlockedDecrement(count) == 0;
}
#else
typedef long we_count;
static inline void we_count_up(we_count *count)
{
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}
/* Return whether that was the last reference. */
static inline int we_count_down(we_count *count)
{
    return __atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL) == 0;
}
#endif

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

enum {
    WE_SLACK = 49152,
    /* The C library's upper bound on what it serves from freed memory. It maps larger allocations afresh each time, and
     * their page faults take longer than decoding. */
    WE_HUGE_PAGES_FROM = 33554432
};

typedef struct {
    we_count references;
    uint8_t *bytes; /* allocated, or null */
    size_t capacity;
    struct ArrowArray array; /* imported, or released */
} we_block;

static inline we_block *we_block_new(size_t capacity)
{
    we_block *const block = (we_block *)calloc(1, sizeof *block);
    if (block == NULL)
        return NULL;
    block->references = 1;
    block->bytes = (uint8_t *)malloc(capacity > 0 ? capacity : 1);
    block->capacity = capacity;
    if (block->bytes == NULL) {
        free(block);
        return NULL;
    }
    we_advise_huge_pages(block->bytes, capacity, WE_HUGE_PAGES_FROM);
    return block;
}

static inline we_block *we_block_keep(we_block *block)
{
    if (block != NULL)
        we_count_up(&block->references);
    return block;
}

static inline void we_block_drop(we_block *block)
{
    if (block == NULL || !we_count_down(&block->references))
        return;
    if (block->array.release != NULL)
        block->array.release(&block->array);
    free(block->bytes);
    free(block);
}

/* Move an array into a new block. Return the block, or null if memory is exhausted, and the array is not moved. */
static inline we_block *we_block_import(struct ArrowArray *array)
{
    we_block *const block = (we_block *)calloc(1, sizeof *block);
    if (block != NULL) {
        block->references = 1;
        block->array = *array;
        array->release = NULL;
    }
    return block;
}

/* Resize a block with a single reference. Return 0, or -1 if memory is exhausted, and the block is unchanged. */
static inline int we_block_resize(we_block *block, size_t capacity)
{
    uint8_t *const bytes = (uint8_t *)realloc(block->bytes, capacity > 0 ? capacity : 1);
    if (bytes == NULL)
        return -1;
    if (capacity > block->capacity)
        we_advise_huge_pages(bytes, capacity, WE_HUGE_PAGES_FROM);
    block->bytes = bytes;
    block->capacity = capacity;
    return 0;
}

/* Free the unused end of a block, unless it is small: a sixty-fourth and WE_SLACK bytes. The C library reuses freed
 * memory for a block of about the same size; if each block were shrunk to its exact size, the next one would be mapped
 * afresh. */
static inline void we_block_trim(we_block *block, size_t used)
{
    if (block != NULL && block->capacity - used > used / 64 + (used > 16 * WE_SLACK ? WE_SLACK : 64))
        (void)we_block_resize(block, used);
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

typedef struct we_array {
    we_count references;
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_blocks;
    int64_t n_children;
    const void **buffers;
    we_block **blocks;
    struct we_array **children;
    struct we_array *dictionary;
} we_array;

static inline void we_array_drop(we_array *array)
{
    if (array == NULL || !we_count_down(&array->references))
        return;
    for (int64_t i = 0; i < array->n_children; i++)
        we_array_drop(array->children[i]);
    we_array_drop(array->dictionary);
    for (int64_t i = 0; i < array->n_blocks; i++)
        we_block_drop(array->blocks[i]);
    free(array->buffers);
    free(array->blocks);
    free(array->children);
    free(array);
}

static inline we_array *we_array_keep(we_array *array)
{
    if (array != NULL)
        we_count_up(&array->references);
    return array;
}

/* Return an array whose buffers, blocks and children are null, or null if memory is exhausted. */
static inline we_array *we_array_new(int64_t buffers, int64_t blocks, int64_t children)
{
    we_array *const array = (we_array *)calloc(1, sizeof *array);
    if (array == NULL)
        return NULL;
    array->references = 1;
    array->buffers = (const void **)calloc((size_t)buffers + 1, sizeof *array->buffers);
    array->blocks = (we_block **)calloc((size_t)blocks + 1, sizeof *array->blocks);
    array->children = (we_array **)calloc((size_t)children + 1, sizeof *array->children);
    if (array->buffers == NULL || array->blocks == NULL || array->children == NULL) {
        we_array_drop(array);
        return NULL;
    }
    array->n_buffers = buffers;
    array->n_blocks = blocks;
    array->n_children = children;
    return array;
}

/* Return the bytes that are allocated for an array, without what it shares. */
static inline int64_t we_array_size(const we_array *array)
{
    int64_t size = 0;
    for (int64_t i = 0; i < array->n_blocks; i++)
        size += array->blocks[i] != NULL ? (int64_t)array->blocks[i]->capacity : 0;
    for (int64_t i = 0; i < array->n_children; i++)
        size += we_array_size(array->children[i]);
    return size + (array->dictionary != NULL ? we_array_size(array->dictionary) : 0);
}

/* ---- Export ------------------------------------------------------------------------------------------------------ */

typedef struct {
    we_array *array;
    struct ArrowArray dictionary;
    struct ArrowArray *children;
    struct ArrowArray **pointers; /* to the children */
} we_export;

static inline void we_export_release(struct ArrowArray *exported)
{
    we_export *const own = (we_export *)exported->private_data;
    /* A child that the consumer has moved is marked as released. */
    for (int64_t i = 0; i < own->array->n_children; i++)
        if (own->children[i].release != NULL)
            own->children[i].release(&own->children[i]);
    if (own->dictionary.release != NULL)
        own->dictionary.release(&own->dictionary);
    we_array_drop(own->array);
    free(own->children);
    free(own->pointers);
    free(own);
    exported->release = NULL;
}

/* Export an array; the export holds a reference to it. Return 0, or -1 if memory is exhausted, and `out` is released.
 */
static inline int we_array_export(we_array *array, struct ArrowArray *out)
{
    memset(out, 0, sizeof *out);
    we_export *const own = (we_export *)calloc(1, sizeof *own);
    if (own == NULL)
        return -1;
    own->children = (struct ArrowArray *)calloc((size_t)array->n_children + 1, sizeof *own->children);
    own->pointers = (struct ArrowArray **)calloc((size_t)array->n_children + 1, sizeof *own->pointers);
    if (own->children == NULL || own->pointers == NULL) {
        free(own->children);
        free(own->pointers);
        free(own);
        return -1;
    }
    own->array = we_array_keep(array);
    out->length = array->length;
    out->null_count = array->null_count;
    out->offset = array->offset;
    out->n_buffers = array->n_buffers;
    out->buffers = array->buffers;
    out->n_children = array->n_children;
    out->children = array->n_children > 0 ? own->pointers : NULL;
    out->release = we_export_release;
    out->private_data = own;
    int failed = 0;
    for (int64_t i = 0; i < array->n_children; i++) {
        own->pointers[i] = &own->children[i];
        failed |= !failed && we_array_export(array->children[i], &own->children[i]) < 0;
    }
    if (array->dictionary != NULL) {
        failed |= !failed && we_array_export(array->dictionary, &own->dictionary) < 0;
        out->dictionary = &own->dictionary;
    }
    if (failed) {
        out->release(out);
        return -1;
    }
    return 0;
}

typedef struct {
    struct ArrowSchema dictionary;
    struct ArrowSchema *children;
    struct ArrowSchema **pointers;
    char *format;
    char *name;
} we_schema_export;

static inline void we_schema_release(struct ArrowSchema *schema)
{
    we_schema_export *const own = (we_schema_export *)schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (own->children[i].release != NULL)
            own->children[i].release(&own->children[i]);
    if (own->dictionary.release != NULL)
        own->dictionary.release(&own->dictionary);
    free(own->children);
    free(own->pointers);
    free(own->format);
    free(own->name);
    free(own);
    schema->release = NULL;
}

static inline char *we_string_copy(const char *string)
{
    const size_t size = strlen(string) + 1;
    char *const copy = (char *)malloc(size);
    if (copy != NULL)
        memcpy(copy, string, size);
    return copy;
}

/* Initialize a schema, whose children and dictionary are in the released state. Return 0, or -1 if memory is exhausted.
 */
static inline int we_schema_new(struct ArrowSchema *out, const char *format, const char *name, int64_t flags,
                                int64_t children, int has_dictionary)
{
    memset(out, 0, sizeof *out);
    we_schema_export *const own = (we_schema_export *)calloc(1, sizeof *own);
    if (own == NULL)
        return -1;
    out->private_data = own;
    own->children = (struct ArrowSchema *)calloc((size_t)children + 1, sizeof *own->children);
    own->pointers = (struct ArrowSchema **)calloc((size_t)children + 1, sizeof *own->pointers);
    own->format = we_string_copy(format);
    own->name = we_string_copy(name);
    if (own->children == NULL || own->pointers == NULL || own->format == NULL || own->name == NULL) {
        we_schema_release(out);
        return -1;
    }
    for (int64_t i = 0; i < children; i++)
        own->pointers[i] = &own->children[i];
    out->format = own->format;
    out->name = own->name;
    out->flags = flags;
    out->n_children = children;
    out->children = children > 0 ? own->pointers : NULL;
    out->dictionary = has_dictionary ? &own->dictionary : NULL;
    out->release = we_schema_release;
    return 0;
}

/* Copy a schema without its metadata. Return 0, or -1 if memory is exhausted, and `out` is released. */
static inline int we_schema_copy(const struct ArrowSchema *schema, struct ArrowSchema *out)
{
    if (we_schema_new(out, schema->format, schema->name, schema->flags, schema->n_children, schema->dictionary != NULL)
        < 0) {
        out->release = NULL;
        return -1;
    }
    int failed = 0;
    for (int64_t i = 0; i < schema->n_children; i++)
        failed |= !failed && we_schema_copy(schema->children[i], out->children[i]) < 0;
    if (schema->dictionary != NULL)
        failed |= !failed && we_schema_copy(schema->dictionary, out->dictionary) < 0;
    if (failed) {
        out->release(out);
        return -1;
    }
    return 0;
}

/* A stream of existing arrays. */
typedef struct {
    struct ArrowSchema schema;
    we_array **arrays;
    size_t count;
    size_t next;
    const char *error;
} we_stream;

static inline int we_stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    we_stream *const own = (we_stream *)stream->private_data;
    if (we_schema_copy(&own->schema, out) < 0) {
        own->error = "memory is exhausted";
        return ENOMEM;
    }
    return 0;
}

static inline int we_stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    we_stream *const own = (we_stream *)stream->private_data;
    if (own->next == own->count) {
        memset(out, 0, sizeof *out);
        return 0;
    }
    if (we_array_export(own->arrays[own->next], out) < 0) {
        own->error = "memory is exhausted";
        return ENOMEM;
    }
    /* The consumer owns it now: the stream releases its reference. */
    we_array_drop(own->arrays[own->next]);
    own->arrays[own->next++] = NULL;
    return 0;
}

static inline const char *we_stream_get_last_error(struct ArrowArrayStream *stream)
{
    return ((we_stream *)stream->private_data)->error;
}

static inline void we_stream_release(struct ArrowArrayStream *stream)
{
    we_stream *const own = (we_stream *)stream->private_data;
    for (size_t i = own->next; i < own->count; i++)
        we_array_drop(own->arrays[i]);
    if (own->schema.release != NULL)
        own->schema.release(&own->schema);
    free(own->arrays);
    free(own);
    stream->release = NULL;
}

/* Export arrays as a stream, which holds a reference to each. Return 0, or -1 if memory is exhausted, and `out` is
 * released. */
static inline int we_stream_export(const struct ArrowSchema *schema, we_array *const *arrays, size_t count,
                                   struct ArrowArrayStream *out)
{
    memset(out, 0, sizeof *out);
    we_stream *const own = (we_stream *)calloc(1, sizeof *own);
    if (own == NULL)
        return -1;
    out->private_data = own;
    own->arrays = (we_array **)calloc(count + 1, sizeof *own->arrays);
    if (own->arrays == NULL || we_schema_copy(schema, &own->schema) < 0) {
        we_stream_release(out);
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        own->arrays[i] = we_array_keep(arrays[i]);
    own->count = count;
    out->get_schema = we_stream_get_schema;
    out->get_next = we_stream_get_next;
    out->get_last_error = we_stream_get_last_error;
    out->release = we_stream_release;
    return 0;
}

/* ---- Layouts ----------------------------------------------------------------------------------------------------- */

/* Copy `length` bits, starting at bit `offset`, to the start of `target`; the rest of its last byte is zero. */
static inline void we_copy_bits(const uint8_t *bits, int64_t offset, int64_t length, uint8_t *target)
{
    const uint8_t *const from = bits + (offset >> 3);
    const int shift = (int)(offset & 7);
    const int64_t bytes = (length + 7) / 8;
    if (length == 0)
        return;
    /* The last byte of the source that holds one of the bits: no byte after it is read. */
    const int64_t last = (shift + length - 1) >> 3;
    for (int64_t i = 0; i < bytes; i++) {
        unsigned value = from[i] >> shift;
        if (shift != 0 && i + 1 <= last)
            value |= (unsigned)from[i + 1] << (8 - shift);
        target[i] = (uint8_t)value;
    }
    if ((length & 7) != 0)
        target[bytes - 1] &= (uint8_t)((1u << (length & 7)) - 1);
}

/* Describe an array of this package as plain values. */
static inline void we_values_of(const we_array *array, we_layout layout, we_values *out)
{
    memset(out, 0, sizeof *out);
    out->layout = layout;
    out->length = array->length;
    out->offset = array->offset;
    out->null_count = array->null_count;
    out->validity = (const uint8_t *)array->buffers[0];
    if (layout == WE_VIEWS) {
        out->views = (const uint8_t *)array->buffers[1];
        out->variadic = array->buffers + 2;
        out->variadic_count = array->n_buffers - 3;
        out->sizes = (const uint8_t *)array->buffers[array->n_buffers - 1];
        return;
    }
    out->offsets = (const uint8_t *)array->buffers[1];
    out->data = (const uint8_t *)array->buffers[2];
    if (out->length != 0) {
        out->first = we_offset_at(out, 0);
        out->last = we_offset_at(out, out->length);
    }
}

typedef enum {
    WE_LAYOUT_DONE = 0,
    WE_LAYOUT_NO_MEMORY = -1,
    WE_LAYOUT_TOO_LARGE = -2,
    WE_LAYOUT_CHANGED = -3
} we_layout_result;

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

/* Return a zeroed buffer for the sizes of variadic buffers, the last buffer of an array of views. */
static inline we_block *we_sizes_new(int64_t count)
{
    we_block *const block = we_block_new((size_t)count * 8);
    if (block != NULL)
        memset(block->bytes, 0, block->capacity);
    return block;
}

/* Convert rows to another layout, and share the bytes where possible. The result refers to `owners`, the blocks that
 * hold the buffers of the values. `limit` is the upper bound on a 32-bit offset and on the size of a buffer of views.
 */
static inline we_layout_result we_relayout(const we_values *values, we_layout layout, we_block *const *owners,
                                           int64_t n_owners, int64_t limit, we_array **out)
{
    const int64_t rows = values->length;
    const int width = layout == WE_OFFSETS_64 ? 8 : 4;
    const int shares = values->layout != WE_VIEWS; /* the bytes are contiguous */
    const int64_t total = values->last - values->first;
    int64_t buffers = 3, segments = 0;
    we_layout_result result = WE_LAYOUT_NO_MEMORY;
    const uint8_t *bytes;
    size_t length;
    *out = NULL;
    if (layout == WE_VIEWS) {
        /* A segment ends before the first value that would exceed the limit; each but the last takes more than half of
         * it. */
        segments = total == 0 ? 0 : total / (limit / 2 + 1) + 2;
        buffers = 3 + segments;
    } else if (layout == WE_OFFSETS_32 && shares && total > limit) {
        return WE_LAYOUT_TOO_LARGE;
    }
    we_array *const array = we_array_new(buffers, 4 + n_owners, 0);
    if (array == NULL)
        return WE_LAYOUT_NO_MEMORY;
    array->length = rows;
    array->null_count = values->validity == NULL ? 0 : values->null_count;
    if (values->validity != NULL && values->null_count != 0) {
        array->blocks[0] = we_block_new((size_t)(rows + 7) / 8);
        if (array->blocks[0] == NULL)
            goto failed;
        we_copy_bits(values->validity, values->offset, rows, array->blocks[0]->bytes);
        array->buffers[0] = array->blocks[0]->bytes;
    }
    array->blocks[1] =
        we_block_new(layout == WE_VIEWS ? (size_t)rows * WE_VIEW_SIZE : (size_t)(rows + 1) * (size_t)width);
    if (array->blocks[1] == NULL)
        goto failed;
    array->buffers[1] = array->blocks[1]->bytes;
    if (layout == WE_VIEWS) {
        array->blocks[2] = we_sizes_new(segments);
        if (array->blocks[2] == NULL)
            goto failed;
        array->buffers[buffers - 1] = array->blocks[2]->bytes;
        int64_t segment = -1, start = 0;
        for (int64_t i = 0; i < rows; i++) {
            uint8_t *const view = array->blocks[1]->bytes + i * WE_VIEW_SIZE;
            if (we_value_is_null(values, i)) {
                memset(view, 0, WE_VIEW_SIZE);
                continue;
            }
            if (we_value_bytes(values, i, &bytes, &length) != WE_ROW_BYTES) {
                result = WE_LAYOUT_CHANGED;
                goto failed;
            }
            if ((int64_t)length > limit) {
                result = WE_LAYOUT_TOO_LARGE;
                goto failed;
            }
            if (length > WE_VIEW_INLINE) {
                const int64_t at = bytes - values->data;
                if (segment < 0 || at + (int64_t)length - start > limit) {
                    segment += 1;
                    start = at;
                    if (segment >= segments) {
                        result = WE_LAYOUT_CHANGED;
                        goto failed;
                    }
                    array->buffers[2 + segment] = values->data + start;
                }
                const int64_t size = at + (int64_t)length - start;
                memcpy(array->blocks[2]->bytes + segment * 8, &size, 8);
                we_write_view(view, bytes, length, (int32_t)segment, (int32_t)(at - start));
            } else {
                we_write_view(view, bytes, length, 0, 0);
            }
        }
    } else {
        int64_t written = 0;
        uint8_t *const offsets = array->blocks[1]->bytes;
        if (!shares) {
            for (int64_t i = 0; i < rows; i++) {
                if (!we_value_is_null(values, i)) {
                    if (we_value_bytes(values, i, &bytes, &length) != WE_ROW_BYTES) {
                        result = WE_LAYOUT_CHANGED;
                        goto failed;
                    }
                    written += (int64_t)length;
                }
            }
            if (layout == WE_OFFSETS_32 && written > limit) {
                result = WE_LAYOUT_TOO_LARGE;
                goto failed;
            }
            array->blocks[2] = we_block_new((size_t)written);
            if (array->blocks[2] == NULL)
                goto failed;
        }
        const int64_t capacity = written;
        written = 0;
        for (int64_t i = 0; i <= rows; i++) {
            if (width == 4) {
                const int32_t value = (int32_t)written;
                memcpy(offsets + i * 4, &value, 4);
            } else {
                memcpy(offsets + i * 8, &written, 8);
            }
            if (i == rows)
                break;
            if (!shares && we_value_is_null(values, i))
                continue;
            if (we_value_bytes(values, i, &bytes, &length) != WE_ROW_BYTES
                || (!shares && (int64_t)length > capacity - written)) {
                result = WE_LAYOUT_CHANGED;
                goto failed;
            }
            if (!shares && length > 0)
                memcpy(array->blocks[2]->bytes + written, bytes, length);
            written += (int64_t)length;
        }
        if (shares && written != total) {
            result = WE_LAYOUT_CHANGED;
            goto failed;
        }
        array->buffers[2] = !shares                ? array->blocks[2]->bytes
                            : values->data != NULL ? values->data + values->first
                                                   : array->blocks[1]->bytes;
    }
    if (shares)
        for (int64_t i = 0; i < n_owners; i++)
            array->blocks[4 + i] = we_block_keep(owners[i]);
    *out = array;
    return WE_LAYOUT_DONE;
failed:
    we_array_drop(array);
    return result;
}

#endif
