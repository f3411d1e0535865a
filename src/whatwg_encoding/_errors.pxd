# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What decoding and encoding have in common where they meet errors and run long: policies, error handlers, signals, the GIL."""

from cpython.exc cimport PyErr_CheckSignals

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
    REPLACEMENT         # decoders: U+FFFD; the same as Python's "replace"
    HTML                # encoders: a numeric character reference
    FATAL               # a UnicodeDecodeError or UnicodeEncodeError; decoders: the same as Python's "strict"
    STRICT              # encoders: the same, where a surrogate is an error by itself, though it may be one of a pair
    IGNORE              # this and the following: Python's standard error handlers, without a call
    QUESTION_MARK       # encoders: "replace"
    BACKSLASH_REPLACE
    REFERENCE_REPLACE   # encoders: "xmlcharrefreplace"
    SURROGATE_ESCAPE
    HANDLER             # any other handler


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


cdef inline char *put_hexadecimal(char *target, unsigned int number, int digits) noexcept nogil:
    """Write so many lowercase hexadecimal digits; return the position behind them."""
    cdef int i = digits, digit
    while i != 0:
        i -= 1
        digit = number & 15
        target[i] = <char> (c"0" + digit if digit < 10 else c"a" + digit - 10)
        number >>= 4
    return target + digits
