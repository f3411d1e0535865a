/* Operations on vectors of sixteen bytes, by NEON and by the instruction sets of x86-64: one vocabulary for every
 * 128-bit algorithm.
 *
 * There is one type, we_bytes_16. An operation names its lanes: u8 sixteen bytes, u16 eight units of 16 bits, u32 four
 * of 32. Lane 0 is the one at the lowest address. A comparison sets all bits of a lane or none, and a mask is such a
 * vector.
 *
 * The first part exists at the baseline of both architectures (WE_HAVE_BYTES_16: SSE2, NEON). The second part exists
 * from the level WE_SIMD_VECTOR_16 on (WE_HAVE_VECTOR_16: x86-64-v2, NEON); a function that uses it carries
 * WE_TARGET_VECTOR_16.
 *
 * Immediate operands (`count`, `lane`) must be constant expressions, so the operations that take them are macros.
 */
#ifndef WE_VECTORS_H
#define WE_VECTORS_H

#include "cpu.h"
#include "vectors_aarch64.h"
#include "vectors_x86_64.h"

#endif
