/* Judges the kernels of a chapter on random text: `judge ROUNDS`. Or a decoder at a level on every four bytes of which
 * the first is in a range: `judge NAME LEVEL FIRST LAST`.
 *
 * What a kernel converts is what the handler makes of each item; a decoder's loop does as the handler does, errors
 * replaced; and every level reads and writes as much as the scalar twin does. Sources and targets end at a guard page.
 * HANDLERS is the file of the chapter's handlers, with a CASE for each codec; without it, the kernels that no codec has
 * are judged, by a line each. Prints the first difference and exits with 1. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
/* What these tests are run on Windows for: types of these sizes, unlike everywhere else. */
_Static_assert(sizeof(long) == 4 && sizeof(wchar_t) == 2 && sizeof(size_t) == sizeof(void *), "not Windows' types");
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(HANDLERS)
#include HANDLERS
#else
#include "dispatch.h"
#endif

enum { ROOM = 1 << 17, LONGEST = 5000, MANY = 17000, CANARY = 64 };
enum { OF_ENCODER, OF_UTF_16BE, OF_UTF_16LE, OF_BYTES }; /* what a decoder's source is made of */

static uint8_t *source_end, *target_end, *table_end;
static uint32_t texts[MANY];
static uint64_t chance = 1;
static const char *judged = "";
static size_t codec;   /* its number */
static uint64_t input; /* the round, or the four bytes */

static uint32_t below(uint32_t limit)
{
    chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(chance >> 33) % limit;
}

static void expect(int holds, const char *claim, int simd, int kind)
{
    if (!holds) {
        printf("%s, level %d, kind %d, input %llX: %s\n", judged, simd, kind, (unsigned long long)input, claim);
        exit(1);
    }
}

/* Memory that ends at a page that must not be touched. */
static uint8_t *guarded(void)
{
#if defined(_WIN32)
    enum { PAGE = 4096 };
    DWORD before;
    uint8_t *const memory = VirtualAlloc(NULL, ROOM + PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (memory == NULL || !VirtualProtect(memory + ROOM, PAGE, PAGE_NOACCESS, &before))
        exit(2);
#else
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *const memory = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + ROOM, page, PROT_NONE) != 0)
        exit(2);
#endif
    return memory + ROOM;
}

/* A target of a size, after bytes that stay as they are. */
static uint8_t *new_target(size_t size)
{
    memset(target_end - size - CANARY, 0xA5, size + CANARY);
    return target_end - size;
}

static void expect_canary(size_t size, int simd, int kind)
{
    for (size_t i = 1; i <= CANARY; i++)
        expect(target_end[-(ptrdiff_t)(size + i)] == 0xA5, "nothing is written before the target", simd, kind);
}

/* Fill the stack, so that keys which a kernel never set are outside its tables. */
static void __attribute__((noinline)) fill_stack(void)
{
    uint8_t below_it[4096];
    memset(below_it, 0xFF, sizeof below_it);
    __asm__ volatile("" : : "r"(below_it) : "memory");
}

/* Code points in runs, as texts have them, of few ranges each. */
static uint32_t some_code_point(unsigned range)
{
    static const uint32_t RANGES[][2] = {{0x61, 0x7A},     {0, 0x7F},          {0x80, 0xFF},     {0xA0, 0xFF},
                                         {0x80, 0x7FF},    {0x370, 0x45F},     {0xE01, 0xE5B},   {0x3041, 0x30FF},
                                         {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},   {0xFF61, 0xFF9F}, {0x800, 0xFFFF},
                                         {0x800, 0xFFFF},  {0x10000, 0x10FFFF}};
    static const uint32_t ENDS[] = {0,      0x0E,   0x0F,   0x1B,   0x5C,   0x7E,   0x7F,   0x80,    0xA5,    0xFF,
                                    0x100,  0x203E, 0x7FF,  0x800,  0xFFF,  0x1000, 0x20AC, 0x2212,  0xD7FF,  0xD800,
                                    0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFF00, 0xFFFD, 0xFFFF, 0x10000, 0x3FFFF, 0x10FFFF};
    enum { COUNT = sizeof RANGES / sizeof RANGES[0] };
    if (range >= COUNT)
        return ENDS[below(sizeof ENDS / sizeof ENDS[0])];
    return RANGES[range][0] + below(RANGES[range][1] - RANGES[range][0] + 1);
}

