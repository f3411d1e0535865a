# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Decode bytes to a string in its smallest kind or to UTF-8, or find the position of the first error.

The levels, from the lowest: a codec's loop (codec.h) decodes as much as fits; `fill_string`, `decode_sample` and
`decode_guessed` call it with a target; `decode_until_error` selects among them until the end of the source or an error;
`decode_to_string` and `Decoder` handle errors.

UTF-8, the input of `recode` and the search for errors use the engine (src/engine/decode.h). Strings do not: calls of
it in place of the loops take 8 to 17 ns more each, 3 to 10 % of a chunk of 1 to 4 KiB (measured on x86-64 for UTF-8,
UTF-16, single-byte encodings and Shift_JIS). The engine copies its state in and out and supports any capacity, where
this driver always offers the loops what fits.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport PyObject, Py_XDECREF
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from whatwg_encoding._engine cimport *
from whatwg_encoding._errors cimport *
from whatwg_encoding._kernels cimport *
from whatwg_encoding._objects cimport *
from whatwg_encoding._source cimport SLICE, Source, bytes_of, close_source, open_source

cdef enum:
    # Bytes of a medium-sized source that are decoded on the stack to choose the string's kind.
    GLANCE = 128
    # Upper bound on the bytes of a short source, which one call of a loop decodes on the stack.
    SHORT = 256
    # Units to a multiple of which union_of is given a text on the stage: for each kind whole blocks of its loop.
    UNION_BLOCK = 64
    # Bytes that must all be ASCII for the string to start as an ASCII string.
    ASCII_PROBE = 4096
    # Upper bound on the bytes of an incomplete sequence, which a decoder keeps.
    MAX_PENDING = 3
    # Upper bound on the pending bytes and the start of a chunk that are decoded together.
    JOIN = 16
    # Size in bytes from which a string is not copied to widen it: its source is decoded again, which limits peak
    # memory.
    LARGE = 4194304


# --- A string that is being decoded -----------------------------------------------------------------------------------


cdef struct Text:
    # The string is null as long as the stage suffices. The output so far is the prefix or the contents of the string,
    # followed by the staged units. finish_string narrows the string to the smallest kind for its contents.
    we_decode_run run
    const we_codec *codec
    PyObject *string
    int kind
    size_t capacity        # of the string, in units
    const uint8_t *source  # of the prefix
    size_t prefix          # ASCII bytes at the start of the source, counted in run.written but not yet copied
    size_t staged          # units on the stage
    uint32_t guess         # the largest code point of the string to start with; 0: no guess
    size_t witness         # position of the code point for which the string was last widened
    size_t total_read      # bytes read for the output so far
    size_t errors          # number of errors returned to the caller
    size_t held            # bytes read since the GIL was last released
    we_decoder_state initial_state
    size_t initial_errors  # run.error_count at the start
    uint16_t[STAGE + JOIN] stage


cdef inline void begin_text(Text *text, int simd, const we_codec *codec, int error_mode) noexcept:
    # All but the stage. (One by one: to clear it all at once takes longer than a short text.)
    text.run.read = text.run.written = 0
    text.run.max_code_point = text.run.bits = 0
    text.run.error_mode = error_mode
    text.run.simd = simd
    text.run.error_length = text.run.error_count = 0
    text.run.tables = codec.tables
    memset(&text.run.state, 0, sizeof(we_decoder_state))
    text.codec = codec
    text.string = NULL
    text.kind = WE_UCS1
    text.capacity = text.prefix = text.staged = 0
    text.guess = 0
    text.witness = 0
    text.total_read = text.errors = text.held = 0


cdef inline void abandon_text(Text *text) noexcept:
    Py_XDECREF(text.string)
    text.string = NULL


cdef inline size_t most_units(const we_codec *codec, size_t length) noexcept nogil:
    """Return the upper bound on the code points in ``length`` bytes (see codec.h)."""
    cdef size_t one = 1
    return (length + (one << codec.decode_shift) - 1) >> codec.decode_shift


cdef inline size_t most_written(Text *text, size_t length) noexcept nogil:
    """Return an upper bound on the units for a number of bytes, including replacements of errors."""
    if text.run.error_mode == WE_BACKSLASH_REPLACE:
        return length * WE_UNITS_PER_ERROR_BYTE
    return length if text.run.error_mode == WE_SURROGATE_ESCAPE else most_units(text.codec, length)


