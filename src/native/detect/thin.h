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
    WE_RAW = 256 /* bytes that are taken from the data at a time */
};

typedef struct {
    uint16_t tags[WE_CONTEXTS], counts[WE_CONTEXTS];
    size_t contexts; /* distinct ones */
    uint8_t token[WE_TOKEN];
    size_t length;
    uint8_t before;      /* the byte before the token */
    uint8_t is_mixed;    /* the token has a byte beyond ASCII */
    uint8_t is_long;     /* the token's start was written, and its rest is, too */
    uint8_t is_left_out; /* a token beyond ASCII was, and none was kept since */
    uint8_t raw[WE_RAW];
    size_t raw_at, raw_end;
} we_thin;

static inline void we_thin_begin(we_thin *thin)
{
    memset(thin, 0, offsetof(we_thin, token));
    thin->length = thin->raw_at = thin->raw_end = 0;
    thin->before = ' ';
    thin->is_mixed = thin->is_long = thin->is_left_out = 0;
}

/* Return whether a byte divides tokens. None of them is in a sequence of several bytes. */
static inline int we_divides(uint8_t byte)
{
    switch (byte) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case '<':
    case '>':
    case ',':
    case ';':
    case '"':
    case '(':
    case ')':
    case '&':
    case '=':
        return 1;
    default:
        return 0;
    }
}

/* Count a context by its hash, and return whether it is a new one, or one that counts again. */
static inline int we_thin_counts(we_thin *thin, uint32_t hash)
{
    const uint16_t tag = (uint16_t)(hash >> 16 | 1);
    for (unsigned probe = 0; probe < WE_PROBES; probe++) {
        const unsigned slot = (hash + probe) & (WE_CONTEXTS - 1);
        if (thin->tags[slot] == tag) {
            thin->counts[slot] += thin->counts[slot] < UINT16_MAX;
            const uint16_t count = thin->counts[slot];
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
    return byte - '0' < 10u ? '0' : byte;
}

/* Return whether the token, which ends before a byte, has a context that counts. */
static inline int we_thin_keeps(we_thin *thin, uint8_t after)
{
    int keeps = 0;
    for (size_t at = 0; at < thin->length; at++) {
        if (thin->token[at] < 0x80)
            continue;
        uint32_t hash = 0x9E3779B1u * (1u + we_folded(at ? thin->token[at - 1] : thin->before));
        for (; at < thin->length && thin->token[at] >= 0x80; at++)
            hash = (hash ^ thin->token[at]) * 0x01000193u;
        hash = (hash ^ we_folded(at < thin->length ? thin->token[at] : after)) * 0x85EBCA6Bu;
        keeps |= we_thin_counts(thin, hash ^ hash >> 15);
    }
    return keeps;
}

/* Write the token, if it is kept, and return the number of bytes, at most WE_TOKEN + 1. `after`: the byte that follows
 * it. A long one is kept, since its end might be within a sequence. */
static inline size_t we_thin_flush(we_thin *thin, uint8_t after, uint8_t *target)
{
    const size_t length = thin->length;
    const int was_left_out = thin->is_left_out,
              keeps = (thin->is_mixed ? we_thin_keeps(thin, after) : !was_left_out) | (length == WE_TOKEN);
    if (thin->is_mixed)
        thin->is_left_out = !keeps;
    thin->length = 0;
    thin->is_mixed = 0;
    if (!keeps)
        return 0;
    target[0] = thin->before;                           /* again, if what was between is left out */
    memcpy(target + was_left_out, thin->token, length); /* at most WE_TOKEN */
    return was_left_out + length;
}

/* Take raw bytes until `capacity` bytes or more are written, at most WE_TOKEN + 1 more, or there are none left; return
 * the number of bytes that are written. */
static inline size_t we_thin_add(we_thin *thin, uint8_t *target, size_t capacity)
{
    size_t written = 0;
    while (thin->raw_at < thin->raw_end && written < capacity) {
        const uint8_t byte = thin->raw[thin->raw_at++];
        if (we_divides(byte)) {
            if (thin->length)
                written += we_thin_flush(thin, byte, target + written);
            thin->is_long = 0;
            if (!thin->is_left_out)
                target[written++] = byte;
            thin->before = byte;
        } else if (thin->is_long) {
            target[written++] = byte;
        } else {
            thin->token[thin->length++] = byte;
            thin->is_mixed |= byte >> 7;
            if (thin->length == WE_TOKEN) {
                written += we_thin_flush(thin, byte, target + written);
                thin->is_long = 1;
            }
        }
    }
    return written;
}

#endif
