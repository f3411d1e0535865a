# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Convert columns of the Arrow PyCapsule interface. `whatwg_encoding.arrow` is the public module.

The arrays of a producer are imported, validated and converted chunk by chunk; src/native/columns contains what needs no
Python. A `Column` holds the result and exports it any number of times.
https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

cimport cython
from cpython.buffer cimport PyBUF_ND, PyBUF_SIMPLE, PyBUF_STRIDES, PyBUF_WRITABLE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from libc.stdint cimport INT32_MAX, int8_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset, strcmp

from whatwg_encoding._native.columns.columns cimport *
from whatwg_encoding._native.text.engine cimport we_bom_position, we_bom_sniff, we_engine

from whatwg_encoding._native.core import (
    ENGINE_CAPSULE, EncoderUnavailableError, Encoding, UnknownLabelError, load_codec, quote,
)
from whatwg_encoding._code_pages import CODE_PAGES
from whatwg_encoding._labels import ENCODINGS, UTF_8, UTF_16BE, UTF_16LE, lookup

cdef enum:
    # Upper bound on the distinct labels that are cached. Further ones clear the cache.
    KNOWN_LABELS = 1024

ALL = [*ENCODINGS.values(), *CODE_PAGES.values()]  # by position
LAYOUTS = {"string": WE_OFFSETS_32, "large_string": WE_OFFSETS_64, "string_view": WE_VIEWS}
cdef const we_engine *ENGINE = <const we_engine *> PyCapsule_GetPointer(ENGINE_CAPSULE, "whatwg_encoding.engine")


class RowDecodeError(UnicodeDecodeError):
    """Raised for the first error of a column in fatal mode.

    ``row``: the index of the row in the whole column. ``object``: the bytes of that row alone, with the error from
    ``start`` to ``end``. ``encoding``: the name of the encoding of the row, which a byte order mark may have named.
    ``offset``, ``line``, ``column``: where the error is in the row, as in `whatwg_encoding.MalformedAt`.
    """

    __module__ = "whatwg_encoding.arrow"
    row = -1
    offset = line = column = 0

    def __str__(self):
        return f"row {self.row}: {super().__str__()}"


class RowEncodeError(UnicodeEncodeError):
    """Raised for the first unmappable character of a column in fatal mode.

    ``row``: the index of the row in the whole column. ``object``: the text of that row alone, with the character from
    ``start`` to ``end``; a byte that is not UTF-8 is a lone surrogate, as in ``surrogateescape``.
    """

    __module__ = "whatwg_encoding.arrow"
    row = -1

    def __str__(self):
        return f"row {self.row}: {super().__str__()}"

include "column.pxi"
include "sources.pxi"


# --- Encodings --------------------------------------------------------------------------------------------------------

# The dictionary of the names of all encodings, which all results share, and the interpreters of a process.
cdef we_array *NAMES = NULL
cdef we_array *ALL_NAMES = NULL  # with code pages, for a column that is in one


cdef we_array *text_array(list texts) except NULL:
    """Create an array of format "u"."""
    cdef bytes data = "".join(texts).encode()
    cdef we_array *array = made(we_array_of_width("u", "", len(texts) + 1, sizeof(int)))
    cdef uint8_t *target = we_array_add_new(array, len(data))
    cdef int *offsets = <int *> array.blocks[1].bytes
    cdef int i
    if target == NULL:
        we_array_drop(array)
        raise MemoryError()
    memcpy(target, PyBytes_AS_STRING(data), len(data))
    array.flags = 0
    array.length = len(texts)
    offsets[0] = 0
    for i in range(len(texts)):
        offsets[i + 1] = offsets[i] + <int> len(texts[i].encode())
    return array


if NAMES == NULL:
    NAMES = text_array(list(ENCODINGS))
    ALL_NAMES = text_array([encoding.name for encoding in ALL])


