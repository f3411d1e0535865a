/* Operations on vectors of 16 and of 32 bytes, by the compilers' own vector types: one vocabulary for NEON, for the
 * instruction sets of x86-64 up to SSE4.2, for WebAssembly's SIMD, and for AVX2.
 *
 * There are two types, we_bytes_16 and we_bytes_32, of unsigned bytes: `+ - & | ^ ~ << >>` are C's operators on each
 * byte, and an operand may be a constant that stands for all of them. Other operations have a name, which tells the
 * lanes: u8 bytes, u16 units of 16 bits, u32 of 32. Lane 0 is the one at the lowest address. A comparison sets all bits
 * of a lane or none, and a mask is such a vector.
 *
 * The name of an operation ends with the width of its vectors, as in we_shuffle_16 and we_shuffle_32. Where it stands
 * without it, WE_WIDTH decides: 16, or 32 within avx2/level.h. What moves bytes does so within
 * each sixteen bytes, as AVX2 does: shuffles, zips.
 *
 * The baseline of both architectures (WE_HAVE_BYTES_16: SSE2, NEON) has some of the operations of 16 bytes, the level
 * WE_SIMD_VECTOR_16 (WE_HAVE_VECTOR_16: x86-64-v2, NEON) all of them, in functions with WE_TARGET_VECTOR_16. Those of
 * 32 bytes need WE_HAVE_AVX2 and WE_TARGET_AVX2.
 *
 * Immediate operands (`count`) must be constant expressions, so the operations that take them are macros.
 */
#ifndef WE_VECTORS_H
#define WE_VECTORS_H

#include "cpu.h"

#if defined(WE_HAVE_BYTES_16)
typedef uint8_t we_bytes_16 __attribute__((vector_size(16)));
#endif

#define WE_WIDTH 16
#define WE_JOIN_NAMES(name, suffix) name##_##suffix
#define WE_WITH_SUFFIX(name, suffix) WE_JOIN_NAMES(name, suffix)
#define WE_AT_WIDTH(name) WE_WITH_SUFFIX(name, WE_WIDTH)
#define WE_AT_LEVEL(name) WE_WITH_SUFFIX(name, WE_LEVEL)
#define WE_BELOW_LEVEL(name) WE_WITH_SUFFIX(name, WE_LEVEL_BELOW)

#define we_vector WE_AT_WIDTH(we_bytes)
#define we_load WE_AT_WIDTH(we_load)
#define we_peek WE_AT_WIDTH(we_peek)
#define we_load_row WE_AT_WIDTH(we_load_row)
#define we_store WE_AT_WIDTH(we_store)
#define we_constant_u8 WE_AT_WIDTH(we_constant_u8)
#define we_max_u8 WE_AT_WIDTH(we_max_u8)
#define we_sub_saturated_u8 WE_AT_WIDTH(we_sub_saturated_u8)
#define we_zip_low_u8 WE_AT_WIDTH(we_zip_low_u8)
#define we_zip_high_u8 WE_AT_WIDTH(we_zip_high_u8)
#define we_shuffle WE_AT_WIDTH(we_shuffle)
#define we_blend WE_AT_WIDTH(we_blend)
#define we_any_high WE_AT_WIDTH(we_any_high)
#define we_any_of WE_AT_WIDTH(we_any_of)
#define we_bits WE_AT_WIDTH(we_bits)
#define we_bits_of_64 WE_AT_WIDTH(we_bits_of_64)
#define we_look_up WE_AT_WIDTH(we_look_up)
#define we_bits_of_block WE_AT_WIDTH(we_bits_of_block)
#define we_max_u16 WE_AT_WIDTH(we_max_u16)
#define we_swap_u16 WE_AT_WIDTH(we_swap_u16)
#define we_sixteen WE_AT_WIDTH(we_sixteen)
#define we_ascii_in WE_AT_WIDTH(we_ascii_in)
#define we_any WE_AT_WIDTH(we_any)
#define we_low_bytes WE_AT_WIDTH(we_low_bytes)
#define we_low_units WE_AT_WIDTH(we_low_units)
#define we_narrow_saturated_u16 WE_AT_WIDTH(we_narrow_saturated_u16)
#define we_quarters_for_zip WE_AT_WIDTH(we_quarters_for_zip)
#define we_sub_saturated_s8 WE_AT_WIDTH(we_sub_saturated_s8)
#define we_pack_u16 WE_AT_WIDTH(we_pack_u16)
#define we_pack_saturated_u16 WE_AT_WIDTH(we_pack_saturated_u16)
#define we_mask WE_AT_WIDTH(we_mask)
#define we_compress_index WE_AT_WIDTH(we_compress_index)
#define we_widen_to_ucs2 WE_AT_WIDTH(we_widen_to_ucs2)
#define we_widen_to_ucs4 WE_AT_WIDTH(we_widen_to_ucs4)
#define we_widen_8_units_to_ucs4 WE_AT_WIDTH(we_widen_8_units_to_ucs4)
#define we_store_8_ucs4 WE_AT_WIDTH(we_store_8_ucs4)
#define WE_BYTES_BEFORE WE_AT_WIDTH(WE_BYTES_BEFORE)
#define WE_BYTES_AFTER WE_AT_WIDTH(WE_BYTES_AFTER)

