# Part of core.pyx. Encode the units of a string to bytes, or count those bytes.
#
# The levels, from the lowest: the engine (src/native/engine/encode.h) encodes as much as fits and writes references;
# `encode_slice` calls it for a slice and releases the GIL; `encode_until_error` provides capacity and checks for
# signals; `encode_scalar_values` converts surrogates; `encode_text` handles errors.


cdef struct Output:
    we_encoder encoder
    Bytes bytes
    bint counts        # bytes are counted and then discarded
    size_t counted     # number of bytes discarded
    size_t total_read  # units read for the output so far
    size_t unreleased  # units read since the GIL was last released
    size_t errors      # number of errors returned to the caller


cdef struct Unmappable:
    # What could not be encoded: the units from start to end, which represent code_point.
    size_t start
    size_t end
    uint32_t code_point


cdef inline void begin_output(Output *output, const we_codec *codec, Policy policy) noexcept:
    we_encoder_init(&output.encoder, &ENGINE, codec, WE_FATAL)
    output.encoder.error_mode = <uint8_t> mode_of(policy)
    begin_bytes(&output.bytes)
    output.counts = False
    output.counted = output.total_read = output.unreleased = output.errors = 0


cdef inline int make_room(Output *output, const uint8_t *source, int kind, size_t position, size_t remaining) except -1:
    """Grow the output to what the rest of a text is likely to need, at least enough for the engine to make progress.

    Where bytes are counted, discard those so far instead.
    """
    cdef size_t per_unit = output.encoder.codec.encode_capacity[kind], capacity
    if output.counts:
        output.counted += output.bytes.written
        output.bytes.written = 0
        return 0
    capacity = capacity_for(output.bytes.written, remaining, per_unit, likely_rest(
        ENGINE.simd, True, source, kind, position, output.total_read, output.bytes.written, remaining,
        per_unit
    ))
    resize_bytes(&output.bytes, max(capacity, grown_capacity(output.bytes.written, 0))
                 + WE_ENCODE_SLACK + WE_MAX_REFERENCE + LEAST_CAPACITY * per_unit)
    return 0


cdef inline we_result encode_slice(
    Output *output, const uint8_t *source, int kind, size_t length, bint last, size_t *position, size_t offered
) noexcept:
    """Encode ``offered`` units from ``position``, which is advanced, or until an error or until the output is full.

    Small reads accumulate before the GIL is released: after a release, taking it back may take milliseconds, which must
    not happen for each error.
    """
    cdef we_buffers buffers
    cdef we_result result
    cdef size_t start = position[0], end = start + offered
    we_buffers_init(&buffers, source, end, output.bytes.target, output.bytes.capacity, last and end == length)
    buffers.read = start
    buffers.written = output.bytes.written
    if output.unreleased + offered <= GIL_LIMIT:
        result = we_encode(&output.encoder, kind, &buffers)
        output.unreleased += buffers.read - start
    else:
        with nogil:
            result = we_encode(&output.encoder, kind, &buffers)
        output.unreleased = 0
    output.total_read += buffers.read - start
    output.bytes.written = buffers.written
    position[0] = buffers.read
    return result


cdef inline we_result encode_until_error(
    Output *output, const uint8_t *source, int kind, size_t length, bint last, size_t *position
) except WE_RAISED:
    """Encode units from ``position``, which is advanced.

    Return WE_INPUT_EMPTY at the end, or WE_UNMAPPABLE for the unit before ``position``, which the encoder describes.
    Raise what signal handlers raise.
    """
    cdef size_t remaining = length - position[0], per_unit = output.encoder.codec.encode_capacity[kind]
    cdef bint after_error = output.errors != 0  # the previous call returned an error or encoded its replacement
    cdef we_result result
    if output.bytes.object == NULL and not output.counts and remaining <= CHEAP_CAPACITY and (
        STAGE < remaining * per_unit <= CHEAP_CAPACITY
    ):
        resize_bytes(&output.bytes, output.bytes.written + remaining * per_unit + WE_ENCODE_SLACK + WE_MAX_REFERENCE)
    while True:
        result = encode_slice(output, source, kind, length, last, position, offer(length - position[0], after_error))
        after_error = False
        if result == WE_UNMAPPABLE:
            output.errors += 1
            if output.errors % ERRORS_BETWEEN_CHECKS == 0:
                PyErr_CheckSignals()
            return result
        if result == WE_OUTPUT_FULL:
            make_room(output, source, kind, position[0], length - position[0])
        elif position[0] == length:
            return result
        PyErr_CheckSignals()


