/* Mojibake: the cheapest explanation of a text as UTF-8 that was read as another encoding, once or several times.
 *
 * A text is what a noisy channel made of a hidden one: some characters as they are, some as one character for each byte
 * of a reading, some as garbage. What pairs of characters cost in good text (generated/mojibake_table.h, in halves of a
 * bit) decides between explanations. */
#ifndef WE_MISREAD_H
#define WE_MISREAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "examine.h"
#include "mojibake_table.h"
#include "once.h"
#include "text.h"

enum {
    WE_SPAN = 2048, /* characters of a line that are explained together */
    WE_SPAN_BYTES = 2 * WE_SPAN,
    WE_STATES = 10,        /* explanations that are compared at each byte, at most */
    WE_LONGEST_UNIT = 6,   /* bytes of a damaged character: two surrogates */
    WE_BETWEEN_LOOKS = 16, /* bytes after which costs are looked at again */
    WE_ALL_READINGS = WE_READINGS + WE_MULTI_BYTE_READINGS,
    WE_LAYERS = 8,        /* misreadings of the same text */
    WE_EXPLANATIONS = 96, /* of a piece that are tried */
    WE_LOST_BYTE = 0x1A,  /* stands for a byte that is lost: U+FFFD, or the `?` that a program wrote */
    WE_NO_BYTE = 0x19     /* stands for a character that a reading lacks */
};

/* Prices, in halves of a bit. */
enum {
    WE_MEND_SWITCH = 4,         /* damage begins or ends within a line */
    WE_MEND_BESIDE = 16,        /* more within a word, which is misread as a whole */
    WE_MEND_GARBAGE = 56,       /* garbage begins */
    WE_MEND_UNKNOWN = 16,       /* a character of garbage */
    WE_MEND_UNKNOWN_WIDE = 26,  /* likewise, East Asian */
    WE_MEND_BROKEN = 16,        /* garbage begins beside damage */
    WE_MEND_BROKEN_EACH = 8,    /* and more for each of its characters */
    WE_MEND_AGAIN = 16,         /* damage that becomes garbage, which a further layer must explain */
    WE_MEND_END = 4,            /* a line ends in garbage */
    WE_MEND_LOST = 8,           /* a byte is U+FFFD */
    WE_MEND_QUESTION = 28,      /* more for each that is `?` */
    WE_MEND_NEXT_QUESTION = 12, /* likewise, within damage */
    WE_MEND_SPACE = 6,          /* a no-break space became a space */
    WE_MEND_USUAL_SPACE = 2,    /* likewise, after Â or Ã */
    WE_MEND_ALONE = 16,         /* the one letter of a script in a line */
    WE_MEND_UNTOUCHED = 8,      /* one result, which touches no letter */
    WE_MEND_SMALL = 40,         /* a small letter in capitals */
    WE_MEND_IN_WORD = 24,       /* a symbol between letters */
    WE_MEND_CLOSING = 28,       /* what may be a capital letter and a quotation mark or dots */
    WE_MEND_WORD = 20,          /* less: a word of accented letters that is one sequence */
    WE_MEND_AFTER = 8,          /* less: of a reading, for a further layer */
    WE_MEND_OTHER = 12,         /* in a further layer, what the one before left */
    WE_MEND_GRAVE = 44,         /* in eighths of a bit: what "à" may cost more than "í" */
    WE_MEND_TIE = 6             /* two readings with different results that differ by less: nothing changes */
};

/* What a character is in each reading, as sets of bits: bit r is that of mojibake_readings[r]. */
typedef struct {
    uint32_t leads[3]; /* the first of two, three, four bytes of a sequence */
    uint32_t rest;     /* a later byte of one */
    uint8_t bytes[WE_READINGS];
} we_misread;

static struct {
    uint16_t slots[0x10000]; /* of each code point of the BMP, at which `of` has it; 0: no reading has it */
    we_misread of[WE_MISREAD_CHARACTERS + 1];
    uint16_t wide[WE_MULTI_BYTE_READINGS][0x10000]; /* the two bytes of a character, or its one; 0 if there are none */
    uint16_t characters[WE_READINGS][0x80];         /* of the bytes from 0x80, 0 for none */
} we_readings;

static inline unsigned we_sequence_length(unsigned byte)
{
    return byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0;
}

static inline int we_is_between(uint32_t character, uint32_t first, uint32_t last)
{
    return character - first <= last - first;
}

