/* The cost of bytes in single-byte encodings. Pairs of bytes are counted once, then each encoding adds up the costs of
 * the distinct ones. Pairs of ASCII bytes cost the same in each. Where a byte is a symbol, the pairs with it do not
 * count: its spot does, which is the byte with both neighbours. */
#ifndef WE_DETECT_SINGLE_BYTE_COSTS_H
#define WE_DETECT_SINGLE_BYTE_COSTS_H

#include "text.h"

enum {
    WE_TOKEN = 96,                      /* the longest token of a sample, see thin.h */
    WE_ASKED = 2048,                    /* the most bytes that are asked for at a time */
    WE_PIECE = WE_ASKED + 2 * WE_TOKEN, /* upper bound on those that are counted: a token and two separators more */
    WE_SLOTS = 4096                     /* more than the pairs of a piece, so that a search for a slot ends */
};

typedef struct {
    int64_t ascii;       /* cost of pairs of ASCII bytes */
    uint16_t words[256]; /* weighted counts of letters, by byte */
    we_word word;
    uint32_t alone[128];                        /* bytes beyond ASCII that are a word */
    uint32_t bytes[128];                        /* occurrences of the bytes beyond ASCII */
    uint32_t in_ascii[128];                     /* those between two bytes of ASCII */
    uint16_t pairs[WE_PIECE], counts[WE_PIECE]; /* distinct pairs, previous byte << 8 | byte, of the current piece */
    size_t distinct;
    struct {
        uint8_t before, after; /* the neighbours of a byte beyond ASCII */
        uint16_t next;         /* the next spot of the same byte: its position + 1 */
    } spots[WE_PIECE];
    uint16_t lone[128], others[128]; /* the first spot of each byte, between ASCII or not: its position + 1 */
    uint8_t spotted[128];            /* the bytes that have spots, without their highest bit */
    unsigned spotted_count;
    size_t spot_count;
    uint8_t before, last;
    uint8_t seen[128]; /* the bytes beyond ASCII that were counted, without their highest bit */
    unsigned seen_count;
    unsigned listed;  /* of those the ones that are a word */
    int is_repeating; /* each occurs more than WE_REPEATING times, on average */
} we_bytes;

/* Letters of a list occur once or twice. In any other text, two Latin letters beyond ASCII in a row cost
 * WE_ACCENTED_PAIR more than in lists: they are more likely another alphabet's. Set by pages that declare iso-8859-1
 * twice, of which 156 -> 175 of 337 are right. With 3 bits 180 are, but two lines of affix files fewer. */
enum { WE_REPEATING = 2, WE_ACCENTED_PAIR = 2 * WE_DETECT_COST_UNIT };

static inline void we_bytes_begin(we_bytes *bytes)
{
    memset(bytes, 0, offsetof(we_bytes, pairs));
    bytes->distinct = bytes->spot_count = 0;
    memset(bytes->lone, 0, sizeof bytes->lone);
    memset(bytes->others, 0, sizeof bytes->others);
    bytes->seen_count = bytes->spotted_count = bytes->listed = 0;
    bytes->is_repeating = 0;
    bytes->before = bytes->last = ' ';
}

/* Add the spot of a byte beyond ASCII. At most WE_PIECE are added before they are cleared. */
static inline void we_bytes_spot(we_bytes *bytes, uint8_t before, uint8_t byte, uint8_t after)
{
    const unsigned of = byte & 0x7F;
    bytes->in_ascii[of] += (before | after) < 0x80;
    uint16_t *const first = (before | after) < 0x80 ? &bytes->lone[of] : &bytes->others[of];
    if (!(bytes->lone[of] | bytes->others[of]))
        bytes->spotted[bytes->spotted_count++] = (uint8_t)of; /* at most 128: each once */
    bytes->spots[bytes->spot_count].before = before;
    bytes->spots[bytes->spot_count].after = after;
    bytes->spots[bytes->spot_count++].next = *first;
    *first = (uint16_t)bytes->spot_count;
}

static inline void we_bytes_clear_spots(we_bytes *bytes)
{
    for (unsigned i = 0; i < bytes->spotted_count; i++)
        bytes->lone[bytes->spotted[i]] = bytes->others[bytes->spotted[i]] = 0;
    bytes->spotted_count = 0;
    bytes->spot_count = 0;
}