cdef inline bint is_pair(const uint8_t *source, int kind, size_t length, size_t position) noexcept nogil:
    """Return whether a pair of surrogates begins at ``position``, which is below ``length``."""
    return position + 1 < length and we_unit_get(source, kind, position) >> 10 == 0xD800 >> 10 and (
        we_unit_get(source, kind, position + 1) >> 10 == 0xDC00 >> 10
    )


cdef inline bint resolve_surrogate(
    Output *output, const uint8_t *source, int kind, size_t length, size_t *position, bint lone_is_error,
    Unmappable *error
) except -1:
    """Encode the scalar values for the surrogate before ``position`` and near ones after it, as in a USVString.

    Return whether one is an error. A pair is one scalar value, and a lone surrogate is U+FFFD. Surrogates come in
    groups, so what is between those that are near each other is encoded with them.
    https://webidl.spec.whatwg.org/#idl-USVString
    """
    cdef uint32_t[UNITS_WITH_SURROGATES] scalar_values
    cdef uint32_t unit
    cdef size_t start = position[0] - 1, end = start, count = 0, latest = 0, encoded = 0
    # In bounds: end < length, and count < UNITS_WITH_SURROGATES.
    while end < length and count < UNITS_WITH_SURROGATES and count - latest < UNITS_BETWEEN_SURROGATES:
        unit = we_unit_get(source, kind, end)
        if we_is_surrogate(unit):
            if is_pair(source, kind, length, end):
                unit = 0x10000 + ((unit & 0x3FF) << 10 | we_unit_get(source, kind, end + 1) & 0x3FF)
                end += 1
            elif not lone_is_error:
                unit = 0xFFFD
            elif count == 0:
                error.start, error.end = start, start + 1
                return True  # the encoder describes it
            else:
                break
            latest = count
        scalar_values[count] = unit
        count += 1
        end += 1
    position[0] = end
    if encode_until_error(output, <const uint8_t *> scalar_values, WE_UCS4, count, False, &encoded) != WE_UNMAPPABLE:
        return False
    for count in range(encoded - 1):
        start += 1 + is_pair(source, kind, length, start)
    error.start = start
    position[0] = error.end = start + 1 + is_pair(source, kind, length, start)
    error.code_point = output.encoder.code_point
    return True


cdef inline bint encode_scalar_values(
    Output *output, const uint8_t *source, int kind, size_t length, bint last, size_t *position, bint lone_is_error,
    Unmappable *error
) except -1:
    """Encode from ``position``, with surrogates converted to scalar values; return whether it stopped at an error."""
    while encode_until_error(output, source, kind, length, last, position) == WE_UNMAPPABLE:
        error.start = position[0] - 1
        error.end = position[0]
        error.code_point = output.encoder.code_point
        if not we_is_surrogate(error.code_point):
            return True
        if resolve_surrogate(output, source, kind, length, position, lone_is_error, error):
            return True
    return False


# --- Errors -----------------------------------------------------------------------------------------------------------


cdef inline str unmappable_reason(uint32_t code_point, str name):
    """Return ``U+XXXX is not in name``. To format it takes half as long as the call of a handler."""
    cdef size_t digits = 4 if code_point <= 0xFFFF else 5 if code_point <= 0xFFFFF else 6, i
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(name)  # names are ASCII
    cdef PyObject *string = PyUnicode_New(<Py_ssize_t> (2 + digits + 11 + length), 0x7F)
    cdef uint8_t *target = <uint8_t *> string_data(string)
    memcpy(target, b"U+", 2)
    for i in range(digits):
        target[2 + i] = b"0123456789ABCDEF"[code_point >> 4 * (digits - 1 - i) & 15]
    memcpy(target + 2 + digits, b" is not in ", 11)
    memcpy(target + 2 + digits + 11, PyUnicode_DATA(name), length)
    reason = <str> string
    Py_XDECREF(string)
    return reason


