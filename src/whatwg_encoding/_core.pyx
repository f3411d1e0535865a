# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Encoding, Decoder and Encoder, and the drivers that run a codec's loops over real input.

The loops (generated/, src/kernels/) convert runs of items between buffers and know nothing of Python. A driver here owns the buffers:
it sees to room, to the kind of the string, to errors, and to the bytes of a sequence that a chunk ends in.
"""

import codecs
import os

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.ref cimport PyObject, Py_XDECREF, Py_XINCREF
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from whatwg_encoding._kernels cimport *

cdef extern from "Python.h":
    PyObject *PyUnicode_New(Py_ssize_t size, Py_UCS4 max_code_point) except NULL
    int PyUnicode_Resize(PyObject **string, Py_ssize_t length) except -1
    str PyUnicode_FromKindAndData(int kind, const void *units, Py_ssize_t length)
    Py_ssize_t PyUnicode_GET_LENGTH(object string)
    int PyUnicode_KIND(object string)
    void *PyUnicode_DATA(object string)
    void *string_data "PyUnicode_DATA"(PyObject *string)
    bint PyUnicode_IS_ASCII(object string)
    Py_UCS4 PyUnicode_MAX_CHAR_VALUE(object string)
    int _PyBytes_Resize(PyObject **bytes, Py_ssize_t length) except -1
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *data, Py_ssize_t length) except NULL
    char *bytes_data "PyBytes_AS_STRING"(PyObject *bytes)
    bint PyBytes_CheckExact(object)
    Py_ssize_t PY_SSIZE_T_MAX

cdef extern from "objects.h":
    void we_set_string_length(PyObject *string, size_t length)
    void we_set_bytes_length(PyObject *bytes, size_t length)
    void we_advise_huge_pages(void *block, size_t length)

cdef enum:
    # Units that are decoded on the stack first: small results are made in their exact size and kind, and for large ones they
    # tell which kind to begin with.
    STAGE = 1024
    # Bytes of a source of middle size that are decoded there, to tell the kind: most of it goes straight into the string.
    GLANCE = 128
    # Bytes within which a source must turn out not to be ASCII for its string to begin in another kind.
    ASCII_PROBE = 4096
    # Input beyond which the GIL is released.
    GIL_LIMIT = 65536
    # Input of one call of a loop, at most: between calls signals are looked after. A few milliseconds.
    SLICE = 4194304
    # Errors that a caller deals with between two looks after signals.
    CROWD = 1024
    # Room below which a loop is not called any more. More than the longest sequence, so that each call gets on.
    LEAST_ROOM = 64
    # Room that is allotted for the worst case at once; beyond, what the input is likely to come to.
    CHEAP_ROOM = 32768
    # Bytes of an incomplete sequence: what a decoder keeps.
    MAX_PENDING = 3
    # Bytes of a numeric character reference, at most.
    REFERENCE = 10
    # Bytes of a chunk that are decoded together with what is pending.
    JOIN = 16

cdef enum Policy:
    NO_POLICY = -1  # an exception is set
    REPLACEMENT  # decoders: U+FFFD
    HTML         # encoders: a numeric character reference
    FATAL        # a UnicodeDecodeError or UnicodeEncodeError
    HANDLER      # what codecs.lookup_error has under a name


class UnknownLabelError(LookupError):
    """Raised for a label that "get an encoding" fails on. https://encoding.spec.whatwg.org/#concept-encoding-get"""


class EncoderUnavailableError(LookupError):
    """Raised where an encoder is asked of replacement, UTF-16BE or UTF-16LE. https://encoding.spec.whatwg.org/#encoder"""


# --- The machine's features -------------------------------------------------------------------------------------------


cdef list simd_names(int best):
    """The names of all levels up to the best. (No comprehension: those of Cython 3.3 free an item twice when memory is out.)"""
    cdef list names = []
    cdef int level
    for level in range(best + 1):
        names.append(we_simd_name(level).decode())
    return names


cdef int simd_level() except -1:
    """The instruction set that the kernels use: the best one, or the one that WHATWG_ENCODING_SIMD names."""
    cdef int best = we_simd_best()
    name = os.environ.get("WHATWG_ENCODING_SIMD", "")
    if not name:
        return best
    cdef bytes encoded = name.encode("ascii", "replace")
    cdef int level = we_simd_from_name(encoded, best)
    if level < 0:
        raise ImportError(f"WHATWG_ENCODING_SIMD is {name!r}; this machine has {', '.join(simd_names(best))}")
    return level


cdef int SIMD = simd_level()


def cpu_features():
    """What the kernels use here and what they could use: ``{"simd": name, "available": names}``, slowest first.

    The environment variable ``WHATWG_ENCODING_SIMD``, read when the package is imported, forces one of them.
    """
    return {
        "simd": we_simd_name(SIMD).decode(),
        "available": tuple(simd_names(we_simd_best())),
    }


# --- Data: anything with a contiguous buffer --------------------------------------------------------------------------


cdef struct Source:
    const uint8_t *bytes
    size_t length
    bint is_view
    Py_buffer view


cdef inline int open_source(object data, Source *source) except -1:
    """Gets at the bytes of ``data``; `close_source` lets go of them."""
    if not PyBytes_CheckExact(data):
        return open_view(data, source)
    source.is_view = False
    source.bytes = <const uint8_t *> PyBytes_AS_STRING(data)
    source.length = <size_t> PyBytes_GET_SIZE(data)
    return 0


cdef int open_view(object data, Source *source) except -1:
    if isinstance(data, str):
        raise TypeError("data must be a bytes-like object, not str: text is encoded, not decoded")
    try:
        PyObject_GetBuffer(data, &source.view, PyBUF_SIMPLE)
    except (TypeError, BufferError, ValueError) as error:
        raise TypeError(
            f"data must be an object with a contiguous buffer (bytes, bytearray, memoryview, …), not {type(data).__name__}: {error}"
        ) from None
    source.is_view = True
    source.bytes = <const uint8_t *> source.view.buf if source.view.buf != NULL else <const uint8_t *> b""  # where it is empty
    source.length = <size_t> source.view.len
    return 0


cdef inline void close_source(Source *source) noexcept:
    if source.is_view:
        PyBuffer_Release(&source.view)


# --- Text: a string that grows, in its smallest kind ------------------------------------------------------------------


cdef struct Text:
    # A decoder's run and the string that it writes to. The string is null until the stage does not suffice; what is written is the
    # prefix or what the string holds, and then what is staged. A string's kind is one that what it holds needs; text_finish sees to that.
    we_decode_run run
    const we_codec *codec
    PyObject *string
    int kind
    size_t room
    const uint8_t *source  # of the prefix
    size_t prefix          # ASCII bytes at the start of the source, in run.written but not yet copied
    size_t staged
    uint32_t guess         # the largest code point of a string to begin with; 0: none
    size_t witness         # where the code point stands that the string was last widened for
    size_t total_read      # bytes that what is written came from
    size_t errors          # that were returned to the caller
    size_t held            # bytes that were read since the GIL was last released
    uint16_t[STAGE + JOIN] stage


cdef inline void text_begin(Text *text, const we_codec *codec, bint fatal) noexcept:
    # All but the stage. (One by one: to clear it all at once takes longer than a short text.)
    text.run.read = text.run.written = 0
    text.run.max_code_point = text.run.bits = 0
    text.run.fatal = fatal
    text.run.simd = SIMD
    text.run.error_length = text.run.error_count = 0
    text.run.tables = codec.tables
    memset(&text.run.state, 0, sizeof(we_decoder_state))
    text.codec = codec
    text.string = NULL
    text.kind = WE_UCS1
    text.room = text.prefix = text.staged = 0
    text.guess = 0
    text.witness = 0
    text.total_read = text.errors = text.held = 0


cdef inline void text_abandon(Text *text) noexcept:
    Py_XDECREF(text.string)
    text.string = NULL


cdef inline int kind_of(uint32_t max_code_point) noexcept:
    return WE_UCS1 if max_code_point <= 0xFF else WE_UCS2 if max_code_point <= 0xFFFF else WE_UCS4


cdef inline uint32_t bound_of(uint32_t bits) noexcept:
    """The largest code point of the smallest string that holds code points with these bits."""
    return 0x7F if bits <= 0x7F else 0xFF if bits <= 0xFF else 0xFFFF if bits <= 0xFFFF else 0x10FFFF


cdef inline size_t offer(size_t remaining, bint after_error) noexcept nogil:
    """How much of a source a loop is to go over before others have their turn. Behind an error little, as the next may be near.

    If that and what was read since the GIL was last released are little together, it is not released for it: whoever takes the GIL may
    keep it for milliseconds, and that for each error.
    """
    return min(remaining, <size_t> (STAGE if after_error else SLICE))


cdef size_t as_room(double units) except? 0:
    """So much room, if an object can have it. Sizes are added up and multiplied as doubles, since 32 bits may be too few for them."""
    if units > <double> (PY_SSIZE_T_MAX - CHEAP_ROOM):
        raise MemoryError("the result would be larger than an object can be")
    return <size_t> units


