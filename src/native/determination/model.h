/* The model of text that detection rests on: generated/detect_table.h, unpacked once for a process. Costs are in
 * eighths of a bit. */
#ifndef WE_DETECT_MODEL_H
#define WE_DETECT_MODEL_H

#include <stdint.h>
#include <string.h>

#include "detect_table.h"

enum {
    WE_DETECT_LANES = 40,    /* at least the languages of each script, a multiple of a vector */
    WE_DETECT_CLASS = 0x3FF, /* the class in a symbol; its case is above: 0, lower or upper */
    WE_DETECT_CASE_SHIFT = 10,
    WE_DETECT_PLACED_SYMBOL = 0x1000, /* set in the symbol of a character that is priced by both neighbours */
    WE_DETECT_ALPHABETS = WE_DETECT_SCRIPTS - 1, /* all but the last, CJK, have languages */
    WE_DETECT_NO_SCRIPT = WE_DETECT_SCRIPTS
};

/* The letters of a text, by script and language: the sum of bits by which they are likelier than in the mix. Letters
 * are counted twice in words with letters beyond ASCII, once in others, and in the first WE_LETTERS bytes of a sample
 * and at most WE_TOKEN more: the sum is at most 2 * 7 * 2200, which an int16_t holds beside a rarity. */
enum { WE_OTHER = 1, WE_MIXED = 2, WE_LETTERS = 2048, WE_TOLD = 12, WE_ANOTHER_SCRIPT = 8 * WE_MIXED };
typedef struct {
    int16_t bits[WE_DETECT_ALPHABETS][WE_DETECT_LANES];
    uint32_t counts[WE_DETECT_ALPHABETS]; /* of the letters of each script */
} we_letters;

/* A symbol is a class with a case: uint16_t. */
static struct {
    uint16_t symbols[0x10000];                           /* of each code point of the BMP */
    uint8_t costs[WE_DETECT_CLASSES][WE_DETECT_CLASSES]; /* of a class (column) after another (row) */
    int16_t letters[WE_DETECT_CLASSES][WE_DETECT_LANES]; /* bits by which one is likelier in each language */
    int8_t alone[WE_DETECT_CLASSES];                     /* bits of a letter that is a word */
    uint8_t scripts[WE_DETECT_CLASSES];
    /* A language costs half of the bits by which it is rarer than the commonest. */
    int16_t no_letters[WE_DETECT_ALPHABETS][WE_DETECT_LANES];
    uint8_t kinds[WE_DETECT_CLASSES];  /* of a neighbour beyond ASCII */
    uint8_t ascii_kinds[0x80];         /* of one in ASCII */
    uint8_t placed[WE_DETECT_CLASSES]; /* the row of a class of symbols in places */
    uint8_t places[WE_DETECT_PLACED][WE_DETECT_KINDS * WE_DETECT_KINDS];
    uint8_t lone[WE_DETECT_GROUPS][WE_DETECT_ASCII_KINDS * WE_DETECT_ASCII_KINDS];
    uint8_t shares[WE_DETECT_CLASSES];   /* of a letter within its group */
    uint64_t lacking[WE_DETECT_CLASSES]; /* the languages of its alphabet without the letter, a bit each */
    uint8_t sizes[WE_DETECT_ALPHABETS][WE_DETECT_LANES]; /* the letters beyond ASCII of each language */
    uint16_t word_heads[256]; /* of the words with the same low byte of the hash the first: index + 1 */
    uint16_t word_next[WE_DETECT_LATIN_WORDS];
} we_model;

/* Costs of a lower-case or upper-case letter after one of no case, a lower-case and an upper-case one. */
static const uint8_t we_case_costs[3][3] = {{0, 3, 16}, {0, 0, 66}, {0, 6, 2}};

static inline unsigned we_packed(const uint8_t *array, size_t index)
{
    return array[index / 2] >> (index % 2 * 4) & 15;
}

static inline void we_model_symbols(void)
{
    for (size_t run = 0; run < WE_DETECT_RUNS; run++) {
        uint32_t first = detect_runs[run] & 0xFFFF, value = detect_runs[run] >> 16;
        uint32_t end = run + 1 < WE_DETECT_RUNS ? detect_runs[run + 1] & 0xFFFF : 0x10000;
        uint32_t step = value >> 12;
        for (uint32_t code_point = first; code_point < end; code_point++)
            we_model.symbols[code_point] = (uint16_t)((value & 0xFFF) + step * (code_point - first));
    }
    for (uint32_t i = 0; i < WE_DETECT_IDEOGRAPHS; i++)
        we_model.symbols[WE_DETECT_FIRST_IDEOGRAPH + i] = detect_ideograph_classes[we_packed(detect_ideographs, i)];
    for (uint32_t i = 0; i < WE_DETECT_SYLLABLES; i++)
        we_model.symbols[WE_DETECT_FIRST_SYLLABLE + i] =
            detect_syllable_classes[detect_syllables[i / 4] >> (i % 4 * 2) & 3];
}

