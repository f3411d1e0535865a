/* The common interface of every decoder and encoder of the package: the handler of one item, the loop over a run of
 * items (loop.h), and what they read and write.
 *
 * A handler of the standard takes one byte at a time and keeps state in variables. A handler here takes one item, the
 * bytes of a sequence or one code point, and a loop as many items as there are. It never consumes the bytes of an
 * incomplete sequence: its caller keeps them, three at most, and offers them again before the next chunk. So the only
 * state between calls is the one that outlives a sequence.
 *
 * The caller offers no more input than the capacity of the target suffices for, by the upper bounds below. Loops to
 * UCS-2 and UCS-4 are told the capacity, too (`room`), so that they can be offered more: they fill it to the last unit.
 * A loop may write anywhere within the capacity, not only in the part that it reports as written.
 */
#ifndef WE_CODEC_H
#define WE_CODEC_H

#include <stddef.h>
#include <stdint.h>

/* The result of a loop or of the engine. From INPUT_EMPTY to UNMAPPABLE the values are those of the public C API. */
typedef enum {
    WE_RAISED = -1,     /* never from a loop: a function has set a Python exception */
    WE_INPUT_EMPTY = 0, /* any bytes left are the start of a sequence */
    WE_OUTPUT_FULL = 1, /* decoders: the capacity is too small for the next item, which was not read */
    WE_MALFORMED = 2,   /* decoders, fatal: error_length bytes that end at `read` are an error */
    WE_UNMAPPABLE = 3,  /* encoders: code_point, whose unit ends at `read`, is an error */
    WE_WIDEN = 4        /* decoders: the next item does not fit max_code_point; nothing of it was read */
} we_result;

/* The kinds of text: those that a decoder writes and an encoder reads. */
enum { WE_UCS1 = 0, WE_UCS2 = 1, WE_UCS4 = 2, WE_UTF8 = 3 };

/* Upper bound on the bytes of UTF-8 for each byte of input. One byte gives at most one code point, errors included
 * (fewer by a codec's decode_shift), and a code point of four bytes takes four bytes of input, in Big5 two. */
enum { WE_UTF8_PER_BYTE = 3 };

/* https://encoding.spec.whatwg.org/#iso-2022-jp-decoder and #replacement: the only decoders with state that outlives a
 * sequence. */
enum {
    WE_ISO_2022_JP_ASCII = 0,
    WE_ISO_2022_JP_ROMAN = 1,
    WE_ISO_2022_JP_KATAKANA = 2,
    WE_ISO_2022_JP_LEADING_BYTE = 3,
    WE_ISO_2022_JP_JIS0208 = 3
};

typedef struct {
    uint8_t iso_2022_jp_decoder_output_state;
    uint8_t iso_2022_jp_output;
    uint8_t replacement_error_returned;
} we_decoder_state;

typedef struct {
    uint8_t iso_2022_jp_encoder_state;
} we_encoder_state;

/* How errors are handled: the standard's two modes, and those of Python's standard error handlers. Decoders to UTF-8
 * have only the first two. */
typedef enum {
    WE_REPLACE = 0, /* decoders: U+FFFD; encoders: a numeric character reference */
    WE_STOP = 1,    /* return WE_MALFORMED or WE_UNMAPPABLE */
    WE_IGNORE = 2,
    WE_QUESTION_MARK = 3,     /* encoders: "replace" */
    WE_REFERENCE_REPLACE = 4, /* encoders: "xmlcharrefreplace", which writes references for surrogates, too */
    WE_BACKSLASH_REPLACE = 5,
    WE_SURROGATE_ESCAPE = 6, /* an error that it does not handle: as WE_STOP */
    WE_SURROGATE_PASS = 7    /* UTF-8 and UTF-16: surrogates are handled as scalar values; other errors: as WE_STOP */
} we_error_mode;

