# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Convert columns of the Arrow PyCapsule interface. `whatwg_encoding.arrow` is the public module.

The arrays of a producer are imported, validated and converted chunk by chunk; src/arrow contains what needs no Python.
A `Column` holds the result and exports it any number of times.
https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from importlib import import_module

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from libc.stdint cimport INT32_MAX, int8_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset, strcmp

from whatwg_encoding._columns cimport *
from whatwg_encoding._kernels cimport we_codec, we_simd_best, we_simd_from_name

from whatwg_encoding._core import EncoderUnavailableError, Encoding, UnknownLabelError, cpu_features, quote
from whatwg_encoding._labels import ENCODINGS, UTF_8, UTF_16BE, UTF_16LE, lookup

cdef extern from "Python.h":
    int PyBUF_READ

cdef enum:
    # Upper bound on the duration of a check between two checks for signals, and on its rows between two clock readings.
    CHECK_NANOSECONDS = 6000000
    CHECK_ROWS = 65536
    # Upper bound on the distinct labels that are cached. Further ones clear the cache.
    KNOWN_LABELS = 1024

ALL = list(ENCODINGS.values())
CODES = {encoding: code for code, encoding in enumerate(ALL)}
LAYOUTS = {
    "string": WE_OFFSETS_32, "large_string": WE_OFFSETS_64, "string_view": WE_VIEWS,
    "u": WE_OFFSETS_32, "U": WE_OFFSETS_64, "vu": WE_VIEWS, "z": WE_OFFSETS_32, "Z": WE_OFFSETS_64, "vz": WE_VIEWS,
}
cdef int SIMD = we_simd_from_name(cpu_features()["simd"].encode(), we_simd_best())


class RowDecodeError(UnicodeDecodeError):
    """Raised for the first error of a column in fatal mode.

    ``row``: the index of the row in the whole column. ``object``: the bytes of that row alone, with the error from
    ``start`` to ``end``. ``encoding``: the name of the encoding of the row, which a byte order mark may have named.
    """

    __module__ = "whatwg_encoding.arrow"
    row = -1

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


# --- Types: (format, name, is nullable, children, dictionary) ---------------------------------------------------------


cdef tuple leaf(str format, str name="", bint nullable=True, tuple dictionary=None):
    return format, name, nullable, (), dictionary


cdef int build_schema(tuple type, ArrowSchema *out) except -1:
    """Create the schema of a type; it is released if there is an exception."""
    cdef Py_ssize_t i
    format, name, nullable, children, dictionary = type
    cdef bytes format_bytes = format.encode(), name_bytes = name.encode()
    cdef int64_t flags = ARROW_FLAG_NULLABLE if nullable else 0
    if we_schema_new(out, format_bytes, name_bytes, flags, len(children), dictionary is not None) < 0:
        out.release = NULL
        raise MemoryError()
    try:
        for i in range(len(children)):
            build_schema(children[i], out.children[i])
        if dictionary is not None:
            build_schema(dictionary, out.dictionary)
    except BaseException:
        out.release(out)
        raise
    return 0


cdef tuple negotiate(tuple type, const ArrowSchema *requested):
    """Return the type nearest to the requested schema to which the column can be converted.

    Raise ValueError for an incompatible schema.
    """
    cdef Py_ssize_t i
    format, name, nullable, children, dictionary = type
    if requested.format == NULL:
        raise ValueError("requested_schema: the schema has no format")
    wanted = requested.format.decode("utf-8", "replace")
    if children:
        if wanted != "+s" or requested.n_children != len(children):
            raise ValueError(
                f"requested_schema: the column is a struct of {len(children)} fields, not of Arrow format {wanted!r} "
                f"with {requested.n_children} children"
            )
        fields = [negotiate(children[i], requested.children[i]) for i in range(len(children))]
        return format, name, nullable, tuple(fields), None
    if dictionary is not None:
        if requested.dictionary != NULL:
            return format, name, nullable, (), negotiate(dictionary, requested.dictionary)
        if wanted not in LAYOUTS:
            raise ValueError(f"requested_schema: the column is dictionary-encoded text, not of Arrow format {wanted!r}")
        return type  # a consumer that requested plain text decodes the dictionary
    if requested.dictionary != NULL:
        return type
    if format in LAYOUTS:
        if wanted not in LAYOUTS:
            raise ValueError(f"requested_schema: Arrow format {format!r} cannot be converted to {wanted!r}")
        if format.endswith("u") or format == "U" or not (wanted.endswith("u") or wanted == "U"):
            return wanted, name, nullable, (), None
        return type  # binary, which need not be text
    if requested.n_children != 0 or wanted in LAYOUTS:
        raise ValueError(f"requested_schema: Arrow format {format!r} cannot be converted to {wanted!r}")
    return type


cdef we_array *new_array(int64_t buffers, int64_t blocks, int64_t children) except NULL:
    cdef we_array *array = we_array_new(buffers, blocks, children)
    if array == NULL:
        raise MemoryError()
    return array


cdef we_block *new_block(size_t capacity) except NULL:
    cdef we_block *block = we_block_new(capacity)
    if block == NULL:
        raise MemoryError()
    return block


cdef int raise_layout(we_layout_result result) except -1:
    if result == WE_LAYOUT_NO_MEMORY:
        raise MemoryError()
    if result == WE_LAYOUT_TOO_LARGE:
        raise OverflowError(
            f"the text takes more than {INT32_MAX} bytes, the limit of 32-bit offsets: request large_string"
        )
    if result == WE_LAYOUT_CHANGED:
        raise ValueError("the buffers of the column have changed since they were checked")
    return 0


