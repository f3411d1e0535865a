# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Encoding, Decoder and Encoder, the registry of labels, and the package's other compiled functions.

Text is decoded and encoded by decode.pxi and encode.pxi.
https://encoding.spec.whatwg.org/
"""

import codecs
import os

cimport cython
from cpython.buffer cimport PyBUF_CONTIG, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport PyObject, Py_XDECREF
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr, memcpy, memset, strchr, strlen

from whatwg_encoding._native.text.engine cimport *
from whatwg_encoding._native.text.error_handlers cimport *
from whatwg_encoding._native.text.kernels cimport *
from whatwg_encoding._native.text.objects cimport *
from whatwg_encoding._native.text.source cimport SLICE, Source, bytes_of, close_source, not_data, open_source


# The engine of the process, with the only table of codecs. The interpreters share it: the codecs are static data, which
# the first interpreter that uses one enters, and each level of instructions gives the same results.
cdef we_engine ENGINE

cdef class Encoding  # which has its codec in the engine

include "exceptions.pxi"
include "features.pxi"
include "decode.pxi"
include "encode.pxi"

ENGINE.simd = simd_level()
# For the other compiled modules.
ENGINE_CAPSULE = PyCapsule_New(&ENGINE, "whatwg_encoding.engine", NULL)


# --- Encodings and the registry of labels -----------------------------------------------------------------------------

cdef extern from *:
    """
    #define we_set_type_name(type, name) (((PyTypeObject *)(type))->tp_name = (name))
    """
    void *PyInterpreterState_Get()
    void we_set_type_name(object type, const char *name)


@cython.final
cdef class _Registry:
    """The encodings of an interpreter by name and by label, and the classes of their decoders and encoders."""

    cdef dict by_name
    cdef dict by_label
    cdef object code_pages  # by name: no label names them; None until they are loaded
    cdef object decoder
    cdef object encoder
    cdef object decoded  # `Decoded`, None until it is needed: making a named tuple takes longer than this import
    cdef object last_label  # that was looked up, and its encoding
    cdef Encoding last_encoding

    def __cinit__(self):
        self.by_name = {}
        self.by_label = {}
        self.last_label = self.by_name  # no label

    def __dealloc__(self):
        global last_interpreter
        if last_registry == <void *> self:
            last_interpreter = NULL


_REGISTRY = _Registry()
# The registry that was used last, borrowed from its encodings, and its interpreter: a lookup of the Python object
# above would take longer than that of a label.
cdef void *last_registry = NULL
cdef void *last_interpreter = NULL


cdef inline _Registry registry():
    """Return the registry of the current interpreter."""
    global last_registry, last_interpreter
    if last_interpreter != PyInterpreterState_Get():
        last_registry = <void *> <_Registry?> _REGISTRY
        last_interpreter = PyInterpreterState_Get()
    return <_Registry> last_registry


@cython.final
@cython.no_gc_clear  # so that the registry is never None
cdef class Encoding:
    # inspect.signature reads the first line of this docstring and of the other classes'; __doc__ omits it.
    """Encoding(*properties)\n--\n
    One of the 40 encodings of the standard: its names, its decoder and its encoder.

    Each encoding is a single object, so encodings compare by identity. Get one by label from `lookup`, or use a
    constant of the package. https://encoding.spec.whatwg.org/#encoding

    >>> import whatwg_encoding
    >>> whatwg_encoding.SHIFT_JIS.decode(b"\\x83n\\x83\\x8d\\x81[")
    'ハロー'
    """

    cdef readonly str name
    """The standard's name, such as "Shift_JIS". https://encoding.spec.whatwg.org/#name"""
    cdef readonly tuple labels
    """The labels, in lowercase. https://encoding.spec.whatwg.org/#label"""
    cdef readonly bint is_single_byte
    """Whether each byte is a character: the 28 encodings of chapter 9, x-user-defined and such code pages."""
    cdef readonly bint is_ascii_compatible
    """Whether text in ASCII is the same bytes: not in UTF-16BE/LE, ISO-2022-JP, replacement and some code pages."""
    cdef readonly bint has_encoder
    """Whether text can be encoded: not in UTF-16BE/LE and replacement. https://encoding.spec.whatwg.org/#encoder"""
    cdef str module
    cdef str output_name
    cdef _Registry registry
    cdef int position  # in the standard's order, and in the engine
    cdef object _codec_info

    def __cinit__(self, *properties):
        if not properties or type(properties[0]) is not _Registry:
            raise TypeError("cannot create Encoding instances: use lookup() or a constant")
        (self.registry, self.position, self.name, self.module, self.output_name, self.is_single_byte,
         self.is_ascii_compatible, self.has_encoder, labels) = properties
        self.labels = tuple([intern(label) for label in labels.split()])  # a look-up finds the same object sooner

    def __repr__(self):
        return f"<Encoding {self.name}>"

    def __str__(self):
        return self.name

    def __format__(self, spec):
        return format(self.name, spec)

    def __reduce__(self):
        if self.position >= WE_ENCODINGS:
            from whatwg_encoding.code_pages import lookup as lookup_code_page
            return lookup_code_page, (self.name,)
        return lookup, (self.name,)

    @property
    def output_encoding(self):
        """The encoding that forms and URLs use for this one: UTF-8 for replacement and UTF-16BE/LE, else itself.

        https://encoding.spec.whatwg.org/#get-an-output-encoding
        """
        if self.output_name == self.name:
            return self
        return self.registry.by_name[self.output_name]

    @property
    def is_legacy(self):
        """Whether this is any encoding other than UTF-8. https://encoding.spec.whatwg.org/#legacy-encodings"""
        return self.name != "UTF-8"

    @property
    def is_utf_16(self):
        """Whether this is UTF-16BE or UTF-16LE. https://encoding.spec.whatwg.org/#utf-16be-le"""
        return self.name == "UTF-16BE" or self.name == "UTF-16LE"

    @property
    def codec_info(self):
        """The `codecs.CodecInfo` of this encoding for Python's codec machinery, with Python's error handlers."""
        if self._codec_info is None:
            from whatwg_encoding._codecs import codec_info
            info = codec_info(self)
            if self._codec_info is None:  # two threads may run this at once
                self._codec_info = info
        return self._codec_info

    def python_codec(self, data=None):
        """Return the name of one of Python's codecs that decodes ``data`` to the same text, None if none does.

        Without ``data``: of one that decodes all data without an error to the same text, as ``cp932`` does that of
        Shift_JIS. Data with an error has no such codec. For programs that take a codec's name: the codecs that
        `register_codecs` registers decode everything. Raise TypeError for data without a contiguous buffer.
        """
        from whatwg_encoding.names import python_codec
        return python_codec(self, data)

    def decode(self, data, errors="replacement"):
        """Return the text of ``data``, decoded to end-of-queue. A byte order mark is decoded, not removed.

        ``data`` is any object with a contiguous buffer. ``errors`` is "replacement", which gives U+FFFD for each error,
        or "fatal". Raise TypeError for other data, ValueError for other ``errors``, and UnicodeDecodeError in fatal
        mode; its ``start`` and ``end`` delimit the bytes of the first error.
        https://encoding.spec.whatwg.org/#concept-encoding-run
        """
        return decode_to_string(self, data, decode_policy(errors))

    def encode(self, text, errors="html"):
        """Return the bytes of ``text``, where a reference such as ``&#9731;`` replaces what the encoding lacks.

        Browsers encode forms in this way, the error mode "html". In mode "fatal" such a character is an error, and so
        is a lone surrogate, which otherwise is encoded as U+FFFD. Raise UnicodeEncodeError in fatal mode, TypeError if
        ``text`` is not a str, ValueError for other ``errors``, and EncoderUnavailableError if the encoding has no
        encoder. https://encoding.spec.whatwg.org/#get-an-encoder
        """
        return encode_to_bytes(encoder_codec_of(self), self.name, as_text(text), encode_policy(errors), None)

    def decode_to_utf8(self, data, errors="replacement"):
        """Return the text of ``data`` as UTF-8 bytes, without an intermediate str.

        Arguments and errors are those of `decode`.
        """
        return decode_to_utf8(self, data, decode_policy(errors))

    def valid_up_to(self, data):
        """Return the number of bytes of ``data`` before the first decoding error, ``len(data)`` if there is none."""
        return count_valid(self, data)

    def encoded_length(self, text, errors="html"):
        """Return the number of bytes of ``encode(text, errors)`` without allocating them. Raise what that raises."""
        return count_encoded(self, as_text(text), encode_policy(errors))

    def new_decoder(self, errors="replacement"):
        """Return a new `Decoder`, which is a `codecs.IncrementalDecoder`. ``errors``: a mode as in `decode`."""
        return self.registry.decoder(self, errors)

    def new_encoder(self, errors="html"):
        """Return a new `Encoder`, which is a `codecs.IncrementalEncoder`. ``errors``: a mode as in `encode`.

        Raise EncoderUnavailableError if the encoding has no encoder.
        """
        return self.registry.encoder(self, errors)


