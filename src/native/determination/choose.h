/* Which encoding a text is in: the choice from what its bytes show, what is declared, and what a caller allows.
 *
 * One sum decides, in eighths of a bit (WE_BITS): what text costs, priors, and the weights of declarations and hints,
 * which are written here in bits. */
#ifndef WE_CHOOSE_H
#define WE_CHOOSE_H

#include "judge.h"
#include "examine.h"

enum {
    WE_SAMPLE = 16384,       /* the default of the limit */
    WE_BITS_OF_LANGUAGE = 6, /* in favour of the usual encodings of a host's or a user's language */
    WE_BITS_OF_ERROR = 18,   /* against UTF-8 for an error in all of the data beyond the number of its characters */
    WE_MANY_ERRORS = 1 << 16 /* which decide in any case */
};

/* Bits in favour of an encoding that is declared. windows-1252 is what many servers declare by default. The first of
 * several counts more: a header is set more carefully than a page is copied. */
enum { WE_DECLARED = 12, WE_DECLARED_WINDOWS_1252 = 3, WE_DECLARED_FIRST = 6 };

/* The encodings that are detected, the commonest first, and the eighths of a bit against each before its bytes are
 * seen. ISO-8859-4, -10, -14 and -16 are candidates only if they are declared: text in them is rare, and differs in few
 * bytes, or none, from that in a commoner encoding. Macs have been writing UTF-8 for long. */
enum { WE_OTHER_PRIOR = 12 * WE_BITS };
static const struct {
    const char *name;
    uint8_t kind;
    uint16_t prior;
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
    {"ISO-8859-5", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-6", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-8", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"ISO-8859-13", WE_SINGLE_BYTE, 9 * WE_BITS},
    {"macintosh", WE_SINGLE_BYTE, 15 * WE_BITS},
    {"x-mac-cyrillic", WE_SINGLE_BYTE, 17 * WE_BITS},
    {"UTF-16LE", WE_UTF_16, 11 * WE_BITS},
    {"UTF-16BE", WE_UTF_16, 11 * WE_BITS},
    {"ISO-8859-3", WE_SINGLE_BYTE, 12 * WE_BITS},
    {"windows-1258", WE_SINGLE_BYTE, 12 * WE_BITS},
};

enum { WE_DETECTED = sizeof we_detected / sizeof we_detected[0] };

/* The code pages of DOS, and the bits against each by how common it is, which were set by hand. IBM866 is one of the
 * standard's encodings. */
static const struct {
    const char *name;
    uint8_t bits;
} we_dos_pages[] = {{"cp437", 2},  {"cp850", 3},  {"cp852", 4},  {"cp857", 6},  {"cp862", 7},
                    {"cp737", 7},  {"cp775", 9},  {"cp855", 12}, {"cp861", 12}, {"cp865", 12},
                    {"cp863", 12}, {"cp860", 12}, {"cp858", 13}, {"cp720", 14}, {"cp1125", 14}};

enum { WE_DOS_PAGES = sizeof we_dos_pages / sizeof we_dos_pages[0] };

/* Pairs of encodings that decode text alike. The second one is the candidate. */
static const char *const we_same[][2] = {{"gb18030", "GBK"}, {"ISO-8859-8-I", "ISO-8859-8"}};

/* Siblings: pairs of encodings of which one is declared for the other, since most letters are the same bytes. In
 * text of the other one stand, among letters, C1 controls or symbols of the declared one, such as ’ for Ά in
 * windows-1253, ¶ for Ά in ISO-8859-7 and ¤ for € in ISO-8859-15. `bits`: by which its text must be likelier.
 * `is_larger`: the second one has nearly all letters of the first at the same bytes, and characters where that has
 * none. */
static const struct {
    const char *names[2];
    uint8_t bits, is_larger;
} we_siblings[] = {
    {{"ISO-8859-2", "windows-1250"}, 8, 0},     {{"ISO-8859-4", "windows-1257"}, 16, 0},
    {{"ISO-8859-6", "windows-1256"}, 8, 0},     {{"ISO-8859-7", "windows-1253"}, 6, 1},
    {{"ISO-8859-8", "windows-1255"}, 8, 1},     {{"ISO-8859-13", "windows-1257"}, 12, 0},
    {{"ISO-8859-15", "windows-1252"}, 4, 0},    {{"KOI8-R", "KOI8-U"}, 8, 0},
    {{"windows-1251", "x-mac-cyrillic"}, 8, 0}, {{"windows-1252", "windows-1254"}, 24, 0},
};

/* A set of encodings of the standard: bits by position in its order. */
typedef uint64_t we_set;
typedef char we_set_holds_all[WE_ENCODINGS <= 64 ? 1 : -1];

/* Return the set of an encoding, which is empty for none, since the standard may have removed it, and for a code page.
 */
static inline we_set we_set_of(int position)
{
    return position < 0 || position >= WE_ENCODINGS ? 0 : UINT64_C(1) << position;
}

static inline int we_in(we_set set, int position)
{
    return (set & we_set_of(position)) != 0;
}

static inline int we_is_page(int position)
{
    return position >= WE_ENCODINGS;
}

/* All encodings by their position in the standard's order; code pages follow, once they are loaded. Filled once. */
typedef struct {
    we_candidate candidates[WE_CANDIDATES]; /* replacement has no encoding here, since it decodes no text */
    uint16_t symbols[WE_CANDIDATES][256];   /* of each byte, of a single-byte encoding */
    int8_t same[WE_CANDIDATES];             /* the position of the encoding that stands for each */
    int8_t detected[WE_DETECTED];           /* the positions of we_detected, -1 of one that the standard has removed */
    int8_t pages[WE_DOS_PAGES];             /* the positions of the pages of we_dos_pages that are loaded */
    uint16_t with_boxes[WE_DOS_PAGES][256]; /* of each of those the symbols, hyphens for what draws boxes in rows */
    size_t page_count;
    int ibm866;     /* its position */
    we_set of_text; /* those that may be declared: all but replacement and x-user-defined */
    we_set ascii_compatible;
    we_set utf_16;
} we_encodings;
static we_encodings we_known;

static inline int we_position_named(const char *name)
{
    return we_label_position(name, strlen(name));
}

/* Set the units that the bytes of a single-byte encoding are decoded to: one each, U+FFFD for none. */
static inline void we_units_of_bytes(const whatwg_encoding *encoding, uint16_t *units)
{
    uint8_t bytes[256];
    size_t read = 256, written = 256;
    whatwg_decoder decoder;
    for (unsigned byte = 0; byte < 256; byte++)
        bytes[byte] = (uint8_t)byte;
    we_c_api->decoder_init(&decoder, encoding, 0);
    we_c_api->decode_to_utf16(&decoder, bytes, &read, units, &written, 1);
}

static inline int we_is_known(int position)
{
    return position >= 0 && we_known.candidates[position].encoding != NULL;
}

static inline void we_known_add(int position, const whatwg_encoding *encoding, we_kind kind)
{
    uint16_t *const symbols = we_known.symbols[position];
    we_known.candidates[position] = (we_candidate){encoding, symbols, kind, WE_OTHER_PRIOR};
    if (kind == WE_SINGLE_BYTE) {
        we_units_of_bytes(encoding, symbols);
        for (unsigned byte = 0; byte < 256; byte++)
            symbols[byte] = we_symbol(symbols[byte]);
    }
}

