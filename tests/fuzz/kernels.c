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
#include "iso_2022_jp.h"
#include "single_byte.h"
#include "utf_16.h"
#include "utf_8.h"

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

#define SINGLE_BYTE(name)                                                                                              \
    static const we_single_byte_tables name##_tables = {name,                                                          \
                                                        name,                                                          \
                                                        name##_latin1,                                                 \
                                                        WE_SINGLE_BYTE_VECTORS(name##_rows),                           \
                                                        {name##_reverse_stage1, name##_reverse_stage2}};
SINGLE_BYTE(windows_1252)
SINGLE_BYTE(koi8_u)
SINGLE_BYTE(iso_8859_3)

/* The name of a run, what it returns, its sizes, and the call. Append new runs at the end, since the corpus refers to
 * runs by their position. */
#define IN simd, source, length
#define TO(kind) simd, kind, source, length, euc_jp_pairs, target, written, &out->decoder
#define FROM(kind) simd, kind, source, length, euc_jp_reverse, target, written, &out->encoder
#define RUNS(X)                                                                                                        \
    X(utf_8_to_ascii, COUNTED, DECODER(1), we_utf_8_run_to_ucs1(IN, target, written, 0x7F))                            \
    X(utf_8_to_ucs1, COUNTED, DECODER(1), we_utf_8_run_to_ucs1(IN, target, written, 0xFF))                             \
    X(utf_8_to_ucs2, COUNTED, DECODER(2), we_utf_8_run_to_ucs2(IN, target, written))                                   \
    X(utf_8_to_ucs4, COUNTED, DECODER(4), we_utf_8_run_to_ucs4(IN, target, written))                                   \
    X(utf_8_copy, EACH, DECODER(1), we_utf_8_copy_run(IN, target))                                                     \
    X(utf_8_from_ucs1, COUNTED, ENCODER(1, 2), we_utf_8_run_from_ucs1(IN, target, written))                            \
    X(utf_8_from_ucs2, COUNTED, ENCODER(2, 3), we_utf_8_run_from_ucs2(IN, target, written))                            \
    X(utf_8_from_ucs4, COUNTED, ENCODER(4, 4), we_utf_8_run_from_ucs4(IN, target, written))                            \
    X(utf_16le_to_ascii, COUNTED, DECODER(1), we_utf_16_run_to_ucs1(IN, 0, target, written, 0x7F))                     \
    X(utf_16le_to_ucs1, COUNTED, DECODER(1), we_utf_16_run_to_ucs1(IN, 0, target, written, 0xFF))                      \
    X(utf_16le_to_ucs2, COUNTED, DECODER(2), we_utf_16_run_to_ucs2(IN, 0, target, written))                            \
    X(utf_16le_to_ucs4, COUNTED, DECODER(4), we_utf_16_run_to_ucs4(IN, 0, target, written))                            \
    X(utf_16be_to_ucs2, COUNTED, DECODER(2), we_utf_16_run_to_ucs2(IN, 1, target, written))                            \
    X(utf_16be_to_ucs4, COUNTED, DECODER(4), we_utf_16_run_to_ucs4(IN, 1, target, written))                            \
    X(ascii_to_ucs1, EACH, DECODER(1), we_ascii_run_to_ucs1(IN, target))                                               \
    X(ascii_to_ucs2, EACH, DECODER(2), we_ascii_run_to_ucs2(IN, target))                                               \
    X(ascii_to_ucs4, EACH, DECODER(4), we_ascii_run_to_ucs4(IN, target))                                               \
    X(ascii_from_ucs2, EACH, PLAIN_ENCODER(2), we_ascii_run_from_ucs2(IN, target))                                     \
    X(ascii_from_ucs4, EACH, PLAIN_ENCODER(4), we_ascii_run_from_ucs4(IN, target))                                     \
    X(ascii_length, NUMBER, COUNTER(1), we_ascii_length(IN))                                                           \
    X(or_ucs2, NUMBER, COUNTER(2), we_or_ucs2(IN))                                                                     \
    X(or_ucs4, NUMBER, COUNTER(4), we_or_ucs4(IN))                                                                     \
    X(non_ascii_count_ucs1, NUMBER, COUNTER(1), we_non_ascii_count_ucs1(IN))                                           \
    X(non_ascii_count_ucs2, NUMBER, COUNTER(2), we_non_ascii_count_ucs2(IN))                                           \
    X(non_ascii_count_ucs4, NUMBER, COUNTER(4), we_non_ascii_count_ucs4(IN))                                           \
    X(windows_1252_to_ucs1, EACH, DECODER(1), we_single_byte_run_to_ucs1(IN, windows_1252_latin1, target, 0xFF))       \
    X(windows_1252_to_ucs2, EACH, DECODER(2),                                                                          \
      we_single_byte_run_to_ucs2(IN, windows_1252, &windows_1252_tables.vectors, target))                              \
    X(koi8_u_to_ucs2, EACH, DECODER(2), we_single_byte_run_to_ucs2(IN, koi8_u, &koi8_u_tables.vectors, target))        \
    X(iso_8859_3_to_ucs1, EACH, DECODER(1), we_single_byte_run_to_ucs1(IN, iso_8859_3_latin1, target, 0xFF))           \
    X(iso_8859_3_to_ucs2, EACH, DECODER(2),                                                                            \
      we_single_byte_run_to_ucs2(IN, iso_8859_3, &iso_8859_3_tables.vectors, target))                                  \
    X(iso_8859_3_to_ucs4, EACH, DECODER(4), we_single_byte_run_to_ucs4(IN, &iso_8859_3_tables, target))                \
    X(iso_8859_3_to_utf8, COUNTED, TO_UTF_8,                                                                           \
      we_single_byte_run_to_utf8(IN, &iso_8859_3_tables, target, written, NULL))                                       \
    X(windows_1252_from_ucs1, EACH, ENCODER(1, 1),                                                                     \
      we_single_byte_run_from_ucs1(IN, &windows_1252_tables.reverse, target))                                          \
    X(koi8_u_from_ucs2, EACH, ENCODER(2, 1), we_single_byte_run_from_ucs2(IN, &koi8_u_tables.reverse, target))         \
    X(iso_8859_3_from_ucs2, EACH, ENCODER(2, 1), we_single_byte_run_from_ucs2(IN, &iso_8859_3_tables.reverse, target)) \
    X(iso_8859_3_from_ucs4, EACH, ENCODER(4, 1), we_single_byte_run_from_ucs4(IN, &iso_8859_3_tables.reverse, target)) \
    X(euc_jp_to_ucs2, COUNTED, DECODER(2), we_double_byte_run_to_ucs2(IN, euc_jp_pairs, 0, target, written))           \
    X(shift_jis_to_ucs4, COUNTED, DECODER(4), we_double_byte_run_to_ucs4(IN, shift_jis_pairs, 1, target, written))     \
    X(gb18030_to_ucs2, COUNTED, DECODER(2), we_double_byte_run_to_ucs2(IN, gb18030_pairs, 0, target, written))         \
    X(gb18030_to_utf8, COUNTED, TO_UTF_8, we_double_byte_run_to_utf8(IN, gb18030_pairs, 0, target, written))           \
    X(euc_jp_from_ucs1, COUNTED, ENCODER(1, 2), we_double_byte_run_from_ucs1(IN, euc_jp_reverse, target, written))     \
    X(gb18030_from_ucs2, COUNTED, ENCODER(2, 2), we_double_byte_run_from_ucs2(IN, gb18030_reverse, target, written))   \
    X(shift_jis_from_ucs4, COUNTED, ENCODER(4, 2),                                                                     \
      we_double_byte_run_from_ucs4(IN, shift_jis_reverse, target, written))                                            \
    X(shift_jis_to_ucs2, COUNTED, DECODER(2), we_double_byte_run_to_ucs2(IN, shift_jis_pairs, 1, target, written))     \
    X(shift_jis_to_utf8, COUNTED, TO_UTF_8, we_double_byte_run_to_utf8(IN, shift_jis_pairs, 1, target, written))       \
    X(utf_16le_to_utf8, COUNTED, TO_UTF_8, we_utf_16_run_to_utf8(IN, 0, target, written))                              \
    X(utf_16be_to_utf8, COUNTED, TO_UTF_8, we_utf_16_run_to_utf8(IN, 1, target, written))                              \
    X(iso_2022_jp_to_ucs1, COUNTED, DECODER(1), we_iso_2022_jp_run_to(TO(WE_UCS1)))                                    \
    X(iso_2022_jp_to_ucs2, COUNTED, DECODER(2), we_iso_2022_jp_run_to(TO(WE_UCS2)))                                    \
    X(iso_2022_jp_to_ucs4, COUNTED, DECODER(4), we_iso_2022_jp_run_to(TO(WE_UCS4)))                                    \
    X(iso_2022_jp_to_utf8, COUNTED, TO_UTF_8, we_iso_2022_jp_run_to(TO(WE_UTF8)))                                      \
    X(iso_2022_jp_from_ucs1, COUNTED, ENCODER(1, 5), we_iso_2022_jp_run_from(FROM(WE_UCS1)))                           \
    X(iso_2022_jp_from_ucs2, COUNTED, ENCODER(2, 5), we_iso_2022_jp_run_from(FROM(WE_UCS2)))                           \
    X(iso_2022_jp_from_ucs4, COUNTED, ENCODER(4, 5), we_iso_2022_jp_run_from(FROM(WE_UCS4)))                           \
    X(or_ucs1, NUMBER, COUNTER(1), we_or_ucs1(IN))                                                                     \
    X(replacement_character_count, NUMBER, COUNTER(2), we_replacement_character_count_ucs2(IN))                        \
    X(widen_ucs1_to_ucs2, CONVERT, CONVERTER(1, 2, 0), we_widen_ucs1_to_ucs2(IN, target))                              \
    X(widen_ucs1_to_ucs4, CONVERT, CONVERTER(1, 4, 0), we_widen_ucs1_to_ucs4(IN, target))                              \
    X(widen_ucs2_to_ucs4, CONVERT, CONVERTER(2, 4, 0), we_widen_ucs2_to_ucs4(IN, target))                              \
    X(narrow_ucs2_to_ucs1, CONVERT, CONVERTER(2, 1, 0xFF), we_narrow_ucs2_to_ucs1(IN, target))                         \
    X(narrow_ucs4_to_ucs1, CONVERT, CONVERTER(4, 1, 0xFF), we_narrow_ucs4_to_ucs1(IN, target))                         \
    X(narrow_ucs4_to_ucs2, CONVERT, CONVERTER(4, 2, 0xFFFF), we_narrow_ucs4_to_ucs2(IN, target))

/* A run sets `written`, which tells it the units that fit (COUNTED), writes a unit for each that it reads (EACH), only
 * returns a number (NUMBER), or converts all units (CONVERT). */
#define COUNTED(call) *written = length, out->read = call
#define EACH(call) out->written = out->read = call
#define NUMBER(call) out->read = call, out->written = 0
#define CONVERT(call) call, out->written = out->read = length
#define FUNCTION(name, returns, sizes, call)                                                                           \
    static void run_##name(int simd, const void *source, size_t length, outcome *out)                                  \
    {                                                                                                                  \
        size_t *const written = &out->written;                                                                         \
        void *const target = out->target;                                                                              \
        (void)written, (void)target;                                                                                   \
        returns(call);                                                                                                 \
    }
RUNS(FUNCTION)

/* `per_unit` and `slack`: the target's capacity in bytes is length * per_unit + slack; `unit`: bytes of a unit counted
 * in `written`; `most`: the largest unit of source, or 0 if every value of its kind may occur. */
static const struct {
    const char *name;
    run_function run;
    size_t source_unit, per_unit, slack, unit;
    uint32_t most;
} TABLE[] = {
#define DECODER(unit) 1, unit, 0, unit, 0
#define ENCODER(source_unit, per_unit) source_unit, per_unit, WE_ENCODE_SLACK, 1, 0
#define PLAIN_ENCODER(source_unit) source_unit, 1, 0, 1, 0
#define COUNTER(source_unit) source_unit, 0, 0, 1, 0
#define TO_UTF_8 1, WE_UTF8_PER_BYTE, 0, 1, 0
#define CONVERTER(source_unit, unit, most) source_unit, unit, 0, unit, most
#define ROW(name, returns, sizes, call) {#name, run_##name, sizes},
    RUNS(ROW)};

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
    const size_t run = choices[0] % (sizeof TABLE / sizeof TABLE[0]);
    const size_t source_unit = TABLE[run].source_unit;
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
    limit_units(source, source_unit, length, TABLE[run].most);

    const size_t capacity = length * TABLE[run].per_unit + TABLE[run].slack;
    /* The initial state of ISO-2022-JP; its encoder has no state katakana. */
    const uint8_t state = choices[2] >> 3 & 3, output = choices[2] >> 5 & 1;
    const we_decoder_state decoder = {state, output, 0};
    const we_encoder_state encoder = {state == WE_ISO_2022_JP_KATAKANA ? WE_ISO_2022_JP_ASCII : state};
    outcome expected = {0, 0, block(capacity), decoder, encoder};
    TABLE[run].run(WE_SIMD_SCALAR, source, length, &expected);
    for (int simd = WE_SIMD_SCALAR + 1; simd <= we_simd_best(); simd++) {
        outcome found = {0, 0, block(capacity), decoder, encoder};
        dirty_stack();
        TABLE[run].run(simd, source, length, &found);
        if (found.read != expected.read || found.written != expected.written
            || memcmp(&found.decoder, &expected.decoder, sizeof found.decoder) != 0
            || memcmp(&found.encoder, &expected.encoder, sizeof found.encoder) != 0
            || (TABLE[run].per_unit != 0
                && memcmp(found.target, expected.target, found.written * TABLE[run].unit) != 0)) {
            fprintf(stderr, "%s with %s: %zu read and %zu written of %zu units; scalar: %zu and %zu\n", TABLE[run].name,
                    we_simd_name(simd), found.read, found.written, length, expected.read, expected.written);
            abort();
        }
        free(found.target);
    }
    free(expected.target);
    free(source);
    return 0;
}
