/* The intrinsics of the AVX-512 kernels, computed lane by lane, for machines that have no AVX-512: included after cpu.h
 * and before the kernels.
 *
 * A load reads the same bytes as the instruction, and no byte that its mask leaves out.
 */
#ifndef AVX512_EMULATED_H
#define AVX512_EMULATED_H

#include "cpu.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors of 64 bytes are passed in memory */

#undef WE_TARGET_AVX512
#undef WE_KEEP_LOADED
#define WE_TARGET_AVX512 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define WE_KEEP_LOADED(vector) __asm__("" : "+m"(vector))

typedef uint8_t emulated_u8 __attribute__((vector_size(64)));
typedef int8_t emulated_s8 __attribute__((vector_size(64)));
typedef uint16_t emulated_u16 __attribute__((vector_size(64)));
typedef uint32_t emulated_u32 __attribute__((vector_size(64)));
typedef uint64_t emulated_u64 __attribute__((vector_size(64)));

/* `n` is the number of a lane; x, y and z are the lanes of that number of a, b and c. */
#define EMULATED(name, parameters, lane, setup, value)                                                                 \
    WE_TARGET_AVX512 static inline __m512i emulated_##name parameters                                                  \
    {                                                                                                                  \
        lane result = {0};                                                                                             \
        setup for (size_t n = 0; n < 64 / sizeof result[0]; n++) result[n] = value;                                    \
        return (__m512i)result;                                                                                        \
    }
#define OF_A(lane) const lane x = (lane)a;
#define OF_AB(lane)                                                                                                    \
    const lane x = (lane)a, y = (lane)b;                                                                               \
    (void)y;
#define UNARY(name, lane, value) EMULATED(name, (__m512i a), lane, OF_A(lane), value)
#define BINARY(name, lane, value) EMULATED(name, (__m512i a, __m512i b), lane, OF_AB(lane), value)
#define SHIFT(name, lane, value) EMULATED(name, (__m512i a, unsigned by), lane, OF_A(lane), value)
#define MASKED(name, mask, lane, value)                                                                                \
    EMULATED(name, (__m512i before, mask k, __m512i a, __m512i b), lane, const lane w = (lane)before;                  \
             OF_AB(lane), (k >> n & 1 ? (value) : w[n]))
#define TEST(name, mask, lane, condition)                                                                              \
    WE_TARGET_AVX512 static inline mask emulated_##name(__m512i a, __m512i b)                                          \
    {                                                                                                                  \
        mask result = 0;                                                                                               \
        OF_AB(lane)                                                                                                    \
        for (size_t n = 0; n < 64 / sizeof x[0]; n++)                                                                  \
            result |= (mask)((uint64_t)((condition) != 0) << n);                                                       \
        return result;                                                                                                 \
    }

BINARY(or_si512, emulated_u8, x[n] | y[n])
BINARY(and_si512, emulated_u8, x[n] & y[n])
BINARY(andnot_si512, emulated_u8, ~x[n] & y[n])
BINARY(add_epi8, emulated_u8, x[n] + y[n])
BINARY(add_epi16, emulated_u16, x[n] + y[n])
BINARY(add_epi32, emulated_u32, x[n] + y[n])
BINARY(sub_epi8, emulated_u8, x[n] - y[n])
BINARY(sub_epi32, emulated_u32, x[n] - y[n])
BINARY(subs_epu8, emulated_u8, x[n] > y[n] ? x[n] - y[n] : 0)
BINARY(min_epu8, emulated_u8, x[n] < y[n] ? x[n] : y[n])
BINARY(shuffle_epi8, emulated_u8, y[n] & 0x80 ? 0 : x[(n & ~(size_t)15) | (y[n] & 15)])
BINARY(unpacklo_epi8, emulated_u8, (n & 1 ? y : x)[(n & ~(size_t)15) + n % 16 / 2])
BINARY(unpackhi_epi8, emulated_u8, (n & 1 ? y : x)[(n & ~(size_t)15) + 8 + n % 16 / 2])
BINARY(permutexvar_epi8, emulated_u8, y[x[n] & 63])
BINARY(permutexvar_epi16, emulated_u16, y[x[n] & 31])
BINARY(permutexvar_epi64, emulated_u64, y[x[n] & 7])
/* Each byte of the result: eight bits of b's quadword from the position that a's byte tells on, around its end. */
BINARY(multishift_epi64_epi8, emulated_u8,
       (uint8_t)((((emulated_u64)b)[n / 8] >> (x[n] & 63)) | (((emulated_u64)b)[n / 8] << (-x[n] & 63))))
