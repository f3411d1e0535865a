"""Find the encoding of a text: examine its bytes, judge its readings and choose, by the C of src/native/determination.

https://encoding.spec.whatwg.org/#names-and-labels lists the encodings; no standard says how to detect them.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.pycapsule cimport PyCapsule_New
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport INT64_MAX, int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from whatwg_encoding cimport whatwg_encoding, whatwg_encoding_api, whatwg_encoding_import
from whatwg_encoding._native.text.engine cimport we_engine
from whatwg_encoding._native.text.source cimport Source, close_source, open_source

from whatwg_encoding._native.core import ENGINE_CAPSULE, load_codec
from whatwg_encoding._native.prescan import Sniffed
from whatwg_encoding._labels import ENCODINGS

cdef extern from "once.h" nogil:
    ctypedef struct we_once:
        pass
    void we_run_once(we_once *once, void (*function)() noexcept)

cdef extern from "choose.h" nogil:
    enum:
        WE_CANDIDATES
        WE_ENCODINGS
        WE_BITS
        WE_DETECTED
        WE_ERROR
        WE_NO_ENCODING
        WE_FROM_MARK
        WE_PRESCANNED
    const size_t WE_UNKNOWN

    ctypedef struct we_candidate:
        int prior

    ctypedef struct we_encodings:
        we_candidate candidates[WE_CANDIDATES]
        int8_t detected[WE_DETECTED]

    ctypedef struct we_work:
        pass

    ctypedef struct we_options:
        size_t limit
        size_t given
        uint8_t order[WE_CANDIDATES]
        uint64_t excluded
        uint64_t usual
        int scope
        int usual_page

    ctypedef struct we_examined:
        const uint8_t *bytes
        size_t length
        size_t mark_length
        size_t valid
        bint is_utf_8

    ctypedef struct we_utf_8_counts:
        size_t characters
        size_t errors

    ctypedef struct we_chosen:
        int position
        int reason

    ctypedef struct we_guess_entry:
        int8_t position
        int8_t language
        int64_t bits

    const whatwg_encoding_api *we_c_api
    we_encodings we_known
    void *we_guess
    void we_choose_fill(const whatwg_encoding_api *api)
    void we_choose_add_page(const char *name, int position, const whatwg_encoding *page)
    we_examined we_examine(const uint8_t *bytes, size_t length, size_t valid, bint is_whole)
    we_utf_8_counts we_utf_8_counts_of(const we_examined *text, size_t ratio)
    bint we_is_plain_utf_8(const we_examined *text)
    bint we_may_be_of_dos(const we_examined *text, const we_options *options, int *bits)
    int we_prescan(const uint8_t *bytes, size_t length)
    we_chosen we_choose(const we_examined *text, int header, int page, const we_options *options, we_work *work)
    size_t we_guesses_of(const we_examined *text, const int *declared, size_t declared_count,
                         const we_options *options, we_guess_entry *guesses, bint with_languages, we_work *work)
    bint we_page_matters(const we_examined *text, const we_options *options)
    bint we_may_declare(const uint8_t *bytes, size_t length)
    size_t we_costs(const we_examined *text, const we_options *options, int64_t *costs, we_work *work)
    int64_t we_text_cost(const void *units, unsigned int size, size_t length)
    const char[1][3] detect_languages

cdef extern from *:
    """
    /* The code pages whose codecs are loaded, for fill_pages. */
    static const whatwg_encoding *pages[WE_CANDIDATES];
    static const char *page_names[WE_CANDIDATES];
    static we_once once_pages;

    static void fill_pages(void)
    {
        for (int position = WE_ENCODINGS; position < WE_CANDIDATES; position++)
            if (pages[position] != NULL)
                we_choose_add_page(page_names[position], position, pages[position]);
    }

    #define we_new_tuple(type, arguments) PyTuple_Type.tp_new((PyTypeObject *)(type), arguments, NULL)
    """
    # These C variables are shared by the interpreters of a process: static data, and a model that the first one fills.
    const whatwg_encoding *pages[WE_CANDIDATES]
    const char *page_names[WE_CANDIDATES]
    we_once once_pages
    void fill_pages() noexcept nogil
    object we_new_tuple(object type, tuple arguments)

# `detect` of the C API, for _capi, which the next statement may import.
GUESS = PyCapsule_New(<void *> we_guess, "whatwg_encoding.guess", NULL)

if we_c_api == NULL:
    we_choose_fill(whatwg_encoding_import())
else:
    whatwg_encoding_import()

# Encodings by position, after those of the standard the code pages that are candidates, and their positions.
ALL = [*ENCODINGS.values(), *[None] * (WE_CANDIDATES - WE_ENCODINGS)]
POSITIONS = {encoding: position for position, encoding in enumerate(ENCODINGS.values())}
# In the order of we_reason. A declaration and a detector's result are tentative, since a browser may find another.
SOURCES = ("bom", "utf-8", "transport", "prescan", "detector")
# Results that were returned, by position and reason: few of them are in use, and none is made twice.
RESULTS = {}

# The encodings that are detected, the commonest first, with the bits against each; and what an error costs, in bits,
# beyond its U+FFFD, but in UTF-8.
PRIORS = {
    ALL[we_known.detected[i]].name: <double> we_known.candidates[we_known.detected[i]].prior / WE_BITS
    for i in range(WE_DETECTED) if we_known.detected[i] >= 0
}
ERROR_BITS = <double> WE_ERROR / WE_BITS

DEF MOST_DECLARED = 8

# Bytes of a text that is judged in less time than it pays to let other threads run.
DEF SHORT = 1024


PAGE_NAMES = []
PAGES_ARE_KNOWN = False


def load_pages():
    """Make the single-byte code pages that have ASCII known to the detector, once."""
    global PAGES_ARE_KNOWN
    from whatwg_encoding.code_pages import CODE_PAGES
    cdef const we_engine *engine = <const we_engine *> PyCapsule_GetPointer(ENGINE_CAPSULE, "whatwg_encoding.engine")
    cdef int position
    for page in CODE_PAGES.values():
        if page.is_single_byte and page.is_ascii_compatible:
            name = page.name.encode()
            PAGE_NAMES.append(name)  # which keeps it alive
            position = load_codec(page)
            pages[position] = <const whatwg_encoding *> &engine.encodings[position]
            page_names[position] = <bytes> name
            ALL[position] = page
            POSITIONS[page] = position
    we_run_once(&once_pages, fill_pages)
    PAGES_ARE_KNOWN = True


# The readings of a text, in the order of we_scope: those of the web, also of DOS if the text looks like it and is
# likelier by far in a code page, or wherever it is likelier; and of all code pages where it is likelier by far.
WEB, WEB_AND_SURE_DOS, WEB_AND_DOS, PYTHON = range(4)


cdef class Options:
    """What a caller asks for: bytes of the sample, candidates in order (all that are in use if there are none), those
    that are never chosen, and the usual ones of a language, each a tuple of encodings; the readings, and the usual
    code page of a language.
    """

    cdef we_options options
    cdef readonly size_t limit
    cdef readonly tuple candidates
    cdef readonly tuple excluded

    def __init__(self, size_t limit, tuple candidates=(), tuple excluded=(), tuple usual=(), int scope=WEB,
                 usual_page=None):
        memset(&self.options, 0, sizeof(self.options))
        self.limit = self.options.limit = limit
        self.candidates = candidates
        self.excluded = excluded
        for encoding in candidates:  # different ones, so that they fit
            self.options.order[self.options.given] = <uint8_t> position_of(encoding)
            self.options.given += 1
            if self.options.given == WE_CANDIDATES:
                break
        for encoding in excluded:
            self.options.excluded |= <uint64_t> 1 << <int> POSITIONS[encoding]
        for encoding in usual:
            self.options.usual |= <uint64_t> 1 << <int> POSITIONS[encoding]
        self.options.scope = scope
        self.options.usual_page = position_of(usual_page)


cdef inline int position_of(object encoding) except -2:
    if encoding is None:
        return WE_NO_ENCODING
    position = POSITIONS.get(encoding)
    if position is None:
        load_pages()
        position = POSITIONS.get(encoding, WE_NO_ENCODING)  # a code page without ASCII is no candidate
    return position


cdef inline int load_pages_for(const we_examined *text, const we_options *options) except -1:
    """Load the code pages if they are candidates for a text: most texts have no form of DOS."""
    cdef int bits
    if options.scope == WEB or PAGES_ARE_KNOWN or text.is_utf_8:
        return 0
    if options.scope == PYTHON or we_may_be_of_dos(text, options, &bits):
        load_pages()
    return 0


cdef object result_of(we_chosen chosen):
    """Return the ``Sniffed`` of a choice."""
    cdef object key = chosen.reason << 8 | chosen.position
    result = RESULTS.get(key)
    if result is None:
        confidence = "certain" if chosen.reason == WE_FROM_MARK else "tentative"
        result = RESULTS[key] = Sniffed(ALL[chosen.position], confidence, SOURCES[chosen.reason])
    return result


cpdef tuple choose(data, header, Options options, bint uses_page=True, bint is_whole=True, size_t valid=WE_UNKNOWN):
    """Return the most likely encoding of data, as a ``Sniffed``, and the length of the byte order mark to remove.

    ``header``: the encoding that a header declares, or None. ``uses_page``: whether declarations in the bytes count.
    ``is_whole``: the data is not the start of more. ``valid``: the offset of the first error in UTF-8, or the length,
    if that is known.
    """
    cdef Source source
    cdef we_examined text
    cdef we_chosen chosen
    cdef we_work work
    cdef int declared = position_of(header), page = WE_NO_ENCODING
    open_source(data, &source)
    try:
        if source.length <= SHORT:
            text = we_examine(source.bytes, source.length, valid, is_whole)
        else:
            with nogil:
                text = we_examine(source.bytes, source.length, valid, is_whole)
        uses_page = uses_page and we_page_matters(&text, &options.options)
        if uses_page:
            page = we_prescan(source.bytes, source.length)
            if page < 0 and we_may_declare(source.bytes, source.length):
                page = position_of(declared_in(source.bytes[:min(source.length, <size_t> WE_PRESCANNED)]))
        load_pages_for(&text, &options.options)
        if source.length <= SHORT:
            chosen = we_choose(&text, declared, page, &options.options, &work)
        else:
            with nogil:
                chosen = we_choose(&text, declared, page, &options.options, &work)
    finally:
        close_source(&source)
    return result_of(chosen), text.mark_length if chosen.reason == WE_FROM_MARK else 0


cdef object declared_in(bytes head):
    """Return the encoding that the start of a page declares in another form than the standards', or None."""
    from whatwg_encoding._sniff.declarations import declared_in_page
    return declared_in_page(head)


