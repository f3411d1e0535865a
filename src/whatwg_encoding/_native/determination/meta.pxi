# Part of prescan.pyx: labels in bytes, and the state machine that finds `meta` elements and their encodings.
# https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding

ctypedef const unsigned char *bytes_pointer

cdef enum:
    LABEL_CAPACITY = 64  # the generator refuses a longer label
    TAG_NAME_CAPACITY = 12

cdef extern from *:
    """
    static const unsigned char CHARSET[] = "charset";
    static const unsigned char CONTENT_TYPE[] = "content-type";
    """
    const unsigned char CHARSET[]
    const unsigned char CONTENT_TYPE[]

get_label = LABELS.get


# --- Bytes ---

cdef inline bint is_whitespace(int c) noexcept nogil:
    """Return whether a byte is ASCII whitespace. https://infra.spec.whatwg.org/#ascii-whitespace"""
    return c == 0x20 or c == 0x09 or c == 0x0A or c == 0x0C or c == 0x0D


cdef inline int ascii_lower(int c) noexcept nogil:
    return c | 0x20 if 0x41 <= c <= 0x5A else c


cdef inline bint is_letter(int c) noexcept nogil:
    return 0x61 <= (c | 0x20) <= 0x7A


cdef inline Py_ssize_t find(bytes_pointer data, Py_ssize_t start, Py_ssize_t end, int c) noexcept nogil:
    """Return the index of the first such byte from ``start`` on, which is at most ``end``, or ``end``."""
    cdef const void *found = memchr(data + start, c, end - start)
    return <bytes_pointer>found - data if found else end


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


# --- The Content-Type header ---

cdef extern from "content_type.h" nogil:
    ctypedef enum we_content_type:
        WE_NO_CHARSET
        WE_CHARSET
        WE_OTHER_HEADER

    we_content_type we_charset_of(const unsigned char *bytes, size_t length, size_t *start, size_t *size)


def header_encoding(str value not None):
    """Return the encoding that a header's value in its common form names, or None; Ellipsis if it has another form."""
    cdef label_state label
    cdef size_t start = 0, size = 0, each
    cdef we_content_type found = WE_OTHER_HEADER
    cdef const unsigned char *bytes = <const unsigned char *> PyUnicode_DATA(value)
    if PyUnicode_IS_ASCII(value):
        found = we_charset_of(bytes, <size_t> len(value), &start, &size)
    if found != WE_CHARSET:
        return None if found == WE_NO_CHARSET else ...
    memset(&label, 0, sizeof(label))
    for each in range(size):
        label_push(&label, bytes[start + each])
    return get_an_encoding(&label)


# --- Extracting a character encoding from a meta element ---
# https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element

cdef enum content_step:
    CONTENT_SEARCH        # for "charset"
    CONTENT_EQUALS        # after it: whitespace, then U+003D (=)
    CONTENT_BEFORE_LABEL  # whitespace, then a quote or the label
    CONTENT_VALUE
    CONTENT_LABEL         # the label is complete

cdef struct content_state:
    content_step step
    int matched  # bytes of "charset"
    int quote    # 0: an unquoted label, which ends at whitespace, a semicolon or the end of the string
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
            content.step = CONTENT_VALUE
            content.quote = c
        elif c == c";":
            content.step = CONTENT_LABEL
        elif not is_whitespace(c):
            content.step = CONTENT_VALUE
            label_push(&content.label, c)
    elif content.step == CONTENT_VALUE:
        if c == content.quote if content.quote else is_whitespace(c) or c == c";":
            content.step = CONTENT_LABEL
        else:
            label_push(&content.label, c)


cdef object content_encoding(content_state *content):
    """Return the encoding that a complete content attribute names, or None."""
    if content.step == CONTENT_LABEL or content.step == CONTENT_VALUE and not content.quote:
        return get_an_encoding(&content.label)
    return None


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

cdef enum attribute_kind:
    OTHER = 0
    HTTP_EQUIV = 1
    CONTENT = 2
    CHARSET_ATTRIBUTE = 4

