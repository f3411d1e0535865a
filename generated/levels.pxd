# Generated from templates/levels.pxd.j2: change that, not this; `python -m generator emit` emits it again.
"""Kernels of src/native/kernels, which take a level of cpu.h first and call their best variant that is not above it."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "levels.h" nogil:
    size_t we_ascii_length(int simd, const uint8_t *source, size_t length)
    size_t we_ascii_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target)
    size_t we_ascii_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
    size_t we_ascii_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
    size_t we_ascii_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target)
    size_t we_ascii_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target)
    void we_widen_ucs1_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target)
    void we_widen_ucs1_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target)
    void we_widen_ucs2_to_ucs4(int simd, const uint16_t *source, size_t length, uint32_t *target)
    void we_narrow_ucs2_to_ucs1(int simd, const uint16_t *source, size_t length, uint8_t *target)
    void we_narrow_ucs4_to_ucs1(int simd, const uint32_t *source, size_t length, uint8_t *target)
    void we_narrow_ucs4_to_ucs2(int simd, const uint32_t *source, size_t length, uint16_t *target)
    uint64_t we_or_blocks(int simd, const uint8_t *source, size_t blocks)
    size_t we_non_ascii_count_ucs1(int simd, const uint8_t *source, size_t length)
    size_t we_non_ascii_count_ucs2(int simd, const uint16_t *source, size_t length)
    size_t we_non_ascii_count_ucs4(int simd, const uint32_t *source, size_t length)
    size_t we_replacement_character_count_ucs2(int simd, const uint16_t *source, size_t length)