cdef we_array *convert_array(we_array *array, tuple old, tuple new) except NULL:
    """Convert an array of the type ``old`` to the type ``new``, which is a result of `negotiate`."""
    cdef we_array *result
    cdef we_values values
    cdef we_layout target
    cdef int64_t i
    if old == new:
        return we_array_keep(array)
    if not old[3] and old[4] is None:
        target = LAYOUTS[new[0]]
        if LAYOUTS[old[0]] == target:
            return we_array_keep(array)
        we_values_of(array, LAYOUTS[old[0]], &values)
        result = NULL
        raise_layout(we_relayout(&values, target, array.blocks, array.n_blocks, INT32_MAX, &result))
        return result
    result = new_array(array.n_buffers, array.n_blocks, array.n_children)
    try:
        result.length = array.length
        result.null_count = array.null_count
        result.offset = array.offset
        for i in range(array.n_buffers):
            result.buffers[i] = array.buffers[i]
        for i in range(array.n_blocks):
            result.blocks[i] = we_block_keep(array.blocks[i])
        result.n_children = 0
        for i in range(array.n_children):
            result.children[i] = convert_array(array.children[i], old[3][i], new[3][i])
            result.n_children += 1
        if array.dictionary != NULL:
            result.dictionary = convert_array(array.dictionary, old[4], new[4])
    except BaseException:
        we_array_drop(result)
        raise
    return result


cdef we_array *empty_array(tuple type) except NULL:
    """Create an array without rows."""
    cdef tuple children = type[3]
    cdef int64_t i, buffers = 1 if children else 3 if type[0] in LAYOUTS else 2
    cdef we_array *array = new_array(buffers, 1, len(children))
    try:
        array.n_children = 0
        array.blocks[0] = new_block(16)
        memset(array.blocks[0].bytes, 0, 16)
        for i in range(1, buffers):
            array.buffers[i] = array.blocks[0].bytes
        for i in range(len(children)):
            array.children[i] = empty_array(children[i])
            array.n_children += 1
        if type[4] is not None:
            array.dictionary = empty_array(type[4])
    except BaseException:
        we_array_drop(array)
        raise
    return array


# --- Export -----------------------------------------------------------------------------------------------------------


cdef void destroy_schema(object capsule) noexcept:
    cdef ArrowSchema *schema = <ArrowSchema *> PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    free(schema)


cdef void destroy_array(object capsule) noexcept:
    cdef ArrowArray *array = <ArrowArray *> PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release != NULL:
        array.release(array)
    free(array)


cdef void destroy_stream(object capsule) noexcept:
    cdef ArrowArrayStream *stream = <ArrowArrayStream *> PyCapsule_GetPointer(capsule, "arrow_array_stream")
    if stream.release != NULL:
        stream.release(stream)
    free(stream)


cdef object schema_capsule(tuple type):
    cdef ArrowSchema *schema = <ArrowSchema *> calloc(1, sizeof(ArrowSchema))
    if schema == NULL:
        raise MemoryError()
    try:
        build_schema(type, schema)
    except BaseException:
        free(schema)
        raise
    return PyCapsule_New(schema, "arrow_schema", destroy_schema)


