/* Stands in for Microsoft's header where kernels are compiled for its C library without having it: what they use, declared. */
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
