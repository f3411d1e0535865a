/* Text that was UTF-8 and was read as a single-byte encoding: which lines may be, and what they were. The tables and
 * weights are those of data/mojibake.json, in generated/mojibake_table.h. */
#ifndef WE_DETECT_REPAIR_H
#define WE_DETECT_REPAIR_H

#include "mojibake_table.h"
#include "text.h"

enum {
    WE_LIKELY_WINDOW = 96, /* characters whose likelihood is judged together */
    WE_FEW_LETTERS = 2,    /* of which a legacy encoding cannot be told, unless one is strange */
    WE_GUESS_MARGIN = 4,   /* eighths of a bit by which a guess must be likelier than the next: half a bit */
    WE_ACCENTED = 4,       /* letters of Latin-1 in a row that no word has */
    WE_CONTINUATION = 0x80,
    WE_LAST_CONTINUATION = 0xBF
};

/* What a character is in each reading, as sets of bits: bit r is that of mojibake_readings[r]. */
typedef struct {
    uint32_t leads[3]; /* the first of two, three, four bytes of a sequence */
    uint32_t rest;     /* a later byte of one */
    uint32_t all;      /* any byte */
    uint8_t bytes[WE_READINGS];
} we_misread;

static struct {
    uint16_t slots[0x10000]; /* of each code point of the BMP, at which `of` has it; 0: no reading has it */
    we_misread of[WE_MISREAD_CHARACTERS + 1];
} we_readings;

static inline unsigned we_sequence_length(unsigned byte)
{
    return byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0;
}

/* Fill the tables. A slot is at most WE_MISREAD_CHARACTERS, the number of different characters of all readings. */
static inline void we_readings_fill(void)
{
    unsigned count = 0;
    for (unsigned reading = 0; reading < WE_READINGS; reading++)
        for (unsigned byte = 0x80; byte < 0x100; byte++) {
            const uint16_t character = mojibake_high[reading][byte - 0x80];
            const unsigned length = we_sequence_length(byte);
            if (character == 0xFFFD)
                continue;
            if (!we_readings.slots[character])
                we_readings.slots[character] = (uint16_t)++count;
            we_misread *const found = &we_readings.of[we_readings.slots[character]];
            found->bytes[reading] = (uint8_t)byte;
            found->all |= (uint32_t)1 << reading;
            if (length)
                found->leads[length - 2] |= (uint32_t)1 << reading;
            else if (byte <= WE_LAST_CONTINUATION)
                found->rest |= (uint32_t)1 << reading;
        }
}

static inline uint32_t we_unit(const void *units, unsigned size, size_t at)
{
    return size == 1   ? ((const uint8_t *)units)[at]
           : size == 2 ? ((const uint16_t *)units)[at]
                       : ((const uint32_t *)units)[at];
}

static inline const we_misread *we_misread_of(uint32_t character)
{
    return &we_readings.of[character < 0x10000 ? we_readings.slots[character] : 0];
}

/* -- Kinds of characters -- */

static inline int we_is_between(uint32_t character, uint32_t first, uint32_t last)
{
    return character - first <= last - first;
}

static inline int we_is_lower_ascii(uint32_t character)
{
    return we_is_between(character, 'a', 'z');
}

static inline int we_is_box(uint32_t character)
{
    return we_is_between(character, 0x2500, 0x259F);
}

/* Quotation marks, dashes, dots: they stand next to words of any kind. */
static inline int we_is_quotation(uint32_t character)
{
    return we_is_between(character, 0x2010, 0x2027) || character == 0xAB || character == 0xBB
           || we_is_between(character, 0x2039, 0x203A) || character == 0xA1 || character == 0xBF;
}

/* Of those the marks that may end a word of one letter. */
static inline int we_is_end(uint32_t character)
{
    return we_is_quotation(character) && !we_is_between(character, 0x2020, 0x2025);
}

