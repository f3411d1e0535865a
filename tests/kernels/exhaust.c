/* Decode every four bytes among ASCII, across the blocks of each level, by the loop of a decoder, and compare with its
 * handler item by item: errors are U+FFFD, and an item may end in the ASCII.
 *
 *     exhaust LEVEL FIRST LAST
 *
 * for the first of the four bytes from FIRST to LAST. Prints the bytes that differ, if any, and exits with 1. Compiled
 * with HANDLERS, the file of a chapter's handlers, and with NAME, a decoder of it. */
#include <stdio.h>
#include <stdlib.h>

#include HANDLERS

#define JOINED(name, part) name##part
#define PART(name, part) JOINED(name, part)

enum { BEFORE = 62, AFTER = 8, LENGTH = BEFORE + 4 + AFTER };

/* How many code points the handler makes of the source, of which those from BEFORE on are stored. */
static size_t by_item(const uint8_t *source, uint32_t *found)
{
    we_decode_run run = {.end_of_queue = 1};
    size_t at = BEFORE, out = 0;
    while (at < BEFORE + 4) {
        size_t consumed = 1;
        const uint32_t item = PART(NAME, _decode_item)(&run, source + at, LENGTH - at, &consumed);
        at += consumed;
        found[out++] = item == WE_ITEM_ERROR || item == WE_ITEM_INCOMPLETE ? 0xFFFD : item;
    }
    while (at++ < LENGTH)
        found[out++] = 'a';
    return BEFORE + out;
}

int main(int count, char **arguments)
{
    uint8_t source[LENGTH];
    uint32_t target[LENGTH], expected[LENGTH];
    if (count != 4)
        return 2;
    const int simd = atoi(arguments[1]);
    if (simd > we_simd_best())
        return 3;
    memset(source, 'a', LENGTH);
    const uint64_t first = strtoull(arguments[2], NULL, 0), last = strtoull(arguments[3], NULL, 0);
    for (uint64_t number = first << 24; number < (last + 1) << 24; number++) {
        for (int i = 0; i < 4; i++)
            source[BEFORE + i] = (uint8_t)(number >> (24 - 8 * i));
        we_decode_run run = {.source = source, .source_length = LENGTH, .target = target, .max_code_point = 0x10FFFF};
        run.end_of_queue = 1;
        run.room = LENGTH;
        run.simd = simd;
        const we_result result = PART(whatwg_encoding_codec_, NAME).decode[WE_UCS4](&run);
        const size_t length = by_item(source, expected);
        if (result != WE_INPUT_EMPTY || run.read != LENGTH || run.written != length || target[0] != 'a'
            || target[BEFORE - 1] != 'a' || memcmp(target + BEFORE, expected, (length - BEFORE) * 4) != 0) {
            printf("%02X %02X %02X %02X\n", source[BEFORE], source[BEFORE + 1], source[BEFORE + 2], source[BEFORE + 3]);
            return 1;
        }
    }
    return 0;
}
