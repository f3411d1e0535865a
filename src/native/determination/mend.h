/* Mojibake: text that was read as another encoding than its own, back to what it was.
 *
 * Each line is mended by itself: what was UTF-8 (misread.h), then what was in another encoding (mend_legacy.h), then
 * controls of C1. Nothing but the line decides. */
#ifndef WE_MEND_H
#define WE_MEND_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mend_legacy.h"
#include "misread.h"

enum {
    WE_ROUNDS = 6, /* until a piece is stable */
    WE_STEPS = WE_LAYERS + 2
};

/* -- Text about mojibake -- */

static inline int we_begins(const uint32_t *text, size_t length, const char *word)
{
    size_t at = 0;
    for (; word[at]; at++)
        if (at == length || (text[at] | (we_is_ascii_alpha(text[at]) ? 0x20 : 0)) != (uint8_t)word[at])
            return 0;
    return 1;
}

/* Return whether a text has one of several words. Most characters begin none. */
static inline int we_has_any(const uint32_t *text, size_t length, const char *const *words, size_t count)
{
    uint8_t begins[0x80] = {0};
    for (size_t i = 0; i < count; i++)
        begins[(uint8_t)words[i][0]] = 1;
    for (size_t at = 0; at < length; at++) {
        const uint32_t first = text[at] | (we_is_ascii_alpha(text[at]) ? 0x20 : 0);
        for (size_t i = 0; first < 0x80 && begins[first] && i < count; i++)
            if (we_begins(text + at, length - at, words[i]))
                return 1;
    }
    return 0;
}

static inline int we_is_word(uint32_t character)
{
    return we_is_ascii_alpha(character) || we_is_between(character, '0', '9') || character == '_'
           || (character >= 0x80 && character != 0xA0);
}

static inline size_t we_count_of(const uint32_t *word, size_t length, const uint32_t *text, size_t end)
{
    size_t count = 0;
    for (size_t at = 0; at + length <= end; at++)
        count += !memcmp(text + at, word, length * sizeof *word);
    return count;
}

/* Return whether a piece is about mojibake: it names an encoding and quotes few characters, quotes several of them, or
 * has an arrow or the like, and what it would become, too. */
static inline int we_is_about(const uint32_t *text, size_t length, const uint32_t *mended, size_t mended_length)
{
    static const char *const names[] = {"charset", "encod",       "decod",    "utf-8",   "utf8",     "latin-1",
                                        "latin1",  "windows-125", "cp125",    "unicode", "iso-8859", "replace",
                                        "u+0",     "u+2",         "codepage", "compile"};
    static const char *const marks[] = {"->",   "=>",  "==",    " = ",   " for ", "instead of", "\": \"",
                                        "': '", "':'", "\":\"", "</td>", "s/",    "| "};
    int is_marked = 0, is_list = 0;
    size_t quoted = 0;
    for (size_t at = 0; at < length; at++) {
        const uint32_t character = text[at];
        if (we_begins(text + at, length - at, "mojibake"))
            return 1;
        is_marked |= character == 0x2192;
        if (character < 0x80 && at + 1 < length && strchr("])}\",'", (int)character) && character && text[at + 1] < 0x80
            && text[at + 1] && strchr(",;:)]", (int)text[at + 1]))
            is_list = 1;
        if (character == 0x201C || (character && character < 0x80 && strchr("\"'`/>[", (int)character))) {
            size_t end = at + 1;
            while (end < length && text[end] >= 0x80 && text[end] != 0x201D && end < at + 10)
                end++;
            quoted += end > at + 1 && end < length
                      && (text[end] == 0x201D || (text[end] && text[end] < 0x80 && strchr("\"'`/<]", (int)text[end])));
        }
    }
    if (quoted && ((is_list && quoted > 2) || we_has_any(text, length, names, sizeof names / sizeof *names)))
        return 1;
    is_marked = is_marked || we_has_any(text, length, marks, sizeof marks / sizeof *marks);
    for (size_t at = 0; is_marked && at < mended_length;) {
        size_t end = at, beyond = 0;
        for (; end < mended_length && we_is_word(mended[end]); end++)
            beyond += mended[end] >= 0x80;
        if (beyond) {
            const size_t count = we_count_of(mended + at, end - at, text, length);
            if (count && we_count_of(mended + at, end - at, mended, mended_length) > count)
                return 1;
        }
        at = end + 1;
    }
    return 0;
}

