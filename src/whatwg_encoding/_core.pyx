# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Encoding, Decoder and Encoder, the registry of labels, and what else Python calls.

What they do is done below: _decode.pxd and _encode.pxd, which are compiled into this module. https://encoding.spec.whatwg.org/
"""

import codecs
import os

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from whatwg_encoding._decode cimport *
from whatwg_encoding._encode cimport *
from whatwg_encoding._engine cimport *
from whatwg_encoding._errors cimport *
from whatwg_encoding._kernels cimport *
from whatwg_encoding._objects cimport *
from whatwg_encoding._source cimport Source, bytes_of, close_source, open_source


class UnknownLabelError(LookupError):
    """Raised for a label that "get an encoding" fails on. https://encoding.spec.whatwg.org/#concept-encoding-get"""

    @cython.binding(True)  # so that it has a signature
    def __init__(self, *args):
        super().__init__(*args)


class EncoderUnavailableError(LookupError):
    """Raised where an encoder is asked of replacement, UTF-16BE or UTF-16LE. https://encoding.spec.whatwg.org/#encoder"""

    @cython.binding(True)
    def __init__(self, *args):
        super().__init__(*args)


# --- The machine's features -------------------------------------------------------------------------------------------


cdef list simd_names(int best):
    """Return the names of all levels up to the best. (No comprehension: those of Cython 3.3 free an item twice when memory is out.)"""
    cdef list names = []
    cdef int level
    for level in range(best + 1):
        names.append(we_simd_name(level).decode())
    return names


cdef int simd_level() except -1:
    """Return the instruction set that the kernels use: the best one, or the one that WHATWG_ENCODING_SIMD names."""
    cdef int best = we_simd_best()
    name = os.environ.get("WHATWG_ENCODING_SIMD", "")
    if not name:
        return best
    cdef bytes encoded = name.encode("ascii", "replace")
    cdef int level = we_simd_from_name(encoded, best)
    if level < 0:
        raise ImportError(f"WHATWG_ENCODING_SIMD is {name!r}; this machine has {', '.join(simd_names(best))}")
    return level


cdef we_engine ENGINE
ENGINE.simd = simd_level()
# The engine asks for these where there is a byte order mark or a source in UTF-8, and to validate UTF-8.
ENGINE.utf_8 = ENGINE.utf_16be = ENGINE.utf_16le = NULL


def cpu_features():
    """Return what the kernels use here and what they could use: ``{"simd": name, "available": names}``, slowest first.

    The environment variable ``WHATWG_ENCODING_SIMD``, read when the package is imported, forces one of them.
    """
    return {
        "simd": we_simd_name(ENGINE.simd).decode(),
        "available": tuple(simd_names(we_simd_best())),
    }


# --- Encodings and the registry of labels -----------------------------------------------------------------------------

cdef object CONSTRUCTION = object()
cdef dict BY_NAME = {}
cdef dict BY_LABEL = {}
cdef Py_ssize_t QUOTED = 60  # characters of a value that a message repeats