/* Set the engine, and fill the model and we_known. */
static inline void we_choose_fill(const whatwg_encoding_api *api)
{
    const whatwg_encoding *encoding;
    we_c_api = api;
    we_model_fill();
    for (int position = 0; (encoding = we_c_api->by_index((size_t)position)) != NULL; position++) {
        we_known.same[position] = (int8_t)position;
        if (strcmp(we_c_api->name(encoding), "replacement") == 0)
            continue;
        we_known_add(position, encoding, we_c_api->is_single_byte(encoding) ? WE_SINGLE_BYTE : WE_CHINESE);
        if (position != WE_POSITION_X_USER_DEFINED)
            we_known.of_text |= we_set_of(position);
        if (we_c_api->is_ascii_compatible(encoding))
            we_known.ascii_compatible |= we_set_of(position);
    }
    for (size_t i = 0; i < WE_DETECTED; i++) {
        const int position = we_position_named(we_detected[i].name);
        we_known.detected[i] = (int8_t)position;
        if (position >= 0) {
            we_known.candidates[position].kind = (we_kind)we_detected[i].kind;
            we_known.candidates[position].prior = we_detected[i].prior;
        }
    }
    for (size_t i = 0; i < sizeof we_same / sizeof we_same[0]; i++) {
        const int position = we_position_named(we_same[i][0]), candidate = we_position_named(we_same[i][1]);
        if (position >= 0 && candidate >= 0)
            we_known.same[position] = (int8_t)candidate;
    }
    we_known.utf_16 = we_set_of(WE_POSITION_UTF_16BE) | we_set_of(WE_POSITION_UTF_16LE);
    we_known.ibm866 = we_position_named("IBM866");
}

enum { WE_FIRST_BOX = 0x2500, WE_LAST_BOX = 0x259F };

/* Add a single-byte code page, whose codec is loaded. */
static inline void we_choose_add_page(const char *name, int position, const whatwg_encoding *page)
{
    we_known_add(position, page, WE_SINGLE_BYTE);
    we_known.same[position] = (int8_t)position;
    for (size_t i = 0; i < WE_DOS_PAGES; i++)
        if (strcmp(we_dos_pages[i].name, name) == 0) {
            uint16_t *const symbols = we_known.with_boxes[we_known.page_count]; /* at most WE_DOS_PAGES: each once */
            uint16_t units[256];
            we_units_of_bytes(page, units);
            for (unsigned byte = 0; byte < 256; byte++)
                symbols[byte] =
                    we_symbol(units[byte] >= WE_FIRST_BOX && units[byte] <= WE_LAST_BOX ? '-' : units[byte]);
            we_known.candidates[position].prior = we_dos_pages[i].bits * WE_BITS;
            we_known.pages[we_known.page_count++] = (int8_t)position;
        }
}

/* ---- What a caller asks for, and the candidates ------------------------------------------------------------------ */

/* The readings that a text may have: those of the web's encodings, or of DOS's code pages, too, either where the text
 * looks like one of DOS and a page is likelier by far, or wherever a page is likelier; or of all code pages, of which
 * Python has codecs, where a page is likelier by far. */
typedef enum { WE_WEB, WE_WEB_AND_SURE_DOS, WE_WEB_AND_DOS, WE_PYTHON } we_scope;

typedef struct {
    size_t limit; /* of the bytes of the sample */
    size_t given; /* the number of candidates, of which `order` has the positions; 0: those that are detected */
    uint8_t order[WE_CANDIDATES];
    we_set excluded; /* never chosen */
    we_set usual;    /* of the language of a host or a user */
    we_scope scope;
    int usual_page; /* of DOS, in the language of a user, or WE_NO_ENCODING */
} we_options;

/* Return the index of an encoding among the choices, their number if it is none of them. */
static inline size_t we_choices_index(const we_choices *choices, int position)
{
    size_t i = 0;
    while (i < choices->count && choices->positions[i] != position)
        i++;
    return i;
}

static inline void we_choices_add(we_choices *choices, int position, const we_options *options)
{
    if (!we_is_known(position) || we_in(options->excluded, position)
        || we_choices_index(choices, position) < choices->count)
        return;
    choices->set |= we_set_of(position);
    choices->positions[choices->count] = (int8_t)position;
    choices->candidates[choices->count] = we_known.candidates[position];
    if (we_in(options->usual, position))
        choices->candidates[choices->count].prior -= WE_BITS_OF_LANGUAGE * WE_BITS;
    choices->count++;
}

/* Return whether text may be declared to be in an encoding, or in a code page that is loaded. */
static inline int we_is_of_text(int position)
{
    return we_in(we_known.of_text, position) || (we_is_page(position) && we_is_known(position));
}

/* Return the encoding that stands for one among the choices. Which one does is the caller's if he gives or excludes
 * encodings. */
static inline int we_stands_for(const we_options *options, int position)
{
    return position < 0 || options->given || options->excluded ? position : we_known.same[position];
}

static inline int we_may_be(const we_options *options, int position)
{
    if (position < 0 || we_in(options->excluded, position))
        return 0;
    return options->given == 0 || memchr(options->order, position, options->given) != NULL;
}

/* Bits by the form of a text, which were set by hand: rules and boxes in rows are the same bytes in all code pages of
 * DOS, lines end with CR LF there, and its command interpreter reads batch files in such a page. */
enum {
    WE_BITS_OF_BOXES = 24,   /* in favour of a page */
    WE_BITS_OF_UNIX = 12,    /* against it, where the text has no form of DOS */
    WE_BITS_TO_BE_SURE = 20, /* against it, where nobody asked for DOS. No text of 1,573 in the web's encodings, their
                                lines ended by CR LF, is taken for one in a page */
    WE_BITS_IF_LONG = 14,    /* the same of WE_LONG_DOS bytes beyond ASCII and more */
    WE_BITS_OF_PAGE = 14,    /* against a page of WE_PYTHON, in whatever form a text is; DOS's form may suffice */
    WE_LONG_DOS = 8,
    WE_BITS_OF_ACCENT = 4 /* against encodings of several bytes, where a page is a candidate: a letter with an accent
                             and the next one may be a symbol in them */
};

/* Return whether a row of boxes begins with three bytes: a rule, a corner with the start of one, or shades. No text has
 * these letters in such a row. `next`: the byte after them. */
static inline int we_is_box_row(const uint8_t *row, int next)
{
    static const char corners[] = "\xC0\xC3\xDA\xC8\xCC\xC9", shades[] = "\xB0\xB1\xB2\xDB";
    const int is_rule = row[1] == row[2] && (row[1] == 0xC4 || row[1] == 0xCD);
    if (is_rule && (row[0] == row[1] || memchr(corners, row[0], sizeof corners - 1) != NULL))
        return 1;
    if (memchr(shades, row[0], sizeof shades - 1) == NULL)
        return 0;
    return (row[0] == row[1] && row[1] == row[2] && row[2] == next) || memcmp(row, "\xB2\xB1\xB0", 3) == 0
           || (memcmp(row, "\xB0\xB1\xB2", 3) == 0 && next == 0xDB);
}

/* Return whether a line begins with a command that shows text in a batch file. */
static inline int we_is_batch_line(const uint8_t *line, size_t length)
{
    static const char *const commands[] = {"echo", "rem", "title"};
    if (length && line[0] == '@')
        line++, length--;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const size_t size = strlen(commands[i]);
        size_t at = 0;
        while (at < size && at < length && we_lower(line[at]) == commands[i][at])
            at++;
        if (at == size && at < length && (line[at] == ' ' || line[at] == '.'))
            return 1;
    }
    return 0;
}

