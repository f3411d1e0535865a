/* The cost of decoded text, in pieces. */
#ifndef WE_DETECT_TEXT_H
#define WE_DETECT_TEXT_H

#include "model.h"

enum { WE_WORD = 40 }; /* the ASCII letters of a word that are counted if another letter follows */

typedef struct {
    uint16_t letters[WE_WORD]; /* the ASCII letters, as keys, of a word without other letters so far */
    uint8_t pending;
    uint8_t is_mixed; /* a character beyond ASCII is in the word */
} we_word;

static inline int we_separates(uint32_t character)
{
    return character < 0x80 && !we_is_ascii_letter(character);
}

/* Count the letters of words, each by a key, which is that of the character: WE_MIXED or WE_OTHER each. */
static inline void we_word_add(we_word *word, uint16_t *counts, uint16_t key, uint32_t character)
{
    const int is_beyond = character >= 0x80;
    if (is_beyond || we_separates(character)) {
        for (int i = 0; i < word->pending; i++)
            counts[word->letters[i]] += is_beyond ? WE_MIXED : WE_OTHER;
        word->pending = 0;
        word->is_mixed = (uint8_t)is_beyond;
    }
    if (is_beyond || (word->is_mixed && we_is_ascii_letter(character)))
        counts[key] += WE_MIXED;
    else if (we_is_ascii_letter(character) && word->pending < WE_WORD)
        word->letters[word->pending++] = key;
}

static inline int we_is_kana(uint32_t character)
{
    return character - 0x3041 < 0xBA || character - 0xFF66 < 0x38;
}

enum {
    WE_VOICED = 2 * WE_DETECT_COST_UNIT,      /* a half-width mark after a half-width kana that it changes */
    WE_STRAY_MARK = 14 * WE_DETECT_COST_UNIT, /* likewise, after anything else */
    WE_HALF_WIDTH = WE_DETECT_COST_UNIT / 4,  /* each half-width character, beyond the full-width one */
    WE_FIRST_HALF_WIDTH = 5 * WE_DETECT_COST_UNIT
};

static inline int we_is_half_width(uint32_t character)
{
    return character - 0xFF61 < 0x3F;
}

/* Return whether a half-width mark, U+FF9E or U+FF9F, may follow: after U, KA to TO, HA to HO. */
static inline int we_takes_mark(uint32_t character)
{
    return character == 0xFF73 || character - 0xFF76 < 15 || character - 0xFF8A < 5;
}

typedef struct {
    int64_t cost;
    uint32_t beyond_ascii; /* characters beyond ASCII without U+FFFD */
    uint32_t malformed;    /* U+FFFD */
    uint32_t before, last; /* the last two characters */
    uint16_t held;         /* the symbol of the last character */
    uint16_t symbol;       /* of the last one that is not placed, a space's if two are placed since */
    we_word word;
    uint32_t kana, ideographs;
    uint32_t half_width;
    uint32_t other;                    /* letters of other alphabets than the Latin one, each between two of ASCII */
    uint32_t never;                    /* what never is text */
    uint16_t words[WE_DETECT_CLASSES]; /* weighted counts of letters, by class */
} we_text;

static inline void we_text_begin(we_text *text)
{
    memset(text, 0, sizeof *text);
    text->before = text->last = ' ';
    text->held = text->symbol = WE_DETECT_SPACE;
}

/* The cost of a character after the last ones: its own, unless it is placed, and that of the last one's place. */
static inline int we_text_step(we_text *text, uint32_t character, uint16_t symbol)
{
    const int is_placed = symbol & WE_DETECT_PLACED_SYMBOL;
    int cost = 0;
    if (text->held & WE_DETECT_PLACED_SYMBOL) {
        /* The kind of the character before: that of its class, which the symbol of a placed one lacks. */
        const unsigned left = we_kind_of(text->before, we_symbol(text->before));
        cost = we_place_cost(text->held, left, we_kind_of(character, symbol), text->last == text->before);
        if (is_placed)
            text->symbol = WE_DETECT_SPACE;
        else
            cost += we_joint_cost(text->symbol, symbol);
    } else if (!is_placed) {
        cost = character == text->last ? we_repeated_cost(symbol) : we_cost(text->symbol, symbol);
    }
    if (!is_placed)
        text->symbol = symbol;
    return cost;
}

