# Part of _core.pyx: decode whole data to the named tuple `Decoded`, which is an argument of the functions here.
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
    """
    object we_new_pair(object type, object first, object second)
    Py_ssize_t PyNumber_AsSsize_t(object number, void *error) except? -1  # without an error class it is clipped


def byte_view(data):
    """Return the bytes of ``data``, which has a contiguous buffer, as bytes or as a view with the format "B".

    Raise TypeError for anything else.
    """
    if type(data) is bytes:
        return data
    if isinstance(data, str):
        raise TypeError("data must be a bytes-like object, not str: text is encoded, not decoded")
    try:
        view = memoryview(data)
    except (TypeError, BufferError, ValueError) as error:
        raise TypeError(
            "data must be an object with a contiguous buffer (bytes, bytearray, memoryview, …), "
            f"not {type(data).__name__}: {error}"
        ) from None
    if not view.contiguous:
        raise TypeError("data must be contiguous: a buffer with strides or gaps has no order of bytes to decode")
    if view.format == "B" and view.ndim == 1:
        return view
    try:
        return view.cast("B")
    except TypeError:  # cast refuses empty views, foreign byte order, Fortran order and structures
        return view.tobytes("A")


def sniff_bom(view):
    """Return the encoding that the byte order mark at the start of a view names, and the mark's length, or None and 0.

    https://encoding.spec.whatwg.org/#bom-sniff
    """
    cdef Source source
    cdef str name = None
    cdef Py_ssize_t length = 2
    open_source(view, &source)
    if source.length >= 2 and source.bytes[0] >= 0xEF:
        if source.bytes[0] == 0xFE and source.bytes[1] == 0xFF:
            name = "UTF-16BE"
        elif source.bytes[0] == 0xFF and source.bytes[1] == 0xFE:
            name = "UTF-16LE"
        elif (
            source.length >= 3 and source.bytes[0] == 0xEF and source.bytes[1] == 0xBB and source.bytes[2] == 0xBF
        ):
            name, length = "UTF-8", 3
    close_source(&source)
    return (None, 0) if name is None else (registry().by_name[name], length)


cdef str decode_counting(Encoding encoding, object view, object errors, size_t *error_count):
    """Return the text of a view; set the number of errors that were replaced."""
    cdef Policy policy = decode_policy(errors)
    cdef _Decoder decoder
    cdef str text
    error_count[0] = 0
    if policy == FATAL or len(view) <= SHORT:
        # A short text almost never has errors, and is decoded in less time than a decoder is created. Each error gives
        # U+FFFD, so a text without it has none.
        text = decode_to_string(ENGINE.simd, codec_of(encoding), encoding.name, view, policy, None)
        if policy == FATAL or kind_of_string(text) == WE_UCS1 or "\uFFFD" not in text:
            return text
    decoder = _Decoder(encoding, errors)
    text = decoder.decode(view, True)
    error_count[0] = decoder.error_count
    return text


def decode_sniffed(result, view, Encoding encoding not None, errors, source, confidence):
    """Return the text of a view without a byte order mark as a ``result``, which is the class `Decoded`."""
    cdef size_t error_count
    text = decode_counting(encoding, view, errors, &error_count)
    return new_decoded(result, text, encoding, error_count, source, confidence)


cdef object new_decoded(result, str text, Encoding encoding, size_t error_count, source, confidence):
    """Return ``result(text, encoding, error_count, source, confidence)`` in less time."""
    decoded = we_new_pair(result, text, encoding)
    # The class has the defaults.
    if error_count != 0:
        decoded.errors = error_count
    if source != "fallback":
        decoded.source = source
    if confidence != "certain":
        decoded.confidence = confidence
    return decoded


def decode_after_bom(result, data, fallback):
    """Return the text of ``data`` as a ``result``, in the encoding of its byte order mark or the fallback: "decode".

    https://encoding.spec.whatwg.org/#decode
    """
    cdef Encoding encoding = <Encoding> fallback if type(fallback) is Encoding else find_encoding(fallback)
    view = byte_view(data)
    marked, length = sniff_bom(view)
    if marked is None:
        return decode_sniffed(result, view, encoding, "replacement", "fallback", "certain")
    return decode_sniffed(result, memoryview(view)[length:], marked, "replacement", "bom", "certain")


def decode_plain_utf_8(result, view, limit, source_name, confidence):
    """Return the text of a view as a ``result`` if it is plain UTF-8, else None. One pass validates and decodes it.

    Plain is what has neither errors nor signs of another encoding: a byte order mark, ESC, or NUL in the first
    ``limit`` bytes.
    """
    cdef Source source
    cdef bint is_plain
    cdef Encoding encoding = registry().by_name["UTF-8"]
    open_source(view, &source)
    is_plain = (
        not (source.length >= 3 and source.bytes[0] == 0xEF and source.bytes[1] == 0xBB and source.bytes[2] == 0xBF)
        and memchr(source.bytes, 0, min(source.length, <size_t> PyNumber_AsSsize_t(limit, NULL))) == NULL
        and memchr(source.bytes, 0x1B, source.length) == NULL
    )
    close_source(&source)
    if not is_plain:
        return None
    try:
        text = decode_to_string(ENGINE.simd, codec_of(encoding), encoding.name, view, FATAL, None)
    except UnicodeDecodeError:
        return None
    return new_decoded(result, text, encoding, 0, source_name, confidence)
