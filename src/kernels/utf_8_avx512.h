/* The UTF-8 runs with AVX-512 (F, BW, VL, VBMI, VBMI2), in blocks of 64 bytes; included by utf_8.h, whose scalar twins say what they mean.
 *
 * Decoding. A block is read once and classified into 64-bit masks, one bit for each byte. A code point belongs to the block in which
 * its sequence ends; blocks lie end to end, so that no block waits for the length of the one before, and what crosses over is a few
 * bits of mask and the last three bytes. At each position the bits of the code point that would end there are put together from the
 * byte and the three before it, for all 64 positions at once; then the positions where a code point does end are compressed.
 * An error is a bit too, and cuts off the ends above it: there is no other path for it, nor for the rest of less than 64 bytes.
 *
 * Compressing stores (vpcompressb to memory) are microcoded on Zen 4: compress in a register and store all of it. A full block has
 * room for 64 units (the target has one for each byte of source), a partial one is stored with a mask.
 */
#ifndef WE_UTF_8_AVX512_H
#define WE_UTF_8_AVX512_H

/* ---- Decoding -------------------------------------------------------------------------------------------------------------- */

/* Index vector for two registers of bytes: the first 32 pairs (low byte from the first register, high byte from the second). */
static const uint8_t we_interleave_64[64] = {
    0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79,
    16, 80, 17, 81, 18, 82, 19, 83, 20, 84, 21, 85, 22, 86, 23, 87, 24, 88, 25, 89, 26, 90, 27, 91, 28, 92, 29, 93, 30, 94, 31, 95};

/* What does not change from block to block. GCC would build these anew from general registers in each block, if it knew what they are:
 * we_constant_avx512 keeps that from it, and them in registers. */
typedef struct {
    __m512i x0f, x20, xc0, xc2, xe0, xed, xf0;
} we_utf_8_constants;

WE_UNICODE_INLINE WE_TARGET_AVX512 __m512i we_constant_avx512(int byte)
{
    __m512i constant = _mm512_set1_epi8((char)byte);
    __asm__("" : "+v"(constant));
    return constant;
}

WE_UNICODE_INLINE WE_TARGET_AVX512 we_utf_8_constants we_utf_8_constants_avx512(void)
{
    const we_utf_8_constants constants = {we_constant_avx512(0x0F), we_constant_avx512(0x20), we_constant_avx512(0xC0),
                                          we_constant_avx512(0xC2), we_constant_avx512(0xE0), we_constant_avx512(0xED),
                                          we_constant_avx512(0xF0)};
    return constants;
}

typedef struct {
    __m512i bytes;
    __m512i before;       /* at each position, the byte before it; 0 where the position's byte is ASCII */
    uint64_t inside;      /* the positions that the source has */
    uint64_t not_ascii;
    uint64_t third;       /* where the third byte of a sequence of three or four is due */
    uint64_t fourth;
    uint64_t ends;        /* where a sequence of the wanted kind ends, before the first error */
    uint64_t error;       /* where what was read so far can no longer become one */
} we_utf_8_block;

/* What a block needs to know of the one before it: its bytes, and the leads at its end whose sequences go on. */
typedef struct {
    __m512i bytes;
    uint64_t two_or_more;   /* of two bytes or more: at position 63 */
    uint64_t three_or_more; /* of three or more: at 62 and 63 */
    uint64_t four;          /* at 61 to 63 */
} we_utf_8_before;

/* Of two adjacent blocks, the 64 bytes that begin `shift` before the second; 0 where `where` is not set. */
#define WE_BYTES_BEFORE(before, bytes, shift, where) \
    _mm512_maskz_alignr_epi8((where), (bytes), _mm512_alignr_epi64((bytes), (before), 6), 16 - (shift))

/* Classifies a block and leaves in `before` what the next one needs. `kind` (a constant) tells what is wanted: for UCS2 a lead of
 * four bytes is an error. https://encoding.spec.whatwg.org/#utf-8-decoder */