@cython.final
cdef class Meanings:
    """The mapping from labels to encodings, with the policy for unknown labels. Each distinct label is looked up once.
    """

    cdef object unknown
    cdef bint encodes
    cdef dict known
    cdef we_label_cache *cache

    def __cinit__(self, unknown, bint encodes):
        self.unknown = lookup(unknown) if isinstance(unknown, str) and unknown not in ("fatal", "null") else unknown
        self.encodes = encodes
        self.known = {}
        if not isinstance(unknown, (str, Encoding)) and not callable(unknown) and not hasattr(unknown, "__getitem__"):
            raise TypeError(
                "unknown must be 'fatal', 'null', an Encoding or label, a mapping from labels, or a callable from a "
                f"label to an Encoding or None, not {type(unknown).__name__}"
            )
        self.cache = <we_label_cache *> calloc(1, sizeof(we_label_cache))
        if self.cache == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.cache)

    cdef object answer(self, str label):
        """Return the Encoding for a label, or None."""
        try:
            return lookup(label)
        except UnknownLabelError:
            if isinstance(self.unknown, Encoding):
                return self.unknown
            if isinstance(self.unknown, str):
                if self.unknown == "null":
                    return None
                raise
            if callable(self.unknown):
                answer = self.unknown(label)
            else:
                try:
                    answer = self.unknown[label]
                except KeyError:
                    answer = self
                    if hasattr(self.unknown, "get"):
                        answer = self.unknown.get(label.strip("\t\n\f\r ").lower(), self)
                if answer is self:
                    raise
        if answer is None or isinstance(answer, Encoding):
            return answer
        if isinstance(answer, str):
            return lookup(answer)
        kind = type(answer).__name__
        raise TypeError(f"unknown must return an Encoding, a label or None for {quote(label)}, not {kind}")

    cdef int position_of(self, encoding) except -2:
        """Load the codec of an Encoding or a label and return its position; WE_ENCODING_NULL for None."""
        if isinstance(encoding, str):
            encoding = self.answer(encoding)
        if encoding is None:
            return WE_ENCODING_NULL
        if self.encodes and not encoding.has_encoder:
            encoding.encode("")  # raises an EncoderUnavailableError
        return load_codec(encoding)

    cdef int learn(self, bytes label, int64_t row) except -2:
        """Return the position of the encoding of a label in a column, and add it to the cache."""
        cdef int position
        known = self.known.get(label)
        if known is None:
            try:
                known = self.position_of(label.decode("utf-8", "replace"))
            except (UnknownLabelError, EncoderUnavailableError) as error:
                error.args = (f"row {row}: {error}",)
                error.row = row
                raise
            if len(self.known) >= KNOWN_LABELS:
                self.known.clear()
            self.known[label] = known
        position = known
        we_label_learn(self.cache, <const uint8_t *> PyBytes_AS_STRING(label), <size_t> PyBytes_GET_SIZE(label),
                       position)
        return position


# --- Conversion -------------------------------------------------------------------------------------------------------