/* Those, and the signs that good text has after a word without a space. */
static inline int we_is_sign(uint32_t character)
{
    switch (character) {
    case 0xA0:
    case 0xA7:
    case 0xA9:
    case 0xAA:
    case 0xAC:
    case 0xAE:
    case 0xB0:
    case 0xB2:
    case 0xB3:
    case 0xB4:
    case 0xB6:
    case 0xB7:
    case 0xB9:
    case 0xBA:
    case 0x202F:
    case 0x2030:
    case 0x2032:
    case 0x2033:
    case 0x20AC:
    case 0x2116:
    case 0x2122:
        return 1;
    default:
        return we_is_quotation(character);
    }
}

static inline int we_is_lower(uint32_t character)
{
    return (we_symbol(character) >> WE_DETECT_CASE_SHIFT & 3) == 1;
}

static inline int we_is_upper(uint32_t character)
{
    return (we_symbol(character) >> WE_DETECT_CASE_SHIFT & 3) == 2;
}

static inline int we_is_letter(uint32_t character)
{
    return we_is_ascii_letter(character)
           || (character >= 0xC0 && character != 0xD7 && character != 0xF7 && !we_is_between(character, 0x2B0, 0x2FF)
               && !we_is_between(character, 0x2000, 0x2BFF) && !we_is_between(character, 0x3000, 0x3004)
               && !we_is_between(character, 0x3007, 0x3020) && !we_is_between(character, 0xFE00, 0xFE6F)
               && !we_is_between(character, 0xFF00, 0xFF20) && character < 0xFFF0);
}

static inline int we_is_digit(uint32_t character)
{
    return we_is_between(character, '0', '9');
}

static inline int we_is_word(uint32_t character)
{
    return we_is_letter(character) || we_is_digit(character) || character == '_';
}

/* Symbols and scripts that few texts have: they are as likely to be chance. */
static inline int we_is_rare(uint32_t character)
{
    return we_is_between(character, 0x610, 0x61A) || we_is_between(character, 0x6D6, 0x6ED)
           || we_is_between(character, 0x700, 0x8FF) || we_is_between(character, 0x1000, 0x109F)
           || we_is_between(character, 0x1100, 0x1DFF) || we_is_between(character, 0x2C00, 0x2FFF)
           || we_is_between(character, 0x3100, 0x33FF) || we_is_between(character, 0xA000, 0xABFF)
           || we_is_between(character, 0xF900, 0xFFFC);
}

static inline int we_is_symbol(uint32_t character)
{
    return we_is_between(character, 0x2190, 0x23FF) || we_is_between(character, 0x2600, 0x2BFF);
}

/* Surrogates, private use, noncharacters and code points without a character. C1 controls are none of these here: a
 * text that was misread twice has them on the way. */
static inline int we_is_never_text(uint32_t character)
{
    size_t first = 0, end = WE_UNASSIGNED_RUNS;
    while (end - first > 1) { /* mojibake_unassigned begins with a run at 0x378 or before */
        const size_t middle = first + (end - first) / 2;
        if (mojibake_unassigned[middle][0] <= character)
            first = middle;
        else
            end = middle;
    }
    return we_is_between(character, mojibake_unassigned[first][0], mojibake_unassigned[first][1]);
}

static inline int we_is_c1(uint32_t character)
{
    return we_is_between(character, 0x80, 0x9F);
}

/* -- Likelihood -- */

static inline int we_is_cyrillic(uint32_t character)
{
    return we_is_between(character, 0x400, 0x52F);
}

static inline int we_is_joiner(uint32_t character)
{
    for (size_t each = 0; each < sizeof mojibake_joiners / sizeof *mojibake_joiners; each++)
        if (mojibake_joiners[each] == character)
            return 1;
    return 0;
}

/* An ideograph, or half-width kana, other than those that join words of another script. */
static inline int we_is_ideograph(uint32_t character)
{
    return (we_is_between(character, 0x3400, 0x9FFF) || we_is_between(character, 0xFF61, 0xFF9F))
           && !we_is_joiner(character);
}