cdef inline object encode_error(str name, str text, Unmappable *error, object previous=None):
    """Return the UnicodeEncodeError for an error.

    ``previous``, the exception of an earlier error in the same text, is reused if no handler has kept it.
    """
    if we_is_surrogate(error.code_point):
        reason = "surrogates are not scalar values"
    else:
        reason = unmappable_reason(error.code_point, name)
        if error.code_point == 0xFFFD and ord(text[error.start]) != 0xFFFD:
            reason = f"U+{ord(text[error.start]):04X} is a control code that {name} does not encode"
    if previous is not None and we_reuse_error(previous, name, text, error.start, error.end, reason):
        return previous
    return UnicodeEncodeError(name, text, error.start, error.end, reason)


cdef inline void undo_escape(Output *output) noexcept:
    """Undo the escape sequence to ASCII that ISO-2022-JP's encoder has written before it returned an error.

    It ends the output then, and no other one does: a character follows each. An escape sequence that another one
    follows is an error to the standard's decoder.
    """
    cdef size_t written = output.bytes.written
    if output.encoder.codec == ENGINE.encodings[WE_POSITION_ISO_2022_JP].codec and written >= 3 and (
        output.bytes.target[written - 3] == WE_ESCAPE
        and <uint16_t> output.bytes.target[written - 2] << 8 | output.bytes.target[written - 1] == WE_ESCAPE_TO_ASCII
    ):
        output.bytes.written = written - 3
        output.encoder.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208


cdef inline size_t call_encode_handler(Output *output, object handler, object error, size_t length) except? 0:
    """Encode what a handler returns for an error; return the position at which to continue."""
    cdef size_t position, encoded = 0
    try:
        answer = handler(error)
    except UnicodeEncodeError as raised:
        if raised is error:
            update_args(error)
        raise
    replacement = replacement_in(answer, length, &position)
    if isinstance(replacement, str) or not replacement:
        undo_escape(output)  # characters write the one that they need
    if isinstance(replacement, bytes):
        append_bytes(&output.bytes, PyBytes_AS_STRING(replacement), <size_t> PyBytes_GET_SIZE(replacement))
    elif not isinstance(replacement, str):
        kind = type(replacement).__name__
        raise TypeError(f"an encoding error handler must return a tuple of str or bytes and int, not of {kind}")
    elif output.encoder.codec.is_ascii_compatible and PyUnicode_IS_ASCII(replacement):
        append_bytes(&output.bytes, PyUnicode_DATA(replacement), <size_t> PyUnicode_GET_LENGTH(replacement))
    elif encode_until_error(
        output, <const uint8_t *> PyUnicode_DATA(replacement), kind_of_string(<str> replacement),
        <size_t> PyUnicode_GET_LENGTH(replacement), False, &encoded
    ) == WE_UNMAPPABLE:
        update_args(error)
        raise error
    return position


cdef inline int encode_text(
    Output *output, str name, str text, size_t length, bint last, Policy policy, object handler
) except -1:
    """Encode the first ``length`` code points of ``text`` and handle errors as the policy says."""
    cdef const uint8_t *source = <const uint8_t *> PyUnicode_DATA(text)
    cdef int kind = kind_of_string(text)
    cdef size_t position = 0, escaped
    cdef uint8_t[WE_MAX_ESCAPE] escape
    cdef Unmappable unmappable
    cdef object error = None
    if policy == HTML or policy == FATAL:
        if encode_scalar_values(output, source, kind, length, last, &position, policy == FATAL, &unmappable):
            # The policy is FATAL: with HTML the engine writes references, for U+FFFD, too.
            raise encode_error(name, text, &unmappable)
        return 0
    while encode_until_error(output, source, kind, length, last, &position) == WE_UNMAPPABLE:
        if policy == BACKSLASH_REPLACE:
            # The engine leaves this to its caller where ISO-2022-JP must return to ASCII first. The escape is ASCII,
            # which every encoder encodes.
            escaped = 0
            encode_until_error(output, escape, WE_UCS1, we_put_escape(escape, we_unit_get(source, kind, position - 1)),
                               False, &escaped)
            continue
        unmappable.start = position - 1
        unmappable.end = position
        unmappable.code_point = output.encoder.code_point
        error = encode_error(name, text, &unmappable, error)
        if policy != HANDLER:
            raise error
        position = call_encode_handler(output, handler, error, length)
    return 0


# --- Whole texts ------------------------------------------------------------------------------------------------------


