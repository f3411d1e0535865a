/* Generated from templates/simd.h.j2: change that, not this; `python -m generator emit` emits it again.
 *
 * The numbers of the levels, and their names, in the order of their numbers; cpu.h tells what each needs. */
#ifndef WE_SIMD_H
#define WE_SIMD_H

enum {
    WE_SIMD_SCALAR = 0,
    WE_SIMD_SSE2 = 1,
    WE_SIMD_X86_64_V2 = 2,
    WE_SIMD_AVX2 = 3,
    WE_SIMD_AVX512 = 4,
    WE_SIMD_NEON = 1
};

enum { WE_SIMD_NAMES = 5 };
static const char *const we_simd_names_x86_64[WE_SIMD_NAMES] = {"scalar", "sse2", "x86-64-v2", "avx2", "avx512"};
static const char *const we_simd_names_aarch64[WE_SIMD_NAMES] = {"scalar", "neon"};

#endif
