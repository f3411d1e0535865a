# Part of core.pyx: decode whole data to the named tuple `Decoded`.
# https://encoding.spec.whatwg.org/#specification-hooks

cdef extern from *:
    """
    /* Return a new tuple of a pair, of that subclass of tuple, without calling its __new__. */
    static PyObject *we_new_pair(PyObject *type, PyObject *first, PyObject *second) {
        PyObject *pair;
        if (!PyType_Check(type) || !PyType_FastSubclass((PyTypeObject *) type, Py_TPFLAGS_TUPLE_SUBCLASS)) {
            PyErr_SetString(PyExc_TypeError, "the result must be a subclass of tuple");
            return NULL;
        }
        pair = ((PyTypeObject *) type)->tp_alloc((PyTypeObject *) type, 2);
        if (pair == NULL)
            return NULL;
        PyTuple_SET_ITEM(pair, 0, Py_NewRef(first));
        PyTuple_SET_ITEM(pair, 1, Py_NewRef(second));
        return pair;
    }

    /* Return whether bytes have a control that no text has: U+0000 to U+0006, and U+0010 to U+0019. */
    static int we_has_controls(const uint8_t *bytes, size_t length) {
        uint8_t least = 0xFF, least_from_10 = 0xFF; /* minima, of which compilers make vectors */
        for (size_t i = 0; i < length; i++) {
            const uint8_t from_10 = (uint8_t) (bytes[i] - 0x10);
            least = bytes[i] < least ? bytes[i] : least;
            least_from_10 = from_10 < least_from_10 ? from_10 : least_from_10;
        }
        return least < 0x07 || least_from_10 < 0x0A;
    }
    """
    object we_new_pair(object type, object first, object second)
    bint we_has_controls(const uint8_t *bytes, size_t length) noexcept
    bint PyIndex_Check(object number)
    Py_ssize_t PyNumber_AsSsize_t(object number, void *error) except? -1  # without an error class it is clipped


cdef object decoded_class():
    cdef _Registry current = registry()
    if current.decoded is None:
        from whatwg_encoding._api.results import Decoded
        current.decoded = Decoded
    return current.decoded


cpdef object byte_view(data):
    """Return the bytes of ``data``, which has a contiguous buffer, as bytes or as a view with the format "B".

    Raise TypeError for anything else.
    """
    if type(data) is bytes:
        return data
    try:
        view = memoryview(data)
    except (TypeError, BufferError, ValueError) as error:
        raise not_data(data, error) from None
    if not view.contiguous:
        raise TypeError("data must be contiguous: a buffer with strides or gaps has no order of bytes to decode")
    if view.format == "B" and view.ndim == 1:
        return view
    try:
        return view.cast("B")
    except TypeError:  # cast refuses empty views, foreign byte order, Fortran order and structures
        return view.tobytes("A")


cdef inline Encoding marked_encoding(view, size_t *length):
    """Return the encoding that the byte order mark at the start of a view names, or None; set the mark's length."""
    cdef Source source
    cdef int which
    open_source(view, &source)
    which = we_bom_sniff(source.bytes, source.length, length)
    close_source(&source)
    return None if which < 0 else registry().by_name[("UTF-8", "UTF-16BE", "UTF-16LE")[which]]


def sniff_bom(view):
    """Return the encoding that the byte order mark at the start of a view names, and the mark's length, or None and 0.

    https://encoding.spec.whatwg.org/#bom-sniff
    """
    cdef size_t length
    marked = marked_encoding(view, &length)
    return (None, 0) if marked is None else (marked, length)


def bom_sniff(data):
    """Return the encoding that the byte order mark at the start names, or None if there is none.

    Raise TypeError for data without a contiguous buffer.
    https://encoding.spec.whatwg.org/#bom-sniff

    >>> bom_sniff(b"\\xff\\xfea\\x00")
    <Encoding UTF-16LE>
    >>> bom_sniff("\\ufeff".encode("gb18030")) is None
    True
    """
    cdef size_t length
    return marked_encoding(byte_view(data), &length)


cdef enum:
    BINARY_START = 65536  # bytes in which controls are looked for before the whole data is judged
    RECORDS = 16  # errors of which a record is kept, as many as fit a screen; the others are only counted


