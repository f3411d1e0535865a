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
    int unit_size;      /* of text: 1 UTF-8, 2 UTF-16, 4 UTF-32 */
    const void *source; /* bytes to decode, or text to encode */
    size_t source_length;
    const void *expected; /* with every error replaced */
    size_t expected_length;
    const size_t *errors; /* decoders: start and end of each; encoders: code point, and end or SIZE_MAX */
    size_t error_count;
    const char *final_name; /* decoders: the name of the encoding after the stream */
    char message[512];
    uint64_t calls;
    int decodes;
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
    static const size_t some[] = {0,  1,   2,   3,   4,   5,   7,   13,  14,  31,   63,   64,
                                  65, 127, 190, 191, 192, 193, 200, 257, 400, 1023, 5000, 20000};
    return seed ? some[next_random(seed) % (sizeof some / sizeof some[0])] : capacity;
}

/* A decoder or an encoder, as the job says. */
typedef union {
    whatwg_decoder decoder;
    whatwg_encoder encoder;
} machine;

static int begin(const job *work, machine *state, int fatal)
{
    const whatwg_encoding *encoding = work->api->for_label(work->label, strlen(work->label));
    const uint32_t flags = fatal ? WHATWG_FATAL : 0;
    if (encoding == NULL)
        return -1;
    if (!work->decodes)
        return work->api->encoder_init(&state->encoder, encoding, flags);
    work->api->decoder_init(&state->decoder, encoding, work->flags | flags);
    return 0;
}

static int call(const job *work, machine *state, const uint8_t *source, size_t *read, uint8_t *target, size_t *written,
                int last)
{
    const whatwg_encoding_api *api = work->api;
    const void *const units = source;
    void *const into = target;
    if (work->decodes)
        return work->unit_size == 1 ? api->decode_to_utf8(&state->decoder, source, read, target, written, last)
               : work->unit_size == 2
                   ? api->decode_to_utf16(&state->decoder, source, read, (uint16_t *)into, written, last)
                   : api->decode_to_utf32(&state->decoder, source, read, (uint32_t *)into, written, last);
    return work->unit_size == 1 ? api->encode_from_utf8(&state->encoder, source, read, target, written, last)
           : work->unit_size == 2
               ? api->encode_from_utf16(&state->encoder, (const uint16_t *)units, read, target, written, last)
               : api->encode_from_utf32(&state->encoder, (const uint32_t *)units, read, target, written, last);
}

/* Return the capacity that the API says suffices for so many units of source. */
static size_t max_length(const job *work, const machine *state, size_t length, int fatal)
{
    const whatwg_encoding_api *api = work->api;
    if (!work->decodes)
        return fatal ? api->max_encoded_length(&state->encoder, length, work->unit_size)
                     : api->max_encoded_length_with_references(&state->encoder, length, work->unit_size);
    return work->unit_size == 1   ? api->max_utf8_length(&state->decoder, length)
           : work->unit_size == 2 ? api->max_utf16_length(&state->decoder, length)
                                  : api->max_utf32_length(&state->decoder, length);
}

/* Write what replaces an error and return its length in units: U+FFFD, or a reference. */
static size_t put_replacement(const job *work, uint8_t *at, uint32_t code_point)
{
    const uint16_t two = 0xFFFD;
    const uint32_t four = 0xFFFD;
    if (!work->decodes)
        return (size_t)sprintf((char *)at, "&#%lu;", (unsigned long)code_point);
    if (work->unit_size == 1)
        memcpy(at, "\xEF\xBF\xBD", 3);
    else if (work->unit_size == 2)
        memcpy(at, &two, 2);
    else
        memcpy(at, &four, 4);
    return work->unit_size == 1 ? 3 : 1;
}

/* Compare an error that was returned after `total` units of source with the one expected. Set the code point. */
static int check_error(job *work, const machine *state, size_t error, size_t total, uint32_t *code_point)
{
    size_t length = 0, after = 0;
    const size_t *const expected = work->errors + 2 * error;
    if (error == work->error_count)
        return fail(work, "an error too many, at %zu", total);
    if (!work->decodes) {
        *code_point = work->api->unmappable(&state->encoder);
        if (expected[0] != *code_point || (expected[1] != SIZE_MAX && expected[1] != total))
            return fail(work, "error U+%04X at %zu, not U+%04X at %zu", (unsigned)*code_point, total,
                        (unsigned)expected[0], expected[1]);
        return 0;
    }
    work->api->malformed(&state->decoder, &length, &after);
    if (expected[0] != total - after - length || expected[1] != total - after || after > 3)
        return fail(work, "error %zu at %zu to %zu, not %zu to %zu", error, total - after - length, total - after,
                    expected[0], expected[1]);
    return 0;
}

/* Check what is known at the end of a stream, besides its output. */
static int check_end(job *work, const machine *state, size_t errors, int fatal)
{
    const uint64_t counted =
        work->decodes ? work->api->error_count(&state->decoder) : work->api->reference_count(&state->encoder);
    if (fatal && counted != 0)
        return fail(work, "%d errors replaced", (int)counted);
    if ((fatal ? errors : counted) != work->error_count)
        return fail(work, "%zu errors, not %zu", (size_t)(fatal ? errors : counted), work->error_count);
    if (!work->decodes)
        return 0;
    const char *const name = work->api->name(work->api->decoder_encoding(&state->decoder));
    if (work->api->pending_length(&state->decoder) != 0)
        return fail(work, "bytes are pending at the end");
    return strcmp(name, work->final_name) != 0 ? fail(work, "the encoding is %s", name) : 0;
}