WE_UNICODE_INLINE WE_TARGET_AVX512 void we_utf_8_classify_avx512(we_utf_8_block *block, we_utf_8_before *before, int kind,
                                                                 const we_utf_8_constants *constants)
{
    const __m512i bytes = block->bytes;
    const uint64_t not_ascii = block->not_ascii;
    const uint64_t continuation = _mm512_cmplt_epi8_mask(bytes, constants->xc0);
    const uint64_t two_or_more = _mm512_cmpge_epu8_mask(bytes, constants->xc2);
    const uint64_t three_or_more = _mm512_cmpge_epu8_mask(bytes, constants->xe0);
    const uint64_t four = _mm512_cmpge_epu8_mask(bytes, constants->xf0);
    const uint64_t second = two_or_more << 1 | before->two_or_more;
    const uint64_t second_of_three = three_or_more << 1 | before->three_or_more >> 1;
    uint64_t required = second;
    uint64_t not_ends = two_or_more | second_of_three;
    uint64_t error = not_ascii & ~continuation & ~two_or_more; /* 0xC0 and 0xC1 */

    block->third = three_or_more << 2 | before->three_or_more;
    block->fourth = 0;
    block->before = WE_BYTES_BEFORE(before->bytes, bytes, 1, not_ascii);
    required |= block->third;
    /* Bit 5 of this byte within the byte before: 0xE0 and then less than 0xA0, 0xED and then more than 0x9F. */
    const __m512i narrowed = _mm512_ternarylogic_epi32(constants->x20, bytes, block->before, 0xCA);
    error |= _mm512_mask_cmpeq_epi8_mask(second_of_three, narrowed, constants->xc0);
    error |= _mm512_mask_cmpeq_epi8_mask(second_of_three, narrowed, constants->xed);
    if (kind == WE_UCS2) {
        error |= four;
    } else if (four | before->four) {
        const uint64_t second_of_four = four << 1 | before->four >> 2;
        const uint64_t second_from_90 = _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(0x30));
        error |= _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8((char)0xF5));
        error |= _mm512_mask_cmpeq_epi8_mask(second_of_four & ~second_from_90, block->before, constants->xf0);
        error |= _mm512_mask_cmpeq_epi8_mask(second_of_four & second_from_90, block->before, _mm512_set1_epi8((char)0xF4));
        block->fourth = four << 3 | before->four;
        required |= block->fourth;
        not_ends |= four << 2 | before->four >> 1;
    }
    error |= continuation ^ required;
    error &= block->inside;
    block->error = error;
    block->ends = ~not_ends & block->inside & ((error & (0 - error)) - 1); /* without an error: 0 - 1, all positions */
    before->two_or_more = two_or_more >> 63;
    before->three_or_more = three_or_more >> 62;
    before->four = kind == WE_UCS2 ? 0 : four >> 61;
}

/* 1 if a sequence goes on from the block before. */
WE_UNICODE_INLINE int we_utf_8_goes_on(const we_utf_8_before *before)
{
    return (before->two_or_more | before->three_or_more | before->four) != 0;
}

/* How many bytes before a block the sequence began that goes on in it. */
WE_UNICODE_INLINE size_t we_utf_8_begun(const we_utf_8_before *before)
{
    return before->two_or_more ? 1 : before->three_or_more ? 2 : before->four ? 3 : 0;
}

/* Reads the next at most 64 bytes, and returns if it read as many. */
WE_UNICODE_INLINE WE_TARGET_AVX512 int we_utf_8_read_avx512(we_utf_8_block *block, const uint8_t *source, size_t length)
{
    const int full = length >= 64;
    if (full) {
        block->inside = ~UINT64_C(0);
        block->bytes = _mm512_loadu_si512(source);
    } else {
        block->inside = _bzhi_u64(~UINT64_C(0), (unsigned)length);
        block->bytes = _mm512_maskz_loadu_epi8(block->inside, source);
    }
    block->not_ascii = _mm512_movepi8_mask(block->bytes);
    return full;
}

/* Where reading stops: after the last sequence that ends in the block at `position`, or before the one that began earlier. */
WE_UNICODE_INLINE size_t we_utf_8_stop(size_t position, uint64_t ends, size_t begun)
{
    return ends ? position + 64 - (size_t)__builtin_clzll(ends) : position - begun;
}

/* The low 16 bits of the code point that ends at each position: 8 in `low`, 8 in `high`. */
typedef struct {
    __m512i low;
    __m512i high;
} we_code_points_16;

