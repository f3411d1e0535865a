/* A stand-in for Microsoft's header: declares what the kernels use, where they are compiled for that C library without
 * having it. */
#ifndef STRING_H
#define STRING_H

#include <stddef.h>

void *memcpy(void *target, const void *source, size_t length);
void *memmove(void *target, const void *source, size_t length);
void *memset(void *target, int value, size_t length);
int memcmp(const void *one, const void *other, size_t length);
size_t strlen(const char *text);
int strcmp(const char *one, const char *other);

#endif
