/* The language of a page's words in ASCII. They are the same in every candidate, so one judgement holds for all. */
#ifndef WE_DETECT_WORDS_H
#define WE_DETECT_WORDS_H

#include <stddef.h>

#include "model.h"

enum {
    WE_WORD_WINDOW = 4096, /* the bytes whose words are read, at most */
    WE_WORDS_TOLD = 4,     /* distinct words, at least */
    WE_WORDS_AHEAD = 10,   /* bits by which a language is ahead of all others */
    WE_LONGEST_WORD = 12
};

/* The bits by which a common word is likelier in its language than elsewhere, by its rank there. */
static inline int we_word_bits(unsigned rank)
{
    return rank < 4 ? 10 : rank < 16 ? 8 : rank < 32 ? 7 : 6;
}

typedef struct {
    uint8_t seen[(WE_DETECT_LATIN_WORDS + 7) / 8]; /* a bit for each */
    int bits[WE_DETECT_LANES];
    int count;
    unsigned hash, letters; /* of the word that is read */
    int is_mixed;           /* it touches a character beyond ASCII */
} we_words;

/* Count a word by its hash, once, and return whether it was counted. */
static inline int we_words_add(we_words *words, unsigned hash)
{
    int is_new = 0;
    for (unsigned i = we_model.word_heads[hash & 0xFF]; i; i = we_model.word_next[i - 1]) {
        if (detect_words[i - 1] != hash || words->seen[(i - 1) / 8] >> (i - 1) % 8 & 1)
            continue;
        words->seen[(i - 1) / 8] |= (uint8_t)(1 << (i - 1) % 8);
        words->bits[(i - 1) / WE_DETECT_WORDS] += we_word_bits((i - 1) % WE_DETECT_WORDS);
        is_new = 1;
    }
    words->count += is_new;
    return is_new;
}

/* Read a character, and return whether it ends a word that was counted. Words that touch a character beyond ASCII are
 * left out, and so are those of a tag. */
static inline int we_words_read(we_words *words, uint32_t character, int is_tag)
{
    const uint32_t lower = character | 0x20;
    int is_new = 0;
    if (lower - 'a' < 26) {
        words->hash = (words->hash * 31 + lower) & 0xFFFF;
        words->letters++;
        return 0;
    }
    if (character < 0x80 && words->letters >= 2 && words->letters <= WE_LONGEST_WORD && !words->is_mixed && !is_tag)
        is_new = we_words_add(words, words->hash);
    words->is_mixed = character >= 0x80;
    words->hash = words->letters = 0;
    return is_new;
}

/* Return the index of the language that is ahead, -1 if none is. */
static inline int we_words_language(const we_words *words)
{
    int best = 0, second = -1;
    if (words->count < WE_WORDS_TOLD)
        return -1;
    for (int i = 1; i < detect_blocks[0].languages; i++) {
        if (words->bits[i] > words->bits[best]) {
            second = best;
            best = i;
        } else if (second < 0 || words->bits[i] > words->bits[second]) {
            second = i;
        }
    }
    return words->bits[best] - words->bits[second] >= WE_WORDS_AHEAD ? best : -1;
}

/* Return the index in detect_languages of the Latin language of the words in ASCII, -1 if they do not tell. */
static inline int we_language_of_words(const uint8_t *bytes, size_t length)
{
    we_words words;
    int is_tag = 0, language;
    memset(&words, 0, sizeof words);
    for (size_t at = 0; at < length; at++) {
        if (we_words_read(&words, bytes[at], is_tag) && (language = we_words_language(&words)) >= 0)
            return language;
        is_tag = bytes[at] == '<' || (is_tag && bytes[at] != '>');
    }
    return -1;
}

#endif
