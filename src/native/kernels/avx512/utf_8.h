/* The UTF-8 runs with AVX-512 (F, BW, VL, VBMI, VBMI2), in blocks of 64 bytes. scalar/utf_8.h defines them.
 *
 * Decoding. A code point belongs to the block in which its sequence ends. So blocks are adjacent, no block waits for
 * the length of the one before, each is read once, and the next one needs only its last three bytes and its last end.
 * For all 64 positions at once the code point that would end there is put together from the byte and the three before
 * it; then the positions where one does end are compressed. An error is a bit as well, and clears the ends above it:
 * neither errors nor the last bytes, fewer than 64, take another path.
 *
 * Compressing stores (vpcompressb to memory) are microcoded on Zen 4, so a register is compressed and stored whole. The
 * target has a unit for each byte of source, and so 64 for a full block; a partial one is stored with a mask.
 *
 * Each kernel must equal the handler utf_8_decode_item or utf_8_encode_item:
 * https://encoding.spec.whatwg.org/#utf-8-decoder and #utf-8-encoder. */

/* ---- Decoding -------------------------------------------------------------------------------------------- */

/* Hides a constant's value from GCC, which would build it anew from a general register in each block. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 __m512i we_constant_avx512(__m512i constant)
{
    WE_KEEP_LOADED(constant);
    return constant;
}

/* Constants of the loops. */
typedef struct {
    __m512i x07, x0f, x1e, x20, x3f, x60, x70, xc0, xc2, xe0, xf0;
    __m512i second_table; /* selects the second of two tables in the high byte of each unit */
    __m512i eighths; /* the order of eighths with which unpacking, which works within quarters, gives the two halves of
                        a target */
    __m512i wrong_below_a0; /* by the low six bits of a leading byte: those that 0x80 to 0x9F must not follow */
    __m512i wrong_from_a0;  /* those that 0xA0 to 0xBF must not follow */
} we_utf_8_constants;

/* For UCS2, nothing may follow a leading byte of four. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 we_utf_8_constants we_utf_8_constants_avx512(int kind)
{
    const uint64_t never = UINT64_C(3) | (kind == WE_UCS2 ? UINT64_C(0xFFFF) << 0x30 : UINT64_C(0x7FF) << 0x35);
    const we_utf_8_constants constants = {
        .x07 = we_constant_avx512(_mm512_set1_epi8(0x07)),
        .x0f = we_constant_avx512(_mm512_set1_epi8(0x0F)),
        .x1e = we_constant_avx512(_mm512_set1_epi8(0x1E)),
        .x20 = we_constant_avx512(_mm512_set1_epi8(0x20)),
        .x3f = we_constant_avx512(_mm512_set1_epi8(0x3F)),
        .x60 = we_constant_avx512(_mm512_set1_epi8(0x60)),
        .x70 = we_constant_avx512(_mm512_set1_epi8(0x70)),
        .xc0 = we_constant_avx512(_mm512_set1_epi8((char)0xC0)),
        .xc2 = we_constant_avx512(_mm512_set1_epi8((char)0xC2)),
        .xe0 = we_constant_avx512(_mm512_set1_epi8((char)0xE0)),
        .xf0 = we_constant_avx512(_mm512_set1_epi8((char)0xF0)),
        .second_table = we_constant_avx512(_mm512_set1_epi16(0x4000)),
        .eighths = we_constant_avx512(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7)),
        .wrong_below_a0 = we_constant_avx512(_mm512_movm_epi8(never | UINT64_C(1) << 0x20)), /* 0xE0 */
        .wrong_from_a0 = we_constant_avx512(_mm512_movm_epi8(never | UINT64_C(1) << 0x2D)),  /* 0xED */
    };
    return constants;
}

/* The block before. */
typedef struct {
    __m512i bytes;
    uint64_t ends;
    uint64_t four; /* not 0 if there was a leading byte of four */
} we_utf_8_before_avx512;

typedef struct {
    __m512i bytes;
    __m512i before;      /* at each position the byte before it, */
    __m512i third_last;  /* two before it, */
    __m512i fourth_last; /* and three; only if this block or the one before has a leading byte of four */
    uint64_t inside;     /* the positions that the source has */
    uint64_t not_ascii;
    uint64_t four;  /* not 0 if there is a leading byte of four; for UCS2, that is an error */
    uint64_t ends;  /* where a sequence of the wanted kind ends, before the first error */
    uint64_t error; /* where the bytes so far can not be the start of a sequence */
} we_utf_8_block_avx512;

