# Part of arrow.pyx: the import of a producer's arrays.


def is_column(value):
    """Return whether a value exports Arrow data."""
    return hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")


cdef int checked(int status, const char *message) except -1:
    """Raise ValueError with the message if the status is negative."""
    if status < 0:
        raise ValueError(message.decode("utf-8", "replace"))
    return 0


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
        return checked(we_format_of(schema, self.role, &self.format, message), message)

    cdef int call_stream(self, ArrowSchema *schema, ArrowArray *array) except -1:
        """Get the schema or the next array of the stream.

        The GIL is released, since the stream may wait for other threads that need it.
        """
        cdef int status
        cdef const char *message
        with nogil:
            if schema != NULL:
                status = self.stream.get_schema(&self.stream, schema)
            else:
                status = self.stream.get_next(&self.stream, array)
        if status == 0:
            return 0
        message = self.stream.get_last_error(&self.stream) if self.stream.get_last_error != NULL else NULL
        reason = "" if message == NULL else f": {(<bytes> message).decode('utf-8', 'replace')}"
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
        cdef int status = 0
        memset(&check, 0, sizeof(we_check))
        while status == 0:
            with nogil:
                status = we_source_check(&self.source, role, &check, message)
            PyErr_CheckSignals()
        return checked(status, message)


cdef Chunk next_chunk(Producer producer, int64_t start):
    """Import and validate the next array; return None at the end."""
    cdef char[WE_MESSAGE_SIZE] message
    cdef we_block *block = producer.next()
    if block == NULL:
        return None
    cdef Chunk chunk = Chunk.__new__(Chunk)
    chunk.block = block
    chunk.start = start
    checked(we_source_open(&block.array, producer.role, &producer.format, &chunk.source, message), message)
    chunk.check(producer.role)
    return chunk


cdef Chunk chunk_without_rows(Producer producer):
    cdef Chunk chunk = Chunk.__new__(Chunk)
    chunk.source.values.layout = producer.format.layout
    chunk.source.values.width = producer.format.width
    chunk.source.index = producer.format.index
    return chunk


@cython.final
cdef class Companion:
    """A value for each row of a column: one for all, or a second column, in chunks of its own."""

    cdef object value      # without a producer: of all rows
    cdef Producer producer
    cdef str role
    cdef list chunks       # those that overlap the current chunk of the first column
    cdef int64_t rows      # imported so far
    cdef we_label_chunk *table

    def __cinit__(self, value, str role):
        if value is None or isinstance(value, str):
            self.value = value
        elif is_column(value):
            self.producer = Producer(value, role)
        else:
            raise TypeError(f"{role} must be a column, a str or None, not {type(value).__name__}")
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
        if self.producer is None:
            return 0
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
        if self.producer is None:
            return 0
        while self.rows == rows:
            chunk = next_chunk(self.producer, self.rows)
            if chunk is None:
                return 0
            self.rows += chunk.source.length
        raise ValueError(f"{self.role}: a column of {self.rows} rows or more, but the values have {rows}")

    cdef object row(self, int64_t row, str codec):
        """Return the text of a row of the imported chunks, or None for null."""
        cdef const uint8_t *bytes
        cdef size_t length
        cdef Chunk chunk
        cdef int kind
        if self.producer is None:
            return self.value
        for chunk in self.chunks:
            if chunk.start <= row < chunk.start + chunk.source.length:
                kind = we_source_row(&chunk.source, row - chunk.start, &bytes, &length)
                if kind == WE_ROW_WRONG:
                    raise ValueError(f"{self.role}: the buffers have changed since they were checked")
                return copy_of(bytes, length).decode(codec, "replace") if kind == WE_ROW_BYTES else None
        raise AssertionError("rows are imported before they are read")
