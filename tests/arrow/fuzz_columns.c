/* Fuzz src/native/columns under AddressSanitizer and UndefinedBehaviorSanitizer: valid and invalid arrays of every
 * layout, with buffers of exact size.
 *
 * Usage: fuzz_columns SEED COUNT. Each array is checked; an accepted one is read, decoded by a codec that writes to all
 * of its capacity, converted to every layout and exported. An array is invalid only in ways that the interface lets a
 * consumer detect: each buffer has at least the declared size.
 */
#include <stdio.h>

#include "rows.h"

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below == 0 ? 0 : (state >> 11) % below;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

typedef struct {
    void *blocks[16];
    const void *buffers[16];
    struct ArrowArray dictionary;
    struct ArrowArray child;
    struct ArrowArray *children[1];
} holder;

static long alive; /* arrays that are not released */

static void release(struct ArrowArray *array)
{
    holder *const own = (holder *)array->private_data;
    if (own->dictionary.release != NULL)
        own->dictionary.release(&own->dictionary);
    if (own->child.release != NULL)
        own->child.release(&own->child);
    for (int i = 0; i < 16; i++)
        free(own->blocks[i]);
    free(own);
    array->release = NULL;
    alive -= 1;
}

static void *block(holder *own, int index, const void *bytes, size_t size)
{
    own->blocks[index] = malloc(size > 0 ? size : 1);
    if (size > 0)
        memcpy(own->blocks[index], bytes, size);
    own->buffers[index] = own->blocks[index];
    return own->blocks[index];
}

static const uint8_t texts[] =
    "ASCII text that is long enough for vectors, \xE3\x81\x82\xE3\x81\x84 \xC3\xA9 \xF0\x9F\x98\x80 \xFF\xC0 \xE3\x81";

/* Fill plain values of a layout with the declared `offset` and `length`, whatever the buffers contain. */
static void make_values(struct ArrowArray *array, we_layout layout, int64_t width)
{
    holder *const own = (holder *)calloc(1, sizeof *own);
    const int64_t offset = (int64_t)draw(4), length = (int64_t)draw(20), items = offset + length;
    int64_t nulls = 0;
    memset(array, 0, sizeof *array);
    array->private_data = own;
    array->release = release;
    array->length = length;
    array->offset = offset;
    array->buffers = own->buffers;
    alive += 1;
    if (layout == WE_NO_VALUES) {
        array->null_count = length;
        return;
    }
    if (draw(2)) {
        uint8_t bits[8];
        for (int i = 0; i < 8; i++)
            bits[i] = (uint8_t)draw(256);
        block(own, 0, bits, (size_t)(items + 7) / 8);
        for (int64_t i = 0; i < length; i++)
            nulls += !we_bit(bits, offset + i);
    }
    array->null_count = draw(3) == 0 && own->buffers[0] != NULL ? -1 : nulls;
    if (layout == WE_FIXED) {
        array->n_buffers = 2;
        uint8_t bytes[32 * 8];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = texts[draw(sizeof texts)];
        block(own, 1, bytes, (size_t)(items * width));
        return;
    }
    if (layout == WE_VIEWS) {
        uint8_t views[32 * WE_VIEW_SIZE];
        int64_t sizes[2] = {(int64_t)draw(sizeof texts), (int64_t)draw(sizeof texts)};
        array->n_buffers = 5;
        for (int64_t i = 0; i < items; i++) {
            const int32_t buffer = (int32_t)draw(2);
            const int32_t start = sizes[buffer] > 0 ? (int32_t)draw((uint64_t)sizes[buffer]) : 0;
            const int64_t size = (int64_t)draw((uint64_t)(sizes[buffer] - start) + 1);
            we_write_view(views + i * WE_VIEW_SIZE, texts + start, (size_t)size, buffer, start);
            if (draw(60) == 0)
                views[i * WE_VIEW_SIZE + draw(WE_VIEW_SIZE)] = (uint8_t)draw(256);
        }
        block(own, 1, views, (size_t)items * WE_VIEW_SIZE);
        block(own, 2, texts, (size_t)sizes[0]);
        block(own, 3, texts, (size_t)sizes[1]);
        if (draw(30) == 0)
            sizes[draw(2)] = draw(2) ? -1 : INT64_MIN;
        block(own, 4, sizes, sizeof sizes);
        return;
    }
    array->n_buffers = 3;
    int64_t end = (int64_t)draw(4), largest = 0;
    uint8_t offsets[32 * 8];
    for (int64_t i = 0; i <= items; i++) {
        int64_t value = end;
        if (draw(150) == 0)
            value -= (int64_t)draw(40);
        largest = value > largest ? value : largest;
        if (layout == WE_OFFSETS_32) {
            const int32_t narrow = (int32_t)value;
            memcpy(offsets + i * 4, &narrow, 4);
        } else {
            memcpy(offsets + i * 8, &value, 8);
        }
        end += (int64_t)draw(i % 3 == 0 ? 30 : 5);
    }
    block(own, 1, offsets, (size_t)(items + 1) * (layout == WE_OFFSETS_32 ? 4 : 8));
    uint8_t data[32 * 40];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = texts[(i + draw(8)) % (draw(3) ? 30 : sizeof texts)];
    block(own, 2, data, (size_t)largest);
}

