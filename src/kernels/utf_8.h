/* UTF-8 from and to the three kinds of text: https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder.
 *
 * A run converts all that needs no decision and stops before the first item that does: malformed or incomplete bytes, a code point
 * that the target does not take, a surrogate. It never fails; the caller decides and goes on.
 *
 * The scalar twin of each run states what the run means. The others give the same answer in blocks of 32 or 64 bytes.
 */
#ifndef WE_UTF_8_H
#define WE_UTF_8_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ascii.h"
#include "codec.h"
#include "cpu.h"

#if defined(__GNUC__) || defined(__clang__)
#define WE_UNICODE_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define WE_UNICODE_INLINE static __forceinline
#else
#define WE_UNICODE_INLINE static inline
#endif

/* ---- Scalar ---------------------------------------------------------------------------------------------------------------- */

/* Writes one unit; `kind` is a constant wherever this is inlined. */
WE_UNICODE_INLINE void we_unit_put(void *target, int kind, size_t index, uint32_t code_point)
{
    if (kind == WE_UCS1) {
        ((uint8_t *)target)[index] = (uint8_t)code_point;
    } else if (kind == WE_UCS2) {
        ((uint16_t *)target)[index] = (uint16_t)code_point;
    } else {
        ((uint32_t *)target)[index] = code_point;
    }
}

WE_UNICODE_INLINE uint32_t we_unit_get(const void *source, int kind, size_t index)
{
    if (kind == WE_UCS1) {
        return ((const uint8_t *)source)[index];
    }
    if (kind == WE_UCS2) {
        return ((const uint16_t *)source)[index];
    }
    return ((const uint32_t *)source)[index];
}

/* Bytes of the sequence that opens the source, and its code point; 0 when it is malformed or incomplete. */
WE_UNICODE_INLINE size_t we_utf_8_sequence(const uint8_t *source, size_t length, uint32_t *code_point)
{
    const uint32_t lead = source[0];
    if (lead < 0x80) {
        *code_point = lead;
        return 1;
    }
    if (lead < 0xC2 || lead > 0xF4 || length < 2) {
        return 0;
    }
    const uint32_t second = source[1];
    if (lead < 0xE0) {
        *code_point = (lead & 0x1F) << 6 | (second & 0x3F);
        return (second & 0xC0) == 0x80 ? 2 : 0;
    }
    /* The standard's lower and upper boundary, which four leads narrow. */
    const uint32_t lower = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const uint32_t upper = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < lower || second > upper || length < 3) {
        return 0;
    }
    const uint32_t third = source[2];
    if ((third & 0xC0) != 0x80) {
        return 0;
    }
    if (lead < 0xF0) {
        *code_point = (lead & 0xF) << 12 | (second & 0x3F) << 6 | (third & 0x3F);
        return 3;
    }
    if (length < 4) {
        return 0;
    }
    const uint32_t fourth = source[3];
    *code_point = (lead & 7) << 18 | (second & 0x3F) << 12 | (third & 0x3F) << 6 | (fourth & 0x3F);
    return (fourth & 0xC0) == 0x80 ? 4 : 0;
}

/* Every run to code points; `kind` tells what the target takes. */
WE_UNICODE_INLINE size_t we_utf_8_decode_scalar(const uint8_t *source, size_t length, void *target, int kind,
                                                size_t *written)
{
    const uint32_t max_code_point = kind == WE_UCS1 ? 0xFF : kind == WE_UCS2 ? 0xFFFF : 0x10FFFF;
    size_t read = 0;
    size_t out = 0;
    while (read < length) {
        if (length - read >= 8) {
            uint64_t eight;
            memcpy(&eight, source + read, 8);
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                uint8_t bytes[8];
                memcpy(bytes, &eight, 8);
                for (int i = 0; i < 8; i++) {
                    we_unit_put(target, kind, out + (size_t)i, bytes[i]);
                }
                read += 8;
                out += 8;
                continue;
            }
        }
        uint32_t code_point;
        const size_t taken = we_utf_8_sequence(source + read, length - read, &code_point);
        if (taken == 0 || code_point > max_code_point) {
            break;
        }
        we_unit_put(target, kind, out, code_point);
        read += taken;
        out += 1;
    }
    *written = out;
    return read;
}

static inline size_t we_utf_8_run_to_latin1_scalar(const uint8_t *source, size_t length, uint8_t *target, size_t *written)
{
    return we_utf_8_decode_scalar(source, length, target, WE_UCS1, written);
}

