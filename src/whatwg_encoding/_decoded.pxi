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


def sniff_bom(view):
    """Return the encoding that the byte order mark at the start of a view names, and the mark's length, or None and 0.

    https://encoding.spec.whatwg.org/#bom-sniff
    """
    cdef Source source
    cdef size_t length
    cdef int which
    open_source(view, &source)
    which = we_bom_sniff(source.bytes, source.length, &length)
    close_source(&source)
    return (None, 0) if which < 0 else (registry().by_name[("UTF-8", "UTF-16BE", "UTF-16LE")[which]], length)


def decode_sniffed(result, view, Encoding encoding not None, errors, source, confidence):
    """Return the text of a view without a byte order mark as a ``result``, which is the class `Decoded`."""
    cdef size_t error_count
    text = decode_to_string(
        &ENGINE, codec_of(encoding), encoding.name, view, decode_policy(errors), None, &error_count
    )
    return new_decoded(result, text, encoding, error_count, source, confidence)


cpdef object new_decoded(result, text, encoding, error_count, source, confidence):
    """Return a new ``result``, which is the class `Decoded` or a subclass, whose class attributes are the defaults."""
    decoded = we_new_pair(result, text, encoding)
    if error_count:
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


def decode_certain_utf_8(result, view, limit, source_name, confidence):
    """Return the text of a view as a ``result`` if it is certainly UTF-8, else None. One pass validates and decodes it.

    It is if it has neither errors nor signs of another encoding: a byte order mark, ESC, or NUL in the first ``limit``
    bytes.
    """
    cdef Source source
    cdef bint may_be
    cdef size_t mark
    cdef Encoding encoding = registry().by_name["UTF-8"]
    open_source(view, &source)
    may_be = (
        we_bom_sniff(source.bytes, source.length, &mark) != WE_BOM_UTF_8
        and memchr(source.bytes, 0, min(source.length, <size_t> PyNumber_AsSsize_t(limit, NULL))) == NULL
        and memchr(source.bytes, WE_ESCAPE, source.length) == NULL
    )
    close_source(&source)
    if not may_be:
        return None
    try:
        text = decode_to_string(&ENGINE, codec_of(encoding), encoding.name, view, FATAL, None)
    except UnicodeDecodeError:
        return None
    return new_decoded(result, text, encoding, 0, source_name, confidence)
