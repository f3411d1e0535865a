/* Print the work that detection does on the standard input: the bytes that are copied or searched, and those that
 * decoders are given. Decoders are stand-ins that only count; the sample limit is the first argument. */
#include "whatwg_encoding.h" /* first, since it includes Python.h */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t work;

static void *counted_copy(void *target, const void *source, size_t length)
{
    work += length;
    return memcpy(target, source, length);
}

static void *counted_search(const void *bytes, int byte, size_t length)
{
    void *place = memchr(bytes, byte, length);
    work += place ? (size_t)((uint8_t *)place - (const uint8_t *)bytes) : length;
    return place;
}

#define memcpy counted_copy
#define memchr counted_search
#include "judge.h"
#undef memcpy
#undef memchr

static void begin(whatwg_decoder *decoder, const whatwg_encoding *encoding, uint32_t flags)
{
    (void)encoding, (void)flags;
    memset(decoder, 0, sizeof *decoder);
}

static int decode(whatwg_decoder *decoder, const uint8_t *source, size_t *source_length, uint16_t *target,
                  size_t *target_length, int last)
{
    size_t length = *source_length < *target_length ? *source_length : *target_length;
    (void)decoder, (void)last;
    for (size_t unit = 0; unit < length; unit++)
        target[unit] = source[unit];
    work += length;
    int is_full = length < *source_length;
    *source_length = *target_length = length;
    return is_full ? WHATWG_OUTPUT_FULL : WHATWG_INPUT_EMPTY;
}

static uint64_t errors(const whatwg_decoder *decoder)
{
    (void)decoder;
    return 0;
}

int main(int count, char **arguments)
{
    static we_work memory;
    static uint16_t symbols[2][256];
    static uint8_t data[1 << 24];
    int64_t costs[WE_CANDIDATES];
    whatwg_encoding_api api = {0};
    size_t length = fread(data, 1, sizeof data, stdin);
    if (count != 2)
        return 2;
    api.decoder_init = begin;
    api.decode_to_utf16 = decode;
    api.error_count = errors;
    we_model_fill();
    work = 0;
    for (int byte = 0; byte < 256; byte++) {
        symbols[0][byte] = we_symbol((uint32_t)byte);
        symbols[1][byte] = we_symbol(byte < 0x80 ? (uint32_t)byte : 0x400u + (uint32_t)byte % 0x60);
    }
    we_candidate candidates[] = {
        {NULL, NULL, WE_UTF_8, 0},  {NULL, NULL, WE_JAPANESE, 0},          {NULL, NULL, WE_ISO_2022_JP, 0},
        {NULL, NULL, WE_UTF_16, 0}, {NULL, symbols[0], WE_SINGLE_BYTE, 0}, {NULL, symbols[1], WE_SINGLE_BYTE, 0},
    };
    size_t number = sizeof candidates / sizeof *candidates;
    we_examined text = {data, length, 0, -1, 0, length, 0, we_has_nuls(data, length), 0};
    we_c_api = &api;
    we_detect(candidates, number, data, length, strtoull(arguments[1], NULL, 10), we_structures_of(&text), number, 0,
              &memory, costs);
    printf("%llu\n", (unsigned long long)work);
    return 0;
}