@cython.final
cdef class Encoding:
    # The first lines of this and of the other classes' docstrings are what inspect.signature reads; __doc__ is without them.
    """Encoding(*facts)\n--\n
    One of the 40 encodings of the standard: its names, its decoder and its encoder.

    There is one object for each, so that they compare by identity; `lookup` finds it by a label, and each is a constant of the
    package. https://encoding.spec.whatwg.org/#encoding

    >>> import whatwg_encoding
    >>> whatwg_encoding.SHIFT_JIS.decode(b"\\x83n\\x83\\x8d\\x81[")
    'ハロー'
    """

    cdef readonly str name
    cdef readonly tuple labels
    cdef readonly bint is_single_byte
    cdef readonly bint is_ascii_compatible
    cdef readonly bint has_encoder
    cdef str module
    cdef str output_name
    cdef const we_codec *codec
    cdef object _codec_info

    def __cinit__(self, *facts):
        if not facts or facts[0] is not CONSTRUCTION:
            raise TypeError("there are no encodings but the standard's: use lookup() or a constant")
        (_, self.name, self.module, self.output_name, self.is_single_byte, self.is_ascii_compatible, self.has_encoder,
         self.labels) = facts
        self.codec = NULL

    def __repr__(self):
        return f"<Encoding {self.name}>"

    def __reduce__(self):
        return lookup, (self.name,)

    @property
    def output_encoding(self):
        """The encoding that forms and URLs use for this one: UTF-8 for replacement and UTF-16BE/LE, else itself.

        https://encoding.spec.whatwg.org/#get-an-output-encoding
        """
        return BY_NAME[self.output_name]

    @property
    def is_legacy(self):
        """Whether it is any but UTF-8. https://encoding.spec.whatwg.org/#legacy-encodings"""
        return self.name != "UTF-8"

    @property
    def codec_info(self):
        """The `codecs.CodecInfo` of this encoding for Python's codec machinery, with Python's error handlers."""
        # Two threads may come here at once: they get the same object, which _codecs keeps.
        if self._codec_info is None:
            from importlib import import_module
            self._codec_info = import_module("whatwg_encoding._codecs").codec_info(self)
        return self._codec_info

    def decode(self, data, errors="replacement"):
        """Return the text of ``data``, decoded to end-of-queue; a byte order mark is decoded like anything else.

        ``data`` is any object with a contiguous buffer, else a TypeError. ``errors`` is "replacement", which gives U+FFFD for each
        error, or "fatal", which raises a UnicodeDecodeError whose ``start`` and ``end`` are the bytes of the first one.
        https://encoding.spec.whatwg.org/#concept-encoding-run
        """
        return decode_to_string(ENGINE.simd, codec_of(self), self.name, data, decode_policy(errors), None)

    def encode(self, text, errors="html"):
        """Return the bytes of ``text``, encoded to end-of-queue.

        ``errors`` is "html", which gives ``&#`` decimal ``;`` for a code point that the encoding lacks, or "fatal", which raises a
        UnicodeEncodeError at its position. A lone surrogate is U+FFFD, but an error in "fatal" mode. An EncoderUnavailableError if
        the encoding has no encoder. https://encoding.spec.whatwg.org/#get-an-encoder
        """
        return encode_to_bytes(&ENGINE, encoder_codec_of(self), self.name, as_text(text), encode_policy(errors), None)

    def decode_to_utf8(self, data, errors="replacement"):
        """Return the text of ``data`` as UTF-8, without a str in between; like `decode` otherwise."""
        return decode_to_utf8(&ENGINE, codec_of(self), self.name, data, decode_policy(errors))

    def valid_up_to(self, data):
        """Return how many bytes of ``data`` lie before the first error of this encoding's decoder; all of them if there is none."""
        return count_valid(&ENGINE, codec_of(self), data)

    def encoded_length(self, text, errors="html"):
        """Return how many bytes `encode` gives for ``text``, without making them. Raise what `encode` raises."""
        return count_encoded(&ENGINE, encoder_codec_of(self), self.name, as_text(text), encode_policy(errors))

    def new_decoder(self, errors="replacement"):
        """Return a `Decoder` of this encoding: a `codecs.IncrementalDecoder` with the errors modes of `decode`."""
        return Decoder(self, errors)

    def new_encoder(self, errors="html"):
        """Return an `Encoder` of this encoding: a `codecs.IncrementalEncoder` with the errors modes of `encode`.

        An EncoderUnavailableError if the encoding has none.
        """
        return Encoder(self, errors)

    def _decode_with_handler(self, data, errors="strict"):
        """Decode with an error handler of Python's: ``errors`` is a name that `codecs.lookup_error` knows."""
        handler = codecs.lookup_error(exact_str(errors))
        return decode_to_string(ENGINE.simd, codec_of(self), self.name, data, policy_of_decode_handler(handler), handler)

    def _encode_with_handler(self, text, errors="strict"):
        """Encode with an error handler of Python's: ``errors`` is a name that `codecs.lookup_error` knows."""
        handler = codecs.lookup_error(exact_str(errors))
        return encode_to_bytes(
            &ENGINE, encoder_codec_of(self), self.name, as_text(text), policy_of_encode_handler(handler), handler
        )

    def _new_decoder_with_handler(self, errors="strict"):
        """Return a decoder with an error handler of Python's."""
        decoder = Decoder.__new__(Decoder)
        begin_decoder_by_handler(decoder, self, exact_str(errors))
        return decoder

    def _new_encoder_with_handler(self, errors="strict"):
        """Return an encoder with an error handler of Python's."""
        encoder = Encoder.__new__(Encoder)
        begin_encoder_by_handler(encoder, self, exact_str(errors))
        return encoder