/* Decode or encode the chunks that end at `ends`, the last of which ends the stream, twice, since a stream that has
 * ended starts again. */
static int run_chunks(job *work, const size_t *ends, size_t chunks, size_t capacity, uint32_t *seed, int fatal)
{
    const size_t unit_size = (size_t)work->unit_size, slack = 64;
    const size_t source_size = work->decodes ? 1 : unit_size, size = work->decodes ? unit_size : 1;
    const size_t enough = !work->decodes ? ENOUGH_BYTES : size == 1 ? ENOUGH_UTF8 : ENOUGH_UNITS;
    const int error_result = work->decodes ? WHATWG_MALFORMED : WHATWG_UNMAPPABLE;
    uint8_t *output = (uint8_t *)malloc((work->expected_length + slack) * size);
    machine state;
    int failed = 0;
    if (begin(work, &state, fatal) != 0)
        return free(output), fail(work, "no such label, or no encoder");
    for (int round = 0; round < 2 && !failed; round++) {
        size_t out = 0, total = 0, errors = 0, begin = 0;
        for (size_t chunk = 0; chunk < chunks && !failed; begin = ends[chunk++]) {
            const size_t length = ends[chunk] - begin;
            const int last = chunk + 1 == chunks;
            uint8_t *source = length ? (uint8_t *)malloc(length * source_size) : NULL;
            size_t at = 0, more = 0;
            int result = WHATWG_OUTPUT_FULL;
            if (length)
                memcpy(source, (const uint8_t *)work->source + begin * source_size, length * source_size);
            while (!failed && (at < length || result != WHATWG_INPUT_EMPTY)) {
                const size_t offered = next_capacity(capacity, seed) + more;
                machine moved = state;
                const size_t most = max_length(work, &moved, length - at, fatal);
                uint8_t *target = new_target(offered * size);
                size_t read = length - at, written = offered;
                memset(&state, 0x5A, sizeof state);
                result = call(work, &moved, read ? source + at * source_size : NULL, &read, target, &written, last);
                state = moved;
                work->calls++;
                if (is_overrun(target, offered * size))
                    failed = fail(work, "wrote behind a capacity of %zu", offered);
                else if (read > length - at || written > offered || written > most)
                    failed = fail(work, "read %zu of %zu, wrote %zu of %zu, at most %zu", read, length - at, written,
                                  offered, most);
                else if (out + written > work->expected_length + slack - ENOUGH_BYTES)
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
                if (result == error_result && fatal) {
                    uint32_t code_point = 0;
                    failed = check_error(work, &state, errors++, total, &code_point);
                    if (!failed)
                        out += put_replacement(work, output + out * size, code_point);
                } else if (result != WHATWG_INPUT_EMPTY) {
                    failed = fail(work, "result %d at %zu", result, total);
                }
            }
            free(source);
        }
        if (failed)
            break;
        if (out != work->expected_length || memcmp(output, work->expected, out * size) != 0)
            failed = fail(work, "wrong output: %zu units, not %zu", out, work->expected_length);
        else
            failed = check_end(work, &state, errors, fatal);
    }
    free(output);
    return failed;
}

static int labelled(job *work, const char *what, const size_t *ends, size_t chunks, size_t capacity, int fatal)
{
    char told[512];
    snprintf(told, sizeof told, "%s%s, %zu chunks (%zu, %zu, …), capacity %zu: %.300s", what, fatal ? " fatal" : "",
             chunks, ends[0], chunks > 1 ? ends[1] : ends[0], capacity, work->message);
    memcpy(work->message, told, sizeof told);
    return 1;
}

/* Convert the whole input into a target of exactly the length of its output: it takes one call, or a sufficient
 * capacity was refused. */
int check_exact(job *work)
{
    const size_t length = work->source_length;
    const uint64_t before = work->calls;
    if (run_chunks(work, &length, 1, work->expected_length, NULL, 0))
        return labelled(work, "exact", &length, 1, work->expected_length, 0);
    return work->calls - before == 2
               ? 0
               : fail(work, "a capacity of just the output's length took %d calls", (int)(work->calls - before));
}

/* Convert the input in one, two and three chunks, some of them empty, and byte by byte, with every capacity up to
 * `most`, in both error modes; then into a target of exactly the right length. */
int check_splits(job *work, size_t most)
{
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
                    if (run_chunks(work, ends, 3, capacity, NULL, fatal))
                        failed = labelled(work, "split", ends, 3, capacity, fatal);
            if (!failed && run_chunks(work, bytes, 2 * length + 1, capacity, NULL, fatal))
                failed = labelled(work, "byte by byte", bytes, 2 * length + 1, capacity, fatal);
        }
    }
    free(bytes);
    return failed || check_exact(work);
}

/* Convert the input in chunks of random lengths with random capacities. */
int check_random(job *work, uint32_t seed, int rounds)
{
    enum { CHUNKS = 8 };
    size_t ends[CHUNKS];
    for (int round = 0; round < rounds; round++) {
        const int fatal = round % 2;
        uint32_t start = seed;
        for (size_t i = 0, begin = 0; i < CHUNKS; i++) {
            const size_t left = work->source_length - begin;
            begin += i + 1 == CHUNKS               ? left
                     : next_random(&seed) % 4 == 0 ? 0
                                                   : next_random(&seed) % (left / 2 + 2) % (left + 1);
            ends[i] = begin;
        }
        if (run_chunks(work, ends, CHUNKS, 0, &seed, fatal))
            return labelled(work, "random", ends, CHUNKS, start, fatal);
    }
    return 0;
}