static inline int we_has_relevant(const uint8_t *from, size_t length, const uint8_t *relevant)
{
    size_t at = 0;
    for (; length - at >= 8; at += 8)
        if (relevant[from[at]] | relevant[from[at + 1]] | relevant[from[at + 2]] | relevant[from[at + 3]]
            | relevant[from[at + 4]] | relevant[from[at + 5]] | relevant[from[at + 6]] | relevant[from[at + 7]])
            return 1;
    for (; at < length; at++)
        if (relevant[from[at]])
            return 1;
    return 0;
}

/* Count at most WE_PIECE bytes, in place of the pairs of the piece before: only pairs with a relevant byte, and letters
 * if `letters`. Bytes that are the same character in all candidates are not relevant. */
static inline void we_bytes_count(we_bytes *bytes, const uint8_t *from, size_t length, const uint8_t *relevant,
                                  int letters)
{
    uint16_t slots[WE_SLOTS];
    uint8_t before = bytes->before, last = bytes->last;
    bytes->distinct = 0;
    we_bytes_clear_spots(bytes);
    if (!letters && length >= 2 && !relevant[last] && !we_has_relevant(from, length, relevant)) {
        bytes->before = from[length - 2]; /* no pair is one to count */
        bytes->last = from[length - 1];
        return;
    }
    memset(slots, 0, sizeof slots);
    for (size_t at = 0; at < length; before = last, last = from[at++]) {
        uint8_t byte = from[at];
        if (letters)
            we_word_add(&bytes->word, bytes->words, byte, byte);
        if (last >= 0x80 && (relevant[before] | relevant[last] | relevant[byte]))
            we_bytes_spot(bytes, before, last, byte);
        if (!(relevant[byte] | relevant[last]))
            continue;
        if (byte >= 0x80)
            bytes->bytes[byte - 0x80]++;
        else if (last >= 0x80 && !we_is_ascii_letter(byte) && we_separates(before))
            bytes->alone[last - 0x80]++;
        if ((byte | last) < 0x80) {
            bytes->ascii += byte == last ? we_repeated_cost(we_model.symbols[byte])
                                         : we_cost(we_model.symbols[last], we_model.symbols[byte]);
            continue;
        }
        unsigned pair = (unsigned)last << 8 | byte, slot = pair * 40503u >> 4 & (WE_SLOTS - 1);
        /* At most WE_PIECE slots are taken, so an empty one is found; it holds the position + 1. */
        while (slots[slot] && bytes->pairs[slots[slot] - 1] != pair)
            slot = (slot + 1) & (WE_SLOTS - 1);
        if (slots[slot]) {
            bytes->counts[slots[slot] - 1]++;
        } else {
            bytes->pairs[bytes->distinct] = (uint16_t)pair;
            bytes->counts[bytes->distinct++] = 1;
            slots[slot] = (uint16_t)bytes->distinct;
        }
    }
    bytes->before = before;
    bytes->last = last;
    bytes->seen_count = bytes->listed = 0;
    uint32_t beyond = 0;
    for (unsigned i = 0; i < 128; i++) {
        beyond += bytes->bytes[i];
        bytes->listed += bytes->alone[i] != 0;
        bytes->seen[bytes->seen_count] = (uint8_t)i;
        bytes->seen_count += (bytes->words[0x80 + i] | bytes->bytes[i] | bytes->alone[i]) != 0;
    }
    bytes->is_repeating = beyond > bytes->seen_count * WE_REPEATING;
}

/* The cost of a symbol's spots, from `first` on, and of what follows it. */
static inline int64_t we_bytes_places(const we_bytes *bytes, const uint16_t *symbols, unsigned byte, unsigned first)
{
    int64_t cost = 0;
    for (unsigned i = first; i; i = bytes->spots[i - 1].next) {
        const uint8_t before = bytes->spots[i - 1].before, after = bytes->spots[i - 1].after;
        const uint16_t left = symbols[before], right = symbols[after];
        cost += we_place_cost(symbols[byte], we_kind_of(before, left), we_kind_of(after, right), before == byte);
        if (!(right & WE_DETECT_PLACED_SYMBOL))
            cost += we_joint_cost(left & WE_DETECT_PLACED_SYMBOL ? WE_DETECT_SPACE : left, right);
    }
    return cost;
}

