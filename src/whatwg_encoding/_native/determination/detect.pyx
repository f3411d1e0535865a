"""Detect the encoding of a text: candidates and their costs, by the C of src/native/detect.

https://encoding.spec.whatwg.org/#names-and-labels lists the encodings; no standard says how to detect them.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_New
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport INT64_MAX, int8_t, int32_t, int64_t, uint8_t, uint16_t

from whatwg_encoding cimport whatwg_decoder, whatwg_encoding, whatwg_encoding_api, whatwg_encoding_import
from whatwg_encoding._native.text.source cimport Source, close_source, open_source

cdef extern from "guess.h" nogil:
    enum:
        WE_CANDIDATES
        WE_SEQUENCES
        WE_BITS
        WE_DETECTED
        WE_OTHER_PRIOR
        WE_DECLARED
        WE_DECLARED_WINDOWS_1252
        WE_DECLARED_FIRST

    ctypedef enum we_kind:
        WE_UTF_8

    ctypedef struct we_candidate:
        const whatwg_encoding *encoding
        we_kind kind
        int32_t prior

    ctypedef struct we_encodings:
        we_candidate candidates[WE_CANDIDATES]

    ctypedef struct we_work:
        pass

    we_encodings we_known
    void we_guess_fill(const whatwg_encoding_api *api)
    unsigned int we_known_named(const char *name, const whatwg_encoding_api *api)
    int64_t we_text_cost(const void *units, unsigned int size, size_t length) noexcept
    unsigned int we_structures_of(const uint8_t *bytes, size_t length) noexcept
    size_t we_detect(const we_candidate *candidates, size_t count, const uint8_t *data, size_t length, size_t limit,
                     unsigned int structures, size_t kept, int64_t allowance, const whatwg_encoding_api *api,
                     we_work *work, int64_t *costs) noexcept
    void we_detect_languages(const we_candidate *candidates, size_t count, const we_work *work,
                             int8_t *languages) noexcept
    int we_detect_language(const we_candidate *candidate, const uint8_t *data, size_t length,
                           const whatwg_encoding_api *api, we_work *work) noexcept
    const char[1][3] detect_languages

cdef extern from *:
    """
    static const whatwg_encoding_api *api;

    static size_t guess(const uint8_t *bytes, size_t length, const whatwg_detect_options *options,
                        whatwg_guess *guesses, size_t capacity)
    {
        return we_guess(bytes, length, options, guesses, capacity, api);
    }
    """
    # These C variables are shared by the interpreters of a process: static data, and a model that the first one fills.
    const whatwg_encoding_api *api
    void *guess

# `detect` of the C API, for _capi, which the next statement may import.
GUESS = PyCapsule_New(<void *> guess, "whatwg_encoding.guess", NULL)

if api == NULL:
    api = whatwg_encoding_import()
    we_guess_fill(api)
else:
    whatwg_encoding_import()

# The encodings that are detected, the commonest first, with the bits against each; those against any other; and the
# bits in favour of a declared one.
PRIORS = {
    api.name(we_known.candidates[each].encoding).decode(): <double> we_known.candidates[each].prior / WE_BITS
    for each in range(WE_DETECTED)
}
OTHER_PRIOR = WE_OTHER_PRIOR // WE_BITS
DECLARED, DECLARED_WINDOWS_1252, DECLARED_FIRST = WE_DECLARED, WE_DECLARED_WINDOWS_1252, WE_DECLARED_FIRST


def text_cost(str text not None):
    """Return the cost of a text in bits, at least 0."""
    cdef const void *units = PyUnicode_DATA(text)
    cdef unsigned int size = PyUnicode_KIND(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text)
    cdef int64_t cost
    with nogil:
        cost = we_text_cost(units, size, length)
    return max(0, (cost + WE_BITS // 2) // WE_BITS)


cdef object tag_of(int language):
    cdef const char *tag
    if language < 0:
        return None
    tag = detect_languages[language]
    return tag.decode("ascii")


cdef class Candidates:
    """Encodings with the bits that speak against each before its bytes are seen.

    ``priors``: pairs of an encoding and its bits, at most WE_CANDIDATES different encodings other than replacement.
    """

    cdef readonly tuple encodings
    cdef we_candidate[WE_CANDIDATES] candidates

    def __init__(self, tuple priors):
        cdef int count = 0
        cdef bytes name
        if len(priors) > WE_CANDIDATES:
            raise ValueError(f"there are at most {WE_CANDIDATES} candidates, not {len(priors)}")
        self.encodings = tuple(encoding for encoding, _ in priors)
        for encoding, bits in priors:
            name = encoding.name.encode()
            self.candidates[count] = we_known.candidates[we_known_named(name, api)]
            self.candidates[count].prior = bits * WE_BITS
            count += 1

    def costs(self, data, size_t limit):
        """Return an encoding, its cost in eighths of a bit and its text's language, for each that the bytes allow.

        A language is a BCP 47 tag, or None. UTF-16 needs a NUL, ISO-2022-JP an escape.
        """
        cdef int64_t[WE_CANDIDATES] found
        cdef int8_t[WE_CANDIDATES] languages
        self.detect(data, limit, NULL, 0, <size_t> len(self.encodings), 0, found, languages)
        return [
            (encoding, found[each], tag_of(languages[each]))
            for each, encoding in enumerate(self.encodings)
            if found[each] != INT64_MAX
        ]

    def language(self, data):
        """Return the BCP 47 tag of the language of data in the first encoding, which is not single-byte, or None."""
        cdef Source source
        cdef bytes memory = PyBytes_FromStringAndSize(NULL, sizeof(we_work))
        cdef we_work *work = <we_work *> PyBytes_AS_STRING(memory)
        cdef int found
        open_source(data, &source)
        try:
            with nogil:
                found = we_detect_language(self.candidates, source.bytes, source.length, api, work)
        finally:
            close_source(&source)
        return tag_of(found)

    def best(self, data, size_t limit, unsigned int structures, int32_t against_utf_8, kept, bint stays):
        """Return the encoding of the least cost, None if the bytes rule out all, and by how much another is behind.

        ``structures``: NULS if it may be UTF-16, ESCAPES if it may be ISO-2022-JP. ``against_utf_8``: bits. ``kept``:
        the other one, or None; by how much it is behind are bits to each byte of the data that the sample stands for.
        ``stays``: it is examined to the end, otherwise unless it is far behind, ``against_utf_8`` aside.
        """
        cdef int64_t[WE_CANDIDATES] found
        cdef size_t best = 0, count = <size_t> len(self.encodings), index = count, examined
        if kept is not None:
            index = <size_t> self.encodings.index(kept)
        cdef int64_t allowance = INT64_MAX // 2 if stays else <int64_t> against_utf_8 * WE_BITS
        examined = <size_t> self.detect(data, limit, &structures, against_utf_8, index, allowance, found, NULL)
        for each in range(count):
            if found[each] < found[best]:
                best = each
        if count == 0 or found[best] == INT64_MAX:
            return None, 0.0
        if index == count or found[index] == INT64_MAX:
            return self.encodings[best], 0.0
        return self.encodings[best], (found[index] - found[best]) / (<double> WE_BITS * max(<size_t> 1, examined))

    cdef Py_ssize_t detect(
        self, data, size_t limit, const unsigned int *structures, int32_t against_utf_8, size_t kept, int64_t allowance,
        int64_t *found, int8_t *languages
    ) except -1:
        """Write the costs, and return the number of bytes that they are of."""
        cdef Source source
        cdef bytes memory = PyBytes_FromStringAndSize(NULL, sizeof(we_work))
        cdef we_work *work = <we_work *> PyBytes_AS_STRING(memory)
        cdef size_t count = <size_t> len(self.encodings), examined
        cdef we_candidate[WE_CANDIDATES] candidates = self.candidates
        for each in range(count):
            if candidates[each].kind == WE_UTF_8:
                candidates[each].prior += against_utf_8 * WE_BITS
        open_source(data, &source)
        try:
            with nogil:
                examined = we_detect(
                    candidates, count, source.bytes, source.length, limit,
                    we_structures_of(source.bytes, source.length) if structures == NULL else structures[0],
                    kept, allowance, api, work, found,
                )
                if languages != NULL:
                    we_detect_languages(candidates, count, work, languages)
        finally:
            close_source(&source)
        return <Py_ssize_t> examined


include "repair.pxi"
