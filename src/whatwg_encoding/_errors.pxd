# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What decoding and encoding have in common where they meet errors and run long: policies, error handlers, signals, the GIL."""

from cpython.exc cimport PyErr_CheckSignals

from whatwg_encoding._kernels cimport *

cdef enum:
    # Items of a source that one call of a loop takes at most: between calls signals are handled. A few milliseconds.
    SLICE = 1048576
    # The same behind an error, as the next one may be near.
    SLICE_AFTER_ERROR = 1024
    # Input beyond which the GIL is released.
    GIL_LIMIT = 65536
    # Errors that a caller handles between two checks for signals.
    ERRORS_BETWEEN_CHECKS = 1024


cdef enum Policy:
    NO_POLICY = -1      # an exception is set
    # The modes of the loops and of the engine, which handle errors without a call of Python's (see codec.h).
    REPLACEMENT = WE_REPLACE  # decoders: the same as Python's "replace"
    FATAL = WE_STOP           # a UnicodeDecodeError or UnicodeEncodeError; decoders: the same as Python's "strict"
    IGNORE = WE_IGNORE
    QUESTION_MARK = WE_QUESTION_MARK
    REFERENCE_REPLACE = WE_REFERENCE_REPLACE
    BACKSLASH_REPLACE = WE_BACKSLASH_REPLACE
    SURROGATE_ESCAPE = WE_SURROGATE_ESCAPE
    # What is handled here, or in Python.
    HTML                # encoders: WE_REPLACE, where surrogates are made scalar values first
    STRICT              # encoders: FATAL, where a surrogate is an error by itself, though it may be one of a pair
    HANDLER             # any other handler


cdef inline int mode_of(Policy policy) noexcept nogil:
    """Return the mode of the loops and the engine for a policy; WE_STOP where an error is handled here."""
    return WE_REPLACE if policy == HTML else WE_STOP if policy == STRICT or policy == HANDLER else <int> policy


cdef inline size_t offer(size_t remaining, bint after_error) noexcept nogil:
    """Return how much of a source one call of a loop takes."""
    return min(remaining, <size_t> (SLICE_AFTER_ERROR if after_error else SLICE))


cdef inline tuple handler_answer(object answer, size_t length):
    """Return an error handler's replacement and the position at which to go on, counted from the start."""
    if not isinstance(answer, tuple) or len(<tuple> answer) != 2:
        raise TypeError(f"an error handler must return a tuple of a replacement and a position, not {type(answer).__name__}")
    replacement, given = <tuple> answer
    cdef Py_ssize_t position = given
    if position < 0:
        position += <Py_ssize_t> length
    if position < 0 or <size_t> position > length:
        raise IndexError(f"position {given} from error handler out of bounds")
    return replacement, position
