# Part of _arrow.pyx: `sniff` for a column of documents.


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
