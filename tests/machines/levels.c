/* Compiled but not run for each platform of the wheels: includes every kernel header, and checks which vector
 * instructions are used. */
#include "cpu.h"

#include "ascii.h"
#include "codec.h"
#include "iso_2022_jp.h"
#include "single_byte.h"
#include "utf_16.h"
#include "utf_8.h"

#if defined(__x86_64__)                                                                                                \
    && !(defined(WE_HAVE_SSE2) && defined(WE_HAVE_VECTOR_16) && defined(WE_HAVE_AVX2) && defined(WE_HAVE_AVX512))
#error "the kernels for x86-64 are not all compiled"
#elif defined(__aarch64__) && !(defined(WE_HAVE_NEON) && defined(WE_HAVE_VECTOR_16))
#error "the kernels for NEON are not compiled"
#endif

int best_level(void)
{
    return we_simd_best();
}