@cython.final
cdef class Column:
    """The result of the functions of `whatwg_encoding.arrow`: immutable chunks for any consumer of Arrow data.

    ``pa.array(column)``, ``pa.chunked_array(column)``, ``pl.Series(column)`` and ``nanoarrow.ArrayStream(column)``
    import it without a copy, any number of times and in any thread. A ``requested_schema`` of another offset width is
    honoured: the offsets are converted, the text is shared.
    https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
    """

    cdef we_array **arrays
    cdef size_t count
    cdef tuple type

    def __init__(self):
        raise TypeError("a Column cannot be created directly; use decode_array or another function of this module")

    def __dealloc__(self):
        cdef size_t i
        for i in range(self.count):
            we_array_drop(self.arrays[i])
        free(self.arrays)

    cdef int append(self, we_array *array) except -1:
        """Append a chunk and take over the reference to it, also if there is an exception."""
        cdef we_array **arrays = <we_array **> realloc(self.arrays, (self.count + 1) * sizeof(we_array *))
        if arrays == NULL:
            we_array_drop(array)
            raise MemoryError()
        self.arrays = arrays
        arrays[self.count] = array
        self.count += 1
        return 0

    def __len__(self):
        cdef int64_t rows = 0
        cdef size_t i
        for i in range(self.count):
            rows += self.arrays[i].length
        return rows

    def __iter__(self):
        """Raise TypeError: a library that finds no array to import tries to iterate."""
        remedy = "pyarrow.array(column)" if self.count <= 1 else "pyarrow.chunked_array(column)"
        chunks = "" if self.count <= 1 else f", and one of {self.count} chunks is not a single array"
        raise TypeError(f"a Column is not iterable{chunks}: use {remedy} or polars.Series(column)")

    def __repr__(self):
        return f"<Column of {len(self)} rows in {self.count} chunks, Arrow format {self.type[0]!r}>"

    def __reduce__(self):
        raise TypeError(
            "a Column cannot be pickled; convert it to an object that can, such as pyarrow.chunked_array(column) or "
            "polars.Series(column)"
        )

    @property
    def num_chunks(self):
        """The number of chunks. A column of at most one chunk can be exported as an array."""
        return self.count

    @property
    def null_count(self):
        """The number of null rows; of a struct, of rows whose text is null."""
        cdef int64_t nulls = 0
        cdef size_t i
        cdef we_array *array
        for i in range(self.count):
            array = self.arrays[i].children[0] if self.arrays[i].n_children != 0 else self.arrays[i]
            nulls += array.null_count
        return nulls

    @property
    def nbytes(self):
        """The bytes allocated for this column, without the buffers that it shares with its source."""
        cdef int64_t size = 0
        cdef size_t i
        for i in range(self.count):
            size += we_array_size(self.arrays[i])
        return size

    cdef tuple type_for(self, requested):
        if requested is None:
            return self.type
        if not PyCapsule_IsValid(requested, "arrow_schema"):
            raise TypeError("requested_schema must be a capsule named arrow_schema")
        cdef const ArrowSchema *schema = <const ArrowSchema *> PyCapsule_GetPointer(requested, "arrow_schema")
        if schema.release == NULL:
            raise ValueError("requested_schema: the schema was released before it was read")
        return negotiate(self.type, schema)

    def __arrow_c_schema__(self):
        """Return the type as a capsule."""
        return schema_capsule(self.type)

    @property
    def __arrow_c_array__(self):
        """A function that returns the capsules of the type and of the only chunk.

        A column of several chunks lacks this attribute, so that consumers import the stream instead, without a copy.
        """
        if self.count > 1:
            raise AttributeError(
                f"a column of {self.count} chunks is not a single array; consume it as a stream, for instance by "
                "pyarrow.chunked_array(column)"
            )
        return self._export_array

    def _export_array(self, requested_schema=None):
        cdef we_array *array
        cdef ArrowArray *exported
        cdef tuple type = self.type_for(requested_schema)
        schema = schema_capsule(type)
        array = convert_array(self.arrays[0], self.type, type) if self.count == 1 else empty_array(type)
        exported = <ArrowArray *> calloc(1, sizeof(ArrowArray))
        if exported == NULL or we_array_export(array, exported) < 0:
            free(exported)
            we_array_drop(array)
            raise MemoryError()
        we_array_drop(array)
        return schema, PyCapsule_New(exported, "arrow_array", destroy_array)

    def __arrow_c_stream__(self, requested_schema=None):
        """Return the capsule of a stream of the chunks."""
        cdef tuple type = self.type_for(requested_schema)
        cdef ArrowSchema schema
        cdef ArrowArrayStream *stream = NULL
        cdef Column converted = self
        cdef size_t i
        if type != self.type:
            converted = new_column(type)
            for i in range(self.count):
                converted.append(convert_array(self.arrays[i], self.type, type))
        build_schema(type, &schema)
        stream = <ArrowArrayStream *> calloc(1, sizeof(ArrowArrayStream))
        if stream == NULL or we_stream_export(&schema, converted.arrays, converted.count, stream) < 0:
            free(stream)
            schema.release(&schema)
            raise MemoryError()
        schema.release(&schema)
        return PyCapsule_New(stream, "arrow_array_stream", destroy_stream)


cdef Column new_column(tuple type):
    cdef Column column = Column.__new__(Column)
    column.type = type
    return column


# --- Import -----------------------------------------------------------------------------------------------------------


def is_column(value):
    """Return whether a value exports Arrow data."""
    return hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")


cdef class Producer:
    """The Arrow data that an argument exports: its format, and its arrays one by one. It is consumed once."""

    cdef bytes role
    cdef we_format format
    cdef bint is_stream
    cdef ArrowArrayStream stream
    cdef we_block *single

    def __cinit__(self, value, str role):
        cdef ArrowArrayStream *stream
        cdef ArrowArray *array
        cdef ArrowSchema schema
        self.role = role.encode()
        if hasattr(value, "__arrow_c_stream__"):
            capsule = value.__arrow_c_stream__()
            if not PyCapsule_IsValid(capsule, "arrow_array_stream"):
                raise TypeError(f"{role}: __arrow_c_stream__ did not return a capsule named arrow_array_stream")
            stream = <ArrowArrayStream *> PyCapsule_GetPointer(capsule, "arrow_array_stream")
            if stream.release == NULL:
                raise ValueError(f"{role}: the stream was released before it was read")
            self.is_stream = True
            self.stream = stream[0]
            stream.release = NULL
            memset(&schema, 0, sizeof(ArrowSchema))
            if self.call_stream(&schema, NULL) != 0:
                return
            try:
                self.read_format(&schema)
            finally:
                if schema.release != NULL:
                    schema.release(&schema)
        elif hasattr(value, "__arrow_c_array__"):
            capsules = value.__arrow_c_array__()
            if not isinstance(capsules, tuple) or len(capsules) != 2 or not (
                PyCapsule_IsValid(capsules[0], "arrow_schema") and PyCapsule_IsValid(capsules[1], "arrow_array")
            ):
                raise TypeError(
                    f"{role}: __arrow_c_array__ did not return capsules named arrow_schema and arrow_array"
                )
            self.read_format(<const ArrowSchema *> PyCapsule_GetPointer(capsules[0], "arrow_schema"))
            array = <ArrowArray *> PyCapsule_GetPointer(capsules[1], "arrow_array")
            if array.release == NULL:
                raise ValueError(f"{role}: the array was released before it was read")
            self.single = we_block_import(array)
            if self.single == NULL:
                raise MemoryError()
        else:
            raise TypeError(
                f"{role} must be a column that exports Arrow data (__arrow_c_array__ or __arrow_c_stream__: a pyarrow "
                f"Array or ChunkedArray, a Polars Series, …), not {type(value).__name__}"
            )

    def __dealloc__(self):
        we_block_drop(self.single)
        if self.is_stream and self.stream.release != NULL:
            self.stream.release(&self.stream)

    cdef int read_format(self, const ArrowSchema *schema) except -1:
        cdef char[WE_MESSAGE_SIZE] message
        if we_format_of(schema, self.role, &self.format, message) < 0:
            raise ValueError((<bytes> message).decode("utf-8", "replace"))
        return 0

    cdef int call_stream(self, ArrowSchema *schema, ArrowArray *array) except -1:
        """Get the schema or the next array of the stream.

        The GIL is released, since the stream may wait for other threads that need it.
        """
        cdef int status
        cdef const char *told
        with nogil:
            if schema != NULL:
                status = self.stream.get_schema(&self.stream, schema)
            else:
                status = self.stream.get_next(&self.stream, array)
        if status == 0:
            return 0
        told = self.stream.get_last_error(&self.stream) if self.stream.get_last_error != NULL else NULL
        reason = "" if told == NULL else f": {(<bytes> told).decode('utf-8', 'replace')}"
        raise OSError(status, f"{self.role.decode()}: the stream failed{reason}")

    cdef we_block *next(self) except? NULL:
        """Return the next array, a new reference; null at the end."""
        cdef ArrowArray array
        cdef we_block *block
        if not self.is_stream:
            block = self.single
            self.single = NULL
            return block
        memset(&array, 0, sizeof(ArrowArray))
        self.call_stream(NULL, &array)
        if array.release == NULL:
            return NULL
        block = we_block_import(&array)
        if block == NULL:
            array.release(&array)
            raise MemoryError()
        return block


