/* Runs of the single-byte encodings with AVX-512.
 *
 * Each kernel must equal the handler single_byte_decode_item or single_byte_encode_item:
 * https://encoding.spec.whatwg.org/#single-byte-decoder and #single-byte-encoder. */

/* The first `count` of 64 units, in two vectors. */
WE_TARGET_AVX512 static inline void we_load_units_64(const uint16_t *source, size_t count, __m512i *a, __m512i *b)
{
    *a = we_load_first_units(source, count);
    *b = we_load_first_units(source + 32, count < 32 ? 0 : count - 32);
}

WE_TARGET_AVX512 static inline void we_store_units_64(uint16_t *target, size_t count, __m512i a, __m512i b)
{
    we_store_first_64(target, 2 * count, a);
    we_store_first_64(target + 32, count < 32 ? 0 : 2 * count - 64, b);
}

WE_TARGET_AVX512 static inline size_t we_single_byte_map_avx512(const uint8_t *source, size_t length,
                                                                const uint8_t *map, uint8_t *target)
{
    __m512i map_a = _mm512_loadu_si512(map), map_b = _mm512_loadu_si512(map + 64);
    size_t i = 0;
    if (length >= WE_WORTH_ALIGNING) {
        const size_t head = 64 - WE_MISALIGNED(target, 64);
        const __m512i bytes = we_load_64(source);
        const __m512i entries = _mm512_mask2_permutex2var_epi8(map_a, bytes, _mm512_movepi8_mask(bytes), map_b);
        _mm512_storeu_si512(target, entries);
        /* With a 0 among these the loops below start again. */
        if (_cvtmask64_u64(_mm512_testn_epi8_mask(entries, entries)) == 0)
            i = head;
    }
    /* Testing sixteen vectors for a 0 together saves a third of the time. From a 0 on, NUL or unmapped, the second loop
     * does the rest. */
    while (length - i >= 256) {
        __m512i least = _mm512_set1_epi8(-1);
        size_t end = length - i < 1024 ? i + ((length - i) & ~(size_t)255) : i + 1024;
        for (size_t k = i; k < end; k += 64) {
            const __m512i bytes = we_load_64(source + k);
            const __m512i entries = _mm512_mask2_permutex2var_epi8(map_a, bytes, _mm512_movepi8_mask(bytes), map_b);
            _mm512_storeu_si512(target + k, entries);
            least = _mm512_min_epu8(least, entries);
        }
        if (_cvtmask64_u64(_mm512_testn_epi8_mask(least, least)) != 0)
            break;
        i = end;
    }
    for (; i < length; i += 64) {
        size_t count = length - i < 64 ? length - i : 64;
        __m512i bytes = we_load_first_64(source + i, count);
        __mmask64 mapped = _mm512_movepi8_mask(bytes);
        __m512i entries = _mm512_mask2_permutex2var_epi8(map_a, bytes, mapped, map_b);
        we_store_first_64(target + i, count, entries);
        uint64_t unmapped = _cvtmask64_u64(_mm512_mask_testn_epi8_mask(mapped, entries, entries));
        if (unmapped != 0)
            return i + (size_t)_tzcnt_u64(unmapped);
    }
    return length;
}

/* A table of 128 code points: their low bytes and their high bytes. */
typedef struct {
    __m512i low[2], high[2];
} we_units_avx512;

/* Look up the first `count` of 64 bytes. Unpacking works within quarters: with the source's eighths in this order its
 * results are the two halves of the target. Return the mask of the unmapped bytes, in that order. */
WE_TARGET_AVX512 static inline uint64_t
we_single_byte_step_to_ucs2_avx512(const uint8_t *source, size_t count, const we_units_avx512 *table, uint16_t *target)
{
    const __m512i eighths = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    __m512i bytes = _mm512_permutexvar_epi64(eighths, we_load_first_64(source, count));
    __mmask64 mapped = _mm512_movepi8_mask(bytes);
    __m512i lows = _mm512_mask2_permutex2var_epi8(table->low[0], bytes, mapped, table->low[1]);
    __m512i highs = _mm512_maskz_permutex2var_epi8(mapped, table->high[0], bytes, table->high[1]);
    we_store_units_64(target, count, _mm512_unpacklo_epi8(lows, highs), _mm512_unpackhi_epi8(lows, highs));
    __m512i either = _mm512_or_si512(lows, highs);
    return _cvtmask64_u64(_mm512_mask_testn_epi8_mask(mapped, either, either));
}

