"""Declarations for Cython of src/native/kernels, and of what handlers use of src/native/engine: no code."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

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
        WE_ISO_2022_JP_LEADING_BYTE
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
        int end_of_queue
        size_t error_count
        const void *tables
        we_decoder_state state

    ctypedef struct we_encode_run:
        const void *source
        size_t source_length
        uint8_t *target
        size_t written
        int end_of_queue
        const void *tables
        we_encoder_state state

    ctypedef we_result (*we_decode_function)(we_decode_run *) noexcept nogil
    ctypedef we_result (*we_encode_function)(we_encode_run *) noexcept nogil

    ctypedef struct we_codec:
        we_decode_function decode[4]
        we_encode_function encode[3]
        uint8_t encode_capacity[3]
        uint8_t is_ascii_compatible
        const void *tables

    const uint32_t WE_ITEM_ERROR
    const uint32_t WE_ITEM_INCOMPLETE
    const uint32_t WE_ITEM_NONE
    const uint32_t WE_END_OF_QUEUE

cdef extern from "error_policy.h" nogil:
    enum:
        WE_MAX_ESCAPE

    bint we_is_surrogate(uint32_t code_point)
    size_t we_put_escape(uint8_t *target, uint32_t code_point)

cdef extern from "cpu.h" nogil:
    int we_simd_best()
    const char *const *we_simd_names
    int we_simd_from_name(const char *name, int best)

cdef extern from "constants.h" nogil:
    enum:
        WE_ESCAPE
        WE_ESCAPE_TO_ASCII
        WE_ESCAPE_TO_ROMAN
        WE_ESCAPE_TO_KATAKANA
        WE_ESCAPE_TO_JIS0208
        WE_ESCAPE_TO_JIS0208_OF_1978

cdef extern from "ascii.h" nogil:
    size_t we_ascii_length(int simd, const uint8_t *source, size_t length)
    uint32_t we_unit_get(const void *source, int kind, size_t index)
    uint32_t we_or_units(int simd, int kind, const void *source, size_t length)
    size_t we_non_ascii_count(int simd, int kind, const void *source, size_t length)
    size_t we_newline_count(int kind, const void *source, size_t length)
    void we_copy_units(int simd, int kind, const void *source, size_t length, int target_kind, void *target)

cdef extern from "levels.h" nogil:
    ctypedef struct we_single_byte_reverse:
        pass

    uint8_t we_single_byte_of(const we_single_byte_reverse *table, uint32_t code_point)
    size_t we_put_utf8(uint8_t *target, uint32_t code_point)
    void we_store_pair(uint8_t *target, uint16_t pair)

cdef extern from "dispatch.h" nogil:
    ctypedef struct we_single_byte_tables:
        const uint16_t *index
        we_single_byte_reverse reverse

    ctypedef struct we_whole_byte_tables:
        const uint16_t *index
        we_single_byte_reverse reverse

    uint8_t we_whole_byte_of(const we_single_byte_reverse *table, uint32_t code_point)
    uint32_t we_utf_32_code_point(const uint8_t *source, int big_endian)
    void we_utf_32_put(uint8_t *target, uint32_t code_point, int big_endian)

    size_t we_double_byte_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                 const uint16_t *pairs, int katakana, void *target, size_t *written)
    size_t we_iso_2022_jp_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length,
                                 const uint16_t *pairs, void *target, size_t *written)
    size_t we_decode_nothing(size_t *written)
    size_t we_single_byte_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length, void *target,
                                 size_t *written)
    size_t we_utf_8_decode(we_decode_run *run, int kind, int after_error, const uint8_t *source, size_t length,
                           void *target, size_t *written)
    size_t we_utf_16_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length, int big_endian,
                            void *target, size_t *written)
    size_t we_utf_32_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length, int big_endian,
                            void *target, size_t *written)
    size_t we_whole_byte_decode(we_decode_run *run, int kind, const uint8_t *source, size_t length, void *target,
                                size_t *written)
    size_t we_double_byte_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                 const uint16_t *reverse, uint8_t *target, size_t *written)
    size_t we_iso_2022_jp_encode(we_encode_run *run, int kind, const void *source, size_t length,
                                 const uint16_t *reverse, uint8_t *target, size_t *written)
    size_t we_single_byte_encode(we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target,
                                 size_t *written)
    size_t we_utf_8_encode(we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target,
                           size_t *written)
    size_t we_utf_32_encode(we_encode_run *run, int kind, const void *source, size_t length, int big_endian,
                            uint8_t *target, size_t *written)
    size_t we_whole_byte_encode(we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target,
                                size_t *written)