cdef int check_rows(we_source *source, const char *role, bint indices, int64_t *at, we_check *check,
                    char *message) noexcept nogil:
    """Check indices or values from ``at`` on for some milliseconds, and advance ``at``."""
    cdef int64_t end = source.length if indices else source.values.length
    cdef int64_t deadline = we_clock() + CHECK_NANOSECONDS, stop
    cdef int failed
    # Without a byte to check, any number of rows takes constant time.
    cdef bint is_bare = not indices and source.values.validity == NULL and (
        source.values.layout == WE_NO_VALUES or source.values.layout == WE_FIXED
    )
    while at[0] < end:
        stop = end if is_bare else min(end, at[0] + CHECK_ROWS)
        if indices:
            failed = we_indices_check(source, role, at[0], stop, check, message)
        else:
            failed = we_values_check(&source.values, role, at[0], stop, check, message)
        if failed < 0:
            return -1
        at[0] = stop
        if we_clock() > deadline:
            return 0
    return 0


cdef bytes copy_of(const uint8_t *data, size_t length):
    return PyBytes_FromStringAndSize(<const char *> data, <Py_ssize_t> length)


@cython.final
cdef class Chunk:
    """An imported and validated array."""

    cdef we_block *block
    cdef we_source source
    cdef int64_t start  # the index of its first row in the whole column

    def __dealloc__(self):
        we_block_drop(self.block)

    cdef int check(self, const char *role) except -1:
        cdef char[WE_MESSAGE_SIZE] message
        cdef we_check check
        cdef int64_t at, end
        cdef int64_t *told
        cdef int failed = 0
        cdef bint indices
        for indices in range(2 if self.source.index != 0 else 1):
            check.nulls = at = 0
            end = self.source.length if indices else self.source.values.length
            while at < end and failed == 0:
                with nogil:
                    failed = check_rows(&self.source, role, indices, &at, &check, message)
                PyErr_CheckSignals()
            if failed == 0:
                told = &self.source.null_count if indices else &self.source.values.null_count
                failed = we_check_nulls(told, &check, role, message)
            if failed != 0:
                raise ValueError((<bytes> message).decode("utf-8", "replace"))
        return 0


cdef Chunk next_chunk(Producer producer, int64_t start):
    """Import and validate the next array; return None at the end."""
    cdef char[WE_MESSAGE_SIZE] message
    cdef we_block *block = producer.next()
    if block == NULL:
        return None
    cdef Chunk chunk = Chunk.__new__(Chunk)
    chunk.block = block
    chunk.start = start
    if we_source_open(&block.array, producer.role, &producer.format, &chunk.source, message) < 0:
        raise ValueError((<bytes> message).decode("utf-8", "replace"))
    chunk.check(producer.role)
    return chunk