/* `third_last` is the byte two before, 0 where the sequence has fewer than three. */
WE_UNICODE_INLINE WE_TARGET_AVX512 we_code_points_16 we_utf_8_low_16_avx512(const we_utf_8_block *block, __m512i third_last,
                                                                            const we_utf_8_constants *constants)
{
    const __m512i top_two = _mm512_maskz_mov_epi8(block->not_ascii, constants->xc0);
    we_code_points_16 result;
    /* Shifts of 16-bit lanes: what comes over from the neighbour is never among the bits that are selected. */
    result.low = _mm512_ternarylogic_epi32(top_two, _mm512_slli_epi16(block->before, 6), block->bytes, 0xCA);
    result.high = _mm512_ternarylogic_epi32(constants->x0f, _mm512_srli_epi16(block->before, 2), _mm512_slli_epi16(third_last, 4), 0xCA);
    return result;
}

/* Stores `count` units of a register's worth; in a full block all of them, of which the rest is junk in its room. */
WE_UNICODE_INLINE WE_TARGET_AVX512 void we_store_ucs2_avx512(uint16_t *target, __m512i units, size_t count, int full)
{
    if (full) {
        _mm512_storeu_si512(target, units);
    } else {
        _mm512_mask_storeu_epi16(target, (__mmask32)_bzhi_u64(~UINT64_C(0), (unsigned)count), units);
    }
}

WE_UNICODE_INLINE WE_TARGET_AVX512 void we_store_ucs4_avx512(uint32_t *target, __m512i units, size_t count, int full)
{
    if (full) {
        _mm512_storeu_si512(target, units);
    } else {
        _mm512_mask_storeu_epi32(target, (__mmask16)_bzhi_u64(~UINT64_C(0), (unsigned)count), units);
    }
}

/* 32 code points of ASCII or of a block's low 16 bits, and what they have above, to four bytes each. */
WE_UNICODE_INLINE WE_TARGET_AVX512 void we_store_32_ucs4_avx512(uint32_t *target, __m512i low, __m256i top, size_t count, int full)
{
    const __m512i first_top = _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm256_castsi256_si128(top)), 16);
    const __m512i second_top = _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm256_extracti128_si256(top, 1)), 16);
    we_store_ucs4_avx512(target, _mm512_or_si512(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(low)), first_top), count, full);
    if (count > 16) {
        we_store_ucs4_avx512(target + 16, _mm512_or_si512(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(low, 1)), second_top),
                             count - 16, full);
    }
}

/* Runs into UCS2 and UCS4; `kind` is a constant wherever this is inlined. */
WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_decode_avx512(const uint8_t *source, size_t length, void *target, int kind,
                                                                 size_t *written)
{
    const we_utf_8_constants constants = we_utf_8_constants_avx512();
    const __m512i interleave = _mm512_loadu_si512(we_interleave_64);
    const __m512i interleave_second = _mm512_add_epi8(interleave, _mm512_set1_epi8(32));
    we_utf_8_before before = {_mm512_setzero_si512(), 0, 0, 0};
    size_t position = 0;
    size_t out = 0;
    for (;; position += 64) {
        we_utf_8_block block;
        const int full = we_utf_8_read_avx512(&block, source + position, length - position);
        if (full && block.not_ascii == 0 && !we_utf_8_goes_on(&before)) {
            for (int i = 0; i < 2; i++) {
                const __m256i half = i ? _mm512_extracti64x4_epi64(block.bytes, 1) : _mm512_castsi512_si256(block.bytes);
                if (kind == WE_UCS2) {
                    _mm512_storeu_si512((uint16_t *)target + out + 32 * i, _mm512_cvtepu8_epi16(half));
                } else {
                    _mm512_storeu_si512((uint32_t *)target + out + 32 * i, _mm512_cvtepu8_epi32(_mm256_castsi256_si128(half)));
                    _mm512_storeu_si512((uint32_t *)target + out + 32 * i + 16,
                                        _mm512_cvtepu8_epi32(_mm256_extracti128_si256(half, 1)));
                }
            }
            out += 64;
            continue;
        }
        const size_t begun = we_utf_8_begun(&before);
        we_utf_8_classify_avx512(&block, &before, kind, &constants);

        const uint64_t fourth = block.fourth;
        const __m512i third_last = WE_BYTES_BEFORE(before.bytes, block.bytes, 2, block.third | fourth);
        const we_code_points_16 code_points = we_utf_8_low_16_avx512(&block, third_last, &constants);
        const __m512i low = _mm512_maskz_compress_epi8(block.ends, code_points.low);
        const __m512i high = _mm512_maskz_compress_epi8(block.ends, code_points.high);
        const size_t count = (size_t)__builtin_popcountll(block.ends);
        if (kind == WE_UCS2) {
            uint16_t *const units = (uint16_t *)target + out;
            we_store_ucs2_avx512(units, _mm512_permutex2var_epi8(low, interleave, high), count, full);
            if (count > 32) {
                we_store_ucs2_avx512(units + 32, _mm512_permutex2var_epi8(low, interleave_second, high), count - 32, full);
            }
        } else {
            uint32_t *const units = (uint32_t *)target + out;
            __m512i top = _mm512_setzero_si512();
            if (fourth) {
                const __m512i fourth_last = WE_BYTES_BEFORE(before.bytes, block.bytes, 3, fourth);
                const __m512i top_two = _mm512_and_si512(_mm512_srli_epi16(third_last, 4), _mm512_set1_epi8(3));
                top = _mm512_ternarylogic_epi32(_mm512_set1_epi8(0x1C), _mm512_slli_epi16(fourth_last, 2), top_two, 0xCA);
                top = _mm512_maskz_compress_epi8(block.ends, _mm512_maskz_mov_epi8(fourth, top));
            }
            we_store_32_ucs4_avx512(units, _mm512_permutex2var_epi8(low, interleave, high), _mm512_castsi512_si256(top), count, full);
            if (count > 32) {
                we_store_32_ucs4_avx512(units + 32, _mm512_permutex2var_epi8(low, interleave_second, high),
                                        _mm512_extracti64x4_epi64(top, 1), count - 32, full);
            }
        }
        out += count;
        if (block.error || !full) {
            *written = out;
            return we_utf_8_stop(position, block.ends, begun);
        }
        before.bytes = block.bytes;
    }
}