/* Return the bits, in eighths, by which a letter of another script in a Latin word, or next to one, is unlikelier than
 * the model has it, which knows pairs of characters alone. `at` is within the text; what is outside is a space. */
static inline int we_foreign_cost(const void *units, unsigned size, size_t length, size_t at)
{
    const uint32_t character = we_unit(units, size, at);
    if (character < 0x370)
        return 0;
    const uint32_t last = at ? we_unit(units, size, at - 1) : ' ';
    const uint32_t next = at + 1 < length ? we_unit(units, size, at + 1) : ' ';
    const int is_cyrillic = we_is_cyrillic(character), is_ideograph = we_is_ideograph(character);
    const int is_next_lower = we_is_lower_ascii(next);
    if (we_is_lower_ascii(last)) {
        const uint32_t before = at > 1 ? we_unit(units, size, at - 2) : ' ';
        const int is_in_word = we_is_lower_ascii(before);
        if (is_cyrillic || is_ideograph) {
            const uint32_t after = at + 2 < length ? we_unit(units, size, at + 2) : ' ';
            if (is_next_lower || ((we_is_cyrillic(next) || we_is_ideograph(next)) && we_is_lower_ascii(after)))
                return WE_MEND_FOREIGN;
            if (!we_is_word(next) && (is_in_word || (is_cyrillic && before == ' ')))
                return WE_MEND_FOREIGN;
        }
        if (is_next_lower && is_in_word && we_is_between(character, 0x370, 0x3FF))
            return WE_MEND_FOREIGN;
        if (is_next_lower && (character == 0x201A || character == 0x201E || character == 0x2021 || character == 0x2030))
            return WE_MEND_FOREIGN;
    } else if (is_cyrillic && is_next_lower && we_is_ascii_letter(last)) {
        return WE_MEND_FOREIGN;
    } else if (is_ideograph && is_next_lower && !we_is_word(last) && at + 2 < length
               && we_is_lower_ascii(we_unit(units, size, at + 2))) {
        return WE_MEND_FOREIGN_BEFORE;
    }
    return 0;
}

/* Return the end of the box drawings at `at`, if they are a rule or a frame, otherwise `at`. */
static inline size_t we_rule_end(const void *units, unsigned size, size_t length, size_t at)
{
    size_t end = at;
    while (end < length && we_is_box(we_unit(units, size, end)))
        end++;
    const uint32_t before = at ? we_unit(units, size, at - 1) : ' ';
    const uint32_t after = end < length ? we_unit(units, size, end) : ' ';
    const int is_in_word = we_is_between(before, 0xA0, 0x52F) || we_is_between(after, 0xA0, 0x52F);
    return is_in_word || (we_is_word(before) && we_is_word(after)) ? at : end;
}

/* Return the cost of a text in eighths of a bit: that of the model, without frames and repeated characters, and with
 * that of foreign letters. Linear: each box drawing is passed once, since a run not skipped begins in a word. */
static inline int64_t we_line_cost(const void *units, unsigned size, size_t length)
{
    we_text text;
    int64_t foreign = 0;
    uint32_t last = ' ';
    if (!length)
        return 0;
    we_text_begin(&text);
    for (size_t at = 0, since = 0; at < length; at++, since++) {
        uint32_t character = we_unit(units, size, at);
        if (since >= WE_LETTERS) { /* each part is in a language of its own */
            text.cost -= we_text_gain(&text);
            memset(text.words, 0, sizeof text.words);
            since = 0;
        }
        if (character >= 0x80) {
            if (character == last)
                continue;
            if (we_is_box(character) && !we_is_box(last)) {
                const size_t end = we_rule_end(units, size, length, at);
                if (end > at) {
                    at = end - 1;
                    character = ' ';
                }
            }
            if (character >= 0x370)
                foreign += we_foreign_cost(units, size, length, at);
            if ((character & 0xFFFFF800) == 0xD800)
                character = 0xFFFD;
        }
        last = character;
        we_text_add(&text, character);
    }
    we_text_add(&text, ' ');
    return text.cost - we_text_gain(&text) + foreign;
}