/* Add to the cost of ASCII after a letter by how much this letter is less likely to end a word than others. Symbols
 * beyond ASCII do not count: an apostrophe is within a word. */
static inline void we_model_endings(void)
{
    uint16_t ascii[WE_DETECT_CLASSES];
    unsigned count = 0;
    for (unsigned class = 0; class < WE_DETECT_CLASSES; class ++)
        if (we_packed(detect_contexts, class) < WE_DETECT_ASCII_CONTEXTS)
            ascii[count++] = (uint16_t)class;
    for (unsigned class = 0; class < WE_DETECT_CLASSES; class ++) {
        const int more = ((int)we_packed(detect_endings, class) - WE_DETECT_WORD_OFFSET) * WE_DETECT_COST_UNIT;
        for (unsigned i = 0; i < count; i++) {
            uint8_t *const entry = &we_model.costs[class][ascii[i]];
            const int cost = *entry + more;
            *entry = (uint8_t)(cost < 0 ? 0 : cost < (int)UINT8_MAX ? cost : (int)UINT8_MAX);
        }
    }
}

/* The kinds of neighbours, as in generator/detect/classes.py. */
enum { WE_KIND_LATIN = 6, WE_KIND_LETTER = 7, WE_KIND_EAST_ASIAN = 8 };

/* A letter that is alone in ASCII pays WE_LONE of WE_LONE_OF parts of what its place costs, since pairs of letters have
 * the rest. Members of the groups beyond the Latin ones share the cost of their group: WE_LONE_OTHER was set by ends of
 * words before … ” ’ in 17 languages, of which 70 more in 5,300 are right than with half of it. */
enum {
    WE_LONE = 3,
    WE_LONE_OF = 10,
    WE_LONE_OTHER = 16 * WE_DETECT_COST_UNIT,
    WE_LONE_MALFORMED = 9 * WE_DETECT_COST_UNIT
};

static inline void we_model_places(void)
{
    enum { PAIRS = WE_DETECT_KINDS * WE_DETECT_KINDS, IN_ASCII = WE_DETECT_ASCII_KINDS * WE_DETECT_ASCII_KINDS };
    const we_detect_block *const latin = &detect_blocks[0];
    for (unsigned class = 0; class < WE_DETECT_CLASSES; class ++)
        we_model.kinds[class] = (uint8_t)we_packed(detect_kinds, class);
    for (unsigned i = 0; i < 0x80; i++)
        we_model.ascii_kinds[i] = (uint8_t)we_packed(detect_ascii_kinds, i);
    for (unsigned row = 0; row < WE_DETECT_PLACED; row++) {
        we_model.placed[detect_placed[row]] = (uint8_t)row;
        for (unsigned pair = 0; pair < PAIRS; pair++)
            we_model.places[row][pair] = detect_place_costs[we_packed(detect_places, (size_t)row * PAIRS + pair)];
    }
    for (unsigned group = 0; group < WE_DETECT_GROUPS; group++)
        for (unsigned pair = 0; pair < IN_ASCII; pair++)
            we_model.lone[group][pair] = detect_place_costs[we_packed(detect_lone, (size_t)group * IN_ASCII + pair)];
    for (unsigned i = 0; i < latin->size; i++) {
        const unsigned class = latin->first + i;
        we_model.shares[class] = (uint8_t)(we_packed(detect_shares, i) * WE_DETECT_COST_UNIT);
    }
    memset(we_model.word_heads, 0, sizeof we_model.word_heads);
    for (unsigned i = WE_DETECT_LATIN_WORDS; i-- > 0;) {
        const unsigned low = detect_words[i] & 0xFF;
        we_model.word_next[i] = we_model.word_heads[low];
        if (detect_words[i])
            we_model.word_heads[low] = (uint16_t)(i + 1);
    }
    for (uint32_t i = 0x80; i < 0x10000; i++) {
        const unsigned class = we_model.symbols[i] & WE_DETECT_CLASS;
        if (detect_placed[we_model.placed[class]] == class)
            we_model.symbols[i] |= WE_DETECT_PLACED_SYMBOL;
    }
}

