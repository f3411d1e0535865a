/* Kernels and their models, exported for test_byte_kernels.py. A model computes one unit in one line.
 *
 * A model has no runs, vectors or two-stage tables: it reads plain arrays that the test fills from the standard's
 * indexes. A sweep places the source and the target so that they end at inaccessible memory, runs kernel and model, and
 * compares the length of the run, every byte of the result, and the memory around the target.
 */
#include <stdio.h>
#include <stdlib.h>

#include "single_byte/kernels.h"

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

#define RUN(name, call)                                                                                                \
    static size_t run_##name(int simd, const void *source, size_t length, void *target, size_t *written,               \
                             const tables *table)                                                                      \
    {                                                                                                                  \
        (void)table;                                                                                                   \
        size_t done = length;                                                                                          \
        (void)written;                                                                                                 \
        call;                                                                                                          \
        return done;                                                                                                   \
    }

RUN(ascii_length, done = we_ascii_length(simd, source, length); (void)target)
RUN(ascii_run_to_ucs1, done = we_ascii_run_to_ucs1(simd, source, length, target))
RUN(ascii_run_to_ucs2, done = we_ascii_run_to_ucs2(simd, source, length, target))
RUN(ascii_run_to_ucs4, done = we_ascii_run_to_ucs4(simd, source, length, target))
RUN(ascii_run_from_ucs2, done = we_ascii_run_from_ucs2(simd, source, length, target))
RUN(ascii_run_from_ucs4, done = we_ascii_run_from_ucs4(simd, source, length, target))
RUN(widen_ucs1_to_ucs2, we_widen_ucs1_to_ucs2(simd, source, length, target))
RUN(widen_ucs1_to_ucs4, we_widen_ucs1_to_ucs4(simd, source, length, target))
RUN(widen_ucs2_to_ucs4, we_widen_ucs2_to_ucs4(simd, source, length, target))
RUN(narrow_ucs2_to_ucs1, we_narrow_ucs2_to_ucs1(simd, source, length, target))
RUN(narrow_ucs4_to_ucs2, we_narrow_ucs4_to_ucs2(simd, source, length, target))
RUN(narrow_ucs4_to_ucs1, we_narrow_ucs4_to_ucs1(simd, source, length, target))
RUN(single_byte_run_to_ucs1,
    done = we_single_byte_run_to_ucs1(simd, source, length, table->of.latin1, target, table->max_code_point))
RUN(single_byte_run_to_ucs2,
    done = we_single_byte_run_to_ucs2(simd, source, length, table->of.index, &table->of.vectors, target))
RUN(single_byte_run_to_ucs4, done = we_single_byte_run_to_ucs4(simd, source, length, &table->of, target))
RUN(single_byte_run_to_utf8, done = we_single_byte_run_to_utf8(simd, source, length, &table->of, target, written, NULL))
RUN(single_byte_run_from_ucs1, done = we_single_byte_run_from_ucs1(simd, source, length, &table->of.reverse, target))
RUN(single_byte_run_from_ucs2, done = we_single_byte_run_from_ucs2(simd, source, length, &table->of.reverse, target))
RUN(single_byte_run_from_ucs4, done = we_single_byte_run_from_ucs4(simd, source, length, &table->of.reverse, target))

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

enum { TO_UTF8 = 3 };
static const struct {
    const char *name;
    kernel_run run;
    kernel_model model;
    size_t source_unit;
    size_t target_unit; /* bytes; 0 = writes nothing, TO_UTF8 = UTF-8, with a capacity of three bytes per unit */
} KERNELS[] = {
    {"ascii_length", run_ascii_length, model_ascii, 1, 0},
    {"ascii_run_to_ucs1", run_ascii_run_to_ucs1, model_ascii, 1, 1},
    {"ascii_run_to_ucs2", run_ascii_run_to_ucs2, model_ascii, 1, 2},
    {"ascii_run_to_ucs4", run_ascii_run_to_ucs4, model_ascii, 1, 4},
    {"ascii_run_from_ucs2", run_ascii_run_from_ucs2, model_ascii, 2, 1},
    {"ascii_run_from_ucs4", run_ascii_run_from_ucs4, model_ascii, 4, 1},
    {"widen_ucs1_to_ucs2", run_widen_ucs1_to_ucs2, model_any, 1, 2},
    {"widen_ucs1_to_ucs4", run_widen_ucs1_to_ucs4, model_any, 1, 4},
    {"widen_ucs2_to_ucs4", run_widen_ucs2_to_ucs4, model_any, 2, 4},
    {"narrow_ucs2_to_ucs1", run_narrow_ucs2_to_ucs1, model_any, 2, 1},
    {"narrow_ucs4_to_ucs2", run_narrow_ucs4_to_ucs2, model_any, 4, 2},
    {"narrow_ucs4_to_ucs1", run_narrow_ucs4_to_ucs1, model_any, 4, 1},
    {"single_byte_run_to_ucs1", run_single_byte_run_to_ucs1, model_decode_to_ucs1, 1, 1},
    {"single_byte_run_to_ucs2", run_single_byte_run_to_ucs2, model_decode, 1, 2},
    {"single_byte_run_to_ucs4", run_single_byte_run_to_ucs4, model_decode, 1, 4},
    {"single_byte_run_to_utf8", run_single_byte_run_to_utf8, model_decode, 1, TO_UTF8},
    {"single_byte_run_from_ucs1", run_single_byte_run_from_ucs1, model_encode, 1, 1},
    {"single_byte_run_from_ucs2", run_single_byte_run_from_ucs2, model_encode, 2, 1},
    {"single_byte_run_from_ucs4", run_single_byte_run_from_ucs4, model_encode, 4, 1},
};
enum { KERNEL_COUNT = sizeof KERNELS / sizeof KERNELS[0] };

