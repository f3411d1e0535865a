/* The cost of bytes in single-byte encodings. Pairs of bytes are counted once, then each encoding adds up the costs of
 * the distinct ones. Pairs of ASCII bytes cost the same in each. */
#ifndef WE_DETECT_SINGLE_BYTE_COSTS_H
#define WE_DETECT_SINGLE_BYTE_COSTS_H

#include "text.h"

enum {
    WE_PIECE = 2048, /* upper bound on the bytes that are counted at a time */
    WE_SLOTS = 4096  /* more than the pairs of a piece, so that a search for a slot ends */
};

typedef struct {
    int64_t ascii;       /* cost of pairs of ASCII bytes */
    uint16_t words[256]; /* weighted counts of letters, by byte */
    we_word word;
    uint32_t alone[128];                        /* bytes beyond ASCII that are a word */
    uint32_t bytes[128];                        /* occurrences of the bytes beyond ASCII */
    uint16_t pairs[WE_PIECE], counts[WE_PIECE]; /* distinct pairs, previous byte << 8 | byte, of the current piece */
    size_t distinct;
    uint8_t before, last;
    uint8_t seen[128]; /* the bytes beyond ASCII that were counted, without their highest bit */
    unsigned seen_count;
} we_bytes;

static inline void we_bytes_begin(we_bytes *bytes)
{
    memset(bytes, 0, offsetof(we_bytes, pairs));
    bytes->distinct = 0;
    bytes->seen_count = 0;
    bytes->before = bytes->last = ' ';
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
    bytes->seen_count = 0;
    for (unsigned each = 0; each < 128; each++) {
        bytes->seen[bytes->seen_count] = (uint8_t)each;
        bytes->seen_count += (bytes->words[0x80 + each] | bytes->bytes[each] | bytes->alone[each]) != 0;
    }
}

/* The cost of the current piece's pairs in an encoding, given the symbols of all bytes. */
static inline int64_t we_bytes_pairs(const we_bytes *bytes, const uint16_t *symbols)
{
    int64_t cost = 0;
    for (size_t each = 0; each < bytes->distinct; each++) {
        unsigned pair = bytes->pairs[each];
        uint16_t before = symbols[pair >> 8], symbol = symbols[pair & 0xFF];
        int each_cost = pair >> 8 == (pair & 0xFF) ? we_repeated_cost(symbol) : we_cost(before, symbol);
        cost += (int64_t)bytes->counts[each] * each_cost;
    }
    return cost;
}

/* What single bytes add to the cost of pairs, and how many are malformed. */
static inline int64_t we_bytes_cost(const we_bytes *bytes, const uint16_t *symbols, uint32_t *malformed)
{
    int64_t cost = bytes->ascii;
    *malformed = 0;
    for (unsigned number = 0; number < bytes->seen_count; number++) {
        const unsigned each = bytes->seen[number], class = symbols[0x80 + each] & WE_DETECT_CLASS;
        if (class == WE_DETECT_MALFORMED)
            *malformed += bytes->bytes[each];
        cost += (int64_t)bytes->alone[each] * we_model.alone[class] * WE_DETECT_COST_UNIT;
    }
    return cost;
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