/* -- Controls of C1 that were windows-1252 -- */

/* The character that windows-1252 has for a control, 0 if none. */
static inline uint32_t we_of_control(uint32_t control)
{
    const uint32_t character = we_readings.characters[0][control - 0x80];
    return character > 0x9F ? character : 0;
}

/* Return whether a control belongs to a whole sequence of UTF-8 that was read as windows-1252. */
static inline int we_is_in_sequence(const uint32_t *text, size_t length, size_t at)
{
    for (size_t back = 1; back < 4 && back <= at; back++) {
        const unsigned count = we_sequence_length(we_misread_of(text[at - back])->bytes[0]);
        size_t rest = 1;
        while (rest < count && at - back + rest < length
               && we_is_rest_byte(we_misread_of(text[at - back + rest])->bytes[0]))
            rest++;
        if (count > back && rest == count)
            return 1;
    }
    return 0;
}

/* Replace the controls of a piece that windows-1252 has characters for, unless some are none of these, or belong to a
 * sequence of UTF-8. Return whether there were any. */
static inline int we_replace_controls(uint32_t *text, size_t length)
{
    size_t controls = 0;
    for (size_t at = 0; at < length; at++) {
        if (!we_is_c1(text[at]))
            continue;
        const uint32_t character = we_of_control(text[at]);
        const int is_in_word = at && at + 1 < length && we_is_a_letter(text[at - 1]) && we_is_a_letter(text[at + 1]);
        if (!character || we_is_in_sequence(text, length, at)
            || (is_in_word && !we_is_a_letter(character) && character != 0x2019))
            return 0;
        controls++;
    }
    for (size_t at = 0; at < length && controls; at++)
        if (we_is_c1(text[at]))
            text[at] = we_of_control(text[at]);
    return controls > 0;
}

/* -- Lines -- */

/* A part of a text that changes: where it is, its new text in we_mending, and its steps, the last misreading first. */
typedef struct {
    size_t start, end, at, length, count;
    we_step steps[WE_STEPS];
} we_edit;

/* Where bytes of a character were lost: its place in the new text of an edit, and its bytes, 0 for a lost one. */
typedef struct {
    size_t edit, at;
    uint8_t width;      /* characters of the new text that stand for it */
    uint8_t is_dropped; /* nothing stands for the lost byte, so that it was one that programs drop */
    uint8_t bytes[4];
} we_gap;

/* What is mended of a text. Memory grows with what changes. */
typedef struct {
    we_edit *edits;
    uint32_t *text;
    we_gap *gaps;
    size_t count, room, length, text_room, gap_count, gap_room;
    int is_cut; /* a line that changed was mended in pieces */
} we_mending;

static inline uint32_t we_unit_of(const void *units, unsigned size, size_t at)
{
    return size == 1   ? ((const uint8_t *)units)[at]
           : size == 2 ? ((const uint16_t *)units)[at]
                       : ((const uint32_t *)units)[at];
}

/* What a text is mended with. */
typedef struct {
    we_search *search;
    int legacy; /* text that was not UTF-8 is mended, too */
} we_tools;

/* Return whether another encoding than UTF-8 is looked for: if a piece has several characters beyond ASCII, and more of
 * them if it was UTF-8. */
static inline int we_is_unexplained(const uint32_t *text, size_t length, int was_utf_8)
{
    size_t beyond = 0;
    for (size_t at = 0; at < length; at++)
        beyond += text[at] >= 0x80;
    return beyond >= (was_utf_8 ? 6 : 2);
}