static uint32_t unit_at(const uint8_t *units, size_t size, size_t at)
{
    uint16_t two;
    uint32_t four;
    if (size == 1)
        return units[at];
    memcpy(&two, units + at * 2, 2);
    memcpy(&four, units + at * size, size == 2 ? 2 : 4);
    return size == 2 ? two : four;
}

/* Write one unit of a result, encoded as UTF-8 if that is the target, and return its size. */
static size_t put_unit(uint8_t *target, size_t size, uint32_t value)
{
    uint16_t two = (uint16_t)value;
    if (size == TO_UTF8) {
        int more = value < 0x80 ? 0 : value < 0x800 ? 1 : 2;
        static const uint8_t LEADING[] = {0x00, 0xC0, 0xE0};
        target[0] = (uint8_t)(LEADING[more] | value >> (6 * more));
        for (int k = 1; k <= more; k++)
            target[k] = (uint8_t)(0x80 | (value >> (6 * (more - k)) & 0x3F));
        return (size_t)more + 1;
    }
    if (size == 1)
        *target = (uint8_t)value;
    else if (size == 2)
        memcpy(target, &two, 2);
    else if (size == 4)
        memcpy(target, &value, 4);
    return size;
}

enum { CANARY = 0xA5, MARGIN = 64, LONGEST = 20000 };
static char message[400];

/* Check one run. Return a null pointer, or a message that says what is wrong. The target has a capacity of `length`
 * units, with MARGIN bytes of readable memory before it and `after` bytes after it. */
static const char *check(size_t kernel, int simd, const uint8_t *source, size_t length, uint8_t *target, size_t after,
                         const tables *table)
{
    size_t source_unit = KERNELS[kernel].source_unit, target_unit = KERNELS[kernel].target_unit,
           capacity = length * target_unit;
    static uint8_t expected[LONGEST * 4];
    size_t run = 0, expected_size = 0, written = 0;
    for (; run < length; run++) {
        int64_t value = KERNELS[kernel].model(unit_at(source, source_unit, run), table);
        if (value < 0)
            break;
        expected_size += put_unit(expected + expected_size, target_unit, (uint32_t)value);
    }
    memset(target - MARGIN, CANARY, MARGIN + capacity + after);
    size_t done = KERNELS[kernel].run(simd, source, length, target, &written, table);
    const char *what = NULL;
    if (done != run)
        what = "wrong length of the run";
    else if (target_unit == TO_UTF8 && written != expected_size)
        what = "wrong number of bytes written";
    else if (memcmp(target, expected, expected_size) != 0)
        what = "wrong result";
    for (size_t i = 0; i < MARGIN && what == NULL; i++)
        if (target[-1 - (ptrdiff_t)i] != CANARY)
            what = "written before the target";
    for (size_t i = 0; i < after && what == NULL; i++)
        if (target[capacity + i] != CANARY)
            what = "written after the target";
    if (what == NULL)
        return NULL;
    snprintf(message, sizeof message, "%s: %s, %zu units at %p to %p: %s; run %zu, expected %zu", KERNELS[kernel].name,
             we_simd_name(simd), length, (const void *)source, (void *)target, what, done, run);
    return message;
}

int simd_best(void)
{
    return we_simd_best();
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
    return kernel < KERNEL_COUNT ? KERNELS[kernel].name : NULL;
}

size_t source_unit(size_t kernel)
{
    return KERNELS[kernel].source_unit;
}

/* Check every length up to `longest`, 0 to 64 units before the end of the source's memory and of the target's. */
const char *sweep_places(size_t kernel, int simd, const uint8_t *units, size_t longest, uint8_t *source_end,
                         uint8_t *target_end, const tables *table)
{
    size_t source_unit = KERNELS[kernel].source_unit, target_unit = KERNELS[kernel].target_unit;
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
    uint8_t *source = source_end - length * KERNELS[kernel].source_unit;
    memcpy(source, units, length * KERNELS[kernel].source_unit);
    return check(kernel, simd, source, length, target_end - length * KERNELS[kernel].target_unit, 0, table);
}

/* Check every value from `first` to `last` at the given place among `length` units of `filler`. */
const char *sweep_values(size_t kernel, int simd, uint32_t first, uint32_t last, size_t at, size_t length,
                         uint32_t filler, uint8_t *source_end, uint8_t *target_end, const tables *table)
{
    size_t source_unit = KERNELS[kernel].source_unit, target_unit = KERNELS[kernel].target_unit;
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
