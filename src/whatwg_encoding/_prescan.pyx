"""Determine the encoding of a resource from the declarations in its first bytes and from hints.

HTML's prescan, the XML declaration and CSS's @charset are scans. A scan takes the part of a resource that has arrived
and decides as early as possible. It processes each byte once, however the resource is split, and stores a fixed number
of bytes: time is linear in the length of the input, and memory constant.

https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
"""

import sys
from collections import namedtuple

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcmp, memcpy, memset

from whatwg_encoding._source cimport SLICE, Source, close_source, open_source

from ._core import Encoding, UnknownLabelError
from ._labels import LABELS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED, lookup

__all__ = [
    "CSSScan",
    "Determination",
    "HTMLScan",
    "MetaScan",
    "Sniffed",
    "Steps",
    "XMLScan",
    "determine",
    "meta_content",
    "prescan",
    "utf_8_counts",
    "xml_declaration",
]

ctypedef const unsigned char *bytes_pointer

cdef extern from *:
    """
    static const unsigned char CHARSET[] = "charset";
    static const unsigned char CONTENT_TYPE[] = "content-type";
    static const unsigned char SIGNATURE_LE[] = {'<', 0, '?', 0, 'x', 0};
    static const unsigned char SIGNATURE_BE[] = {0, '<', 0, '?', 0, 'x'};
    static const unsigned char XML_OPEN[] = "<?xml";
    static const unsigned char AT_CHARSET[] = "@charset \\"";
    static const unsigned char BOMS[][3] = {{0xEF, 0xBB, 0xBF}, {0xFE, 0xFF}, {0xFF, 0xFE}};
    #define we_new_tuple(type, arguments) PyTuple_Type.tp_new((PyTypeObject *)(type), arguments, NULL)
    """
    const unsigned char CHARSET[]
    const unsigned char CONTENT_TYPE[]
    const unsigned char SIGNATURE_LE[]
    const unsigned char SIGNATURE_BE[]
    const unsigned char XML_OPEN[]
    const unsigned char AT_CHARSET[]
    const unsigned char BOMS[][3]
    object we_new_tuple(object type, tuple arguments)

get_label = LABELS.get

cdef enum:
    LABEL_CAPACITY = 64  # the generator refuses a longer label
    TAG_NAME_CAPACITY = 12
    CSS_WINDOW = 1024
    LONGEST_CUT = 3  # bytes of a UTF-8 sequence without its first


# --- Bytes ---

cdef inline bint is_whitespace(int c) noexcept nogil:
    """Return whether a byte is ASCII whitespace. https://infra.spec.whatwg.org/#ascii-whitespace"""
    return c == 0x20 or c == 0x09 or c == 0x0A or c == 0x0C or c == 0x0D


cdef inline int ascii_lower(int c) noexcept nogil:
    return c | 0x20 if 0x41 <= c <= 0x5A else c


cdef inline bint is_letter(int c) noexcept nogil:
    return 0x61 <= (c | 0x20) <= 0x7A


# --- Labels ---

cdef struct label_state:
    # A label as it is read, without leading whitespace. Trailing whitespace is removed at its end.
    unsigned char text[LABEL_CAPACITY]
    int length
    bint too_long  # a byte other than whitespace exceeded the capacity, so this is not a label


cdef inline void label_push(label_state *label, int c) noexcept nogil:
    if label.length < LABEL_CAPACITY:
        if label.length or not is_whitespace(c):
            label.text[label.length] = <unsigned char>ascii_lower(c)
            label.length += 1
    elif not is_whitespace(c):
        label.too_long = True


cdef object get_an_encoding(label_state *label):
    """Return the encoding of a label, or None. https://encoding.spec.whatwg.org/#concept-encoding-get"""
    cdef int length = label.length
    if label.too_long:
        return None
    while length and is_whitespace(label.text[length - 1]):
        length -= 1
    # Isomorphic decode: a string with a byte above 0x7F is not a label.
    return get_label((<char *>label.text)[:length].decode("latin-1"))


# --- Extracting a character encoding from a meta element ---
# https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element

cdef enum content_step:
    CONTENT_SEARCH        # for "charset"
    CONTENT_EQUALS        # after it: whitespace, then U+003D (=)
    CONTENT_BEFORE_LABEL  # whitespace, then a quote or the label
    CONTENT_QUOTED
    CONTENT_UNQUOTED
    CONTENT_LABEL         # the label is complete