cdef size_t room_for(size_t written, size_t remaining, size_t per_item, double likely) except? 0:
    """Room for what is written and for what remains: the worst case where that is cheap, else what is likely and a little more."""
    cdef double room = <double> remaining * <double> per_item
    if room > CHEAP_ROOM:
        # (What is likely may come out negative, if someone changes the source between the sample and the count.)
        room = min(room, max(likely, 0.0) * 1.015625 + LEAST_ROOM)
    return as_room(<double> written + room)


cdef inline bint leaves_room(size_t room, size_t written) noexcept:
    """Whether a result stays as large as it is, because it is filled but for a sixteenth."""
    return room - written <= written // 16 and room > STAGE


cdef inline size_t room_behind(size_t written, size_t length) except? 0:
    """Room for what is written, for so much behind it, and for a quarter more, so that many such steps copy little."""
    return as_room(<double> written * 1.25 + <double> length + LEAST_ROOM)


cdef double likely_length(Text *text, const uint8_t *rest, size_t remaining, size_t sample_length, size_t sample_written) noexcept:
    """How many code points the rest of a source comes to, of which the bytes just before, the sample, have been decoded.

    Where ASCII takes a byte each, code points are saved by the other bytes, so it is those that are counted.
    """
    cdef we_decode_run trial
    cdef uint32_t[GLANCE] target
    cdef size_t sampled, non_ascii, start = 0
    if sample_length < GLANCE:
        # Too little, since something wider came: a look at what follows, which is decoded again in its place.
        trial = text.run
        trial.source = rest
        trial.source_length = min(remaining, <size_t> GLANCE)
        trial.read = trial.written = 0
        trial.target = target
        trial.max_code_point = 0x10FFFF
        trial.end_of_queue = trial.fatal = False
        text.codec.decode[WE_UCS4](&trial)
        start = sample_length = trial.read
        sample_written = trial.written
    if not text.codec.is_ascii_compatible:
        return <double> remaining * <double> sample_written / <double> (sample_length + 1)
    sampled = we_non_ascii_count_ucs1(SIMD, rest + start - sample_length, sample_length)
    if sampled == 0 or sample_written >= sample_length:
        return <double> remaining
    if remaining <= GIL_LIMIT:
        non_ascii = we_non_ascii_count_ucs1(SIMD, rest, remaining)
    else:
        with nogil:
            non_ascii = we_non_ascii_count_ucs1(SIMD, rest, remaining)
    return <double> remaining - <double> non_ascii * <double> (sample_length - sample_written) / <double> sampled


cdef inline double likely_after(size_t written, size_t total_read, size_t remaining) noexcept:
    """What remains is likely to go as it went so far, and then some, so that few steps reach the end."""
    return <double> written / <double> (total_read + 1) * <double> remaining * 1.125


cdef inline size_t most_units(const we_codec *codec, size_t length) noexcept:
    """The most code points that so many bytes give (see codec.h)."""
    cdef size_t one = 1
    return (length + (one << codec.decode_shift) - 1) >> codec.decode_shift


cdef void copy_units(const void *source, int source_kind, size_t length, void *target, int target_kind) noexcept:
    """Copies code points that fit the target's kind."""
    if source_kind == target_kind:
        memcpy(target, source, length << source_kind)
    elif source_kind == WE_UCS1:
        if target_kind == WE_UCS2:
            we_widen_ucs1_to_ucs2(SIMD, <const uint8_t *> source, length, <uint16_t *> target)
        else:
            we_widen_ucs1_to_ucs4(SIMD, <const uint8_t *> source, length, <uint32_t *> target)
    elif source_kind == WE_UCS2:
        if target_kind == WE_UCS4:
            we_widen_ucs2_to_ucs4(SIMD, <const uint16_t *> source, length, <uint32_t *> target)
        else:
            we_narrow_ucs2_to_ucs1(SIMD, <const uint16_t *> source, length, <uint8_t *> target)
    elif target_kind == WE_UCS2:
        we_narrow_ucs4_to_ucs2(SIMD, <const uint32_t *> source, length, <uint16_t *> target)
    else:
        we_narrow_ucs4_to_ucs1(SIMD, <const uint32_t *> source, length, <uint8_t *> target)


cdef void copy_prefix(Text *text, void *target, int kind) noexcept:
    """Copies the prefix. What is checked is what is copied: if someone has changed the source since it was measured, the rest is zeros."""
    cdef size_t copied
    if kind == WE_UCS1:
        copied = we_ascii_run_to_ucs1(SIMD, text.source, text.prefix, <uint8_t *> target)
    elif kind == WE_UCS2:
        copied = we_ascii_run_to_ucs2(SIMD, text.source, text.prefix, <uint16_t *> target)
    else:
        copied = we_ascii_run_to_ucs4(SIMD, text.source, text.prefix, <uint32_t *> target)
    memset(<uint8_t *> target + (copied << kind), 0, (text.prefix - copied) << kind)


cdef inline int text_allot(Text *text, uint32_t max_code_point, size_t room) except -1:
    """Gives the text an empty string of ``room`` units that takes code points up to ``max_code_point``."""
    text.string = PyUnicode_New(<Py_ssize_t> room, max_code_point)
    text.kind = kind_of(max_code_point)
    text.room = room
    text.run.target = string_data(text.string)
    text.run.max_code_point = max_code_point
    we_advise_huge_pages(text.run.target, room << text.kind)
    return 0


cdef int text_remake(Text *text, uint32_t max_code_point, size_t room) except -1:
    """Moves the text into a string of ``room`` units, no fewer than are written, that takes code points up to ``max_code_point``."""
    cdef PyObject *string = text.string
    cdef int kind = text.kind
    cdef size_t before = text.run.written - text.staged
    text.string = NULL
    try:
        text_allot(text, max_code_point, room)
        if string != NULL:
            copy_units(string_data(string), kind, before, text.run.target, text.kind)
        elif text.prefix != 0:
            copy_prefix(text, text.run.target, text.kind)
            text.prefix = 0
    finally:
        Py_XDECREF(string)
    if text.staged != 0:
        copy_units(text.stage, WE_UCS2, text.staged, <uint8_t *> text.run.target + (before << text.kind), text.kind)
        text.staged = 0
    return 0


cdef int text_resize(Text *text, size_t room) except -1:
    """Gives the string ``room`` units, in place where the allocator can."""
    PyUnicode_Resize(&text.string, <Py_ssize_t> room)
    text.room = room
    text.run.target = string_data(text.string)
    return 0


cdef we_result text_sample(Text *text, const uint8_t *source, size_t length, bint end_of_queue, size_t *position) except WE_RAISED:
    """Decodes the next few bytes on the stage. If more follow, a string is made as wide as they need and put there.

    That is how a string begins, without a guess, and how it is widened: its kind is one that the next item needs.
    """
    cdef size_t remaining = length - position[0], written = text.run.written, before = text.staged, room
    cdef uint32_t needed = text.run.max_code_point if text.string != NULL else 0
    cdef double likely
    cdef we_result result
    # In range: before is 0, or what the JOIN bytes before a chunk gave.
    text.run.source = source + position[0]
    text.run.source_length = remaining if remaining <= STAGE else STAGE if remaining > CHEAP_ROOM else GLANCE
    text.run.read = 0
    text.run.end_of_queue = end_of_queue and text.run.source_length == remaining
    text.run.target = <void *> text.stage
    text.run.written = before
    text.run.max_code_point = 0xFFFF
    result = text.codec.decode[WE_UCS2](&text.run)
    text.staged = text.run.written
    text.run.written = written + text.staged - before
    position[0] += text.run.read
    text.total_read += text.run.read
    text.run.bits |= we_or_ucs2(SIMD, text.stage + before, text.staged - before)
    needed = max(needed, bound_of(text.run.bits))
    if result == WE_WIDEN:
        needed = 0x10FFFF
        text.witness = text.run.written
    if result == WE_MALFORMED or (result == WE_INPUT_EMPTY and text.run.source_length == remaining):
        if text.string == NULL:
            return result
        room = text.run.written
    else:
        room = most_units(text.codec, length - position[0])
        likely = <double> room
        if room > CHEAP_ROOM:
            likely = likely_length(text, source + position[0], length - position[0], text.run.read, text.staged - before)
        room = room_for(text.run.written, room, 1, likely)
    text_remake(text, needed, room)
    return result


cdef we_result text_run(Text *text, const uint8_t *source, size_t length, bint end_of_queue, size_t *position,
                        size_t offered) noexcept nogil:
    """Decodes from ``position`` on, which it moves, into the string, while there is room and until so many bytes are read."""
    cdef size_t end = position[0] + offered
    cdef we_result result
    while True:
        # As many bytes as there is room for what they give at most.
        text.run.source = source + position[0]
        text.run.source_length = min(end - position[0], text.room - text.run.written << text.codec.decode_shift)
        text.run.read = 0
        text.run.end_of_queue = end_of_queue and position[0] + text.run.source_length == length
        result = text.codec.decode[text.kind](&text.run)
        position[0] += text.run.read
        text.total_read += text.run.read
        if result != WE_INPUT_EMPTY or text.run.source + text.run.source_length == source + end or (
            text.room - text.run.written < LEAST_ROOM
        ):
            return result


