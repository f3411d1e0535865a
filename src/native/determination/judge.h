/* Which encoding a text is in: decode a sample with every candidate, and ask the model how likely the text is.
 *
 * All candidates explain the same bytes, so the costs of their texts compare as they are. A first piece of the sample
 * is decoded by all; the next pieces by those that are left. Time is linear in the bytes, and memory constant. */
#ifndef WE_JUDGE_H
#define WE_JUDGE_H

#include <stddef.h>

#include "scalar/ascii.h"
#include "examine.h"
#include "single_byte_costs.h"
#include "thin.h"
#include "words.h"
#include "whatwg_encoding.h"

/* Structures of encodings that are not ASCII-compatible, bits: NULs of UTF-16, escapes of ISO-2022-JP. And: the data is
 * a whole text, so that an incomplete sequence at its end is an error. */
enum { WE_NULS = 1, WE_ESCAPES = 2, WE_WHOLE = 8 };

enum {
    WE_CANDIDATES = WE_ALL_ENCODINGS,
    WE_SEQUENCES = WE_MULTI_BYTE_ENCODINGS, /* candidates that are not single-byte */
    /* Bytes of the sample: all candidates decode the first piece, those that are not hopeless the second. */
    WE_FIRST_PIECE = 64,
    WE_SECOND_PIECE = 256,
    WE_NEAR = 16, /* ASCII that is sampled before and after other bytes */
    WE_BITS = WE_DETECT_COST_UNIT,
    WE_HOPELESS = 80 * WE_BITS,    /* a candidate is dropped after the first piece if it costs more beyond the best */
    WE_LEFT = 40 * WE_BITS,        /* likewise, after any other */
    WE_NO_GAIN = 2 * WE_HOPELESS,  /* beyond this its letters are not compared with those of languages */
    WE_ERROR = 10 * WE_BITS,       /* what an error costs beyond its U+FFFD, but in UTF-8 */
    WE_CUT = 10 * WE_BITS,         /* an incomplete sequence at either end */
    WE_WHOLE_CUT = 16 * WE_BITS,   /* likewise, of a whole text */
    WE_FOREIGN_KANA = 6 * WE_BITS, /* each in a Chinese or a Korean encoding, which have them for citations */
    WE_HANJA = 3 * WE_BITS,        /* each ideograph in a Korean encoding: pages have Hangul instead */
    WE_NO_SEQUENCE = 16 * WE_BITS, /* errors, and not one valid sequence */
    WE_PLAUSIBLE_BYTES = 512,
    WE_USUAL_PLACE = 16 * WE_BITS,     /* of a symbol between its neighbours; between letters it costs 25 or more */
    WE_PLAUSIBLE = 12 * WE_BITS,       /* a character of several bytes after another, both beyond ASCII */
    WE_PLAUSIBLE_LETTER = 6 * WE_BITS, /* the same of a letter in a single-byte encoding */
    WE_ENOUGH = 48                     /* such characters that show it */
};

typedef enum { WE_SINGLE_BYTE, WE_UTF_8, WE_UTF_16, WE_ISO_2022_JP, WE_JAPANESE, WE_CHINESE, WE_KOREAN } we_kind;

typedef struct {
    const whatwg_encoding *encoding;
    const uint16_t *symbols; /* of each byte, of a single-byte encoding */
    we_kind kind;
    int32_t prior;
} we_candidate;

/* The encodings to choose among, without replacement: count <= WE_CANDIDATES, since each is in it once. */
typedef struct {
    size_t count;
    int8_t positions[WE_CANDIDATES];
    we_candidate candidates[WE_CANDIDATES];
    uint64_t set; /* of those of the standard, a bit each by position */
} we_choices;

/* -- The sample --------------------------------------------------------------------------------------------------- */

typedef struct {
    const uint8_t *bytes;
    size_t length, at;
    size_t whole;  /* ASCII before this index is not left out */
    int condensed; /* leave out the middle of long runs of ASCII */
    int is_ascii;  /* all of the data, so that ASCII-compatible encodings read it alike */
} we_sample;