/* Read up to 64 bytes; return whether it read 64. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 int we_utf_8_read_avx512(we_utf_8_block_avx512 *block, const uint8_t *source,
                                                           size_t length)
{
    const int full = length >= 64;
    block->inside = full ? ~UINT64_C(0) : we_first_bits(length);
    block->bytes = we_load_first_64(source, length);
    block->not_ascii = _mm512_movepi8_mask(block->bytes);
    return full;
}

/* Find the ends and the errors of a block. Mask registers are expensive (a compare and a move each), so conditions
 * stay in the high bits of bytes as long as possible: `x & (x + x)` has it set from 0xC0 on, `x - 0x60` (not below 0)
 * from 0xE0 on, `x - 0x70` from 0xF0 on. https://encoding.spec.whatwg.org/#utf-8-decoder */
WE_ALWAYS_INLINE WE_TARGET_AVX512 void we_utf_8_classify_avx512(we_utf_8_block_avx512 *block,
                                                                const we_utf_8_before_avx512 *before, int kind,
                                                                const we_utf_8_constants *constants)
{
    const __m512i bytes = block->bytes;
    const __m512i last_16_before = _mm512_alignr_epi64(bytes, before->bytes, 6);
    block->before = _mm512_alignr_epi8(bytes, last_16_before, 15);
    block->third_last = _mm512_alignr_epi8(bytes, last_16_before, 14);
    const __m512i twice = _mm512_add_epi8(bytes, bytes);
    const __m512i leading_before = _mm512_and_si512(block->before, _mm512_add_epi8(block->before, block->before));

    __m512i due = _mm512_subs_epu8(block->third_last, constants->x60);
    __m512i goes_on = _mm512_subs_epu8(block->before, constants->x60);
    /* The low six bits of a leading byte and bit 5 of the byte after it: an index of seven bits. */
    const __m512i pair = _mm512_ternarylogic_epi32(constants->x3f, block->before, twice, 0xCA);
    __m512i wrong = _mm512_permutex2var_epi8(constants->wrong_below_a0, pair, constants->wrong_from_a0);
    block->four = kind == WE_UCS4 ? _mm512_cmpge_epu8_mask(bytes, constants->xf0) : 0;
    block->fourth_last = _mm512_setzero_si512();
    if (block->four | before->four) {
        /* Less than 0x90 after 0xF0, more than 0x8F after 0xF4. */
        const __mmask64 f0 = _mm512_cmpeq_epi8_mask(block->before, constants->xf0);
        const __mmask64 f4 = _mm512_cmpeq_epi8_mask(block->before, _mm512_set1_epi8((char)0xF4));
        const __m512i bits = _mm512_set1_epi8(0x30);
        wrong = _mm512_or_si512(wrong, _mm512_movm_epi8(_mm512_mask_testn_epi8_mask(f0, bytes, bits)
                                                        | _mm512_mask_test_epi8_mask(f4, bytes, bits)));
        block->fourth_last = _mm512_alignr_epi8(bytes, last_16_before, 13);
        due = _mm512_or_si512(due, _mm512_subs_epu8(block->fourth_last, constants->x70));
        goes_on = _mm512_or_si512(goes_on, _mm512_subs_epu8(block->third_last, constants->x70));
    }
    /* A continuation where none is due, or none where one is: (a | b) ^ c. */
    const __m512i continuation = _mm512_andnot_si512(twice, bytes);
    const __m512i misplaced = _mm512_ternarylogic_epi32(leading_before, due, continuation, 0x56);
    const __m512i error = _mm512_ternarylogic_epi32(misplaced, leading_before, wrong, 0xF8); /* a | b & c */
    goes_on = _mm512_ternarylogic_epi32(goes_on, bytes, twice, 0xF8);
    block->error = _mm512_movepi8_mask(error);
    block->ends = ~_mm512_movepi8_mask(goes_on);
    if (block->error || ~block->inside) {
        block->error &= block->inside;
        block->ends &= block->inside & ((block->error & (0 - block->error)) - 1);
    }
}

