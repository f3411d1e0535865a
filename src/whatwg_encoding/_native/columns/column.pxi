# Part of arrow.pyx: the result of a function, and its export.

TEXT = ("u", "U", "vu")
BYTES = ("z", "Z", "vz")


cdef we_array *made(we_array *array) except NULL:
    """Return an array, or raise MemoryError for null."""
    if array == NULL:
        raise MemoryError()
    return array


cdef we_array *cast_layout(we_array *array, str format) except NULL:
    """Convert an array of bytes or text to another such format."""
    cdef we_array *result
    cdef we_job_result status = we_array_cast(array, format.encode(), &result)
    if status == WE_JOB_DONE:
        return result
    if status == WE_JOB_NO_MEMORY:
        raise MemoryError()
    if status == WE_JOB_CHANGED:
        raise ValueError("the buffers of the column have changed since they were checked")
    raise OverflowError(
        f"the text takes more than {INT32_MAX} bytes, the limit of 32-bit offsets: request large_string"
    )


cdef we_array *cast_children(we_array *array, ArrowSchema **requested) except NULL:
    """Convert the children of an array."""
    cdef we_array *result = made(we_array_copy(array, array.format))
    cdef int64_t i
    try:
        for i in range(array.n_children):
            we_array_adopt(result, cast(array.children[i], requested[i]))
    except BaseException:
        we_array_drop(result)
        raise
    return result


cdef we_array *cast(we_array *array, ArrowSchema *requested) except NULL:
    """Convert an array to the type nearest to the requested schema, if any.

    Raise ValueError for an incompatible schema.
    """
    if requested == NULL:
        return we_array_keep(array)
    if requested.format == NULL:
        raise ValueError("requested_schema: the schema has no format")
    format = array.format.decode()
    wanted = requested.format.decode("utf-8", "replace")
    if format == "+s":
        if wanted != "+s" or requested.n_children != array.n_children:
            raise ValueError(
                f"requested_schema: the column is a struct of {array.n_children} fields, not of Arrow format "
                f"{wanted!r} with {requested.n_children} children"
            )
        return cast_children(array, requested.children)
    if array.n_children != 0:
        if requested.dictionary != NULL:
            return cast_children(array, &requested.dictionary)
        if wanted not in TEXT + BYTES:
            raise ValueError(f"requested_schema: the column is dictionary-encoded text, not of Arrow format {wanted!r}")
        return we_array_keep(array)  # a consumer that requested plain text decodes the dictionary
    if requested.dictionary != NULL or (format in BYTES and wanted in TEXT):
        return we_array_keep(array)  # bytes need not be text
    if (format in TEXT + BYTES) != (wanted in TEXT + BYTES) or requested.n_children != 0:
        raise ValueError(f"requested_schema: Arrow format {format!r} cannot be converted to {wanted!r}")
    return cast_layout(array, wanted) if wanted in TEXT + BYTES else we_array_keep(array)


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


cdef object schema_capsule(we_array *array):
    cdef ArrowSchema *schema = <ArrowSchema *> calloc(1, sizeof(ArrowSchema))
    if schema == NULL or we_array_schema(array, schema) < 0:
        free(schema)
        raise MemoryError()
    return PyCapsule_New(schema, "arrow_schema", destroy_schema)


cdef object array_capsule(we_array *array):
    cdef ArrowArray *exported = <ArrowArray *> calloc(1, sizeof(ArrowArray))
    if exported == NULL or we_array_export(array, exported) < 0:
        free(exported)
        raise MemoryError()
    return PyCapsule_New(exported, "arrow_array", destroy_array)


cdef ArrowSchema *schema_of(requested) except? NULL:
    """Return the schema in the capsule that a consumer has passed, or null for None."""
    if requested is None:
        return NULL
    if not PyCapsule_IsValid(requested, "arrow_schema"):
        raise TypeError("requested_schema must be a capsule named arrow_schema")
    cdef ArrowSchema *schema = <ArrowSchema *> PyCapsule_GetPointer(requested, "arrow_schema")
    if schema.release == NULL:
        raise ValueError("requested_schema: the schema was released before it was read")
    return schema


@cython.final
cdef class Column:
    """The result of the functions of `whatwg_encoding.arrow`: immutable chunks for any consumer of Arrow data.

    ``pa.array(column)``, ``pa.chunked_array(column)``, ``pl.Series(column)`` and ``nanoarrow.ArrayStream(column)``
    import it without a copy, any number of times and in any thread. A ``requested_schema`` of another offset width is
    honoured: the offsets are converted, the text is shared.
    https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
    """

    cdef we_array **arrays  # the chunks; without any, one array without rows, which tells the type
    cdef size_t count

    def __init__(self):
        raise TypeError("a Column cannot be created directly; use decode_array or another function of this module")

    def __dealloc__(self):
        cdef size_t i
        for i in range(max(self.count, <size_t> (self.arrays != NULL))):
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
        return f"<Column of {len(self)} rows in {self.count} chunks, Arrow format {self.arrays[0].format.decode()!r}>"

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

    def __arrow_c_schema__(self):
        """Return the type as a capsule."""
        return schema_capsule(self.arrays[0])

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
        cdef we_array *array = cast(self.arrays[0], schema_of(requested_schema))
        try:
            return schema_capsule(array), array_capsule(array)
        finally:
            we_array_drop(array)

    def __arrow_c_stream__(self, requested_schema=None):
        """Return the capsule of a stream of the chunks."""
        cdef ArrowSchema *requested = schema_of(requested_schema)
        cdef ArrowArrayStream *stream
        cdef Column converted = Column.__new__(Column)
        cdef size_t i
        for i in range(max(self.count, <size_t> 1)):
            converted.append(cast(self.arrays[i], requested))
        converted.count = self.count
        stream = <ArrowArrayStream *> calloc(1, sizeof(ArrowArrayStream))
        if stream == NULL or we_stream_export(converted.arrays[0], converted.arrays, converted.count, stream) < 0:
            free(stream)
            raise MemoryError()
        return PyCapsule_New(stream, "arrow_array_stream", destroy_stream)
