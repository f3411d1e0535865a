"""Declarations of src/native/engine for Cython: its internal interface, which decode.h and encode.h document."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from whatwg_encoding._native.text.kernels cimport (
    we_codec, we_decode_run, we_decoder_state, we_encode_run, we_encoder_state, we_result,
)

cdef extern from "engine.h" nogil:
    enum:
        WE_FATAL
        WE_MAX_PENDING
        WE_MAX_REFERENCE
        WE_LEAST_DECODED
        WE_ENCODINGS
        WE_ALL_ENCODINGS
        WE_POSITION_UTF_8
        WE_POSITION_ISO_2022_JP
        WE_POSITION_UTF_16BE
        WE_POSITION_UTF_16LE

    ctypedef struct we_encoding "struct whatwg_encoding":
        const we_codec *codec

    ctypedef struct we_engine:
        int simd
        we_encoding encodings[WE_ALL_ENCODINGS]

    ctypedef struct we_buffers:
        const void *source
        size_t source_length
        size_t read
        void *target
        size_t capacity
        size_t written
        int last
        uint32_t max_code_point

    void we_buffers_init(we_buffers *buffers, const void *source, size_t length, void *target, size_t capacity,
                         bint last)
    void we_decode_run_init(we_decode_run *run, const we_codec *codec, int simd, int error_mode, int kind)
    void we_encode_run_init(we_encode_run *run, const we_codec *codec, int simd, int error_mode)
    const we_codec *we_utf_8_codec(const we_engine *engine)
    int we_bom_position(int which)
    int we_bom_sniff(const uint8_t *source, size_t length, size_t *bom_length)

cdef extern from "decode.h" nogil:
    ctypedef struct we_decoder:
        const we_codec *codec
        size_t error_count
        uint8_t[3] pending
        uint8_t pending_length
        we_decoder_state state
        uint8_t error_mode
        uint8_t error_length
        uint8_t error_is_incomplete
        uint8_t read_after

    void we_decoder_init(we_decoder *decoder, const we_engine *engine, const we_codec *codec, unsigned flags)
    we_result we_decode(we_decoder *decoder, int kind, we_buffers *buffers)
    size_t we_decoder_max_units(const we_decoder *decoder, size_t source_length)
    size_t we_decoder_max_utf8(const we_decoder *decoder, size_t source_length)
    we_result we_decode_and_discard(we_decoder *decoder, we_buffers *buffers)
    size_t we_valid_up_to(const we_engine *engine, const we_codec *codec, const uint8_t *source, size_t length)

cdef extern from "encode.h" nogil:
    ctypedef struct we_encoder:
        const we_codec *codec
        uint64_t reference_count
        uint32_t code_point
        we_encoder_state state
        uint8_t error_mode

    void we_encoder_init(we_encoder *encoder, const we_engine *engine, const we_codec *codec, unsigned flags)
    we_result we_encode(we_encoder *encoder, int kind, we_buffers *buffers)