/* Return whether code pages of DOS are candidates for a text, and set the bits against each by the text's form. */
static inline int we_may_be_of_dos(const we_examined *text, const we_options *options, int *bits)
{
    const size_t length = text->length < WE_SAMPLE ? text->length : WE_SAMPLE;
    size_t beyond = 0, ends = 0, pairs = 0;
    int has_boxes = 0, is_batch = 0;
    if (options->scope == WE_WEB || options->given)
        return 0;
    for (size_t at = 0; at < length; at++) {
        const uint8_t byte = text->bytes[at];
        beyond += byte >= 0x80;
        if (byte >= 0xB0 && !has_boxes && length - at >= 3)
            has_boxes = we_is_box_row(text->bytes + at, length - at > 3 ? text->bytes[at + 3] : 0);
        if (at == 0 || text->bytes[at - 1] == '\n')
            is_batch |= we_is_batch_line(text->bytes + at, length - at);
        ends += byte == '\n';
        pairs += byte == '\n' && at > 0 && text->bytes[at - 1] == '\r';
    }
    is_batch &= ends == pairs;
    *bits = has_boxes ? -WE_BITS_OF_BOXES : 0;
    if (!has_boxes && !is_batch && (pairs == 0 || ends > pairs)) {
        *bits = WE_BITS_OF_UNIX;
        if (options->scope != WE_WEB_AND_DOS)
            return 0;
    }
    if (options->scope != WE_WEB_AND_DOS && !is_batch)
        *bits += beyond < WE_LONG_DOS ? WE_BITS_TO_BE_SURE : WE_BITS_IF_LONG;
    return 1;
}

/* Add all code pages, unless candidates are given, and what speaks against each page among the choices. */
static inline void we_choices_add_pages(we_choices *choices, const we_options *options)
{
    for (int position = WE_ENCODINGS; position < WE_CANDIDATES && !options->given; position++)
        we_choices_add(choices, position, options);
    for (size_t i = 0; i < choices->count; i++)
        if (we_is_page(choices->positions[i]))
            choices->candidates[i].prior += WE_BITS_OF_PAGE * WE_BITS;
}

/* Set the choices for a text, given the positions of declared encodings, the weightiest first; -1 is none. */
static inline void we_choices_fill(we_choices *choices, const we_examined *text, const we_options *options,
                                   const int *declared, size_t declared_count)
{
    const int windows_1252 = WE_POSITION_WINDOWS_1252;
    size_t hints = 0;
    int first = WE_NO_ENCODING;
    choices->count = 0;
    choices->set = 0;
    for (size_t i = 0; i < options->given; i++)
        we_choices_add(choices, options->order[i], options);
    if (options->given == 0) {
        for (size_t i = 0; i < WE_DETECTED; i++)
            we_choices_add(choices, we_known.detected[i], options);
        for (size_t i = 0; i < declared_count; i++)
            if (we_is_of_text(declared[i]))
                we_choices_add(choices, we_stands_for(options, declared[i]), options);
        const we_set not_for_all_bytes = we_known.utf_16 | we_set_of(WE_POSITION_ISO_2022_JP);
        if (options->excluded && !(choices->set & ~not_for_all_bytes))
            for (int position = 0; position < WE_ENCODINGS; position++)
                if (we_in(we_known.of_text, position))
                    we_choices_add(choices, position, options);
    }
    if (options->scope == WE_PYTHON)
        we_choices_add_pages(choices, options);
    int bits = 0;
    if ((declared_count == 0 || options->scope == WE_WEB_AND_DOS) && we_may_be_of_dos(text, options, &bits)) {
        const int has_boxes = bits < 0;
        for (size_t i = 0; i < choices->count; i++)
            if (choices->candidates[i].kind >= WE_JAPANESE && options->scope == WE_WEB_AND_DOS)
                choices->candidates[i].prior += WE_BITS_OF_ACCENT * WE_BITS;
            else if (choices->positions[i] == we_known.ibm866 && has_boxes) /* another page of DOS */
                choices->candidates[i].prior += bits * WE_BITS;
        if (options->scope == WE_PYTHON) /* pages have WE_BITS_OF_PAGE against them, and no more than that */
            bits = bits < WE_BITS_OF_PAGE ? bits - WE_BITS_OF_PAGE : 0;
        for (size_t i = 0; i < we_known.page_count; i++) {
            const int position = we_known.pages[i];
            we_choices_add(choices, position, options);
            we_candidate *const page = &choices->candidates[we_choices_index(choices, position)]; /* none is excluded */
            page->prior += (bits - (position == options->usual_page) * WE_BITS_OF_LANGUAGE) * WE_BITS;
            if (has_boxes)
                page->symbols = we_known.with_boxes[i];
        }
    }
    for (size_t i = 0; i < declared_count; i++) {
        const int position = we_stands_for(options, declared[i]);
        const size_t at = we_choices_index(choices, position);
        if (at == choices->count)
            continue;
        choices->candidates[at].prior -= (position == windows_1252 ? WE_DECLARED_WINDOWS_1252 : WE_DECLARED) * WE_BITS;
        if (hints++ == 0 && position != windows_1252)
            first = (int)at;
    }
    if (hints > 1 && first >= 0)
        choices->candidates[first].prior -= WE_DECLARED_FIRST * WE_BITS;
}

/* Return the declared one of two encodings that decode alike. */
static inline int we_as_declared(int position, const we_options *options, const int *declared, size_t declared_count)
{
    for (size_t i = 0; i < declared_count; i++)
        if (declared[i] >= 0 && declared[i] != position && we_stands_for(options, declared[i]) == position
            && we_may_be(options, declared[i]))
            return declared[i];
    return position;
}

/* ---- The table of cases -------------------------------------------------------------------------------------------
 *
 * docs/detection.md has the same cases in words, in this order. */

typedef enum { WE_FROM_MARK, WE_FROM_UTF_8, WE_FROM_HEADER, WE_FROM_PAGE, WE_FROM_TEXT } we_reason;

typedef struct {
    int position;
    we_reason reason;
} we_chosen;

/* What is declared of a text that may be: each an encoding, or WE_NO_ENCODING. */
typedef struct {
    int header, page;
    int confirmed; /* what the header and any declaration at the start of the page name; see we_confirmed */
    int is_known;  /* whether `confirmed` is */
    int is_ascii;  /* the page's own declaration, or its markup, was read as ASCII: the bytes are ASCII-compatible */
    int all[2];    /* header and page, each once */
    size_t count;
} we_declared;

enum {
    WE_UTF_8_RATIO = 2, /* characters to an error, at least, in UTF-8 with damage; other bytes make more errors */
    WE_UTF_8_RATIO_IF_SHORT = 3,
    WE_ERRORS_OF_CHANCE = 2, /* errors to a character, at least, in text of other encodings */
    WE_SHORT = 160,          /* bytes: some 80 characters */
    WE_ISO_2022_JP_RATIO = 2,
    WE_OVERWHELMING = 3, /* bits to a byte of the text. An error costs 27 at most, so a ninth of it costs no more */
    WE_NULS_TO_A_MISPLACED_ONE = 4,
    WE_WORD_OF_ASCII = 8,        /* letters that prose and markup in ASCII have in a row */
    WE_VOTE_BITS = 2,            /* by which a part is likelier in an encoding than in another */
    WE_CURRENCY = 0xA4,          /* ¤, or € in ISO-8859-7 and ISO-8859-15 */
    WE_PARTS_AGAINST_BOTH = 3,   /* to one that is likelier in the sibling of what header and page declare, at most */
    WE_PARTS_AGAINST_OTHERS = 4, /* of what one of them declares, where only other letters or symbols speak for it */
    WE_INSERTED = 1728,          /* bits that WE_LEAST_PART bytes cost at most: 27 each */
    WE_LEAST_PART = 64,          /* bytes of a part of a text, and the most parts, which vote on a declaration */
    WE_MOST_PARTS = 16,
    WE_FEW_CHARACTERS = 6 /* in which another encoding can look like UTF-8: one in seven of GBK does */
};

