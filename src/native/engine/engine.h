/* The common part of the engine's decoder (decode.h) and encoder (encode.h).
 *
 * The engine runs a codec's loops (codec.h) between two buffers of its caller. It keeps the state of a stream between
 * calls, including the bytes of a sequence that a chunk ends in, handles byte order marks and errors, and never writes
 * past the capacity of the target. All of the state is in a struct of the caller, which is copied by assignment. The
 * engine allocates no memory, has no globals, and does not use Python; any thread may call it, one at a time for each
 * decoder or encoder.
 */
#ifndef WE_ENGINE_H
#define WE_ENGINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bom.h"
#include "codec.h"
#include "cpu.h"
#include "encodings.h"

/* Kinds of text beyond those of codec.h. */
enum {
    WE_UTF16 = 4, /* 16-bit units in native byte order */
    WE_UTF32 = 5  /* sources: 32-bit units that may be anything; WE_UCS4 is the kind of the target */
};

/* Flags of decoders and encoders: those of the public C API. */
enum {
    WE_FATAL = 1,     /* return each error instead of replacing it */
    WE_BOM_SNIFF = 2, /* decoders: a byte order mark at the start overrides the encoding, and is removed */
    WE_BOM_REMOVE = 4 /* decoders: the encoding's own byte order mark is removed */
};

enum {
    WE_MAX_PENDING = 3,            /* bytes of an incomplete sequence or of what may be a byte order mark */
    WE_MAX_SEQUENCE = 4,           /* upper bound on the bytes that decide an item, in any codec */
    WE_MAX_REFERENCE = 10,         /* bytes of a numeric character reference: "&#1114111;" */
    WE_MAX_REFERENCE_PER_UNIT = 8, /* the same for each unit of UTF-16 or UTF-8: "&#65533;" */
    WE_LEAST_OFFER = 64,           /* threshold, in units, below which items are encoded through a scratch buffer */
    /* upper bound on the bytes that are decoded to a scratch buffer where they may not fit the target */
    WE_SCRATCH_BLOCK = 2048,
    WE_LEAST_BLOCK = 2,    /* threshold, in bytes, below which items are decoded one by one */
    WE_LEAST_DECODED = 16, /* the same below which a target that grows is full */
    /* units that are converted at once where a loop for UCS-2 stops at code points above U+FFFF */
    WE_WIDE_BLOCK = 1024
};

/* The source and target of one call. `read` and `written` are positions, in and out, from which a call continues. */
typedef struct {
    const void *source;   /* may be null if its length is 0 */
    size_t source_length; /* in units of the source's kind */
    size_t read;
    void *target;    /* may be null if its capacity is 0 */
    size_t capacity; /* in units of the target's kind */
    size_t written;
    uint32_t max_code_point; /* decoders to WE_UCS1 and WE_UCS2: the largest that the target takes */
    int last;                /* the source ends the stream */
    int exact;               /* use the capacity to its last unit, for a target that does not grow */
} we_buffers;

/* Initialize the buffers of a call from their starts on, for a target that may grow. */
static inline void we_buffers_init(we_buffers *buffers, const void *source, size_t length, void *target,
                                   size_t capacity, int last)
{
    buffers->source = source;
    buffers->source_length = length;
    buffers->target = target;
    buffers->capacity = capacity;
    buffers->read = buffers->written = 0;
    buffers->last = last;
    buffers->max_code_point = 0x10FFFF;
    buffers->exact = 0;
}

/* An encoding: the position in its engine's table tells which, and encodings.h its properties. */
struct whatwg_encoding {
    const we_codec *codec; /* null until it is loaded */
};

/* What every decoder and encoder of a process shares: the instruction set, and the codecs. There is one engine; what
 * converts text elsewhere, such as columns and the public C API, is given its address. Zeros are an empty one. */
typedef struct {
    int simd;                                           /* a level of cpu.h */
    struct whatwg_encoding encodings[WE_ALL_ENCODINGS]; /* in the standard's order, then the code pages */
} we_engine;

/* Initialize a call of a codec's loop at the start of a stream, but for its source and target. Member by member: to
 * copy a struct that was just zeroed stalls, which takes half of the time of a short text. */
static inline void we_decode_run_init(we_decode_run *run, const we_codec *codec, int simd, int error_mode, int kind)
{
    run->read = run->written = 0;
    run->room = SIZE_MAX;
    run->decisive = codec->is_ascii_compatible && error_mode == WE_REPLACE ? WE_MAX_SEQUENCE : SIZE_MAX;
    run->max_code_point = kind == WE_UCS1 ? 0xFF : kind == WE_UCS2 || kind == WE_UTF16 ? 0xFFFF : 0x10FFFF;
    run->error_mode = error_mode;
    run->simd = simd;
    run->error_length = run->error_count = 0;
    run->error_is_incomplete = 0;
    run->tables = codec->tables;
    memset(&run->state, 0, sizeof run->state);
}

static inline void we_encode_run_init(we_encode_run *run, const we_codec *codec, int simd, int error_mode)
{
    run->read = run->written = 0;
    run->code_point = 0;
    run->error_mode = error_mode;
    run->after_error = 0;
    run->simd = simd;
    run->tables = codec->tables;
    memset(&run->state, 0, sizeof run->state);
}

static inline const we_codec *we_codec_at(const we_engine *engine, int position)
{
    return engine->encodings[position].codec;
}

static inline const we_codec *we_utf_8_codec(const we_engine *engine)
{
    return we_codec_at(engine, WE_POSITION_UTF_8);
}

/* Return the size in bytes of a unit of that kind. */
static inline size_t we_unit_size(int kind)
{
    return kind == WE_UCS2 || kind == WE_UTF16 ? 2 : kind == WE_UCS4 || kind == WE_UTF32 ? 4 : 1;
}

/* Return length * factor + more, or SIZE_MAX if it exceeds a size_t. */
static inline size_t we_bound(size_t length, size_t factor, size_t more)
{
    return length > (SIZE_MAX - more) / factor ? SIZE_MAX : length * factor + more;
}

static inline int we_is_high_surrogate(uint32_t code_point)
{
    return (code_point & 0xFFFFFC00) == 0xD800;
}

static inline int we_is_low_surrogate(uint32_t code_point)
{
    return (code_point & 0xFFFFFC00) == 0xDC00;
}

static inline uint32_t we_join_surrogates(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF));
}

#endif