/* Where a run stops: after the last end in the block at `position`, or after that of the block before. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_stop_avx512(size_t position, uint64_t ends, uint64_t ends_before)
{
    return ends ? position + 64 - (size_t)_lzcnt_u64(ends) : position - (size_t)_lzcnt_u64(ends_before);
}

/* Store the first `count` of 32 units of 16 bits as four bytes each, in a full block all, within its capacity; the bits
 * above are those of `top` if `has_top`. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 void we_store_32_ucs4_avx512(uint32_t *target, __m512i low, __m256i top, int has_top,
                                                               size_t count, int full)
{
    __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(low));
    __m512i second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(low, 1));
    if (has_top) {
        first = _mm512_or_si512(first, _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm256_castsi256_si128(top)), 16));
        second = _mm512_or_si512(second, _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm256_extracti128_si256(top, 1)), 16));
    }
    we_store_first_64(target, full ? 64 : 4 * count, first);
    if (count > 16)
        we_store_first_64(target + 16, full ? 64 : 4 * (count - 16), second);
}

/* Store a block of ASCII. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 void we_widen_64_avx512(void *target, int kind, size_t out, __m512i bytes)
{
    const __m512i first = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
    const __m512i second = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1));
    if (kind == WE_UCS2) {
        _mm512_storeu_si512((uint16_t *)target + out, first);
        _mm512_storeu_si512((uint16_t *)target + out + 32, second);
    } else {
        we_store_32_ucs4_avx512((uint32_t *)target + out, first, _mm256_setzero_si256(), 0, 32, 1);
        we_store_32_ucs4_avx512((uint32_t *)target + out + 32, second, _mm256_setzero_si256(), 0, 32, 1);
    }
}

/* The numbers 0 to 63 and, twice each, 0 to 31. */
static const uint8_t we_numbers_64[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                          16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                          32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                          48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
static const uint8_t we_twice_32[64] = {0,  0,  1,  1,  2,  2,  3,  3,  4,  4,  5,  5,  6,  6,  7,  7,
                                        8,  8,  9,  9,  10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15,
                                        16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23,
                                        24, 24, 25, 25, 26, 26, 27, 27, 28, 28, 29, 29, 30, 30, 31, 31};

/* 32 units; `positions` has the position of each, twice. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 __m512i we_pair_avx512(__m512i low, __m512i high, __m512i positions,
                                                         const we_utf_8_constants *constants)
{
    /* The first time from `low`; the second time, with 64 added, from `high`. */
    return _mm512_permutex2var_epi8(low, _mm512_or_si512(positions, constants->second_table), high);
}

/* The ends of a full block that holds nothing but well-formed sequences of one and two bytes, the first of which may be
 * complete only here; 0 if it holds anything else. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 uint64_t we_utf_8_ends_of_two_avx512(__m512i bytes, uint64_t not_ascii,
                                                                       uint64_t ends_before,
                                                                       const we_utf_8_constants *constants)
{
    /* Continuations, as signed numbers, are below 0xC0. A leading byte from 0xC2 to 0xDF is one of 0x1E bytes. */
    const uint64_t continuation = _mm512_cmplt_epi8_mask(bytes, constants->xc0);
    const uint64_t leading = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, constants->xc2), constants->x1e);
    return (continuation | leading) == not_ascii && continuation == (leading << 1 | ~ends_before >> 63) ? ~leading : 0;
}

/* Store the UCS2 units that end at `ends` in a block of sequences of one and two bytes; write 64 units. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 void we_utf_8_put_two_avx512(uint16_t *target, __m512i bytes, __m512i bytes_before,
                                                               uint64_t not_ascii, uint64_t ends,
                                                               const we_utf_8_constants *constants)
{
    const __m512i before = _mm512_alignr_epi8(bytes, _mm512_alignr_epi64(bytes, bytes_before, 6), 15);
    /* Bits 0 to 5 of a trailing byte and, from the leading byte, bits 6 and 7; then bits 8 to 10. */
    const __m512i from_leading = _mm512_maskz_mov_epi8(not_ascii, constants->xc0);
    const __m512i low = _mm512_ternarylogic_epi32(from_leading, _mm512_slli_epi16(before, 6), bytes, 0xCA);
    const __m512i high =
        _mm512_and_si512(_mm512_srli_epi16(before, 2), _mm512_maskz_mov_epi8(not_ascii, constants->x07));
    const __m512i lows = _mm512_permutexvar_epi64(constants->eighths, _mm512_maskz_compress_epi8(ends, low));
    const __m512i highs = _mm512_permutexvar_epi64(constants->eighths, _mm512_maskz_compress_epi8(ends, high));
    _mm512_storeu_si512(target, _mm512_unpacklo_epi8(lows, highs));
    _mm512_storeu_si512(target + 32, _mm512_unpackhi_epi8(lows, highs));
}