static inline void we_add_step(we_edit *edit, const char *read_as, const char *was)
{
    if (edit->count < WE_STEPS)
        edit->steps[edit->count++] = (we_step){read_as, was};
}

/* Mend the piece in the first layer of the search once. Return the index of the layer with the result, 0 if nothing
 * changes. */
static inline size_t we_mend_once(const we_tools *tools, size_t *length, we_edit *edit)
{
    we_search *const search = tools->search;
    we_layered layered = {0, {0}, *length};
    size_t at = 0;
    const size_t before = *length;
    search->tries = 0;
    if (we_peel(search, 0, *length, &layered)) {
        if (we_is_about(search->layers[0], before, search->layers[layered.count], layered.length))
            return 0;
        size_t of_layer = before;
        for (at = 0; at < layered.count; at++) {
            we_add_step(edit, we_reading_name(layered.readings[at], search->layers[at], of_layer), "UTF-8");
            of_layer = search->lengths[at + 1];
        }
        *length = layered.length;
    }
    if (tools->legacy && we_is_unexplained(search->layers[at], *length, at > 0)) {
        size_t mended = *length;
        we_step step;
        if (we_mend_legacy(search, at, &mended, &step)
            && !we_is_about(search->layers[at], *length, search->layers[at + 1], mended)) {
            we_add_step(edit, step.read_as, step.was);
            at++;
            *length = mended;
        }
    }
    memcpy(search->layers[at + 1], search->layers[at], *length * sizeof(uint32_t));
    if (we_replace_controls(search->layers[at + 1], *length)) {
        we_add_step(edit, "iso-8859-1", "windows-1252");
        at++;
    }
    return at;
}

/* Return a block with room for at least `needed` items, NULL if there is no memory. */
static inline void *we_grown(void *items, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return items;
    void *const grown = realloc(items, 2 * needed * size);
    if (grown != NULL)
        *room = 2 * needed;
    return grown;
}

/* Add a gap. Return 0, or -1 if there is no memory. */
static inline int we_add_gap(we_mending *mending, we_gap gap)
{
    we_gap *const gaps = we_grown(mending->gaps, &mending->gap_room, mending->gap_count + 1, sizeof gap);
    if (gaps == NULL)
        return -1;
    mending->gaps = gaps;
    mending->gaps[mending->gap_count++] = gap;
    return 0;
}

/* Write the gaps of a piece that had one layer: what became U+FFFD, and what still begins a sequence as other
 * characters of the piece did. Return 0, or -1 if there is no memory. */
static inline int we_add_gaps(const we_search *search, size_t length, we_mending *mending)
{
    const uint32_t *const text = search->layers[1];
    const uint8_t *const origins = search->origins[1];
    uint8_t leads[0x100] = {0};
    for (size_t at = 0; at < length; at++)
        if (origins[at] && text[at] < 0x800)
            leads[0xC0 | text[at] >> 6] = 1;
        else if (origins[at] && text[at] < 0x10000)
            leads[0xE0 | text[at] >> 12] = 1;
    for (size_t at = 0; at < length; at++) {
        we_gap gap = {mending->count, at, 1, 0, {0, 0, 0, 0}};
        if (origins[at] && text[at] == 0xFFFD && search->lost[at][0]) {
            const unsigned count = we_sequence_length(search->lost[at][0]);
            unsigned known = 1;
            gap.bytes[0] = search->lost[at][0];
            for (unsigned i = 1; i < count; i++)
                if (we_is_rest_byte(search->lost[at][i])) {
                    gap.bytes[i] = search->lost[at][i];
                    known++;
                }
            if (known < count && we_add_gap(mending, gap))
                return -1;
            continue;
        }
        const unsigned byte = origins[at] || text[at] < 0x80 ? 0 : we_misread_of(text[at])->bytes[0];
        const unsigned count = we_sequence_length(byte);
        if (!count || !leads[byte])
            continue;
        gap.bytes[0] = (uint8_t)byte;
        while (gap.width < count && at + gap.width < length && !origins[at + gap.width] && text[at + gap.width] >= 0x80
               && we_is_rest_byte(we_misread_of(text[at + gap.width])->bytes[0])) {
            gap.bytes[gap.width] = we_misread_of(text[at + gap.width])->bytes[0];
            gap.width++;
        }
        gap.is_dropped = 1;
        if (gap.width + 1U == count && we_add_gap(mending, gap))
            return -1;
    }
    return 0;
}