WE_TARGET_AVX512 static inline size_t we_single_byte_run_to_ucs2_avx512(const uint8_t *source, size_t length,
                                                                        const uint16_t *table, uint16_t *target)
{
    __m512i a = _mm512_loadu_si512(table), b = _mm512_loadu_si512(table + 32);
    __m512i c = _mm512_loadu_si512(table + 64), d = _mm512_loadu_si512(table + 96);
    const we_units_avx512 units = {
        {we_low_bytes_64(a, b), we_low_bytes_64(c, d)},
        {we_low_bytes_64(_mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8)),
         we_low_bytes_64(_mm512_srli_epi16(c, 8), _mm512_srli_epi16(d, 8))},
    };
    size_t i = 0;
    if (length >= WE_WORTH_ALIGNING) {
        const size_t head = 32 - WE_MISALIGNED(target, 32);
        /* With an unmapped byte among these the loops below start again. */
        if (we_single_byte_step_to_ucs2_avx512(source, head, &units, target) == 0)
            i = head;
    }
    /* Two at a time save a tenth of the time. */
    for (; length - i >= 128; i += 128)
        if (we_single_byte_step_to_ucs2_avx512(source + i, 64, &units, target + i)
            | we_single_byte_step_to_ucs2_avx512(source + i + 64, 64, &units, target + i + 64))
            break;
    for (; i < length; i += 64) {
        size_t count = length - i < 64 ? length - i : 64;
        uint64_t unmapped = we_single_byte_step_to_ucs2_avx512(source + i, count, &units, target + i);
        if (unmapped != 0) {
            const __m512i eighths_back = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            return i
                   + we_ascii_in_64(_mm512_permutexvar_epi64(eighths_back, _mm512_movm_epi8(_cvtu64_mask64(unmapped))));
        }
    }
    return length;
}

/* A block of the table in registers, and its number: the low eight bits in all bytes, and the ninth in all bits. */
typedef struct {
    __m512i first, second, number;
    uint64_t ninth;
} we_block_avx512;

WE_ALWAYS_INLINE WE_TARGET_AVX512 we_block_avx512 we_load_block_avx512(const we_single_byte_reverse *table,
                                                                       size_t number)
{
    const uint8_t *block = we_single_byte_block(table, number);
    const we_block_avx512 loaded = {_mm512_loadu_si512(block), _mm512_loadu_si512(block + 64),
                                    _mm512_set1_epi8((char)number), 0 - (uint64_t)(number >> 8)};
    return loaded;
}

/* Two blocks stay in registers, which few texts exceed. Another block replaces one of which the vector has no units. */
WE_TARGET_AVX512 static inline size_t we_single_byte_run_from_ucs2_avx512(const uint16_t *source, size_t length,
                                                                          const we_single_byte_reverse *table,
                                                                          uint8_t *target)
{
    /* The even bytes of two registers: one permute, where two narrowings and a join take three times as long. */
    const __m512i even =
        _mm512_set_epi8(126, 124, 122, 120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100, 98, 96, 94, 92, 90, 88,
                        86, 84, 82, 80, 78, 76, 74, 72, 70, 68, 66, 64, 62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40,
                        38, 36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i not_ascii = _mm512_set1_epi16((short)0xFF80);
    we_block_avx512 one = we_load_block_avx512(table, 1), two = one; /* U+0080 to U+00FF */
    for (size_t i = 0; i < length; i += 64) {
        const size_t count = length - i < 64 ? length - i : 64;
        __m512i a, b;
        we_load_units_64(source + i, count, &a, &b);
        const __m512i index = _mm512_permutex2var_epi8(a, even, b), either = _mm512_or_si512(a, b);
        if (_mm512_test_epi16_mask(either, not_ascii) == 0) {
            we_store_first_64(target + i, count, index);
            continue;
        }
        /* A block's number has nine bits: eight of them here, and the lanes that have the ninth. */
        uint64_t ninth = 0;
        if (_mm512_movepi16_mask(either) != 0)
            ninth = _cvtmask64_u64(_mm512_kunpackd(_mm512_movepi16_mask(b), _mm512_movepi16_mask(a)));
        const __m512i numbers = _mm512_permutex2var_epi8(_mm512_srli_epi16(a, 7), even, _mm512_srli_epi16(b, 7));
        const uint64_t mapped = _cvtmask64_u64(_mm512_test_epi8_mask(numbers, numbers)) | ninth;
        const uint64_t in_one = _cvtmask64_u64(_mm512_cmpeq_epi8_mask(numbers, one.number)) & ~(ninth ^ one.ninth);
        const uint64_t in_two =
            _cvtmask64_u64(_mm512_cmpeq_epi8_mask(numbers, two.number)) & ~(ninth ^ two.ninth) & ~in_one;
        __m512i entries = _mm512_mask2_permutex2var_epi8(one.first, index, _cvtu64_mask64(in_one), one.second);
        entries = _mm512_mask2_permutex2var_epi8(two.first, entries, _cvtu64_mask64(in_two), two.second);
        uint64_t rest = mapped & ~(in_one | in_two);
        uint16_t units[64]; /* the source is read once */
        if (rest != 0) {
            _mm512_storeu_si512(units, a);
            _mm512_storeu_si512(units + 32, b);
        }
        while (rest != 0) {
            const size_t number = units[_tzcnt_u64(rest)] >> 7;
            const we_block_avx512 other = we_load_block_avx512(table, number);
            const __mmask64 candidates = _cvtu64_mask64(~(ninth ^ other.ninth));
            const __mmask64 in_block = _mm512_mask_cmpeq_epi8_mask(candidates, numbers, other.number);
            entries =
                _mm512_mask_mov_epi8(entries, in_block, _mm512_permutex2var_epi8(other.first, index, other.second));
            rest &= ~_cvtmask64_u64(in_block); /* at least one fewer */
            if (in_two == 0)
                two = other;
            else if (in_one == 0)
                one = other;
        }
        we_store_first_64(target + i, count, entries);
        const uint64_t unmapped = _cvtmask64_u64(_mm512_testn_epi8_mask(entries, entries)) & mapped;
        if (unmapped != 0)
            return i + (size_t)_tzcnt_u64(unmapped);
    }
    return length;
}
