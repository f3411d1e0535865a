/* Runs an input through the C API with every split into chunks and every capacity, and compares the results with those
 * of the reference.
 *
 * Sources and targets are heap blocks of exactly the size that the API is given, so that AddressSanitizer detects any
 * access beyond; without it, known bytes follow a target. The state is moved to other memory before each call.
 */
#define WHATWG_ENCODING_NO_PYTHON
#include "whatwg_encoding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, ENOUGH_UTF8 = 4, ENOUGH_UNITS = 2, ENOUGH_BYTES = 13 };

/* The job: what to do, and the expected result. Lengths and positions are in units. */
typedef struct {
    const whatwg_encoding_api *api;
    const char *label;
    uint32_t flags;
    int unit_size;            /* of text: 1 UTF-8, 2 UTF-16, 4 UTF-32 */
    const void *source;       /* bytes to decode, or text to encode */
    size_t source_length;
    const void *expected;     /* with every error replaced */
    size_t expected_length;
    const size_t *errors;     /* decoders: start and end of each; encoders: code point, and end or SIZE_MAX */
    size_t error_count;
    const char *final_name;   /* decoders: the name of the encoding after the stream */
    char message[512];
    uint64_t calls;
} job;

static int fail(job *work, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(work->message, sizeof work->message, format, arguments);
    va_end(arguments);
    return 1;
}

/* A target followed by bytes that must not be written. */
static uint8_t *new_target(size_t size)
{
#if defined(__SANITIZE_ADDRESS__)
    return size ? (uint8_t *)malloc(size) : NULL;
#else
    uint8_t *target = (uint8_t *)malloc(size + GUARD);
    memset(target + size, 0xA5, GUARD);
    return target;
#endif
}