@cython.final
cdef class Conversion:
    """The state of a call of `convert`: its arguments, and the resulting column."""

    cdef Producer producer
    cdef Companion labels
    cdef Meanings meanings
    cdef Column column
    cdef we_job *job
    cdef bint keeps_dictionary, is_fatal
    cdef we_array *dictionary        # the converted dictionary of the previous chunk, and its source
    cdef we_values dictionary_values
    cdef Chunk dictionary_chunk

    def __cinit__(self):
        self.job = <we_job *> calloc(1, sizeof(we_job))
        if self.job == NULL:
            raise MemoryError()
        self.column = Column.__new__(Column)

    def __dealloc__(self):
        we_array_drop(self.dictionary)
        if self.job != NULL:
            we_job_clear(self.job)
        free(self.job)

    cdef int run(self, Column column, Chunk chunk, const we_source *source, bint splits) except -1:
        """Convert the rows of a source, which a chunk keeps, and append the arrays to a column."""
        cdef we_job *job = self.job
        cdef we_job_result result
        cdef int64_t start = chunk.start
        if we_job_start(job, source, chunk.block) < 0:
            raise MemoryError()
        while True:
            with nogil:
                result = we_job_run(job)
            if result == WE_JOB_PAUSED:
                PyErr_CheckSignals()
            elif result == WE_JOB_LABEL:
                self.find_label(start)
            elif result == WE_JOB_DONE or (result == WE_JOB_FULL and splits):
                column.append(made(we_job_finish(job)))
                if result == WE_JOB_DONE:
                    return 0
                if we_job_begin(job) < 0:
                    raise MemoryError()
            elif result == WE_JOB_ERROR:
                self.raise_error(job.source, job.row, start, job.row_encoding)
            elif result == WE_JOB_FULL:
                remedy = "cast the text to large_string" if job.encodes else "pass type='large_string'"
                raise OverflowError(
                    f"the result takes more than {job.limit} bytes at row {start + job.row}, the limit of 32-bit "
                    f"offsets: {remedy}, or a stream of smaller chunks"
                )
            elif result == WE_JOB_TOO_LARGE:
                raise OverflowError(
                    f"row {start + job.row} alone takes more than {job.limit} bytes, which requires large_string"
                )
            elif result == WE_JOB_CHANGED:
                raise self.changed(start + job.row)
            else:
                raise MemoryError()

    cdef int find_label(self, int64_t start) except -1:
        cdef we_job *job = self.job
        cdef const uint8_t *bytes
        cdef size_t length
        if we_job_label(job, &bytes, &length) != WE_ROW_BYTES:
            raise ValueError(f"encoding: the buffers have changed since they were checked, at row {start + job.row}")
        job.looked_up_encoding = self.meanings.learn(copy_of(bytes, length), start + job.row)
        job.looked_up_row = job.row + 1
        return 0

    cdef int raise_error(self, const we_source *source, int64_t row, int64_t start, int encoding) except -1:
        cdef const uint8_t *bytes
        cdef size_t length, mark = 0
        cdef int which
        if we_source_row(source, row, &bytes, &length) != WE_ROW_BYTES:
            raise self.changed(start + row)
        if self.job.sniffs_mark:
            which = we_bom_sniff(bytes, length, &mark)
            encoding = we_bom_position(which) if which >= 0 else encoding
        raise self.error_of(copy_of(bytes, length), ALL[encoding], mark, start + row)

    cdef object changed(self, int64_t row):
        """Return the exception for buffers that are written while they are read."""
        role = self.producer.role.decode()
        return ValueError(f"{role}: the buffers have changed since they were checked, at row {row}")

    cdef object error_of(self, bytes data, encoding, size_t mark, int64_t row):
        """Return the exception for an error in a row: that of the encoding, with the index of the row."""
        try:
            if self.job.encodes:
                text = data.decode("utf-8", "surrogateescape")
                encoding.encode(text, "fatal")
            else:
                encoding.decode(memoryview(data)[mark:], "fatal")
        except UnicodeEncodeError as error:
            row_error = RowEncodeError(error.encoding, error.object, error.start, error.end, error.reason)
        except UnicodeDecodeError as error:
            row_error = RowDecodeError(error.encoding, data, error.start + mark, error.end + mark, error.reason)
            before = encoding.decode(memoryview(data)[mark:row_error.start])
            row_error.offset = row_error.start
            row_error.line = before.count("\n") + 1
            row_error.column = len(before) - before.rfind("\n")
        else:
            return self.changed(row)
        row_error.row = row
        return row_error

    cdef int convert(self, Chunk chunk) except -1:
        if self.keeps_dictionary:
            return self.convert_dictionary(chunk)
        if self.labels is not None:
            self.labels.cover(chunk.start, chunk.start + chunk.source.length)
            self.job.labels = self.labels.table
            self.job.label_count = <size_t> len(self.labels.chunks)
        return self.run(self.column, chunk, &chunk.source, self.producer.is_stream)

    cdef int convert_dictionary(self, Chunk chunk) except -1:
        """Convert the dictionary of a chunk, and share its indices."""
        cdef we_source values
        cdef Column converted = Column.__new__(Column)
        cdef int64_t row, index
        cdef we_array *array
        cdef const uint8_t *validity
        cdef char[2] format
        # The previous chunk is still referenced, so equal addresses are the same buffers.
        if self.dictionary == NULL or not we_values_are_same(&self.dictionary_values, &chunk.source.values):
            memset(&values, 0, sizeof(we_source))
            values.values = chunk.source.values
            values.length = values.values.length
            self.run(converted, chunk, &values, False)
            we_array_drop(self.dictionary)
            self.dictionary = we_array_keep(converted.arrays[0])
            self.dictionary_values = chunk.source.values
            self.dictionary_chunk = chunk
        validity = <const uint8_t *> self.dictionary.buffers[0]
        format[0], format[1] = chunk.source.index, 0
        array = made(we_array_new(format, "", chunk.source.length))
        try:
            we_array_adopt(array, we_array_keep(self.dictionary))
            if we_array_add(array, we_source_indices(&chunk.source), 0, we_block_keep(chunk.block)) < 0:
                raise MemoryError()
            for row in range(array.length if validity != NULL or chunk.source.validity != NULL else 0):
                if chunk.source.validity == NULL or we_bit(chunk.source.validity, chunk.source.offset + row):
                    index = we_index_at(&chunk.source, row)
                    if not 0 <= index < self.dictionary.length:
                        raise self.changed(chunk.start + row)
                    if validity == NULL or we_bit(validity, index):
                        continue
                    if self.is_fatal and self.job.encoding >= 0 and not we_value_is_null(&chunk.source.values, index):
                        self.raise_error(&chunk.source, row, chunk.start, self.job.encoding)
                if we_array_set_null(array, row) < 0:
                    raise MemoryError()
        except BaseException:
            we_array_drop(array)
            raise
        return self.column.append(array)


