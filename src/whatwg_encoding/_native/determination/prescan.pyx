"""Determine the encoding of a resource from the declarations in its first bytes and from hints.

HTML's prescan, the XML declaration and CSS's @charset are scans. A scan takes the part of a resource that has arrived
and decides as early as possible. It processes each byte once, however the resource is split, and stores a fixed number
of bytes: time is linear in the length of the input, and memory constant.

https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
"""

import sys
from collections import namedtuple

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t
from libc.string cimport memset

from whatwg_encoding._native.text.source cimport SLICE, Source, close_source, open_source

from whatwg_encoding._native.core import Encoding, UnknownLabelError
from whatwg_encoding._labels import ENCODINGS, LABELS, UTF_8, UTF_16BE, UTF_16LE, lookup

ctypedef const uint8_t *bytes_pointer

cdef extern from "prescan.h" nogil:
    enum:
        WE_PRESCANNED

    ctypedef struct we_label:
        pass

    ctypedef struct we_content:
        pass

    ctypedef struct we_markup:
        bint tree_builder
        size_t offset
        size_t tag_start

    void we_label_push(we_label *label, int byte)
    int we_get_an_encoding(const we_label *label)
    void we_content_push(we_content *content, int byte)
    int we_content_encoding(const we_content *content)
    int we_markup_feed(we_markup *s, const uint8_t *bytes, size_t length, size_t *read)
    int we_in_ascii(int encoding)
    int we_declared_by_meta(int encoding)
    int we_signature(const uint8_t *bytes, size_t length, int *may_be)
    size_t we_xml_word(const uint8_t *bytes, size_t at, size_t stop, size_t last)
    int we_xml_encoding_from(const uint8_t *bytes, size_t length, size_t at, size_t *end)
    int we_xml_encoding(const uint8_t *bytes, size_t length, size_t *end)
    bint we_may_start_with(const uint8_t *bytes, size_t length, const char *prefix, size_t prefix_length)
    size_t we_find(const uint8_t *bytes, size_t start, size_t end, int byte)

cdef extern from "content_type.h" nogil:
    ctypedef enum we_content_type:
        WE_NO_CHARSET
        WE_CHARSET
        WE_OTHER_HEADER

    we_content_type we_charset_of(const uint8_t *bytes, size_t length, size_t *start, size_t *size)

cdef extern from "labels.h" nogil:
    int we_label_position(const char *label, size_t length)

cdef extern from *:
    """
    #define we_new_tuple(type, arguments) PyTuple_Type.tp_new((PyTypeObject *)(type), arguments, NULL)
    """
    object we_new_tuple(object type, tuple arguments)

cdef extern from "Python.h":
    const void *PyUnicode_DATA(object text)
    bint PyUnicode_IS_ASCII(object text)

cdef extern from "bom.h" nogil:
    enum:
        WE_BOMS

    int we_bom_length(int which, const unsigned char *source, size_t length)

# The encodings that byte order marks name, in the order of bom.h; and all, in the standard's.
MARKED = UTF_8, UTF_16BE, UTF_16LE
ALL = (*ENCODINGS.values(),)
get_label = LABELS.get


include "scans.pxi"


def header_encoding(str value not None):
    """Return the encoding that a header's value in its common form names, or None; Ellipsis if it has another form."""
    cdef size_t start = 0, size = 0
    cdef we_content_type form = WE_OTHER_HEADER
    cdef const uint8_t *bytes = <const uint8_t *> PyUnicode_DATA(value)
    if PyUnicode_IS_ASCII(value):
        form = we_charset_of(bytes, <size_t> len(value), &start, &size)
    if form != WE_CHARSET:
        return None if form == WE_NO_CHARSET else ...
    return encoding_at(we_label_position(<const char *> bytes + start, size))