/* Make a declaration invalid, but do not increase the declared size of a buffer. */
static void lie(struct ArrowArray *array)
{
    switch (draw(10)) {
    case 0:
        array->length = draw(2) ? -1 : INT64_MIN;
        break;
    case 1:
        array->offset = draw(2) ? -1 : INT64_MAX;
        break;
    case 2:
        array->null_count = (int64_t)draw(3) - 3;
        break;
    case 3:
        array->null_count = array->length + 1;
        break;
    case 4:
        array->n_buffers = (int64_t)draw(4) - 1;
        break;
    case 5:
        array->buffers = NULL;
        break;
    case 6:
        array->n_children = 1;
        break;
    case 7:
        ((holder *)array->private_data)->buffers[draw(4)] = NULL;
        break;
    case 8:
        array->length = INT64_MAX;
        break;
    default:
        break;
    }
}

/* ---- A codec that writes to all of its capacity ------------------------------------------------------------------ */

static we_result decode(we_decode_run *run)
{
    /* Bytes from 0xF8 on are errors, others from 0x80 on take three bytes; 0xF0 requires another byte after it. */
    uint8_t *const target = (uint8_t *)run->target;
    memset(target + run->written, 0xAA, (run->source_length - run->read) * WE_UTF8_PER_BYTE);
    while (run->read < run->source_length) {
        const uint8_t byte = run->source[run->read];
        if (byte == 0xF0 && run->read + 1 == run->source_length && !run->end_of_queue)
            break;
        run->read += 1;
        if (byte < 0x80) {
            target[run->written++] = byte;
            continue;
        }
        if (byte >= 0xF8) {
            if (run->error_mode) {
                run->error_length = 1;
                return WE_MALFORMED;
            }
            run->error_count += 1;
        }
        memcpy(target + run->written, "\xEF\xBF\xBD", 3);
        run->written += 3;
    }
    return WE_INPUT_EMPTY;
}

/* The first one is taken for that of UTF-8: valid rows are shared, the others are decoded by it. */
static const we_codec pair[2] = {
    {.decode = {NULL, NULL, NULL, decode}, .is_ascii_compatible = 1},
    {.decode = {NULL, NULL, NULL, decode}, .is_ascii_compatible = 1},
};

/* ---- One input --------------------------------------------------------------------------------------------------- */

static uint64_t total;

static void look(const struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++)
        look(array->children[i]);
    total += (uint64_t)array->length;
}

/* Import an array of the package as a source. Return what keeps it. */
static we_block *import(we_array *array, we_source *source)
{
    struct ArrowArray exported;
    char message[WE_MESSAGE_SIZE];
    we_format format;
    memset(&format, 0, sizeof format);
    we_block *const owner = we_array_export(array, &exported) == 0 ? we_block_import(&exported) : NULL;
    if (owner == NULL || we_layout_of(array->format, &format) < 0
        || we_source_open(&owner->array, "result", &format, source, message) < 0) {
        fprintf(stderr, "a result is no source\n");
        abort();
    }
    return owner;
}

static void check_text(we_array *text, we_layout layout)
{
    we_source source;
    we_values *const values = &source.values;
    we_check check = {0};
    char message[WE_MESSAGE_SIZE];
    we_block *const owner = import(text, &source);
    if (values->layout != layout || we_source_check(&source, "result", &check, message) != 1) {
        fprintf(stderr, "a result is wrong: %s\n", message);
        abort();
    }
    for (int64_t i = 0; i < values->length; i++) {
        const uint8_t *bytes;
        size_t length;
        if (!we_value_is_null(values, i) && we_value_bytes(values, i, &bytes, &length) == WE_ROW_BYTES
            && we_utf_8_valid_run(0, bytes, length) != length) {
            fprintf(stderr, "a result is not UTF-8\n");
            abort();
        }
    }
    we_block_drop(owner);
}

/* Compare the rows of two arrays. */
static void compare(we_array *one, we_array *other)
{
    we_source a, b;
    we_block *const first = import(one, &a), *const second = import(other, &b);
    for (int64_t i = 0; i < a.length || i < b.length; i++) {
        const uint8_t *bytes = NULL, *others = NULL;
        size_t length = 0, count = 0;
        const int found = we_source_row(&a, i, &bytes, &length);
        if (a.length != b.length || found != we_source_row(&b, i, &others, &count) || length != count
            || (length != 0 && memcmp(bytes, others, length) != 0)) {
            fprintf(stderr, "a cast changed row %ld\n", (long)i);
            abort();
        }
    }
    we_block_drop(first);
    we_block_drop(second);
}