typedef struct {
    int64_t excess; /* eighths of a bit that it costs beside its ASCII */
    size_t beyond;  /* characters beyond ASCII */
    size_t letters; /* of these, or in place of one */
    size_t east_asian;
    uint32_t readings; /* that have all of them, as a set of bits */
    int foreign, may_be_misread;
} we_excess;

static inline we_excess we_excess_of(const void *units, unsigned size, size_t length)
{
    we_excess found = {0, 0, 0, 0, ~(uint32_t)0, 0, 0};
    we_text text, ascii;
    we_text_begin(&text);
    we_text_begin(&ascii);
    for (size_t at = 0, since = 0; at < length; at++, since++) {
        const uint32_t character = we_unit(units, size, at);
        if (since >= WE_LETTERS) {
            text.cost -= we_text_gain(&text);
            ascii.cost -= we_text_gain(&ascii);
            memset(text.words, 0, sizeof text.words);
            memset(ascii.words, 0, sizeof ascii.words);
            since = 0;
        }
        we_text_add(&text, (character & 0xFFFFF800) == 0xD800 ? 0xFFFD : character);
        if (character < 0x80) {
            we_text_add(&ascii, character);
            continue;
        }
        const int is_east_asian = we_is_between(character, 0x3000, 0xD7FF) || we_is_between(character, 0xF900, 0xFAFF)
                                  || we_is_between(character, 0xFF00, 0xFFEF);
        found.beyond++;
        if (character != 0xFFFD)
            found.readings &= we_misread_of(character)->all;
        const int is_in_word = at && we_is_lower_ascii(we_unit(units, size, at - 1)) && !we_is_quotation(character);
        found.letters += (size_t)(is_in_word || we_is_letter(character));
        found.east_asian += (size_t)is_east_asian;
        found.foreign |= we_foreign_cost(units, size, length, at) > WE_MEND_FOREIGN_BEFORE;
        found.may_be_misread |= is_east_asian || character >= 0xE000 || we_readings.slots[character] != 0;
    }
    we_text_add(&text, ' ');
    we_text_add(&ascii, ' ');
    found.excess = text.cost - we_text_gain(&text) - ascii.cost + we_text_gain(&ascii);
    return found;
}

/* Return whether a text is as likely as good text is, or has no character that a misreading makes. */
static inline int we_is_likely(const we_excess *found)
{
    if (!found->beyond)
        return 1;
    const int64_t likely = WE_MEND_LIKELY + (int64_t)WE_MEND_LIKELY_CHARACTER * (int64_t)found->beyond;
    if (found->excess <= likely)
        return 1;
    const int64_t more = WE_MEND_LIKELY_EAST_ASIAN - WE_MEND_LIKELY_CHARACTER;
    if (found->east_asian > 2 && found->excess <= likely + more * (int64_t)found->east_asian)
        return !found->foreign;
    return !found->may_be_misread;
}

/* Return how many characters stand where no word has them, which is reason to try legacy encodings. */
static inline size_t we_strange_count(const void *units, unsigned size, size_t length)
{
    size_t count = 0, accented = 0;
    for (size_t at = 0; at < length; at++) {
        const uint32_t character = we_unit(units, size, at);
        accented = we_is_between(character, 0xC0, 0xFF) ? accented + 1 : 0;
        count += accented == WE_ACCENTED || (we_is_c1(character) && character != 0x85)
                 || (character == 0xFFFD && at && we_is_half_width(we_unit(units, size, at - 1)));
        if (character < 0xC0 && character != 0xAF && character != 0xB8)
            continue;
        const uint32_t last = at ? we_unit(units, size, at - 1) : ' ';
        if (we_foreign_cost(units, size, length, at)) {
            count++;
            continue;
        }
        if (!we_is_lower_ascii(last))
            continue;
        const uint32_t next = at + 1 < length ? we_unit(units, size, at + 1) : ' ';
        const uint32_t before = at > 1 ? we_unit(units, size, at - 2) : ' ';
        const int is_next_lower = we_is_lower_ascii(next);
        if (character < 0x250 && we_is_upper(character)) {
            count += (size_t)is_next_lower;
            continue;
        }
        if (!we_is_lower_ascii(before))
            continue;
        const int is_modifier = character == 0x2C6 || we_is_between(character, 0x2D8, 0x2DD) || character == 0xAF
                                || character == 0xB8 || character == 0x2C7;
        const int is_mark = is_modifier || character == 0x2021 || character == 0x2030;
        if (is_next_lower)
            count += (size_t)(is_mark || character == 0x201A || character == 0x201E || we_is_box(character));
        else if (is_mark && !we_is_word(next) && at > 2)
            count += (size_t)we_is_lower_ascii(we_unit(units, size, at - 3));
    }
    return count;
}

