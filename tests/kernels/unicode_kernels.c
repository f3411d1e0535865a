/* The runs of UTF-8 and UTF-16 at one level, each compared with a model of the standard; exported for
 * test_unicode_kernels.py and test_utf_16_units.py.
 *
 * The models read one byte or code unit at a time and use the standard's variables. They share no code with the
 * kernels, and the Python tests compare them with Python's own codecs.
 */
#include "utf_16/kernels.h"
#include "utf_8/kernels.h"
#include "units.h"

typedef struct {
    size_t read; /* the end of the complete, valid sequences that fit the target's kind */
    size_t written;
} model_result;

/* https://encoding.spec.whatwg.org/#utf-8-decoder up to its first error or code point above `max_code_point`. */
model_result model_utf_8(const uint8_t *source, size_t length, uint32_t max_code_point, uint32_t *code_points)
{
    model_result result = {0, 0};
    uint32_t code_point = 0;
    unsigned needed = 0, seen = 0, lower = 0x80, upper = 0xBF;
    for (size_t i = 0; i < length; i++) {
        const unsigned byte = source[i];
        if (needed == 0) {
            if (byte <= 0x7F) {
                code_point = byte;
            } else if (byte >= 0xC2 && byte <= 0xDF) {
                needed = 1;
                code_point = byte & 0x1F;
            } else if (byte >= 0xE0 && byte <= 0xEF) {
                if (byte == 0xE0)
                    lower = 0xA0;
                if (byte == 0xED)
                    upper = 0x9F;
                needed = 2;
                code_point = byte & 0xF;
            } else if (byte >= 0xF0 && byte <= 0xF4) {
                if (byte == 0xF0)
                    lower = 0x90;
                if (byte == 0xF4)
                    upper = 0x8F;
                needed = 3;
                code_point = byte & 0x7;
            } else {
                return result;
            }
            if (needed != 0)
                continue;
        } else {
            if (byte < lower || byte > upper)
                return result;
            lower = 0x80;
            upper = 0xBF;
            code_point = code_point << 6 | (byte & 0x3F);
            seen++;
            if (seen != needed)
                continue;
            needed = seen = 0;
        }
        if (code_point > max_code_point)
            return result;
        code_points[result.written++] = code_point;
        result.read = i + 1;
    }
    return result;
}

/* https://encoding.spec.whatwg.org/#shared-utf-16-decoder up to its first error or code point above the maximum. */
model_result model_utf_16(const uint8_t *source, size_t length, int big_endian, uint32_t max_code_point,
                          uint32_t *code_points)
{
    model_result result = {0, 0};
    uint32_t lead_surrogate = 0;
    for (size_t i = 0; i + 1 < length; i += 2) {
        const uint32_t code_unit = big_endian ? source[i] * 256u + source[i + 1] : source[i + 1] * 256u + source[i];
        uint32_t code_point = code_unit;
        if (lead_surrogate != 0) {
            if (code_unit < 0xDC00 || code_unit > 0xDFFF)
                return result;
            code_point = 0x10000 + (lead_surrogate - 0xD800) * 1024 + (code_unit - 0xDC00);
            lead_surrogate = 0;
        } else if (code_unit >= 0xD800 && code_unit <= 0xDBFF) {
            lead_surrogate = code_unit;
            continue;
        } else if (code_unit >= 0xDC00 && code_unit <= 0xDFFF) {
            return result;
        }
        if (code_point > max_code_point)
            return result;
        code_points[result.written++] = code_point;
        result.read = i + 2;
    }
    return result;
}

/* ---- Calling a run ---- */

enum { LONGEST = 4096 };

static uint32_t expected_code_points[LONGEST];

static uint8_t *new_target(uint8_t *target_end, size_t bytes, size_t shift)
{
    uint8_t *const target = target_end - shift - bytes;
    fill_around(target, bytes, shift);
    return target;
}

/* Return 1 if the target holds the expected content and nothing beyond it was changed. */
static int as_expected(const void *target, size_t unit_size, size_t capacity, size_t shift, model_result expected,
                       size_t read, size_t written)
{
    if (read != expected.read || written != expected.written || changed_around(target, capacity * unit_size, shift))
        return 0;
    for (size_t i = 0; i < written; i++)
        if (get_unit(target, unit_size, i) != expected_code_points[i])
            return 0;
    return 1;
}

/* Return what fits of what UTF-8 gives. */
static model_result that_fit(size_t room, model_result all)
{
    model_result found = {0, room < all.written ? room : all.written};
    for (size_t i = 0; i < found.written; i++) {
        const uint32_t unit = expected_code_points[i];
        found.read += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit < 0x10000 ? 3 : 4;
    }
    return found;
}