static inline int we_has(const uint8_t *bytes, size_t length, uint8_t byte)
{
    return length && memchr(bytes, byte, length) != NULL;
}

/* Return the structures of which a text has signs: the halves of UTF-16's units, an escape in ASCII. */
static inline unsigned we_structures_of(const we_examined *text)
{
    unsigned structures = text->has_units ? WE_NULS : 0;
    if (we_has(text->bytes, text->length, WE_ESCAPE)
        && (structures || we_ascii_length_scalar(text->bytes, text->length) == text->length))
        structures |= WE_ESCAPES;
    return structures;
}

/* Return the sample. With NULs the data is perhaps UTF-16, and the sample is its start; with escapes it is perhaps
 * ISO-2022-JP, and the sample begins with the first one. Both are whole: ASCII bytes may be other characters there. */
static inline we_sample we_sample_of(const uint8_t *bytes, size_t length, unsigned structures)
{
    we_sample sample = {bytes, length, 0, 0, !(structures & (WE_NULS | WE_ESCAPES)), 0};
    if (structures & WE_NULS)
        return sample;
    sample.at = we_ascii_length_scalar(bytes, length);
    sample.is_ascii = sample.at == length;
    if (structures & WE_ESCAPES) {
        const uint8_t *escape = sample.at ? memchr(bytes, WE_ESCAPE, sample.at) : NULL;
        if (escape)
            sample.at = (size_t)(escape - bytes);
    }
    sample.at -= sample.at < WE_NEAR ? sample.at : WE_NEAR;
    return sample;
}

/* Return where the next ASCII of more than 2 * WE_NEAR bytes begins, and set its end; `limit` if none begins before it.
 * However blocks of WE_NEAR bytes lie, one of them is within such ASCII. */
static inline size_t we_next_long_ascii(const we_sample *sample, size_t limit, size_t *end)
{
    const uint8_t *bytes = sample->bytes;
    size_t at = sample->at;
    while (at < limit + WE_NEAR && sample->length - at >= WE_NEAR) { /* at <= length */
        uint64_t words[2];
        memcpy(words, bytes + at, sizeof words); /* WE_NEAR bytes */
        if ((words[0] | words[1]) & UINT64_C(0x8080808080808080)) {
            at += WE_NEAR;
            continue;
        }
        size_t start = at;
        while (start > sample->at && bytes[start - 1] < 0x80)
            start--;
        at += WE_NEAR;
        at += we_ascii_length_scalar(bytes + at, sample->length - at);
        if (at - start > 2 * WE_NEAR) {
            *end = at;
            return start < limit ? start : limit;
        }
    }
    return limit;
}

/* Write the next bytes of the sample, at most `capacity`, and return their number. */
static inline size_t we_sample_next(we_sample *sample, uint8_t *target, size_t capacity)
{
    size_t written = 0;
    while (sample->at < sample->length && written < capacity) {
        size_t room = capacity - written, rest = sample->length - sample->at, end = 0;
        size_t limit = sample->at + (room < rest ? room : rest), to = limit;
        if (sample->at < sample->whole)
            to = sample->whole < limit ? sample->whole : limit;
        else if (sample->condensed)
            to = we_next_long_ascii(sample, limit, &end);
        memcpy(target + written, sample->bytes + sample->at, to - sample->at); /* at <= to <= limit */
        written += to - sample->at;
        sample->at = to;
        if (end && to < limit) { /* here is the ASCII whose first and last bytes alone are sampled */
            size_t kept = WE_NEAR < capacity - written ? WE_NEAR : capacity - written;
            memcpy(target + written, sample->bytes + to, kept);
            written += kept;
            sample->at = end == sample->length ? end : end - WE_NEAR;
            sample->whole = end;
        }
    }
    return written;
}

/* Write the next bytes of the thinned sample, at most `capacity` + WE_TOKEN + 1, and return their number, which is less
 * than the capacity at the end. At most `*rest` bytes of the data are sampled, which is counted down. Where `skips`,
 * what has no relevant byte is left out. */
