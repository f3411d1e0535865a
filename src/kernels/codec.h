/* What every decoder and encoder of the package looks like to the driver in _core.pyx.
 *
 * A handler of the standard takes one item at a time and keeps what it has seen in variables. The loops here take a run of items:
 * bytes of an incomplete sequence are never consumed, the driver keeps them (at most three) and offers them again in front of the
 * next chunk. So the only state that lives between calls is the one that outlives a sequence.
 *
 * No loop checks for room in its target: the driver never offers more input than the target has room for (see the bounds below),
 * which also means that a loop may write anything anywhere in that room and not only in the part that it reports as written.
 */
#ifndef WE_CODEC_H
#define WE_CODEC_H

#include <stddef.h>
#include <stdint.h>

/* What a loop, or the engine over it, came to. From INPUT_EMPTY to UNMAPPABLE the values are those of the public C API. */
typedef enum {
    WE_RAISED = -1,     /* no loop's: a function that sets a Python exception has set one */
    WE_INPUT_EMPTY = 0, /* all was read that can be; what is left is the start of a sequence */
    WE_OUTPUT_FULL = 1, /* the engine's alone: the capacity is too small for the next item, of which nothing was read */
    WE_MALFORMED = 2,   /* decoders, fatal: error_length bytes that end at `read` are an error */
    WE_UNMAPPABLE = 3,  /* encoders: the error is about code_point, whose unit ends at `read` */
    WE_WIDEN = 4        /* decoders: the next item does not fit max_code_point; nothing of it was read */
} we_result;

/* The kinds of text: what a decoder writes and an encoder reads. */
enum { WE_UCS1 = 0, WE_UCS2 = 1, WE_UCS4 = 2, WE_UTF8 = 3 };

/* Target room for a decoder: one byte never gives more than one code point, errors included (a codec's decode_shift may say that it
 * gives less), and so never more than three bytes of UTF-8 (four bytes of input stand behind every code point that takes four, but two in Big5). */
enum { WE_UTF8_PER_BYTE = 3 };

/* https://encoding.spec.whatwg.org/#iso-2022-jp-decoder and #replacement: the only decoders with state that outlives a sequence. */
enum { WE_ISO_2022_JP_ASCII = 0, WE_ISO_2022_JP_ROMAN = 1, WE_ISO_2022_JP_KATAKANA = 2, WE_ISO_2022_JP_LEAD_BYTE = 3,
       WE_ISO_2022_JP_JIS0208 = 3 };

typedef struct {
    uint8_t iso_2022_jp_decoder_output_state;
    uint8_t iso_2022_jp_output;
    uint8_t replacement_error_returned;
} we_decoder_state;

typedef struct {
    uint8_t iso_2022_jp_encoder_state;
} we_encoder_state;

typedef struct {
    const uint8_t *source;
    size_t source_length;
    size_t read;             /* in and out */
    void *target;
    size_t written;          /* in and out, in units of the target */
    uint32_t max_code_point; /* the largest that the target takes; 0x7F or 0xFF for UCS1 */
    uint32_t bits;           /* in and out: needs no wider string than what is written does; what a loop happens to know */
    int end_of_queue;        /* the source ends with end-of-queue */
    int fatal;               /* return WE_MALFORMED instead of writing U+FFFD */
    int simd;                /* a level of cpu.h */
    size_t error_length;
    size_t error_count;      /* in and out: U+FFFD written */
    const void *tables;      /* the codec's */
    we_decoder_state state;
} we_decode_run;

typedef struct {
    const void *source;
    size_t source_length;    /* in code points of the string's own kind */
    size_t read;
    uint8_t *target;
    size_t written;
    uint32_t code_point;
    int end_of_queue;
    int after_error;         /* in: the last thing was an error, and so may the next be */
    int simd;
    const void *tables;
    we_encoder_state state;
} we_encode_run;

typedef we_result (*we_decode_function)(we_decode_run *);
typedef we_result (*we_encode_function)(we_encode_run *);

typedef struct {
    we_decode_function decode[4]; /* by target kind */
    we_encode_function encode[3]; /* by source kind; null where the encoding has no encoder */
    uint8_t encode_room[3];       /* target bytes for each unit of that source kind, at most */
    uint8_t decode_shift;         /* n bytes give n / 2**decode_shift code points, rounded up, at most */
    uint8_t is_ascii_compatible;  /* ASCII bytes and ASCII code points stand for each other in every state */
    const void *tables;           /* where several encodings share a function: what tells them apart */
} we_codec;

/* Bytes that an encoder may write beyond encode_room * source_length: ISO-2022-JP's way back to ASCII. */
enum { WE_ENCODE_SLACK = 8 };

#endif
