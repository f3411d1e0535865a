/* Vectors of sixteen bytes with shuffles: x86-64-v2, NEON, WebAssembly's SIMD. */
#if defined(WE_HAVE_VECTOR_16)
#define WE_LEVEL vector_16
#define WE_LEVEL_TARGET WE_TARGET_VECTOR_16
#define WE_LEVEL_APART 1
#include "vector/utf_8.h"
#include "vector_16/utf_8.h"
#include "vector/utf_16.h"
#include "vector/single_byte.h"
#include "vector_16/single_byte.h"
#include "vector/double_byte.h"
#include "vector_16/double_byte.h"
#include "vector_16/iso_2022_jp.h"
#include "runs/utf_8.h"
#include "runs/utf_16.h"
#include "runs/double_byte.h"
#include "runs/iso_2022_jp.h"
#include "level_end.h"
#endif
