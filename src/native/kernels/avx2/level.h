/* AVX2: vectors of 32 bytes. */
#if defined(WE_HAVE_AVX2)
#define WE_LEVEL avx2
#define WE_LEVEL_BELOW bytes_16
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#define WE_LEVEL_APART 1
#undef WE_WIDTH
#define WE_WIDTH 32
#include "vector/ascii.h"
#include "vector/utf_8.h"
#include "avx2/utf_8.h"
#include "vector/utf_16.h"
#include "vector/single_byte.h"
#include "avx2/single_byte.h"
#include "vector/double_byte.h"
#include "avx2/iso_2022_jp.h"
/* Encoding pairs takes as long in its own instructions as in those of sixteen bytes. */
#define we_double_byte_run_from_avx2 we_double_byte_run_from_vector_16
#include "runs/utf_8.h"
#include "runs/utf_16.h"
#include "runs/double_byte.h"
#include "level_end.h"
#endif
