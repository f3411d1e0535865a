/* The runs of src/native/kernels under libFuzzer: every supported instruction set must agree with the scalar twin.
 *
 * Other tests compare the scalar twin with the reference (tests/standard, and the other targets here). Sources and
 * targets are heap blocks of exactly the size that codec.h promises, so that AddressSanitizer detects an access one
 * byte outside.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "iso_2022_jp/kernels.h"
#include "single_byte/kernels.h"
#include "utf_16/kernels.h"
#include "utf_8/kernels.h"

#include "chinese_simplified_tables.h"
#include "japanese_tables.h"
#include "single_byte_tables.h"

typedef struct {
    size_t read, written;
    void *target;
    we_decoder_state decoder;
    we_encoder_state encoder;
} outcome;

typedef void (*run_function)(int simd, const void *source, size_t length, outcome *);

/* Runs that set `written` (COUNTED), write a unit for each that they read (EACH), only return a number (NUMBER), or
 * convert all units (CONVERT). */
#define COUNTED(name, call)                                                                                            \
    static void run_##name(int simd, const void *source, size_t length, outcome *out)                                  \
    {                                                                                                                  \
        size_t *const written = &out->written;                                                                         \
        *written = length; /* the units that fit, where a run is told */                                               \
        void *const target = out->target;                                                                              \
        out->read = call;                                                                                              \
    }
#define EACH(name, call)                                                                                               \
    static void run_##name(int simd, const void *source, size_t length, outcome *out)                                  \
    {                                                                                                                  \
        void *const target = out->target;                                                                              \
        out->written = out->read = call;                                                                               \
    }
#define NUMBER(name, call)                                                                                             \
    static void run_##name(int simd, const void *source, size_t length, outcome *out)                                  \
    {                                                                                                                  \
        out->read = call;                                                                                              \
        out->written = 0;                                                                                              \
    }
#define CONVERT(name, call)                                                                                            \
    static void run_##name(int simd, const void *source, size_t length, outcome *out)                                  \
    {                                                                                                                  \
        void *const target = out->target;                                                                              \
        call;                                                                                                          \
        out->written = out->read = length;                                                                             \
    }

static const we_single_byte_tables windows_1252_tables = {windows_1252,
                                                          windows_1252,
                                                          windows_1252_latin1,
                                                          WE_SINGLE_BYTE_VECTORS(windows_1252_rows),
                                                          {windows_1252_reverse_stage1, windows_1252_reverse_stage2}};
static const we_single_byte_tables koi8_u_tables = {
    koi8_u, koi8_u, koi8_u_latin1, WE_SINGLE_BYTE_VECTORS(koi8_u_rows), {koi8_u_reverse_stage1, koi8_u_reverse_stage2}};
static const we_single_byte_tables iso_8859_3_tables = {iso_8859_3,
                                                        iso_8859_3,
                                                        iso_8859_3_latin1,
                                                        WE_SINGLE_BYTE_VECTORS(iso_8859_3_rows),
                                                        {iso_8859_3_reverse_stage1, iso_8859_3_reverse_stage2}};

