# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Strings and bytes as CPython makes them: their kinds, their capacity, and bytes that grow. _objects.h has what touches internals."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport PyObject, Py_XDECREF
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy

from whatwg_encoding._kernels cimport *

cdef extern from "Python.h":
    PyObject *PyUnicode_New(Py_ssize_t size, Py_UCS4 max_code_point) except NULL
    int PyUnicode_Resize(PyObject **string, Py_ssize_t length) except -1
    str PyUnicode_FromKindAndData(int kind, const void *units, Py_ssize_t length)
    str PyUnicode_FromObject(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object string)
    int PyUnicode_KIND(object string)
    void *PyUnicode_DATA(object string)
    void *string_data "PyUnicode_DATA"(PyObject *string)
    bint PyUnicode_IS_ASCII(object string)
    Py_UCS4 PyUnicode_MAX_CHAR_VALUE(object string)
    int _PyBytes_Resize(PyObject **bytes, Py_ssize_t length) except -1
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *data, Py_ssize_t length) except NULL
    char *bytes_data "PyBytes_AS_STRING"(PyObject *bytes)
    Py_ssize_t PY_SSIZE_T_MAX

cdef extern from "_objects.h":
    void we_set_string_length(PyObject *string, size_t length)
    void we_set_bytes_length(PyObject *bytes, size_t length)
    void we_advise_huge_pages(void *block, size_t length)

cdef enum:
    # Units that a result is made of on the stack first: a short one is then made in its exact size.
    STAGE = 1024
    # Capacity, in units, below which a loop is not called again. More than the longest sequence, so that each call makes progress.
    LEAST_CAPACITY = 64
    # Capacity that is allotted for the worst case at once. Beyond, it is what the input is likely to come to.
    CHEAP_CAPACITY = 32768


# --- Capacity ---------------------------------------------------------------------------------------------------------


cdef inline size_t checked_capacity(double units) except? 0:
    """Return a capacity that an object can have. Sizes are added and multiplied as doubles, since 32 bits may be too few for them."""
    if units > <double> (PY_SSIZE_T_MAX - CHEAP_CAPACITY):
        raise MemoryError("the result would be larger than an object can be")
    return <size_t> units


cdef inline size_t capacity_for(size_t written, size_t remaining, size_t per_item, double likely) except? 0:
    """Return the capacity for what is written and for what remains: the worst case where that is cheap, else what is likely."""
    cdef double capacity = <double> remaining * <double> per_item
    if capacity > CHEAP_CAPACITY:
        # (The likely length is negative if another thread changes the source between the sample and the count.)
        capacity = min(capacity, max(likely, 0.0) * 1.015625 + LEAST_CAPACITY)
    return checked_capacity(<double> written + capacity)


cdef inline size_t grown_capacity(size_t written, size_t length) except? 0:
    """Return the capacity for what is written, so much behind it and a quarter more, which amortizes the copies of many such steps."""
    return checked_capacity(<double> written * 1.25 + <double> length + LEAST_CAPACITY)


cdef inline double likely_rest(size_t written, size_t total_read, size_t remaining) noexcept nogil:
    """Return what the rest of a source comes to if it goes on as it began, and an eighth more, so that few steps reach the end."""
    return <double> written / <double> (total_read + 1) * <double> remaining * 1.125


cdef inline bint is_nearly_full(size_t capacity, size_t written) noexcept nogil:
    """Whether a result may keep its block, since a sixteenth of it at most is unused."""
    return capacity - written <= written // 16 and capacity > STAGE


# --- Kinds of strings -------------------------------------------------------------------------------------------------


cdef inline str exact_str(object text):
    """Return a str, or an instance of a subclass as a str."""
    return <str> text if type(text) is str else PyUnicode_FromObject(text)


cdef inline size_t unit_size(int kind) noexcept nogil:
    return <size_t> 1 << kind


cdef inline int kind_of_string(str text) noexcept:
    """Return WE_UCS1, WE_UCS2 or WE_UCS4."""
    return PyUnicode_KIND(text) >> 1


cdef inline int kind_of(uint32_t max_code_point) noexcept nogil:
    return WE_UCS1 if max_code_point <= 0xFF else WE_UCS2 if max_code_point <= 0xFFFF else WE_UCS4


cdef inline uint32_t bound_of(uint32_t bits) noexcept nogil:
    """Return the largest code point of the smallest string that holds code points with these bits."""
    return 0x7F if bits <= 0x7F else 0xFF if bits <= 0xFF else 0xFFFF if bits <= 0xFFFF else 0x10FFFF