cdef inline const we_codec *codec_of(Encoding encoding) except NULL:
    """Return the encoding's codec, importing its module on first use."""
    if encoding is None:
        raise RuntimeError("a decoder or encoder whose __init__ was not called has no encoding")
    if ENGINE.encodings[encoding.position].codec == NULL:
        enter_codec(encoding)
    return ENGINE.encodings[encoding.position].codec


cdef int enter_codec(Encoding encoding) except -1:
    # As importlib.import_module, but importing that takes as long as importing this package.
    capsule = __import__("whatwg_encoding._native." + encoding.module, fromlist=("CODECS",)).CODECS[encoding.name]
    ENGINE.encodings[encoding.position].codec = <const we_codec *> PyCapsule_GetPointer(
        capsule, "whatwg_encoding.codec"
    )
    return 0


def load_codec(Encoding encoding not None):
    """Enter an encoding's codec in the engine, importing its module on first use; return the encoding's position."""
    codec_of(encoding)
    return encoding.position


cdef inline const we_codec *encoder_codec_of(Encoding encoding) except NULL:
    if encoding is not None and not encoding.has_encoder:
        raise EncoderUnavailableError(
            f"{encoding.name} has no encoder; its output encoding is {encoding.output_name} (Encoding.output_encoding)"
        )
    return codec_of(encoding)