cdef struct content_state:
    content_step step
    int matched  # bytes of "charset"
    int quote
    label_state label


cdef void content_push(content_state *content, int c) noexcept nogil:
    if content.step == CONTENT_SEARCH:
        c = ascii_lower(c)
        # The letter "c" occurs only at the start of "charset", so after a mismatch a match can only start at this byte.
        if c == CHARSET[content.matched]:
            content.matched += 1
            if content.matched == 7:
                content.step = CONTENT_EQUALS
        else:
            content.matched = c == CHARSET[0]
    elif content.step == CONTENT_EQUALS:
        if c == c"=":
            content.step = CONTENT_BEFORE_LABEL
        elif not is_whitespace(c):
            content.step = CONTENT_SEARCH
            content.matched = ascii_lower(c) == CHARSET[0]
    elif content.step == CONTENT_BEFORE_LABEL:
        if c == c'"' or c == c"'":
            content.step = CONTENT_QUOTED
            content.quote = c
        elif c == c";":
            content.step = CONTENT_LABEL
        elif not is_whitespace(c):
            content.step = CONTENT_UNQUOTED
            label_push(&content.label, c)
    elif content.step == CONTENT_QUOTED:
        if c == content.quote:
            content.step = CONTENT_LABEL
        else:
            label_push(&content.label, c)
    elif content.step == CONTENT_UNQUOTED:
        if is_whitespace(c) or c == c";":
            content.step = CONTENT_LABEL
        else:
            label_push(&content.label, c)


cdef object content_encoding(content_state *content):
    """Return the encoding that a complete content attribute names, or None."""
    # An unquoted label may end with the string; a quoted one needs its quote.
    if content.step != CONTENT_LABEL and content.step != CONTENT_UNQUOTED:
        return None
    return get_an_encoding(&content.label)


def meta_content(content):
    """Return the encoding that the content attribute of a ``meta`` element names, or None.

    Raise TypeError for a content that is not a str.
    https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element
    """
    if not isinstance(content, str):
        raise TypeError(f"content must be str, not {type(content).__name__}")
    # The algorithm compares only ASCII characters, and no byte of another character is ASCII in UTF-8.
    cdef str text = <str>content
    cdef bytes piece
    cdef content_state state
    memset(&state, 0, sizeof(state))
    cdef Py_ssize_t start, i
    for start in range(0, len(text), SLICE):
        piece = text[start : start + SLICE].encode("utf-8", "surrogatepass")
        for i in range(len(piece)):
            content_push(&state, <unsigned char>piece[i])
        PyErr_CheckSignals()
    return content_encoding(&state)


# --- The scan for meta elements ---

cdef enum markup_step:
    TEXT
    LESS_THAN         # "<"
    END_TAG_OPEN      # "</"
    BANG              # "<!"
    BANG_DASH         # "<!-"
    COMMENT
    MARKUP            # up to the next ">"
    TAG_NAME
    BEFORE_ATTRIBUTE
    ATTRIBUTE_NAME
    AFTER_NAME
    BEFORE_VALUE
    QUOTED_VALUE
    UNQUOTED_VALUE
    META_END          # the scan stopped after the ">" of a meta tag
    # For the tree builder only:
    RAW_TEXT
    RAW_LESS_THAN
    RAW_END_TAG
    PLAINTEXT         # until the end of the resource

cdef enum attribute_kind:
    OTHER = 0
    HTTP_EQUIV = 1
    CONTENT = 2
    CHARSET_ATTRIBUTE = 4

cdef struct markup_state:
    markup_step step
    # False: the prescan. True: the tree builder, to which the text in script, style and similar elements is not markup,
    # "--!>" ends a comment, and "/" ends a tag name.
    bint tree_builder
    Py_ssize_t offset        # of the next byte, from the start of the resource
    Py_ssize_t tag_start     # offset of the "<"
    int dashes               # consecutive ones, in a comment; 2 and a bang: -1
    bint is_end_tag
    bint is_meta
    unsigned char name[TAG_NAME_CAPACITY]      # of the tag, then of each attribute; no name of interest is longer
    int name_length
    unsigned char raw_name[TAG_NAME_CAPACITY]  # of the element whose text is not markup
    int raw_name_length
    int matched
    int quote
    attribute_kind attribute
    int seen                 # kinds of attributes of this meta tag so far: a repeated name is ignored
    # https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding keeps "got pragma", "need pragma"
    # and one charset. Whatever the order of attributes, a charset attribute decides if there is one, even by failing;
    # otherwise content does, given the pragma.
    int pragma_matched       # bytes of "content-type"; -1 once the value differs
    label_state charset
    content_state content


