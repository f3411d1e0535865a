/* Conversions between UCS4 and UTF-16 units, exported for test_utf_16_units.py. */
#include "utf_16/kernels.h"

int simd_best(void)
{
    return we_simd_best();
}

size_t put(int simd, const uint32_t *source, size_t length, uint16_t *target, size_t capacity)
{
    return we_utf_16_put(simd, source, length, target, capacity);
}

size_t join(int simd, const uint16_t *source, size_t length, uint32_t *target, size_t capacity, size_t *written)
{
    return we_utf_16_join(simd, source, length, target, capacity, written);
}