static inline size_t we_thin_next(we_thin *thin, we_sample *sample, size_t *rest, const uint8_t *relevant, int skips,
                                  uint8_t *target, size_t capacity)
{
    size_t written = 0;
    while (written < capacity) {
        if (thin->at == thin->end) {
            uint8_t *const room = we_thin_room(thin);
            const size_t got = we_sample_next(sample, room, *rest < WE_TAKEN ? *rest : WE_TAKEN);
            *rest -= got;
            if (got == 0)
                return written + we_thin_flush(thin, ' ', target + written);
            thin->end += got;
            if (skips && !we_has_relevant(room, got, relevant)) { /* and so all candidates are single-byte */
                written += we_thin_flush(thin, room[0], target + written);
                thin->at = thin->token = thin->end;
                thin->before = thin->raw[thin->end - 1];
                thin->is_left_out = 1;
                continue;
            }
        }
        written += we_thin_add(thin, target + written, capacity - written);
    }
    return written;
}

/* -- Candidates that are not single-byte -------------------------------------------------------------------------- */

typedef struct {
    whatwg_decoder decoder;
    we_text text;
    uint32_t surrogate; /* the first half of a pair, before its second */
    int64_t extra;
    uint32_t is_cut; /* a sequence is incomplete at the end of a whole text */
} we_sequences;

static inline void we_sequences_begin(we_sequences *state, const we_candidate *candidate)
{
    we_c_api->decoder_init(&state->decoder, candidate->encoding, 0);
    we_text_begin(&state->text);
    state->surrogate = 0;
    state->extra = 0;
    state->is_cut = 0;
}

static inline void we_sequences_add(we_sequences *state, const uint8_t *bytes, size_t length)
{
    uint16_t units[1024];
    for (int status = WHATWG_OUTPUT_FULL; status == WHATWG_OUTPUT_FULL;) {
        size_t read = length, written = sizeof units / sizeof *units;
        status = we_c_api->decode_to_utf16(&state->decoder, bytes, &read, units, &written, 0);
        bytes += read;
        length -= read;
        for (size_t i = 0; i < written; i++) {
            uint32_t unit = units[i];
            if ((unit & 0xF800) != 0xD800)
                we_text_add(&state->text, unit);
            else if (unit < 0xDC00)
                state->surrogate = unit;
            else
                we_text_add(&state->text, 0x10000 + ((state->surrogate & 0x3FF) << 10) + (unit & 0x3FF));
        }
    }
}

/* Note the end of the data: a pending sequence is an incomplete one. */
static inline void we_sequences_end(we_sequences *state, int is_whole)
{
    uint16_t units[16];
    size_t read = 0, written = sizeof units / sizeof *units;
    whatwg_decoder decoder = state->decoder;
    uint64_t errors = we_c_api->error_count(&decoder);
    we_c_api->decode_to_utf16(&decoder, (const uint8_t *)"", &read, units, &written, 1);
    state->is_cut = is_whole && we_c_api->error_count(&decoder) > errors;
    if (we_c_api->error_count(&decoder) > errors)
        state->extra += is_whole ? WE_WHOLE_CUT : WE_CUT;
    we_text_add(&state->text, ' ');
}

static inline int64_t we_sequences_cost(const we_sequences *state, const we_candidate *candidate)
{
    uint64_t errors = we_c_api->error_count(&state->decoder);
    int64_t cost = candidate->prior + state->text.cost + state->extra;
    if (candidate->kind != WE_UTF_8)
        cost += (int64_t)errors * WE_ERROR;
    if (candidate->kind == WE_CHINESE || candidate->kind == WE_KOREAN)
        cost += (int64_t)state->text.kana * WE_FOREIGN_KANA;
    if (candidate->kind == WE_KOREAN)
        cost += (int64_t)state->text.ideographs * WE_HANJA;
    if ((errors || state->extra) && !state->text.beyond_ascii)
        cost += WE_NO_SEQUENCE;
    return cost;
}

