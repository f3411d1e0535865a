/* The baseline of an architecture, with vectors of sixteen bytes: SSE2, NEON, WebAssembly's SIMD. Its loops are the
 * scalar ones, which take ASCII by vectors. */
#include "bytes_16/ascii.h"
#if defined(WE_HAVE_BYTES_16)
#define WE_LEVEL bytes_16
#define WE_LEVEL_TARGET
#define WE_LOOP_VECTORS 1
#include "bytes_16/count.h"
#include "bytes_16/single_byte.h"
#include "runs/loops.h"
#include "runs/utf_8.h"
#include "runs/double_byte.h"
#undef WE_LOOP_VECTORS
#include "level_end.h"
#endif