SHIFT(slli_epi16, emulated_u16, (uint16_t)(x[n] << by))
SHIFT(srli_epi16, emulated_u16, x[n] >> by)
SHIFT(slli_epi32, emulated_u32, x[n] << by)
SHIFT(srli_epi32, emulated_u32, x[n] >> by)
EMULATED(packus_epi16, (__m512i a, __m512i b), emulated_u8, OF_AB(emulated_u16) int16_t unit;
         , (unit = (int16_t)(n & 8 ? y : x)[n / 16 * 8 + n % 8], unit < 0     ? 0
                                                                 : unit > 255 ? 255
                                                                              : unit))
EMULATED(ternarylogic_epi32, (__m512i a, __m512i b, __m512i c, int table), emulated_u8,
         OF_AB(emulated_u8) const emulated_u8 z = (emulated_u8)c;
         uint8_t byte;
         , (byte = 0, byte |= table & 1 ? ~x[n] & ~y[n] & ~z[n] : 0, byte |= table & 2 ? ~x[n] & ~y[n] & z[n] : 0,
            byte |= table & 4 ? ~x[n] & y[n] & ~z[n] : 0, byte |= table & 8 ? ~x[n] & y[n] & z[n] : 0,
            byte |= table & 16 ? x[n] & ~y[n] & ~z[n] : 0, byte |= table & 32 ? x[n] & ~y[n] & z[n] : 0,
            byte |= table & 64 ? x[n] & y[n] & ~z[n] : 0, byte |= table & 128 ? x[n] & y[n] & z[n] : 0, byte))
EMULATED(alignr_epi8, (__m512i a, __m512i b, size_t by), emulated_u8, OF_AB(emulated_u8),
         n % 16 + by < 16 ? y[n + by] : x[n + by - 16])
EMULATED(alignr_epi64, (__m512i a, __m512i b, size_t by), emulated_u64, OF_AB(emulated_u64),
         n + by < 8 ? y[n + by] : x[n + by - 8])

/* Of two vectors as one table: the lane that an index tells. */
#define FROM_TWO(low, high, index, lanes) ((index) & (lanes) ? (high) : (low))[(index) & ((lanes) - 1)]
EMULATED(permutex2var_epi8, (__m512i a, __m512i b, __m512i c), emulated_u8,
         OF_AB(emulated_u8) const emulated_u8 z = (emulated_u8)c;
         , FROM_TWO(x, z, y[n], 64))
EMULATED(mask2_permutex2var_epi8, (__m512i a, __m512i b, __mmask64 k, __m512i c), emulated_u8,
         OF_AB(emulated_u8) const emulated_u8 z = (emulated_u8)c;
         , k >> n & 1 ? FROM_TWO(x, z, y[n], 64) : y[n])
EMULATED(maskz_permutex2var_epi8, (__mmask64 k, __m512i a, __m512i b, __m512i c), emulated_u8,
         OF_AB(emulated_u8) const emulated_u8 z = (emulated_u8)c;
         , k >> n & 1 ? FROM_TWO(x, z, y[n], 64) : 0)

#define MASKED_1(name, mask, lane, value)                                                                              \
    EMULATED(name, (__m512i before, mask k, __m512i a), lane, const lane w = (lane)before;                             \
             OF_A(lane), (k >> n & 1 ? (value) : w[n]))
