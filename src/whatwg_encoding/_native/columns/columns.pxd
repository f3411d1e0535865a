"""Declarations of src/native/columns for Cython: types and functions, no code."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from whatwg_encoding._native.text.engine cimport we_engine

cdef extern from "module_state.h":
    pass

cdef extern from "abi.h" nogil:
    struct ArrowSchema:
        const char *format
        int64_t n_children
        ArrowSchema **children
        ArrowSchema *dictionary
        void (*release)(ArrowSchema *) noexcept nogil

    struct ArrowArray:
        void (*release)(ArrowArray *) noexcept nogil

    struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream *, ArrowSchema *) noexcept nogil
        int (*get_next)(ArrowArrayStream *, ArrowArray *) noexcept nogil
        const char *(*get_last_error)(ArrowArrayStream *) noexcept nogil
        void (*release)(ArrowArrayStream *) noexcept nogil

cdef extern from "source.h" nogil:
    enum:
        WE_MESSAGE_SIZE
        WE_ROW_WRONG
        WE_ROW_NULL
        WE_ROW_BYTES

    ctypedef enum we_layout:
        WE_NO_VALUES
        WE_OFFSETS_32
        WE_OFFSETS_64
        WE_VIEWS

    ctypedef struct we_format:
        we_layout layout
        int is_text
        int64_t width
        char index

    ctypedef struct we_values:
        we_layout layout
        int64_t width
        int64_t length

    ctypedef struct we_source:
        we_values values
        int64_t length
        char index
        int64_t offset
        const uint8_t *validity

    ctypedef struct we_check:
        pass

    int we_format_of(const ArrowSchema *schema, const char *role, we_format *out, char *message)
    int we_source_open(const ArrowArray *array, const char *role, const we_format *format, we_source *out,
                       char *message)
    int we_source_check(we_source *source, const char *role, we_check *check, char *message)
    int we_source_row(const we_source *source, int64_t row, const uint8_t **bytes, size_t *length)
    int64_t we_index_at(const we_source *source, int64_t row)
    const uint8_t *we_source_indices(const we_source *source)
    int we_bit(const uint8_t *bits, int64_t index)
    int we_values_are_same(const we_values *values, const we_values *other)
    int we_value_is_null(const we_values *values, int64_t index)

cdef extern from "result.h" nogil:
    ctypedef struct we_block:
        uint8_t *bytes
        ArrowArray array

    ctypedef struct we_array:
        char[4] format
        int64_t flags
        int64_t length
        int64_t null_count
        const void **buffers
        we_block **blocks
        int64_t n_children
        we_array **children

    void we_block_drop(we_block *block)
    we_block *we_block_keep(we_block *block)
    we_block *we_block_import(ArrowArray *array)
    we_array *we_array_new(const char *format, const char *name, int64_t length)
    we_array *we_array_of_width(const char *format, const char *name, int64_t length, size_t width)
    we_array *we_array_adopt(we_array *array, we_array *child)
    we_array *we_array_copy(const we_array *array, const char *format)
    we_array *we_array_keep(we_array *array)
    void we_array_drop(we_array *array)
    int we_array_add(we_array *array, const void *bytes, int64_t size, we_block *block)
    uint8_t *we_array_add_new(we_array *array, size_t size)
    int we_array_set_null(we_array *array, int64_t index)
    int64_t we_array_size(const we_array *array)
    int we_array_export(we_array *array, ArrowArray *out)
    int we_array_schema(we_array *array, ArrowSchema *out)
    int we_stream_export(we_array *type, we_array **arrays, size_t count, ArrowArrayStream *out)

cdef extern from "rows.h" nogil:
    enum:
        WE_ENCODING_NULL

    ctypedef enum we_on_error:
        WE_ON_ERROR_REPLACE
        WE_ON_ERROR_FATAL
        WE_ON_ERROR_NULL

    ctypedef struct we_label_cache:
        pass

    ctypedef struct we_label_chunk:
        const we_source *source
        int64_t start

    ctypedef enum we_job_result:
        WE_JOB_DONE
        WE_JOB_PAUSED
        WE_JOB_LABEL
        WE_JOB_ERROR
        WE_JOB_FULL
        WE_JOB_TOO_LARGE
        WE_JOB_CHANGED
        WE_JOB_NO_MEMORY

    ctypedef struct we_job:
        const we_label_chunk *labels
        size_t label_count
        we_label_cache *cache
        const we_engine *engine
        int encoding
        int is_single_byte
        int encodes
        int sniffs_mark
        int with_info
        we_on_error on_error
        we_layout layout
        int64_t limit
        we_array *names
        const we_source *source
        int64_t row
        int row_encoding
        int64_t looked_up_row
        int looked_up_encoding

    int we_job_start(we_job *job, const we_source *source, we_block *owner)
    int we_job_begin(we_job *job)
    void we_job_clear(we_job *job)
    we_job_result we_job_run(we_job *job)
    we_array *we_job_finish(we_job *job)
    we_job_result we_array_cast(we_array *array, const char *format, we_array **out)
    int we_job_label(we_job *job, const uint8_t **bytes, size_t *length)
    void we_label_learn(we_label_cache *cache, const uint8_t *bytes, size_t length, int encoding)
