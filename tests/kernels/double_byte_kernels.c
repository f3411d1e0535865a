/* The runs of double_byte/kernels.h and iso_2022_jp/kernels.h and models that process one item at a time; exported for
 * test_double_byte_kernels.py.
 *
 * A model has no blocks, keys or pairs in memory order: it reads plain arrays that the test fills from the standard's
 * indexes. A sweep places the source and the target so that they end at inaccessible memory, runs kernel and model, and
 * compares what was read, every unit of the result, the state, and the memory around the target.
 */
#include "iso_2022_jp/kernels.h"
#include "units.h"

typedef struct {
    const uint16_t *pairs; /* for the kernels */
    const uint16_t *reverse;
    const int32_t *code_point_for; /* for the models: 65536 code points by the two bytes; -1 = none */
    const int32_t *bytes_for;      /* 65536 bytes or pairs (first << 8 | second) by code point; -1 = none */
    int katakana;                  /* single bytes A1 to DF are half-width katakana */
} tables;

/* The state before and after a run; only ISO-2022-JP has one. */
typedef struct {
    int state;
    int output;
} states;

typedef struct {
    size_t read;
    size_t written;
    states after;
} result;

enum { LONGEST = 20000 };
static char message[400];

/* ---- Models ------------------------------------------------------------------------------------------------------ */

static size_t unit_size(int kind)
{
    return kind == WE_UTF8 ? 1 : (size_t)1 << kind;
}

static size_t put(uint8_t *target, int kind, uint32_t value)
{
    return put_unit(target, kind == WE_UTF8 ? TO_UTF8 : unit_size(kind), value);
}

/* The models of decoders write no more than `room` units. */
static result model_decode(int kind, const tables *table, const uint8_t *source, size_t length, uint8_t *target,
                           size_t room)
{
    result done = {0, 0, {0, 0}};
    while (done.read < length && done.written / unit_size(kind) < room) {
        uint8_t byte = source[done.read];
        int32_t code_point = -1;
        size_t consumed = 1;
        if (byte < 0x80)
            code_point = byte;
        else if (table->katakana && byte >= 0xA1 && byte <= 0xDF)
            code_point = 0xFF61 - 0xA1 + byte;
        else if (done.read + 1 < length) {
            code_point = table->code_point_for[byte << 8 | source[done.read + 1]];
            consumed = 2;
        }
        if (code_point < 0)
            break;
        done.written += put(target + done.written, kind, (uint32_t)code_point);
        done.read += consumed;
    }
    done.written /= unit_size(kind);
    return done;
}

static result model_encode(int kind, const tables *table, const uint8_t *source, size_t length, uint8_t *target)
{
    result done = {0, 0, {0, 0}};
    for (; done.read < length; done.read++) {
        uint32_t code_point = get_unit(source, unit_size(kind), done.read);
        int32_t bytes = code_point < 0x10000 ? table->bytes_for[code_point] : -1;
        if (bytes < 0)
            break;
        if (bytes > 0xFF)
            target[done.written++] = (uint8_t)(bytes >> 8);
        target[done.written++] = (uint8_t)bytes;
    }
    return done;
}

static int is_plain(uint32_t unit, int state)
{
    return unit < 0x80 && unit != 0x0E && unit != 0x0F && unit != 0x1B
           && !(state == WE_ISO_2022_JP_ROMAN && (unit == 0x5C || unit == 0x7E));
}