/* Copies what is valid, unless `target` is null. */
WE_UNICODE_INLINE size_t we_utf_8_validate_scalar(const uint8_t *source, size_t length, uint8_t *target)
{
    size_t read = 0;
    while (read < length) {
        if (length - read >= 8) {
            uint64_t eight;
            memcpy(&eight, source + read, 8);
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                if (target) {
                    memcpy(target + read, &eight, 8);
                }
                read += 8;
                continue;
            }
        }
        /* The bytes that are checked are those that are copied, even if the source changes meanwhile. */
        uint8_t bytes[4] = {0, 0, 0, 0};
        const size_t ahead = length - read < 4 ? length - read : 4;
        memcpy(bytes, source + read, ahead);
        uint32_t code_point;
        const size_t taken = we_utf_8_sequence(bytes, ahead, &code_point);
        if (taken == 0) {
            break;
        }
        if (target) {
            memcpy(target + read, bytes, taken);
        }
        read += taken;
    }
    return read;
}

static inline size_t we_utf_8_measure_scalar(const uint8_t *source, size_t length, uint8_t *largest)
{
    size_t count = 0;
    uint8_t most = 0;
    for (size_t i = 0; i < length; i++) {
        count += (source[i] & 0xC0) != 0x80;
        most = source[i] > most ? source[i] : most;
    }
    *largest = most;
    return count;
}

/* Every encoder run. https://encoding.spec.whatwg.org/#utf-8-encoder */
WE_UNICODE_INLINE size_t we_utf_8_encode_scalar(const void *source, int kind, size_t length, uint8_t *target, size_t *written)
{
    size_t read = 0;
    size_t out = 0;
    for (; read < length; read++) {
        const uint32_t code_point = we_unit_get(source, kind, read);
        if (code_point < 0x80) {
            target[out++] = (uint8_t)code_point;
        } else if (code_point < 0x800) {
            target[out++] = (uint8_t)(0xC0 | code_point >> 6);
            target[out++] = (uint8_t)(0x80 | (code_point & 0x3F));
        } else if (code_point < 0x10000) {
            if ((code_point & 0xF800) == 0xD800) {
                break;
            }
            target[out++] = (uint8_t)(0xE0 | code_point >> 12);
            target[out++] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
            target[out++] = (uint8_t)(0x80 | (code_point & 0x3F));
        } else {
            target[out++] = (uint8_t)(0xF0 | code_point >> 18);
            target[out++] = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
            target[out++] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
            target[out++] = (uint8_t)(0x80 | (code_point & 0x3F));
        }
    }
    *written = out;
    return read;
}

WE_UNICODE_INLINE size_t we_utf_8_length_of_scalar(const void *source, int kind, size_t length)
{
    size_t bytes = length;
    for (size_t i = 0; i < length; i++) {
        const uint32_t code_point = we_unit_get(source, kind, i);
        bytes += (size_t)(code_point >= 0x80) + (size_t)(code_point >= 0x800) + (size_t)(code_point >= 0x10000);
    }
    return bytes;
}

/* ---- The variants ---------------------------------------------------------------------------------------------------------- */

/* The functions that an instruction set has as one with a constant argument. */
#define WE_UTF_8_INSTANCES(level, target_attribute) \
    static inline target_attribute size_t we_utf_8_run_to_ucs2_##level(const uint8_t *source, size_t length, uint16_t *target, \
                                                                       size_t *written) \
    { \
        return we_utf_8_decode_##level(source, length, target, WE_UCS2, written); \
    } \
    static inline target_attribute size_t we_utf_8_run_to_ucs4_##level(const uint8_t *source, size_t length, uint32_t *target, \
                                                                       size_t *written) \
    { \
        return we_utf_8_decode_##level(source, length, target, WE_UCS4, written); \
    } \
    static inline target_attribute size_t we_utf_8_valid_run_##level(const uint8_t *source, size_t length) \
    { \
        return we_utf_8_validate_##level(source, length, NULL); \
    } \
    static inline target_attribute size_t we_utf_8_copy_run_##level(const uint8_t *source, size_t length, uint8_t *target) \
    { \
        return we_utf_8_validate_##level(source, length, target); \
    } \
    static inline target_attribute size_t we_utf_8_run_from_ucs1_##level(const uint8_t *source, size_t length, uint8_t *target, \
                                                                         size_t *written) \
    { \
        return we_utf_8_encode_##level(source, WE_UCS1, length, target, written); \
    } \
    static inline target_attribute size_t we_utf_8_run_from_ucs2_##level(const uint16_t *source, size_t length, uint8_t *target, \
                                                                         size_t *written) \
    { \
        return we_utf_8_encode_##level(source, WE_UCS2, length, target, written); \
    } \
    static inline target_attribute size_t we_utf_8_run_from_ucs4_##level(const uint32_t *source, size_t length, uint8_t *target, \
                                                                         size_t *written) \
    { \
        return we_utf_8_encode_##level(source, WE_UCS4, length, target, written); \
    } \
    static inline target_attribute size_t we_utf_8_length_of_ucs1_##level(const uint8_t *source, size_t length) \
    { \
        return we_utf_8_length_of_##level(source, WE_UCS1, length); \
    } \
    static inline target_attribute size_t we_utf_8_length_of_ucs2_##level(const uint16_t *source, size_t length) \
    { \
        return we_utf_8_length_of_##level(source, WE_UCS2, length); \
    } \
    static inline target_attribute size_t we_utf_8_length_of_ucs4_##level(const uint32_t *source, size_t length) \
    { \
        return we_utf_8_length_of_##level(source, WE_UCS4, length); \
    }