/* All lanes set to one value. */
#define WE_ALL(type, value) ((we_vector)((type __attribute__((vector_size(WE_WIDTH)))){0} + (type)(value)))
#define we_all_u8(value) WE_ALL(uint8_t, value)
#define we_all_u16(value) WE_ALL(uint16_t, value)
#define we_all_u32(value) WE_ALL(uint32_t, value)
#define we_all_u64(value) WE_ALL(uint64_t, value)

/* What differs at 32 bytes alone: the sixteen bytes of a row in both halves, hiding a constant, the order of quarters,
 * which sixteen bytes. */
#define we_load_row_16(source) we_load_16(source)
#define we_constant_u8_16(value) we_all_u8(value)
#define we_quarters_for_zip_16(bytes) (bytes)
#define we_sixteen_16(bytes, number) ((void)(number), (bytes))

/* A vector of either width with other lanes, and back. */
#define WE_LANES(type, vector) ((type __attribute__((vector_size(sizeof(vector)))))(vector))
#define WE_U8(vector) WE_LANES(uint8_t, vector)
#define WE_U16(vector) WE_LANES(uint16_t, vector)
#define WE_U32(vector) WE_LANES(uint32_t, vector)

#define we_equal_u8(a, b) WE_U8((a) == (b))
#define we_equal_u16(a, b) WE_U8(WE_U16(a) == WE_U16(b))
#define we_equal_u32(a, b) WE_U8(WE_U32(a) == WE_U32(b))
#define we_add_u16(a, b) WE_U8(WE_U16(a) + WE_U16(b))
/* Which bytes of `a`, as signed numbers, are below those of `b`. */
#define WE_BELOW_S8(a, b) WE_U8(WE_LANES(int8_t, a) < WE_LANES(int8_t, b))
/* Whether any unit of sixteen bytes is 0. */
#define we_any_null_u16(units) we_any_high_16(WE_U8(WE_U16(units) == 0))
/* The bytes with the high bit. */
#define we_high_u8(bytes) WE_U8(WE_LANES(int8_t, bytes) < 0)
#define WE_SHIFT_LEFT_U16(bytes, count) WE_U8(WE_U16(bytes) << (count))
#define WE_SHIFT_RIGHT_U16(bytes, count) WE_U8(WE_U16(bytes) >> (count))
#define WE_SHIFT_RIGHT_S16(bytes, count) WE_U8(WE_LANES(int16_t, bytes) >> (count))
#define WE_SHIFT_LEFT_U32(bytes, count) WE_U8(WE_U32(bytes) << (count))
#define WE_SHIFT_RIGHT_U32(bytes, count) WE_U8(WE_U32(bytes) >> (count))

#include "vectors_aarch64.h"
#include "vectors_wasm32.h"
#include "vectors_x86_64.h"

#if defined(WE_HAVE_BYTES_16)
/* As we_load, for a vector that is only tested, or that no other thread writes to: the compiler may load it again. */
WE_ALWAYS_INLINE we_bytes_16 we_peek_16(const void *source)
{
    we_bytes_16 bytes;
    memcpy(&bytes, source, 16);
    return bytes;
}

/* Widen units and store them: those of a vector, or eight; the last with what is above the sixteen bits. */
WE_ALWAYS_INLINE void we_widen_to_ucs2_16(we_bytes_16 bytes, uint16_t *target)
{
    we_store_16(target, we_zip_low_u8_16(bytes, we_all_u8(0)));
    we_store_16(target + 8, we_zip_high_u8_16(bytes, we_all_u8(0)));
}

WE_ALWAYS_INLINE void we_store_8_ucs4_16(uint32_t *target, we_bytes_16 units, we_bytes_16 above)
{
    we_store_16(target, we_zip_low_u16(units, above));
    we_store_16(target + 4, we_zip_high_u16(units, above));
}

WE_ALWAYS_INLINE void we_widen_8_units_to_ucs4_16(we_bytes_16 units, uint32_t *target)
{
    we_store_8_ucs4_16(target, units, we_all_u8(0));
}

WE_ALWAYS_INLINE void we_widen_to_ucs4_16(we_bytes_16 bytes, uint32_t *target)
{
    we_widen_8_units_to_ucs4_16(we_zip_low_u8_16(bytes, we_all_u8(0)), target);
    we_widen_8_units_to_ucs4_16(we_zip_high_u8_16(bytes, we_all_u8(0)), target + 8);
}
#endif

#include "avx2/vectors.h"

#endif