/* Add the first piece. If the data begins within a sequence, its rest is left out. `ended`: it is all of the data. */
static inline void we_sequences_first(we_sequences *state, const we_candidate *candidate, const uint8_t *bytes,
                                      size_t length, int at_start, int ended, int is_whole)
{
    we_sequences_begin(state, candidate);
    if (at_start && candidate->kind == WE_UTF_8) {
        size_t rest = 0;
        while (rest < 3 && rest < length && (bytes[rest] & 0xC0) == 0x80)
            rest++;
        if (rest)
            state->extra = WE_CUT;
        bytes += rest;
        length -= rest;
    }
    we_sequences_add(state, bytes, length);
    if (ended)
        we_sequences_end(state, is_whole);
    /* A whole text without an error begins where a sequence does. */
    const int is_sound = is_whole && !state->is_cut && !we_c_api->error_count(&state->decoder);
    if (at_start && candidate->kind >= WE_JAPANESE && length && bytes[0] >= 0x80 && !is_sound) {
        we_sequences other;
        we_sequences_begin(&other, candidate);
        other.extra = is_whole ? WE_WHOLE_CUT : WE_CUT;
        we_sequences_add(&other, bytes + 1, length - 1);
        if (ended)
            we_sequences_end(&other, is_whole);
        if (we_sequences_cost(&other, candidate) - we_text_gain(&other.text)
            < we_sequences_cost(state, candidate) - we_text_gain(&state->text))
            *state = other;
    }
}

/* -- The decision ------------------------------------------------------------------------------------------------- */

/* What is known of a candidate's text, as far as it decoded the sample. */
typedef struct {
    size_t contexts;     /* distinct ones of the bytes beyond ASCII, until it was dropped */
    uint32_t errors;     /* sequences or bytes that are malformed, one at the end of a whole text included */
    uint32_t never;      /* C1 controls and characters for private use */
    uint32_t characters; /* of several bytes, without U+FFFD */
} we_judgement;

/* An encoding that is compared with others: what it has decoded, and what its text costs. */
typedef struct {
    const we_candidate *candidate;
    we_sequences *sequences; /* null of a single-byte encoding */
    int64_t pairs;           /* of a single-byte encoding, the cost of its pairs so far */
    int64_t gain;            /* of the likeliest languages */
    int64_t cost;            /* INT64_MAX before the first piece; beyond the best one's after it is dropped */
    int is_left;             /* not dropped */
    we_judgement judgement;
} we_contender;

typedef struct {
    we_bytes bytes;
    we_sequences sequences[WE_SEQUENCES];
    we_contender contenders[WE_CANDIDATES];
    we_thin thin;
    int language; /* the Latin language of the words in ASCII, -1 if they do not tell */
    uint8_t bytes_of_piece[WE_PIECE];
    /* Of the last comparison of all choices: */
    we_choices choices;
    int64_t costs[WE_CANDIDATES];
} we_work;

/* A piece of the sample, in `bytes_of_piece`. */
typedef struct {
    size_t length;
    int is_first, is_last;
    int begins_data, ends_data; /* at its ends */
    int is_whole;               /* the data */
} we_piece;

static inline void we_contender_feed(we_contender *contender, const we_piece *piece, const we_work *work)
{
    we_sequences *const sequences = contender->sequences;
    if (sequences == NULL) {
        contender->pairs += we_bytes_pairs(&work->bytes, contender->candidate->symbols);
    } else if (piece->is_first) {
        we_sequences_first(sequences, contender->candidate, work->bytes_of_piece, piece->length, piece->begins_data,
                           piece->ends_data, piece->is_whole);
    } else {
        we_sequences_add(sequences, work->bytes_of_piece, piece->length);
        if (piece->ends_data)
            we_sequences_end(sequences, piece->is_whole);
    }
}

/* Return the cost of what a contender was fed, without its gain. */
static inline int64_t we_contender_cost(we_contender *contender, const we_work *work)
{
    const we_candidate *const candidate = contender->candidate;
    we_judgement *const judgement = &contender->judgement;
    if (contender->sequences != NULL)
        return we_sequences_cost(contender->sequences, candidate)
               + we_text_foreign(&contender->sequences->text, work->language);
    const int64_t cost = candidate->prior + contender->pairs
                         + we_bytes_cost(&work->bytes, candidate->symbols, &judgement->errors, &judgement->never)
                         + we_bytes_foreign(&work->bytes, candidate->symbols, work->language);
    return cost + (int64_t)judgement->errors * WE_ERROR;
}