cdef we_result text_feed(Text *text, const uint8_t *source, size_t length, bint end_of_queue, size_t *position) except WE_RAISED:
    """Decodes from ``position`` on, which it moves.

    WE_INPUT_EMPTY: all was decoded that can be; what is left is the start of a sequence. WE_MALFORMED: see the run.
    """
    cdef size_t remaining = length - position[0], room, probe, start, offered
    cdef bint after_error = text.errors != 0  # which is what it returned last
    cdef we_result result
    if text.string == NULL and remaining > JOIN and text.codec.is_ascii_compatible and position[0] == 0 and text.run.written == 0:
        probe = min(length, <size_t> ASCII_PROBE)
        text.source = source
        text.prefix = we_ascii_length(SIMD, source, probe)
        text.run.written = text.total_read = position[0] = text.prefix
        if text.prefix == probe:
            text_remake(text, 0x7F, length)
    cdef bint sample = text.string == NULL
    while position[0] < length:
        remaining = length - position[0]
        if sample:
            result = text_sample(text, source, length, end_of_queue, position)
            sample = False
        else:
            room = text.room - text.run.written
            if room < most_units(text.codec, remaining) and room < LEAST_ROOM:
                text_resize(text, room_for(text.run.written, most_units(text.codec, remaining), 1,
                                           likely_after(text.run.written, text.total_read, remaining)))
                continue
            start = position[0]
            offered = offer(remaining, after_error)
            if text.held + offered <= GIL_LIMIT:
                result = text_run(text, source, length, end_of_queue, position, offered)
                text.held += position[0] - start
            else:
                with nogil:
                    result = text_run(text, source, length, end_of_queue, position, offered)
                text.held = 0
            after_error = False
            sample = result == WE_WIDEN
        if result == WE_MALFORMED:
            text.errors += 1
            if text.errors % CROWD == 0:
                PyErr_CheckSignals()
            return result
        if result == WE_INPUT_EMPTY and text.run.source + text.run.source_length == source + length:
            break
        PyErr_CheckSignals()
    return WE_INPUT_EMPTY


cdef bint text_expect(Text *text, const uint8_t *source, size_t length, bint end_of_queue, size_t *position) except -1:
    """Decodes straight into a string of the kind that is guessed, where that pays.

    Whether all was decoded that can be; if not, `text_feed` is to go on from ``position``.
    """
    cdef size_t remaining = length - position[0]
    # The stage does better with what fits it well, a sample with what is long, and text_feed with ASCII. (Among chunks of Latin-1 an
    # ASCII one is found in the end: to look at each for that takes longer.)
    if text.string != NULL or not STAGE // 2 < remaining <= CHEAP_ROOM:
        return False
    if text.codec.is_ascii_compatible and text.guess != 0xFF and (
        text.guess == 0x7F or we_ascii_length(SIMD, source + position[0], remaining) == remaining
    ):
        return False
    if text.run.written == 0:
        # (text_remake would do, with 12 cycles more for a chunk.)
        text_allot(text, text.guess, most_units(text.codec, remaining))
    else:
        text_remake(text, max(text.guess, bound_of(text.run.bits)), text.run.written + most_units(text.codec, remaining))
    if text.run.fatal:
        return False
    text.run.source = source + position[0]
    text.run.source_length = remaining
    text.run.read = 0
    text.run.end_of_queue = end_of_queue
    cdef we_result result = text.codec.decode[text.kind](&text.run)
    position[0] += text.run.read
    text.total_read += text.run.read
    return result == WE_INPUT_EMPTY


cdef int text_prove(Text *text) except -1:
    """Looks for a code point that needs as wide a string as this is. If there is none, it is made as narrow as it can be.

    There may be none if the string was guessed, or if someone changed the source after it was widened for what was there.
    """
    cdef const void *target = text.run.target
    cdef size_t length = text.run.written
    # A few glances first: most often they tell.
    text.run.bits |= we_glance(target, length, text.kind)
    if text.witness < length:
        text.run.bits |= unit_at(<const uint8_t *> target, text.kind, text.witness)
    if bound_of(text.run.bits) < text.run.max_code_point:
        if text.kind == WE_UCS1:
            text.run.bits |= we_or_ucs1(SIMD, <const uint8_t *> target, length)
        elif text.kind == WE_UCS2:
            text.run.bits |= we_or_ucs2(SIMD, <const uint16_t *> target, length)
        else:
            text.run.bits |= we_or_ucs4(SIMD, <const uint32_t *> target, length)
    if bound_of(text.run.bits) < text.run.max_code_point:
        text_remake(text, bound_of(text.run.bits), length)
    return 0


cdef inline str text_finish(Text *text):
    """The string, whose block may have room left. The text is empty then. (Inline: a call takes 12 of a chunk's 400 cycles.)"""
    if text.string == NULL:
        if text.run.written == 0:
            return ""
        text_remake(text, bound_of(text.run.bits), text.run.written)
    elif bound_of(text.run.bits) < text.run.max_code_point:
        text_prove(text)
    if leaves_room(text.room, text.run.written):
        we_set_string_length(text.string, text.run.written)
    elif text.room != text.run.written:
        text_resize(text, text.run.written)
    string = <str> text.string
    Py_XDECREF(text.string)
    text.string = NULL
    return string


cdef int text_append(Text *text, str replacement) except -1:
    """Puts what an error handler returned behind the text, which has a string from then on."""
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(replacement)
    cdef uint32_t bound = bound_of(PyUnicode_MAX_CHAR_VALUE(replacement))
    text.run.bits |= bound
    if text.string == NULL:
        text_remake(text, bound_of(text.run.bits), room_behind(text.run.written, length))
    elif bound > text.run.max_code_point:
        text_remake(text, bound, room_behind(text.run.written, length))
    elif text.room - text.run.written < length:
        text_resize(text, room_behind(text.run.written, length))
    copy_units(PyUnicode_DATA(replacement), kind_of_string(replacement), length,
               <uint8_t *> text.run.target + (text.run.written << text.kind), text.kind)
    text.run.written += length
    return 0


# --- Output: bytes that grow ------------------------------------------------------------------------------------------


cdef struct Output:
    # An encoder's run and the bytes that it writes to: on the stack while they are few.
    we_encode_run run
    const we_codec *codec
    PyObject *bytes      # null: on the stack
    size_t room
    size_t total_read    # units that what is written came from
    size_t held          # units that were read since the GIL was last released
    bint html            # put a numeric character reference in the place of an error, where that can be done at once
    size_t errors        # that were returned to the caller
    uint8_t[STAGE] stack


cdef inline void output_begin(Output *output, const we_codec *codec) noexcept:
    # All but the stack. (One by one: to clear it all at once takes longer than a short text.)
    output.run.read = output.run.written = 0
    output.run.after_error = output.html = False
    output.run.tables = NULL
    memset(&output.run.state, 0, sizeof(we_encoder_state))
    output.bytes = NULL
    output.total_read = output.held = output.errors = 0
    output.codec = codec
    output.run.simd = SIMD
    if codec != NULL:
        output.run.tables = codec.tables
    output.run.target = output.stack
    output.room = STAGE


cdef inline void output_abandon(Output *output) noexcept:
    Py_XDECREF(output.bytes)
    output.bytes = NULL


cdef int output_resize(Output *output, size_t room) except -1:
    """Gives the output room for so many bytes in all."""
    if output.bytes == NULL:
        output.bytes = new_bytes(NULL, <Py_ssize_t> room)
        memcpy(bytes_data(output.bytes), output.stack, output.run.written)
    else:
        _PyBytes_Resize(&output.bytes, <Py_ssize_t> room)
    output.run.target = <uint8_t *> bytes_data(output.bytes)
    output.room = room
    we_advise_huge_pages(output.run.target, room)
    return 0


cdef int output_put(Output *output, const void *data, size_t length) except -1:
    """Puts bytes behind the output."""
    if output.room - output.run.written < length:
        output_resize(output, room_behind(output.run.written, length))
    memcpy(output.run.target + output.run.written, data, length)
    output.run.written += length
    return 0


cdef bytes output_finish(Output *output):
    """The bytes, whose block may have room left. The output is empty then."""
    if output.bytes == NULL:
        return PyBytes_FromStringAndSize(<char *> output.stack, <Py_ssize_t> output.run.written)
    if leaves_room(output.room, output.run.written):
        we_set_bytes_length(output.bytes, output.run.written)
    elif output.room != output.run.written:
        output_resize(output, output.run.written)
    data = <bytes> output.bytes
    Py_XDECREF(output.bytes)
    output.bytes = NULL
    return data


cdef inline size_t unit_size(int kind) noexcept nogil:
    return <size_t> 1 << kind


