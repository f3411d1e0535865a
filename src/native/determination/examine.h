/* What the bytes of a text show of their encoding, before any of them is decoded. */
#ifndef WE_EXAMINE_H
#define WE_EXAMINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bom.h"
#include "constants.h"
#include "prescan.h"
#include "utf_8_count.h"
#include "whatwg_encoding.h"

enum {
    WE_NUL_WINDOW = 512,       /* UTF-16 has a NUL in this many bytes */
    WE_LONGEST_CUT = 3,        /* upper bound on the bytes of an incomplete sequence */
    WE_DECLARED_WITHIN = 2048, /* the first bytes, where a declaration counts that the prescan does not find */
    WE_STRETCHES = 8,          /* of UTF-8 between errors that are validated one by one */
    WE_STRAY = 2               /* errors beyond the characters after which that does not pay */
};

static const size_t WE_UNKNOWN = SIZE_MAX; /* an offset that `we_examine` finds itself */

/* The engine, by its C API: set before anything is examined, by we_choose_fill. */
static const whatwg_encoding_api *we_c_api;

typedef struct {
    const uint8_t *bytes;
    size_t length;
    int is_whole; /* not the start of a longer text: an incomplete sequence at the end is an error */
    int mark;     /* which byte order mark the text begins with, -1: none */
    size_t mark_length;
    size_t valid;    /* the offset of the first error in UTF-8, or the length */
    int is_utf_8;    /* valid, or what is not is a cut at the end */
    int has_units;   /* signs of UTF-16: NULs at the start, or other controls if these are many or it is not UTF-8 */
    int has_escapes; /* of ISO-2022-JP, before Japanese characters */
} we_examined;

/* ---- Escapes, NULs and markup ------------------------------------------------------------------------------------ */

static inline int we_has_nuls(const uint8_t *bytes, size_t length)
{
    return length && memchr(bytes, 0, length < WE_NUL_WINDOW ? length : WE_NUL_WINDOW) != NULL;
}

/* Return whether a byte is a C0 control that no text has. In UTF-16 the upper halves of most alphabets are such. */
static inline int we_is_control(uint8_t byte)
{
    const uint32_t of_text =
        1u << '\b' | 1u << '\t' | 1u << '\n' | 1u << '\v' | 1u << '\f' | 1u << '\r' | 1u << 0x1A | 1u << WE_ESCAPE;
    return byte < 0x20 && !(of_text >> byte & 1);
}

/* Return whether one of the first WE_NUL_WINDOW bytes is such a control. */
static inline int we_has_controls(const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; at < length && at < WE_NUL_WINDOW; at++)
        if (we_is_control(bytes[at]))
            return 1;
    return 0;
}

/* Return whether half of the upper halves, or more, of the first units of UTF-16 are such controls. */
static inline int we_begins_with_controls(const uint8_t *bytes, size_t length)
{
    enum { MOST = 32, LEAST = 4 };
    size_t controls[2] = {0, 0};
    length = length < MOST ? length : MOST;
    for (size_t at = 0; at < length; at++)
        controls[at & 1] += (size_t)we_is_control(bytes[at]);
    const size_t most = controls[0] > controls[1] ? controls[0] : controls[1];
    return most >= LEAST && most * 4 >= length;
}

/* Return the offset of the first escape sequence of ISO-2022-JP before Japanese characters, `length` if none is there.
 */
static inline size_t we_japanese_escape(const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; length - at >= 3; at++) {
        const uint8_t *const escape = (const uint8_t *)memchr(bytes + at, WE_ESCAPE, length - at - 2);
        if (escape == NULL)
            return length;
        const unsigned number = (unsigned)escape[1] << 8 | escape[2];
        at = (size_t)(escape - bytes);
        if (number == WE_ESCAPE_TO_ROMAN || number == WE_ESCAPE_TO_KATAKANA || number == WE_ESCAPE_TO_JIS0208
            || number == WE_ESCAPE_TO_JIS0208_OF_1978)
            return at;
    }
    return length;
}

/* Return whether the last escape of ISO-2022-JP is to Roman or katakana, in which no text ends: what follows it would
 * read otherwise than in ASCII. */
static inline int we_ends_in_other_ascii(const uint8_t *bytes, size_t length)
{
    for (size_t at = length < 3 ? 0 : length - 2; at-- > 0;)
        if (bytes[at] == WE_ESCAPE) {
            const unsigned number = (unsigned)bytes[at + 1] << 8 | bytes[at + 2];
            return number == WE_ESCAPE_TO_ROMAN || number == WE_ESCAPE_TO_KATAKANA;
        }
    return 0;
}

/* Return whether an escape stands after a "<" in ASCII or Roman: without it another markup begins there in ISO-2022-JP.
 * In the other states the byte of a "<" is a part of another character. */