enum { OK = 0, UCS1_7F = 1, UCS1_FF = 2, UCS2 = 3, UCS4 = 4, COPY = 5 };

/* Return 0, or the number of the first run that differs. Both texts end `shift` units before their guarded ends. */
int check_utf_8_decode(int simd, const uint8_t *text, size_t length, size_t shift, uint8_t *source_end,
                       uint8_t *target_end)
{
    uint8_t *const source = memcpy(source_end - shift - length, text, length);
    size_t written = SIZE_MAX;

    for (int latin = 0; latin < 2; latin++) {
        const uint32_t max_code_point = latin ? 0xFF : 0x7F;
        const model_result expected = model_utf_8(text, length, max_code_point, expected_code_points);
        uint8_t *const target = new_target(target_end, length, shift);
        const size_t read = we_utf_8_run_to_ucs1(simd, source, length, target, &written, max_code_point);
        if (!as_expected(target, 1, length, shift, expected, read, written))
            return latin ? UCS1_FF : UCS1_7F;
    }
    {
        const model_result expected = model_utf_8(text, length, 0xFFFF, expected_code_points);
        const size_t rooms[3] = {length, expected.written * 2 / 3, expected.written - (expected.written != 0)};
        for (int i = 0; i < 3; i++) {
            uint16_t *const target = (void *)new_target(target_end, 2 * rooms[i], 2 * shift);
            written = rooms[i];
            const size_t read = we_utf_8_run_to_ucs2(simd, source, length, target, &written);
            if (!as_expected(target, 2, rooms[i], 2 * shift, that_fit(rooms[i], expected), read, written))
                return UCS2;
        }
    }
    const model_result expected = model_utf_8(text, length, 0x10FFFF, expected_code_points);
    const size_t rooms[3] = {length, expected.written / 2, expected.written - (expected.written != 0)};
    for (int i = 0; i < 3; i++) {
        uint32_t *const target = (void *)new_target(target_end, 4 * rooms[i], 4 * shift);
        written = rooms[i];
        const size_t read = we_utf_8_run_to_ucs4(simd, source, length, target, &written);
        if (!as_expected(target, 4, rooms[i], 4 * shift, that_fit(rooms[i], expected), read, written))
            return UCS4;
    }
    {
        uint8_t *const target = new_target(target_end, length, shift);
        if (we_utf_8_copy_run(simd, source, length, target) != expected.read || memcmp(target, text, expected.read) != 0
            || changed_around(target, length, shift))
            return COPY;
    }
    return OK;
}

/* Return 0, or the number of the first run that differs. */
int check_utf_16_decode(int simd, int big_endian, const uint8_t *text, size_t length, size_t shift, uint8_t *source_end,
                        uint8_t *target_end)
{
    uint8_t *const source = memcpy(source_end - shift - length, text, length);
    size_t written = SIZE_MAX;
    for (int latin = 0; latin < 2; latin++) {
        const uint32_t max_code_point = latin ? 0xFF : 0x7F;
        const model_result expected = model_utf_16(text, length, big_endian, max_code_point, expected_code_points);
        uint8_t *const target = new_target(target_end, length, shift);
        const size_t read = we_utf_16_run_to_ucs1(simd, source, length, big_endian, target, &written, max_code_point);
        if (!as_expected(target, 1, length, shift, expected, read, written))
            return latin ? UCS1_FF : UCS1_7F;
    }
    {
        const model_result expected = model_utf_16(text, length, big_endian, 0xFFFF, expected_code_points);
        uint16_t *const target = (void *)new_target(target_end, 2 * length, 2 * shift);
        const size_t read = we_utf_16_run_to_ucs2(simd, source, length, big_endian, target, &written);
        if (!as_expected(target, 2, length, 2 * shift, expected, read, written))
            return UCS2;
    }
    {
        const model_result expected = model_utf_16(text, length, big_endian, 0x10FFFF, expected_code_points);
        uint32_t *const target = (void *)new_target(target_end, 4 * length, 4 * shift);
        const size_t read = we_utf_16_run_to_ucs4(simd, source, length, big_endian, target, &written);
        if (!as_expected(target, 4, length, 4 * shift, expected, read, written))
            return UCS4;
    }
    return OK;
}

/* Return 0, or 1 if the run differs. `expected` is the result for the `expected_read` units before the first surrogate.
 * The source is `length` units of `unit_size` bytes. */