cdef inline void name_push(markup_state *s, int c) noexcept nogil:
    # The length of a name that is too long stops at the capacity plus one, so it cannot overflow.
    if s.name_length < TAG_NAME_CAPACITY:
        s.name[s.name_length] = <unsigned char>ascii_lower(c)
    if s.name_length <= TAG_NAME_CAPACITY:
        s.name_length += 1


cdef inline bint name_is(const unsigned char *name, int name_length, const char *other, int length) noexcept nogil:
    return name_length == length and memcmp(name, other, length) == 0


cdef inline bint is_raw_text_element(const unsigned char *name, int n) noexcept nogil:
    """Return whether the tokenizer treats an element's content as text. Scripting is off, so noscript is not one."""
    return (
        name_is(name, n, b"script", 6) or name_is(name, n, b"style", 5) or name_is(name, n, b"title", 5)
        or name_is(name, n, b"textarea", 8) or name_is(name, n, b"xmp", 3) or name_is(name, n, b"iframe", 6)
        or name_is(name, n, b"noembed", 7) or name_is(name, n, b"noframes", 8) or name_is(name, n, b"plaintext", 9)
    )


cdef inline void tag_name_end(markup_state *s) noexcept nogil:
    s.is_meta = False
    s.raw_name_length = 0
    if not s.is_end_tag:
        if name_is(s.name, s.name_length, b"meta", 4):
            s.is_meta = True
            s.seen = 0
        elif s.tree_builder and is_raw_text_element(s.name, s.name_length):
            s.raw_name_length = s.name_length
            for i in range(s.name_length):
                s.raw_name[i] = s.name[i]


cdef inline void tag_end(markup_state *s) noexcept nogil:
    if s.is_meta:
        s.step = META_END
    elif s.raw_name_length:
        s.step = PLAINTEXT if name_is(s.raw_name, s.raw_name_length, b"plaintext", 9) else RAW_TEXT
    else:
        s.step = TEXT


cdef inline void attribute_name_end(markup_state *s) noexcept nogil:
    s.attribute = OTHER
    if not s.is_meta:
        return
    if name_is(s.name, s.name_length, b"charset", 7):
        s.attribute = CHARSET_ATTRIBUTE
    elif name_is(s.name, s.name_length, b"content", 7):
        s.attribute = CONTENT
    elif name_is(s.name, s.name_length, b"http-equiv", 10):
        s.attribute = HTTP_EQUIV
    else:
        return
    if s.seen & s.attribute:
        s.attribute = OTHER
        return
    s.seen |= s.attribute
    if s.attribute == CHARSET_ATTRIBUTE:
        s.charset.length = 0
        s.charset.too_long = False
    elif s.attribute == CONTENT:
        s.content.step = CONTENT_SEARCH
        s.content.matched = 0
        s.content.label.length = 0
        s.content.label.too_long = False
    else:
        s.pragma_matched = 0


cdef inline void value_push(markup_state *s, int c) noexcept nogil:
    if s.attribute == OTHER:
        return
    if s.attribute == CHARSET_ATTRIBUTE:
        label_push(&s.charset, c)
    elif s.attribute == CONTENT:
        content_push(&s.content, c)
    elif s.pragma_matched >= 0:
        if s.pragma_matched < 12 and ascii_lower(c) == CONTENT_TYPE[s.pragma_matched]:
            s.pragma_matched += 1
        else:
            s.pragma_matched = -1


