/* A block of 32 bytes of UTF-8, as vectors decode it: any bytes, after any that are well-formed so far. */
#include "lemma.h"

#include "unicode_handlers.h"

/* What is known after each byte: that a sequence is complete; how many continuations are due, of which the first has a
 * boundary of its own in four states; that whatever comes next is wrong; that something is wrong. */
enum { COMPLETE, ONE, TWO, THREE, AFTER_E0, AFTER_ED, AFTER_F0, AFTER_F4, DOOMED, WRONG };

typedef struct {
    uint32_t state, code_point;
} reader;

/* The reader after a byte. What a kind does not hold is wrong, where the kernel finds it: with UCS1 a leading byte
 * above C3 is, with others the byte after one. */
static reader after(reader before, uint32_t byte, int kind)
{
    const int one = (byte >= 0xC2) & (byte <= (kind == WE_UCS1 ? 0xC3 : 0xDF));
    const int two = (byte >= 0xE0) & (byte <= 0xEF) & (kind != WE_UCS1);
    const int three = (byte >= 0xF0) & (byte <= 0xF4) & (kind != WE_UCS1) & (kind != WE_UCS2);
    uint32_t first = chosen(byte < 0x80, COMPLETE, (byte < 0xC0) | (kind == WE_UCS1) ? WRONG : DOOMED);
    first = chosen((byte >= 0x80) & (byte < 0xC0), WRONG, first);
    first = chosen(one, ONE, first);
    first = chosen(two, chosen(byte == 0xE0, AFTER_E0, chosen(byte == 0xED, AFTER_ED, TWO)), first);
    first = chosen(three, chosen(byte == 0xF0, AFTER_F0, chosen(byte == 0xF4, AFTER_F4, THREE)), first);
    const uint32_t state = before.state;
    const uint32_t least = chosen(state == AFTER_E0, 0xA0, chosen(state == AFTER_F0, 0x90, 0x80));
    const uint32_t most = chosen(state == AFTER_ED, 0x9F, chosen(state == AFTER_F4, 0x8F, 0xBF));
    uint32_t next = chosen((state == THREE) | (state == AFTER_F0) | (state == AFTER_F4), TWO, ONE);
    next = chosen(state == ONE, COMPLETE, next);
    next = chosen((byte >= least) & (byte <= most) & (state < DOOMED), next, WRONG);
    const uint32_t bits =
        chosen(byte < 0x80, byte, chosen(byte < 0xE0, byte & 0x1F, chosen(byte < 0xF0, byte & 0xF, byte & 7)));
    const reader found = {chosen(state == COMPLETE, first, next),
                          chosen(state == COMPLETE, bits, before.code_point << 6 | (byte & 0x3F))};
    return found;
}

/* The reader does what the handler does with any four bytes. */
void prove_reader(int kind)
{
    ANY(uint8_t, source, 4);
    we_decode_run run = {0};
    size_t consumed = 1;
    const uint32_t found = utf_8_decode_item(&run, source, 4, &consumed);
    const uint32_t most = kind == WE_UCS1 ? 0xFF : kind == WE_UCS2 ? 0xFFFF : 0x10FFFF;
    reader now = {COMPLETE, 0};
    for (size_t i = 0; i < 4; i++) {
        now = after(now, source[i], kind);
        if (found <= most && i + 1 == consumed) {
            claim_equal(now.state, COMPLETE, "the sequence is complete");
            claim_equal(now.code_point, found, "its code point");
            return;
        }
        claim(now.state != COMPLETE, "the sequence is not complete");
    }
}

/* At each place, if there is no error before it: an error, an end and a code point are where the handler has them.
 * Where there is none, a sequence began in four of the six bytes before, since none is longer. */
enum { BEFORE = 6, BEGINNINGS = 4 };

