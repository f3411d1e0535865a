# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""CPython's strings and bytes: kinds, capacity, and bytes that grow. What depends on internals is in objects.h."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport PyObject, Py_XDECREF
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "Python.h":
    PyObject *PyUnicode_New(Py_ssize_t size, Py_UCS4 max_code_point) except NULL
    int PyUnicode_Resize(PyObject **string, Py_ssize_t length) except -1
    str PyUnicode_FromKindAndData(int kind, const void *units, Py_ssize_t length)
    str PyUnicode_FromObject(object text)
    str PyUnicode_FromOrdinal(int code_point)
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

cdef extern from "text/objects.h":
    bint WE_HAS_GIL
    void we_set_string_length(PyObject *string, size_t length)
    const char *we_cached_utf8(str string, Py_ssize_t *length)
    void we_set_bytes_length(PyObject *bytes, size_t length)
    bint we_reuse_error(object error, object encoding, object object, size_t start, size_t end, object reason)

cdef extern from "huge_pages.h":
    void we_advise_huge_pages(void *block, size_t length, size_t least)

cdef enum:
    # Capacity, in units, of the stage on the stack, from which a short result is allocated in its exact size.
    STAGE = 1024
    # Capacity, in units, below which a loop is not called. It exceeds the longest sequence, so each call makes
    # progress.
    LEAST_CAPACITY = 64
    # Size in bytes from which huge pages are asked for.
    HUGE_PAGES_FROM = 4194304
    # Sample of a text: units in a piece, the least distance between pieces, and an upper bound on their number; a text
    # of no more than SAMPLE units is its own.
    SAMPLE_PIECE = 64
    SAMPLE = 2048
    SAMPLE_STEP = 1024
    SAMPLE_PIECES = 4096
    # Upper bound on a worst-case allocation. A larger result is allocated by its estimated size.
    CHEAP_CAPACITY = 32768


# --- Capacity ---------------------------------------------------------------------------------------------------------


cdef inline size_t checked_capacity(double units) except? 0:
    """Return ``units`` as a capacity; raise MemoryError if it is too large. A double avoids overflow of size_t."""
    if units > <double> (PY_SSIZE_T_MAX - CHEAP_CAPACITY):
        raise MemoryError("the result would be larger than an object can be")
    return <size_t> units


cdef inline size_t capacity_for(size_t written, size_t remaining, size_t per_item, double likely) except? 0:
    """Return the capacity for the output so far and the rest: the worst case if that is small, else the estimate."""
    cdef double capacity = <double> remaining * <double> per_item
    if capacity > CHEAP_CAPACITY:
        # The estimate is negative if another thread changes the source between the sample and the count.
        capacity = min(capacity, max(likely, 0.0) * 1.015625 + LEAST_CAPACITY)
    return checked_capacity(<double> written + capacity)


cdef inline size_t grown_capacity(size_t written, size_t length) except? 0:
    """Return the capacity for ``written`` and ``length`` more units, plus a quarter to amortize repeated growth."""
    return checked_capacity(<double> written * 1.25 + <double> length + LEAST_CAPACITY)


cdef inline bint is_nearly_full(size_t capacity, size_t written) noexcept nogil:
    """Return whether at most a sixteenth of a result's block is unused, so that it may keep the block."""
    return capacity - written <= written // 16 and capacity > STAGE


# --- Kinds of strings -------------------------------------------------------------------------------------------------


cdef inline str exact_str(object text):
    """Return the text as an exact str: an instance of a subclass is copied."""
    return <str> text if type(text) is str else PyUnicode_FromObject(text)


cdef inline int kind_of_string(str text) noexcept:
    """Return WE_UCS1, WE_UCS2 or WE_UCS4."""
    return PyUnicode_KIND(text) >> 1


cdef inline int kind_of(uint32_t max_code_point) noexcept nogil:
    return WE_UCS1 if max_code_point <= 0xFF else WE_UCS2 if max_code_point <= 0xFFFF else WE_UCS4


cdef inline uint32_t bound_of(uint32_t bits) noexcept nogil:
    """Return the largest code point of the smallest kind of string for code points with these bits."""
    return 0x7F if bits <= 0x7F else 0xFF if bits <= 0xFF else 0xFFFF if bits <= 0xFFFF else 0x10FFFF


cdef inline double non_ascii_share(int simd, const uint8_t *source, int kind, size_t length) noexcept nogil:
    """Estimate the share of units that are not ASCII from pieces that are spread evenly over a text.

    The size of a result is estimated from it. To count all units of a long text would take up to a third of the time
    that encoding it takes.
    """
    cdef size_t step = max(<size_t> SAMPLE_STEP, length // SAMPLE_PIECES), start = 0, count = 0, total = 0
    if length <= SAMPLE:
        return <double> we_non_ascii_count(simd, kind, source, length) / <double> (length + (length == 0))
    while length - start >= SAMPLE_PIECE:
        count += we_non_ascii_count(simd, kind, source + (start << kind), SAMPLE_PIECE)
        total += SAMPLE_PIECE
        start += min(step, length - start)
    return <double> count / <double> total


cdef inline double likely_rest(
    int simd, bint tells_ascii, const uint8_t *source, int kind, size_t position, size_t read, size_t written,
    size_t remaining, double most
) noexcept nogil:
    """Estimate the output for the ``remaining`` units of a source from ``position`` on: the one estimate of a size.

    The units are taken to give what the ``read`` units before them gave, ``written``: one for each of ASCII, and the
    average of the others, or ``most`` if there were none, for each of the others. Where ASCII is not told by its units
    (``tells_ascii``), all of them count alike.
    """
    cdef double more = most - 1, others = 0, share, margin
    if not tells_ascii:
        return <double> written / <double> (read + 1) * <double> remaining * 1.125
    if read <= position:
        others = non_ascii_share(simd, source + ((position - read) << kind), kind, read) * <double> read
    if others != 0:
        more = (<double> written - <double> read) / others
    if more == 0:
        return <double> remaining
    share = non_ascii_share(simd, source + (position << kind), kind, remaining)
    # The share may differ by this much from that of the whole text: little where nearly all units are alike, and less
    # the more pieces were counted. Of texts of 64 KiB (pages and articles in nine languages) one in a hundred differs
    # by more.
    margin = share * (1 - share) / (4 + <double> min(remaining // SAMPLE_STEP, <size_t> SAMPLE_PIECES) / 256)
    return <double> remaining * (1 + more * min(share + (margin if more > 0 else -margin), 1.0))


# --- Bytes that grow --------------------------------------------------------------------------------------------------


cdef struct Bytes:
    # The output of an encoder or of a decoder to UTF-8: on the stack as long as it fits.
    PyObject *object  # null while on the stack
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
    """Change the capacity of the output, in bytes; it must not be less than ``output.written``."""
    if output.object == NULL:
        output.object = new_bytes(NULL, <Py_ssize_t> capacity)
        memcpy(bytes_data(output.object), output.stack, output.written)
    else:
        _PyBytes_Resize(&output.object, <Py_ssize_t> capacity)
    output.target = <uint8_t *> bytes_data(output.object)
    output.capacity = capacity
    we_advise_huge_pages(output.target, capacity + 1, HUGE_PAGES_FROM)  # with the terminating zero
    return 0


cdef inline int append_bytes(Bytes *output, const void *data, size_t length) except -1:
    if output.capacity - output.written < length:
        resize_bytes(output, grown_capacity(output.written, length))
    memcpy(output.target + output.written, data, length)
    output.written += length
    return 0


cdef inline bytes finish_bytes(Bytes *output):
    """Return the bytes, which the output then no longer owns."""
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