static size_t some_length(void)
{
    static const uint32_t MOST[] = {8, 20, 40, 80, 80, 150, 150, 300, 600, 2000};
    if (below(4) == 0) { /* around the length of blocks and pieces */
        const uint32_t length = (32u << below(7)) * (1 + below(2)), around = below(24);
        return length - 8 + around;
    }
    return below(100) == 0 ? below(LONGEST) : below(MOST[below(10)]);
}

static size_t some_text(uint32_t most)
{
    const size_t length = some_length();
    if (below(3) == 0) { /* one letter, and a few others, often where a block begins, or with its low bits */
        static const uint32_t LETTERS[] = {'a', 'a', 'a', 0, 0x80, 0xE9, 0x3042, 0x4E9C, 0xAC00, 0x1F600};
        const uint32_t some = LETTERS[below(10)], letter = some <= most ? some : 'a';
        const size_t start = 8 * below(4);
        for (size_t i = 0; i < length; i++)
            texts[i] = i < start ? 'a' : letter;
        for (uint32_t others = below(4); others > 0 && length > 0; others--) {
            const uint32_t above = 0x10000 * (1 + below(15)), at = below((uint32_t)length);
            const uint32_t other = below(4) ? some_code_point(below(16)) : letter % 0x10000 + above;
            texts[below(2) ? at : at & ~15u] = other <= most ? other : most;
        }
        return length;
    }
    const unsigned ranges[3] = {below(16), below(4) ? 0 : below(16), below(16)};
    const uint32_t longest = 1u << below(8), seldom = below(2) ? 0 : 1 + below(40);
    for (size_t i = 0; i < length;) {
        const unsigned range = ranges[seldom && below(seldom) == 0 ? 2 : below(2)];
        for (uint32_t count = 1 + below(longest); count > 0 && i < length; count--) {
            const uint32_t code_point = some_code_point(range);
            if (code_point <= most)
                texts[i++] = code_point;
            else
                texts[i++] = most > 0xFF ? code_point & 0xFFFF : code_point & 0xFF;
        }
    }
    return length;
}

#if defined(HANDLERS)
typedef uint32_t (*decode_item)(we_decode_run *, const uint8_t *, size_t, size_t *);
typedef size_t (*decode_kernel)(we_decode_run *, int, int, const uint8_t *, size_t, void *, size_t *);
typedef size_t (*encode_item)(we_encode_run *, uint32_t, uint8_t *, uint32_t *);
typedef size_t (*encode_kernel)(we_encode_run *, int, const void *, size_t, uint8_t *, size_t *);

typedef struct {
    const char *name;
    const we_codec *codec;
    decode_item decode_item;
    decode_kernel decode_kernel;
    int made_of;
    encode_item encode_item;
    encode_kernel encode_kernel;
    int has_state;
} codec_case;

static size_t unit_size(int kind)
{
    return kind == WE_UCS2 ? 2 : kind == WE_UCS4 ? 4 : 1;
}

/* ---- Decoders ---- */