static inline int we_is_rest_byte(unsigned byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Fill the tables of single-byte readings. A slot is at most WE_MISREAD_CHARACTERS, the number of their characters. */
static inline void we_readings_fill(void)
{
    uint16_t count = 0;
    memset(we_readings.slots, 0, sizeof we_readings.slots);
    memset(we_readings.of, 0, sizeof we_readings.of);
    for (size_t reading = 0; reading < WE_READINGS; reading++)
        memset(we_readings.of[0].bytes, WE_NO_BYTE, WE_READINGS);
    for (size_t i = 0; i < sizeof mojibake_bytes / sizeof *mojibake_bytes; i++) {
        const uint32_t reading = mojibake_bytes[i] >> 24, byte = mojibake_bytes[i] >> 16 & 0xFF;
        const uint32_t character = mojibake_bytes[i] & 0xFFFF, bit = (uint32_t)1 << reading;
        if (!we_readings.slots[character]) {
            we_readings.slots[character] = ++count;
            memset(we_readings.of[count].bytes, WE_NO_BYTE, WE_READINGS);
        }
        we_misread *const misread = &we_readings.of[we_readings.slots[character]];
        misread->bytes[reading] = (uint8_t)byte;
        if (!we_readings.characters[reading][byte - 0x80])
            we_readings.characters[reading][byte - 0x80] = (uint16_t)character;
        if (we_sequence_length(byte))
            misread->leads[we_sequence_length(byte) - 2] |= bit;
        else if (we_is_rest_byte(byte))
            misread->rest |= bit;
    }
}

/* Add a character of a multi-byte reading with its bytes, of which the first is 0 if there is one. */
static inline void we_wide_add(unsigned reading, unsigned first, unsigned second, uint32_t character)
{
    if (we_is_between(character, 0x80, 0xFFFC) && !we_readings.wide[reading][character])
        we_readings.wide[reading][character] = (uint16_t)(first << 8 | second);
}

static we_once we_wide_once;

/* Fill the tables of the multi-byte readings: decode the pairs of bytes, a line each, and at last single ones. */
static void we_wide_fill(void)
{
    enum { FIRST = 0x81, LAST = 0xFE, SECOND = 0x40, SECONDS = 0xBF, BYTES = 3 * SECONDS };
    uint8_t bytes[BYTES];
    uint16_t units[2 * BYTES];
    for (unsigned reading = 0; reading < WE_MULTI_BYTE_READINGS; reading++) {
        const char *const name = mojibake_readings[WE_READINGS + reading].name;
        for (unsigned first = FIRST; first <= LAST + 1; first++) {
            whatwg_decoder decoder;
            size_t length = 0, count = 2 * BYTES, start = 0;
            unsigned second = SECOND;
            for (unsigned i = 0; i < SECONDS; i++) {
                if (first <= LAST)
                    bytes[length++] = (uint8_t)first;
                bytes[length++] = (uint8_t)(SECOND + i);
                bytes[length++] = '\n';
            }
            we_c_api->decoder_init(&decoder, we_c_api->for_label(name, strlen(name)), 0);
            we_c_api->decode_to_utf16(&decoder, bytes, &length, units, &count, 1);
            for (size_t at = 0; at < count; at++) {
                if (units[at] != '\n')
                    continue;
                if (at == start + 1)
                    we_wide_add(reading, first <= LAST ? first : 0, second, units[start]);
                second++;
                start = at + 1;
            }
        }
    }
}

static inline const we_misread *we_misread_of(uint32_t character)
{
    return &we_readings.of[character < 0x10000 ? we_readings.slots[character] : 0];
}

/* -- What characters cost in good text -- */

typedef struct {
    uint8_t class, cost;
} we_priced;

static inline we_priced we_price(uint32_t character)
{
    we_priced priced = {WE_CLASS_NEVER, mojibake_rare[WE_CLASS_NEVER]};
    if (character < 0x10000) { /* 64 code points to a page; the pages' numbers are those of the table */
        priced.class = mojibake_classes[mojibake_classes_pages[character >> 6] << 6 | (character & 63)];
        priced.cost = mojibake_costs[mojibake_costs_pages[character >> 6] << 6 | (character & 63)];
        if (priced.cost == UINT8_MAX)
            priced.cost = mojibake_rare[priced.class];
        return priced;
    }
    size_t first = 0, end = sizeof mojibake_beyond / sizeof *mojibake_beyond;
    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;
        if (mojibake_beyond[middle].first <= character)
            first = middle;
        else
            end = middle;
    }
    priced.class = mojibake_beyond[first].class;
    priced.cost = mojibake_rare[priced.class];
    return priced;
}

/* `before`: a class, or WE_CLASSES after what has none. */
static inline int we_pair_cost(unsigned before, we_priced priced)
{
    return mojibake_pairs[before * WE_CLASSES + priced.class] + priced.cost;
}

static inline int we_unknown_cost(uint32_t character)
{
    return character < 0x2E80 ? WE_MEND_UNKNOWN : WE_MEND_UNKNOWN_WIDE;
}

static inline int we_is_ascii_lower(uint32_t character)
{
    return we_is_between(character, 'a', 'z');
}

static inline int we_is_ascii_alpha(uint32_t character)
{
    return we_is_ascii_lower(character | 0x20);
}

/* -- Kinds of characters -- */

/* The scripts whose letters a line has many of, if any; 0 for what is no letter. */
static inline unsigned we_script(uint32_t character)
{
    if (character < 0xC0 || character == 0xD7 || character == 0xF7 || we_is_between(character, 0x2000, 0x2E7F)
        || we_is_between(character, 0x2B0, 0x2FF))
        return 0;
    if (character < 0x250 || we_is_between(character, 0x1E00, 0x1EFF))
        return 1;
    return character < 0x1E00 ? 2 + (character >> 7) : we_is_between(character, 0x2E80, 0xFAFF) ? 0x100 : 0;
}

static inline int we_is_a_letter(uint32_t character)
{
    return we_is_ascii_alpha(character) || we_script(character);
}

static inline int we_is_accented(uint32_t character)
{
    return we_is_between(character, 0xC0, 0x24F) && character != 0xD7 && character != 0xF7;
}

/* -- The search -- */

typedef struct {
    uint32_t character; /* what the transition to this state gives; 0: nothing */
    int32_t cost;
    uint16_t from; /* the state before, by its number among all */
    uint8_t mode, class;
} we_state;

enum { WE_GOOD, WE_DAMAGED, WE_GARBAGE, WE_BROKEN };