/* Runs into UCS2 and UCS4; `kind` is a constant wherever this is inlined. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_decode_units_avx512(const uint8_t *source, size_t length,
                                                                      void *target, int kind, size_t *written)
{
    const size_t unit_size = kind == WE_UCS2 ? 2 : 4, room = *written;
    const we_utf_8_constants constants = we_utf_8_constants_avx512(kind);
    const __m512i numbers = _mm512_loadu_si512(we_numbers_64);
    const __m512i twice_first = _mm512_loadu_si512(we_twice_32);
    const __m512i twice_second = we_constant_avx512(_mm512_add_epi8(twice_first, constants.x20));
    we_utf_8_before_avx512 before = {_mm512_setzero_si512(), ~UINT64_C(0), 0};
    /* What is incomplete before the block, if anything, is the leading byte of a pair, and longer sequences are
     * unlikely in it. */
    int try_two = kind == WE_UCS2;
    unsigned ascii_blocks = 0;
    size_t position = 0;
    size_t out = 0;
    for (;; position += 64) {
        we_utf_8_block_avx512 block;
        const int is_last = !we_utf_8_read_avx512(&block, source + position, length - position);
        const int full = !is_last && room - out >= 64; /* stores whole vectors */
        if (full && block.not_ascii == 0 && before.ends >> 63) {
            we_widen_64_avx512(target, kind, out, block.bytes);
            before.ends = ~UINT64_C(0);
            out += 64;
            if (WE_UNLIKELY(++ascii_blocks == WE_LONG_ASCII)) {
                const size_t rest = length - position - 64, left = room - out;
                const size_t ascii = we_utf_8_long_ascii_avx2(source + position + 64, rest < left ? rest : left,
                                                              (uint8_t *)target + out * unit_size, kind);
                out += ascii;
                position += ascii;
                ascii_blocks = 0;
            }
            continue;
        }
        if (out == room) {
            *written = out;
            return we_utf_8_stop_avx512(position, 0, before.ends);
        }
        ascii_blocks = 0;
        if (try_two && full) {
            const uint64_t ends = we_utf_8_ends_of_two_avx512(block.bytes, block.not_ascii, before.ends, &constants);
            if (ends != 0) {
                we_utf_8_put_two_avx512((uint16_t *)target + out, block.bytes, before.bytes, block.not_ascii, ends,
                                        &constants);
                out += (size_t)__builtin_popcountll(ends);
                before.bytes = block.bytes;
                before.ends = ends;
                continue;
            }
        }
        we_utf_8_classify_avx512(&block, &before, kind, &constants);
        if (!full && (size_t)__builtin_popcountll(block.ends) > room - out)
            block.ends = _pdep_u64(we_first_bits(room - out), block.ends);

        /* The low and the high byte of the code point that ends at each position. The shifts are of 16-bit lanes: no
         * bit that comes over from the neighbouring byte is selected. */
        const __m512i second_last = _mm512_maskz_mov_epi8(block.not_ascii, block.before);
        __m512i third_last = _mm512_subs_epu8(block.third_last, constants.xe0); /* 0 below a leading byte of three */
        __mmask64 fourth = 0;
        if (kind == WE_UCS4 && (block.four | before.four)) {
            fourth = _mm512_cmpge_epu8_mask(block.fourth_last, constants.xf0);
            third_last = _mm512_mask_mov_epi8(third_last, fourth, block.third_last);
        }
        const __m512i top_two = _mm512_maskz_mov_epi8(block.not_ascii, constants.xc0);
        const __m512i low = _mm512_ternarylogic_epi32(top_two, _mm512_slli_epi16(second_last, 6), block.bytes, 0xCA);
        const __m512i high = _mm512_ternarylogic_epi32(constants.x0f, _mm512_srli_epi16(second_last, 2),
                                                       _mm512_slli_epi16(third_last, 4), 0xCA);

        const size_t count = (size_t)__builtin_popcountll(block.ends);
        const __m512i ends = _mm512_maskz_compress_epi8(block.ends, numbers);
        const __m512i first = we_pair_avx512(low, high, _mm512_permutexvar_epi8(twice_first, ends), &constants);
        if (kind == WE_UCS2) {
            we_store_first_64((uint16_t *)target + out, full ? 64 : 2 * count, first);
            if (count > 32) {
                const __m512i second =
                    we_pair_avx512(low, high, _mm512_permutexvar_epi8(twice_second, ends), &constants);
                we_store_first_64((uint16_t *)target + out + 32, full ? 64 : 2 * (count - 32), second);
            }
        } else {
            /* Three bits of the leading byte of four bytes and two of the byte after it. */
            __m512i top = _mm512_setzero_si512();
            if (fourth) {
                top = _mm512_ternarylogic_epi32(
                    _mm512_set1_epi8(0x1C), _mm512_slli_epi16(block.fourth_last, 2),
                    _mm512_and_si512(_mm512_srli_epi16(block.third_last, 4), _mm512_set1_epi8(3)), 0xCA);
                top = _mm512_permutexvar_epi8(ends, _mm512_maskz_mov_epi8(fourth, top));
            }
            we_store_32_ucs4_avx512((uint32_t *)target + out, first, _mm512_castsi512_si256(top), fourth != 0, count,
                                    full);
            if (count > 32) {
                const __m512i second =
                    we_pair_avx512(low, high, _mm512_permutexvar_epi8(twice_second, ends), &constants);
                we_store_32_ucs4_avx512((uint32_t *)target + out + 32, second, _mm512_extracti64x4_epi64(top, 1),
                                        fourth != 0, count - 32, full);
            }
        }
        out += count;
        if (block.error || is_last || out == room) {
            *written = out;
            return we_utf_8_stop_avx512(position, block.ends, before.ends);
        }
        before.bytes = block.bytes;
        before.ends = block.ends;
        before.four = block.four;
        try_two = kind == WE_UCS2 && block.ends >> 63
                  && count > 30; /* 64 bytes without longer sequences have at least 31 ends */
    }
}