int check_utf_8_encode(int simd, const uint8_t *text, size_t unit_size, size_t length, const uint8_t *expected,
                       size_t expected_read, size_t expected_written, size_t shift, uint8_t *source_end,
                       uint8_t *target_end)
{
    const void *const source = memcpy(source_end - (shift + length) * unit_size, text, length * unit_size);
    const size_t capacity = (unit_size == 1 ? 2 : unit_size == 2 ? 3 : 4) * length + WE_ENCODE_SLACK;
    uint8_t *const target = new_target(target_end, capacity, shift);
    size_t written = SIZE_MAX;
    size_t read;
    if (unit_size == 1)
        read = we_utf_8_run_from_ucs1(simd, source, length, target, &written);
    else if (unit_size == 2)
        read = we_utf_8_run_from_ucs2(simd, source, length, target, &written);
    else
        read = we_utf_8_run_from_ucs4(simd, source, length, target, &written);
    return read != expected_read || written != expected_written || memcmp(target, expected, written) != 0
           || changed_around(target, capacity, shift);
}

/* ---- Exhaustive loops, too many calls for Python ---- */

/* Check every sequence of three bytes whose leading byte is in [first_leading, last_leading], between `before` and
 * `after`. Return 0, or run << 24 | sequence. */
long long check_utf_8_three_bytes(int simd, int first_leading, int last_leading, const uint8_t *before,
                                  size_t before_length, const uint8_t *after, size_t after_length)
{
    uint8_t text[256];
    uint32_t target[256];
    const size_t length = before_length + 3 + after_length;
    if (length > sizeof text)
        return -1;
    memcpy(text, before, before_length);
    memcpy(text + before_length + 3, after, after_length);
    uint8_t *const sequence = text + before_length;
    for (uint32_t bytes = (uint32_t)first_leading << 16; bytes < (uint32_t)(last_leading + 1) << 16; bytes++) {
        sequence[0] = (uint8_t)(bytes >> 16);
        sequence[1] = (uint8_t)(bytes >> 8);
        sequence[2] = (uint8_t)bytes;
        const model_result expected = model_utf_8(text, length, 0x10FFFF, expected_code_points);
        size_t written = length;
        size_t read = we_utf_8_run_to_ucs4(simd, text, length, target, &written);
        if (read != expected.read || written != expected.written
            || memcmp(target, expected_code_points, 4 * written) != 0)
            return (long long)UCS4 << 24 | bytes;
        if (we_utf_8_copy_run(simd, text, length, (uint8_t *)target) != expected.read
            || memcmp(target, text, expected.read) != 0)
            return (long long)COPY << 24 | bytes;
        uint32_t largest = 0;
        for (size_t i = 0; i < expected.written; i++)
            largest |= expected_code_points[i];
        if (largest > 0xFFFF)
            continue; /* UCS2 stops earlier, which the tests of every two bytes and of random text cover */
        written = length;
        read = we_utf_8_run_to_ucs2(simd, text, length, (uint16_t *)target, &written);
        if (read != expected.read || written != expected.written)
            return (long long)UCS2 << 24 | bytes;
        for (size_t i = 0; i < written; i++)
            if (((const uint16_t *)target)[i] != expected_code_points[i])
                return (long long)UCS2 << 24 | bytes;
    }
    return OK;
}

/* Check every two bytes between `before` and `after`. Return 0, or run << 24 | sequence. */
long long check_utf_8_two_bytes(int simd, const uint8_t *before, size_t before_length, const uint8_t *after,
                                size_t after_length, uint8_t *source_end, uint8_t *target_end)
{
    uint8_t text[256];
    const size_t length = before_length + 2 + after_length;
    if (length > sizeof text)
        return -1;
    memcpy(text, before, before_length);
    memcpy(text + before_length + 2, after, after_length);
    for (uint32_t bytes = 0; bytes < 0x10000; bytes++) {
        text[before_length] = (uint8_t)(bytes >> 8);
        text[before_length + 1] = (uint8_t)bytes;
        /* Not at the guarded end: a masked load or store that ends there is correct but very slow. */
        const int run = check_utf_8_decode(simd, text, length, 64, source_end, target_end);
        if (run != OK)
            return (long long)run << 24 | bytes;
    }
    return OK;
}

/* ---- UCS4 and UTF-16 units, for test_utf_16_units.py ---- */

size_t put(int simd, const uint32_t *source, size_t length, uint16_t *target, size_t capacity)
{
    return we_utf_16_put(simd, source, length, target, capacity);
}

size_t join(int simd, const uint16_t *source, size_t length, uint32_t *target, size_t capacity, size_t *written)
{
    return we_utf_16_join(simd, source, length, target, capacity, written);
}
