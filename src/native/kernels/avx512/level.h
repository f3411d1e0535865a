/* AVX-512 (F, BW, VL, DQ, VBMI, VBMI2): blocks of 64 bytes. */
#if defined(WE_HAVE_AVX512)
#define WE_LEVEL avx512
#define WE_LEVEL_TARGET WE_TARGET_AVX512
#define WE_LEVEL_APART 1
#include "avx512/ascii.h"
#include "avx512/utf_8.h"
#include "avx512/utf_16.h"
#include "avx512/single_byte.h"
#include "avx512/double_byte.h"
#include "runs/utf_8.h"
#include "runs/double_byte.h"
#include "level_end.h"
#endif