cdef double likely_bytes(Output *output, const uint8_t *source, int kind, size_t position, size_t remaining) noexcept:
    """How many bytes the rest of a text comes to, from how it went so far: ASCII takes one each, it is the others that take more."""
    cdef size_t sampled, non_ascii
    if output.total_read == 0 or output.run.written <= output.total_read or position < output.total_read:
        return <double> remaining * 1.125
    with nogil:
        sampled = non_ascii_count(source, kind, position - output.total_read, output.total_read)
        non_ascii = non_ascii_count(source, kind, position, remaining)
    if sampled == 0:
        return <double> remaining * 1.125
    return <double> remaining + <double> non_ascii * <double> (output.run.written - output.total_read) / <double> sampled


cdef size_t non_ascii_count(const uint8_t *source, int kind, size_t start, size_t length) noexcept nogil:
    if kind == WE_UCS1:
        return we_non_ascii_count_ucs1(SIMD, source + start, length)
    if kind == WE_UCS2:
        return we_non_ascii_count_ucs2(SIMD, <const uint16_t *> source + start, length)
    return we_non_ascii_count_ucs4(SIMD, <const uint32_t *> source + start, length)


cdef size_t write_digits(uint8_t *target, uint32_t number, size_t length) noexcept nogil:
    """Writes the last few decimal digits of a number."""
    cdef size_t left = length
    while left != 0:
        left -= 1
        target[left] = <uint8_t> (c"0" + number % 10)
        number //= 10
    return length


cdef size_t write_reference(uint8_t *target, uint32_t code_point) noexcept nogil:
    """Writes ``&#`` decimal ``;`` and returns its length. https://encoding.spec.whatwg.org/#concept-encoding-process"""
    cdef uint32_t thousands = code_point // 1000
    cdef size_t length = 2
    target[0] = c"&"
    target[1] = c"#"
    # In two halves, of which none waits for the other.
    if thousands == 0:
        length += write_digits(target + length, code_point, 1 if code_point < 10 else 2 if code_point < 100 else 3)
    else:
        length += write_digits(target + length, thousands, 1 if thousands < 10 else 2 if thousands < 100 else 3 if thousands < 1000 else 4)
        length += write_digits(target + length, code_point, 3)
    target[length] = c";"
    return length + 1