cdef inline size_t most_offered(Text *text, size_t units) noexcept nogil:
    """Return the number of bytes for which a capacity suffices."""
    if text.run.error_mode == WE_BACKSLASH_REPLACE:
        return units // WE_UNITS_PER_ERROR_BYTE
    return units if text.run.error_mode == WE_SURROGATE_ESCAPE else units << text.codec.decode_shift


cdef inline void copy_prefix(Text *text, void *target, int kind) noexcept:
    """Copy the prefix, up to the first byte that is not ASCII; zero the rest.

    There is such a byte only if another thread has changed the source since the prefix was measured.
    """
    cdef size_t copied
    if kind == WE_UCS1:
        copied = we_ascii_run_to_ucs1(text.run.simd, text.source, text.prefix, <uint8_t *> target)
    elif kind == WE_UCS2:
        copied = we_ascii_run_to_ucs2(text.run.simd, text.source, text.prefix, <uint16_t *> target)
    else:
        copied = we_ascii_run_to_ucs4(text.run.simd, text.source, text.prefix, <uint32_t *> target)
    memset(<uint8_t *> target + (copied << kind), 0, (text.prefix - copied) << kind)


cdef inline int new_string(Text *text, uint32_t max_code_point, size_t capacity) except -1:
    """Allocate an empty string for code points up to ``max_code_point``."""
    text.string = PyUnicode_New(<Py_ssize_t> capacity, max_code_point)
    text.kind = kind_of(max_code_point)
    text.capacity = capacity
    text.run.target = string_data(text.string)
    text.run.max_code_point = max_code_point
    we_advise_huge_pages(text.run.target, (capacity + 1) << text.kind, HUGE_PAGES_FROM)  # with the terminating zero
    return 0


cdef inline int move_to_string(Text *text, uint32_t max_code_point, size_t capacity) except -1:
    """Move the output so far to a new string for code points up to ``max_code_point``."""
    cdef PyObject *string = text.string
    cdef int kind = text.kind
    cdef size_t before = text.run.written - text.staged
    text.string = NULL
    try:
        new_string(text, max_code_point, capacity)
        if string != NULL:
            copy_units(text.run.simd, string_data(string), kind, before, text.run.target, text.kind)
        elif text.prefix != 0:
            copy_prefix(text, text.run.target, text.kind)
            text.prefix = 0
    finally:
        Py_XDECREF(string)
    if text.staged != 0:
        copy_units(text.run.simd, text.stage, WE_UCS2, text.staged,
                   <uint8_t *> text.run.target + (before << text.kind), text.kind)
        text.staged = 0
    return 0


cdef inline int resize_string(Text *text, size_t capacity) except -1:
    """Change the capacity of the string, in place if the allocator can."""
    PyUnicode_Resize(&text.string, <Py_ssize_t> capacity)
    text.capacity = capacity
    text.run.target = string_data(text.string)
    return 0


cdef inline int narrow_to_contents(Text *text) except -1:
    """Narrow the string to the smallest kind for its contents.

    It may be too wide if the kind was guessed, or if another thread changed the source after the string was widened.
    """
    cdef const void *target = text.run.target
    cdef size_t length = text.run.written
    # A few code points, and the one for which the string was widened, usually prove the kind without a scan of the
    # whole.
    text.run.bits |= we_glance(target, length, text.kind)
    if text.witness < length:
        text.run.bits |= unit_at(<const uint8_t *> target, text.kind, text.witness)
    if bound_of(text.run.bits) < text.run.max_code_point:
        text.run.bits |= union_of(text.run.simd, target, text.kind, length)
    if bound_of(text.run.bits) < text.run.max_code_point:
        move_to_string(text, bound_of(text.run.bits), length)
    return 0


cdef inline str finish_string(Text *text):
    """Return the string and give up ownership of it. Inline, since a call takes 12 of a short chunk's 400 cycles."""
    if text.string == NULL:
        if text.run.written == 0:
            return ""
        move_to_string(text, bound_of(text.run.bits), text.run.written)
    elif bound_of(text.run.bits) < text.run.max_code_point:
        narrow_to_contents(text)
    if is_nearly_full(text.capacity, text.run.written):
        we_set_string_length(text.string, text.run.written)
    elif text.capacity != text.run.written:
        resize_string(text, text.run.written)
    string = <str> text.string
    Py_XDECREF(text.string)
    text.string = NULL
    return string