cdef inline object decode_in(view, Encoding encoding, Policy policy, source, confidence):
    """Return the text of a view without a byte order mark as a `Decoded`."""
    cdef Source bytes
    cdef Text text
    open_source(view, &bytes)
    try:
        decoded = decode_whole(encoding, &bytes)
        if decoded is not None:
            return new_decoded(decoded_class(), decoded, encoding, 0, source, confidence)
        begin_text(&text, encoding, WE_STOP, &bytes, True)
        text.offset = 0 if source != "bom" else 3 if encoding.name == "UTF-8" else 2
        return finish_decoded(&text, start_in_blocks(&text), view, encoding, policy, source, confidence)
    finally:
        close_source(&bytes)


cdef inline object finish_decoded(
    Text *text, we_result result, view, Encoding encoding, Policy policy, source, confidence
):
    """Return the text that `start_in_blocks` has begun as a `Decoded`, with records of the first errors."""
    cdef list log = []
    policy = RECORD if policy == REPLACEMENT else policy
    decoded = finish_in_blocks(text, result, view, b"", encoding.name, policy, None, log, RECORDS)
    return new_decoded(decoded_class(), decoded, encoding, text.decoder.error_count, source, confidence, log)


cpdef object origin_of(view, sniffed, is_no_text):
    """Return what decided on the encoding that was sniffed, or "binary" for what is no text.

    ``is_no_text`` decides where there may be binary data, or a mixture of UTF-16 and 8-bit text: a function of the
    bytes, the encoding, and whether there may be either.
    """
    cdef Source source
    cdef Encoding encoding
    cdef bint may_be_binary, may_mix
    encoding, _, origin = <tuple> sniffed
    open_source(view, &source)
    may_be_binary = origin == "detector" and we_has_controls(source.bytes, min(source.length, <size_t> BINARY_START))
    may_mix = memchr(source.bytes, 0, source.length) != NULL or encoding.position in (
        WE_POSITION_UTF_16BE, WE_POSITION_UTF_16LE
    )
    close_source(&source)
    if (may_be_binary or may_mix) and is_no_text(view, encoding, may_be_binary, may_mix):
        return "binary"
    return origin


def decode_chosen(data, choose, header, options, is_no_text):
    """Return the text of ``data`` as a `Decoded`, in the encoding that ``choose`` of `detect.pyx` returns.

    Without a byte order mark the data is decoded as UTF-8 up to its first error, whose offset ``choose`` is given: so
    valid UTF-8 is read once.
    """
    cdef Source source
    cdef Text text
    cdef Encoding utf_8 = <Encoding> registry().by_name["UTF-8"]
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t mark, valid
    cdef str decoded = None
    view = byte_view(data)
    text.string = NULL
    open_source(view, &source)
    try:
        if we_bom_sniff(source.bytes, source.length, &mark) >= 0:
            sniffed, length = choose(view, header, options)
            marked = decode_sniffed(view[length:], sniffed, "replacement")
            marked.source = origin_of(view, sniffed, is_no_text)
            return marked
        decoded = decode_whole(utf_8, &source)
        valid = source.length
        if decoded is None:
            begin_text(&text, utf_8, WE_STOP, &source, True)
            result = start_in_blocks(&text)
            if result == WE_MALFORMED:
                valid = text.buffers.read - text.decoder.read_after - text.decoder.error_length
        sniffed, _ = <tuple> choose(view, header, options, True, True, valid)
        encoding, confidence, _ = <tuple> sniffed  # a named one, which is unpacked faster as a plain one
        origin = origin_of(view, sniffed, is_no_text)
        if encoding is not utf_8:
            abandon_text(&text)  # before another one takes memory
            return decode_in(view, encoding, REPLACEMENT, origin, confidence)
        if decoded is not None:
            return new_decoded(decoded_class(), decoded, utf_8, 0, origin, confidence)
        return finish_decoded(&text, result, view, utf_8, REPLACEMENT, origin, confidence)
    finally:
        abandon_text(&text)
        close_source(&source)


def count_newlines(text not None):
    """Return the number of U+000A in a str or in bytes, several times as fast as their method ``count``."""
    # In bounds: the object has that many bytes, or units of its kind.
    if isinstance(text, bytes):
        return we_newline_count(WE_UCS1, PyBytes_AS_STRING(text), <size_t> PyBytes_GET_SIZE(text))
    if not isinstance(text, str):
        raise TypeError(f"newlines are counted in a str or bytes, not {type(text).__name__}")
    return we_newline_count(kind_of_string(<str> text), PyUnicode_DATA(text), <size_t> PyUnicode_GET_LENGTH(text))


def decode_sniffed(view, sniffed, errors):
    """Return the text of a view without a byte order mark as a `Decoded`, in an encoding that was determined."""
    encoding, confidence, source = <tuple> sniffed  # as above
    return decode_in(view, encoding, decode_policy(errors), source, confidence)