MASKED_1(mask_mov_epi8, __mmask64, emulated_u8, x[n])
MASKED_1(mask_mov_epi32, __mmask16, emulated_u32, x[n])
MASKED(mask_xor_epi32, __mmask16, emulated_u32, x[n] ^ y[n])
MASKED(mask_sub_epi32, __mmask16, emulated_u32, x[n] - y[n])
MASKED(mask_add_epi8, __mmask64, emulated_u8, x[n] + y[n])
MASKED(mask_add_epi16, __mmask32, emulated_u16, x[n] + y[n])
EMULATED(mask_slli_epi32, (__m512i before, __mmask16 k, __m512i a, unsigned by), emulated_u32,
         const emulated_u32 w = (emulated_u32)before;
         OF_A(emulated_u32), k >> n & 1 ? x[n] << by : w[n])
EMULATED(maskz_mov_epi8, (__mmask64 k, __m512i a), emulated_u8, OF_A(emulated_u8), k >> n & 1 ? x[n] : 0)
EMULATED(maskz_mov_epi16, (__mmask32 k, __m512i a), emulated_u16, OF_A(emulated_u16), k >> n & 1 ? x[n] : 0)
EMULATED(movm_epi8, (__mmask64 k), emulated_u8, , k >> n & 1 ? 0xFF : 0)

/* The lanes whose bit is set, one after the other; in the rest those of `before`. */
#define COMPRESS(name, mask, lane)                                                                                     \
    WE_TARGET_AVX512 static inline __m512i emulated_mask_##name(__m512i before, mask k, __m512i a)                     \
    {                                                                                                                  \
        lane result = (lane)before;                                                                                    \
        OF_A(lane)                                                                                                     \
        for (size_t n = 0, to = 0; n < 64 / sizeof x[0]; n++)                                                          \
            if (k >> n & 1)                                                                                            \
                result[to++] = x[n];                                                                                   \
        return (__m512i)result;                                                                                        \
    }                                                                                                                  \
    WE_TARGET_AVX512 static inline __m512i emulated_maskz_##name(mask k, __m512i a)                                    \
    {                                                                                                                  \
        return emulated_mask_##name((__m512i)(lane){0}, k, a);                                                         \
    }
COMPRESS(compress_epi8, __mmask64, emulated_u8)
COMPRESS(compress_epi16, __mmask32, emulated_u16)
COMPRESS(compress_epi32, __mmask16, emulated_u32)
WE_TARGET_AVX512 static inline __m512i emulated_mask_expand_epi16(__m512i before, __mmask32 k, __m512i a)
{
    emulated_u16 result = (emulated_u16)before, x = (emulated_u16)a;
    for (size_t n = 0, from = 0; n < 32; n++)
        if (k >> n & 1)
            result[n] = x[from++];
    return (__m512i)result;
}

TEST(cmpeq_epi8_mask, __mmask64, emulated_u8, x[n] == y[n])
TEST(cmpeq_epi16_mask, __mmask32, emulated_u16, x[n] == y[n])
TEST(cmpeq_epi32_mask, __mmask16, emulated_u32, x[n] == y[n])
TEST(cmplt_epi8_mask, __mmask64, emulated_s8, x[n] < y[n])
TEST(cmplt_epu8_mask, __mmask64, emulated_u8, x[n] < y[n])
TEST(cmplt_epu16_mask, __mmask32, emulated_u16, x[n] < y[n])
TEST(cmplt_epu32_mask, __mmask16, emulated_u32, x[n] < y[n])
TEST(cmple_epu8_mask, __mmask64, emulated_u8, x[n] <= y[n])
TEST(cmpgt_epu8_mask, __mmask64, emulated_u8, x[n] > y[n])
TEST(cmpgt_epu16_mask, __mmask32, emulated_u16, x[n] > y[n])
TEST(cmpgt_epu32_mask, __mmask16, emulated_u32, x[n] > y[n])
TEST(cmpge_epu8_mask, __mmask64, emulated_u8, x[n] >= y[n])
TEST(cmpge_epu16_mask, __mmask32, emulated_u16, x[n] >= y[n])
TEST(cmpge_epu32_mask, __mmask16, emulated_u32, x[n] >= y[n])
TEST(test_epi8_mask, __mmask64, emulated_u8, x[n] & y[n])
TEST(test_epi16_mask, __mmask32, emulated_u16, x[n] & y[n])
TEST(testn_epi8_mask, __mmask64, emulated_u8, (x[n] & y[n]) == 0)
TEST(testn_epi16_mask, __mmask32, emulated_u16, (x[n] & y[n]) == 0)
#define emulated_mask_cmpeq_epi8_mask(k, a, b) ((k) & emulated_cmpeq_epi8_mask(a, b))
#define emulated_mask_test_epi8_mask(k, a, b) ((k) & emulated_test_epi8_mask(a, b))
#define emulated_mask_testn_epi8_mask(k, a, b) ((k) & emulated_testn_epi8_mask(a, b))
#define emulated_movepi8_mask(a) emulated_test_epi8_mask(a, emulated_set1_epi8((char)0x80))
#define emulated_movepi16_mask(a) emulated_test_epi16_mask(a, emulated_set1_epi16((short)0x8000))