@cython.final
cdef class Companion:
    """A second column with a value for each row of the first, in chunks of its own: labels or content types."""

    cdef Producer producer
    cdef str role
    cdef list chunks       # those that overlap the current chunk of the first column
    cdef int64_t rows      # imported so far
    cdef we_label_chunk *table

    def __cinit__(self, value, str role):
        self.producer = Producer(value, role)
        self.role = role
        self.chunks = []

    def __dealloc__(self):
        free(self.table)

    cdef int cover(self, int64_t start, int64_t stop) except -1:
        """Import chunks up to row ``stop``, and release those before row ``start``.

        Raise ValueError if the column has fewer rows.
        """
        cdef Chunk chunk
        cdef size_t i
        self.chunks = [chunk for chunk in self.chunks if chunk.start + chunk.source.length > start]
        while self.rows < stop:
            chunk = next_chunk(self.producer, self.rows)
            if chunk is None:
                raise ValueError(f"{self.role}: a column of {self.rows} rows, but the values have more")
            self.rows += chunk.source.length
            if chunk.source.length != 0:
                self.chunks.append(chunk)
        free(self.table)
        self.table = <we_label_chunk *> calloc(len(self.chunks) + 1, sizeof(we_label_chunk))
        if self.table == NULL:
            raise MemoryError()
        for i in range(<size_t> len(self.chunks)):
            chunk = self.chunks[i]
            self.table[i].source = &chunk.source
            self.table[i].start = chunk.start - start
        return 0

    cdef int finish(self, int64_t rows) except -1:
        """Raise ValueError unless the column has this number of rows."""
        cdef Chunk chunk
        while self.rows == rows:
            chunk = next_chunk(self.producer, self.rows)
            if chunk is None:
                return 0
            self.rows += chunk.source.length
        raise ValueError(f"{self.role}: a column of {self.rows} rows or more, but the values have {rows}")

    cdef object row(self, int64_t row):
        """Return the bytes of a row of the imported chunks, or None for null."""
        cdef const uint8_t *bytes
        cdef size_t length
        cdef Chunk chunk
        cdef int found
        for chunk in self.chunks:
            if chunk.start <= row < chunk.start + chunk.source.length:
                found = we_source_row(&chunk.source, row - chunk.start, &bytes, &length)
                if found == WE_ROW_WRONG:
                    raise ValueError(f"{self.role}: the buffers have changed since they were checked")
                return copy_of(bytes, length) if found == WE_ROW_BYTES else None
        raise AssertionError("rows are imported before they are read")


# --- Encodings --------------------------------------------------------------------------------------------------------

#: The modules of the codecs, in the order of use.
CHAPTERS = (
    "unicode", "single_byte", "japanese", "chinese_simplified", "chinese_traditional", "korean", "miscellaneous",
)
# These C variables are shared by the interpreters of a process: static data, and memory that none of them owns.
cdef we_column_codec[WE_ENCODINGS] LOADED
cdef we_array *NAMES = NULL


cdef int load_codec(int code) except -1:
    """Load the codec of an encoding, whose module is imported on first use."""
    if LOADED[code].codec != NULL:
        return 0
    name = ALL[code].name
    for chapter in CHAPTERS:
        codecs = import_module("whatwg_encoding._" + chapter).CODECS
        if name in codecs:
            LOADED[code].is_utf_8 = name == "UTF-8"
            LOADED[code].is_single_byte = ALL[code].is_single_byte
            LOADED[code].codec = <const we_codec *> PyCapsule_GetPointer(codecs[name], "whatwg_encoding.codec")
            return 0
    raise RuntimeError(f"no module has a codec for {name}")


cdef we_array *text_array(list texts) except NULL:
    """Create an array of format "u"."""
    cdef we_array *array = new_array(3, 2, 0)
    cdef bytes data = "".join(texts).encode()
    cdef int i, end = 0
    try:
        array.length = len(texts)
        array.blocks[0] = new_block((len(texts) + 1) * sizeof(int))
        array.blocks[1] = new_block(len(data))
        memcpy(array.blocks[1].bytes, PyBytes_AS_STRING(data), len(data))
        (<int *> array.blocks[0].bytes)[0] = 0
        for i in range(len(texts)):
            end += len(texts[i].encode())
            (<int *> array.blocks[0].bytes)[i + 1] = end
        array.buffers[1] = array.blocks[0].bytes
        array.buffers[2] = array.blocks[1].bytes
    except BaseException:
        we_array_drop(array)
        raise
    return array


cdef int load_names() except -1:
    """Create the dictionary of the names of all encodings, which all results share."""
    global NAMES
    if NAMES == NULL:
        NAMES = text_array([encoding.name for encoding in ALL])
    return 0


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

    cdef int code_of(self, encoding) except -2:
        """Return the code of an Encoding, a label or None, and load its codec."""
        cdef int code
        if isinstance(encoding, str):
            encoding = self.answer(encoding)
        if encoding is None:
            return WE_CODE_NULL
        if self.encodes and not encoding.has_encoder:
            encoding.encode("")  # raises an EncoderUnavailableError
        code = CODES[encoding]
        load_codec(code)
        return code

    cdef int learn(self, bytes label, int64_t row) except -2:
        """Return the code for a label of a column, and add it to the cache."""
        cdef int code
        known = self.known.get(label)
        if known is None:
            try:
                known = self.code_of(label.decode("utf-8", "replace"))
            except (UnknownLabelError, EncoderUnavailableError) as error:
                error.args = (f"row {row}: {error}",)
                error.row = row
                raise
            if len(self.known) >= KNOWN_LABELS:
                self.known.clear()
            self.known[label] = known
        code = known
        we_label_learn(self.cache, <const uint8_t *> PyBytes_AS_STRING(label), <size_t> PyBytes_GET_SIZE(label), code)
        return code


# --- Conversion -------------------------------------------------------------------------------------------------------


cdef tuple text_type(we_layout layout, bint encodes):
    if layout == WE_OFFSETS_64:
        return leaf("Z" if encodes else "U")
    if layout == WE_VIEWS:
        return leaf("vz" if encodes else "vu")
    return leaf("z" if encodes else "u")


cdef tuple name_type(str name):
    return leaf("c", name, True, leaf("u", "", False))


