# Part of core.pyx. Decode bytes to a string in its smallest kind or to UTF-8, or find the position of the first error.
#
# All of it calls the engine (src/native/engine/decode.h), which keeps pending bytes and state, a slice at a time. A
# string is chosen by text that is already decoded: a block on the stack gives its kind and an estimate of its size, the
# rest is decoded into it, and where a code point does not fit, another block follows and the string is replaced by a
# wider one.
#
# `decode_until_error` decodes to the end of a source or an error; `decode_text` handles errors; `decode_to_string` and
# `Decoder` call it. `decode_short` does without the engine and without UCS-2 for Latin-1: through `decode_block` chunks
# of 4 KiB would take 1.3 to 1.9 times as long, and inputs of a few bytes 20 ns more.


cdef enum:
    # Upper bound on the bytes of a source that is decoded on the stack as a whole, to a string of exactly its size.
    BLOCK = 4096
    # Bytes from which a source of expected UCS-2 is decoded into the string, and the rest of one where UCS-2 is found.
    DIRECT = 256
    DIRECT_REST = 2048
    # Bytes of a longer source that are decoded on the stack.
    FIRST_BLOCK = 256
    # Bytes that are decoded to UCS-4 on the stack, from a code point above U+FFFF on.
    WIDE_BLOCK = 64
    # Units to a multiple of which a block is filled with zeros, since `we_or_units` takes longer for a rest.
    UNION_BLOCK = 64
    # Size in bytes from which a string is not copied to widen it: its source is decoded again, which limits peak
    # memory.
    LARGE = 4194304


# --- A string that is being decoded -----------------------------------------------------------------------------------


cdef struct Text:
    we_decoder decoder
    we_decoder initial         # to decode again
    we_buffers buffers  # the target is the string
    PyObject *string           # null until a block is decoded
    int kind                   # of the string
    const Source *source
    bint last                  # end-of-queue follows the source
    bint restartable           # all of the string is from the source, decoded from `initial`
    bint restarted
    size_t unreleased          # bytes read since the GIL was last released
    size_t errors              # number of errors returned to the caller
    size_t offset              # of the source's first byte in its file, for records of errors
    int expected               # the kind of the texts before this one, which it is likely to have as well


cdef inline int begin_text(Text *text, Encoding encoding, int error_mode, const Source *source, bint last) except -1:
    """Prepare to decode a source with `decode_text`. The caller may set the decoder's state and pending bytes then."""
    we_decoder_init(&text.decoder, &ENGINE, codec_of(encoding), 0)
    text.decoder.error_mode = <uint8_t> error_mode
    text.source = source
    text.last = last
    text.offset = 0
    text.expected = WE_UCS1
    return 0


cdef inline void abandon_text(Text *text) noexcept:
    Py_XDECREF(text.string)
    text.string = NULL


cdef inline int reserve_text(Text *text, uint32_t bound, size_t capacity) except -1:
    """Make the string one for code points up to ``bound`` that has a capacity, which its contents must not exceed."""
    cdef PyObject *wider
    if text.string != NULL and bound <= text.buffers.max_code_point:
        PyUnicode_Resize(&text.string, <Py_ssize_t> capacity)  # in place if the allocator can
    else:
        wider = PyUnicode_New(<Py_ssize_t> capacity, bound)
        if text.string != NULL:
            we_copy_units(ENGINE.simd, text.kind, text.buffers.target, text.buffers.written,
                          kind_of(bound), string_data(wider))
            Py_XDECREF(text.string)
        text.string = wider
        text.kind = kind_of(bound)
        text.buffers.max_code_point = bound
    text.buffers.capacity = capacity
    text.buffers.target = string_data(text.string)
    we_advise_huge_pages(text.buffers.target, (capacity + 1) << text.kind, HUGE_PAGES_FROM)  # with the final zero
    return 0


cdef inline int restart_text(Text *text, uint32_t bound, size_t capacity) except -1:
    """Drop the string, and decode the source again to one for code points up to ``bound``, instead of copying it."""
    abandon_text(text)
    text.decoder = text.initial
    text.buffers.read = text.buffers.written = text.errors = 0
    text.restarted = True
    return reserve_text(text, bound, capacity)