/* -- Sequences of UTF-8 -- */

/* Return the readings in which some word of a line has a sequence of UTF-8. All readings go at once: each set has the
 * readings that need one, two, three more bytes. */
static inline uint32_t we_sequences_of(const void *units, unsigned size, size_t length)
{
    uint32_t one = 0, two = 0, three = 0, found = 0;
    for (size_t at = 0; at < length; at++) {
        const uint32_t character = we_unit(units, size, at);
        if (character < 0x80) {
            found |= (character == ' ') ? one & WE_SPACED : 0;
            one = two = three = 0;
            continue;
        }
        const we_misread *const misread = we_misread_of(character);
        const uint32_t rest = character == 0xFFFD ? ~(uint32_t)0 : misread->rest;
        found |= one & rest;
        one = (two & rest) | misread->leads[0];
        two = (three & rest) | misread->leads[1];
        three = misread->leads[2];
    }
    return found;
}

typedef struct {
    size_t length;      /* of what it was */
    uint32_t sequences; /* of UTF-8 */
    uint32_t strong;    /* of these, such as good text does not have by chance */
    uint32_t lost;      /* characters of which a byte is lost */
    uint32_t guessed;   /* characters of which a program removed a byte */
    uint32_t kept;      /* letters beyond ASCII in words that are not UTF-8 */
    uint32_t long_ones; /* of the strong ones, those of three and four bytes */
    uint32_t rare, symbols, c1;
    int is_refused;
} we_mended;

/* Return whether good text has no such sequence by chance. `at` is that of the sequence, `end` is behind it. Chance
 * are letters that a word has, a letter with signs after it, a quotation mark with a word, and box drawings. */