static void convert(we_source *source, we_block *owner)
{
    static const we_engine engine = {
        .encodings[WE_POSITION_UTF_8] = {&pair[0]},
        .encodings[WE_POSITION_UTF_8 + 1] = {&pair[1]},
        .encodings[WE_POSITION_UTF_16BE] = {&pair[1]},
        .encodings[WE_POSITION_UTF_16LE] = {&pair[1]},
    };
    we_job *const job = (we_job *)calloc(1, sizeof *job);
    job->engine = &engine;
    job->encoding = WE_POSITION_UTF_8 + (int)draw(2);
    job->sniffs_mark = (int)draw(2);
    job->with_info = (int)draw(2);
    job->on_error = (we_on_error)draw(3);
    job->layout = (we_layout)(WE_OFFSETS_32 + draw(3));
    job->limit = draw(2) ? INT32_MAX : (int64_t)draw(200) + 1;
    int going = we_job_start(job, source, owner) == 0;
    while (going) {
        const we_job_result result = we_job_run(job);
        if (result == WE_JOB_DONE || result == WE_JOB_FULL) {
            we_array *const array = we_job_finish(job);
            struct ArrowArray exported;
            struct ArrowSchema schema;
            if (array != NULL) {
                we_array *const text = job->with_info ? array->children[0] : array;
                check_text(text, job->layout);
                for (we_layout layout = WE_OFFSETS_32; layout <= WE_VIEWS; layout = (we_layout)(layout + 1)) {
                    we_array *cast = NULL;
                    if (we_array_cast(text, we_format_name(layout, 0), &cast) == WE_JOB_DONE) {
                        check_text(cast, layout);
                        compare(text, cast);
                        we_array_drop(cast);
                    }
                }
                if (we_array_schema(array, &schema) == 0)
                    schema.release(&schema);
                if (we_array_export(array, &exported) == 0) {
                    look(&exported);
                    if (draw(2)) {
                        exported.release(&exported);
                        we_array_drop(array);
                    } else {
                        we_array_drop(array);
                        exported.release(&exported);
                    }
                }
            }
            going = result == WE_JOB_FULL && we_job_begin(job) == 0;
        } else {
            going = result == WE_JOB_PAUSED;
        }
    }
    we_job_clear(job);
    free(job);
}

static long accepted;

static void one(void)
{
    static const char indices[] = "cCsSiIlL";
    we_format format;
    struct ArrowArray array;
    char message[WE_MESSAGE_SIZE];
    memset(&format, 0, sizeof format);
    format.layout = (we_layout)draw(5);
    format.width = format.layout == WE_FIXED ? (int64_t)draw(8) : 0;
    format.index = draw(4) == 0 ? indices[draw(8)] : 0;
    format.wrapped = draw(6) == 0;
    make_values(&array, format.layout, format.width);
    if (draw(8) == 0)
        lie(&array);
    if (format.index != 0) {
        holder *const own = (holder *)calloc(1, sizeof *own);
        const int64_t width = we_index_width(format.index), length = (int64_t)draw(20);
        uint8_t bytes[20 * 8];
        const int64_t within = array.length > 0 && array.length < 100 ? array.length : 1;
        memset(bytes, 0, sizeof bytes);
        for (int64_t i = 0; i < length; i++) {
            bytes[i * width] = (uint8_t)draw((uint64_t)within);
            if (draw(100) == 0)
                bytes[i * width + (int64_t)draw((uint64_t)width)] = (uint8_t)draw(256);
        }
        own->dictionary = array;
        memset(&array, 0, sizeof array);
        block(own, 1, bytes, (size_t)(length * width));
        array.length = length;
        array.n_buffers = 2;
        array.buffers = own->buffers;
        array.dictionary = &own->dictionary;
        array.private_data = own;
        array.release = release;
        alive += 1;
        if (draw(8) == 0)
            lie(&array);
    }
    if (format.wrapped) {
        holder *const own = (holder *)calloc(1, sizeof *own);
        own->child = array;
        own->children[0] = &own->child;
        memset(&array, 0, sizeof array);
        array.offset = (int64_t)draw(3);
        array.length =
            draw(9) == 0 ? (int64_t)draw(30) : (int64_t)((uint64_t)own->child.length - (uint64_t)array.offset);
        array.n_buffers = 1;
        array.buffers = own->buffers;
        array.n_children = 1;
        array.children = own->children;
        array.private_data = own;
        array.release = release;
        alive += 1;
        if (draw(8) == 0)
            lie(&array);
    }
    we_block *const owner = we_block_import(&array);
    we_source source;
    we_check check = {0};
    int status = we_source_open(&owner->array, "values", &format, &source, message);
    while (status == 0)
        status = we_source_check(&source, "values", &check, message);
    if (status == 1) {
        accepted += 1;
        convert(&source, owner);
    }
    we_block_drop(owner);
}

int main(int count, char **arguments)
{
    const long inputs = count > 2 ? atol(arguments[2]) : 100000;
    state = 88172645463325252ull ^ (count > 1 ? (uint64_t)atol(arguments[1]) * 0x9E3779B97F4A7C15ull : 0);
    for (long i = 0; i < inputs; i++) {
        one();
        if (alive != 0) {
            fprintf(stderr, "input %ld: %ld arrays were not released\n", i, alive);
            return 1;
        }
    }
    printf("%ld inputs, %ld accepted, %llu rows\n", inputs, accepted, (unsigned long long)total);
    return 0;
}