cdef inline bint is_restartable(Text *text, uint32_t bound) noexcept:
    """Return whether a string that is too narrow for ``bound`` is so large that it is not to be copied."""
    return text.restartable and text.string != NULL and text.buffers.capacity << text.kind >= LARGE and (
        bound > text.buffers.max_code_point
    )


cdef inline void put_units(Text *text, const void *units, int kind, size_t length) noexcept:
    """Append units to the string, which has the kind and the capacity for them."""
    we_copy_units(ENGINE.simd, kind, units, length, text.kind,
                  <uint8_t *> text.buffers.target + (text.buffers.written << text.kind))
    text.buffers.written += length


cdef inline size_t text_capacity(Text *text, size_t written, size_t start, size_t start_written) except? 0:
    """Return the capacity for the output so far and the rest of the source.

    ``written`` units are decoded, of which the bytes from ``start`` on have given all after ``start_written``.
    """
    cdef size_t position = text.buffers.read, remaining = text.source.length - position
    cdef size_t most = we_decoder_max_units(&text.decoder, remaining)
    cdef double likely = <double> most
    if most > CHEAP_CAPACITY:
        likely = likely_rest(
            ENGINE.simd, text.decoder.codec.is_ascii_compatible, text.source.bytes, WE_UCS1, position,
            position - start, written - start_written, remaining, 1
        )
    return capacity_for(written, most, 1, likely)


cdef inline str own_string(PyObject *string, size_t capacity, size_t length):
    """Take over a string that is decoded and return it in its length."""
    try:
        if is_nearly_full(capacity, length):
            we_set_string_length(string, length)
        elif capacity != length:
            PyUnicode_Resize(&string, <Py_ssize_t> length)
        return <str> string
    finally:
        Py_XDECREF(string)


cdef inline str finish_text(Text *text):
    """Return the string and give up ownership of it."""
    cdef PyObject *string
    cdef size_t written = text.buffers.written
    if text.restarted and text.source.is_view and bound_of(
        we_or_units(ENGINE.simd, text.kind, text.buffers.target, written)
    ) < text.buffers.max_code_point:
        # Another thread has changed the source since the text that needed this kind was decoded.
        return PyUnicode_FromKindAndData(1 << text.kind, text.buffers.target, <Py_ssize_t> written)
    string = text.string
    text.string = NULL
    return own_string(string, text.buffers.capacity, written)


cdef inline int kind_of_end(str text) noexcept:
    """Return WE_UCS2 if the last DIRECT units of a text need it, else WE_UCS1."""
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text), count = min(length, <size_t> DIRECT)
    if kind_of_string(text) != WE_UCS2:
        return WE_UCS1
    return kind_of(we_or_units(ENGINE.simd, WE_UCS2, <uint16_t *> PyUnicode_DATA(text) + length - count, count))


# --- Calls of the engine ----------------------------------------------------------------------------------------------


cdef inline we_result decode_slice(
    we_decoder *decoder, int kind, we_buffers *buffers, size_t length, bint last, size_t offered, size_t *unreleased
) noexcept:
    """Decode ``offered`` bytes of a source of ``length`` bytes, or until an error or until the target is full.

    ``unreleased`` is the number of bytes read since the GIL was last released (see encode_slice).
    """
    cdef size_t start = buffers.read
    cdef we_result result
    buffers.source_length = start + offered
    buffers.last = last and buffers.source_length == length
    if unreleased[0] + offered <= GIL_LIMIT:
        result = we_decode(decoder, kind, buffers)
        unreleased[0] += buffers.read - start
    else:
        with nogil:
            result = we_decode(decoder, kind, buffers)
        unreleased[0] = 0
    return result


