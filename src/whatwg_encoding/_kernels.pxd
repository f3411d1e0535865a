"""Declarations of src/kernels for Cython: types and functions, no code."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef extern from "codec.h" nogil:
    ctypedef enum we_result:
        WE_RAISED
        WE_INPUT_EMPTY
        WE_OUTPUT_FULL
        WE_MALFORMED
        WE_UNMAPPABLE
        WE_WIDEN

    enum:
        WE_UCS1
        WE_UCS2
        WE_UCS4
        WE_UTF8

    ctypedef enum we_error_mode:
        WE_REPLACE
        WE_STOP
        WE_IGNORE
        WE_QUESTION_MARK
        WE_REFERENCE_REPLACE
        WE_BACKSLASH_REPLACE
        WE_SURROGATE_ESCAPE
        WE_SURROGATE_PASS

    enum:
        WE_UTF8_PER_BYTE
        WE_ENCODE_SLACK

    enum:
        WE_ISO_2022_JP_ASCII
        WE_ISO_2022_JP_ROMAN
        WE_ISO_2022_JP_KATAKANA
        WE_ISO_2022_JP_LEAD_BYTE
        WE_ISO_2022_JP_JIS0208

    ctypedef struct we_decoder_state:
        uint8_t iso_2022_jp_decoder_output_state
        uint8_t iso_2022_jp_output
        uint8_t replacement_error_returned

    ctypedef struct we_encoder_state:
        uint8_t iso_2022_jp_encoder_state

    ctypedef struct we_decode_run:
        const uint8_t *source
        size_t source_length
        size_t read
        void *target
        size_t written
        uint32_t max_code_point
        uint32_t bits
        int end_of_queue
        int fatal
        int simd
        size_t error_length
        size_t error_count
        const void *tables
        we_decoder_state state

    ctypedef struct we_encode_run:
        const void *source
        size_t source_length
        size_t read
        uint8_t *target
        size_t written
        uint32_t code_point
        int end_of_queue
        int error_mode
        int after_error
        int simd
        const void *tables
        we_encoder_state state

    ctypedef we_result (*we_decode_function)(we_decode_run *) noexcept nogil
    ctypedef we_result (*we_encode_function)(we_encode_run *) noexcept nogil

    ctypedef struct we_codec:
        we_decode_function decode[4]
        we_encode_function encode[3]
        uint8_t encode_capacity[3]
        uint8_t is_ascii_compatible
        uint8_t decode_shift
        const void *tables

cdef extern from "errors.h" nogil:
    enum:
        WE_UNITS_PER_ERROR_BYTE
        WE_MAX_ESCAPE

    bint we_is_surrogate(uint32_t code_point)
    we_result we_handle_error(we_decode_run *run, int kind, const uint8_t *source, void *target, size_t written)
    size_t we_put_escape(uint8_t *target, uint32_t code_point)

cdef extern from "cpu.h" nogil:
    int we_simd_best()
    const char *we_simd_name(int simd)
    int we_simd_from_name(const char *name, int best)

cdef extern from "ascii.h" nogil:
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
    void we_narrow_ucs4_to_ucs2(int simd, const uint32_t *source, size_t length, uint16_t *target)
    void we_narrow_ucs4_to_ucs1(int simd, const uint32_t *source, size_t length, uint8_t *target)
    uint32_t we_or_ucs1(int simd, const uint8_t *source, size_t length)
    uint32_t we_glance(const void *target, size_t length, int kind)
    uint32_t we_or_ucs4(int simd, const uint32_t *source, size_t length)
    uint32_t we_or_ucs2(int simd, const uint16_t *source, size_t length)

cdef extern from "single_byte.h" nogil:
    ctypedef struct we_single_byte_reverse:
        const uint8_t *stage1
        const uint8_t *stage2

    uint8_t we_single_byte_of(const we_single_byte_reverse *table, uint32_t code_point)
    bint we_single_byte_is_null(const we_single_byte_reverse *table, uint32_t code_point)
    size_t we_single_byte_run_to_ucs1(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                      const uint8_t *latin1, uint8_t *target, uint32_t max_code_point, uint32_t *bits)
    size_t we_single_byte_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                      uint16_t *target, uint32_t *bits)
    size_t we_single_byte_run_to_ucs4(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                      uint32_t *target)
    size_t we_single_byte_run_to_utf8(int simd, const uint8_t *source, size_t length, const uint16_t *table,
                                      uint8_t *target, size_t *written)
    size_t we_single_byte_run_from_ucs1(int simd, const uint8_t *source, size_t length,
                                        const we_single_byte_reverse *table, uint8_t *target)
    size_t we_single_byte_run_from_ucs2(int simd, const uint16_t *source, size_t length,
                                        const we_single_byte_reverse *table, uint8_t *target)
    size_t we_single_byte_run_from_ucs4(int simd, const uint32_t *source, size_t length,
                                        const we_single_byte_reverse *table, uint8_t *target)

cdef extern from "double_byte.h" nogil:
    size_t we_put_utf8(uint8_t *target, uint32_t code_point)
    void we_store_pair(uint8_t *target, uint16_t pair)
    bint we_is_unmapped(uint32_t unit, const uint16_t *reverse)
    size_t we_double_byte_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                      int katakana, uint16_t *target, size_t *written)
    size_t we_double_byte_run_to_ucs4(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                      int katakana, uint32_t *target, size_t *written)
    size_t we_double_byte_run_to_utf8(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                      int katakana, uint8_t *target, size_t *written)
    size_t we_double_byte_run_from_ucs1(int simd, const uint8_t *source, size_t length, const uint16_t *reverse,
                                        uint8_t *target, size_t *written)
    size_t we_double_byte_run_from_ucs2(int simd, const uint16_t *source, size_t length, const uint16_t *reverse,
                                        uint8_t *target, size_t *written)
    size_t we_double_byte_run_from_ucs4(int simd, const uint32_t *source, size_t length, const uint16_t *reverse,
                                        uint8_t *target, size_t *written)

cdef extern from "iso_2022_jp.h" nogil:
    size_t we_iso_2022_jp_run_to_ucs1(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                      uint8_t *target, size_t *written, we_decoder_state *run)
    size_t we_iso_2022_jp_run_to_ucs2(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                      uint16_t *target, size_t *written, we_decoder_state *run)
    size_t we_iso_2022_jp_run_to_ucs4(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                      uint32_t *target, size_t *written, we_decoder_state *run)
    size_t we_iso_2022_jp_run_to_utf8(int simd, const uint8_t *source, size_t length, const uint16_t *pairs,
                                      uint8_t *target, size_t *written, we_decoder_state *run)
    size_t we_iso_2022_jp_run_from_ucs1(int simd, const uint8_t *source, size_t length, const uint16_t *reverse,
                                        uint8_t *target, size_t *written, we_encoder_state *run)
    size_t we_iso_2022_jp_run_from_ucs2(int simd, const uint16_t *source, size_t length, const uint16_t *reverse,
                                        uint8_t *target, size_t *written, we_encoder_state *run)
    size_t we_iso_2022_jp_run_from_ucs4(int simd, const uint32_t *source, size_t length, const uint16_t *reverse,
                                        uint8_t *target, size_t *written, we_encoder_state *run)

cdef extern from "utf_8.h" nogil:
    size_t we_utf_8_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target, size_t *written,
                                uint32_t max_code_point)
    size_t we_utf_8_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target, size_t *written)
    size_t we_utf_8_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target, size_t *written)
    size_t we_utf_8_copy_run(int simd, const uint8_t *source, size_t length, uint8_t *target)
    size_t we_utf_8_run_from_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target, size_t *written)
    size_t we_utf_8_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target, size_t *written)
    size_t we_utf_8_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target, size_t *written)

cdef extern from "utf_16.h" nogil:
    size_t we_utf_16_run_to_ucs1(int simd, const uint8_t *source, size_t length, int big_endian, uint8_t *target,
                                 size_t *written, uint32_t max_code_point)
    size_t we_utf_16_run_to_ucs2(int simd, const uint8_t *source, size_t length, int big_endian, uint16_t *target,
                                 size_t *written, uint32_t *bits)
    size_t we_utf_16_run_to_utf8(int simd, const uint8_t *source, size_t length, int big_endian, uint8_t *target,
                                 size_t *written)
    size_t we_utf_16_run_to_ucs4(int simd, const uint8_t *source, size_t length, int big_endian, uint32_t *target,
                                 size_t *written)

cdef extern from "count.h" nogil:
    size_t we_non_ascii_count_ucs1(int simd, const uint8_t *source, size_t length)
    size_t we_non_ascii_count_ucs2(int simd, const uint16_t *source, size_t length)
    size_t we_non_ascii_count_ucs4(int simd, const uint32_t *source, size_t length)
    size_t we_replacement_character_count_ucs2(int simd, const uint16_t *source, size_t length)