static inline int64_t we_contender_gain(const we_contender *contender, const we_work *work, const we_letters *ascii)
{
    return contender->sequences != NULL ? we_text_gain(&contender->sequences->text)
                                        : we_bytes_gain(&work->bytes, contender->candidate->symbols, ascii);
}

/* Set what is known of a contender's text at the end. One that was never fed has no state. */
static inline void we_contender_judge(we_contender *contender, const we_work *work)
{
    const we_sequences *const state = contender->sequences;
    we_judgement *const judgement = &contender->judgement;
    if (contender->is_left)
        judgement->contexts = work->thin.contexts;
    if (state == NULL || contender->cost == INT64_MAX)
        return;
    judgement->errors = (uint32_t)we_c_api->error_count(&state->decoder) + state->is_cut;
    judgement->never = state->text.never;
    judgement->characters = state->text.beyond_ascii;
}

/* Return the bits beyond the best by which a contender is dropped. Sequences without an error in the first piece are
 * evidence that few characters give, though these be rare: a title of single letters, say. */
static inline int64_t we_contender_limit(const we_contender *contender, int is_first, int is_ascii)
{
    const int is_valid =
        contender->candidate->kind >= WE_JAPANESE && !we_c_api->error_count(&contender->sequences->decoder);
    return !is_first ? WE_LEFT : !is_ascii && is_valid ? 3 * WE_HOPELESS : WE_HOPELESS;
}

/* Return whether the start of a text in a declared encoding is text, so that no other encoding needs to be compared: it
 * has no error, no kana in an encoding of another language, and enough characters beyond ASCII that cost little after
 * each other. `piece`: for WE_PLAUSIBLE_BYTES of the sample.
 *
 * In sentences of 17 languages such pairs cost 4.1 to 4.8 bits in the right single-byte encoding of an alphabet other
 * than the Latin one, and 7.1 or more in a wrong one; 9.2 to 11.7 in the right encoding of several bytes, and 12.3 or
 * more in a wrong one. */
static inline int we_is_plausible(const we_candidate *candidate, const uint8_t *data, size_t length, uint8_t *piece)
{
    uint16_t units[WE_PLAUSIBLE_BYTES];
    we_sample sample = we_sample_of(data, length, 0);
    size_t read, written = WE_PLAUSIBLE_BYTES;
    int64_t cost = 0, pairs = 0;
    whatwg_decoder decoder;
    if (candidate->kind != WE_SINGLE_BYTE && candidate->kind < WE_JAPANESE)
        return 0;
    read = we_sample_next(&sample, piece, WE_PLAUSIBLE_BYTES);
    we_c_api->decoder_init(&decoder, candidate->encoding, 0);
    we_c_api->decode_to_utf16(&decoder, piece, &read, units, &written, 0);
    if (we_c_api->error_count(&decoder))
        return 0;
    for (size_t at = 1; at < written; at++) {
        if (candidate->kind > WE_JAPANESE && we_is_kana(units[at]))
            return 0;
        /* Latin letters beyond ASCII seldom follow each other. */
        if (units[at - 1] < 0x80 || units[at] < 0x80
            || we_model.scripts[we_model.symbols[units[at]] & WE_DETECT_CLASS] == 0)
            continue;
        cost += we_cost(we_model.symbols[units[at - 1]], we_model.symbols[units[at]]);
        pairs++;
    }
    return pairs >= WE_ENOUGH
           && cost <= pairs * (candidate->kind == WE_SINGLE_BYTE ? WE_PLAUSIBLE_LETTER : WE_PLAUSIBLE);
}

/* The same of a text in Latin letters: whether the words in ASCII tell a language, and the bytes beyond ASCII at the
 * start are its letters, none of them a capital in a word, or symbols in their usual places. */