static result model_iso_2022_jp_decode(int kind, const tables *table, const uint8_t *source, size_t length,
                                       uint8_t *target, states state, size_t room)
{
    static const struct {
        const char *sequence;
        int state;
    } ESCAPES[] = {{"\x1B(B", WE_ISO_2022_JP_ASCII},
                   {"\x1B(J", WE_ISO_2022_JP_ROMAN},
                   {"\x1B(I", WE_ISO_2022_JP_KATAKANA},
                   {"\x1B$@", WE_ISO_2022_JP_LEADING_BYTE},
                   {"\x1B$B", WE_ISO_2022_JP_LEADING_BYTE}};
    result done = {0, 0, state};
    while (done.read < length) {
        const uint8_t *item = source + done.read;
        size_t rest = length - done.read, consumed = 0;
        int32_t code_point = -1;
        for (size_t i = 0; i < sizeof ESCAPES / sizeof ESCAPES[0] && consumed == 0; i++)
            if (rest >= 3 && memcmp(item, ESCAPES[i].sequence, 3) == 0 && !done.after.output) {
                done.after = (states){ESCAPES[i].state, 1};
                consumed = 3;
            }
        if (consumed == 0) {
            if (done.after.state == WE_ISO_2022_JP_ASCII || done.after.state == WE_ISO_2022_JP_ROMAN) {
                consumed = 1;
                code_point = is_plain(*item, done.after.state) ? *item : -1;
            } else if (done.after.state == WE_ISO_2022_JP_LEADING_BYTE && kind != WE_UCS1 && rest >= 2 && item[0] < 0x80
                       && item[1] < 0x80) {
                /* Pointers are those of EUC-JP, whose half-width katakana begin with 8E, which is 0E here. */
                consumed = 2;
                code_point = item[0] < 0x21 ? -1 : table->code_point_for[(item[0] << 8 | item[1]) | 0x8080];
            }
            if (code_point < 0 || done.written / unit_size(kind) == room)
                break;
            done.written += put(target + done.written, kind, (uint32_t)code_point);
            done.after.output = 0;
        }
        done.read += consumed;
    }
    done.written /= unit_size(kind);
    return done;
}

