/* Stands in for Microsoft's header, as string.h does. */
#ifndef STDIO_H
#define STDIO_H

#include <stddef.h>

int snprintf(char *target, size_t capacity, const char *format, ...);

#endif