cdef tuple define_encodings(tuple properties):
    """Create the encodings from their generated properties; return the mappings from names and from labels to them."""
    cdef _Registry known = registry()
    known.decoder, known.encoder = Decoder, Encoder
    for position, names_and_flags in enumerate(properties):
        encoding = Encoding(known, position, *names_and_flags)
        known.by_name[encoding.name] = encoding
        for label in encoding.labels:
            known.by_label[label] = encoding
    # This is types.MappingProxyType; importing types would take a fifth of this package's import time.
    read_only = type(type.__dict__)
    return read_only(known.by_name), read_only(known.by_label)


def define_code_pages(properties):
    """Return the mapping from names to the code pages outside the standard, which are created on the first call.

    ``properties``: a name, is_single_byte, is_ascii_compatible and the labels of each, which no look-up finds.
    """
    cdef _Registry known = registry()
    if known.code_pages is None:
        pages = {
            name: Encoding(known, WE_ENCODINGS + position, name, "code_pages", name, is_single, is_ascii, True, labels)
            for position, (name, is_single, is_ascii, labels) in enumerate(properties)
        }
        if known.code_pages is None:  # two threads may run this at once
            known.code_pages = type(type.__dict__)(pages)
    return known.code_pages


def lookup(label):
    """Return the encoding that ``label`` names: "get an encoding".

    Surrounding ASCII whitespace is removed, and labels match ASCII case-insensitively. Raise UnknownLabelError (a
    LookupError) for a label of no encoding, TypeError if it is not a str.
    https://encoding.spec.whatwg.org/#concept-encoding-get

    >>> lookup(" Latin1 ")
    <Encoding windows-1252>
    """
    return find_encoding(label)


