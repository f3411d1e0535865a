/* Write standard input to standard output as UTF-8: `recode [LABEL]`. Without a label the first bytes decide. */
#include <stdio.h>
#include <string.h>
#include <whatwg_encoding.h>

int main(int count, char **arguments)
{
    const whatwg_encoding_api *we = whatwg_encoding_get();
    static uint8_t source[16384], target[16384];
    const whatwg_encoding *encoding = NULL;
    whatwg_decoder decoder;
    whatwg_guess guess;
    size_t length = fread(source, 1, sizeof source, stdin);
    if (count > 1)
        encoding = we->for_label(arguments[1], strlen(arguments[1]));
    else if (we->detect(source, length, NULL, &guess, 1) != 0)
        encoding = guess.encoding;
    if (encoding == NULL)
        return fprintf(stderr, "unknown label\n"), 2;
    we->decoder_init(&decoder, encoding, WHATWG_BOM_SNIFF);
    for (int last = 0; !last; length = fread(source, 1, sizeof source, stdin)) {
        int result = WHATWG_OUTPUT_FULL;
        last = length == 0;
        for (size_t at = 0; result == WHATWG_OUTPUT_FULL;) {
            size_t read = length - at, written = sizeof target;
            result = we->decode_to_utf8(&decoder, source + at, &read, target, &written, last);
            fwrite(target, 1, written, stdout);
            at += read;
        }
    }
    fprintf(stderr, "%s, %d errors\n", we->name(we->decoder_encoding(&decoder)), (int)we->error_count(&decoder));
    return 0;
}