def meta_content(content):
    """Return the encoding that the content attribute of a ``meta`` element names, or None.

    Raise TypeError for a content that is not a str.
    https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element

    >>> meta_content("text/html; charset=sjis")
    <Encoding Shift_JIS>
    """
    if not isinstance(content, str):
        raise TypeError(f"content must be str, not {type(content).__name__}")
    # The algorithm compares only ASCII characters, and no byte of another character is ASCII in UTF-8.
    cdef str text = <str>content
    cdef bytes piece
    cdef we_content state
    memset(&state, 0, sizeof(state))
    cdef Py_ssize_t start, i
    for start in range(0, len(text), SLICE):
        piece = text[start : start + SLICE].encode("utf-8", "surrogatepass")
        for i in range(len(piece)):
            we_content_push(&state, <unsigned char>piece[i])
        PyErr_CheckSignals()
    return encoding_at(we_content_encoding(&state))


def declared_by_meta(encoding):
    """Return the encoding for a declaration in a meta tag: UTF-8 for UTF-16, windows-1252 for x-user-defined."""
    return encoding_at(we_declared_by_meta(ALL.index(encoding)))


# --- Determinations ---

Sniffed = namedtuple("Sniffed", "encoding confidence source", module="whatwg_encoding.sniff")
Sniffed.__doc__ = """What the functions of ``sniff`` return.

``confidence``: "certain", "tentative" (a later ``meta`` may change it) or "irrelevant" (there are no bytes to decode).
``source``: what decided.
https://html.spec.whatwg.org/#concept-encoding-confidence
"""

cdef inline object sniffed(object encoding, object confidence, object source):
    """Return ``Sniffed(…)`` in half the time."""
    return we_new_tuple(Sniffed, ((encoding, confidence, source),))


def first_known(*sources):
    """Return the first of some results, or tuples of their items, that has an encoding; None if none has."""
    for source in sources:
        if source[0] is not None:
            return source if type(source) is Sniffed else we_new_tuple(Sniffed, (source,))
    return None


cdef enum bom_policy:
    SNIFFING  # a byte order mark decides first
    REMOVE    # the encoding's own is removed
    KEEP      # byte order marks are text

BOM_POLICIES = {"sniffing": <int>SNIFFING, "remove": <int>REMOVE, "keep": <int>KEEP}


cdef class Steps:
    """The steps that determine the encoding of a resource, with all hints applied: the first that gives one decides.

    ``before``: the result that overrides the content. ``scan``: a class of scans, whose result has ``confidence`` and
    ``source``. ``detector``: a callable, called with the whole resource. ``after``: the fallback.
    """

    cdef readonly object before
    cdef readonly object scan
    cdef readonly object confidence
    cdef readonly object source
    cdef readonly object detector
    cdef readonly object after
    cdef readonly Py_ssize_t limit  # 0 without a detector that has one

    def __init__(self, *, before=None, scan=None, confidence="tentative", source="", detector=None, after=None):
        if before is None and after is None:
            raise TypeError("either before or after has to decide")
        self.before = before
        self.scan = scan
        self.confidence = confidence
        self.source = source
        self.detector = detector
        self.limit = min(getattr(detector, "limit", 0), sys.maxsize)
        self.after = after