cdef Encoding find_encoding(label):
    cdef _Registry known = registry()
    if WE_HAS_GIL and label is known.last_label:  # most calls repeat it: comparing its text would take longer
        return known.last_encoding
    cdef dict encodings = known.by_label
    encoding = encodings.get(label) if type(label) is str else None
    if encoding is not None:
        if WE_HAS_GIL:
            known.last_label, known.last_encoding = label, encoding
        return encoding
    if not isinstance(label, str):
        raise TypeError(f"a label must be a str, not {type(label).__name__}")
    cdef str text = exact_str(label)
    stripped = text.strip("\t\n\f\r ")
    encoding = encodings.get(stripped.lower()) if stripped.isascii() else None
    if encoding is None:
        error = UnknownLabelError(f"unknown encoding label {quote(text)}")
        error._label = stripped[:QUOTED]
        raise error
    return encoding


cdef inline Encoding as_encoding(encoding):
    """Return the encoding that an Encoding or a label stands for. Raise TypeError for anything else."""
    if type(encoding) is Encoding:
        return <Encoding> encoding
    if isinstance(encoding, str):
        return find_encoding(encoding)
    raise TypeError(f"an encoding must be an Encoding or a label, not {type(encoding).__name__}")


# The escape sequences of ISO-2022-JP to ASCII, Roman, katakana and twice jis0208, for the modules in Python.
ISO_2022_JP_ESCAPES = tuple([
    bytes((WE_ESCAPE, number >> 8, number & 0xFF))
    for number in (
        WE_ESCAPE_TO_ASCII, WE_ESCAPE_TO_ROMAN, WE_ESCAPE_TO_KATAKANA, WE_ESCAPE_TO_JIS0208,
        WE_ESCAPE_TO_JIS0208_OF_1978,
    )
])


include "error_policy.pxi"


# --- Decoder ----------------------------------------------------------------------------------------------------------


cdef class _Coder:
    """What `_Decoder` and `_Encoder` share. Without the GIL each call locks its object: concurrent calls are safe."""

    cdef readonly Encoding encoding
    """The encoding."""
    cdef readonly str errors
    """The error mode, or the name of one of Python's error handlers."""
    cdef Policy policy
    cdef bint is_pythonic  # errors names one of Python's error handlers
    cdef object handler

    def __reduce__(self):
        codec_of(self.encoding)  # raises if __init__ was not called
        return _restore_coder, (
            type(self), self.encoding, self.errors, self.is_pythonic, self.getstate(), getattr(self, "error_count", 0)
        ), getattr(self, "__dict__", None) or None

    def __repr__(self):
        kind = "Decoder" if isinstance(self, _Decoder) else "Encoder"
        return f"<{kind} {'without an encoding' if self.encoding is None else f'{self.encoding.name} {self.errors}'}>"


cdef int begin_coder(_Coder coder, Encoding encoding, errors, bint is_pythonic) except -1:
    """Initialize what both share. ``errors``: a mode, or if ``is_pythonic`` the name of a handler of Python's."""
    cdef bint decodes = isinstance(coder, _Decoder)
    coder.handler = handler_named(errors) if is_pythonic else None
    if is_pythonic:
        coder.policy = policy_of_handler(coder.handler, encoding, decodes)
    else:
        coder.policy = decode_policy(errors) if decodes else encode_policy(errors)
    coder.is_pythonic = is_pythonic
    coder.encoding = encoding
    coder.errors = exact_str(errors)
    if decodes:
        codec_of(encoding)
    else:
        encoder_codec_of(encoding)
    return 0


cdef _Coder new_coder(type, Encoding encoding, errors, bint is_pythonic):
    """Return a new object of this class in its initial state, which is all zeros."""
    cdef _Coder coder = type.__new__(type)
    begin_coder(coder, encoding, errors, is_pythonic)
    return coder


