/* What the loops that drive handlers have in common: decode_loop.h and encode_loop.h, each included once for a handler.
 *
 * A handler (generated/<chapter>.pyx) is one function for one item and knows no target and no error mode. A loop drives
 * it: the kernel as far as it goes, then single items, then the error policy. The loop is always inline, with the kind
 * of text as a constant, and so are the handler and the kernel: the compiler makes one function for each kind of text,
 * and none for the handler, which tests/compilation/test_inlining.py checks. Called as a function, an item would take
 * up to 1.7 times as long.
 *
 * Items that end a kernel's run come in groups: while runs are short, ever more items are converted one by one between
 * two of them. Starting a kernel for each instead takes 2 to 6 times as long on text with many of them.
 */
#ifndef WE_LOOP_H
#define WE_LOOP_H

#include "dispatch.h"
#include "codec.h"
#include "error_policy.h"

enum {
    WE_LONG_RUN = 16,         /* threshold: the items of a kernel's run from which its call pays */
    WE_MAX_SINGLE_ITEMS = 32, /* upper bound on the items that a decoder's loop takes one by one between two runs */
    WE_SINGLE_UNITS = 8,      /* the code points that an encoder's loop takes one by one after a short run */
    WE_MAX_SINGLE_UNITS = 64, /* upper bound on them, where runs are empty */
    WE_SHORT_RUN = 32         /* limit on the run after those: a kernel starts faster for few units */
};

/* The name of a handler's function: WE_NAME is the handler's. */
#define WE_JOIN(name, suffix) name##suffix
#define WE_EXPAND_AND_JOIN(name, suffix) WE_JOIN(name, suffix)
#define WE_OF_HANDLER(suffix) WE_EXPAND_AND_JOIN(WE_NAME, suffix)

/* A handler's loop for one kind of text, which is the codec's function: LOOP is _decode or _encode. */
#define WE_LOOP_OF_KIND(LOOP, run_type, KIND, kind)                                                                    \
    static we_result WE_OF_HANDLER(LOOP##KIND)(run_type * run)                                                         \
    {                                                                                                                  \
        return WE_OF_HANDLER(LOOP)(run, kind);                                                                         \
    }

/* Initializers of a codec's members. */
#define WE_DECODES(name) {name##_decode_ucs1, name##_decode_ucs2, name##_decode_ucs4, name##_decode_utf8}
#define WE_ENCODES(name) {name##_encode_ucs1, name##_encode_ucs2, name##_encode_ucs4}
#define WE_NO_ENCODER {NULL, NULL, NULL}

#endif