/* The cost of the current piece's spots in an encoding: those of symbols, and of letters that are alone in ASCII. */
static inline int64_t we_bytes_spots(const we_bytes *bytes, const uint16_t *symbols)
{
    int64_t cost = 0;
    for (unsigned number = 0; number < bytes->spotted_count; number++) {
        const unsigned of = bytes->spotted[number], byte = 0x80 | of;
        const uint16_t symbol = symbols[byte];
        if (symbol & WE_DETECT_PLACED_SYMBOL) {
            cost += we_bytes_places(bytes, symbols, byte, bytes->lone[of]);
            cost += we_bytes_places(bytes, symbols, byte, bytes->others[of]);
            continue;
        }
        for (unsigned i = bytes->lone[of]; i; i = bytes->spots[i - 1].next)
            cost += we_lone_cost(symbol, we_model.ascii_kinds[bytes->spots[i - 1].before],
                                 we_model.ascii_kinds[bytes->spots[i - 1].after]);
    }
    return cost;
}

/* Return whether an encoding is for another alphabet than the Latin one: 0xE1 is a letter in all of these. */
static inline int we_is_for_another_alphabet(const uint16_t *symbols)
{
    return we_is_other_letter(symbols[0xE1]);
}

static inline int we_is_latin(uint16_t symbol)
{
    return we_model.scripts[symbol & WE_DETECT_CLASS] == 0;
}

/* The cost of the current piece's pairs in an encoding, given the symbols of all bytes. */
static inline int64_t we_bytes_pairs(const we_bytes *bytes, const uint16_t *symbols)
{
    const int may_be_accents = bytes->is_repeating && !we_is_for_another_alphabet(symbols);
    int64_t cost = we_bytes_spots(bytes, symbols);
    for (size_t i = 0; i < bytes->distinct; i++) {
        unsigned pair = bytes->pairs[i];
        uint16_t before = symbols[pair >> 8], symbol = symbols[pair & 0xFF];
        if ((before | symbol) & WE_DETECT_PLACED_SYMBOL)
            continue;
        int pair_cost = pair >> 8 == (pair & 0xFF) ? we_repeated_cost(symbol) : we_cost(before, symbol);
        if (may_be_accents && (pair & 0x8080) == 0x8080 && we_is_latin(before) && we_is_latin(symbol))
            pair_cost += WE_ACCENTED_PAIR;
        cost += (int64_t)bytes->counts[i] * pair_cost;
    }
    return cost;
}

/* What letters cost that a Latin language lacks, 0 if it is -1. */
static inline int64_t we_bytes_foreign(const we_bytes *bytes, const uint16_t *symbols, int language)
{
    int64_t count = 0;
    for (unsigned number = 0; language >= 0 && number < bytes->seen_count; number++) {
        const unsigned i = bytes->seen[number], class = symbols[0x80 + i] & WE_DETECT_CLASS;
        if (we_model.scripts[class] == 0 && we_model.lacking[class] >> language & 1)
            count += bytes->bytes[i];
        else if (we_is_other_letter((uint16_t)class))
            count += bytes->in_ascii[i];
    }
    return count * WE_FOREIGN_LETTER;
}

/* Letters that stand alone are a list if there are WE_LISTED_LEAST distinct bytes: a keymap or an alphabet. What a
 * letter of its language costs alone is then replaced by WE_LISTED_PLACE for its place in the list, as often as
 * WE_LISTED_MOST, and by the bits of which letters of the alphabet are in it. That there is a list costs WE_LIST, and
 * each other byte WE_LISTED_OTHER. Fitted on 80 keymaps and 609 lists, of which 7 -> 66 and 339 -> 474 are right
 * undeclared, half of the latter by pairs in lists; held out 62 affix files: 44 -> 50. */
enum {
    WE_LISTED_LEAST = 3,
    WE_LISTED_MOST = 3,
    WE_LIST = 16 * WE_DETECT_COST_UNIT,
    WE_LISTED_PLACE = 8 * WE_DETECT_COST_UNIT,
    WE_LISTED_OTHER = 2 * WE_DETECT_COST_UNIT
};

