/* Characters and errors of bytes as UTF-8, without their text: how far they are from UTF-8.
 *
 * we_utf_8_count is exact and defines the counts. The others are loops without branches, which compilers vectorize:
 * we_utf_8_bounds_of has an upper bound of its characters and a lower bound of its errors. */
#ifndef WE_UTF_8_COUNT_H
#define WE_UTF_8_COUNT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    WE_SUMMED = 240,    /* bytes whose counts fit in one */
    WE_STRIDE = 1 << 12 /* bytes between two comparisons */
};

/* Characters beyond ASCII, and errors. What the start or the end cuts off is neither. A surrogate in three bytes is a
 * character here: Java, Oracle and MySQL write them, and other encodings hardly have these bytes. */
typedef struct {
    size_t characters, errors;
    size_t begun; /* of the errors, those of which ASCII has replaced the rest of a sequence; see we_is_replaced */
    size_t cut;   /* whether the end cuts a sequence off after two or three bytes */
} we_utf_8_counts;

/* The number of bytes that begin a sequence of several. If there are more than `most`, they are not all counted. */
static inline size_t we_utf_8_leads(const uint8_t *bytes, size_t length, size_t most)
{
    size_t leads = 0;
    for (size_t at = 0; at < length && leads <= most; at += WE_SUMMED) {
        const size_t end = length - at < WE_SUMMED ? length : at + WE_SUMMED;
        uint8_t sum = 0;
        for (size_t i = at; i < end; i++)
            sum = (uint8_t)(sum + (bytes[i] >= 0xC0));
        leads += sum;
    }
    return leads;
}

/* Bound the counts from `from` to `to`, at most WE_STRIDE bytes, by pairs of bytes alone: a byte that begins a sequence
 * is an error, or may be a character, by the byte that follows. Characters are an upper bound, errors a lower one. */
static inline we_utf_8_counts we_utf_8_pairs_of(const uint8_t *bytes, size_t from, size_t to)
{
    we_utf_8_counts sum = {0, 0, 0, 0};
    for (size_t at = from; at < to;) {
        const size_t end = to - at < WE_SUMMED ? to : at + WE_SUMMED;
        uint8_t leads = 0, characters = 0;
        for (; at < end; at++) {
            const uint8_t is_lead = bytes[at - 1] >= 0xC2, continues = (bytes[at] & 0xC0) == 0x80;
            leads = (uint8_t)(leads + is_lead);
            characters = (uint8_t)(characters + (is_lead & continues));
        }
        sum.characters += characters;
        sum.errors += (size_t)(leads - characters);
    }
    return sum;
}

/* The same by the four bytes that a sequence has at most: characters by their last byte, and errors by the byte that
 * shows them: a continuation byte that continues none, and any other where one is missing. Which second bytes E0, ED,
 * F0 and F4 allow does not count. */
static inline we_utf_8_counts we_utf_8_sequences_of(const uint8_t *bytes, size_t from, size_t to)
{
    we_utf_8_counts sum = {0, 0, 0, 0};
    for (size_t at = from; at < to;) {
        const size_t end = to - at < WE_SUMMED ? to : at + WE_SUMMED;
        uint8_t characters = 0, errors = 0;
        for (; at < end; at++) {
            const uint8_t first = bytes[at - 3], second = bytes[at - 2], third = bytes[at - 1], byte = bytes[at];
            const uint8_t continues = (byte & 0xC0) == 0x80, two = third >= 0xC2;
            const uint8_t three = (second >= 0xE0) & ((third & 0xC0) == 0x80);
            const uint8_t four = (first >= 0xF0) & ((second & 0xC0) == 0x80) & ((third & 0xC0) == 0x80);
            const uint8_t expected = two | three | four;
            const uint8_t last = (two & (third < 0xE0)) | (three & (second < 0xF0)) | four;
            characters = (uint8_t)(characters + (continues & last));
            errors = (uint8_t)(errors + (continues ^ expected));
        }
        sum.characters += characters;
        sum.errors += errors;
    }
    return sum;
}

/* Bound the counts of `length` bytes. Pairs of bytes take a quarter of the time and tell single bytes from UTF-8, not
 * all double bytes. Stop where the rest cannot have `ratio` characters to an error. */
static inline we_utf_8_counts we_utf_8_bounds_of(const uint8_t *bytes, size_t length, size_t ratio)
{
    we_utf_8_counts bounds = {1, 0, 0, 0}; /* a character may end among the first three bytes, which later ones show */
    for (size_t at = 3; at < length;) {
        const size_t end = length - at < WE_STRIDE ? length : at + WE_STRIDE;
        we_utf_8_counts more = we_utf_8_pairs_of(bytes, at, end);
        if (more.characters > ratio * more.errors)
            more = we_utf_8_sequences_of(bytes, at, end);
        bounds.characters += more.characters;
        bounds.errors += more.errors;
        at = end;
        if (bounds.characters + (length - at) / 2 + 1 < ratio * bounds.errors)
            break;
    }
    return bounds;
}

/* Return whether ASCII at `at` has replaced the last `needed` bytes of a sequence, of which the lead is not all that is
 * left: with a question mark for each byte, or with a space for the no-break space after C2 or C3, all programs do. */
static inline int we_is_replaced(const uint8_t *bytes, size_t second, size_t at, size_t length, int needed)
{
    if (at > second || (bytes[at] == ' ' && bytes[at - 1] < 0xC4))
        return bytes[at] < 0x80;
    while (needed && at < length && bytes[at] == '?')
        needed--, at++;
    return needed == 0;
}

/* Count from `read` to the `most`-th error or the end; return where that is. Errors are those of the standard's
 * decoder, but for surrogates. In range: every access is at an index that was compared with `length`.
 * https://encoding.spec.whatwg.org/#utf-8-decoder */
static inline size_t we_utf_8_count(const uint8_t *bytes, size_t read, size_t length, size_t most,
                                    we_utf_8_counts *counts)
{
    while (most) {
        while (length - read >= 8) {
            uint64_t eight;
            memcpy(&eight, bytes + read, 8);
            if (eight & UINT64_C(0x8080808080808080))
                break;
            read += 8;
        }
        if (read >= length)
            break;
        const uint8_t lead = bytes[read++];
        if (lead < 0x80)
            continue;
        int needed = lead < 0xC2 || lead > 0xF4 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        uint8_t lower = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t upper = lead == 0xF4 ? 0x8F : 0xBF;
        const size_t second = read;
        for (; needed > 0 && read < length && bytes[read] >= lower && bytes[read] <= upper; needed--, read++) {
            lower = 0x80;
            upper = 0xBF;
        }
        if (needed == 0) {
            counts->characters++;
        } else if (needed > 0 && read == length) {
            counts->cut = read > second;
        } else {
            counts->errors++;
            counts->begun += needed > 0 && we_is_replaced(bytes, second, read, length, needed);
            most--;
        }
    }
    return read;
}

#endif