cdef Py_ssize_t markup_run(markup_state *s, bytes_pointer data, Py_ssize_t length) noexcept nogil:
    """Read bytes up to the end of a meta tag, which sets ``step`` to META_END, or of the data; return their number."""
    cdef Py_ssize_t i = 0
    cdef int c
    cdef const void *found
    while i < length:
        c = data[i]
        if s.step == TEXT:
            found = memchr(data + i, c"<", length - i)
            if not found:
                i = length
                break
            i = <bytes_pointer>found - data
            s.tag_start = s.offset + i
            s.step = LESS_THAN
        elif s.step == LESS_THAN:
            if is_letter(c):
                s.is_end_tag = False
                s.name_length = 0
                s.step = TAG_NAME
                continue  # this byte is part of the name
            if c == c"!":
                s.step = BANG
            elif c == c"/":
                s.step = END_TAG_OPEN
            elif c == c"?":
                s.step = MARKUP
            elif c == c"<":
                s.tag_start = s.offset + i
            else:
                s.step = TEXT
        elif s.step == END_TAG_OPEN:
            if is_letter(c):
                s.is_end_tag = True
                s.name_length = 0
                s.step = TAG_NAME
                continue
            s.step = TEXT if c == c">" else MARKUP
        elif s.step == BANG:
            s.step = BANG_DASH if c == c"-" else TEXT if c == c">" else MARKUP
        elif s.step == BANG_DASH:
            if c == c"-":
                s.step = COMMENT
                s.dashes = 2  # the opener's own may be the closer's: "<!-->"
            else:
                s.step = TEXT if c == c">" else MARKUP
        elif s.step == COMMENT:
            if c == c"-":
                s.dashes = 1 if s.dashes < 0 else s.dashes + (s.dashes < 2)
            elif c == c">" and (s.dashes == 2 or s.dashes < 0):
                s.step = TEXT
            elif c == c"!" and s.dashes == 2 and s.tree_builder:
                s.dashes = -1
            else:
                s.dashes = 0
                found = memchr(data + i, c"-", length - i)
                i = <bytes_pointer>found - data if found else length
                continue
        elif s.step == MARKUP:
            found = memchr(data + i, c">", length - i)
            if not found:
                i = length
                break
            i = <bytes_pointer>found - data
            s.step = TEXT
        elif s.step == TAG_NAME:
            if is_whitespace(c):
                tag_name_end(s)
                s.step = BEFORE_ATTRIBUTE
            elif c == c">":
                # "<meta>" has no attributes
                tag_name_end(s)
                s.is_meta = False
                tag_end(s)
            elif c == c"/" and (s.tree_builder or not s.is_end_tag and name_is(s.name, s.name_length, b"meta", 4)):
                # The prescan ends the name of "<meta/" here; in any other tag "/" is part of the name.
                tag_name_end(s)
                s.step = BEFORE_ATTRIBUTE
            else:
                name_push(s, c)
        elif s.step == BEFORE_ATTRIBUTE:
            if c == c">":
                tag_end(s)
                if s.step == META_END:
                    i += 1
                    break
            elif c != c"/" and not is_whitespace(c):
                s.name_length = 0
                name_push(s, c)  # also "=": a name may start with it
                s.step = ATTRIBUTE_NAME
        elif s.step == ATTRIBUTE_NAME:
            if c == c"=":
                attribute_name_end(s)
                s.step = BEFORE_VALUE
            elif is_whitespace(c):
                attribute_name_end(s)
                s.step = AFTER_NAME
            elif c == c"/" or c == c">":
                attribute_name_end(s)
                s.step = BEFORE_ATTRIBUTE
                continue
            else:
                name_push(s, c)
        elif s.step == AFTER_NAME:
            if c == c"=":
                s.step = BEFORE_VALUE
            elif not is_whitespace(c):
                s.step = BEFORE_ATTRIBUTE
                continue
        elif s.step == BEFORE_VALUE:
            if c == c'"' or c == c"'":
                s.quote = c
                s.step = QUOTED_VALUE
            elif c == c">":
                s.step = BEFORE_ATTRIBUTE
                continue
            elif not is_whitespace(c):
                s.step = UNQUOTED_VALUE
                value_push(s, c)
        elif s.step == QUOTED_VALUE:
            if c == s.quote:
                s.step = BEFORE_ATTRIBUTE
            elif s.attribute == OTHER:
                found = memchr(data + i, s.quote, length - i)
                i = <bytes_pointer>found - data if found else length
                continue
            else:
                value_push(s, c)
        elif s.step == UNQUOTED_VALUE:
            if is_whitespace(c) or c == c">":
                s.step = BEFORE_ATTRIBUTE
                continue
            value_push(s, c)
        elif s.step == RAW_TEXT:
            found = memchr(data + i, c"<", length - i)
            if not found:
                i = length
                break
            i = <bytes_pointer>found - data
            s.step = RAW_LESS_THAN
        elif s.step == RAW_LESS_THAN:
            s.matched = 0
            if c == c"/":
                s.step = RAW_END_TAG
            elif c != c"<":
                s.step = RAW_TEXT
        elif s.step == RAW_END_TAG:
            if s.matched < s.raw_name_length:
                if ascii_lower(c) == s.raw_name[s.matched]:
                    s.matched += 1
                else:
                    s.step = RAW_TEXT
                    continue
            elif c == c">" or c == c"/" or is_whitespace(c):
                s.raw_name_length = 0
                s.is_meta = False
                s.step = BEFORE_ATTRIBUTE
                continue
            else:
                s.step = RAW_TEXT
                continue
        elif s.step == PLAINTEXT:
            i = length
            break
        i += 1
    s.offset += i
    return i