# The scripts that encodings of Chinese are made for.
SCRIPTS = {"Big5": "zh-Hant", "GBK": "zh-Hans", "gb18030": "zh-Hans"}


cdef object tag_of(encoding, int language):
    """Return the BCP 47 tag of the language of a text, None for none."""
    cdef const char *tag
    if language < 0:
        return None
    tag = detect_languages[language]
    return SCRIPTS.get(encoding.name, "zh") if tag == b"zh" else tag.decode("ascii")


def guesses(data, tuple declared, Options options, kind):
    """Return a list of ``kind``, a named tuple, for each encoding that the data may be in, best first.

    Its items are the encoding, the bits, those by which the next one costs more, and the language of the text: a BCP 47
    tag, or None. ``declared``: encodings, the weightiest first, of which the first eight count. A byte order mark or
    valid UTF-8 is the only result. UTF-16 needs a NUL, ISO-2022-JP an escape.
    """
    cdef Source source
    cdef we_examined text
    cdef int[MOST_DECLARED] hints
    cdef size_t hint_count = min(<size_t> len(declared), <size_t> MOST_DECLARED), i, count
    cdef we_guess_entry[WE_CANDIDATES] entries
    cdef we_work work
    cdef list listed = []
    for i in range(hint_count):
        hints[i] = position_of(declared[i])
    open_source(data, &source)
    try:
        text = we_examine(source.bytes, source.length, WE_UNKNOWN, True)
        load_pages_for(&text, &options.options)
        with nogil:
            count = we_guesses_of(&text, hints, hint_count, &options.options, entries, True, &work)
    finally:
        close_source(&source)
    for i in range(count):
        encoding = ALL[entries[i].position]
        margin = entries[i + 1].bits - entries[i].bits if i + 1 < count else None
        language = tag_of(encoding, entries[i].language)
        listed.append(we_new_tuple(kind, ((encoding, entries[i].bits, margin, language),)))
    return listed


