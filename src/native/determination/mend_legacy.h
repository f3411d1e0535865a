/* Mojibake that was in another encoding than UTF-8: the detector proposes it, and must be sure of a sentence. */
#ifndef WE_MEND_LEGACY_H
#define WE_MEND_LEGACY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "choose.h"
#include "misread.h"

typedef struct {
    const char *read_as, *was;
} we_step;

/* Prices of a legacy reading, in bits. */
enum {
    WE_LEGACY_SCRIPT = 14,   /* a text of another script must be likelier by, for the pairs and for the detector */
    WE_LEGACY_WIDE = 60,     /* an East Asian one, for the detector */
    WE_LEGACY_SURE = 80,     /* for the detector, if the pairs do not object */
    WE_LEGACY_LATIN = 15,    /* likewise, a Latin one that was read as another script */
    WE_LEGACY_LETTERS = 14,  /* a Latin text that was read as Latin, for the detector */
    WE_LEGACY_SYMBOL = 4,    /* less for each symbol within a word */
    WE_LEGACY_UNLIKELY = 8,  /* and for the pairs, if it has symbols within words */
    WE_LEGACY_MANY = 30,     /* or for the detector, if it has WE_LEGACY_KINDS different characters beyond ASCII */
    WE_LEGACY_OBJECTION = 6, /* and the pairs are against it by at most so many */
    WE_LEGACY_KINDS = 4,
    WE_LEGACY_SENTENCE = 12, /* letters of a Latin text, ASCII's included */
    WE_LEGACY_FEWEST = 2,    /* letters of the result */
    WE_LEGACY_FEWEST_OF_SCRIPT = 8,
    WE_LEGACY_FEWEST_WIDE = 4,
    WE_LEGACY_LETTER = 7,  /* that good text of a script costs at most for each character */
    WE_LEGACY_GUESSES = 3, /* of the detector that are looked at */
    WE_LEGACY_SAMPLE = 256 /* bytes that the detector judges */
};

/* The letters of a text beyond ASCII, and what they are. */
typedef struct {
    size_t letters, latin, wide, spaces, symbols, in_order, beyond, look_alike, kinds;
} we_letters_of;

/* Cyrillic letters that look like Latin ones. */
static inline int we_looks_latin(uint32_t character)
{
    static const uint16_t letters[] = {0x410, 0x412, 0x415, 0x41A, 0x41C, 0x41D, 0x41E, 0x420, 0x421, 0x422,
                                       0x425, 0x430, 0x435, 0x43E, 0x440, 0x441, 0x443, 0x445, 0x406, 0x456};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i] == character)
            return 1;
    return 0;
}

static inline we_letters_of we_count_letters(const uint32_t *text, size_t length)
{
    we_letters_of counts;
    uint32_t kinds[WE_LEGACY_KINDS];
    memset(&counts, 0, sizeof counts);
    for (size_t at = 0; at < length; at++) {
        const uint32_t character = text[at], before = at ? text[at - 1] : ' ',
                       after = at + 1 < length ? text[at + 1] : ' ';
        if (character < 0x80)
            continue;
        counts.beyond++;
        size_t kind = 0; /* its number among the first of those that differ */
        while (kind < counts.kinds && kinds[kind] != character)
            kind++;
        if (kind == counts.kinds && kind < WE_LEGACY_KINDS)
            kinds[counts.kinds++] = character;
        counts.spaces += character == 0xA0;
        if (we_is_a_letter(character)) {
            counts.letters++;
            counts.look_alike += we_looks_latin(character);
            counts.latin += we_script(character) == 1;
            counts.wide += we_script(character) == 0x100;
            counts.in_order += character == before + 1;
            counts.symbols += we_is_ascii_lower(before) && we_is_ascii_lower(after) && we_is_capital(character);
        } else {
            const int is_apostrophe =
                we_is_between(character, 0x2010, 0x2019) || character == 0x2026 || character == 0xB7;
            counts.symbols += !is_apostrophe && we_is_a_letter(before) && we_is_a_letter(after);
        }
    }
    return counts;
}

static inline int64_t we_bits_of(const uint32_t *text, size_t length)
{
    return we_text_cost(text, sizeof *text, length) / WE_BITS;
}

/* Return whether a text has common words of its language, as the detector knows it, and no other language has more of
 * them: words in ASCII, which are the same in each encoding. */
static inline int we_has_words(const uint32_t *text, size_t length)
{
    we_text judged;
    we_words words;
    we_text_begin(&judged);
    memset(&words, 0, sizeof words);
    for (size_t at = 0; at <= length; at++) {
        const uint32_t character = at < length ? text[at] : ' ';
        we_text_add(&judged, character);
        we_words_read(&words, character, 0);
    }
    const int language = we_text_language(&judged);
    if (language < 0 || language >= detect_blocks[0].languages || !words.bits[language])
        return 0;
    for (int i = 0; i < detect_blocks[0].languages; i++)
        if (words.bits[i] > words.bits[language])
            return 0;
    return 1;
}