typedef struct {
    we_state states[(WE_SPAN_BYTES + 1) * WE_STATES];
    uint8_t counts[WE_SPAN_BYTES + 1];
    uint8_t bytes[WE_SPAN_BYTES + 8];   /* of the piece in a reading; after them zeros */
    uint16_t places[WE_SPAN_BYTES + 8]; /* 1 + the character that begins at a byte, 0 if none does */
    uint32_t layers[WE_LAYERS + 3][WE_SPAN + 8];
    uint8_t origins[WE_LAYERS + 3][WE_SPAN + 8]; /* of a layer: a character that was damaged */
    size_t lengths[WE_LAYERS + 3];
    uint32_t target[WE_SPAN + 8];
    uint8_t fresh[WE_SPAN + 8];   /* of the target: a character that was damaged */
    uint8_t lost[WE_SPAN + 8][4]; /* of the first layer: the bytes of what became U+FFFD */
    uint8_t target_lost[WE_SPAN + 8][4];
    unsigned tries;
} we_search;

/* A text that was another one: its cost, and what it says of itself. */
typedef struct {
    size_t length;
    int32_t cost;
    uint16_t reading;
    uint8_t again;     /* part of it is garbage, which a further layer must explain */
    uint8_t is_spaced; /* an "à" in it was "Ã" and a space */
} we_explained;

/* Which spaces may have been a no-break space. */
typedef struct {
    uint8_t is_proved; /* nothing but no-break spaces was lost */
    uint8_t is_spaced; /* the space after one stayed, too, since the text is Vietnamese */
    uint8_t is_kept;   /* the bytes that windows-1252 has no character for were kept */
    uint8_t is_whole;  /* no byte is lost, since the text was mended before */
} we_spaces;

static inline int we_is_gap(unsigned byte)
{
    return byte == 0x81 || byte == 0x8D || byte == 0x8F || byte == 0x90 || byte == 0x9D;
}

/* Write the bytes of a piece in a reading, and return their number. */
static inline size_t we_read_as(const uint32_t *text, size_t length, unsigned reading, we_search *search)
{
    size_t at = 0;
    for (size_t i = 0; i < length; i++) {
        const uint32_t character = text[i];
        search->places[at] = (uint16_t)(i + 1);
        if (character < 0x80) {
            search->bytes[at++] = (uint8_t)(character == WE_LOST_BYTE ? ' ' : character);
        } else if (character == 0xFFFD) {
            search->bytes[at++] = WE_LOST_BYTE;
        } else if (reading < WE_READINGS) {
            search->bytes[at++] = we_misread_of(character)->bytes[reading];
        } else {
            const unsigned pair = character < 0x10000 ? we_readings.wide[reading - WE_READINGS][character] : 0;
            search->bytes[at++] = (uint8_t)(pair > 0xFF ? pair >> 8 : pair ? pair : WE_NO_BYTE);
            if (pair > 0xFF) {
                search->places[at] = 0;
                search->bytes[at++] = (uint8_t)(pair & 0xFF);
            }
        }
    }
    memset(search->bytes + at, 0, 8);
    memset(search->places + at, 0, 8 * sizeof *search->places);
    return at;
}

/* Return the code point of a sequence, 0 if it is none: too long, a surrogate, or beyond the last one. */
static inline uint32_t we_code_point(const uint8_t *bytes, unsigned length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code_point = bytes[0] & (0x7FU >> length);
    for (unsigned i = 1; i < length; i++)
        code_point = code_point << 6 | (bytes[i] & 0x3F);
    if (code_point < least[length] || code_point > 0x10FFFF || (code_point & 0xFFFFF800) == 0xD800)
        return 0;
    return code_point;
}

/* Return which spaces may have been no-break spaces: none, unless no other byte is lost. */
static inline we_spaces we_spaces_of(const uint8_t *bytes, size_t length)
{
    we_spaces spaces = {1, 0, 0, 0};
    for (size_t at = 0; at < length; at++)
        spaces.is_kept |= (uint8_t)we_is_gap(bytes[at]);
    for (size_t at = 0; at < length && spaces.is_proved; at++) {
        const unsigned byte = bytes[at], next = bytes[at + 1], after = bytes[at + 2];
        const int is_lost = next == WE_LOST_BYTE || next == '?';
        const int is_last = at + 1 == length;
        if (byte == 0xE1 && (next == 0xBA || next == 0xBB))
            spaces.is_spaced = 1;
        if (we_is_between(byte, 0xC2, 0xF4) && (next == 0xA0 || (we_is_rest_byte(next) && after == 0xA0)))
            spaces.is_proved = 0; /* it is kept where it is */
        if (we_is_between(byte, 0xC4, 0xDF) && !we_is_rest_byte(next) && !is_lost && !is_last) {
            const int is_usual = byte == 0xC5 || byte == 0xCE || byte == 0xD0 || spaces.is_kept;
            if (next != ' ' || !is_usual)
                spaces.is_proved = 0;
        }
        if (byte == 0xE2 && !is_last && !we_is_rest_byte(next) && !is_lost && (next != ' ' || after == ' '))
            spaces.is_proved = 0;
        if ((byte & 0xF0) == 0xE0 && we_is_rest_byte(next) && after == ' ') { /* what it would be is not what was */
            const uint8_t whole[] = {(uint8_t)byte, (uint8_t)next, 0xA0};
            const uint32_t character = we_code_point(whole, 3);
            const int is_capital = byte == 0xE1 && (next == 0xBA || next == 0xBB);
            if (we_price(character).class == WE_CLASS_NEVER || (is_capital && at && we_is_ascii_lower(bytes[at - 1])))
                spaces.is_proved = 0;
        }
        if ((byte & 0xF0) == 0xE0 && we_is_rest_byte(next) && !we_is_rest_byte(after) && after != '?'
            && after != WE_LOST_BYTE && after != ' ' && !(byte == 0xE2 && next == 0x80))
            spaces.is_proved = 0;
    }
    return spaces;
}

