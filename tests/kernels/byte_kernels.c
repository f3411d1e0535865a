/* Kernels and their models, exported for test_byte_kernels.py. A model computes one unit in one line.
 *
 * A model has no runs, vectors or two-stage tables: it reads plain arrays that the test fills from the standard's
 * indexes. A sweep places the source and the target so that they end at inaccessible memory, runs kernel and model, and
 * compares the length of the run, every byte of the result, and the memory around the target.
 */
#include "single_byte/kernels.h"
#include "units.h"

typedef struct {
    we_single_byte_tables of;      /* for the kernels */
    const int32_t *byte_for;       /* for the models: 65536 bytes by code point; -1 = unmapped */
    const int32_t *code_point_for; /* for the models: 256 code points by byte; -1 = unmapped */
    uint32_t max_code_point;
} tables;

#if defined(_WIN32)
/* What these tests are run on Windows for: types of these sizes, unlike everywhere else. */
#include <stddef.h>
_Static_assert(sizeof(long) == 4 && sizeof(wchar_t) == 2 && sizeof(size_t) == sizeof(void *), "not Windows' types");
#endif

typedef size_t (*kernel_run)(int simd, const void *source, size_t length, void *target, size_t *written,
                             const tables *);
typedef int64_t (*kernel_model)(uint32_t unit, const tables *); /* the result; -1 = the run stops */

static int64_t model_any(uint32_t unit, const tables *table)
{
    (void)table;
    return unit;
}

static int64_t model_ascii(uint32_t unit, const tables *table)
{
    (void)table;
    return unit < 0x80 ? (int64_t)unit : -1;
}

static int64_t model_decode(uint32_t unit, const tables *table)
{
    return table->code_point_for[unit];
}

static int64_t model_decode_to_ucs1(uint32_t unit, const tables *table)
{
    int64_t code_point = table->code_point_for[unit];
    return code_point <= (int64_t)table->max_code_point ? code_point : -1;
}

static int64_t model_encode(uint32_t unit, const tables *table)
{
    return unit < 0x10000 ? table->byte_for[unit] : -1;
}

#define IN simd, source, length
/* The name, the model, the units of source and target in bytes, where 0 is none, TO_UTF8 is UTF-8, with a capacity of
 * three bytes per unit, and the call. */
#define KERNELS(X)                                                                                                     \
    X(ascii_length, model_ascii, 1, 0, done = we_ascii_length(IN))                                                     \
    X(ascii_run_to_ucs1, model_ascii, 1, 1, done = we_ascii_run_to_ucs1(IN, target))                                   \
    X(ascii_run_to_ucs2, model_ascii, 1, 2, done = we_ascii_run_to_ucs2(IN, target))                                   \
    X(ascii_run_to_ucs4, model_ascii, 1, 4, done = we_ascii_run_to_ucs4(IN, target))                                   \
    X(ascii_run_from_ucs2, model_ascii, 2, 1, done = we_ascii_run_from_ucs2(IN, target))                               \
    X(ascii_run_from_ucs4, model_ascii, 4, 1, done = we_ascii_run_from_ucs4(IN, target))                               \
    X(widen_ucs1_to_ucs2, model_any, 1, 2, we_widen_ucs1_to_ucs2(IN, target))                                          \
    X(widen_ucs1_to_ucs4, model_any, 1, 4, we_widen_ucs1_to_ucs4(IN, target))                                          \
    X(widen_ucs2_to_ucs4, model_any, 2, 4, we_widen_ucs2_to_ucs4(IN, target))                                          \
    X(narrow_ucs2_to_ucs1, model_any, 2, 1, we_narrow_ucs2_to_ucs1(IN, target))                                        \
    X(narrow_ucs4_to_ucs2, model_any, 4, 2, we_narrow_ucs4_to_ucs2(IN, target))                                        \
    X(narrow_ucs4_to_ucs1, model_any, 4, 1, we_narrow_ucs4_to_ucs1(IN, target))                                        \
    X(single_byte_run_to_ucs1, model_decode_to_ucs1, 1, 1,                                                             \
      done = we_single_byte_run_to_ucs1(IN, table->of.latin1, target, table->max_code_point))                          \
    X(single_byte_run_to_ucs2, model_decode, 1, 2,                                                                     \
      done = we_single_byte_run_to_ucs2(IN, table->of.index, &table->of.vectors, target))                              \
    X(single_byte_run_to_ucs4, model_decode, 1, 4, done = we_single_byte_run_to_ucs4(IN, &table->of, target))          \
    X(single_byte_run_to_utf8, model_decode, 1, TO_UTF8,                                                               \
      done = we_single_byte_run_to_utf8(IN, &table->of, target, written, NULL))                                        \
    X(single_byte_run_from_ucs1, model_encode, 1, 1,                                                                   \
      done = we_single_byte_run_from_ucs1(IN, &table->of.reverse, target))                                             \
    X(single_byte_run_from_ucs2, model_encode, 2, 1,                                                                   \
      done = we_single_byte_run_from_ucs2(IN, &table->of.reverse, target))                                             \
    X(single_byte_run_from_ucs4, model_encode, 4, 1,                                                                   \
      done = we_single_byte_run_from_ucs4(IN, &table->of.reverse, target))

#define RUN(name, model, source_unit, target_unit, call)                                                               \
    static size_t run_##name(int simd, const void *source, size_t length, void *target, size_t *written,               \
                             const tables *table)                                                                      \
    {                                                                                                                  \
        size_t done = length;                                                                                          \
        (void)target, (void)written, (void)table;                                                                      \
        call;                                                                                                          \
        return done;                                                                                                   \
    }
KERNELS(RUN)

