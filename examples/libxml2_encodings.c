/* libxml2 with the encodings of the web: parse a document, and write it to stdout in UTF-8 or another encoding.
 *
 *     libxml2_encodings FILE [ENCODING]
 *
 * libxml2 knows Latin-1 and leaves most other encodings to iconv, whose tables are not those of browsers. Handlers that
 * are registered precede iconv: one for each encoding of the standard, with the standard's labels as aliases. UTF-8 and
 * UTF-16 remain libxml2's own. A malformed sequence becomes U+FFFD, as in browsers.
 *
 * Compile with `xml2-config --cflags --libs` and `pkg-config --cflags --libs whatwg_encoding`. */
#include <whatwg_encoding.h>

#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/xmlsave.h>
#include <stdio.h>
#include <string.h>

enum { ENCODINGS = 40, ESCAPE_SEQUENCE = 3, ONE_ITEM = 16 };

static const whatwg_encoding_api *we;
static const whatwg_encoding *encodings[ENCODINGS];
static const whatwg_encoding *iso_2022_jp;

/* Return how many bytes of ISO-2022-JP may be decoded so that the ASCII state is reached again after an ASCII byte. A
 * handler has no state that lasts between calls, and any other position would need one. (libxml2 2.9 ends the document
 * if it is given none of a block. So 32 KiB without ASCII text are too long; every line ends in ASCII.) */
static size_t up_to_ascii_state(const unsigned char *in, size_t length)
{
    size_t end = 0;
    int ascii = 1;
    for (size_t i = 0; i < length; i++) {
        if (in[i] != 0x1B) {
            end = ascii ? i + 1 : end;
        } else if (length - i < ESCAPE_SEQUENCE) {
            break;
        } else if (memcmp(in + i + 1, "(B", 2) == 0) {
            ascii = 1;
            i += 2;
        } else if ((in[i + 1] == '(' && (in[i + 2] == 'J' || in[i + 2] == 'I'))
                   || (in[i + 1] == '$' && (in[i + 2] == '@' || in[i + 2] == 'B'))) {
            ascii = 0;
        }
    }
    return end;
}

/* Decode what is complete; libxml2 passes the rest again with the bytes after it. */
static int decode(const whatwg_encoding *encoding, unsigned char *out, int *out_length, const unsigned char *in,
                  int *in_length)
{
    whatwg_decoder decoder;
    size_t read = (size_t)*in_length, written;
    int result, is_full = 0;
    do {
        if (encoding == iso_2022_jp)
            read = up_to_ascii_state(in, read);
        we->decoder_init(&decoder, encoding, 0);
        written = (size_t)*out_length;
        result = we->decode_to_utf8(&decoder, in, &read, out, &written, 0);
        is_full |= result == WHATWG_OUTPUT_FULL;
    } while (result == WHATWG_OUTPUT_FULL && encoding == iso_2022_jp);
    *in_length = (int)(read - we->pending_length(&decoder));
    *out_length = (int)written;
    return is_full && written == 0 ? -1 : *out_length;
}

/* Return how many bytes of UTF-8 precede an incomplete sequence at the end. */
static size_t whole_sequences(const unsigned char *in, size_t length)
{
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        const unsigned char byte = in[length - back];
        if (byte >= 0xC0)
            return back < (byte >= 0xF0 ? 4u : byte >= 0xE0 ? 3u : 2u) ? length - back : length;
    }
    return length;
}