/* Return whether a text may have been in a legacy encoding: what we_legacy_gain asks for is at most what there is. It
 * decides before any guess, so that a name costs none. */
static inline int we_may_be_legacy(const uint32_t *text, size_t length)
{
    size_t ascii = 0, narrow = 0, wide = 0;
    for (size_t at = 0; at < length; at++) {
        ascii += we_is_ascii_alpha(text[at]);
        wide += text[at] >= 0x2E80;
        narrow += text[at] >= 0x80 && text[at] < 0x2E80;
    }
    const int is_long = ascii + narrow + 2 * wide >= WE_LEGACY_SENTENCE || narrow >= WE_LEGACY_FEWEST_OF_SCRIPT;
    if (!is_long && (wide ? wide < WE_LEGACY_FEWEST_WIDE : 2 * narrow < 3 * WE_LEGACY_FEWEST_WIDE))
        return 0;
    const int64_t bits = we_bits_of(text, length);
    return bits > (is_long ? WE_LEGACY_SCRIPT : WE_LEGACY_WIDE) && bits > WE_LEGACY_LETTER * (int64_t)(narrow + wide);
}

/* Return by how many bits a text is likelier, for the detector, than the one that it was read as; 0 if that does not
 * suffice. */
static inline int64_t we_legacy_gain(const uint32_t *text, size_t length, const uint32_t *meant, size_t meant_length,
                                     int is_wide, we_search *search)
{
    const we_letters_of before = we_count_letters(text, length), after = we_count_letters(meant, meant_length);
    for (size_t at = 0; at < length && length == meant_length; at++)
        if (we_is_a_letter(text[at]) && !we_is_a_letter(meant[at]))
            return 0;
    if (after.letters < WE_LEGACY_FEWEST || before.in_order * 3 > before.letters)
        return 0;
    const int64_t own = we_explain(text, length, WE_ALL_READINGS, we_plainly, search).cost;
    const int64_t pairs = (own - we_explain(meant, meant_length, WE_ALL_READINGS, we_plainly, search).cost) / 2;
    const int64_t judged = we_bits_of(text, length) - we_bits_of(meant, meant_length);
    const int is_sure = judged > WE_LEGACY_SURE && pairs >= 0;
    int is_likelier;
    if (is_wide)
        is_likelier = after.wide * 2 > after.letters && after.wide >= WE_LEGACY_FEWEST_WIDE
                      && (before.wide || before.beyond * 2 >= after.wide * 3) && judged > WE_LEGACY_WIDE;
    else if (after.latin < after.letters)
        is_likelier = after.letters >= WE_LEGACY_FEWEST_OF_SCRIPT && judged > WE_LEGACY_SCRIPT
                      && (pairs > WE_LEGACY_SCRIPT || is_sure);
    else if (after.symbols || after.spaces < before.spaces)
        is_likelier = 0;
    else if (before.latin < before.letters)
        is_likelier =
            judged > WE_LEGACY_LATIN && (pairs > WE_LEGACY_LATIN || is_sure) && before.look_alike < before.letters;
    else
        is_likelier =
            judged + WE_LEGACY_SYMBOL * (int64_t)before.symbols > WE_LEGACY_LETTERS
            && ((before.symbols && pairs >= WE_LEGACY_UNLIKELY && (after.kinds > 1 || judged > WE_LEGACY_MANY))
                || (judged > WE_LEGACY_MANY && pairs >= -WE_LEGACY_OBJECTION && after.kinds == WE_LEGACY_KINDS)
                || we_has_words(meant, meant_length));
    return is_likelier ? judged : 0;
}

/* Return whether the bytes of a text are UTF-8 of which some were lost: none continues a sequence that has all its
 * bytes, and there is one for every third sequence, or most sequences begin with the same byte. */
static inline int we_is_left_of_utf_8(const uint8_t *bytes, size_t length)
{
    size_t counts[0x100] = {0}, sequences = 0, rest = 0, stray = 0;
    unsigned needed = 0;
    for (size_t at = 0; at < length; at++) {
        const unsigned byte = bytes[at];
        counts[byte]++;
        if (byte == ' ' || byte == '?') {
            needed -= needed > 0;
        } else if (byte < 0x80) {
            needed = 0;
        } else if (we_is_rest_byte(byte) && needed) {
            needed--;
            rest++;
        } else if (we_sequence_length(byte)) {
            needed = we_sequence_length(byte) - 1;
            sequences++;
        } else {
            stray++;
        }
    }
    for (unsigned lead = 0xE0; lead < 0xF0; lead++)
        if (sequences > 4 && counts[lead] * 2 >= sequences + rest + stray)
            return 1;
    return !stray && 3 * rest >= sequences && sequences > 1;
}

#define WE_DOS "cp850"

/* Decode bytes in the code page of DOS for Latin text, which the detector does not know. Each of them is a character.
 */
