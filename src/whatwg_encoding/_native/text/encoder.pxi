# Part of core.pyx: the incremental encoder. https://encoding.spec.whatwg.org/#encoder


cdef class _Encoder(_Coder):
    """_Encoder(encoding, errors='html')\n--\n
    The compiled base class of `Encoder`."""

    cdef we_encoder_state state
    cdef uint32_t pending_surrogate

    @cython.critical_section
    def __init__(self, encoding, errors="html"):
        begin_coder(self, as_encoding(encoding), errors, False)
        clear_encoder(self)

    @cython.critical_section
    def encode(self, text, final=False):
        """Return the bytes of ``text``; keep a leading surrogate at its end for the next call.

        If ``final`` is true, flush the encoder: a kept surrogate is lone, and ISO-2022-JP returns to ASCII. Raise
        TypeError if ``text`` is not a str, and UnicodeEncodeError in fatal mode; its ``object`` is the kept surrogate,
        if any, followed by ``text``, and the encoder is reset.
        https://encoding.spec.whatwg.org/#concept-encoding-process
        """
        cdef str string = as_text(text)
        cdef const we_codec *codec = encoder_codec_of(self.encoding)
        cdef Output output
        cdef uint32_t surrogate = 0
        cdef size_t length
        if self.pending_surrogate != 0:
            string = chr(self.pending_surrogate) + string
        length = <size_t> PyUnicode_GET_LENGTH(string)
        if not self.is_pythonic and not final and length != 0:
            surrogate = we_unit_get(PyUnicode_DATA(string), kind_of_string(string), length - 1)
            if 0xD800 <= surrogate <= 0xDBFF:
                length -= 1
            else:
                surrogate = 0
        if codec.is_ascii_compatible and surrogate == 0:  # ISO-2022-JP, the only encoder with a state, is not
            result = encode_whole(&ENGINE, codec, string, mode_of(self.policy))
            if result is not None:
                self.pending_surrogate = 0
                return result
        begin_output(&output, &ENGINE, codec, self.policy)
        output.encoder.state = self.state
        try:
            encode_text(&output, self.encoding.name, string, length, bool(final), self.policy, self.handler)
            result = finish_bytes(&output.bytes)
        except UnicodeEncodeError:
            clear_encoder(self)
            raise
        finally:
            abandon_bytes(&output.bytes)
        self.state = output.encoder.state
        self.pending_surrogate = surrogate
        return result

    @cython.critical_section
    def reset(self):
        """Discard a kept surrogate and return to the initial state, without output."""
        clear_encoder(self)

    @cython.critical_section
    def getstate(self):
        """Return the state as an int, 0 for the initial one, as `codecs.IncrementalEncoder.getstate` does."""
        return self.state.iso_2022_jp_encoder_state | self.pending_surrogate << 8

    @cython.critical_section
    def setstate(self, state):
        """Set the state to one that `getstate` returned. Raise TypeError or ValueError for anything else."""
        if not isinstance(state, int):
            raise TypeError("the state must be an int")
        surrogate, number = state >> 8, state & 0xFF
        if number not in (WE_ISO_2022_JP_ASCII, WE_ISO_2022_JP_ROMAN, WE_ISO_2022_JP_JIS0208) or (
            surrogate and not 0xD800 <= surrogate <= 0xDBFF
        ):
            raise ValueError(f"{quote(state)} is not the state of an encoder")
        self.state.iso_2022_jp_encoder_state = number
        self.pending_surrogate = surrogate


cdef void clear_encoder(_Encoder encoder) noexcept:
    encoder.pending_surrogate = 0
    memset(&encoder.state, 0, sizeof(we_encoder_state))


@cython.critical_section
def encode_to_first_error(_Encoder encoder not None, text, Py_ssize_t start=0):
    """Encode ``text`` from ``start`` to the first error or the end, keeping the state, without flushing.

    Return the bytes, the code point of the error or None, and the position after the last code point consumed.
    """
    cdef str string = as_text(text)
    cdef Output output
    cdef Unmappable error
    cdef size_t position = <size_t> start
    cdef bint stopped
    if not 0 <= start <= len(string):
        raise IndexError(f"start is {start}; the text has {len(string)} code points")
    begin_output(&output, &ENGINE, encoder_codec_of(encoder.encoding), FATAL)
    output.encoder.state = encoder.state
    try:
        stopped = encode_scalar_values(
            &output, <const uint8_t *> PyUnicode_DATA(string), kind_of_string(string),
            <size_t> PyUnicode_GET_LENGTH(string), False, &position, False, &error,
        )
        result = finish_bytes(&output.bytes)
    finally:
        abandon_bytes(&output.bytes)
    encoder.state = output.encoder.state
    return result, error.code_point if stopped else None, position


def count_unmappable(Encoding encoding not None, text):
    """Return the number of code points that the encoding lacks in ``text``, which has no surrogates."""
    cdef str string = as_text(text)
    cdef Output output
    begin_output(&output, &ENGINE, encoder_codec_of(encoding), HTML)
    output.counts = True
    encode_text(&output, encoding.name, string, <size_t> PyUnicode_GET_LENGTH(string), True, HTML, None)
    return output.encoder.reference_count


class Encoder(_Encoder, codecs.IncrementalEncoder):
    """An incremental encoder. The bytes do not depend on how the text is split into chunks.

    ``errors`` is that of `Encoding.encode`. Use an encoder in one thread at a time. It can be copied and pickled.
    https://encoding.spec.whatwg.org/#encoder
    """

    __module__ = "whatwg_encoding"
    __slots__ = ()