static inline int we_is_of_language(const we_candidate *candidate, const uint8_t *data, size_t length, uint8_t *piece)
{
    const uint16_t *const symbols = candidate->symbols;
    const int language = candidate->kind == WE_SINGLE_BYTE
                             ? we_language_of_words(data, length < WE_WORD_WINDOW ? length : WE_WORD_WINDOW)
                             : -1;
    we_sample sample = we_sample_of(data, length, 0);
    if (language < 0)
        return 0;
    const size_t read = we_sample_next(&sample, piece, WE_PLAUSIBLE_BYTES);
    for (size_t at = 0; at < read; at++) {
        const uint8_t before = at ? piece[at - 1] : ' ', byte = piece[at], after = at + 1 < read ? piece[at + 1] : ' ';
        const unsigned class = symbols[byte] & WE_DETECT_CLASS, letter_case = symbols[byte] >> WE_DETECT_CASE_SHIFT & 3;
        if (byte < 0x80)
            continue;
        if (symbols[byte] & WE_DETECT_PLACED_SYMBOL) {
            if (we_place_cost(symbols[byte], we_kind_of(before, symbols[before]), we_kind_of(after, symbols[after]), 0)
                > WE_USUAL_PLACE)
                return 0;
        } else if (we_model.scripts[class] != 0 || we_model.lacking[class] >> language & 1
                   || (letter_case == 2 && (symbols[before] >> WE_DETECT_CASE_SHIFT & 3) == 1)) {
            return 0;
        }
    }
    return 1;
}

/* Mark the bytes that contenders which are left decode to different characters, if they are all single-byte. */
static inline void we_mark_relevant(const we_contender *contenders, size_t count, uint8_t *relevant)
{
    const uint16_t *symbols = NULL;
    memset(relevant, 0, 256);
    for (size_t i = 0; i < count; i++) {
        const we_contender *const contender = &contenders[i];
        if (!contender->is_left)
            continue;
        if (contender->sequences != NULL) {
            memset(relevant, 1, 256);
            return;
        }
        if (symbols == NULL)
            symbols = contender->candidate->symbols;
        for (int byte = 0x80; byte < 0x100; byte++)
            relevant[byte] |= symbols[byte] != contender->candidate->symbols[byte];
    }
}

/* Return the bytes of the next piece. The letters of the first pieces are counted, WE_LETTERS together. */
static inline size_t we_piece_size(size_t sampled)
{
    if (sampled < WE_FIRST_PIECE)
        return WE_FIRST_PIECE;
    if (sampled < WE_FIRST_PIECE + WE_SECOND_PIECE)
        return WE_SECOND_PIECE;
    return sampled < WE_LETTERS ? WE_LETTERS - sampled : WE_ASKED;
}

/* Return the least cost of the contenders that are left, and set how many are within WE_LEFT of it. */
static inline int64_t we_least_cost(const we_contender *contenders, size_t count, size_t *near)
{
    int64_t best = INT64_MAX;
    *near = 0;
    for (size_t i = 0; i < count; i++)
        if (contenders[i].is_left && contenders[i].cost < best)
            best = contenders[i].cost;
    for (size_t i = 0; i < count; i++)
        *near += contenders[i].is_left && contenders[i].cost - best < WE_LEFT;
    return best;
}

/* Write the cost of each candidate, INT64_MAX for those that the bytes rule out, and return the number of bytes of the
 * data that the sample stands for. At most WE_CANDIDATES candidates, of which at most WE_SEQUENCES are not single-byte.
 * `structures`: without WE_NULS the data is not UTF-16, without WE_ESCAPES not ISO-2022-JP. `incumbent`: the index
 * of a candidate that may cost `allowance` more than others before it is dropped, or `count`. */