static inline int we_declares(const we_declared *declared, we_set set)
{
    return we_in(set, declared->header) || we_in(set, declared->page);
}

static inline we_declared we_declared_of(const we_examined *text, int header, int page, const we_options *options)
{
    we_declared declared;
    const int is_ascii = page >= 0 && !we_in(we_known.utf_16, page);
    declared.header = we_is_of_text(header) && we_may_be(options, header) ? header : WE_NO_ENCODING;
    declared.page = we_is_of_text(page) && we_may_be(options, page) ? page : WE_NO_ENCODING;
    declared.is_known = 0;
    declared.is_ascii =
        is_ascii || ((text->has_units || text->has_escapes) && we_has_ascii_markup(text->bytes, text->length));
    declared.count = 0;
    if (declared.header >= 0)
        declared.all[declared.count++] = declared.header;
    if (declared.page >= 0 && declared.page != declared.header)
        declared.all[declared.count++] = declared.page;
    return declared;
}

/* Return what the header and any declaration at the start of the page name, searched for when it is asked. */
static inline int we_confirmed(const we_examined *text, we_declared *declared)
{
    if (!declared->is_known) {
        const int header = declared->header;
        const int is_confirmed =
            header >= 0 && (header == declared->page || we_is_declared_at_start(text->bytes, text->length, header));
        declared->confirmed = is_confirmed ? header : WE_NO_ENCODING;
        declared->is_known = 1;
    }
    return declared->confirmed;
}

/* Return whether text in that encoding, which is declared, needs no comparison. */
static inline int we_is_evident(const we_examined *text, int position, const we_options *options, we_work *work)
{
    if (position < 0 || options->limit < WE_PLAUSIBLE_BYTES)
        return 0;
    const we_candidate *const candidate = &we_known.candidates[we_stands_for(options, position)];
    return we_is_plausible(candidate, text->bytes, text->length, work->bytes_of_piece)
           || we_is_of_language(candidate, text->bytes, text->length, work->bytes_of_piece);
}

static inline we_chosen we_chosen_by(int position, const we_declared *declared)
{
    const we_chosen chosen = {position, position == declared->header ? WE_FROM_HEADER
                                        : position == declared->page ? WE_FROM_PAGE
                                                                     : WE_FROM_TEXT};
    return chosen;
}

/* The encoding of least cost, and what speaks for a declared one. */
typedef struct {
    int best;
    int64_t deficit; /* eighths of a bit by which `incumbent`, one of the choices, costs more; 0 if it is none */
    size_t examined; /* the bytes of the text that the sample stands for */
    int retained;    /* the declared encoding that the best is not better than by enough to replace it, or none */
} we_compared;

/* Return the index of the encoding of least cost; if `replaces`, of those that may replace a declared one. */
static inline size_t we_least(const we_choices *choices, const int64_t *costs, int replaces)
{
    size_t best = choices->count;
    for (size_t i = 0; i < choices->count; i++)
        if ((best == choices->count || costs[i] < costs[best])
            && !(replaces && we_never_replaces(&choices->candidates[i])))
            best = i;
    return best < choices->count ? best : 0;
}

static inline we_compared we_compare(const we_examined *text, unsigned structures, we_declared *declared,
                                     int64_t utf_8_penalty, int incumbent, int64_t allowance, const we_options *options,
                                     we_work *work)
{
    we_choices *const choices = &work->choices;
    int64_t *const costs = work->costs;
    size_t best, own;
    we_choices_fill(choices, text, options, declared->all, declared->count);
    own = choices->count;
    const size_t utf_8 = we_choices_index(choices, WE_POSITION_UTF_8);
    const size_t other = we_choices_index(choices, we_stands_for(options, incumbent));
    if (utf_8 < choices->count)
        choices->candidates[utf_8].prior += (int32_t)utf_8_penalty;
    we_compared compared;
    compared.examined = we_detect(choices->candidates, choices->count, text->bytes, text->length, options->limit,
                                  structures | (text->is_whole ? WE_WHOLE : 0), other, allowance, work, costs);
    best = we_least(choices, costs, 0);
    for (size_t i = 0; i < declared->count; i++) {
        const size_t at = we_choices_index(choices, we_stands_for(options, declared->all[i]));
        if (at < choices->count && (own == choices->count || costs[at] < costs[own]))
            own = at;
    }
    compared.deficit = other == choices->count || costs[other] == INT64_MAX ? 0 : costs[other] - costs[best];
    compared.retained = WE_NO_ENCODING;
    if (own < choices->count && own != best) {
        const int position = we_as_declared(choices->positions[own], options, declared->all, declared->count);
        const we_strength strength = position == we_confirmed(text, declared) ? WE_BY_BOTH
                                     : position == declared->header           ? WE_BY_HEADER
                                                                              : WE_BY_META;
        if (we_declaration_wins(&work->contenders[own], &work->contenders[best], strength, &work->bytes))
            compared.retained = position;
        else if (!we_declares(declared, we_set_of(WE_POSITION_UTF_8)))
            best = we_least(choices, costs, 1);
    }
    compared.best = we_as_declared(choices->positions[best], options, declared->all, declared->count);
    return compared;
}

static inline int we_is_overwhelming(const we_compared *compared)
{
    return compared->deficit >= (int64_t)compared->examined * WE_OVERWHELMING * WE_BITS;
}

/* Count the errors of a text in an encoding, and the characters beyond ASCII. A cut at the end is one if `last`. */
static inline we_utf_8_counts we_errors_of(const we_examined *text, int position, int last)
{
    we_utf_8_counts counts = {0, 0, 0, 0};
    whatwg_decoder decoder;
    uint16_t units[1024];
    size_t at = 0;
    we_c_api->decoder_init(&decoder, we_c_api->by_index((size_t)position), 0);
    for (int status = WHATWG_OUTPUT_FULL; status == WHATWG_OUTPUT_FULL;) {
        size_t read = text->length - at, written = sizeof units / sizeof *units;
        status = we_c_api->decode_to_utf16(&decoder, text->bytes + at, &read, units, &written, last);
        at += read;
        for (size_t i = 0; i < written; i++)
            counts.characters += units[i] >= 0x80 && (units[i] & 0xFC00) != 0xDC00;
    }
    counts.errors = (size_t)we_c_api->error_count(&decoder);
    counts.characters -= counts.errors < counts.characters ? counts.errors : counts.characters;
    return counts;
}

/* Return whether a text in UTF-8 may be UTF-16 by the places of its NULs and other controls: half of the bytes, the
 * upper halves, have them in most alphabets. */
static inline int we_has_places_of_utf_16(const we_examined *text, size_t limit, int is_declared)
{
    size_t nuls[2] = {0, 0}, controls[2] = {0, 0};
    const size_t length = text->length < limit ? text->length : limit;
    for (size_t at = 0; at < length; at++) {
        nuls[at & 1] += text->bytes[at] == 0;
        controls[at & 1] += text->bytes[at] < 0x20;
    }
    const int upper = nuls[0] == nuls[1] ? controls[1] > controls[0] : nuls[1] > nuls[0];
    if (nuls[upper] < WE_NULS_TO_A_MISPLACED_ONE * nuls[!upper])
        return 0;
    return is_declared || (controls[upper] > 1 && controls[upper] * 4 >= (length / 2) * 3)
           || (nuls[upper] > 1 && nuls[!upper] == 0 && length % 2 == 0);
}