static int is_overrun(const uint8_t *target, size_t size)
{
#if defined(__SANITIZE_ADDRESS__)
    (void)target, (void)size;
    return 0;
#else
    for (size_t i = 0; i < GUARD; i++)
        if (target[size + i] != 0xA5)
            return 1;
    return 0;
#endif
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Return the capacity of a call: constant, or random if `seed` is not null. */
static size_t next_capacity(size_t capacity, uint32_t *seed)
{
    static const size_t some[] = {0, 1, 2, 3, 4, 5, 7, 13, 14, 31, 63, 64, 65, 127, 190, 191, 192, 193, 200, 257,
        400, 1023, 5000, 20000};
    return seed ? some[next_random(seed) % (sizeof some / sizeof some[0])] : capacity;
}

static int call_decode(const job *work, whatwg_decoder *decoder, const uint8_t *source, size_t *read,
    uint8_t *target, size_t *written, int last)
{
    if (work->unit_size == 1)
        return work->api->decode_to_utf8(decoder, source, read, target, written, last);
    if (work->unit_size == 2)
        return work->api->decode_to_utf16(decoder, source, read, (uint16_t *)(void *)target, written, last);
    return work->api->decode_to_utf32(decoder, source, read, (uint32_t *)(void *)target, written, last);
}

static size_t max_decoded(const job *work, const whatwg_decoder *decoder, size_t length)
{
    return work->unit_size == 1   ? work->api->max_utf8_length(decoder, length)
           : work->unit_size == 2 ? work->api->max_utf16_length(decoder, length)
                                  : work->api->max_utf32_length(decoder, length);
}

static size_t put_replacement(const job *work, uint8_t *at)
{
    if (work->unit_size == 1) {
        memcpy(at, "\xEF\xBF\xBD", 3);
        return 3;
    }
    if (work->unit_size == 2) {
        const uint16_t unit = 0xFFFD;
        memcpy(at, &unit, 2);
    } else {
        const uint32_t unit = 0xFFFD;
        memcpy(at, &unit, 4);
    }
    return 1;
}

/* Decode the chunks that end at `ends`, the last of which ends the stream, twice, since a stream that has ended starts
 * again. */
static int decode_chunks(job *work, const size_t *ends, size_t chunks, size_t capacity, uint32_t *seed, int fatal)
{
    const size_t size = (size_t)work->unit_size, enough = size == 1 ? ENOUGH_UTF8 : ENOUGH_UNITS, slack = 32;
    const whatwg_encoding *encoding = work->api->for_label(work->label, strlen(work->label));
    uint8_t *output = (uint8_t *)malloc((work->expected_length + slack) * size);
    whatwg_decoder state;
    int failed = 0;
    if (encoding == NULL)
        return free(output), fail(work, "no such label");
    work->api->decoder_init(&state, encoding, work->flags | (fatal ? WHATWG_FATAL : 0));
    for (int round = 0; round < 2 && !failed; round++) {
        size_t out = 0, total = 0, errors = 0, begin = 0;
        for (size_t chunk = 0; chunk < chunks && !failed; begin = ends[chunk++]) {
            const size_t length = ends[chunk] - begin;
            const int last = chunk + 1 == chunks;
            uint8_t *source = length ? (uint8_t *)malloc(length) : NULL;
            size_t at = 0, more = 0;
            int result = WHATWG_OUTPUT_FULL;
            if (length)
                memcpy(source, (const uint8_t *)work->source + begin, length);
            while (!failed && (at < length || result != WHATWG_INPUT_EMPTY)) {
                const size_t offered = next_capacity(capacity, seed) + more;
                whatwg_decoder moved = state;
                const size_t most = max_decoded(work, &moved, length - at);
                uint8_t *target = new_target(offered * size);
                size_t read = length - at, written = offered;
                memset(&state, 0x5A, sizeof state);
                result = call_decode(work, &moved, read ? source + at : NULL, &read, target, &written, last);
                state = moved;
                work->calls++;
                if (is_overrun(target, offered * size))
                    failed = fail(work, "wrote behind a capacity of %zu", offered);
                else if (read > length - at || written > offered || written > most)
                    failed = fail(work, "read %zu of %zu, wrote %zu of %zu, at most %zu", read, length - at, written,
                        offered, most);
                else if (out + written > work->expected_length + slack - 4)
                    failed = fail(work, "too much output");
                else if (result == WHATWG_OUTPUT_FULL && offered >= most)
                    failed = fail(work, "full with a capacity of %zu, which suffices", offered);
                else if (result == WHATWG_INPUT_EMPTY && read != length - at)
                    failed = fail(work, "not all was read");
                if (!failed && written)
                    memcpy(output + out * size, target, written * size);
                free(target);
                out += written;
                at += read;
                total += read;
                if (failed)
                    break;
                if (result == WHATWG_OUTPUT_FULL) {
                    if (read == 0 && written == 0 && offered >= enough)
                        failed = fail(work, "no progress with a capacity of %zu", offered);
                    more = read == 0 && written == 0 ? more + 1 : 0;
                    continue;
                }
                more = 0;
                if (result == WHATWG_MALFORMED) {
                    size_t error_length = 0, after = 0;
                    work->api->malformed(&state, &error_length, &after);
                    const size_t end = total - after;
                    if (!fatal || errors == work->error_count)
                        failed = fail(work, "an error too many, at %zu", end);
                    else if (work->errors[2 * errors] != end - error_length || work->errors[2 * errors + 1] != end
                        || (after && after > 3))
                        failed = fail(work, "error %zu at %zu to %zu, not %zu to %zu", errors, end - error_length, end,
                                      work->errors[2 * errors], work->errors[2 * errors + 1]);
                    errors++;
                    out += put_replacement(work, output + out * size);
                } else if (result != WHATWG_INPUT_EMPTY) {
                    failed = fail(work, "result %d", result);
                }
            }
            free(source);
        }
        if (failed)
            break;
        if (out != work->expected_length || memcmp(output, work->expected, out * size) != 0)
            failed = fail(work, "wrong output: %zu units, not %zu", out, work->expected_length);
        else if ((fatal ? errors : work->api->error_count(&state)) != work->error_count)
            failed = fail(work, "%llu errors, not %zu",
                (unsigned long long)(fatal ? errors : work->api->error_count(&state)),
                          work->error_count);
        else if (strcmp(work->api->name(work->api->decoder_encoding(&state)), work->final_name) != 0)
            failed = fail(work, "the encoding is %s", work->api->name(work->api->decoder_encoding(&state)));
    }
    free(output);
    return failed;
}

static int call_encode(const job *work, whatwg_encoder *encoder, const uint8_t *source, size_t *read,
    uint8_t *target, size_t *written, int last)
{
    if (work->unit_size == 1)
        return work->api->encode_from_utf8(encoder, source, read, target, written, last);
    if (work->unit_size == 2)
        return work->api->encode_from_utf16(encoder, (const uint16_t *)(const void *)source, read, target, written,
            last);
    return work->api->encode_from_utf32(encoder, (const uint32_t *)(const void *)source, read, target, written, last);
}

static int encode_chunks(job *work, const size_t *ends, size_t chunks, size_t capacity, uint32_t *seed, int fatal)
{
    const size_t size = (size_t)work->unit_size, slack = 64;
    const whatwg_encoding *encoding = work->api->for_label(work->label, strlen(work->label));
    uint8_t *output = (uint8_t *)malloc(work->expected_length + slack);
    whatwg_encoder state;
    int failed = 0;
    if (encoding == NULL || work->api->encoder_init(&state, encoding, fatal ? WHATWG_FATAL : 0) != 0)
        return free(output), fail(work, "no encoder");
    for (int round = 0; round < 2 && !failed; round++) {
        size_t out = 0, total = 0, errors = 0, begin = 0;
        for (size_t chunk = 0; chunk < chunks && !failed; begin = ends[chunk++]) {
            const size_t length = ends[chunk] - begin;
            const int last = chunk + 1 == chunks;
            uint8_t *source = length ? (uint8_t *)malloc(length * size) : NULL;
            size_t at = 0, more = 0;
            int result = WHATWG_OUTPUT_FULL;
            if (length)
                memcpy(source, (const uint8_t *)work->source + begin * size, length * size);
            while (!failed && (at < length || result != WHATWG_INPUT_EMPTY)) {
                const size_t offered = next_capacity(capacity, seed) + more;
                whatwg_encoder moved = state;
                const size_t most = work->api->max_encoded_length(&moved, length - at, work->unit_size);
                uint8_t *target = new_target(offered);
                size_t read = length - at, written = offered;
                memset(&state, 0x5A, sizeof state);
                result = call_encode(work, &moved, read ? source + at * size : NULL, &read, target, &written, last);
                state = moved;
                work->calls++;
                if (is_overrun(target, offered))
                    failed = fail(work, "wrote behind a capacity of %zu", offered);
                else if (read > length - at || written > offered || (fatal && written > most))
                    failed = fail(work, "read %zu of %zu, wrote %zu of %zu, at most %zu", read, length - at, written,
                        offered, most);
                else if (out + written > work->expected_length + slack - 10)
                    failed = fail(work, "too much output");
                else if (fatal && result == WHATWG_OUTPUT_FULL && offered >= most)
                    failed = fail(work, "full with a capacity of %zu, which suffices", offered);
                else if (result == WHATWG_INPUT_EMPTY && read != length - at)
                    failed = fail(work, "not all was read");
                if (!failed && written)
                    memcpy(output + out, target, written);
                free(target);
                out += written;
                at += read;
                total += read;
                if (failed)
                    break;
                if (result == WHATWG_OUTPUT_FULL) {
                    if (read == 0 && written == 0 && offered >= ENOUGH_BYTES)
                        failed = fail(work, "no progress with a capacity of %zu", offered);
                    more = read == 0 && written == 0 ? more + 1 : 0;
                    continue;
                }
                more = 0;
                if (result == WHATWG_UNMAPPABLE) {
                    const uint32_t code_point = work->api->unmappable(&state);
                    if (!fatal || errors == work->error_count)
                        failed = fail(work, "an error too many, U+%04X at %zu", (unsigned)code_point, total);
                    else if (work->errors[2 * errors] != code_point
                             || (work->errors[2 * errors + 1] != SIZE_MAX && work->errors[2 * errors + 1] != total))
                        failed = fail(work, "error U+%04X at %zu, not U+%04X at %zu", (unsigned)code_point, total,
                                      (unsigned)work->errors[2 * errors], work->errors[2 * errors + 1]);
                    errors++;
                    out += (size_t)sprintf((char *)output + out, "&#%lu;", (unsigned long)code_point);
                } else if (result != WHATWG_INPUT_EMPTY) {
                    failed = fail(work, "result %d", result);
                }
            }
            free(source);
        }
        if (failed)
            break;
        if (out != work->expected_length || memcmp(output, work->expected, out) != 0)
            failed = fail(work, "wrong output: %zu bytes, not %zu", out, work->expected_length);
        else if (fatal && errors != work->error_count)
            failed = fail(work, "%zu errors, not %zu", errors, work->error_count);
    }
    free(output);
    return failed;
}

typedef int (*runner)(job *, const size_t *, size_t, size_t, uint32_t *, int);

static int labelled(job *work, const char *what, const size_t *ends, size_t chunks, size_t capacity, int fatal)
{
    char told[512];
    snprintf(told, sizeof told, "%s%s, %zu chunks (%zu, %zu, …), capacity %zu: %.300s", what, fatal ? " fatal" : "",
        chunks, ends[0],
             chunks > 1 ? ends[1] : ends[0], capacity, work->message);
    memcpy(work->message, told, sizeof told);
    return 1;
}

/* Convert the whole input into a target of exactly the length of its output: it takes one call, or a sufficient
 * capacity was refused. */
int check_exact(job *work, int decodes)
{
    const size_t length = work->source_length;
    const uint64_t before = work->calls;
    if ((decodes ? decode_chunks : encode_chunks)(work, &length, 1, work->expected_length, NULL, 0))
        return labelled(work, "exact", &length, 1, work->expected_length, 0);
    return work->calls - before == 2 ? 0 : fail(work, "a capacity of just the output's length took %d calls",
        (int)(work->calls - before));
}

/* Convert the input in one, two and three chunks, some of them empty, and byte by byte, with every capacity up to
 * `most`, in both error modes; then into a target of exactly the right length. */
int check_splits(job *work, int decodes, size_t most)
{
    const runner run = decodes ? decode_chunks : encode_chunks;
    const size_t length = work->source_length;
    size_t *bytes = (size_t *)malloc((2 * length + 1) * sizeof(size_t)), ends[3];
    int failed = 0;
    for (size_t i = 0; i < length; i++)
        bytes[2 * i] = i, bytes[2 * i + 1] = i + 1; /* an empty chunk before each byte */
    bytes[2 * length] = length;
    for (int fatal = 0; fatal < 2 && !failed; fatal++) {
        for (size_t capacity = 0; capacity <= most && !failed; capacity++) {
            for (ends[0] = 0; ends[0] <= length && !failed; ends[0]++)
                for (ends[1] = ends[0], ends[2] = length; ends[1] <= length && !failed; ends[1]++)
                    if (run(work, ends, 3, capacity, NULL, fatal))
                        failed = labelled(work, "split", ends, 3, capacity, fatal);
            if (!failed && run(work, bytes, 2 * length + 1, capacity, NULL, fatal))
                failed = labelled(work, "byte by byte", bytes, 2 * length + 1, capacity, fatal);
        }
    }
    free(bytes);
    return failed || check_exact(work, decodes);
}

/* Convert the input in chunks of random lengths with random capacities. */
int check_random(job *work, int decodes, uint32_t seed, int rounds)
{
    enum { CHUNKS = 8 };
    size_t ends[CHUNKS];
    for (int round = 0; round < rounds; round++) {
        const int fatal = round % 2;
        uint32_t start = seed;
        for (size_t i = 0, begin = 0; i < CHUNKS; i++) {
            const size_t left = work->source_length - begin;
            begin += i + 1 == CHUNKS ? left : next_random(&seed) % 4 == 0
                ? 0 : next_random(&seed) % (left / 2 + 2) % (left + 1);
            ends[i] = begin;
        }
        if ((decodes ? decode_chunks : encode_chunks)(work, ends, CHUNKS, 0, &seed, fatal))
            return labelled(work, "random", ends, CHUNKS, start, fatal);
    }
    return 0;
}
