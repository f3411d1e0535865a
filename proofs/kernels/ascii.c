/* Runs of ASCII and conversions between widths: any source of the lengths that lemmas.py has, at each level. */
#include "lemma.h"

#include "ascii/kernels.h"

/* Each unit below 0x80 is kept, and the run ends before the first other: the step of every handler for ASCII. */
#define RUN(name, source_type, target_type)                                                                            \
    void prove_##name(int simd, size_t length)                                                                         \
    {                                                                                                                  \
        ANY(source_type, source, length);                                                                              \
        target_type *const target = (target_type *)room(length * sizeof(target_type), "target");                       \
        const size_t read = we_##name(simd, source, length, target);                                                   \
        claim(read <= length, "the run ends within the source");                                                       \
        for (size_t i = 0; i < length; i++)                                                                            \
            claim(((i >= read) | ((source[i] < 0x80) & (target[i] == source[i])))                                      \
                      & ((i != read) | (source[i] >= 0x80)),                                                           \
                  "ASCII is kept, and the run ends before the first other unit");                                      \
    }
RUN(ascii_run_to_ucs1, uint8_t, uint8_t)
RUN(ascii_run_to_ucs2, uint8_t, uint16_t)
RUN(ascii_run_to_ucs4, uint8_t, uint32_t)
RUN(ascii_run_from_ucs2, uint16_t, uint8_t)
RUN(ascii_run_from_ucs4, uint32_t, uint8_t)

void prove_ascii_length(int simd, size_t length)
{
    ANY(uint8_t, source, length);
    const size_t read = we_ascii_length(simd, source, length);
    claim(read <= length, "the length is within the source");
    for (size_t i = 0; i < length; i++)
        claim(((i >= read) | (source[i] < 0x80)) & ((i != read) | (source[i] >= 0x80)),
              "the length ends before the first byte that is not ASCII");
}

/* Each unit keeps its value; narrowing is called for units that fit alone. */
#define CONVERSION(name, source_type, target_type)                                                                     \
    void prove_##name(int simd, size_t length)                                                                         \
    {                                                                                                                  \
        ANY(source_type, source, length);                                                                              \
        target_type *const target = (target_type *)room(length * sizeof(target_type), "target");                       \
        we_##name(simd, source, length, target);                                                                       \
        for (size_t i = 0; i < length; i++)                                                                            \
            claim_equal(target[i], (target_type)source[i], "the unit is kept");                                        \
    }
CONVERSION(widen_ucs1_to_ucs2, uint8_t, uint16_t)
CONVERSION(widen_ucs1_to_ucs4, uint8_t, uint32_t)
CONVERSION(widen_ucs2_to_ucs4, uint16_t, uint32_t)
CONVERSION(narrow_ucs2_to_ucs1, uint16_t, uint8_t)
CONVERSION(narrow_ucs4_to_ucs2, uint32_t, uint16_t)
CONVERSION(narrow_ucs4_to_ucs1, uint32_t, uint8_t)

#define OR_OF(name, type)                                                                                              \
    void prove_##name(int simd, size_t length)                                                                         \
    {                                                                                                                  \
        ANY(type, source, length);                                                                                     \
        uint32_t expected = 0;                                                                                         \
        for (size_t i = 0; i < length; i++)                                                                            \
            expected |= source[i];                                                                                     \
        claim_equal(we_##name(simd, source, length), expected, "the OR of all units");                                 \
    }
OR_OF(or_ucs1, uint8_t)
OR_OF(or_ucs2, uint16_t)
OR_OF(or_ucs4, uint32_t)
