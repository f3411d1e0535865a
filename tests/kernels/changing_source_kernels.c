/* Every kernel that reads a text, in the form that tests/changing_source.c calls; exported for test_changing_source.py.
 *
 * `option` is the level. The result is 0: what a kernel returns is in `read` and `written`. */
#if defined(EMULATE_AVX512)
#include "avx512_emulated.h"
#endif
#include "iso_2022_jp/kernels.h"
#include "single_byte/kernels.h"
#include "utf_16/kernels.h"
#include "utf_8/kernels.h"

typedef struct {
    we_single_byte_tables single_byte;
    const uint16_t *pairs; /* double-byte encodings */
    const uint16_t *reverse;
    int option; /* half-width katakana; big-endian */
    int state;  /* of ISO-2022-JP */
} tables;

typedef int (*kernel)(const tables *, const void *, size_t *, void *, size_t *, int);

#define IN simd, source, length
#define PAIRS IN, table->pairs, table->option, target, written
#define UTF_16 IN, table->option, target, written
#define JIS_TO(kind) simd, kind, source, length, table->pairs, target, written, decoder_state(table->state)
#define JIS_FROM(kind) simd, kind, source, length, table->reverse, target, written, encoder_state(table->state)

static we_decoder_state *decoder_state(int state)
{
    static we_decoder_state started;
    started = (we_decoder_state){(uint8_t)state, 0, 0};
    return &started;
}

static we_encoder_state *encoder_state(int state)
{
    static we_encoder_state started;
    started = (we_encoder_state){(uint8_t)state};
    return &started;
}

/* The name, the units of source and target, the capacity for `length` units, and the call, which returns the units that
 * it read and sets *written unless that is the same number. */
#define KERNELS(X)                                                                                                     \
    X(ascii_to_ucs1, uint8_t, uint8_t, length, we_ascii_run_to_ucs1(IN, target))                                       \
    X(ascii_to_ucs2, uint8_t, uint16_t, length, we_ascii_run_to_ucs2(IN, target))                                      \
    X(ascii_to_ucs4, uint8_t, uint32_t, length, we_ascii_run_to_ucs4(IN, target))                                      \
    X(ascii_from_ucs2, uint16_t, uint8_t, length, we_ascii_run_from_ucs2(IN, target))                                  \
    X(ascii_from_ucs4, uint32_t, uint8_t, length, we_ascii_run_from_ucs4(IN, target))                                  \
    X(single_byte_to_ucs1, uint8_t, uint8_t, length,                                                                   \
      we_single_byte_run_to_ucs1(IN, table->single_byte.latin1, target, 0xFF))                                         \
    X(single_byte_to_ucs2, uint8_t, uint16_t, length,                                                                  \
      we_single_byte_run_to_ucs2(IN, table->single_byte.index, &table->single_byte.vectors, target))                   \
    X(single_byte_to_ucs4, uint8_t, uint32_t, length, we_single_byte_run_to_ucs4(IN, &table->single_byte, target))     \
    X(single_byte_to_utf8, uint8_t, uint8_t, length *WE_UTF8_PER_BYTE,                                                 \
      we_single_byte_run_to_utf8(IN, &table->single_byte, target, written, NULL))                                      \
    X(single_byte_from_ucs1, uint8_t, uint8_t, length,                                                                 \
      we_single_byte_run_from_ucs1(IN, &table->single_byte.reverse, target))                                           \
    X(single_byte_from_ucs2, uint16_t, uint8_t, length,                                                                \
      we_single_byte_run_from_ucs2(IN, &table->single_byte.reverse, target))                                           \
    X(single_byte_from_ucs4, uint32_t, uint8_t, length,                                                                \
      we_single_byte_run_from_ucs4(IN, &table->single_byte.reverse, target))                                           \
    X(double_byte_to_ucs2, uint8_t, uint16_t, length, we_double_byte_run_to_ucs2(PAIRS))                               \
    X(double_byte_to_ucs4, uint8_t, uint32_t, length, we_double_byte_run_to_ucs4(PAIRS))                               \
    X(double_byte_to_utf8, uint8_t, uint8_t, length *WE_UTF8_PER_BYTE, we_double_byte_run_to_utf8(PAIRS))              \
    X(double_byte_from_ucs1, uint8_t, uint8_t, length * 2 + WE_ENCODE_SLACK,                                           \
      we_double_byte_run_from_ucs1(IN, table->reverse, target, written))                                               \
    X(double_byte_from_ucs2, uint16_t, uint8_t, length * 2 + WE_ENCODE_SLACK,                                          \
      we_double_byte_run_from_ucs2(IN, table->reverse, target, written))                                               \
    X(double_byte_from_ucs4, uint32_t, uint8_t, length * 2 + WE_ENCODE_SLACK,                                          \
      we_double_byte_run_from_ucs4(IN, table->reverse, target, written))                                               \
    X(iso_2022_jp_to_ucs1, uint8_t, uint8_t, length, we_iso_2022_jp_run_to(JIS_TO(WE_UCS1)))                           \
    X(iso_2022_jp_to_ucs2, uint8_t, uint16_t, length, we_iso_2022_jp_run_to(JIS_TO(WE_UCS2)))                          \
    X(iso_2022_jp_to_ucs4, uint8_t, uint32_t, length, we_iso_2022_jp_run_to(JIS_TO(WE_UCS4)))                          \
    X(iso_2022_jp_to_utf8, uint8_t, uint8_t, length *WE_UTF8_PER_BYTE, we_iso_2022_jp_run_to(JIS_TO(WE_UTF8)))         \
    X(iso_2022_jp_from_ucs1, uint8_t, uint8_t, length * 5 + WE_ENCODE_SLACK,                                           \
      we_iso_2022_jp_run_from(JIS_FROM(WE_UCS1)))                                                                      \
    X(iso_2022_jp_from_ucs2, uint16_t, uint8_t, length * 5 + WE_ENCODE_SLACK,                                          \
      we_iso_2022_jp_run_from(JIS_FROM(WE_UCS2)))                                                                      \
    X(iso_2022_jp_from_ucs4, uint32_t, uint8_t, length * 5 + WE_ENCODE_SLACK,                                          \
      we_iso_2022_jp_run_from(JIS_FROM(WE_UCS4)))                                                                      \
    X(utf_8_to_ucs1, uint8_t, uint8_t, length, we_utf_8_run_to_ucs1(IN, target, written, 0xFF))                        \
    X(utf_8_to_ucs2, uint8_t, uint16_t, length, we_utf_8_run_to_ucs2(IN, target, written))                             \
    X(utf_8_to_ucs4, uint8_t, uint32_t, length, we_utf_8_run_to_ucs4(IN, target, written))                             \
    X(utf_8_to_utf8, uint8_t, uint8_t, length, we_utf_8_copy_run(IN, target))                                          \
    X(utf_8_from_ucs1, uint8_t, uint8_t, length * 2 + WE_ENCODE_SLACK, we_utf_8_run_from_ucs1(IN, target, written))    \
    X(utf_8_from_ucs2, uint16_t, uint8_t, length * 3 + WE_ENCODE_SLACK, we_utf_8_run_from_ucs2(IN, target, written))   \
    X(utf_8_from_ucs4, uint32_t, uint8_t, length * 4 + WE_ENCODE_SLACK, we_utf_8_run_from_ucs4(IN, target, written))   \
    X(utf_16_to_ucs1, uint8_t, uint8_t, (length + 1) / 2,                                                              \
      we_utf_16_run_to_ucs1(IN, table->option, target, written, 0xFF))                                                 \
    X(utf_16_to_ucs2, uint8_t, uint16_t, (length + 1) / 2, we_utf_16_run_to_ucs2(UTF_16))                              \
    X(utf_16_to_ucs4, uint8_t, uint32_t, (length + 1) / 2, we_utf_16_run_to_ucs4(UTF_16))                              \
    X(utf_16_to_utf8, uint8_t, uint8_t, length * 3 / 2, we_utf_16_run_to_utf8(UTF_16))                                 \
    X(utf_16_join, uint16_t, uint32_t, length, we_utf_16_join(IN, target, length, written))

