/* The C API of whatwg_encoding: decode and encode the encodings of the web, as the WHATWG Encoding Standard defines
 * them, from C99 and C++. https://encoding.spec.whatwg.org/
 *
 * All functions are members of one table, which `whatwg_encoding_import` returns:
 *
 *     const whatwg_encoding_api *we = whatwg_encoding_import();   // with the GIL, when the module is initialized
 *     if (we == NULL)
 *         return NULL;                                            // an ImportError is set
 *     const whatwg_encoding *encoding = we->for_label("sjis", 4);
 *     whatwg_decoder decoder;
 *     we->decoder_init(&decoder, encoding, 0);
 *     size_t read = source_length, written = capacity;            // in: lengths; out: units read and written
 *     int result = we->decode_to_utf8(&decoder, source, &read, target, &written, 1);
 *
 * Every function except `whatwg_encoding_import` may be called from any thread, with or without the GIL. None of them
 * raises an exception, handles signals or uses Python objects, and only those of columns allocate memory. A decoder or
 * an encoder must not be used by two threads at the same time.
 *
 * An extension that was built with this header runs with every later release of the package, since members are only
 * appended to the table. To run with earlier releases as well, define WHATWG_ENCODING_MIN_SIZE (see below).
 *
 * Define WHATWG_ENCODING_NO_PYTHON before including this header to leave out <Python.h> and `whatwg_encoding_import`,
 * in source files that receive the table from elsewhere. Otherwise include this header before any standard header, as
 * <Python.h> requires.
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

/* The version of the table's layout. It changes only when extensions that were built for another version cannot run;
 * `whatwg_encoding_import` raises an ImportError for those. */
#define WHATWG_ENCODING_ABI 1

/* An encoding of the standard. There is exactly one object per encoding, valid until the process exits, so that
 * encodings can be compared by address. */
typedef struct whatwg_encoding whatwg_encoding;

/* Caller-owned memory that holds the whole state of a stream, including the bytes of an incomplete sequence. Copy it by
 * assignment. It refers to no resources, so there is nothing to free. */
typedef struct { uint64_t opaque[8]; } whatwg_decoder;
typedef struct { uint64_t opaque[8]; } whatwg_encoder;

/* Results of the functions that decode and encode. */
enum {
    /* The decoder or encoder is not valid, because its init function failed. Nothing was read or written. */
    WHATWG_INVALID = -1,
    /* The whole source was read. If `last` was non-zero, the stream has ended, and the next call starts a new stream
     * with the same encoding and flags. */
    WHATWG_INPUT_EMPTY = 0,
    /* The remaining capacity is too small for the next item, which was not read. Call again with the unread source and
     * more capacity. */
    WHATWG_OUTPUT_FULL = 1,
    /* Decoders with WHATWG_FATAL: a sequence is malformed. `malformed` returns its position. To skip it, call again
     * from the next unread byte. */
    WHATWG_MALFORMED = 2,
    /* Encoders with WHATWG_FATAL: a code point cannot be encoded. It was read; `unmappable` returns it. To skip it,
     * call again from the next unread unit, also if none is left: only WHATWG_INPUT_EMPTY ends a stream.
     *
     * The encoder keeps its state, which for ISO-2022-JP is ASCII or Roman, never jis0208. The caller may therefore
     * append a replacement to the output before the next call: printable ASCII characters other than "\" and "~", whose
     * bytes are U+00A5 and U+203E in the Roman state. In ISO-2022-JP an empty replacement can leave two adjacent escape
     * sequences in the output, which decoders treat as an error. */
    WHATWG_UNMAPPABLE = 3
};

/* Flags of decoder_init and encoder_init. Combine them with |. */
enum {
    /* Return errors. Without this flag a decoder replaces each error with U+FFFD, and an encoder with a numeric
     * character reference such as "&#128169;". */
    WHATWG_FATAL = 1,
    /* Decoders: a byte order mark of UTF-8, UTF-16BE or UTF-16LE at the start of the stream overrides the encoding and
     * is removed, as in the standard's "decode". */
    WHATWG_BOM_SNIFF = 2,
    /* Decoders: remove the byte order mark of the decoder's own encoding at the start of the stream, as in the
     * standard's "UTF-8 decode" and in TextDecoder. Without this flag and WHATWG_BOM_SNIFF, a byte order mark is
     * decoded as U+FEFF. */
    WHATWG_BOM_REMOVE = 4
};