COUNTED(utf_8_to_ascii, we_utf_8_run_to_ucs1(simd, source, length, target, written, 0x7F))
COUNTED(utf_8_to_ucs1, we_utf_8_run_to_ucs1(simd, source, length, target, written, 0xFF))
COUNTED(utf_8_to_ucs2, we_utf_8_run_to_ucs2(simd, source, length, target, written))
COUNTED(utf_8_to_ucs4, we_utf_8_run_to_ucs4(simd, source, length, target, written))
EACH(utf_8_copy, we_utf_8_copy_run(simd, source, length, target))
COUNTED(utf_8_from_ucs1, we_utf_8_run_from_ucs1(simd, source, length, target, written))
COUNTED(utf_8_from_ucs2, we_utf_8_run_from_ucs2(simd, source, length, target, written))
COUNTED(utf_8_from_ucs4, we_utf_8_run_from_ucs4(simd, source, length, target, written))
COUNTED(utf_16le_to_ascii, we_utf_16_run_to_ucs1(simd, source, length, 0, target, written, 0x7F))
COUNTED(utf_16le_to_ucs1, we_utf_16_run_to_ucs1(simd, source, length, 0, target, written, 0xFF))
COUNTED(utf_16le_to_ucs2, we_utf_16_run_to_ucs2(simd, source, length, 0, target, written))
COUNTED(utf_16le_to_ucs4, we_utf_16_run_to_ucs4(simd, source, length, 0, target, written))
COUNTED(utf_16be_to_ucs2, we_utf_16_run_to_ucs2(simd, source, length, 1, target, written))
COUNTED(utf_16be_to_ucs4, we_utf_16_run_to_ucs4(simd, source, length, 1, target, written))
COUNTED(utf_16le_to_utf8, we_utf_16_run_to_utf8(simd, source, length, 0, target, written))
COUNTED(utf_16be_to_utf8, we_utf_16_run_to_utf8(simd, source, length, 1, target, written))
EACH(ascii_to_ucs1, we_ascii_run_to_ucs1(simd, source, length, target))
EACH(ascii_to_ucs2, we_ascii_run_to_ucs2(simd, source, length, target))
EACH(ascii_to_ucs4, we_ascii_run_to_ucs4(simd, source, length, target))
EACH(ascii_from_ucs2, we_ascii_run_from_ucs2(simd, source, length, target))
EACH(ascii_from_ucs4, we_ascii_run_from_ucs4(simd, source, length, target))
NUMBER(ascii_length, we_ascii_length(simd, source, length))
NUMBER(or_ucs1, we_or_ucs1(simd, source, length))
NUMBER(or_ucs2, we_or_ucs2(simd, source, length))
NUMBER(or_ucs4, we_or_ucs4(simd, source, length))
NUMBER(non_ascii_count_ucs1, we_non_ascii_count_ucs1(simd, source, length))
NUMBER(non_ascii_count_ucs2, we_non_ascii_count_ucs2(simd, source, length))
NUMBER(non_ascii_count_ucs4, we_non_ascii_count_ucs4(simd, source, length))
NUMBER(replacement_character_count, we_replacement_character_count_ucs2(simd, source, length))
CONVERT(widen_ucs1_to_ucs2, we_widen_ucs1_to_ucs2(simd, source, length, target))
CONVERT(widen_ucs1_to_ucs4, we_widen_ucs1_to_ucs4(simd, source, length, target))
CONVERT(widen_ucs2_to_ucs4, we_widen_ucs2_to_ucs4(simd, source, length, target))
CONVERT(narrow_ucs2_to_ucs1, we_narrow_ucs2_to_ucs1(simd, source, length, target))
CONVERT(narrow_ucs4_to_ucs1, we_narrow_ucs4_to_ucs1(simd, source, length, target))
CONVERT(narrow_ucs4_to_ucs2, we_narrow_ucs4_to_ucs2(simd, source, length, target))
EACH(windows_1252_to_ucs1, we_single_byte_run_to_ucs1(simd, source, length, windows_1252_latin1, target, 0xFF))
EACH(windows_1252_to_ucs2,
     we_single_byte_run_to_ucs2(simd, source, length, windows_1252, &windows_1252_tables.vectors, target))
EACH(koi8_u_to_ucs2, we_single_byte_run_to_ucs2(simd, source, length, koi8_u, &koi8_u_tables.vectors, target))
EACH(iso_8859_3_to_ucs1, we_single_byte_run_to_ucs1(simd, source, length, iso_8859_3_latin1, target, 0xFF))
EACH(iso_8859_3_to_ucs2,
     we_single_byte_run_to_ucs2(simd, source, length, iso_8859_3, &iso_8859_3_tables.vectors, target))
