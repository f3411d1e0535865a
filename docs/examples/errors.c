/* Print where standard input isn't valid in an encoding: `errors LABEL`. */
#include <stdio.h>
#include <string.h>
#include <whatwg_encoding.h>

int main(int count, char **arguments)
{
    static uint8_t text[1 << 20];
    whatwg_error_span spans[10];
    const char *label = count > 1 ? arguments[1] : "utf-8";
    const whatwg_encoding *encoding = whatwg_encoding_get()->for_label(label, strlen(label));
    if (encoding == NULL)
        return fprintf(stderr, "unknown label\n"), 2;
    size_t length = fread(text, 1, sizeof text, stdin);
    size_t errors = whatwg_encoding_errors(encoding, text, length, spans, 10);
    for (size_t i = 0; i < errors && i < 10; i++)
        printf("byte %d, length %d\n", (int)spans[i].offset, (int)spans[i].length);
    printf("%d errors\n", (int)errors);
    return errors != 0;
}
