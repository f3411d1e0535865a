# Part of core.pyx: the policy for each error mode and for each of Python's error handlers.


cdef object mode_error(errors, str default):
    """Return the ValueError for an unknown error mode, with the mode that Python's codecs call by that name."""
    equivalent = None
    if isinstance(errors, str):
        equivalent = {"strict": "fatal", "replace": default, "xmlcharrefreplace": "html"}.get(errors)
    hint = f": {exact_str(errors)!r} of Python's codecs is {equivalent!r}" if equivalent in ("fatal", default) else ""
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


# Python's standard error handlers, implemented here without a call, and the policies of decoders and of encoders for
# them. They are known by their functions, since another one may be registered under the same name.
_HANDLERS = (
    codecs.strict_errors, codecs.replace_errors, codecs.ignore_errors, codecs.backslashreplace_errors,
    codecs.xmlcharrefreplace_errors, codecs.lookup_error("surrogateescape"), codecs.lookup_error("surrogatepass"),
)
cdef Policy[7] DECODE_POLICIES = [
    FATAL, REPLACEMENT, IGNORE, BACKSLASH_REPLACE, HANDLER, SURROGATE_ESCAPE, SURROGATE_PASS,
]
cdef Policy[7] ENCODE_POLICIES = [
    STRICT, QUESTION_MARK, IGNORE, BACKSLASH_REPLACE, REFERENCE_REPLACE, SURROGATE_ESCAPE, SURROGATE_PASS,
]


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


cdef Policy policy_of_handler(handler, Encoding encoding, bint decodes):
    """Return the policy of a decoder or of an encoder for a handler of Python's."""
    cdef int number = 0
    cdef Policy policy
    for standard in <tuple> _HANDLERS:
        if handler is standard:
            policy = DECODE_POLICIES[number] if decodes else ENCODE_POLICIES[number]
            if encoding.position >= WE_ENCODINGS and not encoding.is_ascii_compatible and (
                policy not in (FATAL, STRICT, IGNORE)
            ):
                return HANDLER  # what the handler returns is encoded, since ASCII stands elsewhere
            if policy == SURROGATE_PASS and not encoding.name.startswith("UTF-"):  # it raises other encodings' errors
                return FATAL if decodes else STRICT
            return policy
        number += 1
    return HANDLER


cdef inline str as_text(text):
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    return exact_str(text)
