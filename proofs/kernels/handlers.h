/* The kernel of a decoder or an encoder makes of the items that it converts what the handler makes of each, which
 * `python -m proofs.handlers` compares with the standard's program: in any state, for any `count` units from `first`
 * on among `length`, of which the others are the letter a. */
#include "lemma.h"

static size_t unit_size(int kind)
{
    return kind == WE_UCS2 ? 2 : kind == WE_UCS4 ? 4 : 1;
}

/* Compare a code point with what a decoder has written; return how many units it takes. */
static size_t compare(const uint8_t *target, int kind, size_t out, uint32_t code_point)
{
    uint8_t expected[4];
    size_t bytes = unit_size(kind);
    if (kind == WE_UTF8)
        bytes = we_put_utf8(expected, code_point);
    else
        we_unit_put(expected, kind, 0, code_point);
    for (size_t i = 0; i < bytes; i++)
        claim_equal(target[out * unit_size(kind) + i], expected[i], "the code point of the item");
    return kind == WE_UTF8 ? bytes : 1;
}

/* A number of any value up to `most`, on a way of its own for each. */
static size_t any_up_to(size_t least, size_t most, const char *name)
{
    uint8_t number = (uint8_t)most;
    if (least < most) {
        any_bytes(&number, 1, name);
        assume((number >= least) & (number <= most));
    }
    return (size_t)known(number);
}

/* The capacity of a decoder's target in units: to UCS2 and UCS4 any from `least` on, which the kernel is told, or
 * SIZE_MAX where all units fit; to the others what the bytes may give by decode_shift, as the caller makes sure. */
static size_t any_capacity(int kind, size_t length, unsigned shift, size_t least, size_t *told)
{
    const size_t most = (length + ((size_t)1 << shift) - 1) >> shift;
    *told = SIZE_MAX;
    if (kind == WE_UTF8)
        return most * WE_UTF8_PER_BYTE;
    if (kind == WE_UCS1)
        return most;
    if (least >= most)
        return *told = most;
    const size_t capacity = any_up_to(least, most + 1, "capacity");
    if (capacity > most)
        return most;
    return *told = capacity;
}

/* A run in any state, error mode and place: what a decoder's loop may give its kernel. */
static void any_run(we_decode_run *run, int simd, int kind, const void *tables)
{
    any_bytes(&run->state, sizeof run->state, "state");
    assume((run->state.iso_2022_jp_decoder_output_state <= 3) & (run->state.iso_2022_jp_output <= 1)
           & (run->state.replacement_error_returned <= 1));
    uint8_t flags[3];
    any_bytes(flags, sizeof flags, "error mode, end of queue, Latin-1");
    run->error_mode = flags[0] & 7;
    run->end_of_queue = flags[1] & 1;
    run->simd = simd;
    run->tables = tables;
    run->max_code_point = kind == WE_UCS1 ? chosen(flags[2] & 1, 0xFF, 0x7F) : kind == WE_UCS2 ? 0xFFFF : 0x10FFFF;
}