/* Return whether a text may be UTF-16 by its bytes: if that is declared, they need only be other ones than text in
 * ASCII has, and no UTF-8. */
static inline int we_may_be_utf_16(const we_examined *text, int is_declared)
{
    return text->has_units
           || (is_declared && (text->is_utf_8 ? we_has_controls(text->bytes, text->length) : text->length % 2 == 0));
}

/* Return whether WE_WORD_OF_ASCII letters of ASCII stand in a row. In UTF-16 there are hardly any: two are one
 * ideograph. */
static inline int we_has_word_of_ascii(const we_examined *text)
{
    for (size_t at = 0, letters = 0; at < text->length; at++) {
        letters = we_is_alpha(text->bytes[at]) ? letters + 1 : 0;
        if (letters == WE_WORD_OF_ASCII)
            return 1;
    }
    return 0;
}

/* Return whether markup begins in a text as UTF-16 though its first unit is not ASCII: where a page in ASCII repeats
 * what someone sent, that markup would not be the page's own. */
static inline int we_is_markup_inserted(const we_examined *text, int position)
{
    const uint8_t *const bytes = text->bytes;
    const size_t upper = position == WE_POSITION_UTF_16LE;
    if (text->length < 2 || bytes[upper] == 0 || !we_has_word_of_ascii(text))
        return 0;
    for (size_t at = 0; at + 4 <= text->length; at += 2) {
        const uint8_t next = bytes[at + 3 - upper];
        if (bytes[at + upper] == 0 && bytes[at + 1 - upper] == '<' && bytes[at + 2 + upper] == 0
            && (we_is_alpha(next) || next == '/' || next == '!' || next == '?'))
            return 1;
    }
    return 0;
}

/* Return the structure that bytes propose: WE_ESCAPES for ISO-2022-JP, WE_NULS for UTF-16, 0 for neither. */
static inline unsigned we_proposed(const we_examined *text, we_declared *declared, const we_options *options)
{
    const we_set iso_2022_jp = we_set_of(WE_POSITION_ISO_2022_JP);
    const int confirmed = we_confirmed(text, declared);
    if (confirmed == WE_POSITION_ISO_2022_JP)
        return WE_ESCAPES;
    if (we_in(we_known.utf_16, confirmed) && we_may_be_utf_16(text, 1))
        return WE_NULS;
    if (text->has_escapes && we_may_be(options, WE_POSITION_ISO_2022_JP)) {
        if (we_declares(declared, iso_2022_jp))
            return WE_ESCAPES;
        const we_utf_8_counts counts = we_errors_of(text, WE_POSITION_ISO_2022_JP, 0);
        const int is_valid = counts.errors == 0;
        if (declared->count
                ? is_valid && !declared->is_ascii
                : (is_valid || !declared->is_ascii) && counts.characters >= WE_ISO_2022_JP_RATIO * counts.errors
                      && !we_has_escape_in_markup(text->bytes, text->length)
                      && !(declared->is_ascii && we_ends_in_other_ascii(text->bytes, text->length)))
            return WE_ESCAPES;
    }
    /* A mark here is one of an encoding that is excluded: it is no character in the other byte order either. */
    const int is_marked = text->mark >= 0 && we_in(we_known.utf_16, we_bom_position(text->mark));
    const int is_declared = we_declares(declared, we_known.utf_16);
    if (!we_may_be_utf_16(text, is_declared) || declared->is_ascii || is_marked)
        return 0;
    if (text->is_utf_8 && !we_has_places_of_utf_16(text, options->limit, is_declared))
        return 0;
    return is_declared || declared->count == 0 || we_errors_of(text, WE_POSITION_UTF_16BE, 0).errors == 0
                   || we_errors_of(text, WE_POSITION_UTF_16LE, 0).errors == 0
               ? WE_NULS
               : 0;
}

/* Return whether a text is ISO-2022-JP since that is declared: ASCII with its escapes. One byte in an escape may
 * change all text after it, so costs mean little. Against the header, errors show that the page was not written so. */
static inline int we_is_declared_iso_2022_jp(const we_examined *text, we_declared *declared)
{
    const int header = declared->header, confirmed = we_confirmed(text, declared);
    if (!text->has_escapes || confirmed == WE_POSITION_ISO_2022_JP)
        return text->has_escapes;
    if (!we_is_ascii(text) || text->has_units)
        return 0;
    return header == WE_POSITION_ISO_2022_JP
           || (declared->page == WE_POSITION_ISO_2022_JP
               && (header < 0 || (confirmed < 0 && we_errors_of(text, WE_POSITION_ISO_2022_JP, 0).errors == 0)));
}

/* Return the encoding that is not ASCII-compatible and that a text is in, WE_NO_ENCODING if it is in none. */
static inline int we_structural(const we_examined *text, we_declared *declared, const we_options *options,
                                we_work *work)
{
    const int confirmed = we_confirmed(text, declared);
    if (we_is_declared_iso_2022_jp(text, declared))
        return WE_POSITION_ISO_2022_JP;
    const int utf_16 = we_in(we_known.utf_16, declared->header) ? declared->header : declared->page;
    if (we_in(we_known.utf_16, utf_16) && text->is_utf_8 && !text->has_units && !declared->is_ascii
        && we_may_be_utf_16(text, 1) && we_errors_of(text, utf_16, 1).errors == 0)
        return utf_16; /* text in ASCII has no such controls, whatever an alphabet's letters cost */
    const unsigned structures = we_proposed(text, declared, options);
    if (!structures)
        return WE_NO_ENCODING;
    const we_set proposals =
        structures == WE_ESCAPES ? we_set_of(WE_POSITION_ISO_2022_JP) : we_known.utf_16 & ~options->excluded;
    int incumbent = confirmed;
    if (confirmed < 0 && !we_declares(declared, proposals) && declared->count)
        incumbent = declared->all[0];
    if (!we_in(proposals, incumbent) && we_is_evident(text, incumbent, options, work))
        return WE_NO_ENCODING;
    const we_compared compared = we_compare(text, structures, declared, 0, incumbent, INT64_MAX / 2, options, work);
    if (we_in(proposals, confirmed))
        return we_is_overwhelming(&compared) ? WE_NO_ENCODING : confirmed;
    if (!we_in(proposals, compared.best) || (incumbent >= 0 && !we_is_overwhelming(&compared)))
        return WE_NO_ENCODING;
    return declared->count == 0 && we_in(we_known.utf_16, compared.best) && we_is_markup_inserted(text, compared.best)
               ? WE_NO_ENCODING
               : compared.best;
}

/* Set the cost of a text in each of the given encodings, in eighths of a bit and without priors, INT64_MAX where the
 * bytes rule it out; return the number of those encodings. The model's tests and the fit of its weights use it. */
static inline size_t we_costs(const we_examined *text, const we_options *options, int64_t *costs, we_work *work)
{
    we_choices choices;
    we_choices_fill(&choices, text, options, NULL, 0);
    for (size_t i = 0; i < choices.count; i++)
        choices.candidates[i].prior = 0;
    we_detect(choices.candidates, choices.count, text->bytes, text->length, options->limit,
              we_structures_of(text) | (text->is_whole ? WE_WHOLE : 0), choices.count, 0, work, costs);
    return choices.count;
}

/* Return the options for a comparison of two encodings. */
static inline we_options we_between(int first, int second, const we_options *options)
{
    we_options two = *options;
    two.given = 2;
    two.order[0] = (uint8_t)we_stands_for(options, first);
    two.order[1] = (uint8_t)we_stands_for(options, second);
    return two;
}

