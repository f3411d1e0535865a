# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What decoding and encoding share: error policies, error handlers, and the intervals for signals and the GIL."""

from cpython.exc cimport PyErr_CheckSignals

from whatwg_encoding._kernels cimport *
from whatwg_encoding._source cimport SLICE

cdef enum:
    # Upper bound on the items of one call after an error, since another one may follow soon; elsewhere it is SLICE.
    SLICE_AFTER_ERROR = 1024
    # Threshold, in items, above which the GIL is released.
    GIL_LIMIT = 65536
    # Errors handled between two checks for signals.
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
    # Policies that are handled in Cython or Python.
    HTML                # encoders: WE_REPLACE, where surrogates are made scalar values first
    STRICT              # encoders: FATAL, where a surrogate is an error by itself, though it may be one of a pair
    PURE_HANDLER        # encoders: a handler of Python's that only reads the exception, so one serves for all errors
    HANDLER             # any other handler


cdef inline int mode_of(Policy policy) noexcept nogil:
    """Return the mode of the loops and the engine for a policy; WE_STOP where an error is handled here."""
    return WE_REPLACE if policy == HTML else WE_STOP if policy >= STRICT else <int> policy


cdef inline size_t offer(size_t remaining, bint after_error) noexcept nogil:
    """Return the number of items to offer to one call of a loop."""
    return min(remaining, <size_t> (SLICE_AFTER_ERROR if after_error else SLICE))


cdef inline tuple handler_answer(object answer, size_t length):
    """Return an error handler's replacement and the position at which to continue, counted from the start.

    Raise TypeError for an answer that is not a pair, IndexError for a position out of bounds.
    """
    if not isinstance(answer, tuple) or len(<tuple> answer) != 2:
        kind = type(answer).__name__
        raise TypeError(f"an error handler must return a tuple of a replacement and a position, not {kind}")
    replacement, given = <tuple> answer
    cdef Py_ssize_t position = given
    if position < 0:
        position += <Py_ssize_t> length
    if position < 0 or <size_t> position > length:
        raise IndexError(f"position {given} from error handler out of bounds")
    return replacement, position