typedef struct {
    const uint8_t *source;
    size_t source_length;
    size_t read; /* in and out */
    void *target;
    size_t written;          /* in and out, in units of the target */
    size_t room;             /* UCS2 and UCS4: the units that the target takes, or SIZE_MAX if all of them fit */
    size_t decisive;         /* the bytes of which the first item is sure to give a unit; SIZE_MAX if no number is */
    uint32_t max_code_point; /* the largest that the target can hold; 0x7F or 0xFF for UCS1 */
    int end_of_queue;        /* the source ends with end-of-queue */
    int error_mode;          /* one of we_error_mode */
    int simd;                /* a level of cpu.h */
    size_t error_length;
    int error_is_incomplete; /* the error is the start of a sequence, at the end of the source */
    size_t error_count;      /* in and out: U+FFFD written */
    const void *tables;      /* the codec's */
    we_decoder_state state;
} we_decode_run;

typedef struct {
    const void *source;
    size_t source_length; /* in code points of the string's own kind */
    size_t read;
    uint8_t *target;
    size_t written;
    uint32_t code_point;
    int end_of_queue;
    int error_mode;  /* one of we_error_mode; a loop returns at errors that it does not handle itself */
    int after_error; /* in: the item before was an error, and the next may be one as well */
    int simd;
    const void *tables;
    we_encoder_state state;
} we_encode_run;

/* A decoder's handler, <name>_decode_item, returns the code point of the item at `source`, of which at least one byte
 * is there, and sets `consumed`, 1 beforehand, to its bytes. Two code points below U+10000 are returned as
 * `first << 16 | second`. Instead of a code point:
 * WE_ITEM_ERROR: `consumed` bytes are an error; restored bytes are not counted.
 * WE_ITEM_INCOMPLETE: the source ends within the item. At end-of-queue `consumed` bytes are an error.
 * WE_ITEM_NONE: `consumed` bytes stand for no code point.
 * It reads each byte once, since another thread may change the source, and changes the state only where that is right
 * if the caller offers the item again, to a wider target. */
#define WE_ITEM_ERROR UINT32_C(0xFFFFFFFF)
#define WE_ITEM_INCOMPLETE UINT32_C(0xFFFFFFFE)
#define WE_ITEM_NONE UINT32_C(0xFFFFFFFD)

/* An encoder's handler, <name>_encode_item, writes the bytes of a code point, encode_capacity at most, and returns how
 * many. Where the code point is an error, it sets `error`, WE_NO_ERROR beforehand, to the code point of that error. */
#define WE_NO_ERROR UINT32_C(0xFFFFFFFF)
#define WE_END_OF_QUEUE UINT32_C(0xFFFFFFFE) /* instead of a code point: only for a handler that has a step for it */

/* The kernel of either, <name>_decode_kernel and <name>_encode_kernel, converts the common cases: items from `source`
 * on up to the first that needs a decision. It returns what it read, in bytes or units, and sets `written`, which on
 * entry is how many units of UCS2 and UCS4 a decoder's target takes. A decoder's is also given whether the item before
 * was an error. */

typedef we_result (*we_decode_function)(we_decode_run *);
typedef we_result (*we_encode_function)(we_encode_run *);

typedef struct {
    we_decode_function decode[4]; /* by target kind */
    we_encode_function encode[3]; /* by source kind; null where the encoding has no encoder */
    uint8_t encode_capacity[3];   /* upper bound on the target bytes for each unit of that source kind */
    uint8_t decode_shift;         /* n bytes give at most n / 2**decode_shift code points, rounded up */
    uint8_t is_ascii_compatible;  /* ASCII bytes and ASCII code points stand for each other in every state */
    const void *tables;           /* of encodings that share a function: what distinguishes them */
} we_codec;

/* Bytes that an encoder may write beyond encode_capacity * source_length: ISO-2022-JP's escape sequence to ASCII, and
 * full vectors. */
enum { WE_ENCODE_SLACK = 8 };

#endif