cdef inline we_result decode_block(Text *text) except WE_RAISED:
    """Decode the next few bytes on the stack, and append them to the string, made as wide as they need.

    A large string is dropped instead of copied: decoding restarts in a wider one.
    """
    cdef uint16_t[BLOCK + WE_MAX_PENDING + UNION_BLOCK] units
    cdef uint32_t[WIDE_BLOCK + WE_MAX_PENDING] wide_units
    cdef we_buffers block = text.buffers
    cdef size_t start = block.read, remaining = text.source.length - start, length = 0, wide_length = 0, capacity
    cdef uint32_t bits = 0, bound
    cdef we_result result = WE_WIDEN
    if text.kind == WE_UCS1:
        block.target = units
        block.capacity = BLOCK + WE_MAX_PENDING
        block.written = 0
        block.max_code_point = 0xFFFF
        result = decode_slice(&text.decoder, WE_UCS2, &block, text.source.length, text.last,
                              remaining if remaining <= BLOCK else FIRST_BLOCK, &text.unreleased)
        length = block.written
        # In bounds: the array has UNION_BLOCK units more than the capacity.
        memset(units + length, 0, UNION_BLOCK * sizeof(uint16_t))
        bits = we_or_units(ENGINE.simd, WE_UCS2, units, (length + UNION_BLOCK - 1) & ~<size_t> (UNION_BLOCK - 1))
    if result == WE_WIDEN:
        # A string is widened for what is in a block, not for what a loop has seen: another thread may change it.
        block.target = wide_units
        block.capacity = WIDE_BLOCK + WE_MAX_PENDING
        block.written = 0
        block.max_code_point = 0x10FFFF
        result = decode_slice(&text.decoder, WE_UCS4, &block, text.source.length, text.last,
                              min(text.source.length - block.read, <size_t> WIDE_BLOCK), &text.unreleased)
        wide_length = block.written
        bits |= we_or_units(ENGINE.simd, WE_UCS4, wide_units, wide_length)
    text.buffers.read = block.read
    capacity = text.buffers.written + length + wide_length
    if result != WE_MALFORMED and block.read != text.source.length:
        capacity = text_capacity(text, capacity, start, text.buffers.written)
    bound = bound_of(bits)
    if text.string != NULL:
        bound = max(bound, text.buffers.max_code_point)
    if result != WE_MALFORMED and is_restartable(text, bound):
        restart_text(text, bound, capacity)
        return WE_INPUT_EMPTY
    reserve_text(text, bound, capacity)
    put_units(text, units, WE_UCS2, length)
    put_units(text, wide_units, WE_UCS4, wide_length)
    # With an error mode that writes more than a unit for a byte, the block may have been full.
    return WE_INPUT_EMPTY if result == WE_OUTPUT_FULL else result


cdef inline we_result decode_until_error(Text *text) except WE_RAISED:
    """Decode from where the buffers stand.

    Return WE_INPUT_EMPTY at the end of the source, or WE_MALFORMED at an error, which the decoder describes. Raise what
    signal handlers raise.
    """
    cdef we_buffers *buffers = &text.buffers
    cdef size_t length = text.source.length
    cdef bint after_error = text.errors != 0  # then the previous call returned an error
    cdef bint needs_block = text.string == NULL
    cdef we_result result
    if needs_block and length > BLOCK and text.decoder.codec.is_ascii_compatible and buffers.read == 0 and (
        text.decoder.pending_length == 0
        and we_ascii_length(ENGINE.simd, text.source.bytes, BLOCK) == BLOCK
    ):
        # Most texts that begin with so much ASCII are ASCII as a whole.
        reserve_text(text, 0x7F, length)
        needs_block = False
    if length >= LARGE // 4:
        text.initial = text.decoder
    text.restartable = text.restartable and buffers.read == 0 and not after_error
    while True:
        if needs_block:
            result = decode_block(text)
        else:
            result = decode_slice(&text.decoder, text.kind, buffers, length, text.last,
                                  offer(length - buffers.read, after_error), &text.unreleased)
        after_error = False
        needs_block = result == WE_WIDEN
        if result == WE_MALFORMED:
            text.errors += 1
            if text.errors % ERRORS_BETWEEN_CHECKS == 0:
                PyErr_CheckSignals()
            return result
        if result == WE_OUTPUT_FULL:
            reserve_text(text, 0, text_capacity(text, buffers.written, 0, 0)
                         + we_decoder_max_units(&text.decoder, WE_LEAST_DECODED))
        elif result == WE_INPUT_EMPTY and buffers.read == length:
            return result
        PyErr_CheckSignals()


