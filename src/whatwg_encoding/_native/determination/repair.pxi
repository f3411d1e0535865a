# Mojibake, by the C of src/native/determination/repair.h. `detect.pyx` includes this, since the model of text is static
# there.

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_FromKindAndData
from libc.stdint cimport uint16_t, uint32_t

cdef extern from "repair.h" nogil:
    enum:
        WE_READINGS
        WE_IN_UTF_8
        WE_IN_LEGACY
        WE_IN_MULTI_BYTE
        WE_UNLIKELY
        WE_MEND_RARE
        WE_MEND_SYMBOL
        WE_MEND_PROOF
        WE_MEND_PART
        WE_MEND_UNUSUAL_PART

    ctypedef struct we_reading:
        const char *name
        uint16_t weight

    ctypedef struct we_excess:
        int64_t excess
        size_t beyond

    ctypedef struct we_mended:
        size_t length
        uint32_t sequences
        uint32_t strong
        uint32_t long_ones
        uint32_t lost
        uint32_t guessed
        uint32_t kept
        uint32_t rare
        uint32_t symbols
        uint32_t c1
        bint is_refused

    ctypedef struct we_weight:
        const char *name
        int bits

    enum:
        WE_MENDING

    const we_reading[1] mojibake_readings
    const we_weight[1] mojibake_mending
    const char *mojibake_rare
    void we_readings_fill() noexcept
    int64_t we_line_cost(const void *units, unsigned int size, size_t length) noexcept
    we_excess we_excess_of(const void *units, unsigned int size, size_t length) noexcept
    bint we_is_likely(const we_excess *found) noexcept
    uint32_t we_sequences_of(const void *units, unsigned int size, size_t length) noexcept
    size_t we_first_strong(const void *units, unsigned int size, size_t length, uint32_t readings) noexcept
    unsigned int we_line_judge(const void *units, unsigned int size, size_t length) noexcept
    we_mended we_mend(const void *units, unsigned int size, size_t length, unsigned int reading,
                      uint32_t *target) noexcept
    size_t we_line_end(const void *units, unsigned int size, size_t length, size_t at, bint *is_ascii) noexcept