/* Only 0xC2 and 0xC3 lead to Latin-1, and to what they lead is the trail itself, with bit 6 set after 0xC3. */
static inline WE_TARGET_AVX512 size_t we_utf_8_run_to_latin1_avx512(const uint8_t *source, size_t length, uint8_t *target,
                                                                    size_t *written)
{
    uint64_t lead_before = 0; /* at position 63 */
    uint64_t c3_before = 0;
    size_t position = 0;
    size_t out = 0;
    for (;;) {
        const size_t ahead = length - position;
        const int full = ahead >= 64;
        const uint64_t inside = _bzhi_u64(~UINT64_C(0), full ? 64 : (unsigned)ahead);
        const __m512i bytes = full ? _mm512_loadu_si512(source + position) : _mm512_maskz_loadu_epi8(inside, source + position);
        const uint64_t not_ascii = _mm512_movepi8_mask(bytes);
        if (full && (not_ascii | lead_before) == 0) {
            _mm512_storeu_si512(target + out, bytes);
                        position += 64;
            out += 64;
            continue;
        }
        const uint64_t continuation = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8((char)0xC0));
        const uint64_t c2 = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)0xC2));
        const uint64_t c3 = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)0xC3));
        const uint64_t leads = c2 | c3;
        const uint64_t error =
            ((continuation ^ (leads << 1 | lead_before)) | (not_ascii & ~continuation & ~leads)) & inside;
        const uint64_t ends = ~leads & inside & ((error & (0 - error)) - 1);
        const __m512i units =
            _mm512_mask_add_epi8(bytes, c3 << 1 | c3_before, bytes, _mm512_set1_epi8(0x40));
        const size_t count = (size_t)__builtin_popcountll(ends);
        const __m512i packed = _mm512_maskz_compress_epi8(ends, units);
        if (full) {
            _mm512_storeu_si512(target + out, packed);
        } else {
            _mm512_mask_storeu_epi8(target + out, _bzhi_u64(~UINT64_C(0), (unsigned)count), packed);
        }
        out += count;
        if (error || !full) {
            *written = out;
            return we_utf_8_stop(position, ends, lead_before);
        }
        lead_before = leads >> 63;
        c3_before = c3 >> 63;
        position += 64;
    }
}