static result model_iso_2022_jp_encode(int kind, const tables *table, const uint8_t *source, size_t length,
                                       uint8_t *target, states state)
{
    result done = {0, 0, state};
    for (; done.read < length; done.read++) {
        uint32_t code_point = get_unit(source, unit_size(kind), done.read);
        int32_t bytes = code_point < 0x10000 ? table->bytes_for[code_point] : -1;
        if (is_plain(code_point, done.after.state)) {
            if (done.after.state == WE_ISO_2022_JP_JIS0208) {
                memcpy(target + done.written, "\x1B(B", 3);
                done.written += 3;
                done.after.state = WE_ISO_2022_JP_ASCII;
            }
            target[done.written++] = (uint8_t)code_point;
        } else if (bytes > 0xFF && bytes >> 8 != 0x8E) {
            if (done.after.state != WE_ISO_2022_JP_JIS0208) {
                memcpy(target + done.written, "\x1B$B", 3);
                done.written += 3;
                done.after.state = WE_ISO_2022_JP_JIS0208;
            }
            target[done.written++] = (uint8_t)((bytes >> 8) - 0x80);
            target[done.written++] = (uint8_t)(bytes - 0x80);
        } else
            break;
    }
    return done;
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

enum { DECODE, ENCODE, ISO_2022_JP_DECODE, ISO_2022_JP_ENCODE };

static result run_model(int kernel, int kind, const tables *table, const uint8_t *source, size_t length,
                        uint8_t *target, states state, size_t room)
{
    switch (kernel) {
    case DECODE:
        return model_decode(kind, table, source, length, target, room);
    case ENCODE:
        return model_encode(kind, table, source, length, target);
    case ISO_2022_JP_DECODE:
        return model_iso_2022_jp_decode(kind, table, source, length, target, state, room);
    default:
        return model_iso_2022_jp_encode(kind, table, source, length, target, state);
    }
}

/* Fill the stack with out-of-range keys, in case a kernel reads uninitialized memory. */
static void __attribute__((noinline)) scribble(void)
{
    uint8_t below[4096];
    memset(below, 0x80, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

#define PAIRS simd, source, length, table->pairs, table->katakana, to, &done.written
#define REVERSE simd, from, length, table->reverse, target, &done.written
#define JIS_TO(kind) simd, kind, source, length, table->pairs, to, &done.written, &decoder
#define JIS_FROM(kind) simd, kind, from, length, table->reverse, target, &done.written, &encoder
#define CASE(kernel, kind, call)                                                                                       \
    case kernel * 4 + WE_##kind:                                                                                       \
        done.read = call;                                                                                              \
        break;
static result run_kernel(int kernel, int kind, int simd, const tables *table, const uint8_t *source, size_t length,
                         uint8_t *target, states state, size_t room)
{
    result done = {0, room, state};
    we_decoder_state decoder = {0};
    we_encoder_state encoder = {0};
    decoder.iso_2022_jp_decoder_output_state = (uint8_t)state.state;
    decoder.iso_2022_jp_output = (uint8_t)state.output;
    encoder.iso_2022_jp_encoder_state = (uint8_t)state.state;
    void *to = target;
    const void *from = source;
    switch (kernel * 4 + kind) {
        CASE(DECODE, UCS2, we_double_byte_run_to_ucs2(PAIRS))
        CASE(DECODE, UCS4, we_double_byte_run_to_ucs4(PAIRS))
        CASE(DECODE, UTF8, we_double_byte_run_to_utf8(PAIRS))
        CASE(ENCODE, UCS1, we_double_byte_run_from_ucs1(REVERSE))
        CASE(ENCODE, UCS2, we_double_byte_run_from_ucs2(REVERSE))
        CASE(ENCODE, UCS4, we_double_byte_run_from_ucs4(REVERSE))
        CASE(ISO_2022_JP_DECODE, UCS1, we_iso_2022_jp_run_to(JIS_TO(WE_UCS1)))
        CASE(ISO_2022_JP_DECODE, UCS2, we_iso_2022_jp_run_to(JIS_TO(WE_UCS2)))
        CASE(ISO_2022_JP_DECODE, UCS4, we_iso_2022_jp_run_to(JIS_TO(WE_UCS4)))
        CASE(ISO_2022_JP_DECODE, UTF8, we_iso_2022_jp_run_to(JIS_TO(WE_UTF8)))
        CASE(ISO_2022_JP_ENCODE, UCS1, we_iso_2022_jp_run_from(JIS_FROM(WE_UCS1)))
        CASE(ISO_2022_JP_ENCODE, UCS2, we_iso_2022_jp_run_from(JIS_FROM(WE_UCS2)))
        CASE(ISO_2022_JP_ENCODE, UCS4, we_iso_2022_jp_run_from(JIS_FROM(WE_UCS4)))
    default:
        done.read = SIZE_MAX;
    }
    if (kernel == ISO_2022_JP_DECODE)
        done.after = (states){decoder.iso_2022_jp_decoder_output_state, decoder.iso_2022_jp_output};
    else if (kernel == ISO_2022_JP_ENCODE)
        done.after.state = encoder.iso_2022_jp_encoder_state;
    return done;
}

/* Return the capacity in bytes that codec.h promises for `length` units or bytes of source. */
static size_t capacity_for(int kernel, int kind, size_t length)
{
    if (kernel == ENCODE)
        return 2 * length + WE_ENCODE_SLACK;
    if (kernel == ISO_2022_JP_ENCODE)
        return 5 * length + WE_ENCODE_SLACK;
    return length * (kind == WE_UTF8 ? WE_UTF8_PER_BYTE : unit_size(kind));
}

static size_t source_unit(int kernel, int kind)
{
    return kernel == ENCODE || kernel == ISO_2022_JP_ENCODE ? unit_size(kind) : 1;
}

static size_t target_unit(int kernel, int kind)
{
    return kernel == ENCODE || kernel == ISO_2022_JP_ENCODE ? 1 : unit_size(kind);
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

/* Check one run, of a decoder to UCS2 or UCS4 into `*units` if that is not SIZE_MAX; set it to what is written. Return
 * a null pointer, or a message that says what is wrong. `after` bytes follow the capacity that suffices for any
 * source. */
static const char *check_units(int kernel, int kind, int simd, const tables *table, const uint8_t *source,
                               size_t length, uint8_t *target, size_t after, states state, size_t *units)
{
    static uint8_t expected[LONGEST * 5 + WE_ENCODE_SLACK];
    const size_t room = *units;
    size_t capacity = capacity_for(kernel, kind, length);
    result wanted = run_model(kernel, kind, table, source, length, expected, state, room);
    fill_around(target, capacity, after);
    scribble();
    result done = run_kernel(kernel, kind, simd, table, source, length, target, state, room);
    *units = wanted.written;
    if (room < capacity / unit_size(kind)) {
        after += capacity - room * unit_size(kind);
        capacity = room * unit_size(kind);
    }
    const char *what = NULL;
    if (done.read != wanted.read)
        what = "wrong length read";
    else if (done.written != wanted.written)
        what = "wrong length written";
    else if (memcmp(target, expected, wanted.written * target_unit(kernel, kind)) != 0)
        what = "wrong result";
    else if (done.after.state != wanted.after.state || done.after.output != wanted.after.output)
        what = "wrong state";
    else
        what = changed_around(target, capacity, after);
    if (what == NULL)
        return NULL;
    int size =
        snprintf(message, sizeof message,
                 "kernel %d, kind %d, %s, %zu units, %zu behind, state %d/%d: %s; read %zu, expected %zu:", kernel,
                 kind, we_simd_name(simd), length, after, state.state, state.output, what, done.read, wanted.read);
    for (size_t i = 0; i < 16 && wanted.read + i < length; i++)
        size += snprintf(message + size, sizeof message - (size_t)size, " %02X",
                         (unsigned)get_unit(source, source_unit(kernel, kind), wanted.read + i));
    return message;
}

/* Check a run into a target for all of it, and a decoder's into targets for less. */
static const char *check(int kernel, int kind, int simd, const tables *table, const uint8_t *source, size_t length,
                         uint8_t *target, size_t after, states state)
{
    size_t units = SIZE_MAX;
    const char *what = check_units(kernel, kind, simd, table, source, length, target, after, state, &units);
    if ((kernel != DECODE && kernel != ISO_2022_JP_DECODE) || (kind != WE_UCS2 && kind != WE_UCS4) || units == 0)
        return what;
    size_t some = (length * 7 + after) % units, all_but_one = units - 1;
    if (what == NULL)
        what = check_units(kernel, kind, simd, table, source, length, target, after, state, &some);
    if (what == NULL)
        what = check_units(kernel, kind, simd, table, source, length, target, after, state, &all_but_one);
    return what;
}

/* Check every length up to `longest` of a text of `length` units, from an offset that grows with the length, ending 0
 * to `places` - 1 units before the end of the source's memory and of the target's. */
const char *sweep_places(int kernel, int kind, int simd, const tables *table, const uint8_t *text, size_t length,
                         size_t longest, size_t places, int state, int output, uint8_t *source_end, uint8_t *target_end)
{
    size_t size = source_unit(kernel, kind);
    for (size_t part = 0; part <= longest; part++)
        for (size_t place = 0; place < places; place++) {
            /* The two offsets use different strides, so that many combinations occur. */
            size_t after = (place * 7 + part) % 65 * target_unit(kernel, kind);
            uint8_t *source = source_end - (part + place) * size;
            memcpy(source, text + (part * 31 + place) % (length - longest) * size, part * size);
            uint8_t *target = target_end - after - capacity_for(kernel, kind, part);
            const char *wrong = check(kernel, kind, simd, table, source, part, target, after, (states){state, output});
            if (wrong != NULL)
                return wrong;
        }
    return NULL;
}

/* Check every two bytes from `first` to `last` (first byte << 8 | second byte) at the given place in the text. */
const char *sweep_pairs(int kernel, int kind, int simd, const tables *table, const uint8_t *text, size_t length,
                        uint32_t first, uint32_t last, size_t at, int state, uint8_t *source_end, uint8_t *target_end)
{
    uint8_t *source = source_end - length;
    memcpy(source, text, length);
    for (uint32_t pair = first; pair <= last; pair++) {
        source[at] = (uint8_t)(pair >> 8);
        source[at + 1] = (uint8_t)pair;
        uint8_t *target = target_end - capacity_for(kernel, kind, length);
        const char *wrong = check(kernel, kind, simd, table, source, length, target, 0, (states){state, 0});
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

/* Check every code point from `first` to `last` at the given place in the text. */
const char *sweep_code_points(int kernel, int kind, int simd, const tables *table, const uint8_t *text, size_t length,
                              uint32_t first, uint32_t last, size_t at, int state, uint8_t *source_end,
                              uint8_t *target_end)
{
    size_t size = unit_size(kind);
    uint8_t *source = source_end - length * size;
    memcpy(source, text, length * size);
    for (uint32_t code_point = first; code_point <= last; code_point++) {
        put(source + at * size, kind, code_point);
        uint8_t *target = target_end - capacity_for(kernel, kind, length);
        const char *wrong = check(kernel, kind, simd, table, source, length, target, 0, (states){state, 0});
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}