# --- Errors -----------------------------------------------------------------------------------------------------------


cdef inline str error_reason(const we_decoder *decoder, str name):
    """Return the reason of the error that a decoder has returned."""
    if name == "replacement":
        return "the replacement encoding decodes no input"
    return "incomplete byte sequence at the end" if decoder.error_is_incomplete else "malformed byte sequence"


cdef inline int record_error(Text *text, bytes pending, str name, list log) except -1:
    """Append U+FFFD to the string for an error, and append to the log what `record_errors` documents.

    ``pending`` are the decoder's bytes before the source.
    """
    cdef we_buffers *buffers = &text.buffers
    cdef size_t before = len(pending), end = before + buffers.read - text.decoder.read_after
    cdef size_t start = end - text.decoder.error_length
    cdef uint16_t replacement = 0xFFFD
    cdef bytes malformed
    if is_restartable(text, replacement):
        return restart_text(text, replacement, text_capacity(text, buffers.written, 0, 0))
    # In bounds: the decoder has read these bytes.
    if start >= before:
        malformed = PyBytes_FromStringAndSize(<char *> text.source.bytes + start - before, <Py_ssize_t> (end - start))
    else:
        malformed = pending + PyBytes_FromStringAndSize(<char *> text.source.bytes, <Py_ssize_t> buffers.read)
        malformed = malformed[start:end]
    log.append((<Py_ssize_t> (text.offset + start) - <Py_ssize_t> before, buffers.written, malformed,
                error_reason(&text.decoder, name)))
    if buffers.max_code_point < replacement or buffers.capacity == buffers.written:
        reserve_text(text, max(<uint32_t> 0xFFFF, buffers.max_code_point), grown_capacity(buffers.written, 1))
    put_units(text, &replacement, WE_UCS2, 1)
    text.decoder.error_count += 1
    return 0


cdef inline object decode_error(const we_decoder *decoder, bytes data, size_t read, str name, object previous=None):
    """Return the UnicodeDecodeError for the error that a decoder has returned after ``read`` bytes of ``data``.

    ``previous``, the exception of an earlier error in the same data, is reused if no handler has kept it.
    """
    cdef size_t end = read - decoder.read_after, start = end - decoder.error_length
    cdef str reason = error_reason(decoder, name)
    if previous is not None and we_reuse_error(previous, name, data, start, end, reason):
        return previous
    return UnicodeDecodeError(name, data, start, end, reason)


cdef inline bytes call_decode_handler(Text *text, object handler, object error, size_t *next):
    """Append what a handler returns for an error; set the position at which to continue.

    Return the bytes to continue in: the same, or those that the handler has set as the exception's ``object``, as
    CPython's decoders do.
    """
    cdef size_t length
    cdef bytes changed
    try:
        answer = handler(error)
    except UnicodeDecodeError as raised:
        if raised is error:
            update_args(error)
        raise
    if not isinstance(error.object, bytes):
        raise TypeError("the object attribute of the exception must be bytes")
    changed = error.object if type(error.object) is bytes else bytes(error.object)
    replacement = replacement_in(answer, <size_t> PyBytes_GET_SIZE(changed), next)
    if not isinstance(replacement, str):
        kind = type(replacement).__name__
        raise TypeError(f"a decoding error handler must return a tuple of str and int, not of {kind}")
    length = <size_t> PyUnicode_GET_LENGTH(replacement)
    bound = bound_of(PyUnicode_MAX_CHAR_VALUE(replacement))
    if bound > text.buffers.max_code_point or text.buffers.capacity - text.buffers.written < length:
        reserve_text(text, max(bound, text.buffers.max_code_point), grown_capacity(text.buffers.written, length))
    put_units(text, PyUnicode_DATA(replacement), kind_of_string(<str> replacement), length)
    return changed