static inline int we_has_escape_in_markup(const uint8_t *bytes, size_t length)
{
    int is_ascii = 1;
    for (size_t at = 0; at < length; at++) {
        at = we_find(bytes, at, length, WE_ESCAPE);
        if (at == length)
            break;
        if (is_ascii && at > 0 && bytes[at - 1] == '<')
            return 1;
        if (length - at >= 3) {
            const unsigned number = (unsigned)bytes[at + 1] << 8 | bytes[at + 2];
            if (number == WE_ESCAPE_TO_ASCII || number == WE_ESCAPE_TO_ROMAN)
                is_ascii = 1;
            else if (number == WE_ESCAPE_TO_KATAKANA || number == WE_ESCAPE_TO_JIS0208
                     || number == WE_ESCAPE_TO_JIS0208_OF_1978)
                is_ascii = 0;
        }
    }
    return 0;
}

/* Return the offset after a tag, a comment's opener or a declaration that begins at `at` and is all in printable ASCII,
 * 0 if none does. at < length. */
static inline size_t we_ascii_tag(const uint8_t *bytes, size_t at, size_t length)
{
    if (bytes[at++] != '<' || at == length)
        return 0;
    if (bytes[at] == '!' || bytes[at] == '?' || bytes[at] == '/')
        at++;
    if (at == length || !(we_is_alpha(bytes[at]) || (bytes[at] == '-' && bytes[at - 1] == '!')))
        return 0;
    for (; at < length && bytes[at] < 0x7F && (bytes[at] >= ' ' || we_is_whitespace(bytes[at])); at++)
        if (bytes[at] == '>')
            return at + 1;
    return 0;
}

/* Return whether markup of a text is in ASCII: it begins with a tag, or has several. Ideographs in UTF-16 can look like
 * a short one. */
static inline int we_has_ascii_markup(const uint8_t *bytes, size_t length)
{
    enum { SEVERAL = 3 };
    size_t at = 0, tags = 0;
    while (at < length && we_is_whitespace(bytes[at]))
        at++;
    if (at < length && we_ascii_tag(bytes, at, length))
        return 1;
    while (at < length && tags < SEVERAL) {
        at = we_find(bytes, at, length, '<');
        const size_t end = at < length ? we_ascii_tag(bytes, at, length) : 0;
        tags += end != 0;
        at = end ? end : at + 1;
    }
    return tags == SEVERAL;
}

/* Return whether a declaration that begins at `at` names that encoding; UTF-16's labels name either order. */
static inline int we_is_declared_at(const uint8_t *bytes, size_t at, size_t length, int position)
{
    we_content content;
    memset(&content, 0, sizeof content);
    for (; at < length && content.step != WE_CONTENT_LABEL; at++) {
        const int is_end =
            content.step == WE_CONTENT_VALUE && !content.quote
            && (bytes[at] == '"' || bytes[at] == '\'' || bytes[at] == '/' || bytes[at] == '>' || bytes[at] == '?');
        if (bytes[at])
            we_content_push(&content, is_end ? ';' : bytes[at]);
    }
    const int declared = we_content_encoding(&content), is_utf_16 = we_in_ascii(position) != position;
    return declared == position || (is_utf_16 && declared >= 0 && we_in_ascii(declared) != declared);
}

/* Return whether any declaration at the start of a page, in UTF-16 too, names that encoding: not only the first one,
 * since bytes before a meta can hide it from the prescan. */
static inline int we_is_declared_at_start(const uint8_t *bytes, size_t length, int position)
{
    static const char charset[] = "charset";
    size_t unused;
    if (length > WE_DECLARED_WITHIN)
        length = WE_DECLARED_WITHIN;
    if (we_xml_encoding(bytes, length, &unused) == position)
        return 1;
    for (size_t equals = we_find(bytes, 0, length, '='); equals < length;
         equals = we_find(bytes, equals + 1, length, '=')) {
        size_t at = equals, left = sizeof charset - 1;
        while (at > 0 && (bytes[at - 1] == 0 || we_is_whitespace(bytes[at - 1])))
            at--;
        for (; at > 0 && left > 0; at--)
            if (bytes[at - 1] != 0 && we_lower(bytes[at - 1]) != charset[--left])
                break;
        if (left == 0 && we_lower(bytes[at]) == charset[0] && we_is_declared_at(bytes, at, length, position))
            return 1;
    }
    return 0;
}

/* Return whether the start of a page may declare an encoding in another form than those that the prescan reads: it has
 * the word "charset", or begins with an XML declaration after white space. */
