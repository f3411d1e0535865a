/* The operations of vectors.h and compress.h, each compared with a model that computes one lane at a time, those of 32
 * bytes with those of sixteen; exported for test_vector_16.py. */
#include "compress.h"

#if defined(WE_HAVE_VECTOR_16)

typedef union {
    uint8_t u8[16];
    uint16_t u16[8];
    uint32_t u32[4];
    uint64_t u64[2];
} lanes;

static const char *failed; /* the name of the first operation that differs from its model */

static void expect_lanes(const char *name, we_bytes_16 found, const lanes *expected)
{
    lanes stored;
    we_store_16(&stored, found);
    if (memcmp(&stored, expected, 16) != 0 && !failed)
        failed = name;
}

static void expect_number(const char *name, uint64_t found, uint64_t expected)
{
    if (found != expected && !failed)
        failed = name;
}

/* `model` computes a lane from x and y, the lanes of the same number, or from the lane's number n. */
#define LANES(operation, type, lane, model)                                                                            \
    do {                                                                                                               \
        lanes expected;                                                                                                \
        for (unsigned n = 0; n < 16 / sizeof(type); n++) {                                                             \
            const type x = one->lane[n], y = other->lane[n];                                                           \
            (void)x;                                                                                                   \
            (void)y;                                                                                                   \
            expected.lane[n] = (type)(model);                                                                          \
        }                                                                                                              \
        expect_lanes(#operation, operation, &expected);                                                                \
    } while (0)

/* The values of `model` for all lanes are added, or combined by OR. */
#define NUMBER(operation, type, lane, join, model)                                                                     \
    do {                                                                                                               \
        uint64_t expected = 0;                                                                                         \
        for (unsigned n = 0; n < 16 / sizeof(type); n++) {                                                             \
            const type x = one->lane[n], y = other->lane[n];                                                           \
            (void)x;                                                                                                   \
            (void)y;                                                                                                   \
            expected = expected join(uint64_t)(model);                                                                 \
        }                                                                                                              \
        expect_number(#operation, (uint64_t)(operation), expected);                                                    \
    } while (0)

#define ALL(condition, type) ((condition) ? (type) ~(type)0 : 0)

WE_TARGET_VECTOR_16 static void check(const lanes *one, const lanes *other)
{
    const we_bytes_16 a = we_load_16(one), b = we_load_16(other), mask = we_high_u8(b);
    lanes target;

    LANES(we_load_16(one), uint8_t, u8, x);
    LANES(we_load_8(one), uint64_t, u64, n == 0 ? x : 0);
    LANES(we_load_halves(&one->u64[1], &other->u64[0]), uint64_t, u64, n == 0 ? one->u64[1] : other->u64[0]);
    LANES(we_load_row_16(one), uint8_t, u8, x);
    LANES(we_peek_16(one), uint8_t, u8, x);
    LANES(we_sixteen_16(a, 0), uint8_t, u8, x);
    LANES(we_constant_u8_16(0xC3), uint8_t, u8, 0xC3);
    LANES(we_quarters_for_zip_16(a), uint8_t, u8, x);
    LANES(we_all_u8(0xC3), uint8_t, u8, 0xC3);
    LANES(we_all_u16(0xD8C3), uint16_t, u16, 0xD8C3);
    LANES(we_all_u32(0xF8D8C3A1), uint32_t, u32, 0xF8D8C3A1);
    LANES(we_all_u64(UINT64_C(0xF8D8C3A181)), uint64_t, u64, UINT64_C(0xF8D8C3A181));
    memset(&target, 0, 16);
    we_store_8(&target, a);
    LANES(we_load_16(&target), uint64_t, u64, n == 0 ? x : 0);
    memset(&target, 0, 16);
    we_store_high_8(&target, a);
    LANES(we_load_16(&target), uint64_t, u64, n == 0 ? one->u64[1] : 0);

    LANES(we_add_u16(a, b), uint16_t, u16, x + y);
    LANES(we_sub_saturated_u8(a, b), uint8_t, u8, x < y ? 0 : x - y);
#if defined(WE_HAVE_SSE2)
    LANES(we_sub_saturated_s8_16(a, b), uint8_t, u8,
          (int8_t)x - (int8_t)y < -128  ? 0x80
          : (int8_t)x - (int8_t)y > 127 ? 0x7F
                                        : x - y);
#endif
    LANES(we_max_u8(a, b), uint8_t, u8, x < y ? y : x);
    LANES(we_equal_u8(a, b), uint8_t, u8, ALL(x == y, uint8_t));
    LANES(we_equal_u16(a, b), uint16_t, u16, ALL(x == y, uint16_t));
    LANES(we_equal_u32(a, b), uint32_t, u32, ALL(x == y, uint32_t));
    LANES(we_at_least_u8(a, b), uint8_t, u8, ALL(x >= y, uint8_t));
    LANES(we_high_u8(a), uint8_t, u8, ALL(x >= 0x80, uint8_t));
    LANES(WE_ADD_HIGH_BIT_U8(a, b), uint8_t, u8, x + (y >> 7));

    LANES(WE_SHIFT_LEFT_U16(a, 3), uint16_t, u16, x << 3);
    LANES(WE_SHIFT_LEFT_U32(a, 13), uint32_t, u32, x << 13);
    LANES(WE_SHIFT_RIGHT_U16(a, 3), uint16_t, u16, x >> 3);
    LANES(WE_SHIFT_RIGHT_U32(a, 13), uint32_t, u32, x >> 13);

    LANES(we_zip_low_u8(a, b), uint8_t, u8, n % 2 ? other->u8[n / 2] : one->u8[n / 2]);
    LANES(we_zip_high_u8(a, b), uint8_t, u8, n % 2 ? other->u8[8 + n / 2] : one->u8[8 + n / 2]);
    LANES(we_zip_low_u16(a, b), uint16_t, u16, n % 2 ? other->u16[n / 2] : one->u16[n / 2]);
    LANES(we_zip_high_u16(a, b), uint16_t, u16, n % 2 ? other->u16[4 + n / 2] : one->u16[4 + n / 2]);
    LANES(we_low_bytes_16(a, b), uint8_t, u8, n < 8 ? one->u8[2 * n] : other->u8[2 * (n - 8)]);
    LANES(we_low_units_16(a, b), uint16_t, u16, n < 4 ? one->u16[2 * n] : other->u16[2 * (n - 4)]);
    LANES(we_pack_u16_16(a & we_all_u16(0x00FF), b & we_all_u16(0x00FF)), uint8_t, u8,
          n < 8 ? one->u8[2 * n] : other->u8[2 * (n - 8)]);
    const we_bytes_16 positive = we_all_u16(0x7FFF);
    LANES(we_pack_saturated_u16_16(a & positive, b & positive), uint8_t, u8,
          ((n < 8 ? one->u16[n] : other->u16[n - 8]) & 0x7FFF) > 0xFF ? 0xFF
                                                                      : (n < 8 ? one->u16[n] : other->u16[n - 8]));
    LANES(we_narrow_saturated_u16(a, b), uint8_t, u8,
          (n < 8 ? one->u16[n] : other->u16[n - 8]) > 0xFF ? 0xFF : (n < 8 ? one->u16[n] : other->u16[n - 8]));

    const we_bytes_16 block[2] = {we_high_u8(a), mask};
    NUMBER(we_sum_u8(a), uint8_t, u8, +, x);
    NUMBER(we_any_high_16(a), uint8_t, u8, |, x >> 7);
    NUMBER(we_any_16(a & b), uint8_t, u8, |, (x & y) != 0);
    NUMBER(we_bits_16(mask), uint8_t, u8, |, (uint64_t)(y >> 7) << n);
    NUMBER(we_bits_of_u16(we_equal_u16(a, b)), uint16_t, u16, |, (uint64_t)(x == y) << n);
    NUMBER(we_bits_of_block_16(block), uint8_t, u8, |, (uint64_t)(x >> 7) << n | (uint64_t)(y >> 7) << (16 + n));
    const we_bytes_16 more[4] = {mask, we_high_u8(a), we_equal_u8(a, b), mask};
    NUMBER(we_bits_of_64_16(more), uint8_t, u8, |,
           (uint64_t)(y >> 7) << n | (uint64_t)(x >> 7) << (16 + n) | (uint64_t)(x == y) << (32 + n)
               | (uint64_t)(y >> 7) << (48 + n));
    NUMBER(we_mask_16(mask), uint8_t, u8, |, (y >> 7 ? (UINT64_C(1) << WE_MASK_BITS) - 1 : 0) << WE_MASK_BITS * n);
    size_t ascii = 0;
    while (ascii < 16 && one->u8[ascii] < 0x80)
        ascii++;
    expect_number("we_ascii_in_16", we_ascii_in_16(a), ascii);

    LANES(we_shuffle_16(a, b & 0x8F), uint8_t, u8, y >> 7 ? 0 : one->u8[y & 15]);
    LANES(WE_BYTES_BEFORE_16(a, b, 1), uint8_t, u8, n < 1 ? one->u8[15] : other->u8[n - 1]);
    LANES(WE_BYTES_BEFORE_16(a, b, 15), uint8_t, u8, n < 15 ? one->u8[n + 1] : other->u8[0]);
    LANES(WE_BYTES_AFTER_16(a, b), uint8_t, u8, n < 15 ? one->u8[n + 1] : other->u8[0]);
    NUMBER(we_any_of_16(a, b), uint8_t, u8, |, (x & y) != 0);
    LANES(we_blend_16(mask, a, we_all_u8(7)), uint8_t, u8, y >> 7 ? x : 7);
    LANES(we_max_u16(a, b), uint16_t, u16, x < y ? y : x);
    LANES(we_at_least_u16(a, b), uint16_t, u16, ALL(x >= y, uint16_t));
    LANES(we_at_least_u32(a, b), uint32_t, u32, ALL(x >= y, uint32_t));
    const lanes bit = {{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128}};
    LANES(we_has_bit_u8(a, we_load_16(&bit)), uint8_t, u8, ALL((x >> n % 8 & 1) != 0, uint8_t));
    LANES(we_swap_u16(a), uint16_t, u16, x << 8 | x >> 8);
    NUMBER(we_pairs_of_bits_u16(we_equal_u16(a, b), we_at_least_u16(a, b)), uint16_t, u16, |,
           (uint64_t)(x == y) << 2 * n | (uint64_t)(x >= y) << (2 * n + 1));
    NUMBER(we_any_null_u16(a), uint16_t, u16, |, x == 0);
    uint16_t table[256];
    for (unsigned n = 0; n < 256; n++)
        table[n] = (uint16_t)(n * 0x0101 ^ 0x00A5);
    lanes keys;
    we_store_16(&keys, a & we_all_u16(0x00FF));
    LANES(we_look_up_8(table, we_load_16(&keys)), uint16_t, u16, (x & 0xFF) * 0x0101 ^ 0x00A5);
#if defined(WE_KEYS_IN_MEMORY)
    LANES(we_look_up_16(table, keys.u16), uint16_t, u16, (x & 0xFF) * 0x0101 ^ 0x00A5);
#endif

    /* The bytes whose bit is set come first in each half; the bytes after them are unspecified. */
    lanes packed;
    we_store_16(&packed, we_shuffle_16(a, we_compress_index_16(other->u16[0])));
    for (int half = 0; half < 2; half++) {
        size_t count = 0;
        for (int n = 0; n < 8; n++)
            if (other->u8[half] >> n & 1)
                expect_number("we_compress_index_16", packed.u8[8 * half + (int)count++], one->u8[8 * half + n]);
        expect_number("we_count_of_8", we_count_of_8(other->u8[half]), count);
    }
    uint64_t before[9] = {0};
    for (int n = 0; n < 64; n++)
        before[n / 8 + 1] = (n % 8 ? before[n / 8 + 1] : before[n / 8]) + (one->u64[0] >> n & 1);
    const uint64_t sizes = we_running_sizes(one->u64[0]);
    const uint64_t found[9] = {we_size_before(sizes, 0), we_size_before(sizes, 1), we_size_before(sizes, 2),
                               we_size_before(sizes, 3), we_size_before(sizes, 4), we_size_before(sizes, 5),
                               we_size_before(sizes, 6), we_size_before(sizes, 7), we_size_before(sizes, 8)};
    for (int number = 0; number <= 8; number++)
        expect_number("we_size_before", found[number], 2 * before[number]);
}

#if defined(WE_HAVE_AVX2)
WE_TARGET_AVX2 static void expect_sixteens(const char *name, we_bytes_32 found, we_bytes_16 first, we_bytes_16 second)
{
    lanes expected[2];
    we_store_16(&expected[0], first);
    we_store_16(&expected[1], second);
    expect_lanes(name, we_sixteen_32(found, 0), &expected[0]);
    expect_lanes(name, we_sixteen_32(found, 1), &expected[1]);
}

/* An operation on x and y does the same in each sixteen bytes. */
#define IN_EACH_16(operation, x, y)                                                                                    \
    expect_sixteens(#operation "_32", operation##_32(x, y), operation##_16(x##_low, y##_low),                          \
                    operation##_16(x##_high, y##_high))

/* An operation makes one vector of the lanes of two. */
#define IN_ORDER(operation)                                                                                            \
    expect_sixteens(#operation "_32", operation##_32(x, y), operation##_16(x_low, x_high),                             \
                    operation##_16(y_low, y_high))

/* The operations on 32 bytes, each compared with that on sixteen. */
WE_TARGET_AVX2 static void check_32(const lanes pair[2])
{
    const we_bytes_16 x_low = we_load_16(&pair[0]), x_high = we_load_16(&pair[1]);
    const we_bytes_16 y_low = we_load_16(&pair[1]), y_high = we_load_16(&pair[0]) ^ 0x5A;
    const we_bytes_16 index_low = y_low & 0x8F, index_high = y_high & 0x8F;
    lanes low_then_high[2], widened[2][8];
    we_store_16(&low_then_high[0], y_low);
    we_store_16(&low_then_high[1], y_high);
    const we_bytes_32 x = we_load_32(pair), y = we_load_32(low_then_high), index = y & 0x8F;

    expect_sixteens("we_load_32", x, x_low, x_high);
    we_store_32(low_then_high, x);
    expect_sixteens("we_store_32", x, we_load_16(&low_then_high[0]), we_load_16(&low_then_high[1]));
    expect_sixteens("we_load_row_32", we_load_row_32(pair), x_low, x_low);
    expect_sixteens("we_constant_u8_32", we_constant_u8_32(0xC3), we_all_u8(0xC3), we_all_u8(0xC3));
    IN_EACH_16(we_max_u8, x, y);
    IN_EACH_16(we_max_u16, x, y);
    IN_EACH_16(we_sub_saturated_u8, x, y);
    IN_EACH_16(we_sub_saturated_s8, x, y);
    IN_EACH_16(we_zip_low_u8, x, y);
    IN_EACH_16(we_zip_high_u8, x, y);
    IN_EACH_16(we_shuffle, x, index);
    IN_ORDER(we_low_bytes);
    IN_ORDER(we_low_units);
    IN_ORDER(we_narrow_saturated_u16);
    expect_sixteens("we_pack_u16_32", we_pack_u16_32(x & (we_bytes_32)_mm256_set1_epi16(0xFF), y & 0),
                    we_low_bytes_16(x_low, x_high), we_all_u8(0));
    expect_sixteens("we_blend_32", we_blend_32(we_high_u8(y), x, index),
                    we_blend_16(we_high_u8(y_low), x_low, index_low),
                    we_blend_16(we_high_u8(y_high), x_high, index_high));
    expect_sixteens("WE_BYTES_BEFORE_32", WE_BYTES_BEFORE_32(x, y, 3), WE_BYTES_BEFORE_16(x_high, y_low, 3),
                    WE_BYTES_BEFORE_16(y_low, y_high, 3));
    expect_sixteens("WE_BYTES_AFTER_32", WE_BYTES_AFTER_32(x, y), WE_BYTES_AFTER_16(x_low, x_high),
                    WE_BYTES_AFTER_16(x_high, y_low));
    expect_sixteens("we_swap_u16_32", we_swap_u16_32(x), we_swap_u16_16(x_low), we_swap_u16_16(x_high));
    const lanes quarters[2] = {{.u64 = {pair[0].u64[0], pair[1].u64[0]}}, {.u64 = {pair[0].u64[1], pair[1].u64[1]}}};
    expect_sixteens("we_quarters_for_zip_32", we_quarters_for_zip_32(x), we_load_16(&quarters[0]),
                    we_load_16(&quarters[1]));
    expect_sixteens("we_peek_32", we_peek_32(pair), x_low, x_high);
    expect_sixteens("we_both_32", we_both_32(x_high), x_high, x_high);
    uint16_t table[256], keys[16];
    for (unsigned n = 0; n < 256; n++)
        table[n] = (uint16_t)(n * 0x0101 ^ 0x00A5);
    for (unsigned n = 0; n < 16; n++)
        keys[n] = pair[n / 8].u16[n % 8] & 0xFF;
    expect_sixteens("we_look_up_32", we_look_up_32(table, keys), we_look_up_16(table, keys),
                    we_look_up_16(table, keys + 8));
    expect_sixteens("we_compress_index_32", we_compress_index_32(pair[0].u32[0]), we_compress_index_16(pair[0].u16[0]),
                    we_compress_index_16(pair[0].u16[1]));

    const uint32_t bits = we_bits_16(x_low) | we_bits_16(x_high) << 16;
    expect_number("we_bits_32", we_bits_32(x), bits);
    expect_number("we_bits_of_block_32", we_bits_of_block_32(&x), bits);
    const we_bytes_32 masks[2] = {x, y};
    const we_bytes_16 halves[4] = {x_low, x_high, y_low, y_high};
    expect_number("we_bits_of_64_32", we_bits_of_64_32(masks), we_bits_of_64_16(halves));
    expect_number("we_mask_32", we_mask_32(x), bits);
    expect_number("we_ascii_in_32", we_ascii_in_32(x), bits ? (unsigned)__builtin_ctz(bits) : 32);
    expect_number("we_any_high_32", we_any_high_32(x), bits != 0);
    expect_number("we_any_32", (uint64_t)we_any_32(x), (uint64_t)we_any_16(x_low | x_high));
    expect_number("we_any_of_32", we_any_of_32(x, y), we_any_16((x_low & y_low) | (x_high & y_high)));

    memset(widened, 0, sizeof widened);
    we_widen_to_ucs2_32(x, (uint16_t *)widened[0]);
    we_widen_to_ucs2_16(x_low, (uint16_t *)widened[1]);
    we_widen_to_ucs2_16(x_high, (uint16_t *)widened[1] + 16);
    expect_number("we_widen_to_ucs2_32", (uint64_t)memcmp(widened[0], widened[1], sizeof widened[0]), 0);
    we_widen_to_ucs4_32(x, (uint32_t *)widened[0]);
    we_widen_to_ucs4_16(x_low, (uint32_t *)widened[1]);
    we_widen_to_ucs4_16(x_high, (uint32_t *)widened[1] + 16);
    expect_number("we_widen_to_ucs4_32", (uint64_t)memcmp(widened[0], widened[1], sizeof widened[0]), 0);
    we_widen_8_units_to_ucs4_32(x_high, (uint32_t *)widened[0]);
    we_widen_8_units_to_ucs4_16(x_high, (uint32_t *)widened[1]);
    we_store_8_ucs4_32((uint32_t *)widened[0] + 8, x_low, x_high);
    we_store_8_ucs4_16((uint32_t *)widened[1] + 8, x_low, x_high);
    expect_number("we_widen_8_units_to_ucs4_32", (uint64_t)memcmp(widened[0], widened[1], sizeof widened[0]), 0);
}
#endif

/* Check all operations on two vectors. Return the name of the first that differs, or a null pointer. */
const char *check_operations(const uint8_t *one, const uint8_t *other)
{
    lanes first, second;
    memcpy(&first, one, 16);
    memcpy(&second, other, 16);
    failed = NULL;
    check(&first, &second);
#if defined(WE_HAVE_AVX2)
    const lanes pair[2] = {first, second};
    if (we_simd_best() >= WE_SIMD_AVX2)
        check_32(pair);
#endif
    return failed;
}

int has_operations(void)
{
    return we_simd_best() >= (int)WE_SIMD_VECTOR_16;
}

#else

const char *check_operations(const uint8_t *one, const uint8_t *other)
{
    (void)one;
    (void)other;
    return NULL;
}

int has_operations(void)
{
    return 0;
}

#endif