/* Return the declared encoding in which a text is likelier than in UTF-8, which it looks like by few characters, or
 * none. windows-1252, which many servers declare by default, counts for nothing. */
static inline int we_likelier_than_utf_8(const we_examined *text, const we_declared *declared,
                                         const we_options *options, we_work *work)
{
    int64_t costs[WE_CANDIDATES];
    const int own = declared->header >= 0 ? declared->header : declared->page;
    const size_t leads = own < 0 || own == WE_POSITION_UTF_8 || !we_in(we_known.ascii_compatible, own)
                             ? 0
                             : we_utf_8_leads(text->bytes, text->length, WE_FEW_CHARACTERS);
    if (leads == 0 || leads > WE_FEW_CHARACTERS || we_declares(declared, we_set_of(WE_POSITION_UTF_8)))
        return WE_NO_ENCODING;
    const we_options two = we_between(WE_POSITION_UTF_8, own, options);
    if (we_costs(text, &two, costs, work) < 2 || costs[1] == INT64_MAX)
        return WE_NO_ENCODING;
    const int64_t bonus = own == WE_POSITION_WINDOWS_1252 ? 0 : WE_DECLARED * WE_BITS;
    return costs[1] - bonus < costs[0] && we_errors_of(text, own, text->is_whole).errors == 0 ? own : WE_NO_ENCODING;
}

/* How many parts of a text there are, and how many are likelier in the first or the second one of two encodings. */
typedef struct {
    size_t parts, first, second;
} we_votes;

/* Return a text from WE_NEAR bytes before its first byte beyond ASCII on, of `limit` bytes at most: what a stream
 * has. */
static inline we_examined we_beyond_ascii(const we_examined *text, size_t limit)
{
    size_t start = we_ascii_length_scalar(text->bytes, text->length);
    we_examined beyond = *text;
    start -= start < WE_NEAR ? start : WE_NEAR;
    beyond.bytes += start;
    beyond.length -= start;
    if (beyond.length > limit) {
        beyond.length = limit;
        beyond.is_whole = 0;
    }
    return beyond;
}

/* Return the bytes of the parts of a text: at most WE_MOST_PARTS, which are long enough to tell encodings apart. */
static inline size_t we_part_size(size_t length)
{
    return length / WE_MOST_PARTS < WE_LEAST_PART ? WE_LEAST_PART : length / WE_MOST_PARTS;
}

/* Let the parts of a text vote, all of them or, if `is_majority`, until most are known to be for the second encoding.
 * They end where a word does, so that none votes by half of one. */
static inline we_votes we_votes_between(int first, int second, int is_majority, const we_examined *whole,
                                        const we_options *options, we_work *work)
{
    const we_options two = we_between(first, second, options);
    const we_examined text = we_beyond_ascii(whole, options->limit);
    const size_t size = we_part_size(text.length);
    we_votes votes = {0, 0, 0};
    for (size_t at = 0, end; at < text.length; at = end, votes.parts++) {
        const size_t left = (text.length - at + size - 1) / size; /* or less */
        if (is_majority && votes.second > votes.first + left)
            break;
        int64_t costs[WE_CANDIDATES];
        we_examined part = text;
        end = text.length - at < size ? text.length : at + size;
        while (end < text.length && end - at < 2 * size && text.bytes[end] >= 0x80)
            end++;
        part.bytes += at;
        part.length = end - at;
        part.is_whole = part.has_units = 0;
        if (we_ascii_length_scalar(part.bytes, part.length) == part.length || we_costs(&part, &two, costs, work) < 2)
            continue;
        votes.first += costs[0] < INT64_MAX && costs[0] + WE_VOTE_BITS * WE_BITS < costs[1];
        votes.second += costs[1] < INT64_MAX && costs[1] + WE_VOTE_BITS * WE_BITS < costs[0];
    }
    return votes;
}

/* Return whether the byte at `at` is a currency's: a digit is beside it, or beside a space. */
static inline int we_is_of_amount(const we_examined *text, size_t at)
{
    const uint8_t *const bytes = text->bytes;
    const size_t before = at > 1 && bytes[at - 1] == ' ' ? at - 2 : at - 1;
    const size_t after = at + 2 < text->length && bytes[at + 1] == ' ' ? at + 2 : at + 1;
    return (at > 0 && (unsigned)(bytes[before] - '0') < 10)
           || (after < text->length && (unsigned)(bytes[after] - '0') < 10);
}

/* How a sibling explains a text: not at all, by other characters, or by letters for symbols or C1 controls, or € for ¤,
 * which keyboards have. */
typedef enum { WE_NOT_BY_SIBLING, WE_BY_OTHERS, WE_BY_LETTERS } we_sibling_by;

/* Return how a sibling explains the start of a text, which has no fewer letters in it and no more C1 controls. */
static inline we_sibling_by we_sibling_explains(const we_examined *text, int declared, int sibling)
{
    const uint16_t *const symbols[2] = {we_known.symbols[declared], we_known.symbols[sibling]};
    uint8_t differs[256];
    int8_t letters[256], controls[256];
    int more_letters = 0, more_controls = 0, is_other = 0, is_amount = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        const unsigned own = symbols[0][byte] & WE_DETECT_CLASS, other = symbols[1][byte] & WE_DETECT_CLASS;
        differs[byte] = byte >= 0x80 && symbols[0][byte] != symbols[1][byte];
        letters[byte] =
            (int8_t)((we_model.scripts[other] < WE_DETECT_ALPHABETS) - (we_model.scripts[own] < WE_DETECT_ALPHABETS));
        controls[byte] = (int8_t)((other == WE_DETECT_C1) - (own == WE_DETECT_C1));
    }
    if (!we_has_relevant(text->bytes, text->length, differs))
        return WE_NOT_BY_SIBLING;
    for (size_t at = 0; at < text->length && (at < WE_PLAUSIBLE_BYTES || !is_other); at++) {
        const uint8_t byte = text->bytes[at];
        more_letters += letters[byte];
        more_controls += controls[byte];
        is_amount |= differs[byte] && byte == WE_CURRENCY && we_is_of_amount(text, at);
        is_other |= is_amount || (differs[byte] && byte != WE_CURRENCY);
    }
    if (!is_other || more_letters < 0 || more_controls > 0)
        return WE_NOT_BY_SIBLING;
    return is_amount || more_letters || more_controls ? WE_BY_LETTERS : WE_BY_OTHERS;
}

/* Return the sibling of a declared encoding that a text is in, or that encoding. */
static inline int we_likelier_sibling(const we_examined *text, int declared, int is_confirmed,
                                      const we_options *options, we_work *work)
{
    const we_examined beyond = we_beyond_ascii(text, options->limit);
    const int own = we_stands_for(options, declared);
    int64_t costs[WE_CANDIDATES];
    for (size_t i = 0; i < 2 * sizeof we_siblings / sizeof we_siblings[0]; i++) {
        const int sibling = we_position_named(we_siblings[i / 2].names[1 - i % 2]);
        if (we_position_named(we_siblings[i / 2].names[i % 2]) != own || !we_may_be(options, sibling))
            continue;
        /* If header and page agree, other characters are not enough: who inserts one would change others. */
        const we_sibling_by explained = we_sibling_explains(&beyond, own, sibling);
        if (explained == WE_NOT_BY_SIBLING || (is_confirmed && explained == WE_BY_OTHERS))
            continue;
        const size_t ratio = is_confirmed                ? WE_PARTS_AGAINST_BOTH
                             : explained == WE_BY_OTHERS ? WE_PARTS_AGAINST_OTHERS
                                                         : WE_MOST_PARTS * 2;
        const we_options two = we_between(declared, sibling, options);
        if (we_costs(&beyond, &two, costs, work) == 2 && costs[1] + we_siblings[i / 2].bits * WE_BITS < costs[0]) {
            const we_votes votes = we_votes_between(declared, sibling, 0, &beyond, options, work);
            if (votes.first == 0 && votes.second * ratio >= votes.parts)
                return sibling;
        }
    }
    return declared;
}