/* Mend the piece in the first layer of the search until nothing changes. Return whether it changed; a piece that does
 * not become stable stays. Return -1 if there is no memory. */
static inline int we_mend_piece(const we_tools *tools, size_t *length, we_edit *edit, we_mending *mending)
{
    we_search *const search = tools->search;
    const size_t gaps = mending->gap_count;
    edit->count = 0;
    for (int round = 0; round < WE_ROUNDS; round++) {
        const size_t layer = we_mend_once(tools, length, edit);
        if (!layer)
            return round > 0;
        mending->gap_count = gaps;
        if (!round && layer == 1 && edit->steps[0].was[0] == 'U' && we_add_gaps(search, *length, mending))
            return -1;
        memcpy(search->layers[0], search->layers[layer], *length * sizeof(uint32_t));
    }
    mending->gap_count = gaps;
    return 0;
}

/* Return the end of a piece of a line: the line's end, or after a space, or before what is no later byte of a sequence
 * in windows-1252, or after WE_SPAN characters. */
static inline size_t we_piece_end(const void *units, unsigned size, size_t start, size_t end)
{
    if (end - start <= WE_SPAN)
        return end;
    for (size_t at = start + WE_SPAN; at > start + WE_SPAN / 2; at--)
        if (we_unit_of(units, size, at - 1) == ' ')
            return at;
    for (size_t at = start + WE_SPAN; at > start + WE_SPAN - 4; at--)
        if (!(we_misread_of(we_unit_of(units, size, at))->rest & 1))
            return at;
    return start + WE_SPAN;
}

/* Make room for one more edit and a piece's text. Return 0, or -1 if there is no memory. */
static inline int we_mending_grow(we_mending *mending)
{
    we_edit *const edits = we_grown(mending->edits, &mending->room, mending->count + 1, sizeof *edits);
    if (edits == NULL)
        return -1;
    mending->edits = edits;
    uint32_t *const text = we_grown(mending->text, &mending->text_room, mending->length + WE_SPAN, sizeof *text);
    if (text == NULL)
        return -1;
    mending->text = text;
    return 0;
}

/* Mend the lines of a text. Return 0, or -1 if there is no memory. */
static inline int we_mend(const void *units, unsigned size, size_t length, const we_tools *tools, we_mending *mending)
{
    if (size > 1)
        we_run_once(&we_wide_once, we_wide_fill);
    for (size_t start = 0; start < length;) {
        size_t end = start;
        uint32_t all = 0;
        for (; end < length; end++) {
            const uint32_t character = we_unit_of(units, size, end);
            if (character == '\n' || character == '\r')
                break;
            all |= character;
        }
        for (size_t at = start; all >= 0x80 && at < end;) {
            const size_t piece_end = we_piece_end(units, size, at, end);
            size_t piece = piece_end - at;
            if (we_mending_grow(mending))
                return -1;
            we_edit *const edit = &mending->edits[mending->count];
            for (size_t i = 0; i < piece; i++)
                tools->search->layers[0][i] = we_unit_of(units, size, at + i);
            const int changes = we_mend_piece(tools, &piece, edit, mending);
            if (changes < 0)
                return -1;
            if (changes) {
                edit->start = at;
                edit->end = piece_end;
                edit->at = mending->length;
                edit->length = piece;
                memcpy(mending->text + mending->length, tools->search->layers[0], piece * sizeof(uint32_t));
                mending->length += piece;
                mending->count++;
                mending->is_cut |= end - start > WE_SPAN;
            }
            at = piece_end;
        }
        start = end + 1;
    }
    return 0;
}

#endif
