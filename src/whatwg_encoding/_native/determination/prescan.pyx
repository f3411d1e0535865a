"""Determine the encoding of a resource from the declarations in its first bytes and from hints.

HTML's prescan, the XML declaration and CSS's @charset are scans. A scan takes the part of a resource that has arrived
and decides as early as possible. It processes each byte once, however the resource is split, and stores a fixed number
of bytes: time is linear in the length of the input, and memory constant.

https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
"""

import sys
from collections import namedtuple

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport SIZE_MAX, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memset

from whatwg_encoding._native.text.source cimport SLICE, Source, close_source, open_source

from whatwg_encoding._native.core import Encoding, UnknownLabelError
from whatwg_encoding._labels import LABELS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED, lookup

cdef enum:
    LONGEST_CUT = 3  # bytes of a UTF-8 sequence without its first
    STRETCHES = 8    # of UTF-8 between errors that are validated one by one
    STRAY = 2        # errors beyond the characters after which that does not pay

cdef extern from "signs.h" nogil:
    enum:
        WE_NULS
        WE_ESCAPES
        WE_MARK

    bint we_has_nuls(const unsigned char *bytes, size_t length)
    bint we_has_japanese_escape(const unsigned char *bytes, size_t length)

    ctypedef struct we_utf_8_bounds:
        size_t characters
        size_t errors

    we_utf_8_bounds we_utf_8_bounds_of(const unsigned char *bytes, size_t length, double ratio)
    size_t we_utf_8_leads(const unsigned char *bytes, size_t length)

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

# The encodings that byte order marks name, in the order of bom.h.
MARKED = UTF_8, UTF_16BE, UTF_16LE