def _restore_coder(type, encoding, errors, is_pythonic, state, error_count):
    """Return a decoder or an encoder in the given state. Used by copy and pickle."""
    coder = new_coder(type, as_encoding(encoding), errors, is_pythonic)
    coder.setstate(state)
    if isinstance(coder, _Decoder):
        (<_Decoder> coder).error_count = error_count
    return coder


cdef class _Decoder(_Coder):
    """_Decoder(encoding, errors='replacement')\n--\n
    The compiled base class of `Decoder`."""

    cdef readonly size_t error_count
    """The number of errors replaced since construction or reset."""
    cdef we_decoder_state state
    cdef uint8_t[WE_MAX_PENDING] pending
    cdef size_t pending_length
    cdef we_decoder_state state_after_error  # of fatal mode
    cdef int expected  # the kind that the next text is likely to have: see Text
    cdef list log  # of `record_errors`
    cdef size_t records_left

    @cython.critical_section
    def __init__(self, encoding, errors="replacement"):
        begin_coder(self, as_encoding(encoding), errors, False)
        clear_decoder(self)

    @cython.critical_section
    def decode(self, data, final=False):
        """Return the text of the pending bytes followed by ``data``; keep an incomplete sequence at the end.

        If ``final`` is true, an incomplete sequence is an error, and the decoder is ready for another input. Raise
        TypeError if ``data`` has no contiguous buffer, and UnicodeDecodeError in fatal mode; its ``object`` is the
        pending bytes followed by ``data``, and the decoder is reset.
        https://encoding.spec.whatwg.org/#concept-encoding-process
        """
        cdef Source source
        open_source(data, &source)
        try:
            if source.length <= FEW:
                few = decode_few(self, &source, bool(final))
                if few is not None:
                    return few
            if self.is_pythonic and self.pending_length != 0:
                # A handler may return a position within the pending bytes, so they and the chunk are joined.
                data = pending_bytes(self) + bytes_of(data, &source)
                close_source(&source)
                open_source(data, &source)
            return decode_chunk(self, data, &source, bool(final))
        finally:
            close_source(&source)

    @cython.critical_section
    def reset(self):
        """Discard pending bytes, the state and the error count."""
        clear_decoder(self)

    @cython.critical_section
    def getstate(self):
        """Return the pending bytes and the rest of the state as an int: see `codecs.IncrementalDecoder.getstate`."""
        flags = (self.state.iso_2022_jp_decoder_output_state | self.state.iso_2022_jp_output << 2
                 | self.state.replacement_error_returned << 3)
        return PyBytes_FromStringAndSize(<char *> self.pending, <Py_ssize_t> self.pending_length), flags

    @cython.critical_section
    def setstate(self, state):
        """Set the state to one that `getstate` returned. Raise TypeError or ValueError for anything else."""
        try:
            pending, flags = state
        except (TypeError, ValueError):
            pending = flags = None
        if not isinstance(pending, bytes) or not isinstance(flags, int):
            raise TypeError("the state must be a tuple of bytes and int")
        if PyBytes_GET_SIZE(pending) > WE_MAX_PENDING or not 0 <= flags < 16:
            raise ValueError(f"{quote(state)} is not the state of a decoder")
        self.pending_length = <size_t> PyBytes_GET_SIZE(pending)
        memcpy(self.pending, PyBytes_AS_STRING(pending), self.pending_length)
        self.state.iso_2022_jp_decoder_output_state = flags & 3
        self.state.iso_2022_jp_output = flags >> 2 & 1
        self.state.replacement_error_returned = flags >> 3 & 1


cdef void clear_decoder(_Decoder decoder) noexcept:
    decoder.pending_length = 0
    decoder.error_count = 0
    memset(&decoder.state, 0, sizeof(we_decoder_state))


cdef bytes pending_bytes(_Decoder decoder):
    return PyBytes_FromStringAndSize(<char *> decoder.pending, <Py_ssize_t> decoder.pending_length)


