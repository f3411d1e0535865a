/* Includes WE_VECTOR_CODE, which is the vector.h of a shape, for vectors of sixteen bytes and for those of 32. WE_LEVEL
 * is their level then, WE_LEVEL_TARGET the attribute of its functions, and WE_WIDTH that number. */

#define WE_LEVEL vector_16
#define WE_LEVEL_TARGET WE_TARGET_VECTOR_16
#include WE_VECTOR_CODE
#undef WE_LEVEL
#undef WE_LEVEL_TARGET

#if defined(WE_HAVE_AVX2)
#undef WE_WIDTH
#define WE_WIDTH 32
#define WE_LEVEL avx2
#define WE_LEVEL_TARGET WE_TARGET_AVX2
#include WE_VECTOR_CODE
#undef WE_WIDTH
#define WE_WIDTH 16
#undef WE_LEVEL
#undef WE_LEVEL_TARGET
#endif
#undef WE_VECTOR_CODE