include "meta.pxi"
include "scans.pxi"


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
    ``source``. ``detector``: a callable, called with the whole resource, or, if it has an attribute ``limit``, with
    that many of the first bytes of an incomplete one. ``after``: the fallback.
    """

    cdef readonly object before
    cdef readonly object scan
    cdef readonly object confidence
    cdef readonly object source
    cdef readonly object detector
    cdef readonly object after
    cdef Py_ssize_t limit

    def __init__(self, *, before=None, scan=None, confidence="tentative", source="", detector=None, after=None):
        if before is None and after is None:
            raise TypeError("either before or after has to decide")
        self.before = before
        self.scan = scan
        self.confidence = confidence
        self.source = source
        self.detector = detector
        self.limit = min(getattr(detector, "limit", sys.maxsize), sys.maxsize)
        self.after = after


cdef class Determination:
    """A determination in progress, for a resource that arrives in chunks. ``bom``: one of BOM_POLICIES."""

    cdef Steps steps
    cdef int bom
    cdef Scan scan
    # Bytes of the byte order mark to remove.
    cdef readonly Py_ssize_t bom_length
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
                if length < steps.limit:
                    return None
                length = steps.limit
            result = steps.detector(<bytes>data[:length])
            if type(result) is Sniffed:
                return result
            encoding = detected_encoding(result)
            if encoding is not None:
                return sniffed(encoding, "tentative", "detector")
        return steps.after


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
        from whatwg_encoding._codecs.names import lookup_codec  # imported here, since most detectors return labels

        try:
            return lookup_codec(result)
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
    """Return the encoding that the XML declaration at the start names, or None.

    Raise TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing

    >>> xml_declaration(b'<?xml version="1.0" encoding="EUC-KR"?>')
    <Encoding EUC-KR>
    """
    cdef Source source
    cdef Py_ssize_t end = 0
    open_source(data, &source)
    try:
        return xml_encoding(source.bytes, <Py_ssize_t> source.length, &end)
    finally:
        close_source(&source)


cdef struct utf_8_count:
    size_t characters  # complete sequences of two bytes or more
    size_t errors


cdef size_t count_utf_8(
    bytes_pointer data, size_t read, size_t stop, size_t length, size_t most, utf_8_count *count
) noexcept nogil:
    """Count the sequences that start at ``read`` and before ``stop``, to the ``most``-th error; return where to go on.

    Errors are those of the standard's decoder. Decoding finds the same numbers, but makes text as well, and takes 1.2
    to 10 times as long. In range: every access is at an index that was compared with ``length``, and ``stop`` is not
    above it.
    https://encoding.spec.whatwg.org/#utf-8-decoder
    """
    cdef uint64_t eight
    cdef unsigned char byte, lower, upper
    cdef int needed
    while read < stop and most:
        while length - read >= 8:
            memcpy(&eight, data + read, 8)
            if eight & 0x8080808080808080u:
                break
            read += 8
        if read >= length:
            break
        byte = data[read]
        read += 1
        if byte < 0x80:
            continue
        needed = -1 if byte < 0xC2 or byte > 0xF4 else 1 if byte < 0xE0 else 2 if byte < 0xF0 else 3
        lower = 0xA0 if byte == 0xE0 else 0x90 if byte == 0xF0 else 0x80
        upper = 0x9F if byte == 0xED else 0x8F if byte == 0xF4 else 0xBF
        while needed > 0 and read < length:
            byte = data[read]
            if byte < lower or byte > upper:
                break
            lower, upper = 0x80, 0xBF
            read += 1
            needed -= 1
        if needed == 0:
            count.characters += 1
        elif needed < 0 or read < length:  # otherwise the end cuts the sequence off
            count.errors += 1
            most -= 1
    return read


def utf_8_counts(data, size_t ratio=0, first=None):
    """Return the number of characters beyond ASCII, and of errors, in ``data`` as UTF-8.

    What the start or the end cuts off is neither. Once it is certain that there are fewer than ``ratio`` characters to
    an error, what was counted up to there is returned. ``first``: the offset of the first error, if it is known. Raise
    TypeError for data without a contiguous buffer.

    >>> utf_8_counts("naïve – ".encode() + b"caf\\xe9 ")
    (2, 1)
    """
    cdef Source source
    cdef utf_8_count count
    cdef size_t read = 0, stop, valid
    cdef int stretch
    cdef we_utf_8_bounds bounds
    count.characters = count.errors = 0
    open_source(data, &source)
    try:
        while read < min(source.length, <size_t> LONGEST_CUT) and 0x80 <= source.bytes[read] <= 0xBF:
            read += 1  # the rest of a sequence that the start cuts off
        for stretch in range(STRETCHES):  # few errors: what lies between them is validated at many times the speed
            if first is None or read:
                valid = UTF_8.valid_up_to(data if read == 0 else memoryview(data)[read:])
            else:
                valid = <size_t> first
            with nogil:
                count.characters += we_utf_8_leads(source.bytes + read, valid)
                read = count_utf_8(source.bytes, read + valid, source.length, source.length, 1, &count)
            if read == source.length:
                return count.characters, count.errors
            if count.errors > count.characters + STRAY:
                break
        if ratio:
            with nogil:
                bounds = we_utf_8_bounds_of(source.bytes + read, source.length - read, ratio)
            if count.characters + bounds.characters < ratio * (count.errors + bounds.errors):
                return count.characters + bounds.characters, count.errors + bounds.errors
        while read < source.length:
            stop = min(source.length, read + SLICE)
            with nogil:
                read = count_utf_8(source.bytes, read, stop, source.length, SIZE_MAX, &count)
            PyErr_CheckSignals()
        return count.characters, count.errors
    finally:
        close_source(&source)


def has_fewer_utf_8(data, double ratio):
    """Return whether data as UTF-8 certainly has fewer than ``ratio`` characters beyond ASCII to an error.

    It takes a fraction of the time of ``utf_8_counts``, and returns False for some data that has fewer, too.
    """
    cdef Source source
    cdef we_utf_8_bounds bounds
    open_source(data, &source)
    try:
        with nogil:
            bounds = we_utf_8_bounds_of(source.bytes, source.length, ratio)
        return bounds.characters < ratio * bounds.errors
    finally:
        close_source(&source)


NULS, ESCAPES, MARK = WE_NULS, WE_ESCAPES, WE_MARK


def signs(data):
    """Return the signs that data may be in another encoding than UTF-8, or begin with a byte order mark, as bits.

    MARK: a byte order mark; NULS: a NUL near the start; ESCAPES: an escape sequence of ISO-2022-JP before Japanese.
    """
    cdef Source source
    cdef int found = 0, which
    open_source(data, &source)
    if source.length and source.bytes[0] >= 0xEF:
        for which in range(WE_BOMS):
            if we_bom_length(which, source.bytes, source.length) > 0:
                found |= WE_MARK
    if we_has_nuls(source.bytes, source.length):
        found |= WE_NULS
    if we_has_japanese_escape(source.bytes, source.length):
        found |= WE_ESCAPES
    close_source(&source)
    return found