cdef enum:
    FEW = 64  # upper bound on the bytes of a chunk that are copied behind the pending ones


cdef str decode_few(_Decoder decoder, const Source *source, bint final):
    """Decode the pending bytes and at most FEW more; return None, with nothing changed, if there is an error."""
    cdef uint8_t[WE_MAX_PENDING + FEW] joined
    cdef we_decoder state
    cdef Source whole
    we_decoder_init(&state, &ENGINE, codec_of(decoder.encoding), WE_FATAL)
    state.state = decoder.state
    memcpy(joined, decoder.pending, decoder.pending_length)
    memcpy(joined + decoder.pending_length, source.bytes, source.length)
    whole.is_view = False
    whole.bytes = joined
    whole.length = decoder.pending_length + source.length
    text = decode_short(&state, &whole, final, decoder.expected)
    if text is None:
        return None
    if PyUnicode_GET_LENGTH(text) != 0:
        decoder.expected = WE_UCS2 if kind_of_string(text) == WE_UCS2 else WE_UCS1
    if final:
        memset(&state.state, 0, sizeof(we_decoder_state))
    decoder.state = state.state
    memcpy(decoder.pending, state.pending, WE_MAX_PENDING)
    decoder.pending_length = state.pending_length
    return text


cdef str decode_chunk(_Decoder decoder, object data, Source *source, bint final):
    cdef Text text
    # Copies of the decoder's fields, since an error handler may modify the decoder.
    cdef Policy policy = decoder.policy
    cdef Encoding encoding = decoder.encoding
    cdef bytes pending = b""
    if decoder.pending_length == 0:
        ascii = decode_ascii(codec_of(encoding), source)
        if ascii is not None:
            if final:
                memset(&decoder.state, 0, sizeof(we_decoder_state))  # which setstate may have set to anything
            return ascii
    if policy == REPLACEMENT and decoder.records_left != 0:
        policy = RECORD
    begin_text(&text, encoding, mode_of(policy), source, final)
    text.decoder.state = decoder.state
    text.decoder.error_count = decoder.error_count
    text.expected = decoder.expected
    if decoder.pending_length != 0 and not decoder.is_pythonic:  # else the chunk begins with them
        memcpy(text.decoder.pending, decoder.pending, WE_MAX_PENDING)
        text.decoder.pending_length = <uint8_t> decoder.pending_length
        if policy == FATAL or policy == RECORD:
            pending = pending_bytes(decoder)
    try:
        result = decode_text(
            &text, data, pending, encoding.name, policy, decoder.handler, decoder.log, decoder.records_left
        )
    except UnicodeDecodeError:
        if policy == FATAL:
            clear_decoder(decoder)
            decoder.state_after_error = text.decoder.state
        raise
    if policy == RECORD:
        decoder.records_left -= <size_t> len(decoder.log)
    decoder.error_count = text.decoder.error_count
    decoder.expected = kind_of_end(result)
    if final:
        decoder.pending_length = 0
        memset(&decoder.state, 0, sizeof(we_decoder_state))
    else:
        decoder.state = text.decoder.state
        memcpy(decoder.pending, text.decoder.pending, WE_MAX_PENDING)
        decoder.pending_length = text.decoder.pending_length
    return result


class Decoder(_Decoder, codecs.IncrementalDecoder):
    """An incremental decoder. The text does not depend on how the input is split into chunks.

    ``errors`` is that of `Encoding.decode`. ``error_count`` is the number of errors replaced since construction or
    reset. Use a decoder in one thread at a time. It can be copied and pickled.
    https://encoding.spec.whatwg.org/#decoder
    """

    __module__ = "whatwg_encoding"
    __slots__ = ()


