/* Units of one, two or four bytes, or UTF-8, for the models; and memory around a target, which no kernel may change. */
#include <stdio.h>
#include <string.h>

enum { TO_UTF8 = 3 }; /* the size of a unit of UTF-8, which put_unit writes */

static inline uint32_t get_unit(const void *units, size_t size, size_t at)
{
    uint16_t two;
    uint32_t four;
    if (size == 1)
        return ((const uint8_t *)units)[at];
    memcpy(&two, (const uint8_t *)units + at * 2, 2);
    memcpy(&four, (const uint8_t *)units + at * size, size == 2 ? 2 : 4);
    return size == 2 ? two : four;
}

/* Write a unit and return the bytes that it takes: none if the size is 0. */
static inline size_t put_unit(uint8_t *target, size_t size, uint32_t value)
{
    static const uint8_t LEADING[] = {0x00, 0xC0, 0xE0, 0xF0};
    const uint16_t two = (uint16_t)value;
    if (size == TO_UTF8) {
        const int more = value < 0x80 ? 0 : value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
        target[0] = (uint8_t)(LEADING[more] | value >> (6 * more));
        for (int k = 1; k <= more; k++)
            target[k] = (uint8_t)(0x80 | (value >> (6 * (more - k)) & 0x3F));
        return (size_t)more + 1;
    }
    if (size == 1)
        *target = (uint8_t)value;
    else if (size == 2)
        memcpy(target, &two, 2);
    else if (size == 4)
        memcpy(target, &value, 4);
    return size;
}

enum { CANARY = 0xA5, MARGIN = 64 };

/* Fill a target of `size` bytes, the MARGIN before it, and the `after` bytes behind it. */
static inline void fill_around(uint8_t *target, size_t size, size_t after)
{
    memset(target - MARGIN, CANARY, MARGIN + size + after);
}

/* Return a null pointer, or what was changed around the target. */
static inline const char *changed_around(const uint8_t *target, size_t size, size_t after)
{
    for (size_t i = 1; i <= MARGIN; i++)
        if (target[-(ptrdiff_t)i] != CANARY)
            return "written before the target";
    for (size_t i = 0; i < after; i++)
        if (target[size + i] != CANARY)
            return "written after the target";
    return NULL;
}

int simd_best(void)
{
    return we_simd_best();
}