cdef inline str decode_ascii(const we_codec *codec, const Source *source):
    """Decode at most BLOCK bytes if all are ASCII; return None if they are not."""
    cdef PyObject *string
    cdef bint is_ascii
    if not codec.is_ascii_compatible or source.length > BLOCK or (
        we_ascii_length(ENGINE.simd, source.bytes, source.length) != source.length
    ):
        return None
    string = PyUnicode_New(<Py_ssize_t> source.length, 0x7F)
    memcpy(string_data(string), source.bytes, source.length)
    # Another thread or process may have changed the source meanwhile, but for that of bytes.
    is_ascii = not source.is_view or (
        we_ascii_length(ENGINE.simd, <uint8_t *> string_data(string), source.length) == source.length
    )
    text = <str> string if is_ascii else None
    Py_XDECREF(string)
    return text


cdef inline str decode_short(we_decoder *decoder, const Source *source, bint last, int expected):
    """Decode at most BLOCK bytes, without pending ones, without the engine; return None at an error.

    It is done on the stack, or in the string from where UCS-2 is expected or found. Most texts that begin with ASCII
    are Latin-1 as a whole. The kind grows where a code point does not fit.
    """
    cdef int simd = ENGINE.simd
    cdef const we_codec *codec = decoder.codec
    cdef we_decode_run run
    # In bounds: a byte gives at most one unit, and zeros follow the last.
    cdef uint8_t[BLOCK + UNION_BLOCK] ucs1
    cdef uint16_t[BLOCK + UNION_BLOCK] ucs2
    cdef uint32_t[BLOCK + UNION_BLOCK] ucs4
    cdef PyObject *string
    cdef PyObject *direct = NULL
    cdef void *narrower = NULL
    cdef int kind = WE_UCS1 if expected == WE_UCS1 and source.length != 0 and source.bytes[0] < 0x80 else WE_UCS2
    cdef uint32_t bound = 0
    cdef size_t rest, capacity = 0
    cdef size_t widened = 0  # position of the first code point that did not fit the kind before
    cdef we_result result
    we_decode_run_init(&run, codec, simd, decoder.error_mode, kind)
    run.source = source.bytes
    run.source_length = source.length
    run.end_of_queue = last
    run.state = decoder.state
    run.target = ucs1 if kind == WE_UCS1 else <void *> ucs2
    while True:
        rest = source.length - run.read
        if kind == WE_UCS2 and (rest >= DIRECT_REST if widened != 0 else rest >= DIRECT and expected == WE_UCS2):
            capacity = run.written + we_decoder_max_units(decoder, rest)
            direct = PyUnicode_New(<Py_ssize_t> capacity, 0xFFFF)
            run.target = string_data(direct)
        if widened != 0:
            we_copy_units(simd, kind - 1, narrower, widened, kind, run.target)
        result = codec.decode[kind](&run)
        if result != WE_WIDEN:
            break
        widened = run.written
        narrower = run.target
        kind += 1
        run.target = ucs2 if kind == WE_UCS2 else <void *> ucs4
        run.max_code_point = 0xFFFF if kind == WE_UCS2 else 0x10FFFF
    if result != WE_INPUT_EMPTY:
        Py_XDECREF(direct)
        return None
    decoder.state = run.state
    decoder.error_count += run.error_count
    decoder.pending_length = <uint8_t> (source.length - run.read)  # the start of a sequence
    if decoder.pending_length != 0:
        memcpy(decoder.pending, source.bytes + run.read, decoder.pending_length)
    if run.written <= 1 and direct == NULL:
        return PyUnicode_FromOrdinal(<int> we_unit_get(run.target, kind, 0)) if run.written else ""
    if run.written == 0:
        Py_XDECREF(direct)
        return ""
    if widened < run.written:
        bound = bound_of(we_unit_get(run.target, kind, widened))
    if direct != NULL and kind == WE_UCS2 and (
        bound > 0xFF
        or we_or_units(simd, WE_UCS2, run.target, min(run.written, <size_t> DIRECT)) > 0xFF
        or we_or_units(simd, WE_UCS2, run.target, run.written) > 0xFF
    ):
        return own_string(direct, capacity, run.written)
    if direct != NULL and kind == WE_UCS2:
        memcpy(ucs2, run.target, run.written * sizeof(uint16_t))
        run.target = ucs2
    Py_XDECREF(direct)
    if bound < run.max_code_point:
        memset(<uint8_t *> run.target + (run.written << kind), 0, UNION_BLOCK << kind)
        bound = bound_of(
            we_or_units(simd, kind, run.target, (run.written + UNION_BLOCK - 1) & ~<size_t> (UNION_BLOCK - 1))
        )
    string = PyUnicode_New(<Py_ssize_t> run.written, bound)
    we_copy_units(simd, kind, run.target, run.written, kind_of(bound), string_data(string))
    text = <str> string
    Py_XDECREF(string)
    return text