/* What a damaged character may have been: `length` bytes of 0 if nothing. */
typedef struct {
    uint32_t character;
    unsigned length;
    int price;
    unsigned questions; /* bytes that are `?` now */
    int is_spaced;      /* a space follows it */
} we_unit;

static inline we_unit we_surrogates(const uint8_t *bytes)
{
    we_unit unit = {0, 0, 0, 0, 0};
    if (bytes[0] == 0xED && (bytes[1] & 0xF0) == 0xA0 && we_is_rest_byte(bytes[2]) && bytes[3] == 0xED
        && (bytes[4] & 0xF0) == 0xB0 && we_is_rest_byte(bytes[5])) {
        const uint32_t high = (uint32_t)(bytes[1] & 0x0F) << 6 | (bytes[2] & 0x3F);
        const uint32_t low = (uint32_t)(bytes[4] & 0x0F) << 6 | (bytes[5] & 0x3F);
        unit.character = 0x10000 + (high << 10 | low);
        unit.length = 6;
    }
    return unit;
}

static inline int we_are_bytes(const uint8_t *bytes, const char *expected)
{
    return strncmp((const char *)bytes, expected, strlen(expected)) == 0;
}

/* Return what a sequence was whose one missing byte is a space now. */
static inline we_unit we_spaced_unit(const uint8_t *bytes, unsigned length, unsigned place, we_spaces spaces)
{
    we_unit unit = {0, 0, 0, 0, 0};
    const unsigned lead = bytes[0], after = bytes[length];
    if (!spaces.is_proved)
        return unit;
    if (lead == 0xC3 && spaces.is_kept && after > ' ') /* a program that keeps controls merges no spaces */
        return unit;
    /* "Ã" with the one space after it is the word "à", unless it begins "às", "àquela" or "àquilo". */
    if (lead == 0xC3 && !spaces.is_spaced && after != ' ' && after
        && !(we_are_bytes(bytes + 2, "quela") || we_are_bytes(bytes + 2, "quele") || we_are_bytes(bytes + 2, "quilo")
             || we_are_bytes(bytes + 2, "s ") || (bytes[2] == 's' && !bytes[3]))) {
        unit = (we_unit){0xE0, 2, WE_MEND_USUAL_SPACE, 0, 1};
        return unit;
    }
    const int is_in_script = we_is_between(lead, 0xE3, 0xE9) || (lead == 0xE0 && bytes[1] >= 0xB8);
    if (length == 4
        || (length == 3
            && (place == 1 || lead == 0xE1 || lead == 0xE2 || spaces.is_kept || (is_in_script && after >= 0xE0)))
        || lead == 0xC2 || lead == 0xC3
        || ((lead == 0xC5 || lead == 0xCE || lead == 0xD0 || (spaces.is_kept && length == 2)) && after > '@')) {
        uint8_t whole[4];
        memcpy(whole, bytes, length);
        whole[place] = 0xA0;
        unit.character = we_code_point(whole, length);
        unit.length = unit.character ? length : 0;
        unit.price = lead > 0xC3 ? WE_MEND_SPACE : WE_MEND_USUAL_SPACE;
    }
    return unit;
}

/* Return what the bytes at `bytes` may have been if they begin a damaged character. After the last one are zeros.
 * `is_whole`: whether each of them is a character, since within one of two bytes a space or `?` is none. */
static inline we_unit we_unit_at(const uint8_t *bytes, const uint16_t *places, we_spaces spaces)
{
    we_unit unit = {0, 0, 0, 0, 0};
    const unsigned length = we_sequence_length(bytes[0]);
    unsigned missing = 0, place = 0, questions = 0, lost = 0;
    if (!length)
        return unit;
    for (unsigned i = 1; i < length; i++)
        if (!we_is_rest_byte(bytes[i])) {
            missing++;
            place = i;
            questions += bytes[i] == '?' && places[i];
            lost += bytes[i] == WE_LOST_BYTE;
        }
    if (!missing) {
        unit.character = we_code_point(bytes, length);
        unit.length = unit.character ? length : 0;
        return unit.character ? unit : we_surrogates(bytes);
    }
    if (missing == 1 && bytes[place] == ' ' && places[place])
        unit = we_spaced_unit(bytes, length, place, spaces);
    if (!unit.length && questions + lost == missing && !(spaces.is_whole && questions)) {
        const we_unit gone = {0xFFFD, length, spaces.is_whole ? WE_MEND_QUESTION : WE_MEND_LOST, questions, 0};
        return gone;
    }
    return unit;
}

/* Keep the cheapest explanation up to a byte for each mode and class. There is room: of a mode that is not damage there
 * is the class of the character that ends there, of damage also that of a unit of each length and that of garbage. */
static inline void we_relax(we_search *search, size_t at, we_state state)
{
    we_state *const states = search->states + at * WE_STATES;
    const unsigned count = search->counts[at];
    unsigned i = 0;
    while (i < count && (states[i].mode != state.mode || states[i].class != state.class))
        i++;
    if (i == WE_STATES) /* not reached; the room ends here, whoever adds a mode */
        return;
    if (i == count)
        search->counts[at]++;
    if (i == count || state.cost < states[i].cost)
        states[i] = state;
}

/* The price of damage that begins or ends beside the last character of an explanation. */
static inline int32_t we_switch_cost(we_state state)
{
    return WE_MEND_SWITCH + (we_is_between(state.character, 0x80, 0x10FFFF) ? WE_MEND_BESIDE : 0);
}