static inline size_t we_detect(const we_candidate *candidates, size_t count, const uint8_t *data, size_t length,
                               size_t limit, unsigned structures, size_t incumbent, int64_t allowance, we_work *work,
                               int64_t *costs)
{
    const int is_thinned = !(structures & (WE_NULS | WE_ESCAPES));
    we_contender *const contenders = work->contenders;
    we_sample sample = we_sample_of(data, length, structures);
    uint8_t relevant[256];
    size_t sequences = 0, remaining = 0, sampled = 0, rest = limit, near;
    we_piece piece = {0, 1, 0, sample.at == 0, 0, (structures & WE_WHOLE) != 0};
    for (size_t i = 0; i < count; i++) {
        const we_kind kind = candidates[i].kind;
        we_contender *const contender = &contenders[i];
        memset(contender, 0, sizeof *contender);
        contender->candidate = &candidates[i];
        contender->sequences = kind == WE_SINGLE_BYTE ? NULL : &work->sequences[sequences++];
        contender->cost = INT64_MAX;
        contender->is_left =
            !(kind == WE_UTF_16 && !(structures & WE_NULS)) && !(kind == WE_ISO_2022_JP && !(structures & WE_ESCAPES));
        remaining += (size_t)contender->is_left;
    }
    memset(relevant, 1, sizeof relevant);
    we_bytes_begin(&work->bytes);
    we_thin_begin(&work->thin);
    work->language = -1;
    for (;; piece.is_first = 0) {
        const size_t capacity = we_piece_size(sampled);
        const int counts_letters = sampled < WE_LETTERS;
        we_letters ascii;
        int64_t best = INT64_MAX;
        if (is_thinned) {
            piece.length =
                we_thin_next(&work->thin, &sample, &rest, relevant, !counts_letters, work->bytes_of_piece, capacity);
        } else {
            piece.length = we_sample_next(&sample, work->bytes_of_piece, capacity < rest ? capacity : rest);
            rest -= piece.length;
        }
        piece.is_last = piece.length < capacity;
        piece.ends_data = piece.is_last && sample.at == sample.length;
        if (piece.ends_data) /* the text is followed by a space, which is in no sequence: they are not given it */
            work->bytes_of_piece[piece.length] = ' ';
        we_bytes_count(&work->bytes, work->bytes_of_piece, piece.length + (size_t)piece.ends_data, relevant,
                       counts_letters);
        if (counts_letters)
            we_bytes_ascii_letters(&work->bytes, &ascii);
        sampled += piece.length;
        for (size_t i = 0; i < count; i++) {
            we_contender *const contender = &contenders[i];
            if (!contender->is_left)
                continue;
            we_contender_feed(contender, &piece, work);
            contender->cost = we_contender_cost(contender, work);
            best = contender->cost < best ? contender->cost : best;
        }
        for (size_t i = 0; i < count; i++) {
            we_contender *const contender = &contenders[i];
            if (!contender->is_left)
                continue;
            if (counts_letters)
                contender->gain = contender->cost > best + WE_NO_GAIN ? 0 : we_contender_gain(contender, work, &ascii);
            contender->cost -= contender->gain;
        }
        best = we_least_cost(contenders, count, &near);
        if (piece.is_first && is_thinned && near > 1) {
            work->language = we_language_of_words(data, length < WE_WORD_WINDOW ? length : WE_WORD_WINDOW);
            for (size_t i = 0; i < count && work->language >= 0; i++)
                if (contenders[i].is_left)
                    contenders[i].cost = we_contender_cost(&contenders[i], work) - contenders[i].gain;
            best = we_least_cost(contenders, count, &near);
        }
        for (size_t i = 0; i < count; i++) {
            we_contender *const contender = &contenders[i];
            if (!contender->is_left)
                continue;
            contender->cost -= best;
            if (contender->cost - we_contender_limit(contender, piece.is_first, sample.is_ascii)
                > (i == incumbent ? allowance : 0)) {
                contender->is_left = 0;
                contender->judgement.contexts = work->thin.contexts;
                remaining--;
            }
        }
        /* Of two, a part of a text need not be read on for its vote; of more, costs are compared further. */
        if (piece.is_last || (remaining <= 1 && (count == 2 || sampled >= WE_FIRST_PIECE + WE_SECOND_PIECE))) {
            for (size_t i = 0; i < count; i++) {
                we_contender_judge(&contenders[i], work);
                contenders[i].cost += contenders[i].cost == INT64_MAX ? 0 : best;
                costs[i] = contenders[i].cost;
            }
            return sample.at;
        }
        we_mark_relevant(contenders, count, relevant);
    }
}

