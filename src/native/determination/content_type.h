/* The charset of a Content-Type header in its common form: what Fetch's "extract a MIME type" gives for one value
 * whose parameters, if any, are tokens, in quotes or without.
 * https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 * https://mimesniff.spec.whatwg.org/#parse-a-mime-type */
#ifndef WE_DETERMINATION_CONTENT_TYPE_H
#define WE_DETERMINATION_CONTENT_TYPE_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    WE_NO_CHARSET,  /* the type has no charset */
    WE_CHARSET,     /* it has one, whose label is a token */
    WE_OTHER_HEADER /* any other form, for the whole parser: several values, escapes, space in a value, failure */
} we_content_type;

/* Return whether a byte is an HTTP token code point: https://mimesniff.spec.whatwg.org/#http-token-code-point */
static inline int we_is_token_byte(uint8_t byte)
{
    /* The bit of each byte below 0x80, in four words from U+0000 on: !#$%&'*+-.^_`|~, digits and letters. */
    static const uint32_t token[4] = {0, 0x03FF6CFA, 0xC7FFFFFE, 0x57FFFFFF};
    return byte < 0x80 && token[byte >> 5] >> (byte & 31) & 1;
}

/* Return the end of the token that starts at `at`, or `at` if there is none; `at` is at most `length`. */
static inline size_t we_token_end(const uint8_t *bytes, size_t length, size_t at)
{
    while (at < length && we_is_token_byte(bytes[at]))
        at++;
    return at;
}

static inline int we_is_charset_name(const uint8_t *name, size_t length)
{
    if (length != 7)
        return 0;
    for (size_t i = 0; i < 7; i++)
        if ((name[i] | 0x20) != (uint8_t)"charset"[i]) /* no token code point but a letter differs from it by 0x20 */
            return 0;
    return 1;
}

/* Find the label that the bytes of a header declare: with WE_CHARSET, the `*size` bytes from `bytes[*start]` on. */
static inline we_content_type we_charset_of(const uint8_t *bytes, size_t length, size_t *start, size_t *size)
{
    we_content_type charset = WE_NO_CHARSET;
    /* In bounds: `at` is at most `length`, and each byte is read after a comparison with it. */
    size_t at = we_token_end(bytes, length, 0), end;
    if (at == 0 || at == length || bytes[at] != '/' || bytes[0] == '*') /* a header of "*" and a slash is ignored */
        return WE_OTHER_HEADER;
    end = we_token_end(bytes, length, at + 1);
    if (end == at + 1)
        return WE_OTHER_HEADER;
    at = end;
    while (at < length) {
        if (bytes[at++] != ';')
            return WE_OTHER_HEADER;
        while (at < length && (bytes[at] == ' ' || bytes[at] == '\t'))
            at++;
        const size_t name = at, name_end = we_token_end(bytes, length, at);
        if (name_end == name || name_end == length || bytes[name_end] != '=')
            return WE_OTHER_HEADER;
        at = name_end + 1;
        const int quoted = at < length && bytes[at] == '"';
        at += (size_t)quoted;
        const size_t value = at;
        at = we_token_end(bytes, length, at);
        if (at == value)
            return WE_OTHER_HEADER;
        if (charset == WE_NO_CHARSET && we_is_charset_name(bytes + name, name_end - name)) { /* the first one counts */
            charset = WE_CHARSET;
            *start = value;
            *size = at - value;
        }
        if (quoted) {
            if (at == length || bytes[at] != '"')
                return WE_OTHER_HEADER;
            at++;
        }
    }
    return charset;
}

#endif