cdef object meta_encoding(markup_state *s):
    """Return the encoding that the last meta tag declares, or None."""
    if s.seen & CHARSET_ATTRIBUTE:
        encoding = get_an_encoding(&s.charset)
        # In the prescan, charset is then failure, not null, so content is not used. The tree builder continues with it.
        if encoding is not None or not s.tree_builder:
            return encoding
    if s.seen & CONTENT and s.seen & HTTP_EQUIV and s.pragma_matched == 12:
        return content_encoding(&s.content)
    return None


cdef object declared_in_bytes(object encoding):
    """Return the encoding for a declaration in ASCII bytes, which cannot be UTF-16: UTF-8 in its place."""
    return UTF_8 if encoding is UTF_16BE or encoding is UTF_16LE else encoding


cdef object declared_by_meta(object encoding):
    return WINDOWS_1252 if encoding is X_USER_DEFINED else declared_in_bytes(encoding)


cdef object markup_feed(markup_state *s, bytes_pointer data, Py_ssize_t length):
    """Return the first encoding that a meta tag declares in these bytes, or None."""
    cdef Py_ssize_t i = 0
    while i < length:
        i += markup_run(s, data + i, min(length - i, <Py_ssize_t>SLICE))
        if s.step == META_END:
            s.step = TEXT
            encoding = meta_encoding(s)
            if encoding is not None:
                return declared_by_meta(encoding)
        PyErr_CheckSignals()
    return None


# --- UTF-16 signatures and the XML declaration ---

cdef inline bint may_start_with(
    bytes_pointer data, Py_ssize_t length, bytes_pointer prefix, Py_ssize_t prefix_length
) noexcept nogil:
    return memcmp(data, prefix, length if length < prefix_length else prefix_length) == 0


cdef object xml_encoding(bytes_pointer data, Py_ssize_t length, Py_ssize_t *end):
    """Return the encoding that the XML declaration names, or None. Set ``end`` to the offset after the declaration.

    https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing
    """
    cdef label_state label
    cdef Py_ssize_t i, declaration_end, looks = 0
    cdef int quote, c
    cdef const void *found
    if length < 5 or memcmp(data, XML_OPEN, 5) != 0:
        return None
    found = memchr(data, c">", length)
    if not found:
        return None
    declaration_end = <bytes_pointer>found - data
    end[0] = declaration_end + 1
    # Only the first "encoding" is used, independent of attribute syntax.
    i = 5
    while True:
        found = memchr(data + i, c"e", declaration_end - i)
        if not found:
            return None
        i = <bytes_pointer>found - data
        if declaration_end - i < 8:
            return None
        if memcmp(data + i, b"encoding", 8) == 0:
            break
        i += 1
        looks += 1
        if looks % SLICE == 0:
            PyErr_CheckSignals()
    i += 8
    # Each loop compares with declaration_end, since another thread may overwrite the ">" there. A label that continues
    # after it is not a label.
    while i < declaration_end and data[i] <= 0x20:
        i += 1
    if i == declaration_end or data[i] != c"=":
        return None
    i += 1
    while i < declaration_end and data[i] <= 0x20:
        i += 1
    if i == declaration_end:
        return None
    quote = data[i]
    if quote != c'"' and quote != c"'":
        return None
    i += 1
    label.length = 0
    label.too_long = False
    while i < declaration_end:
        c = data[i]
        if c == quote:
            return declared_in_bytes(get_an_encoding(&label))
        if c <= 0x20:
            return None
        label_push(&label, c)
        i += 1
    return None


cdef object signature(bytes_pointer data, Py_ssize_t length):
    if length >= 6:
        if memcmp(data, SIGNATURE_LE, 6) == 0:
            return UTF_16LE
        if memcmp(data, SIGNATURE_BE, 6) == 0:
            return UTF_16BE
    return None


cdef inline bint may_be_signature(bytes_pointer data, Py_ssize_t length) noexcept nogil:
    return length < 6 and (
        may_start_with(data, length, SIGNATURE_LE, 6) or may_start_with(data, length, SIGNATURE_BE, 6)
    )


