/* See string.h. The first three are single instructions of WebAssembly's bulk memory operations, but for short copies:
 * engines leave their code for such an instruction, which takes longer. */
#include "string.h"

#undef memcmp
#undef memcpy
#undef memmove
#undef memset

#include <stdint.h>

void *memcpy(void *restrict target, const void *restrict source, size_t length)
{
    enum { SHORT = 64, WORD = 8 }; /* bytes */
    uint8_t *const to = (uint8_t *)target;
    const uint8_t *const from = (const uint8_t *)source;
    size_t at = 0;
    if (length > SHORT)
        return __builtin_memcpy(target, source, length);
    for (; length - at >= WORD; at += WORD)
        __builtin_memcpy(to + at, from + at, WORD);
    for (; at < length; at++)
        to[at] = from[at];
    return target;
}

void *memmove(void *target, const void *source, size_t length)
{
    return __builtin_memmove(target, source, length);
}

void *memset(void *target, int byte, size_t length)
{
    return __builtin_memset(target, byte, length);
}

void *memchr(const void *bytes, int byte, size_t length)
{
    const uint8_t *const at = (const uint8_t *)bytes;
    for (size_t i = 0; i < length; i++)
        if (at[i] == (uint8_t)byte)
            return (void *)(uintptr_t)(at + i);
    return NULL;
}

int memcmp(const void *one, const void *other, size_t length)
{
    const uint8_t *const left = (const uint8_t *)one, *const right = (const uint8_t *)other;
    for (size_t i = 0; i < length; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

int strncmp(const char *left, const char *right, size_t length)
{
    for (; length && *left != '\0' && *left == *right; length--)
        left++, right++;
    return length ? (int)(uint8_t)*left - (int)(uint8_t)*right : 0;
}

int strcmp(const char *left, const char *right)
{
    return strncmp(left, right, SIZE_MAX);
}

char *strchr(const char *text, int character)
{
    while (*text != (char)character && *text != '\0')
        text++;
    return *text == (char)character ? (char *)(uintptr_t)text : NULL;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    return length;
}