#define FUNCTION(name, source_type, target_type, size, call)                                                           \
    static int name(const tables *table, const void *units, size_t *read, void *into, size_t *written, int simd)       \
    {                                                                                                                  \
        const size_t length = *read;                                                                                   \
        const source_type *const source = units;                                                                       \
        target_type *const target = into;                                                                              \
        (void)table;                                                                                                   \
        *written = SIZE_MAX;                                                                                           \
        *read = call;                                                                                                  \
        *written = *written == SIZE_MAX ? *read : *written;                                                            \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static size_t name##_capacity(size_t length)                                                                       \
    {                                                                                                                  \
        return size;                                                                                                   \
    }
KERNELS(FUNCTION)

static const struct {
    const char *name;
    kernel run;
    size_t (*capacity)(size_t length);
    size_t source_unit, target_unit;
} TABLE[] = {
#define ROW(name, source_type, target_type, size, call)                                                                \
    {#name, name, name##_capacity, sizeof(source_type), sizeof(target_type)},
    KERNELS(ROW)};
enum { KERNEL_COUNT = sizeof TABLE / sizeof TABLE[0] };

const char *kernel_name(size_t number)
{
    return number < KERNEL_COUNT ? TABLE[number].name : NULL;
}

kernel kernel_function(size_t number)
{
    return TABLE[number].run;
}

size_t kernel_capacity(size_t number, size_t length)
{
    return TABLE[number].capacity(length);
}

size_t source_unit(size_t number)
{
    return TABLE[number].source_unit;
}

size_t target_unit(size_t number)
{
    return TABLE[number].target_unit;
}

int simd_best(void)
{
#if defined(EMULATE_AVX512)
    return WE_SIMD_AVX512;
#else
    return we_simd_best();
#endif
}
