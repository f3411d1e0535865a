# Part of prescan.pyx: the XML declaration, CSS's @charset, and the scans, which take a resource as it arrives.

cdef enum:
    CSS_WINDOW = 1024

# --- UTF-16 signatures and the XML declaration ---

cdef inline bint may_start_with(
    bytes_pointer data, Py_ssize_t length, bytes_pointer prefix, Py_ssize_t prefix_length
) noexcept nogil:
    return memcmp(data, prefix, length if length < prefix_length else prefix_length) == 0


cdef inline Py_ssize_t skip_space(bytes_pointer data, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    while i < end and data[i] <= 0x20:
        i += 1
    return i


cdef object xml_encoding(bytes_pointer data, Py_ssize_t length, Py_ssize_t *end):
    """Return the encoding that the XML declaration names, or None. Set ``end`` to the offset after the declaration.

    https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing
    """
    cdef label_state label
    cdef Py_ssize_t i, declaration_end, looks = 0
    cdef int quote, c
    if length < 5 or memcmp(data, b"<?xml", 5) != 0:
        return None
    declaration_end = find(data, 0, length, c">")
    if declaration_end == length:
        return None
    end[0] = declaration_end + 1
    # Only the first "encoding" is used, independent of attribute syntax.
    i = 5
    while True:
        i = find(data, i, declaration_end, c"e")
        if declaration_end - i < 8:
            return None
        if memcmp(data + i, b"encoding", 8) == 0:
            break
        i += 1
        looks += 1
        if looks % SLICE == 0:
            PyErr_CheckSignals()
    # Each index is compared with declaration_end, since another thread may overwrite the ">" there. A label that
    # continues after it is not a label.
    i = skip_space(data, i + 8, declaration_end)
    if i == declaration_end or data[i] != c"=":
        return None
    i = skip_space(data, i + 1, declaration_end)
    quote = data[i] if i < declaration_end else 0
    if quote != c'"' and quote != c"'":
        return None
    memset(&label, 0, sizeof(label))
    for i in range(i + 1, declaration_end):
        c = data[i]
        if c == quote:
            return declared_in_bytes(get_an_encoding(&label))
        if c <= 0x20:
            return None
        label_push(&label, c)
    return None


cdef object signature(bytes_pointer data, Py_ssize_t length, bint *may_be):
    """Return the encoding whose signature the data starts with, or None. Set whether more bytes may complete one."""
    found = None
    if may_start_with(data, length, b"<\0?\0x\0", 6):
        found = UTF_16LE
    elif may_start_with(data, length, b"\0<\0?\0x", 6):
        found = UTF_16BE
    may_be[0] = found is not None and length < 6
    return found if length >= 6 else None


# --- The scans ---

cdef class Scan:
    """An incremental search for a declaration at the start of a resource."""

    # decided: no further bytes can change the result. encoding: the result. start, end: the offsets of the declaration.
    cdef bint decided
    cdef object encoding
    cdef Py_ssize_t start
    cdef Py_ssize_t end

    cdef object decide(self, object encoding, Py_ssize_t start, Py_ssize_t end):
        self.decided = True
        self.encoding = encoding
        self.start = start
        self.end = end
        return encoding

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        """Return the encoding declared in the data, or None if it declares none or ``decided`` is false.

        The data is all of the resource so far: that of the previous call plus the bytes that arrived since.
        """
        raise NotImplementedError


cdef class HTMLScan(Scan):
    """The prescan of the first ``limit`` bytes: UTF-16 signatures, then ``meta``, then the XML declaration.

    https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
    """

    cdef markup_state markup
    cdef Py_ssize_t limit

    def __cinit__(self, Py_ssize_t limit=1024):
        self.limit = limit

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef Py_ssize_t end = 0
        cdef bint may_be_signature
        if length >= self.limit:
            length = self.limit
            final = True
        encoding = signature(data, length, &may_be_signature)
        if encoding is not None:
            return self.decide(encoding, 0, 6)
        # The start of a signature cannot contain a meta: it has a NUL, and "<" only as its first character.
        encoding = markup_feed(&self.markup, data + self.markup.offset, length - self.markup.offset)
        if encoding is not None:
            return self.decide(encoding, self.markup.tag_start, self.markup.offset)
        if not final:
            return None
        # Last, and in the same window: until it is full, a meta may follow.
        encoding = xml_encoding(data, length, &end)
        return self.decide(encoding, 0, end)


cdef class XMLScan(Scan):
    """The UTF-16 signatures, then the XML declaration, however long it is.

    https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing
    """

    cdef Py_ssize_t searched

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef Py_ssize_t searched = min(self.searched, length), end = 0
        cdef bint may_be_signature
        encoding = signature(data, length, &may_be_signature)
        if encoding is not None:
            return self.decide(encoding, 0, 6)
        if not final and may_be_signature:
            return None
        if not may_start_with(data, length, b"<?xml", 5):
            return self.decide(None, 0, 0)
        if not final and find(data, searched, length, c">") == length:
            self.searched = length
            return None
        encoding = xml_encoding(data, length, &end)
        return self.decide(encoding, 0, end)


cdef class CSSScan(Scan):
    """The byte pattern ``@charset "…";`` at the very start, in the first 1024 bytes.

    https://drafts.csswg.org/css-syntax-3/#determine-the-fallback-encoding
    """

    cdef Py_ssize_t position
    cdef label_state label

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef int c
        if length >= CSS_WINDOW:
            length = CSS_WINDOW
            final = True
        if not may_start_with(data, length, b'@charset "', 10):
            return self.decide(None, 0, 0)
        self.position = max(self.position, 10)
        while self.position < length:
            c = data[self.position]
            if c == c'"':
                if self.position + 1 == length:
                    break  # the next byte has not arrived
                if data[self.position + 1] != c";":
                    return self.decide(None, 0, 0)
                encoding = declared_in_bytes(get_an_encoding(&self.label))
                return self.decide(encoding, 0, self.position + 2)
            if c > 0x7F:
                return self.decide(None, 0, 0)
            label_push(&self.label, c)
            self.position += 1
        return self.decide(None, 0, 0) if final else None


cdef class MetaScan:
    """A search for the first ``meta`` at which the tree builder would change the encoding, in a resource of any length.

    It stores no bytes. It does not build a tree: every ``meta`` tag outside text and comments is an element, and
    character references are not resolved.

    https://html.spec.whatwg.org/#parsing-main-inhead
    """

    cdef markup_state markup
    # The offsets of the tag that was found; until there is one, end is that of the next byte.
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end

    def __cinit__(self):
        self.markup.tree_builder = True

    def feed(self, data):
        """Return the encoding of the first declaration in these bytes, which follow those of earlier calls, or None."""
        cdef Source source
        open_source(data, &source)
        try:
            encoding = markup_feed(&self.markup, source.bytes, <Py_ssize_t> source.length)
            self.start, self.end = self.markup.tag_start, self.markup.offset
            return encoding
        finally:
            close_source(&source)