static inline int we_is_strong(const void *units, unsigned size, size_t length, size_t at, size_t end, uint32_t meant)
{
    const uint32_t lead = we_unit(units, size, at), before = at ? we_unit(units, size, at - 1) : ' ';
    const uint32_t after = end < length ? we_unit(units, size, end) : ' ';
    const int is_alone = !we_is_word(before) && !we_is_letter(after);
    int are_signs = 1, are_ends = 1, is_word = 1, are_letters = we_is_letter(lead), are_boxes = we_is_box(lead),
        is_mixed = 0;
    for (size_t each = at + 1; each < end; each++) {
        const uint32_t character = we_unit(units, size, each);
        is_word &= we_is_letter(character);
        are_ends &= we_is_end(character) || character == ' ';
        are_signs &= we_is_sign(character) || character == ' ';
        are_boxes &= we_is_box(character);
        are_letters &= we_is_letter(character) && (character ^ lead) >> 8 == 0;
        is_mixed |= we_is_lower(we_unit(units, size, each - 1)) && we_is_upper(character);
    }
    if (we_is_letter(meant) && !we_is_upper(meant) && we_is_upper(lead) && we_is_upper(before) && at > 1
        && we_is_upper(we_unit(units, size, at - 2)))
        return 0;                    /* in capitals, a small letter */
    if (we_is_sign(lead) && is_word) /* a quotation mark and a word, unless it is within one or all of it */
        return end - at > 2
               && (we_is_letter(before) || (is_alone && after == ' ' && we_is_between(meant, 0x2010, 0x2BFF)));
    if (are_boxes)
        return we_is_letter(before) || we_is_letter(after);
    if (are_letters) /* of another script than the word, with a capital within it, or accented ones alone */
        return is_mixed || (is_alone && lead < 0x250 && end - at > 2) || (we_is_upper(lead) && we_is_lower(before))
               || (lead >= 0x370 && (we_is_ascii_letter(before) || we_is_ascii_letter(after)));
    if (!are_signs) /* a sign between two words is none */
        return is_alone || end - at != 3 || !we_is_letter(lead) || !we_is_sign(we_unit(units, size, at + 1))
               || !we_is_letter(we_unit(units, size, at + 2));
    if (!we_is_letter(lead))
        return !we_is_sign(lead);
    if (!we_is_upper(lead))
        return end - at == 2 ? we_is_letter(before) && we_is_letter(after) && !are_ends
                             : (lead == 0xE2 ? is_alone || we_unit(units, size, at + 1) == 0x20AC /* "â€" is no word */
                                             : !are_ends && (is_alone || we_is_letter(after)));
    if (we_is_lower(before) || we_is_digit(before))
        return 1;
    /* A letter that is a word, with a sign and a letter or digit after it: the first letter of a word. If the sign is a
     * space that is one too many, it was a no-break space. */
    if (we_unit(units, size, at + 1) == ' ' && after == ' ' && end == at + 2)
        return !we_is_word(before) && !we_is_sign(before);
    return meant < 0x180 && !we_is_word(before) && !we_is_sign(before) && before != '"' && before != '\''
           && (we_is_lower(after) || (we_is_digit(after) && end - at == 2));
}

/* Return the byte that a character is in a reading, 0 if it is none. */
static inline unsigned we_byte_of(uint32_t character, unsigned reading)
{
    return we_misread_of(character)->bytes[reading];
}

static inline int we_is_rest(uint32_t character, unsigned reading)
{
    return we_is_between(we_byte_of(character, reading), WE_CONTINUATION, WE_LAST_CONTINUATION);
}

/* The code point of a sequence, 0 if it is none: too long, a surrogate, or beyond the last one. */
static inline uint32_t we_code_point(const unsigned *bytes, unsigned length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code_point = bytes[0] & (0x7FU >> length);
    for (unsigned each = 1; each < length; each++)
        code_point = code_point << 6 | (bytes[each] & 0x3F);
    if (code_point < least[length] || code_point > 0x10FFFF || (code_point & 0xFFFFF800) == 0xD800)
        return 0;
    return code_point;
}

/* Return the likeliest character of a sequence of which a program removed a byte that its encoding has no character
 * for, and 0 if there is none. `bytes` are the others, `length` that of the sequence. */
static inline uint32_t we_guessed(unsigned *bytes, unsigned length, unsigned reading, uint32_t before, uint32_t after)
{
    uint32_t best = 0;
    int least = WE_MEND_GUESSED, second = INT32_MAX;
    for (unsigned place = 1; place < length; place++) {
        unsigned whole[4];
        for (unsigned each = 0, from = 0; each < length; each++)
            whole[each] = each == place ? 0 : bytes[from++];
        for (unsigned byte = WE_CONTINUATION; byte < 0xA0; byte++) {
            const uint32_t high = mojibake_high[reading][byte - 0x80];
            whole[place] = byte;
            if (high != 0xFFFD && !we_is_c1(high))
                continue; /* no program removes it */
            const uint32_t found = we_code_point(whole, length);
            if (!found || we_is_c1(found) || we_is_never_text(found) || we_is_rare(found)
                || we_is_between(found, 0x3100, 0x33FF))
                continue;
            const uint16_t symbol = we_symbol(found);
            const int cost = we_cost(we_symbol(before), symbol) + we_cost(symbol, we_symbol(after));
            if (cost < least) {
                second = least;
                least = cost;
                best = found;
            } else if (cost < second) {
                second = cost;
            }
        }
    }
    return second - least < WE_GUESS_MARGIN ? 0 : best;
}

