"""The C API for Cython: ``cimport whatwg_encoding``. The header in ``whatwg_encoding.get_include()`` documents it."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "whatwg_encoding.h" nogil:
    enum:
        WHATWG_ENCODING_ABI

    ctypedef struct whatwg_encoding:
        pass

    ctypedef struct whatwg_decoder:
        pass

    ctypedef struct whatwg_encoder:
        pass

    enum:
        WHATWG_INVALID
        WHATWG_INPUT_EMPTY
        WHATWG_OUTPUT_FULL
        WHATWG_MALFORMED
        WHATWG_UNMAPPABLE

    enum:
        WHATWG_FATAL
        WHATWG_BOM_SNIFF
        WHATWG_BOM_REMOVE

    ctypedef struct whatwg_guess:
        const whatwg_encoding *encoding
        int64_t bits

    ctypedef struct whatwg_error_span:
        size_t offset
        size_t length

    ctypedef struct whatwg_detect_options:
        size_t size
        size_t limit
        const whatwg_encoding *const *candidates
        size_t candidate_count
        const whatwg_encoding *const *declared
        size_t declared_count

    ctypedef struct whatwg_encoding_api:
        uint32_t abi
        uint32_t size
        const whatwg_encoding *(*for_label)(const char *label, size_t length) noexcept nogil
        const whatwg_encoding *(*for_bom)(const uint8_t *bytes, size_t length, size_t *bom_length) noexcept nogil
        const whatwg_encoding *(*by_index)(size_t index) noexcept nogil
        const char *(*name)(const whatwg_encoding *) noexcept nogil
        const whatwg_encoding *(*output_encoding)(const whatwg_encoding *) noexcept nogil
        void (*decoder_init)(whatwg_decoder *, const whatwg_encoding *, uint32_t flags) noexcept nogil
        const whatwg_encoding *(*decoder_encoding)(const whatwg_decoder *) noexcept nogil
        int (*decode_to_utf8)(whatwg_decoder *, const uint8_t *source, size_t *source_length, uint8_t *target,
                              size_t *target_length, int last) noexcept nogil
        int (*decode_to_utf16)(whatwg_decoder *, const uint8_t *source, size_t *source_length,
                               uint16_t *target, size_t *target_length, int last) noexcept nogil
        int (*decode_to_utf32)(whatwg_decoder *, const uint8_t *source, size_t *source_length,
                               uint32_t *target, size_t *target_length, int last) noexcept nogil
        size_t (*max_utf8_length)(const whatwg_decoder *, size_t source_length) noexcept nogil
        size_t (*max_utf16_length)(const whatwg_decoder *, size_t source_length) noexcept nogil
        size_t (*max_utf32_length)(const whatwg_decoder *, size_t source_length) noexcept nogil
        void (*malformed)(const whatwg_decoder *, size_t *length, size_t *read_after) noexcept nogil
        uint64_t (*error_count)(const whatwg_decoder *) noexcept nogil
        size_t (*valid_up_to)(const whatwg_encoding *, const uint8_t *source, size_t length) noexcept nogil
        int (*encoder_init)(whatwg_encoder *, const whatwg_encoding *, uint32_t flags) noexcept nogil
        int (*encode_from_utf8)(whatwg_encoder *, const uint8_t *source, size_t *source_length,
                                uint8_t *target, size_t *target_length, int last) noexcept nogil
        int (*encode_from_utf16)(whatwg_encoder *, const uint16_t *source, size_t *source_length,
                                 uint8_t *target, size_t *target_length, int last) noexcept nogil
        int (*encode_from_utf32)(whatwg_encoder *, const uint32_t *source, size_t *source_length,
                                 uint8_t *target, size_t *target_length, int last) noexcept nogil
        size_t (*max_encoded_length)(const whatwg_encoder *, size_t source_length, int unit_size) noexcept nogil
        uint32_t (*unmappable)(const whatwg_encoder *) noexcept nogil
        size_t (*pending_length)(const whatwg_decoder *) noexcept nogil
        uint64_t (*reference_count)(const whatwg_encoder *) noexcept nogil
        size_t (*max_encoded_length_with_references)(const whatwg_encoder *, size_t source_length,
                                                     int unit_size) noexcept nogil
        int (*is_ascii_compatible)(const whatwg_encoding *) noexcept nogil
        int (*is_single_byte)(const whatwg_encoding *) noexcept nogil
        const char *(*label)(const whatwg_encoding *, size_t index) noexcept nogil
        size_t (*detect)(const uint8_t *bytes, size_t length, const whatwg_detect_options *options,
                         whatwg_guess *guesses, size_t capacity) noexcept nogil
        size_t (*errors)(const whatwg_encoding *, const uint8_t *source, size_t length, whatwg_error_span *spans,
                         size_t capacity) noexcept nogil

cdef extern from "whatwg_encoding.h":
    const whatwg_encoding_api *whatwg_encoding_import() except NULL