def decode_many(items, errors="replacement", *, encoding=None):
    r"""Return a list of the texts of ``items``: pairs of data and its encoding or label, decoded by `Encoding.decode`.

    With ``encoding``, an encoding or label, the items are data alone, all in that encoding. ``errors`` applies to all
    of them. Raise what `lookup` and `Encoding.decode` raise.

    >>> decode_many([b"\x82\xa0", b"\x82\xa2"], encoding="shift_jis")
    ['あ', 'い']
    """
    cdef Policy policy = decode_policy(errors)
    cdef bint are_pairs = encoding is None
    cdef Encoding shared = None if are_pairs else as_encoding(encoding)
    cdef object last = None  # the previous item's encoding or label, since most items repeat it
    cdef list texts = []
    cdef size_t count = 0
    for data in items:
        if are_pairs:
            try:
                data, encoding = data
            except (TypeError, ValueError):
                raise TypeError(f"items must be pairs of data and an encoding, not {quote(data)}") from None
            if encoding is not last or shared is None:
                shared = as_encoding(encoding)
                last = encoding
        texts.append(decode_to_string(shared, data, policy))
        count += 1
        if count % ERRORS_BETWEEN_CHECKS == 0:
            PyErr_CheckSignals()
    return texts


def record_errors(_Decoder decoder not None, list log not None, size_t most):
    """Let a decoder of the mode "replacement" append its next errors to a list, at most ``most`` of them.

    An item is a tuple: the offset in the chunk, negative if the error begins in pending bytes; the index in the
    chunk's text of the U+FFFD that replaces it; its bytes; the reason. The caller empties the list after each chunk.
    """
    decoder.log = log
    decoder.records_left = most


def resume_after_error(_Decoder decoder not None):
    """Set the state of a decoder whose last call raised an error in fatal mode to that after the error.

    Nothing is pending: the bytes after the error are those of its ``object``.
    """
    decoder.state = decoder.state_after_error


include "encoder.pxi"
include "decoded.pxi"


# --- Python's error handlers: for its codecs --------------------------------------------------------------------------


@cython.final
cdef class Codec:
    """The functions of an encoding's `codecs.CodecInfo`, which take the names of Python's error handlers.

    A handler matters to text with an error alone. A short one is decoded or encoded without it first, since to look it
    up would take a third of the time.
    """

    cdef Encoding encoding

    def __init__(self, Encoding encoding not None):
        self.encoding = encoding

    def __reduce__(self):
        return Codec, (self.encoding,)

    def decode(self, data, str errors="strict"):
        """Return the text, decoded with an error handler of Python's, and the number of bytes."""
        cdef Encoding encoding = self.encoding
        cdef Source source
        open_source(data, &source)
        try:
            text = decode_whole(encoding, &source)
            if text is None:
                handler = handler_named(errors)
                text = decode_source(encoding, data, &source, policy_of_handler(handler, encoding, True), handler)
            return text, source.length
        finally:
            close_source(&source)

    def encode(self, text, str errors="strict"):
        """Return the bytes, encoded with an error handler of Python's, and the length of ``text``."""
        cdef Encoding encoding = self.encoding
        cdef const we_codec *codec = encoder_codec_of(encoding)
        cdef str string = as_text(text)
        data = encode_whole(codec, string, WE_STOP)
        if data is None:
            handler = handler_named(errors)
            data = encode_to_bytes(codec, encoding.name, string, policy_of_handler(handler, encoding, False), handler)
        return data, PyUnicode_GET_LENGTH(string)


def new_decoder_with_handler(Encoding encoding not None, errors="strict"):
    """Return a new decoder with one of Python's error handlers."""
    return new_coder(Decoder, encoding, errors, True)


def new_encoder_with_handler(Encoding encoding not None, errors="strict"):
    """Return a new encoder with one of Python's error handlers."""
    return new_coder(Encoder, encoding, errors, True)


include "recode.pxi"


# The public names, in tracebacks and pickles.
we_set_type_name(Encoding, b"whatwg_encoding.Encoding")
for public in (_restore_coder, bom_sniff, cpu_features, decode, decode_many, lookup, recode):
    public.__module__ = "whatwg_encoding"
del public


# --- The encodings of the standard: ENCODINGS, LABELS and CONSTANTS, from generated/ ----------------------------------

include "labels.pxi"