/* Validates and, if there is a target, copies. */
WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_validate_avx512(const uint8_t *source, size_t length, uint8_t *target)
{
    const we_utf_8_constants constants = we_utf_8_constants_avx512();
    we_utf_8_before before = {_mm512_setzero_si512(), 0, 0, 0};
    for (size_t position = 0;; position += 64) {
        we_utf_8_block block;
        const int full = we_utf_8_read_avx512(&block, source + position, length - position);
        if (target && full) {
            _mm512_storeu_si512(target + position, block.bytes);
        } else if (target) {
            _mm512_mask_storeu_epi8(target + position, block.inside, block.bytes);
        }
        if (full && block.not_ascii == 0 && !we_utf_8_goes_on(&before)) {
            continue;
        }
        const size_t begun = we_utf_8_begun(&before);
        we_utf_8_classify_avx512(&block, &before, WE_UCS4, &constants);
        if (block.error || !full) {
            return we_utf_8_stop(position, block.ends, begun);
        }
        before.bytes = block.bytes;
    }
}

static inline WE_TARGET_AVX512 size_t we_utf_8_measure_avx512(const uint8_t *source, size_t length, uint8_t *largest)
{
    __m512i maximum = _mm512_setzero_si512();
    size_t count = 0;
    for (size_t position = 0; position < length; position += 64) {
        const size_t ahead = length - position;
        const uint64_t inside = _bzhi_u64(~UINT64_C(0), ahead < 64 ? (unsigned)ahead : 64);
        const __m512i bytes = _mm512_maskz_loadu_epi8(inside, source + position);
        maximum = _mm512_max_epu8(maximum, bytes);
        count += (size_t)__builtin_popcountll(inside & _mm512_cmpge_epi8_mask(bytes, _mm512_set1_epi8((char)0xC0)));
    }
    __m128i most = _mm_max_epu8(
        _mm_max_epu8(_mm512_extracti32x4_epi32(maximum, 0), _mm512_extracti32x4_epi32(maximum, 1)),
        _mm_max_epu8(_mm512_extracti32x4_epi32(maximum, 2), _mm512_extracti32x4_epi32(maximum, 3)));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 8));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 4));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 2));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 1));
    *largest = (uint8_t)_mm_cvtsi128_si32(most);
    return count;
}

/* ---- Encoding -------------------------------------------------------------------------------------------------------------- */

/* The bytes of each unit stand side by side, the last of them always at the end of the unit's lane, and those that the unit does not
 * take are left out by compressing. All bytes of a sequence of two or more have the high bit, so the sign bits are the mask; the
 * last byte is kept in any case. What is returned is the number of bytes that the first `count` units take. */
WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_store_lanes_avx512(uint8_t *target, __m512i lanes, int lane_size, size_t count,
                                                                      int roomy)
{
    const uint64_t last_bytes = lane_size == 2 ? UINT64_C(0xAAAAAAAAAAAAAAAA)
                              : lane_size == 3 ? UINT64_C(0x4444444444444444) /* of four bytes, the last stays empty */
                                               : UINT64_C(0x8888888888888888);
    const uint64_t inside = _bzhi_u64(~UINT64_C(0), (unsigned)count * (lane_size == 2 ? 2 : 4));
    const uint64_t kept = (_mm512_movepi8_mask(lanes) | last_bytes) & (roomy ? ~UINT64_C(0) : inside);
    const __m512i packed = _mm512_maskz_compress_epi8(kept, lanes);
    const size_t bytes = (size_t)__builtin_popcountll(kept);
    if (roomy) {
        _mm512_storeu_si512(target, packed);
    } else {
        _mm512_mask_storeu_epi8(target, _bzhi_u64(~UINT64_C(0), (unsigned)bytes), packed);
    }
    return bytes;
}

/* 32 units below U+0800. `roomy`: all of them count, and the target has room for 64 bytes. */
WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_two_avx512(uint8_t *target, __m512i units, size_t count, int roomy)
{
    const __m512i last = _mm512_slli_epi16(units, 8);
    const __m512i two = _mm512_ternarylogic_epi32(_mm512_set1_epi16(0x3F00), last, _mm512_srli_epi16(units, 6), 0xCA);
    const __mmask32 not_ascii = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
    const __m512i lanes = _mm512_mask_add_epi16(last, not_ascii, two, _mm512_set1_epi16((short)0x80C0));
    return we_utf_8_store_lanes_avx512(target, lanes, 2, count, roomy);
}

/* The lower three bytes of each four; what follows is junk. */
static const uint8_t we_three_of_four[64] = {0,  1,  2,  4,  5,  6,  8,  9,  10, 12, 13, 14, 16, 17, 18, 20,
                                             21, 22, 24, 25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38, 40, 41,
                                             42, 44, 45, 46, 48, 49, 50, 52, 53, 54, 56, 57, 58, 60, 61, 62};

