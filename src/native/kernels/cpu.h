/* Instruction-set levels: those that the compiler can emit, and those that the processor can run.
 *
 * A kernel takes its level as its first argument, `int simd`, and uses the best variant that is not above it, so that
 * one build serves every machine and every variant can be forced. The WE_HAVE_… macros tell at compile time which
 * variants exist: each is 1 or not defined. A compiler that has no target attribute builds the scalar code alone.
 */
#ifndef WE_CPU_H
#define WE_CPU_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The levels by their numbers. */
enum {
    WE_SIMD_SCALAR = 0,
    WE_SIMD_SSE2 = 1,
    WE_SIMD_X86_64_V2 = 2,
    WE_SIMD_AVX2 = 3,
    WE_SIMD_AVX512 = 4,
    WE_SIMD_NEON = 1
};

/* The baseline of either architecture, with vectors of sixteen bytes. */
enum { WE_SIMD_BYTES_16 = WE_SIMD_SSE2 };

/* Clang defines __GNUC__ except where it stands in for MSVC; the intrinsics and the attributes are the same. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) && defined(__SSE2__)
#include <cpuid.h>
#include <immintrin.h>
#if defined(__clang__) && defined(_MSC_VER)
/* As a replacement of Microsoft's compiler, Clang omits from immintrin.h what the command line does not enable for the
 * whole file; here, target attributes enable it per function. */
#include <tmmintrin.h>
#include <smmintrin.h>
#include <nmmintrin.h>
#include <popcntintrin.h>
#include <lzcntintrin.h>
#include <bmiintrin.h>
#include <bmi2intrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <avx512fintrin.h>
#include <avx512vlintrin.h>
#include <avx512bwintrin.h>
#include <avx512dqintrin.h>
#include <avx512vlbwintrin.h>
#include <avx512vldqintrin.h>
#include <avx512vbmiintrin.h>
#include <avx512vbmivlintrin.h>
#include <avx512vbmi2intrin.h>
#include <avx512vlvbmi2intrin.h>
#endif
#define WE_HAVE_SSE2 1
#define WE_HAVE_BYTES_16 1 /* sixteen-byte vectors at the baseline: the first part of vectors.h */
#if defined(__clang__) || __GNUC__ >= 9
#define WE_HAVE_VECTOR_16 1 /* the whole of vectors.h, from the level WE_SIMD_VECTOR_16 on */
#define WE_HAVE_X86_64_V2 1 /* the same, for what NEON has another way for */
/* GCC for Windows does not align such vectors on the stack.
 * https://gcc.gnu.org/bugzilla/show_bug.cgi?id=54412 */
#if !defined(_WIN32) || defined(__clang__)
#define WE_HAVE_AVX2 1
#define WE_HAVE_AVX512 1
#endif
/* What the psABI calls x86-64-v2; with AVX2, every processor has the others; then Ice Lake, Zen 4 and later. */
#define WE_TARGET_VECTOR_16 __attribute__((target("sse3,ssse3,sse4.1,sse4.2,popcnt")))
#define WE_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define WE_TARGET_AVX512                                                                                               \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")))
enum { WE_SIMD_VECTOR_16 = WE_SIMD_X86_64_V2 };
#endif
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__) && defined(__ARM_NEON)                         \
    && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_neon.h>
#define WE_HAVE_NEON 1
#define WE_HAVE_BYTES_16 1
#define WE_HAVE_VECTOR_16 1
#define WE_TARGET_VECTOR_16
enum { WE_SIMD_VECTOR_16 = WE_SIMD_NEON };
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
/* It has the operations of x86-64-v2, and so the kernels of that level and of SSE2. */
#define WE_HAVE_SIMD128 1
#define WE_HAVE_SSE2 1
#define WE_HAVE_BYTES_16 1
#define WE_HAVE_VECTOR_16 1
#define WE_HAVE_X86_64_V2 1
#define WE_TARGET_VECTOR_16
enum { WE_SIMD_VECTOR_16 = WE_SIMD_X86_64_V2 };
#endif

#if defined(__GNUC__) || defined(__clang__)
#define WE_ALWAYS_INLINE static inline __attribute__((always_inline))
#define WE_NEVER_INLINE __attribute__((noinline, unused))
/* For what a loop seldom calls: the compiler then saves registers around the call, not in the loop. */
#define WE_SELDOM_CALLED __attribute__((cold, noinline, unused))
/* Neither inline nor known to its callers: where GCC knows which registers a callee changes, it omits the instruction
 * after which those of SSE need not wait for the upper halves of registers. */