# --- The scans ---

cdef class Scan:
    """An incremental search for a declaration at the start of a resource."""

    # decided: no further bytes can change the result. encoding: the result. start, end: the offsets of the declaration.
    cdef readonly bint decided
    cdef readonly object encoding
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end

    cdef object decide(self, object encoding, Py_ssize_t start, Py_ssize_t end):
        self.decided = True
        self.encoding = encoding
        if encoding is not None:
            self.start = start
            self.end = end
        return encoding

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        raise NotImplementedError

    def look(self, data, bint final):
        """Return the encoding declared in ``data``, or None if it declares none or ``decided`` is false.

        ``data`` is all of the resource so far: that of the previous call plus the bytes that arrived since. ``final``:
        it is complete. Raise TypeError for data without a contiguous buffer.
        """
        cdef Source source
        if self.decided:
            return self.encoding
        open_source(data, &source)
        try:
            return self.step(source.bytes, <Py_ssize_t> source.length, final)
        finally:
            close_source(&source)


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
        if length >= self.limit:
            length = self.limit
            final = True
        encoding = signature(data, length)
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
        encoding = signature(data, length)
        if encoding is not None:
            return self.decide(encoding, 0, 6)
        if not final and may_be_signature(data, length):
            return None
        if not may_start_with(data, length, XML_OPEN, 5):
            return self.decide(None, 0, 0)
        if memchr(data + searched, c">", length - searched):
            encoding = xml_encoding(data, length, &end)
            return self.decide(encoding, 0, end)
        self.searched = length
        if final:
            return self.decide(None, 0, 0)
        return None


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
        if not may_start_with(data, length, AT_CHARSET, 10):
            return self.decide(None, 0, 0)
        if self.position < 10:
            self.position = 10
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
        if final:
            return self.decide(None, 0, 0)
        return None


cdef class MetaScan:
    """A search for the first ``meta`` at which the tree builder would change the encoding, in a resource of any length.

    It stores no bytes. It does not build a tree: every ``meta`` tag outside text and comments is an element, and
    character references are not resolved.

    https://html.spec.whatwg.org/#parsing-main-inhead
    """

    cdef markup_state markup

    def __cinit__(self):
        self.markup.tree_builder = True

    @property
    def start(self):
        """The offset of the ``<`` of the tag that was found."""
        return self.markup.tag_start

    @property
    def end(self):
        """The offset after its ``>``."""
        return self.markup.offset

    def feed(self, data):
        """Return the encoding of the first declaration in these bytes, which follow those of earlier calls, or None."""
        cdef Source source
        open_source(data, &source)
        try:
            return markup_feed(&self.markup, source.bytes, <Py_ssize_t> source.length)
        finally:
            close_source(&source)


# --- Determinations ---

Sniffed = namedtuple("Sniffed", "encoding confidence source", module="whatwg_encoding.sniff")
Sniffed.__doc__ = """What the functions of ``sniff`` return.

``confidence``: "certain", "tentative" (a later ``meta`` may change it) or "irrelevant" (there are no bytes to decode).
``source``: what decided.
https://html.spec.whatwg.org/#concept-encoding-confidence
"""

cdef inline object sniffed(object encoding, object confidence, object source):
    """Return ``Sniffed(…)`` in half the time."""
    return we_new_tuple(Sniffed, ((encoding, confidence, source),))


cdef enum bom_policy:
    SNIFFING  # a byte order mark decides first
    REMOVE    # the encoding's own is removed
    KEEP      # byte order marks are text

BOM_POLICIES = {"sniffing": SNIFFING, "remove": REMOVE, "keep": KEEP}


cdef class Steps:
    """The steps that determine the encoding of a resource, with all hints applied: the first that gives one decides.

    ``bom``: "sniffing", "remove" or "keep". ``before``: the result that overrides the content. ``scan``: a class of
    scans, whose result has ``confidence`` and ``source``. ``detector``: a callable, called with the whole resource, or,
    if it has an attribute ``limit``, with that many of the first bytes of an incomplete one. ``after``: the fallback.
    """

    cdef readonly object before
    cdef readonly object scan
    cdef readonly object confidence
    cdef readonly object source
    cdef readonly object detector
    cdef readonly object after
    cdef Py_ssize_t limit
    cdef bom_policy bom

    def __init__(
        self, *, before=None, scan=None, confidence="tentative", source="", detector=None, after=None, bom="sniffing"
    ):
        if before is None and after is None:
            raise TypeError("either before or after has to decide")
        self.before = before
        self.scan = scan
        self.confidence = confidence
        self.source = source
        self.detector = detector
        self.limit = getattr(detector, "limit", sys.maxsize)
        self.after = after
        self.bom = BOM_POLICIES[bom]

    def with_bom(self, bom):
        """Return the same steps with another policy for byte order marks."""
        return Steps(
            before=self.before, scan=self.scan, confidence=self.confidence, source=self.source, detector=self.detector,
            after=self.after, bom=bom,
        )


