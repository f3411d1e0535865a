# Mojibake, by the C of src/native/determination/mend.h. `detect.pyx` includes this, which has the encodings.

from cpython.unicode cimport PyUnicode_FromKindAndData
from libc.stdint cimport uint32_t
from libc.stdlib cimport free

cdef extern from "mend.h" nogil:
    ctypedef struct we_step:
        const char *read_as
        const char *was

    ctypedef struct we_edit:
        size_t start
        size_t end
        size_t at
        size_t length
        size_t count
        we_step[1] steps

    ctypedef struct we_gap:
        size_t edit
        size_t at
        uint8_t width
        bint is_dropped
        uint8_t[4] bytes

    ctypedef struct we_mending:
        we_edit *edits
        uint32_t *text
        we_gap *gaps
        size_t count
        size_t gap_count
        bint is_cut

    ctypedef struct we_search:
        pass

    ctypedef struct we_tools:
        we_search *search
        bint legacy

    void we_readings_fill() noexcept
    int we_mend(const void *units, unsigned int size, size_t length, const we_tools *tools,
                we_mending *mending) noexcept

we_readings_fill()


def mend(str text not None, bint legacy):
    """Return a text as it was before parts of it were misread; None if nothing was.

    A tuple: the text; the ways in which parts were misread, each as pairs of names, the last misreading first; where a
    character is gone, as the start, the end, its bytes with 0 for those that are lost, and whether a program dropped
    them; and whether a line that changed was mended in pieces.
    """
    cdef const void *units = PyUnicode_DATA(text)
    cdef unsigned int size = PyUnicode_KIND(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text), done = 0, written = 0, part, step, gap = 0
    cdef we_tools tools
    cdef we_mending mending
    cdef we_edit *edit
    cdef int result
    cdef list parts = [], ways = [], gaps = []
    memset(&mending, 0, sizeof(mending))
    tools.legacy = legacy
    tools.search = <we_search *> PyMem_RawMalloc(sizeof(we_search))
    try:
        if tools.search == NULL:
            raise MemoryError()
        with nogil:
            result = we_mend(units, size, length, &tools, &mending)
        if result:
            raise MemoryError()
        if not mending.count:
            return None
        for part in range(mending.count):
            if part % 256 == 0:
                with nogil:  # other threads wait no longer
                    pass
            edit = &mending.edits[part]
            parts.append(text[done:edit.start])
            written += edit.start - done
            parts.append(PyUnicode_FromKindAndData(4, mending.text + edit.at, <Py_ssize_t> edit.length))
            while gap < mending.gap_count and mending.gaps[gap].edit == part:
                at = written + mending.gaps[gap].at
                lost = (<char *> mending.gaps[gap].bytes)[:4]
                gaps.append((at, at + mending.gaps[gap].width, lost, mending.gaps[gap].is_dropped))
                gap += 1
            written += edit.length
            done = edit.end
            names = [(edit.steps[step].read_as, edit.steps[step].was) for step in range(edit.count)]
            way = tuple([(read_as.decode(), was.decode()) for read_as, was in names])
            if way not in ways:
                ways.append(way)
        parts.append(text[done:])
        return "".join(parts), ways, gaps, mending.is_cut
    finally:
        PyMem_RawFree(tools.search)
        free(mending.edits)
        free(mending.text)
        free(mending.gaps)
