/* Instruction-set levels: what the compiler can emit, what this machine can run, and their names.
 *
 * A kernel takes its level as first argument, `int simd`, and uses the best variant that is not above it, so one build serves every
 * machine and every variant can be forced. WE_HAVE_… macros say at compile time which variants exist; they are 1 or not defined.
 * A compiler without intrinsics or without the target attribute (MSVC among them) builds the scalar code alone.
 */
#ifndef WE_CPU_H
#define WE_CPU_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    WE_SIMD_SCALAR = 0,
    WE_SIMD_SSE2 = 1,  /* the baseline of the architecture: SSE2 on x86-64, NEON on AArch64 */
    WE_SIMD_AVX2 = 2,  /* with BMI1, BMI2, LZCNT and POPCNT, which every processor with AVX2 has */
    WE_SIMD_AVX512 = 3 /* F, BW, VL, DQ, VBMI and VBMI2 (Ice Lake, Zen 4 and later) */
};

#if defined(__GNUC__) && defined(__x86_64__) && defined(__SSE2__) /* clang defines __GNUC__, as 4 */
#include <cpuid.h>
#include <immintrin.h>
#define WE_HAVE_SSE2 1
#if defined(__clang__) || __GNUC__ >= 9
#define WE_HAVE_AVX2 1
#define WE_HAVE_AVX512 1
#define WE_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define WE_TARGET_AVX512 \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")))
#endif
#elif defined(__GNUC__) && defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_neon.h>
#define WE_HAVE_NEON 1
#endif

/* The best level that this build has and that this processor and its operating system support. The processor itself is asked: the
 * compilers' own check knows no LZCNT, and needs a run-time library that not every toolchain has. */
#if defined(WE_HAVE_AVX2)
static inline int we_simd_best(void)
{
    unsigned a, b, c, d, extended_c = 0, enabled, unused;
    const unsigned popcnt = 1u << 23, osxsave = 1u << 27;              /* leaf 1, ecx */
    const unsigned lzcnt = 1u << 5;                                    /* leaf 0x80000001, ecx */
    const unsigned avx2 = 1u << 3 | 1u << 5 | 1u << 8;                 /* leaf 7, ebx: BMI1, AVX2, BMI2 */
    const unsigned avx512_b = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* leaf 7, ebx: F, DQ, BW, VL */
    const unsigned avx512_c = 1u << 1 | 1u << 6;                       /* leaf 7, ecx: VBMI, VBMI2 */
    const unsigned ymm_state = 0x06, zmm_state = 0xE6;                 /* what the system saves */
    if (!__get_cpuid(0x80000001, &a, &b, &extended_c, &d) || !__get_cpuid(1, &a, &b, &c, &d))
        return WE_SIMD_SSE2;
    if ((c & (popcnt | osxsave)) != (popcnt | osxsave) || !(extended_c & lzcnt))
        return WE_SIMD_SSE2;
    __asm__("xgetbv" : "=a"(enabled), "=d"(unused) : "c"(0));
    if ((enabled & ymm_state) != ymm_state || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & avx2) != avx2)
        return WE_SIMD_SSE2;
    if ((enabled & zmm_state) != zmm_state || (b & avx512_b) != avx512_b || (c & avx512_c) != avx512_c)
        return WE_SIMD_AVX2;
    return WE_SIMD_AVX512;
}
#elif defined(WE_HAVE_SSE2) || defined(WE_HAVE_NEON)
static inline int we_simd_best(void)
{
    return WE_SIMD_SSE2;
}
#else
static inline int we_simd_best(void)
{
    return WE_SIMD_SCALAR;
}
#endif

/* A level's name: "scalar", "sse2" ("neon" on AArch64), "avx2", "avx512"; a null pointer for any other number. */
static inline const char *we_simd_name(int simd)
{
    switch (simd) {
    case WE_SIMD_SCALAR:
        return "scalar";
    case WE_SIMD_SSE2:
#if defined(WE_HAVE_NEON)
        return "neon";
#else
        return "sse2";
#endif
    case WE_SIMD_AVX2:
        return "avx2";
    case WE_SIMD_AVX512:
        return "avx512";
    default:
        return NULL;
    }
}

/* The level of that name: -1 if there is no such level anywhere, -2 if it is not one of this machine, whose best is `best`. */
static inline int we_simd_from_name(const char *name, int best)
{
    for (int simd = WE_SIMD_SCALAR; simd <= WE_SIMD_AVX512; simd++)
        if (strcmp(name, we_simd_name(simd)) == 0)
            return simd <= best ? simd : -2;
    return strcmp(name, "sse2") == 0 || strcmp(name, "neon") == 0 ? -2 : -1;
}

#endif