/* Encode up to a code point that is unmappable, for which -2 makes libxml2 write a reference. */
static int encode(const whatwg_encoding *encoding, unsigned char *out, int *out_length, const unsigned char *in,
                  int *in_length)
{
    whatwg_encoder encoder;
    size_t read = 0, written = 0, none = 0, end = ESCAPE_SEQUENCE;
    int result = WHATWG_INPUT_EMPTY;
    if (in != NULL && *out_length < ONE_ITEM)
        return -1;
    if (in != NULL) {
        read = whole_sequences(in, (size_t)*in_length);
        written = (size_t)*out_length - ESCAPE_SEQUENCE;
        we->encoder_init(&encoder, encoding, WHATWG_FATAL);
        result = we->encode_from_utf8(&encoder, in, &read, out, &written, 0);
        if (result == WHATWG_UNMAPPABLE) /* It was read. */
            do
                read--;
            while ((in[read] & 0xC0) == 0x80);
        /* End the stream: ISO-2022-JP returns to the ASCII state, also from the Roman state after an error. */
        we->encode_from_utf8(&encoder, NULL, &none, out + written, &end, 1);
        written += end;
    }
    *in_length = (int)read;
    *out_length = (int)written;
    return result == WHATWG_UNMAPPABLE ? -2 : *out_length;
}

/* libxml2's handlers have no argument for data: each encoding needs functions of its own. */
#define EACH(f)                                                                                                        \
    f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16) f(17) f(18) f(19)      \
        f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31) f(32) f(33) f(34) f(35) f(36) f(37)    \
            f(38) f(39)
#define FUNCTIONS(n)                                                                                                   \
    static int input_##n(unsigned char *out, int *out_length, const unsigned char *in, int *in_length)                 \
    {                                                                                                                  \
        return decode(encodings[n], out, out_length, in, in_length);                                                   \
    }                                                                                                                  \
    static int output_##n(unsigned char *out, int *out_length, const unsigned char *in, int *in_length)                \
    {                                                                                                                  \
        return encode(encodings[n], out, out_length, in, in_length);                                                   \
    }
#define POINTERS(n) {input_##n, output_##n},
EACH(FUNCTIONS)
static const struct {
    xmlCharEncodingInputFunc input;
    xmlCharEncodingOutputFunc output;
} functions[ENCODINGS] = {EACH(POINTERS)};

static void register_encodings(void)
{
    const whatwg_encoding *encoding;
    const char *label;
    we = whatwg_encoding_get();
    iso_2022_jp = we->for_label("iso-2022-jp", 11);
    for (size_t n = 0; n < ENCODINGS && (encoding = we->by_index(n)) != NULL; n++) {
        /* All but UTF-8, and UTF-16BE, UTF-16LE and replacement, which have no encoder. */
        if (we->output_encoding(encoding) != encoding || strcmp(we->name(encoding), "UTF-8") == 0)
            continue;
        encodings[n] = encoding;
        xmlNewCharEncodingHandler(we->name(encoding), functions[n].input, functions[n].output);
        for (size_t index = 0; (label = we->label(encoding, index)) != NULL; index++)
            if (xmlStrcasecmp(BAD_CAST label, BAD_CAST we->name(encoding)) != 0)
                xmlAddEncodingAlias(we->name(encoding), label);
    }
}

int main(int count, char **arguments)
{
    /* The option is for comparison: the encodings that libxml2 and iconv have. */
    const int without = count > 1 && strcmp(arguments[1], "--without") == 0;
    count -= without;
    arguments += without;
    if (count < 2 || count > 3) {
        fprintf(stderr, "usage: libxml2_encodings [--without] FILE [ENCODING]\n");
        return 2;
    }
    LIBXML_TEST_VERSION
    if (!without)
        register_encodings();
    const char *const suffix = strrchr(arguments[1], '.');
    const int is_html = suffix != NULL && strncmp(suffix, ".htm", 4) == 0;
    xmlDocPtr document =
        is_html ? htmlReadFile(arguments[1], NULL, HTML_PARSE_NONET) : xmlReadFile(arguments[1], NULL, XML_PARSE_NONET);
    if (document == NULL)
        return 1;
    xmlSaveCtxtPtr output = xmlSaveToFd(1, count > 2 ? arguments[2] : "UTF-8", 0);
    const int saved = output != NULL && xmlSaveDoc(output, document) >= 0;
    const int closed = output != NULL && xmlSaveClose(output) >= 0;
    xmlFreeDoc(document);
    return saved && closed ? 0 : 1;
}