/* Latin-1 has the leading bytes 0xC2 and 0xC3; its character is the trailing byte itself, with bit 6 set after 0xC3. */
static inline WE_TARGET_AVX512 size_t we_utf_8_decode_latin1_avx512(const uint8_t *source, size_t length,
                                                                    uint8_t *target, size_t *written)
{
    uint64_t leading_before = 0; /* at position 63 */
    uint64_t c3_before = 0;
    size_t position = 0;
    size_t out = 0;
    for (;;) {
        const size_t ahead = length - position;
        const int full = ahead >= 64;
        const uint64_t inside = we_first_bits(full ? 64 : ahead);
        const __m512i bytes = we_load_first_64(source + position, ahead);
        const uint64_t not_ascii = _mm512_movepi8_mask(bytes);
        if (full && (not_ascii | leading_before) == 0) {
            _mm512_storeu_si512(target + out, bytes);
            position += 64;
            out += 64;
            continue;
        }
        const uint64_t continuation = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8((char)0xC0));
        const uint64_t c2 = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)0xC2));
        const uint64_t c3 = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8((char)0xC3));
        const uint64_t leading = c2 | c3;
        const uint64_t error =
            ((continuation ^ (leading << 1 | leading_before)) | (not_ascii & ~continuation & ~leading)) & inside;
        const uint64_t ends = ~leading & inside & ((error & (0 - error)) - 1);
        const __m512i units = _mm512_mask_add_epi8(bytes, c3 << 1 | c3_before, bytes, _mm512_set1_epi8(0x40));
        const size_t count = (size_t)__builtin_popcountll(ends);
        const __m512i packed = _mm512_maskz_compress_epi8(ends, units);
        we_store_first_64(target + out, full ? 64 : count, packed);
        out += count;
        if (error || !full) {
            *written = out;
            return (ends ? position + 64 - (size_t)__builtin_clzll(ends) : position - (size_t)leading_before);
        }
        leading_before = leading >> 63;
        c3_before = c3 >> 63;
        position += 64;
    }
}

/* Every decoder run; `kind` is a constant wherever this is inlined. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_decode_avx512(const uint8_t *source, size_t length, void *target,
                                                                int kind, size_t *written)
{
    if (kind == WE_UCS1)
        return we_utf_8_decode_latin1_avx512(source, length, (uint8_t *)target, written);
    return we_utf_8_decode_units_avx512(source, length, target, kind, written);
}

/* Copy the longest prefix of complete, valid sequences; return its length. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_validate_avx512(const uint8_t *source, size_t length, uint8_t *target)
{
    const we_utf_8_constants constants = we_utf_8_constants_avx512(WE_UCS4);
    we_utf_8_before_avx512 before = {_mm512_setzero_si512(), ~UINT64_C(0), 0};
    for (size_t position = 0;; position += 64) {
        we_utf_8_block_avx512 block;
        const int full = we_utf_8_read_avx512(&block, source + position, length - position);
        we_store_first_64(target + position, length - position, block.bytes);
        if (full && block.not_ascii == 0 && before.ends >> 63) {
            before.ends = ~UINT64_C(0);
            continue;
        }
        we_utf_8_classify_avx512(&block, &before, WE_UCS4, &constants);
        if (block.error || !full)
            return we_utf_8_stop_avx512(position, block.ends, before.ends);
        before.bytes = block.bytes;
        before.ends = block.ends;
        before.four = block.four;
    }
}

/* ---- Encoding -------------------------------------------------------------------------------------------- */

