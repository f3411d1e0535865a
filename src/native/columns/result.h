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

/* Return a block that takes over allocated bytes. If memory is exhausted or they are null, free both; return null. */
static inline we_block *we_block_of(void *bytes, size_t capacity)
{
    we_block *const block = (we_block *)calloc(1, sizeof *block);
    if (block == NULL || bytes == NULL) {
        free(block);
        free(bytes);
        return NULL;
    }
    block->references = 1;
    block->bytes = (uint8_t *)bytes;
    block->capacity = capacity;
    we_advise_huge_pages(block->bytes, capacity, WE_HUGE_PAGES_FROM);
    return block;
}

static inline we_block *we_block_new(size_t capacity)
{
    return we_block_of(malloc(capacity > 0 ? capacity : 1), capacity);
}

/* Return a block of zeros. Large ones cost nothing until they are written to. */
static inline we_block *we_block_of_zeros(size_t capacity)
{
    return we_block_of(calloc(capacity > 0 ? capacity : 1, 1), capacity);
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

enum { WE_MOST_CHILDREN = 6, WE_FORMAT_SIZE = 4 };

typedef struct we_array {
    we_count references;
    char format[WE_FORMAT_SIZE];
    const char *name;
    int64_t flags;
    int64_t length;
    int64_t null_count;
    int64_t n_buffers; /* at least one, the validity */
    const void **buffers;
    we_block **blocks; /* for each buffer, the block that holds it, or null */
    int64_t *sizes;    /* for each buffer of views, its size */
    int64_t n_children;
    struct we_array *children[WE_MOST_CHILDREN]; /* of a struct; for other formats, the only one is the dictionary */
} we_array;

static inline void we_array_drop(we_array *array)
{
    if (array == NULL || !we_count_down(&array->references))
        return;
    for (int64_t i = 0; i < array->n_children; i++)
        we_array_drop(array->children[i]);
    for (int64_t i = 0; i < array->n_buffers; i++)
        we_block_drop(array->blocks[i]);
    free(array->buffers);
    free(array->blocks);
    free(array->sizes);
    free(array);
}

static inline we_array *we_array_keep(we_array *array)
{
    if (array != NULL)
        we_count_up(&array->references);
    return array;
}

/* Append a buffer, and take over the reference to the block that holds it. Return 0, or -1 if memory is exhausted, and
 * the reference is released. */
static inline int we_array_add(we_array *array, const void *bytes, int64_t size, we_block *block)
{
    const size_t at = (size_t)array->n_buffers;
    /* The capacity is four buffers, then a power of two. */
    if ((at & (at - 1)) == 0 && (at == 0 || at >= 4)) {
        const size_t capacity = at == 0 ? 4 : 2 * at;
        const void **const buffers = (const void **)realloc(array->buffers, capacity * sizeof *buffers);
        array->buffers = buffers != NULL ? buffers : array->buffers;
        we_block **const blocks = (we_block **)realloc(array->blocks, capacity * sizeof *blocks);
        array->blocks = blocks != NULL ? blocks : array->blocks;
        int64_t *const sizes = (int64_t *)realloc(array->sizes, capacity * sizeof *sizes);
        array->sizes = sizes != NULL ? sizes : array->sizes;
        if (buffers == NULL || blocks == NULL || sizes == NULL) {
            we_block_drop(block);
            return -1;
        }
    }
    array->buffers[at] = bytes;
    array->blocks[at] = block;
    array->sizes[at] = size;
    array->n_buffers += 1;
    return 0;
}

/* Append a buffer of its own. Return its bytes, or null if memory is exhausted. */
static inline uint8_t *we_array_add_new(we_array *array, size_t size)
{
    we_block *const block = we_block_new(size);
    return block != NULL && we_array_add(array, block->bytes, 0, block) == 0 ? block->bytes : NULL;
}

/* Append the sizes of the buffers of views. Return 0, or -1 if memory is exhausted. */
static inline int we_array_add_sizes(we_array *array)
{
    if (we_array_add(array, NULL, 0, NULL) < 0)
        return -1;
    array->buffers[array->n_buffers - 1] = array->sizes + 2;
    return 0;
}

/* Return an array with a validity buffer, in which no item is null, or null if memory is exhausted. The name must be
 * static. */
static inline we_array *we_array_new(const char *format, const char *name, int64_t length)
{
    we_array *const array = (we_array *)calloc(1, sizeof *array);
    if (array == NULL)
        return NULL;
    array->references = 1;
    memcpy(array->format, format, strlen(format) + 1);
    array->name = name;
    array->flags = ARROW_FLAG_NULLABLE;
    array->length = length;
    if (we_array_add(array, NULL, 0, NULL) < 0) {
        we_array_drop(array);
        return NULL;
    }
    return array;
}

/* Return an array of items of a fixed width, all zero, or null if memory is exhausted. */
static inline we_array *we_array_of_width(const char *format, const char *name, int64_t length, size_t width)
{
    we_array *const array = we_array_new(format, name, length);
    we_block *const items = array != NULL ? we_block_of_zeros((size_t)length * width) : NULL;
    if (items != NULL && we_array_add(array, items->bytes, 0, items) == 0)
        return array;
    we_array_drop(array);
    return NULL;
}

static inline int we_array_is_struct(const we_array *array)
{
    return array->format[0] == '+';
}

/* Return the items of an array that were created by this package. */
static inline uint8_t *we_array_items(const we_array *array)
{
    return (uint8_t *)array->buffers[1];
}

/* Append a child, if it is not null, and take over the reference to it. Return it. */
static inline we_array *we_array_adopt(we_array *array, we_array *child)
{
    if (child != NULL)
        array->children[array->n_children++] = child;
    return child;
}

/* Make an item null. Return 0, or -1 if memory is exhausted. */
static inline int we_array_set_null(we_array *array, int64_t index)
{
    if (array->blocks[0] == NULL) {
        we_block *const bits = we_block_new((size_t)(array->length + 7) / 8);
        if (bits == NULL)
            return -1;
        memset(bits->bytes, 0xFF, bits->capacity);
        array->blocks[0] = bits;
        array->buffers[0] = bits->bytes;
    }
    ((uint8_t *)array->buffers[0])[index >> 3] &= (uint8_t)~(1u << (index & 7));
    array->null_count += 1;
    return 0;
}

/* Free what a buffer does not use. */
static inline void we_array_trim(we_array *array, int64_t buffer, size_t used)
{
    we_block_trim(array->blocks[buffer], used);
    array->buffers[buffer] = array->blocks[buffer]->bytes;
}

/* Return an array with the same buffers and without the children, or null if memory is exhausted. */
static inline we_array *we_array_copy(const we_array *array, const char *format)
{
    we_array *const copy = we_array_new(format, array->name, array->length);
    if (copy == NULL)
        return NULL;
    copy->flags = array->flags;
    copy->null_count = array->null_count;
    copy->buffers[0] = array->buffers[0];
    copy->blocks[0] = we_block_keep(array->blocks[0]);
    for (int64_t i = 1; i < array->n_buffers; i++) {
        if (we_array_add(copy, array->buffers[i], array->sizes[i], we_block_keep(array->blocks[i])) < 0) {
            we_array_drop(copy);
            return NULL;
        }
    }
    return copy;
}

/* Return the bytes that are allocated for an array, without what it shares. */
static inline int64_t we_array_size(const we_array *array)
{
    int64_t size = 0;
    for (int64_t i = 0; i < array->n_buffers; i++)
        size += array->blocks[i] != NULL ? (int64_t)array->blocks[i]->capacity : 0;
    for (int64_t i = 0; i < array->n_children; i++)
        size += we_array_size(array->children[i]);
    return size;
}

/* ---- Export ------------------------------------------------------------------------------------------------------ */

/* What an exported array owns. */
typedef struct {
    we_array *array;
    struct ArrowArray items[WE_MOST_CHILDREN];
    struct ArrowArray *pointers[WE_MOST_CHILDREN];
} we_export;

static inline void we_export_release(struct ArrowArray *exported)
{
    we_export *const own = (we_export *)exported->private_data;
    /* A child that the consumer has moved is marked as released. */
    for (int64_t i = 0; i < own->array->n_children; i++)
        if (own->items[i].release != NULL)
            own->items[i].release(&own->items[i]);
    we_array_drop(own->array);
    free(own);
    exported->release = NULL;
}

/* Export an array; the export holds a reference to it. Return 0, or -1 if memory is exhausted, and `out` is released.
 */
static inline int we_array_export(we_array *array, struct ArrowArray *out)
{
    we_export *const own = (we_export *)calloc(1, sizeof *own);
    memset(out, 0, sizeof *out);
    if (own == NULL)
        return -1;
    own->array = we_array_keep(array);
    out->length = array->length;
    out->null_count = array->null_count;
    out->n_buffers = array->n_buffers;
    out->buffers = array->buffers;
    out->release = we_export_release;
    out->private_data = own;
    for (int64_t i = 0; i < array->n_children; i++) {
        own->pointers[i] = &own->items[i];
        if (we_array_export(array->children[i], &own->items[i]) < 0) {
            out->release(out);
            return -1;
        }
    }
    out->n_children = we_array_is_struct(array) ? array->n_children : 0;
    out->children = we_array_is_struct(array) ? own->pointers : NULL;
    out->dictionary = we_array_is_struct(array) || array->n_children == 0 ? NULL : own->items;
    return 0;
}

/* What an exported schema owns: no array, so that it does not keep the rows. */
typedef struct {
    char format[WE_FORMAT_SIZE];
    struct ArrowSchema items[WE_MOST_CHILDREN];
    struct ArrowSchema *pointers[WE_MOST_CHILDREN];
} we_schema_export;

static inline void we_schema_release(struct ArrowSchema *exported)
{
    we_schema_export *const own = (we_schema_export *)exported->private_data;
    for (int64_t i = 0; i < WE_MOST_CHILDREN; i++)
        if (own->items[i].release != NULL)
            own->items[i].release(&own->items[i]);
    free(own);
    exported->release = NULL;
}

/* Export the schema of an array, as we_array_export does. */
static inline int we_array_schema(const we_array *array, struct ArrowSchema *out)
{
    we_schema_export *const own = (we_schema_export *)calloc(1, sizeof *own);
    memset(out, 0, sizeof *out);
    if (own == NULL)
        return -1;
    memcpy(own->format, array->format, sizeof own->format);
    out->format = own->format;
    out->name = array->name;
    out->flags = array->flags;
    out->release = we_schema_release;
    out->private_data = own;
    for (int64_t i = 0; i < array->n_children; i++) {
        own->pointers[i] = &own->items[i];
        if (we_array_schema(array->children[i], &own->items[i]) < 0) {
            out->release(out);
            return -1;
        }
    }
    out->n_children = we_array_is_struct(array) ? array->n_children : 0;
    out->children = we_array_is_struct(array) ? own->pointers : NULL;
    out->dictionary = we_array_is_struct(array) || array->n_children == 0 ? NULL : own->items;
    return 0;
}

/* A stream of existing arrays. */
typedef struct {
    we_array *type; /* any array of the stream's type */
    we_array **arrays;
    size_t count;
    size_t next;
} we_stream;

static inline int we_stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    return we_array_schema(((we_stream *)stream->private_data)->type, out) < 0 ? ENOMEM : 0;
}