#if defined(__clang__)
#define WE_OPAQUE WE_NEVER_INLINE
#else
#define WE_OPAQUE __attribute__((noipa, unused))
#endif
/* Keep a compiler from computing ahead of the branch what the other path alone needs. */
#define WE_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#elif defined(_MSC_VER)
#define WE_ALWAYS_INLINE static __forceinline
#define WE_NEVER_INLINE __declspec(noinline)
#define WE_SELDOM_CALLED __declspec(noinline)
#define WE_LIKELY(condition) (condition)
#define WE_UNLIKELY(condition) (condition)
#else
#define WE_ALWAYS_INLINE static inline
#define WE_NEVER_INLINE
#define WE_SELDOM_CALLED
#define WE_LIKELY(condition) (condition)
#define WE_UNLIKELY(condition) (condition)
#endif

/* A variant that apart.c may define for several modules. */
#if !defined(WE_APART)
#define WE_APART static inline
#endif

/* Before a loop over the vectors of a block, which are then kept in registers. */
#if defined(__clang__)
#define WE_UNROLLED _Pragma("unroll")
#elif defined(__GNUC__)
#define WE_UNROLLED _Pragma("GCC unroll 4")
#endif

/* Keep a vector of a source in its register. Compilers may otherwise load it again, and another thread may have written
 * to the source since: what was tested would not be what is stored. */
#if defined(WE_HAVE_SIMD128)
#define WE_KEEP_LOADED(vector) ((void)0)
#elif defined(WE_HAVE_SSE2)
#define WE_KEEP_LOADED(vector) __asm__("" : "+v"(vector))
#elif defined(WE_HAVE_NEON)
#define WE_KEEP_LOADED(vector) __asm__("" : "+w"(vector))
#endif

/* The same for an integer, and for a copy of a block of a source: keep it where it was copied to. */
#if defined(__GNUC__) || defined(__clang__)
#define WE_KEEP_READ(integer) __asm__("" : "+r"(integer))
#define WE_KEEP_COPIED(array) __asm__("" : "+m"(array))
#else
#define WE_KEEP_READ(integer) ((void)0)
#define WE_KEEP_COPIED(array) ((void)0)
#endif

/* Return the best level that this build has and that the processor and its operating system support. The processor
 * itself is asked: the compilers' own check does not know LZCNT and needs a run-time library that not every toolchain
 * has. */
static inline int we_simd_best(void)
{
#if defined(WE_HAVE_AVX2)
    unsigned a, b, c, d, extended_c = 0, enabled, unused;
    const unsigned v2 =
        1u << 0 | 1u << 9 | 1u << 19 | 1u << 20 | 1u << 23; /* leaf 1, ecx: SSE3, SSSE3, SSE4.1, SSE4.2, POPCNT */
    const unsigned osxsave = 1u << 27;                      /* leaf 1, ecx */
    const unsigned lzcnt = 1u << 5;                         /* leaf 0x80000001, ecx */
    const unsigned avx2 = 1u << 3 | 1u << 5 | 1u << 8;      /* leaf 7, ebx: BMI1, AVX2, BMI2 */
    const unsigned avx512_b = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* leaf 7, ebx: F, DQ, BW, VL */
    const unsigned avx512_c = 1u << 1 | 1u << 6;                         /* leaf 7, ecx: VBMI, VBMI2 */
    const unsigned ymm_state = 0x06, zmm_state = 0xE6;                   /* the registers that the system saves */
    /* A virtual machine takes microseconds for each question. Every processor of 64 bits has the first two leaves, and
     * those with XSAVE, whose leaf is 13, the third. */
    __cpuid(1, a, b, c, d);
    if ((c & v2) != v2)
        return WE_SIMD_SSE2;
    if (!(c & osxsave))
        return WE_SIMD_X86_64_V2;
    __cpuid(0x80000001, a, b, extended_c, d);
    if (!(extended_c & lzcnt))
        return WE_SIMD_X86_64_V2;
    __asm__("xgetbv" : "=a"(enabled), "=d"(unused) : "c"(0));
    if ((enabled & ymm_state) != ymm_state)
        return WE_SIMD_X86_64_V2;
    __cpuid_count(7, 0, a, b, c, d);
    if ((b & avx2) != avx2)
        return WE_SIMD_X86_64_V2;
    if ((enabled & zmm_state) != zmm_state || (b & avx512_b) != avx512_b || (c & avx512_c) != avx512_c)
        return WE_SIMD_AVX2;
    return WE_SIMD_AVX512;
#elif defined(WE_HAVE_SIMD128)
    return WE_SIMD_VECTOR_16;
#elif defined(WE_HAVE_BYTES_16)
    return WE_SIMD_BYTES_16;
#else
    return WE_SIMD_SCALAR;
#endif
}

/* The names of this architecture's levels. */
static const char *const we_simd_names[] = {
    "scalar",
#if defined(WE_HAVE_NEON)
    "neon",
#else
    "sse2",   "x86-64-v2", "avx2", "avx512",
#endif
};

/* Return the level of that name, -1 if there is none up to `best`, the best of this machine. */
static inline int we_simd_from_name(const char *name, int best)
{
    int simd = best;
    while (simd >= WE_SIMD_SCALAR && strcmp(name, we_simd_names[simd]) != 0)
        simd--;
    return simd;
}

#endif