cdef inline bint encode_short(
    const we_codec *codec, str text, int error_mode, uint8_t *stack, size_t *written,
    we_encoder_state *state=NULL, bint last=True
) noexcept:
    """Encode a short text by one call of the loop: the fast path. Return False if it is too long or stops at an error.

    ``stack`` has a capacity of STAGE bytes. Modes above WE_QUESTION_MARK are the engine's. ``state``: that of an
    encoder, NULL for a whole text; it is unchanged if the result is False.
    """
    cdef we_encode_run run
    cdef int kind = kind_of_string(text)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text)
    if length > STAGE or length * codec.encode_capacity[kind] + WE_ENCODE_SLACK > STAGE:
        return False
    we_encode_run_init(&run, codec, ENGINE.simd, error_mode if error_mode <= WE_QUESTION_MARK else <int> WE_STOP)
    run.source = PyUnicode_DATA(text)
    run.source_length = length
    run.target = stack
    run.end_of_queue = last
    if state != NULL:
        run.state = state[0]
    if codec.encode[kind](&run) != WE_INPUT_EMPTY:
        return False
    if state != NULL:
        state[0] = run.state
    written[0] = run.written
    return True


cdef inline bytes copy_ascii(str text, size_t length):
    """Return the bytes of a long ASCII string, copied in slices, between which signals are handled."""
    cdef const uint8_t *source = <const uint8_t *> PyUnicode_DATA(text)
    cdef Bytes output
    cdef size_t piece
    begin_bytes(&output)
    try:
        resize_bytes(&output, length)
        while output.written < length:
            piece = min(length - output.written, <size_t> SLICE)
            with nogil:
                memcpy(output.target + output.written, source + output.written, piece)
            output.written += piece
            PyErr_CheckSignals()
        return finish_bytes(&output)
    finally:
        abandon_bytes(&output)


cdef inline bytes encode_whole(
    const we_codec *codec, str text, int error_mode, we_encoder_state *state=NULL,
    bint last=True
):
    """Return the bytes of a text that is short, and encoded without an error that stops the loop, else None.

    ``state`` and ``last`` are those of `encode_short`.
    """
    cdef uint8_t[STAGE] stack
    cdef size_t written
    cdef we_encoder_state after
    cdef bytes result
    cdef Py_ssize_t length = 0
    cdef const char *cached = we_cached_utf8(text, &length) if codec == we_utf_8_codec(&ENGINE) else NULL
    if cached != NULL and length <= SLICE:
        return PyBytes_FromStringAndSize(cached, length)
    if codec.is_ascii_compatible and PyUnicode_IS_ASCII(text) and PyUnicode_GET_LENGTH(text) <= SLICE:
        return PyBytes_FromStringAndSize(<char *> PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
    if state != NULL:
        after = state[0]
    if not encode_short(codec, text, error_mode, stack, &written, NULL if state == NULL else &after, last):
        return None
    result = PyBytes_FromStringAndSize(<char *> stack, <Py_ssize_t> written)
    if state != NULL:  # only now, since there may be no memory for the result
        state[0] = after
    return result


cdef inline bytes encode_to_bytes(const we_codec *codec, str name, str text, Policy policy, object handler):
    """Return the bytes of ``text``, encoded to end-of-queue."""
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text)
    cdef Output output
    whole = encode_whole(codec, text, mode_of(policy))
    if whole is not None:
        return whole
    if codec.is_ascii_compatible and PyUnicode_IS_ASCII(text):
        return copy_ascii(text, length)
    begin_output(&output, codec, policy)
    try:
        encode_text(&output, name, text, length, True, policy, handler)
        return finish_bytes(&output.bytes)
    finally:
        abandon_bytes(&output.bytes)


cdef inline size_t count_encoded(Encoding encoding, str text, Policy policy) except? 0:
    """Return the number of bytes that `encode_to_bytes` returns."""
    cdef const we_codec *codec = encoder_codec_of(encoding)
    cdef size_t length = <size_t> PyUnicode_GET_LENGTH(text), written
    cdef Output output
    if codec.is_ascii_compatible and PyUnicode_IS_ASCII(text):
        return length
    if encode_short(codec, text, WE_STOP, output.bytes.stack, &written):
        return written
    begin_output(&output, codec, policy)
    output.counts = True
    encode_text(&output, encoding.name, text, length, True, policy, None)
    return output.counted + output.bytes.written