EACH(iso_8859_3_to_ucs4, we_single_byte_run_to_ucs4(simd, source, length, &iso_8859_3_tables, target))
COUNTED(iso_8859_3_to_utf8, we_single_byte_run_to_utf8(simd, source, length, &iso_8859_3_tables, target, written, NULL))
EACH(windows_1252_from_ucs1, we_single_byte_run_from_ucs1(simd, source, length, &windows_1252_tables.reverse, target))
EACH(koi8_u_from_ucs2, we_single_byte_run_from_ucs2(simd, source, length, &koi8_u_tables.reverse, target))
EACH(iso_8859_3_from_ucs2, we_single_byte_run_from_ucs2(simd, source, length, &iso_8859_3_tables.reverse, target))
EACH(iso_8859_3_from_ucs4, we_single_byte_run_from_ucs4(simd, source, length, &iso_8859_3_tables.reverse, target))
COUNTED(euc_jp_to_ucs2, we_double_byte_run_to_ucs2(simd, source, length, euc_jp_pairs, 0, target, written))
COUNTED(shift_jis_to_ucs2, we_double_byte_run_to_ucs2(simd, source, length, shift_jis_pairs, 1, target, written))
COUNTED(shift_jis_to_utf8, we_double_byte_run_to_utf8(simd, source, length, shift_jis_pairs, 1, target, written))
COUNTED(shift_jis_to_ucs4, we_double_byte_run_to_ucs4(simd, source, length, shift_jis_pairs, 1, target, written))
COUNTED(gb18030_to_ucs2, we_double_byte_run_to_ucs2(simd, source, length, gb18030_pairs, 0, target, written))
COUNTED(gb18030_to_utf8, we_double_byte_run_to_utf8(simd, source, length, gb18030_pairs, 0, target, written))
COUNTED(iso_2022_jp_to_ucs1,
        we_iso_2022_jp_run_to(simd, WE_UCS1, source, length, euc_jp_pairs, target, written, &out->decoder))
COUNTED(iso_2022_jp_to_ucs2,
        we_iso_2022_jp_run_to(simd, WE_UCS2, source, length, euc_jp_pairs, target, written, &out->decoder))
COUNTED(iso_2022_jp_to_ucs4,
        we_iso_2022_jp_run_to(simd, WE_UCS4, source, length, euc_jp_pairs, target, written, &out->decoder))
COUNTED(iso_2022_jp_to_utf8,
        we_iso_2022_jp_run_to(simd, WE_UTF8, source, length, euc_jp_pairs, target, written, &out->decoder))
COUNTED(iso_2022_jp_from_ucs1,
        we_iso_2022_jp_run_from(simd, WE_UCS1, source, length, euc_jp_reverse, target, written, &out->encoder))
COUNTED(iso_2022_jp_from_ucs2,
        we_iso_2022_jp_run_from(simd, WE_UCS2, source, length, euc_jp_reverse, target, written, &out->encoder))
COUNTED(iso_2022_jp_from_ucs4,
        we_iso_2022_jp_run_from(simd, WE_UCS4, source, length, euc_jp_reverse, target, written, &out->encoder))
COUNTED(euc_jp_from_ucs1, we_double_byte_run_from_ucs1(simd, source, length, euc_jp_reverse, target, written))
COUNTED(gb18030_from_ucs2, we_double_byte_run_from_ucs2(simd, source, length, gb18030_reverse, target, written))
COUNTED(shift_jis_from_ucs4, we_double_byte_run_from_ucs4(simd, source, length, shift_jis_reverse, target, written))

/* `per_unit` and `slack`: the target's capacity in bytes is length * per_unit + slack; `unit`: bytes of a unit counted
 * in `written`; `most`: the largest unit of source, or 0 if every value of its kind may occur. */