#define BLOCK(level, width, target)                                                                                    \
    target void prove_block_##level(int kind)                                                                          \
    {                                                                                                                  \
        uint8_t bytes[width + 32];                                                                                     \
        any_bytes(bytes, sizeof bytes, "source");                                                                      \
        const uint8_t *const source = bytes + width;                                                                   \
        const we_utf_8_decode_constants_##level constants = we_utf_8_load_decode_constants_##level(kind);              \
        we_utf_8_block_##level block = we_utf_8_load_block_##level(source);                                            \
        we_utf_8_classify_##level(&block, we_load_##width(bytes), kind, &constants);                                   \
        uint8_t errors[32];                                                                                            \
        for (size_t i = 0; i < 32 / width; i++)                                                                        \
            we_store_##width(errors + i * width, block.errors[i]);                                                     \
        for (size_t i = 0; i < 32; i++) {                                                                              \
            uint8_t unit[16 * 4];                                                                                      \
            const uint32_t only = (uint32_t)1 << i % width;                                                            \
            if (kind != WE_UTF8)                                                                                       \
                claim_equal(we_utf_8_store_units_##level(&block, (int)(i / width), only, unit, kind, 4, &constants),   \
                            1, "one unit");                                                                            \
            for (size_t began = 0; began < BEGINNINGS; began++) {                                                      \
                reader now = {COMPLETE, 0};                                                                            \
                for (size_t j = i + began; j < i + BEFORE; j++)                                                        \
                    now = after(now, bytes[width - BEFORE + j], kind);                                                 \
                const int is_wrong = now.state == WRONG;                                                               \
                now = after(now, source[i], kind);                                                                     \
                claim(is_wrong | ((errors[i] != 0) == (now.state == WRONG)), "an error where the handler has one");    \
                claim(is_wrong | (now.state == WRONG) | ((block.ends >> i & 1) == (now.state == COMPLETE)),            \
                      "an end where the handler has one");                                                             \
                if (kind != WE_UTF8)                                                                                   \
                    claim(is_wrong | (now.state != COMPLETE) | (we_unit_get(unit, kind, 0) == now.code_point),         \
                          "the code point of the handler");                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* Of eight units those are stored, one after the other, whose bits are set. */                                    \
    target void prove_store_##level(int kind, int any_top)                                                             \
    {                                                                                                                  \
        uint16_t units[8], top[8] = {0};                                                                               \
        any_bytes(units, sizeof units, "units");                                                                       \
        if (any_top)                                                                                                   \
            any_bytes(top, sizeof top, "top");                                                                         \
        for (uint32_t ends = 0; ends < 256; ends++) {                                                                  \
            uint8_t *const stored = room(8 << kind, "target");                                                         \
            const size_t count =                                                                                       \
                we_utf_8_store_8_units_##level(stored, kind, we_load_16(units), we_load_16(top), any_top, ends);       \
            size_t expected = 0;                                                                                       \
            for (size_t i = 0; i < 8; i++)                                                                             \
                if (ends >> i & 1)                                                                                     \
                    claim_equal(we_unit_get(stored, kind, expected++),                                                 \
                                kind == WE_UCS4 ? (uint32_t)top[i] << 16 | units[i] : units[i], "the unit");           \
            claim_equal(count, expected, "how many");                                                                  \
        }                                                                                                              \
    }
BLOCK(vector_16, 16, WE_TARGET_VECTOR_16)
BLOCK(avx2, 32, WE_TARGET_AVX2)

/* What the proofs of handlers have in Python (generator/spec/of_c.py) is what the C does, for any argument. */
size_t model_put_utf8(uint8_t *target, uint32_t code_point);
void model_store_pair(uint8_t *target, uint16_t pair);
int model_is_surrogate(uint32_t code_point);

void prove_put_utf8(void)
{
    ANY(uint32_t, code_point, 1);
    assume(*code_point <= 0x10FFFF);
    uint8_t *const ours = room(4, "target");
    uint8_t theirs[4];
    const size_t count = known(we_put_utf8(ours, *code_point));
    claim_equal(count, model_put_utf8(theirs, *code_point), "how many bytes");
    for (size_t i = 0; i < count; i++)
        claim_equal(ours[i], theirs[i], "the byte");
}

void prove_store_pair(void)
{
    ANY(uint16_t, pair, 1);
    uint8_t *const ours = room(2, "target");
    uint8_t theirs[2];
    we_store_pair(ours, *pair);
    model_store_pair(theirs, *pair);
    claim_equal(ours[0], theirs[0], "the first byte");
    claim_equal(ours[1], theirs[1], "the second byte");
}

void prove_is_surrogate(void)
{
    ANY(uint32_t, code_point, 1);
    claim_equal(we_is_surrogate(*code_point), model_is_surrogate(*code_point), "whether it is a surrogate");
    claim_equal(we_is_surrogate(*code_point), (*code_point >= 0xD800) & (*code_point <= 0xDFFF), "which ones are");
}

/* What "surrogatepass" reads where a decoder has an error: the code unit of the two bytes, in the order of the name. */
#define SURROGATE(name, high, low)                                                                                     \
    void prove_##name##_surrogate(size_t length)                                                                       \
    {                                                                                                                  \
        ANY(uint8_t, source, length);                                                                                  \
        we_decode_run run = {0};                                                                                       \
        size_t consumed = 1;                                                                                           \
        const uint32_t found = we_##name##_surrogate(&run, source, length, &consumed);                                 \
        const uint32_t unit = length < 2 ? 0 : (uint32_t)source[high] << 8 | source[low];                              \
        const int is_one = (unit >= 0xD800) & (unit <= 0xDFFF);                                                        \
        claim_equal(found, chosen(is_one, unit, WE_ITEM_ERROR), "the surrogate");                                      \
        claim((consumed == 2) | !is_one, "its two bytes");                                                             \
    }
SURROGATE(utf_16be, 0, 1)
SURROGATE(utf_16le, 1, 0)

/* In UTF-8's form: three bytes, of which the first is ED and the second is from A0 on. */
void prove_utf_8_surrogate(size_t length)
{
    ANY(uint8_t, source, length);
    uint8_t end;
    any_bytes(&end, 1, "end of queue");
    we_decode_run run = {0};
    run.end_of_queue = end & 1;
    size_t consumed = 1;
    const uint32_t found = we_utf_8_surrogate(&run, source, length, &consumed);
    const int begins = length > 1 ? (source[0] == 0xED) & (source[1] >= 0xA0) & (source[1] <= 0xBF) : 0;
    if (length > 2) {
        const int is_one = begins & (source[2] >= 0x80) & (source[2] <= 0xBF);
        const uint32_t unit =
            (uint32_t)(source[0] & 0xF) << 12 | (uint32_t)(source[1] & 0x3F) << 6 | (source[2] & 0x3F);
        claim_equal(found, chosen(is_one, unit, WE_ITEM_ERROR), "the surrogate");
        claim((consumed == 3) | !is_one, "its three bytes");
    } else {
        claim_equal(found, chosen(begins & !run.end_of_queue, WE_ITEM_INCOMPLETE, WE_ITEM_ERROR), "what is there");
        claim(consumed == 1, "an error of one byte");
    }
}
