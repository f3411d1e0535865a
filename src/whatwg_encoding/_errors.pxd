# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What decoding and encoding share: error policies, error handlers, and the intervals for signals and the GIL."""

from cpython.exc cimport PyErr_CheckSignals

cdef enum:
    # Upper bound on the items of one call, which takes a few milliseconds: signals are handled between calls.
    SLICE = 1048576
    # The same after an error, since another one may follow soon.
    SLICE_AFTER_ERROR = 1024
    # Threshold, in items, above which the GIL is released.
    GIL_LIMIT = 65536
    # Errors handled between two checks for signals.
    ERRORS_BETWEEN_CHECKS = 1024


cdef enum Policy:
    NO_POLICY = -1      # an exception is set
    REPLACEMENT         # decoders: U+FFFD, as Python's "replace"
    HTML                # encoders: a numeric character reference
    FATAL               # a UnicodeDecodeError or UnicodeEncodeError; decoders: the same as Python's "strict"
    STRICT              # encoders: the same, where a surrogate is an error by itself, though it may be one of a pair
    IGNORE              # this and those below: Python's standard error handlers, without a call
    QUESTION_MARK       # encoders: "replace"
    BACKSLASH_REPLACE
    REFERENCE_REPLACE   # encoders: "xmlcharrefreplace"
    SURROGATE_ESCAPE
    HANDLER             # any other handler


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


cdef inline char *put_hexadecimal(char *target, unsigned int number, int digits) noexcept nogil:
    """Write ``number`` as ``digits`` lowercase hexadecimal digits; return the position after them."""
    cdef int i = digits, digit
    while i != 0:
        i -= 1
        digit = number & 15
        target[i] = <char> (c"0" + digit if digit < 10 else c"a" + digit - 10)
        number >>= 4
    return target + digits