WE_UTF_8_INSTANCES(scalar, )
#if defined(WE_HAVE_AVX2)
#include "utf_8_avx2.h"
WE_UTF_8_INSTANCES(avx2, WE_TARGET_AVX2)
#endif
#if defined(WE_HAVE_AVX512)
#include "utf_8_avx512.h"
WE_UTF_8_INSTANCES(avx512, WE_TARGET_AVX512)
#endif

/* Calls the variant of the level that was asked for, or the best below it. */
#if defined(WE_HAVE_AVX2) && defined(WE_HAVE_AVX512)
#define WE_UNICODE_AT_LEVEL(simd, name, arguments) \
    do { \
        if ((simd) >= WE_SIMD_AVX512) { \
            return name##_avx512 arguments; \
        } \
        if ((simd) >= WE_SIMD_AVX2) { \
            return name##_avx2 arguments; \
        } \
        return name##_scalar arguments; \
    } while (0)
#else
#define WE_UNICODE_AT_LEVEL(simd, name, arguments) \
    do { \
        (void)(simd); \
        return name##_scalar arguments; \
    } while (0)
#endif

/* ---- The functions of this header ------------------------------------------------------------------------------------------ */

/* Bytes read up to the first sequence that is malformed, incomplete or over max_code_point (0x7F or 0xFF). */
static inline size_t we_utf_8_run_to_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target, size_t *written,
                                          uint32_t max_code_point)
{
    if (max_code_point < 0x80) {
        *written = we_ascii_run_to_ucs1(simd, source, length, target);
        return *written;
    }
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_to_latin1, (source, length, target, written));
}

/* Bytes read up to the first sequence that is malformed, incomplete or of four bytes. */
static inline size_t we_utf_8_run_to_ucs2(int simd, const uint8_t *source, size_t length, uint16_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_to_ucs2, (source, length, target, written));
}

/* Bytes read up to the first sequence that is malformed or incomplete. */
static inline size_t we_utf_8_run_to_ucs4(int simd, const uint8_t *source, size_t length, uint32_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_to_ucs4, (source, length, target, written));
}

/* Bytes in the longest prefix that is complete, valid sequences. */
static inline size_t we_utf_8_valid_run(int simd, const uint8_t *source, size_t length)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_valid_run, (source, length));
}

/* The same, and that prefix is copied: the bytes that were checked, even if the source changes meanwhile. */
static inline size_t we_utf_8_copy_run(int simd, const uint8_t *source, size_t length, uint8_t *target)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_copy_run, (source, length, target));
}

/* Bytes that are not 0x80 to 0xBF: in valid text, the number of code points. `largest` is set to the largest byte (0 if there is none),
 * which in valid text tells the kind that its code points need: ASCII below 0x80, Latin-1 up to 0xC3, UCS2 up to 0xEF. */
static inline size_t we_utf_8_measure(int simd, const uint8_t *source, size_t length, uint8_t *largest)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_measure, (source, length, largest));
}

static inline size_t we_utf_8_count(int simd, const uint8_t *source, size_t length)
{
    uint8_t largest;
    return we_utf_8_measure(simd, source, length, &largest);
}

/* Units read up to the first surrogate (UCS1 holds none); `target` has room for 2, 3 or 4 bytes a unit and WE_ENCODE_SLACK more. */
static inline size_t we_utf_8_run_from_ucs1(int simd, const uint8_t *source, size_t length, uint8_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_from_ucs1, (source, length, target, written));
}

static inline size_t we_utf_8_run_from_ucs2(int simd, const uint16_t *source, size_t length, uint8_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_from_ucs2, (source, length, target, written));
}

static inline size_t we_utf_8_run_from_ucs4(int simd, const uint32_t *source, size_t length, uint8_t *target, size_t *written)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_run_from_ucs4, (source, length, target, written));
}

/* Bytes that the whole source takes; a surrogate counts as three, as does the U+FFFD that may stand for it. */
static inline size_t we_utf_8_length_of_ucs1(int simd, const uint8_t *source, size_t length)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_length_of_ucs1, (source, length));
}

static inline size_t we_utf_8_length_of_ucs2(int simd, const uint16_t *source, size_t length)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_length_of_ucs2, (source, length));
}

static inline size_t we_utf_8_length_of_ucs4(int simd, const uint32_t *source, size_t length)
{
    WE_UNICODE_AT_LEVEL(simd, we_utf_8_length_of_ucs4, (source, length));
}

#endif