cdef inline uint32_t unit_at(const uint8_t *source, int kind, size_t position) noexcept nogil:
    if kind == WE_UCS1:
        return source[position]
    if kind == WE_UCS2:
        return (<const uint16_t *> source)[position]
    return (<const uint32_t *> source)[position]


cdef inline uint32_t union_of(int simd, const void *units, int kind, size_t length) noexcept nogil:
    """Return the union of the bits of code points."""
    if kind == WE_UCS1:
        return we_or_ucs1(simd, <const uint8_t *> units, length)
    if kind == WE_UCS2:
        return we_or_ucs2(simd, <const uint16_t *> units, length)
    return we_or_ucs4(simd, <const uint32_t *> units, length)


cdef inline size_t non_ascii_count(int simd, const uint8_t *source, int kind, size_t start, size_t length) noexcept nogil:
    if kind == WE_UCS1:
        return we_non_ascii_count_ucs1(simd, source + start, length)
    if kind == WE_UCS2:
        return we_non_ascii_count_ucs2(simd, <const uint16_t *> source + start, length)
    return we_non_ascii_count_ucs4(simd, <const uint32_t *> source + start, length)


cdef inline void copy_units(int simd, const void *source, int source_kind, size_t length, void *target, int target_kind) noexcept nogil:
    """Copy code points that fit the target's kind."""
    if source_kind == target_kind:
        memcpy(target, source, length << source_kind)
    elif source_kind == WE_UCS1:
        if target_kind == WE_UCS2:
            we_widen_ucs1_to_ucs2(simd, <const uint8_t *> source, length, <uint16_t *> target)
        else:
            we_widen_ucs1_to_ucs4(simd, <const uint8_t *> source, length, <uint32_t *> target)
    elif source_kind == WE_UCS2:
        if target_kind == WE_UCS4:
            we_widen_ucs2_to_ucs4(simd, <const uint16_t *> source, length, <uint32_t *> target)
        else:
            we_narrow_ucs2_to_ucs1(simd, <const uint16_t *> source, length, <uint8_t *> target)
    elif target_kind == WE_UCS2:
        we_narrow_ucs4_to_ucs2(simd, <const uint32_t *> source, length, <uint16_t *> target)
    else:
        we_narrow_ucs4_to_ucs1(simd, <const uint32_t *> source, length, <uint8_t *> target)


# --- Bytes that grow --------------------------------------------------------------------------------------------------


cdef struct Bytes:
    # What an encoder or a decoder to UTF-8 writes to: the stack while it is little.
    PyObject *object  # null: on the stack
    uint8_t *target
    size_t capacity
    size_t written
    uint8_t[STAGE] stack


cdef inline void begin_bytes(Bytes *output) noexcept:
    output.object = NULL
    output.target = output.stack
    output.capacity = STAGE
    output.written = 0


cdef inline int resize_bytes(Bytes *output, size_t capacity) except -1:
    """Give the output a capacity of so many bytes in all, no fewer than are written."""
    if output.object == NULL:
        output.object = new_bytes(NULL, <Py_ssize_t> capacity)
        memcpy(bytes_data(output.object), output.stack, output.written)
    else:
        _PyBytes_Resize(&output.object, <Py_ssize_t> capacity)
    output.target = <uint8_t *> bytes_data(output.object)
    output.capacity = capacity
    we_advise_huge_pages(output.target, capacity)
    return 0


cdef inline int append_bytes(Bytes *output, const void *data, size_t length) except -1:
    if output.capacity - output.written < length:
        resize_bytes(output, grown_capacity(output.written, length))
    memcpy(output.target + output.written, data, length)
    output.written += length
    return 0


cdef inline bytes finish_bytes(Bytes *output):
    """Return the bytes; the output holds nothing afterwards."""
    if output.object == NULL:
        return PyBytes_FromStringAndSize(<char *> output.stack, <Py_ssize_t> output.written)
    if is_nearly_full(output.capacity, output.written):
        we_set_bytes_length(output.object, output.written)
    elif output.capacity != output.written:
        _PyBytes_Resize(&output.object, <Py_ssize_t> output.written)
    result = <bytes> output.object
    Py_XDECREF(output.object)
    output.object = NULL
    return result


cdef inline void abandon_bytes(Bytes *output) noexcept:
    Py_XDECREF(output.object)
    output.object = NULL