/* Return what letters in a list cost less than alone, in the language of which they are likeliest, or 0. */
static inline int we_bytes_listed(const we_bytes *bytes, const uint16_t *symbols)
{
    enum { SPACE = 1 }; /* of places.KINDS */
    const uint16_t space = we_model.symbols[' '];
    uint8_t counts[WE_DETECT_ALPHABETS][WE_DETECT_LANES][2]; /* by case */
    int gains[WE_DETECT_ALPHABETS][WE_DETECT_LANES];
    int best = 0;
    if (bytes->listed < WE_LISTED_LEAST)
        return 0;
    memset(counts, 0, sizeof counts);
    memset(gains, 0, sizeof gains);
    for (unsigned number = 0; number < bytes->seen_count; number++) {
        const unsigned i = bytes->seen[number];
        const uint16_t symbol = symbols[0x80 + i];
        const unsigned class = symbol & WE_DETECT_CLASS, script = we_model.scripts[class];
        const uint32_t times = bytes->alone[i] < WE_LISTED_MOST ? bytes->alone[i] : WE_LISTED_MOST;
        if (!times || script >= WE_DETECT_ALPHABETS)
            continue;
        const int cost = we_cost(space, symbol) + we_cost(symbol, space) + we_lone_cost(symbol, SPACE, SPACE)
                         + we_model.alone[class] * WE_DETECT_COST_UNIT;
        for (unsigned lane = 0; lane < detect_blocks[script].languages; lane++)
            if (!(we_model.lacking[class] >> lane & 1)) {
                counts[script][lane][symbol >> WE_DETECT_CASE_SHIFT == 2]++;
                gains[script][lane] += (int)times * (cost - WE_LISTED_PLACE);
            }
    }
    for (unsigned script = 0; script < WE_DETECT_ALPHABETS; script++)
        for (unsigned lane = 0; lane < detect_blocks[script].languages; lane++) {
            const uint8_t *const count = counts[script][lane], size = we_model.sizes[script][lane];
            int gain = gains[script][lane] - WE_LIST - ((int)bytes->listed - count[0] - count[1]) * WE_LISTED_OTHER;
            for (int letter_case = 0; letter_case < 2; letter_case++) {
                const unsigned in = count[letter_case] < size ? count[letter_case] : size;
                gain -= detect_factorials[size] - detect_factorials[in] - detect_factorials[size - in];
            }
            best = gain > best ? gain : best;
        }
    return best;
}

/* Return whether bytes beyond ASCII are no letter of the alphabet that an encoding is for. */
static inline int we_bytes_lack_letters(const we_bytes *bytes, const uint16_t *symbols)
{
    unsigned letters = !we_is_for_another_alphabet(symbols);
    for (unsigned number = 0; number < bytes->seen_count && !letters; number++)
        letters = we_is_other_letter(symbols[0x80u + bytes->seen[number]]);
    return bytes->seen_count && !letters;
}

/* What single bytes add to the cost of pairs, how many are malformed, and how many never are text. */
static inline int64_t we_bytes_cost(const we_bytes *bytes, const uint16_t *symbols, uint32_t *malformed,
                                    uint32_t *never)
{
    int64_t cost = bytes->ascii;
    *malformed = *never = 0;
    for (unsigned number = 0; number < bytes->seen_count; number++) {
        const unsigned i = bytes->seen[number], class = symbols[0x80 + i] & WE_DETECT_CLASS;
        if (class == WE_DETECT_MALFORMED)
            *malformed += bytes->bytes[i];
        else if (we_is_never((uint16_t)class))
            *never += bytes->bytes[i];
        cost += (int64_t)bytes->alone[i] * we_model.alone[class] * WE_DETECT_COST_UNIT;
    }
    cost += (int64_t)(*never < WE_NEVER_MOST ? *never : WE_NEVER_MOST) * WE_NEVER;
    return cost + we_bytes_lack_letters(bytes, symbols) * WE_NO_LETTERS - we_bytes_listed(bytes, symbols);
}

/* Set the letters in an encoding, given those of ASCII. */
static inline void we_bytes_letters(const we_bytes *bytes, const uint16_t *symbols, const we_letters *ascii,
                                    we_letters *letters)
{
    for (unsigned script = 0; script < WE_DETECT_ALPHABETS; script++) {
        letters->counts[script] = ascii->counts[script];
        for (int lane = 0; ascii->counts[script] && lane < WE_DETECT_LANES; lane++)
            letters->bits[script][lane] = ascii->bits[script][lane];
    }
    for (unsigned number = 0; number < bytes->seen_count; number++) {
        const unsigned byte = 0x80u + bytes->seen[number];
        if (bytes->words[byte])
            we_letters_add(letters, symbols[byte], bytes->words[byte]);
    }
}

/* The gain of the likeliest languages. */
static inline int64_t we_bytes_gain(const we_bytes *bytes, const uint16_t *symbols, const we_letters *ascii)
{
    we_letters letters;
    we_bytes_letters(bytes, symbols, ascii, &letters);
    return we_letters_gain(&letters);
}

static inline void we_bytes_ascii_letters(const we_bytes *bytes, we_letters *letters)
{
    we_letters_begin(letters);
    for (unsigned byte = 'A'; byte <= 'z'; byte++)
        if (bytes->words[byte])
            we_letters_add(letters, we_model.symbols[byte], bytes->words[byte]);
}

#endif