/* An encoding that a text may be in. `bits`: the cost of its text under a model of text in some 48 languages, the fewer
 * the likelier; those by which the next guess costs more tell how sure this one is. */
typedef struct {
    const whatwg_encoding *encoding;
    int64_t bits;
} whatwg_guess;

/* The bytes of a decoding error: their offset in the source, and their number. */
typedef struct { size_t offset, length; } whatwg_error_span;

/* Options of `detect`. Later releases append members: initialize all but `size` with 0, as in
 *
 *     whatwg_detect_options options = {sizeof options}; */
typedef struct {
    /* sizeof(whatwg_detect_options) */
    size_t size;
    /* The bytes that are examined, of those beyond ASCII and the ASCII next to them; 0: 16384. */
    size_t limit;
    /* The encodings to choose among, in place of those that are in use; null and replacement are ignored. */
    const whatwg_encoding *const *candidates;
    size_t candidate_count;
    /* The encodings that the text is declared to be in, the weightiest first, as the results of for_label: null is
     * ignored. They are hints, which what the bytes tell outweighs. */
    const whatwg_encoding *const *declared;
    size_t declared_count;
} whatwg_detect_options;

/* The table of functions.
 *
 * Pointers must not be null, except a source of length 0 and a target of capacity 0.
 *
 * Functions that decode and encode take two lengths by address. On entry, *source_length is the length of the source
 * and *target_length the capacity of the target; on return, they are the numbers of units read and written. Each is
 * counted in units of its own buffer. Source and target must not overlap. The content of the target between the units
 * written and its capacity is unspecified; nothing is written beyond the capacity.
 *
 * Every capacity is valid; if the next item does not fit, the result is WHATWG_OUTPUT_FULL. An item of a decoder is at
 * most 4 bytes of UTF-8, 2 units of UTF-16 or 2 units of UTF-32. An item of an encoder, including escape sequences and
 * a reference, is at most 13 bytes.
 *
 * A stream is passed in chunks of any length, including 0. Set `last` to non-zero with the last chunk: an incomplete
 * sequence at its end is then an error. */