cdef class Determination:
    """A determination in progress, for a resource that arrives in chunks. ``bom``: one of BOM_POLICIES."""

    cdef Steps steps
    cdef int bom
    cdef Scan scan
    # Bytes of the byte order mark to remove.
    cdef readonly Py_ssize_t bom_length
    # The limit of the detector, if all that comes before its step has decided nothing.
    cdef readonly Py_ssize_t detector_limit
    cdef Py_ssize_t start
    cdef Py_ssize_t end

    def __cinit__(self, Steps steps not None, int bom=SNIFFING):
        self.steps = steps
        self.bom = bom
        self.scan = None if steps.scan is None else <Scan?>steps.scan()

    @property
    def span(self):
        """The offsets of start and end of the bytes that decided, or None if a hint did."""
        return (self.start, self.end) if self.end else None

    def look(self, data, bint final):
        """Return the result, or None while further bytes could change it.

        ``data``: all of the resource so far. ``final``: it is complete. Raise what a detector raises, and TypeError for
        data without a contiguous buffer.
        """
        cdef Source source
        open_source(data, &source)
        try:
            return self.step(source.bytes, <Py_ssize_t> source.length, final)
        finally:
            close_source(&source)

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef Steps steps = self.steps
        cdef int which, bom
        cdef bint may_be_bom = False
        if self.bom != KEEP and (length == 0 or data[0] >= 0xEF):
            for which in range(WE_BOMS):
                if self.bom == REMOVE and MARKED[which] is not steps.after.encoding:
                    continue
                bom = we_bom_length(which, data, <size_t> length)
                may_be_bom |= bom < 0
                if bom > 0:
                    self.bom_length = bom
                    if self.bom == SNIFFING:
                        self.end = bom
                        return sniffed(MARKED[which], "certain", "bom")
        if may_be_bom and not final:
            return None
        if steps.before is not None:
            return steps.before
        if self.scan is not None:
            encoding = self.scan.encoding if self.scan.decided else self.scan.step(data, length, final)
            if encoding is not None:
                self.start = self.scan.start
                self.end = self.scan.end
                return sniffed(encoding, steps.confidence, steps.source)
            if not self.scan.decided:
                return None
        if steps.detector is not None:
            if not final:
                self.detector_limit = steps.limit
                return None
            return self.detected(<bytes> data[:length])
        return steps.after

    def detected(self, bytes data):
        """Return the result of the detector, or the fallback if it has none. Raise what the detector raises."""
        encoding = detected_encoding(self.steps.detector(data))
        return self.steps.after if encoding is None else sniffed(encoding, "tentative", "detector")


cdef object detected_encoding(object result):
    """Return the encoding for a detector's result: an encoding, a label, the name of a codec, or None.

    Raise UnknownLabelError for another name, and TypeError for another type.
    """
    if result is None or type(result) is Encoding:
        return result
    if not isinstance(result, str):
        raise TypeError(f"a detector must return an encoding, a label or None, not {type(result).__name__}")
    encoding = get_label(result)
    if encoding is not None:
        return encoding
    try:
        return lookup(result)
    except UnknownLabelError as error:
        from whatwg_encoding.names import nearest  # imported here, since most detectors return labels

        try:
            return nearest(result)
        except UnknownLabelError:
            raise UnknownLabelError(f"the detector's result names no encoding: {error}") from None


def determine(data, Steps steps not None):
    """Return the result for a complete resource. Raise what ``Determination.look`` raises."""
    return Determination(steps).look(data, True)


def prescan(data, limit=1024):
    """Return the encoding that the first ``limit`` bytes of an HTML document declare, or None.

    A byte order mark is ignored. ``limit=None`` scans the whole document. Raise ValueError for a negative limit, and
    TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding

    >>> prescan(b"<!DOCTYPE html><meta charset=sjis>")
    <Encoding Shift_JIS>
    """
    if limit is not None and not hasattr(limit, "__index__"):
        raise TypeError(f"limit must be an integer or None, not {type(limit).__name__}")
    cdef Py_ssize_t window = sys.maxsize if limit is None else max(-1, min(limit, sys.maxsize))
    if window < 0:
        raise ValueError(f"limit must be None or at least 0 bytes, not {limit}")
    cdef HTMLScan scan = HTMLScan(window)
    cdef Source source
    open_source(data, &source)
    try:
        return scan.step(source.bytes, <Py_ssize_t> source.length, True)
    finally:
        close_source(&source)


def xml_declaration(data):
    """Return the encoding that the XML declaration at the start names, or None. The declaration ends at the first ">".

    Raise TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing

    >>> xml_declaration(b'<?xml version="1.0" encoding="EUC-KR"?>')
    <Encoding EUC-KR>
    """
    cdef Source source
    cdef size_t end = 0, at = 5, stop = 5, last
    cdef int position
    open_source(data, &source)
    try:
        last = we_find(source.bytes, 0, source.length, c">")
        while at == stop and at < last:
            stop = min(last, at + SLICE)
            with nogil:
                at = we_xml_word(source.bytes, at, stop, last)
            PyErr_CheckSignals()
        with nogil:
            position = we_xml_encoding_from(source.bytes, source.length, at, &end)
    finally:
        close_source(&source)
    return encoding_at(position)