def costs(data, tuple encodings, size_t limit=16384):
    """Return the cost of data in each of different encodings, in eighths of a bit, without priors and hints.

    An encoding that the bytes rule out is not in the result: UTF-16 without a NUL, ISO-2022-JP without an escape.
    """
    cdef Source source
    cdef we_examined text
    cdef int64_t[WE_CANDIDATES] eighths
    cdef size_t count, i
    cdef Options options = Options(limit, encodings)
    cdef we_work work
    open_source(data, &source)
    with nogil:
        text = we_examine(source.bytes, source.length, WE_UNKNOWN, True)
        count = we_costs(&text, &options.options, eighths, &work)
    close_source(&source)
    return {encodings[i]: eighths[i] for i in range(count) if eighths[i] != INT64_MAX}


def is_utf_8(data):
    """Return whether data is valid UTF-8, an incomplete sequence at its end aside, and nothing else."""
    cdef Source source
    cdef we_examined text
    cdef bint is_plain
    open_source(data, &source)
    with nogil:
        text = we_examine(source.bytes, source.length, WE_UNKNOWN, False)
        is_plain = we_is_plain_utf_8(&text)
    close_source(&source)
    return is_plain


def utf_8_counts(data, size_t ratio=0):
    """Return the number of characters beyond ASCII, and of errors, in data as UTF-8, cuts at either end aside.

    Once it is certain that there are fewer than ``ratio`` characters to an error, what was counted up to there is
    returned.

    >>> utf_8_counts("naïve – ".encode() + b"caf\\xe9 ")
    (2, 1)
    """
    cdef Source source
    cdef we_examined text
    cdef we_utf_8_counts counts
    open_source(data, &source)
    with nogil:
        text = we_examine(source.bytes, source.length, WE_UNKNOWN, True)
        counts = we_utf_8_counts_of(&text, ratio)
    close_source(&source)
    return counts.characters, counts.errors


def text_cost(str text not None):
    """Return the cost of a text in bits, at least 0."""
    cdef const void *units = PyUnicode_DATA(text)
    cdef unsigned int size = PyUnicode_KIND(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text)
    cdef int64_t cost
    with nogil:
        cost = we_text_cost(units, size, length)
    return max(0, (cost + WE_BITS // 2) // WE_BITS)


include "repair.pxi"