/* Set the letters of each language. */
static inline void we_model_alphabets(void)
{
    size_t bit = 0;
    memset(we_model.lacking, 0, sizeof we_model.lacking);
    memset(we_model.sizes, 0, sizeof we_model.sizes);
    for (unsigned script = 0; script < WE_DETECT_ALPHABETS; script++)
        for (unsigned language = 0; language < detect_blocks[script].languages; language++)
            for (unsigned i = 0; i < detect_blocks[script].size; i++, bit++) {
                const uint64_t lacks = detect_lacking[bit / 8] >> bit % 8 & 1;
                we_model.lacking[detect_blocks[script].first + i] |= lacks << language;
                we_model.sizes[script][language] = (uint8_t)(we_model.sizes[script][language] + !lacks);
            }
    for (unsigned language = 0; language < detect_blocks[0].languages; language++)
        we_model.sizes[0][language] -= 'z' - 'a' + 1; /* none lacks these */
}

/* The full-width forms of U+FF61 to U+FF9F, whose costs those of half width have. */
static const uint16_t we_full_width[] = {
    0x3002, 0x300C, 0x300D, 0x3001, 0x30FB, 0x30F2, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5,
    0x30E7, 0x30C3, 0x30FC, 0x30A2, 0x30A4, 0x30A6, 0x30A8, 0x30AA, 0x30AB, 0x30AD, 0x30AF, 0x30B1, 0x30B3,
    0x30B5, 0x30B7, 0x30B9, 0x30BB, 0x30BD, 0x30BF, 0x30C1, 0x30C4, 0x30C6, 0x30C8, 0x30CA, 0x30CB, 0x30CC,
    0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5, 0x30D8, 0x30DB, 0x30DE, 0x30DF, 0x30E0, 0x30E1, 0x30E2, 0x30E4,
    0x30E6, 0x30E8, 0x30E9, 0x30EA, 0x30EB, 0x30EC, 0x30ED, 0x30EF, 0x30F3,
};

/* Set what letters cost beside each other in lists, such as [aiouyøå] and "áéíóú": hardly a word has a letter beside
 * one of another alphabet, or Latin ones beyond ASCII beside each other. Set by such lists in dictionaries and in
 * eleven forms: with LISTED 226 of 363 are right, without it 152; less than that and Russian in windows-1251 that
 * header and page declare latin1 isn't found any more. */
static inline void we_model_lists(void)
{
    enum { MIXED = 6 * WE_DETECT_COST_UNIT, LISTED = 10 * WE_DETECT_COST_UNIT };
    const we_detect_block *const latin = &detect_blocks[0];
    const unsigned end = (unsigned)latin->first + latin->size;
    uint8_t is_ascii[WE_DETECT_CLASSES] = {0};
    for (unsigned letter = 'a'; letter <= 'z'; letter++)
        is_ascii[we_model.symbols[letter] & WE_DETECT_CLASS] = 1;
    for (unsigned letter = latin->first; letter < end; letter++) {
        uint8_t *const costs = we_model.costs[letter];
        for (unsigned other = 0; other < WE_DETECT_CLASSES; other++)
            if (we_model.scripts[other] == 0) {
                if (!is_ascii[letter] && !is_ascii[other] && costs[other] > LISTED)
                    costs[other] = LISTED;
            } else if (we_model.scripts[other] < WE_DETECT_ALPHABETS) {
                costs[other] = (uint8_t)(costs[other] + MIXED); /* at most UINT8_MAX: see detect_costs */
                we_model.costs[other][letter] = (uint8_t)(we_model.costs[other][letter] + MIXED);
            }
    }
}