/* The bytes of each unit stand side by side, the last of them always at the end of the unit's lane; those that the unit
 * does not have are compressed away. All bytes of a sequence of two or more have the high bit, so the sign bits are the
 * mask; the last byte is always kept. Returns the bytes of the first `count` units. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_store_lanes_avx512(uint8_t *target, __m512i lanes, int lane_size,
                                                                     size_t count, int full_store)
{
    const uint64_t last_bytes = lane_size == 2 ? UINT64_C(0xAAAAAAAAAAAAAAAA)
                                : lane_size == 3
                                    ? UINT64_C(0x4444444444444444) /* of four bytes, the last stays empty */
                                    : UINT64_C(0x8888888888888888);
    const uint64_t inside = we_first_bits(count * (lane_size == 2 ? 2 : 4));
    const uint64_t kept = (_mm512_movepi8_mask(lanes) | last_bytes) & (full_store ? ~UINT64_C(0) : inside);
    const __m512i packed = _mm512_maskz_compress_epi8(kept, lanes);
    const size_t bytes = (size_t)__builtin_popcountll(kept);
    we_store_first_64(target, full_store ? 64 : bytes, packed);
    return bytes;
}

/* Constants of the loops. */
typedef struct {
    __m512i below_two_u16, below_three_u16, surrogate_bits, surrogates; /* of 32 units */
    __m512i trailing_two, mark_two;
    __m512i below_two_u32, below_three_u32, fields_three, bits_three, mark_three, three_to_two; /* of 16 units */
} we_utf_8_encode_constants_avx512;

WE_ALWAYS_INLINE WE_TARGET_AVX512 we_utf_8_encode_constants_avx512 we_utf_8_load_encode_constants_avx512(void)
{
    const we_utf_8_encode_constants_avx512 constants = {
        .below_two_u16 = we_constant_avx512(_mm512_set1_epi16(0x80)),
        .below_three_u16 = we_constant_avx512(_mm512_set1_epi16(0x800)),
        .surrogate_bits = we_constant_avx512(_mm512_set1_epi16((short)0xF800)),
        .surrogates = we_constant_avx512(_mm512_set1_epi16((short)0xD800)),
        .trailing_two = we_constant_avx512(_mm512_set1_epi16(0x3F00)),
        .mark_two = we_constant_avx512(_mm512_set1_epi16((short)0x80C0)),
        .below_two_u32 = we_constant_avx512(_mm512_set1_epi32(0x80)),
        .below_three_u32 = we_constant_avx512(_mm512_set1_epi32(0x800)),
        /* Bits 12, 6 and 0 and up, as bytes 0, 1 and 2 of each unit; the eight bits at 24 of a unit below U+10000 are
           0. */
        .fields_three = we_constant_avx512(_mm512_set1_epi64(0x3820262C1800060C)),
        .bits_three = we_constant_avx512(_mm512_set1_epi32(0x003F3F0F)),
        .mark_three = we_constant_avx512(_mm512_set1_epi32(0x008080E0)),
        .three_to_two = we_constant_avx512(_mm512_set1_epi32(0x000040E0)),
    };
    return constants;
}

/* Encode 32 units below U+0800. `full_store`: all of them count, and the capacity is at least 64 bytes. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_two_avx512(uint8_t *target, __m512i units, size_t count,
                                                                    int full_store,
                                                                    const we_utf_8_encode_constants_avx512 *constants)
{
    const __m512i last = _mm512_slli_epi16(units, 8);
    const __m512i two = _mm512_ternarylogic_epi32(constants->trailing_two, last, _mm512_srli_epi16(units, 6), 0xCA);
    const __mmask32 not_ascii = _mm512_cmpge_epu16_mask(units, constants->below_two_u16);
    const __m512i lanes = _mm512_mask_add_epi16(last, not_ascii, two, constants->mark_two);
    return we_utf_8_store_lanes_avx512(target, lanes, 2, count, full_store);
}

/* The lower three bytes of each four; the rest is arbitrary. */
static const uint8_t we_three_of_four[64] = {0,  1,  2,  4,  5,  6,  8,  9,  10, 12, 13, 14, 16, 17, 18, 20,
                                             21, 22, 24, 25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38, 40, 41,
                                             42, 44, 45, 46, 48, 49, 50, 52, 53, 54, 56, 57, 58, 60, 61, 62};