@cython.final
cdef class Conversion:
    """The state of a call of `convert`: its arguments, and the resulting column."""

    cdef Producer producer
    cdef Companion labels
    cdef Meanings meanings
    cdef Column column
    cdef bint encodes, with_info, sniffs_mark, keeps_dictionary
    cdef we_on_error on_error
    cdef we_layout layout
    cdef int64_t limit
    cdef int encoding
    cdef we_array *dictionary        # the converted dictionary of the previous chunk, and its source
    cdef we_values dictionary_values
    cdef Chunk dictionary_chunk

    def __dealloc__(self):
        we_array_drop(self.dictionary)

    cdef int prepare(self, we_rows *job, Chunk chunk, const we_source *source) except -1:
        memset(job, 0, sizeof(we_rows))
        job.source = source
        job.owner = chunk.block
        job.codecs = LOADED
        job.bom_codes[WE_BOM_UTF_8] = CODES[UTF_8]
        job.bom_codes[WE_BOM_UTF_16BE] = CODES[UTF_16BE]
        job.bom_codes[WE_BOM_UTF_16LE] = CODES[UTF_16LE]
        job.utf_8 = LOADED[job.bom_codes[WE_BOM_UTF_8]].codec
        job.encoding = self.encoding
        job.encodes = self.encodes
        job.sniffs_mark = self.sniffs_mark
        job.with_info = self.with_info
        job.simd = SIMD
        job.on_error = self.on_error
        job.layout = self.layout
        job.limit = self.limit
        job.end = source.length
        return 0

    cdef int run(self, we_rows *job, Column column, int64_t start, bint splits) except -1:
        """Convert the rows of a job and append the arrays to a column."""
        cdef we_rows_result result
        cdef we_array *array
        if we_rows_start(job) < 0:
            raise MemoryError()
        while True:
            with nogil:
                result = we_rows_run(job)
            if result == WE_ROWS_PAUSED:
                PyErr_CheckSignals()
            elif result == WE_ROWS_LABEL:
                self.find_label(job, start)
            elif result == WE_ROWS_DONE or (result == WE_ROWS_FULL and splits):
                array = NULL
                raise_layout(we_rows_finish(job, NAMES, &array))
                column.append(array)
                if result == WE_ROWS_DONE:
                    return 0
                if we_rows_begin(job) < 0:
                    raise MemoryError()
            elif result == WE_ROWS_ERROR:
                self.raise_error(job, start)
            elif result == WE_ROWS_FULL:
                remedy = "cast the text to large_string" if self.encodes else "pass type='large_string'"
                raise OverflowError(
                    f"the result takes more than {self.limit} bytes at row {start + job.row}, the limit of 32-bit "
                    f"offsets: {remedy}, or a stream of smaller chunks"
                )
            elif result == WE_ROWS_TOO_LARGE:
                raise OverflowError(
                    f"row {start + job.row} alone takes more than {self.limit} bytes, which requires large_string"
                )
            elif result == WE_ROWS_CHANGED:
                raise self.changed(start + job.row)
            else:
                raise MemoryError()

    cdef int find_label(self, we_rows *job, int64_t start) except -1:
        cdef const uint8_t *bytes
        cdef size_t length
        if we_rows_label(job, &bytes, &length) != WE_ROW_BYTES:
            raise ValueError(f"encoding: the buffers have changed since they were checked, at row {start + job.row}")
        job.looked_up_code = self.meanings.learn(copy_of(bytes, length), start + job.row)
        job.looked_up_row = job.row + 1
        return 0

    cdef int raise_error(self, we_rows *job, int64_t start) except -1:
        cdef const uint8_t *bytes
        cdef size_t length
        if we_source_row(job.source, job.row, &bytes, &length) != WE_ROW_BYTES:
            raise self.changed(start + job.row)
        raise self.error_of(copy_of(bytes, length), ALL[job.code], job.mark, start + job.row)

    cdef object changed(self, int64_t row):
        """Return the exception for buffers that are written while they are read."""
        role = self.producer.role.decode()
        return ValueError(f"{role}: the buffers have changed since they were checked, at row {row}")

    cdef object error_of(self, bytes data, encoding, size_t mark, int64_t row):
        """Return the exception for an error in a row: that of the encoding, with the index of the row."""
        try:
            if self.encodes:
                text = data.decode("utf-8", "surrogateescape")
                encoding.encode(text, "fatal")
            else:
                encoding.decode(memoryview(data)[mark:], "fatal")
        except UnicodeEncodeError as error:
            found = RowEncodeError(error.encoding, error.object, error.start, error.end, error.reason)
        except UnicodeDecodeError as error:
            found = RowDecodeError(error.encoding, data, error.start + mark, error.end + mark, error.reason)
        else:
            return self.changed(row)
        found.row = row
        return found

    cdef int convert(self, Chunk chunk) except -1:
        cdef we_rows *job = <we_rows *> calloc(1, sizeof(we_rows))
        if job == NULL:
            raise MemoryError()
        try:
            if self.labels is not None:
                self.labels.cover(chunk.start, chunk.start + chunk.source.length)
            if self.keeps_dictionary:
                return self.convert_dictionary(job, chunk)
            self.prepare(job, chunk, &chunk.source)
            if self.labels is not None:
                job.labels = self.labels.table
                job.label_count = <size_t> len(self.labels.chunks)
                job.cache = self.meanings.cache
            return self.run(job, self.column, chunk.start, self.producer.is_stream)
        finally:
            we_rows_clear(job)
            free(job)

    cdef bint is_same_dictionary(self, const we_values *values) noexcept:
        # The previous chunk is still referenced, so equal addresses are the same buffers.
        return self.dictionary != NULL and we_values_are_same(&self.dictionary_values, values)

    cdef int convert_dictionary(self, we_rows *job, Chunk chunk) except -1:
        """Convert the dictionary of a chunk, and share its indices."""
        cdef we_source values
        cdef Column converted = new_column(None)
        cdef int64_t row, index, nulls = 0
        cdef we_array *array
        cdef const uint8_t *validity
        cdef uint8_t *bits
        cdef bint has_nulls
        if not self.is_same_dictionary(&chunk.source.values):
            memset(&values, 0, sizeof(we_source))
            values.values = chunk.source.values
            values.length = values.values.length
            self.prepare(job, chunk, &values)
            if self.on_error == WE_ON_ERROR_FATAL:
                job.on_error = WE_ON_ERROR_NULL  # an error in a value matters only if a row refers to it
            self.run(job, converted, 0, False)
            we_array_drop(self.dictionary)
            self.dictionary = we_array_keep(converted.arrays[0])
            self.dictionary_values = chunk.source.values
            self.dictionary_chunk = chunk
        validity = <const uint8_t *> self.dictionary.buffers[0]
        has_nulls = validity != NULL or chunk.source.validity != NULL
        array = new_array(2, 3, 0)
        try:
            array.length = chunk.source.length
            array.blocks[1] = we_block_keep(chunk.block)
            array.dictionary = we_array_keep(self.dictionary)
            array.blocks[2] = new_block(8)
            array.buffers[1] = array.blocks[2].bytes
            if chunk.source.length != 0:
                array.buffers[1] = chunk.source.indices + chunk.source.offset * we_index_width(chunk.source.index)
            if has_nulls:
                array.blocks[0] = new_block(<size_t> (array.length + 7) // 8)
                bits = array.blocks[0].bytes
                memset(bits, 0, <size_t> (array.length + 7) // 8)
                for row in range(array.length):
                    if chunk.source.validity != NULL and not we_bit(chunk.source.validity, chunk.source.offset + row):
                        nulls += 1
                        continue
                    index = we_index_at(&chunk.source, row)
                    if not 0 <= index < self.dictionary.length:
                        raise self.changed(chunk.start + row)
                    if validity == NULL or we_bit(validity, self.dictionary.offset + index):
                        bits[row >> 3] |= 1 << (row & 7)
                        continue
                    nulls += 1
                    if self.on_error == WE_ON_ERROR_FATAL and self.encoding >= 0 and not (
                        we_value_is_null(&chunk.source.values, index)
                    ):
                        self.raise_dictionary_error(chunk, row)
                array.buffers[0] = bits if nulls != 0 else NULL
                array.null_count = nulls
        except BaseException:
            we_array_drop(array)
            raise
        return self.column.append(array)

    cdef int raise_dictionary_error(self, Chunk chunk, int64_t row) except -1:
        cdef const uint8_t *found
        cdef size_t length, mark = 0
        cdef int which
        if we_source_row(&chunk.source, row, &found, &length) != WE_ROW_BYTES:
            raise self.changed(chunk.start + row)
        cdef bytes data = copy_of(found, length)
        encoding = ALL[self.encoding]
        if self.sniffs_mark:
            which = we_bom_sniff(found, length, &mark)
            if which >= 0:
                encoding = (UTF_8, UTF_16BE, UTF_16LE)[which]
        raise self.error_of(data, encoding, mark, chunk.start + row)


def convert(values, encoding, *, bint encodes, str errors, str bom, unknown, type, bint with_info,
            int64_t limit=INT32_MAX):
    """Decode or encode a column.

    ``limit``: the upper bound on a 32-bit offset. The other arguments are those of the public functions.
    """
    cdef Conversion job = Conversion.__new__(Conversion)
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
    job.meanings = Meanings(unknown, encodes)
    load_codec(CODES[UTF_8])
    if job.sniffs_mark:
        load_codec(CODES[UTF_16BE])
        load_codec(CODES[UTF_16LE])
    load_names()
    if isinstance(encoding, (str, Encoding)):
        job.encoding = job.meanings.code_of(encoding)
    elif not is_column(encoding):
        raise TypeError(
            "encoding must be an Encoding, a label or a column of labels, not " + encoding.__class__.__name__
        )
    else:
        job.labels = Companion(encoding, "encoding")
    job.producer = Producer(values, "text" if encodes else "values")
    if encodes and not job.producer.format.is_text and job.producer.format.layout != WE_NO_VALUES:
        raise ValueError("text: a column of bytes, but encode_array requires text (Arrow formats u U vu)")
    if type is not None:
        job.layout = LAYOUTS[type]
    elif job.producer.format.layout in (WE_OFFSETS_64, WE_VIEWS):
        job.layout = job.producer.format.layout
    else:
        job.layout = WE_OFFSETS_32
    job.keeps_dictionary = job.producer.format.index != 0 and type is None and job.labels is None and not with_info
    result = text_type(job.layout, encodes)
    if with_info:
        result = ("+s", "", False, (
            leaf(result[0], "text"), name_type("encoding"), leaf("i", "errors", False), leaf("l", "first_error"),
        ), None)
    elif job.keeps_dictionary:
        result = leaf(chr(job.producer.format.index), "", True, result)
    job.column = new_column(result)
    while True:
        chunk = next_chunk(job.producer, rows)
        if chunk is None:
            break
        job.convert(chunk)
        rows += chunk.source.length
    if job.labels is not None:
        job.labels.finish(rows)
    return job.column


# --- Sniffing ---------------------------------------------------------------------------------------------------------


@cython.final
cdef class Row:
    """The bytes of a row, as a buffer that keeps their chunk alive."""

    cdef Chunk chunk
    cdef const uint8_t *bytes
    cdef size_t length

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        PyBuffer_FillInfo(buffer, self, <void *> self.bytes, <Py_ssize_t> self.length, True, flags)


cdef class Words:
    """The dictionary of a child of a struct, with indices of format "c"."""

    cdef dict codes
    cdef list texts

    def __cinit__(self, texts):
        self.texts = list(texts)
        self.codes = {text: code for code, text in enumerate(self.texts)}

    cdef int code_of(self, str text) except -1:
        code = self.codes.get(text)
        if code is None:
            code = len(self.texts)
            if code > 127:
                raise ValueError(f"more than 128 distinct values: {text!r}")
            self.codes[text] = code
            self.texts.append(text)
        return code


@cython.final
cdef class Hints:
    """What is known about each row: one str or None for all rows, or a column of text."""

    cdef object value
    cdef Companion column
    cdef str codec

    def __cinit__(self, value, str role, str codec):
        self.codec = codec
        if value is None or isinstance(value, str):
            self.value = value
        elif is_column(value):
            self.column = Companion(value, role)
        else:
            raise TypeError(f"{role} must be a column, a str or None, not {type(value).__name__}")

    cdef int cover(self, int64_t start, int64_t stop) except -1:
        return 0 if self.column is None else self.column.cover(start, stop)

    cdef object row(self, int64_t row):
        if self.column is None:
            return self.value
        text = self.column.row(row)
        return None if text is None else text.decode(self.codec, "replace")

    cdef int finish(self, int64_t rows) except -1:
        return 0 if self.column is None else self.column.finish(rows)


def sniff(bodies, content_types, tlds, rule):
    """Return a struct of encoding, source and confidence: the result of ``rule`` for each body, content type and tld.

    A ValueError of ``rule`` is about a tld, and is raised with the number of the row if they are a column.
    """
    cdef Producer producer = Producer(bodies, "bodies")
    cdef Hints headers = Hints(content_types, "content_types", "latin-1"), domains = Hints(tlds, "tld", "utf-8")
    cdef Words encodings = Words([encoding.name for encoding in ALL]), sources = Words(()), confidences = Words(())
    cdef tuple fields = (name_type("encoding"), name_type("source"), name_type("confidence"))
    cdef Column column = new_column(("+s", "", False, fields, None))
    cdef Chunk chunk
    cdef Row row
    cdef we_array *array
    cdef we_array *dictionary
    cdef int64_t rows = 0, i, nulls
    cdef int child, found
    cdef size_t at
    cdef const uint8_t *bytes
    cdef size_t length
    while True:
        chunk = next_chunk(producer, rows)
        if chunk is None:
            break
        headers.cover(rows, rows + chunk.source.length)
        domains.cover(rows, rows + chunk.source.length)
        array = new_array(1, 0, 3)
        column.append(array)
        array.length = chunk.source.length
        array.n_children = 0
        for child in range(3):
            array.children[child] = new_array(2, 2, 0)
            array.n_children += 1
            array.children[child].length = chunk.source.length
            for at in range(2):
                length = <size_t> (chunk.source.length if at == 1 else (chunk.source.length + 7) // 8)
                array.children[child].blocks[at] = new_block(length)
                memset(array.children[child].blocks[at].bytes, 0 if at == 1 else 0xFF, length)
                array.children[child].buffers[at] = array.children[child].blocks[at].bytes
        nulls = 0
        for i in range(chunk.source.length):
            PyErr_CheckSignals()
            found = we_source_row(&chunk.source, i, &bytes, &length)
            if found == WE_ROW_WRONG:
                raise ValueError(f"bodies: the buffers have changed since they were checked, at row {rows + i}")
            if found == WE_ROW_NULL:
                nulls += 1
                for child in range(3):
                    array.children[child].blocks[0].bytes[i >> 3] &= ~(1 << (i & 7))
                continue
            row = Row.__new__(Row)
            row.chunk = chunk
            row.bytes = bytes
            row.length = length
            try:
                sniffed = rule(memoryview(row), headers.row(rows + i), domains.row(rows + i))
            except ValueError as error:
                if domains.column is None:
                    raise
                raise ValueError(f"row {rows + i}: {error}") from None
            array.children[0].blocks[1].bytes[i] = encodings.code_of(sniffed.encoding.name)
            array.children[1].blocks[1].bytes[i] = sources.code_of(sniffed.source)
            array.children[2].blocks[1].bytes[i] = confidences.code_of(sniffed.confidence)
        for child in range(3):
            array.children[child].null_count = nulls
            if nulls == 0:
                array.children[child].buffers[0] = NULL
        rows += chunk.source.length
    headers.finish(rows)
    domains.finish(rows)
    for child, names in enumerate((encodings.texts, sources.texts, confidences.texts)):
        dictionary = text_array(names)
        for at in range(column.count):
            column.arrays[at].children[child].dictionary = we_array_keep(dictionary)
        we_array_drop(dictionary)
    return column