/* Continue all explanations up to `at` with a character as it is, which ends before `end`. */
static inline void we_keep(we_search *search, size_t at, size_t end, uint32_t character)
{
    const we_priced priced = we_price(character);
    const int unknown = we_unknown_cost(character);
    for (unsigned i = 0; i < search->counts[at]; i++) {
        const uint16_t number = (uint16_t)(at * WE_STATES + i);
        const we_state here = search->states[number];
        const int32_t cost = here.cost + we_pair_cost(here.class, priced);
        if (character < 0x80) {
            const int32_t more = here.mode > WE_DAMAGED && we_is_ascii_alpha(character);
            we_relax(search, end, (we_state){character, cost + more, number, here.mode, priced.class});
            continue;
        }
        const int32_t garbage = here.cost + unknown + (here.mode == WE_GARBAGE ? 0 : WE_MEND_GARBAGE);
        const int32_t ends = here.mode == WE_GOOD ? 0 : here.mode == WE_DAMAGED ? we_switch_cost(here) : WE_MEND_SWITCH;
        we_relax(search, end, (we_state){character, cost + ends, number, WE_GOOD, priced.class});
        we_relax(search, end, (we_state){character, garbage, number, WE_GARBAGE, WE_CLASSES});
        if (here.mode == WE_DAMAGED || here.mode == WE_BROKEN) {
            const int32_t begins = here.mode == WE_DAMAGED ? WE_MEND_BROKEN : 0;
            const int32_t broken = here.cost + unknown + WE_MEND_BROKEN_EACH + begins;
            we_relax(search, end, (we_state){character, broken, number, WE_BROKEN, WE_CLASSES});
        }
    }
}

/* Continue the explanations up to `at` with a damaged character. `deep`: it may be garbage. */
static inline void we_undo(we_search *search, size_t at, we_unit unit, int deep)
{
    const we_priced priced = we_price(unit.character), space = we_price(' ');
    for (unsigned i = 0; i < search->counts[at]; i++) {
        const uint16_t number = (uint16_t)(at * WE_STATES + i);
        const we_state here =
            search->states[number]; /* within a character of two bytes, of damage: we_keep ends none */
        const int is_damaged = here.mode == WE_DAMAGED;
        const int question = is_damaged ? WE_MEND_NEXT_QUESTION : WE_MEND_QUESTION;
        const int32_t switched = is_damaged ? 0 : here.mode == WE_GOOD ? we_switch_cost(here) : WE_MEND_SWITCH;
        const int32_t begins = here.cost + unit.price + (int32_t)unit.questions * question + switched;
        int32_t cost = begins + we_pair_cost(here.class, priced);
        if (unit.is_spaced)
            cost += we_pair_cost(priced.class, space);
        const uint8_t class = unit.is_spaced ? space.class : priced.class;
        const uint32_t flagged = unit.character | (unit.is_spaced ? 0x80000000 : 0);
        we_relax(search, at + unit.length, (we_state){flagged, cost, number, WE_DAMAGED, class});
        if (deep && unit.character >= 0x80) {
            const int is_garbage = here.mode == WE_DAMAGED && here.class == WE_CLASSES;
            const int32_t again = begins + we_unknown_cost(unit.character) + (is_garbage ? 0 : WE_MEND_AGAIN);
            we_relax(search, at + unit.length, (we_state){flagged, again, number, WE_DAMAGED, WE_CLASSES});
        }
    }
}

/* Return whether each "à" that was "Ã" and a space is about as likely as "í", whose second byte is a soft hyphen, in
 * the languages that the detector knows. A sentence begins with a capital letter. */
static inline int we_is_grave(uint32_t *text, const uint8_t *fresh, size_t length)
{
    const int64_t cost = we_text_cost(text, 4, length);
    size_t count = 0;
    for (size_t at = 0; at < length; at++)
        if (fresh[at] == 2) {
            text[at] = 0xED;
            count++;
        }
    const int64_t other = we_text_cost(text, 4, length);
    for (size_t at = 0; at < length; at++)
        if (fresh[at] == 2)
            text[at] = 0xE0;
    const int is_small = fresh[0] && text[0] == 0xE0 && (fresh[0] == 2 ? count == 1 : text[length - 1] == '.');
    return !is_small && other + WE_MEND_GRAVE >= cost;
}

/* Return whether bytes are a quotation mark in UTF-8 that another one closes. */
static inline int we_opens_quote(const uint8_t *bytes)
{
    return bytes[0] == 0xE2 && bytes[1] == 0x80 && (bytes[2] == 0x9C || bytes[2] == 0x9E);
}

/* How a piece is explained. */
typedef struct {
    uint8_t deep;           /* what is damaged may be garbage, which a further layer must explain */
    uint8_t is_further;     /* the piece was mended before */
    uint8_t no_spaces;      /* no space was a no-break space */
    const uint8_t *origins; /* of the characters of a piece that was mended before */
    int32_t useless;        /* the cost from which an explanation isn't looked for */
} we_manner;
static const we_manner we_plainly = {0, 0, 0, NULL, INT32_MAX};

/* Return whether "Ã" is a word with two spaces after it, or with one and "s", as no text has it. */
static inline int we_is_word_of_one(const uint32_t *text, size_t length, size_t at)
{
    return text[at] == 0xC3 && at + 2 < length && !(at && we_is_a_letter(text[at - 1])) && text[at + 1] == ' '
           && (text[at + 2] == ' ' || (text[at + 2] == 's' && at + 3 < length && text[at + 3] == ' '));
}

/* Return whether a span is a word of three accented Latin letters alone, or of a Cyrillic one and two signs, as no text
 * has it. */