static inline void we_decode_dos(const uint8_t *bytes, size_t length, uint32_t *target)
{
    unsigned reading = 0;
    while (strcmp(mojibake_readings[reading].name, WE_DOS)) /* it is one of them */
        reading++;
    for (size_t at = 0; at < length; at++)
        target[at] = bytes[at] < 0x80 ? bytes[at] : we_readings.characters[reading][bytes[at] - 0x80];
}

/* Return whether an encoding is so rare that only a declaration tells it. */
static inline int we_is_declared_only(const char *name)
{
    static const char *const names[] = {"ISO-8859-3",  "ISO-8859-4",  "ISO-8859-10",   "ISO-8859-13",
                                        "ISO-8859-14", "ISO-8859-16", "x-mac-cyrillic"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return 1;
    return 0;
}

/* Keep what a piece may have been in search->layers[at + 1] if it is likelier than what is there. Return its gain, or
 * that of the one before. */
static inline int64_t we_keep_legacy(we_search *search, size_t at, size_t text_length, const uint32_t *meant,
                                     size_t meant_length, int64_t best, size_t *length, const char *was,
                                     unsigned reading, we_step *step, int is_wide)
{
    const uint32_t *const text = search->layers[at];
    if (meant_length > WE_SPAN)
        return best;
    const int64_t gain = we_legacy_gain(text, text_length, meant, meant_length, is_wide, search);
    if (gain <= best)
        return best;
    memcpy(search->layers[at + 1], meant, meant_length * sizeof *meant);
    *length = meant_length;
    *step = (we_step){we_reading_name(reading, text, text_length), was};
    return gain;
}

/* Mend a piece, search->layers[at], that was in a legacy encoding. Return whether it was: the text is then in
 * search->layers[at + 1], and its length in *length. */
static inline int we_mend_legacy(we_search *search, size_t at, size_t *length, we_step *step)
{
    static const struct {
        const char *name;
        uint8_t is_cyrillic, is_wide;
    } names[] = {{"windows-1252", 0, 0}, {"macintosh", 0, 0}, {"windows-1251", 1, 0},
                 {"KOI8-R", 1, 0},       {"GBK", 0, 1},       {"Shift_JIS", 0, 1}};
    const uint32_t *const text = search->layers[at];
    const size_t text_length = *length;
    int64_t best = 0;
    if (!we_may_be_legacy(text, text_length))
        return 0;
    const we_letters_of letters = we_count_letters(text, text_length);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((names[i].is_cyrillic && letters.latin + letters.wide == letters.letters)
            || (names[i].is_wide && (!letters.wide || we_has_kana_name(text, text_length))))
            continue;
        unsigned reading = 0;
        while (strcmp(names[i].name, mojibake_readings[reading].name))
            reading++;
        const size_t count = we_read_as(text, text_length, reading, search);
        if (memchr(search->bytes, WE_NO_BYTE, count) != NULL || memchr(search->bytes, WE_LOST_BYTE, count) != NULL)
            continue;
        if (!reading && we_is_left_of_utf_8(search->bytes, count))
            return 0;
        uint8_t bytes[WE_SPAN_BYTES];
        uint32_t meant[WE_SPAN_BYTES + 8];
        whatwg_detect_options options;
        whatwg_guess guesses[WE_LEGACY_GUESSES];
        memcpy(bytes, search->bytes, count);
        if (!reading) {
            we_decode_dos(bytes, count, meant);
            best = we_keep_legacy(search, at, text_length, meant, count, best, length, WE_DOS, reading, step, 0);
        }
        memset(&options, 0, sizeof options);
        options.size = sizeof options;
        options.limit = WE_LEGACY_SAMPLE;
        const size_t guess_count = we_guess(bytes, count, &options, guesses, WE_LEGACY_GUESSES);
        size_t guess = 0;
        while (guess < guess_count && guess < WE_LEGACY_GUESSES
               && we_is_declared_only(we_c_api->name(guesses[guess].encoding)))
            guess++;
        if (guess == guess_count || guess == WE_LEGACY_GUESSES)
            continue;
        const whatwg_encoding *const was = guesses[guess].encoding;
        const char *const was_name = we_c_api->name(was);
        /* What passes as UTF-16 after a misreading is binary data: text in it has too many NULs for words. */
        if (!strncmp(was_name, "UTF-", 4) || !strcmp(was_name, names[i].name))
            continue;
        whatwg_decoder decoder;
        size_t read = count, written = sizeof meant / sizeof *meant;
        we_c_api->decoder_init(&decoder, was, WHATWG_FATAL);
        if (we_c_api->decode_to_utf32(&decoder, bytes, &read, meant, &written, 1) == WHATWG_INPUT_EMPTY)
            best = we_keep_legacy(search, at, text_length, meant, written, best, length, was_name, reading, step,
                                  !we_c_api->is_single_byte(was));
    }
    return best > 0;
}

#endif