cdef inline int append_units(Text *text, const void *units, int kind, size_t length, uint32_t bound) except -1:
    """Append code points up to ``bound``, such as an error handler's replacement. Allocate the string if needed."""
    text.run.bits |= bound
    if text.string == NULL:
        move_to_string(text, bound_of(text.run.bits), grown_capacity(text.run.written, length))
    elif bound > text.run.max_code_point:
        move_to_string(text, bound, grown_capacity(text.run.written, length))
    elif text.capacity - text.run.written < length:
        resize_string(text, grown_capacity(text.run.written, length))
    copy_units(text.run.simd, units, kind, length,
               <uint8_t *> text.run.target + (text.run.written << text.kind), text.kind)
    text.run.written += length
    return 0


# --- Calls of a loop --------------------------------------------------------------------------------------------------


cdef inline double likely_length(
    Text *text, const uint8_t *rest, size_t remaining, size_t sample_length, size_t sample_written
) noexcept:
    """Estimate the number of code points in the rest of a source from the sample, the bytes decoded just before it.

    An ASCII byte gives one code point. The bytes that give none are taken to be proportional to the non-ASCII bytes.
    """
    cdef we_decode_run trial
    cdef uint32_t[GLANCE] target
    cdef size_t sampled, start = 0
    cdef double share
    if sample_length < GLANCE:
        # A wider code point ended the sample early, so the next bytes are decoded into a scratch buffer.
        trial = text.run
        trial.source = rest
        trial.source_length = min(remaining, <size_t> GLANCE)
        trial.read = trial.written = 0
        trial.target = target
        trial.max_code_point = 0x10FFFF
        trial.end_of_queue = False
        trial.error_mode = WE_REPLACE
        text.codec.decode[WE_UCS4](&trial)
        start = sample_length = trial.read
        sample_written = trial.written
    if not text.codec.is_ascii_compatible:
        return <double> remaining * <double> sample_written / <double> (sample_length + 1)
    sampled = we_non_ascii_count_ucs1(text.run.simd, rest + start - sample_length, sample_length)
    if sampled == 0 or sample_written >= sample_length:
        return <double> remaining
    share = non_ascii_share(text.run.simd, rest, WE_UCS1, remaining)
    share -= margin_of(share, remaining)
    return <double> remaining * (1 - share * <double> (sample_length - sample_written) / <double> sampled)


cdef inline we_result decode_sample(
    Text *text, const uint8_t *source, size_t length, bint end_of_queue, bint restartable, size_t *position
) except WE_RAISED:
    """Decode the next few bytes on the stage; if more follow, move them to a string of the kind that they need.

    A string is created this way, unless its kind is guessed, and widened. A large string that is ``restartable``, since
    all of it came from this source, is dropped instead of copied, and decoding restarts in a wider one.
    """
    cdef size_t remaining = length - position[0], written = text.run.written, before = text.staged, capacity
    cdef uint32_t previous = text.run.max_code_point if text.string != NULL else 0
    cdef uint32_t needed = previous
    cdef double likely
    cdef we_result result
    # In bounds: before is 0, or the units of the JOIN bytes before a chunk, since after an error there is a string.
    text.run.source = source + position[0]
    text.run.source_length = remaining if remaining <= STAGE else STAGE if remaining > CHEAP_CAPACITY else GLANCE
    text.run.source_length = min(text.run.source_length, most_offered(text, STAGE))
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
    text.run.bits |= union_of(text.run.simd, text.stage + before, WE_UCS2, text.staged - before)
    needed = max(needed, bound_of(text.run.bits))
    if result == WE_WIDEN:
        needed = 0x10FFFF
        text.witness = text.run.written
    if result == WE_MALFORMED or (result == WE_INPUT_EMPTY and text.run.source_length == remaining):
        if text.string == NULL:
            return result
        capacity = text.run.written
    else:
        capacity = most_units(text.codec, length - position[0])
        likely = <double> capacity
        if capacity > CHEAP_CAPACITY:
            likely = likely_length(text, source + position[0], length - position[0],
                                   text.run.read, text.staged - before)
        capacity = capacity_for(text.run.written, capacity, 1, likely)
    if restartable and text.string != NULL and result != WE_MALFORMED and text.capacity << text.kind >= LARGE:
        if result != WE_WIDEN:
            text.witness = written
            while text.witness < text.run.written - 1 and text.stage[text.witness - written] <= previous:
                text.witness += 1
        abandon_text(text)
        new_string(text, needed, capacity)
        text.run.state = text.initial_state
        text.run.error_count = text.initial_errors
        text.run.bits = 0
        text.run.written = text.staged = text.prefix = text.total_read = position[0] = 0
        return WE_WIDEN
    move_to_string(text, needed, capacity)
    return result


