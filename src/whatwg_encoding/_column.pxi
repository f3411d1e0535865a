# Part of _arrow.pyx: a column's type, (format, name, is nullable, children, dictionary), and its export.


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