/* Return what is declared, with the larger of two siblings for the other one where that has errors and the larger one
 * has none: software writes its own encoding under the other's name. */
static inline we_declared we_with_valid_siblings(const we_examined *text, we_declared declared,
                                                 const we_options *options)
{
    for (size_t i = 0; i < sizeof we_siblings / sizeof we_siblings[0] && declared.count; i++) {
        if (!we_siblings[i].is_larger)
            continue;
        const int own = we_position_named(we_siblings[i].names[0]);
        const int sibling = we_position_named(we_siblings[i].names[1]);
        for (size_t j = 0; j < declared.count; j++) {
            const int position = declared.all[j];
            if (we_stands_for(options, position) != own || !we_may_be(options, sibling)
                || we_c_api->valid_up_to(we_c_api->by_index((size_t)own), text->bytes, text->length) == text->length
                || we_c_api->valid_up_to(we_c_api->by_index((size_t)sibling), text->bytes, text->length) < text->length)
                continue;
            declared.all[j] = sibling;
            declared.header = declared.header == position ? sibling : declared.header;
            declared.page = declared.page == position ? sibling : declared.page;
            declared.is_known = 0;
        }
    }
    return declared;
}

/* Return the characters and the errors of a text as UTF-8. What begins as a character and is damaged or cut off
 * counts as one if UTF-8 is declared, otherwise as an error. */
static inline we_utf_8_counts we_utf_8_evidence(const we_examined *text, int is_declared, size_t ratio)
{
    we_utf_8_counts counts = we_utf_8_counts_of(text, is_declared ? 0 : ratio);
    if (is_declared) {
        counts.characters += counts.begun + counts.cut;
        counts.errors -= counts.begun;
    } else {
        counts.errors += counts.cut;
    }
    return counts;
}

/* Return whether characters of a text as UTF-8 are chance throughout: half of its parts have bytes beyond ASCII, and
 * none more characters than errors. Otherwise someone may have inserted the errors. */
static inline int we_is_utf_8_by_chance(const we_examined *text)
{
    const size_t size = we_part_size(text->length);
    size_t parts = 0, beyond = 0;
    for (size_t at = 0; at < text->length; at += size, parts++) {
        const size_t length = text->length - at < size ? text->length - at : size;
        we_utf_8_counts counts = {0, 0, 0, 0};
        we_utf_8_count(text->bytes + at, 0, length, SIZE_MAX, &counts);
        if (counts.characters > counts.errors)
            return 0;
        beyond += counts.errors != 0;
    }
    return beyond * 2 >= parts;
}

/* Return an encoding, or its sibling if the text is declared in it. */
static inline we_chosen we_chosen_declared(const we_examined *text, int position, we_declared *declared,
                                           const we_options *options, we_work *work)
{
    if (we_declares(declared, we_set_of(position)))
        position = we_likelier_sibling(text, position, position == we_confirmed(text, declared), options, work);
    return we_chosen_by(position, declared);
}

/* Return the encoding of a text that is not valid UTF-8, among those that are ASCII-compatible. */
static inline we_chosen we_ascii_compatible(const we_examined *text, we_declared declared, const we_options *options,
                                            we_work *work)
{
    int64_t utf_8_penalty = 0;
    if (we_may_be(options, WE_POSITION_UTF_8)) {
        const int is_declared = we_declares(&declared, we_set_of(WE_POSITION_UTF_8));
        const size_t ratio = text->length < WE_SHORT ? WE_UTF_8_RATIO_IF_SHORT : WE_UTF_8_RATIO;
        const we_utf_8_counts counts = we_utf_8_evidence(text, is_declared, ratio);
        if (counts.characters && counts.characters >= counts.errors * ratio
            && (we_confirmed(text, &declared) < 0 || declared.confirmed == WE_POSITION_UTF_8)) {
            const we_chosen chosen = {WE_POSITION_UTF_8, WE_FROM_UTF_8};
            const int likelier = we_likelier_than_utf_8(text, &declared, options, work);
            return likelier >= 0 ? we_chosen_by(likelier, &declared) : chosen;
        }
        /* A template's meta and a server's default. What sequences there are, chance gives. */
        if (is_declared && we_confirmed(text, &declared) == WE_POSITION_UTF_8
            && counts.errors >= WE_ERRORS_OF_CHANCE * counts.characters
            && (counts.characters == 0 || we_is_utf_8_by_chance(text)))
            declared.confirmed = declared.header = declared.page = WE_NO_ENCODING, declared.count = 0;
        const int is_confirmed = declared.header == WE_POSITION_UTF_8 && we_confirmed(text, &declared) >= 0;
        if (!is_confirmed && counts.errors > counts.characters) {
            const size_t more = counts.errors - counts.characters;
            utf_8_penalty = (int64_t)(more < WE_MANY_ERRORS ? more : WE_MANY_ERRORS) * WE_BITS_OF_ERROR * WE_BITS;
        }
    }
    int incumbent = WE_NO_ENCODING; /* it is compared on the whole sample */
    for (size_t i = declared.count; i-- > 0;)
        if (we_in(we_known.ascii_compatible, declared.all[i]) || we_is_page(declared.all[i]))
            incumbent = declared.all[i];
    if (we_is_evident(text, incumbent, options, work))
        return we_chosen_declared(text, incumbent, &declared, options, work);
    /* What costs more than insertions could, and what most of the text could make up, is read no further. */
    const size_t sampled = text->length < options->limit ? text->length : options->limit;
    const int is_confirmed = incumbent >= 0 && incumbent == we_confirmed(text, &declared);
    const int64_t allowance =
        is_confirmed || incumbent == WE_POSITION_UTF_8 ? INT64_MAX / 2 : (WE_INSERTED + (int64_t)sampled / 4) * WE_BITS;
    const we_compared compared = we_compare(text, 0, &declared, utf_8_penalty, incumbent, allowance, options, work);
    int retained = compared.retained;
    if (is_confirmed && !we_is_overwhelming(&compared))
        retained = incumbent;
    else if (retained < 0 && incumbent >= 0 && incumbent != WE_POSITION_UTF_8 && compared.deficit <= allowance
             && !we_declares(&declared, we_set_of(compared.best))) {
        /* Otherwise anyone who can insert a few words in a page, in two parts at most, would choose its encoding. */
        const we_votes votes = we_votes_between(incumbent, compared.best, 1, text, options, work);
        if (votes.first && votes.first >= votes.second)
            retained = incumbent;
    }
    we_chosen chosen = we_chosen_declared(text, retained >= 0 ? retained : compared.best, &declared, options, work);
    if (chosen.position == WE_POSITION_UTF_8 && we_has_utf_8(text))
        chosen.reason = WE_FROM_UTF_8;
    return chosen;
}

/* Return whether what a page declares may matter to the choice. It does not to plain UTF-8, except to a text that looks
 * like it by few characters. */
