# Part of core.pyx: from one encoding to another.


def recode(data, source, target, errors="fatal"):
    """Return ``data`` converted from the encoding ``source`` to the encoding ``target``, without an intermediate str.

    All of it is written anew; `reencode` writes an edited text over the bytes that it was read from. ``errors`` is
    "fatal", which raises UnicodeDecodeError or UnicodeEncodeError, whichever error comes first in ``data``, or "html",
    which gives U+FFFD for malformed input and a reference like ``&#9731;`` for a code point that the target lacks. The
    ``object`` of a UnicodeEncodeError is the part of the text, from at most 64 KiB of the data, that contains the
    error. Raise also what `lookup` and `Encoding.encode` raise.

    >>> recode(b"\\x83n", "shift_jis", "euc-jp")
    b'\\xa5\\xcf'
    """
    cdef Policy policy = encode_policy(errors)
    cdef Encoding decoding = as_encoding(source), encoding = as_encoding(target)
    cdef Source input
    cdef we_decoder decoder
    cdef we_buffers buffers
    cdef Output output
    cdef Unmappable error
    cdef uint32_t[STAGE] stack
    cdef uint32_t *units = stack
    cdef bytes memory  # of the units, if they are more
    cdef size_t encoded, slice_length = STAGE - WE_MAX_PENDING
    cdef int kind = WE_UCS2
    cdef we_result result
    cdef bint last = False
    if encoding.position == WE_POSITION_UTF_8:
        return decode_to_utf8(decoding, data, FATAL if policy == FATAL else REPLACEMENT)
    begin_output(&output, encoder_codec_of(encoding), policy)
    we_decoder_init(&decoder, &ENGINE, codec_of(decoding), WE_FATAL if policy == FATAL else 0)
    open_source(data, &input)
    try:
        if input.length > slice_length:
            slice_length = GIL_LIMIT if input.length > GIL_LIMIT else GIL_LIMIT // 8
            memory = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> ((slice_length + WE_MAX_PENDING) * sizeof(uint32_t)))
            units = <uint32_t *> PyBytes_AS_STRING(memory)
        we_buffers_init(&buffers, input.bytes, 0, units, slice_length + WE_MAX_PENDING, False)
        while not last:
            # Each byte, pending ones included, gives at most one unit.
            buffers.source_length = min(input.length, buffers.read + slice_length)
            buffers.written = 0
            buffers.max_code_point = 0xFFFF if kind == WE_UCS2 else 0x10FFFF
            buffers.last = buffers.source_length == input.length
            if input.length <= GIL_LIMIT:
                result = we_decode(&decoder, kind, &buffers)
            else:
                with nogil:
                    result = we_decode(&decoder, kind, &buffers)
            last = result == WE_INPUT_EMPTY and buffers.last
            encoded = 0
            if encode_until_error(
                &output, <const uint8_t *> units, kind, buffers.written, last, &encoded
            ) == WE_UNMAPPABLE:
                # The policy is FATAL: with HTML the engine writes references, and no decoder returns surrogates.
                error.start = encoded - 1
                error.end = encoded
                error.code_point = output.encoder.code_point
                piece = PyUnicode_FromKindAndData(1 << kind, units, <Py_ssize_t> buffers.written)
                raise encode_error(encoding.name, piece, &error)
            if result == WE_MALFORMED:  # after what was decoded before it
                raise decode_error(&decoder, bytes_of(data, &input), buffers.read, decoding.name)
            # After a code point above U+FFFF a slice is decoded to UCS-4, since more of them may follow.
            kind = WE_UCS4 if result == WE_WIDEN else WE_UCS2
            PyErr_CheckSignals()
        return finish_bytes(&output.bytes)
    finally:
        abandon_bytes(&output.bytes)
        close_source(&input)