/* Three bytes in the lane of each of 16 units, right for U+0800 to U+FFFF. */
WE_UNICODE_INLINE WE_TARGET_AVX512 __m512i we_utf_8_three_avx512(__m512i units)
{
    /* Bits 12, 6 and 0 and up, as bytes 0, 1 and 2 of each unit; the eight bits at 24 of a unit below U+10000 are 0. */
    const __m512i fields = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x3820262C1800060C), units);
    return _mm512_ternarylogic_epi32(fields, _mm512_set1_epi32(0x003F3F0F), _mm512_set1_epi32(0x008080E0), 0xEA);
}

/* 16 units below U+10000. */
WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_three_avx512(uint8_t *target, __m512i units, size_t count, int roomy)
{
    __m512i lanes = we_utf_8_three_avx512(units);
    lanes = _mm512_mask_xor_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x800)), lanes,
                                  _mm512_set1_epi32(0x000040E0));
    lanes = _mm512_mask_slli_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x80)), units, 16);
    return we_utf_8_store_lanes_avx512(target, lanes, 3, count, roomy);
}

/* 16 units. */
WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_four_avx512(uint8_t *target, __m512i units, size_t count, int roomy)
{
    const __m512i fields = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x20262C3200060C12), units);
    __m512i lanes = _mm512_ternarylogic_epi32(fields, _mm512_set1_epi32(0x3F3F3F07), _mm512_set1_epi32((int)0x808080F0), 0xEA);
    lanes = _mm512_mask_xor_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x10000)), lanes,
                                  _mm512_set1_epi32(0x000060F0));
    lanes = _mm512_mask_xor_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x800)), lanes,
                                  _mm512_set1_epi32(0x0040E000));
    lanes = _mm512_mask_slli_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x80)), units, 24);
    return we_utf_8_store_lanes_avx512(target, lanes, 4, count, roomy);
}

static inline WE_TARGET_AVX512 size_t we_utf_8_encode_ucs1_avx512(const uint8_t *source, size_t length, uint8_t *target,
                                                                  size_t *written)
{
    size_t out = 0;
    size_t position = 0;
    while (position < length) {
        const size_t ahead = length - position;
        if (ahead >= 64) {
            const __m512i units = _mm512_loadu_si512(source + position);
            if (_mm512_movepi8_mask(units) == 0) {
                _mm512_storeu_si512(target + out, units);
                out += 64;
            } else {
                out += we_utf_8_encode_two_avx512(target + out, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(units)), 32, 1);
                out += we_utf_8_encode_two_avx512(target + out, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(units, 1)), 32, 1);
            }
            position += 64;
        } else {
            const size_t count = ahead < 32 ? ahead : 32;
            const __mmask32 inside = (__mmask32)_bzhi_u64(~UINT64_C(0), (unsigned)count);
            const __m512i units = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(inside, source + position));
            out += we_utf_8_encode_two_avx512(target + out, units, count, 0);
            position += count;
        }
    }
    *written = out;
    return length;
}

static inline WE_TARGET_AVX512 size_t we_utf_8_encode_ucs2_avx512(const uint16_t *source, size_t length, uint8_t *target,
                                                                  size_t *written)
{
    size_t out = 0;
    size_t position = 0;
    while (position < length) {
        const size_t ahead = length - position;
        size_t count = ahead < 32 ? ahead : 32;
        /* Two stores of 64 bytes, the second after at most 48: room for 112 bytes is there from 35 units on. */
        int roomy = ahead >= 35;
        const __m512i units = _mm512_maskz_loadu_epi16((__mmask32)_bzhi_u64(~UINT64_C(0), (unsigned)count), source + position);
        if (_mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x800)) == 0) {
            if (roomy && _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80)) == 0) {
                _mm256_storeu_si256((__m256i *)(target + out), _mm512_cvtepi16_epi8(units));
                out += 32;
            } else {
                out += we_utf_8_encode_two_avx512(target + out, units, count, roomy);
            }
            position += count;
            continue;
        }
        const uint32_t surrogates = _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, _mm512_set1_epi16((short)0xF800)),
                                                            _mm512_set1_epi16((short)0xD800));
        if (surrogates) {
            count = (size_t)__builtin_ctz(surrogates);
            roomy = 0;
        }
        const __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units));
        const __m512i second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(units, 1));
        if (roomy && _mm512_cmplt_epu16_mask(units, _mm512_set1_epi16(0x800)) == 0) {
            const __m512i three = _mm512_loadu_si512(we_three_of_four);
            _mm512_storeu_si512(target + out, _mm512_permutexvar_epi8(three, we_utf_8_three_avx512(first)));
            _mm512_storeu_si512(target + out + 48, _mm512_permutexvar_epi8(three, we_utf_8_three_avx512(second)));
            out += 96;
            position += 32;
            continue;
        }
        out += we_utf_8_encode_three_avx512(target + out, first, count < 16 ? count : 16, roomy);
        out += we_utf_8_encode_three_avx512(target + out, second, count < 16 ? 0 : count - 16, roomy);
        position += count;
        if (surrogates) {
            break;
        }
    }
    *written = out;
    return position;
}