static inline int we_is_alone(const uint32_t *text, size_t length, size_t at, size_t count)
{
    for (size_t i = at; i < at + count; i++) {
        const int is_after_cyrillic = i > at && text[at] >= 0x400 && !we_is_a_letter(text[i]);
        if (i >= length || !(we_is_accented(text[i]) || is_after_cyrillic || (i == at && text[at] >= 0x400)))
            return 0;
    }
    if (text[at + 1] == text[at + 2])
        return 0;
    return !(at && we_is_a_letter(text[at - 1])) && !(at + count < length && we_is_a_letter(text[at + count]));
}

/* Return by how much the words of a piece that no text has may reduce the cost of an explanation at most. */
static inline int32_t we_most_reduction(const uint32_t *text, size_t length)
{
    int32_t reduction = 0;
    for (size_t at = 0; at < length; at++)
        if (text[at] >= 0x80
            && (we_is_word_of_one(text, length, at) || we_is_alone(text, length, at, 3)
                || we_is_alone(text, length, at, 4) || we_is_alone(text, length, at, WE_LONGEST_UNIT)))
            reduction += WE_MEND_WORD;
    return reduction;
}

/* Return the least cost of the explanations up to `at`: a unit across it ends within WE_LONGEST_UNIT bytes. */
static inline int32_t we_cheapest_cost(const we_search *search, size_t at, size_t count)
{
    int32_t least = INT32_MAX;
    for (size_t end = at; end <= count && end < at + WE_LONGEST_UNIT; end++)
        for (unsigned i = 0; i < search->counts[end]; i++)
            if (search->states[end * WE_STATES + i].cost < least)
                least = search->states[end * WE_STATES + i].cost;
    return least;
}

/* Return the cheapest explanation of a piece: of its bytes in a reading, or of its characters as they are if `reading`
 * is WE_ALL_READINGS. Write its text to search->target; it is no longer than the piece. */
static inline we_explained we_explain(const uint32_t *text, size_t length, unsigned reading, we_manner manner,
                                      we_search *search)
{
    const int deep = manner.deep;
    const int is_read = reading < WE_ALL_READINGS;
    const size_t count = is_read ? we_read_as(text, length, reading, search) : length;
    we_spaces spaces = is_read ? we_spaces_of(search->bytes, count) : (we_spaces){0, 0, 0, 0};
    spaces.is_proved &= !manner.no_spaces;
    spaces.is_whole = manner.is_further;
    we_explained explained = {0, INT32_MAX, (uint16_t)reading, 0, 0};
    memset(search->counts, 0, count + 1);
    we_relax(search, 0, (we_state){0, 0, 0, WE_GOOD, WE_CLASS_EDGE});
    int is_quoted = 0;
    for (size_t at = 0; at < count; at++) {
        if (at % WE_BETWEEN_LOOKS == 0 && we_cheapest_cost(search, at, count) >= manner.useless)
            return explained;
        if (!search->counts[at])
            continue;
        const size_t character = is_read ? search->places[at] : at + 1;
        size_t end = at + 1;
        while (is_read && end < count && !search->places[end])
            end++;
        if (character)
            we_keep(search, at, end, text[character - 1]);
        if (!is_read)
            continue;
        if (!character && search->bytes[at] < 0x80) { /* ASCII that a character of two bytes swallowed */
            we_undo(search, at, (we_unit){search->bytes[at], 1, 0, 0, 0}, deep);
        } else if (search->bytes[at] >= 0xC2) {
            we_unit unit = we_unit_at(search->bytes + at, search->places + at, spaces);
            const size_t text_index = character ? character - 1 : 0;
            /* Of "â€" a byte is lost that windows-1252 has no character for: that of a closing quotation mark. */
            is_quoted |= we_opens_quote(search->bytes + at);
            if (is_quoted && character && text[character - 1] == 0xE2 && character < length && text[character] == 0x20AC
                && (!unit.length || unit.price == WE_MEND_SPACE) && search->bytes[at + 2] != '?'
                && search->bytes[at + 2] != WE_LOST_BYTE && reading == 0)
                unit = (we_unit){0x201D, 2, WE_MEND_LOST, 0, 0};
            else if (unit.price == WE_MEND_USUAL_SPACE && we_is_word_of_one(text, length, character - 1))
                unit.price -= WE_MEND_WORD;
            else if (unit.length > 2 && reading < WE_READINGS && we_is_alone(text, length, character - 1, unit.length))
                unit.price -= WE_MEND_WORD;
            if (manner.is_further && unit.length && !manner.origins[text_index])
                unit.price += WE_MEND_OTHER;
            if (unit.length && at + unit.length <= count
                && (we_price(unit.character).class != WE_CLASS_NEVER || unit.character == 0xFEFF))
                we_undo(search, at, unit, deep);
        }
    }
    unsigned best = WE_STATES;
    for (unsigned i = 0; i < search->counts[count]; i++) {
        const we_state *const state = &search->states[count * WE_STATES + i];
        const int32_t cost =
            state->cost + (state->class == WE_CLASSES ? WE_MEND_END : mojibake_pairs[state->class * WE_CLASSES]);
        if (cost < explained.cost) {
            explained.cost = cost;
            best = i;
        }
    }
    if (best == WE_STATES)
        return explained; /* a character of two bytes at the end */
    const size_t last = count * WE_STATES + best;
    for (size_t number = last; number >= WE_STATES; number = search->states[number].from)
        explained.length += 1 + (search->states[number].character >> 31);
    size_t at = explained.length;
    for (size_t number = last; number >= WE_STATES; number = search->states[number].from) {
        const we_state state = search->states[number];
        const uint8_t is_grave = state.character >> 31;
        if (is_grave) {
            search->fresh[--at] = 0;
            search->target[at] = ' ';
        }
        search->target[--at] = state.character & 0x7FFFFFFF;
        search->fresh[at] = state.mode == WE_DAMAGED && search->target[at] >= 0x80 ? 1 + is_grave : 0;
        if (is_read && state.character == 0xFFFD && search->fresh[at])
            memcpy(search->target_lost[at], search->bytes + state.from / WE_STATES, 4);
        explained.is_spaced |= is_grave;
        explained.again |= state.mode == WE_DAMAGED && state.class == WE_CLASSES;
    }
    return explained;
}