cdef int output_put_reference(Output *output, uint32_t code_point) except -1:
    """Puts a numeric character reference behind the output."""
    if output.room - output.run.written < REFERENCE:
        output_resize(output, output.run.written + output.run.written // 4 + LEAST_ROOM)
    output.run.written += write_reference(output.run.target + output.run.written, code_point)
    return 0


cdef inline size_t units_that_fit(Output *output, size_t per_unit) noexcept nogil:
    """How many units there is room for at the most bytes that one takes."""
    cdef size_t room = output.room - output.run.written
    return (room - WE_ENCODE_SLACK) // per_unit if room > WE_ENCODE_SLACK else 0


cdef we_result output_run(Output *output, const uint8_t *source, int kind, size_t length, bint end_of_queue, size_t *position,
                          size_t offered) noexcept nogil:
    """Encodes from ``position`` on, which it moves, while there is room and until so many units are read that are offered."""
    cdef size_t end = position[0] + offered, per_unit = output.codec.encode_room[kind], fits = offered
    cdef we_result result
    if output.room - output.run.written < offered * per_unit + WE_ENCODE_SLACK:
        fits = units_that_fit(output, per_unit)
    while True:
        output.run.source = source + position[0] * unit_size(kind)
        output.run.source_length = min(end - position[0], fits)
        output.run.read = 0
        output.run.end_of_queue = end_of_queue and position[0] + output.run.source_length == length
        result = output.codec.encode[kind](&output.run)
        position[0] += output.run.read
        output.total_read += output.run.read
        output.run.after_error = result == WE_UNMAPPABLE
        if result == WE_UNMAPPABLE:
            if not output.html or 0xD800 <= output.run.code_point <= 0xDFFF or output.room - output.run.written < REFERENCE:
                return WE_UNMAPPABLE
            output.run.written += write_reference(output.run.target + output.run.written, output.run.code_point)
            fits -= min(fits, <size_t> REFERENCE)
        elif position[0] == end:
            return WE_INPUT_EMPTY
        # As many fit at least; a division for each error would take as long as its reference.
        fits -= min(fits, output.run.read)
        if fits < LEAST_ROOM:
            fits = units_that_fit(output, per_unit)
            if fits < LEAST_ROOM:
                return WE_INPUT_EMPTY


cdef we_result output_feed(Output *output, const uint8_t *source, int kind, size_t length, bint end_of_queue, size_t *position) except WE_RAISED:
    """Encodes units of ``kind`` from ``position`` on, which it moves. WE_UNMAPPABLE: see the run. (With ``html`` that is rare.)"""
    cdef size_t remaining, start, offered, room, per_unit = output.codec.encode_room[kind]
    cdef bint after_error = output.errors != 0  # of which it returned one last, or what stands in its place was just encoded
    cdef double likely
    cdef we_result result
    if output.bytes == NULL and length <= CHEAP_ROOM and STAGE < (length - position[0]) * per_unit <= CHEAP_ROOM:
        output_resize(output, output.run.written + (length - position[0]) * per_unit + WE_ENCODE_SLACK)
    while True:
        remaining = length - position[0]
        offered = offer(remaining, after_error)
        room = output.room - output.run.written
        if room < offered * per_unit + WE_ENCODE_SLACK and units_that_fit(output, per_unit) < LEAST_ROOM:
            likely = likely_bytes(output, source, kind, position[0], remaining)
            room = max(room_for(output.run.written, remaining, per_unit, likely), room_behind(output.run.written, 0))
            output_resize(output, room + WE_ENCODE_SLACK + LEAST_ROOM * per_unit)
            continue
        start = position[0]
        if output.held + offered <= GIL_LIMIT:
            result = output_run(output, source, kind, length, end_of_queue, position, offered)
            output.held += position[0] - start
        else:
            with nogil:
                result = output_run(output, source, kind, length, end_of_queue, position, offered)
            output.held = 0
        after_error = False
        if result == WE_UNMAPPABLE:
            output.errors += 1
            if output.errors % CROWD == 0:
                PyErr_CheckSignals()
            return result
        if position[0] == length and not output.run.after_error:
            return result
        PyErr_CheckSignals()


# --- Encodings --------------------------------------------------------------------------------------------------------

cdef object CONSTRUCTION = object()
cdef dict BY_NAME = {}
cdef dict BY_LABEL = {}
cdef dict CODECS = {}


@cython.final
cdef class Encoding:
    """One of the 40 encodings of the standard: its names, its decoder and its encoder.

    There is one object for each, so that they compare by identity; `lookup` finds it by a label, and each is a constant of the
    package. https://encoding.spec.whatwg.org/#encoding

    >>> import whatwg_encoding
    >>> whatwg_encoding.SHIFT_JIS.decode(b"\\x83n\\x83\\x8d\\x81[")
    'ハロー'
    """

    cdef readonly str name
    cdef readonly tuple labels
    cdef readonly bint is_single_byte
    cdef readonly bint is_ascii_compatible
    cdef readonly bint has_encoder
    cdef str module
    cdef str output_name
    cdef const we_codec *codec
    cdef object _codec_info

    def __cinit__(self, *facts):
        if not facts or facts[0] is not CONSTRUCTION:
            raise TypeError("there are no encodings but the standard's: use lookup() or a constant")
        (_, self.name, self.module, self.output_name, self.is_single_byte, self.is_ascii_compatible, self.has_encoder,
         self.labels) = facts
        self.codec = NULL

    def __repr__(self):
        return f"<Encoding {self.name}>"

    def __reduce__(self):
        return lookup, (self.name,)

    @property
    def output_encoding(self):
        """The encoding that forms and URLs use for this one: UTF-8 for replacement and UTF-16BE/LE, else itself.

        https://encoding.spec.whatwg.org/#get-an-output-encoding
        """
        return BY_NAME[self.output_name]

    @property
    def is_legacy(self):
        """Whether it is any but UTF-8. https://encoding.spec.whatwg.org/#legacy-encodings"""
        return self.name != "UTF-8"

    @property
    def codec_info(self):
        """The `codecs.CodecInfo` of this encoding for Python's codec machinery, with Python's error handlers."""
        # Two threads may come here at once: they get the same object, which _codecs keeps.
        if self._codec_info is None:
            from importlib import import_module
            self._codec_info = import_module("whatwg_encoding._codecs").codec_info(self)
        return self._codec_info

    def decode(self, data, errors="replacement"):
        """The text of ``data``, by this encoding's decoder run to end-of-queue; a byte order mark is decoded like anything else.

        ``data`` is any object with a contiguous buffer, else a TypeError. ``errors`` is "replacement", which gives U+FFFD for each
        error, or "fatal", which raises a UnicodeDecodeError whose ``start`` and ``end`` are the bytes of the first one.
        https://encoding.spec.whatwg.org/#concept-encoding-run
        """
        return decode_object(self, data, decode_policy(errors), None)

    def encode(self, text, errors="html"):
        """The bytes of ``text``, by this encoding's encoder run to end-of-queue.

        ``errors`` is "html", which gives ``&#`` decimal ``;`` for a code point that the encoding lacks, or "fatal", which raises a
        UnicodeEncodeError at its position. A lone surrogate is U+FFFD, but an error in "fatal" mode. An EncoderUnavailableError if
        the encoding has no encoder. https://encoding.spec.whatwg.org/#get-an-encoder
        """
        return encode_object(self, text, encode_policy(errors), None)

    def decode_to_utf8(self, data, errors="replacement"):
        """The text of ``data`` as UTF-8 bytes, without a str in between; like `decode` otherwise."""
        return decode_object_to_utf8(self, data, decode_policy(errors))

    def valid_up_to(self, data):
        """How many bytes of ``data`` lie before the first error of this encoding's decoder; all of them if there is none."""
        return count_valid(self, data)

    def encoded_length(self, text, errors="html"):
        """How many bytes `encode` gives for ``text``, without making them. Raises what `encode` raises."""
        return count_encoded(self, text, encode_policy(errors))

    def new_decoder(self, errors="replacement"):
        """A `Decoder` of this encoding: a `codecs.IncrementalDecoder` with the errors modes of `decode`."""
        return Decoder(self, errors)

    def new_encoder(self, errors="html"):
        """An `Encoder` of this encoding: a `codecs.IncrementalEncoder` with the errors modes of `encode`.

        An EncoderUnavailableError if the encoding has none.
        """
        return Encoder(self, errors)

    def _decode_with_handler(self, data, str errors="strict"):
        """Like `decode`, with errors handled as Python's codecs do: ``errors`` names a handler that `codecs.lookup_error` knows."""
        return decode_object(self, data, HANDLER, codecs.lookup_error(errors))

    def _encode_with_handler(self, text, str errors="strict"):
        """Like `encode`, with errors handled as Python's codecs do: ``errors`` names a handler that `codecs.lookup_error` knows."""
        return encode_object(self, text, HANDLER, codecs.lookup_error(errors))

    def _new_decoder_with_handler(self, str errors="strict"):
        """Like `new_decoder`, with errors handled as Python's codecs do."""
        return Decoder(self, errors, codecs.lookup_error(errors))

    def _new_encoder_with_handler(self, str errors="strict"):
        """Like `new_encoder`, with errors handled as Python's codecs do."""
        return Encoder(self, errors, codecs.lookup_error(errors))


cdef inline const we_codec *codec_of(Encoding encoding) except NULL:
    """The encoding's loops. Their module is imported when they are first needed."""
    if encoding is None:
        raise RuntimeError("a decoder or encoder whose __init__ was not called has no encoding")
    if encoding.codec == NULL:
        load_codec(encoding)
    return encoding.codec


cdef int load_codec(Encoding encoding) except -1:
    from importlib import import_module  # here, so that importing the package does not wait for it
    module = import_module("whatwg_encoding._" + encoding.module)
    encoding.codec = <const we_codec *> PyCapsule_GetPointer(module.CODECS[encoding.name], "whatwg_encoding.codec")
    return 0


cdef inline const we_codec *encoder_codec_of(Encoding encoding) except NULL:
    if encoding is not None and not encoding.has_encoder:
        raise EncoderUnavailableError(
            f"{encoding.name} has no encoder; its output encoding is {encoding.output_name} (Encoding.output_encoding)"
        )
    return codec_of(encoding)


def _define_encodings(facts):
    """The mappings from names and from labels to encodings, made from the generated facts once."""
    for name, module, output_name, is_single_byte, is_ascii_compatible, has_encoder, labels in facts:
        encoding = Encoding(CONSTRUCTION, name, module, output_name, is_single_byte, is_ascii_compatible, has_encoder, labels)
        BY_NAME[name] = encoding
        for label in labels:
            BY_LABEL[label] = encoding
    # The type that the module types calls MappingProxyType: importing that module takes a fifth of this package's import.
    read_only = type(type.__dict__)
    return read_only(BY_NAME), read_only(BY_LABEL)


def lookup(label):
    """The encoding that ``label`` names: "get an encoding".

    ASCII white space around it is taken away, and only ASCII letters are compared without case. An UnknownLabelError (a LookupError)
    if it names none, a TypeError if it is no str. https://encoding.spec.whatwg.org/#concept-encoding-get

    >>> lookup(" Latin1 ")
    <Encoding windows-1252>
    """
    encoding = BY_LABEL.get(label) if type(label) is str else None
    if encoding is not None:
        return encoding
    return find_encoding(label)


cdef Encoding find_encoding(label):
    if not isinstance(label, str):
        raise TypeError(f"a label must be a str, not {type(label).__name__}")
    cdef str text = label
    stripped = text.strip("\t\n\f\r ")
    encoding = BY_LABEL.get(stripped.lower()) if stripped.isascii() else None
    if encoding is None:
        shown = text if len(text) <= 60 else text[:60] + "…"
        raise UnknownLabelError(
            f"unknown encoding label {shown!r}: it is none of the standard's labels (whatwg_encoding.LABELS); "
            "whatwg_encoding.lookup_codec takes names of Python's codecs"
        )
    return encoding


cdef inline Encoding as_encoding(encoding):
    """An encoding, given as itself or by a label."""
    if type(encoding) is Encoding:
        return <Encoding> encoding
    if isinstance(encoding, str):
        return lookup(encoding)
    raise TypeError(f"an encoding must be an Encoding or a label, not {type(encoding).__name__}")


cdef Policy decode_policy(errors) except NO_POLICY:
    if errors is "replacement" or errors == "replacement":
        return REPLACEMENT
    if errors == "fatal":
        return FATAL
    raise ValueError(f"errors is {errors!r}; a decoder takes 'replacement' or 'fatal'")


cdef Policy encode_policy(errors) except NO_POLICY:
    if errors is "html" or errors == "html":
        return HTML
    if errors == "fatal":
        return FATAL
    raise ValueError(f"errors is {errors!r}; an encoder takes 'html' or 'fatal'")


# --- Decoding ---------------------------------------------------------------------------------------------------------


cdef object decode_error(Text *text, bytes data, size_t end, Encoding encoding):
    """The UnicodeDecodeError for the error that the run has just reported, which ends at ``end`` of ``data``."""
    cdef size_t start = end - text.run.error_length
    cdef we_decode_run again
    cdef uint32_t[MAX_PENDING + 1] target
    reason = "malformed byte sequence"
    if encoding.name == "replacement":
        reason = "the replacement encoding decodes nothing"
    elif end == <size_t> PyBytes_GET_SIZE(data) and text.run.error_length <= MAX_PENDING:
        # The sequence alone, with more to come: if none of it is read, it is the start of one.
        again = text.run
        again.source = (<const uint8_t *> PyBytes_AS_STRING(data)) + start
        again.source_length = text.run.error_length
        again.read = again.written = 0
        again.target = target
        again.max_code_point = 0x10FFFF
        again.end_of_queue = False
        if text.codec.decode[WE_UCS4](&again) == WE_INPUT_EMPTY and again.read == 0:
            reason = "incomplete byte sequence at the end"
    return UnicodeDecodeError(encoding.name, data, start, end, reason)


cdef tuple handler_answer(object answer, size_t length):
    """What an error handler returned: the replacement and the position at which to go on, counted from the start."""
    if not isinstance(answer, tuple) or len(<tuple> answer) != 2:
        raise TypeError(f"an error handler must return a tuple of a replacement and a position, not {type(answer).__name__}")
    replacement, given = <tuple> answer
    cdef Py_ssize_t position = given
    if position < 0:
        position += <Py_ssize_t> length
    if position < 0 or <size_t> position > length:
        raise IndexError(f"position {given} from error handler out of bounds")
    return replacement, position


cdef size_t handle_decode_error(Text *text, object handler, object error, size_t length) except? 0:
    """Has an error handler deal with ``error`` and returns the position at which to go on."""
    replacement, position = handler_answer(handler(error), length)
    if not isinstance(replacement, str):
        raise TypeError(f"a decoding error handler must return a tuple of str and int, not of {type(replacement).__name__}")
    text_append(text, <str> replacement)
    return position


cdef str decode_object(Encoding encoding, object data, Policy policy, object handler):
    cdef const we_codec *codec = codec_of(encoding)
    cdef Source source
    cdef Text text
    cdef size_t position = 0
    open_source(data, &source)
    text_begin(&text, codec, policy != REPLACEMENT)
    try:
        while text_feed(&text, source.bytes, source.length, True, &position) == WE_MALFORMED:
            data = bytes_of(data, &source)  # once, for all errors; the source stays open
            error = decode_error(&text, data, position, encoding)
            if policy == FATAL:
                raise error
            position = handle_decode_error(&text, handler, error, source.length)
        return text_finish(&text)
    finally:
        text_abandon(&text)
        close_source(&source)


cdef bytes bytes_of(object data, Source *source):
    """The data as bytes, for an exception to hold."""
    if PyBytes_CheckExact(data):
        return <bytes> data
    return PyBytes_FromStringAndSize(<char *> source.bytes, <Py_ssize_t> source.length)


cdef we_result utf8_run(Output *output, we_decode_run *run, const we_codec *codec, Source *source, size_t *position) noexcept nogil:
    """Decodes from ``position`` on, which it moves, to UTF-8, while there is room and until SLICE bytes are read."""
    cdef size_t end = position[0] + min(source.length - position[0], <size_t> SLICE)
    cdef we_result result
    run.target = output.run.target
    run.written = output.run.written
    while True:
        run.source = source.bytes + position[0]
        run.source_length = min(end - position[0], (output.room - run.written) // WE_UTF8_PER_BYTE)
        run.read = 0
        run.end_of_queue = position[0] + run.source_length == source.length
        result = codec.decode[WE_UTF8](run)
        position[0] += run.read
        output.run.written = run.written
        if result == WE_MALFORMED or run.source + run.source_length == source.bytes + end or (
            output.room - run.written < LEAST_ROOM * WE_UTF8_PER_BYTE
        ):
            return result


cdef object feed_utf8(Output *output, we_decode_run *run, const we_codec *codec, Source *source):
    """Decodes all of the source to UTF-8; the position behind an error in fatal mode, else None."""
    cdef size_t position = 0, remaining, fits
    cdef we_result result
    while position < source.length:
        remaining = source.length - position
        fits = (output.room - output.run.written) // WE_UTF8_PER_BYTE
        if fits < remaining and fits < LEAST_ROOM:
            output_resize(
                output,
                room_for(output.run.written, remaining, WE_UTF8_PER_BYTE, likely_after(output.run.written, position, remaining))
                + LEAST_ROOM * WE_UTF8_PER_BYTE,
            )
            continue
        if remaining <= GIL_LIMIT:
            result = utf8_run(output, run, codec, source, &position)
        else:
            with nogil:
                result = utf8_run(output, run, codec, source, &position)
        if result == WE_MALFORMED:
            return position
        PyErr_CheckSignals()
    return None


cdef bytes decode_object_to_utf8(Encoding encoding, object data, Policy policy):
    cdef const we_codec *codec = codec_of(encoding)
    cdef Source source
    cdef Text text
    cdef Output output
    open_source(data, &source)
    text_begin(&text, codec, policy != REPLACEMENT)
    text.run.max_code_point = 0x10FFFF
    output_begin(&output, NULL)
    try:
        end = feed_utf8(&output, &text.run, codec, &source)
        if end is not None:
            raise decode_error(&text, bytes_of(data, &source), end, encoding)
        return output_finish(&output)
    finally:
        output_abandon(&output)
        close_source(&source)


cdef we_result decode_slice(const we_codec *codec, we_decode_run *run, uint32_t *target, int *kind) noexcept nogil:
    """Decodes a slice of no more bytes than ``target`` has units, as UCS-2 (``kind``) if it can be, else as UCS-4."""
    cdef we_decode_run start = run[0]
    cdef we_result result
    run.target = target
    run.max_code_point = 0xFFFF
    kind[0] = WE_UCS2
    result = codec.decode[WE_UCS2](run)
    if result == WE_WIDEN:
        run[0] = start
        run.target = target
        run.max_code_point = 0x10FFFF
        kind[0] = WE_UCS4
        result = codec.decode[WE_UCS4](run)
    return result


cdef size_t count_valid(Encoding encoding, object data) except? 0:
    cdef const we_codec *codec = codec_of(encoding)
    cdef Source source
    cdef Text text
    cdef size_t position = 0
    cdef we_result result = WE_INPUT_EMPTY
    open_source(data, &source)
    text_begin(&text, codec, True)
    try:
        while position < source.length and result != WE_MALFORMED:
            if source.length <= GIL_LIMIT:
                result = check_slice(&text, source.bytes, source.length, &position)
            else:
                with nogil:
                    result = check_slice(&text, source.bytes, source.length, &position)
            PyErr_CheckSignals()
        return position - text.run.error_length if result == WE_MALFORMED else position
    finally:
        close_source(&source)


cdef we_result check_slice(Text *text, const uint8_t *source, size_t length, size_t *position) noexcept nogil:
    """Decodes SLICE bytes at most from ``position`` on to nowhere, until an error."""
    cdef uint32_t[STAGE] target
    cdef size_t end = position[0] + min(length - position[0], <size_t> SLICE)
    cdef int kind = WE_UCS2
    cdef we_result result = WE_INPUT_EMPTY
    while position[0] < end and result != WE_MALFORMED:
        text.run.source = source + position[0]
        text.run.source_length = min(length - position[0], <size_t> STAGE)
        text.run.read = text.run.written = 0
        text.run.end_of_queue = position[0] + text.run.source_length == length
        result = decode_slice(text.codec, &text.run, target, &kind)
        position[0] += text.run.read
    return result


cdef class DecoderMachine:
    """The compiled half of `Decoder`. Where there is no GIL each call locks its decoder, so that misuse by several threads is as
    harmless as it is with one."""

    cdef readonly Encoding encoding
    cdef readonly str errors
    cdef readonly size_t error_count
    cdef Policy policy
    cdef object handler
    cdef we_decoder_state state
    cdef uint8_t[MAX_PENDING] pending
    cdef size_t pending_length
    cdef uint32_t guess  # the largest code point of the string that the last chunk took; 0: none, or it was short or ASCII

    @cython.critical_section
    def __init__(self, encoding, errors="replacement", handler=None):
        self.encoding = as_encoding(encoding)
        self.policy = HANDLER if handler is not None else decode_policy(errors)
        self.handler = handler
        self.errors = errors
        codec_of(self.encoding)
        self.clear()

    @cython.critical_section
    def decode(self, data, final=False):
        """The text that ``data`` completes. With ``final`` it is the last: an incomplete sequence is an error, and the decoder
        starts anew.

        A TypeError if ``data`` has no contiguous buffer. In fatal mode a UnicodeDecodeError, whose ``object`` is what was pending
        followed by ``data``; the decoder is reset then. https://encoding.spec.whatwg.org/#concept-encoding-process
        """
        cdef Source source
        open_source(data, &source)
        try:
            if self.policy == HANDLER and self.pending_length != 0:
                # A handler may go back into what was pending: it and the chunk become one.
                data = self.behind_pending(data, &source)
                close_source(&source)
                open_source(data, &source)
            return self.feed(data, &source, bool(final))
        finally:
            close_source(&source)

    cdef bytes behind_pending(self, object data, Source *source):
        """What is pending followed by the chunk."""
        return PyBytes_FromStringAndSize(<char *> self.pending, <Py_ssize_t> self.pending_length) + bytes_of(data, source)

    cdef str feed(self, object data, Source *source, bint final):
        cdef Text text
        cdef uint8_t[JOIN] join
        # A handler may do anything to this decoder meanwhile.
        cdef Policy policy = self.policy
        cdef Encoding encoding = self.encoding
        cdef object handler = self.handler
        cdef size_t kept = 0 if policy == HANDLER else min(self.pending_length, <size_t> MAX_PENDING), taken, position = 0
        cdef const uint8_t *rest = source.bytes
        cdef size_t rest_length = source.length
        text_begin(&text, codec_of(encoding), policy != REPLACEMENT)
        text.run.state = self.state
        text.run.error_count = self.error_count
        if self.guess != 0 and source.length <= CHEAP_ROOM:
            text.guess = self.guess
        try:
            if kept != 0:
                # What is pending and the next few bytes, so that the loops see a sequence whole. Three bytes at most are left of
                # them, so that JOIN - MAX_PENDING bytes of the chunk are enough to get into it.
                taken = min(source.length, <size_t> (JOIN - MAX_PENDING))
                memcpy(join, self.pending, kept)
                memcpy(join + kept, source.bytes, taken)
                if text_feed(&text, join, kept + taken, final and taken == source.length, &position) == WE_MALFORMED:
                    return self.fail(&text, data, source, position)
                if taken == source.length:
                    rest = join
                    rest_length = kept + taken
                else:
                    position -= kept
            if rest == source.bytes and not (text.guess != 0 and text_expect(&text, source.bytes, source.length, final, &position)):
                while text_feed(&text, source.bytes, source.length, final, &position) == WE_MALFORMED:
                    if policy == FATAL:
                        return self.fail(&text, data, source, position + kept)
                    data = bytes_of(data, source)  # once, for all errors; the source stays open
                    error = decode_error(&text, data, position, encoding)
                    position = handle_decode_error(&text, handler, error, source.length)
            result = text_finish(&text)
        finally:
            text_abandon(&text)
        self.error_count = text.run.error_count
        if text.run.written > GLANCE and (text.run.max_code_point > 0x7F or not text.codec.is_ascii_compatible):
            self.guess = text.run.max_code_point
        if final:
            self.pending_length = 0
            memset(&self.state, 0, sizeof(we_decoder_state))
        else:
            self.state = text.run.state
            self.pending_length = min(rest_length - position, <size_t> MAX_PENDING)
            if self.pending_length != 0:
                memcpy(self.pending, rest + position, self.pending_length)
        return result

    cdef str fail(self, Text *text, object data, Source *source, size_t end):
        """Resets the decoder and raises the error that ends at ``end`` of what was pending followed by the chunk."""
        error = decode_error(text, self.behind_pending(data, source), end, self.encoding)
        self.clear()
        raise error

    @cython.critical_section
    def reset(self):
        """Forgets what is pending, the state and the error count."""
        self.clear()

    cdef void clear(self) noexcept:
        self.pending_length = 0
        self.error_count = 0
        self.guess = 0
        memset(&self.state, 0, sizeof(we_decoder_state))

    @cython.critical_section
    def getstate(self):
        """The bytes that are pending and a number for the rest of the state, as `codecs.IncrementalDecoder.getstate` has it."""
        flags = (self.state.iso_2022_jp_decoder_output_state | self.state.iso_2022_jp_output << 2
                 | self.state.replacement_error_returned << 3)
        return PyBytes_FromStringAndSize(<char *> self.pending, <Py_ssize_t> self.pending_length), flags

    @cython.critical_section
    def setstate(self, state):
        """Takes up a state that `getstate` gave. A ValueError if it can't be one."""
        pending, flags = state
        if not isinstance(pending, bytes) or not isinstance(flags, int):
            raise TypeError("the state must be a tuple of bytes and int")
        if PyBytes_GET_SIZE(pending) > MAX_PENDING or not 0 <= flags < 16:
            raise ValueError(f"{state!r} is no state of a decoder")
        self.pending_length = <size_t> PyBytes_GET_SIZE(pending)
        memcpy(self.pending, PyBytes_AS_STRING(pending), self.pending_length)
        self.state.iso_2022_jp_decoder_output_state = flags & 3
        self.state.iso_2022_jp_output = flags >> 2 & 1
        self.state.replacement_error_returned = flags >> 3 & 1


class Decoder(DecoderMachine, codecs.IncrementalDecoder):
    """A decoder that takes its input in chunks: any split, empty chunks included, gives what the whole gives.

    ``error_count`` is how many errors it has replaced since it was new or reset. It belongs to one thread at a time. 
    https://encoding.spec.whatwg.org/#decoder
    """

    __slots__ = ()

    def __repr__(self):
        return f"<Decoder {self.encoding.name} {self.errors}>"


def decode_many(items, errors="replacement"):
    """The texts of ``items``, pairs of data and an encoding or label: `Encoding.decode` for each, with as little between as can be."""
    cdef Policy policy = decode_policy(errors)
    cdef list texts = []
    for data, encoding in items:
        texts.append(decode_object(as_encoding(encoding), data, policy, None))
        PyErr_CheckSignals()
    return texts


# --- Encoding ---------------------------------------------------------------------------------------------------------


cdef inline uint32_t unit_at(const uint8_t *source, int kind, size_t position) noexcept:
    if kind == WE_UCS1:
        return source[position]
    if kind == WE_UCS2:
        return (<const uint16_t *> source)[position]
    return (<const uint32_t *> source)[position]


cdef struct Unmappable:
    # What an encoder could not encode: units from start to end, which stand for code_point. Nothing where start equals end.
    size_t start
    size_t end
    uint32_t code_point


cdef bint resolve_surrogate(Output *output, const uint8_t *source, int kind, size_t length, size_t *position, bint lone_is_error,
                            Unmappable *error) except -1:
    """Puts the scalar value in place of the surrogate before ``position``, as conversion to a USVString does; whether that is an error.

    https://webidl.spec.whatwg.org/#idl-USVString
    """
    cdef uint32_t code_point = output.run.code_point, trail, one
    cdef size_t start = position[0] - 1, nothing = 0
    cdef we_result result
    if code_point <= 0xDBFF and position[0] < length:
        trail = unit_at(source, kind, position[0])
        if 0xDC00 <= trail <= 0xDFFF:
            code_point = 0x10000 + ((code_point & 0x3FF) << 10 | trail & 0x3FF)
            position[0] += 1
    error.start = start
    error.end = position[0]
    error.code_point = code_point
    if code_point <= 0xFFFF:
        if lone_is_error:
            return True
        code_point = error.code_point = 0xFFFD
    one = code_point
    result = output_feed(output, <const uint8_t *> &one, WE_UCS4, 1, False, &nothing)
    return result == WE_UNMAPPABLE


cdef bint feed_scalar_values(Output *output, const uint8_t *source, int kind, size_t length, bint end_of_queue, size_t *position,
                             bint lone_is_error, Unmappable *error) except -1:
    """Encodes on from ``position``, surrogates made scalar values first; whether it stopped at an error."""
    while output_feed(output, source, kind, length, end_of_queue, position) == WE_UNMAPPABLE:
        error.start = position[0] - 1
        error.end = position[0]
        error.code_point = output.run.code_point
        if not 0xD800 <= error.code_point <= 0xDFFF:
            return True
        if resolve_surrogate(output, source, kind, length, position, lone_is_error, error):
            return True
    return False


cdef object encode_error(Encoding encoding, str text, Unmappable *error):
    if 0xD800 <= error.code_point <= 0xDFFF:
        reason = "surrogates are no scalar values"
    else:
        reason = f"U+{error.code_point:04X} is not in {encoding.name}"
        if error.code_point == 0xFFFD and ord(text[error.start]) != 0xFFFD:
            reason = f"U+{ord(text[error.start]):04X} is a control code that {encoding.name} does not let through"
    return UnicodeEncodeError(encoding.name, text, error.start, error.end, reason)


cdef size_t handle_encode_error(Output *output, object handler, object error, size_t length) except? 0:
    """Has an error handler deal with ``error`` and returns the position at which to go on."""
    cdef size_t nothing = 0
    replacement, position = handler_answer(handler(error), length)
    if isinstance(replacement, bytes):
        output_put(output, PyBytes_AS_STRING(replacement), <size_t> PyBytes_GET_SIZE(replacement))
    elif isinstance(replacement, str):
        if output_feed(output, <const uint8_t *> PyUnicode_DATA(replacement), kind_of_string(<str> replacement),
                       <size_t> PyUnicode_GET_LENGTH(replacement), False, &nothing) == WE_UNMAPPABLE:
            raise error
    else:
        raise TypeError(f"an encoding error handler must return a tuple of str or bytes and int, not of {type(replacement).__name__}")
    return position


cdef inline int kind_of_string(str text) noexcept:
    """WE_UCS1, WE_UCS2 or WE_UCS4."""
    return PyUnicode_KIND(text) >> 1


cdef int feed_text(Output *output, Encoding encoding, str text, size_t length, bint end_of_queue, Policy policy, object handler) except -1:
    """Encodes the first ``length`` code points of ``text``, errors handled."""
    cdef const uint8_t *source = <const uint8_t *> PyUnicode_DATA(text)
    cdef int kind = kind_of_string(text)
    cdef size_t position = 0
    cdef Unmappable error
    if policy == HANDLER:
        while output_feed(output, source, kind, length, end_of_queue, &position) == WE_UNMAPPABLE:
            error.start = position - 1
            error.end = position
            error.code_point = output.run.code_point
            position = handle_encode_error(output, handler, encode_error(encoding, text, &error), length)
        return 0
    output.html = policy == HTML
    while feed_scalar_values(output, source, kind, length, end_of_queue, &position, policy == FATAL, &error):
        if policy == FATAL:
            raise encode_error(encoding, text, &error)
        output_put_reference(output, error.code_point)
    return 0


cdef inline str as_text(text):
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    return <str> text


cdef bytes encode_object(Encoding encoding, object text, Policy policy, object handler):
    cdef const we_codec *codec = encoder_codec_of(encoding)
    cdef str string = as_text(text)
    cdef int kind = kind_of_string(string)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(string)
    cdef Output output
    if codec.is_ascii_compatible and PyUnicode_IS_ASCII(string):
        return PyBytes_FromStringAndSize(<char *> PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string))
    output_begin(&output, codec)
    if length * codec.encode_room[kind] + WE_ENCODE_SLACK <= STAGE:
        # What is short is encoded by one call, if there is no error: what stands around it otherwise would take longer.
        output.run.source = PyUnicode_DATA(string)
        output.run.source_length = length
        output.run.end_of_queue = True
        if codec.encode[kind](&output.run) == WE_INPUT_EMPTY:
            return PyBytes_FromStringAndSize(<char *> output.stack, <Py_ssize_t> output.run.written)
        output_begin(&output, codec)
    try:
        feed_text(&output, encoding, string, length, True, policy, handler)
        return output_finish(&output)
    finally:
        output_abandon(&output)


cdef size_t count_encoded(Encoding encoding, object text, Policy policy) except? 0:
    cdef const we_codec *codec = encoder_codec_of(encoding)
    cdef str string = as_text(text)
    cdef const uint8_t *source = <const uint8_t *> PyUnicode_DATA(string)
    cdef int kind = kind_of_string(string)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(string), position = 0, count = 0, start, offered
    cdef Output output
    cdef Unmappable error
    cdef uint8_t[REFERENCE] reference
    cdef we_result result = WE_INPUT_EMPTY
    cdef bint stopped
    if codec.is_ascii_compatible and PyUnicode_IS_ASCII(string):
        return length
    output_begin(&output, codec)
    while True:
        start = position
        offered = offer(length - position, result == WE_UNMAPPABLE)
        if output.held + offered <= GIL_LIMIT:
            result = measure_slice(&output, source, kind, length, &position, offered, &count)
            output.held += position - start
        else:
            with nogil:
                result = measure_slice(&output, source, kind, length, &position, offered, &count)
            output.held = 0
        if result == WE_UNMAPPABLE:
            error.start = position - 1
            error.end = position
            error.code_point = output.run.code_point
            if 0xD800 <= error.code_point <= 0xDFFF:
                # Four bytes at most, or none and an error: the stack has room.
                output.run.written = 0
                stopped = resolve_surrogate(&output, source, kind, length, &position, policy == FATAL, &error)
                count += output.run.written
            else:
                stopped = True
            if stopped:
                if policy == FATAL:
                    raise encode_error(encoding, string, &error)
                count += write_reference(reference, error.code_point)
        elif position == length:
            return count
        PyErr_CheckSignals()


cdef we_result measure_slice(Output *output, const uint8_t *source, int kind, size_t length, size_t *position, size_t offered,
                             size_t *count) noexcept nogil:
    """Encodes so many units or a few more from ``position`` on to nowhere, until an error, and adds up the bytes."""
    cdef size_t end = position[0] + offered
    cdef we_result result
    while True:
        # A piece that fits the stack at the most bytes that a unit takes.
        output.run.source = source + position[0] * unit_size(kind)
        output.run.source_length = min(length - position[0], <size_t> ((STAGE - WE_ENCODE_SLACK) // 8))
        output.run.end_of_queue = position[0] + output.run.source_length == length
        output.run.read = output.run.written = 0
        result = output.codec.encode[kind](&output.run)
        position[0] += output.run.read
        count[0] += output.run.written
        if result == WE_UNMAPPABLE or position[0] >= end:
            return result


cdef class EncoderMachine:
    """The compiled half of `Encoder`, with locks as `DecoderMachine` has them."""

    cdef readonly Encoding encoding
    cdef readonly str errors
    cdef Policy policy
    cdef object handler
    cdef we_encoder_state state
    cdef uint32_t pending_surrogate

    @cython.critical_section
    def __init__(self, encoding, errors="html", handler=None):
        self.encoding = as_encoding(encoding)
        self.policy = HANDLER if handler is not None else encode_policy(errors)
        self.handler = handler
        self.errors = errors
        encoder_codec_of(self.encoding)
        self.clear()

    @cython.critical_section
    def encode(self, text, final=False):
        """The bytes of ``text``. With ``final`` it is the last: ISO-2022-JP goes back to ASCII.

        A leading surrogate at the end is kept, to be joined with a trailing one at the start of the next text. In fatal mode a
        UnicodeEncodeError, whose ``object`` is ``text`` (behind that surrogate, if there is one); the encoder is reset then.
        https://encoding.spec.whatwg.org/#concept-encoding-process
        """
        cdef str string = as_text(text)
        cdef Output output
        cdef uint32_t kept = 0
        cdef size_t length
        if self.pending_surrogate != 0:
            string = chr(self.pending_surrogate) + string
        length = <size_t> PyUnicode_GET_LENGTH(string)
        if self.policy != HANDLER and not final and length != 0:
            kept = unit_at(<const uint8_t *> PyUnicode_DATA(string), kind_of_string(string), length - 1)
            if 0xD800 <= kept <= 0xDBFF:
                length -= 1
            else:
                kept = 0
        output_begin(&output, encoder_codec_of(self.encoding))
        output.run.state = self.state
        try:
            feed_text(&output, self.encoding, string, length, bool(final), self.policy, self.handler)
            result = output_finish(&output)
        except UnicodeEncodeError:
            self.clear()
            raise
        finally:
            output_abandon(&output)
        self.state = output.run.state
        self.pending_surrogate = kept
        return result

    @cython.critical_section
    def reset(self):
        """Forgets a surrogate that is kept, and goes back to the first state."""
        self.clear()

    cdef void clear(self) noexcept:
        self.pending_surrogate = 0
        memset(&self.state, 0, sizeof(we_encoder_state))

    @cython.critical_section
    def getstate(self):
        """A number for the state, as `codecs.IncrementalEncoder.getstate` has it; 0 is the first state."""
        return self.state.iso_2022_jp_encoder_state | self.pending_surrogate << 8

    @cython.critical_section
    def setstate(self, state):
        """Takes up a state that `getstate` gave. A ValueError if it can't be one."""
        if not isinstance(state, int):
            raise TypeError("the state must be an int")
        surrogate, number = state >> 8, state & 0xFF
        if number not in (WE_ISO_2022_JP_ASCII, WE_ISO_2022_JP_ROMAN, WE_ISO_2022_JP_JIS0208) or (
            surrogate and not 0xD800 <= surrogate <= 0xDBFF
        ):
            raise ValueError(f"{state!r} is no state of an encoder")
        self.state.iso_2022_jp_encoder_state = number
        self.pending_surrogate = surrogate

    @cython.critical_section
    def _encode_until_error(self, text, Py_ssize_t start=0):
        """Encodes ``text`` from ``start`` until an error or the end, in this encoder's state, which goes on.

        Bytes, the code point of the error or None, and the position behind what was consumed. End-of-queue is not among it.
        """
        cdef str string = as_text(text)
        cdef Output output
        cdef Unmappable error
        cdef size_t position = <size_t> start
        cdef bint stopped
        if not 0 <= start <= len(string):
            raise IndexError(f"start is {start}; the text has {len(string)} code points")
        output_begin(&output, encoder_codec_of(self.encoding))
        output.run.state = self.state
        try:
            stopped = feed_scalar_values(
                &output, <const uint8_t *> PyUnicode_DATA(string), kind_of_string(string),
                <size_t> PyUnicode_GET_LENGTH(string), False, &position, False, &error,
            )
            result = output_finish(&output)
        finally:
            output_abandon(&output)
        self.state = output.run.state
        return result, error.code_point if stopped else None, position


class Encoder(EncoderMachine, codecs.IncrementalEncoder):
    """An encoder that takes its input in chunks: any split gives what the whole gives, if the last call says ``final``.

    It belongs to one thread at a time. https://encoding.spec.whatwg.org/#encoder
    """

    __slots__ = ()

    def __repr__(self):
        return f"<Encoder {self.encoding.name} {self.errors}>"


# --- Recoding ---------------------------------------------------------------------------------------------------------


def recode(data, source, target, errors="html"):
    """The bytes of ``data`` in another encoding: decoded from ``source``, encoded to ``target``, without a str in between.

    ``errors`` is "html": errors of the source become U+FFFD, and what the target lacks becomes ``&#`` decimal ``;``. Or "fatal": a
    UnicodeDecodeError or a UnicodeEncodeError. The latter's ``object`` is the piece of the text, 64 KiB of the data at most, that the
    error is in.
    An UnknownLabelError or an EncoderUnavailableError as `lookup` and `Encoding.encode` raise them.
    """
    cdef Policy policy = encode_policy(errors)
    cdef Encoding decoding = as_encoding(source), encoding = as_encoding(target)
    cdef const we_codec *codec = codec_of(decoding)
    cdef Source input
    cdef Text text
    cdef Output output
    cdef uint32_t[STAGE] stack
    cdef uint32_t *units = stack
    cdef size_t position = 0, encoded, slice_length = STAGE
    cdef int kind = WE_UCS2
    cdef we_result result
    cdef bint last = False
    output_begin(&output, encoder_codec_of(encoding))
    output.html = policy == HTML
    open_source(data, &input)
    text_begin(&text, codec, policy == FATAL)
    try:
        if input.length > GIL_LIMIT:
            slice_length = GIL_LIMIT
            units = <uint32_t *> PyMem_Malloc(slice_length * sizeof(uint32_t))
            if units == NULL:
                raise MemoryError()
        while not last:
            text.run.source = input.bytes + position
            text.run.source_length = min(input.length - position, slice_length)
            text.run.read = text.run.written = 0
            text.run.end_of_queue = last = position + text.run.source_length == input.length
            if input.length <= GIL_LIMIT:
                result = decode_slice(codec, &text.run, units, &kind)
            else:
                with nogil:
                    result = decode_slice(codec, &text.run, units, &kind)
            position += text.run.read
            if result == WE_MALFORMED:
                raise decode_error(&text, bytes_of(data, &input), position, decoding)
            encoded = 0
            while output_feed(&output, <const uint8_t *> units, kind, text.run.written, last, &encoded) == WE_UNMAPPABLE:
                if policy == FATAL:
                    raise recode_error(encoding, units, kind, text.run.written, encoded, output.run.code_point)
                output_put_reference(&output, output.run.code_point)
            PyErr_CheckSignals()
        return output_finish(&output)
    finally:
        if units != stack:
            PyMem_Free(units)
        output_abandon(&output)
        close_source(&input)


cdef object recode_error(Encoding encoding, const uint32_t *units, int kind, size_t length, size_t end, uint32_t code_point):
    """The UnicodeEncodeError for the unit that ends at ``end``; its object is the units."""
    cdef Unmappable error
    error.start = end - 1
    error.end = end
    error.code_point = code_point
    return encode_error(encoding, PyUnicode_FromKindAndData(<int> unit_size(kind), units, <Py_ssize_t> length), &error)