static inline int we_may_declare(const uint8_t *bytes, size_t length)
{
    static const char charset[] = "charset";
    size_t at = 0;
    if (length > WE_PRESCANNED)
        length = WE_PRESCANNED;
    while (at < length && we_is_whitespace(bytes[at]))
        at++;
    if (length - at > 5 && memcmp(bytes + at, "<?xml", 5) == 0)
        return 1;
    for (; at + sizeof charset <= length; at++) {
        size_t same = 0;
        while (same < sizeof charset - 1 && we_lower(bytes[at + same]) == charset[same])
            same++;
        if (same == sizeof charset - 1)
            return 1;
    }
    return 0;
}

/* ---- UTF-8 with errors ------------------------------------------------------------------------------------------- */

/* Return the counts of a text as UTF-8, whose first error is at `valid`. Once it is certain that there are fewer than
 * `ratio` characters to an error, return what was counted up to there. */
static inline we_utf_8_counts we_utf_8_counts_of(const we_examined *text, size_t ratio)
{
    const whatwg_encoding *const utf_8 = we_c_api->by_index(WE_POSITION_UTF_8);
    const uint8_t *const bytes = text->bytes;
    const size_t length = text->length;
    we_utf_8_counts counts = {0, 0, 0, 0};
    size_t read = 0, valid = text->valid;
    while (read < length && read < WE_LONGEST_CUT && (bytes[read] & 0xC0) == 0x80)
        read++; /* the rest of a sequence that the start cuts off */
    /* With few errors, what lies between them is validated at many times the speed. */
    for (int stretch = 0; stretch < WE_STRETCHES && counts.errors <= counts.characters + WE_STRAY; stretch++) {
        if (stretch || read)
            valid = we_c_api->valid_up_to(utf_8, bytes + read, length - read);
        counts.characters += we_utf_8_leads(bytes + read, valid, SIZE_MAX);
        read = we_utf_8_count(bytes, read + valid, length, 1, &counts);
        if (read == length)
            return counts;
    }
    const we_utf_8_counts bounds = we_utf_8_bounds_of(bytes + read, length - read, ratio);
    if (counts.characters + bounds.characters < ratio * (counts.errors + bounds.errors)) {
        counts.characters += bounds.characters;
        counts.errors += bounds.errors;
        return counts;
    }
    we_utf_8_count(bytes, read, length, SIZE_MAX, &counts);
    return counts;
}

/* Return whether a byte beyond ASCII is part of a valid sequence. */
static inline int we_has_utf_8(const we_examined *text)
{
    we_utf_8_counts counts = {0, 0, 0, 0};
    for (size_t read = 0; read < text->length && !counts.characters;)
        read = we_utf_8_count(text->bytes, read, text->length, 1, &counts);
    return counts.characters != 0;
}

/* ---- The examination --------------------------------------------------------------------------------------------- */

/* Return whether what follows the valid part of a text in UTF-8 is an incomplete sequence at its end. If a whole text
 * has no other bytes above 0x7F, they are more likely the "é" or "é…" of windows-1252; a lone one is in any text. */
static inline int we_is_cut_utf_8(const uint8_t *bytes, size_t length, size_t valid, int is_whole)
{
    we_utf_8_counts counts = {0, 0, 0, 0};
    if (length - valid > WE_LONGEST_CUT || ((is_whole || valid == length - 1) && we_utf_8_leads(bytes, valid, 0) == 0))
        return 0;
    we_utf_8_count(bytes, valid, length, 1, &counts);
    const int is_surrogate = length - valid > 1 && bytes[valid] == 0xED && bytes[valid + 1] > 0x9F;
    return counts.errors == 0 && !is_surrogate; /* which is never completed */
}

static inline int we_is_ascii(const we_examined *text)
{
    return text->valid == text->length && we_utf_8_leads(text->bytes, text->length, 0) == 0;
}

/* Return whether a text is UTF-8, and not ASCII with escapes of ISO-2022-JP. */
static inline int we_is_plain_utf_8(const we_examined *text)
{
    return text->is_utf_8 && !(text->has_escapes && we_is_ascii(text));
}

/* Examine a text. `valid`: the offset of the first error in UTF-8, or the length, if the caller has decoded it;
 * otherwise WE_UNKNOWN. */
static inline we_examined we_examine(const uint8_t *bytes, size_t length, size_t valid, int is_whole)
{
    we_examined text;
    text.bytes = bytes;
    text.length = length;
    text.is_whole = is_whole;
    text.mark = we_bom_sniff(bytes, length, &text.mark_length);
    text.valid =
        valid == WE_UNKNOWN ? we_c_api->valid_up_to(we_c_api->by_index(WE_POSITION_UTF_8), bytes, length) : valid;
    text.is_utf_8 = text.valid == length || we_is_cut_utf_8(bytes, length, text.valid, is_whole);
    text.has_units = we_has_nuls(bytes, length) || we_begins_with_controls(bytes, length)
                     || (!text.is_utf_8 && we_has_controls(bytes, length));
    text.has_escapes = we_japanese_escape(bytes, length) < length;
    return text;
}

#endif