/* -- What pairs of characters do not show -- */

static inline int we_is_capital(uint32_t character)
{
    if (we_is_between(character, 0x100, 0x17F) || we_is_between(character, 0x1E00, 0x1EFF)) /* in pairs */
        return (int)(character & 1) == we_is_between(character, 0x139, 0x148);
    return we_is_between(character, 'A', 'Z') || we_is_between(character, 0xC0, 0xDE)
           || we_is_between(character, 0x400, 0x42F) || we_is_between(character, 0x391, 0x3AB);
}

static inline int we_is_small(uint32_t character)
{
    const unsigned class = we_price(character).class;
    return class == WE_CLASS_LETTER || (we_is_accented(character) && !we_is_capital(character))
           || we_is_between(character, 0x430, 0x45F) || we_is_between(character, 0x3AC, 0x3CE);
}

/* Return the price of what is odd about a mended text: one letter of another script, one result that touches no
 * letter, a small letter in capitals. */
static inline int32_t we_odd_cost(const uint32_t *text, const uint8_t *fresh, size_t length, unsigned reading)
{
    int32_t cost = 0;
    size_t results = 0, last = 0;
    for (size_t at = 0; at < length; at++) {
        const unsigned script = fresh[at] ? we_script(text[at]) : 0;
        if (!fresh[at])
            continue;
        results++;
        last = at;
        const int is_before_letter = at + 1 < length && we_is_a_letter(text[at + 1]);
        if (we_is_between(text[at], 0x2190, 0x2BFF) && at && we_is_a_letter(text[at - 1]) && is_before_letter)
            cost += WE_MEND_IN_WORD;
        if (text[at] < 0x100 && memchr("\xC5\xD2\xD3\xD4\xD6\xD7\xDB", (int)text[at], 7) != NULL && at
            && we_is_capital(text[at - 1]) && !is_before_letter && !reading)
            cost += WE_MEND_CLOSING;
        if (script > 1 && (reading || !we_is_between(text[at], 0x3B1, 0x3C9))) { /* Greek letters are signs, too */
            size_t others = 0;
            const size_t first = at > 64 ? at - 64 : 0, end = at + 64 < length ? at + 64 : length;
            for (size_t i = first; i < end && !others; i++)
                others += text[i] != text[at] && we_script(text[i]) == script;
            cost += others ? 0 : WE_MEND_ALONE;
        }
        const int is_spaced = at > 1 && text[at - 1] == ' ' && at + 2 < length && text[at + 1] == ' ';
        const size_t before = at - 1 - (size_t)is_spaced, after = at + 1 + (size_t)is_spaced;
        if (at > 1 && text[at] != 0xDF && we_is_small(text[at]) && we_is_capital(text[before])
            && (is_spaced ? we_is_capital(text[after])
                          : we_is_capital(text[at - 2]) && !(at + 1 < length && we_is_small(text[at + 1]))))
            cost += WE_MEND_SMALL;
    }
    if (results == 1 && text[last] < 0x2000) {
        const int touches =
            (last && we_is_a_letter(text[last - 1])) || (last + 1 < length && we_is_a_letter(text[last + 1]));
        if (!touches && (reading || we_is_a_letter(text[last])))
            cost += WE_MEND_UNTOUCHED;
    }
    return cost;
}

/* -- Readings and layers -- */

/* Return the readings in which a piece has a whole sequence, as a set of bits; also windows-1252 if it has one there of
 * which a byte is a space now, or lost. */
static inline uint32_t we_sequences_of(const uint32_t *text, size_t length)
{
    uint32_t readings = 0, lacks_one = 0, lacks_two = 0, lacks_three = 0; /* of a sequence */
    for (size_t at = 0; at < length; at++) {
        const uint32_t character = text[at];
        const we_misread *const misread = we_misread_of(character);
        const int is_lost = character == ' ' || character == '?' || character == 0xFFFD;
        const uint32_t rest = is_lost ? 1 : misread->rest;
        readings |= lacks_one & rest;
        lacks_one = (lacks_two & rest) | misread->leads[0];
        lacks_two = (lacks_three & rest) | misread->leads[1];
        lacks_three = misread->leads[2];
    }
    return readings;
}

/* Return whether bytes contain a whole sequence of UTF-8. */
static inline int we_has_sequence(const uint8_t *bytes, size_t length)
{
    unsigned needed = 0;
    for (size_t at = 0; at < length; at++)
        if (needed && we_is_rest_byte(bytes[at])) {
            if (!--needed)
                return 1;
        } else {
            needed = we_sequence_length(bytes[at]);
            needed -= needed > 0;
        }
    return 0;
}

