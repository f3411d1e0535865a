/* Declarations in the bytes of a resource: `meta` elements, the XML declaration, signatures of UTF-16.
 *
 * Each function processes a byte once, and a state has a fixed size: time is linear in the bytes, and memory constant,
 * however a resource is split. Encodings are positions in the standard's order; -1 is none.
 * https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding */
#ifndef WE_PRESCAN_H
#define WE_PRESCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "labels.h"

enum { WE_NO_ENCODING = -1, WE_TAG_NAME = 12 /* no name of interest is longer */ };

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

/* https://infra.spec.whatwg.org/#ascii-whitespace */
static inline int we_is_whitespace(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r';
}

static inline int we_lower(int byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

static inline int we_is_alpha(int byte)
{
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

/* Return the offset of the first such byte from `start` on, `end` if there is none. start <= end. */
static inline size_t we_find(const uint8_t *bytes, size_t start, size_t end, int byte)
{
    const uint8_t *const place = start == end ? NULL : (const uint8_t *)memchr(bytes + start, byte, end - start);
    return place == NULL ? end : (size_t)(place - bytes);
}

/* ---- A label as it is read, without the whitespace before it ----------------------------------------------------- */

typedef struct {
    char text[WE_LONGEST_LABEL + 1]; /* a longer one is no label */
    int length;
    int spaces; /* after the text; more text after them does not make a label */
} we_label;

static inline void we_label_push(we_label *label, int byte)
{
    if (we_is_whitespace(byte)) {
        label->spaces += label->length != 0 && label->spaces < 1;
        return;
    }
    if (label->spaces || label->length > WE_LONGEST_LABEL)
        label->length = WE_LONGEST_LABEL + 1; /* no label has a space within, or more bytes */
    else
        label->text[label->length++] = (char)byte; /* length <= WE_LONGEST_LABEL, the last index */
}

/* https://encoding.spec.whatwg.org/#concept-encoding-get */
static inline int we_get_an_encoding(const we_label *label)
{
    return label->length > WE_LONGEST_LABEL ? WE_NO_ENCODING : we_label_position(label->text, (size_t)label->length);
}

/* ---- Extracting a character encoding from a meta element ----------------------------------------------------------
 * https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element */

typedef enum {
    WE_CONTENT_SEARCH, /* for "charset" */
    WE_CONTENT_EQUALS, /* after it: whitespace, then "=" */
    WE_CONTENT_BEFORE_LABEL,
    WE_CONTENT_VALUE,
    WE_CONTENT_LABEL /* the label is complete */
} we_content_step;

typedef struct {
    we_content_step step;
    int matched; /* bytes of "charset" */
    int quote;   /* 0: an unquoted label, which ends at whitespace, a semicolon or the end */
    we_label label;
} we_content;

static inline void we_content_push(we_content *content, int byte)
{
    static const char charset[] = "charset";
    switch (content->step) {
    case WE_CONTENT_SEARCH:
        byte = we_lower(byte);
        /* "c" occurs only at the start of "charset", so after a mismatch a match can only start at this byte. */
        if (byte != charset[content->matched])
            content->matched = byte == charset[0];
        else if (++content->matched == sizeof charset - 1)
            content->step = WE_CONTENT_EQUALS;
        break;
    case WE_CONTENT_EQUALS:
        if (byte == '=') {
            content->step = WE_CONTENT_BEFORE_LABEL;
        } else if (!we_is_whitespace(byte)) {
            content->step = WE_CONTENT_SEARCH;
            content->matched = we_lower(byte) == charset[0];
        }
        break;
    case WE_CONTENT_BEFORE_LABEL:
        if (byte == '"' || byte == '\'') {
            content->step = WE_CONTENT_VALUE;
            content->quote = byte;
        } else if (byte == ';') {
            content->step = WE_CONTENT_LABEL;
        } else if (!we_is_whitespace(byte)) {
            content->step = WE_CONTENT_VALUE;
            we_label_push(&content->label, byte);
        }
        break;
    case WE_CONTENT_VALUE:
        if (content->quote ? byte == content->quote : we_is_whitespace(byte) || byte == ';')
            content->step = WE_CONTENT_LABEL;
        else
            we_label_push(&content->label, byte);
        break;
    case WE_CONTENT_LABEL:
        break;
    }
}

/* Return the encoding that a complete content attribute names. */
static inline int we_content_encoding(const we_content *content)
{
    return content->step == WE_CONTENT_LABEL || (content->step == WE_CONTENT_VALUE && !content->quote)
               ? we_get_an_encoding(&content->label)
               : WE_NO_ENCODING;
}

/* ---- The scan for meta elements ---------------------------------------------------------------------------------- */

typedef enum {
    WE_TEXT,
    WE_LESS_THAN,    /* "<" */
    WE_END_TAG_OPEN, /* "</" */
    WE_BANG,         /* "<!" */
    WE_BANG_DASH,    /* "<!-" */
    WE_COMMENT,
    WE_MARKUP, /* up to the next ">" */
    WE_IN_TAG_NAME,
    WE_BEFORE_ATTRIBUTE,
    WE_ATTRIBUTE_NAME,
    WE_AFTER_NAME,
    WE_BEFORE_VALUE,
    WE_QUOTED_VALUE,
    WE_UNQUOTED_VALUE,
    WE_META_END, /* the scan stopped after the ">" of a meta tag */
    /* For the tree builder only: */
    WE_RAW_TEXT,
    WE_RAW_LESS_THAN,
    WE_RAW_END_TAG
} we_markup_step;

enum { WE_OTHER_ATTRIBUTE = 0, WE_HTTP_EQUIV = 1, WE_CONTENT_ATTRIBUTE = 2, WE_CHARSET_ATTRIBUTE = 4 };

typedef struct {
    int seen; /* kinds of attributes of this meta tag so far: a repeated name is ignored */
    /* The standard keeps "got pragma", "need pragma" and one charset. Whatever the order of attributes, a charset
     * attribute decides if there is one, even by failing; otherwise content does, given the pragma. */
    int pragma; /* matched bytes of "content-type"; -1 once the value differs */
    we_label charset;
    we_content content;
} we_meta;

typedef struct {
    we_markup_step step;
    /* 0: the prescan. 1: the tree builder, to which the text in script, style and similar elements is not markup,
     * "--!>" ends a comment, and "/" ends a tag name. */
    int tree_builder;
    size_t offset;    /* of the next byte, from the start of the resource */
    size_t tag_start; /* offset of the "<" */
    int dashes;       /* consecutive ones, in a comment; 2 and a bang: -1 */
    int is_end_tag, is_meta;
    uint8_t name[WE_TAG_NAME];     /* of the tag, then of each attribute */
    int name_length;               /* WE_TAG_NAME + 1: longer */
    uint8_t raw_name[WE_TAG_NAME]; /* of the element whose text is not markup */
    int raw_name_length;           /* -1: of plaintext, which does not end */
    int matched, quote, attribute;
    we_meta meta;
} we_markup;

static inline void we_name_push(we_markup *s, int byte)
{
    if (s->name_length < WE_TAG_NAME)
        s->name[s->name_length] = (uint8_t)we_lower(byte);
    s->name_length += s->name_length <= WE_TAG_NAME;
}

static inline int we_name_is(const uint8_t *name, int length, const char *other)
{
    const size_t wanted = strlen(other); /* at most WE_TAG_NAME, so that an equal length is within `name` */
    return (size_t)length == wanted && memcmp(name, other, wanted) == 0;
}

/* Return whether the tokenizer treats an element's content as text. Scripting is off, so noscript is not one. */
static inline int we_is_raw_text_element(const uint8_t *name, int length)
{
    static const char *const names[] = {"script", "style",   "title",    "textarea", "xmp",
                                        "iframe", "noembed", "noframes", "plaintext"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (we_name_is(name, length, names[i]))
            return 1;
    return 0;
}

static inline void we_tag_name_end(we_markup *s)
{
    s->is_meta = 0;
    s->raw_name_length = 0;
    if (s->is_end_tag)
        return;
    if (we_name_is(s->name, s->name_length, "meta")) {
        s->is_meta = 1;
        memset(&s->meta, 0, sizeof s->meta);
    } else if (s->tree_builder && we_is_raw_text_element(s->name, s->name_length)) {
        s->raw_name_length = we_name_is(s->name, s->name_length, "plaintext") ? -1 : s->name_length;
        memcpy(s->raw_name, s->name, (size_t)s->name_length); /* one of the names above */
    }
}

static inline void we_tag_end(we_markup *s)
{
    s->step = s->is_meta ? WE_META_END : s->raw_name_length ? WE_RAW_TEXT : WE_TEXT;
}

static inline void we_attribute_name_end(we_markup *s)
{
    int kind = WE_OTHER_ATTRIBUTE;
    if (s->is_meta) {
        if (we_name_is(s->name, s->name_length, "charset"))
            kind = WE_CHARSET_ATTRIBUTE;
        else if (we_name_is(s->name, s->name_length, "content"))
            kind = WE_CONTENT_ATTRIBUTE;
        else if (we_name_is(s->name, s->name_length, "http-equiv"))
            kind = WE_HTTP_EQUIV;
    }
    s->attribute = s->meta.seen & kind ? WE_OTHER_ATTRIBUTE : kind;
    s->meta.seen |= kind;
}

static inline void we_value_push(we_markup *s, int byte)
{
    static const char content_type[] = "content-type";
    if (s->attribute == WE_CHARSET_ATTRIBUTE)
        we_label_push(&s->meta.charset, byte);
    else if (s->attribute == WE_CONTENT_ATTRIBUTE)
        we_content_push(&s->meta.content, byte);
    else if (s->attribute == WE_HTTP_EQUIV && s->meta.pragma >= 0) /* at the end NUL differs, but for a NUL */
        s->meta.pragma = s->meta.pragma < (int)sizeof content_type - 1 && we_lower(byte) == content_type[s->meta.pragma]
                             ? s->meta.pragma + 1
                             : -1;
}

/* Read bytes up to the end of a meta tag, which sets `step` to WE_META_END, or of the data; return their number. */
static inline size_t we_markup_run(we_markup *s, const uint8_t *bytes, size_t length)
{
    size_t i = 0;
    for (; i < length; i++) {
        const int c = bytes[i];
        switch (s->step) {
        case WE_TEXT:
            i = we_find(bytes, i, length, '<');
            if (i == length)
                goto end;
            s->tag_start = s->offset + i;
            s->step = WE_LESS_THAN;
            break;
        case WE_LESS_THAN:
            if (we_is_alpha(c)) {
                s->is_end_tag = 0;
                s->name_length = 0;
                s->step = WE_IN_TAG_NAME;
                we_name_push(s, c);
            } else if (c == '<') {
                s->tag_start = s->offset + i;
            } else {
                s->step = c == '!' ? WE_BANG : c == '/' ? WE_END_TAG_OPEN : c == '?' ? WE_MARKUP : WE_TEXT;
            }
            break;
        case WE_END_TAG_OPEN:
            if (we_is_alpha(c)) {
                s->is_end_tag = 1;
                s->name_length = 0;
                s->step = WE_IN_TAG_NAME;
                we_name_push(s, c);
            } else {
                s->step = c == '>' ? WE_TEXT : WE_MARKUP;
            }
            break;
        case WE_BANG:
            s->step = c == '-' ? WE_BANG_DASH : c == '>' ? WE_TEXT : WE_MARKUP;
            break;
        case WE_BANG_DASH:
            s->dashes = 2; /* the opener's own may be the closer's: "<!-->" */
            s->step = c == '-' ? WE_COMMENT : c == '>' ? WE_TEXT : WE_MARKUP;
            break;
        case WE_COMMENT:
            if (c == '-') {
                s->dashes = s->dashes < 0 ? 1 : s->dashes + (s->dashes < 2);
            } else if (c == '>' && (s->dashes == 2 || s->dashes < 0)) {
                s->step = WE_TEXT;
            } else if (c == '!' && s->dashes == 2 && s->tree_builder) {
                s->dashes = -1;
            } else {
                s->dashes = 0;
                i = we_find(bytes, i, length, '-') - 1; /* the next byte is that dash; c is none, so i does not fall */
            }
            break;
        case WE_MARKUP:
            i = we_find(bytes, i, length, '>');
            if (i == length)
                goto end;
            s->step = WE_TEXT;
            break;
        case WE_IN_TAG_NAME:
            if (we_is_whitespace(c)) {
                we_tag_name_end(s);
                s->step = WE_BEFORE_ATTRIBUTE;
            } else if (c == '>') {
                we_tag_name_end(s);
                s->is_meta = 0; /* "<meta>" has no attributes */
                we_tag_end(s);
            } else if (c == '/'
                       && (s->tree_builder || (!s->is_end_tag && we_name_is(s->name, s->name_length, "meta")))) {
                /* The prescan ends the name of "<meta/" here; in any other tag "/" is part of the name. */
                we_tag_name_end(s);
                s->step = WE_BEFORE_ATTRIBUTE;
            } else {
                we_name_push(s, c);
            }
            break;
        case WE_BEFORE_ATTRIBUTE:
        before_attribute:
            if (c == '>') {
                we_tag_end(s);
                if (s->step == WE_META_END) {
                    i++;
                    goto end;
                }
            } else if (c != '/' && !we_is_whitespace(c)) {
                s->name_length = 0;
                we_name_push(s, c); /* also "=": a name may start with it */
                s->step = WE_ATTRIBUTE_NAME;
            }
            break;
        case WE_ATTRIBUTE_NAME:
            if (c == '=') {
                we_attribute_name_end(s);
                s->step = WE_BEFORE_VALUE;
            } else if (we_is_whitespace(c)) {
                we_attribute_name_end(s);
                s->step = WE_AFTER_NAME;
            } else if (c == '/' || c == '>') {
                we_attribute_name_end(s);
                s->step = WE_BEFORE_ATTRIBUTE;
                goto before_attribute;
            } else {
                we_name_push(s, c);
            }
            break;
        case WE_AFTER_NAME:
            if (c == '=') {
                s->step = WE_BEFORE_VALUE;
            } else if (!we_is_whitespace(c)) {
                s->step = WE_BEFORE_ATTRIBUTE;
                goto before_attribute;
            }
            break;
        case WE_BEFORE_VALUE:
            if (c == '"' || c == '\'') {
                s->quote = c;
                s->step = WE_QUOTED_VALUE;
            } else if (c == '>') {
                s->step = WE_BEFORE_ATTRIBUTE;
                goto before_attribute;
            } else if (!we_is_whitespace(c)) {
                s->step = WE_UNQUOTED_VALUE;
                we_value_push(s, c);
            }
            break;
        case WE_QUOTED_VALUE:
            if (s->attribute == WE_OTHER_ATTRIBUTE) {
                i = we_find(bytes, i, length, s->quote);
                if (i == length)
                    goto end;
                s->step = WE_BEFORE_ATTRIBUTE;
            } else if (c == s->quote) {
                s->step = WE_BEFORE_ATTRIBUTE;
            } else {
                we_value_push(s, c);
            }
            break;
        case WE_UNQUOTED_VALUE:
            if (we_is_whitespace(c) || c == '>') {
                s->step = WE_BEFORE_ATTRIBUTE;
                goto before_attribute;
            }
            we_value_push(s, c);
            break;
        case WE_RAW_TEXT:
            i = we_find(bytes, i, length, '<');
            if (i == length)
                goto end;
            s->step = WE_RAW_LESS_THAN;
            break;
        case WE_RAW_LESS_THAN:
            s->matched = 0;
            if (c != '<')
                s->step = c == '/' ? WE_RAW_END_TAG : WE_RAW_TEXT;
            break;
        case WE_RAW_END_TAG:
            if (s->matched < s->raw_name_length && we_lower(c) == s->raw_name[s->matched]) {
                s->matched++;
            } else if (s->matched == s->raw_name_length && (c == '>' || c == '/' || we_is_whitespace(c))) {
                s->raw_name_length = 0;
                s->is_meta = 0;
                s->step = WE_BEFORE_ATTRIBUTE;
                goto before_attribute;
            } else {
                s->step = c == '<' ? WE_RAW_LESS_THAN : WE_RAW_TEXT;
            }
            break;
        case WE_META_END:
            goto end;
        }
    }
end:
    s->offset += i;
    return i;
}

/* Return the encoding that the last meta tag declares, as its attributes say it. */
static inline int we_meta_encoding(const we_markup *s)
{
    if (s->meta.seen & WE_CHARSET_ATTRIBUTE) {
        const int encoding = we_get_an_encoding(&s->meta.charset);
        /* In the prescan, charset is then failure, not null, so content is not used. The tree builder uses it. */
        if (encoding >= 0 || !s->tree_builder)
            return encoding;
    }
    return (s->meta.seen & (WE_CONTENT_ATTRIBUTE | WE_HTTP_EQUIV)) == (WE_CONTENT_ATTRIBUTE | WE_HTTP_EQUIV)
                   && s->meta.pragma == (int)sizeof "content-type" - 1
               ? we_content_encoding(&s->meta.content)
               : WE_NO_ENCODING;
}

/* Return the encoding that a declaration in ASCII bytes means: not UTF-16, but UTF-8 in its place. */
static inline int we_in_ascii(int encoding)
{
    return encoding == WE_POSITION_UTF_16BE || encoding == WE_POSITION_UTF_16LE ? WE_POSITION_UTF_8 : encoding;
}

/* The same of one in a meta tag, which in addition means windows-1252 by x-user-defined. */
static inline int we_declared_by_meta(int encoding)
{
    return encoding == WE_POSITION_X_USER_DEFINED ? WE_POSITION_WINDOWS_1252 : we_in_ascii(encoding);
}

/* Return the first encoding that a meta tag declares in at most `length` bytes, and read no further. */
static inline int we_markup_feed(we_markup *s, const uint8_t *bytes, size_t length, size_t *read)
{
    int encoding = WE_NO_ENCODING;
    *read = 0;
    while (*read < length && encoding < 0) {
        *read += we_markup_run(s, bytes + *read, length - *read);
        if (s->step == WE_META_END) {
            s->step = WE_TEXT;
            encoding = we_declared_by_meta(we_meta_encoding(s));
        }
    }
    return encoding;
}

/* ---- Signatures of UTF-16 and the XML declaration ---------------------------------------------------------------- */

static inline int we_may_start_with(const uint8_t *bytes, size_t length, const char *prefix, size_t prefix_length)
{
    return length == 0 || memcmp(bytes, prefix, length < prefix_length ? length : prefix_length) == 0;
}

/* Return the encoding whose signature the bytes start with. Set whether more bytes may complete one. */
static inline int we_signature(const uint8_t *bytes, size_t length, int *may_be)
{
    enum { LENGTH = 6 };
    const int encoding = we_may_start_with(bytes, length, "<\0?\0x\0", LENGTH)   ? WE_POSITION_UTF_16LE
                         : we_may_start_with(bytes, length, "\0<\0?\0x", LENGTH) ? WE_POSITION_UTF_16BE
                                                                                 : WE_NO_ENCODING;
    *may_be = encoding >= 0 && length < LENGTH;
    return length >= LENGTH ? encoding : WE_NO_ENCODING;
}

static inline size_t we_skip_space(const uint8_t *bytes, size_t at, size_t end)
{
    while (at < end && bytes[at] <= 0x20)
        at++;
    return at;
}

/* Return the offset of the first "encoding" that begins from `at` on and before `stop`, `stop` if none does. It ends
 * before `last`, which is not below `stop`. */
static inline size_t we_xml_word(const uint8_t *bytes, size_t at, size_t stop, size_t last)
{
    for (; at < stop; at++) {
        at = we_find(bytes, at, stop, 'e');
        if (at < stop && last - at >= 8 && memcmp(bytes + at, "encoding", 8) == 0)
            return at;
    }
    return stop;
}

/* Return the encoding that the XML declaration names, in which no "encoding" begins before `at`. Set `end` to the
 * offset after the declaration, if there is one.
 * https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing */
static inline int we_xml_encoding_from(const uint8_t *bytes, size_t length, size_t at, size_t *end)
{
    we_label label;
    if (length < 5 || memcmp(bytes, "<?xml", 5) != 0)
        return WE_NO_ENCODING;
    /* The standard sets the end of the declaration here, and no step refers to it. As in browsers, the declaration ends
     * there: an "encoding" after it belongs to the document. */
    const size_t last = we_find(bytes, 0, length, '>');
    if (last == length)
        return WE_NO_ENCODING;
    *end = last + 1;
    /* Only the first "encoding" is used, independent of attribute syntax. */
    at = we_xml_word(bytes, at < last ? at : last, last, last);
    if (at == last)
        return WE_NO_ENCODING;
    /* Each index is compared with `last`, since another thread may overwrite the ">" there. A label that continues
     * after it is not a label. */
    at = we_skip_space(bytes, at + 8, last);
    if (at == last || bytes[at] != '=')
        return WE_NO_ENCODING;
    at = we_skip_space(bytes, at + 1, last);
    const int quote = at < last ? bytes[at] : 0;
    if (quote != '"' && quote != '\'')
        return WE_NO_ENCODING;
    memset(&label, 0, sizeof label);
    for (at++; at < last; at++) {
        const int byte = bytes[at];
        if (byte == quote)
            return we_in_ascii(we_get_an_encoding(&label));
        if (byte <= 0x20)
            return WE_NO_ENCODING;
        we_label_push(&label, byte);
    }
    return WE_NO_ENCODING;
}

static inline int we_xml_encoding(const uint8_t *bytes, size_t length, size_t *end)
{
    return we_xml_encoding_from(bytes, length, 5, end);
}

/* ---- The whole prescan ------------------------------------------------------------------------------------------- */

enum { WE_PRESCANNED = 1024 }; /* bytes */

/* Return the encoding that the first bytes of an HTML document declare: by a signature, a meta, an XML declaration. */
static inline int we_prescan(const uint8_t *bytes, size_t length)
{
    we_markup markup;
    size_t read, end;
    int may_be;
    if (length > WE_PRESCANNED)
        length = WE_PRESCANNED;
    int encoding = we_signature(bytes, length, &may_be);
    if (encoding >= 0)
        return encoding;
    memset(&markup, 0, sizeof markup);
    encoding = we_markup_feed(&markup, bytes, length, &read);
    return encoding >= 0 ? encoding : we_xml_encoding(bytes, length, &end);
}

#endif