EMULATED(setzero_si512, (void), emulated_u8, , 0)
EMULATED(set1_epi8, (char value), emulated_u8, , (uint8_t)value)
EMULATED(set1_epi16, (short value), emulated_u16, , (uint16_t)value)
EMULATED(set1_epi32, (int value), emulated_u32, , (uint32_t)value)
EMULATED(set1_epi64, (long long value), emulated_u64, , (uint64_t)value)
#define emulated_setr_epi64(...) ((__m512i)(emulated_u64){__VA_ARGS__})
WE_TARGET_AVX512 static inline __m512i emulated_reversed(const void *lanes, size_t size)
{
    __m512i result;
    for (size_t n = 0; n < 64; n += size)
        memcpy((uint8_t *)&result + n, (const uint8_t *)lanes + 64 - size - n, size);
    return result;
}
#define emulated_set_epi8(...) emulated_reversed((const uint8_t[64]){__VA_ARGS__}, 1)
#define emulated_set_epi16(...) emulated_reversed((const uint16_t[32]){__VA_ARGS__}, 2)
#define emulated_set4_epi32(d, c, b, a) ((__m512i)(emulated_u32){a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d})

/* Loads and stores; those with a mask touch no other lanes. */
WE_TARGET_AVX512 static inline __m512i emulated_loadu_si512(const void *source)
{
    __m512i result;
    memcpy(&result, source, 64);
    return result;
}
WE_TARGET_AVX512 static inline void emulated_storeu_si512(void *target, __m512i a)
{
    memcpy(target, &a, 64);
}
#define emulated_store_si512 emulated_storeu_si512
WE_TARGET_AVX512 static inline void emulated_copy_lanes(void *target, const void *source, uint64_t k, size_t size,
                                                        size_t lanes)
{
    for (size_t n = 0; n < lanes; n++)
        if (k >> n & 1)
            memcpy((uint8_t *)target + n * size, (const uint8_t *)source + n * size, size);
}
#define LOAD(name, vector, mask, size)                                                                                 \
    WE_TARGET_AVX512 static inline vector name(mask k, const void *source)                                             \
    {                                                                                                                  \
        vector result;                                                                                                 \
        memset(&result, 0, sizeof result);                                                                             \
        emulated_copy_lanes(&result, source, k, size, sizeof result / (size));                                         \
        return result;                                                                                                 \
    }
#define STORE(name, vector, mask, size)                                                                                \
    WE_TARGET_AVX512 static inline void name(void *target, mask k, vector a)                                           \
    {                                                                                                                  \
        emulated_copy_lanes(target, &a, k, size, sizeof a / (size));                                                   \
    }