typedef struct {
    /* WHATWG_ENCODING_ABI of the installed release. */
    uint32_t abi;
    /* sizeof(whatwg_encoding_api) of the installed release. Before using a member beyond WHATWG_ENCODING_MIN_SIZE,
     * compare with WHATWG_ENCODING_SIZE_THROUGH(member). */
    uint32_t size;

    /* Return the encoding that a label identifies, or NULL if the label is unknown. Leading and trailing ASCII
     * whitespace and the case of ASCII letters are ignored. The label may contain any bytes.
     * https://encoding.spec.whatwg.org/#concept-encoding-get */
    const whatwg_encoding *(*for_label)(const char *label, size_t length);
    /* Return the encoding of the byte order mark at the start of the bytes and store the length of the mark in
     * *bom_length; return NULL and store 0 if there is none. At most the first three bytes are examined.
     * https://encoding.spec.whatwg.org/#bom-sniff */
    const whatwg_encoding *(*for_bom)(const uint8_t *bytes, size_t length, size_t *bom_length);
    /* Return the encoding at an index, in the order of the standard's table of names and labels, or NULL if the index
     * is out of range. Use it to enumerate all encodings. */
    const whatwg_encoding *(*by_index)(size_t index);
    /* Return the name of the encoding as the standard spells it, for example "Shift_JIS". The string is valid until the
     * process exits. https://encoding.spec.whatwg.org/#names-and-labels */
    const char *(*name)(const whatwg_encoding *);
    /* Return the encoding to use for output: UTF-8 for replacement, UTF-16BE and UTF-16LE, which have no encoder;
     * otherwise the encoding itself. https://encoding.spec.whatwg.org/#get-an-output-encoding */
    const whatwg_encoding *(*output_encoding)(const whatwg_encoding *);

    /* Initialize a decoder. `flags` is 0 or a combination of the flags above. If it contains a flag that the installed
     * release does not have, the decoder is not valid: decoder_encoding returns NULL, and functions that decode return
     * WHATWG_INVALID. */
    void (*decoder_init)(whatwg_decoder *, const whatwg_encoding *, uint32_t flags);
    /* Return the encoding that is decoded. With WHATWG_BOM_SNIFF, once enough of the stream was read, this is the
     * encoding of the byte order mark. After the end of a stream, the value is kept until the next call that decodes.
     * Return NULL if the decoder is not valid. */
    const whatwg_encoding *(*decoder_encoding)(const whatwg_decoder *);
    /* Decode to UTF-8. Code points are never split between calls. */
    int (*decode_to_utf8)(whatwg_decoder *, const uint8_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Decode to UTF-16 in native byte order. Surrogate pairs are never split between calls. */
    int (*decode_to_utf16)(whatwg_decoder *, const uint8_t *source, size_t *source_length, uint16_t *target,
        size_t *target_length, int last);
    /* Decode to UTF-32 in native byte order. */
    int (*decode_to_utf32)(whatwg_decoder *, const uint8_t *source, size_t *source_length, uint32_t *target,
        size_t *target_length, int last);
    /* Return a capacity, in units of the target, that is sufficient for decoding source_length more bytes of any
     * content, including pending bytes and the end of the stream. Return SIZE_MAX if it exceeds a size_t. */
    size_t (*max_utf8_length)(const whatwg_decoder *, size_t source_length);
    size_t (*max_utf16_length)(const whatwg_decoder *, size_t source_length);
    size_t (*max_utf32_length)(const whatwg_decoder *, size_t source_length);
    /* Locate the error of the last call, which must have returned WHATWG_MALFORMED: the malformed sequence has *length
     * bytes and ends *read_after bytes before the end of all bytes read so far. *read_after is non-zero only if bytes
     * of earlier calls follow the error. The decoder has stored them; do not pass them again. */
    void (*malformed)(const whatwg_decoder *, size_t *length, size_t *read_after);
    /* Return the number of errors that were replaced with U+FFFD since the start of the stream. After the end of a
     * stream, the value is kept until the next call that decodes. */
    uint64_t (*error_count)(const whatwg_decoder *);
    /* Return the number of bytes before the first error, or `length` if there is no error. The bytes are a whole
     * stream, so an incomplete sequence at the end is an error. A byte order mark is decoded like any other bytes. */
    size_t (*valid_up_to)(const whatwg_encoding *, const uint8_t *source, size_t length);

    /* Initialize an encoder. `flags` is 0 or WHATWG_FATAL. Return 0, or -1 if the encoding has no encoder (see
     * output_encoding) or if `flags` has any other bit. After -1 the encoder is not valid: functions that encode return
     * WHATWG_INVALID. */
    int (*encoder_init)(whatwg_encoder *, const whatwg_encoding *, uint32_t flags);
    /* Encode UTF-8. Malformed sequences are encoded as U+FFFD, as many as the UTF-8 decoder replaces. A sequence may be
     * split between calls. */
    int (*encode_from_utf8)(whatwg_encoder *, const uint8_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Encode UTF-16 in native byte order. A lone surrogate is encoded as U+FFFD. A surrogate pair may be split between
     * calls. */
    int (*encode_from_utf16)(whatwg_encoder *, const uint16_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Encode UTF-32 in native byte order. A surrogate or a value above 0x10FFFF is encoded as U+FFFD. */
    int (*encode_from_utf32)(whatwg_encoder *, const uint32_t *source, size_t *source_length, uint8_t *target,
        size_t *target_length, int last);
    /* Return a capacity in bytes that is sufficient for encoding source_length more units of `unit_size` bytes (1:
     * UTF-8, 2: UTF-16, 4: UTF-32) of any content, including pending units and the end of the stream, but no
     * references. Return SIZE_MAX if it exceeds a size_t. */
    size_t (*max_encoded_length)(const whatwg_encoder *, size_t source_length, int unit_size);
    /* Return the code point of the last call that returned WHATWG_UNMAPPABLE. It is U+FFFD if the source is malformed,
     * and if it is U+000E, U+000F or U+001B, which ISO-2022-JP cannot encode. */
    uint32_t (*unmappable)(const whatwg_encoder *);

    /* Return the number of bytes that the decoder has read but not yet decoded: after WHATWG_INPUT_EMPTY, those of an
     * incomplete sequence or of what may become a byte order mark. It is 3 at most, and 0 after the end of a stream. To
     * give these bytes back to the caller (as iconv does), discard the decoder, or decode that much less with a copy of
     * its earlier state. */
    size_t (*pending_length)(const whatwg_decoder *);
    /* Return the number of numeric character references written since the start of the stream. After the end of a
     * stream, the value is kept until the next call that encodes. */
    uint64_t (*reference_count)(const whatwg_encoder *);
    /* As max_encoded_length, but sufficient for the output including references, with any flags. */
    size_t (*max_encoded_length_with_references)(const whatwg_encoder *, size_t source_length, int unit_size);
    /* Return 1 if ASCII bytes and ASCII code points stand for each other: for all encodings except UTF-16BE, UTF-16LE,
     * ISO-2022-JP and replacement, for which it is 0. */
    int (*is_ascii_compatible)(const whatwg_encoding *);
    /* Return 1 if every byte is decoded by itself: for the standard's legacy single-byte encodings and x-user-defined.
     * Otherwise return 0. https://encoding.spec.whatwg.org/#legacy-single-byte-encodings */
    int (*is_single_byte)(const whatwg_encoding *);

    /* Return the label of the encoding at an index, in the order of the labels' bytes, or NULL if the index is out of
     * range. Use it to enumerate all labels. The string is valid until the process exits.
     * https://encoding.spec.whatwg.org/#names-and-labels */
    const char *(*label)(const whatwg_encoding *, size_t index);
    /* Write the encodings that a text may be in, the likeliest first, at most `capacity` of them, and return how many
     * there are: 40 at most, and 0 if the bytes rule out all candidates. `options` may be null. A byte order mark
     * decides alone, and so does valid UTF-8: one guess. The result is the same on every machine. The function uses
     * some 40 KiB of stack. The member is null in a library that was built without detection. */
    size_t (*detect)(const uint8_t *bytes, size_t length, const whatwg_detect_options *options, whatwg_guess *guesses,
        size_t capacity);
    /* Return the number of decoding errors of a whole stream, and write the spans of the first ones, at most `capacity`
     * of them. A byte order mark is decoded like any other bytes. After the last span, counting is as fast as decoding
     * with replacement. */
    size_t (*errors)(const whatwg_encoding *, const uint8_t *source, size_t length, whatwg_error_span *spans,
        size_t capacity);
} whatwg_encoding_api;

/* The size of the table up to and including a member. A release has a member if its table is at least as large:
 *
 *     if (we->size >= WHATWG_ENCODING_SIZE_THROUGH(pending_length))
 *         pending = we->pending_length(&decoder);
 */
#define WHATWG_ENCODING_SIZE_THROUGH(member)                                                                           \
    (offsetof(whatwg_encoding_api, member) + sizeof(((whatwg_encoding_api *)0)->member))

/* The least size of the table that `whatwg_encoding_import` accepts: by default the table of this header. To accept
 * earlier releases, define it before including this header as the last member that is used without a check:
 *
 *     #define WHATWG_ENCODING_MIN_SIZE WHATWG_ENCODING_SIZE_THROUGH(unmappable)
 */
#if !defined(WHATWG_ENCODING_MIN_SIZE)
#define WHATWG_ENCODING_MIN_SIZE sizeof(whatwg_encoding_api)
#endif

/* Return the table of libwhatwg_encoding, the library without Python, for programs that are linked with it. It is never
 * null, and valid until the process exits. Any thread may call this at any time. */
const whatwg_encoding_api *whatwg_encoding_get(void);
/* The table's `errors`, of that library. */
size_t whatwg_encoding_errors(const whatwg_encoding *, const uint8_t *source, size_t length, whatwg_error_span *spans,
    size_t capacity);
/* Use the instruction set of that name from now on, for tests and comparisons. The names are those of "available" in
 * whatwg_encoding.cpu_features() of the Python package, such as "scalar". By default the library uses the best one that
 * the machine has, and results are the same with any. Return 0, or -1 if the machine does not have it. Do not call this
 * while another thread calls a function of the library. */
int whatwg_encoding_set_level(const char *name);

/* ---- Columns, of the library alone: the Python package has whatwg_encoding.arrow --------------------------------- */

/* The structures of the Arrow C data interface, which whatwg_encoding_arrow.h declares, and so do other libraries:
 * https://arrow.apache.org/docs/format/CDataInterface.html */
struct ArrowSchema;
struct ArrowArray;

/* What an error in a row does. */
enum {
    WHATWG_ROW_REPLACE = 0, /* U+FFFD for each error, or a numeric character reference */
    WHATWG_ROW_FATAL = 1,   /* the call fails with EILSEQ */
    WHATWG_ROW_NULL = 2     /* the row becomes null */
};

/* The layout of a result: Arrow's formats "u", "U" and "vu" of text, or "z", "Z" and "vz" of bytes. */
enum {
    WHATWG_COLUMN_SAME = 0, /* as wide as the column's; 32-bit offsets in place of a layout that text does not have */
    WHATWG_COLUMN_OFFSETS_32 = 1,
    WHATWG_COLUMN_OFFSETS_64 = 2,
    WHATWG_COLUMN_VIEWS = 3
};

/* Flags of a column. Combine them with |. */
enum {
    /* Decoding: a byte order mark at the start of a row overrides the encoding and is removed. */
    WHATWG_COLUMN_BOM_SNIFF = 1,
    /* Decoding: the result is a struct of `text`, `encoding` (the name of the encoding that was used, in a dictionary),
     * `errors` (their number, also if they make the text null), and of the first one, or null: `first_error` (its
     * offset in the row), `line` and `column` (in the text, from 1; columns are code points). */
    WHATWG_COLUMN_INFO = 2,
    /* A label that names no encoding makes its row null. Without this flag and `unknown` the call fails. */
    WHATWG_COLUMN_UNKNOWN_NULL = 4
};

/* Options of a column. Later releases append members: initialize all but `size` with 0, as in
 *
 *     whatwg_column_options options = {sizeof options}; */
typedef struct {
    /* sizeof(whatwg_column_options) */
    size_t size;
    /* The encoding of all rows, or null: then `labels` is a column of text, or of bytes, with the label of each row. A
     * null label makes its row null. The call only reads it. */
    const whatwg_encoding *encoding;
    const struct ArrowSchema *label_schema;
    const struct ArrowArray *labels;
    /* The encoding of rows whose label names none, or null. */
    const whatwg_encoding *unknown;
    int on_error;
    int layout;
    uint32_t flags;
} whatwg_column_options;

/* What made a call fail: a sentence, and the row, or -1 if no single row did. */
typedef struct {
    int64_t row;
    char message[256];
} whatwg_column_error;

/* Decode a column of bytes (Arrow formats "z", "Z", "vz", "w:n", text, whose UTF-8 is read, and dictionaries of these)
 * to one of text. A struct of one column, as a record batch is, is read as that column. Each row is a whole stream; a
 * null row gives null. A dictionary is expanded: decode the dictionary itself to keep the indices.
 *
 * The array is moved: the call or the result releases it, also after an error. The result refers to its buffers where
 * text and bytes are equal, so they must not be changed. The schema is only read. All of an array is checked before any
 * row is converted, but for the sizes of its buffers, which Arrow does not tell.
 *
 * Return 0, and a schema and an array that the caller releases. Otherwise return an error number of errno.h, with both
 * marked as released, and tell why if `error` is not null: EINVAL if an argument or a label is not valid, EILSEQ for
 * WHATWG_ROW_FATAL, EOVERFLOW if the result exceeds 32-bit offsets, ENOMEM. Any thread may call this, and release what
 * it returned. Memory is allocated by malloc. */
int whatwg_encoding_decode_column(const struct ArrowSchema *schema, struct ArrowArray *array,
    const whatwg_column_options *options, struct ArrowSchema *result_schema, struct ArrowArray *result,
    whatwg_column_error *error);
/* Encode a column of text to one of bytes, as whatwg_encoding_decode_column decodes. Malformed UTF-8 is replaced with
 * U+FFFD in WHATWG_ROW_REPLACE, and is an error in the other modes. */
int whatwg_encoding_encode_column(const struct ArrowSchema *schema, struct ArrowArray *array,
    const whatwg_column_options *options, struct ArrowSchema *result_schema, struct ArrowArray *result,
    whatwg_column_error *error);

/* ---- Python ------------------------------------------------------------------------------------------------------ */

#if !defined(WHATWG_ENCODING_NO_PYTHON)
/* Import the package and return the table of its C API, which is valid until the process exits. Requires the GIL.
 * Return NULL with an ImportError set if the package is not installed, has another ABI, or has a table smaller than
 * WHATWG_ENCODING_MIN_SIZE. */
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
    if (api->size < WHATWG_ENCODING_MIN_SIZE) {
        PyErr_Format(PyExc_ImportError,
                     "the installed whatwg_encoding is too old for this extension: the table of its C API has %u "
                     "bytes, and the extension requires %u: install a newer one",
                     (unsigned int)api->size, (unsigned int)(WHATWG_ENCODING_MIN_SIZE));
        return NULL;
    }
    return api;
}
#endif

#if defined(__cplusplus)
}
#endif

#endif
