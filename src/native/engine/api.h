/* The table of the public C API, which calls the engine. One file includes this, and sets we_api_engine before it
 * exports the table. WE_API_DETECT is the table's `detect`. */
#ifndef WE_ENGINE_API_H
#define WE_ENGINE_API_H

#define WHATWG_ENCODING_NO_PYTHON
#include "whatwg_encoding.h"

#include "decode.h"
#include "encode.h"
#include "labels.h"

enum {
    WE_API_DECODER_FLAGS = WHATWG_FATAL | WHATWG_BOM_SNIFF | WHATWG_BOM_REMOVE,
    WE_API_ENCODER_FLAGS = WHATWG_FATAL
};

/* A state must fit the caller's memory, and the public constants are the engine's. */
typedef char we_api_check_decoder[sizeof(we_decoder) <= sizeof(whatwg_decoder) ? 1 : -1];
typedef char we_api_check_encoder[sizeof(we_encoder) <= sizeof(whatwg_encoder) ? 1 : -1];
typedef char
    we_api_check_constants[(int)WHATWG_INPUT_EMPTY == WE_INPUT_EMPTY && (int)WHATWG_OUTPUT_FULL == WE_OUTPUT_FULL
                                   && (int)WHATWG_MALFORMED == WE_MALFORMED && (int)WHATWG_UNMAPPABLE == WE_UNMAPPABLE
                                   && (int)WHATWG_FATAL == WE_FATAL && (int)WHATWG_BOM_SNIFF == WE_BOM_SNIFF
                                   && (int)WHATWG_BOM_REMOVE == WE_BOM_REMOVE
                               ? 1
                               : -1];

/* The engine, whose codecs are all loaded: set once, before the table is used. */
static const we_engine *we_api_engine;

/* ---- Encodings --------------------------------------------------------------------------------------------------- */

static size_t we_api_position(const whatwg_encoding *encoding)
{
    return (size_t)(encoding - we_api_engine->encodings);
}

static const whatwg_encoding *we_api_for_label(const char *label, size_t length)
{
    const int position = we_label_position(label, length);
    return position < 0 ? NULL : &we_api_engine->encodings[position];
}

static const whatwg_encoding *we_api_for_bom(const uint8_t *bytes, size_t length, size_t *bom_length)
{
    const int which = we_bom_sniff(bytes, length, bom_length);
    return which >= 0 ? &we_api_engine->encodings[we_bom_position(which)] : NULL;
}

static const whatwg_encoding *we_api_by_index(size_t index)
{
    return index < WE_ENCODINGS ? &we_api_engine->encodings[index] : NULL;
}

static inline const char *we_api_name_at(size_t position)
{
    return we_encoding_properties[position].name;
}

static const char *we_api_name(const whatwg_encoding *encoding)
{
    return we_api_name_at(we_api_position(encoding));
}

static const whatwg_encoding *we_api_output_encoding(const whatwg_encoding *encoding)
{
    return &we_api_engine->encodings[we_encoding_properties[we_api_position(encoding)].output];
}

static int we_api_is_ascii_compatible(const whatwg_encoding *encoding)
{
    return encoding->codec->is_ascii_compatible;
}

static int we_api_is_single_byte(const whatwg_encoding *encoding)
{
    return we_encoding_properties[we_api_position(encoding)].is_single_byte;
}

static const char *we_api_label(const whatwg_encoding *encoding, size_t index)
{
    for (size_t i = 0; i < WE_LABELS; i++)
        if (we_labels[i].position == we_api_position(encoding) && index-- == 0)
            return we_labels[i].label;
    return NULL;
}

/* ---- Decoders: without a codec if decoder_init refused its flags ------------------------------------------------- */

static we_decoder *we_api_decoder(whatwg_decoder *decoder)
{
    return (we_decoder *)(void *)decoder;
}

static const we_decoder *we_api_const_decoder(const whatwg_decoder *decoder)
{
    return (const we_decoder *)(const void *)decoder;
}

static void we_api_decoder_init(whatwg_decoder *decoder, const whatwg_encoding *encoding, uint32_t flags)
{
    if (flags & ~(uint32_t)WE_API_DECODER_FLAGS)
        memset(decoder, 0, sizeof *decoder);
    else
        we_decoder_init(we_api_decoder(decoder), we_api_engine, encoding->codec, flags);
}