static const struct {
    const char *name;
    run_function run;
    size_t source_unit, per_unit, slack, unit;
    uint32_t most;
} RUNS[] = {
#define DECODER(name, unit) {#name, run_##name, 1, unit, 0, unit, 0}
#define ENCODER(name, source_unit, per_unit) {#name, run_##name, source_unit, per_unit, WE_ENCODE_SLACK, 1, 0}
#define PLAIN_ENCODER(name, source_unit) {#name, run_##name, source_unit, 1, 0, 1, 0}
#define COUNTER(name, source_unit) {#name, run_##name, source_unit, 0, 0, 1, 0}
#define TO_UTF_8(name) {#name, run_##name, 1, WE_UTF8_PER_BYTE, 0, 1, 0}
#define CONVERTER(name, source_unit, unit, most) {#name, run_##name, source_unit, unit, 0, unit, most}
    DECODER(utf_8_to_ascii, 1),
    DECODER(utf_8_to_ucs1, 1),
    DECODER(utf_8_to_ucs2, 2),
    DECODER(utf_8_to_ucs4, 4),
    DECODER(utf_8_copy, 1),
    ENCODER(utf_8_from_ucs1, 1, 2),
    ENCODER(utf_8_from_ucs2, 2, 3),
    ENCODER(utf_8_from_ucs4, 4, 4),
    DECODER(utf_16le_to_ascii, 1),
    DECODER(utf_16le_to_ucs1, 1),
    DECODER(utf_16le_to_ucs2, 2),
    DECODER(utf_16le_to_ucs4, 4),
    DECODER(utf_16be_to_ucs2, 2),
    DECODER(utf_16be_to_ucs4, 4),
    DECODER(ascii_to_ucs1, 1),
    DECODER(ascii_to_ucs2, 2),
    DECODER(ascii_to_ucs4, 4),
    PLAIN_ENCODER(ascii_from_ucs2, 2),
    PLAIN_ENCODER(ascii_from_ucs4, 4),
    COUNTER(ascii_length, 1),
    COUNTER(or_ucs2, 2),
    COUNTER(or_ucs4, 4),
    COUNTER(non_ascii_count_ucs1, 1),
    COUNTER(non_ascii_count_ucs2, 2),
    COUNTER(non_ascii_count_ucs4, 4),
    DECODER(windows_1252_to_ucs1, 1),
    DECODER(windows_1252_to_ucs2, 2),
    DECODER(koi8_u_to_ucs2, 2),
    DECODER(iso_8859_3_to_ucs1, 1),
    DECODER(iso_8859_3_to_ucs2, 2),
    DECODER(iso_8859_3_to_ucs4, 4),
    TO_UTF_8(iso_8859_3_to_utf8),
    ENCODER(windows_1252_from_ucs1, 1, 1),
    ENCODER(koi8_u_from_ucs2, 2, 1),
    ENCODER(iso_8859_3_from_ucs2, 2, 1),
    ENCODER(iso_8859_3_from_ucs4, 4, 1),
    DECODER(euc_jp_to_ucs2, 2),
    DECODER(shift_jis_to_ucs4, 4),
    DECODER(gb18030_to_ucs2, 2),
    TO_UTF_8(gb18030_to_utf8),
    ENCODER(euc_jp_from_ucs1, 1, 2),
    ENCODER(gb18030_from_ucs2, 2, 2),
    ENCODER(shift_jis_from_ucs4, 4, 2),
    /* Append new runs at the end, since the corpus refers to runs by their position. */
    DECODER(shift_jis_to_ucs2, 2),
    TO_UTF_8(shift_jis_to_utf8),
    TO_UTF_8(utf_16le_to_utf8),
    TO_UTF_8(utf_16be_to_utf8),
    DECODER(iso_2022_jp_to_ucs1, 1),
    DECODER(iso_2022_jp_to_ucs2, 2),
    DECODER(iso_2022_jp_to_ucs4, 4),
    TO_UTF_8(iso_2022_jp_to_utf8),
    ENCODER(iso_2022_jp_from_ucs1, 1, 5),
    ENCODER(iso_2022_jp_from_ucs2, 2, 5),
    ENCODER(iso_2022_jp_from_ucs4, 4, 5),
    COUNTER(or_ucs1, 1),
    COUNTER(replacement_character_count, 2),
    CONVERTER(widen_ucs1_to_ucs2, 1, 2, 0),
    CONVERTER(widen_ucs1_to_ucs4, 1, 4, 0),
    CONVERTER(widen_ucs2_to_ucs4, 2, 4, 0),
    CONVERTER(narrow_ucs2_to_ucs1, 2, 1, 0xFF),
    CONVERTER(narrow_ucs4_to_ucs1, 4, 1, 0xFF),
    CONVERTER(narrow_ucs4_to_ucs2, 4, 2, 0xFFFF),
};