LOAD(emulated_maskz_loadu_epi8, __m512i, __mmask64, 1)
LOAD(emulated_maskz_loadu_epi16, __m512i, __mmask32, 2)
LOAD(emulated_maskz_loadu_epi32, __m512i, __mmask16, 4)
LOAD(emulated_256_maskz_loadu_epi8, __m256i, __mmask32, 1)
STORE(emulated_mask_storeu_epi8, __m512i, __mmask64, 1)
STORE(emulated_mask_storeu_epi16, __m512i, __mmask32, 2)
STORE(emulated_mask_storeu_epi32, __m512i, __mmask16, 4)
STORE(emulated_256_mask_storeu_epi8, __m256i, __mmask32, 1)

/* Conversions between sizes of lanes, and parts of a vector. */
#define CONVERT(name, result_type, to, argument, from, value)                                                          \
    WE_TARGET_AVX512 static inline result_type emulated_##name(argument a)                                             \
    {                                                                                                                  \
        to result[sizeof(result_type) / sizeof(to)] = {0};                                                             \
        from x[sizeof a / sizeof(from)];                                                                               \
        result_type vector;                                                                                            \
        memcpy(x, &a, sizeof a);                                                                                       \
        for (size_t n = 0; n < sizeof x / sizeof x[0] && n < sizeof result / sizeof result[0]; n++)                    \
            result[n] = (to)(value);                                                                                   \
        memcpy(&vector, result, sizeof vector);                                                                        \
        return vector;                                                                                                 \
    }
CONVERT(cvtepu8_epi16, __m512i, uint16_t, __m256i, uint8_t, x[n])
CONVERT(cvtepu8_epi32, __m512i, uint32_t, __m128i, uint8_t, x[n])
CONVERT(cvtepu16_epi32, __m512i, uint32_t, __m256i, uint16_t, x[n])
CONVERT(cvtepi16_epi8, __m256i, uint8_t, __m512i, uint16_t, x[n])
CONVERT(cvtepi32_epi16, __m256i, uint16_t, __m512i, uint32_t, x[n])
CONVERT(cvtepi32_epi8, __m128i, uint8_t, __m512i, uint32_t, x[n])
CONVERT(cvtusepi16_epi8, __m256i, uint8_t, __m512i, uint16_t, x[n] > 0xFF ? 0xFF : x[n])
CONVERT(castsi512_si256, __m256i, uint8_t, __m512i, uint8_t, x[n])
CONVERT(castsi512_si128, __m128i, uint8_t, __m512i, uint8_t, x[n])
CONVERT(zextsi256_si512, __m512i, uint8_t, __m256i, uint8_t, x[n])
CONVERT(zextsi128_si512, __m512i, uint8_t, __m128i, uint8_t, x[n])
#define emulated_castsi256_si512 emulated_zextsi256_si512
WE_TARGET_AVX512 static inline __m256i emulated_extracti64x4_epi64(__m512i a, int half)
{
    __m256i result;
    memcpy(&result, (const uint8_t *)&a + 32 * half, 32);
    return result;
}
WE_TARGET_AVX512 static inline __m512i emulated_inserti64x4(__m512i a, __m256i b, int half)
{
    memcpy((uint8_t *)&a + 32 * half, &b, 32);
    return a;
}
WE_TARGET_AVX512 static inline __mmask16 emulated_256_cmpeq_epi16_mask(__m256i a, __m256i b)
{
    uint32_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi16(a, b));
    return (__mmask16)_pext_u32(bits, 0x55555555);
}

WE_TARGET_AVX512 static inline __mmask32 emulated_256_movepi8_mask(__m256i a)
{
    return (__mmask32)_mm256_movemask_epi8(a);
}

#define _cvtmask64_u64(k) ((uint64_t)(k))
#define _cvtu64_mask64(k) ((__mmask64)(k))
#define _cvtu32_mask32(k) ((__mmask32)(k))
#define _mm512_kunpackd(a, b) ((__mmask64)(a) << 32 | (uint32_t)(b))
/* The intrinsics' names for the functions above: test_changing_source.py writes it. */
#include "avx512_names.h"

#endif