/* What a sequence is, at a character that is the first of one. */
typedef struct {
    uint32_t character; /* 0: it is none; U+FFFD: a byte is lost */
    size_t end;
    int is_guessed;
} we_sequence;

static inline we_sequence we_sequence_at(const void *units, unsigned size, size_t length, size_t at, unsigned reading)
{
    const int is_spaced = WE_SPACED >> reading & 1;
    we_sequence found = {0, at + 1, 0};
    unsigned bytes[4], count = 1;
    bytes[0] = we_byte_of(we_unit(units, size, at), reading);
    const unsigned needed = we_sequence_length(bytes[0]);
    int is_lost = 0;
    while (count < needed && found.end < length) {
        const uint32_t next = we_unit(units, size, found.end);
        if (next == 0xFFFD || next == '?') {
            is_lost = 1;
            bytes[count++] = 0;
        } else if (next >= 0x80 && we_is_rest(next, reading)) {
            bytes[count++] = we_byte_of(next, reading);
        } else if (next == ' ' && is_spaced && count + 1 == needed) { /* a no-break space that became a space */
            bytes[count++] = 0xA0;
            const uint32_t after = found.end + 1 < length ? we_unit(units, size, found.end + 1) : ' ';
            const uint32_t before = at ? we_unit(units, size, at - 1) : ' ';
            const uint32_t second = found.end + 2 < length ? we_unit(units, size, found.end + 2) : ' ';
            /* Spaces that became one: "Ã" is the word "à", but for the beginning of "às". */
            if (bytes[0] == 0xC3 && after != ' ' && !we_is_letter(before) && !(after == 's' && !we_is_word(second)))
                continue;
        } else {
            break;
        }
        found.end++;
    }
    if (count == needed) {
        found.character = is_lost ? 0xFFFD : we_code_point(bytes, needed);
    } else if (count + 1 == needed && is_spaced && !is_lost && found.end < length) {
        const uint32_t before = at ? we_unit(units, size, at - 1) : ' ', after = we_unit(units, size, found.end);
        found.character = we_guessed(bytes, needed, reading, before, after);
        found.is_guessed = 1;
    }
    return found;
}

/* Write what a line was, if the words of it that are all sequences were UTF-8. `target` has room for the line: what a
 * sequence was is shorter, and what is guessed is not longer. */
static inline we_mended we_mend(const void *units, unsigned size, size_t length, unsigned reading, uint32_t *target)
{
    we_mended all;
    memset(&all, 0, sizeof all);
    for (size_t at = 0; at < length && !all.is_refused;) {
        const size_t word = at, written = all.length;
        we_mended found = all;
        uint32_t others = 0, letters = 0;
        for (; at < length;) {
            const uint32_t character = we_unit(units, size, at);
            if (character < 0x80) {
                target[found.length++] = character;
                at++;
                if (character <= ' ')
                    break;
                continue;
            }
            const unsigned byte = we_byte_of(character, reading);
            we_sequence sequence = {0, at + 1, 0};
            if (we_sequence_length(byte))
                sequence = we_sequence_at(units, size, length, at, reading);
            if (!sequence.character) {
                target[found.length++] = character;
                letters += (uint32_t)we_is_letter(character);
                /* What is cut off at the beginning or the end of a line belongs to no word. */
                const int is_cut =
                    (at < 3 && we_is_rest(character, reading)) || (we_sequence_length(byte) && sequence.end == length);
                others += !we_is_quotation(character) && !is_cut && character != 0xFFFD;
                at++;
                if (is_cut && sequence.end == length)
                    for (; at < length; at++)
                        target[found.length++] = we_unit(units, size, at);
                continue;
            }
            target[found.length++] = sequence.character;
            found.sequences++;
            found.lost += sequence.character == 0xFFFD;
            found.guessed += (uint32_t)sequence.is_guessed;
            if (!sequence.is_guessed && sequence.character != 0xFFFD
                && we_is_strong(units, size, length, at, sequence.end, sequence.character)) {
                found.strong++;
                found.long_ones += sequence.character >= 0x800;
            }
            found.rare += (uint32_t)we_is_rare(sequence.character);
            found.symbols += (uint32_t)we_is_symbol(sequence.character);
            found.c1 += (uint32_t)we_is_c1(sequence.character);
            found.is_refused |= we_is_never_text(sequence.character);
            at = sequence.end;
        }
        if (found.sequences == all.sequences || others) {
            found.is_refused |= found.sequences > all.sequences; /* half of a word is no word */
            found.length = written;
            if (!found.is_refused) {
                found = all;
                for (size_t each = word; each < at; each++)
                    target[found.length++] = we_unit(units, size, each);
                found.kept += letters;
            }
        }
        all = found;
    }
    return all;
}