cdef inline const we_codec *codec_of(Encoding encoding) except NULL:
    """Return the encoding's loops. Their module is imported when they are first needed."""
    if encoding is None:
        raise RuntimeError("a decoder or encoder whose __init__ was not called has no encoding")
    if encoding.codec == NULL:
        load_codec(encoding)
    return encoding.codec


cdef int load_codec(Encoding encoding) except -1:
    from importlib import import_module  # here, so that importing the package does not wait for it
    module = import_module("whatwg_encoding._" + encoding.module)
    encoding.codec = <const we_codec *> PyCapsule_GetPointer(module.CODECS[encoding.name], "whatwg_encoding.codec")
    if encoding.name == "UTF-8":
        ENGINE.utf_8 = encoding.codec
    return 0


cdef inline const we_codec *encoder_codec_of(Encoding encoding) except NULL:
    if encoding is not None and not encoding.has_encoder:
        raise EncoderUnavailableError(
            f"{encoding.name} has no encoder; its output encoding is {encoding.output_name} (Encoding.output_encoding)"
        )
    return codec_of(encoding)


def _define_encodings(facts):
    """Return the mappings from names and from labels to encodings, made from the generated facts once."""
    for name, module, output_name, is_single_byte, is_ascii_compatible, has_encoder, labels in facts:
        encoding = Encoding(CONSTRUCTION, name, module, output_name, is_single_byte, is_ascii_compatible, has_encoder, labels)
        BY_NAME[name] = encoding
        for label in labels:
            BY_LABEL[label] = encoding
    # The type that the module types calls MappingProxyType: importing that module takes a fifth of this package's import.
    read_only = type(type.__dict__)
    return read_only(BY_NAME), read_only(BY_LABEL)