/* Any item that a decoder without state has; return its code point, 0 in vain. */
static uint32_t some_item(const codec_case *tested, uint8_t *bytes, size_t *length)
{
    for (int trial = 0; trial < 8; trial++) {
        we_decode_run run = {.tables = tested->codec->tables};
        for (int k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(k == 0 ? 0x80 + below(0x80) : below(0x100));
        *length = 1;
        const uint32_t code_point = tested->decode_item(&run, bytes, 4, length);
        if (code_point <= 0x10FFFF)
            return code_point;
    }
    bytes[0] = 0;
    *length = 1;
    return 0;
}

/* Replace what is not ASCII in a text by code points that the codec has, and by those that differ from the one before
 * in a bit, as the numbers of blocks in a table do. */
static void take_items(const codec_case *tested, size_t length, uint32_t most)
{
    uint32_t before = 0x80;
    for (size_t i = 0; i < length; i++) {
        uint8_t bytes[4];
        size_t count;
        if (texts[i] < 0x80)
            continue;
        texts[i] = (below(4) ? some_item(tested, bytes, &count) : before ^ 0x80u << below(9)) & most;
        before = texts[i];
    }
}

/* Bytes of a text, of which some are others; return how many. */
static size_t some_bytes(const codec_case *tested, uint8_t *bytes)
{
    const size_t count = some_text(0x10FFFF);
    const int is_of_items = tested->made_of == OF_ENCODER && !tested->has_state && below(3) == 0;
    size_t length = 0;
    we_encode_run run = {.tables = tested->codec->tables};
    for (size_t i = 0; i < count; i++) {
        const uint32_t unit = texts[i];
        if (is_of_items && unit >= 0x80) {
            size_t more;
            some_item(tested, bytes + length, &more);
            length += more;
        } else if (tested->made_of == OF_ENCODER) {
            uint32_t error = WE_NO_ERROR;
            length += tested->encode_item(&run, unit, bytes + length, &error);
        } else if (tested->made_of == OF_BYTES) {
            bytes[length++] = (uint8_t)unit;
        } else {
            uint32_t units[2] = {unit, 0};
            if (unit > 0xFFFF) {
                units[0] = 0xD800 + ((unit - 0x10000) >> 10);
                units[1] = 0xDC00 + (unit & 0x3FF);
            }
            for (int k = 0; k < 1 + (unit > 0xFFFF); k++) {
                bytes[length++] = (uint8_t)(tested->made_of == OF_UTF_16BE ? units[k] >> 8 : units[k]);
                bytes[length++] = (uint8_t)(tested->made_of == OF_UTF_16BE ? units[k] : units[k] >> 8);
            }
        }
    }
    for (uint32_t damage = below(2) ? below(4) : 0; damage > 0 && length > 0; damage--) {
        uint8_t *const at = &bytes[below((uint32_t)length)];
        we_decode_run items = {.tables = tested->codec->tables};
        size_t consumed = 1;
        *at = (uint8_t)(below(2) ? below(256) : some_code_point(15));
        for (int trial = 0; trial < 8 && is_of_items && tested->decode_item(&items, at, 1, &consumed) <= 0x10FFFF;
             trial++)
            *at = (uint8_t)(0x80 + below(0x80));
    }
    if (tested->has_state && below(2) && length > 6) { /* its encoder has not all of them */
        static const char ESCAPES[][4] = {"\x1B(B", "\x1B(J", "\x1B(I", "\x1B$@", "\x1B$B"};
        memcpy(bytes + below((uint32_t)length - 3), ESCAPES[below(5)], 3);
    }
    if (tested->has_state && below(4) == 0 && length > 64) /* the byte after a block, which its last pair may take */
        bytes[64 * (1 + below((uint32_t)(length - 1) / 64))] |= 0x80;
    if (below(4) == 0 && length > 0)
        length -= 1 + below(length < 3 ? (uint32_t)length : 3);
    return length;
}

static uint8_t bytes_of_text[4 * LONGEST + 64], by_scalar[12 * LONGEST + 64];
static size_t decoded[64], encoded[64]; /* by the kernels of each codec */

/* Compare what was written for the first `read` bytes with what the handler makes of them; errors are U+FFFD. */
static void expect_items(const codec_case *tested, we_decode_run items, const uint8_t *source, size_t length,
                         size_t read, const uint8_t *target, int kind, size_t written)
{
    const size_t size = unit_size(kind);
    size_t at = 0, out = 0, errors = items.error_count;
    while (at < read) {
        size_t consumed = 1;
        uint32_t item = tested->decode_item(&items, source + at, length - at, &consumed);
        uint32_t points[2] = {item, 0};
        at += consumed;
        if (item == WE_ITEM_NONE)
            continue;
        if (item == WE_ITEM_ERROR || item == WE_ITEM_INCOMPLETE) {
            expect(items.error_mode == WE_REPLACE, "what the kernel has read is no error", items.simd, kind);
            points[0] = 0xFFFD;
            errors++;
        } else if (item > 0x10FFFF) {
            points[0] = item >> 16;
            points[1] = item & 0xFFFF;
        }
        for (int k = 0; k < 2 && (k == 0 || points[1]); k++) {
            uint8_t expected[4];
            size_t bytes = size;
            if (kind == WE_UTF8)
                bytes = we_put_utf8(expected, points[k]);
            else
                we_unit_put(expected, kind, 0, points[k]);
            expect(points[k] <= items.max_code_point, "the code point fits", items.simd, kind);
            expect(memcmp(target + out * size, expected, bytes) == 0, "the code point", items.simd, kind);
            out += kind == WE_UTF8 ? bytes : 1;
        }
    }
    expect(at == read, "it ends where an item does", items.simd, kind);
    expect(out == written, "how much is written", items.simd, kind);
}

static void judge_decoder(const codec_case *tested)
{
    const size_t length = some_bytes(tested, bytes_of_text);
    uint8_t *const source = source_end - length;
    memcpy(source, bytes_of_text, length);
    const int kind = (int)below(4), after_error = below(8) == 0, is_loop = (int)below(2);
    const size_t room = (kind == WE_UCS2 || kind == WE_UCS4) && below(3) == 0 ? below((uint32_t)length + 1) : length;
    const size_t size = kind == WE_UTF8 ? WE_UTF8_PER_BYTE * length : room * unit_size(kind);
    we_decode_run start = {.source = source, .source_length = length, .room = room, .tables = tested->codec->tables};
    we_single_byte_tables tables;
    if (start.tables != NULL) { /* the index, too, ends at a guard page */
        tables = *(const we_single_byte_tables *)start.tables;
        tables.index = memcpy(table_end - 128 * sizeof *tables.index, tables.index, 128 * sizeof *tables.index);
        start.tables = &tables;
    }
    start.max_code_point = kind == WE_UCS1 ? (below(4) ? 0xFF : 0x7F) : kind == WE_UCS2 ? 0xFFFF : 0x10FFFF;
    start.end_of_queue = (int)below(2);
    start.error_mode = is_loop ? WE_REPLACE : WE_STOP;
    start.state.iso_2022_jp_decoder_output_state = (uint8_t)below(4);
    start.state.iso_2022_jp_output = (uint8_t)below(2);
    size_t read = 0, written = 0;
    we_decode_run first = start;
    we_result result = WE_INPUT_EMPTY;
    for (int simd = 0; simd <= we_simd_best(); simd++) {
        we_decode_run run = start;
        uint8_t *const target = new_target(size);
        run.simd = simd;
        run.target = target;
        fill_stack();
        if (is_loop) {
            const we_result of_level = tested->codec->decode[kind](&run);
            expect(simd == 0 || of_level == result, "the result is that of the scalar twin", simd, kind);
            result = of_level;
        } else {
            run.written = kind == WE_UTF8 ? size : room;
            run.read = tested->decode_kernel(&run, kind, after_error, source, length, target, &run.written);
        }
        expect_canary(size, simd, kind);
        decoded[codec] += is_loop ? 0 : run.read;
        if (simd == 0) {
            first = run;
            read = run.read;
            written = run.written;
            expect(read <= length && written * unit_size(kind) <= size, "it stays within both", simd, kind);
            start.target = target;
            if (!is_loop || result == WE_INPUT_EMPTY || result == WE_OUTPUT_FULL || result == WE_WIDEN)
                expect_items(tested, start, source, length, read, target, kind, written);
            memcpy(by_scalar, target, written * unit_size(kind));
        }
        expect(run.read == read && run.written == written, "it goes as far as the scalar twin", simd, kind);
        expect(memcmp(target, by_scalar, written * unit_size(kind)) == 0, "it writes what the scalar twin does", simd,
               kind);
        expect(memcmp(&run.state, &first.state, sizeof run.state) == 0 && run.error_count == first.error_count,
               "the state after it", simd, kind);
    }
}

/* ---- Encoders ---- */

static void judge_encoder(const codec_case *tested)
{
    static const uint32_t MOST[] = {0xFF, 0xFFFF, 0x10FFFF};
    static const uint8_t STATES[] = {WE_ISO_2022_JP_ASCII, WE_ISO_2022_JP_ROMAN, WE_ISO_2022_JP_JIS0208};
    const int kind = (int)below(3), is_loop = (int)below(2);
    const size_t length = some_text(MOST[kind]), size = length * tested->codec->encode_capacity[kind] + WE_ENCODE_SLACK;
    uint8_t *const source = source_end - (length << kind);
    if (!tested->has_state && below(3) == 0)
        take_items(tested, length, MOST[kind]);
    for (size_t i = 0; i < length; i++)
        we_unit_put(source, kind, i, texts[i]);
    we_encode_run start = {.source = source, .source_length = length, .tables = tested->codec->tables};
    start.error_mode = WE_STOP;
    start.end_of_queue = (int)below(2);
    start.after_error = (int)below(2);
    start.state.iso_2022_jp_encoder_state = STATES[below(3)];
    we_encode_run first = start;
    for (int simd = 0; simd <= we_simd_best(); simd++) {
        we_encode_run run = start;
        uint8_t *const target = new_target(size);
        int is_error = 0;
        run.simd = simd;
        run.target = target;
        fill_stack();
        if (is_loop)
            is_error = tested->codec->encode[kind](&run) == WE_UNMAPPABLE;
        else
            run.read = tested->encode_kernel(&run, kind, source, length, target, &run.written);
        expect_canary(size, simd, kind);
        encoded[codec] += is_loop ? 0 : run.read;
        if (simd == 0) {
            we_encode_run items = start;
            size_t out = 0;
            first = run;
            expect(run.read <= length && run.written <= size, "it stays within both", simd, kind);
            for (size_t i = 0; i < run.read; i++) {
                uint8_t bytes[16];
                uint32_t error = WE_NO_ERROR;
                const size_t count = tested->encode_item(&items, texts[i], bytes, &error);
                expect((error != WE_NO_ERROR) == (is_error && i + 1 == run.read), "what is read is no error", simd,
                       kind);
                expect(memcmp(target + out, bytes, count) == 0, "the bytes of the code point", simd, kind);
                out += count;
            }
            if (!is_loop || !start.end_of_queue)
                expect(out == run.written, "how much is written", simd, kind);
            expect(!is_loop || is_error || run.read == length, "it reads all that is no error", simd, kind);
            memcpy(by_scalar, target, run.written);
        }
        expect(run.read == first.read && run.written == first.written, "it goes as far as the scalar twin", simd, kind);
        expect(memcmp(target, by_scalar, run.written) == 0, "it writes what the scalar twin does", simd, kind);
        expect(memcmp(&run.state, &first.state, sizeof run.state) == 0, "the state after it", simd, kind);
    }
}

/* The run from UTF-8 to single bytes, which the engine calls: each code point gives the byte of the table, up to
 * malformed bytes at the latest. */
static void judge_from_utf8(const codec_case *tested)
{
    const we_single_byte_reverse *const table = &((const we_single_byte_tables *)tested->codec->tables)->reverse;
    const size_t count = some_text(0xFFFF);
    size_t length = 0;
    if (below(2))
        take_items(tested, count, 0xFFFF);
    for (size_t i = 0; i < count; i++)
        length += we_put_utf8(bytes_of_text + length, texts[i]);
    uint8_t *const source = source_end - length;
    const size_t damage = below(3) && length > 0 ? below((uint32_t)length) : length;
    memcpy(source, bytes_of_text, length);
    if (damage < length)
        source[damage] = (source[damage] & 0xC0) == 0x80 && below(2) ? 'a' : 0xC0;
    for (int simd = 0; simd <= we_simd_best(); simd++) {
        uint8_t unused[4], *const target = new_target(length);
        size_t written, at = 0, out = 0;
        const size_t read = we_single_byte_sparse_from_utf8(simd, source, length, table, target, &written);
        for (; at < read; out++) {
            expect(target[out] == we_single_byte_of(table, texts[out]), "the byte of a code point", simd, WE_UTF8);
            at += we_put_utf8(unused, texts[out]);
        }
        expect(at == read && out == written, "how much is read and written", simd, WE_UTF8);
        expect(read <= damage, "it stops at malformed bytes", simd, WE_UTF8);
        expect_canary(length, simd, WE_UTF8);
    }
}

#define CASE(symbol, decoder, made_of, encoder)                                                                        \
    {#symbol, &whatwg_encoding_codec_##symbol, decoder##_decode_item,   decoder##_decode_kernel,                       \
     made_of, encoder##_encode_item,           encoder##_encode_kernel, strcmp(#symbol, "iso_2022_jp") == 0}
#define no_encode_item NULL
#define no_encode_kernel NULL
static const codec_case CODECS[] = {CASES};

static void judge_all(long rounds)
{
    enum { COUNT = sizeof CODECS / sizeof CODECS[0] };
    for (; input < (uint64_t)rounds; input++) {
        codec = below(COUNT);
        const codec_case *const tested = &CODECS[codec];
        judged = tested->name;
        judge_decoder(tested);
        if (tested->encode_item != NULL)
            judge_encoder(tested);
        if (tested->codec->tables != NULL)
            judge_from_utf8(tested);
    }
    for (size_t i = 0; i < COUNT; i++) {
        judged = CODECS[i].name;
        expect(decoded[i] != 0 || strcmp(judged, "replacement") == 0, "its decoder's kernel converts", 0, 0);
        expect(encoded[i] != 0 || CODECS[i].encode_item == NULL, "its encoder's kernel converts", 0, 0);
    }
}

/* Decode every four bytes among ASCII, across the blocks of each level; an item may end in the ASCII. */
static void judge_four_bytes(const codec_case *tested, int simd, uint64_t first, uint64_t last)
{
    enum { BEFORE = 62, AFTER = 8, LENGTH = BEFORE + 4 + AFTER };
    uint8_t source[LENGTH];
    uint32_t target[LENGTH];
    const we_decode_run start = {.source = source,
                                 .source_length = LENGTH,
                                 .target = target,
                                 .room = LENGTH,
                                 .max_code_point = 0x10FFFF,
                                 .end_of_queue = 1,
                                 .simd = simd};
    judged = tested->name;
    memset(source, 'a', LENGTH);
    for (input = first << 24; input < (last + 1) << 24; input++) {
        for (int i = 0; i < 4; i++)
            source[BEFORE + i] = (uint8_t)(input >> (24 - 8 * i));
        we_decode_run run = start;
        const we_result result = tested->codec->decode[WE_UCS4](&run);
        expect(result == WE_INPUT_EMPTY && run.read == LENGTH, "all is read", simd, WE_UCS4);
        expect(target[0] == 'a' && target[BEFORE - 1] == 'a', "the ASCII before them", simd, WE_UCS4);
        expect_items(tested, start, source + BEFORE, LENGTH - BEFORE, LENGTH - BEFORE, (uint8_t *)(target + BEFORE),
                     WE_UCS4, run.written - BEFORE);
    }
}

#else

/* ---- Kernels that no codec has, each by a model of a line ---- */

/* As many equal units as overflow a counter of bytes in a vector. */
static size_t many(uint32_t unit)
{
    for (size_t i = 0; i < MANY; i++)
        texts[i] = unit;
    return MANY;
}

/* A source of units of a type, a target, and a loop over levels. */
#define AT_EACH_LEVEL(source_type, most, target_type)                                                                  \
    const size_t length = below(50) ? some_text(most) : many(most > 0xFF ? 0xFFFD : 0xFF);                             \
    source_type *const source = (source_type *)(void *)source_end - length;                                            \
    for (size_t i = 0; i < length; i++)                                                                                \
        source[i] = (source_type)texts[i];                                                                             \
    for (int simd = 0; simd <= we_simd_best(); simd++)                                                                 \
        for (target_type *target = (target_type *)(void *)new_target(length * sizeof *target); target != NULL;         \
             expect_canary(length * sizeof *target, simd, 0), target = NULL)

#define RUN(name, source_type, most, target_type)                                                                      \
    static void judge_##name(void)                                                                                     \
    {                                                                                                                  \
        judged = #name;                                                                                                \
        AT_EACH_LEVEL(source_type, most, target_type)                                                                  \
        {                                                                                                              \
            const size_t read = we_##name(simd, source, length, target);                                               \
            for (size_t i = 0; i <= read && i < length; i++)                                                           \
                expect(i == read ? source[i] >= 0x80 : source[i] < 0x80 && target[i] == source[i], "a run of ASCII",   \
                       simd, 0);                                                                                       \
            expect(read <= length, "it stays within the source", simd, 0);                                             \
        }                                                                                                              \
    }
#define CONVERSION(name, source_type, most, target_type)                                                               \
    static void judge_##name(void)                                                                                     \
    {                                                                                                                  \
        judged = #name;                                                                                                \
        AT_EACH_LEVEL(source_type, most, target_type)                                                                  \
        {                                                                                                              \
            we_##name(simd, source, length, target);                                                                   \
            for (size_t i = 0; i < length; i++)                                                                        \
                expect(target[i] == source[i], "each unit is kept", simd, 0);                                          \
        }                                                                                                              \
    }
#define NUMBER(name, source_type, most, first, next)                                                                   \
    static void judge_##name(void)                                                                                     \
    {                                                                                                                  \
        judged = #name;                                                                                                \
        AT_EACH_LEVEL(source_type, most, uint8_t)                                                                      \
        {                                                                                                              \
            size_t number = first;                                                                                     \
            for (size_t i = 0; i < length; i++)                                                                        \
                number = next;                                                                                         \
            expect(number == we_##name(simd, source, length), "the number", simd, 0);                                  \
        }                                                                                                              \
    }
#define we_or_ucs1(simd, source, length) we_or_units(simd, WE_UCS1, source, length)
#define we_or_ucs2(simd, source, length) we_or_units(simd, WE_UCS2, source, length)
#define we_or_ucs4(simd, source, length) we_or_units(simd, WE_UCS4, source, length)
/* Listed once, so that each that is defined is run. */
#define KERNELS(RUN, CONVERSION, NUMBER)                                                                               \
    RUN(ascii_run_to_ucs1, uint8_t, 0xFF, uint8_t)                                                                     \
    RUN(ascii_run_to_ucs2, uint8_t, 0xFF, uint16_t)                                                                    \
    RUN(ascii_run_to_ucs4, uint8_t, 0xFF, uint32_t)                                                                    \
    RUN(ascii_run_from_ucs2, uint16_t, 0xFFFF, uint8_t)                                                                \
    RUN(ascii_run_from_ucs4, uint32_t, 0x10FFFF, uint8_t)                                                              \
    CONVERSION(widen_ucs1_to_ucs2, uint8_t, 0xFF, uint16_t)                                                            \
    CONVERSION(widen_ucs1_to_ucs4, uint8_t, 0xFF, uint32_t)                                                            \
    CONVERSION(widen_ucs2_to_ucs4, uint16_t, 0xFFFF, uint32_t)                                                         \
    CONVERSION(narrow_ucs2_to_ucs1, uint16_t, 0xFF, uint8_t)                                                           \
    CONVERSION(narrow_ucs4_to_ucs2, uint32_t, 0xFFFF, uint16_t)                                                        \
    CONVERSION(narrow_ucs4_to_ucs1, uint32_t, 0xFF, uint8_t)                                                           \
    NUMBER(or_ucs1, uint8_t, 0xFF, 0, number | source[i])                                                              \
    NUMBER(or_ucs2, uint16_t, 0xFFFF, 0, number | source[i])                                                           \
    NUMBER(or_ucs4, uint32_t, 0x10FFFF, 0, number | source[i])                                                         \
    NUMBER(ascii_length, uint8_t, 0xFF, length, source[i] >= 0x80 && number == length ? i : number)                    \
    NUMBER(non_ascii_count_ucs1, uint8_t, 0xFF, 0, number + (source[i] >= 0x80))                                       \
    NUMBER(non_ascii_count_ucs2, uint16_t, 0xFFFF, 0, number + (source[i] >= 0x80))                                    \
    NUMBER(non_ascii_count_ucs4, uint32_t, 0x10FFFF, 0, number + (source[i] >= 0x80))                                  \
    NUMBER(replacement_character_count_ucs2, uint16_t, 0xFFFF, 0, number + (source[i] == 0xFFFD))
KERNELS(RUN, CONVERSION, NUMBER)

/* Write a code point as UTF-16; return the units that it takes. */
static size_t put_utf_16(uint16_t *units, uint32_t code_point)
{
    const uint32_t above = code_point - 0x10000;
    units[0] = (uint16_t)(code_point > 0xFFFF ? 0xD800 + (above >> 10) : code_point);
    if (code_point > 0xFFFF)
        units[1] = (uint16_t)(0xDC00 + (above & 0x3FF));
    return code_point > 0xFFFF ? 2 : 1;
}

static uint16_t units[2 * LONGEST];

static void judge_utf_16_put(void)
{
    judged = "utf_16_put";
    const size_t length = some_text(0x10FFFF), spare = below(3) ? below(3) : below(64);
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += put_utf_16(units + count, texts[i]);
    const uint32_t *const source = memcpy(source_end - length * sizeof *texts, texts, length * sizeof *texts);
    for (int simd = 0; simd <= we_simd_best(); simd++) {
        uint16_t *const target = (uint16_t *)(void *)new_target((count + spare) * sizeof *target);
        expect(we_utf_16_put(simd, source, length, target, count + spare) == count, "how much is written", simd, 0);
        expect(memcmp(target, units, count * sizeof *target) == 0, "the units", simd, 0);
        expect_canary((count + spare) * sizeof *target, simd, 0);
    }
}

/* It stops at a lone surrogate, and before a pair of which the capacity has one unit. */
static void judge_utf_16_join(void)
{
    judged = "utf_16_join";
    const size_t length = some_text(0x10FFFF);
    size_t count = 0, read = 0, out = 0;
    for (size_t i = 0; i < length; i++)
        count += put_utf_16(units + count, texts[i]);
    const size_t capacity = below(3) ? count : below((uint32_t)count + 1);
    for (uint16_t pair[2]; read < capacity; read += put_utf_16(pair, texts[out++])) {
        const uint32_t unit = units[read], next = read + 1 < capacity ? units[read + 1] : 0;
        const int is_pair = unit >> 10 == 0xD800 >> 10 && next >> 10 == 0xDC00 >> 10;
        if (!is_pair && unit >> 11 == 0xD800 >> 11)
            break;
        texts[out] = is_pair ? 0x10000 + ((unit & 0x3FF) << 10) + (next & 0x3FF) : unit;
    }
    const uint16_t *const source = memcpy(source_end - count * sizeof *units, units, count * sizeof *units);
    for (int simd = 0; simd <= we_simd_best(); simd++) {
        size_t written;
        uint32_t *const target = (uint32_t *)(void *)new_target(capacity * sizeof *target);
        expect(we_utf_16_join(simd, source, count, target, capacity, &written) == read, "how much is read", simd, 0);
        expect(written == out && memcmp(target, texts, out * sizeof *target) == 0, "the code points", simd, 0);
        expect_canary(capacity * sizeof *target, simd, 0);
    }
}

#define JUDGE_OF(name, ...) judge_##name,
static void judge_all(long rounds)
{
    static void (*const ALL[])(void) = {KERNELS(JUDGE_OF, JUDGE_OF, JUDGE_OF) judge_utf_16_put, judge_utf_16_join};
    for (; rounds > 0; rounds -= 5) /* of many each */
        for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++)
            ALL[i]();
}
#endif

int main(int count, char **arguments)
{
#if defined(HANDLERS)
    for (size_t i = 0; count == 5 && i < sizeof CODECS / sizeof CODECS[0]; i++) {
        const int simd = atoi(arguments[2]);
        if (strcmp(CODECS[i].name, arguments[1]) != 0)
            continue;
        if (simd > we_simd_best())
            return 3;
        judge_four_bytes(&CODECS[i], simd, strtoull(arguments[3], NULL, 0), strtoull(arguments[4], NULL, 0));
        return 0;
    }
#endif
    if (count != 2)
        return 2;
    source_end = guarded();
    target_end = guarded();
    table_end = guarded();
    judge_all(strtol(arguments[1], NULL, 10));
    return 0;
}