cdef inline bint keep_surrogate(Text *text, str name) noexcept:
    """Return whether an error is two bytes of a surrogate in UTF-8 at the source's end, which are then made pending.

    "surrogatepass" and similar handlers replace them if they see the third byte, too.
    """
    cdef size_t start = text.buffers.read - text.decoder.read_after - 1
    cdef const uint8_t *source = text.source.bytes
    if name != "UTF-8" or start + 2 != text.source.length or source[start] != 0xED or (
        not 0xA0 <= source[start + 1] <= 0xBF
    ):
        return False
    memcpy(text.decoder.pending, source + start, 2)
    text.decoder.pending_length = 2
    return True


cdef inline str decode_text(
    Text *text, object data, bytes pending, str name, Policy policy, object handler, list log=None, size_t most=0
):
    """Return the text of a source, ``data``; handle errors as the policy says.

    ``pending`` are the decoder's bytes before the source, for the exception or the record; with a handler there are
    none. ``log``: the list to which at most ``most`` errors are appended with the policy RECORD.
    """
    if text.source.length <= BLOCK and text.decoder.pending_length == 0 and text.decoder.error_mode <= WE_IGNORE:
        short = decode_short(&text.decoder, text.source, text.last, text.expected)
        if short is not None:
            return short
    return finish_in_blocks(text, start_in_blocks(text), data, pending, name, policy, handler, log, most)


cdef inline we_result start_in_blocks(Text *text) except WE_RAISED:
    """Decode to the first error or to the end, for `finish_in_blocks` or `abandon_text`."""
    we_buffers_init(&text.buffers, text.source.bytes, 0, NULL, 0, False)
    text.string = NULL
    text.kind = WE_UCS1
    text.restartable = True
    text.restarted = False
    text.unreleased = text.errors = 0
    try:
        return decode_until_error(text)
    except BaseException:
        abandon_text(text)
        raise


cdef inline str finish_in_blocks(
    Text *text, we_result result, object data, bytes pending, str name, Policy policy, object handler, list log,
    size_t most
):
    """Return the text, of which ``result`` is what was decoded last, as `decode_text` does."""
    cdef object error = None
    cdef Source changed
    cdef bytes after
    try:
        while result == WE_MALFORMED:
            if policy == RECORD:
                record_error(text, pending, name, log)
                if <size_t> len(log) >= most:
                    text.decoder.error_mode = WE_REPLACE
                result = decode_until_error(text)
                continue
            if policy == HANDLER and not text.last and keep_surrogate(text, name):
                break
            data = bytes_of(data, text.source)  # once, for all errors; the source stays open
            if pending:
                data = pending + data
            error = decode_error(&text.decoder, data, text.buffers.read + len(pending), name, error)
            if policy != HANDLER:
                raise error
            after = call_decode_handler(text, handler, error, &text.buffers.read)
            text.decoder.pending_length = 0  # they are bytes of the source, which may be read again
            if after is not data:
                data = after  # and keeps them
                changed.is_view = False
                changed.bytes = <const uint8_t *> PyBytes_AS_STRING(after)
                changed.length = <size_t> PyBytes_GET_SIZE(after)
                text.source = &changed
                text.buffers.source = changed.bytes
            result = decode_until_error(text)
        return finish_text(text)
    finally:
        abandon_text(text)


# --- Whole inputs -----------------------------------------------------------------------------------------------------


cdef inline str decode_whole(Encoding encoding, const Source *source):
    """Return the text of at most BLOCK bytes without an error, else None: no policy matters to it."""
    cdef const we_codec *codec = codec_of(encoding)
    cdef we_decoder decoder
    text = decode_ascii(codec, source)
    if text is not None or source.length > BLOCK:
        return text
    we_decoder_init(&decoder, &ENGINE, codec, WE_FATAL)
    return decode_short(&decoder, source, True, WE_UCS1)