static const whatwg_encoding *we_api_decoder_encoding(const whatwg_decoder *decoder)
{
    const we_codec *const codec = we_api_const_decoder(decoder)->codec;
    for (int position = 0; position < WE_ENCODINGS; position++)
        if (we_codec_at(we_api_engine, position) == codec)
            return &we_api_engine->encodings[position];
    return NULL;
}

WE_ALWAYS_INLINE int we_api_decode(whatwg_decoder *decoder, const int kind, const uint8_t *source,
                                   size_t *source_length, void *target, size_t *target_length, int last)
{
    we_buffers buffers;
    we_buffers_init(&buffers, source, *source_length, target, *target_length, last != 0);
    *source_length = *target_length = 0;
    if (we_api_decoder(decoder)->codec == NULL)
        return WHATWG_INVALID;
    buffers.exact = 1;
    const we_result result = we_decode_to(we_api_decoder(decoder), kind, &buffers);
    *source_length = buffers.read;
    *target_length = buffers.written;
    return (int)result;
}

#define WE_API_DECODE_TO(name, kind, unit)                                                                             \
    static int name(whatwg_decoder *decoder, const uint8_t *source, size_t *source_length, unit *target,               \
                    size_t *target_length, int last)                                                                   \
    {                                                                                                                  \
        return we_api_decode(decoder, kind, source, source_length, target, target_length, last);                       \
    }
WE_API_DECODE_TO(we_api_decode_to_utf8, WE_UTF8, uint8_t)
WE_API_DECODE_TO(we_api_decode_to_utf16, WE_UTF16, uint16_t)
WE_API_DECODE_TO(we_api_decode_to_utf32, WE_UCS4, uint32_t)

static size_t we_api_max_utf8_length(const whatwg_decoder *decoder, size_t source_length)
{
    const we_decoder *state = we_api_const_decoder(decoder);
    return state->codec ? we_decoder_max_utf8(state, source_length) : 0;
}

static size_t we_api_max_units(const whatwg_decoder *decoder, size_t source_length)
{
    const we_decoder *state = we_api_const_decoder(decoder);
    return state->codec ? we_decoder_max_units(state, source_length) : 0;
}

static void we_api_malformed(const whatwg_decoder *decoder, size_t *length, size_t *read_after)
{
    *length = we_api_const_decoder(decoder)->error_length;
    *read_after = we_api_const_decoder(decoder)->read_after;
}

static uint64_t we_api_error_count(const whatwg_decoder *decoder)
{
    return we_api_const_decoder(decoder)->error_count;
}

static size_t we_api_pending_length(const whatwg_decoder *decoder)
{
    return we_api_const_decoder(decoder)->pending_length;
}

static size_t we_api_valid_up_to(const whatwg_encoding *encoding, const uint8_t *source, size_t length)
{
    return we_valid_up_to(we_api_engine, encoding->codec, source, length);
}

static size_t we_api_errors(const whatwg_encoding *encoding, const uint8_t *source, size_t length,
                            whatwg_error_span *spans, size_t capacity)
{
    enum { UNITS = 1024 };
    uint16_t units[UNITS]; /* the text, which is not read */
    we_decoder decoder;
    we_buffers buffers;
    size_t count = 0;
    we_result result;
    we_decoder_init(&decoder, we_api_engine, encoding->codec, WE_FATAL);
    we_buffers_init(&buffers, source, length, units, UNITS, 1);
    buffers.exact = 1;
    do {
        if (count == capacity)
            decoder.error_mode = WE_REPLACE; /* so that the others are counted, and the decoder stops at none */
        buffers.written = 0;
        result = we_decode_to(&decoder, WE_UTF16, &buffers);
        if (result == WE_MALFORMED) { /* in bounds: count < capacity, as it stops at errors */
            spans[count].offset = buffers.read - decoder.read_after - decoder.error_length;
            spans[count].length = decoder.error_length;
            count++;
        }
    } while (result != WE_INPUT_EMPTY);
    return count + decoder.error_count;
}