static inline WE_TARGET_AVX512 size_t we_utf_8_encode_ucs4_avx512(const uint32_t *source, size_t length, uint8_t *target,
                                                                  size_t *written)
{
    size_t out = 0;
    size_t position = 0;
    while (position < length) {
        const size_t ahead = length - position;
        size_t count = ahead < 16 ? ahead : 16;
        int roomy = ahead >= 16;
        const __m512i units = _mm512_maskz_loadu_epi32((__mmask16)_bzhi_u64(~UINT64_C(0), (unsigned)count), source + position);
        if (roomy && _mm512_cmpge_epu32_mask(units, _mm512_set1_epi32(0x80)) == 0) {
            _mm_storeu_si128((__m128i *)(target + out), _mm512_cvtepi32_epi8(units));
            out += 16;
            position += 16;
            continue;
        }
        const uint32_t surrogates = _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, _mm512_set1_epi32(~0x7FF)),
                                                            _mm512_set1_epi32(0xD800));
        if (surrogates) {
            count = (size_t)__builtin_ctz(surrogates);
            roomy = 0;
        }
        out += we_utf_8_encode_four_avx512(target + out, units, count, roomy);
        position += count;
        if (surrogates) {
            break;
        }
    }
    *written = out;
    return position;
}

WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_avx512(const void *source, int kind, size_t length, uint8_t *target,
                                                                 size_t *written)
{
    return kind == WE_UCS1   ? we_utf_8_encode_ucs1_avx512(source, length, target, written)
           : kind == WE_UCS2 ? we_utf_8_encode_ucs2_avx512(source, length, target, written)
                             : we_utf_8_encode_ucs4_avx512(source, length, target, written);
}

WE_UNICODE_INLINE WE_TARGET_AVX512 size_t we_utf_8_length_of_avx512(const void *source, int kind, size_t length)
{
    const size_t step = kind == WE_UCS1 ? 64 : kind == WE_UCS2 ? 32 : 16;
    size_t bytes = length;
    for (size_t position = 0; position < length; position += step) {
        const size_t ahead = length - position;
        const uint64_t inside = _bzhi_u64(~UINT64_C(0), (unsigned)(ahead < step ? ahead : step));
        if (kind == WE_UCS1) {
            const __m512i units = _mm512_maskz_loadu_epi8(inside, (const uint8_t *)source + position);
            bytes += (size_t)__builtin_popcountll(_mm512_movepi8_mask(units));
        } else if (kind == WE_UCS2) {
            const __m512i units = _mm512_maskz_loadu_epi16((__mmask32)inside, (const uint16_t *)source + position);
            bytes += (size_t)__builtin_popcount(_mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80)));
            bytes += (size_t)__builtin_popcount(_mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x800)));
        } else {
            const __m512i units = _mm512_maskz_loadu_epi32((__mmask16)inside, (const uint32_t *)source + position);
            bytes += (size_t)__builtin_popcount(_mm512_cmpge_epu32_mask(units, _mm512_set1_epi32(0x80)));
            bytes += (size_t)__builtin_popcount(_mm512_cmpge_epu32_mask(units, _mm512_set1_epi32(0x800)));
            bytes += (size_t)__builtin_popcount(_mm512_cmpge_epu32_mask(units, _mm512_set1_epi32(0x10000)));
        }
    }
    return bytes;
}

#endif
