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
        for (int each = 0; each < word->pending; each++)
            counts[word->letters[each]] += is_beyond ? WE_MIXED : WE_OTHER;
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
    return character - 0x3041 < 0xBA;
}

typedef struct {
    int64_t cost;
    uint32_t beyond_ascii; /* characters beyond ASCII without U+FFFD */
    uint32_t malformed;    /* U+FFFD */
    uint32_t before, last; /* the last two characters */
    uint16_t symbol;       /* of the last character */
    we_word word;
    uint32_t kana, ideographs;
    uint16_t words[WE_DETECT_CLASSES]; /* weighted counts of letters, by class */
} we_text;

static inline void we_text_begin(we_text *text)
{
    memset(text, 0, sizeof *text);
    text->before = text->last = ' ';
    text->symbol = WE_DETECT_SPACE;
}

static inline void we_text_add(we_text *text, uint32_t character)
{
    uint16_t symbol = we_symbol(character);
    text->cost += character == text->last ? we_repeated_cost(symbol) : we_cost(text->symbol, symbol);
    we_word_add(&text->word, text->words, symbol & WE_DETECT_CLASS, character);
    if (character >= 0x80) {
        if (character == 0xFFFD)
            text->malformed++;
        else
            text->beyond_ascii++;
        text->kana += (uint32_t)we_is_kana(character);
        text->ideographs += character - 0x4E00 < 0x5200;
    } else if (text->last >= 0x80 && we_separates(character) && we_separates(text->before)) {
        text->cost += we_model.alone[text->symbol & WE_DETECT_CLASS] * WE_DETECT_COST_UNIT;
    }
    text->before = text->last;
    text->last = character;
    text->symbol = symbol;
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
    int found = we_letters_language(&letters, &count);
    for (size_t each = 0; each < sizeof detect_syllable_classes / sizeof *detect_syllable_classes; each++)
        syllables += text->words[detect_syllable_classes[each]] / WE_MIXED;
    if (WE_MIXED * (text->kana + text->ideographs + syllables) <= count)
        return found;
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