/* ---- Encoders: without a codec if encoder_init failed ------------------------------------------------------------ */

static we_encoder *we_api_encoder(whatwg_encoder *encoder)
{
    return (we_encoder *)(void *)encoder;
}

static const we_encoder *we_api_const_encoder(const whatwg_encoder *encoder)
{
    return (const we_encoder *)(const void *)encoder;
}

static int we_api_encoder_init(whatwg_encoder *encoder, const whatwg_encoding *encoding, uint32_t flags)
{
    if (encoding->codec->encode[WE_UCS2] == NULL || (flags & ~(uint32_t)WE_API_ENCODER_FLAGS)) {
        memset(encoder, 0, sizeof *encoder);
        return -1;
    }
    we_encoder_init(we_api_encoder(encoder), we_api_engine, encoding->codec, flags);
    return 0;
}

static inline int we_api_encode(whatwg_encoder *encoder, int kind, const void *source, size_t *source_length,
                                uint8_t *target, size_t *target_length, int last)
{
    we_buffers buffers;
    we_buffers_init(&buffers, source, *source_length, target, *target_length, last != 0);
    *source_length = *target_length = 0;
    if (we_api_encoder(encoder)->codec == NULL)
        return WHATWG_INVALID;
    buffers.exact = 1;
    const we_result result = we_encode(we_api_encoder(encoder), kind, &buffers);
    *source_length = buffers.read;
    *target_length = buffers.written;
    return (int)result;
}

#define WE_API_ENCODE_FROM(name, kind, unit)                                                                           \
    static int name(whatwg_encoder *encoder, const unit *source, size_t *source_length, uint8_t *target,               \
                    size_t *target_length, int last)                                                                   \
    {                                                                                                                  \
        return we_api_encode(encoder, kind, source, source_length, target, target_length, last);                       \
    }
WE_API_ENCODE_FROM(we_api_encode_from_utf8, WE_UTF8, uint8_t)
WE_API_ENCODE_FROM(we_api_encode_from_utf16, WE_UTF16, uint16_t)
WE_API_ENCODE_FROM(we_api_encode_from_utf32, WE_UTF32, uint32_t)

static size_t we_api_max_encoded_length(const whatwg_encoder *encoder, size_t source_length, int unit_size)
{
    const we_encoder *state = we_api_const_encoder(encoder);
    return state->codec ? we_encoder_max_length(state, source_length, unit_size) : 0;
}

static size_t we_api_max_encoded_length_with_references(const whatwg_encoder *encoder, size_t source_length,
                                                        int unit_size)
{
    const we_encoder *state = we_api_const_encoder(encoder);
    return state->codec ? we_encoder_max_length_with_references(state, source_length, unit_size) : 0;
}

static uint32_t we_api_unmappable(const whatwg_encoder *encoder)
{
    return we_api_const_encoder(encoder)->code_point;
}

static uint64_t we_api_reference_count(const whatwg_encoder *encoder)
{
    return we_api_const_encoder(encoder)->reference_count;
}

/* ---- The table: append only -------------------------------------------------------------------------------------- */

static const whatwg_encoding_api we_api = {
    WHATWG_ENCODING_ABI,
    sizeof(whatwg_encoding_api),
    we_api_for_label,
    we_api_for_bom,
    we_api_by_index,
    we_api_name,
    we_api_output_encoding,
    we_api_decoder_init,
    we_api_decoder_encoding,
    we_api_decode_to_utf8,
    we_api_decode_to_utf16,
    we_api_decode_to_utf32,
    we_api_max_utf8_length,
    we_api_max_units,
    we_api_max_units,
    we_api_malformed,
    we_api_error_count,
    we_api_valid_up_to,
    we_api_encoder_init,
    we_api_encode_from_utf8,
    we_api_encode_from_utf16,
    we_api_encode_from_utf32,
    we_api_max_encoded_length,
    we_api_unmappable,
    we_api_pending_length,
    we_api_reference_count,
    we_api_max_encoded_length_with_references,
    we_api_is_ascii_compatible,
    we_api_is_single_byte,
    we_api_label,
    WE_API_DETECT,
    we_api_errors,
};

#endif