cdef enum bom_of:
    # The indexes of BOMS.
    BOM_OF_UTF_8
    BOM_OF_UTF_16BE
    BOM_OF_UTF_16LE
    NO_BOM


cdef bom_of own_bom(encoding) except? NO_BOM:
    if encoding is UTF_8:
        return BOM_OF_UTF_8
    if encoding is UTF_16BE:
        return BOM_OF_UTF_16BE
    return BOM_OF_UTF_16LE if encoding is UTF_16LE else NO_BOM


cdef inline Py_ssize_t bom_at(bytes_pointer data, Py_ssize_t length, int bom) noexcept nogil:
    """Return the length of that byte order mark at the start, -1 if more bytes may complete one, else 0."""
    cdef Py_ssize_t bom_length = 3 if bom == BOM_OF_UTF_8 else 2
    if bom == NO_BOM or not may_start_with(data, length, BOMS[bom], bom_length):
        return 0
    return bom_length if length >= bom_length else -1


cdef class Determination:
    """A determination in progress, for a resource that arrives in chunks."""

    cdef Steps steps
    cdef Scan scan
    # Bytes of the byte order mark to remove.
    cdef readonly Py_ssize_t bom_length
    cdef Py_ssize_t start
    cdef Py_ssize_t end

    def __cinit__(self, Steps steps not None):
        self.steps = steps
        self.scan = None if steps.scan is None else <Scan?>steps.scan()

    @property
    def span(self):
        """The offsets of start and end of the bytes that decided, or None if a hint did."""
        return (self.start, self.end) if self.end else None

    def look(self, data, bint final):
        """Return the result, or None while further bytes could change it.

        ``data``: all of the resource so far. ``final``: it is complete. Raise what a detector raises, and TypeError for
        data without a contiguous buffer.
        """
        cdef Source source
        open_source(data, &source)
        try:
            return self.step(source.bytes, <Py_ssize_t> source.length, final)
        finally:
            close_source(&source)

    cdef object step(self, bytes_pointer data, Py_ssize_t length, bint final):
        cdef Steps steps = self.steps
        cdef Py_ssize_t bom
        cdef int each
        cdef bint may_be_bom = False
        if steps.bom == SNIFFING and (length == 0 or data[0] >= 0xEF):
            for each in range(3):
                bom = bom_at(data, length, each)
                if bom > 0:
                    self.bom_length = bom
                    self.end = bom
                    return sniffed((UTF_8, UTF_16BE, UTF_16LE)[each], "certain", "bom")
                may_be_bom |= bom < 0
        elif steps.bom == REMOVE:
            bom = bom_at(data, length, own_bom(steps.after.encoding))
            may_be_bom = bom < 0
            self.bom_length = bom if bom > 0 else 0
        if may_be_bom and not final:
            return None
        if steps.before is not None:
            return steps.before
        if self.scan is not None:
            encoding = self.scan.encoding if self.scan.decided else self.scan.step(data, length, final)
            if encoding is not None:
                self.start = self.scan.start
                self.end = self.scan.end
                return sniffed(encoding, steps.confidence, steps.source)
            if not self.scan.decided:
                return None
        if steps.detector is not None:
            if not final:
                if length < steps.limit:
                    return None
                length = steps.limit
            encoding = detected_encoding(steps.detector(<bytes>data[:length]))
            if encoding is not None:
                return sniffed(encoding, "tentative", "detector")
        return steps.after


cdef object detected_encoding(object result):
    """Return the encoding for a detector's result: an encoding, a label, the name of a codec, or None.

    Raise UnknownLabelError for another name, and TypeError for another type.
    """
    if result is None or type(result) is Encoding:
        return result
    if not isinstance(result, str):
        raise TypeError(f"a detector must return an encoding, a label or None, not {type(result).__name__}")
    encoding = get_label(result)
    if encoding is not None:
        return encoding
    try:
        return lookup(result)
    except UnknownLabelError as error:
        from ._codecs.names import lookup_codec  # imported here, since most detectors return labels

        try:
            return lookup_codec(result)
        except UnknownLabelError:
            raise UnknownLabelError(f"the detector's result names no encoding: {error}") from None


