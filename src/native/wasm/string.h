/* The functions of the C library that libwhatwg_encoding needs, where WebAssembly has none: libc.c defines them. */
#ifndef WE_WASM_STRING_H
#define WE_WASM_STRING_H

#include <stddef.h>

void *memchr(const void *bytes, int byte, size_t length);
int memcmp(const void *one, const void *other, size_t length);
void *memcpy(void *restrict target, const void *restrict source, size_t length);
void *memmove(void *target, const void *source, size_t length);
void *memset(void *target, int byte, size_t length);
char *strchr(const char *text, int character);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t length);
size_t strlen(const char *text);

/* Without a library a compiler takes these names for any functions. Of a constant length they are loads and stores, and
 * as functions they take a hundred times as long. */
#define memcmp(one, other, length) __builtin_memcmp(one, other, length)
#define memcpy(target, source, length)                                                                                 \
    (__builtin_constant_p(length) ? __builtin_memcpy(target, source, length) : (memcpy)(target, source, length))
#define memmove(target, source, length) __builtin_memmove(target, source, length)
#define memset(target, byte, length) __builtin_memset(target, byte, length)

#endif
