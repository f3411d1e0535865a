# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What decoding and encoding share: error policies, error handlers, and the intervals for signals and the GIL."""

from cpython.exc cimport PyErr_CheckSignals

from whatwg_encoding._native.text.kernels cimport *
from whatwg_encoding._native.text.source cimport SLICE

cdef enum:
    # Upper bound on the items of one call after an error, since another one may follow soon; elsewhere it is SLICE.
    SLICE_AFTER_ERROR = 1024
    # Threshold, in items, above which the GIL is released.
    GIL_LIMIT = 65536
    # Errors handled between two checks for signals.
    ERRORS_BETWEEN_CHECKS = 1024
    # Upper bounds on the units that are encoded together, lone surrogates among them, and on those between two.
    UNITS_WITH_SURROGATES = 256
    UNITS_BETWEEN_SURROGATES = 16


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
    SURROGATE_PASS = WE_SURROGATE_PASS
    # Policies that are handled in Cython or Python.
    HTML                # encoders: WE_REPLACE, where surrogates are made scalar values first
    STRICT              # encoders: FATAL, where a surrogate is an error by itself, though it may be one of a pair
    HANDLER             # any other handler, called for each error
    RECORD              # decoders: REPLACEMENT, where the first errors are recorded


cdef inline int mode_of(Policy policy) noexcept nogil:
    """Return the mode of the loops and the engine for a policy; WE_STOP where an error is handled here."""
    return WE_REPLACE if policy == HTML else WE_STOP if policy >= STRICT else <int> policy


cdef inline size_t offer(size_t remaining, bint after_error) noexcept nogil:
    """Return the number of items to offer to one call of a loop."""
    return min(remaining, <size_t> (SLICE_AFTER_ERROR if after_error else SLICE))


cdef inline int update_args(object error) except -1:
    """Set the arguments of an exception that is raised and may have been created for an earlier error."""
    error.args = (error.encoding, error.object, error.start, error.end, error.reason)
    return 0


cdef inline object replacement_in(object answer, size_t length, size_t *position):
    """Return an error handler's replacement; set ``position`` to where to continue, counted from the start.

    Raise TypeError for an answer that is not a pair, IndexError for a position out of bounds.
    """
    if not isinstance(answer, tuple) or len(<tuple> answer) != 2:
        kind = type(answer).__name__
        raise TypeError(f"an error handler must return a tuple of a replacement and a position, not {kind}")
    replacement, given = <tuple> answer
    cdef Py_ssize_t place = given
    if place < 0:
        place += <Py_ssize_t> length
    if place < 0 or <size_t> place > length:
        raise IndexError(f"position {given} from error handler out of bounds")
    position[0] = <size_t> place
    return replacement