cdef inline we_result fill_string(
    Text *text, const uint8_t *source, size_t length, bint end_of_queue, size_t *position, size_t offered
) noexcept nogil:
    """Decode ``offered`` bytes from ``position``, which is advanced, into the string, or until it is full."""
    cdef size_t end = position[0] + offered
    cdef we_result result
    while True:
        # The loops do not check capacity: the bytes offered are limited so that the upper bound on their units fits.
        text.run.source = source + position[0]
        text.run.source_length = min(end - position[0], most_offered(text, text.capacity - text.run.written))
        text.run.read = 0
        text.run.end_of_queue = end_of_queue and position[0] + text.run.source_length == length
        result = text.codec.decode[text.kind](&text.run)
        position[0] += text.run.read
        text.total_read += text.run.read
        if result != WE_INPUT_EMPTY or text.run.source + text.run.source_length == source + end or (
            text.capacity - text.run.written < LEAST_CAPACITY
        ):
            return result


cdef inline bint decode_guessed(
    Text *text, const uint8_t *source, size_t length, bint end_of_queue, size_t *position
) except -1:
    """Decode directly into a string of the guessed kind, where that is faster; return whether the source is complete.

    If not, continue with `decode_until_error` from ``position``.
    """
    cdef size_t remaining = length - position[0]
    # Faster are the stage for short sources, a sample for long ones, and the ASCII probe for ASCII. For a guess of
    # Latin-1 the string is narrowed at the end instead, since probing each chunk takes longer.
    if text.string != NULL or not STAGE // 2 < remaining <= CHEAP_CAPACITY:
        return False
    if text.codec.is_ascii_compatible and text.guess != 0xFF and (
        text.guess == 0x7F or we_ascii_length(text.run.simd, source + position[0], remaining) == remaining
    ):
        return False
    if text.run.written == 0:
        # move_to_string would do the same, but takes 12 cycles more.
        new_string(text, text.guess, most_units(text.codec, remaining))
    else:
        move_to_string(text, max(text.guess, bound_of(text.run.bits)),
                       text.run.written + most_units(text.codec, remaining))
    if text.run.error_mode:
        return False
    text.run.source = source + position[0]
    text.run.source_length = remaining
    text.run.read = 0
    text.run.end_of_queue = end_of_queue
    cdef we_result result = text.codec.decode[text.kind](&text.run)
    position[0] += text.run.read
    text.total_read += text.run.read
    return result == WE_INPUT_EMPTY


