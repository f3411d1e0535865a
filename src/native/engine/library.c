/* libwhatwg_encoding: the C API as a library that needs no Python. build/library.py compiles it with the handlers. */
#define WHATWG_ENCODING_NO_PYTHON
#include "whatwg_encoding.h"

#if defined(WE_WITHOUT_DETECTION)
#define WE_API_DETECT NULL
#else
static size_t detect(const uint8_t *, size_t, const whatwg_detect_options *, whatwg_guess *, size_t);
#define WE_API_DETECT detect
#endif
#include "api.h"
#include "codecs.h"
#include "once.h"

static we_once once;
static we_engine engine;

static void fill(void)
{
    for (size_t i = 0; i < sizeof we_codecs / sizeof we_codecs[0]; i++)
        for (int position = 0; position < WE_ENCODINGS; position++)
            if (strcmp(we_encoding_properties[position].name, we_codecs[i].name) == 0)
                engine.encodings[position].codec = we_codecs[i].codec;
    engine.simd = we_simd_best();
    we_api_engine = &engine;
}

__attribute__((visibility("default"))) const whatwg_encoding_api *whatwg_encoding_get(void)
{
    we_run_once(&once, fill);
    return &we_api;
}

#if !defined(WE_WITHOUT_DETECTION)
#include "choose.h"

static we_once once_detecting;

static void fill_detection(void)
{
    we_choose_fill(&we_api);
}

static size_t detect(const uint8_t *bytes, size_t length, const whatwg_detect_options *options, whatwg_guess *guesses,
                     size_t capacity)
{
    we_run_once(&once_detecting, fill_detection);
    return we_guess(bytes, length, options, guesses, capacity);
}

#if defined(WE_WITH_MENDING)
#include "mending.h"
#endif
#endif

#if defined(__wasm__)
/* For the npm package: decode_to_utf16 at the width that a JavaScript engine keeps a string in. The result is that of
 * decode_to_utf16, and what the units are. The target has two bytes for each unit of *target_length. */
enum { UNITS_ARE_BYTES = 0x100, UNITS_ARE_ASCII = 0x200 };
__attribute__((export_name("whatwg_encoding_decode_native"))) int
whatwg_encoding_decode_native(whatwg_decoder *, const uint8_t *, size_t *, void *, size_t *, int);
int whatwg_encoding_decode_native(whatwg_decoder *decoder, const uint8_t *source, size_t *source_length, void *target,
                                  size_t *target_length, int last)
{
    we_buffers buffers;
    we_buffers_init(&buffers, source, *source_length, target, *target_length, last);
    buffers.exact = 1;
    buffers.max_code_point = 0xFF;
    we_result result = we_decode(we_api_decoder(decoder), WE_UCS1, &buffers);
    int units = UNITS_ARE_BYTES;
    if (result == WE_WIDEN) {
        uint8_t *const bytes = (uint8_t *)target;
        units = 0;
        for (size_t at = buffers.written; at-- > 0;)
            ((uint16_t *)target)[at] = bytes[at];
        result = we_decode(we_api_decoder(decoder), WE_UTF16, &buffers);
    } else if (we_ascii_length(engine.simd, (const uint8_t *)target, buffers.written) == buffers.written) {
        units = UNITS_ARE_BYTES | UNITS_ARE_ASCII;
    }
    *source_length = buffers.read;
    *target_length = buffers.written;
    return (int)result | units;
}
#endif

#if !defined(__wasm__)
__attribute__((visibility("default"))) size_t whatwg_encoding_errors(const whatwg_encoding *encoding,
                                                                     const uint8_t *source, size_t length,
                                                                     whatwg_error_span *spans, size_t capacity)
{
    return whatwg_encoding_get()->errors(encoding, source, length, spans, capacity);
}
#endif

#if !defined(WE_WITHOUT_COLUMNS)
#include "column.h"

__attribute__((visibility("default"))) int
whatwg_encoding_decode_column(const struct ArrowSchema *schema, struct ArrowArray *array,
                              const whatwg_column_options *options, struct ArrowSchema *result_schema,
                              struct ArrowArray *result, whatwg_column_error *error)
{
    (void)whatwg_encoding_get();
    return we_column_convert(0, schema, array, options, result_schema, result, error);
}

__attribute__((visibility("default"))) int
whatwg_encoding_encode_column(const struct ArrowSchema *schema, struct ArrowArray *array,
                              const whatwg_column_options *options, struct ArrowSchema *result_schema,
                              struct ArrowArray *result, whatwg_column_error *error)
{
    (void)whatwg_encoding_get();
    return we_column_convert(1, schema, array, options, result_schema, result, error);
}
#endif

#if !defined(__wasm__)
__attribute__((visibility("default"))) int whatwg_encoding_set_level(const char *name)
{
    const int level = we_simd_from_name(name, we_simd_best());
    if (whatwg_encoding_get() == NULL || level < 0)
        return -1;
    engine.simd = level;
    return 0;
}
#endif
