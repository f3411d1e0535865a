/* The encodings that a text may be in, the likeliest first: what the C API's `detect` returns.
 *
 * A byte order mark decides alone, and so does valid UTF-8. Otherwise the costs of detect.h are sorted. They are bits,
 * and so are the priors here and the weights of hints, so that one sum decides. */
#ifndef WE_DETECT_GUESS_H
#define WE_DETECT_GUESS_H

#include "detect.h"

enum {
    WE_SAMPLE = 16384, /* the default of the limit */
    WE_LONGEST_CUT = 3 /* upper bound on the bytes of an incomplete sequence */
};

/* Bits in favour of an encoding that is declared. windows-1252 is what many servers declare by default. The first of
 * several counts more: a header is set more carefully than a page is copied. */
enum { WE_DECLARED = 12, WE_DECLARED_WINDOWS_1252 = 3, WE_DECLARED_FIRST = 6 };

/* The encodings that are detected, the commonest first, and the eighths of a bit against each before its bytes are
 * seen. ISO-8859-10, ISO-8859-14 and ISO-8859-16 are candidates only if they are declared: text in them is rare, and
 * differs in few bytes, or none, from that in a commoner encoding. */
enum { WE_OTHER_PRIOR = 12 * WE_BITS };
static const struct {
    const char *name;
    uint8_t kind;
    uint8_t prior;
} we_detected[] = {
    {"UTF-8", WE_UTF_8, 0},
    {"windows-1252", WE_SINGLE_BYTE, 3 * WE_BITS},
    {"windows-1251", WE_SINGLE_BYTE, 4 * WE_BITS},
    {"windows-1254", WE_SINGLE_BYTE, 9 * WE_BITS / 2},
    {"GBK", WE_CHINESE, 5 * WE_BITS},
    {"Shift_JIS", WE_JAPANESE, 5 * WE_BITS},
    {"EUC-JP", WE_JAPANESE, 5 * WE_BITS},
    {"EUC-KR", WE_KOREAN, 5 * WE_BITS},
    {"Big5", WE_CHINESE, 5 * WE_BITS},
    {"windows-1250", WE_SINGLE_BYTE, 5 * WE_BITS},
    {"windows-1253", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"windows-1255", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"windows-1256", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"windows-1257", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"windows-874", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"ISO-8859-2", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"ISO-8859-7", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"ISO-8859-15", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"KOI8-R", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"KOI8-U", WE_SINGLE_BYTE, 6 * WE_BITS},
    {"ISO-2022-JP", WE_ISO_2022_JP, 7 * WE_BITS},
    {"IBM866", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-4", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-5", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-6", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-8", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-13", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"macintosh", WE_SINGLE_BYTE, 11 * WE_BITS},
    {"x-mac-cyrillic", WE_SINGLE_BYTE, 11 * WE_BITS},
    {"UTF-16LE", WE_UTF_16, 11 * WE_BITS},
    {"UTF-16BE", WE_UTF_16, 11 * WE_BITS},
    {"ISO-8859-3", WE_SINGLE_BYTE, 12 * WE_BITS},
    {"windows-1258", WE_SINGLE_BYTE, 12 * WE_BITS},
};

enum { WE_DETECTED = sizeof we_detected / sizeof we_detected[0] };

/* Pairs of encodings that decode text alike. The second one is the candidate. */
static const char *const we_same[][2] = {{"gb18030", "GBK"}, {"ISO-8859-8-I", "ISO-8859-8"}};

/* All encodings but replacement, which decodes no text: first those of we_detected. Filled once. */
typedef struct {
    size_t count;
    we_candidate candidates[WE_CANDIDATES];
    uint8_t candidate[WE_CANDIDATES]; /* of each encoding the index of the one that stands for it */
    uint16_t symbols[WE_CANDIDATES][256];
} we_encodings;
static we_encodings we_known;

enum { WE_UNKNOWN = 255 };

/* Return the index of an encoding in we_known, WE_UNKNOWN for replacement and NULL. */
static inline unsigned we_known_index(const whatwg_encoding *encoding)
{
    for (unsigned each = 0; each < we_known.count; each++)
        if (we_known.candidates[each].encoding == encoding)
            return each;
    return WE_UNKNOWN;
}

static inline unsigned we_known_named(const char *name, const whatwg_encoding_api *api)
{
    return we_known_index(api->for_label(name, strlen(name)));
}

static inline void we_known_add(const whatwg_encoding *encoding, we_kind kind, int32_t prior,
                                const whatwg_encoding_api *api)
{
    uint16_t *const symbols = we_known.symbols[we_known.count];
    const we_candidate candidate = {encoding, symbols, kind, prior};
    if (kind == WE_SINGLE_BYTE) { /* each byte gives one unit, those without a code point U+FFFD */
        uint8_t bytes[256];
        size_t read = 256, written = 256;
        whatwg_decoder decoder;
        for (unsigned byte = 0; byte < 256; byte++)
            bytes[byte] = (uint8_t)byte;
        api->decoder_init(&decoder, encoding, 0);
        api->decode_to_utf16(&decoder, bytes, &read, symbols, &written, 1);
        for (unsigned byte = 0; byte < 256; byte++)
            symbols[byte] = we_symbol(symbols[byte]);
    }
    we_known.candidate[we_known.count] = (uint8_t)we_known.count;
    we_known.candidates[we_known.count++] = candidate;
}

/* Fill the model and we_known. */
static inline void we_guess_fill(const whatwg_encoding_api *api)
{
    const whatwg_encoding *encoding;
    we_model_fill();
    for (size_t each = 0; each < WE_DETECTED; each++) {
        encoding = api->for_label(we_detected[each].name, strlen(we_detected[each].name));
        if (encoding != NULL) /* unless the standard has removed it */
            we_known_add(encoding, (we_kind)we_detected[each].kind, we_detected[each].prior, api);
    }
    for (size_t each = 0; (encoding = api->by_index(each)) != NULL; each++)
        if (we_known_index(encoding) == WE_UNKNOWN && strcmp(api->name(encoding), "replacement") != 0)
            we_known_add(encoding, api->is_single_byte(encoding) ? WE_SINGLE_BYTE : WE_CHINESE, WE_OTHER_PRIOR, api);
    for (size_t each = 0; each < sizeof we_same / sizeof we_same[0]; each++) {
        const unsigned one = we_known_named(we_same[each][0], api), other = we_known_named(we_same[each][1], api);
        if (one != WE_UNKNOWN && other != WE_UNKNOWN)
            we_known.candidate[one] = (uint8_t)other;
    }
}

/* Return whether bytes are valid UTF-8 and nothing else: not UTF-16, whose ASCII is valid UTF-8, too, and not
 * ISO-2022-JP. An incomplete sequence at the end is accepted, unless it is the only byte beyond ASCII. */
static inline int we_is_utf_8(const uint8_t *bytes, size_t length, const whatwg_encoding_api *api)
{
    const whatwg_encoding *const utf_8 = we_known.candidates[0].encoding;
    if (we_has_nuls(bytes, length))
        return 0;
    const size_t ascii = length ? we_ascii_length_scalar(bytes, length) : 0,
                 valid = api->valid_up_to(utf_8, bytes, length);
    if (ascii == length)
        return length == 0 || !we_has_japanese_escape(bytes, length);
    if (valid < length) {
        uint32_t units[WE_LONGEST_CUT];
        size_t read = length - valid, written = WE_LONGEST_CUT;
        whatwg_decoder decoder;
        if (read > WE_LONGEST_CUT || ascii == length - 1)
            return 0;
        api->decoder_init(&decoder, utf_8, 0);
        api->decode_to_utf32(&decoder, bytes + valid, &read, units, &written, 0);
        return written == 0;
    }
    return 1;
}

/* The candidates of a call, as indices of we_known, and the eighths of a bit that hints add in favour of each. */
typedef struct {
    size_t count;
    uint8_t known[WE_CANDIDATES];
    int32_t bonuses[WE_CANDIDATES];
    int is_given;
} we_choice;

static inline int we_choice_has(const we_choice *choice, unsigned known)
{
    return known != WE_UNKNOWN && memchr(choice->known, (int)known, choice->count) != NULL;
}

static inline void we_choice_add(we_choice *choice, unsigned known)
{
    if (known != WE_UNKNOWN && !we_choice_has(choice, known))
        choice->known[choice->count++] = (uint8_t)known;
}

/* Return the index of a declared encoding among the candidates, WE_UNKNOWN if it is no hint. */
static inline unsigned we_declared_as(const we_choice *choice, const whatwg_encoding *declared,
                                      const whatwg_encoding_api *api)
{
    const unsigned known = we_known_index(declared);
    if (known == WE_UNKNOWN || choice->is_given)
        return known;
    return strcmp(api->name(declared), "x-user-defined") == 0 ? WE_UNKNOWN : we_known.candidate[known];
}

static inline we_choice we_choose(const whatwg_detect_options *options, const whatwg_encoding_api *api)
{
    we_choice choice;
    memset(&choice, 0, sizeof choice);
    choice.is_given = options->candidate_count != 0;
    for (unsigned each = 0; each < (choice.is_given ? 0 : WE_DETECTED); each++)
        we_choice_add(&choice, each);
    for (size_t each = 0; each < options->candidate_count; each++)
        we_choice_add(&choice, we_known_index(options->candidates[each]));
    size_t declared = 0;
    unsigned first = WE_UNKNOWN;
    for (size_t each = 0; each < options->declared_count; each++) {
        const unsigned known = we_declared_as(&choice, options->declared[each], api);
        if (known == WE_UNKNOWN)
            continue;
        if (!choice.is_given)
            we_choice_add(&choice, known);
        const int is_default = strcmp(api->name(we_known.candidates[known].encoding), "windows-1252") == 0;
        choice.bonuses[known] += (is_default ? WE_DECLARED_WINDOWS_1252 : WE_DECLARED) * WE_BITS;
        if (declared++ == 0 && !is_default)
            first = known;
    }
    if (declared > 1 && first != WE_UNKNOWN)
        choice.bonuses[first] += WE_DECLARED_FIRST * WE_BITS;
    return choice;
}

/* Return the declared one of two encodings that decode alike. */
static inline const whatwg_encoding *we_as_declared(unsigned known, const whatwg_detect_options *options)
{
    for (size_t each = 0; each < options->declared_count; each++) {
        const unsigned declared = we_known_index(options->declared[each]);
        if (declared != WE_UNKNOWN && declared != known && we_known.candidate[declared] == known)
            return options->declared[each];
    }
    return we_known.candidates[known].encoding;
}

static inline size_t we_guess_one(const whatwg_encoding *encoding, whatwg_guess *guesses, size_t capacity)
{
    const whatwg_guess guess = {encoding, 0};
    if (capacity != 0)
        guesses[0] = guess;
    return 1;
}

/* Round eighths of a bit, which may be negative, to bits. */
static inline int64_t we_whole_bits(int64_t cost)
{
    const int64_t more = cost + WE_BITS / 2;
    return more >= 0 ? more / WE_BITS : -((-more + WE_BITS - 1) / WE_BITS);
}

/* `detect` of the C API, after we_guess_fill. */
static inline size_t we_guess(const uint8_t *bytes, size_t length, const whatwg_detect_options *given,
                              whatwg_guess *guesses, size_t capacity, const whatwg_encoding_api *api)
{
    whatwg_detect_options options;
    we_candidate candidates[WE_CANDIDATES];
    int64_t costs[WE_CANDIDATES];
    we_work work;
    size_t mark, found = 0;
    memset(&options, 0, sizeof options);
    memset(candidates, 0, sizeof candidates);
    if (given != NULL)
        memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    const we_choice choice = we_choose(&options, api);
    const whatwg_encoding *const marked = api->for_bom(bytes, length, &mark);
    if (marked != NULL && (!choice.is_given || we_choice_has(&choice, we_known_index(marked))))
        return we_guess_one(marked, guesses, capacity);
    if (we_choice_has(&choice, 0) && we_is_utf_8(bytes, length, api))
        return we_guess_one(we_known.candidates[0].encoding, guesses, capacity);
    for (size_t each = 0; each < choice.count; each++) {
        candidates[each] = we_known.candidates[choice.known[each]];
        candidates[each].prior -= choice.bonuses[choice.known[each]];
    }
    we_detect(candidates, choice.count, bytes, length, options.limit ? options.limit : WE_SAMPLE,
              we_structures_of(bytes, length), choice.count, 0, api, &work, costs);
    /* The least cost first; of equal ones, which are rounded afterwards, the earlier candidate. */
    uint8_t order[WE_CANDIDATES];
    for (size_t each = 0; each < choice.count; each++) {
        size_t at = found;
        if (costs[each] == INT64_MAX)
            continue;
        for (; at > 0 && costs[order[at - 1]] > costs[each]; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)each;
        found++;
    }
    for (size_t each = 0; each < found && each < capacity; each++) {
        const unsigned known = choice.known[order[each]];
        guesses[each].encoding =
            choice.is_given ? we_known.candidates[known].encoding : we_as_declared(known, &options);
        guesses[each].bits = we_whole_bits(costs[order[each]]);
    }
    return found;
}

#endif