def convert(values, encoding, *, bint encodes, str errors, str bom, unknown, type, bint with_info,
            int64_t limit=INT32_MAX):
    """Decode or encode a column.

    ``limit``: the upper bound on a 32-bit offset. The other arguments are those of the public functions.
    """
    cdef Conversion conversion = Conversion.__new__(Conversion)
    cdef we_job *job = conversion.job
    cdef const we_format *format
    cdef Chunk chunk
    cdef int64_t rows = 0
    replace = "html" if encodes else "replacement"
    policies = {replace: WE_ON_ERROR_REPLACE, "fatal": WE_ON_ERROR_FATAL, "null": WE_ON_ERROR_NULL}
    if errors not in policies:
        raise ValueError(f"errors must be {replace!r}, 'fatal' or 'null', not {quote(errors)}")
    if bom not in ("keep", "sniff"):
        raise ValueError(f"bom must be 'keep' or 'sniff', not {quote(bom)}")
    if type is not None and type not in ("string", "large_string", "string_view"):
        raise ValueError(f"type must be 'string', 'large_string', 'string_view' or None, not {quote(type)}")
    job.encodes = encodes
    job.with_info = with_info
    job.sniffs_mark = bom == "sniff"
    job.on_error = policies[errors]
    job.limit = limit
    # Only what a caller gives as an Encoding may be a code page: no label is one.
    job.names = NAMES if isinstance(unknown, str) else ALL_NAMES
    job.engine = ENGINE
    conversion.meanings = Meanings(unknown, encodes)
    job.cache = conversion.meanings.cache
    load_codec(UTF_8)
    if job.sniffs_mark:
        load_codec(UTF_16BE)
        load_codec(UTF_16LE)
    if isinstance(encoding, (str, Encoding)):
        job.encoding = conversion.meanings.position_of(encoding)
        if job.encoding >= len(ENCODINGS):
            job.names = ALL_NAMES
        job.is_single_byte = job.encoding >= 0 and ALL[job.encoding].is_single_byte
    elif not is_column(encoding):
        raise TypeError(
            "encoding must be an Encoding, a label or a column of labels, not " + encoding.__class__.__name__
        )
    else:
        conversion.labels = Companion(encoding, "encoding")
    conversion.producer = Producer(values, "text" if encodes else "values")
    format = &conversion.producer.format
    if encodes and not format.is_text and format.layout != WE_NO_VALUES:
        raise ValueError("text: a column of bytes, but encode_array requires text (Arrow formats u U vu)")
    job.layout = LAYOUTS[type] if type is not None else WE_OFFSETS_32
    if type is None and format.layout in (WE_OFFSETS_64, WE_VIEWS):
        job.layout = format.layout
    conversion.keeps_dictionary = format.index != 0 and type is None and conversion.labels is None and not with_info
    conversion.is_fatal = errors == "fatal"
    if conversion.keeps_dictionary and conversion.is_fatal:
        job.on_error = WE_ON_ERROR_NULL  # an error in a value matters only if a row refers to it
    while True:
        chunk = next_chunk(conversion.producer, rows)
        if chunk is None:
            break
        conversion.convert(chunk)
        rows += chunk.source.length
    if conversion.labels is not None:
        conversion.labels.finish(rows)
    if conversion.column.count == 0:
        conversion.convert(chunk_without_rows(conversion.producer))
        conversion.column.count = 0
    return conversion.column


include "sniff.pxi"