static const struct {
    const char *name;
    kernel_run run;
    kernel_model model;
    size_t source_unit, target_unit;
} TABLE[] = {
#define ROW(name, model, source_unit, target_unit, call) {#name, run_##name, model, source_unit, target_unit},
    KERNELS(ROW)};
enum { KERNEL_COUNT = sizeof TABLE / sizeof TABLE[0] };

enum { LONGEST = 20000 };
static char message[400];

/* Check one run. Return a null pointer, or a message that says what is wrong. The target has a capacity of `length`
 * units, with MARGIN bytes of readable memory before it and `after` bytes after it. */
static const char *check(size_t kernel, int simd, const uint8_t *source, size_t length, uint8_t *target, size_t after,
                         const tables *table)
{
    size_t source_unit = TABLE[kernel].source_unit, target_unit = TABLE[kernel].target_unit,
           capacity = length * target_unit;
    static uint8_t expected[LONGEST * 4];
    size_t run = 0, expected_size = 0, written = 0;
    for (; run < length; run++) {
        int64_t value = TABLE[kernel].model(get_unit(source, source_unit, run), table);
        if (value < 0)
            break;
        expected_size += put_unit(expected + expected_size, target_unit, (uint32_t)value);
    }
    fill_around(target, capacity, after);
    size_t done = TABLE[kernel].run(simd, source, length, target, &written, table);
    const char *what = NULL;
    if (done != run)
        what = "wrong length of the run";
    else if (target_unit == TO_UTF8 && written != expected_size)
        what = "wrong number of bytes written";
    else if (memcmp(target, expected, expected_size) != 0)
        what = "wrong result";
    else
        what = changed_around(target, capacity, after);
    if (what == NULL)
        return NULL;
    snprintf(message, sizeof message, "%s: %s, %zu units at %p to %p: %s; run %zu, expected %zu", TABLE[kernel].name,
             we_simd_name(simd), length, (const void *)source, (void *)target, what, done, run);
    return message;
}

const char *simd_name(int simd)
{
    return we_simd_name(simd);
}

int simd_from_name(const char *name, int best)
{
    return we_simd_from_name(name, best);
}

const char *kernel_name(size_t kernel)
{
    return kernel < KERNEL_COUNT ? TABLE[kernel].name : NULL;
}

size_t source_unit(size_t kernel)
{
    return TABLE[kernel].source_unit;
}

/* Check every length up to `longest`, 0 to 64 units before the end of the source's memory and of the target's. */
const char *sweep_places(size_t kernel, int simd, const uint8_t *units, size_t longest, uint8_t *source_end,
                         uint8_t *target_end, const tables *table)
{
    size_t source_unit = TABLE[kernel].source_unit, target_unit = TABLE[kernel].target_unit;
    for (size_t length = 0; length <= longest; length++)
        for (size_t place = 0; place <= 64; place++) {
            /* The two offsets use different strides, so that many combinations occur. */
            size_t target_place = (place * 7 + length) % 65 * (target_unit == TO_UTF8 ? 1 : target_unit);
            uint8_t *source = source_end - (length + place) * source_unit;
            memcpy(source, units + (length * 31 + place) % 97 * source_unit, length * source_unit);
            const char *wrong = check(kernel, simd, source, length, target_end - target_place - length * target_unit,
                                      target_place, table);
            if (wrong != NULL)
                return wrong;
        }
    return NULL;
}

/* Check a text at the end of the source's memory, with the end of the result at the end of the target's. */
const char *check_text(size_t kernel, int simd, const uint8_t *units, size_t length, uint8_t *source_end,
                       uint8_t *target_end, const tables *table)
{
    uint8_t *source = source_end - length * TABLE[kernel].source_unit;
    memcpy(source, units, length * TABLE[kernel].source_unit);
    return check(kernel, simd, source, length, target_end - length * TABLE[kernel].target_unit, 0, table);
}

/* Check every value from `first` to `last` at the given place among `length` units of `filler`. */
const char *sweep_values(size_t kernel, int simd, uint32_t first, uint32_t last, size_t at, size_t length,
                         uint32_t filler, uint8_t *source_end, uint8_t *target_end, const tables *table)
{
    size_t source_unit = TABLE[kernel].source_unit, target_unit = TABLE[kernel].target_unit;
    uint8_t *source = source_end - length * source_unit;
    for (size_t i = 0; i < length; i++)
        put_unit(source + i * source_unit, source_unit, filler);
    for (uint32_t value = first; value <= last; value++) {
        put_unit(source + at * source_unit, source_unit, value);
        const char *wrong = check(kernel, simd, source, length, target_end - length * target_unit, 0, table);
        if (wrong != NULL) {
            size_t size = strlen(message);
            snprintf(message + size, sizeof message - size, "; value %#x at %zu", (unsigned)value, at);
            return wrong;
        }
    }
    return NULL;
}

uint32_t or_of(int simd, size_t unit, const void *source, size_t length)
{
    if (unit == 1)
        return we_or_ucs1(simd, source, length);
    if (unit == 2)
        return we_or_ucs2(simd, source, length);
    return we_or_ucs4(simd, source, length);
}

/* Return the number of non-ASCII units or, with `replacement`, the number of U+FFFD in units of UCS2. */
size_t count_of(int simd, size_t unit, int replacement, const void *source, size_t length)
{
    if (replacement)
        return we_replacement_character_count_ucs2(simd, source, length);
    if (unit == 1)
        return we_non_ascii_count_ucs1(simd, source, length);
    if (unit == 2)
        return we_non_ascii_count_ucs2(simd, source, length);
    return we_non_ascii_count_ucs4(simd, source, length);
}