/* Return whether a piece has a few half-width katakana among few others, and none touches an ASCII letter: a name. */
static inline int we_has_kana_name(const uint32_t *text, size_t length)
{
    enum { FEW = 24 }; /* more are no name */
    size_t count = 0, others = 0;
    for (size_t at = 0; at < length; at++) {
        others += text[at] >= 0x80 && !we_is_half_width(text[at]);
        if (!we_is_half_width(text[at]))
            continue;
        if ((at && we_is_ascii_alpha(text[at - 1])) || (at + 1 < length && we_is_ascii_alpha(text[at + 1])))
            return 0;
        count++;
    }
    return count > 0 && count < FEW && others <= 2 * count;
}

/* Return the best reading of a piece as UTF-8 that was misread, its text in `result`; its length is 0 if there is none
 * that is likelier than the piece by what a reading costs. `own`: the cost of the piece as it is, -1 until it is
 * known. */
static inline we_explained we_reread(const uint32_t *text, size_t length, we_manner manner, int32_t *own,
                                     we_search *search, uint32_t *result, uint8_t *origins)
{
    we_explained best = {0, 0, WE_ALL_READINGS, 0, 0};
    int32_t best_gain = 0, reduction = 0;
    int is_tied = 0;
    const uint32_t single = we_sequences_of(text, length);
    int is_wide = 0;
    for (size_t at = 0; at < length; at++)
        is_wide |= we_is_between(text[at], 0x2E80, 0xFFEE);
    is_wide &= !we_has_kana_name(text, length);
    for (unsigned reading = 0; reading < WE_ALL_READINGS; reading++) {
        if (reading < WE_READINGS
                ? !(single >> reading & 1)
                : !is_wide || !we_has_sequence(search->bytes, we_read_as(text, length, reading, search)))
            continue;
        if (search->tries++ == WE_EXPLANATIONS)
            break;
        if (*own < 0)
            *own = we_explain(text, length, WE_ALL_READINGS, we_plainly, search).cost;
        if (!reduction)
            reduction = 1 + we_most_reduction(text, length);
        const int32_t most = *own - mojibake_readings[reading].prior + (manner.is_further ? WE_MEND_AFTER : 0);
        manner.useless = most - best_gain + WE_MEND_TIE + reduction;
        we_explained explained = we_explain(text, length, reading, manner, search);
        if (explained.length && (explained.is_spaced || search->target[0] == 0xE0)
            && !we_is_grave(search->target, search->fresh, explained.length)) {
            manner.no_spaces = 1;
            explained = we_explain(text, length, reading, manner, search);
            manner.no_spaces = 0;
        }
        const int is_same = explained.length == length && !memcmp(search->target, text, length * sizeof *text);
        if (!explained.length || is_same)
            continue;
        int32_t gain = most - explained.cost;
        if (!explained.again)
            gain -= we_odd_cost(search->target, search->fresh, explained.length, reading);
        const int is_equal = best.length == explained.length && best.length
                             && !memcmp(search->target, result, best.length * sizeof *text);
        if (gain > best_gain) {
            is_tied = best.length && !is_equal && best_gain > gain - WE_MEND_TIE && best.length <= explained.length;
            best_gain = gain;
            best = explained;
            memcpy(result, search->target, explained.length * sizeof *result);
            memcpy(origins, search->fresh, explained.length);
            if (!manner.is_further)
                memcpy(search->lost, search->target_lost, explained.length * sizeof *search->lost);
        } else if (best.length && !is_equal && gain > best_gain - WE_MEND_TIE && explained.length <= best.length) {
            is_tied = 1;
        }
    }
    if (is_tied)
        best.length = 0;
    return best;
}

/* The readings that a piece was misread as, the last one first. */
typedef struct {
    size_t count;
    uint8_t readings[WE_LAYERS];
    size_t length; /* of the text, which is search->layers[count] */
} we_layered;

/* Find the layers of a piece, which is search->layers[at]. What is garbage still counts if a further layer follows. */
static inline int we_peel(we_search *search, size_t at, size_t length, we_layered *layered)
{
    int32_t own = -1;
    if (at == WE_LAYERS)
        return 0;
    for (int deep = 1; deep >= 0; deep--) {
        const we_manner manner = {(uint8_t)deep, at > 0, 0, search->origins[at], 0};
        const we_explained explained = we_reread(search->layers[at], length, manner, &own, search,
                                                 search->layers[at + 1], search->origins[at + 1]);
        if (explained.reading == WE_ALL_READINGS) /* no gain, and so none without garbage */
            break;
        if (!explained.length)
            continue;
        search->lengths[at + 1] = explained.length;
        layered->readings[at] = (uint8_t)explained.reading;
        layered->count = at + 1;
        layered->length = explained.length;
        if (we_peel(search, at + 1, explained.length, layered) || !explained.again)
            return 1;
    }
    layered->count = at;
    layered->length = length;
    return 0;
}

static inline int we_is_c1(uint32_t character)
{
    return we_is_between(character, 0x80, 0x9F);
}

/* The name of the reading of a layer: windows-1252 and its kin differ by the characters that they read. */
static inline const char *we_reading_name(unsigned reading, const uint32_t *text, size_t length)
{
    int has_controls = 0, has_others = 0, is_turkish = 0;
    for (size_t at = 0; at < length && !reading; at++) {
        has_controls |= we_is_c1(text[at]) && !we_is_gap(text[at]);
        has_others |= text[at] > 0xFF && we_misread_of(text[at])->bytes[0] < 0xA0;
        is_turkish |= text[at] > 0xFF && we_is_between(we_misread_of(text[at])->bytes[0], 0xC0, 0xFE);
    }
    return is_turkish ? "windows-1254" : has_controls && !has_others ? "iso-8859-1" : mojibake_readings[reading].name;
}

#endif
