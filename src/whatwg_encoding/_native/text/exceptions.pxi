# Part of core.pyx: the exceptions, and the values that their messages repeat.

cdef enum:
    QUOTED = 60  # characters of a value that a message repeats


class UnknownLabelError(LookupError):
    """Raised for a label of no encoding. https://encoding.spec.whatwg.org/#concept-encoding-get"""

    __module__ = "whatwg_encoding"  # the public name, in tracebacks and pickles

    # The label, if the message is to suggest the nearest one: when it is shown, since most of these errors are caught.
    _label = None

    @cython.binding(True)  # gives it a signature
    def __init__(self, *args):
        super().__init__(*args)

    def __str__(self):
        if self._label is None:
            return super().__str__()
        from whatwg_encoding.names import suggestion

        return super().__str__() + suggestion(self._label)


class EncoderUnavailableError(LookupError):
    """Raised if an encoding has no encoder: replacement, UTF-16BE/LE. https://encoding.spec.whatwg.org/#encoder"""

    __module__ = "whatwg_encoding"

    @cython.binding(True)
    def __init__(self, *args):
        super().__init__(*args)


def quote(value):
    """Return the representation of a value for a message, cut: what comes from a network may be megabytes long."""
    cdef str text = exact_str(value) if isinstance(value, str) else repr(value)
    cdef str start = text[:QUOTED]
    show = repr if isinstance(value, str) else str
    while len(show(start)) > QUOTED + 2:  # escapes
        start = start[: len(start) // 2]
    return show(start) if len(start) == len(text) else f"{show(start)}... ({len(text)} characters)"