static inline int we_page_matters(const we_examined *text, const we_options *options)
{
    if (!text->is_utf_8 || text->has_units || text->has_escapes || !we_may_be(options, WE_POSITION_UTF_8))
        return 1;
    const size_t leads = we_utf_8_leads(text->bytes, text->length, WE_FEW_CHARACTERS);
    return leads > 0 && leads <= WE_FEW_CHARACTERS;
}

/* Return the encoding of a text. `header`, `page`: the positions of what a header and the page declare, WE_NO_ENCODING
 * if they declare nothing. */
static inline we_chosen we_choose(const we_examined *text, int header, int page, const we_options *options,
                                  we_work *work)
{
    const we_chosen utf_8 = {WE_POSITION_UTF_8, WE_FROM_UTF_8};
    if (text->mark >= 0 && we_may_be(options, we_bom_position(text->mark))) {
        const we_chosen marked = {we_bom_position(text->mark), WE_FROM_MARK};
        return marked;
    }
    const int is_utf_8 = text->is_utf_8 && we_may_be(options, WE_POSITION_UTF_8);
    we_declared declared = we_declared_of(text, header, page, options);
    const int may_be_structural = text->has_units || text->has_escapes || we_declares(&declared, we_known.utf_16);
    if (is_utf_8 && !may_be_structural) {
        const int likelier = we_likelier_than_utf_8(text, &declared, options, work);
        return likelier >= 0 ? we_chosen_by(likelier, &declared) : utf_8;
    }
    const int structural = may_be_structural || header == WE_POSITION_ISO_2022_JP
                               ? we_structural(text, &declared, options, work)
                               : WE_NO_ENCODING;
    if (structural >= 0)
        return we_chosen_by(structural, &declared);
    if (is_utf_8)
        return utf_8;
    const we_chosen chosen = we_ascii_compatible(text, we_with_valid_siblings(text, declared, options), options, work);
    return chosen.reason < WE_FROM_HEADER ? chosen : we_chosen_by(chosen.position, &declared);
}

/* ---- `detect`: all encodings that a text may be in --------------------------------------------------------------- */

typedef struct {
    int8_t position;
    int8_t language; /* its index in detect_languages, -1 where the text does not tell */
    int64_t bits;
} we_guess_entry;

/* Return the number of encodings that a text may be in, the likeliest first, and set each guess. A mark or plain UTF-8
 * is the only one. Without a declaration the first is what we_choose chooses. */
static inline size_t we_guesses_of(const we_examined *text, const int *declared, size_t declared_count,
                                   const we_options *options, we_guess_entry *guesses, int with_languages,
                                   we_work *work)
{
    we_choices *const choices = &work->choices;
    size_t count = 0;
    choices->count = 0;
    const int marked = text->mark < 0 ? WE_NO_ENCODING : we_bom_position(text->mark);
    const int is_certain = we_may_be(options, marked)
                           || (we_is_plain_utf_8(text) && !text->has_units && we_may_be(options, WE_POSITION_UTF_8));
    const we_chosen chosen = is_certain || declared_count == 0
                                 ? we_choose(text, WE_NO_ENCODING, WE_NO_ENCODING, options, work)
                                 : (we_chosen){WE_NO_ENCODING, WE_FROM_TEXT};
    if (is_certain) {
        const size_t start = chosen.reason == WE_FROM_MARK ? text->mark_length : 0;
        guesses[0].position = (int8_t)chosen.position;
        guesses[0].bits = 0;
        guesses[0].language = -1;
        if (with_languages && !we_is_ascii(text))
            guesses[0].language = (int8_t)we_detect_language(&we_known.candidates[chosen.position], text->bytes + start,
                                                             text->length - start, work);
        return 1;
    }
    if (!choices->count) { /* the choice has compared none */
        we_choices_fill(choices, text, options, declared, declared_count);
        we_detect(choices->candidates, choices->count, text->bytes, text->length, options->limit,
                  we_structures_of(text) | (text->is_whole ? WE_WHOLE : 0), choices->count, 0, work, work->costs);
    }
    we_letters ascii;
    if (with_languages)
        we_bytes_ascii_letters(&work->bytes, &ascii);
    const int64_t best = choices->count ? work->costs[we_least(choices, work->costs, 0)] : 0;
    /* The least cost first; of equal ones, which are rounded afterwards, the earlier candidate. */
    for (size_t i = 0; i < choices->count; i++) {
        const int position = choices->positions[i];
        size_t at = count;
        if (work->costs[i] == INT64_MAX)
            continue;
        we_guess_entry guess = {
            (int8_t)(options->given ? position : we_as_declared(position, options, declared, declared_count)), -1,
            work->costs[i]};
        if (with_languages && guess.bits - best <= WE_HOPELESS) /* others are too far behind to be read */
            guess.language = (int8_t)we_contender_language(&work->contenders[i], work, &ascii);
        for (; at > 0 && guesses[at - 1].bits > guess.bits; at--)
            guesses[at] = guesses[at - 1];
        guesses[at] = guess;
        count++;
    }
    for (size_t i = 1; i < count; i++)
        if (guesses[i].position == chosen.position) {
            we_guess_entry first = guesses[i];
            first.bits = guesses[0].bits;
            memmove(guesses + 1, guesses, i * sizeof *guesses);
            guesses[0] = first;
        }
    for (size_t i = 0; i < count; i++) {
        const int64_t more = guesses[i].bits + WE_BITS / 2; /* round eighths of a bit, which may be negative */
        guesses[i].bits = more >= 0 ? more / WE_BITS : -((-more + WE_BITS - 1) / WE_BITS);
    }
    return count;
}

/* Return the position of an encoding, WE_NO_ENCODING for null. */
static inline int we_position_of(const whatwg_encoding *encoding)
{
    for (int position = 0; encoding != NULL && position < WE_ENCODINGS; position++)
        if (we_c_api->by_index((size_t)position) == encoding)
            return position;
    return WE_NO_ENCODING;
}

/* `detect` of the C API, after we_choose_fill. */
static inline size_t we_guess(const uint8_t *bytes, size_t length, const whatwg_detect_options *given,
                              whatwg_guess *guesses, size_t capacity)
{
    enum { MOST_DECLARED = 8 };
    whatwg_detect_options from;
    we_options options;
    int declared[MOST_DECLARED] = {0}; /* GCC does not see that those beyond the count are not read */
    we_guess_entry entries[WE_CANDIDATES];
    we_work work;
    memset(&from, 0, sizeof from);
    memset(&options, 0, sizeof options);
    if (given != NULL)
        memcpy(&from, given, given->size < sizeof from ? given->size : sizeof from);
    options.limit = from.limit ? from.limit : WE_SAMPLE;
    options.usual_page = WE_NO_ENCODING;
    for (size_t i = 0; i < from.candidate_count; i++) {
        const int position = we_position_of(from.candidates[i]);
        if (we_is_known(position) && memchr(options.order, position, options.given) == NULL)
            options.order[options.given++] = (uint8_t)position; /* each once, so there are at most WE_ENCODINGS */
    }
    if (from.candidate_count && !options.given)
        return 0;
    const size_t declared_count = from.declared_count < MOST_DECLARED ? from.declared_count : MOST_DECLARED;
    for (size_t i = 0; i < declared_count; i++)
        declared[i] = we_position_of(from.declared[i]);
    const we_examined text = we_examine(bytes, length, WE_UNKNOWN, 1);
    const size_t count = we_guesses_of(&text, declared, declared_count, &options, entries, 0, &work);
    for (size_t i = 0; i < count && i < capacity; i++) {
        guesses[i].encoding = we_c_api->by_index((size_t)entries[i].position);
        guesses[i].bits = entries[i].bits;
    }
    return count;
}

#endif