cdef inline str decode_source(Encoding encoding, object data, const Source *source, Policy policy, object handler):
    """Return the text of a source, ``data``, decoded to end-of-queue."""
    cdef Text text
    ascii = decode_ascii(codec_of(encoding), source)
    if ascii is not None:
        return ascii
    begin_text(&text, encoding, mode_of(policy), source, True)
    return decode_text(&text, data, b"", encoding.name, policy, handler)


cdef inline str decode_to_string(Encoding encoding, object data, Policy policy):
    """Return the text of ``data``, decoded to end-of-queue."""
    cdef Source source
    open_source(data, &source)
    try:
        return decode_source(encoding, data, &source, policy, None)
    finally:
        close_source(&source)


cdef inline bytes decode_to_utf8(Encoding encoding, object data, Policy policy, size_t *error_count=NULL):
    """Return the text of ``data`` as UTF-8; set the number of errors that were replaced."""
    cdef const we_codec *codec = codec_of(encoding)
    cdef Source source
    cdef Bytes output
    cdef we_decoder decoder
    cdef we_buffers buffers
    cdef size_t unreleased = 0
    cdef we_result result
    open_source(data, &source)
    begin_bytes(&output)
    we_decoder_init(&decoder, &ENGINE, codec, WE_FATAL if policy == FATAL else 0)
    we_buffers_init(&buffers, source.bytes, 0, NULL, 0, True)
    try:
        if STAGE // WE_UTF8_PER_BYTE < source.length <= CHEAP_CAPACITY // WE_UTF8_PER_BYTE:
            resize_bytes(&output, source.length * WE_UTF8_PER_BYTE)
        while True:
            buffers.target = output.target
            buffers.capacity = output.capacity
            buffers.written = output.written
            result = decode_slice(&decoder, WE_UTF8, &buffers, source.length, True,
                                  offer(source.length - buffers.read, False), &unreleased)
            output.written = buffers.written
            if result == WE_INPUT_EMPTY and buffers.read == source.length:
                if error_count != NULL:
                    error_count[0] = decoder.error_count
                return finish_bytes(&output)
            if result == WE_OUTPUT_FULL:
                resize_bytes(&output, we_decoder_max_utf8(&decoder, WE_LEAST_DECODED) + capacity_for(
                    output.written, we_decoder_max_units(&decoder, source.length - buffers.read), WE_UTF8_PER_BYTE,
                    likely_rest(ENGINE.simd, codec.is_ascii_compatible, source.bytes, WE_UCS1, buffers.read,
                                buffers.read, output.written, source.length - buffers.read,
                                1 if codec == we_utf_8_codec(&ENGINE) else 2)))
            elif result == WE_MALFORMED:
                raise decode_error(&decoder, bytes_of(data, &source), buffers.read, encoding.name)
            PyErr_CheckSignals()
    finally:
        abandon_bytes(&output)
        close_source(&source)


cdef inline size_t count_valid(Encoding encoding, object data) except? 0:
    """Return the number of bytes of ``data`` before the first error."""
    cdef const we_codec *codec = codec_of(encoding)
    cdef Source source
    cdef we_decoder decoder
    cdef we_buffers buffers
    cdef we_result result
    open_source(data, &source)
    try:
        if source.length <= GIL_LIMIT:
            return we_valid_up_to(&ENGINE, codec, source.bytes, source.length)
        # In slices, between which signals are handled.
        we_decoder_init(&decoder, &ENGINE, codec, WE_FATAL)
        we_buffers_init(&buffers, source.bytes, 0, NULL, 0, True)
        while buffers.read < source.length:
            buffers.source_length = min(source.length, buffers.read + SLICE)
            buffers.last = buffers.source_length == source.length
            with nogil:
                result = we_decode_and_discard(&decoder, &buffers)
            if result == WE_MALFORMED:
                return buffers.read - decoder.read_after - decoder.error_length
            PyErr_CheckSignals()
        return source.length
    finally:
        close_source(&source)