/* Three bytes in the lane of each of 16 units, right for U+0800 to U+FFFF. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 __m512i we_utf_8_three_avx512(__m512i units,
                                                                const we_utf_8_encode_constants_avx512 *constants)
{
    const __m512i fields = _mm512_multishift_epi64_epi8(constants->fields_three, units);
    return _mm512_ternarylogic_epi32(fields, constants->bits_three, constants->mark_three, 0xEA);
}

/* The same for all units below U+10000: of those below U+0800 the first one or two bytes are 0. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 __m512i we_utf_8_up_to_three_avx512(__m512i units,
                                                                      const we_utf_8_encode_constants_avx512 *constants)
{
    __m512i lanes = we_utf_8_three_avx512(units, constants);
    lanes = _mm512_mask_xor_epi32(lanes, _mm512_cmplt_epu32_mask(units, constants->below_three_u32), lanes,
                                  constants->three_to_two);
    return _mm512_mask_slli_epi32(lanes, _mm512_cmplt_epu32_mask(units, constants->below_two_u32), units, 16);
}

/* Encode 16 units below U+10000. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_three_avx512(uint8_t *target, __m512i units, size_t count,
                                                                      int full_store,
                                                                      const we_utf_8_encode_constants_avx512 *constants)
{
    return we_utf_8_store_lanes_avx512(target, we_utf_8_up_to_three_avx512(units, constants), 3, count, full_store);
}

/* Encode 16 units. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_four_avx512(uint8_t *target, __m512i units, size_t count,
                                                                     int full_store)
{
    const __m512i fields = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x20262C3200060C12), units);
    __m512i lanes =
        _mm512_ternarylogic_epi32(fields, _mm512_set1_epi32(0x3F3F3F07), _mm512_set1_epi32((int)0x808080F0), 0xEA);
    lanes = _mm512_mask_xor_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x10000)), lanes,
                                  _mm512_set1_epi32(0x000060F0));
    lanes = _mm512_mask_xor_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x800)), lanes,
                                  _mm512_set1_epi32(0x0040E000));
    lanes = _mm512_mask_slli_epi32(lanes, _mm512_cmplt_epu32_mask(units, _mm512_set1_epi32(0x80)), units, 24);
    return we_utf_8_store_lanes_avx512(target, lanes, 4, count, full_store);
}

static inline WE_TARGET_AVX512 size_t we_utf_8_encode_ucs1_avx512(const uint8_t *source, size_t length, uint8_t *target,
                                                                  size_t *written)
{
    const we_utf_8_encode_constants_avx512 constants = we_utf_8_load_encode_constants_avx512();
    size_t out = 0;
    size_t position = 0;
    while (position < length) {
        const size_t ahead = length - position;
        if (ahead >= 64) {
            const __m512i units = we_load_64(source + position);
            if (_mm512_movepi8_mask(units) == 0) {
                _mm512_storeu_si512(target + out, units);
                out += 64;
            } else {
                out += we_utf_8_encode_two_avx512(target + out, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(units)), 32,
                                                  1, &constants);
                out += we_utf_8_encode_two_avx512(
                    target + out, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(units, 1)), 32, 1, &constants);
            }
            position += 64;
        } else {
            const size_t count = ahead < 32 ? ahead : 32;
            const __mmask32 inside = (__mmask32)we_first_bits(count);
            const __m512i units = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(inside, source + position));
            out += we_utf_8_encode_two_avx512(target + out, units, count, 0, &constants);
            position += count;
        }
    }
    *written = out;
    return length;
}

/* Store whole blocks of 64 units of ASCII up to the first that holds another unit; return how many units. After the
 * first block of a long text, loads are aligned: part of it is stored again. */
WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_ascii_avx512(const uint16_t *source, size_t length,
                                                                      uint8_t *target)
{
    const __m512i not_ascii = we_constant_avx512(_mm512_set1_epi16((short)0xFF80));
    /* Packing works within quarters, whose halves are then put in order. */
    const __m512i order = we_constant_avx512(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7));
    const size_t past = length >= WE_WORTH_ALIGNING ? WE_MISALIGNED(source, 32) : 0;
    size_t read = 0;
    for (; length - read >= 64; read += 64) {
        const __m512i low = we_load_64(source + read), high = we_load_64(source + read + 32);
        if (_mm512_test_epi16_mask(_mm512_or_si512(low, high), not_ascii) != 0)
            break;
        _mm512_storeu_si512(target + read, _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high)));
        if (read == 0)
            read -= past;
    }
    return read;
}

