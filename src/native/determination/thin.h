/* A sample of which each context is in few times: evidence is counted, occurrences are not.
 *
 * The data is divided into tokens, at ASCII that no sequence of several bytes has in it. A token beyond ASCII is kept
 * if it has a context, which is a run of bytes beyond ASCII with both neighbours, for the 1st, 4th, 16th, ... time.
 * The bytes are the same for all candidates, so that one thinned sample is for all. */
#ifndef WE_DETECT_THIN_H
#define WE_DETECT_THIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "single_byte_costs.h"

enum {
    WE_CONTEXTS = 1024, /* slots for contexts, a power of two; those that find none count as new */
    WE_PROBES = 4,
    WE_TAKEN = 512,              /* bytes that are taken from the data at a time, at most */
    WE_RAW = WE_TAKEN + WE_TOKEN /* those and the start of a token, which is shorter than WE_TOKEN */
};

typedef struct {
    uint16_t tags[WE_CONTEXTS], counts[WE_CONTEXTS];
    size_t contexts;       /* distinct ones */
    size_t token, at, end; /* in raw: where the token begins, where it is read on, and the end */
    uint8_t before;        /* the byte before the token */
    uint8_t is_mixed;      /* the token has a byte beyond ASCII */
    uint8_t is_long;       /* the token's start was written, and its rest is, too */
    uint8_t is_left_out;   /* a token beyond ASCII was, and none was kept since */
    uint8_t raw[WE_RAW];
} we_thin;

static inline void we_thin_begin(we_thin *thin)
{
    memset(thin, 0, offsetof(we_thin, raw));
    thin->before = ' ';
}

enum { WE_PLAIN, WE_DIVIDER, WE_BEYOND };

/* Return what a byte is in a token. None of the dividers is in a sequence of several bytes. */
static inline unsigned we_role(uint8_t byte)
{
    /* Bits of the bytes below 64: tab, line feed, return, space, quotation mark, & ( ) , ; < = > */
    const uint64_t dividers = UINT64_C(1) << '\t' | UINT64_C(1) << '\n' | UINT64_C(1) << '\r' | UINT64_C(1) << ' '
                              | UINT64_C(1) << '"' | UINT64_C(1) << '&' | UINT64_C(1) << '(' | UINT64_C(1) << ')'
                              | UINT64_C(1) << ',' | UINT64_C(1) << ';' | UINT64_C(1) << '<' | UINT64_C(1) << '='
                              | UINT64_C(1) << '>';
    if (byte < 64)
        return dividers >> byte & 1 ? WE_DIVIDER : WE_PLAIN;
    return byte < 0x80 ? WE_PLAIN : WE_BEYOND;
}

/* Count a context by its hash, and return whether it is a new one, or one that counts again. */
static inline int we_thin_counts(we_thin *thin, uint32_t hash)
{
    const uint16_t tag = (uint16_t)(hash >> 16 | 1);
    for (unsigned probe = 0; probe < WE_PROBES; probe++) {
        const unsigned slot = (hash + probe) & (WE_CONTEXTS - 1);
        if (thin->tags[slot] == tag) {
            const unsigned count = thin->counts[slot] + 1u - (thin->counts[slot] == UINT16_MAX);
            thin->counts[slot] = (uint16_t)count;
            return (count & (count - 1)) == 0 && (count & 0x5555u) != 0;
        }
        if (!thin->tags[slot]) {
            thin->tags[slot] = tag;
            thin->counts[slot] = 1;
            break;
        }
    }
    thin->contexts++;
    return 1;
}

static inline uint8_t we_folded(uint8_t byte)
{
    return byte >= '0' && byte <= '9' ? '0' : byte;
}

/* Return whether a token between two bytes has a context that counts. */
static inline int we_thin_keeps(we_thin *thin, const uint8_t *token, size_t length, uint8_t before, uint8_t after)
{
    int keeps = 0;
    for (size_t at = 0; at < length; at++) {
        if (token[at] < 0x80)
            continue;
        uint32_t hash = 0x9E3779B1u * (1u + we_folded(at ? token[at - 1] : before));
        for (; at < length && token[at] >= 0x80; at++)
            hash = (hash ^ token[at]) * 0x01000193u;
        hash = (hash ^ we_folded(at < length ? token[at] : after)) * 0x85EBCA6Bu;
        keeps |= we_thin_counts(thin, hash ^ hash >> 15);
    }
    return keeps;
}

/* Write the token, if it is kept, and return the number of bytes, at most WE_TOKEN + 1. `after`: the byte that follows
 * it. A long one is kept, since its end might be within a sequence. */
static inline size_t we_thin_flush(we_thin *thin, uint8_t after, uint8_t *target)
{
    const uint8_t *const token = thin->raw + thin->token;
    const size_t length = thin->at - thin->token; /* at most WE_TOKEN */
    const int was_left_out = thin->is_left_out;
    int keeps = !was_left_out;
    if (thin->is_mixed)
        keeps = we_thin_keeps(thin, token, length, thin->before, after);
    keeps |= length == WE_TOKEN;
    if (thin->is_mixed)
        thin->is_left_out = !keeps;
    thin->is_mixed = 0;
    thin->token = thin->at;
    if (!keeps || !length)
        return 0;
    target[0] = thin->before; /* again, if what was between is left out */
    memcpy(target + was_left_out, token, length);
    return was_left_out + length;
}

/* Read on until `capacity` bytes or more are written, at most WE_TOKEN + 1 more, or all of raw but the start of a token
 * is read; return the number of bytes that are written. */
static inline size_t we_thin_add(we_thin *thin, uint8_t *target, size_t capacity)
{
    size_t written = 0;
    while (thin->at < thin->end && written < capacity) {
        const uint8_t byte = thin->raw[thin->at];
        const unsigned role = we_role(byte);
        if (role == WE_DIVIDER) {
            if (thin->at > thin->token)
                written += we_thin_flush(thin, byte, target + written);
            if (!thin->is_left_out)
                target[written++] = byte;
            thin->is_long = 0;
            thin->before = byte;
            thin->token = ++thin->at;
        } else if (thin->is_long) {
            target[written++] = byte;
            thin->token = ++thin->at;
        } else {
            thin->is_mixed |= role == WE_BEYOND;
            if (++thin->at - thin->token == WE_TOKEN) {
                written += we_thin_flush(thin, byte, target + written);
                thin->is_long = 1;
            }
        }
    }
    return written;
}

/* Move the start of a token to the start of raw, and return where WE_TAKEN bytes may be written. */
static inline uint8_t *we_thin_room(we_thin *thin)
{
    const size_t length = thin->at - thin->token; /* less than WE_TOKEN: a longer one is written */
    memmove(thin->raw, thin->raw + thin->token, length);
    thin->token = 0;
    thin->at = thin->end = length;
    return thin->raw + length;
}

#endif