cdef inline we_result decode_until_error(
    Text *text, const uint8_t *source, size_t length, bint end_of_queue, size_t *position
) except WE_RAISED:
    """Decode from ``position``, which is advanced.

    Return WE_INPUT_EMPTY at the end of the source, of which at most an incomplete sequence is left, or WE_MALFORMED at
    an error, which the run describes. Raise what signal handlers raise.
    """
    cdef size_t remaining = length - position[0], capacity, probe, start, offered
    cdef bint after_error = text.errors != 0  # then the previous call returned an error
    cdef bint restartable = position[0] == 0 and text.run.written == 0 and not after_error
    cdef we_result result
    text.initial_state = text.run.state
    text.initial_errors = text.run.error_count
    if after_error and text.string == NULL:
        # The stage has capacity for one sample only.
        move_to_string(text, bound_of(text.run.bits), grown_capacity(text.run.written, 0))
    if text.string == NULL and remaining > JOIN and text.codec.is_ascii_compatible and (
        position[0] == 0 and text.run.written == 0
    ):
        probe = min(length, <size_t> ASCII_PROBE)
        text.source = source
        text.prefix = we_ascii_length(text.run.simd, source, probe)
        text.run.written = text.total_read = position[0] = text.prefix
        if text.prefix == probe:
            move_to_string(text, 0x7F, length)
    cdef bint sample = text.string == NULL
    while position[0] < length:
        remaining = length - position[0]
        if sample:
            result = decode_sample(text, source, length, end_of_queue, restartable, position)
            sample = False
        else:
            capacity = text.capacity - text.run.written
            if capacity < most_written(text, remaining) and capacity < LEAST_CAPACITY:
                resize_string(text, capacity_for(text.run.written, most_written(text, remaining), 1,
                                                 likely_rest(text.run.written, text.total_read, remaining)))
                continue
            start = position[0]
            offered = offer(remaining, after_error)
            # Small reads accumulate before the GIL is released: after a release, taking it back may take milliseconds,
            # which must not happen for each error.
            if text.held + offered <= GIL_LIMIT:
                result = fill_string(text, source, length, end_of_queue, position, offered)
                text.held += position[0] - start
            else:
                with nogil:
                    result = fill_string(text, source, length, end_of_queue, position, offered)
                text.held = 0
            after_error = False
            sample = result == WE_WIDEN
        if result == WE_MALFORMED:
            text.errors += 1
            if text.errors % ERRORS_BETWEEN_CHECKS == 0:
                PyErr_CheckSignals()
            return result
        if result == WE_INPUT_EMPTY and text.run.source + text.run.source_length == source + length:
            break
        PyErr_CheckSignals()
    return WE_INPUT_EMPTY


# --- Errors -----------------------------------------------------------------------------------------------------------


cdef inline object decode_error(Text *text, bytes data, size_t end, str name, object previous=None):
    """Return the UnicodeDecodeError for the error that the run reports and that ends at ``end`` of ``data``.

    ``previous``, the exception of an earlier error in the same data, is reused if no handler has kept it.
    """
    cdef size_t start = end - text.run.error_length
    cdef we_decode_run again
    cdef uint32_t[MAX_PENDING + 1] target
    reason = "malformed byte sequence"
    if name == "replacement":
        reason = "the replacement encoding decodes no input"
    elif end == <size_t> PyBytes_GET_SIZE(data) and text.run.error_length <= MAX_PENDING:
        # Decode the sequence alone, as if more followed: if no byte is read, it is an incomplete sequence.
        again = text.run
        again.source = (<const uint8_t *> PyBytes_AS_STRING(data)) + start
        again.source_length = text.run.error_length
        again.read = again.written = 0
        again.target = target
        again.max_code_point = 0x10FFFF
        again.end_of_queue = False
        again.error_mode = WE_STOP
        if text.codec.decode[WE_UCS4](&again) == WE_INPUT_EMPTY and again.read == 0:
            reason = "incomplete byte sequence at the end"
    if previous is not None and we_reuse_error(previous, name, data, start, end, reason):
        return previous
    return UnicodeDecodeError(name, data, start, end, reason)


cdef inline object malformed_error(const we_decoder *decoder, bytes data, size_t end, str name):
    """Return the UnicodeDecodeError for the error that the engine's decoder reports and that ends at ``end``."""
    cdef Text text
    begin_text(&text, decoder.engine.simd, decoder.codec, WE_STOP)
    text.run.state = decoder.state
    text.run.error_length = decoder.error_length
    return decode_error(&text, data, end, name)


cdef inline size_t call_decode_handler(Text *text, object handler, object error, size_t length) except? 0:
    """Append what a handler returns for an error; return the position at which to continue."""
    cdef size_t position
    try:
        answer = handler(error)
    except UnicodeDecodeError as raised:
        if raised is error:
            update_args(error)
        raise
    replacement = replacement_in(answer, length, &position)
    if not isinstance(replacement, str):
        kind = type(replacement).__name__
        raise TypeError(f"a decoding error handler must return a tuple of str and int, not of {kind}")
    append_units(text, PyUnicode_DATA(replacement), kind_of_string(<str> replacement),
                 <size_t> PyUnicode_GET_LENGTH(replacement), bound_of(PyUnicode_MAX_CHAR_VALUE(replacement)))
    return position


