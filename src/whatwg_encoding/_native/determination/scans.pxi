# Part of prescan.pyx: the scans, which take a resource as it arrives.

cdef enum:
    CSS_WINDOW = 1024


cdef inline object encoding_at(int position):
    """Return the encoding at a position in the standard's order, None for -1."""
    return None if position < 0 else ALL[position]


cdef int markup_feed(we_markup *markup, bytes_pointer data, Py_ssize_t length) except -2:
    """Return the first encoding that a meta tag declares in these bytes, or -1."""
    cdef size_t read
    cdef Py_ssize_t i = 0
    cdef int position = -1
    while i < length and position < 0:
        with nogil:
            position = we_markup_feed(markup, data + i, <size_t> min(length - i, <Py_ssize_t> SLICE), &read)
        i += <Py_ssize_t> read
        PyErr_CheckSignals()
    return position


# --- The scans ---

cdef class Scan:
    """An incremental search for a declaration at the start of a resource."""

    # decided: no further bytes can change the result. encoding: the result. start, end: the offsets of the declaration.
    cdef bint decided
    cdef object encoding
    cdef Py_ssize_t start
    cdef Py_ssize_t end

    cdef object decide(self, int position, Py_ssize_t start, Py_ssize_t end):
        self.decided = True
        self.encoding = encoding_at(position)
        self.start = start
        self.end = end
        return self.encoding

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        """Return the encoding declared in the data, or None if it declares none or ``decided`` is false.

        The data is all of the resource so far: that of the previous call plus the bytes that arrived since.
        """
        raise NotImplementedError


cdef class HTMLScan(Scan):
    """The prescan of the first ``limit`` bytes: UTF-16 signatures, then ``meta``, then the XML declaration.

    https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
    """

    cdef we_markup markup
    cdef Py_ssize_t limit

    def __cinit__(self, Py_ssize_t limit=WE_PRESCANNED):
        self.limit = limit

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef size_t end = 0
        cdef int may_be_signature, position
        cdef Py_ssize_t offset = <Py_ssize_t> self.markup.offset
        if length >= self.limit:
            length = self.limit
            final = True
        position = we_signature(data, <size_t> length, &may_be_signature)
        if position >= 0:
            return self.decide(position, 0, 6)
        # The start of a signature cannot contain a meta: it has a NUL, and "<" only as its first character.
        position = markup_feed(&self.markup, data + offset, length - offset)
        if position >= 0:
            return self.decide(position, <Py_ssize_t> self.markup.tag_start, <Py_ssize_t> self.markup.offset)
        if not final:
            return None
        # Last, and in the same window: until it is full, a meta may follow.
        position = we_xml_encoding(data, <size_t> length, &end)
        return self.decide(position, 0, <Py_ssize_t> end)


cdef class XMLScan(Scan):
    """The UTF-16 signatures, then the XML declaration, however long it is.

    https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing
    """

    cdef Py_ssize_t searched

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef Py_ssize_t searched = min(self.searched, length)
        cdef size_t end = 0
        cdef int may_be_signature, position
        position = we_signature(data, <size_t> length, &may_be_signature)
        if position >= 0:
            return self.decide(position, 0, 6)
        if not final and may_be_signature:
            return None
        if not we_may_start_with(data, <size_t> length, b"<?xml", 5):
            return self.decide(-1, 0, 0)
        if not final and we_find(data, <size_t> searched, <size_t> length, c">") == <size_t> length:
            self.searched = length
            return None
        with nogil:
            position = we_xml_encoding(data, <size_t> length, &end)
        return self.decide(position, 0, <Py_ssize_t> end)


cdef class CSSScan(Scan):
    """The byte pattern ``@charset "…";`` at the very start, in the first 1024 bytes.

    https://drafts.csswg.org/css-syntax-3/#determine-the-fallback-encoding
    """

    cdef Py_ssize_t position
    cdef we_label label

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef int c
        if length >= CSS_WINDOW:
            length = CSS_WINDOW
            final = True
        if not we_may_start_with(data, <size_t> length, b'@charset "', 10):
            return self.decide(-1, 0, 0)
        self.position = max(self.position, 10)
        while self.position < length:
            c = data[self.position]
            if c == c'"':
                if self.position + 1 == length:
                    break  # the next byte has not arrived
                if data[self.position + 1] != c";":
                    return self.decide(-1, 0, 0)
                return self.decide(we_in_ascii(we_get_an_encoding(&self.label)), 0, self.position + 2)
            if c > 0x7F:
                return self.decide(-1, 0, 0)
            we_label_push(&self.label, c)
            self.position += 1
        return self.decide(-1, 0, 0) if final else None


cdef class MetaScan:
    """A search for the first ``meta`` at which the tree builder would change the encoding, in a resource of any length.

    It stores no bytes. It does not build a tree: every ``meta`` tag outside text and comments is an element, and
    character references are not resolved.

    https://html.spec.whatwg.org/#parsing-main-inhead
    """

    cdef we_markup markup
    # The offsets of the tag that was found; until there is one, end is that of the next byte.
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end

    def __cinit__(self):
        self.markup.tree_builder = 1

    def feed(self, data):
        """Return the encoding of the first declaration in these bytes, which follow those of earlier calls, or None."""
        cdef Source source
        cdef int position
        open_source(data, &source)
        try:
            position = markup_feed(&self.markup, source.bytes, <Py_ssize_t> source.length)
            self.start, self.end = <Py_ssize_t> self.markup.tag_start, <Py_ssize_t> self.markup.offset
            return encoding_at(position)
        finally:
            close_source(&source)
