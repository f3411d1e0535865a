# Part of core.pyx: the policy for each error mode and for each of Python's error handlers.


cdef object mode_error(errors, str default):
    """Return the ValueError for an unknown error mode, with the mode that Python's codecs call by that name."""
    meant = None
    if isinstance(errors, str):
        meant = {"strict": "fatal", "replace": default, "xmlcharrefreplace": "html"}.get(errors)
    hint = f": {exact_str(errors)!r} of Python's codecs is {meant!r}" if meant in ("fatal", default) else ""
    return ValueError(f"errors must be {default!r} or 'fatal', not {quote(errors)}{hint}")


cdef Policy decode_policy(errors) except NO_POLICY:
    if errors is "replacement" or errors == "replacement":
        return REPLACEMENT
    if errors == "fatal":
        return FATAL
    raise mode_error(errors, "replacement")


cdef Policy encode_policy(errors) except NO_POLICY:
    if errors is "html" or errors == "html":
        return HTML
    if errors == "fatal":
        return FATAL
    raise mode_error(errors, "html")


# Python's standard error handlers, implemented here without a call. The key is the function, since another one may be
# registered under the same name.
_DECODE_HANDLERS = {
    codecs.strict_errors: FATAL,
    codecs.replace_errors: REPLACEMENT,
    codecs.ignore_errors: IGNORE,
    codecs.backslashreplace_errors: BACKSLASH_REPLACE,
    codecs.lookup_error("surrogateescape"): SURROGATE_ESCAPE,
    codecs.lookup_error("surrogatepass"): SURROGATE_PASS,
}
_ENCODE_HANDLERS = {
    codecs.strict_errors: STRICT,
    codecs.replace_errors: QUESTION_MARK,
    codecs.ignore_errors: IGNORE,
    codecs.backslashreplace_errors: BACKSLASH_REPLACE,
    codecs.xmlcharrefreplace_errors: REFERENCE_REPLACE,
    codecs.lookup_error("surrogateescape"): SURROGATE_ESCAPE,
    codecs.namereplace_errors: NAME_REPLACE,
    codecs.lookup_error("surrogatepass"): SURROGATE_PASS,
}


cdef extern from "Python.h":
    object PyCodec_LookupError(const char *name)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *length) except NULL


@cython.final
cdef class _UnknownHandler:
    """The handler of a name under which none is registered: the first error raises the LookupError of the name."""

    cdef str name

    def __call__(self, error):
        return codecs.lookup_error(self.name)(error)


cdef object handler_named(errors):
    """Return Python's error handler of that name. As in Python's codecs, an unknown name fails at the first error."""
    cdef str name = exact_str(errors)
    cdef _UnknownHandler unknown
    cdef Py_ssize_t length
    cdef const char *characters = PyUnicode_AsUTF8AndSize(name, &length)
    try:
        if strlen(characters) == <size_t> length:
            return PyCodec_LookupError(characters)
    except LookupError:
        pass
    unknown = _UnknownHandler()
    unknown.name = name
    return unknown


cdef Policy policy_of_handler(dict known, handler, Encoding encoding) except NO_POLICY:
    cdef Policy policy
    try:
        policy = <Policy> <int> known.get(handler, <int> HANDLER)
    except TypeError:  # the callable is unhashable
        return HANDLER
    if policy == SURROGATE_PASS and not encoding.name.startswith("UTF-"):  # it raises the errors of other encodings
        return FATAL if known is _DECODE_HANDLERS else STRICT
    return policy


cdef inline str as_text(text):
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    return exact_str(text)