# --- Whole inputs -----------------------------------------------------------------------------------------------------


cdef inline str decode_short(int simd, const we_codec *codec, Source *source, int error_mode):
    """Decode at most SHORT bytes by one call of the loop; return None at an error or a code point above U+FFFF."""
    cdef we_decode_run run
    cdef uint16_t[SHORT + UNION_BLOCK] stage  # in bounds: a byte gives at most one unit, and zeros follow
    cdef PyObject *string
    cdef uint32_t bound = 0xFFFF
    cdef size_t widened = 0  # position of the first code point above U+00FF, if the first loop stopped there
    # Whether the source does not change meanwhile, and bytes of ASCII are the only ones that give ASCII.
    cdef bint tells_ascii = codec.is_ascii_compatible and not source.is_view
    if tells_ascii and we_ascii_length(simd, source.bytes, source.length) == source.length:
        string = PyUnicode_New(<Py_ssize_t> source.length, 0x7F)
        memcpy(string_data(string), source.bytes, source.length)
        result = <str> string
        Py_XDECREF(string)
        return result
    # Most texts that begin with ASCII are Latin-1 as a whole. For the others the loop stops early and is called again.
    cdef int kind = WE_UCS1 if source.length != 0 and source.bytes[0] < 0x80 else WE_UCS2
    run.source = source.bytes
    run.source_length = source.length
    run.target = stage
    run.bits = 0
    run.end_of_queue = True
    run.error_mode = error_mode
    run.simd = simd
    run.error_length = 0
    run.tables = codec.tables
    while True:
        run.read = run.written = 0
        run.max_code_point = 0xFF if kind == WE_UCS1 else 0xFFFF
        run.error_count = 0
        memset(&run.state, 0, sizeof(we_decoder_state))
        if codec.decode[kind](&run) == WE_INPUT_EMPTY:
            break
        if kind == WE_UCS2:
            return None
        kind = WE_UCS2
        widened = run.written
    if run.written == 0:
        return ""
    if kind == WE_UCS1 and tells_ascii:
        bound = 0xFF
    elif kind == WE_UCS1 or widened >= run.written or stage[widened] <= 0xFF:
        # Zeros fill the last block, since union_of takes longer for a rest than for a block.
        memset(<uint8_t *> stage + (run.written << kind), 0, UNION_BLOCK * sizeof(uint16_t))
        bound = bound_of(union_of(simd, stage, kind, (run.written + UNION_BLOCK - 1) & ~<size_t> (UNION_BLOCK - 1)))
    string = PyUnicode_New(<Py_ssize_t> run.written, bound)
    copy_units(simd, stage, kind, run.written, string_data(string), kind_of(bound))
    result = <str> string
    Py_XDECREF(string)
    return result


cdef inline str decode_to_string(int simd, const we_codec *codec, str name, object data, Policy policy, object handler):
    """Return the text of ``data``, decoded to end-of-queue."""
    cdef Source source
    cdef Text text
    cdef size_t position = 0
    cdef object error = None
    open_source(data, &source)
    text.string = NULL
    try:
        if source.length <= SHORT:
            short = decode_short(simd, codec, &source, WE_REPLACE if policy == REPLACEMENT else WE_STOP)
            if short is not None:
                return short
        begin_text(&text, simd, codec, mode_of(policy))
        while decode_until_error(&text, source.bytes, source.length, True, &position) == WE_MALFORMED:
            data = bytes_of(data, &source)  # once, for all errors; the source stays open
            error = decode_error(&text, data, position, name, error)
            if policy != HANDLER:
                raise error
            position = call_decode_handler(&text, handler, error, source.length)
        return finish_string(&text)
    finally:
        abandon_text(&text)
        close_source(&source)