/* After a comparison, return the index in detect_languages of a contender's language, -1 where the text does not tell.
 * `ascii`: the letters of ASCII. */
static inline int we_contender_language(const we_contender *contender, const we_work *work, const we_letters *ascii)
{
    we_letters letters;
    uint32_t unused;
    if (contender->sequences != NULL)
        return we_text_language(&contender->sequences->text);
    we_bytes_letters(&work->bytes, contender->candidate->symbols, ascii, &letters);
    return we_letters_language(&letters, &unused);
}

/* Return the index in detect_languages of the language of data in an encoding that is not single-byte, -1 if it does
 * not tell. ASCII alone does not: its letters are those of too many languages. */
static inline int we_detect_language(const we_candidate *candidate, const uint8_t *data, size_t length, we_work *work)
{
    we_sequences *state = &work->sequences[0];
    we_sample sample = we_sample_of(data, length, candidate->kind == WE_UTF_16 ? WE_NULS : 0);
    size_t sampled = 0;
    we_sequences_begin(state, candidate);
    while (sampled < WE_LETTERS && sample.at < sample.length) {
        size_t got = we_sample_next(&sample, work->bytes_of_piece, WE_LETTERS - sampled);
        we_sequences_add(state, work->bytes_of_piece, got);
        sampled += got;
    }
    we_text_add(&state->text, ' '); /* ends a word */
    return state->text.beyond_ascii ? we_text_language(&state->text) : -1;
}

/* -- Declarations ------------------------------------------------------------------------------------------------- */

typedef enum { WE_BY_HEADER, WE_BY_META, WE_BY_BOTH } we_strength;

/* The bits by which another encoding must be better than a declared one: so many in any case, by strength, and so many
 * to each distinct context. A page and its server rarely err together. */
static const int32_t we_least_margins[] = {8 * WE_BITS, 12 * WE_BITS, 24 * WE_BITS};
enum {
    WE_MARGIN_EACH = WE_BITS / 4,
    WE_MARGIN_FEW = 16 * WE_BITS, /* more, divided by the number of contexts: a word or two prove little, and twice */
    WE_CHOSEN = 2,                /* as much against an encoding that no server declares by default */
    /* For each distinct byte that stands alone, in a list perhaps, in which letters of any alphabet may be. Fitted on
     * 93 keymaps with a right header: none loses it, but 4 without this. With 12 bits, 2 of 490 pages more keep a
     * wrong one. */
    WE_MARGIN_LISTED = 8 * WE_BITS
};

/* Return whether an encoding never replaces a declared one: nobody serves text in it without saying so. */
static inline int we_never_replaces(const we_candidate *candidate)
{
    return candidate->encoding == we_c_api->for_label("macintosh", 9)
           || candidate->encoding == we_c_api->for_label("ibm866", 6);
}

/* After `we_detect`, return whether a declared candidate wins although the rival costs less: the declared one decoded
 * the sample without an error and without what never is text, and the rival is not better by enough to each distinct
 * context, or never replaces a declared one. Against UTF-8 with more characters than errors, whose sequences do not
 * come by chance, costs alone decide. */
static inline int we_declaration_wins(const we_contender *declared, const we_contender *rival, we_strength strength,
                                      const we_bytes *bytes)
{
    const we_judgement *const own = &declared->judgement, *const other = &rival->judgement;
    if (declared->cost == INT64_MAX || own->errors || own->never)
        return 0;
    if (rival->candidate->kind == WE_UTF_8 && other->characters > other->errors)
        return 0;
    if (we_never_replaces(rival->candidate))
        return 1;
    const int64_t contexts = own->contexts ? (int64_t)own->contexts : 1;
    const int chosen = declared->candidate->encoding == we_c_api->by_index(WE_POSITION_WINDOWS_1252) ? 1 : WE_CHOSEN;
    return declared->cost - rival->cost < we_least_margins[strength] + contexts * WE_MARGIN_EACH
                                              + chosen * WE_MARGIN_FEW / contexts
                                              + (int64_t)bytes->listed * WE_MARGIN_LISTED;
}

#endif