cdef struct meta_state:
    int seen            # kinds of attributes of this meta tag so far: a repeated name is ignored
    # https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding keeps "got pragma", "need pragma"
    # and one charset. Whatever the order of attributes, a charset attribute decides if there is one, even by failing;
    # otherwise content does, given the pragma.
    int pragma_matched  # bytes of "content-type"; -1 once the value differs
    label_state charset
    content_state content

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
    int raw_name_length      # -1: of plaintext, which does not end
    int matched
    int quote
    attribute_kind attribute
    meta_state meta


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
            memset(&s.meta, 0, sizeof(s.meta))
        elif s.tree_builder and is_raw_text_element(s.name, s.name_length):
            s.raw_name_length = -1 if name_is(s.name, s.name_length, b"plaintext", 9) else s.name_length
            memcpy(s.raw_name, s.name, s.name_length)


cdef inline void tag_end(markup_state *s) noexcept nogil:
    s.step = META_END if s.is_meta else RAW_TEXT if s.raw_name_length else TEXT


cdef inline void attribute_name_end(markup_state *s) noexcept nogil:
    cdef attribute_kind kind = OTHER
    if s.is_meta:
        if name_is(s.name, s.name_length, b"charset", 7):
            kind = CHARSET_ATTRIBUTE
        elif name_is(s.name, s.name_length, b"content", 7):
            kind = CONTENT
        elif name_is(s.name, s.name_length, b"http-equiv", 10):
            kind = HTTP_EQUIV
    s.attribute = OTHER if s.meta.seen & kind else kind
    s.meta.seen |= kind


cdef inline void value_push(markup_state *s, int c) noexcept nogil:
    if s.attribute == OTHER:
        return
    if s.attribute == CHARSET_ATTRIBUTE:
        label_push(&s.meta.charset, c)
    elif s.attribute == CONTENT:
        content_push(&s.meta.content, c)
    elif s.meta.pragma_matched >= 0:
        if s.meta.pragma_matched < 12 and ascii_lower(c) == CONTENT_TYPE[s.meta.pragma_matched]:
            s.meta.pragma_matched += 1
        else:
            s.meta.pragma_matched = -1


cdef Py_ssize_t markup_run(markup_state *s, bytes_pointer data, Py_ssize_t length) noexcept nogil:
    """Read bytes up to the end of a meta tag, which sets ``step`` to META_END, or of the data; return their number."""
    cdef Py_ssize_t i = 0
    cdef int c
    while i < length:
        c = data[i]
        if s.step == TEXT:
            i = find(data, i, length, c"<")
            if i == length:
                break
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
                i = find(data, i, length, c"-")
                continue
        elif s.step == MARKUP:
            i = find(data, i, length, c">")
            if i == length:
                break
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
                i = find(data, i, length, s.quote)
                continue
            else:
                value_push(s, c)
        elif s.step == UNQUOTED_VALUE:
            if is_whitespace(c) or c == c">":
                s.step = BEFORE_ATTRIBUTE
                continue
            value_push(s, c)
        elif s.step == RAW_TEXT:
            i = find(data, i, length, c"<")
            if i == length:
                break
            s.step = RAW_LESS_THAN
        elif s.step == RAW_LESS_THAN:
            s.matched = 0
            if c == c"/":
                s.step = RAW_END_TAG
            elif c != c"<":
                s.step = RAW_TEXT
        elif s.step == RAW_END_TAG:
            if s.matched < s.raw_name_length and ascii_lower(c) == s.raw_name[s.matched]:
                s.matched += 1
            elif s.matched == s.raw_name_length and (c == c">" or c == c"/" or is_whitespace(c)):
                s.raw_name_length = 0
                s.is_meta = False
                s.step = BEFORE_ATTRIBUTE
                continue
            else:
                s.step = RAW_TEXT
                continue
        i += 1
    s.offset += i
    return i


cdef object meta_encoding(markup_state *s):
    """Return the encoding that the last meta tag declares, or None."""
    if s.meta.seen & CHARSET_ATTRIBUTE:
        encoding = get_an_encoding(&s.meta.charset)
        # In the prescan, charset is then failure, not null, so content is not used. The tree builder continues with it.
        if encoding is not None or not s.tree_builder:
            return encoding
    if s.meta.seen & CONTENT and s.meta.seen & HTTP_EQUIV and s.meta.pragma_matched == 12:
        return content_encoding(&s.meta.content)
    return None


cdef object declared_in_bytes(object encoding):
    """Return the encoding for a declaration in ASCII bytes, which cannot be UTF-16: UTF-8 in its place."""
    return UTF_8 if encoding is UTF_16BE or encoding is UTF_16LE else encoding


def declared_by_meta(encoding):
    """Return the encoding for a declaration in a meta tag, which in addition means windows-1252 by x-user-defined."""
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