enum { CHOICES = 4, LONGEST = 4096 };

static void *block(size_t size)
{
    void *const memory = malloc(size != 0 ? size : 1);
    if (memory == NULL)
        abort();
    memset(memory, 0xA5, size);
    return memory;
}

/* Limit units of four bytes to code points, as in a Python string, and units to be narrowed to those that fit. */
static void limit_units(uint8_t *units, size_t unit, size_t length, uint32_t most)
{
    if (most == 0 && unit == 4)
        most = 0x10FFFF;
    for (size_t i = 0; most != 0 && i < length; i++) {
        uint32_t value = 0;
        memcpy(&value, units + unit * i, unit);
        value %= most + 1;
        memcpy(units + unit * i, &value, unit);
    }
}

/* Fill the stack with 0xFF, so that a read of uninitialized memory does not find the results of the previous run. */
static void dirty_stack(void)
{
    volatile uint8_t junk[1 << 14];
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = 0xFF;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < CHOICES)
        return 0;
    size -= CHOICES;
    const uint8_t *const choices = data + size;
    const size_t run = choices[0] % (sizeof RUNS / sizeof RUNS[0]);
    const size_t source_unit = RUNS[run].source_unit;
    static const size_t REPEATS[] = {1, 1, 1, 2, 5, 17, 40, 100};
    const size_t before = choices[1] % 130, times = REPEATS[choices[2] % 8], after = choices[3] % 130;
    size_t length = before + size / source_unit * times + after;
    if (length > LONGEST)
        length = LONGEST;

    /* The source is ASCII, the content repeated, ASCII. */
    uint8_t *const source = block(length * source_unit);
    for (size_t i = 0; i < length; i++) {
        uint8_t unit[4] = {0};
        const size_t content = size / source_unit;
        if (i < before || content == 0 || i - before >= content * times)
            unit[0] = 'a'; /* little-endian, as all machines with more than the scalar twin are */
        else
            memcpy(unit, data + (i - before) % content * source_unit, source_unit);
        memcpy(source + i * source_unit, unit, source_unit);
    }
    limit_units(source, source_unit, length, RUNS[run].most);

    const size_t capacity = length * RUNS[run].per_unit + RUNS[run].slack;
    /* The initial state of ISO-2022-JP; its encoder has no state katakana. */
    const uint8_t state = choices[2] >> 3 & 3, output = choices[2] >> 5 & 1;
    const we_decoder_state decoder = {state, output, 0};
    const we_encoder_state encoder = {state == WE_ISO_2022_JP_KATAKANA ? WE_ISO_2022_JP_ASCII : state};
    outcome expected = {0, 0, block(capacity), decoder, encoder};
    RUNS[run].run(WE_SIMD_SCALAR, source, length, &expected);
    for (int simd = WE_SIMD_SCALAR + 1; simd <= we_simd_best(); simd++) {
        outcome found = {0, 0, block(capacity), decoder, encoder};
        dirty_stack();
        RUNS[run].run(simd, source, length, &found);
        if (found.read != expected.read || found.written != expected.written
            || memcmp(&found.decoder, &expected.decoder, sizeof found.decoder) != 0
            || memcmp(&found.encoder, &expected.encoder, sizeof found.encoder) != 0
            || (RUNS[run].per_unit != 0
                && memcmp(found.target, expected.target, found.written * RUNS[run].unit) != 0)) {
            fprintf(stderr, "%s with %s: %zu read and %zu written of %zu units; scalar: %zu and %zu\n", RUNS[run].name,
                    we_simd_name(simd), found.read, found.written, length, expected.read, expected.written);
            abort();
        }
        free(found.target);
    }
    free(expected.target);
    free(source);
    return 0;
}
