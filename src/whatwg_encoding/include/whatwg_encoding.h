/* The C API of whatwg_encoding: the WHATWG Encoding Standard, exact on every byte, for C99 and C++.
 * https://encoding.spec.whatwg.org/
 *
 * All functions are members of one table, which `whatwg_encoding_import` returns. An extension that is built against
 * this header runs with every later release of the package, as members are only ever appended to the table.
 *
 *     const whatwg_encoding_api *we = whatwg_encoding_import();   // with the GIL, when the module is initialized
 *     if (we == NULL)
 *         return NULL;                                            // an ImportError is set
 *     const whatwg_encoding *encoding = we->for_label("sjis", 4);
 *     whatwg_decoder decoder;
 *     we->decoder_init(&decoder, encoding, 0);
 *     size_t read = source_length, written = capacity;            // in: what there is; out: what was read and written
 *     int result = we->decode_to_utf8(&decoder, source, &read, target, &written, 1);
 *
 * Every function but `whatwg_encoding_import` may be called from any thread, with the GIL or without it. None
 * allocates memory, raises an exception, handles signals or touches a Python object. A decoder or an encoder is used
 * by one thread at a time.
 *
 * Define WHATWG_ENCODING_NO_PYTHON before the include to leave out <Python.h> and `whatwg_encoding_import`, for
 * source files that are handed the table by another. (Without it, include this header before any standard header, as
 * <Python.h> asks for.)
 */
#ifndef WHATWG_ENCODING_H
#define WHATWG_ENCODING_H

#if !defined(WHATWG_ENCODING_NO_PYTHON)
#include <Python.h>
#endif

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* The version of the table's layout. It changes only if an extension that was built for another one could not run;
 * such an extension gets an ImportError. */
#define WHATWG_ENCODING_ABI 1

/* One of the standard's encodings. There is one object for each, compared by its address; it lives as long as the
 * process. */
typedef struct whatwg_encoding whatwg_encoding;

/* The state of a stream that is decoded or encoded: memory of the caller's. All of the state is in it, the bytes of
 * an incomplete sequence included, so that an assignment copies it. It holds nothing that must be freed. */
typedef struct { uint64_t opaque[8]; } whatwg_decoder;
typedef struct { uint64_t opaque[8]; } whatwg_encoder;

/* What a call that decodes or encodes returns. */
enum {
    /* All of the source was read. With `last` the stream has ended, and the next call begins a new one, as after
     * init. */
    WHATWG_INPUT_EMPTY = 0,
    /* The capacity that is left is too small for the next item, of which nothing was read. Call again with more of
     * it. */
    WHATWG_OUTPUT_FULL = 1,
    /* Decoders with WHATWG_FATAL: `malformed` tells where. The same call, from behind what was read, goes on behind
     * the error. */
    WHATWG_MALFORMED = 2,
    /* Encoders with WHATWG_FATAL: `unmappable` tells the code point, which was read. The same call goes on behind
     * it. */
    WHATWG_UNMAPPABLE = 3
};

/* Flags of decoder_init and encoder_init, to be combined. */
enum {
    /* Return each error. Without it a decoder writes U+FFFD, an encoder a numeric character reference ("&#128169;"). */
    WHATWG_FATAL = 1,
    /* Decoders: a byte order mark of UTF-8, UTF-16BE or UTF-16LE at the start of the stream overrides the encoding,
     * and is removed: the standard's "decode". */
    WHATWG_BOM_SNIFF = 2,
    /* Decoders: the encoding's own byte order mark at the start of the stream is removed: the standard's "UTF-8
     * decode", and what a TextDecoder does. Without either flag a mark is decoded as U+FEFF. */
    WHATWG_BOM_REMOVE = 4
};

/* The table. No pointer that is passed to a function may be null, but a source whose length and a target whose
 * capacity is 0.
 *
 * Lengths of the functions that decode and encode: on entry *source_length is what there is and *target_length the
 * capacity; on return they are what was read and written, both in units of that buffer. Source and target don't
 * overlap. Nothing beyond the capacity is written; what lies between what was written and the capacity may have been
 * overwritten. Any capacity is legal: with too little for the next item the call returns WHATWG_OUTPUT_FULL. Every
 * item of a decoder fits 4 bytes of UTF-8, 2 units of UTF-16 or 2 of UTF-32; every item of an encoder, escape
 * sequence and reference included, 13 bytes. `last` is non-zero if the source is the last of the stream: an
 * incomplete sequence at its end is an error then. A chunk may be empty. */