/* Return where a line has its first strong sequence in one of some readings, its length if it has none. Most good lines
 * that have a sequence have no strong one. */
static inline size_t we_first_strong(const void *units, unsigned size, size_t length, uint32_t readings)
{
    size_t first = length;
    for (unsigned reading = 0; reading < WE_READINGS; reading++) {
        if (!(readings >> reading & 1))
            continue;
        for (size_t at = 0; at < first; at++) {
            const uint32_t character = we_unit(units, size, at);
            if (character < 0x80 || !we_sequence_length(we_byte_of(character, reading)))
                continue;
            const we_sequence found = we_sequence_at(units, size, length, at, reading);
            if (!found.character || found.is_guessed || we_is_never_text(found.character))
                continue;
            if (found.character == 0xFFFD || we_is_strong(units, size, length, at, found.end, found.character))
                first = at;
            at = found.end - 1;
        }
    }
    return first;
}

/* What a line may be: mojibake of UTF-8, of another encoding; and that it is not as likely as good text is. */
enum { WE_IN_UTF_8 = 1, WE_IN_LEGACY = 2, WE_IN_MULTI_BYTE = 4, WE_UNLIKELY = 8 };

/* Return what a line may be, 0 if it is good text: it is as likely as good text is, and has no strong sequence. */
static inline unsigned we_line_judge(const void *units, unsigned size, size_t length)
{
    const uint32_t readings = we_sequences_of(units, size, length);
    unsigned found = readings && we_first_strong(units, size, length, readings) < length ? WE_IN_UTF_8 : 0;
    for (size_t at = 0; at < length; at += WE_LIKELY_WINDOW) {
        const size_t window = length - at < WE_LIKELY_WINDOW ? length - at : WE_LIKELY_WINDOW;
        const we_excess part = we_excess_of((const uint8_t *)units + at * size, size, window);
        if (!we_is_likely(&part)) {
            found |= WE_UNLIKELY;
            break;
        }
    }
    const size_t strange = we_strange_count(units, size, length);
    if (!(found & WE_UNLIKELY) && !strange)
        return found;
    const we_excess all = we_excess_of(units, size, length);
    if (all.east_asian)
        found |= WE_IN_MULTI_BYTE;
    const int64_t more = (int64_t)strange * WE_MEND_STRANGE + (strange ? WE_MEND_FIRST_STRANGE : 0);
    if ((strange || (all.letters >= WE_FEW_LETTERS && (all.readings || all.east_asian)))
        && all.excess + more > WE_MEND_OF_LEGACY + WE_MEND_OF_LEGACY_CHARACTER * (int64_t)all.beyond)
        found |= WE_IN_LEGACY;
    return found == WE_UNLIKELY ? 0 : found;
}

/* Return the end of the line at `at`, and whether it is ASCII. */
static inline size_t we_line_end(const void *units, unsigned size, size_t length, size_t at, int *is_ascii)
{
    uint32_t all = 0;
    for (; at < length; at++) {
        const uint32_t character = we_unit(units, size, at);
        if (character == '\n')
            break;
        all |= character;
    }
    *is_ascii = all < 0x80;
    return at;
}

#endif