cdef inline we_result decode_slice_to_utf8(
    we_decoder *decoder, Bytes *output, Source *source, size_t *position
) noexcept nogil:
    """Decode a slice of the source with the engine, or until its output is full."""
    cdef we_decode_buffers buffers
    cdef size_t end = position[0] + offer(source.length - position[0], False)
    cdef we_result result
    buffers.source = source.bytes
    buffers.source_length = end
    buffers.read = position[0]
    buffers.target = output.target
    buffers.capacity = output.capacity
    buffers.written = output.written
    buffers.max_code_point = 0x10FFFF
    buffers.bits = 0
    buffers.last = end == source.length
    result = we_decode(decoder, WE_UTF8, &buffers)
    position[0] = buffers.read
    output.written = buffers.written
    return result


cdef inline bytes decode_to_utf8(const we_engine *engine, const we_codec *codec, str name, object data, Policy policy):
    """Return the text of ``data`` as UTF-8."""
    cdef Source source
    cdef Bytes output
    cdef we_decoder decoder
    cdef size_t position = 0
    cdef we_result result
    open_source(data, &source)
    begin_bytes(&output)
    we_decoder_init(&decoder, engine, codec, WE_FATAL if policy == FATAL else 0)
    try:
        if STAGE // WE_UTF8_PER_BYTE < source.length <= CHEAP_CAPACITY // WE_UTF8_PER_BYTE:
            resize_bytes(&output, source.length * WE_UTF8_PER_BYTE)
        while True:
            if source.length <= GIL_LIMIT:
                result = decode_slice_to_utf8(&decoder, &output, &source, &position)
            else:
                with nogil:
                    result = decode_slice_to_utf8(&decoder, &output, &source, &position)
            if result == WE_INPUT_EMPTY and position == source.length:
                return finish_bytes(&output)
            if result == WE_OUTPUT_FULL:
                # LEAST_CAPACITY units more guarantee that the engine's next call makes progress.
                resize_bytes(&output, LEAST_CAPACITY * WE_UTF8_PER_BYTE + capacity_for(
                    output.written, source.length - position + decoder.pending_length, WE_UTF8_PER_BYTE,
                    likely_rest(output.written, position, source.length - position)))
            elif result == WE_MALFORMED:
                raise malformed_error(&decoder, bytes_of(data, &source), position - decoder.read_after, name)
            PyErr_CheckSignals()
    finally:
        abandon_bytes(&output)
        close_source(&source)


cdef inline we_result discard_slice(
    we_decoder *decoder, we_decode_buffers *buffers, const uint8_t *source, size_t length
) noexcept nogil:
    """Decode the next SLICE bytes of the source, or until an error, and discard the text."""
    cdef uint32_t[STAGE] units
    cdef size_t end = min(length, buffers.read + SLICE)
    cdef we_result result = WE_INPUT_EMPTY
    cdef int kind = WE_UCS2
    buffers.source = source
    buffers.target = units
    buffers.capacity = STAGE
    while result != WE_MALFORMED and (buffers.read < end or result != WE_INPUT_EMPTY):
        # Each byte, pending ones included, gives at most one unit.
        buffers.source_length = min(end, buffers.read + STAGE - WE_MAX_PENDING)
        buffers.written = 0
        buffers.max_code_point = 0xFFFF if kind == WE_UCS2 else 0x10FFFF
        buffers.last = buffers.source_length == length
        result = we_decode(decoder, kind, buffers)
        kind = WE_UCS4 if result == WE_WIDEN else WE_UCS2
    return result


cdef inline size_t count_valid(const we_engine *engine, const we_codec *codec, object data) except? 0:
    """Return the number of bytes of ``data`` before the first error."""
    cdef Source source
    cdef we_decoder decoder
    cdef we_decode_buffers buffers
    cdef we_result result
    cdef size_t position = 0
    open_source(data, &source)
    try:
        if source.length <= GIL_LIMIT:
            return we_valid_up_to(engine, codec, source.bytes, source.length)
        if source.length <= SLICE:
            with nogil:
                position = we_valid_up_to(engine, codec, source.bytes, source.length)
            return position
        # In slices, between which signals are handled.
        we_decoder_init(&decoder, engine, codec, WE_FATAL)
        buffers.read = buffers.bits = 0
        while buffers.read < source.length:
            with nogil:
                result = discard_slice(&decoder, &buffers, source.bytes, source.length)
            if result == WE_MALFORMED:
                return buffers.read - decoder.read_after - decoder.error_length
            PyErr_CheckSignals()
        return source.length
    finally:
        close_source(&source)