static inline WE_TARGET_AVX512 size_t we_utf_8_encode_ucs2_avx512(const uint16_t *source, size_t length,
                                                                  uint8_t *target, size_t *written)
{
    const we_utf_8_encode_constants_avx512 constants = we_utf_8_load_encode_constants_avx512();
    const __m512i three = _mm512_loadu_si512(we_three_of_four);
    size_t out = 0;
    size_t position = 0;
    while (position < length) {
        const size_t ahead = length - position;
        size_t count = ahead < 32 ? ahead : 32;
        /* Two stores of 64 bytes, the second after at most 48: 35 units bring the capacity of 112 bytes. */
        int full_store = ahead >= 35;
        const __m512i units = we_load_first_units(source + position, count);
        if (_mm512_cmpge_epu16_mask(units, constants.below_three_u16) == 0) {
            if (full_store && _mm512_cmpge_epu16_mask(units, constants.below_two_u16) == 0) {
                _mm256_storeu_si256((__m256i *)(target + out), _mm512_cvtepi16_epi8(units));
                const size_t ascii =
                    32 + we_utf_8_encode_ascii_avx512(source + position + 32, ahead - 32, target + out + 32);
                position += ascii;
                out += ascii;
                continue;
            }
            out += we_utf_8_encode_two_avx512(target + out, units, count, full_store, &constants);
            position += count;
            continue;
        }
        const uint32_t surrogates =
            _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, constants.surrogate_bits), constants.surrogates);
        if (surrogates) {
            count = (size_t)__builtin_ctz(surrogates);
            full_store = 0;
        }
        const __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(units));
        const __m512i second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(units, 1));
        if (full_store && _mm512_cmplt_epu16_mask(units, constants.below_three_u16) == 0) {
            _mm512_storeu_si512(target + out, _mm512_permutexvar_epi8(three, we_utf_8_three_avx512(first, &constants)));
            _mm512_storeu_si512(target + out + 48,
                                _mm512_permutexvar_epi8(three, we_utf_8_three_avx512(second, &constants)));
            out += 96;
            position += 32;
            continue;
        }
        out += we_utf_8_encode_three_avx512(target + out, first, count < 16 ? count : 16, full_store, &constants);
        if (count > 16)
            out += we_utf_8_encode_three_avx512(target + out, second, count - 16, full_store, &constants);
        position += count;
        if (surrogates)
            break;
    }
    *written = out;
    return position;
}

static inline WE_TARGET_AVX512 size_t we_utf_8_encode_ucs4_avx512(const uint32_t *source, size_t length,
                                                                  uint8_t *target, size_t *written)
{
    size_t out = 0;
    size_t position = 0;
    while (position < length) {
        const size_t ahead = length - position;
        size_t count = ahead < 16 ? ahead : 16;
        int full_store = ahead >= 16;
        const __m512i units = _mm512_maskz_loadu_epi32((__mmask16)we_first_bits(count), source + position);
        if (full_store && _mm512_cmpge_epu32_mask(units, _mm512_set1_epi32(0x80)) == 0) {
            _mm_storeu_si128((__m128i *)(target + out), _mm512_cvtepi32_epi8(units));
            out += 16;
            position += 16;
            continue;
        }
        const uint32_t surrogates =
            _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, _mm512_set1_epi32(~0x7FF)), _mm512_set1_epi32(0xD800));
        if (surrogates) {
            count = (size_t)__builtin_ctz(surrogates);
            full_store = 0;
        }
        out += we_utf_8_encode_four_avx512(target + out, units, count, full_store);
        position += count;
        if (surrogates)
            break;
    }
    *written = out;
    return position;
}

WE_ALWAYS_INLINE WE_TARGET_AVX512 size_t we_utf_8_encode_avx512(const void *source, int kind, size_t length,
                                                                uint8_t *target, size_t *written)
{
    return kind == WE_UCS1   ? we_utf_8_encode_ucs1_avx512(source, length, target, written)
           : kind == WE_UCS2 ? we_utf_8_encode_ucs2_avx512(source, length, target, written)
                             : we_utf_8_encode_ucs4_avx512(source, length, target, written);
}