/* `least` is the smallest capacity. */
#define DECODER(name, shift)                                                                                           \
    void prove_##name##_decode(int simd, int kind, size_t length, size_t first, size_t count, size_t least,            \
                               const void *tables)                                                                     \
    {                                                                                                                  \
        uint8_t *const source = room(length, "source");                                                                \
        memset(source, 'a', length);                                                                                   \
        any_bytes(source + first, count, "source");                                                                    \
        size_t written;                                                                                                \
        const size_t capacity = any_capacity(kind, length, shift, least, &written);                                    \
        uint8_t *const target = room(capacity * unit_size(kind), "target");                                            \
        we_decode_run run = {0};                                                                                       \
        any_run(&run, simd, kind, tables);                                                                             \
        uint8_t after_error;                                                                                           \
        any_bytes(&after_error, 1, "after an error");                                                                  \
        we_decode_run items = run;                                                                                     \
        size_t at = 0, out = 0, errors = 0;                                                                            \
        const size_t read =                                                                                            \
            known(name##_decode_kernel(&run, kind, after_error & 1, source, length, target, &written));                \
        converted(read);                                                                                               \
        while (at < read) {                                                                                            \
            size_t consumed = 1;                                                                                       \
            uint32_t found = name##_decode_item(&items, source + at, length - at, &consumed);                          \
            at += consumed;                                                                                            \
            if (found == WE_ITEM_NONE)                                                                                 \
                continue;                                                                                              \
            if (found == WE_ITEM_ERROR) {                                                                              \
                claim(run.error_mode == WE_REPLACE, "what the kernel has read is no error");                           \
                found = 0xFFFD;                                                                                        \
                errors++;                                                                                              \
            }                                                                                                          \
            claim(found <= run.max_code_point, "what the kernel has read is no error");                                \
            out += compare(target, kind, out, found);                                                                  \
        }                                                                                                              \
        claim_equal(read, at, "the kernel ends where an item does");                                                   \
        claim_equal(written, out, "how much is written");                                                              \
        claim_equal(run.error_count, errors, "how many errors are replaced");                                          \
        claim(memcmp(&run.state, &items.state, sizeof run.state) == 0, "the state after it");                          \
    }

#define ENCODER(name, ...)                                                                                             \
    void prove_##name##_encode(int simd, int kind, size_t length, size_t first, size_t count, size_t least,            \
                               const void *tables)                                                                     \
    {                                                                                                                  \
        static const uint8_t per_unit[] = __VA_ARGS__; /* the caller offers no more than suffices: any `least` */      \
        uint8_t *const source = room(length << kind, "source");                                                        \
        for (size_t i = 0; i < length; i++)                                                                            \
            we_unit_put(source, kind, i, 'a');                                                                         \
        any_bytes(source + (first << kind), count << kind, "source");                                                  \
        uint8_t *const target = room(length * per_unit[kind] + WE_ENCODE_SLACK, "target");                             \
        we_encode_run run = {0};                                                                                       \
        any_bytes(&run.state, sizeof run.state, "state");                                                              \
        const uint8_t state = run.state.iso_2022_jp_encoder_state;                                                     \
        assume((state == WE_ISO_2022_JP_ASCII) | (state == WE_ISO_2022_JP_ROMAN) | (state == WE_ISO_2022_JP_JIS0208)); \
        for (size_t i = 0; i < length && kind == WE_UCS4; i++)                                                         \
            assume(((const uint32_t *)source)[i] <= 0x10FFFF);                                                         \
        uint8_t flags[3];                                                                                              \
        any_bytes(flags, sizeof flags, "error mode, end of queue, after an error");                                    \
        run.error_mode = flags[0] & 7;                                                                                 \
        run.end_of_queue = flags[1] & 1;                                                                               \
        run.after_error = flags[2] & 1;                                                                                \
        run.simd = simd;                                                                                               \
        run.tables = tables;                                                                                           \
        we_encode_run items = run;                                                                                     \
        size_t written = 0, at = 0, out = 0;                                                                           \
        const size_t read = known(name##_encode_kernel(&run, kind, source, length, target, &written));                 \
        converted(read);                                                                                               \
        claim(read <= length, "the kernel ends within the source");                                                    \
        for (; at < read; at++) {                                                                                      \
            uint8_t bytes[16];                                                                                         \
            uint32_t error = WE_NO_ERROR;                                                                              \
            const size_t count = known(name##_encode_item(&items, we_unit_get(source, kind, at), bytes, &error));      \
            claim(error == WE_NO_ERROR, "what the kernel has read is no error");                                       \
            for (size_t i = 0; i < count; i++)                                                                         \
                claim_equal(target[out + i], bytes[i], "the bytes of the code point");                                 \
            out += count;                                                                                              \
        }                                                                                                              \
        claim_equal(written, out, "how much is written");                                                              \
        claim(memcmp(&run.state, &items.state, sizeof run.state) == 0, "the state after it");                          \
    }