typedef struct {
    /* WHATWG_ENCODING_ABI of the package that runs. */
    uint32_t abi;
    /* sizeof(whatwg_encoding_api) of the package that runs. To use a member which this header has and which a
     * release that is still supported lacks, compare it with offsetof. */
    uint32_t size;

    /* "Get an encoding": return the encoding that a label names, or NULL. ASCII white space around the label is
     * ignored, and so is the case of ASCII letters. The label may hold any bytes.
     * https://encoding.spec.whatwg.org/#concept-encoding-get */
    const whatwg_encoding *(*for_label)(const char *label, size_t length);
    /* "BOM sniff": return the encoding of the byte order mark at the start of the bytes and set *bom_length, or
     * return NULL and set it to 0. Three bytes tell. https://encoding.spec.whatwg.org/#bom-sniff */
    const whatwg_encoding *(*for_bom)(const uint8_t *bytes, size_t length, size_t *bom_length);
    /* Return one of all encodings, in the standard's order, from 0 on; NULL behind the last. */
    const whatwg_encoding *(*by_index)(size_t index);
    /* Return the encoding's name as the standard spells it, for example "Shift_JIS"; it lives as long as the
     * process. */
    const char *(*name)(const whatwg_encoding *);
    /* "Get an output encoding": UTF-8 for replacement, UTF-16BE and UTF-16LE, which have no encoder, else the
     * encoding itself. https://encoding.spec.whatwg.org/#get-an-output-encoding */
    const whatwg_encoding *(*output_encoding)(const whatwg_encoding *);

    /* Begin a stream of bytes in an encoding. `flags` is 0 or a combination of the flags above. */
    void (*decoder_init)(whatwg_decoder *, const whatwg_encoding *, uint32_t flags);
    /* Return the encoding that is decoded; with WHATWG_BOM_SNIFF, when the start of the stream was read, the one
     * that its byte order mark names. It can still be asked after the end of the stream, until the next call that
     * decodes. */
    const whatwg_encoding *(*decoder_encoding)(const whatwg_decoder *);
    /* Decode to UTF-8. Only whole code points are written. */
    int (*decode_to_utf8)(whatwg_decoder *, const uint8_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Decode to UTF-16 in native byte order. Only whole surrogate pairs are written. */
    int (*decode_to_utf16)(whatwg_decoder *, const uint8_t *source, size_t *source_length, uint16_t *target,
        size_t *target_length, int last);
    /* Decode to UTF-32 in native byte order. */
    int (*decode_to_utf32)(whatwg_decoder *, const uint8_t *source, size_t *source_length, uint32_t *target,
        size_t *target_length, int last);
    /* Return a capacity, in units of the target, that suffices for source_length more bytes of any value, what is
     * pending included; SIZE_MAX if that is more than a size_t holds. */
    size_t (*max_utf8_length)(const whatwg_decoder *, size_t source_length);
    size_t (*max_utf16_length)(const whatwg_decoder *, size_t source_length);
    size_t (*max_utf32_length)(const whatwg_decoder *, size_t source_length);
    /* Tell where the error is that was just returned as WHATWG_MALFORMED: *length bytes, which end *read_after bytes
     * before the end of what was read so far, in this call and those before it. *read_after is not 0 only if earlier
     * calls had read bytes that turned out to belong to what comes after the error: the decoder keeps them, and they
     * are not to be passed again. */
    void (*malformed)(const whatwg_decoder *, size_t *length, size_t *read_after);
    /* Return the number of errors that were replaced by U+FFFD since the stream began. It can still be asked after
     * the end of the stream, until the next call that decodes. */
    uint64_t (*error_count)(const whatwg_decoder *);
    /* Return how many bytes lie before the first error; `length` if there is none, that is if the bytes are valid.
     * They are all of the stream: an incomplete sequence at the end is an error. A byte order mark is nothing
     * special. */
    size_t (*valid_up_to)(const whatwg_encoding *, const uint8_t *source, size_t length);

    /* Begin a stream of text that is encoded. Return 0, or -1 if the encoding has no encoder: then the encoder must
     * not be used. `flags` is 0 or WHATWG_FATAL. */
    int (*encoder_init)(whatwg_encoder *, const whatwg_encoding *, uint32_t flags);
    /* Encode UTF-8. What is malformed counts as U+FFFD, as the UTF-8 decoder has it; a sequence may be split between
     * calls. */
    int (*encode_from_utf8)(whatwg_encoder *, const uint8_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Encode UTF-16 in native byte order. A lone surrogate counts as U+FFFD; a pair may be split between calls. */
    int (*encode_from_utf16)(whatwg_encoder *, const uint16_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Encode UTF-32 in native byte order. A surrogate, or a value above 0x10FFFF, counts as U+FFFD. */
    int (*encode_from_utf32)(whatwg_encoder *, const uint32_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Return a capacity that suffices for so many units more of `unit_size` bytes (1: UTF-8, 2: UTF-16, 4: UTF-32),
     * whatever they are, what is pending and the end of the stream included, with WHATWG_FATAL; without it each
     * reference that is written takes up to 10 bytes more. SIZE_MAX if that is more than a size_t holds. */
    size_t (*max_encoded_length)(const whatwg_encoder *, size_t source_length, int unit_size);
    /* Return the code point that was just returned as WHATWG_UNMAPPABLE. It is U+FFFD where the source is malformed,
     * and where ISO-2022-JP refuses U+000E, U+000F or U+001B. */
    uint32_t (*unmappable)(const whatwg_encoder *);
} whatwg_encoding_api;

#if !defined(WHATWG_ENCODING_NO_PYTHON)
/* Import the package and return its table, which lives as long as the process. Call it with the GIL. Return NULL
 * with an ImportError set if the package is missing, is too old for this header, or has another ABI. */
static inline const whatwg_encoding_api *whatwg_encoding_import(void)
{
    const whatwg_encoding_api *api = (const whatwg_encoding_api *)PyCapsule_Import("whatwg_encoding._C_API", 0);
    if (api == NULL) {
        if (PyErr_ExceptionMatches(PyExc_AttributeError))
            PyErr_SetString(PyExc_ImportError, "the installed whatwg_encoding has no C API: install a newer one");
        return NULL;
    }
    if (api->abi != WHATWG_ENCODING_ABI) {
        PyErr_Format(PyExc_ImportError,
                     "the installed whatwg_encoding has C ABI %u, and this extension was built for C ABI %u",
                     (unsigned int)api->abi, (unsigned int)WHATWG_ENCODING_ABI);
        return NULL;
    }
    if (api->size < sizeof(whatwg_encoding_api)) {
        PyErr_Format(PyExc_ImportError,
                     "the installed whatwg_encoding is older than the one that this extension was built for: "
                     "its C API has %u bytes, not %u",
                     (unsigned int)api->size, (unsigned int)sizeof(whatwg_encoding_api));
        return NULL;
    }
    return api;
}
#endif

#if defined(__cplusplus)
}
#endif

#endif