static inline void we_model_fill(void)
{
    we_model_symbols();
    for (unsigned i = 0; i < sizeof we_full_width / sizeof *we_full_width; i++)
        we_model.symbols[0xFF61 + i] = we_model.symbols[we_full_width[i]];
    we_model_places();
    memset(we_model.scripts, WE_DETECT_NO_SCRIPT, sizeof we_model.scripts);
    uint8_t rows[WE_DETECT_CONTEXTS][WE_DETECT_CLASSES];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i / WE_DETECT_CLASSES][i % WE_DETECT_CLASSES] = detect_costs[we_packed(detect_across, i)];
    for (unsigned class = 0; class < WE_DETECT_CLASSES; class ++) {
        memcpy(we_model.costs[class], rows[we_packed(detect_contexts, class)], WE_DETECT_CLASSES);
        we_model.alone[class] = (int8_t)((int)we_packed(detect_alone, class) - WE_DETECT_WORD_OFFSET);
    }
    unsigned language = 0;
    for (unsigned script = 0; script < WE_DETECT_SCRIPTS; script++) {
        const we_detect_block *block = &detect_blocks[script];
        for (unsigned row = 0; row < block->size; row++) {
            unsigned class = block->first + row;
            we_model.scripts[class] = (uint8_t)script;
            for (unsigned column = 0; column < block->size; column++)
                we_model.costs[class][block->first + column] =
                    detect_costs[we_packed(detect_within, block->costs + (size_t)row * block->size + column)];
            for (unsigned lane = 0; lane < block->languages; lane++)
                we_model.letters[class][lane] =
                    (int16_t)((int)we_packed(detect_letters, block->letters + (size_t)lane * block->size + row)
                              - WE_DETECT_LETTER_OFFSET);
        }
        for (unsigned lane = 0; lane < block->languages; lane++)
            we_model.no_letters[script][lane] = (int16_t)-we_packed(detect_rarities, language++);
    }
    we_model_alphabets();
    we_model_lists();
    we_model_endings();
}

/* The planes from here on have no characters but those of plane 14, which text hardly has: Unicode 16. */
enum { WE_PLANES_WITHOUT_TEXT = 0x40000 };

static inline uint16_t we_symbol(uint32_t code_point)
{
    if (code_point < 0x10000)
        return we_model.symbols[code_point];
    if (code_point >= WE_PLANES_WITHOUT_TEXT)
        return WE_DETECT_PRIVATE;
    return code_point >= 0x1F000 && code_point < 0x1FB00 ? WE_DETECT_EMOJI : WE_DETECT_ASTRAL;
}

/* The cost of a symbol after another. */
static inline int we_cost(uint16_t before, uint16_t symbol)
{
    return we_model.costs[before & WE_DETECT_CLASS][symbol & WE_DETECT_CLASS]
           + we_case_costs[before >> WE_DETECT_CASE_SHIFT & 3][symbol >> WE_DETECT_CASE_SHIFT & 3];
}

/* The kind of a neighbour. */
static inline unsigned we_kind_of(uint32_t character, uint16_t symbol)
{
    return character < 0x80 ? we_model.ascii_kinds[character] : we_model.kinds[symbol & WE_DETECT_CLASS];
}

/* The cost of a symbol between two kinds. Of a row of dashes or lines all but the first cost little. */
static inline int we_place_cost(uint16_t symbol, unsigned left, unsigned right, int is_repeated)
{
    const int cost = we_model.places[we_model.placed[symbol & WE_DETECT_CLASS]][left * WE_DETECT_KINDS + right];
    return is_repeated && cost > WE_DETECT_COST_UNIT ? WE_DETECT_COST_UNIT : cost;
}

/* What a letter beyond ASCII costs for being alone between two kinds of ASCII; 0 for what is no letter. */
static inline int we_lone_cost(uint16_t symbol, unsigned left, unsigned right)
{
    const unsigned class = symbol & WE_DETECT_CLASS, kind = we_model.kinds[class],
                   pair = left * WE_DETECT_ASCII_KINDS + right;
    int cost = 0;
    if (kind == WE_KIND_LATIN)
        cost = we_model.lone[symbol >> WE_DETECT_CASE_SHIFT == 2][pair] + we_model.shares[class];
    else if (kind == WE_KIND_LETTER)
        cost = we_model.lone[2][pair] + WE_LONE_OTHER;
    else if (kind == WE_KIND_EAST_ASIAN)
        cost = we_model.lone[3][pair] + WE_LONE_OTHER;
    else if (class == WE_DETECT_MALFORMED) /* stands for a letter, as far as the neighbours show */
        cost = we_model.lone[0][pair] + WE_LONE_MALFORMED;
    return cost * WE_LONE / WE_LONE_OF;
}

/* The cost of what follows a symbol after what is before it: of one word if both are letters ("don’t" as "dont"),
 * otherwise with a space between them ("5°C" as "5 C"). */
static inline int we_joint_cost(uint16_t before, uint16_t symbol)
{
    const unsigned left = before & WE_DETECT_CLASS, right = symbol & WE_DETECT_CLASS;
    if (left == WE_DETECT_SPACE || right == WE_DETECT_SPACE
        || (we_model.scripts[left] != WE_DETECT_NO_SCRIPT && we_model.scripts[right] != WE_DETECT_NO_SCRIPT))
        return we_cost(before, symbol);
    return we_cost(before, WE_DETECT_SPACE) + we_cost(WE_DETECT_SPACE, symbol);
}