static inline int we_stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    we_stream *const own = (we_stream *)stream->private_data;
    memset(out, 0, sizeof *out);
    if (own->next == own->count)
        return 0;
    if (we_array_export(own->arrays[own->next], out) < 0)
        return ENOMEM;
    /* The consumer owns it now: the stream releases its reference. */
    we_array_drop(own->arrays[own->next++]);
    return 0;
}

static inline const char *we_stream_get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "memory is exhausted";
}

static inline void we_stream_release(struct ArrowArrayStream *stream)
{
    we_stream *const own = (we_stream *)stream->private_data;
    for (size_t i = own->next; i < own->count; i++)
        we_array_drop(own->arrays[i]);
    we_array_drop(own->type);
    free(own->arrays);
    free(own);
    stream->release = NULL;
}

/* Export arrays as a stream, which holds a reference to each. Return 0, or -1 if memory is exhausted, and `out` is
 * released. */
static inline int we_stream_export(we_array *type, we_array *const *arrays, size_t count, struct ArrowArrayStream *out)
{
    memset(out, 0, sizeof *out);
    we_stream *const own = (we_stream *)calloc(1, sizeof *own);
    if (own == NULL)
        return -1;
    out->private_data = own;
    own->type = we_array_keep(type);
    own->arrays = (we_array **)calloc(count + 1, sizeof *own->arrays);
    if (own->arrays == NULL) {
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

#endif