def quote(value):
    """Return the representation of a value for a message, cut: what comes from a network may be megabytes long."""
    cdef str text = exact_str(value) if isinstance(value, str) else repr(value)
    cdef str start = text[:QUOTED]
    show = repr if isinstance(value, str) else str
    while len(show(start)) > QUOTED + 2:  # escapes
        start = start[: len(start) // 2]
    return show(start) if len(start) == len(text) else f"{show(start)}... ({len(text)} characters)"


def lookup(label):
    """Return the encoding that ``label`` names: "get an encoding".

    ASCII white space around it is removed, and only ASCII letters are compared without case. An UnknownLabelError (a LookupError)
    if it names none, a TypeError if it is no str. https://encoding.spec.whatwg.org/#concept-encoding-get

    >>> lookup(" Latin1 ")
    <Encoding windows-1252>
    """
    encoding = BY_LABEL.get(label) if type(label) is str else None
    if encoding is not None:
        return encoding
    return find_encoding(label)


cdef Encoding find_encoding(label):
    if not isinstance(label, str):
        raise TypeError(f"a label must be a str, not {type(label).__name__}")
    cdef str text = exact_str(label)
    stripped = text.strip("\t\n\f\r ")
    encoding = BY_LABEL.get(stripped.lower()) if stripped.isascii() else None
    if encoding is None:
        raise UnknownLabelError(
            f"unknown encoding label {quote(text)}: it is none of the standard's labels (whatwg_encoding.LABELS); "
            "whatwg_encoding.lookup_codec takes names of Python's codecs"
        )
    return encoding


cdef inline Encoding as_encoding(encoding):
    """Return an encoding, given as itself or by a label."""
    if type(encoding) is Encoding:
        return <Encoding> encoding
    if isinstance(encoding, str):
        return lookup(encoding)
    raise TypeError(f"an encoding must be an Encoding or a label, not {type(encoding).__name__}")


cdef Policy decode_policy(errors) except NO_POLICY:
    if errors is "replacement" or errors == "replacement":
        return REPLACEMENT
    if errors == "fatal":
        return FATAL
    raise ValueError(f"errors is {quote(errors)}; a decoder takes 'replacement' or 'fatal'")


cdef Policy encode_policy(errors) except NO_POLICY:
    if errors is "html" or errors == "html":
        return HTML
    if errors == "fatal":
        return FATAL
    raise ValueError(f"errors is {quote(errors)}; an encoder takes 'html' or 'fatal'")


# Python's standard error handlers, which need no call. Another one may be registered under such a name: the function is what counts.
cdef dict DECODE_HANDLERS = {
    codecs.strict_errors: FATAL,
    codecs.replace_errors: REPLACEMENT,
    codecs.ignore_errors: IGNORE,
    codecs.backslashreplace_errors: BACKSLASH_REPLACE,
    codecs.lookup_error("surrogateescape"): SURROGATE_ESCAPE,
}
cdef dict ENCODE_HANDLERS = {
    codecs.strict_errors: STRICT,
    codecs.replace_errors: QUESTION_MARK,
    codecs.ignore_errors: IGNORE,
    codecs.backslashreplace_errors: BACKSLASH_REPLACE,
    codecs.xmlcharrefreplace_errors: REFERENCE_REPLACE,
    codecs.lookup_error("surrogateescape"): SURROGATE_ESCAPE,
}


cdef Policy policy_of_handler(dict known, handler) except NO_POLICY:
    try:
        return <Policy> <int> known.get(handler, <int> HANDLER)
    except TypeError:  # a callable without a hash
        return HANDLER


cdef Policy policy_of_decode_handler(handler) except NO_POLICY:
    return policy_of_handler(DECODE_HANDLERS, handler)


cdef Policy policy_of_encode_handler(handler) except NO_POLICY:
    return policy_of_handler(ENCODE_HANDLERS, handler)


cdef inline str as_text(text):
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    return exact_str(text)


# --- Decoder ----------------------------------------------------------------------------------------------------------


@cython.auto_pickle(False)
cdef class _Decoder:
    """_Decoder(encoding, errors='replacement')\n--\n
    The compiled half of `Decoder`. Where there is no GIL each call locks its decoder, so that misuse by several threads is as
    harmless as it is with one."""

    cdef readonly Encoding encoding
    cdef readonly str errors
    cdef readonly size_t error_count
    cdef Policy policy
    cdef bint is_pythonic  # errors names a handler of Python's
    cdef object handler
    cdef we_decoder_state state
    cdef uint8_t[MAX_PENDING] pending
    cdef size_t pending_length
    cdef uint32_t guess  # the largest code point of the string that the last chunk took; 0: there was none, or it was ASCII

    @cython.critical_section
    def __init__(self, encoding, errors="replacement"):
        self.encoding = as_encoding(encoding)
        self.policy = decode_policy(errors)
        self.is_pythonic = False
        self.handler = None
        self.errors = exact_str(errors)
        codec_of(self.encoding)
        clear_decoder(self)

    def __reduce__(self):
        codec_of(self.encoding)  # raises where there is none
        return _restore_decoder, (
            type(self), self.encoding, self.errors, self.is_pythonic, self.getstate(), self.error_count
        ), getattr(self, "__dict__", None) or None

    @cython.critical_section
    def decode(self, data, final=False):
        """Return the text that ``data`` completes.

        With ``final`` it is the last: an incomplete sequence is an error, and the decoder starts anew. A TypeError if ``data`` has no
        contiguous buffer. In fatal mode a UnicodeDecodeError, whose ``object`` is what was pending followed by ``data``; the decoder is
        reset then. https://encoding.spec.whatwg.org/#concept-encoding-process
        """
        cdef Source source
        open_source(data, &source)
        try:
            if self.is_pythonic and self.pending_length != 0:
                # A handler may go back into what was pending: it and the chunk become one.
                data = behind_pending(self, data, &source)
                close_source(&source)
                open_source(data, &source)
            return decode_chunk(self, data, &source, bool(final))
        finally:
            close_source(&source)

    @cython.critical_section
    def reset(self):
        """Forget what is pending, the state and the error count."""
        clear_decoder(self)

    @cython.critical_section
    def getstate(self):
        """Return the bytes that are pending and a number for the rest of the state, as `codecs.IncrementalDecoder.getstate` has it."""
        flags = (self.state.iso_2022_jp_decoder_output_state | self.state.iso_2022_jp_output << 2
                 | self.state.replacement_error_returned << 3)
        return PyBytes_FromStringAndSize(<char *> self.pending, <Py_ssize_t> self.pending_length), flags

    @cython.critical_section
    def setstate(self, state):
        """Take up a state that `getstate` returned. A ValueError if it can't be one."""
        pending, flags = state
        if not isinstance(pending, bytes) or not isinstance(flags, int):
            raise TypeError("the state must be a tuple of bytes and int")
        if PyBytes_GET_SIZE(pending) > MAX_PENDING or not 0 <= flags < 16:
            raise ValueError(f"{quote(state)} is no state of a decoder")
        self.pending_length = <size_t> PyBytes_GET_SIZE(pending)
        memcpy(self.pending, PyBytes_AS_STRING(pending), self.pending_length)
        self.state.iso_2022_jp_decoder_output_state = flags & 3
        self.state.iso_2022_jp_output = flags >> 2 & 1
        self.state.replacement_error_returned = flags >> 3 & 1


cdef int begin_decoder_by_handler(_Decoder decoder, Encoding encoding, str errors) except -1:
    """Initialize a decoder whose ``errors`` name a handler of Python's."""
    decoder.handler = codecs.lookup_error(errors)
    decoder.policy = policy_of_decode_handler(decoder.handler)
    decoder.is_pythonic = True
    decoder.encoding = encoding
    decoder.errors = errors
    codec_of(encoding)
    clear_decoder(decoder)
    return 0


cdef void clear_decoder(_Decoder decoder) noexcept:
    decoder.pending_length = 0
    decoder.error_count = 0
    decoder.guess = 0
    memset(&decoder.state, 0, sizeof(we_decoder_state))


def _restore_decoder(type, encoding, errors, is_pythonic, state, error_count):
    """Return a decoder in a state: what copying and unpickling call."""
    cdef _Decoder decoder = type.__new__(type)
    if is_pythonic:
        begin_decoder_by_handler(decoder, as_encoding(encoding), errors)
    else:
        _Decoder.__init__(decoder, encoding, errors)
    decoder.setstate(state)
    decoder.error_count = error_count
    return decoder


cdef bytes behind_pending(_Decoder decoder, object data, Source *source):
    """Return what is pending followed by the chunk."""
    return PyBytes_FromStringAndSize(<char *> decoder.pending, <Py_ssize_t> decoder.pending_length) + bytes_of(data, source)


cdef str decode_chunk(_Decoder decoder, object data, Source *source, bint final):
    cdef Text text
    cdef uint8_t[JOIN] join
    # A handler may do anything to this decoder meanwhile.
    cdef Policy policy = decoder.policy
    cdef Encoding encoding = decoder.encoding
    cdef object handler = decoder.handler
    cdef bint is_pythonic = decoder.is_pythonic
    cdef size_t kept = 0 if is_pythonic else min(decoder.pending_length, <size_t> MAX_PENDING), taken, position = 0
    cdef const uint8_t *rest = source.bytes
    cdef size_t rest_length = source.length
    begin_text(&text, ENGINE.simd, codec_of(encoding), mode_of(policy))
    text.run.state = decoder.state
    text.run.error_count = decoder.error_count
    if source.length <= CHEAP_CAPACITY:
        text.guess = decoder.guess
    try:
        if kept != 0:
            # What is pending and the next few bytes, so that the loops see a sequence whole. Three bytes at most are left of
            # them, so that JOIN - MAX_PENDING bytes of the chunk are enough to get into it.
            taken = min(source.length, <size_t> (JOIN - MAX_PENDING))
            memcpy(join, decoder.pending, kept)
            memcpy(join + kept, source.bytes, taken)
            if decode_until_error(&text, join, kept + taken, final and taken == source.length, &position) == WE_MALFORMED:
                raise_decode_error(decoder, &text, data, source, position)
            if taken == source.length:
                rest = join
                rest_length = kept + taken
            else:
                position -= kept
        if rest == source.bytes and not (
            text.guess != 0 and decode_guessed(&text, source.bytes, source.length, final, &position)
        ):
            while decode_until_error(&text, source.bytes, source.length, final, &position) == WE_MALFORMED:
                if policy == FATAL:
                    raise_decode_error(decoder, &text, data, source, position + kept)
                if policy == HANDLER:
                    data = bytes_of(data, source)  # once, for all errors; the source stays open
                position = handle_decode_error(&text, policy, handler, data, source, position, encoding.name)
        result = finish_string(&text)
    finally:
        abandon_text(&text)
    decoder.error_count = text.run.error_count
    if text.run.written > GLANCE and (text.run.max_code_point > 0x7F or not text.codec.is_ascii_compatible):
        decoder.guess = text.run.max_code_point
    if final:
        decoder.pending_length = 0
        memset(&decoder.state, 0, sizeof(we_decoder_state))
    else:
        decoder.state = text.run.state
        decoder.pending_length = min(rest_length - position, <size_t> MAX_PENDING)
        if decoder.pending_length != 0:
            memcpy(decoder.pending, rest + position, decoder.pending_length)
    return result


cdef int raise_decode_error(_Decoder decoder, Text *text, object data, Source *source, size_t end) except -1:
    """Reset the decoder and raise the error that ends at ``end`` of what was pending followed by the chunk."""
    # (With a handler of Python's the chunk begins with what was pending.)
    whole = bytes_of(data, source) if decoder.is_pythonic else behind_pending(decoder, data, source)
    error = decode_error(text, whole, end, decoder.encoding.name)
    clear_decoder(decoder)
    raise error


class Decoder(_Decoder, codecs.IncrementalDecoder):
    """A decoder that takes its input in chunks: any split, empty chunks included, gives what the whole gives.

    ``errors`` is as in `Encoding.decode`. ``error_count`` is how many errors it has replaced since it was new or reset. It belongs to one
    thread at a time. Copies are independent, and it can be pickled. https://encoding.spec.whatwg.org/#decoder
    """

    __slots__ = ()

    def __repr__(self):
        return f"<Decoder {describe(self.encoding, self.errors)}>"


cdef str describe(Encoding encoding, str errors):
    return "without an encoding" if encoding is None else f"{encoding.name} {errors}"


def decode_many(items, errors="replacement"):
    """Return the texts of ``items``, pairs of data and an encoding or label: `Encoding.decode` of each, with little work in between."""
    cdef Policy policy = decode_policy(errors)
    cdef Encoding found = None
    cdef object last = None  # what named the encoding of the last item: most have that of the one before
    cdef list texts = []
    cdef size_t count = 0
    for data, encoding in items:
        if encoding is not last or found is None:
            found = as_encoding(encoding)
            last = encoding
        texts.append(decode_to_string(ENGINE.simd, codec_of(found), found.name, data, policy, None))
        count += 1
        if count % ERRORS_BETWEEN_CHECKS == 0:
            PyErr_CheckSignals()
    return texts


# --- Encoder ----------------------------------------------------------------------------------------------------------


@cython.auto_pickle(False)
cdef class _Encoder:
    """_Encoder(encoding, errors='html')\n--\n
    The compiled half of `Encoder`, with locks as `_Decoder` has them."""

    cdef readonly Encoding encoding
    cdef readonly str errors
    cdef Policy policy
    cdef bint is_pythonic
    cdef object handler
    cdef we_encoder_state state
    cdef uint32_t pending_surrogate

    @cython.critical_section
    def __init__(self, encoding, errors="html"):
        self.encoding = as_encoding(encoding)
        self.policy = encode_policy(errors)
        self.is_pythonic = False
        self.handler = None
        self.errors = exact_str(errors)
        encoder_codec_of(self.encoding)
        clear_encoder(self)

    def __reduce__(self):
        encoder_codec_of(self.encoding)
        return _restore_encoder, (
            type(self), self.encoding, self.errors, self.is_pythonic, self.getstate()
        ), getattr(self, "__dict__", None) or None

    @cython.critical_section
    def encode(self, text, final=False):
        """Return the bytes of ``text``. With ``final`` it is the last: ISO-2022-JP returns to ASCII.

        A leading surrogate at the end is kept, to be joined with a trailing one at the start of the next text. In fatal mode a
        UnicodeEncodeError, whose ``object`` is ``text`` (behind that surrogate, if there is one); the encoder is reset then.
        https://encoding.spec.whatwg.org/#concept-encoding-process
        """
        cdef str string = as_text(text)
        cdef Output output
        cdef uint32_t kept = 0
        cdef size_t length
        if self.pending_surrogate != 0:
            string = chr(self.pending_surrogate) + string
        length = <size_t> PyUnicode_GET_LENGTH(string)
        if not self.is_pythonic and not final and length != 0:
            kept = unit_at(<const uint8_t *> PyUnicode_DATA(string), kind_of_string(string), length - 1)
            if 0xD800 <= kept <= 0xDBFF:
                length -= 1
            else:
                kept = 0
        begin_output(&output, &ENGINE, encoder_codec_of(self.encoding), self.policy)
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
        self.pending_surrogate = kept
        return result

    @cython.critical_section
    def reset(self):
        """Forget a surrogate that is kept, and return to the first state."""
        clear_encoder(self)

    @cython.critical_section
    def getstate(self):
        """Return a number for the state, as `codecs.IncrementalEncoder.getstate` has it; 0 is the first state."""
        return self.state.iso_2022_jp_encoder_state | self.pending_surrogate << 8

    @cython.critical_section
    def setstate(self, state):
        """Take up a state that `getstate` returned. A ValueError if it can't be one."""
        if not isinstance(state, int):
            raise TypeError("the state must be an int")
        surrogate, number = state >> 8, state & 0xFF
        if number not in (WE_ISO_2022_JP_ASCII, WE_ISO_2022_JP_ROMAN, WE_ISO_2022_JP_JIS0208) or (
            surrogate and not 0xD800 <= surrogate <= 0xDBFF
        ):
            raise ValueError(f"{quote(state)} is no state of an encoder")
        self.state.iso_2022_jp_encoder_state = number
        self.pending_surrogate = surrogate

    @cython.critical_section
    def _encode_until_error(self, text, Py_ssize_t start=0):
        """Encode ``text`` from ``start`` until an error or the end, in this encoder's state, which goes on.

        Return bytes, the code point of the error or None, and the position behind what was consumed. End-of-queue is not among it.
        """
        cdef str string = as_text(text)
        cdef Output output
        cdef Unmappable error
        cdef size_t position = <size_t> start
        cdef bint stopped
        if not 0 <= start <= len(string):
            raise IndexError(f"start is {start}; the text has {len(string)} code points")
        begin_output(&output, &ENGINE, encoder_codec_of(self.encoding), FATAL)
        output.encoder.state = self.state
        try:
            stopped = encode_scalar_values(
                &output, <const uint8_t *> PyUnicode_DATA(string), kind_of_string(string),
                <size_t> PyUnicode_GET_LENGTH(string), False, &position, False, &error,
            )
            result = finish_bytes(&output.bytes)
        finally:
            abandon_bytes(&output.bytes)
        self.state = output.encoder.state
        return result, error.code_point if stopped else None, position


cdef int begin_encoder_by_handler(_Encoder encoder, Encoding encoding, str errors) except -1:
    """Initialize an encoder whose ``errors`` name a handler of Python's."""
    encoder.handler = codecs.lookup_error(errors)
    encoder.policy = policy_of_encode_handler(encoder.handler)
    encoder.is_pythonic = True
    encoder.encoding = encoding
    encoder.errors = errors
    encoder_codec_of(encoding)
    clear_encoder(encoder)
    return 0


cdef void clear_encoder(_Encoder encoder) noexcept:
    encoder.pending_surrogate = 0
    memset(&encoder.state, 0, sizeof(we_encoder_state))


def _restore_encoder(type, encoding, errors, is_pythonic, state):
    """Return an encoder in a state: what copying and unpickling call."""
    cdef _Encoder encoder = type.__new__(type)
    if is_pythonic:
        begin_encoder_by_handler(encoder, as_encoding(encoding), errors)
    else:
        _Encoder.__init__(encoder, encoding, errors)
    encoder.setstate(state)
    return encoder


class Encoder(_Encoder, codecs.IncrementalEncoder):
    """An encoder that takes its input in chunks: any split gives what the whole gives, if the last call says ``final``.

    ``errors`` is as in `Encoding.encode`. It belongs to one thread at a time. Copies are independent, and it can be pickled.
    https://encoding.spec.whatwg.org/#encoder
    """

    __slots__ = ()

    def __repr__(self):
        return f"<Encoder {describe(self.encoding, self.errors)}>"


# --- Recoding ---------------------------------------------------------------------------------------------------------


def recode(data, source, target, errors="html"):
    """Return the bytes of ``data`` in another encoding: decoded from ``source``, encoded to ``target``, without a str in between.

    ``errors`` is "html": errors of the source become U+FFFD, and what the target lacks becomes ``&#`` decimal ``;``. Or "fatal": a
    UnicodeDecodeError or a UnicodeEncodeError. The latter's ``object`` is the piece of the text, 64 KiB of the data at most, that the
    error is in.
    An UnknownLabelError or an EncoderUnavailableError as `lookup` and `Encoding.encode` raise them.
    """
    cdef Policy policy = encode_policy(errors)
    cdef Encoding decoding = as_encoding(source), encoding = as_encoding(target)
    cdef const we_codec *codec = codec_of(decoding)
    cdef Source input
    cdef Text text
    cdef Output output
    cdef Unmappable error
    cdef uint32_t[STAGE] stack
    cdef uint32_t *units = stack
    cdef size_t position = 0, encoded, slice_length = STAGE
    cdef int kind
    cdef we_result result
    cdef bint last = False
    begin_output(&output, &ENGINE, encoder_codec_of(encoding), policy)
    open_source(data, &input)
    begin_text(&text, ENGINE.simd, codec, WE_STOP if policy == FATAL else WE_REPLACE)
    try:
        if input.length > STAGE:
            slice_length = GIL_LIMIT if input.length > GIL_LIMIT else GIL_LIMIT // 8
            units = <uint32_t *> PyMem_Malloc(slice_length * sizeof(uint32_t))
            if units == NULL:
                raise MemoryError()
        while not last:
            text.run.source = input.bytes + position
            text.run.source_length = min(input.length - position, slice_length)
            text.run.read = text.run.written = 0
            text.run.end_of_queue = last = position + text.run.source_length == input.length
            if input.length <= GIL_LIMIT:
                result = decode_to_scratch(codec, &text.run, units)
            else:
                with nogil:
                    result = decode_to_scratch(codec, &text.run, units)
            kind = WE_UCS2 if text.run.max_code_point == 0xFFFF else WE_UCS4
            position += text.run.read
            if result == WE_MALFORMED:
                raise decode_error(&text, bytes_of(data, &input), position, decoding.name)
            encoded = 0
            if encode_until_error(&output, <const uint8_t *> units, kind, text.run.written, last, &encoded) == WE_UNMAPPABLE:
                # With HTML references are written by the engine, and a decoder gives no surrogates: this is FATAL.
                error.start = encoded - 1
                error.end = encoded
                error.code_point = output.encoder.code_point
                raise encode_error(
                    encoding.name, PyUnicode_FromKindAndData(<int> unit_size(kind), units, <Py_ssize_t> text.run.written), &error
                )
            PyErr_CheckSignals()
        return finish_bytes(&output.bytes)
    finally:
        if units != stack:
            PyMem_Free(units)
        abandon_bytes(&output.bytes)
        close_source(&input)