/* What never is text: C1 controls, private use, and planes without characters. */
static inline int we_is_never(uint16_t symbol)
{
    const unsigned class = symbol & WE_DETECT_CLASS;
    return class == WE_DETECT_C1 || class == WE_DETECT_PRIVATE;
}

/* Of each of the first WE_NEVER_MOST such characters of a text, beyond what its class costs: who inserts more of them
 * into a page makes its encoding no less likely. */
enum { WE_NEVER = 24 * WE_DETECT_COST_UNIT, WE_NEVER_MOST = 4 };
/* Of each letter that the Latin language of the words in ASCII lacks: of its alphabet, or of another and alone. */
enum { WE_FOREIGN_LETTER = 5 * WE_DETECT_COST_UNIT };

/* Of an encoding of another alphabet than the Latin one, none of whose letters is in a text: symbols are no evidence.
 */
enum { WE_NO_LETTERS = 10 * WE_DETECT_COST_UNIT };

static inline int we_is_other_letter(uint16_t symbol)
{
    const unsigned kind = we_model.kinds[symbol & WE_DETECT_CLASS];
    return kind == WE_KIND_LETTER || kind == WE_KIND_EAST_ASIAN;
}

/* The cost of a symbol after itself, of the same character: rows of dashes, dots or lines are frequent. */
static inline int we_repeated_cost(uint16_t symbol)
{
    int cost = we_cost(symbol, symbol);
    unsigned class = symbol & WE_DETECT_CLASS;
    if (we_model.scripts[class] == WE_DETECT_NO_SCRIPT && class != WE_DETECT_MALFORMED && cost > WE_DETECT_COST_UNIT)
        return WE_DETECT_COST_UNIT;
    return cost;
}

static inline void we_letters_begin(we_letters *letters)
{
    memset(letters->counts, 0, sizeof letters->counts); /* the bits of a script count from its first letter on */
}

static inline void we_letters_add(we_letters *letters, uint16_t symbol, int count)
{
    unsigned class = symbol & WE_DETECT_CLASS, script = we_model.scripts[class];
    if (script >= WE_DETECT_ALPHABETS)
        return;
    int16_t *bits = letters->bits[script];
    const int16_t *more = we_model.letters[class], *const so_far =
                                                       letters->counts[script] ? bits : we_model.no_letters[script];
    letters->counts[script] += (uint32_t)count;
    for (int lane = 0; lane < WE_DETECT_LANES; lane++)
        bits[lane] = (int16_t)(so_far[lane] + count * more[lane]);
}

/* The gain of the likeliest language of each script. All scripts but one pay WE_ANOTHER_SCRIPT of it, so that a letter
 * or two of another script gain nothing from a language of their own: Italian's ì is no Arabic ى. */
static inline int64_t we_letters_gain(const we_letters *letters)
{
    int64_t gain = 0, greatest = 0;
    for (int script = 0; script < WE_DETECT_ALPHABETS; script++) {
        const int16_t *bits = letters->bits[script];
        int most = bits[0];
        if (!letters->counts[script])
            continue;
        for (int lane = 1; lane < detect_blocks[script].languages; lane++)
            if (bits[lane] > most)
                most = bits[lane];
        int more = most > WE_ANOTHER_SCRIPT ? most - WE_ANOTHER_SCRIPT : most < 0 ? most : 0;
        gain += more;
        if (most - more > greatest)
            greatest = most - more;
    }
    gain += greatest;
    return gain * WE_DETECT_COST_UNIT / WE_MIXED;
}

/* Return the index in detect_languages of the likeliest language of the script that has the most letters, and set the
 * number of these; -1 if there are fewer than WE_TOLD in a script of several languages. */
static inline int we_letters_language(const we_letters *letters, uint32_t *count)
{
    int first = 0, language = -1;
    *count = 0;
    for (int script = 0; script < WE_DETECT_ALPHABETS; first += detect_blocks[script++].languages) {
        const int16_t *bits = letters->bits[script];
        int most = 0, languages = detect_blocks[script].languages;
        if (letters->counts[script] <= *count)
            continue;
        for (int lane = 1; lane < languages; lane++)
            if (bits[lane] > bits[most])
                most = lane;
        *count = letters->counts[script];
        language = languages > 1 && *count < WE_TOLD ? -1 : first + most;
    }
    return language;
}

static inline int we_is_ascii_letter(uint32_t i)
{
    return (i | 0x20) - 'a' < 26;
}

#endif
