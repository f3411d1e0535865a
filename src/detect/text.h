/* The cost of decoded text, in pieces. */
#ifndef WE_DETECT_TEXT_H
#define WE_DETECT_TEXT_H

#include "model.h"

enum { WE_WORD = 40 }; /* the ASCII letters of a word that are counted if another letter follows */

typedef struct {
    int64_t cost;
    uint32_t beyond_ascii; /* characters beyond ASCII without U+FFFD */
    uint32_t malformed;    /* U+FFFD */
    uint32_t before, last; /* the last two characters */
    uint16_t symbol;       /* of the last character */
    uint16_t pending;      /* ASCII letters in `word`, of a word without other letters so far */
    uint8_t word[WE_WORD];
    uint32_t kana, ideographs;
    int in_word;                       /* a character beyond ASCII is in the word */
    uint16_t words[WE_DETECT_CLASSES]; /* weighted counts of letters */
} we_text;

static inline void we_text_begin(we_text *text)
{
    memset(text, 0, sizeof *text);
    text->before = text->last = ' ';
    text->symbol = WE_DETECT_SPACE;
}

static inline int we_separates(uint32_t character)
{
    return character < 0x80 && !we_is_ascii_letter(character);
}

static inline void we_text_add(we_text *text, uint32_t character)
{
    uint16_t symbol = we_symbol(character);
    text->cost += character == text->last ? we_repeated_cost(symbol) : we_cost(text->symbol, symbol);
    if (character < 0x80) {
        if (we_is_ascii_letter(character)) {
            if (text->in_word)
                text->words[symbol & WE_DETECT_CLASS] += WE_MIXED;
            else if (text->pending < WE_WORD)
                text->word[text->pending++] = (uint8_t)character;
        } else {
            if (text->last >= 0x80 && we_separates(text->before))
                text->cost += we_model.alone[text->symbol & WE_DETECT_CLASS] * WE_DETECT_COST_UNIT;
            for (int each = 0; each < text->pending; each++)
                text->words[we_model.symbols[text->word[each]] & WE_DETECT_CLASS] += WE_OTHER;
            text->pending = 0;
            text->in_word = 0;
        }
    } else {
        for (int each = 0; each < text->pending; each++)
            text->words[we_model.symbols[text->word[each]] & WE_DETECT_CLASS] += WE_MIXED;
        text->pending = 0;
        text->in_word = 1;
        text->words[symbol & WE_DETECT_CLASS] += WE_MIXED;
        if (character == 0xFFFD)
            text->malformed++;
        else
            text->beyond_ascii++;
        text->kana += character - 0x3041 < 0xBA;
        text->ideographs += character - 0x4E00 < 0x5200;
    }
    text->before = text->last;
    text->last = character;
    text->symbol = symbol;
}

static inline int64_t we_text_gain(const we_text *text)
{
    we_letters letters = we_model.no_letters;
    const we_detect_block *last = &detect_blocks[WE_DETECT_ALPHABETS - 1]; /* the alphabets are consecutive */
    for (unsigned class = detect_blocks[0].first; class < (unsigned)last->first + last->size; class ++)
        if (text->words[class])
            we_letters_add(&letters, (uint16_t)class, text->words[class]);
    return we_letters_gain(&letters);
}

#endif
