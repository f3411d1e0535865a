# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Input buffers for every compiled module: the bytes of any object with a contiguous buffer, and a slice's size."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t

cdef extern from "module_state.h":
    pass

cdef extern from "Python.h":
    bint PyBytes_CheckExact(object)

cdef enum:
    # Upper bound on the items of one call, which takes a few milliseconds: signals are handled between calls.
    SLICE = 1048576


cdef struct Source:
    const uint8_t *bytes
    size_t length
    bint is_view
    Py_buffer view


cdef inline object not_data(object data, object error):
    """Return the TypeError for what is not a bytes-like object, whose buffer could not be had because of an error."""
    if isinstance(data, str):
        return TypeError("data must be a bytes-like object, not str: text is encoded, not decoded")
    return TypeError(
        "data must be an object with a contiguous buffer (bytes, bytearray, memoryview, …), "
        f"not {type(data).__name__}: {error}"
    )


cdef inline int open_view(object data, Source *source) except -1:
    try:
        PyObject_GetBuffer(data, &source.view, PyBUF_SIMPLE)
    except (TypeError, BufferError, ValueError) as error:
        raise not_data(data, error) from None
    source.is_view = True
    # The buffer of an empty object may be null.
    source.bytes = <const uint8_t *> source.view.buf if source.view.buf != NULL else <const uint8_t *> b""
    source.length = <size_t> source.view.len
    return 0


cdef inline int open_source(object data, Source *source) except -1:
    """Open the bytes of ``data``, which `close_source` releases. Raise TypeError if it has no contiguous buffer."""
    if not PyBytes_CheckExact(data):
        return open_view(data, source)
    source.is_view = False
    source.bytes = <const uint8_t *> PyBytes_AS_STRING(data)
    source.length = <size_t> PyBytes_GET_SIZE(data)
    return 0


cdef inline void close_source(Source *source) noexcept:
    if source.is_view:
        PyBuffer_Release(&source.view)


cdef inline bytes bytes_of(object data, const Source *source):
    """Return the data as a bytes object, for an exception."""
    if PyBytes_CheckExact(data):
        return <bytes> data
    return PyBytes_FromStringAndSize(<char *> source.bytes, <Py_ssize_t> source.length)
