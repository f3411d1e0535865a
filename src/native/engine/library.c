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
    for (size_t each = 0; each < sizeof we_codecs / sizeof we_codecs[0]; each++)
        for (int position = 0; position < WE_ENCODINGS; position++)
            if (strcmp(we_encoding_properties[position].name, we_codecs[each].name) == 0)
                engine.encodings[position].codec = we_codecs[each].codec;
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
    return we_guess(bytes, length, options, guesses, capacity, &we_api);
}

#if defined(__wasm__)
/* For the explorer: the bits that a text costs, as sniff.text_cost has them. */
__attribute__((export_name("whatwg_encoding_text_cost"))) int whatwg_encoding_text_cost(const uint32_t *, size_t);
int whatwg_encoding_text_cost(const uint32_t *units, size_t length)
{
    we_run_once(&once_detecting, fill_detection);
    const int64_t cost = (we_text_cost(units, sizeof *units, length) + WE_BITS / 2) / WE_BITS;
    return cost < 0 ? 0 : (int)cost;
}
#endif
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

/* For tests of what links the static library: use the level of that name from now on. Return 0, or -1 if this machine
 * does not have it. */
int whatwg_encoding_use_level(const char *name);
int whatwg_encoding_use_level(const char *name)
{
    const int level = we_simd_from_name(name, we_simd_best());
    if (whatwg_encoding_get() == NULL || level < 0)
        return -1;
    engine.simd = level;
    return 0;
}