def runs_of_lines(bytes data not None):
    """Return runs of lines of which all are valid UTF-8, or none is: whether they are, the start and the end of each.

    Lines end with LF, CR LF or CR. Time is linear: valid text is read at once, and each line end is searched for once.
    """
    cdef const uint8_t *source = <const uint8_t *> PyBytes_AS_STRING(data)
    cdef size_t length = <size_t> PyBytes_GET_SIZE(data), start = 0, at = 0, line, feed = 0, line_return = 0
    cdef const we_codec *utf_8 = codec_of(<Encoding> registry().by_name["UTF-8"])
    cdef list runs = []
    # In bounds: all offsets are at most `length`, and those that are read at are below it.
    while at < length:
        line = at + we_valid_up_to(&ENGINE, utf_8, source + at, length - at)
        if line < length:  # an error, which is no line end: go back to the start of its line
            while line > at and source[line - 1] != c"\n" and source[line - 1] != c"\r":
                line -= 1
        if line > at:
            if at > start:
                runs.append((False, start, at))
            runs.append((True, at, line))
            start = line
        if line == length:
            return runs
        # The offsets after the next line feed and the next return.
        if feed <= line:
            feed = end_after(source, line, length, c"\n")
        if line_return <= line:
            line_return = end_after(source, line, length, c"\r")
        at = min(feed, line_return)
        if at == line_return and at < length and source[at] == c"\n":
            at += 1
    if at > start:
        runs.append((False, start, at))
    return runs


cdef inline size_t end_after(const uint8_t *source, size_t at, size_t length, int byte) noexcept:
    """Return the offset after the first such byte from `at` on, `length` if there is none. at < length."""
    cdef const void *place = memchr(source + at, byte, length - at)
    return length if place == NULL else <size_t> (<const uint8_t *> place - source) + 1


def decode_to_utf8_counted(view, Encoding encoding):
    """Return the UTF-8 of a view without a byte order mark, and the number of errors that were replaced."""
    cdef size_t error_count
    utf_8 = decode_to_utf8(encoding, view, REPLACEMENT, &error_count)
    return utf_8, error_count


cpdef object new_decoded(result, text, encoding, error_count, source, confidence="certain", log=()):
    """Return a new ``result``: `Decoded`, `DecodedUTF8` or a subclass, whose class attributes are the defaults.

    ``log``: the records of the first errors, or the list of `record_errors`, from which they are made when needed.
    """
    decoded = we_new_pair(result, text, encoding)
    if log:
        decoded._log = log
    if error_count:
        decoded.errors = error_count
    if source != "fallback":
        decoded.source = source
    if confidence != "certain":
        decoded.confidence = confidence
    return decoded


def decode(data, fallback, errors="replacement"):
    """Return the text of ``data`` and the encoding used: the one that a byte order mark names, else ``fallback``.

    One byte order mark is removed. Errors become U+FFFD, or raise UnicodeDecodeError if ``errors`` is "fatal"; the
    result's ``errors`` counts them, and its ``source`` is "bom" or "fallback". Raise UnknownLabelError for a label of
    no encoding, even if a byte order mark overrides it, ValueError for other ``errors``, and TypeError for data without
    a contiguous buffer.
    https://encoding.spec.whatwg.org/#decode

    >>> decode(b"\\x82\\xa0", "shift_jis")
    Decoded(text='あ', encoding=<Encoding Shift_JIS>, errors=0, source='fallback')
    >>> decode(b"\\xef\\xbb\\xbf\\xe3\\x81\\x82", "shift_jis")
    Decoded(text='あ', encoding=<Encoding UTF-8>, errors=0, source='bom')
    """
    cdef size_t length
    cdef Encoding encoding = <Encoding> fallback if type(fallback) is Encoding else find_encoding(fallback)
    cdef Policy policy = decode_policy(errors)
    view = byte_view(data)
    marked = marked_encoding(view, &length)
    if marked is None:
        return decode_in(view, encoding, policy, "fallback", "certain")
    return decode_in(memoryview(view)[length:], marked, policy, "bom", "certain")


cpdef size_t check_limit(limit) except 0:
    """Return a number of bytes, at most that of the address space. Raise TypeError or ValueError for what is none."""
    if not PyIndex_Check(limit):
        raise TypeError(f"limit must be an integer, not {type(limit).__name__}")
    cdef Py_ssize_t number = PyNumber_AsSsize_t(limit, NULL)
    if number < 1:
        raise ValueError(f"limit must be at least 1 byte, not {limit}")
    return <size_t> number
