/* The wide variants of double-byte kernels, compiled once for the extension modules of four chapters, which declare
 * them (WE_KERNELS_APART): so a change of a handler does not compile them again. Elsewhere each file has its own. */
#define WE_APART __attribute__((visibility("hidden")))
#include "double_byte.h"
