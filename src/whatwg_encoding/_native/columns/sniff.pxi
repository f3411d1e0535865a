# Part of arrow.pyx: `sniff` for a column of documents.

cdef enum:
    # Upper bound on the bytes of a row that are copied, which takes less time than a memoryview of them.
    COPIED_ROW = 4096


@cython.final
cdef class Row:
    """The bytes of a row, as a buffer that keeps their chunk alive."""

    cdef Chunk chunk
    cdef const uint8_t *bytes
    cdef size_t length

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        if flags & PyBUF_WRITABLE == PyBUF_WRITABLE:
            raise BufferError("the bytes of a row cannot be changed")
        # Not by PyBuffer_FillInfo, which would set `obj` without releasing what Cython has set it to.
        buffer.obj = self
        buffer.buf = <void *> self.bytes
        buffer.len = <Py_ssize_t> self.length
        buffer.readonly = True
        buffer.itemsize = 1
        buffer.ndim = 1
        buffer.format = NULL  # bytes
        buffer.shape = &buffer.len if flags & PyBUF_ND else NULL
        buffer.strides = &buffer.itemsize if flags & PyBUF_STRIDES == PyBUF_STRIDES else NULL
        buffer.suboffsets = NULL
        buffer.internal = NULL


cdef we_array *sniffed_array(int64_t rows) except NULL:
    """Return a struct of encoding, source and confidence, each without its dictionary."""
    cdef we_array *array = made(we_array_new("+s", "", rows))
    array.flags = 0
    if (
        we_array_adopt(array, we_array_of_width("c", "encoding", rows, 1)) == NULL
        or we_array_adopt(array, we_array_of_width("c", "source", rows, 1)) == NULL
        or we_array_adopt(array, we_array_of_width("c", "confidence", rows, 1)) == NULL
    ):
        we_array_drop(array)
        raise MemoryError()
    return array


def sniff(bodies, content_types, tlds, rule):
    """Return a struct of encoding, source and confidence: the result of ``rule`` for each body, content type and tld.
    """
    cdef Producer producer = Producer(bodies, "bodies")
    cdef Companion headers = Companion(content_types, "content_types"), domains = Companion(tlds, "tld")
    cdef tuple dictionaries = ({encoding.name: code for code, encoding in enumerate(ALL)}, {}, {})
    cdef dict codes
    cdef Column column = Column.__new__(Column)
    cdef Chunk chunk
    cdef Row row
    cdef we_array *array
    cdef int64_t rows = 0, i
    cdef int child, kind
    cdef size_t at, chunks
    cdef const uint8_t *bytes
    cdef size_t length
    while True:
        chunk = next_chunk(producer, rows)
        if chunk is None:
            break
        headers.cover(rows, rows + chunk.source.length)
        domains.cover(rows, rows + chunk.source.length)
        array = sniffed_array(chunk.source.length)
        column.append(array)
        for i in range(chunk.source.length):
            PyErr_CheckSignals()
            kind = we_source_row(&chunk.source, i, &bytes, &length)
            if kind == WE_ROW_WRONG:
                raise ValueError(f"bodies: the buffers have changed since they were checked, at row {rows + i}")
            if kind == WE_ROW_NULL:
                for child in range(3):
                    array.children[child].blocks[1].bytes[i] = 0
                    if we_array_set_null(array.children[child], i) < 0:
                        raise MemoryError()
                continue
            if length <= COPIED_ROW:
                body = copy_of(bytes, length)
            else:
                row = Row.__new__(Row)
                row.chunk = chunk
                row.bytes = bytes
                row.length = length
                body = memoryview(row)
            sniffed = rule(body, headers.row(rows + i, "latin-1"), domains.row(rows + i, "utf-8"))
            for child, text in enumerate((sniffed.encoding.name, sniffed.source, sniffed.confidence)):
                codes = dictionaries[child]
                array.children[child].blocks[1].bytes[i] = codes.setdefault(text, len(codes))
        rows += chunk.source.length
    headers.finish(rows)
    domains.finish(rows)
    chunks = column.count
    if chunks == 0:
        column.append(sniffed_array(0))
    for child in range(3):
        array = text_array(list(dictionaries[child]))
        for at in range(column.count):
            we_array_adopt(column.arrays[at].children[child], we_array_keep(array))
        we_array_drop(array)
    column.count = chunks
    return column
