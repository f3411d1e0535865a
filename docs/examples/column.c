/* Decode a column of bytes, in Shift_JIS, to text. The structures are those of the Arrow C data interface. */
#include <stdio.h>
#include <whatwg_encoding.h>
#include <whatwg_encoding_arrow.h>

/* These have no memory to free. */
static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

int main(void)
{
    static const int32_t offsets[] = {0, 4, 4, 6};
    const void *buffers[] = {NULL, offsets, "\x83\x6e\x83\x8d\x87\x40"};
    struct ArrowSchema schema = {.format = "z", .name = "", .release = release_schema}, text_schema;
    struct ArrowArray column = {.length = 3, .n_buffers = 3, .buffers = buffers, .release = release_array}, text;
    whatwg_column_options options = {.size = sizeof options};
    whatwg_column_error error;

    options.encoding = whatwg_encoding_get()->for_label("shift_jis", 9);
    options.on_error = WHATWG_ROW_NULL;
    if (whatwg_encoding_decode_column(&schema, &column, &options, &text_schema, &text, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const int32_t *const ends = text.buffers[1];
    const char *const data = text.buffers[2];
    for (int64_t row = 0; row < text.length; row++)
        printf("%.*s\n", (int)(ends[row + 1] - ends[row]), data + ends[row]);
    text.release(&text);
    text_schema.release(&text_schema);
    schema.release(&schema);
    return 0;
}