static inline void we_text_add(we_text *text, uint32_t character)
{
    uint16_t symbol = we_symbol(character);
    if ((character | text->last) < 0x80) { /* most of what is not East Asian; neither is placed */
        text->cost += character == text->last ? we_repeated_cost(symbol) : we_cost(text->symbol, symbol);
        we_word_add(&text->word, text->words, symbol & WE_DETECT_CLASS, character);
        text->before = text->last;
        text->last = character;
        text->held = text->symbol = symbol;
        return;
    }
    if (we_is_half_width(character)) {
        text->cost += text->half_width++ ? WE_HALF_WIDTH : WE_FIRST_HALF_WIDTH;
        if (character >= 0xFF9E) { /* the pair of kana counts without it */
            text->cost += we_takes_mark(text->last) ? WE_VOICED : WE_STRAY_MARK;
            text->beyond_ascii++;
            text->kana++;
            text->before = text->last;
            text->last = character;
            text->held = symbol; /* it is not placed */
            return;
        }
    }
    text->cost += we_text_step(text, character, symbol);
    we_word_add(&text->word, text->words, symbol & WE_DETECT_CLASS, character);
    if (character >= 0x80) {
        if (character == 0xFFFD)
            text->malformed++;
        else
            text->beyond_ascii++;
        text->kana += (uint32_t)we_is_kana(character);
        if (we_is_never(symbol) && text->never++ < WE_NEVER_MOST)
            text->cost += WE_NEVER;
        text->ideographs += character - 0x4E00 < 0x5200;
    } else if (text->last >= 0x80 && text->before < 0x80) {
        text->other += (uint32_t)we_is_other_letter(text->held);
        text->cost += we_lone_cost(text->held, we_model.ascii_kinds[text->before], we_model.ascii_kinds[character]);
        if (we_separates(character) && we_separates(text->before))
            text->cost += we_model.alone[text->held & WE_DETECT_CLASS] * WE_DETECT_COST_UNIT;
    }
    text->before = text->last;
    text->last = character;
    text->held = symbol;
}

/* What the letters cost that a Latin language lacks; 0 if it is -1. */
static inline int64_t we_text_foreign(const we_text *text, int language)
{
    const we_detect_block *const latin = &detect_blocks[0];
    int64_t count = text->other;
    if (language < 0)
        return 0;
    for (unsigned class = latin->first; class < (unsigned)latin->first + latin->size; class ++)
        if (we_model.lacking[class] >> language & 1)
            count += text->words[class] / WE_MIXED;
    return count * WE_FOREIGN_LETTER;
}

static inline void we_text_letters(const we_text *text, we_letters *letters)
{
    const we_detect_block *last = &detect_blocks[WE_DETECT_ALPHABETS - 1]; /* the alphabets are consecutive */
    const unsigned end = (unsigned)last->first + last->size;
    we_letters_begin(letters);
    for (unsigned class = detect_blocks[0].first; class < end; class ++) {
        const uint16_t *const words = text->words + class; /* at the end those of syllables, which follow */
        if ((words[0] | words[1] | words[2] | words[3]) == 0)
            class += 3;
        else if (words[0])
            we_letters_add(letters, (uint16_t)class, words[0]);
    }
}

static inline int64_t we_text_gain(const we_text *text)
{
    we_letters letters;
    we_text_letters(text, &letters);
    return we_letters_gain(&letters);
}

enum { WE_TO_A_KANA = 16 }; /* a Japanese text has a kana to so many ideographs */

/* Return the index in detect_languages of the text's language, -1 if it does not tell. */
static inline int we_text_language(const we_text *text)
{
    we_letters letters;
    uint32_t count, syllables = 0;
    we_text_letters(text, &letters);
    int language = we_letters_language(&letters, &count);
    for (size_t i = 0; i < sizeof detect_syllable_classes / sizeof *detect_syllable_classes; i++)
        syllables += text->words[detect_syllable_classes[i]] / WE_MIXED;
    if (WE_MIXED * (text->kana + text->ideographs + syllables) <= count)
        return language;
    if (syllables > text->kana + text->ideographs)
        return WE_DETECT_KOREAN;
    return text->kana * WE_TO_A_KANA > text->ideographs ? WE_DETECT_JAPANESE : WE_DETECT_CHINESE;
}

/* Return the cost of a text that stands between spaces, of units of 1, 2 or 4 bytes. A surrogate counts as U+FFFD. Each
 * WE_LETTERS characters are in a language of their own. */
static inline int64_t we_text_cost(const void *units, unsigned size, size_t length)
{
    we_text text;
    we_text_begin(&text);
    if (!length)
        return 0;
    for (size_t at = 0; at < length;) {
        size_t end = length - at < WE_LETTERS ? length : at + WE_LETTERS;
        for (; at < end; at++) {
            uint32_t character = size == 1   ? ((const uint8_t *)units)[at]
                                 : size == 2 ? ((const uint16_t *)units)[at]
                                             : ((const uint32_t *)units)[at];
            we_text_add(&text, (character & 0xFFFFF800) == 0xD800 ? 0xFFFD : character);
        }
        if (at == length)
            we_text_add(&text, ' ');
        text.cost -= we_text_gain(&text);
        memset(text.words, 0, sizeof text.words);
    }
    return text.cost;
}

#endif