we_readings_fill()
READINGS = tuple([mojibake_readings[each].name.decode() for each in range(WE_READINGS)])
WEIGHTS_OF_READINGS = {name: mojibake_readings[each].weight // WE_BITS for each, name in enumerate(READINGS)}

# Weights in bits, and the encodings that are rare, from data/mojibake.json.
WEIGHTS = {mojibake_mending[each].name.decode(): mojibake_mending[each].bits for each in range(WE_MENDING)}
RARE = frozenset((<bytes> mojibake_rare).decode().split())

# What a line may be: mojibake of UTF-8, or of another encoding; and whether it is as likely as good text is.
IN_UTF_8, IN_LEGACY, IN_MULTI_BYTE, UNLIKELY = WE_IN_UTF_8, WE_IN_LEGACY, WE_IN_MULTI_BYTE, WE_UNLIKELY


def judge(str text not None):
    """Return what a line may be: IN_UTF_8, IN_LEGACY, UNLIKELY or'ed, or 0 if it is good text."""
    return we_line_judge(PyUnicode_DATA(text), PyUnicode_KIND(text), <size_t> PyUnicode_GET_LENGTH(text))


def suspects(str text not None):
    """Return the start and the end of each line that may be mojibake, and what it may be."""
    cdef const char *units = <const char *> PyUnicode_DATA(text)
    cdef unsigned int size = PyUnicode_KIND(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text), at = 0, end
    cdef bint is_ascii
    cdef int kind
    cdef list found = []
    while at < length:
        end = we_line_end(units, size, length, at, &is_ascii)
        if not is_ascii:
            kind = <int> we_line_judge(units + at * size, size, end - at)
            if kind:
                found.append((at, end, kind))
        at = end + 1
    return found


def first_sequence(str text not None):
    """Return where a line has its first strong sequence of UTF-8 in some reading, its length if it has none."""
    cdef const void *units = PyUnicode_DATA(text)
    cdef unsigned int size = PyUnicode_KIND(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text)
    return we_first_strong(units, size, length, we_sequences_of(units, size, length))


def line_cost(str text not None):
    """Return the bits that a line costs beside others: less than text_cost says for frames and repeated characters."""
    cdef int64_t cost = we_line_cost(PyUnicode_DATA(text), PyUnicode_KIND(text), <size_t> PyUnicode_GET_LENGTH(text))
    return max(0, (cost + WE_BITS // 2) // WE_BITS)


def excess(str text not None):
    """Return the bits that a text costs beside its ASCII, and whether it is as likely as good text is."""
    cdef we_excess found = we_excess_of(
        PyUnicode_DATA(text), PyUnicode_KIND(text), <size_t> PyUnicode_GET_LENGTH(text)
    )
    return found.excess // WE_BITS, we_is_likely(&found)


def likewise(str text not None, unsigned int reading, int bits):
    """Return what a line was if it was UTF-8 that was read so, as lines before were, and whether it has other letters.

    None if that is not likelier by so many bits.
    """
    cdef const void *units = PyUnicode_DATA(text)
    cdef unsigned int size = PyUnicode_KIND(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text)
    cdef uint32_t *target
    cdef we_mended found
    if reading >= WE_READINGS or not we_sequences_of(units, size, length) >> reading & 1:
        return None
    target = <uint32_t *> PyMem_Malloc((length + 1) * sizeof(uint32_t))
    if target == NULL:
        raise MemoryError
    try:
        found = we_mend(units, size, length, reading, target)
        if not is_possible(&found) or found.c1:
            return None
        if we_line_cost(target, 4, found.length) + bits * WE_BITS >= we_line_cost(units, size, length):
            return None
        return PyUnicode_FromKindAndData(4, target, <Py_ssize_t> found.length), found.kept > 0
    finally:
        PyMem_Free(target)


cdef bint is_possible(const we_mended *found) noexcept:
    """Return whether a line is not half of one: few characters are lost, and few are guessed."""
    return (
        not found.is_refused
        and found.sequences > 0
        and 2 * found.lost <= found.sequences
        and found.guessed < found.sequences
    )


def intended(str text not None, uint32_t readings, bint is_known):
    """Return what a line was if it was UTF-8, in each of the readings in which it may have been, as a set of bits.

    Each is the bits that it costs, those against it that are not its cost, its text, and the index of its reading.
    ``is_known``: of lines before, so that one sequence may be such as good text has.
    """
    cdef const void *units = PyUnicode_DATA(text)
    cdef unsigned int size = PyUnicode_KIND(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text)
    cdef uint32_t *target = <uint32_t *> PyMem_Malloc((length + 1) * sizeof(uint32_t))
    cdef we_mended each
    cdef int64_t penalty
    cdef list found = []
    cdef set seen = set()
    if target == NULL:
        raise MemoryError
    try:
        readings &= we_sequences_of(units, size, length)
        for reading in range(WE_READINGS):
            if not readings >> reading & 1:
                continue
            each = we_mend(units, size, length, reading, target)
            if not is_possible(&each) or not (each.strong or is_known):
                continue
            made = PyUnicode_FromKindAndData(4, target, <Py_ssize_t> each.length)
            if made in seen:
                continue
            seen.add(made)
            penalty = mojibake_readings[reading].weight + WE_MEND_RARE * each.rare + WE_MEND_SYMBOL * each.symbols
            penalty -= WE_MEND_PROOF * min(2, each.long_ones)
            if each.kept:
                penalty += WE_MEND_PART if reading < 2 else WE_MEND_UNUSUAL_PART
            cost = we_line_cost(target, 4, each.length) // WE_BITS
            found.append((cost, penalty // WE_BITS, made, reading))
    finally:
        PyMem_Free(target)
    return found
