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
        return encode_part(self, as_text(text), bool(final))

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


cdef inline bytes encode_part(_Encoder encoder, str string, bint final):
    cdef const we_codec *codec = encoder_codec_of(encoder.encoding)
    cdef Output output
    cdef uint32_t surrogate = 0
    cdef size_t length
    if encoder.pending_surrogate != 0:
        string = chr(encoder.pending_surrogate) + string
    length = <size_t> PyUnicode_GET_LENGTH(string)
    if not encoder.is_pythonic and not final and length != 0:
        surrogate = we_unit_get(PyUnicode_DATA(string), kind_of_string(string), length - 1)
        if 0xD800 <= surrogate <= 0xDBFF:
            length -= 1
        else:
            surrogate = 0
    if surrogate == 0:
        result = encode_whole(codec, string, mode_of(encoder.policy), &encoder.state, final)
        if result is not None:
            encoder.pending_surrogate = 0
            return result
    begin_output(&output, codec, encoder.policy)
    output.encoder.state = encoder.state
    try:
        encode_text(&output, encoder.encoding.name, string, length, final, encoder.policy, encoder.handler)
        result = finish_bytes(&output.bytes)
    except UnicodeEncodeError:
        clear_encoder(encoder)
        raise
    finally:
        abandon_bytes(&output.bytes)
    encoder.state = output.encoder.state
    encoder.pending_surrogate = surrogate
    return result


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
    begin_output(&output, encoder_codec_of(encoder.encoding), FATAL)
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
    begin_output(&output, encoder_codec_of(encoding), HTML)
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


# --- ISO-2022-JP in files of Python -----------------------------------------------------------------------------------


cdef class _FileEncoder(_Encoder):
    """_FileEncoder(encoding, errors='strict')\n--\n
    The compiled base class of `FileEncoder`, whose method ``_rewrite`` puts ASCII into the ASCII state."""

    cdef bint is_unknown  # what state the file is in

    @cython.critical_section
    def __init__(self, encoding, errors="strict"):
        begin_coder(self, as_encoding(encoding), errors, True)
        clear_encoder(self)

    @cython.critical_section
    def encode(self, text, final=False):
        """Return the bytes of ``text``; with ``final``, also those that return to the ASCII state."""
        cdef int before = self.state.iso_2022_jp_encoder_state
        data = encode_part(self, as_text(text), bool(final))
        if data and (self.is_unknown or before == WE_ISO_2022_JP_ROMAN or has_roman_escape(data)):
            data, state = self._rewrite(data, before, None if self.is_unknown else before, final)
            self.state.iso_2022_jp_encoder_state = state
            self.is_unknown = False
        return data

    @cython.critical_section
    def reset(self):
        """Return to the ASCII state, in which a file begins."""
        clear_encoder(self)
        self.is_unknown = False

    @cython.critical_section
    def getstate(self):
        """Return the state, from which another encoder may continue."""
        return 0 if self.is_unknown else _Encoder.getstate(self) + 1

    @cython.critical_section
    def setstate(self, state):
        """Continue from a state; 0 is that of a place in a file that is not known."""
        number = int(state)
        _Encoder.setstate(self, max(number - 1, 0))
        self.is_unknown = number == 0


cdef inline bint has_roman_escape(bytes data) noexcept:
    cdef const uint8_t *source = <const uint8_t *> PyBytes_AS_STRING(data)
    cdef size_t i = 0, length = <size_t> PyBytes_GET_SIZE(data)
    cdef const uint8_t *escape
    while i + 2 < length:  # an error handler may write an escape with less after it
        escape = <const uint8_t *> memchr(source + i, WE_ESCAPE, length - 2 - i)
        if escape == NULL:
            return False
        if <uint16_t> escape[1] << 8 | escape[2] == WE_ESCAPE_TO_ROMAN:
            return True
        i = <size_t> (escape - source) + 1
    return False


# --- https://encoding.spec.whatwg.org/#interface-textencoder ----------------------------------------------------------


cdef inline const we_codec *utf_8_codec() except NULL:
    cdef const we_codec *codec = we_utf_8_codec(&ENGINE)
    return codec if codec != NULL else codec_of(<Encoding> registry().by_name["UTF-8"])


cdef class _TextEncoder:
    """_TextEncoder()\n--\n
    The compiled base class of `TextEncoder`."""

    def encode(self, text=""):
        """Return the UTF-8 bytes of ``text``. A lone surrogate becomes U+FFFD first.

        Raise TypeError for a text that is not a str.
        https://encoding.spec.whatwg.org/#dom-textencoder-encode
        """
        return encode_to_bytes(utf_8_codec(), "UTF-8", as_text(text), HTML, None)


def encode_utf_8_into(text, buffer, result):
    """Write as many whole characters in UTF-8 as fit to the front of a writable buffer.

    Return ``result``, a named tuple, of the UTF-16 code units read and the bytes written.
    """
    cdef str string = as_text(text)
    cdef Py_buffer view
    cdef Py_ssize_t written, position, read = 0
    cdef const uint8_t *data
    try:
        PyObject_GetBuffer(buffer, &view, PyBUF_CONTIG | PyBUF_FORMAT)
    except (TypeError, BufferError, ValueError) as error:
        raise TypeError(f"buffer must be writable and contiguous, as a bytearray is: {error}") from None
    try:
        if view.format != NULL and strchr(view.format, c"O") != NULL:
            raise TypeError("buffer must be an array of bytes, not of Python objects")
        # Every character takes at least one byte, so no more characters than the capacity can fit. A surrogate pair
        # that this cuts does not fit either.
        if PyUnicode_GET_LENGTH(string) > view.len:
            string = string[:view.len]
        encoded = encode_to_bytes(utf_8_codec(), "UTF-8", string, HTML, None)
        data = <const uint8_t *> PyBytes_AS_STRING(encoded)
        written = PyBytes_GET_SIZE(encoded)
        if written > view.len:
            written = view.len
            while data[written] & 0xC0 == 0x80:  # a continuation byte: its character does not fit
                written -= 1
        memcpy(view.buf, data, <size_t> written)
        for position in range(written):  # a unit for each character, and two for one of four bytes
            read += (data[position] & 0xC0 != 0x80) + (data[position] >= 0xF0)
    finally:
        PyBuffer_Release(&view)
    return we_new_pair(result, read, written)