def determine(data, Steps steps not None):
    """Return the result for a complete resource. Raise what ``Determination.look`` raises."""
    return Determination(steps).look(data, True)


def prescan(data, limit=1024):
    """Return the encoding that the first ``limit`` bytes of an HTML document declare, or None.

    A byte order mark is ignored. ``limit=None`` scans the whole document. Raise ValueError for a negative limit, and
    TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding

    >>> prescan(b"<!DOCTYPE html><meta charset=sjis>")
    <Encoding Shift_JIS>
    """
    if limit is not None and not hasattr(limit, "__index__"):
        raise TypeError(f"limit must be an integer or None, not {type(limit).__name__}")
    cdef Py_ssize_t window = sys.maxsize if limit is None else limit
    if window < 0:
        raise ValueError(f"limit must be None or at least 0 bytes, not {limit}")
    return HTMLScan(window).look(data, True)


def xml_declaration(data):
    """Return the encoding that the XML declaration at the start names, or None.

    Raise TypeError for data without a contiguous buffer.
    https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing

    >>> xml_declaration(b'<?xml version="1.0" encoding="EUC-KR"?>')
    <Encoding EUC-KR>
    """
    cdef Source source
    cdef Py_ssize_t end = 0
    open_source(data, &source)
    try:
        return xml_encoding(source.bytes, <Py_ssize_t> source.length, &end)
    finally:
        close_source(&source)


cdef struct utf_8_count:
    size_t characters  # complete sequences of two bytes or more
    size_t errors


cdef size_t count_utf_8(
    bytes_pointer data, size_t read, size_t stop, size_t length, utf_8_count *count
) noexcept nogil:
    """Count the sequences that start at ``read`` and before ``stop``; return where the next one starts.

    Errors are those of the standard's decoder. In range: every access is at an index that was compared with ``length``,
    and ``stop`` is not above it.
    https://encoding.spec.whatwg.org/#utf-8-decoder
    """
    cdef uint64_t eight
    cdef unsigned char byte, lower, upper
    cdef int needed
    while read < stop:
        while length - read >= 8:
            memcpy(&eight, data + read, 8)
            if eight & 0x8080808080808080u:
                break
            read += 8
        if read >= length:
            break
        byte = data[read]
        read += 1
        if byte < 0x80:
            continue
        lower, upper = 0x80, 0xBF
        if 0xC2 <= byte <= 0xDF:
            needed = 1
        elif 0xE0 <= byte <= 0xEF:
            needed = 2
            if byte == 0xE0:
                lower = 0xA0
            elif byte == 0xED:
                upper = 0x9F
        elif 0xF0 <= byte <= 0xF4:
            needed = 3
            if byte == 0xF0:
                lower = 0x90
            elif byte == 0xF4:
                upper = 0x8F
        else:
            needed = -1
        while needed > 0 and read < length:
            byte = data[read]
            if byte < lower or byte > upper:
                break
            lower, upper = 0x80, 0xBF
            read += 1
            needed -= 1
        if needed == 0:
            count.characters += 1
        elif needed < 0 or read < length:  # otherwise the end cuts the sequence off
            count.errors += 1
    return read


def utf_8_counts(data):
    """Return the number of characters beyond ASCII, and of errors, in ``data`` as UTF-8.

    What the start or the end cuts off is neither. Raise TypeError for data without a contiguous buffer.

    >>> utf_8_counts("naïve – ".encode() + b"caf\xe9 ")
    (2, 1)
    """
    cdef Source source
    cdef utf_8_count count
    cdef size_t read = 0, stop
    count.characters = count.errors = 0
    open_source(data, &source)
    try:
        while read < min(source.length, <size_t> LONGEST_CUT) and 0x80 <= source.bytes[read] <= 0xBF:
            read += 1  # the rest of a sequence that the start cuts off
        while read < source.length:
            stop = min(source.length, read + SLICE)
            with nogil:
                read = count_utf_8(source.bytes, read, stop, source.length, &count)
            PyErr_CheckSignals()
        return count.characters, count.errors
    finally:
        close_source(&source)
